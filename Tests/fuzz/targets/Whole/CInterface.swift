import CMToken
import CSystem
import FuzzSupport

/// Calls a function of the C interface and looks at its error.
func withError(
    _ inputCount: Int, _ call: (UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>) -> mtoken_status
) -> mtoken_status {
    var error: UnsafeMutablePointer<mtoken_error>?
    let status = call(&error)
    require((status == MTOKEN_OK.rawValue) == (error == nil), "status and error disagree")
    if let error {
        require(error.pointee.code == status, "the error has another code")
        require(strlen(error.pointee.message) > 0 && strlen(error.pointee.reason) > 0, "the error says nothing")
        require((-1...Int64(inputCount)).contains(error.pointee.byte_offset), "the error stands outside of the text")
        mtoken_error_free(error)
    }
    return status
}

nonisolated(unsafe) private var seen = 0

/// The text of a C function.
func characters(_ text: UnsafeRawBufferPointer) -> UnsafePointer<CChar>? {
    text.baseAddress?.assumingMemoryBound(to: CChar.self)
}

/// Reads a text to its end.
func see(_ text: UnsafePointer<CChar>?) {
    guard let text else { return }
    seen &+= strlen(text)
}

func seeRequired(_ text: UnsafePointer<CChar>?) {
    require(text != nil, "a text that is never NULL is NULL")
    see(text)
}
