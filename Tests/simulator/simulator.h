/*
 * One seed, one life: the library, its bank, a gateway between them, the disk and the clock in one process and in
 * virtual time. A plan is made of the seed: which faults this life knows, how often they strike, and its steps. Playing
 * a plan draws nothing from outside, so that the same seed sends the same bytes. See README.md.
 */
#ifndef SIMULATOR_H
#define SIMULATOR_H

#include "disk.h"
#include "random.h"
#include "world.h"

#define MOST_STEPS 300
#define MOST_FLIGHTS 6
#define MOST_OPERATIONS 96
#define MOST_FAULTS 64
#define MOST_ACTIONS 64
#define MOST_NONCES 4096
#define STATE "alice.state"
#define SECRET "alice.key"

typedef struct step {
    uint32_t action; /* of actions, or behind them of faults */
    uint32_t number; /* what the step draws, it draws from here: without its neighbours it stays the same */
} step;

typedef struct plan {
    uint64_t seed;
    uint64_t faults; /* a bit for each that this life knows */
    uint32_t rate;   /* percent of the requests that meet one */
    int32_t protocol;
    int window;     /* the bank's look-ahead window at the beginning */
    bool biometry;  /* the user has a biometry key, and decides with it */
    bool neighbour; /* there is another application */
    bool disk;      /* the state is in a directory, not in memory */
    bool upgrades;  /* the bank offers to go on in 4.0 */
    bool logs;      /* all that the library says is read */
    size_t count;
    step steps[MOST_STEPS];
} plan;

/* A task under way, and what its end may be. */
typedef struct flight {
    mtoken_task *task;
    const char *name;
    bool right, wrong;                   /* whether its PIN or biometry key is; neither: it needs none */
    int asked;                           /* the operation that it asks the user about */
    int operation;                       /* that it decides; -1: none */
    bool approves, was_pending, at_once; /* at_once: cancelled before the runtime has come to it */
    int ahead;                           /* signatures of a copy that were not noticed when it began */
    bool began_in_doubt, doubt, at_risk; /* doubt, at_risk: were there while it was under way */
    bool lost;                           /* the answer to a wrong PIN or biometry key was lost meanwhile */
    int events;                          /* of its end */
    int changes;                         /* of the activation's state at the bank before it began */
    size_t first;                        /* of the requests since its begin */
} flight;

/* A sealer that a host brings: what it seals only it can open. */
typedef struct seal {
    struct life *life;
    uint8_t number;
    mtoken_sealer *sealer;
} seal;

typedef struct life {
    const plan *plan;
    world world;
    char folder[300]; /* of the state, in a life with a disk */
    bool tells;       /* every step in words */
    stream requests;  /* which faults this step's requests meet */
    size_t step;
    flight flights[MOST_FLIGHTS];
    size_t flight_count;
    struct {
        int approvals, rejections; /* asked for, without those that are said not to have been sent */
    } operations[MOST_OPERATIONS];
    size_t operation_count;
    mtoken_auth user;    /* the right PIN or biometry key */
    int failed;          /* wrong ones that the bank has counted */
    int wrong;           /* flights with a wrong one */
    int32_t state;       /* of the activation at the bank */
    int changes, proven; /* how often that changed; and before the last right signature that was accepted began */
    bool seemed_blocked; /* by the last status, at the last look */
    bool doubt;          /* whether a wrong one was counted is not known, and no status has told it since */
    bool changes_factor; /* and until it has ended, nobody knows the right one */
    bool calm;           /* no more faults */
    size_t gone_from;    /* the number of the first request that comes from a process that was killed before */
    bool at_risk;        /* in this step more than half of the window was open */
    struct {
        bank *bank; /* NULL: there is none */
        mtoken_client *client;
        mtoken_task *task;
        size_t operations;
    } neighbour;
    bool unheard; /* the bank has accepted the host's last signature, and the library does not know */
    bool polls;   /* the host wants its operations polled */
    size_t lists; /* requests for the list that the bank has seen */
    mtoken_testing_data *backup;
    mtoken_bytes backup_pin, backup_finger; /* with which the state in the backup is locked */
    long backup_counter;                    /* the bank's when it was made */
    int ahead;                              /* signatures of a copy that are not noticed yet */
    int32_t times_behind;                   /* what the library has noticed of that */
    bool may_seem_behind;                   /* an old state has signed, or a server has lied */
    bool is_restored;                       /* an old state signs with counter values that were used */
    mtoken_client *hasty;                   /* the same client, for a host in a hurry */
    struct {
        seal made[2];
        int now, before; /* -1: none; `before` differs while nobody knows which one it is */
        int failures;    /* calls that fail from now on */
    } seals;
    char (*nonces)[25]; /* of everything that was sent */
    size_t nonce_count;
    size_t descriptors; /* of the process, before this life */
    uint64_t met;       /* faults that struck */
    uint64_t digest;    /* of all that was sent and how it ended */
    const char *broken;
    char detail[400];
} life;

