import MobileTokenCrypto

/// The locks of a directory store: each client has an entry in one of several files, by the hash of its name.
///
/// Who takes a client reads the whole table of its file. The files keep that short with a hundred thousand clients. They are
/// open while a client needs them: a store with one client has one open.
struct ClientLocks {
    private static let fileCount = 256

    /// An open file, and how many clients have an entry of it.
    private struct Shared {
        let file: LockFile
        var holders = 0
    }

    private var files = [Shared?](repeating: nil, count: fileCount)

    /// Locks a client: `busy` while another process or store has it.
    mutating func take(_ client: String, in directory: Int32) throws(StoreError) -> ClientLock {
        let hash = Self.hash(of: client)
        let number = Int(truncatingIfNeeded: hash % UInt64(Self.fileCount))
        var shared: Shared
        if let known = files[number], known.file.isInPlace(in: directory) {
            shared = known
        } else {
            shared = Shared(file: try LockFile(".lock-" + String(number), in: directory))
        }
        let lock = ClientLock(file: shared.file, number: number, client: hash, entry: try shared.file.take(hash))
        // The file may have gone between opening and locking.
        guard shared.file.isInPlace(in: directory) else {
            lock.giveBack()
            throw StoreError(.lockLost)
        }
        shared.holders += 1
        files[number] = shared
        return lock
    }

    /// Gives a lock back. The last one of a file closes it.
    mutating func giveBack(_ lock: ClientLock) {
        lock.giveBack()
        // A file that was replaced meanwhile is another one.
        guard var shared = files[lock.number], shared.file === lock.file else { return }
        shared.holders -= 1
        files[lock.number] = shared.holders > 0 ? shared : nil
    }

    /// FNV-1a. Two names that met there would only keep each other from being used at the same time.
    private static func hash(of client: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        client.withBytes { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
        return hash
    }
}

/// The entry of a client. A file that was replaced stays with those who have one in it.
struct ClientLock {
    fileprivate let file: LockFile
    /// The number of the file.
    fileprivate let number: Int
    fileprivate let client: UInt64
    fileprivate let entry: Int

    /// Whether it still keeps others out.
    func holds(in directory: Int32) throws(StoreError) -> Bool {
        guard file.isInPlace(in: directory) else { return false }
        return try file.holds(client, at: entry)
    }

    fileprivate func giveBack() { file.giveBack(client, at: entry) }
}
