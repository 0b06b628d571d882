/// Argon2i and Argon2id, version 0x13 (RFC 9106): servers store PUKs and one-time passwords so. Only tests need it.
struct Argon2 {
    enum Kind: UInt32 {
        case i = 1
        case id = 2
    }

    let kind: Kind
    let passes: Int
    /// KiB, which are blocks.
    let memory: Int
    let lanes: Int

    private static let words = 128
    private typealias Block = UnsafeMutablePointer<UInt64>

    /// The hash of a password.
    func hash(password: [UInt8], salt: [UInt8], length: Int) -> [UInt8] {
        let segment = memory / (4 * lanes)
        let columns = segment * 4
        let blocks = Block.allocate(capacity: columns * lanes * Argon2.words)
        defer { blocks.deallocate() }
        func block(_ lane: Int, _ column: Int) -> Block { blocks + (lane * columns + column) * Argon2.words }

        var input: [UInt8] = []
        for number in [lanes, length, memory, passes, 0x13, Int(kind.rawValue)] { input += Argon2.bytes(number) }
        for part in [password, salt, [], []] { input += Argon2.bytes(part.count) + part }
        let seed = BLAKE2b.hash(input, length: 64)
        for lane in 0..<lanes {
            for column in 0..<2 {
                let content = Argon2.longHash(seed + Argon2.bytes(column) + Argon2.bytes(lane), length: 1024)
                for word in 0..<Argon2.words {
                    block(lane, column)[word] = (0..<8).reduce(0) {
                        $0 | UInt64(content[word * 8 + $1]) << UInt64(8 * $1)
                    }
                }
            }
        }
        let addresses = Block.allocate(capacity: 3 * Argon2.words)
        defer { addresses.deallocate() }
        for pass in 0..<passes {
            for slice in 0..<4 {
                for lane in 0..<lanes {
                    fill(pass, slice, lane, segment: segment, columns: columns, blocks: blocks, addresses: addresses)
                }
            }
        }
        let result = block(0, columns - 1)
        for lane in 1..<max(1, lanes) {
            for word in 0..<Argon2.words { result[word] ^= block(lane, columns - 1)[word] }
        }
        var content: [UInt8] = []
        for word in 0..<Argon2.words {
            content += (0..<8).map { UInt8(truncatingIfNeeded: result[word] >> UInt64(8 * $0)) }
        }
        return Argon2.longHash(content, length: length)
    }

    private func fill(
        _ pass: Int, _ slice: Int, _ lane: Int, segment: Int, columns: Int, blocks: Block, addresses: Block
    ) {
        func block(_ lane: Int, _ column: Int) -> Block { blocks + (lane * columns + column) * Argon2.words }
        let isIndependent = kind == .i || (pass == 0 && slice < 2)
        let (inputs, zero) = (addresses + Argon2.words, addresses + 2 * Argon2.words)
        inputs.update(repeating: 0, count: Argon2.words)
        zero.update(repeating: 0, count: Argon2.words)
        for (index, value) in [pass, lane, slice, columns * lanes, passes, Int(kind.rawValue)].enumerated() {
            inputs[index] = UInt64(value)
        }
        func nextAddresses() {
            inputs[6] += 1
            Argon2.compress(zero, inputs, into: addresses, xor: false)
            Argon2.compress(zero, addresses, into: addresses, xor: false)
        }
        let start = pass == 0 && slice == 0 ? 2 : 0
        if isIndependent && start == 2 { nextAddresses() }
        for index in start..<segment {
            let column = slice * segment + index
            let previous = block(lane, column == 0 ? columns - 1 : column - 1)
            if isIndependent && index % Argon2.words == 0 { nextAddresses() }
            let random = isIndependent ? addresses[index % Argon2.words] : previous[0]
            var source = Int(random >> 32) % lanes
            if pass == 0 && slice == 0 { source = lane }
            let isSame = source == lane
            var area = pass == 0 ? slice * segment : columns - segment
            area += isSame ? index - 1 : (index == 0 ? -1 : 0)
            let low = random & 0xFFFF_FFFF
            let square = (low &* low) >> 32
            let position = area - 1 - Int((UInt64(area) &* square) >> 32)
            let first = pass == 0 || slice == 3 ? 0 : (slice + 1) * segment
            Argon2.compress(
                previous, block(source, (first + position) % columns), into: block(lane, column), xor: pass > 0)
        }
    }

