/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows what an offline operation asks for: reads the payload of its QR code from standard input, exactly as scanned.
 *
 *   cc -std=c99 qr.c $(pkg-config --cflags --libs mtoken) -o qr
 *   ./qr [SDK-CONFIGURATION] < payload.txt
 *
 * With the application's SDK configuration it also verifies the server's signature.
 */
#include <mtoken.h>

#include <stdio.h>

static void show_field(const mtoken_operation_field *field)
{
    switch (field->kind) {
    case MTOKEN_FIELD_EMPTY: break;
    case MTOKEN_FIELD_AMOUNT: printf("amount: %s %s\n", field->value, field->currency); break;
    case MTOKEN_FIELD_ACCOUNT:
        printf("account: %s%s%s\n", field->iban, field->bic ? ", " : "", field->bic ? field->bic : "");
        break;
    case MTOKEN_FIELD_DATE:
        printf("date: %04d-%02d-%02d\n", (int)field->year, (int)field->month, (int)field->day);
        break;
    default: printf("text: %s\n", field->text);
    }
}

static void show(const mtoken_qr_operation *operation)
{
    printf("id: %s\ntitle: %s\nmessage: %s\n", operation->id, operation->title, operation->message);
    for (size_t i = 0; i < operation->signed_fields->field_count; i++) show_field(operation->signed_fields->fields[i]);
    printf("signature: %s\n", operation->verification == MTOKEN_VERIFIED_VALID ? "valid" : "not checked");
}

int main(int argc, char **argv)
{
    char payload[4097]; /* one byte more than a payload may have: the library reports it */
    const size_t length = fread(payload, 1, sizeof payload, stdin);

    mtoken_qr_options options = MTOKEN_QR_OPTIONS_INIT;
    if (argc > 1) options.configuration = MTOKEN_TEXT(argv[1]);
    mtoken_qr_operation *operation = NULL;
    mtoken_error *error = NULL;
    if (mtoken_qr_operation_parse(payload, length, &options, &operation, &error) != MTOKEN_OK) {
        fprintf(stderr, "%s (%s), line %d, byte %lld: %s\n", mtoken_error_name(error->code), error->reason,
                (int)error->line, (long long)error->byte_offset, error->message);
        mtoken_error_free(error);
        return 1;
    }
    show(operation);
    mtoken_qr_operation_free(operation);
    return 0;
}
