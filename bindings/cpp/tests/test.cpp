/* mtoken.hpp: bad input, life, threads, every order of freeing, leaks. Tests/python/bindings/test_cpp.py starts it
 * beside a server. */
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <malloc.h>
#include <map>
#include <mtoken.hpp>
#include <netinet/in.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace std::chrono_literals;

/* How many allocations of this thread are left before one fails; -1: all succeed. */
static thread_local int allocations_left = -1;

[[gnu::noinline]] void *operator new(size_t size, const std::nothrow_t &) noexcept
{
    if (allocations_left == 0) return nullptr;
    if (allocations_left > 0) allocations_left--;
    return std::malloc(size ? size : 1);
}

[[gnu::noinline]] void *operator new(size_t size)
{
    void *made = operator new(size, std::nothrow);
    if (!made) throw std::bad_alloc();
    return made;
}

[[gnu::noinline]] void operator delete(void *made) noexcept { std::free(made); }

[[gnu::noinline]] void operator delete(void *made, size_t) noexcept { std::free(made); }

namespace {

std::atomic<int> checks{0};

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        checks++;                                                                                                      \
        if (!(condition)) fail(#condition, __LINE__);                                                                  \
    } while (0)

/* A bool that is false is no failure, and a failure is no false. */
static_assert(!std::is_constructible_v<bool, mtoken::Result<bool>> &&
              std::is_constructible_v<bool, mtoken::Result<int>>);

[[noreturn]] void fail(const char *what, int line)
{
    std::cerr << "line " << line << ": " << what << std::endl;
    std::_Exit(1);
}

/* Whether a call throws exactly this. */
template <typename E> bool throws(const std::function<void()> &call)
{
    try {
        call();
    } catch (const E &) {
        return true;
    } catch (const std::exception &other) {
        std::cerr << "another error: " << other.what() << std::endl;
    }
    return false;
}

std::string setting(const char *name)
{
    const char *value = std::getenv(name);
    if (!value) fail(name, __LINE__);
    return value;
}

struct Phone {
    mtoken::Runtime runtime = mtoken::new_runtime();
    mtoken::Store store;
    mtoken::Client client;

