import Foundation
import MobileTokenJSON
import TestSupport
import Testing

@testable import MobileToken
@testable import MobileTokenModel

/// Operations laid out by their templates (operations.md §6.5).
struct OperationVisualTests {
    private static let attributes = #"""
        [{"type":"AMOUNT","id":"amount","label":"Amount","amount":100.5,"currency":"CZK","valueFormatted":"100,50 Kč"},
         {"type":"AMOUNT","id":"fee","label":"Fee","amount":2,"currency":"EUR"},
         {"type":"AMOUNT_CONVERSION","id":"conversion","label":"Rate","dynamic":true,"sourceAmount":1,"sourceCurrency":"EUR",
          "targetAmount":25.1,"targetCurrency":"CZK"},
         {"type":"KEY_VALUE","id":"to","label":"To","value":"Bob"},
         {"type":"NOTE","id":"note","label":"Note","note":"Thanks"},
         {"type":"HEADING","id":"head","label":"Details"},
         {"type":"IMAGE","id":"photo","label":"Photo","thumbnailUrl":"https://example.com/t.png"},
         {"type":"PARTY_INFO","id":"party","label":"Party","partyInfo":{"name":"Shop"}},
         {"type":"ALERT","id":"alert","label":"Alert","alertType":"INFO"},
         {"type":"NEW","id":"new","label":"New"}]
        """#

    private func operation(
        title: String = "Payment", message: String = "Please approve", attributes: String = Self.attributes,
        templates: String? = nil
    ) throws -> UserOperation {
        let ui = templates.map { #","ui":{"templates":\#($0)}"# } ?? ""
        let text =
            #"{"id":"1","name":"n","data":"A1","operationCreated":0,"operationExpires":1,"#
            + #""allowedSignatureType":{"type":"1FA","variants":[]},"#
            + #""formData":{"title":"\#(title)","message":"\#(message)","attributes":\#(attributes)}\#(ui)}"#
        return try [UInt8](text.utf8).withUnsafeBytes { try UserOperation.decode(json: $0) }
    }

    private func visual(_ templates: String?) throws -> OperationVisual {
        OperationVisual(try operation(templates: templates))
    }

    private func shown(_ section: OperationVisual.Section) -> [String] {
        section.cells.map { ($0.attribute?.id.string ?? "-") + "=" + ($0.text ?? "nil") }
    }

    private static let all = [
        "amount=100,50 Kč", "fee=2 EUR", "conversion=1 EUR → 25.1 CZK", "to=Bob", "note=Thanks", "head=Details",
        "photo=nil", "party=nil", "alert=nil", "new=nil",
    ]

    @Test func withoutTemplates() throws {
        let visual = try visual(nil)
        #expect(visual.list.title == "Payment" && visual.list.message == "Please approve")
        #expect(visual.list.header == nil && visual.list.imageURL == nil && visual.style == nil)
        #expect(visual.sections.map(shown) == [["-=Payment", "-=Please approve"], Self.all])
        #expect(visual.sections[0].cells.map(\.kind) == [.title, .message])
        #expect(
            visual.sections[1].cells.map(\.kind) == [
                .value, .value, .value, .value, .value, .heading, .image, .value, .value, .value,
            ])
        #expect(OperationVisual(try operation(attributes: "[]")).sections.count == 1)
    }

    @Test func listFormats() throws {
        let list = try visual(
            #"{"list":{"style":"POSITIVE","header":"${to}: ${amount}","title":"${conversion}","message":"${missing}","image":"photo"}}"#
        ).list
        #expect(list.header == "Bob: 100,50 Kč")
        #expect(list.title == "1 EUR → 25.1 CZK")
        #expect(list.message == "Please approve")  // one missing attribute makes the whole format absent
        #expect(list.imageURL?.string == "https://example.com/t.png")
        #expect(list.style?.string == "POSITIVE")
    }

    @Test(
        arguments: [
            ("plain", "plain"), ("$ {to} ${to", "$ {to} ${to"), ("${to}${to}", "BobBob"), ("a$${to}", "a$Bob"),
            ("${}", nil),
            ("${photo}", nil), ("${alert}", nil), ("${head}", "Details"), ("", ""),
        ])
    func placeholders(format: String, expected: String?) throws {
        #expect(try visual(#"{"list":{"header":"\#(format)"}}"#).list.header == expected)
    }

    @Test func emptyTextsAreNoTexts() throws {
        let list = OperationVisual(try operation(title: "", message: "")).list
        #expect(list.title == nil && list.message == nil)
        // An image must be one.
        #expect(try visual(#"{"list":{"image":"note"}}"#).list.imageURL == nil)
    }

    @Test func sectionsTakeTheirAttributesInOrderAndNoneIsLost() throws {
        let visual = try visual(
            #"""
            {"detail":{"style":"D","sections":[
              {"style":"S","title":"head","cells":[{"name":"to","style":"C","canCopy":true},{"name":"missing"},{"name":"to"}]},
              {"cells":[{"name":"amount"}]},
              {"title":"missing"}]}}
            """#)
        #expect(visual.style?.string == "D")
        #expect(
            visual.sections.map(shown) == [
                ["-=Payment", "-=Please approve"], ["to=Bob"], ["amount=100,50 Kč"], [],
                Self.all.filter { !$0.hasPrefix("to") && !$0.hasPrefix("amount") && !$0.hasPrefix("head") },
            ])
        let section = visual.sections[1]
        #expect(section.title?.string == "Details" && section.style?.string == "S")
        #expect(section.cells[0].template?.style?.string == "C" && section.cells[0].template?.canCopy == true)
    }

    @Test func aTitleHidesNoValue() throws {
        let visual = try visual(
            #"{"detail":{"sections":[{"title":"amount","cells":[{"name":"to"}]},{"title":"head"},{"title":"head"}]}}"#)
        #expect(visual.sections.map { $0.title?.string } == [nil, "Amount", "Details", nil, nil])
        #expect(visual.sections.last.map { shown($0).contains("amount=100,50 Kč") } == true)
        #expect(visual.sections.last.map { shown($0).contains("head=Details") } == false)
    }

    @Test func textsDoNotGrowWithoutBound() throws {
        let value = String(repeating: "x", count: 10_000)
        let note = #"[{"type":"NOTE","id":"n","label":"L","note":"\#(value)"}]"#
        for (count, fits) in [(6, true), (7, false), (16_000, false)] {
            let header = String(repeating: "${n}", count: count)
            let templates = #"{"list":{"header":"\#(header)","message":"${n}\#(header)"}}"#
            let list = OperationVisual(try operation(attributes: note, templates: templates)).list
            #expect(list.header?.utf8.count == (fits ? 60_000 : nil))
            #expect(list.message == "Please approve")
        }
        // Many placeholders without an end, many cells, many attributes: none of it is multiplied.
        let open = String(repeating: "${", count: 30_000)
        let many = "[" + (0..<12_000).map { #"{"type":"X","id":"\#($0)","label":""}"# }.joined(separator: ",") + "]"
        let cells = (0..<12_000).map { #"{"name":"\#($0 * 2)"}"# }.joined(separator: ",")
        let large = OperationVisual(
            try operation(
                attributes: many,
                templates: #"{"list":{"header":"\#(open)"},"detail":{"sections":[{"cells":[\#(cells)]}]}}"#))
        #expect(large.list.header == open)
        #expect(large.sections.map(\.cells.count) == [2, 6_000, 6_000])
    }

    @Test func titleAndMessageCanBeLeftOut() throws {
        let without = try visual(#"{"detail":{"showTitleAndMessage":false,"sections":[{"cells":[{"name":"to"}]}]}}"#)
        #expect(shown(without.sections[0]) == ["to=Bob"])
        // Not by a template that has no sections: the user would see nothing of the operation.
        let style = try visual(#"{"detail":{"showTitleAndMessage":false}}"#)
        #expect(shown(style.sections[0]) == ["-=Payment", "-=Please approve"])
    }

    @Test func onlyAnOperationIsLaidOut() throws {
        for text in ["", "{}", "[]", "{\"id\":1}"] {
            #expect(throws: Failure.self) {
                _ = try [UInt8](text.utf8).withUnsafeBytes { try UserOperation.decode(json: $0) }
            }
        }
    }
}
