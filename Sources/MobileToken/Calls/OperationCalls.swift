import MobileTokenCrypto
import MobileTokenJSON
import PowerAuth

/// The calls of the operations service (operations.md §2).
extension Call {
    /// The token that operations, inbox and push share; it is made with the possession factor.
    static let universalToken = "possession_universal"

    static func operationList() -> Call {
        Call(
            name: "operation list", root: .operations, path: "/api/auth/token/app/operation/list",
            authentication: .token(universalToken), sharedAs: "operation list", errors: .operation, body: emptyRequest,
            read: readList)
    }

    static func operationHistory(keys: SigningKeys) -> Call {
        Call(
            name: "operation history", root: .operations, path: "/api/auth/token/app/operation/history",
            authentication: .signature(uriId: "/operation/history", keys: keys), errors: .operation, body: emptyRequest,
            read: readList)
    }

    static func operationDetail(id: String) -> Call {
        Call(
            name: "operation detail", root: .operations, path: "/api/auth/token/app/operation/detail",
            authentication: .token(universalToken), errors: .operation, body: { (_) throws(Failure) in identifier(id) },
            read: readOperation)
    }

    static func operationClaim(id: String) -> Call {
        Call(
            name: "operation claim", root: .operations, path: "/api/auth/token/app/operation/detail/claim",
            authentication: .token(universalToken), errors: .operation, body: { (_) throws(Failure) in identifier(id) },
            read: readOperation)
    }

    /// Approves exactly `id` and `data`.
    static func authorize(id: String, data: String, keys: SigningKeys, extras: ApprovalExtras) -> Call {
        Call(
            name: "approval", root: .operations, path: "/api/auth/token/app/operation/authorize",
            authentication: .signature(uriId: "/operation/authorize", keys: keys), needsTime: extras.proximity != nil,
            errors: .approval
        ) { (client) throws(Failure) in
            let proximity = try extras.proximity?.times(client)
            return requestObject { writer in
                writer.key("id")
                writer.value(id)
                writer.key("data")
                writer.value(data)
                if let check = extras.proximity, let proximity {
                    writer.key("proximityCheck")
                    writer.beginObject()
                    writer.key("otp")
                    writer.value(check.otp)
                    writer.key("type")
                    writer.value(check.type.wireName)
                    writer.key("timestampReceived")
                    writer.value(proximity.received)
                    writer.key("timestampSent")
                    writer.value(proximity.sent)
                    writer.endObject()
                }
                mobileTokenData(extras.mobileTokenData, &writer)
            }
        } read: { (client, answer) throws(Failure) in
            try nothing(client, answer)
        }
    }

    static func reject(id: String, reason: String, mobileTokenData data: [UInt8]?) -> Call {
        Call(
            name: "rejection", root: .operations, path: "/api/auth/token/app/operation/cancel",
            authentication: .signature(uriId: "/operation/cancel", keys: .possession), errors: .operation
        ) { (_) throws(Failure) in
            requestObject { writer in
                writer.key("id")
                writer.value(id)
                writer.key("reason")
                writer.value(reason)
                mobileTokenData(data, &writer)
            }
        } read: { (client, answer) throws(Failure) in
            try nothing(client, answer)
        }
    }

    // MARK: Parts

    private static func mobileTokenData(_ data: [UInt8]?, _ writer: inout JSONWriter) {
        guard let data else { return }
        writer.key("mobileTokenData")
        writer.raw(data)
    }

    private static func readList(_: Client, _ answer: Answer) throws(Failure) -> Conclusion {
        guard let envelope = answer.envelope, let list = try? OperationList.decode(envelope) else {
            throw unreadable("The server's answer has no list of operations.")
        }
        return .done(.operations(list))
    }

    private static func readOperation(_: Client, _ answer: Answer) throws(Failure) -> Conclusion {
        guard let envelope = answer.envelope, let operation = try? UserOperation.decode(envelope).operation else {
            throw unreadable("The server's answer has no operation that can be read.")
        }
        return .done(.operation(operation))
    }
}
