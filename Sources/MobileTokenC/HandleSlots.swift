// SPDX-License-Identifier: Apache-2.0
import MobileTokenSystem

/// One process's part of a table of handles, for any kind of object. A child's begins empty: the parent's may be
/// locked, or in the middle of a change.
final class HandleSlots: @unchecked Sendable {
    private struct Slot {
        var object: UnsafeRawPointer?
        var generation: UInt32 = 0
        /// The slot that is free after this one; or what else becomes of it.
        var next: UInt32 = Self.taken

        static var taken: UInt32 { .max }
        static var last: UInt32 { .max - 1 }
        static var retired: UInt32 { .max - 2 }
    }

    private let kind: UInt
    private let generations: UInt32
    private let capacity: Int
    /// The number of the first slot: those before it belong to ancestors whose handles could be taken for this process's.
    private let base = Int(Fork.firstSlot)
    private let lock = Lock()
    // Guarded by the lock.
    private var all: [Slot] = []
    private var firstFree: Int?
    private var lastFree = 0
    private var live = 0

    init(kind: UInt, generations: UInt32, capacity: Int) {
        self.kind = kind
        self.generations = generations
        self.capacity = capacity
    }

    var count: Int { lock.withLock { live } }

    /// All handles that have an object.
    var filled: [UInt] { lock.withLock { all.indices.filter { all[$0].object != nil }.map { handle(of: $0) } } }

    /// A handle without an object; nil if there are none left.
    func take() -> UInt? {
        lock.withLock { () -> UInt? in
            guard let index = free() else { return nil }
            live += 1
            return handle(of: index)
        }
    }

    /// Gives a handle its object; false if it is not a handle, or has one.
    func fill(_ handle: UInt, _ object: UnsafeRawPointer) -> Bool {
        lock.withLock {
            guard let index = index(of: handle), all[index].object == nil else { return false }
            all[index].object = object
            return true
        }
    }

    /// Hands the object of a handle to `use`, which must do no more than keep it.
    func find(_ handle: UInt, _ use: (UnsafeRawPointer) -> Void) {
        lock.withLock {
            if let index = index(of: handle), let object = all[index].object { use(object) }
        }
    }

    /// Makes a handle invalid, and gives its object back.
    func remove(_ handle: UInt) -> UnsafeRawPointer? {
        lock.withLock {
            guard let index = index(of: handle) else { return nil }
            let object = all[index].object
            all[index].object = nil
            live -= 1
            giveBack(index)
            return object
        }
    }

    /// The slot that has been free the longest, or a new one.
    private func free() -> Int? {
        if let index = firstFree {
            let next = all[index].next
            firstFree = next == Slot.last ? nil : Int(next)
            all[index].next = Slot.taken
            return index
        }
        let index = all.count
        guard index < capacity, base + index < 1 << HandleValue.slotBits else { return nil }
        Fork.useSlot(UInt(base + index))
        all.append(Slot())
        return index
    }

    private func giveBack(_ index: Int) {
        guard all[index].generation + 1 < generations else {
            all[index].next = Slot.retired
            return
        }
        all[index].generation += 1
        all[index].next = Slot.last
        if firstFree == nil {
            firstFree = index
        } else {
            all[lastFree].next = UInt32(truncatingIfNeeded: index)
        }
        lastFree = index
    }

    private func handle(of index: Int) -> UInt {
        HandleValue.make(kind: kind, generation: all[index].generation, slot: UInt(base + index))
    }

    private func index(of handle: UInt) -> Int? {
        let index = HandleValue.slot(handle) - base
        guard all.indices.contains(index), all[index].next == Slot.taken, handle == self.handle(of: index) else {
            return nil
        }
        return index
    }
}
