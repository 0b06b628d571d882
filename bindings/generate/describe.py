# SPDX-License-Identifier: Apache-2.0
"""mtoken.abi.json: the interface as data, so that no binding has to read C or prose. README.md tells the keys."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any, Dict, List, Optional, Sequence

from . import docs, errors, layout, roles
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
    Struct,
)

FORMAT = 1
_DEFAULT = re.compile(r"(?:(?:^|[;.(] )default:? |(?:^|[;.] )0: )((?:[^;.]|\.(?! |$))+)", re.IGNORECASE)


def text(header: Header) -> str:
    return json.dumps(description(header), indent=1, ensure_ascii=False) + "\n"


def description(header: Header) -> Dict[str, Any]:
    layouts = layout.layouts(header)
    common = errors.common(header)
    return {
        "format": FORMAT,
        "library": {
            "name": "mtoken",
            "version": header.version,
            "abi_version": header.abi_version,
            "soname": header.soname,
            "include": "mtoken.h",
            "symbol_version": "MTOKEN_1.0",
            "data_model": "LP64",
        },
        "headers": [_page(page.path, page.doc) for page in header.pages],
        "constants": [_constant(constant) for constant in header.constants.values()],
        "types": [_alias(header, alias) for alias in header.aliases.values()],
        "enums": [_enum(enum) for enum in header.enums.values()],
        "handles": [_handle(header, handle) for handle in header.handles.values()],
        "callbacks": _callbacks(header),
        "structs": [_struct(header, struct, layouts[struct.name]) for struct in header.structs.values()],
        "functions": [_function(header, function, common) for function in header.functions.values()],
    }


def _page(path: str, doc: Sequence[str]) -> Dict[str, Any]:
    read = docs.read(doc)
    return {"path": path, "summary": read.summary, "doc": read.text}


def _type(header: Header, kind: AnyType) -> Dict[str, Any]:
    if isinstance(kind, FunctionType):
        return {"c": str(kind), "kind": "callback"}
    base = kind.base
    what = (
        "handle" if base in header.handles
        else "struct" if base in header.structs
        else "enum" if base in header.enums
        else "alias" if base in header.aliases
        else "void" if base == "void"
        else "scalar"
    )  # fmt: skip
    found: Dict[str, Any] = {"c": str(kind), "kind": what, "name": base, "pointers": kind.pointers, "const": kind.const}
    scalar = header.resolve(base)
    if what in ("enum", "alias", "scalar"):
        found["scalar"] = scalar
    return found


def _role(role: roles.Role) -> Dict[str, Any]:
    found = {key: value for key, value in asdict(role).items() if value not in (None, False)}
    if "is_bool" in found:
        found["bool"] = found.pop("is_bool")
    return found


def _doc(lines: Sequence[str]) -> Dict[str, str]:
    read = docs.read(lines)
    return {"summary": read.summary, "doc": read.text}


def _constant(constant: Constant) -> Dict[str, Any]:
    doc = [*constant.doc, *constant.comment]
    return {
        "name": constant.name,
        "type": constant.type,
        "value": constant.value,
        "header": constant.header,
        **_doc(doc),
    }


def _alias(header: Header, alias: Alias) -> Dict[str, Any]:
    return {"name": alias.name, "scalar": header.resolve(alias.target), "header": alias.header, **_doc(alias.doc)}


def _enum(enum: Enum) -> Dict[str, Any]:
    return {
        "name": enum.name,
        "tag": enum.tag,
        "scalar": "int32_t",
        "kind": enum.kind,
        "header": enum.header,
        "since": layout.since(enum.doc),
        **_doc(enum.doc),
        "prefix": enum.prefix,
        "values": [
            {
                "name": value.name,
                "short": value.name.removeprefix(enum.prefix),
                "value": value.value,
                "since": layout.since(value.doc, layout.since(enum.doc)),
                "doc": docs.one_line(value.doc),
            }
            for value in enum.values
        ],
    }


def _handle(header: Header, handle: Handle) -> Dict[str, Any]:
    made = [
        function.name
        for function in header.functions.values()
        for parameter in function.parameters
        if parameter.name.startswith("out_") and parameter.plain == CType(handle.name, False, (False, False))
    ]
    return {
        "name": handle.name,
        "header": handle.header,
        **_doc(handle.doc),
        "free": roles.free_function(header, handle.name),
        "made_by": made,
    }


def _callbacks(header: Header) -> List[Dict[str, Any]]:
    found = []
    for struct in header.structs.values():
        for member in struct.members:
            if isinstance(member.type, FunctionType):
                found.append(
                    {
                        "struct": struct.name,
                        "member": member.name,
                        "doc": docs.one_line(member.doc),
                        "result": _type(header, member.type.result),
                        "parameters": [
                            _callback_parameter(header, member.type, index)
                            for index in range(len(member.type.parameters))
                        ],
                    }
                )
    return found


def _callback_parameter(header: Header, kind: FunctionType, index: int) -> Dict[str, Any]:
    stand_in = Function("", (), "", 0, kind.result, kind.parameters)
    field = kind.parameters[index]
    role = roles.parameters(header, stand_in)[field.name]
    return {"name": field.name, "type": _type(header, field.type), **_role(role)}


def _struct(header: Header, struct: Struct, placed: layout.Layout) -> Dict[str, Any]:
    found = roles.members(header, struct)
    return {
        "name": struct.name,
        "kind": struct.kind,
        "header": struct.header,
        "since": layout.since(struct.doc),
        **_doc(struct.doc),
        "size": placed.size,
        "alignment": placed.alignment,
        "free": roles.free_function(header, struct.name),
        "initialiser": next((name for name in header.initialisers if name == f"{struct.name.upper()}_INIT"), None),
        "members": [_member(header, struct, member, placed, found[member.name]) for member in struct.members],
        "holes": [{"offset": offset, "size": size, "after": after} for offset, size, after in placed.holes],
    }


def _member(header: Header, struct: Struct, member: Field, placed: layout.Layout, role: roles.Role) -> Dict[str, Any]:
    offset, size = placed.members[member.name]
    doc = docs.one_line(member.doc)
    found = {
        "name": member.name,
        "type": _type(header, member.type),
        "offset": offset,
        "size": size,
        "since": layout.since(member.doc, layout.since(struct.doc)),
        **_role(role),
        "doc": doc,
    }
    if struct.kind == "option":
        default = _DEFAULT.search(doc)
        found["default"] = default[1].strip() if default else None
        found["required"] = bool(re.search(r"\b[Rr]equired\b(?! with)", doc))
    return found


def _errors(found: errors.Errors) -> Dict[str, Any]:
    return {"at_once": found.at_once, "of_task": found.of_task, "doc": found.text}


def _object(header: Header, function: Function) -> Optional[str]:
    if not function.parameters or isinstance(function.parameters[0].type, FunctionType):
        return None
    kind = function.parameters[0].plain
    return kind.base if kind.pointers == 1 and kind.base in header.handles else None


def _function(header: Header, function: Function, common: errors.Common) -> Dict[str, Any]:
    doc = docs.read(function.doc)
    found = roles.parameters(header, function)
    result = roles.result(header, function)
    starts_task = any(str(parameter.type) == "mtoken_task **" for parameter in function.parameters)
    calls = doc.said("Calls")
    if starts_task and not calls:
        page = next(page for page in header.pages if page.path == function.header)
        calls = docs.read(page.doc).said("Calls")
    getters = roles.task_results(header, function) if starts_task else ()
    return {
        "name": function.name,
        "header": function.header,
        "since": layout.since(function.doc),
        "summary": doc.summary,
        "doc": doc.text,
        "object": _object(header, function),
        "blocks": function.blocks,
        "checked": function.checked,
        "pure": bool(re.search(r"(?:^|[.)] )Pure\.", doc.flat)),
        "calls": calls or None,
        "result": {"type": _type(header, function.result), **(_role(result) if result else {"role": "nothing"})},
        "parameters": [
            {
                "name": parameter.name,
                "type": _type(header, parameter.type),
                **_role(found[parameter.name]),
                "doc": doc.items.get(parameter.name, ""),
            }
            for parameter in function.parameters
        ],
        "task": {
            "results": [{"function": name, "type": _type(header, header.functions[name].result)} for name in getters]
        }
        if starts_task
        else None,
        "errors": _errors(errors.of(header, function, common)),
    }
