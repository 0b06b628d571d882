# SPDX-License-Identifier: Apache-2.0
"""The reference of the site: a page for each header, with what it declares, and an index of all names, in Markdown."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence

from . import describe, docs
from .examples import Example, Finder
from .man import ENUM_KINDS, KINDS, field_text, headline, spelled
from .model import Alias, Constant, Enum, Function, Handle, Header, HeaderError, Item, Macro, Page, Prose, Struct

_NAME = re.compile(r"\bmtoken_\w+|\bMTOKEN_\w+")


def write(header: Header, output: Path) -> int:
    """Makes the pages, and tells how many there are."""
    pages = Pages(header).make()
    output.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (output / f"{name}.md").write_text(text, encoding="utf-8")
    return len(pages)


class Pages:
    """All pages of a header."""

    def __init__(self, header: Header):
        self.header = header
        self.finder = Finder(header)
        self.facts: Dict[str, Any] = {item["name"]: item for item in describe.description(header)["functions"]}
        self.places = {
            item.name: f"{page.name}.md#{item.name}"
            for page in header.pages
            for item in page.items
            if not isinstance(item, Prose)
        }
        for enum in header.enums.values():
            self.places.update({value.name: self.places[enum.name] for value in enum.values})
        for name in header.initialisers:
            struct = name.removesuffix("_INIT").lower()
            self.places[name] = self.places.get(struct, self.places[name])

    def make(self) -> Dict[str, str]:
        pages = {page.name: self.page(page) for page in self.header.pages}
        pages["index"] = pages.pop(self.header.pages[0].name) + self.contents()
        return pages

    # Pages

    def page(self, page: Page) -> str:
        what, rest = headline(page)
        umbrella = page is self.header.pages[0]
        what = what[:1].upper() + what[1:]
        lines = [f"# {'Reference' if umbrella else page.path}", "", self.text(what) + ".", "", *self.prose(rest)]
        if umbrella:
            lines += self.example(self.finder.of_page.get(page.name, [None])[0])
        for item in page.items:
            if not (isinstance(item, Macro) and item.name.endswith("_INIT")):
                lines += self.item(item, page)
        return "\n".join(lines) + "\n"

    def contents(self) -> str:
        """The headers, and every function by its name."""
        lines = ["", "## Headers", "", "| Header | What it is for |", "|---|---|"]
        for page in self.header.pages[1:]:
            lines.append(f"| [`{page.path}`]({page.name}.md) | {self.text(headline(page)[0])} |")
        lines += ["", "## Functions", "", "| Function | What it does |", "|---|---|"]
        for name in sorted(self.header.functions):
            lines.append(f"| {self.link(name)} | {self.text(self.facts[name]['summary'])} |")
        return "\n".join(lines) + "\n"

    # Items

    def item(self, item: Item, page: Page) -> List[str]:
        if isinstance(item, Prose):
            return ["", *self.prose(item.doc)]
        lines = ["", f"## {item.name} {{#{item.name}}}", ""]
        if isinstance(item, Function):
            return [*lines, *self.function(item, page)]
        if isinstance(item, Struct):
            return [*lines, *self.struct(item)]
        if isinstance(item, Enum):
            return [*lines, *self.enum(item)]
        if isinstance(item, Constant):
            value = f'"{item.value}"' if isinstance(item.value, str) else str(item.value)
            return [*lines, *code([f"#define {item.name} {value}"]), *self.prose(item.doc), *self.prose(item.comment)]
        if isinstance(item, Alias):
            return [*lines, *code([f"typedef {item.target} {item.name};"]), *self.prose(item.doc)]
        if isinstance(item, Handle):
            return [*lines, *code([f"typedef struct {item.name} {item.name};"]), *self.prose(item.doc)]
        return [*lines, *self.prose(item.doc)]

    def function(self, function: Function, page: Page) -> List[str]:
        facts = self.facts[function.name]
        lines = [*code([prototype(function)]), *self.prose(function.doc), ""]
        notes = [
            (facts["pure"], "Pure."),
            (facts["blocks"], "It may block: call it on a thread of its own."),
            (facts["since"] != "1.0", f"Since {facts['since']}."),
        ]
        said = [text for applies, text in notes if applies]
        lines += [" ".join(said), ""] if said else []
        rows = [(one["name"], self.parameter(one)) for one in facts["parameters"] if one["role"] != "error"]
        if any(text for _, text in rows):
            lines += ["| Parameter | |", "|---|---|", *(f"| `{name}` | {text} |" for name, text in rows if text), ""]
        for label, codes in (("Errors at once", "at_once"), ("Errors of the task", "of_task")):
            names = facts["errors"][codes]
            if names:
                lines += [f"**{label}:** {', '.join(self.error(name) for name in names)}", ""]
        found = self.finder.mentioning({function.name}, page.name)
        if found is None:
            raise HeaderError(f"{function.name}: no example")
        return [*lines, *self.example(found)]

    def parameter(self, facts: Dict[str, Any]) -> str:
        """What the description knows of a parameter."""
        notes = [
            (facts["role"] in ("length", "count"), f"the {facts['role']} of `{facts.get('pair')}`"),
            (facts["role"] in ("out_handle", "out_struct"), "receives the result"),
            (facts.get("nullable"), "may be NULL"),
            (facts.get("secret"), "secret"),
            (facts.get("free"), f"free it with {self.link(str(facts.get('free')))}"),
            (facts.get("values"), f"one of {self.link(str(facts.get('values')))}"),
        ]
        said = [text for applies, text in notes if applies]
        told = self.text(facts["doc"]) if facts["doc"] else ""
        return "; ".join([*([told.rstrip(".")] if told else []), *said])

    def struct(self, item: Struct) -> List[str]:
        declared = [
            f"typedef struct {item.name} {{",
            *(f"    {field_text(member)};" for member in item.members),
            f"}} {item.name};",
        ]
        lines = [*self.prose(item.doc), *([KINDS[item.kind], ""] if KINDS[item.kind] else []), *code(declared)]
        rows = []
        for member in item.members:
            told = self.text(docs.one_line(member.doc))
            if member.nullable and "NULL" not in told:
                told += " May be NULL."
            rows.append((member.name, told.strip()))
        if any(told for _, told in rows):
            lines += ["| Member | |", "|---|---|", *(f"| `{name}` | {told} |" for name, told in rows if told), ""]
        return [*lines, *self.example(self.finder.of_type(item.name, item.header))]

    def enum(self, item: Enum) -> List[str]:
        lines = [*self.prose(item.doc), ENUM_KINDS[item.kind], "", "| Constant | Value | |", "|---|---:|---|"]
        for value in item.values:
            lines.append(f"| `{value.name}` | {value.value} | {self.text(docs.one_line(value.doc))} |")
        return [*lines, ""]

    @staticmethod
    def example(found: Optional[Example]) -> List[str]:
        """Folded away, for it is longer than what it is an example of."""
        if found is None:
            return []
        return ['??? example "Example"', "", *(f"    {line}".rstrip() for line in code(found.lines))]

    # Texts

    def prose(self, lines: Sequence[str]) -> List[str]:
        output: List[str] = []
        for block in docs.blocks(lines):
            if isinstance(block, docs.Code):
                output += code(block.lines)
            elif isinstance(block, docs.Columns):
                for label, text in block.items:
                    output += [f"- **{self.text(label)}** {self.text(' '.join(text))}"]
                output.append("")
            else:
                output += [self.text(" ".join(block.lines)), ""]
        return output

    def text(self, text: str) -> str:
        """Plain words as Markdown; names are links to where they are declared."""
        parts: List[str] = []
        end = 0
        for found in _NAME.finditer(text):
            parts += [plain(text[end : found.start()]), self.link(found[0])]
            end = found.end()
        return "".join([*parts, plain(text[end:])])

    def link(self, name: str) -> str:
        return f"[`{name}`]({self.places[name]})" if name in self.places else f"`{name}`"

    @staticmethod
    def error(name: str) -> str:
        short = name.removeprefix("MTOKEN_ERROR_")
        return f"[{plain(short)}](../errors.md#{short.lower()})"


def code(lines: Iterable[str]) -> List[str]:
    return ["```c", *lines, "```", ""]


def plain(text: str) -> str:
    return re.sub(r"([\\`*_\[\]|#])", r"\\\1", html.escape(text, quote=False))


def prototype(function: Function) -> str:
    """As in the header; one parameter a line when they are many."""
    head = spelled(str(function.result), function.name)
    parameters = [field_text(parameter) for parameter in function.parameters] or ["void"]
    line = f"{head}({', '.join(parameters)});"
    return line if len(line) <= 90 else f"{head}(\n    " + ",\n    ".join(parameters) + ");"
