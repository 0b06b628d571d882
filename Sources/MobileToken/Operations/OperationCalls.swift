// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

extension Operations {
    package func list(task: CallTask) throws(Failure) { try activation.start(.operationList(state), task: task) }

    package func history(_ authentication: Authentication, task: CallTask) throws(Failure) {
        try activation.start(.operationHistory(keys: try activation.signingKeys(authentication)), task: task)
    }

    package func detail(id: String, task: CallTask) throws(Failure) {
        try activation.start(.operationDetail(id: try Call.required(id, "The operation's id is empty.")), task: task)
    }

    package func claim(id: String, task: CallTask) throws(Failure) {
        try activation.start(
            .operationClaim(state, id: try Call.required(id, "The operation's id is empty.")), task: task)
    }

    /// Approves exactly `id` and `data`.
    ///
    /// - Parameters:
    ///   - tolerated: contradictions that the caller lets pass, beside those of the client
    ///   - info: gets what the server tells a custom authenticator
    @inline(never)
    package func authorize(
        id: String, data: String, authentication: Authentication, extras: ApprovalExtras,
        tolerated: Contradictions = [], info: Handover<String>? = nil, task: CallTask
    ) throws(Failure) {
        let id = try Call.required(id, "The operation's id is empty.")
        try Self.check(extras)
        if activation.options.refusesContradictions,
            let known = activation.lock.glance({ state.registry.approvable(id: id) })
        {
            guard sameBytes(known.data, data) else { throw .otherData }
            guard !activation.options.refuses(known.contradictions.subtracting(tolerated)) else {
                throw .contradiction
            }
        }
        let keys = try activation.signingKeys(authentication)
        try activation.start(
            .authorize(state, id: id, data: data, keys: keys, extras: completed(extras, for: id), info: info),
            task: task)
    }

    /// - Parameter reason: nil: the user gave none
    @inline(never)
    package func reject(
        id: String, reason: String?, mobileTokenData: [UInt8]?, info: Handover<String>? = nil, task: CallTask
    ) throws(Failure) {
        let id = try Call.required(id, "The operation's id is empty.")
        let reason = try Call.required(reason ?? "UNKNOWN", "The reason of a rejection is empty.")
        try Self.checkObject(mobileTokenData)
        let data = completed(ApprovalExtras(mobileTokenData: mobileTokenData), for: id).mobileTokenData
        try activation.start(.reject(state, id: id, reason: reason, mobileTokenData: data, info: info), task: task)
    }
}

/// The calls of the operations service (operations.md §2).
extension Call {
    /// Every fetch of the list is published, whatever started it.
    static func operationList(_ state: OperationsState) -> Call {
        let fetch = ListFetch(state)
        let call = Call(
            name: "operation list", root: .operations, path: "/api/auth/token/app/operation/list",
            kind: .question(.token(universalToken)), sharedAs: "operation list", errors: .operation
        ) { (_) throws(Failure) in
            fetch.ask()
            return emptyRequest
        } read: { (activation, answer) throws(Failure) in
            let list = try readList(answer)
            fetch.state.lastReply = answer.envelope.map { RepeatedList(list, of: $0) }
            return fetch.end(with: list, activation)
        } abandon: { (activation, failure) in
            fetch.state.publish(failure, askedAt: fetch.asked, activation)
        } progress: { (activation, isRunning) in
            if isRunning { fetch.ask() }
            fetch.state.publishLoading(isRunning, activation)
        }
        call.repeated = { (activation, body) in
            fetch.state.lastReply?.list(repeatedBy: body).map { fetch.end(with: $0, activation) }
        }
        return call
    }

    static func operationHistory(keys: SigningKeys) -> Call {
        Call(
            name: "operation history", root: .operations, path: "/api/auth/token/app/operation/history",
            kind: .signed(by: .user("/operation/history", keys)), errors: .operation, body: emptyRequest
        ) { (_, answer) throws(Failure) in
            .done(.operations(try readList(answer)))
        }
    }

