// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// An activation as it is kept: identifiers, counter, and every key locked with its factor (powerauth.md §14).
///
/// The fixed-size fields and the variable ones lie in one block of memory, so that thousands of activations fit.
/// Changes are made in place: compute everything before a change. An activation of 4.0 has other fields:
/// `V4+Record.swift`.
final class ActivationRecord {
    /// A field at a fixed place of the block.
    struct Field {
        let offset: Int
        let count: Int

        static let counter = Field(offset: 0, count: 16)
        static let possession = Field(offset: 16, count: 16)
        static let knowledge = Field(offset: 32, count: 16)
        static let biometry = Field(offset: 48, count: 16)
        static let transport = Field(offset: 64, count: 16)
        static let salt = Field(offset: 80, count: 16)
        static let serverKey = Field(offset: 96, count: 33)
        static let deviceKey = Field(offset: 129, count: 33)
        static let fixedCount = 162
    }

    /// Properties of an activation.
    struct Flags: OptionSet {
        let rawValue: UInt8

        /// The low byte of the numeric counter is known. Very old imported states lack it.
        static let counterByte = Flags(rawValue: 1)
        /// Knowledge and biometry carry the outer layer of an external encryption key.
        static let externalKey = Flags(rawValue: 2)
        /// There is a biometric factor.
        static let biometry = Flags(rawValue: 4)
        /// The device's public key is known. Very old imported states lack it.
        static let deviceKey = Flags(rawValue: 8)

        static let all: Flags = [.counterByte, .externalKey, .biometry, .deviceKey]
    }

    /// Steps begun with the server that are not known to be finished (powerauth4.md §24). Of 4.0 only.
    struct Marks: OptionSet {
        let rawValue: UInt8

        /// The activation is to be confirmed.
        static let confirm = Marks(rawValue: 1)
        /// The upgrade from 3.x is to be confirmed.
        static let upgrade = Marks(rawValue: 2)
        /// The PIN was changed, and no code of the new one has left: the former key is kept too.
        static let newPIN = Marks(rawValue: 4)
        /// The server has accepted no code of the biometric factor.
        static let newBiometry = Marks(rawValue: 8)

        static let all: Marks = [.confirm, .upgrade, .newPIN, .newBiometry]
    }

    /// The suite of an activation of 4.0; nil: one of 3.x.
    let suite: V4.Suite?
    var marks: Marks = []
    var flags: Flags
    /// `CTR_BYTE`; 0 while it is not known.
    var counterByte: UInt8
    var iterations: UInt32
    /// The width of the server's look-ahead window from a status, 1 to 64; 0: unknown.
    var window: UInt8 = 0
    /// How many signatures, the last of them last, no answer has acknowledged: the device is ahead of the server by so many steps
    /// at most. `outOfReach`: a status has shown that the counters do not meet.
    var unacknowledged: UInt8 = 0 {
        didSet { if openStep != .none, unacknowledged < oldValue { unacknowledged = oldValue } }
    }
    /// Whether a signature that was withdrawn before it was sent may have reached the server, which is then a step
    /// ahead. Until that is known, `unacknowledged` does not fall: the status comes before the next signature.
    var openStep = OpenStep.none
    enum OpenStep { case none, onItsWay, lost }
    /// A status has shown failed attempts of the user, or the status of an earlier process may have shown some. Not
    /// stored separately.
    var hasFailures = false
    /// The stored number of unacknowledged signatures. After a failed attempt it is high enough to make the next
    /// process fetch the status before its first signature: it must know the count to distinguish a further failed
    /// attempt from that one.
    var storedUnacknowledged: UInt8 {
        guard hasFailures, unacknowledged < Self.outOfReach else { return unacknowledged }
        return max(unacknowledged, window / 2 + 1)
    }
    /// The assumed number of unacknowledged signatures if none is stored: half of the usual window, so that the status
    /// comes first.
    static let unknownUnacknowledged: UInt8 = 10
    /// Takes over what was stored; false: it is malformed.
    func takeStored(window: UInt8, unacknowledged: UInt8) -> Bool {
        guard window <= 64 else { return false }
        self.window = window
        self.unacknowledged = unacknowledged
        hasFailures = unacknowledged > window / 2
        return true
    }
    /// Numbers the signatures that this object has seen; never stored.
    var signatures: UInt64 = 0
    var tokens: [Token] = []
    /// The named copies of the biometric factor, in the order in which they were added.
    var authenticators: [Authenticator] = []
    static let outOfReach: UInt8 = 255
    /// Where in the block the identifier begins: behind the fixed fields.
    private let identifierStart: Int
    let identifierCount: Int
    let privateKeyCount: Int
    let recoveryCount: Int
    /// The fixed fields, then the identifier, the encrypted device private key and the encrypted recovery data.
    let block: SecureBytes
    /// The values before the last step of the counter.
    private let before: SecureBytes
    private var unacknowledgedBefore: UInt8 = 0

