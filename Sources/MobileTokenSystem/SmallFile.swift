// SPDX-License-Identifier: Apache-2.0
import CSystem

/// Files that the host names: keys, certificates.
package enum SmallFile {
    /// Reads a regular file from its beginning, as much as there is room for.
    ///
    /// - Returns: how many bytes; nil: there is no such file, or it cannot be read
    package static func read(_ path: String, into room: UnsafeMutableRawBufferPointer) -> Int? {
        let count = mtoken_read_whole(path, room.baseAddress, room.count)
        return count >= 0 ? count : nil
    }
}
