// SPDX-License-Identifier: Apache-2.0
package mtoken;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Copies of secrets. */
final class Secrets {
    private Secrets() {
    }

    static void wipe(byte[] bytes) {
        if (bytes != null) {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** Letters in UTF-8. There is no other copy when it returns. */
    static byte[] utf8(char[] letters) {
        return letters == null ? null : utf8(CharBuffer.wrap(letters));
    }

    static byte[] utf8(CharBuffer letters) {
        ByteBuffer made = ByteBuffer.allocate(3 * letters.remaining());
        var encoder = StandardCharsets.UTF_8.newEncoder();
        try {
            var result = encoder.encode(letters, made, true);
            if (result.isError()) {
                throw notUnicode();
            }
            return Arrays.copyOf(made.array(), made.position());
        } finally {
            wipe(made.array());
        }
    }

    static IllegalStateException closed(String name) {
        return new IllegalStateException("this " + name + " was closed, and its secrets are wiped: make a new one for each call");
    }

    static IllegalArgumentException notUnicode() {
        return new IllegalArgumentException("the text has half a surrogate pair: it is not Unicode", new CharacterCodingException());
    }
}
