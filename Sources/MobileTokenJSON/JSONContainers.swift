/// Where the arrays and objects of a text stand, so that they can be skipped without being read again.
///
/// Does not retain: the owner of the text owns this too.
struct JSONContainers {
    /// One array or object: offset of its first bracket, and of what follows the last one (0 if it is never closed).
    struct Container {
        let start: UInt32
        var end: UInt32
    }

    /// The text.
    let text: UnsafeRawBufferPointer
    /// In the order in which they begin.
    let list: UnsafeBufferPointer<Container>

    /// The end of the array or object whose first bracket stands at a place; `nil` if none is known to begin there.
    func end(of place: UnsafeRawPointer) -> UnsafeRawPointer? {
        guard let base = text.baseAddress else { return nil }
        let start = place - base
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low &+ high) / 2
            if Int(list[middle].start) < start { low = middle &+ 1 } else { high = middle }
        }
        guard low < list.count, Int(list[low].start) == start, list[low].end > 0 else { return nil }
        return base + Int(list[low].end)
    }

    /// What one pass over a text tells.
    struct Survey {
        /// In the order in which they begin.
        var containers: [Container] = []
        /// Where the nesting gets deeper than allowed; nothing after it was looked at.
        var tooDeep: Int?
        /// How many values there are, at most.
        var values = 1
        /// Where a value stands, or will be found missing, that is one too many; nothing after it was looked at.
        var tooMany: Int?
        /// Whether a string may hold U+0000, that is: whether `\u0000` occurs in one.
        var mayHoldNUL = false
    }

    /// Goes over a text that may or may not be JSON, in one pass. Stops where the text cannot be JSON any more.
    ///
    /// Values are counted by what stands between them: one at the top, one behind the first bracket of each container that
    /// has any, one behind each comma. So no more of a tree is ever built than was counted here.
    static func survey(_ text: UnsafeRawBufferPointer, maximumDepth: Int, maximumValues: Int) -> Survey {
        let limit = max(0, maximumDepth)
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: limit &+ 1) { open in
            survey(text, limit, max(0, maximumValues), open)
        }
    }

    /// - Parameter open: room for the positions in the list of all containers that are not closed.
    private static func survey(
        _ text: UnsafeRawBufferPointer, _ limit: Int, _ maximumValues: Int, _ open: UnsafeMutableBufferPointer<Int>
    ) -> Survey {
        var survey = Survey()
        survey.containers.reserveCapacity(8 &+ min(text.count / 64, maximumValues))
        let scanner = JSONScanner(text)
        var depth = 0
        var index = 0
        while let byte = scanner.byte(at: index) {
            switch byte {
            case 0x22:
                guard let quote = scanner.endOfString(index &+ 1, escapedNUL: &survey.mayHoldNUL) else { return survey }
                index = quote
            case 0x7B, 0x5B:
                guard depth < limit else {
                    survey.tooDeep = index
                    return survey
                }
                open.initializeElement(at: depth, to: survey.containers.count)
                depth &+= 1
                survey.containers.append(Container(start: UInt32(truncatingIfNeeded: index), end: 0))
                let first = scanner.byte(at: scanner.skipSpace(index &+ 1))
                if first != 0x7D, first != 0x5D { survey.values &+= 1 }
            case 0x2C:
                survey.values &+= 1
            case 0x7D, 0x5D:
                guard depth > 0 else { return survey }
                depth &-= 1
                survey.containers[open[depth]].end = UInt32(truncatingIfNeeded: index &+ 1)
            default:
                break
            }
            guard survey.values <= maximumValues else {
                survey.tooMany = index
                return survey
            }
            index &+= 1
        }
        return survey
    }
}
