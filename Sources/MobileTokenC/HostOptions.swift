// SPDX-License-Identifier: Apache-2.0
/// A C struct that begins with `struct_size`.
package protocol HostOptions {
    /// All zero.
    init()

    /// Where each of its members ends, ascending: the sizes that programs may hand in.
    static var ends: [Int] { get }
}
