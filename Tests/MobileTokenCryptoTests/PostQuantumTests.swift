import MobileTokenCrypto
import TestSupport
import Testing

/// Whether this OpenSSL has the algorithms; says so when it has not.
let hasPostQuantum: Bool = {
    guard MLKEM.mlkem768.isAvailable else {
        print("not run: this OpenSSL has no ML-KEM and ML-DSA (3.5 has)")
        return false
    }
    return true
}()

@Suite struct PostQuantumTests {
    struct Ciphertexts: Decodable {
        struct Case: Decodable {
            struct Input: Decodable { let seed, ciphertext: String }
            struct Expect: Decodable { let secret: String }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    struct Signatures: Decodable {
        struct Case: Decodable {
            struct Input: Decodable { let algorithm, publicKey, message, signature: String }
            struct Expect: Decodable { let valid: Bool }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test(.enabled(if: !hasPostQuantum)) func missingAlgorithmsAreNamed() {
        for kem in [MLKEM.mlkem768, .mlkem1024] {
            #expect(!kem.isAvailable)
            #expect(
                reason { () throws(CryptoError) in _ = try kem.keyPair(seed: SecureBytes(count: 64)) } == .unavailable)
            #expect(
                reason { () throws(CryptoError) in try kem.encapsulate(to: pattern(kem.publicKeyLength)) }
                    == .unavailable)
        }
        for dsa in [MLDSA.mldsa65, .mldsa87] {
            #expect(!dsa.isAvailable)
            #expect(
                reason { () throws(CryptoError) in try dsa.sign("x", seed: SecureBytes(count: 32)) } == .unavailable)
            #expect(
                reason { () throws(CryptoError) in
                    try dsa.verify(
                        pattern(dsa.signatureLength), data: "x", publicKey: pattern(dsa.publicKeyLength))
                } == .unavailable)
        }
        #expect(drainErrorQueue().isEmpty)
    }

