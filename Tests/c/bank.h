/*
 * A bank at the other end of a scripted network: a PowerAuth server with one activation, and a list of operations. It
 * speaks protocol 3.1 to 3.3 or, where the environment's MTOKEN_SUITE names a suite, 4.0. Written from the text of the
 * protocol alone, on OpenSSL and Jansson, so that it checks the library. Strict: what a real server refuses is refused
 * here. It also watches what a real server cannot: whether any counter value was ever used for two signatures, sent or
 * not.
 */
#ifndef BANK_H
#define BANK_H

#include "crypt4.h"
#include "harness.h"
#include "random.h"

#include <jansson.h>
#include <testing/mtoken_testing.h>

#define BANK_COUNTERS 1024
#define BANK_KEYS 512
#define BANK_TOKENS 64
#define BANK_NONCES 256
#define BANK_USE (36 + 24) /* a temporary key's identifier, and the nonces of a request */
#define BANK_USER "alice"  /* whose password, and whose code of a provider, is the activation code */
#define BANK_URL "https://bank.example/api"
#define BANK_SECOND_URL "https://other.example/api" /* of a second bank, if a test has one */

/* Paths of the calls, as protocol 3 has them: see bank_path. */
#define PATH_TIME "/pa/v3/status"
#define PATH_KEY "/pa/v3/keystore/create"
#define PATH_ACTIVATE "/pa/v3/activation/create"
#define PATH_STATUS "/pa/v3/activation/status"
#define PATH_REMOVE "/pa/v3/activation/remove"
#define PATH_VALIDATE "/pa/v3/signature/validate"
#define PATH_VAULT "/pa/v3/vault/unlock"
#define PATH_RECOVERY "/pa/v3/recovery/confirm"
#define PATH_TOKEN "/pa/v3/token/create"
#define PATH_TOKEN_REMOVE "/pa/v3/token/remove"
#define PATH_USER "/pa/v3/user/info"
#define PATH_ACTIVATION_DETAIL "/pa/v3/activation/detail"
#define PATH_CONFIRM "/pa/v3/activation/confirm" /* these four in 4.0 only */
#define PATH_PASSWORD "/pa/v3/password/change"
#define PATH_BIOMETRY "/pa/v3/biometry/add"
#define PATH_BIOMETRY_REMOVE "/pa/v3/biometry/remove"
#define PATH_UPGRADE "/pa/v4/upgrade/start"
#define PATH_UPGRADED "/pa/v4/upgrade/confirm"
#define PATH_PROVIDER "/api/config/oidc"
#define PATH_INBOX "/api/inbox/count"
#define PATH_PUSH "/api/push/device/register/token"
#define PATH_LIST "/api/auth/token/app/operation/list"
#define PATH_DETAIL "/api/auth/token/app/operation/detail"
#define PATH_CLAIM "/api/auth/token/app/operation/detail/claim"
#define PATH_HISTORY "/api/auth/token/app/operation/history"
#define PATH_AUTHORIZE "/api/auth/token/app/operation/authorize"
#define PATH_REJECT "/api/auth/token/app/operation/cancel"

typedef struct bank_answer {
    int status;
    char *body; /* to be freed */
} bank_answer;

typedef struct bank bank;

struct bank {
    mtoken_runtime *runtime;

    /* The application. */
    uint8_t application_key[16], application_secret[16];
    char *application_key_text, *application_secret_text;
    const suite *suite; /* of protocol 4.0; NULL: it is protocol 3 */
    EVP_PKEY *master;
    char configuration[4096]; /* the SDK configuration string */

