# SPDX-License-Identifier: Apache-2.0
"""A strict reader of the C header: what it does not know is an error, so nothing slips past it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, List, Optional, Set, Tuple

from .lexer import Token, comment_lines, tokens
from .model import (
    Alias,
    AnyType,
    Constant,
    CType,
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
    Value,
)

SCALARS = ("void", "char", "double", "int32_t", "uint32_t", "int64_t", "uint64_t", "uint8_t", "size_t")
ENUMS = {"MTOKEN_ENUM": "open", "MTOKEN_CLOSED_ENUM": "closed", "MTOKEN_FLAGS": "flags"}
DECORATION = {
    "MTOKEN_BEGIN",
    "MTOKEN_END",
    "MTOKEN_API",
    "MTOKEN_CHECKED",
    "MTOKEN_BLOCKS",
    "MTOKEN_NULLABLE",
    "MTOKEN_SECRET",
    *ENUMS,
}
VALUE_MACROS = {"MTOKEN_TEXT", "MTOKEN_BYTES"}
SPECIAL_VALUES = {
    "SIZE_MAX": (-1, "size_t"),
    "((size_t)-1)": (-1, "size_t"),
    "(static_cast<size_t>(-1))": (-1, "size_t"),
}

_LICENCE = re.compile(r"\A/\* SPDX-[^\n]*\*/(?=\n)")
_DEFINE = re.compile(r"#\s*define\s+(\w+)(\([\w, ]*\))?\s*(.*?)\s*$", re.DOTALL)
_INCLUDE = re.compile(r'#\s*include\s+"([\w./]+)"')
_NUMBER = re.compile(r"\(?(-?(?:0[xX][0-9a-fA-F]+|\d+))\)?")
_DEEPEST_MEMBER = 8
"""A comment that begins further right goes on from the comment beside the line above."""


def read(include: Path) -> Header:
    """Reads mtoken.h and all of mtoken/ from the folder `include`."""
    umbrella = _FileReader(include, "mtoken.h", {}).read()
    # A header that mtoken.h does not include is part of the interface too (extra.h).
    present = {f"mtoken/{path.name}" for path in (include / "mtoken").glob("*.h")}
    parts = [*umbrella.includes, *sorted(present - set(umbrella.includes))]
    known: Dict[str, str] = {}
    pages: Dict[str, Page] = {}
    items: List[Item] = []
    for part in parts:
        _read_part(include, part, known, pages, items)
    return Header([umbrella, *(pages[part] for part in parts)], items)


def _read_part(include: Path, part: str, known: Dict[str, str], pages: Dict[str, Page], items: List[Item]) -> None:
    if part in pages:
        return
    source = (include / part).read_text(encoding="utf-8")
    pages[part] = Page(part, ())
    for other in _INCLUDE.findall(source):
        _read_part(include, f"mtoken/{other}", known, pages, items)
    page = _FileReader(include, part, known).read()
    pages[part] = page
    items += page.items


class _FileReader:
    """Reads one file. `known` are the names of types, with what they are; the file adds its own."""

    def __init__(self, include: Path, path: str, known: Dict[str, str]):
        self.path = path
        self.known = known
        self.tokens = tokens(_LICENCE.sub("", (include / path).read_text(encoding="utf-8")), path)
        self.position = 0
        self.pending: Optional[Token] = None
        self.page = Page(path, ())
        self.end = 0
        """The last line of the last declaration."""
        self.carried: Tuple[str, ...] = ()
        self.enum_tags: Dict[str, Enum] = {}

    # Tokens

    def fail(self, problem: str) -> HeaderError:
        rest = " ".join(str(token) for token in self.tokens[self.position : self.position + 10])
        line = self.peek.line if self.peek else self.tokens[-1].line
        return HeaderError(f"{self.path}:{line}: {problem} at {rest!r}")

    @property
    def peek(self) -> Optional[Token]:
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def is_next(self, text: str) -> bool:
        return self.peek is not None and self.peek.kind == "word" and self.peek.text == text

    def next(self) -> Token:
        token = self.peek
        if token is None:
            raise HeaderError(f"{self.path}: ends in the middle of a declaration")
        self.position += 1
        return token

    def expect(self, text: str) -> Token:
        if not self.is_next(text):
            raise self.fail(f"{text!r} expected")
        return self.next()

    def identifier(self) -> str:
        token = self.next()
        if token.kind != "word" or not re.fullmatch(r"[A-Za-z_]\w*", token.text):
            self.position -= 1
            raise self.fail("a name expected")
        return token.text

    # Comments

    def doc_before(self) -> Tuple[str, ...]:
        """The comment that ends on the line above what comes next."""
        token, comment = self.peek, self.pending
        self.pending = None
        if comment is None or token is None:
            return ()
        if comment.last_line + 1 == token.line:
            return comment_lines(comment.text)
        self.prose(comment)
        return ()

    def prose(self, comment: Token) -> None:
        self.page.items.append(Prose("", comment_lines(comment.text), self.path, comment.line))

    def doc_beside(self, line: int) -> Tuple[str, ...]:
        """The comment behind a declaration that ends on `line`, and those below it that go on from it."""
        found: List[str] = []
        while self.peek and self.peek.kind == "comment":
            beside = not self.peek.begins_line and self.peek.line == line
            goes_on = bool(found) and self.peek.line == line + 1 and self.peek.column > _DEEPEST_MEMBER
            if not beside and not goes_on:
                break
            comment = self.next()
            found += comment_lines(comment.text)
            line = comment.last_line
        return tuple(found)

    # Files

    def read(self) -> Page:
        first = self.peek
        if first is None or first.kind != "comment":
            raise HeaderError(f"{self.path}: does not begin with a comment that says what it holds")
        self.page.doc = comment_lines(self.next().text)
        while self.peek:
            token = self.peek
            if token.kind == "comment":
                if self.pending:
                    self.prose(self.pending)
                self.pending = self.next()
            elif token.kind == "directive":
                self.directive()
            elif token.text in ("MTOKEN_BEGIN", "MTOKEN_END"):
                self.flush()
                self.next()
            else:
                self.declaration()
        self.flush()
        return self.page

    def flush(self) -> None:
        if self.pending:
            self.prose(self.pending)
            self.pending = None

    def add(self, item: Item, kind: str = "") -> None:
        self.page.items.append(item)
        self.end = self.tokens[self.position - 1].last_line
        if kind:
            if item.name in self.known:
                raise HeaderError(f"{self.path}:{item.line}: {item.name} is declared twice")
            self.known[item.name] = kind

    def shared_doc(self, kind: type, line: int) -> Tuple[str, ...]:
        """The comment of the declaration on the line above, which stands for a run of its kind."""
        previous = self.page.items[-1:]
        return previous[0].doc if previous and isinstance(previous[0], kind) and self.end + 1 == line else ()

    def directive(self) -> None:
        token = self.peek
        assert token is not None
        include = _INCLUDE.match(token.text)
        define = _DEFINE.match(token.text.replace("\\\n", " "))
        if include:
            self.flush()
            self.page.includes.append(include[1])
        if not define:
            if not token.text.startswith("#if"):  # the comment before a choice belongs to what is chosen
                self.flush()
            elif self.pending and self.pending.last_line + 1 == token.line:
                self.carried = comment_lines(self.pending.text)
                self.pending = None
            self.next()
            return
        name, arguments, value = define[1], define[2], define[3]
        doc = self.doc_before() or self.carried
        self.carried = ()
        self.next()
        beside = self.doc_beside(token.last_line)
        if name in DECORATION or (name.endswith("_H") and not value):
            if doc:  # what the marks mean is for the reader of the page
                self.page.items.append(Prose("", doc, self.path, token.line))
            return
        if name.endswith("_INIT") or name in VALUE_MACROS:
            if all(item.name != name for item in self.page.items):
                self.add(Macro(name, doc, self.path, token.line))
        elif arguments:
            raise HeaderError(f"{self.path}:{token.line}: macro with logic: {name}")
        else:
            doc = doc or self.shared_doc(Constant, token.line)
            if any(isinstance(item, (Constant, Macro)) and item.name == name for item in self.page.items):
                return  # the same for another language, behind #else
            self.add(self.constant(name, value, doc, beside, token.last_line))

    def constant(self, name: str, value: str, doc: Tuple[str, ...], beside: Tuple[str, ...], line: int) -> Constant:
        if value.startswith('"') and value.endswith('"'):
            return Constant(name, doc, self.path, line, value[1:-1], beside, "const char *")
        if value in SPECIAL_VALUES:
            number, kind = SPECIAL_VALUES[value]
            return Constant(name, doc, self.path, line, number, beside, kind)
        number_match = _NUMBER.fullmatch(value)
        if number_match is None:
            # Made of other constants: the compiler's value is checked against this one.
            computed = self.computed(value)
            if computed is None:
                raise HeaderError(f"{self.path}:{line}: unknown kind of constant: {name} {value}")
            return Constant(name, doc, self.path, line, computed, beside)
        return Constant(name, doc, self.path, line, int(number_match[1], 0), beside)

    def computed(self, expression: str) -> Optional[int]:
        """The value of a sum or product of constants that are known."""
        values = {item.name: item.value for item in self.page.items if isinstance(item, Constant)}
        total = 0
        for term in expression.strip("()").split("+"):
            product = 1
            for factor in term.split("*"):
                word = factor.strip()
                value = values.get(word, int(word, 0) if _NUMBER.fullmatch(word) else None)
                if not isinstance(value, int):
                    return None
                product *= value
            total += product
        return total

    # Declarations

    def declaration(self) -> None:
        token = self.peek
        assert token is not None
        doc = self.doc_before()
        if token.text == "typedef":
            self.typedef(doc)
        elif token.text in ENUMS:
            self.enum(doc)
        elif token.text == "MTOKEN_API":
            self.function(doc)
        else:
            raise self.fail("unexpected declaration")

    def typedef(self, doc: Tuple[str, ...]) -> None:
        line = self.expect("typedef").line
        if self.is_next("struct"):
            self.next()
            self.struct(doc, line)
            return
        target = self.type()
        name = self.identifier()
        end = self.expect(";").line
        beside = self.doc_beside(end)
        enum = self.enum_tags.pop(f"{name}_values", None)
        if enum:
            if str(target) != "int32_t":
                raise HeaderError(f"{self.path}:{line}: {name} must be an int32_t")
            enum.name = name
            self.known[name] = "scalar"
            return
        self.add(Alias(name, doc or beside, self.path, line, str(target)), "scalar")

    def enum(self, doc: Tuple[str, ...]) -> None:
        start = self.next()
        self.expect("(")
        tag = self.identifier()
        self.expect(")")
        self.expect("{")
        values: List[Value] = []
        before: Tuple[str, ...] = ()
        while not self.is_next("}"):
            if self.peek and self.peek.kind == "comment":
                before += comment_lines(self.next().text)
                continue
            name_token = self.peek
            name = self.identifier()
            self.expect("=")
            if self.peek is None or not _NUMBER.fullmatch(self.peek.text):
                raise self.fail("a number expected")
            number = int(self.next().text, 0)
            assert name_token is not None
            line = name_token.line
            if self.is_next(","):
                line = self.next().line
            values.append(Value(name, number, before + self.doc_beside(line)))
            before = ()
        self.expect("}")
        self.expect(";")
        if not tag.endswith("_values"):
            raise HeaderError(f"{self.path}:{start.line}: the tag {tag} does not end in _values")
        enum = Enum(tag.removesuffix("_values"), doc, self.path, start.line, tag, ENUMS[start.text], values)
        if self.known.get(enum.name) == "scalar":  # mtoken_status stands before its values
            raise HeaderError(f"{self.path}:{start.line}: the typedef of {tag} must follow it at once")
        self.enum_tags[tag] = enum
        self.page.items.append(enum)
        if not self.is_next("typedef"):
            raise HeaderError(f"{self.path}:{start.line}: the typedef of {tag} must follow it at once")

    def struct(self, doc: Tuple[str, ...], line: int) -> None:
        tag = self.identifier()
        if not self.is_next("{"):
            if self.identifier() != tag:
                raise HeaderError(f"{self.path}:{line}: struct {tag} is typedefed under another name")
            end = self.expect(";").line
            beside = self.doc_beside(end)
            self.add(Handle(tag, beside or doc or self.shared_doc(Handle, line), self.path, line), "handle")
            return
        self.expect("{")
        members: List[Field] = []
        before: Tuple[str, ...] = ()
        self.known[tag] = "struct"  # a member may point to its own kind
        while not self.is_next("}"):
            if self.peek and self.peek.kind == "comment":
                before += comment_lines(self.next().text)
                continue
            member = self.field()
            end = self.expect(";").line
            members.append(
                Field(member.name, member.type, member.nullable, member.secret, before + self.doc_beside(end), end)
            )
            before = ()
        self.expect("}")
        if self.identifier() != tag:
            raise HeaderError(f"{self.path}:{line}: struct {tag} is typedefed under another name")
        self.expect(";")
        del self.known[tag]
        self.add(Struct(tag, doc, self.path, line, tuple(members)), "struct")

    def function(self, doc: Tuple[str, ...]) -> None:
        line = self.expect("MTOKEN_API").line
        marks: Set[str] = set()
        while self.peek and self.peek.text in ("MTOKEN_CHECKED", "MTOKEN_BLOCKS"):
            marks.add(self.next().text)
        result = self.type()
        nullable, _ = self.marks()
        name = self.identifier()
        self.expect("(")
        parameters = self.parameters()
        self.expect(";")
        doc = doc or self.shared_doc(Function, line)
        function = Function(
            name,
            doc,
            self.path,
            line,
            result,
            parameters,
            nullable,
            "MTOKEN_CHECKED" in marks,
            "MTOKEN_BLOCKS" in marks,
        )
        self.add(function)

    def parameters(self) -> Tuple[Field, ...]:
        found: List[Field] = []
        if self.is_next("void") and self.tokens[self.position + 1].text == ")":
            self.next()
        while not self.is_next(")"):
            found.append(self.field())
            if not self.is_next(")"):
                self.expect(",")
        self.expect(")")
        return tuple(found)

    def marks(self) -> Tuple[bool, bool]:
        """Whether MTOKEN_NULLABLE and MTOKEN_SECRET come next."""
        found: Set[str] = set()
        while self.is_next("MTOKEN_NULLABLE") or self.is_next("MTOKEN_SECRET"):
            found.add(self.next().text)
        return "MTOKEN_NULLABLE" in found, "MTOKEN_SECRET" in found

    def field(self) -> Field:
        kind: AnyType = self.type()
        line = self.tokens[self.position - 1].line
        if not self.is_next("("):
            nullable, secret = self.marks()
            return Field(self.identifier(), kind, nullable, secret, (), line)
        self.expect("(")
        self.expect("*")
        nullable, secret = self.marks()
        name = self.identifier()
        self.expect(")")
        self.expect("(")
        assert isinstance(kind, CType)
        return Field(name, FunctionType(kind, self.parameters()), nullable, secret, (), line)

    def type(self) -> CType:
        const = self.is_next("const")
        if const:
            self.next()
        base = self.identifier()
        if base not in SCALARS and base not in self.known:
            raise self.fail(f"unknown type {base}")
        stars: List[bool] = []
        while self.is_next("*"):
            self.next()
            stars.append(self.is_next("const"))
            if stars[-1]:
                self.next()
        return CType(base, const, tuple(stars))
