// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Activation codes and their QR and deep-link form (powerauth.md §4.1, §4.2).
package enum ActivationCode {
    /// Whether the text is an activation code: four groups of five characters `A–Z2–7` joined with `-`, with a correct
    /// checksum. Lower case is not valid.
    package static func isValid(_ text: some Bytes) -> Bool {
        guard text.byteCount == 23 else { return false }
        var symbols: [UInt8] = []
        symbols.reserveCapacity(20)
        let grouped = text.withBytes { bytes in
            for (position, byte) in bytes.enumerated() {
                if position % 6 == 5 {
                    guard byte == UInt8(ascii: "-") else { return false }
                } else {
                    guard isValidTypedCharacter(UInt32(byte)) else { return false }
                    symbols.append(byte)
                }
            }
            return true
        }
        guard grouped, let bytes = Base32.decode(symbols), bytes.count == 12 else { return false }
        let checksum = CRC16.checksum([UInt8](bytes[..<10]))
        return bytes[10] == UInt8(truncatingIfNeeded: checksum >> 8) && bytes[11] == UInt8(truncatingIfNeeded: checksum)
    }

    /// Reads `CODE` or `CODE#SIGNATURE` as scanned from a QR code, received in a deep link or typed.
    ///
    /// - Throws: `invalidActivationCode` for an invalid code, more than one `#`, or a signature that is empty or not Base64.
    package static func parse(_ text: some Bytes) throws(PowerAuthError) -> ParsedActivationCode {
        let parts: ParsedActivationCode? = text.withBytes { bytes in
            guard bytes.count >= 23 else { return nil }
            let code = [UInt8](bytes[..<23])
            guard isValid(code) else { return nil }
            guard bytes.count > 23 else { return ParsedActivationCode(code: code, signature: nil) }
            guard bytes[23] == UInt8(ascii: "#"), let signature = LenientBase64.decode([UInt8](bytes[24...])),
                !signature.isEmpty
            else { return nil }
            return ParsedActivationCode(code: code, signature: signature)
        }
        guard let parts else { throw PowerAuthError(.invalidActivationCode, "the activation code is not valid") }
        return parts
    }

    /// Corrects a typed or pasted text to the intended code: without blanks, line ends and dashes of any kind, each
    /// character corrected; a signature without blanks.
    ///
    /// - Throws: the offset in bytes of a character that cannot be in a code, or of the end if the text is too short
    package static func corrected(_ text: String) throws(Fault) -> [UInt8] {
        var code: [UInt8] = []
        var offset = 0
        var signature: [UInt8]?
        for scalar in text.unicodeScalars {
            let start = offset
            offset &+= scalar.value < 0x80 ? 1 : scalar.value < 0x800 ? 2 : scalar.value < 0x1_0000 ? 3 : 4
            if isBlank(scalar.value) { continue }
            if signature != nil {
                guard scalar.isASCII else { throw Fault(offset: start) }
                signature?.append(UInt8(truncatingIfNeeded: scalar.value))
            } else if scalar == "#" {
                guard code.count == 23 else { throw Fault(offset: start) }
                signature = [UInt8(ascii: "#")]
            } else if !isDash(scalar.value) {
                guard code.count < 23, let right = correctTypedCharacter(scalar.value) else {
                    throw Fault(offset: start)
                }
                if code.count % 6 == 5 { code.append(UInt8(ascii: "-")) }
                code.append(UInt8(truncatingIfNeeded: right))
            }
        }
        guard code.count == 23 else { throw Fault(offset: offset) }
        return code + (signature ?? [])
    }

    /// Where a text stops being a code.
    package struct Fault: Error {
        package let offset: Int
    }

    /// White space, and what cannot be seen.
    private static func isBlank(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0xAD, 0x2000...0x200F, 0x2028, 0x2029, 0x202F, 0x205F, 0x2060, 0x3000,
            0xFEFF:
            true
        default: false
        }
    }

    /// Hyphens, dashes and minus signs.
    private static func isDash(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2D, 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63, 0xFF0D: true
        default: false
        }
    }

    /// Where the form of a code is first broken, in bytes; nil if only its checksum or its signature is wrong.
    package static func formFault(in text: some Bytes) -> Int? {
        text.withBytes { bytes in
            for position in 0..<23 {
                guard position < bytes.count else { return bytes.count }
                let isRight =
                    position % 6 == 5
                    ? bytes[position] == UInt8(ascii: "-") : isValidTypedCharacter(UInt32(bytes[position]))
                if !isRight { return position }
            }
            guard bytes.count > 23 else { return nil }
            guard bytes[23] == UInt8(ascii: "#") else { return 23 }
            let signature = bytes[24...]
            return signature.isEmpty ? 24 : signature.firstIndex { !isBase64($0) }
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Whether a typed character (a Unicode scalar) is allowed in a code: `A–Z`, `2–7`.
    package static func isValidTypedCharacter(_ character: UInt32) -> Bool {
        switch character {
        case 0x41...0x5A, 0x32...0x37: true
        default: false
        }
    }

    /// Corrects a typed character: lower case becomes upper case, `0` becomes `O`, `1` becomes `I`; nil when refused.
    package static func correctTypedCharacter(_ character: UInt32) -> UInt32? {
        switch character {
        case 0x61...0x7A: character - 0x20
        case 0x30: 0x4F
        case 0x31: 0x49
        default: isValidTypedCharacter(character) ? character : nil
        }
    }
}

/// An activation code, taken apart.
package struct ParsedActivationCode: Equatable, Sendable {
    /// The code itself, 23 ASCII characters.
    package let code: [UInt8]
    /// The DER signature of the code by the master server key, if the text had one. It must then be verified before the
    /// code is used: ``verify(with:)``; starting an activation does so.
    package let signature: [UInt8]?

    /// Checks the signature of the code with the application's master public key (powerauth.md §4.2).
    ///
    /// - Returns: true when the code has no signature or a right one.
    /// - Throws: `encryption` when the crypto library fails.
    package func verify(with configuration: Configuration) throws(PowerAuthError) -> Bool {
        guard let signature else { return true }
        return try configuration.verifyMasterSignature(code, signature: signature)
    }
}
