// SPDX-License-Identifier: Apache-2.0
import CSystem

/// Memory that the kernel wipes in every child, whichever way it was forked.
package enum ForkWipedMemory {
    /// `count` zero bytes for as long as the process lives; nil: the kernel does not offer them.
    package static func make(_ count: Int) -> UnsafeMutableRawPointer? { mtoken_fork_wiped_memory(count) }
}
