# SPDX-License-Identifier: Apache-2.0
"""The interface as bindings see it: what a function takes and gives, without lengths, out parameters and frees.

Generators of idiomatic layers write down what stands here; what a language does by hand is named in LEFT_OUT.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from . import docs, roles
from .model import CType, Enum, Field, Function, FunctionType, Header, Struct, Value

LEFT_OUT = frozenset(
    """
    mtoken_runtime_next_event mtoken_runtime_interrupt mtoken_runtime_fd mtoken_event_take_challenge
    mtoken_task_wait mtoken_task_join mtoken_task_notify mtoken_task_get_state mtoken_task_result mtoken_task_error
    mtoken_task_cancel mtoken_task_set_user_data mtoken_task_user_data mtoken_error_is_operation_over
    mtoken_store_host_new mtoken_store_reply_set mtoken_store_names_add mtoken_challenge_client mtoken_challenge_task
    mtoken_constant_at
    """.split()
)
"""Waiting, events and host stores: each language has its own way. `free` functions are nobody's to call."""

COPIED = frozenset({"mtoken_error"})
"""Structs that become values of the language at once."""

READ_AT_ONCE = frozenset({"mtoken_header"})
"""Structs of a few texts, made by calls that are made often: their texts are read at once and they are freed, so that
nothing has to be watched until the language's collector finds it. Whoever reads them sees no difference."""

FOR_THE_BANK = {
    "mtoken_encrypted_request": "body header_value",
    "mtoken_header": "value",
    "mtoken_http_header": "value",
    "mtoken_http_request": "body headers",
}
"""Members that the bank must get and nobody else."""

KEEPS_TASK = frozenset({"mtoken_client_encrypt", "mtoken_client_take_turn"})
"""Calls whose task is used after it has completed."""

TEXTS = {"mtoken_text": "text", "mtoken_bytes": "bytes"}


@dataclass(frozen=True)
class Item:
    """A parameter, a member or a result.

    kind: text, bytes, value, object (a handle), view (a struct of the library), options, array, texts, task
    """

    name: str
    kind: str
    type: str = ""
    scalar: str = ""
    """The C scalar of a value."""
    nullable: bool = False
    secret: bool = False
    is_bool: bool = False
    enum: str = ""
    unit: str = ""
    pair: str = ""
    """The member with the length or count, in structs of the library."""
    size: int = 0
    """How many bytes, where that is fixed."""
    lender: str = ""
    """Results: the parameter whose object they live in; empty: the host's own."""
    doc: Tuple[str, ...] = ()
    """Of a member."""
    wrapped: bool = False
    """Members of options: an mtoken_text or mtoken_bytes."""


@dataclass(frozen=True)
class Call:
    """A function."""

    function: Function
    owner: str
    """The class it belongs to, by the C name of its handle; empty: none."""
    name: str
    """Without mtoken_ and the name of its class."""
    is_maker: bool
    """It makes an object of its class, which is not among its parameters."""
    inputs: Tuple[Item, ...]
    outs: Tuple[Item, ...]
    result: Optional[Item]
    """What it returns; None: mtoken_status, or nothing."""
    has_status: bool
    has_error: bool
    getters: Tuple[str, ...]

    @property
    def c_name(self) -> str:
        return self.function.name

    @property
    def starts_task(self) -> bool:
        return any(out.kind == "task" for out in self.outs)

    @property
    def lender(self) -> Optional[Item]:
        """The object that what the call gives lives in. It is not freed before that is read, or known to be lent."""
        names = {item.lender for item in (*self.outs, self.result) if item}
        return next((item for item in self.inputs if item.kind == "object" and item.name in names), None)


def calls(header: Header) -> List[Call]:
    frees = {f"{name}_free" for name in (*header.handles, *header.structs)}
    return [
        call(header, function)
        for function in header.functions.values()
        if function.name not in frees and function.name not in LEFT_OUT and not _takes_functions(header, function)
    ]


