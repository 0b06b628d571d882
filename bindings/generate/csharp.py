# SPDX-License-Identifier: Apache-2.0
"""bindings/csharp: the declarations, values, readable structs, options and calls. By hand: the other files there."""

from __future__ import annotations

from typing import Callable, Dict, List, Sequence, Tuple
from xml.sax.saxutils import escape

from . import plan, words
from .facts import FACTS
from .model import AnyType, FunctionType, Header, Struct
from .plan import Call, Item, pascal, short
from .rust import pascal_enum

_MADE = "// Made by bindings/generate from mtoken.h. Do not edit."
_BEGIN = [_MADE, "using System;", "using System.Collections.Generic;", "using System.Runtime.CompilerServices;"]
_BEGIN[2:2] = ["using System.Diagnostics;"]
_BEGIN += ["using System.Runtime.InteropServices;"]
_BEGIN += ["using System.Threading;", "using System.Threading.Tasks;", "", "namespace Mtoken", "{"]
SCALARS = {
    "int32_t": "int",
    "uint32_t": "uint",
    "int64_t": "long",
    "uint64_t": "ulong",
    "size_t": "ulong",
    "double": "double",
    "uint8_t": "byte",
    "char": "byte",
    "void": "void",
}
_WORDS = frozenset(
    """
    abstract as base bool break byte case catch char checked class const continue decimal default delegate do double
    else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal
    is lock long namespace new null object operator out override params private protected public readonly ref return
    sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked
    unsafe ushort using virtual void volatile while
    """.split()
)


class _Form(words.Form):
    """XML. What follows the first paragraph are remarks."""

    width = 130

    def escape(self, text: str) -> str:
        return escape(text)

    def name(self, name: str) -> str:
        return f"<c>{escape(name)}</c>"

    def further(self, text: str) -> str:
        return f"<para>{text}</para>"

    def listed(self, items: List[str]) -> List[str]:
        inner = (f"<item><description>{item}</description></item>" for item in items)
        return ['<list type="bullet">', *inner, "</list>"]

    def code(self, lines: List[str]) -> List[str]:
        return ["<code>", *map(escape, lines), "</code>"]


FORM = _Form()


def said_of(header: Header) -> words.Words:
    def call_of(call: Call) -> str:
        name = f"{pascal(call.name)}Async" if call.starts_task and not _has_object(call) else method_name(call)
        return f"{type_name(call.owner) if call.owner else 'Api'}.{name}"

    language = words.Language(
        type_of=type_name,
        enum_of=pascal_enum,
        value_of=lambda enum, value: f"{pascal_enum(enum)}.{value_name(plan.member_name(enum, value))}",
        call_of=call_of,
        member=pascal,
        argument=plan.camel,
        nothing={"": "null", "array": "an empty array", "texts": "an empty array"},
        by_hand={
            "mtoken_error": "MTokenException",
            "mtoken_error_is_operation_over": "MTokenException.IsOperationOver",
            "mtoken_runtime_next_event": "Runtime.NextEventAsync",
            "mtoken_store_host_new": "Store.Host",
            "mtoken_task_cancel": "Pending.Cancel",
        },
    )
    return words.Words(header, language)


def doc(blocks: Sequence[words.Block], indent: str, tags: Sequence[Tuple[str, str]] = ()) -> List[str]:
    """tags: an element with its attributes, and what stands in it."""
    lines = FORM.lines(blocks[:1])
    lines = ["<summary>" + " ".join(lines) + "</summary>"] if lines else []
    if blocks[1:]:
        told = [line for line in FORM.lines([words.Block("text", [""]), *blocks[1:]]) if line]
        lines += ["<remarks>", *told, "</remarks>"]
    lines += [f"<{tag}>{FORM.said(text)}</{tag.split()[0]}>" for tag, text in tags]
    return FORM.comment(lines, indent)


def call_doc(call: Call, said: words.Comment, gives: str) -> List[str]:
    """The comment of a method that waits, or has nothing to wait for."""
    tags = [
        (f'param name="{plan.camel(item.name)}"', said.parameters[item.name] or words.spoken(item.name))
        for item in _inputs(call)
    ]
    tags += [('param name="token"', "Cancels the call.")] if call.starts_task and not _has_object(call) else []
    tags += [("returns", said.returns)] if said.returns and gives != "void" else []
    failures = " ".join(said.failures())
    tags += [('exception cref="MTokenException"', failures)] if failures else []
    return doc(said.blocks, "        ", tags)


