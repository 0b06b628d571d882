"""Bad input: the corpora of the library's fuzz targets, and headers and cryptograms spoilt at random, sent to
this server.

No 500 but where the released servers have one (`ERROR_GENERIC`, with its reason in the audit), nothing stored, no trace
of the server's inside in an answer or of a failure in its log.
"""

from __future__ import annotations

import atexit
import json
import os
import random
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from client import dec, enc, mac, url_enc

OPERATION = "/api/auth/token/app/operation"
FUZZ = Path(__file__).resolve().parents[3] / "Tests" / "fuzz"
SEED = int(os.environ.get("MTOKEN_SEED", "20261122"))
TRACE = re.compile(rb'Traceback|\.py"|mtoken_devserver|line \d+|Error\(')
PIN = "possession_knowledge"


@cache
def seeds() -> Path:
    """The folder that make_seeds.py fills."""
    folder = Path(mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run([sys.executable, "-B", FUZZ / "make_seeds.py", folder], check=True, stdout=subprocess.DEVNULL)
    return folder


def corpus(*targets: str) -> list[bytes]:
    """Seeds of these targets, all with MTOKEN_FULL, and what was found by them."""
    files = [path for target in targets for path in sorted((seeds() / target).glob("*"))]
    assert files, f"no seeds of {targets}"
    if not os.environ.get("MTOKEN_FULL"):
        files = random.Random(SEED).sample(files, min(len(files), 40))
    files += [path for target in targets for path in sorted((FUZZ / "findings" / target).glob("*"))]
    contents = [path.read_bytes() for path in files if path.is_file()]
    # The first byte of some tells the target how deep to put it.
    return contents + [
        content[1:] for content in contents if content[:1] in (b"0", b"1", b"2") and content[1:2] == b"{"
    ]


class Judge:
    """Sends, and says what was wrong with an answer."""

    def __init__(self, device: Any, admin: Any, running: Any) -> None:
        self.device, self.admin, self._running = device, admin, running
        self._start = self._log_size()
        self._audit = self._last("/audit", "audit")
        self.sent = 0
        self._before = self._stored()

    def _log_size(self) -> Any:
        self._running.log.flush()
        return os.fstat(self._running.log.fileno()).st_size

    def _last(self, path: Any, name: Any) -> Any:
        records = self.admin.get(path, limit=1)[name]
        return records[-1]["seq"] if records else 0

    def _stored(self) -> Any:
        seen = dict(self.admin.activation(self.device))
        for moving in ("counter", "ctrData", "lastUsed", "failedAttempts"):
            seen.pop(moving)
        lists = {name: len(self.admin.get(f"/{name}")[name]) for name in ("activations", "operations")}
        return seen, lists, self.admin.get("/config")

    def send(self, path: Any, body: Any = b"", headers: Any = None, method: Any = "POST") -> Any:
        """Whatever is sent is answered in the server's own form."""
        response = self.device.raw(path, body, headers, method)
        self.sent += 1
        context = (path, body[:200], headers, response.text[:300])
        assert response.status_code in (200, 400, 401, 404, 415, 500), context
        if response.status_code == 500:
            assert response.json()["responseObject"]["code"] == "ERROR_GENERIC", context
        assert not TRACE.search(response.content), context
        return response

    def verdict(self, *, generic: Any = True) -> None:
        """Nothing stored, nothing in the log, and every 500 one that was meant."""
        assert self._stored() == self._before
        with open(f"/proc/self/fd/{self._running.log.fileno()}", "rb") as log:
            log.seek(self._start)
            assert b"Traceback" not in log.read()
        if not generic:
            refused = self.admin.get("/audit", after=self._audit, kind="request", limit=10_000)["audit"]
            assert {record["status"] for record in refused} <= {400, 401}


@pytest.fixture
def judge(device: Any, admin: Any, running: Any) -> Any:
    made = Judge(device, admin, running)
    yield made
    made.verdict()
    assert made.sent, "nothing was sent"


def spoilt(rng: Any, text: Any) -> Any:
    """One or a few characters changed, cut, doubled or put in."""
    for _ in range(rng.randint(1, 3)):
        if not text:
            return text
        position = rng.randrange(len(text))
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:position] + rng.choice('",= \\{}x0/+%\x7f') + text[position + 1 :]
        elif kind == 1:
            text = text[:position]
        elif kind == 2:
            end = min(len(text), position + rng.randint(1, 20))
            text = text[:end] + text[position:end] + text[end:]
        elif kind == 3:
            text = text[:position] + text[position + rng.randint(1, 20) :]
        else:
            text = text[:position] + rng.choice(['"', '="', ", ", "A" * 300, "\u00ff", "\t"]) + text[position:]
    return text


def header(name: Any, value: Any) -> Any:
    """As it can be sent: no line breaks, no space at the ends."""
    return {name: value.replace("\r", "").replace("\n", "").strip().encode("latin-1", "replace") or b"-"}


