// SPDX-License-Identifier: Apache-2.0
/// A day of the Gregorian calendar, without a time zone.
public struct CivilDate: Equatable, Sendable {
    /// 1 to 9999.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// - Returns: nil when there is no such day
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(of: month, year: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads `YYYYMMDD`, eight ASCII digits.
    package init?(_ text: UnsafeRawBufferPointer) {
        guard text.count == 8 else { return nil }
        var number = 0
        for byte in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number &* 10 &+ Int(byte &- UInt8(ascii: "0"))
        }
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    private static func length(of month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