    /* The activation. Set what shall not be random before it is made. */
    char code[32];
    char *code_qr;   /* "CODE#SIGNATURE" */
    const char *otp; /* expected in the activation; NULL: none */
    char activation_id[37];
    EVP_PKEY *key, *device;
    uint8_t possession[32], knowledge[32], biometry[32], transport[16], vault[16]; /* of 16 bytes before 4.0 */
    int state;                                                                     /* MTOKEN_ACTIVATION_... */
    int failed, max_failed;
    bool is_withdrawn;     /* the version of the application: no key for it, and no signature of it is looked at */
    int64_t blocked_until; /* of 4.0, by the bank's clock: a block ends by itself; 0: it does not */
    bool commits_late;     /* an activation waits for the bank, which sets `state` */
    int window;            /* how many steps the device may be ahead: 1 to 64, 20 unless it is changed */
    int version;           /* of the activation, as the status tells it: 3 or 4 */
    mtoken_protocol_version protocol;         /* of its clients; 0: the library's choice */
    const char *recovery_code, *recovery_puk; /* NULL: none */
    char *name;                               /* as the device gave it */
    uint8_t counters[BANK_COUNTERS][32];      /* CTR_DATA of each value of the counter up to `counted` */
    long counted;
    long counter;  /* the server's */
    uint8_t first; /* byte of the counter value 0, see bank_go_on_from */

    /* What was seen of the device's counter. */
    bool seen[BANK_COUNTERS];
    long highest; /* highest value that a signature was made with; -1: none yet */
    int reused;   /* signatures with a value of which another one had left the device: must stay 0 */
    int unknown;  /* signatures whose value is none of the chain near here */

    struct {
        char id[37];
        EVP_PKEY *key;
        uint8_t secret[32]; /* of 4.0 */
        bool activation_scope, dead;
    } keys[BANK_KEYS];
    size_t key_count;
    int64_t key_validity;

    struct {
        char id[37];
        uint8_t secret[32];
        size_t size; /* of the secret: 16 bytes before 4.0 */
        bool dead;
    } tokens[BANK_TOKENS];
    size_t token_count;

    /* What 4.0 has besides. */
    struct {
        EVP_PKEY *master_dsa, *dsa; /* NULL in EC_P384 */
        uint8_t utility[32], vault[3][32];
        uint8_t next_knowledge[32], next_biometry[32]; /* beside the present ones, while they wait */
        bool knowledge_waits, biometry_waits, biometry_on, confirm_waits;
        bool confirms;                         /* which is allowed before the bank commits */
        bool wrong_factors;                    /* the last code was of factors that are not allowed there */
        uint8_t nonces[BANK_NONCES][BANK_USE]; /* used last */
        size_t nonce_count;
    } four;

    /* What the same activation has in the other protocol, for one that may be upgraded: see bank_offer_upgrade. */
    bank *other;
    bool upgrade_waits; /* it was begun and is not confirmed */

    json_t *operations; /* array */
    json_t *custom_object;
    bool encrypts_detail; /* of operations, where the request is encrypted: it is the first one then */
    int64_t clock_ahead;  /* of the device's */
    int untimely;         /* envelopes of another time that came at once */
    bool is_answering;    /* a request */
    bool is_at_once;      /* the request was sent just now, by the device's clock */

    bool threaded; /* the runtime has its thread: waiting is of use */
    size_t next;   /* number of the next request to look at */
    int served;    /* requests answered */

    /*
     * May put another text, to be freed, into the place of a plaintext before it is encrypted or signed; NULL: as it
     * is. `purpose`: the constant of the encryption ("/pa/token/create", ...), or "jwt" for the claims of a temporary
     * key.
     */
    char *(*rewrite)(bank *bank, const char *purpose, const char *plain);
    /* May change any answer, or replace it by a failure; `answer` holds the body in malloc'ed memory. */
    void (*spoil)(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer);
    /*
     * May answer in the bank's place, which then does nothing: the request never came to it. `answer` holds status 200
     * and no body; a body must be malloc'ed memory. True: it has answered.
     */
    bool (*intercept)(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer);
    /* Whether a request never leaves: its process, or the machine, was gone before. */
    bool (*never_leaves)(bank *bank, const mtoken_testing_request *request);
    void *context;
};

/* Whether banks speak 4.0 here. */
bool bank_speaks_4(void);

/* A bank behind a runtime of mtoken_testing_runtime_new. */
bank *bank_new(mtoken_runtime *runtime);
/* A bank of protocol 3 offers to go on in 4.0 (powerauth4.md §15). Before clients are made: its configuration changes.
 */
