// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The data that the MAC of an envelope covers in addition to the ciphertext (powerauth.md §5.4).
enum EnvelopeContext {
    /// `AD`: version, application key, activation identifier in activation scope, temporary key identifier in 3.3.
    static func associatedData(
        version: ProtocolVersion, applicationKey: [UInt8], activationId: [UInt8]?, temporaryKeyId: [UInt8]?
    ) -> [UInt8] {
        var data: [UInt8] = []
        data.reserveCapacity(128)
        data.appendLengthPrefixed(version.text)
        data.appendLengthPrefixed(applicationKey)
        if let activationId { data.appendLengthPrefixed(activationId) }
        if let temporaryKeyId { data.appendLengthPrefixed(temporaryKeyId) }
        return data
    }

    /// `SH2` of 3.2 and later.
    ///
    /// - Parameter ephemeralPoint: the bytes sent in a request; empty for a response.
    static func sharedInfo2(
        base: some Bytes, nonce: [UInt8], timestamp: Int64, ephemeralPoint: [UInt8], associatedData: [UInt8]
    ) -> [UInt8] {
        var data: [UInt8] = []
        data.reserveCapacity(20 + base.byteCount + 16 + 8 + ephemeralPoint.count + associatedData.count)
        data.appendLengthPrefixed(base)
        data.appendLengthPrefixed(nonce)
        data.appendBigEndian(UInt32(8))
        data.appendBigEndian(UInt64(bitPattern: timestamp))
        data.appendLengthPrefixed(ephemeralPoint)
        data.appendLengthPrefixed(associatedData)
        return data
    }
}
