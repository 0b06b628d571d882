/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of mtoken.Native. */
#define _GNU_SOURCE
#include "glue.h"

#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>

#include "addresses.h"

#define NEAR 2048
#define EXPORT(type, name) JNIEXPORT type JNICALL Java_mtoken_Native_##name

void *room(input *in, size_t size)
{
    struct rooms *made = calloc(1, sizeof *made + size);
    if (!made) abort();
    made->next = in->rooms;
    made->size = sizeof *made + size;
    in->rooms = made;
    return made + 1;
}

static void leave_rooms(input *in)
{
    while (in->rooms) {
        struct rooms *next = in->rooms->next;
        explicit_bzero(in->rooms, in->rooms->size);
        free(in->rooms);
        in->rooms = next;
    }
}

void grow(output *out, size_t count)
{
    size_t size = 2 * out->size;
    while (size - out->used < count) size *= 2;
    uint8_t *made = malloc(size);
    if (!made) abort();
    memcpy(made, out->data, out->used);
    explicit_bzero(out->data, out->used);
    if (out->is_heap) free(out->data);
    *out = (output){made, out->used, size, true};
}

/* The array that Java reads; what it was made of is wiped. NULL with an OutOfMemoryError pending. */
static jbyteArray given(JNIEnv *env, output *out)
{
    jbyteArray array = (*env)->NewByteArray(env, (jsize)out->used);
    if (array) (*env)->SetByteArrayRegion(env, array, 0, (jsize)out->used, (const jbyte *)out->data);
    explicit_bzero(out->data, out->used);
    if (out->is_heap) free(out->data);
    return array;
}

void put_failure(output *out, mtoken_status status, mtoken_error *error)
{
    mtoken_error bare = {.code = status,
                         .reason = "noDetails",
                         .upstream_reason = "noDetails",
                         .remaining_attempts = -1,
                         .byte_offset = -1};
    const char *said = F(mtoken_error_description)(status);
    bare.message = said ? said : "The library gives no description.";
    bare.retry_after_ms = -1;
    put_flag(out, 1);
    put_error(out, error ? error : &bare);
    F(mtoken_error_free)(error);
}

/* NULL, or the failure. */
static jbyteArray failure(JNIEnv *env, mtoken_status status, mtoken_error *error)
{
    if (status == MTOKEN_OK) return NULL;
    uint8_t result[NEAR];
    output out = {result, 0, sizeof result, false};
    put_failure(&out, status, error);
    return given(env, &out);
}

EXPORT(jbyteArray, call)(JNIEnv *env, jclass type, jint function, jbyteArray array, jint length)
{
    (void)type;
    uint8_t near[NEAR], result[NEAR];
    uint8_t *data = length <= NEAR ? near : malloc((size_t)length);
    if (!data || function < 0 || function >= call_count) abort();
    (*env)->GetByteArrayRegion(env, array, 0, length, (jbyte *)data);
    input in = {data, NULL};
    output out = {result, 0, sizeof result, false};
    calls[function](&in, &out);
    leave_rooms(&in);
    explicit_bzero(data, (size_t)length);
    if (data != near) free(data);
    /* Success, and nothing else: no array is made for that. */
    return out.used == 1 && !out.data[0] ? NULL : given(env, &out);
}

EXPORT(jbyteArray, member)(JNIEnv *env, jclass type, jint kind, jlong at, jint index)
{
    (void)type;
    uint8_t result[NEAR];
    output out = {result, 0, sizeof result, false};
    read_member(&out, kind, (const void *)(intptr_t)at, index);
    return given(env, &out);
}

EXPORT(void, free)(JNIEnv *env, jclass type, jint kind, jlong at)
{
    (void)env, (void)type;
    free_at(kind, (void *)(intptr_t)at);
}

/* {status, kind, tag, address, weight}. The completion of a task is freed here: the tag says all. */
EXPORT(void, nextEvent)(JNIEnv *env, jclass type, jlong runtime, jlongArray found)
{
    (void)type;
    mtoken_event *event = NULL;
    mtoken_status status =
        F(mtoken_runtime_next_event)((mtoken_runtime *)(intptr_t)runtime, MTOKEN_FOREVER, &event, NULL);
    jlong said[5] = {status, event ? event->kind : 0, event ? (jlong)event->tag : 0, (intptr_t)event,
                     event_weight(event)};
    if (event && event->kind == MTOKEN_EVENT_TASK) F(mtoken_event_free)(event);
    (*env)->SetLongArrayRegion(env, found, 0, 5, said);
}

