// SPDX-License-Identifier: Apache-2.0
/// Those who wait for a call: tasks, and other calls that need it first. Used where the client lives only.
struct Callers<Dependent> {
    var tasks: [CallTask] = []
    /// Calls that wait for this one, because it fetches what they need.
    var dependents: [Dependent] = []
    /// The call continues even if no task of it is left.
    var isWanted: Bool

    init(isWanted: Bool) { self.isWanted = isWanted }

    /// All have cancelled, even if the loop has not handled it yet: nothing more is signed or sent for them.
    var haveCancelled: Bool {
        !isWanted && dependents.isEmpty && !tasks.isEmpty && tasks.allSatisfy { $0.isUnwanted }
    }

    func has(_ task: CallTask) -> Bool { tasks.contains { $0 === task } }

    /// Whether the call continues without one of the tasks.
    var hasOthers: Bool { tasks.count > 1 || !dependents.isEmpty || isWanted }

    mutating func remove(_ task: CallTask) { tasks.removeAll { $0 === task } }

    /// The request is about to be sent.
    ///
    /// - Returns: false: all have meanwhile seen it reported as not sent
    func awaitRequest() -> Bool {
        var isAwaited = isWanted || !dependents.isEmpty || tasks.isEmpty
        for task in tasks where task.reaches(.unknown) { isAwaited = true }
        return isAwaited
    }

    func answered() {
        for task in tasks { _ = task.reaches(.answered) }
    }

    /// The call has ended: takes them out.
    mutating func leave() -> (tasks: [CallTask], dependents: [Dependent]) {
        let all = (tasks, dependents)
        tasks = []
        dependents = []
        return all
    }
}
