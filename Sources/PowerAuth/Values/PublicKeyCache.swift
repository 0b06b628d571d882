// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// A few decoded public keys, shared by the sessions of one owner, because decoding a point costs a square root.
///
/// The least recently used key is dropped. Not locked inside: its owner uses it from one thread at a time.
package final class PublicKeyCache {
    private let capacity: Int
    /// The most recently used key is last.
    private var keys: [PublicKey] = []

    /// A cache for at most `capacity` keys; 0 keeps none.
    package init(capacity: Int = 64) { self.capacity = max(0, capacity) }

    /// The key with this compressed point (33 bytes), decoded now or before.
    func key(for point: some Bytes) throws(CryptoError) -> PublicKey {
        if let index = keys.lastIndex(where: { sameBytes($0.compressed, point) }) {
            let key = keys.remove(at: index)
            keys.append(key)
            return key
        }
        let key = try PublicKey(point: point)
        guard capacity > 0 else { return key }
        if keys.count >= capacity { keys.removeFirst() }
        keys.append(key)
        return key
    }
}
