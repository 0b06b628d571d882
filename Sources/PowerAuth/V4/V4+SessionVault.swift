// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension V4.VaultKeyIdentifier {
    /// The payload of an unlock request.
    package var payload: [UInt8] {
        let reason: StaticString
        if case .devicePrivate = self {
            reason = "SIGN_WITH_DEVICE_PRIVATE_KEY"
        } else {
            reason = "FETCH_ENCRYPTION_KEY"
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("keyIdentifier")
        writer.value(name)
        writer.key("reason")
        writer.value(reason)
        writer.endObject()
        return writer.bytes
    }
}

extension V4 {
    /// How data is signed with the device's keys.
    package enum DeviceSignatureForm: Sendable {
        case ecdsa(SignatureFormat)
        case mldsa
        /// General JSON, with a signature of each kind of the suite.
        case jws
        /// A request for a certificate, which is what is signed.
        case request(CertificateRequest)
    }
}

extension Session {
    /// The key in the decrypted `{"vaultEncryptionKey":"…"}`.
    ///
    /// - Returns: 32 bytes. Only that of the device's private keys can be proven: by opening them.
    package func vaultKeyV4(_ plaintext: SecureBytes) throws(PowerAuthError) -> SecureBytes {
        _ = try activatedV4()
        guard let key = try JSONFields.parse(plaintext, .encryption).secret("vaultEncryptionKey", count: 32) else {
            throw PowerAuthError(.encryption, "the response has no vault key")
        }
        return key
    }

    /// A key for the application's own data: the same for the same index as long as the activation lives.
    ///
    /// - Parameter count: 16 bytes at least.
    package func applicationKeyV4(
        _ vault: SecureBytes, _ id: V4.VaultKeyIdentifier, index: UInt64, count: Int
    ) throws(PowerAuthError) -> SecureBytes {
        _ = try activatedV4()
        return try attempt(
            .encryption, "the key could not be derived",
            try id.applicationKey(from: vault, index: index, count: count))
    }

    /// Signs data with the device's private keys.
    ///
    /// - Throws: `encryption` for a vault key of another activation; `wrongParameter` for a signature that the suite does not
    ///   have.
    package func deviceSignatureV4(
        _ data: [UInt8], _ form: V4.DeviceSignatureForm, vault: SecureBytes
    ) throws(PowerAuthError) -> [UInt8] {
        let (record, suite) = try activatedV4()
        let stored = try attempt(.encryption, "the device keys could not be opened") { () throws(CryptoError) in
            try record.with(.deviceKeysV4(suite)) { (sealed) throws(CryptoError) in
                try V4.LocalKey.devicePrivate.open(
                    sealed, with: vault, activationId: record.identifier)
            }
        }
        let keys = try V4.DeviceKeys(suite: suite, stored: stored)
        if case .mldsa = form, !suite.isHybrid {
            throw PowerAuthError(.wrongParameter, "the activation has no ML-DSA key")
        }
        switch form {
        case .ecdsa(.der): return try keys.signECDSA(data)
        case .ecdsa(.jose): return try keys.signECDSA(data, format: .jose)
        case .mldsa: return try keys.signMLDSA(data)
        case .jws: return try keys.signJWS(data)
        case .request(let request): return try keys.sign(request)
        }
    }
}
