import MobileTokenJSON

/// A list with the reply that it was read from: who polls gets the same one most of the time, and need not read it again.
package struct RepeatedList: Sendable {
    private let document: JSONDocument
    private let list: OperationList

    /// - Parameter list: what `envelope` holds.
    package init(_ list: OperationList, of envelope: ReplyEnvelope) {
        document = envelope.document
        self.list = list
    }

    /// The list of a body that is the same but for its `currentTimestamp`; `nil` if it is not. The operations are the same
    /// objects.
    package func list(repeatedBy body: UnsafeRawBufferPointer) -> OperationList? {
        let time = document.place(of: "currentTimestamp")
        guard body.count == document.length, document.hasBytes(of: body, in: 0..<time.lowerBound),
            document.hasBytes(of: body, in: time.upperBound..<body.count)
        else { return nil }
        if document.hasBytes(of: body, in: time) { return list }
        let raw = UnsafeRawBufferPointer(rebasing: body[time])
        guard let moment = Self.moment(raw) else { return nil }
        return list.repeated(at: moment)
    }

    /// The instant of a value that is surely one: a text without escapes, or a whole number.
    private static func moment(_ raw: UnsafeRawBufferPointer) -> Int64? {
        guard raw.count >= 2, let first = raw.first else { return nil }
        if first == UInt8(ascii: "\"") {
            let text = UnsafeRawBufferPointer(rebasing: raw[1..<(raw.count &- 1)])
            return raw.last == first ? Instant.milliseconds(text) : nil
        }
        guard raw.count <= 14, first != UInt8(ascii: "0") else { return nil }
        var number: Int64 = 0
        for byte in raw {
            guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
            number = number &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
        }
        return number
    }
}
