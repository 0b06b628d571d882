// A mobile token in C++17: activates this device, waits until the bank has confirmed that, and approves the first
// operation.
//
//   c++ -std=c++17 approve.cpp $(pkg-config --cflags --libs mtoken) -o approve
//   ./approve URL CA-FILE SDK-CONFIGURATION ACTIVATION-CODE PIN
//
// The state of the token is stored in ./approve-state.
#include "mtoken.hpp"

#include <cstring>
#include <iostream>

int main(int argc, char **argv)
try {
    if (argc != 6) {
        std::cerr << "usage: " << argv[0] << " URL CA-FILE SDK-CONFIGURATION ACTIVATION-CODE PIN\n";
        return 2;
    }
    const auto runtime = token::make<token::Runtime>(mtoken_runtime_new, nullptr);
    const auto store = token::make<token::Store>(mtoken_store_directory_new, "approve-state", MTOKEN_NUL_TERMINATED);

    mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;
    options.id = MTOKEN_TEXT("demo");
    options.configuration = MTOKEN_TEXT(argv[3]);
    options.base_url = MTOKEN_TEXT(argv[1]);
    options.store = store.get();
    options.tls_trust = MTOKEN_TLS_CA;
    options.ca_file = MTOKEN_TEXT(argv[2]);
    const auto client = token::make<token::Client>(mtoken_client_new, runtime.get(), &options);

    // Activate with the code from the bank, show the fingerprint, choose a PIN.
    mtoken_activation_options activation = MTOKEN_ACTIVATION_OPTIONS_INIT;
    activation.code = MTOKEN_TEXT(argv[4]);
    activation.name = MTOKEN_TEXT("C++ demo");
    const auto activated = token::finish(mtoken_client_activate, client.get(), &activation);
    std::cout << "activated; fingerprint " << mtoken_task_activation(activated.get())->fingerprint << std::endl;

    mtoken_auth pin = MTOKEN_AUTH_INIT;
    pin.pin = MTOKEN_BYTES(reinterpret_cast<const uint8_t *>(argv[5]), std::strlen(argv[5]));
    token::call(mtoken_client_persist, client.get(), &pin);
    token::finish(mtoken_client_wait_active, client.get(), nullptr);

    // What was displayed is what is signed.
    const auto listed = token::finish(mtoken_operations_list, client.get());
    const mtoken_operation_list &list = *mtoken_task_operations(listed.get());
    if (list.count == 0) {
        std::cout << "nothing waits for approval\n";
        return 0;
    }
    const mtoken_operation &operation = *list.operations[0];
    std::cout << operation.title << ": " << operation.message << '\n';
    token::finish(mtoken_operations_authorize, client.get(), &operation, &pin, nullptr);
    std::cout << "approved " << operation.id << '\n';
    return 0;
} catch (const token::Error &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
