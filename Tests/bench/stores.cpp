// The directory store beside the disk under it: a save; many threads that sign; opening a client while many are open.
// The disk is what it is when it is asked, so library and limit take turns. Prints an array of JSON.

#include "activation.hpp"
#include "host.hpp"
#include "shim.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t slotSize = 4096;

[[noreturn]] void wrong(const char *what)
{
    std::fprintf(stderr, "wrong: %s\n", what);
    std::exit(1);
}

double seconds(const std::function<void()> &work)
{
    auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

void print(const std::string &name, double rate, double limit, double target)
{
    static bool first = true;
    std::printf("%s{\"name\": \"%s\", \"ops_per_s\": %.1f, \"limit_ops_per_s\": %.1f, \"target\": %.2f}",
                first ? "[" : ",\n", name.c_str(), rate, limit, target);
    std::fflush(stdout);
    first = false;
}

void put(const std::string &path, const Bytes &content)
{
    int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, content.data(), content.size()) != (ssize_t)content.size() || close(file) != 0)
        wrong("cannot write a file");
}

// A file of two slots whose blocks are there.
struct Slots {
    int file;
    off_t offset = 0;

    explicit Slots(const std::string &path)
    {
        put(path, Bytes(2 * slotSize));
        file = open(path.c_str(), O_WRONLY);
        if (file < 0 || fsync(file) != 0) wrong("cannot make slots");
    }

    void save()
    {
        static const uint8_t slot[slotSize] = {1};
        offset ^= slotSize;
        if (pwrite(file, slot, slotSize, offset) != (ssize_t)slotSize || fdatasync(file) != 0)
            wrong("cannot write a slot");
    }
};

void saves(const std::string &folder, const Activation &activation)
{
    void *store = mtoken_bench_store_open((folder + "/saves").c_str());
    if (!store) wrong("store");
    Slots slots(folder + "/raw");
    Bytes state = activation.sealedState("bench");
    auto save = [store, &state] {
        if (mtoken_bench_store_save(store, state.data(), (ptrdiff_t)state.size()) != 0) wrong("save");
    };
    save(); // makes the file
    std::vector<double> ours, bare;
    for (int i = 0; i < 3000; i++) {
        ours.push_back(seconds(save));
        bare.push_back(seconds([&slots] { slots.save(); }));
    }
    print("durable save, directory store", 1 / median(ours), 1 / median(bare), 1.2);
}

// How often a second so many threads together do their work.
double rate(std::vector<std::function<void()>> &works)
{
    std::atomic<bool> ended{false};
    std::atomic<long> count{0};
    std::vector<std::thread> threads;
    double time = seconds([&] {
        for (auto &work : works)
            threads.emplace_back([&] {
                while (!ended) {
                    work();
                    count++;
                }
            });
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        ended = true;
        for (auto &thread : threads) thread.join();
    });
    return (double)count / time;
}

void threads(const std::string &folder, const Activation &activation, mtoken_runtime *runtime)
{
    constexpr int count = 32;
    std::string path = folder + "/threads";
    mtoken_store *store = nullptr;
    mtoken_error *error = nullptr;
    require(mtoken_store_directory_new(path.data(), path.size(), &store, &error), error, "store");
    std::vector<mtoken_client *> clients;
    std::vector<std::function<void()>> ours, bare;
    for (int i = 0; i < count; i++) {
        std::string id = "c" + std::to_string(i);
        put(path + "/" + id + ".state", activation.stateFile(id));
        put(path + "/" + id + ".key", activation.deviceSecret);
        mtoken_client *client = makeClient(runtime, store, activation, id, "https://bank.example");
        clients.push_back(client);
        ours.emplace_back([client] {
            mtoken_auth auth = MTOKEN_AUTH_INIT;
            auth.factors = MTOKEN_FACTOR_POSSESSION;
            mtoken_header *header = nullptr;
            mtoken_error *error = nullptr;
            mtoken_sign_options request = MTOKEN_SIGN_OPTIONS_INIT;
            request.method = MTOKEN_TEXT("POST");
            request.uri_id = MTOKEN_TEXT("/x");
            require(mtoken_client_sign(client, &request, &auth, &header, &error), error, "signature");
            mtoken_header_free(header);
            require(mtoken_client_signature_accepted(client, &error), error, "acknowledgement");
        });
        ours.back()(); // makes the file
        auto *slots = new Slots(folder + "/raw" + std::to_string(i));
        bare.emplace_back([slots] { slots->save(); });
    }
    std::vector<double> signatures, writes;
    for (int i = 0; i < 12; i++) {
        signatures.push_back(rate(ours));
        writes.push_back(rate(bare));
    }
    print("signatures, 32 clients on 32 threads, directory store", median(signatures), median(writes), 2);
    for (mtoken_client *client : clients) mtoken_client_free(client);
    mtoken_store_free(store);
}

void opening(const std::string &folder, const Activation &activation, mtoken_runtime *runtime)
{
    constexpr int most = 100000, batch = 100;
    std::string path = folder + "/many";
    mtoken_store *store = nullptr;
    mtoken_error *error = nullptr;
    require(mtoken_store_directory_new(path.data(), path.size(), &store, &error), error, "store");
    for (int i = 0; i < most; i++) {
        std::string id = "c" + std::to_string(i);
        put(path + "/" + id + ".state", activation.stateFile(id));
        put(path + "/" + id + ".key", activation.deviceSecret);
    }
    std::vector<mtoken_client *> clients;
    std::vector<double> times;
    double first = 0;
    for (int i = 0; i < most; i += batch) {
        times.push_back(seconds([&] {
            for (int k = i; k < i + batch; k++)
                clients.push_back(
                    makeClient(runtime, store, activation, "c" + std::to_string(k), "https://bank.example"));
        }));
        int open = i + batch;
        if (open != 1000 && open != 10000 && open != 40000 && open != most) continue;
        // The shortest of the last thousand, a hundred at a time: other work only ever makes it longer.
        double time = *std::min_element(times.end() - 10, times.end()) / batch;
        if (first == 0) first = time;
        print("opening a client, " + std::to_string(open) + " open", 1 / time, 1 / first, 1.5);
    }
    for (mtoken_client *client : clients) mtoken_client_free(client);
    mtoken_store_free(store);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 2 || mkdir(argv[1], 0700) != 0) {
        std::fprintf(stderr, "usage: %s <new directory>\n", argv[0]);
        return 2;
    }
    Activation activation;
    mtoken_runtime *runtime = nullptr;
    mtoken_error *error = nullptr;
    require(mtoken_runtime_new(nullptr, &runtime, &error), error, "runtime");
    saves(argv[1], activation);
    threads(argv[1], activation, runtime);
    opening(argv[1], activation, runtime);
    std::printf("]\n");
    mtoken_runtime_free(runtime);
    return 0;
}