    /// The compression function; `xor` keeps what was in `target`.
    private static func compress(_ left: Block, _ right: Block, into target: Block, xor: Bool) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * words) { scratch in
            guard let mixed = scratch.baseAddress else { return }
            let kept = mixed + words
            var word = 0
            while word < words {
                mixed[word] = left[word] ^ right[word]
                kept[word] = xor ? mixed[word] ^ target[word] : mixed[word]
                word += 1
            }
            var row = 0
            while row < 8 {
                permute(mixed + row * 16, 2)
                row += 1
            }
            var column = 0
            while column < 8 {
                permute(mixed + column * 2, 16)
                column += 1
            }
            word = 0
            while word < words {
                target[word] = kept[word] ^ mixed[word]
                word += 1
            }
        }
    }

    /// One round over 16 words that lie in pairs, `stride` apart.
    @inline(__always)
    private static func permute(_ base: Block, _ stride: Int) {
        let a0 = base, a2 = base + stride
        let b0 = base + 2 * stride, b2 = base + 3 * stride
        let c0 = base + 4 * stride, c2 = base + 5 * stride
        let d0 = base + 6 * stride, d2 = base + 7 * stride
        mix(a0, b0, c0, d0)
        mix(a0 + 1, b0 + 1, c0 + 1, d0 + 1)
        mix(a2, b2, c2, d2)
        mix(a2 + 1, b2 + 1, c2 + 1, d2 + 1)
        mix(a0, b0 + 1, c2, d2 + 1)
        mix(a0 + 1, b2, c2 + 1, d0)
        mix(a2, b2 + 1, c0, d0 + 1)
        mix(a2 + 1, b0, c0 + 1, d2)
    }

    @inline(__always)
    private static func mix(_ pa: Block, _ pb: Block, _ pc: Block, _ pd: Block) {
        var (a, b, c, d) = (pa.pointee, pb.pointee, pc.pointee, pd.pointee)
        a = a &+ b &+ ((a & 0xFFFF_FFFF) &* (b & 0xFFFF_FFFF)) &<< 1
        d ^= a
        d = d &>> 32 | d &<< 32
        c = c &+ d &+ ((c & 0xFFFF_FFFF) &* (d & 0xFFFF_FFFF)) &<< 1
        b ^= c
        b = b &>> 24 | b &<< 40
        a = a &+ b &+ ((a & 0xFFFF_FFFF) &* (b & 0xFFFF_FFFF)) &<< 1
        d ^= a
        d = d &>> 16 | d &<< 48
        c = c &+ d &+ ((c & 0xFFFF_FFFF) &* (d & 0xFFFF_FFFF)) &<< 1
        b ^= c
        b = b &>> 63 | b &<< 1
        pa.pointee = a
        pb.pointee = b
        pc.pointee = c
        pd.pointee = d
    }

    /// `H'`: BLAKE2b for any length.
    private static func longHash(_ message: [UInt8], length: Int) -> [UInt8] {
        guard length > 64 else { return BLAKE2b.hash(bytes(length) + message, length: length) }
        var part = BLAKE2b.hash(bytes(length) + message, length: 64)
        var output = [UInt8](part.prefix(32))
        while length - output.count > 64 {
            part = BLAKE2b.hash(part, length: 64)
            output += part.prefix(32)
        }
        return output + BLAKE2b.hash(part, length: length - output.count)
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
