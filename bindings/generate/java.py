# SPDX-License-Identifier: Apache-2.0
"""bindings/java: the glue in C, enumerations, records, views, options and calls. By hand: what lies in that folder.

A call crosses once: its arguments are written into one array of bytes, its results come back in another. Structs that
can be handed to the library again stay the library's, and their members are read when they are asked for
(`Interface.views`); all others are copied.
"""

from __future__ import annotations

import re
from html import escape
from typing import Dict, FrozenSet, List, Optional, Sequence, Tuple

from . import plan, words
from .model import Enum, Header, Struct
from .plan import Call, Item, camel, pascal, short
from .rust import pascal_enum

_MADE = "// Made by bindings/generate from mtoken.h."
_IMPORTS = """import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.Serializable;
import java.lang.ref.Reference;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;
"""
WIDTH = 130
_TYPES = {"int32_t": "int", "uint32_t": "int", "double": "double"}
_NAMES = {"mtoken_runtime": "MTokenRuntime", "mtoken_error": "ErrorDetails"}
_LOCKED = ("mtoken_task", "mtoken_challenge", "mtoken_oidc_request")
"""Handles that lend what they hold: nothing is read from them while they are freed."""
_BASES = {"mtoken_runtime": "RuntimeObject", "mtoken_challenge": "ChallengeObject"}
"""By hand."""
_OF_FUTURES = ("task", "tag")
"""Members of an event that futures take the place of."""


def type_name(name: str) -> str:
    return _NAMES.get(name) or pascal(short(name))


class _Form(words.Form):
    """Javadoc."""

    width = WIDTH
    first, each, last = "/**", " * ", " */"

    def escape(self, text: str) -> str:
        return (
            escape(text, quote=False)
            .replace("*/", "* /")
            .replace("@", "&#64;")
            .replace("{", "&#123;")
            .replace("\\", "&#92;")
        )

    def name(self, name: str) -> str:
        return f"{{@code{words.KEPT}{name}}}"

    def further(self, text: str) -> str:
        return f"<p>{text}"

    def listed(self, items: List[str]) -> List[str]:
        return ["<ul>", *(f"<li>{item}</li>" for item in items), "</ul>"]

    def code(self, lines: List[str]) -> List[str]:
        return ["<pre>", *map(self.escape, lines), "</pre>"]


FORM = _Form()
Tags = Sequence[Tuple[str, str]]


def said_of(header: Header) -> words.Words:
    language = words.Language(
        type_of=type_name,
        enum_of=pascal_enum,
        value_of=lambda enum, value: f"{pascal_enum(enum)}.{plan.member_name(enum, value)}",
        call_of=lambda call: f"{type_name(call.owner) if call.owner else 'MToken'}.{method_name(call)}",
        member=camel,
        argument=camel,
        nothing={"": "null", "array": "an empty list", "texts": "an empty list"},
        by_hand={
            "mtoken_error_is_operation_over": "MTokenException.isOperationOver",
            "mtoken_event_take_challenge": "Event.takeChallenge",
            "mtoken_task_cancel": "Pending.cancel",
            "mtoken_task_wait": "Pending.waitFor",
        },
        task="of the Pending",
        has_times=True,
    )
    return words.Words(header, language)


def comment(blocks: Sequence[words.Block], indent: str, tags: Tags = (), otherwise: str = "") -> List[str]:
    """otherwise: what is said of what the header says nothing of."""
    lines = FORM.lines(blocks or [words.Block("text", [otherwise])])
    told = [f"@{tag} {FORM.said(text)}".rstrip() for tag, text in tags]
    return FORM.comment([*lines, *([""] if told else []), *told], indent)


