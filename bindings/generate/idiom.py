# SPDX-License-Identifier: Apache-2.0
"""How the interface reads in a language with objects: which class a function becomes a method of, and its name there.

The names follow from the header by rule, so that who knows one finds the other: mtoken_operations_list(client, …) is
the method `list` of the client's group `operations`; mtoken_client_sign is the method `sign` of a client;
mtoken_qr_code_group, which needs no object, is the function `code_group` of the group `qr`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from .plan import short

JSON = Dict[str, Any]

# Longest first: what names that begin so belong to.
GROUPS = (
    "activation_code",
    "operation_fields",
    "recovery_code",
    "recovery_puk",
    "mobile_auth",
    "operations",
    "recovery",
    "inbox",
    "vault",
    "token",
    "push",
    "oidc",
    "json",
    "pac",
    "qr",
)


@dataclass
class Parameter:
    """A parameter that a caller gives: lengths, counts, out parameters and the error are the binding's."""

    name: str
    role: str
    described: JSON


@dataclass
class Call:
    """A function of the interface, as a method."""

    name: str
    """In C."""
    owner: Optional[str]
    """The handle whose method it is, e.g. "mtoken_client"; None: it needs no object."""
    group: Optional[str]
    method: str
    """Words joined by underscores."""
    maker: Optional[str]
    """The handle that it makes, if it is a static method of that one's class."""
    described: JSON
    parameters: List[Parameter] = field(default_factory=list)
    """Without the owner."""
    outs: List[JSON] = field(default_factory=list)
    getters: List[JSON] = field(default_factory=list)
    """The functions that give what the task came to, without further arguments."""

    @property
    def starts_task(self) -> bool:
        return self.described["task"] is not None


def calls(description: JSON) -> List[Call]:
    functions = {item["name"]: item for item in description["functions"]}
    return [_call(functions, item) for item in description["functions"]]


def _call(functions: Dict[str, JSON], function: JSON) -> Call:
    owner = function["object"]
    name = short(function["name"])
    prefix = f"{short(owner)}_" if owner else None
    group = next((item for item in GROUPS if name.startswith(f"{item}_")), None)
    made = next((item["type"]["name"] for item in function["parameters"] if item["role"] == "out_handle"), None)
    maker = made if made and made != owner and name.startswith(f"{short(made)}_") and function["task"] is None else None
    if maker:
        # A maker is a static method of what it makes, and takes what it belongs to: Client.new(runtime, …).
        owner, group = None, None
        method = name.removeprefix(f"{short(maker)}_").removesuffix("_new")
    elif prefix and name.startswith(prefix):
        method = name.removeprefix(prefix)
    elif owner and group and short(owner).startswith(f"{group}_"):
        method, group = name.removeprefix(f"{group}_"), None
    elif group:
        method = name.removeprefix(f"{group}_")
    else:
        method = name
    found = Call(function["name"], owner, group, method, maker, function)
    for index, parameter in enumerate(function["parameters"]):
        role = parameter["role"]
        if role in ("length", "count", "error") or (owner and index == 0):
            continue
        if role.startswith("out_"):
            if parameter["type"]["name"] != "mtoken_task":
                found.outs.append(parameter)
            continue
        found.parameters.append(Parameter(parameter["name"], role, parameter))
    if function["task"]:
        found.getters = [
            functions[item["function"]]
            for item in function["task"]["results"]
            if len(functions[item["function"]]["parameters"]) == 1
        ]
    return found
