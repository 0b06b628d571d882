// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// One set of sources, two builds. MTOKEN_EMBEDDED=1 selects the product: Embedded Swift, which needs no Swift runtime
// on the user's machine. Without it the same sources build as ordinary Swift, for tests, sanitizers and coverage.
let embedded = Context.environment["MTOKEN_EMBEDDED"] == "1"

let settings: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    + (embedded
        ? [
            .enableExperimentalFeature("Embedded"),
            // A module is one object: the code generator sees all of it, merges what is the same, and knows what cannot unwind.
            // Exclusivity is checked by the ordinary builds; the Embedded runtime only pretends to.
            //
            // Swift 6.3.1's own passes of LLVM stay out: its alias analysis assumes that swift_retain changes no memory, while the
            // Embedded runtime's isUniquelyReferenced is inlined and reads the count that a retain has changed. Where LLVM has not
            // inlined the retain, the count is read before it, and a shared array is changed in place. Without these passes, LLVM
            // needs to inline nothing: Swift has.
            .unsafeFlags([
                "-wmo", "-num-threads", "0", "-enforce-exclusivity=unchecked", "-Xfrontend", "-function-sections",
                "-Xfrontend", "-mergeable-traps", "-Xcc", "-momit-leaf-frame-pointer",
                "-Xfrontend", "-disable-swift-specific-llvm-optzns", "-Xllvm", "-inline-threshold=0",
            ]),
        ] : [])

// All above JSON and OpenSSL waits for the network: there size matters, not speed. What many functions have in common becomes a
// function of its own.
let compact =
    settings
    + (embedded
        ? [
            .unsafeFlags([
                "-Osize", "-Xllvm", "-enable-machine-outliner=always", "-Xllvm", "-enable-linkonceodr-outlining",
            ])
        ] : [])

// Functions that take closures, of which the exports are made, are not copied into each of their callers.
let glue = compact + (embedded ? [.unsafeFlags(["-Xllvm", "-sil-disable-pass=closure-specialize"])] : [])

var targets: [Target] = [
    .systemLibrary(name: "COpenSSL"),
    .systemLibrary(name: "CJansson"),
    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CSystem"),
    .systemLibrary(name: "CMToken", path: "include"),
    .systemLibrary(name: "CMTokenTesting", path: "include/testing"),
    .target(name: "MobileTokenSystem", dependencies: ["CSystem"], swiftSettings: compact),
    .target(name: "MobileTokenCrypto", dependencies: ["COpenSSL", "MobileTokenSystem"], swiftSettings: settings),
    .target(name: "MobileTokenJSON", dependencies: ["CJansson"], swiftSettings: settings),
    .target(name: "PowerAuth", dependencies: ["MobileTokenCrypto", "MobileTokenJSON"], swiftSettings: compact),
    .target(
        name: "MobileTokenModel", dependencies: ["MobileTokenCrypto", "MobileTokenJSON"], swiftSettings: compact),
    .target(
        name: "MobileTokenHTTP", dependencies: ["MobileTokenCrypto", "MobileTokenSystem", "CCurl", "CSystem"],
        swiftSettings: compact),
    .target(
        name: "MobileToken",
        dependencies: [
            "PowerAuth", "MobileTokenModel", "MobileTokenHTTP", "MobileTokenCrypto", "MobileTokenJSON",
            "MobileTokenSystem", "CSystem",
        ],
        swiftSettings: glue),
    .target(
        name: "MobileTokenC",
        dependencies: [
            "MobileToken", "PowerAuth", "MobileTokenModel", "MobileTokenHTTP", "MobileTokenCrypto", "MobileTokenJSON",
            "MobileTokenSystem", "CMToken", "CSystem",
        ],
        swiftSettings: glue),
    .target(
        name: "MobileTokenTesting",
        dependencies: [
            "MobileTokenC", "MobileToken", "MobileTokenHTTP", "PowerAuth", "MobileTokenCrypto", "MobileTokenJSON",
            "MobileTokenSystem", "CMToken", "CMTokenTesting", "CSystem",
        ],
        swiftSettings: settings),
]

