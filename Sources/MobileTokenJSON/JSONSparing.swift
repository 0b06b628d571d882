/// Reading a text of which one element may be broken.
extension JSONDocument {
    /// Reads a text whose top object has a list under `name`. An element of that list that cannot be read (it has a name
    /// twice, is nested too deep, is not UTF-8, …) does not take the others with it: it reads as null.
    ///
    /// Only what lies within one element is forgiven: with those elements taken out, the text is read as strictly as any.
    ///
    /// - Returns: the document, and the positions of such elements, ascending
    /// - Throws: the error of the text as a whole
    package static func parsing(
        _ text: UnsafeRawBufferPointer, sparing name: StaticString, limits: JSONLimits = .default
    ) throws(JSONError) -> (document: JSONDocument, unreadable: [Int]) {
        do throws(JSONError) {
            return (try JSONDocument(parsing: text, limits: limits), [])
        } catch {
            guard error.reason != .tooLarge, error.reason != .tooManyValues, error.reason != .outOfMemory,
                let rescued = rescue(text, sparing: name, limits: limits)
            else { throw error }
            return rescued
        }
    }

    private static func rescue(
        _ text: UnsafeRawBufferPointer, sparing name: StaticString, limits: JSONLimits
    ) -> (JSONDocument, [Int])? {
        guard let base = text.baseAddress, let list = RawJSON(text).member(name), list.kind == .array else {
            return nil
        }
        // An element stands below the top object and its list.
        let own = JSONLimits(
            maximumSize: limits.maximumSize, maximumDepth: limits.maximumDepth &- 2, allowsAnyTopLevel: true)
        let whole = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
        defer { whole.deallocate() }
        whole.copyMemory(from: text)
        var unreadable: [Int] = []
        for (index, element) in list.elements.enumerated() {
            do throws(JSONError) {
                _ = try JSONDocument(parsing: element.bytes, limits: own)
            } catch {
                guard error.reason != .outOfMemory, let start = element.bytes.baseAddress,
                    blank(whole, from: start - base, count: element.bytes.count)
                else { return nil }
                unreadable.append(index)
            }
        }
        guard !unreadable.isEmpty,
            let document = try? JSONDocument(parsing: UnsafeRawBufferPointer(whole), limits: limits)
        else { return nil }
        return (document, unreadable)
    }

    /// Writes null, and spaces behind it, over a value. `false` if it is too short for that.
    private static func blank(_ text: UnsafeMutableRawBufferPointer, from start: Int, count: Int) -> Bool {
        let null: [UInt8] = [0x6E, 0x75, 0x6C, 0x6C]
        guard count >= null.count, start >= 0, start &+ count <= text.count else { return false }
        for offset in 0..<count { text[start &+ offset] = offset < null.count ? null[offset] : 0x20 }
        return true
    }
}
