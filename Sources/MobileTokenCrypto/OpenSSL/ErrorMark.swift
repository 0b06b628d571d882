// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import MobileTokenSystem

/// Runs OpenSSL calls and leaves this thread's error queue as it was before: what the host had stays, what we caused goes.
///
/// Not within another one. Also on success, because a refused signature or a probed point leaves errors behind without being a failure.
@inline(__always)
func withErrorMark<R>(_ body: () throws(CryptoError) -> R) throws(CryptoError) -> R {
    try ForkGate.pass { () throws(CryptoError) -> R in
        // On an empty queue no mark is set, and the pop then empties the queue: the same result.
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        return try body()
    }
}

extension CryptoError {
    /// A failure of OpenSSL, with the code of the last error on the queue. Use inside `withErrorMark`.
    static func library(_ reason: Reason = .library) -> CryptoError {
        CryptoError(reason: reason, libraryCode: UInt(ERR_peek_last_error()))
    }

    /// A failure where none is possible but for want of memory, since the input was checked before. Such calls do
    /// without a mark, which would cost a fifth of an AES block; so here the whole queue is cleared.
    static func unexpected() -> CryptoError {
        let code = UInt(ERR_peek_last_error())
        ERR_clear_error()
        return CryptoError(reason: .library, libraryCode: code)
    }
}

/// A length as C's `int`, or an error when it does not fit.
@inline(__always)
func int32(_ count: Int) throws(CryptoError) -> Int32 {
    guard let value = Int32(exactly: count) else { throw CryptoError(reason: .invalidLength) }
    return value
}
