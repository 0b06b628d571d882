import Foundation

/// The data files that the code must reproduce, read from Tests/vectors (or from MTOKEN_VECTORS).
package enum Vectors {
    /// The directory that holds the vector files.
    package static let directory: URL = {
        if let override = ProcessInfo.processInfo.environment["MTOKEN_VECTORS"] {
            return URL(fileURLWithPath: override)
        }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("vectors")
    }()

    /// Decodes a vector file, e.g. `Vectors.load("powerauth-kdf", as: KDFVectors.self)`.
    package static func load<T: Decodable>(_ name: String, as type: T.Type) throws -> T {
        let data = try Data(contentsOf: directory.appendingPathComponent(name + ".json"))
        return try JSONDecoder().decode(type, from: data)
    }

    /// Prints how many vectors of a file a test ran, so that a run shows what it covered.
    package static func ran(_ name: String, _ count: Int) {
        print("vectors: \(name): \(count)")
    }
}

extension [UInt8] {
    /// Strict enough for test data: decodes hexadecimal text.
    package init(hex: String) {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in hex {
            guard let digit = character.hexDigitValue else { continue }
            if let first = high {
                bytes.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        self = bytes
    }

    /// Decodes Base64 text of test data.
    package init(base64 text: String) {
        self = [UInt8](Data(base64Encoded: text) ?? Data())
    }
}