    /// Takes a whole block, as ``block`` describes it.
    ///
    /// Nil when the parts do not fit together: lengths, flags against empty fields, the form of identifier and points.
    convenience init?(
        flags: Flags, counterByte: UInt8, iterations: UInt32, identifierCount: Int, privateKeyCount: Int,
        recoveryCount: Int, block: SecureBytes
    ) {
        self.init(
            unchecked: nil, flags: flags, counterByte: counterByte, iterations: iterations,
            identifierStart: Field.fixedCount, identifierCount: identifierCount, privateKeyCount: privateKeyCount,
            recoveryCount: recoveryCount, block: block)
        guard flags.isSubset(of: .all), (1...KnowledgeParameters.maximumIterations).contains(iterations),
            ActivationRecord.isPaddedLength(privateKeyCount), privateKeyCount > 0,
            ActivationRecord.isPaddedLength(recoveryCount), identifierCount > 0,
            block.count == Field.fixedCount + identifierCount + privateKeyCount + recoveryCount,
            withIdentifier({ isIdentifier($0) }), with(.serverKey, ActivationRecord.isCompressedPoint)
        else { return nil }
        if flags.contains(.deviceKey) {
            guard with(.deviceKey, ActivationRecord.isCompressedPoint) else { return nil }
        } else {
            guard with(.deviceKey, ActivationRecord.isZero) else { return nil }
        }
        guard flags.contains(.biometry) || with(.biometry, ActivationRecord.isZero),
            flags.contains(.counterByte) || counterByte == 0
        else { return nil }
    }

    /// Takes the parts as they are: the caller checks them.
    init(
        unchecked suite: V4.Suite?, flags: Flags, counterByte: UInt8, iterations: UInt32, identifierStart: Int,
        identifierCount: Int, privateKeyCount: Int, recoveryCount: Int, block: SecureBytes
    ) {
        self.suite = suite
        self.flags = flags
        self.counterByte = counterByte
        self.iterations = iterations
        self.identifierStart = identifierStart
        self.identifierCount = identifierCount
        self.privateKeyCount = privateKeyCount
        self.recoveryCount = recoveryCount
        self.block = block
        before = SecureBytes(count: suite == nil ? Field.counter.count : Field.counterV4.count)
    }

    /// An independent copy: changes of the other do not reach it.
    convenience init(copying other: ActivationRecord) {
        self.init(
            unchecked: other.suite, flags: other.flags, counterByte: other.counterByte, iterations: other.iterations,
            identifierStart: other.identifierStart, identifierCount: other.identifierCount,
            privateKeyCount: other.privateKeyCount, recoveryCount: other.recoveryCount,
            block: SecureBytes(copying: other.block))
        marks = other.marks
        window = other.window
        unacknowledged = other.unacknowledged
        openStep = other.openStep
        hasFailures = other.hasFailures
        signatures = other.signatures
        tokens = other.tokens
        authenticators = other.authenticators
    }

    /// Takes the failed attempts from a status; returns whether there were any before.
    func noteFailures(_ count: UInt8) -> Bool {
        defer { hasFailures = count > 0 }
        return hasFailures
    }

    /// The counter's field.
    var counter: Field { suite == nil ? .counter : .counterV4 }

    /// Lends a fixed field.
    @inline(__always)
    func with<Result, Failure: Error>(
        _ field: Field, _ work: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try with(field.offset..<(field.offset + field.count), work)
    }

    /// Lends the activation identifier.
    @inline(__always)
    func withIdentifier<Result, Failure: Error>(
        _ work: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try with(identifierStart..<(identifierStart + identifierCount), work)
    }

    /// Lends the device private key, encrypted with the vault key.
    func withPrivateKey<Result, Failure: Error>(
        _ work: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = identifierStart + identifierCount
        return try with(start..<(start + privateKeyCount), work)
    }

    /// Lends the recovery data, encrypted with the vault key; empty when there is none.
    func withRecovery<Result, Failure: Error>(
        _ work: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = identifierStart + identifierCount + privateKeyCount
        return try with(start..<(start + recoveryCount), work)
    }

    /// A copy of a fixed field.
    func copy(_ field: Field) -> SecureBytes { with(field) { SecureBytes(copying: $0) } }

    /// The activation identifier.
    var identifier: [UInt8] { withIdentifier { [UInt8]($0) } }

    /// How the PIN of the activation is turned into a key.
    var knowledgeParameters: KnowledgeParameters {
        KnowledgeParameters(salt: with(suite == nil ? .salt : .saltV4) { [UInt8]($0) }, iterations: iterations)
    }

    /// Overwrites a fixed field. Bytes beyond its length are ignored; callers give exactly its length.
    func store(_ bytes: some Bytes, in field: Field) {
        bytes.withBytes { source in
            block.withMutableBytes { target in
                for index in 0..<min(field.count, source.count) { target[field.offset + index] = source[index] }
            }
        }
    }

    /// Overwrites a fixed field with zeros.
    func clear(_ field: Field) { store(SecureBytes(count: field.count), in: field) }

