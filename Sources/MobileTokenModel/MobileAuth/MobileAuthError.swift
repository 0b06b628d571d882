// SPDX-License-Identifier: Apache-2.0
/// How the handling of a request can fail (mobile-auth.md §4). The values are those of the C interface.
public enum MobileAuthError: Int32, Sendable, CaseIterable {
    case deviceDeregistered = 1
    case userDeregistered = 2
    case actionCancelled = 3
    case networkConnectivity = 4
    case serverNotReachable = 5
    case notFound = 6
    case notHandleable = 7
    case userDisenrolled = 8
    case notEnrolled = 9
    case alreadyInProgress = 10
    case configurationInvalid = 11
    case expired = 12
    /// Any other failure, e.g. a store that cannot be written.
    case other = 13
    case proximityRequired = 14

    /// The stable reason of the failure.
    package var reason: StaticString {
        switch self {
        case .deviceDeregistered: "device_deregistered"
        case .userDeregistered: "user_deregistered"
        case .actionCancelled: "action_cancelled"
        case .networkConnectivity: "network_connectivity"
        case .serverNotReachable: "server_not_reachable"
        case .notFound: "not_found"
        case .notHandleable: "not_handleable"
        case .userDisenrolled: "user_disenrolled"
        case .notEnrolled: "not_enrolled"
        case .alreadyInProgress: "already_in_progress"
        case .configurationInvalid: "configuration_invalid"
        case .expired: "expired"
        case .other: "other"
        case .proximityRequired: "proximity_required"
        }
    }
}
