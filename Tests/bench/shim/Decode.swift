import CMToken
import MobileToken
import MobileTokenModel

@testable import MobileTokenC

/// Decodes a reply with operations into the structs of the C interface, all members of it, lets them be read and frees it all
/// again.
/// The number of operations, or -1 if the reply has no list.
@_cdecl("mtoken_bench_decode_list")
public func mtoken_bench_decode_list(
    _ bytes: UnsafePointer<UInt8>, _ count: Int,
    _ read: (@convention(c) (UnsafePointer<mtoken_operation_list>) -> Void)?
) -> Int {
    guard let envelope = try? ReplyEnvelope(parsing: UnsafeRawBufferPointer(start: bytes, count: count)),
        let list = try? OperationList.decode(envelope)
    else { return -1 }
    let arena = Arena()
    defer { arena.free() }
    let result = arena.put(list)
    read?(result)
    return result.pointee.count
}
