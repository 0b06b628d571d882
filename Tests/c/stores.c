/* Stores: the host's own functions, and directories with all that can be wrong with them. */
#define _GNU_SOURCE
#include "plain.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------------- host stores
 */

/* A host's store: a table, with answers that a test can set, and a log of what it was asked. */
typedef struct host {
    struct {
        char name[96];
        uint8_t data[8192];
        size_t length;
    } items[8];
    int loads, saves, removes, releases;
    mtoken_status load_answer, save_answer, remove_answer, list_answer;
    int fails_at; /* the save of that number, counted from the first, fails; 0: none */
    bool replies_twice, never_replies, huge, replies_wrongly, replies_elsewhere;
    mtoken_store_reply *reply; /* the last one */
    mtoken_runtime *runtime;
    mtoken_client *caller; /* whose client the next remove uses */
    const char *why;       /* what is said of each failure */
} host;

static int find(const host *host, const char *name)
{
    for (int i = 0; i < 8; i++)
        if (strcmp(host->items[i].name, name) == 0) return i;
    return -1;
}

static bool is_item_name(const char *name)
{
    return strlen(name) <= 80 &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") == strlen(name);
}

static void *reply_from_a_thread(void *context)
{
    host *host = context;
    CHECK_OK(mtoken_store_reply_set(host->reply, host->items[0].data, host->items[0].length));
    return NULL;
}

/* Everything that is no reply of this call. */
static void reply_wrongly(host *host)
{
    mtoken_store *store = NULL, *freed = NULL;
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    CHECK_OK(mtoken_store_memory_new(&freed, NULL));
    mtoken_store_free(freed);
    void *wrong[] = {NULL,
                     (void *)1,
                     (void *)8,
                     (void *)-1,
                     host,
                     &store,
                     store,
                     freed,
                     host->runtime,
                     (char *)host->reply + 1,
                     (void *)((uintptr_t)host->reply ^ (uintptr_t)1 << 22),
                     (void *)((uintptr_t)host->reply ^ (uintptr_t)1 << 45)};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK_STATUS(mtoken_store_reply_set(wrong[i], (const uint8_t *)"wrong", 5), MTOKEN_ERROR_HANDLE);
    CHECK_STATUS(mtoken_store_reply_set(host->reply, NULL, 7), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_store_reply_set(host->reply, (const uint8_t *)"wrong", SIZE_MAX), MTOKEN_ERROR_ARGUMENT);
    mtoken_store_free(store);
}

static mtoken_status host_load(void *context, const char *name, mtoken_store_reply *reply)
{
    host *host = context;
    host->loads++;
    if (host->reply) /* that of another call, which has returned */
        CHECK_STATUS(mtoken_store_reply_set(host->reply, (const uint8_t *)"late", 4), MTOKEN_ERROR_HANDLE);
    CHECK(reply != host->reply);
    host->reply = reply;
    CHECK(is_item_name(name));
    if (host->load_answer != MTOKEN_OK) return host->load_answer;
    if (host->never_replies) return MTOKEN_OK;
    int index = find(host, name);
    if (index < 0) return MTOKEN_ERROR_NOT_FOUND;
    if (host->huge) {
        static const uint8_t huge[1 << 20];
        CHECK_OK(mtoken_store_reply_set(reply, huge, sizeof huge));
        return MTOKEN_OK;
    }
    if (host->replies_twice)
        CHECK_OK(mtoken_store_reply_set(reply, (const uint8_t *)"wrong", 5)); /* the last call wins */
    if (host->replies_elsewhere) {
        pthread_t thread;
        CHECK_INT(pthread_create(&thread, NULL, reply_from_a_thread, host), 0);
        pthread_join(thread, NULL);
        return MTOKEN_OK;
    }
    uint8_t copy[8192]; /* the bytes are copied: they may go away at once */
    memcpy(copy, host->items[index].data, host->items[index].length);
    CHECK_OK(mtoken_store_reply_set(reply, copy, host->items[index].length));
    memset(copy, 0xAA, sizeof copy);
    if (host->replies_wrongly) reply_wrongly(host);
    return MTOKEN_OK;
}

