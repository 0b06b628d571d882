import CSystem
import MobileTokenCrypto
import MobileTokenHTTP

/// A store in a directory of its own (0700), one file per item (0600).
///
/// Saving is durable when it returns: temporary file, fsync, rename, fsync of the directory. One lock file serves all
/// clients: each locks one byte of it, at the hash of its name, by an open-file-description lock (fcntl(2)), so that ten
/// thousand clients need one descriptor, and a second process or store on the same directory is kept out.
public final class DirectoryStore: Store, @unchecked Sendable {
    /// No item comes near this size; a larger file is not ours.
    private static let maximumSize = 1 << 20

    private let directory: Int32
    private let lockFile: Int32
    private let lock = Lock()
    private var names = NamesInUse()

    /// Opens the directory, and makes it if it is missing (its parent must exist).
    public convenience init(path: String) throws(Failure) {
        guard !path.isEmpty else { throw .argument("The store's path is empty.") }
        if mkdir(path, 0o700) != 0, mtoken_errno() != EEXIST {
            throw Self.failure("The store's directory cannot be made", mtoken_errno())
        }
        let directory = mtoken_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard directory >= 0 else { throw Self.failure("The store's directory cannot be opened", mtoken_errno()) }
        var information = stat()
        guard fstat(directory, &information) == 0, information.st_uid == geteuid(), information.st_mode & 0o077 == 0
        else {
            close(directory)
            throw Failure(
                .storage, Reason.storageInsecure,
                "The store's directory must belong to the user and be closed to others (mode 0700).")
        }
        let lockFile = mtoken_openat(directory, ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lockFile >= 0 else {
            let error = mtoken_errno()
            close(directory)
            throw Self.failure("The store's lock file cannot be opened", error)
        }
        self.init(directory: directory, lockFile: lockFile)
    }

    private init(directory: Int32, lockFile: Int32) {
        self.directory = directory
        self.lockFile = lockFile
        super.init()
    }

    deinit {
        close(lockFile)
        close(directory)
    }

    override package func acquire(_ client: String) throws(StoreError) {
        try lock.withLock { () throws(StoreError) in
            guard names.take(client) else { throw StoreError(.busy) }
            guard mtoken_lock_byte(lockFile, Self.place(of: client), 1) == 0 else {
                let error = mtoken_errno()
                names.giveBack(client)
                throw StoreError(error == EAGAIN || error == EACCES ? .busy : .failed, systemError: error)
            }
        }
    }

    override package func release(_ client: String) {
        lock.withLock {
            _ = mtoken_lock_byte(lockFile, Self.place(of: client), 0)
            names.giveBack(client)
        }
    }

    override package func load(_ item: String) throws(StoreError) -> SecureBytes? {
        let file = mtoken_openat(directory, item, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
        guard file >= 0 else {
            guard mtoken_errno() == ENOENT else { throw StoreError(.failed, systemError: mtoken_errno()) }
            return nil
        }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        guard information.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG), information.st_size <= Self.maximumSize else {
            throw StoreError(.failed)
        }
        guard information.st_uid == geteuid(), information.st_mode & 0o077 == 0 else { throw StoreError(.insecure) }
        return try SecureBytes(count: Int(information.st_size)) { (buffer) throws(StoreError) in
            var done = 0
            while done < buffer.count {
                let count = read(file, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                if count < 0, mtoken_errno() == EINTR { continue }
                guard count > 0 else { throw StoreError(.failed, systemError: count < 0 ? mtoken_errno() : 0) }
                done += count
            }
        }
    }

    override package func save(_ item: String, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        let temporary = "." + item + ".tmp"
        let file = mtoken_openat(directory, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        do throws(StoreError) {
            defer { close(file) }
            guard fchmod(file, 0o600) == 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
            var done = 0
            while done < bytes.count {
                let count = write(file, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count < 0, mtoken_errno() == EINTR { continue }
                guard count > 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
                done += count
            }
            guard fsync(file) == 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        } catch {
            unlinkat(directory, temporary, 0)
            throw error
        }
        guard renameat(directory, temporary, directory, item) == 0 else {
            let error = mtoken_errno()
            unlinkat(directory, temporary, 0)
            throw StoreError(.failed, systemError: error)
        }
        guard fsync(directory) == 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
    }

    override package func remove(_ item: String) throws(StoreError) {
        guard unlinkat(directory, item, 0) == 0 || mtoken_errno() == ENOENT, fsync(directory) == 0 else {
            throw StoreError(.failed, systemError: mtoken_errno())
        }
    }

    /// The byte of the lock file that stands for a client: FNV-1a of its name, below 2⁶². Two names that met there would
    /// only keep each other from being used at the same time.
    private static func place(of client: String) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in client.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int64(truncatingIfNeeded: hash >> 2)
    }

    private static func failure(_ what: String, _ error: Int32) -> Failure {
        Failure(.storage, Reason.storageFailed, what + " (system error \(error)).")
    }
}
