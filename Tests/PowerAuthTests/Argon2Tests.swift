import Foundation
import TestSupport
import Testing

/// The hashes under which servers keep PUKs and one-time passwords (powerauth.md §4.3). The library has none.
@Suite struct Argon2Tests {
    struct File: Decodable {
        struct Row: Decodable {
            let password: String
            let hash: String
        }
        let valid: [Row]
    }

    @Test func vectors() throws {
        let file = try Vectors.load("powerauth-argon2", as: File.self)
        for row in file.valid {
            // $kind$v=19$m=…,t=…,p=…$salt$hash
            let parts = row.hash.split(separator: "$").map(String.init)
            try #require(parts.count == 5 && parts[1] == "v=19")
            let numbers = parts[2].split(separator: ",").compactMap { Int($0.dropFirst(2)) }
            try #require(numbers.count == 3)
            let (salt, expected) = (try #require(bytes(parts[3])), try #require(bytes(parts[4])))
            let argon2 = Argon2(
                kind: parts[0] == "argon2id" ? .id : .i, passes: numbers[1], memory: numbers[0], lanes: numbers[2])
            let hash = argon2.hash(password: [UInt8](row.password.utf8), salt: salt, length: expected.count)
            #expect(hash == expected, "\(row.hash)")
        }
        Vectors.ran("powerauth-argon2", file.valid.count)
    }

    /// Base64 without padding.
    private func bytes(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)).map { [UInt8]($0) }
    }
}
