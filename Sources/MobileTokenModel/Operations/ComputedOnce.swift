// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A number from 0 on that is computed when it is first asked for.
struct ComputedOnce: ~Copyable, Sendable {
    private let result = Atomic<Int32>(-1)

    borrowing func value(_ compute: () -> Int32) -> Int32 {
        let known = result.load(ordering: .relaxed)
        guard known < 0 else { return known }
        let made = compute()
        result.store(made, ordering: .relaxed)
        return made
    }
}
