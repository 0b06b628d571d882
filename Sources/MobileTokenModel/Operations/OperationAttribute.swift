// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// One row of what the user reads (JSON `formData.attributes[…]`, operations.md §5.2).
public struct OperationAttribute: Sendable {
    /// The content of the row, by its `type`.
    public enum Content: Sendable {
        /// `AMOUNT`
        case amount(Amount)
        /// `AMOUNT_CONVERSION`
        indirect case conversion(AmountConversion)
        /// `KEY_VALUE`: the text of `value`.
        case keyValue(JSONText)
        /// `NOTE`: the text of `note`, which may have several lines.
        case note(JSONText)
        /// `HEADING`: a heading whose text is the label. `level` tells how deep, 0 is the default of servers.
        case heading(level: Int64?)
        /// `PARTY_INFO`
        case partyInfo(PartyInfo)
        /// `IMAGE`
        case image(Image)
        /// `ALERT`
        case alert(Alert)
        /// Another type: see `json` of the attribute.
        case unknown
    }

    /// An amount of money.
    public struct Amount: Sendable {
        /// `amount`; `nil` if the server could not convert it to a number, or sent only formatted texts.
        public let amount: DecimalAmount?
        /// `currency`, usually an ISO 4217 code.
        public let currency: JSONText?
        /// `amountFormatted`, else the decimal text of `amount`. Never empty.
        public let amountFormatted: DisplayText
        /// `currencyFormatted`, else `currency`. Never empty.
        public let currencyFormatted: JSONText
        /// `valueFormatted`: amount and currency in one text.
        public let valueFormatted: JSONText?
    }

    /// An exchange of money.
    public struct AmountConversion: Sendable {
        /// `dynamic`: whether the rate may still change.
        public let isDynamic: Bool
        /// The members whose names begin with `source`.
        public let source: Amount
        /// The members whose names begin with `target`.
        public let target: Amount
    }

    /// The other party (JSON `partyInfo`). Servers send only what they know.
    public struct PartyInfo: Sendable {
        /// `logoUrl`
        public let logoURL: JSONText?
        /// `name`
        public let name: JSONText?
        /// `description`
        public let info: JSONText?
        /// `websiteUrl`
        public let websiteURL: JSONText?
    }

    /// A picture.
    public struct Image: Sendable {
        /// `thumbnailUrl`
        public let thumbnailURL: JSONText
        /// `originalUrl`; `nil` if missing or no text.
        public let originalURL: JSONText?
    }

    /// A remark that should catch the eye.
    public struct Alert: Sendable {
        /// JSON `alertType`.
        public enum Kind: Sendable {
            /// `SUCCESS`
            case success
            /// `INFO`, and every type that this library does not know.
            case info
            /// `WARNING`
            case warning
            /// `ERROR`
            case error

            init(_ text: JSONNode?) {
                self =
                    if let text {
                        if text.equals("SUCCESS") {
                            .success
                        } else if text.equals("WARNING") {
                            .warning
                        } else if text.equals("ERROR") {
                            .error
                        } else {
                            .info
                        }
                    } else {
                        .info
                    }
            }
        }

        /// `alertType`
        public let kind: Kind
        /// `alertType` as it was sent; `nil` if missing or no text.
        public let rawKind: JSONText?
        /// `title`
        public let title: JSONText?
        /// `message`
        public let message: JSONText?
    }

    /// `type` as it was sent.
    public let rawType: JSONText
    /// `id`: names the attribute for the app and for templates.
    public let id: JSONText
    /// `label`: the heading of the row.
    public let label: JSONText
    /// The rest, by type.
    public let content: Content
    private let node: JSONNode

    /// The JSON object of the attribute, for members that a bank added.
    public var json: JSONValue { JSONValue(document: id.document, node: node) }

