// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenModel
import PowerAuth

/// How a client is made.
public struct ClientOptions: Sendable {
    /// The name of the client within its store.
    public let id: String
    package let configuration: Configuration
    /// Root URLs without a final slash.
    public let baseURL: String
    /// The base of the operations' endpoints.
    public let operationsURL: String
    /// Where the state is kept.
    public let store: Store
    /// A secret bound to this device, 16 bytes at least; nil: a random one kept in the store.
    public private(set) var deviceSecret: SecureBytes?
    /// Protects the device secret; nil: the store keeps it as it is, or the host passes it.
    public private(set) var sealer: Sealer?
    /// The external encryption key, 16 bytes.
    public private(set) var externalKey: SecureBytes?
    /// The rules for a new PIN.
    public var pinPolicy: PINPolicy = .any
    /// The version of the protocol for a new activation; nil: as the configuration and the server say.
    public var version: ProtocolVersion?
    /// The suite of 4.0; nil: the best that the configuration has keys for, alone where it has no key of ML-DSA.
    public var suite: Suite?
    /// The weakest that a new activation may be agreed with; nil: a hybrid suite where the configuration has the keys of
    /// one, otherwise P-384, or protocol 3 where the server has no 4.0.
    public var leastSuite: LeastSuite?
    /// Whom to trust.
    public var tls: TLSPolicy = .init()
    /// nil: none; environment variables are ignored.
    public private(set) var proxy: String?
    /// The host sends the requests.
    public private(set) var usesHostTransport = false
    /// The certificate for a server that requests one.
    public private(set) var identity: ClientIdentity?
    /// The connections that requests to the bank, and to other servers, may use.
    package private(set) var scope: ConnectionScope?
    package private(set) var foreignScope: ConnectionScope?
    /// For each request.
    public var timeoutMilliseconds: Int32 = 20_000
    /// The language of what the server sends.
    public private(set) var language = "en"
    /// The library's User-Agent.
    public private(set) var userAgent = ClientOptions.defaultUserAgent
    /// Header fields of the host's own.
    public var headers: [HTTPHeader] = []
    /// Begins each of the client's log lines.
    public var label: String?
    /// Refuses to approve operations that show something other than they sign.
    public var refusesContradictions = false
    /// Names each request in the logs of both sides; errors carry the name.
    public var sendsCorrelationID = false
    /// Contradictions that are allowed nevertheless.
    public var toleratedContradictions: Contradictions = []

    package init(
        id: String, configuration: Configuration, baseURL: String, operationsURL: String?, store: Store,
        allowHTTP: Bool = false
    ) throws(Failure) {
        try StoredItems.require(client: id)
        self.id = id
        self.configuration = configuration
        self.baseURL = try Self.root(baseURL, allowHTTP: allowHTTP)
        if let operationsURL {
            self.operationsURL = try Self.root(operationsURL, allowHTTP: allowHTTP)
        } else {
            self.operationsURL = self.baseURL  // the same text, which thousands of clients have
        }
        self.store = store
    }

    /// Checks a root URL and removes slashes at its end.
    private static func root(_ url: String, allowHTTP: Bool) throws(Failure) -> String {
        guard let endpoint = Endpoint(url: url), !url.utf8.contains(UInt8(ascii: "?")) else {
            throw Failure(
                .configuration, Reason.invalidConfiguration,
                "The server's URL must be ASCII, of the form https://host[:port][/path], without a query.")
        }
        guard endpoint.isSecure || allowHTTP else {
            throw Failure(
                .configuration, Reason.invalidConfiguration,
                "The server's URL is plain http. Use https, or allow http explicitly (tests only).")
        }
        var bytes = [UInt8](url.utf8)
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return String(utf8: bytes)
    }

    /// Sets the secret of the host that the stored state is sealed with, at least 16 bytes.
    public mutating func setDeviceSecret(_ secret: SecureBytes) throws(Failure) {
        guard secret.count >= DeviceKeys.minimumSecretSize else {
            throw .argument("device_secret must be at least 16 bytes.")
        }
        guard sealer == nil else { throw Self.twoKeepers }
        deviceSecret = secret
    }

    /// Protects the device secret with a sealer.
    public mutating func setSealer(_ sealer: Sealer) throws(Failure) {
        guard deviceSecret == nil else { throw Self.twoKeepers }
        self.sealer = sealer
    }

    private static var twoKeepers: Failure { .argument("device_secret and sealer exclude each other.") }

    /// Sets the external encryption key, 16 bytes.
    public mutating func setExternalKey(_ key: SecureBytes) throws(Failure) {
        guard key.count == 16, !key.isAllZero else {
            throw .argument("external_key must be 16 bytes, not all zero.")
        }
        externalKey = key
    }