static mtoken_status host_save(void *context, const char *name, const uint8_t *data, size_t length)
{
    host *host = context;
    host->saves++;
    CHECK(is_item_name(name));
    CHECK(data && length > 0 && length <= sizeof host->items[0].data);
    if (host->save_answer != MTOKEN_OK) return host->save_answer;
    if (host->fails_at == host->saves) return MTOKEN_ERROR_STORAGE;
    int index = find(host, name);
    for (int i = 0; i < 8 && index < 0; i++)
        if (!host->items[i].name[0]) index = i;
    snprintf(host->items[index].name, sizeof host->items[index].name, "%s", name);
    memcpy(host->items[index].data, data, length);
    host->items[index].length = length;
    return MTOKEN_OK;
}

static mtoken_status host_remove(void *context, const char *name)
{
    host *host = context;
    host->removes++;
    CHECK(is_item_name(name));
    mtoken_client *caller = host->caller;
    host->caller = NULL;
    if (caller) {
        mtoken_error *error = NULL;
        CHECK_STATUS(mtoken_client_remove_local(caller, &error), MTOKEN_ERROR_STATE);
        if (CHECK(error != NULL)) CHECK_TEXT(error->reason, "insideHostFunction");
        mtoken_error_free(error);
        mtoken_client_free(caller);
        CHECK_STATUS(mtoken_client_remove_local(caller, NULL), MTOKEN_ERROR_HANDLE);
    }
    if (host->remove_answer != MTOKEN_OK) return host->remove_answer;
    int index = find(host, name);
    if (index >= 0) host->items[index].name[0] = 0;
    return MTOKEN_OK;
}

static void host_release(void *context) { ((host *)context)->releases++; }

static const char *host_explain(void *context) { return ((host *)context)->why; }

static mtoken_store *store_of(host *host)
{
    mtoken_host_store functions = MTOKEN_HOST_STORE_INIT;
    mtoken_store *store = NULL;
    functions.context = host;
    functions.load = host_load;
    functions.save = host_save;
    functions.remove = host_remove;
    functions.release = host_release;
    functions.explain = host_explain;
    CHECK_OK(mtoken_store_host_new(&functions, &store, NULL));
    return store;
}

