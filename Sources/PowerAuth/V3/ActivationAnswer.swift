// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// The decrypted layer 2 of an answer (powerauth.md §7.4).
struct ActivationAnswer {
    let identifier: [UInt8]
    let serverKey: PublicKey
    let counter: SecureBytes
    let recovery: RecoveryData?
}

extension ActivationAnswer {
    /// Checks and takes the answer.
    ///
    /// - Throws: `invalidActivationData` for a missing or malformed member; recovery data must be absent or complete.
    init(_ root: JSONValue) throws(PowerAuthError) {
        guard let identifier = root.identifier("activationId") else {
            throw PowerAuthError(.invalidActivationData, "the server's response has no valid activation identifier")
        }
        guard let point = root.base64("serverPublicKey"), let serverKey = try? PublicKey(point: point) else {
            throw PowerAuthError(.invalidActivationData, "the server's response has no valid public key")
        }
        guard let counter = root.secret("ctrData", count: HashCounter.count) else {
            throw PowerAuthError(.invalidActivationData, "the server's response has no valid counter")
        }
        if let pair = root.present("activationRecovery") {
            guard let code = pair["recoveryCode"]?.text, let puk = pair["puk"]?.text,
                let recovery = code.withBytes({ code in puk.withBytes { RecoveryData(code: code, puk: $0) } })
            else { throw PowerAuthError(.invalidActivationData, "the recovery data in the response is malformed") }
            self.recovery = recovery
        } else {
            recovery = nil
        }
        self.identifier = identifier
        self.serverKey = serverKey
        self.counter = counter
    }
}
