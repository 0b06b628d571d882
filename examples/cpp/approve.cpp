/* SPDX-License-Identifier: Apache-2.0 */
// A mobile token in C++17: activates this device, waits until the bank has confirmed that, and approves the first
// operation.
//
//   c++ -std=c++17 approve.cpp $(pkg-config --cflags --libs mtoken) -o approve
//   ./approve URL CA-FILE SDK-CONFIGURATION ACTIVATION-CODE PIN
//
// The state of the token is stored in ./approve-state.
#include <iostream>
#include <mtoken.hpp>

int main(int argc, char **argv)
try {
    if (argc != 6) {
        std::cerr << "usage: " << argv[0] << " URL CA-FILE SDK-CONFIGURATION ACTIVATION-CODE PIN\n";
        return 2;
    }
    const auto runtime = mtoken::new_runtime();
    const auto store = mtoken::new_store_directory("approve-state");
    const auto client = runtime.new_client(
        mtoken::ClientOptions().id("demo").configuration(argv[3]).base_url(argv[1]).store(store).ca_file(argv[2]));

    // Activate with the code from the bank, show the fingerprint, choose a PIN.
    const auto activation = client.activate(mtoken::ActivationOptions().code(argv[4]).name("C++ demo")).get();
    std::cout << "activated; fingerprint " << activation.fingerprint() << std::endl;
    const mtoken::Auth pin = mtoken::Auth().pin(argv[5]);
    client.persist(pin);
    client.wait_active().get();

    // The summary says what is signed, whatever title and message say.
    const auto list = client.operations_list().get();
    if (list.operations().empty()) {
        std::cout << "nothing waits for approval\n";
        return 0;
    }
    const mtoken::Operation operation = list.operations()[0];
    std::cout << operation.title() << ": " << operation.message() << "\nyou sign:\n" << operation.summary() << '\n';
    client.operations_authorize(operation, pin).get();
    std::cout << "approved " << operation.id() << '\n';
    return 0;
} catch (const mtoken::Error &error) {
    std::cerr << mtoken::name_of(error.code()) << " (" << error.reason() << "): " << error.what() << '\n';
    return 1;
}
