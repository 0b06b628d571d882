// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Makes the payload of an offline operation, for servers and tests.
package struct OfflineOperationBuilder {
    package var id = ""
    package var title = ""
    package var message = ""
    /// Operation data as they are.
    package var data = ""
    /// The letters.
    package var flags = ""
    package var totp: String?
    /// 16 bytes.
    package var nonce: [UInt8] = []

    package init() {}

    /// The part of the payload that is signed.
    ///
    /// - Parameter key: `master` or `personalized`
    package func signedPart(_ key: OfflineOperation.Key) throws(TextFault) -> [UInt8] {
        var text: [UInt8] = []
        try append(id, to: &text)
        try TextNormalization.append(title, isField: false, to: &text)
        text.append(0x0A)
        try TextNormalization.append(message, isField: false, to: &text)
        text.append(0x0A)
        try append(data, to: &text)
        try append(flags, to: &text)
        if let totp {
            guard !totp.isEmpty else { throw TextFault(.invalidTOTP, offset: text.count) }
            try append(totp, to: &text)
        }
        Base64.append(nonce, to: &text)
        text.append(0x0A)
        text.append(key == .master ? UInt8(ascii: "0") : UInt8(ascii: "1"))
        return text
    }

    /// A line that is written as it is.
    private func append(_ line: String, to text: inout [UInt8]) throws(TextFault) {
        guard !line.utf8.contains(0x0A) else { throw TextFault(.controlCharacter, offset: text.count) }
        text.append(contentsOf: line.utf8)
        text.append(0x0A)
    }

    /// The whole payload. Refuses to make one that could not be read back.
    ///
    /// - Parameter signature: DER, of the signed part
    package static func payload(_ signedPart: [UInt8], signature: [UInt8]) throws(TextFault) -> String {
        var text = signedPart
        Base64.append(signature, to: &text)
        try text.withBytes { (text: UnsafeRawBufferPointer) throws(TextFault) in
            _ = try OfflineOperation(parsing: text)
        }
        return String(utf8: text)
    }
}
