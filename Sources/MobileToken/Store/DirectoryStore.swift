// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenCrypto
import MobileTokenSystem

/// A store in a private directory (0700), with one file per item (0600).
///
/// Saving is durable when it returns. The first save of a client's state makes its file anew; each later one overwrites the
/// older of the file's two slots (`SlotForm`). A device secret is saved once, and its file holds nothing else.
///
/// Lock files keep a second process or store on the same directory from using the same client; each save looks whether the
/// client's is still there.
public final class DirectoryStore: Store, @unchecked Sendable {
    /// A name in use.
    private final class Holding {
        let file: SharedLockFile
        /// nil: it is not taken yet.
        var lock: ClientLock?
        let keepsFileOpen: Bool
        /// The state's file, once it was saved here.
        var slots: Slots?

        init(file: SharedLockFile, keepsFileOpen: Bool) {
            self.file = file
            self.keepsFileOpen = keepsFileOpen
        }
    }

    /// So many clients keep the file of their state open, which spares each save the opening. With more clients than that, a
    /// process would run out of descriptors.
    private static let mostOpenFiles = 64

    private let directory: Int32
    /// The absolute path, independent of later changes of the current directory; nil: unknown.
    private let path: String?
    private let lock = Lock()
    // Guarded by the lock.
    private var locks = ClientLocks()
    private var names: [ByteKey: Holding] = [:]

    /// Opens the directory, and makes it if it is missing (its parent must exist).
    public convenience init(path: String) throws(Failure) {
        guard !path.isEmpty else { throw .argument("The store's path is empty.") }
        try Self.make(path)
        let directory = mtoken_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard directory >= 0 else { throw Self.failure("The store's directory could not be opened") }
        var information = stat()
        guard fstat(directory, &information) == 0, information.st_uid == geteuid(), information.st_mode & 0o077 == 0
        else {
            _ = CSystem.close(directory)
            throw Failure(
                .storage, Reason.storageInsecure,
                "The store's directory must belong to the user and be closed to others (mode 0700).")
        }
        self.init(directory: directory, path: Self.absolute(path))
    }

    private init(directory: Int32, path: String?) {
        self.directory = directory
        self.path = path
        super.init()
    }

    deinit { _ = CSystem.close(directory) }

