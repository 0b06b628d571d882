"""Protocol 4.0 in trouble: every exchange is cut, lost or forged; the process ends; the server changes its mind."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devserver import DevServer
from four import application, four, need
from test_protocol4 import protocol4, ready, reopened, takes_token

LOST = {"read and lost": {"process": True}, "not heard": {"process": False}}


def lose(server: DevServer, path: str, how: str, count: int = 1) -> int:
    """The answer of the next request of a path is lost, with or without its effect."""
    return server.fault(path, "close_after_read", count=count, **LOST[how])


# Activation


@pytest.mark.parametrize("how", list(LOST))
def test_a_lost_confirmation_is_repeated(server: DevServer, make_device: DeviceFactory, how: str) -> None:
    lose(server, "/pa/v4/activation/confirm", how)
    device = four(make_device, server)
    assert device.client.wait_active(timeout=300).state is mtoken.ActivationState.ACTIVE
    assert protocol4(device)["confirmPending"] is False
    assert device.can_sign(device.auth)


def unconfirmed(server: DevServer, make_device: DeviceFactory, make_client: ClientFactory) -> Device:
    """A device whose process ended before the server had its confirmation."""
    server.fault("/pa/v4/activation/status", "status", status=503)
    device = four(make_device, server)
    device.client.close()
    server.admin("DELETE", "/faults")
    assert protocol4(device)["confirmPending"] is True
    reopened(device, make_client)
    assert device.client.info().awaits_confirmation
    return device


def test_a_restart_before_the_confirmation(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory
) -> None:
    device = unconfirmed(server, make_device, make_client)
    client = device.client
    for call in (
        lambda: client.sign("POST", "/x", b"", device.auth),
        lambda: client.operations.list(),
        lambda: client.factors.validate_pin("1234"),
        lambda: client.wait_active(timeout=5),
    ):
        with pytest.raises(mtoken.StateError) as refused:
            call()
        assert refused.value.reason == "confirm"
    assert device.view()["failedAttempts"] == 0
    with pytest.raises(mtoken.AuthenticationError):
        client.wait_active(timeout=300, pin="9999")
    assert device.view()["failedAttempts"] == 1
    assert client.wait_active(timeout=300, pin="1234").state is mtoken.ActivationState.ACTIVE
    assert not client.info().awaits_confirmation and device.can_sign(device.auth)


def test_a_confirmation_that_the_server_had_needs_no_pin(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory
) -> None:
    """Killed between the confirmation and the status that tells of it."""
    lose(server, "/pa/v4/activation/confirm", "read and lost")
    server.fault("/pa/v4/activation/status", "status", nth=2, status=503)
    device = four(make_device, server)
    with pytest.raises(mtoken.TimeoutExpiredError):
        device.client.wait_active(timeout=0.5)
    device.client.close()
    server.admin("DELETE", "/faults")
    reopened(device, make_client)
    assert device.client.wait_active(timeout=300).state is mtoken.ActivationState.ACTIVE
    assert device.can_sign(device.auth)


# The exchange


FORGED: List[Tuple[str, str, Dict[str, Any]]] = [
    ("/pa/v4/keystore/create", "wrong_ecdsa", {}),
    ("/pa/v4/keystore/create", "missing_signature", {}),
    ("/pa/v4/keystore/create", "extra_signature", {}),
    ("/pa/v4/keystore/create", "duplicate_signature", {}),
    ("/pa/v4/keystore/create", "foreign_algorithm", {}),
    ("/pa/v4/keystore/create", "missing_ciphertext", {}),
    ("/pa/v4/keystore/create", "extra_ciphertext", {}),
    ("/pa/v4/keystore/create", "altered_ciphertext", {}),
    ("/pa/v4/keystore/create", "altered_salt", {}),
    ("/pa/v4/activation/create", "missing_ciphertext", {}),
    ("/pa/v4/activation/create", "extra_ciphertext", {}),
    ("/pa/v4/activation/create", "wrong_mac", {}),
    ("/pa/v4/activation/create", "wrong_key", {}),
    ("/pa/v4/activation/create", "wrong_nonce", {}),
    ("/pa/v4/activation/create", "wrong_timestamp", {"ms": 400_000}),
    *(
        ("/pa/v4/activation/create", "patch", {"layer": "inner", **change})
        for change in (
            {"set": {"serverPublicKeys.ecdsa": "BAAA"}},
            {"remove": ["serverPublicKeys.ecdsa"]},
            {"remove": ["serverPublicKeys"]},
            {"set": {"ctrData": "AAAA"}},
            {"remove": ["ctrData"]},
            {"remove": ["activationId"]},
            {"set": {"sharedSecretResponse.salt": "AAAA"}},
            {"set": {"sharedSecretResponse.encapsulatedKeys": []}},
        )
    ),
    *(
        (
            "/pa/v4/activation/create",
            "edit",
            {"layer": "inner", "replace": [[f'"{member}"', f'"{member}":"x","{member}"']]},
        )
        for member in ("ctrData", "salt", "ecdsa", "activationId")
    ),
    ("/pa/v4/keystore/create", "edit", {"layer": "jws", "replace": [['"payload"', '"payload":"e30","payload"']]}),
    ("/pa/v4/keystore/create", "edit", {"layer": "jwt", "replace": [['"sub"', '"sub":"x","sub"']]}),
]
HYBRID: List[Tuple[str, str, Dict[str, Any]]] = [
    ("/pa/v4/keystore/create", "wrong_mldsa", {}),
    ("/pa/v4/keystore/create", "wrong_ecdsa", {}),
    ("/pa/v4/keystore/create", "swapped_ciphertexts", {}),
    ("/pa/v4/activation/create", "swapped_ciphertexts", {}),
    ("/pa/v4/keystore/create", "missing_signature", {"index": 1}),
    ("/pa/v4/keystore/create", "downgraded_suite", {}),
    ("/pa/v4/activation/create", "patch", {"layer": "inner", "remove": ["serverPublicKeys.mldsa"]}),
    ("/pa/v4/activation/create", "patch", {"layer": "inner", "set": {"serverPublicKeys.mldsa": "MIIH"}}),
]


@pytest.mark.parametrize(
    "suite, forged",
    [("EC_P384", forged) for forged in FORGED] + [("L3", forged) for forged in HYBRID],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:2]),
)
def test_a_forged_exchange_stores_nothing(
    server: DevServer, make_client: ClientFactory, user: str, suite: str, forged: Tuple[str, str, Dict[str, Any]]
) -> None:
    need(suite)
    name, configuration = application(server, suite)
    path, kind, parameters = forged
    fault = server.fault(path, kind, **parameters)
    client = make_client(configuration=configuration)
    with pytest.raises(mtoken.MTokenError) as failure:
        client.activate(server.new_activation(user, applicationId=name)["activationCode"])
    assert server.times_applied(fault) > 0, "the fault was never used"
    assert isinstance(
        failure.value, (mtoken.ProtocolError, mtoken.DecryptionError, mtoken.SignatureError, mtoken.ServerError)
    ), repr(failure.value)
    assert client.state is mtoken.ClientState.EMPTY


def test_signatures_in_another_order_are_as_good(server: DevServer, make_device: DeviceFactory) -> None:
    server.fault("/pa/v4/keystore/create", "reversed_signatures")
    assert ready(make_device, server, "L3").can_sign(mtoken.Auth.pin("1234"))


@pytest.mark.parametrize("suite, fault", [("EC_P384", "altered_salt"), ("L3", "altered_ciphertext")])
def test_secrets_that_differ_show_before_anything_is_confirmed(
    server: DevServer, make_device: DeviceFactory, suite: str, fault: str
) -> None:
    """The answer gives no error, and the server refuses the activation's keys for ever: the wait ends."""
    need(suite)
    server.fault("/pa/v4/activation/create", fault)
    device = four(make_device, server, suite)
    with pytest.raises(mtoken.ServerError, match="does not know this activation") as refused:
        device.client.wait_active(timeout=120)
    assert not refused.value.retriable
    assert protocol4(device)["confirmPending"] is True


