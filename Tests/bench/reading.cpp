// Reads all that a list of operations has, as a program that shows it would.

#include "operations.hpp"

#include <cstring>

namespace {

size_t sum;

void see(const char *text)
{
    if (text) sum += std::strlen(text);
}

template <typename... More> void see(const char *text, const More *...more)
{
    see(text);
    see(more...);
}

void see(const mtoken_attribute &attribute)
{
    sum += size_t(attribute.kind + attribute.is_dynamic + attribute.heading_level + attribute.alert_kind);
    see(attribute.kind_text, attribute.id, attribute.label, attribute.value, attribute.thumbnail_url,
        attribute.original_url, attribute.alert_kind_text, attribute.alert_title, attribute.alert_message,
        attribute.json);
    for (const mtoken_amount *amount : {attribute.amount, attribute.target}) {
        if (!amount) continue;
        see(amount->amount, amount->currency, amount->amount_formatted, amount->currency_formatted,
            amount->value_formatted);
        sum += size_t(amount->value);
    }
    if (const mtoken_party *party = attribute.party)
        see(party->logo_url, party->name, party->description, party->website_url);
}

void see(const mtoken_pre_approval_screen &screen)
{
    sum += size_t(screen.kind + screen.back_button);
    see(screen.kind_text, screen.id, screen.heading, screen.message, screen.image);
    for (size_t i = 0; i < screen.element_count; i++) {
        const mtoken_screen_element &element = *screen.elements[i];
        sum += size_t(element.kind);
        see(element.kind_text, element.id, element.text, element.icon, element.style, element.action,
            element.action_settings, element.href);
    }
    if (const mtoken_screen_controls *controls = screen.controls) {
        sum += size_t(controls->flip + controls->approve_counter_s);
        see(controls->axis, controls->decline_kind, controls->decline_text, controls->approve_kind,
            controls->approve_text);
    }
}

void see(const mtoken_templates &templates)
{
    see(templates.list_style, templates.list_header, templates.list_title, templates.list_message, templates.list_image,
        templates.detail_style);
    sum += size_t(templates.show_title_and_message);
    for (size_t i = 0; i < templates.section_count; i++) {
        const mtoken_template_section &section = *templates.sections[i];
        see(section.style, section.title);
        for (size_t k = 0; k < section.cell_count; k++) {
            const mtoken_template_cell &cell = *section.cells[k];
            see(cell.name, cell.style, cell.collapsable);
            sum += size_t(cell.visible_title + cell.can_copy + cell.is_centered);
        }
    }
}

void see(const mtoken_operation_ui &ui)
{
    sum += size_t(ui.flip_buttons + ui.block_approval_on_call);
    for (size_t i = 0; i < ui.pre_approval_screen_count; i++) see(*ui.pre_approval_screens[i]);
    if (const mtoken_legacy_screen *screen = ui.legacy_pre_approval_screen) {
        see(screen->kind_text, screen->heading, screen->message, screen->approval_kind_text);
        for (size_t i = 0; i < screen->item_count; i++) see(screen->items[i]);
    }
    if (const mtoken_post_approval_screen *screen = ui.post_approval_screen) {
        see(screen->kind_text, screen->heading, screen->message, screen->redirect_text, screen->redirect_url,
            screen->payload);
        sum += size_t(screen->kind + screen->countdown_s);
        for (size_t i = 0; i < screen->attribute_count; i++) see(*screen->attributes[i]);
    }
    if (ui.templates) see(*ui.templates);
}

void see(const mtoken_operation &operation)
{
    sum += size_t(operation.status + operation.created + operation.expires + operation.signature_type +
                  operation.variants + operation.allows_biometry + operation.contradictions);
    see(operation.id, operation.name, operation.operation_data, operation.status_text, operation.status_reason,
        operation.signature_type_text, operation.title, operation.message, operation.result_success,
        operation.result_failure, operation.result_reject, operation.json);
    for (size_t i = 0; i < operation.unknown_variant_count; i++) see(operation.unknown_variants[i]);
    for (size_t i = 0; i < operation.attribute_count; i++) see(*operation.attributes[i]);
    for (size_t i = 0; i < operation.issue_count; i++) see(operation.issues[i]);
    if (operation.ui) see(*operation.ui);
    if (!operation.signed_fields) return;
    see(operation.signed_fields->text);
    for (size_t i = 0; i < operation.signed_fields->field_count; i++) {
        const mtoken_operation_field &field = *operation.signed_fields->fields[i];
        sum += size_t(field.kind + field.year + field.month + field.day);
        see(field.raw, field.text, field.amount, field.value, field.currency, field.iban, field.bic);
    }
}

} // namespace

void readAll(const mtoken_operation_list *list)
{
    for (size_t i = 0; i < list->count; i++) see(*list->operations[i]);
    for (size_t i = 0; i < list->issue_count; i++) see(list->issues[i]);
    sum += list->skipped_count + size_t(list->server_time);
    static volatile size_t kept;
    kept = sum;
    (void)kept;
}
