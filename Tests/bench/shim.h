/* What the benchmarks call below the C interface: see shim/. */
#ifndef MTOKEN_BENCH_SHIM_H
#define MTOKEN_BENCH_SHIM_H

#include <mtoken.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void *mtoken_bench_session_new(const uint8_t *configuration, ptrdiff_t configuration_length,
                               const uint8_t *possession_key, const uint8_t *state, ptrdiff_t state_length);
void mtoken_bench_session_free(void *session);
ptrdiff_t mtoken_bench_session_sign(void *session, const uint8_t *uri_id, ptrdiff_t uri_id_length, const uint8_t *body,
                                    ptrdiff_t body_length, uint8_t *output, ptrdiff_t capacity);
ptrdiff_t mtoken_bench_session_token_header(void *session, int64_t now, uint8_t *output, ptrdiff_t capacity);
int32_t mtoken_bench_session_issue_key(void *session, const uint8_t *server_key, ptrdiff_t server_key_length,
                                       int64_t now);
ptrdiff_t mtoken_bench_session_encrypt(void *session, const uint8_t *plaintext, ptrdiff_t length, int64_t now);
int32_t mtoken_bench_hmac(const uint8_t *key, ptrdiff_t key_length, const uint8_t *data, ptrdiff_t length,
                          uint8_t *code);
int32_t mtoken_bench_kmac(const uint8_t *key, ptrdiff_t key_length, const uint8_t *data, ptrdiff_t length,
                          uint8_t *code);
void *mtoken_bench_v4_new(int32_t suite);
int32_t mtoken_bench_v4_temporary_key(void *device);
int32_t mtoken_bench_v4_activation(void *device);
int32_t mtoken_bench_v4_code(void *device);
ptrdiff_t mtoken_bench_decode_list(const uint8_t *bytes, ptrdiff_t count, void (*read)(const mtoken_operation_list *));
void *mtoken_bench_store_open(const char *path);
int32_t mtoken_bench_store_save(void *store, const uint8_t *bytes, ptrdiff_t count);

#ifdef __cplusplus
}
#endif

#endif
