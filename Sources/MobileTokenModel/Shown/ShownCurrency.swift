/// What a text calls a currency: a code of ISO 4217, a symbol, or a name in a common language.
struct ShownCurrency {
    /// Where the name ends.
    let end: Int
    /// The codes that it may stand for, three letters each.
    private let codes: UnsafeRawBufferPointer

    /// How much of the name of a currency counts.
    enum Care {
        /// In a sentence: what may be another word, like `all` or `try`, is none.
        case sentence
        /// In the text of an amount: a code in letters of any size.
        case amount
    }

    /// The name that begins at an offset, which does not stand inside of a word; nil: none that is known.
    init?(_ text: UnsafeRawBufferPointer, at start: Int, _ care: Care) {
        let (first, _) = Glyph.at(start, text)
        guard first >= 0x80 || Glyph.isWord(first) || first == 0x24 else { return nil }
        guard let found = Self.named(text, at: start) ?? Self.coded(text, at: start, care) else { return nil }
        (end, codes) = found
    }

    /// Whether it can be the currency of a code.
    func mayBe(_ code: UnsafeRawBufferPointer) -> Bool {
        guard code.count == 3 else { return false }
        var index = 0
        while index &+ 3 <= codes.count {
            if Self.isSame(codes, at: index, code) { return true }
            index &+= 3
        }
        return false
    }

    /// Whether three letters stand there, whatever their size.
    static func isSame(_ text: UnsafeRawBufferPointer, at start: Int, _ code: UnsafeRawBufferPointer) -> Bool {
        guard code.count == 3, start &+ 3 <= text.count else { return false }
        for offset in 0..<3 where text[start &+ offset] | 0x20 != code[offset] | 0x20 { return false }
        return true
    }

    /// The end of a word of exactly three letters of ASCII; nil: another word stands there.
    static func endOfCode(_ text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        let end = start &+ 3
        guard end <= text.count else { return nil }
        for byte in text[start..<end] where !(0x61...0x7A ~= byte | 0x20) { return nil }
        let next = Glyph.at(end, text).scalar
        return Glyph.isWord(next) && Glyph.digit(next) == nil ? nil : end
    }

    private static func coded(
        _ text: UnsafeRawBufferPointer, at start: Int, _ care: Care
    ) -> (Int, UnsafeRawBufferPointer)? {
        guard let end = endOfCode(text, at: start) else { return nil }
        let code = UnsafeRawBufferPointer(rebasing: text[start..<end])
        if care == .sentence {
            // `TOP 10` is no money of Tonga.
            if isListed(code, in: "TOPSOSALL") { return nil }
            if code.contains(where: { $0 > 0x60 }) { return isListed(code, in: everydayCodes) ? (end, code) : nil }
        }
        let tails = codes(beginning: code[0] | 0x20)
        let list = UnsafeRawBufferPointer(start: tails.utf8Start, count: tails.utf8CodeUnitCount)
        var index = 0
        while index &+ 2 <= list.count {
            if list[index] | 0x20 == code[1] | 0x20, list[index &+ 1] | 0x20 == code[2] | 0x20 { return (end, code) }
            index &+= 2
        }
        return nil
    }

    private static func isListed(_ code: UnsafeRawBufferPointer, in list: StaticString) -> Bool {
        let list = UnsafeRawBufferPointer(start: list.utf8Start, count: list.utf8CodeUnitCount)
        var index = 0
        while index &+ 3 <= list.count {
            if isSame(list, at: index, code) { return true }
            index &+= 3
        }
        return false
    }

    /// The longest of the known symbols and names that stands there.
    private static func named(_ text: UnsafeRawBufferPointer, at start: Int) -> (Int, UnsafeRawBufferPointer)? {
        guard start < text.count else { return nil }
        let lines = names(beginning: folded(text[start]))
        let table = UnsafeRawBufferPointer(start: lines.utf8Start, count: lines.utf8CodeUnitCount)
        var best: (Int, UnsafeRawBufferPointer)?
        var line = 0
        while line < table.count {
            var tableIndex = line
            var index = start
            while tableIndex < table.count, table[tableIndex] != space, index < text.count,
                folded(text[index]) == table[tableIndex]
            {
                tableIndex &+= 1
                index &+= 1
            }
            let matches = tableIndex < table.count && table[tableIndex] == space
            while tableIndex < table.count, table[tableIndex] != space { tableIndex &+= 1 }
            let codesStart = tableIndex &+ 1
            while tableIndex < table.count, table[tableIndex] != newLine { tableIndex &+= 1 }
            if matches, codesStart <= tableIndex, best.map({ index > $0.0 }) ?? true, isWhole(text, start, index) {
                best = (index, UnsafeRawBufferPointer(rebasing: table[codesStart..<tableIndex]))
            }
            line = tableIndex &+ 1
        }
        return best
    }

