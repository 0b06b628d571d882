// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// Keeps the state of one client: sealed, under its name in a store, which is the client's alone as long as this lives.
///
/// Guarded by the activation's lock.
final class StateKeeper {
    private static let newSecretSize = 32

    private let store: Store
    private let id: String
    /// The state's name in the store.
    private let stateItem: String
    private let random: RandomSource
    /// The device's secret.
    let secret: SecureBytes
    private let keys: DeviceKeys
    /// The host brings the device secret each time.
    private var secretIsGiven: Bool
    private var secretIsStored: Bool
    /// It may have been stored, even if the save failed.
    private var secretMayBeStored: Bool
    /// The sealer of the secret, and the form in which it is or will be stored.
    private var sealer: Sealer?
    private var form: SecureBytes?
    private var holdsName = true
    /// The activation's lock, which is yielded while a store or sealer that waits is used; nil: it is held.
    var yielded: YieldingLock?
    /// Identifies the stored locks of the factors; nil: a save has failed, and the stored ones are unknown.
    private var storedLocks: UInt64?

    private init(
        _ store: Store, _ id: String, _ random: RandomSource, secret: SecureBytes, keys: DeviceKeys,
        secretIsGiven: Bool, secretIsStored: Bool, sealer: Sealer?, form: SecureBytes?
    ) {
        self.store = store
        self.id = id
        stateItem = StoredItems.state(of: id)
        self.random = random
        self.secret = secret
        self.keys = keys
        self.secretIsGiven = secretIsGiven
        self.secretIsStored = secretIsStored
        secretMayBeStored = secretIsStored
        self.sealer = sealer
        self.form = form
    }

    deinit { close() }

    // MARK: The store, which may wait

    private func comeBack() { yielded?.takeBack(isForked: !store.isOfThisProcess) }

    private func load(_ item: String) throws(StoreError) -> SecureBytes? {
        yielded?.yield()
        defer { comeBack() }
        return try store.load(item)
    }

    private func save(_ item: String, _ bytes: SecureBytes, renewing: Bool = false) throws(StoreError) {
        yielded?.yield()
        defer { comeBack() }
        try bytes.withBytes { (bytes) throws(StoreError) in
            if renewing { try store.renew(item, bytes) } else { try store.save(item, bytes) }
        }
    }

    private func remove(_ item: String) throws(StoreError) {
        yielded?.yield()
        defer { comeBack() }
        try store.remove(item)
    }

    private func seal(_ sealer: Sealer) throws(Failure) -> SecureBytes {
        yielded?.yield()
        defer { comeBack() }
        return try sealer.run(secret, label: id, sealing: true)
    }

    private func discard(_ form: SecureBytes?, by sealer: Sealer?) {
        yielded?.yield()
        defer { comeBack() }
        sealer?.discard(form, label: id)
    }

    // MARK: Opening

    /// Takes the client's name in the store and loads what is there.
    ///
    /// - Parameters:
    ///   - secret: the host's device secret; nil: the store keeps one
    ///   - sealer: protects that secret; nil: none
    /// - Returns: also the sealed state; nil: the client is new
    static func open(
        _ store: Store, id: String, secret given: SecureBytes?, sealer: Sealer?, random: RandomSource
    ) throws(Failure) -> (StateKeeper, sealed: SecureBytes?) {
        do throws(StoreError) {
            try store.acquire(id)
        } catch {
            throw Failure(error, doing: "The client could not be opened")
        }
        do throws(Failure) {
            return try load(store, id, given, sealer, random)
        } catch {
            store.release(id)
            throw error
        }
    }

    private static func load(
        _ store: Store, _ id: String, _ given: SecureBytes?, _ sealer: Sealer?, _ random: RandomSource
    ) throws(Failure) -> (StateKeeper, sealed: SecureBytes?) {
        let state: SecureBytes?
        var item: SecureBytes?
        do throws(StoreError) {
            state = try store.load(StoredItems.state(of: id))
            // Without a state it is a leftover of a killed process, or another program has put it there: do not
            // activate with it. The first save replaces it.
            if given == nil, state != nil { item = try store.load(StoredItems.key(of: id)) }
        } catch {
            throw Failure(error, doing: "The client's state could not be loaded")
        }
        let secret: SecureBytes
        var form: SecureBytes?
        if let given {
            secret = given
        } else if let item {
            (secret, form) = try unseal(item, id, sealer)
        } else {
            guard state == nil else {
                throw Failure(
                    .tampered, Reason.storageKeyMissing,
                    "The state is stored, but its device secret is missing.")
            }
            secret = try newSecret(random)
            // Now, so that no activation is begun that could not be stored.
            form = try sealer?.run(secret, label: id, sealing: true)
        }
        let keeper = StateKeeper(
            store, id, random, secret: secret, keys: try keys(secret), secretIsGiven: given != nil,
            secretIsStored: given != nil || item != nil, sealer: sealer, form: form)
        return (keeper, state)
    }

