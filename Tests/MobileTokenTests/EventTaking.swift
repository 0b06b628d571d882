@testable import MobileToken

extension EventQueue {
    /// The oldest event, if one waits.
    func take() -> Event? {
        if case .event(let event) = next(milliseconds: 0) { event } else { nil }
    }
}
