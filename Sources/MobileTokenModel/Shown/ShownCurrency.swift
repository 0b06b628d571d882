// SPDX-License-Identifier: Apache-2.0
/// A currency in a text: a code of ISO 4217, or a currency sign, most of them CLDR's. A name in words (`koruny`,
/// `dollars`) does not count: no list of names would be complete, and the signed summary is displayed beside the text.
struct ShownCurrency {
    /// The codes that it may stand for, three letters each; none: it is a currency, but none that can be signed.
    private let codes: UnsafeRawBufferPointer

    /// A currency that cannot be signed.
    static var none: ShownCurrency { ShownCurrency(codes: UnsafeRawBufferPointer(start: nil, count: 0)) }

    private init(codes: UnsafeRawBufferPointer) { self.codes = codes }

    /// Whether it can be the currency of a code.
    func mayBe(_ code: UnsafeRawBufferPointer) -> Bool { Self.isListed(code, in: codes) }

    /// Whether two names may stand for the same.
    func mayBe(_ other: ShownCurrency) -> Bool {
        stride(from: 0, to: codes.count &- 2, by: 3).contains {
            other.mayBe(UnsafeRawBufferPointer(rebasing: codes[$0..<($0 &+ 3)]))
        }
    }

    /// The currency of a word of a folded text; nil: none. A code counts in capitals, where it is common in any
    /// letters: `All 5 try` speaks of no money.
    init?(word: UnsafeRawBufferPointer) {
        // No sign and no code has five letters of ASCII, as most words have.
        if word.count > 4, word.allSatisfy({ 0x61...0x7A ~= $0 | 0x20 }) { return nil }
        if let signed = Self.codes(ofSign: word) {
            codes = signed
            return
        }
        var index = 0
        var hasSign = false
        var hasOther = false
        while index < word.count {
            let (scalar, length) = Scalars.at(index, word)
            if Scalars.isCurrency(scalar) { hasSign = true } else if scalar >= 0x80 { hasOther = true }
            index &+= length
        }
        let code = UnsafeRawBufferPointer(rebasing: word[max(0, word.count &- 3)...])
        let isCapital = code.allSatisfy { 0x41...0x5A ~= $0 }
        let isCode =
            Self.isListed(code, in: Self.bytes(Self.common))
            || isCapital && Self.isListed(code, in: Self.bytes(Self.all)) && !Self.isListed(code, in: "TOPSOSALL")
        if isCode, word.count == 3 {
            codes = code
        } else if hasSign || isCode && isCapital && word.count == 4 || hasOther && 2...8 ~= word.count && word[0] < 0x80
        {
            // An unknown sign, `mCZK`, or a word of mixed scripts.
            codes = UnsafeRawBufferPointer(rebasing: code[..<0])
        } else {
            return nil
        }
    }

    /// Whether a text is the code of a currency or one of its own signs, and nothing else; also before it is folded.
    static func isName(_ text: UnsafeRawBufferPointer, of code: UnsafeRawBufferPointer) -> Bool {
        text.count == 3 && isListed(text, in: code)
            || (codes(ofSign: text) ?? codes(ofSign: text, in: words)).map { isListed(code, in: $0) } ?? false
    }

    /// The decimal places of the smallest amount.
    static func decimalPlaces(_ code: UnsafeRawBufferPointer) -> Int {
        isListed(code, in: "BIFCLPDJFGNFISKJPYKMFKRWPYGRWFUGXUYIVNDVUVXAFXOFXPF")
            ? 0 : isListed(code, in: "BHDIQDJODKWDLYDOMRTND") ? 3 : 2
    }

    private static func bytes(_ text: StaticString) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    private static func isListed(_ code: UnsafeRawBufferPointer, in list: StaticString) -> Bool {
        isListed(code, in: bytes(list))
    }

    /// Whether three letters are in a list of codes, whatever their size.
    private static func isListed(_ code: UnsafeRawBufferPointer, in list: UnsafeRawBufferPointer) -> Bool {
        guard code.count == 3 else { return false }
        var index = 0
        while index &+ 3 <= list.count {
            if small(code[0]) == small(list[index]), small(code[1]) == small(list[index &+ 1]),
                small(code[2]) == small(list[index &+ 2])
            {
                return true
            }
            index &+= 3
        }
        return false
    }