def start_doc(call: Call) -> List[str]:
    waits = f"{words.BEGIN}{pascal(call.name)}Async{words.END}"
    starts = f"Starts what {waits} waits for: see there. It throws the errors that come at once."
    return doc([words.Block("text", [starts])], "        ")


def type_name(name: str) -> str:
    return "Pending" if name == "mtoken_task" else pascal(short(name))


def word(name: str) -> str:
    return f"@{name}" if name in _WORDS else name


def raw_type(header: Header, kind: AnyType) -> str:
    if isinstance(kind, FunctionType):
        return "IntPtr"
    if kind.base in header.handles and kind.pointers:
        return "IntPtr" + "*" * (kind.pointers - 1)
    return SCALARS.get(header.resolve(kind.base), kind.base) + "*" * kind.pointers


def raw(header: Header) -> str:
    lines = [
        *_BEGIN,
        "    internal static unsafe class Raw",
        "    {",
        '        internal const string Library = "libmtoken.so.1";',
    ]
    lines.append("        private const MethodImplOptions Apart = MethodImplOptions.NoInlining;")
    for name in ("MTOKEN_ABI_VERSION", "MTOKEN_VERSION_NUMBER"):
        lines.append(f"        internal const int {name} = {header.integers[name]};")
    for struct in header.structs.values():
        lines += [
            "",
            "        [StructLayout(LayoutKind.Sequential)]",
            f"        internal struct {struct.name}",
            "        {",
        ]
        lines += [
            f"            public {raw_type(header, member.type)} {word(member.name)};" for member in struct.members
        ]
        lines.append("        }")
    lines.append("")
    # Mono looks for a library when it compiles a method that calls it: that must not be before `Library` has loaded it.
    declared: List[str] = []
    for function in header.functions.values():
        given = ", ".join(f"{raw_type(header, field.type)} {word(field.name)}" for field in function.parameters)
        passed = ", ".join(word(field.name) for field in function.parameters)
        head = f"internal static {raw_type(header, function.result)} {function.name}({given})"
        gives = "" if str(function.result) == "void" else "return "
        lines.append(f"        [MethodImpl(Apart)] {head} {{ {gives}C.{function.name}({passed}); }}")
        declared.append(
            f"            [DllImport(Library)] {head.replace('internal static', 'internal static extern')};"
        )
    lines += ["", "        private static class C", "        {", *declared, "        }"]
    return "\n".join([*lines, "    }", "}"]) + "\n"


def values(header: Header) -> str:
    lines = list(_BEGIN)
    said = said_of(header)
    for enum in header.enums.values():
        lines += doc(said.of(enum.doc), "    ")
        lines += ["    [Flags]"] if enum.kind == "flags" else []
        lines += [f"    public enum {pascal_enum(enum)}", "    {"]
        for member, value in plan.enum_members(enum):
            lines += [*doc(said.value(enum, value), "        "), f"        {value_name(member)} = {value.value},"]
        lines += ["    }", ""]
    return "\n".join([*lines[:-1], "}"]) + "\n"


def value_name(member: str) -> str:
    return member if member.startswith("V") and member[1:2].isdigit() else pascal(member.lower())


def value_type(header: Header, item: Item) -> str:
    if item.is_bool:
        return "bool"
    return pascal_enum(header.enums[item.enum]) if item.enum else SCALARS[item.scalar]


def _read_value(header: Header, item: Item, place: str) -> str:
    if item.is_bool:
        return f"{place} != 0"
    return f"({value_type(header, item)}){place}" if item.enum else place


def _write_value(item: Item, place: str) -> str:
    if item.is_bool:
        return f"{place} ? 1 : 0"
    return f"(int){place}" if item.enum else place


def member_name(owner: str, item: Item) -> str:
    name = pascal(item.name)
    return f"{name}Value" if name == owner else name


# Structs to read


