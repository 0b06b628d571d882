// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension Session {
    /// Reads the status of an activation of 4.0 and follows the server's counter (powerauth4.md §11). If `stateChanged`, store
    /// the state.
    ///
    /// - Parameters:
    ///   - plaintext: the decrypted answer.
    ///   - meanwhile: the events since the request, as in 3.x.
    /// - Throws: `missingActivation`, `activationPending`; `invalidActivationData` when the answer cannot be read or is not
    ///   the server's.
    package func processStatusV4(
        _ plaintext: SecureBytes, meanwhile: ActivationStatus.Meanwhile = []
    ) throws(PowerAuthError) -> ActivationStatus {
        let (record, _) = try activatedV4()
        let root = try JSONFields.parse(plaintext, .invalidActivationData)
        guard let bytes = root.base64("activationStatus") else {
            throw PowerAuthError(.invalidActivationData, "the status is malformed")
        }
        let utility = try utilityV4(record)
        let blob = try V4.StatusBlob(
            bytes,
            key: try attempt(
                .encryption, "the key could not be derived", try V4.UtilityKey.status.derive(from: utility)))
        guard let state = ActivationStatus.State(rawValue: blob.state), state != .deadlock, state != .created,
            (1...64).contains(blob.lookAhead)
        else { throw PowerAuthError(.invalidActivationData, "the status has impossible values") }
        guard blob.currentVersion == 4 || (blob.currentVersion == 3 && blob.flags.contains(.upgradePending)) else {
            throw PowerAuthError(.unsupportedProtocol, "the server does not hold an activation of protocol 4.0")
        }
        var blockExpires: Int64?
        if state == .blocked, let time = root.present("timestampBlockExpire")?.int64, time > 0 { blockExpires = time }

        let found = try attempt(.encryption, "the counters could not be compared") { () throws(CryptoError) in
            try blob.distance(
                from: record.copy(.counterV4), key: try V4.UtilityKey.counter.derive(from: utility))
        }
        let (counter, ahead, before) = follow(
            record, found, serverByte: blob.counterByte, lookAhead: blob.lookAhead, meanwhile)
        let knewFailures = record.noteFailures(blob.failCount)
        let marksBefore = record.marks
        // The keys have opened it: what is stored from now on is the activation of 4.0.
        let isProof = former != nil
        former = nil
        // Only a status with its MAC says what is finished, and what is not: a server that was put back to a backup may have
        // forgotten a confirmation.
        if !blob.flags.contains(.confirmationPending) {
            record.marks.remove(.confirm)
        } else if meanwhile.isEmpty {
            record.marks.insert(.confirm)
        }
        if blob.flags.contains(.upgradePending) {
            if meanwhile.isEmpty { record.marks.insert(.upgrade) }
        } else if blob.currentVersion == 4 {
            record.marks.remove(.upgrade)
        }
        return ActivationStatus(
            state: counter == .invalid ? .deadlock : state, failCount: Int(blob.failCount),
            maxFailCount: Int(blob.maxFailCount), customObject: try customObject(root), counter: counter,
            stateChanged: counter == .updated || record.window != before.window
                || record.unacknowledged != before.unacknowledged || record.marks != marksBefore || isProof
                || record.hasFailures != knewFailures,
            ahead: ahead, flags: blob.flags, blockExpires: blockExpires)
    }
}
