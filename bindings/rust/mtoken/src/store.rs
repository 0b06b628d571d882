// SPDX-License-Identifier: Apache-2.0
use std::ffi::c_void;
use std::os::raw::c_char;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;

use mtoken_sys as sys;

use crate::life::{check, slice, text};
use crate::values::ErrorCode;
use crate::{Result, Store};

/// Keeps the state of clients where the program wants it. The functions are called on threads of the library, never two at once
/// for one client, and must not use the client concerned. A panic counts as `ErrorCode::STORAGE`.
pub trait HostStore: Send + Sync + 'static {
    /// The item.
    ///
    /// # Errors
    /// `NOT_FOUND`: there is none; anything else: it could not be read.
    fn load(&self, name: &str) -> std::result::Result<Vec<u8>, ErrorCode>;
    /// Replaces the item, and returns only when it is durable: a signature is sent right after.
    ///
    /// # Errors
    /// Any: nothing is sent, and the call fails with this code.
    fn save(&self, name: &str, item: &[u8]) -> std::result::Result<(), ErrorCode>;
    /// Removes the item, if there is one.
    ///
    /// # Errors
    /// Any: it is still there.
    fn remove(&self, name: &str) -> std::result::Result<(), ErrorCode>;
    /// The names of all items.
    ///
    /// # Errors
    /// Any: they could not be read.
    fn list(&self) -> std::result::Result<Vec<String>, ErrorCode>;
}

impl Store {
    /// Makes a store of the program's own. It is dropped with the last client that uses it.
    ///
    /// # Errors
    /// None that is known: each function is there.
    pub fn host(host: impl HostStore) -> Result<Store> {
        let kept: Box<Box<dyn HostStore>> = Box::new(Box::new(host));
        let context = Box::into_raw(kept);
        let host = sys::mtoken_host_store {
            context: context.cast(),
            load: Some(load),
            save: Some(save),
            remove: Some(remove),
            release: Some(release),
            list: Some(list),
            ..Default::default()
        };
        let (mut store, mut error) = (ptr::null_mut(), ptr::null_mut());
        let status = unsafe { sys::mtoken_store_host_new(&host, &mut store, &mut error) };
        if let Err(error) = check(status, error) {
            drop(unsafe { Box::from_raw(context) });
            return Err(error);
        }
        Ok(unsafe { Store::made(store, None) })
    }
}

unsafe fn guarded(
    context: *mut c_void,
    call: impl FnOnce(&dyn HostStore) -> std::result::Result<(), ErrorCode>,
) -> i32 {
    let host = &*(context as *const Box<dyn HostStore>);
    match caught(|| call(host.as_ref())) {
        Some(Ok(())) => sys::MTOKEN_OK,
        Some(Err(code)) if code.0 != 0 => code.0,
        _ => sys::MTOKEN_ERROR_STORAGE,
    }
}

/// What a function of the host gives, which C has called; None: it panicked. What it panicked with is not dropped: that
/// could panic again, and must not unwind into C.
fn caught<T>(call: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(call)).map_err(std::mem::forget).ok()
}

fn passed(status: i32) -> std::result::Result<(), ErrorCode> {
    if status == sys::MTOKEN_OK {
        Ok(())
    } else {
        Err(ErrorCode(status))
    }
}

unsafe extern "C" fn load(
    context: *mut c_void,
    name: *const c_char,
    reply: *mut sys::mtoken_store_reply,
) -> i32 {
    guarded(context, |host| {
        let mut item = host.load(text(name))?;
        let status = sys::mtoken_store_reply_set(reply, item.as_ptr(), item.len());
        crate::wipe(&mut item);
        passed(status)
    })
}

unsafe extern "C" fn save(context: *mut c_void, name: *const c_char, item: *const u8, length: usize) -> i32 {
    guarded(context, |host| host.save(text(name), slice(item, length)))
}

unsafe extern "C" fn remove(context: *mut c_void, name: *const c_char) -> i32 {
    guarded(context, |host| host.remove(text(name)))
}

unsafe extern "C" fn release(context: *mut c_void) {
    caught(|| drop(Box::from_raw(context as *mut Box<dyn HostStore>)));
}

unsafe extern "C" fn list(context: *mut c_void, names: *mut sys::mtoken_store_names) -> i32 {
    guarded(context, |host| {
        for name in host.list()? {
            passed(sys::mtoken_store_names_add(names, name.as_ptr().cast(), name.len()))?;
        }
        Ok(())
    })
}
