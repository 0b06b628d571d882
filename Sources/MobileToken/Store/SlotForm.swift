// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The form of a file that is saved often: the sector of a key, then two slots of the same size, of which a save overwrites the
/// older one whole. The other slot holds the saved content until the new one is flushed.
///
/// A slot is a digest (SHA-256 of what follows), magic, length, sequence number and content, spread over sectors of 512 bytes,
/// each of which ends in the sequence number. Disks write a sector whole or not at all, so:
/// - A slot whose digest is right was written whole.
/// - A slot with sectors of a number before the other's was not saved last: it is the older one, or its write never ended and
///   nothing that it held has left.
/// - Any other slot was damaged or changed after it was written.
///
/// The content is encrypted with the file's key. A save that must leave nothing of the previous save has a new key,
/// which is in memory only until the slot is flushed. Then it overwrites the former key. At any moment a reader of the
/// file can therefore read one of the two contents, never both.
enum SlotForm {
    /// A file has no content larger than this, in bytes.
    static var maximumContent: Int { capacity(ofSlot: maximumSlot) }
    static var maximumFile: Int { slotStart + 2 * maximumSlot }

    /// The slots begin here.
    static let slotStart = page
    /// The sequence number of the first save.
    static let firstSequence: UInt64 = 2
    /// The stamp of a slot that was never used.
    private static let unused = firstSequence - 1

    private static let page = 4096
    private static let maximumSlot = 243 * page
    private static let sector = 512
    private static let stamp = 8
    private static let digest = 32
    private static let magic: UInt32 = 0x4D54_534C  // "MTSL"
    /// The first slot under its key.
    private static let magicOfFirst: UInt32 = 0x4D54_5346  // "MTSF"
    private static let header = digest + 16

    /// The key that encrypts the contents of slots.
    struct Key: Sendable {
        private static let magic: UInt32 = 0x4D54_534B  // "MTSK"
        private static let version: UInt32 = 1
        private static let size = digest + 8 + 8 + AES128CBC.blockLength

        /// The sequence number of the first slot under it.
        let since: UInt64
        fileprivate let bytes: SecureBytes

        init(since: UInt64) throws(CryptoError) {
            self.init(since: since, bytes: try SystemRandom().secureBytes(AES128CBC.blockLength))
        }

        private init(since: UInt64, bytes: SecureBytes) {
            self.since = since
            self.bytes = bytes
        }

        /// The sector that holds it: digest, magic, version, number of the first slot, key, zeros.
        func sector() throws(CryptoError) -> SecureBytes {
            try SecureBytes(count: SlotForm.sector) { (sector) throws(CryptoError) in
                sector.storeBytes(of: Key.magic.bigEndian, toByteOffset: digest, as: UInt32.self)
                sector.storeBytes(of: Key.version.littleEndian, toByteOffset: digest + 4, as: UInt32.self)
                sector.storeBytes(of: since.littleEndian, toByteOffset: digest + 8, as: UInt64.self)
                bytes.withBytes {
                    UnsafeMutableRawBufferPointer(rebasing: sector[(Key.size - $0.count)...]).copyMemory(from: $0)
                }
                sector.copyBytes(from: try SHA256.hash(UnsafeRawBufferPointer(rebasing: sector[digest..<Key.size])))
            }
        }

        /// Nil: the sector has no key.
        fileprivate init?(sector: UnsafeRawBufferPointer) {
            guard sector.count >= Key.size,
                sector.word(at: digest).bigEndian == Key.magic,
                sector.word(at: digest + 4).littleEndian == Key.version,
                let expected = try? SHA256.hash(UnsafeRawBufferPointer(rebasing: sector[digest..<Key.size])),
                begins(sector, with: expected)
            else { return nil }
            since = sector.number(at: digest + 8)
            bytes = SecureBytes(copying: UnsafeRawBufferPointer(rebasing: sector[digest + 16..<Key.size]))
        }
    }

    /// The size of a slot with room for a content: a page, or three, or nine, and so on.
    static func slotSize(for content: Int) -> Int {
        var size = page
        while size < maximumSlot, capacity(ofSlot: size) < content { size *= 3 }
        return size
    }

    static func capacity(ofSlot size: Int) -> Int { size / sector * (sector - stamp) - header }

    /// Where in the file the slot with a sequence number is.
    static func offset(of sequence: UInt64, slotSize: Int) -> Int { slotStart + (sequence & 1 == 0 ? 0 : slotSize) }

