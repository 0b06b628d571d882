/* What the work of Tests/bench/bindings/README.md costs through mtoken.hpp. */
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mtoken.hpp>

namespace {

constexpr int batches = 30;
constexpr double batch_ns = 10e6;
volatile uint64_t sink;

std::string setting(const char *name)
{
    const char *value = std::getenv(name);
    if (!value) throw std::runtime_error(std::string(name) + " is not set");
    return value;
}

double now()
{
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

void figure(const char *name, double ns)
{
    std::printf("{\"name\": \"%s\", \"ns\": %.1f}\n", name, ns);
    std::fflush(stdout);
}

template <typename F> void measure(const char *name, F operation)
{
    double best = 0;
    size_t count = 1;
    for (int batch = 0; batch < batches;) {
        double start = now();
        for (size_t i = 0; i < count; i++) operation();
        double taken = now() - start;
        if (batch == 0 && taken < batch_ns) {
            count *= 2;
            continue;
        }
        batch++;
        if (best == 0 || taken / double(count) < best) best = taken / double(count);
    }
    figure(name, best);
}

uint64_t length(std::string_view text) { return text.size(); }

uint64_t length(std::optional<std::string_view> text) { return text ? text->size() : 0; }

uint64_t whole(const mtoken::QrOperation &operation)
{
    uint64_t sum = uint64_t(operation.verification()) + uint64_t(operation.server_key()) + operation.allows_biometry() +
                   operation.flip_buttons() + operation.warns_of_fraud() + operation.block_approval_on_call() +
                   operation.is_newer_format() + operation.signed_length();
    sum += length(operation.payload()) + length(operation.id()) + length(operation.title()) +
           length(operation.message()) + length(operation.raw_title()) + length(operation.raw_message()) +
           length(operation.flags()) + length(operation.unknown_flags()) + length(operation.totp()) +
           length(operation.nonce()) + length(operation.signature());
    for (std::string_view extra : operation.extras()) sum += length(extra);
    for (size_t i = 0; i < 16; i++) sum += operation.nonce_bytes()[i];
    for (uint8_t byte : operation.signature_bytes()) sum += byte;
    mtoken::OperationFields data = operation.signed_fields();
    sum += length(data.text()) + uint64_t(data.version()) + data.is_version_known() + uint64_t(data.template_id());
    for (mtoken::OperationField field : data.fields())
        sum += uint64_t(field.kind()) + field.letter() + length(field.raw()) + field.offset() + length(field.text()) +
               length(field.amount()) + length(field.value()) + length(field.currency()) + length(field.iban()) +
               length(field.bic()) + field.is_iban_valid() + uint64_t(field.year() + field.month() + field.day());
    return sum;
}

/* The bytes behind Base64. */
std::vector<uint8_t> decoded(const std::string &base64)
{
    static const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<uint8_t> bytes;
    uint32_t bits = 0;
    int held = 0;
    for (char letter : base64.substr(0, base64.find('='))) {
        bits = bits << 6 | uint32_t(alphabet.find(letter));
        held += 6;
        if (held >= 8) bytes.push_back(uint8_t(bits >> (held -= 8)));
    }
    return bytes;
}

void lists(const mtoken::Client &client, size_t count)
{
    using namespace std::chrono_literals;
    mtoken::Client apart = client.with_options(mtoken::CallOptions().timeout(30s));
    double best = 0;
    for (int batch = 0; batch < 3; batch++) {
        double start = now();
        std::vector<mtoken::Task<mtoken::OperationList>> tasks;
        for (size_t i = 0; i < count; i++) tasks.push_back(apart.operations_list());
        for (const auto &task : tasks)
            if (!task.get().operations().empty()) std::exit(1);
        tasks.clear();
        double taken = (now() - start) / double(count);
        if (best == 0 || taken < best) best = taken;
    }
    figure("lists", best);
}

} // namespace

int main()
{
    std::string url = setting("MTOKEN_BENCH_URL"), ca = setting("MTOKEN_BENCH_CA");
    std::string configuration = setting("MTOKEN_BENCH_CONFIGURATION"), code = setting("MTOKEN_BENCH_CODE");
    std::string payload = setting("MTOKEN_BENCH_PAYLOAD"), message = setting("MTOKEN_BENCH_SIGNED");
    std::vector<uint8_t> signature = decoded(setting("MTOKEN_BENCH_SIGNATURE"));
    std::string body(300, 'a');
    const char *count = std::getenv("MTOKEN_BENCH_LISTS");

    auto runtime = mtoken::new_runtime();
    auto store = mtoken::new_store_memory();
    auto options = mtoken::ClientOptions().id("bench").base_url(url).configuration(configuration).store(store);
    auto client = runtime.new_client(options.ca_file(ca));
    client.activate(mtoken::ActivationOptions().code(code)).get();
    client.persist(mtoken::Auth().pin("1234"));
    client.fetch_status().get();

    lists(client, count ? std::strtoul(count, nullptr, 10) : 1000);
    measure("call", [] { sink = sink + uint64_t(mtoken::abi_version()); });
    measure("qr_text", [&] { sink = sink + mtoken::qr_operation_parse(payload).title().size(); });
    measure("qr_struct", [&] { sink = sink + whole(mtoken::qr_operation_parse(payload)); });
    measure("verify", [&] {
        if (!client.verify(mtoken::VerifyOptions().signed_bytes(message).signature(signature))) std::exit(1);
    });
    measure("sign", [&] {
        auto header = client.sign(mtoken::SignOptions().method("POST").uri_id("/test/signed").body(body),
                                  mtoken::Auth().factors(mtoken::Factors::possession));
        sink = sink + header.value().size();
        client.signature_accepted();
    });
    return 0;
}
