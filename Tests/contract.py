#!/usr/bin/env python3
"""The contract test: header = exported symbols = ctypes declarations = golden text of layouts and values.

    Tests/contract.py [--update] [--library build/lib/libmtoken.so.1]...

The libraries are those given, or of the environment's MTOKEN_LIBRARIES (separated by ":"), or build/lib/libmtoken.so.1.
--update rewrites Tests/contract.golden.txt from the header. Exit status 0: everything agrees.
"""

from __future__ import annotations

import argparse
import ctypes
import difflib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, List

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
GOLDEN = ROOT / "Tests" / "contract.golden.txt"
VERSION_NODE = "MTOKEN_1.0"
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]

sys.path.insert(0, str(ROOT / "Tests" / "python"))
from cheader import FunctionType, Header  # noqa: E402


class Report:
    """Counts checks and collects disagreements."""

    def __init__(self) -> None:
        self.failures: List[str] = []
        self.checks = 0

    def equal(self, what: str, actual: Any, expected: Any) -> None:
        self.checks += 1
        if actual != expected:
            self.failures.append(f"{what}: {actual!r}, expected {expected!r}")

    def same_names(self, what: str, actual: set[str], expected: set[str]) -> None:
        self.checks += len(expected)
        for name in sorted(expected - actual):
            self.failures.append(f"{what}: {name} is missing")
        for name in sorted(actual - expected):
            self.failures.append(f"{what}: {name} is too much")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="rewrite the golden text")
    parser.add_argument("--library", action="append", type=Path, help="a product to compare with")
    arguments = parser.parse_args()
    listed = [Path(path) for path in os.environ.get("MTOKEN_LIBRARIES", "").split(":") if path]
    libraries = arguments.library or listed or [ROOT / "build" / "lib" / "libmtoken.so.1"]

    header = Header.read(INCLUDE)
    report = Report()
    check_compilers(report)
    layouts = measure(header)
    check_golden(report, golden_text(header, layouts), update=arguments.update)
    declarations = ctypes_declarations()
    check_ctypes(report, header, layouts, declarations)
    check_man_pages(report, header)
    for library in libraries:
        check_exports(report, header, library)
        check_constants(report, header, library, declarations)

    for failure in report.failures:
        print(f"contract: {failure}", file=sys.stderr)
    print(
        f"contract: {len(header.functions)} functions, {len(header.structs)} structs, "
        f"{len(header.integers) + len(header.texts)} constants, {len(libraries)} libraries, "
        f"{report.checks} checks, {len(report.failures)} failures"
    )
    return 1 if report.failures else 0


# The compiler's view


def compiler(kind: str) -> str:
    variable, default = {"c": ("CC", "cc"), "c++": ("CXX", "c++")}[kind]
    return os.environ.get(variable) or default


