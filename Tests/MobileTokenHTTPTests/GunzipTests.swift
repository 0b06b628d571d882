import Foundation
import Testing

@testable import MobileTokenHTTP

@Suite struct GunzipTests {
    /// What gzip(1) makes of it.
    private func packed(_ content: [UInt8], _ level: Int) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/gzip")
        process.arguments = ["-\(level)", "-c"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        DispatchQueue.global().async {
            input.fileHandleForWriting.write(Data(content))
            input.fileHandleForWriting.closeFile()
        }
        return [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    }

    @Test(arguments: [1, 6, 9]) func unpacksWhatGzipPacks(level: Int) throws {
        var random = SystemRandomNumberGenerator()
        let contents: [[UInt8]] = [
            [], [0], [UInt8](repeating: 7, count: 100_000),
            (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &random) },
            (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7 % 61) },
            (0..<50_000).flatMap { [UInt8]("{\"id\":\($0 % 997)}".utf8) },
        ]
        for content in contents {
            let packed = try packed(content, level)
            #expect(try Gunzip.unpack(packed, limit: content.count) == content)
            guard !content.isEmpty else { continue }
            #expect(throws: Gunzip.Fault.tooLarge) { try Gunzip.unpack(packed, limit: content.count - 1) }
        }
    }

    @Test func noDamageChangesTheContent() throws {
        let content = (0..<300).flatMap { [UInt8]("{\"id\":\($0 % 17)}".utf8) }
        let packed = try packed(content, 9)
        for end in packed.indices {
            let isRefused = (try? Gunzip.unpack([UInt8](packed[..<end]), limit: 1 << 16)) == nil
            #expect(isRefused, "\(end)")
        }
        for place in packed.indices {
            for bit in 0..<8 {
                var damaged = packed
                damaged[place] ^= 1 << UInt8(bit)
                // Some bits mean nothing: the time, and those that fill the last byte.
                let found = try? Gunzip.unpack(damaged, limit: 1 << 16)
                let isRight = found == nil || found == content
                #expect(isRight, "byte \(place), bit \(bit)")
            }
        }
    }
}
