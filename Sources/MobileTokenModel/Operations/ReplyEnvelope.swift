// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// The envelope of every reply of the Mobile Token API (operations.md §3).
///
///     {"status": "OK", "responseObject": …, "currentTimestamp": …}
///     {"status": "ERROR", "responseObject": {"code": …, "message": …}}
///
/// The HTTP status is judged elsewhere.
public struct ReplyEnvelope: Sendable {
    /// The server's answer.
    public enum Outcome: Sendable {
        /// `status` is `OK`. The `responseObject`; `nil` if it is missing or null, as in answers without content.
        case success(JSONValue?)
        /// `status` is `ERROR`.
        case failure(ServerError)
    }

    /// The error that a server reports.
    public struct ServerError: Sendable {
        /// `responseObject.code`, e.g. `POWERAUTH_AUTH_FAIL`.
        public let code: JSONText
        /// `responseObject.message`, for developers; empty if the server, which leaves out null members, sent none.
        public let message: JSONText
        /// `responseObject.currentRecoveryPukIndex`: which PUK of a printed list the server expects.
        public let recoveryPUKIndex: Int64?
        /// `responseObject.customInfo`: JSON from the bank for a custom authenticator.
        public let customInfo: String?
    }

    /// The reply.
    public let document: JSONDocument
    /// `status` and `responseObject`.
    public let outcome: Outcome
    /// `currentTimestamp`: the server's clock, milliseconds since the epoch; `nil` if missing or unreadable.
    public let currentTimestamp: Int64?

    /// Reads the body of a reply. Where `responseObject` is a list, an element that cannot be read does not hide the others.
    ///
    /// - Throws: `InvalidReply`: not JSON, or `status` is neither `OK` nor `ERROR`, or an error has no code.
    public init(parsing body: UnsafeRawBufferPointer, limits: JSONLimits = .default) throws(InvalidReply) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: body, limits: limits, sparing: "responseObject")
        } catch {
            throw .json(error)
        }
        try self.init(document)
    }

    /// Looks at a reply that was read.
    public init(_ document: JSONDocument) throws(InvalidReply) {
        self.document = document
        let decoder = ModelDecoder(document: document)
        let root = document.root.node
        do throws(ModelFault) {
            outcome = try Self.outcome(root, decoder)
        } catch {
            throw .form(error)
        }
        currentTimestamp = root["currentTimestamp"].flatMap(Instant.milliseconds)
    }

    /// `responseObject.customInfo`: JSON from the bank for a custom authenticator; nil: nothing.
    public var customInfo: String? { Self.customInfo(of: document) }

    private static func customInfo(of document: JSONDocument) -> String? {
        guard let info = document.root["responseObject"]?["customInfo"], !info.isNull else { return nil }
        return String(utf8: info.raw)
    }

    private static func outcome(_ root: JSONNode, _ decoder: ModelDecoder) throws(ModelFault) -> Outcome {
        guard root.kind == .object else { throw ModelFault("", .wrongType) }
        let status = try decoder.requiredText(root, "status")
        if status.equals("OK") {
            guard let content = root["responseObject"], content.kind != .null else { return .success(nil) }
            return .success(JSONValue(document: decoder.document, node: content))
        }
        guard status.equals("ERROR") else { throw ModelFault("status", .invalid) }
        let object = try decoder.requiredObject(root, "responseObject")
        return .failure(
            ServerError(
                code: try decoder.requiredText(object, "code", path: "responseObject.code"),
                message: decoder.textOrEmpty(object, "message"),
                recoveryPUKIndex: object["currentRecoveryPukIndex"]?.int64, customInfo: customInfo(of: decoder.document)
            ))
    }
}
