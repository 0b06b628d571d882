// SPDX-License-Identifier: Apache-2.0
package mtoken;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import org.jetbrains.annotations.NotNull;

/** What a runtime has besides the functions of C. */
@SuppressWarnings("exports")
abstract class RuntimeObject extends NativeObject {
    RuntimeObject(long handle, int free) {
        super(handle, free, new Loop(handle));
    }

    /**
     * Sets the executor on which futures complete and events are delivered; default: the common pool. Work
     * that it refuses runs on a new thread; work that it would run on the submitting thread runs on the
     * common pool.
     *
     * @param executor the executor
     */
    public void useExecutor(@NotNull Executor executor) {
        loop.executor = Objects.requireNonNull(executor);
    }

    /**
     * The events that {@link RuntimeOptions#events} asked for. Those from before the first subscription are kept for it; each
     * subscriber gets all that come later, and completes when the runtime is closed.
     *
     * @return the publisher
     */
    public @NotNull Flow.Publisher<Event> events() {
        return loop;
    }
}