@pytest.mark.parametrize("offered", [["EC_P384_ML_L3"], ["EC_P384"]], ids="+".join)
def test_a_named_suite_that_the_server_does_not_offer(
    server: DevServer, make_client: ClientFactory, user: str, offered: List[str]
) -> None:
    name, configuration = application(server, "EC_P384")
    server.fault("/pa/v4/keystore/create", "status", status=400, code="ERR_TEMPORARY_KEY")
    server.fault("/pa/v4/status", "patch", layer="wire", set={"responseObject.supportedAlgorithms": offered})
    client = make_client(configuration=configuration, suite=mtoken.Suite.EC_P384)
    with pytest.raises(mtoken.MTokenError) as refused:
        client.activate(server.new_activation(user, applicationId=name)["activationCode"])
    if offered == ["EC_P384"]:
        assert (refused.value.code, refused.value.server_code) == (mtoken.ErrorCode.SERVER, "ERR_TEMPORARY_KEY")
    else:
        assert (refused.value.code, refused.value.reason) == (mtoken.ErrorCode.UNSUPPORTED, "unsupportedSuite")


def test_a_server_that_was_put_back_to_a_backup(server: DevServer, make_device: DeviceFactory) -> None:
    """It has forgotten a confirmation: what its status says counts, not the mark of the device."""
    device = ready(make_device, server)
    server.admin("PATCH", f"/activations/{device.activation_id}", {"confirmPending": True})
    assert device.client.status().state is mtoken.ActivationState.ACTIVE
    assert device.client.info().awaits_confirmation
    device.client.wait_active(timeout=60, pin=device.pin)
    assert protocol4(device)["confirmPending"] is False and not device.client.info().awaits_confirmation
    server.admin("PATCH", f"/activations/{device.activation_id}", {"upgradePending": True})
    device.client.status()
    assert protocol4(device)["upgradePending"] is False and not device.client.info().awaits_upgrade_confirmation
    assert device.can_sign(device.auth)


