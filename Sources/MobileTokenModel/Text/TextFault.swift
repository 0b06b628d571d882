// SPDX-License-Identifier: Apache-2.0
/// Why a scanned or received text was refused, and where. Holds nothing of the text, so that it can be logged.
public struct TextFault: Error, Equatable, Sendable {
    /// The fault.
    public enum Code: Sendable, CaseIterable {
        /// The text, or the number of its lines, is beyond the limit.
        case tooLong
        /// A byte belongs to no whole UTF-8 sequence.
        case invalidUTF8
        /// A control character appears where text is expected.
        case controlCharacter
        /// An offline payload has fewer than seven lines.
        case tooFewLines
        /// The line of the operation's id is empty.
        case noOperationId
        /// The last line is not a key type with a signature of a possible length.
        case invalidSignature
        /// The last line but one is not the Base64 text of 16 bytes.
        case invalidNonce
        /// Operation data do not begin with a letter from A to Z.
        case invalidVersion
        /// The template of operation data is not a number from 0 to 99.
        case invalidTemplateId
        /// A field of operation data breaks the rules of its type.
        case invalidField
        /// Operation data have more than six fields.
        case tooManyFields
        /// There is no text.
        case empty
        /// A proximity code is neither a link with parameters nor a JSON Web Token, or holds what no code holds.
        case invalidFormat
        /// A part of a link is not properly percent-encoded UTF-8.
        case invalidEncoding
        /// A JSON Web Token has another form.
        case invalidJWT
        /// There is no operation id, or it is empty or no text.
        case missingOperationId
        /// The operation id is longer than 255 characters or holds others than printable ones.
        case invalidOperationId
        /// The one-time password is not 4 to 10 digits.
        case invalidTOTP
        /// A value occurs twice.
        case ambiguous
        /// The link has a scheme or host that is not accepted.
        case notAllowed
    }

    /// The fault.
    public let code: Code
    /// Where, in bytes from 0.
    public let offset: Int
    /// Where, in lines from 1.
    public let line: Int

    init(_ code: Code, offset: Int, line: Int = 1) {
        self.code = code
        self.offset = offset
        self.line = line
    }

    /// A fault at an offset of a text, with the line counted.
    init(_ code: Code, offset: Int, in text: UnsafeRawBufferPointer) {
        var line = 1
        for byte in text.prefix(offset) where byte == 0x0A { line &+= 1 }
        self.init(code, offset: offset, line: line)
    }
}

extension TextFault.Code {
    /// The stable name, and what it means.
    package var words: (name: StaticString, detail: StaticString) {
        switch self {
        case .tooLong: ("tooLong", "it is too long")
        case .invalidUTF8: ("invalidUtf8", "it is not valid UTF-8")
        case .controlCharacter: ("controlCharacter", "it has a control character")
        case .tooFewLines: ("tooFewLines", "it has fewer than seven lines")
        case .noOperationId: ("noOperationId", "the operation's id is empty")
        case .invalidSignature: ("invalidSignature", "the last line must be a key type and a signature")
        case .invalidNonce: ("invalidNonce", "the nonce must be the Base64 of 16 bytes")
        case .invalidVersion: ("invalidVersion", "the operation data must begin with a version, A to Z")
        case .invalidTemplateId: ("invalidTemplateId", "the operation data's template must be 0 to 99")
        case .invalidField: ("invalidField", "a field of the operation data is invalid for its type")
        case .tooManyFields: ("tooManyFields", "the operation data has more than six fields")
        case .empty: ("empty", "it is empty")
        case .invalidFormat: ("invalidFormat", "it is neither a link with parameters nor a JSON Web Token")
        case .invalidEncoding: ("invalidEncoding", "a part of the link is not percent-encoded UTF-8")
        case .invalidJWT: ("invalidJwt", "the JSON Web Token is malformed")
        case .missingOperationId: ("missingOperationId", "it names no operation")
        case .invalidOperationId:
            ("invalidOperationId", "the operation's id must be 1 to 255 printable characters")
        case .invalidTOTP: ("invalidTotp", "the one-time password must be a text of 4 to 10 digits")
        case .ambiguous: ("ambiguous", "it has a parameter twice")
        case .notAllowed: ("notAllowed", "the link's scheme or host is not allowed")
        }
    }
}
