// SPDX-License-Identifier: Apache-2.0
import CCurl

extension HTTPHeaders {
    /// `Date`, in milliseconds since the epoch; nil: there is none that can be read (RFC 9110 §6.6.1).
    package var date: Int64? { self["Date"].flatMap { Self.seconds($0) }.map { $0 * 1_000 } }

    /// `Retry-After`: seconds, or a moment from which they are counted (RFC 9110 §10.2.3); nil: none that can be read.
    ///
    /// - Parameter now: milliseconds since the epoch
    package func retryAfterSeconds(now: Int64) -> Int64? {
        guard let text = self["Retry-After"] else { return nil }
        let bytes = [UInt8](text.utf8)
        if !bytes.isEmpty, bytes.count <= 9, bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        {
            return bytes.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        guard let moment = Self.seconds(text) else { return nil }
        return max(0, moment - now / 1_000)
    }

    /// A date of HTTP in seconds since the epoch. libcurl reads all three forms.
    private static func seconds(_ text: String) -> Int64? {
        guard text.utf8.count <= 64 else { return nil }
        let seconds = Int64(curl_getdate(text, nil))
        // Up to the year 9999.
        return (0...253_402_300_799).contains(seconds) ? seconds : nil
    }
}
