// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "approve",
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
