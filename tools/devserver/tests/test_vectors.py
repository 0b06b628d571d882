"""The server's cryptography against the shared vectors."""

from __future__ import annotations

import base64
from typing import Any, Dict, List, Optional

import pytest
import vectors

from mtoken_devserver import codes, crypto, ecies, jwt, keytree, model, offline, oidc, sdkconfig, signature


def b(text: str) -> bytes:
    return base64.b64decode(text)


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_activation_codes() -> None:
    data = vectors.load("powerauth-activation-code")
    for case in data["crc16"]:
        assert f"{crypto.crc16(case['text'].encode()):04X}" == case["crc16"]
    assert all(codes.is_code(code) for code in data["validActivationCodes"])
    assert not any(codes.is_code(code) for code in data["invalidActivationCodes"])
    assert all(codes.is_puk(puk) for puk in data["validPuks"])
    assert not any(codes.is_puk(puk) for puk in data["invalidPuks"])
    for case in vectors.load("powerauth-activation-code-gen")["vectors"]:
        assert codes.encode_code(b(case["bytes"])) == case["code"]
    assert all(codes.is_code(codes.generate_code()) for _ in range(50))


def test_recovery() -> None:
    for case in vectors.load("powerauth-recovery")["vectors"]:
        derived = codes.derive_recovery(b(case["secret"]), b(case["nonce"]), int(case["pukIndex"]))
        assert derived == (case["recoveryCode"], case["puk"])


def test_sdk_configuration() -> None:
    data = vectors.load("powerauth-sdk-config")
    for case in data["decoded"]:
        encoded = sdkconfig.encode(
            case["applicationKey"], case["applicationSecret"], {1: b(case["masterServerPublicKey"])}
        )
        assert encoded == case["config"]
    for case in data["countCoding"]:
        assert b64(b"".join(sdkconfig.encode_count(value) for value in case["values"])) == case["serialized"]


def test_signature_base_string() -> None:
    data = vectors.load("powerauth-signature-data")
    for case in data["baseString"]:
        body = (case["body"] or "").encode()
        base = signature.base_string(case["method"] or "GET", case["uriId"] or "", case["nonce"] or "", body)
        assert base.decode() == case["expected"], case
    for case in data["urlEncoding"]:
        assert signature.url_encode(bytes.fromhex(case["inputHex"])) == case["encoded"]


def test_canonical_query() -> None:
    for case in vectors.load("powerauth-query-canonical")["vectors"]:
        assert signature.canonical_query(case["query"]) == (case["canonical"] or ""), case


def _factors(case: Dict[str, Any]) -> List[bytes]:
    keys = {
        "possession": b(case["signaturePossessionKey"]),
        "knowledge": b(case["signatureKnowledgeKey"]),
        "biometry": b(case["signatureBiometryKey"]),
    }
    return [keys[factor] for factor in case["signatureType"].split("_")]


@pytest.mark.parametrize("name,version", [("powerauth-signatures-v30", "3.0"), ("powerauth-signatures-v31", "3.3")])
def test_online_signatures(name: Any, version: Any) -> None:
    for case in vectors.load(name)["vectors"]:
        computed = signature.online_signature(version, _factors(case), b(case["counterData"]), b(case["data"]))
        assert computed == case["signature"]


@pytest.mark.parametrize("name", ["powerauth-signatures-offline", "offline-code"])
def test_offline_signatures(name: Any) -> None:
    data = vectors.load(name)
    cases = (
        data["vectors"]
        if "vectors" in data
        else [
            {**case["input"], "signature": case["expect"]["code"]}
            for case in data["cases"]
            if "signatureComponentLength" in case["input"]
        ]
    )
    assert cases
    for case in cases:
        digits = int(case["signatureComponentLength"])
        computed = signature.decimal_signature(_factors(case), b(case["counterData"]), b(case["data"]), digits)
        assert computed == case["signature"]


def test_token_digest() -> None:
    for case in vectors.load("powerauth-token-digest")["vectors"]:
        secret, nonce = b(case["tokenSecret"]), b(case["nonce"])
        assert b64(signature.token_digest(case["version"], secret, nonce, case["timestamp"])) == case["tokenDigest"]
        header = signature.TokenHeader.parse(case["header"])
        assert (header.version, header.timestamp, b64(header.digest)) == (
            case["version"],
            case["timestamp"],
            case["tokenDigest"],
        )


