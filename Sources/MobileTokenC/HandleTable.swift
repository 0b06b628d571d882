import CMToken
import MobileToken
import MobileTokenHTTP

/// The handles of one kind that hosts hold. A handle is no address but a slot and a generation, so that a NULL, freed or
/// foreign one is recognised and never followed, and so is one that was made before a `fork`.
///
/// No value is ever given out twice: a slot that is free again serves with its next generation, after all that were free before
/// it, and never more when its generations are used up. `HandleValue` says what a value looks like.
package final class HandleTable<Object: AnyObject>: @unchecked Sendable {
    private struct Slot {
        var object: Object?
        var generation: UInt32 = 0
        /// The slot that is free after this one; or what else becomes of it.
        var next: UInt32 = Self.taken

        static var taken: UInt32 { .max }
        static var last: UInt32 { .max - 1 }
        static var retired: UInt32 { .max - 2 }
    }

    /// What one process holds. A child's begins empty: the parent's may be locked, or in the middle of a change.
    private final class Slots: @unchecked Sendable {
        let lock = Lock()
        /// The number of the first slot: those before it belong to ancestors whose handles could be taken for this process's.
        let base = Int(Fork.firstSlot)
        // Guarded by the lock.
        var all: [Slot] = []
        var firstFree: Int?
        var lastFree = 0
        var live = 0
    }

    private let kind: UInt
    private let generations: UInt32
    private let capacity: Int
    private let own = PerProcess { Slots() }

    /// - Parameters:
    ///   - kind: tells tables apart; 0 to 15
    ///   - generations: how often a slot serves
    ///   - capacity: how many slots there are
    package init(
        kind: UInt, generations: UInt32 = 1 << HandleValue.generationBits, capacity: Int = 1 << HandleValue.slotBits
    ) {
        self.kind = kind & 15
        self.generations = generations
        self.capacity = capacity
    }

    /// The number of handles that were given out and not given back.
    package var count: Int {
        let slots = own.value
        return slots.lock.withLock { slots.live }
    }

    /// Makes an object, which may know its handle, and gives it that.
    package func hold(_ make: (_ handle: UInt) throws(Failure) -> Object) throws(Failure) -> OpaquePointer? {
        let handle = try reserve()
        do throws(Failure) {
            fill(handle, try make(handle))
        } catch {
            remove(handle)
            throw error
        }
        return OpaquePointer(bitPattern: handle)
    }

    /// Takes a handle for an object that does not exist yet.
    package func reserve() throws(Failure) -> UInt {
        let slots = own.value
        let handle: UInt? = slots.lock.withLock { take(slots).map { self.handle(of: $0, slots) } }
        guard let handle else { throw Failure(.internal, "internalError", "There are no handles of this kind left.") }
        return handle
    }

    /// Gives a reserved handle its object.
    package func fill(_ handle: UInt, _ object: Object) {
        let slots = own.value
        slots.lock.withLock {
            if let index = index(of: handle, slots) { slots.all[index].object = object }
        }
    }

    /// The object of a handle; nil for one that is invalid here.
    package subscript(_ handle: OpaquePointer?) -> Object? {
        let value = UInt(bitPattern: handle)
        guard !HandleValue.isForked(value) else { return nil }
        let slots = own.value
        return slots.lock.withLock { index(of: value, slots).flatMap { slots.all[$0].object } }
    }

    /// The object of a handle; the failure of one that is invalid says why.
    package func find(_ handle: OpaquePointer?, _ what: StaticString) throws(Failure) -> Object {
        guard let object = self[handle] else { throw .unusable(handle, what) }
        return object
    }

    /// Makes a handle invalid; returns its object. Nothing happens to a handle of a parent process.
    @discardableResult
    package func remove(_ handle: UInt) -> Object? {
        guard !HandleValue.isForked(handle) else { return nil }
        let slots = own.value
        return slots.lock.withLock {
            guard let index = index(of: handle, slots) else { return nil }
            let object = slots.all[index].object
            slots.all[index].object = nil
            giveBack(index, slots)
            slots.live -= 1
            return object
        }
    }

    @discardableResult
    package func remove(_ handle: OpaquePointer?) -> Object? { remove(UInt(bitPattern: handle)) }

    /// The slot that has been free the longest, or a new one.
    private func take(_ slots: Slots) -> Int? {
        if let index = slots.firstFree {
            let next = slots.all[index].next
            slots.firstFree = next == Slot.last ? nil : Int(next)
            slots.all[index].next = Slot.taken
            slots.live += 1
            return index
        }
        let index = slots.all.count
        guard index < capacity, slots.base + index < 1 << HandleValue.slotBits else { return nil }
        Fork.useSlot(UInt(slots.base + index))
        slots.all.append(Slot())
        slots.live += 1
        return index
    }

    private func giveBack(_ index: Int, _ slots: Slots) {
        guard slots.all[index].generation + 1 < generations else {
            slots.all[index].next = Slot.retired
            return
        }
        slots.all[index].generation += 1
        slots.all[index].next = Slot.last
        if slots.firstFree == nil {
            slots.firstFree = index
        } else {
            slots.all[slots.lastFree].next = UInt32(truncatingIfNeeded: index)
        }
        slots.lastFree = index
    }

    private func handle(of index: Int, _ slots: Slots) -> UInt {
        HandleValue.make(kind: kind, generation: slots.all[index].generation, slot: UInt(slots.base + index))
    }

    private func index(of handle: UInt, _ slots: Slots) -> Int? {
        let index = HandleValue.slot(handle) - slots.base
        guard slots.all.indices.contains(index), slots.all[index].next == Slot.taken,
            handle == self.handle(of: index, slots)
        else { return nil }
        return index
    }
}

extension Failure {
    /// Why a handle that is none of this process's cannot be used.
    @inline(never)
    package static func unusable(_ handle: OpaquePointer?, _ what: StaticString) -> Failure {
        guard HandleValue.isForked(UInt(bitPattern: handle)) else {
            return Failure(.handle, Reason.invalidHandle, "The \(what) handle is NULL, freed or foreign.")
        }
        return Failure(
            .state, Reason.forked,
            "The \(what) was made before fork() and belongs to the parent process. Make a runtime and client of this one's own."
        )
    }
}

/// The same for functions that give a bare status.
@inline(never)
func unusable(_ handle: OpaquePointer?) -> mtoken_status {
    HandleValue.isForked(UInt(bitPattern: handle)) ? MTOKEN_ERROR_STATE.rawValue : MTOKEN_ERROR_HANDLE.rawValue
}
