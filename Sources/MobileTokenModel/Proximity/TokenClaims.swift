// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// The members of the header or payload of a JSON Web Token that a proximity code needs.
struct TokenClaims {
    /// A member of the object.
    enum Value {
        case text(UnsafeRawBufferPointer)
        case null
        case other
    }

    private(set) var oid: Value?
    private(set) var totp: Value?
    private(set) var potp: Value?
    private(set) var algorithm: Value?

    /// Decodes a part of a token.
    ///
    /// - Returns: nil unless it is Base64, in either alphabet, of a JSON object without duplicate names, not deeper than 8
    init?(_ part: UnsafeRawBufferPointer, _ scratch: inout Scratch) {
        guard !part.isEmpty,
            let json = scratch.write(
                maximum: part.count,
                { output in
                    Base64URL.decodeEither(part, into: UnsafeMutableRawBufferPointer(start: output, count: part.count))
                })
        else { return nil }
        if readPlain(json) { return }
        guard readAny(json, &scratch) else { return nil }
    }

    /// Reads an object that has only members with plain texts, as nearly every code has: without memory of its own.
    ///
    /// - Returns: false for any other, right or wrong
    private mutating func readPlain(_ json: UnsafeRawBufferPointer) -> Bool {
        guard json.count >= 2, json[0] == UInt8(ascii: "{") else { return false }
        var names = InlineArray<8, Range<Int>>(repeating: 0..<0)
        var count = 0
        var index = 1
        if json[1] == UInt8(ascii: "}") { return json.count == 2 }
        while count < names.count {
            guard let name = Self.plainText(json, &index), index < json.count, json[index] == UInt8(ascii: ":") else {
                return false
            }
            index &+= 1
            guard let value = Self.plainText(json, &index), index < json.count else { return false }
            for other in 0..<count where sameBytes(json.part(names[other]), json.part(name)) { return false }
            names[count] = name
            count &+= 1
            put(json.part(name), .text(json.part(value)))
            let next = json[index]
            index &+= 1
            if next == UInt8(ascii: "}") { return index == json.count }
            guard next == UInt8(ascii: ",") else { return false }
        }
        return false
    }

    /// A string without escapes, of printable ASCII. Moves behind it.
    private static func plainText(_ json: UnsafeRawBufferPointer, _ index: inout Int) -> Range<Int>? {
        guard index < json.count, json[index] == UInt8(ascii: "\"") else { return nil }
        let start = index &+ 1
        var end = start
        while end < json.count, json[end] != UInt8(ascii: "\"") {
            guard (0x20...0x7E).contains(json[end]), json[end] != UInt8(ascii: "\\") else { return nil }
            end &+= 1
        }
        guard end < json.count else { return nil }
        index = end &+ 1
        return start..<end
    }

    private mutating func put(_ name: UnsafeRawBufferPointer, _ value: Value) {
        if name.equals("oid") {
            oid = value
        } else if name.equals("totp") {
            totp = value
        } else if name.equals("potp") {
            potp = value
        } else if name.equals("alg") {
            algorithm = value
        }
    }

    /// Reads any object.
    private mutating func readAny(_ json: UnsafeRawBufferPointer, _ scratch: inout Scratch) -> Bool {
        let limits = JSONLimits(maximumDepth: 8)
        guard let root = try? JSONDocument(parsing: json, limits: limits, sensitive: true).root, root.kind == .object
        else { return false }
        oid = Self.value(root["oid"], &scratch)
        totp = Self.value(root["totp"], &scratch)
        potp = Self.value(root["potp"], &scratch)
        algorithm = Self.value(root["alg"], &scratch)
        return true
    }

    private static func value(_ member: JSONValue?, _ scratch: inout Scratch) -> Value? {
        guard let member else { return nil }
        if member.isNull { return .null }
        guard let text = member.textAllowingNUL else { return .other }
        let copy = text.withBytes { bytes in
            scratch.write(maximum: bytes.count) { output in
                UnsafeMutableRawBufferPointer(start: output, count: bytes.count).copyMemory(from: bytes)
                return bytes.count
            }
        }
        return copy.map { .text($0) } ?? .other
    }
}
