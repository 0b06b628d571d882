#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets out of Tests/vectors: make_seeds.py FOLDER writes FOLDER/<target>/<seed>.

The constants are those of the fixed activation in targets/Whole/World.swift.
"""

import base64
import hashlib
import json
import pathlib
import re
import shutil
import sys
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent / "vectors"
SEEDS = pathlib.Path(sys.argv[1])

ACTIVATION_ID = "3a5d7e5c-4d9c-4b6f-9f7e-2f1f7f4e5a6b"
APPLICATION_KEY = base64.b64encode(b"A" * 16).decode()
CHALLENGE = base64.b64encode(b"\x5a" * 18).decode()
RECOVERY = {"recoveryCode": "55555-55555-55555-55YMA", "puk": "0123456789"}


def vector(name: str) -> dict[str, Any]:
    return json.loads((VECTORS / f"{name}.json").read_text())


def compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def put(target: str, name: str, content: bytes) -> None:
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", name)
    if len(content) <= 4000:
        (SEEDS / target).mkdir(parents=True, exist_ok=True)
        (SEEDS / target / name).write_bytes(content)


def points() -> list[bytes]:
    """Public keys, uncompressed."""
    keys = [base64.b64decode(v["masterPublicKey"]) for v in vector("powerauth-activation-code-signature")["vectors"]]
    return [key for key in keys if len(key) == 65]


def compressed(point: bytes) -> bytes:
    return bytes([2 + point[64] % 2]) + point[1:33]


def json_seeds() -> None:
    texts = {
        "numbers": b"[0,-0,1,-1,9223372036854775807,-9223372036854775808,9223372036854775808,1e5,1.5E-3,1e400,-1e400,0.1]",
        "texts": '["","a","\\u0000","\\ud83d\\ude00","\\"\\\\\\/\\b\\f\\n\\r\\t","ž€😀"]'.encode(),
        "words": b'{"a":true,"b":false,"c":null,"":{}}',
        "escaped-names": b'{"\\u0061":1,"b\\n":[{"\\ud83d\\ude00":[]}]}',
        "duplicate": b'{"a":1,"\\u0061":2}',
        "deep": b"[" * 64 + b"]" * 64,
        "too-deep": b"[" * 65 + b"]" * 65,
        "space": b' \t\r\n{ "a" : [ 1 , 2 ] } \n',
        "cut": b'{"a":[1,2,{"b":"c',
        "lone-surrogate": b'["\\ud83d"]',
        "bad-utf8": b'["\xc3\x28"]',
        "overlong": b'["\xc0\xaf"]',
    }
    for name, text in texts.items():
        put("json", name, text)
    for case in vector("operations-list")["cases"]:
        if len(case["input"]) < 900:
            put("json", case["id"], case["input"].encode())


def operations_seeds() -> None:
    for case in vector("operations-list")["cases"]:
        put("operations", case["id"], case["input"].encode())
    plain = json.loads(
        '{"id":"op1","name":"n","data":"A2","status":"PENDING","operationCreated":"2023-04-25T13:09:52+0000",'
        '"operationExpires":"2023-04-25T13:14:52+0000","allowedSignatureType":{"type":"2FA","variants":'
        '["possession_knowledge","new"]},"formData":{"title":"T","message":"M","attributes":[]}}'
    )
    for case in vector("ui-data")["cases"]:
        text = compact({"status": "OK", "responseObject": [plain]})
        put("operations", "ui-" + case["id"], text[:-3] + b',"ui":' + case["input"].encode() + b"}]}")
    templates = {
        "list": {"style": "S", "header": "${a}", "title": "t", "message": "m", "image": "i"},
        "detail": {
            "style": "D",
            "showTitleAndMessage": True,
            "sections": [
                {
                    "style": "x",
                    "title": "a",
                    "cells": [
                        {
                            "name": "a",
                            "style": "c",
                            "visibleTitle": True,
                            "canCopy": False,
                            "collapsable": "COLLAPSED",
                            "centered": True,
                        },
                        {"style": "nameless"},
                    ],
                }
            ],
        },
    }
    put(
        "operations",
        "templates",
        compact({"status": "OK", "responseObject": [dict(plain, ui={"templates": templates})]}),
    )
    put("operations", "detail", compact({"status": "OK", "responseObject": plain}))
    for table in ("lies", "honest"):
        # Some at a time: what is shown beside what is signed.
        rows = json.loads((HERE.parent / "shown" / f"{table}.json").read_text())
        for start in range(0, len(rows), 5):
            shown = [
                dict(plain, data=row["data"], formData={key: row[key] for key in ("title", "message", "attributes")})
                for row in rows[start : start + 5]
            ]
            put("operations", f"shown-{table}-{start}", compact({"status": "OK", "responseObject": shown}))
    message = {
        "id": "m1",
        "subject": "S",
        "summary": "s",
        "body": "b",
        "type": "html",
        "read": True,
        "timestampCreated": "2023-04-25T13:09:52+0000",
    }
    put("inbox", "page", compact({"status": "OK", "responseObject": [message, {}, message], "size": 2}))
    put("inbox", "detail", compact({"status": "OK", "responseObject": message}))
    put(
        "details",
        "activation",
        compact({"status": "OK", "responseObject": {"activationId": "a", "activationName": "n"}}),
    )
    put(
        "details",
        "claims",
        compact(
            {
                "sub": "joe",
                "birthdate": "1984-02-29",
                "email_verified": True,
                "updated_at": 1730000000,
                "address": {"formatted": "a\r\nb\rc\nd", "street_address": "\r\n"},
            }
        ),
    )
    put(
        "details",
        "oidc",
        compact(
            {
                "status": "OK",
                "responseObject": {
                    "providerId": "p",
                    "clientId": "c",
                    "scopes": "openid",
                    "authorizeUri": "https://a",
                    "redirectUri": "b://c",
                    "pkceEnabled": True,
                },
            }
        ),
    )


TEMPLATES = {
    "list": {"style": "S", "header": "${a}", "title": "t ${m}", "message": "${missing}", "image": "i"},
    "detail": {
        "style": "D",
        "showTitleAndMessage": False,
        "sections": [
            {
                "style": "x",
                "title": "h",
                "cells": [
                    {
                        "name": "a",
                        "style": "c",
                        "visibleTitle": True,
                        "canCopy": False,
                        "collapsable": "COLLAPSED",
                        "centered": True,
                    },
                    {"name": "a"},
                    {"style": "nameless"},
                ],
            },
            {"title": "m"},
        ],
    },
}


def ui_seeds() -> None:
    for case in vector("ui-data")["cases"]:
        put("ui", case["id"], case["input"].encode())
    texts = {
        "templates": compact({"templates": TEMPLATES}),
        "twice": b'{"flipButtons":true,"flipButtons":false}',
        "deep": b"[" * 70 + b"]" * 70,
        "half-emoji": b'{"preApprovalScreens":[{"heading":"\\ud83d"}]}',
        "null": b"null",
        "more-than-a-value": b'{}},{"id":"x"',
    }
    for name, text in texts.items():
        put("ui", name, text)


def honest_seeds() -> None:
    """Each language with a few amounts and rows."""
    for number in range(600):
        put("honest", f"{number}", hashlib.sha256(f"{number}".encode()).digest())


def visual_seeds() -> None:
    for case in vector("operations-list")["cases"]:
        try:
            operations = json.loads(case["input"])["responseObject"]
        except (ValueError, KeyError, TypeError):
            continue
        for index, operation in enumerate(operations if isinstance(operations, list) else []):
            if isinstance(operation, dict):
                put("visual", f"{case['id']}-{index}", compact(dict(operation, ui={"templates": TEMPLATES})))
                put("visual", f"{case['id']}-{index}-plain", compact(operation))


def token_data_seeds() -> None:
    texts = {
        "empty": [],
        "initial": ['{"a":1,"b":[2.50]}'],
        "put": ["", "key", '{"x":null}', "key", '"later"', "", "0"],
        "texts": ["{}", "a", '\u0161\n"', "b", "plain"],
        "no-object": ["[]"],
        "no-value": ["", "key", "nul"],
        "recorder": ["", "preApprovalScreens", "[]"],
    }
    for name, parts in texts.items():
        for mode in "05":
            put("token-data", f"{name}-{mode}", (mode + "\0".join(parts)).encode())


def configuration_seeds() -> None:
    data = vector("powerauth-sdk-config")
    for kind in ["decoded", "valid", "invalid"]:
        for index, entry in enumerate(data[kind]):
            text = entry["config"]
            put("configuration", f"{kind}-{entry.get('name', index)}", text.encode())
            try:
                put("configuration", f"{kind}-{entry.get('name', index)}-bytes", base64.b64decode(text, validate=True))
            except ValueError:
                pass
    put(
        "configuration",
        "two-kinds",
        b"\x01\x10" + b"k" * 16 + b"\x10" + b"s" * 16 + b"\x02\x07\x01x\x01\x41" + points()[0],
    )

    keys = vector("powerauth4-fingerprint")["cases"]
    point = base64.b64decode(keys[0]["input"]["device"]["ecdsa"])
    info = next(
        base64.b64decode(case["input"]["device"]["mldsa"]) for case in keys if "mldsa" in case["input"]["device"]
    )
    head = b"\x01\x10" + b"k" * 16 + b"\x10" + b"s" * 16
    put("configuration", "p384", head + b"\x01\x02\x61" + point)
    length = bytes([0x80 | len(info) >> 8, len(info) & 255])
    put("configuration", "hybrid", head + b"\x03\x01\x41" + points()[0] + b"\x02\x61" + point + b"\x03" + length + info)


def code_seeds() -> None:
    data = vector("powerauth-activation-code")
    texts = [
        data["zeroBytesCode"],
        *data["validActivationCodes"],
        *data["invalidActivationCodes"],
        *data["docsCodes"],
        *data["validRecoveryCodes"],
        *data["invalidRecoveryCodes"],
        *data["validPuks"],
        *data["invalidPuks"],
        *[entry["text"] for entry in data["qrActivation"] + data["qrRecovery"]],
        data["typedCharacterCorrection"]["input"],
    ]
    for entry in vector("powerauth-activation-code-signature")["vectors"][:3]:
        texts.append(entry["activationCode"] + "#" + entry["activationSignature"])
    for index, text in enumerate(dict.fromkeys(texts)):
        put("code", f"{index:03}", text.encode())


def query_seeds() -> None:
    for index, entry in enumerate(vector("powerauth-query-canonical")["vectors"]):
        put("query", f"{index:02}", entry["query"].encode())
        put("query", f"{index:02}-canonical", (entry["canonical"] or "").encode())
    for index, text in enumerate(
        ["a=%", "a=%4", "a=%zz", "=", "&&", "a", "a=b=c", "%C5%BE=%F0%9F%98%80", "a=+%20", "a=%00"]
    ):
        put("query", f"edge-{index}", text.encode())


def push_seeds() -> None:
    for case in vector("push-messages")["cases"]:
        put("push", case["id"], compact(case["input"]))
        if "messageType" in case["input"]:
            put(
                "push",
                f"{case['id']}-data",
                compact({"data": case["input"], "notification": {"title": "t", "body": "b"}}),
            )


def reply_seeds() -> None:
    statuses = [200, 201, 204, 301, 400, 401, 403, 404, 409, 429, 500, 502, 503, 599]
    tables = {"authorize": 1, "reject": 2, "cancel": 2}
    for case in vector("errors")["cases"]:
        given = case["input"]
        if given.get("http") in statuses and "body" in given:
            body = given["body"]
            body = body.encode() if isinstance(body, str) else compact(body)
            mode = bytes([statuses.index(given["http"]), tables.get(given.get("call"), 0)])
            put("reply", case["id"], mode + body)
    put("reply", "plain", b"00" + compact({"status": "OK", "responseObject": {"serverTime": 1}}))
    put(
        "reply", "encrypted", b"00" + compact({"encryptedData": "AA==", "mac": "AA==", "nonce": "AA==", "timestamp": 1})
    )
    put("reply", "html", b"\x0b0<html>502</html>")


def ecies_seeds() -> None:
    for scope in ["application", "activation"]:
        for index, entry in enumerate(vector("powerauth-e2ee-generated-33")[scope][:2]):
            members = {key: value for key, value in entry.items() if isinstance(value, str)}
            response = {
                "encryptedData": members.get("encryptedDataResponse", "AA=="),
                "mac": members.get("responseMac", "AA=="),
                "nonce": members.get("responseNonce", "AA=="),
                "timestamp": int(members.get("timestampResponse", "1")),
            }
            put("ecies", f"{scope}-{index}", b"0" + compact(response))
    put("ecies", "nulls", b"0" + compact({"encryptedData": None, "mac": None, "nonce": None, "timestamp": None}))
    for index, text in enumerate([b"", b"{}", b'{"a":1}', b"x" * 15, b"x" * 16, b"x" * 100]):
        put("ecies", f"plaintext-{index}", b"1" + text)
    for count in [0, 1, 15, 16, 32, 48]:
        put("ecies", f"ciphertext-{count}", b"2" + bytes(range(count)))


def temporary_key_seeds() -> None:
    for index, entry in enumerate(vector("powerauth-temporary-key-jwt")["vectors"]):
        mode = b"0" if entry["scope"] == "application" else b"1"
        for name, value in entry.items():
            if isinstance(value, str) and value.startswith("eyJ"):
                put("temporary-key", f"{index}-{name}", mode + compact({"jwt": value}))
    claims = {
        "sub": "0a1b2c3d-0000-4000-8000-000000000001",
        "applicationKey": APPLICATION_KEY,
        "challenge": CHALLENGE,
        "publicKey": base64.b64encode(points()[0]).decode(),
        "iat": 1730000000,
        "exp": 1730000300,
        "iat_ms": 1730000000000,
        "exp_ms": 1730000300000,
    }
    put("temporary-key", "claims-application", b"2" + compact(claims))
    put("temporary-key", "claims-activation", b"3" + compact(dict(claims, activationId=ACTIVATION_ID)))
    put("temporary-key", "claims-expired", b"2" + compact(dict(claims, exp_ms=1)))
    put("temporary-key", "header", b'4{"alg":"ES256","typ":"JWT"}\n' + compact(claims))
    put("temporary-key", "header-none", b'4{"alg":"none","typ":"JWT"}\n' + compact(claims))


def activation_seeds() -> None:
    layer2 = {
        "activationId": ACTIVATION_ID,
        "serverPublicKey": base64.b64encode(points()[0]).decode(),
        "ctrData": base64.b64encode(b"3" * 16).decode(),
        "activationRecovery": RECOVERY,
    }
    sealed = {
        "encryptedData": "AAAAAAAAAAAAAAAAAAAAAA==",
        "mac": base64.b64encode(b"m" * 32).decode(),
        "nonce": base64.b64encode(b"n" * 16).decode(),
        "timestamp": 1730000000000,
    }
    put("activation", "outer", b"0" + compact(sealed))
    put(
        "activation",
        "layer1",
        b"1" + compact({"activationData": sealed, "customAttributes": {"a": [1, 2.5]}, "userInfo": {"sub": "joe"}}),
    )
    put("activation", "layer2", b"2" + compact(layer2))
    put("activation", "layer2-no-recovery", b"2" + compact(dict(layer2, activationRecovery=None)))
    put(
        "activation",
        "layer2-compressed",
        b"2" + compact(dict(layer2, serverPublicKey=base64.b64encode(compressed(points()[1])).decode())),
    )
    put(
        "activation",
        "layer2-bad-point",
        b"2" + compact(dict(layer2, serverPublicKey=base64.b64encode(b"\x04" + b"\x01" * 64).decode())),
    )


def status_seeds() -> None:
    for index, entry in enumerate(vector("powerauth-status-blob")["vectors"][:4]):
        put(
            "status",
            f"answer-{index}",
            b"0"
            + compact(
                {
                    "activationId": ACTIVATION_ID,
                    "encryptedStatusBlob": entry["encryptedStatusBlob"],
                    "nonce": entry["nonce"],
                    "customObject": {"a": "b"},
                }
            ),
        )
    for state in range(1, 7):
        blob = bytes([0xDE, 0xC0, 0xDE, 0xD1, state, 3, 3, 0, 0, 0, 0, 0, 0, 0, 5, 20])
        put("status", f"blob-state-{state}", b"1" + blob + b"h" * 16)
    for steps, byte in [(0, 0), (1, 1), (5, 5), (19, 19), (20, 20), (21, 21), (3, 250), (0, 200)]:
        put("status", f"ahead-{steps}-{byte}", b"2" + bytes([steps, 0, 0, 0, 3, 3, 3, 0, 0, 0, 0, 0, byte, 1, 5, 20]))


def v4_seeds() -> None:
    for case in vector("powerauth4-temporary-key")["cases"]:
        text = case["input"]["responseJws"].encode()
        put("jws", case["id"], b"1" + text)
        put("jws", case["id"] + "-answer", b"0" + compact({"jwt": text.decode()}))
        put("jws", case["id"] + "-hybrid", b"5" + text)
        put("jws", case["id"] + "-hybrid-answer", b"4" + compact({"jwt": text.decode()}))
    claims = {
        "sub": "0b1c2d3e-0000-4000-8000-000000000004",
        "applicationKey": APPLICATION_KEY,
        "challenge": base64.b64encode(b"\x5a" * 32).decode(),
        "iat_ms": 1730000000000,
        "exp_ms": 1730000300000,
    }
    exchanges = [case for case in vector("powerauth4-shared-secret")["cases"] if case["id"].startswith("ec-")]
    answers = [
        {"salt": case["input"]["salt"], "encapsulatedKeys": case["input"]["encapsulatedKeys"]} for case in exchanges
    ]
    for index, answer in enumerate(answers):
        put("jws", f"claims-{index}", b"2" + compact(dict(claims, sharedSecretResponse=answer)))
        put("spki", f"answer-{index}", b"4" + compact(answer))
    put("jws", "header", b'3{"alg":"ES384"}\n' + compact(dict(claims, sharedSecretResponse=answers[0])))
    hybrid = [case for case in vector("powerauth4-shared-secret")["cases"] if "l3" in case["id"].lower()]
    for index, case in enumerate(hybrid):
        answer = {"salt": case["input"]["salt"], "encapsulatedKeys": case["input"]["encapsulatedKeys"]}
        put("spki", f"answer-hybrid-{index}", b"5" + compact(answer))
        right = compact(dict(claims, sharedSecretResponse=answer))
        put("jws", f"claims-hybrid-{index}", b"6" + right)
        put("jws", f"header-hybrid-{index}", b'7{"alg":"ML-DSA-65"}\n' + right)
        put("jws", f"first-wrong-{index}", bytes([14]) + right)
        put("jws", f"last-wrong-{index}", bytes([22]) + right)
    put("jws", "header-none", b'3{"alg":"none","typ":"JWT"}\n' + compact(claims))
    for index, case in enumerate(vector("powerauth4-fingerprint")["cases"]):
        device = case["input"]["device"]
        put("spki", f"keys-{index}", b"3" + compact(device))
        if "mldsa" in device:
            put("spki", f"key-{index}", str(index % 3).encode() + base64.b64decode(device["mldsa"]))
    for case in vector("powerauth4-aead")["cases"]:
        put("aead", case["id"], b"2" + base64.b64decode(case["expect"]["sealed"]))
        put("aead", case["id"] + "-plain", b"1" + base64.b64decode(case["input"]["plaintext"]))
    for case in vector("powerauth4-e2ee")["cases"][:2]:
        answer = {"encryptedData": case["expect"]["encryptedDataResponse"], "timestamp": 1730000000000}
        put("aead", case["id"], b"0" + compact(answer))
    for case in vector("powerauth4-status-blob")["cases"][:2]:
        put("status4", case["id"], b"0" + base64.b64decode(case["input"]["blob"]))
    for state, flags in [(1, 0), (2, 1), (3, 0), (3, 2), (4, 4), (5, 8), (6, 0)]:
        blob = bytes([0xDE, 0xC0, 0xDE, 0xD4, state, 4, 4, flags, 0, 0, 0, 0, 3, 0, 5, 20])
        put("status4", f"state-{state}-{flags}", b"1" + blob + b"h" * 32)


def token_seeds() -> None:
    token = {"tokenId": "0b1c2d3e-0000-4000-8000-000000000003", "tokenSecret": base64.b64encode(b"t" * 16).decode()}
    put("token", "right", compact(token))
    put("token", "short-secret", compact(dict(token, tokenSecret="AA==")))
    put("token", "no-id", compact(dict(token, tokenId=None)))
    put("token", "not-an-object", b"[]")


def vault_seeds() -> None:
    for index, entry in enumerate(vector("powerauth-vault")["vectors"][:2]):
        put(
            "vault",
            f"answer-{index}",
            b"0" + compact({"encryptedVaultEncryptionKey": entry["encryptedVaultEncryptionKey"]}),
        )
    put("vault", "confirmed", b'0{"alreadyConfirmed":true}')
    put("vault", "right-key", b"1" + bytes(16))
    put("vault", "right-key-and-claims", b"1" + bytes(16) + b'{"a":1}')
    put("vault", "wrong-key", b"1" + bytes(15) + b"\x01")


def state_seeds() -> None:
    server, device = compressed(points()[0]), compressed(points()[1])

    def state(flags: int, byte: int, tokens: list[bytes], recovery: int, end: bytes = bytes([0, 20, 3])) -> bytes:
        biometry = b"b" * 16 if flags & 4 else bytes(16)
        block = (
            b"c" * 16
            + b"p" * 16
            + b"k" * 16
            + biometry
            + b"t" * 16
            + b"s" * 16
            + server
            + (device if flags & 8 else bytes(33))
            + ACTIVATION_ID.encode()
            + b"e" * 48
            + b"r" * recovery
        )
        head = b"MTPA\x03\x01" + bytes([flags, byte]) + (10000).to_bytes(4, "big")
        return head + bytes([len(ACTIVATION_ID), 48, recovery, len(tokens)]) + block + b"".join(tokens) + end

    token_id = b"0b1c2d3e-0000-4000-8000-000000000002"
    token = b"\x01\x14possession_universal" + bytes([len(token_id)]) + token_id + b"x" * 16
    other = b"\x03\x01b" + bytes([len(token_id)]) + token_id + b"y" * 16
    states = {
        "empty": b"MTPA\x03\x00",
        "plain": state(9, 7, [], 0),
        "everything": state(15, 255, [token, other], 48),
        "old-import": state(0, 0, [], 0),
        "later-format": b"MTPA\x05\x01",
        "same-token-twice": state(9, 0, [token, token], 0),
    }
    cards = b"\x02\x04card" + b"c" * 16 + b"\x05watch" + b"w" * 16
    states["authenticators"] = state(15, 255, [token, other], 48, cards + bytes([64, 255]))
    states["window-too-wide"] = state(9, 7, [], 0, bytes([0, 65, 0]))
    for name, content in states.items():
        put("state", name, b"0" + content)
        put("state", name + "-sealed", b"3" + content)
    for entry in vector("powerauth-persistent-state")["samples"]:
        put("state", "upstream-" + entry["name"], b"1" + base64.b64decode(entry["data"]))
    put("state", "sealed-by-nobody", b"2MTKS\x01" + bytes(16 + 64 + 32))
    put("state", "sealed-later", b"2MTKS\x02" + bytes(64))


def offline_seeds() -> None:
    for name in ["qr-operations", "qr-signed"]:
        for case in vector(name)["cases"]:
            put("qr", case["id"], case["input"].encode())
            lines = case["input"].split("\n")
            if (
                name == "qr-operations"
                and len(lines) > 6
                and lines[3] != "A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello world"
            ):
                put("data", case["id"], lines[3].encode())
    for case in vector("pac")["cases"]:
        put("pac", case["id"], case["input"].encode())
        for part in (
            case["input"].split("=")[-1].split(".")[1:2] if "code=" in case["input"] else case["input"].split(".")[1:2]
        ):
            try:
                put("jwt", case["id"], base64.urlsafe_b64decode(part.rstrip("=") + "=" * (-len(part.rstrip("=")) % 4)))
            except ValueError:
                pass
    put("jwt", "escapes", b'{"oid":"\\u0061\\u017e","potp":"12345678","x":[1,{"y":null}]}')
    put("jwt", "spaces", b' { "oid" : "a" , "totp" : null } ')
    put("jwt", "twice", b'{"oid":"a","oid":"b"}')
    for case in vector("operation-data")["cases"]:
        if "data" in case["expect"]:
            put("data", case["id"], case["expect"]["data"].encode())


def oidc_seeds() -> None:
    redirects = [
        "mtoken://oidc",
        "https://app.example/back?a=1&b=%20",
        "http://127.0.0.1:8080/back",
        "com.example.app:/back",
    ]
    for case in vector("oidc")["cases"]:
        if case["input"]["call"] != "processCallback":
            continue
        callback = case["input"]["callback"].replace("st-1_~", "s").replace("st-1_%7E", "%73")
        put("uri", case["id"], callback.encode())
        for mode in (0, 4):
            put("oidc", f"{case['id']}-{mode}", f"{mode}{callback}".encode())
    for mode, redirect in enumerate(redirects):
        put("uri", f"redirect-{mode}", redirect.encode())
        start = redirect + ("&" if "?" in redirect else "?")
        put("oidc", f"good-{mode}", f"{mode}{start}code=c&state=s".encode())
        put("oidc", f"issuer-{mode}", f"{mode + 4}{start}code=c&state=s&iss=https%3A%2F%2Fidp.example".encode())
        put(
            "oidc",
            f"error-{mode}",
            f"{mode}{start}error=a%20b&error_description=%C5%BE%0D&error_uri=%ff&state=s".encode(),
        )


def main() -> None:
    shutil.rmtree(SEEDS, ignore_errors=True)
    for make in [
        json_seeds,
        operations_seeds,
        ui_seeds,
        visual_seeds,
        honest_seeds,
        token_data_seeds,
        configuration_seeds,
        code_seeds,
        query_seeds,
        push_seeds,
        reply_seeds,
        ecies_seeds,
        temporary_key_seeds,
        activation_seeds,
        status_seeds,
        v4_seeds,
        token_seeds,
        vault_seeds,
        state_seeds,
        offline_seeds,
        oidc_seeds,
    ]:
        make()
    print(f"{sum(1 for path in SEEDS.rglob('*') if path.is_file())} seeds")


if __name__ == "__main__":
    main()