static void host_store_needs_its_functions(void)
{
    const mtoken_host_store good = plain_host_store();
    mtoken_host_store bad = good;
    mtoken_store *store = (mtoken_store *)1;
    mtoken_error *error = NULL;
    bad.load = NULL;
    CHECK_ERROR(mtoken_store_host_new(&bad, &store, &error), MTOKEN_ERROR_ARGUMENT, error);
    CHECK(store == NULL);
    bad = good;
    bad.save = NULL;
    CHECK_ERROR(mtoken_store_host_new(&bad, &store, &error), MTOKEN_ERROR_ARGUMENT, error);
    bad = good;
    bad.remove = NULL;
    CHECK_ERROR(mtoken_store_host_new(&bad, &store, &error), MTOKEN_ERROR_ARGUMENT, error);
    bad = good;
    bad.struct_size = 8;
    CHECK_ERROR(mtoken_store_host_new(&bad, &store, &error), MTOKEN_ERROR_ARGUMENT, error);
    CHECK_STATUS(mtoken_store_host_new(NULL, &store, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_store_host_new(&good, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_OK(mtoken_store_host_new(&good, &store, NULL)); /* release is optional */
    mtoken_store_free(store);
    CHECK_STATUS(mtoken_store_reply_set(NULL, (const uint8_t *)"x", 1), MTOKEN_ERROR_HANDLE);
}

static void release_is_called_once_at_the_very_end(void)
{
    host host;
    memset(&host, 0, sizeof host);
    mtoken_runtime *runtime = NULL;
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
    mtoken_store *store = store_of(&host);
    mtoken_client *a = plain_client(runtime, store, "a", CLOSED_URL),
                  *b = plain_client(runtime, store, "b", CLOSED_URL);
    mtoken_store_free(store);
    CHECK_INT(host.releases, 0); /* its clients keep it */
    mtoken_client_free(a);
    CHECK_INT(host.releases, 0);
    mtoken_client_free(b);
    mtoken_runtime_free(runtime);
    CHECK_INT(host.releases, 1);
    CHECK(host.loads > 0);
    store = store_of(&host);
    mtoken_store_free(store);
    CHECK_INT(host.releases, 2); /* unused */
}

/* A reply is that of one call, and of no other: a wrong or late one is told so, and changes nothing. */
static void a_reply_belongs_to_its_call(void)
{
    host host;
    memset(&host, 0, sizeof host);
    CHECK_OK(mtoken_runtime_new(NULL, &host.runtime, NULL));
    mtoken_store *store = store_of(&host);
    host_save(&host, "a.key", (const uint8_t *)"0123456789abcdef0123456789abcdef", 32);
    for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
        host.replies_wrongly = !elsewhere;
        host.replies_elsewhere = elsewhere;
        int loads = host.loads;
        mtoken_client *client = plain_client(host.runtime, store, "a", CLOSED_URL);
        CHECK(host.loads > loads);
        for (int i = 0; i < 3; i++)
            CHECK_STATUS(mtoken_store_reply_set(host.reply, (const uint8_t *)"late", 4), MTOKEN_ERROR_HANDLE);
        mtoken_client_free(client);
    }
    mtoken_store_free(store);
    CHECK_STATUS(mtoken_store_reply_set(host.reply, (const uint8_t *)"late", 4), MTOKEN_ERROR_HANDLE);
    mtoken_runtime_free(host.runtime);
}

static void check_cause(host *host, mtoken_client *client, const char *why, const char *cause)
{
    mtoken_error *error = NULL;
    host->why = why;
    CHECK_STATUS(mtoken_client_remove_local(client, &error), MTOKEN_ERROR_STORAGE);
    if (!CHECK(error != NULL)) return;
    if (cause)
        CHECK_TEXT(error->cause, cause);
    else
        CHECK(error->cause == NULL);
    mtoken_error_free(error);
}

static void host_answers_are_understood(void)
{
    host host;
    memset(&host, 0, sizeof host);
    mtoken_runtime *runtime = NULL;
    mtoken_client *client = NULL;
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
    mtoken_store *store = store_of(&host);
    mtoken_client_options options = plain_options(store, "a", CLOSED_URL);
    mtoken_error *error = NULL;
    static const mtoken_status answers[] = {
        MTOKEN_ERROR_STORAGE, MTOKEN_ERROR_INTERNAL, MTOKEN_ERROR_TAMPERED, -1, INT32_MAX, INT32_MIN, 12345};
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        host.load_answer = answers[i];
        CHECK_ERROR(mtoken_client_new(runtime, &options, &client, &error), MTOKEN_ERROR_STORAGE, error);
    }
    host.load_answer = MTOKEN_OK;
    host.never_replies = true; /* says that it has the item and does not hand it over */
    CHECK_ERROR(mtoken_client_new(runtime, &options, &client, &error), MTOKEN_ERROR_STORAGE, error);
    host.never_replies = false;
    host_save(&host, "a.state", (const uint8_t *)"garbage", 7);
    CHECK_ERROR(mtoken_client_new(runtime, &options, &client, &error), MTOKEN_ERROR_TAMPERED, error);
    host_save(&host, "a.key", (const uint8_t *)"0123456789abcdef0123456789abcdef", 32);
    CHECK_ERROR(mtoken_client_new(runtime, &options, &client, &error), MTOKEN_ERROR_TAMPERED, error);
    host.huge = true;
    CHECK_ERROR(mtoken_client_new(runtime, &options, &client, &error), MTOKEN_ERROR_TAMPERED, error);
    host.huge = false;
    CHECK_INT(host.saves, 2); /* the library wrote nothing over it */
    CHECK_INT(host.removes, 0);
    host_remove(&host, "a.state");
    CHECK_OK(mtoken_client_new(runtime, &options, &client, NULL)); /* a key alone is no activation */
    host.remove_answer = MTOKEN_ERROR_NOT_FOUND;                   /* fine: it is gone */
    CHECK_OK(mtoken_client_remove_local(client, NULL));
    host.remove_answer = -7;
    check_cause(&host, client, "The disk is full.", "The disk is full.");
    check_cause(&host, client, "a\nb", "a b"); /* it stays in its line */
    check_cause(&host, client, "\xff", NULL);
    check_cause(&host, client, NULL, NULL);
    host.remove_answer = MTOKEN_OK;
    CHECK_OK(mtoken_client_remove_local(client, NULL));
    host.caller = client; /* its own client, which is freed when the function has returned */
    CHECK_OK(mtoken_client_remove_local(client, NULL));
    CHECK(host.caller == NULL);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
    CHECK_INT(host.releases, 1);
}

/* ------------------------------------------------------------------------------------------------------- directories
 */

static mtoken_status open_directory(const char *path, mtoken_store **store)
{
    mtoken_error *error = NULL;
    mtoken_status status = mtoken_store_directory_new(path, MTOKEN_NUL_TERMINATED, store, &error);
    CHECK((error != NULL) == (status != MTOKEN_OK));
    mtoken_error_free(error);
    return status;
}

static void put_file(const char *folder, const char *name, const char *content, mode_t mode)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    fputs(content, file);
    fclose(file);
    chmod(path, mode);
}

