// SPDX-License-Identifier: Apache-2.0
extension Runtime {
    /// Starts the thread. One runtime serves all clients of a process.
    public convenience init(options: Options = Options()) throws(Failure) {
        try self.init(options: options, environment: .system)
    }

    /// Takes the oldest event.
    ///
    /// - Parameter milliseconds: the longest wait; nil: no limit; 0: do not wait
    /// - Returns: nil after a timeout, or when the wait was interrupted
    /// - Throws: `state` when the runtime was stopped
    public func nextEvent(milliseconds: Int64?) throws(Failure) -> Event? {
        switch events.next(milliseconds: milliseconds) {
        case .event(let event): return event
        case .timedOut, .interrupted: return nil
        case .closed: throw .state("The runtime was stopped.")
        }
    }

    /// A descriptor that is readable while an event is queued, for the host's own loop. Do not read or close it.
    public var eventDescriptor: Int32 { events.descriptor }
}
