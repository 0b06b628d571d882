"""The reader of the header, the rules of the header, and what is made from it, on a small one with everything in it."""

from __future__ import annotations

import ctypes
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, Iterator, List, Tuple

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "bindings"), str(ROOT / "Tests")]
import header_rules  # noqa: E402
from generate import (  # noqa: E402
    calls,
    cdef,
    cpp,
    cpp_calls,
    csharp,
    ctypes_layer,
    describe,
    docs,
    errors,
    go,
    java,
    layout,
    mdoc,
    node,
    plan,
    python_enums,
    reader,
    rust,
    sdks,
    swift,
    symbols,
    words,
)
from generate.model import Header, HeaderError  # noqa: E402

UMBRELLA = '/* A test: it\n * has a rule. */\n#ifndef MTOKEN_H\n#define MTOKEN_H\n#include "mtoken/lamp.h"\n#endif\n'
LAMP = """/* Lamps. */
#ifndef MTOKEN_LAMP_H
#define MTOKEN_LAMP_H

#include <stddef.h>
#include <stdint.h>

#define MTOKEN_API __attribute__((visibility("default")))

MTOKEN_BEGIN

/* The version. */
#define MTOKEN_VERSION "1.1.0"
/* Of the interface. */
#define MTOKEN_ABI_VERSION 1

/* What a call came to. */
MTOKEN_ENUM(mtoken_status_values) {
    MTOKEN_OK = 0,
    MTOKEN_ERROR_HANDLE = 2,   /* no lamp */
    MTOKEN_ERROR_NETWORK = 8, /* no line. Since 1.1. */
    /* Before it. */
    MTOKEN_ERROR_TIMEOUT = 10, /* too long, and
                                * longer */
};
typedef int32_t mtoken_status;

/* Yes or no. */
typedef int32_t mtoken_bool;

/* Colours, added up. */
MTOKEN_FLAGS(mtoken_colours_values) {
    MTOKEN_COLOUR_RED = 1,
    MTOKEN_COLOUR_BLUE = 2,
};
typedef int32_t mtoken_colours;

/* As a length. */
#define MTOKEN_NUL_TERMINATED ((size_t)-1)

/* A lamp. */
typedef struct mtoken_lamp mtoken_lamp;
/* A call. */
typedef struct mtoken_task mtoken_task;

/* A failure. */
typedef struct mtoken_error {
    mtoken_status code; /* MTOKEN_ERROR_... */
    const char *MTOKEN_NULLABLE reason; /* NULL: none */
} mtoken_error;

/* A wish. This struct never grows. */
typedef struct mtoken_wish {
    const char *name;
    size_t name_length;
} mtoken_wish;

/* How a lamp is made. */
typedef struct mtoken_lamp_options {
    size_t struct_size;
    const mtoken_wish *wishes; /* at most 3 */
    size_t wish_count;
    mtoken_colours colours;    /* MTOKEN_COLOUR_... added up; default red */
    int32_t reserved;          /* 0 */
    int64_t timeout_ms;        /* 0: 20. Since 1.1. */
    /* Called once. */
    void (*burnt)(void *context, const char *name);
    mtoken_bool dim;           /* 1: dim. Since 1.1. */
    mtoken_bool MTOKEN_SECRET quiet;
} mtoken_lamp_options;

#define MTOKEN_LAMP_OPTIONS_INIT { sizeof(mtoken_lamp_options), NULL, 0, 0, 0, 0, NULL, 0, 0 }

/*
 * Makes a lamp.
 *
 * options      NULL: defaults
 * out_lamp     free with mtoken_lamp_free
 * Errors       HANDLE (never "TIMEOUT"),
 *              TIMEOUT
 */
MTOKEN_API MTOKEN_CHECKED MTOKEN_BLOCKS mtoken_status
mtoken_lamp_new(const mtoken_lamp_options *MTOKEN_NULLABLE options, const uint8_t *MTOKEN_SECRET key,
                size_t key_length, mtoken_lamp **out_lamp, mtoken_error **out_error);

/*
 * Lights it. Pure. Since 1.1.
 *
 * Calls        POST /lamp
 * Task result  mtoken_task_since
 * Errors       at once: HANDLE; of the task: TIMEOUT, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status mtoken_lamp_light(mtoken_lamp *lamp, mtoken_task **out_task,
                                                          mtoken_error **out_error);

/* The error of a task; NULL for others. Lives as long as the task. */
MTOKEN_API const mtoken_error *MTOKEN_NULLABLE mtoken_task_since(mtoken_task *task);

/* Gives it back. NULL is fine. */
MTOKEN_API void mtoken_lamp_free(mtoken_lamp *lamp);

MTOKEN_END

#endif
"""


