// SPDX-License-Identifier: Apache-2.0
package mtoken.linux.x86_64;

import java.io.InputStream;
import mtoken.Carrier;

/** The files that lie beside this class. */
public final class Carried implements Carrier {
    /** For the service loader. */
    public Carried() {
    }

    @Override
    public String platform() {
        return "linux-x86_64";
    }

    @Override
    public InputStream open(String name) {
        return Carried.class.getResourceAsStream(name);
    }
}
