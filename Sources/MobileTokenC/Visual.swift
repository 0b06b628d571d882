// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CSystem
import MobileToken
import MobileTokenJSON
import MobileTokenModel

@_cdecl("mtoken_visual_new") @implementation
public func mtoken_visual_new(
    _ operation: UnsafePointer<mtoken_operation>!,
    _ out_visual: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_visual>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_visual, "out_visual")
        guard let operation else { throw .argument("operation is NULL.") }
        let decoded = try decoded(operation.pointee)
        let arena = Arena()
        arena.keep(decoded)
        arena.keep(decoded.id.document)
        out.pointee = arena.result(arena.visual(OperationVisual(decoded)))
    }
}

@_cdecl("mtoken_visual_free") @implementation
public func mtoken_visual_free(_ visual: UnsafeMutablePointer<mtoken_visual>!) { Arena.free(visual) }

extension Arena {
    fileprivate func visual(_ visual: OperationVisual) -> mtoken_visual {
        let list = visual.list
        return mtoken_visual(
            list_header: text(list.header), list_title: text(list.title),
            list_message: text(list.message), list_image_url: view(list.imageURL),
            list_style: view(list.style), detail_style: view(visual.style), section_count: visual.sections.count,
            sections: pointers(visual.sections) { section in
                put(
                    mtoken_visual_section(
                        style: view(section.style), title: view(section.title), cell_count: section.cells.count,
                        cells: pointers(section.cells) { cell in
                            put(
                                mtoken_visual_cell(
                                    kind: cell.kind.rawValue, text: text(cell.text),
                                    attribute: cell.attribute.map { put($0) }, layout: cell.template.map { put($0) }))
                        }))
            })
    }
}

@_cdecl("mtoken_json_find") @implementation
public func mtoken_json_find(
    _ json: UnsafePointer<CChar>!, _ json_length: Int, _ path: UnsafePointer<CChar>!, _ path_length: Int,
    _ out_value: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_json_value>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_value, "out_value")
        let text = try Input.text(json, json_length, "json", limit: Input.maximumAnswerSize)
        let path = try Input.text(path, path_length, "path")
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: [UInt8](text.utf8), limits: JSONLimits(allowsAnyTopLevel: true))
        } catch {
            var failure = Failure(.parse, "invalidArgument", "The text is not JSON.")
            failure.byteOffset = error.offset
            throw failure
        }
        guard let value = document.root.value(at: path) else {
            throw Failure(.notFound, "notFound", "The JSON has no value there.")
        }
        let arena = Arena()
        out.pointee = arena.result(arena.value(value))
    }
}

@_cdecl("mtoken_json_value_free") @implementation
public func mtoken_json_value_free(_ value: UnsafeMutablePointer<mtoken_json_value>!) { Arena.free(value) }

extension Arena {
    fileprivate func value(_ value: JSONValue) -> mtoken_json_value {
        var result = mtoken_json_value()
        result.json = text(value.raw)
        result.json_length = value.raw.count
        switch value.kind {
        case .null: result.kind = MTOKEN_JSON_NULL.rawValue
        case .bool:
            result.kind = MTOKEN_JSON_BOOLEAN.rawValue
            result.is_true = value.bool == true ? 1 : 0
        case .integer:
            result.kind = MTOKEN_JSON_INTEGER.rawValue
            result.integer = value.int64 ?? 0
            result.number = value.double ?? 0
        case .real:
            result.kind = MTOKEN_JSON_REAL.rawValue
            result.number = value.double ?? 0
        case .string:
            result.kind = MTOKEN_JSON_TEXT.rawValue
            result.text = value.text.map { found in found.withBytes { text($0) } }
        case .array:
            result.kind = MTOKEN_JSON_ARRAY.rawValue
            result.count = value.count
        case .object:
            result.kind = MTOKEN_JSON_OBJECT.rawValue
            result.count = value.count
        }
        return result
    }
}