PLAIN = [
    "/pa/v3/status",
    "/pa/v3/keystore/create",
    "/pa/v3/activation/create",
    "/pa/v3/activation/status",
    "/pa/v3/activation/remove",
    "/pa/v3/activation/detail",
    "/pa/v3/user/info",
    "/api/config/oidc",
    f"{OPERATION}/authorize",
]
BY_TOKEN = [
    f"{OPERATION}/detail",
    f"{OPERATION}/detail/claim",
    "/api/inbox/message/list",
    "/api/inbox/message/detail",
    "/api/push/device/register/token",
]
SIGNED = [
    (f"{OPERATION}/authorize", "/operation/authorize", PIN),
    (f"{OPERATION}/cancel", "/operation/cancel", "possession"),
    ("/pa/v3/token/remove", "/pa/token/remove", "possession"),
    ("/pa/v3/token/create", "/pa/token/create", "possession"),
    ("/pa/v3/vault/unlock", "/pa/vault/unlock", PIN),
    ("/pa/v3/recovery/confirm", "/pa/recovery/confirm", PIN),
    ("/pa/v3/activation/rename", "/pa/activation/rename", PIN),
]
ODD = [
    b"",
    b"null",
    b"[]",
    b"1",
    b'""',
    b"\xff",
    b'{"requestObject":[]}',
    b'{"requestObject":null}',
    b'{"requestObject":"x"}',
    b'{"requestObject":{"id":"\\ud800","data":"\\udc00"}}',
    b'{"requestObject":{"id":1,"data":[]}}',
    b'{"requestObject":{"id":{},"reason":{}}}',
    b'{"requestObject":{"jwt":{}}}',
    b'{"requestObject":{"jwt":"e30.e30.e30"}}',
    b'{"requestObject":{"activationId":7,"challenge":{}}}',
    b'{"requestObject":{"tokenId":["x"]}}',
    b'{"requestObject":{"page":1e400,"size":-1}}',
    b'{"requestObject":{"page":99999999999999999999999,"size":1}}',
    b'{"requestObject":{"platform":1,"token":{}}}',
    b'{"a":NaN}',
    b"[" * 100_000,
    b'{"requestObject":' * 20_000,
]


def json_bodies() -> Any:
    return ODD + [body for body in corpus("json", "reply", "push") if len(body) < 3000]


@pytest.mark.parametrize("path", PLAIN)
def test_json_in_plain_requests(judge: Any, path: Any) -> None:
    encryption = judge.device.encryption_header(path.endswith(("info", "detail")))
    for body in json_bodies():
        judge.send(path, body)
        judge.send(path, body, encryption)


def test_json_in_requests_with_a_token(judge: Any) -> None:
    token = judge.device.create_token()
    judge._before = judge._stored()
    for body in json_bodies():
        for path in BY_TOKEN:
            judge.send(path, body, judge.device.token_header(token))


def test_json_in_signed_requests(judge: Any) -> None:
    device = judge.device
    for body in json_bodies():
        for path, uri_id, factors in SIGNED:
            judge.send(path, body, device.signature_header(factors, uri_id, body))


def test_json_in_plaintexts(judge: Any) -> None:
    """Rightly encrypted and authenticated, and yet nothing that can be read."""
    device = judge.device
    for plain in ODD + corpus("activation", "json")[:40]:
        for path, scope in (
            ("/pa/v3/user/info", True),
            ("/api/config/oidc", False),
            ("/pa/v3/activation/create", False),
        ):
            info = "/pa/generic/activation" if scope else "/pa/generic/application"
            body = json.dumps(device.encrypt(plain, info, scope).body).encode()
            judge.send(path, body, device.encryption_header(scope))
        body = json.dumps(device.encrypt(plain, "/pa/vault/unlock", True).body).encode()
        judge.send(
            "/pa/v3/vault/unlock",
            body,
            device.signature_header(PIN, "/pa/vault/unlock", body, keys={"knowledge": b"w"}),
        )
        judge.admin.patch(f"/activations/{device.activation_id}", {"failedAttempts": 0})


def test_layer_2_that_is_nothing(judge: Any, admin: Any, user: Any) -> None:
    device = judge.device
    record = admin.post("/activations", {"userId": user})
    judge._before = judge._stored()
    odd = (
        {"devicePublicKey": value}
        for value in (None, "", "AAAA", enc(b"\4" + bytes(64)), 7, [], enc(b"\2" + b"\xff" * 32))
    )
    for layer2 in [*ODD, *corpus("activation"), *(json.dumps(value).encode() for value in odd)]:
        inner = device.encrypt(layer2, "/pa/activation", False)
        request = {
            "type": "CODE",
            "identityAttributes": {"code": record["activationCode"]},
            "activationData": inner.body,
        }
        outer = device.encrypt(json.dumps(request).encode(), "/pa/generic/application", False)
        response = judge.send(
            "/pa/v3/activation/create", json.dumps(outer.body).encode(), device.encryption_header(False)
        )
        assert response.status_code == 400
    assert admin.get(f"/activations/{record['activationId']}")["state"] == "CREATED"


