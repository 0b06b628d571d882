// SPDX-License-Identifier: Apache-2.0
package mtoken;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The results of a call, as the glue wrote them. */
final class Reader {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final byte[] data;
    private int at;

    Reader(byte[] data) {
        this.data = data;
    }

    boolean flag() {
        return data[at++] != 0;
    }

    int number32() {
        int found = (int) INT.get(data, at);
        at += 4;
        return found;
    }

    long number64() {
        long found = (long) LONG.get(data, at);
        at += 8;
        return found;
    }

    double real() {
        return Double.longBitsToDouble(number64());
    }

    String text() {
        int length = number32();
        if (length < 0) {
            return null;
        }
        at += length;
        return new String(data, at - length, length, StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        int length = number32();
        if (length < 0) {
            return null;
        }
        at += length;
        return Arrays.copyOfRange(data, at - length, at);
    }

    <T> List<T> list(Function<Reader, T> each) {
        int count = number32();
        if (count == 0) {
            return List.of();
        }
        @SuppressWarnings("unchecked")
        T[] found = (T[]) new Object[count];
        for (int index = 0; index < count; index++) {
            found[index] = each.apply(this);
        }
        return Collections.unmodifiableList(Arrays.asList(found));
    }

    /** A struct that is read at once, but in which something lies that is read later. */
    <T> T owned(int free, BiFunction<Reader, Life, T> read) {
        long address = number64();
        return flag() ? read.apply(this, Life.own(address, free)) : null;
    }
}