void bank_offer_upgrade(bank *bank);
/* Moves the bank behind another runtime: the device was started again. */
void bank_move(bank *bank, mtoken_runtime *runtime);
void bank_free(bank *bank);
/* Its clock, in milliseconds since the epoch. */
int64_t bank_now(const bank *bank);
/* The activation is gone, and another may be made with the same code. */
void bank_start_over(bank *bank);
/*
 * The activation goes on from another value of the counter than its first one, so that it can live longer than
 * BANK_COUNTERS. `number`: how many steps lie before it; only its last byte is told.
 */
void bank_go_on_from(bank *bank, const uint8_t *counter, uint8_t number);
/* Makes what follows from the application's keys and the code, after they were changed. */
void bank_publish(bank *bank);
/* The same without the code: a master key without its private half will do. */
void bank_configure(bank *bank);
/* In 4.0: the activation has the keys of this secret, 32 bytes. */
void bank_takes_secret(bank *bank, const uint8_t *secret);

/* Options of a client of this bank. */
mtoken_client_options bank_client_options(const bank *bank, mtoken_store *store);
mtoken_client *bank_client(const bank *bank, mtoken_store *store);

/* What the bank says to a request that somebody else sent. */
bank_answer bank_respond(bank *bank, const mtoken_testing_request *request);

/* Answers what waits and runs the runtime until it has nothing to do. For manual clocks. */
void bank_serve(bank *bank);
/* Answers the next request, if there is one by now, and leaves it to others to run the runtime until its answer
 * arrives. */
bool bank_serve_next(bank *bank);
/* Serves until a task has completed; gives its result. For every clock. */
mtoken_status bank_finish(bank *bank, mtoken_task *task);
/* The same, and frees the task. */
mtoken_status bank_finish_free(bank *bank, mtoken_task *task);

/* Activates a client with the bank's code and persists it with a PIN and, if given, a biometry key. In 4.0 the client
 * has confirmed it then. */
mtoken_status bank_activate(bank *bank, mtoken_client *client, const char *pin, const uint8_t *biometry);

/* A pending operation of two factors. */
json_t *bank_operation(bank *bank, const char *id, const char *data);
/* Its status text; NULL: unknown. */
const char *bank_operation_status(const bank *bank, const char *id);

/*
 * Checks a signature as the server does (within its window), and moves the counter if it is right. `header` is the
 * value of X-PowerAuth-Authorization. `factors`: the combinations allowed, e.g. "possession_knowledge", separated by
 * blanks; NULL: all.
 */
bool bank_accepts(bank *bank, const char *header, const char *method, const char *uri_id, const void *body, size_t size,
                  const char *factors);
/* The same for an offline signature with components of 8 digits. */
bool bank_accepts_offline(bank *bank, const char *code, const char *uri_id, const void *body, size_t size,
                          const uint8_t nonce[16], bool biometry);
/* The same of a code that is typed, or never is. */
bool bank_sees_offline(bank *bank, const char *code, const char *uri_id, const void *body, size_t size,
                       const uint8_t nonce[16], bool biometry, bool is_typed);
/* The same for a token header. */
bool bank_accepts_token(bank *bank, const char *header);

/* Notes the counter value of a signature that was given out or left the device, and never reached the server. */
void bank_witness(bank *bank, const char *header, const char *method, const char *uri_id, const void *body,
                  size_t size);

/* The path of a request, by the names above; another one as it is, NULL for another server's. */
const char *bank_path(const mtoken_testing_request *request);

/* What a signed request of the library's is signed for, e.g. "/pa/token/create"; NULL: it is not signed. */
const char *bank_uri_id(const mtoken_testing_request *request);

/* The value of a header of a request; NULL: none. */
const char *header_of(const mtoken_testing_request *request, const char *name);

/* An answer that wraps what is given: {"status":"OK","responseObject":...}. `object` may be NULL and is taken over. */
bank_answer bank_ok(json_t *object);
bank_answer bank_error(int status, const char *code, const char *message);

#endif
