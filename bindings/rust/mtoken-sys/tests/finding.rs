//! Where the build script looks for the library: what it tells cargo.

use std::path::Path;
use std::process::Command;

/// The lines that name the library and its folder.
fn told(script: &Path, lib_dir: Option<&str>, pkg_config: &str) -> Vec<String> {
    let mut command = Command::new(script);
    command.env_clear().env("PKG_CONFIG", pkg_config);
    command.envs(lib_dir.map(|folder| ("MTOKEN_LIB_DIR", folder)));
    let output = command.output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.strip_prefix("cargo:rustc-link-")).map(str::to_owned).collect()
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
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(first, ["lib=dylib=mtoken", "search=native=/by/hand"]);
    assert_eq!(second, ["lib=dylib=mtoken", "search=native=/by/pkg-config"]);
    for lines in plain {
        assert_eq!(lines, ["lib=dylib=mtoken"]);
    }
}
