// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// A text for people: one that the server sent, or one that was made because the server sent none.
public enum DisplayText: Sendable {
    /// As the server wrote it.
    case sent(JSONText)
    /// Made of other members.
    case made(String)

    /// A copy.
    public var string: String {
        switch self {
        case .sent(let text): text.string
        case .made(let text): text
        }
    }
}
