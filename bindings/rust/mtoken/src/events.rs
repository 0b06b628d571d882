// SPDX-License-Identifier: Apache-2.0
//! The events of a runtime, and their waiters. Only one at a time reads from the library, so that events stay in order and
//! none is read while a thread waits in the library. If a future waits and no other reader exists, a thread of the runtime
//! reads.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::ptr;
use std::sync::{Condvar, Mutex, MutexGuard, Weak};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use mtoken_sys as sys;

use crate::life::check;
use crate::runtime::{locked, milliseconds, Shared, OWN_TAGS};
use crate::values::{ErrorCode, EventKind};
use crate::{Error, Event, Owned, Result, Runtime};

#[derive(Default)]
pub(crate) struct Events {
    state: Mutex<State>,
    changed: Condvar,
}

/// The reader while no thread waits in `next_event`.
#[derive(Clone, Copy, Default, PartialEq)]
enum Driver {
    #[default]
    Nobody,
    /// The host: it has asked for the descriptor, or has called `turn`.
    Host,
    /// The runtime's own thread, as soon as the one who reads has finished.
    Wanted,
    /// The runtime's own thread, until the runtime ends.
    Own,
}

#[derive(Default)]
struct State {
    /// Events that were read and not yet taken.
    kept: VecDeque<Owned<Event>>,
    /// Futures that wait for one.
    wakers: HashMap<u64, Waker>,
    tickets: u64,
    is_read: bool,
    driver: Driver,
    /// Another reader wanted to read meanwhile.
    again: bool,
    interrupts: u64,
}

/// The one who reads, until it is dropped.
struct Reading<'a>(&'a Shared);

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        let mut state = self.0.events.state();
        let is_wanted = state.driver == Driver::Wanted;
        state.is_read = is_wanted;
        drop(state);
        if is_wanted && self.0.start_reading().is_err() {
            // Every waiter checks again, and gets the result.
            self.0.wake_all();
        }
        self.0.events.changed.notify_all();
    }
}

/// The work of the runtime's own thread. It does not keep the runtime alive.
fn read_for(shared: &Weak<Shared>, runtime: usize) {
    loop {
        let mut event = ptr::null_mut();
        // A handle that was freed is refused.
        let runtime = runtime as *mut sys::mtoken_runtime;
        let forever = sys::MTOKEN_FOREVER.into();
        match unsafe { sys::mtoken_runtime_next_event(runtime, forever, &mut event, ptr::null_mut()) } {
            sys::MTOKEN_OK => {}
            sys::MTOKEN_ERROR_CANCELLED => continue, // interrupted
            _ => return,
        }
        let event = unsafe { Owned::made(event.cast()) };
        match shared.upgrade() {
            Some(shared) => shared.deliver(event),
            None => return,
        }
    }
}

impl Events {
    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    fn keep(&self, event: Owned<Event>) {
        let mut state = self.state();
        state.kept.push_back(event);
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        self.changed.notify_all();
        wakers.into_values().for_each(Waker::wake);
    }
}

impl Shared {
    fn begin(&self) -> Option<Reading<'_>> {
        let mut state = self.events.state();
        state.again = state.is_read;
        (!std::mem::replace(&mut state.is_read, true)).then(|| Reading(self))
    }

    fn read(&self, timeout_ms: i64) -> Result<()> {
        let (mut event, mut error) = (ptr::null_mut(), ptr::null_mut());
        // Nothing to read is not a failure to tell about.
        let told = if timeout_ms == 0 { ptr::null_mut() } else { &mut error };
        let status = unsafe { sys::mtoken_runtime_next_event(self.runtime, timeout_ms, &mut event, told) };
        check(status, error)?;
        self.deliver(unsafe { Owned::made(event.cast()) });
        Ok(())
    }

    fn deliver(&self, event: Owned<Event>) {
        if event.kind() == EventKind::TASK && event.tag() >= OWN_TAGS {
            self.wake(event.tag());
        } else {
            self.events.keep(event);
        }
    }

    /// Ensures that a future that has registered its waker is woken.
    pub(crate) fn ensure_driver(&self) -> Result<()> {
        let mut state = self.events.state();
        if state.driver != Driver::Nobody {
            return Ok(());
        }
        state.driver = Driver::Wanted;
        if std::mem::replace(&mut state.is_read, true) {
            return Ok(());
        }
        drop(state);
        self.start_reading()
    }

    /// Passes the reading to a separate thread. The mark that a reader exists is set.
    fn start_reading(&self) -> Result<()> {
        let (shared, runtime) = (self.me.clone(), self.runtime as usize);
        let thread = std::thread::Builder::new().name("mtoken-events".to_owned());
        let started = thread.spawn(move || read_for(&shared, runtime));
        let mut state = self.events.state();
        state.is_read = started.is_ok();
        state.driver = if started.is_ok() { Driver::Own } else { Driver::Nobody };
        started.map(drop).map_err(|problem| {
            let said = format!("Nobody calls `Runtime::turn`, and no thread could be had for it: {problem}.");
            Error::new(ErrorCode::STATE, "nobodyDrives", &said)
        })
    }

    /// The host reads.
    pub(crate) fn host_drives(&self) {
        let mut state = self.events.state();
        if matches!(state.driver, Driver::Nobody | Driver::Wanted) {
            state.driver = Driver::Host;
        }
    }

    fn wake_all(&self) {
        let wakers = std::mem::take(&mut self.events.state().wakers);
        wakers.into_values().for_each(Waker::wake);
        self.wake_tasks();
    }

    fn turn(&self) -> Result<usize> {
        self.reach()?;
        self.host_drives();
        self.read_all()
    }

    fn read_all(&self) -> Result<usize> {
        let mut count = 0;
        while let Some(reading) = self.begin() {
            loop {
                match self.read(0) {
                    Ok(()) => count += 1,
                    Err(error) if error.code == ErrorCode::TIMEOUT => break,
                    Err(error) => return Err(error),
                }
            }
            drop(reading);
            if !self.events.state().again {
                break;
            }
        }
        Ok(count)
    }

    fn next_event(&self, limit: Option<Duration>) -> Result<Owned<Event>> {
        self.reach()?;
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let interrupts = self.events.state().interrupts;
        loop {
            let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
            let mut state = self.events.state();
            if let Some(event) = state.kept.pop_front() {
                return Ok(event);
            }
            if state.interrupts != interrupts {
                return Err(Error::new(ErrorCode::CANCELLED, "interrupted", "The wait was interrupted."));
            }
            if state.is_read {
                let changed = &self.events.changed;
                match left {
                    None => drop(changed.wait(state)),
                    Some(left) if left.is_zero() => {
                        let said = "No event arrived within the time limit.";
                        return Err(Error::new(ErrorCode::TIMEOUT, "waitTimeout", said));
                    }
                    Some(left) => drop(changed.wait_timeout(state, left)),
                }
                continue;
            }
            drop(state);
            if let Some(reading) = self.begin() {
                let ended = self.read(milliseconds(left));
                drop(reading);
                // For those who left the reading to this thread.
                self.read_all()?;
                match ended {
                    Err(error) if error.code == ErrorCode::TIMEOUT => {
                        return self.events.state().kept.pop_front().ok_or(error);
                    }
                    ended => ended?,
                }
            }
        }
    }
}