def test_totp() -> None:
    for case in vectors.load("powerauth-totp")["vectors"]:
        algorithm = case["algorithm"].replace("Hmac", "").lower()
        assert crypto.totp(bytes.fromhex(case["keyHex"]), case["unixTime"], algorithm=algorithm) == case["totp"]
    for case in vectors.load("totp")["cases"]:
        given = case["input"]
        if "algorithm" not in given or "error" in case["expect"]:
            continue
        settings = {
            "step": given["step"],
            "digits": given["digits"],
            "algorithm": given["algorithm"].replace("Hmac", "").lower(),
        }
        seed, seconds = bytes.fromhex(given["seedHex"]), given["unixTime"]
        if "totp" in case["expect"]:
            assert crypto.totp(seed, seconds, **settings) == case["expect"]["totp"], case["id"]
        else:
            times = (seconds - back * given["step"] for back in range(given["steps"] + 1))
            accepted = [crypto.totp(seed, time, **settings) for time in times]
            assert (given["validate"] in accepted) == case["expect"]["valid"], case["id"]


def test_temporary_key_tokens() -> None:
    for case in vectors.load("powerauth-temporary-key-jwt")["vectors"]:
        secret = b(case["applicationSecret"])
        key = crypto.kdf_internal(b(case["transportKey"]), secret) if case["transportKey"] else secret
        assert b64(key) == case["hs256Key"]
        claims = jwt.verify_hs256(case["requestJwt"], lambda _, key=key: key)
        assert claims["applicationKey"] == case["applicationKey"]
        with pytest.raises(jwt.JwtError):
            jwt.verify_hs256(case["requestJwt"], lambda _: bytes(16))
        signing_key = crypto.import_private_key(b(case["signingPrivateKey"]))
        for token in (case["responseJwt"], jwt.sign_es256(case["responseClaims"], signing_key)):
            _, response, signed, signature_bytes = jwt.split(token)
            assert response == case["responseClaims"]
            assert jwt.verify_es256(signed, signature_bytes, signing_key.public_key())


_BY_NAME = {encryptor.name: encryptor for encryptor in vars(ecies).values() if isinstance(encryptor, ecies.Encryptor)}


def _open_and_answer(
    version: str,
    case: Dict[str, Any],
    encryptor: ecies.Encryptor,
    recipient: crypto.PrivateKey,
    application: Dict[str, str],
    activation_id: Optional[str],
    transport_key: Optional[str],
) -> None:
    """Decrypts the request of a vector and reproduces its response byte by byte."""
    request = ecies.Cryptogram.from_json(version, case["request"])
    scoped_id = activation_id if encryptor.activation_scope else None
    base = ecies.shared_info2_base(
        application["secret"], b(transport_key) if encryptor.activation_scope and transport_key else None
    )
    associated = ecies.associated_data(version, application["key"], scoped_id, request.temporary_key_id)
    envelope, plain = ecies.open_request(version, encryptor.shared_info1, recipient, base, associated, request)
    assert plain == case["plainRequest"]
    response = case["response"]
    nonce = b(response["nonce"]) if "nonce" in response else None
    assert envelope.seal(case["plainResponse"], request.nonce, nonce, response.get("timestamp")) == response
    broken = dict(case["request"], mac=b64(bytes(32)))
    with pytest.raises(ecies.EciesError):
        envelope.open(ecies.Cryptogram.from_json(version, broken))


def test_encryption_interop() -> None:
    for case in vectors.load("powerauth-e2ee-interop")["vectors"]:
        encryptor = _BY_NAME[case["encryptorId"]]
        assert encryptor.shared_info1.decode() == case["sharedInfo1"]
        texts = {**case, "plainRequest": case["plainRequest"].encode(), "plainResponse": case["plainResponse"].encode()}
        application = {"key": case["applicationKey"], "secret": case["applicationSecret"]}
        recipient = crypto.import_private_key(b(case["serverPrivateKey"]))
        _open_and_answer(
            case["version"], texts, encryptor, recipient, application, case["activationId"], case["transportKey"]
        )


