import FuzzSupport

/// The targets of what lies beside or above the model: the protocol, stored state, clients, the C interface.
package let wholeTargets = [
    FuzzTarget("token-data", fuzzTokenData),
    FuzzTarget("configuration", fuzzConfiguration),
    FuzzTarget("code", fuzzCode),
    FuzzTarget("query", fuzzQuery),
    FuzzTarget("reply", fuzzReply),
    FuzzTarget("ecies", fuzzEncryptedResponse),
    FuzzTarget("temporary-key", fuzzTemporaryKey),
    FuzzTarget("activation", fuzzActivationResponse),
    FuzzTarget("status", fuzzStatus),
    FuzzTarget("token", fuzzToken),
    FuzzTarget("vault", fuzzVault),
    FuzzTarget("jws", fuzzJSONWebSignature),
    FuzzTarget("spki", fuzzPublicKeyInfo),
    FuzzTarget("aead", fuzzAuthenticatedEncryption),
    FuzzTarget("status4", fuzzStatus4),
    FuzzTarget("state", fuzzState),
    FuzzTarget("oidc", fuzzOIDCCallback),
    FuzzTarget("c-operations", fuzzOperationsInC),
    FuzzTarget("c-inbox", fuzzInboxInC),
    FuzzTarget("c-visual", fuzzVisualInC),
    FuzzTarget("c-push", fuzzPushInC),
    FuzzTarget("c-qr", fuzzQRInC),
    FuzzTarget("c-data", fuzzDataInC),
    FuzzTarget("c-pac", fuzzPACInC),
]

/// libFuzzer's `LLVMFuzzerInitialize`, by this name in the program of these targets.
@_cdecl("mtoken_fuzz_whole")
package func initialize(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 { choose(among: wholeTargets, arguments) }
