# SPDX-License-Identifier: Apache-2.0
"""The purpose and the layers of a request in words: the teaching side of the request log."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Optional

_EXCHANGE = "The device exchanges keys with the bank, for an activation code, in two layers of encryption."
_STATUS = "The device asks for its state and for the server's counter. Nothing authenticates it."
_VALIDATION = "The device proves its factors and asks for nothing else."

# The longest prefix of a path that is here tells what the request is for.
PURPOSES = {
    "/pa/v3/status": "The device asks for the server's time, before it encrypts or uses a token.",
    "/pa/v4/status": "The device asks for the server's time and for the suites that its application may use.",
    "/pa/v3/keystore": "The device asks for a temporary key: a fresh public key for end-to-end encryption.",
    "/pa/v4/keystore": "Device and server agree on a temporary secret for end-to-end encryption. In a hybrid suite an"
    " elliptic curve and a lattice both take part: who breaks one of them knows nothing.",
    "/pa/v3/activation/create": _EXCHANGE,
    "/pa/v4/activation/create": _EXCHANGE,
    "/pa/v3/activation/status": _STATUS,
    "/pa/v4/activation/status": _STATUS,
    "/pa/v4/activation/confirm": "The device says that it has stored its keys. Until then the server may forget it.",
    "/pa/v3/token": "The device gets a token, which later replaces signatures where only reading is at stake.",
    "/pa/v4/token": "The device gets a token, which later replaces codes where only reading is at stake.",
    "/pa/v3/signature/validate": _VALIDATION,
    "/pa/v4/auth/validate": _VALIDATION,
    "/pa/v3/vault": "The device asks for the key of its vault; the factors decide.",
    "/pa/v4/vault": "The device asks for one key of its vault; the factors decide which.",
    "/pa/v4/password": "A new PIN: both sides agree on a key for it. The old one dies with its first code.",
    "/pa/v4/biometry": "Biometry is switched on with a key of its own, or off.",
    "/pa/v4/upgrade/start": "A device of protocol 3 becomes one of 4: signed in the old way, encrypted in the new.",
    "/pa/v4/upgrade/confirm": "From here on the device speaks protocol 4 only.",
    "/api/auth/token/app/operation/list": "The device asks what waits for approval.",
    "/api/auth/token/app/operation/authorize": "The user approves. The code covers exactly the data that were shown.",
    "/api/auth/token/app/operation/cancel": "The user rejects. Possession of the device is enough for a no.",
    "/api/auth/token/app/operation/detail/claim": "The device claims an operation without a user.",
    "/api/auth/token/app/operation/detail": "The device asks for one operation.",
    "/api/auth/token/app/operation/history": "The device asks for what was approved and rejected before.",
    "/api/push": "The device says where pushes reach it.",
    "/api/inbox": "The device reads its messages.",
    "/api/config/oidc": "The device asks which identity provider to send the user to.",
}

_KINDS = {
    "encryption": "Layer opened",
    "answer": "Answer before encryption",
    "signature": "Code checked",
    "token": "Token checked",
    "key request": "Request token verified",
    "key answer": "What the server signed",
}


def purpose(path: str) -> str:
    """One sentence on what a device wants at this path."""
    found = [prefix for prefix in PURPOSES if path.startswith(prefix)]
    return PURPOSES[max(found, key=len)] if found else ""


def _factors(names: str) -> str:
    words = {"possession": "this device", "knowledge": "the PIN", "biometry": "the biometry key"}
    return " and ".join(words.get(name, name) for name in names.split("_"))


def _signature(step: Dict[str, Any]) -> str:
    what = "authentication code" if step["version"] == "4.0" else "signature"
    if not step["accepted"]:
        return f"The {what} over method, uriId {step['uriId']}, nonce and body was refused: {step['reason']}."
    proved, counter = _factors(step["signatureType"]), step["counter"]
    return (
        f"The {what} covers method, uriId {step['uriId']}, nonce and body, and proves {proved}."
        f" Each uses one value of the hash counter, which is {counter} now, and no value is used twice."
    )


def _encryption(step: Dict[str, Any]) -> str:
    if not step["accepted"]:
        return f"{step['encryptor']} did not open: {step['reason']}."
    by = f" in the suite {step['suite']}" if step["suite"] else ""
    return (
        f"Encrypted from end to end in version {step['version']}{by}, for the purpose {step['sharedInfo1']}: neither a"
        " gateway nor a log in between reads it, and it opens for no other purpose."
    )


def _token(step: Dict[str, Any]) -> str:
    if not step["accepted"]:
        return f"Refused: {step['reason']}."
    return (
        f"The digest under the token's secret covers a nonce and the time. The token was made with"
        f" {_factors(step['signatureType'])}; it moves no counter, so it may be used often."
    )


def _explanation(step: Dict[str, Any]) -> str:
    if step["kind"] == "signature":
        return _signature(step)
    if step["kind"] == "encryption":
        return _encryption(step)
    if step["kind"] == "token":
        return _token(step)
    if step["kind"] == "key request":
        return "A keyed hash under a secret of the application, or of the activation, says who asks."
    if step["kind"] == "key answer":
        return "Signed by the server's keys, all of the suite: a client accepts it only if each signature is right."
    return "Encrypted under the keys of the request, so that only its sender reads it."


def readable(text: str) -> str:
    """JSON laid out for people; other text as it is."""
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except ValueError:
        return text


def steps(record: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The layers and checks of a request in the order in which the server came to them."""
    return [
        {
            "title": _KINDS[step["kind"]] + (" (inner layer)" if step.get("layer") == "inner" else ""),
            "accepted": step.get("accepted", True),
            "explanation": _explanation(step),
            "text": readable(step["text"]) if step.get("text") else None,
        }
        for step in record["trace"]
    ]


_NAMED = re.compile(r'"activationId"\s*:\s*"([0-9a-f-]{36})"')


def device(record: Dict[str, Any]) -> Optional[str]:
    """The activation whose device sent a request; None: it names none, or one that does not exist."""
    known = [step["activationId"] for step in record["trace"] if step.get("activationId")]
    texts = [record["body"], *(step.get("text") or "" for step in record["trace"] if step["kind"] == "answer")]
    return next(iter([*known, *(found for text in texts for found in _NAMED.findall(text))]), None)


def badges(record: Dict[str, Any]) -> List[str]:
    """The protections of a request, in a word each."""
    names = {"signature": "code", "token": "token", "encryption": "encrypted", "key request": "keyed hash"}
    return list(dict.fromkeys(names[step["kind"]] for step in record["trace"] if step["kind"] in names))
