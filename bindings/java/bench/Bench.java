import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import mtoken.ActivationOptions;
import mtoken.Auth;
import mtoken.CallOptions;
import mtoken.Client;
import mtoken.ClientOptions;
import mtoken.Factor;
import mtoken.Key;
import mtoken.MToken;
import mtoken.MTokenRuntime;
import mtoken.OperationField;
import mtoken.OperationList;
import mtoken.Pending;
import mtoken.QrOperation;
import mtoken.SignOptions;
import mtoken.Store;
import mtoken.VerifyOptions;

/** What the work of Tests/bench/bindings/README.md costs in Java. */
final class Bench {
    /** What each thread has taken: one that has ended keeps its time. */
    private static final Map<Path, Long> TIMES = new HashMap<>();
    private static Object kept;
    private static int sum;

    private Bench() {
    }

    /** The processor time of all threads, those of Java's own included, in nanoseconds. What Java says has steps of 10 ms. */
    private static long clock() {
        try (var threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                try {
                    TIMES.put(thread, Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]));
                } catch (IOException problem) {
                    // It has ended since it was listed: what it took before is known.
                    continue;
                }
            }
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
        return TIMES.values().stream().mapToLong(Long::longValue).sum();
    }

    private static void figure(String name, double ns) {
        System.out.printf(Locale.ROOT, "{\"name\": \"%s\", \"ns\": %.1f}%n", name, ns);
    }

    private static void measure(String name, Runnable operation) {
        // The compilers first.
        for (int index = 0; index < 100_000; index++) {
            operation.run();
        }
        int count = 1;
        double best = Double.MAX_VALUE;
        for (int batches = 0; batches < 30;) {
            long start = clock();
            for (int index = 0; index < count; index++) {
                operation.run();
            }
            long taken = clock() - start;
            if (batches == 0 && taken < 50_000_000) {
                count *= 2;
                continue;
            }
            batches++;
            best = Math.min(best, (double) taken / count);
        }
        figure(name, best);
    }

    private static String given(String name) {
        return System.getenv("MTOKEN_BENCH_" + name);
    }

    private static void readAll(QrOperation read) {
        kept = new Object[] { read.payload(), read.id(), read.title(), read.message(), read.rawTitle(), read.rawMessage(), read.flags(),
            read.unknownFlags(), read.totp(), read.extras(), read.nonce(), read.nonceBytes(), read.signature(), read.signatureBytes(),
            read.verification(), read.serverKey() };
        sum += (int) read.signedLength();
        sum += read.allowsBiometry() | read.flipButtons() | read.warnsOfFraud() | read.blockApprovalOnCall() | read.isNewerFormat() ? 1 : 0;
        for (OperationField field : read.signedFields().fields()) {
            kept = field;
        }
    }

    private static void lists(Client client) {
        int count = given("LISTS") == null ? 1000 : Integer.parseInt(given("LISTS"));
        double best = Double.MAX_VALUE;
        try (Client apart = client.withOptions(new CallOptions().timeoutMs(30_000))) {
            for (int batch = 0; batch < 3; batch++) {
                long start = clock();
                List<Pending<OperationList>> all = new ArrayList<>();
                for (int index = 0; index < count; index++) {
                    all.add(apart.operationsList());
                }
                for (Pending<OperationList> one : all) {
                    if (!one.waitFor().operations().isEmpty()) {
                        throw new IllegalStateException("an operation");
                    }
                }
                best = Math.min(best, (double) (clock() - start) / count);
            }
        }
        figure("lists", best);
    }

    public static void main(String[] arguments) {
        try (MTokenRuntime runtime = MTokenRuntime.create(); Store store = Store.memory(); Auth pin = new Auth().pin("1234".toCharArray());
            Client client = Client.create(runtime, new ClientOptions().id("bench").store(store).baseUrl(given("URL"))
                .caFile(given("CA")).configuration(given("CONFIGURATION")))) {
            client.activate(new ActivationOptions().code(given("CODE"))).waitFor();
            client.persist(pin);
            client.fetchStatus().waitFor();
            lists(client);
            String payload = given("PAYLOAD");
            measure("call", () -> sum += MToken.abiVersion());
            measure("qr_text", () -> kept = MToken.qrOperationParse(payload).title());
            measure("qr_struct", () -> readAll(MToken.qrOperationParse(payload)));
            VerifyOptions verify = new VerifyOptions().serverKey(Key.MASTER).signedBytes(given("SIGNED").getBytes(StandardCharsets.UTF_8))
                .signature(Base64.getDecoder().decode(given("SIGNATURE")));
            measure("verify", () -> {
                if (!client.verify(verify)) {
                    throw new IllegalStateException("not valid");
                }
            });
            byte[] body = "a".repeat(300).getBytes(StandardCharsets.UTF_8);
            SignOptions sign = new SignOptions().method("POST").uriId("/test/signed").body(body);
            Auth auth = new Auth().factors(Set.of(Factor.POSSESSION));
            measure("sign", () -> {
                kept = client.sign(sign, auth).value();
                client.signatureAccepted();
            });
            auth.close();
        }
    }
}
