// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenCrypto
import MobileTokenSystem

/// One connection of a browser: reads the head of one request, writes one page, and closes. On the loop thread.
final class LoopbackConnection: @unchecked Sendable {
    private static let maximumHead = 16 << 10

    private let socket: Int32
    private let loop: Loop
    private let owner: LoopbackReceiver
    private var watcher: Watcher?
    private var timer: LoopTimer?
    private let head = SecureBytes(count: maximumHead)
    private var received = 0
    private var answer: [UInt8] = []
    private var sent = 0
    private var isOpen = true

    /// nil: the socket cannot be watched; it is still open then.
    convenience init?(_ socket: Int32, loop: Loop, time: Int64, owner: LoopbackReceiver) {
        self.init(socket, loop, owner)
        guard let watcher = loop.watch(socket, .readable, handler: { [self] _ in proceed() }) else { return nil }
        self.watcher = watcher
        timer = loop.schedule(afterMilliseconds: time) { [self] in finish() }
    }

    private init(_ socket: Int32, _ loop: Loop, _ owner: LoopbackReceiver) {
        self.socket = socket
        self.loop = loop
        self.owner = owner
    }

    /// How much a connection matters when there are too many.
    enum Progress: Int {
        /// Nothing came yet: browsers open some that they never use.
        case idle
        /// The request is not complete.
        case reading
        /// Its page is on the way.
        case answering
    }

    var progress: Progress { answer.isEmpty ? (received == 0 ? .idle : .reading) : .answering }

    /// Closes without telling the owner.
    func close() {
        guard isOpen else { return }
        isOpen = false
        if let timer { loop.cancel(timer) }
        timer = nil
        if let watcher { loop.unwatch(watcher) }
        watcher = nil
        OwnDescriptors.close(socket)
    }

    private func finish() {
        guard isOpen else { return }
        close()
        owner.closed(self)
    }

    private func proceed() {
        if answer.isEmpty { read() }
        if !answer.isEmpty { write() }
    }

    private func read() {
        let (count, isComplete) = head.withMutableBytes { buffer in
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[received...])
            let count = recv(socket, room.baseAddress, room.count, 0)
            guard count > 0 else { return (count, false) }
            let all = UnsafeRawBufferPointer(rebasing: buffer[..<(received + count)])
            return (count, all.suffix(4).elementsEqual([13, 10, 13, 10]))
        }
        guard count > 0 else {
            if count == 0 || (mtoken_errno() != EAGAIN && mtoken_errno() != EINTR) { finish() }
            return
        }
        received += count
        if isComplete {
            answer = page().bytes
        } else if received == Self.maximumHead {
            answer = LoopbackPage.refused.bytes
        }
        if !answer.isEmpty, let watcher { loop.change(watcher, .writable) }
    }

    private func write() {
        let count = answer.withUnsafeBytes { bytes in
            mtoken_send(socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        }
        if count < 0 {
            if mtoken_errno() != EAGAIN && mtoken_errno() != EINTR { finish() }
            return
        }
        sent += count
        if sent == answer.count { finish() }
    }

    /// The page for the request that was read: `GET path HTTP/1.x` with one Host.
    private func page() -> LoopbackPage {
        head.withBytes { buffer in
            let text = buffer[..<received]
            guard let end = text.firstIndex(of: 13) else { return .refused }
            let words = text[..<end].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                .map { UnsafeRawBufferPointer(rebasing: $0) }
            guard words.count == 3, sameBytes(words[0], "GET"), words[1].first == UInt8(ascii: "/"),
                sameBytes(words[2], "HTTP/1.1") || sameBytes(words[2], "HTTP/1.0")
            else { return .refused }
            guard let host = Self.host(text[end...]) else { return .refused }
            // A browser never sends a fragment: a request with one does not come from a browser.
            guard !words[1].contains(UInt8(ascii: "#")) else { return .refused }
            let target = SecureBytes(copying: words[1])
            return owner.page(for: target, host: host, on: self)
        }
    }

    /// The value of the one Host field: pages that were opened under another name are not ours (DNS rebinding).
    private static func host(_ fields: Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
        var found: [UInt8]?
        for line in fields.split(separator: 10) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                ASCII.equalIgnoringCase(line[..<colon], "host".utf8)
            else { continue }
            guard found == nil else { return nil }
            found = line[(colon + 1)...].filter { $0 > 0x20 }.map(ASCII.lowercased)
        }
        return found
    }
}

/// The page that the browser shows at the end.
enum LoopbackPage {
    /// The answer was right.
    case done
    /// The provider answered with an error.
    case failed
    /// Nothing that this request waits for.
    case refused
    case notFound
    /// The answer is there already.
    case gone
    /// The request was meant for another host.
    case elsewhere

    private var parts: (status: StaticString, text: StaticString) {
        switch self {
        case .done: ("200 OK", "You are logged in. Close this window and return to the app.")
        case .failed: ("200 OK", "The login failed. Close this window and return to the app.")
        case .refused: ("400 Bad Request", "This is not the response to a login started here.")
        case .notFound: ("404 Not Found", "This page does not exist.")
        case .gone: ("410 Gone", "The login has ended. Close this window.")
        case .elsewhere: ("421 Misdirected Request", "This host name is not served here.")
        }
    }

    /// The whole answer. Nothing of the request comes back in it.
    var bytes: [UInt8] {
        let (status, text) = parts
        let page =
            "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Login</title>"
            + "<p style=\"font:1.2em sans-serif;margin:3em\">\(text)</p></html>\n"
        let head =
            "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(page.utf8.count)\r\n"
            + "Connection: close\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
            + "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
            + "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n\r\n"
        return [UInt8]((head + page).utf8)
    }
}
