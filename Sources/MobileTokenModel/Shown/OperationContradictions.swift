// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

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

extension UserOperation {
    /// The operation's data, taken apart; nil: they are of another form.
    package var signedData: OperationData? { data.withBytes { try? OperationData(parsing: $0) } }

    /// Compares the signed data with the displayed texts. Each signed amount and account must be displayed; if an
    /// amount is signed, each displayed amount must be signed. A row with only another account (the payer's) may be
    /// displayed too. Time and memory grow linearly with the operation's length.
    package var contradictions: Contradictions { contradictions(with: nil) }

    /// The same for who has the `signedData`.
    package func contradictions(with signed: OperationData?) -> Contradictions {
        Contradictions(rawValue: comparison.value { compareAll(signed ?? signedData).rawValue })
    }

    private func compareAll(_ signed: OperationData?) -> Contradictions {
        let lost: Contradictions = formData.hasLostRows ? .lostRow : []
        guard let signed else { return lost.union(.unreadable) }
        return data.withBytes { text in
            var comparison = ShownComparison(text, signed)
            comparison.add(self)
            return lost.union(comparison.result())
        }
    }
}

extension OfflineOperation {
    /// Compares what is signed with title and message, which need not say all of it.
    package func contradictions(_ payload: UnsafeRawBufferPointer) -> Contradictions {
        var comparison = ShownComparison(payload, data)
        Escapes.withDecoded(payload.part(title)) { comparison.add($0, isVisible: true) }
        Escapes.withDecoded(payload.part(message)) { comparison.add($0, isVisible: true) }
        return comparison.result(mustShow: false)
    }
}
