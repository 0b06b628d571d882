// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Weaknesses that make a PIN easy to guess; the values are those of the C interface (`MTOKEN_PIN_…`).
public struct PINWeaknesses: OptionSet, Sendable {
    /// The flags.
    public let rawValue: Int32

    /// A set of flags.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Fewer bytes than any PIN may have.
    public static let short = PINWeaknesses(rawValue: 1)
    /// At most two different characters, or one group repeated.
    public static let repeated = PINWeaknesses(rawValue: 2)
    /// More than half of it counts up or down by one.
    public static let sequential = PINWeaknesses(rawValue: 4)
    /// One of the most common ones, or a line of the keypad.
    public static let common = PINWeaknesses(rawValue: 8)
    /// It may be a date or a year.
    public static let date = PINWeaknesses(rawValue: 16)

    /// All of them.
    package static let all: PINWeaknesses = [.short, .repeated, .sequential, .common, .date]

    /// The fewest bytes of a PIN.
    public static let minimumLength = 4

    /// The weaknesses of a PIN.
    public init(of pin: SecureBytes) { self = pin.withBytes { Self.inspect($0) } }

    package static func inspect(_ pin: UnsafeRawBufferPointer) -> PINWeaknesses {
        guard pin.count >= minimumLength else { return .short }
        // Digits of another script or invisible characters make it no harder to guess.
        let room = SecureBytes(count: pin.count)
        let count = room.withMutableBytes { fold(pin, into: $0) }
        guard count >= minimumLength else { return .short }
        return room.withBytes { weaknesses(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    private static func weaknesses(_ pin: UnsafeRawBufferPointer) -> PINWeaknesses {
        var found: PINWeaknesses = []
        if isRepeated(pin) { found.insert(.repeated) }
        if 2 * longestRun(pin) > pin.count { found.insert(.sequential) }
        if isWord(pin) { found.insert(.common) }
        let room = SecureBytes(count: 8)
        if let count = room.withMutableBytes({ compactDate(pin, into: $0) }),
            room.withBytes({ isDate(UnsafeRawBufferPointer(rebasing: $0[..<count])) })
        {
            found.insert(.date)
        }
        guard pin.count <= 8, pin.allSatisfy({ digits.contains($0) }) else { return found }
        let number = value(pin, 0..<pin.count)
        if commonPINs.contains(where: { $0.digits == pin.count && $0.value == number }) { found.insert(.common) }
        return found
    }

    /// Writes a PIN as it would be typed in ASCII: letters small, full width and other digits as digits, characters without a
    /// width left out. Returns the number of bytes; other characters stay.
    private static func fold(_ pin: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int {
        var (index, count) = (0, 0)
        while index < pin.count {
            let scalar = scalar(pin, at: index)
            let length = scalar?.length ?? 1
            defer { index += length }
            if let value = scalar?.value {
                if isWidthless(value) { continue }
                if let ascii = ascii(value) {
                    room[count] = ascii
                    count += 1
                    continue
                }
            }
            for offset in 0..<length {
                room[count] = pin[index + offset]
                count += 1
            }
        }
        return count
    }

    /// The character at a place; nil: there is none in UTF-8.
    private static func scalar(_ text: UnsafeRawBufferPointer, at index: Int) -> (value: UInt32, length: Int)? {
        let first = text[index]
        let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0
        guard length > 0, index + length <= text.count else { return nil }
        var value = length == 1 ? UInt32(first) : UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<max(1, length) {
            guard text[index + offset] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(text[index + offset] & 0x3F)
        }
        return (value, length)
    }

    private static func isWidthless(_ value: UInt32) -> Bool {
        switch value {
        case 0xAD, 0x34F, 0x61C, 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F,
            0xFEFF, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }

    private static func ascii(_ value: UInt32) -> UInt8? {
        /// The first of ten digits.
        let zeros: [UInt32] = [
            0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0,
        ]
        switch value {
        case 0x41...0x5A: return UInt8(value) + 32
        case 0x20...0x7E: return UInt8(value)
        case 0xA0, 0x2000...0x200A, 0x202F, 0x3000: return UInt8(ascii: " ")
        case 0x2010...0x2015, 0x2212: return UInt8(ascii: "-")
        case 0xB2, 0xB3: return UInt8(value - 0xB0) + UInt8(ascii: "0")
        case 0xB9: return UInt8(ascii: "1")
        case 0x2070, 0x2074...0x2079: return UInt8(value - 0x2070) + UInt8(ascii: "0")
        case 0x2080...0x2089: return UInt8(value - 0x2080) + UInt8(ascii: "0")
        case 0xFF01...0xFF5E: return ascii(value - 0xFEE0)
        case 0x1D7CE...0x1D7FF: return UInt8((value - 0x1D7CE) % 10) + UInt8(ascii: "0")
        default:
            guard let zero = zeros.first(where: { value >= $0 && value < $0 + 10 }) else { return nil }
            return UInt8(value - zero) + UInt8(ascii: "0")
        }
    }

    /// Whether it is a word that many choose, with digits and marks behind it or none, and with usual digits for letters.
    private static func isWord(_ pin: UnsafeRawBufferPointer) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let words = UnsafeBufferPointer(start: words.utf8Start, count: words.utf8CodeUnitCount)
        return words.split(separator: UInt8(ascii: " ")).contains { word in
            word.count <= pin.count && zip(word, pin).allSatisfy { $0 == letter($1) }
                && pin[word.count...].allSatisfy { !letters.contains($0) && $0 < 0x80 }
        }
    }

    /// The letter that a digit or mark replaces.
    private static func letter(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0"): UInt8(ascii: "o")
        case UInt8(ascii: "1"), UInt8(ascii: "!"): UInt8(ascii: "i")
        case UInt8(ascii: "3"): UInt8(ascii: "e")
        case UInt8(ascii: "4"), UInt8(ascii: "@"): UInt8(ascii: "a")
        case UInt8(ascii: "5"), UInt8(ascii: "$"): UInt8(ascii: "s")
        case UInt8(ascii: "7"): UInt8(ascii: "t")
        default: byte
        }
    }

    /// The most common choices with letters, in the users' languages.
    private static let words: StaticString = """
        password passwort passwd pass heslo haslo parola kennwort secret geheim tajne qwerty qwertz asdf \
        asdfgh yxcv zxcv zxcvbn qazwsx iqaz abc abcd admin root user guest login welcome letmein master test \
        demo hello hallo ahoj iloveyou love liebe laska monkey dragon sunshine princess football hockey \
        superman batman pokemon martin michael jessica bank banka money penize token mtoken pin
        """

    /// Writes a date without what parts its numbers, each with two digits or four; the PIN itself where nothing parts it. Nil:
    /// it is not such a text.
    private static func compactDate(_ pin: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int? {
        var (count, index, parts) = (0, 0, 0)
        while index < pin.count {
            let end = pin[index...].firstIndex { !digits.contains($0) } ?? pin.count
            let length = end - index
            guard length > 0 else {
                guard separators.contains(pin[index]), parts > 0 else { return nil }
                index += 1
                continue
            }
            let padding = length == 1 ? 1 : 0
            guard count + padding + length <= room.count else { return nil }
            if padding == 1 { room[count] = UInt8(ascii: "0") }
            for offset in 0..<length { room[count + padding + offset] = pin[index + offset] }
            count += padding + length
            parts += 1
            index = end
        }
        return parts <= 3 ? count : nil
    }

    private static let separators: [UInt8] = [
        UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: " "), UInt8(ascii: "_"),
        UInt8(ascii: ","),
        UInt8(ascii: ":"),
    ]

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private static func isRepeated(_ pin: UnsafeRawBufferPointer) -> Bool {
        let others = pin.filter { $0 != pin[0] }
        if others.allSatisfy({ $0 == others[0] }) { return true }
        return (1...pin.count / 2).contains { size in
            pin.count % size == 0 && (size..<pin.count).allSatisfy { pin[$0] == pin[$0 - size] }
        }
    }

    /// How long the longest part is in which each character is the next one, or each is the one before; 0 follows 9.
    private static func longestRun(_ pin: UnsafeRawBufferPointer) -> Int {
        var (longest, run, last) = (1, 1, 0)
        for index in 1..<pin.count {
            let step = step(from: pin[index - 1], to: pin[index])
            run = step == 0 ? 1 : step == last ? run + 1 : 2
            last = step
            longest = max(longest, run)
        }
        return longest
    }

    /// 1, -1, or 0: neither.
    private static func step(from first: UInt8, to second: UInt8) -> Int {
        var step = Int(second) - Int(first)
        if digits.contains(first), digits.contains(second), step == 9 || step == -9 { step = step > 0 ? -1 : 1 }
        return step == 1 || step == -1 ? step : 0
    }

    private static func value(_ pin: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        range.reduce(0) { $0 * 10 + Int(pin[$1] & 15) }
    }

    /// Whether the digits can be a day and a month, with or without a year, in one of the usual orders, or a year.
    private static func isDate(_ pin: UnsafeRawBufferPointer) -> Bool {
        func part(_ start: Int, _ count: Int = 2) -> Int { value(pin, start..<start + count) }
        func areDay(_ first: Int, _ second: Int) -> Bool {
            let days = 1...31
            return days.contains(first) && days.contains(second) && min(first, second) <= 12
        }
        let years = 1900...2099
        switch pin.count {
        case 4: return areDay(part(0), part(2)) || years.contains(part(0, 4))
        case 6: return areDay(part(0), part(2)) || areDay(part(2), part(4))
        case 8:
            return areDay(part(0), part(2)) && years.contains(part(4, 4))
                || areDay(part(4), part(6)) && years.contains(part(0, 4))
        default: return false
        }
    }

    /// The most common PINs of published counts, and the lines and corners of a keypad. Those that other rules find
    /// are not repeated here, but for the first.
    private static let commonPINs: [(digits: Int, value: Int)] = [
        (4, 1234), (4, 1004), (4, 1122), (4, 1221), (4, 1342), (4, 1357), (4, 1379), (4, 1397), (4, 1470), (4, 1478),
        (4, 159), (4, 1590), (4, 1593), (4, 2244), (4, 2468), (4, 2580), (4, 258), (4, 3571), (4, 3690), (4, 3698),
        (4, 3971), (4, 4200), (4, 4711), (4, 5150), (4, 5683), (4, 6969), (4, 7007), (4, 7410), (4, 7412), (4, 7531),
        (4, 7539), (4, 7913), (4, 7931), (4, 852), (4, 8520), (4, 8675), (4, 9631), (4, 9637), (4, 9713), (4, 9753),
        (5, 13579), (5, 24680), (5, 12321), (5, 15937), (5, 75395), (5, 85200), (5, 25800), (5, 97531),
        (6, 123456), (6, 102030), (6, 112233), (6, 112358), (6, 123321), (6, 123654), (6, 123789), (6, 134679),
        (6, 135790),
        (6, 147258), (6, 147369), (6, 147852), (6, 147896), (6, 159357), (6, 159753), (6, 246810), (6, 258369),
        (6, 258456), (6, 321654), (6, 332211), (6, 369258), (6, 420420), (6, 456852), (6, 520131), (6, 654123),
        (6, 741852), (6, 753159), (6, 753951), (6, 789456), (6, 852456), (6, 951753), (6, 963852), (6, 987456),
        (8, 12345678), (8, 11223344), (8, 12344321), (8, 13572468), (8, 14725836), (8, 24681357), (8, 78945612),
        (8, 98765432),
    ]
}

/// The PINs that a client accepts as new ones.
public struct PINPolicy: Sendable {
    /// The fewest bytes.
    public let minimumLength: Int
    /// The weaknesses that a new PIN must not have.
    public let refused: PINWeaknesses

    /// PINs of a length, at least 4, without weaknesses.
    public init(minimumLength: Int = PINWeaknesses.minimumLength, refused: PINWeaknesses = []) throws(Failure) {
        guard (PINWeaknesses.minimumLength...1000).contains(minimumLength) else {
            throw .argument("min_pin_length must be 4 to 1000.")
        }
        guard refused.isSubset(of: .all) else { throw .argument("refused_pins has unknown bits.") }
        self.init(unchecked: minimumLength, refused)
    }

    private init(unchecked minimumLength: Int, _ refused: PINWeaknesses) {
        self.minimumLength = minimumLength
        self.refused = refused
    }

    /// Every PIN that can be one.
    public static let any = PINPolicy(unchecked: PINWeaknesses.minimumLength, [])

    /// Refuses a new PIN that is too weak.
    @inline(never)
    func check(_ pin: SecureBytes) throws(Failure) {
        // The code that derives a key from the PIN reports PINs that are never allowed.
        guard pin.count >= PINWeaknesses.minimumLength else { return }
        guard pin.count >= minimumLength, refused.isDisjoint(with: PINWeaknesses(of: pin)) else {
            throw Failure(
                .argument, Reason.weakPIN,
                "The new PIN is too short or too easy to guess: mtoken_pin_inspect tells what is weak about a PIN.")
        }
    }
}
