// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The digits of offline codes.
package enum OfflineCode {
    private static let componentLengths = 4...8

    /// The digits for each factor; nil: the usual ones.
    static func componentLength(_ wanted: Int?) throws(Failure) -> Int {
        let length = wanted ?? 8
        guard componentLengths.contains(length) else { throw .argument("component_length is not 4 to 8.") }
        return length
    }

    /// The digits in groups of at most four, for reading: `12345678-12345678` becomes `1234 5678 1234 5678`.
    ///
    /// - Returns: nil unless the code has two components of the same length, 4 to 8 digits
    package static func grouped(_ code: UnsafeRawBufferPointer) -> String? {
        let size = code.count / 2
        guard componentLengths.contains(size), code.count == 2 * size + 1, code[size] == UInt8(ascii: "-") else {
            return nil
        }
        // A component of more than four digits is split in the middle, the longer half first.
        let first = size > 4 ? (size + 1) / 2 : size
        var text: [UInt8] = []
        for (index, byte) in code.enumerated() where index != size {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let position = index > size ? index - size - 1 : index
            if !text.isEmpty, position == 0 || position == first { text.append(UInt8(ascii: " ")) }
            text.append(byte)
        }
        return String(utf8: text)
    }
}
