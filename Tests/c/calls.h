/* Every call that makes a task, in one table: tests that must hold for all of them go through it. */
#ifndef CALLS_H
#define CALLS_H

#include "world.h"

typedef struct call {
    const char *name;
    const char *path;  /* of its own request, after those that it needs first */
    bool is_signed;    /* its request is signed, and so sent at most once */
    bool is_encrypted; /* its answer is encrypted */
    bool has_result;   /* an answer without content is no success */
    bool from_empty;   /* starts from a client without activation; the others need one */
    mtoken_status (*start)(world *world, mtoken_task **out_task, mtoken_error **out_error);
    bool (*gave_result)(mtoken_task *task); /* NULL: it has none */
} call;

extern const call calls[];
extern const size_t call_count;

/* A world in which the call can be made: operation "1" is pending, a token "mine" exists. */
world world_for(const call *call);
/* The same, with events of these kinds. */
world world_for_events(const call *call, int32_t events);

/* Puts the bank back to where the call may be made again, although its answer was lost. */
void bank_forgives(const call *call, bank *bank);

/* Starts of calls that are in no table of calls.c, for tests with tables of their own. */
mtoken_status start_user_info(world *world, mtoken_task **task, mtoken_error **error);
mtoken_status start_push(world *world, mtoken_task **task, mtoken_error **error);
mtoken_status start_count(world *world, mtoken_task **task, mtoken_error **error);
mtoken_status start_message(world *world, mtoken_task **task, mtoken_error **error);
mtoken_status start_reading(world *world, mtoken_task **task, mtoken_error **error);
mtoken_status start_provider(world *world, mtoken_task **task, mtoken_error **error);
mtoken_status start_discovery(world *world, mtoken_task **task, mtoken_error **error);
mtoken_status start_requests(world *world, mtoken_task **task, mtoken_error **error);

#endif
