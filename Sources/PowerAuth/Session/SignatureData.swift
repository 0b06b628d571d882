// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The text that is signed (powerauth.md §9.1).
enum SignatureData {
    /// The replacement of the application secret in an offline signature.
    static let offlineSecret: StaticString = "offline"

    /// `METHOD & B64(uriId) & B64(nonce) & B64(body) & secret`.
    ///
    /// - Returns: the text, and the position of the nonce in it.
    static func compose(
        method: StaticString, uriId: some Bytes, nonce: some Bytes, body: some Bytes, secret: some Bytes
    ) -> (text: [UInt8], nonce: Range<Int>) {
        uriId.withBytes { uriId in
            nonce.withBytes { nonce in
                body.withBytes { body in
                    secret.withBytes { secret in compose(method, uriId, nonce, body, secret) }
                }
            }
        }
    }

    private static func compose(
        _ method: StaticString, _ uriId: UnsafeRawBufferPointer, _ nonce: UnsafeRawBufferPointer,
        _ body: UnsafeRawBufferPointer, _ secret: UnsafeRawBufferPointer
    ) -> (text: [UInt8], nonce: Range<Int>) {
        let nonceStart = method.utf8CodeUnitCount + Base64.encodedLength(uriId.count) + 2
        let nonceRange = nonceStart..<(nonceStart + Base64.encodedLength(nonce.count))
        let count = nonceRange.upperBound + Base64.encodedLength(body.count) + secret.count + 2
        let text = [UInt8](unsafeUninitializedCapacity: count) { memory, written in
            // The array may have more room than was asked for.
            var data = ByteWriter(UnsafeMutableRawBufferPointer(start: memory.baseAddress, count: count))
            data.append(method)
            data.append(byte: UInt8(ascii: "&"))
            data.append(base64: uriId)
            data.append(byte: UInt8(ascii: "&"))
            data.append(base64: nonce)
            data.append(byte: UInt8(ascii: "&"))
            data.append(base64: body)
            data.append(byte: UInt8(ascii: "&"))
            data.append(secret)
            written = data.count
        }
        return (text, nonceRange)
    }
}
