import CMToken
import CSystem
import MobileToken
import MobileTokenCrypto

/// Makes one block of memory that holds a struct and the texts that it points to; the host frees it with one call.
///
/// - Parameters:
///   - texts: copied, each NUL-terminated
///   - fill: makes the struct from the copies' addresses, in the order of `texts`
/// - Returns: nil if no memory can be had
func block<T>(_ texts: [String?], _ fill: ([UnsafePointer<CChar>?]) -> T) -> UnsafeMutablePointer<T>? {
    var size = MemoryLayout<T>.stride
    for case let text? in texts { size += text.utf8.count + 1 }
    guard let memory = malloc(size) else { return nil }
    let result = memory.bindMemory(to: T.self, capacity: 1)
    var next = memory.advanced(by: MemoryLayout<T>.stride).assumingMemoryBound(to: CChar.self)
    let copies = texts.map { text -> UnsafePointer<CChar>? in
        guard let text else { return nil }
        let start = next
        var copied = text
        copied.withUTF8 { bytes in
            guard let from = bytes.baseAddress else { return }
            UnsafeMutableRawPointer(next).copyMemory(from: from, byteCount: bytes.count)
            next += bytes.count
        }
        next.initialize(to: 0)
        next += 1
        return UnsafePointer(start)
    }
    result.initialize(to: fill(copies))
    return result
}

/// A failure as the host reads it.
@inline(never)
func errorBlock(_ failure: Failure) -> UnsafeMutablePointer<mtoken_error>? {
    block([
        failure.reason.description, failure.message, failure.serverCode, failure.serverMessage, failure.serverURI,
        failure.cause, failure.correlationID,
    ]) { texts in
        hostError(failure, texts)
    }
}

/// - Parameter texts: reason, message, code, message and URI of the server, cause, correlation id
private func hostError(_ failure: Failure, _ texts: [UnsafePointer<CChar>?]) -> mtoken_error {
    mtoken_error(
        code: failure.code.rawValue, outcome: failure.outcome.rawValue, reason: texts[0], message: texts[1],
        http_status: failure.httpStatus, remaining_attempts: failure.remainingAttempts ?? -1, server_code: texts[2],
        server_message: texts[3], server_uri: texts[4], server_code_number: ServerCode.number(failure.serverCode),
        is_retriable: failure.retriable ? 1 : 0, network_fault: failure.networkFault.rawValue,
        tls_fault: failure.tlsFault.rawValue, byte_offset: failure.byteOffset.map(Int64.init) ?? -1,
        line: Int32(clamping: failure.line ?? 0), recovery_puk_index: failure.recoveryPUKIndex ?? 0, cause: texts[5],
        upstream_reason: cString(failure.upstreamReason ?? failure.reason), retry_after_ms: failure.retryAfter ?? -1,
        correlation_id: texts[6])
}

extension Arena {
    /// A failure as the host reads it.
    func put(_ failure: Failure) -> UnsafePointer<mtoken_error> {
        put(
            hostError(
                failure,
                [
                    text(failure.reason.description), text(failure.message), failure.serverCode.map { text($0) },
                    failure.serverMessage.map { text($0) }, failure.serverURI.map { text($0) },
                    failure.cause.map { text($0) }, failure.correlationID.map { text($0) },
                ]))
    }
}

/// Memory of a result that the host frees by itself: a struct, behind a reference to the arena that it points into.
func owned<T>(_ value: T, _ arena: Arena) throws(Failure) -> UnsafeMutablePointer<T> {
    try OwnedPlace<T>().fill(value, arena)
}

/// The memory of such a result before there is one: for what must not be lost when none can be had.
struct OwnedPlace<T> {
    private let memory: UnsafeMutableRawPointer

    init() throws(Failure) {
        guard let memory = malloc(ownerSize + MemoryLayout<T>.stride) else { throw outOfMemory }
        self.memory = memory
    }

    func fill(_ value: T, _ arena: Arena) -> UnsafeMutablePointer<T> {
        memory.storeBytes(of: Unmanaged.passRetained(arena).toOpaque(), as: UnsafeMutableRawPointer.self)
        let result = memory.advanced(by: ownerSize).bindMemory(to: T.self, capacity: 1)
        result.initialize(to: value)
        return result
    }

    /// Gives back what was not filled.
    func discard() { free(memory) }
}

/// Frees what `owned` made.
func freeOwned(_ pointer: UnsafeMutableRawPointer?) {
    guard let memory = pointer?.advanced(by: -ownerSize) else { return }
    Unmanaged<Arena>.fromOpaque(memory.load(as: UnsafeMutableRawPointer.self)).release()
    free(memory)
}

/// The place of the reference; what follows is aligned for everything.
private let ownerSize = 16

/// A text for the host.
@inline(never)
func stringBlock(_ text: String) throws(Failure) -> UnsafeMutablePointer<mtoken_text> {
    let result = block([text]) { texts in mtoken_text(data: texts[0], length: text.utf8.count) }
    guard let result else { throw outOfMemory }
    return result
}

/// A secret text for the host, which `mtoken_text_free` wipes.
func stringBlock(_ text: SecureBytes) throws(Failure) -> UnsafeMutablePointer<mtoken_text> {
    let head = MemoryLayout<mtoken_text>.stride
    guard let memory = malloc(head + text.count + 1) else { throw outOfMemory }
    let copy = memory.advanced(by: head).assumingMemoryBound(to: CChar.self)
    text.withBytes { bytes in if let base = bytes.baseAddress { memcpy(copy, base, bytes.count) } }
    copy[text.count] = 0
    let string = memory.bindMemory(to: mtoken_text.self, capacity: 1)
    string.initialize(to: mtoken_text(data: copy, length: text.count))
    return string
}

