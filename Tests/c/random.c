#define OPENSSL_SUPPRESS_DEPRECATED /* RAND_METHOD: the one way to replace OpenSSL's randomness in all its users */
#include "random.h"

#include <openssl/rand.h>

int bank_at_work;

uint64_t draw(stream *stream) /* splitmix64 */
{
    uint64_t value = stream->state += 0x9E3779B97F4A7C15u;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return value ^ value >> 31;
}

uint32_t below(stream *stream, uint32_t limit) { return limit ? (uint32_t)(draw(stream) >> 32) % limit : 0; }

bool percent(stream *stream, uint32_t chance) { return below(stream, 100) < chance; }

/* The bank has its own: the library draws some of what it needs ahead, for more than one life. */
static stream randomness[2];

static int random_fill(unsigned char *bytes, int count)
{
    for (int i = 0; i < count; i++) bytes[i] = (unsigned char)(draw(&randomness[bank_at_work != 0]) >> 56);
    return 1;
}

static int random_ready(void) { return 1; }

void random_from(uint64_t seed)
{
    static const RAND_METHOD method = {NULL, random_fill, NULL, NULL, random_fill, random_ready};
    randomness[0].state = seed;
    randomness[1].state = ~seed;
    RAND_set_rand_method(&method);
}
