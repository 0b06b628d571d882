import COpenSSL
import MobileTokenCrypto
import TestSupport
import Testing

/// The order of the curve, and the values around it.
private let order = [UInt8](hex: "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551")
private let orderMinusOne = [UInt8](hex: "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632550")
private let prime = [UInt8](hex: "FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF")
private let generator = [UInt8](
    hex: """
        046B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296\
        4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5
        """)

@Suite struct PublicKeyTests {
    struct ECVectors: Decodable {
        struct Point: Decodable {
            let point: String
            let valid: Bool
        }
        struct Signature: Decodable {
            let dataHex, signatureDerHex, publicKeyHex: String
            let valid: Bool
        }
        struct Coordinates: Decodable { let x, y, point: String }
        let points: [Point]
        let ecdsa: [Signature]
        let coordinates: [Coordinates]
    }

    @Test func pointVectors() throws {
        let file = try Vectors.load("powerauth-ec", as: ECVectors.self)
        for vector in file.points {
            guard let bytes = Base64.decode(vector.point) else {
                #expect(!vector.valid)
                continue
            }
            if vector.valid {
                let key = try PublicKey(point: bytes)
                #expect((bytes.count == 33 ? key.compressed : key.uncompressed) == bytes)
                let again = try PublicKey(point: bytes.count == 33 ? key.uncompressed : key.compressed)
                #expect(again.compressed == key.compressed && again.uncompressed == key.uncompressed)
            } else {
                #expect(reason { () throws(CryptoError) in try PublicKey(point: bytes) } == .invalidKey)
            }
        }
        for vector in file.coordinates {
            let key = try PublicKey(point: [UInt8](base64: vector.point))
            // The vectors have two's-complement numbers: a leading zero byte where the first bit is set.
            let (x, y) = ([UInt8](base64: vector.x).suffix(32), [UInt8](base64: vector.y).suffix(32))
            #expect(key.uncompressed == [4] + x + y)
            #expect(key.compressed.dropFirst() == x)
        }
        Vectors.ran("powerauth-ec (points, coordinates)", file.points.count + file.coordinates.count)
    }

    @Test func signatureVectors() throws {
        let file = try Vectors.load("powerauth-ec", as: ECVectors.self)
        for vector in file.ecdsa {
            let key = try PublicKey(point: [UInt8](hex: vector.publicKeyHex))
            let signature = [UInt8](hex: vector.signatureDerHex)
            #expect(try key.verify(der: signature, data: [UInt8](hex: vector.dataHex)) == vector.valid)
        }
        Vectors.ran("powerauth-ec (ecdsa)", file.ecdsa.count)
    }

    @Test func malformedPoints() throws {
        let good = try PublicKey(point: generator)
        var refused: [[UInt8]] = [
            [], [0], [2], [4], [UInt8](repeating: 0, count: 33), [UInt8](repeating: 0, count: 65),
        ]
        // Every tag but the right one, in each length: hybrid forms among them.
        for tag in UInt8.min...UInt8.max {
            if tag != 2 && tag != 3 { refused.append([tag] + good.compressed.dropFirst()) }
            if tag != 4 { refused.append([tag] + good.uncompressed.dropFirst()) }
        }
        for form in [good.compressed, good.uncompressed] {
            refused += [[UInt8](form.dropLast()), form + [0], [0] + form]
        }
        // Coordinates that are not below p, also where they are congruent to a point.
        refused += [[2] + prime, [3] + prime, [2] + [UInt8](repeating: 0xFF, count: 32)]
        refused += [[4] + prime + generator[33...], [4] + generator[1..<33] + prime]
        refused.append([4] + [UInt8](repeating: 0, count: 64))
        refused.append([4] + [UInt8](repeating: 0xFF, count: 64))
        // Off the curve: one changed bit anywhere in y, and an x without a square root.
        for index in 33..<65 {
            var off = generator
            off[index] ^= 1
            refused.append(off)
        }
        refused.append([2] + [UInt8](repeating: 0, count: 31) + [1])
        refused.append(pattern(1 << 20))
        for point in refused {
            #expect(reason { () throws(CryptoError) in try PublicKey(point: point) } == .invalidKey)
        }
        // x = 0 is on this curve.
        _ = try PublicKey(point: [2] + [UInt8](repeating: 0, count: 32))
    }
}

@Suite struct PrivateKeyTests {
    struct MasterVectors: Decodable {
        struct Case: Decodable {
            let devicePrivateKey, devicePublicKey, serverPrivateKey, serverPublicKey, masterSecretKey: String
        }
        let crypto: [Case]
        let sdk: [Case]
    }

