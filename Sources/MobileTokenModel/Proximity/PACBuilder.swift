// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// Writes proximity codes in the way that every reader understands.
package enum PACBuilder {
    /// Writes a code.
    ///
    /// - Parameters:
    ///   - link: the part before the query of a link
    ///   - totp: nil: the code only selects
    /// - Throws: a fault if the code could not be read back
    package static func build(
        _ form: PACCode.Form, operationId: String, totp: String?, link: String
    ) throws(TextFault) -> String {
        var code: [UInt8] = []
        if form != .jwt { code.append(contentsOf: link.utf8) }
        switch form {
        case .deeplink:
            code.append(contentsOf: "?oid=".utf8)
            encode(operationId, to: &code)
            if let totp {
                code.append(contentsOf: "&potp=".utf8)
                encode(totp, to: &code)
            }
        case .deeplinkJWT, .jwt:
            if form == .deeplinkJWT { code.append(contentsOf: "?code=".utf8) }
            var payload = JSONWriter()
            payload.beginObject()
            payload.key("oid")
            payload.value(operationId)
            if let totp {
                payload.key("potp")
                payload.value(totp)
            }
            payload.endObject()
            // {"alg":"none","typ":"JWT"}
            code.append(contentsOf: "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.".utf8)
            Base64URL.append(payload.bytes, to: &code)
        }
        try code.withBytes { (text: UnsafeRawBufferPointer) throws(TextFault) in
            try PACCode.withCode(parsing: text, onlyLinks: form != .jwt) {
                (result: Result<PACCode, TextFault>) throws(TextFault) in
                let read = try result.get()
                // Parameters of the link could hide the requested ones.
                guard read.form == form, read.operationId.elementsEqual(operationId.utf8),
                    read.totp.map({ Array($0) }) == totp.map({ Array($0.utf8) })
                else { throw TextFault(.invalidFormat, offset: 0) }
            }
        }
        return String(utf8: code)
    }

    /// Percent-encodes everything but the unreserved characters.
    private static func encode(_ text: String, to output: inout [UInt8]) {
        func digit(_ value: UInt8) -> UInt8 {
            value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "A") &+ (value &- 10)
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                output.append(byte)
            default:
                output.append(UInt8(ascii: "%"))
                output.append(digit(byte &>> 4))
                output.append(digit(byte & 15))
            }
        }
    }
}
