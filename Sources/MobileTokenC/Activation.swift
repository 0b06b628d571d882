// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto
import MobileTokenModel
import PowerAuth

@_cdecl("mtoken_activation_code_parse") @implementation
public func mtoken_activation_code_parse(
    _ text: UnsafePointer<CChar>!, _ text_length: Int,
    _ out_code: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_activation_code>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_code, "out_code")
        let text = try Input.text(text, text_length, "text")
        let parsed = try parseCode(text) { (text) throws(PowerAuthError) in try ActivationCode.parse(text) }
        let arena = Arena(room: 256)
        out.pointee = arena.result(
            mtoken_activation_code(
                code: arena.text(parsed.code), signature: arena.text(parsed.signature.map { Base64.encode($0) })))
    }
}

/// Reads an activation code; tells where its form is broken.
private func parseCode<R>(_ text: String, _ parse: (String) throws(PowerAuthError) -> R) throws(Failure) -> R {
    do throws(PowerAuthError) {
        return try parse(text)
    } catch {
        var failure = Failure(error)
        failure.byteOffset = ActivationCode.formFault(in: text)
        throw failure
    }
}

@_cdecl("mtoken_activation_code_free") @implementation
public func mtoken_activation_code_free(_ code: UnsafeMutablePointer<mtoken_activation_code>!) { Arena.free(code) }

@_cdecl("mtoken_activation_code_correct") @implementation
public func mtoken_activation_code_correct(_ character: UInt32) -> UInt32 {
    ActivationCode.correctTypedCharacter(character) ?? 0
}

@_cdecl("mtoken_client_activate") @implementation
public func mtoken_client_activate(
    _ client: OpaquePointer!, _ options: UnsafePointer<mtoken_activation_options>!,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            let options = try Input.options(options, "options")
            let request = try activationRequest(options)
            request.otp = try Input.secretText(options.otp, "otp")
            request.name = try Input.text(options.name, "name")
            request.extras = try Input.text(options.extras, "extras")
            request.platform = try Input.text(options.platform, "platform")
            request.deviceInfo = try Input.text(options.device_info, "device_info")
            request.customAttributes = try Input.text(options.custom_attributes, "custom_attributes").map {
                [UInt8]($0.utf8)
            }
            try client.activate(request, task: task)
        }
    }
}

/// The one way to activate that is given.
private func activationRequest(_ options: mtoken_activation_options) throws(Failure) -> ActivationRequest {
    let code = try Input.text(options.code, "code")
    let recovery = try Input.secretText(options.recovery_code, "recovery_code")
    let puk = try Input.secretText(options.recovery_puk, "recovery_puk")
    let attributes = try identity(options)
    let provider = try Input.text(options.oidc_provider, "oidc_provider")
    let oidcCode = try Input.secretText(options.oidc_code, "oidc_code")
    let nonce = try Input.secretText(options.oidc_nonce, "oidc_nonce")
    let verifier = try Input.secretText(options.oidc_code_verifier, "oidc_code_verifier")
    let hasRecovery = recovery != nil || puk != nil
    let hasOIDC = provider != nil || oidcCode != nil || nonce != nil || verifier != nil
    switch (code, hasRecovery, attributes.isEmpty, hasOIDC) {
    case (let code?, false, true, false):
        let corrected: [UInt8]
        do throws(ActivationCode.Fault) {
            corrected = try ActivationCode.corrected(code)
        } catch {
            var failure = Failure(PowerAuthError(.invalidActivationCode, "the activation code is not valid"))
            failure.message =
                error.offset < code.utf8.count
                ? "The activation code has a character that cannot be there (byte " + error.offset.description + ")."
                : "The activation code is too short."
            failure.byteOffset = error.offset
            throw failure
        }
        return try Failure.converting { () throws(PowerAuthError) in try ActivationRequest.code(corrected) }
    case (nil, true, true, false):
        guard let recovery, let puk else { throw .argument("A recovery needs both recovery code and PUK.") }
        return try Failure.converting { () throws(PowerAuthError) in
            try ActivationRequest.recovery(code: recovery, puk: puk)
        }
    case (nil, false, false, false):
        return try Failure.converting { () throws(PowerAuthError) in try ActivationRequest.custom(attributes) }
    case (nil, false, true, true):
        guard let provider, let oidcCode, let nonce else {
            throw .argument("An OIDC activation needs provider, code and nonce.")
        }
        return try OIDCActivationAttributes(
            providerId: provider, code: oidcCode, nonce: nonce, codeVerifier: verifier
        ).activationRequest()
    case (nil, false, true, false):
        throw .argument(
            "An activation needs one of: code, recovery code and PUK, identity attributes, OIDC attributes.")
    default:
        var given = code == nil ? "" : "a code"
        let others = [
            (hasRecovery, "a recovery code"), (!attributes.isEmpty, "identity attributes"),
            (hasOIDC, "OIDC attributes"),
        ]
        for (isGiven, way) in others where isGiven { given += given.isEmpty ? way : " and " + way }
        throw .argument(filled("More than one way to activate is set: %. Set only one.", given))
    }
}

