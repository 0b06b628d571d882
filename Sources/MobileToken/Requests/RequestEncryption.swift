// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
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
            .encrypted(try activation.encrypted(body, id, signature, keys))
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
                throw .notInV4("mtoken_request_authenticate is a form of protocol 3's requests.")
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

extension Activation {
    /// Encrypts a request of the host's, with the temporary key and the server's time known. Under the lock.
    @inline(never)
    fileprivate func encrypted(
        _ plain: SecureBytes, _ id: EncryptorID, _ signature: RequestSignature?, _ keys: SigningKeys?
    ) throws(Failure) -> EncryptedRequest {
        if let keys { try requireFinished(signingWith: keys.factors) }
        let now = synchronizedNow
        let key = session.version.usesTemporaryKeys ? usableTemporaryKey(id.scope) : nil
        let (encryptor, body) = try Failure.converting { () throws(PowerAuthError) in
            let encryptor = try session.envelope(id, under: key)
            return (encryptor, try encryptor.encrypt(plain, now: now))
        }
        var (name, value): (StaticString, String) = ("X-PowerAuth-Encryption", encryptor.headerValue)
        if let signature, let keys {
            name = "X-PowerAuth-Authorization"
            value = try durablySigningForHost(keys.factors) { (session) throws(PowerAuthError) in
                switch signature.order {
                case .encryptThenSign: try session.sign(method: .post, uriId: signature.uriId, body: body, keys: keys)
                case .signThenEncrypt: try session.sign(method: .post, uriId: signature.uriId, body: plain, keys: keys)
                }
            }
        }
        let (epoch, madeAt) = (epoch, runtime.now)
        return EncryptedRequest(body, name, value) { [self] (document) throws(Failure) in
            try lock.withLock { () throws(Failure) in
                guard !isClosed, epoch == self.epoch else { throw .cancelled(outcome: .answered) }
                do throws(Failure) {
                    let plaintext = try Failure.converting(answered: true) { () throws(PowerAuthError) in
                        try encryptor.decrypt(document.root, now: synchronizedNow)
                    }
                    if let timestamp = encryptor.responseTimestamp { learnTime(timestamp, sentAt: madeAt) }
                    return plaintext
                } catch {
                    if error.code == .decryption { forgetTemporaryKey(id.scope) }
                    throw error
                }
            }
        }
    }
}
