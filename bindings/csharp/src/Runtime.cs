// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Mtoken
{
    /// <summary>Reads the events of a runtime on one thread: wakes those who await tasks, and keeps the other events.</summary>
    internal sealed class Loop
    {
        internal const ulong OwnTags = 1UL << 63;
        private readonly IntPtr runtime;
        private readonly ConcurrentDictionary<ulong, TaskCompletionSource<bool>> waiting =
            new ConcurrentDictionary<ulong, TaskCompletionSource<bool>>();
        private readonly ConcurrentQueue<Event> events = new ConcurrentQueue<Event>();
        private readonly SemaphoreSlim arrived = new SemaphoreSlim(0);
        private long tags;
        private int begun;
        private volatile bool isOver, leaves;

        internal Loop(IntPtr runtime) { this.runtime = runtime; }

        internal void Begin()
        {
            if (Interlocked.Exchange(ref begun, 1) != 0) return;
            // Mono waits at the end of a process for threads that are in the library.
            AppDomain.CurrentDomain.ProcessExit += Leave;
            new Thread(Read) { IsBackground = true, Name = "mtoken wait" }.Start();
        }

        private unsafe void Leave(object sender, EventArgs nothing)
        {
            leaves = true;
            for (var tries = 0; !isOver && tries < 100; tries++)
            {
                Raw.mtoken_runtime_interrupt(runtime, null);
                Thread.Sleep(tries < 10 ? 0 : 10);
            }
        }

        private unsafe void Read()
        {
            while (!leaves)
            {
                Raw.mtoken_event* found = null;
                var status = (ErrorCode)Raw.mtoken_runtime_next_event(runtime, -1, &found, null);
                if (status == ErrorCode.Cancelled) continue;
                if (found == null) break;
                TaskCompletionSource<bool> waiter;
                if (found->kind == (int)EventKind.Task && found->tag >= OwnTags && waiting.TryRemove(found->tag, out waiter))
                {
                    Raw.mtoken_event_free(found);
                    waiter.TrySetResult(true);
                    continue;
                }
                events.Enqueue(Event.Own(found));
                arrived.Release();
            }
            isOver = true;
            AppDomain.CurrentDomain.ProcessExit -= Leave;
            foreach (var waiter in waiting.Values) waiter.TrySetResult(leaves);
            arrived.Release();
        }

        /// <summary>The waiter learns whether to look at the task at once; if not, the runtime has ended, and is about to cancel it.</summary>
        internal ulong Register(TaskCompletionSource<bool> waiter)
        {
            var tag = OwnTags | (ulong)Interlocked.Increment(ref tags);
            waiting[tag] = waiter;
            if (isOver) waiter.TrySetResult(leaves);
            return tag;
        }

        internal async Task<Event> Next(CancellationToken token)
        {
            Begin();
            while (true)
            {
                Event found;
                if (events.TryDequeue(out found)) return found;
                if (isOver) throw Over();
                await arrived.WaitAsync(token).ConfigureAwait(false);
            }
        }

        private unsafe MTokenException Over()
        {
            arrived.Release(); // for the next one who waits
            return MTokenException.Take((int)ErrorCode.State, null);
        }
    }

    public sealed partial class Runtime
    {
        internal Runtime(IntPtr handle) : base(handle, new LongLife(handle, Raw.mtoken_runtime_free, null), new Loop(handle)) { }

        /// <summary>The next event of those that RuntimeOptions.Events asked for.</summary>
        public async Task<Event> NextEventAsync(CancellationToken token = default(CancellationToken))
        {
            var found = await loop.Next(token).ConfigureAwait(false);
            GC.KeepAlive(this); // it does not end while a caller waits
            return found;
        }

        /// <summary>The events, as they come, until the runtime ends: for `await foreach`.</summary>
        public IAsyncEnumerable<Event> EventsAsync() { return new EventSequence(this); }
    }

    /// <summary>Written out, since C# 7 has no iterators that await. Each enumerator takes its events from the one queue.</summary>
    internal sealed class EventSequence : IAsyncEnumerable<Event>
    {
        private readonly Runtime runtime;

        internal EventSequence(Runtime runtime) { this.runtime = runtime; }

        public IAsyncEnumerator<Event> GetAsyncEnumerator(CancellationToken token = default(CancellationToken))
        {
            return new Enumerator(runtime, token);
        }

        private sealed class Enumerator : IAsyncEnumerator<Event>
        {
            private readonly Runtime runtime;
            private readonly CancellationToken token;

            internal Enumerator(Runtime runtime, CancellationToken token)
            {
                this.runtime = runtime;
                this.token = token;
            }

            public Event Current { get; private set; }

            public ValueTask<bool> MoveNextAsync() { return new ValueTask<bool>(Move()); }

            private async Task<bool> Move()
            {
                try
                {
                    Current = await runtime.NextEventAsync(token).ConfigureAwait(false);
                    return true;
                }
                catch (MTokenException over) when (over.Code == ErrorCode.State)
                {
                    Current = null;
                    return false;
                }
            }

            public ValueTask DisposeAsync() { return default(ValueTask); }
        }
    }

    public sealed unsafe partial class Event
    {
        private static readonly object one = new object();

        /// <summary>Whether the event concerns a client.</summary>
        public bool IsFrom(Client client)
        {
            life.Enter();
            var concerned = life.Left(p->client);
            return concerned != IntPtr.Zero && concerned == Life.HandleOf(client);
        }

        /// <summary>Whether the event tells the completion of a task.</summary>
        public bool IsOf(Pending task)
        {
            life.Enter();
            var concerned = life.Left(p->task);
            return concerned != IntPtr.Zero && concerned == Life.HandleOf(task);
        }

        /// <summary>Takes the challenge out of the event, once; null: there is none.</summary>
        public Challenge TakeChallenge()
        {
            lock (one)
            {
                life.Enter();
                var taken = life.Left(Raw.mtoken_event_take_challenge(p));
                return taken == IntPtr.Zero ? null : new Challenge(taken, null);
            }
        }
    }

    public sealed unsafe partial class Challenge
    {
        /// <summary>Ends it: one that was not answered ends as cancelled. (If its info was read and it is a custom one, when nothing refers to
        /// that any more: to cancel it is an answer of its own.)</summary>
        public override void Dispose()
        {
            if (life.HasLent)
            {
                var info = Raw.mtoken_challenge_get_info(Handle);
                if (info != null && info->kind != (int)ChallengeKind.Custom) life.Kept(Raw.mtoken_challenge_cancel(Handle, null));
            }
            base.Dispose();
        }
    }

    public sealed partial class Pending
    {
        public TaskState State { get { return life.Kept((TaskState)Raw.mtoken_task_get_state(Handle)); } }

        /// <summary>Stops the call: it completes once, as cancelled. A request that was sent may still reach the server.</summary>
        public unsafe void Cancel() { MTokenException.Check(life.Kept(Raw.mtoken_task_cancel(Handle)), null); }

        /// <summary>Blocks until the call has completed, or so many milliseconds (-1: for ever); throws what it came to.</summary>
        public unsafe void Wait(long milliseconds = -1)
        {
            Raw.mtoken_error* error = null;
            MTokenException.Check(life.Kept(Raw.mtoken_task_join(Handle, milliseconds, &error)), error);
        }

        private unsafe bool Notify(ulong tag)
        {
            return life.Kept(Raw.mtoken_task_notify(Handle, tag, null)) == 0;
        }

        /// <summary>Awaits the call; when the token is cancelled, so is the call, and its outcome is final.</summary>
        public async Task Finish(CancellationToken token = default(CancellationToken))
        {
            var isNow = false;
            if (State == TaskState.Running)
            {
                // First the waiter, then the request for the event, which comes at once if the call is over.
                var waiter = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
                loop.Begin();
                if (Notify(loop.Register(waiter)))
                    using (token.Register(() => Raw.mtoken_task_cancel(Handle)))
                        isNow = await waiter.Task.ConfigureAwait(false);
            }
            try
            {
                Wait(isNow ? 0 : -1);
            }
            catch (MTokenException error) when (error.Code == ErrorCode.Cancelled && token.IsCancellationRequested)
            {
                throw new OperationCanceledException(error.Message, error, token);
            }
        }
    }
}
