/* Functions that need nothing but their arguments. */
#include "harness.h"

#include <time.h>

static void codes_are_taken_apart(void)
{
    mtoken_activation_code *code = NULL;
    mtoken_error *error = NULL;
    CHECK_ERROR(mtoken_activation_code_parse("VVVVV-VVVVV-VVVVV-VTFVA", MTOKEN_NUL_TERMINATED, &code, &error),
                MTOKEN_OK, error);
    CHECK_TEXT(code ? code->code : NULL, "VVVVV-VVVVV-VVVVV-VTFVA");
    CHECK(code && code->signature == NULL);
    mtoken_activation_code_free(code);
    CHECK_ERROR(mtoken_activation_code_parse("VVVVV-VVVVV-VVVVV-VTFVA#AAAA", MTOKEN_NUL_TERMINATED, &code, &error),
                MTOKEN_OK, error);
    CHECK_TEXT(code ? code->signature : NULL, "AAAA");
    mtoken_activation_code_free(code);
    static const struct {
        const char *text;
        int64_t offset; /* where its form is broken; -1: the form is right, the content is not */
    } bad[] = {
        {"", 0},
        {"V", 1},
        {"VVVVV-VVVVV-VVVVV-VTFVB", -1},       /* checksum */
        {"vvvvv-vvvvv-vvvvv-vtfva", 0},        /* lower case */
        {"VVVVV-VVVVV-VVVVV-VTFVA#", 24},      /* empty signature */
        {"VVVVV-VVVVV-VVVVV-VTFVA##AAAA", 24}, /* two marks */
        {"VVVVV-VVVVV-VVVVV-VTFVA#A", -1},     /* no whole Base64 */
        {"VVVVV-VVVVV-VVVVV-VTFVA ", 23},
        {" VVVVV-VVVVV-VVVVV-VTFVA", 0},
        {"VVVVVVVVVVVVVVVVVTFVA", 5},
        {"VVVVV-VVVVV-VVVVV-VTF1A", 21},
        {"VVVVV-VVVVV-VVVVV-VTFVA-VVVVV", 23},
        {"ŽVVVV-VVVVV-VVVVV-VTFVA", 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        code = (mtoken_activation_code *)1;
        mtoken_status status = mtoken_activation_code_parse(bad[i].text, MTOKEN_NUL_TERMINATED, &code, &error);
        CHECK(code == NULL);
        if ((error && !CHECK_INT(error->byte_offset, bad[i].offset)) | !CHECK_ERROR(status, MTOKEN_ERROR_PARSE, error))
            note("\"%s\"", bad[i].text);
    }
}

static void typed_characters_are_corrected(void)
{
    CHECK_INT(mtoken_activation_code_correct('a'), 'A');
    CHECK_INT(mtoken_activation_code_correct('Z'), 'Z');
    CHECK_INT(mtoken_activation_code_correct('0'), 'O');
    CHECK_INT(mtoken_activation_code_correct('1'), 'I');
    CHECK_INT(mtoken_activation_code_correct('2'), '2');
    CHECK_INT(mtoken_activation_code_correct('7'), '7');
    static const uint32_t none[] = {0, '8', '9', '-', ' ', 0xe1, 0x131, 0x17f, 0x212a, 0xd800, 0x110000, UINT32_MAX};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) CHECK_INT(mtoken_activation_code_correct(none[i]), 0);
}

