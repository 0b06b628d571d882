#include <mtoken.h>
#include <stdio.h>

/* Prints the signed fields of a payment. */
void show(const char *operation_data)
{
    mtoken_operation_fields *fields = NULL;

    if (mtoken_operation_fields_parse(operation_data, MTOKEN_NUL_TERMINATED, &fields,
                                      NULL) != MTOKEN_OK)
        return;
    if (fields->template_id == MTOKEN_TEMPLATE_PAYMENT) puts("A payment");
    for (size_t i = 0; i < fields->field_count; i++) {
        const mtoken_operation_field *field = fields->fields[i];
        if (field->kind == MTOKEN_FIELD_AMOUNT)
            printf("amount %s %s\n", field->amount, field->currency);
        else if (field->kind == MTOKEN_FIELD_ACCOUNT)
            printf("to %s\n", field->iban);
    }
    mtoken_operation_fields_free(fields);
}

/* Prints what a signature covers, above the question for the PIN. */
void show_signed(const char *operation_data)
{
    mtoken_text *summary = NULL;

    if (mtoken_operation_fields_summary(operation_data, MTOKEN_NUL_TERMINATED, &summary,
                                        NULL) != MTOKEN_OK)
        return;
    printf("You sign:\n%s\n", summary->data);
    mtoken_text_free(summary);
}

/* Builds operation data, for servers and tests. */
mtoken_status make(mtoken_text **text)
{
    mtoken_field_input fields[2] = {MTOKEN_FIELD_INPUT_INIT, MTOKEN_FIELD_INPUT_INIT};

    fields[0].kind = MTOKEN_FIELD_AMOUNT;
    fields[0].amount = MTOKEN_TEXT("100.00");
    fields[0].currency = MTOKEN_TEXT("CZK");
    fields[1].kind = MTOKEN_FIELD_NOTE;
    fields[1].text = MTOKEN_TEXT("rent");
    return mtoken_operation_fields_build('A', MTOKEN_TEMPLATE_PAYMENT, fields, 2, text,
                                         NULL);
}
