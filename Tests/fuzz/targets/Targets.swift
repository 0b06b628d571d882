/// A fuzz target: takes any bytes, must return. What it may not do is trap, hang, touch foreign memory, leak, or let a
/// `require` fail.
private let targets: [(name: String, run: @Sendable (UnsafeRawBufferPointer) -> Void)] = [
    ("json", fuzzJSON),
    ("operations", fuzzOperations),
    ("ui", fuzzUI),
    ("visual", fuzzVisual),
    ("token-data", fuzzTokenData),
    ("configuration", fuzzConfiguration),
    ("code", fuzzCode),
    ("query", fuzzQuery),
    ("reply", fuzzReply),
    ("push", fuzzPush),
    ("ecies", fuzzEncryptedResponse),
    ("temporary-key", fuzzTemporaryKey),
    ("activation", fuzzActivationResponse),
    ("status", fuzzStatus),
    ("token", fuzzToken),
    ("vault", fuzzVault),
    ("state", fuzzState),
    ("qr", fuzzQR),
    ("data", fuzzData),
    ("pac", fuzzPAC),
    ("jwt", fuzzTokenOfPAC),
    ("oidc", fuzzOIDCCallback),
]

nonisolated(unsafe) private var chosen: (UnsafeRawBufferPointer) -> Void = { _ in }

/// Chooses the target that the program is named after: one program serves all, under many names.
@_cdecl("LLVMFuzzerInitialize")
package func initialize(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 {
    guard let program = arguments.pointee.pointee else { return 1 }
    let path = String(cString: program)
    let name = path.split(separator: "/").last.map { String($0) } ?? ""
    guard choose(name) else {
        fatalError("the program must be named after a target: " + targets.map { $0.name }.joined(separator: ", "))
    }
    return 0
}

/// Chooses a target by its name.
package func choose(_ name: String) -> Bool {
    guard let target = targets.first(where: { $0.name == name }) else { return false }
    chosen = target.run
    return true
}

/// The names of all targets.
package var targetNames: [String] { targets.map { $0.name } }

/// Runs the chosen target once.
@_cdecl("LLVMFuzzerTestOneInput")
package func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    chosen(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    return 0
}

/// What must hold for any input.
func require(_ condition: Bool, _ what: StaticString, line: UInt = #line) {
    if !condition { fatalError("\(what) (line \(line))") }
}

extension UnsafeRawBufferPointer {
    /// The first byte, which tells what to do with the rest; digits mean their value, so that seeds can be written by hand.
    var split: (mode: Int, rest: UnsafeRawBufferPointer) {
        guard let first else { return (0, self) }
        let mode = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) ? first - UInt8(ascii: "0") : first
        return (Int(mode), UnsafeRawBufferPointer(rebasing: dropFirst()))
    }
}
