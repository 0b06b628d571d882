import MobileTokenCrypto

/// The form of a file that is saved often: two slots of the same size, of which a save overwrites the older one whole. What is
/// saved is in the other slot until the new one is flushed.
///
/// A slot is a digest (SHA-256 of what follows), magic, length, sequence number and content, spread over sectors of 512 bytes,
/// each of which ends in the sequence number. Disks write a sector whole or not at all, so:
/// - A slot whose digest is right holds its content.
/// - A slot whose sectors do not agree is torn: its write never ended, and nothing that it held has left.
/// - A slot whose sectors agree was written whole. If its digest is wrong, it was damaged or changed afterwards.
enum SlotForm {
    /// A file has no content larger than this, in bytes.
    static var maximumContent: Int { capacity(ofSlot: maximumSlot) }
    static var maximumFile: Int { 2 * maximumSlot }

    private static let page = 4096
    private static let maximumSlot = 243 * page
    private static let sector = 512
    private static let stamp = 8
    private static let digest = 32
    private static let magic: [UInt8] = [0x4d, 0x54, 0x53, 0x4c]  // "MTSL"
    private static let header = digest + 16

    /// The size of a slot with room for a content: a page, or three, or nine, and so on.
    static func slotSize(for content: Int) -> Int {
        var size = page
        while size < maximumSlot, capacity(ofSlot: size) < content { size *= 3 }
        return size
    }

    static func capacity(ofSlot size: Int) -> Int { size / sector * (sector - stamp) - header }

    /// Where in the file the slot with a sequence number is.
    static func offset(of sequence: UInt64, slotSize: Int) -> Int { sequence & 1 == 1 ? 0 : slotSize }

    /// A slot with a content that it has room for.
    static func slot(
        _ content: UnsafeRawBufferPointer, sequence: UInt64, size: Int
    ) throws(CryptoError) -> [UInt8] {
        var hashed = magic
        hashed.reserveCapacity(header + content.count)
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: content.count).littleEndian) { hashed.append(contentsOf: $0) }
        withUnsafeBytes(of: sequence.littleEndian) { hashed.append(contentsOf: $0) }
        hashed.append(contentsOf: content)
        let packed = try SHA256.hash(hashed) + hashed
        var slot = [UInt8](repeating: 0, count: size)
        slot.withUnsafeMutableBytes { slot in
            packed.withUnsafeBytes { packed in
                for (start, part) in parts(ofSlot: size) {
                    let rest = UnsafeRawBufferPointer(rebasing: packed[min(part.lowerBound, packed.count)...])
                    let taken = min(part.count, rest.count)
                    let target = UnsafeMutableRawBufferPointer(rebasing: slot[start..<start + taken])
                    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<taken]))
                    slot.storeBytes(of: sequence.littleEndian, toByteOffset: start + part.count, as: UInt64.self)
                }
            }
        }
        return slot
    }

    /// The content that was saved last.
    ///
    /// - Returns: nil: the bytes have another form, or the newest slot was damaged or changed
    static func content(of file: UnsafeRawBufferPointer) -> SecureBytes? {
        let size = file.count / 2
        guard file.count == 2 * size, size <= maximumSlot, size == slotSize(for: capacity(ofSlot: size)) else {
            return nil
        }
        let first = Slot(UnsafeRawBufferPointer(rebasing: file[..<size]))
        let second = Slot(UnsafeRawBufferPointer(rebasing: file[size...]))
        return first.sequence > second.sequence ? first.content : second.content
    }

    /// What is in a slot.
    private struct Slot {
        /// 0: nothing was ever saved in it, or it is torn.
        let sequence: UInt64
        /// nil: it was damaged or changed.
        let content: SecureBytes?

        init(_ bytes: UnsafeRawBufferPointer) {
            var packed: [UInt8] = []
            packed.reserveCapacity(bytes.count)
            let stamp = bytes.number(at: sector - SlotForm.stamp)
            var agree = true
            for (start, part) in parts(ofSlot: bytes.count) {
                packed.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<start + part.count]))
                agree = agree && bytes.number(at: start + part.count) == stamp
            }
            if let whole = packed.withUnsafeBytes({ Self.whole($0) }) {
                (sequence, content) = whole
            } else {
                (sequence, content) = (agree ? stamp : 0, nil)
            }
        }

        private static func whole(_ packed: UnsafeRawBufferPointer) -> (UInt64, SecureBytes)? {
            let hashed = UnsafeRawBufferPointer(rebasing: packed[digest...])
            let length = Int(hashed.loadUnaligned(fromByteOffset: magic.count, as: UInt32.self).littleEndian)
            guard begins(hashed, with: magic), length <= packed.count - header,
                let expected = try? SHA256.hash(UnsafeRawBufferPointer(rebasing: packed[digest..<header + length])),
                begins(packed, with: expected)
            else { return nil }
            let content = UnsafeRawBufferPointer(rebasing: packed[header..<header + length])
            return (packed.number(at: header - 8), SecureBytes(copying: content))
        }
    }

    /// Where each sector of a slot begins, and what of the digest and all after it the sector holds.
    private static func parts(ofSlot size: Int) -> some Sequence<(start: Int, part: Range<Int>)> {
        let room = sector - stamp
        return (0..<size / sector).lazy.map { ($0 * sector, $0 * room..<($0 + 1) * room) }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func number(at offset: Int) -> UInt64 {
        loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
    }
}