static void queries_become_canonical(void)
{
    static const char *const cases[][2] = {
        {"b=2&a=1", "a=1&b=2"},
        {"", ""},
        {"a=b=c", "a=b%3Dc"},
        {"a=1&flag&b=2", "a=1&b=2"},
        {"k=a%20b+c", "k=a+b+c"},
        {"k=%c5%be", "k=%C5%BE"},
        {"a=2&a=1&a=10", "a=1&a=10&a=2"},
    };
    mtoken_text *canonical = NULL;
    mtoken_error *error = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_ERROR(mtoken_canonical_query(cases[i][0], MTOKEN_NUL_TERMINATED, &canonical, &error), MTOKEN_OK, error);
        CHECK_TEXT(canonical ? canonical->data : NULL, cases[i][1]);
        CHECK_INT(canonical ? canonical->length : 0, strlen(cases[i][1]));
        mtoken_text_free(canonical);
    }
    static const char *const bad[] = {"a=%", "a=%4", "a=%zz", "%g1=1", "a=%00%"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (!CHECK_ERROR(mtoken_canonical_query(bad[i], MTOKEN_NUL_TERMINATED, &canonical, &error), MTOKEN_ERROR_PARSE,
                         error))
            note("\"%s\"", bad[i]);
        CHECK(canonical == NULL);
    }
}

static void operation_data_are_read(void)
{
    mtoken_operation_fields *data = NULL;
    mtoken_error *error = NULL;
    const char *text = "A1*A-0100.50czk*ICZ2730300000001165254011,AIRACZPP**D20240229*Tsix \\* seven\\n\\\\*Žx";
    if (CHECK_ERROR(mtoken_operation_fields_parse(text, MTOKEN_NUL_TERMINATED, &data, &error), MTOKEN_OK, error)) {
        CHECK_TEXT(data->text, text);
        CHECK_INT(data->text_length, strlen(text));
        CHECK(data->version == 'A' && data->is_version_known == 1 && data->template_id == MTOKEN_TEMPLATE_PAYMENT);
        CHECK_INT(data->field_count, 6);
        const mtoken_operation_field *amount = data->fields[0], *account = data->fields[1], *empty = data->fields[2],
                                     *date = data->fields[3], *note = data->fields[4], *other = data->fields[5];
        CHECK(amount->kind == MTOKEN_FIELD_AMOUNT && amount->letter == 'A' && amount->offset == 3);
        CHECK_TEXT(amount->raw, "A-0100.50czk");
        CHECK_TEXT(amount->amount, "-0100.50");
        CHECK_TEXT(amount->value, "-100.5");
        CHECK_TEXT(amount->currency, "CZK");
        CHECK(!amount->text && !amount->iban && !amount->bic && amount->year == 0);
        CHECK(account->kind == MTOKEN_FIELD_ACCOUNT && account->is_iban_valid == 1 && !account->amount);
        CHECK_TEXT(account->iban, "CZ2730300000001165254011");
        CHECK_TEXT(account->bic, "AIRACZPP");
        CHECK(empty->kind == MTOKEN_FIELD_EMPTY && empty->letter == 0);
        CHECK_TEXT(empty->raw, "");
        CHECK(date->kind == MTOKEN_FIELD_DATE && date->year == 2024 && date->month == 2 && date->day == 29);
        CHECK(note->kind == MTOKEN_FIELD_TEXT);
        CHECK_TEXT(note->text, "six * seven\n\\");
        CHECK(other->kind == MTOKEN_FIELD_OTHER && other->letter == 0x17d);
        CHECK_TEXT(other->text, "x");
    }
    mtoken_operation_fields_free(data);
    static const struct {
        const char *text, *reason;
        int64_t offset;
    } bad[] = {
        {"", "invalidVersion", 0},        {"1", "invalidVersion", 0},        {"A", "invalidTemplateId", 1},
        {"A123", "invalidTemplateId", 1}, {"A1*A1,5CZK", "invalidField", 3}, {"A1*T*D20230229", "invalidField", 5},
        {"A1*I,", "invalidField", 3},     {"A1*******", "tooManyFields", 9}, {"A1*Ta\nb", "controlCharacter", 5},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        data = (mtoken_operation_fields *)1;
        mtoken_status status = mtoken_operation_fields_parse(bad[i].text, MTOKEN_NUL_TERMINATED, &data, &error);
        if (error) {
            CHECK_TEXT(error->reason, bad[i].reason);
            CHECK_INT(error->byte_offset, bad[i].offset);
            CHECK_INT(error->line, 1);
        }
        if (!CHECK_ERROR(status, MTOKEN_ERROR_PARSE, error) | !CHECK(data == NULL)) note("\"%s\"", bad[i].text);
    }
}

