import MobileTokenCrypto
import MobileTokenJSON
import PowerAuth

extension Call {
    /// The configuration of a provider (oidc.md §2): encrypted in application scope, without an activation. The request has
    /// no `requestObject`; the decrypted answer is a plain envelope.
    static func oidcConfiguration(providerId: String) -> Call {
        Call(
            name: "OIDC configuration", root: .operations, path: "/api/config/oidc",
            encryption: .layer(.applicationGeneric), requires: nil
        ) { (_) throws(Failure) in
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("providerId")
            writer.value(providerId)
            writer.endObject()
            return writer.bytes
        } read: { (_, answer) throws(Failure) in
            guard let plaintext = answer.plaintext,
                let document = plaintext.withBytes({ (bytes) in try? JSONDocument(parsing: bytes) }),
                let envelope = try? ReplyEnvelope(document), case .success(let content) = envelope.outcome,
                let configuration = OIDCConfiguration(content)
            else { throw unreadable("The server's answer has no configuration of the provider.") }
            return .done(.oidcConfiguration(configuration))
        }
    }
}
