import MobileTokenJSON
import TestSupport
import Testing

/// A secret, in the one place that is known to hold it.
private final class Secret {
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 64)

    init() {
        for index in bytes.indices { bytes[index] = UInt8.random(in: 0x61...0x7A) }
    }

    deinit { bytes.deallocate() }

    var value: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }

    /// How often the secret stands in memory, beside its own place.
    func occurrences() -> Int {
        MemorySearch.places(of: [MemorySearch.Secret("secret", value)], except: [value]).count
    }
}

@Suite("Wiping", .serialized, .enabled(if: MemorySearch.isPossible, MemorySearch.whyNot))
struct WipingTests {
    /// Reads a text that holds the secret; `meanwhile` runs while the document lives. Whether the secret was read.
    private func readAndRelease(_ secret: Secret, cut: Int = 0, meanwhile: () -> Void) -> Bool {
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
        meanwhile()
        return document.root["list"]?[1]?["secret"]?.text?.count == 64
    }

    private let opening: StaticString = #"{"public":"x","list":["y",{"secret":""#
    private let closing: StaticString = #"","number":12345678901234567890}]}"#

    @Test("a sensitive document leaves none of its strings in memory, whether it was read or refused")
    func document() { MemorySearch.alone(checkDocument) }

    private func checkDocument() {
        let secret = Secret()
        // The text and the decoded string: the test can see what it looks for.
        var alive = 0
        let wasRead = readAndRelease(secret) { alive = secret.occurrences() }
        #expect(wasRead && alive == 2)
        #expect(secret.occurrences() == 0)
        let wasReadBroken = readAndRelease(secret, cut: 1) {}
        #expect(!wasReadBroken)
        #expect(secret.occurrences() == 0)
    }

    @Test("a sensitive writer leaves nothing behind while it grows and when it is wiped")
    func writer() throws { try MemorySearch.alone(checkWriter) }

    private func checkWriter() throws {
        let secret = Secret()
        var writer = JSONWriter(capacity: 0, sensitive: true)
        writer.beginArray()
        try writer.value(utf8: secret.value)
        for _ in 0..<2000 { writer.value("padding that makes the buffer move") }
        writer.endArray()
        #expect(secret.occurrences() == 1)
        writer.wipe()
        #expect(secret.occurrences() == 0)
    }
}