#define QR_TAIL                                                                                                        \
    "\nBX\n12345678\nAD8bOO0Df73kNaIGb3Vmpg==\n0MEYCIQDby1Uq+MaxiAAGzKmE/"                                             \
    "McHzNOUrvAP2qqGBvSgcdtyjgIhAMo1sgqNa1pPZTFBhhKvCKFLGDuHuTTYexdmHFjUUIJW"

static void offline_payloads_are_read(void)
{
    mtoken_qr_operation *operation = NULL;
    mtoken_error *error = NULL;
    const char *text = "id\na\\nb\n\nA1*A1CZK" QR_TAIL;
    if (CHECK_ERROR(mtoken_qr_operation_parse(text, MTOKEN_NUL_TERMINATED, NULL, &operation, &error), MTOKEN_OK,
                    error)) {
        CHECK_INT(operation->verification, MTOKEN_VERIFIED_NOT_CHECKED);
        CHECK_INT(operation->server_key, MTOKEN_KEY_MASTER);
        CHECK_TEXT(operation->payload, text);
        CHECK_INT(operation->payload_length, strlen(text));
        CHECK(strncmp(operation->payload + operation->signed_length, "MEYC", 4) == 0);
        CHECK_TEXT(operation->id, "id");
        CHECK_TEXT(operation->title, "a\nb");
        CHECK_TEXT(operation->raw_title, "a\\nb");
        CHECK_TEXT(operation->message, "");
        CHECK_TEXT(operation->signed_fields->text, "A1*A1CZK");
        CHECK(operation->signed_fields->field_count == 1);
        CHECK_TEXT(operation->flags, "BX");
        CHECK(operation->allows_biometry && operation->flip_buttons && !operation->warns_of_fraud);
        CHECK_TEXT(operation->unknown_flags, "");
        CHECK_TEXT(operation->totp, "12345678");
        CHECK(!operation->is_newer_format && operation->extra_count == 0);
        CHECK_TEXT(operation->nonce, "AD8bOO0Df73kNaIGb3Vmpg==");
        CHECK(operation->nonce_bytes[1] == 0x3f && operation->signature_bytes[0] == 0x30);
        CHECK_INT(operation->signature_bytes_length, 72);
    }
    mtoken_qr_operation_free(operation);
    CHECK_ERROR(mtoken_qr_operation_parse("id\n\n\nA1*D0" QR_TAIL, MTOKEN_NUL_TERMINATED, NULL, &operation, &error),
                MTOKEN_ERROR_PARSE, error);
    CHECK(operation == NULL);
}

