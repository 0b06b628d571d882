// SPDX-License-Identifier: Apache-2.0
package mtoken;

/**
 * An object of the library. Closed, its methods fail with the code HANDLE; those that cannot fail find nothing.
 *
 * <p>Its public methods are not final: the compiler repeats them in the public classes, where reflection may call them.
 */
abstract class NativeObject implements AutoCloseable {
    final Life life;
    final Loop loop;
    private final NativeObject keeps;

    NativeObject(long handle, int free, NativeObject keeps) {
        life = Life.own(handle, free);
        this.keeps = keeps;
        loop = keeps == null ? null : keeps.loop;
    }

    NativeObject(long handle, int free, Loop loop) {
        life = Life.own(handle, free);
        keeps = null;
        this.loop = loop;
    }

    /** {@return whether it was closed} */
    public boolean isClosed() {
        return life.isClosed();
    }

    /** What it belongs to, which lives as long. */
    final NativeObject keeps() {
        return keeps;
    }

    /** Frees the object. It may wait for the disk. */
    @Override
    public void close() {
        life.close();
    }
}