    /// Whether a name that ends in a letter is no part of a longer word.
    private static func isWhole(_ text: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        let next = Glyph.at(end, text).scalar
        return !Glyph.isWord(Glyph.before(end, text)) || !Glyph.isWord(next) || Glyph.digit(next) != nil
            || isIdeograph(next)
    }

    /// Writing without spaces between words.
    private static func isIdeograph(_ scalar: UInt32) -> Bool { 0x3040...0x9FFF ~= scalar }

    private static func folded(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

    private static let space = UInt8(ascii: " ")
    private static let newLine = UInt8(ascii: "\n")

    private static var everydayCodes: StaticString { "EURUSDGBPCZKCHFPLNHUFSEKNOKDKKRUBUAHRONBGNJPYCNYINRAUDNZDBTC" }

    /// The second and third letter of the codes that begin with a letter, which is small.
    private static func codes(beginning letter: UInt8) -> StaticString {
        switch letter {
        case UInt8(ascii: "a"): "EDFNLLMDNGOARSUDWGZN"
        case UInt8(ascii: "b"): "AMBDDTGNHDIFMDNDOBOVRLSDTCTNWPYNYRZD"
        case UInt8(ascii: "c"): "ADDFHEHFHWLFLPNHNYOPOURCUCUPVEZK"
        case UInt8(ascii: "d"): "EMJFKKOPZD"
        case UInt8(ascii: "e"): "EKGPRNSPTBTHUR"
        case UInt8(ascii: "f"): "JDKPRF"
        case UInt8(ascii: "g"): "BPELHSIPMDNFTQYD"
        case UInt8(ascii: "h"): "KDNLRKTGUF"
        case UInt8(ascii: "i"): "DRLSNRQDRRSKTL"
        case UInt8(ascii: "j"): "MDODPY"
        case UInt8(ascii: "k"): "ESGSHRMFPWRWWDYDZT"
        case UInt8(ascii: "l"): "AKBPKRRDSLTLVLYD"
        case UInt8(ascii: "m"): "ADDLGAKDMKNTOPRUURVRWKXNXVYRZN"
        case UInt8(ascii: "n"): "ADGNIOOKPRZD"
        case UInt8(ascii: "o"): "MR"
        case UInt8(ascii: "p"): "ABENGKHPKRLNYG"
        case UInt8(ascii: "q"): "AR"
        case UInt8(ascii: "r"): "ONSDUBWF"
        case UInt8(ascii: "s"): "ARBDCRDGEKGDHPITKKLELLOSRDSPTNVCYPZL"
        case UInt8(ascii: "t"): "HBJSMTNDOPRYTDWDZS"
        case UInt8(ascii: "u"): "AHGXSDSNYIYUYWZS"
        case UInt8(ascii: "v"): "EDESNDUV"
        case UInt8(ascii: "w"): "ST"
        case UInt8(ascii: "x"): "AFAGAUBTCDDROFPDPFPTSU"
        case UInt8(ascii: "y"): "ER"
        case UInt8(ascii: "z"): "ARMWWGWL"
        default: ""
        }
    }

    /// The names that begin with a byte, small where they are ASCII, each with the codes that it may stand for. A part of a
    /// currency stands for none: it makes another amount.
    private static func names(beginning byte: UInt8) -> StaticString {
        switch byte {
        case UInt8(ascii: "$"):
            """
            $ USDCADAUDNZDSGDHKDTWDMXNARSCLPCOPUYUBBDBMDBNDBSDBZDFJDGYDJMDKYDLRDNADSBDSRDTTDXCDDOPCUPNIOBRLCVETOPWSTMOP

            """
        case UInt8(ascii: "a"):
            """
            a$ AUD
            au$ AUD

            """
        case UInt8(ascii: "c"):
            """
            centimes -
            céntimos -
            centavos -
            centy -
            centů -
            cents -
            cent -
            cedis GHS
            cedi GHS
            ca$ CAD
            cad$ CAD
            c$ CADNIO
            cn¥ CNYCNH
            crown CZKSEKNOKDKKISKSKK
            crowns CZKSEKNOKDKKISKSKK

            """
        case UInt8(ascii: "d"):
            """
            denar MKD
            dong VND
            dirhams AEDMAD
            dirham AEDMAD
            dinars KWDBHDJODIQDLYDTNDDZDRSD
            dinar KWDBHDJODIQDLYDTNDDZDRSD
            dollar USDCADAUDNZDSGDHKDTWDLRDNADJMDTTD
            dollars USDCADAUDNZDSGDHKDTWDLRDNADJMDTTD
            dolar USDCADAUDNZDSGDHKDTWD
            dolary USDCADAUDNZDSGDHKDTWD
            dolarů USDCADAUDNZDSGDHKDTWD
            dolarow USDCADAUDNZDSGDHKDTWD
            dolarów USDCADAUDNZDSGDHKDTWD
            dólar USDCADAUDNZDSGDHKDTWD
            dólares USDCADAUDNZDSGDHKDTWD
            dolares USDCADAUDNZDSGDHKDTWD
            dkr DKK

            """
        case UInt8(ascii: "e"):
            """
            ether ETH
            euro EUR
            euros EUR
            eura EUR
            eur. EUR
            evro EUR

            """
        case UInt8(ascii: "f"):
            """
            funt GBP
            funtów GBP
            ft HUF
            forint HUF
            forintů HUF
            franc CHFXAFXOFXPFBIFCDFDJFGNFKMFRWF
            francs CHFXAFXOFXPFBIFCDFDJFGNFKMFRWF
            frank CHF
            franken CHF
            franků CHF
            fr CHFXAFXOFXPF
            fcfa XAFXOF

            """
        case UInt8(ascii: "h"):
            """
            haléřů -
            haléře -
            haléř -
            hryvnias UAH
            hryvnia UAH
            hk$ HKD

            """
        case UInt8(ascii: "j"):
            """
            j$ JMD
            jp¥ JPY
            jenů JPY

            """
        case UInt8(ascii: "k"):
            """
            kopecks -
            kč CZK
            kČ CZK
            kc CZK
            kčs CZK
            koruna CZKSKK
            koruny CZKSKK
            korun CZKSKK
            korunu CZKSKK
            korúna CZKSKK
            korún CZKSKK
            krone NOKDKKCZKSEK
            kroner NOKDKKCZKSEK
            kronen SEKNOKDKKISKCZK
            krona SEKISKCZK
            kronor SEKISKCZK
            kr SEKNOKDKKISKEEK

            """
        case UInt8(ascii: "l"):
            """
            lekë ALL
            lari GEL
            libra GBP
            libry GBP
            liber GBP
            libras GBP
            lei RONMDL
            leu RONMDL
            lv BGNLVL
            leva BGN
            lira TRYITL
            lir TRYITL

            """
        case UInt8(ascii: "m"):
            """
            marka BAM
            manat AZNTMT
            mx$ MXN

            """
        case UInt8(ascii: "n"):
            """
            naira NGN
            nz$ NZD
            nt$ TWD
            nkr NOK

            """
        case UInt8(ascii: "p"):
            """
            pence -
            penny -
            pound GBPGIPFKPSHPEGPLBPSYPSSPSDG
            pounds GBPGIPFKPSHPEGPLBPSYPSSPSDG
            peso ARSCLPCOPMXNUYUPHPCUPDOP
            pesos ARSCLPCOPMXNUYUPHPCUPDOP

            """
        case UInt8(ascii: "r"):
            """
            rupiah IDR
            ringgit MYR
            rials IRROMRYER
            rial IRROMRYER
            riyals SARQAROMRYER
            riyal SARQAROMRYER
            r$ BRL
            rd$ DOP
            rmb CNYCNH
            rubl RUBBYN
            rublů RUBBYN
            rubles RUBBYN
            rs INRPKRLKRNPRMUR
            rupee INRPKRLKRNPRMURSCR
            rupees INRPKRLKRNPRMURSCR
            rand ZAR
            reais BRL
            rm MYR
            rp IDR

            """
        case UInt8(ascii: "s"):
            """
            soles PEN
            shillings KESUGXTZSSOS
            shilling KESUGXTZSSOS
            shekels ILS
            shekel ILS
            s$ SGDSRD
            sterling GBP
            sk SKK
            skr SEK
            sfr CHF

            """
        case UInt8(ascii: "t"):
            """
            tenge KZT
            taka BDT
            tl TRY

            """
        case UInt8(ascii: "u"):
            """
            us$ USD

            """
        case UInt8(ascii: "y"):
            """
            yuan CNYCNH
            yen JPY

            """
        case UInt8(ascii: "z"):
            """
            zł PLN
            zŁ PLN
            zl PLN
            złoty PLN
            złote PLN
            złotych PLN
            zloty PLN
            zlotych PLN

            """
        case 0xC2:
            """
            £ GBPGIPFKPSHPEGPLBPSYPSSPSDGITL
            ¥ JPYCNYCNH

            """
        case 0xC4:
            """
            đ VND

            """
        case 0xCE:
            """
            ευρώ EUR

            """
        case 0xD0:
            """
            копеек -
            доллар USDCADAUDNZDSGDHKDTWD
            доллара USDCADAUDNZDSGDHKDTWD
            долларов USDCADAUDNZDSGDHKDTWD
            евро EUR
            крон CZKSEKNOKDKKISK
            лв BGN
            лева BGN
            грн UAH
            гривень UAH

            """
        case 0xD1:
            """
            євро EUR
            руб RUBBYN
            рубль RUBBYN
            рубля RUBBYN
            рублей RUBBYN

            """
        case 0xD6:
            """
            ֏ AMD

            """
        case 0xD8:
            """
            ؋ AFN

            """
        case 0xE0:
            """
            ฿ THB

            """
        case 0xE1:
            """
            ៛ KHR

            """
        case 0xE2:
            """
            € EUR
            ₽ RUB
            ₴ UAH
            ₺ TRY
            ₹ INR
            ₨ INRPKRLKRNPRMURSCR
            ₩ KRWKPW
            ₪ ILS
            ₫ VND
            ₱ PHPCUP
            ₦ NGN
            ₡ CRCSVC
            ₲ PYG
            ₵ GHS
            ₸ KZT
            ₼ AZN
            ₾ GEL
            ₮ MNT
            ₭ LAK
            ₿ BTC

            """
        case 0xE5:
            """
            円 JPY
            元 CNYCNHTWDHKDMOP
            圓 TWDHKDMOPJPY

            """
        case 0xEC:
            """
            원 KRWKPW

            """
        case 0xEF:
            """
            ＄ USDCADAUDNZDSGDHKDTWDMXNARSCLPCOPUYU
            ￡ GBP
            ￥ JPYCNYCNH
            ﷼ IRRSAROMRQARYER

            """
        case UInt8(ascii: "b"):
            """
            bani -
            bitcoins BTC
            bitcoin BTC
            baht THB

            """
        case UInt8(ascii: "w"):
            """
            won KRWKPW

            """
        case UInt8(ascii: "g"):
            """
            groszy -
            grosze -
            grosz -
            guarani PYG

            """
        case 0xC3:
            """
            øre -
            öre -

            """
        default: ""
        }
    }
}

/// Words that make a number another one: `5 tis. Kč`, `1 million EUR`.
enum Multiplier {
    private static var words: StaticString {
        """
        k
        t
        tis
        tisíc
        tisíce
        tsd
        tys
        thousand
        tausend
        m
        mil
        mill
        mio
        mln
        mn
        milion
        miliony
        milionů
        milión
        milionow
        million
        millions
        millionen
        millones
        mld
        mrd
        miliard
        miliarda
        milliard
        milliarden
        bn
        b
        billion
        g
        lakh
        lakhs
        crore
        crores
        cr
        тыс
        млн
        млрд
        千
        万
        萬
        亿
        億

        """
    }

