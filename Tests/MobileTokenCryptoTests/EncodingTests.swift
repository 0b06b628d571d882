import Foundation
import MobileTokenCrypto
import TestSupport
import Testing

@Suite struct Base64Tests {
    /// RFC 4648 §10.
    static let known: [(String, String)] = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test func known() {
        for (plain, text) in Base64Tests.known {
            #expect(Base64.encode(plain) == text)
            #expect(Base64.encodedBytes(plain) == [UInt8](text.utf8))
            #expect(Base64.decode(text) == [UInt8](plain.utf8))
            #expect(Base64.decodeSecure(text)?.array == [UInt8](plain.utf8))
            let bare = text.filter { $0 != "=" }
            #expect(Base64URL.encode(plain) == bare)
            #expect(Base64URL.decode(bare) == [UInt8](plain.utf8))
        }
    }

    @Test func everyByteAndEveryLengthAgainstFoundation() {
        let all = [UInt8](0...255) + [UInt8](0...255).reversed()
        for start in [0, 1, 2] {
            for length in 0...(all.count - start) {
                let bytes = [UInt8](all[start..<start + length])
                let text = Data(bytes).base64EncodedString()
                #expect(Base64.encode(bytes) == text)
                #expect(Base64.decode(text) == bytes)
                let url = text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
                    .replacingOccurrences(of: "=", with: "")
                #expect(Base64URL.encode(bytes) == url)
                #expect(Base64URL.encodedBytes(bytes) == [UInt8](url.utf8))
                #expect(Base64URL.decode(url) == bytes)
                #expect(Base64URL.decodeSecure(url)?.array == bytes)
            }
        }
    }

    @Test func large() {
        for length in [766, 767, 768, 769, 1535, 1536, 1 << 20, (1 << 20) + 1] {
            let bytes = pattern(length)
            let text = Base64.encodedBytes(bytes)
            #expect(text == [UInt8](Data(bytes).base64EncodedString().utf8))
            #expect(Base64.decode(text) == bytes)
            #expect(Base64.decodeSecure(text)?.isEqual(to: bytes) == true)
            var appended: [UInt8] = [1, 2, 3]
            Base64.append(bytes, to: &appended)
            #expect(appended == [1, 2, 3] + text)
            appended = []
            Base64URL.append(bytes, to: &appended)
            #expect(appended == Base64URL.encodedBytes(bytes))
        }
    }

    @Test func malformed() {
        let refused = [
            "=", "==", "===", "====", "A", "AA", "AAA", "A=", "A==", "A===", "AA=", "AAA", "AA=A", "A=AA", "=AAA",
            "AA==AAAA", "AAA=AAAA", "AAAA=", "AAAA==", "AAAA===", "AAAA====", "AA===", "AAA==", "AA==\n", "\nAA==",
            "AA\n==", "Zm9v\n", "Zm9v\r\n", " Zm9v", "Zm9v ", "Zm 9v", "Zm9v\t", "Zm9\u{0}", "Zm9v\u{0}", "Zm9-",
            "Zm9_", "-_-_", "Zm9.", "Zm9é", "Žm9v", "Zm9v====", "Z===", "Zg", "Zm8", "Zm9vYg", "Zm9vYg=",
            // Unused bits that are not zero.
            "Zh==", "Zk==", "Zo==", "Zx==", "Zn==", "Z/==", "Zm9=", "Zm+=", "Zm/=", "AB==", "AAB=", "//==", "///=",
            // Characters next to the ranges of the alphabet.
            "AAA@", "AAA[", "AAA`", "AAA{", "AAA,", "AAA:", "AAA.", "AAA*",
        ]
        for text in refused {
            #expect(Base64.decode(text) == nil, "\(text.debugDescription)")
            #expect(Base64.decodeSecure(text) == nil, "\(text.debugDescription)")
        }
        for byte in UInt8.min...UInt8.max {
            let inAlphabet =
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            for position in 0..<4 {
                var text = [UInt8]("AAAA".utf8)
                text[position] = byte
                let standard = inAlphabet || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
                let padding = position == 3 && byte == UInt8(ascii: "=")
                #expect((Base64.decode(text) != nil) == (standard || padding))
                let urlSafe = inAlphabet || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                #expect((Base64URL.decode(text) != nil) == urlSafe)
            }
        }
    }

