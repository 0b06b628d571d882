/// An account that is signed, in the forms in which it may be shown: as it is signed; an account of the Czech Republic or of
/// Slovakia also as its IBAN, or as number and bank code, with or without leading zeros. Spaces do not count, nor do dashes in an
/// IBAN, nor whether letters are small.
struct SignedAccount {
    /// As it is signed.
    private let account: [UInt8]

    /// - Parameter text: the account, without escapes
    init(_ text: UnsafeRawBufferPointer) { account = Self.compact(text) }

    /// Whether there is an account at all.
    var isEmpty: Bool { account.isEmpty }

    /// Whether a visible text shows the account, with or without words around it.
    func isShown(in texts: [ShownText]) -> Bool {
        // Most show it as it is signed: the other forms are made when they are needed.
        Pattern(account).isFound(in: texts) || otherForms.contains { Pattern($0).isFound(in: texts) }
    }

    private var otherForms: [[UInt8]] {
        if account.withUnsafeBytes({ IBAN.isValid($0) }) {
            guard account.count == 24,
                account[0] == 0x43 && account[1] == 0x5A || account[0] == 0x53 && account[1] == 0x4B,
                account[2...].allSatisfy({ 0x30...0x39 ~= $0 })
            else { return [] }
            return LocalAccount(iban: account).forms
        }
        guard let local = LocalAccount(account) else { return [] }
        return local.forms + [local.iban(0x43, 0x5A), local.iban(0x53, 0x4B)]
    }

    /// Without spaces, in capitals.
    static func compact(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let (scalar, length) = Glyph.at(index, text)
            if !Glyph.isSpace(scalar), !Glyph.isInvisible(scalar) {
                for byte in text[index..<min(index &+ length, text.count)] { result.append(Pattern.capital(byte)) }
            }
            index &+= length
        }
        return result
    }

    /// Whether a text, or one of its words, is an account of a form that can be recognised.
    static func isAnyShown(in text: UnsafeRawBufferPointer) -> Bool {
        if text.count <= 64, isAccount(compact(text)) { return true }
        var word = 0
        var index = 0
        while index <= text.count {
            let (scalar, length) = Glyph.at(index, text)
            if index == text.count || Glyph.isSpace(scalar) || scalar == 0x0A {
                if 5...64 ~= index &- word,
                    isAccount(compact(UnsafeRawBufferPointer(rebasing: text[word..<index])))
                {
                    return true
                }
                word = index &+ length
            }
            index &+= length
        }
        return false
    }

    private static func isAccount(_ text: [UInt8]) -> Bool {
        text.withUnsafeBytes { IBAN.isValid($0) } || LocalAccount(text) != nil
    }
}

/// An account as it is written in the Czech Republic and Slovakia: `19-2000145399/0800`.
struct LocalAccount {
    /// Four digits.
    private let bank: [UInt8]
    /// Six digits.
    private let prefix: [UInt8]
    /// Ten digits.
    private let number: [UInt8]

    /// That of an IBAN of 24 characters.
    init(iban: [UInt8]) {
        bank = [UInt8](iban[4..<8])
        prefix = [UInt8](iban[8..<14])
        number = [UInt8](iban[14...])
    }

    init?(_ text: [UInt8]) {
        let stroke = text.count &- 5
        guard 2...17 ~= stroke, text[stroke] == UInt8(ascii: "/") else { return nil }
        var dash: Int?
        for index in text.indices where index != stroke && !(0x30...0x39 ~= text[index]) {
            guard text[index] == UInt8(ascii: "-"), dash == nil, index < stroke else { return nil }
            dash = index
        }
        let start = dash.map { $0 &+ 1 } ?? 0
        guard 2...10 ~= stroke &- start, dash.map({ 1...6 ~= $0 }) ?? true else { return nil }
        bank = [UInt8](text[(stroke &+ 1)...])
        prefix = Self.padded(text[..<(dash ?? 0)], to: 6)
        number = Self.padded(text[start..<stroke], to: 10)
    }

