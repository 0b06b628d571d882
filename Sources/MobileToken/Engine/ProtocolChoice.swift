// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON
import PowerAuth

extension ClientOptions {
    /// The version of what is not 4.0.
    var legacyVersion: ProtocolVersion {
        guard let version, version != .v40 else { return .default }
        return version
    }

    /// The suites that a new activation may have, the preferred one first: only hybrid ones where the configuration has
    /// the keys of one and the host has not allowed less.
    private var candidates: [V4.Suite] {
        if let suite { return [suite.inProtocol] }
        let known = configuration.suites
        let preferred = [V4.Suite.p384ML3, .p384ML5, .p384].filter { suite in known.contains(where: { $0 == suite }) }
        switch leastSuite {
        case .p256?: return preferred
        case .suite(let least)?: return preferred.filter { Suite($0).rawValue >= least.rawValue }
        case nil: return hasHybridKeys ? preferred.filter { $0.isHybrid } : preferred
        }
    }

    private var hasHybridKeys: Bool { configuration.suites.contains(where: { $0.isHybrid }) }

    /// Whether a server that does not have 4.0 leads to protocol 3.
    private var fallsToLegacy: Bool {
        switch leastSuite {
        case .p256?: true
        case .suite?: false
        case nil: suite == nil && !hasHybridKeys
        }
    }

    /// The choice for a new activation, as far as it is known before asking the server.
    var choice: Session.Choice {
        if let version, version != .v40 { return .legacy }
        guard let best = candidates.first else { return .legacy }
        if version == .v40 { return .suite(best) }
        // A host that has chosen a suite has chosen 4.0.
        return suite == nil ? .undecided : .suite(best)
    }

    /// The suite of an upgrade, before the server was asked.
    func upgradeSuite() throws(Failure) -> V4.Suite {
        guard let best = candidates.first else {
            throw Failure(
                .configuration, Reason.invalidConfiguration,
                "The configuration has no keys of protocol 4.0. Ask the bank for one with a P-384 key.")
        }
        return best
    }

    /// The suite of an upgrade among those that the server offers.
    func upgradeSuite(offered: JSONValue?) throws(Failure) -> V4.Suite {
        guard case .suite(let suite) = try choice(offered: offered) else { throw Self.notOffered }
        return suite
    }

    private static func names(_ offered: JSONValue?) throws(Failure) -> [[UInt8]] {
        guard let list = offered?["supportedAlgorithms"], list.kind == .array else {
            throw Call.unreadable("The server's response does not list its algorithms.")
        }
        var names: [[UInt8]] = []
        for index in 0..<list.count { if let text = list[index]?.text { names.append(text.bytes) } }
        return names
    }

    fileprivate static var notOffered: Failure {
        Failure(
            .unsupported, Reason.unsupportedSuite,
            "The server offers no suite that the configuration is for. Nothing weaker is used unless "
                + "mtoken_client_options.least_suite allows it.",
            outcome: .answered)
    }

    /// Refuses what no activation can have.
    package func checkProtocol() throws(Failure) {
        if let suite {
            guard version == nil || version == .v40 else { throw .argument("suite needs protocol version 4.0.") }
            guard configuration.suites.contains(where: { $0 == suite.inProtocol }) else {
                throw Failure(
                    .configuration, Reason.invalidConfiguration,
                    filled("The configuration has no keys of the suite %.", suite.inProtocol.name.description))
            }
        }
        try checkLeastSuite()
        if version == .v40 { _ = try upgradeSuite() }
        guard choice != .legacy || configuration.legacyMasterKey != nil else {
            throw Failure(
                .configuration, Reason.invalidConfiguration,
                "The configuration has no P-256 key, which protocol 3 needs.")
        }
    }

    private func checkLeastSuite() throws(Failure) {
        guard case .suite(let least)? = leastSuite else { return }
        guard version == nil || version == .v40 else { throw .argument("least_suite needs protocol version 4.0.") }
        guard !candidates.isEmpty, suite.map({ $0.rawValue >= least.rawValue }) ?? true else {
            throw Failure(
                .configuration, Reason.invalidConfiguration,
                filled(
                    "Neither suite nor the configuration's keys reach least_suite, %.",
                    least.inProtocol.name.description))
        }
    }

    /// The choice if the server itself reports that it lacks the endpoint: a gateway's page does not count.
    fileprivate func choice(refused failure: Failure) throws(Failure) -> Session.Choice? {
        guard failure.httpStatus == 404, failure.serverCode?.byBytes == "ERROR_NOT_FOUND" else { return nil }
        guard fallsToLegacy else { throw Self.notOffered }
        return .legacy
    }

    /// The choice among what the server offers (powerauth4.md §1).
    ///
    /// - Parameter offered: the answer of `/pa/v4/status`.
    /// - Throws: `unsupported` when none of the suites is offered: nothing lesser is taken in its place.
    fileprivate func choice(offered: JSONValue?) throws(Failure) -> Session.Choice {
        let names = try Self.names(offered)
        for suite in candidates where names.contains(where: { V4.Suite(name: $0) == suite }) { return .suite(suite) }
        let onlyLegacy = names.allSatisfy { name in
            isText(name, "EC_P256") || isText(name, "LEGACY_P256")
        }
        if onlyLegacy, !names.isEmpty, case .p256? = leastSuite { return .legacy }
        throw Self.notOffered
    }
}

private func isText(_ name: [UInt8], _ text: StaticString) -> Bool {
    text.withUTF8Buffer { $0.elementsEqual(name) }
}

extension Activation {
    /// Decides the protocol of a new activation. Under the lock.
    func decide(_ choice: Session.Choice) throws(Failure) {
        if case .legacy = choice, options.configuration.legacyMasterKey == nil {
            throw Failure(
                .unsupported, Reason.unsupportedProtocol,
                "The server knows protocol 3 only, and the configuration has no key of it.", outcome: .answered)
        }
        log(.info, choice == .legacy ? "a new activation uses protocol 3" : "a new activation uses protocol 4.0")
        try Failure.converting { () throws(PowerAuthError) in try session.decide(choice) }
    }

    /// Decides it by what the server offers. Under the lock.
    func decide(offered: JSONValue?) throws(Failure) { try decide(try options.choice(offered: offered)) }

    /// Decides it where the server refuses to say what it offers. Under the lock.
    ///
    /// - Returns: whether it is decided.
    func decide(refused failure: Failure) throws(Failure) -> Bool {
        guard let choice = try options.choice(refused: failure) else { return false }
        try decide(choice)
        return true
    }
}
