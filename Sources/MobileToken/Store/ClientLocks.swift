import MobileTokenCrypto

/// The locks of a directory store: each client has a byte, at the hash of its name, in one of several files.
///
/// For a new lock the kernel walks all that a file has. The files keep that walk short with a hundred thousand clients. They are
/// open while a client needs them: a store with one client has one open.
struct ClientLocks {
    private static let fileCount = 256

    /// An open file, and how many clients have a byte of it.
    private struct Shared {
        let file: LockFile
        var holders = 0
    }

    private var files = [Shared?](repeating: nil, count: fileCount)

    /// Locks the byte of a client: `busy` while another process or store has it.
    mutating func take(_ client: String, in directory: Int32) throws(StoreError) -> LockedByte {
        let hash = Self.hash(of: client)
        let number = Int(truncatingIfNeeded: hash % UInt64(Self.fileCount))
        var shared: Shared
        if let known = files[number], known.file.isInPlace(in: directory) {
            shared = known
        } else {
            shared = Shared(file: try LockFile(".lock-" + String(number), in: directory))
        }
        let byte = LockedByte(file: shared.file, number: number, place: Int64(truncatingIfNeeded: hash >> 2))
        try shared.file.take(byte.place)
        // The file may have gone between opening and locking.
        guard shared.file.isInPlace(in: directory) else {
            shared.file.giveBack(byte.place)
            throw StoreError(.lockLost)
        }
        shared.holders += 1
        files[number] = shared
        return byte
    }

    /// Gives a byte back. The last one of a file closes it.
    mutating func giveBack(_ byte: LockedByte) {
        byte.file.giveBack(byte.place)
        // A file that was replaced meanwhile is another one.
        guard var shared = files[byte.number], shared.file === byte.file else { return }
        shared.holders -= 1
        files[byte.number] = shared.holders > 0 ? shared : nil
    }

    /// FNV-1a. Two names that met there would only keep each other from being used at the same time.
    private static func hash(of client: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        client.withBytes { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
        return hash
    }
}

/// What a client has locked. A file that was replaced stays with those who locked it.
struct LockedByte {
    let file: LockFile
    /// The number of the file.
    let number: Int
    let place: Int64
}
