// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Mtoken
{
    /// <summary>
    /// Keeps the state of clients where the program wants it. Its methods are called on threads of the library, never two at once for one
    /// client; they must not use the client concerned. The code of an MTokenException is passed on; what else is thrown becomes Storage.
    /// </summary>
    public interface IHostStore
    {
        /// <summary>The item; null: there is none.</summary>
        byte[] Load(string name);

        /// <summary>Replaces the item, and returns only when it is durable: a signature is sent right after.</summary>
        void Save(string name, byte[] item);

        /// <summary>Removes the item, if there is one.</summary>
        void Remove(string name);

        /// <summary>The names of all items.</summary>
        IEnumerable<string> List();
    }

    public sealed unsafe partial class Store
    {
        /// <summary>A store of the program's own.</summary>
        public static Store Host(IHostStore host)
        {
            if (host == null) throw new ArgumentNullException("host");
            Library.Suitable();
            var kept = GCHandle.Alloc(host);
            var raw = HostFunctions.Table;
            raw.context = GCHandle.ToIntPtr(kept).ToPointer();
            IntPtr made;
            Raw.mtoken_error* error = null;
            var status = Raw.mtoken_store_host_new(&raw, &made, &error);
            if (status != 0) kept.Free();
            MTokenException.Check(status, error);
            return new Store(made, null);
        }
    }

    /// <summary>The functions that the library calls. Nothing may be thrown across them.</summary>
    internal static unsafe class HostFunctions
    {
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)] private delegate int LoadCall(IntPtr context, byte* name, IntPtr reply);
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)] private delegate int SaveCall(IntPtr context, byte* name, IntPtr bytes, ulong length);
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)] private delegate int RemoveCall(IntPtr context, byte* name);
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)] private delegate int ListCall(IntPtr context, IntPtr names);
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)] private delegate void ReleaseCall(IntPtr context);

        // A function pointer lives as long as its delegate: these live as long as the process.
        private static readonly LoadCall load = Load;
        private static readonly SaveCall save = Save;
        private static readonly RemoveCall remove = Remove;
        private static readonly ListCall list = List;
        private static readonly ReleaseCall release = Release;

        internal static readonly Raw.mtoken_host_store Table = new Raw.mtoken_host_store
        {
            struct_size = (ulong)sizeof(Raw.mtoken_host_store),
            load = Marshal.GetFunctionPointerForDelegate(load),
            save = Marshal.GetFunctionPointerForDelegate(save),
            remove = Marshal.GetFunctionPointerForDelegate(remove),
            list = Marshal.GetFunctionPointerForDelegate(list),
            release = Marshal.GetFunctionPointerForDelegate(release)
        };

        private static int Guarded(IntPtr context, Func<IHostStore, int> call)
        {
            try
            {
                return call((IHostStore)GCHandle.FromIntPtr(context).Target);
            }
            catch (MTokenException problem)
            {
                return problem.Code == 0 ? (int)ErrorCode.Storage : (int)problem.Code;
            }
            catch (Exception)
            {
                return (int)ErrorCode.Storage;
            }
        }

        private static int Load(IntPtr context, byte* name, IntPtr reply)
        {
            return Guarded(context, host =>
            {
                var item = host.Load(Life.Copy(name));
                if (item == null) return (int)ErrorCode.NotFound;
                fixed (byte* bytes = item) return Raw.mtoken_store_reply_set(reply, bytes, (ulong)item.Length);
            });
        }

        private static int Save(IntPtr context, byte* name, IntPtr bytes, ulong length)
        {
            return Guarded(context, host =>
            {
                host.Save(Life.Copy(name), Life.CopyBytes((byte*)bytes, length));
                return 0;
            });
        }

        private static int Remove(IntPtr context, byte* name)
        {
            return Guarded(context, host =>
            {
                host.Remove(Life.Copy(name));
                return 0;
            });
        }

        private static int List(IntPtr context, IntPtr names)
        {
            return Guarded(context, host =>
            {
                using (var arena = Arena.Open())
                    foreach (var name in host.List())
                    {
                        ulong length;
                        var status = Raw.mtoken_store_names_add(names, arena.Text(name, out length), length);
                        if (status != 0) return status;
                    }
                return 0;
            });
        }

        private static void Release(IntPtr context) { GCHandle.FromIntPtr(context).Free(); }
    }
}
