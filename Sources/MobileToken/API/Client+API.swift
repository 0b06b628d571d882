// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import PowerAuth

extension ClientOptions {
    /// Creates options with what every client needs. The rest has defaults.
    ///
    /// - Parameters:
    ///   - id: the client's name within its store: 1 to 64 of A-Z a-z 0-9 . _ -
    ///   - configuration: the application's SDK configuration
    ///   - baseURL: the enrolment server's root URL; https, unless `allowHTTP`
    ///   - operationsURL: the operations server's root URL, if different
    ///   - allowHTTP: accepts plain http; for tests only
    public init(
        id: String, configuration: String, baseURL: String, operationsURL: String? = nil, store: Store,
        allowHTTP: Bool = false
    ) throws(Failure) {
        let parsed = try Failure.converting { () throws(PowerAuthError) in
            try Configuration(sdkConfiguration: configuration)
        }
        try self.init(
            id: id, configuration: parsed, baseURL: baseURL, operationsURL: operationsURL, store: store,
            allowHTTP: allowHTTP)
        tls.allowPlainHTTP = allowHTTP
    }
}

/// Information about the device that an activation sends to the bank. The server sets the limits.
public struct DeviceDescription: Sendable {
    /// The name that users see, at most 255 characters.
    public var name: String?
    /// Nil: `linux`.
    public var platform: String?
    /// E.g. the model; nil: the operating system's name; empty: send nothing.
    public var deviceInfo: String?
    /// Additional text for the bank, at most 4000 characters.
    public var extras: String?
    /// A JSON object for the bank, as text.
    public var customAttributes: [UInt8]?

    /// Creates the description of a device with this name.
    public init(name: String? = nil) { self.name = name }
}

extension Client {
    /// Loads the client's state from its store.
    ///
    /// - Throws: `busy` when another client or process uses it, `tampered`, `storage`
    public convenience init(runtime: Runtime, options: ClientOptions) throws(Failure) {
        try self.init(runtime: runtime, options: options, number: nil)
    }

    // MARK: Activation

    /// Activates with a code, typed or scanned. The client must be empty.
    ///
    /// - Parameter otp: the one-time password that some banks send with the code
    public func activate(
        code: String, otp: SecureBytes? = nil, device: DeviceDescription = DeviceDescription(),
        options: CallOptions? = nil
    ) throws(Failure) -> Pending<ActivationResult> {
        try activate(device, options) { () throws(PowerAuthError) in
            let request = try ActivationRequest.code(SecureBytes(code))
            request.otp = otp
            return request
        }
    }

    /// Activates with a recovery code and its PUK.
    public func activate(
        recoveryCode: SecureBytes, puk: SecureBytes, device: DeviceDescription = DeviceDescription(),
        options: CallOptions? = nil
    ) throws(Failure) -> Pending<ActivationResult> {
        try activate(device, options) { () throws(PowerAuthError) in
            try .recovery(code: recoveryCode, puk: puk)
        }
    }

    /// Activates with attributes whose meaning the bank defines, such as a user name and a password.
    public func activate(
        identity: [(name: String, value: SecureBytes)], device: DeviceDescription = DeviceDescription(),
        options: CallOptions? = nil
    ) throws(Failure) -> Pending<ActivationResult> {
        try activate(device, options) { () throws(PowerAuthError) in try .custom(identity) }
    }

    /// Activates with a login at a provider.
    public func activate(
        login: OIDCActivationAttributes, device: DeviceDescription = DeviceDescription(), options: CallOptions? = nil
    ) throws(Failure) -> Pending<ActivationResult> {
        let request = try login.activationRequest()
        return try activate(device, options) { () throws(PowerAuthError) in request }
    }

    private func activate(
        _ device: DeviceDescription, _ options: CallOptions?,
        _ make: () throws(PowerAuthError) -> ActivationRequest
    ) throws(Failure) -> Pending<ActivationResult> {
        let request = try Failure.converting(make)
        request.name = device.name
        request.platform = device.platform
        request.deviceInfo = device.deviceInfo
        request.extras = device.extras
        request.customAttributes = device.customAttributes
        return try activation.pending(options, { $0.activationResult }) { (task) throws(Failure) in
            try activate(request, task: task)
        }
    }

    /// Fetches the status: whether the bank has confirmed, blocked or removed the activation.
    public func fetchStatus(options: CallOptions? = nil) throws(Failure) -> Pending<ActivationStatus> {
        try activation.pending(options, { $0.activationStatus }) { (task) throws(Failure) in try fetchStatus(task: task)
        }
    }