    explicit Phone(mtoken::Store kept = mtoken::new_store_memory(), const char *code = "MTOKEN_TEST_CODE")
        : store(std::move(kept))
    {
        std::string url = setting("MTOKEN_TEST_URL"), ca = setting("MTOKEN_TEST_CA");
        std::string configuration = setting("MTOKEN_TEST_CONFIGURATION");
        auto options = mtoken::ClientOptions().id("phone").base_url(url).configuration(configuration).store(store);
        client = runtime.new_client(options.ca_file(ca));
        auto activation = client.activate(mtoken::ActivationOptions().code(setting(code))).get();
        CHECK(activation.fingerprint().size() == 8);
        client.persist(mtoken::Auth().pin("1234"));
        CHECK(client.fetch_status().get().state() == mtoken::ActivationState::active);
    }
};

/* ------------------------------------------------------------------------------------------------------- no network */

void values()
{
    mtoken::check_library();
    std::string payload = setting("MTOKEN_TEST_PAYLOAD");
    auto operation = mtoken::qr_operation_parse(payload);
    CHECK(operation && operation.payload() == payload);
    CHECK(operation.signed_fields().fields().size() == operation.get()->signed_fields->field_count);
    size_t count = 0;
    for (mtoken::OperationField field : operation.signed_fields().fields())
        count += field.kind() != mtoken::FieldKind::empty;
    CHECK(count == operation.signed_fields().fields().size());
    CHECK(throws<std::out_of_range>([&] { operation.signed_fields().fields().at(99); }));
    CHECK(!operation.totp());
    CHECK(operation.verification() == mtoken::Verification::not_checked);
    CHECK(std::string(mtoken::name_of(operation.verification())) == "MTOKEN_VERIFIED_NOT_CHECKED");

    mtoken::Owner<mtoken::QrOperation> moved = std::move(operation);
    CHECK(moved && !operation);
    moved.reset();
    CHECK(!moved);
    moved = mtoken::qr_operation_parse(payload);
    moved = mtoken::qr_operation_parse(payload); /* frees the former */
    CHECK(moved.id().size() > 0);

    CHECK(mtoken::sha256(mtoken::bytes_view("abc")).view().size() == 32);
    CHECK(!mtoken::push_parse("{}")); /* of no kind: no error */
    auto [verifier, challenge] = mtoken::oidc_pkce(32);
    CHECK(mtoken::oidc_challenge(verifier.view()).str() == challenge.view());
    mtoken::Factors both = mtoken::Factors::possession | mtoken::Factors::knowledge;
    CHECK(mtoken::has(both, mtoken::Factors::knowledge) && !mtoken::has(both, mtoken::Factors::biometry));
    mtoken::secret pin("1234");
    CHECK(mtoken::bytes_view(pin).size() == 4);
    pin.wipe();
    CHECK(pin.size() == 0);
    std::string typed = "1234"; /* neither const nor temporary */
    CHECK(mtoken::bytes_view(typed).size() == 4);
    CHECK(mtoken::sha256(typed).view() == mtoken::sha256("1234").view());
    CHECK(mtoken::sha256(typed).view() != mtoken::sha256("1235").view());
}

template <typename T> std::string printed(const T &value)
{
    std::ostringstream out;
    out << std::hex << value;
    return out.str();
}

/* Results are equal when their members are, and print them without secrets; lists are ranges for all algorithms. */
void contents()
{
    std::string payload = setting("MTOKEN_TEST_PAYLOAD");
    auto one = mtoken::qr_operation_parse(payload), same = mtoken::qr_operation_parse(payload);
    size_t end = payload.find('\n');
    auto other = mtoken::qr_operation_parse("1" + payload.substr(0, end) + payload.substr(end));
    CHECK(one == same && one.get() != same.get() && one != other && !(one == mtoken::QrOperation()));
    CHECK(mtoken::QrOperation() == mtoken::QrOperation());
    mtoken::QrOperation copied = one;
    CHECK(copied == one && copied.get() == one.get());
    std::string text = printed(one);
    CHECK(text.rfind("QrOperation{verification: MTOKEN_VERIFIED_NOT_CHECKED, ", 0) == 0 && text.back() == '}');
    CHECK(text.find("id: \"" + std::string(one.id()) + "\"") != std::string::npos);
    CHECK(text.find("fields: [OperationField{kind: ") != std::string::npos && text == one.to_string());
    CHECK(text.find("payload") == std::string::npos && text.find("totp") == std::string::npos);
    CHECK(printed(mtoken::Factors::possession | mtoken::Factors::knowledge) ==
          "MTOKEN_FACTOR_POSSESSION|MTOKEN_FACTOR_KNOWLEDGE");
    CHECK(printed(mtoken::Status(7777)) == "7777");
    auto error = mtoken::qr_operation_parse(std::nothrow, "\x01\"").error();
    CHECK(printed(error).rfind("ErrorInfo{code: MTOKEN_ERROR_PARSE, outcome: ", 0) == 0);

    auto fields = one.signed_fields().fields();
    auto first = fields.begin(), last = fields.end();
    CHECK(last - first == std::ptrdiff_t(fields.size()) && fields.size() > 2 && first < last && last > first);
    CHECK(std::next(first, 2)->raw() == fields[2].raw() && first[2] == *(2 + first) && *(last - 1) == *--fields.end());
    CHECK((*std::make_reverse_iterator(last)).raw() == fields[fields.size() - 1].raw());
    CHECK(std::is_sorted(first, last, [](auto left, auto right) { return left.offset() < right.offset(); }));
    auto middle = std::partition_point(first, last, [&](auto each) { return each.offset() < fields[1].offset(); });
    CHECK(middle - first == 1 && fields == same.signed_fields().fields());
}

void bad_input()
{
    using namespace std::string_view_literals;
    CHECK(throws<mtoken::ParseError>([] { mtoken::qr_operation_parse(""); }));
    CHECK(throws<mtoken::ArgumentError>([] { mtoken::qr_operation_parse("a\0b"sv); }));
    CHECK(throws<mtoken::ArgumentError>([] { mtoken::qr_operation_parse("\xff\xfe"); }));
    CHECK(throws<mtoken::ArgumentError>([] { mtoken::sha256({nullptr, 5}); }));
    CHECK(throws<mtoken::ArgumentError>([] { mtoken::pac_parse("scheme://o?oid=1", mtoken::ProximitySource(77)); }));
    CHECK(throws<mtoken::ArgumentError>([] { mtoken::new_runtime(mtoken::RuntimeOptions().max_transfers(-1)); }));
    CHECK(throws<mtoken::HandleError>([] { (void)mtoken::ClientRef().operations_list(); }));
    CHECK(throws<mtoken::HandleError>([] { mtoken::TaskRef().wait(0ms); }));
    CHECK(!mtoken::TaskRef().operations());
    CHECK(!mtoken::ClientRef().push_is_registered());

    auto refused = mtoken::qr_operation_parse(std::nothrow, "nonsense");
    CHECK(!refused && refused.error().code() == mtoken::Status::error_parse);
    CHECK(refused.error().reason() == "tooFewLines" && refused.error().byte_offset() >= 0);
    CHECK(refused.error().what() == refused.error().message());
    CHECK(throws<mtoken::ParseError>([&] { refused.value(); }));
    mtoken::Error copy = refused.error();
    refused = mtoken::qr_operation_parse(std::nothrow, "");
    CHECK(copy.reason() == "tooFewLines"); /* a copy lives by itself */

    /* No text at all, in each way to write it. */
    const char *null = nullptr;
    for (mtoken::text_view none :
         {mtoken::text_view(null), mtoken::text_view(std::string_view()), mtoken::text_view()}) {
        CHECK(throws<mtoken::ArgumentError>([&] { (void)mtoken::new_store_directory(none); }));
        CHECK(throws<mtoken::ConfigurationError>([&] {
            auto runtime = mtoken::new_runtime();
            auto store = mtoken::new_store_memory();
            (void)runtime.new_client(mtoken::ClientOptions().id(none).base_url(none).configuration(none).store(store));
        }));
    }
    CHECK(!mtoken::push_parse(std::nothrow, null).has_value() && mtoken::bytes_view(null).empty());
}

/* A number that its type in C cannot hold is refused; cut, each of these would be allowed. */
void numbers()
{
    const int64_t cut = int64_t(1) << 32;
    static_assert(int32_t(mtoken::integer<int32_t>(7LL)) == 7 && int32_t(mtoken::integer<int32_t>(-7)) == -7);
    static_assert(uint64_t(mtoken::integer<uint64_t>(-1)) == UINT64_MAX &&
                  int64_t(mtoken::integer<int64_t>(UINT64_MAX)) < 0);
    static_assert(int32_t(mtoken::integer<int32_t>(UINT32_MAX)) < 0 && int32_t(mtoken::integer<int32_t>(true)) == 1);
    CHECK(throws<mtoken::ArgumentError>([&] { mtoken::new_runtime(mtoken::RuntimeOptions().max_transfers(cut + 1)); }));
    CHECK(throws<mtoken::ArgumentError>([&] { mtoken::oidc_pkce(-1); }));
    Phone phone;
    auto &client = phone.client;
    auto page = [&](auto number, auto size) { (void)client.inbox_list_page(number, size, false); };
    CHECK(throws<mtoken::ArgumentError>([&] { page(cut, 10); }));
    CHECK(throws<mtoken::ArgumentError>([&] { page(0, cut + 10); }));
    CHECK(throws<mtoken::ArgumentError>(
        [&] { (void)client.with_options(mtoken::CallOptions().timeout(std::chrono::milliseconds(cut + 1000))); }));
}

using Items = std::map<std::string, std::vector<uint8_t>>;

/* A store in the program. What it is told to throw, its next save throws. */
struct Shelf : mtoken::HostStore {
    Items items;
    std::function<void()> before_saving;
    std::atomic<int> *ended;

