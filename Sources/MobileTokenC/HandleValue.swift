// SPDX-License-Identifier: Apache-2.0
import MobileTokenSystem

/// Layout of a handle: bits 0–21 slot, 22–43 generation, 44–47 kind, 48–51 epoch, 52 set, all others zero.
///
/// So it is a whole number that a `double` holds (JavaScript, LuaJIT), and lies above all addresses that a process can have,
/// those of a garbage collector included.
enum HandleValue {
    static var slotBits: Int { 22 }
    static var generationBits: Int { 22 }
    private static var kindShift: Int { 44 }
    private static var epochShift: Int { 48 }
    private static var marker: UInt { 1 << 52 }
    private static var epochMask: UInt { UInt(Fork.epochs) - 1 }

    static func make(kind: UInt, generation: UInt32, slot: UInt) -> UInt {
        marker | (Fork.epoch & epochMask) << epochShift | kind << kindShift | UInt(generation) << slotBits | slot
    }

    static func slot(_ handle: UInt) -> Int { Int(handle & (1 << slotBits - 1)) }

    /// Whether an ancestor made the handle: the epoch's lowest bits show it, and the slot when those have wrapped.
    /// Checked first, since the handle's object may be locked for ever.
    static func isForked(_ handle: UInt) -> Bool {
        let now = Fork.epoch
        guard now > 0, handle >> epochShift & ~epochMask == marker >> epochShift else { return false }
        let epoch = handle >> epochShift & epochMask
        return now <= epochMask
            ? epoch < now : epoch != now & epochMask || handle & (1 << slotBits - 1) < Fork.firstSlot
    }
}
