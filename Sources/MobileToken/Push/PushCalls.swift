// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON
import PowerAuth

extension Call {
    /// Tells the server where push messages for this device go (push-and-inbox.md §1).
    static func registerPush(_ registration: PushRegistration) -> Call {
        Call(
            name: "push registration", root: .operations, path: "/api/push/device/register/token",
            kind: .question(.token(universalToken))
        ) { (_) throws(Failure) in
            requestObject { writer in registration.write(&writer) }
        } read: { (activation, answer) throws(Failure) in
            try nothing(activation, answer)
        }
    }
}
