/// What may be known of a token.
package struct TokenInfo: Equatable, Sendable {
    /// The server's identifier of the token.
    package let id: [UInt8]
    /// The factors of the signature with which it was created.
    package let factors: Factors
}