    /// The secret of an item, which must be sealed as the host thinks it is.
    private static func unseal(
        _ item: SecureBytes, _ id: String, _ sealer: Sealer?
    ) throws(Failure) -> (SecureBytes, form: SecureBytes?) {
        switch try KeptSecret.read(item) {
        case .plain(let secret):
            guard sealer == nil else { throw .notSealed }
            return (secret, nil)
        case .sealed(let form, let name):
            guard let sealer, sealer.name.byBytes == name else { throw .sealed(by: name) }
            let secret = try sealer.run(form, label: id, sealing: false)
            guard secret.count >= DeviceKeys.minimumSecretSize else { throw Failure(SealFailure(.damaged)) }
            return (secret, form)
        }
    }

    /// The sealer of the device secret.
    var protection: Protection { sealer?.protection ?? (secretIsGiven ? .host : store.protection) }

    /// The stored form of the secret.
    private func keyItem() throws(Failure) -> SecureBytes {
        guard let sealer else { return secret }
        if form == nil { form = try seal(sealer) }
        return KeptSecret.item(form ?? secret, by: sealer)
    }

    /// Keeps the secret another way from now on. One item decides, which is replaced whole.
    ///
    /// - Parameter form: the sealed form of the secret
    func reseal(_ sealer: Sealer?, _ form: SecureBytes?) throws(Failure) {
        let before = (sealer: self.sealer, form: self.form)
        (self.sealer, self.form) = (sealer, form)
        if secretIsStored {
            do throws(Failure) {
                try saveSecret()
            } catch {
                // Either form may be the stored one: none is forgotten.
                (self.sealer, self.form) = before
                throw error
            }
        }
        secretIsGiven = false
        discard(before.form, by: before.sealer)
    }

    private func saveSecret() throws(Failure) {
        let item = try keyItem()
        secretMayBeStored = true
        do throws(StoreError) {
            try save(StoredItems.key(of: id), item)
        } catch {
            throw Failure(error, doing: "The client's device secret could not be saved")
        }
        secretIsStored = true
    }

    private static func newSecret(_ random: RandomSource) throws(Failure) -> SecureBytes {
        do throws(CryptoError) {
            return try random.secureBytes(newSecretSize)
        } catch {
            throw Failure(.internal, Reason.internalError, "OpenSSL could not provide random bytes.")
        }
    }

    private static func keys(_ secret: SecureBytes) throws(Failure) -> DeviceKeys {
        do throws(CryptoError) {
            return try DeviceKeys(secret: secret)
        } catch {
            throw Failure(.internal, Reason.internalError, "OpenSSL could not derive the device's keys.")
        }
    }

    /// The unlock key of the possession factor.
    var possession: SecureBytes { keys.possession }

    /// Opens the state that was stored.
    func unseal(_ state: SecureBytes) throws(Failure) -> SecureBytes {
        try Self.open(state, of: id, with: keys, "The stored state")
    }

    private static func open(
        _ sealed: SecureBytes, of name: String, with keys: DeviceKeys, _ what: StaticString
    ) throws(Failure) -> SecureBytes {
        do throws(DeviceKeys.OpenError) {
            return try keys.open(sealed, client: name)
        } catch {
            switch error {
            case .tampered:
                throw Failure(
                    .tampered, Reason.storageTampered,
                    words(what, " is damaged, was changed, or belongs to another client or device secret."))
            case .laterVersion:
                throw Failure(
                    .unsupported, Reason.unsupportedState,
                    words(what, " was written by a later version of the library."))
            case .library:
                throw Failure(.internal, Reason.internalError, words(what, " could not be decrypted by OpenSSL."))
            }
        }
    }

