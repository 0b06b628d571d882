// SPDX-License-Identifier: Apache-2.0
/// How the components of a signature are written (powerauth.md §9.3).
package enum SignatureText: Equatable, Sendable {
    /// Base64 of the last 16 bytes of every component, joined.
    case base64
    /// Decimal digits per component, joined with `-`.
    case decimal(length: Int)
}
