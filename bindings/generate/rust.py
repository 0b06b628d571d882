# SPDX-License-Identifier: Apache-2.0
"""bindings/rust: the declarations of mtoken-sys; values, readable structs, options and calls of mtoken; manifests."""

from __future__ import annotations

import functools
import re
from typing import Callable, Dict, List, Optional, Tuple

from . import plan, words
from .facts import FACTS
from .model import AnyType, Constant, CType, Enum, FunctionType, Handle, Header, Struct
from .plan import Call, Item, pascal, short

_MADE = "// Made by bindings/generate from mtoken.h. Do not edit."
SCALARS = {
    "int32_t": "i32",
    "uint32_t": "u32",
    "int64_t": "i64",
    "uint64_t": "u64",
    "size_t": "usize",
    "double": "f64",
    "uint8_t": "u8",
    "char": "c_char",
    "void": "c_void",
}
_WORDS = {"type": "kind", "move": "r#move", "ref": "r#ref", "use": "r#use"}


class _Form(words.Form):
    def escape(self, text: str) -> str:
        text = re.sub(r'"?\b(\w+://[^\s",;]*)"?', r"`\1`", text)  # an example of an address is none to follow
        return re.sub(r"(`[^`]*`)|([\[\]<>])", lambda found: found[1] or f"\\{found[2]}", text)


FORM = _Form()


def said_of(header: Header) -> words.Words:
    language = words.Language(
        type_of=type_name,
        enum_of=pascal_enum,
        value_of=lambda enum, value: f"{pascal_enum(enum)}::{plan.member_name(enum, value)}",
        call_of=lambda call: (f"{type_name(call.owner)}::" if call.owner else "") + method_name(call),
        member=_word,
        argument=_word,
        nothing={"": "None", **dict.fromkeys(("array", "texts", "given array"), "an empty slice")},
        by_hand={
            "mtoken_error_is_operation_over": "Error::is_operation_over",
            "mtoken_task_cancel": "Task::cancel",
            "mtoken_task_wait": "Task::wait",
            "mtoken_store_host_new": "Store::host",
        },
        dot="::",
    )
    return words.Words(header, language)


# mtoken-sys


def raw_type(kind: AnyType) -> str:
    if isinstance(kind, FunctionType):
        given = ", ".join(raw_type(field.type) for field in kind.parameters)
        return f'Option<unsafe extern "C" fn({given}){_gives(kind.result)}>'
    name = SCALARS.get(kind.base, kind.base)
    consts = [kind.const, *kind.stars[:-1]]
    for const in consts[: kind.pointers]:
        name = f"*{'const' if const else 'mut'} {name}"
    return name


def _gives(kind: CType) -> str:
    return "" if str(kind) == "void" else f" -> {raw_type(kind)}"


def declarations(header: Header) -> str:
    lines = [_MADE, "", "use core::ffi::c_void;", "use std::os::raw::c_char;", ""]
    for item in header.items:
        if isinstance(item, Constant) and item.name != "MTOKEN_NUL_TERMINATED":
            value = f'"{item.value}"' if isinstance(item.value, str) else str(item.value)
            kind = "&str" if isinstance(item.value, str) else "i64" if abs(int(item.value)) >= 2**31 else "i32"
            lines.append(f"pub const {item.name}: {kind} = {value};")
        elif isinstance(item, Enum):
            lines.append(f"pub type {item.name} = i32;")
            lines += [f"pub const {value.name}: {item.name} = {value.value};" for value in item.values]
        elif isinstance(item, Handle):
            lines += ["#[repr(C)]", f"pub struct {item.name} {{", "    _opaque: [u8; 0],", "}"]
        elif isinstance(item, Struct):
            lines += _struct(item)
    lines += [f"pub type {alias.name} = {SCALARS[header.resolve(alias.target)]};" for alias in header.aliases.values()]
    lines += ["", 'extern "C" {']
    for function in header.functions.values():
        given = ", ".join(f"{_word(field.name)}: {raw_type(field.type)}" for field in function.parameters)
        lines.append(f"    pub fn {function.name}({given}){_gives(function.result)};")
    return "\n".join([*lines, "}"]) + "\n"


def _word(name: str) -> str:
    return _WORDS.get(name, name)


def _struct(struct: Struct) -> List[str]:
    lines = ["#[repr(C)]", "#[derive(Clone, Copy)]", f"pub struct {struct.name} {{"]
    lines += [f"    pub {_word(member.name)}: {raw_type(member.type)}," for member in struct.members]
    lines.append("}")
    if struct.kind == "option":
        lines += [
            f"impl Default for {struct.name} {{",
            "    fn default() -> Self {",
            "        let mut made: Self = unsafe { core::mem::zeroed() };",
            "        made.struct_size = core::mem::size_of::<Self>();",
            "        made",
            "    }",
            "}",
        ]
    return lines


def layout(header: Header) -> str:
    lines = [_MADE, "", "macro_rules! structs {", "    ($layout:ident) => {"]
    for struct in header.structs.values():
        members = ", ".join(_word(member.name) for member in struct.members)
        lines.append(f"        $layout!({struct.name} {{ {members} }});")
    return "\n".join([*lines, "    };", "}"]) + "\n"


# Values


