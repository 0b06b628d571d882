// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenCrypto

/// The slots of a file that this process made and whose last save is known to be durable: only then is it known which slot may
/// be overwritten. The content of a file that was read back may not have reached the disk yet.
struct Slots {
    private let identity: mtoken_file_identity
    private let opened: OpenFile?
    private let size: Int
    private var key: SlotForm.Key
    private var sequence = SlotForm.firstSequence

    /// Creates the file anew, with the content in the first slot.
    ///
    /// - Parameter room: the size that the slots must hold later
    init(_ file: ItemFile, content: UnsafeRawBufferPointer, room: Int = 0, staysOpen: Bool) throws(StoreError) {
        let room = max(room, content.count)
        guard room <= SlotForm.maximumContent else { throw StoreError(.failed, systemError: EFBIG) }
        let size = SlotForm.slotSize(for: room)
        let (key, bytes) = try made { () throws(CryptoError) in
            let key = try SlotForm.Key(since: SlotForm.firstSequence)
            return (key, try SlotForm.file(content, key: key, slotSize: size))
        }
        let made = try bytes.withBytes { (bytes) throws(StoreError) in try file.replace(with: bytes) }
        self.size = size
        self.key = key
        identity = made.identity
        opened = staysOpen ? made.file : nil
    }

    /// Whether a content has room in a slot.
    func hasRoom(for content: UnsafeRawBufferPointer) -> Bool { content.count <= SlotForm.capacity(ofSlot: size) }

    /// Saves a content in place of the one before the last: one write, one flush.
    ///
    /// After an error the content of the slot is unknown, and the file must be created anew.
    /// - Parameter renewing: nothing that was saved before can be read from the file afterwards, nor both at any moment; one
    ///   write and one flush more
    /// - Returns: false: it has no room, or the file is another
    mutating func save(
        _ content: UnsafeRawBufferPointer, in file: ItemFile, renewing: Bool
    ) throws(StoreError) -> Bool {
        guard hasRoom(for: content) else { return false }
        sequence &+= 1
        let (sequence, size, former) = (sequence, size, key)
        let (key, slot) = try made { () throws(CryptoError) in
            let key = renewing ? try SlotForm.Key(since: sequence) : former
            return (key, try SlotForm.slot(content, sequence: sequence, key: key, size: size))
        }
        guard try overwrite(slot, in: file, at: SlotForm.offset(of: sequence, slotSize: size)) else { return false }
        guard renewing else { return true }
        self.key = key
        return try overwrite(try made { () throws(CryptoError) in try key.sector() }, in: file, at: 0)
    }

    private func overwrite(_ bytes: some Bytes, in file: ItemFile, at offset: Int) throws(StoreError) -> Bool {
        try bytes.withBytes { (bytes) throws(StoreError) in
            try file.overwrite(identity, opened, with: bytes, at: offset)
        }
    }
}

private func made<Made>(_ make: () throws(CryptoError) -> Made) throws(StoreError) -> Made {
    do throws(CryptoError) {
        return try make()
    } catch {
        throw StoreError(.failed)
    }
}
