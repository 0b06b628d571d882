import CMToken
import MobileToken
import MobileTokenHTTP

/// The handles of one kind that hosts hold. A handle is no address but a slot and a generation, so that a NULL, freed or
/// foreign one is recognised and never followed, and so is one that was made before a `fork`.
///
/// Bits of a handle: 0–2 zero, 3–26 slot, 27–30 kind, 31–54 generation, 55–59 epoch, 60 set. The value is no address that a
/// process can have, and never within the heap of a host's runtime.
package final class HandleTable<Object: AnyObject>: @unchecked Sendable {
    private struct Slot {
        var generation: UInt
        var object: Object?
        var isTaken: Bool
    }

    /// What one process holds. A child's begins empty: the parent's may be locked, or in the middle of a change.
    private final class Slots: @unchecked Sendable {
        let lock = Lock()
        // Guarded by the lock.
        var all: [Slot] = []
        var free: [Int] = []
        var live = 0
    }

    private static var slotBits: UInt { 24 }
    private static var generationBits: UInt { 24 }

    private let kind: UInt
    private let own = PerProcess { Slots() }

    /// - Parameter kind: tells tables apart; 0 to 15
    init(kind: UInt) { self.kind = kind & 15 }

    /// The number of handles that were given out and not given back.
    package var count: Int {
        let slots = own.value
        return slots.lock.withLock { slots.live }
    }

    /// Takes a handle for an object that does not exist yet; 0 if there are too many.
    package func reserve() -> UInt {
        let slots = own.value
        return slots.lock.withLock {
            let index: Int
            if let last = slots.free.popLast() {
                index = last
            } else {
                guard slots.all.count < 1 << Int(Self.slotBits) else { return 0 }
                index = slots.all.count
                slots.all.append(Slot(generation: 1, object: nil, isTaken: false))
            }
            slots.all[index].isTaken = true
            slots.live += 1
            return handle(of: index, slots.all[index].generation)
        }
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
        guard !HandleEpoch.isForked(value) else { return nil }
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
    func remove(_ handle: UInt) -> Object? {
        guard !HandleEpoch.isForked(handle) else { return nil }
        let slots = own.value
        return slots.lock.withLock {
            guard let index = index(of: handle, slots) else { return nil }
            let object = slots.all[index].object
            let next = (slots.all[index].generation + 1) & (1 << Self.generationBits - 1)
            slots.all[index] = Slot(generation: next == 0 ? 1 : next, object: nil, isTaken: false)
            slots.free.append(index)
            slots.live -= 1
            return object
        }
    }

    @discardableResult
    func remove(_ handle: OpaquePointer?) -> Object? { remove(UInt(bitPattern: handle)) }

    private func handle(of index: Int, _ generation: UInt) -> UInt {
        HandleEpoch.bits | generation << 31 | kind << 27 | UInt(index) << 3
    }

    private func index(of handle: UInt, _ slots: Slots) -> Int? {
        let index = Int(handle >> 3 & (1 << Self.slotBits - 1))
        guard index < slots.all.count, slots.all[index].isTaken,
            handle == self.handle(of: index, slots.all[index].generation)
        else { return nil }
        return index
    }
}

/// How a handle tells which process made it: by the epoch's lowest bits. Looked at before anything else, since what belongs to
/// the handle may be locked for ever.
enum HandleEpoch {
    private static var marker: UInt { 1 << 60 }
    private static var shift: UInt { 55 }
    private static var mask: UInt { 31 }

    /// What every handle of this process has.
    static var bits: UInt { marker | (Fork.epoch & mask) << shift }

    /// Whether a parent, or a parent of that, made the handle.
    static func isForked(_ handle: UInt) -> Bool {
        let now = Fork.epoch
        guard now > 0, (handle & ~(mask << shift)) >> shift == marker >> shift else { return false }
        let epoch = handle >> shift & mask
        return now > mask ? epoch != now & mask : epoch < now
    }
}

extension Failure {
    /// Why a handle that is none of this process's cannot be used.
    @inline(never)
    package static func unusable(_ handle: OpaquePointer?, _ what: StaticString) -> Failure {
        guard HandleEpoch.isForked(UInt(bitPattern: handle)) else {
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
    HandleEpoch.isForked(UInt(bitPattern: handle)) ? MTOKEN_ERROR_STATE.rawValue : MTOKEN_ERROR_HANDLE.rawValue
}
