// SPDX-License-Identifier: Apache-2.0
//! Finds the library: in the folder MTOKEN_LIB_DIR, by pkg-config (or the program that PKG_CONFIG names), or where the linker looks;
//! with the feature `bundled`, the one that the crate carries. Cargo finds that when it runs a program.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-env-changed=MTOKEN_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rustc-link-lib=dylib=mtoken");
    if env::var_os("CARGO_FEATURE_BUNDLED").is_some() {
        let folder =
            unpacked().unwrap_or_else(|problem| panic!("the feature `bundled` of mtoken: {problem}"));
        println!("cargo:rustc-link-search=native={}", folder.display());
        return;
    }
    let folder = env::var("MTOKEN_LIB_DIR").ok().or_else(asked);
    if let Some(folder) = folder.filter(|folder| !folder.is_empty()) {
        println!("cargo:rustc-link-search=native={folder}");
    }
}

/// The folder where a program finds the carried library by its soname, and the linker by its name.
fn unpacked() -> Result<PathBuf, String> {
    let given = |name| env::var_os(name).map(PathBuf::from).ok_or_else(|| format!("cargo sets no {name}"));
    let target = env::var("TARGET").unwrap_or_default();
    let system = system(&target)
        .ok_or_else(|| format!("the library is for Linux on x86_64 and aarch64, not for {target}"))?;
    if env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default().split(',').any(|one| one == "crt-static") {
        return Err("a static program loads no library: RUSTFLAGS=-Ctarget-feature=-crt-static".to_owned());
    }
    let carried = given("CARGO_MANIFEST_DIR")?.join("bundled").join(system).join("libmtoken.so.1");
    if !carried.exists() {
        return Err(format!("{} is missing, which the crates of a release have", carried.display()));
    }
    let folder = given("OUT_DIR")?;
    let copied = |to: &Path| fs::copy(&carried, to).map_err(|problem| format!("{}: {problem}", to.display()));
    copied(&folder.join("libmtoken.so.1"))?;
    copied(&folder.join("libmtoken.so"))?;
    Ok(folder)
}

/// The folder of the library for a target: x86_64-alpine-linux-musl is x86_64-linux-musl.
fn system(target: &str) -> Option<String> {
    let machine = ["x86_64", "aarch64"].into_iter().find(|one| target.starts_with(&format!("{one}-")))?;
    let libc = ["gnu", "musl"].into_iter().find(|one| target.ends_with(&format!("-linux-{one}")))?;
    Some(format!("{machine}-linux-{libc}"))
}

fn asked() -> Option<String> {
    let mut command = Command::new(env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into()));
    let done = command.args(["--variable=libdir", "mtoken"]).output().ok()?;
    let folder = String::from_utf8(done.stdout).ok()?;
    done.status.success().then(|| folder.trim().to_owned())
}
