// The interface from C++17: owners that free by themselves, and nothing that a C++ compiler frowns at.
#include <mtoken.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

template <auto free> struct Freed {
    template <class T> void operator()(T *object) const { free(object); }
};

using Runtime = std::unique_ptr<mtoken_runtime, Freed<mtoken_runtime_free>>;
using Store = std::unique_ptr<mtoken_store, Freed<mtoken_store_free>>;
using Client = std::unique_ptr<mtoken_client, Freed<mtoken_client_free>>;
using Task = std::unique_ptr<mtoken_task, Freed<mtoken_task_free>>;
using Event = std::unique_ptr<mtoken_event, Freed<mtoken_event_free>>;
using Info = std::unique_ptr<mtoken_client_info, Freed<mtoken_client_info_free>>;
using String = std::unique_ptr<mtoken_text, Freed<mtoken_text_free>>;

struct Failure : std::runtime_error {
    mtoken_status status;
    Failure(mtoken_status status, const char *message) : std::runtime_error(message), status(status) {}
};

// Calls a function that gives an object by its last out argument but one.
template <class Owner, class Function, class... Arguments> Owner make(Function function, Arguments... arguments)
{
    typename Owner::pointer object = nullptr;
    mtoken_error *error = nullptr;
    if (mtoken_status status = function(arguments..., &object, &error); status != MTOKEN_OK) {
        std::string message = error ? error->message : "";
        mtoken_error_free(error);
        throw Failure(status, message.c_str());
    }
    return Owner(object);
}

mtoken_text text(std::string_view string) { return {string.data(), string.size()}; }

int failures = 0;
int number = 0;

void expect(bool holds, const char *what)
{
    std::printf("%sok %d - %s\n", holds ? "" : "not ", ++number, what);
    failures += !holds;
}

// A host store in terms of C++.
struct Memory {
    std::vector<std::pair<std::string, std::vector<std::uint8_t>>> items;
    bool released = false;

    static mtoken_status load(void *context, const char *name, mtoken_store_reply *reply)
    {
        for (auto &[key, value] : static_cast<Memory *>(context)->items)
            if (key == name) return mtoken_store_reply_set(reply, value.data(), value.size());
        return MTOKEN_ERROR_NOT_FOUND;
    }
    static mtoken_status save(void *context, const char *name, const std::uint8_t *data, std::size_t length)
    {
        static_cast<Memory *>(context)->items.emplace_back(name, std::vector<std::uint8_t>(data, data + length));
        return MTOKEN_OK;
    }
    static mtoken_status remove(void *, const char *) { return MTOKEN_OK; }
    static void release(void *context) { static_cast<Memory *>(context)->released = true; }
};

} // namespace

extern "C" const char plain_configuration[];

int main()
{
    static_assert(std::is_standard_layout_v<mtoken_client_options> &&
                  std::is_trivially_copyable_v<mtoken_client_options>);
    static_assert(std::is_standard_layout_v<mtoken_operation> && std::is_trivially_copyable_v<mtoken_operation>);
    static_assert(std::is_same_v<mtoken_status, std::int32_t>);
    static_assert(std::is_same_v<std::underlying_type_t<mtoken_status_values>, mtoken_status>);
    static_assert(std::is_same_v<std::underlying_type_t<mtoken_factors_values>, mtoken_factors>);
    Memory memory;
    {
        mtoken_runtime_options runtime_options = MTOKEN_RUNTIME_OPTIONS_INIT;
        runtime_options.events = MTOKEN_EVENT_MASK_TASKS;
        auto runtime = make<Runtime>(mtoken_runtime_new, &runtime_options);
        mtoken_host_store host = MTOKEN_HOST_STORE_INIT;
        host.context = &memory;
        host.load = Memory::load;
        host.save = Memory::save;
        host.remove = Memory::remove;
        host.release = Memory::release;
        auto store = make<Store>(mtoken_store_host_new, &host);

        mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;
        options.id = MTOKEN_TEXT("cpp");
        options.configuration = text(plain_configuration);
        options.base_url = text("http://127.0.0.1:1");
        options.store = store.get();
        options.allow_http = 1;
        auto client = make<Client>(mtoken_client_new, runtime.get(), &options);
        expect(make<Info>(mtoken_client_get_info, client.get())->state == MTOKEN_CLIENT_EMPTY, "a client is made");

        try {
            options.base_url = text("nonsense");
            make<Client>(mtoken_client_new, runtime.get(), &options);
            expect(false, "a failure is thrown");
        } catch (const Failure &failure) {
            expect(failure.status == MTOKEN_ERROR_CONFIGURATION && std::strlen(failure.what()) > 0,
                   "a failure is thrown");
        }

        auto task = make<Task>(mtoken_client_synchronize_time, client.get());
        auto event = make<Event>(mtoken_runtime_next_event, runtime.get(), std::int64_t{MTOKEN_FOREVER});
        expect(event.get()->task == task.get(), "an event tells of a task");
        expect(mtoken_task_result(task.get()) == MTOKEN_ERROR_NETWORK, "a task has its result");

        auto query = make<String>(mtoken_canonical_query, "b=2&a=1", MTOKEN_NUL_TERMINATED);
        expect(std::string_view(query->data, query->length) == "a=1&b=2", "a text is given out");

        std::vector<std::thread> threads;
        for (int i = 0; i < 4; i++)
            threads.emplace_back([&client] {
                for (int round = 0; round < 50; round++) make<Info>(mtoken_client_get_info, client.get());
            });
        for (auto &thread : threads) thread.join();
    }
    expect(memory.released, "a host store is released");
    std::printf("1..%d\n", number);
    return failures ? 1 : 0;
}
