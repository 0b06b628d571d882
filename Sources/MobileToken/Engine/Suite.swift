// SPDX-License-Identifier: Apache-2.0
import PowerAuth

/// The suites of protocol 4.0; the values are those of the C interface.
public enum Suite: Int32, Sendable {
    case p384 = 1
    case p384ML3 = 2
    case p384ML5 = 3

    var inProtocol: V4.Suite {
        switch self {
        case .p384: .p384
        case .p384ML3: .p384ML3
        case .p384ML5: .p384ML5
        }
    }

    init(_ suite: V4.Suite) {
        switch suite {
        case .p384: self = .p384
        case .p384ML3: self = .p384ML3
        case .p384ML5: self = .p384ML5
        }
    }
}

extension ActivationResult {
    /// The suite of 4.0; nil: protocol 3.
    public var suite: Suite? { agreedSuite.map { Suite($0) } }
}

/// The weakest that a new activation may be agreed with.
public enum LeastSuite: Sendable {
    /// Protocol 3.
    case p256
    /// This suite of 4.0, or a stronger one.
    case suite(Suite)
}
