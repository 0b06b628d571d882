// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenCrypto
import MobileTokenModel
import MobileTokenSystem

/// Waits on the loopback interface until the browser comes back with the provider's answer (RFC 8252 §7.3): for programs on
/// desktops, to which no other URL leads. Takes one answer, shows a short page, and closes.
///
/// It lives on the loop thread, held by the runtime until its task has completed.
final class LoopbackReceiver: Resident, @unchecked Sendable {
    private static let maximumConnections = 16
    /// How long one connection may take, in milliseconds: browsers open some that they never use.
    private static let connectionTime: Int64 = 10_000

    let request: OIDCAuthorizationRequest
    private let runtime: Runtime
    private let task: CallTask
    private let lifetime: Int64
    private let listener: Int32
    private var watcher: Watcher?
    private var timer: LoopTimer?
    private var connections: [LoopbackConnection] = []
    private var isListening = true
    /// The result for the caller, due as soon as the browser has its page, and the connection.
    private var ending: Result<CallResult, Failure>?
    private var lastConnection: LoopbackConnection?

    private init(
        _ runtime: Runtime, _ request: OIDCAuthorizationRequest, _ task: CallTask, _ lifetime: Int64, _ listener: Int32
    ) {
        self.runtime = runtime
        self.request = request
        self.task = task
        self.lifetime = lifetime
        self.listener = listener
        super.init(of: nil)
    }

    /// Opens a port, puts it into the redirect URI of a new request, and waits for the answer to that.
    ///
    /// - Parameter task: completes with the attributes of the activation; it must be new
    static func open(
        _ options: OIDCOptions, runtime: Runtime, task: CallTask
    ) throws(Failure) -> OIDCAuthorizationRequest {
        guard !runtime.isStopped else { throw .state("The runtime was freed.") }
        guard runtime.loop.hasDescriptors else { throw .state("This runtime cannot listen on a port.") }
        guard options.callbackURI == nil else {
            throw .argument("A login on the loopback interface has no callback URI.")
        }
        let place = try LoopbackURI(options.configuration.redirectUri)
        var port: UInt16 = 0
        let listener = OwnDescriptors.add(mtoken_listen_loopback(place.isIPv6 ? 1 : 0, place.port ?? 0, &port))
        guard listener >= 0 else {
            throw Failure(
                .busy, "portUnavailable",
                filled("Cannot listen on the redirect URI's port (system error %).", String(mtoken_errno())))
        }
        var options = options
        options.configuration = options.configuration.redirected(to: place.text(port: port))
        let receiver: LoopbackReceiver
        do throws(Failure) {
            receiver = LoopbackReceiver(
                runtime, try .prepare(options, random: runtime.environment.random, time: runtime.environment.time),
                task,
                options.lifetimeMilliseconds, listener)
        } catch {
            OwnDescriptors.close(listener)
            throw error
        }
        task.onCancel { _ in runtime.loop.post { receiver.cancel() } }
        guard runtime.loop.post({ receiver.start() }) else {
            OwnDescriptors.close(listener)
            throw .state("The runtime was freed.")
        }
        return receiver.request
    }

    private func start() {
        runtime.add(self)
        guard !runtime.isStopped else { return cancel() }
        watcher = runtime.loop.watch(listener, .readable) { [self] _ in accept() }
        guard watcher != nil else {
            return end(.failure(Failure(.internal, Reason.internalError, "The port could not be watched.")))
        }
        timer = runtime.loop.schedule(afterMilliseconds: lifetime) { [self] in
            end(.failure(OIDCAuthorizationRequest.expired))
        }
        runtime.log(.info, "OIDC response: waiting on the loopback interface")
    }

    /// Ends the wait without an answer.
    override func cancel() { end(.failure(.cancelled())) }

    // MARK: Connections

    private func accept() {
        while isListening {
            let socket = OwnDescriptors.add(mtoken_accept(listener))
            guard socket >= 0 else { return }
            guard makeRoom(),
                let connection = LoopbackConnection(socket, loop: runtime.loop, time: Self.connectionTime, owner: self)
            else {
                OwnDescriptors.close(socket)
                continue
            }
            connections.append(connection)
        }
    }

