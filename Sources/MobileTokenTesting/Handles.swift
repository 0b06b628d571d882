// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMTokenTesting
import MobileTokenC

@_cdecl("mtoken_testing_live_handles") @implementation
public func mtoken_testing_live_handles(_ kind: Int32) -> Int {
    let live = Handles.live
    return switch kind {
    case MTOKEN_TESTING_HANDLES_ALL:
        live.runtimes + live.clients + live.stores + live.tasks + live.events + live.watchers
    case MTOKEN_TESTING_HANDLES_RUNTIME: live.runtimes
    case MTOKEN_TESTING_HANDLES_CLIENT: live.clients
    case MTOKEN_TESTING_HANDLES_STORE: live.stores
    case MTOKEN_TESTING_HANDLES_TASK: live.tasks
    case MTOKEN_TESTING_HANDLES_EVENT: live.events
    case MTOKEN_TESTING_HANDLES_WATCHER: live.watchers
    default: 0
    }
}
