// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// Moving an installation from the upstream SDK.
extension Client {
    /// Takes over the serialized state of the upstream SDK and stores it; the client must be empty.
    ///
    /// - Parameter possessionKey: the 16 bytes that unlock the device's factor in that state.
    package func importUpstream(_ state: some Bytes, possessionKey: SecureBytes) throws(Failure) {
        guard possessionKey.count == 16, !possessionKey.isAllZero else {
            throw .argument("possession_key must be 16 bytes, not all zero.")
        }
        try activation.lock.withLock { () throws(Failure) in
            try activation.require(.empty)
            try activation.durably { (session) throws(PowerAuthError) in
                try session.importUpstreamState(state, possessionKey: possessionKey)
            }
        }
    }
}
