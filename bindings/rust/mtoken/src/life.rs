// SPDX-License-Identifier: Apache-2.0
//! What goes into the library and comes out of it: texts, arrays, and the ownership of what it makes.

use std::any::Any;
use std::ffi::CStr;
use std::ops::Deref;
use std::os::raw::c_char;
use std::ptr::{self, NonNull};
use std::sync::{Arc, Once};
use std::{fmt, slice as slices, str};

use mtoken_sys as sys;

use crate::task::Handle;
use crate::values::ErrorCode;
use crate::{Error, Result, Watch};

// From the library, which gives out UTF-8

pub(crate) unsafe fn text<'a>(found: *const c_char) -> &'a str {
    str::from_utf8(CStr::from_ptr(found).to_bytes()).unwrap_or("\u{fffd}")
}

pub(crate) unsafe fn text_n<'a>(found: *const c_char, length: usize) -> &'a str {
    str::from_utf8(slice(found.cast(), length)).unwrap_or("\u{fffd}")
}

pub(crate) unsafe fn optional<'a>(found: *const c_char) -> Option<&'a str> {
    (!found.is_null()).then(|| text(found))
}

pub(crate) unsafe fn optional_n<'a>(found: *const c_char, length: usize) -> Option<&'a str> {
    (!found.is_null()).then(|| text_n(found, length))
}

pub(crate) unsafe fn slice<'a, T>(found: *const T, count: usize) -> &'a [T] {
    if found.is_null() {
        &[]
    } else {
        slices::from_raw_parts(found, count)
    }
}

pub(crate) unsafe fn texts<'a>(found: *const *const c_char, count: usize) -> Vec<&'a str> {
    slice(found, count).iter().map(|item| text(*item)).collect()
}

pub(crate) unsafe fn take_text(made: *mut sys::mtoken_text) -> String {
    let copy = made.as_ref().map(|found| text_n(found.data, found.length).to_owned());
    sys::mtoken_text_free(made);
    copy.unwrap_or_default()
}

pub(crate) unsafe fn take_bytes(made: *mut sys::mtoken_bytes) -> Vec<u8> {
    let copy = made.as_ref().map(|found| slice(found.data, found.length).to_owned());
    sys::mtoken_bytes_free(made);
    copy.unwrap_or_default()
}

/// A struct that the library makes, to read. None is ever changed while it can be seen: many threads may read it, and any may free it.
///
/// # Safety
/// Only for the structs of this crate.
pub unsafe trait View: Send + Sync {
    type Raw;
    /// Frees one that belongs to the host.
    ///
    /// # Safety
    /// Once, and only what the library has made for the host.
    unsafe fn free(object: *mut Self);
}

/// Owns a struct that the library made, or what it lives in.
pub struct Owned<T: View> {
    object: NonNull<T>,
    task: Option<Arc<Handle>>,
}

unsafe impl<T: View> Send for Owned<T> {}
unsafe impl<T: View> Sync for Owned<T> {}

impl<T: View> Owned<T> {
    pub(crate) unsafe fn made(object: *mut T) -> Self {
        Owned { object: NonNull::new(object).expect("a call that succeeds gives something out"), task: None }
    }

    pub(crate) unsafe fn maybe(object: *mut T) -> Option<Self> {
        NonNull::new(object).map(|object| Owned { object, task: None })
    }

    pub(crate) unsafe fn of_task(object: *const T, task: &Arc<Handle>) -> Option<Self> {
        NonNull::new(object as *mut T).map(|object| Owned { object, task: Some(task.clone()) })
    }

    pub(crate) fn as_ptr(&self) -> *mut T {
        self.object.as_ptr()
    }
}

impl<T: View> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        unsafe { self.object.as_ref() }
    }
}

impl<T: View + fmt::Debug> fmt::Debug for Owned<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

impl<T: View> Drop for Owned<T> {
    fn drop(&mut self) {
        if self.task.is_none() {
            unsafe { T::free(self.object.as_ptr()) }
        }
    }
}

/// Overwrites a secret that is no longer needed.
pub fn wipe(secret: &mut [u8]) {
    for byte in secret.iter_mut() {
        unsafe { ptr::write_volatile(byte, 0) }
    }
    std::sync::atomic::compiler_fence(std::sync::atomic::Ordering::SeqCst);
}

// To the library

pub(crate) fn raw_text(given: Option<&str>) -> sys::mtoken_text {
    match given {
        None => sys::mtoken_text { data: ptr::null(), length: 0 },
        Some(text) => sys::mtoken_text { data: text.as_ptr().cast(), length: text.len() },
    }
}

pub(crate) fn raw_bytes(given: Option<&[u8]>) -> sys::mtoken_bytes {
    match given {
        None => sys::mtoken_bytes { data: ptr::null(), length: 0 },
        Some(bytes) => sys::mtoken_bytes { data: bytes.as_ptr(), length: bytes.len() },
    }
}

pub(crate) fn pointer<T>(given: Option<&T>) -> *const T {
    given.map_or(ptr::null(), |found| found)
}

/// The C form of options during a call.
pub(crate) trait Given {
    type Raw: 'static;
    fn raw(&self, hold: &mut Hold) -> Self::Raw;
}

/// Holds arrays and inner options while a call lasts. It allocates only for those.
pub(crate) struct Hold(Vec<Box<dyn Any>>);

