import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import mtoken.MToken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the library is found. */
@Timeout(120)
final class LoaderTest {
    @Test
    void twoClassLoadersHaveTheirOwn() throws Exception {
        String version = MToken.version();
        String said = String.join(" ", version, version, version) + ", libraries: 1\n";
        assertEquals(new Hosts.Ended(0, said), Hosts.program("Loaders", List.of()));
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

    /** In whatever language the linker says so; what loads and is unsuitable is so in each folder. */
    @Test
    void whatCannotBeLoadedIsTriedInTheNextFolder() throws Exception {
        List<Path> tried = new ArrayList<>();
        assertNull(unpacked(tried, 1, null));
        assertEquals(2, tried.size());
        assertFalse(tried.get(0).getParent().getParent().equals(tried.get(1).getParent().getParent()), tried.toString());
        tried.clear();
        assertEquals("unsuitable", unpacked(tried, 0, "unsuitable"));
        assertEquals(1, tried.size());
        tried.clear();
        String problem = unpacked(tried, Integer.MAX_VALUE, null);
        assertTrue(problem.contains("Zuordnen von Seg 1") && problem.contains("Zuordnen von Seg 2"), problem);
        for (Path file : tried) {
            assertFalse(Files.exists(file.getParent()), file.toString());
        }
    }

    /** Unpacks a file that the linker refuses so many times, before it comes to this. */
    private static String unpacked(List<Path> tried, int refusals, String outcome) throws Exception {
        Class<?> use = Class.forName("mtoken.Loader$Use");
        Object used = Proxy.newProxyInstance(use.getClassLoader(), new Class<?>[] { use }, (proxy, method, given) -> {
            Path file = (Path) given[0];
            assertEquals("content", Files.readString(file));
            tried.add(file);
            if (tried.size() <= refusals) {
                throw new UnsatisfiedLinkError("Zuordnen von Seg " + tried.size());
            }
            return outcome;
        });
        var method = Class.forName("mtoken.Loader").getDeclaredMethod("unpacked", String.class, InputStream.class, use);
        method.setAccessible(true);
        return (String) method.invoke(null, "file", new ByteArrayInputStream("content".getBytes()), used);
    }
}
