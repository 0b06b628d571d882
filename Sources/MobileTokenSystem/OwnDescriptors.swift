// SPDX-License-Identifier: Apache-2.0
import CSystem
import Synchronization

/// The library's descriptors that do something to others for as long as any process holds them: a lock, a connection, a port. A
/// child made by `fork` closes its copies at once, so that they end with the parent that uses them.
///
/// The inode behind each number, set after the descriptor was opened and cleared before it is closed. No lock is
/// needed: only the owner of a descriptor uses its entry, which is cleared before another thread can be given the number, and the
/// child that reads them all is alone. A fork in between costs a copy.
///
/// A number alone would not do: libcurl closes the socket of a connection that was given up without a word, and the next to
/// open something gets its number. So a child closes only what still is what it was. Each socket and file has an inode of
/// its own; those that share one (epoll, eventfd) are closed here only.
package enum OwnDescriptors {
    /// Higher numbers are not kept.
    private static var capacity: Int { 1 << 16 }
    nonisolated(unsafe) private static var held: UnsafeMutablePointer<Atomic<UInt64>>?

    static func prepare() {
        held = calloc(capacity, MemoryLayout<UInt64>.stride)?.assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// Records a descriptor that was opened, and returns it; ignores negative ones.
    @discardableResult
    package static func add(_ descriptor: Int32) -> Int32 {
        Fork.prepare()
        mark(descriptor, mtoken_inode(descriptor))
        return descriptor
    }

    /// Closes a descriptor that was added. One that a fork has closed already is left alone: its number may be another's now.
    package static func close(_ descriptor: Int32) {
        guard isHeld(descriptor) else { return }
        mark(descriptor, 0)
        _ = CSystem.close(descriptor)
    }

    private static func isHeld(_ descriptor: Int32) -> Bool {
        let number = Int(descriptor)
        guard let held, number < capacity else { return number >= 0 }
        return number >= 0 && held[number].load(ordering: .acquiring) != 0
    }

    private static func mark(_ descriptor: Int32, _ inode: UInt64) {
        let number = Int(descriptor)
        guard let held, number >= 0, number < capacity else { return }
        held[number].store(inode, ordering: .releasing)
    }

    /// In a child, before any other thread exists.
    static func closeInherited() {
        guard let held else { return }
        for number in 0..<capacity {
            let inode = held[number].load(ordering: .acquiring)
            guard inode != 0 else { continue }
            let descriptor = Int32(truncatingIfNeeded: number)
            if mtoken_inode(descriptor) == inode { _ = CSystem.close(descriptor) }
            held[number].store(0, ordering: .releasing)
        }
    }
}
