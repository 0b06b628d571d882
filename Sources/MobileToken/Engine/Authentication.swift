// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// How the user proves who they are.
public struct Authentication: Sendable {
    /// The knowledge factor.
    public var pin: SecureBytes?
    /// 16 bytes; 32 in protocol 4.0.
    public var biometryKey: SecureBytes?
    /// The named authenticator that keeps the biometry key; nil: the unnamed one.
    public var authenticator: String?
    /// nil: possession, and what is given beside it, at least one.
    public var factors: Factors?

    /// The factors that are given, and possession. Without any, possession is not meant: ask for it by `possession`.
    public init(
        pin: SecureBytes? = nil, biometryKey: SecureBytes? = nil, authenticator: String? = nil, factors: Factors? = nil
    ) {
        self.pin = pin
        self.biometryKey = biometryKey
        self.authenticator = authenticator
        self.factors = factors
    }

    /// No other factor.
    public static let possession = Authentication(factors: .possession)

    /// The factors meant. Throws if nothing is given: a PIN that got lost on the way does not become possession alone.
    public var effectiveFactors: Factors {
        get throws(Failure) {
            if let factors { return factors }
            var result: Factors = .possession
            if pin != nil { result.insert(.knowledge) }
            if biometryKey != nil { result.insert(.biometry) }
            guard result != .possession else {
                throw .argument("Neither pin nor biometry_key is given. Possession alone must be named in factors.")
            }
            return result
        }
    }
}
