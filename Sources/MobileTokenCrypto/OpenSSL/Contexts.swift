// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Makes what OpenSSL works with; nil: it cannot be had.
enum Contexts {
    /// A new context of the fetched digest, ready for input.
    static func digest(_ digest: OpaquePointer?) -> OpaquePointer? {
        guard let digest, let context = EVP_MD_CTX_new() else { return nil }
        guard EVP_DigestInit_ex2(context, digest, nil) == 1 else {
            EVP_MD_CTX_free(context)
            return nil
        }
        return context
    }

    /// A context that generates P-256 key pairs.
    static func generator() -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1
        else {
            EVP_PKEY_CTX_free(context)
            return nil
        }
        return context
    }

    /// A key that has the curve and no point.
    static func curve(_ curve: Curve) -> OpaquePointer? {
        var parameters = [Parameter.text("group", curve.name), OSSL_PARAM_construct_end()]
        return key("EC", mtoken_pkey_parameters, &parameters)
    }

    /// A key of an algorithm from a list of parameters.
    static func key(
        _ algorithm: StaticString, _ selection: Int32, _ parameters: UnsafeMutablePointer<OSSL_PARAM>
    ) -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, algorithm.cString, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1, EVP_PKEY_fromdata(context, &key, selection, parameters) == 1 else {
            EVP_PKEY_free(key)
            return nil
        }
        return key
    }
}
