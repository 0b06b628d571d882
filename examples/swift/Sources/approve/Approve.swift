// SPDX-License-Identifier: Apache-2.0
// A mobile token in Swift: activates this device, waits until the bank has confirmed that, and approves the first operation.
//
//   swift run approve URL CA-FILE SDK-CONFIGURATION ACTIVATION-CODE PIN
//
// The state of the token is kept in ./approve-state.
import Foundation
import MobileToken
import MobileTokenAsync

@main
enum Approve {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 6 else {
            end("usage: \(arguments[0]) URL CA-FILE SDK-CONFIGURATION ACTIVATION-CODE PIN", status: 2)
        }
        do {
            let runtime = try Runtime()
            var options = try ClientOptions(
                id: "demo", configuration: arguments[3], baseURL: arguments[1],
                store: try DirectoryStore(path: "approve-state"))
            options.tls.trust = .caFile(arguments[2])
            let client = try Client(runtime: runtime, options: options)
            let pin = SecureBytes(arguments[5])
            try await activate(client, code: arguments[4], pin: pin)
            try await approve(client, pin: pin)
        } catch {
            end(error.description)
        }
    }

    /// Activates with the code from the bank, shows the fingerprint, sets the PIN, and waits until the bank has confirmed.
    static func activate(_ client: Client, code: String, pin: SecureBytes) async throws(Failure) {
        let activated = try await client.activate(code: code).value
        print("activated; fingerprint \(activated.fingerprint)")
        try client.persistActivation(pin: pin, biometryKey: nil)
        _ = try await client.waitUntilActive().value
    }

    /// What was shown is what is signed.
    static func approve(_ client: Client, pin: SecureBytes) async throws(Failure) {
        guard let operation = try await client.operations.list().value.operations.first else {
            return print("nothing waits for approval")
        }
        print("\(operation.formData.title.string): \(operation.formData.message.string)")
        try await client.operations.approve(operation, Authentication(pin: pin)).value
        print("approved \(operation.id.string)")
    }

    static func end(_ message: String, status: Int32 = 1) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(status)
    }
}