impl Runtime {
    /// Reads all events that are there, wakes the futures of completed tasks, and keeps the other events for `event`, `next`
    /// and `next_event`. Call it whenever the descriptor is readable, from before the first future is awaited: otherwise a thread of
    /// the runtime's own reads. Returns how many events it read: none while another thread reads for all.
    ///
    /// # Errors
    /// `STATE` in a child process, which the runtime does not belong to.
    pub fn turn(&self) -> Result<usize> {
        self.0.turn()
    }

    /// Declares that the program no longer calls `turn`, for example because its loop has ended. A
    /// thread of the runtime then wakes the waiters.
    ///
    /// # Errors
    /// `STATE`: no thread could be had (reason "nobodyDrives"), or in a child process.
    pub fn undriven(&self) -> Result<()> {
        self.0.reach()?;
        let mut state = self.0.events.state();
        if state.driver == Driver::Host {
            state.driver = Driver::Nobody;
        }
        let waits = !state.wakers.is_empty();
        drop(state);
        if waits || self.0.has_waiting_tasks() {
            self.0.ensure_driver()?;
        }
        Ok(())
    }

    /// The next event that was read already.
    #[must_use]
    pub fn event(&self) -> Option<Owned<Event>> {
        self.0.reach().ok()?;
        self.0.events.state().kept.pop_front()
    }

    /// Waits for the next event that `RuntimeOptions::events` asked for; None as the limit: for ever. It wakes futures too.
    ///
    /// # Errors
    /// `TIMEOUT` (reason "waitTimeout"), `CANCELLED` (reason "interrupted": `interrupt`), `STATE` in a child process, which the runtime does not belong to.
    pub fn next_event(&self, limit: Option<Duration>) -> Result<Owned<Event>> {
        self.0.next_event(limit)
    }

    /// The next event that `RuntimeOptions::events` asked for, as a future. It fails with `STATE` in a child process, or where no
    /// thread could be had that reads (reason "nobodyDrives").
    pub fn next(&self) -> NextEvent<'_> {
        NextEvent { runtime: self, ticket: None }
    }

    /// Ends all waits that are under way, with `CANCELLED`.
    ///
    /// # Errors
    /// `STATE` in a child process, which the runtime does not belong to.
    pub fn interrupt(&self) -> Result<()> {
        self.0.reach()?;
        self.0.events.state().interrupts += 1;
        self.0.events.changed.notify_all();
        let mut error = ptr::null_mut();
        check(unsafe { sys::mtoken_runtime_interrupt(self.0.runtime, &mut error) }, error)
    }
}

/// The future of `Runtime::next`.
#[must_use = "futures do nothing unless awaited"]
pub struct NextEvent<'a> {
    runtime: &'a Runtime,
    ticket: Option<u64>,
}

impl Future for NextEvent<'_> {
    type Output = Result<Owned<Event>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.runtime.0.reach()?;
        let mut state = self.runtime.0.events.state();
        if let Some(event) = state.kept.pop_front() {
            return Poll::Ready(Ok(event));
        }
        state.tickets += u64::from(self.ticket.is_none());
        let ticket = self.ticket.unwrap_or(state.tickets);
        // A former waker's data must not be dropped under the lock.
        let former = state.wakers.insert(ticket, context.waker().clone());
        drop(state);
        drop(former);
        self.ticket = Some(ticket);
        self.runtime.0.ensure_driver()?;
        Poll::Pending
    }
}

impl Drop for NextEvent<'_> {
    fn drop(&mut self) {
        if let (Some(ticket), Ok(())) = (self.ticket, self.runtime.0.reach()) {
            let former = self.runtime.0.events.state().wakers.remove(&ticket);
            drop(former);
        }
    }
}
