/// The operations known after a fetch, a claim, an approval or a rejection, and what became of those known before.
package final class OperationChange: Sendable {
    package let operations: [UserOperation]
    /// Known now, not before.
    package let added: [UserOperation]
    /// Known before, not now; as they were.
    package let removed: [UserOperation]
    /// Known before and now, with other contents; as they are now.
    package let updated: [UserOperation]

    package init(
        operations: [UserOperation], added: [UserOperation], removed: [UserOperation], updated: [UserOperation]
    ) {
        self.operations = operations
        self.added = added
        self.removed = removed
        self.updated = updated
    }
}
