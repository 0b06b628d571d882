// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMTokenTesting
import MobileTokenC

@_cdecl("mtoken_testing_live_handles") @implementation
public func mtoken_testing_live_handles(_ kind: Int32) -> Int {
    var count = 0
    for (known, live) in Handles.live where kind == known || kind == MTOKEN_TESTING_HANDLES_ALL.rawValue {
        count += live
    }
    return count
}
