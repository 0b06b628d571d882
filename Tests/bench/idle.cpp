// How much heap an idle client with an activation holds: the growth of what malloc has given out (mallinfo2) over many
// clients of one runtime, divided by their number. The store's items lie in static memory and so do not count; the
// host's array of handles is allocated before. Run with GLIBC_TUNABLES=glibc.malloc.tcache_count=0: else freed blocks
// that a thread keeps count as given out.

#include "activation.hpp"
#include "host.hpp"

#include <malloc.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace {

constexpr int clientCount = 1000;

struct Item {
    size_t length;
    uint8_t bytes[1024];
};
Item states[clientCount];
Item secret;

// "c123.state", "c123.key"
Item *item(const char *name)
{
    int number = std::atoi(name + 1);
    return std::strstr(name, ".key") ? &secret : &states[number];
}

size_t heap()
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

} // namespace

int main()
{
    Activation activation;
    secret.length = activation.deviceSecret.size();
    std::memcpy(secret.bytes, activation.deviceSecret.data(), secret.length);
    for (int i = 0; i < clientCount; i++) {
        Bytes state = activation.sealedState("c" + std::to_string(i));
        states[i].length = state.size();
        std::memcpy(states[i].bytes, state.data(), state.size());
    }
    mtoken_host_store host = MTOKEN_HOST_STORE_INIT;
    host.load = [](void *, const char *name, mtoken_store_reply *reply) -> mtoken_status {
        return mtoken_store_reply_set(reply, item(name)->bytes, item(name)->length);
    };
    host.save = [](void *, const char *name, const uint8_t *data, size_t length) -> mtoken_status {
        if (length > sizeof item(name)->bytes) return MTOKEN_ERROR_STORAGE;
        std::memcpy(item(name)->bytes, data, length);
        item(name)->length = length;
        return MTOKEN_OK;
    };
    host.remove = [](void *, const char *) -> mtoken_status { return MTOKEN_OK; };

    mtoken_error *error = nullptr;
    mtoken_store *store = nullptr;
    mtoken_runtime *runtime = nullptr;
    require(mtoken_store_host_new(&host, &store, &error), error, "store");
    require(mtoken_runtime_new(nullptr, &runtime, &error), error, "runtime");
    static mtoken_client *clients[clientCount];
    auto use = [](mtoken_client *client) {
        mtoken_auth auth = MTOKEN_AUTH_INIT;
        auth.factors = MTOKEN_FACTOR_POSSESSION;
        mtoken_header *header = nullptr;
        mtoken_error *error = nullptr;
        mtoken_sign_options request = MTOKEN_SIGN_OPTIONS_INIT;
        request.method = MTOKEN_TEXT("POST");
        request.uri_id = MTOKEN_TEXT("/x");
        require(mtoken_client_sign(client, &request, &auth, &header, &error), error, "signature");
        mtoken_header_free(header);
    };
    // One client beforehand: what the library makes once for all is not the cost of a client.
    clients[0] = makeClient(runtime, store, activation, "c0", "https://bank.example/enrollment-server");
    use(clients[0]);
    size_t before = heap();
    for (int i = 1; i < clientCount; i++)
        clients[i] =
            makeClient(runtime, store, activation, "c" + std::to_string(i), "https://bank.example/enrollment-server");
    size_t fresh = heap();
    for (int i = 1; i < clientCount; i++) use(clients[i]);
    size_t used = heap();
    std::printf("{\"fresh\": %zu, \"after_signature\": %zu}\n", (fresh - before) / (clientCount - 1),
                (used - before) / (clientCount - 1));
    for (mtoken_client *client : clients) mtoken_client_free(client);
    mtoken_runtime_free(runtime);
    mtoken_store_free(store);
    return 0;
}
