/* Randomness that comes from a seed, so that a failure can be seen again. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* A stream of random numbers, the same on every machine. */
typedef struct stream {
    uint64_t state;
} stream;
uint64_t draw(stream *stream);
uint32_t below(stream *stream, uint32_t limit);
bool percent(stream *stream, uint32_t chance);

/* From now on all randomness of OpenSSL in this process comes from this seed. */
void random_from(uint64_t seed);

/* Not 0 while a bank's own code runs: it has randomness and memory of its own. */
extern int bank_at_work;

#endif
