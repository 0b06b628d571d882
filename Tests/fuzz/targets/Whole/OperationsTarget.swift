import CMToken
import CSystem
import FuzzSupport
import MobileTokenModel

@testable import MobileToken
@testable import MobileTokenC

/// A reply with operations, decoded into the structs of the C interface, of which every member is read. Also as a reply with
/// one operation, and with the version of the server.
func fuzzOperationsInC(_ input: UnsafeRawBufferPointer) {
    guard let envelope = try? ReplyEnvelope(parsing: input) else { return }
    let arena = Arena()
    defer { arena.free() }
    if let list = try? OperationList.decode(envelope) {
        let result = arena.put(list).pointee
        require(result.count == list.operations.count, "operations are lost")
        for index in 0..<result.count { see(result.operations[index]) }
        for index in 0..<result.issue_count { seeRequired(result.issues[index]) }
        require(result.issue_count == list.issues.count, "issues are lost")
    }
    if let operation = try? UserOperation.decode(envelope).operation { see(arena.put(operation)) }
    if case .success(let content) = envelope.outcome { _ = ServerVersion(status: content) }
}

/// A reply with messages of the inbox, decoded into the structs of the C interface.
func fuzzInboxInC(_ input: UnsafeRawBufferPointer) {
    guard let envelope = try? ReplyEnvelope(parsing: input) else { return }
    let arena = Arena()
    defer { arena.free() }
    if let message = InboxMessage.decode(envelope) { see(arena.put(message)) }
    guard let page = InboxPage.decode(envelope) else { return }
    let result = arena.put(page).pointee
    require(result.count == page.messages.count && result.skipped_count == page.skippedCount, "messages are lost")
    for index in 0..<result.count { see(result.messages[index]) }
}

private func see(_ message: UnsafePointer<mtoken_inbox_message>?) {
    guard let message = message?.pointee else { return require(false, "a message is NULL") }
    for text in [message.id, message.subject, message.summary] { seeRequired(text) }
    for text in [message.body, message.format_text] { see(text) }
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
