import MobileTokenCrypto
import Testing

@Suite struct SecureBytesTests {
    @Test func making() throws {
        #expect(SecureBytes(count: 5).array == [0, 0, 0, 0, 0])
        #expect(SecureBytes(count: 0).count == 0)
        #expect(SecureBytes(count: -1).count == 0)
        #expect(SecureBytes(count: Int.min).array == [])
        #expect(SecureBytes(copying: "abc").array == [97, 98, 99])
        #expect(SecureBytes(copying: "žluť").array == Array("žluť".utf8))
        #expect(SecureBytes(copying: []).count == 0)
        #expect(SecureBytes(copying: UnsafeRawBufferPointer(start: nil, count: 0)).array == [])
        let filled = SecureBytes(count: 4) { buffer in
            for index in buffer.indices { buffer[index] = UInt8(index + 1) }
        }
        #expect(filled.array == [1, 2, 3, 4])
        let big = pattern(1 << 20)
        #expect(SecureBytes(copying: big).array == big)
    }

    @Test func aFailureWhileFillingIsPassedOn() {
        struct Refused: Error {}
        do throws(Refused) {
            _ = try SecureBytes(count: 4) { (_) throws(Refused) -> Void in throw Refused() }
            Issue.record("must throw")
        } catch {}
    }

    @Test func copiesAreIndependent() {
        let original = SecureBytes(copying: [1, 2, 3])
        let copy = SecureBytes(copying: original)
        original.withMutableBytes { $0[0] = 9 }
        #expect(original.array == [9, 2, 3])
        #expect(copy.array == [1, 2, 3])
    }

    @Test func slices() {
        let bytes = SecureBytes(copying: pattern(10))
        #expect(bytes.slice(0..<10)?.array == pattern(10))
        #expect(bytes.slice(2..<5)?.array == [2, 3, 4])
        #expect(bytes.slice(10..<10)?.array == [])
        #expect(bytes.slice(0..<0)?.array == [])
        #expect(bytes.slice(0..<11) == nil)
        #expect(bytes.slice(-1..<3) == nil)
        #expect(bytes.slice(11..<12) == nil)
        #expect(bytes.slice(Int.min..<Int.max) == nil)
        #expect(SecureBytes(count: 0).slice(0..<0)?.count == 0)
    }

    @Test func equality() {
        let bytes = SecureBytes(copying: pattern(32))
        #expect(bytes.isEqual(to: pattern(32)))
        #expect(bytes.isEqual(to: bytes))
        for index in 0..<32 {
            var other = pattern(32)
            other[index] ^= 0x01
            #expect(!bytes.isEqual(to: other))
            #expect(!constantTimeEqual(other, bytes))
        }
        #expect(!bytes.isEqual(to: pattern(31)))
        #expect(!bytes.isEqual(to: pattern(33)))
        #expect(!bytes.isEqual(to: []))
        #expect(SecureBytes(count: 0).isEqual(to: []))
        #expect(constantTimeEqual("abc", [97, 98, 99] as [UInt8]))
        #expect(constantTimeEqual(UnsafeRawBufferPointer(start: nil, count: 0), ""))
    }

    @Test func allZero() {
        #expect(SecureBytes(count: 0).isAllZero)
        #expect(SecureBytes(count: 100).isAllZero)
        for index in 0..<20 {
            let bytes = SecureBytes(count: 20)
            bytes.withMutableBytes { $0[index] = 0x80 }
            #expect(!bytes.isAllZero)
        }
    }

    @Test func noTextFormShowsTheContent() {
        let bytes = SecureBytes(copying: "geheim")
        #expect(bytes.description == "SecureBytes(6)")
        #expect("\(bytes)" == "SecureBytes(6)")
        #expect(String(reflecting: bytes) == "SecureBytes(6)")
        #expect(Mirror(reflecting: bytes).children.isEmpty)
        var dumped = ""
        dump(bytes, to: &dumped)
        #expect(!dumped.contains("0x"))
    }

    @Test func wiping() {
        var bytes = pattern(100)
        wipe(&bytes)
        #expect(bytes == [UInt8](repeating: 0, count: 100))
        var empty: [UInt8] = []
        wipe(&empty)
        #expect(empty == [])
    }
}
