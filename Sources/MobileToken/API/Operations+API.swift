// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON
import MobileTokenModel

extension Operations {
    /// Fetches the pending operations.
    public func list(options: CallOptions? = nil) throws(Failure) -> Pending<OperationList> {
        try activation.pending(options, { $0.operationList }) { (task) throws(Failure) in try list(task: task) }
    }

    /// Fetches the history of operations.
    public func history(
        _ authentication: Authentication, options: CallOptions? = nil
    ) throws(Failure) -> Pending<OperationList> {
        try activation.pending(options, { $0.operationList }) { (task) throws(Failure) in
            try history(authentication, task: task)
        }
    }

    /// Fetches one operation.
    public func detail(id: String, options: CallOptions? = nil) throws(Failure) -> Pending<UserOperation> {
        try activation.pending(options, { $0.userOperation }) { (task) throws(Failure) in try detail(id: id, task: task)
        }
    }

    /// Assigns an operation without an owner to this user, and fetches it.
    public func claim(id: String, options: CallOptions? = nil) throws(Failure) -> Pending<UserOperation> {
        try activation.pending(options, { $0.userOperation }) { (task) throws(Failure) in try claim(id: id, task: task)
        }
    }

    /// Approves exactly this operation, if the rule of approvals allows it.
    public func approve(
        _ operation: UserOperation, _ authentication: Authentication, rule: ApprovalRule = ApprovalRule(),
        extras: ApprovalExtras = ApprovalExtras(), options: CallOptions? = nil
    ) throws(Failure) -> Pending<Void> {
        try activation.pending(options) { (task) throws(Failure) in
            try authorize(Approvable(operation), rule, authentication: authentication, extras: extras, task: task)
        }
    }

    /// Rejects an operation.
    ///
    /// - Parameter reason: e.g. `INCORRECT_DATA`, `UNEXPECTED_OPERATION`, or the bank's own
    public func reject(
        _ operation: UserOperation, reason: String, mobileTokenData: [UInt8]? = nil, options: CallOptions? = nil
    ) throws(Failure) -> Pending<Void> {
        try activation.pending(options) { (task) throws(Failure) in
            try reject(id: operation.id.string, reason: reason, mobileTokenData: mobileTokenData, task: task)
        }
    }
}
