import Foundation
import Testing

@testable import MobileTokenCrypto

/// Everything at once from eight threads: contexts, keys and lazy initialisation are shared without locks.
@Suite struct ConcurrencyTests {
    private final class Failures: @unchecked Sendable {
        private let lock = NSLock()
        private var values: [String] = []
        func add(_ text: String) { lock.withLock { values.append(text) } }
        var all: [String] { lock.withLock { values } }
    }

    @Test func eightThreads() throws {
        let data = pattern(200)
        let (key, iv) = (pattern(16), pattern(16))
        let code = try HMACSHA256.authenticate(data, key: key)
        let digest = try SHA256.hash(data)
        let encrypted = try AES128CBC.encrypt(data, key: key, iv: iv, padding: .pkcs7)
        let block = try AES128CBC.encrypt(iv, key: key, iv: iv, padding: .none)
        let envelope = try KDF.x963(secret: data, info: key, count: 48).array
        let signer = try PrivateKey.generate()
        let signature = try signer.signDER(data)
        let failures = Failures()
        // Fresh objects, so that all threads meet at their first use.
        let shared = try PrivateKey(bigEndian: signer.bytes())
        let peer = try PrivateKey.generate()

        @Sendable func round(_ thread: Int) throws {
            // Different keys in different threads would show a context that two of them hold.
            let own = [UInt8](repeating: UInt8(thread), count: 16)
            let mine = try HMACSHA256.authenticate(data, key: own)
            for step in 0..<60 {
                if try HMACSHA256.authenticate(data, key: key) != code { failures.add("hmac") }
                if try HMACSHA256.authenticate(data, key: own) != mine { failures.add("own hmac") }
                if try SHA256.hash(data) != digest { failures.add("digest") }
                if try AES128CBC.encrypt(data, key: key, iv: iv, padding: .pkcs7) != encrypted { failures.add("aes") }
                if try AES128CBC.decrypt(encrypted, key: key, iv: iv, padding: .pkcs7) != data { failures.add("aes") }
                if try AES128CBC.encrypt(iv, key: key, iv: iv, padding: .none) != block { failures.add("aes block") }
                if try KDF.x963(secret: data, info: key, count: 48).array != envelope { failures.add("x963") }
                if try !shared.publicKey.verify(der: signature, data: data) { failures.add("verify") }
                if try shared.publicKey.verify(der: signature, data: own) { failures.add("verify other") }
                if step % 4 == 0 {
                    let fresh = try PrivateKey.generate()
                    let one = try fresh.sharedSecret(with: shared.publicKey)
                    let two = try shared.sharedSecret(with: PublicKey(point: fresh.publicKey.compressed))
                    if !one.isEqual(to: two) { failures.add("ecdh") }
                    if try !fresh.publicKey.verify(jose: fresh.signJOSE(own), data: own) { failures.add("jose") }
                    if try !shared.publicKey.verify(der: shared.signDER(own), data: own) { failures.add("sign") }
                    _ = try peer.sharedSecret(with: shared.publicKey)
                    _ = try RandomSource().secureBytes(32)
                    _ = try PrivateKey(bigEndian: own.dropLast() + [1])
                }
            }
        }

        let ended = DispatchSemaphore(value: 0)
        let threads = (0..<8).map { index in
            Thread {
                do { try round(index) } catch { failures.add("\(error)") }
                ended.signal()
            }
        }
        for thread in threads { thread.start() }
        for _ in threads { ended.wait() }
        #expect(failures.all == [])
    }

    /// More contexts at once than the free lists hold.
    @Test func moreContextsThanThePoolHolds() throws {
        let expected = try HMACSHA256.authenticate("data", key: "key")
        func nest(_ depth: Int) throws(CryptoError) {
            try SHA256.withContext { (context) throws(CryptoError) in
                if depth > 0 { try nest(depth - 1) }
                #expect(try HMACSHA256.authenticate("data", key: "key") == expected)
            }
        }
        for _ in 0..<3 { try nest(100) }
    }
}
