use std::collections::{HashMap, VecDeque};
use std::os::unix::io::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Waker;
use std::time::Duration;

use mtoken_sys as sys;

use crate::life::check;
use crate::values::{ErrorCode, EventKind};
use crate::{Challenge, Client, Error, Event, Owned, Result, Task};

/// What the objects of a runtime share; it lives as long as one of them.
pub(crate) struct Shared {
    runtime: *mut sys::mtoken_runtime,
    tags: AtomicU64,
    waiting: Mutex<HashMap<u64, Waker>>,
    events: Mutex<VecDeque<Owned<Event>>>,
}

unsafe impl Send for Shared {}
unsafe impl Sync for Shared {}

/// Begins the tags of the crate's own notifications.
const OWN_TAGS: u64 = 1 << 63;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Shared {
    pub(crate) fn new_tag(&self) -> u64 {
        OWN_TAGS | self.tags.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn register(&self, tag: u64, waker: Waker) {
        locked(&self.waiting).insert(tag, waker);
    }

    pub(crate) fn forget(&self, tag: u64) {
        locked(&self.waiting).remove(&tag);
    }

    /// Takes an event out of the library's queue. It is given back if it is none of the crate's own.
    fn read(&self, timeout_ms: i64) -> Result<Option<Owned<Event>>> {
        let (mut event, mut error) = (ptr::null_mut(), ptr::null_mut());
        let status =
            unsafe { sys::mtoken_runtime_next_event(self.runtime, timeout_ms, &mut event, &mut error) };
        check(status, error)?;
        let event: Owned<Event> = unsafe { Owned::made(event.cast()) };
        if event.kind() == EventKind::TASK && event.tag() >= OWN_TAGS {
            let waker = locked(&self.waiting).remove(&event.tag());
            waker.into_iter().for_each(Waker::wake);
            return Ok(None);
        }
        Ok(Some(event))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        unsafe { sys::mtoken_runtime_free(self.runtime) }
    }
}

/// The thread that serves the network, timers and events of many clients. It stops when the last object that was made with it is dropped.
#[derive(Clone)]
pub struct Runtime(Arc<Shared>);

impl std::fmt::Debug for Runtime {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Runtime")
    }
}

impl Runtime {
    pub(crate) unsafe fn made(runtime: *mut sys::mtoken_runtime) -> Self {
        Runtime(Arc::new(Shared {
            runtime,
            tags: AtomicU64::new(0),
            waiting: Mutex::default(),
            events: Mutex::default(),
        }))
    }

    pub(crate) fn as_ptr(&self) -> *mut sys::mtoken_runtime {
        self.0.runtime
    }

    pub(crate) fn shared(&self) -> Option<Arc<Shared>> {
        Some(self.0.clone())
    }

    /// Reads all events that are there, wakes the futures of completed tasks, and keeps the other events for `event`. Call it
    /// when the descriptor is readable. Returns how many events it read.
    pub fn turn(&self) -> Result<usize> {
        let mut count = 0;
        loop {
            match self.0.read(0) {
                Ok(event) => locked(&self.0.events).extend(event),
                Err(error) if error.code == ErrorCode::TIMEOUT => return Ok(count),
                Err(error) => return Err(error),
            }
            count += 1;
        }
    }

    /// The next event that `turn` has kept.
    pub fn event(&self) -> Option<Owned<Event>> {
        locked(&self.0.events).pop_front()
    }

    /// Waits for the next event that `RuntimeOptions::events` asked for; None as the limit: for ever. It wakes futures too.
    pub fn next_event(&self, limit: Option<Duration>) -> Result<Owned<Event>> {
        let deadline = limit.map(|limit| std::time::Instant::now() + limit);
        loop {
            if let Some(event) = self.event() {
                return Ok(event);
            }
            let left = deadline.map(|end| end.saturating_duration_since(std::time::Instant::now()));
            if let Some(event) = self.0.read(milliseconds(left))? {
                return Ok(event);
            }
        }
    }

    /// Ends all waits that are under way, with `CANCELLED`.
    pub fn interrupt(&self) -> Result<()> {
        let mut error = ptr::null_mut();
        check(unsafe { sys::mtoken_runtime_interrupt(self.0.runtime, &mut error) }, error)
    }
}

pub(crate) fn milliseconds(limit: Option<Duration>) -> i64 {
    match limit {
        None => sys::MTOKEN_FOREVER.into(),
        Some(limit) => i64::try_from((limit.as_nanos() + 999_999) / 1_000_000).unwrap_or(i64::MAX >> 1),
    }
}

impl AsRawFd for Runtime {
    fn as_raw_fd(&self) -> RawFd {
        unsafe { sys::mtoken_runtime_fd(self.0.runtime) }
    }
}

impl AsFd for Runtime {
    /// Only to be watched.
    fn as_fd(&self) -> BorrowedFd<'_> {
        unsafe { BorrowedFd::borrow_raw(self.as_raw_fd()) }
    }
}

static CHALLENGES: Mutex<()> = Mutex::new(());

impl Owned<Event> {
    /// Takes the challenge out of the event, once.
    pub fn take_challenge(&self) -> Option<Challenge> {
        let _one = locked(&CHALLENGES);
        let taken = unsafe { sys::mtoken_event_take_challenge(self.as_ptr().cast()) };
        (!taken.is_null()).then(|| unsafe { Challenge::made(taken, None) })
    }
}

impl Event {
    /// Whether the event concerns this client.
    pub fn is_from(&self, client: &Client) -> bool {
        self.0.client == client.as_ptr()
    }

    /// Whether the event tells the completion of this task.
    pub fn is_of<T>(&self, task: &Task<T>) -> bool {
        self.0.task == task.as_ptr()
    }
}

pub(crate) fn closed() -> Error {
    Error::new(ErrorCode::STATE, "noRuntime", "The task belongs to no runtime of this crate.")
}
