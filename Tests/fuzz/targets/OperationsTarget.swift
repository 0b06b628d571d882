import CMToken
import CSystem
import MobileTokenJSON
import MobileTokenModel

@testable import MobileToken
@testable import MobileTokenC

/// A reply with operations, decoded into the structs of the C interface, of which every member is read. Also as a reply with
/// one operation, with messages of the inbox, and with a configuration of OpenID Connect.
func fuzzOperations(_ input: UnsafeRawBufferPointer) {
    guard let envelope = try? ReplyEnvelope(parsing: input) else { return }
    if let list = try? OperationList.decode(envelope) {
        let arena = Arena()
        withExtendedLifetime(arena) {
            let result = arena.put(list).pointee
            require(result.count == list.operations.count, "operations are lost")
            for index in 0..<result.count { see(result.operations[index]) }
            for index in 0..<result.issue_count { seeRequired(result.issues[index]) }
            require(result.issue_count <= 100, "issues are not bounded")
            require(result.issue_count == 100 || result.skipped_count <= result.issue_count, "issues are lost")
        }
        for operation in list.operations {
            require((try? JSONDocument(parsing: operation.json.raw)) != nil, "an operation's JSON is cut")
            _ = operation.member(path: "/formData/title")
        }
    }
    if let operation = try? UserOperation.decode(envelope).operation {
        let arena = Arena()
        withExtendedLifetime(arena) { see(arena.put(operation)) }
    }
    _ = InboxPage.decode(envelope)
    _ = InboxMessage.decode(envelope)
    _ = envelope.customInfo
    if case .success(let content) = envelope.outcome {
        _ = OIDCConfiguration(content)
        _ = ActivationDetail(content)
        _ = ServerVersion(status: content)
    }
}

nonisolated(unsafe) private var seen = 0

/// Reads a text to its end.
func see(_ text: UnsafePointer<CChar>?) {
    guard let text else { return }
    seen &+= strlen(text)
}

func seeRequired(_ text: UnsafePointer<CChar>?) {
    require(text != nil, "a text that is never NULL is NULL")
    see(text)
}

func see(_ operation: UnsafePointer<mtoken_operation>?) {
    guard let operation = operation?.pointee else { return require(false, "an operation is NULL") }
    for text in [
        operation.id, operation.name, operation.operation_data, operation.title, operation.message, operation.json,
    ] {
        seeRequired(text)
    }
    require(strlen(operation.json) <= operation.json_length, "the JSON is longer than its length")
    for text in [
        operation.status_text, operation.status_reason, operation.signature_type_text, operation.result_success,
        operation.result_failure, operation.result_reject,
    ] { see(text) }
    for index in 0..<operation.unknown_variant_count { seeRequired(operation.unknown_variants[index]) }
    for index in 0..<operation.attribute_count { see(operation.attributes[index]) }
    for index in 0..<operation.issue_count { seeRequired(operation.issues[index]) }
    require(Contradictions(host: operation.contradictions) != nil, "a contradiction has no name")
    require(
        (operation.signed_fields == nil) == (operation.contradictions & MTOKEN_CONTRADICTION_UNREADABLE.rawValue != 0),
        "data that cannot be read are no contradiction")
    if let ui = operation.ui?.pointee { see(ui) }
}

func see(_ attribute: UnsafePointer<mtoken_attribute>?) {
    guard let attribute = attribute?.pointee else { return require(false, "an attribute is NULL") }
    for text in [attribute.kind_text, attribute.id, attribute.label] { seeRequired(text) }
    for text in [
        attribute.value, attribute.thumbnail_url, attribute.original_url, attribute.alert_kind_text,
        attribute.alert_title, attribute.alert_message, attribute.json,
    ] { see(text) }
    for amount in [attribute.amount, attribute.target] {
        guard let amount = amount?.pointee else { continue }
        for text in [amount.amount, amount.currency, amount.value_formatted] { see(text) }
        seeRequired(amount.amount_formatted)
        seeRequired(amount.currency_formatted)
    }
    if let party = attribute.party?.pointee {
        for text in [party.logo_url, party.name, party.description, party.website_url] { see(text) }
    }
}

private func see(_ ui: mtoken_operation_ui) {
    for index in 0..<ui.pre_approval_screen_count {
        guard let screen = ui.pre_approval_screens[index]?.pointee else { return require(false, "a screen is NULL") }
        for text in [screen.kind_text, screen.id, screen.image] { see(text) }
        seeRequired(screen.heading)
        seeRequired(screen.message)
        for index in 0..<screen.element_count {
            guard let element = screen.elements[index]?.pointee else { return require(false, "an element is NULL") }
            for text in [
                element.kind_text, element.id, element.text, element.icon, element.style, element.action,
                element.action_settings, element.href,
            ] { see(text) }
        }
        if let controls = screen.controls?.pointee {
            for text in [
                controls.axis, controls.decline_kind, controls.decline_text, controls.approve_kind,
                controls.approve_text,
            ] { see(text) }
        }
    }
    if let screen = ui.legacy_pre_approval_screen?.pointee {
        for text in [screen.kind_text, screen.approval_kind_text] { see(text) }
        seeRequired(screen.heading)
        seeRequired(screen.message)
        for index in 0..<screen.item_count { seeRequired(screen.items[index]) }
    }
    if let screen = ui.post_approval_screen?.pointee {
        for text in [
            screen.kind_text, screen.heading, screen.message, screen.redirect_text, screen.redirect_url, screen.payload,
        ] { see(text) }
        for index in 0..<screen.attribute_count { see(screen.attributes[index]) }
    }
    if let templates = ui.templates?.pointee {
        for text in [
            templates.list_style, templates.list_header, templates.list_title, templates.list_message,
            templates.list_image, templates.detail_style,
        ] { see(text) }
        for index in 0..<templates.section_count {
            guard let section = templates.sections[index]?.pointee else { return require(false, "a section is NULL") }
            for text in [section.style, section.title] { see(text) }
            for index in 0..<section.cell_count {
                guard let cell = section.cells[index]?.pointee else { return require(false, "a cell is NULL") }
                for text in [cell.name, cell.style, cell.collapsable] { see(text) }
            }
        }
    }
}