    @Test func masterSecretVectors() throws {
        let file = try Vectors.load("powerauth-master-secret", as: MasterVectors.self)
        for vector in file.crypto + file.sdk {
            let device = try PrivateKey(bigEndian: [UInt8](base64: vector.devicePrivateKey))
            let server = try PrivateKey(bigEndian: [UInt8](base64: vector.serverPrivateKey))
            let devicePublic = try PublicKey(point: [UInt8](base64: vector.devicePublicKey))
            let serverPublic = try PublicKey(point: [UInt8](base64: vector.serverPublicKey))
            #expect(device.publicKey.uncompressed == devicePublic.uncompressed)
            #expect(server.publicKey.compressed == serverPublic.compressed)
            let expected = [UInt8](base64: vector.masterSecretKey)
            #expect(try KDF.reduce(device.sharedSecret(with: serverPublic)).array == expected)
            #expect(try KDF.reduce(server.sharedSecret(with: devicePublic)).array == expected)
            #expect(try KDF.reduce(server.sharedSecret(with: device.publicKey)).array == expected)
            let minimal = [UInt8](base64: vector.devicePrivateKey).drop { $0 == 0 }
            #expect(try device.bytes().array == [UInt8](minimal))
        }
        Vectors.ran("powerauth-master-secret", file.crypto.count + file.sdk.count)
    }

    @Test func importAcceptsEveryLength() throws {
        let one = try PrivateKey(bigEndian: [1])
        #expect(one.publicKey.uncompressed == generator)
        #expect(try one.bytes().array == [1])
        for zeros in [1, 2, 31, 32, 63] {
            let padded = try PrivateKey(bigEndian: [UInt8](repeating: 0, count: zeros) + [1])
            #expect(padded.publicKey.uncompressed == generator)
            #expect(try padded.bytes().array == [1])
        }
        for bytes in [orderMinusOne, [0] + orderMinusOne] {
            let last = try PrivateKey(bigEndian: bytes)
            #expect(last.publicKey.compressed.dropFirst() == one.publicKey.compressed.dropFirst())
            #expect(last.publicKey.compressed[0] != one.publicKey.compressed[0])
            #expect(try last.bytes().array == orderMinusOne)
        }
        for _ in 0..<50 {
            let key = try PrivateKey.generate()
            let bytes = try key.bytes()
            #expect(bytes.array.first != 0 && bytes.count <= 32)
            let again = try PrivateKey(bigEndian: bytes)
            #expect(again.publicKey.uncompressed == key.publicKey.uncompressed)
        }
    }

    @Test func importRefusesWhatIsNoKey() {
        for bytes in [
            [], [0], [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 64), order, [0] + order,
            [UInt8](repeating: 0xFF, count: 32), [1] + [UInt8](repeating: 0, count: 32),
            [UInt8](repeating: 0xFF, count: 33), [UInt8](repeating: 1, count: 64),
            [UInt8](repeating: 0, count: 64) + [1], pattern(1 << 20),
        ] {
            #expect(reason { () throws(CryptoError) in try PrivateKey(bigEndian: bytes) } == .invalidKey)
        }
    }

    @Test func sharedSecretHasAlwaysThirtyTwoBytes() throws {
        // Secrets with a leading zero byte come up once in 256.
        let peer = try PrivateKey(bigEndian: pattern(31) + [7])
        var withZero = 0
        for scalar in 1...2000 as ClosedRange<UInt16> where withZero < 2 {
            let key = try PrivateKey(bigEndian: [UInt8(scalar >> 8), UInt8(scalar & 255)])
            let secret = try key.sharedSecret(with: peer.publicKey)
            #expect(secret.count == 32)
            if secret.array[0] == 0 {
                withZero += 1
                #expect(try peer.sharedSecret(with: key.publicKey).isEqual(to: secret))
            }
        }
        #expect(withZero == 2)
        // 1·Q is Q.
        let identity = try PrivateKey(bigEndian: [1]).sharedSecret(with: peer.publicKey)
        #expect(identity.array == [UInt8](peer.publicKey.compressed.dropFirst()))
    }

    @Test func thePublicKeyOutlivesThePrivateOne() throws {
        var key: PrivateKey? = try PrivateKey.generate()
        let signature = try #require(try key?.signDER("data"))
        let publicKey = try #require(key?.publicKey)
        key = nil
        #expect(try publicKey.verify(der: signature, data: "data"))
    }

    @Test func generatedKeysDiffer() throws {
        let keys = try (0..<100).map { _ in try PrivateKey.generate().publicKey.compressed }
        #expect(Set(keys).count == 100)
    }
}

@Suite struct SignatureTests {
    @Test func everyLengthOfData() throws {
        let key = try PrivateKey.generate()
        for length in [0, 1, 31, 32, 33, 64, 1000, 1 << 20] {
            let data = pattern(length)
            let der = try key.signDER(data)
            let jose = try key.signJOSE(data)
            #expect((8...72).contains(der.count) && jose.count == 64)
            #expect(try key.publicKey.verify(der: der, data: data))
            #expect(try key.publicKey.verify(jose: jose, data: data))
            #expect(try !key.publicKey.verify(der: der, data: data + [0]))
            #expect(try !key.publicKey.verify(jose: jose, data: data + [0]))
        }
    }

