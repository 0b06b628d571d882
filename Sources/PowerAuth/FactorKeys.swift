import MobileTokenCrypto

/// The unlocked keys of the factors of a signature, in the order possession, knowledge, biometry.
struct FactorKeys {
    // Three fields instead of an array: signing is the hot path.
    private var first: SecureBytes?
    private var second: SecureBytes?
    private var third: SecureBytes?

    /// Adds the key of the next factor; there are at most three.
    mutating func append(_ key: SecureBytes) {
        if first == nil {
            first = key
        } else if second == nil {
            second = key
        } else {
            third = key
        }
    }

    /// Computes the signature of a text with a counter value and appends it (powerauth.md §9.3).
    func appendSignature(
        of data: [UInt8], counter: UnsafeRawBufferPointer, as text: SignatureText, to output: inout [UInt8]
    ) throws(CryptoError) {
        guard let first else { return }
        guard let second else {
            let component = try HMACSHA256.authenticate(data, seed: counter, key: first)
            switch text {
            case .base64: Base64.append(component[16...], to: &output)
            case .decimal(let length): DecimalCode.append(component, length: length, to: &output)
            }
            return
        }
        // K(i) = HMAC(F[i], CTR), then for j < i: K = HMAC(HMAC(F[j+1], CTR), K).
        let derived1 = try HMACSHA256.authenticateSecure(counter, key: second)
        var components = try HMACSHA256.authenticate(data, seed: counter, key: first)
        components.append(
            contentsOf: try HMACSHA256.authenticate(data, seed: derived1, key: derived1))
        if let third {
            let derived2 = try HMACSHA256.authenticateSecure(counter, key: third)
            let step = try HMACSHA256.authenticateSecure(derived2, key: derived1)
            components.append(
                contentsOf: try HMACSHA256.authenticate(data, seed: step, key: derived2))
        }
        append(components, as: text, to: &output)
    }

    /// Writes components of 32 bytes each.
    private func append(_ components: [UInt8], as text: SignatureText, to output: inout [UInt8]) {
        var kept: [UInt8] = []
        kept.reserveCapacity(48)
        var start = 0
        while start < components.count {
            switch text {
            case .base64:
                kept.append(contentsOf: components[(start + 16)..<(start + 32)])
            case .decimal(let length):
                if start > 0 { output.append(UInt8(ascii: "-")) }
                DecimalCode.append(components[start..<(start + 32)], length: length, to: &output)
            }
            start += 32
        }
        Base64.append(kept, to: &output)
    }
}
