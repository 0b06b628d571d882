// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The item of a store that holds a client's device secret: the 32 bytes as they are, or sealed by a sealer.
///
/// Sealed form: magic, version, length of the sealer's name, name, the sealer's output.
enum KeptSecret {
    case plain(SecureBytes)
    case sealed(SecureBytes, by: ByteKey)

    private static let magic: [UInt8] = [0x4d, 0x54, 0x53, 0x45]  // "MTSE"
    private static let version: UInt8 = 1
    /// An item of this length is not a sealed form, whatever it begins with.
    static let plainSize = 32

    static func read(_ item: SecureBytes) throws(Failure) -> KeptSecret {
        let head = magic.count + 2
        return try item.withBytes { (bytes) throws(Failure) in
            guard bytes.count != plainSize else { return .plain(item) }
            guard begins(bytes, with: magic), bytes.count > head else {
                throw Failure(
                    .tampered, Reason.storageTampered,
                    "The stored device secret is damaged, or was put there by others.")
            }
            guard bytes[magic.count] == version else {
                throw Failure(
                    .unsupported, Reason.unsupportedState, "A later version of the library sealed the device secret.")
            }
            let start = head + Int(bytes[magic.count + 1])
            guard start < bytes.count, let form = item.slice(start..<bytes.count) else {
                throw Failure(SealFailure(.damaged))
            }
            let name = String(utf8: UnsafeRawBufferPointer(rebasing: bytes[head..<start]))
            return .sealed(form, by: name.byBytes)
        }
    }

    static func item(_ form: SecureBytes, by sealer: Sealer) -> SecureBytes {
        var head = magic + [version, UInt8(clamping: sealer.name.utf8.count)]
        head.append(contentsOf: sealer.name.utf8)
        return joined(head, form)
    }
}

extension Failure {
    /// The device secret is sealed by another sealer than the one given, or by any while none was given.
    static func sealed(by name: ByteKey) -> Failure {
        var failure = Failure(
            .sealed, Reason.sealerMissing,
            "The device secret was sealed by the sealer \"" + name.text + "\". Open that one and hand it in.")
        failure.cause = name.text
        return failure
    }

    static var notSealed: Failure {
        Failure(
            .sealed, Reason.notSealed,
            "The device secret is not sealed. Open the client without a sealer, and call mtoken_client_reseal.")
    }
}
