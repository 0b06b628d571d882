import MobileTokenCrypto

/// The code of the data, 32 bytes; 0, or -1 if there is none.
@_cdecl("mtoken_bench_hmac")
public func mtoken_bench_hmac(
    _ key: UnsafePointer<UInt8>, _ keyLength: Int, _ data: UnsafePointer<UInt8>, _ length: Int,
    _ code: UnsafeMutablePointer<UInt8>
) -> Int32 {
    do throws(CryptoError) {
        try HMACSHA256.compute(
            UnsafeRawBufferPointer(start: data, count: length),
            key: UnsafeRawBufferPointer(start: key, count: keyLength),
            into: UnsafeMutableRawBufferPointer(start: code, count: HMACSHA256.codeLength))
        return 0
    } catch {
        return -1
    }
}
