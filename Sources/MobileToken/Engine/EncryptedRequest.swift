// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenSystem
import PowerAuth

/// How a request of the host's own is signed besides being encrypted.
public struct RequestSignature: Sendable {
    /// Whether the signature covers the encrypted body, as at the standard endpoints, or the plaintext.
    public enum Order: Sendable {
        case encryptThenSign
        case signThenEncrypt
    }

    /// The resource that the signature is bound to.
    public let uriId: String
    /// The order of encryption and signature.
    public let order: Order
    /// The factors to sign with.
    public let authentication: Authentication

    /// How a request is signed.
    public init(uriId: String, order: Order, authentication: Authentication) {
        self.uriId = uriId
        self.order = order
        self.authentication = authentication
    }
}

/// A request of the host's own in encrypted form, which can decrypt its one answer. May be used from any thread.
public final class EncryptedRequest: @unchecked Sendable {
    /// The body to send.
    public let body: [UInt8]
    /// The one header that goes with it.
    public let headerName: StaticString
    /// The value of that header.
    public let headerValue: String
    private let open: (JSONDocument) throws(Failure) -> SecureBytes

    init(
        _ body: [UInt8], _ name: StaticString, _ value: String,
        open: @escaping (JSONDocument) throws(Failure) -> SecureBytes
    ) {
        self.body = body
        headerName = name
        headerValue = value
        self.open = open
    }

    /// Decrypts the answer to the request, once.
    ///
    /// - Parameter answer: the HTTP body
    package func decrypt(_ answer: UnsafeRawBufferPointer) throws(Failure) -> SecureBytes {
        guard let document = try? JSONDocument(parsing: answer) else {
            throw Failure(
                .parse, Reason.networkInvalidResponse, "The response is not JSON, so it cannot be decrypted.",
                outcome: .answered)
        }
        return try open(document)
    }
}
