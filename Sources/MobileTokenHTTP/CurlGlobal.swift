import CCurl

/// The one-time initialisation of libcurl and, by it, of OpenSSL.
enum CurlGlobal {
    private static let result = curl_global_init(Int(CURL_GLOBAL_ALL))

    /// Initialises libcurl once per process, from any thread. It is never cleaned up: the host may use libcurl too.
    ///
    /// - Returns: false when libcurl refuses.
    @discardableResult
    static func initialize() -> Bool {
        result == CURLE_OK
    }
}
