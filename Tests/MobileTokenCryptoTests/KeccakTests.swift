import COpenSSL
import Foundation
import TestSupport
import Testing

@testable import MobileTokenCrypto

/// OpenSSL's own KMAC-256, for comparison.
private func referenceKMAC(_ data: [UInt8], key: [UInt8], customization: String, count: Int) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: count)
    var (custom, size, length) = ([UInt8](customization.utf8), count, 0)
    let mac = EVP_MAC_fetch(nil, "KMAC256", nil)
    let context = EVP_MAC_CTX_new(mac)
    defer {
        EVP_MAC_CTX_free(context)
        EVP_MAC_free(mac)
    }
    let isDone = custom.withUnsafeMutableBytes { custom in
        withUnsafeMutablePointer(to: &size) { size in
            let parameters = [
                Parameter.octets("custom", UnsafeRawBufferPointer(custom)),
                OSSL_PARAM_construct_size_t(StaticString("size").cString, size), OSSL_PARAM_construct_end(),
            ]
            return EVP_MAC_init(context, key, key.count, parameters) == 1
        }
    }
    guard isDone, EVP_MAC_update(context, data, data.count) == 1,
        EVP_MAC_final(context, &output, &length, count) == 1, length == count
    else { return [] }
    return output
}

@Suite struct KeccakTests {
    @Test func sha3() throws {
        // FIPS 202's own examples: nothing, 1,600 bits; and "abc".
        let known: [([UInt8], String)] = [
            ([], "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"),
            ([0x61, 0x62, 0x63], "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
            ([UInt8](repeating: 0xA3, count: 200), "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787"),
        ]
        for (data, digest) in known {
            #expect(try SHA3.hash(data) == [UInt8](hex: digest))
            #expect(try SHA3.hashSecure(data).array == [UInt8](hex: digest))
        }
    }

    struct Counters: Decodable {
        struct Case: Decodable {
            struct Input: Decodable { let ctrData: String }
            struct Expect: Decodable { let next: [String] }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test func counterVectors() throws {
        let file = try Vectors.load("powerauth4-hash-counter", as: Counters.self)
        for row in file.cases {
            var counter = [UInt8](base64: row.input.ctrData)
            for next in row.expect.next {
                counter = try SHA3.hash(counter)
                #expect(counter == [UInt8](base64: next))
            }
        }
        Vectors.ran("powerauth4-hash-counter", file.cases.count)
    }

    /// SP 800-185's samples of KMAC256: numbers 4 to 6.
    @Test func kmacSamples() throws {
        let key = [UInt8](0x40...0x5F)
        let short: [UInt8] = [0, 1, 2, 3]
        let long = [UInt8](0...199)
        let custom: StaticString = "My Tagged Application"
        let samples: [([UInt8], StaticString, String)] = [
            (
                short, custom,
                "20C570C31346F703C9AC36C61C03CB64C3970D0CFC787E9B79599D273A68D2F7F69D4CC3DE9D104A351689F27CF6F5951F0103F33F4F24871024D9C27773A8DD"
            ),
            (
                long, "",
                "75358CF39E41494E949707927CEE0AF20A3FF553904C86B08F21CC414BCFD691589D27CF5E15369CBBFF8B9A4C2EB17800855D0235FF635DA82533EC6B759B69"
            ),
            (
                long, custom,
                "B58618F71F92E1D56C1B8C55DDD7CD188B97B4CA4D99831EB2699A837DA2E4D970FBACFDE50033AEA585F1A2708510C32D07880801BD182898FE476876FC8965"
            ),
        ]
        for (data, customization, code) in samples {
            #expect(
                try KMAC.authenticate(data, key: key, customization: customization, count: 64) == [UInt8](hex: code))
        }
    }

    @Test(arguments: [4, 5, 31, 32, 33, 63, 64, 130, 131, 132, 133, 134, 135, 136, 137, 267, 268, 269, 512])
    func kmacOfEveryKeyAsOpenSSL(length: Int) throws {
        let key = pattern(length)
        for count in [0, 1, 133, 134, 135, 136, 137, 272, 1000] {
            for size in [1, 16, 31, 32, 33, 64, 136, 300] {
                let data = pattern(count)
                let code = try KMAC.authenticate(data, key: key, customization: "PA4MAC-AEAD", count: size)
                #expect(code == referenceKMAC(data, key: key, customization: "PA4MAC-AEAD", count: size))
                // However the message is cut.
                var cut = [UInt8](repeating: 0, count: size)
                let (one, two) = (data[..<(count / 3)], data[(count / 3)..<(count / 2)])
                try cut.withUnsafeMutableBytes { cut in
                    try one.withUnsafeBytes { one in
                        try two.withUnsafeBytes { two in
                            try data[(count / 2)...].withUnsafeBytes { three in
                                try key.withUnsafeBytes { key in
                                    try KMAC.compute(one, two, three, key: key, customization: "PA4MAC-AEAD", into: cut)
                                }
                            }
                        }
                    }
                }
                #expect(cut == code)
            }
        }
    }

    @Test func kmacRefuses() {
        let data = pattern(3)
        for length in [0, 3, 513] {
            #expect(
                reason { () throws(CryptoError) in
                    try KMAC.authenticate(data, key: pattern(length), customization: "S")
                } == .invalidKey)
        }
        for count in [-1, 0, 8192] {
            #expect(
                reason { () throws(CryptoError) in
                    try KMAC.authenticateSecure(data, key: pattern(32), customization: "S", count: count)
                } == .invalidLength)
        }
        #expect(
            reason { () throws(CryptoError) in
                try KMAC.authenticate(data, key: pattern(32), customization: "a customization of 32 characters")
            } == .invalidLength)
    }

    @Test func kmacIsCompared() throws {
        let (data, key) = (pattern(50), pattern(32))
        var code = try KMAC.authenticate(data, key: key, customization: "S")
        #expect(try KMAC.isValid(code, for: data, key: key, customization: "S"))
        #expect(try !KMAC.isValid(code, for: data, key: key, customization: "T"))
        #expect(try !KMAC.isValid(code.dropLast(), for: data, key: key, customization: "S"))
        code[31] ^= 1
        #expect(try !KMAC.isValid(code, for: data, key: key, customization: "S"))
    }

    struct Passwords: Decodable {
        struct Case: Decodable {
            struct Input: Decodable {
                let password, salt: String
                let length: Int
            }
            struct Expect: Decodable { let key: String }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test func passwordVectors() throws {
        let file = try Vectors.load("powerauth4-password-kdf", as: Passwords.self)
        for row in file.cases {
            #expect(
                try KMAC.authenticateSecure(
                    [UInt8](base64: row.input.salt), key: row.input.password, customization: "PA4PBKDF",
                    count: row.input.length
                ).array == [UInt8](base64: row.expect.key))
        }
        Vectors.ran("powerauth4-password-kdf", file.cases.count)
    }

    @Test func nothingStaysInTheContext() throws {
        // A pool's context keeps the last block of its input unless it is wiped; the memory of both is read here.
        let context = try Algorithms.shared.sponges.take()
        defer { Algorithms.shared.sponges.giveBack(context) }
        #expect(EVP_DigestUpdate(context, pattern(5), 5) == 1)
        #expect(SHA256.restart(context))
        var out = [UInt8](repeating: 0, count: 32)
        #expect(EVP_DigestFinalXOF(context, &out, 32) == 1 && SHA256.restart(context))
        // An untouched sponge gives the same: restarting forgets the input.
        var fresh = [UInt8](repeating: 0, count: 32)
        let other = try #require(Contexts.digest(Algorithms.shared.kmac))
        defer { EVP_MD_CTX_free(other) }
        #expect(EVP_DigestFinalXOF(other, &fresh, 32) == 1)
        #expect(out == fresh)
    }

    @Test func counterMode() throws {
        // SP 800-38A, F.5.5.
        let key = [UInt8](hex: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
        let counter = [UInt8](hex: "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
        let plain = [UInt8](
            hex: """
                6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51\
                30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710
                """)
        let cipher = [UInt8](
            hex: """
                601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5\
                2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6
                """)
        #expect(try AES256CTR.crypt(plain, key: key, counter: counter) == cipher)
        #expect(try AES256CTR.cryptSecure(cipher, key: key, counter: counter).array == plain)
        #expect(try AES256CTR.crypt(plain.prefix(17), key: key, counter: counter) == [UInt8](cipher.prefix(17)))
        #expect(try AES256CTR.crypt([UInt8](), key: key, counter: counter) == [])
        // The whole block counts, not only its last four bytes.
        let last = [UInt8](repeating: 0xFF, count: 16)
        let two = try AES256CTR.crypt([UInt8](repeating: 0, count: 32), key: key, counter: last)
        #expect(
            try [UInt8](two[16...])
                == AES256CTR.crypt(
                    [UInt8](repeating: 0, count: 16), key: key, counter: [UInt8](repeating: 0, count: 16)))
        #expect(
            reason { () throws(CryptoError) in try AES256CTR.crypt(plain, key: pattern(16), counter: counter) }
                == .invalidKey)
        #expect(
            reason { () throws(CryptoError) in try AES256CTR.crypt(plain, key: key, counter: pattern(12)) }
                == .invalidLength)
    }
}
