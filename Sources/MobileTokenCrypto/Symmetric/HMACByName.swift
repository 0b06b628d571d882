// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// HMAC with a hash that is looked up by its name at each use: for the seldom ones.
enum HMACByName {
    /// Writes the code, as long as the hash. The key is not empty.
    @inline(never)
    static func compute(
        _ hash: StaticString, _ data: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try withErrorMark { () throws(CryptoError) -> Void in
            guard
                EVP_Q_mac(
                    nil, StaticString("HMAC").cString, nil, hash.cString, nil, key.baseAddress, key.count, data.bytes,
                    data.count, output.bytes, output.count, nil) != nil
            else { throw .library() }
        }
    }
}