    /// Waits until the bank has confirmed the activation.
    ///
    /// - Parameters:
    ///   - milliseconds: the longest wait; nil: no limit
    ///   - pin: confirms an activation of protocol 4.0 that another process has stored
    public func waitUntilActive(
        milliseconds: Int64? = nil, pin: SecureBytes? = nil
    ) throws(Failure) -> Pending<ActivationStatus> {
        try activation.pending(nil, { $0.activationStatus }) { (task) throws(Failure) in
            try waitActive(milliseconds: milliseconds, pin: pin, task: task)
        }
    }

    /// Upgrades an activation of protocol 3 to 4.0.
    ///
    /// - Parameter authentication: the PIN; a biometry key keeps the factor of its authenticator
    public func upgrade(
        _ authentication: Authentication, options: CallOptions? = nil
    ) throws(Failure) -> Pending<ActivationStatus> {
        try activation.pending(options, { $0.activationStatus }) { (task) throws(Failure) in
            try upgrade(authentication, task: task)
        }
    }

    /// Gives the device another name at the bank.
    public func rename(
        to name: String, order: RequestSignature.Order = .signThenEncrypt, _ authentication: Authentication,
        options: CallOptions? = nil
    ) throws(Failure) -> Pending<ActivationDetail> {
        try activation.pending(options, { $0.detail }) { (task) throws(Failure) in
            try rename(to: name, order: order, authentication, task: task)
        }
    }

    /// Fetches the configuration that the bank keeps for its application, in protocol 4.0.
    ///
    /// - Parameter ofActivation: with the entries of this activation; without it no activation is needed
    public func fetchConfiguration(
        ofActivation: Bool, options: CallOptions? = nil
    ) throws(Failure) -> Pending<RemoteConfiguration> {
        try activation.pending(options, { $0.configuration }) { (task) throws(Failure) in
            try fetchConfiguration(ofActivation ? .activation : .application, task: task)
        }
    }

    /// Fetches the name of the device, as the bank shows it.
    public func fetchDetail(
        _ authentication: Authentication, options: CallOptions? = nil
    ) throws(Failure) -> Pending<ActivationDetail> {
        try activation.pending(options, { $0.detail }) { (task) throws(Failure) in
            try fetchDetail(authentication, task: task)
        }
    }

    /// Removes the activation at the server, then locally.
    public func remove(
        _ authentication: Authentication = .possession, options: CallOptions? = nil
    ) throws(Failure) -> Pending<Void> {
        try activation.pending(options) { (task) throws(Failure) in try remove(authentication, task: task) }
    }

    /// Fetches the server's time. Calls that need it do so themselves.
    public func synchronizeTime(options: CallOptions? = nil) throws(Failure) -> Pending<Void> {
        try activation.pending(options) { (task) throws(Failure) in try synchronizeTime(task: task) }
    }

    /// Fetches the claims about the user.
    public func fetchUserInfo(options: CallOptions? = nil) throws(Failure) -> Pending<UserInfo> {
        try activation.pending(options, { $0.claims }) { (task) throws(Failure) in try fetchUserInfo(task: task) }
    }

    // MARK: Factors

    /// Asks the server whether a PIN is right. A wrong one counts as a failed attempt.
    public func validatePIN(_ pin: SecureBytes, options: CallOptions? = nil) throws(Failure) -> Pending<Void> {
        try activation.pending(options) { (task) throws(Failure) in try validatePIN(pin, task: task) }
    }

    /// Changes the PIN after the server has validated the old one.
    public func changePIN(
        from old: SecureBytes, to new: SecureBytes, options: CallOptions? = nil
    ) throws(Failure) -> Pending<Void> {
        try activation.pending(options) { (task) throws(Failure) in try changePIN(from: old, to: new, task: task) }
    }

    /// Adds the biometry factor, or a named authenticator that keeps its key.
    ///
    /// - Parameter key: 16 bytes
    public func addBiometry(
        key: SecureBytes, authenticator: String? = nil, _ authentication: Authentication, options: CallOptions? = nil
    ) throws(Failure) -> Pending<Void> {
        try activation.pending(options) { (task) throws(Failure) in
            try addBiometry(key: key, authenticator: authenticator, authentication: authentication, task: task)
        }
    }

    /// Removes the biometry factor, or a named authenticator.
    public func removeBiometry(authenticator: String? = nil) throws(Failure) -> Pending<Void> {
        try activation.pending(nil) { (task) throws(Failure) in
            try removeBiometry(authenticator: authenticator, task: task)
        }
    }

