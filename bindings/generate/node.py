# SPDX-License-Identifier: Apache-2.0
"""Node's layer: the tables of the addon (generated.c), the classes (generated.js) and their types (index.d.ts)."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Optional, Tuple

from . import describe, idiom, plan, words
from .idiom import Call
from .model import Enum, Header, Value
from .plan import camel, pascal, short

JSON = Dict[str, Any]

# What a program in JavaScript has no use for: memory is the binding's, and so are waiting and events. A store or sealer
# in JavaScript cannot be: it would have to answer while the thread that runs it waits for the library.
_HOSTS = ("mtoken_host_store", "mtoken_host_sealer")
_INTERNAL = {
    "mtoken_sealer_host_new",
    "mtoken_store_host_new",
    "mtoken_store_reply_set",
    "mtoken_store_names_add",
    "mtoken_task_set_user_data",
    "mtoken_task_user_data",
    "mtoken_event_take_challenge",
    "mtoken_runtime_next_event",
    "mtoken_runtime_interrupt",
    "mtoken_runtime_fd",
    "mtoken_challenge_client",
    "mtoken_challenge_task",
}
_NOT_IN_THE_ADDON = {
    "mtoken_sealer_host_new",
    "mtoken_store_host_new",
    "mtoken_store_reply_set",
    "mtoken_store_names_add",
    "mtoken_task_set_user_data",
    "mtoken_task_user_data",
}
_SLOTS = {"int32_t": "small_number", "double": "real", "int64_t": "number"}
# Members of an event that promises take the place of.
_OF_PROMISES = ("task", "tag")
_TYPES = {
    "int32_t": "TYPE_I32",
    "uint32_t": "TYPE_U32",
    "int64_t": "TYPE_I64",
    "uint64_t": "TYPE_U64",
    "size_t": "TYPE_SIZE",
    "double": "TYPE_REAL",
}
_REAL = ("TYPE_REAL", "TYPE_U64")
# Somebody else's number, which may need all 64 bits: a bigint then. Others are times, sizes and counts.
_EXACT = [("mtoken_json_value", "integer")]
# A text of a view that is the parameter as it was given: the string that the program has is taken, and not copied.
# Its other texts mostly are parts of it.
_GIVEN = {"mtoken_qr_operation": "payload"}
# Texts that mostly are another one of their struct, besides each `raw_` text.
_SAME = {("mtoken_operation_field", "value"): "amount"}
_NUL = {"mtoken_text": "OUT_TEXT", "mtoken_bytes": "OUT_BYTES"}


class _Form(words.Form):
    """TSDoc."""

    first, each, last = "/**", " * ", " */"

    def escape(self, text: str) -> str:
        return re.sub(r"([{}@<>\\])", r"\\\1", text).replace("*/", "* /")


FORM = _Form()
_ANSWERS = {"MTOKEN_YES": "true", "MTOKEN_NO": "false", "MTOKEN_UNSET": "null"}


class Generator:
    """One reading of the description, from which all three files come."""

    def __init__(self, header: Header):
        self.header = header
        self.description = describe.description(header)
        self.calls = [call for call in idiom.calls(self.description) if call.name not in _NOT_IN_THE_ADDON]
        self.structs: Dict[str, JSON] = {item["name"]: item for item in self.description["structs"]}
        self.struct_index = {name: index for index, name in enumerate(self.structs)}
        self.read = self._read()
        self.views = self._views()
        # What a program sees only if it asks by name: secrets, what proves who sends a request, and objects.
        self.hidden = {name: self._hidden(name) for name in self.read}
        self.index = {call.name: index for index, call in enumerate(self.calls)}
        self.handles: Dict[str, JSON] = {
            item["name"]: item
            for item in self.description["handles"]
            if item["name"] not in ("mtoken_store_reply", "mtoken_store_names")
        }
        self.said = self._said()

    def _said(self) -> words.Words:
        public = {call.name: _full_name(call) for call in self.public()}

        def value_of(enum: Enum, value: Value) -> str:
            if value.name.startswith("MTOKEN_ERROR_"):
                return pascal(value.name.removeprefix("MTOKEN_ERROR_").lower()) + "Error"
            return _ANSWERS.get(value.name) or f"{_title(enum.name)}.{value.name.removeprefix(enum.prefix)}"

        language = words.Language(
            type_of=_title,
            enum_of=lambda enum: _title(enum.name),
            value_of=value_of,
            call_of=lambda call: public.get(call.c_name, ""),
            member=camel,
            argument=camel,
            nothing={"": "null", "array": "an empty array", "texts": "an empty array"},
            by_hand={
                "mtoken_error": "MTokenError",
                "mtoken_error_is_operation_over": "MTokenError.isOperationOver",
                "mtoken_runtime_next_event": "Runtime.events",
            },
            task="of the promise",
        )
        return words.Words(self.header, language)

    def _about_member(self, struct: JSON, item: JSON) -> List[str]:
        return FORM.of(self.said.member_named(self.header.structs[struct["name"]], item["name"]), "  ")

    def _about_call(self, call: Call, indent: str = "") -> List[str]:
        said = self.said.call(plan.call(self.header, self.header.functions[call.name]))
        tags = [(f"@param {camel(item.name)} -", said.parameters.get(item.name, "")) for item in call.parameters]
        tags += [("@returns", said.returns), ("@throws", " ".join(said.failures()))]
        told = [f"{tag} {FORM.said(text)}" for tag, text in tags if text]
        return FORM.comment([*FORM.lines(said.blocks), *([""] if told else []), *told], indent)

    def _read(self) -> List[str]:
        """The structs that the library gives, and those within."""
        found = {name for name, struct in self.structs.items() if struct["kind"] == "result"}
        for name in list(found):
            found |= {
                item["type"]["name"]
                for item in self.structs[name]["members"]
                if item["role"] in ("struct", "array") and item["type"]["name"] in self.structs
            }
        return [name for name in self.structs if name in found]

    def _views(self) -> List[str]:
        """The structs that stay the library's: they, or one within, can be handed to it again. Others are copied."""
        handed = {"mtoken_event"}
        for call in self.calls:
            if not call.name.endswith("_free"):
                handed |= {item["type"]["name"] for item in call.described["parameters"] if item["role"] == "struct"}
        for struct in self.structs.values():
            if struct["kind"] == "option":
                handed |= {
                    item["type"]["name"]
                    for item in struct["members"]
                    if item["role"] == "struct" and item["type"]["pointers"]
                }
        handed.discard("mtoken_error")
        while True:
            more = {
                struct["name"]
                for struct in self.structs.values()
                if struct["kind"] == "result"
                and any(
                    item["role"] in ("struct", "array") and item["type"]["name"] in handed for item in struct["members"]
                )
            }
            if more <= handed:
                return [name for name in self.structs if name in handed]
            handed |= more

    def _hidden(self, name: str) -> List[str]:
        shown = [item.name for item in plan.shown(self.header, self.header.structs[name])]
        return [item["name"] for item in self._readable(self.structs[name]) if item["name"] not in shown]

    def is_class(self, name: str) -> bool:
        """Whether its objects have private members; others are object literals."""
        return name in self.views or bool(self.hidden[name])

    # generated.c

    def native(self) -> str:
        lines = [
            "/* Generated by bindings/generate from the header. */",
            '#include "flat.h"',
            "",
            "#include <mtoken.h>",
            "#include <mtoken/extra.h>",
            "",
            f"void *addresses[{len(self.calls)}];",
            f"const int function_count = {len(self.calls)};",
            f"const int struct_count = {len(self.structs)};",
            f"const int error_struct = {self.struct_index['mtoken_error']};",
            f"const int event_struct = {self.struct_index['mtoken_event']};",
        ]
        flat = [self.structs[name] for name in self.read]
        lines += ["", *(f"static int32_t flat_{item['name']}(flat *into, const void *from);" for item in flat)]
        for struct in flat:
            lines += self._flat(struct)
        for struct in self.structs.values():
            if struct["kind"] == "fixed" and struct["name"] not in _NUL:
                lines += self._steps(f"elements_{struct['name']}", self._option_steps(struct))
        lines += ["", "const described_struct structs[] = {"]
        for struct in self.structs.values():
            name = struct["name"]
            steps = f"elements_{name}" if struct["kind"] == "fixed" and name not in _NUL else "0"
            put = f"flat_{name}" if name in self.read else "0"
            given = next((item for item in struct["members"] if item["name"] == _GIVEN.get(name)), None)
            whole = f"offsetof({name}, {given['name']}), offsetof({name}, {given['pair']})" if given else "0, 0"
            lines.append(f'    {{"{name}", sizeof({name}), {whole}, {put}, {steps}}},')
        lines.append("};")
        for index, call in enumerate(self.calls):
            lines += self._call(index, call)
        lines += ["", "const described_function functions[] = {"]
        lines += [f"    {self._row(index, call)}," for index, call in enumerate(self.calls)]
        return "\n".join([*lines, "};"]) + "\n"

    @staticmethod
    def _readable(struct: JSON) -> List[JSON]:
        """The members that a program sees. Lengths and counts are within what they belong to."""
        if struct["kind"] == "option":
            return []
        skipped = ("length", "count", "struct_size", "reserved")
        return [item for item in struct["members"] if item["role"] not in skipped]

    def _copied(self, struct: JSON) -> List[JSON]:
        """The members that a row has."""
        return [item for item in self._readable(struct) if item["name"] != _GIVEN.get(struct["name"])]

    def _flat(self, struct: JSON) -> List[str]:
        """The function that writes its row: flat.h says how."""
        name = struct["name"]
        rows: List[str] = []
        places: Dict[str, int] = {}
        slot = self._first_slot(struct)
        if slot:
            rows.append("slot[0] = put_real(into, (double)(uintptr_t)s)")
        for item in self._copied(struct):
            places[item["name"]] = slot
            other = self._mostly_same(item, struct)
            if other:
                place = f"slot + {places[other]}"
                rows.append(f"put_again(into, slot + {slot}, s->{item['name']}, s->{other}, {place})")
            else:
                rows.append(self._put(item, slot, (name, item["name"]) in _EXACT))
            slot += self._slots(item)
        return [
            "",
            f"static int32_t flat_{name}(flat *into, const void *from)",
            "{",
            f"    const {name} *s = from;",
            f"    size_t row = put_row(into, {slot});",
            "    int32_t *slot = into->slots + row;",
            *(f"    {row};" for row in rows),
            "    return (int32_t)row;",
            "}",
        ]

    def _first_slot(self, struct: JSON) -> int:
        """Of its members. Before those of a view is its address."""
        return int(struct["name"] in self.views)

    @staticmethod
    def _mostly_same(item: JSON, struct: JSON) -> Optional[str]:
        """The member before it that a text mostly is too: title, for raw_title."""
        other = _SAME.get((struct["name"], item["name"]), item["name"].removeprefix("raw_"))
        before = struct["members"][: struct["members"].index(item)]
        return next((text["name"] for text in before if text["role"] == "text" and text["name"] == other), None)

    def _put(self, item: JSON, slot: int, is_exact: bool) -> str:
        place, at = f"s->{item['name']}", f"slot + {slot}"
        count = f"s->{item['pair']}" if item.get("pair") else ""
        role = item["role"]
        inner = f"flat_{item['type']['name']}"
        if role == "value":
            type_name = self._value_type(item)
            if type_name in _REAL:
                return f"slot[{slot}] = put_real(into, (double){place})"
            is_small = type_name in ("TYPE_I32", "TYPE_U32", "TYPE_BOOL", "TYPE_ANSWER")
            put = "put_exact" if is_exact else "put_whole"
            return f"slot[{slot}] = " + (f"(int32_t){place}" if is_small else f"{put}(into, (int64_t){place})")
        if role == "text":
            return f"put_sized(into, {at}, {place}, {count})" if count else f"put_text(into, {at}, {place})"
        if role == "bytes":
            return f"put_bytes(into, {at}, {place}, {count or 16})"
        if role == "array" and item["type"]["kind"] == "struct":
            return f"put_structs(into, {at}, (const void *const *){place}, {count}, {inner})"
        if role == "array":
            return f"put_texts(into, {at}, {place}, {count})"
        if role in ("struct", "options"):
            return f"slot[{slot}] = {place} ? {inner}(into, {place}) : 0"
        return f"slot[{slot}] = put_real(into, (double)(uintptr_t){place})"

    @staticmethod
    def _value_type(item: JSON) -> str:
        if item.get("bool"):
            return "TYPE_BOOL"
        if item.get("values") == "mtoken_answer":
            return "TYPE_ANSWER"
        return _TYPES[item["type"]["scalar"]]

    # Arguments: each step takes one argument of JavaScript, but for STEP_CLOSE.

    def _option_steps(self, struct: JSON) -> List[str]:
        name = struct["name"]
        found: List[str] = []
        for item in struct["members"]:
            role, kind = item["role"], item["type"]
            place = f"offsetof({name}, {item['name']})"
            label = camel(item["name"])
            secret = "1" if item.get("secret") else "0"
            if role in ("struct_size", "reserved", "count", "length", "host_pointer", "callback"):
                continue
            if role == "value":
                found.append(f'{{MEMBER_VALUE, {self._value_type(item)}, 0, {place}, 0, -1, "{label}"}}')
            elif role == "text" and kind["kind"] == "struct":
                found.append(f'{{MEMBER_TEXT, 0, {secret}, {place}, 0, -1, "{label}"}}')
            elif role == "text":
                found.append(f'{{MEMBER_CHARS, 0, 0, {place}, 0, -1, "{label}"}}')
            elif role == "bytes":
                found.append(f'{{MEMBER_BYTES, 0, 0, {place}, 0, -1, "{label}"}}')
            elif role == "handle":
                found.append(f'{{MEMBER_HANDLE, 0, 0, {place}, 0, -1, "{label}"}}')
            elif role == "array":
                element = -1 if kind["name"] == "mtoken_text" else self.struct_index[kind["name"]]
                other = f"offsetof({name}, {item['pair']})"
                found.append(f'{{MEMBER_ARRAY, 0, 0, {place}, {other}, {element}, "{label}"}}')
            elif role == "options":
                inner = self.structs[kind["name"]]
                found.append(f'{{MEMBER_OPTIONS, 0, 0, {place}, sizeof({kind["name"]}), -1, "{label}"}}')
                found += self._option_steps(inner)
                found.append('{STEP_CLOSE, 0, 0, 0, 0, -1, ""}')
            elif role == "struct":
                element = self.struct_index[kind["name"]]
                found.append(f'{{MEMBER_VIEW, 0, 0, {place}, 0, {element}, "{label}"}}')
            else:
                raise ValueError(f"{name}.{item['name']}: {role}")
        return found

    @staticmethod
    def _steps(name: str, rows: List[str]) -> List[str]:
        return [
            "",
            f"static const step {name}[] = {{",
            *(f"    {row}," for row in rows),
            "    {0, 0, 0, 0, 0, 0, 0},",
            "};",
        ]

    def _call(self, index: int, call: Call) -> List[str]:
        """The steps of its arguments, and the function that hands them over."""
        steps: List[str] = []
        handed: List[str] = []
        parameters = call.described["parameters"]
        for place, item in enumerate(parameters, 1):
            role, kind = item["role"], item["type"]
            label = camel(item["name"])
            value = f"s[{place}]"
            if role == "handle":
                steps.append(f'{{STEP_HANDLE, 0, 0, {place}, 0, -1, "{label}"}}')
                handed.append(f"({kind['c']}){value}.pointer")
            elif role in ("text", "bytes"):
                secret = "1" if item.get("secret") else "0"
                step = "STEP_TEXT" if role == "text" else "STEP_BYTES"
                steps.append(f'{{{step}, 0, {secret}, {place}, 0, -1, "{label}"}}')
                handed.append(f"({kind['c']}){value}.constant")
            elif role in ("length", "count"):
                handed.append(f"(size_t){value}.unsigned_number")
            elif role == "value":
                steps.append(f'{{STEP_VALUE, {self._value_type(item)}, 0, {place}, 0, -1, "{label}"}}')
                field = {"int32_t": "small_number", "double": "real", "int64_t": "number"}.get(
                    kind["scalar"], "unsigned_number"
                )
                handed.append(f"({kind['c']}){value}.{field}")
            elif role == "options":
                steps.append(f'{{STEP_OPTIONS, 0, 0, {place}, sizeof({kind["name"]}), -1, "{label}"}}')
                steps += self._option_steps(self.structs[kind["name"]])
                steps.append('{STEP_CLOSE, 0, 0, 0, 0, -1, ""}')
                handed.append(f"({kind['c']}){value}.constant")
            elif role == "array":
                count = next(at for at, other in enumerate(parameters, 1) if other["name"] == item["pair"])
                steps.append(f'{{STEP_ARRAY, 0, 0, {place}, {count}, {self.struct_index[kind["name"]]}, "{label}"}}')
                handed.append(f"({kind['c']}){value}.constant")
            elif role == "struct":
                steps.append(f'{{STEP_VIEW, 0, 0, {place}, 0, {self.struct_index[kind["name"]]}, "{label}"}}')
                handed.append(f"({kind['c']}){value}.pointer")
            elif role == "out_value":
                handed.append(f"({kind['c']})&{value}")
            else:
                handed.append(f"({kind['c']})&{value}.pointer")
        result = call.described["result"]
        function = f"((__typeof__(&{call.name}))addresses[{index}])({', '.join(handed)})"
        if result["role"] == "nothing":
            body = f"    (void)s;\n    {function};"
        elif result["type"]["pointers"]:
            body = f"    s[0].constant = {function};"
        else:
            field = "real" if result["type"].get("scalar") == "double" else "number"
            body = f"    s[0].{field} = {function};"
        return [
            *self._steps(f"steps_{index}", steps),
            "",
            f"static void call_{index}(slot *s) {{",
            body,
            "}",
        ]

    def _row(self, index: int, call: Call) -> str:
        parameters = call.described["parameters"]
        error = next((place for place, item in enumerate(parameters, 1) if item["role"] == "error"), -1)
        is_status = call.described["result"]["role"] == "status"
        outs: List[str] = []
        if not is_status:
            outs += self._result(call)
        for place, item in enumerate(parameters, 1):
            if item["role"].startswith("out_"):
                outs.append(self._out(place, item))
        text = ", ".join(outs) or "{0, 0, 0, -1, -1}"
        return (
            f'{{"{call.name}", call_{index}, steps_{index}, {int(is_status)}, {error}, '
            f"{self._counted(call)}, {int(call.name.endswith('_free'))}, {len(outs)}, {{{text}}}}}"
        )

    def _counted(self, call: Call) -> int:
        return len(self.arguments(call))

    def arguments(self, call: Call) -> List[JSON]:
        """What the addon's function takes, flat: parameters, and the members of options with a number before them that
        says which are given."""
        found: List[JSON] = []
        for item in call.described["parameters"]:
            role = item["role"]
            if role in ("length", "count", "error") or role.startswith("out_"):
                continue
            if role == "options":
                found += self._options(item["name"], self.structs[item["type"]["name"]])
            else:
                found.append({"path": [item["name"]], **item})
        return found

    def _options(self, path: str, struct: JSON) -> List[JSON]:
        asked = [name for name in self.option_names(struct) if self._role(struct, name) != "options"]
        found: List[JSON] = [{"path": [path], "role": "present", "members": asked}]
        for item in struct["members"]:
            if item["role"] in ("struct_size", "reserved", "count", "length", "host_pointer", "callback"):
                continue
            if item["role"] == "options":
                inner = self._options(item["name"], self.structs[item["type"]["name"]])
                found += [{**part, "path": [path, *part["path"]]} for part in inner]
            else:
                found.append({**item, "path": [path, item["name"]]})
        return found

    @staticmethod
    def _role(struct: JSON, name: str) -> str:
        return next(str(item["role"]) for item in struct["members"] if item["name"] == name)

    def _result(self, call: Call) -> List[str]:
        result = call.described["result"]
        role, kind = result["role"], result["type"]
        if role == "value":
            return [f"{{OUT_VALUE, {self._value_type(result)}, 0, -1, -1}}"]
        if role == "text":
            return ["{OUT_CHARS, 0, 0, -1, -1}"]
        if role == "handle":
            free = self.handles[kind["name"]]["free"] if result.get("owner") == "caller" else None
            return [f"{{OUT_HANDLE, 0, 0, -1, {self.index[free] if free else -1}}}"]
        if role == "struct":
            name = kind["name"]
            if name in _NUL:
                return [f"{{{_NUL[name]}, 1, 0, -1, -1}}"]
            lent = "OUT_LENT" if call.owner == "mtoken_task" or self._is_lent(result) else "OUT_COPIED"
            return [f"{{{lent}, 0, 0, {self.struct_index[name]}, -1}}"]
        return []

    def _is_lent(self, item: JSON) -> bool:
        """Whether it is a struct within another one that the program holds. What lives in a handle is copied instead:
        the handle may be closed at any time."""
        return item["role"] == "struct" and item["type"]["name"] in self.views and item.get("lifetime") == "list"

    def _out(self, place: int, item: JSON) -> str:
        role, kind = item["role"], item["type"]
        name = kind["name"]
        if role == "out_handle":
            free = self.handles[name]["free"]
            return f"{{OUT_HANDLE, 0, {place}, -1, {self.index[free]}}}"
        if role == "out_struct":
            if name in _NUL:
                return f"{{{_NUL[name]}, 0, {place}, -1, {self.index[name + '_free']}}}"
            if item.get("free"):
                kind_name = "OUT_OWNED" if name in self.views else "OUT_COPIED_AND_FREED"
                return f"{{{kind_name}, 0, {place}, {self.struct_index[name]}, {self.index[item['free']]}}}"
            return f"{{OUT_COPIED, 0, {place}, {self.struct_index[name]}, -1}}"
        return f"{{OUT_VALUE, {self._value_type(item)}, {place}, -1, -1}}"

    # generated.js

    def script(self) -> str:
        lines = [
            "// Generated by bindings/generate from the header.",
            "'use strict'",
            "const core = require('./core.js')",
            "const { raw, Handle, KEY, number, handle, view, elements, known, ready, start, LOOP } = core",
            "",
            "const enums = {}",
        ]
        for enum in self.description["enums"]:
            values = ", ".join(f"{_constant(item['short'])}: {item['value']}" for item in enum["values"])
            lines.append(f"enums.{enum_name(enum)} = Object.freeze({{ {values} }})")
        lines += [
            "",
            "// Plain objects: `n` has a row of whole numbers for each struct (see flat.h), `t` all texts.",
            "const make_of = core.setMakers(({ whole: n, reals, exact, bytes }) => {",
            "  const texts = (t, at, count) => { if (count === 0) return []; const found = new Array(count); "
            "for (let index = 0; index < count; index++, at += 2) found[index] = t.substring(n[at], n[at + 1]); "
            "return found }",
        ]
        for name in self.read:
            if name in _GIVEN:
                continue
            given = "t, at, held" if name in self.views else "t, at"
            lines.append(f"  const make_{short(name)} = ({given}) => {self._maker(self.structs[name], 'at + ')}")
            # One for each kind, so that what makes an element is known where it is called.
            made = f"make_{short(name)}({given.replace('at', 'n[at + index]')})"
            lines.append(
                f"  const many_{short(name)} = ({given.replace('at', 'at, count')}) => {{ if (count === 0) return []; "
                "const found = new Array(count); for (let index = 0; index < count; index++) "
                f"found[index] = {made}; return found }}"
            )
        # The first row is at 0: what is read at places that are known needs no check.
        for name in self.read:
            lines.append(f"  const first_{short(name)} = (t, held, given) => {self._maker(self.structs[name], '')}")
        makers = ", ".join(f"first_{short(name)}" if name in self.read else "null" for name in self.structs)
        lines += [
            f"  return [{makers}]",
            "}, enums.Status)",
            "const made_of = (index, flat) => (flat === null ? null : make_of(flat, index))",
        ]
        for name in self.read:
            if self.is_class(name):
                lines += self._class(self.structs[name])
        for struct in self.structs.values():
            if struct["kind"] == "option" and struct["name"] not in _HOSTS:
                names = ", ".join(f"'{camel(name)}'" for name in self.option_names(struct))
                lines.append(f"const names_{short(struct['name'])} = new Set([{names}])")
        for name in self.handles:
            if name != "mtoken_task":
                lines += self._handle_class(name)
        lines += self._functions()
        exported = [pascal(short(name)) for name in self.handles if name != "mtoken_task"]
        exported += [pascal(short(name)) for name in self.views]
        lines += ["", f"module.exports = {{ ...enums, enums, {', '.join(exported)}, ...functions }}"]
        return "\n".join(lines) + "\n"

    @staticmethod
    def _slots(item: JSON) -> int:
        """How many whole numbers a member has in the row of its struct."""
        return 2 if item["role"] in ("text", "bytes", "array") else 1

    def _maker(self, struct: JSON, at: str) -> str:
        """The body of a function that makes a result. It has all values before it makes the object: with one that
        is there before, V8 has to ask at each whether its collector must know of it."""
        made, names, values = [], [], []
        slot = self._first_slot(struct)
        if struct["name"] in _GIVEN:
            values.append("given")
        for item in self._copied(struct):
            value = self._made(item, at, slot, (struct["name"], item["name"]) in _EXACT)
            other = self._mostly_same(item, struct)
            if other:
                value = f"n[{at}{slot}] === -2 ? _{other} : {value}"
            made.append(f"_{item['name']} = {value}")
            names.append(f"{camel(item['name'])}: _{item['name']}")
            values.append(f"_{item['name']}")
            slot += self._slots(item)
        if struct["name"] in self.views:
            values = ["KEY", "held", f"reals[n[{at}0]]", *values]
        result = f"{{ {', '.join(names)} }}"
        if self.is_class(struct["name"]):
            result = f"new {_title(struct['name'])}({', '.join(values)})"
        return f"{{ const {', '.join(made)}; return {result} }}"

    def _made(self, item: JSON, at: str, slot: int, is_exact: bool) -> str:
        role, kind = item["role"], item["type"]["name"]
        here, after = f"n[{at}{slot}]", f"n[{at}{slot + 1}]"
        held = ", held" if kind in self.views else ""
        if role == "value":
            if item.get("bool"):
                return f"{here} !== 0"
            if item.get("values") == "mtoken_answer":
                return f"{here} < 0 ? null : {here} !== 0"
            kind = self._value_type(item)
            if kind in _REAL:
                return f"reals[{here}]"
            forms = {"TYPE_I32": here, "TYPE_U32": f"{here} >>> 0"}
            large = f"exact(-1 - {here})" if is_exact else f"reals[-1 - {here}]"
            return forms.get(kind, f"{here} < 0 ? {large} : {here}")
        if role == "text":
            text = f"t.substring({here}, {after})"
            return f"{here} < 0 ? null : {text}" if item.get("nullable") else text
        if role == "bytes":
            return f"bytes({here}, {after})"
        if role == "array":
            struct = item["type"]["kind"] == "struct"
            return f"many_{short(kind)}(t, {here}, {after}{held})" if struct else f"texts(t, {here}, {after})"
        if role in ("struct", "options"):
            return f"{here} === 0 ? null : make_{short(kind)}(t, {here}{held})"
        return f"reals[{here}]"

    @staticmethod
    def option_names(struct: JSON) -> List[str]:
        skipped = ("struct_size", "reserved", "count", "length", "host_pointer", "callback")
        return [item["name"] for item in struct["members"] if item["role"] not in skipped]

    def _class(self, struct: JSON) -> List[str]:
        """What a program does not see unless it asks is private: no copy, no text and no comparison has it."""
        name, title = struct["name"], _title(struct["name"])
        is_view, is_event, hidden = name in self.views, name == "mtoken_event", self.hidden[name]
        items = [item for item in self._readable(struct) if not (is_event and item["name"] in _OF_PROMISES)]
        items.sort(key=lambda item: item["name"] != _GIVEN.get(name))
        place = {item["name"]: ("#" if item["name"] in hidden else "") + camel(item["name"]) for item in items}
        given = [f"_{item['name']}" for item in self._readable(struct)]
        given.sort(key=lambda item: item != f"_{_GIVEN.get(name)}")
        lines = ["", f"class {title} {{", *(f"  {at}" for at in place.values() if at.startswith("#"))]
        if is_view:
            lines += ["  #held", "  #base"]
            given = ["key", "held", "base", *given]
        lines.append(f"  constructor({', '.join(given)}) {{")
        if is_view:
            lines += [f"    if (key !== KEY) core.refuse('{title}')", "    this.#held = held", "    this.#base = base"]
        lines += [*(f"    this.{at} = _{item}" for item, at in place.items()), "  }"]
        if is_view:
            index = self.struct_index[name]
            lines += [
                f"  static {{ core.viewed(this, {index}, (object) => object.#held, (object) => object.#base) }}",
                "  close() { core.end(this.#held, this.#base) }",
            ]
        for item in items:
            if item["name"] in hidden:
                value = f"this.{place[item['name']]}"
                if item["role"] == "handle":
                    value = f"core.objectOf('{_title(item['type']['name'])}', {value})"
                lines.append(f"  get {camel(item['name'])}() {{ return {value} }}")
        return [*lines, "}", f"core.classes.{title} = {title}"]

    def _argument(self, item: JSON) -> str:
        """One flat argument, from the parameters of a method."""
        path = [camel(part) for part in item["path"]]
        role = item["role"]
        if role == "present":
            # Bits of members that are given: beyond 31 they are a number, but no operand of |.
            own = ".".join(path)
            join = " | " if len(item["members"]) < 31 else " + "
            bits = join.join(
                f"({own}.{camel(name)} != null ? {1 << bit} : 0)" for bit, name in enumerate(item["members"])
            )
            return f"{'?.'.join(path)} == null ? -1 : {bits or 0}"
        value = "?.".join(path)
        if role == "handle":
            return f"handle({value}, '{pascal(short(item['type']['name']))}', '{path[-1]}')"
        if role == "struct":
            kind = item["type"]["name"]
            return f"view({value}, {pascal(short(kind))}, {self.struct_index[kind]}, '{path[-1]}')"
        if role == "array" and item["type"]["name"] != "mtoken_text":
            names = ", ".join(f"'{camel(name)}'" for name in self.option_names(self.structs[item["type"]["name"]]))
            return f"elements({value}, [{names}], '{path[-1]}')"
        return value

    def _checks(self, call: Call) -> List[str]:
        found: List[str] = []

        def check(path: str, struct: JSON, nullable: bool) -> None:
            found.append(
                f"known({path}, names_{short(struct['name'])}, '{path.split('?.')[-1]}', {str(not nullable).lower()})"
            )
            for item in struct["members"]:
                if item["role"] == "options":
                    check(f"{path}?.{camel(item['name'])}", self.structs[item["type"]["name"]], True)

        for item in call.described["parameters"]:
            if item["role"] == "options":
                check(camel(item["name"]), self.structs[item["type"]["name"]], bool(item.get("nullable")))
        return found

    def _wrapped(self, call: Call, value: str, owner: str, flat: bool = True) -> str:
        """The result of the addon's function as the method gives it."""
        outs = list(call.outs)
        result = call.described["result"]
        if result["role"] not in ("status", "nothing"):
            outs.insert(0, result)
        if len(outs) == 1:
            return self._one(outs[0], value, owner, flat, call.described["parameters"])
        if len(outs) > 1:
            members = ", ".join(
                f"{_given_name(item)}: " + self._one(item, f"found[{index}]", owner, flat, call.described["parameters"])
                for index, item in enumerate(outs)
            )
            return f"((found) => ({{ {members} }}))({value})"
        return value

    def _one(self, item: JSON, value: str, owner: str, flat: bool, given: List[JSON]) -> str:
        role, kind = item["role"], item["type"]["name"]
        if role in ("out_handle", "handle"):
            return f"core.made(new {pascal(short(kind))}(KEY, {value}), {owner})"
        if self._is_lent(item):
            owner = next(each["type"]["name"] for each in given if each["name"] == item["lifetime"])
            places = f"{self.struct_index[kind]}, {value}, {camel(item['lifetime'])}, {self.struct_index[owner]}"
            return f"core.lent({places})"
        if kind in self.views and role == "out_struct":
            more = f", {camel(_GIVEN[kind])}" if kind in _GIVEN else ""
            made = f"core.owned({self.struct_index[kind]}, {value}{more})"
            return f"(core.begin(), {made})" if flat else made
        if flat and role in ("struct", "out_struct") and kind not in _NUL:
            return f"made_of({self.struct_index[kind]}, {value})"
        return value

    def _finish(self, call: Call) -> str:
        """What makes a task's result; it frees the task, or hands it to what it makes."""
        if call.name == "mtoken_client_take_turn":
            return "(task) => new core.Turn(KEY, task)"
        if call.name == "mtoken_client_encrypt":
            index = self.struct_index["mtoken_encrypted_request"]
            request = f"raw.whole(raw.mtoken_task_encrypted_request(task), {index})"
            return f"(task) => new core.EncryptedRequest(KEY, task, {request})"
        if not call.getters:
            return "core.nothing"
        if len(call.getters) == 1:
            getter = call.getters[0]
            kind = getter["result"]["type"]["name"]
            if kind in self.views:
                free = self.index["mtoken_task_free"]
                return f"(task) => core.adopted({self.struct_index[kind]}, raw.{getter['name']}(task), task, {free})"
            return f"(task) => core.taken(task, {self._got(getter)})"
        members = ", ".join(
            f"{camel(item['name'].removeprefix('mtoken_task_'))}: {self._got(item)}" for item in call.getters
        )
        return f"(task) => core.taken(task, {{ {members} }})"

    def _got(self, getter: JSON) -> str:
        kind = getter["result"]["type"]["name"]
        if getter["result"]["role"] == "struct" and kind not in _NUL:
            return f"core.whole(raw.{getter['name']}(task), {self.struct_index[kind]})"
        return f"raw.{getter['name']}(task)"

    def _arguments(self, call: Call, this: str) -> List[Tuple[str, str]]:
        """What the addon's function is given; before each, the parameter that it is of."""
        arguments = []
        for item in self.arguments(call):
            if call.owner and item["path"] == [call.described["parameters"][0]["name"]] and item["role"] == "handle":
                arguments.append((item["path"][0], f"number({this})"))
            else:
                arguments.append((item["path"][0], self._argument(item)))
        return arguments

    def _body(self, call: Call, this: str) -> Tuple[str, List[str], str]:
        """Parameters, checks and arguments of a method."""
        parameters = [camel(item.name) for item in call.parameters]
        arguments = [value for _, value in self._arguments(call, this)]
        return ", ".join(parameters), self._checks(call), ", ".join(arguments)

    def _called(self, call: Call, this: str) -> str:
        """The call of the addon's function: without what stands for its options where there are none, which it would
        look at one by one."""
        arguments = self._arguments(call, this)
        whole = f"raw.{call.name}({', '.join(value for _, value in arguments)})"
        last = call.parameters[-1].described if call.parameters else {}
        if last.get("role") != "options" or not last.get("nullable"):
            return whole
        short = ", ".join(value for path, value in arguments if path != last["name"])
        return f"({camel(last['name'])} == null ? raw.{call.name}({short}) : {whole})"

    def _method(self, call: Call, this: str, prefix: str = "  ") -> List[str]:
        parameters, checks, arguments = self._body(call, this)
        method = camel(call.method)
        static = prefix.replace("  ", "  static ") if call.maker and prefix.strip() == "" else prefix
        owner = this if call.owner else "null"
        if call.maker:
            owner = next((camel(item.name) for item in call.parameters if item.role == "handle"), "null")
        begin = [f"    {line}" for line in checks]
        end = "  }" + ("," if prefix == "    " else "")
        if call.starts_task:
            given = f"{parameters}, call" if parameters else "call"
            return [*self._started(call, this, f"{prefix}async {method}({given}) {{", begin, arguments, owner), end]
        if call.described["blocks"]:
            wrapped = self._wrapped(call, "found", owner, flat=False)
            return [
                f"{static}async {method}({parameters}) {{",
                *begin,
                f"    const found = await core.traced(raw.{call.name}_elsewhere({arguments}))",
                f"    return {wrapped}",
                end,
                f"{static}{method}Sync({parameters}) {{",
                *begin,
                f"    return {self._wrapped(call, self._called(call, this), owner)}",
                end,
            ]
        return [
            f"{static}{method}({parameters}) {{",
            *begin,
            f"    return {self._wrapped(call, self._called(call, this), owner)}",
            end,
        ]

    def _started(self, call: Call, this: str, head: str, begin: List[str], arguments: str, owner: str) -> List[str]:
        """A call that starts a task."""
        if call.owner == "mtoken_client":  # the call's own options are those of a handle of its own
            path = ".".join([*([camel(call.group)] if call.group else []), camel(call.method)])
            given = ", ".join([*(camel(item.name) for item in call.parameters), "rest"])
            run = f"(client, rest) => client.{path}({given})"
            begin = [f"    if (core.optioned(call)) return core.through({this}, call, {run})", *begin]
        begin = [*begin, "    const signal = ready(call)"]
        finish = self._finish(call)
        if call.outs:  # mtoken_oidc_listen gives the request, and the task beside it
            return [
                head.replace("async ", "", 1),
                *begin,
                f"    const [request, task] = raw.{call.name}({arguments})",
                f"    const made = core.made(new OidcRequest(KEY, request), {owner})",
                f"    made.completed = start({this}, task, {finish}, signal)",
                "    made.completed.catch(() => {}) // a request that is left alone ends nothing",
                "    return made",
            ]
        # Some have a result also when they fail.
        tells = ", true" if [item["name"] for item in call.getters] == ["mtoken_task_mobile_auth"] else ""
        task = f"raw.{call.name}({arguments})"
        if call.described["blocks"]:
            task = f"await core.traced(raw.{call.name}_elsewhere({arguments}))"
        return [
            head,
            *begin,
            f"    return start({this}, {task}, {finish}, signal{tells})",
        ]

    def public(self) -> List[Call]:
        """The functions that a program calls: none that frees, waits, or reads a task."""
        return [
            call
            for call in self.calls
            if call.name not in _INTERNAL
            and not call.name.endswith("_free")
            and call.owner != "mtoken_task"
            and call.name != "mtoken_error_is_operation_over"
        ]

    def methods(self, handle: str, group: Optional[str] = None) -> List[Call]:
        return [call for call in self.public() if call.owner == handle and call.group == group]

    def makers(self, handle: str) -> List[Call]:
        return [call for call in self.public() if call.maker == handle]

    def groups(self, handle: Optional[str]) -> List[str]:
        found = [call.group for call in self.public() if call.owner == handle and call.group and not call.maker]
        return list(dict.fromkeys(found))

    def _handle_class(self, name: str) -> List[str]:
        title = pascal(short(name))
        lines = []
        for group in self.groups(name):
            lines += [
                "",
                f"class {title}{pascal(group)} {{",
                "  #owner",
                "  constructor(owner) { this.#owner = owner }",
            ]
            for call in self.methods(name, group):
                lines += self._method(call, "this.#owner")
            lines.append("}")
        lines += ["", f"class {title} extends Handle {{"]
        lines.append(f"  constructor(key, value) {{ super(key, value, '{self.handles[name]['free']}') }}")
        for call in self.makers(name):
            lines += self._method(call, "this")
        for group in self.groups(name):
            lines.append(f"  #{camel(group)}")
            lines.append(
                f"  get {camel(group)}() {{ return (this.#{camel(group)} ??= new {title}{pascal(group)}(this)) }}"
            )
        for call in self.methods(name):
            lines += self._method(call, "this")
        return [*lines, "}", f"core.classes.{title} = {title}"]

    def _functions(self) -> List[str]:
        lines = ["", "const functions = {"]
        for call in self.public():
            if call.owner is None and call.group is None and not call.maker:
                lines += self._method(call, "null", "    ")
        for group in self.groups(None):
            lines.append(f"  {camel(group)}: {{")
            for call in self.public():
                if call.owner is None and call.group == group and not call.maker:
                    lines += self._method(call, "null", "    ")
            lines.append("  },")
        return [*lines, "}"]

    # index.d.ts

    def types(self) -> str:
        lines = ["// Generated by bindings/generate from the header.", "", '/// <reference types="node" />', ""]
        lines += [_TYPES_BEGIN.strip("\n"), ""]
        for enum, made in zip(self.description["enums"], self.header.enums.values()):
            name = enum_name(enum)
            lines += [*FORM.of(self.said.of(made.doc)), f"export declare const {name}: {{"]
            for value, one in zip(enum["values"], made.values):
                lines += [
                    *FORM.of(self.said.value(made, one), "  "),
                    f"  readonly {_constant(value['short'])}: {value['value']}",
                ]
            lines += ["}", f"export type {name} = number", ""]
        for struct in self.structs.values():
            lines += self._struct_types(struct)
        for name in self.handles:
            if name != "mtoken_task":
                lines += self._handle_types(name)
        for call in self.public():
            if call.owner is None and call.group is None and not call.maker:
                for line in self._signatures(call):
                    lines += [*self._about_call(call), f"export declare function {line}"]
        for group in self.groups(None):
            lines += ["", f"export declare const {camel(group)}: {{"]
            for call in self.public():
                if call.owner is None and call.group == group and not call.maker:
                    for line in self._signatures(call):
                        lines += [*self._about_call(call, "  "), f"  {line}"]
            lines.append("}")
        return "\n".join(lines) + "\n"

    def _struct_types(self, struct: JSON) -> List[str]:
        name, title = struct["name"], pascal(short(struct["name"]))
        if name in (*_NUL, *_HOSTS, "mtoken_error"):
            return []
        given = struct["kind"] != "result"
        skipped = ("struct_size", "reserved", "count", "length", "host_pointer", "callback")
        members = [item for item in struct["members"] if item["role"] not in skipped]
        if name == "mtoken_event":
            members = [item for item in members if item["name"] not in _OF_PROMISES]
        kind = f"export declare class {title}" if name in self.views else f"export interface {title}"
        lines = [*FORM.of(self.said.of(self.header.structs[name].doc)), f"{kind} {{"]
        if name in self.views:
            lines.append("  private constructor()")
        for item in members:
            is_required = given and bool(item.get("required"))
            optional = "?" if given and (struct["kind"] == "option" or item.get("nullable")) and not is_required else ""
            lines += [
                *self._about_member(struct, item),
                f"  readonly {camel(item['name'])}{optional}: "
                + self._type_of({**item, "nullable": item.get("nullable") and not is_required}, given)
                + (" | bigint" if (name, item["name"]) in _EXACT else ""),
            ]
        if name in self.views:
            lines += _CLOSE
        return [*lines, "}", ""]

    def _type_of(self, item: JSON, given: bool = False) -> str:
        role, kind = item["role"], item["type"]
        name = kind["name"]
        if role in ("value", "out_value"):
            if item.get("bool"):
                return "boolean"
            if item.get("values") == "mtoken_answer" and not given:
                return "boolean | null"
            if item.get("values"):
                return pascal(short(item["values"]))
            return "number | bigint" if given and kind.get("scalar") in ("int64_t", "uint64_t") else "number"
        if role == "array":
            if kind["kind"] != "struct" or name == "mtoken_text":
                return "readonly string[]"
            return f"readonly {pascal(short(name))}[]"
        if name == "mtoken_text" or role == "text":
            text = "string | Uint8Array" if given and item.get("secret") else "string"
        elif name == "mtoken_bytes" or role == "bytes":
            text = "Uint8Array" if given else "Buffer"
        elif name == "mtoken_error":
            text = "ErrorDetails"
        else:
            text = pascal(short(name))
        return f"{text} | null" if item.get("nullable") else text

    def _handle_types(self, name: str) -> List[str]:
        title = pascal(short(name))
        lines = []
        for group in self.groups(name):
            lines.append(f"export interface {title}{pascal(group)} {{")
            for call in self.methods(name, group):
                for line in self._signatures(call):
                    lines += [*self._about_call(call, "  "), f"  {line}"]
            lines += ["}", ""]
        lines += [
            *FORM.of(self.said.of(self.header.handles[name].doc)),
            f"export declare class {title} extends Handle {{",
        ]
        for call in self.makers(name):
            for line in self._signatures(call):
                lines += [*self._about_call(call, "  "), f"  static {line}"]
        lines += [f"  readonly {camel(group)}: {title}{pascal(group)}" for group in self.groups(name)]
        for call in self.methods(name):
            for line in self._signatures(call):
                lines += [*self._about_call(call, "  "), f"  {line}"]
        return [*lines, *_CLASS_MEMBERS.get(title, []), "}", ""]

    def _signatures(self, call: Call) -> List[str]:
        parameters = []
        nullable_from = len(call.parameters)
        marked = {field.name for field in self.header.functions[call.name].parameters if field.nullable}
        while nullable_from and call.parameters[nullable_from - 1].name in marked:
            nullable_from -= 1
        for index, item in enumerate(call.parameters):
            described = {**item.described, "nullable": False}
            optional = "?" if index >= nullable_from else ""
            kind = self._type_of(described, True)
            null = " | null" if item.name in marked else ""
            parameters.append(f"{camel(item.name)}{optional}: {kind}{null}")
        method = camel(call.method)
        if call.starts_task:
            parameters.append("call?: Call" if call.owner == "mtoken_client" else "call?: CallSignal")
            if call.outs:
                done = self._task_type(call)
                return [f"{method}({', '.join(parameters)}): OidcRequest & {{ readonly completed: Promise<{done}> }}"]
            return [f"{method}({', '.join(parameters)}): Promise<{self._task_type(call)}>"]
        result = self._result_type(call)
        given = ", ".join(parameters)
        if call.described["blocks"]:
            return [f"{method}({given}): Promise<{result}>", f"{method}Sync({given}): {result}"]
        return [f"{method}({given}): {result}"]

    def _task_type(self, call: Call) -> str:
        special = {"mtoken_client_take_turn": "Turn", "mtoken_client_encrypt": "EncryptedRequest"}
        if call.name in special:
            return special[call.name]
        if not call.getters:
            return "void"
        if len(call.getters) == 1:
            # A getter gives NULL for a task that has not succeeded, which a promise never gives.
            result = call.getters[0]["result"]
            return self._type_of({**result, "nullable": result["type"]["name"] == "mtoken_user_info"})
        return (
            "{ "
            + "; ".join(
                f"{camel(item['name'].removeprefix('mtoken_task_'))}: {self._type_of(item['result'])}"
                for item in call.getters
            )
            + " }"
        )

    def _result_type(self, call: Call) -> str:
        outs = list(call.outs)
        result = call.described["result"]
        if result["role"] not in ("status", "nothing"):
            outs.insert(0, result)
        if not outs:
            return "void"
        if len(outs) == 1:
            return self._type_of(outs[0])
        members = "; ".join(
            f"{camel(item.get('name', 'name').removeprefix('out_'))}: {self._type_of(item)}" for item in outs
        )
        return f"{{ {members} }}"