def _takes_functions(header: Header, function: Function) -> bool:
    """Whether a parameter is a struct with functions of the host."""
    bases = [field.plain.base for field in function.parameters if not isinstance(field.type, FunctionType)]
    structs = [header.structs[base] for base in bases if base in header.structs]
    return any(isinstance(member.type, FunctionType) for struct in structs for member in struct.members)


def kind_of(header: Header, kind: CType) -> str:
    if kind.base in header.handles:
        return "object"
    return {"option": "options", "fixed": "input"}.get(header.structs[kind.base].kind, "view")


def call(header: Header, function: Function) -> Call:
    found = roles.parameters(header, function)
    said = docs.read(function.doc)
    inputs: List[Item] = []
    outs: List[Item] = []
    for field in function.parameters:
        role = found[field.name]
        item = _input(header, field, role, "NULL with MTOKEN_OK" in said.items.get(field.name, ""))
        if role.role.startswith("out_"):
            outs.append(item)
        elif role.role not in ("length", "count", "error"):
            inputs.append(item)
    result = roles.result(header, function)
    owner, name, is_maker = _place(header, function, inputs, outs)
    starts = any(out.kind == "task" for out in outs)
    return Call(
        function,
        owner,
        name,
        is_maker,
        tuple(inputs),
        tuple(outs),
        None if result is None or result.role == "status" else _result(header, function, result),
        result is not None and result.role == "status",
        any(role.role == "error" for role in found.values()),
        roles.task_results(header, function) if starts else (),
    )


def _input(header: Header, field: Field, role: roles.Role, may_lack: bool) -> Item:
    kind = field.plain
    common: Dict[str, Any] = {"nullable": role.nullable, "secret": role.secret}
    if role.role in ("text", "bytes"):
        return Item(field.name, role.role, pair=role.pair or "", nullable=field.nullable, secret=role.secret)
    if role.role.startswith("out_"):
        common["nullable"] = may_lack
    if role.role in ("out_handle", "out_struct"):
        if kind.base == "mtoken_task":
            return Item(field.name, "task", kind.base)
        lender = role.lifetime if role.owner == "library" else ""
        what = TEXTS.get(kind.base) or kind_of(header, kind)
        return Item(field.name, what, kind.base, lender=lender or "", **common)
    if role.role == "handle":
        return Item(field.name, "object", kind.base, **common)
    if role.role in ("options", "struct"):
        return Item(field.name, kind_of(header, kind), kind.base, **common)
    if role.role == "array":
        return Item(field.name, "array", kind.base, pair=role.pair or "", **common)
    return _value(header, field.name, kind, role)


def _value(header: Header, name: str, kind: CType, role: roles.Role, doc: Tuple[str, ...] = ()) -> Item:
    return Item(
        name,
        "value",
        kind.base,
        header.resolve(kind.base),
        enum=role.values or "",
        is_bool=role.is_bool,
        unit=role.unit or "",
        nullable=role.nullable,
        doc=doc,
    )


def _result(header: Header, function: Function, role: roles.Role) -> Item:
    kind = function.result
    if role.role == "text":
        return Item("result", "text", nullable=role.nullable)
    if role.role == "struct":
        what = TEXTS.get(kind.base) or "view"
        return Item("result", what, kind.base, nullable=role.nullable, lender=role.lifetime or "")
    return _value(header, "result", kind, role)


def _place(header: Header, function: Function, inputs: List[Item], outs: List[Item]) -> Tuple[str, str, bool]:
    """The class of a function, its name there, and whether it makes one of the class."""
    name = function.name.removeprefix("mtoken_")
    made = next((out.type for out in outs if out.kind == "object"), "")
    short = made.removeprefix("mtoken_")
    if made and name.startswith(f"{short}_") and name.endswith("_new"):
        return made, name.removeprefix(f"{short}_").removesuffix("new").strip("_") or "new", True
    if function.name == "mtoken_oidc_prepare":
        return made, "prepare", True
    first = inputs[0] if inputs else None
    if first and first.kind == "object":
        return first.type, name.removeprefix(first.type.removeprefix("mtoken_") + "_"), False
    return "", name, False