    @Test func malformedURL() {
        for text in [
            "A", "AAAAA", "Zg==", "Zm8=", "=", "Zh", "Zk", "Z_", "Zm9", "Zm-", "Zm_", "Zm9v=", "Zm9v\n", "Zm9+", "Zm9/",
            "Zm 9", "Zg=", "ZgA=", "Zm9vZh",
        ] {
            #expect(Base64URL.decode(text) == nil, "\(text.debugDescription)")
            #expect(Base64URL.decodeSecure(text) == nil, "\(text.debugDescription)")
        }
    }

    /// Whatever decodes is the one text of its bytes.
    @Test func decodedTextIsCanonical() {
        let symbols = [UInt8]("ABQgwxyz0189+/-_=".utf8)
        for first in symbols {
            for second in symbols {
                for third in symbols {
                    for text in [[first, second], [first, second, third], [first, second, third, symbols[16]]] {
                        if let bytes = Base64.decode(text) { #expect(Base64.encodedBytes(bytes) == text) }
                        if let bytes = Base64URL.decode(text) { #expect(Base64URL.encodedBytes(bytes) == text) }
                    }
                }
            }
        }
    }
}

@Suite struct Base32Tests {
    @Test func known() {
        for (plain, text) in [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ] {
            #expect(Base32.encode(plain) == text)
            #expect(Base32.decode(text) == [UInt8](plain.utf8))
        }
    }

    @Test func everyLengthComesBack() {
        for length in 0..<300 {
            let bytes = pattern(length).reversed() as [UInt8]
            let text = Base32.encode(bytes)
            #expect(text.utf8.count == (length * 8 + 4) / 5)
            #expect(Base32.decode(text) == bytes)
        }
        let megabyte = pattern(1 << 20)
        #expect(Base32.decode(Base32.encode(megabyte)) == megabyte)
    }

    @Test func malformed() {
        for text in [
            "A", "AAA", "AAAAAA", "my", "mY", "MY======", "MY=", "M1", "M8", "M0", "M9", "MY ", " MY", "M-Y", "MZ",
            "M7",
            "MZXR", "MZXW7", "MZXW6YR", "MZXW6YTBO", "MZXW6YTBOJ", "MÝ", "M\u{0}",
        ] {
            #expect(Base32.decode(text) == nil, "\(text.debugDescription)")
        }
    }
}

@Suite struct CRC16Tests {
    struct CRCVectors: Decodable {
        struct Case: Decodable { let text, crc16: String }
        let crc16: [Case]
        let validActivationCodes: [String]
    }

    @Test func vectors() throws {
        let file = try Vectors.load("powerauth-activation-code", as: CRCVectors.self)
        for vector in file.crc16 {
            #expect(CRC16.checksum(vector.text) == UInt16(vector.crc16, radix: 16))
        }
        for code in file.validActivationCodes {
            let bytes = try #require(Base32.decode(code.filter { $0 != "-" }))
            #expect(bytes.count == 12)
            let expected = UInt16(bytes[10]) << 8 | UInt16(bytes[11])
            #expect(CRC16.checksum(bytes[..<10]) == expected)
        }
        Vectors.ran(
            "powerauth-activation-code (crc16, valid codes)", file.crc16.count + file.validActivationCodes.count)
    }

    @Test func checkValue() {
        #expect(CRC16.checksum("123456789") == 0xBB3D)
        #expect(CRC16.checksum([]) == 0)
        #expect(CRC16.checksum(pattern(1 << 20)) == CRC16.checksum(SecureBytes(copying: pattern(1 << 20))))
    }
}
