// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CSystem
import MobileToken
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import PowerAuth

@_cdecl("mtoken_operations_list") @implementation
public func mtoken_operations_list(
    _ client: OpaquePointer!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in try client.operations.list(task: task) }
    }
}

@_cdecl("mtoken_operations_history") @implementation
public func mtoken_operations_history(
    _ client: OpaquePointer!, _ auth: UnsafePointer<mtoken_auth>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.operations.history(try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_task_operations") @implementation
public func mtoken_task_operations(_ task: OpaquePointer!) -> UnsafePointer<mtoken_operation_list>! {
    result(of: task, { $0.operationList }, { $0.put($1) })
}

@_cdecl("mtoken_operations_detail") @implementation
public func mtoken_operations_detail(
    _ client: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_length: Int,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.operations.detail(id: try Input.text(id, id_length, "id"), task: task)
        }
    }
}

@_cdecl("mtoken_operations_claim") @implementation
public func mtoken_operations_claim(
    _ client: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_length: Int,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.operations.claim(id: try Input.text(id, id_length, "id"), task: task)
        }
    }
}

@_cdecl("mtoken_task_operation") @implementation
public func mtoken_task_operation(_ task: OpaquePointer!) -> UnsafePointer<mtoken_operation>! {
    result(of: task, { $0.userOperation }, { $0.put($1) })
}

@_cdecl("mtoken_operations_authorize") @implementation
public func mtoken_operations_authorize(
    _ client: OpaquePointer!, _ operation: UnsafePointer<mtoken_operation>!, _ auth: UnsafePointer<mtoken_auth>!,
    _ options: UnsafePointer<mtoken_authorize_options>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            guard let operation else { throw .argument("operation is NULL.") }
            let options = try ApprovalOptions(options, client)
            try client.operations.authorize(
                try approvable(operation.pointee, client), options.rule, authentication: try Input.authentication(auth),
                extras: options.extras, task: task)
        }
    }
}

@_cdecl("mtoken_operations_authorize_data") @implementation
public func mtoken_operations_authorize_data(
    _ client: OpaquePointer!, _ operation: UnsafePointer<mtoken_operation_options>!,
    _ auth: UnsafePointer<mtoken_auth>!,
    _ options: UnsafePointer<mtoken_authorize_options>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            let operation = try Input.options(operation, "operation")
            let options = try ApprovalOptions(options, client)
            guard options.rule.checksFactors, !options.rule.isStrict else {
                throw .argument("allow_other_factors and strict need an operation.")
            }
            let id = try Input.required(operation.id, "id")
            try options.rule.check(id: id)
            try client.operations.authorize(
                id: id,
                data: try Input.required(operation.operation_data, "operation_data"),
                authentication: try Input.authentication(auth), extras: options.extras,
                tolerated: options.rule.tolerated, task: task)
        }
    }
}

/// The host's options of an approval.
struct ApprovalOptions {
    var extras = ApprovalExtras()
    var rule = ApprovalRule()

    /// - Parameter pointer: nil: the defaults
    init(_ pointer: UnsafePointer<mtoken_authorize_options>?, _ client: Client) throws(Failure) {
        guard let pointer else { return }
        let options = try Input.options(pointer, "options")
        guard options.reserved == 0 else { throw .argument("reserved must be 0.") }
        rule.checksFactors = !(try Input.flag(options.allow_other_factors, "allow_other_factors"))
        rule.expectedID = try Input.text(options.expected_id, "expected_id").map { [UInt8]($0.utf8) }
        rule.isStrict = try Input.flag(options.strict, "strict")
        rule.allowsUnknownStatus = try Input.flag(options.allow_unknown_status, "allow_unknown_status")
        rule.tolerated = try Input.contradictions(options.tolerated, "tolerated")
        extras = try makeExtras(
            data: options.mobile_token_data, otp: options.proximity_otp, type: options.proximity_source,
            received: options.proximity_received, now: client.deviceTime)
    }
}

