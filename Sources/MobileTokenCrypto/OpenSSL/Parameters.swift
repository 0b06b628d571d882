// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Building the items of `OSSL_PARAM` lists (which end with `OSSL_PARAM_construct_end()`). Names are static text, since OpenSSL keeps the pointers while it reads the list.
enum Parameter {
    /// A parameter whose value is static text.
    static func text(_ name: StaticString, _ value: StaticString) -> OSSL_PARAM {
        OSSL_PARAM_construct_utf8_string(name.cString, UnsafeMutablePointer(mutating: value.cString), 0)
    }

    /// A parameter whose value is a run of bytes. OpenSSL only reads them.
    static func octets(_ name: StaticString, _ value: UnsafeRawBufferPointer) -> OSSL_PARAM {
        OSSL_PARAM_construct_octet_string(
            name.cString, UnsafeMutableRawPointer(mutating: value.baseAddress), value.count)
    }

    /// A parameter whose value is an unsigned number in the machine's byte order.
    static func number(_ name: StaticString, _ value: UnsafeMutableRawBufferPointer) -> OSSL_PARAM {
        OSSL_PARAM_construct_BN(name.cString, value.bytes, value.count)
    }

    /// A parameter whose value is a C `unsigned int`.
    static func number(_ name: StaticString, _ value: UnsafeMutablePointer<UInt32>) -> OSSL_PARAM {
        OSSL_PARAM_construct_uint32(name.cString, value)
    }

    /// A parameter whose value is a C `int`.
    static func number(_ name: StaticString, _ value: UnsafeMutablePointer<Int32>) -> OSSL_PARAM {
        OSSL_PARAM_construct_int(name.cString, value)
    }
}

extension StaticString {
    /// The text as C wants it: Swift ends static text with a NUL.
    var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}
