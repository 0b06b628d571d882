// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

extension Session {
    /// Everything of a session that calls change.
    package struct Checkpoint {
        fileprivate let state: State
        fileprivate let former: ActivationRecord?
        fileprivate let formerFactor: ActivationRecord?
        fileprivate let externalKey: SecureBytes?
    }

    /// Remembers how the session is now, so that a change that could not be stored can be undone.
    package func checkpoint() -> Checkpoint {
        Checkpoint(state: state.copy, former: former, formerFactor: formerFactor, externalKey: externalKey)
    }

    /// Puts the session back to how it was. Only as long as nothing that depends on the change has left the owner.
    package func rollBack(to checkpoint: Checkpoint) {
        state = checkpoint.state.copy
        former = checkpoint.former
        formerFactor = checkpoint.formerFactor
        externalKey = checkpoint.externalKey
    }
}

extension Session.State {
    /// The same state, with a record of its own: a session changes its record in place.
    fileprivate var copy: Session.State {
        guard case .activated(let record) = self else { return self }
        return .activated(ActivationRecord(copying: record))
    }
}
