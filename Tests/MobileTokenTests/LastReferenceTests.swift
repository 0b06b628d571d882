import Dispatch
import MobileTokenSystem
import Testing

@testable import MobileToken

/// Who gives up the last reference to a runtime may be its own thread: whatever ran there last had one.
struct LastReferenceTests {
    private final class Kept: @unchecked Sendable { var runtime: Runtime? }

    @Test func theLastReferenceMayGoOnTheLoopThread() throws {
        let kept = Kept()
        let gone = DispatchSemaphore(value: 0)
        kept.runtime = try Runtime()
        let loop = try #require(kept.runtime?.loop)
        #expect(loop.post { kept.runtime = nil })
        #expect(loop.post { gone.signal() })
        gone.wait()
        #expect(loop.isOfThisProcess)
    }
}
