// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mtoken.Event;
import mtoken.MTokenException;
import mtoken.MTokenRuntime;
import mtoken.Pending;
import mtoken.Task;
import mtoken.TaskState;

/**
 * The player of the conformance documents (Tests/conformance/README.md), on the package as programs use it. The first argument is the
 * file with C's names for what the package has, which is made from the header.
 */
final class Player {
    private static final Set<String> LACKS =
        Set.of("bad-text", "fork", "no-constant", "null-handles", "other-handles", "raw-members", "struct-size");
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)\\}");
    private static final Pattern PART = Pattern.compile("\\[(\\d+)\\]|(\\w+)");
    private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Map<String, Function> FUNCTIONS = new HashMap<>();
    private static final Map<String, String[]> COUNTS = new HashMap<>();
    private static final Map<String, Long> CONSTANTS = new HashMap<>();

    private final Map<String, Object> variables;
    private final Deque<AutoCloseable> made = new ArrayDeque<>();
    private final Map<MTokenRuntime, Collected> events = new HashMap<>();
    private int checks;

    private record Function(String owner, String method, boolean isStatic, boolean hasStatus, List<String> inputs, List<String> outs) {
    }

    /** A check that did not hold. */
    private static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failed(String message) {
            super(message);
        }
    }

    private Player(Map<String, Object> given) throws IOException {
        variables = new HashMap<>(given);
        variables.put("unique", UUID.randomUUID().toString().replace("-", ""));
        variables.put("folder", Files.createTempDirectory("mtoken-").toString());
    }

    public static void main(String[] paths) throws Exception {
        readNames(Path.of(paths[0]));
        int steps = 0;
        int checks = 0;
        Set<String> left = new TreeSet<>();
        for (String path : Arrays.asList(paths).subList(1, paths.length)) {
            Map<String, Object> document = map(Json.read(Files.readString(Path.of(path))));
            for (Object item : list(document.get("cases"))) {
                Map<String, Object> described = map(item);
                List<Object> lacking = new ArrayList<>(list(described.get("needs")));
                lacking.retainAll(LACKS);
                lacking.forEach(need -> left.add((String) need));
                if (!lacking.isEmpty()) {
                    continue;
                }
                Player player = new Player(map(described.get("variables")));
                int number = 0;
                for (Object step : list(described.get("steps"))) {
                    number++;
                    try {
                        player.play(map(step));
                    } catch (Failed | MTokenException | ReflectiveOperationException | IllegalArgumentException problem) {
                        System.err.println(document.get("name") + ", " + described.get("name") + ", step " + number + ": " + problem);
                        System.exit(1);
                    }
                }
                player.end();
                steps += number;
                checks += player.checks;
            }
        }
        left.forEach(need -> System.out.println("not applicable: " + need));
        System.out.println("steps " + steps + ", checks " + checks);
    }

    private static void readNames(Path path) throws IOException {
        for (String line : Files.readAllLines(path)) {
            String[] parts = line.split("\\|", -1);
            String[] words = parts[0].trim().split(" ");
            switch (words[0]) {
                case "call":
                    boolean isStatic = "static".equals(words[4]);
                    boolean hasStatus = "True".equals(words[5]);
                    FUNCTIONS.put(words[1], new Function(words[2], words[3], isStatic, hasStatus, names(parts[1]), names(parts[2])));
                    break;
                case "count":
                    COUNTS.put(words[1], words[2].split(","));
                    break;
                default:
                    CONSTANTS.put(words[1], Long.valueOf(words[2]));
                    break;
            }
        }
    }

    private static List<String> names(String joined) {
        return joined.isEmpty() ? List.of() : List.of(joined.split(","));
    }

    private void end() throws Exception {
        while (!made.isEmpty()) {
            made.pop().close();
        }
        try (var found = Files.walk(Path.of((String) variables.get("folder")))) {
            for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    // Paths and variables

    private static String camel(String name) {
        StringBuilder found = new StringBuilder();
        for (String part : name.split("_")) {
            found.append(part.substring(0, 1).toUpperCase()).append(part.substring(1));
        }
        return found.substring(0, 1).toLowerCase() + found.substring(1);
    }

    private static Object follow(Object owner, String path) throws ReflectiveOperationException {
        Object value = owner;
        Matcher part = PART.matcher(path);
        while (part.find()) {
            if (part.group(1) == null) {
                value = member(value, part.group(2), path);
                continue;
            }
            int index = Integer.parseInt(part.group(1));
            if (!(value instanceof List<?> items) || index >= items.size()) {
                throw new Failed(path + " does not exist");
            }
            value = plain(items.get(index));
        }
        return value;
    }

    private static Object member(Object given, String name, String path) throws ReflectiveOperationException {
        Object owner = given instanceof MTokenException error ? error.details() : given;
        if (owner instanceof Map<?, ?> map && map.containsKey(name)) {
            return map.get(name);
        }
        if (owner == null || owner instanceof Map<?, ?>) {
            throw new Failed(path + " does not exist");
        }
        Method number = method(owner.getClass(), camel(name) + "Value", 0);
        Method found = number == null ? method(owner.getClass(), camel(name), 0) : number;
        if (found != null) {
            return plain(found.invoke(owner));
        }
        for (String array : COUNTS.getOrDefault(name, new String[0])) {
            Method counted = method(owner.getClass(), camel(array), 0);
            if (counted != null) {
                return (long) ((List<?>) counted.invoke(owner)).size();
            }
        }
        throw new Failed(path + ": " + owner.getClass().getSimpleName() + " has no " + name);
    }

    private static Method method(Class<?> type, String name, int count) {
        Method found = null;
        for (Method one : type.getMethods()) {
            boolean isLetters = count == 1 && one.getParameterCount() == 1 && one.getParameterTypes()[0] == char[].class;
            if (one.getName().equals(name) && one.getParameterCount() == count && !isLetters) {
                // Of two, the one that takes numbers for constants.
                boolean isBetter = found == null || Arrays.stream(found.getParameterTypes()).anyMatch(Class::isEnum);
                found = isBetter ? one : found;
            }
        }
        return found;
    }

    private static long code(Object constant) throws ReflectiveOperationException {
        return (int) constant.getClass().getMethod("value").invoke(constant);
    }

    private static Object plain(Object value) throws ReflectiveOperationException {
        if (value instanceof Boolean answer) {
            return answer ? 1L : 0L;
        }
        if (value instanceof Enum<?>) {
            return code(value);
        }
        if (value instanceof Set<?> flags) {
            long bits = 0;
            for (Object flag : flags) {
                bits |= code(flag);
            }
            return bits;
        }
        if (value instanceof Instant time) {
            return time.toEpochMilli();
        }
        return value instanceof Integer number ? Long.valueOf(number) : value;
    }

    private Object value(Object item) throws ReflectiveOperationException {
        if (item instanceof Map<?, ?>) {
            Map<String, Object> found = new LinkedHashMap<>();
            for (Map.Entry<String, Object> entry : map(item).entrySet()) {
                found.put(entry.getKey(), value(entry.getValue()));
            }
            return found;
        }
        if (item instanceof List<?> items) {
            List<Object> found = new ArrayList<>();
            for (Object one : items) {
                found.add(value(one));
            }
            return found;
        }
        if (!(item instanceof String text)) {
            return item;
        }
        Matcher reference = REFERENCE.matcher(text);
        if (reference.matches()) {
            return follow(variables, reference.group(1));
        }
        StringBuilder found = new StringBuilder();
        reference.reset();
        while (reference.find()) {
            reference.appendReplacement(found, Matcher.quoteReplacement(String.valueOf(follow(variables, reference.group(1)))));
        }
        return reference.appendTail(found).toString();
    }

    // What the library takes

    private static long number(Object value) {
        if (value == null) {
            return 0;
        }
        if (value instanceof Boolean answer) {
            return answer ? 1 : 0;
        }
        if (!(value instanceof String names)) {
            return ((Number) value).longValue();
        }
        long total = 0;
        for (String name : names.split("\\|")) {
            if (!CONSTANTS.containsKey(name)) {
                throw new Failed("there is no constant " + name);
            }
            total |= CONSTANTS.get(name);
        }
        return total;
    }

    private static byte[] content(Object value) {
        if (value == null || value instanceof byte[]) {
            return (byte[]) value;
        }
        if (value instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        Map<String, Object> coded = map(value);
        if (coded.containsKey("base64")) {
            return Base64.getDecoder().decode((String) coded.get("base64"));
        }
        return HexFormat.of().parseHex((String) coded.get("hex"));
    }

    private static Object argument(Object value, Type generic) throws ReflectiveOperationException {
        Class<?> type = (Class<?>) (generic instanceof ParameterizedType given ? given.getRawType() : generic);
        if (type == String.class || type == CharSequence.class) {
            return value == null ? null : new String(content(value), StandardCharsets.UTF_8);
        }
        if (type == byte[].class) {
            return content(value);
        }
        if (type == boolean.class) {
            return number(value) == 1;
        }
        if (type == int.class) {
            return (int) number(value);
        }
        if (type == long.class) {
            return number(value);
        }
        if (type == Instant.class) {
            return value == null ? null : Instant.ofEpochMilli(number(value));
        }
        if (type.isEnum()) {
            return constants(type, number(value), false).stream().findFirst().orElse(null);
        }
        if (type == Set.class) {
            return constants((Class<?>) ((ParameterizedType) generic).getActualTypeArguments()[0], number(value), true);
        }
        if (value == null) {
            return null;
        }
        if (type == List.class) {
            List<Object> items = new ArrayList<>();
            for (Object item : list(value)) {
                items.add(argument(item, ((ParameterizedType) generic).getActualTypeArguments()[0]));
            }
            return items;
        }
        if (type.isInstance(value)) {
            return value;
        }
        if (type == Task.class) {
            return ((Pending<?>) value).task();
        }
        Object options = type.getConstructor().newInstance();
        for (Map.Entry<String, Object> entry : map(value).entrySet()) {
            Method setter = method(type, camel(entry.getKey()), 1);
            if (setter == null) {
                throw new Failed(type.getSimpleName() + " has no member " + entry.getKey());
            }
            invoke(setter, options, argument(entry.getValue(), setter.getGenericParameterTypes()[0]));
        }
        return options;
    }

    private static Set<Object> constants(Class<?> type, long wanted, boolean isFlags) throws ReflectiveOperationException {
        Set<Object> found = new LinkedHashSet<>();
        for (Object one : type.getEnumConstants()) {
            long value = code(one);
            if (isFlags ? value > 0 && (wanted & value) == value : value == wanted) {
                found.add(one);
            }
        }
        return found;
    }

    // Steps

    private void check(boolean holds, String message) {
        checks++;
        if (!holds) {
            throw new Failed(message);
        }
    }

    private void status(Map<String, Object> step, MTokenException error) {
        String wanted = (String) step.getOrDefault("fails", "MTOKEN_OK");
        check((error == null ? 0 : error.code().value()) == CONSTANTS.get(wanted), error + " instead of " + wanted);
    }

    private void after(Map<String, Object> step, Map<String, Object> record) throws ReflectiveOperationException {
        for (Map.Entry<String, Object> entry : map(step.get("expect")).entrySet()) {
            Object found = follow(record, entry.getKey());
            Object wanted = value(entry.getValue());
            check(holds(found, wanted), entry.getKey() + " is " + Json.write(found) + ", not " + Json.write(wanted));
        }
        for (Map.Entry<String, Object> entry : map(step.get("keep")).entrySet()) {
            variables.put(entry.getKey(), follow(record, (String) entry.getValue()));
        }
    }

    private void play(Map<String, Object> step) throws Exception {
        if (step.containsKey("call")) {
            call(step);
        } else if (step.containsKey("wait")) {
            await(step);
        } else if (step.containsKey("event")) {
            event(step);
        } else if (step.containsKey("read")) {
            after(step, record("value", value(step.get("read"))));
        } else if (step.containsKey("http")) {
            http(step);
        } else {
            throw new Failed("a step of no kind");
        }
    }

    private static Map<String, Object> record(String name, Object value) {
        Map<String, Object> found = new HashMap<>();
        found.put(name, value);
        return found;
    }

    /** What can fail. */
    private interface Action {
        Object run() throws ReflectiveOperationException;
    }

    private static MTokenException attempt(Map<String, Object> record, Action action) throws ReflectiveOperationException {
        record.put("error", null);
        record.put("result", null);
        try {
            record.put("result", action.run());
            return null;
        } catch (MTokenException error) {
            record.put("error", error);
            return error;
        }
    }

    private static Object invoke(Method method, Object receiver, Object... arguments) throws ReflectiveOperationException {
        try {
            return method.invoke(receiver, arguments);
        } catch (InvocationTargetException problem) {
            if (problem.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw problem;
        }
    }

    private void call(Map<String, Object> step) throws Exception {
        String name = (String) step.get("call");
        Map<String, Object> given = map(value(step.get("with")));
        Map<String, Object> record = new HashMap<>();
        if (!special(name, given, step, record)) {
            Function function = FUNCTIONS.get(name);
            if (function == null) {
                throw new Failed("there is no function " + name);
            }
            List<String> inputs = function.inputs();
            for (String key : given.keySet()) {
                if (!inputs.contains(key)) {
                    throw new Failed(name + " has no parameter " + key);
                }
            }
            Class<?> owner = Class.forName("mtoken." + function.owner());
            Object receiver = function.isStatic() ? null : argument(given.get(inputs.get(0)), owner);
            List<String> rest = function.isStatic() ? inputs : inputs.subList(1, inputs.size());
            Method method = method(owner, function.method(), rest.size());
            Object[] arguments = new Object[rest.size()];
            for (int index = 0; index < arguments.length; index++) {
                arguments[index] = argument(given.get(rest.get(index)), method.getGenericParameterTypes()[index]);
            }
            MTokenException error = attempt(record, () -> invoke(method, receiver, arguments));
            Object result = record.get("result");
            for (String out : function.outs()) {
                Object found = result == null || function.outs().size() == 1 ? result : member(result, out.replaceFirst("^out_", ""), out);
                record.put(out, plain(found));
                Object owned = found instanceof Pending<?> pending ? pending.task() : found;
                if (owned instanceof AutoCloseable closeable) {
                    made.push(closeable);
                }
            }
            record.put("result", function.outs().isEmpty() ? plain(result) : null);
            if (function.hasStatus()) {
                status(step, error);
            }
        }
        after(step, record);
    }

    /** Functions that the package has in another form. */
    private boolean special(String name, Map<String, Object> given, Map<String, Object> step, Map<String, Object> record) throws Exception {
        Task task = given.get("task") instanceof Pending<?> pending ? pending.task() : null;
        switch (name) {
            case "mtoken_task_join":
            case "mtoken_task_wait":
                MTokenException error = attempt(record, () -> {
                    task.waitFor(number(given.get("timeout_ms")));
                    return null;
                });
                boolean isOver = "mtoken_task_wait".equals(name) && error != null && !task.isClosed() && task.state() != TaskState.RUNNING;
                record.put("error", isOver ? null : error);
                status(step, isOver ? null : error);
                return true;
            case "mtoken_task_get_state":
                record.put("result", plain(task.state()));
                return true;
            case "mtoken_task_cancel":
                status(step, attempt(record, () -> {
                    task.cancel();
                    return null;
                }));
                return true;
            case "mtoken_error_is_operation_over":
                record.put("result", plain(((MTokenException) given.get("error")).isOperationOver()));
                return true;
            case "mtoken_event_take_challenge":
                AutoCloseable challenge = ((Event) given.get("received")).takeChallenge();
                if (challenge != null) {
                    made.push(challenge);
                }
                record.put("result", challenge);
                return true;
            default:
                break;
        }
        if (!name.endsWith("_free")) {
            return false;
        }
        for (Object item : given.values()) {
            Object freed = item instanceof Pending<?> pending ? pending.task() : item;
            if (freed instanceof AutoCloseable closeable) {
                closeable.close();
            }
        }
        return true;
    }

    private void await(Map<String, Object> step) throws ReflectiveOperationException {
        Pending<?> pending = (Pending<?>) value(step.get("wait"));
        Map<String, Object> record = new HashMap<>();
        status(step, attempt(record, pending::waitFor));
        record.put("result", null);
        if (step.containsKey("get")) {
            Method getter = method(Task.class, FUNCTIONS.get((String) step.get("get")).method(), 0);
            record.put("result", plain(invoke(getter, pending.task())));
        }
        after(step, record);
    }

    private void event(Map<String, Object> step) throws Exception {
        MTokenRuntime runtime = (MTokenRuntime) value(step.get("event"));
        Collected collected = events.computeIfAbsent(runtime, one -> {
            Collected created = new Collected();
            one.events().subscribe(created);
            return created;
        });
        while (true) {
            Event found = collected.next();
            if (code(found.kind()) == number(step.get("kind"))) {
                after(step, record("event", found));
                return;
            }
        }
    }

    private void http(Map<String, Object> step) throws Exception {
        String url = (String) value(step.get("url"));
        String text = step.containsKey("body") ? Json.write(value(step.get("body"))) : (String) value(step.getOrDefault("text", ""));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        Map<String, Object> headers = new LinkedHashMap<>(Map.of("Content-Type", "application/json"));
        headers.putAll(map(value(step.get("headers"))));
        headers.forEach((name, content) -> request.header(name, (String) content));
        request.method((String) step.get("http"), HttpRequest.BodyPublishers.ofString(text));
        HttpResponse<String> answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        long status = answer.statusCode();
        boolean isGood = step.containsKey("status") ? status == number(value(step.get("status"))) : status >= 200 && status < 300;
        check(isGood, step.get("http") + " " + url + ": HTTP status " + status + ": " + answer.body());
        Map<String, Object> record = record("status", status);
        record.put("body", answer.body().isEmpty() ? null : Json.read(answer.body()));
        after(step, record);
    }

    private static boolean holds(Object found, Object wanted) {
        if (wanted instanceof Map<?, ?> asked && asked.size() == 1) {
            Object given = asked.values().iterator().next();
            String text = found instanceof String string ? string : null;
            switch ((String) asked.keySet().iterator().next()) {
                case "not":
                    return !holds(found, given);
                case "at_least":
                    return found instanceof Long number && number >= number(given);
                case "at_most":
                    return found instanceof Long number && number <= number(given);
                case "begins":
                    return text != null && text.startsWith((String) given);
                case "contains":
                    return text != null && text.contains((String) given);
                case "length":
                    return found != null && content(found).length == number(given);
                case "one_of":
                    return list(given).stream().anyMatch(item -> holds(found, item));
                default:
                    return found instanceof byte[] bytes && Arrays.equals(bytes, content(wanted));
            }
        }
        if (found instanceof Long number && (wanted instanceof String || wanted instanceof Boolean)) {
            return number == number(wanted);
        }
        if (found instanceof Number one && wanted instanceof Number other && (found instanceof Double || wanted instanceof Double)) {
            return one.doubleValue() == other.doubleValue();
        }
        return Objects.equals(found, wanted);
    }
}