def members(header: Header, struct: Struct) -> List[Item]:
    """The members of a struct: those of options that a host sets, those of others that it reads."""
    found = roles.members(header, struct)
    items: List[Item] = []
    for field in struct.members:
        role = found[field.name]
        if role.role in ("struct_size", "reserved", "length", "count", "callback", "host_pointer"):
            continue
        items.append(_member(header, struct, field, role))
    return items


def _member(header: Header, struct: Struct, field: Field, role: roles.Role) -> Item:
    if isinstance(field.type, FunctionType):
        raise AssertionError(field.name)
    kind = field.type
    said = docs.one_line(field.doc)
    doc = field.doc
    nullable, secret = role.nullable, role.secret
    if role.role in ("text", "bytes"):
        wrapped = kind.base in TEXTS
        size = 16 if role.role == "bytes" and not role.pair and not wrapped else 0
        if size and "16" not in said:
            raise AssertionError(f"{struct.name}.{field.name}: of how many bytes?")
        return Item(
            field.name,
            role.role,
            nullable=nullable,
            secret=secret,
            pair=role.pair or "",
            size=size,
            doc=doc,
            wrapped=wrapped,
        )
    if role.role == "array":
        what = "texts" if kind.base == "char" else "array"
        return Item(field.name, what, kind.base, pair=role.pair or "", nullable=True, doc=doc)
    if role.role in ("struct", "options"):
        return Item(field.name, kind_of(header, kind), kind.base, nullable=nullable, doc=doc)
    if role.role == "handle":
        return Item(field.name, "object", kind.base, nullable=nullable, doc=doc)
    return _value(header, field.name, kind, role, doc)


def shown(header: Header, struct: Struct) -> List[Item]:
    """What a result prints: no secrets, nothing that proves who sends a request, and no objects."""
    hidden = FOR_THE_BANK.get(struct.name, "").split()
    found = members(header, struct)
    return [item for item in found if item.kind != "object" and not item.secret and item.name not in hidden]


def is_closed(header: Header, struct: Struct) -> bool:
    """Whether a result is freed as a whole: by itself, or with the task that gives it and that nobody else knows."""
    return struct.name not in READ_AT_ONCE and (
        bool(free_name(header, struct.name)) or any(task_view(header, call) == struct.name for call in calls(header))
    )


def task_view(header: Header, call: Call) -> Optional[str]:
    """The struct that a call's task has for its result, if that is read when it is asked for."""
    if not call.getters or call.c_name in KEEPS_TASK:
        return None
    getter = next(one for one in calls(header) if one.owner == "mtoken_task" and one.c_name == call.getters[0])
    item = getter.result
    return item.type if item and item.kind == "view" and item.type not in READ_AT_ONCE else None


def views(header: Header) -> List[Struct]:
    """The structs that a host reads, but for those that become texts, bytes or errors."""
    names = ("mtoken_watched",)
    return [
        struct
        for struct in header.structs.values()
        if (struct.kind == "result" or struct.name in names) and struct.name not in COPIED
    ]


def options(header: Header) -> List[Struct]:
    """The structs that a host fills."""
    return [
        struct
        for struct in header.structs.values()
        if struct.kind != "result"
        and struct.name not in TEXTS
        and not any(isinstance(member.type, FunctionType) for member in struct.members)
    ]


def free_name(header: Header, name: str) -> str:
    return roles.free_function(header, name) or ""


# Names

INITIALS = frozenset(
    """
    abi bic ca ecdh ecdsa hmac http iban id json jwt ok oidc otp pac pin pins pkce puk qr sha256 tls totp ui uri url
    """.split()
)


