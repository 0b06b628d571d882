import COpenSSL

/// The algorithms of this library, fetched from OpenSSL's default context once, and the contexts that are
/// worth keeping.
///
/// An algorithm that is not fetched beforehand is looked up under a lock at every use, which is slow and does not scale
/// over threads. If a fetch fails here, every use of that algorithm fails with `.library`.
struct Algorithms: @unchecked Sendable {
    /// Made at first use; lives as long as the process.
    static let shared = Algorithms()

    let sha256: OpaquePointer?
    let aes128CBC: OpaquePointer?
    let hmac: OpaquePointer?
    let pbkdf2: OpaquePointer?
    /// The curve, for turning a private number into its point. Only read after it is made.
    let p256: OpaquePointer?

    /// 16 zero bytes: the zero IV, and the key that overwrites a real one.
    let zeros: UnsafePointer<UInt8>

    /// `EVP_MD_CTX` of SHA-256, ready for input.
    let digests: ContextPool
    /// `EVP_MAC_CTX` of HMAC-SHA-256, keyed with zeros.
    let macs: ContextPool
    /// `EVP_PKEY_CTX` ready to generate P-256 key pairs.
    let generators: ContextPool
    /// A key with nothing but the curve: copying it costs a third of naming the curve. Only read after it is made.
    let p256Parameters: OpaquePointer?

    private init() {
        let zeros = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
        zeros.initialize(repeating: 0, count: 16)
        let keys = UnsafePointer(zeros)
        self.zeros = keys

        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        let hmac = EVP_MAC_fetch(nil, "HMAC", nil)
        self.hmac = hmac
        let sha256 = EVP_MD_fetch(nil, "SHA256", nil)
        self.sha256 = sha256
        aes128CBC = EVP_CIPHER_fetch(nil, "AES-128-CBC", nil)
        pbkdf2 = EVP_KDF_fetch(nil, "PBKDF2", nil)
        p256 = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
        p256Parameters = P256.makeParameters()
        digests = ContextPool(.digest)
        macs = ContextPool(.mac)
        generators = ContextPool(.generator)
    }
}
