// SPDX-License-Identifier: Apache-2.0
package mtoken;

import java.io.InputStream;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/** A jar that carries the library and the glue for one platform. It is a service: see {@link java.util.ServiceLoader}. */
@SuppressWarnings("exports")
public interface Carrier {
    /** {@return the platform, as {@code os.name} and {@code os.arch} have it, and musl where that is its C library: "linux-x86_64"} */
    @NotNull String platform();

    /**
     * Opens one of the files that it carries.
     *
     * @param name the name of the file
     * @return its content; null: it carries no such file
     */
    @Nullable InputStream open(@NotNull String name);
}