_VALUES = """
macro_rules! values {
    ($(#[$about:meta])* $name:ident { $($(#[$of:meta])* $value:ident = $number:expr,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i32);
        impl $name {
            $($(#[$of])* pub const $value: $name = $name($number);)*
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $(if self.0 == $number {
                    return formatter.write_str(concat!(stringify!($name), "::", stringify!($value)));
                })*
                write!(formatter, concat!(stringify!($name), "({})"), self.0)
            }
        }
        impl From<$name> for i32 {
            fn from(value: $name) -> i32 {
                value.0
            }
        }
    };
}

macro_rules! flags {
    ($(#[$about:meta])* $name:ident { $($(#[$of:meta])* $value:ident = $number:expr,)* }) => {
        values! { $(#[$about])* $name { $($(#[$of])* $value = $number,)* } }
        impl $name {
            /// Whether all of these are among them.
            #[must_use]
            pub fn contains(self, flags: $name) -> bool {
                self.0 & flags.0 == flags.0
            }
        }
        impl std::ops::BitOr for $name {
            type Output = $name;
            fn bitor(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }
        }
    };
}
"""


def values(header: Header) -> str:
    said = said_of(header)
    lines = [_MADE, *_VALUES.splitlines(), ""]
    for enum in header.enums.values():
        macro = "flags" if enum.kind == "flags" else "values"
        lines += [f"{macro}! {{", *FORM.of(said.of(enum.doc), "    "), f"    {pascal_enum(enum)} {{"]
        for member, value in plan.enum_members(enum):
            lines += [*FORM.of(said.value(enum, value), "        "), f"        {member} = {value.value},"]
        lines += ["    }", "}", ""]
    codes = header.enums["mtoken_status"]
    lines += [
        "/// What kind of failure an error is.",
        "#[derive(Clone, Copy, Debug, PartialEq, Eq)]",
        "#[non_exhaustive]",
    ]
    lines += ["pub enum ErrorKind {"]
    kinds = [(pascal(member), member, value) for member, value in plan.enum_members(codes) if value.value]
    for name, _, value in kinds:
        lines += [*FORM.of(said.value(codes, value), "    "), f"    {name},"]
    lines += ["    /// One that this version does not know.", "    Unknown,", "}", ""]
    lines += ["impl From<ErrorCode> for ErrorKind {", "    fn from(code: ErrorCode) -> Self {", "        match code {"]
    lines += [f"            ErrorCode::{member} => ErrorKind::{name}," for name, member, _ in kinds]
    return "\n".join([*lines, "            _ => ErrorKind::Unknown,", "        }", "    }", "}"]) + "\n"


def pascal_enum(enum: Enum) -> str:
    name = plan.class_name(enum)
    special = {"TLSFault": "TlsFault", "TLS": "Tls", "PACForm": "PacForm", "TOTPAlgorithm": "TotpAlgorithm"}
    return special.get(name, name.replace("JSON", "Json").replace("PIN", "Pin"))


def rust_type(header: Header, item: Item) -> str:
    if item.is_bool:
        return "bool"
    if item.enum:
        return pascal_enum(header.enums[item.enum])
    return SCALARS[item.scalar]


def _from_raw(header: Header, item: Item, value: str) -> str:
    if item.is_bool:
        return f"{value} != 0"
    if item.enum:
        return f"{pascal_enum(header.enums[item.enum])}({value})"
    return value


def _to_raw(item: Item, value: str) -> str:
    if item.is_bool:
        return f"{value} as i32"
    return f"{value}.0" if item.enum else value


def type_name(name: str) -> str:
    return pascal(short(name))


# Structs to read


def views(header: Header) -> str:
    lines = [
        _MADE,
        "",
        "use crate::life::*;",
        "use crate::values::*;",
        "use crate::Error;",
        "use mtoken_sys as sys;",
        "",
    ]
    said = said_of(header)
    for struct in header.structs.values():
        if struct.name in plan.COPIED:
            lines += _copied(header, struct, said)
    for struct in plan.views(header):
        free = plan.free_name(header, struct.name)
        lines += [
            *FORM.of(said.of(struct.doc)),
            "#[repr(transparent)]",
            f"pub struct {type_name(struct.name)}(pub(crate) sys::{struct.name});",
        ]
        freeing = f"sys::{free}(object as *mut sys::{struct.name});" if free else "let _ = object;"
        lines += [f"unsafe impl {kind} for {type_name(struct.name)} {{}}" for kind in ("Send", "Sync")]
        lines += [f"unsafe impl View for {type_name(struct.name)} {{", f"    type Raw = sys::{struct.name};"]
        lines += [f"    unsafe fn free(object: *mut Self) {{ {freeing} }}", "}"]
        lines.append(f"impl {type_name(struct.name)} {{")
        for item in plan.members(header, struct):
            if item.kind != "object":
                kind, value = _read(header, item)
                lines += [*FORM.of(said.member(struct, item), "    "), "    #[must_use]"]
                lines.append(f"    pub fn {_word(item.name)}(&self) -> {kind} {{ {value} }}")
        lines += ["}", *_shown(header, struct), ""]
    return "\n".join(lines)


