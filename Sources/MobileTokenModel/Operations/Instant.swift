// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// Points in time as servers write them (operations.md §5.4), read into milliseconds since the Unix epoch, UTC.
///
/// - Text: `YYYY-MM-DDTHH:MM:SS[.f…](Z|±HH[:]MM)`, a real date of the proleptic Gregorian calendar. A missing zone,
///   second 60 and hour 24 are refused. Digits of the fraction after the third are cut off.
/// - Number: integer milliseconds.
///
/// Both only within the years 0000…9999, so that later arithmetic with them cannot overflow.
public enum Instant {
    /// 0000-01-01T00:00:00Z … 9999-12-31T23:59:59.999Z
    private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// The instant of a JSON text or integer; `nil` if it is not one.
    static func milliseconds(_ node: JSONNode) -> Int64? {
        if let bytes = node.stringBytes { return milliseconds(UnsafeRawBufferPointer(bytes)) }
        guard let number = node.int64, range.contains(number) else { return nil }
        return number
    }

    /// The instant of a text; `nil` if it is not one.
    public static func milliseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        var reader = Reader(text: text)
        guard let year = reader.digits(4), reader.skip("-"),
            let month = reader.digits(2), 1...12 ~= month, reader.skip("-"),
            let day = reader.digits(2), day >= 1, day <= days(in: month, of: year), reader.skip("T"),
            let hour = reader.digits(2), hour < 24, reader.skip(":"),
            let minute = reader.digits(2), minute < 60, reader.skip(":"),
            let second = reader.digits(2), second < 60,
            let fraction = reader.fraction(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        // All factors are small: at most 9999 years.
        let seconds = ((daysSinceEpoch(year, month, day) &* 24 &+ hour) &* 60 &+ minute &- offset) &* 60 &+ second
        let instant = seconds &* 1000 &+ fraction
        return range.contains(instant) ? instant : nil
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 to a date of the years 0…9999. Counts years from March, so that the leap day is the last one.
    private static func daysSinceEpoch(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year &- 1
        let marchMonth = month > 2 ? month &- 3 : month &+ 9
        let dayOfYear = (marchMonth &* 153 &+ 2) / 5 &+ day &- 1
        // 400 years more keep the divisions positive for January and February of the year 0; they are 146,097 days.
        let shifted = marchYear &+ 400
        let leapDays = shifted / 4 &- shifted / 100 &+ shifted / 400
        return shifted &* 365 &+ leapDays &+ dayOfYear &- 146_097 &- 719_468
    }

    /// Goes through a text from left to right.
    private struct Reader {
        let text: UnsafeRawBufferPointer
        var position = 0

        var isAtEnd: Bool { position == text.count }

        private var next: UInt8? { position < text.count ? text[position] : nil }

        /// A number of exactly so many digits.
        mutating func digits(_ count: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<count {
                guard let byte = next, 0x30...0x39 ~= byte else { return nil }
                value = value &* 10 &+ Int64(byte &- 0x30)
                position &+= 1
            }
            return value
        }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard let byte = next, UInt32(byte) == character.value else { return false }
            position &+= 1
            return true
        }

        /// Milliseconds of `.f…`; 0 without a point, `nil` for a point without digits.
        mutating func fraction() -> Int64? {
            guard skip(".") else { return 0 }
            guard var value = digits(1) else { return nil }
            var count = 1
            while let digit = digits(1) {
                if count < 3 { value = value &* 10 &+ digit }
                count &+= 1
            }
            while count < 3 {
                value = value &* 10
                count &+= 1
            }
            return value
        }

        /// Minutes east of Greenwich of `Z`, `±HHMM` or `±HH:MM`.
        package mutating func offset() -> Int64? {
            if skip("Z") { return 0 }
            let west = skip("-")
            guard west || skip("+"), let hours = digits(2), hours < 24 else { return nil }
            _ = skip(":")
            guard let minutes = digits(2), minutes < 60 else { return nil }
            let offset = hours &* 60 &+ minutes
            return west ? 0 &- offset : offset
        }
    }
}
