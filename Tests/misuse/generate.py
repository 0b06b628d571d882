"""Writes the tables of misuse.h from the description of the interface.

generate.py build/generated/mtoken.abi.json build/generated/misuse_tables.c
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

from recipes import KINDS, LEFT_OUT, NULL_HANDLES, NUMBERS, OTHER_NUMBERS, SAMPLES, STRUCTS, TEXTS

Item = Dict[str, Any]


class NoRecipe(Exception):
    """A well-formed call cannot be derived."""


class Tables:
    def __init__(self, description: Item):
        self.description = description
        self.structs: Dict[str, Item] = {struct["name"]: struct for struct in description["structs"]}
        self.enums: Dict[str, Item] = {enum["name"]: enum for enum in description["enums"]}
        self.constants: Dict[str, int] = {
            value["name"]: value["value"] for enum in self.enums.values() for value in enum["values"]
        }
        self.kinds: List[str] = [handle["name"] for handle in description["handles"]]
        self.used: List[str] = []
        """Structs that hosts make, in the order in which they were met."""
        self.frees: List[str] = []
        for kind in self.kinds:
            if kind not in KINDS:
                raise NoRecipe(f"the handle {kind}: the world of misuse.c makes none")

    def text(self) -> str:
        functions = self.description["functions"]
        parts = [self._function(function) for function in functions]
        kinds = [f'    {{"{kind}", {self._freer(self._handle(kind)["free"], kind)}}},' for kind in self.kinds]
        entries = [self._entry(function) for function in functions]
        structs: List[str] = []
        for name in self.used:  # which grows meanwhile
            structs.append(self._struct(name))
        return "\n".join(
            [
                "/* Made by Tests/misuse/generate.py from mtoken.abi.json. */",
                '#include "misuse.h"',
                "",
                *(f"#include <{page['path']}>" for page in self.description["headers"]),
                "",
                *(self._free(name) for name in self.frees),
                *(self._values(enum) for enum in self.enums.values()),
                *structs,
                "const layout structs[] = {",
                *(
                    f'    {{"{name}", sizeof({name}), parts_{name}, COUNT_{name}, {self._ends(name)}}},'
                    for name in self.used
                ),
                "};",
                f"const size_t struct_count = {len(self.used)};",
                "",
                *parts,
                "const function functions[] = {",
                *entries,
                "};",
                f"const size_t function_count = {len(functions)};",
                "",
                "const kind kinds[] = {",
                *kinds,
                "};",
                f"const size_t kind_count = {len(self.kinds)};",
                "",
                "const char *const headers[] = {" + ", ".join(f'"{page}"' for page in self._pages()) + "};",
                f"const size_t header_count = {len(self._pages())};",
                "",
                "const int64_t statuses[] = {"
                + ", ".join(value["name"] for value in self.enums["mtoken_status"]["values"])
                + "};",
                f"const size_t status_count = {len(self.enums['mtoken_status']['values'])};",
                "",
            ]
        )

    def _pages(self) -> List[str]:
        return list(dict.fromkeys(function["header"] for function in self.description["functions"]))

    def _handle(self, name: str) -> Item:
        return next(handle for handle in self.description["handles"] if handle["name"] == name)

    def _ends(self, name: str) -> str:
        members = self.structs[name]["members"]
        ends = [f"offsetof({name}, {member['name']}) + sizeof((({name} *)0)->{member['name']})" for member in members]
        is_option = members[0]["role"] == "struct_size"
        return f"(const size_t[]){{{', '.join(ends)}, 0}}" if is_option else "NULL"

    def _values(self, enum: Item) -> str:
        values = ", ".join(str(value["value"]) for value in enum["values"])
        return f"__attribute__((unused)) static const int64_t values_{enum['name']}[] = {{{values}}};"

    def _free(self, kind: str) -> str:
        return f"static void free_{kind}(void *made)\n{{\n    {kind}_free(made);\n}}\n"

    def _freer(self, free: Optional[str], kind: str) -> str:
        if not free:
            return "NULL"
        if free != f"{kind}_free":
            raise NoRecipe(f"{free} frees {kind}")
        if kind not in self.frees:
            self.frees.append(kind)
        return f"free_{kind}"

    def _struct(self, name: str) -> str:
        struct = self.structs[name]
        lines = [self._part(name, member, name, struct["members"], False) for member in struct["members"]]
        return self._parts(name, [line for line in lines if line])

    def _parts(self, name: str, lines: List[str]) -> str:
        body = "".join(f"    {line},\n" for line in lines) or "    {0},\n"
        return f"static const part parts_{name}[] = {{\n{body}}};\nenum {{ COUNT_{name} = {len(lines)} }};\n"

    def _function(self, function: Item) -> str:
        name = function["name"]
        parameters = function["parameters"]
        holder = f"struct of_{name}"
        fields = "".join(f"    {_declared(parameter)};\n" for parameter in parameters) or "    int none;\n"
        lines = [self._part(name, parameter, holder, parameters, True, function) for parameter in parameters]
        arguments = ", ".join(f"of->{parameter['name']}" for parameter in parameters)
        role = self._result(function)
        call = f"{name}({arguments});"
        if role == "RESULT_POINTER":
            call = f"outcome->pointer = {call}"
        elif role != "RESULT_NOTHING":
            call = f"outcome->number = {call}"
        unused = "" if parameters else "    (void)of;\n"
        if role == "RESULT_NOTHING":
            unused += "    (void)outcome;\n"
        return (
            f"{holder} {{\n{fields}}};\n"
            f"static void call_{name}(const void *parameters, outcome *outcome)\n{{\n"
            f"    const {holder} *of = parameters;\n{unused}    {call}\n}}\n"
            + self._parts(name, [line for line in lines if line])
        )

    def _result(self, function: Item) -> str:
        role = function["result"]["role"]
        if role == "nothing":
            return "RESULT_NOTHING"
        if role == "status":
            return "RESULT_STATUS"
        return "RESULT_POINTER" if function["result"]["type"]["pointers"] else "RESULT_NUMBER"

    def _entry(self, function: Item) -> str:
        name = function["name"]
        doc = " ".join(function["doc"].split())
        minus = re.search(r"-1(:| for) (an )?(invalid handle|other)|[Oo]therwise -1", doc)
        changes = any(item["role"] == "handle" and not item["type"]["const"] for item in function["parameters"])
        owned = function["result"].get("owner") == "caller"
        freer = self._freer(function["result"]["free"], function["result"]["type"]["name"]) if owned else "NULL"
        parameters = f'{{"{name}", sizeof(struct of_{name}), parts_{name}, COUNT_{name}, NULL}}'
        invalid = -1 if minus else 0
        return (
            f'    {{"{name}", "{function["header"]}", {parameters},\n'
            f"     {self._result(function)}, {invalid}, call_{name}, {str(changes).lower()}, {freer}}},"
        )

    def _part(
        self,
        owner: str,
        item: Item,
        holder: str,
        siblings: List[Item],
        parameter: bool,
        function: Optional[Item] = None,
    ) -> Optional[str]:
        """One entry of a table; None: it goes with another one."""
        name, kind = item["name"], item["type"]
        place = f"{owner}.{name}"
        role = item["role"]
        found: Dict[str, Any] = {"offset": f"offsetof({holder}, {name})"}
        if item.get("nullable"):
            found["nullable"] = "true"
        if role in ("length", "count"):
            return None
        if role == "handle":
            found |= {"role": "ROLE_HANDLE", "index": self.kinds.index(kind["name"])}
            # A handle of an option struct is given where it has to be.
            found["number"] = int(parameter or bool(item.get("required")))
            if parameter and place not in NULL_HANDLES:
                found.pop("nullable", None)
        elif role in ("text", "bytes"):
            found["role"] = "ROLE_TEXT" if role == "text" else "ROLE_BYTES"
            if item.get("pair"):
                found["other"] = f"offsetof({holder}, {item['pair']})"
            elif role == "text" and kind["pointers"]:
                found["role"] = "ROLE_STRING"  # it ends at its NUL
            elif kind["pointers"]:
                raise NoRecipe(f"{place}: bytes without a length")
            else:
                found["other"] = f"offsetof({holder}, {name}) + offsetof({kind['name']}, length)"
            text = _recipe(TEXTS, place, name if parameter else None)
            if text is None and parameter:
                text = "x" if role == "text" else "0123456789abcdef"
            if text is None and item.get("required"):
                text = "x" if role == "text" else "0123456789abcdef"
            if text is not None:
                found |= {"text": json.dumps(text), "length": len(text)}
        elif role == "options" or (
            role in ("struct", "array") and kind["pointers"] == 1 and self._host_makes(item, kind, siblings)
        ):
            if kind["name"] not in self.used:
                self.used.append(kind["name"])
            found |= {
                "role": "ROLE_OPTIONS" if role == "options" else "ROLE_ARRAY",
                "index": self.used.index(kind["name"]),
            }
            if role == "array":
                found["other"] = f"offsetof({holder}, {item['pair']})"
            found["number"] = int(place not in LEFT_OUT)
        elif role == "array" and kind["name"] in ("mtoken_text", "mtoken_bytes"):
            if kind["name"] not in self.used:
                self.used.append(kind["name"])
            found |= {
                "role": "ROLE_ARRAY",
                "index": self.used.index(kind["name"]),
                "other": f"offsetof({holder}, {item['pair']})",
                "number": 1,
            }
        elif role == "struct" and not kind["pointers"]:
            if kind["name"] not in self.used:
                self.used.append(kind["name"])
            found |= {"role": "ROLE_FIXED", "index": self.used.index(kind["name"])}
        elif role == "struct":
            found["role"] = "ROLE_STRUCT"
            frees = function and function["name"] == f"{kind['name']}_free"
            if parameter and not frees:
                if kind["name"] not in STRUCTS:
                    raise NoRecipe(f"{place}: the world of misuse.c has no {kind['name']}")
                found["type"] = f'"{kind["name"]}"'
        elif role == "value":
            found |= {"role": "ROLE_NUMBER"} | self._number(place, item, kind, parameter)
            if function and function["blocks"] and item.get("unit") == "ms":
                found["bounded"] = "true"
        elif role == "reserved":
            found |= {"role": "ROLE_RESERVED", "width": f"sizeof({kind['c']})"}
        elif role == "struct_size":
            found["role"] = "ROLE_STRUCT_SIZE"
        elif role == "host_pointer":
            found["role"] = "ROLE_POINTER"
        elif role == "callback":
            if owner not in SAMPLES:
                raise NoRecipe(f"{place}: the world of misuse.c has no sample of {owner}")
            found["role"] = "ROLE_CALLBACK"
        elif role in ("out_handle", "out_struct"):
            found["role"] = "ROLE_OUT"
            if item["owner"] == "caller":
                found["free"] = self._freer(item["free"], kind["name"])
        elif role == "out_value":
            found |= {"role": "ROLE_OUT_NUMBER", "width": f"sizeof({kind['name']})"}
        elif role == "error":
            found["role"] = "ROLE_ERROR"
        else:
            raise NoRecipe(f"{place}: the role {role}")
        return f'{{.name = "{name}", ' + ", ".join(f".{key} = {value}" for key, value in found.items()) + "}"

    def _host_makes(self, item: Item, kind: Item, siblings: List[Item]) -> bool:
        return item["role"] == "array" and bool(item.get("pair")) and kind["const"]

    def _number(self, place: str, item: Item, kind: Item, parameter: bool) -> Item:
        found: Item = {
            "width": f"sizeof({kind['c']})",
            "is_unsigned": str(kind["scalar"] in ("size_t", "uint32_t", "uint64_t")).lower(),
        }
        number = _recipe(NUMBERS, place, item["name"] if parameter else None)
        if number is not None:
            found["number"] = self.constants[number] if isinstance(number, str) else number
        enum = item.get("values")
        if enum and place not in OTHER_NUMBERS:
            found |= {"values": f"values_{enum}", "value_count": len(self.enums[enum]["values"])}
            found["is_flags"] = str(self.enums[enum]["kind"] == "flags").lower()
        elif item.get("bool"):
            found |= {"values": "(const int64_t[]){0, 1}", "value_count": 2}
        return found


def _recipe(table: Dict[str, Any], place: str, name: Optional[str]) -> Any:
    return table.get(place, table.get(name) if name else None)


def _declared(item: Item) -> str:
    c = item["type"]["c"]
    return f"{c}{'' if c.endswith('*') else ' '}{item['name']}"


def main() -> int:
    source, target = map(Path, sys.argv[1:])
    try:
        text = Tables(json.loads(source.read_text(encoding="utf-8"))).text()
    except NoRecipe as problem:
        print(f"misuse: no recipe for {problem} (Tests/misuse/recipes.py)", file=sys.stderr)
        return 1
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
