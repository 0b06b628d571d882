// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;
use std::os::unix::io::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::task::Waker;
use std::time::Duration;

use mtoken_sys as sys;

use crate::events::Events;
use crate::life::check;
use crate::{Challenge, Client, Event, Owned, Result, Task};

/// The state that the objects of a runtime share; it lives as long as one of them.
pub(crate) struct Shared {
    pub(crate) me: Weak<Shared>,
    pub(crate) runtime: *mut sys::mtoken_runtime,
    process: u32,
    tags: AtomicU64,
    waiting: Mutex<HashMap<u64, Waker>>,
    pub(crate) events: Events,
}

unsafe impl Send for Shared {}
unsafe impl Sync for Shared {}

/// Begins the tags of the crate's own notifications.
pub(crate) const OWN_TAGS: u64 = 1 << 63;

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Shared {
    pub(crate) fn new_tag(&self) -> u64 {
        OWN_TAGS | self.tags.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn register(&self, tag: u64, waker: Waker) {
        // A former waker's data must not be dropped under the lock.
        let former = locked(&self.waiting).insert(tag, waker);
        drop(former);
    }

    pub(crate) fn forget(&self, tag: u64) {
        if self.reach().is_ok() {
            let former = locked(&self.waiting).remove(&tag);
            drop(former);
        }
    }

    pub(crate) fn wake(&self, tag: u64) {
        let waker = locked(&self.waiting).remove(&tag);
        waker.into_iter().for_each(Waker::wake);
    }

    pub(crate) fn wake_tasks(&self) {
        let wakers = std::mem::take(&mut *locked(&self.waiting));
        wakers.into_values().for_each(Waker::wake);
    }

    pub(crate) fn has_waiting_tasks(&self) -> bool {
        !locked(&self.waiting).is_empty()
    }

    /// Fails in a child process, where threads that are not there may hold the locks.
    pub(crate) fn reach(&self) -> Result<()> {
        if std::process::id() == self.process {
            return Ok(());
        }
        let (mut event, mut error) = (ptr::null_mut(), ptr::null_mut());
        check(unsafe { sys::mtoken_runtime_next_event(self.runtime, 0, &mut event, &mut error) }, error)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        unsafe { sys::mtoken_runtime_free(self.runtime) }
    }
}

/// The thread that serves the network, timers and events of many clients. It stops when the last object that was made with it is dropped.
#[derive(Clone)]
pub struct Runtime(pub(crate) Arc<Shared>);

impl std::fmt::Debug for Runtime {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Runtime")
    }
}

impl Runtime {
    pub(crate) unsafe fn made(runtime: *mut sys::mtoken_runtime) -> Self {
        Runtime(Arc::new_cyclic(|me| Shared {
            me: me.clone(),
            runtime,
            process: std::process::id(),
            tags: AtomicU64::new(0),
            waiting: Mutex::default(),
            events: Events::default(),
        }))
    }

    pub(crate) fn as_ptr(&self) -> *mut sys::mtoken_runtime {
        self.0.runtime
    }

    pub(crate) fn shared(&self) -> Option<Arc<Shared>> {
        Some(self.0.clone())
    }
}

pub(crate) fn milliseconds(limit: Option<Duration>) -> i64 {
    match limit {
        None => sys::MTOKEN_FOREVER.into(),
        Some(limit) => i64::try_from((limit.as_nanos() + 999_999) / 1_000_000).unwrap_or(i64::MAX >> 1),
    }
}

impl AsRawFd for Runtime {
    /// As `as_fd`; -1 in a child process.
    fn as_raw_fd(&self) -> RawFd {
        if self.0.reach().is_ok() {
            self.0.host_drives();
        }
        unsafe { sys::mtoken_runtime_fd(self.0.runtime) }
    }
}

impl AsFd for Runtime {
    /// Only to be watched, by who calls `turn` whenever it is readable.
    ///
    /// # Panics
    /// In a child process, where a runtime of the parent has none.
    fn as_fd(&self) -> BorrowedFd<'_> {
        let descriptor = self.as_raw_fd();
        assert!(descriptor >= 0, "the runtime belongs to the parent process");
        unsafe { BorrowedFd::borrow_raw(descriptor) }
    }
}

impl Owned<Event> {
    /// Takes the challenge out of the event, once.
    pub fn take_challenge(&mut self) -> Option<Challenge> {
        let taken = unsafe { sys::mtoken_event_take_challenge(self.as_ptr().cast()) };
        (!taken.is_null()).then(|| unsafe { Challenge::made(taken, None) })
    }
}

impl Event {
    /// Whether the event concerns this client.
    #[must_use]
    pub fn is_from(&self, client: &Client) -> bool {
        self.0.client == client.as_ptr()
    }

    /// Whether the event tells the completion of this task.
    #[must_use]
    pub fn is_of<T>(&self, task: &Task<T>) -> bool {
        self.0.task == task.as_ptr()
    }
}
