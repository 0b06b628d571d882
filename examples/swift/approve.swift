// A mobile token in Swift: activates this device, waits until the bank has confirmed that, and approves the first operation.
//
//   swiftc -parse-as-library approve.swift Token.swift $(pkg-config --cflags --libs mtoken) -o approve
//   ./approve URL CA-FILE SDK-CONFIGURATION ACTIVATION-CODE PIN
//
// The state of the token is stored in ./approve-state.
import CMToken

@main
enum Approve {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 6 else {
            fail("usage: \(arguments[0]) URL CA-FILE SDK-CONFIGURATION ACTIVATION-CODE PIN", code: 2)
        }
        let texts = Texts()
        do {
            try withExtendedLifetime(texts) { () throws(TokenError) in try run(arguments.dropFirst().map { texts($0) }) }
        } catch {
            fail(error.description)
        }
    }

    static func run(_ arguments: [mtoken_text]) throws(TokenError) {
        let runtime = try make(freedBy: mtoken_runtime_free) { mtoken_runtime_new(nil, $0, $1) }
        let store = try make(freedBy: mtoken_store_free) {
            mtoken_store_directory_new("approve-state", MTOKEN_NUL_TERMINATED, $0, $1)
        }
        let texts = Texts()
        var options = mtoken_client_options()
        options.struct_size = MemoryLayout<mtoken_client_options>.size
        options.id = texts("demo")
        options.base_url = arguments[0]
        options.tls_trust = MTOKEN_TLS_CA.rawValue
        options.ca_file = arguments[1]
        options.configuration = arguments[2]
        options.store = store.pointer
        let client = try withExtendedLifetime(texts) { () throws(TokenError) in
            try make(freedBy: mtoken_client_free) { mtoken_client_new(runtime.pointer, &options, $0, $1) }
        }

        var auth = mtoken_auth()
        auth.struct_size = MemoryLayout<mtoken_auth>.size
        auth.pin.data = UnsafeRawPointer(arguments[4].data)?.assumingMemoryBound(to: UInt8.self)
        auth.pin.length = arguments[4].length
        try activate(client, code: arguments[3], auth: &auth)
        try approve(client, auth: &auth)
    }

    /// Activates with the code from the bank, shows the fingerprint, sets the PIN, and waits until the bank has confirmed.
    static func activate(_ client: Handle, code: mtoken_text, auth: inout mtoken_auth) throws(TokenError) {
        var options = mtoken_activation_options()
        options.struct_size = MemoryLayout<mtoken_activation_options>.size
        options.code = code
        let task = try finish { mtoken_client_activate(client.pointer, &options, $0, $1) }
        print("activated; fingerprint \(text(mtoken_task_activation(task.pointer).pointee.fingerprint))")
        try call { mtoken_client_persist(client.pointer, &auth, $0) }
        try finish { mtoken_client_wait_active(client.pointer, nil, $0, $1) }
    }

    /// What was displayed is what is signed.
    static func approve(_ client: Handle, auth: inout mtoken_auth) throws(TokenError) {
        let task = try finish { mtoken_operations_list(client.pointer, $0, $1) }
        let list = mtoken_task_operations(task.pointer).pointee
        guard list.count > 0, let operation = list.operations[0] else { return print("nothing waits for approval") }
        print("\(text(operation.pointee.title)): \(text(operation.pointee.message))")
        try finish { mtoken_operations_authorize(client.pointer, operation, &auth, nil, $0, $1) }
        print("approved \(text(operation.pointee.id))")
    }
}
