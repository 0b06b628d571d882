// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import MobileTokenSystem

/// A certificate with its private key, by which a client tells a server who it is.
public final class ClientIdentity: @unchecked Sendable {
    /// Why there is none.
    package enum Fault: Error {
        /// A file or object cannot be read, or the password is wrong.
        case unreadable
        /// The key is not that of the certificate.
        case mismatch
        /// There is no engine for PKCS #11.
        case noEngine
    }

    /// OpenSSL's objects, which live as long as this one.
    package let certificate: OpaquePointer
    package let key: OpaquePointer
    /// The certificates between this one and the root; nil: none.
    package let chain: OpaquePointer?

    private init(_ certificate: OpaquePointer, _ key: OpaquePointer, _ chain: OpaquePointer?) {
        self.certificate = certificate
        self.key = key
        self.chain = chain
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
        Self.free(chain: chain)
    }

    private static func free(chain: OpaquePointer?) {
        OPENSSL_sk_pop_free(chain) { X509_free(OpaquePointer($0)) }
    }

    /// Reads it.
    ///
    /// - Parameters:
    ///   - certificate: the path of a PEM or PKCS #12 file, or a PKCS #11 URI
    ///   - key: the path of a PEM file, or a PKCS #11 URI; nil: in the same place
    @_optimize(size)
    package static func read(
        certificate: String, key: String?, password: SecureBytes?
    ) throws(Fault) -> ClientIdentity {
        // Some of OpenSSL's functions take texts that end with a NUL.
        let secret = password.map { password in
            SecureBytes(count: password.count + 1) { room in password.withBytes { room.copyMemory(from: $0) } }
        }
        var found = Found()
        do throws(Fault) {
            try found.read(certificate: certificate, secret)
            if let key {
                try found.read(key: key, secret)
            } else if found.key == nil {
                try found.read(key: certificate, secret)
            }
            guard let certificate = found.certificate, let key = found.key else { throw .unreadable }
            guard (try? withErrorMark { X509_check_private_key(certificate, key) }) == 1 else { throw .mismatch }
            return ClientIdentity(certificate, key, found.chain)
        } catch {
            X509_free(found.certificate)
            EVP_PKEY_free(found.key)
            free(chain: found.chain)
            throw error
        }
    }

    /// The parts read so far.
    private struct Found {
        var certificate: OpaquePointer?
        var key: OpaquePointer?
        var chain: OpaquePointer?

        @_optimize(size)
        mutating func read(certificate place: String, _ secret: SecureBytes?) throws(Fault) {
            if let uri = PKCS11URI(place) {
                let engine = try uri.engine(secret)
                certificate = uri.text.withCString { mtoken_engine_certificate(engine, $0) }
            } else {
                try ClientIdentity.withFile(place, secret) { (file, context) in
                    certificate = PEM_read_bio_X509(file, nil, givePassword, context)
                    guard certificate != nil else { return readPKCS12(file, secret) }
                    chain = OPENSSL_sk_new_null()
                    while let next = PEM_read_bio_X509(file, nil, givePassword, context) {
                        OPENSSL_sk_push(chain, UnsafeRawPointer(next))
                    }
                }
            }
            guard certificate != nil else { throw .unreadable }
        }

        @_optimize(size)
        mutating func read(key place: String, _ secret: SecureBytes?) throws(Fault) {
            EVP_PKEY_free(key)
            key = nil
            if let uri = PKCS11URI(place) {
                let engine = try uri.engine(secret)
                key = uri.text.withCString { mtoken_engine_key(engine, $0) }
            } else {
                try ClientIdentity.withFile(place, secret) { (file, context) in
                    key = PEM_read_bio_PrivateKey(file, nil, givePassword, context)
                }
            }
            guard key != nil else { throw .unreadable }
        }

        @_optimize(size)
        private mutating func readPKCS12(_ file: OpaquePointer, _ secret: SecureBytes?) {
            guard BIO_ctrl(file, BIO_CTRL_RESET, 0, nil) >= 0, let store = d2i_PKCS12_bio(file, nil) else { return }
            defer { PKCS12_free(store) }
            func parse(_ password: UnsafePointer<CChar>?) {
                guard mtoken_pkcs12_is_bounded(store, password) == 1 else { return }
                PKCS12_parse(store, password, &key, &certificate, &chain)
            }
            if let secret {
                secret.withBytes { parse($0.baseAddress?.assumingMemoryBound(to: CChar.self)) }
            } else {
                parse(nil)
            }
        }
    }

