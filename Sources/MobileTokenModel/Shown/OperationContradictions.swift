// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

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