EXPORT(jlong, takeChallenge)(JNIEnv *env, jclass type, jlong event)
{
    (void)env, (void)type;
    return (intptr_t)F(mtoken_event_take_challenge)((mtoken_event *)(intptr_t)event);
}

/* Ends the handling and tells the server nothing, as freeing the challenge does; what it has lent stays. */
EXPORT(void, endChallenge)(JNIEnv *env, jclass type, jlong at)
{
    (void)env, (void)type;
    mtoken_challenge *challenge = (mtoken_challenge *)(intptr_t)at;
    const mtoken_challenge_info *info = F(mtoken_challenge_get_info)(challenge);
    /* A custom one that is cancelled would be rejected at the server. */
    bool is_custom = info && info->kind == MTOKEN_CHALLENGE_CUSTOM;
    mtoken_status status = is_custom ? F(mtoken_task_cancel)(F(mtoken_challenge_task)(challenge))
                                     : F(mtoken_challenge_cancel)(challenge, NULL);
    (void)status; /* It has ended already, or does so when it is freed. */
}

EXPORT(jint, taskState)(JNIEnv *env, jclass type, jlong task)
{
    (void)env, (void)type;
    return F(mtoken_task_get_state)((const mtoken_task *)(intptr_t)task);
}

EXPORT(jbyteArray, taskCancel)(JNIEnv *env, jclass type, jlong task)
{
    (void)type;
    return failure(env, F(mtoken_task_cancel)((mtoken_task *)(intptr_t)task), NULL);
}

EXPORT(jint, taskNotify)(JNIEnv *env, jclass type, jlong task, jlong tag)
{
    (void)env, (void)type;
    return F(mtoken_task_notify)((mtoken_task *)(intptr_t)task, (uint64_t)tag, NULL);
}

/* NULL: it has succeeded. */
EXPORT(jbyteArray, taskJoin)(JNIEnv *env, jclass type, jlong task, jlong milliseconds)
{
    (void)type;
    mtoken_error *error = NULL;
    mtoken_status status = F(mtoken_task_join)((const mtoken_task *)(intptr_t)task, milliseconds, &error);
    return failure(env, status, error);
}

/* Loads the library, or finds it if it must be there: NULL, or what the linker said. */
static void *library;

EXPORT(jbyteArray, open)(JNIEnv *env, jclass type, jbyteArray path, jboolean is_there)
{
    (void)type;
    jsize length = (*env)->GetArrayLength(env, path);
    char name[4096];
    if (length >= (jsize)sizeof name) length = sizeof name - 1;
    (*env)->GetByteArrayRegion(env, path, 0, length, (jbyte *)name);
    name[length] = 0;
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL | (is_there ? RTLD_NOLOAD : 0));
    uint8_t result[NEAR];
    output out = {result, 0, sizeof result, false};
    if (!library) {
        const char *said = dlerror();
        put_text(&out, said ? said : "it is not loaded");
        return given(env, &out);
    }
    addresses[AT_mtoken_abi_version] = dlsym(library, "mtoken_abi_version");
    addresses[AT_mtoken_version_number] = dlsym(library, "mtoken_version_number");
    if (addresses[AT_mtoken_abi_version] && addresses[AT_mtoken_version_number]) return NULL;
    put_text(&out, "it is not libmtoken: it has no mtoken_abi_version");
    return given(env, &out);
}

EXPORT(jint, abi)(JNIEnv *env, jclass type)
{
    (void)env, (void)type;
    return F(mtoken_abi_version)();
}

EXPORT(jint, version)(JNIEnv *env, jclass type)
{
    (void)env, (void)type;
    return (jint)F(mtoken_version_number)();
}

/* Where the library was found, and then finds the functions: NULL, or the name of the one that is missing. */
EXPORT(jbyteArray, bind)(JNIEnv *env, jclass type)
{
    (void)type;
    for (int index = 0; index < FUNCTIONS; index++) {
        addresses[index] = dlsym(library, function_names[index]);
        if (!addresses[index]) {
            uint8_t result[NEAR];
            output out = {result, 0, sizeof result, false};
            put_text(&out, function_names[index]);
            return given(env, &out);
        }
    }
    return NULL;
}
