// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// Something that a bank asks its user to approve or reject (operations.md §5), as the server sent it.
///
/// Immutable, and a reference, since it is passed around whole: the texts point into the reply that it retains.
public final class UserOperation: Sendable {
    /// `id`: opaque.
    public let id: JSONText
    /// `name`: the type of the operation in the bank's templates, e.g. `login` or `authorize_payment`.
    public let name: JSONText
    /// `data`: what is signed. Sent back exactly as it is.
    public let data: JSONText
    /// `status`; pending if the server sent none.
    public let status: OperationStatus
    /// `status` as it was sent; `nil` if missing or no text.
    public let rawStatus: JSONText?
    /// `statusReason`: the server's code for the reason of the status.
    public let statusReason: JSONText?
    /// `operationCreated`: milliseconds since the Unix epoch.
    public let created: Int64
    /// `operationExpires`: milliseconds since the Unix epoch.
    public let expires: Int64
    /// `allowedSignatureType`
    public let allowedSignature: AllowedSignature
    /// `formData`
    public let formData: OperationFormData
    /// `ui`; `nil` if missing or no object.
    public let ui: OperationUI?
    /// The parts that were left out, and the texts that the server did not complete; at most the first ones.
    public let issues: [DecodingIssue]
    /// The whole object; `raw` is its text in the reply.
    public var json: JSONValue { JSONValue(document: id.document, node: node) }

    private let node: JSONNode
    /// The contradictions between what is signed and what is shown.
    let comparison = ComputedOnce()

    /// Whether a code must be scanned before the approval: a screen says so. Servers leave that screen out where no check is
    /// wanted.
    public var wantsProximityCheck: Bool {
        guard let ui else { return false }
        return ui.legacyPreApprovalScreen?.kind == .qrScan
            || (ui.preApprovalScreens ?? []).contains { $0.kind == .qrScan }
    }

    /// A member that a bank added, by a JSON pointer (RFC 6901), e.g. `/playSound` or `/x/y/0`.
    public func member(path: String) -> JSONValue? { json.value(at: path) }

    /// The operation of a reply to a detail or claim call.
    ///
    /// - Returns: the operation, and the parts that were left out.
    /// - Throws: `InvalidReply` if the reply reports success without an operation, or with a broken one.
    ///   A reply that reports an error is the caller's: here it is a fault of `responseObject`.
    public static func decode(
        _ envelope: ReplyEnvelope
    ) throws(InvalidReply) -> (operation: UserOperation, issues: [DecodingIssue]) {
        guard case .success(let content) = envelope.outcome, let content else {
            throw .form(ModelFault("responseObject", .missing))
        }
        var decoder = ModelDecoder(document: envelope.document)
        do throws(ModelFault) {
            return (try UserOperation(content.node, &decoder), decoder.issues)
        } catch {
            throw .form(error)
        }
    }

    /// - Throws: a fault if a member that is needed for showing and approving is missing or of another type.
    package convenience init(_ node: JSONNode, _ decoder: inout ModelDecoder) throws(ModelFault) {
        guard node.kind == .object else { throw ModelFault("", .wrongType) }
        let knownIssues = decoder.issues.count
        let id = try decoder.requiredText(node, "id")
        let name = try decoder.requiredText(node, "name")
        let data = try decoder.requiredText(node, "data")
        var status = OperationStatus.pending
        var rawStatus: JSONText?
        if let member = node["status"], member.kind != .null {
            rawStatus = decoder.text(member)
            status = OperationStatus(member)
        }
        let created = try decoder.requiredInstant(node, "operationCreated")
        let expires = try decoder.requiredInstant(node, "operationExpires")
        let allowedSignature = try AllowedSignature(of: node, &decoder)
        let formData = try OperationFormData(of: node, &decoder)
        let ui = decoder.object(node, "ui", reportedAs: "ui").map { OperationUI($0, &decoder) }
        decoder.reportUnresolved("data", in: data)
        decoder.reportUnresolved("formData.title", in: formData.title)
        decoder.reportUnresolved("formData.message", in: formData.message)
        let issues = decoder.issues.dropFirst(knownIssues)
        self.init(
            id: id, name: name, data: data, status: status, rawStatus: rawStatus,
            statusReason: decoder.text(node, "statusReason"), created: created, expires: expires,
            allowedSignature: allowedSignature, formData: formData, ui: ui, issues: [DecodingIssue](issues),
            node: node)
    }

    /// Cannot fail: see `JSONDocument`.
    private init(
        id: JSONText, name: JSONText, data: JSONText, status: OperationStatus, rawStatus: JSONText?,
        statusReason: JSONText?, created: Int64, expires: Int64, allowedSignature: AllowedSignature,
        formData: OperationFormData, ui: OperationUI?, issues: [DecodingIssue], node: JSONNode
    ) {
        self.id = id
        self.name = name
        self.data = data
        self.status = status
        self.rawStatus = rawStatus
        self.statusReason = statusReason
        self.created = created
        self.expires = expires
        self.allowedSignature = allowedSignature
        self.formData = formData
        self.ui = ui
        self.issues = issues
        self.node = node
    }
}
