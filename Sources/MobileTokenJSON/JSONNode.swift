internal import CJansson

/// A value of Jansson's tree, not retained: for reading many members quickly while the caller holds the document.
///
/// `JSONValue` is the same with the document beside it; use that wherever a value is kept.
package struct JSONNode: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<json_t>

    @inline(__always)
    init(_ pointer: UnsafeMutablePointer<json_t>) {
        self.pointer = pointer
    }

    @inline(__always)
    private init?(_ pointer: UnsafeMutablePointer<json_t>?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    /// What the value is.
    package var kind: JSONValue.Kind {
        switch json_type(UInt32(bitPattern: mtoken_json_type(pointer))) {
        case JSON_OBJECT: .object
        case JSON_ARRAY: .array
        case JSON_STRING: .string
        case JSON_INTEGER: .integer
        case JSON_REAL: .real
        case JSON_TRUE, JSON_FALSE: .bool
        default: .null
        }
    }

    /// The member with a name; `nil` if there is none or if this is no object.
    package subscript(_ name: StaticString) -> JSONNode? {
        guard name.hasPointerRepresentation else { return nil }
        return name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount &+ 1) {
            JSONNode(json_object_get(pointer, $0))
        }
    }

    /// The member with a name that is not known when the library is built.
    package func member(_ name: String) -> JSONNode? {
        // A C string would end at the first NUL and find another member.
        guard !name.utf8.contains(0) else { return nil }
        return name.withCString { JSONNode(json_object_get(pointer, $0)) }
    }

    /// The number of elements of an array or of members of an object, else 0.
    package var count: Int {
        kind == .object ? json_object_size(pointer) : json_array_size(pointer)
    }

    /// The element of an array; `nil` outside its bounds or if this is no array.
    package func element(_ index: Int) -> JSONNode? {
        guard index >= 0 else { return nil }
        return JSONNode(json_array_get(pointer, index))
    }

    /// The bytes of a string as Jansson holds them, with a NUL after them; `nil` if this is no string.
    package var stringBytes: UnsafeBufferPointer<UInt8>? {
        guard let start = json_string_value(pointer) else { return nil }
        return UnsafeBufferPointer(
            start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: json_string_length(pointer))
    }

    /// Whether this is a string with exactly these bytes.
    package func equals(_ text: StaticString) -> Bool {
        guard let bytes = stringBytes, let start = bytes.baseAddress, text.hasPointerRepresentation,
            bytes.count == text.utf8CodeUnitCount
        else { return false }
        return memcmp(start, text.utf8Start, bytes.count) == 0
    }

    /// The number, if it was written as an integer in the range of `Int64`.
    package var int64: Int64? {
        kind == .integer ? Int64(json_integer_value(pointer)) : nil
    }

    /// The number, integer or real.
    package var double: Double? {
        switch kind {
        case .integer, .real: json_number_value(pointer)
        default: nil
        }
    }

    /// The boolean.
    package var bool: Bool? {
        switch json_type(UInt32(bitPattern: mtoken_json_type(pointer))) {
        case JSON_TRUE: true
        case JSON_FALSE: false
        default: nil
        }
    }

    /// Overwrites every string value below this one with zeros. Names of members are left: Jansson may need them to free.
    func wipeTexts() {
        switch kind {
        case .string:
            if let memory = mtoken_json_string_memory(pointer) {
                mtoken_json_wipe(memory, json_string_length(pointer))
            }
        case .array:
            for index in 0..<count { element(index)?.wipeTexts() }
        case .object:
            var iterator = json_object_iter(pointer)
            while let current = iterator {
                if let value = json_object_iter_value(current) { JSONNode(value).wipeTexts() }
                iterator = json_object_iter_next(pointer, current)
            }
        default:
            break
        }
    }
}
