/* Over TLS to the development server, which Tests/c/run.py has started: the whole way, and servers not to be trusted.
 */
#include "plain.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIN "2468"

typedef struct scene {
    char folder[256];
    mtoken_runtime *runtime;
    mtoken_store *store;
} scene;

static scene open_scene(void)
{
    scene scene;
    mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;
    options.events = MTOKEN_EVENT_MASK_TASKS;
    CHECK_OK(mtoken_runtime_new(&options, &scene.runtime, NULL));
    make_directory(scene.folder, sizeof scene.folder);
    CHECK_OK(mtoken_store_directory_new(scene.folder, MTOKEN_NUL_TERMINATED, &scene.store, NULL));
    return scene;
}

static void close_scene(scene *scene)
{
    mtoken_runtime_free(scene->runtime);
    mtoken_store_free(scene->store);
    remove_directory(scene->folder);
}

static mtoken_client_options server_options(const scene *scene, const char *id)
{
    mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;
    options.id = text(id);
    options.configuration = text(setting("MTOKEN_SERVER_CONFIGURATION"));
    options.base_url = text(setting("MTOKEN_SERVER_URL"));
    options.store = scene->store;
    options.ca_file = text(setting("MTOKEN_SERVER_CA"));
    return options;
}

static mtoken_client *new_client(const scene *scene, const char *id)
{
    mtoken_client_options options = server_options(scene, id);
    mtoken_client *client = NULL;
    mtoken_error *error = NULL;
    CHECK_ERROR(mtoken_client_new(scene->runtime, &options, &client, &error), MTOKEN_OK, error);
    return client;
}

static bool succeeds(mtoken_task *task)
{
    CHECK_OK(mtoken_task_wait(task, 60000));
    if (CHECK_STATUS(mtoken_task_result(task), MTOKEN_OK)) return true;
    if (mtoken_task_error(task)) note("%s: %s", mtoken_task_error(task)->reason, mtoken_task_error(task)->message);
    return false;
}

/* The part of a list, separated by blanks, with this number; to be freed. NULL: none. */
static char *part(const char *list, int index)
{
    while (index-- > 0 && list) list = strchr(list, ' ') ? strchr(list, ' ') + 1 : NULL;
    return list && *list ? strndup(list, strcspn(list, " ")) : NULL;
}

static mtoken_auth pin_auth(void)
{
    mtoken_auth auth = MTOKEN_AUTH_INIT;
    auth.pin = bytes(PIN);
    return auth;
}

static mtoken_task *start_activation(mtoken_client *client, int number)
{
    mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;
    char *code = part(setting("MTOKEN_SERVER_CODES"), number);
    mtoken_task *task = NULL;
    options.code = text(code);
    options.name = text("C test");
    CHECK_OK(mtoken_client_activate(client, &options, &task, NULL));
    free(code);
    return task;
}

static void whole_way(void)
{
    scene scene = open_scene();
    mtoken_client *client = new_client(&scene, "alice");
    const mtoken_auth auth = pin_auth();
    const char *ids = setting("MTOKEN_SERVER_OPERATIONS"); /* one to approve, to reject, to claim, to look at */
    char *approve = part(ids, 0), *reject = part(ids, 1), *claim = part(ids, 2), *look = part(ids, 3);
    mtoken_task *task = start_activation(client, 0);
    mtoken_client_info *info = NULL;
    if (succeeds(task)) CHECK_INT(strlen(mtoken_task_activation(task)->fingerprint), 8);
    mtoken_task_free(task);
    CHECK_OK(mtoken_client_persist(client, &auth, NULL));

    /* The device is started again. */
    mtoken_client_free(client);
    client = new_client(&scene, "alice");
    CHECK_OK(mtoken_client_get_info(client, &info, NULL));
    CHECK_INT(info->state, MTOKEN_CLIENT_ACTIVE);
    mtoken_client_info_free(info);
    CHECK_OK(mtoken_client_fetch_status(client, &task, NULL));
    if (succeeds(task)) {
        CHECK_INT(mtoken_task_activation_status(task)->state, MTOKEN_ACTIVATION_ACTIVE);
        CHECK_INT(mtoken_task_activation_status(task)->remaining_attempts, 5);
    }
    mtoken_task_free(task);

    mtoken_task *list_task = NULL;
    CHECK_OK(mtoken_operations_list(client, &list_task, NULL));
    if (succeeds(list_task)) {
        const mtoken_operation_list *list = mtoken_task_operations(list_task);
        bool found = false;
        CHECK_INT(list->skipped_count, 0);
        for (size_t i = 0; i < list->count; i++) {
            if (strcmp(list->operations[i]->id, approve) != 0) continue;
            mtoken_authorize_options extras = MTOKEN_AUTHORIZE_OPTIONS_INIT;
            extras.expected_id = text(approve);
            extras.mobile_token_data = text("{\"c\":99}");
            CHECK_OK(mtoken_operations_authorize(client, list->operations[i], &auth, &extras, &task, NULL));
            succeeds(task);
            mtoken_task_free(task);
            found = true;
        }
        CHECK(found);
    }
    mtoken_task_free(list_task);
    CHECK_OK(brief_reject(client, reject, MTOKEN_REJECT_INCORRECT_DATA, NULL, &task, NULL));
    succeeds(task);
    mtoken_task_free(task);
    CHECK_OK(mtoken_operations_claim(client, claim, MTOKEN_NUL_TERMINATED, &task, NULL));
    if (succeeds(task)) CHECK_TEXT(mtoken_task_operation(task)->id, claim);
    mtoken_task_free(task);
    CHECK_OK(mtoken_operations_detail(client, look, MTOKEN_NUL_TERMINATED, &task, NULL));
    if (succeeds(task)) CHECK(mtoken_task_operation(task)->attribute_count > 5);
    mtoken_task_free(task);
    CHECK_OK(mtoken_operations_history(client, &auth, &task, NULL));
    if (succeeds(task)) CHECK(mtoken_task_operations(task)->count >= 2);
    mtoken_task_free(task);

    /* A wrong PIN costs an attempt, the right one gives it back. */
    mtoken_auth wrong = auth;
    wrong.pin = bytes("1111");
    CHECK_OK(mtoken_operations_history(client, &wrong, &task, NULL));
    CHECK_OK(mtoken_task_wait(task, 60000));
    CHECK_STATUS(mtoken_task_result(task), MTOKEN_ERROR_AUTHENTICATION);
    mtoken_task_free(task);
    CHECK_OK(mtoken_client_fetch_status(client, &task, NULL));
    if (succeeds(task)) CHECK_INT(mtoken_task_activation_status(task)->remaining_attempts, 4);
    mtoken_task_free(task);

    CHECK_OK(mtoken_token_create(client, "mine", 4, &auth, &task, NULL));
    succeeds(task);
    mtoken_task_free(task);
    CHECK_INT(mtoken_token_is_stored(client, "mine", 4), 1);
    CHECK_OK(mtoken_token_remove(client, "mine", 4, &task, NULL));
    succeeds(task);
    mtoken_task_free(task);
    CHECK_OK(mtoken_client_remove(client, &auth, &task, NULL));
    succeeds(task);
    mtoken_task_free(task);
    CHECK_OK(mtoken_client_get_info(client, &info, NULL));
    CHECK_INT(info->state, MTOKEN_CLIENT_EMPTY);
    mtoken_client_info_free(info);
    mtoken_client_free(client);
    close_scene(&scene);
    free(approve);
    free(reject);
    free(claim);
    free(look);
}

