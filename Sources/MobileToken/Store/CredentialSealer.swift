// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenCrypto

/// Seals under a credential that systemd hands to a service (systemd.exec(5), LoadCredentialEncrypted=).
final class CredentialSealer: Sealer, @unchecked Sendable {
    static let name = "systemd"
    private static let defaultCredential = "mtoken"
    private static let markSize = 8

    private let keys: DeviceKeys
    /// Tells one credential from another.
    private let mark: SecureBytes

    private init(_ keys: DeviceKeys, mark: SecureBytes) {
        self.keys = keys
        self.mark = mark
        super.init(name: Self.name, protection: .host)
    }

    static func open(_ options: SealerOptions) throws(Failure) -> Sealer {
        let credential = options.device ?? defaultCredential
        guard options.module == nil, options.password == nil, options.pcrs == nil, !credential.isEmpty,
            !credential.utf8.contains(UInt8(ascii: "/"))
        else { throw .argument("systemd takes one option, device: the name of a credential.") }
        guard let folder = mtoken_environment("CREDENTIALS_DIRECTORY") else {
            throw Failure(SealFailure(.unavailable, cause: "CREDENTIALS_DIRECTORY is not set"))
        }
        let room = SecureBytes(count: maximumForm + 1)
        let path = String(cString: folder) + "/" + credential
        let count = room.withMutableBytes { mtoken_read_whole(path, $0.baseAddress, $0.count) }
        guard count >= 0 else {
            throw Failure(
                SealFailure(
                    mtoken_errno() == EACCES ? .denied : .unavailable, cause: String(cString: strerror(mtoken_errno())))
            )
        }
        guard (DeviceKeys.minimumSecretSize...maximumForm).contains(count), let secret = room.slice(0..<count) else {
            throw .argument("A credential must have 16 to 4,096 bytes.")
        }
        let label: StaticString = "libmtoken credential"
        guard let keys = try? DeviceKeys(secret: secret),
            let mark = (try? HMACSHA256.authenticateSecure(label, key: secret))?.slice(0..<markSize)
        else { throw Failure(SealFailure(.failed)) }
        return CredentialSealer(keys, mark: mark)
    }

    /// Form: mark, and the secret as a state is sealed.
    override func transform(_ bytes: SecureBytes, label: String, sealing: Bool) throws(SealFailure) -> SecureBytes {
        if sealing {
            let form = try? keys.seal(count: bytes.count, client: label, random: RandomSource()) { room in
                bytes.withBytes { room.copyMemory(from: $0) }
            }
            guard let form else { throw SealFailure(.failed) }
            return joined(mark, form)
        }
        guard let found = bytes.slice(0..<Self.markSize), let form = bytes.slice(Self.markSize..<bytes.count) else {
            throw SealFailure(.damaged)
        }
        guard found.isEqual(to: mark) else { throw SealFailure(.foreign) }
        guard let secret = try? keys.open(form, client: label) else { throw SealFailure(.damaged) }
        return secret
    }
}

/// Two values behind each other.
func joined(_ first: some Bytes, _ second: SecureBytes) -> SecureBytes {
    SecureBytes(count: first.byteCount + second.count) { room in
        first.withBytes { room.copyMemory(from: $0) }
        second.withBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: room[first.byteCount...]).copyMemory(from: bytes)
        }
    }
}
