// SPDX-License-Identifier: Apache-2.0
import MobileToken
import MobileTokenHTTP
import MobileTokenSystem

/// The world of one runtime under test: its clock, its loop and its transport. It is found through the runtime's
/// randomness (`TestRandom`), which is part of it.
final class Bench: @unchecked Sendable {
    enum Clock {
        case system(TimeSource)
        case wall(WallClock)
        case manual(ManualLoop)
    }

    /// Answers requests that the test has no answer for.
    enum Source {
        case nobody
        case network(TapeRecorder?)
        case tape(TapePlayer)
    }

    let clock: Clock
    private let source: Source
    private(set) var transport: TestTransport?

    init(clock: Clock, source: Source) {
        self.clock = clock
        self.source = source
    }

    var time: TimeSource {
        switch clock {
        case .system(let time): time
        case .wall(let time): time
        case .manual(let loop): loop.manualTime
        }
    }

    /// The dependencies of a runtime with this bench.
    ///
    /// - Parameter iterations: of a new PIN; 0: as many as without a bench
    func environment(seed: UInt64?, iterations: UInt32) -> Environment {
        var environment = Environment(
            time: time, random: TestRandom(bench: self, seed: seed),
            makeLoop: { [self] (time) throws(SystemError) in
                if case .manual(let loop) = clock { return loop }
                return try Loop(time: time)
            },
            makeTransport: { [self] (loop, maximumTransfers) throws(TransportError) in
                let transport = try makeTransport(loop, maximumTransfers)
                self.transport = transport
                return transport
            })
        if iterations > 0 { environment.iterations = iterations }
        return environment
    }

    private func makeTransport(_ loop: Loop, _ maximumTransfers: Int) throws(TransportError) -> TestTransport {
        let transport = TestTransport(loop: loop)
        switch source {
        case .nobody: break
        case .tape(let tape): transport.player = tape
        case .network(let recorder):
            var options = TransportOptions()
            options.maximumConcurrentTransfers = maximumTransfers
            transport.network = try CurlTransport(loop: loop, options: options)
            transport.recorder = recorder
        }
        return transport
    }
}