    /// A file with a content in the first slot. The second one is written too: a write that needs no new block changes nothing
    /// but its own pages.
    static func file(_ content: UnsafeRawBufferPointer, key: Key, slotSize size: Int) throws(CryptoError) -> SecureBytes
    {
        let slot = try slot(content, sequence: key.since, key: key, size: size)
        let sector = try key.sector()
        return SecureBytes(count: slotStart + 2 * size) { file in
            sector.withBytes { file.copyMemory(from: $0) }
            slot.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: file[slotStart...]).copyMemory(from: $0) }
            let second = UnsafeMutableRawBufferPointer(rebasing: file[(slotStart + size)...])
            for (start, part) in parts(ofSlot: size) {
                second.storeBytes(of: unused.littleEndian, toByteOffset: start + part.count, as: UInt64.self)
            }
        }
    }

    /// A slot with a content that it has room for.
    static func slot(
        _ content: UnsafeRawBufferPointer, sequence: UInt64, key: Key, size: Int
    ) throws(CryptoError) -> [UInt8] {
        let magic = sequence == key.since ? magicOfFirst : magic
        let head = (
            magic.bigEndian, UInt32(truncatingIfNeeded: content.count).littleEndian, sequence.littleEndian
        )
        var hashed = withUnsafeBytes(of: head) { [UInt8]($0) }
        var blocks = [UInt8](repeating: 0, count: padded(content.count))
        blocks.withUnsafeMutableBytes { $0.copyMemory(from: content) }
        hashed.append(contentsOf: try AES128CBC.encrypt(blocks, key: key.bytes, iv: AES128CBC.zeroIV, padding: .none))
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

    /// Whole blocks.
    private static func padded(_ count: Int) -> Int { (count + 15) & ~15 }

    /// The content that was saved last.
    ///
    /// - Returns: nil: the bytes have another form, or were damaged or changed
    static func content(of file: UnsafeRawBufferPointer) -> SecureBytes? {
        let size = (file.count - slotStart) / 2
        guard file.count == slotStart + 2 * size, size > 0, size <= maximumSlot,
            size == slotSize(for: capacity(ofSlot: size)),
            let key = Key(sector: UnsafeRawBufferPointer(rebasing: file[..<sector]))
        else { return nil }
        let first = Slot(UnsafeRawBufferPointer(rebasing: file[slotStart..<slotStart + size]), key)
        let second = Slot(UnsafeRawBufferPointer(rebasing: file[(slotStart + size)...]), key)
        switch (first, second) {
        case (.whole(let one, let content), .whole(let other, let later)):
            return (one > other ? content : later)?.opened(with: key)
        case (.whole(let number, let content), let other), (let other, .whole(let number, let content)):
            return other.isFormer(of: number) ? content?.opened(with: key) : nil
        default:
            return nil
        }
    }

    /// The content of a slot.
    private enum Slot {
        /// Saved under the file's key.
        case whole(UInt64, Sealed?)
        /// Saved under another key: a former one, or one that never came into the file.
        case foreign
        /// Torn, never used, damaged or changed.
        case broken(UnsafeRawBufferPointer)

        /// The encrypted content.
        struct Sealed {
            let blocks: [UInt8]
            let count: Int

            func opened(with key: Key) -> SecureBytes? {
                try? AES128CBC.decryptSecure(blocks, key: key.bytes, iv: AES128CBC.zeroIV, padding: .none).slice(
                    0..<count)
            }
        }

        init(_ bytes: UnsafeRawBufferPointer, _ key: Key) {
            var packed: [UInt8] = []
            packed.reserveCapacity(bytes.count)
            for (start, part) in parts(ofSlot: bytes.count) {
                packed.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<start + part.count]))
            }
            self = packed.withUnsafeBytes { Self.whole($0, key) } ?? .broken(bytes)
        }

        private static func whole(_ packed: UnsafeRawBufferPointer, _ key: Key) -> Slot? {
            let hashed = UnsafeRawBufferPointer(rebasing: packed[digest...])
            let found = hashed.word(at: 0).bigEndian
            let length = Int(hashed.word(at: 4).littleEndian)
            let isFirst = found == magicOfFirst
            guard isFirst || found == magic, length <= packed.count - header else { return nil }
            let end = header + padded(length)
            guard let expected = try? SHA256.hash(UnsafeRawBufferPointer(rebasing: packed[digest..<end])),
                begins(packed, with: expected)
            else { return nil }
            let number = packed.number(at: header - 8)
            guard isFirst ? number == key.since : number > key.since else { return .foreign }
            return .whole(number, Sealed(blocks: [UInt8](packed[header..<end]), count: length))
        }

        /// Whether it may lie beside the slot of a number that counts: it was saved before, or its write never ended. Then it
        /// has sectors of a former save, of any one should the disk have lied about what was written there, or of a slot never
        /// used. Without any it may be what was saved last.
        func isFormer(of number: UInt64) -> Bool {
            guard case .broken(let bytes) = self else { return true }
            return parts(ofSlot: bytes.count).contains { start, part in
                let stamp = bytes.number(at: start + part.count)
                return stamp >= unused && stamp < number
            }
        }
    }

    /// Where each sector of a slot begins, and what of the digest and all after it the sector holds.
    private static func parts(ofSlot size: Int) -> some Sequence<(start: Int, part: Range<Int>)> {
        let room = sector - stamp
        return (0..<size / sector).lazy.map { ($0 * sector, $0 * room..<($0 + 1) * room) }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func word(at offset: Int) -> UInt32 { loadUnaligned(fromByteOffset: offset, as: UInt32.self) }

    fileprivate func number(at offset: Int) -> UInt64 {
        loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
    }
}