def views(header: Header) -> str:
    lines = list(_BEGIN)
    said = said_of(header)
    for struct in header.structs.values():
        if struct.name in plan.COPIED:
            lines += _copied(header, struct, said)
    for struct in plan.views(header):
        if struct.name in plan.READ_AT_ONCE:
            lines += _read_at_once(header, struct, said)
            continue
        name = type_name(struct.name)
        partial = "sealed unsafe partial class"
        ends = plan.is_closed(header, struct)
        based = f"MTokenResult{', IDisposable' if ends else ''}"
        lines += [*doc(said.of(struct.doc), "    "), f"    public {partial} {name} : {based}", "    {"]
        lines += [f"        internal readonly Raw.{struct.name}* p;", ""]
        lines += [f"        private {name}(Raw.{struct.name}* p, Life life) : base(life) {{ this.p = p; }}", ""]
        made = f"p == null ? null : new {name}(p, life)"
        lines.append(f"        internal static {name} Of(Raw.{struct.name}* p, Life life) {{ return {made}; }}")
        free = plan.free_name(header, struct.name)
        if free:
            lines += ["", f"        internal static {name} Own(Raw.{struct.name}* p)", "        {"]
            freeing = f"at => Raw.{free}((Raw.{struct.name}*)at)"
            lines += [
                f"            return p == null ? null : Of(p, new Life((IntPtr)p, {freeing}, null).Whole((IntPtr)p));",
                "        }",
            ]
        if ends:
            lines += ["", *doc([words.Block("text", [_ENDS])], "        ")]
            lines.append("        public void Dispose() { life.End((IntPtr)p); }")
        shown = plan.shown(header, struct)
        for item in plan.members(header, struct):
            if item.kind != "object":
                kind, value = _read(header, item)
                lines += ["", *doc(said.member(struct, item), "        ")]
                read = f"life.Enter(); return {value};"
                member = member_name(name, item)
                lines.append(
                    f"        public {kind} {member} {{ get {{ {read} }} }}"
                    if item in shown
                    else f"        public {kind} Get{member}() {{ {read} }}"
                )
        lines += [*_shown(header, struct), "    }", ""]
    return "\n".join([*lines[:-1], "}"]) + "\n"


_ENDS = (
    "Frees the result at once, without the collector; to read it afterwards throws an ObjectDisposedException. What is"
    " part of another result is freed with that: its own Dispose does nothing."
)


def _shown(header: Header, struct: Struct) -> List[str]:
    """What is printed and compared; and what is only compared, which serializers and debuggers must not find."""
    name, shown = type_name(struct.name), plan.shown(header, struct)
    members = ", ".join(f'"{member_name(name, item)}", {member_name(name, item)}' for item in shown)
    hidden = [item for item in plan.members(header, struct) if item.kind != "object" and item not in shown]
    read = ", ".join(f"Get{member_name(name, item)}()" for item in hidden)
    lines = ["", f"        internal override object[] Shown() {{ return new object[] {{ {members} }}; }}"]
    if hidden:
        lines += ["", f"        internal override object[] Hidden() {{ return new object[] {{ {read} }}; }}"]
    return lines


def _read_at_once(header: Header, struct: Struct, said: words.Words) -> List[str]:
    name, free = type_name(struct.name), plan.free_name(header, struct.name)
    lines = [*doc(said.of(struct.doc), "    "), f"    public sealed unsafe class {name} : MTokenResult", "    {"]
    lines += [f"        private {name}() : base(null) {{ }}", ""]
    values = []
    shown = plan.shown(header, struct)
    for item in plan.members(header, struct):
        kind, value = _read(header, item)
        if item.kind == "text" and not item.pair:
            value = f"Life.Copy(p->{item.name}, ref last{member_name(name, item)})"
            lines += [f"        private static string last{member_name(name, item)};", ""]
        member = member_name(name, item)
        field = member if item in shown else plan.camel(item.name)
        values.append(f"{field} = {value.replace('life.Text', 'Life.Copy')}")
        lines += [] if item in shown else [f"        private {kind} {field};", ""]
        lines += doc(said.member(struct, item), "        ")
        lines += [
            f"        public {kind} {member} {{ get; private set; }}"
            if item in shown
            else f"        public {kind} Get{member}() {{ return {field}; }}",
            "",
        ]
    made = f"p == null ? null : new {name} {{ {', '.join(values)} }}"
    lines += [f"        internal static {name} Of(Raw.{struct.name}* p, Life life)", "        {"]
    lines += [f"            var made = {made};", "            GC.KeepAlive(life);", "            return made;"]
    lines += ["        }", "", f"        internal static {name} Own(Raw.{struct.name}* p)", "        {"]
    lines += [
        "            var made = Of(p, null);",
        f"            Raw.{free}(p);",
        "            return made;",
        "        }",
    ]
    return [*lines, *_shown(header, struct), "    }", ""]


