// SPDX-License-Identifier: Apache-2.0
//! Drives the futures of the crate `mtoken` on tokio: [`drive`] a runtime once, then `await` its tasks and events. It takes no thread;
//! without it, a thread of each runtime does the same.
//!
//! ```
//! # use mtoken::*;
//! # async fn program(client: Client, runtime: Runtime) -> std::result::Result<(), Box<dyn std::error::Error>> {
//! mtoken_tokio::drive(&runtime)?;
//! tokio::spawn(async move {
//!     for operation in client.operations_list()?.await?.operations() {
//!         client.operations_authorize(operation, &Auth::pin(b"2468"), None)?.await?;
//!     }
//!     Ok::<(), Error>(())
//! });
//! while let Ok(event) = runtime.next().await {
//!     println!("{:?}", event.kind());
//! }
//! # Ok(())
//! # }
//! ```

use std::io;
use std::os::unix::io::{AsRawFd, RawFd};

use mtoken::Runtime;
use tokio::io::unix::AsyncFd;
use tokio::io::Interest;
use tokio::task::JoinHandle;

struct Watched(Runtime);

impl AsRawFd for Watched {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // Without a thread to be had, who waits was told so.
        let _ = self.0.undriven();
    }
}

/// Turns the runtime whenever it has events, until the handle is aborted or tokio's runtime ends: then a thread of its own does so. Events other than those of awaited tasks are there for
/// `Runtime::next`.
///
/// # Errors
/// The descriptor cannot be watched: the system has no room for it, or another call watches it.
///
/// # Panics
/// Outside a tokio runtime, or in one without I/O (`enable_io`).
pub fn drive(runtime: &Runtime) -> io::Result<JoinHandle<()>> {
    let watched = AsyncFd::with_interest(Watched(runtime.clone()), Interest::READABLE)?;
    Ok(tokio::spawn(async move {
        while let Ok(mut ready) = watched.readable().await {
            // First the mark is taken away, then the events are read: one that comes meanwhile sets it again.
            ready.clear_ready();
            if watched.get_ref().0.turn().is_err() {
                break;
            }
        }
    }))
}
