import CSystem
import MobileTokenSystem

/// The lock file of a directory store. Each client locks one byte of it, at the hash of its name, by an open-file-description
/// lock (fcntl(2)), so that ten thousand clients need one descriptor.
///
/// The locks are worth something only while everybody finds the same file: one that was removed or replaced keeps nobody out.
final class LockFile: Sendable {
    private static let name = ".lock"

    private let descriptor: Int32
    private let device: dev_t
    private let inode: ino_t

    /// Opens the file in a directory, and makes it if it is missing.
    convenience init(in directory: Int32) throws(StoreError) {
        let descriptor = mtoken_openat(directory, Self.name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            let error = mtoken_errno()
            _ = CSystem.close(descriptor)
            throw StoreError(.failed, systemError: error)
        }
        self.init(OwnDescriptors.add(descriptor), information)
    }

    private init(_ descriptor: Int32, _ information: stat) {
        self.descriptor = descriptor
        device = information.st_dev
        inode = information.st_ino
    }

    deinit { OwnDescriptors.close(descriptor) }

    /// Whether the file of that name in the directory is still this one.
    func isInPlace(in directory: Int32) -> Bool {
        var information = stat()
        return fstatat(directory, Self.name, &information, AT_SYMLINK_NOFOLLOW) == 0
            && information.st_dev == device && information.st_ino == inode
    }

    /// Locks the byte of a client: `busy` while another process or store has it.
    func take(_ client: String) throws(StoreError) {
        guard mtoken_lock_byte(descriptor, Self.place(of: client), 1) == 0 else {
            let error = mtoken_errno()
            throw StoreError(error == EAGAIN || error == EACCES ? .busy : .failed, systemError: error)
        }
    }

    func giveBack(_ client: String) { _ = mtoken_lock_byte(descriptor, Self.place(of: client), 0) }

    /// FNV-1a of a client's name, below 2⁶². Two names that met there would only keep each other from being used at the same time.
    private static func place(of client: String) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in client.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int64(truncatingIfNeeded: hash >> 2)
    }
}
