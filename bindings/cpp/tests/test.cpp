/* mtoken.hpp: bad input, life, threads, every order of freeing, leaks. Tests/python/test_cpp.py starts it beside a
 * server. */
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <malloc.h>
#include <mtoken.hpp>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;

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
    mtoken::Store store = mtoken::new_store_memory();
    mtoken::Client client;

    explicit Phone(const char *code = "MTOKEN_TEST_CODE")
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
    CHECK(mtoken::sha256(typed).view()[0] == mtoken::sha256("1234").view()[0]);
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

    auto endless = mtoken::CallOptions().timeout(std::chrono::milliseconds((int64_t(1) << 32) + 1000));
    CHECK(endless.mtoken_call_options::timeout_ms == INT32_MAX);
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
        {"values", values}, {"bad_input", bad_input}, {"life", life},   {"threads", threads}, {"orders", orders},
        {"leaks", leaks},   {"fork", forked},         {"leave", leave}, {"results", results}, {"options", options},
    };
    for (const auto &[name, test] : all)
        if (argc < 2 || std::string(argv[1]) == name) test();
    std::cout << "checks " << checks << std::endl;
    return 0;
}
