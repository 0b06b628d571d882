/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An approval in the event loop of Qt 6.
 *
 *   c++ -std=c++17 -fPIC qt.cpp $(pkg-config --cflags --libs mtoken Qt6Core) -o approve-qt
 *   ./approve-qt URL CA-FILE SDK-CONFIGURATION STORE PIN
 */
#include <QCoreApplication>
#include <QPointer>
#include <QSocketNotifier>
#include <QTimer>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mtoken.hpp>

/* Calls back when tasks have completed, in the thread of the loop. */
class Tasks {
  public:
    /* Ends before the runtime does. */
    explicit Tasks(mtoken::RuntimeRef runtime) : runtime_(runtime), events_(runtime.fd(), QSocketNotifier::Read)
    {
        QObject::connect(&events_, &QSocketNotifier::activated, [this] { read(); });
    }

    /* Hands the result or the error of a task to `use`, if `owner` still lives then. */
    template <typename R, typename F> void then(mtoken::Task<R> task, QObject *owner, F use)
    {
        auto kept = std::make_shared<mtoken::Task<R>>(std::move(task));
        waiting_[++last_] = [kept, guard = QPointer<QObject>(owner), use] {
            if (guard) use(kept->get(std::nothrow));
        };
        kept->notify(last_);
    }

  private:
    void read()
    {
        while (auto event = runtime_.next_event(std::nothrow, std::chrono::milliseconds(0)))
            if (auto waits = waiting_.extract(event->tag())) waits.mapped()();
    }

    mtoken::RuntimeRef runtime_;
    QSocketNotifier events_;
    std::map<uint64_t, std::function<void()>> waiting_;
    uint64_t last_ = 0;
};

static void end(const mtoken::Error &error)
{
    std::cerr << error.what() << '\n';
    QCoreApplication::exit(1);
}

int main(int argc, char **argv)
try {
    QCoreApplication application(argc, argv);
    if (argc != 6) {
        std::cerr << "usage: " << argv[0] << " URL CA-FILE SDK-CONFIGURATION STORE PIN\n";
        return 2;
    }
    const auto runtime = mtoken::new_runtime(mtoken::RuntimeOptions().events(mtoken::EventMask::none));
    const auto store = mtoken::new_store_directory(argv[4]);
    const auto client = runtime.new_client(
        mtoken::ClientOptions().id("demo").configuration(argv[3]).base_url(argv[1]).store(store).ca_file(argv[2]));
    const auto auth = mtoken::Auth().pin(argv[5]);
    Tasks tasks(runtime);
    int ticks = 0;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, [&] { ticks++; });
    timer.start(20);

    tasks.then(client.operations_list(), &application, [&](auto list) {
        if (!list) return end(list.error());
        if (list->operations().empty()) {
            std::cout << "nothing waits for approval\n";
            return application.quit();
        }
        const mtoken::Operation operation = list->operations()[0];
        std::cout << operation.title() << ": " << operation.message() << "\nyou sign:\n" << operation.summary() << '\n';
        tasks.then(client.operations_authorize(operation, auth), &application, [&](auto approval) {
            if (!approval) return end(approval.error());
            std::cout << "approved, after " << ticks << " ticks\n";
            application.quit();
        });
    });
    return application.exec();
} catch (const mtoken::Error &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