def make(folder: Path, lamp: str = LAMP) -> Header:
    (folder / "mtoken").mkdir(exist_ok=True)
    (folder / "mtoken.h").write_text(UMBRELLA)
    (folder / "mtoken" / "lamp.h").write_text(lamp)
    return reader.read(folder)


@pytest.fixture
def header(tmp_path: Path) -> Header:
    return make(tmp_path)


def changed(old: str, new: str) -> str:
    assert old in LAMP
    return LAMP.replace(old, new, 1)


# The reader


def test_comments_are_found(header: Header) -> None:
    status = header.enums["mtoken_status"]
    assert [value.doc for value in status.values] == [
        (),
        ("no lamp",),
        ("no line. Since 1.1.",),
        ("Before it.", "too long, and", "longer"),
    ]
    members = {member.name: member for member in header.structs["mtoken_lamp_options"].members}
    assert members["burnt"].doc == ("Called once.",)
    assert members["quiet"].secret and not members["dim"].secret
    assert header.functions["mtoken_lamp_new"].blocks and not header.functions["mtoken_lamp_light"].blocks
    assert header.pages[0].doc == ("A test: it", "has a rule.")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("typedef int32_t mtoken_colours;", "typedef int32_t mtoken_shades;"),
        ("typedef int32_t mtoken_colours;", "typedef int64_t mtoken_colours;"),
        ("typedef int32_t mtoken_colours;", "\n/* Later. */\n#define MTOKEN_X 1\ntypedef int32_t mtoken_colours;"),
        ("MTOKEN_FLAGS(mtoken_colours_values)", "MTOKEN_FLAGS(mtoken_colours)"),
        ("MTOKEN_FLAGS(mtoken_colours_values)", "enum mtoken_colours_values"),
        ("MTOKEN_COLOUR_RED = 1", "MTOKEN_COLOUR_RED"),
        ("MTOKEN_COLOUR_RED = 1", "MTOKEN_COLOUR_RED = MTOKEN_OK"),
        ("mtoken_bool dim;", "unsigned dim;"),
        ("mtoken_bool dim;", "mtoken_bool dim : 1;"),
        ("mtoken_bool dim;", "mtoken_bool dim[2];"),
        ("} mtoken_wish;", "} mtoken_dream;"),
        ("MTOKEN_API void mtoken_lamp_free", "void mtoken_lamp_free"),
        ("#define MTOKEN_ABI_VERSION 1", "#define MTOKEN_ABI_VERSION 1.5"),
        ("#define MTOKEN_ABI_VERSION 1", "#define MTOKEN_TWICE(x) ((x) * 2)"),
        ("mtoken_task_since(mtoken_task *task)", "mtoken_lamp_light(mtoken_task *task)"),
        ("mtoken_task_since(mtoken_task *task)", "mtoken_task_since(mtoken_task *)"),
        ("/* Lamps. */\n", ""),
    ],
)
def test_what_is_not_known_is_an_error(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(HeaderError):
        make(tmp_path, changed(old, new)).version  # noqa: B018


def test_values_of_the_same_name(tmp_path: Path) -> None:
    with pytest.raises(HeaderError):
        make(tmp_path, changed("MTOKEN_COLOUR_BLUE = 2", "MTOKEN_COLOUR_RED = 2")).integers  # noqa: B018


# The rules


BREACHES = [
    ("no_holes", "    int32_t reserved;          /* 0 */\n", ""),
    (
        "reserved_fills",
        "    mtoken_bool dim; ",
        "    int32_t reserved_too; /* 0 */\n    int32_t reserved_more; /* 0 */\n    mtoken_bool dim; ",
    ),
    ("no_keywords", "int64_t timeout_ms;", "int64_t protocol;"),
    ("no_keywords", "(void *context,", "(void *default,"),
    (
        "no_keywords",
        "const uint8_t *MTOKEN_SECRET key,\n                size_t key_length",
        "const uint8_t *event,\n                size_t event_length",
    ),
    ("no_near_names", "MTOKEN_COLOUR_BLUE = 2,", "MTOKEN_COLOUR_BLUE = 2,\n    MTOKEN_COLOUR_BLUR = 4,"),
    ("no_near_names", "MTOKEN_COLOUR_BLUE = 2,", "MTOKEN_COLOUR_BLUE = 2,\n    MTOKEN_COLOURS_BLUE = 4,"),
    ("constants_have_types", "mtoken_colours colours;", "int32_t colours;"),
    ("constants_have_types", "mtoken_bool dim;", "int32_t dim;"),
    ("null_is_marked", "MTOKEN_NULLABLE reason", "reason"),
    ("null_is_marked", "*MTOKEN_NULLABLE mtoken_task_since", "*mtoken_task_since"),
    ("everything_is_described", "/* A wish. This struct never grows. */\n", ""),
    ("status_is_checked", "MTOKEN_API MTOKEN_CHECKED mtoken_status", "MTOKEN_API mtoken_status"),
    ("tasks_say_their_result", " * Task result  mtoken_task_since\n", ""),
    ("errors_are_said", " * Errors       at once: HANDLE; of the task: TIMEOUT, network errors\n", ""),
    (
        "tags_differ",
        "/* A wish. This struct never grows. */\ntypedef struct mtoken_wish {",
        "/* A. */\ntypedef struct mtoken_colours_values mtoken_colours_values;\n/* B. */\ntypedef struct mtoken_wish {",
    ),
    ("pairs_are_found", "size_t wish_count;", "size_t dream_count;"),
    ("pairs_are_found", "size_t key_length", "size_t lock_length"),
    ("option_structs_have_initialisers", "MTOKEN_LAMP_OPTIONS_INIT", "MTOKEN_LIGHT_OPTIONS_INIT"),
]


@pytest.mark.parametrize(("rule", "old", "new"), BREACHES)
def test_a_rule_is_broken(tmp_path: Path, rule: str, old: str, new: str) -> None:
    check = getattr(header_rules, rule)
    assert list(check(make(tmp_path))) == []
    assert list(check(make(tmp_path, changed(old, new))))


def test_lines_that_are_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "include").mkdir()
    monkeypatch.setattr(header_rules, "ROOT", tmp_path)
    assert not list(header_rules.lines_fit(make(tmp_path / "include")))
    assert list(header_rules.lines_fit(make(tmp_path / "include", changed("/* Yes or no. */", f"/* {'long ' * 20}*/"))))


