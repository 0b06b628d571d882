import MobileTokenCrypto
import MobileTokenJSON
import TestSupport

@testable import PowerAuth

extension SecureBytes {
    var array: [UInt8] { withBytes { [UInt8]($0) } }

    convenience init(base64 text: String) { self.init(copying: [UInt8](base64: text)) }
}

extension SecureBytes: ExpressibleByStringLiteral {
    /// Its bytes.
    public convenience init(stringLiteral text: String) { self.init(copying: text) }
}

func secret(_ text: String) -> SecureBytes { SecureBytes(copying: text) }

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
    var base64: String { Base64.encode(self) }
}

/// A JSON value out of text.
func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: [UInt8](text.utf8)).root }

func json(_ bytes: [UInt8]) throws -> JSONValue { try JSONDocument(parsing: bytes).root }

/// The code of the error that the work throws; nil when it throws none.
func failure<Result>(_ work: () throws -> Result) -> PowerAuthError.Code? {
    do {
        _ = try work()
        return nil
    } catch {
        return (error as? PowerAuthError)?.code
    }
}

extension SessionState {
    /// The content to store, in memory of its size.
    static func write(_ record: ActivationRecord?) -> SecureBytes {
        SecureBytes(count: size(record)) { memory in write(record, into: memory) }
    }
}

extension Session {
    /// What the session would store, to see that a failure changed nothing.
    var stored: [UInt8] { serialize().array }

    var counterData: [UInt8] { record?.copy(.counter).array ?? [] }

    /// The names of all tokens.
    package var tokenNames: [String] { record?.tokens.map { String(decoding: $0.name, as: UTF8.self) } ?? [] }
}
