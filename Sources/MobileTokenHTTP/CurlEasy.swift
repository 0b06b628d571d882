// SPDX-License-Identifier: Apache-2.0
import CCurl
import CSystem
import MobileTokenCrypto
import MobileTokenSystem

/// One easy handle of libcurl, used for one request after the other. Loop thread only.
final class CurlEasy {
    let handle: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var header: UnsafeMutablePointer<curl_slist>?

    /// Nil when memory is out.
    convenience init?() {
        // It takes a lock of the whole process.
        guard let handle = ForkGate.pass({ curl_easy_init() }) else { return nil }
        self.init(adopting: handle)
    }

    private init(adopting handle: UnsafeMutableRawPointer) {
        self.handle = handle
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        keepSignals()
    }

    deinit {
        curl_easy_cleanup(handle)
        freeHeader()
        errorText.deallocate()
    }

    /// Forgets everything of the last request.
    func reset() {
        curl_easy_reset(handle)
        keepSignals()
        freeHeader()
        errorText.pointee = 0
    }

    /// Closing a handle or its connections, libcurl would exchange the process's action for SIGPIPE meanwhile, and of two threads
    /// that do so one restores what the other has set.
    private func keepSignals() { _ = mtoken_curl_set_long(handle, CURLOPT_NOSIGNAL, 1) }

    private func freeHeader() {
        curl_slist_free_all(header)
        header = nil
    }

    /// libcurl's words for what went wrong.
    func detail(_ code: CURLcode) -> String {
        String(cString: errorText.pointee != 0 ? UnsafePointer(errorText) : curl_easy_strerror(code))
    }

