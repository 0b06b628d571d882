#include <mtoken.h>
#include <stdio.h>

/* Prints one row of an operation's form. */
void show_row(const mtoken_attribute *row)
{
    switch (row->kind) {
    case MTOKEN_ATTRIBUTE_AMOUNT:
        printf("%s: %s %s\n", row->label, row->amount->amount_formatted,
               row->amount->currency_formatted);
        break;
    case MTOKEN_ATTRIBUTE_PARTY_INFO:
        printf("%s: %s\n", row->label, row->party->name);
        break;
    case MTOKEN_ATTRIBUTE_ALERT:
        printf("%s%s\n", row->alert_kind == MTOKEN_ALERT_ERROR ? "Danger: " : "",
               row->alert_message);
        break;
    default: printf("%s: %s\n", row->label, row->value ? row->value : ""); break;
    }
}

/* Prints what the user must see before approving. */
void show_operation(const mtoken_operation *operation)
{
    if (operation->status != MTOKEN_OPERATION_PENDING) return;
    printf("%s\n%s\n", operation->title, operation->message);
    for (size_t i = 0; i < operation->attribute_count; i++)
        show_row(operation->attributes[i]);
    if (operation->contradictions &
        (MTOKEN_CONTRADICTION_AMOUNT | MTOKEN_CONTRADICTION_ACCOUNT))
        puts("Warning: this is not what you would sign.");
    if (operation->signature_type == MTOKEN_SIGNATURE_TYPE_2FA)
        puts(operation->variants & MTOKEN_VARIANT_POSSESSION_BIOMETRY
                 ? "Fingerprint or PIN:"
                 : "PIN:");
}

/* Prints the screens that the bank wants before and after an approval. */
void show_screens(const mtoken_operation_ui *ui)
{
    for (size_t i = 0; i < ui->pre_approval_screen_count; i++) {
        const mtoken_pre_approval_screen *screen = ui->pre_approval_screens[i];
        const mtoken_screen_controls *controls = screen->controls;
        if (screen->kind == MTOKEN_SCREEN_QR_SCAN)
            puts("Scan the code on the other screen.");
        for (size_t j = 0; j < screen->element_count; j++) {
            const mtoken_screen_element *element = screen->elements[j];
            if (element->kind == MTOKEN_ELEMENT_LIST_ITEM)
                printf("- %s\n", element->text);
        }
        if (controls && controls->approve_counter_s > 0)
            printf("Wait %d s.\n", (int)controls->approve_counter_s);
    }
    if (ui->legacy_pre_approval_screen) { /* as sent; also in pre_approval_screens */
        const mtoken_legacy_screen *screen = ui->legacy_pre_approval_screen;
        printf("%s\n", screen->heading);
    }
    if (ui->post_approval_screen) {
        const mtoken_post_approval_screen *screen = ui->post_approval_screen;
        if (screen->kind == MTOKEN_POST_SCREEN_MERCHANT_REDIRECT)
            printf("Back to %s\n", screen->redirect_url);
    }
}

/* Prints the bank's layout. mtoken_visual_new applies it. */
void show_templates(const mtoken_templates *templates)
{
    for (size_t i = 0; i < templates->section_count; i++) {
        const mtoken_template_section *section = templates->sections[i];
        for (size_t j = 0; j < section->cell_count; j++) {
            const mtoken_template_cell *cell = section->cells[j];
            printf("%s%s\n", cell->name, cell->can_copy == MTOKEN_YES ? " (copy)" : "");
        }
    }
}
