// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// A request for a certificate (PKCS #10, RFC 2986).
package final class CertificateRequest: @unchecked Sendable {
    /// A name and a value.
    package typealias Field = (name: String, value: String)

    private let request: OpaquePointer

    /// Takes together what a certificate is asked for; `sign` completes it.
    ///
    /// - Parameters:
    ///   - subject: types of attributes, by name or OID, with their values.
    ///   - extensions: as in x509v3_config(5).
    @_optimize(size)
    package init(subject: [Field], extensions: [Field], key: PublicKey) throws(CryptoError) {
        request = try withErrorMark { () throws(CryptoError) -> OpaquePointer in
            guard let made = X509_REQ_new() else { throw .library() }
            do throws(CryptoError) {
                let point = try key.uncompressedHandle()
                defer { EVP_PKEY_free(point) }
                guard X509_REQ_set_pubkey(made, point) == 1 else { throw .library() }
                try Self.add(subject, to: made)
                try Self.add(extensions: extensions, to: made)
            } catch {
                X509_REQ_free(made)
                throw error
            }
            return made
        }
    }

    deinit { X509_REQ_free(request) }

    @_optimize(size)
    private static func add(_ subject: [Field], to request: OpaquePointer) throws(CryptoError) {
        let name = X509_REQ_get_subject_name(request)
        for (type, value) in subject {
            let bytes = [UInt8](value.utf8)
            guard X509_NAME_add_entry_by_txt(name, type, MBSTRING_FLAG, bytes, try int32(bytes.count), -1, 0) == 1
            else { throw .library() }
        }
    }

    @_optimize(size)
    private static func add(extensions: [Field], to request: OpaquePointer) throws(CryptoError) {
        guard !extensions.isEmpty else { return }
        guard let list = OPENSSL_sk_new_null() else { throw .library() }
        defer { OPENSSL_sk_pop_free(list) { X509_EXTENSION_free(OpaquePointer($0)) } }
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, nil, nil, request, nil, 0)
        for (name, value) in extensions {
            guard let made = X509V3_EXT_nconf(nil, &context, name, value) else { throw .library() }
            guard OPENSSL_sk_push(list, UnsafeRawPointer(made)) > 0 else {
                X509_EXTENSION_free(made)
                throw .library()
            }
        }
        guard X509_REQ_add_extensions(request, list) == 1 else { throw .library() }
    }

    /// Signs the request with the private half of its key.
    ///
    /// - Returns: DER
    @_optimize(size)
    package func sign(_ key: PrivateKey) throws(CryptoError) -> [UInt8] {
        try withErrorMark { () throws(CryptoError) -> [UInt8] in
            let digest = key.publicKey.curve == .p384 ? EVP_sha384() : EVP_sha256()
            guard X509_REQ_sign(request, key.handle, digest) > 0 else { throw .library() }
            return try encoded { i2d_X509_REQ(self.request, $0) }
        }
    }
}

extension PublicKey {
    /// The SubjectPublicKeyInfo in DER (RFC 5480).
    package func subjectPublicKeyInfo() throws(CryptoError) -> [UInt8] {
        try withErrorMark { () throws(CryptoError) -> [UInt8] in
            let key = try uncompressedHandle()
            defer { EVP_PKEY_free(key) }
            return try encoded { i2d_PUBKEY(key, $0) }
        }
    }

    /// OpenSSL writes a point as it was read, and others may not read compressed ones. The caller frees the key.
    fileprivate func uncompressedHandle() throws(CryptoError) -> OpaquePointer {
        try uncompressed.withBytes { (point: UnsafeRawBufferPointer) throws(CryptoError) -> OpaquePointer in
            try curve.importPublic(point)
        }
    }
}

/// The output of one of OpenSSL's encoders.
private func encoded(
    _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) throws(CryptoError) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let length = Int(write(&start))
    guard length > 0, let start else { throw .library() }
    defer { CRYPTO_free(start, #file, #line) }
    return [UInt8](UnsafeBufferPointer(start: start, count: length))
}
