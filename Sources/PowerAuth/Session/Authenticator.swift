// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// A named copy of the biometric factor's key, locked with an unlock key of its own: what a smart card or another custom
/// authenticator protects. All copies hold the same key, so the server cannot tell them apart.
struct Authenticator: Sendable {
    /// More than this are refused: a state stays small.
    static let maximumCount = 8
    /// The longest name, in UTF-8 bytes.
    static let maximumNameLength = 64

    let name: [UInt8]
    /// Locked as the field `biometry` of the record is: 16 bytes, in 4.0 48.
    let locked: [UInt8]

    /// Nil when a part has a wrong length.
    init?(name: [UInt8], locked: [UInt8]) {
        guard (1...Authenticator.maximumNameLength).contains(name.count),
            locked.count == 16 || locked.count == V4.KeyWrap.wrappedLength
        else { return nil }
        self.name = name
        self.locked = locked
    }
}

extension ActivationRecord {
    private var biometry: Field { suite == nil ? .biometry : .biometryV4 }

    /// The locked key of the biometric factor: the unnamed one (nil) or a named copy; nil when there is none.
    func biometry(named name: [UInt8]?) -> [UInt8]? {
        guard let name else { return flags.contains(.biometry) ? with(biometry) { [UInt8]($0) } : nil }
        return authenticators.first { $0.name == name }?.locked
    }

    /// Adds or replaces a locked key of the biometric factor.
    ///
    /// - Throws: `wrongParameter` for a name that is too long, or when there are too many.
    func storeBiometry(_ locked: [UInt8], named name: [UInt8]?) throws(PowerAuthError) {
        guard let name else {
            store(locked, in: biometry)
            flags.insert(.biometry)
            return
        }
        guard let added = Authenticator(name: name, locked: locked) else {
            throw PowerAuthError(.wrongParameter, "the authenticator's name must be 1 to 64 bytes")
        }
        if let index = authenticators.firstIndex(where: { $0.name == name }) {
            authenticators[index] = added
        } else {
            guard authenticators.count < Authenticator.maximumCount else {
                throw PowerAuthError(.wrongParameter, "there are too many authenticators; remove one first")
            }
            authenticators.append(added)
        }
    }

    /// Forgets a locked key of the biometric factor; nothing happens when there is none.
    func removeBiometry(named name: [UInt8]?) {
        if let name {
            authenticators.removeAll { $0.name == name }
        } else {
            clear(biometry)
            flags.remove(.biometry)
        }
    }

    /// Whether any authenticator has the biometric factor.
    var hasBiometry: Bool { flags.contains(.biometry) || !authenticators.isEmpty }
}
