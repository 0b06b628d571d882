// SPDX-License-Identifier: Apache-2.0
/// A resource that the operating system refused: a thread, a descriptor.
public struct SystemError: Error, Equatable, Sendable {
    /// The `errno` of the call that failed; 0: there was none.
    package let number: Int32
    /// The missing resource, in English, for developers.
    package let detail: StaticString

    package init(_ number: Int32 = 0, _ detail: StaticString) {
        self.number = number
        self.detail = detail
    }

    /// Two errors of the same number are the same.
    public static func == (a: SystemError, b: SystemError) -> Bool { a.number == b.number }
}
