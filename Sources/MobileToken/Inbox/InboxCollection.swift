import MobileTokenJSON

/// Messages of the inbox, gathered page by page.
///
/// A message that arrives meanwhile moves the others back, so that the same one may be on two pages: it is taken once.
struct InboxCollection {
    let size: Int32
    let onlyUnread: Bool
    private let limit: Int
    private(set) var nextPage: Int32 = 0
    private var messages: [InboxMessage] = []
    /// The places of the messages in `messages`, in the order of their ids.
    private var order: [Int] = []
    private var skipped = 0

    /// - Parameter limit: most messages; 0: no limit
    init(size: Int32, limit: Int32, onlyUnread: Bool) {
        self.size = size
        self.limit = limit == 0 ? .max : Int(limit)
        self.onlyUnread = onlyUnread
    }

    /// What was gathered.
    var page: InboxPage { InboxPage(messages: messages, skippedCount: skipped, servedSize: nil) }

    /// Adds the next page.
    ///
    /// - Returns: whether it was the last one: it is not full, or brings nothing new, or the limit is reached
    mutating func add(_ page: InboxPage) -> Bool {
        let before = messages.count
        for message in page.messages where messages.count < limit { add(message) }
        skipped += page.skippedCount
        nextPage += 1
        let full = min(Int64(size), max(1, page.servedSize ?? Int64(size)))
        return Int64(page.messages.count + page.skippedCount) < full || messages.count == before
            || messages.count == limit || nextPage == .max
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