def compile_text(kind: str, standard: str, source: str, output: Path) -> subprocess.CompletedProcess[str]:
    suffix = ".c" if kind == "c" else ".cc"
    path = output.with_suffix(suffix)
    path.write_text(source, encoding="utf-8")
    command = [compiler(kind), f"-std={standard}", *STRICT, f"-I{INCLUDE}", str(path), "-o", str(output)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def check_compilers(report: Report) -> None:
    """The header, and each part of it by itself, compiles without a warning as C99 and as C++17."""
    parts = ["mtoken.h", *(f"mtoken/{path.name}" for path in sorted((INCLUDE / "mtoken").glob("*.h")))]
    with tempfile.TemporaryDirectory() as folder:
        for kind, standard in (("c", "c99"), ("c++", "c++17")):
            for part in parts:
                source = f"#include <{part}>\nint main(void) {{ return 0; }}\n"
                result = compile_text(kind, standard, source, Path(folder) / "part")
                report.equal(f"{part} as {standard}\n{result.stderr}", result.returncode, 0)


class Layout:
    """Size, alignment and members of a struct, as the compiler laid it out."""

    def __init__(self, size: int, alignment: int):
        self.size = size
        self.alignment = alignment
        self.members: Dict[str, tuple[int, int]] = {}


def measure(header: Header) -> Dict[str, Layout]:
    """Compiles and runs a program that prints every layout, constant and initialiser, and checks the last two here."""
    lines = ["#include <mtoken.h>", "#include <stdio.h>", "#include <string.h>"]
    initialised = {name[:-5].lower(): name for name in header.initialisers}
    lines += [f"static const {kind} i_{kind} = {name};" for kind, name in initialised.items()]
    lines.append("int main(void) {")
    for name, members in header.structs.items():
        lines.append(f'    printf("struct {name} %zu %zu\\n", sizeof({name}), _Alignof({name}));')
        for member in members:
            size = f"sizeof((({name} *)0)->{member.name})"
            lines.append(f'    printf("member {member.name} %zu %zu\\n", offsetof({name}, {member.name}), {size});')
    for name in header.integers:
        lines.append(f'    printf("constant {name} %lld\\n", (long long){name});')
    for name in header.texts:
        lines.append(f'    printf("text {name} %s\\n", {name});')
    for kind in initialised:
        first = "sizeof(size_t)" if header.structs[kind][0].name == "struct_size" else "0"
        lines += [
            "    {",
            f"        {kind} zero;",
            "        memset(&zero, 0, sizeof zero);",
            f"        const char *bytes = (const char *)&i_{kind};",
            f'        printf("initialiser {kind} %d %zu\\n",',
            f"               memcmp(bytes + {first}, &zero, sizeof zero - {first}),",
            "               *(const size_t *)(const void *)bytes);",
            "    }",
        ]
    lines += ["    return 0;", "}", ""]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "layouts"
        result = compile_text("c", "c11", "\n".join(lines), program)
        if result.returncode != 0:
            sys.exit(f"contract: the layout program does not compile:\n{result.stderr}")
        output = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    return read_measurements(header, output)


def read_measurements(header: Header, output: str) -> Dict[str, Layout]:
    layouts: Dict[str, Layout] = {}
    current = Layout(0, 0)
    for line in output.splitlines():
        word, name, *values = line.split(" ", 3)
        if word == "struct":
            current = layouts[name] = Layout(int(values[0]), int(values[1]))
        elif word == "member":
            current.members[name] = (int(values[0]), int(values[1]))
        elif word in ("constant", "text"):
            expected = header.texts[name] if word == "text" else str(header.integers[name])
            if values[0] != expected:
                sys.exit(f"contract: the compiler reads {name} as {values[0]}, this script as {expected}")
        elif word == "initialiser":
            options = header.structs[name][0].name == "struct_size"
            if values[0] != "0" or (options and int(values[1]) != layouts[name].size):
                sys.exit(f"contract: the initialiser of {name} is not zero but for struct_size")
    return layouts


# The golden text


def golden_text(header: Header, layouts: Dict[str, Layout]) -> str:
    """Everything that a program compiled against this header relies on (for 64-bit Linux)."""
    lines = [
        "# Written by Tests/contract.py --update. A changed line breaks compiled programs; new lines do not,",
        "# but for members of structs that a host fills in without struct_size or that are held in an array.",
    ]
    lines += ["", "# constants"]
    lines += [f"{name} = {value}" for name, value in header.integers.items()]
    lines += [f'{name} = "{value}"' for name, value in header.texts.items()]
    lines += ["", "# structs: offset, size, member"]
    for name, members in header.structs.items():
        layout = layouts[name]
        lines.append(f"{name}: size {layout.size}, alignment {layout.alignment}")
        for member in members:
            offset, size = layout.members[member.name]
            lines.append(f"  {offset:4} {size:3} {member.name}: {member.type}")
    lines += ["", "# opaque", *header.opaque]
    lines += ["", "# functions", *(str(function) for function in header.functions.values())]
    return "\n".join(lines) + "\n"


def check_golden(report: Report, text: str, *, update: bool) -> None:
    report.checks += 1
    if update:
        GOLDEN.write_text(text, encoding="utf-8")
        return
    golden = GOLDEN.read_text(encoding="utf-8") if GOLDEN.exists() else ""
    difference = difflib.unified_diff(golden.splitlines(), text.splitlines(), "golden", "header", lineterm="", n=0)
    report.failures += [f"golden text: {line}" for line in difference]


# The declarations of the Python binding


def ctypes_declarations() -> ModuleType:
    """mtoken._c alone, without the package around it, which would load a library."""
    path = ROOT / "bindings" / "python" / "src" / "mtoken" / "_c.py"
    spec = importlib.util.spec_from_file_location("mtoken_declarations", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def expected_ctypes(header: Header, module: ModuleType, kind: Any) -> List[Any]:
    """The ctypes types that may stand for a C type."""
    if isinstance(kind, FunctionType):
        return []
    match = re.fullmatch(r"(?:const )?(\w+)\s*([* const]*)", kind)
    assert match is not None, kind
    name, stars = header.resolve(match[1]), match[2].count("*")
    scalars = {
        "int32_t": ctypes.c_int32,
        "uint32_t": ctypes.c_uint32,
        "uint64_t": ctypes.c_uint64,
        "int64_t": ctypes.c_int64,
        "uint8_t": ctypes.c_uint8,
        "size_t": ctypes.c_size_t,
        "double": ctypes.c_double,
    }
    if name == "void":
        return [None] if stars == 0 else [ctypes.c_void_p]
    if name == "char":
        candidates: List[Any] = [ctypes.c_char_p] if stars > 1 else [ctypes.c_char_p, ctypes.POINTER(ctypes.c_char)]
        stars -= 1
    else:
        candidates = [scalars[name] if name in scalars else getattr(module, name, None)]
    for _ in range(stars):
        candidates = [ctypes.POINTER(candidate) for candidate in candidates]
    return candidates


def check_ctypes(report: Report, header: Header, layouts: Dict[str, Layout], module: ModuleType) -> None:
    def matches(what: str, kind: Any, actual: Any) -> None:
        report.checks += 1
        if isinstance(kind, FunctionType):
            restype, argtypes = getattr(actual, "_restype_", None), getattr(actual, "_argtypes_", ())
            matches(f"{what} (result)", kind.result, restype)
            report.equal(f"{what}: parameters", len(argtypes), len(kind.parameters))
            for index, (parameter, argument) in enumerate(zip(kind.parameters, argtypes)):
                matches(f"{what} (parameter {index})", parameter, argument)
        elif actual not in expected_ctypes(header, module, kind):
            report.failures.append(f"ctypes: {what} is {actual}, the header says {kind}")

    prototypes: Dict[str, Any] = module.PROTOTYPES
    report.same_names("ctypes: functions", set(prototypes), set(header.functions))
    for name, function in header.functions.items():
        if name not in prototypes:
            continue
        result, parameters = prototypes[name]
        matches(f"{name} (result)", function.result, result)
        report.equal(f"ctypes: {name}: parameters", len(parameters), len(function.parameters))
        for parameter, actual in zip(function.parameters, parameters):
            matches(f"{name}({parameter.name})", parameter.type, actual)

    declared = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, ctypes.Structure) and value is not ctypes.Structure
    }
    report.same_names("ctypes: structs", set(declared), {*header.structs, *header.opaque})
    for name, members in header.structs.items():
        struct = declared.get(name)
        if struct is None:
            continue
        layout = layouts[name]
        report.equal(f"ctypes: size of {name}", ctypes.sizeof(struct), layout.size)
        fields = [field[0] for field in struct._fields_]
        report.equal(f"ctypes: members of {name}", fields, [member.name for member in members])
        for member, field in zip(members, struct._fields_):
            matches(f"{name}.{member.name}", member.type, field[1])
            place = getattr(struct, member.name)
            report.equal(f"ctypes: {name}.{member.name}", (place.offset, place.size), layout.members[member.name])

    constants = {name: value for name, value in vars(module).items() if name.startswith("MTOKEN_")}
    report.same_names("ctypes: constants", set(constants), {*header.integers, *header.texts})
    for name, value in {**header.integers, **header.texts}.items():
        report.equal(f"ctypes: {name}", constants.get(name), value)


