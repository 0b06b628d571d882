// SPDX-License-Identifier: Apache-2.0
/// The limits of one `CurlTransport`, the same for all requests.
package struct TransportOptions: Sendable {
    /// How many requests are under way at once; the others wait in order of arrival. As many connections are kept for reuse: were
    /// it fewer, a busy transport would close each after its answer and open another one for the next request.
    package var maximumConcurrentTransfers = 256
    /// For how long an unused connection may be used again, in milliseconds.
    package var reuseMilliseconds: Int64 = 60_000
    /// The same for requests with `atMostOnce`, which end as `sentAnswerUnknown` on a connection that died unnoticed.
    package var signedReuseMilliseconds: Int64 = 15_000
    /// After how long without any request all connections are closed and the memory is given back, in milliseconds.
    package var idleMilliseconds: Int64 = 60_000
    /// Whether HTTP/2 is used where the server offers it and libcurl has it.
    package var allowsHTTP2 = true
    /// The largest accepted header of an answer, in bytes, with all interim answers and trailers.
    package var maximumHeaderSize = 64 << 10
    /// The largest accepted number of header fields.
    package var maximumHeaderCount = 200

    package init() {}
}
