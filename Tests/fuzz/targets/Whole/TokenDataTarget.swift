import CMToken
import CSystem
import FuzzSupport
import MobileToken
import MobileTokenJSON

/// Mobile token data: the object to begin with, then keys and values, each ended by a NUL. What was built is JSON, and has each
/// key once; through Swift and through the C interface.
func fuzzTokenData(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let parts = rest.split(separator: 0, omittingEmptySubsequences: false).map { [UInt8]($0) }
    guard let initial = parts.first else { return }
    let data = initial.isEmpty ? MobileTokenData() : try? MobileTokenData(initial: initial)
    var handle: OpaquePointer?
    let status = withError(initial.count) { error in
        initial.withUnsafeBytes { bytes in
            mtoken_mobile_token_data_new(
                initial.isEmpty ? nil : bytes.assumingMemoryBound(to: CChar.self).baseAddress, initial.count, &handle,
                error)
        }
    }
    defer { mtoken_mobile_token_data_free(handle) }
    require((status == MTOKEN_OK.rawValue) == (handle != nil), "success without a result")
    require((status == MTOKEN_OK.rawValue) == (data != nil), "the C interface reads differently")
    guard let data else { return }
    var index = 1
    while index + 1 < parts.count {
        let (key, value) = (parts[index], parts[index + 1])
        index += 2
        let isText = (mode >> (index / 2 % 4)) & 1 == 1
        guard let name = String(validating: key, as: UTF8.self), let text = String(validating: value, as: UTF8.self)
        else {
            continue
        }
        let isPut = isText || (try? data.put(name, json: value)) != nil
        if isText { data.put(name, text: text) }
        let status = withError(value.count) { error in
            key.withUnsafeBytes { key in
                value.withUnsafeBytes { value in
                    let (key, value) = (
                        key.assumingMemoryBound(to: CChar.self), value.assumingMemoryBound(to: CChar.self)
                    )
                    return isText
                        ? mtoken_mobile_token_data_put_text(
                            handle, key.baseAddress ?? pointerToNothing, key.count,
                            value.baseAddress ?? pointerToNothing, value.count, error)
                        : mtoken_mobile_token_data_put(
                            handle, key.baseAddress ?? pointerToNothing, key.count,
                            value.baseAddress ?? pointerToNothing, value.count, error)
                }
            }
        }
        require((status == MTOKEN_OK.rawValue) == isPut, "the C interface puts differently")
        if isPut, value.count % 5 == 4 { require(data.remove(name), "what was put is not there") }
        if isPut, value.count % 5 == 4 {
            key.withUnsafeBytes { key in
                let pointer = key.assumingMemoryBound(to: CChar.self).baseAddress ?? pointerToNothing
                require(mtoken_mobile_token_data_remove(handle, pointer, key.count) == 1, "what was put is not there")
            }
        }
    }
    let built = data.build()
    guard let document = try? JSONDocument(parsing: built, limits: JSONLimits(maximumDepth: 66)) else {
        return require(false, "what was built is no JSON")
    }
    require(document.root.kind == .object, "what was built is no object")
    var json: UnsafeMutablePointer<mtoken_text>?
    require(
        withError(0) { mtoken_mobile_token_data_build(handle, &json, $0) } == MTOKEN_OK.rawValue, "nothing was built")
    if let json {
        require(json.pointee.length == built.count, "the C interface builds something else")
        require(memcmp(json.pointee.data, built, built.count) == 0, "the C interface builds something else")
    }
    mtoken_text_free(json)
}

nonisolated(unsafe) private let pointerToNothing: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.pointee = 0
    return UnsafePointer(byte)
}()
