//! Where the build script looks for the library: what it tells cargo.

use std::path::Path;
use std::process::Command;

/// The lines that name the library and its folder.
fn told(script: &Path, lib_dir: Option<&str>, pkg_config: &str) -> Vec<String> {
    let given = lib_dir.map(|folder| ("MTOKEN_LIB_DIR", folder));
    ran(script, &[("PKG_CONFIG", pkg_config)], given).unwrap()
}

/// The same lines, or what the script panics with.
fn ran(script: &Path, variables: &[(&str, &str)], more: Option<(&str, &str)>) -> Result<Vec<String>, String> {
    let output =
        Command::new(script).env_clear().envs(variables.iter().copied()).envs(more).output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8(output.stderr).unwrap());
    }
    let text = String::from_utf8(output.stdout).unwrap();
    Ok(text.lines().filter_map(|line| line.strip_prefix("cargo:rustc-link-")).map(str::to_owned).collect())
}

#[test]
fn the_order() {
    let folder = std::env::temp_dir().join(format!("mtoken-finding-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let script = folder.join("build");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/build.rs");
    let made = Command::new(rustc).args(["--edition", "2021", source, "-o"]).arg(&script).status().unwrap();
    assert!(made.success());
    // One that answers what it is asked with a folder, as pkg-config does.
    let asked = folder.join("asked");
    std::fs::write(&asked, "#!/bin/sh\n[ \"$*\" = \"--variable=libdir mtoken\" ] && echo /by/pkg-config\n")
        .unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&asked, mode).unwrap();
    let asked = asked.to_str().unwrap();
    let first = told(&script, Some("/by/hand"), asked);
    let second = told(&script, None, asked);
    let plain = [
        told(&script, None, "/bin/false"),
        told(&script, None, "/nowhere/pkg-config"),
        told(&script, Some(""), asked),
    ];
    carried(&script, &folder);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(first, ["lib=dylib=mtoken", "search=native=/by/hand"]);
    assert_eq!(second, ["lib=dylib=mtoken", "search=native=/by/pkg-config"]);
    for lines in plain {
        assert_eq!(lines, ["lib=dylib=mtoken"]);
    }
}

/// What a crate carries comes before all else, and is not searched for elsewhere.
fn carried(script: &Path, folder: &Path) {
    let place = folder.to_str().unwrap();
    let run = |target| {
        let given = [
            ("CARGO_FEATURE_BUNDLED", "1"),
            ("CARGO_MANIFEST_DIR", place),
            ("OUT_DIR", place),
            ("TARGET", target),
        ];
        ran(script, &given, Some(("MTOKEN_LIB_DIR", "/by/hand")))
    };
    let missing = run("x86_64-unknown-linux-gnu").unwrap_err();
    assert!(missing.contains("bundled/x86_64-linux-gnu/libmtoken.so.1 is missing"), "{missing}");
    let search = format!("search=native={place}");
    for (target, system) in [
        ("x86_64-unknown-linux-gnu", "x86_64-linux-gnu"),
        ("aarch64-unknown-linux-gnu", "aarch64-linux-gnu"),
        ("x86_64-alpine-linux-musl", "x86_64-linux-musl"),
        ("aarch64-unknown-linux-musl", "aarch64-linux-musl"),
    ] {
        let bundled = folder.join("bundled").join(system);
        std::fs::create_dir_all(&bundled).unwrap();
        std::fs::write(bundled.join("libmtoken.so.1"), system).unwrap();
        assert_eq!(run(target).unwrap(), ["lib=dylib=mtoken", search.as_str()]);
        for name in ["libmtoken.so.1", "libmtoken.so"] {
            assert_eq!(std::fs::read_to_string(folder.join(name)).unwrap(), system);
        }
    }
    for target in ["riscv64gc-unknown-linux-gnu", "aarch64-apple-darwin"] {
        let other = run(target).unwrap_err();
        assert!(other.contains(&format!("not for {target}")), "{other}");
    }
}
