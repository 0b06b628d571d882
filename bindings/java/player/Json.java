// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, texts, Long, Double, Boolean and null. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        return new Json(text).value();
    }

    private char next() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.charAt(at);
    }

    private boolean passes(char letter) {
        if (next() == letter) {
            at++;
            return true;
        }
        return false;
    }

    private Object value() {
        switch (next()) {
            case '{':
                at++;
                Map<String, Object> map = new LinkedHashMap<>();
                while (!passes('}')) {
                    next();
                    String name = string();
                    next();
                    at++;
                    map.put(name, value());
                    passes(',');
                }
                return map;
            case '[':
                at++;
                List<Object> list = new ArrayList<>();
                while (!passes(']')) {
                    list.add(value());
                    passes(',');
                }
                return list;
            case '"':
                return string();
            case 't':
                at += 4;
                return true;
            case 'f':
                at += 5;
                return false;
            case 'n':
                at += 4;
                return null;
            default:
                int begin = at;
                while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
                    at++;
                }
                String number = text.substring(begin, at);
                if (number.matches("-?\\d+")) {
                    return Long.valueOf(number);
                }
                return Double.valueOf(number);
        }
    }

    private String string() {
        StringBuilder made = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            char letter = text.charAt(at);
            if (letter == '\\') {
                at++;
                letter = text.charAt(at);
                int known = "nrtbf".indexOf(letter);
                if (letter == 'u') {
                    letter = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                    at += 4;
                } else if (known >= 0) {
                    letter = "\n\r\t\b\f".charAt(known);
                }
            }
            made.append(letter);
        }
        at++;
        return made.toString();
    }

    static String write(Object value) {
        StringBuilder made = new StringBuilder();
        write(value, made);
        return made.toString();
    }

    private static void write(Object value, StringBuilder made) {
        String comma = "";
        if (value instanceof Map<?, ?> map) {
            made.append('{');
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                made.append(comma);
                write(entry.getKey(), made);
                made.append(':');
                write(entry.getValue(), made);
                comma = ",";
            }
            made.append('}');
        } else if (value instanceof List<?> list) {
            made.append('[');
            for (Object item : list) {
                made.append(comma);
                write(item, made);
                comma = ",";
            }
            made.append(']');
        } else if (value instanceof String string) {
            made.append('"');
            for (char letter : string.toCharArray()) {
                if (letter == '"' || letter == '\\') {
                    made.append('\\').append(letter);
                } else if (letter < ' ') {
                    made.append(String.format("\\u%04x", (int) letter));
                } else {
                    made.append(letter);
                }
            }
            made.append('"');
        } else {
            made.append(value);
        }
    }
}
