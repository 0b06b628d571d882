// Thousands of clients that poll: processor time, memory, and the time that a fetch takes, with one runtime or more,
// against a server that answers from memory on the loopback. Each event must come once and in order: LOADING, CHANGED,
// LOADING for every fetch. Before that, libcurl alone makes such requests as often: what no client of it can do
// without.
//
//     polling [CLIENTS [SECONDS [OPERATIONS [RUNTIMES [INTERVAL [https [json]]]]]]]       10000 30 2 1 7 http

#include "activation.hpp"
#include "host.hpp"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <unordered_map>

namespace {

using Clock = std::chrono::steady_clock;

double seconds(timeval time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; }

double processor(int who)
{
    rusage usage{};
    getrusage(who, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// A server's side of TLS on the loopback, with a certificate that signs itself and lies in a file in memory.
class Identity {
  public:
    Identity() : context(SSL_CTX_new(TLS_server_method()))
    {
        EVP_PKEY *key = EVP_EC_gen("P-256");
        X509 *certificate = X509_new();
        X509_set_version(certificate, 2);
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
        X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
        X509_gmtime_adj(X509_getm_notAfter(certificate), 86400);
        X509_set_pubkey(certificate, key);
        X509_NAME *name = X509_get_subject_name(certificate);
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char *>("bench"), -1, -1,
                                   0);
        X509_set_issuer_name(certificate, name);
        X509_EXTENSION *address = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
        X509_add_ext(certificate, address, -1);
        X509_sign(certificate, key, EVP_sha256());
        int descriptor = memfd_create("certificate", MFD_CLOEXEC);
        FILE *output = fdopen(descriptor, "w");
        if (!output || PEM_write_X509(output, certificate) != 1 || std::fflush(output) != 0 ||
            SSL_CTX_use_certificate(context, certificate) != 1 || SSL_CTX_use_PrivateKey(context, key) != 1) {
            std::fputs("no certificate\n", stderr);
            std::exit(1);
        }
        file = "/proc/self/fd/" + std::to_string(descriptor);
        X509_EXTENSION_free(address);
        X509_free(certificate);
        EVP_PKEY_free(key);
    }

    ~Identity() { SSL_CTX_free(context); }
    Identity(const Identity &) = delete;

    SSL *accept(int connection) const
    {
        SSL *ssl = SSL_new(context);
        SSL_set_fd(ssl, connection);
        SSL_set_accept_state(ssl);
        return ssl;
    }

    std::string file; // as long as the process

  private:
    SSL_CTX *context;
};

// Answers the list and the time, on connections that stay open.
class ListServer {
  public:
    // With an identity it speaks TLS.
    ListServer(int operations, const Identity *identity) : identity(identity)
    {
        std::string items;
        for (int i = 0; i < operations; i++) {
            items +=
                (i ? "," : "") + std::string(R"({"id":"operation-)") + std::to_string(i) +
                R"(","name":"authorize_payment","data":"A1*A100.00CZK*ICZ2730300000001165254011","status":"PENDING",)"
                R"("operationCreated":"2026-11-21T23:00:00+0000","operationExpires":"2026-11-21T23:05:00+0000",)"
                R"("allowedSignatureType":{"type":"2FA","variants":["possession_knowledge","possession_biometry"]},)"
                R"("formData":{"title":"Payment","message":"Please confirm","attributes":[)"
                R"({"type":"AMOUNT","id":"amount","label":"Amount","amount":100.00,"currency":"CZK"},)"
                R"({"type":"KEY_VALUE","id":"to","label":"To","value":"CZ27 3030 0000 0011 6525 4011"}]}})";
        }
        list = answer(R"({"status":"OK","responseObject":[)" + items + "]}");
        listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        if (bind(listener, reinterpret_cast<sockaddr *>(&address), length) != 0 || listen(listener, 1024) != 0 ||
            getsockname(listener, reinterpret_cast<sockaddr *>(&address), &length) != 0) {
            std::perror("loopback");
            std::exit(1);
        }
        url = (identity ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(ntohs(address.sin_port));
        thread = std::thread([this] { run(); });
    }

    ~ListServer()
    {
        stopped = true;
        thread.join();
    }

    std::string url;
    std::atomic<long> lists{0};
    std::atomic<double> used{0}; // processor time of the server's thread

  private:
    // A connection, and what has come on it of the next request.
    struct Peer {
        std::string input;
        SSL *ssl = nullptr;
    };

    static std::string answer(const std::string &body)
    {
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
               "\r\n\r\n" + body;
    }

    void run()
    {
        int poll = epoll_create1(EPOLL_CLOEXEC);
        watch(poll, listener);
        std::unordered_map<int, Peer> peers;
        while (!stopped) {
            epoll_event events[64];
            int count = epoll_wait(poll, events, 64, 50);
            for (int i = 0; i < count; i++) {
                int ready = events[i].data.fd;
                if (ready != listener) {
                    serve(ready, peers);
                    continue;
                }
                int connection;
                while ((connection = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
                    int yes = 1;
                    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
                    if (identity) peers[connection].ssl = identity->accept(connection);
                    watch(poll, connection);
                }
            }
            used = processor(RUSAGE_THREAD);
        }
        for (auto &peer : peers) {
            SSL_free(peer.second.ssl);
            close(peer.first);
        }
        close(poll);
        close(listener);
    }

    static void watch(int poll, int descriptor)
    {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.fd = descriptor;
        epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event);
    }

    static ssize_t receive(int connection, SSL *ssl, char *buffer, size_t size)
    {
        if (!ssl) return recv(connection, buffer, size, 0);
        int got = SSL_read(ssl, buffer, static_cast<int>(size));
        if (got > 0) return got;
        return SSL_get_error(ssl, got) == SSL_ERROR_WANT_READ ? -1 : 0;
    }

    static bool answer(int connection, SSL *ssl, const std::string &reply)
    {
        if (ssl) return SSL_write(ssl, reply.data(), static_cast<int>(reply.size())) == static_cast<int>(reply.size());
        return send(connection, reply.data(), reply.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(reply.size());
    }

    void serve(int connection, std::unordered_map<int, Peer> &peers)
    {
        auto &[input, ssl] = peers[connection];
        char buffer[8192];
        ssize_t got;
        while ((got = receive(connection, ssl, buffer, sizeof buffer)) > 0)
            input.append(buffer, static_cast<size_t>(got));
        if (got == 0) {
            SSL_free(ssl);
            close(connection);
            peers.erase(connection);
            return;
        }
        // All requests have the body "{}".
        size_t end;
        while ((end = input.find("\r\n\r\n")) != std::string::npos && input.size() >= end + 6) {
            bool isList = input.rfind("POST /api/auth/token/app/operation/list ", 0) == 0;
            std::string time;
            if (!isList) {
                auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
                    std::chrono::system_clock::now().time_since_epoch());
                time = answer(R"({"status":"OK","responseObject":{"serverTime":)" + std::to_string(now.count()) + "}}");
            }
            const std::string &reply = isList ? list : time;
            lists += isList;
            if (!answer(connection, ssl, reply)) std::fputs("an answer was not sent whole\n", stderr);
            input.erase(0, end + 6);
        }
    }

    const Identity *identity;
    int listener;
    std::string list;
    std::atomic<bool> stopped{false};
    std::thread thread;
};

// Microseconds of processor time that libcurl takes for such a request on connections that stay open: `rate` of them a
// second, `count` in all, with handles that are set up once.
double bare(const std::string &url, const std::string &authorities, double rate, int count)
{
    CURLM *multi = curl_multi_init();
    std::string token = "X-PowerAuth-Token: PowerAuth version=\"3.3\", token_id=\"" + std::string(36, 'i') +
                        "\", token_digest=\"" + std::string(44, 'd') + "\", nonce=\"" + std::string(24, 'n') +
                        "\", timestamp=\"1790000000000\"";
    curl_slist *headers = nullptr;
    for (const char *line : {"Content-Type: application/json", "Accept: application/json", "Accept-Language: en",
                             "Expect:", token.c_str()})
        headers = curl_slist_append(headers, line);
    std::vector<CURL *> all, unused;
    double used = processor(RUSAGE_THREAD);
    auto start = Clock::now();
    for (int started = 0, done = 0; done < count;) {
        double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        while (started < count && started < seconds * rate && started - done < 256) {
            if (unused.empty()) {
                CURL *easy = curl_easy_init();
                curl_easy_setopt(easy, CURLOPT_URL, (url + "/api/auth/token/app/operation/list").c_str());
                curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
                curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
                if (!authorities.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, authorities.c_str());
                curl_easy_setopt(easy, CURLOPT_POSTFIELDS, "{}");
                curl_easy_setopt(
                    easy, CURLOPT_WRITEFUNCTION,
                    +[](char *, size_t size, size_t number, void *) { return size * number; });
                all.push_back(easy);
                unused.push_back(easy);
            }
            curl_multi_add_handle(multi, unused.back());
            unused.pop_back();
            started++;
        }
        int left = 0;
        curl_multi_perform(multi, &left);
        while (CURLMsg *message = curl_multi_info_read(multi, &left)) {
            if (message->data.result != CURLE_OK) std::fputs("libcurl alone has failed\n", stderr);
            curl_multi_remove_handle(multi, message->easy_handle);
            unused.push_back(message->easy_handle);
            done++;
        }
        curl_multi_poll(multi, nullptr, 0, 1, nullptr);
    }
    used = processor(RUSAGE_THREAD) - used;
    for (CURL *easy : all) curl_easy_cleanup(easy);
    curl_slist_free_all(headers);
    curl_multi_cleanup(multi);
    return 1e6 * used / count;
}

struct Poller {
    mtoken_client *client = nullptr;
    int stage = 0; // 0: LOADING(1) is next, 1: CHANGED, 2: LOADING(0)
    Clock::time_point began;
    long fetches = 0;
};

long resident()
{
    long pages = 0, all = 0;
    if (FILE *file = std::fopen("/proc/self/statm", "r")) {
        (void)!std::fscanf(file, "%ld %ld", &all, &pages);
        std::fclose(file);
    }
    return pages * sysconf(_SC_PAGESIZE);
}

size_t heap()
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

double at(std::vector<double> &sorted, double share)
{
    return sorted.empty() ? 0 : sorted[std::min(sorted.size() - 1, size_t(double(sorted.size()) * share))];
}

// The clients of one runtime, and the thread that reads its events.
struct Group {
    mtoken_runtime *runtime = nullptr;
    std::vector<Poller> pollers;
    std::unordered_map<mtoken_client *, Poller *> byClient;
    std::vector<double> starting, latencies; // milliseconds, of the fetches that began before and after `settled`
    Clock::time_point settled;
    long disorder = 0, failures = 0;

    void read(Clock::time_point end)
    {
        while (Clock::now() < end) {
            mtoken_event *event = nullptr;
            if (mtoken_runtime_next_event(runtime, 100, &event, nullptr) != MTOKEN_OK) continue;
            auto found = byClient.find(event->client);
            if (found != byClient.end()) take(*event, *found->second);
            mtoken_event_free(event);
        }
    }

  private:
    void take(const mtoken_event &event, Poller &poller)
    {
        int kind = event.kind, loading = event.is_loading;
        if (kind == MTOKEN_EVENT_OPERATIONS_FAILED) failures++;
        bool fits = poller.stage == 0 ? loading == 1
                    : poller.stage == 1
                        ? kind == MTOKEN_EVENT_OPERATIONS_CHANGED || kind == MTOKEN_EVENT_OPERATIONS_FAILED
                        : loading == 0;
        disorder += !fits;
        if (poller.stage == 0) poller.began = Clock::now();
        if (poller.stage == 2) {
            (poller.began < settled ? starting : latencies)
                .push_back(std::chrono::duration<double, std::milli>(Clock::now() - poller.began).count());
            poller.fetches++;
        }
        poller.stage = (poller.stage + 1) % 3;
    }
};

int threads()
{
    int count = 0;
    if (FILE *file = std::fopen("/proc/self/status", "r")) {
        char line[256];
        while (std::fgets(line, sizeof line, file)) (void)std::sscanf(line, "Threads: %d", &count);
        std::fclose(file);
    }
    return count;
}

} // namespace

int main(int argc, char **argv)
{
    int count = argc > 1 ? std::atoi(argv[1]) : 10000;
    int duration = argc > 2 ? std::atoi(argv[2]) : 30;
    int operations = argc > 3 ? std::atoi(argv[3]) : 2;
    int runtimes = argc > 4 ? std::atoi(argv[4]) : 1;
    int interval = argc > 5 ? std::atoi(argv[5]) : 7;
    if (interval < 5 || count < 1 || duration < 1 || operations < 0 || runtimes < 1 || count % runtimes) return 2;
    bool secure = argc > 6 && std::strcmp(argv[6], "https") == 0;
    std::optional<Identity> identity;
    if (secure) identity.emplace();
    std::string authorities = secure ? identity->file : "";
    ListServer server(operations, secure ? &*identity : nullptr);
    double rate = double(count) / interval, alone = bare(server.url, authorities, rate, int(rate * 3) + 1);
    Activation activation;
    MemoryStore store;
    for (int i = 0; i < count; i++) {
        std::string name = "c" + std::to_string(i);
        store.items[name + ".state"] = activation.sealedState(name);
        store.items[name + ".key"] = activation.deviceSecret;
    }
    mtoken_error *error = nullptr;
    mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;
    options.events = MTOKEN_EVENT_MASK_OPERATIONS;
    std::vector<Group> groups(static_cast<size_t>(runtimes));
    int threadsBefore = threads();
    for (Group &group : groups) require(mtoken_runtime_new(&options, &group.runtime, &error), error, "runtime");

    long residentBefore = resident();
    size_t heapBefore = heap();
    size_t size = static_cast<size_t>(count / runtimes), made = 0;
    for (Group &group : groups) {
        group.pollers.resize(size);
        for (Poller &poller : group.pollers) {
            poller.client = makeClient(group.runtime, store.handle, activation, "c" + std::to_string(made++),
                                       server.url, authorities);
            group.byClient[poller.client] = &poller;
        }
    }
    size_t heapIdle = heap();
    int threadsOfRuntimes = threads() - threadsBefore;

    // Each begins after an interval of its own, so that they spread over the first one.
    mtoken_polling_options polling = MTOKEN_POLLING_OPTIONS_INIT;
    polling.delay_start = 1;
    polling.interval_ms = interval * 1000;
    polling.jitter_percent = 50;
    for (Group &group : groups)
        for (Poller &poller : group.pollers)
            require(mtoken_operations_start_polling(poller.client, &polling, &error), error, "polling");

    double processorBefore = processor(RUSAGE_SELF), serverBefore = server.used;
    long askedBefore = server.lists;
    Clock::time_point start = Clock::now(), end = start + std::chrono::seconds(duration);
    std::vector<std::thread> readers;
    // A client's first fetch, within one and a half intervals, asks for the server's time and opens a connection.
    for (Group &group : groups) {
        group.settled = start + std::chrono::milliseconds(interval * 1750);
        readers.emplace_back([&group, end] { group.read(end); });
    }
    for (std::thread &reader : readers) reader.join();
    double wall = std::chrono::duration<double>(Clock::now() - start).count();
    double used = processor(RUSAGE_SELF) - processorBefore - (server.used - serverBefore);
    size_t heapPolling = heap();
    long residentNow = resident();
    std::vector<double> starting, latencies;
    long asked = server.lists - askedBefore, disorder = 0, failures = 0, idle = 0;
    for (Group &group : groups) {
        starting.insert(starting.end(), group.starting.begin(), group.starting.end());
        latencies.insert(latencies.end(), group.latencies.begin(), group.latencies.end());
        disorder += group.disorder;
        failures += group.failures;
        idle += std::count_if(group.pollers.begin(), group.pollers.end(),
                              [](const Poller &poller) { return poller.fetches == 0; });
    }
    long told = long(starting.size() + latencies.size());

    std::sort(starting.begin(), starting.end());
    std::sort(latencies.begin(), latencies.end());
    size_t idleSize = (heapIdle - heapBefore) / size_t(count), pollingSize = (heapPolling - heapBefore) / size_t(count);
    double each = told ? 1e6 * used / double(told) : 0;
    if (argc > 7) {
        std::printf("{\"threads\": %d, \"fetches\": %ld, \"failures\": %ld, \"disorder\": %ld, \"without\": %ld, "
                    "\"core\": %.4f, \"us\": %.1f, \"bare_us\": %.1f, \"median_ms\": %.3f, \"p95_ms\": %.3f, "
                    "\"starting_p95_ms\": %.3f, "
                    "\"heap_idle\": %zu, "
                    "\"heap\": %zu, \"resident_mb\": %.0f, \"seconds\": %.1f}\n",
                    threadsOfRuntimes, told, failures, disorder, idle, used / wall, each, alone, at(latencies, 0.5),
                    at(latencies, 0.95), at(starting, 0.95), idleSize, pollingSize,
                    double(residentNow - residentBefore) / 1e6, wall);
        std::fflush(stdout);
        std::_Exit(0); // to free a hundred thousand clients takes its time, too
    }
    std::printf("clients %d, runtimes %d with %d threads, operations in each list %d, interval %d s, seconds %.1f\n",
                count, runtimes, threadsOfRuntimes, operations, interval, wall);
    std::printf(
        "fetches %ld (%.0f/s), lists served %ld, failures %ld, events out of order %ld, clients without a fetch %ld\n",
        told, double(told) / wall, asked, failures, disorder, idle);
    std::printf("processor of library and host %.1f %% of one core, %.0f us each fetch; libcurl alone %.0f us\n",
                100 * used / wall, each, alone);
    std::printf("latency ms: median %.2f, 95 %% %.2f, 99 %% %.2f, longest %.2f; while clients start: 95 %% %.2f\n",
                at(latencies, 0.5), at(latencies, 0.95), at(latencies, 0.99), at(latencies, 1), at(starting, 0.95));
    std::printf("heap each client: idle %zu bytes, polling %zu bytes; resident of the process %.1f MB more\n", idleSize,
                pollingSize, double(residentNow - residentBefore) / 1e6);
    for (Group &group : groups) {
        for (Poller &poller : group.pollers) mtoken_client_free(poller.client);
        mtoken_runtime_free(group.runtime);
    }
    return disorder || failures || idle ? 1 : 0;
}
