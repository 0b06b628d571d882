// SPDX-License-Identifier: Apache-2.0
import CMToken
import MobileToken
import MobileTokenSystem

/// The handles of one kind that hosts hold. A handle is not an address but a slot and a generation, so that a NULL, freed or
/// foreign one is recognised and never followed, and so is one that was made before a `fork`.
///
/// No value is ever given out twice: a slot that is free again serves with its next generation, after all that were free before
/// it, and never more when its generations are used up. `HandleValue` says what a value looks like.
///
/// The work is done by one table for objects of any class: here are only the casts, which are safe because nothing else
/// gets at the objects.
package struct HandleTable<Object: AnyObject>: Sendable {
    private let objects: ObjectTable

    /// - Parameters:
    ///   - kind: tells tables apart; 0 to 15
    ///   - generations: how often a slot serves
    ///   - capacity: how many slots there are
    package init(
        kind: UInt, generations: UInt32 = 1 << HandleValue.generationBits, capacity: Int = 1 << HandleValue.slotBits
    ) {
        objects = ObjectTable(kind: kind, generations: generations, capacity: capacity)
    }

    /// The number of handles that were given out and not given back.
    package var count: Int { objects.count }

    /// The first handle whose object is the right one.
    func first(_ isRight: (Object) -> Bool) -> OpaquePointer? {
        objects.filled.lazy.map { OpaquePointer(bitPattern: $0) }.first { self[$0].map(isRight) ?? false } ?? nil
    }

    /// Makes an object, which may know its handle, and gives it that.
    package func hold(_ make: (_ handle: UInt) throws(Failure) -> Object) throws(Failure) -> OpaquePointer? {
        try objects.hold { (handle) throws(Failure) in try make(handle) }
    }

    /// Takes a handle for an object that does not exist yet.
    package func reserve() throws(Failure) -> UInt { try objects.reserve() }

    /// Gives a reserved handle its object.
    package func fill(_ handle: UInt, _ object: Object) { objects.fill(handle, object) }

    /// The object of a handle; nil for one that is invalid here.
    package subscript(_ handle: OpaquePointer?) -> Object? {
        objects[handle].map { unsafeDowncast($0, to: Object.self) }
    }

    /// The object of a handle; the failure of one that is invalid says why.
    package func find(_ handle: OpaquePointer?, _ what: StaticString) throws(Failure) -> Object {
        unsafeDowncast(try objects.find(handle, what), to: Object.self)
    }

    /// Makes a handle invalid; returns its object. Nothing happens to a handle of a parent process.
    @discardableResult
    package func remove(_ handle: UInt) -> Object? {
        objects.remove(handle).map { unsafeDowncast($0, to: Object.self) }
    }

    @discardableResult
    package func remove(_ handle: OpaquePointer?) -> Object? { remove(UInt(bitPattern: handle)) }
}

/// The same for objects of any class. Not generic, since every kind of handle would have its own copy.
private final class ObjectTable: @unchecked Sendable {
    private let own: PerProcess<HandleSlots>

    @inline(never)
    init(kind: UInt, generations: UInt32, capacity: Int) {
        own = PerProcess { HandleSlots(kind: kind & 15, generations: generations, capacity: capacity) }
    }

    var count: Int { own.value.count }

    var filled: [UInt] { own.value.filled }

    @inline(never)
    func hold(_ make: (_ handle: UInt) throws(Failure) -> AnyObject) throws(Failure) -> OpaquePointer? {
        let handle = try reserve()
        do throws(Failure) {
            fill(handle, try make(handle))
        } catch {
            _ = remove(handle)
            throw error
        }
        return OpaquePointer(bitPattern: handle)
    }

    @inline(never)
    func reserve() throws(Failure) -> UInt {
        guard let handle = own.value.take() else {
            throw Failure(.internal, Reason.internalError, "There are too many handles. Free some first.")
        }
        return handle
    }

    @inline(never)
    func fill(_ handle: UInt, _ object: AnyObject) {
        let kept = Unmanaged.passRetained(object)
        if !own.value.fill(handle, UnsafeRawPointer(kept.toOpaque())) { kept.release() }
    }

    subscript(_ handle: OpaquePointer?) -> AnyObject? {
        @inline(never) get {
            let value = UInt(bitPattern: handle)
            guard !HandleValue.isForked(value) else { return nil }
            var object: AnyObject?
            own.value.find(value) { object = Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
            return object
        }
    }

    @inline(never)
    func find(_ handle: OpaquePointer?, _ what: StaticString) throws(Failure) -> AnyObject {
        guard let object = self[handle] else { throw .unusable(handle, what) }
        return object
    }

    @inline(never)
    func remove(_ handle: UInt) -> AnyObject? {
        guard !HandleValue.isForked(handle), let object = own.value.remove(handle) else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue()
    }
}

extension Failure {
    /// Why a handle of another process cannot be used.
    @inline(never)
    package static func unusable(_ handle: OpaquePointer?, _ what: StaticString) -> Failure {
        guard HandleValue.isForked(UInt(bitPattern: handle)) else {
            return Failure(
                .handle, Reason.invalidHandle,
                filled("The % handle is NULL, freed or of another type.", what.description))
        }
        return Failure(
            .state, Reason.forked,
            filled(
                "The % was created before fork() and belongs to the parent process. Create a new runtime and client.",
                what.description))
    }
}

/// The same for functions that give a bare status.
@inline(never)
func unusable(_ handle: OpaquePointer?) -> mtoken_status {
    HandleValue.isForked(UInt(bitPattern: handle)) ? MTOKEN_ERROR_STATE.rawValue : MTOKEN_ERROR_HANDLE.rawValue
}
