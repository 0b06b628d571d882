// SPDX-License-Identifier: Apache-2.0
import MobileTokenHTTP
import PowerAuth

extension TransportError {
    fileprivate var faults: (NetworkFault, TLSFault) {
        switch code {
        case .notConnected: (.notConnected, .none)
        case .hostNotFound: (.hostNotFound, .none)
        case .connectionRefused: (.connectionRefused, .none)
        case .connectionLost: (.connectionLost, .none)
        case .timeout: (.timeout, .none)
        case .proxy: (.proxy, .none)
        case .badServerResponse: (.notHTTP, .none)
        case .responseTooLarge: (.tooLarge, .none)
        case .tls: (.none, .handshake)
        case .certificate: (.none, certificateFault)
        case .authoritiesMissing: (.none, .untrusted)
        case .pinMismatch: (.none, .pinMismatch)
        case .clientCertificate: (.none, .clientCertificate)
        case .cancelled, .invalidURL, .insecureURLRefused, .invalidRequest, .outOfMemory, .internal: (.none, .none)
        }
    }

    private var certificateFault: TLSFault {
        switch certificateProblem {
        case .untrusted: .untrusted
        case .selfSigned: .selfSigned
        case .expired: .expired
        case .notYetValid: .notYetValid
        case .wrongHost: .wrongHost
        case .revoked: .revoked
        case .weak: .weak
        case .other, nil: .other
        }
    }
}

extension TransportError {
    /// The host's report about a request; nil unless it has exactly one fault.
    package init?(_ network: NetworkFault, _ tls: TLSFault, isSent: Bool) {
        guard (network == .none) != (tls == .none) else { return nil }
        var problem: CertificateProblem?
        let code: Code
        switch (network, tls) {
        case (.notConnected, _): code = .notConnected
        case (.hostNotFound, _): code = .hostNotFound
        case (.connectionRefused, _): code = .connectionRefused
        case (.connectionLost, _): code = .connectionLost
        case (.timeout, _): code = .timeout
        case (.proxy, _): code = .proxy
        case (.notHTTP, _): code = .badServerResponse
        case (.tooLarge, _): code = .responseTooLarge
        case (.none, .handshake): code = .tls
        case (.none, .pinMismatch): code = .pinMismatch
        case (.none, .clientCertificate): code = .clientCertificate
        case (.none, .untrusted): (code, problem) = (.certificate, .untrusted)
        case (.none, .selfSigned): (code, problem) = (.certificate, .selfSigned)
        case (.none, .expired): (code, problem) = (.certificate, .expired)
        case (.none, .notYetValid): (code, problem) = (.certificate, .notYetValid)
        case (.none, .wrongHost): (code, problem) = (.certificate, .wrongHost)
        case (.none, .revoked): (code, problem) = (.certificate, .revoked)
        case (.none, .weak): (code, problem) = (.certificate, .weak)
        case (.none, .other), (.none, .none): (code, problem) = (.certificate, .other)
        }
        self.init(
            code, certificateProblem: problem, sent: isSent ? .sentAnswerUnknown : .notSent, detail: "the host says so")
    }
}

extension Failure {
    /// A failure of the network below.
    ///
    /// - Parameter signed: the request held a signature, so that repeating the same call is safe only if it was not sent
    init(_ error: TransportError, signed: Bool) {
        let code: Code
        let reason: StaticString
        let message: StaticString
        switch error.code {
        case .cancelled: (code, reason, message) = (.cancelled, Reason.canceled, "The call was cancelled.")
        case .timeout: (code, reason, message) = (.timeout, Reason.networkTimeOut, "The server did not answer in time.")
        case .notConnected:
            (code, reason, message) = (.network, Reason.networkNoConnection, "The device has no network connection.")
        case .hostNotFound:
            (code, reason, message) = (.network, Reason.networkGeneric, "The server's name could not be resolved.")
        case .connectionRefused:
            (code, reason, message) = (.network, Reason.networkGeneric, "The server refused the connection.")
        case .connectionLost:
            (code, reason, message) = (.network, Reason.networkGeneric, "The connection to the server was lost.")
        case .badServerResponse:
            (code, reason, message) = (
                .protocol, Reason.networkBadServerResponse, "The server's response is not valid HTTP."
            )
        case .tls: (code, reason, message) = (.tls, Reason.networkTLS, "The TLS connection failed.")
        case .certificate:
            (code, reason, message) = (.tls, Reason.networkTLS, "The server's certificate is not trusted.")
        case .clientCertificate:
            (code, reason, message) = (
                .tls, Reason.networkTLS, "The server refused the client's certificate, or requires one."
            )
        case .authoritiesMissing:
            (code, reason, message) = (
                .tls, Reason.networkTLS,
                "No trusted certificates were found. Install ca-certificates, set SSL_CERT_FILE, or give ca_file."
            )
        case .pinMismatch:
            (code, reason, message) = (
                .pinMismatch, Reason.networkTLS, "The server's public key matches no pinned key."
            )
        case .responseTooLarge:
            (code, reason, message) = (
                .protocol, Reason.networkInvalidResponse, "The server's response is too large."
            )
        case .proxy: (code, reason, message) = (.network, Reason.networkGeneric, "The proxy cannot be used.")
        case .invalidURL, .insecureURLRefused, .invalidRequest:
            (code, reason, message) = (
                .configuration, Reason.networkInvalidRequest,
                "The request could not be sent. Check the URLs and texts in the client's options."
            )
        case .outOfMemory, .internal:
            (code, reason, message) = (.internal, Reason.internalError, "The network library failed.")
        }
        self.init(code, reason, message.description, outcome: error.sent == .notSent ? .notSent : .unknown)
        switch code {
        case .timeout, .network: retriable = !signed || error.sent == .notSent
        default: retriable = false
        }
        transportCode = error.curlCode
        // libcurl quotes the server: its certificate, for one.
        cause = error.detail.isEmpty ? nil : ServerText.cleaned(error.detail)
        (networkFault, tlsFault) = error.faults
    }

    /// Runs a step of the protocol and converts its error.
    ///
    /// - Parameter answered: the step reads the server's answer
    package static func converting<R>(answered: Bool = false, _ step: () throws(PowerAuthError) -> R) throws(Failure)
        -> R
    {
        do throws(PowerAuthError) {
            return try step()
        } catch {
            throw Failure(error, answered: answered)
        }
    }
}
