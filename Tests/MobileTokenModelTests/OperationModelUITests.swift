import Foundation
import MobileTokenJSON
import TestSupport
import Testing

@testable import MobileTokenModel

@Suite("Operation models: user interface")
struct OperationModelUITests {
    private func decode(_ ui: String) throws -> (ui: OperationUI?, issues: [String]) {
        let list = try OperationText.decode(OperationText([("ui", ui)]).operation)
        let operation = try #require(list.operations.first)
        return (operation.ui, list.issues.map(\.description))
    }

    /// One value of each JSON kind but object.
    private let noObjects = ["null", "true", "5", "1.5", #""x""#, "[]", "[5]"]

    @Test("what is no object is absent, and reported unless it is null")
    func wrongTypes() throws {
        for value in noObjects {
            let (ui, issues) = try decode(value)
            #expect(ui == nil)
            #expect(issues == (value == "null" ? [] : ["operation 0: ui: wrong type"]))
            for name in ["preApprovalScreen", "postApprovalScreen", "templates"] {
                let (ui, issues) = try decode(#"{"flipButtons":true,"\#(name)":\#(value)}"#)
                #expect(ui?.flipButtons == true)
                #expect(ui?.preApprovalScreens == nil && ui?.postApprovalScreen == nil && ui?.templates == nil)
                #expect(issues == (value == "null" ? [] : ["operation 0: ui.\(name): wrong type"]))
            }
        }
    }

    @Test("a list of screens wins over the single screen only if it is a list")
    func precedence() throws {
        let legacy = #""preApprovalScreen":{"type":"INFO","heading":"legacy"}"#
        #expect(try decode(#"{"preApprovalScreens":[],\#(legacy)}"#).ui?.preApprovalScreens?.count == 0)
        #expect(
            try decode(#"{"preApprovalScreens":null,\#(legacy)}"#).ui?.preApprovalScreens?.first?.heading.string
                == "legacy")
        #expect(
            try decode(#"{"preApprovalScreens":{},\#(legacy)}"#).ui?.preApprovalScreens?.first?.heading.string
                == "legacy")
        #expect(
            try decode(#"{"preApprovalScreens":[],\#(legacy)}"#).ui?.legacyPreApprovalScreen?.heading.string == "legacy"
        )
    }

    @Test("screens, elements and controls with any member of any type")
    func lenient() throws {
        let values = noObjects + ["{}", #"{"type":[]}"#, #""\u0000""#]
        let screen = [
            "id": #""i""#, "type": #""INFO""#, "backButton": "true", "image": #""p""#, "heading": #""h""#,
            "message": #""m""#,
            "elements": #"[{"type":"BUTTON"}]"#, "controls": #"{"flip":true}"#,
        ]
        for name in screen.keys {
            for value in values {
                let members = screen.merging([name: value]) { $1 }.map { "\"\($0)\":\($1)" }.joined(separator: ",")
                let screens = try #require(
                    try decode(#"{"preApprovalScreens":[{\#(members)}]}"#).ui?.preApprovalScreens)
                #expect(screens.count == 1)
                let shown = try #require(screens.first)
                if name != "heading" { #expect(shown.heading.string == "h") }
                if name != "type" { #expect(shown.kind == .info) } else { #expect(shown.kind == .unknown) }
                if name != "elements" { #expect(shown.elements?.count == 1) }
                if name != "controls" { #expect(shown.controls?.flip == true) }
            }
        }
        for value in noObjects {
            let (ui, issues) = try decode(#"{"preApprovalScreens":[{"heading":"a"},\#(value),{"heading":"b"}]}"#)
            #expect(ui?.preApprovalScreens?.map(\.heading.string) == ["a", "b"])
            #expect(issues == ["operation 0: screen 1: ui.preApprovalScreens: wrong type"])
            let element = try decode(
                #"{"preApprovalScreens":[{"elements":[{"type":"ALERT"},\#(value),{"text":"x"},{"type":"NEW"}]}]}"#)
            #expect(element.ui?.preApprovalScreens?.first?.elements?.map(\.rawType.string) == ["ALERT", "NEW"])
            #expect(
                element.issues == [
                    "operation 0: element 1: value: wrong type", "operation 0: element 2: type: missing",
                ])
        }
    }

    @Test("a legacy screen is kept if it shows or asks anything")
    func legacy() throws {
        for kept in [
            #"{"type":"WARNING"}"#, #"{"type":"QR_SCAN"}"#, #"{"type":"INFO","heading":"h"}"#,
            #"{"type":"INFO","message":"m"}"#,
            #"{"type":"INFO","items":["x"]}"#, #"{"type":"NEW","approvalType":"SLIDER"}"#, #"{"heading":"h"}"#,
        ] {
            let (ui, issues) = try decode(#"{"preApprovalScreen":\#(kept)}"#)
            #expect(ui?.preApprovalScreens?.count == 1, "\(kept)")
            #expect(ui?.legacyPreApprovalScreen != nil)
            #expect(issues == [])
        }
        for dropped in ["{}", #"{"type":"INFO"}"#, #"{"type":"NEW","items":[]}"#, #"{"type":5,"heading":5}"#] {
            let (ui, issues) = try decode(#"{"preApprovalScreen":\#(dropped)}"#)
            #expect(ui != nil)
            #expect(ui?.preApprovalScreens == nil && ui?.legacyPreApprovalScreen == nil)
            #expect(issues.count == 1)
        }
        let (ui, issues) = try decode(#"{"preApprovalScreen":{"type":"INFO","items":["a",5,"b"]}}"#)
        #expect(ui?.preApprovalScreens?.first?.elements?.map { $0.text?.string } == ["a", "b"])
        #expect(issues == ["operation 0: element 1: ui.preApprovalScreen.items: wrong type"])
    }

    @Test("a screen after the approval needs a payload that fits")
    func postApproval() throws {
        for (payload, fault) in [
            ("", "payload: missing"), (#","payload":[]"#, "payload: wrong type"),
            (#","payload":{"redirectUrl":"u"}"#, "payload.redirectText: missing"),
            (#","payload":{"redirectText":"t"}"#, "payload.redirectUrl: missing"),
            (#","payload":{"redirectText":"t","redirectUrl":5}"#, "payload.redirectUrl: wrong type"),
        ] {
            let (ui, issues) = try decode(#"{"postApprovalScreen":{"type":"REDIRECT","heading":"h"\#(payload)}}"#)
            #expect(ui != nil && ui?.postApprovalScreen == nil)
            #expect(issues == ["operation 0: screen: \(fault)"])
        }
        for payload in ["", #","payload":5"#, #","payload":{}"#, #","payload":{"attributes":{}}"#] {
            let (ui, issues) = try decode(#"{"postApprovalScreen":{"type":"REVIEW"\#(payload)}}"#)
            #expect(ui?.postApprovalScreen == nil)
            #expect(issues.count == 1)
        }
        let path = "operation 0: ui.postApprovalScreen.payload.countdown"
        for (countdown, seconds, issue) in [
            ("5", 5, nil), ("0", 0, nil), ("null", 0, nil), ("-5", 0, "invalid"), ("1.5", 0, "invalid"),
            (#""5""#, 0, "wrong type"), ("99999999999999999999", 0, "invalid"), ("true", 0, "wrong type"),
        ] {
            let (ui, issues) = try decode(
                #"{"postApprovalScreen":{"type":"REDIRECT","payload":{"redirectText":"t","redirectUrl":"u","countdown":\#(countdown)}}}"#
            )
            guard case .redirect(let redirect)? = ui?.postApprovalScreen?.content else {
                Issue.record("no redirect")
                continue
            }
            #expect(redirect.countdown == Int64(seconds))
            #expect(issues == (issue.map { ["\(path): \($0)"] } ?? []))
            #expect(ui?.postApprovalScreen?.heading.string == "")
        }
    }

    @Test("a counter that cannot be read is an issue")
    func counter() throws {
        let path = "operation 0: ui.preApprovalScreens.controls.approve.counter"
        for (counter, seconds, issue) in [
            ("5", 5, nil), ("null", nil, nil), (#""5""#, nil, "wrong type"), ("1.5", nil, "invalid"),
        ] as [(String, Int64?, String?)] {
            let (ui, issues) = try decode(#"{"preApprovalScreens":[{"controls":{"approve":{"counter":\#(counter)}}}]}"#)
            #expect(ui?.preApprovalScreens?.first?.controls?.approve?.counter == seconds)
            #expect(issues == (issue.map { ["\(path): \($0)"] } ?? []))
        }
    }

    @Test("a payload keeps its text, and a review its exact amounts")
    func payloads() throws {
        let payload = #"{ "n" : 12345678901234567890.12 }"#
        for type in [#""type":"GENERIC","#, #""type":"NEW","#, #""type":5,"#, ""] {
            let screen = try decode(#"{"postApprovalScreen":{\#(type)"payload":\#(payload)}}"#).ui?.postApprovalScreen
            switch screen?.content {
            case .generic(let found?): #expect(found.rawText == payload && type.contains("GENERIC"))
            case .unknown(let found?): #expect(found.rawText == payload && !type.contains("GENERIC"))
            default: Issue.record("no payload")
            }
        }
        let review = try decode(
            #"{"postApprovalScreen":{"type":"REVIEW","payload":{"attributes":[5,{"type":"AMOUNT","id":"a","label":"L","amount":0.30000000000000000001,"currency":"X"}]}}}"#
        )
        guard case .review(let attributes)? = review.ui?.postApprovalScreen?.content,
            case .amount(let amount)? = attributes.first?.content
        else {
            Issue.record("no review")
            return
        }
        #expect(amount.amount?.text == "0.30000000000000000001")
        #expect(review.issues == ["operation 0: attribute 0: value: wrong type"])
    }

    @Test("templates")
    func templates() throws {
        let (ui, issues) = try decode(
            #"""
            {"templates":{"list":{"style":"s","header":"${a}","title":5,"message":"m","image":"i"},
            "detail":{"style":"d","showTitleAndMessage":false,"sections":[
            {"style":"x","title":"t","cells":[{"name":"a","style":"b","visibleTitle":true,"canCopy":false,"collapsable":"COLLAPSED","centered":true},
            {"style":"no name"},5,{"name":"c","collapsable":"MAYBE","visibleTitle":"yes"}]},
            {"cells":{}},7,{}]}}}
            """#)
        let templates = try #require(ui?.templates)
        #expect(templates.list?.style?.string == "s" && templates.list?.header?.string == "${a}")
        #expect(
            templates.list?.title == nil && templates.list?.message?.string == "m"
                && templates.list?.image?.string == "i")
        #expect(templates.detail?.style?.string == "d" && templates.detail?.showTitleAndMessage == false)
        let sections = try #require(templates.detail?.sections)
        #expect(sections.count == 3)
        #expect(sections.first?.title?.string == "t")
        let cells = try #require(sections.first?.cells)
        #expect(cells.map(\.name.string) == ["a", "c"])
        #expect(cells.first?.visibleTitle == true && cells.first?.canCopy == false && cells.first?.centered == true)
        #expect(cells.first?.collapsable == .collapsed && cells.last?.collapsable == .unknown)
        #expect(cells.last?.visibleTitle == nil)
        #expect(sections.dropFirst().allSatisfy { $0.cells == nil })
        #expect(
            issues == [
                "operation 0: cell 1: name: missing", "operation 0: cell 2: value: wrong type",
                "operation 0: ui.templates.detail.sections.cells: wrong type",
                "operation 0: section 2: value: wrong type",
            ])
        #expect(try decode(#"{"templates":{}}"#).ui?.templates?.detail == nil)
        #expect(
            try decode(#"{"templates":{"list":{},"detail":{"sections":"x"}}}"#).ui?.templates?.detail?.sections == nil)
    }
}