_TYPES_BEGIN = """
/** What every call that takes time can be given. */
export interface CallSignal {
  /** Cancels the call. A request that was sent may still reach the server: see `outcome` of the error. */
  readonly signal?: AbortSignal
}

/** What a call of a client can be given: its signal, and options of its own. */
export interface Call extends CallOptions, CallSignal {}

/** An object of the library. It is freed when it is closed, or when nothing refers to it any more. */
export declare class Handle {
  protected constructor()
  /** Frees the object. Later calls fail with a HandleError. May wait for the disk. */
  close(): void
  readonly isClosed: boolean
  /** For `using`, where the runtime has it. */
  [Symbol.dispose](): void
}

declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol
  }
}

/** Gives the turn back when the server has answered: see `Client.takeTurn`. */
export declare class Turn extends Handle {
  give(): void
}

/** A body that was encrypted for the server, and what decrypts the answer to it. */
export declare class EncryptedRequest extends Handle {
  readonly body: Buffer
  readonly headerName: string
  readonly headerValue: string
  /** The plaintext of the server's answer, once. */
  decrypt(answer: Uint8Array): Buffer
}

/** The file of the library that was loaded. */
export declare const libraryPath: string
"""

_CLOSE = """
  /**
   * Frees what the library keeps so that the result can be handed to it again: that fails from now on. What was read
   * stays. A result that is part of another one is freed with that.
   */
  close(): void
  /** For `using`, where the runtime has it. */
  [Symbol.dispose](): void
""".strip("\n").splitlines()

