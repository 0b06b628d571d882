// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The operations of a list: read already, or read from the reply on first access.
final class ListedOperations: Sendable {
    private final class Made: Sendable {
        let operations: [UserOperation]

        init(_ operations: [UserOperation]) { self.operations = operations }
    }

    private let made = AtomicLazyReference<Made>()
    private let reply: RepeatedList?

    init(_ operations: [UserOperation]) {
        reply = nil
        _ = made.storeIfNil(Made(operations))
    }

    init(of reply: RepeatedList) { self.reply = reply }

    var operations: [UserOperation] {
        if let known = made.load() { return known.operations }
        return made.storeIfNil(Made(reply?.operations ?? [])).operations
    }
}