def go_name(name: str) -> str:
    """snake_case as Go writes it: operation_id is OperationID. A PIN is the user's; a pin is that of a certificate."""
    if name == "refused_pins":
        return "RefusedPINs"
    special = {"ids": "IDs", "pins": "Pins", "pin": "Pin" if name in ("pin_mismatch", "tls_pin") else "PIN"}
    return "".join(
        special.get(part) or (part.upper() if part in INITIALS else part[:1].upper() + part[1:])
        for part in name.split("_")
        if part
    )


def pascal(name: str) -> str:
    """snake_case as C# writes it: operation_id is OperationId."""
    return "".join(part[:1].upper() + part[1:].lower() for part in name.split("_") if part)


def camel(name: str) -> str:
    """snake_case as Java and JavaScript write it: operation_id is operationId."""
    made = pascal(name)
    return made[:1].lower() + made[1:]


def short(name: str) -> str:
    return name.removeprefix("mtoken_")


ENUM_NAMES = {
    "mtoken_status": "ErrorCode",
    "mtoken_tls_fault": "TLSFault",
    "mtoken_event_mask": "Events",
    "mtoken_polling_state": "Polling",
    "mtoken_contradictions": "Contradiction",
    "mtoken_attachments": "Attached",
    "mtoken_pin_weaknesses": "PINWeakness",
    "mtoken_protocol_version": "Protocol",
    "mtoken_suite": "Suite",
    "mtoken_vault_key": "VaultKey",
    "mtoken_tls_trust": "TLS",
    "mtoken_factors": "Factor",
    "mtoken_server_key": "Key",
    "mtoken_verification": "Verified",
    "mtoken_pac_form": "PACForm",
    "mtoken_totp_hash": "TOTPAlgorithm",
    "mtoken_field_kind": "FieldType",
    "mtoken_signature_form": "DeviceSignature",
    "mtoken_encryption_order": "Order",
    "mtoken_signature_variants": "Variant",
    "mtoken_attribute_kind": "AttributeType",
    "mtoken_alert_kind": "AlertType",
    "mtoken_screen_kind": "ScreenType",
    "mtoken_element_kind": "ElementType",
    "mtoken_post_screen_kind": "PostScreenType",
    "mtoken_proximity_source": "ProximityType",
    "mtoken_push_platform": "PushService",
    "mtoken_inbox_format": "InboxType",
    "mtoken_mobile_auth_error": "MobileAuthErrorCode",
    "mtoken_authenticator_kind": "AuthenticatorType",
    "mtoken_json_kind": "JSONKind",
}
"""Where an enumeration's name is not C's."""

VALUE_NAMES = {
    "MTOKEN_SIGNATURE_TYPE_1FA": "ONE_FACTOR",
    "MTOKEN_SIGNATURE_TYPE_2FA": "TWO_FACTOR",
    "MTOKEN_ATTACHED_MOBILE_TOKEN_DATA": "DATA",
}


def class_name(enum: Enum) -> str:
    return ENUM_NAMES.get(enum.name) or pascal(short(enum.name))


def member_name(enum: Enum, value: Value) -> str:
    prefix = "MTOKEN_ERROR_" if enum.name == "mtoken_status" else enum.prefix
    name = VALUE_NAMES.get(value.name) or value.name.removeprefix(prefix)
    return f"V{name}" if name[0].isdigit() else name


def enum_members(enum: Enum) -> List[Tuple[str, Value]]:
    """The values with their names in capitals."""
    return [(member_name(enum, value), value) for value in enum.values]


def counts(header: Header) -> Dict[str, List[str]]:
    """The members that count the elements of arrays, and those arrays, in structs of the library."""
    found: Dict[str, List[str]] = {}
    for struct in views(header):
        for item in members(header, struct):
            if item.kind in ("array", "texts") and item.name not in found.setdefault(item.pair, []):
                found[item.pair].append(item.name)
    return {name: sorted(arrays) for name, arrays in found.items()}
