// SPDX-License-Identifier: Apache-2.0
// The player of the conformance documents (Tests/conformance/README.md), on the package as programs use it. Names.cs, with C's names for
// what the package has, is generated into build/.
using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using Mtoken;
using Map = System.Collections.Generic.Dictionary<string, object>;

class Failed : Exception
{
    public Failed(string message) : base(message) { }
}

class Player
{
    static readonly string[] Lacks = { "bad-text", "fork", "null-handles", "other-handles", "raw-members", "struct-size" };
    readonly Map variables;
    readonly List<IDisposable> made = new List<IDisposable>();
    int checks;

    static int Main(string[] paths)
    {
        int steps = 0, checks = 0;
        var left = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var path in paths)
        {
            var document = (Map)Json.Read(File.ReadAllText(path));
            foreach (Map described in (List<object>)document["cases"])
            {
                var lacking = ((List<object>)described["needs"]).Cast<string>().Where(Lacks.Contains).ToArray();
                left.UnionWith(lacking);
                if (lacking.Length > 0) continue;
                var player = new Player((Map)described["variables"]);
                var number = 0;
                foreach (Map step in (List<object>)described["steps"])
                {
                    number++;
                    try
                    {
                        player.Play(step);
                    }
                    catch (Exception problem)
                    {
                        var told = problem is Failed ? problem.Message : problem.ToString();
                        Console.Error.WriteLine("{0}, {1}, step {2}: {3}", document["name"], described["name"], number, told);
                        return 1;
                    }
                }
                player.End();
                steps += number;
                checks += player.checks;
            }
        }
        foreach (var need in left) Console.WriteLine("not applicable: " + need);
        Console.WriteLine("steps {0}, checks {1}", steps, checks);
        return 0;
    }

    Player(Map given)
    {
        var unique = Guid.NewGuid().ToString("N");
        var folder = Path.Combine(Path.GetTempPath(), "mtoken-" + unique);
        Directory.CreateDirectory(folder);
        variables = new Map(given) { { "unique", unique }, { "folder", folder } };
    }

    void End()
    {
        for (var index = made.Count - 1; index >= 0; index--) made[index].Dispose();
        Directory.Delete((string)variables["folder"], true);
    }

    // Paths and variables

    static string Pascal(string name)
    {
        return string.Concat(name.Split('_').Where(part => part != "").Select(part => char.ToUpper(part[0]) + part.Substring(1)));
    }

    static object Follow(object value, string path)
    {
        foreach (Match part in Regex.Matches(path, @"\[(\d+)\]|(\w+)"))
        {
            if (part.Groups[1].Success)
            {
                var list = value as IList;
                var index = int.Parse(part.Groups[1].Value);
                if (list == null || index >= list.Count) throw new Failed(path + " does not exist");
                value = Plain(list[index]);
            }
            else
            {
                value = Member(value, part.Groups[2].Value, path);
            }
        }
        return value;
    }

    static object Member(object owner, string name, string path)
    {
        var map = owner as Map;
        if (map != null)
        {
            if (!map.ContainsKey(name)) throw new Failed(path + " does not exist");
            return map[name];
        }
        if (owner == null) throw new Failed(path + " does not exist");
        var kind = owner.GetType();
        object found;
        if (Read(owner, Pascal(name), out found) || Pascal(name) == kind.Name && Read(owner, Pascal(name) + "Value", out found)) return Plain(found);
        if (Names.Counts.ContainsKey(name))
            foreach (var array in Names.Counts[name].Split(','))
                if (Read(owner, Pascal(array), out found)) return (long)((IList)found).Count;
        throw new Failed(path + ": " + kind.Name + " has no " + name);
    }

    /// A property, or the method of a secret.
    static bool Read(object owner, string name, out object found)
    {
        var property = owner.GetType().GetProperty(name);
        var getter = property == null ? owner.GetType().GetMethod("Get" + name, Type.EmptyTypes) : property.GetGetMethod();
        found = getter == null ? null : getter.Invoke(owner, null);
        return getter != null;
    }

    static object Plain(object value)
    {
        if (value is bool) return (bool)value ? 1L : 0L;
        if (value is Enum || value is int || value is uint || value is ulong) return Convert.ToInt64(value);
        return value;
    }

    object Value(object item)
    {
        if (item is Map) return ((Map)item).ToDictionary(pair => pair.Key, pair => Value(pair.Value));
        if (item is List<object>) return ((List<object>)item).Select(Value).ToList();
        var text = item as string;
        if (text == null) return item;
        var whole = Regex.Match(text, @"\A\$\{([^}]*)\}\z");
        if (whole.Success) return Follow(variables, whole.Groups[1].Value);
        return Regex.Replace(text, @"\$\{([^}]*)\}", found => Convert.ToString(Follow(variables, found.Groups[1].Value)));
    }

    // What the library takes

    static long Number(object value)
    {
        if (value == null) return 0;
        var names = value as string;
        if (names == null) return Convert.ToInt64(value);
        return names.Split('|').Aggregate(0L, (total, name) =>
        {
            if (!Names.Constants.ContainsKey(name)) throw new Failed("there is no constant " + name);
            return total | Names.Constants[name];
        });
    }

    static byte[] Content(object value)
    {
        if (value == null || value is byte[]) return (byte[])value;
        if (value is string) return Encoding.UTF8.GetBytes((string)value);
        var map = (Map)value;
        if (map.ContainsKey("base64")) return Convert.FromBase64String((string)map["base64"]);
        var hex = (string)map["hex"];
        return Enumerable.Range(0, hex.Length / 2).Select(index => Convert.ToByte(hex.Substring(2 * index, 2), 16)).ToArray();
    }

    static object Argument(object value, Type kind)
    {
        if (value != null && kind.IsInstanceOfType(value) && !(value is IList)) return value;
        if (kind == typeof(string)) return value == null ? null : Encoding.UTF8.GetString(Content(value));
        if (kind == typeof(byte[])) return Content(value);
        if (kind == typeof(bool)) return Number(value) == 1;
        if (kind.IsEnum) return Enum.ToObject(kind, Number(value));
        if (kind.IsValueType) return Convert.ChangeType(Number(value), kind);
        if (value == null) return null;
        if (kind.IsGenericType)
        {
            var inner = kind.GetGenericArguments()[0];
            var items = ((List<object>)value).Select(item => Argument(item, inner)).ToArray();
            var array = Array.CreateInstance(inner, items.Length);
            items.CopyTo(array, 0);
            return array;
        }
        var made = Activator.CreateInstance(kind);
        foreach (var pair in (Map)value)
        {
            var property = kind.GetProperty(Pascal(pair.Key));
            if (property == null) throw new Failed(kind.Name + " has no member " + pair.Key);
            property.SetValue(made, Argument(pair.Value, property.PropertyType));
        }
        return made;
    }

    // Steps

    void Check(bool holds, string message)
    {
        checks++;
        if (!holds) throw new Failed(message);
    }

    void Status(Map step, MTokenException error)
    {
        var wanted = step.ContainsKey("fails") ? (string)step["fails"] : "MTOKEN_OK";
        Check((error == null ? 0 : (long)error.Code) == Names.Constants[wanted], error + " instead of " + wanted);
    }

    static object Get(Map map, string name)
    {
        object found;
        return map.TryGetValue(name, out found) ? found : null;
    }

    void After(Map step, Map record)
    {
        foreach (var pair in (Map)Get(step, "expect") ?? new Map())
        {
            var found = Follow(record, pair.Key);
            var wanted = Value(pair.Value);
            Check(Holds(found, wanted), string.Format("{0} is {1}, not {2}", pair.Key, Show(found), Show(wanted)));
        }
        foreach (var pair in (Map)Get(step, "keep") ?? new Map()) variables[pair.Key] = Follow(record, (string)pair.Value);
    }

    static string Show(object value) { return value == null ? "null" : Json.Write(value); }

    void Play(Map step)
    {
        if (step.ContainsKey("call")) Call(step);
        else if (step.ContainsKey("wait")) Wait(step);
        else if (step.ContainsKey("event")) Event(step);
        else if (step.ContainsKey("read")) After(step, new Map { { "value", Value(step["read"]) } });
        else if (step.ContainsKey("http")) Http(step);
        else throw new Failed("a step of no kind");
    }

    MTokenException Attempt(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (MTokenException error)
        {
            return error;
        }
    }

    static object Invoke(MethodInfo method, object receiver, object[] arguments)
    {
        try
        {
            return method.Invoke(receiver, arguments);
        }
        catch (TargetInvocationException problem) when (problem.InnerException is MTokenException)
        {
            throw problem.InnerException;
        }
    }

    void Call(Map step)
    {
        var name = (string)step["call"];
        var given = (Map)Value(Get(step, "with")) ?? new Map();
        var record = new Map { { "error", null }, { "result", null } };
        if (!Special(name, given, step, record))
        {
            if (!Names.Functions.ContainsKey(name)) throw new Failed("there is no function " + name);
            var parts = Names.Functions[name].Split('|');
            var facts = parts[0].Split(' ');
            var inputs = parts[1].Split(',').Where(input => input != "").ToList();
            var outs = parts[2].Split(',').Where(item => item != "").ToList();
            var unknown = given.Keys.FirstOrDefault(key => !inputs.Contains(key));
            if (unknown != null) throw new Failed(name + " has no parameter " + unknown);
            var method = typeof(Api).Assembly.GetType("Mtoken." + facts[0]).GetMethod(facts[1]);
            object receiver = null;
            if (facts[2] == "method")
            {
                receiver = Get(given, inputs[0]);
                inputs.RemoveAt(0);
            }
            var taken = method.GetParameters();
            var arguments = inputs.Select((input, index) => Argument(Get(given, input), taken[index].ParameterType)).ToArray();
            object result = null;
            var error = Attempt(() => result = Invoke(method, receiver, arguments));
            record["error"] = error;
            for (var index = 0; index < outs.Count; index++)
            {
                var found = outs.Count == 1 || result == null ? result : result.GetType().GetProperty("Item" + (index + 1)).GetValue(result);
                record[outs[index]] = Plain(found);
                if (found is IDisposable) made.Add((IDisposable)found);
            }
            if (outs.Count == 0) record["result"] = Plain(result);
            if (facts[3] == "True") Status(step, error);
        }
        After(step, record);
    }

    /// Functions that the package has in another form.
    bool Special(string name, Map given, Map step, Map record)
    {
        var task = Get(given, "task") as Pending;
        if (name.EndsWith("_free"))
        {
            foreach (var item in given.Values.OfType<IDisposable>()) item.Dispose();
            return true;
        }
        switch (name)
        {
            case "mtoken_task_join":
            case "mtoken_task_wait":
                var error = Attempt(() => task.Wait(Number(Get(given, "timeout_ms"))));
                if (name == "mtoken_task_wait" && task.State > TaskState.Running) error = null;
                record["error"] = error;
                Status(step, error);
                return true;
            case "mtoken_task_get_state":
                record["result"] = (long)task.State;
                return true;
            case "mtoken_task_cancel":
                Status(step, Attempt(task.Cancel));
                return true;
            case "mtoken_error_is_operation_over":
                record["result"] = Plain(((MTokenException)given["error"]).IsOperationOver);
                return true;
            case "mtoken_event_take_challenge":
                var challenge = ((Event)given["received"]).TakeChallenge();
                if (challenge != null) made.Add(challenge);
                record["result"] = challenge;
                return true;
        }
        return false;
    }

    void Wait(Map step)
    {
        var task = (Pending)Value(step["wait"]);
        var error = Attempt(() => task.Finish().GetAwaiter().GetResult());
        Status(step, error);
        object result = null;
        var getter = (string)Get(step, "get");
        if (getter != null) result = Invoke(typeof(Pending).GetMethod(Names.Functions[getter].Split(' ')[1]), task, new object[0]);
        After(step, new Map { { "error", error }, { "result", Plain(result) } });
    }

    void Event(Map step)
    {
        var runtime = (Runtime)Value(step["event"]);
        using (var limit = new CancellationTokenSource(60000))
        {
            while (true)
            {
                var found = runtime.NextEventAsync(limit.Token).GetAwaiter().GetResult();
                if ((long)found.Kind != Number(step["kind"])) continue;
                After(step, new Map { { "event", found } });
                return;
            }
        }
    }

    void Http(Map step)
    {
        var url = new Uri((string)Value(step["url"]));
        var text = step.ContainsKey("body") ? Json.Write(Value(step["body"])) : (string)Value(Get(step, "text")) ?? "";
        var headers = new Map { { "Content-Type", "application/json" } };
        foreach (var pair in (Map)Value(Get(step, "headers")) ?? new Map()) headers[pair.Key] = pair.Value;
        var body = Encoding.UTF8.GetBytes(text);
        var head = step["http"] + " " + url.PathAndQuery + " HTTP/1.0\r\nHost: " + url.Authority + "\r\nConnection: close\r\nContent-Length: "
            + body.Length + "\r\n" + string.Concat(headers.Select(pair => pair.Key + ": " + pair.Value + "\r\n")) + "\r\n";
        var answer = new MemoryStream();
        using (var connection = new TcpClient(url.Host, url.Port))
        {
            var stream = connection.GetStream();
            stream.Write(Encoding.UTF8.GetBytes(head), 0, Encoding.UTF8.GetByteCount(head));
            stream.Write(body, 0, body.Length);
            stream.CopyTo(answer);
        }
        var all = Encoding.UTF8.GetString(answer.ToArray());
        var end = all.IndexOf("\r\n\r\n", StringComparison.Ordinal);
        var content = all.Substring(end + 4);
        if (all.Substring(0, end).ToLowerInvariant().Contains("transfer-encoding: chunked")) content = Joined(content);
        var status = long.Parse(all.Split(' ')[1]);
        var isGood = step.ContainsKey("status") ? status == Number(Value(step["status"])) : status >= 200 && status < 300;
        Check(isGood, step["http"] + " " + url + ": HTTP status " + status + ": " + content);
        After(step, new Map { { "status", status }, { "body", content == "" ? null : Json.Read(content) } });
    }

    static string Joined(string rest)
    {
        var text = new StringBuilder();
        while (true)
        {
            var line = rest.IndexOf("\r\n", StringComparison.Ordinal);
            var size = Convert.ToInt32(rest.Substring(0, line), 16);
            if (size == 0) return text.ToString();
            text.Append(rest, line + 2, size);
            rest = rest.Substring(line + 4 + size);
        }
    }

    static bool Holds(object found, object wanted)
    {
        var asked = wanted as Map;
        if (asked != null && asked.Count == 1)
        {
            var pair = asked.First();
            var text = found as string;
            switch (pair.Key)
            {
                case "not": return !Holds(found, pair.Value);
                case "at_least": return found is long && (long)found >= Number(pair.Value);
                case "at_most": return found is long && (long)found <= Number(pair.Value);
                case "begins": return text != null && text.StartsWith((string)pair.Value, StringComparison.Ordinal);
                case "contains": return text != null && text.Contains((string)pair.Value);
                case "length": return found != null && Content(found).Length == Number(pair.Value);
                case "one_of": return ((List<object>)pair.Value).Any(item => Holds(found, item));
                case "hex":
                case "base64": return found is byte[] && ((byte[])found).SequenceEqual(Content(wanted));
            }
        }
        if (found is long && (wanted is string || wanted is bool)) return (long)found == Number(wanted);
        if (found is double || wanted is double)
            return found != null && wanted != null && Convert.ToDouble(found) == Convert.ToDouble(wanted);
        return Equals(found, wanted);
    }
}

