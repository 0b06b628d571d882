import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import mtoken.Auth;
import mtoken.CallOptions;
import mtoken.Client;
import mtoken.ClientOptions;
import mtoken.ErrorCode;
import mtoken.HeaderText;
import mtoken.KeyPairNewResult;
import mtoken.MToken;
import mtoken.MTokenException;
import mtoken.MTokenRuntime;
import mtoken.OidcOptions;
import mtoken.OidcRequest;
import mtoken.Outcome;
import mtoken.Pending;
import mtoken.PinWeakness;
import mtoken.Store;
import mtoken.TaskState;
import mtoken.Watch;
import mtoken.Watcher;
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
        assertEquals("a cause", error.initCause(new IOException("a cause")).getCause().getMessage());
    }

    /** Of whatever waits, or goes on. */
    @Test
    void failuresStandWhereTheCallWasBegun() {
        try (MTokenRuntime runtime = MTokenRuntime.create(); Client client = Hosts.client(runtime, "http://127.0.0.1:1")) {
            List<Throwable> found = List.of(assertThrows(MTokenException.class, () -> paysRent(client).waitFor()),
                assertThrows(CompletionException.class, () -> paysRent(client).join()).getCause(),
                assertThrows(ExecutionException.class, () -> paysRent(client).get()).getCause(),
                paysRent(client).handle((nothing, problem) -> problem).join());
            for (Throwable one : found) {
                assertEquals(ErrorCode.NETWORK, assertInstanceOf(MTokenException.class, one).code());
                assertTrue(Arrays.stream(one.getStackTrace()).anyMatch(frame -> "paysRent".equals(frame.getMethodName())), one.toString());
            }
        }
    }

    private static Pending<Void> paysRent(Client client) {
        return client.synchronizeTime();
    }

    private static void refused(Class<? extends RuntimeException> kind, String said, Runnable call) {
        assertEquals(said, assertThrows(kind, call::run).getMessage());
    }

    @Test
    void nullsAndTimesAreRefusedByName() {
        refused(NullPointerException.class, "runtime is null", () -> Client.create(null, new ClientOptions()));
        refused(NullPointerException.class, "pac is null", () -> MToken.pacMatches(null, null));
        try (MTokenRuntime runtime = MTokenRuntime.create(); Client client = Hosts.client(runtime, "http://127.0.0.1:1")) {
            refused(NullPointerException.class, "options is null", () -> Client.create(runtime, null));
            refused(NullPointerException.class, "auth is null", () -> client.persist(null));
            refused(NullPointerException.class, "headers[1] is null", () -> Client.create(runtime,
                Hosts.options(Store.memory(), "http://127.0.0.1:1").headers(Arrays.asList(new HeaderText().name("X").value("1"), null))));
            Watcher watcher = Watcher.create(client);
            refused(IllegalArgumentException.class, "expires is beyond what 64 bits of milliseconds tell: " + Instant.MAX,
                () -> watcher.add(List.of(new Watch().id("1").expires(Instant.MAX))));
            refused(IllegalArgumentException.class, "expires is 1970-01-01T00:00:00Z, which stands for no time",
                () -> watcher.add(List.of(new Watch().id("1").expires(Instant.EPOCH))));
        }
    }

    @Test
    void errorsAreSerializable() throws Exception {
        MTokenException error = fails(ErrorCode.PARSE, () -> MToken.qrOperationParse("nonsense"));
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(written)) {
            out.writeObject(error);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(written.toByteArray()))) {
            MTokenException read = (MTokenException) in.readObject();
            assertEquals(error.details(), read.details());
            assertEquals(ErrorCode.PARSE, read.code());
        }
    }

    /** What is public is a method of a public class. */
    @Test
    void reflectionReachesWhatIsPublic() throws Exception {
        List<String> hidden = new ArrayList<>();
        int count = 0;
        for (Class<?> type : classes()) {
            for (Method method : Modifier.isPublic(type.getModifiers()) ? type.getMethods() : new Method[0]) {
                count++;
                if (!Modifier.isPublic(method.getDeclaringClass().getModifiers())) {
                    hidden.add(type.getSimpleName() + "." + method.getName());
                }
            }
        }
        assertEquals(List.of(), hidden);
        assertTrue(count > 1000, "methods: " + count);
        Store store = Store.memory();
        AutoCloseable.class.getMethod("close").invoke(store);
        assertEquals(true, Store.class.getMethod("isClosed").invoke(store));
    }

    /** Another thread adds to the list while it is read. */
    @Test
    void listsMayGrowMeanwhile() {
        List<HeaderText> headers = new CopyOnWriteArrayList<>() {
            private static final long serialVersionUID = 1;

            @Override
            public int size() {
                int found = super.size();
                add(new HeaderText().name("X-Another").value("0"));
                return found;
            }
        };
        headers.add(new HeaderText().name("X-Test").value("1"));
        try (MTokenRuntime runtime = MTokenRuntime.create();
            Client client = Client.create(runtime, Hosts.options(Store.memory(), "http://127.0.0.1:1").headers(headers))) {
            assertFalse(client.isClosed());
        }
    }

    /** Other odd arguments of each call: Tests/conformance/odd.py. Java's types take no NaN, infinity or text where a number is wanted;
     * how long one waits is said to the future, when the call has begun, and the call goes on. */
    @Test
    void oddLimitsOfAWait() throws Exception {
        try (MTokenRuntime runtime = MTokenRuntime.create();
            Client client = Hosts.client(runtime, Hosts.url(true))) {
            Pending<Void> pending = client.synchronizeTime();
            for (long limit : new long[] {Long.MIN_VALUE, -1, 0}) {
                try {
                    pending.get(limit, TimeUnit.DAYS);
                } catch (TimeoutException early) {
                    assertFalse(pending.isCancelled());
                }
            }
            pending.get(Long.MAX_VALUE, TimeUnit.DAYS);
        }
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
    void resultsShowWhatTheyHold() {
        var operation = MToken.qrOperationParse(Hosts.PAYLOAD);
        String shown = operation.toString();
        assertTrue(shown.startsWith("QrOperation[verification=NOT_CHECKED, "), shown);
        assertTrue(shown.contains(", id=" + operation.id() + ", ") && shown.contains("kind=AMOUNT"), shown);
        assertFalse(shown.contains("payload=") || shown.contains("totp="), shown);
    }

    @Test
    void resultsAreComparedByWhatTheyHold() {
        var operation = MToken.qrOperationParse(Hosts.PAYLOAD);
        var same = MToken.qrOperationParse(Hosts.PAYLOAD);
        assertEquals(Set.of(operation), new HashSet<>(List.of(operation, same)));
        assertNotEquals(operation, MToken.qrOperationParse(Hosts.PAYLOAD.replace("Payment\n", "Payments\n")));
        var pair = MToken.keyPairNew();
        var copy = new KeyPairNewResult(pair.privateKey().clone(), pair.publicKey().clone());
        assertEquals(Set.of(pair), new HashSet<>(List.of(pair, copy)));
        assertNotEquals(pair, MToken.keyPairNew());
    }

    /** As JSON, what a result prints; as Java's own serialization, nothing. */
    @Test
    void resultsAreWrittenByJackson() throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        var operation = MToken.qrOperationParse(Hosts.PAYLOAD);
        JsonNode written = mapper.readTree(mapper.writeValueAsString(operation));
        assertEquals(operation.id(), written.get("id").asText());
        assertEquals("AMOUNT", written.get("signedFields").get("fields").get(0).get("kind").asText());
        assertArrayEquals(operation.nonceBytes(), written.get("nonceBytes").binaryValue());
        assertFalse(written.has("payload") || written.has("totp"), written.toString());
        var pair = MToken.keyPairNew();
        assertEquals(List.of("publicKey"), names(mapper.readTree(mapper.writeValueAsString(pair))));
        var out = new ObjectOutputStream(new ByteArrayOutputStream());
        assertEquals("mtoken.QrOperation", assertThrows(NotSerializableException.class, () -> out.writeObject(operation)).getMessage());
    }

    private static List<String> names(JsonNode node) {
        List<String> found = new ArrayList<>();
        node.fieldNames().forEachRemaining(found::add);
        return found;
    }

    @Test
    void secretsMayBeLetters() {
        assertTrue(MToken.pinInspect("1234".getBytes(StandardCharsets.UTF_8)).contains(PinWeakness.COMMON));
        assertEquals("Payment", MToken.qrOperationParse(CharBuffer.wrap(Hosts.PAYLOAD.toCharArray())).title());
        assertFalse(MToken.keyPairNew().toString().contains("privateKey"));
    }

    /** No copy of a secret is on the heap but those that the program has. */
    @Test
    void copiesOfSecretsAreWiped() throws Exception {
        assertEquals(new Hosts.Ended(0, "public true, private false, pin false\n"), Hosts.program("Ending", List.of(), "", "secrets"));
    }

    /** Of each option that takes bytes or letters which the program wipes: a new one cannot be forgotten. */
    @Test
    void optionsShowNoSecrets() throws Exception {
        ObjectMapper mapper = new ObjectMapper().disable(SerializationFeature.FAIL_ON_EMPTY_BEANS);
        Map<Class<?>, Object> secrets = Map.of(byte[].class, "hidden".getBytes(StandardCharsets.UTF_8),
            char[].class, "hidden".toCharArray(), CharSequence.class, CharBuffer.wrap("hidden"));
        int count = 0;
        for (Class<?> type : classes()) {
            for (Method setter : type.getMethods()) {
                Class<?>[] taken = setter.getParameterTypes();
                if (setter.getReturnType() == type && taken.length == 1 && secrets.containsKey(taken[0])) {
                    Object option = type.getConstructor().newInstance();
                    setter.invoke(option, secrets.get(taken[0]));
                    assertEquals("{}", mapper.writeValueAsString(option), setter.toString());
                    assertFalse(option.toString().contains("hidden") || option instanceof Serializable, setter.toString());
                    count++;
                }
            }
        }
        assertTrue(count > 10, "setters: " + count);
    }

    private static List<Class<?>> classes() throws Exception {
        Path folder = Path.of(MToken.class.getProtectionDomain().getCodeSource().getLocation().toURI()).resolve("mtoken");
        List<Class<?>> found = new ArrayList<>();
        try (var files = Files.newDirectoryStream(folder, "*.class")) {
            for (Path file : files) {
                found.add(Class.forName("mtoken." + file.getFileName().toString().replace(".class", "")));
            }
        }
        return found;
    }

    /** A closed secret is not a PIN of zeros, and no secret is in a text. */
    @Test
    void closedSecretsAreRefused() {
        try (MTokenRuntime runtime = MTokenRuntime.create(); Client client = Hosts.client(runtime, Hosts.url(true))) {
            Auth auth = new Auth().pin("8265".toCharArray());
            assertFalse(auth.toString().contains("8265"));
            auth.close();
            assertTrue(assertThrows(IllegalStateException.class, () -> client.persist(auth)).getMessage().contains("Auth was closed"));
            fails(ErrorCode.ARGUMENT, () -> client.persist(new Auth().pin(new byte[4])));
            fails(ErrorCode.ARGUMENT, () -> client.persist(new Auth()));
        }
    }

    @Test
    void whatIsClosedSaysSo() {
        MTokenRuntime runtime = MTokenRuntime.create();
        Client client = Hosts.client(runtime, Hosts.url(true));
        Pending<Void> pending = client.synchronizeTime();
        pending.waitFor();
        for (int round = 0; round < 2; round++) {
            client.close();
            runtime.close();
            pending.task().close();
        }
        assertTrue(client.isClosed() && runtime.isClosed());
        fails(ErrorCode.HANDLE, client::operationsList);
        fails(ErrorCode.HANDLE, client::getInfo);
        fails(ErrorCode.HANDLE, () -> pending.task().waitFor(0));
        fails(ErrorCode.HANDLE, () -> pending.task().cancel());
        fails(ErrorCode.HANDLE, () -> pending.task().state());
        assertNull(pending.task().operations());
        assertFalse(client.pushIsRegistered());
        assertTrue(pending.isDone() && !pending.isCompletedExceptionally());
    }

    /** The call ends too, as cancelled by whatever was closed first; or, once its task is closed, nobody can say how. */
    @Test
    void closingInEveryOrderIsFine() {
        String url = Hosts.url(false);
        int count = 0;
        for (List<Integer> order : Hosts.orders(6)) {
            MTokenRuntime runtime = MTokenRuntime.create();
            Store store = Store.memory();
            Client client = Hosts.client(runtime, store, url);
            Pending<Void> pending = client.synchronizeTime();
            Watcher watcher = Watcher.create(client);
            watcher.add(List.of(new Watch().id("1").operationData("A1").expires(Instant.now().plusSeconds(60))));
            OidcRequest request = OidcRequest.create(new OidcOptions().providerId("bank").clientId("app").scopes("openid")
                .authorizeUri("https://idp.example.com/authorize").redirectUri("mtoken://oidc"));
            AutoCloseable[] all = { runtime, store, client, pending.task(), watcher, request };
            for (int index : order) {
                assertClosed(all[index]);
            }
            pending.orTimeout(60, TimeUnit.SECONDS);
            MTokenException error = assertThrows(MTokenException.class, pending::waitFor);
            assertTrue(Set.of(ErrorCode.CANCELLED, ErrorCode.HANDLE).contains(error.code()), order + ": " + error);
            count++;
        }
        assertEquals(720, count);
    }

    /** Whatever is closed first, and whether the calls have got to the loop by then. */
    @Test
    void callsOfWhatIsClosedAreCancelled() {
        String url = Hosts.url(false);
        for (int round = 0; round < 100; round++) {
            MTokenRuntime runtime = MTokenRuntime.create();
            Client client = Hosts.client(runtime, url);
            List<Pending<Void>> calls = Stream.generate(client::synchronizeTime).limit(16).toList();
            if (round % 3 > 0) {
                Thread.yield();
            }
            if (round % 2 > 0) {
                client.close();
            }
            if (round % 4 < 3) {
                runtime.close();
            }
            for (Pending<Void> call : calls) {
                call.orTimeout(60, TimeUnit.SECONDS);
                assertEquals(ErrorCode.CANCELLED, assertThrows(MTokenException.class, call::waitFor).code(), "round " + round);
            }
            runtime.close();
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
            assertEquals(ErrorCode.CANCELLED, assertThrows(MTokenException.class, last::waitFor).code());
            assertThrows(CompletionException.class, after::join);
            fails(ErrorCode.STATE, client::synchronizeTime);
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
                            own.synchronizeTime().waitFor();
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

    /** A store is closed before, while and after another thread reads from it. */
    @Test
    void sixteenThreadsReadAndClose() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        ExecutorService closers = Executors.newFixedThreadPool(16);
        AtomicInteger read = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        List<Future<?>> all = new ArrayList<>();
        try (MTokenRuntime runtime = MTokenRuntime.create()) {
            for (int thread = 0; thread < 16; thread++) {
                all.add(threads.submit(() -> {
                    for (int index = 0; index < 500; index++) {
                        assertEquals("100", MToken.qrOperationParse(Hosts.PAYLOAD).signedFields().fields().get(0).value());
                        Store store = Store.memory();
                        CompletableFuture<Void> reading = new CompletableFuture<>();
                        CompletableFuture<Void> closing = index % 5 == 0 ? reading.thenRunAsync(store::close, closers)
                            : CompletableFuture.runAsync(store::close, closers);
                        if (index % 5 == 1) {
                            closing.join();
                        }
                        try {
                            assertEquals(List.of(), store.clients().ids());
                            read.incrementAndGet();
                        } catch (MTokenException error) {
                            assertEquals(ErrorCode.HANDLE, error.code());
                            refused.incrementAndGet();
                        }
                        if (index % 100 == 0) {
                            runtime.getInfo();
                        }
                        reading.complete(null);
                        closing.join();
                        assertTrue(store.isClosed());
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdown();
            closers.shutdown();
        }
        assertEquals(8000, read.get() + refused.get());
        assertTrue(read.get() >= 1600 && refused.get() >= 1600, read + " were read, " + refused + " refused");
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

    @Test
    void theProcessEndsWithCallsUnderWay() throws Exception {
        String url = Hosts.url(false);
        for (String how : List.of("return", "exit", "halt")) {
            assertEquals(0, Hosts.program("Ending", List.of(), url, how).code(), how);
        }
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