def folded(line: str) -> List[str]:
    """A line of code that is too long goes on after a comma or before a plus."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    found: List[str] = []
    while len(line) > WIDTH:
        ends = [place.start() for place in re.finditer(r" (?=\+ )|(?<=,) (?=[@\w])", line[:WIDTH])]
        place = max(end for end in ends if line[:end].count('"') % 2 == 0)
        found.append(line[:place])
        line = indent + line[place + 1 :]
    return [*found, line]


class Interface:
    """What the header says, asked once."""

    def __init__(self, header: Header):
        self.header = header
        self.said = said_of(header)
        self.calls = plan.calls(header)
        self.views = self._views()
        self.holders = self._holders()
        self.copied = [struct for struct in self._structs() if struct.name not in self.views]
        self.frees = sorted(
            free
            for name in (*header.handles, *header.structs)
            if (free := plan.free_name(header, name)) is not None and free
        )
        self.enums = list(header.enums.values())

    def _structs(self) -> List[Struct]:
        return [*plan.views(self.header), *(self.header.structs[name] for name in sorted(plan.COPIED))]

    def _views(self) -> FrozenSet[str]:
        """The structs that a call or an option takes, and events, out of which challenges are taken."""
        found = {item.type for call in self.calls for item in call.inputs if item.kind == "view"}
        for struct in plan.options(self.header):
            found |= {item.type for item in plan.members(self.header, struct) if item.kind == "view"}
        return frozenset(found | {"mtoken_event"})

    def _holders(self) -> FrozenSet[str]:
        """The structs with a view in them: their memory lives as long as what was read of them."""
        found = set(self.views)
        while True:
            more = {
                struct.name
                for struct in self._structs()
                if any(
                    item.type in found for item in plan.members(self.header, struct) if item.kind in ("view", "array")
                )
            }
            if more <= found:
                return frozenset(found)
            found |= more

    def weighed(self) -> List[Struct]:
        """The structs that views are made of."""
        found = set(self.views)
        while (
            more := {
                item.type
                for struct in self._structs()
                if struct.name in found
                for item in plan.members(self.header, struct)
                if item.kind in ("view", "array")
            }
            - found
        ):
            found |= more
        return [struct for struct in self._structs() if struct.name in found]

    def free(self, name: str) -> int:
        return self.frees.index(plan.free_name(self.header, name))

    def owned(self, item: Item) -> bool:
        """Whether the host frees the struct of an out parameter, but not at once."""
        return item.kind == "view" and not item.lender and item.type in self.holders

    def struct_index(self, name: str) -> int:
        return sorted(self.views).index(name)

    def is_open(self, item: Item) -> bool:
        """Whether later versions may have further constants: the number is given too."""
        return bool(item.enum) and self.header.enums[item.enum].kind == "open"

    def is_flags(self, item: Item) -> bool:
        return bool(item.enum) and self.header.enums[item.enum].kind == "flags"


# The glue in C


def addresses(header: Header) -> str:
    """Where each function of the library is found."""
    lines = ["/* Made by bindings/generate from mtoken.h. */", "#include <mtoken.h>", "#include <mtoken/extra.h>", ""]
    lines += ["enum {", *(f"    AT_{name}," for name in header.functions), "    FUNCTIONS,", "};"]
    lines += ["extern void *addresses[FUNCTIONS];", "extern const char *const function_names[FUNCTIONS];"]
    return "\n".join([*lines, "#define F(name) ((__typeof__(&name))addresses[AT_##name])"]) + "\n"


def native(header: Header) -> str:
    made = Interface(header)
    lines = ["/* Made by bindings/generate from mtoken.h. */", '#include "glue.h"', '#include "addresses.h"', ""]
    lines += ["void *addresses[FUNCTIONS];", "const char *const function_names[FUNCTIONS] = {"]
    lines += [*(f'    "{name}",' for name in header.functions), "};", ""]
    structs = made._structs()
    lines += [f"static void put_{struct.name}(output *out, const {struct.name} *s);" for struct in made.copied]
    for struct in made.copied:
        lines += ["", f"static void put_{struct.name}(output *out, const {struct.name} *s) {{"]
        lines += [f"    {line}" for item in plan.members(header, struct) for line in _put_member(made, item)]
        if struct.name in plan.COPIED:
            lines.append("    put_flag(out, F(mtoken_error_is_operation_over)(s));")
        lines.append("}")
    for struct in structs:
        if struct.name in made.views:
            lines += ["", f"static void member_{struct.name}(output *out, const {struct.name} *s, int index) {{"]
            lines.append("    switch (index) {")
            for index, item in enumerate(plan.members(header, struct)):
                lines += [
                    f"    case {index}:",
                    *(f"        {line}" for line in _put_member(made, item)),
                    "        break;",
                ]
            lines += ["    default:", "        break;", "    }", "}"]
    lines += _weights(made)
    lines += ["", "void read_member(output *out, int kind, const void *at, int index) {", "    switch (kind) {"]
    for name in sorted(made.views):
        lines += [f"    case {made.struct_index(name)}:", f"        member_{name}(out, at, index);", "        break;"]
    lines += ["    default:", "        break;", "    }", "}"]
    lines += ["", "void put_error(output *out, const mtoken_error *error) {", "    put_mtoken_error(out, error);", "}"]
    lines += _fills(made)
    for call in made.calls:
        lines += _native_call(made, call)
    lines += [
        "",
        "void (*const calls[])(input *in, output *out) = {",
        *(f"    call_{call.c_name}," for call in made.calls),
        "};",
    ]
    lines += [
        f"const int call_count = {len(made.calls)};",
        "",
        "void free_at(int kind, void *at) {",
        "    switch (kind) {",
    ]
    for index, free in enumerate(made.frees):
        lines += [f"    case {index}:", f"        F({free})(at);", "        break;"]
    return "\n".join([*lines, "    default:", "        break;", "    }", "}"]) + "\n"


def _weights(made: Interface) -> List[str]:
    """About how much memory a struct that stays the library's takes, with all in it."""
    lines = [""]
    heads = {one.name: f"static int64_t weight_{one.name}(const {one.name} *s)" for one in made.weighed()}
    lines += [f"{head};" for head in heads.values()]
    for struct in made.weighed():
        lines += ["", f"{heads[struct.name]} {{", "    int64_t sum = s ? BLOCK + (int64_t)sizeof *s : 0;"]
        body: List[str] = []
        for item in plan.members(made.header, struct):
            place, pair = f"s->{item.name}", f"s->{item.pair}"
            if item.kind in ("text", "bytes"):
                length = (
                    f"(int64_t){pair}" if item.pair else str(item.size) if item.size else f"(int64_t)strlen({place})"
                )
                body.append(f"if ({place}) sum += BLOCK + {length};")
            elif item.kind in ("array", "texts"):
                each = (
                    f"weight_{item.type}({place}[i])"
                    if item.kind == "array"
                    else f"BLOCK + (int64_t)strlen({place}[i])"
                )
                body.append(f"for (size_t i = 0; i < {pair}; i++) sum += {each};")
            elif item.kind == "view":
                body.append(f"sum += weight_{item.type}({place});")
        lines += ["    if (s) {", *(f"        {line}" for line in body), "    }"] if body else []
        lines += ["    return sum;", "}"]
    return [
        *lines,
        "",
        "int64_t event_weight(const mtoken_event *event) {",
        "    return weight_mtoken_event(event);",
        "}",
    ]


def _put_value(item: Item, place: str) -> str:
    if item.is_bool:
        return f"put_flag(out, {place});"
    if item.scalar == "double":
        return f"put_real(out, {place});"
    return f"put_{32 if item.scalar in _TYPES else 64}(out, {place});"


def _put_member(made: Interface, item: Item) -> List[str]:
    place, pair = f"s->{item.name}", f"s->{item.pair}"
    if item.kind == "text":
        return [f"put_sized(out, {place}, {pair});" if item.pair else f"put_text(out, {place});"]
    if item.kind == "bytes":
        return [f"put_sized(out, (const char *){place}, {pair if item.pair else item.size});"]
    if item.kind == "texts":
        return [f"put_texts(out, {place}, {pair});"]
    if item.kind == "array":
        each = f"put_address(out, {place}[i]);" if item.type in made.views else f"put_{item.type}(out, {place}[i]);"
        return [f"put_32(out, (int32_t){pair});", f"for (size_t i = 0; i < {pair}; i++) {each}"]
    if item.kind == "view" and item.type not in made.views:
        return [f"put_flag(out, {place} != NULL);", f"if ({place}) put_{item.type}(out, {place});"]
    if item.kind in ("view", "object"):
        return [f"put_address(out, {place});"]
    return [_put_value(item, place)] * (2 if made.is_open(item) else 1)