/// The operation of a struct: the host approves exactly the decoded operation. The client has decoded and compared its
/// own; another's JSON is read. One that a host made up speaks for itself.
private func approvable(_ operation: mtoken_operation, _ client: Client) throws(Failure) -> Approvable {
    let id = try Input.text(operation.id, -1, "id")
    let data = try Input.text(operation.operation_data, -1, "operation_data")
    guard let json = json(of: operation),
        let found = client.operations.approvable(id: id, json: json)
            ?? (try? UserOperation.decode(json: json)).map({ Approvable($0) })
    else {
        return Approvable(
            id: id, data: data, hasKnownStatus: operation.status != MTOKEN_OPERATION_UNKNOWN.rawValue,
            signature: AllowedSignature.Kind(host: operation.signature_type),
            variants: AllowedSignature.Variants(rawValue: UInt8(truncatingIfNeeded: operation.variants)),
            contradictions: Contradictions(rawValue: operation.contradictions))
    }
    guard sameBytes(found.id, id), sameBytes(found.data, data) else {
        throw .argument(
            "operation", "'s id or operation_data does not match its json. Pass it as the library returned it.")
    }
    return found
}

/// The operation that a struct was made of.
func decoded(_ operation: mtoken_operation) throws(Failure) -> UserOperation {
    guard let json = json(of: operation) else { throw .argument("operation", " has no JSON.") }
    return try UserOperation.decode(json: json)
}

private func json(of operation: mtoken_operation) -> UnsafeRawBufferPointer? {
    operation.json.map { UnsafeRawBufferPointer(start: $0, count: strnlen($0, Input.maximumAnswerSize)) }
}

extension AllowedSignature.Kind {
    fileprivate init(host value: Int32) {
        self =
            switch value {
            case MTOKEN_SIGNATURE_TYPE_1FA.rawValue: .oneFactor
            case MTOKEN_SIGNATURE_TYPE_2FA.rawValue: .twoFactor
            case MTOKEN_SIGNATURE_TYPE_ECDSA.rawValue: .ecdsa
            default: .unknown
            }
    }
}

/// The data sent with an approval, from the members of an option struct.
func makeExtras(
    data: mtoken_text, otp: mtoken_text, type: Int32, received: Int64, now: Int64
) throws(Failure) -> ApprovalExtras {
    var extras = ApprovalExtras()
    extras.mobileTokenData = try Input.text(data, "mobile_token_data").map { [UInt8]($0.utf8) }
    if let otp = try Input.text(otp, "proximity_otp") {
        extras.proximity = try proximityCheck(otp, type, received, now: now)
    } else if type != 0 || received != 0 {
        _ = try proximityCheck("", type == 0 ? MTOKEN_PROXIMITY_QR_CODE.rawValue : type, received, now: now)
    }
    return extras
}

/// - Parameter received: 0: now
func proximityCheck(
    _ otp: String, _ type: Int32, _ received: Int64, now: Int64
) throws(Failure) -> ProximityCheck {
    guard let type = ProximityCheck.Kind(rawValue: type) else { throw .argument("proximity_source is unknown.") }
    let received = try Input.time(received, "received")
    return ProximityCheck(otp: otp, type: type, received: received == 0 ? now : received)
}

@_cdecl("mtoken_operations_reject") @implementation
public func mtoken_operations_reject(
    _ client: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_length: Int,
    _ options: UnsafePointer<mtoken_reject_options>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            let id = try Input.text(id, id_length, "id")
            let options = options == nil ? nil : try Input.options(options, "options")
            var reason: String?
            var mobileTokenData: [UInt8]?
            if let options {
                reason = try Input.text(options.reason, "reason")
                mobileTokenData = try Input.text(options.mobile_token_data, "mobile_token_data").map {
                    [UInt8]($0.utf8)
                }
            }
            try client.operations.reject(
                id: id, reason: reason, mobileTokenData: mobileTokenData, task: task)
        }
    }
}
