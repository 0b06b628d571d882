import MobileTokenCrypto

/// Writes pieces of text one after another into given memory; what does not fit is left out.
struct TextWriter {
    private let memory: UnsafeMutableRawBufferPointer
    /// The number of bytes written.
    private(set) var count = 0

    init(_ memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = UnsafeMutableRawBufferPointer(memory) }

    /// Writes a piece.
    @inline(__always)
    mutating func append(_ piece: some Bytes) {
        let start = count
        let written = piece.withBytes { bytes -> Int in
            guard let source = bytes.baseAddress, let target = memory.baseAddress, bytes.count <= memory.count - start
            else { return 0 }
            (target + start).copyMemory(from: source, byteCount: bytes.count)
            return bytes.count
        }
        count += written
    }
}
