import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct FingerprintTests {
    struct File: Decodable {
        struct Row: Decodable {
            let devicePublicKey: String
            let serverPublicKey: String
            let activationId: String
            let fingerprint: String
        }
        let vectors: [Row]
    }

    @Test func vectors() throws {
        let file = try Vectors.load("powerauth-fingerprint", as: File.self)
        for row in file.vectors {
            #expect(
                try ActivationFingerprint.compute(
                    deviceKey: PublicKey(point: [UInt8](base64: row.devicePublicKey)).compressed,
                    activationId: row.activationId,
                    serverKey: PublicKey(point: [UInt8](base64: row.serverPublicKey)).compressed) == row.fingerprint)
        }
        Vectors.ran("powerauth-fingerprint", file.vectors.count)
    }

    @Test func leadingZerosAreLeftOut() throws {
        // The same numbers, whatever the tag and however many zeros stand in front.
        let short: [UInt8] = [2] + [UInt8](repeating: 0, count: 30) + [1, 2]
        let other: [UInt8] = [3] + [UInt8](repeating: 0, count: 31) + [7]
        var data: [UInt8] = [1, 2]
        data.append("id" as StaticString)
        data.append(7)
        var digits: [UInt8] = []
        DecimalCode.append(try SHA256.hash(data), length: 8, to: &digits)
        #expect(
            try ActivationFingerprint.compute(deviceKey: short, activationId: "id", serverKey: other) == digits.text)
    }
}
