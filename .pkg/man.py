"""Makes the man pages of section 3 from the C headers: mtoken(3), a page for each header, and a link for each function.

    .pkg/man.py --include include --output build/man/man3 --version 1.0.0 --date 2026-01-31
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from dataclasses import dataclass
from datetime import date
from os.path import commonprefix
from pathlib import Path
from typing import Iterator, List, Optional, Tuple

GUARD = re.compile(r"^(#(ifndef|ifdef|if|else|endif|include)\b.*|#define MTOKEN_\w*_?H|MTOKEN_BEGIN|MTOKEN_END|#define MTOKEN_(BEGIN|END|API).*)$")
ITEM = re.compile(r"^(\S(?:[^ ]| (?! ))*?) {2,}(\S.*)$")
CONSTANT = re.compile(r"^#define (\w+) (.+?)\s*(?:/\*\s*(.*?)\s*\*/)?$")
MEMBER = re.compile(r"^(?P<declaration>[^/]+;)\s*(?:/\*\s*(?P<comment>.*?)\s*\*/)?$")
FUNCTION = re.compile(r"MTOKEN_API\s+(?P<result>[\w* ]+?)\s*(?P<name>mtoken_\w+)\((?P<parameters>[^;]*)\);", re.DOTALL)


class PageError(Exception):
    """A header that cannot be made into a page."""


@dataclass
class Chunk:
    """What stands between two blank lines of a header: a comment, declarations, or both."""

    comment: List[str]
    code: List[str]

    @property
    def functions(self) -> List[Tuple[str, str, List[str]]]:
        """Result type, name and parameters of each function."""
        found = []
        for match in FUNCTION.finditer("\n".join(self.code)):
            parameters = [" ".join(part.split()) for part in match["parameters"].split(",")]
            found.append((" ".join(match["result"].split()), match["name"], parameters))
        return found


@dataclass
class Page:
    """One header: its name without ".h", its title, what its first comment adds to the title, and its chunks."""

    name: str
    title: str
    introduction: List[str]
    chunks: List[Chunk]

    @property
    def page(self) -> str:
        return "mtoken" if self.name == "mtoken" else f"mtoken_{self.name}"

    @property
    def include(self) -> str:
        return "mtoken.h" if self.name == "mtoken" else f"mtoken/{self.name}.h"

    @property
    def functions(self) -> List[str]:
        return [name for chunk in self.chunks for _, name, _ in chunk.functions]


def comment_text(lines: List[str]) -> List[str]:
    """A comment without its stars, and without the indentation that all its lines share."""
    bare = []
    for line in lines:
        line = re.sub(r"^\s*/\*\s?", "", line)
        line = re.sub(r"\s*\*/\s*$", "", line)
        bare.append(re.sub(r"^\s*\*\s?", "", line).rstrip())
    while bare and not bare[0]:
        bare.pop(0)
    while bare and not bare[-1]:
        bare.pop()
    return bare


def read_chunks(text: str) -> Iterator[Chunk]:
    comment: List[str] = []
    code: List[str] = []
    within_comment = within_code = False
    for line in [*text.splitlines(), ""]:
        if within_comment:
            comment.append(line)
            within_comment = "*/" not in line
        elif within_code:
            code.append(line)
            # A declaration with braces or a continued macro may hold blank lines.
            joined = "\n".join(code)
            within_code = line.endswith("\\") or joined.count("{") > joined.count("}")
        elif not line.strip():
            if comment or code:
                yield Chunk(comment_text(comment), code)
            comment, code = [], []
        elif line.startswith("/*") and not code:
            comment.append(line)
            within_comment = "*/" not in line
        elif not GUARD.match(line):
            code.append(line)
            joined = "\n".join(code)
            within_code = line.endswith("\\") or joined.count("{") > joined.count("}")


def read_page(path: Path) -> Page:
    chunks = [chunk for chunk in read_chunks(path.read_text(encoding="utf-8")) if chunk.comment or chunk.code]
    if not chunks or not chunks[0].comment or chunks[0].code:
        raise PageError(f"{path}: does not begin with a comment that says what it holds")
    first, *rest = chunks[0].comment
    while rest and rest[0] and not first.endswith("."):
        first += " " + rest.pop(0).strip()
    head, stop, tail = first.partition(". ")
    if tail:
        rest.insert(0, tail)
    return Page(path.stem, head.rstrip(".").removeprefix("libmtoken: "), rest, chunks[1:])


def struct_members(code: List[str]) -> List[Tuple[str, List[str]]]:
    """Declaration of each member of a struct, and the comments before, beside and (continued) below it."""
    members: List[Tuple[str, List[str]]] = []
    before: List[str] = []
    within_comment = False
    for raw in code[1:-1]:
        line = raw.strip()
        member = None if within_comment else MEMBER.match(line)
        if member:
            members.append((member["declaration"].rstrip(";"), [*before, *filter(None, [member["comment"]])]))
            before = []
        elif within_comment or line.startswith("/*"):
            # A comment that is indented like those beside members goes on from the line above.
            words = comment_text([line])
            if members and not before and raw.startswith(" " * 8):
                members[-1][1].extend(words)
            else:
                before += words
            within_comment = "*/" not in line
        elif line:
            raise PageError(f"a struct with a line that is neither member nor comment: {line}")
    return members


# The language of the pages, mdoc(7)


def escape(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(character if ord(character) < 128 else f"\\[u{ord(character):04X}]" for character in text)
    return "\\&" + text if text[:1] in (".", "'") else text


def argument(text: str) -> str:
    """A text as one argument of a macro."""
    return '"' + escape(text).replace('"', "\\(dq") + '"'


def prose(lines: List[str]) -> List[str]:
    """Paragraphs, and lists where the lines have a first column."""
    output: List[str] = []
    indentation = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    lines = [lines[0].strip(), *(line[indentation:] for line in lines[1:])] if lines else []
    within_list = within_item = False
    fresh = True
    for line in lines:
        item = ITEM.match(line[1:] if line[:1] == " " else line)
        if item and len(item[1]) <= 34:
            if not within_list:
                output.append(".Bl -tag -width Ds")
            within_list = within_item = True
            output += [f".It {argument(item[1])}", *sentences(item[2])]
        elif not line:
            fresh = True
        elif within_item and line.startswith(" "):
            output += sentences(line.strip())
        else:
            if within_list:
                output.append(".El")
            if (within_list or fresh) and output and output[-1] != ".Pp":
                output.append(".Pp")
            within_list = within_item = fresh = False
            output += sentences(line.strip())
    if within_list:
        output.append(".El")
    return output


def sentences(text: str) -> List[str]:
    """The lines of a text: each sentence begins one, as mdoc wants it."""
    split = re.sub(r"(?<=\S)(?<!e\.g)(?<!i\.e)([.!?][\")]?) +(?=[A-Z0-9\"(])", r"\1\n", text)
    return [escape(line) for line in split.split("\n") if line]


def tagged(items: List[Tuple[str, List[str]]]) -> List[str]:
    output = [".Bl -tag -width Ds"]
    for tag, lines in items:
        output += [f".It {argument(tag)}", *(sentence for line in lines for sentence in sentences(line))]
    return [*output, ".El"]


def declarations(code: List[str]) -> Tuple[str, List[str]]:
    """Heading and body for declarations that are no functions."""
    macro = re.match(r"#define (\w+_INIT)\b", code[0])
    if macro:
        return macro[1], []
    if all(CONSTANT.match(line) for line in code):
        found = [match for match in map(CONSTANT.match, code) if match]
        prefix = commonprefix([match[1] for match in found])
        heading = found[0][1] if len(found) == 1 else prefix[: prefix.rfind("_") + 1] + "..."
        return heading, tagged([(f"{match[1]} = {match[2]}", [match[3]] if match[3] else []) for match in found])
    struct = re.match(r"typedef struct (\w+) \{$", code[0])
    if struct:
        return f"struct {struct[1]}", tagged(struct_members(code))
    return "Types", [".Bd -literal", *map(escape, code), ".Ed"]


def synopsis(page: Page) -> List[str]:
    output = [".Sh SYNOPSIS", ".In mtoken.h"]
    for chunk in page.chunks:
        for result, name, parameters in chunk.functions:
            output += [f".Ft {argument(result)}", f".Fo {name}"]
            output += [f".Fa {argument(parameter)}" for parameter in parameters]
            output.append(".Fc")
    return output


def names(page: Page) -> List[str]:
    listed = [page.page, *page.functions]
    return [f".Nm {name}" + (" ," if name != listed[-1] else "") for name in listed]


def page_text(page: Page, pages: List[Page], version: str, day: date) -> str:
    output = [
        f".Dd {day:%B} {day.day}, {day.year}",
        f".Dt {page.page.upper()} 3",
        f".Os libmtoken {version}",
        ".Sh NAME",
        *names(page),
        f".Nd {escape(page.title[:1].lower() + page.title[1:])}",
        ".Sh LIBRARY",
        "Mobile token library (libmtoken, \\-lmtoken)",
        *synopsis(page),
        ".Sh DESCRIPTION",
    ]
    if page.name != "mtoken":
        output += [f"Declared in {escape(f'<{page.include}>')}, which {escape('<mtoken.h>')} includes.", ".Pp"]
    output += prose(page.introduction)
    for chunk in page.chunks:
        heading, body = ", ".join(f"{name}()" for _, name, _ in chunk.functions), []
        if chunk.code and not heading:
            heading, body = declarations(chunk.code)
        output += [f".Ss {escape(heading)}" if heading else ".Pp", *prose(chunk.comment), *body]
    others = sorted(other.page for other in pages if other is not page)
    output.append(".Sh SEE ALSO")
    output += [f".Xr {other} 3" + (" ," if other != others[-1] else "") for other in others]
    # A paragraph begins by itself after a heading.
    kept = [line for line, next in zip(output, [*output[1:], ""]) if line != ".Pp" or next[:3] not in (".Ss", ".Sh", ".Pp")]
    return "\n".join(kept) + "\n"


def write(include: Path, output: Path, version: str, day: date) -> int:
    umbrella = include / "mtoken.h"
    parts = re.findall(r'^#include "(mtoken/\w+\.h)"$', umbrella.read_text(encoding="utf-8"), re.MULTILINE)
    pages = [read_page(umbrella), *(read_page(include / part) for part in parts)]
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    count = 0
    for page in pages:
        (output / f"{page.page}.3").write_text(page_text(page, pages, version, day), encoding="utf-8")
        for name in page.functions:
            link = output / f"{name}.3"
            if link.exists() or name in {other.page for other in pages}:
                raise PageError(f"two pages named {name}(3)")
            link.write_text(f".so man3/{page.page}.3\n", encoding="utf-8")
            count += 1
    print(f"man pages: {len(pages)}, and links for {count} functions")
    return 0


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", type=Path, required=True, help="folder of mtoken.h")
    parser.add_argument("--output", type=Path, required=True, help="folder that is made anew")
    parser.add_argument("--version", required=True)
    parser.add_argument("--date", type=date.fromisoformat, required=True, help="day that the pages bear")
    options = parser.parse_args(arguments)
    try:
        return write(options.include, options.output, options.version, options.date)
    except PageError as problem:
        print(f"man: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