def test_versions_that_differ(header: Header) -> None:
    assert [broken.split()[0] for broken in header_rules.versions_agree(header)] == ["MTOKEN_VERSION"]


def test_an_example_is_missing(header: Header) -> None:
    assert "mtoken_lamp_light: no example of its page shows it" in header_rules.examples_cover(header)


# What is made


@pytest.fixture
def described(header: Header) -> Dict[str, Any]:
    found = json.loads(describe.text(header))
    assert isinstance(found, dict)
    return found


def named(found: Any, name: str) -> Any:
    return next(one for one in found if one["name"] == name)


def test_functions_are_described(described: Dict[str, Any]) -> None:
    new = named(described["functions"], "mtoken_lamp_new")
    assert (new["blocks"], new["checked"], new["pure"], new["object"], new["task"]) == (True, True, False, None, None)
    roles = {one["name"]: one for one in new["parameters"]}
    assert {name: one["role"] for name, one in roles.items()} == {
        "options": "options", "key": "bytes", "key_length": "length", "out_lamp": "out_handle", "out_error": "error",
    }  # fmt: skip
    assert roles["options"]["nullable"] and roles["key"]["secret"]
    assert (roles["key"]["pair"], roles["key_length"]["pair"]) == ("key_length", "key")
    assert (roles["out_lamp"]["owner"], roles["out_lamp"]["free"]) == ("caller", "mtoken_lamp_free")
    assert new["errors"]["at_once"] == ["MTOKEN_ERROR_HANDLE", "MTOKEN_ERROR_TIMEOUT"]
    light = named(described["functions"], "mtoken_lamp_light")
    assert (light["since"], light["pure"], light["object"], light["calls"]) == (
        "1.1",
        True,
        "mtoken_lamp",
        "POST /lamp",
    )
    assert light["errors"]["at_once"] == ["MTOKEN_ERROR_HANDLE"]
    assert light["errors"]["of_task"] == ["MTOKEN_ERROR_TIMEOUT", "MTOKEN_ERROR_NETWORK"]
    assert [one["function"] for one in light["task"]["results"]] == ["mtoken_task_since"]
    result = named(described["functions"], "mtoken_task_since")["result"]
    assert (result["owner"], result["lifetime"], result["nullable"]) == ("library", "task", True)


