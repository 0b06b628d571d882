// SPDX-License-Identifier: Apache-2.0
/// Whom to trust as the server. Requests with different policies never share a connection.
///
/// TLS 1.2 or newer, the chain up to a trusted authority, the validity dates and the host name are always checked, pins
/// or not, unless `unsafeNoVerification` says otherwise.
public struct TLSPolicy: Equatable, Sendable {
    /// Where the trusted authorities come from.
    public enum Trust: Equatable, Sendable {
        /// The system's authorities.
        case system
        /// Only those in a PEM file, by absolute path. A change counts at the next request.
        case caFile(String)
        /// Only these, as PEM text.
        case caPEM([UInt8])
    }

    /// The authorities that are trusted.
    public var trust: Trust
    /// Of the server's own certificate, the public key must be one of these; empty pins nothing. Expired pins do not
    /// count; when all have expired, requests are refused (`pinMismatch`).
    public var pins: [PublicKeyPin]
    /// Accepts any certificate for any host. For development only: anyone on the network path can read and change
    /// everything. Pins are still checked.
    public var unsafeNoVerification: Bool
    /// Lets URLs with `http` pass: for tests and loopback. Never together with pins.
    public var allowPlainHTTP: Bool

    /// Trust, pins and what else the connection must have.
    public init(
        trust: Trust = .system, pins: [PublicKeyPin] = [], unsafeNoVerification: Bool = false,
        allowPlainHTTP: Bool = false
    ) {
        self.trust = trust
        self.pins = pins
        self.unsafeNoVerification = unsafeNoVerification
        self.allowPlainHTTP = allowPlainHTTP
    }
}

/// The SHA-256 of a SubjectPublicKeyInfo (RFC 7469 §2.4).
public struct PublicKeyPin: Equatable, Sendable {
    /// 44 characters of Base64 with padding.
    public let base64: String
    /// Milliseconds since the Unix epoch from which the pin does not count any more; nil never expires.
    public let expires: Int64?

    /// Nil unless `base64` is canonical Base64 of 32 bytes, so that a mistyped pin is found where it was written.
    public init?(base64: String, expires: Int64? = nil) {
        let bytes = [UInt8](base64.utf8)
        guard bytes.count == 44, bytes[43] == UInt8(ascii: "=") else { return nil }
        for byte in bytes[..<43] where Self.value(byte) == nil { return nil }
        // 32 bytes leave two bits unused in the last character; they are zero in the canonical form.
        guard let last = Self.value(bytes[42]), last & 3 == 0 else { return nil }
        self.base64 = base64
        self.expires = expires
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
