# SPDX-License-Identifier: Apache-2.0
"""What a header declares, as plain values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Dict, Iterator, List, Tuple, Type, TypeVar, Union


class HeaderError(Exception):
    """The header holds something that the reader does not understand, or breaks one of its rules."""


@dataclass(frozen=True)
class CType:
    """A type name with its pointers: "const mtoken_operation *const *" is (mtoken_operation, const, 2 pointers)."""

    base: str
    const: bool = False
    stars: Tuple[bool, ...] = ()
    """One for each pointer, outermost last; true: the pointer itself is const."""

    @property
    def pointers(self) -> int:
        return len(self.stars)

    @property
    def is_out(self) -> bool:
        """Whether a function can write through it."""
        return (
            self.pointers > 0 and not (self.pointers == 1 and self.const) and not (self.stars[0] and self.pointers > 1)
        )

    def __str__(self) -> str:
        text = ("const " if self.const else "") + self.base
        for index, const in enumerate(self.stars):
            text += (" *" if index == 0 else "*") + ("const " if const else "")
        return text.rstrip()


@dataclass(frozen=True)
class FunctionType:
    """The type of a function pointer."""

    result: CType
    parameters: Tuple[Field, ...]

    def __str__(self) -> str:
        return f"{self.result} (*)({', '.join(str(parameter.type) for parameter in self.parameters)})"


AnyType = Union[CType, FunctionType]


@dataclass(frozen=True)
class Field:
    """A parameter of a function, or a member of a struct."""

    name: str
    type: AnyType
    nullable: bool = False
    secret: bool = False
    doc: Tuple[str, ...] = ()
    line: int = 0

    @property
    def plain(self) -> CType:
        """The type of a field that is not a function pointer."""
        if isinstance(self.type, FunctionType):
            raise HeaderError(f"{self.name} is a function")
        return self.type


@dataclass
class Item:
    """What every declaration has: the comment before it, and its place."""

    name: str
    doc: Tuple[str, ...]
    header: str
    line: int


@dataclass
class Function(Item):
    result: CType
    parameters: Tuple[Field, ...]
    nullable: bool = False
    checked: bool = False
    blocks: bool = False

    def __str__(self) -> str:
        parameters = ", ".join(f"{parameter.type} {parameter.name}" for parameter in self.parameters)
        return f"{self.result} {self.name}({parameters or 'void'})"


@dataclass
class Struct(Item):
    members: Tuple[Field, ...]

    def member(self, name: str) -> Field:
        return next(member for member in self.members if member.name == name)

    @property
    def kind(self) -> str:
        """option: the host makes it, it may grow; fixed: it never grows; result: the library makes it."""
        if self.members[0].name == "struct_size":
            return "option"
        return "fixed" if any("never grows" in line for line in self.doc) else "result"


@dataclass
class Value:
    """One constant of an enumeration."""

    name: str
    value: int
    doc: Tuple[str, ...] = ()


@dataclass
class Enum(Item):
    """A named enumeration; `name` is the typedef that members and parameters have, `tag` the name behind `enum`."""

    tag: str
    kind: str
    """open, closed or flags"""
    values: List[Value]

    @property
    def prefix(self) -> str:
        """What all names of the values begin with, up to an underscore."""
        names = [value.name for value in self.values]
        own = f"{self.name.upper()}_"
        if all(name.startswith(own) for name in names):
            return own
        first, last = min(names), max(names)
        common = next(
            (index for index, (a, b) in enumerate(zip(first, last)) if a != b), len(min(first, last, key=len))
        )
        prefix = first[: first.rfind("_", 0, common) + 1] if len(names) > 1 else "MTOKEN_"
        return re.sub(r"(\d+_)+$", "", prefix)  # MTOKEN_PROTOCOL_3_1, ..._3_2: the 3 belongs to the name


@dataclass
class Alias(Item):
    """A typedef of a scalar that is not an enumeration."""

    target: str


@dataclass
class Handle(Item):
    """A struct that is declared and never defined."""


@dataclass
class Constant(Item):
    """A macro that stands for a number or a text."""

    value: Union[int, str]
    comment: Tuple[str, ...]
    """The comment beside it; `doc` is that before the run of macros that it stands in."""
    type: str = "int32_t"


@dataclass
class Macro(Item):
    """A macro for C programs only: an initialiser, or one that makes a value."""


@dataclass
class Prose(Item):
    """A comment that belongs to no declaration."""


ItemType = TypeVar("ItemType", bound=Item)


@dataclass
class Page:
    """One header: "mtoken/task.h", the comment that it begins with, and its items in their order."""

    path: str
    doc: Tuple[str, ...]
    items: List[Item] = field(default_factory=list)
    includes: List[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1].removesuffix(".h")


@dataclass
class Header:
    """Everything that mtoken.h and the headers it includes declare. The order is that of declaration."""

    pages: List[Page]
    """The umbrella first, then its headers in the order in which it includes them, then the others."""
    items: List[Item]
    """In the order in which a compiler sees them."""

    def __post_init__(self) -> None:
        self.functions = self._all(Function)
        self.structs = self._all(Struct)
        self.enums = self._all(Enum)
        self.handles = self._all(Handle)
        self.aliases = self._all(Alias)
        self.constants = self._all(Constant)
        self.macros = self._all(Macro)

    def _all(self, kind: Type[ItemType]) -> Dict[str, ItemType]:
        found: Dict[str, ItemType] = {}
        for item in self.items:
            if isinstance(item, kind):
                if item.name in found:
                    raise HeaderError(f"{item.header}:{item.line}: {item.name} is declared twice")
                found[item.name] = item
        return found

    @property
    def integers(self) -> Dict[str, int]:
        """Every number that has a name, by its name."""
        found: Dict[str, int] = {}
        for item in self.items:
            if isinstance(item, Enum):
                for value in item.values:
                    if value.name in found:
                        raise HeaderError(f"{value.name} is declared twice")
                    found[value.name] = value.value
            elif isinstance(item, Constant) and isinstance(item.value, int):
                found[item.name] = item.value
        return found

    @property
    def texts(self) -> Dict[str, str]:
        return {name: constant.value for name, constant in self.constants.items() if isinstance(constant.value, str)}

    @property
    def initialisers(self) -> List[str]:
        return [name for name in self.macros if name.endswith("_INIT")]

    @property
    def version(self) -> str:
        return self.texts["MTOKEN_VERSION"]

    @property
    def abi_version(self) -> int:
        return self.integers["MTOKEN_ABI_VERSION"]

    @property
    def soname(self) -> str:
        return f"libmtoken.so.{self.abi_version}"

    def resolve(self, name: str) -> str:
        """The scalar behind a typedef."""
        if name in self.enums:
            return "int32_t"
        return self.resolve(self.aliases[name].target) if name in self.aliases else name

    def fields(self) -> Iterator[Tuple[Item, Field]]:
        """Each member and each parameter, with what it belongs to."""
        for item in self.items:
            if isinstance(item, Struct):
                yield from ((item, member) for member in item.members)
            elif isinstance(item, Function):
                yield from ((item, parameter) for parameter in item.parameters)
