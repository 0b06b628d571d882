/* What a bank of protocol 4.0 does in another way: bank4.c, and the parts of bank.c that it needs. */
#ifndef BANK4_H
#define BANK4_H

#include "bank.h"

/* A request, taken apart. */
typedef struct request {
    const mtoken_testing_request *raw;
    const char *path;
    json_t *json;   /* the body */
    json_t *object; /* its requestObject; borrowed */
} request;

/* What is needed to answer an encrypted request. */
typedef struct envelope {
    char version[8];
    uint8_t keys[48];
    uint8_t base[32];
    buffer associated;
    uint8_t nonce[16];
    const char *purpose;
    /* Of 4.0. */
    uint8_t secret[32], both_nonces[24], info[32];
} envelope;

/* bank.c */

/* Makes the values of the counter up to this one. */
void count_to(bank *bank, long last);
/* Whether a time that was sent is near enough to the bank's. */
bool is_timely(bank *bank, int64_t timestamp, int64_t limit);
const char *member(const json_t *object, const char *name);
char *dump(const json_t *value);
bool signed_with(bank *bank, const request *request, const char *uri_id, const char *factors);
bool open_envelope(bank *bank, const json_t *message, const char *version, bool activation_scope, const char *purpose,
                   envelope *envelope, buffer *plain);
/* Opens the vault's envelope, and only then looks at the signature (rest.md §3.11). A body: it is refused with that. */
bank_answer open_vault(bank *bank, const request *request, const char *version, const char *factors, envelope *envelope,
                       buffer *plain);
/* Encrypts the answer, and ends the envelope; `plain` is taken over. */
bank_answer sealed(bank *bank, envelope *envelope, json_t *plain);
/* 401 to a request that is not signed rightly. */
bank_answer refused(const bank *bank, const request *request);

/* Turns to what the activation has in this protocol, where it may be upgraded. */
void bank_turn(bank *bank, bool four);
/* A new counter. */
void bank_begin_counter(bank *bank);

/* bank4.c */

void four_new(bank *bank);
void four_free(bank *bank);
/* The keys of the configuration: how many, and each with its number. */
size_t four_keys(const bank *bank);
void four_publish(const bank *bank, buffer *configuration);
/* The counter after one step. */
void four_next(const uint8_t counter[32], uint8_t next[32]);
void four_component(const uint8_t *const *factors, int index, const uint8_t counter[32], const buffer *data,
                    uint8_t result[32]);
/* A code with a factor that the server changes was right: the key that it was made with is the key. */
void four_promote(bank *bank, const char *type, bool next);
void four_digest(const uint8_t *secret, size_t size, const buffer *data, uint8_t digest[32]);
bool four_open(bank *bank, const json_t *message, bool activation_scope, const char *purpose, envelope *envelope,
               buffer *plain);
json_t *four_seal(bank *bank, envelope *envelope, const char *plain);
/* Takes the device's part of an activation and answers it; NULL: it is refused. */
json_t *four_agree(bank *bank, const json_t *device);
/* The calls that 3.x does not have, or has otherwise. A NULL body: it is none of them. */
bank_answer four_handle(bank *bank, const request *request);

#endif
