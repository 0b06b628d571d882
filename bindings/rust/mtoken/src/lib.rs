// SPDX-License-Identifier: Apache-2.0
//! A mobile token for Rust: it activates a device against a PowerAuth server, lists, approves and rejects operations, and signs
//! requests. It uses the C library `libmtoken.so.1` (crate `mtoken-sys`).
//!
//! Names are those of mtoken.h without their prefix. Times are milliseconds since 1970-01-01T00:00:00Z.
//! Objects may be used by many threads at once. Results are read in place from the library's memory, and are freed when
//! their [`Owned`] is dropped.
//!
//! A call to the server gives a [`Task`]: [`Task::wait`] blocks; as a future it works with every executor. A thread of the
//! runtime's own wakes it, unless the program does so without one: it calls [`Runtime::turn`] whenever the runtime's descriptor
//! (`AsFd`) is readable. The crate `mtoken-tokio` does that for tokio. Dropping a task cancels it.

mod error;
mod events;
mod life;
mod open;
mod runtime;
mod store;
mod task;

#[rustfmt::skip]
mod calls;
#[rustfmt::skip]
#[allow(clippy::field_reassign_with_default)]
mod options;
#[rustfmt::skip]
mod values;
#[rustfmt::skip]
mod views;

pub use calls::*;
pub use error::{Error, Result};
pub use events::NextEvent;
pub use life::{wipe, Owned, View};
pub use options::*;
pub use runtime::Runtime;
pub use store::HostStore;
pub use task::{FromTask, Task};
pub use values::*;
pub use views::*;

/// An operation whose expiry is watched.
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    pub id: &'a str,
    pub operation_data: Option<&'a str>,
    /// Milliseconds since the epoch.
    pub expires: i64,
}
