// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// An activation in progress, before the server's answer: kept in memory only.
final class StartedActivation {
    let request: ActivationRequest
    let deviceKey: PrivateKey

    init(request: ActivationRequest, deviceKey: PrivateKey) {
        self.request = request
        self.deviceKey = deviceKey
    }
}
