// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The stored content of a session. Its integrity is the store's duty; reading it is total nevertheless.
///
///     "MTPA"  format (3)  kind (0 empty, 1 activation)                         an empty state ends here
///     flags (1)  counter byte (1)  iterations (4)
///     identifier length (1)  private key length (1)  recovery length (1)  token count (1)
///     block: counter, possession, knowledge, biometry, transport, salt (16 each), server key, device key (33 each),
///            identifier, encrypted private key, encrypted recovery data
///     token: factors (1)  name length (1)  name  identifier length (1)  identifier  secret (16)
///     authenticator count (1)
///     authenticator: name length (1)  name  locked key (16)
///     look-ahead window (1, 0 to 64)  unacknowledged signatures (1)
///
/// Numbers are big endian. Nothing follows the last part, and a field that is not there is zero. An activation of 4.0 has
/// format 4: `V4+State.swift`. Any addition makes a new format: a state of an unknown format is refused, never read
/// in part.
enum SessionState {
    private static let magic: StaticString = "MTPA"
    private static let format3: UInt8 = 3
    private static let kindEmpty: UInt8 = 0
    private static let kindActivation: UInt8 = 1

    /// How many bytes a state takes; nil means a session without an activation.
    static func size(_ record: ActivationRecord?) -> Int {
        guard let record else { return 6 }
        guard record.suite == nil else { return sizeV4(record) }
        var size = 19 + record.block.count
        for token in record.tokens { size += 19 + token.name.count + token.id.count }
        for authenticator in record.authenticators { size += 1 + authenticator.name.count + authenticator.locked.count }
        return size
    }

    /// Writes a state into memory of its size; nil means a session without an activation.
    static func write(_ record: ActivationRecord?, into memory: UnsafeMutableRawBufferPointer) {
        var bytes = ByteWriter(memory)
        bytes.append(magic)
        bytes.append(byte: record?.suite == nil ? format3 : formatV4)
        guard let record else { return bytes.append(byte: kindEmpty) }
        bytes.append(byte: kindActivation)
        if let suite = record.suite { return writeV4(record, suite, into: &bytes) }
        bytes.append(byte: record.flags.rawValue)
        bytes.append(byte: record.counterByte)
        withUnsafeBytes(of: record.iterations.bigEndian) { bytes.append($0) }
        // Every length was checked to fit when the record or the token was made.
        bytes.append(byte: UInt8(truncatingIfNeeded: record.identifierCount))
        bytes.append(byte: UInt8(truncatingIfNeeded: record.privateKeyCount))
        bytes.append(byte: UInt8(truncatingIfNeeded: record.recoveryCount))
        bytes.append(byte: UInt8(truncatingIfNeeded: record.tokens.count))
        bytes.append(record.block)
        for token in record.tokens {
            write(token, into: &bytes)
            bytes.append(token.secret)
        }
        bytes.append(byte: UInt8(truncatingIfNeeded: record.authenticators.count))
        for authenticator in record.authenticators { write(authenticator, into: &bytes) }
        bytes.append(byte: record.window)
        bytes.append(byte: record.storedUnacknowledged)
    }

    /// Writes a token up to its secret.
    static func write(_ token: Token, into bytes: inout ByteWriter) {
        bytes.append(byte: token.factors.rawValue)
        bytes.append(byte: UInt8(truncatingIfNeeded: token.name.count))
        bytes.append(token.name)
        bytes.append(byte: UInt8(truncatingIfNeeded: token.id.count))
        bytes.append(token.id)
    }

    static func write(_ authenticator: Authenticator, into bytes: inout ByteWriter) {
        bytes.append(byte: UInt8(truncatingIfNeeded: authenticator.name.count))
        bytes.append(authenticator.name)
        bytes.append(authenticator.locked)
    }

    /// Reads a state; nil means a session without an activation.
    ///
    /// - Throws: `corruptedState`, or `unsupportedState` for a format of another version.
    static func read(_ content: some Bytes) throws(PowerAuthError) -> ActivationRecord? {
        try content.withBytes { (bytes) throws(PowerAuthError) -> ActivationRecord? in
            var reader = ByteReader(bytes)
            guard let start = reader.take(4), sameBytes(start, magic), let format = reader.byte() else {
                throw PowerAuthError(.corruptedState, "the state has no valid header")
            }
            guard format == format3 || format == formatV4 else {
                throw PowerAuthError(.unsupportedState, "the state's format is not supported")
            }
            switch reader.byte() {
            case kindEmpty? where reader.remaining == 0 && format == format3:
                return nil
            case kindActivation? where format == formatV4:
                if let record = readV4(&reader), reader.remaining == 0 { return record }
            case kindActivation?:
                if let record = activation(&reader), reader.remaining == 0 { return record }
            default:
                break
            }
            throw PowerAuthError(.corruptedState, "the state is damaged")
        }
    }

    private static func activation(_ reader: inout ByteReader) -> ActivationRecord? {
        guard let flags = reader.byte(), let counterByte = reader.byte(), let iterations = reader.uint32(),
            let identifierCount = reader.byte(), let privateKeyCount = reader.byte(), let recoveryCount = reader.byte(),
            let tokenCount = reader.byte(), Int(tokenCount) <= Token.maximumCount,
            let block = reader.take(
                ActivationRecord.Field.fixedCount + Int(identifierCount) + Int(privateKeyCount) + Int(recoveryCount)),
            let record = ActivationRecord(
                flags: ActivationRecord.Flags(rawValue: flags), counterByte: counterByte, iterations: iterations,
                identifierCount: Int(identifierCount), privateKeyCount: Int(privateKeyCount),
                recoveryCount: Int(recoveryCount), block: SecureBytes(copying: block))
        else { return nil }
        for _ in 0..<tokenCount {
            guard let token = token(&reader, secretCount: 16), !record.tokens.contains(where: { $0.name == token.name })
            else {
                return nil
            }
            record.tokens.append(token)
        }
        guard let authenticatorCount = reader.byte(), Int(authenticatorCount) <= Authenticator.maximumCount else {
            return nil
        }
        for _ in 0..<authenticatorCount {
            guard authenticator(&reader, of: record, lockedCount: 16) else { return nil }
        }
        guard let window = reader.byte(), let unacknowledged = reader.byte(),
            record.takeStored(window: window, unacknowledged: unacknowledged)
        else { return nil }
        return record
    }

    /// One authenticator; false when it is malformed, or there twice.
    static func authenticator(_ reader: inout ByteReader, of record: ActivationRecord, lockedCount: Int) -> Bool {
        guard let nameCount = reader.byte(), let name = reader.take(Int(nameCount)),
            String(validating: name, as: UTF8.self) != nil, let locked = reader.take(lockedCount),
            let authenticator = Authenticator(name: [UInt8](name), locked: [UInt8](locked)),
            record.biometry(named: authenticator.name) == nil
        else { return false }
        record.authenticators.append(authenticator)
        return true
    }

    /// One token.
    ///
    /// - Parameter secretCount: the length of its secret; nil: the length is stored
    static func token(_ reader: inout ByteReader, secretCount: Int?) -> Token? {
        guard let factors = reader.byte(), let nameCount = reader.byte(), let name = reader.take(Int(nameCount)),
            String(validating: name, as: UTF8.self) != nil, let idCount = reader.byte(),
            let id = reader.take(Int(idCount)), let count = secretCount ?? reader.byte().map({ Int($0) }),
            let secret = reader.take(count)
        else { return nil }
        return Token(
            name: [UInt8](name), id: [UInt8](id), factors: Factors(rawValue: factors),
            secret: SecureBytes(copying: secret))
    }
}
