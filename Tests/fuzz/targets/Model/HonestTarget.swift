import FuzzSupport
import MobileTokenJSON

@testable import MobileTokenModel

/// How a language writes amounts, as CLDR has it: `#` stands for the number, `¤` for the sign of the currency.
private struct Locale {
    let name: String
    let currency: String
    let sign: String
    let pattern: String
    var decimal = ","
    var group = "\u{A0}"
    /// 2: numbers below 10,000 have no groups.
    var minimumGrouping = 1
    /// Groups of two before the last one of three.
    var groupsByTwo = false
    var minus = "-"
    var zero: UInt32 = 0x30
    var places = 2

    static let all = [
        Locale(name: "en-US", currency: "USD", sign: "$", pattern: "¤#", decimal: ".", group: ","),
        Locale(name: "en-GB", currency: "GBP", sign: "£", pattern: "¤#", decimal: ".", group: ","),
        Locale(name: "en-IN", currency: "INR", sign: "₹", pattern: "¤#", decimal: ".", group: ",", groupsByTwo: true),
        Locale(name: "en-CA", currency: "USD", sign: "US$", pattern: "¤#", decimal: ".", group: ","),
        Locale(name: "en-ZA", currency: "ZAR", sign: "R", pattern: "¤#"),
        Locale(name: "de-DE", currency: "EUR", sign: "€", pattern: "#\u{A0}¤", group: "."),
        Locale(name: "de-AT", currency: "EUR", sign: "€", pattern: "¤\u{A0}#"),
        Locale(name: "de-CH", currency: "CHF", sign: "CHF", pattern: "¤\u{A0}#", decimal: ".", group: "’"),
        Locale(name: "fr-FR", currency: "EUR", sign: "€", pattern: "#\u{A0}¤", group: "\u{202F}"),
        Locale(name: "fr-CA", currency: "CAD", sign: "$", pattern: "#\u{A0}¤"),
        Locale(name: "it-IT", currency: "EUR", sign: "€", pattern: "#\u{A0}¤", group: "."),
        Locale(name: "es-ES", currency: "EUR", sign: "€", pattern: "#\u{A0}¤", group: ".", minimumGrouping: 2),
        Locale(name: "es-MX", currency: "MXN", sign: "$", pattern: "¤#", decimal: ".", group: ","),
        Locale(name: "pt-PT", currency: "EUR", sign: "€", pattern: "#\u{A0}¤", minimumGrouping: 2),
        Locale(name: "pt-BR", currency: "BRL", sign: "R$", pattern: "¤\u{A0}#", group: "."),
        Locale(name: "nl-NL", currency: "EUR", sign: "€", pattern: "¤\u{A0}#", group: "."),
        Locale(name: "sv-SE", currency: "SEK", sign: "kr", pattern: "#\u{A0}¤", minus: "\u{2212}"),
        Locale(name: "nb-NO", currency: "NOK", sign: "kr", pattern: "¤\u{A0}#", minus: "\u{2212}"),
        Locale(name: "da-DK", currency: "DKK", sign: "kr.", pattern: "#\u{A0}¤", group: "."),
        Locale(name: "fi-FI", currency: "EUR", sign: "€", pattern: "#\u{A0}¤", minus: "\u{2212}"),
        Locale(name: "cs-CZ", currency: "CZK", sign: "Kč", pattern: "#\u{A0}¤"),
        Locale(name: "sk-SK", currency: "EUR", sign: "€", pattern: "#\u{A0}¤"),
        Locale(name: "pl-PL", currency: "PLN", sign: "zł", pattern: "#\u{A0}¤", minimumGrouping: 2),
        Locale(name: "hu-HU", currency: "HUF", sign: "Ft", pattern: "#\u{A0}¤"),
        Locale(name: "ro-RO", currency: "RON", sign: "lei", pattern: "#\u{A0}¤", group: "."),
        Locale(name: "bg-BG", currency: "BGN", sign: "лв.", pattern: "#\u{A0}¤", minimumGrouping: 2),
        Locale(name: "hr-BA", currency: "BAM", sign: "KM", pattern: "#\u{A0}¤", group: "."),
        Locale(name: "el-GR", currency: "EUR", sign: "€", pattern: "#\u{A0}¤", group: "."),
        Locale(name: "tr-TR", currency: "TRY", sign: "₺", pattern: "¤#", group: "."),
        Locale(name: "ru-RU", currency: "RUB", sign: "₽", pattern: "#\u{A0}¤"),
        Locale(name: "uk-UA", currency: "UAH", sign: "₴", pattern: "#\u{A0}¤"),
        Locale(name: "kk-KZ", currency: "KZT", sign: "₸", pattern: "#\u{A0}¤"),
        Locale(name: "ja-JP", currency: "JPY", sign: "￥", pattern: "¤#", decimal: ".", group: ",", places: 0),
        Locale(name: "ko-KR", currency: "KRW", sign: "₩", pattern: "¤#", decimal: ".", group: ",", places: 0),
        Locale(name: "zh-CN", currency: "CNY", sign: "¥", pattern: "¤#", decimal: ".", group: ","),
        Locale(name: "vi-VN", currency: "VND", sign: "₫", pattern: "#\u{A0}¤", group: ".", places: 0),
        Locale(name: "th-TH", currency: "THB", sign: "฿", pattern: "¤#", decimal: ".", group: ","),
        Locale(name: "id-ID", currency: "IDR", sign: "Rp", pattern: "¤\u{A0}#", group: "."),
        Locale(
            name: "he-IL", currency: "ILS", sign: "\u{200F}₪", pattern: "\u{200F}#\u{A0}¤", decimal: ".", group: ","),
        Locale(
            name: "ar-EG", currency: "EGP", sign: "ج.م.\u{200F}", pattern: "\u{200F}#\u{A0}¤", decimal: "٫", group: "٬",
            zero: 0x660),
        Locale(
            name: "ar-KW", currency: "KWD", sign: "د.ك.\u{200F}", pattern: "\u{200F}#\u{A0}¤", decimal: "٫", group: "٬",
            zero: 0x660, places: 3),
        Locale(
            name: "fa-IR", currency: "IRR", sign: "ریال", pattern: "\u{200E}¤\u{A0}#", decimal: "٫", group: "٬",
            zero: 0x6F0),
        Locale(
            name: "hi-IN", currency: "INR", sign: "₹", pattern: "¤#", decimal: ".", group: ",", groupsByTwo: true,
            zero: 0x966),
        Locale(
            name: "bn-BD", currency: "BDT", sign: "৳", pattern: "#¤", decimal: ".", group: ",", groupsByTwo: true,
            zero: 0x9E6),
    ]

