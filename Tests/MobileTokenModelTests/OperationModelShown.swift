import MobileTokenJSON

@testable import MobileTokenModel

/// A model in the words of the vector files, so that it can be compared with what they expect.
indirect enum Shown {
    case null
    case text(String)
    case number(Int64)
    case flag(Bool)
    case list([Shown])
    case object([String: Shown])
    case json(JSONValue)

    /// Where what is expected differs from this. Only what is expected is looked at.
    func differences(from expected: JSONValue, at path: String = "") -> [String] {
        switch (expected.kind, self) {
        case (.null, .null): return []
        case (.string, .text(let text)): return expected.text?.string == text ? [] : [path + ": " + text]
        case (.integer, .number(let number)): return expected.int64 == number ? [] : [path + ": \(number)"]
        case (.bool, .flag(let flag)): return expected.bool == flag ? [] : [path + ": \(flag)"]
        case (_, .json(let value)): return value.compact() == expected.compact() ? [] : [path + ": other JSON"]
        case (.array, .list(let list)):
            guard list.count == expected.count else { return [path + ": \(list.count) elements"] }
            return list.indices.flatMap { index in
                expected[index].map { list[index].differences(from: $0, at: "\(path)/\(index)") } ?? []
            }
        case (.object, .object(let members)):
            var members = members
            if let count = expected["operations"]?.count, case .list(let all)? = members["operations"] {
                // Only the first ones are described; how many there are is told by `operationCount`.
                members["operations"] = .list(Array(all.prefix(count)))
            }
            return expected.members.flatMap { name, value in
                Self.member(name.string, of: members).differences(from: value, at: "\(path)/\(name.string)")
            }
        default: return ["\(path): expected \(expected.kind), got \(self)"]
        }
    }

    private static func member(_ name: String, of members: [String: Shown]) -> Shown {
        if let member = members[name] { return member }
        let prefix = "attributesFrom"
        if name.hasPrefix(prefix), let first = Int(name.dropFirst(prefix.count)),
            case .list(let all)? = members["attributes"]
        {
            return .list(Array(all.dropFirst(first)))
        }
        return .text("nothing is shown as " + name)
    }

    static func text(_ text: JSONText?) -> Shown { text.map { .text($0.string) } ?? .null }
    static func text(_ text: DisplayText) -> Shown { .text(text.string) }
    static func flag(_ flag: Bool?) -> Shown { flag.map { .flag($0) } ?? .null }
    static func number(_ number: Int64?) -> Shown { number.map { .number($0) } ?? .null }
    static func list<T>(_ list: [T]?, _ show: (T) -> Shown) -> Shown { list.map { .list($0.map(show)) } ?? .null }
    static func named(_ known: String?, _ raw: JSONText?) -> Shown { .text(known ?? "UNKNOWN") }
}

extension OperationList {
    var shown: Shown {
        .object([
            "ok": .flag(true),
            "currentTimestamp": .number(currentTimestamp.map { $0 / 1000 }),
            "operationCount": .number(Int64(operations.count)),
            "skipped": .number(Int64(skippedCount)),
            "operations": .list(operations) { $0.shown },
            "statuses": .list(operations) { .text($0.status.shown) },
        ])
    }
}

extension OperationStatus {
    var shown: String {
        switch self {
        case .pending: "PENDING"
        case .approved: "APPROVED"
        case .rejected: "REJECTED"
        case .canceled: "CANCELED"
        case .expired: "EXPIRED"
        case .failed: "FAILED"
        case .unknown: "UNKNOWN"
        }
    }
}

