// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import PowerAuth

extension Arena {
    func put(_ info: UserInfo) -> UnsafePointer<mtoken_user_info> {
        func claim(_ name: StaticString) -> UnsafePointer<CChar>? { text(info.text(name)) }
        let json = info.json
        return put(
            mtoken_user_info(
                sub: claim("sub"), name: claim("name"), given_name: claim("given_name"),
                family_name: claim("family_name"), middle_name: claim("middle_name"), nickname: claim("nickname"),
                preferred_username: claim("preferred_username"), profile: claim("profile"), picture: claim("picture"),
                website: claim("website"), email: claim("email"),
                is_email_verified: info.flag("email_verified") ? 1 : 0,
                gender: claim("gender"), birthdate: text(info.birthdate), zoneinfo: claim("zoneinfo"),
                locale: claim("locale"), phone_number: claim("phone_number"),
                is_phone_number_verified: info.flag("phone_number_verified") ? 1 : 0,
                address: info.address.map { put(address: $0) }, has_updated_at: info.updated == nil ? 0 : 1,
                updated_at: info.updated ?? 0, json: text(json), json_length: json.count))
    }

    private func put(address: JSONValue) -> UnsafePointer<mtoken_user_address> {
        func line(_ name: StaticString) -> UnsafePointer<CChar>? {
            address[name]?.text.map { text(UserInfo.lines($0)) }
        }
        return put(
            mtoken_user_address(
                formatted: line("formatted"), street_address: line("street_address"), locality: line("locality"),
                region: line("region"), postal_code: line("postal_code"), country: line("country")))
    }
}

@_cdecl("mtoken_client_fetch_user_info") @implementation
public func mtoken_client_fetch_user_info(
    _ client: OpaquePointer!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in try client.fetchUserInfo(task: task) }
    }
}

@_cdecl("mtoken_task_user_info") @implementation
public func mtoken_task_user_info(_ task: OpaquePointer!) -> UnsafePointer<mtoken_user_info>! {
    let held = Handles.tasks[task]
    let info: UserInfo?
    switch held?.task.result {
    case .userInfo(let claims): info = claims
    // An activation brings them too.
    case .activation(let activation): info = activation.userInfo.flatMap { UserInfo(json: $0) }
    default: info = nil
    }
    guard let held, let info else { return nil }
    return held.part(.claims) { $0.put(info) }
}
