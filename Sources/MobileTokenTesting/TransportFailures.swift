// SPDX-License-Identifier: Apache-2.0
import CMTokenTesting
import MobileTokenHTTP

extension TransportError {
    /// The failures of a request that a test can name, by their numbers in the header.
    private static let failures: [(value: mtoken_testing_failure_values, code: Code)] = [
        (MTOKEN_TESTING_FAILURE_TIMEOUT, .timeout), (MTOKEN_TESTING_FAILURE_NOT_CONNECTED, .notConnected),
        (MTOKEN_TESTING_FAILURE_HOST_NOT_FOUND, .hostNotFound),
        (MTOKEN_TESTING_FAILURE_CONNECTION_REFUSED, .connectionRefused),
        (MTOKEN_TESTING_FAILURE_CONNECTION_LOST, .connectionLost),
        (MTOKEN_TESTING_FAILURE_BAD_RESPONSE, .badServerResponse), (MTOKEN_TESTING_FAILURE_TLS, .tls),
        (MTOKEN_TESTING_FAILURE_CERTIFICATE, .certificate), (MTOKEN_TESTING_FAILURE_PIN_MISMATCH, .pinMismatch),
        (MTOKEN_TESTING_FAILURE_TOO_LARGE, .responseTooLarge), (MTOKEN_TESTING_FAILURE_PROXY, .proxy),
        (MTOKEN_TESTING_FAILURE_INVALID_URL, .invalidURL),
        (MTOKEN_TESTING_FAILURE_INVALID_REQUEST, .invalidRequest),
        (MTOKEN_TESTING_FAILURE_OUT_OF_MEMORY, .outOfMemory), (MTOKEN_TESTING_FAILURE_INTERNAL, .internal),
    ]

    /// The failure of a number; nil for an unknown one.
    init?(number: Int32, sent: Bool) {
        guard let failure = Self.failures.first(where: { $0.value.rawValue == number }) else { return nil }
        self.init(failure.code, sent: sent ? .sentAnswerUnknown : .notSent, detail: "the test said so")
    }

    /// The number of the failure; one that no test can name (a refused http URL, a cancelled request) is `internal`.
    var number: mtoken_testing_failure {
        (Self.failures.first { $0.code == code }?.value ?? MTOKEN_TESTING_FAILURE_INTERNAL).rawValue
    }
}
