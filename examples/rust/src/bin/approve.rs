//! A mobile token in Rust: activates this device, waits until the bank has confirmed that, and approves the first operation.
//!
//!     cargo run --bin approve -- URL CA-FILE SDK-CONFIGURATION ACTIVATION-CODE PIN
//!
//! The state of the token is stored in ./approve-state.

use std::mem::size_of;
use std::process::exit;
use std::{env, ptr};

use token::{array, bytes, call, finish, make, string, sys, text, Owned, Result};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [url, authority, configuration, code, pin]: [String; 5] = arguments.try_into().unwrap_or_else(|_| {
        eprintln!("usage: approve URL CA-FILE SDK-CONFIGURATION ACTIVATION-CODE PIN");
        exit(2);
    });
    if let Err(error) = run(&url, &authority, &configuration, &code, &pin) {
        eprintln!("{error}");
        exit(1);
    }
}

fn run(url: &str, authority: &str, configuration: &str, code: &str, pin: &str) -> Result<()> {
    let runtime = make(sys::mtoken_runtime_free, |runtime, error| unsafe {
        sys::mtoken_runtime_new(ptr::null(), runtime, error)
    })?;
    let path = text("approve-state");
    let store = make(sys::mtoken_store_free, |store, error| unsafe {
        sys::mtoken_store_directory_new(path.data, path.length, store, error)
    })?;
    let options = sys::mtoken_client_options {
        struct_size: size_of::<sys::mtoken_client_options>() as _,
        id: text("demo"),
        configuration: text(configuration),
        base_url: text(url),
        store: store.as_ptr(),
        ca_file: text(authority),
        ..Default::default()
    };
    let client = make(sys::mtoken_client_free, |client, error| unsafe {
        sys::mtoken_client_new(runtime.as_ptr(), &options, client, error)
    })?;
    let auth = sys::mtoken_auth {
        struct_size: size_of::<sys::mtoken_auth>() as _,
        pin: bytes(pin.as_bytes()),
        ..Default::default()
    };
    activate(&client, code, &auth)?;
    approve(&client, &auth)
}

/// Activates with the code from the bank, shows the fingerprint, sets the PIN, and waits until the bank has confirmed.
fn activate(client: &Owned<sys::mtoken_client>, code: &str, auth: &sys::mtoken_auth) -> Result<()> {
    let options = sys::mtoken_activation_options {
        struct_size: size_of::<sys::mtoken_activation_options>() as _,
        code: text(code),
        name: text("Rust demo"),
        ..Default::default()
    };
    let activated =
        finish(|task, error| unsafe { sys::mtoken_client_activate(client.as_ptr(), &options, task, error) })?;
    let activation = unsafe { &*sys::mtoken_task_activation(activated.as_ptr()) };
    println!("activated; fingerprint {}", unsafe { string(activation.fingerprint) });
    call(|error| unsafe { sys::mtoken_client_persist(client.as_ptr(), auth, error) })?;
    finish(|task, error| unsafe { sys::mtoken_client_wait_active(client.as_ptr(), ptr::null(), task, error) })?;
    Ok(())
}

/// The summary says what is signed, whatever title and message say.
fn approve(client: &Owned<sys::mtoken_client>, auth: &sys::mtoken_auth) -> Result<()> {
    let listed = finish(|task, error| unsafe { sys::mtoken_operations_list(client.as_ptr(), task, error) })?;
    let list = unsafe { &*sys::mtoken_task_operations(listed.as_ptr()) };
    let operation = match unsafe { array(list.operations, list.count) }.next() {
        Some(operation) => operation,
        None => {
            println!("nothing waits for approval");
            return Ok(());
        }
    };
    let (title, message) = unsafe { (string(operation.title), string(operation.message)) };
    println!("{title}: {message}");
    println!("you sign:\n{}", unsafe { string(operation.summary) });
    finish(|task, error| unsafe {
        sys::mtoken_operations_authorize(client.as_ptr(), operation, auth, ptr::null(), task, error)
    })?;
    println!("approved {}", unsafe { string(operation.id) });
    Ok(())
}