static class Json
{
    public static object Read(string text)
    {
        var at = 0;
        return Value(text, ref at);
    }

    static void Space(string text, ref int at)
    {
        while (at < text.Length && char.IsWhiteSpace(text[at])) at++;
    }

    static object Value(string text, ref int at)
    {
        Space(text, ref at);
        switch (text[at])
        {
            case '{':
                var map = new Map();
                for (at++, Space(text, ref at); text[at] != '}'; Next(text, ref at))
                {
                    Space(text, ref at);
                    var name = Text(text, ref at);
                    Space(text, ref at);
                    at++;
                    map[name] = Value(text, ref at);
                }
                at++;
                return map;
            case '[':
                var list = new List<object>();
                for (at++, Space(text, ref at); text[at] != ']'; Next(text, ref at)) list.Add(Value(text, ref at));
                at++;
                return list;
            case '"': return Text(text, ref at);
            case 't': at += 4; return true;
            case 'f': at += 5; return false;
            case 'n': at += 4; return null;
        }
        var begin = at;
        while (at < text.Length && "+-.eE0123456789".IndexOf(text[at]) >= 0) at++;
        var number = text.Substring(begin, at - begin);
        long whole;
        if (long.TryParse(number, out whole)) return whole;
        return double.Parse(number, System.Globalization.CultureInfo.InvariantCulture);
    }

