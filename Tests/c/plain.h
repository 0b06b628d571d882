/* For tests that use mtoken.h only, so that they run over every product: clients without a bank, servers that do not
 * answer. */
#ifndef PLAIN_H
#define PLAIN_H

#include "brief.h"

/* A port on which nothing listens. */
#define CLOSED_URL "http://127.0.0.1:1/api"

/* Any valid SDK configuration. */
extern const char plain_configuration[];

mtoken_client_options plain_options(mtoken_store *store, const char *id, const char *url);
mtoken_client *plain_client(mtoken_runtime *runtime, mtoken_store *store, const char *id, const char *url);

/* A runtime whose client asks for the time where nothing listens: libcurl is initialised, and a thread runs. Whether
 * there was one. */
bool plain_lives(int64_t timeout_ms);

/* A host store whose functions know nothing and keep nothing. */
mtoken_host_sealer plain_host_sealer(void); /* seals nothing */
mtoken_host_store plain_host_store(void);

/* A server on the loopback that takes connections and never says a word. Its URL goes into `url`. */
typedef struct silent_server {
    int listener;
    char url[64];
} silent_server;

silent_server silent_server_open(void);
void silent_server_close(silent_server *server);

/* To be set as after_each: over libmtoken-testing, no handle is left. */
void plain_after_each(void);

#endif
