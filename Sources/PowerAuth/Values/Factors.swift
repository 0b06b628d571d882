// SPDX-License-Identifier: Apache-2.0
/// A set of authentication factors. The raw values are those of the upstream token store (client.md §10).
public struct Factors: OptionSet, Sendable {
    /// The bits, those of the C interface.
    public let rawValue: UInt8

    /// From bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The device.
    public static let possession = Factors(rawValue: 1)
    /// The PIN.
    public static let knowledge = Factors(rawValue: 2)
    /// The biometric factor.
    public static let biometry = Factors(rawValue: 4)

    /// Device and PIN.
    public static let possessionKnowledge = Factors(rawValue: 3)
    /// Device and biometry.
    public static let possessionBiometry = Factors(rawValue: 5)

    /// The name of the set in a signature header, or nil for a set that no signature may have: the empty one, unknown
    /// factors, and knowledge with biometry but without possession (powerauth.md §9.3).
    package var signatureType: StaticString? {
        switch rawValue {
        case 1: "possession"
        case 2: "knowledge"
        case 3: "possession_knowledge"
        case 4: "biometry"
        case 5: "possession_biometry"
        case 7: "possession_knowledge_biometry"
        default: nil
        }
    }
}
