import CMToken
import MobileToken
import MobileTokenSystem

/// The handles of one kind that hosts hold. A handle is no address but a slot and a generation, so that a NULL, freed or
/// foreign one is recognised and never followed, and so is one that was made before a `fork`.
///
/// No value is ever given out twice: a slot that is free again serves with its next generation, after all that were free before
/// it, and never more when its generations are used up. `HandleValue` says what a value looks like.
package final class HandleTable<Object: AnyObject>: @unchecked Sendable {
    private let own: PerProcess<HandleSlots>

    /// - Parameters:
    ///   - kind: tells tables apart; 0 to 15
    ///   - generations: how often a slot serves
    ///   - capacity: how many slots there are
    package init(
        kind: UInt, generations: UInt32 = 1 << HandleValue.generationBits, capacity: Int = 1 << HandleValue.slotBits
    ) {
        own = PerProcess { HandleSlots(kind: kind & 15, generations: generations, capacity: capacity) }
    }

    /// The number of handles that were given out and not given back.
    package var count: Int { own.value.count }

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
        guard let handle = own.value.take() else { throw .noHandles }
        return handle
    }

    /// Gives a reserved handle its object.
    package func fill(_ handle: UInt, _ object: Object) {
        let kept = Unmanaged.passRetained(object)
        if !own.value.fill(handle, UnsafeRawPointer(kept.toOpaque())) { kept.release() }
    }

    /// The object of a handle; nil for one that is invalid here.
    package subscript(_ handle: OpaquePointer?) -> Object? {
        let value = UInt(bitPattern: handle)
        guard !HandleValue.isForked(value) else { return nil }
        var object: Object?
        own.value.find(value) { object = Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
        return object
    }

    /// The object of a handle; the failure of one that is invalid says why.
    package func find(_ handle: OpaquePointer?, _ what: StaticString) throws(Failure) -> Object {
        guard let object = self[handle] else { throw .unusable(handle, what) }
        return object
    }

    /// Makes a handle invalid; returns its object. Nothing happens to a handle of a parent process.
    @discardableResult
    package func remove(_ handle: UInt) -> Object? {
        guard !HandleValue.isForked(handle), let object = own.value.remove(handle) else { return nil }
        return Unmanaged<Object>.fromOpaque(object).takeRetainedValue()
    }

    @discardableResult
    package func remove(_ handle: OpaquePointer?) -> Object? { remove(UInt(bitPattern: handle)) }
}

extension Failure {
    static var noHandles: Failure { Failure(.internal, "internalError", "There are no handles of this kind left.") }

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