def _shown(header: Header, struct: Struct) -> List[str]:
    name, told = type_name(struct.name), plan.shown(header, struct)
    fields = "".join(f'.field("{item.name}", &self.{_word(item.name)}())' for item in told)
    finish = "finish_non_exhaustive" if len(told) < len(plan.members(header, struct)) else "finish"
    return [
        f"impl std::fmt::Debug for {name} {{",
        "    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {",
        f'        formatter.debug_struct("{name}"){fields}.{finish}()',
        "    }",
        "}",
    ]


def _copied(header: Header, struct: Struct, said: words.Words) -> List[str]:
    items = plan.members(header, struct)
    name = f"{type_name(struct.name)}Details"
    lines = ["/// What an error tells.", "#[derive(Clone, Debug, Default, PartialEq, Eq)]", "#[non_exhaustive]"]
    lines.append(f"pub struct {name} {{")
    for item in items:
        kind = ("Option<String>" if item.nullable else "String") if item.kind == "text" else rust_type(header, item)
        lines += [*FORM.of(said.member(struct, item), "    "), f"    pub {_word(item.name)}: {kind},"]
    lines += [
        "}",
        f"impl {name} {{",
        f"    pub(crate) unsafe fn read(error: &sys::{struct.name}) -> Self {{",
        "        Self {",
    ]
    for item in items:
        place = f"error.{item.name}"
        if item.kind == "text":
            value = f"optional({place}).map(String::from)" if item.nullable else f"text({place}).to_owned()"
        else:
            value = _from_raw(header, item, place)
        lines.append(f"            {_word(item.name)}: {value},")
    return [*lines, "        }", "    }", "}", ""]


def _read(header: Header, item: Item) -> Tuple[str, str]:
    place, pair = f"self.0.{item.name}", f"self.0.{item.pair}"
    if item.kind == "text":
        kind, reader = ("Option<&str>", "optional") if item.nullable else ("&str", "text")
        return kind, f"unsafe {{ {reader}_n({place}, {pair}) }}" if item.pair else f"unsafe {{ {reader}({place}) }}"
    if item.kind == "bytes":
        return "&[u8]", f"unsafe {{ slice({place}, {pair if item.pair else item.size}) }}"
    if item.kind == "texts":
        return "Vec<&str>", f"unsafe {{ texts({place}, {pair}) }}"
    inner = type_name(item.type)
    if item.kind == "array":
        return f"&[&{inner}]", f"unsafe {{ slice({place} as *const &{inner}, {pair}) }}"
    if item.kind == "view" and item.type in plan.COPIED:
        return "Option<Error>", f"unsafe {{ {place}.as_ref().map(|error| Error::read(error)) }}"
    if item.kind == "view":
        if item.nullable:
            return f"Option<&{inner}>", f"unsafe {{ ({place} as *const {inner}).as_ref() }}"
        return f"&{inner}", f"unsafe {{ &*({place} as *const {inner}) }}"
    return rust_type(header, item), _from_raw(header, item, place)


# Structs to fill


def has_lifetime(header: Header, struct: Struct) -> bool:
    return any(item.kind != "value" for item in plan.members(header, struct))


def option_name(header: Header, name: str, lifetime: str = "'_") -> str:
    kind = "Watch" if name == "mtoken_watched" else type_name(name)
    return f"{kind}<{lifetime}>" if has_lifetime(header, header.structs[name]) else kind


def _option_type(header: Header, item: Item) -> str:
    if item.kind == "text":
        return "Option<&'a str>"
    if item.kind == "bytes":
        return "Option<&'a [u8]>"
    if item.kind == "array":
        element = "&'a str" if item.type == "mtoken_text" else option_name(header, item.type, "'a")
        return f"&'a [{element}]"
    if item.kind == "options":
        return f"Option<&'a {option_name(header, item.type, chr(39) + 'a')}>"
    if item.kind in ("view", "object"):
        return f"Option<&'a {type_name(item.type)}>"
    return rust_type(header, item)


def options(header: Header) -> str:
    lines = [_MADE, "", "use crate::calls::*;", "use crate::life::*;", "use crate::values::*;", "use crate::views::*;"]
    lines += ["use mtoken_sys as sys;", ""]
    said = said_of(header)
    for struct in plan.options(header):
        if struct.name == "mtoken_watched":
            continue
        name = option_name(header, struct.name, "'a")
        lines += [*FORM.of(said.of(struct.doc)), "#[derive(Clone, Copy, Default)]", f"pub struct {name} {{"]
        items = plan.members(header, struct)
        for item in items:
            lines += [*FORM.of(said.member(struct, item), "    ")]
            lines.append(f"    pub {_word(item.name)}: {_option_type(header, item)},")
        lines += ["}", f"impl Given for {option_name(header, struct.name)} {{", f"    type Raw = sys::{struct.name};"]
        needs_hold = any(item.kind in ("array", "options") for item in items)
        lines.append(f"    fn raw(&self, {'hold' if needs_hold else '_'}: &mut Hold) -> Self::Raw {{")
        start = "Default::default()" if struct.kind == "option" else "unsafe { std::mem::zeroed() }"
        lines.append(f"        let mut raw: Self::Raw = {start};")
        for item in items:
            lines.append(f"        {_fill(item)}")
        lines += ["        raw", "    }", "}", ""]
    return "\n".join(lines)


