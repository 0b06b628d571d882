// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenHTTP

/// The name that a request has in the logs of both sides (rest.md §1): `X-Correlation-ID`.
package enum CorrelationID {
    static let header = "X-Correlation-ID"

    /// Checks one of the host's own: 8 to 1024 letters, digits and hyphens.
    package static func check(_ id: String) throws(Failure) -> String {
        let isValid = id.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
            default: false
            }
        }
        guard isValid, (8...1024).contains(id.utf8.count) else {
            throw .argument("A correlation id must be 8 to 1024 letters, digits and hyphens.")
        }
        return id
    }

    /// A random UUID; nil if no random bytes can be had.
    static func make(_ random: RandomSource) -> String? {
        guard var bytes = try? random.bytes(16) else { return nil }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits: StaticString = "0123456789abcdef"
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digits.utf8Start[Int(byte >> 4)])
            text.append(digits.utf8Start[Int(byte & 15)])
        }
        return String(utf8: text)
    }

    /// The one of a request; nil: it has none.
    static func of(_ request: HTTPRequest) -> String? {
        request.headers.first { ExtraHeaders.isSame($0.name, header) }?.value
    }
}
