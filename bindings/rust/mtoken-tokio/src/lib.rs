//! Drives the futures of the crate `mtoken` on tokio: [`drive`] a runtime once, then `await` its tasks. It takes no thread.

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

/// Turns the runtime whenever it has events, until the handle is aborted. Events other than those of awaited tasks are kept for
/// `Runtime::event`.
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
