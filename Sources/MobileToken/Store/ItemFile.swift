// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenCrypto
import MobileTokenSystem

/// A file that stays open as long as this object lives. A child of `fork` closes its copy.
final class OpenFile: Sendable {
    fileprivate let descriptor: Int32

    fileprivate init(_ descriptor: Int32) { self.descriptor = OwnDescriptors.add(descriptor) }

    deinit { OwnDescriptors.close(descriptor) }
}

/// A file of a directory store, which may not be there.
struct ItemFile {
    let directory: Int32
    let name: String

    /// The file's name until it is complete.
    private var temporary: String { "." + name + ".tmp" }

    /// Removes what was begun and not ended.
    func removeTemporary() { unlinkat(directory, temporary, 0) }

    /// The bytes; nil: there is no such file.
    func read() throws(StoreError) -> SecureBytes? {
        let file = mtoken_openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
        guard file >= 0 else {
            guard mtoken_errno() == ENOENT else { throw StoreError(.failed, systemError: mtoken_errno()) }
            return nil
        }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        guard information.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG), information.st_size <= SlotForm.maximumFile
        else {
            throw StoreError(.failed)
        }
        guard information.st_uid == geteuid(), information.st_mode & 0o077 == 0 else { throw StoreError(.insecure) }
        return try SecureBytes(count: Int(information.st_size)) { (buffer) throws(StoreError) in
            var done = 0
            while done < buffer.count {
                let count = CSystem.read(file, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                if count < 0, mtoken_errno() == EINTR { continue }
                guard count > 0 else { throw StoreError(.failed, systemError: count < 0 ? mtoken_errno() : 0) }
                done += count
            }
        }
    }

    /// Replaces the file, durably: temporary file, fsync, rename, fsync of the directory. The name is always that of a whole file.
    ///
    /// - Returns: the new file's identity, and the file
    func replace(
        with bytes: UnsafeRawBufferPointer
    ) throws(StoreError) -> (identity: mtoken_file_identity, file: OpenFile) {
        // Always creates a new file: it never writes to a file that another program put there.
        removeTemporary()
        let descriptor = mtoken_openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        let file = OpenFile(descriptor)
        var identity = mtoken_file_identity()
        do throws(StoreError) {
            guard fchmod(descriptor, 0o600) == 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
            try Self.write(bytes, to: descriptor, at: 0)
            guard fsync(descriptor) == 0, mtoken_identify(descriptor, &identity) == 0,
                renameat(directory, temporary, directory, name) == 0
            else { throw StoreError(.failed, systemError: mtoken_errno()) }
        } catch {
            removeTemporary()
            throw error
        }
        guard fsync(directory) == 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        return (identity, file)
    }

    /// Overwrites a part of a file that `replace` made, durably.
    ///
    /// - Parameter opened: the file, if it stayed open
    /// - Returns: false: the name is another file's by now, or the file was changed; nothing was written
    func overwrite(
        _ identity: mtoken_file_identity, _ opened: OpenFile?, with bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(StoreError) -> Bool {
        let file =
            opened?.descriptor
            ?? mtoken_openat(directory, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
        guard file >= 0 else { return false }
        defer { if opened == nil { close(file) } }
        // Of a file that stayed open it is asked whether the name is still its own.
        let isSame =
            opened == nil
            ? mtoken_is_identical(file, "", identity) : mtoken_is_identical(directory, name, identity)
        guard isSame != 0 else { return false }
        try Self.write(bytes, to: file, at: offset)
        guard fdatasync(file) == 0 else { throw StoreError(.failed, systemError: mtoken_errno()) }
        return true
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int
    ) throws(StoreError) {
        var done = 0
        while done < bytes.count {
            let count = pwrite(file, bytes.baseAddress?.advanced(by: done), bytes.count - done, offset + done)
            if count < 0, mtoken_errno() == EINTR { continue }
            guard count > 0 else { throw StoreError(.failed, systemError: count < 0 ? mtoken_errno() : 0) }
            done += count
        }
    }
}