    /// Reads a list; leaves out and reports broken elements.
    static func list(_ list: JSONNode, _ decoder: inout ModelDecoder) -> [OperationAttribute] {
        var attributes: [OperationAttribute] = []
        attributes.reserveCapacity(list.count)
        for (index, node) in list.elements.enumerated() {
            do throws(ModelFault) {
                attributes.append(try read(node, at: index, &decoder))
            } catch {
                decoder.report(.attribute, at: index, error)
            }
        }
        return attributes
    }

    // Made in one step from its parts: an initializer that sets one property after the other ends with a copy of the whole,
    // which counts up the references to all its texts.
    private static func read(
        _ node: JSONNode, at index: Int, _ decoder: inout ModelDecoder
    ) throws(ModelFault) -> OperationAttribute {
        guard node.kind == .object else { throw ModelFault("", .wrongType) }
        return OperationAttribute(
            rawType: try decoder.requiredText(node, "type"), id: try decoder.requiredText(node, "id"),
            label: try decoder.requiredText(node, "label"), content: try content(node, at: index, &decoder), node: node)
    }

    private static func content(
        _ node: JSONNode, at index: Int, _ decoder: inout ModelDecoder
    ) throws(ModelFault) -> Content {
        let type = try decoder.requiredMember(node, "type")
        if type.equals("KEY_VALUE") {
            return .keyValue(try decoder.requiredText(node, "value"))
        } else if type.equals("AMOUNT") {
            return .amount(try AmountReader(node: node, index: index).amount(.plain, &decoder))
        } else if type.equals("NOTE") {
            return .note(try decoder.requiredText(node, "note"))
        } else if type.equals("HEADING") {
            return .heading(level: level(node, at: index, &decoder))
        } else if type.equals("AMOUNT_CONVERSION") {
            guard let isDynamic = try decoder.requiredMember(node, "dynamic").bool else {
                throw ModelFault("dynamic", .wrongType)
            }
            let reader = AmountReader(node: node, index: index)
            return .conversion(
                AmountConversion(
                    isDynamic: isDynamic, source: try reader.amount(.source, &decoder),
                    target: try reader.amount(.target, &decoder)))
        } else if type.equals("PARTY_INFO") {
            return .partyInfo(try PartyInfo.read(node, decoder))
        } else if type.equals("IMAGE") {
            return .image(
                Image(
                    thumbnailURL: try decoder.requiredText(node, "thumbnailUrl"),
                    originalURL: decoder.text(node, "originalUrl")))
        } else if type.equals("ALERT") {
            return .alert(Alert.read(node, decoder))
        }
        return .unknown
    }

    private static func level(_ node: JSONNode, at index: Int, _ decoder: inout ModelDecoder) -> Int64? {
        guard let member = node["level"] else { return nil }
        if let fault = ModelDecoder.fault(ofNumber: member, member.int64, "level") {
            decoder.report(.attribute, at: index, fault)
        }
        return member.int64
    }
}

extension OperationAttribute.PartyInfo {
    /// All members are optional, and so is the object; but it is not a value of another type.
    fileprivate static func read(_ attribute: JSONNode, _ decoder: ModelDecoder) throws(ModelFault) -> Self {
        guard let node = attribute["partyInfo"], node.kind != .null else {
            return Self(logoURL: nil, name: nil, info: nil, websiteURL: nil)
        }
        guard node.kind == .object else { throw ModelFault("partyInfo", .wrongType) }
        return Self(
            logoURL: decoder.text(node, "logoUrl"), name: decoder.text(node, "name"),
            info: decoder.text(node, "description"), websiteURL: decoder.text(node, "websiteUrl"))
    }
}

extension OperationAttribute.Alert {
    fileprivate static func read(_ node: JSONNode, _ decoder: ModelDecoder) -> Self {
        let type = node["alertType"]
        return Self(
            kind: Kind(type), rawKind: decoder.text(type), title: decoder.text(node, "title"),
            message: decoder.text(node, "message"))
    }
}