    private static func padded(_ digits: ArraySlice<UInt8>, to count: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0x30, count: max(0, count &- digits.count))
        result.append(contentsOf: digits)
        return result
    }

    /// Without leading zeros, with all of them, and with those of the number only.
    var forms: [[UInt8]] { [form(false, false), form(true, true), form(false, true)] }

    private func form(_ fullPrefix: Bool, _ fullNumber: Bool) -> [UInt8] {
        var result: [UInt8] = []
        for digit in prefix where fullPrefix || digit != 0x30 || !result.isEmpty { result.append(digit) }
        if !result.isEmpty { result.append(UInt8(ascii: "-")) }
        let start = result.count
        for digit in number where fullNumber || digit != 0x30 || result.count > start { result.append(digit) }
        result.append(UInt8(ascii: "/"))
        result.append(contentsOf: bank)
        return result
    }

    /// The IBAN in a country of two capital letters.
    func iban(_ first: UInt8, _ second: UInt8) -> [UInt8] {
        var result = [first, second, 0x30, 0x30]
        result.append(contentsOf: bank)
        result.append(contentsOf: prefix)
        result.append(contentsOf: number)
        var remainder = 0
        for digit in result[4...] { remainder = (remainder &* 10 &+ Int(digit &- 0x30)) % 97 }
        for letter in [first, second] { remainder = (remainder &* 100 &+ Int(letter &- 0x41) &+ 10) % 97 }
        let check = 98 &- remainder &* 100 % 97
        result[2] = UInt8(truncatingIfNeeded: 0x30 &+ check / 10)
        result[3] = UInt8(truncatingIfNeeded: 0x30 &+ check % 10)
        return result
    }
}

/// Finds an account in texts, in one pass over each.
private struct Pattern {
    /// The longest account that is found among other words.
    private static let longest = 64

    private let bytes: [UInt8]
    /// Which characters of the account a byte is, one bit each; empty: the account is too long.
    private let places: [UInt64]
    /// A dash is no part of the account: it may stand between any of its characters.
    private let skipsDashes: Bool

    private let holdsDigit: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        holdsDigit = bytes.contains { Self.isDigit($0) }
        skipsDashes = bytes.allSatisfy { Self.isAlphanumeric($0) }
        var places: [UInt64] = []
        if bytes.count <= Self.longest {
            places = [UInt64](repeating: 0, count: 256)
            for (index, byte) in bytes.enumerated() { places[Int(byte)] |= 1 &<< UInt64(index) }
        }
        self.places = places
    }

    static func capital(_ byte: UInt8) -> UInt8 { 0x61...0x7A ~= byte ? byte & ~0x20 : byte }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= capital(byte) || byte >= 0x80
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// Whether a visible text has it: each of its bytes, so that most texts need no search.
    func isFound(in texts: [ShownText]) -> Bool {
        texts.contains {
            $0.isVisible && $0.bytes.count >= bytes.count && ($0.mayHoldDigits || !holdsDigit) && isFound(in: $0.bytes)
        }
    }

    private func isFound(in text: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return false }
        guard !places.isEmpty else { return SignedAccount.compact(text) == bytes }
        // One bit for each beginning of the account that ends here.
        var state: UInt64 = 0
        let goal: UInt64 = 1 &<< UInt64(bytes.count &- 1)
        var previous: UInt8 = 0x20
        var previousSolid: UInt8 = 0x20
        var index = 0
        while index < text.count {
            let (scalar, length) = Glyph.at(index, text)
            if Glyph.isInvisible(scalar) {
                index &+= length
                continue
            }
            if Glyph.isSpace(scalar) {
                previous = 0x20
                index &+= length
                continue
            }
            if skipsDashes, Glyph.isMinus(scalar) {
                previous = UInt8(ascii: "-")
                index &+= length
                continue
            }
            for offset in index..<min(index &+ length, text.count) {
                let byte = Self.capital(text[offset])
                let mayBegin = offset == index && Self.mayBegin(first, after: previous, previousSolid)
                state = (state &<< 1 | (mayBegin ? 1 : 0)) & places[Int(byte)]
                previous = byte
                previousSolid = byte
            }
            index &+= length
            if state & goal != 0, Self.mayEnd(last, text, at: index) { return true }
        }
        return false
    }

    /// Whether an account can begin behind these characters: it is no part of a longer one.
    private static func mayBegin(_ first: UInt8, after previous: UInt8, _ previousSolid: UInt8) -> Bool {
        if isAlphanumeric(previous) { return false }
        guard isDigit(first) else { return true }
        if previous == 0x20 { return !isDigit(previousSolid) }
        return previous != 0x2D && previous != 0x2F && previous != 0x2E && previous != 0x2C
    }

    private static func mayEnd(_ last: UInt8, _ text: UnsafeRawBufferPointer, at end: Int) -> Bool {
        let next = Glyph.skipInvisible(end, text)
        guard next < text.count else { return true }
        let (scalar, length) = Glyph.at(next, text)
        if Glyph.isWord(scalar) { return false }
        if Glyph.isMinus(scalar) || scalar == 0x2F { return !Glyph.isWord(Glyph.at(next &+ length, text).scalar) }
        guard Glyph.isSpace(scalar), isDigit(last) else { return true }
        return Glyph.digit(Glyph.at(Glyph.skipSpaces(next, text), text).scalar) == nil
    }
}
