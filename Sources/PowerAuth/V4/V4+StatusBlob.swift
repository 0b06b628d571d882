// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

extension V4 {
    /// The status of an activation (powerauth4.md §11).
    package struct StatusBlob: Sendable {
        /// The number of bytes that count; more are cut off.
        package static let count = 80

        /// The server's flags in addition to the state.
        package struct Flags: OptionSet, Sendable {
            package let rawValue: UInt8
            package init(rawValue: UInt8) { self.rawValue = rawValue }

            /// The activation waits for `activation/confirm`.
            package static let confirmationPending = Flags(rawValue: 1)
            /// The upgrade waits for `upgrade/confirm`.
            package static let upgradePending = Flags(rawValue: 2)
            /// The server makes no new activations of this suite any more.
            package static let suiteWithdrawn = Flags(rawValue: 4)
            /// The server has a biometry key.
            package static let biometryEnabled = Flags(rawValue: 8)
        }

        /// 2 to 5, as in 3.x.
        package let state: UInt8
        package let currentVersion: UInt8
        package let upgradeVersion: UInt8
        package let flags: Flags
        package let counterByte: UInt8
        package let failCount: UInt8
        package let maxFailCount: UInt8
        package let lookAhead: UInt8
        /// The server's counter under `KEY_MAC_CTR_DATA`.
        let counterHash: SecureBytes

        /// Checks and reads a blob.
        ///
        /// - Parameter key: `KEY_MAC_STATUS`.
        /// - Throws: `invalidActivationData` for a blob that is too short, has a wrong MAC or beginning, or a state
        ///   that servers never send to clients; `encryption` when the crypto library fails.
        package init(_ blob: some Bytes, key: SecureBytes) throws(PowerAuthError) {
            self = try blob.withBytes { (bytes) throws(PowerAuthError) in try StatusBlob(bytes, key) }
        }

        private init(_ bytes: UnsafeRawBufferPointer, _ key: SecureBytes) throws(PowerAuthError) {
            guard bytes.count >= StatusBlob.count else {
                throw PowerAuthError(.invalidActivationData, "the activation status is too short")
            }
            let covered = UnsafeRawBufferPointer(rebasing: bytes[..<48])
            let isRight = try attempt(
                .encryption, "the activation status could not be checked",
                try KMAC.isValid(
                    UnsafeRawBufferPointer(rebasing: bytes[48..<StatusBlob.count]), for: covered, key: key,
                    customization: "PA4MAC-STATUS"))
            guard isRight, bytes[0] == 0xDE, bytes[1] == 0xC0, bytes[2] == 0xDE, bytes[3] == 0xD4 else {
                throw PowerAuthError(.invalidActivationData, "the activation status is not the server's")
            }
            guard (2...5).contains(bytes[4]) else {
                throw PowerAuthError(.invalidActivationData, "the activation status has a state that is not known")
            }
            state = bytes[4]
            currentVersion = bytes[5]
            upgradeVersion = bytes[6]
            flags = Flags(rawValue: bytes[7])
            counterByte = bytes[12]
            failCount = bytes[13]
            maxFailCount = bytes[14]
            lookAhead = bytes[15]
            counterHash = SecureBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[16..<48]))
        }

        /// The widest window that a server may have.
        private static let maximumLookAhead = 64

        /// The number of steps from the local counter to the server's; nil when it is not within the window.
        ///
        /// - Parameter key: `KEY_MAC_CTR_DATA`.
        /// - Returns: the distance, and the counter there. ``CounterSynchronization/outcome(hashDistance:localByte:serverByte:lookAhead:)``
        ///   decides.
        func distance(
            from counter: SecureBytes, key: SecureBytes
        ) throws(CryptoError) -> (steps: Int, counter: SecureBytes)? {
            try CounterSynchronization.walk(
                from: counter, to: counterHash, lookAhead: min(Int(lookAhead), StatusBlob.maximumLookAhead)
            ) { (counter) throws(CryptoError) in
                try HashCounter.next(counter)
            } hash: { (counter) throws(CryptoError) in
                try KMAC.authenticateSecure(counter, key: key, customization: "PA4MAC-CTR")
            }
        }
    }
}
