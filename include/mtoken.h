/*
 * libmtoken: a mobile token (PowerAuth activation, operations, offline approval) as a C library.
 *
 * Include this header, link with -lmtoken (pkg-config: mtoken).
 *
 * The rules of the whole interface
 *
 * Names        mtoken_client_ is about the activation itself: its life, factors and signatures.
 *              Each service has a prefix of its own: mtoken_operations_, mtoken_qr_, mtoken_token_,
 *              mtoken_vault_, mtoken_recovery_, mtoken_push_, mtoken_inbox_, mtoken_mobile_auth_,
 *              mtoken_oidc_. What a task brought is read by mtoken_task_; a snapshot is an _info.
 * Text         Input text is UTF-8, given as pointer and length in bytes, or MTOKEN_NUL_TERMINATED
 *              as the length. A NUL or invalid UTF-8 inside is an error (ARGUMENT). Output text is
 *              UTF-8 and NUL-terminated.
 * Bytes        Pointer and length. A NULL pointer goes with length 0.
 * Pointers     What the library gives out is never NULL unless it is marked MTOKEN_NULLABLE, or an
 *              array without elements. Any out_error may be NULL.
 * Time         int64_t milliseconds since 1970-01-01T00:00:00Z. Time spans have their unit in the
 *              name: _ms, _s. Times that the host gives in lie between 0 and 253402300799999, the
 *              end of the year 9999.
 * Values       An argument or option that is none of its constants, a yes or no that is neither 1
 *              nor 0, and a number out of its range give ARGUMENT: nothing is rounded, cut or taken
 *              for something else.
 * Handles      mtoken_runtime, mtoken_client, mtoken_store, mtoken_task and others are opaque and
 *              checked on each call: NULL, freed or foreign handles give HANDLE and never a crash.
 *              Handles are made by the library, owned by the host and given back with the matching
 *              _free. _free(NULL) does nothing. They are no addresses but numbers between 2^52 and
 *              2^53, so that a double holds them exactly, and none is ever given out twice.
 * Data         Structs that the library gives out are read-only, reached by pointer, and live as
 *              long as the object that the function says. Members are only ever appended, so never
 *              copy such a struct by value, never use its sizeof.
 * Options      Structs that the host gives in begin with struct_size and are set up with the _INIT
 *              macro of their type, or zeroed with struct_size set, which is the same. Every size
 *              from that of version 1.0 on is taken: of a shorter struct the rest is default, of a
 *              longer one (by up to 4,096 bytes) the rest must be zero. Else ARGUMENT. The library
 *              copies what it needs before the call returns; it never keeps or changes the host's
 *              memory.
 * Errors       Functions that can fail return an mtoken_status and take an optional mtoken_error **
 *              as the last argument: NULL if the details do not matter, otherwise the address of a
 *              pointer, which is set to NULL on success and to an error that the host frees with
 *              mtoken_error_free on failure. Other out arguments are set to NULL or 0 on failure.
 *              Texts name codes without their prefix: HANDLE is MTOKEN_ERROR_HANDLE.
 * Memory       When there is none left, the process ends by a signal or the call fails: see
 *              docs/guarantees.md. The stored state is whole in either case, and no counter value is
 *              used twice.
 * Threads      Every function may be called from any thread at any time, except that an object must
 *              not be freed while another thread uses data that lives in it. The library calls the
 *              host only in the functions of a host store.
 * Fork         What was made before fork() belongs to the parent: in a child every call and wait on
 *              it answers STATE (reason "forked") at once, what gives no status answers as for an
 *              invalid handle, and freeing it does nothing. Data and errors already in hand stay
 *              readable and may be freed. The child may make a runtime, store and client of its
 *              own.
 * Secrets      PINs and keys are taken as bytes; the library keeps copies only as long as a call
 *              needs them and wipes them.
 * Versions     Within one MTOKEN_ABI_VERSION a program works with every library that is as new as
 *              its header or newer: see mtoken_version_number.
 */
#ifndef MTOKEN_H
#define MTOKEN_H

#include "mtoken/base.h"
#include "mtoken/error.h"
#include "mtoken/runtime.h"
#include "mtoken/task.h"
#include "mtoken/event.h"
#include "mtoken/store.h"
#include "mtoken/client.h"
#include "mtoken/activation.h"
#include "mtoken/signing.h"
#include "mtoken/user.h"
#include "mtoken/factors.h"
#include "mtoken/vault.h"
#include "mtoken/request.h"
#include "mtoken/token.h"
#include "mtoken/operation_fields.h"
#include "mtoken/qr.h"
#include "mtoken/operation.h"
#include "mtoken/operations.h"
#include "mtoken/pac.h"
#include "mtoken/oidc.h"
#include "mtoken/push.h"
#include "mtoken/inbox.h"
#include "mtoken/mobile_auth.h"
#include "mtoken/registry.h"
#include "mtoken/watcher.h"
#include "mtoken/mobile_token_data.h"
#include "mtoken/visual.h"
#include "mtoken/trace.h"

#endif
