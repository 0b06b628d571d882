// SPDX-License-Identifier: Apache-2.0
/// A value of a document: a cheap view that retains the document.
///
/// Getters answer `nil` for a value of another kind; nothing is converted (a string with digits is not a number).
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

    /// The kind of the value.
    public var kind: Kind { node.kind }

    /// The value as it was received. Lives as long as the document.
    public var raw: UnsafeRawBufferPointer { node.raw }

    /// The member with a name; `nil` if there is none or if this is not an object. A null member is a value with
    /// `isNull` true.
    public subscript(_ name: StaticString) -> JSONValue? { wrap(node[name]) }

    /// The member with a name that is not known when the library is built.
    public func member(_ name: [UInt8]) -> JSONValue? { name.withUnsafeBytes { wrap(node.member($0)) } }

    /// The number of elements of an array or of members of an object, else 0.
    public var count: Int { node.count }

    /// The element of an array; `nil` outside its bounds or if this is not an array.
    public subscript(_ index: Int) -> JSONValue? { wrap(node.element(index)) }

    /// The string; `nil` if it holds U+0000, which would cut it short for C programs.
    public var text: JSONText? {
        guard let text = textAllowingNUL, !text.holdsNUL else { return nil }
        return text
    }

    /// The string, also if it holds U+0000.
    public var textAllowingNUL: JSONText? { node.stringBytes.map { JSONText(document: document, bytes: $0) } }

    /// The number, if it was written as an integer in the range of `Int64`.
    public var int64: Int64? { node.int64 }

    /// The number, integer or real, as the nearest `Double`.
    public var double: Double? { node.double }

    /// The boolean.
    public var bool: Bool? { node.bool }

    /// Whether this is null (or a number beyond the range of `Double`, see `JSONDocument`).
    public var isNull: Bool { kind == .null }

    /// The members of an object in the order of the text; none if this is not an object.
    public var members: Members { Members(document: document, nodes: kind == .object ? node.elements : nil) }

    /// The members of an object, in the order of the text.
    public struct Members: Sequence, IteratorProtocol {
        fileprivate let document: JSONDocument
        fileprivate var nodes: JSONNode.Elements?

        /// The next member: its name (as text of the document) and its value.
        public mutating func next() -> (name: JSONText, value: JSONValue)? {
            guard let node = nodes?.next() else { return nil }
            return (JSONText(document: document, bytes: node.name), JSONValue(document: document, node: node))
        }
    }
}
