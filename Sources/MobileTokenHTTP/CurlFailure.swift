// SPDX-License-Identifier: Apache-2.0
import CCurl
import CSystem
import MobileTokenCrypto

extension TransportError {
    /// Translates libcurl's result into this library's errors.
    init(_ result: CURLcode, _ transfer: CurlTransfer, _ easy: CurlEasy) {
        let systemError = Int32(truncatingIfNeeded: easy.number(CURLINFO_OS_ERRNO))
        var problem: CertificateProblem?
        var detail = easy.detail(result)
        let code: Code
        switch transfer.abort {
        case .tooLarge?:
            code = .responseTooLarge
            detail = "the response is too large"
        case .repetition?:
            code = .connectionLost
            detail = "the connection was lost, and a signed request is not repeated"
        case nil:
            code =
                Self.isAboutClient(result, detail) && !transfer.isAnswerBegun
                ? .clientCertificate : Self.code(result, transfer, easy, systemError)
            if case .certificate = code { problem = Self.problem(easy.number(CURLINFO_SSL_VERIFYRESULT)) }
        }
        self.init(
            code, certificateProblem: problem, curlCode: Int32(bitPattern: result.rawValue), systemError: systemError,
            sent: code == .clientCertificate ? .notSent : transfer.outcome, detail: detail)
    }

    /// Whether OpenSSL's error, which libcurl quotes, is an alert of the server's about the client's certificate (RFC 8446 §6.2).
    /// In TLS 1.3 it comes when the client is done with the handshake and has sent the request, which the server does not read:
    /// its own part of the handshake has failed.
    ///
    /// One that says that it has expired libcurl takes for a failure of its own verification up to TLS 1.2, in words that give no
    /// reason; what it verifies itself has one.
    private static func isAboutClient(_ result: CURLcode, _ text: String) -> Bool {
        let bytes = [UInt8](text.utf8)
        if result == CURLE_PEER_FAILED_VERIFICATION, bytes.elementsEqual("SSL certificate verification failed".utf8) {
            return true
        }
        let mark: StaticString = "error:"
        guard let start = bytes.indices.first(where: { begins(bytes[$0...], with: mark) }) else { return false }
        var number: UInt32 = 0
        for byte in bytes[(start + 6)...].prefix(8) {
            guard let digit = PercentEncoding.value(byte) else { return false }
            number = number << 4 | UInt32(digit)
        }
        // 20 is libssl; its reasons from 1000 on are alerts.
        guard number >> 23 & 0xFF == 20 else { return false }
        switch number & 0x7F_FFFF {
        case 1042...1046, 1048, 1116: return true
        default: return false
        }
    }

    private static func code(
        _ result: CURLcode, _ transfer: CurlTransfer, _ easy: CurlEasy, _ systemError: Int32
    ) -> Code {
        let isBeforeSending = transfer.offers == 0
        if transfer.request.proxy != nil, isBeforeSending, isProxyFailure(result) { return .proxy }
        switch result {
        case CURLE_URL_MALFORMAT: return .invalidURL
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            // HTTP/0.9, that is anything without a status line, counts as an unsupported protocol.
            return isBeforeSending ? .invalidURL : .badServerResponse
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .proxy
        case CURLE_COULDNT_RESOLVE_HOST: return .hostNotFound
        case CURLE_COULDNT_CONNECT: return connectCode(systemError)
        case CURLE_OPERATION_TIMEDOUT: return .timeout
        case CURLE_PEER_FAILED_VERIFICATION: return .certificate
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return .pinMismatch
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_USE_SSL_FAILED:
            return .tls
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_FAIL_REWIND,
            CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_AGAIN:
            // Among them are an HTTP/2 server that says goodbye (GOAWAY) and one that resets the stream.
            return .connectionLost
        case CURLE_BAD_CONTENT_ENCODING: return .badServerResponse
        case CURLE_FILESIZE_EXCEEDED: return .responseTooLarge
        case CURLE_OUT_OF_MEMORY:
            // libcurl says so of a header line above its own limit, too; memory does not run out in practice.
            return isBeforeSending ? .outOfMemory : .responseTooLarge
        default: return .internal
        }
    }

    /// Failures of the proxy before the connection was ready: the server's own TLS is not one of them.
    private static func isProxyFailure(_ result: CURLcode) -> Bool {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING:
            true
        default: false
        }
    }

    private static func connectCode(_ systemError: Int32) -> Code {
        switch systemError {
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL, EHOSTDOWN, ENONET: .notConnected
        case ETIMEDOUT: .timeout
        case ECONNRESET, EPIPE: .connectionLost
        default: .connectionRefused
        }
    }

    /// OpenSSL's `X509_V_ERR_…`, see X509_STORE_CTX_get_error(3).
    private static func problem(_ verifyResult: Int) -> CertificateProblem {
        switch verifyResult {
        // libcurl compares the names itself after OpenSSL was content; until then it leaves a 1 here.
        case 0, 1, 62, 64: .wrongHost
        case 9: .notYetValid
        case 10: .expired
        case 18, 19: .selfSigned
        case 2, 20, 21, 24, 27, 28: .untrusted
        case 23: .revoked
        case 66, 67, 68: .weak
        default: .other
        }
    }
}