    /// A number that libcurl knows about the transfer; 0 when it does not.
    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return mtoken_curl_get_long(handle, info, &value) == CURLE_OK ? value : 0
    }

    /// A size that libcurl knows about the transfer; -1 when it does not.
    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = -1
        return mtoken_curl_get_offset(handle, info, &value) == CURLE_OK ? Int64(value) : -1
    }

    /// The transfer that a handle was prepared for.
    static func transfer(of handle: UnsafeMutableRawPointer) -> CurlTransfer? {
        var pointer: UnsafeMutablePointer<CChar>?
        guard mtoken_curl_get_pointer(handle, CURLINFO_PRIVATE, &pointer) == CURLE_OK, let pointer else { return nil }
        return Unmanaged<CurlTransfer>.fromOpaque(pointer).takeUnretainedValue()
    }

    // MARK: Options

    /// Prepares the handle for a transfer. The options are all set or the request is not sent: libcurl that lacks one of
    /// them (built without, or too old) must not lead to a weaker connection.
    ///
    /// - Parameter remaining: how much time the request still has, in milliseconds.
    /// - Parameter wallTime: milliseconds since the epoch, to tell which pins count.
    func prepare(
        for transfer: CurlTransfer, remaining: Int64, wallTime: Int64, authorities: SystemAuthorities,
        share: OpaquePointer?
    ) throws(TransportError) {
        let request = transfer.request
        // A reset leaves it.
        try set(CURLOPT_SHARE, share.map { UnsafeRawPointer($0) })
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        try set(CURLOPT_PRIVATE, context)
        try set(CURLOPT_ERRORBUFFER, errorText)
        try set(CURLOPT_URL, request.url)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_PROTOCOLS_STR, transfer.target.isSecure ? "https" : "http")
        try set(CURLOPT_REDIR_PROTOCOLS_STR, "https")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_MAXFILESIZE_LARGE, offset: max(0, Int64(request.maximumResponseSize)))
        try setConnection(for: transfer, remaining: remaining)
        if transfer.target.isSecure || transfer.route.isSecure {
            try setTLS(request.tls, context, wallTime: wallTime, authorities: authorities)
        }
        try setBody(of: transfer)
        try setHeaders(of: request)

        try check(mtoken_curl_set_prerequest_function(handle, curlTransferWillSend), CURLOPT_PREREQFUNCTION)
        try set(CURLOPT_PREREQDATA, context)
        try check(
            mtoken_curl_set_transfer_function(handle, CURLOPT_HEADERFUNCTION, curlTransferReceiveHeader),
            CURLOPT_HEADERFUNCTION)
        try set(CURLOPT_HEADERDATA, context)
        try check(
            mtoken_curl_set_transfer_function(handle, CURLOPT_WRITEFUNCTION, curlTransferReceiveBody),
            CURLOPT_WRITEFUNCTION)
        try set(CURLOPT_WRITEDATA, context)
    }

    private func setConnection(for transfer: CurlTransfer, remaining: Int64) throws(TransportError) {
        let request = transfer.request
        let options = transfer.options
        // With several addresses, libcurl gives half of the rest to each but the last.
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(clamping: max(1, min(remaining, Int64(Int32.max)))))
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        try set(CURLOPT_TCP_KEEPIDLE, 60)
        try set(CURLOPT_TCP_KEEPINTVL, 30)
        try check(mtoken_curl_set_socket_function(handle, curlTransferOpenSocket), CURLOPT_OPENSOCKETFUNCTION)
        try check(mtoken_curl_set_close_function(handle, curlTransferCloseSocket), CURLOPT_CLOSESOCKETFUNCTION)

        // A signed request without a body gives no second chance to stop a repetition inside libcurl but the
        // pre-request callback: it uses a connection of its own, on which libcurl has no reason to repeat.
        let isAlone = request.atMostOnce && request.body.isEmpty
        let age = request.atMostOnce ? options.signedReuseMilliseconds : options.reuseMilliseconds
        if isAlone || age <= 0 {
            try set(CURLOPT_FRESH_CONNECT, 1)
        } else {
            try set(CURLOPT_MAXAGE_CONN, Int(clamping: max(1, age / 1000)))
            // Waits for a connection under way that may turn out to be HTTP/2, rather than opening one more. Without TLS
            // libcurl would wait for the whole first answer.
            try set(CURLOPT_PIPEWAIT, options.allowsHTTP2 && transfer.target.isSecure ? 1 : 0)
        }
        let version = options.allowsHTTP2 && !isAlone ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        try set(CURLOPT_HTTP_VERSION, Int(version))

        // An empty proxy switches the environment's off; an empty list of exceptions does the same for no_proxy.
        try set(CURLOPT_PROXY, request.proxy ?? "")
        try set(CURLOPT_NOPROXY, "")
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)

        // Without it, taking a transfer back would wait for its look-up, and stop the whole loop.
        try set(CURLOPT_QUICK_EXIT, 1)
    }

    private func setTLS(
        _ policy: TLSPolicy, _ context: UnsafeMutableRawPointer, wallTime: Int64, authorities: SystemAuthorities
    ) throws(TransportError) {
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // The upper bound is what tells a proxy's connections from the bank's: see curlTransferPrepareTLS.
        try set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2) | Int(CURL_SSLVERSION_MAX_TLSv1_3))
        try set(CURLOPT_SSL_VERIFYPEER, policy.unsafeNoVerification ? 0 : 1)
        try set(CURLOPT_SSL_VERIFYHOST, policy.unsafeNoVerification ? 0 : 2)
        // libcurl writes the keys of its connections to the file that $SSLKEYLOGFILE names: not those of these.
        try check(mtoken_curl_set_context_function(handle, curlTransferPrepareTLS), CURLOPT_SSL_CTX_FUNCTION)
        try set(CURLOPT_SSL_CTX_DATA, context)
        // Every new connection shows its certificate: no session of an earlier one is resumed.
        try set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        // A file that has changed is read again before that: it has another name then.
        try set(CURLOPT_CA_CACHE_TIMEOUT, 3600)
        // The directory of the system's authorities would be trusted beside a file or PEM text given here, and it keeps
        // libcurl from parsing the system's bundle only once.
        switch policy.trust {
        case .system:
            switch authorities {
            case .directory: try set(CURLOPT_CAINFO, nil)
            case .file(let path): try setAuthorities(path)
            case .folder(let path): try set(CURLOPT_CAPATH, path)
            case .missing(let detail):
                guard policy.unsafeNoVerification else {
                    throw TransportError(.authoritiesMissing, detail: detail.description)
                }
            }
        case .caFile(let path): try setAuthorities(path)
        case .caPEM(let text):
            let code = text.withUnsafeBytes { buffer in
                mtoken_curl_set_blob(handle, CURLOPT_CAINFO_BLOB, buffer.baseAddress, buffer.count)
            }
            try check(code, CURLOPT_CAINFO_BLOB)
            try set(CURLOPT_CAPATH, nil)
        }
        guard !policy.pins.isEmpty else { return }
        let valid = policy.pins.filter { pin in pin.expires.map { wallTime < $0 } ?? true }
        guard !valid.isEmpty else {
            throw TransportError(.pinMismatch, detail: "all pinned public keys have expired")
        }
        var text = ""
        for pin in valid {
            if !text.isEmpty { text += ";" }
            text += "sha256//"
            text += pin.base64
        }
        try set(CURLOPT_PINNEDPUBLICKEY, text)
    }

    private func setAuthorities(_ path: String) throws(TransportError) {
        try set(CURLOPT_CAINFO, FileVersion.path(path))
        try set(CURLOPT_CAPATH, nil)
    }

    private func setBody(of transfer: CurlTransfer) throws(TransportError) {
        let request = transfer.request
        let isUpload: Bool
        switch request.method {
        case .post, .put, .patch: isUpload = true
        case .get, .delete: isUpload = !request.body.isEmpty
        case .head: isUpload = false
        }
        switch request.method {
        case .head: try set(CURLOPT_NOBODY, 1)
        case .get where !isUpload: try set(CURLOPT_HTTPGET, 1)
        default: try set(CURLOPT_CUSTOMREQUEST, UnsafeRawPointer(request.method.name.utf8Start))
        }
        guard isUpload else { return }
        try set(CURLOPT_POST, 1)
        // The least that libcurl takes, and all that it fills at a time with TLS. For the usual 64 kB the allocator merges its
        // free blocks, request for request.
        try set(CURLOPT_UPLOAD_BUFFERSIZE, 16384)
        try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: Int64(request.body.count))
        guard request.atMostOnce else {
            // It leaves in one piece with the header. NULL would be another one.
            let code = (request.body.isEmpty ? [0] : request.body).withUnsafeBytes { bytes in
                mtoken_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
            }
            return try check(code, CURLOPT_COPYPOSTFIELDS)
        }
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        try check(
            mtoken_curl_set_transfer_function(handle, CURLOPT_READFUNCTION, curlTransferReadBody),
            CURLOPT_READFUNCTION)
        try set(CURLOPT_READDATA, context)
    }

    private func setHeaders(of request: HTTPRequest) throws(TransportError) {
        // libcurl's own additions: a name and a colon takes them out.
        for name in ["Expect", "Accept", "Content-Type"]
        where !request.headers.contains(where: { ASCII.equalIgnoringCase($0.name.utf8, name.utf8) }) {
            try add(name + ":")
        }
        for field in request.headers {
            // A semicolon in place of the colon means an empty value.
            let isEmpty = ASCII.trimmed(field.value.utf8[...]).isEmpty
            try add(field.name + (isEmpty ? ";" : ": " + field.value))
        }
        try set(CURLOPT_HTTPHEADER, header.map { UnsafeRawPointer($0) })
    }

    /// Adds a line to the header, which lives until `reset`.
    private func add(_ line: String) throws(TransportError) {
        guard let longer = line.withCString({ curl_slist_append(header, $0) }) else {
            throw TransportError(.outOfMemory, detail: "not enough memory for the header")
        }
        header = longer
    }

    // MARK: Setters

    private func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(mtoken_curl_set_long(handle, option, value), option)
    }

    private func set(_ option: CURLoption, offset: Int64) throws(TransportError) {
        try check(mtoken_curl_set_offset(handle, option, curl_off_t(offset)), option)
    }

    private func set(_ option: CURLoption, _ value: UnsafeRawPointer?) throws(TransportError) {
        try check(mtoken_curl_set_pointer(handle, option, value), option)
    }

    /// libcurl copies texts.
    private func set(_ option: CURLoption, _ text: String) throws(TransportError) {
        try check(text.withCString { mtoken_curl_set_pointer(handle, option, $0) }, option)
    }

    private func check(_ code: CURLcode, _ option: CURLoption) throws(TransportError) {
        guard code != CURLE_OK else { return }
        let isMemory = code == CURLE_OUT_OF_MEMORY
        throw TransportError(
            isMemory ? .outOfMemory : .internal, curlCode: Int32(bitPattern: code.rawValue),
            detail: "libcurl refused option \(option.rawValue): \(String(cString: curl_easy_strerror(code)))")
    }
}
