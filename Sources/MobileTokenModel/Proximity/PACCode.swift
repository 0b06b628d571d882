// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// A proximity anti-fraud code, taken apart: it selects an operation, and may prove that the device is near the screen that
/// shows the code. It is not signed: trust it for nothing but looking up the operation at the server.
///
/// The texts are in the input or in the given scratch memory.
package struct PACCode {
    /// How the code is written; the values are those of the C interface (`MTOKEN_PAC_…`).
    package enum Form: Int32, Sendable {
        /// `scheme://operation?oid=…&totp=…`
        case deeplink = 1
        /// `scheme://operation?code=JWT` or `scheme://code=JWT`
        case deeplinkJWT = 2
        /// A JSON Web Token alone.
        case jwt = 3
    }

    /// The operation's id.
    package internal(set) var operationId: UnsafeRawBufferPointer
    /// The one-time password; nil: the code only selects.
    package internal(set) var totp: UnsafeRawBufferPointer?
    /// How the code is written.
    package let form: Form
    /// Whether the header of the token is a JSON object. It plays no part.
    package internal(set) var isHeaderValid = false
    /// The algorithm that the header names.
    package internal(set) var algorithm: UnsafeRawBufferPointer?
    /// Whether the token has a signature, which is not looked at.
    package internal(set) var hasSignature = false

    /// Longest code that is read, in bytes.
    package static let maximumSize = 2048

    /// Reads a code with memory on the stack, unless the code is longer than nearly any.
    ///
    /// - Parameters: as `init(parsing:onlyLinks:scratch:allows:)`
    /// - Returns: what `body` makes of the code
    package static func withCode<R, E: Error>(
        parsing text: UnsafeRawBufferPointer, onlyLinks: Bool,
        allows: (_ scheme: UnsafeRawBufferPointer, _ authority: UnsafeRawBufferPointer) -> Bool = { _, _ in true },
        _ body: (Result<PACCode, TextFault>) throws(E) -> R
    ) throws(E) -> R {
        func read(_ scratch: UnsafeMutableRawBufferPointer) throws(E) -> R {
            let code: Result<PACCode, TextFault>
            do throws(TextFault) {
                code = .success(
                    try PACCode(parsing: text, onlyLinks: onlyLinks, scratch: scratch, allows: allows))
            } catch {
                code = .failure(error)
            }
            return try body(code)
        }
        // A token in a link is at most decoded three times: as a parameter, its payload, its header.
        if text.count <= smallSize {
            return try withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16, read)
        }
        return try withUnsafeTemporaryAllocation(byteCount: 4 * maximumSize, alignment: 16, read)
    }

    /// Longest code for which the stack has room.
    private static let smallSize = 256

    /// Reads a code.
    ///
    /// - Parameters:
    ///   - text: the code as it was scanned or opened
    ///   - onlyLinks: whether a token alone is refused
    ///   - allows: decides on the scheme and on what follows `//` up to the next `/`, `?` or `#`
    ///   - scratch: four times the size of the text
    private init(
        parsing text: UnsafeRawBufferPointer, onlyLinks: Bool, scratch: UnsafeMutableRawBufferPointer,
        allows: (_ scheme: UnsafeRawBufferPointer, _ authority: UnsafeRawBufferPointer) -> Bool = { _, _ in true }
    ) throws(TextFault) {
        guard !text.isEmpty else { throw TextFault(.empty, offset: 0) }
        guard text.count <= Self.maximumSize else { throw TextFault(.tooLong, offset: Self.maximumSize) }
        if !PrintableText.isPlain(text) {
            if let offset = UTF8Validity.firstInvalid(in: text) { throw TextFault(.invalidUTF8, offset: offset) }
            if let offset = PrintableText.firstOther(in: text) { throw TextFault(.invalidFormat, offset: offset) }
        }
        var scratch = Scratch(scratch)
        if let link = Link(text) {
            guard allows(text.part(link.scheme), text.part(link.authority)) else {
                throw TextFault(.notAllowed, offset: 0)
            }
            try self.init(link, text, &scratch)
        } else {
            guard !onlyLinks, text.firstIndex(of: UInt8(ascii: "."), from: 0, to: text.count) != nil else {
                throw TextFault(.invalidFormat, offset: 0)
            }
            try self.init(token: text, at: 0, form: .jwt, &scratch)
        }
    }

    private init(_ form: Form) {
        self.form = form
        operationId = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// The code in the parameters of a link.
    private init(_ link: Link, _ text: UnsafeRawBufferPointer, _ scratch: inout Scratch) throws(TextFault) {
        guard let query = link.query else {
            let rest = link.scheme.upperBound &+ 1
            let name: StaticString = "//code="
            let start = rest &+ name.utf8CodeUnitCount
            guard start <= link.end, text.part(rest..<start).equals(name) else {
                throw TextFault(.invalidFormat, offset: rest)
            }
            let token = try Percent.decoded(text, start..<link.end, &scratch)
            try self.init(token: token, at: start, form: .deeplinkJWT, &scratch)
            return
        }
        var oid: Parameter?
        var totp: Parameter?
        var potp: Parameter?
        var code: Parameter?
        var only: Parameter?
        var count = 0
        var index = query.lowerBound
        while index < query.upperBound {
            var end = index
            var equals: Int?
            while end < query.upperBound, text[end] != UInt8(ascii: "&") {
                if equals == nil, text[end] == UInt8(ascii: "=") { equals = end }
                end &+= 1
            }
            if end > index {
                let name = try Percent.decoded(text, index..<(equals ?? end), &scratch)
                let start = equals.map { $0 &+ 1 } ?? end
                let value = Parameter(
                    value: try Percent.decoded(text, start..<end, &scratch), offset: start, begin: index)
                if name.equals("oid") {
                    try value.become(&oid)
                } else if name.equals("totp") {
                    try value.become(&totp)
                } else if name.equals("potp") {
                    try value.become(&potp)
                } else if name.equals("code") {
                    // A second one matters only where the first one counts.
                    if oid == nil { try value.become(&code) }
                }
                only = value
                count &+= 1
            }
            index = end &+ 1
        }
        if let oid {
            self.init(.deeplink)
            try take(oid: .text(oid.value), totp.map { .text($0.value) }, potp.map { .text($0.value) }) { member in
                switch member {
                case .oid: oid.offset
                case .totp: totp?.offset ?? oid.offset
                case .potp: potp?.offset ?? oid.offset
                }
            }
            return
        }
        guard let token = code ?? (count == 1 ? only : nil) else {
            throw TextFault(.invalidFormat, offset: query.lowerBound)
        }
        try self.init(token: token.value, at: token.offset, form: .deeplinkJWT, &scratch)
    }

    /// One parameter of a link.
    private struct Parameter {
        package let value: UnsafeRawBufferPointer
        /// The position of the value in the input.
        package let offset: Int
        /// The position of the name.
        let begin: Int

        /// Takes a place that only one may have.
        func become(_ place: inout Parameter?) throws(TextFault) {
            guard place == nil else { throw TextFault(.ambiguous, offset: begin) }
            place = self
        }
    }

    /// The code in a JSON Web Token.
    private init(
        token: UnsafeRawBufferPointer, at offset: Int, form: Form, _ scratch: inout Scratch
    ) throws(TextFault) {
        var dots = InlineArray<2, Int>(repeating: token.count)
        var count = 0
        var start = 0
        while let index = token.firstIndex(of: UInt8(ascii: "."), from: start, to: token.count) {
            guard count < 2 else { throw TextFault(.invalidJWT, offset: offset) }
            dots[count] = index
            count &+= 1
            start = index &+ 1
        }
        guard count > 0 else { throw TextFault(.invalidJWT, offset: offset) }
        let payload = token.part((dots[0] &+ 1)..<max(dots[0] &+ 1, dots[1]))
        guard let claims = TokenClaims(payload, &scratch) else { throw TextFault(.invalidJWT, offset: offset) }
        self.init(form)
        if let header = TokenClaims(token.part(0..<dots[0]), &scratch) {
            isHeaderValid = true
            if case .text(let name)? = header.algorithm { algorithm = name }
        }
        hasSignature = count == 2 && dots[1] &+ 1 < token.count
        try take(oid: claims.oid, claims.totp, claims.potp) { _ in offset }
    }

    private enum Member {
        case oid
        case totp
        case potp
    }

    /// Checks what selects and what proves, and keeps it.
    private mutating func take(
        oid: TokenClaims.Value?, _ totp: TokenClaims.Value?, _ potp: TokenClaims.Value?,
        offset: (Member) -> Int
    ) throws(TextFault) {
        guard case .text(let id)? = oid, !id.isEmpty else { throw TextFault(.missingOperationId, offset: offset(.oid)) }
        let isPlain = id.count <= 255 && PrintableText.isPlain(id)
        guard isPlain || PrintableText.count(id) <= 255 && PrintableText.firstOther(in: id) == nil else {
            throw TextFault(.invalidOperationId, offset: offset(.oid))
        }
        let first = try Self.password(totp, offset(.totp))
        let second = try Self.password(potp, offset(.potp))
        if let first, let second, !sameBytes(first, second) { throw TextFault(.ambiguous, offset: offset(.potp)) }
        operationId = id
        self.totp = first ?? second
    }

    /// A one-time password: 4 to 10 ASCII digits.
    private static func password(
        _ value: TokenClaims.Value?, _ offset: Int
    ) throws(TextFault) -> UnsafeRawBufferPointer? {
        switch value {
        case nil, .null?: return nil
        case .text(let text)?:
            guard (4...10).contains(text.count),
                text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { throw TextFault(.invalidTOTP, offset: offset) }
            return text
        case .other?: throw TextFault(.invalidTOTP, offset: offset)
        }
    }
}

