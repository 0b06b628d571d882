// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// Requests that the host sends itself: their signatures and encryption, and what the server has signed. May be used from any
/// thread.
public struct Requests: Sendable {
    let activation: Activation

    /// The X-PowerAuth-Authorization header of a request. The advanced counter is stored before the header is returned.
    package func sign(
        method: HTTPMethod, uriId: some Bytes, body: some Bytes, authentication: Authentication
    ) throws(Failure) -> String {
        let keys = try activation.signingKeys(authentication)
        return try activation.lock.withLock { () throws(Failure) in
            try activation.requireRoom(
                isSent: true, signingWith: keys.factors, Reason.counterAtRisk, "Fetch the status, then sign again.")
            let header = try activation.durablySigningForHost(keys.factors) { (session) throws(PowerAuthError) in
                try session.sign(method: method, uriId: uriId, body: body, keys: keys)
            }
            activation.lookIfDue()
            return header
        }
    }

    /// A decimal code for approval without a network.
    package func signOffline(
        uriId: some Bytes, body: some Bytes, nonce: some Bytes, authentication: Authentication, componentLength: Int?
    ) throws(Failure) -> String {
        let componentLength = try OfflineCode.componentLength(componentLength)
        let keys = try activation.signingKeys(authentication)
        return try activation.lock.withLock { () throws(Failure) in
            try activation.requireRoom(
                isSent: false, signingWith: keys.factors, Reason.counterWindow,
                "Fetch the status while online: each offline code counts, used or not.")
            let code = try activation.durablySigningForHost(keys.factors) { (session) throws(PowerAuthError) in
                try session.signOffline(
                    uriId: uriId, body: body, nonce: nonce, keys: keys, componentLength: componentLength)
            }
            // How wide the window is can be learned while there is a network.
            if activation.session.window == nil { activation.lookIfDue() }
            return code
        }
    }

    /// Whether the server made this signature.
    package func verify(
        _ data: some Bytes, signature: some Bytes, format: SignatureFormat = .der, key: ServerKey
    ) throws(Failure) -> Bool {
        try activation.lock.withLock { () throws(Failure) in
            if key == .personalized { try activation.require(.activated) }
            return try Failure.converting { () throws(PowerAuthError) in
                try activation.session.verifyServerSignature(data, signature: signature, format: format, key: key)
            }
        }
    }

    /// Whether this is an activation of 4.0.
    var isOfV4: Bool { activation.lock.glance { activation.session.version == .v40 } }

    /// Whether the server made this for the activation, with the key that both share; unsupported for one of protocol 3.
    func verify(_ data: some Bytes, personalizedCode code: some Bytes) throws(Failure) -> VerifiedState {
        try activation.lock.withLock { () throws(Failure) in
            try activation.require(.activated)
            guard activation.session.version == .v40 else { return .unsupported }
            return try Failure.converting { () throws(PowerAuthError) in
                try activation.session.verifyPersonalizedCode(data, code: code)
            } ? .valid : .invalid
        }
    }

    /// Whether the server made this code of any data for the activation, with the key that both share.
    package func verify(_ data: some Bytes, codeOfSharedKey code: some Bytes) throws(Failure) -> Bool {
        guard code.byteCount > 0 else { throw .argument("signature is empty.") }
        let state = try verify(data, personalizedCode: code)
        guard state != .unsupported else { throw .onlyInV4("the key that server and activation share.") }
        return state == .valid
    }

    /// The host's server has accepted the signature that the host made last.
    public func acknowledge() throws(Failure) {
        try activation.lock.withLock { () throws(Failure) in
            try activation.require(.activated)
            let last = activation.signaturesOfHost
            // The last signature alone need not be stored. Those of processes that sign once each would add up.
            if activation.session.unacknowledged > 1 {
                do throws(Failure) {
                    try activation.durably { (session) throws(PowerAuthError) in session.acknowledge(upTo: last) }
                } catch {
                    activation.log(.warning, "could not store that the signatures were accepted")
                }
            }
            activation.session.acknowledge(upTo: last)
            // After another signature more recent facts may be known.
            if activation.session.signatures == last { activation.learnActive(signedWith: activation.factorsOfHost) }
        }
    }
}
