import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import mtoken.ActivationOptions;
import mtoken.Auth;
import mtoken.Client;
import mtoken.ClientOptions;
import mtoken.MTokenRuntime;
import mtoken.Store;

/**
 * 20 loops that fetch the operations and close nothing: URL CA-FILE CONFIGURATION ACTIVATION-CODE OPERATIONS LISTS. It prints the most
 * megabytes that the process has had. Tests/python/packages/test_java_package.py runs it.
 */
final class Loops {
    private static final int COUNT = 20;

    private Loops() {
    }

    public static void main(String[] given) throws Exception {
        try (MTokenRuntime runtime = MTokenRuntime.create(); Store store = Store.memory(); Auth auth = new Auth().pin("1234".toCharArray());
            Client client = Client.create(runtime, new ClientOptions().id("loops").store(store).baseUrl(given[0]).caFile(given[1])
                .configuration(given[2]))) {
            client.activate(new ActivationOptions().code(given[3])).waitFor();
            client.persist(auth);
            client.waitActive().waitFor();
            listsThatNobodyCloses(client, Integer.parseInt(given[4]), Integer.parseInt(given[5]));
        }
        System.out.println(most() / 1024);
    }

    private static void listsThatNobodyCloses(Client client, int operations, int lists) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(COUNT);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int loop = 0; loop < COUNT; loop++) {
                all.add(threads.submit(() -> {
                    for (int index = 0; index < lists / COUNT; index++) {
                        int found = client.operationsList().waitFor().operations().size();
                        if (found != operations) {
                            throw new AssertionError(found + " operations");
                        }
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

    private static long most() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new AssertionError("the system does not tell");
    }
}