    // MARK: Push

    /// The registration for push messages: digests of the activation and of the registration.
    var pushRegistration: SecureBytes? { (try? load(StoredItems.push(of: id))) ?? nil }

    /// Keeps what is registered for push messages; nil: nothing is.
    func keepPushRegistration(_ digests: [UInt8]?) throws(Failure) {
        let item = StoredItems.push(of: id)
        do throws(StoreError) {
            if let digests {
                try save(item, SecureBytes(digests))
            } else {
                try remove(item)
            }
        } catch {
            throw Failure(error, doing: "The registration for push messages could not be stored")
        }
    }

    // MARK: Logins

    /// The context of the login's seal: no client's id has a blank.
    private var loginName: String { "oidc " + id }

    /// Seals a login that another process may finish, and keeps which one it is: the former one ends.
    func sealLogin(
        count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(Failure) -> SecureBytes {
        let sealed: SecureBytes
        do throws(CryptoError) {
            sealed = try keys.seal(count: count, client: loginName, random: random, write)
        } catch {
            throw Failure(.internal, Reason.internalError, "OpenSSL could not encrypt the login.")
        }
        if !secretIsStored { try saveSecret() }
        do throws(StoreError) {
            try save(StoredItems.login(of: id), DeviceKeys.tag(of: sealed))
        } catch {
            throw Failure(error, doing: "The login could not be stored")
        }
        return sealed
    }

    /// Opens a login that `sealLogin` made.
    func openLogin(_ sealed: SecureBytes) throws(Failure) -> SecureBytes {
        var keys = keys
        // Without a state the stored secret is not that of an activation to come, but of the login that another process began.
        if !secretIsStored {
            let item: SecureBytes?
            do throws(StoreError) {
                item = try load(StoredItems.key(of: id))
            } catch {
                throw Failure(error, doing: "The login's secret could not be loaded")
            }
            if let item {
                yielded?.yield()
                defer { comeBack() }
                keys = try Self.keys(try Self.unseal(item, id, sealer).0)
            }
        }
        return try Self.open(sealed, of: loginName, with: keys, "The stored login")
    }

    /// Removes a login from the store; false: it is no longer there.
    func takeLogin(_ sealed: SecureBytes) throws(Failure) -> Bool {
        let item = StoredItems.login(of: id)
        do throws(StoreError) {
            guard let kept = try load(item), kept.isEqual(to: DeviceKeys.tag(of: sealed)) else { return false }
            try remove(item)
            return true
        } catch {
            throw Failure(error, doing: "The login could not be taken from the store")
        }
    }

    /// Stores a session's state durably, and before it the secret that protects it.
    func save(_ session: Session) throws(Failure) {
        let sealed: SecureBytes
        do throws(CryptoError) {
            sealed = try keys.seal(count: session.serializedCount, client: id, random: random) { memory in
                session.serialize(into: memory)
            }
        } catch {
            throw Failure(.internal, Reason.internalError, "OpenSSL could not encrypt the state.")
        }
        if !secretIsStored { try saveSecret() }
        // Two locks of one key would reveal the PIN: an attacker who tries all PINs on both finds the one that opens
        // the same key.
        let locks = session.locks
        let renews = storedLocks.take() != locks
        do throws(StoreError) {
            try save(stateItem, sealed, renewing: renews)
        } catch {
            throw Failure(error, doing: "The client's state could not be saved")
        }
        storedLocks = locks
    }

    /// The session is as it is stored.
    func isStored(_ session: Session) { storedLocks = session.locks }

    /// Removes what is stored.
    func remove() throws(Failure) {
        do throws(StoreError) {
            try remove(stateItem)
            if !secretIsGiven { try remove(StoredItems.key(of: id)) }
            secretIsStored = secretIsGiven
        } catch {
            throw Failure(error, doing: "The client's state could not be removed")
        }
        // Void without the activation or the key that is gone.
        try? remove(StoredItems.login(of: id))
        try? remove(StoredItems.push(of: id))
        // The next activation seals anew.
        discard(form.take(), by: sealer)
    }

    /// Gives the client's name back.
    func close() {
        guard holdsName else { return }
        holdsName = false
        if !secretMayBeStored { sealer?.discard(form, label: id) }
        store.release(id)
    }
}