def test_client_trace() -> None:
    """A whole client life: key agreement, fingerprint, every signature with its header, every status blob."""
    trace = vectors.load("powerauth-client-trace")
    server = crypto.import_private_key(b(trace["serverPrivateKey"]))
    device = crypto.import_public_key(b(trace["devicePublicKey"]))
    keys = keytree.KeyTree.agree(server, device)
    assert b64(keys.master) == trace["masterSecretKey"]
    assert keytree.fingerprint(device, trace["activationId"], server.public_key()) == trace["fingerprint"]
    assert b64(keys.encrypted_vault_key) == trace["encryptedVaultEncryptionKey"]
    master = crypto.import_public_key(b(trace["masterPublicKey"]))
    assert crypto.ecdsa_verify(master, trace["activationCode"].encode(), b(trace["activationCodeSignature"]))
    for row in trace["signatures"]:
        digits = row["offlineLength"]
        secret = "offline" if digits else trace["applicationSecret"]
        method = "POST" if digits else row["method"]
        data = signature.base_string(method, row["uriId"], row["nonce"], b(row["body"])) + b"&" + secret.encode()
        assert data.decode() == row["signatureData"]
        factors = signature.factor_keys(keys, row["factors"])
        if digits:
            assert signature.decimal_signature(factors, b(row["ctrData"]), data, digits) == row["signature"]
            continue
        assert signature.online_signature("3.3", factors, b(row["ctrData"]), data) == row["signature"]
        header = signature.SignatureHeader.parse(row["header"])
        assert (header.signature_type, header.signature) == (row["factors"], row["signature"])
    for row in trace["counterSync"]:
        iv = keytree.status_iv(keys.transport, b(row["challenge"]), b(row["nonce"]))
        plain = crypto.aes_cbc_decrypt(keys.transport, iv, b(row["encryptedStatusBlob"]), pad=False)
        ours = keytree.StatusBlob(3, row["serverCtrByte"], 0, 5, 20, b(row["serverCtrData"])).encode(keys.transport)
        assert plain[:4] == ours[:4] and plain[12] == ours[12]


def test_oidc_access_token_hash() -> None:
    for case in vectors.load("powerauth-oidc")["atHash"]:
        assert oidc.at_hash(case["accessToken"]) == case["at_hash"]


def test_own_offline_payload_has_the_same_form() -> None:
    application = model.Application("demo", crypto.export_private_key(crypto.generate_key()), 0)
    nonce = b64(bytes(16))
    text = offline.payload("id", "Pay\\ment", "line\r\nnext", "A1*A100CZK", "B", "12345678", nonce)
    signed = offline.sign_by_master(text, application)
    lines = signed.split("\n")
    assert lines[:7] == ["id", "Pay\\\\ment", "line\\nnext", "A1*A100CZK", "B", "12345678", nonce]
    assert crypto.ecdsa_verify(application.master_key.public_key(), f"{text}\n0".encode(), b(lines[7][1:]))


def test_points_and_ecdsa() -> None:
    data = vectors.load("powerauth-ec")
    for case in data["points"]:
        try:
            crypto.import_public_key(crypto.unb64(case["point"]))
            valid = True
        except crypto.CryptoError:
            valid = False
        assert valid == case["valid"], case
    for case in data["ecdsa"]:
        key = crypto.import_public_key(bytes.fromhex(case["publicKeyHex"]))
        verified = crypto.ecdsa_verify(key, bytes.fromhex(case["dataHex"]), bytes.fromhex(case["signatureDerHex"]))
        assert verified == case["valid"], case


def test_operation_data() -> None:
    for case in vectors.load("operation-data")["cases"]:
        given = case["input"]
        arguments = (given.get("version"), given.get("template"), given["fields"])
        if case["expect"].get("error"):
            with pytest.raises(offline.OfflineDataError):
                offline.build_data(*arguments)
        else:
            assert offline.build_data(*arguments) == case["expect"]["data"], case["id"]


def test_header_forms() -> None:
    """The verdict of the released validators, which know 4.0 from 2.0 on."""
    parsers: Dict[str, Any] = {"token": signature.TokenHeader.parse, "encryption": signature.EncryptionHeader.parse}

    def accepted(case: Any, *, before_2: bool) -> bool:
        try:
            if case["header"] == "authorization":
                signature.SignatureHeader.parse(case["value"], either_form=before_2)
            else:
                parsers[case["header"]](case["value"])
        except signature.HeaderError:
            return False
        return True

    asked = 0
    for case in vectors.load("powerauth-header-forms")["cases"]:
        for name, before_2 in (("http_1_10_0", True), ("http_2_0_1", False)):
            if case[name] is not None and not (before_2 and 'version="4.0"' in case["value"]):
                assert accepted(case, before_2=before_2) == case[name], (name, case["value"])
                asked += 1
    assert asked > 1400
