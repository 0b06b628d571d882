/// A fuzz target: takes any bytes, must return. What it may not do is trap, hang, touch foreign memory, leak, or let a
/// `require` fail.
package struct FuzzTarget: Sendable {
    package let name: String
    package let run: @Sendable (UnsafeRawBufferPointer) -> Void

    package init(_ name: String, _ run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        self.name = name
        self.run = run
    }

    /// The folder of its seeds and findings: a target of the C interface, `c-x`, takes those of `x`.
    package var inputs: String { name.hasPrefix("c-") ? String(name.dropFirst(2)) : name }
}

nonisolated(unsafe) private var chosen: (UnsafeRawBufferPointer) -> Void = { _ in }

/// Chooses the target that the program is named after: one program serves many, under their names.
package func choose(
    among targets: [FuzzTarget],
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 {
    guard let program = arguments.pointee.pointee else { return 1 }
    let name = String(cString: program).split(separator: "/").last.map { String($0) } ?? ""
    guard let target = targets.first(where: { $0.name == name }) else {
        fatalError("the program must be named after a target: " + targets.map { $0.name }.joined(separator: ", "))
    }
    chosen = target.run
    return 0
}

/// Runs the chosen target once.
@_cdecl("LLVMFuzzerTestOneInput")
package func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    chosen(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    return 0
}

/// What must hold for any input.
package func require(_ condition: Bool, _ what: StaticString, file: StaticString = #fileID, line: UInt = #line) {
    if !condition { fatalError("\(what) (\(file), line \(line))") }
}

extension UnsafeRawBufferPointer {
    /// The first byte, which tells what to do with the rest; digits mean their value, so that seeds can be written by hand.
    package var split: (mode: Int, rest: UnsafeRawBufferPointer) {
        guard let first else { return (0, self) }
        let mode = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) ? first - UInt8(ascii: "0") : first
        return (Int(mode), UnsafeRawBufferPointer(rebasing: dropFirst()))
    }

    /// A part, in place.
    package func piece(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }
}
