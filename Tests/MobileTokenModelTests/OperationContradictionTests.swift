import Foundation
import MobileTokenJSON
import TestSupport
import Testing

@testable import MobileTokenModel

/// What the user reads beside what is signed.
struct OperationContradictionTests {
    // MARK: The tables in Tests/shown

    /// One operation of a table.
    struct Entry: CustomTestStringConvertible {
        let name: String
        let operation: UserOperation
        let expected: Contradictions
        var testDescription: String { name }
    }

    private static let names: [String: Contradictions] = [
        "AMOUNT": .amount, "CURRENCY": .currency, "ACCOUNT": .account, "AMOUNT_HIDDEN": .amountHidden,
        "ACCOUNT_HIDDEN": .accountHidden, "AMOUNT_TEXT": .amountText, "UNSIGNED_AMOUNT": .unsignedAmount,
        "LOST_ROW": .lostRow, "UNREADABLE": .unreadable, "TOO_LONG": .tooLong,
    ]

    static func table(_ name: String) throws -> [Entry] {
        let file = Vectors.directory.deletingLastPathComponent().appendingPathComponent("shown/\(name).json")
        let limits = JSONLimits(allowsAnyTopLevel: true)
        let document = try JSONDocument(parsing: [UInt8](try Data(contentsOf: file)), limits: limits)
        return try (0..<document.root.count).map { index in
            let entry = try #require(document.root[index])
            func member(_ name: String) -> String { entry.member(name)?.rawText ?? "null" }
            let text =
                #"{"id":"1","name":"n","data":\#(member("data")),"operationCreated":0,"operationExpires":1,"#
                + #""allowedSignatureType":{"type":"1FA","variants":[]},"ui":\#(member("ui")),"#
                + #""formData":{"title":\#(member("title")),"message":\#(member("message")),"#
                + #""attributes":\#(member("attributes"))}}"#
            var expected: Contradictions = []
            if let bits = entry["contradictions"] {
                for bit in 0..<bits.count {
                    let name = try #require(bits[bit]?.text?.string)
                    expected.formUnion(try #require(names[name]))
                }
            }
            return Entry(
                name: try #require(entry["name"]?.text?.string),
                operation: try [UInt8](text.utf8).withUnsafeBytes { try UserOperation.decode(json: $0) },
                expected: expected)
        }
    }

    @Test func eachLieHasItsContradiction() throws {
        let lies = try Self.table("lies")
        #expect(lies.count >= 250)
        for lie in lies {
            #expect(!lie.expected.isEmpty, "\(lie.name)")
            #expect(lie.operation.contradictions.rawValue == lie.expected.rawValue, "\(lie.name)")
        }
        let all = lies.reduce(into: Contradictions()) { $0.formUnion($1.expected) }
        #expect(all.rawValue == 1023)
    }

    @Test func whatIsHonestHasNone() throws {
        for entry in try Self.table("honest") {
            #expect(entry.operation.contradictions.rawValue == 0, "\(entry.name)")
        }
    }

    // MARK: The vectors

    /// Operations of the upstream suites that sign 100 CZK, and show something else, because they test the reading of rows only.
    private static let upstreamLies: [String: Contradictions] = [
        "965165234082.23": .amount, "THIS_IS_FAKE_ATTR": .amountHidden,
    ]

    @Test func operationsOfTheVectorsAreHonest() throws {
        var seen: Set<Int32> = []
        for entry in try vectorCases("operations-list") {
            guard let envelope = try? envelope(entry.input), let list = try? OperationList.decode(envelope) else {
                continue
            }
            for operation in list.operations {
                let json = operation.json.rawText
                var expected: Contradictions = operation.formData.hasLostRows ? .lostRow : []
                if json.contains("A1*A100CZK"), !json.contains(#""amount": 100"#), !json.contains(#""amount":100"#) {
                    let shows = json.contains("965165234082.23") && !json.contains("THIS_IS_FAKE_ATTR")
                    expected.insert(shows || json.contains("AMOUNT_CONVERSION") ? .amount : .amountHidden)
                    if !json.contains("238400856/0300\"")
                        || !operation.formData.attributes.contains(where: {
                            if case .keyValue(let value) = $0.content { value.equals("238400856/0300") } else { false }
                        })
                    {
                        expected.insert(.accountHidden)
                    }
                }
                #expect(operation.contradictions.rawValue == expected.rawValue, "\(entry.id)")
                seen.insert(operation.contradictions.rawValue)
            }
        }
        #expect(seen.contains(0))
    }

    // MARK: The signed summary

    @Test(
        arguments: [
            (
                "A1*A10000.50CZK*ICZ2730300000001165254011,GIBACZPX*D20180425*NRent",
                "Payment\nAmount: 10000.50 CZK\n"
                    + "Account: CZ2730300000001165254011, BIC GIBACZPX\nDate: 2018-04-25\nNote: \"Rent\""
            ),
            (
                "A1*A-.5eur**Q19-2000145399/0800*R/VS1",
                "Payment\nAmount: -0.5 EUR\nAccount: \"19-2000145399/0800\"\n"
                    + "Reference: \"/VS1\""
            ),
            ("A2", "Login"), ("B7*Thello*Xworld", "Operation\nText: \"hello\"\nOther: \"Xworld\""),
            // Nothing in it begins a line, ends a quotation, is unseen or turns the order.
            (
                #"A1*A1CZK*Na\nAmount: 2 EUR*Tb" \\ c"#,
                #"""
                Payment
                Amount: 1 CZK
                Note: "a\u{000A}Amount: 2 EUR"
                Text: "b\" \\ c"
                """#
            ),
            (
                "A2*Na\u{202E}b\u{200B}c\u{A0}d\u{E0041}e č Ж",
                #"Login"# + "\n" + #"Note: "a\u{202E}b\u{200B}c\u{00A0}d\u{0E0041}e č Ж""#
            ),
            ("Pay 1 EUR\nto me", #"Cannot be read: "Pay 1 EUR\u{000A}to me""#), ("", #"Cannot be read: """#),
        ] as [(String, String)])
    func summarySaysWhatIsSigned(data: String, lines: String) {
        let made = [UInt8](data.utf8).withUnsafeBytes { SignedSummary.text(of: $0) }
        #expect(String(decoding: made, as: UTF8.self) == lines)
    }

    // MARK: Bounds

    private func contradictions(_ data: String, _ attributes: [String]) throws -> Contradictions {
        let text =
            #"{"id":"1","name":"n","data":"\#(data)","operationCreated":0,"operationExpires":1,"#
            + #""allowedSignatureType":{"type":"1FA","variants":[]},"#
            + #""formData":{"title":"t","message":"m","attributes":["# + attributes.joined(separator: ",") + "]}}"
        return try [UInt8](text.utf8).withUnsafeBytes { try UserOperation.decode(json: $0) }.contradictions
    }

    private func note(_ text: String) -> String { #"{"type":"NOTE","id":"k","label":"K","note":"\#(text)"}"# }

    /// What a comparison takes of the processor with a text of this many repetitions: the least of three, and of this thread
    /// alone, so that what else the machine does is not counted.
    private func work(_ data: String, _ part: String, _ count: Int) throws -> Double {
        let form = [note(String(repeating: part, count: count))]
        var least = Double.infinity
        for _ in 0..<3 {
            let start = threadSeconds()
            _ = try contradictions(data, form)
            least = min(least, threadSeconds() - start)
        }
        return least
    }

    private func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test(arguments: [
        "1 ", "1 CZK ", "1.", "1 000 ", "CZK ", "CZK1", "-", "- 1", "1e5 ", "\u{200B}1", "1 tis. ", "\u{202E}1 CZK ",
        "a", "CZ27 ", "11 1",
        "1-", "1/", "9 CZK\\n", "1=1", "١٬",
    ])
    func longTextsTakeWorkInProportion(part: String) throws {
        let digits = String(repeating: "1", count: 60)
        for data in ["A1*A1\(digits)CZK*A2EUR*A3EUR*A4EUR*I\(digits)*Q1 1 1 1 1 1 1 1 1 1 1 1", "A1*A1CZK*NCZK 1 CZK"] {
            // Sixteen times the text; a step that went back to the start for each part would make it 256 times the work.
            let (short, long) = (100, 1_600)
            let base = try work(data, part, short)
            let grown = try work(data, part, long)
            #expect(grown < base * 16 * 5, "\(part)")
        }
    }

    @Test func nothingTraps() throws {
        // Each text of the honest table, cut and joined at each place, in each row.
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "1", "0", ",", ".", " ", "\u{A0}", "’", "-", "−", "CZK", "Kč", "€", "k", "tis.", "=", "(", ")", "١", "٫",
            "\u{200F}", "\u{202E}",
            "e", "x", "/", "CZ27", "3030", "\\n", "９", "𝟏", "\u{336}", "円",
        ]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...12)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let amount =
                #"{"type":"AMOUNT","id":"a","label":"\#(text)","amount":1,"currency":"CZK\#(text)","amountFormatted":"\#(text)1","#
                + #""valueFormatted":"\#(text)"}"#
            _ = try contradictions("A1*A1CZK*Q\(text.replacingOccurrences(of: "\\n", with: ""))", [amount, note(text)])
        }
    }
}
