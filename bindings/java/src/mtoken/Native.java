// SPDX-License-Identifier: Apache-2.0
package mtoken;

/** The glue: bindings/java/native/glue.c. */
final class Native {
    private static final String PROBLEM = Loader.load();

    private static final Reader NOTHING = new Reader(new byte[0]);

    private Native() {
    }

    /** Throws the reason why the library could not be loaded, on each call. */
    private static void ready() {
        if (PROBLEM != null) {
            throw new UnsatisfiedLinkError(PROBLEM);
        }
    }

    /**
     * Calls a function, and throws its error. The glue returns null for success without results. Any other
     * value is wiped with the arguments.
     */
    static Reader invoke(int function, Writer given) {
        ready();
        byte[] found = call(function, given.data, given.used);
        if (found == null) {
            return NOTHING;
        }
        given.result = found;
        Reader in = new Reader(found);
        if (in.flag()) {
            throw MTokenException.read(in);
        }
        return in;
    }

    static void check(byte[] failure) {
        if (failure != null) {
            Reader in = new Reader(failure);
            in.flag();
            throw MTokenException.read(in);
        }
    }

    private static native byte[] call(int function, byte[] given, int length);

    static native byte[] member(int kind, long at, int index);

    static native void free(int kind, long at);

    static native void nextEvent(long runtime, long[] found);

    static native long takeChallenge(long event);

    static native void endChallenge(long challenge);

    static native int taskState(long task);

    static native byte[] taskCancel(long task);

    static native int taskNotify(long task, long tag);

    static native byte[] taskJoin(long task, long milliseconds);

    static native byte[] open(byte[] path, boolean isThere);

    static native int abi();

    static native int version();

    static native byte[] bind();
}
