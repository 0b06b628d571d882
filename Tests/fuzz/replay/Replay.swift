import Foundation
import FuzzSupport
import MobileTokenFuzz
import MobileTokenModelFuzz

/// What is being run, for the handler of signals: a text that is never freed.
nonisolated(unsafe) private var current: UnsafeMutablePointer<CChar>?

/// Runs every fuzz target once on every file in the folders given, each of which holds one folder for a target.
@main
enum Replay {
    static func main() {
        for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS] {
            signal(number) { number in
                // A trap says nothing of the input that did it.
                for text in [UnsafePointer(current), UnsafePointer(strdup(": this fuzz input fails\n"))] {
                    if let text { _ = write(STDERR_FILENO, text, strlen(text)) }
                }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        var count = 0
        for folder in CommandLine.arguments.dropFirst() {
            for target in modelTargets + wholeTargets {
                let place = URL(fileURLWithPath: folder).appendingPathComponent(target.inputs)
                guard let files = try? FileManager.default.contentsOfDirectory(atPath: place.path) else { continue }
                for file in files.sorted() {
                    guard let input = try? Data(contentsOf: place.appendingPathComponent(file)) else { continue }
                    current = strdup("\(target.name): \(place.path)/\(file)")
                    input.withUnsafeBytes { target.run($0) }
                    count += 1
                }
            }
        }
        print("fuzz inputs replayed: \(count)")
        if count == 0 { exit(1) }
    }
}
