// SPDX-License-Identifier: Apache-2.0
package mtoken;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.zip.CRC32;

/**
 * Finds the glue and the library: {@code -Dmtoken.library} or MTOKEN_LIBRARY, then the jar of the platform, then the system.
 *
 * <p>A file of a jar is unpacked into a new folder that only this user may enter, loaded, and removed. Each class loader has a glue of its
 * own, as Java demands; all with an equal library have one of it.
 */
final class Loader {
    private static final String LIBRARY = "libmtoken.so.1";
    private static final String WANTED = "ABI " + Versions.ABI + " and at least version " + Versions.NUMBER
        + ": add mtoken-" + Versions.TEXT + "-" + platform() + ".jar, or install the Debian package libmtoken1";

    private Loader() {
    }

    static String platform() {
        String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return System.getProperty("os.name").toLowerCase(Locale.ROOT) + "-" + ("amd64".equals(machine) ? "x86_64" : machine)
            + (isMusl() ? "-musl" : "");
    }

    /** The process has mapped the loader of its C library. */
    private static boolean isMusl() {
        try {
            return Files.readString(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1).contains("/ld-musl-");
        } catch (IOException problem) {
            return false;
        }
    }

    /** Null, or what is wrong. */
    static String load() {
        try {
            Carrier carrier = carrier();
            String problem = loadGlue(carrier);
            return problem != null ? problem : loadLibrary(carrier);
        } catch (IOException | ServiceConfigurationError problem) {
            return "libmtoken could not be loaded: " + problem;
        } catch (UnsatisfiedLinkError problem) {
            return problem.getMessage();
        } catch (IllegalCallerException problem) {
            String who = Loader.class.getModule().isNamed() ? Loader.class.getModule().getName() : "ALL-UNNAMED";
            return "Java was started without native access for this package: java --enable-native-access=" + who;
        }
    }

    private static Carrier carrier() {
        for (Carrier one : ServiceLoader.load(Carrier.class, Carrier.class.getClassLoader())) {
            if (one.platform().equals(platform())) {
                return one;
            }
        }
        return null;
    }

    private static String chosen() {
        String path = System.getProperty("mtoken.library");
        path = path == null || path.isEmpty() ? System.getenv("MTOKEN_LIBRARY") : path;
        return path == null || path.isEmpty() ? null : path;
    }

    /** The glue is this package's, whatever library is chosen. */
    private static String loadGlue(Carrier carrier) throws IOException {
        String name = "libmtoken-jni-" + Versions.TEXT + ".so";
        String path = System.getProperty("mtoken.jni");
        if (carrier == null && path == null) {
            return "no jar for " + platform() + " is on the path, which has the file " + name
                + " (-Dmtoken.jni names another): this package needs " + WANTED;
        }
        try (InputStream content = path == null ? carrier.open(name) : Files.newInputStream(Path.of(path))) {
            return unpacked(name, content, file -> {
                System.load(file.toString());
                return null;
            });
        }
    }

    private static String loadLibrary(Carrier carrier) throws IOException {
        String path = chosen();
        if (path == null && carrier != null) {
            String name = "libmtoken-" + Versions.TEXT + ".so";
            try (InputStream content = carrier.open(name)) {
                if (content != null) {
                    return loadCarried(name, content.readAllBytes());
                }
            }
        }
        return path == null ? open(LIBRARY, LIBRARY + " of the system") : open(path, path);
    }

    /** One that another class loader has unpacked is in memory, and stays there: it is found by the name that it had. */
    private static String loadCarried(String name, byte[] content) throws IOException {
        String told = "the file of the jar, " + name;
        CRC32 sum = new CRC32();
        sum.update(content);
        String key = "mtoken.loaded." + Versions.TEXT + "." + content.length + "." + Long.toHexString(sum.getValue());
        String loaded = System.getProperty(key);
        if (loaded != null && Native.open(loaded.getBytes(StandardCharsets.UTF_8), true) == null) {
            return unfit(told);
        }
        return unpacked(name, new ByteArrayInputStream(content), file -> {
            String problem = open(file.toString(), told);
            System.setProperty(key, file.toString());
            return problem;
        });
    }

    private static String open(String path, String told) {
        byte[] problem = Native.open(path.getBytes(StandardCharsets.UTF_8), false);
        if (problem != null) {
            String why = new Reader(problem).text();
            throw new UnsatisfiedLinkError(told + " could not be loaded (" + why + "): this package needs " + WANTED);
        }
        return unfit(told);
    }

    /** Null, or what is wrong with what was loaded. */
    private static String unfit(String told) {
        String unsuitable = unsuitable(Native.abi(), Native.version(), told);
        if (unsuitable != null) {
            return unsuitable;
        }
        byte[] missing = Native.bind();
        return missing == null ? null : told + " has no function " + new Reader(missing).text() + ": this package needs " + WANTED;
    }

    static String unsuitable(int abi, int version, String told) {
        if (abi == Versions.ABI && version >= Versions.NUMBER) {
            return null;
        }
        return told + " has ABI " + abi + " and version " + version + "; this package needs " + WANTED;
    }

    /** What is done with a file: null, or the problem with what was loaded. It throws if nothing was. */
    private interface Use {
        String of(Path file);
    }

    private static String unpacked(String name, InputStream content, Use use) throws IOException {
        if (content == null) {
            return "the jar for " + platform() + " has no " + name + ": it is of another version than " + Versions.TEXT;
        }
        byte[] bytes = content.readAllBytes();
        List<String> problems = new ArrayList<>();
        for (Path folder : folders()) {
            Path own = null;
            Path file = null;
            try {
                own = Files.createTempDirectory(folder, "mtoken-", PosixFilePermissions.asFileAttribute(
                    EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE)));
                file = own.resolve(name);
                Files.write(file, bytes);
                return use.of(file);
            } catch (UnsatisfiedLinkError problem) {
                // It may be that nothing may be executed here: the linker says so in the language of the user.
                problems.add(problem.getMessage());
            } catch (IOException problem) {
                problems.add(problem.toString());
            } finally {
                if (file != null) {
                    Files.deleteIfExists(file);
                }
                if (own != null) {
                    Files.deleteIfExists(own);
                }
            }
        }
        return name + " cannot be unpacked to where it may be executed (-Djava.io.tmpdir names a folder): " + String.join("; ", problems);
    }

    private static List<Path> folders() {
        List<Path> found = new ArrayList<>();
        found.add(Path.of(System.getProperty("java.io.tmpdir")));
        String running = System.getenv("XDG_RUNTIME_DIR");
        if (running != null) {
            found.add(Path.of(running));
        }
        found.add(Path.of(System.getProperty("user.home")));
        return found;
    }
}