    /// Whether a PEM file holds a certificate.
    @_optimize(size)
    package static func isCertificate(in path: String) -> Bool {
        var certificate: OpaquePointer?
        try? withFile(path, nil) { certificate = PEM_read_bio_X509_AUX($0, nil, givePassword, $1) }
        X509_free(certificate)
        return certificate != nil
    }

    /// No file with a certificate or key is larger, in bytes.
    private static let longestFile = 1 << 20

    /// Opens a file and hands it to `read`, with what `givePassword` takes. It must be a regular one, and ask for no more work
    /// than a password needs.
    private static func withFile(
        _ path: String, _ secret: SecureBytes?, _ read: (OpaquePointer, UnsafeMutableRawPointer?) -> Void
    ) throws(Fault) {
        let content = SecureBytes(count: longestFile + 1)
        let count = content.withMutableBytes { SmallFile.read(path, into: $0) }
        guard let count, count <= longestFile else { throw .unreadable }
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        let isRead = content.withBytes { bytes in
            guard let file = BIO_new_mem_buf(bytes.baseAddress, Int32(truncatingIfNeeded: count)) else { return false }
            defer { BIO_free(file) }
            guard mtoken_pem_is_bounded(file) == 1 else { return false }
            read(file, secret.map { Unmanaged.passUnretained($0).toOpaque() })
            return true
        }
        guard isRead else { throw .unreadable }
    }
}

/// OpenSSL asks for a password: without this it would ask on the terminal.
private func givePassword(
    _ room: UnsafeMutablePointer<CChar>?, _ size: Int32, _: Int32, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let room, let context else { return -1 }
    return Unmanaged<SecureBytes>.fromOpaque(context).takeUnretainedValue().withBytes { bytes in
        guard bytes.count - 1 <= Int(size), let start = bytes.baseAddress else { return -1 }
        UnsafeMutableRawPointer(room).copyMemory(from: start, byteCount: bytes.count - 1)
        return Int32(bytes.count - 1)
    }
}

/// A PKCS #11 URI (RFC 7512), and the engine that reads it.
private struct PKCS11URI {
    /// Without the path of the module, which the engine gets in another way.
    let text: String
    private let module: [UInt8]?

    @_optimize(size)
    init?(_ text: String) {
        let bytes = [UInt8](text.utf8)
        guard begins(bytes, with: "pkcs11:" as StaticString) else { return nil }
        var kept: [UInt8] = []
        var module: [UInt8]?
        for part in bytes.split(whereSeparator: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "&") }) {
            if begins(part, with: "module-path=" as StaticString) {
                module = part.dropFirst(12).withUnsafeBytes { PercentEncoding.decode($0[...]) }.map { $0 + [0] }
            } else {
                if !kept.isEmpty { kept.append(UInt8(ascii: kept.contains(UInt8(ascii: "?")) ? "&" : "?")) }
                kept.append(contentsOf: part)
            }
        }
        self.text = String(utf8: kept)
        self.module = module
    }

    private struct Engine: @unchecked Sendable {
        let module: [UInt8]?
        let secret: SecureBytes?
        let engine: UnsafeMutableRawPointer
    }

    private static let lock = Lock()
    nonisolated(unsafe) private static var engines: [Engine] = []

    /// The engine for the module and PIN. It stays: its end would be the module's, which others in the process may use.
    /// An engine that knows a PIN serves only callers with that PIN.
    @_optimize(size)
    func engine(_ secret: SecureBytes?) throws(ClientIdentity.Fault) -> UnsafeMutableRawPointer {
        try Self.lock.withLock { () throws(ClientIdentity.Fault) in
            for known in Self.engines where known.module == module {
                if let secret, let other = known.secret, secret.isEqual(to: other) { return known.engine }
                if secret == nil, known.secret == nil { return known.engine }
            }
            ERR_set_mark()
            defer { ERR_pop_to_mark() }
            var found: Int32 = 0
            let made = open(secret, &found)
            guard let made else { throw found == 0 ? .noEngine : .unreadable }
            Self.engines.append(Engine(module: module, secret: secret, engine: made))
            return made
        }
    }

    @_optimize(size)
    private func open(_ secret: SecureBytes?, _ found: inout Int32) -> UnsafeMutableRawPointer? {
        func open(_ module: UnsafePointer<CChar>?, _ found: inout Int32) -> UnsafeMutableRawPointer? {
            guard let secret else { return mtoken_pkcs11_engine(module, nil, &found) }
            return secret.withBytes {
                mtoken_pkcs11_engine(module, $0.baseAddress?.assumingMemoryBound(to: CChar.self), &found)
            }
        }
        guard let module else { return open(nil, &found) }
        return module.withUnsafeBytes { open($0.baseAddress?.assumingMemoryBound(to: CChar.self), &found) }
    }
}
