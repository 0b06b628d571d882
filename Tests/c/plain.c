#define _GNU_SOURCE
#include "plain.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/* Key and secret of sixteen bytes and a point on P-256. */
const char plain_configuration[] =
    "ARB+UC/uXAo16tp0NxZnyE0QEH3EF5GZm3YxUgtcmRHnTy8BAUEEJB/Gr/5ClpOPDpfE9H5rV8mIZhNu47kVcPfmMUrH1VHpRJ8N"
    "5+2gi3iEM7UBCsCUh3MdF8RIGuMSCXnJrgg5yA==";

mtoken_client_options plain_options(mtoken_store *store, const char *id, const char *url)
{
    mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;
    options.id = text(id);
    options.configuration = text(plain_configuration);
    options.base_url = text(url);
    options.store = store;
    options.allow_http = 1;
    return options;
}

mtoken_client *plain_client(mtoken_runtime *runtime, mtoken_store *store, const char *id, const char *url)
{
    mtoken_client_options options = plain_options(store, id, url);
    mtoken_client *client = NULL;
    mtoken_error *error = NULL;
    CHECK_ERROR(mtoken_client_new(runtime, &options, &client, &error), MTOKEN_OK, error);
    return client;
}

bool plain_lives(int64_t timeout_ms)
{
    mtoken_runtime *runtime = NULL;
    mtoken_store *store = NULL;
    mtoken_task *task = NULL;
    if (!CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL))) return false;
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    mtoken_client *client = plain_client(runtime, store, "a", CLOSED_URL);
    CHECK_OK(mtoken_client_synchronize_time(client, &task, NULL));
    CHECK_OK(mtoken_task_wait(task, timeout_ms));
    mtoken_task_free(task);
    mtoken_client_free(client);
    mtoken_runtime_free(runtime);
    mtoken_store_free(store);
    return true;
}

static mtoken_status load(void *context, const char *name, mtoken_store_reply *reply)
{
    (void)context, (void)name, (void)reply;
    return MTOKEN_ERROR_NOT_FOUND;
}

static mtoken_status save(void *context, const char *name, const uint8_t *data, size_t length)
{
    (void)context, (void)name, (void)data, (void)length;
    return MTOKEN_OK;
}

static mtoken_status drop(void *context, const char *name)
{
    (void)context, (void)name;
    return MTOKEN_OK;
}

mtoken_host_store plain_host_store(void)
{
    mtoken_host_store host = MTOKEN_HOST_STORE_INIT;
    host.load = load;
    host.save = save;
    host.remove = drop;
    return host;
}

static mtoken_seal_fault copy(void *context, const char *label, const uint8_t *bytes, size_t length, uint8_t *out,
                              size_t *out_length)
{
    (void)context, (void)label;
    if (length > *out_length) return MTOKEN_SEAL_FAULT_DAMAGED;
    memcpy(out, bytes, *out_length = length);
    return MTOKEN_SEAL_FAULT_NONE;
}

mtoken_host_sealer plain_host_sealer(void)
{
    mtoken_host_sealer host = MTOKEN_HOST_SEALER_INIT;
    host.seal = host.unseal = copy;
    return host;
}

silent_server silent_server_open(void)
{
    silent_server server;
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server.listener < 0 || bind(server.listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(server.listener, 1024) != 0 || getsockname(server.listener, (struct sockaddr *)&address, &size) != 0) {
        perror("silent server");
        exit(2);
    }
    snprintf(server.url, sizeof server.url, "http://127.0.0.1:%d/api", ntohs(address.sin_port));
    return server;
}

void silent_server_close(silent_server *server) { close(server->listener); }

void plain_after_each(void)
{
    size_t (*live)(int32_t) = NULL;
    *(void **)&live = dlsym(RTLD_DEFAULT, "mtoken_testing_live_handles");
    static size_t known;
    if (!live) return;
    size_t count = live(0);
    if (count > known) CHECK_INT(count, known);
    known = count;
}