_CLASS_MEMBERS = {
    "Runtime": [
        "  /** The events that `new` asked for, as they come. The process stays alive while somebody waits for one. */",
        "  events(call?: CallSignal): AsyncIterableIterator<Event>",
    ]
}


def _title(name: str) -> str:
    return pascal(short(name))


def _full_name(call: Call) -> str:
    group = [camel(call.group)] if call.group else []
    owner = call.owner or call.maker
    return ".".join([*([_title(owner)] if owner else []), *group, camel(call.method)])


def enum_name(enum: JSON) -> str:
    """The name of an enumeration's object, e.g. EventKind."""
    return pascal(short(enum["name"]))


def _given_name(item: JSON) -> str:
    """Of a result or an out parameter, where there are several."""
    return camel(item.get("name", "name").removeprefix("out_"))


def _got_name(getter: JSON) -> str:
    return camel(getter["name"].removeprefix("mtoken_task_"))


def _constant(name: str) -> str:
    return f"'{name}'" if name[0].isdigit() else name


def native(header: Header) -> str:
    return Generator(header).native()


def script(header: Header) -> str:
    return Generator(header).script()


def types(header: Header) -> str:
    generator = Generator(header)
    text = generator.types()
    error = generator.structs["mtoken_error"]
    members = [
        line
        for item in error["members"]
        if item["name"] not in ("code", "message", "cause")
        for line in [
            *generator._about_member(error, item),
            f"  readonly {camel(item['name'])}: {generator._type_of(item)}",
        ]
    ]
    codes = [
        value["short"].removeprefix("ERROR_") for value in generator.description["enums"][0]["values"] if value["value"]
    ]
    names = " | ".join(f"'{code}'" for code in codes)
    lines = [
        "/** What went wrong, as the members of an error that is part of something else. */",
        "export interface ErrorDetails {",
        "  readonly code: Status",
        "  readonly message: string",
        "  readonly cause: string | null",
        *members,
        "}",
        "",
        f"export type ErrorCode = {names}",
        "",
        "/** Why a call failed: what happened, to which thing, and what to do. */",
        "export declare class MTokenError extends Error {",
        "  readonly code: ErrorCode",
        "  readonly status: Status",
        *members,
        "  /** Nothing more can be done with the operation. */",
        "  readonly isOperationOver: boolean",
        "  /** Everything that is known, and of the cause its name and message. */",
        "  toJSON(): object",
        "  /** How the handling ended: of `mobileAuth.handle` and `handlePush`, if it is known. */",
        "  readonly mobileAuth?: MobileAuthOutcome | null",
        "}",
    ]
    status = header.enums["mtoken_status"]
    for value, one in zip(generator.description["enums"][0]["values"], status.values):
        if value["value"]:
            said = generator.said.value(status, one)
            title = pascal(value["short"].removeprefix("ERROR_").lower())
            lines += [*FORM.of(said), f"export declare class {title}Error extends MTokenError {{}}"]
    return text + "\n" + "\n".join(lines) + "\n"


def names(header: Header) -> str:
    """For the conformance player: how each function of C is called."""
    found = {}
    for call in Generator(header).public():
        found[call.name] = {
            "owner": bool(call.owner),
            "group": camel(call.group) if call.group else None,
            "method": camel(call.method),
            "maker": pascal(short(call.maker)) if call.maker else None,
            "task": call.starts_task,
            "outs": [{"name": item["name"]} for item in call.outs],
            "getters": [item["name"] for item in call.getters],
        }
    return json.dumps(found, indent=1) + "\n"