    @Test(.enabled(if: hasPostQuantum)) func decapsulationVectors() throws {
        let file = try Vectors.load("powerauth4-mlkem768-decapsulate", as: Ciphertexts.self)
        for row in file.cases {
            #expect(
                try MLKEM.mlkem768.keyPair(seed: SecureBytes([UInt8](base64: row.input.seed)))
                    .decapsulate([UInt8](base64: row.input.ciphertext)).array == [UInt8](base64: row.expect.secret))
        }
        Vectors.ran("powerauth4-mlkem768-decapsulate", file.cases.count)
    }

    /// What Python's `cryptography` makes of the same seeds, and of ciphertexts that nobody made: each gives the secret that
    /// FIPS 203 has for such a one.
    @Test(.enabled(if: hasPostQuantum)) func knownAnswers() throws {
        for (kem, publicKey, secret) in [
            (
                MLKEM.mlkem768, "a24e16d8f8f9383a95b77050f4d9fd2f5733eec1d63ef3c23ebf9918173669a7",
                "40836b47c11eca445d775d88f44c49f26fa7982f83987eee501f01f5a52eacd3"
            ),
            (
                .mlkem1024, "61349e5c131a7e116a0463861d7d18663c5627c38c7147ddaadfd48acd7a4535",
                "62705ed6242a0619d1d9d626e0778456f25e96972680a1c60f46e84338c38391"
            ),
        ] {
            let pair = try kem.keyPair(seed: SecureBytes(pattern(64)))
            #expect(try SHA3.hash(pair.publicKey) == [UInt8](hex: publicKey))
            #expect(try pair.decapsulate(pattern(kem.ciphertextLength)).array == [UInt8](hex: secret))
        }
        for (dsa, publicKey) in [
            (MLDSA.mldsa65, "1800725067e388d837d911fe4f66101cc1961b1bb755030dc574272cfb00013f"),
            (.mldsa87, "e6cf50a9c2fa5234f59949ff61f8161db4d629532127f4aefa8bb10811ecfb1e"),
        ] {
            #expect(try SHA3.hash(dsa.publicKey(seed: SecureBytes(pattern(32)))) == [UInt8](hex: publicKey))
        }
    }

    /// Signatures of another library: those that are right, and each of them changed in one way.
    @Test(.enabled(if: hasPostQuantum)) func signatureVectors() throws {
        let file = try Vectors.load("mldsa-signatures", as: Signatures.self)
        for row in file.cases {
            let dsa: MLDSA = row.input.algorithm == "ML-DSA-65" ? .mldsa65 : .mldsa87
            let other: MLDSA = dsa == .mldsa65 ? .mldsa87 : .mldsa65
            let (publicKey, message) = ([UInt8](base64: row.input.publicKey), [UInt8](base64: row.input.message))
            let signature = [UInt8](base64: row.input.signature)
            try #require(signature.count == dsa.signatureLength && publicKey.count == dsa.publicKeyLength)
            #expect(try dsa.verify(signature, data: message, publicKey: publicKey) == row.expect.valid)
            let wrongMessages: [[UInt8]] = [[], message.dropLast(), message + [0], message.reversed()]
            for wrong in wrongMessages {
                #expect(try !dsa.verify(signature, data: wrong, publicKey: publicKey))
            }
            // The first byte is of the hash, the next of the vectors, the last of the hints.
            for place in [0, signature.count / 2, signature.count - 1] {
                var altered = signature
                altered[place] ^= 1
                #expect(try !dsa.verify(altered, data: message, publicKey: publicKey))
            }
            let wrongLengths: [[UInt8]] = [
                [], signature.dropLast(), signature + [0], [UInt8](repeating: 0, count: signature.count),
                [UInt8](base64: file.cases.first { $0.input.algorithm != row.input.algorithm }?.input.signature ?? ""),
            ]
            for wrong in wrongLengths {
                #expect(try !dsa.verify(wrong, data: message, publicKey: publicKey))
            }
            let otherLevel = reason { () throws(CryptoError) in
                try other.verify(signature, data: message, publicKey: publicKey)
            }
            #expect(otherLevel == .invalidKey)
        }
        #expect(file.cases.filter(\.expect.valid).count == 2 && file.cases.count == 4)
        #expect(drainErrorQueue().isEmpty)
        Vectors.ran("mldsa-signatures", file.cases.count)
    }

    @Test(.enabled(if: hasPostQuantum), arguments: [MLKEM.mlkem768, .mlkem1024])
    func encapsulation(kem: MLKEM) throws {
        let seed = try RandomSource().secureBytes(MLKEM.seedLength)
        let pair = try kem.keyPair(seed: seed)
        let publicKey = pair.publicKey
        #expect(try publicKey.count == kem.publicKeyLength && kem.keyPair(seed: seed).publicKey == publicKey)
        let (ciphertext, secret) = try kem.encapsulate(to: publicKey)
        #expect(ciphertext.count == kem.ciphertextLength && !secret.isAllZero)
        #expect(try pair.decapsulate(ciphertext).isEqual(to: secret))
        #expect(try pair.decapsulate(ciphertext).isEqual(to: secret))
        // Another secret, not an error.
        var altered = ciphertext
        altered[7] ^= 1
        #expect(try !pair.decapsulate(altered).isEqual(to: secret))
        let cut: [[UInt8]] = [[], [UInt8](ciphertext.dropLast()), ciphertext + [0]]
        for wrong in cut {
            #expect(reason { () throws(CryptoError) in try pair.decapsulate(wrong) } == .invalidLength)
        }
        #expect(
            reason { () throws(CryptoError) in _ = try kem.keyPair(seed: SecureBytes(count: 63)) } == .invalidKey)
        // A coefficient that is not below q.
        let bad: [[UInt8]] = [[], [UInt8](publicKey.dropLast()), [0xFF, 0xFF] + publicKey.dropFirst(2)]
        for wrong in bad {
            #expect(reason { () throws(CryptoError) in try kem.encapsulate(to: wrong) } == .invalidKey)
        }
        #expect(drainErrorQueue().isEmpty)
    }

    @Test(.enabled(if: hasPostQuantum), arguments: [MLDSA.mldsa65, .mldsa87])
    func signatures(dsa: MLDSA) throws {
        let seed = try RandomSource().secureBytes(MLDSA.seedLength)
        let publicKey = try dsa.publicKey(seed: seed)
        #expect(try publicKey.count == dsa.publicKeyLength && dsa.publicKey(seed: seed) == publicKey)
        for count in [0, 1, 5000] {
            let data = pattern(count)
            let signature = try dsa.sign(data, seed: seed)
            #expect(signature.count == dsa.signatureLength)
            #expect(try dsa.verify(signature, data: data, publicKey: publicKey))
            #expect(try !dsa.verify(signature, data: data + [0], publicKey: publicKey))
            var altered = signature
            altered[count % signature.count] ^= 0x80
            #expect(try !dsa.verify(altered, data: data, publicKey: publicKey))
            #expect(try !dsa.verify(signature.dropLast(), data: data, publicKey: publicKey))
            #expect(try !dsa.verify(signature + [0], data: data, publicKey: publicKey))
        }
        let other = try dsa.publicKey(seed: RandomSource().secureBytes(MLDSA.seedLength))
        #expect(try !dsa.verify(dsa.sign("x", seed: seed), data: "x", publicKey: other))
        #expect(
            reason { () throws(CryptoError) in
                try dsa.verify(pattern(dsa.signatureLength), data: "x", publicKey: publicKey.dropLast())
            } == .invalidKey)
        #expect(
            reason { () throws(CryptoError) in try dsa.sign("x", seed: SecureBytes(count: 48)) } == .invalidKey)
        #expect(drainErrorQueue().isEmpty)
    }
}
