import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// Signatures for requests that the host sends itself, tokens, and the server's signatures.
extension Client {
    /// The X-PowerAuth-Authorization header of a request. The advanced counter is stored before the header is returned.
    package func sign(
        method: HTTPMethod, uriId: some Bytes, body: some Bytes, authentication: Authentication
    ) throws(Failure) -> String {
        let keys = try signingKeys(authentication)
        return try lock.withLock { () throws(Failure) in
            try requireRoom(isSent: true, Reason.counterAtRisk, "Fetch the status, then sign again.")
            let header = try durably { (session) throws(PowerAuthError) in
                try session.sign(method: method, uriId: uriId, body: body, keys: keys)
            }
            lookIfDue()
            return header
        }
    }

    /// A decimal code for approval without a network.
    package func signOffline(
        uriId: some Bytes, body: some Bytes, nonce: some Bytes, authentication: Authentication, componentLength: Int
    ) throws(Failure) -> String {
        let keys = try signingKeys(authentication)
        return try lock.withLock { () throws(Failure) in
            try requireRoom(
                isSent: false, Reason.counterWindow,
                "Connect to the network and fetch the status: codes that nobody typed count too.")
            let code = try durably { (session) throws(PowerAuthError) in
                try session.signOffline(
                    uriId: uriId, body: body, nonce: nonce, keys: keys, componentLength: componentLength)
            }
            // How wide the window is can be learned while there is a network.
            if session.window == nil { lookIfDue() }
            return code
        }
    }

    /// Whether the server made this signature.
    package func verify(
        _ data: some Bytes, signature: some Bytes, format: SignatureFormat = .der, key: ServerKey
    ) throws(Failure) -> Bool {
        try lock.withLock { () throws(Failure) in
            if key == .personalized { try require(.activated) }
            return try Failure.converting { () throws(PowerAuthError) in
                try session.verifyServerSignature(data, signature: signature, format: format, key: key)
            }
        }
    }

    /// Makes sure that there is a token of this name.
    package func createToken(name: String, authentication: Authentication, task: CallTask) throws(Failure) {
        let keys = try signingKeys(authentication)
        let existing = lock.withLock { session.token(named: name) }
        guard let existing else { return try start(.createToken(name: name, keys: keys), task: task) }
        guard existing.factors == keys.factors else { throw Self.otherFactors }
        task.succeed(.none)
        runtime.emit(.task(task), client: self)
    }

    /// The X-PowerAuth-Token header of a token.
    package func tokenHeader(name: String) throws(Failure) -> String {
        try lock.withLock { () throws(Failure) in
            try require(.activated)
            checkClock()
            guard time.isSynchronized else {
                throw .state("The server's time is not known yet: synchronise it first.")
            }
            return try Failure.converting { () throws(PowerAuthError) in
                try session.tokenHeader(named: name, now: synchronizedNow)
            }
        }
    }

    /// The same with all that it needs: the token, a new one if the header given was refused, and the server's time.
    package func fetchTokenHeader(
        name: String, authentication: Authentication, refused: String?, task: CallTask
    ) throws(Failure) {
        let keys = try signingKeys(authentication)
        var identifier: [UInt8]?
        if let refused {
            identifier = TokenInfo.identifier(inHeader: refused)
            guard identifier != nil else {
                throw .argument("refused_header is no value of an X-PowerAuth-Token header.")
            }
        }
        try lock.withLock { () throws(Failure) in
            try require(.activated)
            guard let existing = session.token(named: name) else { return }
            guard existing.factors == keys.factors else { throw Self.otherFactors }
        }
        let factors = keys.factors
        var call = Call.locally("token header", authentication: .token(name, keys: keys)) { (client) throws(Failure) in
            guard client.session.token(named: name)?.factors == factors else { throw Self.otherFactors }
            return .tokenHeader(
                try Failure.converting { () throws(PowerAuthError) in
                    try client.session.tokenHeader(named: name, now: client.synchronizedNow)
                })
        }
        // If it is another one by now, somebody else was refused too, and has it already.
        call.refusedToken = identifier
        try start(call, task: task)
    }

    package func hasToken(name: String) -> Bool { lock.withLock { session.token(named: name) != nil } }

    /// Removes a token at the server, then here.
    package func removeToken(name: String, task: CallTask) throws(Failure) {
        let id = try lock.withLock { () throws(Failure) in
            try require(.activated)
            return session.token(named: name)?.id
        }
        guard let id else { throw Self.noToken }
        try start(.removeToken(name: name, id: id), task: task)
    }

    /// Forgets a token, or all (nil), here only.
    package func forgetToken(name: String?) throws(Failure) {
        try lock.withLock { () throws(Failure) in
            try require(.activated)
            if let name {
                guard session.token(named: name) != nil else { throw Self.noToken }
                try durably { (session) throws(PowerAuthError) in try session.removeToken(named: name) }
            } else {
                try durably { (session) throws(PowerAuthError) in session.removeAllTokens() }
            }
        }
    }

    private static var otherFactors: Failure { .argument("A token of this name exists with other factors.") }

    private static var noToken: Failure { Failure(.notFound, Reason.invalidToken, "There is no token of this name.") }
}
