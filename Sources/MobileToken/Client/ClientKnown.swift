// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// Calls for the test library only: no product contains this file's code.
extension Client {
    /// Takes over an activation with known keys and stores it; the client must be empty.
    package func adopt(
        _ known: KnownActivation, pin: SecureBytes, biometryKey: SecureBytes?
    ) throws(Failure) {
        try activation.lock.withLock { () throws(Failure) in
            try activation.require(.empty)
            try activation.durably { (session) throws(PowerAuthError) in
                try session.adopt(known, pin: pin, biometryKey: biometryKey)
            }
        }
    }

    /// Uses a known secret as if the server had given it for a temporary key.
    package func keepTemporaryKey(
        scope: EncryptionScope, id: [UInt8], secret: SecureBytes, expires: Int64
    ) throws(Failure) {
        try activation.lock.withLock { () throws(Failure) in
            try activation.require(scope == .activation ? .activated : nil)
            let key = try Failure.converting { () throws(PowerAuthError) in
                try activation.session.knownTemporaryKey(scope: scope, id: id, secret: secret, expires: expires)
            }
            activation.keepTemporaryKey(key)
        }
    }
}