/// The parts of a link (RFC 3986).
private struct Link {
    package let scheme: Range<Int>
    /// The part after `//`, up to the next `/`, `?` or `#`.
    package let authority: Range<Int>
    /// The part after `?`.
    package let query: Range<Int>?
    /// Where the fragment begins, or the end.
    let end: Int

    /// - Returns: nil when the text has no scheme
    init?(_ text: UnsafeRawBufferPointer) {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":"), from: 0, to: text.count), colon > 0 else { return nil }
        for index in 0..<colon where !Self.isPartOfScheme(text[index], first: index == 0) { return nil }
        scheme = 0..<colon
        let rest = colon &+ 1
        end = text.firstIndex(of: UInt8(ascii: "#"), from: rest, to: text.count) ?? text.count
        let mark = text.firstIndex(of: UInt8(ascii: "?"), from: rest, to: end) ?? end
        query = mark < end ? (mark &+ 1)..<end : nil
        guard rest &+ 1 < mark, text[rest] == UInt8(ascii: "/"), text[rest &+ 1] == UInt8(ascii: "/") else {
            authority = rest..<rest
            return
        }
        authority = (rest &+ 2)..<(text.firstIndex(of: UInt8(ascii: "/"), from: rest &+ 2, to: mark) ?? mark)
    }

    private static func isPartOfScheme(_ byte: UInt8, first: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): !first
        default: false
        }
    }
}

