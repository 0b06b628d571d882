// SPDX-License-Identifier: Apache-2.0
/// Whose signature is checked (powerauth.md §15).
package enum ServerKey: Sendable {
    /// The master key of the application, known without an activation.
    case master
    /// The server's key of the activation.
    case personalized
}
