import MobileTokenCrypto
import PowerAuth

/// Keeps the state of one client: sealed, under its name in a store, which is the client's alone as long as this lives.
///
/// Guarded by the activation's lock.
final class StateKeeper {
    private static let newSecretSize = 32

    private let store: Store
    private let id: String
    /// What the store calls the state.
    private let stateItem: String
    private let random: RandomSource
    private let secret: SecureBytes
    private let keys: DeviceKeys
    /// The host brings the device secret each time.
    private let secretIsGiven: Bool
    private var secretIsStored: Bool
    private var holdsName = true

    private init(
        _ store: Store, _ id: String, _ random: RandomSource, secret: SecureBytes, keys: DeviceKeys,
        secretIsGiven: Bool, secretIsStored: Bool
    ) {
        self.store = store
        self.id = id
        stateItem = StoredItems.state(of: id)
        self.random = random
        self.secret = secret
        self.keys = keys
        self.secretIsGiven = secretIsGiven
        self.secretIsStored = secretIsStored
    }

    deinit { close() }

    /// Takes the client's name in the store and loads what is there.
    ///
    /// - Parameter secret: the host's device secret; nil: the store keeps one
    /// - Returns: also the sealed state; nil: the client is new
    static func open(
        _ store: Store, id: String, secret given: SecureBytes?, random: RandomSource
    ) throws(Failure) -> (StateKeeper, sealed: SecureBytes?) {
        do throws(StoreError) {
            try store.acquire(id)
        } catch {
            throw Failure(error, doing: "The client could not be opened")
        }
        do throws(Failure) {
            return try load(store, id, given, random)
        } catch {
            store.release(id)
            throw error
        }
    }

    private static func load(
        _ store: Store, _ id: String, _ given: SecureBytes?, _ random: RandomSource
    ) throws(Failure) -> (StateKeeper, sealed: SecureBytes?) {
        var state: SecureBytes?
        var stored = given
        do throws(StoreError) {
            state = try store.load(StoredItems.state(of: id))
            if stored == nil { stored = try store.load(StoredItems.key(of: id)) }
        } catch {
            throw Failure(error, doing: "The client's state could not be loaded")
        }
        if state != nil, stored == nil {
            throw Failure(
                .tampered, Reason.storageKeyMissing,
                "The state is stored, but its device secret is missing.")
        }
        let secret: SecureBytes
        if let stored { secret = stored } else { secret = try newSecret(random) }
        let keeper = StateKeeper(
            store, id, random, secret: secret, keys: try keys(secret), secretIsGiven: given != nil,
            secretIsStored: stored != nil)
        return (keeper, state)
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
        do throws(DeviceKeys.OpenError) {
            return try keys.open(state, client: id)
        } catch {
            switch error {
            case .tampered:
                throw Failure(
                    .tampered, Reason.storageTampered,
                    "The stored state is damaged, was changed, or belongs to another client or device secret.")
            case .laterVersion:
                throw Failure(
                    .unsupported, Reason.unsupportedState, "A later version of the library wrote the stored state.")
            case .library:
                throw Failure(.internal, Reason.internalError, "OpenSSL could not decrypt the stored state.")
            }
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
        do throws(StoreError) {
            if !secretIsStored {
                try secret.withBytes { (bytes) throws(StoreError) in try store.save(StoredItems.key(of: id), bytes) }
                secretIsStored = true
            }
            try sealed.withBytes { (bytes) throws(StoreError) in try store.save(stateItem, bytes) }
        } catch {
            throw Failure(error, doing: "The client's state could not be saved")
        }
    }

    /// Removes what is stored.
    func remove() throws(Failure) {
        do throws(StoreError) {
            try store.remove(stateItem)
            if !secretIsGiven { try store.remove(StoredItems.key(of: id)) }
            secretIsStored = secretIsGiven
        } catch {
            throw Failure(error, doing: "The client's state could not be removed")
        }
    }

    /// Gives the client's name back.
    func close() {
        guard holdsName else { return }
        holdsName = false
        store.release(id)
    }
}
