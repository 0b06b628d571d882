"""The rules of the header that a compiler does not check. Each function yields what breaks its rule."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Callable, Iterator, List

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bindings"))
from generate import docs, layout, roles  # noqa: E402
from generate.examples import Finder  # noqa: E402
from generate.model import CType, Function, FunctionType, Header, Prose, Struct  # noqa: E402

WIDTH = 100

# Words that a language keeps for itself, also those that it only keeps in some places, but for Go's and Rust's names of
# built-in types and functions, which programs may use.
KEYWORDS = {
    "C++": """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
        char32_t class compl concept const consteval constexpr constinit const_cast continue co_await
        co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern
        false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
        operator or or_eq private protected public register reinterpret_cast requires return short signed
        sizeof static static_assert static_cast struct switch template this thread_local throw true try
        typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq""",
    "Java": """abstract assert boolean break byte case catch char class const continue default do double else enum
        exports extends final finally float for goto if implements import instanceof int interface long
        module native new non-sealed open opens package permits private protected provides public record
        requires return sealed short static strictfp super switch synchronized this throw throws to
        transient transitive try uses var void volatile while with yield true false null""",
    "JavaScript": """arguments async await break case catch class const continue debugger default delete do else enum
        eval export extends false finally for function if implements import in instanceof interface let new
        null package private protected public return static super switch this throw true try typeof
        undefined var void while with yield""",
    "C#": """abstract as base bool break byte case catch char checked class const continue decimal default
        delegate do double else enum event explicit extern false finally fixed float for foreach goto if
        implicit in int interface internal is lock long namespace new null object operator out override
        params private protected public readonly ref return sbyte sealed short sizeof stackalloc static
        string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual
        void volatile while""",
    "Go": """break case chan const continue default defer else fallthrough for func go goto if import interface
        map package range return select struct switch type var""",
    "Rust": """abstract as async await become box break const continue crate do dyn else enum extern false final fn
        for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct
        super trait true try type typeof unsafe unsized use virtual where while yield""",
    "Swift": """actor any as associatedtype async await borrowing break case catch class consuming continue default
        defer deinit do else enum extension fallthrough false fileprivate for func guard if import in init
        inout internal is let nil nonisolated open operator precedencegroup private protocol public repeat
        rethrows return self some static struct subscript super switch throw throws true try typealias var
        where while""",
    "Python": """False None True and as assert async await break class continue def del elif else except finally for
        from global if import in is lambda match nonlocal not or pass raise return try while with yield""",
}
RESERVED = {word: language for language, words in KEYWORDS.items() for word in words.split()}


def no_holes(header: Header) -> Iterator[str]:
    """What a host fills in has no bytes without a name, which could not be checked to be 0."""
    layouts = layout.layouts(header)
    for struct in header.structs.values():
        if struct.kind != "result":
            for offset, size, after in layouts[struct.name].holes:
                yield f"{struct.name}: {size} bytes without a name at {offset}, after {after}"


def reserved_fills(header: Header) -> Iterator[str]:
    """Members called reserved stand only where there would be holes: a struct is not larger for their sake."""
    layouts = layout.layouts(header)
    for struct in header.structs.values():
        others = tuple(member for member in struct.members if not member.name.startswith("reserved"))
        without = layout.of_struct(Struct(struct.name, struct.doc, struct.header, struct.line, others), header, layouts)
        if without.size != layouts[struct.name].size:
            yield f"{struct.name}: a reserved member fills nothing"


def no_keywords(header: Header) -> Iterator[str]:
    """Names can be used as they are in every language."""
    names = [(f"{item.name}: {field.name}", field.name) for item, field in header.fields()]
    names += [(function.name, function.name.removeprefix("mtoken_")) for function in header.functions.values()]
    for _, field in header.fields():
        if isinstance(field.type, FunctionType):
            names += [(f"{field.name}: {one.name}", one.name) for one in field.type.parameters]
    for place, name in names:
        if name in RESERVED:
            yield f"{place} is a keyword of {RESERVED[name]}"


def no_near_names(header: Header) -> Iterator[str]:
    """No two constants differ by one letter in the name, and in the value."""
    values = header.integers
    names = sorted(values)
    for index, name in enumerate(names):
        for other in names[index + 1 :]:
            if values[name] != values[other] and _one_letter_apart(name, other):
                yield f"{name} = {values[name]} and {other} = {values[other]} differ by one letter"


def _one_letter_apart(a: str, b: str) -> bool:
    if len(a) > len(b):
        a, b = b, a
    if len(b) - len(a) > 1:
        return False
    start = next((index for index, (x, y) in enumerate(zip(a, b)) if x != y), len(a))
    changed = a[start : start + 1] + b[start : start + 1]
    if any(character.isdigit() for character in changed):
        return False  # 3_1 and 3_2 are told apart by who reads numbers
    return a[start + (len(a) == len(b)) :] == b[start + 1 :]


def constants_have_types(header: Header) -> Iterator[str]:
    """What holds a constant has the typedef of its enumeration, and what is 1 or 0 is an mtoken_bool."""
    for place, kind, doc in _plain_numbers(header):
        named = re.match(r"(?:0: .*?; (?:else )?)?(?:1: .*)?(MTOKEN_[A-Z0-9_]+?)_?(?:\.\.\.|…| |$)", doc)
        prefix = named[1] if named else ""
        if prefix and any(value.startswith(prefix) for value in _enumerated(header)):
            yield f"{place} is {kind}, and its comment says {prefix}"
        elif (
            re.match(r"1(?: yes|:)", doc)
            and not re.search(r"\b[02-9]\d*: (?!not|no\b)[^;]*;? *[2-9]:", doc)
            and kind == "int32_t"
        ):
            yield f"{place} is {kind}, and its comment is that of an mtoken_bool: {doc[:50]}"


def _enumerated(header: Header) -> List[str]:
    return [value.name for enum in header.enums.values() for value in enum.values]


def _plain_numbers(header: Header) -> Iterator[tuple[str, str, str]]:
    """Place, type and comment of every number without a type of its own."""
    for item, field in header.fields():
        if isinstance(field.type, CType) and field.type.base in ("int32_t", "int64_t", "uint32_t"):
            doc = (
                docs.one_line(field.doc) if isinstance(item, Struct) else docs.read(item.doc).items.get(field.name, "")
            )
            yield f"{item.name}: {field.name}", field.type.base, doc
    for function in header.functions.values():
        if str(function.result) in ("int32_t", "int64_t"):
            yield f"{function.name} (result)", str(function.result), docs.one_line(function.doc)


def null_is_marked(header: Header) -> Iterator[str]:
    """Of what the library gives out, what may be NULL has the mark, and only that; its comment says when."""
    for struct in header.structs.values():
        if struct.kind != "result":
            continue
        found = roles.members(header, struct)
        for member in struct.members:
            if isinstance(member.type, CType) and member.type.pointers and found[member.name].role != "array":
                yield from _null(
                    f"{struct.name}.{member.name}",
                    member.nullable,
                    docs.one_line(member.doc) or docs.one_line(struct.doc),
                )
    for function in header.functions.values():
        if function.result.pointers and str(function.result) != "void *":
            yield from _null(f"{function.name} (result)", function.nullable, docs.one_line(function.doc))


def _null(place: str, marked: bool, doc: str) -> Iterator[str]:
    said = bool(re.search(r"\bNULL\b", re.sub(r"(?i:never|not) NULL", "", doc)))
    if said and not marked:
        yield f"{place} may be NULL and is not marked: {doc[:60]}"


def everything_is_described(header: Header) -> Iterator[str]:
    for item in header.items:
        if (
            not isinstance(item, Prose)
            and item.name not in header.macros
            and item.name not in header.constants
            and not item.doc
        ):
            yield f"{item.header}:{item.line}: {item.name} has no comment"


def status_is_checked(header: Header) -> Iterator[str]:
    for function in header.functions.values():
        if function.checked != (str(function.result) == "mtoken_status"):
            yield f"{function.name}: MTOKEN_CHECKED belongs to functions that return an mtoken_status, and only to them"


def tasks_say_their_result(header: Header) -> Iterator[str]:
    for function in header.functions.values():
        if any(str(parameter.type) == "mtoken_task **" for parameter in function.parameters):
            said = docs.read(function.doc).said("Task result")
            if not said.startswith("none") and not roles.task_results(header, function):
                yield f"{function.name} does not say the result of its task"


def errors_are_said(header: Header) -> Iterator[str]:
    """In the comment of each function that can fail, or once for all of a header."""
    for page in header.pages:
        shared = False
        for item in page.items:
            said = " ".join(item.doc)
            if isinstance(item, Prose):
                shared = shared or bool(re.search(r"Errors (that every|of all)", said))
            own = re.search(r"\b[Ee]rrors?\b|Returns +MTOKEN|[Tt]he same", said)
            if isinstance(item, Function) and item.checked and not shared and not own:
                yield f"{item.name} does not say its errors"


def tags_differ(header: Header) -> Iterator[str]:
    names = {*header.enums, *header.structs, *header.handles, *header.aliases, *header.functions}
    for enum in header.enums.values():
        if enum.tag in names:
            yield f"the tag {enum.tag} is the name of something else too"
    for name in header.functions:
        if name in {*header.enums, *header.aliases}:
            yield f"{name} is a function and a type"


def pairs_are_found(header: Header) -> Iterator[str]:
    """No length or count without what it belongs to, no pointer of unknown role."""
    for item, field in header.fields():
        if isinstance(item, Struct):
            role = roles.members(header, item)[field.name]
        elif isinstance(item, Function):
            role = roles.parameters(header, item)[field.name]
        if role.role == "pointer":
            yield f"{item.name}: {field.name}: nothing tells what this pointer is"
        alone = role.role == "value" and str(field.type) == "size_t" and field.name not in UNPAIRED
        if alone and field.name.endswith(("_length", "_count")):
            yield f"{item.name}: {field.name}: nothing goes with it"
        pointer = isinstance(field.type, CType) and field.type.pointers
        if role.role == "bytes" and pointer and not role.pair and field.name not in UNPAIRED:
            yield f"{item.name}: {field.name}: bytes without a length"


UNPAIRED = {"signed_length", "nonce_bytes", "byte_count", "skipped_count", "further_issue_count"}
"""A place within the payload; 16 bytes by definition; how many are wanted; how many were left out."""


def lines_fit(header: Header) -> Iterator[str]:
    include = ROOT / "include"
    for page in header.pages:
        for number, line in enumerate((include / page.path).read_text(encoding="utf-8").splitlines(), 1):
            if len(line) > WIDTH and re.search(r"/\*|^ \*|\*/", line):
                yield f"{page.path}:{number}: {len(line)} columns"


def examples_cover(header: Header) -> Iterator[str]:
    yield from (f"{name}: no example of its page shows it" for name in Finder(header).uncovered())


def option_structs_have_initialisers(header: Header) -> Iterator[str]:
    for struct in header.structs.values():
        if struct.kind == "option" and f"{struct.name.upper()}_INIT" not in header.macros:
            yield f"{struct.name} has no _INIT macro"


def versions_agree(header: Header) -> Iterator[str]:
    """The version is said once in words and once in numbers."""
    numbers = [header.integers.get(f"MTOKEN_VERSION_{part}") for part in ("MAJOR", "MINOR", "PATCH")]
    major, minor, patch = (int(part) for part in header.version.split("."))
    if (
        numbers != [major, minor, patch]
        or header.integers.get("MTOKEN_VERSION_NUMBER") != (major * 100 + minor) * 100 + patch
    ):
        yield f"MTOKEN_VERSION is {header.version}, its numbers are {numbers}"


RULES: List[Callable[[Header], Iterator[str]]] = [
    no_holes,
    reserved_fills,
    no_keywords,
    no_near_names,
    constants_have_types,
    null_is_marked,
    everything_is_described,
    status_is_checked,
    tasks_say_their_result,
    errors_are_said,
    tags_differ,
    pairs_are_found,
    lines_fit,
    examples_cover,
    option_structs_have_initialisers,
    versions_agree,
]
