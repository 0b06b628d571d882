// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenSystem
import PowerAuth

/// Tokens, which authenticate requests without a signature. May be used from any thread.
public struct Tokens: Sendable {
    let activation: Activation

    /// Makes sure that there is a token of this name.
    package func create(name: String, authentication: Authentication, task: CallTask) throws(Failure) {
        try NameLimits.check(token: name)
        let keys = try activation.signingKeys(authentication)
        let existing = activation.lock.glance { activation.session.token(named: name) }
        guard let existing else { return try activation.start(.createToken(name: name, keys: keys), task: task) }
        guard existing.factors == keys.factors else { throw Self.otherFactors }
        activation.complete(task, .success(.none))
    }

    /// The X-PowerAuth-Token header of a token.
    public func header(name: String) throws(Failure) -> String {
        try NameLimits.check(token: name)
        return try activation.lock.withLock { () throws(Failure) in
            try activation.require(.activated)
            try activation.requireFinished(signingWith: .possession)
            activation.checkClock()
            guard activation.time.isSynchronized else {
                throw .state("The server's time is not known yet. Synchronise it first.")
            }
            return try Failure.converting { () throws(PowerAuthError) in
                try activation.session.tokenHeader(named: name, now: activation.synchronizedNow)
            }
        }
    }

    /// The same with all that it needs: the token, a new one if the header given was refused, and the server's time.
    package func fetchHeader(
        name: String, authentication: Authentication, refused: String?, task: CallTask
    ) throws(Failure) {
        try NameLimits.check(token: name)
        let keys = try activation.signingKeys(authentication)
        var identifier: [UInt8]?
        if let refused {
            identifier = TokenInfo.identifier(inHeader: refused)
            guard identifier != nil else {
                throw .argument("refused_header must be the value of an X-PowerAuth-Token header.")
            }
        }
        try activation.lock.glance { () throws(Failure) in
            try activation.require(.activated)
            guard let existing = activation.session.token(named: name) else { return }
            guard existing.factors == keys.factors else { throw Self.otherFactors }
        }
        let factors = keys.factors
        // If it has changed meanwhile, another call was refused too and has replaced it.
        let access = Call.Access.token(name, keys: keys, refused: identifier)
        let work: Call.Work = { (activation) throws(Failure) in
            guard activation.session.token(named: name)?.factors == factors else { throw Self.otherFactors }
            return .tokenHeader(
                try Failure.converting { () throws(PowerAuthError) in
                    try activation.session.tokenHeader(named: name, now: activation.synchronizedNow)
                })
        }
        let call = Call.locally("token header", .local(work, access))
        try activation.start(call, task: task)
    }

    /// Whether a token of this name is kept. No network.
    public func isStored(name: String) -> Bool {
        activation.lock.glance { activation.session.token(named: name) != nil }
    }

    /// Removes a token at the server, then here.
    package func remove(name: String, task: CallTask) throws(Failure) {
        try NameLimits.check(token: name)
        let id = try activation.lock.glance { () throws(Failure) in
            try activation.require(.activated)
            return activation.session.token(named: name)?.id
        }
        guard let id else { throw Self.noToken }
        try activation.start(.removeToken(name: name, id: id), task: task)
    }

    /// Forgets a token, or all (nil), here only.
    public func forget(name: String?) throws(Failure) {
        if let name { try NameLimits.check(token: name) }
        try activation.lock.withLock { () throws(Failure) in
            try activation.require(.activated)
            if let name {
                guard activation.session.token(named: name) != nil else { throw Self.noToken }
                try activation.durably { (session) throws(PowerAuthError) in try session.removeToken(named: name) }
            } else {
                try activation.durably { (session) throws(PowerAuthError) in session.removeAllTokens() }
            }
        }
    }

    private static var otherFactors: Failure { .argument("A token with this name exists with other factors.") }

    private static var noToken: Failure { Failure(.notFound, Reason.invalidToken, "There is no token with this name.") }
}

extension Call {
    /// Removal of a token at the server, then here.
    static func removeToken(name: String, id: [UInt8]) -> Call {
        Call(
            name: "token removal", root: .powerAuth, path: "/pa/v3/token/remove",
            kind: .signed(by: .user("/pa/token/remove", .possession))
        ) { (_) throws(Failure) in
            requestObject { writer in
                writer.key("tokenId")
                writer.value(String(utf8: id))
            }
        } read: { (activation, _) throws(Failure) in
            // The token may be gone by now, or be another one of the same name: then there is nothing to remove.
            guard activation.session.token(named: name)?.id == id else { return .done(.none) }
            try activation.durably(answered: true) { (session) throws(PowerAuthError) in
                try session.removeToken(named: name)
            }
            return .done(.none)
        }
    }
}
