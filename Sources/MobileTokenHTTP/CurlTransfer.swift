// SPDX-License-Identifier: Apache-2.0
import CCurl
import MobileTokenCrypto
import MobileTokenSystem

/// One request on its way through `CurlTransport`, and what libcurl's callbacks need of it. Loop thread only.
final class CurlTransfer {
    enum Phase {
        /// Waits for a free place.
        case waiting
        /// libcurl has it.
        case active(CurlEasy)
        /// It has its result.
        case ended
    }

    /// Why a callback made libcurl give up.
    enum Abort {
        /// The answer is larger than allowed.
        case tooLarge
        /// The request had been offered to a server before and must not be sent a second time.
        case repetition
    }

    let id: TransferID
    let request: HTTPRequest
    /// The host of the URL.
    let target: Endpoint
    /// Where the connection goes: the proxy if there is one, else the target.
    let route: Endpoint
    /// When `send` was called, in milliseconds of the monotonic clock.
    let began: Int64
    let options: TransportOptions
    var completion: Transport.Completion?
    var timer: LoopTimer?
    var phase = Phase.waiting
    var started: Int64 = 0
    var share: CurlShare?

    /// How often a connection was ready and libcurl was about to send the request.
    private(set) var offers = 0
    private var bodyOffset = 0
    /// The offer in which the body was handed out first.
    private var bodyOffer = 0

    private(set) var headers = HTTPHeaders()
    private var headerSize = 0
    /// Whether any of an answer came.
    var isAnswerBegun: Bool { headerSize > 0 }
    /// Whether the empty line after the header came. libcurl takes a header that is cut off for a whole one.
    private(set) var isHeaderComplete = false
    private(set) var body: [UInt8] = []
    private var hasBodyBegun = false
    private(set) var abort: Abort?

    init(
        id: TransferID, request: HTTPRequest, target: Endpoint, route: Endpoint, began: Int64,
        options: TransportOptions, completion: @escaping Transport.Completion
    ) {
        self.id = id
        self.request = request
        self.target = target
        self.route = route
        self.began = began
        self.options = options
        self.completion = completion
    }

    /// How far the request got. It counts as sent from the moment when a connection (with TLS, through the
    /// proxy) was ready for it: how much of it left after that is not known for certain.
    var outcome: TransportError.Outcome { offers == 0 ? .notSent : .sentAnswerUnknown }

    /// libcurl is about to send the request, for the first time or, after it lost the connection, again.
    func offer() -> Bool {
        offers += 1
        guard offers == 1 || !request.atMostOnce else {
            abort = .repetition
            return false
        }
        return true
    }

    /// Hands out the next part of the body of an `atMostOnce` request; nil when it was handed out before.
    func readBody(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        if bodyOffer == 0 { bodyOffer = offers }
        guard bodyOffer == offers else {
            abort = .repetition
            return nil
        }
        let count = min(buffer.count, request.body.count - bodyOffset)
        guard count > 0 else { return 0 }
        request.body.withUnsafeBytes { source in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[bodyOffset..<bodyOffset + count]))
        }
        bodyOffset += count
        return count
    }

    /// Takes in one line of a header (or trailer); false when the limits are exceeded.
    func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
        headerSize += line.count
        guard headerSize <= options.maximumHeaderSize else { return refuse() }
        // Trailers after the body say nothing that this library reads.
        guard !hasBodyBegun else { return true }
        if begins(line, with: "HTTP/" as StaticString) {
            headers.removeAll()
            isHeaderComplete = false
        } else if ASCII.trimmed(line[...]).isEmpty {
            isHeaderComplete = true
        } else {
            headers.append(line: line)
        }
        return headers.count <= options.maximumHeaderCount || refuse()
    }

    /// Takes in a part of the body; false when the limit is exceeded.
    ///
    /// - Parameter expected: asked once for the announced length in bytes, -1 when there is none.
    func receive(body part: UnsafeRawBufferPointer, expected: () -> Int64) -> Bool {
        let limit = request.maximumResponseSize
        guard part.count <= limit - min(limit, body.count) else { return refuse() }
        if !hasBodyBegun {
            hasBodyBegun = true
            if let length = Int(exactly: expected()), length > 0 { body.reserveCapacity(min(length, limit)) }
        }
        body.append(contentsOf: part)
        return true
    }

    private func refuse() -> Bool {
        abort = .tooLarge
        return false
    }
}

// MARK: libcurl's callbacks. Their context is the transfer, which the transport keeps while libcurl has it.

private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    guard let context else { return nil }
    return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
}

/// `CURLOPT_PREREQFUNCTION`
func curlTransferWillSend(
    _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?, _: Int32,
    _: Int32
) -> Int32 {
    transfer(context)?.offer() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// `CURLOPT_READFUNCTION`
func curlTransferReadBody(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let target = UnsafeMutableRawBufferPointer(start: buffer, count: size &* count)
    return transfer(context)?.readBody(into: target) ?? Int(CURL_READFUNC_ABORT)
}

/// `CURLOPT_HEADERFUNCTION`
func curlTransferReceiveHeader(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let line = UnsafeRawBufferPointer(start: buffer, count: size &* count)
    return transfer(context)?.receive(headerLine: line) == true ? line.count : refusal(of: line)
}

/// `CURLOPT_WRITEFUNCTION`
func curlTransferReceiveBody(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let part = UnsafeRawBufferPointer(start: buffer, count: size &* count)
    guard let transfer = transfer(context), case .active(let easy) = transfer.phase else { return refusal(of: part) }
    let accepted = transfer.receive(body: part) { easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T) }
    return accepted ? part.count : refusal(of: part)
}

/// A count that differs from what was offered makes libcurl give up.
private func refusal(of bytes: UnsafeRawBufferPointer) -> Int {
    bytes.isEmpty ? 1 : 0
}

/// `CURLOPT_OPENSOCKETFUNCTION`
func curlTransferOpenSocket(
    _: UnsafeMutableRawPointer?, _: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address else { return CURL_SOCKET_BAD }
    return OwnDescriptors.add(mtoken_curl_open_socket(address))
}

/// `CURLOPT_SSL_CTX_FUNCTION`: called when libcurl is done with a context, and before its first connection.
func curlTransferPrepareTLS(
    _: UnsafeMutableRawPointer?, _ tls: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?
) -> CURLcode {
    let tls = OpaquePointer(tls)
    SSL_CTX_set_keylog_callback(tls, nil)
    // libcurl says not whose connection this is. That of a proxy has an upper bound: a proxy gets no certificate for the bank.
    guard SSL_CTX_ctrl(tls, SSL_CTRL_GET_MAX_PROTO_VERSION, 0, nil) == 0,
        let identity = transfer(context)?.request.identity
    else { return CURLE_OK }
    let isSet =
        SSL_CTX_use_certificate(tls, identity.certificate) == 1 && SSL_CTX_use_PrivateKey(tls, identity.key) == 1
        && (identity.chain == nil
            || SSL_CTX_ctrl(tls, SSL_CTRL_CHAIN, 1, UnsafeMutableRawPointer(identity.chain)) == 1)
    return isSet ? CURLE_OK : CURLE_SSL_CERTPROBLEM
}

/// `CURLOPT_CLOSESOCKETFUNCTION`
func curlTransferCloseSocket(_: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
    OwnDescriptors.close(socket)
    return 0
}
