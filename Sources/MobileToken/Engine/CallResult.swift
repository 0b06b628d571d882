// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenModel
import PowerAuth

/// The result of a successful call.
package indirect enum CallResult: Sendable {
    case none
    case activation(ActivationResult)
    case status(ActivationStatus)
    case activationDetail(ActivationDetail)
    case configuration(RemoteConfiguration)
    case operations(OperationList)
    case operation(UserOperation)
    case count(Int64)
    case inboxPage(InboxPage)
    case inboxMessage(InboxMessage)
    case oidcConfiguration(OIDCConfiguration)
    case mobileAuthRequests([MobileAuthRequest])
    case oidcAttributes(OIDCActivationAttributes)
    /// Secret or public bytes.
    case data(SecureBytes)
    case recovery(RecoveryData)
    case flag(Bool)
    case userInfo(UserInfo)
    case encrypted(EncryptedRequest)
    /// The value of an X-PowerAuth-Token header.
    case tokenHeader(String)
}

/// The call's result, if it is of that kind.
extension CallResult {
    package var operationList: OperationList? { if case .operations(let value) = self { value } else { nil } }
    package var userOperation: UserOperation? { if case .operation(let value) = self { value } else { nil } }
    package var activationStatus: ActivationStatus? { if case .status(let value) = self { value } else { nil } }
    package var activationResult: ActivationResult? { if case .activation(let value) = self { value } else { nil } }
    package var detail: ActivationDetail? { if case .activationDetail(let value) = self { value } else { nil } }
    package var configuration: RemoteConfiguration? { if case .configuration(let value) = self { value } else { nil } }
    package var number: Int64? { if case .count(let value) = self { value } else { nil } }
    package var page: InboxPage? { if case .inboxPage(let value) = self { value } else { nil } }
    package var message: InboxMessage? { if case .inboxMessage(let value) = self { value } else { nil } }
    package var provider: OIDCConfiguration? { if case .oidcConfiguration(let value) = self { value } else { nil } }
    package var login: OIDCActivationAttributes? { if case .oidcAttributes(let value) = self { value } else { nil } }
    package var requests: [MobileAuthRequest]? { if case .mobileAuthRequests(let value) = self { value } else { nil } }
    package var bytes: SecureBytes? { if case .data(let value) = self { value } else { nil } }
    package var recoveryData: RecoveryData? { if case .recovery(let value) = self { value } else { nil } }
    package var isConfirmed: Bool? { if case .flag(let value) = self { value } else { nil } }
    package var claims: UserInfo? { if case .userInfo(let value) = self { value } else { nil } }
    package var encryptedRequest: EncryptedRequest? { if case .encrypted(let value) = self { value } else { nil } }
    package var header: String? { if case .tokenHeader(let value) = self { value } else { nil } }
}
