// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// The curves of the protocols.
package enum Curve: Sendable {
    /// NIST P-256, with SHA-256: protocol 3.
    case p256
    /// NIST P-384, with SHA-384: protocol 4.
    case p384

    /// The length of a coordinate, of a private number and of a shared secret in bytes.
    package var scalarLength: Int { self == .p256 ? 32 : 48 }
    /// The length of an uncompressed point.
    package var uncompressedLength: Int { 2 * scalarLength + 1 }
    /// The length of a compressed point.
    package var compressedLength: Int { scalarLength + 1 }
    /// The length of a signature in JOSE form: r and s.
    package var joseLength: Int { 2 * scalarLength }
    /// The longest signature in DER form: two integers, each with a sign byte and two of its own, in a sequence.
    package var maximumDERLength: Int { 2 * (scalarLength + 3) + 2 }
    /// The length of the digest that is signed: that of a coordinate.
    var digestLength: Int { scalarLength }

    /// The name of the curve in OpenSSL's parameters.
    var name: StaticString { self == .p256 ? "prime256v1" : "secp384r1" }
    var identifier: Int32 { self == .p256 ? NID_X9_62_prime256v1 : NID_secp384r1 }
}
