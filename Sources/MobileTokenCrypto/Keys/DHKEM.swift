// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// DHKEM(P-384, HKDF-SHA384) in HPKE's base mode, for what can be exported from it alone (RFC 9180: KEM 0x0011, KDF 0x0002,
/// AEAD 0xFFFF).
package enum DHKEM {
    /// The length of an encapsulated key: an uncompressed point.
    package static var encapsulatedKeyLength: Int { Curve.p384.uncompressedLength }

    /// The receiver's side: `SetupBaseR` and one `Export`, 48 bytes.
    ///
    /// - Throws: `invalidKey` when the encapsulated key is not an uncompressed point of the curve.
    @_optimize(size)
    package static func export(
        _ encapsulatedKey: some Bytes, privateKey: PrivateKey, info: StaticString, context: StaticString
    ) throws(CryptoError) -> SecureBytes {
        guard encapsulatedKey.byteCount == encapsulatedKeyLength else { throw CryptoError(reason: .invalidKey) }
        let peer = try PublicKey(point: encapsulatedKey, on: .p384)
        return try export(
            try privateKey.sharedSecret(with: peer), encapsulatedKey: peer, receiver: privateKey.publicKey, info,
            context)
    }

    /// The sender's side: `SetupBaseS` with a fresh ephemeral key, and one `Export`, 48 bytes.
    @_optimize(size)
    package static func encapsulate(
        to receiver: PublicKey, ephemeral: PrivateKey, info: StaticString, context: StaticString
    ) throws(CryptoError) -> SecureBytes {
        try export(
            try ephemeral.sharedSecret(with: receiver), encapsulatedKey: ephemeral.publicKey, receiver: receiver, info,
            context)
    }

    private static let kem: [UInt8] = [0x4B, 0x45, 0x4D, 0x00, 0x11]
    private static let hpke: [UInt8] = [0x48, 0x50, 0x4B, 0x45, 0x00, 0x11, 0x00, 0x02, 0xFF, 0xFF]

    @_optimize(size)
    private static func export(
        _ agreed: SecureBytes, encapsulatedKey: PublicKey, receiver: PublicKey, _ info: StaticString,
        _ context: StaticString
    ) throws(CryptoError) -> SecureBytes {
        let nothing = SecureBytes(count: 0)
        // ExtractAndExpand
        let prk = try extract(salt: nothing, kem, "eae_prk", agreed)
        let shared = try expand(
            prk, kem, "shared_secret", encapsulatedKey.uncompressed + receiver.uncompressed)
        // KeySchedule of the base mode, which is 0; there is no pre-shared key.
        var schedule: [UInt8] = [0]
        try extract(salt: nothing, hpke, "psk_id_hash", nothing).withBytes { schedule.append(contentsOf: $0) }
        try extract(salt: nothing, hpke, "info_hash", SecureBytes(copying: info)).withBytes {
            schedule.append(contentsOf: $0)
        }
        let secret = try extract(salt: shared, hpke, "secret", nothing)
        let exporter = try expand(secret, hpke, "exp", schedule)
        return try expand(exporter, hpke, "sec", context.withBytes { [UInt8]($0) })
    }

    /// `LabeledExtract`
    @_optimize(size)
    private static func extract(
        salt: SecureBytes, _ suite: [UInt8], _ label: StaticString, _ material: SecureBytes
    ) throws(CryptoError) -> SecureBytes {
        let head = labelled(suite, label)
        let input = SecureBytes(count: head.count + material.count)
        input.withMutableBytes { room in
            room.copyBytes(from: head)
            material.withBytes { UnsafeMutableRawBufferPointer(rebasing: room[head.count...]).copyMemory(from: $0) }
        }
        return try SHA384.extract(salt: salt, input)
    }

    /// `LabeledExpand` to 48 bytes
    @_optimize(size)
    private static func expand(
        _ key: SecureBytes, _ suite: [UInt8], _ label: StaticString, _ info: [UInt8]
    ) throws(CryptoError) -> SecureBytes {
        let count = SHA384.digestLength
        return try SHA384.expand(
            key, info: [0, UInt8(truncatingIfNeeded: count)] + labelled(suite, label) + info, count: count)
    }

    private static func labelled(_ suite: [UInt8], _ label: StaticString) -> [UInt8] {
        var text = StaticString("HPKE-v1").withBytes { [UInt8]($0) }
        text.append(contentsOf: suite)
        label.withBytes { text.append(contentsOf: $0) }
        return text
    }
}
