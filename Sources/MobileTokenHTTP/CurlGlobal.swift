// SPDX-License-Identifier: Apache-2.0
import CCurl
import MobileTokenSystem

/// The one-time initialisation of libcurl and, by it, of OpenSSL.
enum CurlGlobal {
    // Guarded by the gate of `Fork`: a child that finds libcurl or OpenSSL half made could not use them.
    nonisolated(unsafe) private static var isDone = false
    nonisolated(unsafe) private static var result = CURLE_OK
    /// Whether this libcurl was built with HTTP/2. Only after `initialize`.
    nonisolated(unsafe) private(set) static var speaksHTTP2 = false

    /// Initialises libcurl once, from any thread; a child made by `fork` has what its parent initialised. It is never cleaned
    /// up: the host may use libcurl too.
    ///
    /// - Returns: false when libcurl refuses.
    @discardableResult
    static func initialize() -> Bool {
        let isFirst = Fork.holdingOff {
            guard !isDone else { return false }
            isDone = true
            result = curl_global_init(Int(CURL_GLOBAL_ALL))
            speaksHTTP2 = mtoken_curl_speaks_http2() != 0
            return true
        }
        if isFirst { ProcessExit.comesBeforeAllSoFar() }
        return result == CURLE_OK
    }
}