def test_structs_are_described(described: Dict[str, Any]) -> None:
    options = named(described["structs"], "mtoken_lamp_options")
    assert (options["kind"], options["size"]) == ("option", 56)
    members = {one["name"]: one for one in options["members"]}
    assert (members["wishes"]["role"], members["wishes"]["pair"]) == ("array", "wish_count")
    assert (members["colours"]["values"], members["colours"]["default"]) == ("mtoken_colours", "red")
    assert (members["timeout_ms"]["unit"], members["timeout_ms"]["default"]) == ("ms", "20")
    assert (members["dim"]["bool"], members["dim"]["since"], members["reserved"]["role"]) == (True, "1.1", "reserved")
    assert named(described["structs"], "mtoken_wish")["kind"] == "fixed"
    assert named(described["structs"], "mtoken_error")["kind"] == "result"
    assert [one["member"] for one in described["callbacks"]] == ["burnt"]


def test_words_of_an_error_do_not_say_since_when_it_exists(tmp_path: Path) -> None:
    words = re.findall(r'"(MTOKEN_ERROR_\w+)", "(.*)"\)', swift.constants(make(tmp_path)))
    assert dict(words)["MTOKEN_ERROR_NETWORK"] == "No line."


def test_where_members_of_options_end_is_told(tmp_path: Path) -> None:
    assert "ends: [Int] { [8, 16, 24, 28, 32, 40, 48, 52, 56] }" in swift.options(make(tmp_path))


def test_a_name_of_the_sdks_has_one_here(tmp_path: Path) -> None:
    header = make(tmp_path)
    page = sdks.text(header, "# Lamps\nLamp, Light\tmtoken_lamp_new, mtoken_lamp_options.quiet\tsilent\n")
    assert page.endswith("## Lamps\n\n| There | Here | What differs |\n|---|---|---|\n"
                         "| `Lamp`, `Light` | `mtoken_lamp_new`, `mtoken_lamp_options.quiet` | silent |\n")  # fmt: skip
    with pytest.raises(HeaderError, match="the header has no mtoken_lamp_old"):
        sdks.text(header, "Lamp\tmtoken_lamp_old\t")


def test_enumerations_are_described(described: Dict[str, Any]) -> None:
    assert [(one["name"], one["kind"], one["prefix"]) for one in described["enums"]] == [
        ("mtoken_status", "open", "MTOKEN_"),
        ("mtoken_colours", "flags", "MTOKEN_COLOUR_"),
    ]
    assert [one["short"] for one in described["enums"][1]["values"]] == ["RED", "BLUE"]


