/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An approval in coroutines of Asio.
 *
 *   c++ -std=c++20 asio.cpp $(pkg-config --cflags --libs mtoken) -o approve-asio
 *   ./approve-asio URL CA-FILE SDK-CONFIGURATION STORE PIN
 */
#include <asio.hpp>
#include <iostream>
#include <map>
#include <mtoken.hpp>

/* Wakes the coroutines that wait for tasks. For the thread of the loop alone. */
class Tasks {
  public:
    /* Ends before the runtime does. */
    Tasks(asio::io_context &loop, mtoken::RuntimeRef runtime)
        : loop_(loop), runtime_(runtime), events_(loop, runtime.fd())
    {
        asio::co_spawn(loop, read(), asio::detached);
    }
    ~Tasks() { events_.release(); } /* the descriptor is the runtime's */

    /* What a task gives; throws its error. */
    template <typename R> asio::awaitable<R> get(mtoken::Task<R> task)
    {
        auto done = std::make_shared<asio::steady_timer>(loop_, asio::steady_timer::time_point::max());
        waiting_.emplace(++last_, done);
        task.notify(last_);
        asio::error_code woken;
        co_await done->async_wait(asio::redirect_error(asio::use_awaitable, woken));
        co_return task.get();
    }

  private:
    asio::awaitable<void> read()
    {
        for (;;) {
            co_await events_.async_wait(asio::posix::descriptor_base::wait_read, asio::use_awaitable);
            while (auto event = runtime_.next_event(std::nothrow, std::chrono::milliseconds(0)))
                if (auto waits = waiting_.extract(event->tag())) waits.mapped()->cancel();
        }
    }

    asio::io_context &loop_;
    mtoken::RuntimeRef runtime_;
    asio::posix::stream_descriptor events_;
    std::map<uint64_t, std::shared_ptr<asio::steady_timer>> waiting_;
    uint64_t last_ = 0;
};

static asio::awaitable<void> approve(Tasks &tasks, const mtoken::Client &client, const char *pin, const int &ticks)
{
    const auto list = co_await tasks.get(client.operations_list());
    if (list.operations().empty()) {
        std::cout << "nothing waits for approval\n";
        co_return;
    }
    const mtoken::Operation operation = list.operations()[0];
    std::cout << operation.title() << ": " << operation.message() << "\nyou sign:\n" << operation.summary() << '\n';
    co_await tasks.get(client.operations_authorize(operation, mtoken::Auth().pin(pin)));
    std::cout << "approved, after " << ticks << " ticks\n";
}

static asio::awaitable<void> count(int &ticks)
{
    for (asio::steady_timer timer(co_await asio::this_coro::executor);; ticks++) {
        timer.expires_after(std::chrono::milliseconds(20));
        co_await timer.async_wait(asio::use_awaitable);
    }
}

int main(int argc, char **argv)
try {
    if (argc != 6) {
        std::cerr << "usage: " << argv[0] << " URL CA-FILE SDK-CONFIGURATION STORE PIN\n";
        return 2;
    }
    const auto runtime = mtoken::new_runtime(mtoken::RuntimeOptions().events(mtoken::EventMask::none));
    const auto store = mtoken::new_store_directory(argv[4]);
    const auto client = runtime.new_client(
        mtoken::ClientOptions().id("demo").configuration(argv[3]).base_url(argv[1]).store(store).ca_file(argv[2]));
    asio::io_context loop;
    Tasks tasks(loop, runtime);
    int ticks = 0;
    std::exception_ptr failed;
    asio::co_spawn(loop, count(ticks), asio::detached);
    asio::co_spawn(loop, approve(tasks, client, argv[5], ticks), [&](std::exception_ptr thrown) {
        failed = thrown;
        loop.stop();
    });
    loop.run();
    if (failed) std::rethrow_exception(failed);
    return 0;
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
