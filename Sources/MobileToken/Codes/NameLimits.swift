// SPDX-License-Identifier: Apache-2.0
/// Names that hosts give.
package enum NameLimits {
    /// Refuses an invalid name of an authenticator; nil is the unnamed one.
    package static func check(authenticator name: String?) throws(Failure) {
        guard name.map(isValid) ?? true else { throw .argument("An authenticator's name must be 1 to 64 bytes.") }
    }

    /// Refuses an invalid name of a token.
    static func check(token name: String) throws(Failure) {
        guard isValid(name) else { throw .argument("A token's name must be 1 to 64 bytes.") }
    }

    private static func isValid(_ name: String) -> Bool { (1...64).contains(name.utf8.count) }
}
