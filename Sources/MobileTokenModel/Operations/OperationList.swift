// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// The operations of a reply to a list or history call.
public struct OperationList: Sendable {
    let listed: ListedOperations
    /// The usable operations, in the order of the server. The same `id` may occur more than once.
    public var operations: [UserOperation] { listed.operations }
    /// The number of operations left out because they are invalid; `issues` says which and why.
    public let skippedCount: Int
    /// Whether there may be more: servers send this many at most, and do not say that there are others.
    public let mayBeCut: Bool
    /// The parts left out: operations, attributes, screens, members; and the texts that the server did not complete.
    /// The first twenty of each operation, a hundred in all.
    public let issues: [DecodingIssue]
    /// The number of parts left out beyond those in `issues`.
    public let furtherIssues: Int
    /// `currentTimestamp`: the server's clock, milliseconds since the epoch; `nil` if missing or unreadable.
    public let currentTimestamp: Int64?

    /// The most operations that servers send (operations.md §2).
    private static var serverLimit: Int { 100 }

    /// Reads the operations of a reply.
    ///
    /// - Throws: `InvalidReply` if the reply reports success but its `responseObject` is not a list.
    ///   A reply that reports an error is the caller's: here it is a fault of `responseObject`.
    public static func decode(_ envelope: ReplyEnvelope) throws(InvalidReply) -> OperationList {
        guard case .success(let content) = envelope.outcome, let content else {
            throw .form(ModelFault("responseObject", .missing))
        }
        guard content.kind == .array else { throw .form(ModelFault("responseObject", .wrongType)) }
        var decoder = ModelDecoder(document: envelope.document)
        var operations: [UserOperation] = []
        operations.reserveCapacity(content.count)
        var skipped = 0
        var unreadable = envelope.document.unreadable.makeIterator()
        var nextUnreadable = unreadable.next()
        for (index, node) in content.node.elements.enumerated() {
            decoder.operation = index
            guard index != nextUnreadable else {
                nextUnreadable = unreadable.next()
                decoder.report(.operation, at: index, ModelFault("", .unreadable))
                skipped &+= 1
                continue
            }
            let (told, all) = (decoder.issues.count, decoder.issueCount)
            do throws(ModelFault) {
                operations.append(try UserOperation(node, &decoder))
            } catch {
                // Issues inside a dropped operation are of no use.
                decoder.forgetIssues(told: told, all: all)
                decoder.report(.operation, at: index, error)
                skipped &+= 1
            }
        }
        return OperationList(
            listed: ListedOperations(operations), skippedCount: skipped, mayBeCut: content.count == serverLimit,
            issues: decoder.issues,
            furtherIssues: decoder.issueCount &- decoder.issues.count, currentTimestamp: envelope.currentTimestamp)
    }
}
