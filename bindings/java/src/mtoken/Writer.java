// SPDX-License-Identifier: Apache-2.0
package mtoken;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The arguments of a call, as the glue reads them. They and its results are wiped when these have been read. */
final class Writer implements AutoCloseable {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    byte[] data = new byte[512];
    int used;
    byte[] result;

    /** How something is written. */
    interface How<T> {
        void write(Writer out, T item);
    }

    private int room(int size) {
        int at = used;
        if (data.length - at < size) {
            byte[] former = data;
            data = Arrays.copyOf(former, Math.addExact(Math.max(2 * former.length, former.length + size), 16));
            Secrets.wipe(former);
        }
        used = at + size;
        return at;
    }

    void flag(boolean value) {
        int at = room(1);
        data[at] = (byte) (value ? 1 : 0);
    }

    void number32(int value) {
        int at = room(4);
        INT.set(data, at, value);
    }

    void number64(long value) {
        int at = room(8);
        LONG.set(data, at, value);
    }

    void real(double value) {
        number64(Double.doubleToRawLongBits(value));
    }

    void coded(Coded value) {
        number32(value == null ? 0 : value.value());
    }

    void flags(Set<? extends Coded> values) {
        int bits = 0;
        if (values != null) {
            for (Coded value : values) {
                bits |= value.value();
            }
        }
        number32(bits);
    }

    /** An argument that must be there. */
    static void given(Object value, String name) {
        if (value == null) {
            throw new NullPointerException(name + " is null");
        }
    }

    void instant(Instant value, String name) {
        long found = 0;
        if (value != null) {
            try {
                found = value.toEpochMilli();
            } catch (ArithmeticException problem) {
                throw new IllegalArgumentException(name + " is beyond what 64 bits of milliseconds tell: " + value, problem);
            }
            if (found == 0) {
                throw new IllegalArgumentException(name + " is 1970-01-01T00:00:00Z, which stands for no time");
            }
        }
        number64(found);
    }

    void handle(NativeObject object) {
        number64(object == null ? 0 : object.life.handle());
    }

    void view(View view) {
        number64(view == null ? 0 : view.address);
    }

    /** A text, also a secret one, as a CharBuffer over letters that the caller wipes. */
    void text(CharSequence text) {
        if (text == null) {
            bytes(null);
        } else if (text instanceof String string) {
            byte[] made = string.getBytes(StandardCharsets.UTF_8);
            // The encoder puts a question mark for half a pair of surrogates: the text would not be what the caller meant.
            if (!new String(made, StandardCharsets.UTF_8).equals(string)) {
                throw Secrets.notUnicode();
            }
            bytes(made);
        } else {
            byte[] made = Secrets.utf8(CharBuffer.wrap(text));
            bytes(made);
            Secrets.wipe(made);
        }
    }

    /** A text that ends at its NUL. One inside would hide the rest: it becomes bad UTF-8, which is refused. */
    void chars(String text) {
        int begin = used;
        text(text);
        for (int at = begin + 4; at < used - 1; at++) {
            if (data[at] == 0) {
                data[at] = (byte) 0xff;
            }
        }
    }

    void bytes(byte[] bytes) {
        number32(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            int at = room(Math.addExact(bytes.length, 1));
            System.arraycopy(bytes, 0, data, at, bytes.length);
            data[at + bytes.length] = 0;
        }
    }

    /** Another thread may change the list meanwhile. */
    @SuppressWarnings("unchecked")
    <T> void list(List<T> items, String name, How<T> how) {
        Object[] found = items == null ? new Object[0] : items.toArray();
        number32(found.length);
        for (int index = 0; index < found.length; index++) {
            given(found[index], name + "[" + index + "]");
            how.write(this, (T) found[index]);
        }
    }

    @Override
    public void close() {
        Arrays.fill(data, 0, used, (byte) 0);
        Secrets.wipe(result);
    }
}