def test_tokens_of_the_key_store(judge: Any, admin: Any) -> None:
    """Whole tokens out of the corpus, and its payloads under a right code."""
    keys = len(admin.get("/temporary-keys")["temporaryKeys"])
    secret = dec(judge.device.sdk.secret)
    head = url_enc(b'{"alg":"HS256","typ":"JWT"}')
    texts = [text.decode("latin-1") for text in corpus("temporary-key", "jwt")]
    for payload in ODD + corpus("jwt", "json"):
        text = f"{head}.{url_enc(payload)}"
        texts.append(f"{text}.{url_enc(mac(secret, text.encode()))}")
    for claims in (
        {"applicationKey": judge.device.sdk.key, "challenge": 7},
        {"applicationKey": judge.device.sdk.key, "activationId": 7},
        {"applicationKey": judge.device.sdk.key, "activationId": {}},
        {"applicationKey": [judge.device.sdk.key]},
    ):
        text = f"{head}.{url_enc(json.dumps(claims).encode())}"
        texts.append(f"{text}.{url_enc(mac(secret, text.encode()))}")
    right = json.dumps({"applicationKey": judge.device.sdk.key, "challenge": "AAAA"}).encode()
    text = url_enc(b'{"alg":"HS256","typ":"JWT","crit":["exp"]}') + "." + url_enc(right)
    texts.append(f"{text}.{url_enc(mac(secret, text.encode()))}")
    for odd_head in (b"[]", b"7", b"{}", b'{"alg":["HS256"]}', b"\xff"):
        texts.append(f"{url_enc(odd_head)}.{url_enc(b'{}')}.AAAA")
    for text in texts:
        body = json.dumps({"requestObject": {"jwt": text}}).encode()
        assert judge.send("/pa/v3/keystore/create", body).status_code == 400
    assert len(admin.get("/temporary-keys")["temporaryKeys"]) == keys


def test_cryptograms(judge: Any) -> None:
    """The corpus, and right cryptograms with one member spoilt, in all the places where one is opened."""
    rng, device = random.Random(SEED), judge.device
    bodies = [body for body in corpus("ecies", "token", "vault") if len(body) < 3000]
    values = [
        None,
        "",
        "A",
        "AAAA",
        "***",
        7,
        -1,
        2**63,
        2**70,
        1.5,
        True,
        [],
        {},
        enc(bytes(16)),
        enc(bytes(33)),
        enc(b"\4" + bytes(64)),
    ]
    members = list(device.encrypt(b"{}", "/pa/generic/activation", True).body)
    for name in members:
        for value in values:
            bodies.append(
                json.dumps({**device.encrypt(b"{}", "/pa/generic/activation", True).body, name: value}).encode()
            )
    for _ in range(60):
        text = json.dumps(device.encrypt(b"{}", "/pa/generic/activation", True).body)
        bodies.append(spoilt(rng, text).encode("utf-8", "replace"))
    for body in bodies:
        response = judge.send("/pa/v3/user/info", body, device.encryption_header(True))
        assert response.status_code in (200, 400)
    for body in rng.sample(bodies, 60):
        judge.send("/pa/v3/activation/create", body, device.encryption_header(False))
        for path, uri_id, factors in SIGNED[3:]:
            judge.send(path, body, device.signature_header(factors, uri_id, body))


@pytest.mark.parametrize("name", ["X-PowerAuth-Authorization", "X-PowerAuth-Token", "X-PowerAuth-Encryption"])
def test_headers(judge: Any, name: Any) -> None:
    """A right header, spoilt: refused, or as right as before; never a failure, and no attempt but for a
    whole header.
    """
    rng, device = random.Random(f"{SEED} {name}"), judge.device
    token = device.create_token()
    judge._before = judge._stored()
    plain = device.encrypt(b"{}", "/pa/generic/activation", True)
    for _ in range(150):
        if name == "X-PowerAuth-Authorization":
            path, body, good = "/pa/v3/signature/validate", b"{}", device.signature_header("possession", "/pa/x", b"{}")
        elif name == "X-PowerAuth-Token":
            path, body, good = f"{OPERATION}/list", b"{}", device.token_header(token)
        else:
            path, body, good = "/pa/v3/user/info", json.dumps(plain.body).encode(), device.encryption_header(True)
        judge.send(path, body, header(name, spoilt(rng, good[name])))
    for value in (
        "PowerAuth",
        "PowerAuth " + "a" * 5000,
        'PowerAuth version="',
        "PowerAuth " + 'x="y", ' * 500,
        '"',
        "=",
    ):
        judge.send(path, body, header(name, value))
    assert judge.admin.activation(device)["failedAttempts"] == 0
