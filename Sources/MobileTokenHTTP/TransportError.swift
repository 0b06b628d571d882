// SPDX-License-Identifier: Apache-2.0
/// Why no answer came.
public struct TransportError: Error, Equatable, Sendable {
    /// The kinds of failure. Their texts for users are made elsewhere.
    package enum Code: Sendable {
        /// The caller cancelled, or the transport was shut down.
        case cancelled
        /// The time of the request was over.
        case timeout
        /// There is no network, or no route to the host.
        case notConnected
        /// The name of the host has no address, or no name server answered.
        case hostNotFound
        /// The host answered that nothing listens on the port.
        case connectionRefused
        /// The connection broke off before the answer was complete.
        case connectionLost
        /// The response is not HTTP.
        case badServerResponse
        /// The TLS handshake failed, other than by the certificate.
        case tls
        /// The server's certificate was not accepted; see `certificateProblem`.
        case certificate
        /// The server did not accept the client's certificate, or requires one.
        case clientCertificate
        /// There are no certificates of authorities to compare the server's with.
        case authoritiesMissing
        /// The certificate is acceptable, but its public key is not pinned, or all pins have expired.
        case pinMismatch
        /// The answer's header or body was larger than allowed.
        case responseTooLarge
        /// The proxy was not found, refused, or is of an unknown kind.
        case proxy
        /// The URL is not one of the accepted form.
        case invalidURL
        /// The URL says `http`, which the TLS policy does not allow.
        case insecureURLRefused
        /// A header or another part of the request cannot be sent.
        case invalidRequest
        /// Memory ran out.
        case outOfMemory
        /// A defect, or a system that gives no descriptors or threads.
        case `internal`
    }

    /// The fault of a refused certificate.
    package enum CertificateProblem: Sendable {
        /// No trusted authority issued it.
        case untrusted
        /// It, or the root it came with, is signed by itself and is not trusted.
        case selfSigned
        case expired
        case notYetValid
        /// It is for other host names.
        case wrongHost
        case revoked
        /// Its key or signature algorithm is too weak.
        case weak
        /// Anything else; `detail` has OpenSSL's words.
        case other
    }

    /// How far the request got.
    package enum Outcome: Sendable {
        /// No byte of the request left: it may be sent again.
        case notSent
        /// At least a part was sent: the server may have carried it out.
        case sentAnswerUnknown
    }

    package var code: Code
    /// Set with `Code.certificate` only.
    package var certificateProblem: CertificateProblem?
    /// The number of libcurl's error (`CURLcode`), 0 when the error is not libcurl's.
    package var curlCode: Int32
    /// The `errno` of the system call that failed, 0 when there was none.
    package var systemError: Int32
    /// Whether the request can have reached the server.
    package var sent: Outcome
    /// A description in English, for logs and developers. May name the host, never a header or a body.
    package var detail: String

    package init(
        _ code: Code, certificateProblem: CertificateProblem? = nil, curlCode: Int32 = 0, systemError: Int32 = 0,
        sent: Outcome = .notSent, detail: String
    ) {
        self.code = code
        self.certificateProblem = certificateProblem
        self.curlCode = curlCode
        self.systemError = systemError
        self.sent = sent
        self.detail = detail
    }
}
