/// An account, in one form: that of the Czech Republic and Slovakia (`19-2000145399/0800`) is the same as its IBAN there.
struct SignedAccount {
    /// As it is written, without spaces (an IBAN also without dashes), in capitals.
    private let written: [UInt8]
    /// The country of an IBAN; 0: it is none.
    private let country: UInt16
    /// Bank, prefix and number, twenty digits; empty: the account is another one.
    private let local: [UInt8]

    /// - Parameter text: the account, without escapes
    init(_ text: UnsafeRawBufferPointer) {
        let written = Self.compact(text, keepsDashes: true)
        let iban = Self.compact(text, keepsDashes: false)
        guard iban.withUnsafeBytes({ IBAN.isValid($0) }) else {
            (self.written, country) = (written, 0)
            local = Self.local(written) ?? []
            return
        }
        self.written = iban
        country = UInt16(iban[0]) &<< 8 | UInt16(iban[1])
        let isLocal =
            (country == 0x435A || country == 0x534B) && iban.count == 24 && iban[2...].allSatisfy { 0x30...0x39 ~= $0 }
        local = isLocal ? [UInt8](iban[4...]) : []
    }

    /// Whether there is an account at all.
    var isEmpty: Bool { written.isEmpty }

    /// Whether it has the form of an account, and its check digits are right.
    var isRecognised: Bool { country != 0 || !local.isEmpty && Self.hasCheckDigits(local) }

    func isSame(_ other: SignedAccount) -> Bool {
        written == other.written || !local.isEmpty && local == other.local && (country == 0 || other.country == 0)
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

    private static func compact(_ text: UnsafeRawBufferPointer, keepsDashes: Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let (scalar, length) = Scalars.at(index, text)
            switch scalar {
            case 0x20, 0xA0, 0x2009, 0x202F: break
            case 0x2D where !keepsDashes: break
            case 0x61...0x7A: result.append(UInt8(truncatingIfNeeded: scalar &- 0x20))
            default: result.append(contentsOf: text[index..<min(index &+ length, text.count)])
            }
            index &+= length
        }
        return result
    }

    /// Bank, prefix and number of `19-2000145399/0800`; nil: the text has another form.
    private static func local(_ text: [UInt8]) -> [UInt8]? {
        let stroke = text.count &- 5
        guard 2...17 ~= stroke, text[stroke] == UInt8(ascii: "/") else { return nil }
        var dash: Int?
        for index in text.indices where index != stroke && !(0x30...0x39 ~= text[index]) {
            guard text[index] == UInt8(ascii: "-"), dash == nil, index < stroke else { return nil }
            dash = index
        }
        let start = dash.map { $0 &+ 1 } ?? 0
        guard 2...10 ~= stroke &- start, dash.map({ 1...6 ~= $0 }) ?? true else { return nil }
        var result = [UInt8](text[(stroke &+ 1)...])
        for (part, end) in [(text[..<(dash ?? 0)], 10), (text[start..<stroke], 20)] {
            while result.count &+ part.count < end { result.append(0x30) }
            result.append(contentsOf: part)
        }
        return result
    }

    /// Whether prefix and number are divisible by eleven, each with its weights, and the number is long enough to be no date.
    private static func hasCheckDigits(_ local: [UInt8]) -> Bool {
        guard local.count == 20, local[10..<16].contains(where: { $0 != 0x30 }) else { return false }
        let weights: InlineArray<10, Int> = [6, 3, 7, 9, 10, 5, 8, 4, 2, 1]
        var (prefix, number) = (0, 0)
        for place in 0..<10 {
            let weight = weights[place]
            number &+= Int(local[10 &+ place] &- 0x30) &* weight
            if place >= 4 { prefix &+= Int(local[place] &- 0x30) &* weight }
        }
        return prefix % 11 == 0 && number % 11 == 0
    }

    /// Visits the accounts of a form that can be recognised in a text that is folded, and whether something unseen stands in them.
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
        let characters = text[start..<end].filter { $0 != FoldedText.odd }
        let account = characters.withUnsafeBytes { SignedAccount($0) }
        return account.isRecognised ? (account, end) : nil
    }

    /// Where as many letters and digits end as the country has in an IBAN, with a space or a dash between them.
    private static func endOfIBAN(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int? {
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