def _fill(item: Item) -> str:
    field = f"self.{_word(item.name)}"
    if item.kind in ("text", "bytes"):
        return f"raw.{item.name} = raw_{item.kind}({field});"
    if item.kind == "array":
        reader = "texts" if item.type == "mtoken_text" else "array"
        return f"(raw.{item.name}, raw.{item.pair}) = hold.{reader}({field});"
    if item.kind == "options":
        return f"raw.{item.name} = hold.option({field});"
    if item.kind == "object":
        return f"raw.{item.name} = {field}.map_or(std::ptr::null_mut(), |object| object.as_ptr());"
    if item.kind == "view":
        return f"raw.{item.name} = {field}.map_or(std::ptr::null(), |view| &view.0);"
    return f"raw.{item.name} = {_to_raw(item, field)};"


# Calls


def calls(header: Header) -> str:
    lines = [
        _MADE,
        "",
        "use crate::life::*;",
        "use crate::options::*;",
        "use crate::values::*;",
        "use crate::views::*;",
    ]
    lines += ["use crate::{Owned, Result, Runtime, Task, Watch};", "use mtoken_sys as sys;", ""]
    said = said_of(header)
    classes: Dict[str, List[Call]] = {name: [] for name in header.handles}
    classes[""] = []
    for call in plan.calls(header):
        classes[call.owner].append(call)
    for name, found in classes.items():
        if name and not plan.free_name(header, name):
            continue
        if name not in ("", "mtoken_runtime", "mtoken_task"):
            lines += [
                "object! {",
                *FORM.of(said.of(header.handles[name].doc), "    "),
                f"    {type_name(name)}, {name}, {plan.free_name(header, name)}",
                "}",
            ]
        if name:
            lines.append("impl<T> Task<T> {" if name == "mtoken_task" else f"impl {type_name(name)} {{")
        for call in found:
            lines += _call(header, call, said, "    " if name else "")
        if name:
            lines += ["}", ""]
    lines.append("")
    for call in plan.calls(header):
        if call.owner == "mtoken_task" and call.result is not None and call.result.kind == "view":
            lines.append(f"outcome!({type_name(call.result.type)}, {call.c_name});")
    return "\n".join(lines) + "\n"


def method_name(call: Call) -> str:
    if call.is_maker:
        return "new" if call.name in ("new", "prepare") else call.name
    return _word(call.name)


def parameter(header: Header, item: Item) -> str:
    if item.kind in ("text", "bytes"):
        kind = "&str" if item.kind == "text" else "&[u8]"
        return f"Option<{kind}>" if item.nullable else kind
    if item.kind == "options":
        kind = f"&{option_name(header, item.type)}"
        return f"Option<{kind}>" if item.nullable else kind
    if item.kind == "array":
        return f"&[{option_name(header, item.type)}]"
    if item.kind == "object":
        return f"&{type_name(item.type)}"
    if item.kind == "view":
        return f"&{type_name(item.type)}"
    return rust_type(header, item)


def outcome_type(header: Header, call: Call) -> str:
    if call.c_name in plan.KEEPS_TASK:
        return "Task<()>"
    if not call.getters:
        return "()"
    result = getters(header)[call.getters[0]].result
    assert result is not None
    if result.kind == "view":
        return f"Owned<{type_name(result.type)}>"
    return {"bytes": "Vec<u8>", "value": "i64"}[result.kind]


def getters(header: Header) -> Dict[str, Call]:
    return {call.c_name: call for call in plan.calls(header) if call.owner == "mtoken_task"}


def out_type(header: Header, call: Call, item: Item) -> str:
    if item.kind == "task":
        return f"Task<{outcome_type(header, call)}>"
    if item.kind == "text":
        return "String"
    if item.kind == "bytes":
        return "Vec<u8>"
    if item.kind == "value":
        return rust_type(header, item)
    if item.kind == "object":
        return type_name(item.type)
    kind = f"&{type_name(item.type)}" if item.lender else f"Owned<{type_name(item.type)}>"
    return f"Option<{kind}>" if item.nullable else kind


def _call(header: Header, call: Call, said: words.Words, indent: str) -> List[str]:
    inputs = list(call.inputs)
    receiver: Optional[Item] = None
    if call.owner and not call.is_maker:
        receiver = inputs.pop(0)
    generic, lender = _lifetimes(call)
    given = ["&self"] if receiver else []
    for item in inputs:
        kind = parameter(header, item)
        given.append(
            f"{_word(item.name)}: {kind.replace('&', lender, 1) if lender and item.name == _lender(call) else kind}"
        )
    types = [out_type(header, call, item) for item in call.outs]
    if call.is_maker:
        types = ["Self"]
    gives = types[0] if len(types) == 1 else f"({', '.join(types)})"
    if call.result is not None:
        gives = _result_type(header, call, lender)
    if call.has_status:
        gives = f"Result<{gives}>"
    told = said.call(call)
    blocks = told.whole("# Errors")
    if call.has_status and not told.errors:
        # Several functions share a comment.
        blocks += [words.Block("text", ["# Errors"]), words.Block("text", ["As said above."])]
    lines = FORM.of(blocks, indent)
    lines += [f"{indent}#[must_use]"] if not call.has_status and gives != "()" else []
    tail = "" if gives == "()" else f" -> {gives}"
    lines.append(f"{indent}pub fn {method_name(call)}{generic}({', '.join(given)}){tail} {{")
    body = _body(header, call, receiver)
    return [*lines, *(f"{indent}    {line}" for line in body), f"{indent}}}"]


