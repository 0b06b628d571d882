import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenSystem
import PowerAuth

/// How a request of the host's own is signed besides being encrypted.
public struct RequestSignature: Sendable {
    /// Whether the signature covers the encrypted body, as at the standard endpoints, or the plaintext.
    public enum Order: Sendable {
        case encryptThenSign
        case signThenEncrypt
    }

    /// The resource that the signature is bound to.
    public let uriId: String
    /// The order of encryption and signature.
    public let order: Order
    /// The factors to sign with.
    public let authentication: Authentication

    /// How a request is signed.
    public init(uriId: String, order: Order, authentication: Authentication) {
        self.uriId = uriId
        self.order = order
        self.authentication = authentication
    }
}

/// A request of the host's own in encrypted form, and what is needed to decrypt its one answer. May be used from any thread.
public final class EncryptedRequest: @unchecked Sendable {
    /// The body to send.
    public let body: [UInt8]
    /// The one header that goes with it.
    public let headerName: StaticString
    /// The value of that header.
    public let headerValue: String
    private let activation: Activation
    private let encryptor: Envelope
    private let scope: EncryptionScope
    private let epoch: Int
    private let madeAt: Int64

    /// Under the activation's lock, with the temporary key and the server's time known.
    @inline(never)
    convenience init(
        _ plain: SecureBytes, id: EncryptorID, signature: RequestSignature?, keys: SigningKeys?, activation: Activation
    ) throws(Failure) {
        if let keys { try activation.requireFinished(signingWith: keys.factors) }
        let session = activation.session
        let now = activation.synchronizedNow
        let key = session.version.usesTemporaryKeys ? activation.usableTemporaryKey(id.scope) : nil
        let (encryptor, body) = try Failure.converting { () throws(PowerAuthError) in
            let encryptor = try session.envelope(id, under: key)
            return (encryptor, try encryptor.encrypt(plain, now: now))
        }
        guard let signature, let keys else {
            self.init(activation, encryptor, id.scope, body, "X-PowerAuth-Encryption", encryptor.headerValue)
            return
        }
        let header = try activation.durablySigning { (session) throws(PowerAuthError) in
            switch signature.order {
            case .encryptThenSign: try session.sign(method: .post, uriId: signature.uriId, body: body, keys: keys)
            case .signThenEncrypt: try session.sign(method: .post, uriId: signature.uriId, body: plain, keys: keys)
            }
        }
        self.init(activation, encryptor, id.scope, body, "X-PowerAuth-Authorization", header)
    }

    private init(
        _ activation: Activation, _ encryptor: Envelope, _ scope: EncryptionScope, _ body: [UInt8],
        _ name: StaticString,
        _ value: String
    ) {
        self.activation = activation
        self.encryptor = encryptor
        self.scope = scope
        self.body = body
        headerName = name
        headerValue = value
        epoch = activation.epoch
        madeAt = activation.runtime.now
    }

    /// Decrypts the answer to the request, once.
    ///
    /// - Parameter answer: the HTTP body
    package func decrypt(_ answer: UnsafeRawBufferPointer) throws(Failure) -> SecureBytes {
        guard let document = try? JSONDocument(parsing: answer) else {
            throw Failure(
                .parse, Reason.networkInvalidResponse, "The response is not JSON, so it cannot be decrypted.",
                outcome: .answered)
        }
        return try activation.lock.withLock { () throws(Failure) in
            guard !activation.isClosed, epoch == activation.epoch else { throw .cancelled(outcome: .answered) }
            do throws(Failure) {
                let plaintext = try Failure.converting(answered: true) { () throws(PowerAuthError) in
                    try encryptor.decrypt(document.root, now: activation.synchronizedNow)
                }
                if let timestamp = encryptor.responseTimestamp { activation.learnTime(timestamp, sentAt: madeAt) }
                return plaintext
            } catch {
                if error.code == .decryption { activation.forgetTemporaryKey(scope) }
                throw error
            }
        }
    }
}
