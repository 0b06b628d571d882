import Foundation
import MobileTokenCrypto
import MobileTokenHTTP
import TestSupport
import Testing

@testable import MobileToken
@testable import PowerAuth
@testable import PowerAuthDoubles

/// Stores, and the protection of what they hold.
struct StoreTests {
    /// A directory of its own, removed at the end.
    final class Folder {
        let path: String
        init() throws {
            path = NSTemporaryDirectory() + "mtoken-test-" + UUID().uuidString
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func mode(_ name: String) -> Int? {
            (try? FileManager.default.attributesOfItem(atPath: name.isEmpty ? path : path + "/" + name))?[
                .posixPermissions]
                as? Int
        }
    }

    private func save(_ text: String, as item: String, in store: Store) throws {
        try [UInt8](text.utf8).withUnsafeBytes { try store.save(item, $0) }
    }

    private func text(_ item: String, in store: Store) throws -> String? {
        try store.load(item).map { $0.withBytes { String(decoding: $0, as: UTF8.self) } }
    }

    private func reason(_ work: () throws -> Void) -> StoreError.Reason? {
        do {
            try work()
            return nil
        } catch {
            return (error as? StoreError)?.reason
        }
    }

    @Test func aDirectoryKeepsItemsForTheOwnerOnly() throws {
        let folder = try Folder()
        let store = try DirectoryStore(path: folder.path)
        #expect(folder.mode("") == 0o700)
        #expect(try text("a.state", in: store) == nil)
        try save("one", as: "a.state", in: store)
        try save("two", as: "a.state", in: store)
        #expect(try text("a.state", in: store) == "two")
        #expect(folder.mode("a.state") == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.state"])
        try store.remove("a.state")
        try store.remove("a.state")
        #expect(try text("a.state", in: store) == nil)
    }

    @Test func aDirectoryOpenToOthersIsRefused() throws {
        let folder = try Folder()
        _ = try DirectoryStore(path: folder.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        #expect(throws: Failure.self) { try DirectoryStore(path: folder.path) }
    }

    @Test func aFileOpenToOthersIsRefused() throws {
        let folder = try Folder()
        let store = try DirectoryStore(path: folder.path)
        try save("one", as: "a.state", in: store)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path + "/a.state")
        #expect(reason { _ = try store.load("a.state") } == .insecure)
    }

    @Test func whatIsNoPlainFileIsRefused() throws {
        let folder = try Folder()
        let store = try DirectoryStore(path: folder.path)
        try FileManager.default.createDirectory(atPath: folder.path + "/a.state", withIntermediateDirectories: false)
        #expect(reason { _ = try store.load("a.state") } == .failed)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/b.state", withDestinationPath: "/etc/hostname")
        #expect(reason { _ = try store.load("b.state") } == .failed)
    }

    @Test func aMissingParentOrAFileInPlaceOfTheDirectoryIsAnError() throws {
        #expect(throws: Failure.self) { try DirectoryStore(path: "/nonexistent/parent/store") }
        #expect(throws: Failure.self) { try DirectoryStore(path: "/etc/hostname") }
        #expect(throws: Failure.self) { try DirectoryStore(path: "") }
    }

    @Test func aNameIsTakenOnce() throws {
        let folder = try Folder()
        let store = try DirectoryStore(path: folder.path)
        let other = try DirectoryStore(path: folder.path)
        try store.acquire("alice")
        #expect(reason { try store.acquire("alice") } == .busy)
        #expect(reason { try other.acquire("alice") } == .busy)
        try other.acquire("bob")
        store.release("alice")
        try other.acquire("alice")
        #expect(reason { try store.acquire("alice") } == .busy)
    }

