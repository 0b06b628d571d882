// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import MobileTokenSystem
import Synchronization

/// Random bytes drawn from OpenSSL ahead of time, for nonces and IVs. A draw of its own costs OpenSSL far more than 16 bytes do.
///
/// Bytes that are handed out are wiped here. They are in memory that a child of this process finds zero, which reads as
/// empty: no two processes hand out the same bytes. Where the kernel has no such memory nothing is drawn ahead.
struct PublicRandom: @unchecked Sendable {
    /// Made at first use; lives as long as the process.
    static let shared = PublicRandom()

    /// The header of each part of the memory. All zero: free and empty.
    private struct Part: ~Copyable {
        let isTaken = Atomic<UInt>(0)
        /// How many bytes are left, those at the beginning.
        var left = 0
        /// The fork that the bytes belong to: a second look, should an emulated kernel have promised too much.
        var epoch: UInt = 0
    }

    private static let partCount = 8
    private static let partSize = 1024
    private static let headSize = 64
    /// More than this is drawn at once.
    private static let longest = 64

    private let memory: UnsafeMutableRawPointer?

    private init() {
        Fork.prepare()
        memory = ForkWipedMemory.make(Self.partCount * Self.partSize)
    }

    /// Fills the buffer with what was drawn ahead; false, and nothing is filled, when it has to be drawn at once.
    func fill(_ output: UnsafeMutableRawBufferPointer) throws(CryptoError) -> Bool {
        guard let memory, output.count <= Self.longest else { return false }
        let start = ContextPool.start
        for offset in 0..<Self.partCount {
            let place = memory + ((start &+ offset) & (Self.partCount - 1)) * Self.partSize
            let part = place.assumingMemoryBound(to: Part.self)
            guard
                part.pointee.isTaken.compareExchange(
                    expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed
                ).exchanged
            else { continue }
            defer { part.pointee.isTaken.store(0, ordering: .releasing) }
            try take(output, from: part, place + Self.headSize)
            // A signal's handler may have forked in the middle of this: then the child is here too, and its bytes were wiped.
            return part.pointee.isTaken.load(ordering: .relaxed) == 1 && part.pointee.epoch == Fork.epoch
        }
        return false
    }

    @inline(never)
    @_optimize(size)
    private func take(
        _ output: UnsafeMutableRawBufferPointer, from part: UnsafeMutablePointer<Part>,
        _ bytes: UnsafeMutableRawPointer
    ) throws(CryptoError) {
        if part.pointee.left < output.count || part.pointee.epoch != Fork.epoch {
            let room = Self.partSize - Self.headSize
            part.pointee.left = 0
            try withErrorMark { () throws(CryptoError) -> Void in
                guard RAND_bytes(bytes.assumingMemoryBound(to: UInt8.self), Int32(truncatingIfNeeded: room)) == 1
                else { throw .library() }
            }
            part.pointee.left = room
            part.pointee.epoch = Fork.epoch
        }
        let left = part.pointee.left - output.count
        let source = UnsafeMutableRawBufferPointer(start: bytes + left, count: output.count)
        output.copyMemory(from: UnsafeRawBufferPointer(source))
        wipe(source)
        part.pointee.left = left
    }
}
