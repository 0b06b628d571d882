// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "approve",
    // The root of the repository. Outside it, give the path of a checkout, or its URL and version.
    dependencies: [.package(name: "libmtoken", path: "../..")],
    targets: [
        .executableTarget(
            name: "approve",
            dependencies: [
                .product(name: "MobileToken", package: "libmtoken"),
                .product(name: "MobileTokenAsync", package: "libmtoken"),
            ])
    ]
)
