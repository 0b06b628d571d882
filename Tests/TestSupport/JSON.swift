import MobileTokenJSON

extension JSONValue {
    /// The value as it was received.
    public var rawText: String { String(decoding: raw, as: UTF8.self) }

    /// The member with a name.
    public func member(_ name: String) -> JSONValue? { member([UInt8](name.utf8)) }
}
