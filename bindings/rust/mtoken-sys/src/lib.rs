// SPDX-License-Identifier: Apache-2.0
//! The declarations of mtoken.h, one for one, made from the header. The crate `mtoken` is the safe one.
//!
//! Its man pages (`man mtoken_client_new`) say what each item does, who owns what, and which errors there are.

#![allow(non_camel_case_types)]

#[rustfmt::skip]
mod bindings;

pub use bindings::*;
