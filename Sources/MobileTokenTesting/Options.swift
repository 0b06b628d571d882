// SPDX-License-Identifier: Apache-2.0
import CMToken
import CMTokenTesting
import MobileTokenC

// The header of the testing library is built with it.
extension mtoken_testing_options: HostOptions {
    package static var ends: [Int] { [MemoryLayout<Self>.size] }
}
extension mtoken_testing_activation: HostOptions {
    package static var ends: [Int] { [MemoryLayout<Self>.size] }
}
extension mtoken_testing_answer: HostOptions {
    package static var ends: [Int] { [MemoryLayout<Self>.size] }
}