extension UserOperation {
    var shown: Shown {
        let variants: [(AllowedSignature.Variants, String)] = [
            (.possession, "possession"), (.possessionKnowledge, "possession_knowledge"),
            (.possessionBiometry, "possession_biometry"),
        ]
        let kind =
            switch allowedSignature.kind {
            case .oneFactor: "1FA"
            case .twoFactor: "2FA"
            case .ecdsa: "ECDSA"
            case .unknown: "UNKNOWN"
            }
        return .object([
            "id": .text(id), "name": .text(name), "data": .text(data), "status": .text(status.shown),
            "rawStatus": .text(rawStatus), "statusReason": .text(statusReason),
            "created": .number(created / 1000), "createdMillis": .number(created), "expires": .number(expires / 1000),
            "signatureType": .text(kind), "rawSignatureType": .text(allowedSignature.rawKind),
            "variants": .list(variants.filter { allowedSignature.variants.contains($0.0) }) { .text($0.1) },
            "unknownVariants": .list(allowedSignature.unknownVariants) { .text($0) },
            "biometryAllowed": .flag(allowedSignature.isBiometryAllowed),
            "title": .text(formData.title), "message": .text(formData.message),
            "attributes": .list(formData.attributes) { $0.shown },
            "attributeCount": .number(Int64(formData.attributes.count)),
            "preApprovalScreenTypes": .list(ui?.preApprovalScreens) { .text($0.kind.shown) },
            "extra": .object([
                "playSound": member(path: "/playSound").map { .json($0) } ?? .null,
                "x": member(path: "/x").map { .json($0) } ?? .null,
            ]),
        ])
    }
}

extension OperationAttribute.Amount {
    var shown: [String: Shown] {
        [
            "amount": amount.map { .text($0.text) } ?? .null, "currency": .text(currency),
            "amountFormatted": .text(amountFormatted), "currencyFormatted": .text(currencyFormatted),
            "valueFormatted": .text(valueFormatted),
        ]
    }
}

extension OperationAttribute {
    var shown: Shown {
        var members: [String: Shown] = ["id": .text(id), "label": .text(label), "rawType": .text(rawType)]
        var type = rawType.string
        switch content {
        case .amount(let amount): members.merge(amount.shown) { $1 }
        case .conversion(let conversion):
            members["dynamic"] = .flag(conversion.isDynamic)
            members["source"] = .object(conversion.source.shown)
            members["target"] = .object(conversion.target.shown)
        case .keyValue(let value): members["value"] = .text(value)
        case .note(let note): members["note"] = .text(note)
        case .heading(let level): members["level"] = .number(level)
        case .partyInfo(let party):
            members["logoUrl"] = .text(party.logoURL)
            members["name"] = .text(party.name)
            members["description"] = .text(party.info)
            members["websiteUrl"] = .text(party.websiteURL)
        case .image(let image):
            members["thumbnailUrl"] = .text(image.thumbnailURL)
            members["originalUrl"] = .text(image.originalURL)
        case .alert(let alert):
            let kind =
                switch alert.kind {
                case .success: "SUCCESS"
                case .info: "INFO"
                case .warning: "WARNING"
                case .error: "ERROR"
                }
            members["alertType"] = .text(kind)
            members["title"] = .text(alert.title)
            members["message"] = .text(alert.message)
        case .unknown: type = "UNKNOWN"
        }
        members["type"] = .text(type)
        return .object(members)
    }
}

extension PreApprovalScreen.Kind {
    var shown: String {
        switch self {
        case .warning: "WARNING"
        case .info: "INFO"
        case .qrScan: "QR_SCAN"
        case .unknown: "UNKNOWN"
        }
    }
}

extension OperationUI {
    var shown: Shown {
        .object([
            "flipButtons": .flag(flipButtons), "blockApprovalOnCall": .flag(blockApprovalOnCall),
            "preApprovalScreens": .list(preApprovalScreens) { $0.shown },
            "preApprovalScreenCount": .number(preApprovalScreens.map { Int64($0.count) }),
            "legacyPreApprovalScreen": legacyPreApprovalScreen?.shown ?? .null,
            "postApprovalScreen": postApprovalScreen?.shown ?? .null,
        ])
    }
}