# The libraries


def check_man_pages(report: Report, header: Header) -> None:
    """There is a man page for each function, and for nothing else but the headers."""
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "man3"
        command = [sys.executable, str(ROOT / ".pkg" / "man.py"), "--include", str(INCLUDE), "--output", str(pages)]
        subprocess.run([*command, "--version", "0", "--date", "2000-01-01"], check=True, stdout=subprocess.DEVNULL)
        parts = {"mtoken", *(f"mtoken_{path.stem}" for path in (INCLUDE / "mtoken").glob("*.h"))}
        report.same_names("man pages", {page.stem for page in pages.iterdir()}, {*parts, *header.functions})
        named = set(re.findall(r"^\.Nm (\w+)", "\n".join(page.read_text() for page in sorted(pages.iterdir())), re.MULTILINE))
        report.same_names("names of man pages", named, {*parts, *header.functions})


def check_exports(report: Report, header: Header, library: Path) -> None:
    """Exactly the functions of the header are exported, under the version node."""
    tool = shutil.which("nm") or sys.exit("contract: nm is needed")
    command = [tool, "--dynamic", "--defined-only", "--with-symbol-versions", str(library)]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    exported = set()
    for line in listing.splitlines():
        _, kind, symbol = line.split()
        name, _, version = symbol.partition("@")
        if kind == "A" and name == VERSION_NODE:
            continue  # the version node itself
        report.equal(f"{library.name}: kind of {name}", kind, "T")
        report.equal(f"{library.name}: version of {name}", version.lstrip("@"), VERSION_NODE)
        exported.add(name)
    report.same_names(f"{library.name}: exported functions", exported, set(header.functions))


