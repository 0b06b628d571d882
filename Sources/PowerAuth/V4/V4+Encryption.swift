// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension EncryptorID {
    /// The purpose of the message in 4.0; nil: 4.0 has no such message.
    fileprivate var purpose: V4.Purpose? {
        switch self {
        case .applicationGeneric: .applicationGeneric
        case .activationGeneric: .activationGeneric
        case .activationLayer2: .activationLayer2
        case .upgrade: .upgradeStart
        case .vaultUnlock: .vaultUnlock
        case .createToken: .createToken
        case .changePassword: .changePassword
        case .addBiometry: .addBiometry
        case .confirmRecoveryCode: nil
        }
    }
}

extension Session {
    /// Makes an encryptor of 4.0 for one request and its response (powerauth4.md §8).
    func encryptorV4(_ id: EncryptorID, key: V4.TemporaryKey) throws(PowerAuthError) -> V4.Encryptor {
        guard let purpose = id.purpose else {
            throw PowerAuthError(.unsupportedProtocol, "protocol 4.0 does not have this")
        }
        guard purpose.scope == .activation else {
            return try V4.Encryptor(
                purpose, key: key, configuration: configuration, sharedInfo2Key: nil, random: random)
        }
        let (record, suite) = try activatedV4()
        guard let activationId = key.activationId, key.suite == suite,
            record.withIdentifier({ sameBytes($0, activationId) })
        else { throw PowerAuthError(.invalidTemporaryKey, "there is no temporary key for this message") }
        return try V4.Encryptor(
            purpose, key: key, configuration: configuration, sharedInfo2Key: try utilityKey(.sharedInfo2, of: record),
            random: random)
    }

    /// A key of the kind that `KDK_UTILITY` gives.
    func utilityKey(_ kind: V4.UtilityKey, of record: ActivationRecord) throws(PowerAuthError) -> SecureBytes {
        let utility = try utilityV4(record)
        return try attempt(.encryption, "the key could not be derived", try kind.derive(from: utility))
    }

    /// `KDK_UTILITY`.
    func utilityV4(_ record: ActivationRecord) throws(PowerAuthError) -> SecureBytes {
        try attempt(.corruptedState, "the stored keys could not be opened") { () throws(CryptoError) in
            let local = try deviceKeyV4().localData
            return try record.with(.utilityV4) { (sealed) throws(CryptoError) in
                try V4.LocalKey.utility.open(sealed, with: local, activationId: record.identifier)
            }
        }
    }

    /// Writes a request for a temporary key of 4.0 (powerauth4.md §7).
    func temporaryKeyRequestV4(
        scope: EncryptionScope, _ suite: V4.Suite
    ) throws(PowerAuthError) -> V4.TemporaryKeyRequest {
        guard scope == .activation else {
            return try V4.TemporaryKeyRequest(
                configuration: configuration, suite: suite, activation: nil, random: random)
        }
        let (record, _) = try activatedV4()
        return try V4.TemporaryKeyRequest(
            configuration: configuration, suite: suite,
            activation: (record.identifier, try utilityKey(.activationTemporaryKey, of: record)), random: random)
    }

    /// Takes the temporary key out of the answer: all signatures of the suite must be the server's.
    func acceptTemporaryKeyV4(
        _ responseObject: JSONValue, request: V4.TemporaryKeyRequest
    ) throws(PowerAuthError) -> V4.TemporaryKey {
        guard request.scope == .activation else {
            guard let signers = configuration.masterKeys(for: request.suite) else {
                throw PowerAuthError(.invalidConfiguration, "the configuration has no keys of this suite")
            }
            return try request.accept(responseObject, signers: signers)
        }
        let (record, suite) = try activatedV4()
        return try request.accept(responseObject, signers: try record.serverPublicV4(suite))
    }
}