/* How many sockets this process has that try to connect. */
static int connecting_sockets(void)
{
    int found = 0;
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        int error = 0, number = atoi(entry->d_name), type = 0;
        socklen_t size = sizeof type;
        struct sockaddr_in peer;
        socklen_t peer_size = sizeof peer;
        if (getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM) continue;
        size = sizeof error;
        int listening = 0;
        socklen_t listening_size = sizeof listening;
        getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &listening, &listening_size);
        if (!listening && getpeername(number, (struct sockaddr *)&peer, &peer_size) != 0) found++;
    }
    if (folder) closedir(folder);
    return found;
}

/* A server that accepts nothing: its queue is full, and whoever connects waits. */
enum { QUEUED = 8 };
typedef struct full_server {
    int listener, queued[QUEUED];
    char url[64];
} full_server;

static full_server start_full_server(void)
{
    full_server server;
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server.listener = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_INT(bind(server.listener, (struct sockaddr *)&address, sizeof address), 0);
    CHECK_INT(listen(server.listener, 0), 0);
    CHECK_INT(getsockname(server.listener, (struct sockaddr *)&address, &size), 0);
    for (int i = 0; i < QUEUED; i++) {
        server.queued[i] = socket(AF_INET, SOCK_STREAM, 0);
        fcntl(server.queued[i], F_SETFL, O_NONBLOCK);
        (void)!connect(server.queued[i], (struct sockaddr *)&address, sizeof address);
    }
    snprintf(server.url, sizeof server.url, "http://127.0.0.1:%d", ntohs(address.sin_port));
    return server;
}

/* What libcurl closed without a word is somebody else's when a child closes what the library had. */
static void given_up_connections(void)
{
    enum { NUMBERS = 200 };
    full_server server = start_full_server();
    scene scene = open_scene();
    mtoken_client_options options = server_options(&scene, "waiting");
    mtoken_client *client = NULL;
    mtoken_task *task = NULL;
    options.base_url = text(server.url);
    options.allow_http = 1;
    options.tls_trust = MTOKEN_TLS_SYSTEM;
    options.ca_file = text(NULL);
    CHECK_OK(mtoken_client_new(scene.runtime, &options, &client, NULL));
    const int before = connecting_sockets();
    CHECK_OK(mtoken_client_synchronize_time(client, &task, NULL));
    for (int i = 0; i < 500 && connecting_sockets() == before; i++) poll(NULL, 0, 10);
    CHECK(connecting_sockets() > before);
    CHECK_OK(mtoken_task_cancel(task));
    CHECK_OK(mtoken_task_wait(task, 10000));
    for (int i = 0; i < 500 && connecting_sockets() != before; i++) poll(NULL, 0, 10);
    CHECK_INT(connecting_sockets(), before);

    int own[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) own[i] = dup(server.listener);
    pid_t child = fork();
    if (child == 0) {
        int lost = 0;
        for (int i = 0; i < NUMBERS; i++) lost += fcntl(own[i], F_GETFD) < 0;
        _exit(lost);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 0);
    for (int i = 0; i < NUMBERS; i++) close(own[i]);
    for (int i = 0; i < QUEUED; i++) close(server.queued[i]);
    close(server.listener);
    mtoken_task_free(task);
    mtoken_client_free(client);
    close_scene(&scene);
}

static const test tests[] = {
    {"the whole way", whole_way},
    {"connections that were given up", given_up_connections},
};

int main(int argc, char **argv)
{
    after_each = plain_after_each;
    return RUN(tests);
}