def check_constants(report: Report, header: Header, library: Path, module: ModuleType) -> None:
    """The library's own table of constants holds exactly the header's numbers; versions and error names agree."""
    loaded = ctypes.CDLL(str(library))
    try:
        module.declare(loaded)
    except AttributeError as missing:
        report.failures.append(f"{library.name}: {missing}")
        return
    value = ctypes.c_int64()
    table: Dict[str, int] = {}
    while True:
        name = loaded.mtoken_constant_at(len(table), ctypes.byref(value))
        if name is None:
            break
        if name.decode() in table:
            report.failures.append(f"{library.name}: constant {name.decode()} is listed twice")
            break
        table[name.decode()] = value.value
    report.same_names(f"{library.name}: constants", set(table), set(header.integers))
    for name, number in header.integers.items():
        report.equal(f"{library.name}: table value of {name}", table.get(name), number)
        short = name[len("MTOKEN_") :].encode()
        status = loaded.mtoken_constant_value(short, len(short), ctypes.byref(value))
        report.equal(f"{library.name}: mtoken_constant_value({short.decode()})", (status, value.value), (0, number))
    report.equal(f"{library.name}: version", loaded.mtoken_version().decode(), header.texts["MTOKEN_VERSION"])
    report.equal(f"{library.name}: ABI version", loaded.mtoken_abi_version(), header.integers["MTOKEN_ABI_VERSION"])
    codes = {value: name for name, value in header.integers.items() if re.match(r"MTOKEN_(OK$|ERROR_)", name)}
    for code in range(-2, max(codes) + 3):
        name = loaded.mtoken_error_name(code)
        report.equal(f"{library.name}: mtoken_error_name({code})", name.decode() if name else None, codes.get(code))
        described = loaded.mtoken_error_description(code) is not None
        report.equal(f"{library.name}: mtoken_error_description({code}) exists", described, code in codes)


if __name__ == "__main__":
    sys.exit(main())