    /// A hash of the locked keys of the user's factors.
    var locks: UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ locked: UnsafeRawBufferPointer) {
            for start in stride(from: 0, through: locked.count - 8, by: 8) {
                hash = (hash ^ locked.loadUnaligned(fromByteOffset: start, as: UInt64.self)) &* 0x9e37_79b9_7f4a_7c15
                hash ^= hash &>> 32
            }
        }
        let fields: [Field] =
            suite == nil ? [.knowledge, .biometry] : [.knowledgeV4, .formerKnowledgeV4, .biometryV4]
        for field in fields { with(field, add) }
        for authenticator in authenticators { authenticator.locked.withUnsafeBytes(add) }
        return hash
    }

    /// Moves to the next signature: the counter that follows, and its byte. Nothing changes when it throws.
    func advance() throws(CryptoError) {
        let field = counter.offset..<(counter.offset + counter.count)
        let unacknowledgedBefore = unacknowledged
        try before.withMutableBytes { (before) throws(CryptoError) in
            try block.withMutableBytes { (block) throws(CryptoError) in
                let counter = UnsafeMutableRawBufferPointer(rebasing: block[field])
                before.copyMemory(from: UnsafeRawBufferPointer(counter))
                do throws(CryptoError) {
                    if suite == nil { try HashCounter.advance(counter) } else { try V4.HashCounter.advance(counter) }
                } catch {
                    counter.copyMemory(from: UnsafeRawBufferPointer(before))
                    throw error
                }
            }
        }
        self.unacknowledgedBefore = unacknowledgedBefore
        if flags.contains(.counterByte) { counterByte &+= 1 }
        signatures &+= 1
        if unacknowledged < Self.outOfReach - 1 { unacknowledged += 1 }
    }

    /// Undoes `advance`. Only right after it.
    func stepBack() {
        store(before, in: counter)
        if flags.contains(.counterByte) { counterByte &-= 1 }
        signatures &-= 1
        unacknowledged = unacknowledgedBefore
    }

    @inline(__always)
    private func with<Result, Failure: Error>(
        _ range: Range<Int>, _ work: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The initialiser has checked that every range lies within the block.
        try block.withBytes { (bytes) throws(Failure) in try work(UnsafeRawBufferPointer(rebasing: bytes[range])) }
    }

    private static func isPaddedLength(_ count: Int) -> Bool { count >= 0 && count <= 64 && count % 16 == 0 }

    private static func isCompressedPoint(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.first == 2 || bytes.first == 3
    }

    private static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.allSatisfy { $0 == 0 } }
}

extension ActivationRecord {
    /// Everything that a new record is made of; all keys are encrypted.
    struct Contents {
        /// 16 bytes.
        let counter: SecureBytes
        /// Nil when it is not known.
        let counterByte: UInt8?
        /// 16 bytes each, locked.
        let possession: [UInt8]
        let knowledge: [UInt8]
        /// Nil when there is no biometric factor.
        let biometry: [UInt8]?
        let transport: [UInt8]
        /// 16 bytes.
        let salt: [UInt8]
        let iterations: UInt32
        /// Compressed points, 33 bytes.
        let serverKey: [UInt8]
        /// Nil when it is not known.
        let deviceKey: [UInt8]?
        let identifier: [UInt8]
        /// Encrypted with the vault key.
        let privateKey: [UInt8]
        /// Encrypted with the vault key; empty when there is none.
        let recovery: [UInt8]
        let usesExternalKey: Bool
    }

    /// Makes a record; nil when a part has a wrong length or form.
    convenience init?(_ contents: Contents) {
        guard contents.counter.count == 16, contents.possession.count == 16, contents.knowledge.count == 16,
            contents.biometry.map({ $0.count == 16 }) ?? true, contents.transport.count == 16,
            contents.salt.count == 16,
            contents.serverKey.count == 33, contents.deviceKey.map({ $0.count == 33 }) ?? true
        else { return nil }
        var flags: Flags = []
        if contents.counterByte != nil { flags.insert(.counterByte) }
        if contents.usesExternalKey { flags.insert(.externalKey) }
        if contents.biometry != nil { flags.insert(.biometry) }
        if contents.deviceKey != nil { flags.insert(.deviceKey) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            Field.fixedCount + contents.identifier.count + contents.privateKey.count + contents.recovery.count)
        bytes.append(contents.counter)
        bytes.append(contentsOf: contents.possession)
        bytes.append(contentsOf: contents.knowledge)
        bytes.append(contentsOf: contents.biometry ?? [UInt8](repeating: 0, count: 16))
        bytes.append(contentsOf: contents.transport)
        bytes.append(contentsOf: contents.salt)
        bytes.append(contentsOf: contents.serverKey)
        bytes.append(contentsOf: contents.deviceKey ?? [UInt8](repeating: 0, count: 33))
        bytes.append(contentsOf: contents.identifier)
        bytes.append(contentsOf: contents.privateKey)
        bytes.append(contentsOf: contents.recovery)
        defer { wipe(&bytes) }
        self.init(
            flags: flags, counterByte: contents.counterByte ?? 0, iterations: contents.iterations,
            identifierCount: contents.identifier.count, privateKeyCount: contents.privateKey.count,
            recoveryCount: contents.recovery.count, block: SecureBytes(copying: bytes))
    }
}
