import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import mtoken.CallOptions;
import mtoken.Client;
import mtoken.Event;
import mtoken.EventKind;
import mtoken.Events;
import mtoken.LogLevel;
import mtoken.MTokenRuntime;
import mtoken.Pending;
import mtoken.RuntimeOptions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Where futures complete, how events arrive, and the threads behind them. */
@Timeout(120)
final class LoopTest {
    private static final RuntimeOptions LOGGING = new RuntimeOptions().events(Set.of(Events.LOG, Events.TASKS)).logLevel(LogLevel.INFO);

    @Test
    void futuresCompleteOnTheExecutor() {
        ExecutorService own = Executors.newSingleThreadExecutor(work -> new Thread(work, "own"));
        try (MTokenRuntime runtime = MTokenRuntime.create(); Client client = Hosts.client(runtime, Hosts.url(true))) {
            assertThrows(NullPointerException.class, () -> runtime.useExecutor(null));
            runtime.useExecutor(own);
            List<String> names = new ArrayList<>();
            CountDownLatch mayGo = new CountDownLatch(1);
            own.execute(() -> Hosts.await(mayGo));
            CompletableFuture<Void> named = client.synchronizeTime().thenRun(() -> names.add(Thread.currentThread().getName()));
            mayGo.countDown();
            named.join();
            assertEquals(List.of("own"), names);
            own.shutdown();
            client.synchronizeTime().waitFor();
        }
    }

    /** One that was shut down, one that finds no thread, and one that hands nothing over, so that the reader would wait for itself. */
    @Test
    void executorsThatFailLeaveNobodyWaiting() {
        ExecutorService over = Executors.newSingleThreadExecutor();
        over.shutdown();
        Executor poor = work -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        for (Executor executor : List.<Executor>of(over, poor, Runnable::run)) {
            Collected events = new Collected();
            try (MTokenRuntime runtime = MTokenRuntime.create(LOGGING); Client client = Hosts.client(runtime, Hosts.url(true))) {
                runtime.useExecutor(executor);
                runtime.events().subscribe(events);
                // What comes after a call may wait for another one: it does not stop the thread that reads the events.
                client.synchronizeTime().thenRun(() -> client.synchronizeTime().waitFor()).orTimeout(60, TimeUnit.SECONDS).join();
                client.synchronizeTime().thenRun(() -> client.synchronizeTime().thenRun(() -> { }).join())
                    .orTimeout(60, TimeUnit.SECONDS).join();
                assertEquals(EventKind.LOG, events.next().kind());
            }
            Hosts.await(events.hasEnded);
        }
    }

    private interface Wait {
        void until(Pending<Void> pending) throws Exception;
    }

    /** As the thread of a window does: it is the executor's only one, and waits for a call. */
    @Test
    void theThreadOfAnExecutorMayWait() throws Exception {
        ExecutorService window = Executors.newSingleThreadExecutor();
        try (MTokenRuntime runtime = MTokenRuntime.create(); Client client = Hosts.client(runtime, Hosts.url(true))) {
            runtime.useExecutor(window);
            List<Wait> waits = List.of(Pending::waitFor, Pending::join, Pending::get, one -> one.get(60, TimeUnit.SECONDS));
            List<CompletableFuture<Thread>> after = new CopyOnWriteArrayList<>();
            for (Wait wait : waits) {
                window.submit(() -> {
                    Pending<Void> pending = client.synchronizeTime();
                    after.add(pending.thenApply(nothing -> Thread.currentThread()));
                    wait.until(pending);
                    assertTrue(pending.isDone() && !pending.isCancelled() && !pending.isCompletedExceptionally());
                    assertNull(pending.getNow(null));
                    return null;
                }).get(60, TimeUnit.SECONDS);
            }
            Thread own = window.submit(Thread::currentThread).get();
            assertEquals(List.of(own, own, own, own), after.stream().map(CompletableFuture::join).toList());
        } finally {
            window.shutdown();
        }
    }

    /** Where no other thread can be had, what a program does runs on the one that reads the events. */
    @Test
    void waitingForOneselfIsRefused() throws Exception {
        try (MTokenRuntime runtime = MTokenRuntime.create(); Client client = Hosts.client(runtime, Hosts.url(false))) {
            Pending<Void> pending = client.synchronizeTime();
            Field loop = Class.forName("mtoken.NativeObject").getDeclaredField("loop");
            Field reader = loop.getType().getDeclaredField("reader");
            loop.setAccessible(true);
            reader.setAccessible(true);
            while (reader.get(loop.get(client)) == null) {
                Thread.onSpinWait();
            }
            reader.set(loop.get(client), Thread.currentThread());
            for (Executable wait : List.<Executable>of(pending::waitFor, pending::join, pending::get,
                () -> pending.get(60, TimeUnit.SECONDS))) {
                String told = assertThrows(IllegalStateException.class, wait).getMessage();
                assertTrue(told.contains("thenCompose, or wait on another thread"), told);
            }
            pending.cancel(true);
            assertThrows(CancellationException.class, pending::join);
        }
    }

