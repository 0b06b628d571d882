import CSystem
import MobileTokenCrypto

/// The slots of a file that this process made and whose last save is known to be durable: only then is it known which slot may
/// be overwritten. What a file read back holds may still be on its way to the disk.
struct Slots {
    private let identity: mtoken_file_identity
    private let opened: OpenFile?
    private let size: Int
    private var sequence: UInt64 = 1

    /// Makes the file anew, with the content in the first slot.
    init(_ file: ItemFile, content: UnsafeRawBufferPointer, staysOpen: Bool) throws(StoreError) {
        guard content.count <= SlotForm.maximumContent else { throw StoreError(.failed, systemError: EFBIG) }
        size = SlotForm.slotSize(for: content.count)
        // The second slot is written too: a write that needs no new block changes nothing but its own pages.
        let slots = try Self.slot(content, sequence, size) + [UInt8](repeating: 0, count: size)
        let made = try slots.withBytes { (slots) throws(StoreError) in try file.replace(with: slots) }
        identity = made.identity
        opened = staysOpen ? made.file : nil
    }

    /// Saves a content in place of the one before the last: one write, one flush.
    ///
    /// After an error nobody knows what the slot holds, and the file must be made anew.
    /// - Returns: false: it has no room, or the file is another
    mutating func save(_ content: UnsafeRawBufferPointer, in file: ItemFile) throws(StoreError) -> Bool {
        guard content.count <= SlotForm.capacity(ofSlot: size) else { return false }
        sequence &+= 1
        let (identity, opened, offset) = (identity, opened, SlotForm.offset(of: sequence, slotSize: size))
        return try Self.slot(content, sequence, size).withBytes { (slot) throws(StoreError) in
            try file.overwrite(identity, opened, with: slot, at: offset)
        }
    }

    private static func slot(
        _ content: UnsafeRawBufferPointer, _ sequence: UInt64, _ size: Int
    ) throws(StoreError) -> [UInt8] {
        do throws(CryptoError) {
            return try SlotForm.slot(content, sequence: sequence, size: size)
        } catch {
            throw StoreError(.failed)
        }
    }
}
