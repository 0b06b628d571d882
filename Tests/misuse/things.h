/* What well-formed calls are made with: a handle of each kind, structs of the library's, texts that it takes. */
#ifndef THINGS_H
#define THINGS_H

#include "misuse.h"

/* Makes everything, and its removal. */
void things_open(void);
void things_close(void);

/* A live handle of a kind; a client with an activation, or without one. */
void *thing(size_t kind);
void things_have_activation(bool activation);
/* Makes what this function needs and others do not. */
void things_for(const char *function);
/* After a handle of a kind was used with success: the next one is as the first one was. */
void things_renew(size_t kind);

/* Other live handles, which no call must change; and some that were freed. */
void *foreign_thing(size_t kind);
void *freed_thing(size_t kind);

/* Kinds of handles that only live within a function of a host store; runs while one lives. */
bool things_is_lent(size_t kind);
void things_while_lent(size_t kind, void (*body)(void));

/* Lets the runtimes do what calls have started, and forgets their events. */
void things_settle(void);

/* A struct of the library's, by its type. */
const void *made_struct(const char *type);
/* A well-formed struct with functions of the host; NULL: it has none. */
const void *sample(const char *type);
/* A text of TEXTS in recipes.py that begins with "$". */
const char *known_text(const char *name, size_t *length);

#endif
