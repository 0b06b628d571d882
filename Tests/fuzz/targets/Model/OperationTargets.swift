import FuzzSupport
import MobileTokenJSON

@testable import MobileTokenModel

/// A reply with a list of operations, or with one.
func fuzzOperations(_ input: UnsafeRawBufferPointer) {
    guard let envelope = readEnvelope(input) else { return }
    if let (operation, issues) = try? UserOperation.decode(envelope) {
        require(operation.issues == issues, "issues are lost")
        check(operation)
    }
    guard let list = try? OperationList.decode(envelope) else { return }
    guard case .success(let content?) = envelope.outcome else { return require(false, "a list out of nothing") }
    require(list.operations.count + list.skippedCount == content.count, "operations are lost")
    require(list.issues.count <= 100 && list.furtherIssues >= 0, "issues are not bounded")
    require(list.skippedCount <= list.issues.count + list.furtherIssues, "issues are lost")
    for issue in list.issues { require((0..<content.count).contains(issue.operation), "an issue of no operation") }
    for operation in list.operations { check(operation) }
}

/// The `ui` of an operation, whatever it is, beside operations that are as they should be: it hides none of them.
func fuzzUI(_ input: UnsafeRawBufferPointer) {
    let plain = #"""
        "name":"n","data":"A2","operationCreated":"2023-04-25T13:09:52Z","operationExpires":"2023-04-25T13:14:52Z",
        "allowedSignatureType":{"type":"1FA"},"formData":{"title":"T","message":"M","attributes":[
        {"type":"NOTE","id":"a","label":"L","note":"n"},{"type":"HEADING","id":"h","label":"H"},
        {"type":"IMAGE","id":"i","label":"I","thumbnailUrl":"u"},{"type":"AMOUNT","id":"m","label":"A","amount":1,"currency":"X"}
        ]}
        """#
    let text =
        Array(#"{"status":"OK","responseObject":[{"id":"first",\#(plain)},{"id":"second",\#(plain),"ui":"#.utf8) + input
        + Array("},{\"id\":\"third\",\(plain)}]}".utf8)
    // The input may be more than a value, and so break the reply as a whole, or be part of another one.
    guard let envelope = text.withUnsafeBytes({ readEnvelope($0) }), let list = try? OperationList.decode(envelope)
    else {
        let isValue = (try? JSONDocument(parsing: [UInt8](input), limits: JSONLimits(allowsAnyTopLevel: true))) != nil
        return require(!isValue, "a value hides the other operations")
    }
    require(list.operations.first?.id.equals("first") == true, "the first operation is gone")
    require(list.operations.last?.id.equals("third") == true, "the last operation is gone")
    require(list.operations.count + list.skippedCount >= 3, "an operation is gone unseen")
    for operation in list.operations { check(operation) }
}

/// The JSON of an operation, laid out.
func fuzzVisual(_ input: UnsafeRawBufferPointer) {
    guard let document = readJSON(input) else { return }
    var decoder = ModelDecoder(document: document)
    if let operation = try? UserOperation(document.root.node, &decoder) { check(operation) }
}

/// What holds for any operation. Its JSON alone, as it came and written again, gives the same operation. (Written again, a
/// number may have other digits, and so contradict differently.)
private func check(_ operation: UserOperation) {
    require(
        operation.contradictions.contains(.unreadable) == (operation.signedData == nil),
        "data that cannot be read are no contradiction")
    require(Contradictions(host: operation.contradictions.rawValue) != nil, "a contradiction has no name")
    check(OperationVisual(operation), of: operation)
    let raw = [UInt8](operation.json.raw)
    for json in [raw, operation.json.compact()] {
        guard let document = try? JSONDocument(parsing: json) else {
            require(false, "an operation's JSON is cut")
            continue
        }
        var decoder = ModelDecoder(document: document)
        guard let again = try? UserOperation(document.root.node, &decoder) else {
            require(false, "an operation's JSON alone is no operation")
            continue
        }
        require(
            again.id.equals(operation.id) && again.name.equals(operation.name) && again.data.equals(operation.data),
            "an operation's JSON is that of another one")
        require(again.created == operation.created && again.expires == operation.expires, "another time")
        require(json != raw || again.contradictions == operation.contradictions, "other contradictions")
        require(again.formData.attributes.count == operation.formData.attributes.count, "attributes are lost")
        require(again.issues.count >= operation.issues.count, "issues are lost")
    }
}

/// No attribute is lost, and no text grows without bound.
private func check(_ visual: OperationVisual, of operation: UserOperation) {
    let form = operation.formData
    var count = 0
    for section in visual.sections {
        count += section.title == nil ? 0 : 1
        for cell in section.cells where cell.attribute != nil { count += 1 }
    }
    require(count >= form.attributes.count, "an attribute is lost")
    let longest = max(AttributePool.maximumTextSize, form.title.count, form.message.count)
    for text in [visual.list.header, visual.list.title, visual.list.message] {
        require((text?.utf8.count ?? 0) <= longest, "a text has grown")
    }
}
