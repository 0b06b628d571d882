import MobileTokenCrypto

/// The header `X-PowerAuth-Authorization` (powerauth.md §9.4).
struct SignatureHeader {
    let version: ProtocolVersion
    let applicationKey: [UInt8]
    let signatureType: StaticString
    /// Base64.
    let nonce: ArraySlice<UInt8>
    let signature: [UInt8]

    /// Its value, written straight into the memory of the String: signing is the hot path.
    func value(activationId: UnsafeRawBufferPointer) -> String {
        let capacity = 192 + activationId.count + applicationKey.count + nonce.count + signature.count
        return String(unsafeUninitializedCapacity: capacity) { buffer in
            var writer = ByteWriter(buffer)
            writer.append("PowerAuth pa_version=\"" as StaticString)
            writer.append(version.text)
            writer.append("\", pa_activation_id=\"" as StaticString)
            writer.append(activationId)
            writer.append("\", pa_application_key=\"" as StaticString)
            writer.append(applicationKey)
            writer.append("\", pa_nonce=\"" as StaticString)
            writer.append(nonce)
            writer.append("\", pa_signature_type=\"" as StaticString)
            writer.append(signatureType)
            writer.append("\", pa_signature=\"" as StaticString)
            writer.append(signature)
            writer.append("\"" as StaticString)
            return writer.count
        }
    }
}