static void files_of_others_are_refused(void)
{
    char folder[256], path[300];
    mtoken_store *store = NULL;
    mtoken_runtime *runtime = NULL;
    mtoken_client *client = NULL;
    make_directory(folder, sizeof folder);
    CHECK_OK(open_directory(folder, &store));
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
    mtoken_client_options options = plain_options(store, "a", CLOSED_URL);
    put_file(folder, "a.key", "0123456789abcdef0123456789abcdef", 0644); /* readable by others, and nobody's */
    CHECK_OK(mtoken_client_new(runtime, &options, &client, NULL));
    mtoken_client_free(client);
    put_file(folder, "a.state", "MTKS", 0600); /* too short for a state */
    CHECK_STATUS(mtoken_client_new(runtime, &options, &client, NULL), MTOKEN_ERROR_STORAGE);
    put_file(folder, "a.key", "0123456789abcdef0123456789abcdef", 0600);
    CHECK_STATUS(mtoken_client_new(runtime, &options, &client, NULL), MTOKEN_ERROR_TAMPERED);
    snprintf(path, sizeof path, "%s/a.state", folder);
    unlink(path);
    CHECK_INT(symlink("/etc/hostname", path), 0); /* not followed */
    CHECK_STATUS(mtoken_client_new(runtime, &options, &client, NULL), MTOKEN_ERROR_STORAGE);
    unlink(path);
    CHECK_INT(mkfifo(path, 0600), 0); /* would block */
    CHECK_STATUS(mtoken_client_new(runtime, &options, &client, NULL), MTOKEN_ERROR_STORAGE);
    unlink(path);
    CHECK_INT(mkdir(path, 0700), 0);
    CHECK_STATUS(mtoken_client_new(runtime, &options, &client, NULL), MTOKEN_ERROR_STORAGE);
    rmdir(path);
    put_file(folder, "a.state", "", 0600);
    CHECK_INT(truncate(path, (off_t)1 << 31), 0); /* sparse and huge */
    CHECK_STATUS(mtoken_client_new(runtime, &options, &client, NULL), MTOKEN_ERROR_STORAGE);
    unlink(path);
    CHECK_OK(mtoken_client_new(runtime, &options, &client, NULL));
    mtoken_client_free(client);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
    remove_directory(folder);
}

