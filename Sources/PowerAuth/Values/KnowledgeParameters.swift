// SPDX-License-Identifier: Apache-2.0
/// How the PIN of an activation is turned into a key (powerauth.md §1.12, §14; powerauth4.md §2): public values.
package struct KnowledgeParameters: Equatable, Sendable {
    /// The iterations that new parameters ask for.
    package static let defaultIterations: UInt32 = 10_000
    /// More than this is refused in stored states: it would only stop the device.
    static let maximumIterations: UInt32 = 10_000_000
    /// The number of bytes of a salt.
    static let saltCount = 16

    /// 16 random bytes; in 4.0 32.
    package let salt: [UInt8]
    /// Iterations of PBKDF2; in 4.0 0: a single pass of KMAC.
    package let iterations: UInt32
}
