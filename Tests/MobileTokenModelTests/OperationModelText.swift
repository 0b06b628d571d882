import MobileTokenJSON

@testable import MobileTokenModel

/// The text of an operation, with members replaced, added or (by `nil`) taken away.
struct OperationText {
    /// The members of a plain operation, in order.
    static let plain: [(String, String)] = [
        ("id", #""op1""#), ("name", #""login""#), ("data", #""A2""#), ("status", #""PENDING""#),
        ("operationCreated", #""2023-04-25T13:09:52+0000""#), ("operationExpires", #""2023-04-25T13:14:52+0000""#),
        ("allowedSignatureType", #"{"type":"2FA","variants":["possession_knowledge"]}"#),
        ("formData", #"{"title":"T","message":"M","attributes":[]}"#),
    ]

    private var members = plain

    init(_ changes: [(String, String?)] = []) {
        for (name, text) in changes {
            members.removeAll { $0.0 == name }
            if let text { members.append((name, text)) }
        }
    }

    var operation: String { "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}" }

    /// A successful reply with these operations.
    static func reply(_ operations: [String]) -> [UInt8] {
        Array(#"{"status":"OK","responseObject":[\#(operations.joined(separator: ","))]}"#.utf8)
    }

    /// An operation with these attributes.
    static func attributes(_ attributes: String...) -> String {
        OperationText([
            ("formData", #"{"title":"T","message":"M","attributes":[\#(attributes.joined(separator: ","))]}"#)
        ])
        .operation
    }

    /// What a list reply with one operation decodes to.
    static func decode(_ operation: String) throws -> OperationList {
        try OperationList.decode(envelope(reply([operation])))
    }
}

extension UserOperation {
    /// An operation from its JSON alone.
    static func decode(json: UnsafeRawBufferPointer) throws -> UserOperation {
        let document = try JSONDocument(parsing: json)
        var decoder = ModelDecoder(document: document)
        return try UserOperation(document.root.node, &decoder)
    }
}