    /// The end of the multiplier that stands there, with the point of its abbreviation; nil: there is none.
    static func end(_ text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        guard start < text.count else { return nil }
        switch text[start] | 0x20 {
        case UInt8(ascii: "k"), UInt8(ascii: "t"), UInt8(ascii: "m"), UInt8(ascii: "b"), UInt8(ascii: "g"),
            UInt8(ascii: "l"),
            UInt8(ascii: "c"), 0xE4, 0xE5, 0xE8, 0xF1, 0xF0:
            break
        default: return nil
        }
        let table = UnsafeRawBufferPointer(start: words.utf8Start, count: words.utf8CodeUnitCount)
        var best: Int?
        var line = 0
        while line < table.count {
            var tableIndex = line
            var index = start
            while tableIndex < table.count, table[tableIndex] != 0x0A, index < text.count {
                let byte = text[index]
                guard (0x41...0x5A ~= byte ? byte | 0x20 : byte) == table[tableIndex] else { break }
                tableIndex &+= 1
                index &+= 1
            }
            let isIdeograph = Glyph.at(start, text).scalar > 0x3000
            if tableIndex < table.count, table[tableIndex] == 0x0A, index > start, index > best ?? start,
                isIdeograph || !Glyph.isWord(Glyph.at(index, text).scalar)
            {
                best = index
            }
            while tableIndex < table.count, table[tableIndex] != 0x0A { tableIndex &+= 1 }
            line = tableIndex &+ 1
        }
        guard let best else { return nil }
        return Glyph.at(best, text).scalar == 0x2E ? best &+ 1 : best
    }
}
