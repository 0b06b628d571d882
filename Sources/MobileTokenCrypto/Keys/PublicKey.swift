// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Synchronization

/// A public key on one of the protocols' curves.
///
/// `public` only because `RandomSource` is open for subclassing in other modules; everything on it is package API.
public final class PublicKey: @unchecked Sendable {
    /// The curve.
    package let curve: Curve
    /// The point in 33 or 49 bytes: 02 or 03, then x.
    package let compressed: [UInt8]
    /// The point in 65 or 97 bytes: 04, x, y.
    package let uncompressed: [UInt8]
    /// OpenSSL's key; made at the first use when the point came from OpenSSL itself.
    private let key: Atomic<OpaquePointer?>
    /// An `EVP_PKEY_CTX` ready to verify, of which every verification uses a copy; made at the first one.
    private let verifier: Atomic<OpaquePointer?>

    /// Imports a point in SEC1 form, compressed (02, 03) or not (04); powerauth.md §1.2.
    ///
    /// Everything else is `.invalidKey`: infinity, hybrid forms, coordinates not below p, points off the curve.
    package convenience init(point: some Bytes, on curve: Curve = .p256) throws(CryptoError) {
        let (key, point) = try point.withBytes {
            (point: UnsafeRawBufferPointer) throws(CryptoError) -> (OpaquePointer, [UInt8]) in
            try PublicKey.importPoint(point, curve)
        }
        self.init(adopting: key, point: point, curve)
    }

    /// A point that OpenSSL computed itself, in uncompressed form.
    convenience init(computed point: [UInt8], on curve: Curve) {
        self.init(adopting: nil, point: point, curve)
    }

    private init(adopting key: OpaquePointer?, point: [UInt8], _ curve: Curve) {
        self.curve = curve
        self.key = Atomic(key)
        verifier = Atomic(nil)
        uncompressed = point
        compressed = curve.compress(point)
    }

    private static func importPoint(
        _ point: UnsafeRawBufferPointer, _ curve: Curve
    ) throws(CryptoError) -> (OpaquePointer, [UInt8]) {
        try withErrorMark { () throws(CryptoError) -> (OpaquePointer, [UInt8]) in
            let key = try curve.importPublic(point)
            // Asking OpenSSL for the point costs an inversion.
            if point.count == curve.uncompressedLength { return (key, [UInt8](point)) }
            do throws(CryptoError) {
                return (key, try curve.uncompressedPoint(of: key))
            } catch {
                EVP_PKEY_free(key)
                throw error
            }
        }
    }

    deinit {
        EVP_PKEY_CTX_free(verifier.load(ordering: .acquiring))
        EVP_PKEY_free(key.load(ordering: .acquiring))
    }

    /// OpenSSL's key, imported on demand. It lives as long as this object.
    ///
    /// Must run inside `withErrorMark`.
    func handle() throws(CryptoError) -> OpaquePointer {
        if let ready = key.load(ordering: .acquiring) { return ready }
        let made = try uncompressed.withBytes { (point: UnsafeRawBufferPointer) throws(CryptoError) -> OpaquePointer in
            try curve.importPublic(point)
        }
        return key.settle(made, free: EVP_PKEY_free) ?? made
    }

    /// A context to verify one signature with; the caller frees it. A copy costs a twentieth of a new one.
    ///
    /// Must run inside `withErrorMark`.
    func makeVerifier() throws(CryptoError) -> OpaquePointer {
        let template: OpaquePointer
        if let ready = verifier.load(ordering: .acquiring) {
            template = ready
        } else {
            guard let made = EVP_PKEY_CTX_new_from_pkey(nil, try handle(), nil) else { throw .library() }
            guard EVP_PKEY_verify_init(made) == 1 else {
                let error = CryptoError.library()
                EVP_PKEY_CTX_free(made)
                throw error
            }
            template = verifier.settle(made, free: EVP_PKEY_CTX_free) ?? made
        }
        guard let copy = EVP_PKEY_CTX_dup(template) else { throw .library() }
        return copy
    }

    /// Whether an ECDSA signature in strict DER form, with the curve's hash, fits the data (powerauth.md §1.4).
    ///
    /// A malformed signature is a signature that does not fit, not an error.
    package func verify(der signature: some Bytes, data: some Bytes) throws(CryptoError) -> Bool {
        try withBytes(signature, data) { (signature, data) throws(CryptoError) -> Bool in
            try ECDSA.verify(signature, data: data, key: self)
        }
    }

    /// Whether an ECDSA signature in JOSE form, r and s at their full lengths, with the curve's hash, fits the data (RFC 7518 §3.4).
    ///
    /// A signature of another length is a signature that does not fit, not an error.
    package func verify(jose signature: some Bytes, data: some Bytes) throws(CryptoError) -> Bool {
        try withBytes(signature, data) { (signature, data) throws(CryptoError) -> Bool in
            guard signature.count == curve.joseLength else { return false }
            let der = try ECDSA.der(fromJOSE: signature, curve)
            return try der.withBytes { (der: UnsafeRawBufferPointer) throws(CryptoError) -> Bool in
                try ECDSA.verify(der, data: data, key: self)
            }
        }
    }
}
