// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenSystem
import PowerAuth

/// Records which pre-approval screens the user saw, for how long, and how they left them (operations.md §7.2). May be used from
/// any thread.
public final class ScreenRecorder: @unchecked Sendable {
    /// The key of the record within the mobile token data.
    public static let key = "preApprovalScreens"

    private struct Visit {
        let screen: String
        /// Device time in milliseconds since the epoch.
        let opened: Int64
        var closed: Int64?
        var action: String?
    }

    private let activation: Activation
    private let lock = Lock()
    /// The visits that are over, or were left without a word.
    private var visits: [Visit] = []
    private var open: Visit?

    init(_ activation: Activation) { self.activation = activation }

    /// The user sees a screen. Ignored for an empty name and for the screen that is open already; another open one stays
    /// behind, unclosed.
    public func begin(_ screen: String) {
        guard !screen.isEmpty else { return }
        let now = activation.runtime.now
        lock.withLock {
            if let open {
                guard !Self.same(open.screen, screen) else { return }
                visits.append(open)
            }
            open = Visit(screen: screen, opened: now)
        }
    }

    /// The user leaves a screen: the open one, or the last one that stayed behind under this name; else ignored.
    public func end(_ screen: String, action: String) {
        let now = activation.runtime.now
        lock.withLock {
            if var visit = open, Self.same(visit.screen, screen) {
                visit.closed = now
                visit.action = action
                visits.append(visit)
                open = nil
            } else if let index = visits.lastIndex(where: { $0.closed == nil && Self.same($0.screen, screen) }) {
                visits[index].closed = now
                visits[index].action = action
            }
        }
    }

    /// Forgets all visits.
    public func reset() {
        lock.withLock {
            visits = []
            open = nil
        }
    }

    /// The visits as a JSON list, in the server's time as far as it is known. An open one counts as closed now. Changes
    /// nothing: recording continues.
    public func build() -> [UInt8] {
        let now = activation.runtime.now
        let all = lock.withLock { () -> [Visit] in
            guard var last = open else { return visits }
            last.closed = now
            return visits + [last]
        }
        let time = activation.lock.withLock { activation.time }
        var writer = JSONWriter()
        writer.beginArray()
        for visit in all {
            writer.beginObject()
            writer.key("screen")
            writer.value(visit.screen)
            if let text = InstantText.format(time.now(visit.opened)) {
                writer.key("timestampOpened")
                writer.value(text)
            }
            if let closed = visit.closed, let text = InstantText.format(time.now(closed)) {
                writer.key("timestampClosed")
                writer.value(text)
            }
            if let action = visit.action {
                writer.key("action")
                writer.value(action)
            }
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes
    }

    private static func same(_ one: String, _ other: String) -> Bool { sameBytes(one, other) }
}

extension Operations {
    /// A recorder of the screens before an approval, by the server's time as far as it is known.
    public func screenRecorder() -> ScreenRecorder { ScreenRecorder(activation) }
}
