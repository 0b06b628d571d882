internal import CJansson

/// A value of a document: a cheap view that retains the document.
///
/// Getters answer `nil` for a value of another kind; nothing is converted (a string with digits is no number).
public struct JSONValue: @unchecked Sendable {
    /// The kinds of values. A number written with fraction or exponent is `real`, else `integer`.
    public enum Kind: Sendable {
        case object, array, string, integer, real, bool, null
    }

    /// The owner of the memory.
    public let document: JSONDocument
    /// The same value without the reference to its owner.
    package let node: JSONNode

    /// The value of a node; `document` owns it.
    package init(document: JSONDocument, node: JSONNode) {
        self.document = document
        self.node = node
    }

    private func wrap(_ node: JSONNode?) -> JSONValue? {
        guard let node else { return nil }
        return JSONValue(document: document, node: node)
    }

    /// What the value is.
    public var kind: Kind { node.kind }

    /// The member with a name; `nil` if there is none or if this is no object. A null member is a value whose `isNull` is true.
    public subscript(_ name: StaticString) -> JSONValue? { wrap(node[name]) }

    /// The member with a name that is not known when the library is built. A name that holds U+0000 is never found.
    public func member(_ name: String) -> JSONValue? { wrap(node.member(name)) }

    /// The number of elements of an array or of members of an object, else 0.
    public var count: Int { node.count }

    /// The element of an array; `nil` outside its bounds or if this is no array.
    public subscript(_ index: Int) -> JSONValue? { wrap(node.element(index)) }

    /// The string; `nil` if it holds U+0000, which would cut it short for C programs.
    public var text: JSONText? {
        guard let text = textAllowingNUL, !text.holdsNUL else { return nil }
        return text
    }

    /// The string, also if it holds U+0000.
    public var textAllowingNUL: JSONText? { JSONText(document: document, node: node) }

    /// The number, if it was written as an integer in the range of `Int64`.
    public var int64: Int64? { node.int64 }

    /// The number, integer or real, as the nearest `Double`.
    public var double: Double? { node.double }

    /// The boolean.
    public var bool: Bool? { node.bool }

    /// Whether this is null (or a number beyond the range of `Double`, see `JSONDocument`).
    public var isNull: Bool { kind == .null }

    /// The members of an object in the order of the text; none if this is no object.
    public var members: Members { Members(value: self) }

    /// The members of an object, in the order of the text.
    public struct Members: Sequence, IteratorProtocol {
        private let value: JSONValue
        private var position: UnsafeMutableRawPointer?

        init(value: JSONValue) {
            self.value = value
            position = json_object_iter(value.node.pointer)
        }

        /// The next member: its name (as text of the document) and its value.
        public mutating func next() -> (name: JSONText, value: JSONValue)? {
            guard let current = position, let name = json_object_iter_key(current),
                let member = json_object_iter_value(current)
            else { return nil }
            position = json_object_iter_next(value.node.pointer, current)
            return (
                JSONText(document: value.document, name: name),
                JSONValue(document: value.document, node: JSONNode(member))
            )
        }
    }

    /// The value written again by Jansson, without white space. Reals get 17 digits, so that they read back as the same
    /// `Double`; for the text as it was received use `JSONDocument.raw`. Empty if there is not enough memory.
    public func compact() -> [UInt8] {
        let size = json_dumpb(node.pointer, nil, 0, mtoken_json_dump_flags())
        guard size > 0 else { return [] }
        let text = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) {
                min(size, json_dumpb(node.pointer, $0.baseAddress, size, mtoken_json_dump_flags()))
            }
        }
        return text.count == size ? text : []
    }
}
