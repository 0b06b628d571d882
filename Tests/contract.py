#!/usr/bin/env python3
"""The contract test: header = exported symbols = what is generated from the header = what compilers make of it.

    Tests/contract.py [--library build/lib/libmtoken.so.1]...

The libraries are those given, or build/lib/libmtoken.so.1.
What is generated is written anew by `make generate`. Exit status 0: everything agrees.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, List

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]

sys.path[:0] = [str(ROOT / "bindings"), str(ROOT / "Tests")]
import header_rules  # noqa: E402
from generate import examples, layout, man, symbols  # noqa: E402
from generate.__main__ import differences  # noqa: E402
from generate.model import AnyType, FunctionType, Header  # noqa: E402
from generate.reader import read  # noqa: E402


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
    parser.add_argument("--library", action="append", type=Path, help="a product to compare with")
    arguments = parser.parse_args()
    libraries = arguments.library or [ROOT / "build" / "lib" / "libmtoken.so.1"]

    header = read(INCLUDE)
    report = Report()
    check_rules(report, header)
    check_generated(report, header)
    check_compilers(report)
    check_examples(report)
    layouts = measure(header)
    check_layouts(report, header, layouts)
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


# The reader's view


def check_rules(report: Report, header: Header) -> None:
    """The header keeps its own rules: see header_rules.py."""
    for rule in header_rules.RULES:
        report.checks += 1
        report.failures += [f"{rule.__name__}: {broken}" for broken in rule(header)]


def check_generated(report: Report, header: Header) -> None:
    """What is committed is what the header gives."""
    report.checks += 1
    report.failures += [f"make generate: {line}" for line in differences(header)]


# The compiler's view


DIALECTS = {
    "c": ["c99", "c11", "c17", "c2x"],
    "c++": ["c++11", "c++14", "c++17", "c++20", "c++23"],
}


def compilers(kind: str) -> List[str]:
    """That of the environment, or of the system, and clang: those that are here."""
    variable, names = {"c": ("CC", ["cc", "gcc", "clang"]), "c++": ("CXX", ["c++", "g++", "clang++"])}[kind]
    found: Dict[str, str] = {}
    for name in [os.environ.get(variable, ""), *names]:
        place = shutil.which(name) if name else None
        if place:
            found.setdefault(os.path.realpath(place), place)
    return list(found.values())


def compile_text(kind: str, standard: str, source: str, output: Path) -> subprocess.CompletedProcess[str]:
    suffix = ".c" if kind == "c" else ".cc"
    path = output.with_suffix(suffix)
    path.write_text(source, encoding="utf-8")
    command = [compilers(kind)[0], f"-std={standard}", *STRICT, f"-I{INCLUDE}", str(path), "-o", str(output)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def check_syntax(report: Report, compiler: str, standard: str, kind: str, what: str, source: str) -> None:
    language = {"c": "c", "c++": "c++"}[kind]
    command = [compiler, f"-std={standard}", *STRICT, f"-I{INCLUDE}", "-fsyntax-only", "-x", language, "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    report.equal(f"{what} as {standard} by {compiler}\n{result.stderr}", result.returncode, 0)


VALUES = """
void values(mtoken_client_options *options, const uint8_t *secret)
{
    static const mtoken_client_options empty = MTOKEN_CLIENT_OPTIONS_INIT;
    *options = empty;
    options->id = MTOKEN_TEXT("alice");
    options->device_secret = MTOKEN_BYTES(secret, 16);
}
"""
"""How options are filled in; a macro that does not compile shows only where it is used."""


def check_compilers(report: Report) -> None:
    """The header compiles without a warning in every dialect, and each part of it by itself in C99 and C++17."""
    parts = [f"mtoken/{path.name}" for path in sorted((INCLUDE / "mtoken").glob("*.h"))]
    whole = "#include <mtoken.h>\n#include <mtoken/extra.h>\n" + VALUES
    with_prototype = whole.replace(
        "void values", "void values(mtoken_client_options *, const uint8_t *);\nvoid values", 1
    )
    for kind, standards in DIALECTS.items():
        for compiler in compilers(kind):
            for standard in standards:
                check_syntax(report, compiler, standard, kind, "mtoken.h", with_prototype)
        for part in parts:
            check_syntax(
                report, compilers(kind)[0], {"c": "c99", "c++": "c++17"}[kind], kind, part, f"#include <{part}>\n"
            )


def check_examples(report: Report) -> None:
    """The examples of the man pages compile."""
    for path in sorted(examples.FOLDER.glob("*.c")):
        check_syntax(report, compilers("c")[0], "c99", "c", f"examples/{path.name}", path.read_text(encoding="utf-8"))


def measure(header: Header) -> Dict[str, layout.Layout]:
    """Compiles and runs a program that prints every layout, constant and initialiser, and checks the last two here."""
    lines = ["#include <mtoken.h>", "#include <mtoken/extra.h>", "#include <stdio.h>", "#include <string.h>"]
    initialised = {name[:-5].lower(): name for name in header.initialisers}
    lines += [f"static const {kind} i_{kind} = {name};" for kind, name in initialised.items()]
    lines.append("int main(void) {")
    for name, struct in header.structs.items():
        lines.append(f'    printf("struct {name} %zu %zu\\n", sizeof({name}), _Alignof({name}));')
        for member in struct.members:
            size = f"sizeof((({name} *)0)->{member.name})"
            lines.append(f'    printf("member {member.name} %zu %zu\\n", offsetof({name}, {member.name}), {size});')
    for name in header.integers:
        lines.append(f'    printf("constant {name} %lld\\n", (long long){name});')
    for name in header.texts:
        lines.append(f'    printf("text {name} %s\\n", {name});')
    for kind in initialised:
        first = "sizeof(size_t)" if header.structs[kind].kind == "option" else "0"
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


def read_measurements(header: Header, output: str) -> Dict[str, layout.Layout]:
    layouts: Dict[str, layout.Layout] = {}
    current = layout.Layout()
    for line in output.splitlines():
        word, name, *values = line.split(" ", 3)
        if word == "struct":
            current = layouts[name] = layout.Layout(int(values[0]), int(values[1]))
        elif word == "member":
            current.members[name] = (int(values[0]), int(values[1]))
        elif word in ("constant", "text"):
            expected = header.texts[name] if word == "text" else str(header.integers[name])
            if values[0] != expected:
                sys.exit(f"contract: the compiler reads {name} as {values[0]}, this script as {expected}")
        elif word == "initialiser":
            options = header.structs[name].kind == "option"
            if values[0] != "0" or (options and int(values[1]) != layouts[name].size):
                sys.exit(f"contract: the initialiser of {name} is not zero but for struct_size")
    return layouts


def check_layouts(report: Report, header: Header, measured: Dict[str, layout.Layout]) -> None:
    """The generator's sizes and offsets are the compiler's."""
    computed = layout.layouts(header)
    for name, placed in measured.items():
        expected = (placed.size, placed.alignment, placed.members)
        report.equal(
            f"layout of {name}", (computed[name].size, computed[name].alignment, computed[name].members), expected
        )


# The declarations of the Python binding


def ctypes_declarations() -> ModuleType:
    """mtoken.abi alone, without the package around it, which would load a library."""
    path = ROOT / "bindings" / "python" / "src" / "mtoken" / "abi.py"
    spec = importlib.util.spec_from_file_location("mtoken_declarations", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def expected_ctypes(header: Header, module: ModuleType, kind: AnyType) -> List[Any]:
    """The ctypes types that may stand for a C type."""
    if isinstance(kind, FunctionType):
        return []
    name, stars = header.resolve(kind.base), kind.pointers
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


def check_ctypes(report: Report, header: Header, layouts: Dict[str, layout.Layout], module: ModuleType) -> None:
    def matches(what: str, kind: AnyType, actual: Any) -> None:
        report.checks += 1
        if isinstance(kind, FunctionType):
            restype, argtypes = getattr(actual, "_restype_", None), getattr(actual, "_argtypes_", ())
            matches(f"{what} (result)", kind.result, restype)
            report.equal(f"{what}: parameters", len(argtypes), len(kind.parameters))
            for index, (parameter, argument) in enumerate(zip(kind.parameters, argtypes)):
                matches(f"{what} (parameter {index})", parameter.type, argument)
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
    report.same_names("ctypes: structs", set(declared), {*header.structs, *header.handles})
    for name, described in header.structs.items():
        struct = declared.get(name)
        if struct is None:
            continue
        members = described.members
        placed = layouts[name]
        report.equal(f"ctypes: size of {name}", ctypes.sizeof(struct), placed.size)
        fields = [field[0] for field in struct._fields_]
        report.equal(f"ctypes: members of {name}", fields, [member.name for member in members])
        for member, field in zip(members, struct._fields_):
            matches(f"{name}.{member.name}", member.type, field[1])
            place = getattr(struct, member.name)
            report.equal(f"ctypes: {name}.{member.name}", (place.offset, place.size), placed.members[member.name])

    constants = {name: value for name, value in vars(module).items() if name.startswith("MTOKEN_")}
    report.same_names("ctypes: constants", set(constants), {*header.integers, *header.texts})
    for name, value in {**header.integers, **header.texts}.items():
        report.equal(f"ctypes: {name}", constants.get(name), value)


# The libraries


def check_man_pages(report: Report, header: Header) -> None:
    """There is a man page for each header, struct, enumeration, function, constant and handle, each with an example."""
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "man3"
        man.write(header, pages, "0", date(2000, 1, 1))
        expected = {man.page_name(page) for page in header.pages}
        kinds = (
            header.functions,
            header.structs,
            header.enums,
            header.handles,
            header.aliases,
            header.integers,
            header.texts,
        )
        expected |= {name for kind in kinds for name in kind} | set(header.macros)
        report.same_names("man pages", {page.stem for page in pages.iterdir()}, expected)
        for page in sorted(pages.iterdir()):
            text = page.read_text()
            link = re.fullmatch(r"\.so man3/(\w+\.3)\n", text)
            if link:
                report.equal(f"{page.name}: the page that it stands for exists", (pages / link[1]).exists(), True)
            else:
                report.equal(f"{page.name}: has an example", text.count("\n.Sh EXAMPLES\n"), 1)


def check_exports(report: Report, header: Header, library: Path) -> None:
    """Exactly the functions of the header are exported, under the version node."""
    tool = shutil.which("nm") or sys.exit("contract: nm is needed")
    command = [tool, "--dynamic", "--defined-only", "--with-symbol-versions", str(library)]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    nodes = symbols.node_of(header)
    exported = set()
    for line in listing.splitlines():
        _, kind, symbol = line.split()
        name, _, version = symbol.partition("@")
        if kind == "A" and name in nodes.values():
            continue  # the version node itself
        report.equal(f"{library.name}: kind of {name}", kind, "T")
        report.equal(f"{library.name}: version of {name}", version.lstrip("@"), nodes.get(name))
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