    private static func small(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

    /// The codes that a sign may mean; nil: the text is not a sign.
    private static func codes(
        ofSign text: UnsafeRawBufferPointer, in signs: StaticString = signs
    ) -> UnsafeRawBufferPointer? {
        guard 1...12 ~= text.count else { return nil }
        let table = bytes(signs)
        let first = small(text[0])
        var line = start(of: first, in: table)
        while line < table.count, table[line] == first {
            var end = line &+ 1
            while end < table.count, table[end] != 0x0A { end &+= 1 }
            let codes = line &+ text.count
            if codes < end, table[codes] == 0x20,
                text.indices.allSatisfy({ small(text[$0]) == table[line &+ $0] })
            {
                return UnsafeRawBufferPointer(rebasing: table[(codes &+ 1)..<end])
            }
            line = end &+ 1
        }
        return nil
    }

    /// The first line that does not begin with a smaller byte, of lines that are sorted.
    private static func start(of first: UInt8, in table: UnsafeRawBufferPointer) -> Int {
        var (low, high) = (0, table.count)
        while low < high {
            var line = (low &+ high) / 2
            while line > low, table[line &- 1] != 0x0A { line &-= 1 }
            if table[line] >= first {
                high = line
            } else {
                low = line
                while low < high, table[low] != 0x0A { low &+= 1 }
                if low < high { low &+= 1 }
            }
        }
        return low
    }

    private static var common: StaticString { "EURUSDGBPCZKCHFPLNHUFSEKNOKDKKRUBUAHRONBGNJPYCNYINRAUDNZDBTC" }

    private static var all: StaticString {
        """
        AEDAFNALLAMDANGAOAARSAUDAWGAZNBAMBBDBDTBGNBHDBIFBMDBNDBOBBOVBRLBSDBTCBTNBWPBYNBYRBZDCADCDFCHECHFCHWCLFCLPCNHCNY\
        COPCOUCRCCUCCUPCVECZKDEMDJFDKKDOPDZDEEKEGPERNESPETBETHEURFJDFKPFRFGBPGELGHSGIPGMDGNFGTQGYDHKDHNLHRKHTGHUFIDRILS\
        INRIQDIRRISKITLJMDJODJPYKESKGSKHRKMFKPWKRWKWDKYDKZTLAKLBPLKRLRDLSLLTLLVLLYDMADMDLMGAMKDMMKMNTMOPMRUMURMVRMWKMXN\
        MXVMYRMZNNADNGNNIONOKNPRNZDOMRPABPENPGKPHPPKRPLNPYGQARRONRSDRUBRWFSARSBDSCRSDGSEKSGDSHPSITSKKSLESLLSOSSRDSSPSTN\
        SVCSYPSZLTHBTJSTMTTNDTOPTRYTTDTWDTZSUAHUGXUSDUSNUYIUYUUYWUZSVEDVESVNDVUVWSTXAFXAGXAUXBTXCDXDRXOFXPDXPFXPTXSUYER\
        ZARZMWZWGZWL
        """
    }

    /// Signs that are also words or measures: they count only where nothing but an amount is stated. Sorted.
    private static var words: StaticString {
        """
        bs VESBOB
        k PGKZMW
        km BAM
        kn HRK
        l HNLLSL
        lekë ALL
        q GTQ
        r ZAR
        s/ PEN
        sh KESTZSUGX
        ج.م EGP
        د.إ AED
        د.ك KWD
        د.م MAD
        ر.س SAR
        ر.ق QAR

        """
    }

    /// The signs, small where they are ASCII, each with the codes that it may stand for: as they are written, and folded. Sorted.
    private static var signs: StaticString {
        """
        $ USDCADAUDNZDSGDHKDTWDMXNARSCLPCOPUYUBBDBMDBNDBSDBZDFJDGYDJMDKYDLRDNADSBDSRDTTDXCDDOPCUPNIOBRLCVETOPWSTMOP
        a$ AUD
        au$ AUD
        c$ CADNIO
        ca$ CAD
        cad$ CAD
        cn¥ CNYCNH
        dkr DKK
        fcfa XAFXOF
        fr CHFXAFXOFXPF
        ft HUF
        hk$ HKD
        j$ JMD
        jp¥ JPY
        kc CZK
        kr SEKNOKDKKISKEEK
        kČ CZK
        kč CZK
        lei RONMDL
        lv BGNLVL
        mx$ MXN
        nkr NOK
        nt$ TWD
        nz$ NZD
        pyб RUBBYN
        r$ BRL
        rd$ DOP
        rm MYR
        rp IDR
        rph UAH
        rs INRPKRLKRNPRMUR
        s$ SGDSRD
        sfr CHF
        skr SEK
        us$ USD
        zl PLN
        zŁ PLN
        zł PLN
        £ GBPGIPFKPSHPEGPLBPSYPSSPSDGITL
        ¥ JPYCNYCNH
        đ VND
        грн UAH
        дeh MKD
        ден MKD
        диh RSD
        дин RSD
        лb BGN
        лв BGN
        руб RUBBYN
        ֏ AMD
        ؋ AFN
        ریال IRR
        ৳ BDT
        ฿ THB
        ៛ KHR
        ₡ CRCSVC
        ₦ NGN
        ₨ INRPKRLKRNPRMURSCR
        ₩ KRWKPW
        ₪ ILS
        ₫ VND
        € EUR
        ₭ LAK
        ₮ MNT
        ₱ PHPCUP
        ₲ PYG
        ₴ UAH
        ₵ GHS
        ₸ KZT
        ₹ INR
        ₺ TRY
        ₼ AZN
        ₽ RUB
        ₾ GEL
        ₿ BTC
        元 CNYCNHTWDHKDMOP
        円 JPY
        원 KRWKPW
        ﷼ IRRSAROMRQARYER
        ￡ GBPGIPFKPSHPEGPLBPSYPSSPSDGITL
        ￥ JPYCNYCNH
        ￦ KRWKPW

        """
    }
}
