// SPDX-License-Identifier: Apache-2.0
/// The codes of the server's error objects that are known (errors.md §3), by their number.
package enum ServerCode {
    /// Each with a NUL behind it, from number 1 on. New ones are appended.
    private static let names: StaticString = """
        ERROR_GENERIC\0\
        ERROR_NOT_FOUND\0\
        POWERAUTH_AUTH_FAIL\0\
        INVALID_REQUEST\0\
        INVALID_ACTIVATION\0\
        INVALID_APPLICATION\0\
        INVALID_OPERATION\0\
        ERR_ACTIVATION\0\
        ERR_AUTHENTICATION\0\
        ERR_SECURE_VAULT\0\
        ERR_ENCRYPTION\0\
        PUSH_REGISTRATION_FAILED\0\
        OPERATION_ALREADY_FINISHED\0\
        OPERATION_ALREADY_FAILED\0\
        OPERATION_ALREADY_CANCELED\0\
        OPERATION_EXPIRED\0\
        OPERATION_FAILED\0\
        OPERATION_REQUIRES_ACTIVATION_FLAG\0\
        ERR_CONFIG\0\
        INBOX_FAILED\0\
        APPLICATION_CONFIGURATION_ERROR\0\
        ACTIVATION_CODE_FAILED\0\
        REMOTE_COMMUNICATION_ERROR\0\
        ACTIVATION_NOT_ACTIVE\0\
        ACTIVATION_NOT_CONFIGURED\0\
        ONBOARDING_FAILED\0\
        ONBOARDING_PROCESS_LIMIT_REACHED\0\
        TOO_MANY_ONBOARDING_PROCESSES\0\
        ONBOARDING_OTP_FAILED\0\
        INVALID_DOCUMENT\0\
        DOCUMENT_SUBMIT_FAILED\0\
        IDENTITY_VERIFICATION_FAILED\0\
        IDENTITY_VERIFICATION_LIMIT_REACHED\0\
        DOCUMENT_VERIFICATION_FAILED\0\
        PRESENCE_CHECK_FAILED\0\
        PRESENCE_CHECK_NOT_ENABLED\0\
        PRESENCE_CHECK_LIMIT_REACHED\0\
        TOO_MANY_REQUESTS\0\
        ERR_TEMPORARY_KEY\0\
        ERR_UPGRADE\0\
        ERR_PASSWORD_CHANGE\0\
        ERR_BIOMETRY\0\
        ERR_USER_INFO\0\
        ERR_STATUS\0\
        ERR_VALIDATION\0\

        """

    /// The code of a number, with a NUL behind it; nil: there is none.
    package static func name(_ number: Int32) -> UnsafePointer<UInt8>? {
        var names = Names(names)
        guard number > 0 else { return nil }
        for _ in 1..<number where names.next() == nil { return nil }
        return names.next()?.start
    }

    /// The number of a code; 0: none, or not known.
    package static func number(_ code: String?) -> Int32 {
        guard let code else { return 0 }
        var number: Int32 = 0
        for (start, count) in Names(names) {
            number += 1
            if code.utf8.elementsEqual(UnsafeBufferPointer(start: start, count: count)) { return number }
        }
        return 0
    }
}

/// The parts of a text, each with a NUL behind it. One text takes a tenth of the room of an array of texts.
private struct Names: Sequence, IteratorProtocol {
    private var place: UnsafePointer<UInt8>
    private var left: Int

    init(_ text: StaticString) {
        place = text.utf8Start
        left = text.utf8CodeUnitCount
    }

    mutating func next() -> (start: UnsafePointer<UInt8>, count: Int)? {
        guard let count = UnsafeBufferPointer(start: place, count: left).firstIndex(of: 0) else { return nil }
        defer {
            place += count + 1
            left -= count + 1
        }
        return (place, count)
    }
}
