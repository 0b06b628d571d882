// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CSystem
import MobileToken
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenJSON
import MobileTokenModel
import PowerAuth

@_cdecl("mtoken_client_new") @implementation
public func mtoken_client_new(
    _ runtime: OpaquePointer!, _ options: UnsafePointer<mtoken_client_options>!,
    _ out_client: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_client, "out_client")
        let runtime = try Handles.runtimes.find(runtime, "runtime")
        let options = try makeOptions(try Input.options(options, "options"), runtime)
        out.pointee = try Handles.clients.hold { (handle) throws(Failure) in
            try Client(runtime: runtime, options: options, number: handle)
        }
    }
}

private func makeOptions(_ options: mtoken_client_options, _ runtime: Runtime) throws(Failure) -> ClientOptions {
    guard let id = try Input.text(options.id, "id"),
        let configurationText = try Input.text(options.configuration, "configuration"),
        let baseURL = try Input.text(options.base_url, "base_url")
    else { throw .argument("A client needs id, configuration and base_url.") }
    let store = try Handles.stores.find(options.store, "store")
    let configuration = try Failure.converting { () throws(PowerAuthError) in
        try runtime.configuration(configurationText)
    }
    var result = try ClientOptions(
        id: id, configuration: configuration, baseURL: baseURL,
        operationsURL: try Input.text(options.operations_url, "operations_url"), store: store,
        allowHTTP: try Input.flag(options.allow_http, "allow_http"))
    if let secret = try Input.secret(options.device_secret, "device_secret") { try result.setDeviceSecret(secret) }
    if options.sealer != nil { try result.setSealer(try Handles.sealers.find(options.sealer, "sealer")) }
    switch options.protocol_version {
    case 0: result.version = nil
    case MTOKEN_PROTOCOL_4_0.rawValue: result.version = .v40
    case MTOKEN_PROTOCOL_3_3.rawValue: result.version = .v33
    case MTOKEN_PROTOCOL_3_2.rawValue: result.version = .v32
    case MTOKEN_PROTOCOL_3_1.rawValue: result.version = .v31
    default: throw .argument("protocol_version is unknown.")
    }
    result.tls = try makePolicy(options)
    if let authorities = try Input.text(options.ca_file, "ca_file") {
        guard options.tls_trust != MTOKEN_TLS_UNSAFE.rawValue, !authorities.isEmpty else {
            throw .argument("ca_file must not be empty, nor be given with MTOKEN_TLS_UNSAFE.")
        }
        try result.setAuthorities(file: authorities)
    } else if options.tls_trust == MTOKEN_TLS_CA.rawValue {
        throw .argument("MTOKEN_TLS_CA needs ca_file.")
    }
    guard options.timeout_ms >= 0 else { throw .argument("timeout_ms must not be negative.") }
    if options.timeout_ms > 0 { result.timeoutMilliseconds = options.timeout_ms }
    if let proxy = try Input.text(options.proxy, "proxy") { try result.setProxy(proxy) }
    let key = try Input.text(options.client_key, "client_key")
    let password = try Input.secret(options.client_key_password, "client_key_password")
    if let certificate = try Input.text(options.client_certificate, "client_certificate") {
        try result.setIdentity(certificate: certificate, key: key, password: password)
    } else if key != nil || password != nil {
        throw .argument("client_key and client_key_password need client_certificate.")
    }
    switch options.transport {
    case MTOKEN_TRANSPORT_LIBRARY.rawValue: break
    case MTOKEN_TRANSPORT_HOST.rawValue: try result.setHostTransport()
    default: throw .argument("transport is unknown.")
    }
    if let language = try Input.text(options.language, "language") { try result.setLanguage(language) }
    if let application = try Input.text(options.application, "application") { try result.setApplication(application) }
    if let agent = try Input.text(options.user_agent, "user_agent") { try result.setUserAgent(agent) }
    result.label = try Input.text(options.label, "label")
    result.headers = try headers(options.headers, options.header_count)
    result.refusesContradictions = try Input.flag(options.strict, "strict")
    result.sendsCorrelationID = try Input.flag(options.adds_correlation_id, "adds_correlation_id")
    result.toleratedContradictions = try Input.contradictions(options.tolerated, "tolerated")
    if options.suite != MTOKEN_SUITE_DEFAULT.rawValue {
        guard let suite = Suite(rawValue: options.suite) else { throw .argument("suite is unknown.") }
        result.suite = suite
    }
    if options.least_suite == MTOKEN_SUITE_EC_P256.rawValue {
        result.leastSuite = .p256
    } else if options.least_suite != MTOKEN_SUITE_DEFAULT.rawValue {
        guard let least = Suite(rawValue: options.least_suite) else { throw .argument("least_suite is unknown.") }
        result.leastSuite = .suite(least)
    }
    if let key = try Input.secret(options.external_key, "external_key") { try result.setExternalKey(key) }
    if options.min_pin_length != 0 || options.refused_pins != 0 {
        result.pinPolicy = try PINPolicy(
            minimumLength: options.min_pin_length == 0 ? PINWeaknesses.minimumLength : Int(options.min_pin_length),
            refused: PINWeaknesses(rawValue: options.refused_pins))
    }
    return result
}

