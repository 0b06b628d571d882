/// A C struct that begins with `struct_size`.
package protocol HostOptions {
    /// All zero.
    init()

    /// The smallest size that is accepted.
    static var firstSize: Int { get }
}

/// One of the interface, not of the testing library.
package protocol KnownOptions: HostOptions {
    static var kind: OptionStruct { get }
}

extension KnownOptions {
    package static var firstSize: Int { kind.firstSize }
}

extension OptionStruct {
    package var name: StaticString { first.name }

    /// The smallest size that is accepted.
    package var firstSize: Int {
        let pretended = Self.pretended
        return rawValue < pretended.count && pretended[rawValue] > 0 ? pretended[rawValue] : first.size
    }

    /// What a test says instead of the true sizes; 0: nothing.
    nonisolated(unsafe) private static var pretended: [Int] = []

    /// Pretends that the first version ended the struct elsewhere. For tests, while nothing else is called.
    ///
    /// - Parameter size: 0: the truth again
    package func pretend(firstSize size: Int) {
        if Self.pretended.isEmpty { Self.pretended = [Int](repeating: 0, count: Self.allCases.count) }
        Self.pretended[rawValue] = size
    }
}