def _lender(call: Call) -> str:
    return call.result.lender if call.result is not None and not call.owner else ""


def _lifetimes(call: Call) -> Tuple[str, str]:
    lender = _lender(call)
    return ("<'a>", "&'a ") if any(item.name == lender for item in call.inputs) else ("", "")


def _result_type(header: Header, call: Call, lender: str) -> str:
    item = call.result
    assert item is not None
    if item.kind == "value":
        return rust_type(header, item)
    kind = {"text": "&'static str", "bytes": "&[u8]"}.get(item.kind, f"{lender or '&'}{type_name(item.type)}")
    return f"Option<{kind}>" if item.nullable else kind


def _body(header: Header, call: Call, receiver: Optional[Item]) -> List[str]:
    before: List[str] = []
    passed: Dict[str, str] = {"out_error": "&mut error"}
    needs_hold = any(item.kind in ("options", "array") for item in call.inputs)
    if needs_hold:
        before.append("let mut hold = Hold::new();")
    for item in call.inputs:
        name = "self" if item is receiver else _word(item.name)
        _pass(item, name, before, passed)
    for item in call.outs:
        start = "Default::default()" if item.kind == "value" else "std::ptr::null_mut()"
        start = "std::ptr::null()" if item.lender else start
        before.append(f"let mut {item.name} = {start};")
        passed[item.name] = f"&mut {item.name}"
    arguments = ", ".join(passed.get(field.name, field.name) for field in call.function.parameters)
    bare = f"sys::{call.c_name}({arguments})"
    invoked = f"unsafe {{ {bare} }}"
    if not call.has_status:
        assert call.result is not None
        return [*before, _returned(header, call.result, invoked if call.result.kind == "value" else bare)]
    if not call.owner or call.is_maker:
        before.insert(0, "suitable()?;")
    if call.has_error:
        before.append("let mut error = std::ptr::null_mut();")
    before += [f"let status = {invoked};", f"check(status, {'error' if call.has_error else 'std::ptr::null_mut()'})?;"]
    found = [_given(header, call, item, receiver) for item in call.outs]
    return [*before, f"Ok({found[0] if len(found) == 1 else '(' + ', '.join(found) + ')'})"]


def _pass(item: Item, name: str, before: List[str], passed: Dict[str, str]) -> None:
    if item.kind == "object":
        passed[item.name] = f"{name}.as_ptr()"
    elif item.kind in ("text", "bytes"):
        given = name if item.nullable else f"Some({name})"
        before.append(f"let given_{item.name} = raw_{item.kind}({given});")
        passed[item.name] = f"given_{item.name}.data"
        passed[item.pair] = f"given_{item.name}.length"
    elif item.kind == "options":
        given = f"{name}" if item.nullable else f"Some({name})"
        before.append(f"let raw_{item.name} = {given}.map(|given| given.raw(&mut hold));")
        passed[item.name] = f"pointer(raw_{item.name}.as_ref())"
    elif item.kind == "array":
        before.append(f"let (array, count) = hold.array({name});")
        passed[item.name], passed[item.pair] = "array", "count"
    elif item.kind == "view":
        passed[item.name] = f"&{name}.0"
    else:
        passed[item.name] = _to_raw(item, name)


def _shared(call: Call, receiver: Optional[Item]) -> str:
    keeper = next((item for item in call.inputs if item.kind == "object" and item.type != "mtoken_store"), None)
    if keeper is None:
        return "None"
    return "self.shared()" if keeper is receiver else f"{_word(keeper.name)}.shared()"


def _given(header: Header, call: Call, item: Item, receiver: Optional[Item]) -> str:
    name = item.name
    if item.kind == "task":
        return f"unsafe {{ Task::made({name}, {_shared(call, receiver)}) }}"
    if item.kind == "object":
        if item.type == "mtoken_runtime":
            return f"unsafe {{ Runtime::made({name}) }}"
        return f"unsafe {{ {type_name(item.type)}::made({name}, {_shared(call, receiver)}) }}"
    if item.kind == "value":
        return _from_raw(header, item, name)
    if item.kind in ("text", "bytes"):
        return f"unsafe {{ take_{item.kind}({name}) }}"
    kind = type_name(item.type)
    if item.lender:
        return f"unsafe {{ &*({name} as *const {kind}) }}"
    return f"unsafe {{ Owned::{'maybe' if item.nullable else 'made'}({name} as *mut {kind}) }}"


def _returned(header: Header, item: Item, invoked: str) -> str:
    if item.kind == "value":
        return _from_raw(header, item, f"({invoked})" if item.is_bool else invoked)
    if item.kind == "text":
        return f"unsafe {{ {'optional' if item.nullable else 'text'}({invoked}) }}"
    if item.kind == "bytes":
        return f"unsafe {{ {invoked}.as_ref().map(|bytes| slice(bytes.data, bytes.length)) }}"
    return f"unsafe {{ ({invoked} as *const {type_name(item.type)}).as_ref() }}"


# For the player of the conformance documents


