//! mtoken.h for Rust programs: owners that free, and errors as results. Copy it and adapt it.

use std::ffi::CStr;
use std::fmt;
use std::ops::Deref;
use std::os::raw::c_char;
use std::ptr::{self, NonNull};

/// The header, as bindgen reads it.
pub mod sys {
    #![allow(non_camel_case_types, non_upper_case_globals, clippy::all)]
    include!(concat!(env!("OUT_DIR"), "/mtoken.rs"));
}

/// A failed call. `outcome` says whether the server may have acted nevertheless.
#[derive(Debug, Clone)]
pub struct Error {
    pub code: sys::mtoken_status,
    pub outcome: sys::mtoken_outcome,
    pub reason: String,
    text: String,
}

impl Error {
    fn new(error: &sys::mtoken_error) -> Self {
        let name = unsafe { string(sys::mtoken_error_name(error.code)) };
        let reason = unsafe { string(error.reason) };
        let message = unsafe { string(error.message) };
        let place = match error.byte_offset {
            offset if offset < 0 => String::new(),
            offset => format!(", line {}, byte {offset}", error.line),
        };
        let text = format!("{name} ({reason}){place}: {message}");
        Error { code: error.code, outcome: error.outcome, reason, text }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = std::result::Result<T, Error>;

/// An object of the library, and the function that frees it.
pub struct Owned<T> {
    object: NonNull<T>,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Owned<T> {
    pub fn as_ptr(&self) -> *mut T {
        self.object.as_ptr()
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        unsafe { (self.free)(self.object.as_ptr()) }
    }
}

/// A readable struct; handles are opaque.
pub trait Readable {}
impl Readable for sys::mtoken_qr_operation {}

impl<T: Readable> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        unsafe { self.object.as_ref() }
    }
}

pub type Task = Owned<sys::mtoken_task>;

type ErrorOut = *mut *mut sys::mtoken_error;

/// A call without a result.
pub fn call(function: impl FnOnce(ErrorOut) -> sys::mtoken_status) -> Result<()> {
    let mut error = ptr::null_mut();
    if function(&mut error) == sys::MTOKEN_OK {
        return Ok(());
    }
    let result = Error::new(unsafe { &*error });
    unsafe { sys::mtoken_error_free(error) };
    Err(result)
}

/// A call that creates something.
pub fn make<T>(
    free: unsafe extern "C" fn(*mut T),
    function: impl FnOnce(*mut *mut T, ErrorOut) -> sys::mtoken_status,
) -> Result<Owned<T>> {
    let mut made = ptr::null_mut();
    call(|error| function(&mut made, error))?;
    Ok(Owned { object: NonNull::new(made).expect("a call that succeeds gives something out"), free })
}

/// Waits for a network call. The results live as long as the task.
pub fn finish(function: impl FnOnce(*mut *mut sys::mtoken_task, ErrorOut) -> sys::mtoken_status) -> Result<Task> {
    let task = make(sys::mtoken_task_free, function)?;
    call(|error| unsafe { sys::mtoken_task_join(task.as_ptr(), sys::MTOKEN_FOREVER.into(), error) })?;
    Ok(task)
}

/// A text for an option: borrows what must outlive the call.
pub fn text(text: &str) -> sys::mtoken_text {
    sys::mtoken_text { data: text.as_ptr().cast(), length: text.len() as _ }
}

/// Bytes for an option, likewise.
pub fn bytes(bytes: &[u8]) -> sys::mtoken_bytes {
    sys::mtoken_bytes { data: bytes.as_ptr(), length: bytes.len() as _ }
}

/// A copy of a text from the library; empty for NULL.
///
/// # Safety
/// As the library returns it: it ends with a NUL.
pub unsafe fn string(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    CStr::from_ptr(text).to_string_lossy().into_owned()
}

/// An array from the library.
///
/// # Safety
/// As the library returns it: `count` pointers, none of them NULL.
pub unsafe fn array<'a, T: 'a, N: TryInto<usize>>(items: *const *const T, count: N) -> impl Iterator<Item = &'a T> {
    let count = if items.is_null() { 0 } else { count.try_into().unwrap_or(0) };
    (0..count).map(move |index| &**items.add(index))
}