def _fills(made: Interface) -> List[str]:
    found = plan.options(made.header)
    lines = [""]
    lines += [f"static void fill_{struct.name}(input *in, {struct.name} *s);" for struct in found]
    for struct in found:
        lines += ["", f"static void fill_{struct.name}(input *in, {struct.name} *s) {{"]
        if struct.kind == "option":
            lines += ["    s->struct_size = sizeof *s;"]
        lines += [f"    {line}" for item in plan.members(made.header, struct) for line in _fill(item)]
        lines.append("}")
    return lines


def _fill(item: Item) -> List[str]:
    place = f"s->{item.name}"
    if item.kind in ("text", "bytes") and item.wrapped:
        cast = "" if item.kind == "text" else "(const uint8_t *)"
        return [f"{place}.data = {cast}get_text(in, &{place}.length);"]
    if item.kind == "text":
        return [f"{place} = get_text(in, NULL);"]
    if item.kind == "array":
        fill = f"fill_{item.type}(in, &each[i]);"
        if item.type == "mtoken_text":
            fill = "each[i].data = get_text(in, &each[i].length);"
        return _get_array(item, f"s->{item.pair}", place, fill)
    if item.kind == "options":
        return [
            "if (get_flag(in)) {",
            f"    {item.type} *inner = room(in, sizeof *inner);",
            f"    fill_{item.type}(in, inner);",
            f"    {place} = inner;",
            "}",
        ]
    if item.kind in ("object", "view"):
        return [f"{place} = get_address(in);"]
    return [f"{place} = {_get_value(item)};"]


def _get_array(item: Item, count: str, place: str, fill: str) -> List[str]:
    return [
        "{",
        f"    {count} = (size_t)get_32(in);",
        f"    {item.type} *each = {count} ? room(in, {count} * sizeof *each) : NULL;",
        f"    for (size_t i = 0; i < {count}; i++) {fill}",
        f"    {place} = each;",
        "}",
    ]


def _get_value(item: Item) -> str:
    if item.is_bool:
        return "get_flag(in)"
    if item.scalar == "double":
        return "get_real(in)"
    kinds = {"int32_t": "get_32(in)", "uint32_t": "(uint32_t)get_32(in)", "int64_t": "get_64(in)"}
    return kinds.get(item.scalar, f"({item.scalar})get_64(in)")


def _native_call(made: Interface, call: Call) -> List[str]:
    body: List[str] = []
    passed: Dict[str, str] = {}
    for item in call.inputs:
        name = item.name
        passed[name] = name
        if item.kind in ("text", "bytes"):
            cast = "" if item.kind == "text" else "(const uint8_t *)"
            body += [f"size_t {item.pair} = 0;", f"const char *{name} = get_text(in, &{item.pair});"]
            passed[name], passed[item.pair] = f"{cast}{name}", item.pair
        elif item.kind == "options":
            body += [f"{item.type} {name}_s = {{0}}, *{name} = NULL;", "if (get_flag(in)) {"]
            body += [f"    fill_{item.type}(in, &{name}_s);", f"    {name} = &{name}_s;", "}"]
        elif item.kind == "array":
            body += [f"size_t {item.pair} = 0;", f"const {item.type} *{name} = NULL;"]
            body += _get_array(item, item.pair, name, f"fill_{item.type}(in, &each[i]);")
            passed[item.pair] = item.pair
        elif item.kind in ("object", "view"):
            body.append(f"{item.type} *{name} = get_address(in);")
        else:
            body.append(f"{item.type} {name} = {_get_value(item)};")
    for item in call.outs:
        body.append(
            f"{item.type} {'' if item.kind == 'value' else '*'}{item.name} = {0 if item.kind == 'value' else 'NULL'};"
        )
        passed[item.name] = f"&{item.name}" if item.kind == "value" else f"(void *)&{item.name}"
    if call.has_error:
        body.append("mtoken_error *error = NULL;")
        passed["out_error"] = "&error"
    arguments = ", ".join(passed[field.name] for field in call.function.parameters)
    invoked = f"F({call.c_name})({arguments})"
    if call.has_status:
        body += [f"mtoken_status status = {invoked};", "if (status != MTOKEN_OK) {"]
        body += [f"    put_failure(out, status, {'error' if call.has_error else 'NULL'});", "    return;", "}"]
    if call.has_status or call.result is None:
        body += [] if call.has_status else [f"{invoked};"]
        body.append("put_flag(out, 0);")
        for item in call.outs:
            body += _put_out(made, item)
    else:
        kind = call.function.result
        body += [f"{kind} result = {invoked};", "put_flag(out, 0);", *_put_out(made, call.result)]
    head = f"static void call_{call.c_name}(input *in, output *out) {{"
    unused = [] if call.inputs else ["    (void)in;"]
    return ["", head, *unused, *(f"    {line}" for line in body), "}"]


def _put_out(made: Interface, item: Item) -> List[str]:
    name = item.name
    if item.kind in ("object", "task"):
        return [f"put_address(out, {name});"]
    if item.kind == "value":
        return [_put_value(item, name)]
    if item.kind in ("text", "bytes"):
        if not item.type:
            return [f"put_text(out, {name});"]
        free = "" if item.lender else f"F({item.type}_free)({name});"
        content = f"{name} ? (const char *){name}->data : NULL, {name} ? {name}->length : 0"
        return [f"put_sized(out, {content});", *([free] if free else [])]
    if item.type in made.views:
        return [f"put_address(out, {name});", f"put_64(out, weight_{item.type}({name}));"]
    lines = [f"put_address(out, {name});"] if made.owned(item) else []
    lines += [f"put_flag(out, {name} != NULL);", f"if ({name}) put_{item.type}(out, {name});"]
    if not item.lender and not made.owned(item):
        lines.append(f"F({plan.free_name(made.header, item.type)})({name});")
    return lines


