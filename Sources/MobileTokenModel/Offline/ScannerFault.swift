// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// Changes that scanners make to the text of a QR code, and their reversal. The result is a guess: it counts only if
/// the signature is valid.
package enum ScannerFault {
    /// A byte order mark precedes the text.
    case byteOrderMark
    /// The designator of the encoding (ECI), `\000026`, precedes it.
    case designator
    /// Its UTF-8 was read as Latin-1, or as what Windows takes for that.
    case latin1
    /// Its letters are decomposed (NFD).
    case decomposed

    /// A description of the change, as the end of a sentence.
    package var words: StaticString {
        switch self {
        case .byteOrderMark: "put a byte order mark before the text"
        case .designator: "put the number of the encoding before the text"
        case .latin1: "read the UTF-8 text as Latin-1"
        case .decomposed: "decomposed the letters of the text (NFD)"
        }
    }

    /// The likely changes, with the original text of each; the likelier one first.
    package static func guesses(
        at text: UnsafeRawBufferPointer
    ) -> [(fault: ScannerFault, text: [UInt8])] {
        var guesses: [(fault: ScannerFault, text: [UInt8])] = []
        var bytes = [UInt8](text)
        func drop(_ prefix: [UInt8], _ fault: ScannerFault) {
            guard bytes.starts(with: prefix) else { return }
            bytes.removeFirst(prefix.count)
            guesses.append((fault, bytes))
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        drop(mark, .byteOrderMark)
        drop([UInt8]("\\000026".utf8), .designator)
        drop(mark, .byteOrderMark)
        if let read = undoneLatin1(bytes) {
            guesses.append((.latin1, read.starts(with: mark) ? [UInt8](read.dropFirst(mark.count)) : read))
        }
        if let composed = composed(bytes) { guesses.append((.decomposed, composed)) }
        return guesses.reversed()
    }

    // MARK: Latin-1

    /// The characters of Windows for the bytes 0x80 to 0x9F; 0: the byte itself.
    private static let windows: InlineArray<32, UInt16> = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    private static func undoneLatin1(_ text: [UInt8]) -> [UInt8]? {
        guard let scalars = scalars(text) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for scalar in scalars {
            if let byte = UInt8(exactly: scalar) {
                bytes.append(byte)
            } else if let place = windows.indices.first(where: { UInt32(windows[$0]) == scalar }) {
                bytes.append(0x80 &+ UInt8(truncatingIfNeeded: place))
            } else {
                return nil
            }
        }
        return bytes.withUnsafeBytes { UTF8Validity.firstInvalid(in: $0) } == nil ? bytes : nil
    }

    // MARK: Decomposed letters

    /// Letters of Latin scripts: each mark with pairs of a letter and both together.
    private static let compositions: [(mark: UInt32, pairs: StaticString)] = [
        (0x0300, "AÀEÈIÌOÒUÙaàeèiìoòuùÂẦâầĂẰăằÊỀêềÔỒôồƠỜơờƯỪưừYỲyỳ"),
        (0x0301, "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzźÂẤâấĂẮăắÊẾêếÔỐôốƠỚơớƯỨưứ"),
        (0x0302, "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷẠẬạậẸỆẹệỌỘọộ"),
        (0x0303, "AÃNÑOÕaãnñoõIĨiĩUŨuũÂẪâẫĂẴăẵEẼeẽÊỄêễÔỖôỗƠỠơỡƯỮưữYỸyỹ"),
        (0x0304, "AĀaāEĒeēIĪiīOŌoōUŪuū"),
        (0x0306, "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭẠẶạặ"),
        (0x0307, "CĊcċEĖeėGĠgġIİZŻzż"),
        (0x0308, "AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸ"),
        (0x0309, "AẢaảÂẨâẩĂẲăẳEẺeẻÊỂêểIỈiỉOỎoỏÔỔôổƠỞơởUỦuủƯỬưửYỶyỷ"),
        (0x030A, "AÅaåUŮuů"),
        (0x030B, "OŐoőUŰuű"),
        (0x030C, "CČcčDĎdďEĚeěLĽlľNŇnňRŘrřSŠsšTŤtťZŽzž"),
        (0x031B, "OƠoơUƯuư"),
        (0x0323, "AẠaạEẸeẹIỊiịOỌoọƠỢơợUỤuụƯỰưựYỴyỵ"),
        (0x0326, "SȘsșTȚtț"),
        (0x0327, "CÇcçGĢgģKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţ"),
        (0x0328, "AĄaąEĘeęIĮiįUŲuų"),
    ]

    private static func composed(_ text: [UInt8]) -> [UInt8]? {
        guard let scalars = scalars(text), scalars.contains(where: { (0x0300...0x036F).contains($0) }) else {
            return nil
        }
        var result: [UInt32] = []
        result.reserveCapacity(scalars.count)
        for scalar in scalars {
            if let last = result.last, let both = composed(last, scalar) {
                result[result.count &- 1] = both
            } else {
                result.append(scalar)
            }
        }
        guard result.count < scalars.count else { return nil }
        var composed = String.UnicodeScalarView()
        for scalar in result { if let scalar = Unicode.Scalar(scalar) { composed.append(scalar) } }
        return [UInt8](String(composed).utf8)
    }

    private static func composed(_ letter: UInt32, _ mark: UInt32) -> UInt32? {
        guard let found = compositions.first(where: { $0.mark == mark }) else { return nil }
        var isLetter = true
        var isFound = false
        for scalar in found.pairs.description.unicodeScalars {
            if isFound { return scalar.value }
            isFound = isLetter && scalar.value == letter
            isLetter.toggle()
        }
        return nil
    }

    /// nil: ASCII only, or no UTF-8.
    private static func scalars(_ text: [UInt8]) -> [UInt32]? {
        guard text.contains(where: { $0 >= 0x80 }), text.withUnsafeBytes({ UTF8Validity.firstInvalid(in: $0) }) == nil
        else { return nil }
        return String(utf8: text).unicodeScalars.map { $0.value }
    }
}
