// SPDX-License-Identifier: Apache-2.0
namespace Mtoken
{
    public sealed partial class Client
    {
        /// <summary>A client with a runtime of its own and its state in a folder, which is created if missing, whatever Store the options have.</summary>
        public static Client Open(string folder, ClientOptions options)
        {
            if (options == null) throw new System.ArgumentNullException("options");
            options = options.Copy();
            using (var store = Store.Directory(folder))
            {
                options.Store = store;
                var runtime = Runtime.Create();
                try
                {
                    var client = Create(runtime, options);
                    client.OwnRuntime = runtime;
                    return client;
                }
                catch { runtime.Dispose(); throw; }
            }
        }

        /// <summary>The runtime of a client that Open has made, for its events; null: the client was made with one of the program's.</summary>
        public Runtime OwnRuntime { get; private set; }

        /// <summary>Ends the client, and the runtime that Open has made for it. Results that were read stay readable.</summary>
        public override void Dispose()
        {
            base.Dispose();
            if (OwnRuntime != null) OwnRuntime.Dispose();
        }
    }
}
