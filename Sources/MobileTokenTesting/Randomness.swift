// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CMTokenTesting
import MobileToken
import MobileTokenC
import MobileTokenCrypto

@_cdecl("mtoken_testing_random_bytes") @implementation
public func mtoken_testing_random_bytes(
    _ runtime: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try testRandom(runtime).lay(bytes: [UInt8](try Input.bytes(bytes, length, "bytes")))
    }
}

@_cdecl("mtoken_testing_random_key") @implementation
public func mtoken_testing_random_key(
    _ runtime: OpaquePointer!, _ number: UnsafePointer<UInt8>!, _ length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let random = try testRandom(runtime)
        let bytes = try Input.bytes(number, length, "number")
        guard bytes.count == 32, let key = try? PrivateKey(bigEndian: bytes) else {
            throw .argument("number is not a private key of 32 bytes.")
        }
        random.lay(key: key)
    }
}

@_cdecl("mtoken_testing_random_fail") @implementation
public func mtoken_testing_random_fail(
    _ runtime: OpaquePointer!, _ nth: Int, _ forever: Int32,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try testRandom(runtime).fail(nth: try callNumber(nth), forever: forever != 0)
    }
}

@_cdecl("mtoken_testing_random_count") @implementation
public func mtoken_testing_random_count(_ runtime: OpaquePointer!) -> Int { (try? testRandom(runtime))?.count ?? 0 }