impl Hold {
    pub(crate) fn new() -> Self {
        Hold(Vec::new())
    }

    fn keep<T: 'static>(&mut self, items: Vec<T>) -> (*const T, usize) {
        if items.is_empty() {
            return (ptr::null(), 0);
        }
        let place = (items.as_ptr(), items.len());
        self.0.push(Box::new(items));
        place
    }

    pub(crate) fn array<T: Given>(&mut self, items: &[T]) -> (*const T::Raw, usize) {
        let raw = items.iter().map(|item| item.raw(self)).collect();
        self.keep(raw)
    }

    pub(crate) fn texts(&mut self, items: &[&str]) -> (*const sys::mtoken_text, usize) {
        self.keep(items.iter().map(|item| raw_text(Some(item))).collect())
    }

    pub(crate) fn option<T: Given>(&mut self, given: Option<&T>) -> *const T::Raw {
        match given {
            None => ptr::null(),
            Some(given) => {
                let raw = given.raw(self);
                self.keep(vec![raw]).0
            }
        }
    }

    /// A text that ends at its NUL. One inside would hide the rest from the library: it becomes bad UTF-8, which is refused.
    fn c_text(&mut self, text: &str) -> *const c_char {
        let mut bytes: Vec<u8> = text.bytes().map(|byte| if byte == 0 { 0xff } else { byte }).collect();
        bytes.push(0);
        self.keep(bytes).0.cast()
    }
}

impl Given for Watch<'_> {
    type Raw = sys::mtoken_watched;
    fn raw(&self, hold: &mut Hold) -> Self::Raw {
        let id = hold.c_text(self.id);
        let operation_data = self.operation_data.map_or(ptr::null(), |data| hold.c_text(data));
        sys::mtoken_watched { id, operation_data, expires: self.expires }
    }
}

// Errors

pub(crate) fn check(status: i32, error: *mut sys::mtoken_error) -> Result<()> {
    if status == sys::MTOKEN_OK {
        Ok(())
    } else {
        Err(unsafe { Error::take(status, error) })
    }
}

/// Refuses a library of another ABI, or an older one.
pub(crate) fn suitable() -> Result<()> {
    static ONCE: Once = Once::new();
    static mut PROBLEM: Option<Error> = None;
    unsafe {
        ONCE.call_once(|| PROBLEM = unsuitable(sys::mtoken_abi_version(), sys::mtoken_version_number()));
        (*ptr::addr_of!(PROBLEM)).clone().map_or(Ok(()), Err)
    }
}

fn unsuitable(abi: i32, version: u32) -> Option<Error> {
    if abi == sys::MTOKEN_ABI_VERSION && version >= sys::MTOKEN_VERSION_NUMBER as u32 {
        return None;
    }
    let message = format!(
        "libmtoken.so.1 has ABI {abi} and version {version}; this program needs ABI {} and at least version {} (Debian package libmtoken1)",
        sys::MTOKEN_ABI_VERSION,
        sys::MTOKEN_VERSION_NUMBER,
    );
    Some(Error::new(ErrorCode::UNSUPPORTED, "libraryUnsuitable", &message))
}

/// Declares an object that is freed when it is dropped.
macro_rules! object {
    ($(#[$about:meta])* $name:ident, $raw:ident, $free:ident) => {
        $(#[$about])*
        pub struct $name {
            object: std::ptr::NonNull<sys::$raw>,
            shared: Option<std::sync::Arc<crate::runtime::Shared>>,
        }
        // All objects of the library may be used on any thread.
        unsafe impl Send for $name {}
        unsafe impl Sync for $name {}
        impl $name {
            #[allow(dead_code)]
            pub(crate) unsafe fn made(
                object: *mut sys::$raw,
                shared: Option<std::sync::Arc<crate::runtime::Shared>>,
            ) -> Self {
                let object = std::ptr::NonNull::new(object).expect("a call that succeeds gives something out");
                $name { object, shared }
            }
            #[allow(dead_code)]
            pub(crate) fn as_ptr(&self) -> *mut sys::$raw {
                self.object.as_ptr()
            }
            #[allow(dead_code)]
            pub(crate) fn shared(&self) -> Option<std::sync::Arc<crate::runtime::Shared>> {
                self.shared.clone()
            }
        }
        impl Drop for $name {
            fn drop(&mut self) {
                unsafe { sys::$free(self.object.as_ptr()) }
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(stringify!($name))
            }
        }
    };
}
pub(crate) use object;

/// Says that a struct is what a task came to.
macro_rules! outcome {
    ($name:ident, $getter:ident) => {
        impl crate::task::FromTask for Owned<$name> {
            fn from_task(task: &std::sync::Arc<crate::task::Handle>) -> Option<Self> {
                unsafe { Owned::of_task(sys::$getter(task.as_ptr()) as *const $name, task) }
            }
        }
    };
}
pub(crate) use outcome;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries() {
        assert!(unsuitable(1, 10_000).is_none() && unsuitable(1, 999_999).is_none());
        for (abi, version) in [(2, 10_000), (1, 9_999)] {
            let problem = unsuitable(abi, version).unwrap().to_string();
            assert!(
                problem.contains("at least version 10000") && problem.contains("libmtoken1"),
                "{problem}"
            );
        }
    }
}
