import MobileTokenJSON
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// The operations of an activation: asked for, approved and rejected, known and watched. May be used from any thread.
public struct Operations: Sendable {
    let activation: Activation
    let state: OperationsState

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
        tolerated: Contradictions = [], info: Box<String>? = nil, task: CallTask
    ) throws(Failure) {
        let id = try Call.required(id, "The operation's id is empty.")
        try Self.check(extras)
        if activation.options.refusesContradictions {
            let bytes = [UInt8](id.utf8)
            let known = activation.lock.withLock { state.registry.operations.first { $0.id.equals(bytes) } }
            if let known {
                guard known.data.equals([UInt8](data.utf8)) else { throw .otherData }
                guard !activation.options.refuses(known.contradictions.subtracting(tolerated)) else {
                    throw .contradiction
                }
            }
        }
        let keys = try activation.signingKeys(authentication)
        try activation.start(
            .authorize(state, id: id, data: data, keys: keys, extras: completed(extras, for: id), info: info),
            task: task)
    }

    @inline(never)
    package func reject(
        id: String, reason: String, mobileTokenData: [UInt8]?, info: Box<String>? = nil, task: CallTask
    ) throws(Failure) {
        let id = try Call.required(id, "The operation's id is empty.")
        let reason = try Call.required(reason, "The reason of a rejection is empty.")
        try Self.checkObject(mobileTokenData)
        let data = completed(ApprovalExtras(mobileTokenData: mobileTokenData), for: id).mobileTokenData
        try activation.start(.reject(state, id: id, reason: reason, mobileTokenData: data, info: info), task: task)
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
            "The operation does not show what it signs. Show its contradictions, and reject it."
        )
    }
}

extension Failure {
    /// A strict client does not sign other data than those of the operation that it knows, and that was shown.
    fileprivate static var otherData: Failure {
        Failure(
            .state, "contradiction",
            "The client has other data for the operation with this id. Fetch it and show it."
        )
    }
}
