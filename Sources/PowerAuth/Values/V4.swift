// SPDX-License-Identifier: Apache-2.0
/// Protocol 4.0 (powerauth4.md): what differs from 3.x, in the folder of this name. The rest is shared.
package enum V4 {
    /// The version text that enters formulas.
    static let version: StaticString = "4.0"
    /// The length of every symmetric key, hash and code.
    package static let keyLength = 32
}
