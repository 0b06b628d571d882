import MobileTokenHTTP

/// The handles of one kind that hosts hold. A handle is no address but a slot and a generation, so that a NULL, freed or
/// foreign one is recognised and never followed.
///
/// Bits of a handle: 0–2 zero, 3–26 slot, 27–30 kind, 31–54 generation, 60 set. The value is no address that a process
/// can have, and never within the heap of a host's runtime.
package final class HandleTable<Object: AnyObject>: @unchecked Sendable {
    private struct Slot {
        var generation: UInt
        var object: Object?
        var isTaken: Bool
    }

    private static var slotBits: UInt { 24 }
    private static var generationBits: UInt { 24 }
    private static var marker: UInt { 1 << 60 }

    private let kind: UInt
    private let lock = Lock()
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var live = 0

    /// - Parameter kind: tells tables apart; 0 to 15
    init(kind: UInt) { self.kind = kind & 15 }

    /// The number of handles that were given out and not given back.
    package var count: Int { lock.withLock { live } }

    /// Takes a handle for an object that does not exist yet; 0 if there are too many.
    package func reserve() -> UInt {
        lock.withLock {
            let index: Int
            if let last = free.popLast() {
                index = last
            } else {
                guard slots.count < 1 << Int(Self.slotBits) else { return 0 }
                index = slots.count
                slots.append(Slot(generation: 1, object: nil, isTaken: false))
            }
            slots[index].isTaken = true
            live += 1
            return Self.marker | slots[index].generation << 31 | kind << 27 | UInt(index) << 3
        }
    }

    /// Gives a reserved handle its object.
    package func fill(_ handle: UInt, _ object: Object) {
        lock.withLock {
            if let index = index(of: handle) { slots[index].object = object }
        }
    }

    /// The object of a handle; nil for one that is invalid.
    package subscript(_ handle: OpaquePointer?) -> Object? {
        let value = UInt(bitPattern: handle)
        return lock.withLock { index(of: value).flatMap { slots[$0].object } }
    }

    /// Makes a handle invalid; returns its object.
    @discardableResult
    func remove(_ handle: UInt) -> Object? {
        lock.withLock {
            guard let index = index(of: handle) else { return nil }
            let object = slots[index].object
            let next = (slots[index].generation + 1) & (1 << Self.generationBits - 1)
            slots[index] = Slot(generation: next == 0 ? 1 : next, object: nil, isTaken: false)
            free.append(index)
            live -= 1
            return object
        }
    }

    @discardableResult
    func remove(_ handle: OpaquePointer?) -> Object? { remove(UInt(bitPattern: handle)) }

    private func index(of handle: UInt) -> Int? {
        let index = Int(handle >> 3 & (1 << Self.slotBits - 1))
        guard index < slots.count, slots[index].isTaken,
            handle == Self.marker | slots[index].generation << 31 | kind << 27 | UInt(index) << 3
        else { return nil }
        return index
    }
}