    /// Sets `Accept-Language`.
    public mutating func setLanguage(_ language: String) throws(Failure) {
        try HeaderText.check(language, "language")
        self.language = language
    }

    /// Sets the whole `User-Agent`.
    public mutating func setUserAgent(_ userAgent: String) throws(Failure) {
        try HeaderText.check(userAgent, "user_agent")
        self.userAgent = userAgent
    }

    /// Puts the application's name into `User-Agent`.
    public mutating func setApplication(_ application: String) throws(Failure) {
        try HeaderText.check(application, "application")
        userAgent = Self.makeUserAgent(application: application)
    }

    /// Sets the proxy; refuses a URL of an unknown kind.
    public mutating func setProxy(_ url: String) throws(Failure) {
        guard Endpoint(proxy: url) != nil else {
            throw Failure(
                .configuration, Reason.invalidConfiguration,
                "The proxy must be http://, https:// or socks5h:// with a host and port.")
        }
        proxy = url
        guard url.utf8.contains(UInt8(ascii: "@")) else { return }
        foreignScope = ConnectionScope()
        scope = scope ?? ConnectionScope()
    }

    /// Trusts the certificates of a PEM file only.
    public mutating func setAuthorities(file: String) throws(Failure) {
        var path = file
        if file.utf8.first != UInt8(ascii: "/"), let folder = getcwd(nil, 0) {
            path = String(cString: folder) + "/" + file
            free(folder)
        }
        guard access(path, R_OK) == 0 else {
            throw Failure(
                .configuration, Reason.invalidConfiguration, filled("The CA file % could not be read.", path))
        }
        guard ClientIdentity.isCertificate(in: path) else {
            throw Failure(
                .configuration, Reason.invalidConfiguration,
                filled("The CA file % has no certificate in PEM form.", path))
        }
        tls.trust = .caFile(path)
    }

    /// Lets the host send the requests over its own connections; the options about connections must have their defaults.
    public mutating func setHostTransport() throws(Failure) {
        guard case .system = tls.trust, tls.pins.isEmpty, !tls.unsafeNoVerification, proxy == nil, identity == nil
        else {
            throw .argument(
                "With MTOKEN_TRANSPORT_HOST, trust, pins, proxy and client certificate are the host's: do not set them."
            )
        }
        usesHostTransport = true
    }

    /// Sets the certificate that identifies the client to the server.
    ///
    /// - Parameters:
    ///   - certificate: the path of a PEM or PKCS #12 file, or a PKCS #11 URI
    ///   - key: the path of a PEM file, or a PKCS #11 URI; nil: in the same place
    ///   - password: of the key or file, or the token's PIN
    public mutating func setIdentity(certificate: String, key: String?, password: SecureBytes?) throws(Failure) {
        guard password.map({ $0.count <= 255 }) ?? true else {
            throw .argument("client_key_password must be at most 255 bytes.")
        }
        do throws(ClientIdentity.Fault) {
            identity = try ClientIdentity.read(certificate: certificate, key: key, password: password)
        } catch {
            switch error {
            case .unreadable:
                throw Failure(
                    .configuration, Reason.invalidConfiguration,
                    "The client certificate or its key could not be read. Check the place and the password.")
            case .mismatch:
                throw Failure(
                    .configuration, Reason.invalidConfiguration, "The key is not that of the client certificate.")
            case .noEngine:
                throw Failure(
                    .unsupported, Reason.engineNotFound,
                    "PKCS #11 URIs need OpenSSL's engine for PKCS #11 (libengine-pkcs11-openssl).")
            }
        }
        scope = ConnectionScope()
    }

    /// `libmtoken/<version> (<os>/<kernel>; <architecture>)`, from uname(2).
    package static let defaultUserAgent = makeUserAgent(application: nil)

    /// `libmtoken/<version> <application> (<os>/<kernel>; <architecture>)`
    private static func makeUserAgent(application: String?) -> String {
        let product = "libmtoken/" + libraryVersion.description + (application.map { " " + $0 } ?? "")
        var names = utsname()
        guard uname(&names) == 0 else { return product }
        let system = withUnsafeBytes(of: &names.sysname) { text($0) }
        let release = withUnsafeBytes(of: &names.release) { text($0) }
        let machine = withUnsafeBytes(of: &names.machine) { text($0) }
        return product + " (" + system + "/" + release + "; " + machine + ")"
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(utf8: bytes.prefix { $0 != 0 })
    }
}

extension ClientOptions {
    /// Whether one of these is not tolerated.
    package func refuses(_ contradictions: Contradictions) -> Bool {
        !contradictions.subtracting(toleratedContradictions).isEmpty
    }
}