    /// Closes a connection for the sake of a new one when there are too many: the oldest of those that matter least. False when
    /// all wait for their page only.
    private func makeRoom() -> Bool {
        guard connections.count >= Self.maximumConnections else { return true }
        for progress in [LoopbackConnection.Progress.idle, .reading] {
            guard let index = connections.firstIndex(where: { $0.progress == progress }) else { continue }
            connections.remove(at: index).close()
            return true
        }
        return false
    }

    /// Answers a request for a path and query on the loopback interface.
    func page(for target: SecureBytes, host: [UInt8], on connection: LoopbackConnection) -> LoopbackPage {
        guard lastConnection == nil else { return .gone }
        guard sameBytes(host, request.redirectAuthority) else { return .elsewhere }
        do throws(Failure) {
            let attributes = try request.process(request.callback(target))
            prepareToEnd(.success(.oidcAttributes(attributes)), connection)
            return .done
        } catch {
            guard error.endsRequest else { return error.isElsewhere ? .notFound : .refused }
            prepareToEnd(.failure(error), connection)
            return .failed
        }
    }

    private func prepareToEnd(_ ending: Result<CallResult, Failure>, _ connection: LoopbackConnection) {
        stopListening()
        self.ending = ending
        lastConnection = connection
    }

    /// A connection has ended, with its page or without.
    func closed(_ connection: LoopbackConnection) {
        connections.removeAll { $0 === connection }
        if connection === lastConnection, let ending { end(ending) }
    }

    // MARK: End

    private func stopListening() {
        guard isListening else { return }
        isListening = false
        if let watcher { runtime.loop.unwatch(watcher) }
        watcher = nil
        OwnDescriptors.close(listener)
    }

    private func end(_ ending: Result<CallResult, Failure>) {
        guard runtime.remove(self) else { return }
        stopListening()
        if let timer { runtime.loop.cancel(timer) }
        timer = nil
        lastConnection = nil
        let open = connections
        connections = []
        for connection in open { connection.close() }
        switch ending {
        case .success:
            runtime.log(.info, "OIDC response: received")
        case .failure(let failure):
            runtime.log(.warning, words("OIDC response: none, reason ", failure.reason))
        }
        runtime.complete(task, ending)
    }
}

extension Failure {
    /// Whether the provider's answer, though no success, was the one that was waited for.
    fileprivate var endsRequest: Bool {
        code == .server || code == .timeout || code == .state || Self.equal(reason, "missingCode")
    }

    fileprivate var isElsewhere: Bool { Self.equal(reason, "redirectMismatch") }

    private static func equal(_ a: StaticString, _ b: StaticString) -> Bool { sameBytes(a, b) }
}

/// A redirect URI on the loopback interface, whose port may still be open.
struct LoopbackURI {
    let isIPv6: Bool
    /// nil: any that is free.
    let port: UInt16?
    private let head: String
    private let tail: String

    /// From `http://127.0.0.1[:port]/…` or `http://[::1][:port]/…`.
    init(_ uri: String) throws(Failure) {
        let text = [UInt8](uri.utf8)
        for (isIPv6, start): (Bool, StaticString) in [(false, "http://127.0.0.1"), (true, "http://[::1]")] {
            guard begins(text, with: start), RedirectURI(uri) != nil else { continue }
            let rest = text[start.utf8CodeUnitCount...]
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            self.isIPv6 = isIPv6
            head = start.description
            tail = String(utf8: rest[end...])
            // The endpoint was checked: this is ":" and a port, or nothing.
            port = UInt16(String(utf8: rest[..<end].dropFirst()))
            return
        }
        throw .argument(
            "To receive the login here, use a redirect URI http://127.0.0.1[:port]/path or http://[::1][:port]/path.")
    }

    func text(port: UInt16) -> String { head + ":" + String(port) + tail }
}
