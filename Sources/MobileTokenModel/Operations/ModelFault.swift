// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The fault of one member of a reply. Names the member, never its content, so that it can be logged.
public struct ModelFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of faults.
    public enum Problem: Sendable {
        /// The member is missing or null.
        case missing
        /// The member is of another JSON type (a text that holds U+0000 counts as one).
        case wrongType
        /// The member has the right type, but its content means nothing.
        case invalid
        /// It is no JSON that can be read: an object has a name twice, it is nested too deep, …
        case unreadable
        /// It holds a name, as in `${amount}`, for which the server had no value.
        case unresolved
    }

    /// The member, as a path from the thing that was decoded, e.g. `formData.title`. Empty for the thing itself.
    public let member: StaticString
    /// Its fault.
    public let problem: Problem

    init(_ member: StaticString, _ problem: Problem) {
        self.member = member
        self.problem = problem
    }

    /// E.g. `formData.title: missing`.
    public var description: String {
        let name = member.utf8CodeUnitCount == 0 ? "value" : member.description
        return switch problem {
        case .missing: name + ": missing"
        case .wrongType: name + ": wrong type"
        case .invalid: name + ": invalid"
        case .unreadable: name + ": unreadable"
        case .unresolved: name + ": unresolved"
        }
    }

    /// Whether two faults are the same.
    public static func == (one: ModelFault, other: ModelFault) -> Bool {
        one.problem == other.problem && sameBytes(one.member, other.member)
    }
}
