// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CMTokenTesting
import MobileToken
import MobileTokenC

// The header of the testing library is built with it.
extension mtoken_testing_options: HostOptions {
    package static var firstSize: Int { MemoryLayout<Self>.size }
}
extension mtoken_testing_answer: HostOptions {
    package static var firstSize: Int { MemoryLayout<Self>.size }
}

@_cdecl("mtoken_testing_first_size") @implementation
public func mtoken_testing_first_size(_ name: UnsafePointer<CChar>!, _ name_length: Int) -> Int {
    (try? optionStruct(name, name_length))?.firstSize ?? 0
}

@_cdecl("mtoken_testing_set_first_size") @implementation
public func mtoken_testing_set_first_size(
    _ name: UnsafePointer<CChar>!, _ name_length: Int, _ size: Int,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let kind = try optionStruct(name, name_length)
        guard size == 0 || (MemoryLayout<Int>.size...4096).contains(size) else {
            throw .argument("size is neither 0 nor 8 to 4096.")
        }
        kind.pretend(firstSize: size)
    }
}

private func optionStruct(_ name: UnsafePointer<CChar>?, _ length: Int) throws(Failure) -> OptionStruct {
    let name = try Input.text(name, length, "name")
    for kind in OptionStruct.allCases where kind.name.description == name { return kind }
    throw .argument("name is that of no option struct.")
}
