import MobileTokenJSON
import MobileTokenModel
import Testing

/// A list that came again is taken as the one before only if reading it would give the same.
struct RepeatedListTests {
    private static func body(time: String) -> [UInt8] {
        let operation = { (id: String) in
            #"{"id":"\#(id)","name":"login","data":"A2","status":"PENDING","operationCreated":"2026-11-21T23:00:00+0000","#
                + #""operationExpires":"2026-11-21T23:05:00+0000","allowedSignatureType":{"type":"1FA"},"#
                + #""formData":{"title":"Login","message":"Log in \u0041","attributes":[]}}"#
        }
        return [UInt8](
            (#"{"status":"OK","currentTimestamp":"# + time + #","responseObject":["# + operation("a") + ","
                + operation("b") + "]}").utf8)
    }

    private static func read(_ body: [UInt8]) -> (list: OperationList, envelope: ReplyEnvelope)? {
        body.withUnsafeBytes { bytes in
            guard let envelope = try? ReplyEnvelope(parsing: bytes), let list = try? OperationList.decode(envelope)
            else {
                return nil
            }
            return (list, envelope)
        }
    }

    private static func again(_ known: [UInt8], _ body: [UInt8]) throws -> OperationList? {
        let (list, envelope) = try #require(read(known))
        let repeated = RepeatedList(list, of: envelope)
        let found = body.withUnsafeBytes { repeated.list(repeatedBy: $0) }
        // What is taken over is the same, and made once for a list.
        if let found {
            #expect(found.operations.map { [UInt8]($0.json.raw) } == list.operations.map { [UInt8]($0.json.raw) })
            #expect(zip(found.operations, found.operations).allSatisfy { $0 === $1 })
        }
        return found
    }

    @Test(
        "the same operations at another time are not read again",
        arguments: [
            ("1764000000000", "1764000000000", 1_764_000_000_000),
            ("1764000000000", "1764000009999", 1_764_000_009_999),
            (#""2026-11-22T10:00:00+0000""#, #""2026-11-22T10:00:01+0000""#, 1_795_341_601_000),
        ])
    func sameList(_ before: String, _ after: String, _ time: Int64) throws {
        let list = try #require(try Self.again(Self.body(time: before), Self.body(time: after)))
        #expect(list.currentTimestamp == time && list.operations.count == 2)
    }

    @Test(
        "another form of the time is read as any reply",
        arguments: [
            "176400000000", "0764000000000", "176400000000x", "1764000000.00", "-764000000000", #""764000000000""#,
        ])
    func otherTime(_ after: String) throws {
        #expect(try Self.again(Self.body(time: "1764000000000"), Self.body(time: after)) == nil)
    }

    @Test("a reply without a time has to be the same to the last byte")
    func noTime() throws {
        let body = [UInt8](#"{"status":"OK","responseObject":[]}"#.utf8)
        #expect(try Self.again(body, body) != nil)
        for index in body.indices {
            var other = body
            other[index] ^= 1
            #expect(try Self.again(body, other) == nil)
        }
    }

    @Test("whatever byte differs, the list is the one that a reader gets")
    func everyByte() throws {
        for time in ["1764000000000", #""2026-11-22T10:00:00+0000""#] {
            let known = Self.body(time: time)
            var taken = 0
            for index in known.indices {
                for byte in ["0", "9", "1", "\"", "\\", " ", "Z", "}", "\u{7f}"].compactMap(\.utf8.first) + [0, 0xC3] {
                    var other = known
                    other[index] = byte
                    guard let found = try Self.again(known, other) else { continue }
                    taken += 1
                    let read = try #require(Self.read(other)).list
                    #expect(read.currentTimestamp == found.currentTimestamp)
                    #expect(
                        read.operations.map { [UInt8]($0.json.raw) } == found.operations.map { [UInt8]($0.json.raw) })
                }
            }
            #expect(taken > 150)  // where the byte was the same, and within the time
        }
    }

    @Test("what decides on an approval is known for the operation's own text only")
    func approvables() throws {
        let (list, envelope) = try #require(Self.read(Self.body(time: "1764000000000")))
        let repeated = RepeatedList(list, of: envelope)
        let approvable = { (id: String, json: [UInt8]) in json.withUnsafeBytes { repeated.approvable(id: id, json: $0) }
        }
        let json = [UInt8](list.operations[1].json.raw)
        let known = try #require(approvable("b", json))
        #expect(known.id == "b" && known.data == "A2" && known.signature == .oneFactor && known.hasKnownStatus)
        #expect(known.contradictions == list.operations[1].contradictions)
        #expect(repeated.operations.map(\.contradictions) == list.operations.map(\.contradictions))
        #expect(
            approvable("a", json) == nil && approvable("b", [UInt8](json.dropLast())) == nil
                && approvable("b", []) == nil)
        for index in json.indices {
            var other = json
            other[index] ^= 1
            #expect(approvable("b", other) == nil)
        }
        #expect(repeated.approvable(id: "a", json: nil)?.id == "a" && repeated.approvable(id: "c", json: nil) == nil)
    }
}
