// The package's own tests: errors, lives, threads. One program for every runtime; it prints what failed.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Mtoken;

static class Tests
{
    const string Payload = "5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6\nPayment\nPlease confirm this payment\n" +
        "A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello world\nBCFX\nAD8bOO0Df73kNaIGb3Vmpg==\n" +
        "0MEYCIQDby1Uq+MaxiAAGzKmE/McHzNOUrvAP2qqGBvSgcdtyjgIhAMo1sgqNa1pPZTFBhhKvCKFLGDuHuTTYexdmHFjUUIJW";

    static int Main(string[] arguments)
    {
        if (arguments.Length == 2)
            return arguments[0] == "exit" ? EndWithCallsUnderWay(arguments[1])
                : arguments[0] == "lists" ? CountLists(arguments[1])
                : arguments[0] == "planted" ? CallFromMemory(arguments[1]) : CountThreads(arguments[1]);
        var failed = 0;
        foreach (var test in typeof(Tests).GetMethods().Where(method => method.DeclaringType == typeof(Tests)))
        {
            try
            {
                var ended = test.Invoke(null, null) as Task;
                if (ended != null) ended.GetAwaiter().GetResult();
                Console.WriteLine("passed: " + test.Name);
            }
            catch (Exception problem)
            {
                failed++;
                Console.WriteLine("FAILED: {0}: {1}", test.Name, problem);
            }
        }
        return failed == 0 ? 0 : 1;
    }

    static void Must(bool holds, object said = null)
    {
        if (!holds) throw new Exception("not so: " + said);
    }

    static MTokenException Fails(Action action)
    {
        try
        {
            action();
        }
        catch (MTokenException error)
        {
            return error;
        }
        throw new Exception("it did not fail");
    }

    /// A server that tells the time, or never answers.
    static string Clock(bool answers)
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        new Thread(() =>
        {
            while (true)
            {
                var connection = listener.AcceptTcpClient();
                new Thread(() => Answer(connection, answers)) { IsBackground = true }.Start();
            }
        }) { IsBackground = true }.Start();
        return "http://127.0.0.1:" + ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    static void Answer(TcpClient connection, bool answers)
    {
        var body = "{\"status\":\"OK\",\"responseObject\":{\"serverTime\":1700000000000}}";
        var head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + body.Length + "\r\n\r\n";
        var answer = Encoding.UTF8.GetBytes(head + body);
        var buffer = new byte[4096];
        try
        {
            var stream = connection.GetStream();
            while (stream.Read(buffer, 0, buffer.Length) > 0)
                if (answers) stream.Write(answer, 0, answer.Length);
        }
        catch (IOException)
        {
        }
    }

    static string Configuration()
    {
        var keys = Api.KeyPairNew().Item2;
        return Convert.ToBase64String(new byte[] { 1, 16 }.Concat(new byte[16]).Concat(new byte[] { 16 }).Concat(new byte[16])
            .Concat(new byte[] { 1, 1, (byte)keys.Length }).Concat(keys).ToArray());
    }

    static Client NewClient(Runtime runtime, string url)
    {
        return Client.Create(runtime, new ClientOptions
        {
            Id = "alice", BaseUrl = url, Configuration = Configuration(), Store = Store.Memory(), AllowHttp = true,
            Headers = new[] { new HeaderText { Name = "X-Test", Value = "1" } }
        });
    }

    public static void ErrorsTell()
    {
        var error = Fails(() => Api.QrOperationParse("nonsense"));
        Must(error.Code == ErrorCode.Parse && error.ByteOffset == 8 && error.Line == 1, error);
        Must(error.Message.StartsWith("MTOKEN_ERROR_PARSE (tooFewLines), line 1, byte 8: "), error.Message);
        Must(Fails(() => Api.QrOperationParse("a\0b")).Code == ErrorCode.Argument);
        Must(Fails(() => Api.QrOperationParse(null)).Code == ErrorCode.Argument);
        Must(Fails(() => Client.Create(null, null)).Code == ErrorCode.Handle);
        Must(!Api.PacMatches(null, null) && Api.PacFind(null, null) == null);
    }

