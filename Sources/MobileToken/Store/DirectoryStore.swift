import CSystem
import MobileTokenCrypto
import MobileTokenSystem

/// A store in a private directory (0700), with one file per item (0600).
///
/// Saving is durable when it returns: temporary file, fsync, rename, fsync of the directory. A lock file keeps a second process
/// or store on the same directory from using the same client; each save looks whether it is still there.
public final class DirectoryStore: Store, @unchecked Sendable {
    /// No item comes near this size; a larger file is not ours.
    private static let maximumSize = 1 << 20

    private let directory: Int32
    private let lock = Lock()
    // Guarded by the lock.
    private var lockFile: LockFile
    /// The names in use, each with the file that holds its lock: one that was replaced stays with those who took it.
    private var names: [ByteKey: LockFile] = [:]

    /// Opens the directory, and makes it if it is missing (its parent must exist).
    public convenience init(path: String) throws(Failure) {
        guard !path.isEmpty else { throw .argument("The store's path is empty.") }
        try Self.make(path)
        let directory = mtoken_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard directory >= 0 else { throw Self.failure("The store's directory could not be opened", mtoken_errno()) }
        var information = stat()
        guard fstat(directory, &information) == 0, information.st_uid == geteuid(), information.st_mode & 0o077 == 0
        else {
            _ = CSystem.close(directory)
            throw Failure(
                .storage, Reason.storageInsecure,
                "The store's directory must belong to the user and be closed to others (mode 0700).")
        }
        let lockFile: LockFile
        do throws(StoreError) {
            lockFile = try LockFile(in: directory)
        } catch {
            _ = CSystem.close(directory)
            throw Self.failure("The store's lock file could not be opened", error.systemError)
        }
        self.init(directory: directory, lockFile: lockFile)
    }

    private init(directory: Int32, lockFile: LockFile) {
        self.directory = directory
        self.lockFile = lockFile
        super.init()
    }

    deinit { _ = CSystem.close(directory) }

    /// Makes the directory if it is missing, and sees to it that its name outlives a power cut: without it, all that is saved
    /// in it is lost.
    private static func make(_ path: String) throws(Failure) {
        guard mkdir(path, 0o700) == 0 else {
            guard mtoken_errno() == EEXIST else {
                throw failure("The store's directory could not be created", mtoken_errno())
            }
            return
        }
        let parent = mtoken_open(self.parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        // A parent that cannot be read (mode 0300, say) cannot be flushed either.
        guard parent >= 0 else { return }
        defer { _ = CSystem.close(parent) }
        guard fsync(parent) == 0 else {
            let error = mtoken_errno()
            rmdir(path)
            throw failure("The store's parent directory could not be flushed", error)
        }
    }

    /// What a path is in.
    private static func parent(of path: String) -> String {
        var rest = path.utf8[...]
        while rest.count > 1, rest.last == UInt8(ascii: "/") { rest.removeLast() }
        while let last = rest.last, last != UInt8(ascii: "/") { rest.removeLast() }
        return rest.isEmpty ? "." : String(decoding: rest, as: UTF8.self)
    }

    override package func acquire(_ client: String) throws(StoreError) {
        try requireThisProcess()
        try lock.withLock { () throws(StoreError) in
            guard names[client.byBytes] == nil else { throw StoreError(.busy) }
            if !lockFile.isInPlace(in: directory) { lockFile = try LockFile(in: directory) }
            try lockFile.take(client)
            // It may have gone between opening and locking.
            guard lockFile.isInPlace(in: directory) else {
                lockFile.giveBack(client)
                throw StoreError(.lockLost)
            }
            names[client.byBytes] = lockFile
        }
    }

    override package func release(_ client: String) {
        guard isOfThisProcess else { return }
        lock.withLock { names.removeValue(forKey: client.byBytes)?.giveBack(client) }
    }

    /// Refuses to change what another process may have taken over.
    private func requireLock(for item: String) throws(StoreError) {
        try requireThisProcess()
        // An item is named after its client: "alice.state".
        guard let dot = item.utf8.lastIndex(of: UInt8(ascii: ".")) else { return }
        let held = lock.withLock { names[String(decoding: item.utf8[..<dot], as: UTF8.self).byBytes] }
        guard held?.isInPlace(in: directory) ?? true else { throw StoreError(.lockLost) }
    }

    override package func load(_ item: String) throws(StoreError) -> SecureBytes? {
        try requireThisProcess()
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
        try requireLock(for: item)
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
        try requireLock(for: item)
        guard unlinkat(directory, item, 0) == 0 || mtoken_errno() == ENOENT, fsync(directory) == 0 else {
            throw StoreError(.failed, systemError: mtoken_errno())
        }
    }

    override package func itemNames() throws(StoreError) -> [String]? {
        try requireThisProcess()
        // A descriptor of its own: reading a directory moves its position.
        let copy = mtoken_openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard copy >= 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        guard let listing = fdopendir(copy) else {
            let error = mtoken_errno()
            close(copy)
            throw StoreError(.failed, systemError: error)
        }
        defer { closedir(listing) }
        var names: [String] = []
        while let name = mtoken_readdir_file(listing) {
            if let text = String(validatingCString: name) { names.append(text) }
        }
        let error = mtoken_errno()
        guard error == 0 else { throw StoreError(.failed, systemError: error) }
        return names
    }

    private static func failure(_ what: String, _ error: Int32) -> Failure {
        Failure(.storage, Reason.storageFailed, what + " (system error \(error)).")
    }
}
