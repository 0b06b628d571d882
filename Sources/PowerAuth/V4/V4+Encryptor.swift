// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension V4 {
    /// The purpose of an encrypted message: `sh1` (powerauth4.md §8).
    package enum Purpose: UInt8, Sendable, CaseIterable {
        /// Activation layer 1, configuration of the application, and the application's own endpoints before activation.
        case applicationGeneric
        /// Status, user info, detail, rename, configuration of the activation, and the application's own endpoints.
        case activationGeneric
        /// `activationData` inside activation layer 1.
        case activationLayer2
        /// Start of an upgrade from 3.x.
        case upgradeStart
        case vaultUnlock
        case createToken
        case changePassword
        case addBiometry

        /// For whom such messages are encrypted.
        package var scope: EncryptionScope {
            switch self {
            case .applicationGeneric, .activationLayer2, .upgradeStart: .application
            default: .activation
            }
        }

        /// The text that separates the keys of different uses.
        package var sharedInfo1: StaticString {
            switch self {
            case .applicationGeneric: "/pa/generic/application"
            case .activationGeneric: "/pa/generic/activation"
            case .activationLayer2: "/pa/activation"
            case .upgradeStart: "/pa/upgrade/start"
            case .vaultUnlock: "/pa/vault/unlock"
            case .createToken: "/pa/token/create"
            case .changePassword: "/pa/password/change"
            case .addBiometry: "/pa/biometry/add"
            }
        }
    }

    /// Encrypts one request and decrypts its one response (powerauth4.md §8).
    ///
    /// It serves once, whether the response could be decrypted or not. A second `encrypt` or `decrypt` is refused.
    package final class Encryptor {
        /// Both nonces: the first half is the request's, the second the response's.
        private static let nonceLength = 2 * AEAD.nonceLength
        /// A response may be so many milliseconds older or newer than the synchronised time.
        private static let window: Int64 = 300_000

        private enum Stage {
            case fresh
            case awaitingResponse(nonce: [UInt8])
            case finished
        }

        private let purpose: Purpose
        private let key: TemporaryKey
        /// `SH2`
        private let sharedInfo2: SecureBytes
        private let random: RandomSource
        private var stage = Stage.fresh

        /// The time in the response, milliseconds since the Unix epoch; nil before it was decrypted.
        package private(set) var responseTimestamp: Int64?

        /// Prepares a message.
        ///
        /// - Parameters:
        ///   - key: a temporary key of the purpose's scope.
        ///   - sharedInfo2Key: `KEY_E2EE_SHARED_INFO2`, in activation scope.
        /// - Throws: `invalidTemporaryKey` when the key is of another scope; `wrongParameter` when the scope's key is missing;
        ///   `encryption`.
        package convenience init(
            _ purpose: Purpose, key: TemporaryKey, configuration: Configuration, sharedInfo2Key: SecureBytes?,
            random: RandomSource
        ) throws(PowerAuthError) {
            guard key.scope == purpose.scope, sameBytes(key.applicationKey, configuration.applicationKey) else {
                throw PowerAuthError(.invalidTemporaryKey, "the temporary key is for other messages")
            }
            let secret = configuration.applicationSecretBytes
            let sharedInfo2: SecureBytes
            switch purpose.scope {
            case .application:
                sharedInfo2 = try attempt(.encryption, "OpenSSL failed", try SHA3.hashSecure(secret))
            case .activation:
                guard let sharedInfo2Key else {
                    throw PowerAuthError(.wrongParameter, "the activation's key of encrypted messages is missing")
                }
                sharedInfo2 = try attempt(
                    .encryption, "OpenSSL failed",
                    try KMAC.authenticateSecure(secret, key: sharedInfo2Key, customization: "PA4SH2"))
            }
            self.init(purpose, key, sharedInfo2, random)
        }

        private init(_ purpose: Purpose, _ key: TemporaryKey, _ sharedInfo2: SecureBytes, _ random: RandomSource) {
            self.purpose = purpose
            self.key = key
            self.sharedInfo2 = sharedInfo2
            self.random = random
        }

        /// The value of `X-PowerAuth-Encryption` for this request.
        package var headerValue: String {
            EncryptionHeader.value(
                version: .v40, applicationKey: key.applicationKey, activationId: key.activationId)
        }

        /// Encrypts the request.
        ///
        /// Draws 24 bytes from the random source.
        ///
        /// - Parameters:
        ///   - plaintext: the payload: a JSON object, `{}` when there are no arguments.
        ///   - now: synchronised time, milliseconds since the Unix epoch.
        /// - Returns: the HTTP body, a JSON object.
        /// - Throws: `wrongState` when used before; `invalidTemporaryKey` when the key has expired; `randomFailed`; `encryption`.
        package func encrypt(_ plaintext: some Bytes, now: Int64) throws(PowerAuthError) -> [UInt8] {
            guard case .fresh = stage else {
                throw PowerAuthError(.wrongState, "an encryptor encrypts one request only")
            }
            guard key.isUsable(now: now) else {
                throw PowerAuthError(.invalidTemporaryKey, "the temporary key has expired")
            }
            let nonce = try attempt(
                .randomFailed, "OpenSSL could not provide random bytes", try random.bytes(Self.nonceLength))
            // The server refuses such a nonce; a generator that gives one is broken.
            guard !sameBytes(nonce[..<AEAD.nonceLength], nonce[AEAD.nonceLength...]) else {
                throw PowerAuthError(.randomFailed, "the random bytes repeat")
            }
            let sealed = try attempt(
                .encryption, "the request could not be encrypted",
                try AEAD.seal(
                    plaintext, key: key.secret, context: context(nonce), nonce: nonce[..<AEAD.nonceLength],
                    associatedData: associatedData(nonce, now)))
            stage = .awaitingResponse(nonce: nonce)

            var body: [UInt8] = []
            body.reserveCapacity(sealed.count * 4 / 3 + 192)
            // Every text here is an identifier or Base64, so nothing needs escaping.
            body.append("{\"temporaryKeyId\":\"" as StaticString)
            body.append(key.id)
            body.append("\",\"encryptedData\":\"" as StaticString)
            Base64.append(sealed, to: &body)
            body.append("\",\"nonce\":\"" as StaticString)
            Base64.append(nonce, to: &body)
            body.append("\",\"timestamp\":" as StaticString)
            body.appendDecimal(now)
            body.append("}" as StaticString)
            return body
        }

        /// Decrypts the response to the request.
        ///
        /// - Parameters:
        ///   - root: the HTTP body: `encryptedData` and `timestamp`; other members are ignored.
        ///   - now: synchronised time, milliseconds since the Unix epoch.
        /// - Returns: the payload.
        /// - Throws: `wrongState` when nothing was encrypted or the response was taken before; `encryption` for a malformed
        ///   response, a nonce that is not the response's, a wrong MAC, or a time that is more than five minutes off. The
        ///   encryptor is then used up.
        package func decrypt(_ root: JSONValue, now: Int64) throws(PowerAuthError) -> SecureBytes {
            guard case .awaitingResponse(let nonce) = stage else {
                throw PowerAuthError(.wrongState, "the request must be encrypted before its response can be decrypted")
            }
            stage = .finished
            guard let sealed = root.base64("encryptedData"), sealed.count >= AEAD.overhead,
                let timestamp = root["timestamp"]?.int64, timestamp >= 0
            else { throw PowerAuthError(.encryption, "the encrypted response is malformed") }
            guard sameBytes(sealed[..<AEAD.nonceLength], nonce[AEAD.nonceLength...]) else {
                throw PowerAuthError(.encryption, "the encrypted response answers another request")
            }
            let plaintext = try attempt(
                .encryption, "the response could not be decrypted",
                try AEAD.open(
                    sealed, key: key.secret, context: context(nonce), associatedData: associatedData(nonce, timestamp)))
            let distance = timestamp.subtractingReportingOverflow(now)
            guard !distance.overflow, distance.partialValue.magnitude <= Self.window.magnitude else {
                throw PowerAuthError(.encryption, "the encrypted response is of another time")
            }
            responseTimestamp = timestamp
            return plaintext
        }

        /// Gives the exchange up.
        package func cancel() { stage = .finished }

        private func context(_ nonce: [UInt8]) -> [UInt8] {
            var context: [UInt8] = []
            context.reserveCapacity(64)
            context.append(V4.version)
            context.append(purpose.sharedInfo1)
            context.append(contentsOf: nonce)
            return context
        }

        private func associatedData(_ nonce: [UInt8], _ timestamp: Int64) -> [UInt8] {
            var data = EnvelopeContext.associatedData(
                version: .v40, applicationKey: key.applicationKey, activationId: key.activationId,
                temporaryKeyId: key.id)
            data.appendBigEndian(UInt32(8))
            data.appendBigEndian(UInt64(bitPattern: timestamp))
            data.appendLengthPrefixed(nonce)
            data.appendLengthPrefixed(sharedInfo2)
            return data
        }
    }
}