def test_a_status_with_a_wrong_code_proves_nothing(server: DevServer, make_device: DeviceFactory) -> None:
    device = ready(make_device, server)
    server.fault("/pa/v4/activation/status", "wrong_status_mac")
    with pytest.raises(mtoken.ProtocolError):
        device.client.status()
    server.admin("DELETE", "/faults")
    assert device.can_sign(device.auth)


STATUS: List[Tuple[str, Dict[str, Any]]] = [
    ("wrong_status_mac", {}),
    ("wrong_mac", {}),
    ("wrong_nonce", {}),
    ("patch", {"layer": "outer", "set": {"activationStatus": "3sDe1A=="}}),
    ("patch", {"layer": "outer", "remove": ["activationStatus"]}),
    ("patch", {"layer": "outer", "set": {"activationStatus": 1}}),
    ("edit", {"layer": "outer", "replace": [['"activationStatus"', '"activationStatus":"","activationStatus"']]}),
    ("patch", {"set": {"encryptedData": "AAAA"}}),
    ("patch", {"remove": ["encryptedData"]}),
    ("patch", {"remove": ["timestamp"]}),
]


@pytest.mark.parametrize("kind, parameters", STATUS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_malformed_status_changes_nothing(
    server: DevServer, make_device: DeviceFactory, kind: str, parameters: Dict[str, Any]
) -> None:
    device = ready(make_device, server)
    before = device.client.info()
    fault = server.fault("/pa/v4/activation/status", kind, **parameters)
    with pytest.raises((mtoken.ProtocolError, mtoken.DecryptionError)):
        device.client.status()
    assert server.times_applied(fault) > 0
    server.admin("DELETE", "/faults")
    after = device.client.info()
    assert (after.activation_state, after.remaining_attempts) == (before.activation_state, before.remaining_attempts)
    assert device.can_sign(device.auth)


EXCHANGES: List[Tuple[str, Dict[str, Any]]] = [
    ("missing_ciphertext", {}),
    ("extra_ciphertext", {}),
    ("wrong_mac", {}),
    ("wrong_nonce", {}),
    ("patch", {"layer": "outer", "remove": ["salt"]}),
    ("patch", {"layer": "outer", "set": {"salt": "AAAA"}}),
    ("patch", {"layer": "outer", "set": {"encapsulatedKeys": ["BAAA"]}}),
    ("edit", {"layer": "outer", "replace": [['"salt"', '"salt":"x","salt"']]}),
]


@pytest.mark.parametrize("factor", ["password/change", "biometry/add"])
@pytest.mark.parametrize("kind, parameters", EXCHANGES, ids=lambda value: value if isinstance(value, str) else "")
def test_a_malformed_exchange_keeps_the_former_factor(
    server: DevServer,
    make_device: DeviceFactory,
    make_client: ClientFactory,
    factor: str,
    kind: str,
    parameters: Dict[str, Any],
) -> None:
    device = ready(make_device, server, biometry=True)
    fault = server.fault(f"/pa/v4/{factor}", kind, **parameters)
    with pytest.raises((mtoken.ProtocolError, mtoken.DecryptionError)):
        if factor == "password/change":
            device.client.factors.change_pin("1234", "5678")
        else:
            device.client.factors.add_biometry(bytes(range(20, 36)), device.auth)
    assert server.times_applied(fault) > 0
    server.admin("DELETE", "/faults")
    reopened(device, make_client)
    info = device.client.info()
    assert info.has_biometry and not info.awaits_new_pin
    device.client.factors.validate_pin("1234")
    assert device.can_sign(mtoken.Auth.biometry(device.biometry_key))
    assert protocol4(device)["knowledgeWaits"] is False and device.view()["failedAttempts"] == 0


# Tokens


@pytest.mark.parametrize("how", list(LOST))
def test_a_token_whose_answer_is_lost(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, how: str
) -> None:
    """It is lost at the server only: another one is made."""
    device = ready(make_device, server)
    lose(server, "/pa/v4/token/create", how)
    with pytest.raises(mtoken.NetworkError):
        device.client.tokens.create("mine")
    for _ in range(2):
        assert "mine" not in device.client.tokens
        reopened(device, make_client)
    device.client.tokens.create("mine")
    reopened(device, make_client)
    device.client.synchronize_time()
    assert takes_token(device, "mine") and device.can_sign(device.auth)
    assert len(device.view()["tokens"]) == (2 if how == "read and lost" else 1)


SECRETS: List[Tuple[str, Dict[str, Any]]] = [
    ("wrong_mac", {}),
    ("patch", {"layer": "outer", "remove": ["tokenSecret"]}),
    ("patch", {"layer": "outer", "set": {"tokenSecret": "AAAAAAAAAAAAAAAAAAAAAA=="}}),
    ("patch", {"layer": "outer", "set": {"tokenId": ""}}),
    ("edit", {"layer": "outer", "replace": [['"tokenId"', '"tokenId":"x","tokenId"']]}),
]


@pytest.mark.parametrize("kind, parameters", SECRETS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_malformed_token_is_not_kept(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, kind: str, parameters: Dict[str, Any]
) -> None:
    device = ready(make_device, server)
    fault = server.fault("/pa/v4/token/create", kind, **parameters)
    with pytest.raises((mtoken.ProtocolError, mtoken.DecryptionError)):
        device.client.tokens.create("mine")
    assert server.times_applied(fault) > 0
    server.admin("DELETE", "/faults")
    reopened(device, make_client)
    assert "mine" not in device.client.tokens
    device.client.tokens.create("mine")
    assert takes_token(device, "mine")


# The PIN


@pytest.mark.parametrize("how", list(LOST))
def test_a_change_whose_first_answer_is_lost(server: DevServer, make_device: DeviceFactory, how: str) -> None:
    device = ready(make_device, server)
    lose(server, "/pa/v4/password/change", how)
    with pytest.raises(mtoken.NetworkError):
        device.client.factors.change_pin("1234", "5678")
    assert not device.client.info().awaits_new_pin
    device.client.factors.validate_pin("1234")
    assert protocol4(device)["knowledgeWaits"] is False
    device.client.factors.change_pin("1234", "5678")
    device.client.factors.validate_pin("5678")


@pytest.mark.parametrize("how", list(LOST))
def test_a_change_whose_last_answer_is_lost(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, how: str
) -> None:
    """The new PIN applies, whether the server has heard of it or not: where it has, the status says so."""
    device = ready(make_device, server)
    lose(server, "/pa/v4/auth/validate", how)
    if how == "read and lost":
        device.client.factors.change_pin("1234", "5678")
    else:
        with pytest.raises(mtoken.NetworkError) as lost:
            device.client.factors.change_pin("1234", "5678")
        assert lost.value.reason == "newPINMayApply"
    reopened(device, make_client)
    device.client.factors.validate_pin("5678")
    assert protocol4(device)["knowledgeWaits"] is False


@pytest.mark.parametrize("how", list(LOST))
def test_a_biometry_key_whose_last_answer_is_lost(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, how: str
) -> None:
    """The program can tell: until the server has accepted a code with the new key, the client awaits that."""
    device = ready(make_device, server)
    lose(server, "/pa/v4/auth/validate", how)
    key = bytes(range(1, 17))
    if how == "not heard":
        with pytest.raises(mtoken.NetworkError) as lost:
            device.client.factors.add_biometry(key, device.auth)
        assert lost.value.reason == "newBiometryMayApply"
    else:
        device.client.factors.add_biometry(key, device.auth)
    reopened(device, make_client)
    assert device.client.info().awaits_new_biometry is (how == "not heard")
    operation = device.new_operation(applicationId="four-EC_P384")
    device.client.operations.authorize(operation, mtoken.Auth.biometry(key))
    assert not device.client.info().awaits_new_biometry


def test_an_altered_secret_takes_the_change_back(server: DevServer, make_device: DeviceFactory) -> None:
    device = ready(make_device, server)
    server.fault("/pa/v4/password/change", "altered_salt")
    with pytest.raises(mtoken.ServerError) as refused:
        device.client.factors.change_pin("1234", "5678")
    assert refused.value.reason == "secretsDiffer" and refused.value.remaining_attempts == 4
    assert "PIN is wrong" not in str(refused.value)
    server.admin("DELETE", "/faults")
    device.client.factors.validate_pin("1234")
