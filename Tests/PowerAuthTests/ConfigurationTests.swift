import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct ConfigurationTests {
    struct File: Decodable {
        struct Decoded: Decodable {
            let config: String
            let applicationKey: String
            let applicationSecret: String
            let masterServerPublicKey: String
        }
        struct Case: Decodable {
            let name: String
            let config: String
        }
        struct Counts: Decodable {
            let values: [Int]
            let serialized: String
        }
        let decoded: [Decoded]
        let valid: [Case]
        let invalid: [Case]
        let countCoding: [Counts]
    }

    @Test func vectors() throws {
        let file = try Vectors.load("powerauth-sdk-config", as: File.self)
        for row in file.decoded {
            let configuration = try Configuration(sdkConfiguration: row.config)
            #expect(configuration.applicationKey.text == row.applicationKey)
            #expect(configuration.applicationSecret.text == row.applicationSecret)
            #expect(try configuration.masterPublicKey.uncompressed == [UInt8](base64: row.masterServerPublicKey))
        }
        // The keys in these samples are random bytes, not points, so only the format is judged; a configuration is not
        // made of them.
        for row in file.valid {
            #expect([UInt8](base64: row.config).withBytes { Configuration.Fields($0) } != nil, "\(row.name)")
            #expect(failure { try Configuration(sdkConfiguration: row.config) } == .invalidConfiguration, "\(row.name)")
        }
        for row in file.invalid {
            #expect(failure { try Configuration(sdkConfiguration: row.config) } == .invalidConfiguration, "\(row.name)")
        }
        var counts = 0
        for row in file.countCoding {
            var written: [UInt8] = []
            for value in row.values where !written.appendVariableCount(value) { Issue.record("\(value)") }
            #expect(written == [UInt8](base64: row.serialized))
            written.withBytes { bytes in
                var reader = ByteReader(bytes)
                for value in row.values {
                    let read = reader.variableCount()
                    #expect(read == value)
                }
                #expect(reader.remaining == 0)
            }
            counts += row.values.count
        }
        Vectors.ran("powerauth-sdk-config", file.decoded.count + file.valid.count + file.invalid.count + counts)
    }

    /// The text of a configuration with this content.
    private func text(_ content: [UInt8]) -> String { Base64.encode(content) }

    @Test func wholeConfiguration() throws {
        let random = RandomSource()
        let (key, secret) = (try random.bytes(16), try random.bytes(16))
        let point = try PrivateKey.generate().publicKey
        for encoded in [point.uncompressed, point.compressed] {
            // A key of an unknown kind before it, bytes after it.
            let content =
                [1, 16] + key + [16] + secret + [2, 7, 3, 1, 2, 3, 1, UInt8(encoded.count)] + encoded + [9, 9]
            let configuration = try Configuration(sdkConfiguration: text(content))
            #expect(configuration.applicationKey.text == key.base64)
            #expect(configuration.applicationSecret.text == secret.base64)
            #expect(configuration.applicationSecretBytes == secret)
            #expect(try configuration.masterPublicKey.compressed == point.compressed)
            #expect(configuration.applicationSharedInfo2 == (try SHA256.hash(secret.base64)))
        }
    }

    @Test func everyTruncationAndFlipIsHandled() throws {
        let point = try PrivateKey.generate().publicKey.uncompressed
        let content = [1, 16] + [UInt8](1...16) + [16] + [UInt8](1...16) + [1, 1, 65] + point
        for length in 0..<content.count {
            #expect(
                failure { try Configuration(sdkConfiguration: text([UInt8](content[..<length]))) }
                    == .invalidConfiguration)
        }
        for index in 0..<content.count {
            for bit in 0..<8 {
                var changed = content
                changed[index] ^= 1 << UInt8(bit)
                // Key and secret may be anything; all else must fit.
                let isFree = (2..<18).contains(index) || (19..<35).contains(index)
                #expect((failure { try Configuration(sdkConfiguration: text(changed)) } == nil) == isFree, "\(index)")
            }
        }
        #expect(failure { try Configuration(sdkConfiguration: "") } == .invalidConfiguration)
        #expect(failure { try Configuration(sdkConfiguration: "AR*") } == .invalidConfiguration)
        // The same kind of key twice.
        #expect(
            failure {
                try Configuration(
                    sdkConfiguration: text([UInt8](content[..<35]) + [2, 1, 65] + point + [1, 65] + point))
            }
                == .invalidConfiguration)
        // More keys announced than there are.
        #expect(
            failure {
                try Configuration(
                    sdkConfiguration: text([UInt8](content[..<35]) + [0xFF, 0xFF, 0xFF, 0xFF, 1, 65] + point))
            }
                == .invalidConfiguration)
    }
}
