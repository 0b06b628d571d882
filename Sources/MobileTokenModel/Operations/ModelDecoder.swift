// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// Reads members of a document while models are built, and collects what was left out.
///
/// Works on `JSONNode`, which does not retain: the decoder holds the document.
package struct ModelDecoder {
    let document: JSONDocument
    /// The maximum number of issues reported for one reply and for one operation, so that one does not hide the others.
    /// The rest is counted.
    static let maximumIssues = 100
    static let maximumIssuesOfOperation = 20
    /// The first issues so far.
    private(set) var issues: [DecodingIssue] = []
    /// How much was left out so far.
    private(set) var issueCount = 0
    private var issuesOfOperation = 0
    /// The position of the operation that is being read.
    var operation = 0 {
        didSet { issuesOfOperation = 0 }
    }

    package init(document: JSONDocument) {
        self.document = document
    }

    @inline(never)
    mutating func report(_ subject: DecodingIssue.Subject, at index: Int? = nil, _ fault: ModelFault) {
        issueCount &+= 1
        issuesOfOperation &+= 1
        guard issues.count < Self.maximumIssues, issuesOfOperation <= Self.maximumIssuesOfOperation else { return }
        issues.append(DecodingIssue(subject: subject, operation: operation, index: index, fault: fault))
    }

    /// Takes back what was reported since the operation began.
    ///
    /// - Parameters:
    ///   - told: `issues.count` by then
    ///   - all: `issueCount` by then
    mutating func forgetIssues(told: Int, all: Int) {
        issues.removeLast(max(0, issues.count &- told))
        issueCount = min(issueCount, all)
        issuesOfOperation = 0
    }

    /// Reports a text with a name like `${amount}`, for which the server had no value (operations.md §5.1).
    mutating func reportUnresolved(_ path: StaticString, in text: JSONText) {
        let holdsName = text.withBytes { bytes in
            var start: Int?
            for (index, byte) in bytes.enumerated() {
                if byte == UInt8(ascii: "{"), index > 0, bytes[index &- 1] == UInt8(ascii: "$") {
                    start = index
                } else if byte == UInt8(ascii: "}"), let start, index > start &+ 1 {
                    return true
                }
            }
            return false
        }
        if holdsName { report(.member, ModelFault(path, .unresolved)) }
    }

    // MARK: - Lenient

    /// The text of a member; `nil` if it is anything else.
    func text(_ node: JSONNode, _ name: StaticString) -> JSONText? {
        guard let member = node[name] else { return nil }
        return text(member)
    }

    /// The text; `nil` for any other value.
    func text(_ node: JSONNode) -> JSONText? {
        guard let text = node.stringBytes.map({ JSONText(document: document, bytes: $0) }), !text.holdsNUL else {
            return nil
        }
        return text
    }

    /// The text of a member that may be missing.
    func text(_ node: JSONNode?) -> JSONText? {
        guard let node else { return nil }
        return text(node)
    }

    /// The text of a member, or the empty text.
    func textOrEmpty(_ node: JSONNode, _ name: StaticString) -> JSONText {
        text(node, name) ?? constant("")
    }

    /// A text that is not a part of the reply.
    func constant(_ text: StaticString) -> JSONText { JSONText(document: document, constant: text) }

    /// The object of a member; `nil` if it is anything else. Reported, if it is neither missing nor null.
    @inline(never)
    mutating func object(_ node: JSONNode, _ name: StaticString, reportedAs path: StaticString) -> JSONNode? {
        guard let member = node[name] else { return nil }
        switch member.kind {
        case .object: return member
        case .null: return nil
        default:
            report(.member, ModelFault(path, .wrongType))
            return nil
        }
    }

    /// The array of a member; `nil` if it is anything else. Reported, if it is neither missing nor null.
    @inline(never)
    mutating func array(_ node: JSONNode, _ name: StaticString, reportedAs path: StaticString) -> JSONNode? {
        guard let member = node[name] else { return nil }
        switch member.kind {
        case .array: return member
        case .null: return nil
        default:
            report(.member, ModelFault(path, .wrongType))
            return nil
        }
    }

    /// The whole number of a member. Reported, if it is anything else, but not if it is missing or null.
    @inline(never)
    mutating func integer(_ node: JSONNode, _ name: StaticString, reportedAs path: StaticString) -> Int64? {
        guard let member = node[name] else { return nil }
        if let fault = Self.fault(ofNumber: member, member.int64, path) { report(.member, fault) }
        return member.int64
    }

    /// The fault of a member that was read as a number; `nil`: none, or it is null.
    static func fault<Number>(ofNumber member: JSONNode, _ number: Number?, _ path: StaticString) -> ModelFault? {
        guard number == nil else { return nil }
        // A number beyond the range of `Double` reads as null.
        let isNumber = member.number != nil || member.kind == .null
        return member.isNull ? nil : ModelFault(path, isNumber ? .invalid : .wrongType)
    }

    // MARK: - Required

    /// The text of a member. `path` is its name in the fault.
    @inline(never)
    func requiredText(
        _ node: JSONNode, _ name: StaticString, path: StaticString? = nil
    ) throws(ModelFault) -> JSONText {
        let member = try requiredMember(node, name, path: path)
        guard let text = text(member) else { throw ModelFault(path ?? name, .wrongType) }
        return text
    }

    /// A member that is there and not null.
    @inline(never)
    func requiredMember(
        _ node: JSONNode, _ name: StaticString, path: StaticString? = nil
    ) throws(ModelFault) -> JSONNode {
        guard let member = node[name], member.kind != .null else { throw ModelFault(path ?? name, .missing) }
        return member
    }

    /// The object of a member.
    func requiredObject(_ node: JSONNode, _ name: StaticString) throws(ModelFault) -> JSONNode {
        let member = try requiredMember(node, name)
        guard member.kind == .object else { throw ModelFault(name, .wrongType) }
        return member
    }

    /// The instant of a member, in milliseconds since the epoch.
    func requiredInstant(_ node: JSONNode, _ name: StaticString) throws(ModelFault) -> Int64 {
        let member = try requiredMember(node, name)
        guard member.kind == .string || member.kind == .integer else { throw ModelFault(name, .wrongType) }
        guard let instant = Instant.milliseconds(member) else { throw ModelFault(name, .invalid) }
        return instant
    }
}
