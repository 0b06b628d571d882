import Testing

@testable import PowerAuth

@Suite struct TimeSynchronizationTests {
    /// Measures, and checks the answer.
    private func complete(
        _ time: inout TimeSynchronization, _ start: Int64, _ now: Int64, _ serverTime: Int64, _ expected: Bool,
        location: SourceLocation = #_sourceLocation
    ) {
        let result = time.complete(start: start, now: now, serverTime: serverTime)
        #expect(result == expected, sourceLocation: location)
    }

    @Test func rules() {
        var time = TimeSynchronization()
        #expect(!time.isSynchronized && time.adjustment == 0 && time.now(5) == 5)

        // The clock went backwards; the exchange took too long.
        complete(&time, 1000, 999, 5000, false)
        complete(&time, 1000, 17_001, 5000, false)
        #expect(time == TimeSynchronization())

        // A small difference is not corrected: the server's time lies in the middle of the exchange.
        complete(&time, 1000, 2000, 3499, true)
        #expect(time.isSynchronized && time.adjustment == 0 && time.precision == 500)

        // A stable, larger difference keeps everything, the precision too.
        complete(&time, 1000, 1200, 6000, true)
        #expect(time.adjustment == 0 && time.precision == 500)

        // A difference of 10 s is not stable.
        complete(&time, 1000, 3000, 12_000, true)
        #expect(time.adjustment == 10_000 && time.precision == 1000 && time.now(3000) == 13_000)
        complete(&time, 1000, 3000, 12_000 + 9_999, true)
        #expect(time.adjustment == 10_000)
        complete(&time, 1000, 3000, 12_000 + 10_000, true)
        #expect(time.adjustment == 20_000)

        // Too slow: kept as it was, and still synchronised.
        complete(&time, 0, 16_001, 0, true)
        #expect(time.adjustment == 20_000)
        complete(&time, 1, 0, 0, false)
        #expect(time.adjustment == 20_000)

        // Back to a small difference: corrected, since 20 s are not stable.
        complete(&time, 0, 16_000, 8_001, true)
        #expect(time.adjustment == 1 && time.precision == 8000)
        time.reset()
        #expect(time == TimeSynchronization())
    }

    @Test func firstMeasurement() {
        // Two seconds are corrected, less is not.
        for (difference, adjustment): (Int64, Int64) in [
            (1999, 0), (-1999, 0), (2000, 2000), (-2000, -2000), (3_600_000, 3_600_000),
        ] {
            var time = TimeSynchronization()
            complete(&time, 10_000_000, 10_000_000, 10_000_000 + difference, true)
            #expect(time.adjustment == adjustment && time.precision == 0)
        }
    }

    @Test func extremes() {
        let values: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        for start in values {
            for now in values {
                for server in values {
                    var time = TimeSynchronization()
                    _ = time.complete(start: start, now: now, serverTime: server)
                    _ = time.complete(start: start, now: now, serverTime: 0)
                    _ = time.now(now)
                }
            }
        }
        var time = TimeSynchronization()
        complete(&time, 0, 0, .max, true)
        #expect(time.now(1) == 1)
    }
}
