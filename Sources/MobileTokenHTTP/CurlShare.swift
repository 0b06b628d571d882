// SPDX-License-Identifier: Apache-2.0
import CCurl
import MobileTokenSystem

/// The connections of one `ConnectionScope`. Loop thread only.
final class CurlShare {
    let handle: OpaquePointer
    /// Transfers under way.
    var users = 0
    /// Kept, so that no other scope has its identity.
    private let scope: ConnectionScope

    /// Nil when memory is out.
    convenience init?(_ scope: ConnectionScope) {
        guard let handle = curl_share_init() else { return nil }
        self.init(adopting: OpaquePointer(handle), scope)
        guard ForkGate.pass({ mtoken_share_set_connections(handle) }) == CURLSHE_OK else { return nil }
    }

    private init(adopting handle: OpaquePointer, _ scope: ConnectionScope) {
        self.handle = handle
        self.scope = scope
    }

    deinit { _ = ForkGate.pass { curl_share_cleanup(UnsafeMutableRawPointer(handle)) } }
}
