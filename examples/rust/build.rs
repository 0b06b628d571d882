//! Generates Rust from the installed header, and finds the library. Uses no crates, only the commands `pkg-config` and `bindgen`.

use std::path::Path;
use std::process::Command;
use std::{env, str};

fn main() {
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    let include = output("pkg-config", &["--variable=includedir", "mtoken"]);
    let libraries = output("pkg-config", &["--variable=libdir", "mtoken"]);
    println!("cargo:rustc-link-search=native={libraries}");
    println!("cargo:rustc-link-lib=dylib=mtoken");

    let header = format!("{include}/mtoken.h");
    println!("cargo:rerun-if-changed={header}");
    println!("cargo:rerun-if-changed={include}/mtoken");
    let target = Path::new(&env::var("OUT_DIR").unwrap()).join("mtoken.rs");
    let options = ["--no-layout-tests", "--no-prepend-enum-name", "--with-derive-default"];
    let names = ["--allowlist-function", "mtoken_.*", "--allowlist-type", "mtoken_.*", "--allowlist-var", "MTOKEN_.*"];
    output("bindgen", &[&options[..], &names[..], &[&header, "-o", target.to_str().unwrap()]].concat());
}

/// The output of a command.
fn output(program: &str, arguments: &[&str]) -> String {
    let done = Command::new(program).args(arguments).output().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
    str::from_utf8(&done.stdout).unwrap().trim().to_owned()
}
