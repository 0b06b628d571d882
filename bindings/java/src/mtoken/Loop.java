package mtoken;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Reads the events of a runtime on one thread: completes futures, and publishes the other events. It does not keep the runtime. */
final class Loop implements Runnable, Flow.Publisher<Event> {
    private static final int BUFFER = 1 << 30;

    volatile Executor executor = ForkJoinPool.commonPool();
    private final long runtime;
    private final ConcurrentHashMap<Long, Pending<?>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong tags = new AtomicLong(Long.MIN_VALUE);
    private final AtomicBoolean hasBegun = new AtomicBoolean();
    // Nothing waits for a slow subscriber: its buffer grows.
    private final SubmissionPublisher<Event> publisher = new SubmissionPublisher<>(this::execute, BUFFER);
    private List<Event> early = new ArrayList<>();
    private volatile boolean isOver;

    Loop(long runtime) {
        this.runtime = runtime;
    }

    private void begin() {
        if (hasBegun.compareAndSet(false, true)) {
            Thread thread = new Thread(this, "mtoken-events");
            thread.setDaemon(true);
            thread.start();
        }
    }

    void execute(Runnable work) {
        try {
            executor.execute(work);
        } catch (RejectedExecutionException problem) {
            // An executor that was shut down: nobody waits for ever.
            work.run();
        }
    }

    /** Completes a future when its task has completed. First the waiter, then the request for the event, which may come at once. */
    void await(Pending<?> pending, Task task) {
        begin();
        long tag = tags.getAndIncrement();
        waiting.put(tag, pending);
        int status = Native.taskNotify(task.life.handle(), tag);
        if ((status != 0 || isOver) && waiting.remove(tag) != null) {
            execute(pending::settle);
        }
    }

    @Override
    public void run() {
        long[] found = new long[4];
        while (true) {
            Native.nextEvent(runtime, found);
            if (found[3] == 0) {
                if (found[0] == ErrorCode.CANCELLED.value()) {
                    continue;
                }
                break;
            }
            if (found[1] == EventKind.TASK.value()) {
                // One without a tag is of a task that had completed before the event was asked for.
                Pending<?> pending = waiting.remove(found[2]);
                if (pending != null) {
                    execute(pending::settle);
                }
            } else {
                publish(Event.of(found[3], Life.own(found[3], Versions.EVENT_FREE)));
            }
        }
        isOver = true;
        for (Long tag : waiting.keySet()) {
            Pending<?> pending = waiting.remove(tag);
            if (pending != null) {
                execute(pending::settle);
            }
        }
        publisher.close();
    }

    private synchronized void publish(Event event) {
        if (early != null) {
            early.add(event);
        } else {
            publisher.submit(event);
        }
    }

    @Override
    public synchronized void subscribe(Flow.Subscriber<? super Event> subscriber) {
        begin();
        publisher.subscribe(subscriber);
        if (early != null) {
            early.forEach(publisher::submit);
            early = null;
        }
    }
}
