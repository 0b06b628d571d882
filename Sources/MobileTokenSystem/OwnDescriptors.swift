import CSystem

/// The library's descriptors that do something to others for as long as any process holds them: a lock, a connection, a port. A
/// child made by `fork` closes its copies at once, so that they end with the parent that uses them.
///
/// One byte for each number, set after the descriptor was opened and cleared before it is closed. Nothing is locked: whoever
/// owns a descriptor is alone with its byte, and the child that reads them all is alone. A fork in between costs a copy.
package enum OwnDescriptors {
    /// Higher numbers are not kept.
    private static var capacity: Int { 1 << 16 }
    nonisolated(unsafe) private static var held: UnsafeMutablePointer<UInt8>?

    static func prepare() {
        held = calloc(capacity, 1)?.assumingMemoryBound(to: UInt8.self)
    }

    /// Takes note of a descriptor that was opened; negative ones are none. Gives it back.
    @discardableResult
    package static func add(_ descriptor: Int32) -> Int32 {
        Fork.prepare()
        mark(descriptor, 1)
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
        return number >= 0 && held[number] != 0
    }

    private static func mark(_ descriptor: Int32, _ value: UInt8) {
        let number = Int(descriptor)
        if let held, number >= 0, number < capacity { held[number] = value }
    }

    /// In a child, before any other thread exists.
    static func closeInherited() {
        guard let held else { return }
        let words = UnsafeRawPointer(held)
        for start in stride(from: 0, to: capacity, by: 8)
        where words.load(fromByteOffset: start, as: UInt64.self) != 0 {
            for number in start..<start + 8 where held[number] != 0 {
                held[number] = 0
                _ = CSystem.close(Int32(truncatingIfNeeded: number))
            }
        }
    }
}
