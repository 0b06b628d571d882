// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON
import MobileTokenModel

extension UserOperation {
    /// An operation from its JSON alone, as an earlier answer held it.
    package static func decode(json: UnsafeRawBufferPointer) throws(Failure) -> UserOperation {
        var failure = Failure(.parse, Reason.invalidArgument, "The JSON is not a valid operation.")
        do throws(JSONError) {
            let document = try JSONDocument(parsing: json)
            var decoder = ModelDecoder(document: document)
            if let operation = try? UserOperation(document.root.node, &decoder) { return operation }
        } catch {
            failure.byteOffset = error.offset
        }
        throw failure
    }
}
