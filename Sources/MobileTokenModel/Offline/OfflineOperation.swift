// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Whether a server's signature was verified, and the result; the values are those of the C interface
/// (`MTOKEN_VERIFIED_…`).
public enum VerifiedState: Int32, Sendable {
    /// Not verified.
    case notChecked = 0
    /// The server made it.
    case valid = 1
    /// It is not the server's, or the text was changed.
    case invalid = 2
    /// The key is of a kind that cannot be verified here.
    case unsupported = 3
}

/// The payload of an offline QR operation, taken apart.
///
/// Holds no text: the ranges refer to the parsed bytes. Reading allocates no memory.
public struct OfflineOperation: Sendable {
    /// Whose key signed the payload; the values are those of the C interface (`MTOKEN_KEY_…`).
    public enum Key: Int32, Sendable {
        /// The application's server: `0`.
        case master = 0
        /// The server's key for the activation: `1`.
        case personalized = 1
        /// A message authentication code of protocol 4: `2`. Cannot be verified here.
        case personalizedMAC = 2
    }

    /// The server's flags.
    public struct Flags: OptionSet, Sendable {
        /// One bit for each letter.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `B`: biometry may be used.
        public static let biometryAllowed = Flags(rawValue: 1)
        /// `X`: approve and reject buttons change places.
        public static let flipButtons = Flags(rawValue: 2)
        /// `F`: a warning of fraud is to be shown.
        public static let fraudWarning = Flags(rawValue: 4)
        /// `C`: no approval during a call.
        public static let blockWhenOnCall = Flags(rawValue: 8)

        /// The flag of a letter; nil when it is not known.
        package init?(letter: UInt8) {
            switch letter {
            case UInt8(ascii: "B"): self = .biometryAllowed
            case UInt8(ascii: "X"): self = .flipButtons
            case UInt8(ascii: "F"): self = .fraudWarning
            case UInt8(ascii: "C"): self = .blockWhenOnCall
            default: return nil
            }
        }
    }

    /// Longest payload that is read, in bytes. A QR code holds at most 2953.
    public static let maximumSize = 4096
    /// The most lines that are read.
    public static let maximumLineCount = 64
    /// The length of a nonce.
    public static let nonceSize = 16

    /// The operation's id.
    public let id: Range<Int>
    /// The title, with escapes.
    public let title: Range<Int>
    /// The message, with escapes.
    public let message: Range<Int>
    /// The content to approve.
    public let data: OperationData
    /// The line of flags.
    public let flagLine: Range<Int>
    /// The flags known.
    public let flags: Flags
    /// The number of flags not known.
    public let unknownFlagCount: Int
    /// The one-time password of the proximity check; nil: none. An empty line counts as none.
    public let totp: Range<Int>?
    /// The lines of later formats, with the LF between them.
    public let extras: Range<Int>
    /// The number of lines of later formats: not 0 in a newer format than this library knows.
    public let extraCount: Int
    /// The Base64 text of the nonce.
    public let nonce: Range<Int>
    /// Whose key signed.
    public let key: Key
    /// The Base64 text of the signature.
    public let signature: Range<Int>
    /// The length of the signature.
    public let signatureSize: Int
    /// How many bytes at the beginning of the payload are signed: all before the signature's text.
    public var signedSize: Int { signature.lowerBound }

    private var nonceStorage = InlineArray<16, UInt8>(repeating: 0)
    private var signatureStorage = InlineArray<256, UInt8>(repeating: 0)

