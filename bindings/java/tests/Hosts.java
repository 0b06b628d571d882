import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import mtoken.Client;
import mtoken.ClientOptions;
import mtoken.HeaderText;
import mtoken.MToken;
import mtoken.MTokenRuntime;
import mtoken.Store;

/** What the tests talk to. */
final class Hosts {
    static final String PAYLOAD = "5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6\nPayment\nPlease confirm this payment\n"
        + "A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello world\nBCFX\nAD8bOO0Df73kNaIGb3Vmpg==\n"
        + "0MEYCIQDby1Uq+MaxiAAGzKmE/McHzNOUrvAP2qqGBvSgcdtyjgIhAMo1sgqNa1pPZTFBhhKvCKFLGDuHuTTYexdmHFjUUIJW";
    private static final long MINUTE = 60;

    private Hosts() {
    }

    /** The address of a server that tells the time, or never answers. */
    static String url(boolean answers) {
        try {
            @SuppressWarnings("resource")
            ServerSocket listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
            daemon(() -> {
                while (true) {
                    Socket connection = listener.accept();
                    daemon(() -> answer(connection, answers));
                }
            });
            return "http://127.0.0.1:" + listener.getLocalPort();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void daemon(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException problem) {
                // The other side is gone.
                return;
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static void answer(Socket connection, boolean answers) throws IOException {
        String body = "{\"status\":\"OK\",\"responseObject\":{\"serverTime\":1700000000000}}";
        String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n";
        byte[] answer = (head + body).getBytes(StandardCharsets.US_ASCII);
        byte[] buffer = new byte[4096];
        while (connection.getInputStream().read(buffer) > 0) {
            if (answers) {
                connection.getOutputStream().write(answer);
            }
        }
    }

    static Client client(MTokenRuntime runtime, String url) {
        return client(runtime, Store.memory(), url);
    }

    static Client client(MTokenRuntime runtime, Store store, String url) {
        return Client.create(runtime, options(store, url));
    }

    static ClientOptions options(Store store, String url) {
        byte[] key = MToken.keyPairNew().publicKey();
        ByteArrayOutputStream configuration = new ByteArrayOutputStream();
        configuration.writeBytes(new byte[] { 1, 16 });
        configuration.writeBytes(new byte[16]);
        configuration.write(16);
        configuration.writeBytes(new byte[16]);
        configuration.writeBytes(new byte[] { 1, 1, (byte) key.length });
        configuration.writeBytes(key);
        return new ClientOptions().id("alice").baseUrl(url).store(store).allowHttp(true)
            .configuration(Base64.getEncoder().encodeToString(configuration.toByteArray()))
            .headers(List.of(new HeaderText().name("X-Test").value("1")));
    }

    static void await(CountDownLatch latch) {
        try {
            if (!latch.await(MINUTE, TimeUnit.SECONDS)) {
                throw new AssertionError("it did not come");
            }
        } catch (InterruptedException problem) {
            throw new AssertionError(problem);
        }
    }

    /** Collects garbage until what depends on it has happened. */
    static void collect(BooleanSupplier isDone) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MINUTE);
        do {
            if (System.nanoTime() > end) {
                throw new AssertionError("objects were not freed");
            }
            System.gc();
        } while (!isDone.getAsBoolean());
    }

    /** All orders of so many things. */
    static List<List<Integer>> orders(int count) {
        if (count == 0) {
            return List.of(List.of());
        }
        List<List<Integer>> found = new ArrayList<>();
        for (List<Integer> rest : orders(count - 1)) {
            for (int place = 0; place < count; place++) {
                List<Integer> one = new ArrayList<>(rest);
                one.add(place, count - 1);
                found.add(one);
            }
        }
        return found;
    }

    /** How a program ended. */
    record Ended(int code, String said) {
    }

    /** Runs a class of the tests in a Java of its own, as this one runs. */
    static Ended program(String name, List<String> options, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
        command.addAll(java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), name));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("mtoken-", ".txt");
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
            boolean hasEnded = process.waitFor(MINUTE, TimeUnit.SECONDS);
            process.destroyForcibly();
            String said = Files.readString(output);
            if (!hasEnded) {
                throw new AssertionError(name + " did not end: " + said);
            }
            return new Ended(process.exitValue(), said);
        } finally {
            Files.delete(output);
        }
    }
}
