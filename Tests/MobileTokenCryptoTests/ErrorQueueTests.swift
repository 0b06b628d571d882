import COpenSSL
import MobileTokenCrypto
import Testing

/// What the host has on its thread's error queue stays there, and nothing of ours is added.
@Suite struct ErrorQueueTests {
    private func failures() throws {
        let key = try PrivateKey.generate()
        #expect(
            reason { () throws(CryptoError) in try PublicKey(point: [2] + [UInt8](repeating: 0, count: 31) + [1]) }
                == .invalidKey)
        #expect(
            reason { () throws(CryptoError) in
                try PublicKey(point: [4] + [UInt8](repeating: 1, count: 64))
            } == .invalidKey)
        #expect(try !key.publicKey.verify(der: [0x30, 0x03, 0x02, 0x01, 0x01], data: "data"))
        #expect(try !key.publicKey.verify(der: pattern(70), data: "data"))
        #expect(try !key.publicKey.verify(der: key.signDER("other"), data: "data"))
        #expect(try !key.publicKey.verify(jose: pattern(64), data: "data"))
        let block = try AES128CBC.encrypt(pattern(16), key: pattern(16), iv: pattern(16), padding: .none)
        #expect(
            reason { () throws(CryptoError) in
                try AES128CBC.decrypt(block, key: pattern(16), iv: pattern(16), padding: .pkcs7)
            } == .invalidPadding)
        _ = try SHA256.hash("")
        _ = try HMACSHA256.authenticate("", key: "")
        _ = try KDF.pbkdf2SHA1(password: "", salt: "", iterations: 1, count: 1)
        _ = try key.sharedSecret(with: key.publicKey)
        _ = try RandomSource().bytes(16)
    }

    @Test func emptyStaysEmpty() throws {
        _ = drainErrorQueue()
        try failures()
        #expect(drainErrorQueue() == [])
    }

    @Test func theHostsErrorsStay() throws {
        _ = drainErrorQueue()
        for library in 1...3 as ClosedRange<Int32> {
            ERR_new()
            ERR_set_error_none(library)
        }
        let before = UInt(ERR_peek_error())
        try failures()
        #expect(UInt(ERR_peek_error()) == before)
        #expect(drainErrorQueue().count == 3)
    }

    @Test func theHostsMarkStays() throws {
        _ = drainErrorQueue()
        ERR_new()
        ERR_set_error_none(1)
        ERR_set_mark()
        try failures()
        ERR_new()
        ERR_set_error_none(2)
        #expect(ERR_pop_to_mark() == 1)
        #expect(drainErrorQueue().count == 1)
    }

    @Test func failuresCarryTheLibrarysCode() throws {
        do throws(CryptoError) {
            _ = try PublicKey(point: [4] + [UInt8](repeating: 1, count: 64))
            Issue.record("must throw")
        } catch {
            #expect(error.reason == .invalidKey)
            #expect(error.libraryCode != 0)
        }
        #expect(CryptoError(reason: .library) == CryptoError(reason: .library, libraryCode: 0))
        #expect(CryptoError(reason: .library) != CryptoError(reason: .invalidKey))
    }
}

/// `ERR_raise` is a variadic macro; this is what it does without text.
private func ERR_set_error_none(_ library: Int32) {
    withVaList([]) { ERR_vset_error(library, 100, nil, $0) }
}
