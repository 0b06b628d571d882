// SPDX-License-Identifier: Apache-2.0
/// Why a primitive refused or failed.
///
/// `public` only because `RandomSource` is open for subclassing in other modules; everything on it is package API.
public struct CryptoError: Error, Equatable, Sendable {
    /// The class of a failure. No reason ever depends on the value of a secret except where the protocol says so
    /// (padding, private key range).
    package enum Reason: Sendable {
        /// A key, point or private number that is not a valid key of the algorithm.
        case invalidKey
        /// An input of a length (or a numeric parameter of a size) that the algorithm does not accept.
        case invalidLength
        /// PKCS#7 padding that does not fit after decryption.
        case invalidPadding
        /// Text that is not what its encoding allows.
        case invalidEncoding
        /// A MAC or signature that does not match.
        case signatureMismatch
        /// This OpenSSL does not have the algorithm.
        case unavailable
        /// OpenSSL refused or failed; see `libraryCode`.
        case library
    }

    /// The class of the failure.
    package let reason: Reason

    /// OpenSSL's packed error code of the last error of this call, or 0. The error queue itself is left as it was before.
    package let libraryCode: UInt

    package init(reason: Reason, libraryCode: UInt = 0) {
        self.reason = reason
        self.libraryCode = libraryCode
    }
}