# What Java reads


def java_type(made: Interface, item: Item) -> str:
    """A type, without annotations. Of options and parameters, too."""
    if item.kind == "text":
        return "String"
    if item.kind == "bytes":
        return "byte[]"
    if item.kind == "texts" or (item.kind == "array" and item.type == "mtoken_text"):
        return "List<String>"
    if item.kind == "array":
        return f"List<{type_name(item.type)}>"
    if item.kind != "value":
        return type_name(item.type)
    if item.is_bool:
        return "boolean"
    if item.unit == "epoch_ms":
        return "Instant"
    if item.enum:
        name = pascal_enum(made.header.enums[item.enum])
        return f"Set<{name}>" if made.is_flags(item) else name
    return _TYPES.get(item.scalar, "long")


_NUMBER = "Its number, which tells more when it is UNRECOGNIZED"
PRIMITIVES = ("boolean", "int", "long", "double")


def annotated(kind: str, nullable: bool) -> str:
    """A type as it stands in a signature: Kotlin reads what may be null."""
    if kind in PRIMITIVES:
        return kind
    mark = "@Nullable" if nullable else "@NotNull"
    return f"{kind[:-2]} {mark} []" if kind.endswith("[]") else f"{mark} {kind}"


def _read_value(made: Interface, item: Item) -> str:
    if item.is_bool:
        return "in.flag()"
    if item.unit == "epoch_ms":
        return "Instant.ofEpochMilli(in.number64())"
    if item.enum:
        name = pascal_enum(made.header.enums[item.enum])
        return f"{name}.{'setOf' if made.is_flags(item) else 'of'}(in.number32())"
    if item.scalar == "double":
        return "in.real()"
    return "in.number32()" if item.scalar in _TYPES else "in.number64()"


def _read(made: Interface, item: Item, life: str) -> str:
    name = type_name(item.type)
    if item.kind in ("text", "bytes"):
        return f"in.{item.kind}()"
    if item.kind == "texts":
        return "in.list(Reader::text)"
    if item.kind == "array":
        each = f"{name}.of(each.number64(), {life})" if item.type in made.views else f"{name}.read(each, {life})"
        return f"in.list(each -> {each})"
    if item.kind == "view" and item.type in made.views:
        return f"{name}.of(in.number64(), {life})"
    if item.kind == "view":
        return f"in.flag() ? {name}.read(in, {life}) : null"
    return _read_value(made, item)


def _readable(made: Interface, struct: Struct) -> List[Item]:
    return [item for item in plan.members(made.header, struct) if item.kind != "object"]


def _is_null(item: Item) -> bool:
    return item.nullable and item.kind not in ("array", "texts")


def record(made: Interface, struct: Struct) -> str:
    name = type_name(struct.name)
    items = _readable(made, struct)
    over = "isOperationOver"
    components: List[str] = []
    tags: List[Tuple[str, str]] = []
    reads: List[str] = []
    told = plan.shown(made.header, struct)
    for item in items:
        mark = "" if item in told else "@JsonIgnore "
        components.append(f"{mark}{annotated(java_type(made, item), _is_null(item))} {camel(item.name)}")
        doc = made.said.member(struct, item)
        tags.append(
            (
                f"param {camel(item.name)}",
                " ".join(text for block in doc for text in block.texts) or words.spoken(item.name),
            )
        )
        reads.append(_read(made, item, "life"))
        if made.is_open(item):
            components.append(f"int {camel(item.name)}Value")
            tags.append((f"param {camel(item.name)}Value", f"{_NUMBER}."))
            reads.append("in.number32()")
    if struct.name in plan.COPIED:
        components.append(f"boolean {over}")
        tags.append((f"param {over}", "Whether nothing more can be done with the operation."))
        reads.append("in.flag()")
    # A copy is serialised with the exception that has it: its form is nobody's to read.
    hidden = [("serial exclude", "")] if struct.name in plan.COPIED else []
    lines = comment(made.said.of(struct.doc), "", [*tags, *hidden], name)
    lines += [f"public record {name}("]
    lines += [
        f"    {component}{',' if index + 1 < len(components) else ')'}" for index, component in enumerate(components)
    ]
    # Exceptions have it, and may be serialised.
    lines[-1] += " implements Serializable {" if struct.name in plan.COPIED else " {"
    lines += ["    static @NotNull " + f"{name} read(Reader in, Life life) {{"]
    lines += [f"        return new {name}("]
    lines += [f"            {read}{',' if index + 1 < len(reads) else ');'}" for index, read in enumerate(reads)]
    lines += ["    }"]
    if len(told) < len(items):
        lines += _shown(made, struct, "")
    lines += _compared(name, items, "")
    return "\n".join([*lines, "}"])


def _content(items: Sequence[Item], call: str) -> str:
    """call: what is behind the name of a member to read it."""
    parts = (f"{camel(item.name.removeprefix('out_'))}{call}" for item in items)
    return ", ".join(f"View.comparable({part})" if item.kind == "bytes" else part for item, part in zip(items, parts))


def _compared(name: str, items: Sequence[Item], call: str) -> List[str]:
    """A record with an array is compared by what is in the array."""
    if all(item.kind != "bytes" for item in items):
        return []
    return [
        "",
        "    private List<Object> content() {",
        f"        return Arrays.asList({_content(items, call)});",
        "    }",
        "",
        "    @Override",
        "    public boolean equals(Object other) {",
        f"        return other instanceof {name} that && content().equals(that.content());",
        "    }",
        "",
        "    @Override",
        "    public int hashCode() {",
        "        return content().hashCode();",
        "    }",
    ]


