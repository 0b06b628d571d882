import MobileTokenJSON

/// The slices of an array in a text, found when they are asked for, in ascending order.
struct RawList {
    private let locate: () -> RawJSON?
    private var elements: RawJSON.Elements?
    private var index = 0

    /// - Parameter locate: finds the array; called at most once.
    init(_ locate: @escaping () -> RawJSON?) {
        self.locate = locate
    }

    /// The element at a position that is not before one asked for earlier; `nil` if there is none.
    mutating func element(_ position: Int) -> RawJSON? {
        var iterator = elements ?? locate()?.elements
        while index < position {
            guard iterator?.next() != nil else { return nil }
            index &+= 1
        }
        let slice = iterator?.next()
        index &+= 1
        elements = iterator
        return slice
    }
}
