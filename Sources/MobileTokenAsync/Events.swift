// SPDX-License-Identifier: Apache-2.0
@preconcurrency import Dispatch
import Glibc
import MobileToken

/// The events of a runtime, each given once: iterate in one place. Ends when the runtime is stopped or the iterating task is
/// cancelled.
public struct Events: AsyncSequence, Sendable {
    /// The element type.
    public typealias Element = Event
    /// Reading events does not fail.
    public typealias Failure = Never

    private let stream: AsyncStream<Event>

    init(_ runtime: Runtime) {
        stream = AsyncStream { continuation in
            // The descriptor is the runtime's; a copy may be watched as long as the source lives.
            let descriptor = dup(runtime.eventDescriptor)
            let source = DispatchSource.makeReadSource(
                fileDescriptor: descriptor, queue: DispatchQueue(label: "mobile-token-events"))
            source.setEventHandler {
                do throws(MobileToken.Failure) {
                    while let event = try runtime.nextEvent(milliseconds: 0) { continuation.yield(event) }
                } catch {
                    continuation.finish()
                    source.cancel()
                }
            }
            source.setCancelHandler { close(descriptor) }
            continuation.onTermination = { _ in source.cancel() }
            source.resume()
        }
    }

    /// Iterates over what comes.
    public func makeAsyncIterator() -> AsyncStream<Event>.Iterator { stream.makeAsyncIterator() }
}

extension Runtime {
    /// The events, as they happen.
    public var eventSequence: Events { Events(self) }
}
