import CMToken
import CSystem
import FuzzSupport
import MobileTokenModel

@testable import MobileToken

/// The JSON of an operation, laid out in the structs of the C interface. And values found in it.
func fuzzVisualInC(_ input: UnsafeRawBufferPointer) {
    guard !input.contains(0) else { return }
    let decoded = try? UserOperation.decode(json: input)
    let text = [UInt8](input) + [0]
    text.withUnsafeBytes { text in
        let json = characters(text)
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
