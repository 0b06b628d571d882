"""Makes the document of the pure functions from Tests/vectors: QR, proximity codes, OIDC, pushes, operation data."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

from prepare import Document

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
JSON = Dict[str, Any]

_FIELDS = {
    "empty": "EMPTY",
    "amount": "AMOUNT",
    "account": "ACCOUNT",
    "anyAccount": "ANY_ACCOUNT",
    "date": "DATE",
    "reference": "REFERENCE",
    "note": "NOTE",
    "text": "TEXT",
    "fallback": "OTHER",
}
_LETTERS = {"A": "AMOUNT", "I": "ACCOUNT", "Q": "ANY_ACCOUNT", "D": "DATE", "R": "REFERENCE", "N": "NOTE", "T": "TEXT"}
_FIELD_MEMBERS = {"raw": "amount", "value": "value"}
_FLAGS = {
    "biometryAllowed": "allows_biometry",
    "flipButtons": "flip_buttons",
    "fraudWarning": "warns_of_fraud",
    "blockWhenOnCall": "block_approval_on_call",
}
_KEYS = {"master": "MASTER", "personalized": "PERSONALIZED", "personalizedMac": "PERSONALIZED_MAC"}


def document(quick: bool) -> Document:
    """The quick one has every fourth vector of a file with many."""
    makers = [_qr, _qr_signed, _data, _pac, _totp, _push, _oidc, _codes, _queries]
    cases: List[JSON] = []
    for maker in makers:
        steps = list(maker())
        if quick and len(steps) > 40:
            steps = steps[::4]
        cases.append({"name": maker.__name__[1:].replace("_", " "), "needs": [], "variables": {}, "steps": steps})
    cases.append({"name": "oidc requests", "needs": [], "variables": {}, "steps": _oidc_request()})
    text = json.dumps(cases, ensure_ascii=False)
    assert text.count("${") == json.dumps(cases[-1], ensure_ascii=False).count("${"), "a vector holds a variable"
    return Document("pure", cases)


def _vectors(name: str) -> List[JSON]:
    found: List[JSON] = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return found


def _call(name: str, given: JSON, expect: Optional[JSON] = None, fails: Optional[str] = None) -> JSON:
    step: JSON = {"call": name, "with": given}
    if fails:
        step["fails"] = f"MTOKEN_ERROR_{fails}"
    if expect:
        step["expect"] = expect
    return step


def _field(field: JSON, path: str) -> JSON:
    """The members of a field, as expectations."""
    kind = _FIELDS[field["type"]]
    found: JSON = {f"{path}.kind": f"MTOKEN_FIELD_{kind}"}
    for key, value in field.items():
        if key == "typeChar":
            found[f"{path}.letter"] = ord(value)
        elif key != "type":
            found[f"{path}.{_FIELD_MEMBERS.get(key, key)}"] = value
    return found


def _qr() -> Iterator[JSON]:
    for vector in _vectors("qr-operations"):
        expected, given = vector["expect"], {"payload": vector["input"]}
        if not expected["ok"]:
            yield _call("mtoken_qr_operation_parse", given, {"error.reason": expected["error"]}, "PARSE")
            continue
        found: JSON = {"out_operation.verification": "MTOKEN_VERIFIED_NOT_CHECKED"}
        for key, member in (("operationId", "id"), ("title", "title"), ("message", "message"), ("totp", "totp")):
            if key in expected:
                found[f"out_operation.{member}"] = expected[key]
        for key, member in (
            ("nonce", "nonce"),
            ("unknownFlags", "unknown_flags"),
            ("isNewerFormat", "is_newer_format"),
        ):
            if key in expected:
                found[f"out_operation.{member}"] = expected[key]
        if "keyType" in expected:
            found["out_operation.server_key"] = f"MTOKEN_KEY_{_KEYS[expected['keyType']]}"
        if "signedData" in expected:
            found["out_operation.signed_length"] = len(expected["signedData"].encode("utf-8"))
        for flag, value in expected.get("flags", {}).items():
            found[f"out_operation.{_FLAGS[flag]}"] = value
        fields = "out_operation.signed_fields"
        if "templateId" in expected:
            found[f"{fields}.template_id"] = expected["templateId"]
        if "dataVersion" in expected:
            found[f"{fields}.version"] = ord(expected["dataVersion"])
        if "sourceString" in expected:
            found[f"{fields}.text"] = expected["sourceString"]
        if "fieldCount" in expected or "fields" in expected:
            found[f"{fields}.field_count"] = expected.get("fieldCount", len(expected.get("fields", [])))
        for index, field in enumerate(expected.get("fields", [])):
            found.update(_field(field, f"{fields}.fields[{index}]"))
        yield _call("mtoken_qr_operation_parse", given, found)


def _qr_signed() -> Iterator[JSON]:
    whole = json.loads((VECTORS / "qr-signed.json").read_text(encoding="utf-8"))
    key = base64.b64decode(whole["masterPublicKey"])
    parts = b"\x01" + (b"\x10" + bytes(16)) * 2 + b"\x01\x01" + bytes([len(key)]) + key
    for vector in whole["cases"]:
        options = {"configuration": base64.b64encode(parts).decode()}
        given = {"payload": vector["input"], "options": options}
        if vector["input"].rsplit("\n", 1)[1][0] == "1":
            yield _call("mtoken_qr_operation_parse", given, {"out_operation": None}, "NOT_ACTIVATED")
            continue
        valid = vector["expect"]["signatureValid"]
        state = {"out_operation.verification": f"MTOKEN_VERIFIED_{'VALID' if valid else 'INVALID'}"}
        if not valid:
            yield _call(
                "mtoken_qr_operation_parse", given, {"error.reason": "signatureVerificationFailed"}, "SIGNATURE"
            )
            given = {**given, "options": {**options, "keep_unverified": True}}
        yield _call("mtoken_qr_operation_parse", given, state)


def _input(field: Optional[JSON]) -> JSON:
    if field is None:
        return {"kind": "MTOKEN_FIELD_EMPTY"}
    made: JSON = {"kind": f"MTOKEN_FIELD_{_LETTERS[field['t']]}"}
    made.update({key: value for key, value in field.items() if key in ("amount", "currency", "iban", "bic")})
    if "v" in field:
        made["text"] = field["v"]
    if "date" in field:
        made.update(zip(("year", "month", "day"), map(int, field["date"].split("-"))))
    return made


def _data() -> Iterator[JSON]:
    for vector in _vectors("operation-data"):
        given, expected = vector["input"], vector["expect"]
        if "version" not in given or "template" not in given:
            continue  # a C call always has both
        fields = [_input(field) for field in given["fields"]]
        made = {"version": ord(given["version"]), "template_id": given["template"], "fields": fields}
        if "data" not in expected:
            yield _call("mtoken_operation_fields_build", made, {"out_text": None}, "ARGUMENT")
            continue
        yield _call("mtoken_operation_fields_build", made, {"out_text": expected["data"]})
        found: JSON = {"out_fields.version": made["version"], "out_fields.template_id": made["template_id"]}
        found["out_fields.field_count"] = len(fields)
        for index, field in enumerate(fields):
            found[f"out_fields.fields[{index}].kind"] = field["kind"]
        yield _call("mtoken_operation_fields_parse", {"text": expected["data"]}, found)
    yield _call("mtoken_operation_fields_summary", {"text": "A1*A1CZK"}, {"out_summary": "Payment\nAmount: 1 CZK"})


def _pac() -> Iterator[JSON]:
    forms = {"deeplink": "DEEPLINK", "deeplinkJwt": "DEEPLINK_JWT", "jwt": "JWT"}
    for vector in _vectors("pac"):
        source = "DEEPLINK" if vector["entry"] == "deeplink" else "QR_CODE"
        given, expected = {"code": vector["input"], "source": f"MTOKEN_PROXIMITY_{source}"}, vector["expect"]
        if expected["ok"]:
            found = {"out_pac.operation_id": expected["operationId"], "out_pac.totp": expected["totp"]}
            found["out_pac.form"] = f"MTOKEN_PAC_{forms[expected['form']]}"
            yield _call("mtoken_pac_parse", given, found)
        else:
            yield _call("mtoken_pac_parse", given, {"error.reason": expected["error"], "out_pac": None}, "PARSE")


def _totp() -> Iterator[JSON]:
    for vector in _vectors("totp"):
        given, expected = vector["input"], vector["expect"]
        if not {"seedHex", "unixTime", "step", "digits", "algorithm"} <= set(given) or "totp" not in expected:
            continue
        made = {"seed": {"hex": given["seedHex"]}, "time": given["unixTime"] * 1000, "step_s": given["step"]}
        made.update(
            digits=given["digits"], hash=f"MTOKEN_TOTP_{given['algorithm'].removeprefix('HmacSHA').join(('SHA', ''))}"
        )
        yield _call("mtoken_totp", made, {"out_totp": expected["totp"]})


def _push() -> Iterator[JSON]:
    kinds = {
        "operationCreated": "OPERATION_CREATED",
        "operationFinished": "OPERATION_FINISHED",
        "inboxMessage": "INBOX_MESSAGE",
        "statusChange": "STATUS_CHANGE",
    }
    names = {"operationId": "operation_id", "operationName": "operation_name", "inboxId": "inbox_id", "title": "title"}
    names.update(message="body", activationId="activation_id")
    for vector in _vectors("push-messages"):
        expected = vector["expect"]
        given = {"payload": json.dumps(vector["input"], ensure_ascii=False)}
        if not expected["recognized"]:
            yield _call("mtoken_push_parse", given, {"out_message": None})
            continue
        found: JSON = {"out_message.json": given["payload"]}
        for key, value in expected.items():
            if key == "kind":
                found["out_message.kind"] = f"MTOKEN_PUSH_KIND_{kinds[value]}"
            elif key == "result":
                words = "".join(f"_{letter}" if letter.isupper() else letter for letter in value).upper()
                found["out_message.result"] = f"MTOKEN_PUSH_RESULT_{words}"
            elif key == "silent":
                found["out_message.is_silent"] = "MTOKEN_YES" if value else "MTOKEN_NO"
            elif key in names:
                found[f"out_message.{names[key]}"] = value
        yield _call("mtoken_push_parse", given, found)
    yield _call("mtoken_push_parse", {"payload": "no JSON"}, {"error.byte_offset": 0}, "PARSE")


def _oidc() -> Iterator[JSON]:
    for vector in _vectors("oidc"):
        given, expected = vector["input"], vector["expect"]
        fails = "ARGUMENT" if "error" in expected else None
        if given["call"] == "challenge":
            found = {"out_challenge": expected.get("challenge")}
            yield _call("mtoken_oidc_challenge", {"verifier": given["verifier"]}, found, fails)
        elif given["call"] == "createPKCE":
            found = {"out_verifier": None, "out_challenge": None}
            if not fails:
                found = {
                    "out_verifier": {"length": expected["verifierLength"]},
                    "out_challenge": {"length": expected["challengeLength"]},
                }
            if given["bytes"] >= 0:
                yield _call("mtoken_oidc_pkce", {"byte_count": given["bytes"]}, found, fails)
        elif given["call"] == "randomBase64Url" and given["bytes"] >= 0:
            found = {"out_text": None if fails else {"length": expected["length"]}}
            yield _call("mtoken_oidc_random", {"byte_count": given["bytes"]}, found, fails)
        elif given["call"] == "authorizationUrl":
            config = given["config"]
            request = {
                "provider_id": config["providerId"],
                "client_id": config["clientId"],
                "scopes": config["scopes"],
                "authorize_uri": config["authorizeUri"],
                "redirect_uri": config["redirectUri"],
                "omits_pkce": not config["pkceEnabled"],
            }
            options = {
                "request": request,
                **{key: given[key] for key in ("nonce", "state", "challenge") if key in given},
            }
            found = {"out_url": expected.get("url")}
            if fails:
                fails, found = "CONFIGURATION", {"error.reason": expected["error"], **found}
            yield _call("mtoken_oidc_authorization_url", {"options": options}, found, fails)


def _oidc_request() -> List[JSON]:
    """A request with a state of its own, and what comes back."""
    options = {
        "provider_id": "bank",
        "client_id": "app",
        "scopes": "openid",
        "authorize_uri": "https://idp.example.com/authorize",
        "redirect_uri": "mtoken://oidc",
    }
    name = "mtoken_oidc_process"
    back = "mtoken://oidc?code=abc&state=${authorization.state}"
    attributes = {
        "out_attributes.provider_id": "bank",
        "out_attributes.code": "abc",
        "out_attributes.nonce": "${authorization.nonce}",
        "out_attributes.code_verifier": "${authorization.code_verifier}",
    }
    return [
        {"call": "mtoken_oidc_prepare", "with": {"options": options}, "keep": {"request": "out_request"}},
        {
            "call": "mtoken_oidc_request_get_authorization",
            "with": {"request": "${request}"},
            "keep": {"authorization": "result"},
            "expect": {
                "result.authorize_url": {"begins": "https://idp.example.com/authorize?client_id=app&"},
                "result.provider_id": "bank",
                "result.code_verifier": {"length": 43},
                "result.state": {"not": None},
                "result.lacks_openid": False,
            },
        },
        _call(
            name, {"request": "${request}", "callback": "mtoken://oidc?code=abc"}, {"out_attributes": None}, "PROTOCOL"
        ),
        _call(
            name,
            {"request": "${request}", "callback": "mtoken://oidc?code=abc&state=forged"},
            {"error.reason": "stateMismatch"},
            "PROTOCOL",
        ),
        _call(
            name,
            {"request": "${request}", "callback": "mtoken://other?code=abc&state=${authorization.state}"},
            {"out_attributes": None, "error.message": {"not": None}},
            "PROTOCOL",
        ),
        _call(name, {"request": "${request}", "callback": back}, attributes),
        _call(name, {"request": "${request}", "callback": back}, {"error.reason": "alreadyProcessed"}, "STATE"),
    ]


def _codes() -> Iterator[JSON]:
    whole = json.loads((VECTORS / "powerauth-activation-code.json").read_text(encoding="utf-8"))
    for item in whole["qrActivation"]:
        if item["valid"]:
            found = {"out_code.code": item["code"]}
            signature = item["signature"]
            if (
                base64.b64encode(base64.b64decode(signature)).decode() == signature
            ):  # the library gives it as one writes it
                found["out_code.signature"] = signature or None
            yield _call("mtoken_activation_code_parse", {"text": item["text"]}, found)
        else:
            yield _call("mtoken_activation_code_parse", {"text": item["text"]}, {"out_code": None}, "PARSE")
    for name, key in (("mtoken_recovery_code_is_valid", "RecoveryCodes"), ("mtoken_recovery_puk_is_valid", "Puks")):
        for valid in (True, False):
            for text in whole[f"{'valid' if valid else 'invalid'}{key}"]:
                yield _call(name, {"text": text}, {"result": valid})


def _queries() -> Iterator[JSON]:
    whole = json.loads((VECTORS / "powerauth-query-canonical.json").read_text(encoding="utf-8"))
    for item in whole["vectors"]:
        found = {"out_canonical": item["canonical"] or ""}
        yield _call("mtoken_canonical_query", {"query": item["query"]}, found)
