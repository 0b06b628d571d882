// SPDX-License-Identifier: Apache-2.0
import MobileTokenModel
import PowerAuth

/// Optional data of an approval.
public struct ApprovalExtras: Sendable {
    /// The proximity code that was scanned.
    public var proximity: ProximityCheck?
    /// A JSON object.
    public var mobileTokenData: [UInt8]?

    /// Data sent with an approval.
    public init(proximity: ProximityCheck? = nil, mobileTokenData: [UInt8]? = nil) {
        self.proximity = proximity
        self.mobileTokenData = mobileTokenData
    }
}

extension ProximityCheck {
    /// The two times of the request, in the server's time. Under the activation's lock, with the server's time known.
    func times(_ activation: Activation) throws(Failure) -> (received: String, sent: String) {
        let sent = activation.synchronizedNow
        let received = activation.time.now(received)
        guard received <= sent, let receivedText = InstantText.format(received), let sentText = InstantText.format(sent)
        else {
            throw Failure(
                .argument, Reason.proximityTime,
                "The proximity check's time is in the future. Check the time passed and the device's clock."
            )
        }
        return (receivedText, sentText)
    }
}

/// Instants as text.
enum InstantText {
    /// `YYYY-MM-DDTHH:MM:SS.mmmZ` of milliseconds since the epoch; nil before the year 0 and after 9999.
    static func format(_ milliseconds: Int64) -> String? {
        guard (-62_167_219_200_000...253_402_300_799_999).contains(milliseconds) else { return nil }
        let (seconds, fraction) = divide(milliseconds, 1000)
        let (days, second) = divide(seconds, 86_400)
        // Civil date from days since 1970-01-01, in years that begin in March.
        let shifted = days + 719_468
        let (era, dayOfEra) = divide(shifted, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(day, 2) + "T" + digits(second / 3600, 2) + ":"
            + digits(second / 60 % 60, 2) + ":" + digits(second % 60, 2) + "." + digits(fraction, 3) + "Z"
    }

    /// Quotient rounded down, and the remainder, which is not negative.
    private static func divide(_ value: Int64, _ by: Int64) -> (Int64, Int64) {
        let remainder = value % by
        return remainder < 0 ? (value / by - 1, remainder + by) : (value / by, remainder)
    }

    private static func digits(_ value: Int64, _ count: Int) -> String {
        var text = String(value)
        while text.utf8.count < count { text = "0" + text }
        return text
    }
}
