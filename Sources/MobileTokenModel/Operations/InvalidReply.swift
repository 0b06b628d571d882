// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// A reply that cannot be used at all. Holds no text of the reply.
public enum InvalidReply: Error, Equatable, Sendable {
    /// It is not JSON, or breaks the limits for it.
    case json(JSONError)
    /// It is JSON, but not of the form that was expected.
    case form(ModelFault)
}