/// Percent-encoding (RFC 3986). A plus is a plus.
private enum Percent {
    /// Decodes a part of a text, once.
    static func decoded(
        _ text: UnsafeRawBufferPointer, _ range: Range<Int>, _ scratch: inout Scratch
    ) throws(TextFault) -> UnsafeRawBufferPointer {
        let part = text.part(range)
        guard part.firstIndex(of: UInt8(ascii: "%"), from: 0, to: part.count) != nil else { return part }
        var fault: Int?
        let decoded = scratch.write(maximum: part.count) { output in
            var index = 0
            var count = 0
            while index < part.count {
                var byte = part[index]
                if byte == UInt8(ascii: "%") {
                    guard index &+ 2 < part.count, let high = digit(part[index &+ 1]),
                        let low = digit(part[index &+ 2])
                    else {
                        fault = range.lowerBound &+ index
                        return nil
                    }
                    byte = high &<< 4 | low
                    index &+= 2
                }
                output.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
                count &+= 1
                index &+= 1
            }
            return count
        }
        guard let decoded else { throw TextFault(.invalidEncoding, offset: fault ?? range.lowerBound) }
        guard UTF8Validity.firstInvalid(in: decoded) == nil else {
            throw TextFault(.invalidEncoding, offset: range.lowerBound)
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }
}