    @Test
    void coroutinesSuspend() throws Exception {
        Assumptions.assumeTrue(getClass().getResource("CoroutinesKt.class") != null, "Kotlin's compiler is not here");
        var ended = Hosts.program("CoroutinesKt", List.of());
        assertEquals(new Hosts.Ended(0, "another coroutine runs\nthe call is cancelled: true\n"), ended);
    }

    @Test
    void aCommonPoolWithoutThreadsIsNotUsed() throws Exception {
        String none = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=0";
        assertEquals(new Hosts.Ended(0, "done\n"), Hosts.program("Ending", List.of(none), Hosts.url(true), "answered"));
    }

    /** Nothing was started, and the next call finds a thread. */
    @Test
    void aThreadThatCannotBeMadeIsMadeLater() throws Exception {
        var ended = Hosts.program("Ending", List.of("-Xss512m", "-Xmx256m"), Hosts.url(true), "poor");
        assertTrue(ended.said().endsWith("0 calls, then 1\n"), ended.said());
        assertEquals(0, ended.code());
    }

    @Test
    void eventsArriveAndEnd() {
        Collected first = new Collected();
        Collected second = new Collected();
        try (MTokenRuntime runtime = MTokenRuntime.create(LOGGING);
            Client client = Hosts.client(runtime, Hosts.url(true)); Client other = Hosts.client(runtime, Hosts.url(true))) {
            client.synchronizeTime().waitFor();
            runtime.events().subscribe(first);
            Event found = first.next();
            assertEquals(EventKind.LOG, found.kind());
            assertTrue(found.isFrom(client) && !found.isFrom(other));
            assertNull(found.takeChallenge());
            assertNull(found.error());
            assertTrue(found.message().contains("time"), found.message());
            runtime.events().subscribe(second);
            other.synchronizeTime().waitFor();
            assertTrue(second.next().isFrom(other));
        }
        Hosts.await(second.hasEnded);
        Hosts.await(first.hasEnded);
    }

    /** What was kept for the first subscriber is given to it, also when the runtime is closed by then. */
    @Test
    void eventsAreKeptUntilSomebodySubscribes() throws Exception {
        Set<Thread> former = Thread.getAllStackTraces().keySet();
        MTokenRuntime runtime = MTokenRuntime.create(LOGGING);
        try (Client client = Hosts.client(runtime, Hosts.url(true))) {
            client.synchronizeTime().waitFor();
            runtime.close();
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("mtoken-events") && !former.contains(thread)) {
                thread.join(TimeUnit.SECONDS.toMillis(60));
            }
        }
        for (int round = 0; round < 2; round++) {
            Collected late = new Collected();
            runtime.events().subscribe(late);
            Hosts.await(late.hasEnded);
            assertEquals(round == 0, late.hasMore());
        }
        Collected nothing = new Collected();
        MTokenRuntime unused = MTokenRuntime.create(LOGGING);
        unused.close();
        unused.events().subscribe(nothing);
        Hosts.await(nothing.hasEnded);
        assertFalse(nothing.hasMore());
    }

    @Test
    void oneThreadWaitsForAll() throws Exception {
        String said = Hosts.program("Ending", List.of(), Hosts.url(false), "threads").said();
        assertEquals("[mtoken-events]\n", said);
    }

    /** Many that wait leave the few threads that carry them free. */
    @Test
    void virtualThreadsAreNotPinned() throws Exception {
        Assumptions.assumeTrue(Runtime.version().feature() >= 21, "this Java has no virtual threads");
        ExecutorService threads = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try (MTokenRuntime runtime = MTokenRuntime.create(); Client client = Hosts.client(runtime, Hosts.url(false));
            Client apart = client.withOptions(new CallOptions().timeoutMs(100_000))) {
            CountDownLatch begun = new CountDownLatch(500);
            List<Pending<Void>> all = new ArrayList<>();
            for (int index = 0; index < 500; index++) {
                all.add(apart.synchronizeTime());
            }
            List<Future<?>> waiting = new ArrayList<>();
            for (Pending<Void> one : all) {
                waiting.add(threads.submit(() -> {
                    begun.countDown();
                    assertThrows(CancellationException.class, one::waitFor);
                }));
            }
            Hosts.await(begun);
            all.forEach(one -> assertFalse(one.isDone()));
            all.forEach(one -> one.cancel(true));
            for (Future<?> one : waiting) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdown();
        }
    }
}
