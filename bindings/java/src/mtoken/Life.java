// SPDX-License-Identifier: Apache-2.0
package mtoken;

import java.lang.ref.Cleaner;

/**
 * Something that lives in the library: freed once, when it is closed or nothing refers to it any more.
 *
 * <p>What was lent out of it keeps it: a closed object that has lent something is freed by the Cleaner. In a process that was forked
 * from this one the library frees nothing.
 */
final class Life {
    /** Its thread keeps no class loader of the program's. */
    private static final Cleaner CLEANER = Cleaner.create();

    private static final int HEAVIEST = 1 << 20;

    private final long at;
    private final Cleaner.Cleanable cleanable;
    private volatile boolean isClosed;
    private boolean hasLent;
    /** As large as what the library keeps: the collector knows of nothing else, and comes in time for it. */
    private byte[] weight;

    private Life(long at, int free) {
        this.at = at;
        cleanable = CLEANER.register(this, new Free(at, free));
    }

    /** It must not refer to the life that it ends. */
    private record Free(long at, int free) implements Runnable {
        @Override
        public void run() {
            Native.free(free, at);
        }
    }

    static Life own(long at, int free) {
        return at == 0 ? null : new Life(at, free);
    }

    /** Tells the collector of memory that the library keeps for a life. */
    static Life weighed(Life life, long bytes) {
        if (life != null && life.weight == null) {
            life.weight = new byte[(int) Math.min(bytes, HEAVIEST)];
        }
        return life;
    }

    static Life of(View view) {
        return view == null ? null : view.life;
    }

    /** A number that the library checks; 0, which it refuses, once this was closed. */
    long handle() {
        return isClosed ? 0 : at;
    }

    /** Something of it stays in use. Called with the lock held. */
    void lend() {
        hasLent = true;
    }

    /** Whether its memory stays when it is closed. Called with the lock held. */
    boolean hasLent() {
        return hasLent;
    }

    void close() {
        synchronized (this) {
            isClosed = true;
            if (hasLent) {
                return;
            }
        }
        cleanable.clean();
    }

    boolean isClosed() {
        return isClosed;
    }
}
