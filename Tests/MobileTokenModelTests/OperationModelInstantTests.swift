import Foundation
import Testing

@testable import MobileTokenModel

@Suite("Operation models: instants")
struct OperationModelInstantTests {
    private func milliseconds(_ text: String) -> Int64? {
        Array(text.utf8).withUnsafeBytes { Instant.milliseconds($0) }
    }

    @Test(
        "texts that name an instant",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2023-04-25T13:09:52+0000", 1_682_428_192_000),
            ("2023-04-25T15:09:52+02:00", 1_682_428_192_000), ("2023-04-25T11:39:52-0130", 1_682_428_192_000),
            ("2023-04-25T13:09:52.250Z", 1_682_428_192_250), ("2023-04-25T13:09:52.2Z", 1_682_428_192_200),
            ("2023-04-25T13:09:52.123987654321+00:00", 1_682_428_192_123), ("1969-12-31T23:59:59.999Z", -1),
            ("2000-02-29T00:00:00Z", 951_782_400_000), ("2024-02-29T23:59:59Z", 1_709_251_199_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("0000-03-01T00:00:00Z", -62_162_035_200_000), ("1970-01-01T23:59:00+2359", 0),
        ] as [(String, Int64)])
    func valid(text: String, expected: Int64) {
        #expect(milliseconds(text) == expected)
    }

    @Test(
        "texts that do not",
        arguments: [
            "", "2023", "2023-04-25", "2023-04-25T13:09:52", "2023-04-25 13:09:52Z", "2023-04-25T13:09Z",
            "2023-04-25T13:09:52z", "2023-04-25t13:09:52Z", "2023-04-25T13:09:52.Z", "2023-04-25T13:09:52,5Z",
            "2023-04-25T24:00:00Z", "2023-04-25T13:60:00Z", "2023-04-25T13:09:60Z", "2023-00-25T13:09:52Z",
            "2023-13-25T13:09:52Z", "2023-04-00T13:09:52Z", "2023-04-31T13:09:52Z", "2023-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2023-04-25T13:09:52+02", "2023-04-25T13:09:52+2:00",
            "2023-04-25T13:09:52+24:00", "2023-04-25T13:09:52+00:60", "2023-04-25T13:09:52+00:000",
            "2023-04-25T13:09:52ZZ", "2023-04-25T13:09:52Z ", " 2023-04-25T13:09:52Z", "+2023-04-25T13:09:52Z",
            "12023-04-25T13:09:52Z", "202a-04-25T13:09:52Z", "2023-4-25T13:09:52Z", "20230425T130952Z",
            "0000-01-01T00:00:00+0001", "9999-12-31T23:59:59-0001", "२०२३-04-25T13:09:52Z", "yesterday",
        ])
    func invalid(text: String) {
        #expect(milliseconds(text) == nil)
    }

    @Test("every day of three centuries, and random seconds of all years, agree with the C library")
    func calendar() {
        var fields = tm()
        for day in stride(from: -150 * 366, to: 150 * 366, by: 1) {
            var time = time_t(day) * 86400 + 3661
            gmtime_r(&time, &fields)
            #expect(milliseconds(text(fields)) == Int64(time) * 1000)
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            var time = time_t.random(in: -62_167_219_200..<253_402_300_800, using: &random)
            gmtime_r(&time, &fields)
            #expect(milliseconds(text(fields)) == Int64(time) * 1000)
        }
    }

    private func text(_ fields: tm) -> String {
        String(
            format: "%04d-%02d-%02dT%02d:%02d:%02dZ", Int(fields.tm_year) + 1900, fields.tm_mon + 1, fields.tm_mday,
            fields.tm_hour, fields.tm_min, fields.tm_sec)
    }

    @Test(
        "members of replies",
        arguments: [
            ("0", 0), ("-1", -1), ("1682428192000", 1_682_428_192_000), ("253402300799999", 253_402_300_799_999),
            ("253402300800000", nil), ("9223372036854775807", nil), ("-9223372036854775808", nil), ("1.5", nil),
            ("1e3", nil),
            ("true", nil), ("null", nil), ("[]", nil), ("\"1682428192000\"", nil), ("99999999999999999999", nil),
            (#""2023-04-25T13:09:52+0000\u0000""#, nil), (#""\u0032023-04-25T13:09:52Z""#, 1_682_428_192_000),
        ] as [(String, Int64?)])
    func member(json: String, expected: Int64?) throws {
        for name in ["operationCreated", "operationExpires"] {
            let list = try OperationText.decode(OperationText([(name, json)]).operation)
            let operation = list.operations.first
            #expect((name == "operationCreated" ? operation?.created : operation?.expires) == expected)
            #expect(list.skippedCount == (expected == nil ? 1 : 0))
        }
        let reply = Array(#"{"status":"OK","responseObject":[],"currentTimestamp":\#(json)}"#.utf8)
        #expect(try OperationList.decode(envelope(reply)).currentTimestamp == expected)
    }
}
