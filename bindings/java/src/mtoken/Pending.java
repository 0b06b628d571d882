package mtoken;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jetbrains.annotations.NotNull;

/**
 * A call under way. It completes on the runtime's executor, with the result or an {@link MTokenException}. What completes it otherwise,
 * such as {@code orTimeout}, does not stop the call: {@link CallOptions#timeoutMs} does, and {@link #cancel}.
 *
 * @param <T> the type of the result
 */
@SuppressWarnings("exports")
public final class Pending<T> extends CompletableFuture<T> {
    private final Task task;
    private final Function<Task, T> result;
    private volatile boolean isCancelling;

    private Pending(Task task, Function<Task, T> result) {
        this.task = task;
        this.result = result;
    }

    static <T> Pending<T> start(Task task, Function<Task, T> result) {
        Pending<T> made = new Pending<>(task, result);
        task.loop.await(made, task);
        return made;
    }

    /** {@return the task of the library, whose further results can be read} */
    public @NotNull Task task() {
        return task;
    }

    /**
     * Stops the call, and waits until it has stopped. A request that was sent may still reach the server: the cause of the
     * CancellationException says whether. What depends on this then runs on the thread that has cancelled.
     *
     * @param mayInterrupt has no effect
     */
    @Override
    public boolean cancel(boolean mayInterrupt) {
        if (isDone()) {
            return isCancelled();
        }
        isCancelling = true;
        if (Native.taskCancel(task.life.handle()) != null) {
            return super.cancel(mayInterrupt);
        }
        settle();
        return isCancelled();
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    void settle() {
        if (isDone()) {
            return;
        }
        try {
            task.await(-1);
            complete(result.apply(task));
        } catch (MTokenException error) {
            completeExceptionally(isCancelling && error.code() == ErrorCode.CANCELLED ? cancelled(error) : error);
        } catch (RuntimeException | Error error) {
            completeExceptionally(error);
        }
    }

    private static CancellationException cancelled(MTokenException error) {
        CancellationException made = new CancellationException(error.getMessage());
        made.initCause(error);
        return made;
    }

    /**
     * Blocks until the result is there. What failed is thrown as it is, not within a CompletionException.
     *
     * @return the result
     */
    public T await() {
        try {
            return join();
        } catch (CompletionException problem) {
            if (problem.getCause() instanceof MTokenException error) {
                throw error;
            }
            throw problem;
        }
    }
}
