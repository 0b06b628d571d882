// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// An activation whose answer was accepted, before it is persisted: kept in memory only.
final class ValidatedActivation {
    let identifier: [UInt8]
    let fingerprint: String
    let deviceKey: PrivateKey
    let serverKey: PublicKey
    let keys: ActivationKeys
    let counter: SecureBytes
    let recovery: RecoveryData?

    convenience init(_ answer: ActivationAnswer, deviceKey: PrivateKey) throws(CryptoError) {
        self.init(
            answer, deviceKey: deviceKey,
            keys: try ActivationKeys(deviceKey: deviceKey, serverKey: answer.serverKey),
            fingerprint: try ActivationFingerprint.compute(
                deviceKey: deviceKey.publicKey.compressed, activationId: answer.identifier,
                serverKey: answer.serverKey.compressed))
    }

    init(_ answer: ActivationAnswer, deviceKey: PrivateKey, keys: ActivationKeys, fingerprint: String) {
        identifier = answer.identifier
        self.deviceKey = deviceKey
        serverKey = answer.serverKey
        counter = answer.counter
        recovery = answer.recovery
        self.keys = keys
        self.fingerprint = fingerprint
    }
}
