import CMToken
import CSystem
import MobileTokenJSON
import MobileTokenModel

@testable import MobileToken
@testable import MobileTokenC
@testable import MobileTokenModel

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
    guard let envelope = text.withUnsafeBytes({ try? ReplyEnvelope(parsing: $0) }),
        let list = try? OperationList.decode(envelope)
    else {
        let isValue = (try? JSONDocument(parsing: [UInt8](input), limits: JSONLimits(allowsAnyTopLevel: true))) != nil
        return require(!isValue, "a value hides the other operations")
    }
    require(list.operations.first?.id.equals("first") == true, "the first operation is gone")
    require(list.operations.last?.id.equals("third") == true, "the last operation is gone")
    require(list.operations.count + list.skippedCount >= 3, "an operation is gone unseen")
    for operation in list.operations {
        let arena = Arena()
        see(arena.put(operation))
        arena.free()
        check(OperationVisual(operation), of: operation)
    }
}

/// The JSON of an operation, laid out; through Swift and through the C interface. And values found in it.
func fuzzVisual(_ input: UnsafeRawBufferPointer) {
    guard !input.contains(0) else { return }
    let decoded = try? UserOperation.decode(json: input)
    if let decoded { check(OperationVisual(decoded), of: decoded) }
    let text = [UInt8](input) + [0]
    text.withUnsafeBytes { text in
        let json = text.assumingMemoryBound(to: CChar.self).baseAddress
        var operation = mtoken_operation()
        operation.json = json
        var visual: UnsafeMutablePointer<mtoken_visual>?
        let status = withError(input.count) { error in mtoken_visual_new(&operation, &visual, error) }
        require((status == MTOKEN_OK.rawValue) == (visual != nil), "success without a result")
        require((status == MTOKEN_OK.rawValue) == (decoded != nil), "the C interface reads differently")
        if let visual { see(visual.pointee) }
        mtoken_visual_free(visual)
        for path in ["", "/id", "/formData/attributes/0/label", "/ui/templates", "/a~1b/~0"] {
            var value: UnsafeMutablePointer<mtoken_json_value>?
            let status = withError(input.count) { error in
                mtoken_json_find(json, input.count, path, path.utf8.count, &value, error)
            }
            require((status == MTOKEN_OK.rawValue) == (value != nil), "success without a result")
            if let value {
                require(value.pointee.json_length <= input.count, "the value is longer than the text")
                seeRequired(value.pointee.json)
                see(value.pointee.text)
            }
            mtoken_json_value_free(value)
        }
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

private func see(_ visual: mtoken_visual) {
    for text in [
        visual.list_header, visual.list_title, visual.list_message, visual.list_image_url, visual.list_style,
        visual.detail_style,
    ] { see(text) }
    for index in 0..<visual.section_count {
        guard let section = visual.sections[index]?.pointee else { return require(false, "a section is NULL") }
        for text in [section.style, section.title] { see(text) }
        for index in 0..<section.cell_count {
            guard let cell = section.cells[index]?.pointee else { return require(false, "a cell is NULL") }
            require((1...5).contains(cell.kind), "a cell is of no kind")
            require((cell.attribute == nil) == (cell.kind <= 2), "a cell has no attribute")
            see(cell.text)
            if let attribute = cell.attribute { see(attribute) }
            if let layout = cell.layout?.pointee {
                for text in [layout.name, layout.style, layout.collapsable] { see(text) }
            }
        }
    }
}

/// Mobile token data: the object to begin with, then keys and values, each ended by a NUL. What was built is JSON, and has each
/// key once; through Swift and through the C interface.
func fuzzTokenData(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let parts = rest.split(separator: 0, omittingEmptySubsequences: false).map { [UInt8]($0) }
    guard let initial = parts.first else { return }
    let data = initial.isEmpty ? MobileTokenData() : try? MobileTokenData(initial: initial)
    var handle: OpaquePointer?
    let status = withError(initial.count) { error in
        initial.withUnsafeBytes { bytes in
            mtoken_mobile_token_data_new(
                initial.isEmpty ? nil : bytes.assumingMemoryBound(to: CChar.self).baseAddress, initial.count, &handle,
                error)
        }
    }
    defer { mtoken_mobile_token_data_free(handle) }
    require((status == MTOKEN_OK.rawValue) == (handle != nil), "success without a result")
    require((status == MTOKEN_OK.rawValue) == (data != nil), "the C interface reads differently")
    guard let data else { return }
    var index = 1
    while index + 1 < parts.count {
        let (key, value) = (parts[index], parts[index + 1])
        index += 2
        let isText = (mode >> (index / 2 % 4)) & 1 == 1
        guard let name = String(validating: key, as: UTF8.self), let text = String(validating: value, as: UTF8.self)
        else {
            continue
        }
        let isPut = isText || (try? data.put(name, json: value)) != nil
        if isText { data.put(name, text: text) }
        let status = withError(value.count) { error in
            key.withUnsafeBytes { key in
                value.withUnsafeBytes { value in
                    let (key, value) = (
                        key.assumingMemoryBound(to: CChar.self), value.assumingMemoryBound(to: CChar.self)
                    )
                    return isText
                        ? mtoken_mobile_token_data_put_text(
                            handle, key.baseAddress ?? pointerToNothing, key.count,
                            value.baseAddress ?? pointerToNothing, value.count, error)
                        : mtoken_mobile_token_data_put(
                            handle, key.baseAddress ?? pointerToNothing, key.count,
                            value.baseAddress ?? pointerToNothing, value.count, error)
                }
            }
        }
        require((status == MTOKEN_OK.rawValue) == isPut, "the C interface puts differently")
        if isPut, value.count % 5 == 4 { require(data.remove(name), "what was put is not there") }
        if isPut, value.count % 5 == 4 {
            key.withUnsafeBytes { key in
                let pointer = key.assumingMemoryBound(to: CChar.self).baseAddress ?? pointerToNothing
                require(mtoken_mobile_token_data_remove(handle, pointer, key.count) == 1, "what was put is not there")
            }
        }
    }
    let built = data.build()
    guard let document = try? JSONDocument(parsing: built, limits: JSONLimits(maximumDepth: 66)) else {
        return require(false, "what was built is no JSON")
    }
    require(document.root.kind == .object, "what was built is no object")
    var json: UnsafeMutablePointer<mtoken_text>?
    require(
        withError(0) { mtoken_mobile_token_data_build(handle, &json, $0) } == MTOKEN_OK.rawValue, "nothing was built")
    if let json {
        require(json.pointee.length == built.count, "the C interface builds something else")
        require(memcmp(json.pointee.data, built, built.count) == 0, "the C interface builds something else")
    }
    mtoken_text_free(json)
}

nonisolated(unsafe) private let pointerToNothing: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.pointee = 0
    return UnsafePointer(byte)
}()
