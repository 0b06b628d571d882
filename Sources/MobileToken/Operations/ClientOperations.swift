import MobileTokenJSON
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// The operations service.
extension Client {
    package func operationList(task: CallTask) throws(Failure) { try start(.operationList(), task: task) }

    package func operationHistory(_ authentication: Authentication, task: CallTask) throws(Failure) {
        try start(.operationHistory(keys: try signingKeys(authentication)), task: task)
    }

    package func operationDetail(id: String, task: CallTask) throws(Failure) {
        try start(.operationDetail(id: try Self.required(id, "The operation's id is empty.")), task: task)
    }

    package func operationClaim(id: String, task: CallTask) throws(Failure) {
        try start(.operationClaim(id: try Self.required(id, "The operation's id is empty.")), task: task)
    }

    /// Approves exactly `id` and `data`.
    ///
    /// - Parameters:
    ///   - tolerated: contradictions that the caller lets pass, beside those of the client
    ///   - info: gets what the server tells a custom authenticator
    package func authorize(
        id: String, data: String, authentication: Authentication, extras: ApprovalExtras,
        tolerated: Contradictions = [], info: Box<String>? = nil, task: CallTask
    ) throws(Failure) {
        let id = try Self.required(id, "The operation's id is empty.")
        try Self.check(extras)
        if options.refusesContradictions {
            let bytes = [UInt8](id.utf8)
            let known = lock.withLock { registry.operations.first { $0.id.equals(bytes) } }
            if let known {
                guard known.data.equals([UInt8](data.utf8)) else { throw .otherData }
                guard !options.refuses(known.contradictions.subtracting(tolerated)) else { throw .contradiction }
            }
        }
        let keys = try signingKeys(authentication)
        try start(
            .authorize(id: id, data: data, keys: keys, extras: completed(extras, for: id), info: info), task: task)
    }

    package func reject(
        id: String, reason: String, mobileTokenData: [UInt8]?, info: Box<String>? = nil, task: CallTask
    ) throws(Failure) {
        let id = try Self.required(id, "The operation's id is empty.")
        let reason = try Self.required(reason, "The reason of a rejection is empty.")
        try Self.checkObject(mobileTokenData)
        let data = completed(ApprovalExtras(mobileTokenData: mobileTokenData), for: id).mobileTokenData
        try start(.reject(id: id, reason: reason, mobileTokenData: data, info: info), task: task)
    }

    static func required(_ text: String, _ message: String) throws(Failure) -> String {
        guard !text.isEmpty else { throw .argument(message) }
        return text
    }

    /// What the host gives beside an approval.
    static func check(_ extras: ApprovalExtras) throws(Failure) {
        if let proximity = extras.proximity, proximity.otp.isEmpty {
            throw .argument("The one-time password of the proximity check is empty.")
        }
        try checkObject(extras.mobileTokenData)
    }

    /// JSON from the host must be one object.
    static func checkObject(_ json: [UInt8]?) throws(Failure) {
        guard let json else { return }
        var failure = Failure(.parse, Reason.invalidArgument, "The mobile token data is not a JSON object.")
        do throws(JSONError) {
            let document = try JSONDocument(parsing: json)
            if document.root.kind == .object { return }
            failure.byteOffset = 0
        } catch {
            failure.byteOffset = error.offset
        }
        throw failure
    }
}

extension Failure {
    /// A strict client, or call, does not approve such an operation.
    package static var contradiction: Failure {
        Failure(
            .state, "contradiction",
            "The operation does not show what it signs, as its contradictions tell: show them, and reject it."
        )
    }
}

extension Failure {
    /// A strict client does not sign other data than those of the operation that it knows, and that was shown.
    fileprivate static var otherData: Failure {
        Failure(
            .state, "contradiction",
            "The operation of this id that the client knows has other data: fetch it, and show it."
        )
    }
}
