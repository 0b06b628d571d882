// SPDX-License-Identifier: Apache-2.0
/// Where what the user reads does not agree with what is signed (the operation's `data`, offline-qr.md §4).
public struct Contradictions: OptionSet, Sendable {
    /// The bits, those of the C interface.
    public let rawValue: Int32

    /// From bits.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// A signed amount is not displayed.
    public static let amount = Contradictions(rawValue: 1)
    /// A signed amount is shown, but in another currency.
    public static let currency = Contradictions(rawValue: 2)
    /// A signed account is not displayed.
    public static let account = Contradictions(rawValue: 4)
    /// An amount is signed, and none is shown.
    public static let amountHidden = Contradictions(rawValue: 8)
    /// An account is signed, and none is shown.
    public static let accountHidden = Contradictions(rawValue: 16)
    /// The number of a row is a signed amount, its formatted text another one.
    public static let amountText = Contradictions(rawValue: 32)
    /// All signed amounts are shown, and one besides that is not signed.
    public static let unsignedAmount = Contradictions(rawValue: 64)
    /// A row of the form could not be read and is not shown.
    public static let lostRow = Contradictions(rawValue: 128)
    /// The signed data cannot be read.
    public static let unreadable = Contradictions(rawValue: 256)
    /// The texts are too long to be compared.
    public static let tooLong = Contradictions(rawValue: 512)

    /// Those of a host; nil: a bit has no meaning.
    public init?(host value: Int32) {
        guard 0...1023 ~= value else { return nil }
        self.init(rawValue: value)
    }
}
