// SPDX-License-Identifier: Apache-2.0
// mtoken.h for Swift programs: owners that free, errors that are thrown. Copy it and adapt it.
import CMToken
import Glibc

/// A failed call. `outcome` says whether the server may have acted nevertheless.
struct TokenError: Error, CustomStringConvertible {
    let code: mtoken_status_values
    let outcome: mtoken_outcome_values
    let reason: String
    let description: String

    init(_ error: mtoken_error) {
        code = mtoken_status_values(rawValue: error.code)
        outcome = mtoken_outcome_values(rawValue: error.outcome)
        reason = text(error.reason)
        let place = error.byte_offset < 0 ? "" : ", line \(error.line), byte \(error.byte_offset)"
        description = "\(text(mtoken_error_name(error.code))) (\(reason))\(place): \(text(error.message))"
    }
}

/// An object of the library, and the function that frees it.
final class Owned<Object> {
    let object: UnsafeMutablePointer<Object>
    private let free: (UnsafeMutablePointer<Object>?) -> Void

    init(_ object: UnsafeMutablePointer<Object>, freedBy free: @escaping (UnsafeMutablePointer<Object>?) -> Void) {
        (self.object, self.free) = (object, free)
    }

    deinit { free(object) }
}

/// The same for handles, which are opaque.
final class Handle {
    let pointer: OpaquePointer
    private let free: (OpaquePointer?) -> Void

    init(_ pointer: OpaquePointer, freedBy free: @escaping (OpaquePointer?) -> Void) {
        (self.pointer, self.free) = (pointer, free)
    }

    deinit { free(pointer) }
}

typealias ErrorOut = UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>

func call(_ function: (ErrorOut) -> mtoken_status) throws(TokenError) {
    var error: UnsafeMutablePointer<mtoken_error>?
    guard function(&error) != MTOKEN_OK.rawValue, let error else { return }
    defer { mtoken_error_free(error) }
    throw TokenError(error.pointee)
}

func make<Object>(
    freedBy free: @escaping (UnsafeMutablePointer<Object>?) -> Void,
    _ function: (UnsafeMutablePointer<UnsafeMutablePointer<Object>?>, ErrorOut) -> mtoken_status
) throws(TokenError) -> Owned<Object> {
    var made: UnsafeMutablePointer<Object>?
    try call { function(&made, $0) }
    return Owned(made!, freedBy: free)
}

func make(
    freedBy free: @escaping (OpaquePointer?) -> Void,
    _ function: (UnsafeMutablePointer<OpaquePointer?>, ErrorOut) -> mtoken_status
) throws(TokenError) -> Handle {
    var made: OpaquePointer?
    try call { function(&made, $0) }
    return Handle(made!, freedBy: free)
}

/// Waits for a network call. The results live as long as the task.
@discardableResult
func finish(_ function: (UnsafeMutablePointer<OpaquePointer?>, ErrorOut) -> mtoken_status) throws(TokenError) -> Handle {
    let task = try make(freedBy: mtoken_task_free, function)
    try call { mtoken_task_join(task.pointer, Int64(MTOKEN_FOREVER), $0) }
    return task
}

/// A text from the library; nil for NULL.
func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
}

/// Texts for options: they live as long as this object and are wiped with it.
final class Texts {
    private var copies: [UnsafeMutableBufferPointer<CChar>] = []

    func callAsFunction(_ string: String) -> mtoken_text {
        let bytes = string.utf8CString
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        copies.append(copy)
        return mtoken_text(data: copy.baseAddress, length: bytes.count - 1)
    }

    deinit {
        for copy in copies {
            if let start = copy.baseAddress { explicit_bzero(start, copy.count) }
            copy.deallocate()
        }
    }
}

/// The first bytes of the standard input.
func standardInput(atMost limit: Int) -> [CChar] {
    [CChar](unsafeUninitializedCapacity: limit) { buffer, count in
        while count < limit, let start = buffer.baseAddress {
            let length = read(STDIN_FILENO, start + count, limit - count)
            guard length > 0 else { break }
            count += length
        }
    }
}

func fail(_ message: String, code: Int32 = 1) -> Never {
    let line = Array("\(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(code)
}