extension ProtocolVersion {
    var constant: Int32 {
        switch self {
        case .v30, .v31: MTOKEN_PROTOCOL_3_1.rawValue
        case .v32: MTOKEN_PROTOCOL_3_2.rawValue
        case .v33: MTOKEN_PROTOCOL_3_3.rawValue
        case .v40: MTOKEN_PROTOCOL_4_0.rawValue
        }
    }
}

private func makePolicy(_ options: mtoken_client_options) throws(Failure) -> TLSPolicy {
    var policy = TLSPolicy()
    policy.allowPlainHTTP = try Input.flag(options.allow_http, "allow_http")
    switch options.tls_trust {
    case MTOKEN_TLS_SYSTEM.rawValue, MTOKEN_TLS_CA.rawValue: break
    case MTOKEN_TLS_UNSAFE.rawValue: policy.unsafeNoVerification = true
    default: throw .argument("tls_trust is unknown.")
    }
    guard (0...64).contains(options.pin_count), options.pins != nil || options.pin_count == 0 else {
        throw .argument("pins and pin_count do not match (at most 64).")
    }
    for index in 0..<options.pin_count {
        let pin = options.pins[index]
        let expires = pin.expires == .max ? nil : try Input.time(pin.expires, "expires")
        guard let text = try Input.text(pin.sha256, "sha256"), let made = PublicKeyPin(base64: text, expires: expires)
        else { throw .argument("A pin must be the Base64 of 32 bytes.") }
        policy.pins.append(made)
    }
    return policy
}

/// Header fields of the host's own.
private func headers(_ fields: UnsafePointer<mtoken_header_text>?, _ count: Int) throws(Failure) -> [HTTPHeader] {
    guard (0...ExtraHeaders.maximumCount).contains(count), fields != nil || count == 0 else {
        throw .argument("headers and header_count do not match (at most 32).")
    }
    var result: [HTTPHeader] = []
    guard let fields else { return result }
    for index in 0..<count {
        guard let name = try Input.text(fields[index].name, "name"),
            let value = try Input.text(fields[index].value, "value")
        else { throw .argument("A header needs a name and a value.") }
        result.append(try ExtraHeaders.check(name, value))
    }
    return result
}