/* Two stores on one directory, in one process or two, keep each other out of a client's name; death gives it back. */
static void names_are_locked_between_processes(void)
{
    char folder[256];
    mtoken_store *one = NULL, *two = NULL;
    mtoken_runtime *runtime = NULL;
    mtoken_client *client = NULL, *other = NULL;
    make_directory(folder, sizeof folder);
    CHECK_OK(open_directory(folder, &one));
    CHECK_OK(open_directory(folder, &two));
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
    mtoken_client_options options = plain_options(one, "a", CLOSED_URL), second = plain_options(two, "a", CLOSED_URL);
    CHECK_OK(mtoken_client_new(runtime, &options, &client, NULL));
    CHECK_STATUS(mtoken_client_new(runtime, &second, &other, NULL), MTOKEN_ERROR_BUSY);
    second.id = text("b");
    CHECK_OK(mtoken_client_new(runtime, &second, &other, NULL)); /* another name is free */
    mtoken_client_free(other);
    second.id = text("a");
    mtoken_client_free(client);
    CHECK_OK(mtoken_client_new(runtime, &second, &client, NULL));
    mtoken_client_free(client);
    mtoken_store_free(two);

    int ready[2];
    CHECK_INT(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) { /* takes the name and dies with it; a runtime of its own */
        mtoken_runtime *own = NULL;
        mtoken_store *own_store = NULL;
        mtoken_client *own_client = NULL;
        bool good = mtoken_runtime_new(NULL, &own, NULL) == MTOKEN_OK &&
                    mtoken_store_directory_new(folder, MTOKEN_NUL_TERMINATED, &own_store, NULL) == MTOKEN_OK;
        mtoken_client_options own_options = plain_options(own_store, "a", CLOSED_URL);
        good = good && mtoken_client_new(own, &own_options, &own_client, NULL) == MTOKEN_OK;
        if (write(ready[1], good ? "y" : "n", 1) == 1)
            for (;;) pause();
        _exit(1);
    }
    char answer = 0;
    CHECK_INT(read(ready[0], &answer, 1), 1);
    CHECK_INT(answer, 'y');
    CHECK_STATUS(mtoken_client_new(runtime, &options, &client, NULL), MTOKEN_ERROR_BUSY);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    CHECK_OK(mtoken_client_new(runtime, &options, &client, NULL));
    mtoken_client_free(client);
    close(ready[0]);
    close(ready[1]);
    mtoken_store_free(one);
    mtoken_runtime_free(runtime);
    remove_directory(folder);
}

static void memory_is_gone_with_its_store(void)
{
    mtoken_store *store = NULL;
    mtoken_runtime *runtime = NULL;
    CHECK_STATUS(mtoken_store_memory_new(NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
    mtoken_client *client = plain_client(runtime, store, "a", CLOSED_URL);
    mtoken_store_free(store);
    CHECK_OK(mtoken_client_remove_local(client, NULL)); /* kept by its client */
    mtoken_client_free(client);
    mtoken_runtime_free(runtime);
}

/* ------------------------------------------------------------------------------------------------- what is in a store
 */

static void put(const char *directory, const char *name, const char *content)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(content, file) >= 0);
    if (file) {
        CHECK_INT(fchmod(fileno(file), 0600), 0);
        fclose(file);
    }
}

/* Whether a file holds a short text: as it is, or as the content of slots. */
static bool holds(const char *directory, const char *name, const char *content)
{
    char path[512], bytes[12289];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    if (!file) return content == NULL;
    size_t size = fread(bytes, 1, sizeof bytes, file), length = content ? strlen(content) : 0;
    fclose(file);
    const char *found = bytes;
    host host;
    memset(&host, 0, sizeof host);
    if (size == 12288) {
        mtoken_store *store = NULL, *copy = store_of(&host);
        CHECK_OK(mtoken_store_directory_new(directory, MTOKEN_NUL_TERMINATED, &store, NULL));
        CHECK_OK(mtoken_store_copy(store, name, strlen(name) - strlen(".state"), copy, "x", 1, NULL));
        int index = find(&host, "x.state");
        found = index < 0 ? "" : (const char *)host.items[index].data;
        size = index < 0 ? 0 : host.items[index].length;
        mtoken_store_free(copy);
        mtoken_store_free(store);
    }
    return content && size == length && memcmp(found, content, length) == 0;
}

/* The ids in a store, joined by spaces. */
static const char *ids_of(mtoken_store *store, char text[512])
{
    mtoken_store_list *list = NULL;
    text[0] = 0;
    if (CHECK_OK(mtoken_store_clients(store, &list, NULL)))
        for (size_t i = 0; i < list->count; i++) {
            strcat(text, i ? " " : "");
            strcat(text, list->ids[i]);
        }
    if (list && list->count == 0) CHECK(list->ids == NULL);
    mtoken_store_list_free(list);
    return text;
}

