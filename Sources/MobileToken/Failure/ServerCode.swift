import MobileTokenCrypto

/// The codes of the server's error objects that are known (errors.md §3), by their number.
package enum ServerCode {
    /// Number 0 stands for a code that is not known. New ones are appended.
    package static let names: [StaticString] = [
        "", "ERROR_GENERIC", "ERROR_NOT_FOUND", "POWERAUTH_AUTH_FAIL", "INVALID_REQUEST", "INVALID_ACTIVATION",
        "INVALID_APPLICATION", "INVALID_OPERATION", "ERR_ACTIVATION", "ERR_AUTHENTICATION", "ERR_SECURE_VAULT",
        "ERR_ENCRYPTION", "PUSH_REGISTRATION_FAILED", "OPERATION_ALREADY_FINISHED", "OPERATION_ALREADY_FAILED",
        "OPERATION_ALREADY_CANCELED", "OPERATION_EXPIRED", "OPERATION_FAILED", "OPERATION_REQUIRES_ACTIVATION_FLAG",
        "ERR_CONFIG", "INBOX_FAILED", "APPLICATION_CONFIGURATION_ERROR", "ACTIVATION_CODE_FAILED",
        "REMOTE_COMMUNICATION_ERROR", "ACTIVATION_NOT_ACTIVE", "ACTIVATION_NOT_CONFIGURED", "ONBOARDING_FAILED",
        "ONBOARDING_PROCESS_LIMIT_REACHED", "TOO_MANY_ONBOARDING_PROCESSES", "ONBOARDING_OTP_FAILED",
        "INVALID_DOCUMENT", "DOCUMENT_SUBMIT_FAILED", "IDENTITY_VERIFICATION_FAILED",
        "IDENTITY_VERIFICATION_LIMIT_REACHED", "DOCUMENT_VERIFICATION_FAILED", "PRESENCE_CHECK_FAILED",
        "PRESENCE_CHECK_NOT_ENABLED", "PRESENCE_CHECK_LIMIT_REACHED", "TOO_MANY_REQUESTS", "ERR_TEMPORARY_KEY",
        "ERR_UPGRADE", "ERR_PASSWORD_CHANGE", "ERR_BIOMETRY", "ERR_USER_INFO", "ERR_STATUS", "ERR_VALIDATION",
    ]

    /// The number of a code; 0: none, or not known.
    package static func number(_ code: String?) -> Int32 {
        guard let code, !code.isEmpty else { return 0 }
        for (number, name) in names.enumerated() where sameBytes(name, code) {
            return Int32(truncatingIfNeeded: number)
        }
        return 0
    }
}