    explicit Shelf(std::atomic<int> &ended) : ended(&ended) {}
    ~Shelf() override { ++*ended; }
    std::optional<mtoken::secret> load(std::string_view name) override
    {
        auto found = items.find(std::string(name));
        return found == items.end() ? std::nullopt : std::make_optional<mtoken::secret>(found->second);
    }
    void save(std::string_view name, mtoken::bytes_view item) override
    {
        if (before_saving) std::exchange(before_saving, nullptr)();
        items[std::string(name)].assign(item.begin(), item.end());
    }
    void remove(std::string_view name) override { items.erase(std::string(name)); }
    std::vector<std::string> list() override
    {
        std::vector<std::string> names;
        for (const auto &[name, item] : items) names.push_back(name);
        return names;
    }
};

/* A sealer that turns bits around, until it is told what to throw. */
struct Box : mtoken::HostSealer {
    std::function<void()> before;

    std::vector<uint8_t> seal(std::string_view, mtoken::bytes_view bytes) override
    {
        if (before) before();
        std::vector<uint8_t> form(bytes.begin(), bytes.end());
        for (uint8_t &each : form) each = uint8_t(~each);
        return form;
    }
    mtoken::secret unseal(std::string_view label, mtoken::bytes_view form) override
    {
        return mtoken::secret(seal(label, form));
    }
};

void hosts()
{
    std::atomic<int> ended{0};
    {
        auto shelf = std::make_shared<Shelf>(ended);
        Phone phone(mtoken::new_store_host(shelf));
        auto sign = [&] {
            phone.client.sign(mtoken::SignOptions().method("POST").uri_id("/x"),
                              mtoken::Auth().factors(mtoken::Factors::possession));
        };
        sign();
        CHECK(shelf->items.count("phone.state") == 1);
        auto cause = [](const std::function<void()> &call) {
            std::string text;
            CHECK(throws<mtoken::StorageError>([&] {
                try {
                    call();
                } catch (const mtoken::Error &error) {
                    text = error.cause().value_or("");
                    throw;
                }
            }));
            return text;
        };
        shelf->before_saving = [] { throw std::runtime_error("the disk is full"); };
        CHECK(cause(sign) == "the disk is full");
        shelf->before_saving = [] { throw 42; };
        CHECK(cause(sign) == "not a std::exception");
        shelf->before_saving = [] { throw std::runtime_error("no card\nno line"); }; /* on a thread of the runtime */
        CHECK(cause([&] { phone.client.validate_pin("1234").get(); }).rfind("no card", 0) == 0);
        mtoken::Status inside = mtoken::Status::ok;
        std::string reason;
        shelf->before_saving = [&] {
            auto refused = phone.client.operations_list(std::nothrow);
            if (refused.has_value()) return;
            inside = refused.error().code();
            reason = refused.error().reason();
        };
        sign();
        CHECK(inside == mtoken::Status::error_state && reason == "insideHostFunction");
        CHECK(phone.store.clients().ids().size() == 1 && phone.store.clients().ids()[0] == "phone");
        phone.store.reset();
        sign(); /* its clients keep it */
    }
    CHECK(ended == 1);
    CHECK(throws<mtoken::ArgumentError>([] { mtoken::new_store_host(std::shared_ptr<mtoken::HostStore>()); }));

    auto box = std::make_shared<Box>();
    auto sealer = mtoken::new_sealer_host(box);
    auto form = sealer.seal("label", "0123456789abcdef");
    CHECK(form.view() != mtoken::bytes_view("0123456789abcdef"));
    CHECK(sealer.unseal("label", form.view()).view() == mtoken::bytes_view("0123456789abcdef"));
    box->before = [] { throw mtoken::SealFault::denied; };
    auto denied = sealer.unseal(std::nothrow, "label", form.view());
    CHECK(!denied && denied.error().reason() == "sealDenied");
    box->before = [] { throw std::runtime_error("no card"); };
    denied = sealer.seal(std::nothrow, "label", "x");
    CHECK(!denied && denied.error().reason() == "sealFailed" && denied.error().cause() == "no card");
}

/* Calls that promise not to throw find no memory, at each place where they look for some. */
void memory()
{
    Phone phone;
    std::string payload = setting("MTOKEN_TEST_PAYLOAD");
    auto list = phone.client.operations_list();
    list.get();
    auto host = std::make_shared<Box>();
    int refused = 0;
    auto tried = [&](auto made) {
        if (!made.has_value() && made.error().code() == mtoken::Status::error_internal) {
            CHECK(made.error().outcome() == mtoken::Outcome::not_sent && made.error().what()[0] != '\0');
            refused++;
        }
        return made.has_value();
    };
    auto each = [&](const char *name, bool succeeds, auto call) {
        for (int room = 0;; room++) {
            CHECK(room < 10);
            int before = refused;
            allocations_left = room;
            auto made = call();
            bool is_enough = allocations_left > 0 || room == 9;
            allocations_left = -1;
            bool has_value = tried(std::move(made));
            if (refused != before) continue;
            if (has_value != succeeds) std::cerr << name << std::endl;
            CHECK(has_value == succeeds);
            if (is_enough) return;
        }
    };
    each("a result", true, [&] { return mtoken::qr_operation_parse(std::nothrow, payload); });
    each("a failure", false, [&] { return mtoken::qr_operation_parse(std::nothrow, "nonsense"); });
    each("two results", true, [&] { return mtoken::oidc_pkce(std::nothrow, 32); });
    each("a task", true, [&] { return phone.client.operations_list(std::nothrow); });
    each("its result", true, [&] { return list.get(std::nothrow); });
    each("a refusal", false, [&] { return phone.client.operations_detail(std::nothrow, ""); });
    each("a sealer", true, [&] { return mtoken::new_sealer_host(std::nothrow, host); });
    each("nothing", true, [&] { return list.wait(std::nothrow, 0ms); });
    CHECK(refused >= 8);
}

/* ---------------------------------------------------------------------------------------------------- beside a server
 */

void life()
{
    Phone phone;
    auto list = phone.client.operations_list().get(30s);
    CHECK(list.operations().size() == 1 && list.has_server_time());
    mtoken::Operation operation = list.operations()[0];
    CHECK(operation.status() == mtoken::OperationStatus::pending);
    CHECK(operation.created() < operation.expires());
    CHECK(mtoken::has(operation.variants(), mtoken::SignatureVariants::possession_knowledge));
    CHECK(throws<mtoken::AuthenticationError>(
        [&] { phone.client.operations_authorize(operation, mtoken::Auth().pin("0000")).get(); }));
    auto failed = phone.client.validate_pin("0000").get(std::nothrow);
    CHECK(!failed && failed.error().outcome() == mtoken::Outcome::answered && failed.error().http_status() == 401);
    /* Other odd arguments of each call: Tests/conformance/odd.py. A limit is given when the call has begun: the error
     * does not say that the bank has heard nothing, and the call goes on. */
    auto approval = phone.client.operations_authorize(operation, mtoken::Auth().pin("1234"));
    for (auto limit : {std::chrono::milliseconds::min(), std::chrono::milliseconds(-2)}) {
        auto refused = approval.get(std::nothrow, limit);
        CHECK(!refused && refused.error().code() == mtoken::Status::error_argument);
        CHECK(refused.error().outcome() == mtoken::Outcome::unknown);
    }
    approval.get(std::chrono::milliseconds::max());
    CHECK(phone.client.operations_list().get().operations().empty());
    auto header = phone.client.sign(mtoken::SignOptions().method("POST").uri_id("/x").body("{}"),
                                    mtoken::Auth().factors(mtoken::Factors::possession));
    CHECK(header.name() == "X-PowerAuth-Authorization");

    mtoken::Task<mtoken::OperationList> task = phone.client.operations_list();
    CHECK(task.get().operations().empty() && task.get_state() == mtoken::TaskState::succeeded);
    auto info = phone.client.get_info();
    CHECK(info.state() == mtoken::ClientState::active && info.activation_id());

    mtoken_client *freed = phone.client.release();
    mtoken_client_free(freed);
    CHECK(throws<mtoken::HandleError>([&] { (void)mtoken::ClientRef(freed).operations_list(); }));
    CHECK(throws<mtoken::HandleError>([&] { mtoken::ClientRef(freed).get_info(); }));
}

/* The natural forms of use, each of which would read what is gone if a result did not keep what it looks into. */
void results()
{
    Phone phone;
    mtoken::OperationList list = phone.client.operations_list().get();
    CHECK(list.operations().size() == 1);
    size_t count = 0;
    for (mtoken::Operation operation : phone.client.operations_list().get().operations())
        for (mtoken::Attribute attribute : operation.attributes()) count += attribute.label().size() > 0;
    CHECK(count > 0);
    mtoken::Operation first = phone.client.operations_list().get().operations()[0];
    mtoken::Operation tried = phone.client.operations_list().get(std::nothrow).value().operations().at(0);
    CHECK(first.id() == tried.id() && first.id() == list.operations()[0].id());
    auto fields = mtoken::qr_operation_parse(setting("MTOKEN_TEST_PAYLOAD")).signed_fields().fields();
    CHECK(
        std::any_of(fields.begin(), fields.end(), [](auto each) { return each.kind() == mtoken::FieldKind::amount; }));
    auto again = phone.client.operations_list();
    mtoken::OperationList moved = again.get();
    again.reset();
    CHECK(moved.operations()[0].id() == first.id());
    CHECK(mtoken::Operation().id().empty() && mtoken::OperationList().operations().empty()); /* of nothing */

    /* A list that is fetched anew takes nothing from what was selected in the old one. */
    mtoken::Operation selected = list.operations()[0];
    list = phone.client.operations_list().get();
    auto refused = phone.client.operations_authorize(std::nothrow, selected, mtoken::Auth().pin("1234"),
                                                     mtoken::AuthorizeOptions().expected_id("another"));
    CHECK(!refused && refused.error().reason() == "otherOperation");
    phone.client
        .operations_authorize(selected, mtoken::Auth().pin("1234"),
                              mtoken::AuthorizeOptions().expected_id(first.id()).strict(true))
        .get();
    CHECK(phone.client.operations_list().get().operations().empty());
}

/* What options were given may go, be wiped or be moved from. */
void options()
{
    Phone phone;
    auto ask = [] { return std::string("1234") + std::string(64, 'x').substr(64); };
    auto auth = mtoken::Auth().pin(ask());
    mtoken::secret typed("1234"), taken;
    auto wiped = mtoken::Auth().pin(typed);
    typed.wipe();
    auto copy = auth, moved = std::move(wiped);
    auto nested = mtoken::WaitOptions().auth(mtoken::Auth().pin(ask()));
    CHECK(nested.mtoken_wait_options::auth->pin.length == 4 && nested.mtoken_wait_options::auth->pin.data[3] == '4');
    for (const mtoken::Auth *each : {&auth, &copy, &moved})
        CHECK(phone.client.operations_history(*each).get(std::nothrow));

    /* A setter sets: what is empty is not absent, and never possession alone. */
    mtoken::secret gone("1234");
    taken = std::move(gone);
    for (const mtoken::Auth &each : {mtoken::Auth().pin(gone), mtoken::Auth().pin({}), mtoken::Auth().pin(""),
                                     mtoken::Auth().pin(static_cast<const char *>(nullptr)), mtoken::Auth()})
        CHECK(throws<mtoken::ArgumentError>(
            [&] { phone.client.sign(mtoken::SignOptions().method("POST").uri_id("/x"), each); }));
    CHECK(phone.client.fetch_status().get().remaining_attempts() == 5);
}

/* 20 threads, 200 operations each, on one client. */
void threads()
{
    Phone phone;
    std::string payload = setting("MTOKEN_TEST_PAYLOAD");
    std::atomic<int> done{0};
    std::vector<std::thread> all;
    for (int i = 0; i < 20; i++)
        all.emplace_back([&] {
            for (int j = 0; j < 200; j++) {
                if (j % 50 == 0) {
                    CHECK(phone.client.operations_list().get().skipped_count() == 0);
                } else if (j % 2) {
                    auto operation = mtoken::qr_operation_parse(payload, mtoken::QrOptions().client(phone.client));
                    CHECK(operation.verification() == mtoken::Verification::valid);
                } else {
                    CHECK(phone.client.get_info().state() == mtoken::ClientState::active);
                }
                done++;
            }
        });
    for (std::thread &thread : all) thread.join();
    CHECK(done == 4000);
}

/* Runtime, store, client, task and result, freed in every order, with calls under way. */
void orders()
{
    Phone phone;
    std::array<int, 4> order = {0, 1, 2, 3};
    int rounds = 0;
    do {
        auto runtime = mtoken::new_runtime();
        auto store = mtoken::new_store_memory();
        std::string url = setting("MTOKEN_TEST_URL"), configuration = setting("MTOKEN_TEST_CONFIGURATION");
        auto client =
            runtime.new_client(mtoken::ClientOptions().id("x").base_url(url).configuration(configuration).store(store));
        auto task = client.synchronize_time();
        for (int what : order) {
            if (what == 0) runtime.reset();
            if (what == 1) store.reset();
            if (what == 2) client.reset();
            if (what == 3) task.reset();
        }
        rounds++;
    } while (std::next_permutation(order.begin(), order.end()));
    CHECK(rounds == 24);
    auto kept = phone.client.operations_list().get();
    phone.client.reset();
    phone.runtime.reset();
    CHECK(kept.skipped_count() == 0); /* the result lives with its task */
}

/* Whatever of a client and its runtime is reset first; the server hears nobody. */
void ends()
{
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in place{};
    socklen_t size = sizeof place;
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto *address = reinterpret_cast<sockaddr *>(&place);
    CHECK(bind(listener, address, size) == 0 && listen(listener, 64) == 0 &&
          getsockname(listener, address, &size) == 0);
    std::string url = "http://127.0.0.1:" + std::to_string(ntohs(place.sin_port));
    std::string configuration = setting("MTOKEN_TEST_CONFIGURATION");
    for (int round = 0; round < 100; round++) {
        auto runtime = mtoken::new_runtime();
        auto store = mtoken::new_store_memory();
        auto client = runtime.new_client(
            mtoken::ClientOptions().id("x").base_url(url).configuration(configuration).store(store).allow_http(true));
        std::vector<decltype(client.synchronize_time())> calls;
        for (int i = 0; i < 16; i++) calls.push_back(client.synchronize_time());
        if (round % 3 > 0) std::this_thread::yield();
        if (round % 2 > 0) client.reset();
        if (round % 4 < 3) runtime.reset();
        for (auto &call : calls) CHECK(throws<mtoken::CancelledError>([&] { call.get(); }));
    }
    close(listener);
}

/* Memory that is in use after 10,000 calls is what was in use before. */
void leaks()
{
    Phone phone;
    auto work = [&](int times) {
        for (int i = 0; i < times; i++) {
            CHECK(!mtoken::qr_operation_parse(std::nothrow, "nonsense"));
            CHECK(phone.client.get_info().state() == mtoken::ClientState::active);
            CHECK(mtoken::sha256("abc").view().size() == 32);
            auto task = phone.client.operations_detail(std::nothrow, "");
            CHECK(!task);
        }
    };
    work(500);
    size_t before = mallinfo2().uordblks;
    work(2500);
    size_t after = mallinfo2().uordblks;
    if (after > before + 20000) std::cerr << before << " bytes before, " << after << " after" << std::endl;
    CHECK(after <= before + 20000);
}

void forked()
{
    Phone phone;
    pid_t child = fork();
    if (child == 0) {
        bool refused = throws<mtoken::StateError>([&] { (void)phone.client.operations_list(); });
        phone.client.reset();
        phone.runtime.reset();
        _exit(refused ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(phone.client.fetch_status().get().state() == mtoken::ActivationState::active);
}

/* The process ends with calls under way; nothing is freed. */
void leave()
{
    auto *phone = new Phone;
    for (int i = 0; i < 100; i++) phone->client.synchronize_time().release();
}

} // namespace

int main(int argc, char **argv)
{
    const std::pair<const char *, void (*)()> all[] = {
        {"values", values}, {"bad_input", bad_input}, {"life", life},       {"threads", threads}, {"orders", orders},
        {"leaks", leaks},   {"fork", forked},         {"leave", leave},     {"results", results}, {"options", options},
        {"hosts", hosts},   {"contents", contents},   {"numbers", numbers}, {"memory", memory},   {"ends", ends},
    };
    for (const auto &[name, test] : all)
        if (argc < 2 || std::string(argv[1]) == name) test();
    std::cout << "checks " << checks << std::endl;
    return 0;
}
