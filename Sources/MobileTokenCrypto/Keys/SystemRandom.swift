// SPDX-License-Identifier: Apache-2.0
/// The random source of this process: OpenSSL's generator. Public values are drawn ahead; secrets never are.
public final class SystemRandom: RandomSource, @unchecked Sendable {
    override public init() { super.init() }

    override package func fillPublic(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        guard try !PublicRandom.shared.fill(buffer) else { return }
        try fill(buffer)
    }
}