    /// Makes the directory if it is missing, and sees to it that its name outlives a power cut: without it, all that is saved
    /// in it is lost.
    private static func make(_ path: String) throws(Failure) {
        guard mkdir(path, 0o700) == 0 else {
            guard mtoken_errno() == EEXIST else {
                throw failure("The store's directory could not be created")
            }
            return
        }
        let parent = mtoken_open(self.parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        // A parent that cannot be read (mode 0300, say) cannot be flushed either.
        guard parent >= 0 else { return }
        defer { _ = CSystem.close(parent) }
        guard fsync(parent) == 0 else {
            let failure = failure("The store's parent directory could not be flushed")
            rmdir(path)
            throw failure
        }
    }

    private static func absolute(_ path: String) -> String? {
        guard path.utf8.first != UInt8(ascii: "/") else { return path }
        guard let here = getcwd(nil, 0) else { return nil }
        defer { free(here) }
        return String(validatingCString: here).map { $0 + "/" + path }
    }

    /// The parent directory of a path.
    private static func parent(of path: String) -> String {
        path.withBytes { path in
            var end = path.count
            while end > 1, path[end - 1] == UInt8(ascii: "/") { end -= 1 }
            while end > 0, path[end - 1] != UInt8(ascii: "/") { end -= 1 }
            return end == 0 ? "." : String(utf8: UnsafeRawBufferPointer(rebasing: path[..<end]))
        }
    }

    override package var protection: Protection { .file }

    override package func acquire(_ client: String) throws(StoreError) {
        try requireThisProcess()
        let holding = try lock.withLock { () throws(StoreError) in
            guard names[client.byBytes] == nil else { throw StoreError(.busy) }
            let holding = Holding(file: locks.use(for: client), keepsFileOpen: names.count < Self.mostOpenFiles)
            names[client.byBytes] = holding
            return holding
        }
        do throws(StoreError) {
            let taken = try holding.file.take(client, in: directory)
            lock.withLock { holding.lock = taken }
        } catch {
            forget(client, holding)
            throw error
        }
        // The leftovers of a process that was killed during a save.
        for item in StoredItems.all(of: client) { file(item).removeTemporary() }
    }

    override package func release(_ client: String) {
        guard isOfThisProcess, let holding = lock.withLock({ names[client.byBytes] }) else { return }
        holding.lock?.giveBack()
        forget(client, holding)
    }

    private func forget(_ client: String, _ holding: Holding) {
        lock.withLock {
            names.removeValue(forKey: client.byBytes)
            locks.giveUp(holding.file)
        }
    }

    /// The owner of the name that an item belongs to. Refuses to change an item that another process may have taken
    /// over.
    private func requireLock(for item: String) throws(StoreError) -> Holding? {
        try requireThisProcess()
        // An item is named after its client: "alice.state".
        let client: String? = item.withBytes { item in
            item.lastIndex(of: UInt8(ascii: ".")).map {
                String(utf8: UnsafeRawBufferPointer(rebasing: item[..<$0]))
            }
        }
        guard let client else { return nil }
        let (holding, held) = lock.withLock {
            let holding = names[client.byBytes]
            return (holding, holding?.lock)
        }
        if let held {
            let isMine = try held.holds(in: directory)
            guard isMine, isInPlace else { throw StoreError(.lockLost) }
        }
        return holding
    }

    /// Whether nothing else has the directory's name: others would find no lock there. A directory whose name is gone
    /// protects nothing.
    private var isInPlace: Bool {
        var (own, named) = (stat(), stat())
        guard let path, fstatat(AT_FDCWD, path, &named, 0) == 0, fstat(directory, &own) == 0 else { return true }
        return own.st_dev == named.st_dev && own.st_ino == named.st_ino
    }

    private func file(_ item: String) -> ItemFile { ItemFile(directory: directory, name: item) }

    override package func load(_ item: String) throws(StoreError) -> SecureBytes? {
        try requireThisProcess()
        guard let bytes = try file(item).read() else { return nil }
        if let content = bytes.withBytes({ SlotForm.content(of: $0) }) { return content }
        // A damaged file is handed on whole: the state is refused, and a copy for analysis has all of it. A sealed state without
        // slots would pass for a whole file, and no store writes one.
        return StoredItems.isState(item) && bytes.withBytes(DeviceKeys.isSealed) ? SecureBytes(count: 0) : bytes
    }

    override package func save(_ item: String, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try save(item, bytes, renewing: false)
    }

    override package func renew(_ item: String, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try save(item, bytes, renewing: true)
    }

    private func save(_ item: String, _ bytes: UnsafeRawBufferPointer, renewing: Bool) throws(StoreError) {
        let holding = try requireLock(for: item)
        let file = file(item)
        guard StoredItems.isState(item) else {
            _ = try file.replace(with: bytes)
            return
        }
        let staysOpen = holding?.keepsFileOpen == true
        // Forgotten before the save, and so after one that failed.
        var slots = holding?.slots.take()
        // Only slots are renewed without a moment in which the former state lies beside the new one.
        if renewing, slots?.hasRoom(for: bytes) != true, let former = try load(item),
            former.count <= SlotForm.maximumContent
        {
            slots = try former.withBytes { (former) throws(StoreError) in
                try Slots(file, content: former, room: bytes.count, staysOpen: staysOpen)
            }
        }
        if var slots, try slots.save(bytes, in: file, renewing: renewing) {
            holding?.slots = slots
        } else {
            let slots = try Slots(file, content: bytes, staysOpen: staysOpen)
            holding?.slots = slots
        }
    }

    override package func remove(_ item: String) throws(StoreError) {
        _ = try requireLock(for: item)
        file(item).removeTemporary()
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

    /// By the system's last error.
    private static func failure(_ what: StaticString) -> Failure {
        Failure(StoreError(.failed, systemError: mtoken_errno()), doing: what)
    }
}
