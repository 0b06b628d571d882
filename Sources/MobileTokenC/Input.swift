// SPDX-License-Identifier: Apache-2.0
import CMToken
import CSystem
import MobileToken
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import PowerAuth

/// Checks the host's input.
package enum Input {
    /// Longest text accepted, in bytes.
    static let maximumTextSize = 1 << 20
    /// Longest JSON accepted that came out of an answer of the server, in bytes.
    static let maximumAnswerSize = 4 << 20
    /// Most bytes accepted.
    static let maximumByteCount = 16 << 20

    /// A text that must be given.
    @inline(never)
    package static func text(
        _ data: UnsafePointer<CChar>?, _ length: Int, _ name: StaticString, limit: Int = maximumTextSize
    ) throws(Failure) -> String {
        guard let text = String(validating: try bytes(ofText: data, length, name, limit: limit), as: UTF8.self) else {
            throw .argument(name, " is not valid UTF-8.")
        }
        return text
    }

    /// The bytes of a text that must be given; they may not be valid UTF-8.
    @inline(never)
    private static func bytes(
        ofText data: UnsafePointer<CChar>?, _ length: Int, _ name: StaticString, limit: Int = maximumTextSize
    ) throws(Failure) -> UnsafeRawBufferPointer {
        let bytes = try unchecked(data, length, name, limit: limit)
        guard !bytes.contains(0) else { throw .argument(name, " contains a NUL.") }
        return bytes
    }

    /// A secret text that must be given; its copy is wiped.
    @inline(never)
    static func secretText(
        _ data: UnsafePointer<CChar>?, _ length: Int, _ name: StaticString
    ) throws(Failure) -> SecureBytes {
        let bytes = try bytes(ofText: data, length, name)
        guard UTF8Validity.firstInvalid(in: bytes) == nil else { throw .argument(name, " is not valid UTF-8.") }
        return SecureBytes(copying: bytes)
    }

    /// The bytes of a required text, in place, for a reader that checks them itself.
    package static func unchecked(
        _ data: UnsafePointer<CChar>?, _ length: Int, _ name: StaticString, limit: Int = maximumTextSize
    ) throws(Failure) -> UnsafeRawBufferPointer {
        guard let data else { throw .argument(name, " is NULL.") }
        let count = length == -1 ? strnlen(data, limit + 1) : length  // MTOKEN_NUL_TERMINATED
        guard (0...limit).contains(count) else { throw .argument(name, " is too long.") }
        return UnsafeRawBufferPointer(start: data, count: count)
    }

    /// A text of an option struct; nil: not given.
    @inline(never)
    package static func text(_ text: mtoken_text, _ name: StaticString) throws(Failure) -> String? {
        guard text.data != nil else {
            guard text.length == 0 || text.length == -1 else { throw .argument(name, " is NULL but has a length.") }
            return nil
        }
        return try self.text(text.data, text.length, name)
    }

    /// A text of an option struct that must be given.
    static func required(_ text: mtoken_text, _ name: StaticString) throws(Failure) -> String {
        guard let text = try self.text(text, name) else { throw .argument(name, " is missing.") }
        return text
    }

    /// The bytes of a required text of an option struct, in place: valid UTF-8.
    static func requiredBytes(_ text: mtoken_text, _ name: StaticString) throws(Failure) -> UnsafeRawBufferPointer {
        guard text.data != nil || (text.length != 0 && text.length != -1) else { throw .argument(name, " is missing.") }
        guard text.data != nil else { throw .argument(name, " is NULL but has a length.") }
        let bytes = try bytes(ofText: text.data, text.length, name)
        guard UTF8Validity.firstInvalid(in: bytes) == nil else { throw .argument(name, " is not valid UTF-8.") }
        return bytes
    }

    /// A secret text of an option struct that must be given; its copy is wiped.
    static func requiredSecret(_ text: mtoken_text, _ name: StaticString) throws(Failure) -> SecureBytes {
        guard let text = try secretText(text, name) else { throw .argument(name, " is missing.") }
        return text
    }

    /// Bytes of an option struct; not given: none.
    static func bytes(_ bytes: mtoken_bytes, _ name: StaticString) throws(Failure) -> UnsafeRawBufferPointer {
        try self.bytes(bytes.data, bytes.length, name)
    }

    /// Bytes; NULL goes with length 0.
    @inline(never)
    package static func bytes(
        _ data: UnsafePointer<UInt8>?, _ length: Int, _ name: StaticString
    ) throws(Failure) -> UnsafeRawBufferPointer {
        guard (0...maximumByteCount).contains(length) else { throw .argument(name, " is too long.") }
        guard data != nil || length == 0 else { throw .argument(name, " is NULL but has a length.") }
        return UnsafeRawBufferPointer(start: data, count: length)
    }

    /// Secret bytes of an option struct, copied; nil: not given.
    @inline(never)
    static func secret(_ bytes: mtoken_bytes, _ name: StaticString) throws(Failure) -> SecureBytes? {
        guard bytes.data != nil else {
            guard bytes.length == 0 else { throw .argument(name, " is NULL but has a length.") }
            return nil
        }
        return try secret(bytes.data, bytes.length, name)
    }

    /// Secret bytes that must be given, copied. Nothing but zeros is a secret that was wiped, not one.
    @inline(never)
    static func secret(
        _ data: UnsafePointer<UInt8>?, _ length: Int, _ name: StaticString
    ) throws(Failure) -> SecureBytes {
        let bytes = try bytes(data, length, name)
        guard bytes.isEmpty || !bytes.allSatisfy({ $0 == 0 }) else {
            throw .argument(name, " holds only zeros: it was wiped before the call.")
        }
        return SecureBytes(copying: bytes)
    }

    /// A secret text of an option struct, which never becomes a String; nil: not given.
    @inline(never)
    static func secretText(_ text: mtoken_text, _ name: StaticString) throws(Failure) -> SecureBytes? {
        guard text.data != nil else {
            guard text.length == 0 || text.length == -1 else { throw .argument(name, " is NULL but has a length.") }
            return nil
        }
        return try secretText(text.data, text.length, name)
    }

    /// An option struct. A host that was built with an older header, or that has written down the first members only, hands in a
    /// smaller one, which ends where a member does: the rest is zero, the default. One that was built with a later header may
    /// hand in a larger one, as long as it does not use what this version does not know: the rest must be zero.
    package static func options<T: HostOptions>(
        _ pointer: UnsafePointer<T>?, _ name: StaticString
    ) throws(Failure) -> T {
        var copy = T()
        try withUnsafeMutableBytes(of: &copy) { (copy) throws(Failure) in
            try copyOptions(pointer, to: copy, ends: T.ends, name)
        }
        return copy
    }

    /// Not generic, since it is much code.
    @inline(never)
    private static func copyOptions(
        _ raw: UnsafeRawPointer?, to copy: UnsafeMutableRawBufferPointer, ends: [Int], _ name: StaticString
    ) throws(Failure) {
        guard let raw else { throw .argument(name, " is NULL.") }
        let size = try size(of: raw, known: copy.count, ends, name)
        copy.copyMemory(from: UnsafeRawBufferPointer(start: raw, count: size))
    }

    /// How many of the bytes of an option struct are of use; no more of it is read than it says it has.
    private static func size(
        of raw: UnsafeRawPointer, known: Int, _ ends: [Int], _ name: StaticString
    ) throws(Failure) -> Int {
        let size = raw.loadUnaligned(as: UInt.self)
        guard size > known || ends.contains(Int(size)) else {
            throw wrongSize(
                size, name, ", where no member ends; this version knows ", known,
                " bytes. Set it up with its _INIT macro.")
        }
        guard size <= known + 4096 else {
            throw wrongSize(size, name, "; this version knows ", known, " bytes and accepts at most 4096 more.")
        }
        guard size > known else { return Int(size) }
        for offset in known..<Int(size) where raw.load(fromByteOffset: offset, as: UInt8.self) != 0 {
            let end = "; this version knows " + known.description + " bytes."
            throw wrongSize(size, name, " and uses byte ", offset, end)
        }
        return known
    }

    @inline(never)
    private static func wrongSize(
        _ size: UInt, _ name: StaticString, _ what: String, _ number: Int, _ end: String
    ) -> Failure {
        .argument(name.description + " has struct_size " + size.description + what + number.description + end)
    }

    /// The last time that can be handed in: the end of the year 9999.
    static let latestTime: Int64 = 253_402_300_799_999

    /// A point in time, in milliseconds since the epoch.
    static func time(_ value: Int64, _ name: StaticString) throws(Failure) -> Int64 {
        guard (0...latestTime).contains(value) else { throw .argument(name, " must be 0 to 253402300799999.") }
        return value
    }

    /// A number; 0: not given.
    static func given(_ value: Int32) -> Int32? { value == 0 ? nil : value }

    /// A yes or no.
    package static func flag(_ value: Int32, _ name: StaticString) throws(Failure) -> Bool {
        guard value == 0 || value == 1 else { throw .argument(name, " must be 0 or 1.") }
        return value == 1
    }

    /// Contradictions that a host lets pass.
    static func contradictions(_ value: Int32, _ name: StaticString) throws(Failure) -> Contradictions {
        guard let contradictions = Contradictions(host: value) else { throw .argument(name, " has unknown bits.") }
        return contradictions
    }

    /// The form of an ECDSA signature.
    static func signatureForm(_ form: Int32) throws(Failure) -> SignatureFormat {
        switch form {
        case MTOKEN_SIGNATURE_FORM_DER.rawValue: return .der
        case MTOKEN_SIGNATURE_FORM_RAW.rawValue: return .jose
        default: throw .argument("form is unknown.")
        }
    }

    /// How the user proves who they are.
    @inline(never)
    static func authentication(_ pointer: UnsafePointer<mtoken_auth>?) throws(Failure) -> Authentication {
        let auth = try options(pointer, "auth")
        guard auth.reserved == 0 else { throw .argument("reserved must be 0.") }
        guard
            auth.factors
                & ~(MTOKEN_FACTOR_POSSESSION.rawValue | MTOKEN_FACTOR_KNOWLEDGE.rawValue
                | MTOKEN_FACTOR_BIOMETRY.rawValue) == 0
        else {
            throw .argument("auth names an unknown factor.")
        }
        return Authentication(
            pin: try secret(auth.pin, "pin"), biometryKey: try secret(auth.biometry_key, "biometry_key"),
            authenticator: try text(auth.authenticator, "authenticator"),
            factors: auth.factors == 0 ? nil : Factors(rawValue: UInt8(truncatingIfNeeded: auth.factors)))
    }
}

extension Failure {
    /// A wrong argument: its name, and what is wrong with it. Not inlined, since making texts takes much code.
    @inline(never)
    static func argument(_ name: StaticString, _ what: StaticString) -> Failure {
        .argument(name.description + what.description)
    }
}
