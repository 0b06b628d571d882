// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenCrypto
import MobileTokenSystem

/// A lock file of a directory store: a table of the owners of clients.
///
/// Each opener of the file is an owner: it has a random number, and locks the byte at that offset as long as the file
/// is open (fcntl(2), open file description locks). An entry of the table names a client and its owner. It holds while
/// its owner's byte is locked: the kernel ends that with the process, however it ends. So a file has a lock for each
/// process, not for each client, and all that the kernel walks through is short.
///
/// The table works only while all processes find the same file, and no other program writes to it: a file that was
/// removed, replaced or overwritten locks nothing. It need not be durable: after a power failure all its owners are
/// gone.
final class LockFile: Sendable {
    /// A client of the table. The owner 0: the entry is free.
    private struct Entry: Equatable {
        var client: UInt64 = 0
        var owner: UInt64 = 0
    }

    /// Locked while the table is changed.
    private static let tablePlace: Int64 = 1 << 61
    /// The bytes of the owners begin here; there are as many.
    private static let ownerPlaces: Int64 = 1 << 62
    /// How long to wait for a process that changes the table, which takes microseconds unless that process was stopped.
    /// Milliseconds.
    private static let longestWait = 5_000

    /// Bytes. More than a million clients have not been here.
    private static let longestTable = 1 << 24

    private let name: String
    private let descriptor: Int32
    private let device: dev_t
    private let inode: ino_t
    /// 1 to 2^62 - 1.
    private let owner: UInt64

    /// Opens a file in a directory, and makes it if it is missing.
    convenience init(_ name: String, in directory: Int32) throws(StoreError) {
        var owner: UInt64 = 0
        do throws(CryptoError) {
            try withUnsafeMutableBytes(of: &owner) { (bytes) throws(CryptoError) in
                try SystemRandom().fillPublic(bytes)
            }
        } catch {
            throw StoreError(.failed)
        }
        let descriptor = mtoken_openat(directory, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            let error = mtoken_errno()
            _ = CSystem.close(descriptor)
            throw StoreError(.failed, systemError: error)
        }
        self.init(name, OwnDescriptors.add(descriptor), information, owner: max(1, owner >> 2))
        try join()
    }

    private init(_ name: String, _ descriptor: Int32, _ information: stat, owner: UInt64) {
        self.name = name
        self.descriptor = descriptor
        device = information.st_dev
        inode = information.st_ino
        self.owner = owner
    }

    deinit { OwnDescriptors.close(descriptor) }

    /// Whether the file of that name in the directory is still this one.
    func isInPlace(in directory: Int32) -> Bool {
        var information = stat()
        return fstatat(directory, name, &information, AT_SYMLINK_NOFOLLOW) == 0
            && information.st_dev == device && information.st_ino == inode
    }

    /// Takes a client: `busy` while another process or store has it.
    ///
    /// - Returns: the number of its entry
    func take(_ client: UInt64) throws(StoreError) -> Int {
        try changing { () throws(StoreError) in
            let table = try entries()
            // A client has one entry at most. An entry of a former owner does not count.
            let known = table.firstIndex { $0.client == client && $0.owner != 0 }
            if let known, table[known].owner != owner, try isLocked(Self.place(of: table[known].owner), 1) {
                throw StoreError(.busy)
            }
            let number = known ?? table.firstIndex { $0.owner == 0 } ?? table.count
            try write(Entry(client: client, owner: owner), at: number)
            return number
        }
    }

    /// Whether the entry of a client is still what `take` made it.
    func holds(_ client: UInt64, at number: Int) throws(StoreError) -> Bool {
        var entry = Entry()
        let count = try withUnsafeMutableBytes(of: &entry) { (bytes) throws(StoreError) in
            try read(bytes, at: number)
        }
        return count == MemoryLayout<Entry>.stride && entry == Entry(client: client, owner: owner)
    }

    /// Gives a client back. If that fails, it ends with this file.
    func giveBack(_ client: UInt64, at number: Int) {
        try? changing { () throws(StoreError) in
            if try holds(client, at: number) { try write(Entry(), at: number) }
        }
    }

    // MARK: Owners

    private static func place(of owner: UInt64) -> Int64 {
        ownerPlaces | Int64(truncatingIfNeeded: owner) & (ownerPlaces - 1)
    }

    /// Becomes an owner. The first one finds nothing in the table that still holds.
    private func join() throws(StoreError) {
        try lock(Self.place(of: owner))
        try changing { () throws(StoreError) in
            guard try !isLocked(Self.ownerPlaces, 0) else { return }
            guard ftruncate(descriptor, 0) == 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        }
    }

    private func lock(_ place: Int64) throws(StoreError) {
        guard mtoken_lock_byte(descriptor, place, 1) == 0 else {
            throw StoreError(.failed, systemError: mtoken_errno())
        }
    }

    /// Whether another owner has locked one of so many bytes; 0: any from there on.
    private func isLocked(_ place: Int64, _ count: Int64) throws(StoreError) -> Bool {
        let answer = mtoken_is_locked(descriptor, place, count)
        guard answer >= 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        return answer > 0
    }

    // MARK: The table

    /// Runs `body` while no other process changes the table.
    private func changing<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        var waited = 0
        while mtoken_lock_byte(descriptor, Self.tablePlace, 1) != 0 {
            let error = mtoken_errno()
            guard error == EAGAIN || error == EACCES, waited < Self.longestWait else {
                throw StoreError(.failed, systemError: error)
            }
            var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
            nanosleep(&pause, nil)
            waited += 1
        }
        defer { _ = mtoken_lock_byte(descriptor, Self.tablePlace, 0) }
        return try body()
    }

    private func entries() throws(StoreError) -> [Entry] {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        let stride = MemoryLayout<Entry>.stride
        guard information.st_size <= Self.longestTable else { throw StoreError(.failed, systemError: EFBIG) }
        // A partial entry does not count: it is overwritten.
        var entries = [Entry](repeating: Entry(), count: Int(information.st_size) / stride)
        var table = entries.mutableSpan
        let count = try table.withUnsafeMutableBytes { (bytes) throws(StoreError) in try read(bytes, at: 0) }
        guard count == entries.count * stride else { throw StoreError(.failed) }
        return entries
    }

    /// Reads from an entry on, up to the end of the file; the number of bytes.
    private func read(_ bytes: UnsafeMutableRawBufferPointer, at number: Int) throws(StoreError) -> Int {
        var done = 0
        while done < bytes.count {
            let offset = number * MemoryLayout<Entry>.stride + done
            let count = pread(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, offset)
            if count < 0, mtoken_errno() == EINTR { continue }
            guard count >= 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
            guard count > 0 else { break }
            done += count
        }
        return done
    }

    private func write(_ entry: Entry, at number: Int) throws(StoreError) {
        let stride = MemoryLayout<Entry>.stride
        let count = withUnsafeBytes(of: entry) { pwrite(descriptor, $0.baseAddress, stride, number * stride) }
        guard count == stride else { throw StoreError(.failed, systemError: count < 0 ? mtoken_errno() : 0) }
    }
}
