/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libmtoken: a mobile token (PowerAuth activation, operations, offline approval) as a C library.
 *
 * Include this header and link with -lmtoken (pkg-config: mtoken).
 *
 * Rules that hold for the whole interface:
 *
 * Names        mtoken_client_ functions manage a client and its activation: life cycle, factors,
 *              signatures. Each service has a prefix of its own, e.g. mtoken_operations_,
 *              mtoken_qr_, mtoken_token_, mtoken_vault_, mtoken_push_, mtoken_inbox_, mtoken_oidc_.
 *              mtoken_task_ functions read the result of a task. A struct whose name ends in _info
 *              is a snapshot.
 * Terms        "Pure": uses only its arguments; no handle, network or store. "Static": the text
 *              belongs to the library and stays valid until the process ends. "Calls": the requests
 *              sent to the server; the library may first fetch the server's time, a temporary key
 *              or a token. Errors "at once": those of the call that starts a task; "of the task":
 *              those that end it; "network errors": NETWORK, TIMEOUT, TLS, PIN_MISMATCH, HTTP. If
 *              the server refuses a request, the task can also fail as error.h describes.
 * Text         Input text is UTF-8, passed as a pointer and a length in bytes; pass
 *              MTOKEN_NUL_TERMINATED as the length of a C string. Text that is not valid UTF-8 or
 *              contains a NUL fails with ARGUMENT. Output text is UTF-8 and NUL-terminated.
 * Bytes        Pointer and length. NULL is allowed with length 0.
 * Pointers     A pointer that the library returns is NULL only if it is marked MTOKEN_NULLABLE or
 *              is an array without elements. Any out_error may be NULL.
 * Time         int64_t, milliseconds since 1970-01-01T00:00:00Z. The names of durations end in
 *              their unit: _ms, _s. Input times must be between 0 and 253402300799999, the end of
 *              the year 9999.
 * Values       An argument or option that is not one of its constants, an mtoken_bool other than 1
 *              or 0, or a number out of range fails with ARGUMENT. Values are never rounded,
 *              clamped or reinterpreted.
 * Handles      mtoken_runtime, mtoken_client, mtoken_store, mtoken_task and others are opaque and
 *              are checked on every call: a NULL, freed or foreign handle fails with HANDLE and
 *              never crashes. The library creates handles, the host owns them, and each must be
 *              freed with the matching _free. _free(NULL) does nothing. Handles are not addresses
 *              but numbers between 2^52 and 2^53: a double holds them exactly, and no handle is
 *              ever reused.
 * Data         Structs that the library returns are read-only, accessed by pointer, and live as
 *              long as the object that the function's comment names. Later versions append members:
 *              never copy such a struct by value or use its sizeof.
 * Options      Structs that the host passes in begin with struct_size. Initialise them with the
 *              _INIT macro of their type, or zero them and set struct_size; the result is the same.
 *              The library accepts every size at which a member ends: a program may declare only
 *              the first members. Members beyond the end of a shorter struct have their defaults. A
 *              longer struct may have up to 4,096 excess bytes, which must be zero. Any other size
 *              fails with ARGUMENT. The library copies what it needs before the call returns; it
 *              never keeps or changes the host's memory.
 * Errors       Functions that can fail return an mtoken_status and take an optional mtoken_error **
 *              as the last argument. Pass NULL if you do not need the details. Otherwise the
 *              pointer is set to NULL on success, and on failure to an error that the host must
 *              free with mtoken_error_free. On failure all other out arguments are set to NULL or
 *              0. Comments name codes without their prefix: HANDLE is MTOKEN_ERROR_HANDLE.
 * Memory       When memory runs out, either the call fails or a signal ends the process (see
 *              docs/guarantees.md). In both cases the stored state stays intact, and no counter
 *              value is used twice.
 * Threads      Every function is safe to call from any thread at any time. One exception: do not
 *              free an object while another thread uses data that lives in it. The library calls
 *              back into the host only through the functions of a host store or host sealer.
 * Fork         Objects created before fork() belong to the parent. In a child, calls and waits on
 *              them fail at once with STATE (reason "forked"), functions that return no status
 *              behave as for an invalid handle, and freeing does nothing. Data and errors obtained
 *              before the fork stay readable and may be freed. The child may create its own
 *              runtime, store and client.
 * Secrets      PINs and keys are passed as bytes. The library wipes its copies when the call or its
 *              task ends; those of device_secret and external_key when the client is freed.
 * Versions     Within one MTOKEN_ABI_VERSION, a program works with every library that is as new as
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
#include "mtoken/sealer.h"
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
#include "mtoken/transport.h"

#endif
