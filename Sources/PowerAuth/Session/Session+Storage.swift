// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

extension Session {
    /// The content to store. A session without a finished activation is stored as empty (client.md §1).
    package func serialize() -> SecureBytes {
        SecureBytes(count: serializedCount) { memory in serialize(into: memory) }
    }

    /// How many bytes the content to store has.
    package var serializedCount: Int { SessionState.size(former ?? record) }

    /// Writes the content to store into memory of that many bytes.
    package func serialize(into memory: UnsafeMutableRawBufferPointer) {
        SessionState.write(former ?? record, into: memory)
    }

    /// A hash of the locked keys of the user's factors in the content to store; 0: there are none.
    package var locks: UInt64 { (former ?? record)?.locks ?? 0 }

    /// Replaces whatever the session holds by a stored content; on an error nothing changes.
    ///
    /// - Throws: `corruptedState`; `unsupportedState` when it was written by another version of the format; `wrongState`
    ///   when an external encryption key is set and the stored activation uses none.
    package func restore(from content: some Bytes) throws(PowerAuthError) {
        try install(SessionState.read(content))
    }

    /// Puts a record that was read from outside in place.
    func install(_ record: ActivationRecord?) throws(PowerAuthError) {
        former = nil
        guard let record else {
            state = .empty
            return
        }
        guard externalKey == nil || record.flags.contains(.externalKey) else {
            throw PowerAuthError(.wrongState, "the activation does not use an external encryption key")
        }
        state = .activated(record)
    }
}
