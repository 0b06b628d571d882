// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

extension Activation {
    /// Refuses what cannot be the key of the biometric factor.
    ///
    /// - Returns: the protocol that it is a key of
    @discardableResult
    func check(biometryKey key: SecureBytes) throws(Failure) -> ProtocolVersion {
        let version = lock.glance { session.version }
        guard key.count == 16 || (version == .v40 && key.count == 32), !key.isAllZero else {
            throw .argument(
                version == .v40
                    ? "A biometry key must be 16 or 32 bytes, not all zero."
                    : "A biometry key must be 16 bytes, not all zero.")
        }
        return version
    }

    /// The keys for signing. Derives the knowledge key from the PIN, which takes milliseconds: outside of the lock, on the
    /// caller's thread.
    func signingKeys(_ authentication: Authentication) throws(Failure) -> SigningKeys {
        let factors = try authentication.effectiveFactors
        guard factors.signatureType != nil else {
            throw Failure(
                .factor, Reason.factorNotAllowed,
                "This combination of factors cannot sign: knowledge and biometry need possession too.")
        }
        try NameLimits.check(authenticator: authentication.authenticator)
        let authenticator = authentication.authenticator.map { [UInt8]($0.utf8) }
        let (parameters, hasBiometry) = try lock.glance { () throws(Failure) in
            try require(.activated)
            return (
                factors.contains(.knowledge) ? session.knowledgeParameters : nil,
                factors.contains(.biometry) && session.hasBiometry(named: authenticator)
            )
        }
        var knowledge: KnowledgeKey?
        if factors.contains(.knowledge) {
            guard let pin = authentication.pin else { throw .argument("The knowledge factor needs a PIN.") }
            guard let parameters else { throw .notActivated }
            knowledge = try Failure.converting { () throws(PowerAuthError) in
                try KnowledgeKey.derive(pin: pin, parameters: parameters)
            }
        }
        if factors.contains(.biometry) {
            guard authentication.biometryKey != nil else { throw .argument("The biometry factor needs a key.") }
            guard hasBiometry else {
                throw Failure(
                    .factor, Reason.factorNotConfigured,
                    "The biometry factor is not set up for this authenticator.")
            }
        }
        return SigningKeys(
            possession: factors.contains(.possession), knowledge: knowledge,
            biometry: factors.contains(.biometry) ? authentication.biometryKey : nil, authenticator: authenticator)
    }
}
