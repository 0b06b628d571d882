import MobileTokenCrypto
import MobileTokenHTTP
import PowerAuth
import TestSupport

@testable import MobileToken
@testable import MobileTokenSystem
@testable import PowerAuthDoubles

/// A transport that records requests and answers them from a closure: no sockets, no threads.
final class ScriptedTransport: Transport, @unchecked Sendable {
    struct Exchange {
        let id: TransferID
        let request: HTTPRequest
        let completion: Completion
    }

    /// Answers a request at once; nil leaves it waiting in `waiting`.
    var answer: (HTTPRequest) -> Result<HTTPResponse, TransportError>? = { _ in nil }
    private(set) var requests: [HTTPRequest] = []
    private(set) var waiting: [Exchange] = []
    private var next: UInt64 = 1

    override func send(_ request: HTTPRequest, completion: @escaping Completion) -> TransferID {
        let id = TransferID(next)
        next += 1
        requests.append(request)
        if let result = answer(request) {
            let delivery = Delivery { completion(result) }
            loop.post { delivery.work() }
        } else {
            waiting.append(Exchange(id: id, request: request, completion: completion))
        }
        return id
    }

    override func cancel(_ id: TransferID) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        let exchange = waiting.remove(at: index)
        let delivery = Delivery {
            exchange.completion(.failure(TransportError(.cancelled, sent: .sentAnswerUnknown, detail: "")))
        }
        loop.post { delivery.work() }
    }

    override func shutdown() {
        let all = waiting
        waiting = []
        for exchange in all { exchange.completion(.failure(TransportError(.cancelled, detail: ""))) }
    }

    /// Answers the oldest waiting request.
    func complete(_ result: Result<HTTPResponse, TransportError>) {
        guard !waiting.isEmpty else { return }
        waiting.removeFirst().completion(result)
    }

    private struct Delivery: @unchecked Sendable {
        let work: () -> Void
    }
}

/// A store whose saves can fail.
final class FaultyStore: Store, @unchecked Sendable {
    var failSaves = false
    private let inner = MemoryStore()

    override func load(_ item: String) throws(StoreError) -> SecureBytes? { try inner.load(item) }

    override func save(_ item: String, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        if failSaves { throw StoreError(.failed, systemError: 28) }
        try inner.save(item, bytes)
    }

    override func remove(_ item: String) throws(StoreError) { try inner.remove(item) }
}

/// Randomness that can run dry.
final class FailingRandom: RandomSource, @unchecked Sendable {
    var fails = false

    override func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        if fails { throw CryptoError(reason: .library) }
        try super.fill(buffer)
    }
}

/// A runtime that a test drives by hand: nothing happens between its steps.
final class Bench {
    let loop: ManualLoop
    let transport: ScriptedTransport
    let runtime: Runtime
    let store = FaultyStore()
    let random = FailingRandom()

    init(events: EventQueue.Kinds = []) throws {
        let loop = ManualLoop()
        let transport = ScriptedTransport(loop: loop)
        var options = Runtime.Options()
        options.events = events
        options.logLevel = .debug
        runtime = try Runtime(
            options: options,
            environment: Environment(
                time: loop.manualTime, random: random, makeLoop: { (_) throws(SystemError) in loop },
                makeTransport: { (_, _) throws(TransportError) in transport }))
        self.loop = loop
        self.transport = transport
    }

    deinit { runtime.stop() }

    /// Any valid configuration.
    static let configuration =
        "ARDDj6EB6iAUtNmNxKM/BsbaEEs5bP+yVmyjfhQDoox3LDwBAUEEQQ7CWNKAi0EgCfOvd/srfqz4oqhTMLwsT4r7sPLRfqICRw9cCMs/Uoo/F2rIz+KKEcBxbnH9bMk8Ju3K1wmjbA=="

    func client(
        _ configuration: Configuration? = nil, id: String = "alice", baseURL: String = "https://example.com/server",
        version: ProtocolVersion = .v33
    ) throws -> Client {
        var options = try ClientOptions(
            id: id, configuration: try configuration ?? Configuration(sdkConfiguration: Self.configuration),
            baseURL: baseURL, operationsURL: nil, store: store)
        options.version = version
        return try Client(runtime: runtime, options: options)
    }

    /// An answer with a body of text.
    static func response(_ status: Int = 200, _ body: String) -> Result<HTTPResponse, TransportError> {
        .success(HTTPResponse(status: status, body: [UInt8](body.utf8)))
    }
}