def _shown(made: Interface, struct: Struct, call: str) -> List[str]:
    """call: what is behind the name of a member to read it."""
    name, told = type_name(struct.name), plan.shown(made.header, struct)
    names = [camel(item.name) for item in told if item.kind != "bytes" and item.name not in _OF_FUTURES]
    parts = " + ".join(f'"{", " if index else ""}{one}=" + {one}{call}' for index, one in enumerate(names))
    return [
        "",
        f"    /** {'Without secrets.' if len(told) < len(_readable(made, struct)) else 'The members.'} */",
        "    @Override",
        "    public String toString() {",
        f'        return "{name}["{" + " if parts else ""}{parts} + "]";',
        "    }",
    ]


def view(made: Interface, struct: Struct) -> str:
    name = type_name(struct.name)
    lines = comment(made.said.of(struct.doc), "", otherwise=name)
    lines += [f"public final class {name} extends View {{"]
    lines += [f"    private {name}(long address, Life life) {{", "        super(address, life);", "    }", ""]
    lines += [f"    static {name} of(long address, Life life) {{"]
    lines += [f"        return address == 0 ? null : new {name}(address, life);", "    }"]
    told = plan.shown(made.header, struct)
    for index, item in enumerate(plan.members(made.header, struct)):
        if struct.name == "mtoken_event" and item.name in _OF_FUTURES:
            continue
        mark = ["    @JsonProperty"] if item in told else []
        if item.kind == "object":
            lines += [
                "",
                f"    long {camel(item.name)}Handle() {{",
                f"        return reader({made.struct_index(struct.name)}, {index}).number64();",
                "    }",
            ]
            continue
        kind = annotated(java_type(made, item), _is_null(item))
        doc = made.said.member(struct, item)
        lines += ["", *comment(doc, "    ", [("return", words.spoken(item.name))], f"{words.spoken(item.name)}.")]
        lines += [*mark, f"    public {kind} {camel(item.name)}() {{"]
        lines += [f"        Reader in = reader({made.struct_index(struct.name)}, {index});"]
        lines += [f"        return {_read(made, item, 'life')};", "    }"]
        if made.is_open(item):
            number = [words.Block("text", [f"{_NUMBER}."])]
            lines += [
                "",
                *comment(number, "    ", [("return", "the number")]),
                *mark,
                f"    public int {camel(item.name)}Value() {{",
            ]
            lines += [f"        return reader({made.struct_index(struct.name)}, {index}).number32();", "    }"]
    if struct.name == "mtoken_event":
        lines += _EVENT.splitlines()
    content = (
        "List.of(address)"
        if struct.name == "mtoken_event"
        else f"Arrays.asList({_content(_readable(made, struct), '()')})"
    )
    lines += ["", "    @Override", "    List<Object> content() {", f"        return {content};", "    }"]
    lines += _shown(made, struct, "()")
    return "\n".join([*lines, "}"])


_EVENT = """
    /**
     * Whether the event concerns a client.
     *
     * @param client the client
     * @return whether it does
     */
    public boolean isFrom(@NotNull Client client) {
        return client.life.handle() != 0 && client.life.handle() == clientHandle();
    }

    /**
     * Whether the event concerns a watcher.
     *
     * @param watcher the watcher
     * @return whether it does
     */
    public boolean isFrom(@NotNull Watcher watcher) {
        return watcher.life.handle() != 0 && watcher.life.handle() == watcherHandle();
    }

    /**
     * Takes the challenge out of the event, once.
     *
     * @return the challenge; null: there is none
     */
    public synchronized @Nullable Challenge takeChallenge() {
        try {
            long taken = Native.takeChallenge(address);
            return taken == 0 ? null : new Challenge(taken, null);
        } finally {
            Reference.reachabilityFence(this);
        }
    }"""


def enum(made: Enum, said: words.Words) -> str:
    name = pascal_enum(made)
    members = [(member, value.value) for member, value in plan.enum_members(made)]
    is_flags = made.kind == "flags"
    lines = [*comment(said.of(made.doc), "", otherwise=name), f"public enum {name} implements Coded {{"]
    for member, one in plan.enum_members(made):
        lines += [*comment(said.value(made, one), "    ", otherwise=member), f"    {member}({one.value}),"]
    if all(value for _, value in members):
        lines += ["    /** None of these. */", "    NONE(0),"]
        members.append(("NONE", 0))
    lines += ["    /** One that only later versions know. */", "    UNRECOGNIZED(Integer.MIN_VALUE);"]
    lines += [
        "",
        "    private final int value;",
        "",
        f"    {name}(int value) {{",
        "        this.value = value;",
        "    }",
    ]
    lines += [
        "",
        "    /** The number of the interface in C. */",
        "    @Override",
        "    public int value() {",
        "        return value;",
        "    }",
    ]
    if is_flags:
        lines += [
            "",
            f"    static Set<{name}> setOf(int bits) {{",
            f"        return Coded.set({name}.class, UNRECOGNIZED, bits);",
            "    }",
        ]
    else:
        lines += ["", f"    static {name} of(int value) {{", "        switch (value) {"]
        for member, value in members:
            lines += [f"            case {value}:", f"                return {member};"]
        lines += ["            default:", "                return UNRECOGNIZED;", "        }", "    }"]
    return "\n".join([*lines, "}"])


# What Java writes


def option_name(name: str) -> str:
    return "Watch" if name == "mtoken_watched" else type_name(name)


def given_type(made: Interface, item: Item) -> str:
    if item.kind == "text" and item.secret:
        return "CharSequence"
    if item.kind == "array" and item.type != "mtoken_text":
        return f"List<{option_name(item.type)}>"
    return java_type(made, item)