    // MARK: Vault

    /// Fetches a key for the host's own data: 16 bytes, always the same for an index.
    public func fetchEncryptionKey(
        index: UInt64, _ authentication: Authentication, options: CallOptions? = nil
    ) throws(Failure) -> Pending<SecureBytes> {
        try activation.pending(options, { $0.bytes }) { (task) throws(Failure) in
            try fetchEncryptionKey(index: index, authentication: authentication, task: task)
        }
    }

    /// Fetches a key for the host's own data, of one of the two kinds of protocol 4.0.
    ///
    /// - Parameters:
    ///   - onlyWithPIN: the key that needs the PIN and cannot be had with biometry
    ///   - count: 16 to 64 bytes
    public func fetchKey(
        onlyWithPIN: Bool, index: UInt64, count: Int, _ authentication: Authentication, options: CallOptions? = nil
    ) throws(Failure) -> Pending<SecureBytes> {
        try activation.pending(options, { $0.bytes }) { (task) throws(Failure) in
            try fetchKey(
                onlyWithPIN ? .applicationKnowledge : .application2FA, index: index, count: count,
                authentication: authentication, task: task)
        }
    }

    /// Signs data with the device's ML-DSA key, which an activation of a hybrid suite has.
    public func signWithPostQuantumKey(
        _ data: [UInt8], _ authentication: Authentication, options: CallOptions? = nil
    ) throws(Failure) -> Pending<SecureBytes> {
        try activation.pending(options, { $0.bytes }) { (task) throws(Failure) in
            try signWithDeviceKeyMLDSA(data, authentication: authentication, task: task)
        }
    }

    /// Signs data with the device's private key (ECDSA, DER).
    public func signWithDeviceKey(
        _ data: [UInt8], _ authentication: Authentication, options: CallOptions? = nil
    ) throws(Failure) -> Pending<SecureBytes> {
        try activation.pending(options, { $0.bytes }) { (task) throws(Failure) in
            try signWithDeviceKey(data, format: .der, authentication: authentication, task: task)
        }
    }

    /// Creates a JSON Web Token of claims, signed with the device's private key.
    ///
    /// - Parameter claims: a JSON object
    public func signToken(
        claims: [UInt8], _ authentication: Authentication, options: CallOptions? = nil
    ) throws(Failure) -> Pending<SecureBytes> {
        try activation.pending(options, { $0.bytes }) { (task) throws(Failure) in
            try signToken(claims: claims, authentication: authentication, task: task)
        }
    }

    /// Makes a request for a certificate (PKCS #10), signed with the device's private key; DER.
    ///
    /// - Parameters:
    ///   - subject: types of attributes, by name or OID, with their values
    ///   - extensions: as in OpenSSL's x509v3_config(5)
    public func signCertificateRequest(
        subject: [(name: String, value: String)], extensions: [(name: String, value: String)] = [],
        _ authentication: Authentication, options: CallOptions? = nil
    ) throws(Failure) -> Pending<SecureBytes> {
        try activation.pending(options, { $0.bytes }) { (task) throws(Failure) in
            try signRequest(subject: subject, extensions: extensions, authentication: authentication, task: task)
        }
    }

    /// Fetches the recovery code and PUK that came with the activation.
    public func fetchRecoveryData(
        _ authentication: Authentication, options: CallOptions? = nil
    ) throws(Failure) -> Pending<RecoveryData> {
        try activation.pending(options, { $0.recoveryData }) { (task) throws(Failure) in
            try fetchRecoveryData(authentication: authentication, task: task)
        }
    }

    /// Confirms a recovery code received on paper.
    ///
    /// - Returns: whether it was already confirmed
    public func confirmRecoveryCode(
        _ code: SecureBytes, _ authentication: Authentication, options: CallOptions? = nil
    ) throws(Failure) -> Pending<Bool> {
        try activation.pending(options, { $0.isConfirmed }) { (task) throws(Failure) in
            try confirmRecoveryCode(code, authentication: authentication, task: task)
        }
    }
}

extension Client.Information {
    /// The progress of the activation on this device.
    public enum State: Sendable {
        /// There is no activation.
        case empty
        /// The request to the server is in progress.
        case activating
        /// The server has answered: choose the PIN and call `persistActivation`.
        case pending
        /// The activation is stored. Fetch the status for its state at the server.
        case activated
    }

    /// The progress of the activation on this device.
    public var state: State {
        switch phase {
        case .empty: .empty
        case .keysReady: .activating
        case .responseValidated: .pending
        case .activated: .activated
        }
    }
}
