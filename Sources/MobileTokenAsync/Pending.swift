// SPDX-License-Identifier: Apache-2.0
import MobileToken

extension Pending {
    /// The result, when it is there. Cancelling the Swift task cancels the call.
    public var value: Value {
        get async throws(Failure) {
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    whenCompleted { continuation.resume(returning: $0) }
                }
            } onCancel: {
                cancel()
            }
            return try result.get()
        }
    }
}
