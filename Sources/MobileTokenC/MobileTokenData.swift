// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto

private func data(_ handle: OpaquePointer?) throws(Failure) -> MobileTokenData {
    try Handles.tokenData.find(handle, "builder")
}

private func recorder(_ handle: OpaquePointer?) throws(Failure) -> ScreenRecorder {
    try Handles.recorders.find(handle, "recorder")
}

private func text(_ json: [UInt8]) throws(Failure) -> UnsafeMutablePointer<mtoken_text> {
    textResult(String(utf8: json))
}

@_cdecl("mtoken_mobile_token_data_new") @implementation
public func mtoken_mobile_token_data_new(
    _ initial: UnsafePointer<CChar>!, _ initial_length: Int, _ out_builder: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_builder, "out_builder")
        let initial = try Input.text(mtoken_text(data: initial, length: initial_length), "initial")
        let data = try initial.map { (text) throws(Failure) in try MobileTokenData(initial: [UInt8](text.utf8)) }
        out.pointee = try Handles.tokenData.hold { _ in data ?? MobileTokenData() }
    }
}

@_cdecl("mtoken_mobile_token_data_free") @implementation
public func mtoken_mobile_token_data_free(_ data: OpaquePointer!) { Handles.tokenData.remove(data) }

@_cdecl("mtoken_mobile_token_data_put") @implementation
public func mtoken_mobile_token_data_put(
    _ data_: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ key_length: Int, _ json: UnsafePointer<CChar>!,
    _ json_length: Int, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let data = try data(data_)
        let key = try Input.text(key, key_length, "key")
        try data.put(key, json: [UInt8](try Input.text(json, json_length, "json").utf8))
    }
}

@_cdecl("mtoken_mobile_token_data_put_text") @implementation
public func mtoken_mobile_token_data_put_text(
    _ data_: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ key_length: Int, _ text: UnsafePointer<CChar>!,
    _ text_length: Int, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let data = try data(data_)
        let key = try Input.text(key, key_length, "key")
        data.put(key, text: try Input.text(text, text_length, "text"))
    }
}

@_cdecl("mtoken_mobile_token_data_put_recorder") @implementation
public func mtoken_mobile_token_data_put_recorder(
    _ data_: OpaquePointer!, _ recorder_: OpaquePointer!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try data(data_).put(try recorder(recorder_)) }
}

@_cdecl("mtoken_mobile_token_data_remove") @implementation
public func mtoken_mobile_token_data_remove(_ data: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ key_length: Int)
    -> Int32
{
    guard let data = Handles.tokenData[data], let key = try? Input.text(key, key_length, "key") else { return 0 }
    return data.remove(key) ? 1 : 0
}

@_cdecl("mtoken_mobile_token_data_clear") @implementation
public func mtoken_mobile_token_data_clear(
    _ data_: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try data(data_).clear() }
}

@_cdecl("mtoken_mobile_token_data_build") @implementation
public func mtoken_mobile_token_data_build(
    _ data_: OpaquePointer!, _ out_json: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_json, "out_json")
        out.pointee = try text(try data(data_).build())
    }
}

@_cdecl("mtoken_recorder_new") @implementation
public func mtoken_recorder_new(
    _ client_: OpaquePointer!, _ out_recorder: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_recorder, "out_recorder")
        let client = try client(client_)
        out.pointee = try Handles.recorders.hold { _ in client.operations.screenRecorder() }
    }
}

@_cdecl("mtoken_recorder_free") @implementation
public func mtoken_recorder_free(_ recorder: OpaquePointer!) { Handles.recorders.remove(recorder) }

@_cdecl("mtoken_recorder_begin") @implementation
public func mtoken_recorder_begin(
    _ recorder_: OpaquePointer!, _ screen: UnsafePointer<CChar>!, _ screen_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try recorder(recorder_).begin(try Input.text(screen, screen_length, "screen"))
    }
}

@_cdecl("mtoken_recorder_end") @implementation
public func mtoken_recorder_end(
    _ recorder_: OpaquePointer!, _ screen: UnsafePointer<CChar>!, _ screen_length: Int,
    _ action: UnsafePointer<CChar>!, _ action_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let recorder = try recorder(recorder_)
        let screen = try Input.text(screen, screen_length, "screen")
        recorder.end(screen, action: try Input.text(action, action_length, "action"))
    }
}

@_cdecl("mtoken_recorder_reset") @implementation
public func mtoken_recorder_reset(
    _ recorder_: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try recorder(recorder_).reset() }
}

@_cdecl("mtoken_recorder_build") @implementation
public func mtoken_recorder_build(
    _ recorder_: OpaquePointer!, _ out_json: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_json, "out_json")
        out.pointee = try text(try recorder(recorder_).build())
    }
}
