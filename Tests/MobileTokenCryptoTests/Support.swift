import COpenSSL
import MobileTokenCrypto
import Testing

extension Bytes {
    /// A plain copy, for comparing in tests.
    var array: [UInt8] {
        withBytes { (bytes: UnsafeRawBufferPointer) -> [UInt8] in [UInt8](bytes) }
    }
}

/// The bytes 0, 1, 2 … modulo 251, a pattern that no block length divides.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8($0 % 251) }
}

/// The reason for which a call fails, or nil when it succeeds.
func reason<R>(_ body: () throws(CryptoError) -> R) -> CryptoError.Reason? {
    do throws(CryptoError) {
        _ = try body()
        return nil
    } catch {
        return error.reason
    }
}

/// The codes on this thread's OpenSSL error queue, oldest first; empties it.
func drainErrorQueue() -> [UInt] {
    var codes: [UInt] = []
    while true {
        let code = UInt(ERR_get_error())
        if code == 0 { return codes }
        codes.append(code)
    }
}