    /// Reads a payload.
    public init(parsing text: UnsafeRawBufferPointer) throws(TextFault) {
        guard text.count <= Self.maximumSize else { throw TextFault(.tooLong, offset: Self.maximumSize, in: text) }
        let lines = try ScannedText(text, maximumLineCount: Self.maximumLineCount)
        guard lines.lineCount >= 7 else {
            throw TextFault(.tooFewLines, offset: text.count, line: lines.lineCount)
        }
        id = lines.line(0)
        title = lines.line(1)
        message = lines.line(2)
        let dataLine = lines.line(3)
        flagLine = lines.line(4)
        guard !id.isEmpty else { throw TextFault(.noOperationId, offset: 0, line: 1) }

        // The last line: key type and signature. Some servers leave bits in the last character that belong to no byte.
        let last = lines.last
        guard last < text.count, let key = Key(rawValue: Int32(text[last]) - 0x30) else {
            throw TextFault(.invalidSignature, offset: last, line: lines.lineCount)
        }
        self.key = key
        signature = (last &+ 1)..<text.count
        let signatureText = UnsafeRawBufferPointer(rebasing: text[signature])
        let size = withUnsafeMutableBytes(of: &signatureStorage) {
            Base64.decode(signatureText, into: $0, ignoringUnusedBits: true)
        }
        guard let size, key == .personalizedMAC ? size == 32 : (64...255).contains(size) else {
            throw TextFault(.invalidSignature, offset: last, line: lines.lineCount)
        }
        signatureSize = size

        nonce = lines.lastButOne..<max(lines.lastButOne, last &- 1)
        let nonceText = UnsafeRawBufferPointer(rebasing: text[nonce])
        let nonceSize = withUnsafeMutableBytes(of: &nonceStorage) { Base64.decode(nonceText, into: $0) }
        guard nonceSize == Self.nonceSize else {
            throw TextFault(.invalidNonce, offset: nonce.lowerBound, line: lines.lineCount &- 1)
        }

        data = try OperationData(text, in: dataLine, line: 4)

        var flags: Flags = []
        var unknown = 0
        for byte in text[flagLine] {
            if let flag = Flags(letter: byte) { flags.insert(flag) } else { unknown &+= 1 }
        }
        self.flags = flags
        unknownFlagCount = unknown

        if lines.lineCount >= 8 {
            let line = lines.line(5)
            totp = line.isEmpty ? nil : line
            extraCount = lines.lineCount &- 8
            let start = min(line.upperBound &+ 1, nonce.lowerBound)
            extras = start..<(extraCount == 0 ? start : max(start, nonce.lowerBound &- 1))
        } else {
            totp = nil
            extraCount = 0
            extras = nonce.lowerBound..<nonce.lowerBound
        }
    }

    /// Whether the payload has lines that this library does not know.
    public var isNewerFormat: Bool { extraCount > 0 }

    /// Writes the letters of the flags that are not known.
    ///
    /// - Parameter output: has room for `unknownFlagCount` bytes
    /// - Returns: how many were written
    package func writeUnknownFlags(of text: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) -> Int {
        var count = 0
        for byte in text[flagLine] where Flags(letter: byte) == nil {
            output.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count &+= 1
        }
        return count
    }

    /// Visits the lines of later formats.
    package func forEachExtra(of text: UnsafeRawBufferPointer, _ body: (Int, Range<Int>) -> Void) {
        var start = extras.lowerBound
        for index in 0..<extraCount {
            var end = start
            while end < extras.upperBound, text[end] != 0x0A { end &+= 1 }
            body(index, start..<end)
            start = min(end &+ 1, extras.upperBound)
        }
    }

    /// Lends the bytes of the signature.
    package func withSignature<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try withUnsafeBytes(of: signatureStorage) { (bytes: UnsafeRawBufferPointer) throws(E) -> R in
            try body(UnsafeRawBufferPointer(rebasing: bytes[..<signatureSize]))
        }
    }

    /// Lends the 16 bytes of the nonce.
    package func withNonce<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try withUnsafeBytes(of: nonceStorage) { (bytes: UnsafeRawBufferPointer) throws(E) -> R in try body(bytes) }
    }

    /// The text that an approval signs: `id&data`, or `id&data&totp`, as the payload has them.
    package func body(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var body = [UInt8](text[id])
        body.append(UInt8(ascii: "&"))
        body.append(contentsOf: text[data.range])
        if let totp {
            body.append(UInt8(ascii: "&"))
            body.append(contentsOf: text[totp])
        }
        return body
    }
}
