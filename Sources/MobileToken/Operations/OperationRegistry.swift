// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel

/// The pending operations that a client knows of (operations.md §9), in the server's order.
package struct OperationRegistry {
    private var content = Content.made([])
    /// How many approvals, rejections and claims have succeeded: a list that was asked for before one of them is stale.
    private(set) var mutations = 0
    /// The fetches of the list under way.
    var fetches: Int32 = 0
    /// The last fetch that was published.
    var lastFetch: Operations.LastFetch?
    /// Failed fetches since the last one that succeeded.
    var failures: Int32 = 0
    /// As they were read; or the reply that they are read from when they are wanted, for it is small.
    private enum Content {
        case made([UserOperation])
        case reply(RepeatedList)
    }

    private var attachments: [(id: [UInt8], attached: ApprovalExtras)] = []

    var operations: [UserOperation] {
        @inline(never) get {
            switch content {
            case .made(let operations): operations
            case .reply(let reply): reply.operations
            }
        }
    }

    /// Returns the known operation with this id for an approval.
    ///
    /// - Parameter json: the operation's text; nil: any
    func approvable(id: String, json: UnsafeRawBufferPointer? = nil) -> Approvable? {
        switch content {
        case .made(let operations):
            let id = [UInt8](id.utf8)
            return operations.first { operation in
                operation.id.equals(id) && (json.map { sameBytes(operation.json.raw, $0) } ?? true)
            }.map { Approvable($0) }
        case .reply(let reply): return reply.approvable(id: id, json: json)
        }
    }

    /// The host's attachments of an operation.
    func attached(to id: String) -> ApprovalExtras? { attachments.first { $0.id == [UInt8](id.utf8) }?.attached }

    /// Attaches to a known operation what comes with its approval and rejection; nil takes it back.
    ///
    /// - Returns: whether the operation is known
    mutating func attach(_ extras: ApprovalExtras?, to id: String) -> Bool {
        let id = [UInt8](id.utf8)
        guard operations.contains(where: { $0.id.equals(id) }) else { return false }
        attachments.removeAll { $0.id == id }
        if let extras { attachments.append((id, extras)) }
        return true
    }

    /// Takes a fresh list: the server's order and contents. Of duplicates the first counts.
    ///
    /// - Parameter reply: the reply that it was read from
    mutating func replace(with fresh: OperationList, of reply: RepeatedList?) -> OperationChange {
        if case .reply(let known) = content, known === reply { return OperationChange(unchanged: fresh) }
        let (known, list) = (operations, fresh.operations)
        let change = change(from: known, to: list)
        if let reply, change.operations.count == list.count {
            content = .reply(reply)
        } else {
            content = .made(change.operations)
        }
        return change
    }

    private mutating func change(from known: [UserOperation], to list: [UserOperation]) -> OperationChange {
        var added: [UserOperation] = []
        var updated: [UserOperation] = []
        var removed: [UserOperation] = []
        if list.count == known.count, zip(list, known).allSatisfy({ $0.id.equals($1.id) }) {
            // The common case of polling, without an index.
            updated = zip(list, known).filter { !$0.isSameText(as: $1) }.map { $0.0 }
            return OperationChange(operations: list, added: [], removed: [], updated: updated)
        }
        // Where an operation was before; -1: the reply has had it already.
        var places: [[UInt8]: Int] = [:]
        for (place, operation) in known.enumerated() { places[operation.id.bytes] = place }
        var isKept = [Bool](repeating: false, count: known.count)
        var operations: [UserOperation] = []
        for operation in list {
            let place = places.updateValue(-1, forKey: operation.id.bytes)
            if let place {
                guard place >= 0 else { continue }
                isKept[place] = true
                if !operation.isSameText(as: known[place]) { updated.append(operation) }
            } else {
                added.append(operation)
            }
            operations.append(operation)
        }
        for (place, operation) in known.enumerated() where !isKept[place] { removed.append(operation) }
        if !removed.isEmpty {
            attachments.removeAll { attachment in removed.contains { $0.id.equals(attachment.id) } }
        }
        return OperationChange(operations: operations, added: added, removed: removed, updated: updated)
    }

    /// Adds a claimed operation; nil: it is known already.
    mutating func add(_ operation: UserOperation) -> OperationChange? {
        mutations += 1
        let known = operations
        guard !known.contains(where: { $0.id.equals(operation.id) }) else { return nil }
        return change(to: known + [operation], added: [operation])
    }

    /// Removes an operation that was approved or rejected; nil: it was not known.
    mutating func remove(_ id: String) -> OperationChange? {
        mutations += 1
        let id = [UInt8](id.utf8)
        var known = operations
        guard let place = known.firstIndex(where: { $0.id.equals(id) }) else { return nil }
        attachments.removeAll { $0.id == id }
        let removed = known.remove(at: place)
        return change(to: known, removed: [removed])
    }

    /// Forgets everything of the activation; nil: nothing was known.
    mutating func clear() -> OperationChange? {
        let known = operations
        attachments = []
        lastFetch = nil
        failures = 0
        mutations += 1
        let change = change(to: [], removed: known)
        return known.isEmpty ? nil : change
    }

    private mutating func change(
        to operations: [UserOperation], added: [UserOperation] = [], removed: [UserOperation] = []
    ) -> OperationChange {
        content = .made(operations)
        return OperationChange(operations: operations, added: added, removed: removed, updated: [])
    }

    /// The kinds of attachments of an operation.
    func attachedKinds(_ id: String) -> Attached {
        guard let extras = attached(to: id) else { return [] }
        var result: Attached = []
        if extras.proximity != nil { result.insert(.proximity) }
        if extras.mobileTokenData != nil { result.insert(.mobileTokenData) }
        return result
    }
}

/// An operation's attachments.
package struct Attached: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let proximity = Attached(rawValue: 1)
    package static let mobileTokenData = Attached(rawValue: 2)
}

extension UserOperation {
    /// Whether the server sent the same text.
    fileprivate func isSameText(as other: UserOperation) -> Bool {
        self === other || sameBytes(json.raw, other.json.raw)
    }
}

extension Operations {
    /// How a fetch ended.
    public struct LastFetch: Sendable {
        /// nil: it succeeded.
        public let failure: Failure?
        /// The device's time when it ended.
        public let time: Int64
        /// `currentTimestamp` of the reply.
        public let serverTime: Int64?
        /// Operations that could not be read.
        public let skipped: Int
        /// There may be more operations than the reply has.
        public let mayBeCut: Bool
    }
}
