// SPDX-License-Identifier: Apache-2.0
internal import CJansson

extension JSONValue {
    /// The value written again by Jansson, without white space. Reals get 17 digits, so that they read back as the same
    /// `Double`; for the text as it was received use `raw`. Empty if there is not enough memory.
    public func compact() -> [UInt8] {
        guard let tree = node.tree else { return [] }
        defer { mtoken_json_free(tree) }
        let size = json_dumpb(tree, nil, 0, mtoken_json_dump_flags())
        guard size > 0 else { return [] }
        let text = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) {
                min(size, json_dumpb(tree, $0.baseAddress, size, mtoken_json_dump_flags()))
            }
        }
        return text.count == size ? text : []
    }
}

extension JSONNode {
    /// The value as a tree of Jansson's, to be freed; `nil` if there is not enough memory.
    var tree: UnsafeMutablePointer<json_t>? {
        switch content {
        case .object:
            filled(json_object()) { json_object_setn_new_nocheck($0, $1.name.cString, $1.name.count, $1.tree) }
        case .array: filled(json_array()) { json_array_append_new($0, $1.tree) }
        case .string(let start):
            json_stringn_nocheck(UnsafeBufferPointer(start: start, count: 1).cString, stringBytes?.count ?? 0)
        case .integer(let number): json_integer(json_int_t(number))
        case .real(let number): json_real(number)
        case .bool(let flag): flag ? json_true() : json_false()
        case .null: json_null()
        }
    }

    private func filled(
        _ container: UnsafeMutablePointer<json_t>?, _ add: (UnsafeMutablePointer<json_t>, JSONNode) -> Int32
    ) -> UnsafeMutablePointer<json_t>? {
        guard let container else { return nil }
        // Jansson frees a value that it cannot add for lack of memory.
        if elements.allSatisfy({ add(container, $0) == 0 }) { return container }
        mtoken_json_free(container)
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var cString: UnsafePointer<CChar>? {
        UnsafeRawPointer(baseAddress)?.assumingMemoryBound(to: CChar.self)
    }
}
