import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import PowerAuth

/// The calls of the operations service (operations.md §2).
extension Call {
    /// The token that operations, inbox and push share; it is made with the possession factor.
    static let universalToken = "possession_universal"

    /// Every fetch of the list, whoever asked for it, is published.
    static func operationList() -> Call {
        let asked = Box<Int>()
        return Call(
            name: "operation list", root: .operations, path: "/api/auth/token/app/operation/list",
            authentication: .token(universalToken), sharedAs: listName, errors: .operation
        ) { (client) throws(Failure) in
            asked.value = client.registry.mutations
            return emptyRequest
        } read: { (client, answer) throws(Failure) in
            let list = try readList(answer)
            if list.skippedCount > 0 {
                client.runtime.log(
                    .warning, client: client, "operation list: \(list.skippedCount) cannot be read and are left out")
            }
            client.publish(list, askedAt: asked.value)
            return .done(.operations(list))
        } abandon: { (client, failure) in
            client.publish(failure, askedAt: asked.value)
        } progress: { (client, isRunning) in
            if isRunning { asked.value = client.registry.mutations }
            client.publishLoading(isRunning)
        }
    }

    /// The name by which callers share one fetch of the list.
    static let listName = "operation list"

    static func operationHistory(keys: SigningKeys) -> Call {
        Call(
            name: "operation history", root: .operations, path: "/api/auth/token/app/operation/history",
            authentication: .signature(uriId: "/operation/history", keys: keys), errors: .operation, body: emptyRequest
        ) { (_, answer) throws(Failure) in
            .done(.operations(try readList(answer)))
        }
    }

    static func operationDetail(id: String) -> Call {
        Call(
            name: "operation detail", root: .operations, path: "/api/auth/token/app/operation/detail",
            authentication: .token(universalToken), errors: .question, body: { (_) throws(Failure) in identifier(id) }
        ) { (_, answer) throws(Failure) in
            .done(.operation(try readOperation(answer)))
        }
    }

    /// The same inside end-to-end encryption, both ways.
    static func encryptedOperationDetail(id: String) -> Call {
        Call(
            name: "encrypted operation detail", root: .operations, path: "/api/auth/token/app/operation/detail",
            authentication: .token(universalToken), encryption: .layer(.activationGeneric), errors: .operation
        ) { (_) throws(Failure) in
            identifier(id)
        } read: { (_, answer) throws(Failure) in
            guard let plaintext = answer.plaintext,
                let document = plaintext.withBytes({ (bytes) in try? JSONDocument(parsing: bytes) }),
                let envelope = try? ReplyEnvelope(document)
            else { throw unreadable("The server's answer has no operation that can be read.") }
            guard let operation = try? UserOperation.decode(envelope).operation else {
                throw unreadable("The server's answer has no operation that can be read.")
            }
            return .done(.operation(operation))
        }
    }

    static func operationClaim(id: String) -> Call {
        Call(
            name: "operation claim", root: .operations, path: "/api/auth/token/app/operation/detail/claim",
            authentication: .token(universalToken), errors: .question, body: { (_) throws(Failure) in identifier(id) }
        ) { (client, answer) throws(Failure) in
            let operation = try readOperation(answer)
            client.publishClaimed(operation)
            return .done(.operation(operation))
        }
    }

    /// Approves exactly `id` and `data`.
    static func authorize(
        id: String, data: String, keys: SigningKeys, extras: ApprovalExtras, info: Box<String>? = nil
    ) -> Call {
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
            info?.value = answer.envelope?.customInfo
            client.publishSettled(id)
            return .done(.none)
        }
    }

    static func reject(
        id: String, reason: String, mobileTokenData data: [UInt8]?, info: Box<String>? = nil
    ) -> Call {
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
            info?.value = answer.envelope?.customInfo
            client.publishSettled(id)
            return .done(.none)
        }
    }

    // MARK: Parts

    private static func mobileTokenData(_ data: [UInt8]?, _ writer: inout JSONWriter) {
        guard let data else { return }
        writer.key("mobileTokenData")
        writer.raw(data)
    }

    private static func readList(_ answer: Answer) throws(Failure) -> OperationList {
        guard let envelope = answer.envelope, let list = try? OperationList.decode(envelope) else {
            throw unreadable("The server's answer has no list of operations.")
        }
        return list
    }

    private static func readOperation(_ answer: Answer) throws(Failure) -> UserOperation {
        guard let envelope = answer.envelope, let operation = try? UserOperation.decode(envelope).operation else {
            throw unreadable("The server's answer has no operation that can be read.")
        }
        return operation
    }
}
