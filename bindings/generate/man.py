# SPDX-License-Identifier: Apache-2.0
"""The man pages of section 3: mtoken(3), one for each header, struct and enumeration, and links for all other names."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import date
from os.path import commonprefix
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from . import docs
from .examples import Example, Finder
from .mdoc import argument, escape, literal, prose, references, sentences, tagged, tidy
from .model import (
    Alias,
    Constant,
    Enum,
    Field,
    Function,
    FunctionType,
    Handle,
    Header,
    HeaderError,
    Item,
    Macro,
    Page,
    Prose,
    Struct,
)

INDEX = "mtoken"
KINDS = {
    "option": "An option struct: initialise it with its _INIT macro, or zero it and set struct_size.",
    "fixed": "",
    "result": "Created by the library and read-only. Later versions may append members.",
}
ENUM_KINDS = {
    "open": "Later versions may add values: handle unknown ones.",
    "closed": "No version will add a value.",
    "flags": "Later versions may add flags.",
}


@dataclass
class Count:
    pages: int
    links: int


def write(header: Header, output: Path, version: str, day: date) -> Count:
    """Makes the folder of pages anew."""
    pages, links = Pages(header, version, day).make()
    for name in set(pages) & set(links):
        raise HeaderError(f"two pages named {name}(3)")
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    for name, text in pages.items():
        (output / f"{name}.3").write_text(text, encoding="utf-8")
    for name, target in links.items():
        (output / f"{name}.3").write_text(f".so man3/{target}.3\n", encoding="utf-8")
    return Count(len(pages), len(links))


def page_name(page: Page) -> str:
    return INDEX if page.name == INDEX else f"mtoken_{page.name}"


def headline(page: Page) -> Tuple[str, List[str]]:
    """What a header is for, in one line, and the rest of the comment that it begins with."""
    first, *rest = page.doc
    while rest and rest[0] and not first.endswith("."):
        first += " " + rest.pop(0).strip()
    head, _, tail = first.partition(". ")
    if tail:
        rest.insert(0, tail)
    return head.rstrip(".").removeprefix("libmtoken: "), rest


def one_line(item: Item) -> str:
    """What a struct or an enumeration is for."""
    return docs.read(item.doc).summary.rstrip(".:")


class Pages:
    """All pages of a header."""

    def __init__(self, header: Header, version: str, day: date):
        self.header = header
        self.version = version
        self.day = day
        self.finder = Finder(header)
        self.by_header = {page_name(page): page for page in header.pages}

    def own_page(self, item: Item) -> bool:
        """Whether a struct or enumeration has a page; one with the name of a header's page stands in that."""
        return isinstance(item, (Struct, Enum)) and item.name not in self.by_header

    def make(self) -> Tuple[Dict[str, str], Dict[str, str]]:
        pages: Dict[str, str] = {}
        links: Dict[str, str] = {}
        for name, page in self.by_header.items():
            pages[name] = self.index(page) if name == INDEX else self.header_page(name, page)
            for item in page.items:
                if isinstance(item, Prose):
                    continue
                if self.own_page(item):
                    pages[item.name] = self.type_page(item, name)
                elif item.name not in self.by_header:
                    links[item.name] = name
                if isinstance(item, Enum):
                    target = item.name if self.own_page(item) else name
                    links.update({value.name: target for value in item.values})
                if isinstance(item, Macro) and item.name.endswith("_INIT"):
                    struct = item.name.removesuffix("_INIT").lower()
                    owner = self.header.structs.get(struct)
                    links[item.name] = struct if owner and self.own_page(owner) else name
        return pages, links

    # Pages

    def top(self, name: str, names: Sequence[str], what: str) -> List[str]:
        return [
            f".Dd {self.day:%B} {self.day.day}, {self.day.year}",
            f".Dt {name.upper()} 3",
            f".Os libmtoken {self.version}",
            ".Sh NAME",
            *(f".Nm {one}" + (" ," if one != names[-1] else "") for one in names),
            f".Nd {escape(what[:1].lower() + what[1:])}",
            ".Sh LIBRARY",
            "Mobile token library (libmtoken, \\-lmtoken)",
        ]

    def index(self, page: Page) -> str:
        what, rest = headline(page)
        lines = [*self.top(INDEX, [INDEX], what), ".Sh SYNOPSIS", ".In mtoken.h", ".Sh DESCRIPTION", *prose(rest)]
        lines += [".Ss Pages", "Functions by header:"]
        for name, other in self.by_header.items():
            if name != INDEX:
                lines += self.line_of(name, headline(other)[0])
        lines += [".El"] if len(self.by_header) > 1 else []
        for heading, kind in (("Structs", Struct), ("Constants", Enum)):
            lines += [f".Ss {heading}", ".Bl -tag -width Ds"]
            for item in sorted(
                (item for item in self.header.items if isinstance(item, kind)), key=lambda item: item.name
            ):
                lines += [".It Xo", f".Xr {item.name} 3", ".Xc", *sentences(one_line(item) or "See there")]
            lines.append(".El")
        lines += self.examples(self.finder.of_page.get(INDEX, []), INDEX)
        return tidy([*lines, ".Sh SEE ALSO", *references(sorted(name for name in self.by_header if name != INDEX))])

    def line_of(self, name: str, what: str) -> List[str]:
        first = name == next(other for other in self.by_header if other != INDEX)
        return [*([".Bl -tag -width Ds"] if first else []), ".It Xo", f".Xr {name} 3", ".Xc", *sentences(what)]

    def header_page(self, name: str, page: Page) -> str:
        what, rest = headline(page)
        functions = [item for item in page.items if isinstance(item, Function)]
        included = page.path in self.header.pages[0].includes
        lines = [
            *self.top(name, [name, *(function.name for function in functions)], what),
            ".Sh SYNOPSIS",
            f".In {'mtoken.h' if included else page.path}",
            *(line for function in functions for line in synopsis(function)),
            ".Sh DESCRIPTION",
            f"Declared in {escape(f'<{page.path}>')}, which {escape('<mtoken.h>')} "
            f"{'includes' if included else 'does not include'}.",
            ".Pp",
            *prose(rest),
            *self.body(page),
            *self.examples(self.finder.of_page.get(page.name, []), name),
            ".Sh SEE ALSO",
        ]
        types = [item.name for item in page.items if self.own_page(item)]
        return tidy([*lines, *references(sorted([*(other for other in self.by_header if other != name), *types]))])

    def body(self, page: Page) -> List[str]:
        """What the items of a header say, in its order. Functions and macros under one comment share a heading."""
        lines: List[str] = []
        items = [item for item in page.items if not isinstance(item, Macro) or not item.name.endswith("_INIT")]
        index = 0
        while index < len(items):
            item = items[index]
            run = [item]
            while index + len(run) < len(items) and self.together(run[-1], items[index + len(run)]):
                run.append(items[index + len(run)])
            lines += self.section(run)
            index += len(run)
        return lines

    @staticmethod
    def together(item: Item, other: Item) -> bool:
        if type(item) is not type(other) or isinstance(item, (Struct, Enum, Prose)):
            return False
        return item.doc == other.doc and other.line - item.line <= 3

    def section(self, run: List[Item]) -> List[str]:
        item = run[0]
        if isinstance(item, Prose):
            return [".Pp", *prose(item.doc)]
        if isinstance(item, Function):
            return [f".Ss {', '.join(f'{one.name}()' for one in run)}", *prose(item.doc)]
        if isinstance(item, (Struct, Enum)):
            word = "struct" if isinstance(item, Struct) else "enum"
            name = item.name if isinstance(item, Struct) else item.tag
            if self.own_page(item):
                return [f".Ss {word} {name}", *sentences(first_sentence(item)), "See", f".Xr {item.name} 3 ."]
            return [f".Ss {word} {name}", *self.type_body(item)]
        if isinstance(item, Constant):
            constants = [one for one in run if isinstance(one, Constant)]
            return [
                f".Ss {heading([one.name for one in run])}",
                *prose(item.doc),
                *tagged([(definition(one), one.comment) for one in constants]),
            ]
        if isinstance(item, Macro):
            return [f".Ss {', '.join(f'{one.name}()' for one in run)}", *prose(item.doc)]
        return [".Ss Types", *prose(item.doc), *literal([declaration(one) for one in run])]

    def type_page(self, item: Item, page: str) -> str:
        names = [item.name]
        if isinstance(item, Enum):
            names += [value.name for value in item.values]
        what = one_line(item) or f"{'struct' if isinstance(item, Struct) else 'constants'} of {page}(3)"
        found = self.finder.of_type(item.name, item.header)
        lines = [*self.top(item.name, names, what), ".Sh SYNOPSIS", f".In {self.include(item)}"]
        lines += literal(self.code(item))
        lines += [".Sh DESCRIPTION", *self.type_body(item), *self.examples([found] if found else [], item.name)]
        return tidy([*lines, ".Sh SEE ALSO", *references(self.related(item, page))])

    def include(self, item: Item) -> str:
        return "mtoken.h" if item.header in self.header.pages[0].includes else item.header

    def code(self, item: Item) -> List[str]:
        if isinstance(item, Struct):
            return [
                f"typedef struct {item.name} {{",
                *(f"    {field_text(member)};" for member in item.members),
                f"}} {item.name};",
            ]
        assert isinstance(item, Enum)
        return [
            f"enum {item.tag} {{",
            *(f"    {value.name} = {value.value}," for value in item.values),
            "};",
            f"typedef int32_t {item.name};",
        ]

    def type_body(self, item: Item) -> List[str]:
        lines = [".Pp", *prose(item.doc)]
        if isinstance(item, Struct):
            lines += [".Pp", *sentences(KINDS[item.kind])] if KINDS[item.kind] else []
            lines += [
                ".Pp",
                *tagged(
                    [(field_text(member), said(member)) for member in item.members if member.name != "struct_size"]
                ),
            ]
        elif isinstance(item, Enum):
            lines += [".Pp", *sentences(ENUM_KINDS[item.kind]), ".Pp"]
            lines += tagged([(f"{value.name} = {value.value}", value.doc) for value in item.values])
        return lines

    def related(self, item: Item, page: str) -> List[str]:
        """The page of the header, and those of the types that a struct has members of, or that have this one."""
        found = {page, INDEX}
        for owner, field in self.header.fields():
            base = field.type.result.base if isinstance(field.type, FunctionType) else field.type.base
            if owner is item and base in {*self.header.structs, *self.header.enums}:
                found.add(base)
            elif base == item.name:
                found.add(owner.name if isinstance(owner, Struct) else page_name(self.page(owner)))
        return sorted(found - {item.name})

    def page(self, item: Item) -> Page:
        return next(page for page in self.header.pages if page.path == item.header)

    def examples(self, found: Sequence[Optional[Example]], name: str) -> List[str]:
        examples = [example for example in found if example]
        if not examples:
            raise HeaderError(f"{name}(3): no example")
        lines = [".Sh EXAMPLES"]
        for example in examples:
            lines += [*literal(example.lines), *([".Pp"] if example is not examples[-1] else [])]
        return lines


