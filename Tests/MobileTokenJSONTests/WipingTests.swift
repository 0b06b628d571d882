import Foundation
import MobileTokenJSON
import Testing

/// Looks for a secret in all of this process's writable memory, leaving out the one place that is known to hold it.
private final class Secret {
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 64)
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)

    init() {
        for index in bytes.indices { bytes[index] = UInt8.random(in: 0x61...0x7A) }
    }

    deinit {
        bytes.deallocate()
        chunk.deallocate()
    }

    /// The one copy that `occurrences` does not count.
    var value: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }

    /// How often the secret stands in memory.
    func occurrences() throws -> Int {
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        let memory = open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        var found = 0
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count >= 2, fields[1].hasPrefix("rw"), !line.hasSuffix("[stack]") else { continue }
            let ends = fields[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
            guard ends.count == 2, ends[1] - ends[0] < 1 << 28 else { continue }
            var address = ends[0]
            while address < ends[1] {
                let count = pread(memory, chunk.baseAddress, min(chunk.count, Int(ends[1] - address)), off_t(address))
                guard count > 0 else { break }
                found += matches(in: count, from: address)
                address += UInt(count)
            }
        }
        chunk.initializeMemory(as: UInt8.self, repeating: 0)
        return found
    }

    private func matches(in count: Int, from address: UInt) -> Int {
        guard let base = chunk.baseAddress, let needle = bytes.baseAddress else { return 0 }
        let own = UInt(bitPattern: base)
        var found = 0
        var offset = 0
        while offset + bytes.count <= count, let match = memchr(base + offset, Int32(bytes[0]), count - offset) {
            offset = UnsafeMutableRawPointer(match) - base
            let place = address + UInt(offset)
            if offset + bytes.count <= count, memcmp(match, needle, bytes.count) == 0,
                place != UInt(bitPattern: needle),
                place < own || place >= own + UInt(chunk.count)
            {
                found += 1
            }
            offset += 1
        }
        return found
    }
}

/// The sanitizers keep freed memory and copies of what is on the stack, so that there is nothing to learn.
private let memoryIsPlain =
    dlsym(dlopen(nil, RTLD_NOW), "__asan_init") == nil && dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") == nil

@Suite("Wiping", .serialized, .enabled(if: memoryIsPlain))
struct WipingTests {
    /// Reads a text that holds the secret; `meanwhile` runs while the document lives. Whether the secret was read.
    private func readAndRelease(_ secret: Secret, cut: Int = 0, meanwhile: () throws -> Void) rethrows -> Bool {
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 16)
        defer {
            text.initializeMemory(as: UInt8.self, repeating: 0)
            text.deallocate()
        }
        var count = 0
        for part in [
            UnsafeRawBufferPointer(start: opening.utf8Start, count: opening.utf8CodeUnitCount), secret.value,
            UnsafeRawBufferPointer(start: closing.utf8Start, count: closing.utf8CodeUnitCount),
        ] {
            UnsafeMutableRawBufferPointer(rebasing: text[count...]).copyMemory(from: part)
            count += part.count
        }
        let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<(count - cut)])
        guard let document = try? JSONDocument(parsing: bytes, sensitive: true) else { return false }
        text.initializeMemory(as: UInt8.self, repeating: 0)
        try meanwhile()
        return document.root["list"]?[1]?["secret"]?.text?.count == 64
    }

    private let opening: StaticString = #"{"public":"x","list":["y",{"secret":""#
    private let closing: StaticString = #"","number":12345678901234567890}]}"#

    @Test("a sensitive document leaves none of its strings in memory, whether it was read or refused")
    func document() throws {
        let secret = Secret()
        // The text and the decoded string: the test can see what it looks for.
        var alive = 0
        let wasRead = try readAndRelease(secret) { alive = try secret.occurrences() }
        #expect(wasRead && alive == 2)
        #expect(try secret.occurrences() == 0)
        let wasReadBroken = readAndRelease(secret, cut: 1) {}
        #expect(!wasReadBroken)
        #expect(try secret.occurrences() == 0)
    }

    @Test("a sensitive writer leaves nothing behind while it grows and when it is wiped")
    func writer() throws {
        let secret = Secret()
        var writer = JSONWriter(capacity: 0, sensitive: true)
        writer.beginArray()
        try writer.value(utf8: secret.value)
        for _ in 0..<2000 { writer.value("padding that makes the buffer move") }
        writer.endArray()
        #expect(try secret.occurrences() == 1)
        writer.wipe()
        #expect(try secret.occurrences() == 0)
    }
}
