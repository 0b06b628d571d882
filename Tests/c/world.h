/* A device and its bank, for tests with the testing surface. */
#ifndef WORLD_H
#define WORLD_H

#include "bank.h"
#include "brief.h"

#define PIN "2468"

typedef struct world {
    mtoken_runtime *runtime;
    mtoken_store *memory; /* what is stored */
    mtoken_store *store;  /* the same, with faults */
    bank *bank;
    mtoken_client *client;
    mtoken_sealer *sealer;       /* of the client; NULL: none */
    uint64_t starts;             /* of the device, each with randomness of its own */
    int32_t events;              /* that its runtimes queue */
    mtoken_auth pin, possession; /* the right PIN; possession only */
} world;

/* How long a PIN's key takes, in iterations; 0: as long as in the product. */
extern int32_t world_pin_iterations;

/* A runtime with a manual clock, an empty client with a faulty store, and a bank. */
world world_open(void);
/* The same, with events of these kinds and log level. */
world world_open_events(int32_t events, int32_t log_level);
/* The same, activated and persisted with the PIN. */
world world_open_active(void);
void world_close(world *world);

/* The device is started again: a new runtime and client on what is stored. Gives the status of mtoken_client_new. */
mtoken_status world_restart(world *world);

/* Gives everything back but the bank and what is stored. */
void world_stop(world *world);

/* Signs a request of the host's own, has the bank check it, and tells the client when it was accepted. */
bool world_signs(world *world, const mtoken_auth *auth);

/* The library makes a signature with the PIN and the bank accepts it, whatever was open before. */
bool world_validates(world *world);

/* How many signatures are open, by what the client tells. */
int64_t world_open_signatures(const world *world);

/* What was left unfinished is finished, with the PIN: in 4.0 the confirmation of the activation, or of a new PIN. */
bool world_settles(world *world);

/* Whether the bank speaks 4.0, which has no such thing: says so, by name. */
bool world_lacks(const world *world, const char *what);

/* Whether a request is one of this path: see bank_path. */
bool is_to(const mtoken_testing_request *request, const char *path);

/* What the client tells of itself. */
int32_t world_state(const world *world);

/* How many operations the client knows. */
size_t world_known(const world *world);

/* To be set as after_each: no handle is left. */
void no_handles_left(void);

#endif