extern const char *const pins[3]; /* the first one is that of the activation, as of the biometry keys */
extern const uint8_t fingers[3][16], wrong_key[16];

/* An invariant: the first one that does not hold ends the life. */
void must(life *life, bool holds, const char *invariant, const char *format, ...);
/* Says something of this step. */
void tell(const life *life, const char *format, ...);

/* The identifier of an operation. */
#define ID_SIZE 24
const char *id_of(size_t operation, char id[ID_SIZE]);
/* Where it stands at the bank. */
const char *status_of(const life *life, size_t operation);

/* What hosts do: each row is one thing. */
typedef struct action {
    const char *name;
    uint32_t weight;
    void (*act)(life *life, stream *stream);
} action;
extern const action actions[];
extern const size_t action_count;

/* What the world does: each row is one fault. A request meets one of the first two kinds; the third is a step of its
 * own. */
typedef struct fault {
    const char *name;
    /* In the bank's place: the request does not come to it. */
    void (*before)(life *life, const mtoken_testing_request *request, mtoken_testing_answer *answer);
    /* On the way back: the bank has done what was asked. */
    void (*after)(life *life, const mtoken_testing_request *request, mtoken_testing_answer *answer);
    void (*event)(life *life, stream *stream);
} fault;
extern const fault faults[];
extern const size_t fault_count;
/* The one of them that changes nothing: a gateway packs the answer. */
void packed(life *life, const mtoken_testing_request *request, mtoken_testing_answer *answer);

/* The activation has its first PIN and biometry key. */
void has_factors(life *life);
/* From now on with this biometry key; without one, with the PIN. */
void decides_with(life *life, mtoken_bytes key);
void activate_anew(life *life, stream *stream);

/* The user answers, or does not. */
void answer_challenge(life *life, flight *flight, mtoken_challenge *challenge);
/* Sees to the tasks that have ended. */
void land(life *life);
/* From now on the store does what it is asked. */
void store_is_in_order(life *life);
/* Ends runtime and client, and opens what is stored. */
void stop(life *life);
void start_again(life *life);
/* Serves what waits, with the faults of this step. */
void serve(life *life, size_t most);
/* Serves and lets time go on until a task has ended; its status. */
mtoken_status await(life *life, mtoken_task *task);

/* process.c: what the process must not keep or give away. */
size_t open_descriptors(void);
/* After a life nothing of it is in memory, but what is kept for all lives. */
void look_at_memory(life *life);
/* In one life of eight: no secret is in memory that is given back, nor, once no call needs it, anywhere. */
void watch_memory(life *life);
void look_for_secrets(life *life);
void read_log(life *life, const mtoken_event *event);
/* From now on the nth allocation of OpenSSL or Jansson fails, if it is not the bank's; 0: none does. */
void memory_runs_out(size_t nth);
/* To be called before anything else: OpenSSL's and Jansson's memory comes from here. */
void memory_is_ours(void);

/* The host's sealers. */
void seals_make(life *life);
void seals_free(life *life);

/* neighbour.c: another application. */
void neighbour_move_in(life *life);
bool is_neighbours(const mtoken_testing_request *request);
bank_answer neighbour_answer(life *life, const mtoken_testing_request *request);
void neighbour_look(life *life);
void neighbour_moves(life *life, stream *stream);
void neighbour_stop(life *life);
void neighbour_start_again(life *life);
void neighbour_calms_down(life *life);
void neighbour_moves_out(life *life);

/* Plays a plan. */
void play(life *life, const plan *plan, bool tells);
void plan_of(plan *plan, uint64_t seed, size_t steps);
/* In words, so that it stays the same life when there are other actions and faults. `why`: a line of its own. */
bool plan_save(const plan *plan, const char *path, const char *why);
/* Also chooses the protocol of this process. False: it is no plan, or names what there is not. */
bool plan_load(plan *plan, const char *path);

#endif
