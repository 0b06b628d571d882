// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CMTokenTesting
import MobileToken
import MobileTokenC
import MobileTokenSystem

@_cdecl("mtoken_testing_runtime_new") @implementation
public func mtoken_testing_runtime_new(
    _ options: UnsafePointer<mtoken_runtime_options>!, _ testing: UnsafePointer<mtoken_testing_options>!,
    _ out_runtime: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_runtime, "out_runtime")
        let testing = try Input.options(testing, "testing")
        guard let iterations = UInt32(exactly: testing.pin_iterations) else {
            throw .argument("pin_iterations is negative.")
        }
        let seed: UInt64?
        switch testing.random {
        case MTOKEN_TESTING_RANDOM_SYSTEM.rawValue: seed = nil
        case MTOKEN_TESTING_RANDOM_SEEDED.rawValue: seed = testing.seed
        default: throw .argument("random is unknown.")
        }
        let bench = Bench(clock: try makeClock(testing), source: try makeSource(testing))
        out.pointee = try makeRuntime(options, environment: bench.environment(seed: seed, iterations: iterations))
    }
}

private func makeClock(_ options: mtoken_testing_options) throws(Failure) -> Bench.Clock {
    switch options.clock {
    case MTOKEN_TESTING_CLOCK_SYSTEM.rawValue: return .system(TimeSource())
    case MTOKEN_TESTING_CLOCK_WALL.rawValue: return .wall(WallClock(wall: options.wall))
    case MTOKEN_TESTING_CLOCK_MANUAL.rawValue:
        guard
            options.transport == MTOKEN_TESTING_TRANSPORT_SCRIPTED.rawValue
                || options.transport == MTOKEN_TESTING_TRANSPORT_REPLAY.rawValue
        else { throw .argument("The network does not work with a manual clock.") }
        return .manual(ManualLoop(time: ManualTime(wallMilliseconds: options.wall)))
    default: throw .argument("clock is unknown.")
    }
}

private func makeSource(_ options: mtoken_testing_options) throws(Failure) -> Bench.Source {
    let file = try Input.text(options.file, "file")
    switch options.transport {
    case MTOKEN_TESTING_TRANSPORT_RECORD.rawValue, MTOKEN_TESTING_TRANSPORT_REPLAY.rawValue:
        guard let file, !file.isEmpty else { throw .argument("A recording needs a file.") }
        return options.transport == MTOKEN_TESTING_TRANSPORT_RECORD.rawValue
            ? .network(try TapeRecorder(path: file)) : .tape(try TapePlayer(path: file))
    case MTOKEN_TESTING_TRANSPORT_SCRIPTED.rawValue, MTOKEN_TESTING_TRANSPORT_NETWORK.rawValue:
        guard file == nil else { throw .argument("file goes with a recording only.") }
        return options.transport == MTOKEN_TESTING_TRANSPORT_NETWORK.rawValue ? .network(nil) : .nobody
    default: throw .argument("transport is unknown.")
    }
}

/// The randomness of a runtime that was made for a test, and with it the rest of its world.
func testRandom(_ handle: OpaquePointer?) throws(Failure) -> TestRandom {
    guard let random = Handles.runtimes[handle]?.environment.random as? TestRandom else {
        throw .unusable(handle, "runtime")
    }
    return random
}

/// The transport of a runtime that was made for a test.
func testTransport(_ handle: OpaquePointer?) throws(Failure) -> TestTransport {
    guard let transport = try testRandom(handle).bench.transport else { throw .unusable(handle, "runtime") }
    return transport
}

/// Checks a number of calls from now on.
func callNumber(_ nth: Int) throws(Failure) -> Int {
    guard nth >= 0 else { throw .argument("nth is too large.") }
    return nth
}

/// Checks a time span.
func timeSpan(_ milliseconds: Int64) throws(Failure) -> Int64 {
    guard milliseconds >= 0 else { throw .argument("A time span is negative.") }
    return milliseconds
}