def dispatch(header: Header) -> str:
    lines = [_MADE, "", "use super::*;", "use mtoken::*;", "use std::result::Result;", "", "pub enum Thing {"]
    classes = [name for name in header.handles if plan.free_name(header, name)]
    for name in classes:
        kind = "AnyTask" if name == "mtoken_task" else type_name(name)
        lines.append(f"    {type_name(name)}({kind}),")
    lines += ["}", "", 'const NO_TASK: &str = "no task";', "", "impl Thing {"]
    for name in classes:
        if name != "mtoken_task":
            kind = type_name(name)
            lines.append(f"    pub fn {short(name)}(&self) -> Result<&{kind}, String> {{")
            lines += [
                f'        if let Thing::{kind}(found) = self {{ Ok(found) }} else {{ Err("no {kind}".into()) }}',
                "    }",
            ]
    lines += ["}", ""]
    for enum in header.enums.values():
        lines += [
            f"impl From<mtoken::{pascal_enum(enum)}> for Value {{",
            f"    fn from(value: mtoken::{pascal_enum(enum)}) -> Value {{",
        ]
        lines += ["        Value::Number(value.0.into())", "    }", "}"]
    lines += _any_task(header)
    lines += _dispatch_calls(header)
    lines += _dispatch_members(header)
    lines += _dispatch_options(header)
    lines += ["pub fn constant(name: &str) -> Option<i64> {", "    Some(match name {"]
    for name, value in header.integers.items():
        if value < 2**63:
            lines.append(f'        "{name}" => {value},')
    return "\n".join([*lines, "        _ => return None,", "    })", "}"]) + "\n"


def _outcomes(header: Header) -> List[str]:
    found = {outcome_type(header, call) for call in plan.calls(header) if call.starts_task}
    return sorted(found)


def _variant(kind: str) -> str:
    return "Of" + "".join(part for part in kind.title() if part.isalnum()) if kind != "()" else "Nothing"


def _any_task(header: Header) -> List[str]:
    lines = ["pub enum AnyTask {"]
    kinds = _outcomes(header)
    lines += [f"    {_variant(kind)}(Task<{kind}>)," for kind in kinds]
    lines += [
        "}",
        "",
        "macro_rules! any {",
        "    ($task:expr, $name:ident => $what:expr) => {",
        "        match $task {",
    ]
    lines += [f"            crate::dispatch::AnyTask::{_variant(kind)}($name) => $what," for kind in kinds]
    return [*lines, "        }", "    };", "}", "pub(crate) use any;", ""]


def _dispatch_calls(header: Header) -> List[str]:
    lines = ["pub fn call(player: &mut Player, name: &str, given: &Map) -> Result<Came, String> {"]
    lines += ["    let mut outcome = Came::default();", "    match name {"]
    for call in plan.calls(header):
        lines += _dispatch_call(header, call)
    return [
        *lines,
        '        _ => return Err(format!("there is no function {name}")),',
        "    }",
        "    Ok(outcome)",
        "}",
        "",
    ]


def _dispatch_call(header: Header, call: Call) -> List[str]:
    names = ", ".join(f'"{item.name}"' for item in call.inputs)
    lines = [f'        "{call.c_name}" => {{', f"            known(given, &[{names}])?;"]
    arguments: List[str] = []
    target = ""
    for index, item in enumerate(call.inputs):
        local = f"a{index}"
        is_receiver = index == 0 and bool(call.owner) and not call.is_maker
        if item.kind == "object":
            if item.type == "mtoken_task":
                lines.append(f'            let {local} = player.thing(given, "{item.name}")?;')
                lines.append(f"            let {local} = match &*{local} {{")
                lines.append("                Thing::Task(task) => task, _ => return Err(NO_TASK.into()) };")
                target = local
                continue
            lines.append(f'            let {local} = player.thing(given, "{item.name}")?;')
            lines.append(f"            let {local} = {local}.{short(item.type)}()?;")
            if is_receiver:
                target = local
            else:
                arguments.append(local)
        elif item.kind == "text":
            lines.append(f'            let {local} = given_text(given, "{item.name}")?;')
            arguments.append(f"{local}.as_deref()" if item.nullable else f'{local}.as_deref().unwrap_or("")')
        elif item.kind == "bytes":
            lines.append(f'            let {local} = given_bytes(given, "{item.name}")?;')
            arguments.append(f"{local}.as_deref()" if item.nullable else f"{local}.as_deref().unwrap_or(&[])")
        elif item.kind == "options":
            nothing = "Map::new()"
            lines.append(f"            let nothing = {nothing};")
            lines.append(f'            let {local} = given_map(given, "{item.name}")?;')
            lines.append("            let mut room = Room::new();")
            lines.append(
                f"            let {local}_o = fill_{short(item.type)}(player, {local}.unwrap_or(&nothing), &mut room)?;"
            )
            arguments.append(f"{local}.map(|_| &{local}_o)" if item.nullable else f"&{local}_o")
        elif item.kind == "array":
            lines.append(f'            let list = given_list(given, "{item.name}");')
            lines.append("            let mut room = Room::new();")
            lines.append(f"            let mut {local} = Vec::new();")
            kind = short(item.type)
            lines.append(
                f"            for part in list {{ {local}.push(fill_{kind}(player, part.map()?, &mut room)?); }}"
            )
            arguments.append(f"&{local}")
        elif item.kind == "view":
            lines.append(f'            let {local} = given_view(given, "{item.name}")?;')
            arguments.append(f"unsafe {{ &*({local} as *const {type_name(item.type)}) }}")
        else:
            lines.append(f'            let {local} = given_number(given, "{item.name}")?;')
            arguments.append(_number(header, item, local))
    joined = ", ".join(arguments)
    if call.is_maker:
        invoked = f"{type_name(call.owner)}::{method_name(call)}({joined})"
    elif call.owner == "mtoken_task":
        invoked = f"any!({target}, task => task.{method_name(call)}({joined}))"
    elif call.owner:
        invoked = f"{target}.{method_name(call)}({joined})"
    else:
        invoked = f"mtoken::{method_name(call)}({joined})"
    keep = (
        f'player.keeper(given, "{call.inputs[0].name}")'
        if call.inputs and call.inputs[0].kind in ("object", "view")
        else "Keep::none()"
    )
    if call.result is not None:
        lines.append(f"            let result = {invoked};")
        lines.append(f"            let keep = {keep};")
        lines.append(
            f"            outcome.result = {_value(call.result, 'result', 'keep', bool(call.result.nullable))};"
        )
        return [*lines, "        }"]
    lines.append(f"            match {invoked} {{")
    places = [f"o{index}" for index in range(len(call.outs))]
    pattern = places[0] if len(places) == 1 else f"({', '.join(places)})" if places else "()"
    lines.append(f"                Ok({pattern}) => {{")
    for item, place in zip(call.outs, places):
        value = _out_value(header, call, item, place, keep)
        lines.append(f'                    outcome.set("{item.name}", {value});')
    lines += ["                    outcome.ended(None);", "                }"]
    nulls = "".join(f' outcome.set("{item.name}", Value::Null);' for item in call.outs)
    return [
        *lines,
        f"                Err(error) => {{{nulls} outcome.ended(Some(error)) }}",
        "            }",
        "        }",
    ]