@_cdecl("mtoken_client_with_options") @implementation
public func mtoken_client_with_options(
    _ client_: OpaquePointer!, _ options: UnsafePointer<mtoken_call_options>!,
    _ out_client: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_client, "out_client")
        let own = try client(client_).number
        let options = try Input.options(options, "options")
        guard options.timeout_ms >= 0, options.reserved == 0 else {
            throw .argument("timeout_ms must not be negative, and reserved must be 0.")
        }
        let made = try CallOptions(
            timeoutMilliseconds: options.timeout_ms == 0 ? nil : options.timeout_ms,
            language: try Input.text(options.language, "language"),
            userAgent: try Input.text(options.user_agent, "user_agent"),
            headers: try headers(options.headers, options.header_count),
            correlationID: try Input.text(options.correlation_id, "correlation_id").map { (id) throws(Failure) in
                try CorrelationID.check(id)
            })
        out.pointee = try Handles.views.hold { _ in ClientView(client: own, options: made) }
    }
}

@_cdecl("mtoken_client_set_language") @implementation
public func mtoken_client_set_language(
    _ client_: OpaquePointer!, _ language: UnsafePointer<CChar>!, _ language_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let client = try client(client_)
        try client.setLanguage(try Input.text(language, language_length, "language"))
    }
}

@_cdecl("mtoken_client_free") @implementation
public func mtoken_client_free(_ client: OpaquePointer!) {
    Handles.clients.remove(client)?.close()
    Handles.views.remove(client)
}

@_cdecl("mtoken_client_get_info") @implementation
public func mtoken_client_get_info(
    _ client_: OpaquePointer!, _ out_info: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_client_info>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_info, "out_info")
        let client = try client(client_)
        let info = client.information
        let state =
            switch info.phase {
            case .empty: MTOKEN_CLIENT_EMPTY.rawValue
            case .keysReady, .responseValidated: MTOKEN_CLIENT_PENDING.rawValue
            case .activated: MTOKEN_CLIENT_ACTIVE.rawValue
            }
        let arena = Arena(room: 1024)
        out.pointee = arena.result(
            mtoken_client_info(
                state: state, protocol_version: info.version.constant, id: arena.text(client.options.id),
                activation_id: arena.text(info.activationId),
                fingerprint: arena.text(info.fingerprint), has_biometry: info.hasBiometry ? 1 : 0,
                has_recovery_data: info.hasRecoveryData ? 1 : 0, time_synchronized: info.timeIsSynchronized ? 1 : 0,
                time_adjustment_ms: info.timeAdjustment, time: info.now, status_known: info.lastStatus == nil ? 0 : 1,
                activation_state: info.lastStatus.map { Int32($0.state.rawValue) } ?? 0,
                remaining_attempts: info.lastStatus.map { Int32(truncatingIfNeeded: $0.remainingAttempts) } ?? 0,
                authenticator_count: info.authenticators.count,
                authenticators: arena.pointers(info.authenticators) { arena.text($0) },
                uses_external_key: info.usesExternalKey ? 1 : 0, has_external_key: info.hasExternalKey ? 1 : 0,
                user_info: info.lastUserInfo.map { arena.text($0.json) },
                unacknowledged_signatures: Int32(clamping: info.unacknowledged),
                counter_window: Int32(clamping: info.window ?? 0), time_precision_ms: info.timePrecision ?? -1,
                protection: info.protection.rawValue,
                suite: info.suite?.rawValue ?? 0, awaits_confirmation: info.marks.confirm ? 1 : 0,
                awaits_upgrade_confirmation: info.marks.upgrade ? 1 : 0, awaits_new_pin: info.marks.newPIN ? 1 : 0,
                times_behind: Int32(clamping: info.timesBehind),
                awaits_new_biometry: info.marks.newBiometry ? 1 : 0))
    }
}

@_cdecl("mtoken_client_info_free") @implementation
public func mtoken_client_info_free(_ info: UnsafeMutablePointer<mtoken_client_info>!) { Arena.free(info) }

@_cdecl("mtoken_client_synchronize_time") @implementation
public func mtoken_client_synchronize_time(
    _ client: OpaquePointer!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in try client.synchronizeTime(task: task) }
    }
}

@_cdecl("mtoken_client_reset_time") @implementation
public func mtoken_client_reset_time(
    _ client_: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try client(client_).resetTime() }
}