def _read(header: Header, item: Item) -> tuple[str, str]:
    place, pair = f"p->{item.name}", f"p->{item.pair}"
    if item.kind == "text":
        return "string", f"life.Text({place}, {pair})" if item.pair else f"life.Text({place})"
    if item.kind == "bytes":
        return "byte[]", f"life.Bytes({place}, {pair if item.pair else item.size})"
    if item.kind == "texts":
        return "string[]", f"life.Texts({place}, {pair})"
    inner = type_name(item.type)
    if item.kind == "array":
        reader = f"life.Array({pair}, index => {inner}.Of({place}[index], life))"
        return f"{inner}[]", reader
    if item.kind == "view" and item.type in plan.COPIED:
        return "MTokenException", f"life.Left(MTokenException.Read({place}))"
    if item.kind == "view":
        return inner, f"life.Left({inner}.Of({place}, life))"
    return value_type(header, item), f"life.Left({_read_value(header, item, place)})"


def _copied(header: Header, struct: Struct, said: words.Words) -> List[str]:
    items = plan.members(header, struct)
    lines = ["    public sealed unsafe partial class MTokenException", "    {"]
    for item in items:
        if item.name == "message":
            continue
        kind = "string" if item.kind == "text" else value_type(header, item)
        lines += doc(said.member(struct, item), "        ")
        lines += [f"        public {kind} {_error_name(item)} {{ get; private set; }}", ""]
    lines += [f"        private void Copy(Raw.{struct.name}* p)", "        {"]
    for item in items:
        if item.name != "message":
            value = (
                f"Life.Copy(p->{item.name})" if item.kind == "text" else _read_value(header, item, f"p->{item.name}")
            )
            lines.append(f"            {_error_name(item)} = {value};")
    return [*lines, "        }", "    }", ""]


def _error_name(item: Item) -> str:
    return pascal(item.name)


# Structs to fill


def options(header: Header) -> str:
    lines = list(_BEGIN)
    said = said_of(header)
    for struct in plan.options(header):
        name = "Watch" if struct.name == "mtoken_watched" else type_name(struct.name)
        items = plan.members(header, struct)
        lines += [*doc(said.of(struct.doc), "    "), f"    public sealed unsafe class {name} : IGiven", "    {"]
        for item in items:
            if item.secret:  # Serializers and debuggers read what can be read.
                shown, read = ["        [DebuggerBrowsable(DebuggerBrowsableState.Never)]"], "private get"
            else:
                shown, read = [], "get"
            lines += [
                *doc(said.member(struct, item), "        "),
                *shown,
                f"        public {_option_type(header, item)} {pascal(item.name)} {{ {read}; set; }}",
                "",
            ]
        if struct.name == "mtoken_client_options":  # Open works on one of its own
            lines += [f"        internal {name} Copy() {{ return ({name})MemberwiseClone(); }}", ""]
        lines.append(f"        int IGiven.Size {{ get {{ return sizeof(Raw.{struct.name}); }} }}")
        lines += ["", "        void IGiven.Fill(IntPtr at, Arena arena)", "        {"]
        lines.append(f"            var raw = (Raw.{struct.name}*)at;")
        if struct.kind == "option":
            lines.append(f"            raw->struct_size = (ulong)sizeof(Raw.{struct.name});")
        lines += [f"            {line}" for item in items for line in _fill(item)]
        lines += ["        }", "    }", ""]
    return "\n".join([*lines[:-1], "}"]) + "\n"


def _fill(item: Item) -> List[str]:
    place, given = f"raw->{item.name}", pascal(item.name)
    if item.kind in ("text", "bytes") and item.wrapped:
        length = f"{place}.length"
        return [f"{place}.data = arena.{item.kind.capitalize()}({given}, out {length});"]
    if item.kind == "text":
        return [f"{place} = arena.CText({given});"]
    if item.kind == "array":
        reader = "Texts" if item.type == "mtoken_text" else "Array"
        return [f"{place} = (Raw.{item.type}*)arena.{reader}({given}, out raw->{item.pair});"]
    if item.kind == "options":
        return [f"{place} = (Raw.{item.type}*)arena.Option({given});"]
    if item.kind == "object":
        return [f"{place} = Life.HandleOf({given});"]
    if item.kind == "view":
        return [f"if ({given} != null) arena.Hold({given}.life);", f"{place} = {given} == null ? null : {given}.p;"]
    return [f"{place} = {_write_value(item, given)};"]


