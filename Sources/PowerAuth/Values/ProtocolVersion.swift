// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The minor version of the protocol in which requests are written: the one place where versions differ.
///
/// An activation is the same in all of 3.x; each request declares its own (powerauth.md §19). A session signs and
/// encrypts in 3.1, 3.2 and 3.3; 3.0 exists for its message formats only. An activation of 4.0 is another one.
public enum ProtocolVersion: UInt8, Sendable {
    case v30
    case v31
    case v32
    case v33
    case v40

    /// The version that is used unless the caller asks for another.
    public static var `default`: ProtocolVersion { .v33 }

    /// Reads a version text such as `3.3`; nil for anything else.
    package init?(text: some Bytes) {
        let found: ProtocolVersion? = text.withBytes { bytes in
            guard bytes.count == 3, bytes[1] == UInt8(ascii: ".") else { return nil }
            guard bytes[0] == UInt8(ascii: "3") else { return sameBytes(bytes, V4.version) ? .v40 : nil }
            switch bytes[2] {
            case UInt8(ascii: "0"): return .v30
            case UInt8(ascii: "1"): return .v31
            case UInt8(ascii: "2"): return .v32
            case UInt8(ascii: "3"): return .v33
            default: return nil
            }
        }
        guard let found else { return nil }
        self = found
    }

    /// The version as it appears in headers, key derivation and associated data.
    public var text: StaticString {
        switch self {
        case .v30: "3.0"
        case .v31: "3.1"
        case .v32: "3.2"
        case .v33: "3.3"
        case .v40: V4.version
        }
    }

    /// Whether a session may be run in this version.
    package var isSupportedBySession: Bool { self != .v30 }

    // MARK: Signatures (powerauth.md §9.3, powerauth4.md §9)

    /// The name of a signature in its header.
    package var codeWord: StaticString { self == .v40 ? "auth_code" : "signature" }

    /// How the components of an online signature are written.
    package var onlineSignatureFormat: SignatureText {
        self == .v30 ? .decimal(length: 8) : .base64
    }

    // MARK: End-to-end encryption (powerauth.md §5.3, §5.4)

    /// Whether encryption is done for a temporary key of the server instead of its permanent one.
    package var usesTemporaryKeys: Bool { self == .v33 || self == .v40 }
    /// Whether a request has a nonce, from which the IV is derived; without it the IV is zero.
    package var usesNonce: Bool { self != .v30 }
    /// Whether messages carry a timestamp, responses their own nonce, and the MAC covers associated data.
    package var usesTimestamps: Bool { self == .v32 || self == .v33 || self == .v40 }
    /// Whether the derivation of the envelope key begins with the version text.
    package var bindsVersionInEnvelopeKey: Bool { usesTimestamps }

    // MARK: Tokens (powerauth.md §11)

    /// Whether the version text enters a token's digest.
    package var bindsVersionInTokenDigest: Bool { usesTimestamps }
}
