/// The operations known after a fetch, a claim, an approval or a rejection, and what became of those known before.
public final class OperationChange: Sendable {
    /// The whole list, as it is now.
    public let operations: [UserOperation]
    /// Known now, not before.
    public let added: [UserOperation]
    /// Known before, not now; as they were.
    public let removed: [UserOperation]
    /// Known before and now, with other contents; as they are now.
    public let updated: [UserOperation]

    package init(
        operations: [UserOperation], added: [UserOperation], removed: [UserOperation], updated: [UserOperation]
    ) {
        self.operations = operations
        self.added = added
        self.removed = removed
        self.updated = updated
    }
}
