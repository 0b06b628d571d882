// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenSystem

/// Builds the mobile token data that goes with an approval or rejection (operations.md §7.2): a JSON object of values that the
/// bank's fraud detection looks at. May be used from any thread.
public final class MobileTokenData: @unchecked Sendable {
    private enum Value {
        /// One JSON value.
        case json([UInt8])
        /// The recorder's visits when the data is built.
        case recorder(ScreenRecorder)
    }

    private let lock = Lock()
    private var entries: [(key: String, value: Value)] = []

    /// An empty object.
    public init() {}

    /// Begins with the members of a JSON object.
    public convenience init(initial: [UInt8]) throws(Failure) {
        self.init()
        let document = try Self.parse(initial, mustBeObject: true)
        for (name, value) in document.root.members { entries.append((name.string, .json([UInt8](value.raw)))) }
    }

    /// Sets a value; a key that is there already gets a new one.
    ///
    /// - Parameter json: one JSON value
    public func put(_ key: String, json: [UInt8]) throws(Failure) {
        let document = try Self.parse(json, mustBeObject: false)
        set(key, .json([UInt8](document.root.raw)))
    }

    /// Sets a text.
    public func put(_ key: String, text: String) {
        var writer = JSONWriter()
        writer.value(text)
        set(key, .json(writer.bytes))
    }

    /// Sets what the recorder records, under its own key. It is read when the data is built.
    public func put(_ recorder: ScreenRecorder) { set(ScreenRecorder.key, .recorder(recorder)) }

    /// Removes a value.
    ///
    /// - Returns: whether there was one; one that is null counts
    public func remove(_ key: String) -> Bool {
        lock.withLock {
            guard let index = index(of: key) else { return false }
            entries.remove(at: index)
            return true
        }
    }

    /// Removes all entries.
    public func clear() { lock.withLock { entries = [] } }

    /// The object as it is now. Later changes do not affect it.
    public func build() -> [UInt8] {
        let entries = lock.withLock { self.entries }
        var writer = JSONWriter()
        writer.beginObject()
        for (key, value) in entries {
            writer.key(key)
            switch value {
            case .json(let json): writer.raw(json)
            case .recorder(let recorder): writer.raw(recorder.build())
            }
        }
        writer.endObject()
        return writer.bytes
    }

    private func set(_ key: String, _ value: Value) {
        lock.withLock {
            if let index = index(of: key) { entries[index].value = value } else { entries.append((key, value)) }
        }
    }

    /// Keys are the same if their bytes are.
    private func index(of key: String) -> Int? { entries.firstIndex { sameBytes($0.key, key) } }

    private static func parse(_ json: [UInt8], mustBeObject: Bool) throws(Failure) -> JSONDocument {
        var failure = Failure(.parse, Reason.invalidArgument, "The mobile token data is not valid JSON.")
        do throws(JSONError) {
            let document = try JSONDocument(parsing: json, limits: JSONLimits(allowsAnyTopLevel: true))
            if !mustBeObject || document.root.kind == .object { return document }
            failure.byteOffset = 0
        } catch {
            failure.byteOffset = error.offset
        }
        throw failure
    }
}
