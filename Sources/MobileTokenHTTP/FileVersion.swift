// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenCrypto

/// Names of a file that differ when its content does.
///
/// libcurl keeps the certificates of a file, and connections that they have let pass, by the file's name: for an hour a new
/// authority would be refused, and one that was taken out trusted. So each version of a file has a name of its own, made with
/// slashes and dots that mean nothing to the system, out of what it knows of the file.
enum FileVersion {
    /// A name of the file as it is now; `path` itself, if it is not absolute or there is no such file. Of anything but
    /// a regular file, one that nothing can open: libcurl would wait for a pipe, on the loop's thread.
    static func path(_ path: String) -> String {
        var information = stat()
        guard path.utf8.first == UInt8(ascii: "/"), stat(path, &information) == 0 else { return path }
        guard information.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else { return path + "/" }
        var mark: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in [
            Int64(truncatingIfNeeded: information.st_dev), Int64(truncatingIfNeeded: information.st_ino),
            Int64(information.st_size), Int64(information.st_mtim.tv_sec), Int64(information.st_mtim.tv_nsec),
            Int64(information.st_ctim.tv_sec), Int64(information.st_ctim.tv_nsec),
        ] {
            mark = (mark ^ UInt64(bitPattern: part)) &* 0x0000_0100_0000_01B3
            mark ^= mark >> 29
        }
        var name: [UInt8] = []
        for bit in 0..<64 {
            name.append(UInt8(ascii: "/"))
            if mark >> UInt64(bit) & 1 == 1 { name.append(UInt8(ascii: ".")) }
        }
        return String(utf8: name + path.utf8)
    }
}
