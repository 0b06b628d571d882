"""A strict reader of the library's C header: what it does not know is an error, so nothing slips past the tests."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Set, Tuple, Union

SCALARS = {"void", "char", "double", "int32_t", "uint32_t", "int64_t", "uint64_t", "uint8_t", "size_t"}
DECORATION = {"MTOKEN_BEGIN", "MTOKEN_END", "MTOKEN_API"}
SPECIAL_VALUES = {"SIZE_MAX": -1}

_TOKEN = re.compile(r"\s*([A-Za-z_]\w*|\d\w*|[{}();,*\[\]])")


class HeaderError(Exception):
    """The header holds something that this reader does not understand."""


@dataclass(frozen=True)
class FunctionType:
    """The type of a function pointer."""

    result: str
    parameters: Tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.result} (*)({', '.join(self.parameters)})"


CType = Union[str, FunctionType]
"""A type in one fixed spelling ("const char *", "mtoken_task **"), or that of a function pointer."""


@dataclass(frozen=True)
class Named:
    """A parameter of a function or a member of a struct."""

    name: str
    type: CType


@dataclass(frozen=True)
class Function:
    name: str
    result: str
    parameters: Tuple[Named, ...]

    def __str__(self) -> str:
        parameters = ", ".join(f"{parameter.type} {parameter.name}" for parameter in self.parameters)
        return f"{self.result} {self.name}({parameters or 'void'})"


@dataclass
class Header:
    """Everything that the header declares, in its order."""

    functions: Dict[str, Function] = field(default_factory=dict)
    structs: Dict[str, Tuple[Named, ...]] = field(default_factory=dict)
    opaque: List[str] = field(default_factory=list)
    aliases: Dict[str, str] = field(default_factory=dict)
    integers: Dict[str, int] = field(default_factory=dict)
    texts: Dict[str, str] = field(default_factory=dict)
    initialisers: List[str] = field(default_factory=list)

    @classmethod
    def read(cls, include: Path) -> Header:
        """Reads mtoken.h and what it includes from the folder `include`."""
        header = cls()
        umbrella = (include / "mtoken.h").read_text(encoding="utf-8")
        included = re.findall(r'^#include "(mtoken/\w+\.h)"$', umbrella, re.MULTILINE)
        present = {f"mtoken/{path.name}" for path in (include / "mtoken").glob("*.h")}
        if set(included) != present:
            raise HeaderError(f"mtoken.h and mtoken/ differ: {sorted(set(included) ^ present)}")
        seen: Set[str] = set()
        for name in included:
            header._include(include, name, seen)
        return header

    def _include(self, include: Path, name: str, seen: Set[str]) -> None:
        if name in seen:
            return
        seen.add(name)
        source = (include / name).read_text(encoding="utf-8")
        for other in re.findall(r'^#include "(\w+\.h)"$', source, re.MULTILINE):
            self._include(include, f"mtoken/{other}", seen)
        self._read_file(source)

    def resolve(self, name: str) -> str:
        """The type behind a typedef of a scalar."""
        return self.aliases.get(name, name)

    # The preprocessor

    def _read_file(self, source: str) -> None:
        source = re.sub(r"/\*.*?\*/", " ", source, flags=re.DOTALL).replace("\\\n", " ")
        code = []
        for line in source.splitlines():
            if not line.lstrip().startswith("#"):
                code.append(line)
                continue
            match = re.match(r"\s*#\s*define\s+(\w+)(\(\w+\))?\s*(.*?)\s*$", line)
            if match:
                self._define(match[1], match[2] is not None, match[3])
        self._read_code("\n".join(code))

    def _define(self, name: str, has_arguments: bool, value: str) -> None:
        if name in DECORATION or (name.endswith("_H") and not value):
            return
        if name.endswith("_INIT"):
            self.initialisers.append(name)
        elif has_arguments:
            if name != "MTOKEN_TEXT":
                raise HeaderError(f"macro with logic: {name}")
        elif value.startswith('"') and value.endswith('"'):
            self.texts[name] = value[1:-1]
        elif value in SPECIAL_VALUES:
            self.integers[name] = SPECIAL_VALUES[value]
        else:
            number = re.fullmatch(r"\(?(-?(?:0x[0-9a-f]+|\d+))\)?", value)
            if number is None:
                raise HeaderError(f"unknown kind of constant: {name} {value}")
            self.integers[name] = int(number[1], 0)

    # The declarations

    def _read_code(self, code: str) -> None:
        self._tokens = self._split(code)
        self._position = 0
        while self._position < len(self._tokens):
            if self._peek() in ("MTOKEN_BEGIN", "MTOKEN_END"):
                self._next()
            elif self._peek() == "typedef":
                self._typedef()
            elif self._peek() == "MTOKEN_API":
                self._function()
            else:
                raise HeaderError(f"unexpected declaration at {self._rest()}")

    @staticmethod
    def _split(code: str) -> List[str]:
        tokens, position = [], 0
        code = code.rstrip()
        while position < len(code):
            match = _TOKEN.match(code, position)
            if match is None:
                raise HeaderError(f"unreadable: {code[position : position + 60]!r}")
            tokens.append(match[1])
            position = match.end()
        return tokens

    def _rest(self) -> str:
        return " ".join(self._tokens[self._position : self._position + 12])

    def _peek(self) -> str:
        return self._tokens[self._position] if self._position < len(self._tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self._position += 1
        return token

    def _expect(self, token: str) -> None:
        if self._peek() != token:
            raise HeaderError(f"{token!r} expected at {self._rest()}")
        self._next()

    def _identifier(self) -> str:
        name = self._next()
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise HeaderError(f"name expected before {self._rest()}")
        return name

    def _typedef(self) -> None:
        self._expect("typedef")
        if self._peek() != "struct":
            target = self._type()
            name = self._identifier()
            self._expect(";")
            self.aliases[name] = target
            return
        self._next()
        tag = self._identifier()
        if self._peek() != "{":
            if self._identifier() != tag:
                raise HeaderError(f"struct {tag} is typedefed under another name")
            self._expect(";")
            self.opaque.append(tag)
            return
        self._next()
        members = []
        while self._peek() != "}":
            members.append(self._declarator())
            self._expect(";")
        self._next()
        if self._identifier() != tag:
            raise HeaderError(f"struct {tag} is typedefed under another name")
        self._expect(";")
        if tag in self.structs:
            raise HeaderError(f"struct {tag} is declared twice")
        self.structs[tag] = tuple(members)

    def _function(self) -> None:
        self._expect("MTOKEN_API")
        result = self._type()
        name = self._identifier()
        self._expect("(")
        parameters = self._parameters(named=True)
        self._expect(";")
        if name in self.functions:
            raise HeaderError(f"{name} is declared twice")
        self.functions[name] = Function(name, result, parameters)

    def _parameters(self, *, named: bool) -> Tuple[Named, ...]:
        parameters: List[Named] = []
        if self._peek() == "void" and self._tokens[self._position + 1] == ")":
            self._next()
        while self._peek() != ")":
            parameters.append(self._declarator())
            if self._peek() != ")":
                self._expect(",")
        self._next()
        if named and any(not parameter.name for parameter in parameters):
            raise HeaderError("a parameter has no name")
        return tuple(parameters)

    def _declarator(self) -> Named:
        kind = self._type()
        if self._peek() != "(":
            return Named(self._identifier(), kind)
        self._expect("(")
        self._expect("*")
        name = self._identifier()
        self._expect(")")
        self._expect("(")
        parameters = self._parameters(named=True)
        return Named(name, FunctionType(kind, tuple(str(parameter.type) for parameter in parameters)))

    def _type(self) -> str:
        """A type name with pointers, in one spelling: "const char *", "const mtoken_operation *const *"."""
        prefix = ""
        if self._peek() == "const":
            self._next()
            prefix = "const "
        name = self._identifier()
        known = name in SCALARS or name in self.aliases or name in self.structs or name in self.opaque
        if not known:
            raise HeaderError(f"unknown type {name} at {self._rest()}")
        text = prefix + name
        first = True
        while self._peek() == "*":
            self._next()
            text += " *" if first else "*"
            first = False
            if self._peek() == "const":
                self._next()
                text += "const "
        return text.rstrip()