if !embedded {
    targets += [
        .target(name: "MobileTokenAsync", dependencies: ["MobileToken"], swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["MobileTokenJSON", "MobileTokenSystem"], path: "Tests/TestSupport"),
        .testTarget(name: "MobileTokenCryptoTests", dependencies: ["MobileTokenCrypto", "TestSupport"]),
        .testTarget(name: "MobileTokenJSONTests", dependencies: ["MobileTokenJSON", "TestSupport"]),
        .target(
            name: "PowerAuthDoubles", dependencies: ["PowerAuth", "TestSupport"], path: "Tests/PowerAuthDoubles"),
        .testTarget(name: "PowerAuthTests", dependencies: ["PowerAuth", "PowerAuthDoubles", "TestSupport"]),
        .testTarget(name: "MobileTokenSystemTests", dependencies: ["MobileTokenSystem", "TestSupport"]),
        .testTarget(
            name: "MobileTokenHTTPTests", dependencies: ["MobileTokenHTTP", "MobileTokenSystem", "TestSupport"],
            exclude: ["servers"]),
        .testTarget(
            name: "MobileTokenModelTests",
            dependencies: ["MobileTokenModel", "MobileTokenJSON", "MobileTokenCrypto", "TestSupport"]),
        .testTarget(
            name: "MobileTokenTests",
            dependencies: [
                "MobileToken", "MobileTokenModel", "MobileTokenHTTP", "MobileTokenSystem", "PowerAuth",
                "PowerAuthDoubles",
                "TestSupport",
            ]),
        .testTarget(name: "MobileTokenAsyncTests", dependencies: ["MobileToken", "MobileTokenAsync"]),
        .testTarget(
            name: "MobileTokenCTests",
            dependencies: ["MobileTokenC", "MobileToken", "MobileTokenHTTP", "MobileTokenSystem"]),
    ]
}

// MTOKEN_BENCH=1 adds what `make bench` measures below the C interface.
if Context.environment["MTOKEN_BENCH"] == "1" {
    targets.first { $0.name == "MobileTokenC" }?.swiftSettings?.append(.unsafeFlags(["-enable-testing"]))
    targets.append(
        .target(
            name: "MobileTokenBench",
            dependencies: [
                "MobileTokenC", "MobileToken", "PowerAuth", "MobileTokenModel", "MobileTokenHTTP", "MobileTokenCrypto",
                "MobileTokenJSON", "MobileTokenSystem", "CMToken",
            ],
            path: "Tests/bench/shim", swiftSettings: settings))
}

// MTOKEN_FUZZ=1 adds the fuzz targets, which `make fuzz` links with libFuzzer and `make fuzz-replay` without. Those of the
// model's texts are linked with the model and what it needs, and with nothing else.
if Context.environment["MTOKEN_FUZZ"] == "1" {
    targets += [
        .target(name: "FuzzSupport", path: "Tests/fuzz/targets/Support", swiftSettings: settings),
        .target(
            name: "MobileTokenModelFuzz",
            dependencies: ["FuzzSupport", "MobileTokenModel", "MobileTokenJSON", "MobileTokenCrypto", "CJansson"],
            path: "Tests/fuzz/targets/Model", swiftSettings: settings),
        .target(
            name: "MobileTokenFuzz",
            dependencies: [
                "FuzzSupport", "MobileTokenC", "MobileToken", "PowerAuth", "MobileTokenModel", "MobileTokenHTTP",
                "MobileTokenCrypto", "MobileTokenJSON", "MobileTokenSystem", "CMToken", "CSystem",
            ],
            path: "Tests/fuzz/targets/Whole", swiftSettings: settings),
        .executableTarget(
            name: "fuzz-replay", dependencies: ["FuzzSupport", "MobileTokenModelFuzz", "MobileTokenFuzz"],
            path: "Tests/fuzz/replay", swiftSettings: settings),
    ]
}

let package = Package(
    name: "libmtoken",
    products: embedded
        ? []
        : [
            .library(name: "MobileToken", targets: ["MobileToken"]),
            .library(name: "MobileTokenAsync", targets: ["MobileTokenAsync"]),
            // The C interface, with the Swift runtime beside it. `make build` makes the library that users install.
            .library(name: "mtoken", type: .dynamic, targets: ["MobileTokenC"]),
        ],
    targets: targets
)
