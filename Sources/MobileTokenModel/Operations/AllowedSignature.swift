// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// Which factors may approve an operation (JSON `allowedSignatureType`, operations.md §5.3).
public struct AllowedSignature: Sendable {
    /// JSON `type`.
    public enum Kind: Sendable {
        /// `1FA`: possession only.
        case oneFactor
        /// `2FA`: possession with knowledge or biometry, see the variants.
        case twoFactor
        /// `ECDSA`: a signature with the device's private key. No SDK can approve such an operation.
        case ecdsa
        /// Anything else.
        case unknown

        package func allows(_ combination: Variants, of variants: Variants) -> Bool {
            switch self {
            case .oneFactor: combination == .possession || (!combination.isEmpty && variants.contains(combination))
            case .twoFactor: !combination.isEmpty && variants.contains(combination)
            case .ecdsa, .unknown: false
            }
        }
    }

    /// Combinations of factors (JSON `variants`).
    public struct Variants: OptionSet, Sendable {
        /// One bit for each combination.
        public let rawValue: UInt8

        /// The set with these bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// `possession`
        public static let possession = Variants(rawValue: 1)
        /// `possession_knowledge`
        public static let possessionKnowledge = Variants(rawValue: 2)
        /// `possession_biometry`
        public static let possessionBiometry = Variants(rawValue: 4)
    }

    /// JSON `type`.
    public let kind: Kind
    /// JSON `type` as it was sent.
    public let rawKind: JSONText
    /// The known ones of JSON `variants`, as they were sent, whatever the type.
    public let variants: Variants
    /// The texts of JSON `variants` that this library does not know.
    public let unknownVariants: [JSONText]

    /// Whether biometry may approve: only with `2FA` and the variant for it.
    public var isBiometryAllowed: Bool { kind == .twoFactor && variants.contains(.possessionBiometry) }

    /// Whether a combination of factors may approve. Possession alone is always enough for `1FA`; nothing is for `ECDSA`
    /// and unknown types.
    public func allows(_ combination: Variants) -> Bool { kind.allows(combination, of: variants) }

    /// - Throws: a fault if the object or its `type` is missing.
    init(of operation: JSONNode, _ decoder: inout ModelDecoder) throws(ModelFault) {
        let node = try decoder.requiredObject(operation, "allowedSignatureType")
        let type = try decoder.requiredMember(node, "type", path: "allowedSignatureType.type")
        rawKind = try decoder.requiredText(node, "type", path: "allowedSignatureType.type")
        kind =
            if type.equals("2FA") {
                .twoFactor
            } else if type.equals("1FA") {
                .oneFactor
            } else if type.equals("ECDSA") {
                .ecdsa
            } else {
                .unknown
            }
        var known: Variants = []
        var unknown: [JSONText] = []
        if let list = decoder.array(node, "variants", reportedAs: "allowedSignatureType.variants") {
            for (index, variant) in list.elements.enumerated() {
                if variant.equals("possession_knowledge") {
                    known.insert(.possessionKnowledge)
                } else if variant.equals("possession_biometry") {
                    known.insert(.possessionBiometry)
                } else if variant.equals("possession") {
                    known.insert(.possession)
                } else if let text = decoder.text(variant) {
                    unknown.append(text)
                } else {
                    decoder.report(.member, at: index, ModelFault("allowedSignatureType.variants", .wrongType))
                }
            }
        }
        variants = known
        unknownVariants = unknown
    }
}
