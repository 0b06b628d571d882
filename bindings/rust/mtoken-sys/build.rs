//! Finds the library: in the folder MTOKEN_LIB_DIR, by pkg-config (or the program that PKG_CONFIG names), or where the linker looks.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=MTOKEN_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rustc-link-lib=dylib=mtoken");
    let folder = env::var("MTOKEN_LIB_DIR").ok().or_else(asked);
    if let Some(folder) = folder.filter(|folder| !folder.is_empty()) {
        println!("cargo:rustc-link-search=native={folder}");
    }
}

fn asked() -> Option<String> {
    let mut command = Command::new(env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into()));
    let done = command.args(["--variable=libdir", "mtoken"]).output().ok()?;
    let folder = String::from_utf8(done.stdout).ok()?;
    done.status.success().then(|| folder.trim().to_owned())
}
