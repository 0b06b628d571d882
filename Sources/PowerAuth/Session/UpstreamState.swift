// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The serialized state of the upstream SDK, for moving an existing installation (powerauth.md §14.2).
enum UpstreamState {
    /// The mark of activation data in the flags byte of the header.
    private static let hasActivation: UInt8 = 0x02
    /// Bits of the flags word.
    private static let usesExternalKey: UInt32 = 1 << 1
    private static let pendingUpgrade: UInt32 = 0xFF << 2
    private static let counterByteIsValid: UInt32 = 1 << 10
    private static let knownFlags: UInt32 = 0x7FF

    /// Reads a state.
    ///
    /// - Throws: `unsupportedProtocol` for a format older than that of version 3 activations; `unsupportedState` for a newer
    ///   one; `pendingUpgrade` when the upgrade of the activation was not finished; `missingActivation` for a state without
    ///   one; `invalidUpstreamState`.
    static func read(_ content: some Bytes) throws(PowerAuthError) -> ActivationRecord {
        try content.withBytes { (bytes) throws(PowerAuthError) -> ActivationRecord in
            var reader = ByteReader(bytes)
            guard reader.byte() == UInt8(ascii: "P"), reader.byte() == UInt8(ascii: "A"), let flags = reader.byte()
            else {
                throw damaged
            }
            if flags == UInt8(ascii: "M") {
                throw older
            }
            guard flags & hasActivation != 0 else {
                guard reader.remaining == 0 else { throw damaged }
                throw PowerAuthError(.missingActivation, "the upstream state has no activation")
            }
            guard reader.byte() == UInt8(ascii: "P"), let letter = reader.byte() else { throw damaged }
            switch letter {
            case UInt8(ascii: "4"): return try activation(&reader, hasRecovery: false, hasCounterByte: false)
            case UInt8(ascii: "5"): return try activation(&reader, hasRecovery: true, hasCounterByte: false)
            case UInt8(ascii: "6"): return try activation(&reader, hasRecovery: true, hasCounterByte: true)
            case UInt8(ascii: "0")...UInt8(ascii: "3"): throw older
            default: throw PowerAuthError(.unsupportedState, "the upstream state is in a newer format")
            }
        }
    }

    private static var damaged: PowerAuthError {
        PowerAuthError(.invalidUpstreamState, "the upstream state is damaged or incomplete")
    }

    private static var older: PowerAuthError {
        PowerAuthError(.unsupportedProtocol, "the upstream state is older than protocol version 3")
    }

    private static func activation(
        _ reader: inout ByteReader, hasRecovery: Bool, hasCounterByte: Bool
    ) throws(PowerAuthError) -> ActivationRecord {
        guard let counter = reader.variableData(), let identifier = reader.variableData(),
            let iterations = reader.uint32(), let salt = reader.variableData(),
            let possession = reader.variableData(), let knowledge = reader.variableData(),
            let biometry = reader.variableData(), let transport = reader.variableData(),
            let serverPoint = reader.variableData(), let devicePoint = reader.variableData(),
            let privateKey = reader.variableData(), let flags = reader.uint32()
        else { throw damaged }
        var recovery: [UInt8] = []
        if hasRecovery {
            guard let data = reader.variableData() else { throw damaged }
            recovery = [UInt8](data)
        }
        var counterByte: UInt8?
        if hasCounterByte {
            guard let byte = reader.byte() else { throw damaged }
            counterByte = flags & counterByteIsValid != 0 ? byte : nil
        }
        guard reader.remaining == 0, flags & ~knownFlags == 0,
            let serverKey = try? PublicKey(point: serverPoint).compressed
        else { throw damaged }
        guard flags & pendingUpgrade == 0 else {
            throw PowerAuthError(.pendingUpgrade, "the upstream activation has a pending protocol upgrade")
        }
        var deviceKey: [UInt8]?
        if !devicePoint.isEmpty {
            guard let point = try? PublicKey(point: devicePoint).compressed else { throw damaged }
            deviceKey = point
        }
        let contents = ActivationRecord.Contents(
            counter: SecureBytes(copying: counter), counterByte: counterByte, possession: [UInt8](possession),
            knowledge: [UInt8](knowledge), biometry: biometry.isEmpty ? nil : [UInt8](biometry),
            transport: [UInt8](transport), salt: [UInt8](salt), iterations: iterations, serverKey: serverKey,
            deviceKey: deviceKey, identifier: [UInt8](identifier), privateKey: [UInt8](privateKey), recovery: recovery,
            usesExternalKey: flags & usesExternalKey != 0)
        guard let record = ActivationRecord(contents) else { throw damaged }
        record.unacknowledged = ActivationRecord.unknownUnacknowledged
        return record
    }
}

extension Session {
    /// Takes over the serialized state of the upstream SDK (powerauth.md §14.2). Store the state.
    ///
    /// The data locked with the possession key of that installation are locked anew with the key of this session. The
    /// PIN, the biometry key and the external encryption key stay the same. A wrong possession key cannot be detected.
    ///
    /// - Parameter possessionKey: the possession unlock key of that installation, 16 bytes.
    /// - Throws: `wrongState` unless there is no activation, and when an external encryption key is set that the activation
    ///   does not use; `wrongParameter` for an unusable key; `encryption`; what ``UpstreamState/read(_:)`` throws.
    package func importUpstreamState(
        _ content: some Bytes, possessionKey upstreamKey: SecureBytes
    ) throws(PowerAuthError) {
        guard case .empty = state else { throw PowerAuthError(.wrongState, "there already is an activation") }
        try FactorLock.check(upstreamKey)
        let record = try UpstreamState.read(content)
        try attempt(.encryption, "the keys could not be locked") { () throws(CryptoError) in
            for field in [ActivationRecord.Field.possession, .transport] {
                let key = try record.with(field) { (locked) throws(CryptoError) in
                    try FactorLock.unlock(locked, with: upstreamKey, externalKey: nil)
                }
                record.store(try FactorLock.lock(key, with: possessionKey, externalKey: nil), in: field)
            }
        }
        try install(record)
    }
}
