// SPDX-License-Identifier: Apache-2.0
import PowerAuth

/// Facts that follow from the kind of a call.
extension Call {
    /// The resource and the keys of the signature; nil: the request is not signed.
    @inline(never)
    var signature: (uriId: StaticString, keys: SigningKeys)? {
        switch kind {
        case .signed(by: .user(let uriId, let keys, _)), .signed(by: .library(let uriId, let keys)),
            .finishing(_, let uriId, let keys):
            (uriId, keys)
        case .signed(by: .host), .question, .local, .turn: nil
        }
    }

    /// The token that the call authenticates with.
    @inline(never)
    var token: (name: String, keys: SigningKeys, refused: [UInt8]?)? {
        switch kind {
        case .question(.token(let name, let keys, let refused)), .local(_, .token(let name, let keys, let refused)):
            (name, keys, refused)
        case .question(.open), .local(_, .open), .signed, .finishing, .turn: nil
        }
    }

    /// The work of a call that sends nothing.
    @inline(never)
    var work: Work? {
        switch kind {
        case .local(let work, _), .signed(by: .host(let work)): work
        case .question, .signed, .finishing, .turn: nil
        }
    }

    var step: Step? {
        if case .finishing(let step, _, _) = kind { step } else { nil }
    }

    /// It is the first code of a factor on which server and device have just agreed.
    var provesFactor: Bool { step == .newPIN || step == .newBiometry }

    var isSigned: Bool { signature != nil }

    var hasOwnEnvelope: Bool {
        if case .own = encryption { true } else { false }
    }

    /// The server's time must be known even though nothing else asks for it.
    var needsTime: Bool { hasOwnEnvelope || purpose == .timedRequest }

    /// It signs: a request, or what the host will send.
    var signs: Bool {
        if case .signed = kind { true } else { isSigned }
    }

    /// At the end of the server's window it is made again and again with the last step, until the server has accepted it: not
    /// before a status has shown that it has not.
    var repeatsLastStep: Bool { step == .catchingUp || step == .confirmation }

    /// It waits for its turn among the signed calls.
    var takesTurn: Bool {
        if case .turn = kind { true } else { isSigned }
    }

    /// It signs on the library's own account.
    var isOfLibrary: Bool {
        if case .signed(by: .library) = kind { true } else { false }
    }

    /// The purpose of the user's signature; nil: there is none.
    @inline(never)
    var purpose: Purpose? {
        if case .signed(by: .user(_, _, let purpose)) = kind { purpose } else { nil }
    }

    /// The factors of the code that the call makes; empty: none.
    @inline(never)
    var factors: Factors { signature?.keys.factors ?? [] }

    /// The request is written by the activation, and its answer read by it: both in one protocol.
    var isOfActivation: Bool { requires == .activated && (isSentAtMostOnce || errors == .status) }
}