def test_symbols_have_the_version_that_they_came_with(header: Header) -> None:
    first, later = symbols.text(header).split("MTOKEN_1.1 {")
    assert "mtoken_lamp_new;" in first and "local: *;" in first
    assert "mtoken_lamp_light;" in later and "mtoken_lamp_new;" not in later and "} MTOKEN_1.0;" in later


def test_the_declarations_are_plain_c(header: Header, tmp_path: Path) -> None:
    text = cdef.text(header)
    assert not re.search(r"#|__|MTOKEN_(API|CHECKED|NULLABLE|SECRET|BLOCKS|ENUM)", text)
    assert "MTOKEN_NUL_TERMINATED" not in text  # no length in these languages
    compiler = shutil.which("cc")
    assert compiler
    source = "#include <stddef.h>\n#include <stdint.h>\n" + text
    command = [compiler, "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-x", "c", "-"]
    assert subprocess.run(command, input=source, text=True, check=False).returncode == 0


def test_the_declarations_of_the_library_are_plain_c() -> None:
    test_the_declarations_are_plain_c(reader.read(ROOT / "include"), ROOT)


def test_cffi_reads_the_declarations() -> None:
    cffi = pytest.importorskip("cffi")
    header = reader.read(ROOT / "include")
    ffi = cffi.FFI()
    ffi.cdef(cdef.text(header))
    for name, placed in layout.layouts(header).items():
        assert ffi.sizeof(name) == placed.size


def test_code_in_man_pages_keeps_its_lines() -> None:
    lines = [
        "So it goes:",
        "",
        "    first;",
        "        second;",
        "",
        "and on.",
        "",
        "name         what it is",
        "             and more",
    ]
    assert mdoc.prose(lines) == [
        *("So it goes:", ".Bd -literal", "first;", "    second;", ".Ed", ".Pp", "and on."),
        *(".Bl -tag -width Ds", '.It "name"', "what it is", "and more", ".El"),
    ]


def load(text: str, name: str, **known: Any) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(known)
    sys.modules[name] = module
    exec(compile(text, name, "exec"), module.__dict__)
    return module


def test_ctypes_has_the_layout(header: Header) -> None:
    module = load(ctypes_layer.text(header), "lamps_c")
    for name, placed in layout.layouts(header).items():
        assert ctypes.sizeof(getattr(module, name)) == placed.size
    assert module.PROTOTYPES["mtoken_lamp_new"][0] is module.mtoken_status
    assert module.new_options(module.mtoken_lamp_options).struct_size == 56


def test_python_has_the_enumerations(header: Header) -> None:
    constants = load(ctypes_layer.text(header), "lamps_c")
    text = python_enums.text(header).replace("from . import abi as _c\n", "")
    module = load(text, "lamps", _c=constants)
    assert module.Colours.RED | module.Colours.BLUE == 3 and module.Colours.NONE == 0
    assert module.ErrorCode(10) is module.ErrorCode.TIMEOUT
    assert module.ErrorCode(99).name == "UNRECOGNIZED_99"
    assert "OK" not in module.ErrorCode.__members__


ADDED = """
/* How bright a text is. Pure. Free with mtoken_text_free. */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_brightness(const char *text, size_t text_length, int64_t limit_ms, mtoken_text **out_text,
                  mtoken_error **out_error);
"""