static mtoken_store *directory_store(char path[64])
{
    mtoken_store *store = NULL;
    strcpy(path, "/tmp/mtoken-store-XXXXXX");
    CHECK(mkdtemp(path) != NULL);
    CHECK_OK(mtoken_store_directory_new(path, MTOKEN_NUL_TERMINATED, &store, NULL));
    return store;
}

static void drop_directory(const char *path)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", path);
    CHECK_INT(system(command), 0);
}

static void directory_tells_its_clients(void)
{
    char path[64], text[512];
    mtoken_store *store = directory_store(path);
    CHECK_TEXT(ids_of(store, text), "");
    static const char *const ours[] = {"b.state",  "b.key",         "B.state", "a-1.state",
                                       "only.key", "a.state.state", "a.state", "_.state"};
    static const char *const others[] = {"notes.txt",      ".state",     ".key",         "x.state~",
                                         "state",          "a b.state",  ".b.state.tmp", "..state",
                                         "\xc3\xa9.state", "\xff.state", "x.STATE"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) put(path, ours[i], "anything");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) put(path, others[i], "x");
    char folder[128];
    snprintf(folder, sizeof folder, "%s/folder.state", path);
    CHECK_INT(mkdir(folder, 0700), 0);
    snprintf(folder, sizeof folder, "%s/link.state", path);
    CHECK_INT(symlink("/etc/passwd", folder), 0);
    CHECK_TEXT(ids_of(store, text), "B _ a a-1 a.state b only");
    CHECK_TEXT(ids_of(store, text), "B _ a a-1 a.state b only"); /* and again */
    mtoken_store_free(store);
    drop_directory(path);
}

static void clients_that_cannot_be_opened_can_be_removed(void)
{
    char path[64], text[512];
    mtoken_error *error = NULL;
    mtoken_runtime *runtime = NULL;
    mtoken_client *client = NULL;
    mtoken_store *store = directory_store(path), *second = NULL;
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
    put(path, "a.state", "broken");
    put(path, "a.key", "0123456789abcdef0123456789abcdef");
    put(path, "a.state.state", "another's");
    mtoken_client_options options = plain_options(store, "a", CLOSED_URL);
    CHECK_ERROR(mtoken_client_new(runtime, &options, &client, &error), MTOKEN_ERROR_TAMPERED, error);
    CHECK_OK(mtoken_store_remove(store, "a", 1, NULL));
    CHECK(holds(path, "a.state", NULL) && holds(path, "a.key", NULL));
    CHECK(holds(path, "a.state.state", "another's"));
    CHECK_ERROR(mtoken_store_remove(store, "a", MTOKEN_NUL_TERMINATED, &error), MTOKEN_ERROR_NOT_FOUND, error);
    CHECK_TEXT(ids_of(store, text), "a.state");

    /* Not while a client has it open, here or through another store on the directory. */
    client = plain_client(runtime, store, "a", CLOSED_URL);
    CHECK_OK(mtoken_store_directory_new(path, MTOKEN_NUL_TERMINATED, &second, NULL));
    put(path, "a.state", "broken");
    CHECK_ERROR(mtoken_store_remove(store, "a", 1, &error), MTOKEN_ERROR_BUSY, error);
    CHECK_ERROR(mtoken_store_remove(second, "a", 1, &error), MTOKEN_ERROR_BUSY, error);
    CHECK_ERROR(mtoken_store_copy(second, "a", 1, second, "b", 1, &error), MTOKEN_ERROR_BUSY, error);
    CHECK_ERROR(mtoken_store_copy(second, "a.state", 7, second, "a", 1, &error), MTOKEN_ERROR_BUSY, error);
    CHECK(holds(path, "a.state", "broken"));
    mtoken_client_free(client);
    /* Nor in another process. */
    int told[2];
    CHECK_INT(pipe(told), 0);
    pid_t child = fork();
    if (child == 0) {
        char byte;
        mtoken_runtime *own = NULL;
        mtoken_store *same = NULL;
        if (mtoken_runtime_new(NULL, &own, NULL) ||
            mtoken_store_directory_new(path, MTOKEN_NUL_TERMINATED, &same, NULL))
            _exit(2);
        mtoken_client_options mine = plain_options(same, "fresh", CLOSED_URL);
        mtoken_status status = mtoken_client_new(own, &mine, &client, NULL);
        byte = (char)status;
        if (write(told[1], &byte, 1) == 1)
            for (;;) pause();
        _exit(1);
    }
    char byte = 1;
    CHECK_INT(read(told[0], &byte, 1), 1);
    CHECK_INT(byte, MTOKEN_OK);
    put(path, "fresh.state", "x");
    CHECK_ERROR(mtoken_store_remove(store, "fresh", 5, &error), MTOKEN_ERROR_BUSY, error);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    CHECK_OK(mtoken_store_remove(store, "fresh", 5, NULL));
    close(told[0]);
    close(told[1]);

    CHECK_OK(mtoken_store_remove(second, "a", 1, NULL));
    /* An item that cannot be read is there all the same. */
    put(path, "open.state", "x");
    char file[128];
    snprintf(file, sizeof file, "%s/open.state", path);
    CHECK_INT(chmod(file, 0644), 0);
    CHECK_OK(mtoken_store_remove(store, "open", 4, NULL));
    CHECK(holds(path, "open.state", NULL));
    mtoken_store_free(store);
    mtoken_store_free(second);
    mtoken_runtime_free(runtime);
    drop_directory(path);
}

