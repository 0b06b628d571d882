// SPDX-License-Identifier: Apache-2.0
/// An account, in one form: that of the Czech Republic and Slovakia (`19-2000145399/0800`) is the same as its IBAN there. Its
/// text is lent.
struct SignedAccount {
    /// As it is written, without spaces (an IBAN also without dashes), in capitals.
    private let written: Letters
    /// The country of an IBAN; 0: it is not an IBAN.
    private let country: UInt16
    /// Bank, prefix and number; nil: the account is another one.
    private let local: LocalAccount?

    /// The account that a text is.
    init(_ text: UnsafeRawBufferPointer, _ source: Letters.Source = .plain) {
        let iban = Letters(text, source, keepsDashes: false)
        let short = ShortAccount(iban)
        if short.isIBAN {
            (written, country) = (iban, UInt16(short.bytes[0]) &<< 8 | UInt16(short.bytes[1]))
            local = country == 0x435A || country == 0x534B ? LocalAccount.of(iban: short) : nil
        } else {
            (written, country) = (Letters(text, source, keepsDashes: true), 0)
            local = LocalAccount.of(ShortAccount(written))
        }
    }

    /// Whether there is an account at all.
    var isEmpty: Bool { written.isEmpty }

    /// Whether it has the form of an account, and its check digits are right.
    var isRecognised: Bool { country != 0 || local?.hasCheckDigits ?? false }

    func isSame(_ other: SignedAccount) -> Bool {
        if written.elementsEqual(other.written) { return true }
        guard country == 0 || other.country == 0, let local, let its = other.local else { return false }
        return local.isSame(its)
    }

    /// The text of a row that may be an account and nothing else, or an account and the BIC that is signed with it.
    init(row text: UnsafeRawBufferPointer, bic: UnsafeRawBufferPointer) {
        var end = text.count
        if !bic.isEmpty, end > bic.count, text[(end &- bic.count)...].elementsEqual(bic) {
            end &-= bic.count
            while end > 0, " /,".utf8.contains(text[end &- 1]) { end &-= 1 }
        }
        self.init(UnsafeRawBufferPointer(rebasing: text[..<end]))
    }