def _write(made: Interface, item: Item, place: str) -> str:
    if item.kind == "text":
        return f"out.{'text' if item.wrapped or item.secret else 'chars'}({place});"
    if item.kind == "bytes":
        return f"out.bytes({place});"
    if item.kind == "array" and item.type == "mtoken_text":
        return f'out.list({place}, "{camel(item.name)}", Writer::text);'
    if item.kind == "array":
        return f'out.list({place}, "{camel(item.name)}", {option_name(item.type)}::fill);'
    if item.kind == "options":
        return f"{option_name(item.type)}.write(out, {place});"
    if item.kind == "object":
        return f"out.handle({place});"
    if item.kind == "view":
        return f"out.view({place});"
    if item.is_bool:
        return f"out.flag({place});"
    if item.unit == "epoch_ms":
        return f'out.instant({place}, "{camel(item.name)}");'
    if item.enum:
        return f"out.{'flags' if made.is_flags(item) else 'coded'}({place});"
    if item.scalar == "double":
        return f"out.real({place});"
    return f"out.number{32 if item.scalar in _TYPES else 64}({place});"


def option(made: Interface, struct: Struct) -> str:
    name = option_name(struct.name)
    items = plan.members(made.header, struct)
    has_secrets = any(item.secret and item.kind == "bytes" for item in items)
    told = made.said.of(struct.doc)
    told += [words.Block("text", ["Closing it wipes its copies of secrets."])] if has_secrets else []
    lines = comment(told, "", otherwise=name)
    lines += [f"public final class {name}{' implements AutoCloseable' if has_secrets else ''} {{"]
    lines += [f"    private {given_type(made, item)} {camel(item.name)};" for item in items]
    if has_secrets:
        lines.append("    private boolean isClosed;")
    lines += ["", "    /** Nothing is set. */", f"    public {name}() {{", "    }"]
    for item in items:
        lines += _setters(made, struct, item)
    if struct.kind == "option":
        lines += ["", f"    static void write(Writer out, {name} given) {{", "        out.flag(given != null);"]
        lines += ["        if (given != null) {", "            fill(out, given);", "        }", "    }"]
    lines += ["", f"    static void fill(Writer out, {name} given) {{"]
    if has_secrets:
        lines += ["        if (given.isClosed) {", f'            throw Secrets.closed("{name}");', "        }"]
    lines += [f"        {_write(made, item, f'given.{camel(item.name)}')}" for item in items]
    lines += ["    }"]
    if has_secrets:
        lines += [
            "",
            "    /** Wipes the copies of secrets. A call that is handed it afterwards throws IllegalStateException. */",
            "    @Override",
            "    public void close() {",
            "        isClosed = true;",
        ]
        lines += [
            f"        Secrets.wipe({camel(item.name)});" for item in items if item.secret and item.kind == "bytes"
        ]
        lines += ["    }"]
    return "\n".join([*lines, "}"])


def _setters(made: Interface, struct: Struct, item: Item) -> List[str]:
    """Of an option; a secret can also be given as letters."""
    name, member = option_name(struct.name), camel(item.name)
    kind = annotated(given_type(made, item), given_type(made, item) not in PRIMITIVES)
    tags = [(f"param {member}", words.spoken(item.name)), ("return", "this object")]
    about = comment(made.said.member(struct, item), "    ", tags, f"Sets {words.spoken(item.name)}.")
    is_secret = item.kind == "bytes" and item.secret
    given = {kind: f"{member} == null ? null : {member}.clone()" if is_secret else member}
    if is_secret:
        given["char @NotNull []"] = f"Secrets.utf8({member})"
    lines: List[str] = []
    for taken, value in given.items():
        lines += ["", *about, f"    public @NotNull {name} {member}({taken} {member}) {{"]
        lines += [f"        Secrets.wipe(this.{member});"] if is_secret else []
        lines += [f"        this.{member} = {value};", "        return this;", "    }"]
    return lines


# Calls


def method_name(call: Call) -> str:
    if call.is_maker:
        return "create" if call.name in ("new", "prepare") else camel(call.name)
    return camel(call.name)


def _results_name(call: Call) -> str:
    return f"{pascal(call.name)}Result"


def _out_type(made: Interface, call: Call, item: Item) -> str:
    if item.kind == "task":
        return f"Pending<{_pending_type(made, call)}>"
    return java_type(made, item)


def _getter(made: Interface, call: Call) -> Optional[Call]:
    if call.c_name in plan.KEEPS_TASK or not call.getters:
        return None
    return next(one for one in made.calls if one.c_name == call.getters[0])


BOXED = {"int": "Integer", "long": "Long", "boolean": "Boolean", "double": "Double"}


def _pending_type(made: Interface, call: Call) -> str:
    if call.c_name in plan.KEEPS_TASK:
        return "Task"
    getter = _getter(made, call)
    if getter is None or getter.result is None:
        return "Void"
    kind = java_type(made, getter.result)
    return BOXED.get(kind, kind)


def returned(made: Interface, call: Call) -> Tuple[str, bool]:
    """The type that a method gives, and whether it may be null."""
    if call.result is not None:
        return java_type(made, call.result), call.result.nullable
    if not call.outs:
        return "void", False
    if len(call.outs) > 1:
        return _results_name(call), False
    return _out_type(made, call, call.outs[0]), call.outs[0].nullable


def _inputs(call: Call) -> List[Item]:
    return list(call.inputs[1:] if call.owner and not call.is_maker else call.inputs)


def _received(made: Interface, call: Call, item: Item, receiver: Optional[Item]) -> str:
    """The expression that reads a result."""
    keeper = next((one for one in call.inputs if one.kind == "object"), None)
    keeps = "null" if keeper is None else "this" if keeper is receiver else camel(keeper.name)
    name = type_name(item.type)
    if item.kind == "task":
        getter = _getter(made, call)
        if call.c_name in plan.KEEPS_TASK:
            result = "task -> task"
        else:
            result = "task -> null" if getter is None else f"Task::{method_name(getter)}"
        return f"Pending.start(new Task(in.number64(), {keeps}), {result})"
    if item.kind == "object":
        return f"new {name}(in.number64(), {keeps})"
    if item.kind != "view":
        return _read(made, item, "null")
    life = f"Life.own(in.number64(), {made.free(item.type)})" if made.owned(item) else "null"
    if item.lender:
        lender = next(one for one in call.inputs if one.name == item.lender)
        life = "life" if lender is receiver else f"Life.of({camel(lender.name)})"
    if item.type in made.views:
        if made.owned(item):
            return f"{name}.own(in, {made.free(item.type)})"
        return f"{name}.of(in.number64(), Life.weighed({life}, in.number64()))"
    if made.owned(item):
        return f"in.owned({made.free(item.type)}, {name}::read)"
    return f"in.flag() ? {name}.read(in, {life}) : null"


