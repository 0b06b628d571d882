// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// Encrypts one request and decrypts its one response (powerauth.md §5).
///
/// It serves once: the key is dropped after the response, whether that could be decrypted or not. A second
/// `encrypt` or `decrypt` is refused.
package final class Encryptor {
    /// Whom a message is for and how it is bound to them.
    struct Recipient {
        let version: ProtocolVersion
        let id: EncryptorID
        let publicKey: PublicKey
        /// `SH2_BASE`, 32 bytes.
        let sharedInfo2Base: SecureBytes
        let applicationKey: [UInt8]
        /// In activation scope.
        let activationId: [UInt8]?
        /// In 3.3.
        let temporaryKey: TemporaryKey?
    }

    enum Stage {
        case fresh
        case awaitingResponse(EnvelopeKey, nonce: [UInt8]?)
        case finished
    }

    private let recipient: Recipient
    private let random: RandomSource
    /// How far the exchange is; set from outside to read an answer that was recorded.
    var stage = Stage.fresh

    /// The time in the response, milliseconds since the Unix epoch; nil before it was decrypted and in 3.1.
    package private(set) var responseTimestamp: Int64?

    init(_ recipient: Recipient, random: RandomSource) {
        self.recipient = recipient
        self.random = random
    }

    /// The value of `X-PowerAuth-Encryption` for this request; not sent beside a signature header (powerauth.md §5.7).
    package var headerValue: String {
        EncryptionHeader.value(
            version: recipient.version, applicationKey: recipient.applicationKey, activationId: recipient.activationId)
    }

    /// Encrypts the request.
    ///
    /// Draws from the random source: an ephemeral key pair, then (3.1 and later) a nonce of 16 bytes.
    ///
    /// - Parameters:
    ///   - plaintext: the payload; may be empty.
    ///   - now: synchronised time, milliseconds since the Unix epoch.
    /// - Returns: the HTTP body: a JSON object (powerauth.md §5.6).
    /// - Throws: `wrongState` when used before; `invalidTemporaryKey` when the key has expired; `randomFailed`;
    ///   `encryption`.
    package func encrypt(_ plaintext: some Bytes, now: Int64) throws(PowerAuthError) -> [UInt8] {
        guard case .fresh = stage else {
            throw PowerAuthError(.wrongState, "an encryptor encrypts one request only")
        }
        if let key = recipient.temporaryKey, !key.isUsable(now: now) {
            throw PowerAuthError(.invalidTemporaryKey, "the temporary key has expired")
        }
        let version = recipient.version
        let ephemeralKey = try attempt(
            .randomFailed, "OpenSSL could not generate an ephemeral key", try random.generateKeyPair())
        let nonce: [UInt8]? =
            version.usesNonce
            ? try attempt(.randomFailed, "OpenSSL could not provide random bytes", try random.bytes(16))
            : nil
        let point = ephemeralKey.publicKey.compressed
        let (envelopeKey, sealed) = try attempt(.encryption, "the request could not be encrypted") {
            () throws(CryptoError) in
            let key = try EnvelopeKey(
                privateKey: ephemeralKey, publicKey: recipient.publicKey, sharedInfo1: recipient.id.sharedInfo1,
                ephemeralPoint: point, version: version)
            let sharedInfo2 = sharedInfo2(nonce: nonce, timestamp: now, ephemeralPoint: point)
            return (key, try key.seal(plaintext, nonce: nonce, sharedInfo2: sharedInfo2))
        }
        let body = self.body(point: point, sealed: sealed, nonce: nonce, timestamp: now)
        stage = .awaitingResponse(envelopeKey, nonce: nonce)
        return body
    }

    /// Decrypts the response to the request.
    ///
    /// - Parameter root: the HTTP body: `encryptedData`, `mac`, and in 3.2 and later `nonce` and `timestamp`, which must be
    ///   absent before. Other members are ignored; null is the same as absent.
    /// - Returns: the payload.
    /// - Throws: `wrongState` when nothing was encrypted or the response was taken before; `encryption` for a malformed
    ///   response, a nonce that repeats the request's, or a wrong MAC. The encryptor is then used up.
    package func decrypt(_ root: JSONValue) throws(PowerAuthError) -> SecureBytes {
        guard case .awaitingResponse(let key, let requestNonce) = stage else {
            throw PowerAuthError(.wrongState, "the request must be encrypted before its response can be decrypted")
        }
        stage = .finished
        guard let data = root.base64("encryptedData"), let mac = root.base64("mac", count: 32) else {
            throw PowerAuthError(.encryption, "the encrypted response is malformed")
        }
        let (nonce, timestamp) = try responseParameters(root, requestNonce: requestNonce)
        let plaintext = try attempt(
            .encryption, "the response could not be decrypted",
            try key.open(
                data, mac: mac, nonce: nonce,
                sharedInfo2: sharedInfo2(nonce: nonce, timestamp: timestamp ?? 0, ephemeralPoint: [])))
        responseTimestamp = timestamp
        return plaintext
    }

    /// Gives the exchange up and drops its key.
    package func cancel() { stage = .finished }

    /// The nonce and time of a response. Which members must be there is part of the check (powerauth.md §5.6).
    private func responseParameters(
        _ root: JSONValue, requestNonce: [UInt8]?
    ) throws(PowerAuthError) -> (nonce: [UInt8]?, timestamp: Int64?) {
        guard recipient.version.usesTimestamps else {
            guard root.present("nonce") == nil, root.present("timestamp") == nil else {
                throw PowerAuthError(.encryption, "the encrypted response has members of another protocol version")
            }
            return (requestNonce, nil)
        }
        guard let nonce = root.base64("nonce", count: 16), let timestamp = root["timestamp"]?.int64, timestamp >= 0
        else {
            throw PowerAuthError(.encryption, "the encrypted response has no valid nonce or timestamp")
        }
        guard let requestNonce, nonce != requestNonce else {
            throw PowerAuthError(.encryption, "the encrypted response repeats the request's nonce")
        }
        return (nonce, timestamp)
    }

    private func sharedInfo2(nonce: [UInt8]?, timestamp: Int64, ephemeralPoint: [UInt8]) -> [UInt8] {
        guard recipient.version.usesTimestamps else { return recipient.sharedInfo2Base.withBytes { [UInt8]($0) } }
        return EnvelopeContext.sharedInfo2(
            base: recipient.sharedInfo2Base, nonce: nonce ?? [], timestamp: timestamp, ephemeralPoint: ephemeralPoint,
            associatedData: EnvelopeContext.associatedData(
                version: recipient.version, applicationKey: recipient.applicationKey,
                activationId: recipient.activationId, temporaryKeyId: recipient.temporaryKey?.id))
    }

    private func body(
        point: [UInt8], sealed: (data: [UInt8], mac: [UInt8]), nonce: [UInt8]?, timestamp: Int64
    ) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(sealed.data.count * 4 / 3 + 384)
        // Every text here is an identifier or Base64, so nothing needs escaping.
        body.append("{" as StaticString)
        if let temporaryKey = recipient.temporaryKey {
            body.append("\"temporaryKeyId\":\"" as StaticString)
            body.append(temporaryKey.id)
            body.append("\"," as StaticString)
        }
        body.append("\"ephemeralPublicKey\":\"" as StaticString)
        Base64.append(point, to: &body)
        body.append("\",\"encryptedData\":\"" as StaticString)
        Base64.append(sealed.data, to: &body)
        body.append("\",\"mac\":\"" as StaticString)
        Base64.append(sealed.mac, to: &body)
        body.append("\"" as StaticString)
        if let nonce {
            body.append(",\"nonce\":\"" as StaticString)
            Base64.append(nonce, to: &body)
            body.append("\"" as StaticString)
        }
        if recipient.version.usesTimestamps {
            body.append(",\"timestamp\":" as StaticString)
            body.appendDecimal(timestamp)
        }
        body.append("}" as StaticString)
        return body
    }
}
