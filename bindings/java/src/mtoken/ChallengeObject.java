// SPDX-License-Identifier: Apache-2.0
package mtoken;

/** What a challenge has besides the functions of C: closed, it ends at once, also while its request is still being shown. */
abstract class ChallengeObject extends NativeObject {
    /** With the lock of the life. */
    boolean isAnswered;

    ChallengeObject(long handle, int free, NativeObject keeps) {
        super(handle, free, keeps);
    }

    /** Closes the challenge. If it was not answered, the handling ends without informing the server. */
    @Override
    public void close() {
        synchronized (life) {
            if (life.hasLent() && !isAnswered) {
                isAnswered = true;
                Native.endChallenge(life.handle());
            }
            life.close();
        }
    }
}