private func identity(
    _ options: mtoken_activation_options
) throws(Failure) -> [(name: String, value: SecureBytes)] {
    guard (0...64).contains(options.identity_count), options.identity != nil || options.identity_count == 0 else {
        throw .argument("identity and identity_count do not match (at most 64).")
    }
    var attributes: [(name: String, value: SecureBytes)] = []
    for index in 0..<options.identity_count {
        let attribute = options.identity[index]
        guard let name = try Input.text(attribute.name, "name"), !name.isEmpty,
            let value = try Input.secretText(attribute.value, "value")
        else { throw .argument("An identity attribute needs a name and a value.") }
        attributes.append((name, value))
    }
    return attributes
}

@_cdecl("mtoken_recovery_code_is_valid") @implementation
public func mtoken_recovery_code_is_valid(_ text: UnsafePointer<CChar>!, _ text_length: Int) -> Int32 {
    guard let code = try? Input.secretText(mtoken_text(data: text, length: text_length), "text") else { return 0 }
    return RecoveryCode.isValid(code) ? 1 : 0
}

@_cdecl("mtoken_recovery_puk_is_valid") @implementation
public func mtoken_recovery_puk_is_valid(_ text: UnsafePointer<CChar>!, _ text_length: Int) -> Int32 {
    guard let puk = try? Input.secretText(mtoken_text(data: text, length: text_length), "text") else { return 0 }
    return RecoveryCode.isValidPUK(puk) ? 1 : 0
}

extension Arena {
    func put(_ activation: ActivationResult) -> UnsafePointer<mtoken_activation> {
        put(
            mtoken_activation(
                activation_id: text(activation.activationId), fingerprint: text(activation.fingerprint),
                recovery_code: activation.recovery.map { text($0.code) },
                recovery_puk: activation.recovery.map { text($0.puk) },
                custom_attributes: activation.customAttributes.map { text($0) },
                user_info: activation.userInfo.map { text($0) }, protocol_version: activation.version.constant,
                suite: activation.suite?.rawValue ?? 0))
    }

    func put(_ detail: ActivationDetail) -> UnsafePointer<mtoken_activation_detail> {
        put(
            mtoken_activation_detail(
                activation_id: text(detail.activationId), activation_name: text(detail.name)))
    }

    func put(_ status: ActivationStatus) -> UnsafePointer<mtoken_activation_status> {
        put(
            mtoken_activation_status(
                state: Int32(status.state.rawValue), failed_attempts: Int32(truncatingIfNeeded: status.failCount),
                max_failed_attempts: Int32(truncatingIfNeeded: status.maxFailCount),
                remaining_attempts: Int32(truncatingIfNeeded: status.remainingAttempts),
                custom_object: status.customObject.map { text($0) },
                upgrade_available: status.offersUpgrade ? 1 : 0, suite_withdrawn: status.suiteIsWithdrawn ? 1 : 0,
                biometry_enabled: status.biometryIsOn ? 1 : 0, block_is_temporary: status.blockExpires == nil ? 0 : 1,
                block_expires: status.blockExpires ?? 0))
    }

    func put(_ configuration: RemoteConfiguration) -> UnsafePointer<mtoken_config> {
        put(
            mtoken_config(
                count: configuration.entries.count, entries: pointers(configuration.entries) { put($0) },
                json: text(configuration.json), skipped_count: configuration.skippedCount,
                issue_count: configuration.issues.count, issues: pointers(configuration.issues) { text($0) }))
    }

    private func put(_ entry: RemoteConfiguration.Entry) -> UnsafePointer<mtoken_config_entry> {
        let scope: Int32 =
            switch entry.scope {
            case .application: MTOKEN_SCOPE_APPLICATION.rawValue
            case .activation: MTOKEN_SCOPE_ACTIVATION.rawValue
            case .other: 0
            }
        return put(mtoken_config_entry(key: text(entry.key), value: text(entry.value), scope: scope))
    }
}

