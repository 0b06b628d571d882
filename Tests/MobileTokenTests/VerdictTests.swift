import Testing

@testable import MobileToken

/// Each cause of a refusal, and what the status shows of it.
@Suite struct VerdictTests {
    private typealias Evidence = RefusalCause.Evidence

    private static let rows: [(String, Evidence, RefusalCause)] = [
        ("a wrong PIN", Evidence(failedAfter: 1, isTaken: false, provesUser: true), .factor),
        (
            "a second wrong PIN",
            Evidence(failedBefore: 1, failedAfter: 2, isTaken: false, provesUser: true),
            .factor
        ),
        (
            "a wrong PIN after a right one that nobody told of",
            Evidence(failedBefore: 3, failedAfter: 1, isTaken: false, provesUser: true), .factor
        ),
        (
            "a right PIN that nobody looked at, after a wrong one",
            Evidence(failedBefore: 1, failedAfter: 1, isTaken: false, provesUser: true), .notFactor
        ),
        (
            "the device's key alone is never counted",
            Evidence(failedBefore: 0, failedAfter: 1, isTaken: false, provesUser: false), .notFactor
        ),
        (
            "a right PIN for what the bank does not allow",
            Evidence(failedBefore: 2, failedAfter: 0, isTaken: true, provesUser: true), .accepted
        ),
        (
            "the device's key for what cannot be opened",
            Evidence(failedBefore: 2, failedAfter: 2, isTaken: true, provesUser: false), .accepted
        ),
        (
            "a copy was one step ahead, and the PIN was counted as wrong",
            Evidence(failedAfter: 1, isTaken: true, provesUser: true), .counterBehind(steps: 1)
        ),
        (
            "a copy was one step ahead of the device's key: nothing tells that",
            Evidence(failedAfter: 0, isTaken: true, provesUser: false), .accepted
        ),
        (
            "a copy was far ahead, whatever was counted",
            Evidence(failedBefore: 1, failedAfter: 2, ahead: 7, isTaken: false, provesUser: true),
            .counterBehind(steps: 7)
        ),
    ]

    @Test(arguments: rows.indices) func cause(_ row: Int) {
        let (name, evidence, cause) = Self.rows[row]
        #expect(RefusalCause(evidence) == cause, "\(name)")
    }
}
