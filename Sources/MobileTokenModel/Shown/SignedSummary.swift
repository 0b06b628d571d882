// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// The signed content as lines, made from operation data alone.
package enum SignedSummary {
    /// One line for the template and one for each field, with LF between them. No character of the data ends a line, is unseen or
    /// turns the order of others: such ones, quotes and backslashes are written as escapes.
    package static func text(of data: UnsafeRawBufferPointer) -> [UInt8] {
        guard let parsed = try? OperationData(parsing: data) else {
            var lines: [UInt8] = []
            add("Cannot be read", to: &lines)
            addQuoted(data, to: &lines)
            return lines
        }
        return text(of: parsed, data)
    }

    package static func text(of data: OperationData, _ text: UnsafeRawBufferPointer) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(2 &* data.range.count &+ 64)
        switch data.template {
        case 1: lines.append(contentsOf: "Payment".utf8)
        case 2: lines.append(contentsOf: "Login".utf8)
        default: lines.append(contentsOf: "Operation".utf8)
        }
        for index in 0..<data.fieldCount {
            let field = data[index]
            let value = UnsafeRawBufferPointer(rebasing: text[field.value])
            let addition = UnsafeRawBufferPointer(rebasing: text[field.addition])
            switch field.kind {
            case .empty: break
            case .amount:
                add("Amount", to: &lines)
                // As it is written, with all its zeros.
                let hasSign = value.first == UInt8(ascii: "-")
                if hasSign { lines.append(UInt8(ascii: "-")) }
                let number = value[(hasSign ? 1 : 0)...]
                if number.first == UInt8(ascii: ".") { lines.append(0x30) }
                lines.append(contentsOf: number)
                lines.append(0x20)
                for letter in addition { lines.append(letter & ~0x20) }
            case .account:
                add("Account", to: &lines)
                lines.append(contentsOf: value)
                guard !addition.isEmpty else { break }
                lines.append(contentsOf: ", BIC ".utf8)
                lines.append(contentsOf: addition)
            case .date:
                add("Date", to: &lines)
                for place in value.indices {
                    if place == 4 || place == 6 { lines.append(UInt8(ascii: "-")) }
                    lines.append(value[place])
                }
            case .anyAccount: add("Account", value, to: &lines)
            case .reference: add("Reference", value, to: &lines)
            case .note: add("Note", value, to: &lines)
            case .text: add("Text", value, to: &lines)
            case .other: add("Other", UnsafeRawBufferPointer(rebasing: text[field.range]), to: &lines)
            }
        }
        return lines
    }

    @inline(never)
    private static func add(_ label: StaticString, to lines: inout [UInt8]) {
        if !lines.isEmpty { lines.append(0x0A) }
        lines.append(contentsOf: UnsafeBufferPointer(start: label.utf8Start, count: label.utf8CodeUnitCount))
        lines.append(contentsOf: ": ".utf8)
    }

    @inline(never)
    private static func add(_ label: StaticString, _ value: UnsafeRawBufferPointer, to lines: inout [UInt8]) {
        add(label, to: &lines)
        Escapes.withDecoded(value) { addQuoted($0, to: &lines) }
    }

    private static func addQuoted(_ text: UnsafeRawBufferPointer, to lines: inout [UInt8]) {
        lines.append(UInt8(ascii: "\""))
        var index = 0
        while index < text.count {
            let (scalar, length) = Scalars.at(index, text)
            switch scalar {
            case 0x22, 0x5C:
                lines.append(UInt8(ascii: "\\"))
                lines.append(text[index])
            case _ where isPlain(scalar): lines.append(contentsOf: text[index..<min(index &+ length, text.count)])
            default:
                lines.append(contentsOf: "\\u{".utf8)
                var shift = UInt32(scalar < 0x1_0000 ? 12 : 20)
                while true {
                    let digit = UInt8(truncatingIfNeeded: scalar &>> shift & 0xF)
                    lines.append(digit < 10 ? 0x30 &+ digit : 0x37 &+ digit)
                    guard shift > 0 else { break }
                    shift &-= 4
                }
                lines.append(UInt8(ascii: "}"))
            }
            index &+= length
        }
        lines.append(UInt8(ascii: "\""))
    }

    /// Whether a character can be seen, and leaves the others where they are.
    private static func isPlain(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0...0x1F, 0x7F...0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x2800, 0x3000,
            0xD800...0xF8FF,
            0xF0000...0x10FFFF:
            false
        default: !Scalars.isUnseen(scalar)
        }
    }
}

extension UserOperation {
    /// The signed content in lines.
    package var summary: [UInt8] { data.withBytes { SignedSummary.text(of: $0) } }
}
