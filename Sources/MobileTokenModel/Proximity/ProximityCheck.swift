// SPDX-License-Identifier: Apache-2.0
/// A one-time password that shows that the device is near the screen that showed it (operations.md §7.1).
public struct ProximityCheck: Sendable {
    /// Where the password came from.
    public enum Kind: Int32, Sendable {
        case qrCode = 1
        case deeplink = 2

        package var wireName: StaticString { self == .qrCode ? "QR_CODE" : "DEEPLINK" }
    }

    package let otp: String
    package let type: Kind
    /// The device's time when the password was received, in milliseconds since the epoch.
    package let received: Int64

    /// - Parameter received: the device's time when the password was received, in milliseconds since the epoch
    public init(otp: String, type: Kind, received: Int64) {
        self.otp = otp
        self.type = type
        self.received = received
    }
}