def said(member: Field) -> List[str]:
    words = list(member.doc)
    if member.nullable and not any("NULL" in line for line in words):
        words.append("May be NULL.")
    return words


def first_sentence(item: Item) -> str:
    summary = docs.read(item.doc).summary
    return summary if summary.endswith((".", ":")) or not summary else f"{summary}."


def heading(names: Sequence[str]) -> str:
    """The name of one constant, or what the names of several begin with."""
    common = commonprefix(names)  # noqa: RUF071 names, not paths
    return names[0] if len(names) == 1 else f"{common[: common.rfind('_') + 1]}..."


def definition(constant: Constant) -> str:
    return (
        f'{constant.name} = "{constant.value}"'
        if isinstance(constant.value, str)
        else f"{constant.name} = {constant.value}"
    )


def declaration(item: Item) -> str:
    if isinstance(item, Alias):
        return f"typedef {item.target} {item.name};"
    assert isinstance(item, Handle)
    return f"typedef struct {item.name} {item.name};"


def field_text(field: Field) -> str:
    if isinstance(field.type, FunctionType):
        parameters = ", ".join(field_text(parameter) for parameter in field.type.parameters)
        return f"{spelled(str(field.type.result), '')}(*{field.name})({parameters})"
    return spelled(str(field.type), field.name)


def spelled(kind: str, name: str) -> str:
    return f"{kind}{name}" if kind.endswith("*") else f"{kind} {name}"


def synopsis(function: Function) -> List[str]:
    parameters = [field_text(parameter) for parameter in function.parameters] or ["void"]
    return [
        f".Ft {argument(str(function.result))}",
        f".Fo {function.name}",
        *(f".Fa {argument(one)}" for one in parameters),
        ".Fc",
    ]
