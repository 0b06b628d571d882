// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// Where push messages for this device go (push-and-inbox.md §1).
public struct PushRegistration: Sendable {
    /// The service that delivers them.
    public enum Service: Sendable {
        /// Apple.
        case apns
        /// Firebase.
        case fcm
        /// Huawei.
        case hms
    }

    /// Which of Apple's services.
    public enum Environment: Sendable {
        case development
        case production
    }

    let service: Service
    let token: String
    let environment: Environment?
    let legacyServer: Bool

    /// - Parameters:
    ///   - token: the service's token of the device; for APNs in hexadecimal
    ///   - environment: of APNs; nil: the server's default. Ignored for other services and by old servers.
    ///   - legacyServer: the server is older than 1.10 and names the services differently; otherwise it is asked
    public init(
        service: Service, token: String, environment: Environment? = nil, legacyServer: Bool = false
    ) throws(Failure) {
        guard !token.isEmpty else { throw .argument("The push token is empty.") }
        self.service = service
        self.token = token
        self.environment = service == .apns && !legacyServer ? environment : nil
        self.legacyServer = legacyServer
    }

    /// The same for a server that is older than 1.10.
    var forLegacyServer: PushRegistration {
        PushRegistration(service: service, token: token, environment: nil, isLegacy: true)
    }

    private init(service: Service, token: String, environment: Environment?, isLegacy: Bool) {
        self.service = service
        self.token = token
        self.environment = environment
        legacyServer = isLegacy
    }

    /// The text of an APNs token, which the system hands out as bytes.
    public static func text(ofToken bytes: [UInt8]) -> String {
        let digits: StaticString = "0123456789ABCDEF"
        return digits.withUTF8Buffer { digits in
            String(utf8: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        }
    }

    /// Tells apart where messages go, whatever the server calls the service.
    var place: String { forLegacyServer.platform.description + " " + token }

    private var platform: StaticString {
        switch service {
        case .apns: legacyServer ? "ios" : "apns"
        case .fcm: legacyServer ? "android" : "fcm"
        case .hms: legacyServer ? "huawei" : "hms"
        }
    }

    func write(_ writer: inout JSONWriter) {
        writer.key("platform")
        writer.value(platform)
        writer.key("token")
        writer.value(token)
        if let environment {
            writer.key("environment")
            writer.value(environment == .development ? "development" : "production")
        }
    }
}
