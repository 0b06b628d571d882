// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenCrypto

/// The default description of the device for the bank: the operating system and the kind of processor, e.g.
/// `Debian GNU/Linux 12 (bookworm), x86_64`. Nothing that names the machine or its user.
enum DeviceInfo {
    static let maximumSize = 255

    /// From `/etc/os-release` and uname(2). Empty if neither tells anything.
    static var system: String {
        var names = utsname()
        guard uname(&names) == 0 else { return osRelease() ?? "" }
        let kernel = withUnsafeBytes(of: &names.sysname) { text($0) }
        let machine = withUnsafeBytes(of: &names.machine) { text($0) }
        return cut((osRelease() ?? kernel) + ", " + machine)
    }

    /// The name for people in `/etc/os-release` (os-release(5)).
    private static func osRelease() -> String? {
        let file = mtoken_open("/etc/os-release", O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let content = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, buffer.count))
        }
        return prettyName(content)
    }

    /// The value of `PRETTY_NAME`; nil: none that is plain text.
    static func prettyName(_ content: [UInt8]) -> String? {
        let key: StaticString = "PRETTY_NAME="
        for line in content.split(separator: UInt8(ascii: "\n")) {
            guard begins(line, with: key) else { continue }
            var value = line.dropFirst(key.utf8CodeUnitCount)
            if let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                guard value.count >= 2, value.last == quote else { return nil }
                value = value.dropFirst().dropLast()
            }
            // Escapes are for shells, and no name has them.
            guard !value.isEmpty, value.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else {
                return nil
            }
            return String(utf8: value)
        }
        return nil
    }

    /// No more bytes than a server takes characters; both are ASCII here.
    private static func cut(_ text: String) -> String { String(utf8: text.utf8.prefix(maximumSize)) }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(utf8: bytes.prefix { $0 != 0 })
    }
}
