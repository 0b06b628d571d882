// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The header `X-PowerAuth-Authorization` (powerauth.md §9.4).
enum SignatureHeader {
    /// Its value, written straight into the memory of the String: signing is the hot path.
    ///
    /// - Parameters:
    ///   - nonce: Base64.
    ///   - signature: as the version writes it.
    static func value(
        _ version: ProtocolVersion, activationId: UnsafeRawBufferPointer, applicationKey: UnsafeRawBufferPointer,
        nonce: UnsafeRawBufferPointer, signatureType: StaticString, signature: UnsafeRawBufferPointer
    ) -> String {
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
            writer.append("\", pa_" as StaticString)
            writer.append(version.codeWord)
            writer.append("_type=\"" as StaticString)
            writer.append(signatureType)
            writer.append("\", pa_" as StaticString)
            writer.append(version.codeWord)
            writer.append("=\"" as StaticString)
            writer.append(signature)
            writer.append("\"" as StaticString)
            return writer.count
        }
    }
}
