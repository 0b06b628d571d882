//! Shows what an offline operation asks for: reads the payload of its QR code from standard input, exactly as scanned.
//!
//!     cargo run --bin qr -- [SDK-CONFIGURATION] < payload.txt
//!
//! With the application's SDK configuration it also verifies the server's signature.

use std::io::{self, Read};
use std::mem::size_of;
use std::process::exit;
use std::{env, error};

use token::{array, make, string, sys, text, Owned};

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        exit(1);
    }
}

fn run() -> Result<(), Box<dyn error::Error>> {
    let mut payload = Vec::new();
    io::stdin().lock().take(4_097).read_to_end(&mut payload)?; // one byte more than a payload may have: the library reports it
    let operation = parse(&payload, env::args().nth(1).as_deref())?;

    unsafe {
        println!("id: {}", string(operation.id));
        println!("title: {}", string(operation.title));
        println!("message: {}", string(operation.message));
        let fields = &*operation.signed_fields;
        array(fields.fields, fields.field_count).for_each(|field| show(field));
    }
    let is_valid = operation.verification == sys::MTOKEN_VERIFIED_VALID;
    println!("signature: {}", if is_valid { "valid" } else { "not checked" });
    Ok(())
}

fn parse(payload: &[u8], configuration: Option<&str>) -> token::Result<Owned<sys::mtoken_qr_operation>> {
    let options = sys::mtoken_qr_options {
        struct_size: size_of::<sys::mtoken_qr_options>() as _,
        configuration: configuration.map(text).unwrap_or_default(),
        ..Default::default()
    };
    make(sys::mtoken_qr_operation_free, |operation, error| unsafe {
        sys::mtoken_qr_operation_parse(payload.as_ptr().cast(), payload.len() as _, &options, operation, error)
    })
}

/// One of the library's.
unsafe fn show(field: &sys::mtoken_operation_field) {
    match field.kind {
        sys::MTOKEN_FIELD_EMPTY => {}
        sys::MTOKEN_FIELD_AMOUNT => println!("amount: {} {}", string(field.value), string(field.currency)),
        sys::MTOKEN_FIELD_ACCOUNT if field.bic.is_null() => println!("account: {}", string(field.iban)),
        sys::MTOKEN_FIELD_ACCOUNT => println!("account: {}, {}", string(field.iban), string(field.bic)),
        sys::MTOKEN_FIELD_DATE => println!("date: {:04}-{:02}-{:02}", field.year, field.month, field.day),
        _ => println!("text: {}", string(field.text)),
    }
}
