// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The stored content of a session with an activation of 4.0: format 4 of ``SessionState``.
///
///     "MTPA"  format (4)  kind (1 activation)  suite (1)  flags (1)  marks (1)  counter byte (1)
///     look-ahead window (1, 0 to 64)  unacknowledged codes (1)
///     identifier length (1)  token count (1)  authenticator count (1)
///     block: counter (32), possession, knowledge (48 each), salt (32), former knowledge (48), former salt (32),
///            biometry (48), KDK_UTILITY, KDK_ENCRYPTION (76 each), device keys (92 or 124), public keys of device and
///            server (97 each, in hybrid suites and the key of ML-DSA), identifier
///     token: factors (1)  name length (1)  name  identifier length (1)  identifier  secret length (1, 16 or 32)  secret
///     authenticator: name length (1)  name  locked key (48)
extension SessionState {
    static let formatV4: UInt8 = 4

    /// How many bytes the state of an activation of 4.0 takes.
    static func sizeV4(_ record: ActivationRecord) -> Int {
        var size = 15 + record.block.count
        for token in record.tokens { size += 4 + token.name.count + token.id.count + token.secret.count }
        for authenticator in record.authenticators { size += 1 + authenticator.name.count + authenticator.locked.count }
        return size
    }

    /// Writes what follows the kind.
    static func writeV4(_ record: ActivationRecord, _ suite: V4.Suite, into bytes: inout ByteWriter) {
        bytes.append(byte: suite.rawValue)
        bytes.append(byte: record.flags.rawValue)
        bytes.append(byte: record.marks.rawValue)
        bytes.append(byte: record.counterByte)
        bytes.append(byte: record.window)
        bytes.append(byte: record.storedUnacknowledged)
        bytes.append(byte: UInt8(truncatingIfNeeded: record.identifierCount))
        bytes.append(byte: UInt8(truncatingIfNeeded: record.tokens.count))
        bytes.append(byte: UInt8(truncatingIfNeeded: record.authenticators.count))
        bytes.append(record.block)
        for token in record.tokens {
            write(token, into: &bytes)
            bytes.append(byte: UInt8(truncatingIfNeeded: token.secret.count))
            bytes.append(token.secret)
        }
        for authenticator in record.authenticators { write(authenticator, into: &bytes) }
    }

    /// Reads what follows the kind; nil when it is malformed.
    static func readV4(_ reader: inout ByteReader) -> ActivationRecord? {
        guard let suite = reader.byte().flatMap({ V4.Suite(rawValue: $0) }), let flags = reader.byte(),
            let marks = reader.byte(), let counterByte = reader.byte(), let window = reader.byte(),
            let unacknowledged = reader.byte(), let identifierCount = reader.byte(), let tokenCount = reader.byte(),
            Int(tokenCount) <= Token.maximumCount, let authenticatorCount = reader.byte(),
            Int(authenticatorCount) <= Authenticator.maximumCount,
            let block = reader.take(ActivationRecord.Field.fixedCountV4(suite) + Int(identifierCount)),
            let record = ActivationRecord(
                suite: suite, flags: ActivationRecord.Flags(rawValue: flags),
                marks: ActivationRecord.Marks(rawValue: marks), counterByte: counterByte,
                identifierCount: Int(identifierCount), block: SecureBytes(copying: block)),
            record.takeStored(window: window, unacknowledged: unacknowledged)
        else { return nil }
        for _ in 0..<tokenCount {
            guard let token = token(&reader, secretCount: nil),
                !record.tokens.contains(where: { $0.name == token.name })
            else { return nil }
            record.tokens.append(token)
        }
        for _ in 0..<authenticatorCount {
            guard authenticator(&reader, of: record, lockedCount: V4.KeyWrap.wrappedLength) else { return nil }
        }
        return record
    }
}
