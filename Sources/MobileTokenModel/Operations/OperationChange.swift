// SPDX-License-Identifier: Apache-2.0
/// The operations known after a fetch, a claim, an approval or a rejection, and what became of those known before.
public final class OperationChange: Sendable {
    private let listed: ListedOperations
    /// Known now, not before.
    public let added: [UserOperation]
    /// Known before, not now; as they were.
    public let removed: [UserOperation]
    /// Known before and now, with other contents; as they are now.
    public let updated: [UserOperation]

    /// The whole list, as it is now.
    public var operations: [UserOperation] { listed.operations }

    package init(
        operations: [UserOperation], added: [UserOperation], removed: [UserOperation], updated: [UserOperation]
    ) {
        listed = ListedOperations(operations)
        self.added = added
        self.removed = removed
        self.updated = updated
    }

    /// The same list again.
    package init(unchanged list: OperationList) {
        listed = list.listed
        (added, removed, updated) = ([], [], [])
    }
}
