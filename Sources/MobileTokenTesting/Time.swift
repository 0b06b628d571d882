// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CMTokenTesting
import MobileToken
import MobileTokenC
import MobileTokenSystem

@_cdecl("mtoken_testing_advance") @implementation
public func mtoken_testing_advance(
    _ runtime: OpaquePointer!, _ milliseconds: Int64,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let bench = try testRandom(runtime).bench
        let span = try timeSpan(milliseconds)
        for now in [bench.time.wallMilliseconds(), bench.time.monotonicMilliseconds()]
        where now.addingReportingOverflow(span).overflow {
            throw .argument("The clock cannot go so far.")
        }
        switch bench.clock {
        case .system: throw .deviceClock
        case .wall(let clock): clock.advance(span)
        case .manual(let loop):
            loop.advance(milliseconds: span)
            loop.runUntilIdle()
        }
    }
}

@_cdecl("mtoken_testing_sleep") @implementation
public func mtoken_testing_sleep(
    _ runtime: OpaquePointer!, _ milliseconds: Int64,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let bench = try testRandom(runtime).bench
        let span = try timeSpan(milliseconds)
        guard case .manual(let loop) = bench.clock else { throw .deviceClock }
        loop.manualTime.sleep(milliseconds: span)
    }
}

@_cdecl("mtoken_testing_set_wall") @implementation
public func mtoken_testing_set_wall(
    _ runtime: OpaquePointer!, _ milliseconds: Int64,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        switch try testRandom(runtime).bench.clock {
        case .system: throw .deviceClock
        case .wall(let clock): clock.set(milliseconds)
        case .manual(let loop): loop.manualTime.setWall(milliseconds: milliseconds)
        }
    }
}

@_cdecl("mtoken_testing_clocks") @implementation
public func mtoken_testing_clocks(
    _ runtime: OpaquePointer!, _ out_wall: UnsafeMutablePointer<Int64>!, _ out_monotonic: UnsafeMutablePointer<Int64>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    out_wall?.pointee = 0
    out_monotonic?.pointee = 0
    return report(out_error) { () throws(Failure) in
        let time = try testRandom(runtime).bench.time
        out_wall?.pointee = time.wallMilliseconds()
        out_monotonic?.pointee = time.monotonicMilliseconds()
    }
}

extension Failure {
    fileprivate static var deviceClock: Failure { .state("The runtime follows the device's clock.") }
}
