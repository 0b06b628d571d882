import Foundation

/// The exchanges that were recorded in front of released servers (Tests/vectors/released/INDEX.md tells what they
/// hold). Each family is replayed by one test, which sees all its files.
package enum Recordings {
    /// Files whose names begin alike.
    package struct Family: Hashable, Sendable {
        /// How the family is called here.
        package let name: String
        /// What their names begin with.
        package let prefix: String
        /// How many there are.
        package let count: Int

        package static let activationCreate = Family(name: "activationCreate", prefix: "activation-create-", count: 3)
        package static let keyStore = Family(name: "keyStore", prefix: "keystore-", count: 2)
        package static let offline = Family(name: "offline", prefix: "offline-", count: 5)
        package static let oidcConfig = Family(name: "oidcConfig", prefix: "oidc-config", count: 1)
        package static let recoveryActivation = Family(
            name: "recoveryActivation", prefix: "recovery-activation-", count: 2)
        package static let recoveryWrongPUK = Family(name: "recoveryWrongPUK", prefix: "recovery-wrong-puk-", count: 3)
        package static let signature = Family(name: "signature", prefix: "signature-", count: 13)
        package static let status = Family(name: "status", prefix: "status-", count: 13)
        package static let token = Family(name: "token", prefix: "token-", count: 3)
        package static let userInfo = Family(name: "userInfo", prefix: "user-info-", count: 2)
        package static let vaultUnlock = Family(name: "vaultUnlock", prefix: "vault-unlock-", count: 2)
        /// Single exchanges without secrets.
        package static let plain = Family(name: "plain", prefix: "x-", count: 58)
        /// Tables of what was measured.
        package static let facts = Family(name: "facts", prefix: "fact-", count: 12)

        package static let all: [Family] = [
            activationCreate, keyStore, offline, oidcConfig, recoveryActivation, recoveryWrongPUK, signature, status,
            token, userInfo, vaultUnlock, plain, facts,
        ]
    }

    /// A family does not have as many files as it should.
    package struct WrongCount: Error {
        package let prefix: String
        package let found: [String]
    }

    /// An HTTP exchange as it went over the wire, less the headers of the connection.
    package struct Exchange: Decodable, Sendable {
        package let method: String
        /// From the server's root.
        package let path: String
        package let requestHeaders: [String: String]
        package let requestBody: String
        package let status: Int
        package let answerHeaders: [String: String]
        package let answer: String

        /// A header of the request, whatever the case of its name.
        package func header(_ name: String) -> String? {
            requestHeaders.first { $0.key.lowercased() == name.lowercased() }?.value
        }

        /// The attributes of a PowerAuth header of the request: `PowerAuth name="value", …`.
        package func attributes(_ name: String) -> [String: String] {
            var attributes: [String: String] = [:]
            for part in (header(name) ?? "").dropFirst("PowerAuth ".count).components(separatedBy: ", ") {
                guard let equals = part.firstIndex(of: "=") else { continue }
                attributes[String(part[..<equals])] = part[part.index(after: equals)...]
                    .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            }
            return attributes
        }
    }

    /// The application that all recordings share.
    package struct Application: Decodable, Sendable {
        package let applicationKey: String
        package let applicationSecret: String
        package let sdkConfiguration: String
        package let masterPrivateKey: String
        package let masterPublicKey: String
    }

    package static let directory = Vectors.directory.appendingPathComponent("released")

    /// The names of all files without `.json`, in order.
    package static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }.sorted()
    }

    /// The names of a family.
    package static func names(of family: Family) throws -> [String] {
        let names = try names().filter { $0.hasPrefix(family.prefix) }
        guard names.count == family.count else { throw WrongCount(prefix: family.prefix, found: names) }
        return names
    }

    package static func load<T: Decodable>(_ name: String, as type: T.Type) throws -> T {
        try Vectors.load("released/" + name, as: type)
    }

    /// Runs a test on each file of a family and prints how many there were.
    package static func each<T: Decodable>(
        _ family: Family, as type: T.Type, _ test: (_ name: String, _ recording: T) throws -> Void
    ) throws {
        let names = try names(of: family)
        for name in names { try test(name, try load(name, as: type)) }
        Vectors.ran("released/" + family.prefix + "*", names.count)
    }
}