    /// Visits the recognisable accounts in a folded text, and reports whether they contain invisible characters.
    static func forEach(in text: UnsafeRawBufferPointer, _ body: (SignedAccount, _ hidesSomething: Bool) -> Void) {
        var index = 0
        while index < text.count {
            if let (account, end) = account(text, at: index) {
                body(account, text[index..<end].contains(FoldedText.odd))
                index = end
            } else {
                index &+= 1
            }
            while index < text.count, isAlphanumeric(text[index]), isAlphanumeric(text[index &- 1]) { index &+= 1 }
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || byte >= 0x80
    }

    /// The account that begins at a word, and where it ends: an IBAN also in groups.
    static func account(_ text: UnsafeRawBufferPointer, at start: Int) -> (SignedAccount, Int)? {
        let isLocal = ShownNumber.isDigit(text, start)
        guard isLocal || start &+ 2 < text.count && 0x61...0x7A ~= text[start] | 0x20 else { return nil }
        guard let end = isLocal ? endOfLocal(text, start) : endOfIBAN(text, start) else { return nil }
        guard end == text.count || !isAlphanumeric(text[end]) else { return nil }
        let account = SignedAccount(UnsafeRawBufferPointer(rebasing: text[start..<end]), .folded)
        return account.isRecognised ? (account, end) : nil
    }

    /// Where as many letters and digits end as the country has in an IBAN, with a space or a dash between them.
    private static func endOfIBAN(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        // Check digits follow, which tells most words at once.
        let third = text[start &+ 2]
        guard !(0x41...0x5A ~= third & ~0x20), third < 0x80 else { return nil }
        let table = UnsafeRawBufferPointer(start: lengths.utf8Start, count: lengths.utf8CodeUnitCount)
        guard
            let entry = stride(from: 0, to: table.count &- 3, by: 4).first(where: {
                table[$0] == text[start] & ~0x20 && table[$0 &+ 1] == text[start &+ 1] & ~0x20
            })
        else { return nil }
        var left = Int(table[entry &+ 2] &- 0x30) &* 10 &+ Int(table[entry &+ 3] &- 0x30)
        var index = start
        while index < text.count, left > 0 {
            if isAlphanumeric(text[index]) {
                left &-= 1
            } else {
                guard text[index] == FoldedText.odd || text[index] == 0x20 || text[index] == UInt8(ascii: "-"),
                    text[index] == FoldedText.odd || isAlphanumeric(text[index &- 1])
                else { return nil }
            }
            index &+= 1
        }
        return left == 0 ? index : nil
    }

    /// Where digits, perhaps a dash and digits, a stroke and four digits end.
    private static func endOfLocal(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var index = start
        func skip(atMost count: Int, _ isWanted: (UInt8) -> Bool) {
            let limit = min(text.count, index &+ count)
            while index < limit, isWanted(text[index]) { index &+= 1 }
        }
        skip(atMost: 24) { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") || $0 == FoldedText.odd }
        skip(atMost: 2) { $0 == 0x20 }
        guard index < text.count, text[index] == UInt8(ascii: "/") else { return nil }
        index &+= 1
        skip(atMost: 2) { $0 == 0x20 }
        skip(atMost: 8) { 0x30...0x39 ~= $0 || $0 == FoldedText.odd }
        return index
    }

    /// Countries and how long their IBANs are.
    private static var lengths: StaticString {
        """
        AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27\
        GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19\
        MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23\
        TN24TR26UA29VA22VG24XK20YE30
        """
    }
}

/// The characters of an account that count: without spaces, in capitals.
struct Letters: Sequence, IteratorProtocol {
    /// Characters that are ignored in a text, in addition to spaces.
    enum Source {
        case plain
        /// It has the escapes of operation data.
        case escaped
        /// It is folded: unusual characters do not count.
        case folded
    }

    private let text: UnsafeRawBufferPointer
    private let source: Source
    private let keepsDashes: Bool
    private var index = 0
    /// The end of a character of which some bytes were given out.
    private var whole = 0

    init(_ text: UnsafeRawBufferPointer, _ source: Source, keepsDashes: Bool) {
        (self.text, self.source, self.keepsDashes) = (text, source, keepsDashes)
    }

    var isEmpty: Bool {
        var rest = self
        return rest.next() == nil
    }

    mutating func next() -> UInt8? {
        while index < text.count {
            let byte = text[index]
            if index >= whole, byte >= 0x80 {
                let (scalar, length) = Scalars.at(index, text)
                whole = Swift.min(index &+ length, text.count)
                if scalar == 0xA0 || scalar == 0x2009 || scalar == 0x202F {
                    index = whole
                    continue
                }
            }
            index &+= 1
            switch byte {
            case 0x20: break
            case UInt8(ascii: "-") where !keepsDashes: break
            case FoldedText.odd where source == .folded: break
            case UInt8(ascii: "\\") where source == .escaped:
                guard index < text.count, let meaning = Escapes.meaning(of: text[index]) else { return byte }
                index &+= 1
                return meaning
            case 0x61...0x7A: return byte &- 0x20
            default: return byte
            }
        }
        return nil
    }
}

/// An account, if it is not longer than an IBAN; otherwise nothing.
private struct ShortAccount {
    private(set) var bytes = InlineArray<34, UInt8>(repeating: 0)
    private(set) var count = 0

    init(_ letters: Letters) {
        for byte in letters {
            guard count < bytes.count else {
                count = 0
                break
            }
            bytes[count] = byte
            count &+= 1
        }
    }

    var isIBAN: Bool {
        bytes.span.withUnsafeBytes { IBAN.isValid(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    func isDigit(_ index: Int) -> Bool { 0x30...0x39 ~= bytes[index] }
}

/// An account of the Czech Republic or Slovakia: bank, prefix and number.
///
/// Swift 6.3.1 loses what a failable initialiser of a struct that is not small stores in a loop, hence functions.
private struct LocalAccount {
    /// Four, six and ten digits.
    private var digits = InlineArray<20, UInt8>(repeating: 0x30)

    /// That of an IBAN of one of the two countries; nil: it has another form.
    static func of(iban: ShortAccount) -> LocalAccount? {
        guard iban.count == 24, (2..<24).allSatisfy({ iban.isDigit($0) }) else { return nil }
        var account = LocalAccount()
        account.put(iban, 4..<24, before: 20)
        return account
    }

    /// `19-2000145399/0800`; nil: the text has another form.
    static func of(_ text: ShortAccount) -> LocalAccount? {
        let stroke = text.count &- 5
        guard 2...17 ~= stroke, text.bytes[stroke] == UInt8(ascii: "/") else { return nil }
        var dash: Int?
        for index in 0..<text.count where index != stroke && !text.isDigit(index) {
            guard text.bytes[index] == UInt8(ascii: "-"), dash == nil, index < stroke else { return nil }
            dash = index
        }
        let start = dash.map { $0 &+ 1 } ?? 0
        guard 2...10 ~= stroke &- start, dash.map({ 1...6 ~= $0 }) ?? true else { return nil }
        var account = LocalAccount()
        account.put(text, (stroke &+ 1)..<text.count, before: 4)
        account.put(text, 0..<(dash ?? 0), before: 10)
        account.put(text, start..<stroke, before: 20)
        return account
    }

    private mutating func put(_ text: ShortAccount, _ range: Range<Int>, before end: Int) {
        for index in range { digits[end &- range.upperBound &+ index] = text.bytes[index] }
    }

    func isSame(_ other: LocalAccount) -> Bool {
        for index in digits.indices where digits[index] != other.digits[index] { return false }
        return true
    }

    /// Whether prefix and number are divisible by eleven, each with its weights, and the number is long enough to be no date.
    var hasCheckDigits: Bool {
        let weights: InlineArray<10, Int> = [6, 3, 7, 9, 10, 5, 8, 4, 2, 1]
        var (prefix, number) = (0, 0)
        var isLong = false
        for place in 0..<10 {
            let digit = Int(digits[10 &+ place] &- 0x30)
            isLong = isLong || place < 6 && digit != 0
            number &+= digit &* weights[place]
            if place >= 4 { prefix &+= Int(digits[place] &- 0x30) &* weights[place] }
        }
        return isLong && prefix % 11 == 0 && number % 11 == 0
    }
}
