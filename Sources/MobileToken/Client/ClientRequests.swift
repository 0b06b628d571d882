import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenSystem
import PowerAuth

/// Requests that the host sends itself: encryption, and a turn among the signed requests.
extension Client {
    /// How a request of the host's own is signed besides being encrypted.
    package struct RequestSignature: Sendable {
        /// Whether the signature covers the encrypted body, as at the standard endpoints, or the plaintext.
        package enum Order: Sendable {
            case encryptThenSign
            case signThenEncrypt
        }

        package let uriId: String
        package let order: Order
        package let authentication: Authentication

        package init(uriId: String, order: Order, authentication: Authentication) {
            self.uriId = uriId
            self.order = order
            self.authentication = authentication
        }
    }

    /// Encrypts a body, and signs it if asked to, as soon as the temporary key and the server's time are there.
    package func encrypt(
        _ body: SecureBytes, scope: EncryptionScope, signature: RequestSignature?, task: CallTask
    ) throws(Failure) {
        guard signature == nil || scope == .activation else {
            throw .argument("A signed request is encrypted in the scope of the activation.")
        }
        var keys: SigningKeys?
        if let signature { keys = try signingKeys(signature.authentication) }
        let id: EncryptorID = scope == .application ? .applicationGeneric : .activationGeneric
        var call = Call.locally(
            "encryption", encryption: .layer(id), requires: scope == .activation ? .activated : nil
        ) { [keys] (client) throws(Failure) in
            .encrypted(try EncryptedRequest(body, id: id, signature: signature, keys: keys, client: client))
        }
        call.signsForHost = signature != nil
        try start(call, task: task)
    }

    /// Authenticates data with the key of the key store's requests: HMAC-SHA-256, 32 bytes.
    package func authenticate(_ data: some Bytes, scope: EncryptionScope) throws(Failure) -> [UInt8] {
        try lock.withLock { () throws(Failure) in
            try require(scope == .activation ? .activated : nil)
            return try Failure.converting { () throws(PowerAuthError) in
                try session.authenticate(data, scope: scope)
            }
        }
    }

    /// Waits until no signed call of this client is under way, and keeps others from starting until the task gives its turn
    /// back.
    package func takeTurn(task: CallTask) throws(Failure) {
        try start(Call.turn(), task: task)
    }
}

extension Call {
    /// A call that sends nothing: it waits for what it needs and then does its work.
    static func locally(
        _ name: StaticString, authentication: Authentication = .none, encryption: Encryption = .none,
        requires: Session.Phase? = .activated, _ work: @escaping (Client) throws(Failure) -> CallResult
    ) -> Call {
        Call(
            name: name, root: .powerAuth, path: "", authentication: authentication, encryption: encryption,
            requires: requires, local: work, body: emptyRequest, read: nothing)
    }

    /// A call that sends nothing but has its turn among the signed calls until it is given back.
    static func turn() -> Call {
        Call(name: "turn", root: .powerAuth, path: "", keepsTurn: true, body: emptyRequest, read: nothing)
    }
}

/// A request of the host's own in encrypted form, and what is needed to decrypt its one answer. May be used from any thread.
package final class EncryptedRequest: @unchecked Sendable {
    /// The body to send.
    package let body: [UInt8]
    /// The one header that goes with it.
    package let headerName: StaticString
    package let headerValue: String
    private let client: Client
    private let encryptor: Encryptor
    private let scope: EncryptionScope
    private let epoch: Int
    private let madeAt: Int64

    /// Under the client's lock, with the temporary key and the server's time known.
    convenience init(
        _ plain: SecureBytes, id: EncryptorID, signature: Client.RequestSignature?, keys: SigningKeys?, client: Client
    ) throws(Failure) {
        let session = client.session
        let now = client.synchronizedNow
        let key = session.version.usesTemporaryKeys ? client.usableTemporaryKey(id.scope) : nil
        let (encryptor, body) = try Failure.converting { () throws(PowerAuthError) in
            let encryptor = try session.encryptor(id, key: key)
            return (encryptor, try encryptor.encrypt(plain, now: now))
        }
        guard let signature, let keys else {
            self.init(client, encryptor, id.scope, body, "X-PowerAuth-Encryption", encryptor.headerValue)
            return
        }
        let header = try client.durably { (session) throws(PowerAuthError) in
            switch signature.order {
            case .encryptThenSign: try session.sign(method: .post, uriId: signature.uriId, body: body, keys: keys)
            case .signThenEncrypt: try session.sign(method: .post, uriId: signature.uriId, body: plain, keys: keys)
            }
        }
        self.init(client, encryptor, id.scope, body, "X-PowerAuth-Authorization", header)
    }

    private init(
        _ client: Client, _ encryptor: Encryptor, _ scope: EncryptionScope, _ body: [UInt8], _ name: StaticString,
        _ value: String
    ) {
        self.client = client
        self.encryptor = encryptor
        self.scope = scope
        self.body = body
        headerName = name
        headerValue = value
        epoch = client.epoch
        madeAt = client.runtime.now
    }

    /// Decrypts the answer to the request, once.
    ///
    /// - Parameter answer: the HTTP body
    package func decrypt(_ answer: UnsafeRawBufferPointer) throws(Failure) -> SecureBytes {
        guard let document = try? JSONDocument(parsing: answer) else {
            throw Failure(
                .parse, Reason.networkInvalidResponse, "The answer is not JSON: it cannot be decrypted.",
                outcome: .answered)
        }
        return try client.lock.withLock { () throws(Failure) in
            guard !client.isClosed, epoch == client.epoch else { throw .cancelled(outcome: .answered) }
            do throws(Failure) {
                let plaintext = try Failure.converting(answered: true) { () throws(PowerAuthError) in
                    try encryptor.decrypt(document.root)
                }
                if let timestamp = encryptor.responseTimestamp { client.learnTime(timestamp, sentAt: madeAt) }
                return plaintext
            } catch {
                if error.code == .decryption { client.forgetTemporaryKey(scope) }
                throw error
            }
        }
    }
}