extension LegacyPreApprovalScreen {
    var shown: Shown {
        let type =
            switch approval {
            case .slider?: "SLIDER"
            case .button?: "BUTTON"
            case .unknown?: "UNKNOWN"
            case nil: nil as String?
            }
        return .object([
            "type": .text(kind.shown), "rawType": .text(rawKind), "heading": .text(heading), "message": .text(message),
            "items": .list(items) { .text($0) }, "approvalType": type.map { .text($0) } ?? .null,
            "rawApprovalType": .text(rawApproval),
        ])
    }
}

extension PreApprovalScreen {
    var shown: Shown {
        .object([
            "id": .text(id), "type": .text(kind.shown), "rawType": .text(rawKind), "backButton": .flag(backButton),
            "image": .text(image), "heading": .text(heading), "message": .text(message),
            "elements": .list(elements) { .object($0.shown) },
            "elementTypes": .list(elements) { $0.shown["type"] ?? .null },
            "elementStyles": .list(elements) { $0.shown["style"] ?? .null },
            "controls": controls?.shown ?? .null,
        ])
    }
}

extension PreApprovalElement {
    var shown: [String: Shown] {
        let style =
            switch self.style {
            case .info?: "INFO"
            case .warning?: "WARNING"
            case .danger?: "DANGER"
            case .unknown?: "UNKNOWN"
            case nil: nil as String?
            }
        var members: [String: Shown] = [
            "id": .text(id), "rawType": .text(rawType), "text": .text(text), "style": style.map { .text($0) } ?? .null,
        ]
        switch content {
        case .listItem(let icon):
            members["type"] = .text("LIST_ITEM")
            members["icon"] = .text(icon)
        case .alert: members["type"] = .text("ALERT")
        case .button(let button):
            let action =
                switch button.action {
                case .link: "LINK"
                case .mail: "MAIL"
                case .phone: "PHONE"
                case .unknown: "UNKNOWN"
                }
            members["type"] = .text("BUTTON")
            members["action"] = .text(action)
            members["actionSettings"] = .text(button.actionSettings)
            members["href"] = .text(button.href)
        case .unknown: members["type"] = .text("UNKNOWN")
        }
        return members
    }
}

extension PreApprovalControls {
    var shown: Shown {
        let axis =
            switch self.axis {
            case .horizontal?: "HORIZONTAL"
            case .vertical?: "VERTICAL"
            case .unknown?: "UNKNOWN"
            case nil: nil as String?
            }
        return .object([
            "flip": .flag(flip), "axis": axis.map { .text($0) } ?? .null,
            "decline": decline.map { decline in
                let kind =
                    switch decline.kind {
                    case .back: "BACK"
                    case .reject: "REJECT"
                    case .unknown: "UNKNOWN"
                    }
                return .object(["type": .text(kind), "text": .text(decline.text)])
            } ?? .null,
            "approve": approve.map { approve in
                let kind =
                    switch approve.kind {
                    case .slider: "SLIDER"
                    case .button: "BUTTON"
                    case .unknown: "UNKNOWN"
                    }
                return .object([
                    "type": .text(kind), "text": .text(approve.text), "counter": .number(approve.counter),
                ])
            } ?? .null,
        ])
    }
}

extension PostApprovalScreen {
    var shown: Shown {
        var members: [String: Shown] = [
            "rawType": .text(rawType), "heading": .text(heading), "message": .text(message),
        ]
        switch content {
        case .review(let attributes):
            members["type"] = .text("REVIEW")
            members["attributes"] = .list(attributes) { $0.shown }
        case .redirect(let redirect):
            members["type"] = .text("MERCHANT_REDIRECT")
            members["redirectText"] = .text(redirect.text)
            members["redirectUrl"] = .text(redirect.url)
            members["countdown"] = .number(redirect.countdown)
        case .generic(let payload):
            members["type"] = .text("GENERIC")
            members["payload"] = payload.map { .json($0) } ?? .null
        case .unknown(let payload):
            members["type"] = .text("UNKNOWN")
            members["payload"] = payload.map { .json($0) } ?? .null
        }
        return .object(members)
    }
}