static void clients_can_be_copied_unread(void)
{
    char path[64], text[512];
    mtoken_error *error = NULL;
    mtoken_store *store = directory_store(path), *memory = NULL;
    CHECK_OK(mtoken_store_memory_new(&memory, NULL));
    put(path, "a.state", "broken");
    put(path, "a.key", "key");
    CHECK_OK(mtoken_store_copy(store, "a", 1, store, "kept", 4, NULL));
    CHECK(holds(path, "kept.state", "broken") && holds(path, "kept.key", "key"));
    CHECK(holds(path, "a.state", "broken") && holds(path, "a.key", "key"));
    put(path, "a.state", "other");
    CHECK_STATUS(mtoken_store_copy(store, "a", 1, store, "kept", 4, &error), MTOKEN_ERROR_STATE);
    if (CHECK(error != NULL)) CHECK_TEXT(error->reason, "alreadyThere");
    mtoken_error_free(error);
    CHECK_STATUS(mtoken_store_copy(store, "a", 1, store, "a", 1, &error), MTOKEN_ERROR_STATE);
    if (CHECK(error != NULL)) CHECK_TEXT(error->reason, "alreadyThere");
    mtoken_error_free(error);
    CHECK(holds(path, "kept.state", "broken"));
    CHECK_ERROR(mtoken_store_copy(store, "none", 4, memory, "none", 4, &error), MTOKEN_ERROR_NOT_FOUND, error);

    /* Into another kind of store, and back. */
    CHECK_OK(mtoken_store_copy(store, "kept", 4, memory, "m", 1, NULL));
    CHECK_TEXT(ids_of(memory, text), "m");
    CHECK_OK(mtoken_store_copy(memory, "m", 1, store, "back", 4, NULL));
    CHECK(holds(path, "back.state", "broken") && holds(path, "back.key", "key"));
    CHECK_OK(mtoken_store_remove(memory, "m", 1, NULL));
    CHECK_TEXT(ids_of(memory, text), "");

    /* What has no key of its own is copied without. */
    put(path, "secretive.state", "x");
    CHECK_OK(mtoken_store_copy(store, "secretive", 9, memory, "s", 1, NULL));
    CHECK_OK(mtoken_store_copy(memory, "s", 1, store, "t", 1, NULL));
    CHECK(holds(path, "t.state", "x") && holds(path, "t.key", NULL));

    /* Half a copy is none: the target fails at the second item. */
    host host;
    memset(&host, 0, sizeof host);
    mtoken_store *failing = store_of(&host);
    host.fails_at = 2;
    CHECK_ERROR(mtoken_store_copy(store, "kept", 4, failing, "f", 1, &error), MTOKEN_ERROR_STORAGE, error);
    CHECK(find(&host, "f.key") < 0 && find(&host, "f.state") < 0);
    host.fails_at = 0;
    CHECK_OK(mtoken_store_copy(store, "kept", 4, failing, "f", 1, NULL));
    CHECK(find(&host, "f.key") >= 0 && find(&host, "f.state") >= 0);
    mtoken_store_free(failing);
    mtoken_store_free(store);
    mtoken_store_free(memory);
    drop_directory(path);
}