    /// What the lock files say of those who are gone does not count, and does not stay for ever.
    @Test func whatTheLockFilesSayEndsWithItsOwner() throws {
        let folder = try Folder()
        let names = (0..<1_000).map { "client-\($0)" }
        let lasting = try DirectoryStore(path: folder.path)
        for name in names.prefix(10) { try lasting.acquire(name) }
        func size() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".lock-") }
                .map { try FileManager.default.attributesOfItem(atPath: folder.path + "/" + $0)[.size] as? Int ?? 0 }
                .reduce(0, +)
        }
        for _ in 0..<3 {
            // Not given back: the store is just gone, like that of a process that was killed.
            let store = try DirectoryStore(path: folder.path)
            for name in names.dropFirst(10) { try store.acquire(name) }
            for name in names.prefix(10) { #expect(reason { try store.acquire(name) } == .busy) }
            #expect(try size() == 16 * names.count)
        }
        for name in names.prefix(10) { lasting.release(name) }
        try lasting.acquire("alone")
        #expect(try size() < 16 * names.count)
    }

    /// An entry that somebody else's took the place of keeps nobody out.
    @Test func anOverwrittenLockIsNoticed() throws {
        let folder = try Folder()
        let store = try DirectoryStore(path: folder.path)
        try store.acquire("alice")
        try save("a", as: "alice.state", in: store)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".lock-") }
        let path = folder.path + "/" + (try #require(files.first))
        let table = try #require(FileManager.default.contents(atPath: path))
        #expect(table.count == 16)
        for place in table.indices {
            var changed = table
            changed[place] ^= 1
            try changed.write(to: URL(fileURLWithPath: path), options: [])
            #expect(reason { try save("b", as: "alice.state", in: store) } == .lockLost)
        }
        try table.write(to: URL(fileURLWithPath: path), options: [])
        try save("c", as: "alice.state", in: store)
    }

    @Test func tenThousandNamesNeedNoMoreDescriptors() throws {
        let folder = try Folder()
        let store = try DirectoryStore(path: folder.path)
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for number in 0..<10_000 { try store.acquire("client-\(number)") }
        // Other tests run at the same time and open a few.
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count < before + 500)
        for number in 0..<10_000 { store.release("client-\(number)") }
    }

    private static let key = try? SlotForm.Key(since: 8)

    /// A file of two slots, of which the second was saved last.
    private func slots(_ older: String, _ newer: String, size: Int = 4096) throws -> [UInt8] {
        let key = try #require(Self.key)
        var file = try [UInt8](older.utf8).withUnsafeBytes {
            try SlotForm.file($0, key: key, slotSize: size).withBytes { [UInt8]($0) }
        }
        file.replaceSubrange((4096 + size)..., with: try slot(newer, 9, key, size: size))
        return file
    }

    private func slot(_ text: String, _ number: UInt64, _ key: SlotForm.Key, size: Int = 4096) throws -> [UInt8] {
        try [UInt8](text.utf8).withUnsafeBytes { try SlotForm.slot($0, sequence: number, key: key, size: size) }
    }

    private func content(_ file: [UInt8]) -> String? {
        file.withUnsafeBytes { SlotForm.content(of: $0) }?.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test func aChangedBitNeverBringsTheOlderStateBack() throws {
        let file = try slots("older", String(repeating: "newer", count: 200))
        let newest = try #require(content(file))
        var refused = 0
        for offset in file.indices {
            var changed = file
            changed[offset] ^= 1 << (offset % 8)
            let found = content(changed)
            #expect(found == nil || found == newest, "byte \(offset)")
            refused += found == nil ? 1 : 0
        }
        #expect(refused == 64 + 48 + 1008)  // the key, and the slot that was saved last: 63 blocks
        for range in [4096..<8192, 8192..<12288, 8192..<8704] {
            var cleared = file
            cleared.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
            #expect(content(cleared) == nil, "\(range)")
        }
        #expect(content([UInt8](file[..<8192]) + [UInt8](repeating: 0, count: 4096)) == nil)
    }

    @Test func aSealedStateWithoutSlotsIsRefused() throws {
        let folder = try Folder()
        let store = try DirectoryStore(path: folder.path)
        for content in ["MTKS\u{1} and all that follows", "broken"] {
            let path = folder.path + "/a.state"
            #expect(FileManager.default.createFile(atPath: path, contents: Data(content.utf8)))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            // What is not ours in any way is handed on, so that a copy has all of it.
            #expect(try text("a.state", in: store) == (content == "broken" ? content : ""))
        }
    }

    @Test func anotherKeyEndsWhatWasSavedBefore() throws {
        let key = try #require(Self.key)
        let new = try SlotForm.Key(since: 10)
        var file = try slots("two", "one")  // 9: "one"
        file.replaceSubrange(4096..<8192, with: try slot("renewed", 10, new))
        #expect(content(file) == "one")  // its key is not there yet
        file.replaceSubrange(0..<512, with: try new.sector().withBytes { [UInt8]($0) })
        #expect(content(file) == "renewed")
        // What was there does not come back with what it was encrypted with gone.
        file.replaceSubrange(4096..<8192, with: [UInt8](repeating: 0, count: 4096))
        #expect(content(file) == nil)
        file.replaceSubrange(4096..<8192, with: try slot("renewed", 10, key))
        #expect(content(file) == nil)
    }

    @Test func aTornSlotLeavesTheOther() throws {
        let before = try slots("two", "one")  // 8: "one"
        let new = try slot("three", 10, try #require(Self.key))
        for choice in 0..<256 {
            var file = before
            for sector in 0..<8 where choice >> sector & 1 == 1 {
                let range = sector * 512..<(sector + 1) * 512
                file.replaceSubrange((4096 + range.lowerBound)..<(4096 + range.upperBound), with: new[range])
            }
            let expected = choice == 255 ? ["three"] : choice & 1 == 1 ? ["one", "three"] : ["one"]
            #expect(expected.contains(content(file) ?? ""), "sectors \(choice)")
        }
        // The disk may have lied about the save that was to be there: then the sectors are of the one before it.
        var lied = before
        let key = try #require(Self.key)
        lied.replaceSubrange(4096..<8192, with: try slot(String(repeating: "old", count: 400), 6, key))
        lied.replaceSubrange(4096..<4608, with: try slot(String(repeating: "new", count: 400), 10, key)[..<512])
        #expect(content(lied) == "one")
        // Of both nothing is left: that is no state, and not no file.
        var nothing = before
        for offset in [4096, 8192] { nothing[offset + 511] ^= 1 }
        for offset in [4106, 8202] { nothing[offset] ^= 1 }
        #expect(content(nothing) == nil)
    }

    @Test func aSlotHasRoomForWhatItSays() throws {
        #expect(SlotForm.slotSize(for: 0) == 4096)
        for pages in [1, 3, 9, 27, 81, 243] {
            let capacity = SlotForm.capacity(ofSlot: pages * 4096)
            #expect(SlotForm.slotSize(for: capacity) == pages * 4096)
            if pages < 243 { #expect(SlotForm.slotSize(for: capacity + 1) == pages * 3 * 4096) }
            let text = String(repeating: "x", count: capacity)
            #expect(content(try slots("", text, size: pages * 4096)) == text)
            #expect(content(try slots(text, "", size: pages * 4096)) == "")
        }
        // Two slots of a size that none has.
        #expect(content(try slots("one", "two", size: 8192)) == nil)
    }

    /// A store in which so many clients are held; the first 64 keep the file of their state open.
    private func store(_ folder: Folder, holding others: Int) throws -> DirectoryStore {
        let store = try DirectoryStore(path: folder.path)
        for number in 0..<others { try store.acquire("other-\(number)") }
        return store
    }

    @Test func sixtyFourStatesStayOpen() throws {
        let folder = try Folder()
        let store = try store(folder, holding: 70)
        let names = (0..<70).map { "other-\($0)" }
        for text in ["one", "two", "three"] {
            for name in names { try save(text, as: name + ".state", in: store) }
        }
        let place = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
        func open() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0) }
                .count { $0.hasPrefix(place) && $0.hasSuffix(".state") }
        }
        #expect(try open() == 64)
        for name in names { #expect(try text(name + ".state", in: store) == "three") }
        try store.remove("other-0.state")
        for name in names { store.release(name) }
        #expect(try open() == 0)
    }

    @Test(arguments: [0, 64]) func aStateGrowsAndShrinks(others: Int) throws {
        let folder = try Folder()
        let store = try store(folder, holding: others)
        try store.acquire("a")
        for size in [1, 3984, 3985, 12048, 12049, 100, 900_000, 0, 5000] {
            let text = String(repeating: "x", count: size)
            try save(text, as: "a.state", in: store)
            #expect(try self.text("a.state", in: store) == text)
            #expect(try self.text("a.state", in: try DirectoryStore(path: folder.path)) == text)
        }
        let tooLarge = String(repeating: "x", count: SlotForm.maximumContent + 1)
        #expect(reason { try save(tooLarge, as: "a.state", in: store) } == .failed)
        #expect(try text("a.state", in: store)?.count == 5000)
        try save("again", as: "a.state", in: store)
        #expect(try text("a.state", in: store) == "again")
    }

    @Test(arguments: [0, 64]) func aFileThatWasReplacedIsLeftAlone(others: Int) throws {
        let folder = try Folder()
        let store = try store(folder, holding: others)
        try store.acquire("a")
        let path = folder.path + "/a.state"
        for how in 0..<4 {
            try save("one", as: "a.state", in: store)
            try save("two", as: "a.state", in: store)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            if how == 0 {  // a backup that shares its blocks
                try FileManager.default.linkItem(atPath: path, toPath: folder.path + "/backup")
            } else if how == 1 {  // it was put back
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.copyItem(atPath: folder.path + "/backup", toPath: path)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            } else if how == 2 {
                try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
            try save("three", as: "a.state", in: store)
            #expect(try text("a.state", in: store) == "three")
            #expect(folder.mode("a.state") == 0o600)
            if how == 0 { #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/backup")) == before) }
        }
    }

    @Test func everyChangedByteOfTheStateIsNoticed() throws {
        let world = try EngineTests.World()
        let stored = try #require(try world.bench.store.load("alice.state"))
        let key = try #require(try world.bench.store.load("alice.key"))
        let bytes = stored.withBytes { [UInt8]($0) }
        func open(_ state: [UInt8], _ secret: SecureBytes?, id: String = "alice") throws -> Client {
            let store = MemoryStore()
            try state.withUnsafeBytes { try store.save(id + ".state", $0) }
            try secret?.withBytes { try store.save(id + ".key", $0) }
            defer { #expect((try? store.load(id + ".state"))??.withBytes { [UInt8]($0) } == state) }
            return try Client(
                runtime: world.bench.runtime,
                options: try ClientOptions(
                    id: id, configuration: world.server.double.configuration, baseURL: "https://example.com",
                    operationsURL: nil, store: store))
        }
        func code(_ work: () throws -> Client) -> Failure.Code? {
            do {
                _ = try work()
                return nil
            } catch {
                return (error as? Failure)?.code
            }
        }
        #expect(code { try open(bytes, key) } == nil)
        for offset in bytes.indices {
            var changed = bytes
            changed[offset] ^= 1
            let expected: Failure.Code = offset == 4 ? .unsupported : .tampered  // byte 4 is the version
            #expect(code { try open(changed, key) } == expected, "byte \(offset)")
        }
        for count in 0..<bytes.count {
            #expect(code { try open(Array(bytes[..<count]), key) } == .tampered, "\(count) bytes")
        }
        #expect(code { try open(bytes, SecureBytes(count: 32)) } == .tampered)
        #expect(code { try open(bytes, nil) } == .tampered)
        #expect(code { try open(bytes, key, id: "bob") } == .tampered)
    }

    @Test func theStateHoldsNoPlainKey() throws {
        let world = try EngineTests.World()
        let keys = try world.server.double.keys()
        let stored = try #require(try world.bench.store.load("alice.state")).withBytes { Data($0) }
        for key in [keys.possession, keys.knowledge, keys.transport, keys.vault] {
            #expect(stored.range(of: key.withBytes { Data($0) }) == nil)
        }
        #expect(stored.range(of: Data(world.server.double.activationId.utf8)) == nil)
    }
}
