// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension Session {
    /// Writes a request for the status of the activation (powerauth.md §12.1). It needs no authentication.
    ///
    /// - Throws: `missingActivation`, `activationPending`, `randomFailed`.
    package func statusRequest() throws(PowerAuthError) -> StatusRequest {
        let record = try activated3()
        let challenge = try attempt(.randomFailed, "OpenSSL could not provide random bytes", try random.bytes(16))
        return StatusRequest(activationId: record.identifier, challenge: challenge)
    }

    /// Reads the status and follows the server's counter (powerauth.md §12.3). If `stateChanged`, store the state.
    ///
    /// - Parameters:
    ///   - responseObject: the member `responseObject` of the answer.
    ///   - request: the request that was answered.
    ///   - meanwhile: the events since the request. After one, counters out of each other's reach are `outdated`, which
    ///     changes nothing.
    /// - Throws: `missingActivation`, `activationPending`; `invalidActivationData` when the answer cannot be decoded, as for
    ///   an activation that the server does not know; `unsupportedProtocol` for an activation of version 2.
    package func processStatus(
        _ responseObject: JSONValue, request: StatusRequest, meanwhile: ActivationStatus.Meanwhile = []
    ) throws(PowerAuthError) -> ActivationStatus {
        let record = try activated3()
        guard record.withIdentifier({ sameBytes($0, request.activationId) }) else {
            throw PowerAuthError(.invalidActivationData, "the status belongs to another activation")
        }
        let transportKey = try attempt(.encryption, "the transport key could not be unlocked", try transportKey(record))
        let blob = try decode(responseObject, request: request, transportKey: transportKey)
        guard blob.currentVersion == 3 else {
            throw PowerAuthError(.unsupportedProtocol, "activations of this version are not supported")
        }
        guard let state = ActivationStatus.State(rawValue: blob.state), state != .deadlock,
            (1...64).contains(blob.lookAhead)
        else { throw PowerAuthError(.invalidActivationData, "the status has impossible values") }

        let lookAhead = Int(blob.lookAhead)
        let found = try attempt(
            .encryption, "the counters could not be compared",
            try CounterSynchronization.distance(
                from: record.copy(.counter), to: blob.counterHash, lookAhead: lookAhead, transportKey: transportKey))
        let custom = try customObject(responseObject)
        let (counter, ahead, before) = follow(
            record, found, serverByte: blob.counterByte, lookAhead: blob.lookAhead, meanwhile)
        let knewFailures = record.noteFailures(blob.failCount)
        return ActivationStatus(
            state: counter == .invalid ? .deadlock : state, failCount: Int(blob.failCount),
            maxFailCount: Int(blob.maxFailCount), customObject: custom, counter: counter,
            stateChanged: counter == .updated || record.window != before.window
                || record.unacknowledged != before.unacknowledged || record.hasFailures != knewFailures,
            ahead: ahead, offersUpgrade: blob.upgradeVersion == 4)
    }

    /// The bank's additions to a status.
    func customObject(_ root: JSONValue) throws(PowerAuthError) -> [UInt8]? {
        guard let object = root.present("customObject") else { return nil }
        let text = object.compact()
        guard !text.isEmpty else { throw PowerAuthError(.encryption, "there is not enough memory") }
        return text
    }

    /// Follows the server's counter, and counts how far it may be behind.
    ///
    /// - Parameter found: where the server's counter is, if it is ahead of this one or the same.
    /// - Returns: also how many steps the server was ahead that this device did not make, and what was known before.
    func follow(
        _ record: ActivationRecord, _ found: (steps: Int, counter: SecureBytes)?, serverByte: UInt8, lookAhead: UInt8,
        _ meanwhile: ActivationStatus.Meanwhile
    ) -> (ActivationStatus.Counter, ahead: Int, before: (window: UInt8, unacknowledged: UInt8)) {
        let outcome = CounterSynchronization.outcome(
            hashDistance: found?.steps, localByte: counterByte, serverByte: serverByte, lookAhead: Int(lookAhead))
        let before = (window: record.window, unacknowledged: record.unacknowledged)
        // The one step from the window's end is this device's own: it was not counted before the server had accepted it.
        let isOwnStep = record.openStep != .none || (record.unacknowledged > 0 && !hasRoomForSignature)
        var ahead = 0
        if case .follow(let steps) = outcome, steps > 1 || !isOwnStep { ahead = steps }
        var counter: ActivationStatus.Counter
        switch outcome {
        case .unchanged: counter = .ok
        case .calculateSignature: counter = .calculateSignature
        case .invalid: counter = meanwhile.isEmpty ? .invalid : .outdated
        case .learnByte, .follow:
            if let found { record.store(found.counter, in: record.counter) }
            record.flags.insert(.counterByte)
            record.counterByte = serverByte
            counter = .updated
        }
        record.window = lookAhead
        if case .follow = outcome { record.openStep = .none }
        if record.openStep == .lost, !meanwhile.contains(.signature) { record.openStep = .none }
        switch counter {
        case .outdated: break
        case .invalid: record.unacknowledged = ActivationRecord.outOfReach
        case .updated: record.unacknowledged = 0
        case .ok, .calculateSignature:
            guard let local = counterByte else {
                // The distance is unknown, and asking again would not show it: the next signature does.
                record.unacknowledged = min(record.unacknowledged, lookAhead / 2)
                break
            }
            record.unacknowledged = found != nil ? 0 : local &- serverByte
            // The bank has widened its window for a device that was out of reach: back in step before it narrows it again.
            if before.unacknowledged == ActivationRecord.outOfReach, record.unacknowledged > 0 {
                counter = .calculateSignature
            }
        }
        return (counter, ahead, before)
    }

    private func decode(
        _ responseObject: JSONValue, request: StatusRequest, transportKey: SecureBytes
    ) throws(PowerAuthError) -> StatusBlob {
        if let activationId = responseObject.present("activationId") {
            guard let text = activationId.text, text.withBytes({ sameBytes($0, request.activationId) }) else {
                throw PowerAuthError(.invalidActivationData, "the status belongs to another activation")
            }
        }
        guard let encrypted = responseObject.base64("encryptedStatusBlob", count: StatusBlob.count),
            let nonce = responseObject.base64("nonce", count: 16)
        else { throw PowerAuthError(.invalidActivationData, "the status is malformed") }
        let plain = try attempt(.invalidActivationData, "the status could not be decrypted") { () throws(CryptoError) in
            let iv = try StatusBlob.initializationVector(
                transportKey: transportKey, challenge: request.challenge, nonce: nonce)
            return try StatusBlob.decrypt(encrypted, transportKey: transportKey, iv: iv)
        }
        guard let blob = StatusBlob(plain) else {
            throw PowerAuthError(.invalidActivationData, "the server does not know this activation")
        }
        return blob
    }
}
