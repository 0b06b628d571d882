// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenModel
import MobileTokenSystem

/// A login that outlives the program that began it: one opaque text, encrypted and authenticated with the client's device keys,
/// and one item in its store that says which login is still out. It is taken out once, by whichever process gets the answer.
extension OIDC {
    /// The request as a text for the program that the browser starts. The client's former one ends.
    public func store(_ request: OIDCAuthorizationRequest) throws(Failure) -> SecureBytes {
        let kept = request.kept(now: activation.runtime.now)
        let size = kept.reduce(0) { $0 + 4 + ($1?.count ?? 0) }
        let text = try activation.lock.withLock { () throws(Failure) in
            try requireClient()
            return try activation.keeper.sealLogin(count: size) { memory in
                var place = 0
                for field in kept {
                    let count = field.map { UInt32($0.count) } ?? .max
                    memory.storeBytes(of: count.littleEndian, toByteOffset: place, as: UInt32.self)
                    place += 4
                    field?.withBytes { UnsafeMutableRawBufferPointer(rebasing: memory[place...]).copyBytes(from: $0) }
                    place += field?.count ?? 0
                }
            }
        }
        settle(request, text)
        var encoded = Base64URL.encodedBytes(text)
        defer { wipe(&encoded) }
        return SecureBytes(copying: encoded)
    }

    /// The request of a text that this client has stored.
    public func restore(_ text: SecureBytes) throws(Failure) -> OIDCAuthorizationRequest {
        let damaged = Failure(
            .tampered, Reason.storageTampered,
            "The stored login is damaged, was changed, or belongs to another client or device secret.")
        guard let sealed = text.withBytes({ Base64URL.decodeSecure($0) }) else { throw damaged }
        let content = try activation.lock.withLock { () throws(Failure) in
            try requireClient()
            return try activation.keeper.openLogin(sealed)
        }
        var fields: [SecureBytes?] = []
        var place = 0
        while place < content.count {
            guard let head = content.slice(place..<min(place &+ 4, content.count)), head.count == 4 else {
                throw damaged
            }
            let count = head.withBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
            place += 4
            guard count != .max else {
                fields.append(nil)
                continue
            }
            guard Int(count) <= content.count &- place, let field = content.slice(place..<place &+ Int(count)) else {
                throw damaged
            }
            fields.append(field)
            place += Int(count)
        }
        let (now, time) = (activation.runtime.now, activation.runtime.environment.time)
        guard let request = OIDCAuthorizationRequest(kept: fields, now: now, time: time) else { throw damaged }
        settle(request, sealed)
        return request
    }

    /// The request's answer counts only while its login is pending, whichever process waits for it.
    private func settle(_ request: OIDCAuthorizationRequest, _ sealed: SecureBytes) {
        request.settles { [self] () throws(Failure) in
            try activation.lock.withLock { () throws(Failure) in
                try requireClient()
                return try activation.keeper.takeLogin(sealed)
            }
        }
    }

    private func requireClient() throws(Failure) {
        guard !activation.isClosed else { throw .state("The client was freed.") }
    }
}
