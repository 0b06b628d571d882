#include "host.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

void require(mtoken_status status, mtoken_error *error, const char *what)
{
    if (status == MTOKEN_OK) return;
    std::fprintf(stderr, "%s: %s: %s\n", what, mtoken_error_name(status), error ? error->message : "");
    std::exit(1);
}

MemoryStore::MemoryStore()
{
    mtoken_host_store host = MTOKEN_HOST_STORE_INIT;
    host.context = this;
    host.load = [](void *context, const char *name, mtoken_store_reply *reply) -> mtoken_status {
        auto &items = static_cast<MemoryStore *>(context)->items;
        auto item = items.find(name);
        if (item == items.end()) return MTOKEN_ERROR_NOT_FOUND;
        return mtoken_store_reply_set(reply, item->second.data(), item->second.size());
    };
    host.save = [](void *context, const char *name, const uint8_t *data, size_t length) -> mtoken_status {
        static_cast<MemoryStore *>(context)->items[name].assign(data, data + length);
        return MTOKEN_OK;
    };
    host.remove = [](void *context, const char *name) -> mtoken_status {
        static_cast<MemoryStore *>(context)->items.erase(name);
        return MTOKEN_OK;
    };
    mtoken_error *error = nullptr;
    require(mtoken_store_host_new(&host, &handle, &error), error, "store");
}

MemoryStore::~MemoryStore() { mtoken_store_free(handle); }

mtoken_client *makeClient(mtoken_runtime *runtime, mtoken_store *store, const Activation &activation,
                          const std::string &id, const std::string &url, const std::string &authorities)
{
    mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;
    options.id = {id.data(), id.size()};
    options.configuration = {activation.configuration.data(), activation.configuration.size()};
    options.base_url = {url.data(), url.size()};
    options.allow_http = 1;
    if (!authorities.empty()) options.ca_file = {authorities.data(), authorities.size()};
    options.store = store;
    mtoken_client *client = nullptr;
    mtoken_error *error = nullptr;
    require(mtoken_client_new(runtime, &options, &client, &error), error, "client");
    mtoken_client_info *info = nullptr;
    require(mtoken_client_get_info(client, &info, &error), error, "client");
    if (info->state != MTOKEN_CLIENT_ACTIVE) {
        std::fputs("the client did not find its activation\n", stderr);
        std::exit(1);
    }
    mtoken_client_info_free(info);
    return client;
}

TimeServer::TimeServer() : listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (bind(listener, reinterpret_cast<sockaddr *>(&address), length) != 0 || listen(listener, 8) != 0 ||
        getsockname(listener, reinterpret_cast<sockaddr *>(&address), &length) != 0) {
        std::perror("loopback");
        std::exit(1);
    }
    url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread = std::thread([this] { run(); });
}

TimeServer::~TimeServer()
{
    stopped = true;
    thread.join();
    close(listener);
}

void TimeServer::run()
{
    while (!stopped) {
        pollfd waiting{listener, POLLIN, 0};
        if (poll(&waiting, 1, 50) <= 0) continue;
        int connection = accept(listener, nullptr, nullptr);
        if (connection < 0) continue;
        char request[8192];
        size_t have = 0;
        while (have < sizeof request) {
            ssize_t count = recv(connection, request + have, sizeof request - have, 0);
            if (count <= 0) break;
            have += static_cast<size_t>(count);
            std::string text(request, have);
            size_t end = text.find("\r\n\r\n");
            if (end != std::string::npos && have > end + 4) // the body is short and comes whole
                break;
        }
        auto now =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
        std::string body = R"({"status":"OK","responseObject":{"serverTime":)" + std::to_string(now.count()) + "}}";
        std::string answer =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
            std::to_string(body.size()) + "\r\n\r\n" + body;
        (void)!send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
        shutdown(connection, SHUT_WR);
        close(connection);
    }
}
