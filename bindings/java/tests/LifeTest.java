import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import mtoken.CallOptions;
import mtoken.Client;
import mtoken.ErrorCode;
import mtoken.Event;
import mtoken.EventKind;
import mtoken.Events;
import mtoken.LogLevel;
import mtoken.MToken;
import mtoken.MTokenException;
import mtoken.MTokenRuntime;
import mtoken.Outcome;
import mtoken.Pending;
import mtoken.PinWeakness;
import mtoken.RuntimeOptions;
import mtoken.Store;
import mtoken.TaskState;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors, lives, threads and ends. */
@Timeout(120)
final class LifeTest {
    private static MTokenException fails(ErrorCode code, Runnable call) {
        MTokenException error = assertThrows(MTokenException.class, call::run);
        assertEquals(code, error.code(), error.toString());
        return error;
    }

    @Test
    void errorsTellEverything() {
        MTokenException error = fails(ErrorCode.PARSE, () -> MToken.qrOperationParse("nonsense"));
        assertInstanceOf(MTokenException.Parse.class, error);
        assertEquals(8, error.details().byteOffset());
        assertEquals(1, error.details().line());
        assertEquals(Outcome.NOT_SENT, error.outcome());
        assertTrue(error.getMessage().startsWith("PARSE (tooFewLines), line 1, byte 8: "), error.getMessage());
        assertInstanceOf(MTokenException.Usage.class, fails(ErrorCode.ARGUMENT, () -> MToken.qrOperationParse("a\0b")));
        fails(ErrorCode.ARGUMENT, () -> MToken.qrOperationParse(null));
        fails(ErrorCode.HANDLE, () -> Client.create(null, null));
        assertFalse(MToken.pacMatches(null, null));
        assertNull(MToken.pacFind(null, null));
    }

    @Test
    void textsAreUnicode() {
        assertThrows(IllegalArgumentException.class, () -> MToken.qrCodeGroup("half \ud83d of a pair"));
        assertThrows(IllegalArgumentException.class, () -> MToken.qrOperationParse(CharBuffer.wrap("\ude00")));
        // Beyond the first plane, and NUL, which modified UTF-8 would write otherwise.
        String smile = Hosts.PAYLOAD.replace("Payment\n", "Payment \ud83d\ude00 \u017elu\u0165\n");
        assertEquals("Payment \ud83d\ude00 \u017elu\u0165", MToken.qrOperationParse(smile).title());
    }

    @Test
    void secretsMayBeLetters() {
        assertTrue(MToken.pinInspect("1234".getBytes(StandardCharsets.UTF_8)).contains(PinWeakness.COMMON));
        assertEquals("Payment", MToken.qrOperationParse(CharBuffer.wrap(Hosts.PAYLOAD.toCharArray())).title());
        assertFalse(MToken.keyPairNew().toString().contains("privateKey"));
    }

    @Test
    void whatIsClosedSaysSo() {
        MTokenRuntime runtime = MTokenRuntime.create();
        Client client = Hosts.client(runtime, Hosts.url(true));
        Pending<Void> pending = client.synchronizeTime();
        pending.await();
        for (int round = 0; round < 2; round++) {
            client.close();
            runtime.close();
            pending.task().close();
        }
        assertTrue(client.isClosed() && runtime.isClosed());
        fails(ErrorCode.HANDLE, client::operationsList);
        fails(ErrorCode.HANDLE, client::getInfo);
        fails(ErrorCode.HANDLE, () -> pending.task().await(0));
        fails(ErrorCode.HANDLE, () -> pending.task().cancel());
        assertNull(pending.task().operations());
        assertFalse(client.pushIsRegistered());
        assertTrue(pending.isDone() && !pending.isCompletedExceptionally());
    }

    @Test
    void closingInEveryOrderIsFine() {
        int[][] orders = { { 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 1, 0, 3, 2 }, { 2, 3, 0, 1 }, { 0, 3, 1, 2 }, { 2, 0, 3, 1 }, { 1, 3, 0, 2 },
            { 3, 1, 2, 0 } };
        for (int[] order : orders) {
            MTokenRuntime runtime = MTokenRuntime.create();
            Store store = Store.memory();
            Client client = Hosts.client(runtime, store, Hosts.url(false));
            Pending<Void> pending = client.synchronizeTime();
            AutoCloseable[] all = { runtime, store, client, pending.task() };
            for (int index : order) {
                assertClosed(all[index]);
            }
            // Closed after its task, it ends too: the runtime cancels what is under way.
            assertThrows(CompletionException.class, () -> pending.orTimeout(60, TimeUnit.SECONDS).join());
        }
    }

