import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct TokenTests {
    struct File: Decodable {
        struct Row: Decodable {
            let version: String
            let tokenSecret: String
            let nonce: String
            let timestamp: String
            let tokenDigest: String
            let header: String
        }
        let vectors: [Row]
    }

    @Test func vectors() throws {
        let file = try Vectors.load("powerauth-token-digest", as: File.self)
        for row in file.vectors {
            let version = try #require(ProtocolVersion(text: row.version))
            let id = try #require(row.header.split(separator: "\"").dropFirst(3).first)
            let token = try #require(
                Token(
                    name: [1], id: [UInt8](id.utf8), factors: .possession, secret: SecureBytes(base64: row.tokenSecret))
            )
            let nonce = [UInt8](base64: row.nonce)
            let now = try #require(Int64(row.timestamp))
            let header = try nonce.withBytes { (nonce) throws(CryptoError) in
                try token.header(version: version, nonce: nonce, now: now)
            }
            #expect(header == row.header)
            #expect(header.contains("token_digest=\"" + row.tokenDigest + "\""))
        }
        Vectors.ran("powerauth-token-digest", file.vectors.count)
    }

    private static let id = "d5c01653-ce15-47bc-bf08-28477823efe7"
    private func answer(secret: [UInt8] = [UInt8](1...16)) -> SecureBytes {
        SecureBytes(copying: #"{"tokenId":"\#(Self.id)","tokenSecret":"\#(secret.base64)"}"#)
    }

    @Test func life() throws {
        let device = try ActivatedDevice()
        let session = device.session
        #expect(session.token(named: "list") == nil && session.tokenNames.isEmpty)
        try session.acceptToken(answer(), name: "list", factors: .possession)
        try session.acceptToken(answer(), name: "žeton", factors: .possessionKnowledge)
        #expect(session.tokenNames == ["list", "žeton"])
        #expect(session.token(named: "list") == TokenInfo(id: [UInt8](Self.id.utf8), factors: .possession))
        device.random.bytes = [[UInt8](1...16)]
        let header = try session.tokenHeader(named: "list", now: 1_712_441_065_705)
        #expect(device.random.draws == [.bytes(16)])
        var data = [UInt8](1...16)
        data.append("&1712441065705&3.3" as StaticString)
        let digest = try HMACSHA256.authenticate(data, key: [UInt8](1...16)).base64
        #expect(
            header
                == #"PowerAuth version="3.3", token_id="\#(Self.id)", token_digest="\#(digest)", nonce="\#([UInt8](1...16).base64)", timestamp="1712441065705""#
        )
        // Kept in the state, and independent of the signature counter.
        #expect(session.counterByte == 0)
        let restored = try ActivatedDevice.emptySession(device.server, device.random)
        try restored.restore(from: session.serialize())
        device.random.bytes = [[UInt8](1...16)]
        #expect(try restored.tokenHeader(named: "list", now: 1_712_441_065_705) == header)

        // The same name again replaces the token.
        try session.acceptToken(answer(secret: [UInt8](2...17)), name: "list", factors: .possessionBiometry)
        #expect(session.tokenNames == ["list", "žeton"])
        #expect(session.token(named: "list")?.factors == .possessionBiometry)
        try session.removeToken(named: "list")
        #expect(session.tokenNames == ["žeton"])
        #expect(failure { try session.removeToken(named: "list") } == .invalidToken)
        #expect(failure { try session.tokenHeader(named: "list", now: 1) } == .invalidToken)
        session.removeAllTokens()
        #expect(session.tokenNames.isEmpty)
    }

    @Test func refused() throws {
        let device = try ActivatedDevice()
        let session = device.session
        let before = session.stored
        for text in [
            "", "{}", "[]", #"{"tokenId":"\#(Self.id)"}"#, #"{"tokenSecret":"\#([UInt8](1...16).base64)"}"#,
            #"{"tokenId":"","tokenSecret":"\#([UInt8](1...16).base64)"}"#,
            #"{"tokenId":"a\"b","tokenSecret":"\#([UInt8](1...16).base64)"}"#,
            #"{"tokenId":5,"tokenSecret":"\#([UInt8](1...16).base64)"}"#,
            #"{"tokenId":"\#(Self.id)","tokenSecret":"\#([UInt8](1...15).base64)"}"#,
            #"{"tokenId":"\#(Self.id)","tokenSecret":"\#([UInt8](1...17).base64)"}"#,
            #"{"tokenId":"\#(Self.id)","tokenSecret":"x"}"#, #"{"tokenId":"\#(Self.id)","tokenSecret":null}"#,
            #"{"tokenId":"\#(Self.id)","tokenSecret":"\#([UInt8](1...16).base64)""#,
        ] {
            #expect(
                failure { try session.acceptToken(SecureBytes(copying: text), name: "a", factors: .possession) }
                    == .invalidToken, "\(text)")
        }
        for name in ["", String(repeating: "a", count: 256)] {
            #expect(failure { try session.acceptToken(answer(), name: name, factors: .possession) } == .wrongParameter)
        }
        for factors in [Factors(), Factors(rawValue: 6), Factors(rawValue: 8)] {
            #expect(failure { try session.acceptToken(answer(), name: "a", factors: factors) } == .wrongParameter)
        }
        #expect(session.stored == before)

        for index in 0..<Token.maximumCount {
            try session.acceptToken(answer(), name: "token \(index)", factors: .possession)
        }
        #expect(
            failure { try session.acceptToken(answer(), name: "one more", factors: .possession) } == .wrongParameter)
        try session.acceptToken(answer(), name: "token 7", factors: .possession)
        #expect(session.tokenNames.count == Token.maximumCount)
        let restored = try ActivatedDevice.emptySession(device.server, device.random)
        try restored.restore(from: session.serialize())
        #expect(restored.stored == session.stored)

        for now in [Int64(0), -1, .min] {
            #expect(failure { try session.tokenHeader(named: "token 1", now: now) } == .wrongParameter)
        }
        device.random.remaining = 0
        #expect(failure { try session.tokenHeader(named: "token 1", now: 1) } == .randomFailed)
        session.reset()
        #expect(session.tokenNames.isEmpty && session.token(named: "token 1") == nil)
        #expect(failure { try session.tokenHeader(named: "token 1", now: 1) } == .missingActivation)
        #expect(failure { try session.acceptToken(answer(), name: "a", factors: .possession) } == .missingActivation)
        #expect(failure { try session.removeToken(named: "a") } == .missingActivation)
        session.removeAllTokens()
    }
}
