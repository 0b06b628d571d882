// SPDX-License-Identifier: Apache-2.0
package mtoken;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** A constant of the interface in C. */
interface Coded {
    int value();

    /** The constants of flags that are set. */
    static <E extends Enum<E> & Coded> Set<E> set(Class<E> type, E unrecognized, int bits) {
        EnumSet<E> found = EnumSet.noneOf(type);
        int rest = bits;
        for (E one : type.getEnumConstants()) {
            if (Integer.bitCount(one.value()) == 1 && one != unrecognized && (bits & one.value()) != 0) {
                found.add(one);
                rest &= ~one.value();
            }
        }
        if (rest != 0) {
            found.add(unrecognized);
        }
        return Collections.unmodifiableSet(found);
    }
}
