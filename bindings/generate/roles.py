# SPDX-License-Identifier: Apache-2.0
"""What parameters, members and results are for: read from their types and names, and from the marks in the header.

The rules are in README.md. Where a rule does not fit, the header has a mark (MTOKEN_NULLABLE, MTOKEN_SECRET) or says it
in words that are looked for here: "lives as long as the …", "belongs to the host", "epoch".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, Optional, Sequence, Tuple

from . import docs
from .model import CType, Field, Function, FunctionType, Header, Struct


@dataclass
class Role:
    """What a value is for. What does not apply is None or false."""

    role: str
    pair: Optional[str] = None
    """The length or count that goes with it, or what a length or count belongs to."""
    owner: Optional[str] = None
    """Who gives it back: caller, or library."""
    lifetime: Optional[str] = None
    """How long it can be used: until_freed, call, static, host, or the object that it lives in."""
    free: Optional[str] = None
    values: Optional[str] = None
    """The enumeration or flags that it takes its value from."""
    is_bool: bool = False
    nullable: bool = False
    secret: bool = False
    unit: Optional[str] = None
    nul_terminated: bool = False


def unit(name: str, kind: CType, doc: str) -> Optional[str]:
    if kind.base not in ("int32_t", "int64_t", "uint32_t", "uint64_t"):
        return None
    for suffix, found in (("_ms", "ms"), ("_s", "s")):
        if name.endswith(suffix):
            return found
    if kind.base == "int64_t" and re.search(r"\bepoch\b|\btime\b", doc):
        return "epoch_ms"
    return None


def free_function(header: Header, kind: str) -> Optional[str]:
    name = f"{kind}_free"
    return name if name in header.functions else None


def is_pair(fields: Sequence[Field], index: int, suffix: str) -> bool:
    """Whether the field after `index` is its length."""
    name = f"{fields[index].name}{suffix}"
    return index + 1 < len(fields) and fields[index + 1].name == name and str(fields[index + 1].type) == "size_t"


def count_of(fields: Sequence[Field], index: int) -> Optional[str]:
    """The count that goes with the array `fields[index]`: "pin_count" or "count" with "pins"."""
    name = fields[index].name
    singulars = (name, name.removesuffix("s"), name.removesuffix("es"), name.removesuffix("ies") + "y")
    wanted = {"count", *(f"{singular}_count" for singular in singulars)}
    near = [field for field in fields[max(0, index - 1) : index + 2] if str(field.type) == "size_t"]
    near = near or [field for field in fields if str(field.type) == "size_t"]
    return next((field.name for field in near if field.name in wanted), None)


def array_of(fields: Sequence[Field], index: int) -> Optional[str]:
    """The array that the count `fields[index]` belongs to."""
    for other, field in enumerate(fields):
        if (
            isinstance(field.type, CType)
            and _may_be_array(field.type)
            and count_of(fields, other) == fields[index].name
        ):
            return field.name
    return None


def _may_be_array(kind: CType) -> bool:
    return kind.pointers > 0 and not (kind.pointers == 1 and kind.base in ("char", "void"))


def text_of(fields: Sequence[Field], index: int) -> Optional[str]:
    """The text or bytes that the length `fields[index]` belongs to."""
    name = fields[index].name
    if name == "length":
        return next((field.name for field in fields if str(field.type) in ("const char *", "const uint8_t *")), None)
    if not name.endswith("_length"):
        return None
    owner = name.removesuffix("_length")
    names = {field.name for field in fields}
    return next((found for found in (f"{owner}_bytes", owner) if found in names), None)


def _values(header: Header, base: str) -> Optional[str]:
    return base if base in header.enums else None


def value(header: Header, field: Field, doc: str) -> Role:
    kind = field.plain
    return Role(
        "value",
        values=_values(header, kind.base),
        is_bool=kind.base == "mtoken_bool",
        secret=field.secret,
        unit=unit(field.name, kind, doc),
        nullable=field.nullable,
    )


def parameters(header: Header, function: Function) -> Dict[str, Role]:
    """The role of each parameter, by its name."""
    said = docs.read(function.doc).items
    found: Dict[str, Role] = {}
    for index, field in enumerate(function.parameters):
        found[field.name] = _parameter(header, function, index, said.get(field.name, ""))
    return found


def _parameter(header: Header, function: Function, index: int, doc: str) -> Role:
    fields = function.parameters
    field, kind = fields[index], fields[index].plain
    text = str(kind)
    if text == "mtoken_error **":
        return Role("error", owner="caller", lifetime="until_freed", free="mtoken_error_free", nullable=True)
    if field.name.startswith("out_") and kind.pointers:
        return _out(header, function, field, kind)
    if kind.base in header.handles and kind.pointers == 1:
        return Role("handle", nullable=field.nullable or function.name == f"{kind.base}_free")
    if text in ("const char *", "const uint8_t *"):
        role = "text" if kind.base == "char" else "bytes"
        if is_pair(fields, index, "_length"):
            return Role(role, pair=fields[index + 1].name, nullable=True, secret=field.secret)
        if fields[index + 1 : index + 2] and fields[index + 1].name == "length":
            return Role(role, pair="length", nullable=True, secret=field.secret)
        return Role(role, nullable=field.nullable, secret=field.secret, nul_terminated=kind.base == "char")
    if text == "size_t":
        owner = text_of(fields, index)
        if owner:
            return Role("length", pair=owner)
        array = array_of(fields, index)
        if array:
            return Role("count", pair=array)
    if kind.pointers == 1 and kind.base in header.structs:
        struct = header.structs[kind.base]
        count = count_of(fields, index)
        if count:
            return Role("array", pair=count, nullable=True, secret=field.secret)
        if struct.kind == "option":
            return Role("options", nullable=field.nullable)
        freed = function.name == f"{kind.base}_free"
        return Role("struct", nullable=field.nullable or freed)
    if text == "void *":
        return Role("host_pointer", nullable=True, lifetime="host")
    if kind.pointers:
        return Role(
            "array" if count_of(fields, index) else "pointer", pair=count_of(fields, index), nullable=field.nullable
        )
    return value(header, field, doc)


def _out(header: Header, function: Function, field: Field, kind: CType) -> Role:
    if kind.pointers == 2 and kind.base in header.handles:
        return Role(
            "out_handle",
            owner="caller",
            lifetime="until_freed",
            free=free_function(header, kind.base),
            nullable=field.nullable,
        )
    if kind.pointers == 2 and kind.base in header.structs:
        if kind.const:
            return Role("out_struct", owner="library", lifetime=first_object(header, function), nullable=field.nullable)
        return Role(
            "out_struct",
            owner="caller",
            lifetime="until_freed",
            free=free_function(header, kind.base),
            nullable=field.nullable,
            secret=field.secret,
        )
    if kind.pointers == 1 and kind.base in header.structs:
        return Role("out_struct_filled", owner="caller", lifetime="host", nullable=field.nullable)
    if kind.pointers == 2:
        return Role(
            "out_text" if kind.base == "char" else "out_bytes",
            owner="library",
            lifetime=first_object(header, function),
            nullable=field.nullable,
        )
    values = _values(header, kind.base)
    return Role(
        "out_value",
        nullable=field.nullable,
        values=values,
        is_bool=kind.base == "mtoken_bool",
        unit=unit(field.name, CType(kind.base), docs.read(function.doc).items.get(field.name, "")),
    )


def first_object(header: Header, function: Function) -> Optional[str]:
    """The parameter whose object lends what a function gives out."""
    lent = re.search(r"[Ll]ives? as long as the (\w+)", " ".join(function.doc))
    names = [field.name for field in function.parameters]
    if lent and lent[1] in names:
        return lent[1]
    for field in function.parameters:
        kind = field.plain
        if kind.pointers == 1 and (kind.base in header.handles or kind.base in header.structs):
            return field.name
    return None


def result(header: Header, function: Function) -> Optional[Role]:
    """What a function returns; None: nothing."""
    kind = function.result
    text = " ".join(function.doc)
    if str(kind) == "void":
        return None
    if str(kind) == "mtoken_status":
        return Role("status", values="mtoken_status")
    if str(kind) == "void *":
        return Role("host_pointer", nullable=True, lifetime="host")
    if kind.base in header.handles:
        if re.search(r"belongs to the host|the host frees it", text):
            return Role(
                "handle",
                owner="caller",
                lifetime="until_freed",
                free=free_function(header, kind.base),
                nullable=function.nullable,
            )
        return Role("handle", owner="library", lifetime="call", nullable=function.nullable)
    if kind.pointers:
        role = "struct" if kind.base in header.structs else "text" if kind.base == "char" else "pointer"
        if not function.result.const and role == "struct":
            return Role(
                role,
                owner="caller",
                lifetime="until_freed",
                free=free_function(header, kind.base),
                nullable=function.nullable,
            )
        lender = first_object(header, function)
        return Role(
            role,
            owner="library",
            lifetime=lender or "static",
            nullable=function.nullable,
            nul_terminated=role == "text",
        )
    field = Field(function.name, kind)
    return value(header, field, text if "epoch" in text else "")


def members(header: Header, struct: Struct) -> Dict[str, Role]:
    """The role of each member, by its name."""
    return {field.name: _member(header, struct, index) for index, field in enumerate(struct.members)}


def _member(header: Header, struct: Struct, index: int) -> Role:
    fields = struct.members
    field = fields[index]
    given = struct.kind != "result"
    if isinstance(field.type, FunctionType):
        return Role("callback", nullable=field.nullable)
    kind = field.type
    text = str(kind)
    if field.name == "struct_size":
        return Role("struct_size")
    if field.name.startswith("reserved"):
        return Role("reserved")
    if kind.base in ("mtoken_text", "mtoken_bytes") and not kind.pointers:
        return Role(kind.base.removeprefix("mtoken_"), nullable=True, secret=field.secret)
    if text in ("const char *", "const uint8_t *"):
        role = "text" if kind.base == "char" else "bytes"
        pair = _length_of(fields, index)
        return Role(
            role,
            pair=pair,
            nullable=field.nullable or given,
            secret=field.secret,
            nul_terminated=kind.base == "char" and (not given or pair is None),
        )
    if text == "size_t":
        for role, owner in (("length", text_of(fields, index)), ("count", array_of(fields, index))):
            if owner:
                return Role(role, pair=owner)
        return Role("value")
    if text == "void *":
        return Role("host_pointer", nullable=True, lifetime="host")
    if kind.pointers:
        count = count_of(fields, index)
        if count and _may_be_array(kind):
            return Role("array", pair=count, nullable=True, secret=field.secret)
        if kind.base in header.handles:
            return Role("handle", nullable=field.nullable or given, owner="library", lifetime="call")
        if kind.base in header.structs:
            role = "options" if header.structs[kind.base].kind == "option" else "struct"
            return Role(role, nullable=field.nullable or given, secret=field.secret)
        return Role("pointer", nullable=field.nullable or given)
    if kind.base in header.structs:
        return Role("struct", secret=field.secret)
    return value(header, field, docs.one_line(field.doc))


def _length_of(fields: Sequence[Field], index: int) -> Optional[str]:
    name = fields[index].name
    lengths = {f"{name}_length"}
    if name == "data" or len([field for field in fields if isinstance(field.type, CType) and field.type.pointers]) == 1:
        lengths.add("length")
    return next((field.name for field in fields if field.name in lengths and str(field.type) == "size_t"), None)


def task_results(header: Header, function: Function) -> Tuple[str, ...]:
    """The functions that give what the task of a function came to."""
    said = docs.read(function.doc).said("Task result")
    if said.startswith("none"):
        return ()
    return tuple(dict.fromkeys(name for name in re.findall(r"\bmtoken_task_\w+", said) if name in header.functions))
