import Foundation
import MobileTokenJSON
import Testing

@testable import MobileTokenModel

@Suite("Operation models: what an operation says of itself")
struct OperationIssueTests {
    private func operations(_ form: String, data: String = "A2", count: Int = 1) throws -> OperationList {
        let one =
            #"{"id":"1","name":"n","data":"\#(data)","operationCreated":0,"operationExpires":1,"#
            + #""allowedSignatureType":{"type":"1FA","variants":[]},"formData":\#(form)}"#
        let all = [String](repeating: one, count: count).joined(separator: ",")
        return try OperationList.decode(try envelope(Array(#"{"status":"OK","responseObject":[\#(all)]}"#.utf8)))
    }

    @Test("its issues are its own, without its place in the list")
    func own() throws {
        let list = try operations(#"{"title":"T","attributes":[{"type":"NOTE","id":"n","label":"L"}]}"#, count: 2)
        for operation in list.operations {
            #expect(operation.issues.map(\.detail) == ["attribute 0: note: missing"])
            #expect(operation.formData.hasLostRows)
        }
        #expect(
            list.issues.map(\.description) == [
                "operation 0: attribute 0: note: missing", "operation 1: attribute 0: note: missing",
            ])
        #expect(try operations(#"{"title":"T"}"#).operations.first?.issues == [])
    }

    @Test(
        "a name that the server did not fill in is an issue",
        arguments: [
            ("${amount}", true), ("Pay ${a.b} now", true), ("${", false), ("${}", false), ("$ {a}", false),
            ("{a}", false), ("$a", false),
            ("}${", false), ("${${a}", true), ("$${a}", true), ("", false), ("${a\\n}", true),
        ])
    func unresolved(text: String, isIssue: Bool) throws {
        let title = try operations(#"{"title":"\#(text)","message":"m"}"#).operations.first
        #expect(title?.issues.map(\.detail) == (isIssue ? ["formData.title: unresolved"] : []))
        let message = try operations(#"{"title":"t","message":"\#(text)"}"#).operations.first
        #expect(message?.issues.map(\.detail) == (isIssue ? ["formData.message: unresolved"] : []))
        let data = try operations(#"{"title":"t"}"#, data: "A1*N\(text)").operations.first
        #expect(data?.issues.map(\.detail) == (isIssue ? ["data: unresolved"] : []))
        #expect(data?.signedData != nil || text.contains("\\n"))
    }

    @Test(
        "a number that cannot be read is an issue of a row that is kept",
        arguments: [
            (#""AMOUNT","amount":"1","currency":"CZK","amountFormatted":"one""#, "amount: wrong type"),
            (#""AMOUNT","amount":1e400,"currency":"CZK","amountFormatted":"much""#, "amount: invalid"),
            (#""AMOUNT","amount":null,"currency":"CZK","amountFormatted":"one""#, nil),
            (
                #""AMOUNT_CONVERSION","dynamic":true,"sourceAmount":1,"sourceCurrency":"CZK","targetAmount":"1","#
                    + #""targetAmountFormatted":"one","targetCurrency":"EUR""#, "targetAmount: wrong type"
            ),
            (#""HEADING","level":"2""#, "level: wrong type"), (#""HEADING","level":2"#, nil), (#""HEADING""#, nil),
        ] as [(String, String?)])
    func numbers(row: String, issue: String?) throws {
        let list = try operations(#"{"title":"T","attributes":[{"id":"a","label":"L","type":\#(row)}]}"#)
        #expect(list.operations.first?.formData.attributes.count == 1)
        #expect(list.operations.first?.issues.map(\.detail) == (issue.map { ["attribute 0: \($0)"] } ?? []))
    }

    @Test("an operation keeps twenty issues at most")
    func many() throws {
        let rows = [String](repeating: "5", count: 250).joined(separator: ",")
        let list = try operations(#"{"title":"T","attributes":[\#(rows)]}"#)
        #expect(list.operations.first?.issues.count == 20)
        #expect(list.issues.count == 20 && list.furtherIssues == 230)
    }

    @Test("a list of exactly a hundred may be cut", arguments: [(0, false), (99, false), (100, true), (101, false)])
    func cut(count: Int, mayBeCut: Bool) throws {
        #expect(try operations(#"{"title":"T"}"#, count: count).mayBeCut == mayBeCut)
    }
}
