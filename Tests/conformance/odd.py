"""Makes the document of odd arguments: each parameter and each member of options of each call that needs an activation is given
what it does not take. All is refused before anything starts: afterwards the bank has heard nothing.

What a language's types cannot say is left out there (README.md: the needs of a case).
"""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from prepare import Document, put_in, spelled

JSON = Dict[str, Any]

_AUTH = {"pin": "1234"}
RIGHT: Dict[str, JSON] = {
    "mtoken_auth": _AUTH,
    "mtoken_sign_options": {"method": "POST", "uri_id": "/x", "body": "{}"},
    "mtoken_sign_offline_options": {"uri_id": "/x", "body": "{}", "nonce": {"hex": "00" * 16}},
    "mtoken_verify_options": {"signed_bytes": "text", "signature": "text"},
    "mtoken_operation_options": {"id": "${id}", "operation_data": "A1*A1CZK"},
    "mtoken_token_options": {"name": "mine"},
    "mtoken_csr_options": {"subject": [{"name": "CN", "value": "A phone"}]},
    "mtoken_activation_options": {"code": "${code}"},
    "mtoken_oidc_options": {"client_id": "phone"},
    "mtoken_push_options": {"platform": "MTOKEN_PUSH_PLATFORM_FCM", "token": "text"},
}
"""What the options of a call are but for one member."""
_PAYLOAD = (
    "5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6\nPayment\nPlease confirm this payment\n"
    "A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello world\nBCFX\nAD8bOO0Df73kNaIGb3Vmpg==\n"
    "0MEYCIQDby1Uq+MaxiAAGzKmE/McHzNOUrvAP2qqGBvSgcdtyjgIhAMo1sgqNa1pPZTFBhhKvCKFLGDuHuTTYexdmHFjUUIJW"
)
_LEAST = {"int32_t": -(1 << 31), "int64_t": 1 - (1 << 53)}
"""The least number of a type that each language can say."""


def document(description: JSON, facts: Mapping[str, str]) -> Document:
    active = spelled(
        [{"play": "active"}, {"play": "operation", "set": {"amount": "1"}}, {"play": "list", "set": {"count": 1}}]
    )
    read = {"call": "mtoken_qr_operation_parse", "with": {"payload": _PAYLOAD}, "keep": {"read": "out_operation"}}
    asks = {"http": "GET", "url": "${admin}/requests?limit=1"}
    ending = [
        {**asks, "expect": {"body.requests[0].seq": "${heard}"}},
        *spelled([{"play": "authorize"}]),
        {"wait": "${task}"},
    ]
    variables = {**facts, "pin": "1234", "protocol": "MTOKEN_PROTOCOL_3_3"}
    found = [
        {
            "name": name,
            "needs": needs,
            "variables": variables,
            "steps": [*active, read, {**asks, "keep": {"heard": "body.requests[0].seq"}}, *steps, *ending],
        }
        for name, needs, steps in _cases(description)
    ]
    return Document("odd", put_in(found, {"code_member": "activationQr"}))


def _cases(description: JSON) -> Iterator[Tuple[str, List[str], List[JSON]]]:
    """The name of a case, its needs and its steps."""
    calls = list(_calls(description))
    yield "numbers", [], [step for call in calls for step in _numbers(*call)]
    yield "no constants", ["no-constant"], [step for call in calls for step in _constants(*call)]
    yield "NUL in texts", ["nul-text"], [step for call in calls for step in _texts(*call, "a\0b")]
    yield "no UTF-8", ["bad-text"], [step for call in calls for step in _texts(*call, {"hex": "61ff"})]


def _calls(description: JSON) -> Iterator[Tuple[JSON, Dict[str, JSON]]]:
    structs = {item["name"]: item for item in description["structs"]}
    for function in description["functions"]:
        client = next((item for item in function["parameters"] if item["type"]["name"] == "mtoken_client"), None)
        # What blocks and has a task fails by the task where nothing may block: in Node.js, whose own test walks it.
        begins_later = function["blocks"] and any(item["name"] == "out_task" for item in function["parameters"])
        if client and client["role"] == "handle" and function["result"]["role"] == "status" and not begins_later:
            yield function, structs


def _right(parameter: JSON) -> Any:
    """What a parameter takes."""
    kind, role = parameter["type"]["name"], parameter["role"]
    if role == "handle":
        return "${client}" if kind == "mtoken_client" else None
    if role == "struct":
        return {"mtoken_operation": "${list.operations[0]}", "mtoken_qr_operation": "${read}"}[kind]
    if role == "options":
        return RIGHT.get(kind, {})
    return {"text": "text", "bytes": "12345678"}.get(role)


def _given(function: JSON, odd: str, value: Any, member: Optional[str] = None) -> JSON:
    """The arguments of a call, one of them odd."""
    given: JSON = {}
    for parameter in function["parameters"]:
        name = parameter["name"]
        right = _right(parameter)
        if name == odd:
            given[name] = {**right, member: value} if member else value
        elif right is not None:
            given[name] = right
    return given


def _places(function: JSON, structs: Dict[str, JSON]) -> Iterator[Tuple[JSON, str, Optional[str]]]:
    """Each parameter and each member of options: what it is, its name, the member's."""
    for parameter in function["parameters"]:
        yield parameter, parameter["name"], None
        if parameter["role"] == "options":
            for member in structs[parameter["type"]["name"]]["members"]:
                yield member, parameter["name"], member["name"]


def _step(function: JSON, name: str, value: Any, member: Optional[str]) -> JSON:
    given = _given(function, name, value, member)
    return {"call": function["name"], "with": given, "fails": "MTOKEN_ERROR_ARGUMENT"}


def _numbers(function: JSON, structs: Dict[str, JSON]) -> Iterator[JSON]:
    for place, name, member in _places(function, structs):
        least = _LEAST.get(place["type"]["name"])
        if place["role"] == "value" and least:
            for value in (least, -1):
                yield _step(function, name, value, member)


def _constants(function: JSON, structs: Dict[str, JSON]) -> Iterator[JSON]:
    for place, name, member in _places(function, structs):
        if place["role"] == "value" and place.get("values"):
            for value in (-1, 4711):
                yield _step(function, name, value, member)


def _texts(function: JSON, structs: Dict[str, JSON], value: Any) -> Iterator[JSON]:
    for place, name, member in _places(function, structs):
        if place["role"] == "text":
            yield _step(function, name, value, member)