def _number(header: Header, item: Item, local: str) -> str:
    if item.is_bool:
        return f"{local} == 1"
    if item.enum:
        return f"{pascal_enum(header.enums[item.enum])}({local} as i32)"
    kind = SCALARS[item.scalar]
    return local if kind == "i64" else f"{local} as {kind}"


def _out_value(header: Header, call: Call, item: Item, place: str, keep: str) -> str:
    if item.kind == "task":
        return f"player.own(Thing::Task(AnyTask::{_variant(outcome_type(header, call))}({place})))"
    if item.kind == "object":
        return f"player.own(Thing::{type_name(item.type)}({place}))"
    if item.kind in ("text", "bytes"):
        return f"Value::from({place})"
    if item.kind == "value":
        return f"Value::from({place})"
    if item.lender:
        return f'Value::view("{item.type}", {place}, {keep})'
    if item.nullable:
        return f'{place}.map_or(Value::Null, |found| Value::owned("{item.type}", found))'
    return f'Value::owned("{item.type}", {place})'


def _value(item: Item, name: str, keep: str, nullable: bool) -> str:
    if item.kind == "view":
        return f'{name}.map_or(Value::Null, |found| Value::view("{item.type}", found, {keep}.clone()))'
    if item.kind in ("text", "bytes") and nullable:
        return f"{{ let _ = &{keep}; {name}.map_or(Value::Null, Value::from) }}"
    return f"{{ let _ = &{keep}; Value::from({name}) }}"


def _dispatch_members(header: Header) -> List[str]:
    lines = [
        "pub fn member(kind: &str, at: usize, keep: &Keep, name: &str) -> Option<Value> {",
        "    Some(match kind {",
    ]
    for struct in plan.views(header):
        lines.append(f'        "{struct.name}" => {{')
        lines.append(f"            let view = unsafe {{ &*(at as *const {type_name(struct.name)}) }};")
        lines += ["            let _ = view;", "            match name {"]
        for item in plan.members(header, struct):
            if item.kind == "object":
                continue
            read = f"view.{_word(item.name)}()"
            lines.append(f'                "{item.name}" => {_member_value(item, read)},')
            if item.kind in ("array", "texts"):
                lines.append(f'                "{item.pair}" => Value::from({read}.len() as i64),')
        lines += ["                _ => return None,", "            }", "        }"]
    lines += ["        _ => return None,", "    })", "}", ""]
    lines += ["pub fn error_member(error: &Error, name: &str) -> Option<Value> {", "    Some(match name {"]
    for item in plan.members(header, header.structs["mtoken_error"]):
        value = f"error.details().{_word(item.name)}" + (".clone()" if item.kind == "text" else "")
        nullable = item.kind == "text" and item.nullable
        made = f"{value}.map_or(Value::Null, Value::from)" if nullable else f"Value::from({value})"
        lines.append(f'        "{item.name}" => {made},')
    return [*lines, "        _ => return None,", "    })", "}", ""]


