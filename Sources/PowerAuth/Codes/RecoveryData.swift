// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// A recovery code with its PUK, as received with an activation.
public struct RecoveryData: Sendable {
    /// The recovery code, 23 ASCII characters.
    public let code: SecureBytes
    /// The PUK, ten digits.
    public let puk: SecureBytes

    /// Takes the pair from an activation answer or from the stored blob; nil unless both parts are valid.
    init?(code: some Bytes, puk: some Bytes) {
        guard code.byteCount == 23, ActivationCode.isValid(code), RecoveryCode.isValidPUK(puk) else { return nil }
        self.code = SecureBytes(copying: code)
        self.puk = SecureBytes(copying: puk)
    }

    /// The pair as the vault key encrypts it: `R1`, count and code, count and PUK (powerauth.md §13).
    func stored() -> SecureBytes {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(48)
        bytes.append("R1" as StaticString)
        _ = bytes.appendVariableCount(code.count)
        bytes.append(code)
        _ = bytes.appendVariableCount(puk.count)
        bytes.append(puk)
        defer { wipe(&bytes) }
        return SecureBytes(copying: bytes)
    }

    /// Reads the stored form; nil when it is malformed.
    init?(stored: SecureBytes) {
        let pair: RecoveryData? = stored.withBytes { bytes in
            var reader = ByteReader(bytes)
            guard reader.byte() == UInt8(ascii: "R"), reader.byte() == UInt8(ascii: "1"),
                let code = reader.variableData(), let puk = reader.variableData(), reader.remaining == 0
            else { return nil }
            return RecoveryData(code: code, puk: puk)
        }
        guard let pair else { return nil }
        self = pair
    }
}