    static func operationDetail(id: String) -> Call {
        Call(
            name: "operation detail", root: .operations, path: "/api/auth/token/app/operation/detail",
            kind: .question(.token(universalToken)), errors: .question, body: { (_) throws(Failure) in identifier(id) }
        ) { (_, answer) throws(Failure) in
            .done(.operation(try readOperation(answer)))
        }
    }

    /// The same inside end-to-end encryption, both ways.
    static func encryptedOperationDetail(id: String) -> Call {
        Call(
            name: "encrypted operation detail", root: .operations, path: "/api/auth/token/app/operation/detail",
            kind: .question(.token(universalToken)), encryption: .layer(.activationGeneric), errors: .operation
        ) { (_) throws(Failure) in
            identifier(id)
        } read: { (_, answer) throws(Failure) in
            guard let plaintext = answer.plaintext,
                let document = plaintext.withBytes({ (bytes) in try? JSONDocument(parsing: bytes) }),
                let envelope = try? ReplyEnvelope(document)
            else { throw unreadable("The server's response has no valid operation.") }
            guard let operation = try? UserOperation.decode(envelope).operation else {
                throw unreadable("The server's response has no valid operation.")
            }
            return .done(.operation(operation))
        }
    }

    static func operationClaim(_ state: OperationsState, id: String) -> Call {
        Call(
            name: "operation claim", root: .operations, path: "/api/auth/token/app/operation/detail/claim",
            kind: .question(.token(universalToken)), errors: .question, body: { (_) throws(Failure) in identifier(id) }
        ) { (activation, answer) throws(Failure) in
            let operation = try readOperation(answer)
            state.publishClaimed(operation, activation)
            return .done(.operation(operation))
        }
    }

    /// Approves exactly `id` and `data`.
    static func authorize(
        _ state: OperationsState, id: String, data: String, keys: SigningKeys, extras: ApprovalExtras,
        info: Handover<String>? = nil
    ) -> Call {
        Call(
            name: "approval", root: .operations, path: "/api/auth/token/app/operation/authorize",
            kind: .signed(
                by: .user("/operation/authorize", keys, for: extras.proximity == nil ? .request : .timedRequest)),
            errors: .approval
        ) { (activation) throws(Failure) in
            let proximity = try extras.proximity?.times(activation)
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
        } read: { (activation, answer) throws(Failure) in
            info?.value = answer.envelope?.customInfo
            state.publishSettled(id, activation)
            return .done(.none)
        }
    }

    static func reject(
        _ state: OperationsState, id: String, reason: String, mobileTokenData data: [UInt8]?,
        info: Handover<String>? = nil
    ) -> Call {
        Call(
            name: "rejection", root: .operations, path: "/api/auth/token/app/operation/cancel",
            kind: .signed(by: .user("/operation/cancel", .possession)), errors: .operation
        ) { (_) throws(Failure) in
            requestObject { writer in
                writer.key("id")
                writer.value(id)
                writer.key("reason")
                writer.value(reason)
                mobileTokenData(data, &writer)
            }
        } read: { (activation, answer) throws(Failure) in
            info?.value = answer.envelope?.customInfo
            state.publishSettled(id, activation)
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
            throw unreadable("The server's response has no list of operations.")
        }
        return list
    }

    private static func readOperation(_ answer: Answer) throws(Failure) -> UserOperation {
        guard let envelope = answer.envelope, let operation = try? UserOperation.decode(envelope).operation else {
            throw unreadable("The server's response has no valid operation.")
        }
        return operation
    }
}

/// A fetch of the list, and the operations as they were when it was asked for.
private final class ListFetch {
    let state: OperationsState
    private(set) var asked: Int?

    init(_ state: OperationsState) { self.state = state }

    func ask() { asked = state.registry.mutations }

    /// The list has arrived. Under the activation's lock.
    func end(with list: OperationList, _ activation: Activation) -> Call.Conclusion {
        if list.skippedCount > 0 {
            activation.log(.warning, filled("operation list: % invalid, left out", String(list.skippedCount)))
        }
        state.publish(list, askedAt: asked, activation)
        return .done(.operations(list))
    }
}