def test_a_new_function_needs_no_hand_edit(tmp_path: Path) -> None:
    """In C, C++ and Python what is made of the header has it, and compiles."""
    shutil.copytree(ROOT / "include", tmp_path / "include")
    extra = tmp_path / "include" / "mtoken" / "extra.h"
    extra.write_text(extra.read_text(encoding="utf-8").replace("MTOKEN_END", f"{ADDED}\nMTOKEN_END"), encoding="utf-8")
    made = reader.read(tmp_path / "include")
    assert '"mtoken_brightness": (' in ctypes_layer.text(made)
    layer = tmp_path / "mtoken" / "cpp"
    layer.mkdir(parents=True)
    for name, make in (("types", cpp.types), ("objects", cpp.objects), ("calls", cpp.calls)):
        (layer / f"{name}.hpp").write_text(make(made), encoding="utf-8")
    (tmp_path / "calls.c").write_text(calls.text(made), encoding="utf-8")
    (tmp_path / "calls.cpp").write_text(cpp_calls.text(made), encoding="utf-8")
    program = "#include <mtoken.hpp>\nmtoken::Owner<mtoken::Text> made() { using namespace std::chrono_literals;\n"
    (tmp_path / "use.cpp").write_text(program + 'return mtoken::brightness("a", 5ms); }\n', encoding="utf-8")
    includes = [tmp_path / "include", tmp_path, ROOT / "bindings" / "cpp", ROOT / "Tests" / "conformance"]
    for name, compiler in (("calls.c", "cc"), ("calls.cpp", "c++"), ("use.cpp", "c++")):
        command = [compiler, "-fsyntax-only", *(f"-I{folder}" for folder in includes), str(tmp_path / name)]
        subprocess.run(command, check=True)


# What the languages' comments say


HEADER = reader.read(ROOT / "include")
LANGUAGES: Dict[str, Tuple[words.Words, List[str]]] = {
    "go": (go.said_of(HEADER), [make(HEADER) for name, make in go.FILES.items() if name.endswith(".go")]),
    "rust": (rust.said_of(HEADER), [rust.values(HEADER), rust.views(HEADER), rust.options(HEADER), rust.calls(HEADER)]),
    "java": (java.said_of(HEADER), list(java.sources(HEADER).values())),
    "csharp": (csharp.said_of(HEADER), [make(HEADER) for make in csharp.FILES.values()]),
    "node": (node.Generator(HEADER).said, [node.types(HEADER)]),
    "cpp": (cpp.Layer(HEADER).said, [cpp.types(HEADER), cpp.objects(HEADER), cpp.calls(HEADER)]),
}
CAUSES = ("notTheFactor", "acceptedThenRefused")
MAY_APPLY = ("newPINMayApply", "info().awaits_new_pin", "newBiometryMayApply", "info().awaits_new_biometry")
COMMENT = re.compile(r"^\s*(?:///?|/\*\*|\*)(.*?)(?:\*/)?$")


def commented(texts: List[str]) -> Iterator[Tuple[str, str]]:
    """Each declaration with its comment."""
    for text in texts:
        said: List[str] = []
        for line in text.splitlines():
            found = COMMENT.match(line)
            if found:
                said.append(found[1].strip())
            elif said and not re.match(r"\s*(?:[@#\[]|$)", line):
                yield line, " ".join(said)
                said = []


