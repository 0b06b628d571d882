import Foundation
import TestSupport
import Testing

/// The cases of a vector file as Foundation reads them.
func foundationCases(_ file: String) throws -> [[String: Any]] {
    let data = try Data(contentsOf: Vectors.directory.appendingPathComponent(file + ".json"))
    let content = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(content["cases"] as? [[String: Any]])
}

/// Runs a test on each case of a vector file whose input and expectation are objects, and prints how many there were.
func eachCase(
    of file: String, _ test: (_ input: [String: Any], _ expect: [String: Any], _ name: Comment) throws -> Void
) throws {
    let cases = try foundationCases(file)
    for vector in cases {
        let name = Comment(rawValue: vector["id"] as? String ?? "")
        try test(
            try #require(vector["input"] as? [String: Any], name),
            try #require(vector["expect"] as? [String: Any], name),
            name)
    }
    Vectors.ran(file, cases.count)
}
