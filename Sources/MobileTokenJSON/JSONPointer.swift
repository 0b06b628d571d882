// SPDX-License-Identifier: Apache-2.0
extension JSONValue {
    /// Lookup by a JSON pointer (RFC 6901): `/a/0/b` is the member `b` of the first element of the member `a`; the empty
    /// pointer is the value itself. In names `~1` means `/` and `~0` means `~`. An index is decimal, without leading
    /// zeros.
    ///
    /// `nil` for a pointer that is not one, and if there is nothing at its end.
    public func value(at pointer: String) -> JSONValue? {
        var value = self
        var rest = [UInt8](pointer.utf8)[...]
        while let slash = rest.popFirst() {
            guard slash == 0x2F, let step = Self.step(&rest),
                let next = value.kind == .array ? Self.index(step).flatMap({ value[$0] }) : value.member(step)
            else { return nil }
            value = next
        }
        return value
    }

    /// The next name of a pointer, up to a slash or the end; `nil` if it is broken.
    private static func step(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var name: [UInt8] = []
        while let byte = rest.first, byte != 0x2F {
            rest.removeFirst()
            guard byte == 0x7E else {
                name.append(byte)
                continue
            }
            switch rest.popFirst() {
            case 0x30: name.append(0x7E)
            case 0x31: name.append(0x2F)
            default: return nil
            }
        }
        return name
    }

    /// A name as a decimal number without leading zeros, at most nine digits.
    private static func index(_ name: [UInt8]) -> Int? {
        guard let first = name.first, name.count <= 9, first != 0x30 || name.count == 1 else { return nil }
        var value = 0
        for digit in name {
            guard 0x30...0x39 ~= digit else { return nil }
            value = value &* 10 &+ Int(digit &- 0x30)
        }
        return value
    }
}
