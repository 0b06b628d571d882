import Foundation
import Testing

@testable import MobileTokenModel

@Suite("Operation models: amounts")
struct OperationModelAmountTests {
    private func amount(_ json: String) throws -> OperationAttribute.Amount? {
        let list = try OperationText.decode(
            OperationText.attributes(
                #"{"type":"NOTE","id":"n","label":"L","note":"x"}"#,
                #"{"type":"AMOUNT","id":"a","label":"L",\#(json)}"#))
        guard case .amount(let amount)? = list.operations.first?.formData.attributes.last?.content else { return nil }
        return amount
    }

    @Test(
        "the decimal text is exact, with the digits that were sent",
        arguments: [
            ("0", "0"), ("-0", "0"), ("0.0", "0.0"), ("-0.00", "0.00"), ("0e5", "0"), ("-0.0e-5", "0.000000"),
            ("100", "100"),
            ("-5", "-5"),
            ("100.00", "100.00"), ("100.50", "100.50"), ("10000.50", "10000.50"), ("100.05", "100.05"),
            ("0.001", "0.001"),
            ("-0.10", "-0.10"),
            ("965165234082.23", "965165234082.23"), ("12345678901234567890.12", "12345678901234567890.12"),
            ("12345678901234567890", "12345678901234567890"), ("-99999999999999999999999", "-99999999999999999999999"),
            ("0.10000000000000000001", "0.10000000000000000001"), ("9223372036854775807", "9223372036854775807"),
            ("1E+3", "1000"), ("1e3", "1000"), ("1.5e3", "1500"), ("1.2345e2", "123.45"), ("12345e-2", "123.45"),
            ("1e-3", "0.001"), ("120e-1", "12.0"), ("1.20e1", "12.0"), ("0.00012e4", "1.2"), ("1e64", "1" + zeros(64)),
            ("-1e-64", "-0." + zeros(63) + "1"), ("100e-64", "0." + zeros(61) + "100"),
            ("1e65", "1e65"), ("1.50E-65", "1.50E-65"), ("5e-324", "5e-324"),
            ("1e-99999999999999999999", "1e-99999999999999999999"),
        ])
    func decimal(lexeme: String, text: String) throws {
        let amount = try #require(try amount(#""amount":\#(lexeme),"currency":"CZK""#))
        #expect(amount.amount?.text == text)
        #expect(amount.amount?.double == Double(lexeme) || lexeme.count > 20)
        #expect(amount.amountFormatted.string == text)
        #expect(amount.currencyFormatted.string == "CZK")
    }

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

    @Test("random decimals agree with Foundation's decimal arithmetic")
    func property() throws {
        for _ in 0..<2000 {
            var lexeme = Bool.random() ? "-" : ""
            lexeme += "\(Int.random(in: 0..<1_000_000))"
            if Bool.random() { lexeme += ".\(String(format: "%06d", Int.random(in: 0..<1_000_000)))" }
            if Bool.random() { lexeme += "e\(Int.random(in: -12...12))" }
            let expected = try #require(Decimal(string: lexeme))
            let text = try #require(try amount(#""amount":\#(lexeme),"currency":"CZK""#)?.amount?.text)
            #expect(Decimal(string: text) == expected && !text.lowercased().contains("e"), "\(lexeme)")
        }
    }

    @Test("a number beyond Double is none")
    func beyondDouble() throws {
        #expect(try amount(#""amount":1e400,"currency":"CZK""#) == nil)
        let formatted = try amount(#""amount":1e400,"currency":"CZK","amountFormatted":"much""#)
        #expect(formatted?.amount == nil)
        #expect(formatted?.amountFormatted.string == "much")
    }

    @Test(
        "what is missing falls back, and what is left without a text is broken",
        arguments: [
            (#""amount":1,"currency":"CZK""#, "1", "CZK"),
            (#""amount":1,"currency":"CZK","amountFormatted":"1,00","currencyFormatted":"Kč""#, "1,00", "Kč"),
            (#""amount":1,"currency":"CZK","amountFormatted":"","currencyFormatted":"""#, "1", "CZK"),
            (#""amount":1,"currency":"CZK","amountFormatted":null,"currencyFormatted":5"#, "1", "CZK"),
            (#""amount":"1","currency":"CZK","amountFormatted":"one""#, "one", "CZK"),
            (#""amount":null,"amountFormatted":"one","currencyFormatted":"crown""#, "one", "crown"),
            (#""amount":"1","currency":"CZK""#, nil, nil), (#""currency":"CZK""#, nil, nil), (#""amount":1"#, nil, nil),
            (#""amount":1,"currency":"""#, nil, nil), (#""amount":1,"currency":7"#, nil, nil),
            (#""amount":1,"currency":null,"currencyFormatted":"""#, nil, nil),
            (#""amount":true,"currency":"CZK""#, nil, nil), (#""amount":[1],"currency":"CZK""#, nil, nil),
            (#""amountFormatted":"","currency":"CZK""#, nil, nil),
        ] as [(String, String?, String?)])
    func fallbacks(json: String, amountText: String?, currencyText: String?) throws {
        let amount = try amount(json)
        #expect(amount?.amountFormatted.string == amountText)
        #expect(amount?.currencyFormatted.string == currencyText)
        let both = ["source", "target"].map { side in
            json.replacingOccurrences(of: #"(^|,)"([a-z])"#, with: "$1\"\(side)_$2", options: .regularExpression)
                .replacingOccurrences(of: "_a", with: "A").replacingOccurrences(of: "_c", with: "C")
        }.joined(separator: ",")
        let list = try OperationText.decode(
            OperationText.attributes(#"{"type":"AMOUNT_CONVERSION","id":"a","label":"L","dynamic":false,\#(both)}"#))
        if case .conversion(let conversion)? = list.operations.first?.formData.attributes.first?.content {
            #expect(!conversion.isDynamic)
            for side in [conversion.source, conversion.target] {
                #expect(side.amountFormatted.string == amountText)
                #expect(side.currencyFormatted.string == currencyText)
            }
        } else {
            #expect(amountText == nil)
            #expect(list.issues.map(\.subject) == [.attribute])
        }
    }

    @Test("amounts with fractions are found in their own attribute", arguments: [0, 1, 7])
    func manyAmounts(spaces: Int) throws {
        let space = String(repeating: " ", count: spaces)
        let attributes = (0..<50).map { index in
            index % 3 == 0
                ? #"{"type":"KEY_VALUE","id":"k","label":"{[,\"","value":"]}"}"#
                : #"{\#(space)"type":"AMOUNT","other":{"amount":9.9},"id":"a","label":"L","\u0061mount"\#(space):\#(space)\#(index).25\#(space),"currency":"X"}"#
        }
        let list = try OperationText.decode(
            OperationText([
                (
                    "formData",
                    #"{"x":[{"attributes":[]}],"title":"T","attributes":[\#(attributes.joined(separator: space + ","))]}"#
                )
            ]).operation)
        let decoded = try #require(list.operations.first?.formData.attributes)
        #expect(decoded.count == 50)
        for (index, attribute) in decoded.enumerated() where index % 3 != 0 {
            guard case .amount(let amount) = attribute.content else { continue }
            #expect(amount.amount?.text == "\(index).25")
        }
    }
}
