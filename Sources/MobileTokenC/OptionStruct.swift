import CMToken

/// The structs that hosts fill in and that may grow: their names in the interface, and their sizes in version 1.0, on 64-bit
/// systems. No program has a smaller one.
package enum OptionStruct: Int, CaseIterable, Sendable {
    case runtime, hostStore, client, call, auth, activation, wait, encrypt, qr, qrAuthorize, qrBuild, authorize, pac
    case pacBuild, oidc, push, mobileAuth, polling, sign, signOffline, verify, operation, reject, token, ecdsaVerify, oidcURL

    /// Never changes once 1.0 is out.
    private var first: (name: StaticString, size: Int) {
        switch self {
        case .runtime: ("mtoken_runtime_options", 24)
        case .hostStore: ("mtoken_host_store", 48)
        case .client: ("mtoken_client_options", 272)
        case .call: ("mtoken_call_options", 80)
        case .auth: ("mtoken_auth", 64)
        case .activation: ("mtoken_activation_options", 232)
        case .wait: ("mtoken_wait_options", 24)
        case .encrypt: ("mtoken_encrypt_options", 40)
        case .qr: ("mtoken_qr_options", 40)
        case .qrAuthorize: ("mtoken_qr_authorize_options", 32)
        case .qrBuild: ("mtoken_qr_build_options", 144)
        case .authorize: ("mtoken_authorize_options", 72)
        case .pac: ("mtoken_pac_options", 24)
        case .pacBuild: ("mtoken_pac_build_options", 64)
        case .oidc: ("mtoken_oidc_options", 152)
        case .push: ("mtoken_push_options", 56)
        case .mobileAuth: ("mtoken_mobile_auth_options", 96)
        case .polling: ("mtoken_polling_options", 32)
        case .sign: ("mtoken_sign_options", 56)
        case .signOffline: ("mtoken_sign_offline_options", 64)
        case .verify: ("mtoken_verify_options", 48)
        case .operation: ("mtoken_operation_options", 40)
        case .reject: ("mtoken_reject_options", 40)
        case .token: ("mtoken_token_options", 40)
        case .ecdsaVerify: ("mtoken_ecdsa_verify_options", 64)
        case .oidcURL: ("mtoken_oidc_url_options", 64)
        }
    }

    package var name: StaticString { first.name }

    /// The smallest size that is accepted.
    @inline(never)
    package var firstSize: Int {
        let pretended = Self.pretended
        return rawValue < pretended.count && pretended[rawValue] > 0 ? pretended[rawValue] : first.size
    }

    /// What a test says instead of the true sizes; 0: nothing.
    nonisolated(unsafe) private static var pretended: [Int] = []

    /// Pretends that version 1.0 ended the struct elsewhere. For tests, while nothing else is called.
    ///
    /// - Parameter size: 0: the truth again
    package func pretend(firstSize size: Int) {
        if Self.pretended.isEmpty { Self.pretended = [Int](repeating: 0, count: Self.allCases.count) }
        Self.pretended[rawValue] = size
    }
}

/// A C struct that begins with `struct_size`. All of its bytes may be zero.
package protocol HostOptions {
    /// All zero, as C's structs are imported.
    init()
    static var kind: OptionStruct { get }
}

extension mtoken_runtime_options: HostOptions { package static var kind: OptionStruct { .runtime } }
extension mtoken_host_store: HostOptions { package static var kind: OptionStruct { .hostStore } }
extension mtoken_client_options: HostOptions { package static var kind: OptionStruct { .client } }
extension mtoken_call_options: HostOptions { package static var kind: OptionStruct { .call } }
extension mtoken_auth: HostOptions { package static var kind: OptionStruct { .auth } }
extension mtoken_activation_options: HostOptions { package static var kind: OptionStruct { .activation } }
extension mtoken_wait_options: HostOptions { package static var kind: OptionStruct { .wait } }
extension mtoken_encrypt_options: HostOptions { package static var kind: OptionStruct { .encrypt } }
extension mtoken_qr_options: HostOptions { package static var kind: OptionStruct { .qr } }
extension mtoken_qr_authorize_options: HostOptions { package static var kind: OptionStruct { .qrAuthorize } }
extension mtoken_qr_build_options: HostOptions { package static var kind: OptionStruct { .qrBuild } }
extension mtoken_authorize_options: HostOptions { package static var kind: OptionStruct { .authorize } }
extension mtoken_pac_options: HostOptions { package static var kind: OptionStruct { .pac } }
extension mtoken_pac_build_options: HostOptions { package static var kind: OptionStruct { .pacBuild } }
extension mtoken_oidc_options: HostOptions { package static var kind: OptionStruct { .oidc } }
extension mtoken_push_options: HostOptions { package static var kind: OptionStruct { .push } }
extension mtoken_mobile_auth_options: HostOptions { package static var kind: OptionStruct { .mobileAuth } }
extension mtoken_polling_options: HostOptions { package static var kind: OptionStruct { .polling } }
extension mtoken_sign_options: HostOptions { package static var kind: OptionStruct { .sign } }
extension mtoken_sign_offline_options: HostOptions { package static var kind: OptionStruct { .signOffline } }
extension mtoken_verify_options: HostOptions { package static var kind: OptionStruct { .verify } }
extension mtoken_operation_options: HostOptions { package static var kind: OptionStruct { .operation } }
extension mtoken_reject_options: HostOptions { package static var kind: OptionStruct { .reject } }
extension mtoken_token_options: HostOptions { package static var kind: OptionStruct { .token } }
extension mtoken_ecdsa_verify_options: HostOptions { package static var kind: OptionStruct { .ecdsaVerify } }
extension mtoken_oidc_url_options: HostOptions { package static var kind: OptionStruct { .oidcURL } }
