// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem

/// The locks of a directory store: each client has an entry in one of several files, by the hash of its name.
///
/// Taking a client reads the whole table of its file. The number of files keeps that short with a hundred thousand
/// clients. They are open while a client needs them: a store with one client has one open.
///
/// Guarded by the store's lock, under which no thread waits for a file: another process may hold its table, and may be
/// stopped.
struct ClientLocks {
    private static let fileCount = 256

    private var files = [SharedLockFile?](repeating: nil, count: fileCount)

    /// The file of a client, which stays open until it is given up.
    mutating func use(for client: String) -> SharedLockFile {
        let number = Int(truncatingIfNeeded: Self.hash(of: client) % UInt64(Self.fileCount))
        let file = files[number] ?? SharedLockFile(number: number)
        file.users += 1
        files[number] = file
        return file
    }

    /// Gives a file up. Its last user closes it.
    mutating func giveUp(_ file: SharedLockFile) {
        file.users -= 1
        if file.users == 0 { files[file.number] = nil }
    }

    /// FNV-1a. Two names that met there would only keep each other from being used at the same time.
    fileprivate static func hash(of client: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        client.withBytes { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
        return hash
    }
}

/// A lock file that several clients use. Waiting for its table blocks only other clients of the same file.
final class SharedLockFile: @unchecked Sendable {
    fileprivate let number: Int
    /// Guarded by the store's lock.
    fileprivate var users = 0
    private let lock = Lock()
    /// Guarded by the lock.
    private var file: LockFile?

    fileprivate init(number: Int) { self.number = number }

    /// Locks a client: `busy` while another process or store has it.
    func take(_ client: String, in directory: Int32) throws(StoreError) -> ClientLock {
        let hash = ClientLocks.hash(of: client)
        return try lock.withLock { () throws(StoreError) in
            let open: LockFile
            if let file, file.isInPlace(in: directory) {
                open = file
            } else {
                open = try LockFile(".lock-" + String(number), in: directory)
            }
            let lock = ClientLock(file: open, client: hash, entry: try open.take(hash))
            // The file may have gone between opening and locking.
            guard open.isInPlace(in: directory) else {
                lock.giveBack()
                throw StoreError(.lockLost)
            }
            file = open
            return lock
        }
    }
}

/// The entry of a client. A file that was replaced stays with those who have one in it.
struct ClientLock {
    fileprivate let file: LockFile
    fileprivate let client: UInt64
    fileprivate let entry: Int

    /// Whether it still keeps others out.
    func holds(in directory: Int32) throws(StoreError) -> Bool {
        guard file.isInPlace(in: directory) else { return false }
        return try file.holds(client, at: entry)
    }

    /// Gives the client back. It may wait for the file's table.
    func giveBack() { file.giveBack(client, at: entry) }
}
