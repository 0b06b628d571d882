// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace Mtoken
{
    /// <summary>An object of the library: freed once, when it is disposed of or nothing refers to it any
    /// more. Its results keep it alive.</summary>
    internal unsafe class Life : SafeHandle
    {
        private readonly Action<IntPtr> free;
        private readonly Life keeps;

        internal Life(IntPtr at, Action<IntPtr> free, Life keeps) : base(IntPtr.Zero, true)
        {
            this.free = free;
            this.keeps = keeps;
            SetHandle(at);
        }

        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }

        protected override bool ReleaseHandle()
        {
            free(handle);
            GC.KeepAlive(keeps);
            if (ballast != null) GC.RemoveMemoryPressure(4096L * ballast.Length);
            ballast = null;
            return true;
        }

        /// <summary>Tells the collector of a result of so many elements, of some kilobytes each in the library. Mono heeds only what it has
        /// itself, and what is small: a part of that.</summary>
        internal void Weigh(ulong elements)
        {
            ballast = new byte[1 + (int)Math.Min(elements, 1 << 16)][];
            for (var index = 0; index < ballast.Length; index++) ballast[index] = new byte[1024];
            GC.AddMemoryPressure(4096L * ballast.Length);
        }

        private byte[][] ballast;

        private IntPtr whole;

        /// <summary>Notes which result this is the life of; others are parts of it.</summary>
        internal Life Whole(IntPtr made)
        {
            whole = made;
            return this;
        }

        /// <summary>Ends it, if that is what lives here, and no part of it.</summary>
        internal void End(IntPtr made)
        {
            if (made == whole) Dispose();
        }

        /// <summary>Begins to read: until Left, it is not freed.</summary>
        internal void Enter()
        {
            var isAdded = false;
            try
            {
                DangerousAddRef(ref isAdded);
            }
            catch (ObjectDisposedException)
            {
                throw new ObjectDisposedException(null, "this result was disposed of: read what is needed of it before");
            }
        }

        internal T Left<T>(T value)
        {
            DangerousRelease();
            return value;
        }

        /// <summary>The life of something that lives in this one; null: it is over.</summary>
        internal Life Lend()
        {
            var isAdded = false;
            try
            {
                DangerousAddRef(ref isAdded);
            }
            catch (ObjectDisposedException)
            {
                return null;
            }
            HasLent = true;
            return new Life(handle, at => DangerousRelease(), this);
        }

        internal bool HasLent { get; private set; }

        /// <summary>What was lent; nothing keeps the lender for nothing.</summary>
        internal static T Lent<T>(T found, Life lent) where T : class
        {
            if (found == null && lent != null) lent.Dispose();
            return found;
        }

        internal static IntPtr HandleOf(MTokenObject given)
        {
            return given == null ? IntPtr.Zero : given.Handle;
        }

        internal T Kept<T>(T value)
        {
            GC.KeepAlive(this);
            return value;
        }

        // The value is copied before its owner can be freed.

        internal string Text(byte* at) { return Left(Copy(at)); }

        internal string Text(byte* at, ulong length) { return Left(Copy(at, length)); }

        internal byte[] Bytes(byte* at, ulong length) { return Left(at == null ? null : CopyBytes(at, length)); }

        internal string[] Texts(byte** at, ulong count)
        {
            return Array(count, index => Copy(at[index]));
        }

        internal T[] Array<T>(ulong count, Func<int, T> item)
        {
            var found = new T[checked((int)count)];
            for (var index = 0; index < found.Length; index++) found[index] = item(index);
            return Left(found);
        }

        internal static string Copy(byte* at)
        {
            return at == null ? null : Decoded(at, Length(at));
        }

        /// <summary>Up to the NUL: eight bytes at a time from where they are aligned, so that nothing is read beyond a page.</summary>
        private static int Length(byte* text)
        {
            const ulong ones = 0x0101010101010101, highest = 0x8080808080808080;
            var at = text;
            for (; ((long)at & 7) != 0; at++)
                if (*at == 0) return checked((int)(at - text));
            for (;; at += 8)
            {
                var eight = *(ulong*)at;
                if (((eight - ones) & ~eight & highest) != 0) break;
            }
            while (*at != 0) at++;
            return checked((int)(at - text));
        }

        /// <summary>The text that was here last, if it is that again: names of headers are few.</summary>
        internal static string Copy(byte* at, ref string last)
        {
            var known = last;
            if (known != null && at != null && Is(at, known)) return known;
            var text = Copy(at);
            if (text != null && text.All(letter => letter < 128)) last = text;
            return text;
        }

        private static bool Is(byte* at, string ascii)
        {
            fixed (char* letters = ascii)
            {
                var end = at + ascii.Length;
                for (var letter = letters; at < end; at++, letter++)
                    if (*at != *letter) return false;
                return *at == 0;
            }
        }

        internal static string Copy(byte* at, ulong length)
        {
            return at == null ? null : Decoded(at, checked((int)length));
        }

        /// <summary>Most texts are ASCII, and are widened eight letters at a time: twice as fast as Mono's decoder, which has the others.</summary>
        private static string Decoded(byte* at, int length)
        {
            if (length == 0) return "";
            var made = new string('\0', length);
            var bits = 0ul;
            fixed (char* letters = made)
            {
                var to = (ulong*)letters;
                var from = at;
                for (var end = at + (length & ~7); from < end; from += 8, to += 2)
                {
                    var eight = *(ulong*)from;
                    bits |= eight;
                    var low = ((eight & 0xFFFFFFFF) | (eight << 16)) & 0x0000FFFF0000FFFF;
                    var upper = eight >> 32;
                    var high = (upper | (upper << 16)) & 0x0000FFFF0000FFFF;
                    to[0] = (low | (low << 8)) & 0x00FF00FF00FF00FF;
                    to[1] = (high | (high << 8)) & 0x00FF00FF00FF00FF;
                }
                for (var last = (char*)to; from < at + length; from++, last++)
                {
                    bits |= *from;
                    *last = (char)*from;
                }
            }
            return (bits & 0x8080808080808080) == 0 ? made : Encoding.UTF8.GetString(at, length);
        }

        internal static byte[] Copy(Raw.mtoken_bytes* at) { return at == null ? null : CopyBytes(at->data, at->length); }

        internal static byte[] CopyBytes(byte* at, ulong length)
        {
            var found = new byte[checked((int)length)];
            if (found.Length > 0) Marshal.Copy((IntPtr)at, found, 0, found.Length);
            return found;
        }

        internal static string Take(Raw.mtoken_text* made)
        {
            if (made == null) return null;
            var text = Copy(made->data, made->length) ?? "";
            Raw.mtoken_text_free(made);
            return text;
        }

        internal static byte[] Take(Raw.mtoken_bytes* made)
        {
            var found = Copy(made);
            Raw.mtoken_bytes_free(made);
            return found;
        }
    }

    /// <summary>One that takes long to free, which the one thread that runs finalizers leaves to others.</summary>
    internal sealed class LongLife : Life
    {
        private bool isFinalized;

        internal LongLife(IntPtr at, Action<IntPtr> free, Life keeps) : base(at, free, keeps) { }

        protected override void Dispose(bool isDisposing)
        {
            isFinalized = !isDisposing;
            base.Dispose(isDisposing);
        }

        protected override bool ReleaseHandle()
        {
            if (!isFinalized || Environment.HasShutdownStarted) return base.ReleaseHandle();
            ThreadPool.UnsafeQueueUserWorkItem(all => base.ReleaseHandle(), null);
            return true;
        }
    }

    /// <summary>The result of a call. Two are equal if their contents are. Secrets, and values that
    /// authenticate a request, are read by methods, which serializers, loggers and debuggers do not
    /// call.</summary>
    public abstract class MTokenResult
    {
        internal readonly Life life;

        internal MTokenResult(Life life) { this.life = life; }

        /// <summary>Names and values, in turn.</summary>
        internal abstract object[] Shown();

        internal virtual object[] Hidden() { return new object[0]; }

        /// <summary>The members, without secrets.</summary>
        public override string ToString()
        {
            var members = Shown();
            var pairs = Enumerable.Range(0, members.Length / 2).Select(at => members[2 * at] + " = " + Text(members[2 * at + 1]));
            return GetType().Name + " { " + string.Join(", ", pairs) + " }";
        }

        private static string Text(object value)
        {
            if (value is byte[]) return Convert.ToBase64String((byte[])value);
            if (value is object[]) return "[" + string.Join(", ", (object[])value) + "]";
            return Convert.ToString(value, CultureInfo.InvariantCulture);
        }

        /// <summary>Whether both hold the same, secrets too.</summary>
        public override bool Equals(object other)
        {
            var result = other as MTokenResult;
            return ReferenceEquals(this, other) || result != null && result.GetType() == GetType()
                && StructuralComparisons.StructuralEqualityComparer.Equals(Shown(), result.Shown())
                && StructuralComparisons.StructuralEqualityComparer.Equals(Hidden(), result.Hidden());
        }

        /// <summary>That of the members that are shown.</summary>
        public override int GetHashCode() { return ToString().GetHashCode(); }
    }

    /// <summary>An object of the library. Disposed of, its methods throw with the code Handle.</summary>
    public abstract class MTokenObject : IDisposable
    {
        internal readonly Life life;
        internal readonly Loop loop;

        /// <summary>A number, which the library checks; 0, which it refuses, after the end of one that has to stay for what it has lent.</summary>
        internal IntPtr Handle;

        internal MTokenObject(IntPtr handle, Life life, Loop loop)
        {
            Handle = handle;
            this.life = life;
            this.loop = loop;
        }

        internal MTokenObject(IntPtr handle, Action<IntPtr> free, MTokenObject keeps)
            : this(handle, new Life(handle, free, LifeOf(keeps)), keeps == null ? null : keeps.loop) { }

        internal static Life LifeOf(MTokenObject keeps) { return keeps == null ? null : keeps.life; }

        /// <summary>Ends it: its methods throw. Results that were read of it stay readable; it is freed when nothing refers to them any more.</summary>
        public virtual void Dispose()
        {
            life.Dispose();
            if (!life.IsClosed) Handle = IntPtr.Zero;
        }
    }

    /// <summary>What options become while a call lasts.</summary>
    internal interface IGiven
    {
        int Size { get; }
        void Fill(IntPtr at, Arena arena);
    }

    /// <summary>
    /// The memory of a call's texts, bytes and options. It is wiped when the call has returned, and kept for the thread's next one.
    /// </summary>
    internal sealed unsafe class Arena : IDisposable
    {
        private const int Block = 1024;
        [ThreadStatic] private static Arena spare;
        private readonly byte* first;
        private int used;
        private List<KeyValuePair<IntPtr, int>> more;
        private List<Life> held;

        private Arena()
        {
            Library.Suitable();
            first = Zeroed(Block);
        }

        // Of a thread that has ended. At the end of the process another one may still be in a call.
        ~Arena()
        {
            if (!Environment.HasShutdownStarted) Marshal.FreeHGlobal((IntPtr)first);
        }

        internal static Arena Open()
        {
            var kept = spare;
            if (kept == null) return new Arena();
            spare = null;
            return kept;
        }

        internal byte* Room(int size)
        {
            var at = first + used;
            var end = used + (((long)size + 15) & ~15L);
            if (end > Block) return Further(size);
            used = (int)end;
            return at;
        }

        private byte* Further(int size)
        {
            var rounded = checked(size + 15) & ~15;
            var at = Zeroed(rounded);
            if (more == null) more = new List<KeyValuePair<IntPtr, int>>();
            more.Add(new KeyValuePair<IntPtr, int>((IntPtr)at, rounded));
            return at;
        }

        private static byte* Zeroed(int size)
        {
            var at = (byte*)Marshal.AllocHGlobal(size);
            Wipe(at, size);
            return at;
        }

        private static void Wipe(byte* at, int size)
        {
            var words = (long*)at;
            var index = 0;
            for (; index < size / 8 - 3; index += 4)
            {
                words[index] = 0;
                words[index + 1] = 0;
                words[index + 2] = 0;
                words[index + 3] = 0;
            }
            for (; index < size / 8; index++) words[index] = 0;
        }

        internal byte* Text(string text, out ulong length)
        {
            length = 0;
            if (text == null) return null;
            var plain = Room(text.Length);
            fixed (char* characters = text)
            {
                length = (ulong)text.Length;
                if (Narrowed(characters, text.Length, plain)) return plain;
                var size = Encoding.UTF8.GetMaxByteCount(text.Length);
                var at = Room(size);
                length = (ulong)Encoding.UTF8.GetBytes(characters, text.Length, at, size);
                return at;
            }
        }

        /// <summary>Most texts are ASCII, and are narrowed four letters at a time: several times as fast as Mono's encoder, which has the others.</summary>
        private static bool Narrowed(char* from, int length, byte* to)
        {
            var seen = 0ul;
            var index = 0;
            for (; index < length - 3; index += 4)
            {
                var four = *(ulong*)(from + index);
                seen |= four;
                four |= four >> 8;
                *(uint*)(to + index) = (uint)(four & 0xffff) | (uint)(four >> 16 & 0xffff0000);
            }
            for (; index < length; index++)
            {
                seen |= from[index];
                to[index] = (byte)from[index];
            }
            return (seen & 0xff80ff80ff80ff80) == 0;
        }

        /// <summary>A text that ends at its NUL. One inside would hide the rest: it becomes bad UTF-8, which is refused.</summary>
        internal byte* CText(string text)
        {
            if (text == null) return null;
            ulong length;
            var made = Text(text, out length);
            var at = Room(checked((int)length + 1));
            for (ulong index = 0; index < length; index++) at[index] = made[index] == 0 ? (byte)0xff : made[index];
            return at;
        }

        internal byte* Bytes(byte[] bytes, out ulong length)
        {
            length = bytes == null ? 0 : (ulong)bytes.Length;
            if (bytes == null) return null;
            var at = Room(bytes.Length);
            fixed (byte* from = bytes) Buffer.MemoryCopy(from, at, bytes.Length, bytes.Length);
            return at;
        }

        internal IntPtr Option(IGiven given)
        {
            if (given == null) return IntPtr.Zero;
            var at = (IntPtr)Room(given.Size);
            given.Fill(at, this);
            return at;
        }

        internal IntPtr Array(IReadOnlyList<IGiven> items, out ulong count)
        {
            count = items == null ? 0 : (ulong)items.Count;
            if (count == 0) return IntPtr.Zero;
            var size = items[0].Size;
            var at = (IntPtr)Room(checked(size * items.Count));
            for (var index = 0; index < items.Count; index++) items[index].Fill(at + size * index, this);
            return at;
        }

        internal IntPtr Texts(IReadOnlyList<string> items, out ulong count)
        {
            count = items == null ? 0 : (ulong)items.Count;
            if (count == 0) return IntPtr.Zero;
            var at = (Raw.mtoken_text*)Room(checked(sizeof(Raw.mtoken_text) * items.Count));
            for (var index = 0; index < items.Count; index++) at[index].data = Text(items[index], out at[index].length);
            return (IntPtr)at;
        }

        public void Dispose()
        {
            Wipe(first, used);
            used = 0;
            if (more != null) Forget();
            if (held != null) Release();
            spare = this;
        }

        /// <summary>Keeps a result while the call lasts.</summary>
        internal void Hold(Life result)
        {
            result.Enter();
            if (held == null) held = new List<Life>();
            held.Add(result);
        }

        private void Release()
        {
            foreach (var result in held) result.DangerousRelease();
            held = null;
        }

        private void Forget()
        {
            foreach (var block in more)
            {
                Wipe((byte*)block.Key, block.Value);
                Marshal.FreeHGlobal(block.Key);
            }
            more = null;
        }
    }

    /// <summary>Finds the library: MTOKEN_LIBRARY, beside the assembly, in the system.</summary>
    internal static class Library
    {
        // Where the runtime has a resolver, from .NET Core 3.0 on, it is asked for the handle: by its name, as C# 7 is compiled here. Mono has none.
        private static readonly Type native = typeof(SafeHandle).Assembly.GetType("System.Runtime.InteropServices.NativeLibrary");
        private static readonly string problem = Load();

        internal static void Suitable()
        {
            if (problem != null) throw new DllNotFoundException(problem);
        }

        [DllImport("__Internal")] private static extern unsafe IntPtr dlopen(byte* path, int flags);
        [DllImport("__Internal")] private static extern unsafe byte* dlerror();
        [DllImport("__Internal")] private static extern unsafe IntPtr dlsym(IntPtr library, byte* name);
        [DllImport("__Internal")] private static extern unsafe int dladdr(IntPtr address, byte** found);
        [DllImport("__Internal")] private static extern unsafe void mono_dllmap_insert(IntPtr all, byte* name, byte* from, byte* path, byte* to);

        private static string Load()
        {
            var path = Environment.GetEnvironmentVariable("MTOKEN_LIBRARY");
            if (!string.IsNullOrEmpty(path))
            {
                var problem = Open(path);
                if (problem != null) return "MTOKEN_LIBRARY: " + problem;
            }
            else
            {
                // One that is loaded under its soname serves the declarations.
                var folder = Folder(typeof(Library).Assembly.Location);
                foreach (var inner in new[] { "", Path.Combine("runtimes", Runtime(), "native") })
                {
                    path = Path.Combine(folder, inner, Raw.Library);
                    if (File.Exists(path) && Open(path) == null) break;
                    path = null;
                }
                if (path == null && native == null) Open(Raw.Library);
            }
            try
            {
                return Unsuitable(Raw.mtoken_abi_version(), Raw.mtoken_version_number(), path ?? Raw.Library);
            }
            catch (DllNotFoundException)
            {
                return Raw.Library + " was not found for " + Runtime() + ": set MTOKEN_LIBRARY to its path, or install the Debian package libmtoken1";
            }
        }

        /// <summary>This system, as NuGet names it: "linux-musl-arm64". The process has mapped the loader of its C library.</summary>
        private static string Runtime()
        {
            const string maps = "/proc/self/maps";
            var musl = File.Exists(maps) && File.ReadAllText(maps).Contains("/ld-musl-") ? "musl-" : "";
            return "linux-" + musl + RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant();
        }

        /// <summary>That of the assembly; that of the program if the assembly is inside it. Never the working directory: anyone may write there.</summary>
        private static string Folder(string assembly)
        {
            return string.IsNullOrEmpty(assembly) ? AppContext.BaseDirectory : Path.GetDirectoryName(assembly);
        }

        /// <summary>Loads a library; null, or why it cannot be.</summary>
        private static unsafe string Open(string path)
        {
            if (native != null) return Resolve(path);
            const int now = 2;
            fixed (byte* name = Bytes(Raw.Library), bytes = Bytes(path), symbol = Bytes("mtoken_abi_version"))
            {
                var library = dlopen(bytes, now);
                if (library == IntPtr.Zero) return Life.Copy(dlerror());
                // Mono would look for it again: beside the assembly, or in the working directory if that is
                // in no file. It gets the path.
                var found = stackalloc byte*[4];
                if (dladdr(dlsym(library, symbol), found) != 0) mono_dllmap_insert(IntPtr.Zero, name, null, found[0], null);
                return null;
            }
        }

        private static byte[] Bytes(string text) { return Encoding.UTF8.GetBytes(text + "\0"); }

        private static string Resolve(string path)
        {
            try
            {
                var loaded = (IntPtr)native.GetMethod("Load", new[] { typeof(string) }).Invoke(null, new object[] { path });
                var set = native.GetMethod("SetDllImportResolver");
                var resolver = new Func<string, Assembly, DllImportSearchPath?, IntPtr>(
                    (name, assembly, search) => name == Raw.Library ? loaded : IntPtr.Zero);
                var kind = set.GetParameters()[1].ParameterType;
                set.Invoke(null, new object[] { typeof(Library).Assembly, Delegate.CreateDelegate(kind, resolver.Target, resolver.Method) });
                return null;
            }
            catch (TargetInvocationException problem)
            {
                return problem.InnerException.Message;
            }
        }

        internal static string Unsuitable(int abi, uint version, string path)
        {
            if (abi == Raw.MTOKEN_ABI_VERSION && version >= Raw.MTOKEN_VERSION_NUMBER) return null;
            return string.Format(
                "{0} has ABI {1} and version {2}; this package needs ABI {3} and at least version {4} (Debian package libmtoken1)",
                path, abi, version, Raw.MTOKEN_ABI_VERSION, Raw.MTOKEN_VERSION_NUMBER);
        }
    }
}