    private static void assertClosed(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception problem) {
            throw new AssertionError(problem);
        }
    }

    @Test
    void cancellingIsFinal() {
        MTokenRuntime runtime = MTokenRuntime.create();
        try (Client client = Hosts.client(runtime, Hosts.url(false))) {
            Pending<Void> pending = client.synchronizeTime();
            assertTrue(pending.cancel(true) && pending.isCancelled() && pending.isDone());
            Throwable told = assertThrows(CancellationException.class, pending::join);
            // Later versions of Java wrap the exception in another one for each thread.
            while (told.getCause() != null) {
                told = told.getCause();
            }
            assertInstanceOf(MTokenException.Cancelled.class, told);
            assertEquals(TaskState.CANCELLED, pending.task().state());
            Pending<Void> last = client.synchronizeTime();
            CompletableFuture<String> after = last.thenApply(nothing -> "done");
            runtime.close();
            assertEquals(ErrorCode.CANCELLED, assertThrows(MTokenException.class, last::await).code());
            assertThrows(CompletionException.class, after::join);
            fails(ErrorCode.STATE, client::synchronizeTime);
        }
    }

    @Test
    void futuresCompleteOnTheExecutor() {
        ExecutorService own = Executors.newSingleThreadExecutor(work -> new Thread(work, "own"));
        try (MTokenRuntime runtime = MTokenRuntime.create(); Client client = Hosts.client(runtime, Hosts.url(true))) {
            runtime.useExecutor(own);
            List<String> names = new ArrayList<>();
            CountDownLatch mayGo = new CountDownLatch(1);
            own.execute(() -> Hosts.await(mayGo));
            CompletableFuture<Void> named = client.synchronizeTime().thenRun(() -> names.add(Thread.currentThread().getName()));
            mayGo.countDown();
            named.join();
            assertEquals(List.of("own"), names);
            own.shutdown();
            client.synchronizeTime().await();
        }
    }

    @Test
    void eventsArriveAndEnd() {
        Collected first = new Collected();
        Collected second = new Collected();
        RuntimeOptions options = new RuntimeOptions().events(Set.of(Events.LOG, Events.TASKS)).logLevel(LogLevel.INFO);
        try (MTokenRuntime runtime = MTokenRuntime.create(options);
            Client client = Hosts.client(runtime, Hosts.url(true)); Client other = Hosts.client(runtime, Hosts.url(true))) {
            client.synchronizeTime().await();
            runtime.events().subscribe(first);
            Event found = first.next();
            assertEquals(EventKind.LOG, found.kind());
            assertTrue(found.isFrom(client) && !found.isFrom(other));
            assertNull(found.takeChallenge());
            assertNull(found.error());
            assertTrue(found.message().contains("time"), found.message());
            runtime.events().subscribe(second);
            other.synchronizeTime().await();
            assertTrue(second.next().isFrom(other));
        }
        Hosts.await(second.hasEnded);
        Hosts.await(first.hasEnded);
    }

    @Test
    void oneThreadWaitsForAll() {
        try (MTokenRuntime runtime = MTokenRuntime.create(); Client client = Hosts.client(runtime, Hosts.url(false))) {
            try (Client apart = client.withOptions(new CallOptions().timeoutMs(20_000))) {
                List<Pending<Void>> all = new ArrayList<>();
                for (int index = 0; index < 300; index++) {
                    all.add(apart.synchronizeTime());
                }
                long waiting = Thread.getAllStackTraces().keySet().stream().filter(one -> one.getName().equals("mtoken-events")).count();
                assertTrue(waiting >= 1 && waiting < 20, "threads: " + waiting);
                all.forEach(one -> assertTrue(one.cancel(true)));
            }
        }
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
                    assertThrows(CancellationException.class, one::await);
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

    /** 20 threads, 200 calls each, one client; garbage is collected all the time. */
    @Test
    void threadsShareAClient() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread collector = new Thread(() -> {
            while (!isOver.get()) {
                System.gc();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        });
        collector.start();
        ExecutorService threads = Executors.newFixedThreadPool(20);
        try (MTokenRuntime runtime = MTokenRuntime.create(); Client client = Hosts.client(runtime, Hosts.url(true))) {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < 20; thread++) {
                all.add(threads.submit(() -> {
                    try (Client own = client.withOptions(new CallOptions().timeoutMs(20_000))) {
                        for (int index = 0; index < 200; index++) {
                            own.synchronizeTime().await();
                        }
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
            assertTrue(client.getInfo().timeSynchronized());
        } finally {
            isOver.set(true);
            collector.join();
            threads.shutdown();
        }
    }

    @Test
    void sixteenThreadsReadAndClose() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        List<Future<?>> all = new ArrayList<>();
        try (MTokenRuntime runtime = MTokenRuntime.create()) {
            for (int thread = 0; thread < 16; thread++) {
                all.add(threads.submit(() -> {
                    for (int index = 0; index < 500; index++) {
                        assertEquals("100", MToken.qrOperationParse(Hosts.PAYLOAD).signedFields().fields().get(0).value());
                        Store store = Store.memory();
                        CompletableFuture<Void> closing = CompletableFuture.runAsync(store::close, threads);
                        try {
                            assertEquals(List.of(), store.clients().ids());
                        } catch (MTokenException error) {
                            assertEquals(ErrorCode.HANDLE, error.code());
                        }
                        if (index % 100 == 0) {
                            runtime.getInfo();
                        }
                        closing.cancel(false);
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void resultsOutliveWhatMadeThem() {
        for (int round = 0; round < 50; round++) {
            var read = MToken.qrOperationParse(Hosts.PAYLOAD);
            MTokenRuntime runtime = MTokenRuntime.create();
            Client client = Hosts.client(runtime, "http://127.0.0.1:1");
            Pending<Void> pending = client.synchronizeTime();
            if (round % 3 == 0) {
                client.close();
            } else if (round % 3 == 1) {
                runtime.close();
            }
            System.gc();
            assertEquals("Payment", read.title());
            assertThrows(CompletionException.class, () -> pending.orTimeout(60, TimeUnit.SECONDS).join());
        }
    }

    @Test
    void nothingIsLeft() throws IOException {
        try (MTokenRuntime runtime = MTokenRuntime.create()) {
            Runnable calls = () -> {
                for (int index = 0; index < 10_000; index++) {
                    assertEquals("Payment", MToken.qrOperationParse(Hosts.PAYLOAD).title());
                    if (index % 10 == 0) {
                        assertThrows(MTokenException.class, () -> MToken.qrOperationParse("nonsense"));
                    }
                    if (index % 100 == 0) {
                        Hosts.client(runtime, "http://127.0.0.1:1");
                    }
                }
                Hosts.collect(() -> runtime.getInfo().clients() == 0);
            };
            calls.run();
            calls.run();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 4; round++) {
                long before = resident();
                calls.run();
                least = Math.min(least, resident() - before);
            }
            assertTrue(least < 3 << 20, "each 10,000 calls have left " + least + " bytes or more");
            assertEquals(0, runtime.getInfo().clients());
        }
    }

    private static long resident() throws IOException {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4096;
    }

    /** Each has a copy of the glue, which a file can only be loaded into once. */
    @Test
    void twoClassLoadersHaveTheirOwn() throws Exception {
        List<URL> classes = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            classes.add(Path.of(path).toUri().toURL());
        }
        URL[] urls = classes.toArray(URL[]::new);
        try (URLClassLoader one = new URLClassLoader(urls, null); URLClassLoader other = new URLClassLoader(urls, null)) {
            Class<?> first = one.loadClass("mtoken.MToken");
            Class<?> second = other.loadClass("mtoken.MToken");
            assertNotSame(first, second);
            assertEquals(MToken.version(), first.getMethod("version").invoke(null));
            assertEquals(MToken.version(), second.getMethod("version").invoke(null));
        }
    }

    @Test
    void theProcessEndsWithCallsUnderWay() throws Exception {
        String url = Hosts.url(false);
        for (String how : List.of("return", "exit", "halt")) {
            assertEquals(0, Hosts.program("Ending", List.of(), url, how).code(), how);
        }
    }

    @Test
    void whatIsWrongWithTheLibraryIsTold() throws Exception {
        var gone = Hosts.program("Ending", List.of("-Dmtoken.library=/nowhere/libmtoken.so.1"));
        assertTrue(gone.said().contains("/nowhere/libmtoken.so.1 could not be loaded"), gone.said());
        assertTrue(gone.said().contains("ABI 1 and at least version " + MToken.versionNumber()), gone.said());
        var other = Hosts.program("Ending", List.of("-Dmtoken.library=libc.so.6"));
        assertTrue(other.said().contains("it is not libmtoken"), other.said());
        var none = Hosts.program("Ending", List.of("-Dmtoken.jni="));
        assertTrue(none.code() != 0, none.said());
        var compare = Class.forName("mtoken.Loader").getDeclaredMethod("unsuitable", int.class, int.class, String.class);
        compare.setAccessible(true);
        assertNull(compare.invoke(null, 1, MToken.versionNumber(), "lib"));
        assertNull(compare.invoke(null, 1, 999_999, "lib"));
        String older = (String) compare.invoke(null, 1, 9_999, "/a/lib");
        assertTrue(older.startsWith("/a/lib has ABI 1 and version 9999;") && older.contains("libmtoken1"), older);
        assertTrue(compare.invoke(null, 2, 10_000, "lib") != null);
    }

    @Test
    void everyCodeHasAFamily() throws Exception {
        var made = MTokenException.class.getDeclaredMethod("of", mtoken.ErrorDetails.class);
        made.setAccessible(true);
        var constructor = mtoken.ErrorDetails.class.getConstructors()[0];
        List<ErrorCode> others = new ArrayList<>();
        for (ErrorCode code : ErrorCode.values()) {
            Object[] given = Arrays.stream(constructor.getParameterTypes()).map(LifeTest::nothing).toArray();
            given[0] = code;
            if (made.invoke(null, constructor.newInstance(given)) instanceof MTokenException.Other) {
                others.add(code);
            }
        }
        List<ErrorCode> expected = List.of(ErrorCode.MTOKEN_OK, ErrorCode.NOT_FOUND, ErrorCode.UNSUPPORTED, ErrorCode.INTERNAL);
        assertEquals(expected, others.subList(0, others.size() - 1));
        assertEquals(ErrorCode.UNRECOGNIZED, others.get(others.size() - 1));
    }

    private static Object nothing(Class<?> type) {
        return type == int.class ? (Object) 0 : type == long.class ? (Object) 0L : type == boolean.class ? (Object) false : null;
    }
}
