// SPDX-License-Identifier: Apache-2.0
/// First in, first out, at amortised constant cost.
package struct Queue<Element> {
    private var items: [Element?] = []
    private var head = 0

    package init() {}

    package var count: Int { items.count - head }
    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ element: Element) {
        items.append(element)
    }

    package mutating func popFirst() -> Element? {
        guard head < items.count else { return nil }
        let element = items[head]
        items[head] = nil
        head += 1
        if head == items.count {
            items.removeAll(keepingCapacity: items.capacity <= 1024)
            head = 0
        } else if head >= 1024, head * 2 > items.count {
            items.removeFirst(head)
            head = 0
        }
        return element
    }
}