def _member_value(item: Item, read: str) -> str:
    if item.kind == "array":
        return f'Value::List({read}.iter().map(|item| Value::view("{item.type}", *item, keep.clone())).collect())'
    if item.kind == "texts":
        return f"Value::List({read}.into_iter().map(Value::from).collect())"
    if item.kind == "view" and item.type in plan.COPIED:
        return f"{read}.map_or(Value::Null, Value::from)"
    if item.kind == "view":
        if item.nullable:
            return f'{read}.map_or(Value::Null, |found| Value::view("{item.type}", found, keep.clone()))'
        return f'Value::view("{item.type}", {read}, keep.clone())'
    if item.kind == "text" and item.nullable:
        return f"{read}.map_or(Value::Null, Value::from)"
    return f"Value::from({read})"


def _dispatch_options(header: Header) -> List[str]:
    lines: List[str] = []
    for struct in plan.options(header):
        name = short(struct.name)
        kind = option_name(header, struct.name, "'static")
        lines.append(f"pub fn fill_{name}(player: &Player, given: &Map, room: &mut Room) -> Result<{kind}, String> {{")
        items = plan.members(header, struct)
        names = ", ".join(f'"{item.name}"' for item in items)
        lines += [
            "    let _ = (player, &room);",
            f"    known(given, &[{names}])?;",
            f"    let mut made = {kind.split('<')[0]}::default();",
        ]
        for item in items:
            lines.append(f'    if let Some(value) = present(given, "{item.name}") {{')
            lines += [f"        {line}" for line in _fill_member(header, item)]
            lines.append("    }")
        lines += ["    Ok(made)", "}", ""]
    return lines


def _fill_member(header: Header, item: Item) -> List[str]:
    place = f"made.{_word(item.name)}"
    if item.kind == "text" and not item.wrapped:
        optional = item.name != "id"
        return [f"{place} = Some(room.text(value)?);" if optional else f"{place} = room.text(value)?;"]
    if item.kind in ("text", "bytes"):
        return [f"{place} = Some(room.{item.kind}(value)?);"]
    if item.kind == "array":
        if item.type == "mtoken_text":
            return [
                "let mut items = Vec::new();",
                "for part in value.list()? { items.push(room.text(part)?); }",
                f"{place} = room.keep(items);",
            ]
        return [
            "let mut items = Vec::new();",
            f"for part in value.list()? {{ items.push(fill_{short(item.type)}(player, part.map()?, room)?); }}",
            f"{place} = room.keep(items);",
        ]
    if item.kind == "options":
        return [
            f"let inner = fill_{short(item.type)}(player, value.map()?, room)?;",
            f"{place} = Some(&room.keep(vec![inner])[0]);",
        ]
    if item.kind == "object":
        return [f"{place} = Some(player.lend(value)?.{short(item.type)}()?);"]
    if item.kind == "view":
        return [f"{place} = Some(unsafe {{ &*(value.view_at()? as *const {type_name(item.type)}) }});"]
    return [f"{place} = {_number(header, item, 'number(value)?')};"]


# Manifests

_ABOUT = {
    "mtoken-sys": "The declarations of libmtoken, a mobile token as a C library",
    "mtoken": "A mobile token: PowerAuth activation, operations and offline approval",
    "mtoken-tokio": "Drives the futures of the crate mtoken on tokio",
}
_REST = {
    "mtoken-sys": [
        'links = "mtoken"',
        'include = ["src", "tests", "build.rs", "bundled", {texts}]',
        "",
        "[features]",
        "bundled = []",
    ],
    "mtoken": [
        'readme = "../README.md"',
        'include = ["src", "tests", {texts}]',
        "",
        "[features]",
        'bundled = ["mtoken-sys/bundled"]',
        "",
        "[dependencies]",
        "{mtoken-sys}",
    ],
    "mtoken-tokio": [
        'include = ["src", "tests", {texts}]',
        "",
        "[dependencies]",
        "{mtoken}",
        'tokio = { version = "1.24", default-features = false, features = ["net", "rt", "macros"] }',
        "",
        "[workspace]",
    ],
}


def manifest(header: Header, name: str) -> str:
    lines = [_MADE.replace("//", "#", 1), "[package]", f'name = "{name}"', f'version = "{header.version}"']
    lines += ['edition = "2021"', 'rust-version = "1.63"', f'license = "{FACTS["license"]}"']
    lines += [
        f'description = "{_ABOUT[name]}"',
        f'homepage = "{FACTS["homepage"]}"',
        f'repository = "{FACTS["repository"]}"',
    ]
    lines += ['categories = ["authentication", "api-bindings"]', 'keywords = ["powerauth", "mobile-token", "approval"]']
    texts = '"CHANGELOG.md", "LICENSE", "SECURITY.md"'
    for line in (line.replace("{texts}", texts) for line in _REST[name]):
        crate = line.strip("{}")
        depends = f'{crate} = {{ version = "{header.version}", path = "../{crate}" }}'
        lines.append(depends if crate in _ABOUT else line)
    return "\n".join(lines) + "\n"


FILES: Dict[str, Callable[[Header], str]] = {
    **{f"{name}/Cargo.toml": functools.partial(manifest, name=name) for name in _ABOUT},
    "mtoken-sys/src/bindings.rs": declarations,
    "mtoken-sys/tests/layout/structs.rs": layout,
    "mtoken/src/values.rs": values,
    "mtoken/src/views.rs": views,
    "mtoken/src/options.rs": options,
    "mtoken/src/calls.rs": calls,
}
