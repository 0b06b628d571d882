// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

// Functions that 3.x and 4.0 implement differently, under one name, so that the code that runs calls does not depend on
// the version.

/// A key that the server made for a short time, under which requests are encrypted. Kept in memory only.
package enum EncryptionKey: Sendable {
    case v3(TemporaryKey)
    case v4(V4.TemporaryKey)

    /// Whom messages under this key are for.
    package var scope: EncryptionScope {
        switch self {
        case .v3(let key): key.scope
        case .v4(let key): key.scope
        }
    }

    /// When it was issued, server time in milliseconds since the Unix epoch.
    package var issued: Int64 {
        switch self {
        case .v3(let key): key.issued
        case .v4(let key): key.issued
        }
    }

    /// Whether a request may still be encrypted with it.
    ///
    /// - Parameter now: synchronised time, milliseconds since the Unix epoch.
    package func isUsable(now: Int64) -> Bool {
        switch self {
        case .v3(let key): key.isUsable(now: now)
        case .v4(let key): key.isUsable(now: now)
        }
    }
}

/// A request for such a key, and what is needed to read its answer.
package enum EncryptionKeyRequest: Sendable {
    case v3(TemporaryKeyRequest)
    case v4(V4.TemporaryKeyRequest)

    /// The HTTP body.
    package var body: [UInt8] {
        switch self {
        case .v3(let request): request.body
        case .v4(let request): request.body
        }
    }
}

/// Encrypts one request and decrypts its one response.
package enum Envelope {
    case v3(Encryptor)
    case v4(V4.Encryptor)

    /// The value of `X-PowerAuth-Encryption`.
    package var headerValue: String {
        switch self {
        case .v3(let encryptor): encryptor.headerValue
        case .v4(let encryptor): encryptor.headerValue
        }
    }

    /// The time in the response, milliseconds since the Unix epoch; nil before it, and in 3.1.
    package var responseTimestamp: Int64? {
        switch self {
        case .v3(let encryptor): encryptor.responseTimestamp
        case .v4(let encryptor): encryptor.responseTimestamp
        }
    }

    /// Encrypts the request.
    ///
    /// - Parameter now: synchronised time, milliseconds since the Unix epoch.
    /// - Returns: the HTTP body.
    package func encrypt(_ plaintext: some Bytes, now: Int64) throws(PowerAuthError) -> [UInt8] {
        switch self {
        case .v3(let encryptor): try encryptor.encrypt(plaintext, now: now)
        case .v4(let encryptor): try encryptor.encrypt(plaintext, now: now)
        }
    }

    /// Decrypts the response.
    ///
    /// - Parameter now: synchronised time; 4.0 refuses a response whose time is far from it.
    package func decrypt(_ root: JSONValue, now: Int64) throws(PowerAuthError) -> SecureBytes {
        switch self {
        case .v3(let encryptor): try encryptor.decrypt(root)
        case .v4(let encryptor): try encryptor.decrypt(root, now: now)
        }
    }

    /// Gives the exchange up and drops its key.
    package func cancel() {
        switch self {
        case .v3(let encryptor): encryptor.cancel()
        case .v4(let encryptor): encryptor.cancel()
        }
    }
}

extension Session {
    /// Makes an envelope for one request and its response.
    ///
    /// - Parameters:
    ///   - id: what the message is for.
    ///   - key: a temporary key of the scope; nil in 3.1 and 3.2.
    /// - Throws: `invalidTemporaryKey` for a key of another protocol, and what ``encryptor(_:key:)`` throws.
    package func envelope(_ id: EncryptorID, under key: EncryptionKey?) throws(PowerAuthError) -> Envelope {
        guard let suite else {
            switch key {
            case nil: return .v3(try encryptor(id, key: nil))
            case .v3(let key): return .v3(try encryptor(id, key: key))
            case .v4: throw PowerAuthError(.invalidTemporaryKey, "there is no temporary key for this message")
            }
        }
        guard case .v4(let key) = key, key.suite == suite else {
            throw PowerAuthError(.invalidTemporaryKey, "there is no temporary key for this message")
        }
        return .v4(try encryptorV4(id, key: key))
    }

    /// Writes the request of the started activation, encrypted in two layers.
    package func activationBody(under key: EncryptionKey?, now: Int64) throws(PowerAuthError) -> PendingActivation {
        switch key {
        case nil: return try activationBody(key: nil, now: now)
        case .v3(let key): return try activationBody(key: key, now: now)
        case .v4(let key): return try activationBodyV4(key: key, now: now)
        }
    }

    /// Writes a request for a temporary key.
    package func encryptionKeyRequest(scope: EncryptionScope) throws(PowerAuthError) -> EncryptionKeyRequest {
        guard let suite else { return .v3(try temporaryKeyRequest(scope: scope)) }
        return .v4(try temporaryKeyRequestV4(scope: scope, suite))
    }

    /// Takes the temporary key out of the answer, after all checks.
    package func accept(
        _ responseObject: JSONValue, request: EncryptionKeyRequest
    ) throws(PowerAuthError) -> EncryptionKey {
        switch request {
        case .v3(let request): return .v3(try acceptTemporaryKey(responseObject, request: request))
        case .v4(let request): return .v4(try acceptTemporaryKeyV4(responseObject, request: request))
        }
    }
}
