package mtoken;

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
     * Says where futures complete and events are delivered; the common pool otherwise.
     *
     * @param executor the executor
     */
    public final void useExecutor(@NotNull Executor executor) {
        loop.executor = executor;
    }

    /**
     * The events that {@link RuntimeOptions#events} asked for. Those from before the first subscription are kept for it; each
     * subscriber gets all that come later, and completes when the runtime is closed.
     */
    public final @NotNull Flow.Publisher<Event> events() {
        return loop;
    }
}
