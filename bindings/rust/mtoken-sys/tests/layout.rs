//! Every struct lies in memory as the C compiler says of the installed header.

use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

use mtoken_sys::*;

include!("layout/structs.rs");

#[test]
fn structs() {
    let mut found = String::new();
    let mut program = String::from(
        "#include <mtoken.h>\n#include <mtoken/extra.h>\n#include <stdio.h>\n#include <stddef.h>\nint main(void) {\n",
    );
    macro_rules! layout {
        // In blocks: the scopes of hundreds of variables, each within the one before it, are too deep for the compiler.
        ($name:ident { $($member:ident),* }) => {{
            writeln!(found, "{} {}", stringify!($name), std::mem::size_of::<$name>()).unwrap();
            writeln!(program, "printf(\"{0} %zu\\n\", sizeof({0}));", stringify!($name)).unwrap();
            let place = std::mem::MaybeUninit::<$name>::uninit();
            $({
                let member = unsafe { std::ptr::addr_of!((*place.as_ptr()).$member) } as usize;
                let offset = member - place.as_ptr() as usize;
                writeln!(found, "{} {}", stringify!($member), offset).unwrap();
                let line = "printf(\"{1} %zu\\n\", offsetof({0}, {1}));";
                let line = line.replace("{0}", stringify!($name)).replace("{1}", stringify!($member));
                writeln!(program, "{line}").unwrap();
            })*
        }};
    }
    structs!(layout);
    program.push_str("return 0; }\n");
    let executable = std::env::temp_dir().join(format!("mtoken-layout-{}", std::process::id()));
    let flags = Command::new("pkg-config").args(["--cflags", "mtoken"]).output().unwrap();
    let flags = String::from_utf8(flags.stdout).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-x", "c", "-", "-o"]).arg(&executable).args(flags.split_whitespace());
    let mut child = compiler.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    let told = Command::new(&executable).output().unwrap();
    std::fs::remove_file(&executable).unwrap();
    assert_eq!(String::from_utf8(told.stdout).unwrap(), found);
}