static void proximity_codes_are_read(void)
{
    mtoken_pac *pac = NULL;
    mtoken_error *error = NULL;
    const char *link = "mtoken://operation?oid=E%2F%2BD%3D&lang=cs&totp=0123#x";
    if (CHECK_ERROR(mtoken_pac_parse(link, MTOKEN_NUL_TERMINATED, MTOKEN_PROXIMITY_DEEPLINK, NULL, &pac, &error),
                    MTOKEN_OK, error)) {
        CHECK_TEXT(pac->operation_id, "E/+D=");
        CHECK_TEXT(pac->totp, "0123");
        CHECK_INT(pac->source, MTOKEN_PROXIMITY_DEEPLINK);
        CHECK_INT(pac->form, MTOKEN_PAC_DEEPLINK);
        CHECK(!pac->is_header_valid && !pac->has_signature && !pac->algorithm);
    }
    mtoken_operation same = {0}, other = {0};
    same.id = "E/+D=";
    other.id = "E/+D";
    const mtoken_operation *operations[] = {&other, &same};
    mtoken_operation_list list = {0};
    list.count = 2;
    list.operations = operations;
    CHECK_INT(mtoken_pac_matches(pac, &same), 1);
    CHECK_INT(mtoken_pac_matches(pac, &other), 0);
    CHECK_INT(mtoken_pac_matches(NULL, &same), 0);
    CHECK_INT(mtoken_pac_matches(pac, NULL), 0);
    CHECK(mtoken_pac_find(pac, &list) == &same);
    list.count = 1;
    CHECK(mtoken_pac_find(pac, &list) == NULL);
    CHECK(mtoken_pac_find(pac, NULL) == NULL && mtoken_pac_find(NULL, &list) == NULL);
    mtoken_pac_free(pac);

    mtoken_text allowed[] = {MTOKEN_TEXT("bank"), MTOKEN_TEXT("MTOKEN://operation")};
    mtoken_pac_options options = MTOKEN_PAC_OPTIONS_INIT;
    options.allowed = allowed;
    static const struct {
        const char *link;
        size_t allowed; /* how many of the links above */
        bool accepted;
    } links[] = {
        {"mtoken://operation?oid=a", 1, false}, {"mtoken://operation?oid=a", 2, true},
        {"mTOKEN://OPERATION?oid=a", 2, true},  {"mtoken://operations?oid=a", 2, false},
        {"mtoken://other?oid=a", 2, false},     {"Bank://anything?oid=a", 1, true},
        {"banks://anything?oid=a", 2, false},
    };
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        options.allowed_count = links[i].allowed;
        mtoken_status status =
            mtoken_pac_parse(links[i].link, MTOKEN_NUL_TERMINATED, MTOKEN_PROXIMITY_DEEPLINK, &options, &pac, &error);
        if (!CHECK_ERROR(status, links[i].accepted ? MTOKEN_OK : MTOKEN_ERROR_PARSE, error)) note("%s", links[i].link);
        CHECK((pac != NULL) == links[i].accepted);
        mtoken_pac_free(pac);
    }
    CHECK_STATUS(mtoken_pac_parse(link, MTOKEN_NUL_TERMINATED, 3, NULL, &pac, NULL), MTOKEN_ERROR_ARGUMENT);
    static const char *const bad[][2] = {
        {"", "empty"},
        {"abc", "invalidFormat"},
        {"a.b", "invalidJwt"},
        {"s://o?oid=%4", "invalidEncoding"},
        {"s://o?oid=", "missingOperationId"},
        {"s://o?oid=a%20b", "invalidOperationId"},
        {"s://o?oid=a&potp=12", "invalidTotp"},
        {"s://o?oid=a&oid=a", "ambiguous"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        mtoken_status status =
            mtoken_pac_parse(bad[i][0], MTOKEN_NUL_TERMINATED, MTOKEN_PROXIMITY_QR_CODE, NULL, &pac, &error);
        if (error) CHECK_TEXT(error->reason, bad[i][1]);
        if (!CHECK_ERROR(status, MTOKEN_ERROR_PARSE, error)) note("\"%s\"", bad[i][0]);
    }
}

