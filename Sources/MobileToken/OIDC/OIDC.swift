// SPDX-License-Identifier: Apache-2.0
import MobileTokenHTTP
import MobileTokenModel

/// The providers of OpenID Connect at which the user can log in. May be used from any thread.
public struct OIDC: Sendable {
    let activation: Activation

    /// Fetches the bank's configuration of a provider.
    package func configuration(providerId: String, task: CallTask) throws(Failure) {
        let id = try Call.required(providerId, "The provider's id is empty.")
        try activation.start(.oidcConfiguration(providerId: id), task: task)
    }

    /// Asks a provider how to log in there; the issuer must be in the options.
    package func discover(_ options: OIDCOptions, task: CallTask) throws(Failure) {
        guard let issuer = options.configuration.issuer, let endpoint = Endpoint(url: issuer),
            endpoint.isSecure || (options.allowsLoopbackHTTP && endpoint.isLoopback),
            !issuer.utf8.contains(UInt8(ascii: "?"))
        else { throw .argument("The issuer must be an https URL without query and fragment.") }
        try activation.start(.oidcDiscovery(options, issuer: issuer), task: task)
    }
}

extension Runtime {
    /// Opens a port of the loopback interface for the answer of a provider.
    ///
    /// - Parameter task: completes with the attributes of the activation; it must be new
    package func listen(_ options: OIDCOptions, task: CallTask) throws(Failure) -> OIDCAuthorizationRequest {
        try LoopbackReceiver.open(options, runtime: self, task: task)
    }
}
