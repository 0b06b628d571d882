// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The header `X-PowerAuth-Encryption` (powerauth.md §5.7).
enum EncryptionHeader {
    /// Its value; the activation identifier only in activation scope.
    static func value(version: ProtocolVersion, applicationKey: [UInt8], activationId: [UInt8]?) -> String {
        var header: [UInt8] = []
        header.reserveCapacity(160)
        header.append("PowerAuth version=\"" as StaticString)
        header.append(version.text)
        header.append("\", application_key=\"" as StaticString)
        header.append(applicationKey)
        if let activationId {
            header.append("\", activation_id=\"" as StaticString)
            header.append(activationId)
        }
        header.append("\"" as StaticString)
        return String(utf8: header)
    }
}
