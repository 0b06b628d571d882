import CSystem
import MobileTokenSystem

/// A lock file of a directory store. A client locks one byte of it by an open-file-description lock (fcntl(2)), so that all
/// clients of a file need one descriptor.
///
/// The locks are worth something only while everybody finds the same file: one that was removed or replaced keeps nobody out.
final class LockFile: Sendable {
    private let name: String
    private let descriptor: Int32
    private let device: dev_t
    private let inode: ino_t

    /// Opens a file in a directory, and makes it if it is missing.
    convenience init(_ name: String, in directory: Int32) throws(StoreError) {
        let descriptor = mtoken_openat(directory, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            let error = mtoken_errno()
            _ = CSystem.close(descriptor)
            throw StoreError(.failed, systemError: error)
        }
        self.init(name, OwnDescriptors.add(descriptor), information)
    }

    private init(_ name: String, _ descriptor: Int32, _ information: stat) {
        self.name = name
        self.descriptor = descriptor
        device = information.st_dev
        inode = information.st_ino
    }

    deinit { OwnDescriptors.close(descriptor) }

    /// Whether the file of that name in the directory is still this one.
    func isInPlace(in directory: Int32) -> Bool {
        var information = stat()
        return fstatat(directory, name, &information, AT_SYMLINK_NOFOLLOW) == 0
            && information.st_dev == device && information.st_ino == inode
    }

    /// Locks a byte: `busy` while another process or store has it.
    func take(_ place: Int64) throws(StoreError) {
        guard mtoken_lock_byte(descriptor, place, 1) == 0 else {
            let error = mtoken_errno()
            throw StoreError(error == EAGAIN || error == EACCES ? .busy : .failed, systemError: error)
        }
    }

    func giveBack(_ place: Int64) { _ = mtoken_lock_byte(descriptor, place, 0) }
}
