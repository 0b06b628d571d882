// SPDX-License-Identifier: Apache-2.0
import CMToken
import CSystem
import MobileTokenCrypto

/// The only source of memory for the host's results: freed as a whole, and wiped.
///
/// Control and first chunk are one allocation, so that a result of known size is one. Larger results get further
/// chunks. Create an arena after everything that can fail: its creator frees it, unless the host does so with the
/// `result`.
package struct Arena: @unchecked Sendable {
    private struct Control {
        var next: UnsafeMutableRawPointer
        var left: Int
        /// The size of the first chunk.
        let room: Int
        /// The last of the further chunks. Each begins with the address of the one before it, and its own size.
        var further: UnsafeMutableRawPointer?
        var kept: [AnyObject] = []
    }

    private let control: UnsafeMutablePointer<Control>

    /// - Parameter room: the bytes of the first chunk
    @inline(never)
    package init(room: Int = 4096) {
        let size = MemoryLayout<Control>.stride
        let memory = Self.allocate(size &+ room)
        control = memory.bindMemory(to: Control.self, capacity: 1)
        control.initialize(to: Control(next: memory + size, left: room, room: room))
    }

    /// Ends the arena and all that was put into it.
    @inline(never)
    package func free() {
        var chunk = control.pointee.further
        while let memory = chunk {
            chunk = memory.load(as: UnsafeMutableRawPointer?.self)
            Self.giveBack(memory, memory.load(fromByteOffset: 8, as: Int.self))
        }
        let size = MemoryLayout<Control>.stride &+ control.pointee.room
        control.deinitialize(count: 1)
        Self.giveBack(control, size)
    }

    /// Keeps an object alive as long as the arena: results point into its memory.
    func keep(_ object: AnyObject) { control.pointee.kept.append(object) }

    /// Without memory the process ends, as where Swift asks for some.
    private static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        guard let memory = malloc(size) else { fatalError("out of memory") }
        return memory
    }

    private static func giveBack(_ memory: UnsafeMutableRawPointer, _ size: Int) {
        explicit_bzero(memory, size)
        CSystem.free(memory)
    }

    /// Takes bytes, uninitialised.
    @inline(never)
    private func take(_ size: Int, alignment: Int = Arena.alignment) -> UnsafeMutableRawPointer {
        let next = control.pointee.next
        let place = next.alignedUp(toMultipleOf: alignment)
        let needed = place - next &+ size
        guard needed <= control.pointee.left else {
            extend(size)
            return take(size, alignment: alignment)
        }
        control.pointee.next = place + size
        control.pointee.left &-= needed
        return place
    }

    /// Begins a further chunk with room for `size` bytes.
    private func extend(_ size: Int) {
        let room = max(4096, size)
        let chunk = Self.allocate(Self.alignment &+ room)
        chunk.storeBytes(of: control.pointee.further, as: UnsafeMutableRawPointer?.self)
        chunk.storeBytes(of: Self.alignment &+ room, toByteOffset: 8, as: Int.self)
        control.pointee.further = chunk
        control.pointee.next = chunk + Self.alignment
        control.pointee.left = room
    }

    /// This alignment suits every type.
    private static var alignment: Int { 16 }

    // MARK: Structs

    /// Puts a struct into the arena.
    package func put<T>(_ value: T) -> UnsafePointer<T> {
        let place = take(MemoryLayout<T>.stride).bindMemory(to: T.self, capacity: 1)
        place.initialize(to: value)
        return UnsafePointer(place)
    }

    /// Puts the struct that the host gets, behind the address of the arena's control, and frees with all that hangs on it.
    package func result<T>(_ value: T) -> UnsafeMutablePointer<T> {
        let place = take(Self.alignment + MemoryLayout<T>.stride)
        place.storeBytes(of: control, as: UnsafeMutablePointer<Control>.self)
        let result = place.advanced(by: Self.alignment).bindMemory(to: T.self, capacity: 1)
        result.initialize(to: value)
        return result
    }

    /// The bytes that a result takes at most.
    static func size<T>(of type: T.Type) -> Int { 2 &* alignment &+ MemoryLayout<T>.stride }

    /// Frees what `result` made.
    @inline(never)
    package static func free(_ result: UnsafeMutableRawPointer?) {
        guard let place = result?.advanced(by: -alignment) else { return }
        Arena(control: place.load(as: UnsafeMutablePointer<Control>.self)).free()
    }

    private init(control: UnsafeMutablePointer<Control>) { self.control = control }

    /// An array, uninitialised; nil for an empty one.
    package func array<T>(of type: T.Type, count: Int) -> UnsafeMutablePointer<T>? {
        guard count > 0 else { return nil }
        return take(MemoryLayout<T>.stride * count).bindMemory(to: T.self, capacity: count)
    }

    /// An array of pointers; nil for an empty one.
    package func pointers<Element, T>(
        _ elements: [Element], _ put: (Element) -> UnsafePointer<T>
    ) -> UnsafePointer<UnsafePointer<T>?>? {
        let result = array(of: UnsafePointer<T>?.self, count: elements.count)
        for (index, element) in elements.enumerated() { result?[index] = put(element) }
        return UnsafePointer(result)
    }

    // MARK: Texts

    /// A NUL-terminated text that `write` makes.
    ///
    /// - Parameters:
    ///   - maximum: how many bytes it writes at most
    ///   - write: writes the text and returns its length
    func text(maximum: Int, _ write: (UnsafeMutableRawPointer) -> Int) -> UnsafePointer<CChar> {
        let place = take(maximum &+ 1, alignment: 1)
        let count = write(place)
        place.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
        // The end of what was taken.
        control.pointee.next -= maximum &- count
        control.pointee.left &+= maximum &- count
        return UnsafePointer(place.assumingMemoryBound(to: CChar.self))
    }

    /// A NUL-terminated copy of bytes.
    @inline(never)
    package func text(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<CChar> {
        let place = take(bytes.count &+ 1, alignment: 1)
        if let from = bytes.baseAddress { place.copyMemory(from: from, byteCount: bytes.count) }
        place.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
        return UnsafePointer(place.assumingMemoryBound(to: CChar.self))
    }

    /// A NUL-terminated copy of a text.
    @inline(never)
    package func text(_ text: String) -> UnsafePointer<CChar> {
        var text = text
        return text.withUTF8 { self.text(UnsafeRawBufferPointer($0)) }
    }

    @inline(never)
    package func text(_ text: String?) -> UnsafePointer<CChar>? { text.map { self.text($0) } }

    /// A NUL-terminated copy of bytes or of a secret.
    package func text(_ data: some Bytes) -> UnsafePointer<CChar> { data.withBytes { text($0) } }

    /// The same for binary data.
    package func bytes(_ data: UnsafeRawBufferPointer) -> UnsafePointer<UInt8> {
        UnsafeRawPointer(text(data)).assumingMemoryBound(to: UInt8.self)
    }

    package func bytes(_ data: some Bytes) -> UnsafePointer<UInt8> { data.withBytes { bytes($0) } }
}