def _option_type(header: Header, item: Item) -> str:
    if item.kind == "text":
        return "string"
    if item.kind == "bytes":
        return "byte[]"
    if item.kind == "array":
        return f"IReadOnlyList<{'string' if item.type == 'mtoken_text' else type_name(item.type)}>"
    if item.kind in ("options", "object", "view"):
        return type_name(item.type)
    return value_type(header, item)


# Calls


def calls(header: Header) -> str:
    lines = list(_BEGIN)
    said = said_of(header)
    found: Dict[str, List[Call]] = {"": [], **{name: [] for name in header.handles}}
    for call in plan.calls(header):
        found[call.owner].append(call)
    for name, those in found.items():
        free = plan.free_name(header, name) if name else ""
        if name and not free:
            continue
        if not name:
            lines += doc([words.Block("text", ["What needs no object."])], "    ")
            lines += ["    public static class Api", "    {"]
        else:
            kind = type_name(name)
            lines += doc(said.of(header.handles[name].doc), "    ")
            lines += [f"    public sealed partial class {kind} : MTokenObject", "    {"]
            if name != "mtoken_runtime":
                based = f"base(handle, Raw.{free}, keeps)"
                if header.functions[free].blocks:
                    life = f"new LongLife(handle, Raw.{free}, LifeOf(keeps))"
                    based = f"base(handle, {life}, keeps == null ? null : keeps.loop)"
                lines.append(f"        internal {kind}(IntPtr handle, MTokenObject keeps) : {based} {{ }}")
        for call in those:
            told = said.call(call)
            lines += _call(header, call, told)
            if call.starts_task and not _has_object(call):
                lines += _waiting(header, call, told)
        lines += ["    }", ""]
    return "\n".join([*lines[:-1], "}"]) + "\n"


def _has_object(call: Call) -> bool:
    return any(out.kind == "object" for out in call.outs)


def method_name(call: Call) -> str:
    if call.is_maker:
        return "Create" if call.name in ("new", "prepare") else pascal(call.name)
    return pascal(call.name) + ("Start" if call.starts_task else "")


def camel(name: str) -> str:
    return word(plan.camel(name))


def parameter(header: Header, item: Item) -> str:
    if item.kind == "array":
        kind = "Watch" if item.type == "mtoken_watched" else type_name(item.type)
        return f"IReadOnlyList<{kind}>"
    return _option_type(header, item)


def _inputs(call: Call) -> List[Item]:
    return list(call.inputs[1:] if call.owner and not call.is_maker else call.inputs)


def _taken(header: Header, call: Call, last: str = "") -> str:
    inputs = _inputs(call)
    given = []
    for index, item in enumerate(inputs):
        optional = all(rest.nullable and rest.kind in ("options", "text") for rest in inputs[index:])
        given.append(f"{parameter(header, item)} {camel(item.name)}{' = null' if optional else ''}")
    return ", ".join([*given, last] if last else given)


def out_type(header: Header, item: Item) -> str:
    if item.kind in ("text", "bytes"):
        return "string" if item.kind == "text" else "byte[]"
    return value_type(header, item) if item.kind == "value" else type_name(item.type)


