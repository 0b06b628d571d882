import Foundation
import TestSupport
import Testing

/// No data file lies about that no test reads.
struct VectorFileTests {
    /// The sources of all tests in Swift, but for this one.
    private func sources() throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        var text = ""
        for folder in try FileManager.default.contentsOfDirectory(atPath: tests.path) where folder.hasSuffix("Tests") {
            let target = tests.appendingPathComponent(folder)
            for file in try FileManager.default.contentsOfDirectory(atPath: target.path)
            where file.hasSuffix("Tests.swift") && file != "VectorFileTests.swift" {
                text += try String(contentsOf: target.appendingPathComponent(file), encoding: .utf8)
            }
        }
        return text
    }

    @Test func everyVectorIsRead() throws {
        let sources = try sources()
        let names = try FileManager.default.contentsOfDirectory(atPath: Vectors.directory.path)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }
        #expect(!names.isEmpty)
        let unread = names.filter { name in
            // Some names are put together: "name-" + minor.
            let stem = name.lastIndex(of: "-").map { name[...$0] } ?? ""
            return !sources.contains("\"\(name)\"") && !sources.contains("(\"\(stem)\" + ")
        }
        #expect(unread.isEmpty, "no test reads these")
    }

    @Test func everyRecordingIsRead() throws {
        let sources = try sources()
        let names = try Recordings.names()
        for name in names {
            let families = Recordings.Family.all.filter { name.hasPrefix($0.prefix) }
            #expect(families.count == 1, "no family, or several, for \(name).json")
        }
        for family in Recordings.Family.all {
            #expect(try Recordings.names(of: family).count == family.count)
            let isReplayed =
                sources.contains("Recordings.each(.\(family.name),")
                || sources.contains("@Test(arguments: try Recordings.names(of: .\(family.name)))")
            #expect(isReplayed, "no test replays \(family.prefix)*")
        }
        #expect(Recordings.Family.all.reduce(0) { $0 + $1.count } == names.count)
    }

    /// The index tells how many there are, and names each.
    @Test func theIndexOfRecordings() throws {
        let index = try String(contentsOf: Recordings.directory.appendingPathComponent("INDEX.md"), encoding: .utf8)
        let counts = try #require(index.firstMatch(of: /(\d+) files \((\d+) exchanges, (\d+) tables\)/))
        let tables = Recordings.Family.facts.count
        let names = try Recordings.names()
        #expect(Int(counts.1) == names.count && Int(counts.3) == tables && Int(counts.2) == names.count - tables)
        let listed = index.matches(of: /(?m)^- ([a-z0-9-]+)\.json:/).map { String($0.1) }
        #expect(Set(listed) == Set(names) && listed.count == names.count)
    }
}
