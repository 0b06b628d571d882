// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenModel
import PowerAuth

@_cdecl("mtoken_operations_list") @implementation
public func mtoken_operations_list(
    _ client: OpaquePointer!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in try client.operationList(task: task) }
    }
}

@_cdecl("mtoken_operations_history") @implementation
public func mtoken_operations_history(
    _ client: OpaquePointer!, _ auth: UnsafePointer<mtoken_auth>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.operationHistory(try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_task_operations") @implementation
public func mtoken_task_operations(_ task: OpaquePointer!) -> UnsafePointer<mtoken_operation_list>! {
    result(of: task, { if case .operations(let value) = $0 { value } else { nil } }, { $0.put($1) })
}

@_cdecl("mtoken_operations_detail") @implementation
public func mtoken_operations_detail(
    _ client: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_length: Int,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.operationDetail(id: try Input.text(id, id_length, "id"), task: task)
        }
    }
}

@_cdecl("mtoken_operations_claim") @implementation
public func mtoken_operations_claim(
    _ client: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_length: Int,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.operationClaim(id: try Input.text(id, id_length, "id"), task: task)
        }
    }
}

@_cdecl("mtoken_task_operation") @implementation
public func mtoken_task_operation(_ task: OpaquePointer!) -> UnsafePointer<mtoken_operation>! {
    result(of: task, { if case .operation(let value) = $0 { value } else { nil } }, { $0.put($1) })
}

@_cdecl("mtoken_operations_authorize") @implementation
public func mtoken_operations_authorize(
    _ client: OpaquePointer!, _ operation: UnsafePointer<mtoken_operation>!, _ auth: UnsafePointer<mtoken_auth>!,
    _ options: UnsafePointer<mtoken_authorize_options>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            guard let operation else { throw .argument("operation is NULL.") }
            let options = try ApprovalOptions(options, client)
            let id = try Input.text(operation.pointee.id, -1, "id")
            let data = try Input.text(operation.pointee.operation_data, -1, "data")
            let authentication = try Input.authentication(auth)
            try options.check(operation.pointee, client)
            try client.authorize(
                id: id, data: data, authentication: authentication, extras: options.extras,
                allowed: options.checksFactors ? allowedFactors(operation.pointee) : nil, tolerated: options.tolerated,
                task: task)
        }
    }
}

@_cdecl("mtoken_operations_authorize_data") @implementation
public func mtoken_operations_authorize_data(
    _ client: OpaquePointer!, _ operation: UnsafePointer<mtoken_operation_options>!,
    _ auth: UnsafePointer<mtoken_auth>!,
    _ options: UnsafePointer<mtoken_authorize_options>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            let operation = try Input.options(operation, "operation")
            let options = try ApprovalOptions(options, client)
            guard !options.checksFactors, !options.isStrict else {
                throw .argument("check_factors and strict need an operation.")
            }
            try client.authorize(
                id: try Input.required(operation.id, "id"),
                data: try Input.required(operation.operation_data, "operation_data"),
                authentication: try Input.authentication(auth), extras: options.extras, tolerated: options.tolerated,
                task: task)
        }
    }
}

/// What a host wants of an approval.
struct ApprovalOptions {
    var extras = ApprovalExtras()
    var checksFactors = false
    var isStrict = false
    var allowsUnknownStatus = false
    /// The contradictions that the call lets pass.
    var tolerated: Contradictions = []

    /// - Parameter pointer: nil: the defaults
    init(_ pointer: UnsafePointer<mtoken_authorize_options>?, _ client: Client) throws(Failure) {
        guard let pointer else { return }
        let options = try Input.options(pointer, "options")
        guard options.reserved == 0 else { throw .argument("reserved is not 0.") }
        checksFactors = try Input.flag(options.check_factors, "check_factors")
        isStrict = try Input.flag(options.strict, "strict")
        allowsUnknownStatus = try Input.flag(options.allow_unknown_status, "allow_unknown_status")
        tolerated = try Input.contradictions(options.tolerated, "tolerated")
        extras = try makeExtras(
            data: options.mobile_token_data, otp: options.proximity_otp, type: options.proximity_source,
            received: options.proximity_received, client)
    }

    /// Refuses what is not to be approved by default, or by the host's wish.
    func check(_ operation: mtoken_operation, _ client: Client) throws(Failure) {
        let contradictions = Contradictions(rawValue: operation.contradictions).subtracting(tolerated)
        if isStrict || client.options.refusesContradictions, client.options.refuses(contradictions) {
            throw .contradiction
        }
        if operation.status == MTOKEN_OPERATION_UNKNOWN.rawValue, !allowsUnknownStatus {
            throw Failure(
                .state, "unknownStatus", "The status of the operation is one that this version does not know.")
        }
    }
}

/// What may come with an approval, from the members of an option struct.
func makeExtras(
    data: mtoken_text, otp: mtoken_text, type: Int32, received: Int64, _ client: Client
) throws(Failure) -> ApprovalExtras {
    var extras = ApprovalExtras()
    extras.mobileTokenData = try Input.text(data, "mobile_token_data").map { [UInt8]($0.utf8) }
    if let otp = try Input.text(otp, "proximity_otp") {
        extras.proximity = try proximityCheck(otp, type, received, client)
    } else if type != 0 || received != 0 {
        _ = try proximityCheck("", type == 0 ? MTOKEN_PROXIMITY_QR_CODE.rawValue : type, received, client)
    }
    return extras
}

/// - Parameter received: 0: now
func proximityCheck(
    _ otp: String, _ type: Int32, _ received: Int64, _ client: Client
) throws(Failure) -> ProximityCheck {
    guard let type = ProximityCheck.Kind(rawValue: type) else { throw .argument("proximity_source is unknown.") }
    let received = try Input.time(received, "received")
    return ProximityCheck(otp: otp, type: type, received: received == 0 ? client.deviceTime : received)
}

/// The factors that an operation allows (operations.md §5.3).
private func allowedFactors(_ operation: mtoken_operation) -> AllowedFactors {
    var combinations: [Factors] = []
    let mayBePossession = operation.signature_type == MTOKEN_SIGNATURE_TYPE_1FA.rawValue
    guard mayBePossession || operation.signature_type == MTOKEN_SIGNATURE_TYPE_2FA.rawValue else {
        return AllowedFactors([])
    }
    if mayBePossession || operation.variants & MTOKEN_VARIANT_POSSESSION.rawValue != 0 {
        combinations.append(.possession)
    }
    if operation.variants & MTOKEN_VARIANT_POSSESSION_KNOWLEDGE.rawValue != 0 {
        combinations.append(.possessionKnowledge)
    }
    if operation.variants & MTOKEN_VARIANT_POSSESSION_BIOMETRY.rawValue != 0 {
        combinations.append(.possessionBiometry)
    }
    return AllowedFactors(combinations)
}

@_cdecl("mtoken_operations_reject") @implementation
public func mtoken_operations_reject(
    _ client: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_length: Int,
    _ options: UnsafePointer<mtoken_reject_options>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
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
            try client.reject(id: id, reason: reason ?? "UNKNOWN", mobileTokenData: mobileTokenData, task: task)
        }
    }
}