static mtoken_store_names *kept_names;

static mtoken_status host_list(void *context, mtoken_store_names *names)
{
    host *host = context;
    kept_names = names;
    if (host->list_answer != MTOKEN_OK) return host->list_answer;
    CHECK_STATUS(mtoken_store_names_add(names, NULL, 0), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_store_names_add(names, "\xff.state", 7), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_store_names_add(names, "a\0.state", 8), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_store_names_add((mtoken_store_names *)context, "x.state", 7), MTOKEN_ERROR_HANDLE);
    for (int i = 0; i < 8; i++)
        if (host->items[i].name[0]) CHECK_OK(mtoken_store_names_add(names, host->items[i].name, MTOKEN_NUL_TERMINATED));
    return MTOKEN_OK;
}

static void host_store_may_tell_its_clients(void)
{
    char text[512];
    host host;
    mtoken_error *error = NULL;
    mtoken_store_list *list = (mtoken_store_list *)1;
    memset(&host, 0, sizeof host);
    mtoken_store *mute = store_of(&host);
    CHECK_STATUS(mtoken_store_clients(mute, &list, &error), MTOKEN_ERROR_UNSUPPORTED);
    if (CHECK(error != NULL)) CHECK_TEXT(error->reason, "storageUnsupported");
    mtoken_error_free(error);
    CHECK(list == NULL);
    mtoken_store_free(mute);

    mtoken_host_store functions = MTOKEN_HOST_STORE_INIT;
    mtoken_store *store = NULL;
    functions.context = &host;
    functions.load = host_load;
    functions.save = host_save;
    functions.remove = host_remove;
    functions.list = host_list;
    CHECK_OK(mtoken_store_host_new(&functions, &store, NULL));
    CHECK_TEXT(ids_of(store, text), "");
    host_save(&host, "z.key", (const uint8_t *)"k", 1);
    host_save(&host, "z.state", (const uint8_t *)"s", 1);
    host_save(&host, "foreign", (const uint8_t *)"s", 1);
    host_save(&host, "Z.state", (const uint8_t *)"s", 1);
    CHECK_TEXT(ids_of(store, text), "Z z");
    /* The handle is good for nothing afterwards. */
    CHECK_STATUS(mtoken_store_names_add(kept_names, "late.state", 10), MTOKEN_ERROR_HANDLE);
    CHECK_TEXT(ids_of(store, text), "Z z");
    static const mtoken_status answers[] = {MTOKEN_ERROR_STORAGE, MTOKEN_ERROR_NOT_FOUND, 12345};
    for (int i = 0; i < 3; i++) {
        host.list_answer = answers[i];
        CHECK_ERROR(mtoken_store_clients(store, &list, &error), MTOKEN_ERROR_STORAGE, error);
    }
    CHECK_OK(mtoken_store_remove(store, "z", 1, NULL));
    host.list_answer = MTOKEN_OK;
    CHECK_TEXT(ids_of(store, text), "Z");
    mtoken_store_free(store);
}

static const test tests[] = {
    {"a host store needs its functions", host_store_needs_its_functions},
    {"a reply belongs to its call", a_reply_belongs_to_its_call},
    {"release is called once, at the very end", release_is_called_once_at_the_very_end},
    {"a host's answers are understood", host_answers_are_understood},
    {"files of others are refused", files_of_others_are_refused},
    {"names are locked between processes", names_are_locked_between_processes},
    {"memory is gone with its store", memory_is_gone_with_its_store},
    {"a directory tells its clients", directory_tells_its_clients},
    {"clients that cannot be opened can be removed", clients_that_cannot_be_opened_can_be_removed},
    {"clients can be copied unread", clients_can_be_copied_unread},
    {"a host store may tell its clients", host_store_may_tell_its_clients},
};

int main(int argc, char **argv)
{
    after_each = plain_after_each;
    return RUN(tests);
}
