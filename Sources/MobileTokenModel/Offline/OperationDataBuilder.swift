// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Makes operation data, for servers and tests: a version, a template, and at most five fields at fixed positions.
package struct OperationDataBuilder {
    /// The most fields that documents allow.
    package static let maximumFieldCount = 5

    private var bytes: [UInt8]
    private var count = 0
    /// Empty fields that nothing has followed yet.
    private var gaps = 0

    /// - Throws: a fault unless the version is a letter from A to Z and the template 0 to 99
    package init(version: Int32, template: Int32) throws(TextFault) {
        guard (0x41...0x5A).contains(version) else { throw TextFault(.invalidVersion, offset: 0) }
        guard (0...99).contains(template) else { throw TextFault(.invalidTemplateId, offset: 1) }
        bytes = [UInt8(truncatingIfNeeded: version)]
        bytes.append(contentsOf: String(template).utf8)
    }

    /// Adds a field that holds nothing. After the last one that holds something it is left out.
    package mutating func addEmpty() { gaps &+= 1 }

    /// Adds an amount: positive, with at most two decimal places, and a currency of three letters.
    package mutating func add(amount: String, currency: String) throws(TextFault) {
        let isPlain = amount.utf8.first != UInt8(ascii: "-") && amount.utf8.first != UInt8(ascii: ".")
        let point = amount.utf8.firstIndex(of: UInt8(ascii: "."))
        let places = point.map { amount.utf8.distance(from: $0, to: amount.utf8.endIndex) - 1 } ?? 0
        let isPositive = amount.utf8.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        let letters = currency.utf8
        guard isPlain, isPositive, places <= 2, letters.count == 3 else { throw fault }
        let capitals = letters.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & ~0x20 : $0 }
        try add("A", Array(amount.utf8) + capitals)
    }

    /// Adds an account: an IBAN and perhaps a BIC, digits and capital letters.
    package mutating func add(iban: String, bic: String?) throws(TextFault) {
        var value = Array(iban.utf8)
        if let bic {
            guard !bic.isEmpty else { throw fault }
            value.append(UInt8(ascii: ","))
            value.append(contentsOf: bic.utf8)
        }
        try add("I", value)
    }

    /// Adds a day.
    package mutating func add(_ date: CivilDate) throws(TextFault) {
        var number = date.year * 10_000 + date.month * 100 + date.day
        var digits = [UInt8](repeating: UInt8(ascii: "0"), count: 8)
        for index in digits.indices.reversed() {
            digits[index] += UInt8(truncatingIfNeeded: number % 10)
            number /= 10
        }
        try add("D", digits)
    }

    /// Adds a text of a type, `Q`, `R`, `N` or `T`.
    package mutating func add(_ text: String, letter: Unicode.Scalar) throws(TextFault) {
        var value: [UInt8] = []
        try TextNormalization.append(text, isField: true, to: &value)
        try add(letter, value)
    }

    private var fault: TextFault { TextFault(.invalidField, offset: bytes.count) }

    private mutating func add(_ letter: Unicode.Scalar, _ value: [UInt8]) throws(TextFault) {
        for _ in 0...gaps { bytes.append(UInt8(ascii: "*")) }
        count &+= gaps &+ 1
        gaps = 0
        guard count <= Self.maximumFieldCount else { throw TextFault(.tooManyFields, offset: bytes.count) }
        // Refuses to make data that a reader would refuse.
        let field = [UInt8(ascii: letter)] + value
        let alone = [UInt8(ascii: "A"), UInt8(ascii: "0"), UInt8(ascii: "*")] + field
        try alone.withBytes { (text: UnsafeRawBufferPointer) throws(TextFault) in
            guard try OperationData(parsing: text).fieldCount == 1 else { throw fault }
        }
        bytes += field
    }

    /// The data.
    package var text: String { String(utf8: bytes) }
}