    /// The digits of a number that has no sign.
    func number(_ digits: [UInt8], grouped: Bool) -> String {
        let whole = digits.dropLast(places)
        var text = ""
        for (index, digit) in whole.enumerated() {
            let left = whole.count - index
            let isBoundary = left == 3 || left > 3 && (groupsByTwo ? (left - 3) % 2 == 0 : left % 3 == 0)
            if grouped, index > 0, isBoundary, whole.count >= 3 + minimumGrouping { text += group }
            text.unicodeScalars.append(scalar(digit))
        }
        if places > 0 { text += decimal }
        for digit in digits.suffix(places) { text.unicodeScalars.append(scalar(digit)) }
        return text
    }

    private func scalar(_ digit: UInt8) -> Unicode.Scalar { Unicode.Scalar(zero + UInt32(digit)) ?? "0" }

    func value(_ number: String, isNegative: Bool, withCode: Bool) -> String {
        var text = ""
        for character in pattern.unicodeScalars {
            switch character {
            case "#": text += number
            case "¤": text += withCode ? (pattern.contains("\u{A0}") ? currency : currency + "\u{A0}") : sign
            default: text.unicodeScalars.append(character)
            }
        }
        return isNegative ? minus + text : text
    }
}

/// An operation of a bank that shows what it signs, composed from the input: it has no contradiction.
func fuzzHonest(_ input: UnsafeRawBufferPointer) {
    var bytes = input.makeIterator()
    func next(_ count: Int) -> Int { Int(bytes.next() ?? 0) % count }
    let locale = Locale.all[next(Locale.all.count)]
    var digits = (0..<(locale.places + 1 + next(9))).map { _ in UInt8(next(10)) }
    if digits[0] == 0 { digits[0] = 1 + UInt8(next(9)) }
    let isNegative = next(8) == 0
    let (whole, fraction) = (digits.dropLast(locale.places), digits.suffix(locale.places))
    func plain(_ digits: ArraySlice<UInt8>) -> String { digits.map { String($0) }.joined() }
    let signed = (isNegative ? "-" : "") + plain(whole) + (locale.places > 0 ? "." + plain(fraction) : "")
    let number = locale.number(digits, grouped: next(4) > 0)
    let value = locale.value(number, isNegative: isNegative, withCode: next(3) == 0)
    let amount = isNegative ? locale.minus + number : number

    let bank = "30300000" + (0..<12).map { _ in String(next(10)) }.joined()
    let remainder = (bank + "123500").utf8.reduce(0) { ($0 * 10 + Int($1) - 0x30) % 97 }
    let iban = "CZ" + (98 - remainder < 10 ? "0" : "") + String(98 - remainder) + bank
    let grouped = stride(from: 0, to: 24, by: 4).map { String(iban.dropFirst($0).prefix(4)) }.joined(separator: " ")
    let account = [iban, grouped, String(iban.lowercased())][next(3)]

    var rows = [#"{"type":"KEY_VALUE","id":"account","label":"To account","value":"\#(account)"}"#]
    // Texts of right-to-left languages have no names of currencies that are known, and show nothing.
    let isMessage = locale.zero != 0x30 || locale.sign.unicodeScalars.count > 3
    switch next(isMessage ? 2 : 4) {
    case 0:
        rows.append(
            #"{"type":"AMOUNT","id":"amount","label":"Amount","amount":\#(signed),"currency":"\#(locale.currency)","#
                + #""amountFormatted":"\#(amount)","currencyFormatted":"\#(locale.sign)","valueFormatted":"\#(value)"}"#
        )
    case 1: rows.append(#"{"type":"KEY_VALUE","id":"amount","label":"Amount","value":"\#(value)"}"#)
    case 2:
        rows.append(#"{"type":"KEY_VALUE","id":"amount","label":"Amount (\#(locale.currency))","value":"\#(amount)"}"#)
    default:
        rows.append(
            #"{"type":"AMOUNT_CONVERSION","id":"c","label":"Exchange","dynamic":true,"sourceAmount":\#(signed),"#
                + #""sourceCurrency":"\#(locale.currency)","sourceValueFormatted":"\#(value)","targetAmount":7.5,"#
                + #""targetCurrency":"NZD","targetAmountFormatted":"7.50","targetValueFormatted":"NZ$7.50"}"#)
    }
    if next(2) == 0 { rows.append(#"{"type":"KEY_VALUE","id":"d","label":"Due","value":"29. 6. 2017"}"#) }
    if next(2) == 0 { rows.append(#"{"type":"KEY_VALUE","id":"vs","label":"VS","value":"2024000123"}"#) }
    if next(2) == 0 {
        rows.append(#"{"type":"KEY_VALUE","id":"from","label":"From","value":"DE89 3704 0044 0532 0130 00"}"#)
    }
    let message = next(2) == 0 ? "Please pay \(value) to \(account)." : "Please confirm."
    let text =
        #"{"id":"1","name":"n","data":"A1*A\#(signed)\#(locale.currency)*I\#(iban)","operationCreated":0,"operationExpires":1,"#
        + #""allowedSignatureType":{"type":"1FA","variants":[]},"formData":{"title":"Payment","message":"\#(message)","#
        + #""attributes":[\#(rows.joined(separator: ","))]}}"#
    guard let document = try? JSONDocument(parsing: [UInt8](text.utf8)) else { return require(false, "no JSON") }
    var decoder = ModelDecoder(document: document)
    guard let operation = try? UserOperation(document.root.node, &decoder) else {
        return require(false, "no operation")
    }
    if !operation.contradictions.isEmpty {
        fatalError("\(locale.name): \(operation.contradictions.rawValue) of \(text)")
    }
}
