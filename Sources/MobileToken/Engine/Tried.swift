// SPDX-License-Identifier: Apache-2.0
/// The steps that a call has tried; it takes each at most once.
struct Tried: OptionSet {
    let rawValue: UInt8
    /// It has asked for the status.
    static let status = Tried(rawValue: 1)
    /// It has asked for the status to bring the counter up.
    static let synchronization = Tried(rawValue: 2)
    /// It has started over with the server's time asked for again.
    static let time = Tried(rawValue: 4)
    /// It has started over with another token.
    static let token = Tried(rawValue: 8)
    /// It has started over with another temporary key.
    static let key = Tried(rawValue: 16)
    /// It has asked for the status to finish what was begun.
    static let finishing = Tried(rawValue: 32)
}
