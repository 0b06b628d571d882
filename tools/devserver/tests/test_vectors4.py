"""The server's cryptography of protocol 4.0 against the shared vectors."""

from __future__ import annotations

import json
from typing import Any, Dict, List

import vectors
from cryptography.hazmat.primitives.asymmetric import mlkem
from test_vectors import b

from mtoken_devserver import crypto, jwt, offline, signature
from mtoken_devserver.model import Activation, Protocol4
from mtoken_devserver.protocol4 import envelope, keytree, primitives, suites


def cases(name: str, count: int) -> List[Dict[str, Any]]:
    """All cases of a file, which has so many."""
    found: List[Dict[str, Any]] = vectors.load(f"powerauth4-{name}")["cases"]
    assert len(found) == count
    return found


def decoded(texts: Dict[str, str]) -> Dict[str, bytes]:
    return {name: b(text) for name, text in texts.items()}


def test_key_derivation() -> None:
    for case in cases("kdf", 10):
        given = case["input"]
        key = primitives.kdf(b(given["key"]), given["label"], b(given["diversifier"]), given["length"])
        assert key == b(case["expect"]["key"])


def test_password_derivation() -> None:
    """A server never does this; it checks the KMAC with short keys."""
    for case in cases("password-kdf", 8):
        given = case["input"]
        key = primitives.kmac(given["password"].encode(), b(given["salt"]), b"PA4PBKDF", given["length"])
        assert key == b(case["expect"]["key"])


def test_sealing() -> None:
    for case in cases("aead", 4):
        key, context, nonce, bound, plain = (
            b(case["input"][name]) for name in ("key", "context", "nonce", "associatedData", "plaintext")
        )
        sealed = primitives.seal(key, context, nonce, bound, plain)
        assert sealed == b(case["expect"]["sealed"])
        assert primitives.unseal(key, context, bound, sealed) == plain


def test_encryption() -> None:
    for case in cases("e2ee", 9):
        given, expect = case["input"], case["expect"]
        key = b(given["sharedInfo2Key"]) if given.get("sharedInfo2Key") else None
        keys = envelope.Envelope.make(
            b(given["envelopeKey"]),
            given["sh1"].encode(),
            b(given["nonce"]),
            given["applicationKey"],
            given.get("activationId"),
            given["temporaryKeyId"],
            envelope.shared_info2(b(given["applicationSecret"]), key),
        )
        encrypted, sent = b(expect["encryptedDataRequest"]), int(given["timestampRequest"])
        request = envelope.Request(given["temporaryKeyId"], encrypted, b(given["nonce"]), sent)
        assert keys.open(request) == given["request"].encode()
        answer = keys.seal(given["response"].encode(), int(given["timestampResponse"]))
        assert answer == b(expect["encryptedDataResponse"])


def test_shared_secrets() -> None:
    kems = {"EC_P384_ML_L3": mlkem.MLKEM768PrivateKey, "EC_P384_ML_L5": mlkem.MLKEM1024PrivateKey}
    for case in cases("shared-secret", 11):
        given, expect = case["input"], case["expect"]
        suite, keys, sent = suites.SUITES[given["algorithm"]], given["clientKeys"], given["encapsulatedKeys"]
        classical = primitives.import_private_key(b(keys[0]["d"]))
        secrets = [primitives.dhkem_decapsulate(classical, b(sent[0]))]
        primitives.import_public_key(b(expect["encapsulationKeys"][0]))
        if suite.kem is not None:
            suite.kem.import_public(b(expect["encapsulationKeys"][1]))
            if "seed" in keys[1]:
                private = kems[suite.name].from_seed_bytes(b(keys[1]["seed"]))
                secrets.append(private.decapsulate(b(sent[1])))
            else:
                secrets.append(b(expect["intermediate"][1]))
        assert secrets == [b(text) for text in expect["intermediate"]]
        assert primitives.combine(b(given["salt"]), secrets, suite.name) == b(expect["secret"])


def test_key_tree() -> None:
    for case in cases("derived-keys", 10):
        ours = keytree.KeyTree(b(case["input"]["activationSecret"])).all()
        assert {name: crypto.b64(ours[name]) for name in case["expect"]} == case["expect"]


