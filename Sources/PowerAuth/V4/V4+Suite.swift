// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

extension V4 {
    /// Which algorithms an activation uses, for its whole life (powerauth4.md §1).
    package enum Suite: UInt8, Sendable, CaseIterable {
        /// P-384 alone.
        case p384 = 1
        /// P-384 with ML-KEM-768 and ML-DSA-65.
        case p384ML3 = 2
        /// P-384 with ML-KEM-1024 and ML-DSA-87.
        case p384ML5 = 3

        /// The default of upstream.
        package static var `default`: Suite { .p384ML3 }

        /// The name in messages, configuration and formulas.
        package var name: StaticString {
            switch self {
            case .p384: "EC_P384"
            case .p384ML3: "EC_P384_ML_L3"
            case .p384ML5: "EC_P384_ML_L5"
            }
        }

        /// The suite of a name; nil for anything else, and for the suites that upstream has for its tests.
        package init?(name: some Bytes) {
            for suite in Suite.allCases where sameBytes(suite.name, name) {
                self = suite
                return
            }
            return nil
        }

        /// The post-quantum half of its key encapsulation.
        package var mlkem: MLKEM? {
            switch self {
            case .p384: nil
            case .p384ML3: .mlkem768
            case .p384ML5: .mlkem1024
            }
        }

        /// The post-quantum half of its signatures.
        package var mldsa: MLDSA? {
            switch self {
            case .p384: nil
            case .p384ML3: .mldsa65
            case .p384ML5: .mldsa87
            }
        }

        /// Whether it has a post-quantum half.
        package var isHybrid: Bool { self != .p384 }

        /// Whether this process has all its algorithms.
        package var isAvailable: Bool { (mlkem?.isAvailable ?? true) && (mldsa?.isAvailable ?? true) }

        /// Refuses a suite whose algorithms this process does not have.
        ///
        /// - Throws: `unsupportedProtocol`.
        package func require() throws(PowerAuthError) {
            guard isAvailable else {
                throw PowerAuthError(
                    .unsupportedProtocol,
                    "this OpenSSL has no ML-KEM and ML-DSA, which the suite needs: OpenSSL 3.5 or later has them")
            }
        }
    }
}
