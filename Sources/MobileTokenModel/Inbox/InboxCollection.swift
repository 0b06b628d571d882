// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// Messages of the inbox, gathered page by page.
///
/// A message that arrives meanwhile moves the others back, so that the same one may be on two pages: it is taken once.
///
/// Each message keeps the reply that it came in. So all of them together are bounded, whatever the host asks for.
package struct InboxCollection {
    /// The most messages.
    static let maximumCount = 10_000
    /// The most bytes and values of the replies that they came in.
    static let maximumBytes = 8 << 20
    static let maximumValues = 100_000

    package let size: Int32
    package let onlyUnread: Bool
    private let limit: Int
    package private(set) var nextPage: Int32 = 0
    private var messages: [InboxMessage] = []
    /// The places of the messages in `messages`, in the order of their ids.
    private var order: [Int] = []
    private var skipped = 0
    private var bytes = 0
    private var values = 0
    private var isCut = false

    /// - Parameter limit: most messages; 0: as many as are possible
    package init(size: Int32, limit: Int32, onlyUnread: Bool) {
        self.size = size
        self.limit = limit == 0 ? Self.maximumCount : min(Int(limit), Self.maximumCount)
        self.onlyUnread = onlyUnread
    }

    /// The collected messages.
    package var page: InboxPage {
        InboxPage(messages: messages, skippedCount: skipped, servedSize: nil, isCut: isCut)
    }

    /// Adds the next page.
    ///
    /// - Returns: whether it was the last one: it is not full, or brings nothing new, or a limit is reached
    package mutating func add(_ page: InboxPage) -> Bool {
        // The first page is taken whatever it weighs: that is bounded too.
        let isTooMuch =
            nextPage > 0
            && (bytes + page.weight.bytes > Self.maximumBytes || values + page.weight.values > Self.maximumValues)
        guard !isTooMuch else {
            isCut = true
            return true
        }
        let before = messages.count
        var isLeftOut = false
        for message in page.messages {
            if messages.count < limit { add(message) } else { isLeftOut = true }
        }
        skipped += page.skippedCount
        bytes += page.weight.bytes
        values += page.weight.values
        nextPage += 1
        let full = min(Int64(size), max(1, page.servedSize ?? Int64(size)))
        let isShort = Int64(page.messages.count + page.skippedCount) < full
        isCut = isLeftOut || (messages.count == limit && !isShort)
        return isShort || messages.count == before || messages.count == limit || nextPage == .max
    }

    /// Adds a message unless it is there already.
    private mutating func add(_ message: InboxMessage) {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = low + (high - low) / 2
            let comparison = messages[order[middle]].id.compare(message.id)
            if comparison == 0 { return }
            if comparison < 0 { low = middle + 1 } else { high = middle }
        }
        order.insert(messages.count, at: low)
        messages.append(message)
    }
}
