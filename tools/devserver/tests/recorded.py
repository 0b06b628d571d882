"""The exchanges recorded from released servers, and what a test needs to replay them."""

from __future__ import annotations

import json
from typing import Any, Dict, List

import pytest
import vectors
from client import Envelope, dec, joined, mac, point, sha256, x963
from cryptography.hazmat.primitives.asymmetric import ec

P256 = ec.SECP256R1()


def names(prefix: str = "") -> List[str]:
    """Names of the recorded files that begin so."""
    folder = vectors.directory()
    files = sorted((folder / "released").glob(f"{prefix}*.json")) if folder else []
    return [path.stem for path in files]


def load(name: str) -> Dict[str, Any]:
    return vectors.load(f"released/{name}")


def activation_id(exchange: Dict[str, Any]) -> str:
    """Out of the PowerAuth header."""
    for name, value in exchange["requestHeaders"].items():
        if name.lower().startswith("x-powerauth"):
            return value.partition('activation_id="')[2].partition('"')[0]
    return json.loads(exchange["requestBody"])["requestObject"]["activationId"]


def replay(http: Any, exchange: Dict[str, Any]) -> Any:
    """The recorded request, byte for byte."""
    dropped = {"content-length", "host"}
    headers = {name: value for name, value in exchange["requestHeaders"].items() if name.lower() not in dropped}
    body = exchange["requestBody"].encode()
    request = http.build_request(exchange["method"], exchange["path"], content=body, headers=headers)
    # httpx writes queries anew; what was recorded must go out as it was.
    request.url = request.url.copy_with(raw_path=exchange["path"].encode())
    return http.send(request)


def same_shape(left: Any, right: Any, path: str = "") -> None:
    """Equal members, in the same order, of the same JSON types; lists are compared by their first element."""
    assert type(left) is type(right), f"{path}: {left!r} {right!r}"
    if isinstance(left, dict):
        assert list(left) == list(right), path
        for name in left:
            same_shape(left[name], right[name], f"{path}.{name}")
    elif isinstance(left, list) and left and right:
        same_shape(left[0], right[0], f"{path}[0]")


def check_answer(response: Any, exchange: Dict[str, Any]) -> None:
    """Status, headers, and of the body the members; where it is a refusal, all of it."""
    assert response.status_code == exchange["status"], response.text
    for name, value in exchange["answerHeaders"].items():
        assert response.headers.get(name) == value, name
    assert response.headers["transfer-encoding"] == "chunked" and "content-length" not in response.headers
    assert "date" in response.headers
    recorded, given = json.loads(exchange["answer"]), response.json()
    if exchange["status"] != 200:
        assert given == recorded
    else:
        same_shape(given, recorded)


def envelope(
    exchange_body: Dict[str, Any],
    version: str,
    info: str,
    recipient: str,
    application: Dict[str, str],
    activation: str = "",
    transport_key: bytes = b"",
) -> Envelope:
    """The keys of a recorded cryptogram, out of the recipient's private key: they open the answer to it."""
    private = ec.derive_private_key(int.from_bytes(dec(recipient), "big"), P256)
    sent = dec(exchange_body["ephemeralPublicKey"])
    shared = private.exchange(ec.ECDH(), point(sent))
    prefix = version if version in ("3.2", "3.3") else ""
    key = x963(shared, prefix.encode() + info.encode() + sent, 48)
    secret = application["applicationSecret"].encode()
    base = mac(transport_key, secret) if activation else sha256(secret)
    associated = b""
    if prefix:
        parts = [version, application["applicationKey"]]
        parts += [activation] if activation else []
        parts += [exchange_body["temporaryKeyId"]] if version == "3.3" else []
        associated = joined(*(part.encode() for part in parts))
    nonce = dec(exchange_body["nonce"])
    return Envelope(version, key, base, associated, nonce, exchange_body)


def version_of(name: str) -> str:
    """`token-3-2` → `3.2`."""
    major, minor = name.split("-")[-2:]
    return f"{major}.{minor}"


def skip_without_recordings() -> None:
    if not names():
        pytest.skip("no recorded exchanges")
