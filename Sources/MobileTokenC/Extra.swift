// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CSystem
import MobileToken
import MobileTokenCrypto
import PowerAuth

@_cdecl("mtoken_random_bytes") @implementation
public func mtoken_random_bytes(
    _ length: Int, _ out_bytes: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_bytes, "out_bytes")
        guard (1...1 << 20).contains(length) else { throw .argument("length must be 1 to 1,048,576.") }
        out.pointee = bytesResult(
            try computing { () throws(CryptoError) in try RandomSource().secureBytes(length) })
    }
}

@_cdecl("mtoken_sha256") @implementation
public func mtoken_sha256(
    _ bytes: UnsafePointer<UInt8>!, _ bytes_length: Int,
    _ out_hash: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_hash, "out_hash")
        let data = try Input.bytes(bytes, bytes_length, "bytes")
        out.pointee = bytesResult(try computing { () throws(CryptoError) in try SHA256.hashSecure(data) })
    }
}

@_cdecl("mtoken_hmac_sha256") @implementation
public func mtoken_hmac_sha256(
    _ key: UnsafePointer<UInt8>!, _ key_length: Int, _ bytes: UnsafePointer<UInt8>!, _ bytes_length: Int,
    _ out_mac: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_mac, "out_mac")
        let key = try Input.bytes(key, key_length, "key")
        let data = try Input.bytes(bytes, bytes_length, "bytes")
        out.pointee = bytesResult(
            try computing { () throws(CryptoError) in try HMACSHA256.authenticateSecure(data, key: key) })
    }
}

@_cdecl("mtoken_key_pair_new") @implementation
public func mtoken_key_pair_new(
    _ out_private_key: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>!,
    _ out_public_key: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    out_public_key?.pointee = nil
    return report(out_error) { () throws(Failure) in
        let privateOut = try output(out_private_key, "out_private_key")
        let publicOut = try output(out_public_key, "out_public_key")
        let (number, point) = try computing { () throws(CryptoError) -> (SecureBytes, [UInt8]) in
            let key = try PrivateKey.generate()
            let minimal = try key.bytes()
            let number = try SecureBytes(count: 32) { (buffer) throws(CryptoError) -> Void in
                minimal.withBytes { bytes in
                    let zeros = buffer.count - bytes.count
                    for index in 0..<buffer.count { buffer[index] = index < zeros ? 0 : bytes[index - zeros] }
                }
            }
            return (number, key.publicKey.uncompressed)
        }
        privateOut.pointee = bytesResult(number)
        publicOut.pointee = bytesResult(point)
    }
}

@_cdecl("mtoken_ecdsa_sign") @implementation
public func mtoken_ecdsa_sign(
    _ private_key: UnsafePointer<UInt8>!, _ private_key_length: Int, _ bytes: UnsafePointer<UInt8>!,
    _ bytes_length: Int, _ form: Int32, _ out_signature: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_signature, "out_signature")
        let key = try Input.bytes(private_key, private_key_length, "private_key")
        let data = try Input.bytes(bytes, bytes_length, "bytes")
        let format = try Input.signatureForm(form)
        out.pointee = bytesResult(
            try computing { () throws(CryptoError) -> [UInt8] in
                let key = try PrivateKey(bigEndian: key)
                switch format {
                case .der: return try key.signDER(data)
                case .jose: return try key.signJOSE(data)
                }
            })
    }
}

@_cdecl("mtoken_ecdsa_verify") @implementation
public func mtoken_ecdsa_verify(
    _ options: UnsafePointer<mtoken_ecdsa_verify_options>!, _ out_is_valid: UnsafeMutablePointer<mtoken_bool>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    out_is_valid?.pointee = 0
    return report(out_error) { () throws(Failure) in
        guard let out_is_valid else { throw .argument("out_is_valid is NULL.") }
        let options = try Input.options(options, "options")
        guard options.reserved == 0 else { throw .argument("reserved must be 0.") }
        let point = try Input.bytes(options.public_key, "public_key")
        let data = try Input.bytes(options.signed_bytes, "signed_bytes")
        let signature = try Input.bytes(options.signature, "signature")
        guard !signature.isEmpty else { throw .argument("signature is empty.") }
        let format = try Input.signatureForm(options.form)
        let valid = try computing(key: "public_key") { () throws(CryptoError) -> Bool in
            let key = try PublicKey(point: point)
            switch format {
            case .der: return try key.verify(der: signature, data: data)
            case .jose: return try key.verify(jose: signature, data: data)
            }
        }
        out_is_valid.pointee = valid ? 1 : 0
    }
}

@_cdecl("mtoken_ecdh") @implementation
public func mtoken_ecdh(
    _ private_key: UnsafePointer<UInt8>!, _ private_key_length: Int, _ public_key: UnsafePointer<UInt8>!,
    _ public_key_length: Int, _ out_secret: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_secret, "out_secret")
        let key = try Input.bytes(private_key, private_key_length, "private_key")
        let point = try Input.bytes(public_key, public_key_length, "public_key")
        let peer = try computing(key: "public_key") { () throws(CryptoError) in try PublicKey(point: point) }
        out.pointee = bytesResult(
            try computing { () throws(CryptoError) in try PrivateKey(bigEndian: key).sharedSecret(with: peer) })
    }
}

@_cdecl("mtoken_oidc_pkce") @implementation
public func mtoken_oidc_pkce(
    _ byte_count: Int, _ out_verifier: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_challenge: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    out_challenge?.pointee = nil
    return report(out_error) { () throws(Failure) in
        let outVerifier = try output(out_verifier, "out_verifier")
        let outChallenge = try output(out_challenge, "out_challenge")
        let pkce = try PKCE(byteCount: byte_count)
        outVerifier.pointee = textResult(pkce.verifier)
        outChallenge.pointee = textResult(pkce.challenge)
    }
}

@_cdecl("mtoken_oidc_challenge") @implementation
public func mtoken_oidc_challenge(
    _ verifier: UnsafePointer<CChar>!, _ verifier_length: Int,
    _ out_challenge: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_challenge, "out_challenge")
        let verifier = try Input.secretText(verifier, verifier_length, "verifier")
        out.pointee = textResult(try PKCE.challenge(of: verifier))
    }
}

@_cdecl("mtoken_oidc_random") @implementation
public func mtoken_oidc_random(
    _ byte_count: Int, _ out_text: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_text, "out_text")
        out.pointee = textResult(try RandomText.make(byte_count))
    }
}

@_cdecl("mtoken_oidc_authorization_url") @implementation
public func mtoken_oidc_authorization_url(
    _ options: UnsafePointer<mtoken_oidc_url_options>!,
    _ out_url: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_url, "out_url")
        let options = try Input.options(options, "options")
        let url = try AuthorizationURL.make(
            try makeOptions(options.request), state: try Input.requiredSecret(options.state, "state"),
            nonce: try Input.requiredSecret(options.nonce, "nonce"),
            challenge: try Input.text(options.challenge, "challenge"))
        out.pointee = textResult(url)
    }
}