    static void Next(string text, ref int at)
    {
        Space(text, ref at);
        if (text[at] == ',') at++;
        Space(text, ref at);
    }

    static string Text(string text, ref int at)
    {
        var made = new StringBuilder();
        for (at++; text[at] != '"'; at++)
        {
            if (text[at] != '\\')
            {
                made.Append(text[at]);
                continue;
            }
            at++;
            if (text[at] == 'u')
            {
                made.Append((char)Convert.ToInt32(text.Substring(at + 1, 4), 16));
                at += 4;
            }
            else
            {
                var known = "nrtbf".IndexOf(text[at]);
                made.Append(known < 0 ? text[at] : "\n\r\t\b\f"[known]);
            }
        }
        at++;
        return made.ToString();
    }

    public static string Write(object value)
    {
        if (value == null) return "null";
        if (value is bool) return (bool)value ? "true" : "false";
        if (value is Map) return "{" + string.Join(",", ((Map)value).Select(pair => Quoted(pair.Key) + ":" + Write(pair.Value))) + "}";
        if (value is List<object>) return "[" + string.Join(",", ((List<object>)value).Select(Write)) + "]";
        if (value is string) return Quoted((string)value);
        return Convert.ToString(value, System.Globalization.CultureInfo.InvariantCulture);
    }

    static string Quoted(string text)
    {
        var made = new StringBuilder("\"");
        foreach (var character in text)
        {
            if (character == '"' || character == '\\') made.Append('\\').Append(character);
            else if (character < ' ') made.AppendFormat("\\u{0:x4}", (int)character);
            else made.Append(character);
        }
        return made.Append('"').ToString();
    }
}