@_cdecl("mtoken_client_rename") @implementation
public func mtoken_client_rename(
    _ client: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_length: Int, _ order: Int32,
    _ auth: UnsafePointer<mtoken_auth>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.rename(
                to: try Input.text(name, name_length, "name"), order: try encryptionOrder(order),
                try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_client_upgrade") @implementation
public func mtoken_client_upgrade(
    _ client: OpaquePointer!, _ auth: UnsafePointer<mtoken_auth>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.upgrade(try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_client_fetch_config") @implementation
public func mtoken_client_fetch_config(
    _ client: OpaquePointer!, _ scope: Int32, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.fetchConfiguration(try encryptionScope(scope), task: task)
        }
    }
}

@_cdecl("mtoken_task_config") @implementation
public func mtoken_task_config(_ task: OpaquePointer!) -> UnsafePointer<mtoken_config>! {
    result(of: task, { $0.configuration }, { $0.put($1) })
}

@_cdecl("mtoken_client_fetch_detail") @implementation
public func mtoken_client_fetch_detail(
    _ client: OpaquePointer!, _ auth: UnsafePointer<mtoken_auth>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.fetchDetail(try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_task_activation_detail") @implementation
public func mtoken_task_activation_detail(_ task: OpaquePointer!) -> UnsafePointer<mtoken_activation_detail>! {
    result(of: task, { $0.detail }, { $0.put($1) })
}

@_cdecl("mtoken_task_activation") @implementation
public func mtoken_task_activation(_ task: OpaquePointer!) -> UnsafePointer<mtoken_activation>! {
    result(of: task, { $0.activationResult }, { $0.put($1) })
}

@_cdecl("mtoken_client_persist") @implementation
public func mtoken_client_persist(
    _ client_: OpaquePointer!, _ auth: UnsafePointer<mtoken_auth>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let client = try client(client_)
        let auth = try Input.authentication(auth)
        guard let pin = auth.pin else { throw .argument("An activation needs a PIN.") }
        guard try auth.effectiveFactors.contains([.possession, .knowledge]) else {
            throw .argument("An activation needs at least the factors possession and knowledge.")
        }
        try client.persistActivation(pin: pin, biometryKey: auth.biometryKey, authenticator: auth.authenticator)
    }
}

@_cdecl("mtoken_client_import_upstream") @implementation
public func mtoken_client_import_upstream(
    _ client_: OpaquePointer!, _ state: UnsafePointer<UInt8>!, _ state_length: Int,
    _ possession_key: UnsafePointer<UInt8>!, _ possession_key_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let client = try client(client_)
        try client.importUpstream(
            try Input.bytes(state, state_length, "state"),
            possessionKey: try Input.secret(possession_key, possession_key_length, "possession_key"))
    }
}

@_cdecl("mtoken_client_cancel_activation") @implementation
public func mtoken_client_cancel_activation(
    _ client_: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try client(client_).cancelActivation() }
}

@_cdecl("mtoken_client_fetch_status") @implementation
public func mtoken_client_fetch_status(
    _ client: OpaquePointer!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in try client.fetchStatus(task: task) }
    }
}

@_cdecl("mtoken_client_wait_active") @implementation
public func mtoken_client_wait_active(
    _ client: OpaquePointer!, _ options: UnsafePointer<mtoken_wait_options>!,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            let (limit, pin) = try wait(options)
            try client.waitActive(milliseconds: limit, pin: pin, task: task)
        }
    }
}

/// How long to wait (nil: without limit), and the PIN to confirm with.
private func wait(
    _ options: UnsafePointer<mtoken_wait_options>?
) throws(Failure) -> (limit: Int64?, pin: SecureBytes?) {
    guard let options else { return (nil, nil) }
    let given = try Input.options(options, "options")
    guard given.timeout_ms >= 0 else { throw .argument("timeout_ms must not be negative.") }
    var pin: SecureBytes?
    if given.auth != nil {
        let auth = try Input.authentication(given.auth)
        guard auth.pin != nil, try auth.effectiveFactors == .possessionKnowledge else {
            throw .argument("auth must be NULL or hold the PIN and nothing else.")
        }
        pin = auth.pin
    }
    return (given.timeout_ms > 0 ? given.timeout_ms : nil, pin)
}

@_cdecl("mtoken_task_activation_status") @implementation
public func mtoken_task_activation_status(_ task: OpaquePointer!) -> UnsafePointer<mtoken_activation_status>! {
    result(of: task, { $0.activationStatus }, { $0.put($1) })
}

@_cdecl("mtoken_client_remove") @implementation
public func mtoken_client_remove(
    _ client: OpaquePointer!, _ auth: UnsafePointer<mtoken_auth>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.remove(try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_client_remove_local") @implementation
public func mtoken_client_remove_local(
    _ client_: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try client(client_).removeLocally() }
}