def _call(header: Header, call: Call, said: words.Comment) -> List[str]:
    types = [out_type(header, item) for item in call.outs]
    gives = types[0] if len(types) == 1 else f"Tuple<{', '.join(types)}>" if types else "void"
    if call.result is not None:
        gives = out_type(header, call.result)
    static = "static " if call.is_maker or not call.owner else ""
    head = f"        public {static}unsafe {gives} {method_name(call)}({_taken(header, call)})"
    comment = start_doc(call) if call.starts_task and not _has_object(call) else call_doc(call, said, gives)
    body: List[str] = []
    passed: Dict[str, str] = {"out_error": "&error"}
    receiver = call.inputs[0] if call.owner and not call.is_maker else None
    for item in call.inputs:
        _pass(item, "this" if item is receiver else camel(item.name), body, passed)
    for item in call.outs:
        kind = {"value": SCALARS.get(item.scalar, "int")}.get(item.kind, f"Raw.{item.type}*")
        kind = "IntPtr" if item.kind in ("object", "task") else kind
        start = "IntPtr.Zero" if kind == "IntPtr" else "0" if item.kind == "value" else "null"
        body.append(f"{kind} {item.name} = {start};")
        passed[item.name] = f"&{item.name}"
    arguments = ", ".join(passed.get(field.name, word(field.name)) for field in call.function.parameters)
    invoked = f"Raw.{call.c_name}({arguments})"
    kept = [
        f"GC.KeepAlive({'this' if item is receiver else camel(item.name)});"
        for item in call.inputs
        if _is_kept(header, item)
    ]
    lender = call.lender
    if lender:
        body.append(f"var lent = {'this' if lender is receiver else camel(lender.name)}.life.Lend();")
    if call.result is not None:
        body += [f"var result = {_returned(header, call, call.result, invoked, receiver)};", *kept]
        if lender and (call.result.kind == "bytes" or call.result.type in plan.READ_AT_ONCE):
            body.append("if (lent != null) lent.Dispose();")
        if lender and lender.type == "mtoken_task" and call.result.kind == "view":
            arrays = [
                each.pair for each in plan.members(header, header.structs[call.result.type]) if each.kind == "array"
            ]
            elements = " + ".join(f"result.p->{count}" for count in arrays) or "0"
            if call.result.type not in plan.READ_AT_ONCE:
                body.append(f"if (result != null) result.life.Whole((IntPtr)result.p).Weigh({elements});")
        body.append("return result;")
    else:
        body += ["Raw.mtoken_error* error = null;"] if call.has_error else []
        body += [f"var status = {invoked};", *kept]
        body += ["if (status != 0 && lent != null) lent.Dispose();"] if lender else []
        body.append(f"MTokenException.Check(status, {'error' if call.has_error else 'null'});")
        given = [_given(header, call, item, receiver) for item in call.outs]
        if given:
            body.append(f"return {given[0] if len(given) == 1 else 'Tuple.Create(' + ', '.join(given) + ')'};")
    if any("arena." in line for line in body):
        body = ["using (var arena = Arena.Open())", "{", *(f"    {line}" for line in body), "}"]
    elif receiver is None:
        body.insert(0, "Library.Suitable();")
    return ["", *comment, head, "        {", *(f"            {line}" for line in body), "        }"]


def _is_kept(header: Header, item: Item) -> bool:
    """Whether objects of the library can go while their addresses are used."""
    if item.kind in ("options", "input", "array") and item.type in header.structs:
        return any(_is_kept(header, member) for member in plan.members(header, header.structs[item.type]))
    return item.kind in ("object", "view")


def _pass(item: Item, name: str, body: List[str], passed: Dict[str, str]) -> None:
    if item.kind == "object":
        passed[item.name] = f"Life.HandleOf({name})"
    elif item.kind in ("text", "bytes"):
        body.append(f"ulong {item.name}_length;")
        body.append(f"var {item.name}_data = arena.{item.kind.capitalize()}({name}, out {item.name}_length);")
        passed[item.name], passed[item.pair] = f"{item.name}_data", f"{item.name}_length"
    elif item.kind == "options":
        passed[item.name] = f"(Raw.{item.type}*)arena.Option({name})"
    elif item.kind == "array":
        body += ["ulong count;", f"var array = (Raw.{item.type}*)arena.Array({name}, out count);"]
        passed[item.name], passed[item.pair] = "array", "count"
    elif item.kind == "view":
        body.append(f"if ({name} != null) arena.Hold({name}.life);")
        passed[item.name] = f"{name} == null ? null : {name}.p"
    else:
        passed[item.name] = _write_value(item, name)


def _keeper(call: Call, receiver: object) -> str:
    keeper = next((item for item in call.inputs if item.kind == "object"), None)
    return "null" if keeper is None else "this" if keeper is receiver else camel(keeper.name)


def _given(header: Header, call: Call, item: Item, receiver: object) -> str:
    name = item.name
    if item.type == "mtoken_runtime":
        return f"new Runtime({name})"
    if item.kind in ("task", "object"):
        return f"new {type_name(item.type)}({name}, {_keeper(call, receiver)})"
    if item.kind == "value":
        return _read_value(header, item, name)
    if item.kind in ("text", "bytes"):
        return f"Life.Take({name})"
    if item.lender:
        return f"Life.Lent(Mtoken.{type_name(item.type)}.Of({name}, lent), lent)"
    return f"Mtoken.{type_name(item.type)}.Own({name})"


