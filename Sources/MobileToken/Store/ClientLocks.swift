import MobileTokenCrypto

/// The locks of a directory store: each client has a byte, at the hash of its name, in one of several files.
///
/// For a new lock the kernel walks all that a file has. The files keep that walk short with a hundred thousand clients. They are
/// opened when they are first needed: a store of one client has one.
struct ClientLocks {
    private static let fileCount = 256

    private var files = [LockFile?](repeating: nil, count: fileCount)

    /// Locks the byte of a client: `busy` while another process or store has it.
    mutating func take(_ client: String, in directory: Int32) throws(StoreError) -> LockedByte {
        let hash = Self.hash(of: client)
        let number = Int(truncatingIfNeeded: hash % UInt64(Self.fileCount))
        let file: LockFile
        if let known = files[number], known.isInPlace(in: directory) {
            file = known
        } else {
            file = try LockFile(".lock-" + String(number), in: directory)
            files[number] = file
        }
        let byte = LockedByte(file: file, place: Int64(truncatingIfNeeded: hash >> 2))
        try file.take(byte.place)
        // The file may have gone between opening and locking.
        guard file.isInPlace(in: directory) else {
            byte.giveBack()
            throw StoreError(.lockLost)
        }
        return byte
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
    let place: Int64

    func giveBack() { file.giveBack(place) }
}