/// A header for the host. Its name is a literal, which lives for ever, so only the value is copied.
@inline(never)
func headerBlock(_ name: StaticString, _ value: String) throws(Failure) -> UnsafeMutablePointer<mtoken_header> {
    var value = value
    let made = value.withUTF8 { text -> UnsafeMutablePointer<mtoken_header>? in
        let head = MemoryLayout<mtoken_header>.stride
        guard let memory = malloc(head + text.count + 1) else { return nil }
        let copy = memory.advanced(by: head).assumingMemoryBound(to: CChar.self)
        if let base = text.baseAddress { memcpy(copy, base, text.count) }
        copy[text.count] = 0
        let header = memory.bindMemory(to: mtoken_header.self, capacity: 1)
        header.initialize(to: mtoken_header(name: cString(name), value: copy, value_length: text.count))
        return header
    }
    guard let made else { throw outOfMemory }
    return made
}

/// Bytes for the host; a NUL follows them.
func dataBlock(_ data: some Bytes) throws(Failure) -> UnsafeMutablePointer<mtoken_bytes> {
    let made = data.withBytes { (bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<mtoken_bytes>? in
        let head = MemoryLayout<mtoken_bytes>.stride
        guard let memory = malloc(head + bytes.count + 1) else { return nil }
        let copy = memory.advanced(by: head).assumingMemoryBound(to: UInt8.self)
        if let base = bytes.baseAddress { memcpy(copy, base, bytes.count) }
        copy[bytes.count] = 0
        let block = memory.bindMemory(to: mtoken_bytes.self, capacity: 1)
        block.initialize(to: mtoken_bytes(data: copy, length: bytes.count))
        return block
    }
    guard let made else { throw outOfMemory }
    return made
}

package var outOfMemory: Failure { Failure(.internal, "internalError", "No memory can be had.") }

/// The text of a literal, which is NUL-terminated and lives for ever.
func cString(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Memory for results that live as long as a task or an event: given back as a whole, and wiped.
final class Arena {
    private var chunks: [UnsafeMutableRawBufferPointer] = []
    private var next: UnsafeMutableRawPointer?
    private var left = 0
    /// Objects whose memory the results point into.
    private var kept: [AnyObject] = []
    /// Memory that is freed with the arena.
    private var adopted: [UnsafeMutableRawPointer] = []

    private let chunkSize: Int

    init(chunkSize: Int = 4096) { self.chunkSize = chunkSize }

    deinit {
        for block in adopted { free(block) }
        for chunk in chunks {
            if let base = chunk.baseAddress { explicit_bzero(base, chunk.count) }
            chunk.deallocate()
        }
    }

    /// Frees memory of malloc with the arena.
    func adopt(_ block: UnsafeMutableRawPointer?) {
        if let block { adopted.append(block) }
    }

    /// Keeps an object alive as long as the arena.
    func keep(_ object: AnyObject) { kept.append(object) }

    private func raw(_ size: Int, _ alignment: Int) -> UnsafeMutableRawPointer {
        if let next {
            let aligned = next.alignedUp(toMultipleOf: alignment)
            let needed = aligned - next + size
            if needed <= left {
                self.next = next.advanced(by: needed)
                left -= needed
                return aligned
            }
        }
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: max(chunkSize, size), alignment: 16)
        chunks.append(chunk)
        guard let base = chunk.baseAddress else { return UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped }
        next = base.advanced(by: size)
        left = chunk.count - size
        return base
    }

    /// Puts a struct into the arena.
    func put<T>(_ value: T) -> UnsafePointer<T> {
        let place = raw(MemoryLayout<T>.stride, MemoryLayout<T>.alignment).bindMemory(to: T.self, capacity: 1)
        place.initialize(to: value)
        return UnsafePointer(place)
    }

    /// An array in the arena, uninitialised; nil for an empty one.
    func array<T>(of type: T.Type, count: Int) -> UnsafeMutablePointer<T>? {
        guard count > 0 else { return nil }
        return raw(MemoryLayout<T>.stride * count, MemoryLayout<T>.alignment).bindMemory(to: T.self, capacity: count)
    }

    /// A NUL-terminated copy of bytes.
    func text(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<CChar> {
        let place = raw(bytes.count + 1, 1).bindMemory(to: CChar.self, capacity: bytes.count + 1)
        if let from = bytes.baseAddress {
            UnsafeMutableRawPointer(place).copyMemory(from: from, byteCount: bytes.count)
        }
        place[bytes.count] = 0
        return UnsafePointer(place)
    }

    /// A NUL-terminated copy of a text.
    func text(_ text: String) -> UnsafePointer<CChar> {
        var text = text
        return text.withUTF8 { self.text(UnsafeRawBufferPointer($0)) }
    }

    func text(_ bytes: [UInt8]) -> UnsafePointer<CChar> { bytes.withUnsafeBytes { text($0) } }

    /// A NUL-terminated copy of a secret, which is wiped with the arena.
    func text(_ secret: SecureBytes) -> UnsafePointer<CChar> { secret.withBytes { text($0) } }
}
