import Foundation

/// The exchanges that were recorded in front of released servers (Tests/vectors/released; INDEX.md there tells what they
/// hold). Each family is replayed by one test, which sees all its files.
public enum Recordings {
    /// Files whose names begin alike.
    public struct Family: Hashable, Sendable {
        /// How the family is called here.
        public let name: String
        /// What their names begin with.
        public let prefix: String
        /// How many there are.
        public let count: Int

        public static let activationCreate = Family(name: "activationCreate", prefix: "activation-create-", count: 3)
        public static let keyStore = Family(name: "keyStore", prefix: "keystore-", count: 2)
        public static let offline = Family(name: "offline", prefix: "offline-", count: 5)
        public static let oidcConfig = Family(name: "oidcConfig", prefix: "oidc-config", count: 1)
        public static let recoveryActivation = Family(
            name: "recoveryActivation", prefix: "recovery-activation-", count: 2)
        public static let recoveryWrongPUK = Family(name: "recoveryWrongPUK", prefix: "recovery-wrong-puk-", count: 3)
        public static let signature = Family(name: "signature", prefix: "signature-", count: 13)
        public static let status = Family(name: "status", prefix: "status-", count: 13)
        public static let token = Family(name: "token", prefix: "token-", count: 3)
        public static let userInfo = Family(name: "userInfo", prefix: "user-info-", count: 2)
        public static let vaultUnlock = Family(name: "vaultUnlock", prefix: "vault-unlock-", count: 2)
        /// Single exchanges without secrets.
        public static let plain = Family(name: "plain", prefix: "x-", count: 58)
        /// Tables of what was measured.
        public static let facts = Family(name: "facts", prefix: "fact-", count: 12)

        public static let all: [Family] = [
            activationCreate, keyStore, offline, oidcConfig, recoveryActivation, recoveryWrongPUK, signature, status,
            token, userInfo, vaultUnlock, plain, facts,
        ]
    }

    /// A family does not have as many files as it should.
    public struct WrongCount: Error {
        public let prefix: String
        public let found: [String]
    }

    /// An HTTP exchange as it went over the wire, less the headers of the connection.
    public struct Exchange: Decodable, Sendable {
        public let method: String
        /// From the server's root.
        public let path: String
        public let requestHeaders: [String: String]
        public let requestBody: String
        public let status: Int
        public let answerHeaders: [String: String]
        public let answer: String

        /// A header of the request, whatever the case of its name.
        public func header(_ name: String) -> String? {
            requestHeaders.first { $0.key.lowercased() == name.lowercased() }?.value
        }

        /// The attributes of a PowerAuth header of the request: `PowerAuth name="value", …`.
        public func attributes(_ name: String) -> [String: String] {
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
    public struct Application: Decodable, Sendable {
        public let applicationKey: String
        public let applicationSecret: String
        public let sdkConfiguration: String
        public let masterPrivateKey: String
        public let masterPublicKey: String
    }

    public static let directory = Vectors.directory.appendingPathComponent("released")

    /// The names of all files without `.json`, in order.
    public static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }.sorted()
    }

    /// The names of a family.
    public static func names(of family: Family) throws -> [String] {
        let names = try names().filter { $0.hasPrefix(family.prefix) }
        guard names.count == family.count else { throw WrongCount(prefix: family.prefix, found: names) }
        return names
    }

    public static func load<T: Decodable>(_ name: String, as type: T.Type) throws -> T {
        try Vectors.load("released/" + name, as: type)
    }

    /// Runs a test on each file of a family and prints how many there were.
    public static func each<T: Decodable>(
        _ family: Family, as type: T.Type, _ test: (_ name: String, _ recording: T) throws -> Void
    ) throws {
        let names = try names(of: family)
        for name in names { try test(name, try load(name, as: type)) }
        Vectors.ran("released/" + family.prefix + "*", names.count)
    }
}
