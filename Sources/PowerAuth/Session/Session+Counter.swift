// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// How far the device may be ahead of the server: each signature moves the device's counter, only an accepted one the server's
/// (powerauth.md §12.3, released-servers.md §4).
extension Session {
    /// The counter before a signature.
    package struct CounterMark {
        fileprivate let counter: SecureBytes
        fileprivate let byte: UInt8
        fileprivate let signatures: UInt64
    }

    /// How many signatures no answer has acknowledged; 0 without an activation.
    package var unacknowledged: Int { Int(record?.unacknowledged ?? 0) }

    /// The width of the server's look-ahead window; nil until a status has reported it.
    package var window: Int? {
        guard let window = record?.window, window > 0 else { return nil }
        return Int(window)
    }

    /// The assumed width until a status has reported it: servers have 20 unless configured otherwise.
    private static let narrowWindow = 5

    /// Whether another signature that the server might never see leaves the activation within the server's window.
    package var hasRoomForSignature: Bool { unacknowledged + 1 < window ?? Self.narrowWindow }

    /// Counts the signatures that this object has seen.
    package var signatures: UInt64 { record?.signatures ?? 0 }

    /// Remembers the counter before a signature is made; nil without an activation.
    package func counterMark() -> CounterMark? {
        guard let record else { return nil }
        return CounterMark(
            counter: record.copy(record.counter), byte: record.counterByte, signatures: record.signatures)
    }

    /// The server has accepted the signature that was made after the mark: only later ones are open.
    ///
    /// It need not be stored: a stored number that is too large costs a status request, never a signature.
    package func acknowledge(_ mark: CounterMark) { acknowledge(upTo: mark.signatures &+ 1) }

    /// The server has accepted the signature up to which `signatures` counts: only later ones are open.
    package func acknowledge(upTo signature: UInt64) {
        guard let record, record.signatures >= signature else { return }
        record.unacknowledged = min(record.unacknowledged, UInt8(clamping: record.signatures - signature))
    }

    /// As far as is known, the server has followed to the signature made after the mark, which is the last one.
    package func isAcknowledged(_ mark: CounterMark) -> Bool {
        guard let record else { return false }
        return record.signatures == mark.signatures &+ 1 && record.unacknowledged == 0
    }

    /// The server has found the user's factor right: there are no failed attempts. It need not be stored either.
    package func forgetFailures() { record?.hasFailures = false }

    /// The server may have counted failed attempts of the user.
    package var mayHaveFailures: Bool { record?.hasFailures ?? false }

    /// Withdraws the signature that was made after the mark, no byte of which has left the device. Store the state.
    ///
    /// - Returns: false if there is nothing to withdraw: another signature was made after it, or the activation
    ///   changed.
    package func takeBack(_ mark: CounterMark) -> Bool {
        guard let record, record.signatures == mark.signatures &+ 1 else { return false }
        record.store(mark.counter, in: record.counter)
        record.counterByte = mark.byte
        // The number stays: no other mark may fit.
        record.signatures &+= 1
        if record.unacknowledged > 0, record.unacknowledged < ActivationRecord.outOfReach { record.unacknowledged -= 1 }
        return true
    }

    /// Withdraws the signature that was made after the mark and is sent nevertheless: it counts once the server has
    /// accepted it.
    package func takeBackOnItsWay(_ mark: CounterMark) {
        if takeBack(mark) { record?.openStep = .onItsWay }
    }

    /// The signature that was withdrawn while it was being sent has failed.
    ///
    /// - Parameter isLost: the server may have accepted it. Only a status fetched from now on can show that.
    package func endStep(isLost: Bool) {
        guard let record, record.openStep == .onItsWay else { return }
        record.openStep = isLost ? .lost : .none
        if isLost { record.signatures &+= 1 }
    }

    /// The server may have accepted the withdrawn signature: a status comes before another one with its value of the counter.
    package var stepIsLost: Bool { record?.openStep == .lost }

    /// Undoes the signature that was just made, because it could not be stored. Only as long as nothing of it has left the owner
    /// and nothing else has changed.
    package func undoSignature() { record?.stepBack() }

    /// Follows the server over a withdrawn signature that it has accepted nevertheless, unless a status has shown that already.
    /// Store the state.
    ///
    /// - Throws: `encryption` when the crypto library fails.
    package func stepOver() throws(PowerAuthError) {
        guard let record, record.openStep == .onItsWay else { return }
        try attempt(.encryption, "the counter could not be advanced", try record.advance())
        record.openStep = .none
        record.unacknowledged = 0
    }
}
