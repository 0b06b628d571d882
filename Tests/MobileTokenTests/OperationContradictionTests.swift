import MobileTokenJSON
import Testing

@testable import MobileToken

/// What the user reads beside what is signed.
struct OperationContradictionTests {
    private func contradictions(_ data: String, _ attributes: [String]) throws -> Contradictions {
        let text =
            #"{"id":"1","name":"n","data":"\#(data)","operationCreated":0,"operationExpires":1,"#
            + #""allowedSignatureType":{"type":"1FA","variants":[]},"#
            + #""formData":{"title":"t","message":"m","attributes":["# + attributes.joined(separator: ",") + "]}}"
        return try [UInt8](text.utf8).withUnsafeBytes { try UserOperation.decode(json: $0) }.contradictions
    }

    private func amount(_ number: String, _ currency: String) -> String {
        #"{"type":"AMOUNT","id":"a","label":"A","amount":\#(number),"currency":"\#(currency)","amountFormatted":"x"}"#
    }

    private func value(_ text: String) -> String { #"{"type":"KEY_VALUE","id":"k","label":"K","value":"\#(text)"}"# }

    private static let iban = "CZ2730300000001165254011"

    @Test func agreement() throws {
        let shown = [amount("100.50", "CZK"), amount("1.5", "EUR"), value("CZ27 3030 0000 0011 6525 4011")]
        #expect(try contradictions("A1*A100.5CZK*I\(Self.iban)", shown) == [])
        #expect(try contradictions("A1*A0100.500czk", shown) == [])
        #expect(try contradictions("A1*A1.50EUR*D20180425*Nhello", shown) == [])
    }

    @Test func contradiction() throws {
        #expect(try contradictions("A1*A1000CZK", [amount("100", "CZK")]) == .amount)
        #expect(try contradictions("A1*A100EUR", [amount("100", "CZK")]) == .currency)
        #expect(try contradictions("A1*A-100CZK", [amount("100", "CZK")]) == .amount)
        #expect(try contradictions("A1*I\(Self.iban)", [value("DE89370400440532013000")]) == .account)
        #expect(try contradictions("A1*Q12345678/0100", [value("87654321/0100")]) == .account)
        let both = try contradictions(
            "A1*A1CZK*I\(Self.iban)", [amount("2", "CZK"), value("DE89 3704 0044 0532 0130 00")])
        #expect(both == [.amount, .account])
    }

    @Test func onlyWhatIsOnBothSidesContradicts() throws {
        #expect(try contradictions("A1*A100CZK*I\(Self.iban)", []) == [])
        #expect(try contradictions("A1*A100CZK", [value("anything"), amount("null", "CZK")]) == [])
        #expect(try contradictions("A2", [amount("100", "CZK")]) == [])
        #expect(try contradictions("not of this form", [amount("100", "CZK")]) == [])
        #expect(try contradictions("A1*I\(Self.iban)", [value("a text/with a stroke"), value("1/0100")]) == [])
        #expect(try contradictions("A1*Q12345678/0100", [value("12345678 / 0100")]) == [])
    }

    @Test func conversionsShowBothSides() throws {
        let conversion =
            #"{"type":"AMOUNT_CONVERSION","id":"c","label":"C","dynamic":true,"sourceAmount":1,"#
            + #""sourceCurrency":"EUR","targetAmount":25.10,"targetCurrency":"CZK"}"#
        #expect(try contradictions("A1*A25.1CZK", [conversion]) == [])
        #expect(try contradictions("A1*A1EUR", [conversion]) == [])
        #expect(try contradictions("A1*A1CZK", [conversion]) == .currency)
    }
}
