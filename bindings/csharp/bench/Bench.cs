// What the work of Tests/bench/bindings/README.md costs in C#.
using System;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading.Tasks;
using Mtoken;

static class Bench
{
    [StructLayout(LayoutKind.Sequential)]
    struct Timespec
    {
        public long Seconds, Nanoseconds;
    }

    [DllImport("libc.so.6")] static extern int clock_gettime(int clock, out Timespec time);

    /// The processor time of the process, in nanoseconds.
    static long Clock()
    {
        Timespec now;
        clock_gettime(2, out now);
        return now.Seconds * 1000000000 + now.Nanoseconds;
    }

    static void Figure(string name, double ns)
    {
        Console.WriteLine("{\"name\": \"" + name + "\", \"ns\": " + ns.ToString("F1", CultureInfo.InvariantCulture) + "}");
    }

    static void Measure(string name, Action operation)
    {
        var count = 1;
        var best = double.MaxValue;
        for (var batches = 0; batches < 30;)
        {
            var start = Clock();
            for (var index = 0; index < count; index++) operation();
            var taken = Clock() - start;
            if (batches == 0 && taken < 10000000)
            {
                count *= 2;
                continue;
            }
            batches++;
            best = Math.Min(best, (double)taken / count);
        }
        Figure(name, best);
    }

    static string Given(string name) { return Environment.GetEnvironmentVariable("MTOKEN_BENCH_" + name); }

    static object[] ReadAll(QrOperation o)
    {
        var signed = o.SignedFields;
        var found = new object[] { o.GetPayload(), o.Id, o.Title, o.Message, o.RawTitle, o.RawMessage, o.Flags, o.UnknownFlags, o.GetTotp(), o.Extras,
            o.Nonce, o.NonceBytes, o.Signature, o.SignatureBytes, signed.Text };
        var sum = (int)o.Verification + (int)o.ServerKey + (int)o.SignedLength + signed.Version + (int)signed.TemplateId;
        if (o.AllowsBiometry | o.FlipButtons | o.WarnsOfFraud | o.BlockApprovalOnCall | o.IsNewerFormat | signed.IsVersionKnown) sum++;
        foreach (var f in signed.Fields)
        {
            found = found ?? new object[] { f.Raw, f.Text };
            GC.KeepAlive(f.Raw); GC.KeepAlive(f.Text); GC.KeepAlive(f.Amount); GC.KeepAlive(f.Value);
            GC.KeepAlive(f.Currency); GC.KeepAlive(f.Iban); GC.KeepAlive(f.Bic);
            sum += (int)f.Kind + (int)f.Letter + (int)f.Offset + f.Year + f.Month + f.Day + (f.IsIbanValid ? 1 : 0);
        }
        if (sum == int.MinValue) throw new Exception();
        return found;
    }

    static async Task Lists(Client client)
    {
        int count;
        if (!int.TryParse(Given("LISTS"), out count)) count = 1000;
        var best = double.MaxValue;
        using (var apart = client.WithOptions(new CallOptions { TimeoutMs = 30000 }))
            for (var batch = 0; batch < 3; batch++)
            {
                var start = Clock();
                foreach (var list in await Task.WhenAll(Enumerable.Range(0, count).Select(_ => apart.OperationsListAsync())))
                    if (list.Operations.Length != 0) throw new Exception("an operation");
                best = Math.Min(best, (double)(Clock() - start) / count);
            }
        Figure("lists", best);
    }

    static void Main() { Run().GetAwaiter().GetResult(); }

    static async Task Run()
    {
        var runtime = Runtime.Create();
        var client = Client.Create(runtime, new ClientOptions { Id = "bench", Store = Store.Memory(),
            BaseUrl = Given("URL"), CaFile = Given("CA"), Configuration = Given("CONFIGURATION") });
        await client.ActivateAsync(new ActivationOptions { Code = Given("CODE") });
        client.Persist(new Auth { Pin = Encoding.UTF8.GetBytes("1234") });
        await client.FetchStatusAsync();
        await Lists(client);
        var payload = Given("PAYLOAD");
        Measure("call", () => Api.AbiVersion());
        Measure("qr_text", () => { using (var read = Api.QrOperationParse(payload)) GC.KeepAlive(read.Title); });
        Measure("qr_struct", () => { using (var read = Api.QrOperationParse(payload)) ReadAll(read); });
        var verify = new VerifyOptions { ServerKey = Key.Master, SignedBytes = Encoding.UTF8.GetBytes(Given("SIGNED")),
            Signature = Convert.FromBase64String(Given("SIGNATURE")) };
        Measure("verify", () => { if (!client.Verify(verify)) throw new Exception("not valid"); });
        var sign = new SignOptions { Method = "POST", UriId = "/test/signed", Body = Encoding.UTF8.GetBytes(new string('a', 300)) };
        var auth = new Auth { Factors = Factor.Possession };
        Measure("sign", () =>
        {
            GC.KeepAlive(client.Sign(sign, auth).GetValue());
            client.SignatureAccepted();
        });
        GC.KeepAlive(runtime);
    }
}
