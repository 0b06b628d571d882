namespace Mtoken
{
    public sealed partial class Client
    {
        /// <summary>A client with a runtime of its own and its state in a folder, which is created if missing, whatever Store the options have.</summary>
        public static Client Open(string folder, ClientOptions options)
        {
            if (options == null) throw new System.ArgumentNullException("options");
            options = options.Copy();
            options.Store = Store.Directory(folder);
            var runtime = Runtime.Create();
            try { return Create(runtime, options); }
            catch { runtime.Dispose(); throw; }
        }
    }
}
