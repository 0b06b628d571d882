// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Why a step of the protocol could not be done.
///
/// An error never carries a secret: it has a code, and a fixed text that says what happened. Two errors are equal when their codes
/// are equal.
package struct PowerAuthError: Error, Equatable, @unchecked Sendable {
    /// The kind of failure; the caller decides by this.
    package enum Code: UInt8, Sendable {
        /// There is no activation.
        case missingActivation
        /// An activation is in progress and not yet persisted.
        case activationPending
        /// The call is not allowed in the present state.
        case wrongState
        /// A value given by the caller cannot be used.
        case wrongParameter
        /// The SDK configuration string is malformed.
        case invalidConfiguration
        /// An activation code, recovery code or PUK is malformed.
        case invalidActivationCode
        /// Activation parameters, an activation answer or a status blob cannot be accepted.
        case invalidActivationData
        /// Encryption or decryption failed: wrong key, wrong MAC, malformed envelope.
        case encryption
        /// A signature could not be computed.
        case signature
        /// A signature of the server is wrong.
        case serverSignature
        /// There is no such token, or the server's token cannot be accepted.
        case invalidToken
        /// The temporary key is missing, expired, foreign, or the server's answer cannot be accepted.
        case invalidTemporaryKey
        /// Time could not be synchronised.
        case timeSynchronization
        /// The activation or the message belongs to a protocol version that is not supported.
        case unsupportedProtocol
        /// The activation waits for a protocol upgrade.
        case pendingUpgrade
        /// The activation has no biometric factor.
        case biometryNotConfigured
        /// The activation uses an external encryption key and none is set.
        case externalKeyMissing
        /// The knowledge key was derived before the PIN was changed.
        case staleKnowledgeKey
        /// A stored state is damaged.
        case corruptedState
        /// A state of the upstream SDK is damaged.
        case invalidUpstreamState
        /// A stored state was written in a format that this version does not know.
        case unsupportedState
        /// No random bytes could be had.
        case randomFailed
    }

    /// The kind of failure.
    package let code: Code
    /// Ends with NUL. One word, so that an error is handed on in registers.
    private let text: UnsafePointer<UInt8>

    /// Makes an error.
    package init(_ code: Code, _ detail: StaticString) {
        self.code = code
        text = detail.utf8Start
    }

    /// A description, as a fixed English text.
    package var detail: String { String(cString: text) }

    package static func == (left: PowerAuthError, right: PowerAuthError) -> Bool { left.code == right.code }
}

/// Evaluates crypto work and turns its failure into a failure of the protocol.
@inline(__always)
func attempt<Result>(
    _ code: PowerAuthError.Code, _ detail: StaticString, _ work: @autoclosure () throws(CryptoError) -> Result
) throws(PowerAuthError) -> Result {
    do { return try work() } catch { throw PowerAuthError(code, detail) }
}

/// Runs crypto work of several steps and turns its failure into a failure of the protocol.
@inline(__always)
func attempt<Result>(
    _ code: PowerAuthError.Code, _ detail: StaticString, doing work: () throws(CryptoError) -> Result
) throws(PowerAuthError) -> Result {
    do { return try work() } catch { throw PowerAuthError(code, detail) }
}
