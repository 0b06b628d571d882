// SPDX-License-Identifier: Apache-2.0
import CCurl
import CSystem
import MobileTokenCrypto
import MobileTokenSystem
import Synchronization

/// The network: libcurl's multi interface, driven by the loop's epoll and timers. One for all clients of a loop; their
/// TLS policies and proxies come with each request, and connections are shared only between equal ones.
///
/// Host names are looked up by libcurl, which means by the system with all its sources (nsswitch.conf). Debian's libcurl
/// does this in a thread of its own for each look-up, even of the same name at the same time; addresses and `localhost`
/// need none. A look-up that hangs outlives its cancelled transfer, and even `shutdown`, until it returns: waiting for it
/// would stop the loop for seconds.
///
/// It never does the following: follow a redirect, repeat a signed request,
/// keep cookies, read .netrc, .curlrc or the environment's proxies, raise a signal, or leave descriptors to programs
/// that the host starts (but for a pair of sockets inside libcurl's multi handle, which lead nowhere).
///
/// A signed request (`atMostOnce`) is offered to one connection only. libcurl repeats requests by itself when a
/// kept-alive connection turns out to be dead, when an HTTP/2 stream is refused, and when a server wants HTTP/1.1. Here
/// its pre-request callback refuses the second time, the body is fed from a callback without rewinding, and a request
/// without body gets a new connection; the caller learns `connectionLost` with `sentAnswerUnknown` instead.
///
/// An HTTP/1 answer with neither length nor chunks ends with its connection, and libcurl does not report whether the
/// end was announced: anyone who can close connections may truncate such a body, so readers must find its end
/// themselves, as readers of JSON do. All other answers that are cut short end as `connectionLost`.
///
/// After a while without requests, all connections are closed and libcurl's memory is given back. All on the loop thread.
/// `shutdown` must be called before the loop stops; an object that is dropped without it leaks libcurl's handles.
package final class CurlTransport: Transport, @unchecked Sendable {
    private let options: TransportOptions
    private let authorities: SystemAuthorities
    private var multi: UnsafeMutableRawPointer?
    private var multiTimer: LoopTimer?
    private var idleTimer: LoopTimer?
    private var pool: [CurlEasy] = []
    private let known = EndpointCache()
    private var shares: [ObjectIdentifier: CurlShare] = [:]

    /// Transfers by slot; the number of a slot is the lower half of a `TransferID`.
    private var slots: [CurlTransfer?] = []
    private var freeSlots: [Int] = []
    private var sequence: UInt32 = 0
    private var live = 0 { didSet { waitingRequests.store(live - active, ordering: .relaxed) } }
    private var active = 0 { didSet { waitingRequests.store(live - active, ordering: .relaxed) } }
    private var waiting = Queue<CurlTransfer>()
    private var finished = Queue<Finished>()
    private var isStarting = false
    private var isFlushPosted = false
    private var isShutDown = false

    private struct Finished {
        let completion: Completion
        let result: Result<HTTPResponse, TransportError>
    }

    /// A transport on a loop with a thread. May be called from any thread, before the first `send`.
    ///
    /// - Throws: `internal` when libcurl cannot be initialised, or on a `ManualLoop`.
    package convenience init(loop: Loop, options: TransportOptions = TransportOptions()) throws(TransportError) {
        guard loop.hasDescriptors else { throw TransportError(.internal, detail: "the loop has no descriptors") }
        guard CurlGlobal.initialize() else { throw TransportError(.internal, detail: "libcurl cannot be used") }
        self.init(checked: loop, options: options)
    }

    /// Initialises libcurl and, by it, OpenSSL, once a process: before the first loop starts.
    package static func initializeProcess() { CurlGlobal.initialize() }

    private init(checked loop: Loop, options: TransportOptions) {
        var options = options
        options.allowsHTTP2 = options.allowsHTTP2 && CurlGlobal.speaksHTTP2
        self.options = options
        authorities = SystemAuthorities.find()
        super.init(loop: loop)
    }

    // MARK: Transport

    package override func send(_ request: HTTPRequest, completion: @escaping Completion) -> TransferID {
        assert(loop.isOnLoop)
        let slot = freeSlots.popLast() ?? slots.count
        sequence &+= 1
        let id = TransferID(UInt64(sequence) << 32 | UInt64(slot))
        let endpoints: (target: Endpoint, route: Endpoint)
        do throws(TransportError) {
            if isShutDown { throw Self.cancelled(.notSent) }
            endpoints = try request.endpoints(known)
        } catch {
            freeSlots.append(slot)
            if slot == slots.count { slots.append(nil) }
            finish(Finished(completion: completion, result: .failure(error)))
            return id
        }
        let transfer = CurlTransfer(
            id: id, request: request, target: endpoints.target, route: endpoints.route,
            began: loop.time.monotonicMilliseconds(), options: options, completion: completion)
        if slot == slots.count { slots.append(transfer) } else { slots[slot] = transfer }
        live += 1
        if let idleTimer { loop.cancel(idleTimer) }
        idleTimer = nil
        transfer.timer = loop.schedule(afterMilliseconds: max(1, request.timeoutMilliseconds)) { [self] in
            transfer.timer = nil
            end(transfer, .failure(TransportError(.timeout, sent: transfer.outcome, detail: "the request timed out")))
        }
        enqueue(transfer)
        return id
    }

    package override func cancel(_ id: TransferID) {
        assert(loop.isOnLoop)
        let slot = Int(id.value & 0xFFFF_FFFF)
        guard slot < slots.count, let transfer = slots[slot], transfer.id == id else { return }
        end(transfer, .failure(Self.cancelled(transfer.outcome)))
    }

    package override func shutdown() {
        assert(loop.isOnLoop)
        isShutDown = true
        for transfer in slots {
            if let transfer { end(transfer, .failure(Self.cancelled(transfer.outcome))) }
        }
        closeAll()
        flush()
    }

    private static func cancelled(_ outcome: TransportError.Outcome) -> TransportError {
        TransportError(.cancelled, sent: outcome, detail: "the request was cancelled")
    }

    // MARK: The way of a transfer

    private func enqueue(_ transfer: CurlTransfer) {
        transfer.phase = .waiting
        waiting.append(transfer)
        startWaiting()
    }

    private func startWaiting() {
        // A request that cannot be started ends, and its end calls this.
        guard !isStarting, !isShutDown else { return }
        isStarting = true
        defer { isStarting = false }
        while active < options.maximumConcurrentTransfers, let transfer = waiting.popFirst() {
            // One that was cancelled while it waited is still in the queue.
            guard case .waiting = transfer.phase else { continue }
            do throws(TransportError) {
                try start(transfer)
            } catch {
                end(transfer, .failure(error))
            }
        }
    }

    private func start(_ transfer: CurlTransfer) throws(TransportError) {
        let multi = try openMulti()
        guard let easy = pool.popLast() ?? CurlEasy() else {
            throw TransportError(.outOfMemory, detail: "not enough memory for a transfer")
        }
        let now = loop.time.monotonicMilliseconds()
        let remaining = max(1, transfer.request.timeoutMilliseconds) - (now - transfer.began)
        try easy.prepare(
            for: transfer, remaining: remaining, wallTime: loop.time.wallMilliseconds(), authorities: authorities,
            share: try share(of: transfer))
        transfer.started = now
        transfer.phase = .active(easy)
        let result = ForkGate.pass { curl_multi_add_handle(multi, easy.handle) }
        guard result == CURLM_OK else {
            transfer.phase = .waiting
            throw TransportError(.outOfMemory, detail: String(cString: curl_multi_strerror(result)))
        }
        active += 1
        transfer.share?.users += 1
    }

    /// The connections that only this transfer's client may use.
    private func share(of transfer: CurlTransfer) throws(TransportError) -> OpaquePointer? {
        guard let scope = transfer.request.scope else { return nil }
        if shares.count > 64 { shares = shares.filter { $0.value.users > 0 } }
        guard let share = shares[ObjectIdentifier(scope)] ?? CurlShare(scope) else {
            throw TransportError(.outOfMemory, detail: "not enough memory for a transfer")
        }
        shares[ObjectIdentifier(scope)] = share
        transfer.share = share
        return share.handle
    }

    /// Takes the transfer from wherever it is and queues its completion. The only place where transfers end.
    private func end(_ transfer: CurlTransfer, _ result: Result<HTTPResponse, TransportError>) {
        guard let completion = transfer.completion else { return }
        transfer.completion = nil
        if let timer = transfer.timer { loop.cancel(timer) }
        transfer.timer = nil
        let phase = transfer.phase
        transfer.phase = .ended
        switch phase {
        case .waiting, .ended: break
        case .active(let easy):
            active -= 1
            if let multi { _ = ForkGate.pass { curl_multi_remove_handle(multi, easy.handle) } }
            easy.reset()
            if let share = transfer.share {
                share.users -= 1
                mtoken_curl_set_pointer(easy.handle, CURLOPT_SHARE, nil)
            }
            // libcurl 8 remembers past a reset that the body of a lost request must be sent again, which the next
            // request of the handle would fail by.
            if case .success = result { pool.append(easy) }
        }
        let slot = Int(transfer.id.value & 0xFFFF_FFFF)
        slots[slot] = nil
        freeSlots.append(slot)
        live -= 1
        if live == 0, !isShutDown {
            idleTimer = loop.schedule(afterMilliseconds: options.idleMilliseconds) { [self] in
                idleTimer = nil
                closeAll()
            }
        }
        finish(Finished(completion: completion, result: result))
        startWaiting()
    }

    /// Queues a completion: callers are not called back from inside their own calls.
    private func finish(_ item: Finished) {
        finished.append(item)
        guard !isFlushPosted else { return }
        isFlushPosted = true
        loop.post { [self] in
            isFlushPosted = false
            flush()
        }
    }

    private func flush() {
        while let item = finished.popFirst() { item.completion(item.result) }
    }

    // MARK: libcurl's multi handle

    /// One handle after the other looks for its wake-up sockets.
    private static let opening = Lock()

    private func openMulti() throws(TransportError) -> UnsafeMutableRawPointer {
        if let multi { return multi }
        let opened = ForkGate.pass {
            Self.opening.withLock {
                let near = mtoken_lowest_descriptor()
                let opened = curl_multi_init()
                if let opened { mtoken_multi_close_on_exec(opened, near) }
                return opened
            }
        }
        guard let opened else {
            throw TransportError(.outOfMemory, detail: "not enough memory for libcurl's multi handle")
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let results = [
            mtoken_multi_set_socket_function(opened, curlTransportWatch),
            mtoken_multi_set_pointer(opened, CURLMOPT_SOCKETDATA, context),
            mtoken_multi_set_timer_function(opened, curlTransportSetTimer),
            mtoken_multi_set_pointer(opened, CURLMOPT_TIMERDATA, context),
            mtoken_multi_set_long(opened, CURLMOPT_MAXCONNECTS, options.maximumConcurrentTransfers),
        ]
        guard results.allSatisfy({ $0 == CURLM_OK }) else {
            curl_multi_cleanup(opened)
            throw TransportError(.internal, detail: "libcurl refused an option of the multi handle")
        }
        multi = opened
        return opened
    }

    /// Closes all connections. No transfer may be active.
    private func closeAll() {
        if let idleTimer { loop.cancel(idleTimer) }
        idleTimer = nil
        pool = []
        shares = [:]
        if let multi { _ = ForkGate.pass { curl_multi_cleanup(multi) } }
        multi = nil
        if let multiTimer { loop.cancel(multiTimer) }
        multiTimer = nil
    }

    /// `CURLMOPT_TIMERFUNCTION`: libcurl wants to be called after that time, or, by -1, not any more.
    fileprivate func setTimer(milliseconds: Int) {
        if let multiTimer { loop.cancel(multiTimer) }
        multiTimer = nil
        guard milliseconds >= 0 else { return }
        multiTimer = loop.schedule(afterMilliseconds: Int64(milliseconds)) { [self] in
            multiTimer = nil
            act(CURL_SOCKET_TIMEOUT, 0)
        }
    }

    /// `CURLMOPT_SOCKETFUNCTION`: libcurl wants to know when a socket is ready, or, by `CURL_POLL_REMOVE`, not any more.
    fileprivate func watch(_ socket: curl_socket_t, _ what: Int32, _ pointer: UnsafeMutableRawPointer?) {
        guard let multi else { return }
        if what == CURL_POLL_REMOVE {
            guard let pointer else { return }
            loop.unwatch(Unmanaged<Watcher>.fromOpaque(pointer).takeRetainedValue())
            curl_multi_assign(multi, socket, nil)
            return
        }
        var events: DescriptorEvents = []
        if what & CURL_POLL_IN != 0 { events.insert(.readable) }
        if what & CURL_POLL_OUT != 0 { events.insert(.writable) }
        if let pointer {
            loop.change(Unmanaged<Watcher>.fromOpaque(pointer).takeUnretainedValue(), events)
        } else if let watcher = loop.watch(socket, events, handler: { [self] events in ready(socket, events) }) {
            curl_multi_assign(multi, socket, Unmanaged.passRetained(watcher).toOpaque())
        }
    }

    private func ready(_ socket: curl_socket_t, _ events: DescriptorEvents) {
        var mask: Int32 = 0
        if events.contains(.readable) { mask |= CURL_CSELECT_IN }
        if events.contains(.writable) { mask |= CURL_CSELECT_OUT }
        if events.contains(.failed) { mask |= CURL_CSELECT_ERR }
        act(socket, mask)
    }

    /// Lets libcurl work, and ends the transfers that it is through with.
    private func act(_ socket: curl_socket_t, _ mask: Int32) {
        guard let multi else { return }
        var running: Int32 = 0
        _ = ForkGate.pass { curl_multi_socket_action(multi, socket, mask, &running) }
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let result = mtoken_multi_message_result(message)
            guard let handle = message.pointee.easy_handle, let transfer = CurlEasy.transfer(of: handle),
                case .active(let easy) = transfer.phase
            else { continue }
            end(transfer, outcome(of: transfer, easy, result))
        }
        flush()
    }

    private func outcome(
        of transfer: CurlTransfer, _ easy: CurlEasy, _ result: CURLcode
    ) -> Result<HTTPResponse, TransportError> {
        guard result == CURLE_OK else { return .failure(TransportError(result, transfer, easy)) }
        guard transfer.isHeaderComplete else {
            return .failure(
                TransportError(.connectionLost, sent: transfer.outcome, detail: "the response ended within its header"))
        }
        let status = easy.number(CURLINFO_RESPONSE_CODE)
        guard status >= 200, status <= 999 else {
            return .failure(
                TransportError(.badServerResponse, sent: transfer.outcome, detail: "the response has no valid status"))
        }
        let version: HTTPResponse.Version
        switch easy.number(CURLINFO_HTTP_VERSION) {
        case Int(CURL_HTTP_VERSION_1_0): version = .http10
        case Int(CURL_HTTP_VERSION_1_1): version = .http11
        case Int(CURL_HTTP_VERSION_2_0): version = .http2
        default: version = .other
        }
        let timing = HTTPResponse.Timing(
            started: transfer.started - transfer.began, finished: loop.time.monotonicMilliseconds() - transfer.began,
            reusedConnection: easy.number(CURLINFO_NUM_CONNECTS) == 0)
        return .success(
            HTTPResponse(
                status: status, headers: transfer.headers, body: transfer.body, version: version, timing: timing))
    }
}

private func transport(_ context: UnsafeMutableRawPointer?) -> CurlTransport? {
    guard let context else { return nil }
    return Unmanaged<CurlTransport>.fromOpaque(context).takeUnretainedValue()
}

private func curlTransportWatch(
    _: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ context: UnsafeMutableRawPointer?,
    _ pointer: UnsafeMutableRawPointer?
) -> Int32 {
    transport(context)?.watch(socket, what, pointer)
    return 0
}

private func curlTransportSetTimer(
    _: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    transport(context)?.setTimer(milliseconds: milliseconds)
    return 0
}
