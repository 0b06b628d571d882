// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The eight digits that a user compares with those on the server's side (powerauth.md §8).
enum ActivationFingerprint {
    /// Computes the fingerprint from the two compressed public keys (33 bytes each) and the activation identifier.
    static func compute(
        deviceKey: some Bytes, activationId: some Bytes, serverKey: some Bytes
    ) throws(CryptoError) -> String {
        var data: [UInt8] = []
        data.reserveCapacity(64 + activationId.byteCount)
        appendCoordinate(of: deviceKey, to: &data)
        data.append(activationId)
        appendCoordinate(of: serverKey, to: &data)
        return digits(try SHA256.hash(data))
    }

    /// The eight digits of a hash.
    static func digits(_ hash: [UInt8]) -> String {
        var digits: [UInt8] = []
        DecimalCode.append(hash, length: 8, to: &digits)
        return String(utf8: digits)
    }

    /// Appends the X coordinate of a compressed point without its leading zero bytes.
    static func appendCoordinate(of point: some Bytes, to data: inout [UInt8]) {
        point.withBytes { bytes in data.append(contentsOf: bytes.dropFirst().drop { $0 == 0 }) }
    }
}