def _method(made: Interface, call: Call, numbers: Optional[FrozenSet[str]] = None) -> List[str]:
    """A function, also without its optional arguments; `numbers`: the parameters that are numbers, not constants."""
    inputs = _inputs(call)
    receiver = call.inputs[0] if call.owner and not call.is_maker else None
    gives, nullable = returned(made, call)
    static = "" if receiver else "static "
    kind = gives if gives in ("void", *PRIMITIVES) else annotated(gives, nullable)
    name = method_name(call)

    def taken(items: List[Item]) -> str:
        types = ("int" if item.name in (numbers or ()) else given_type(made, item) for item in items)
        return ", ".join(f"{annotated(kind, item.nullable)} {camel(item.name)}" for kind, item in zip(types, items))

    blocks, tags, ends = _told(made, call, gives)
    lines = ["", *comment(blocks, "    ", [*tags, *ends]), f"    public {static}{kind} {name}({taken(inputs)}) {{"]
    inner = _body(made, call, receiver, gives, numbers or frozenset())
    lines += [*(f"        {line}" for line in inner), "    }"]
    optional = len(inputs)
    while optional and inputs[optional - 1].nullable and inputs[optional - 1].kind in ("options", "text"):
        optional -= 1
        given = ", ".join([*(camel(item.name) for item in inputs[:optional]), *(["null"] * (len(inputs) - optional))])
        lines += [
            "",
            *comment(blocks, "    ", [*tags[:optional], *ends]),
            f"    public {static}{kind} {name}({taken(inputs[:optional])}) {{",
        ]
        lines += [f"        {'' if gives == 'void' else 'return '}{name}({given});", "    }"]
    if numbers is None and any(made.is_open(item) for item in inputs):
        # Numbers that only later versions, or banks, know.
        lines += _method(made, call, numbers=frozenset(item.name for item in inputs if made.is_open(item)))
    return lines


def _told(made: Interface, call: Call, gives: str) -> Tuple[List[words.Block], Tags, Tags]:
    """What a comment says: of all, of the parameters, of what comes of it."""
    said = made.said.call(call)
    tags = [
        (f"param {camel(item.name)}", said.parameters[item.name] or words.spoken(item.name)) for item in _inputs(call)
    ]
    ends = [("return", said.returns or words.spoken(_given_name(call)))] if gives != "void" else []
    ends += [("throws MTokenException", " ".join(said.failures()))] if said.errors else []
    return said.blocks, tags, ends


def _body(made: Interface, call: Call, receiver: Optional[Item], gives: str, numbers: FrozenSet[str]) -> List[str]:
    lender = next((item for item in ([call.result] if call.result else list(call.outs)) if item.lender), None)
    is_answer = call.has_status and receiver is not None and receiver.type == "mtoken_challenge"
    locked = lender is not None and receiver is not None and receiver.type in _LOCKED
    # What fails then has started nothing.
    body = ["loop.begin();"] if call.starts_task else []
    body += [
        f'Writer.given({camel(item.name)}, "{camel(item.name)}");'
        for item in call.inputs
        if item is not receiver and not item.nullable and item.kind in ("object", "view", "options", "array")
    ]
    body += [
        f"out.handle({'this' if item is receiver else camel(item.name)});"
        if item.kind == "object"
        else f"out.number32({camel(item.name)});"
        if item.name in numbers
        else _write_input(made, item)
        for item in call.inputs
    ]
    body.append(f"{'' if gives == 'void' else 'Reader in = '}Native.invoke({made.calls.index(call)}, out);")
    if is_answer:
        body.append("isAnswered = true;")
    if call.result is not None:
        body.append(f"return {_received(made, call, call.result, receiver)};")
    elif len(call.outs) == 1:
        body.append(f"return {_received(made, call, call.outs[0], receiver)};")
    elif call.outs:
        body.append(
            f"return new {_results_name(call)}("
            + ", ".join(_received(made, call, item, receiver) for item in call.outs)
            + ");"
        )
    kept = [
        f"Reference.reachabilityFence({'this' if item is receiver else camel(item.name)});"
        for item in call.inputs
        if item.kind in ("object", "view", "options")
    ]
    inner = ["try (Writer out = new Writer()) {", *(f"    {line}" for line in body)]
    if kept:
        inner += ["} finally {", *(f"    {line}" for line in kept)]
    inner.append("}")
    if locked or is_answer:
        lent = lender is not None and lender.type in made.holders
        inner = [
            "synchronized (life) {",
            *(["    life.lend();"] if lent else []),
            *(f"    {line}" for line in inner),
            "}",
        ]
    return inner


def _given_name(call: Call) -> str:
    """What a call gives, in a word."""
    names = [item.name for item in call.outs if item.kind != "task"]
    return names[0] if len(names) == 1 else "results" if names else "running call" if call.starts_task else "result"


def _write_input(made: Interface, item: Item) -> str:
    """An argument: texts cross with their length."""
    if item.kind == "text":
        return f"out.text({camel(item.name)});"
    return _write(made, item, camel(item.name))


