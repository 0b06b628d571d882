import MobileToken
import MobileTokenHTTP

/// The slots of a table, the same for all kinds of objects: so their code is in the library once. May be used from any thread.
final class HandleSlots: @unchecked Sendable {
    private struct Slot {
        var object: AnyObject?
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

    /// Takes the slot that has been free the longest, or a new one; nil: there are too many.
    @inline(never)
    func reserve() -> UInt? { lock.withLock { take().map { handle(of: $0) } } }

    @inline(never)
    func fill(_ handle: UInt, _ object: AnyObject) {
        lock.withLock {
            if let index = index(of: handle) { all[index].object = object }
        }
    }

    @inline(never)
    func object(_ handle: UInt) -> AnyObject? { lock.withLock { index(of: handle).flatMap { all[$0].object } } }

    @inline(never)
    func remove(_ handle: UInt) -> AnyObject? {
        lock.withLock {
            guard let index = index(of: handle) else { return nil }
            let object = all[index].object
            all[index].object = nil
            giveBack(index)
            live -= 1
            return object
        }
    }

    private func take() -> Int? {
        if let index = firstFree {
            let next = all[index].next
            firstFree = next == Slot.last ? nil : Int(next)
            all[index].next = Slot.taken
            live += 1
            return index
        }
        let index = all.count
        guard index < capacity, base + index < 1 << HandleValue.slotBits else { return nil }
        Fork.useSlot(UInt(base + index))
        all.append(Slot())
        live += 1
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
        guard all.indices.contains(index), all[index].next == Slot.taken, handle == self.handle(of: index) else { return nil }
        return index
    }
}
