import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// Requests that the host sends itself: encryption, and a turn among the signed requests.
extension Requests {
    /// Encrypts a body, and signs it if asked to, as soon as the temporary key and the server's time are there.
    package func encrypt(
        _ body: SecureBytes, scope: EncryptionScope, signature: RequestSignature?, task: CallTask
    ) throws(Failure) {
        guard signature == nil || scope == .activation else {
            throw .argument("A signed request must be encrypted in the activation's scope.")
        }
        var keys: SigningKeys?
        if let signature { keys = try activation.signingKeys(signature.authentication) }
        let id: EncryptorID = scope == .application ? .applicationGeneric : .activationGeneric
        let work: Call.Work = { [keys] (activation) throws(Failure) in
            .encrypted(try EncryptedRequest(body, id: id, signature: signature, keys: keys, activation: activation))
        }
        let call = Call.locally(
            "encryption", signature == nil ? .local(work) : .signed(by: .host(work)), encryption: .layer(id),
            requires: scope == .activation ? .activated : nil)
        try activation.start(call, task: task)
    }

    /// Authenticates data with the key of the key store's requests: HMAC-SHA-256, 32 bytes.
    package func authenticate(_ data: some Bytes, scope: EncryptionScope) throws(Failure) -> [UInt8] {
        try activation.lock.withLock { () throws(Failure) in
            try activation.require(scope == .activation ? .activated : nil)
            guard activation.session.version != .v40 else {
                throw .notIn4("mtoken_request_authenticate is a form of protocol 3's requests.")
            }
            return try Failure.converting { () throws(PowerAuthError) in
                try activation.session.authenticate(data, scope: scope)
            }
        }
    }

    /// Waits until no signed call of this client is under way, and keeps others from starting until the task gives its turn
    /// back.
    package func takeTurn(task: CallTask) throws(Failure) {
        try activation.start(Call.locally("turn", .turn), task: task)
    }
}