    @Test func everyChangedBitIsNoticed() throws {
        let key = try PrivateKey.generate()
        let jose = try key.signJOSE("data")
        for index in jose.indices {
            var wrong = jose
            wrong[index] ^= 0x80
            #expect(try !key.publicKey.verify(jose: wrong, data: "data"))
        }
        let der = try key.signDER("data")
        for index in der.indices {
            for bit in 0..<8 {
                var wrong = der
                wrong[index] ^= 1 << bit
                #expect(try !key.publicKey.verify(der: wrong, data: "data"))
            }
        }
    }

    @Test func malformedJOSE() throws {
        let key = try PrivateKey.generate()
        let jose = try key.signJOSE("data")
        let (r, s) = ([UInt8](jose[..<32]), [UInt8](jose[32...]))
        let zero = [UInt8](repeating: 0, count: 32)
        var malformed: [[UInt8]] = [[], [0], [UInt8](jose.dropLast()), jose + [0], [0] + jose]
        malformed += [zero + zero, r + zero, zero + s, order + s, r + order, s + r]
        malformed += [[UInt8](repeating: 0xFF, count: 64), pattern(1 << 20), try key.signDER("data")]
        for wrong in malformed {
            #expect(try !key.publicKey.verify(jose: wrong, data: "data"))
        }
    }

    @Test func malformedDER() throws {
        let key = try PrivateKey.generate()
        // Small numbers make every encoding easy to write; none of them is a signature, and none may be an error.
        var malformed: [[UInt8]] = [
            [], [0x30], [0x30, 0x00], [0x30, 0x80, 0, 0], [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01],
            [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01], [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00],
            [0x30, 0x03, 0x02, 0x01, 0x01], [0x31, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01],
            [0x30, 0x82, 0xFF, 0xFF, 0x02], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x30, 0x88] + [UInt8](repeating: 0xFF, count: 8),
            [UInt8](repeating: 0x30, count: 72), [UInt8](repeating: 0xFF, count: 72), pattern(72), pattern(1 << 20),
        ]
        for length in 0..<72 { malformed.append([UInt8](repeating: 0, count: length)) }
        // A true signature in a form that is not its one DER form.
        let der = try key.signDER("data")
        let content = der[2...]
        let long: [UInt8] = [0x30, 0x81, der[1]] + content
        let longer: [UInt8] = [0x30, 0x82, 0x00, der[1]] + content
        let indefinite: [UInt8] = [0x30, 0x80] + content + [0, 0]
        malformed += [long, longer, indefinite, der + [0], [UInt8](der.dropLast()), try key.signJOSE("data")]
        let rLength = Int(der[3])
        let (r, s) = (der[4..<4 + rLength], der[(6 + rLength)...])
        func sequence(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
            let inner = [0x02, UInt8(first.count)] + first + [0x02, UInt8(second.count)] + second
            return [0x30, UInt8(inner.count)] + inner
        }
        #expect(try key.publicKey.verify(der: sequence([UInt8](r), [UInt8](s)), data: "data"))
        let (first, second) = ([UInt8](r), [UInt8](s))
        malformed += [
            sequence([0] + first, second), sequence(first, [0] + second), sequence([], second), sequence(first, []),
            sequence(second, first), sequence([UInt8](repeating: 0x80, count: 32), second),
        ]
        if r.first == 0 { malformed.append(sequence([UInt8](r.dropFirst()), second)) }
        for signature in malformed {
            #expect(try !key.publicKey.verify(der: signature, data: "data"))
        }
        #expect(try key.publicKey.verify(der: der, data: "data"))
    }

    @Test func foreignKey() throws {
        let (one, two) = (try PrivateKey.generate(), try PrivateKey.generate())
        #expect(try !two.publicKey.verify(der: one.signDER("data"), data: "data"))
        #expect(try !two.publicKey.verify(jose: one.signJOSE("data"), data: "data"))
    }

    @Test func joseAndDERAreTheSameNumbers() throws {
        let key = try PrivateKey.generate()
        for _ in 0..<600 {
            // Enough runs for numbers that are shorter than 32 bytes.
            let jose = try key.signJOSE("data")
            func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
                var minimal = [UInt8](bytes.drop { $0 == 0 })
                if minimal.first.map({ $0 >= 0x80 }) ?? true { minimal.insert(0, at: 0) }
                return [0x02, UInt8(minimal.count)] + minimal
            }
            let inner = integer(jose[..<32]) + integer(jose[32...])
            #expect(try key.publicKey.verify(der: [0x30, UInt8(inner.count)] + inner, data: "data"))
        }
    }
}