static void what_servers_make_is_read_back(void)
{
    mtoken_text *text = NULL, *password = NULL;
    mtoken_error *error = NULL;
    mtoken_field_input fields[3] = {MTOKEN_FIELD_INPUT_INIT, MTOKEN_FIELD_INPUT_INIT, MTOKEN_FIELD_INPUT_INIT};
    mtoken_text amount = MTOKEN_TEXT("1.50"), currency = MTOKEN_TEXT("eur"), note = MTOKEN_TEXT("a*b\r\n\\n");
    fields[0].kind = MTOKEN_FIELD_AMOUNT;
    fields[0].amount = amount;
    fields[0].currency = currency;
    fields[2].kind = MTOKEN_FIELD_NOTE;
    fields[2].text = note;
    if (CHECK_ERROR(mtoken_operation_fields_build('A', 1, fields, 3, &text, &error), MTOKEN_OK, error))
        CHECK_TEXT(text->data, "A1*A1.50EUR**Na\\*b\\n\\\\n");
    /* RFC 6238, appendix B */
    CHECK_OK(mtoken_totp((const uint8_t *)"12345678901234567890123456789012", 32, 59000, 0, 0, MTOKEN_TOTP_SHA256,
                         &password, NULL));
    CHECK_TEXT(password ? password->data : NULL, "46119246");

    uint8_t key[32] = {0}, nonce[16] = {1};
    key[31] = 7;
    mtoken_qr_build_options options = MTOKEN_QR_BUILD_OPTIONS_INIT;
    mtoken_text id = MTOKEN_TEXT("id"), flags = MTOKEN_TEXT("B");
    mtoken_bytes secret = {key, sizeof key}, once = {nonce, sizeof nonce};
    options.id = id;
    options.flags = flags;
    options.private_key = secret;
    options.nonce = once;
    options.server_key = MTOKEN_KEY_PERSONALIZED;
    if (text && password) {
        mtoken_text data = {text->data, text->length}, totp = {password->data, password->length};
        mtoken_text *payload = NULL;
        mtoken_qr_operation *operation = NULL;
        options.operation_data = data;
        options.totp = totp;
        CHECK_ERROR(mtoken_qr_operation_build(&options, &payload, &error), MTOKEN_OK, error);
        if (payload && CHECK_ERROR(mtoken_qr_operation_parse(payload->data, payload->length, NULL, &operation, &error),
                                   MTOKEN_OK, error)) {
            CHECK_TEXT(operation->signed_fields->fields[2]->text, "a*b\n\\n");
            CHECK_TEXT(operation->totp, "46119246");
            CHECK(operation->allows_biometry == 1 && operation->server_key == MTOKEN_KEY_PERSONALIZED);
            CHECK(memcmp(operation->nonce_bytes, nonce, sizeof nonce) == 0);
        }
        mtoken_qr_operation_free(operation);
        mtoken_text_free(payload);
    }
    mtoken_text_free(password);
    mtoken_text_free(text);
    CHECK_STATUS(mtoken_operation_fields_build('A', 1, fields, 65, &text, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_operation_fields_build('A', 1, NULL, 1, &text, NULL), MTOKEN_ERROR_ARGUMENT);
    fields[1].kind = MTOKEN_FIELD_OTHER;
    CHECK_STATUS(mtoken_operation_fields_build('A', 1, fields, 3, &text, NULL), MTOKEN_ERROR_ARGUMENT);
}

/* The processor time that a query of so many bytes takes. */
static double cost_of_query(size_t size)
{
    char *query = malloc(size + 1);
    mtoken_text *canonical = NULL;
    for (size_t i = 0; i < size; i++) /* pairs in the worst order */
        query[i] = i % 4 == 0 ? (char)('z' - i / 4 % 26) : i % 4 == 1 ? '=' : i % 4 == 2 ? '1' : '&';
    query[size] = 0;
    clock_t start = clock();
    CHECK_OK(mtoken_canonical_query(query, size, &canonical, NULL));
    clock_t end = clock();
    CHECK(canonical && canonical->length == size - 1); /* the last & goes */
    mtoken_text_free(canonical);
    free(query);
    return (double)(end - start) / CLOCKS_PER_SEC;
}

/* 16 times as long may cost 20 times as much, for the sorting; each with each would cost 256 times. */
static void the_cost_of_long_input_does_not_explode(void)
{
    double small = cost_of_query(1 << 16) + cost_of_query(1 << 16);
    CHECK(cost_of_query(1 << 20) < 40 * small + 0.05);
}

static const test tests[] = {
    {"codes are taken apart", codes_are_taken_apart},
    {"typed characters are corrected", typed_characters_are_corrected},
    {"queries become canonical", queries_become_canonical},
    {"operation data are read", operation_data_are_read},
    {"offline payloads are read", offline_payloads_are_read},
    {"proximity codes are read", proximity_codes_are_read},
    {"what servers make is read back", what_servers_make_is_read_back},
    {"the cost of long input does not explode", the_cost_of_long_input_does_not_explode},
};

int main(int argc, char **argv) { return RUN(tests); }
