import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import mtoken.CallOptions;
import mtoken.Client;
import mtoken.MToken;
import mtoken.MTokenRuntime;
import mtoken.Pending;

/** Programs of their own: what ends with 500 calls under way, and what cannot be undone in a process. */
final class Ending {
    private Ending() {
    }

    public static void main(String[] given) throws Exception {
        if (given.length == 0) {
            System.out.println(MToken.version());
            return;
        }
        if ("secrets".equals(given[1])) {
            secrets();
            return;
        }
        MTokenRuntime runtime = MTokenRuntime.create();
        Client client = Hosts.client(runtime, given[0]);
        switch (given[1]) {
            case "answered":
                client.synchronizeTime().waitFor();
                System.out.println("done");
                break;
            case "poor":
                poor(client, runtime);
                break;
            case "threads":
                Set<Thread> before = Thread.getAllStackTraces().keySet();
                under(client);
                Set<Thread> after = new HashSet<>(Thread.getAllStackTraces().keySet());
                after.removeAll(before);
                System.out.println(after.stream().map(Thread::getName).toList());
                break;
            case "exit":
                under(client);
                System.exit(0);
                break;
            case "halt":
                under(client);
                Runtime.getRuntime().halt(0);
                break;
            default:
                under(client);
                break;
        }
    }

    /** 500 calls, which stay under way. */
    private static void under(Client client) {
        Client apart = client.withOptions(new CallOptions().timeoutMs(20_000));
        List<Pending<Void>> all = new ArrayList<>();
        for (int index = 0; index < 500; index++) {
            all.add(apart.synchronizeTime());
        }
        if (all.stream().anyMatch(Pending::isDone)) {
            throw new IllegalStateException("a call has ended");
        }
    }

    /** There is no room for the stack of another thread, and then there is. */
    private static void poor(Client client, MTokenRuntime runtime) throws IOException, InterruptedException {
        Client silent = Hosts.client(runtime, Hosts.url(false));
        long size = Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[0]) * 4096;
        limit(Long.toString(size + (200 << 20)));
        try {
            silent.synchronizeTime();
            throw new IllegalStateException("a thread was made");
        } catch (OutOfMemoryError problem) {
            System.out.print(runtime.getInfo().tasksRunning() + " calls, then ");
        }
        limit("unlimited");
        client.synchronizeTime().waitFor();
        System.out.println(1);
    }

    /** What is found in a dump of the heap of a result and an argument of calls, when the program has wiped its own. */
    private static void secrets() throws IOException {
        var pair = MToken.keyPairNew();
        byte[] pin = new byte[24];
        new SecureRandom().nextBytes(pin);
        for (int index = 0; index < pin.length; index++) {
            pin[index] = (byte) ('a' + (pin[index] & 15));
        }
        MToken.pinInspect(pin);
        byte[] hiddenKey = hidden(pair.privateKey());
        byte[] hiddenPin = hidden(pin);
        Arrays.fill(pair.privateKey(), (byte) 0);
        Arrays.fill(pin, (byte) 0);
        Path folder = Files.createTempDirectory("mtoken-");
        Path file = folder.resolve("heap.hprof");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), false);
            String heap = Files.readString(file, StandardCharsets.ISO_8859_1);
            System.out.println("public " + has(heap, pair.publicKey()) + ", private " + has(heap, hidden(hiddenKey)) + ", pin "
                + has(heap, hidden(hiddenPin)));
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static byte[] hidden(byte[] bytes) {
        byte[] made = new byte[bytes.length];
        for (int index = 0; index < made.length; index++) {
            made[index] = (byte) (bytes[index] ^ 0x5a);
        }
        return made;
    }

    private static boolean has(String heap, byte[] bytes) {
        return heap.contains(new String(bytes, StandardCharsets.ISO_8859_1));
    }

    private static void limit(String bytes) throws IOException, InterruptedException {
        String process = Long.toString(ProcessHandle.current().pid());
        int code = new ProcessBuilder("prlimit", "--pid", process, "--as=" + bytes + ":").inheritIO().start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("prlimit ended with " + code);
        }
    }
}
