import COpenSSL
import MobileTokenCrypto
import TestSupport
import Testing

private let order = [UInt8](
    hex: "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973")
private let prime = [UInt8](
    hex: "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFFFF0000000000000000FFFFFFFF")

/// RFC 6979, A.2.6: P-384 with SHA-384.
private let scalar = [UInt8](
    hex: "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5")
private let point = [UInt8](
    hex: """
        04EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64DEF8F0EA9055866064A254515480BC13\
        8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1288B231C3AE0D4FE7344FD2533264720
        """)
private let jose = [UInt8](
    hex: """
        94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46\
        99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8
        """)

@Suite struct P384Tests {
    @Test func digests() throws {
        let known: [([UInt8], String)] = [
            (
                [],
                "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"
            ),
            (
                [0x61, 0x62, 0x63],
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
            ),
        ]
        for (data, digest) in known { #expect(try SHA384.hash(data) == [UInt8](hex: digest)) }
        // RFC 4231, test cases 2 and 6.
        #expect(
            try SHA384.authenticate("what do ya want for nothing?", key: "Jefe")
                == [UInt8](
                    hex:
                        "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649"
                ))
        #expect(
            try SHA384.authenticate(
                "Test Using Larger Than Block-Size Key - Hash Key First", key: [UInt8](repeating: 0xAA, count: 131))
                == [UInt8](
                    hex:
                        "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952"
                ))
        #expect(reason { () throws(CryptoError) in try SHA384.authenticate("x", key: [UInt8]()) } == .invalidKey)
    }

    @Test func derivation() throws {
        // The two steps by hand, with a salt and without one.
        let (material, info) = (pattern(22), pattern(10))
        for salt in [pattern(13), []] {
            let key = try SHA384.extract(salt: salt, material)
            let filled = salt.isEmpty ? [UInt8](repeating: 0, count: 48) : salt
            #expect(try key.array == SHA384.authenticate(material, key: filled))
            var blocks: [UInt8] = []
            var last: [UInt8] = []
            for number in 1...3 {
                last = try SHA384.authenticate(last + info + [UInt8(number)], key: key)
                blocks += last
            }
            for count in [1, 47, 48, 49, 96, 144] {
                #expect(try SHA384.expand(key, info: info, count: count).array == [UInt8](blocks.prefix(count)))
            }
        }
        for count in [0, -1, 255 * 48 + 1] {
            #expect(
                reason { () throws(CryptoError) in try SHA384.expand(pattern(48), info: info, count: count) }
                    == .invalidLength)
        }
        #expect(
            reason { () throws(CryptoError) in try SHA384.expand(pattern(32), info: info, count: 48) } == .invalidKey)
        #expect(try SHA384.expand(pattern(48), info: info, count: 255 * 48).count == 255 * 48)
    }

    @Test func keyPairs() throws {
        let key = try PrivateKey(bigEndian: scalar, on: .p384)
        #expect(key.publicKey.uncompressed == point && key.publicKey.curve == .p384)
        let compressed = try PublicKey(point: key.publicKey.compressed, on: .p384)
        #expect(compressed.uncompressed == point && compressed.compressed.count == 49)
        #expect(try key.bytes().array == scalar)
        let small = try PrivateKey(bigEndian: [1], on: .p384)
        #expect(try small.bytes().array == [1])
        #expect(try small.bytes(padded: true).array == [UInt8](repeating: 0, count: 47) + [1])
        let random = RandomSource()
        let (one, two) = (try random.keyPair(on: .p384), try random.keyPair(on: .p384))
        #expect(one.publicKey.uncompressed != two.publicKey.uncompressed)
        let secret = try one.sharedSecret(with: two.publicKey)
        #expect(try secret.count == 48 && secret.isEqual(to: two.sharedSecret(with: one.publicKey)))
        #expect(try random.keyPair(on: .p256).publicKey.curve == .p256)
    }

    /// Draws that are no key are thrown away, a few times.
    @Test func unusableDraws() throws {
        final class Laid: RandomSource, @unchecked Sendable {
            var draws: [[UInt8]]
            init(_ draws: [[UInt8]]) {
                self.draws = draws
                super.init()
            }
            override func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
                guard !draws.isEmpty else { throw CryptoError(reason: .library) }
                buffer.copyBytes(from: draws.removeFirst())
            }
        }
        let zero = [UInt8](repeating: 0, count: 48)
        #expect(try Laid([zero, order, scalar]).keyPair(on: .p384).publicKey.uncompressed == point)
        let never = Laid([zero, zero, zero, zero, scalar])
        #expect(reason { () throws(CryptoError) in try never.keyPair(on: .p384) } == .invalidKey)
        let broken = Laid([])
        #expect(reason { () throws(CryptoError) in try broken.keyPair(on: .p384) } == .library)
    }

    @Test func badKeys() {
        let numbers = [[], [0], order, [UInt8](repeating: 0xFF, count: 48), [UInt8](repeating: 1, count: 97)]
        for number in numbers {
            #expect(reason { () throws(CryptoError) in try PrivateKey(bigEndian: number, on: .p384) } == .invalidKey)
        }
        var offCurve = point
        offCurve[96] ^= 1
        let tooLarge: [UInt8] = [4] + prime + [UInt8](repeating: 0, count: 48)
        let bad: [[UInt8]] = [
            [], [0], [4], [UInt8](point.dropLast()), point + [0], [6] + point.dropFirst(), [2] + point.dropFirst(),
            [2] + prime, tooLarge, offCurve, [2] + [UInt8](repeating: 0xFF, count: 48),
        ]
        for bytes in bad {
            #expect(reason { () throws(CryptoError) in try PublicKey(point: bytes, on: .p384) } == .invalidKey)
        }
        // A point of one curve is none of the other.
        #expect(reason { () throws(CryptoError) in try PublicKey(point: point) } == .invalidKey)
        #expect(drainErrorQueue().isEmpty)
    }

    @Test func signatures() throws {
        let key = try PublicKey(point: point, on: .p384)
        #expect(try key.verify(jose: jose, data: "sample"))
        #expect(try !key.verify(jose: jose, data: "simple"))
        for length in [0, 64, 95, 97, 192] {
            let cut = [UInt8](jose.prefix(length)) + pattern(max(0, length - 96))
            #expect(try !key.verify(jose: cut, data: "sample"))
        }
        #expect(try !key.verify(jose: [UInt8](repeating: 0, count: 96), data: "sample"))
        let pair = try PrivateKey(bigEndian: scalar, on: .p384)
        for number in 0..<20 {
            let data = pattern(number * 7)
            let der = try pair.signDER(data)
            #expect(try key.verify(der: der, data: data) && der.count <= 104)
            #expect(try !key.verify(der: der + [0], data: data))
            #expect(try !key.verify(der: [UInt8](der.dropLast()), data: data))
            let raw = try pair.signJOSE(data)
            #expect(try raw.count == 96 && key.verify(jose: raw, data: data))
        }
        // The other curve's key cannot be asked about them.
        let other = try PrivateKey.generate()
        #expect(try !other.publicKey.verify(jose: jose, data: "sample"))
    }

    @Test func mixedCurvesAgreeOnNothing() throws {
        let (one, other) = (try PrivateKey.generate(), try PrivateKey(bigEndian: scalar, on: .p384))
        #expect(reason { () throws(CryptoError) in try one.sharedSecret(with: other.publicKey) } == .library)
        #expect(reason { () throws(CryptoError) in try other.sharedSecret(with: one.publicKey) } == .library)
    }

    struct SharedSecrets: Decodable {
        struct Case: Decodable {
            struct Key: Decodable { let d: String? }
            struct Input: Decodable {
                let clientKeys: [Key]
                let encapsulatedKeys: [String]
            }
            struct Expect: Decodable { let encapsulationKeys, intermediate: [String] }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test func encapsulationVectors() throws {
        let file = try Vectors.load("powerauth4-shared-secret", as: SharedSecrets.self)
        for row in file.cases {
            let key = try PrivateKey(bigEndian: [UInt8](base64: try #require(row.input.clientKeys[0].d)), on: .p384)
            #expect(key.publicKey.uncompressed == [UInt8](base64: row.expect.encapsulationKeys[0]))
            #expect(
                try DHKEM.export(
                    [UInt8](base64: row.input.encapsulatedKeys[0]), privateKey: key, info: "DHKEM-P384",
                    context: "DHKEM-P384"
                ).array == [UInt8](base64: row.expect.intermediate[0]))
        }
        Vectors.ran("powerauth4-shared-secret (DHKEM)", file.cases.count)
    }

    @Test func encapsulation() throws {
        let random = RandomSource()
        let (receiver, ephemeral) = (try random.keyPair(on: .p384), try random.keyPair(on: .p384))
        let sent = try DHKEM.encapsulate(to: receiver.publicKey, ephemeral: ephemeral, info: "i", context: "c")
        let point = ephemeral.publicKey.uncompressed
        #expect(
            sent.isEqual(to: try DHKEM.export(point, privateKey: receiver, info: "i", context: "c"))
                && sent.count == 48)
        #expect(!sent.isEqual(to: try DHKEM.export(point, privateKey: receiver, info: "j", context: "c")))
        #expect(!sent.isEqual(to: try DHKEM.export(point, privateKey: receiver, info: "i", context: "d")))
        let bad: [[UInt8]] = [ephemeral.publicKey.compressed, [], [UInt8](point.dropLast()), point + [0]]
        for wrong in bad {
            #expect(
                reason { () throws(CryptoError) in
                    try DHKEM.export(wrong, privateKey: receiver, info: "i", context: "c")
                } == .invalidKey)
        }
    }
}
