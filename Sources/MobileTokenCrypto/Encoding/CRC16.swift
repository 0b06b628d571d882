// SPDX-License-Identifier: Apache-2.0
/// CRC-16/ARC: polynomial 0x8005 reflected, initial value 0, no final exclusive or (powerauth.md §1.13).
package enum CRC16 {
    /// The checksum; 0xBB3D for `123456789`.
    package static func checksum(_ bytes: some Bytes) -> UInt16 {
        bytes.withBytes { (bytes: UnsafeRawBufferPointer) -> UInt16 in
            var remainder: UInt16 = 0
            for byte in bytes {
                remainder ^= UInt16(byte)
                for _ in 0..<8 { remainder = remainder & 1 == 0 ? remainder >> 1 : remainder >> 1 ^ 0xA001 }
            }
            return remainder
        }
    }
}
