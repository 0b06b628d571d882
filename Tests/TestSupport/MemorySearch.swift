import Foundation
import MobileTokenSystem
import Testing

/// Looks for secrets in the writable memory of this process.
package enum MemorySearch {
    /// A secret that the test remembers only in disguise.
    package struct Secret {
        let name: String
        let disguise: [UInt8]

        package init(_ name: String, _ secret: UnsafeRawBufferPointer, reversed: Bool = false) {
            self.name = name
            let bytes = secret.map { $0 ^ 0x5A }
            disguise = reversed ? bytes.reversed() : bytes
        }
    }

    private static let lock = Lock()

    /// One test at a time uses secrets and looks for them: a search copies memory, and with it the living secrets of others.
    package static func alone<R>(_ test: () throws -> R) rethrows -> R { try lock.withLock(test) }

    /// Where the secrets lie, outside of `known`: name, address and mapping of each.
    package static func places(of secrets: [Secret], except known: [UnsafeRawBufferPointer] = []) -> [String] {
        let needles = secrets.map { secret in
            let needle = UnsafeMutableRawBufferPointer.allocate(byteCount: secret.disguise.count, alignment: 1)
            for index in secret.disguise.indices { needle[index] = secret.disguise[index] ^ 0x5A }
            return needle
        }
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        let own = needles + [scratch]
        defer {
            for buffer in own {
                clear(buffer)
                buffer.deallocate()
            }
        }
        let ignored = known + own.map { UnsafeRawBufferPointer($0) }
        let overlap = needles.reduce(0) { max($0, $1.count) }
        let memory = open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        var found: [String] = []
        for range in writableRanges() {
            var address = range.start
            while address < range.end {
                let length = min(scratch.count, Int(range.end - address))
                let got = pread(memory, scratch.baseAddress, length, off_t(address))
                guard got > 0 else { break }
                let piece = UnsafeRawBufferPointer(rebasing: scratch[..<got])
                for (needle, secret) in zip(needles, secrets) {
                    for offset in offsets(of: needle, in: piece) {
                        let place = address + UInt(offset)
                        if !ignored.contains(where: { holds($0, place) }) {
                            found.append(secret.name + " at " + String(place, radix: 16) + " in " + range.line)
                        }
                    }
                }
                clear(scratch)
                if got < length || address + UInt(got) == range.end { break }
                // Overlap, so that nothing hides across two pieces.
                address += UInt(got - overlap)
            }
        }
        return found
    }

    /// Whether the memory can be searched. A sanitizer's shadow has no end, and it keeps what was freed. Where functions are
    /// bound when they are first called, the dynamic linker leaves on the stack what registers held: the product is linked with
    /// `-z now`, and `make test` sets LD_BIND_NOW.
    package static var isPossible: Bool {
        getenv("LD_BIND_NOW") != nil && writableRanges().reduce(0) { $0 + ($1.end - $1.start) } < 1 << 32
    }

    package static let whyNot: Comment = "needs LD_BIND_NOW=1, and no sanitizer"

    /// The address ranges of writable memory, with their lines in the list of mappings.
    private static func writableRanges() -> [(start: UInt, end: UInt, line: String)] {
        let text = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            let limits = fields[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
            guard fields[1].hasPrefix("rw"), limits.count == 2 else { return nil }
            return (limits[0], limits[1], String(line))
        }
    }

    private static func offsets(
        of needle: UnsafeMutableRawBufferPointer, in haystack: UnsafeRawBufferPointer
    ) -> [Int] {
        guard let start = haystack.baseAddress, let first = needle.first, let wanted = needle.baseAddress else {
            return []
        }
        var offsets: [Int] = []
        var from = 0
        while from + needle.count <= haystack.count,
            let hit = memchr(start + from, Int32(first), haystack.count - needle.count + 1 - from)
        {
            let offset = UnsafeRawPointer(hit) - start
            if memcmp(hit, wanted, needle.count) == 0 { offsets.append(offset) }
            from = offset + 1
        }
        return offsets
    }

    private static func holds(_ buffer: UnsafeRawBufferPointer, _ address: UInt) -> Bool {
        let start = UInt(bitPattern: buffer.baseAddress)
        return address >= start && address < start + UInt(buffer.count)
    }

    private static func clear(_ buffer: UnsafeMutableRawBufferPointer) {
        if let base = buffer.baseAddress { explicit_bzero(base, buffer.count) }
    }
}
