// SPDX-License-Identifier: Apache-2.0
package mtoken;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;

/** A struct of the library, whose members are read when they are asked for. For its public methods: see {@link NativeObject}. */
abstract class View {
    final long address;
    final Life life;

    View(long address, Life life) {
        this.address = address;
        this.life = life;
    }

    final Reader reader(int kind, int index) {
        try {
            return new Reader(Native.member(kind, address, index));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** All that it holds, secrets too. */
    abstract List<Object> content();

    /** An array in a content. */
    static Object comparable(byte[] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    /** Whether both hold the same. */
    @Override
    public boolean equals(Object other) {
        return other instanceof View view && getClass() == view.getClass() && (address == view.address || content().equals(view.content()));
    }

    @Override
    public int hashCode() {
        return content().hashCode();
    }
}