def test_codes() -> None:
    for case in cases("authentication-code", 20):
        given = case["input"]
        tree = keytree.KeyTree(b(given["activationSecret"]))
        factors = {
            "possession": tree.possession,
            "knowledge": tree.initial_knowledge,
            "biometry": tree.initial_biometry,
        }
        body = given["body"].encode()
        data = signature.base_string(given["method"], given["uriId"], given["nonce"], body)
        data += b"&" + given["appSecret"].encode()
        assert data.decode() == case["expect"]["data"]
        keys = [factors[name] for name in given["factors"].split("_")]
        for digits, code in case["expect"].get("codes", {}).items():
            assert keytree.decimal_code(keys, b(given["ctrData"]), data, int(digits)) == code
        if "code" in case["expect"]:
            code = b"".join(keytree.components(keys, b(given["ctrData"]), data))
            assert crypto.b64(code) == case["expect"]["code"]


def test_components_are_not_those_of_the_drafts() -> None:
    for case in cases("code-components", 7):
        given, expect = case["input"], case["expect"]
        keys, counter, data = [b(key) for key in given["keys"]], b(given["ctrData"]), b(given["data"])
        code = crypto.b64(b"".join(keytree.components(keys, counter, data)))
        assert code == expect["online"] != case["obsolete"]["online"]
        assert keytree.decimal_code(keys, counter, data, 8) == expect["offline8"]
        assert keytree.decimal_code(keys[:2], counter, data, 4) == expect["offlineTwoKeys4"]


def test_counter() -> None:
    for case in cases("hash-counter", 10):
        state, counter = _state(bytes(32)), b(case["input"]["ctrData"])
        for expected in case["expect"]["next"]:
            counter = state.next_counter(counter)
            assert counter == b(expected)


def _state(secret: bytes) -> Protocol4:
    return Protocol4("EC_P384", secret, {}, {}, bytes(32), b"")


def test_status_blob() -> None:
    for case in cases("status-blob", 8):
        given, expect = case["input"], case["expect"]
        blob, counter = b(given["blob"])[:80], b(given["ctrData"])
        ours = keytree.StatusBlob(
            expect["state"],
            expect["currentVersion"],
            expect["upgradeVersion"],
            expect["flags"],
            expect["ctrByte"],
            expect["failCount"],
            expect["maxFailCount"],
            expect["lookAhead"],
            counter,
        ).encode(keytree.KeyTree(b(given["activationSecret"])), blob[8:12])
        assert (ours == blob) == expect["counterMatches"]
        assert ours[:16] == blob[:16]


def test_fingerprints() -> None:
    for case in cases("fingerprint", 6):
        given = case["input"]
        device, server = decoded(given["device"]), decoded(given["server"])
        ours = keytree.fingerprint(given["algorithm"], device, given["activationId"], server)
        assert ours == case["expect"]["fingerprint"]


def test_token_digests() -> None:
    for case in cases("token-digest", 30):
        given = case["input"]
        ours = keytree.token_digest(b(given["tokenSecret"]), b(given["nonce"]), given["timestamp"])
        assert ours == b(case["expect"]["digest"])


def test_offline_payloads() -> None:
    for case in cases("offline-qr", 2):
        given, expect = case["input"], case["expect"]
        state = _state(b(given["activationSecret"]))
        activation = Activation("id", "app", "user", "ACTIVE", 0, 0, 5, v4=state)
        text = given["payload"].rpartition("\n")[0]
        assert offline.personalise(text, activation) == given["payload"] != given["payloadWrongMac"]
        keys = [state.keys.possession, state.keys.initial_knowledge]
        if given["factors"] != "possession_knowledge":
            keys[1] = state.keys.initial_biometry
        data = expect["normalizedData"].encode()
        for digits in (4, 8):
            assert keytree.decimal_code(keys, b(given["ctrData"]), data, digits) == expect[f"code{digits}"]


def test_temporary_keys() -> None:
    for case in cases("temporary-key", 6):
        given, expect = case["input"], case["expect"]
        if given["scope"] == "application":
            key = keytree.request_key_of_application(b(given["applicationSecret"]))
        else:
            key = keytree.KeyTree(b(given["activationSecret"])).mac_temporary_key
        header, claims, data, code = jwt.split(expect["requestJwt"])
        assert header == {"alg": "HS384", "typ": "JWT"} and claims == json.loads(expect["requestPayload"])
        assert primitives.hmac_sha384(key, data) == code
        suite = suites.SUITES[given["algorithm"]]
        payload = json.loads(suites.verify_jws(suite, decoded(given["signingKeys"]), given["responseJws"]))
        assert (payload["sub"], payload["exp_ms"]) == (expect["keyId"], expect["expiresMs"])
