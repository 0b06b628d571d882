/// Lookup by a JSON pointer (RFC 6901): `/a/0/b` is the member `b` of the first element of the member `a`; the empty
/// pointer is the value itself. In names `~1` stands for `/` and `~0` for `~`. An index is decimal, without leading zeros.
///
/// `nil` for a pointer that is not one, and if there is nothing at its end.
extension JSONValue {
    /// The value at a JSON pointer.
    public func value(at pointer: String) -> JSONValue? {
        var value = self
        var path = JSONPointer(pointer)
        while let step = path.next() {
            guard let step,
                let next = value.kind == .array ? step.index.flatMap({ value[$0] }) : value.member(step.name)
            else { return nil }
            value = next
        }
        return value
    }
}

extension RawJSON {
    /// The text of the value at a JSON pointer; see `JSONValue.value(at:)`.
    public func value(at pointer: String) -> RawJSON? {
        var value = self
        var path = JSONPointer(pointer)
        while let step = path.next() {
            guard let step,
                let next = value.kind == .array ? step.index.flatMap({ value.element($0) }) : value.member(step.name)
            else { return nil }
            value = next
        }
        return value
    }

    private func element(_ index: Int) -> RawJSON? {
        var iterator = elements
        for _ in 0..<index where iterator.next() == nil { return nil }
        return iterator.next()
    }
}

/// The steps of a pointer, one after the other.
struct JSONPointer {
    /// One step: the name of a member, which may also be read as the index of an element.
    struct Step {
        let name: String

        /// The name as a decimal number without leading zeros, at most nine digits.
        var index: Int? {
            let digits = name.utf8
            guard let first = digits.first, digits.count <= 9, first != 0x30 || digits.count == 1 else { return nil }
            var value = 0
            for digit in digits {
                guard 0x30...0x39 ~= digit else { return nil }
                value = value &* 10 &+ Int(digit &- 0x30)
            }
            return value
        }
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ pointer: String) {
        bytes = [UInt8](pointer.utf8)
    }

    /// `nil` at the end; `.some(nil)` if the pointer is broken here.
    mutating func next() -> Step?? {
        guard position < bytes.count else { return .none }
        guard bytes[position] == 0x2F else { return .some(nil) }
        position &+= 1
        var name: [UInt8] = []
        while position < bytes.count, bytes[position] != 0x2F {
            var byte = bytes[position]
            position &+= 1
            if byte == 0x7E {
                guard position < bytes.count, bytes[position] == 0x30 || bytes[position] == 0x31 else {
                    return .some(nil)
                }
                byte = bytes[position] == 0x30 ? 0x7E : 0x2F
                position &+= 1
            }
            name.append(byte)
        }
        return Step(name: String(decoding: name, as: UTF8.self))
    }
}
