// SPDX-License-Identifier: Apache-2.0
/// Limits of a text.
public struct JSONLimits: Equatable, Sendable {
    /// Longest text, in bytes. Default 4 MiB, never more than 1 GiB.
    public let maximumSize: Int
    /// Deepest nesting of arrays and objects: `1` allows `[]`, `2` allows `[{}]`. Default 64, never more than 1024.
    public let maximumDepth: Int
    /// Most values: objects, arrays, strings, numbers, booleans and nulls together. Default 100,000.
    ///
    /// A tree takes some hundred bytes for each of them, however short they are: two bytes of text make a value.
    public let maximumValues: Int
    /// Whether the text may be a single string, number, boolean or null. Default `false`: an object or an array.
    public let allowsAnyTopLevel: Bool

    /// The limits for replies of a server.
    public static let `default` = JSONLimits()

    /// Limits, each with its default.
    public init(
        maximumSize: Int = 4 << 20, maximumDepth: Int = 64, maximumValues: Int = 100_000,
        allowsAnyTopLevel: Bool = false
    ) {
        // Offsets are kept in 32 bits.
        self.maximumSize = min(maximumSize, 1 << 30)
        // Jansson gives up at 2048 levels, and everything here that recurses is bounded by this number.
        self.maximumDepth = min(maximumDepth, 1024)
        self.maximumValues = maximumValues
        self.allowsAnyTopLevel = allowsAnyTopLevel
    }
}