    public static void OpenTakesNothingThatIsWrong()
    {
        try
        {
            Client.Open("/tmp", null);
            Must(false, "no options");
        }
        catch (ArgumentNullException)
        {
        }
        var folder = Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString("N"));
        var options = new ClientOptions { Id = "alice", BaseUrl = "https://127.0.0.1:1", Configuration = "nonsense", CaFile = "/nowhere/ca.pem" };
        try
        {
            for (var round = 0; round < 3; round++) Fails(() => Client.Open(folder, options));
            Must(options.Store == null && options.TlsTrust == default(Tls), "the options are the program's");
            var right = new ClientOptions { Id = "alice", BaseUrl = "https://127.0.0.1:1", Configuration = Configuration() };
            Func<int> descriptors = () => Directory.GetFileSystemEntries("/proc/self/fd").Length;
            Client.Open(folder, right).Dispose();
            var before = descriptors();
            for (var round = 0; round < 50; round++)
                using (var client = Client.Open(folder, right)) Must(client.OwnRuntime.GetInfo().Clients == 1);
            Must(descriptors() < before + 8, "each client has left " + (descriptors() - before) / 50 + " descriptors");
            Fails(() => Client.Open("", options));
            Fails(() => Client.Open(null, options));
            Fails(() => Client.Open("a\0b", options));
            Fails(() => Client.Open("/proc/nowhere/\u017elu\u0165", options));
        }
        finally
        {
            if (Directory.Exists(folder)) Directory.Delete(folder, true);
        }
    }

    public static void TextsOfEveryLengthCross()
    {
        for (var length = 0; length < 70; length++)
            foreach (var letter in new[] { "a", "\u007f", "\u0080", "\u0161", "\u20ac", "\ud83d\udc0e" })
                foreach (var place in new[] { 0, length / 2, length })
                {
                    var text = new string('b', place) + letter + new string('c', length - place);
                    var fields = Api.OperationFieldsParse("A1*N" + text).Fields;
                    Must(fields[0].Raw == "N" + text, text);
                }
    }

    public static void LibrariesAreCompared()
    {
        var unsuitable = typeof(Api).Assembly.GetType("Mtoken.Library").GetMethod("Unsuitable", BindingFlags.NonPublic | BindingFlags.Static);
        Func<int, uint, object> asked = (abi, version) => unsuitable.Invoke(null, new object[] { abi, version, "lib" });
        Must(asked(1, 10000) == null && asked(1, 999999) == null);
        Must(((string)asked(2, 10000)).Contains("libmtoken1") && ((string)asked(1, 9999)).Contains("at least version 10000"));
    }

    /// An assembly that is in no file, as in a program of a single file, does not look into the working directory.
    public static void WhatLiesInTheWorkingDirectoryIsNotLoaded()
    {
        var library = Environment.GetEnvironmentVariable("MTOKEN_LIBRARY");
        var folder = Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString("N"));
        Directory.CreateDirectory(folder);
        try
        {
            foreach (var name in new[] { "libmtoken.so.1", "libdl.so.2" }) File.Copy(library, Path.Combine(folder, name));
            Must(Child("planted", folder, start =>
            {
                start.WorkingDirectory = folder;
                start.EnvironmentVariables.Remove("MTOKEN_LIBRARY");
                start.EnvironmentVariables["LD_LIBRARY_PATH"] = Path.GetDirectoryName(library);
            }) == 0);
        }
        finally
        {
            Directory.Delete(folder, true);
        }
    }

    static int CallFromMemory(string folder)
    {
        var loaded = Assembly.Load(File.ReadAllBytes(typeof(Api).Assembly.Location));
        Must(loaded.Location == "" && loaded != typeof(Api).Assembly);
        Must((int)loaded.GetType("Mtoken.Api").GetMethod("AbiVersion").Invoke(null, null) == 1);
        var maps = File.ReadAllText("/proc/self/maps");
        Must(maps.Contains("/libmtoken.so") && !maps.Contains(folder), "it was loaded from the working directory");
        return 0;
    }

    /// <summary>What can be read is what serializers, loggers and debuggers show.</summary>
    public static void ResultsShowWhatTheyHold()
    {
        var operation = Api.QrOperationParse(Payload);
        var shown = operation.ToString();
        Must(shown.StartsWith("QrOperation { Verification = NotChecked, ") && shown.Contains(", Id = " + operation.Id + ", "), shown);
        Must(shown.Contains("Fields = [OperationField { Kind = Amount, ") && shown.Contains("Totp") == false, shown);
        Must(shown.Contains("NonceBytes = " + Convert.ToBase64String(operation.NonceBytes)) && !shown.Contains("Payload"), shown);
    }

    public static void ResultsAreComparedByWhatTheyHold()
    {
        var operation = Api.QrOperationParse(Payload);
        var other = Api.QrOperationParse(Payload.Replace("Payment\n", "Payments\n"));
        Must(operation.Equals(Api.QrOperationParse(Payload)) && !operation.Equals(other) && !operation.Equals(null), other);
        Must(new HashSet<object> { operation, Api.QrOperationParse(Payload), other }.Count == 2);
        var code = NewLogin("provider").GetAuthorization();
        Must(code.ToString() != "" && !code.Equals(NewLogin("provider").GetAuthorization()), "its secrets are other ones");
    }

    /// By the serializer that there is: .NET's, or Mono's programs' usual one. What is secret is not a property.
    public static void ResultsAsJson()
    {
        var kind = Type.GetType("System.Text.Json.JsonSerializer, System.Text.Json");
        var method = kind != null
            ? kind.GetMethods().Single(one => one.Name == "Serialize" && one.ReturnType == typeof(string) && !one.IsGenericMethod)
            : Assembly.Load("Newtonsoft.Json").GetType("Newtonsoft.Json.JsonConvert").GetMethod("SerializeObject", new[] { typeof(object) });
        Func<object, string> json = item =>
            (string)method.Invoke(null, kind != null ? new object[] { item, item.GetType(), null } : new[] { item });
        var operation = Api.QrOperationParse(Payload);
        var written = json(operation);
        Must(written.Contains("\"Id\":\"" + operation.Id + "\"") && written.Contains("\"Fields\":[{\"Kind\":1,"), written);
        Must(operation.GetPayload() == Payload && !written.Contains("Payload") && !written.Contains("Totp"), written);
        var code = NewLogin("provider").GetAuthorization();
        Must(json(code).Contains("\"ProviderId\":\"provider\"") && !json(code).Contains(code.GetCodeVerifier()), json(code));
        operation.Dispose();
        try
        {
            json(operation);
            Must(false, "it was freed");
        }
        catch (TargetInvocationException refused)
        {
            Must(refused.GetBaseException() is ObjectDisposedException, refused);
        }
    }

    /// Whole results end at once, also while others read them; parts end with them.
    public static async Task ResultsAreDisposedOf()
    {
        var operation = Api.QrOperationParse(Payload);
        var fields = operation.SignedFields;
        var field = fields.Fields[0];
        fields.Dispose();
        Must(operation.Title == "Payment" && field.Value == "100", "a part has ended the whole");
        operation.Dispose();
        operation.Dispose();
        foreach (var read in new Func<object>[] { () => operation.Title, () => operation.GetPayload(), () => fields.Fields, () => field.Value, operation.ToString })
        {
            try
            {
                Must(false, read());
            }
            catch (ObjectDisposedException refused)
            {
                Must(refused.Message.Contains("was disposed of"), refused);
            }
        }
        var pac = Api.PacParse("mtoken://login?oid=6e6a8ed2-5b3a-4ecb-bff8-d1d48f4d7a8e&potp=12345678", ProximityType.QrCode);
        pac.Dispose();
        try
        {
            Must(false, Api.PacMatches(pac, null));
        }
        catch (ObjectDisposedException)
        {
        }
        var freed = 0;
        for (var round = 0; round < 200; round++)
        {
            var one = Api.QrOperationParse(Payload);
            var readers = Enumerable.Range(0, 4).Select(_ => Task.Run(() =>
            {
                try
                {
                    for (var index = 0; index < 100; index++) Must(one.Id.Length == 36 && one.SignedFields.Fields[0].Value == "100");
                }
                catch (ObjectDisposedException)
                {
                    Interlocked.Increment(ref freed);
                }
            })).ToArray();
            if (round % 4 > 0) Thread.Yield();
            one.Dispose();
            await Task.WhenAll(readers);
        }
        Must(freed > 0);
    }

    public static void SecretsCannotBeRead()
    {
        var count = 0;
        foreach (var secret in SecretsOfOptions())
        {
            var type = typeof(Auth).Assembly.GetType("Mtoken." + secret.Split('.')[0]);
            var property = type.GetProperty(secret.Split('.')[1]);
            Must(property.GetGetMethod() == null && property.GetSetMethod() != null, secret);
            var filled = Activator.CreateInstance(type);
            property.SetValue(filled, property.PropertyType == typeof(string) ? (object)"8265" : Encoding.ASCII.GetBytes("8265"), null);
            Must(filled.ToString() == type.FullName && string.Format("{0}", filled) == type.FullName, secret);
            Must(type.GetFields().Length == 0, secret); // what serializers read beside properties
            var hidden = (DebuggerBrowsableAttribute)property.GetCustomAttributes(typeof(DebuggerBrowsableAttribute), false).Single();
            Must(hidden.State == DebuggerBrowsableState.Never, secret);
            count++;
        }
        Must(count > 15, count);
    }

    /// As the description has them, so that none is forgotten.
    static IEnumerable<string> SecretsOfOptions()
    {
        string type = null, member = null;
        var isOption = false;
        foreach (var line in File.ReadLines(Environment.GetEnvironmentVariable("MTOKEN_DESCRIPTION")))
        {
            if (line.StartsWith("   \"name\": \"mtoken_")) type = Pascal(line.Split('"')[3].Substring(7));
            if (line.StartsWith("   \"kind\": ")) isOption = line.Contains("\"option\"") || line.Contains("\"fixed\"");
            if (line.StartsWith("     \"name\": ")) member = Pascal(line.Split('"')[3]);
            if (line.StartsWith("   \"parameters\"")) isOption = false;
            if (isOption && line.StartsWith("     \"secret\": true")) yield return type + "." + member;
        }
    }

    static string Pascal(string name)
    {
        return string.Concat(name.Split('_').Select(part => part.Substring(0, 1).ToUpperInvariant() + part.Substring(1)));
    }

    /// Other odd arguments of each call: Tests/conformance/odd.py. A limit is given when the call has begun: the error does not say that
    /// the bank has heard nothing, and the call goes on. The types take no NaN, infinity or text.
    public static void OddLimitsOfAWait()
    {
        var task = NewClient(Runtime.Create(), Clock(true)).SynchronizeTimeStart();
        foreach (var limit in new[] { long.MinValue, int.MinValue, -2 })
        {
            var refused = Fails(() => task.Wait(limit));
            Must(refused.Code == ErrorCode.Argument && refused.Outcome == Outcome.Unknown, refused);
        }
        task.Wait(long.MaxValue);
    }

    public static void WhatIsDisposedOfSaysSo()
    {
        var runtime = Runtime.Create();
        var client = NewClient(runtime, Clock(true));
        var task = client.SynchronizeTimeStart();
        task.Wait();
        foreach (var item in new IDisposable[] { client, runtime, task, client, runtime, task }) item.Dispose();
        Must(Fails(() => client.OperationsListStart()).Code == ErrorCode.Handle);
        Must(Fails(() => client.GetInfo()).Code == ErrorCode.Handle);
        Must(Fails(() => task.Wait()).Code == ErrorCode.Handle && Fails(task.Cancel).Code == ErrorCode.Handle);
        Must(Fails(() => runtime.NextEventAsync().GetAwaiter().GetResult()).Code == ErrorCode.State);
        Must(task.Operations() == null && !client.PushIsRegistered());
    }

    static OidcRequest NewLogin(string provider)
    {
        return OidcRequest.Create(new OidcOptions { ProviderId = provider, ClientId = "c", Scopes = "openid",
            AuthorizeUri = "https://127.0.0.1/authorize", RedirectUri = "https://127.0.0.1/back" });
    }

    public static void WhatWasLentOutlivesDispose()
    {
        OidcAuthorization lent;
        OidcRequest request;
        using (request = NewLogin("provider")) lent = request.GetAuthorization();
        var others = new List<OidcRequest>();
        for (var index = 0; index < 100; index++)
        {
            if (index % 10 == 0) Collect();
            others.Add(NewLogin("stranger"));
            Must(lent.ProviderId == "provider" && lent.RedirectUri.EndsWith("back"), lent.ProviderId);
        }
        Must(request.GetAuthorization() == null && Fails(() => request.OidcProcess("x")).Code == ErrorCode.Handle);
        request.Dispose();
        Must(lent.ProviderId == "provider" && others.All(other => other.GetAuthorization().ProviderId == "stranger"));
        foreach (var other in others) other.Dispose();
        var again = NewLogin("other");
        Must(Fails(() => again.OidcProcess("x")).Code != ErrorCode.Handle);
        again.Dispose();
        Must(again.GetAuthorization() == null);
    }

    /// What was lent and its lender are freed in any order, and nothing is left.
    public static void WhatWasLentIsFreed()
    {
        Action logins = () =>
        {
            for (var index = 0; index < 5000; index++)
            {
                var request = NewLogin("provider");
                var lent = request.GetAuthorization();
                if (index % 2 == 0) request.Dispose();
                Must(lent.ProviderId == "provider");
                if (index % 500 == 0) Collect();
            }
            Collect();
        };
        logins();
        Must(LeastGrowth(logins) < 2 << 20);
    }

    /// A life that takes long to end does not hold up those of others.
    public static void FinalizersDoNotBlock()
    {
        var kind = typeof(Api).Assembly.GetType("Mtoken.LongLife");
        const BindingFlags hidden = BindingFlags.NonPublic | BindingFlags.Instance;
        foreach (var item in new MTokenObject[] { Runtime.Create(), Store.Memory() })
        {
            var life = typeof(MTokenObject).GetField("life", hidden).GetValue(item);
            Must(life.GetType() == kind, item);
        }
        using (var mayEnd = new ManualResetEventSlim())
        using (var hasEnded = new ManualResetEventSlim())
        {
            Action<IntPtr> free = at =>
            {
                mayEnd.Wait();
                hasEnded.Set();
            };
            // Made in a method of its own, so that nothing refers to it here.
            Action make = () => Activator.CreateInstance(kind, hidden, null, new object[] { new IntPtr(1), free, null }, null);
            var maker = new Thread(() => make());
            maker.Start();
            maker.Join();
            var collected = Task.Run(() => Collect());
            try
            {
                Must(collected.Wait(20000), "the thread of finalizers stands still");
            }
            finally
            {
                mayEnd.Set();
            }
            Must(hasEnded.Wait(20000));
        }
    }

    public static async Task NothingStartsForATokenThatIsCancelled()
    {
        var runtime = Runtime.Create();
        var client = NewClient(runtime, Clock(true));
        using (var source = new CancellationTokenSource())
        {
            source.Cancel();
            try
            {
                await client.SynchronizeTimeAsync(source.Token);
                Must(false, "it was called");
            }
            catch (OperationCanceledException error)
            {
                Must(error.InnerException == null, error.InnerException);
            }
        }
        Must(runtime.GetInfo().TasksRunning == 0 && !client.GetInfo().TimeSynchronized);
    }

    public static async Task TokensCancel()
    {
        var runtime = Runtime.Create();
        var client = NewClient(runtime, Clock(false));
        using (var source = new CancellationTokenSource(30))
        {
            try
            {
                await client.SynchronizeTimeAsync(source.Token);
                Must(false, "it ended");
            }
            catch (OperationCanceledException error)
            {
                Must(((MTokenException)error.InnerException).Code == ErrorCode.Cancelled, error);
            }
        }
        runtime.Dispose();
    }

    public static async Task CallsOfARuntimeThatEndsAreCancelled()
    {
        var url = Clock(false);
        for (var round = 0; round < 100; round++)
        {
            var runtime = Runtime.Create();
            var client = NewClient(runtime, url);
            var calls = Enumerable.Range(0, 16).Select(_ => client.SynchronizeTimeStart().Finish()).ToArray();
            if (round % 3 > 0) await Task.Yield();
            if (round % 2 > 0) client.Dispose();
            if (round % 4 < 3) runtime.Dispose();
            foreach (var call in calls)
            {
                try
                {
                    await call;
                    Must(false, "it ended");
                }
                catch (MTokenException error)
                {
                    Must(error.Code == ErrorCode.Cancelled, error);
                }
            }
            runtime.Dispose();
        }
    }

    /// An error of a call that was awaited tells who called, and what lies behind it.
    public static async Task ErrorsKnowTheirCallerAndCause()
    {
        var client = NewClient(Runtime.Create(), "http://127.0.0.1:1");
        try
        {
            await CallsNobody(client);
            Must(false, "it ended");
        }
        catch (MTokenException error)
        {
            Must(error.StackTrace.Contains("CallsNobody"), error.StackTrace);
            Must(error.InnerException != null && error.InnerException.Message == error.Cause, error);
        }
    }

    static async Task CallsNobody(Client client)
    {
        await client.SynchronizeTimeAsync();
    }

    /// The development server, in its own process, until it is disposed of.
    sealed class Bank : IDisposable
    {
        readonly Process program;
        readonly string ready;

        internal Bank()
        {
            var root = Environment.GetEnvironmentVariable("MTOKEN_ROOT");
            program = Process.Start(new ProcessStartInfo(root + "/build/venv/bin/python", "-m mtoken_devserver --json --http-port 0 --exit-with-parent")
            {
                WorkingDirectory = root + "/tools/devserver", UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true
            });
            ready = program.StandardOutput.ReadLine();
        }

        public void Dispose()
        {
            program.StandardInput.Close();
            program.WaitForExit();
        }

        static string Text(string json, string name)
        {
            return System.Text.RegularExpressions.Regex.Match(json, "\"" + name + "\": ?\"([^\"]*)\"").Groups[1].Value;
        }

        internal string Post(string path, string body)
        {
            using (var client = new WebClient())
            {
                client.Headers.Add("Content-Type", "application/json");
                return client.UploadString(Text(ready, "httpUrl") + "/admin" + path, body);
            }
        }

        /// A client that is activated, of a user with forty operations.
        internal Client Activated(Runtime runtime)
        {
            var client = Client.Create(runtime, new ClientOptions
            {
                Id = "alice", BaseUrl = Text(ready, "url"), CaFile = Text(ready, "caFile"), Configuration = Text(ready, "sdkConfig"), Store = Store.Memory()
            });
            var made = Post("/activations", "{\"userId\": \"alice\", \"commitPhase\": \"ON_KEY_EXCHANGE\"}");
            client.ActivateAsync(new ActivationOptions { Code = Text(made, "activationCode") }).Wait();
            client.Persist(new Auth { Pin = Encoding.ASCII.GetBytes("1234") });
            for (var index = 0; index < 40; index++)
                Post("/operations", "{\"userId\": \"alice\", \"template\": \"authorize_payment\", \"parameters\": {\"amount\": \"12\", " +
                    "\"currency\": \"EUR\", \"iban\": \"CZ5508000000001234567899\", \"note\": \"Rent\"}}");
            return client;
        }
    }

    /// Counted in a process of its own: the others leave memory that is theirs.
    public static void ListsThatNobodyDisposesOfStaySmall() { Must(Child("lists", "6000") == 0); }

    static int CountLists(string given)
    {
        using (var bank = new Bank())
        {
            var client = bank.Activated(Runtime.Create());
            var lists = 0;
            var most = 0L;
            var loops = Enumerable.Range(0, 20).Select(_ => Task.Run(async () =>
            {
                OperationList last = null;
                while (Interlocked.Increment(ref lists) <= int.Parse(given))
                {
                    last = await client.OperationsListAsync();
                    most = Math.Max(most, Resident());
                }
                Must(last.Operations.Length == 40);
            })).ToArray();
            Task.WaitAll(loops);
            Console.WriteLine("{0} lists took {1} bytes", given, most);
            return most < 200000000 ? 0 : 1;
        }
    }

    public static async Task EventsArrive()
    {
        var runtime = Runtime.Create(new RuntimeOptions { Events = Events.Tasks });
        var client = NewClient(runtime, Clock(true));
        var task = client.SynchronizeTimeStart();
        var found = await runtime.NextEventAsync();
        Must(found.Kind == EventKind.Task && found.IsFrom(client) && found.IsOf(task) && found.TakeChallenge() == null, found.Kind);
    }

    public static async Task EventsAreASequence()
    {
        var runtime = Runtime.Create(new RuntimeOptions { Events = Events.Tasks });
        var client = NewClient(runtime, Clock(true));
        var events = runtime.EventsAsync().GetAsyncEnumerator();
        for (var round = 0; round < 2; round++)
        {
            var task = client.SynchronizeTimeStart();
            Must(await events.MoveNextAsync().AsTask() && events.Current.IsOf(task), events.Current);
        }
        using (var source = new CancellationTokenSource())
        {
            var other = runtime.EventsAsync().GetAsyncEnumerator(source.Token).MoveNextAsync().AsTask();
            source.Cancel();
            try
            {
                await other;
                Must(false, "it ended");
            }
            catch (OperationCanceledException)
            {
            }
        }
        var last = events.MoveNextAsync().AsTask();
        runtime.Dispose();
        Must(!await last && events.Current == null);
        await events.DisposeAsync().AsTask();
    }

    /// A runtime that somebody waits for is there, also if nothing else refers to it.
    public static void RuntimesLiveWhileTheyAreAwaited()
    {
        Task<bool> next = null;
        Task<Event> other = null;
        WeakReference runtime = null;
        var maker = new Thread(() =>
        {
            var made = Runtime.Create();
            runtime = new WeakReference(made);
            next = made.EventsAsync().GetAsyncEnumerator().MoveNextAsync().AsTask();
            other = Runtime.Create().NextEventAsync();
        });
        maker.Start();
        maker.Join();
        for (var round = 0; round < 5; round++) Collect();
        Must(runtime.IsAlive && !next.IsCompleted && !other.IsCompleted, next.Status + ", " + other.Status);
        ((Runtime)runtime.Target).Dispose();
        Must(next.Wait(20000) && !next.Result);
    }

    /// The names of this process's threads.
    static string[] Threads()
    {
        Func<string, string> name = thread =>
        {
            try
            {
                return File.ReadAllText(Path.Combine(thread, "comm")).Trim();
            }
            catch (IOException)
            {
                return ""; // it has ended meanwhile
            }
        };
        return Directory.GetDirectories("/proc/self/task").Select(name).ToArray();
    }

    /// However many calls are awaited, one thread of each runtime waits. Counted in a process of its own: the server has threads, too.
    public static void OneThreadOfARuntimeWaits() { Must(Child("threads", Clock(false)) == 0); }

    static int CountThreads(string url)
    {
        const int runtimes = 3, calls = 1000, ownOfTheLanguage = 16;
        Func<int> waiting = () => Threads().Count(name => name == "mtoken wait");
        var clients = Enumerable.Range(0, runtimes).Select(_ => NewClient(Runtime.Create(), url)).ToArray();
        var before = Threads().Length;
        var tasks = new List<Task>();
        using (var source = new CancellationTokenSource())
        {
            foreach (var client in clients)
            {
                var own = client.WithOptions(new CallOptions { TimeoutMs = 60000 });
                for (var index = 0; index < calls; index++) tasks.Add(own.SynchronizeTimeAsync(source.Token));
            }
            Must(tasks.All(task => !task.IsCompleted));
            // The thread that starts another one goes on before that has its name, which .NET Core 3.1 does not tell the system.
            var isNamed = Type.GetType("Mono.Runtime") != null;
            Must(!isNamed || SpinWait.SpinUntil(() => waiting() == runtimes, 20000), waiting());
            Must(Threads().Length < before + runtimes + ownOfTheLanguage, Threads().Length - before);
            source.Cancel();
            Must(tasks.All(task => ((IAsyncResult)task).AsyncWaitHandle.WaitOne(20000)) && tasks.All(task => task.IsCanceled));
        }
        return 0;
    }

    sealed class Memory : IHostStore
    {
        internal Dictionary<string, byte[]> Items = new Dictionary<string, byte[]>();
        internal Exception Fails;
        internal Action Uses;

        public byte[] Load(string name)
        {
            if (Fails != null) throw Fails;
            byte[] found;
            lock (Items) return Items.TryGetValue(name, out found) ? found : null;
        }

        public void Save(string name, byte[] item)
        {
            if (Fails != null) throw Fails;
            lock (Items) Items[name] = item;
        }

        public void Remove(string name)
        {
            if (Uses != null) Uses();
            lock (Items) Items.Remove(name);
        }

        public IEnumerable<string> List()
        {
            if (Fails != null) throw Fails;
            lock (Items) return Items.Keys.ToArray();
        }
    }

    /// A function that uses the client that waits for it would wait for itself.
    public static void StoresOfTheHostLeaveTheirClientAlone()
    {
        var host = new Memory();
        using (var runtime = Runtime.Create())
        using (var store = Store.Host(host))
        using (var client = Client.Create(runtime, new ClientOptions
        {
            Id = "alice", BaseUrl = "https://127.0.0.1:1", Configuration = Configuration(), Store = store,
        }))
        {
            MTokenException inside = null;
            host.Uses = () => inside = Fails(client.RemoveLocal);
            client.RemoveLocal();
            Must(inside != null && inside.Code == ErrorCode.State && inside.Reason == "insideHostFunction", inside);
        }
    }

    public static void StoresOfTheHost()
    {
        var host = new Memory { Items = { { "alice.state", new byte[] { 1, 2, 3 } }, { "bob.key", new byte[] { 4 } } } };
        var store = Store.Host(host);
        Must(store.Clients().Ids.SequenceEqual(new[] { "alice", "bob" }), string.Join(" ", store.Clients().Ids));
        store.Remove("alice");
        Must(host.Items.Count == 1);
        var target = Store.Memory();
        host.Fails = new Exception("no disk");
        Must(Fails(() => store.Clients()).Code == ErrorCode.Storage);
        host.Fails = Fails(() => Api.QrOperationParse("nonsense"));
        Must(Fails(() => store.Clients()).Code == ErrorCode.Storage, "a code that means nothing here");
        host.Fails = null;
        Must(Fails(() => store.Copy("nobody", target, "x")).Code != ErrorCode.Handle);
        var kept = new WeakReference(host);
        GC.Collect();
        Must(kept.Target != null && store.Clients().Ids.Length == 1);
        store.Dispose();
        Must(Fails(() => store.Clients()).Code == ErrorCode.Handle);
        try
        {
            Store.Host(null);
            Must(false, "no host");
        }
        catch (ArgumentNullException)
        {
        }
    }

    /// 20 tasks, 200 calls each, one client; garbage is collected all the time.
    public static void TasksShareAClient()
    {
        var runtime = Runtime.Create();
        var client = NewClient(runtime, Clock(true));
        var isOver = false;
        var collector = new Thread(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                GC.Collect();
                Thread.Sleep(1);
            }
        });
        collector.Start();
        var all = Enumerable.Range(0, 20).Select(_ => Task.Run(async () =>
        {
            var own = client.WithOptions(new CallOptions { TimeoutMs = 20000 });
            for (var index = 0; index < 200; index++) await own.SynchronizeTimeAsync();
        })).ToArray();
        Task.WaitAll(all);
        Volatile.Write(ref isOver, true);
        collector.Join();
        Must(client.GetInfo().TimeSynchronized);
        GC.KeepAlive(runtime);
    }

    public static void ResultsOutliveWhatMadeThem()
    {
        for (var round = 0; round < 50; round++)
        {
            var fields = Api.QrOperationParse(Payload).SignedFields.Fields;
            var runtime = Runtime.Create();
            var client = NewClient(runtime, "http://127.0.0.1:1");
            var task = client.SynchronizeTimeStart();
            if (round % 3 == 0) client.Dispose();
            if (round % 3 == 1) runtime.Dispose();
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Must(fields[0].Value == "100");
            GC.KeepAlive(task);
        }
    }

    public static void NothingIsLeft()
    {
        var runtime = Runtime.Create();
        Action calls = () =>
        {
            for (var index = 0; index < 10000; index++)
            {
                Must(Api.QrOperationParse(Payload).Title == "Payment");
                if (index % 10 == 0) Fails(() => Api.QrOperationParse("nonsense"));
                if (index % 100 == 0) NewClient(runtime, "http://127.0.0.1:1");
                if (index % 1000 == 0) Collect();
            }
            Collect();
        };
        calls();
        Must(LeastGrowth(calls) < 3 << 20);
        // Clients are freed on threads of the pool.
        Must(SpinWait.SpinUntil(() => runtime.GetInfo().Clients < 20, 20000), runtime.GetInfo().Clients);
    }

    static long LeastGrowth(Action calls)
    {
        var least = long.MaxValue;
        for (var round = 0; round < 3; round++)
        {
            var before = Resident();
            calls();
            least = Math.Min(least, Resident() - before);
        }
        Console.WriteLine("each round has left {0} bytes or more", least);
        return least;
    }

    static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    static long Resident() { return long.Parse(File.ReadAllText("/proc/self/statm").Split(' ')[1]) * 4096; }

    static int EndWithCallsUnderWay(string url)
    {
        var client = NewClient(Runtime.Create(), url);
        var own = client.WithOptions(new CallOptions { TimeoutMs = 20000 });
        var all = Enumerable.Range(0, 20).Select(_ => own.SynchronizeTimeAsync()).ToArray();
        return all.Length == 20 ? 0 : 1;
    }

    public static void TheProcessEndsWithCallsUnderWay()
    {
        var url = Clock(false);
        for (var round = 0; round < 3; round++) Must(Child("exit", url) == 0);
    }

    /// This program once more; what it ends with.
    static int Child(string what, string given, Action<ProcessStartInfo> prepare = null)
    {
        var host = Process.GetCurrentProcess().MainModule.FileName;
        var start = new ProcessStartInfo(host, "\"" + Assembly.GetExecutingAssembly().Location + "\" " + what + " " + given) { UseShellExecute = false };
        if (prepare != null) prepare(start);
        var program = Process.Start(start);
        Must(program.WaitForExit(60000), "it does not end");
        return program.ExitCode;
    }
}
