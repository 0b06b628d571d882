// SPDX-License-Identifier: Apache-2.0
package mtoken;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jetbrains.annotations.NotNull;

/**
 * A call in progress. It completes on the runtime's executor, with the result or an {@link MTokenException},
 * whose stack is that of the call. Completing it in another way, such as {@code orTimeout}, does not stop the
 * call: {@link CallOptions#timeoutMs} does, and {@link #cancel}. Waiting for it needs no executor: a thread
 * of the executor may wait, and dependent stages may run a moment later.
 *
 * @param <T> the type of the result
 */
@SuppressWarnings("exports")
public final class Pending<T> extends CompletableFuture<T> {
    private final Task task;
    private final Function<Task, T> result;
    /** Where the call was begun: what fails later, fails there. */
    private final Throwable begun = new Throwable();
    /** What threads wait for: the result as soon as it is there, or what has completed this otherwise. */
    private final CompletableFuture<T> arrived = new CompletableFuture<>();
    private volatile boolean isCancelling;

    private Pending(Task task, Function<Task, T> result) {
        this.task = task;
        this.result = result;
        pass(this, arrived);
    }

    private static <T> void pass(CompletableFuture<T> from, CompletableFuture<T> to) {
        from.whenComplete((value, problem) -> {
            if (problem == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(problem);
            }
        });
    }

    static <T> Pending<T> start(Task task, Function<Task, T> result) {
        Pending<T> made = new Pending<>(task, result);
        task.loop.complete(made, task);
        return made;
    }

    /** {@return the task of the library, whose further results can be read} */
    public @NotNull Task task() {
        return task;
    }

    /**
     * Stops the call, and waits until it has stopped. A request that was sent may still reach the server: the cause of the
     * CancellationException says whether. Dependent stages then run on the thread that has cancelled.
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
        arrive();
        settle();
        return isCancelled();
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    /** The task has completed: reads the result. */
    void arrive() {
        if (arrived.isDone()) {
            return;
        }
        try {
            task.waitFor(-1);
            arrived.complete(result.apply(task));
        } catch (MTokenException error) {
            error.setStackTrace(begun.getStackTrace());
            arrived.completeExceptionally(isCancelling && error.code() == ErrorCode.CANCELLED ? cancelled(error) : error);
        } catch (RuntimeException | Error error) {
            arrived.completeExceptionally(error);
        }
    }

    /** What depends on this runs on this thread. */
    void settle() {
        pass(arrived, this);
    }

    private static CancellationException cancelled(MTokenException error) {
        CancellationException made = new CancellationException(error.getMessage());
        made.initCause(error);
        return made;
    }

    /** Whether the result is there. */
    @Override
    public boolean isDone() {
        return super.isDone() || arrived.isDone();
    }

    @Override
    public boolean isCancelled() {
        return super.isDone() ? super.isCancelled() : arrived.isCancelled();
    }

    @Override
    public boolean isCompletedExceptionally() {
        return super.isDone() ? super.isCompletedExceptionally() : arrived.isCompletedExceptionally();
    }

    @Override
    public T getNow(T otherwise) {
        return super.isDone() ? super.getNow(otherwise) : arrived.getNow(otherwise);
    }

    private CompletableFuture<T> awaited() {
        if (task.loop.isHere() && !arrived.isDone()) {
            throw new IllegalStateException("this thread reads the events of the runtime, and would wait for ever: "
                + "continue with thenCompose, or wait on another thread");
        }
        return arrived;
    }

    /**
     * Blocks until the result is there.
     *
     * @throws CompletionException with what failed as its cause
     * @throws IllegalStateException on the thread that reads the runtime's events, which nothing runs on while others can be had
     */
    @Override
    public T join() {
        return super.isDone() ? super.join() : awaited().join();
    }

    /**
     * Blocks until the result is there.
     *
     * @throws ExecutionException with what failed as its cause
     * @throws IllegalStateException see {@link #join}
     */
    @Override
    public T get() throws InterruptedException, ExecutionException {
        return super.isDone() ? super.get() : awaited().get();
    }

    /**
     * Blocks until the result is available, or the time limit expires: then the call continues.
     *
     * @throws ExecutionException with what failed as its cause
     * @throws IllegalStateException see {@link #join}
     */
    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        return super.isDone() ? super.get(timeout, unit) : awaited().get(timeout, unit);
    }

    /**
     * Blocks until the result is available. Throws the original exception, not within a CompletionException.
     * A virtual thread frees its carrier meanwhile. Coroutines of Kotlin suspend instead, with {@code await}
     * of kotlinx.coroutines.
     *
     * @return the result
     * @throws IllegalStateException see {@link #join}
     */
    public T waitFor() {
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
