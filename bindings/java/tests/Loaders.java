import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import mtoken.Client;
import mtoken.EventKind;
import mtoken.Events;
import mtoken.LogLevel;
import mtoken.MToken;
import mtoken.MTokenRuntime;
import mtoken.RuntimeOptions;

/**
 * Two class loaders in one process. Each has a copy of the glue, which a file can only be loaded into once, and threads of its own; both
 * have one library; and when all is closed, nothing keeps them.
 */
final class Loaders {
    private Loaders() {
    }

    /** What each loader has of its own. */
    static final class Inside implements Callable<String> {
        @Override
        public String call() {
            RuntimeOptions options = new RuntimeOptions().events(Set.of(Events.LOG)).logLevel(LogLevel.INFO);
            Collected events = new Collected();
            try (MTokenRuntime runtime = MTokenRuntime.create(options);
                Client client = Hosts.client(runtime, System.getProperty("loaders.url"))) {
                runtime.events().subscribe(events);
                String made = client.synchronizeTime().thenApply(nothing -> MToken.version()).join();
                if (events.next().kind() != EventKind.LOG || !client.getInfo().timeSynchronized()) {
                    throw new AssertionError("an event of another kind");
                }
                return made;
            }
        }
    }

    private static URL[] path() throws Exception {
        List<URL> found = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            found.add(Path.of(path).toUri().toURL());
        }
        return found.toArray(URL[]::new);
    }

    private static Callable<?> inside(ClassLoader loader) throws Exception {
        Class<?> type = Class.forName("Loaders$Inside", true, loader);
        if (type == Inside.class) {
            throw new AssertionError("the class is not the loader's own");
        }
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return (Callable<?>) constructor.newInstance();
    }

    /** Each calls, turn about; gives what they say, without keeping them. */
    private static String called(List<WeakReference<ClassLoader>> loaders) throws Exception {
        try (URLClassLoader one = new URLClassLoader(path(), null); URLClassLoader other = new URLClassLoader(path(), null)) {
            loaders.add(new WeakReference<>(one));
            loaders.add(new WeakReference<>(other));
            Callable<?> first = inside(one);
            Callable<?> second = inside(other);
            return first.call() + " " + second.call() + " " + first.call();
        }
    }

    /** How many there are in memory, besides the glue. */
    private static long libraries() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
            .filter(line -> line.contains(" r-xp ") && line.contains("/libmtoken") && !line.contains("-jni")).count();
    }

    public static void main(String[] given) throws Exception {
        System.setProperty("loaders.url", Hosts.url(true));
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        String said = called(loaders);
        Hosts.collect(() -> loaders.stream().allMatch(loader -> loader.get() == null));
        System.out.println(said + ", libraries: " + libraries());
    }
}
