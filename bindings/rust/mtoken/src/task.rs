// SPDX-License-Identifier: Apache-2.0
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::ptr;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use mtoken_sys as sys;

use crate::life::check;
use crate::runtime::{milliseconds, Shared};
use crate::values::TaskState;
use crate::{Error, ErrorCode, Result};

/// The task itself, which results live in.
pub struct Handle {
    task: *mut sys::mtoken_task,
    shared: Option<Arc<Shared>>,
}

unsafe impl Send for Handle {}
unsafe impl Sync for Handle {}

impl Handle {
    pub(crate) fn as_ptr(&self) -> *mut sys::mtoken_task {
        self.task
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        unsafe {
            let _ = sys::mtoken_task_cancel(self.task);
            sys::mtoken_task_free(self.task);
        }
    }
}

/// The results of tasks.
pub trait FromTask: Sized {
    #[doc(hidden)]
    fn from_task(task: &Arc<Handle>) -> Option<Self>;
}

impl FromTask for () {
    fn from_task(_: &Arc<Handle>) -> Option<()> {
        Some(())
    }
}

impl FromTask for i64 {
    fn from_task(task: &Arc<Handle>) -> Option<i64> {
        Some(unsafe { sys::mtoken_task_inbox_count(task.task) })
    }
}

impl FromTask for Vec<u8> {
    fn from_task(task: &Arc<Handle>) -> Option<Vec<u8>> {
        unsafe { sys::mtoken_task_bytes(task.task).as_ref() }
            .map(|found| unsafe { crate::life::slice(found.data, found.length) }.to_vec())
    }
}

/// The calls whose task is used after it has completed.
impl FromTask for Task<()> {
    fn from_task(task: &Arc<Handle>) -> Option<Task<()>> {
        Some(Task { handle: task.clone(), tag: None, kind: PhantomData })
    }
}

/// A call under way: a future, or something to wait for. Dropping it cancels the call, so that one which is not looked at is a warning:
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// fn approve(client: &mtoken::Client, operation: &mtoken::Operation) -> mtoken::Result<()> {
///     client.operations_authorize(operation, &mtoken::Auth::pin(b"2468"), None)?;
///     Ok(())
/// }
/// ```
///
/// ```
/// # #![deny(unused_must_use)]
/// fn approve(client: &mtoken::Client, operation: &mtoken::Operation) -> mtoken::Result<()> {
///     client.operations_authorize(operation, &mtoken::Auth::pin(b"2468"), None)?.wait()
/// }
/// ```
#[must_use = "dropping a task cancels the call"]
pub struct Task<T> {
    handle: Arc<Handle>,
    tag: Option<u64>,
    kind: PhantomData<fn() -> T>,
}

impl<T> std::fmt::Debug for Task<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Task({:?})", self.state())
    }
}

impl<T> Task<T> {
    pub(crate) unsafe fn made(task: *mut sys::mtoken_task, shared: Option<Arc<Shared>>) -> Self {
        Task { handle: Arc::new(Handle { task, shared }), tag: None, kind: PhantomData }
    }

    pub(crate) fn as_ptr(&self) -> *mut sys::mtoken_task {
        self.handle.task
    }

    /// Whether it is running, or how it ended.
    #[must_use]
    pub fn state(&self) -> TaskState {
        TaskState(unsafe { sys::mtoken_task_get_state(self.handle.task) })
    }

    /// Stops the call: it completes once, as cancelled. A request that was already sent may still reach the server.
    ///
    /// # Errors
    /// `STATE` in a child process.
    pub fn cancel(&self) -> Result<()> {
        check(unsafe { sys::mtoken_task_cancel(self.handle.task) }, ptr::null_mut())
    }

    /// Asks for an event with this tag, below 1 << 63, when the task completes.
    ///
    /// # Errors
    /// `ARGUMENT` (a greater tag), `STATE` in a child process.
    pub fn notify(&self, tag: u64) -> Result<()> {
        if tag >> 63 == 1 {
            return Err(Error::new(ErrorCode::ARGUMENT, "invalidArgument", "The tag is not below 1 << 63."));
        }
        self.notify_of(tag)
    }

    fn notify_of(&self, tag: u64) -> Result<()> {
        let mut error = ptr::null_mut();
        check(unsafe { sys::mtoken_task_notify(self.handle.task, tag, &mut error) }, error)
    }

    fn join(&self, timeout_ms: i64) -> Result<()> {
        let mut error = ptr::null_mut();
        check(unsafe { sys::mtoken_task_join(self.handle.task, timeout_ms, &mut error) }, error)
    }
}

impl<T: FromTask> Task<T> {
    /// Blocks until the call has completed.
    ///
    /// # Errors
    /// The error of the call; `STATE` (reason "insideHostFunction") within a function of a store
    /// that the call waits for.
    pub fn wait(&self) -> Result<T> {
        self.join(sys::MTOKEN_FOREVER.into())?;
        self.taken()
    }

    /// Blocks at most for this time; after a `TIMEOUT` with the reason "waitTimeout" the call
    /// continues.
    ///
    /// # Errors
    /// As `wait`, and `TIMEOUT`.
    pub fn wait_for(&self, limit: Duration) -> Result<T> {
        self.join(milliseconds(Some(limit)))?;
        self.taken()
    }

    fn taken(&self) -> Result<T> {
        let said = "The call has succeeded, but came to nothing of this kind.";
        T::from_task(&self.handle).ok_or_else(|| Error::new(ErrorCode::STATE, "noResult", said))
    }
}

impl<T: FromTask> Future for Task<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        if self.state() == TaskState::RUNNING {
            let shared = if let Some(shared) = &self.handle.shared {
                shared.clone()
            } else {
                let said = "The task belongs to no runtime of this crate.";
                return Poll::Ready(Err(Error::new(ErrorCode::STATE, "noRuntime", said)));
            };
            // First the waker, then the request for the event, then another look.
            let tag = self.tag.unwrap_or_else(|| shared.new_tag());
            shared.register(tag, context.waker().clone());
            if self.tag.is_none() {
                self.tag = Some(tag);
                if let Err(error) = self.notify_of(tag) {
                    shared.forget(tag);
                    return Poll::Ready(Err(error));
                }
            }
            // A function of a store that its client waits for would wait for ever.
            let is_inside = unsafe { sys::mtoken_task_join(self.handle.task, 0, ptr::null_mut()) };
            if self.state() == TaskState::RUNNING && is_inside != sys::MTOKEN_ERROR_STATE {
                if let Err(error) = shared.ensure_driver() {
                    shared.forget(tag);
                    return Poll::Ready(Err(error));
                }
                return Poll::Pending;
            }
        }
        Poll::Ready(self.join(0).and_then(|()| self.taken()))
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        if let (Some(tag), Some(shared)) = (self.tag, &self.handle.shared) {
            shared.forget(tag);
        }
    }
}
