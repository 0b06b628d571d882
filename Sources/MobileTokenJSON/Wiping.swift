// SPDX-License-Identifier: Apache-2.0
internal import CJansson

/// Overwrites memory with zeros in a way that the compiler does not remove.
func wipeJSONMemory(_ memory: UnsafeMutableRawBufferPointer) {
    mtoken_json_wipe(memory.baseAddress, memory.count)
}
