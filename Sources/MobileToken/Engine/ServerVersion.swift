// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// The version of the server's software, as far as behaviour depends on it: "1.9.0" → 1.9.
struct ServerVersion: Equatable, Sendable {
    let major: Int
    let minor: Int

    /// The services of push messages have other names before this one.
    static let namesPushServicesAnew = ServerVersion(major: 1, minor: 10)

    init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Reads the answer of `/pa/v3/status`; nil: it does not tell.
    init?(status content: JSONValue?) {
        guard let text = content?["application"]?["version"]?.text else { return nil }
        self.init(text.bytes)
    }

    /// Ignores everything after the first two numbers: "1.10.0-SNAPSHOT".
    init?(_ text: [UInt8]) {
        var numbers: [Int] = []
        for part in text.split(separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false).prefix(2) {
            guard (1...6).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            numbers.append(part.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        }
        guard numbers.count == 2 else { return nil }
        (major, minor) = (numbers[0], numbers[1])
    }

    static func < (one: ServerVersion, other: ServerVersion) -> Bool {
        (one.major, one.minor) < (other.major, other.minor)
    }
}
