# SPDX-License-Identifier: Apache-2.0
"""mtoken.cdef.h: the declarations alone, for tools that read C without a preprocessor (cffi, PHP's FFI, LuaJIT)."""

from __future__ import annotations

from typing import List

from .model import Alias, Constant, CType, Enum, Field, Function, FunctionType, Handle, Header, Struct


def text(header: Header) -> str:
    lines = [
        f"/* libmtoken {header.version}: mtoken.h without directives, macros, attributes and comments. Generated. */",
    ]
    for item in header.items:
        if isinstance(item, Enum):
            lines += [f"enum {item.tag} {{", *(f"    {value.name} = {value.value}," for value in item.values), "};"]
            lines += [f"typedef int32_t {item.name};"]
        elif isinstance(item, Constant):
            # A constant of its own, as enum: the only form that all of them read. As a length, which has no sign, -1
            # is wrong in LuaJIT and refused by cffi; texts of these languages know their lengths.
            if item.name != "MTOKEN_NUL_TERMINATED" and isinstance(item.value, int) and -(2**31) <= item.value < 2**31:
                lines.append(f"enum {{ {item.name} = {item.value} }};")
        elif isinstance(item, Alias):
            lines.append(f"typedef {item.target} {item.name};")
        elif isinstance(item, Handle):
            lines.append(f"typedef struct {item.name} {item.name};")
        elif isinstance(item, Struct):
            lines += _struct(item)
        elif isinstance(item, Function):
            lines.append(f"{prototype(item)};")
    return "\n".join(lines) + "\n"


def declarator(kind: CType, name: str) -> str:
    text = str(kind)
    return f"{text}{name}" if text.endswith("*") else f"{text} {name}"


def prototype(function: Function) -> str:
    return f"{declarator(function.result, function.name)}({_parameters(function.parameters)})"


def _field(field: Field) -> str:
    if isinstance(field.type, FunctionType):
        return f"{declarator(field.type.result, '')}(*{field.name})({_parameters(field.type.parameters)})"
    return declarator(field.type, field.name)


def _parameters(parameters: tuple[Field, ...]) -> str:
    return ", ".join(_field(parameter) for parameter in parameters) or "void"


def _struct(struct: Struct) -> List[str]:
    return [
        f"typedef struct {struct.name} {{",
        *(f"    {_field(member)};" for member in struct.members),
        f"}} {struct.name};",
    ]
