import FuzzSupport
import MobileTokenJSON

@testable import MobileTokenModel

/// A reply with details: an activation, the configuration of OpenID Connect, claims about the user.
func fuzzDetails(_ input: UnsafeRawBufferPointer) {
    if let info = UserInfo(json: input) {
        require(UserInfo(json: info.json)?.json == info.json, "claims change when they are written")
        require(info.birthdate.map { $0.count == 10 } ?? true, "a birthdate of another form")
        for name: StaticString in ["formatted", "street_address"] {
            guard let text = info.address?[name]?.text else { continue }
            require(UserInfo.lines(text).count <= text.count, "an address grew")
        }
    }
    guard let envelope = readEnvelope(input), case .success(let content) = envelope.outcome else { return }
    if let configuration = OIDCConfiguration(content) {
        let other = configuration.redirected(to: "x:/y")
        require(other.redirectUri == "x:/y" && other.clientId == configuration.clientId, "another configuration")
    }
    if let detail = ActivationDetail(content) {
        require(!detail.activationId.utf8.contains(0) && detail.name?.utf8.contains(0) != true, "a text is cut")
    }
}

/// The envelope of a reply; its error lies within the text.
func readEnvelope(_ input: UnsafeRawBufferPointer) -> ReplyEnvelope? {
    do throws(InvalidReply) {
        let envelope = try ReplyEnvelope(parsing: input)
        if let info = envelope.customInfo {
            let limits = JSONLimits(allowsAnyTopLevel: true)
            require((try? JSONDocument(parsing: Array(info.utf8), limits: limits)) != nil, "the custom info is cut")
        }
        return envelope
    } catch {
        if case .json(let error) = error { check(error, in: input) }
        return nil
    }
}