def _returned(header: Header, call: Call, item: Item, invoked: str, receiver: object) -> str:
    if item.kind == "value":
        return _read_value(header, item, invoked)
    if item.kind == "text":
        return f"Life.Copy({invoked})"
    if item.kind == "bytes":
        return f"Life.Copy({invoked})"
    lender = next(one for one in call.inputs if one.name == item.lender)
    name = camel(lender.name)
    if lender.kind == "object":
        made = f"Mtoken.{type_name(item.type)}.Of({invoked}, lent)"
        return made if item.type in plan.READ_AT_ONCE else f"Life.Lent({made}, lent)"
    return f"Mtoken.{type_name(item.type)}.Of({invoked}, {name} == null ? null : {name}.life)"


def _waiting(header: Header, call: Call, said: words.Comment) -> List[str]:
    given = ", ".join(camel(item.name) for item in _inputs(call))
    getters = {one.c_name: one for one in plan.calls(header) if one.owner == "mtoken_task"}
    getter = getters[call.getters[0]] if call.getters and call.c_name not in plan.KEEPS_TASK else None
    kind, result = "", ""
    if call.c_name in plan.KEEPS_TASK:
        kind, result = "<Pending>", "task"
    elif getter is not None and getter.result is not None:
        kind, result = f"<{out_type(header, getter.result)}>", f"task.{pascal(getter.name)}()"
    taken = _taken(header, call, "CancellationToken token = default(CancellationToken)")
    lines = ["", *call_doc(call, said, kind or "void")]
    lines += [f"        public async Task{kind} {pascal(call.name)}Async({taken})", "        {"]
    body = ["await task.Finish(token).ConfigureAwait(false);", *([f"return {result};"] if result else [])]
    started = f"var task = {method_name(call)}({given})"
    lines.append("            token.ThrowIfCancellationRequested();")
    if result == "task":
        lines += [f"            {line}" for line in (f"{started};", *body)]
    else:  # nobody else knows the task, which ends; its result has it as long as it needs it
        lines += [f"            {line}" for line in (f"using ({started})", "{", *(f"    {line}" for line in body), "}")]
    return [*lines, "        }"]


def names(header: Header) -> str:
    """For the player of the conformance documents."""
    lines = [_MADE, "using System.Collections.Generic;", "", "static class Names", "{"]
    lines.append("    public static readonly Dictionary<string, string> Functions = new Dictionary<string, string> {")
    for call in plan.calls(header):
        owner = type_name(call.owner) if call.owner else "Api"
        inputs = ",".join(item.name for item in call.inputs)
        outs = ",".join(item.name for item in call.outs)
        kind = "static" if call.is_maker or not call.owner else "method"
        lines.append(
            f'        {{"{call.c_name}", "{owner} {method_name(call)} {kind} {call.has_status} |{inputs}|{outs}"}},'
        )
    lines += [
        "    };",
        "    public static readonly Dictionary<string, string> Counts = new Dictionary<string, string> {",
    ]
    for count, arrays in plan.counts(header).items():
        lines.append(f'        {{"{count}", "{",".join(arrays)}"}},')
    lines += [
        "    };",
        "    public static readonly Dictionary<string, long> Constants = new Dictionary<string, long> {",
    ]
    lines += [f'        {{"{name}", {value}}},' for name, value in header.integers.items() if value < 2**63]
    return "\n".join([*lines, "    };", "}"]) + "\n"


def props(header: Header) -> str:
    """What the .NET SDK says of the project."""
    facts = {
        "Authors": "authors",
        "Description": "description",
        "PackageLicenseExpression": "license",
        "PackageProjectUrl": "homepage",
        "RepositoryUrl": "repository",
    }
    lines = [f"    <{name}>{escape(FACTS[fact])}</{name}>" for name, fact in facts.items()]
    lines += ["    <RepositoryType>git</RepositoryType>", f"    <Version>{header.version}</Version>"]
    return "\n".join(["<Project>", "  <PropertyGroup>", *lines, "  </PropertyGroup>", "</Project>"]) + "\n"


FILES: Dict[str, Callable[[Header], str]] = {
    "Facts.props": props,
    "src/Raw.cs": raw,
    "src/Values.cs": values,
    "src/Views.cs": views,
    "src/Options.cs": options,
    "src/Calls.cs": calls,
}
