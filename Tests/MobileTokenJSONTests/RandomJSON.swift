import Foundation

/// Random JSON for property tests, the same in every run.
struct RandomJSON {
    /// A value that is written in one way and read in others.
    indirect enum Value: Equatable {
        case object([(String, Value)])
        case array([Value])
        case text(String)
        case integer(Int64)
        case real(Double)
        case bool(Bool)
        case null

        static func == (one: Value, other: Value) -> Bool {
            switch (one, other) {
            case (.object(let a), .object(let b)):
                a.count == b.count && zip(a, b).allSatisfy { $0.0 == $1.0 && $0.1 == $1.1 }
            case (.array(let a), .array(let b)): a == b
            case (.text(let a), .text(let b)): Array(a.utf8) == Array(b.utf8)
            case (.integer(let a), .integer(let b)): a == b
            case (.real(let a), .real(let b)): a == b
            case (.bool(let a), .bool(let b)): a == b
            case (.null, .null): true
            default: false
            }
        }
    }

    private var state: UInt64

    init(seed: UInt64) {
        state = seed &+ 0x9E37_79B9_7F4A_7C15
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

    mutating func container(depth: Int = 4) -> Value { number(below: 2) == 0 ? array(depth) : object(depth) }

    private mutating func value(_ depth: Int) -> Value {
        switch number(below: depth > 0 ? 9 : 7) {
        case 0, 1: .text(text())
        case 2: .integer(integer())
        case 3: .real(real())
        case 4: .bool(number(below: 2) == 0)
        case 5: .null
        case 6: .text("")
        case 7: array(depth)
        default: object(depth)
        }
    }

    private mutating func array(_ depth: Int) -> Value {
        var elements: [Value] = []
        for _ in 0..<number(below: 6) { elements.append(value(depth - 1)) }
        return .array(elements)
    }

    private mutating func object(_ depth: Int) -> Value {
        var members: [(String, Value)] = []
        for index in 0..<number(below: 6) {
            let name = text().filter { $0 != "\0" } + "\(index)"
            members.append((name, value(depth - 1)))
        }
        return .object(members)
    }

    mutating func integer() -> Int64 {
        switch number(below: 4) {
        case 0: Int64(bitPattern: next())
        case 1: [.max, .min, 0, -1][number(below: 4)]
        default: Int64(number(below: 2000)) - 1000
        }
    }

    mutating func real() -> Double {
        switch number(below: 3) {
        case 0:
            let bits = Double(bitPattern: next())
            return bits.isFinite ? bits : 0.1
        case 1: return Double(number(below: 1_000_000)) / 100
        default:
            return [.leastNonzeroMagnitude, 1.7976931348623157e308, -0.0, 1e21, 1e-7, 123456789.125][number(below: 6)]
        }
    }

    mutating func text() -> String {
        let pieces = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\r", "\u{8}", "\u{C}", "\u{0}", "\u{1F}", "\u{7F}", "é",
            "ž",
            "\u{2028}", "€", "😀", "\u{10FFFF}", "[", "{", "}", "]", ",", ":", "longer run of plain text",
        ]
        var text = ""
        for _ in 0..<number(below: 12) { text += pieces[number(below: pieces.count)] }
        return text
    }

    /// The text of a value with random white space and random escapes, as another writer might have made it.
    mutating func text(of value: Value) -> String {
        switch value {
        case .object(let members):
            "{" + space()
                + members.map { quoted($0.0) + space() + ":" + space() + text(of: $0.1) + space() }
                .joined(separator: "," + space()) + "}"
        case .array(let elements):
            "[" + space() + elements.map { text(of: $0) + space() }.joined(separator: "," + space()) + "]"
        case .text(let text): quoted(text)
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .bool(let flag): flag ? "true" : "false"
        case .null: "null"
        }
    }

    private mutating func space() -> String { ["", "", " ", "\n", "\t", "\r\n  "][number(below: 6)] }

    private mutating func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || number(below: 4) == 0 {
                for unit in String(scalar).utf16 {
                    quoted += "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
                    quoted += String(unit, radix: 16, uppercase: number(below: 2) == 0)
                }
            } else {
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
