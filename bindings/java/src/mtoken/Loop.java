// SPDX-License-Identifier: Apache-2.0
package mtoken;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicLong;

/** Reads the events of a runtime on one thread: completes futures, and publishes the other events. It does not keep the runtime. */
final class Loop implements Runnable, Flow.Publisher<Event> {
    private static final int BUFFER = 1 << 30;

    volatile Executor executor = pool();
    private final long runtime;
    private final ConcurrentHashMap<Long, Pending<?>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong tags = new AtomicLong(Long.MIN_VALUE);
    // Nothing waits for a slow subscriber: its buffer grows.
    private final SubmissionPublisher<Event> publisher = new SubmissionPublisher<>(this::execute, BUFFER);
    private List<Event> early = new ArrayList<>();
    private volatile boolean hasBegun;
    private volatile Thread reader;
    private volatile boolean isOver;

    Loop(long runtime) {
        this.runtime = runtime;
    }

    /** The common pool, unless it is configured without threads. */
    private static Executor pool() {
        return Integer.getInteger("java.util.concurrent.ForkJoinPool.common.parallelism", 1) > 0 ? ForkJoinPool.commonPool() : Loop::apart;
    }

    private static void start(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** On a thread of its own, so that it may wait for other calls; on this one if there is none to be had. */
    private static void apart(Runnable work) {
        try {
            start(work, "mtoken-completion");
        } catch (OutOfMemoryError problem) {
            work.run();
        }
    }

    /** Before a call is started: if there is no thread to be had, nothing was. */
    void begin() {
        if (!hasBegun) {
            synchronized (this) {
                if (!hasBegun) {
                    start(this, "mtoken-events");
                    hasBegun = true;
                }
            }
        }
    }

    /** Whether this thread reads the events. */
    boolean isHere() {
        return Thread.currentThread() == reader;
    }

    /** Nothing of the program runs on the thread that reads the events: it may wait for others. */
    void execute(Runnable work) {
        try {
            executor.execute(() -> {
                if (isHere()) {
                    pool().execute(work);
                } else {
                    work.run();
                }
            });
        } catch (RuntimeException | Error problem) {
            // One that was shut down, or has no thread: no caller waits for ever.
            apart(work);
        }
    }

    private void finish(Pending<?> pending) {
        pending.arrive();
        execute(pending::settle);
    }

    /** Completes a future when its task has completed. First the waiter, then the request for the event, which may come at once. */
    void complete(Pending<?> pending, Task task) {
        long tag = tags.getAndIncrement();
        waiting.put(tag, pending);
        int status = Native.taskNotify(task.life.handle(), tag);
        if ((status != 0 || isOver) && waiting.remove(tag) != null) {
            finish(pending);
        }
    }

    @Override
    public void run() {
        reader = Thread.currentThread();
        long[] found = new long[5];
        while (true) {
            Native.nextEvent(runtime, found);
            if (found[3] == 0) {
                if (found[0] == ErrorCode.CANCELLED.value()) {
                    continue;
                }
                break;
            }
            try {
                deliver(found);
            } catch (RuntimeException | Error problem) {
                // The other events shall still arrive.
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, problem);
            }
        }
        isOver = true;
        for (Long tag : waiting.keySet()) {
            Pending<?> pending = waiting.remove(tag);
            if (pending != null) {
                finish(pending);
            }
        }
        synchronized (this) {
            if (early == null) {
                publisher.close();
            }
        }
    }

    private void deliver(long[] found) {
        if (found[1] == EventKind.TASK.value()) {
            // One without a tag is of a task that had completed before the event was asked for.
            Pending<?> pending = waiting.remove(found[2]);
            if (pending != null) {
                finish(pending);
            }
        } else {
            publish(Event.of(found[3], Life.weighed(Life.own(found[3], Versions.EVENT_FREE), found[4])));
        }
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
            if (isOver) {
                publisher.close();
            }
        }
    }
}
