// SPDX-License-Identifier: Apache-2.0
import CSystem

/// The states for which a descriptor can be ready.
package struct DescriptorEvents: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Reading does not block.
    package static let readable = DescriptorEvents(rawValue: 1)
    /// Writing does not block.
    package static let writable = DescriptorEvents(rawValue: 2)
    /// An error or hang-up is pending. Always reported, never asked for.
    package static let failed = DescriptorEvents(rawValue: 4)
}

/// A descriptor that a loop watches. Made by `Loop.watch`; to be touched on the loop thread only.
package final class Watcher {
    /// The watched descriptor; it stays the property of who asked for the watch.
    package let descriptor: Int32
    fileprivate var handler: ((DescriptorEvents) -> Void)?

    fileprivate init(descriptor: Int32, handler: @escaping (DescriptorEvents) -> Void) {
        self.descriptor = descriptor
        self.handler = handler
    }
}

/// The epoll instance of one loop and the eventfd that wakes it. All but `wake` is for the loop thread only.
final class Poller {
    private static let capacity = 64

    private let epoll: Int32
    private let wakeUp: Int32
    private let events: UnsafeMutablePointer<epoll_event>
    /// Watchers that were removed while a batch of events is handed out: the rest of the batch may still point to them.
    private var removed: [Watcher] = []
    private var isDispatching = false

    /// - Throws: when the process is out of descriptors.
    convenience init() throws(SystemError) {
        self.init(
            epoll: OwnDescriptors.add(epoll_create1(Int32(EPOLL_CLOEXEC))),
            wakeUp: OwnDescriptors.add(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))))
        guard epoll >= 0, wakeUp >= 0,
            mtoken_epoll_control(epoll, EPOLL_CTL_ADD, wakeUp, mtoken_epoll_in, nil) == 0
        else {
            let error = mtoken_errno()
            throw SystemError(error, "the system could not create an epoll or event descriptor")
        }
    }

    private init(epoll: Int32, wakeUp: Int32) {
        self.epoll = epoll
        self.wakeUp = wakeUp
        events = .allocate(capacity: Self.capacity)
    }

    deinit {
        if epoll >= 0 { OwnDescriptors.close(epoll) }
        if wakeUp >= 0 { OwnDescriptors.close(wakeUp) }
        events.deallocate()
    }

    /// Makes the current or next `poll` return. May be called from any thread.
    func wake() {
        eventfd_write(wakeUp, 1)
    }

    /// Sleeps until a descriptor is ready, `wake` is called or the time is over, and calls the handlers of what is ready.
    ///
    /// - Parameter timeoutMilliseconds: nil waits without limit.
    func poll(timeoutMilliseconds: Int64?) {
        var timeout: Int32 = -1
        if let timeoutMilliseconds { timeout = Int32(clamping: max(0, timeoutMilliseconds)) }
        let count = epoll_wait(epoll, events, Int32(Self.capacity), timeout)
        guard count >= 0 else {
            // Only a host that closes descriptors it does not own gets here with anything but EINTR. Do not spin.
            if mtoken_errno() != EINTR {
                var pause = timespec(milliseconds: min(timeoutMilliseconds ?? 50, 50))
                nanosleep(&pause, nil)
            }
            return
        }
        isDispatching = true
        for index in 0..<count {
            guard let pointer = mtoken_epoll_pointer(events, index) else {
                var value: eventfd_t = 0
                eventfd_read(wakeUp, &value)
                continue
            }
            let watcher = Unmanaged<Watcher>.fromOpaque(pointer).takeUnretainedValue()
            let ready = mtoken_epoll_events(events, index)
            var happened: DescriptorEvents = []
            if ready & mtoken_epoll_in != 0 { happened.insert(.readable) }
            if ready & mtoken_epoll_out != 0 { happened.insert(.writable) }
            if ready & mtoken_epoll_broken != 0 { happened.insert(.failed) }
            if let handler = watcher.handler { handler(happened) }
        }
        isDispatching = false
        removed.removeAll()
    }

    /// Starts to watch a descriptor; nil when the kernel refuses. The caller keeps the watcher until `remove`.
    package func add(
        _ descriptor: Int32, _ events: DescriptorEvents, handler: @escaping (DescriptorEvents) -> Void
    ) -> Watcher? {
        let watcher = Watcher(descriptor: descriptor, handler: handler)
        return control(EPOLL_CTL_ADD, watcher, events) ? watcher : nil
    }

    /// Changes what is waited for.
    func change(_ watcher: Watcher, _ events: DescriptorEvents) -> Bool {
        control(EPOLL_CTL_MOD, watcher, events)
    }

    /// Stops watching. Must come before the descriptor is closed.
    func remove(_ watcher: Watcher) {
        _ = control(EPOLL_CTL_DEL, watcher, [])
        watcher.handler = nil
        if isDispatching { removed.append(watcher) }
    }

    private func control(_ operation: Int32, _ watcher: Watcher, _ events: DescriptorEvents) -> Bool {
        var mask: UInt32 = 0
        if events.contains(.readable) { mask |= mtoken_epoll_in }
        if events.contains(.writable) { mask |= mtoken_epoll_out }
        let pointer = Unmanaged.passUnretained(watcher).toOpaque()
        return mtoken_epoll_control(epoll, operation, watcher.descriptor, mask, pointer) == 0
    }
}
