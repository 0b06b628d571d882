import MobileToken
import MobileTokenHTTP
import Testing

@testable import MobileTokenC

/// Handles: their values, and what becomes of slots.
struct HandleTableTests {
    final class Thing {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private func value(_ handle: OpaquePointer?) -> UInt { UInt(bitPattern: handle) }
    private func slot(_ handle: OpaquePointer?) -> Int { HandleValue.slot(value(handle)) }

    @Test("Every kind, slot and generation gives a whole number that a double holds, and no two the same")
    func values() {
        let ends: [UInt] = [0, 1, 1 << 21, 1 << 22 - 1]
        var seen: Set<UInt> = []
        for kind in 0..<UInt(16) {
            for generation in ends {
                for slot in ends {
                    let handle = HandleValue.make(kind: kind, generation: UInt32(generation), slot: slot)
                    #expect(handle > 1 << 48 && handle < 1 << 53)
                    #expect(UInt(Double(handle)) == handle)
                    #expect(HandleValue.slot(handle) == Int(slot))
                    #expect(!HandleValue.isForked(handle))
                    #expect(seen.insert(handle).inserted)
                }
            }
        }
    }

    @Test("The slot that has been free the longest is taken first")
    func firstInFirstOut() throws {
        let table = HandleTable<Thing>(kind: 3)
        let handles = try (0..<8).map { number in try table.hold { _ in Thing(number) } }
        #expect(handles.map(slot) == Array(0..<8))
        let freed = [5, 0, 7, 2]
        for index in freed { #expect(table.remove(handles[index])?.number == index) }
        let again = try freed.map { number in try table.hold { _ in Thing(number) } }
        #expect(again.map(slot) == freed)
        #expect(try slot(table.hold { _ in Thing(8) }) == 8)
        for index in freed { #expect(table[handles[index]] == nil && table.remove(handles[index]) == nil) }
        for (index, handle) in zip(freed, again) { #expect(table[handle]?.number == index) }
        #expect(table.count == 9)
    }

    @Test(
        "A slot is retired when its generations are used up, and no handle is ever given out twice",
        arguments: [1, 2, 7])
    func retirement(generations: UInt32) throws {
        let table = HandleTable<Thing>(kind: 3, generations: generations, capacity: 5)
        var seen: [OpaquePointer?] = []
        var number = 0
        while let handle = try? table.hold({ _ in Thing(number) }) {
            #expect(!seen.contains(handle))
            for old in seen { #expect(table[old] == nil && table.remove(old) == nil) }
            #expect(table[handle]?.number == number)
            #expect(slot(handle) == number / Int(generations))  // one slot after the other
            table.remove(handle)
            seen.append(handle)
            number += 1
        }
        #expect(number == 5 * Int(generations))
        #expect(table.count == 0)
        do throws(Failure) {
            _ = try table.reserve()
            Issue.record("There was a handle left.")
        } catch {
            #expect(error.code == .internal)
        }
    }

    @Test("All slots at once: the last one is refused, and one that is free again serves")
    func capacity() throws {
        let table = HandleTable<Thing>(kind: 3, generations: 3, capacity: 4)
        var handles = try (0..<4).map { number in try table.hold { _ in Thing(number) } }
        #expect((try? table.reserve()) == nil)
        table.remove(handles[2])
        handles[2] = try table.hold { _ in Thing(9) }
        #expect(slot(handles[2]) == 2 && table[handles[2]]?.number == 9)
        #expect((try? table.reserve()) == nil)
    }

    @Test("A table knows no handle of another kind, and none with a changed bit")
    func foreign() throws {
        let table = HandleTable<Thing>(kind: 3)
        let other = HandleTable<Thing>(kind: 4)
        let handle = try table.hold { _ in Thing(1) }
        _ = try other.hold { _ in Thing(2) }
        #expect(other[handle] == nil && other.remove(handle) == nil)
        for bit in 0..<64 {
            let changed = OpaquePointer(bitPattern: value(handle) ^ 1 << bit)
            #expect(table[changed] == nil && table.remove(changed) == nil)
        }
        #expect(table[nil] == nil)
        #expect(table[handle]?.number == 1)
    }

    @Test("An object lives as long as its handle, and a reserved handle has none")
    func lifetime() throws {
        final class Counted {
            let ended: () -> Void
            init(_ ended: @escaping () -> Void) { self.ended = ended }
            deinit { ended() }
        }
        var ended = 0
        let table = HandleTable<Counted>(kind: 3)
        let handle = try table.hold { _ in Counted { ended += 1 } }
        #expect(table[handle] != nil && ended == 0)
        table.remove(handle)
        #expect(ended == 1)
        let reserved = try table.reserve()
        #expect(table[OpaquePointer(bitPattern: reserved)] == nil)
        table.fill(reserved, Counted { ended += 1 })
        table.fill(reserved, Counted { ended += 1 })  // refused: it has one
        #expect(ended == 2)
        table.remove(reserved)
        table.fill(reserved, Counted { ended += 1 })  // too late
        #expect(ended == 4)
        #expect(throws: Failure.self) {
            _ = try table.hold { (_) throws(Failure) in throw Failure(.state, "x", "x") }
        }
        #expect(table.count == 0)
    }
}
