// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// A list as it came, which takes no more memory than its text: polling mostly returns the same list, which is read
/// again only when its operations are needed.
package final class RepeatedList: Sendable {
    private let body: [UInt8]
    /// The range of `currentTimestamp`; empty, at the start, if there is none.
    private let time: Range<Int>
    private let moment: Int64?
    private let skippedCount: Int
    private let mayBeCut: Bool
    private let issues: [DecodingIssue]
    private let furtherIssues: Int
    /// Each operation as an approval needs it, and the range of its JSON.
    private let approvables: [(json: Range<Int>, approvable: Approvable)]

    /// - Parameter list: what `envelope` holds.
    package init(_ list: OperationList, of envelope: ReplyEnvelope) {
        body = [UInt8](envelope.document.text)
        time = envelope.document.place(of: "currentTimestamp")
        moment = list.currentTimestamp
        (skippedCount, mayBeCut) = (list.skippedCount, list.mayBeCut)
        (issues, furtherIssues) = (list.issues, list.furtherIssues)
        approvables = list.operations.map { (envelope.document.place(of: $0.json.raw), Approvable($0)) }
    }

    /// Returns the operation with this id for an approval.
    ///
    /// - Parameter json: the operation's text; nil: any
    package func approvable(id: String, json: UnsafeRawBufferPointer?) -> Approvable? {
        approvables.first { known in
            sameBytes(known.approvable.id, id) && (json.map { sameBytes(body[known.json], $0) } ?? true)
        }?.approvable
    }

    /// The operations, made anew but for what they were compared with.
    package var operations: [UserOperation] {
        body.withUnsafeBytes { bytes in
            guard let envelope = try? ReplyEnvelope(parsing: bytes), let list = try? OperationList.decode(envelope)
            else { return [] }
            let operations = list.operations
            for (operation, known) in zip(operations, approvables) {
                _ = operation.comparison.value { known.approvable.contradictions.rawValue }
            }
            return operations
        }
    }

    /// The list of a body that is the same but for its `currentTimestamp`; `nil` if it is not.
    package func list(repeatedBy body: UnsafeRawBufferPointer) -> OperationList? {
        guard body.count == self.body.count, isSame(body, in: 0..<time.lowerBound),
            isSame(body, in: time.upperBound..<body.count)
        else { return nil }
        if isSame(body, in: time) { return list(at: moment) }
        return Self.moment(UnsafeRawBufferPointer(rebasing: body[time])).map { list(at: $0) }
    }

    private func isSame(_ other: UnsafeRawBufferPointer, in range: Range<Int>) -> Bool {
        sameBytes(body[range], UnsafeRawBufferPointer(rebasing: other[range]))
    }

    private func list(at time: Int64?) -> OperationList {
        OperationList(
            listed: ListedOperations(of: self), skippedCount: skippedCount, mayBeCut: mayBeCut, issues: issues,
            furtherIssues: furtherIssues, currentTimestamp: time)
    }

    /// The instant of a value that is surely one: a text without escapes, or a whole number.
    private static func moment(_ raw: UnsafeRawBufferPointer) -> Int64? {
        guard raw.count >= 2, let first = raw.first else { return nil }
        if first == UInt8(ascii: "\"") {
            let text = UnsafeRawBufferPointer(rebasing: raw[1..<(raw.count &- 1)])
            return raw.last == first ? Instant.milliseconds(text) : nil
        }
        guard raw.count <= 14, first != UInt8(ascii: "0") else { return nil }
        var number: Int64 = 0
        for byte in raw {
            guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
            number = number &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
        }
        return number
    }
}
