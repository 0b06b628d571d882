// SPDX-License-Identifier: Apache-2.0
/// Unpacks gzip (RFC 1952 with the method of RFC 1951). This library asks for no coding, but without a wish any is allowed
/// (RFC 9110 §12.5.3), and some servers pack every answer. Ours, because libcurl may be built without zlib, and what a host
/// hands over never passes through libcurl.
struct Gunzip {
    enum Fault: Error {
        case damaged, tooLarge
    }

    private let input: [UInt8]
    private let limit: Int
    private var position = 0
    private var output: [UInt8] = []
    /// Bits that were taken out of the input and are not used yet, the next one lowest.
    private var held: UInt32 = 0
    private var heldCount: UInt32 = 0

    static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// The content of all members.
    ///
    /// - Parameter limit: the most bytes that come out
    static func unpack(_ packed: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
        var reader = Gunzip(input: packed, limit: limit)
        repeat { try reader.member() } while reader.position < packed.count
        return reader.output
    }

    private init(input: [UInt8], limit: Int) { (self.input, self.limit) = (input, limit) }

    private mutating func member() throws(Fault) {
        guard try byte() == 0x1F, try byte() == 0x8B, try byte() == 8 else { throw .damaged }
        let flags = try byte()
        guard flags & 0xE0 == 0 else { throw .damaged }
        try skip(6)  // time, level, system
        if flags & 4 != 0 { try skip(try number(2)) }
        for flag in [8, 16] as [UInt8] where flags & flag != 0 {
            while try byte() != 0 {}
        }
        if flags & 2 != 0 { try skip(2) }
        let start = output.count
        while try !block(from: start) {}
        (held, heldCount) = (0, 0)
        let checksum = Self.checksum(output[start...])
        guard try number(4) == Int(checksum), try number(4) == (output.count - start) & 0xFFFF_FFFF else {
            throw .damaged
        }
    }

    // MARK: Input

    private mutating func byte() throws(Fault) -> UInt8 {
        guard position < input.count else { throw .damaged }
        defer { position += 1 }
        return input[position]
    }

    private mutating func skip(_ count: Int) throws(Fault) {
        for _ in 0..<count { _ = try byte() }
    }

    /// A number of whole bytes, the lowest first.
    private mutating func number(_ count: Int) throws(Fault) -> Int {
        var result = 0
        for index in 0..<count { result |= Int(try byte()) << (8 * index) }
        return result
    }

    /// The next 13 bits at most.
    private mutating func bits(_ count: Int) throws(Fault) -> Int {
        let count = UInt32(count)
        while heldCount < count {
            held |= UInt32(try byte()) << heldCount
            heldCount += 8
        }
        defer {
            held >>= count
            heldCount -= count
        }
        return Int(held & ((1 << count) - 1))
    }

    // MARK: Blocks

    /// Reads a block; whether it is the last one.
    private mutating func block(from start: Int) throws(Fault) -> Bool {
        let isLast = try bits(1) == 1
        switch try bits(2) {
        case 0:
            (held, heldCount) = (0, 0)
            let count = try number(2)
            guard try number(2) == count ^ 0xFFFF else { throw .damaged }
            for _ in 0..<count { try append(try byte()) }
        case 1: try content(from: start, .fixedSymbols, .fixedDistances)
        case 2:
            let (symbols, distances) = try codes()
            try content(from: start, symbols, distances)
        default: throw .damaged
        }
        return isLast
    }

    private mutating func append(_ byte: UInt8) throws(Fault) {
        guard output.count < limit else { throw .tooLarge }
        output.append(byte)
    }

    /// Where the lengths or distances of a symbol begin, and how many bits tell which it is. As many symbols as are in a group
    /// share a number of bits.
    private static func range(_ symbol: Int, group: Int) -> (base: Int, bits: Int) {
        guard symbol >= group else { return (symbol, 0) }
        let bits = symbol / group - 1
        return ((group + symbol % group) << bits, bits)
    }

    private mutating func content(from start: Int, _ symbols: Code, _ distances: Code) throws(Fault) {
        while true {
            let symbol = try next(symbols)
            guard symbol >= 256 else {
                try append(UInt8(truncatingIfNeeded: symbol))
                continue
            }
            guard symbol > 256 else { return }
            guard symbol < 286 else { throw .damaged }
            let length = symbol == 285 ? (base: 255, bits: 0) : Self.range(symbol - 257, group: 4)
            let count = 3 + length.base + (try bits(length.bits))
            let index = try next(distances)
            guard index < 30 else { throw .damaged }
            let distance = Self.range(index, group: 2)
            let back = 1 + distance.base + (try bits(distance.bits))
            guard back <= output.count - start else { throw .damaged }
            for _ in 0..<count { try append(output[output.count - back]) }
        }
    }

    // MARK: Codes

    /// A Huffman code: how many codes there are of each length, and their symbols in order.
    private struct Code {
        private(set) var counts = [Int](repeating: 0, count: 16)
        private(set) var symbols: [Int] = []

        static let fixedSymbols = Code(
            [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
                + [Int](repeating: 8, count: 8))
        static let fixedDistances = Code([Int](repeating: 5, count: 30))

        init(_ lengths: [Int]) {
            for length in 1...15 {
                let found = lengths.indices.filter { lengths[$0] == length }
                counts[length] = found.count
                symbols += found
            }
        }

        /// Whether each sequence of bits means something, and one thing only; a code of a single symbol may leave one out.
        var isSound: Bool {
            var left = 1
            for length in 1...15 {
                left = 2 * left - counts[length]
                if left < 0 { return false }
            }
            return left == 0 || symbols.count == counts[1]
        }
    }

    private mutating func next(_ code: Code) throws(Fault) -> Int {
        var (value, first, index) = (0, 0, 0)
        for length in 1...15 {
            value |= try bits(1)
            let count = code.counts[length]
            if value - first < count { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw .damaged
    }

    /// The codes at the head of a block, which are coded themselves.
    private mutating func codes() throws(Fault) -> (symbols: Code, distances: Code) {
        let (symbolCount, distanceCount, headCount) = (257 + (try bits(5)), 1 + (try bits(5)), 4 + (try bits(4)))
        guard symbolCount <= 286, distanceCount <= 30 else { throw .damaged }
        var head = [Int](repeating: 0, count: 19)
        for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(headCount) {
            head[place] = try bits(3)
        }
        let code = Code(head)
        guard code.isSound else { throw .damaged }
        var lengths: [Int] = []
        while lengths.count < symbolCount + distanceCount {
            let symbol = try next(code)
            switch symbol {
            case 16:
                guard let last = lengths.last else { throw .damaged }
                lengths += [Int](repeating: last, count: 3 + (try bits(2)))
            case 17: lengths += [Int](repeating: 0, count: 3 + (try bits(3)))
            case 18: lengths += [Int](repeating: 0, count: 11 + (try bits(7)))
            default: lengths.append(symbol)
            }
        }
        guard lengths.count == symbolCount + distanceCount, lengths[256] > 0 else { throw .damaged }
        let symbols = Code([Int](lengths[..<symbolCount]))
        let distances = Code([Int](lengths[symbolCount...]))
        guard symbols.isSound, distances.isSound else { throw .damaged }
        return (symbols, distances)
    }

    /// The CRC-32 of RFC 1952 §8.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
        return ~value
    }
}
