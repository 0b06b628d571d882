// SPDX-License-Identifier: Apache-2.0
import CSystem
import Synchronization

/// The effect of `fork` here. A child has the memory of its parent but none of its threads, so their unfinished work
/// stays half done: locks are held for ever, lists are inconsistent. A child therefore never uses an ancestor's
/// objects. It recognises them by their epoch, refuses them before it touches any part of them, and never frees them.
package enum Fork {
    /// How many forks lie between this process and the one of its ancestors that first used the library.
    package static var epoch: UInt {
        if let mark = UnsafeMutablePointer<UInt>(bitPattern: mark.load(ordering: .acquiring)), mark.pointee == 0 {
            becomeUnseenChild(mark)
        }
        return forks
    }

    nonisolated(unsafe) private static var forks: UInt = 0

    /// The address of a number that is not 0 but in a child that no handler has seen: the kernel wipes it. `_Fork` and the bare
    /// system call run no handlers. 0: the kernel does not wipe.
    private static let mark = Atomic<UInt>(0)

    /// How many epochs the bits of a handle distinguish. A process and its descendant of so many forks later have the
    /// same.
    package static var epochs: UInt { 16 }

    /// The first slot that this process's handles may have: past those of the ancestors that show the same epoch.
    nonisolated(unsafe) package private(set) static var firstSlot: UInt = 0

    /// Past the highest slot that this process and its ancestors used.
    private static let slotsUsed = Atomic<UInt>(0)

    /// Taken around every fork.
    nonisolated(unsafe) private static var gate: UnsafeMutablePointer<pthread_mutex_t>?

    /// The one once-only switch that a child finds reset when a fork came in its middle.
    nonisolated(unsafe) private static var once: pthread_once_t = 0

    /// To be called before anything is made that a child must not use.
    package static func prepare() {
        pthread_once(&once) { Fork.install() }
    }

    /// Runs what must not be caught by a fork in the middle, since a child could not end it.
    package static func holdingOff<R>(_ work: () -> R) -> R {
        prepare()
        shut()
        defer { open() }
        return work()
    }

    /// To be called before the first handle of a slot is given out.
    package static func useSlot(_ slot: UInt) {
        prepare()
        slotsUsed.max(slot + 1, ordering: .releasing)
    }

    /// The handlers touch plain memory and make system calls, nothing else: a child may do no more before it calls `exec`, and
    /// the Swift runtime of a debug build may have locks that no thread releases.
    private static func install() {
        guard gate == nil else { return }
        OwnDescriptors.prepare()
        slotsUsed.store(0, ordering: .releasing)
        ForkGate.prepare()
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        gate = mutex
        if let made = ForkWipedMemory.make(MemoryLayout<UInt>.size)?.assumingMemoryBound(to: UInt.self) {
            made.pointee = 1
            mark.store(UInt(bitPattern: made), ordering: .releasing)
        }
        pthread_atfork(
            {
                Fork.shut()
                ForkGate.shut()
            },
            {
                ForkGate.open()
                Fork.open()
            },
            {
                UnsafeMutablePointer<UInt>(bitPattern: Fork.mark.load(ordering: .acquiring))?.pointee = 1
                Fork.becomeChild()
                Fork.open()
            })
    }

    private static func becomeChild() {
        forks &+= 1
        if forks % epochs == 0 { firstSlot = slotsUsed.load(ordering: .acquiring) }
        OwnDescriptors.closeInherited()
        ForkGate.openInChild()
    }

    /// The first check of a child that was created without the handlers; it has one thread. The holder of the gate is
    /// gone.
    @inline(never)
    private static func becomeUnseenChild(_ mark: UnsafeMutablePointer<UInt>) {
        mark.pointee = 1
        if let gate { pthread_mutex_init(gate, nil) }
        becomeChild()
    }

    private static func shut() { if let gate { pthread_mutex_lock(gate) } }
    private static func open() { if let gate { pthread_mutex_unlock(gate) } }
}