@pytest.mark.parametrize("language", LANGUAGES)
def test_comments_speak_no_c(language: str) -> None:
    for line, said in commented(LANGUAGES[language][1]):
        if line.strip().startswith(f"{said.strip()}("):  # a constant of Java that has no other comment than its name
            continue
        plain = re.sub(r'"[^"]*"', "", said.replace("bindings/generate from mtoken.h", ""))
        assert not re.search(r"mtoken_|MTOKEN_|\bNULL\b|\b[a-z_]+\.h\b", plain), f"{line}: {said}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_comments_are_whole(language: str) -> None:
    """Each call says its errors, and every sentence of the header that is no C."""
    language_words, texts = LANGUAGES[language]
    said = list(commented(texts))
    common = errors.common(HEADER)
    for call in plan.calls(HEADER):
        spelled = language_words.names.get(call.c_name)
        if spelled is None or (language == "node" and call.owner == "mtoken_task"):
            continue  # a promise has what a task has
        name = re.split(r"[.:]", spelled)[-1]
        found = [comment for line, comment in said if re.search(rf"\b{name}(?:<'a>)?\(", line)]
        assert found, spelled
        text = docs.read(call.function.doc).items.get("Errors", "")
        codes = [] if text.startswith("as mtoken_") else errors.of(HEADER, call.function, common)
        if codes and call.has_status:
            wanted = {language_words.names[code] for code in (*codes.at_once, *codes.of_task)}
            assert any(wanted <= set(re.findall(r"[\w.:]*\w", comment)) for comment in found), (spelled, wanted, found)
        is_named = call.function.header.endswith("vault.h") or call.c_name == "mtoken_operations_authorize"
        if is_named and call.starts_task:
            assert any(all(cause in comment for cause in CAUSES) for comment in found), (spelled, found)
    changes = "If the second request gets no response, the library fetches the status: if its counter shows"
    assert any(changes in comment and "weakPin" in comment for _, comment in said)
    refused = language_words.names["MTOKEN_ERROR_AUTHENTICATION"]
    causes = [comment for _, comment in said if "one of three causes" in comment]
    assert any(all(word in comment for word in (refused, *CAUSES)) for comment in causes)
    assert any("newPINMayApply" in comment and re.search("awaits_?new_?pin", comment, re.I) for _, comment in said)
    assert sum("newBiometryMayApply" in comment for _, comment in said) > 1  # the call, and what the client tells


def test_python_says_what_a_refusal_means() -> None:
    said = {"errors.py": CAUSES, "vault.py": CAUSES, "factors.py": MAY_APPLY}
    for name, wanted in said.items():
        text = (ROOT / "bindings" / "python" / "src" / "mtoken" / name).read_text(encoding="utf-8")
        assert all(f"`{word}`" in text for word in wanted), name


def test_results_print_no_secret() -> None:
    for struct in plan.views(HEADER):
        names = {item.name for item in plan.members(HEADER, struct)}
        hidden = {item.name for item in plan.members(HEADER, struct) if item.secret}
        hidden |= set(plan.FOR_THE_BANK.get(struct.name, "").split())
        assert hidden <= names and not hidden & {item.name for item in plan.shown(HEADER, struct)}


def test_required_arguments_have_no_default() -> None:
    assert "change_pin(bytes_view old_pin, bytes_view new_pin) const;" in LANGUAGES["cpp"][1][1]
    assert "remove_biometry(text_view authenticator = {}) const;" in LANGUAGES["cpp"][1][1]
    assert "changePin(oldPin: Uint8Array, newPin: Uint8Array, call?: Call)" in LANGUAGES["node"][1][0]
    assert "readonly uriId: string\n" in LANGUAGES["node"][1][0]
    assert re.search(r"interface ClientOptions \{[^}]*readonly id: string\n", LANGUAGES["node"][1][0])


SAID = """/*
 * Lights it. Free with mtoken_lamp_free. It sets mtoken_wish.name (lamp.h), or NULL; see
 * mtoken_gone. MTOKEN_COLOUR_RED is what `name` may name. If dim is 1, fails with TIMEOUT.
 *
 * - MTOKEN_COLOUR_...: colours
 * - mtoken_gone: nothing
 *"""


def test_words_of_a_language(tmp_path: Path) -> None:
    """Names become the language's, and what it does not have goes with the smallest part of the text."""
    made = make(tmp_path, changed("/*\n * Lights it. Pure. Since 1.1.\n *", SAID))
    said = rust.said_of(made).call(plan.call(made, made.functions["mtoken_lamp_light"]))
    assert rust.FORM.lines(said.blocks) == [
        "Lights it. It sets `Wish::name`, or `None`. `Colours::RED` is what `name` may name. If dim is true, "
        "fails with `ErrorCode::TIMEOUT`.",
        "",
        "- `Colours`: colours.",
        "",
        "Calls POST /lamp.",
    ]
    assert said.failures() == [
        "At once: \x01ErrorCode::HANDLE\x02.",
        "Of the task: \x01ErrorCode::TIMEOUT\x02, \x01ErrorCode::NETWORK\x02, TLS, PIN_MISMATCH, HTTP.",
    ]
