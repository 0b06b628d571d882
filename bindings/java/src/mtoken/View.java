package mtoken;

import java.lang.ref.Reference;

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

    /** Whether both are the same object of the library. */
    @Override
    public boolean equals(Object other) {
        return other instanceof View view && view.address == address;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(address);
    }
}
