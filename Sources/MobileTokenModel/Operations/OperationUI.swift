// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// How the app should show an operation (JSON `ui`, operations.md §6). A member of another type is absent.
public struct OperationUI: Sendable {
    /// `flipButtons`: swap position and style of the buttons for approving and rejecting.
    public let flipButtons: Bool?
    /// `blockApprovalOnCall`: during a phone call, explain instead of approving.
    public let blockApprovalOnCall: Bool?
    /// The screens to show before the approval, in order: those of `preApprovalScreens` if it is there, even if it is
    /// empty; else the one of `preApprovalScreen`, converted; `nil` if there is neither.
    public let preApprovalScreens: [PreApprovalScreen]?
    /// `preApprovalScreen` as older apps know it.
    public let legacyPreApprovalScreen: LegacyPreApprovalScreen?
    /// `postApprovalScreen`: what to show after the approval.
    public let postApprovalScreen: PostApprovalScreen?
    /// `templates`: the bank's wishes for the layout.
    public let templates: OperationTemplates?

    init(_ node: JSONNode, _ decoder: inout ModelDecoder) {
        flipButtons = node["flipButtons"]?.bool
        blockApprovalOnCall = node["blockApprovalOnCall"]?.bool
        legacyPreApprovalScreen = decoder.object(node, "preApprovalScreen", reportedAs: "ui.preApprovalScreen")
            .flatMap { LegacyPreApprovalScreen($0, &decoder) }
        if let list = decoder.array(node, "preApprovalScreens", reportedAs: "ui.preApprovalScreens") {
            preApprovalScreens = PreApprovalScreen.list(list, &decoder)
        } else {
            preApprovalScreens = legacyPreApprovalScreen.map { [PreApprovalScreen($0, decoder)] }
        }
        postApprovalScreen = decoder.object(node, "postApprovalScreen", reportedAs: "ui.postApprovalScreen")
            .flatMap { PostApprovalScreen($0, &decoder) }
        templates = decoder.object(node, "templates", reportedAs: "ui.templates")
            .map { OperationTemplates($0, &decoder) }
    }
}