def _class(made: Interface, name: str) -> str:
    those = [call for call in made.calls if call.owner == name]
    if not name:
        head = ["/** What needs no object. */", "public final class MToken {", "    private MToken() {", "    }"]
    else:
        kind = type_name(name)
        head = [
            *comment(made.said.of(made.header.handles[name].doc), ""),
            f"public final class {kind} extends {_BASES.get(name, 'NativeObject')} {{",
        ]
        free = made.free(name)
        if name == "mtoken_runtime":
            head += ["    MTokenRuntime(long handle, Object nothing) {", f"        super(handle, {free});", "    }"]
        else:
            head += [
                f"    {kind}(long handle, NativeObject keeps) {{",
                f"        super(handle, {free}, keeps);",
                "    }",
            ]
        if name == "mtoken_task":
            head += _TASK.splitlines()
    lines = head
    for call in those:
        lines += _method(made, call)
    return "\n".join([*lines, "}"])


_TASK = """
    /**
     * How far the call is.
     *
     * @return the state
     */
    public @NotNull TaskState state() {
        int state = Native.taskState(life.handle());
        if (state < 0) {
            waitFor(0);
        }
        Reference.reachabilityFence(this);
        return TaskState.of(state);
    }

    /** Stops the call: it completes once, as cancelled. A request that was sent may still reach the server. */
    public void cancel() {
        Native.check(Native.taskCancel(life.handle()));
        Reference.reachabilityFence(this);
    }

    /**
     * Blocks until the call has completed, and throws what it came to. A virtual thread keeps its carrier meanwhile:
     * {@link Pending#waitFor} frees it.
     *
     * @param milliseconds how long at most; -1: without limit
     */
    public void waitFor(long milliseconds) {
        Native.check(Native.taskJoin(life.handle(), milliseconds));
        Reference.reachabilityFence(this);
    }"""


def _results(made: Interface, call: Call) -> str:
    tags = [(f"param {camel(item.name.removeprefix('out_'))}", words.spoken(item.name)) for item in call.outs]
    components = ", ".join(
        f"{'@JsonIgnore ' if item.secret else ''}{annotated(_out_type(made, call, item), item.nullable)}"
        f" {camel(item.name.removeprefix('out_'))}"
        for item in call.outs
    )
    told = [words.Block("text", [f"What {words.BEGIN}{method_name(call)}{words.END} gives."])]
    hidden = []
    if any(item.secret for item in call.outs):
        hidden = [
            "",
            "    /** Without secrets. */",
            "    @Override",
            "    public String toString() {",
            f'        return "{_results_name(call)}[]";',
            "    }",
        ]
    return "\n".join(
        [
            *comment(told, "", tags),
            f"public record {_results_name(call)}({components}) {{",
            *[*hidden, *_compared(_results_name(call), call.outs, "")][1:],
            "}",
        ]
    )


def _own(name: str) -> List[str]:
    """Of a view that a host frees."""
    return [
        "",
        f"    static {name} own(Reader in, int free) {{",
        "        long address = in.number64();",
        "        return of(address, Life.weighed(Life.own(address, free), in.number64()));",
        "    }",
    ]


def sources(header: Header) -> Dict[str, str]:
    """The Java files by the name of their class."""
    made = Interface(header)
    found: Dict[str, str] = {pascal_enum(one): enum(one, made.said) for one in made.enums}
    found.update({type_name(struct.name): record(made, struct) for struct in made.copied})
    for struct in plan.views(header):
        if struct.name in made.views:
            text = view(made, struct)
            if plan.free_name(header, struct.name):
                text = text[:-2] + "\n".join(_own(type_name(struct.name))) + "\n}"
            found[type_name(struct.name)] = text
    found.update({option_name(struct.name): option(made, struct) for struct in plan.options(header)})
    for name in ("", *header.handles):
        if not name or plan.free_name(header, name):
            found[type_name(name) if name else "MToken"] = _class(made, name)
    found.update({_results_name(call): _results(made, call) for call in made.calls if len(call.outs) > 1})
    found["Versions"] = (
        "/** What this package was made for. */\nfinal class Versions {\n"
        f"    static final int ABI = {header.integers['MTOKEN_ABI_VERSION']};\n"
        f"    static final int NUMBER = {header.integers['MTOKEN_VERSION_NUMBER']};\n"
        f'    static final String TEXT = "{header.version}";\n'
        f"    static final int EVENT_FREE = {made.free('mtoken_event')};\n\n    private Versions() {{\n    }}\n}}"
    )
    return {name: _file(text) for name, text in found.items()}


def _file(text: str) -> str:
    if "@NotNull" in text or "@Nullable" in text:
        # Who reads the annotations has them; nobody else needs their module.
        text = re.sub(r"(?m)^(?=public (final class|record|enum) )", '@SuppressWarnings("exports")\n', text)
    code = re.sub(r"/\*\*.*?\*/", "", text, flags=re.DOTALL)
    imports = [line for line in _IMPORTS.splitlines() if re.search(rf"\b{line.rstrip(';').rsplit('.', 1)[1]}\b", code)]
    lines = [line for each in text.splitlines() for line in folded(each)]
    return "\n".join([_MADE, "package mtoken;", "", *imports, *([""] if imports else []), *lines]) + "\n"


def names(header: Header) -> str:
    """For the player of the conformance documents: how each function of C is called."""
    made = Interface(header)
    lines = []
    for call in made.calls:
        owner = type_name(call.owner) if call.owner else "MToken"
        kind = "static" if call.is_maker or not call.owner else "method"
        inputs = ",".join(item.name for item in call.inputs)
        outs = ",".join(item.name for item in call.outs)
        lines.append(f"call {call.c_name} {owner} {method_name(call)} {kind} {call.has_status} |{inputs}|{outs}")
    lines += [f"count {count} {','.join(arrays)}" for count, arrays in plan.counts(header).items()]
    lines += [f"constant {name} {value}" for name, value in header.integers.items() if value < 2**63]
    return "\n".join(lines) + "\n"


def files(header: Header) -> Dict[str, str]:
    """All that is built."""
    return {
        **{f"src/mtoken/{name}.java": text for name, text in sources(header).items()},
        "native/addresses.h": addresses(header),
        "native/calls.c": native(header),
        "names.txt": names(header),
    }
