// Each figure twice: what the library does ("… | library") and the work of OpenSSL or Jansson that it cannot avoid
// ("… | limit"). run.py puts the pairs together.

#include "activation.hpp"
#include "host.hpp"
#include "limits.hpp"
#include "operations.hpp"
#include "shim.h"

#include <benchmark/benchmark.h>
#include <jansson.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

// This program's functions stand in for those of the C library, for the library under test and OpenSSL too.
static std::atomic<size_t> allocations;

// Not one step, which would cost what is measured: an allocation by another thread may be missed.
static void note() { allocations.store(allocations.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    note();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    note();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    note();
    return __libc_realloc(block, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    note();
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    note();
    return __libc_memalign(alignment, size);
}
}

namespace {

const std::string uriId = "/operation/authorize";
const Bytes body = bytes(R"({"requestObject":{"id":"930febe7-f350-419a-8bc0-c8883e7f71e3",)"
                         R"("data":"A1*A100CZK*Q238400856/0300**D20170629*NUtility Bill Payment - 05/2017"}})");
const int64_t now = 1730000000123;

[[noreturn]] void wrong(const char *what)
{
    std::fprintf(stderr, "wrong result: %s\n", what);
    std::exit(1);
}

// The value of a parameter of a PowerAuth header.
std::string parameter(const std::string &header, const std::string &name)
{
    size_t start = header.find(name + "=\"");
    if (start == std::string::npos) return "";
    start += name.size() + 2;
    return header.substr(start, header.find('"', start) - start);
}

using Work = std::function<void()>;

void measure(const std::string &name, Work work, bool wallClock = false)
{
    auto *registered = benchmark::RegisterBenchmark(name.c_str(), [work](benchmark::State &state) {
        size_t before = allocations;
        for (auto _ : state) work();
        // Of all threads: those of the library are idle meanwhile.
        state.counters["allocations"] =
            benchmark::Counter(static_cast<double>(allocations - before), benchmark::Counter::kAvgIterations);
    });
    if (wallClock) registered->UseRealTime();
}

// The bare work of a signature with the possession factor: its key is decrypted, two HMACs are computed.
struct SignatureWork {
    limits::AES aes{false, false};
    limits::AES seal{true, true};
    limits::HMAC hmac;
    limits::DigestHMAC digestHMAC;
    limits::SHA256 sha256;
    const Activation &activation;
    Bytes data, state;
    uint8_t iv[16] = {}, key[32], derived[32], code[32], nonce[16], counter[32], sealed[2048], nonces[960];
    size_t drawn = 0, nonceStart = 5;

    SignatureWork(const Activation &activation, Bytes state) : activation(activation), state(std::move(state))
    {
        // What is signed, with a nonce of the usual length.
        data = bytes("POST&" + base64(bytes(uriId)) + "&" + base64(Bytes(16)) + "&" + base64(body) + "&" +
                     base64(activation.applicationSecret));
    }

    void bare()
    {
        aes(activation.possessionUnlockKey.data(), iv, activation.lockedPossession.data(), 16, key);
        hmac(key, 16, activation.counter.data(), 16, derived);
        hmac(derived, 32, data.data(), data.size(), code);
        benchmark::DoNotOptimize(code);
    }

    // With the random nonce and the step of the counter.
    void whole()
    {
        limits::random(nonce, sizeof nonce);
        bare();
        sha256(activation.counter.data(), 16, counter);
        benchmark::DoNotOptimize(counter);
    }

    // The same with less than OpenSSL offers for it: HMAC on the digest, and a nonce that is drawn with many others.
    void least()
    {
        if (drawn == 0) limits::random(nonces, drawn = sizeof nonces);
        drawn -= sizeof nonce;
        aes(activation.possessionUnlockKey.data(), iv, activation.lockedPossession.data(), 16, key);
        digestHMAC(key, 16, activation.counter.data(), 16, derived);
        std::memcpy(data.data() + nonceStart, nonces + drawn, sizeof nonce);
        digestHMAC(derived, 32, data.data(), data.size(), code);
        sha256(activation.counter.data(), 16, counter);
        benchmark::DoNotOptimize(code);
        benchmark::DoNotOptimize(counter);
    }

    // And with the state encrypted and authenticated for the store.
    void stored()
    {
        whole();
        store();
    }

    void store()
    {
        limits::random(nonce, sizeof nonce);
        int length = seal(activation.possessionUnlockKey.data(), nonce, state.data(), state.size(), sealed);
        hmac(derived, 32, sealed, static_cast<size_t>(length) + 30, code);
        benchmark::DoNotOptimize(code);
    }
};

mtoken_header *clientSign(mtoken_client *client, const std::string *pin)
{
    mtoken_auth auth = MTOKEN_AUTH_INIT;
    if (pin)
        auth.pin = {reinterpret_cast<const uint8_t *>(pin->data()), pin->size()};
    else
        auth.factors = MTOKEN_FACTOR_POSSESSION;
    mtoken_header *header = nullptr;
    mtoken_error *error = nullptr;
    mtoken_sign_options request = MTOKEN_SIGN_OPTIONS_INIT;
    request.method = MTOKEN_TEXT("POST");
    request.uri_id = {uriId.data(), uriId.size()};
    request.body = {body.data(), body.size()};
    require(mtoken_client_sign(client, &request, &auth, &header, &error), error, "signature");
    // As if the server had accepted it: after a window's width of signatures that it has not seen, none is made.
    require(mtoken_client_signature_accepted(client, &error), error, "acknowledgement");
    return header;
}

void signatures(const Activation &activation, mtoken_runtime *runtime, mtoken_store *memory,
                const std::string &directory)
{
    auto *work = new SignatureWork(activation, activation.state());
    Bytes state = activation.state();
    void *session = mtoken_bench_session_new(
        reinterpret_cast<const uint8_t *>(activation.configuration.data()), (ptrdiff_t)activation.configuration.size(),
        activation.possessionUnlockKey.data(), state.data(), (ptrdiff_t)state.size());
    if (!session) wrong("session");
    auto sign = [session](uint8_t *header, size_t room) {
        return mtoken_bench_session_sign(session, reinterpret_cast<const uint8_t *>(uriId.data()),
                                         (ptrdiff_t)uriId.size(), body.data(), (ptrdiff_t)body.size(), header,
                                         (ptrdiff_t)room);
    };
    uint8_t first[1024];
    ptrdiff_t length = sign(first, sizeof first);
    std::string header(reinterpret_cast<char *>(first), length < 0 ? 0 : static_cast<size_t>(length));
    if (parameter(header, "pa_signature") != activation.signature(uriId, parameter(header, "pa_nonce"), body))
        wrong("signature of the session");

    measure("signature, possession | library", [sign] {
        uint8_t header[1024];
        benchmark::DoNotOptimize(sign(header, sizeof header));
    });
    measure("signature, possession, with nonce and counter | limit", [work] { work->whole(); });
    measure("signature, possession, least | limit", [work] { work->least(); });

    mtoken_client *client = makeClient(runtime, memory, activation, "bench", "https://bank.example");
    mtoken_header *checked = clientSign(client, nullptr);
    if (parameter(checked->value, "pa_signature") !=
        activation.signature(uriId, parameter(checked->value, "pa_nonce"), body))
        wrong("signature of the client");
    mtoken_header_free(checked);
    measure("mtoken_client_sign, possession, memory store | library",
            [client] { mtoken_header_free(clientSign(client, nullptr)); });
    measure("mtoken_client_sign, possession, memory store | limit", [work] { work->stored(); });
    measure("mtoken_client_sign, possession and knowledge, memory store | library",
            [client, &activation] { mtoken_header_free(clientSign(client, &activation.pin)); });
    measure("mtoken_client_sign, possession and knowledge, memory store | limit", [&activation] {
        uint8_t key[16];
        limits::pbkdf2(activation.pin, activation.salt, Activation::iterations, key, sizeof key);
        benchmark::DoNotOptimize(key);
    });
    measure("PBKDF2, blocks of SHA-1 | limit", [] { limits::sha1Blocks(Activation::iterations); });

    // The directory store, whose cost is that of the flush.
    auto write = [directory](const std::string &name, const Bytes &content) {
        int file = open((directory + "/" + name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        bool ok =
            file >= 0 && ::write(file, content.data(), content.size()) == (ssize_t)content.size() && fsync(file) == 0;
        if (!ok || close(file) != 0) wrong("cannot write a file");
    };
    if (mkdir(directory.c_str(), 0700) != 0) wrong("cannot make the directory of the store");
    write("bench.key", activation.deviceSecret);
    write("bench.state", activation.stateFile("bench"));
    mtoken_store *store = nullptr;
    mtoken_error *error = nullptr;
    require(mtoken_store_directory_new(directory.data(), directory.size(), &store, &error), error, "store");
    mtoken_client *durable = makeClient(runtime, store, activation, "bench", "https://bank.example");
    measure(
        "mtoken_client_sign, possession, directory store | library",
        [durable] { mtoken_header_free(clientSign(durable, nullptr)); }, true);
    write("raw", Bytes(8192));
    int slots = open((directory + "/raw").c_str(), O_WRONLY);
    measure(
        "mtoken_client_sign, possession, directory store | limit",
        [work, slots] {
            static const uint8_t slot[4096] = {1};
            static off_t offset = 0;
            work->stored();
            offset ^= sizeof slot;
            if (pwrite(slots, slot, sizeof slot, offset) != sizeof slot || fdatasync(slots) != 0)
                wrong("cannot write a slot");
        },
        true);
}

void codes()
{
    static const Bytes data(300, 'x'), key(16, 'k');
    static uint8_t code[32], expected[32];
    auto library = [] { return mtoken_bench_hmac(key.data(), 16, data.data(), (ptrdiff_t)data.size(), code); };
    auto *limit = new limits::DigestHMAC;
    (*limit)(key.data(), key.size(), data.data(), data.size(), expected);
    if (library() != 0 || std::memcmp(code, expected, sizeof code) != 0) wrong("HMAC");
    measure("HMAC of 300 bytes | library", [library] { benchmark::DoNotOptimize(library()); });
    measure("HMAC of 300 bytes | limit", [limit] {
        (*limit)(key.data(), key.size(), data.data(), data.size(), code);
        benchmark::DoNotOptimize(code);
    });
    auto *openssl = new limits::HMAC;
    measure("HMAC of 300 bytes, OpenSSL's own | limit", [openssl] {
        (*openssl)(key.data(), key.size(), data.data(), data.size(), code);
        benchmark::DoNotOptimize(code);
    });
}

// No header of a token is made before the server's time is known.
void synchronizeTime(mtoken_client *client)
{
    mtoken_task *task = nullptr;
    mtoken_error *error = nullptr;
    require(mtoken_client_synchronize_time(client, &task, &error), error, "time");
    require(mtoken_task_wait(task, MTOKEN_FOREVER), nullptr, "time");
    require(mtoken_task_result(task), nullptr, "time");
    mtoken_task_free(task);
}

void tokenHeader(mtoken_client *client)
{
    mtoken_header *header = nullptr;
    require(mtoken_token_get_header(client, "possession_universal", 20, &header, nullptr), nullptr, "token header");
    mtoken_header_free(header);
}

void tokens(const Activation &activation, mtoken_runtime *runtime, mtoken_store *memory, TimeServer &server)
{
    Bytes state = activation.state();
    void *session = mtoken_bench_session_new(
        reinterpret_cast<const uint8_t *>(activation.configuration.data()), (ptrdiff_t)activation.configuration.size(),
        activation.possessionUnlockKey.data(), state.data(), (ptrdiff_t)state.size());
    uint8_t header[1024];
    if (mtoken_bench_session_token_header(session, now, header, sizeof header) < 100)
        wrong("token header of the session");
    measure("token header | library", [session] {
        uint8_t header[1024];
        benchmark::DoNotOptimize(mtoken_bench_session_token_header(session, now, header, sizeof header));
    });
    auto *hmac = new limits::HMAC;
    auto limit = [hmac, &activation] {
        uint8_t text[34] = {}, code[32]; // nonce, time and version with their separators
        limits::random(text, 16);
        (*hmac)(activation.tokenSecret.data(), 16, text, sizeof text, code);
        benchmark::DoNotOptimize(code);
    };
    measure("token header | limit", limit);

    mtoken_client *client = makeClient(runtime, memory, activation, "token", server.url);
    synchronizeTime(client);
    measure("mtoken_token_get_header | library", [client] { tokenHeader(client); });
    measure("mtoken_token_get_header | limit", limit);
}

void encryption(const Activation &activation)
{
    Bytes state = activation.state();
    void *session = mtoken_bench_session_new(
        reinterpret_cast<const uint8_t *>(activation.configuration.data()), (ptrdiff_t)activation.configuration.size(),
        activation.possessionUnlockKey.data(), state.data(), (ptrdiff_t)state.size());
    Bytes serverKey = Activation::privateNumber(activation.serverKey);
    if (mtoken_bench_session_issue_key(session, serverKey.data(), (ptrdiff_t)serverKey.size(), now) != 0)
        wrong("temporary key");
    static const Bytes plaintext(1024, 'x');
    if (mtoken_bench_session_encrypt(session, plaintext.data(), 1024, now) < 1400) wrong("encryption");
    measure("ECIES encryption of 1 KiB | library", [session] {
        benchmark::DoNotOptimize(mtoken_bench_session_encrypt(session, plaintext.data(), 1024, now));
    });
    auto *agreement = new limits::KeyAgreement(activation.serverKey);
    measure("ECIES encryption of 1 KiB | limit", [agreement] {
        uint8_t secret[32];
        (*agreement)(secret);
        benchmark::DoNotOptimize(secret);
    });
}

void verification(const Activation &activation, mtoken_runtime *runtime, mtoken_store *memory)
{
    mtoken_client *client = makeClient(runtime, memory, activation, "verify", "https://bank.example");
    auto *data = new Bytes(
        bytes("5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6\nPayment\nPlease confirm this payment\n"
              "A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello world\nBCFX\nAD8bOO0Df73kNaIGb3Vmpg==\n0"));
    auto add = [client, data](const std::string &name, mtoken_server_key which, EVP_PKEY *key) {
        auto *signature = new Bytes(Activation::sign(key, *data));
        auto verify = [client, data, signature, which] {
            mtoken_verify_options options = MTOKEN_VERIFY_OPTIONS_INIT;
            options.server_key = which;
            options.signed_bytes = {data->data(), data->size()};
            options.signature = {signature->data(), signature->size()};
            mtoken_bool valid = 0;
            require(mtoken_client_verify(client, &options, &valid, nullptr), nullptr, "verification");
            return valid;
        };
        if (verify() != 1) wrong("verification");
        measure(name + " | library", [verify] { benchmark::DoNotOptimize(verify()); });
        auto *limit = new limits::Verification(key);
        measure(name + " | limit", [limit, data, signature] {
            if (!(*limit)(*data, *signature)) wrong("raw verification");
        });
    };
    add("mtoken_client_verify, master key", MTOKEN_KEY_MASTER, activation.masterKey);
    add("mtoken_client_verify, personalised key", MTOKEN_KEY_PERSONALIZED, activation.serverKey);
}

// A client of 4.0: a code with device and PIN beside its KMACs, a token's header beside its nonce and KMAC.
void clients4(const Activation &activation, mtoken_runtime *runtime, mtoken_store *memory, TimeServer &server)
{
    mtoken_client *client = makeClient(runtime, memory, activation, "bench4", server.url);
    mtoken_header *checked = clientSign(client, &activation.pin);
    if (parameter(checked->value, "pa_version") != "4.0" ||
        parameter(checked->value, "pa_auth_code") !=
            activation.code4(uriId, parameter(checked->value, "pa_nonce"), body))
        wrong("code of the client");
    mtoken_header_free(checked);
    measure("mtoken_client_sign in 4.0, possession and knowledge, memory store | library",
            [client, &activation] { mtoken_header_free(clientSign(client, &activation.pin)); });
    static const Bytes key(32, 'k'), data(300, 'x');
    static uint8_t code[32];
    auto *kmac = new limits::KMAC;
    // The PIN's key; for each factor a derived key, and a component over the text of this request; the state for the
    // store.
    auto *work = new SignatureWork(activation, activation.state4());
    measure("mtoken_client_sign in 4.0, possession and knowledge, memory store | limit", [kmac, work] {
        for (size_t length : {size_t(32), size_t(32), size_t(64), work->data.size(), work->data.size()}) {
            (*kmac)(key.data(), 32, data.data(), length, code);
            benchmark::DoNotOptimize(code);
        }
        work->store();
    });

    synchronizeTime(client);
    measure("mtoken_token_get_header in 4.0 | library", [client] { tokenHeader(client); });
    measure("mtoken_token_get_header in 4.0 | limit", [kmac] {
        uint8_t text[34] = {}; // nonce, time and version with their separators
        limits::random(text, 16);
        (*kmac)(key.data(), 32, text, sizeof text, code);
        benchmark::DoNotOptimize(code);
    });
}

// Protocol 4.0: what its steps compute, beside what OpenSSL must compute for them.
void protocol4()
{
    static const Bytes data(300, 'x'), key(32, 'k');
    static uint8_t code[32], expected[32];
    auto *kmac = new limits::KMAC;
    auto *hmac = new limits::HMAC("SHA384");
    (*kmac)(key.data(), 32, data.data(), data.size(), expected);
    auto library = [] { return mtoken_bench_kmac(key.data(), 32, data.data(), (ptrdiff_t)data.size(), code); };
    if (library() != 0 || std::memcmp(code, expected, sizeof code) != 0) wrong("KMAC");
    measure("KMAC of 300 bytes | library", [library] { benchmark::DoNotOptimize(library()); });
    measure("KMAC of 300 bytes | limit", [kmac] {
        (*kmac)(key.data(), 32, data.data(), data.size(), code);
        benchmark::DoNotOptimize(code);
    });

    const struct {
        int32_t suite;
        const char *name, *kem, *dsa;
        size_t ciphertext, publicKey;
    } suites[] = {{1, "EC_P384", nullptr, nullptr, 0, 0},
                  {2, "EC_P384_ML_L3", "ML-KEM-768", "ML-DSA-65", 1088, 1974},
                  {3, "EC_P384_ML_L5", "ML-KEM-1024", "ML-DSA-87", 1568, 2614}};
    static const Bytes publicKeys(180 + 2 * 2614, 'p');
    EVP_MD *sha3 = EVP_MD_fetch(nullptr, "SHA3-256", nullptr);
    for (const auto &suite : suites) {
        void *device = mtoken_bench_v4_new(suite.suite);
        if (!device) {
            std::fprintf(stderr, "not run: %s; this OpenSSL has no ML-KEM and ML-DSA (3.5 has)\n", suite.name);
            continue;
        }
        if (mtoken_bench_v4_temporary_key(device) != 0 || mtoken_bench_v4_activation(device) != 0 ||
            mtoken_bench_v4_code(device) != 0)
            wrong(suite.name);
        EVP_PKEY *peer = limits::KeyAgreement(nullptr, "secp384r1").generate();
        auto *agreement = new limits::KeyAgreement(peer, "secp384r1");
        auto *signature = new Bytes(limits::signWhole(peer, "SHA384", data));
        EVP_PKEY *second = suite.dsa ? limits::fromSeed(suite.dsa, 32) : nullptr;
        auto *secondSignature = new Bytes(suite.dsa ? limits::signWhole(second, nullptr, data) : Bytes());
        auto *ciphertext = new Bytes(suite.ciphertext);
        if (suite.kem) {
            EVP_PKEY *receiver = limits::fromSeed(suite.kem, 64);
            limits::encapsulate(receiver, *ciphertext);
            EVP_PKEY_free(receiver);
        }
        // A key pair of each kind, and the secret of the answer. What ECDH gives goes through five HMACs of RFC 9180;
        // those of constants are none of them.
        auto exchange = [agreement, ciphertext, suite, hmac] {
            uint8_t secret[48];
            (*agreement)(secret);
            for (size_t length : {67, 222, 23, 120, 33}) (*hmac)(secret, 48, data.data(), length, secret);
            if (!suite.kem) return;
            EVP_PKEY *pair = limits::fromSeed(suite.kem, 64);
            limits::decapsulate(pair, *ciphertext);
            EVP_PKEY_free(pair);
        };
        std::string name = std::string("temporary key, ") + suite.name;
        measure(name + " | library", [device] { benchmark::DoNotOptimize(mtoken_bench_v4_temporary_key(device)); });
        measure(name + " | limit", [=] {
            exchange();
            if (!limits::verifyWhole(peer, "SHA384", data, *signature)) wrong("raw verification");
            if (second && !limits::verifyWhole(second, nullptr, data, *secondSignature)) wrong("raw verification");
        });
        name = std::string("keys of an activation, ") + suite.name;
        measure(name + " | library", [device] { benchmark::DoNotOptimize(mtoken_bench_v4_activation(device)); });
        // The exchange and a key pair to sign with; the secret of it and the seven keys of its tree; the fingerprint of
        // two public keys on P-384 and two of ML-DSA.
        const size_t shown = 180 + 2 * suite.publicKey;
        measure(name + " | limit", [=] {
            exchange();
            EVP_PKEY_free(agreement->generate());
            if (suite.dsa) EVP_PKEY_free(limits::fromSeed(suite.dsa, 32));
            for (size_t length : {130, 12, 23, 22, 21, 11, 13, 12}) (*kmac)(key.data(), 32, data.data(), length, code);
            EVP_Digest(publicKeys.data(), shown, code, nullptr, sha3, nullptr);
            benchmark::DoNotOptimize(code);
        });
        if (suite.suite != 1) continue;
        measure("code with device and PIN, 4.0 | library",
                [device] { benchmark::DoNotOptimize(mtoken_bench_v4_code(device)); });
        // The PIN's key, and for each factor a derived key and a component.
        measure("code with device and PIN, 4.0 | limit", [kmac] {
            for (size_t length : {32, 32, 64, 160, 160}) {
                (*kmac)(key.data(), 32, data.data(), length, code);
                benchmark::DoNotOptimize(code);
            }
        });
    }
}

void lists()
{
    auto add = [](const std::string &name, std::string text) {
        auto *list = new std::string(std::move(text));
        auto decode = [list](void (*read)(const mtoken_operation_list *)) {
            return mtoken_bench_decode_list(reinterpret_cast<const uint8_t *>(list->data()), (ptrdiff_t)list->size(),
                                            read);
        };
        if (decode(readAll) != 100) wrong("list");
        measure(name + " | library", [decode] { benchmark::DoNotOptimize(decode(nullptr)); });
        measure(name + ", all fields read | library", [decode] { benchmark::DoNotOptimize(decode(readAll)); });
        // With the flags that the strictness of the library needs, and without any.
        auto limit = [list](size_t flags) {
            json_t *json = json_loadb(list->data(), list->size(), flags, nullptr);
            if (!json) wrong("raw list");
            json_decref(json);
        };
        measure(name + " | limit", [limit] { limit(JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY); });
        measure(name + ", no flags | limit", [limit] { limit(0); });
    };
    add("list of 100 operations, all members", listWithAllMembers());
    add("list of 100 operations, typical", typicalList());
}

} // namespace

int main(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s [--benchmark_...] <new directory for the directory store>\n", argv[0]);
        return 2;
    }
    Activation activation;
    MemoryStore memory;
    for (const char *id : {"bench", "token", "verify"}) {
        memory.items[std::string(id) + ".key"] = activation.deviceSecret;
        memory.items[std::string(id) + ".state"] = activation.sealedState(id);
    }
    memory.items["bench4.key"] = activation.deviceSecret;
    memory.items["bench4.state"] = activation.sealedState("bench4", activation.state4());
    TimeServer server;
    mtoken_runtime *runtime = nullptr;
    mtoken_error *error = nullptr;
    require(mtoken_runtime_new(nullptr, &runtime, &error), error, "runtime");

    signatures(activation, runtime, memory.handle, argv[1]);
    codes();
    tokens(activation, runtime, memory.handle, server);
    encryption(activation);
    verification(activation, runtime, memory.handle);
    clients4(activation, runtime, memory.handle, server);
    protocol4();
    lists();
    benchmark::RunSpecifiedBenchmarks();
    mtoken_runtime_free(runtime);
    return 0;
}
