"""The operations service."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Optional

import mtoken
import pytest
from conftest import Device, DeviceFactory
from devserver import OPERATIONS, DevServer


def test_an_empty_list(device: Device) -> None:
    operations = device.client.operations.list()
    assert list(operations) == [] and operations.skipped == 0
    assert operations.server_time is not None
    assert abs(operations.server_time - datetime.now(timezone.utc)) < timedelta(minutes=1)


def test_list_has_the_servers_order(server: DevServer, device: Device) -> None:
    created = [server.new_operation(userId=device.user)["operationId"] for _ in range(3)]
    server.new_operation(userId="somebody else")
    listed = [operation.id for operation in device.client.operations.list()]
    assert listed == created[::-1]


def test_list_of_a_hundred(server: DevServer, device: Device) -> None:
    for _ in range(100):
        server.new_operation(userId=device.user)
    operations = device.client.operations.list()
    assert len(operations) == 100 and len({operation.id for operation in operations}) == 100


def test_the_data_of_a_payment(server: DevServer, device: Device) -> None:
    created = server.new_operation(userId=device.user)
    operation = device.client.operations.list()[0]
    assert operation.id == created["operationId"]
    assert operation.name == "authorize_payment"
    assert operation.data == created["data"] == "A1*A1250.50EUR*ICZ5508000000001234567899*NRent for May"
    assert operation.status is mtoken.OperationStatus.PENDING and operation.status_text == "PENDING"
    assert operation.created == datetime.fromtimestamp(created["created"] // 1000, timezone.utc)
    assert operation.expires == datetime.fromtimestamp(created["expires"] // 1000, timezone.utc)
    assert operation.signature_type is mtoken.SignatureType.TWO_FACTOR and operation.signature_type_text == "2FA"
    assert operation.variants == mtoken.Variant.POSSESSION_KNOWLEDGE | mtoken.Variant.POSSESSION_BIOMETRY
    assert operation.biometry_allowed and operation.unknown_variants == ()
    assert operation.title == "Payment confirmation"
    assert operation.message == "Please confirm the payment of 1250.50 EUR."
    assert operation.result_texts.success == "Payment of 1250.50 EUR was confirmed"
    assert operation.document()["id"] == operation.id


def test_members_that_a_bank_added(device: Device) -> None:
    operation = device.new_operation(extraMembers={"playSound": True, "branch": {"name": "Žižkov"}})
    document = operation.document()
    assert (document["playSound"], document["branch"]) == (True, {"name": "Žižkov"})


def test_language(server: DevServer, make_device: DeviceFactory) -> None:
    device = make_device(language="cs-CZ, en;q=0.5")
    operation = device.new_operation()
    assert operation.title == "Potvrzení platby"
    assert server.requests(f"{OPERATIONS}/list")[-1]["headers"]["accept-language"] == "cs-CZ, en;q=0.5"


def test_headers_of_a_request(server: DevServer, device: Device, make_device: DeviceFactory) -> None:
    before = server.mark()
    device.client.operations.list()
    headers = server.requests(f"{OPERATIONS}/list", before)[0]["headers"]
    assert headers["user-agent"].startswith(f"libmtoken/{mtoken.version()} (Linux/")
    assert headers["accept-language"] == "en"
    assert headers["content-type"].startswith("application/json") and headers["accept"] == "application/json"
    assert headers["x-powerauth-token"].startswith("PowerAuth ")
    assert "cookie" not in headers
    other = make_device("other", user_agent="Kiosk/7")
    before = server.mark()
    other.client.operations.list()
    assert server.requests(f"{OPERATIONS}/list", before)[0]["headers"]["user-agent"] == "Kiosk/7"


def test_an_operations_url_of_its_own(server: DevServer, make_device: DeviceFactory) -> None:
    device = make_device(base_url=server.http_url, operations_url=f"{server.url}/", allow_http=True)
    before = server.mark()
    assert list(device.client.operations.list()) == []
    assert len(server.requests(f"{OPERATIONS}/list", before)) == 1


# Detail, claim, history


def test_detail(server: DevServer, device: Device) -> None:
    created = server.new_operation(userId=device.user)
    operation = device.client.operations.detail(created["operationId"])
    assert (operation.id, operation.data) == (created["operationId"], created["data"])


def test_detail_of_an_unknown_operation(device: Device) -> None:
    with pytest.raises(mtoken.ServerError) as failure:
        device.client.operations.detail("5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6")
    assert (failure.value.server_code, failure.value.http_status) == ("INVALID_OPERATION", 400)


def test_detail_of_somebody_elses_operation(server: DevServer, device: Device) -> None:
    created = server.new_operation(userId="somebody else")
    with pytest.raises(mtoken.ServerError) as failure:
        device.client.operations.detail(created["operationId"])
    assert failure.value.server_code == "INVALID_REQUEST"


FINISHED = [
    ("APPROVED", "OPERATION_ALREADY_FINISHED", "operations_alreadyFinished"),
    ("REJECTED", "OPERATION_ALREADY_FINISHED", "operations_alreadyFinished"),
    ("FAILED", "OPERATION_ALREADY_FAILED", "operations_alreadyFailed"),
    ("CANCELED", "OPERATION_ALREADY_CANCELED", "operations_alreadyCanceled"),
]


@pytest.mark.parametrize(("state", "code", "reason"), FINISHED)
@pytest.mark.parametrize("call", ["detail", "claim", "authorize", "reject"])
def test_operations_that_are_over(
    server: DevServer, device: Device, call: str, state: str, code: str, reason: str
) -> None:
    operation = device.new_operation()
    server.admin("PATCH", f"/operations/{operation.id}", {"status": state})
    with pytest.raises(mtoken.ServerError) as failure:
        run(device, call, operation)
    assert (failure.value.server_code, failure.value.reason) == (code, reason)
    assert (failure.value.http_status, failure.value.outcome) == (400, mtoken.Outcome.ANSWERED)
    assert server.operation(operation.id)["status"] == state


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("authorize", "operations_authExpired"),
        ("reject", "operations_rejectExpired"),
        ("detail", "operations_expired"),
        ("claim", "operations_expired"),
    ],
)
def test_expired_operations(server: DevServer, device: Device, call: str, reason: str) -> None:
    operation = device.new_operation()
    server.admin("PATCH", f"/operations/{operation.id}", {"expires": 1})
    with pytest.raises(mtoken.ServerError) as failure:
        run(device, call, operation)
    assert failure.value.server_code == "OPERATION_EXPIRED"
    assert failure.value.reason in (reason, "operations_rejectExpired" if reason == "operations_expired" else reason)


def run(device: Device, call: str, operation: mtoken.Operation) -> None:
    operations = device.client.operations
    if call == "authorize":
        operations.authorize(operation, device.auth)
    else:
        getattr(operations, call)(operation.id)


def test_claim(server: DevServer, device: Device) -> None:
    created = server.new_operation(template="login")
    assert list(device.client.operations.list()) == []
    operation = device.client.operations.claim(created["operationId"])
    assert operation.id == created["operationId"]
    assert server.operation(operation.id)["userId"] == device.user
    assert [item.id for item in device.client.operations.list()] == [operation.id]
    device.client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"


def test_claim_comes_too_late(server: DevServer, device: Device, make_device: DeviceFactory) -> None:
    created = server.new_operation(template="login")
    make_device("other").client.operations.claim(created["operationId"])
    with pytest.raises(mtoken.ServerError) as failure:
        device.client.operations.claim(created["operationId"])
    assert failure.value.server_code == "INVALID_OPERATION"


def test_history(server: DevServer, device: Device) -> None:
    approved, rejected, canceled, pending = (device.new_operation() for _ in range(4))
    device.client.operations.authorize(approved, device.auth)
    device.client.operations.reject(rejected.id)
    server.admin("POST", f"/operations/{canceled.id}/cancel", {"reason": "OUT_OF_STOCK"})
    history = {operation.id: operation for operation in device.client.operations.history(device.auth)}
    assert history[approved.id].status is mtoken.OperationStatus.APPROVED
    assert history[rejected.id].status is mtoken.OperationStatus.REJECTED
    assert history[canceled.id].status is mtoken.OperationStatus.CANCELED
    assert history[canceled.id].status_reason == "OUT_OF_STOCK"
    assert history[pending.id].status is mtoken.OperationStatus.PENDING


def test_history_with_a_wrong_pin(device: Device) -> None:
    with pytest.raises(mtoken.AuthenticationError) as failure:
        device.client.operations.history(device.wrong_auth)
    assert failure.value.server_code == "POWERAUTH_AUTH_FAIL"
    assert device.client.status().remaining_attempts == 4


def test_a_server_without_history(server: DevServer, device: Device) -> None:
    server.fault(f"{OPERATIONS}/history", "status", status=404, body="not here", contentType="text/plain")
    with pytest.raises(mtoken.HTTPError) as failure:
        device.client.operations.history(device.auth)
    assert failure.value.http_status == 404


# Approve


def test_approve_with_the_pin(server: DevServer, device: Device) -> None:
    operation = device.new_operation()
    device.client.operations.authorize(operation, device.auth)
    after = server.operation(operation.id)
    assert after["status"] == "APPROVED"
    approver = after["approvedBy"]
    assert (approver["activationId"], approver["signatureType"]) == (device.activation_id, "possession_knowledge")
    assert list(device.client.operations.list()) == []


def test_approve_with_biometry(server: DevServer, biometric_device: Device) -> None:
    operation = biometric_device.new_operation()
    auth = mtoken.Auth.biometry(biometric_device.biometry_key)
    biometric_device.client.operations.authorize(operation, auth)
    assert server.operation(operation.id)["approvedBy"]["signatureType"] == "possession_biometry"


def test_approve_with_possession(server: DevServer, device: Device) -> None:
    operation = device.new_operation(template="login_1fa")
    assert operation.signature_type is mtoken.SignatureType.ONE_FACTOR
    device.client.operations.authorize(operation, mtoken.Auth.possession())
    assert server.operation(operation.id)["approvedBy"]["signatureType"] == "possession"


def test_approve_by_id_and_data(server: DevServer, device: Device) -> None:
    created = server.new_operation(userId=device.user)
    device.client.operations.authorize_data(created["operationId"], created["data"], device.auth)
    assert server.operation(created["operationId"])["status"] == "APPROVED"


def test_approve_other_data_than_the_servers(server: DevServer, device: Device) -> None:
    created = server.new_operation(userId=device.user)
    with pytest.raises(mtoken.MTokenError) as failure:
        device.client.operations.authorize_data(created["operationId"], created["data"] + "1", device.auth)
    assert (failure.value.server_code, failure.value.reason) == ("OPERATION_FAILED", "operations_failed")
    assert failure.value.http_status == 401
    assert server.operation(created["operationId"])["status"] == "PENDING"
    assert device.client.status().failed_attempts == 0


def test_approve_what_the_server_changed_meanwhile(server: DevServer, device: Device) -> None:
    """What was shown is what is signed."""
    operation = device.new_operation()
    server.admin("PATCH", f"/operations/{operation.id}", {"data": "A1*A99999.00EUR"})
    with pytest.raises(mtoken.MTokenError) as failure:
        device.client.operations.authorize_data(operation.id, operation.data, device.auth)  # nobody knows of the check
    assert failure.value.server_code == "OPERATION_FAILED"


@pytest.mark.parametrize("data", ['A1*NŽižkov 🏦 "quoted" \\ / \u2028', "*" * 10_000, " leading and trailing "])
def test_data_goes_back_unchanged(server: DevServer, device: Device, data: str) -> None:
    operation = device.new_operation(name="raw", data=data)
    assert operation.data == data
    device.client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"


def test_factors_that_the_operation_does_not_allow(server: DevServer, biometric_device: Device) -> None:
    device = biometric_device
    operation = device.new_operation(allowedSignatureTypes=["possession_knowledge"], template="login")
    assert not operation.biometry_allowed
    biometry = mtoken.Auth.biometry(device.biometry_key)
    before = server.mark()
    with pytest.raises(mtoken.FactorError) as failure:
        device.client.operations.authorize(operation, biometry)
    assert failure.value.outcome is mtoken.Outcome.NOT_SENT
    assert server.requests(after=before) == []
    with pytest.raises(mtoken.MTokenError) as refused:
        device.client.operations.authorize(operation, biometry, allow_other_factors=True)
    assert (refused.value.http_status, refused.value.server_code) == (401, "OPERATION_FAILED")
    device.client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"


def test_biometry_that_is_not_set_up(server: DevServer, device: Device) -> None:
    operation = device.new_operation()
    with pytest.raises(mtoken.FactorError):
        device.client.operations.authorize(operation, mtoken.Auth.biometry(b"k" * 16))


def test_mobile_token_data(server: DevServer, device: Device) -> None:
    operation, other = device.new_operation(), device.new_operation()
    data = {"preApprovalScreens": [{"screen": "scam", "action": "CONTINUE"}], "score": 3, "name": "Žižkov"}
    device.client.operations.authorize(operation, device.auth, mobile_token_data=data)
    assert server.operation(operation.id)["mobileTokenData"] == data
    device.client.operations.reject(other.id, mobile_token_data=json.dumps(data))
    assert server.operation(other.id)["mobileTokenData"] == data


@pytest.mark.parametrize("data", ["null", "[]", '"text"', "{", '{"a":1,"a":2}', '{"a":1} x', "{'a':1}"])
def test_mobile_token_data_must_be_an_object(device: Device, data: str) -> None:
    operation = device.new_operation()
    with pytest.raises((mtoken.ArgumentError, mtoken.ParseError)):
        device.client.operations.authorize(operation, device.auth, mobile_token_data=data)
    with pytest.raises((mtoken.ArgumentError, mtoken.ParseError)):
        device.client.operations.reject(operation.id, mobile_token_data=data)


@pytest.mark.parametrize("kind", list(mtoken.ProximityType))
def test_proximity_check(server: DevServer, device: Device, kind: mtoken.ProximityType) -> None:
    operation = device.new_operation(template="login_qr")
    assert operation.ui is not None and operation.ui.pre_approval_screens is not None
    assert operation.ui.pre_approval_screens[0].type is mtoken.ScreenType.QR_SCAN
    otp = server.admin("GET", f"/operations/{operation.id}/totp")["totp"]
    received = datetime.now(timezone.utc)
    device.client.operations.authorize(operation, device.auth, proximity=mtoken.Proximity(otp, kind, received))
    result = server.operation(operation.id)["proximityResult"]
    assert (result["result"], result["type"], result["otp"]) == ("OK", kind.name, otp)
    milliseconds = received.microsecond // 1000
    assert result["timestampReceived"][:19] == received.strftime("%Y-%m-%dT%H:%M:%S") or milliseconds > 900
    assert result["timestampReceived"].endswith("Z") and result["timestampSent"] >= result["timestampReceived"]


def test_a_proximity_check_that_was_received_now(server: DevServer, device: Device) -> None:
    """The time 0 stands for the moment at which the password is handed in."""
    epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
    for attached in (False, True):
        operation = device.new_operation(template="login_qr", parameters={})
        otp = server.admin("GET", f"/operations/{operation.id}/totp")["totp"]
        before = datetime.now(timezone.utc)
        proximity = mtoken.Proximity(otp, mtoken.ProximityType.QR_CODE, epoch)
        if attached:
            device.client.operations.attach(operation.id, proximity=proximity)
        device.client.operations.authorize(operation, device.auth, proximity=None if attached else proximity)
        result = server.operation(operation.id)["proximityResult"]
        received, sent = result["timestampReceived"], result["timestampSent"]
        assert result["result"] == "OK" and received <= sent
        told = datetime.fromisoformat(received.replace("Z", "+00:00"))
        assert before - timedelta(seconds=5) < told < datetime.now(timezone.utc) + timedelta(seconds=5)


def test_proximity_check_goes_wrong(server: DevServer, device: Device) -> None:
    operation = device.new_operation(template="login_qr")
    with pytest.raises(mtoken.MTokenError) as failure:
        device.client.operations.authorize_data(operation.id, operation.data, device.auth)  # nobody knows of the check
    assert failure.value.server_code == "OPERATION_FAILED"
    with pytest.raises(mtoken.MTokenError) as failure:
        wrong = mtoken.Proximity("00000000", mtoken.ProximityType.QR_CODE)
        device.client.operations.authorize(operation, device.auth, proximity=wrong)
    assert failure.value.reason == "operations_failed"
    assert server.operation(operation.id)["proximityResult"]["result"] == "WRONG"


def test_proximity_check_from_the_future(server: DevServer, device: Device) -> None:
    """A code that arrived after it was sent: the device's clock was moved; nothing is signed."""
    operation = device.new_operation(template="login_qr")
    later = datetime.now(timezone.utc) + timedelta(hours=1)
    proximity = mtoken.Proximity("00000000", mtoken.ProximityType.QR_CODE, later)
    before = server.mark()
    with pytest.raises(mtoken.MTokenError) as failure:
        device.client.operations.authorize(operation, device.auth, proximity=proximity)
    assert failure.value.outcome is mtoken.Outcome.NOT_SENT
    assert server.requests(f"{OPERATIONS}/authorize", before) == []


def test_an_operation_outlives_its_list(server: DevServer, device: Device) -> None:
    device.new_operation()
    operation = device.client.operations.list()[0]
    device.client.operations.list()
    device.client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"


def test_an_operation_of_another_client(server: DevServer, make_device: DeviceFactory, user: str) -> None:
    """Two devices of one user: what one listed, the other may approve."""
    first, second = make_device("first", user=user), make_device("second", user=user)
    operation = first.new_operation()
    second.client.operations.authorize(operation, second.auth)
    assert server.operation(operation.id)["approvedBy"]["activationId"] == second.activation_id


def test_flags_that_the_server_wants(server: DevServer, device: Device) -> None:
    operation = device.new_operation(activationFlag="VIP")
    with pytest.raises(mtoken.ServerError) as failure:
        device.client.operations.authorize(operation, device.auth)
    assert failure.value.server_code == "OPERATION_REQUIRES_ACTIVATION_FLAG"
    server.admin("PATCH", f"/activations/{device.activation_id}", {"flags": ["VIP"]})
    device.client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"


# Reject


REASONS = [
    mtoken.RejectReason.UNKNOWN,
    mtoken.RejectReason.INCORRECT_DATA,
    mtoken.RejectReason.UNEXPECTED_OPERATION,
    mtoken.RejectReason.PREAPPROVAL,
    "Můj vlastní důvod 🙅",
]


@pytest.mark.parametrize("reason", REASONS)
def test_reject(server: DevServer, device: Device, reason: str) -> None:
    operation = device.new_operation()
    device.client.operations.reject(operation.id, reason)
    after = server.operation(operation.id)
    assert (after["status"], after["rejectReason"]) == ("REJECTED", reason)


def test_reject_without_a_reason(server: DevServer, device: Device) -> None:
    operation = device.new_operation()
    with pytest.raises(mtoken.ArgumentError):
        device.client.operations.reject(operation.id, "")
    assert server.operation(operation.id)["status"] == "PENDING"


def test_reject_of_an_unknown_operation(device: Device) -> None:
    with pytest.raises(mtoken.ServerError) as failure:
        device.client.operations.reject("5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6")
    assert failure.value.server_code == "INVALID_OPERATION"


# PIN


def test_a_wrong_pin(server: DevServer, device: Device) -> None:
    operation = device.new_operation()
    before = server.mark()
    with pytest.raises(mtoken.AuthenticationError) as failure:
        device.client.operations.authorize(operation, device.wrong_auth)
    error = failure.value
    assert (error.code, error.server_code) == (mtoken.ErrorCode.AUTHENTICATION, "POWERAUTH_AUTH_FAIL")
    assert (error.http_status, error.outcome, error.retriable) == (401, mtoken.Outcome.ANSWERED, False)
    assert error.remaining_attempts == 4
    assert len(server.requests(f"{OPERATIONS}/authorize", before)) == 1
    assert device.client.status().remaining_attempts == 4
    assert device.client.info().remaining_attempts == 4
    device.client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"
    assert device.client.status().remaining_attempts == 5


def test_wrong_pins_block_the_activation(server: DevServer, device: Device) -> None:
    operations = [device.new_operation() for _ in range(6)]
    for left, operation in zip((4, 3, 2, 1, 0), operations):
        kind = mtoken.AuthenticationError if left else mtoken.BlockedError
        with pytest.raises(kind) as failure:
            device.client.operations.authorize(operation, device.wrong_auth)
        assert failure.value.outcome is mtoken.Outcome.ANSWERED
        assert failure.value.remaining_attempts == (left or None)
    assert device.view()["state"] == "BLOCKED"
    status = device.client.status()
    assert (status.state, status.remaining_attempts) == (mtoken.ActivationState.BLOCKED, 0)
    with pytest.raises(mtoken.BlockedError) as known:
        device.client.operations.authorize(operations[5], device.auth)
    assert known.value.outcome is mtoken.Outcome.NOT_SENT
    with pytest.raises(mtoken.BlockedError):
        device.client.operations.list()
    server.admin("POST", f"/activations/{device.activation_id}/unblock")
    assert device.client.status().state is mtoken.ActivationState.ACTIVE
    device.client.operations.authorize(operations[5], device.auth)
    assert server.operation(operations[5].id)["status"] == "APPROVED"


def test_wrong_pins_fail_the_operation(server: DevServer, device: Device) -> None:
    operation = device.new_operation(maxFailures=2, template="login")
    with pytest.raises(mtoken.AuthenticationError):
        device.client.operations.authorize(operation, device.wrong_auth)
    with pytest.raises(mtoken.ServerError) as failure:
        device.client.operations.authorize(operation, device.wrong_auth)
    assert (failure.value.server_code, failure.value.reason) == ("OPERATION_ALREADY_FAILED", "operations_alreadyFailed")
    assert device.client.status().remaining_attempts == 3


# Broken and unusual operations


def broken(**members: Any) -> Dict[str, Any]:
    return {"extraMembers": members}


@pytest.mark.parametrize(
    "members",
    [
        {"id": 7},
        {"data": None},
        {"name": ["x"]},
        {"operationCreated": "yesterday"},
        {"operationExpires": "2026-01-01T00:00:00"},
        {"allowedSignatureType": None},
        {"formData": "text"},
        {"formData": {"message": "no title"}},
    ],
    ids=lambda members: next(iter(members)),
)
def test_a_broken_operation_does_not_hide_the_others(
    server: DevServer, device: Device, members: Dict[str, Any]
) -> None:
    good = server.new_operation(userId=device.user)["operationId"]
    server.new_operation(userId=device.user, extraMembers=members)
    operations = device.client.operations.list()
    assert ([operation.id for operation in operations], operations.skipped) == ([good], 1)
    assert len(operations.issues) == 1 and operations.issues[0].startswith("operation ")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (None, mtoken.OperationStatus.PENDING),
        ("PENDING", mtoken.OperationStatus.PENDING),
        ("EXPIRED", mtoken.OperationStatus.EXPIRED),
        ("FAILED", mtoken.OperationStatus.FAILED),
        ("SOMETHING_NEW", mtoken.OperationStatus.UNKNOWN),
    ],
)
def test_status_of_an_operation(device: Device, raw: Optional[str], expected: mtoken.OperationStatus) -> None:
    operation = device.new_operation(extraMembers={"status": raw})
    assert (operation.status, operation.status_text) == (expected, raw)


@pytest.mark.parametrize("raw", ["SOMETHING_NEW", 5, ["PENDING"]])
def test_an_unknown_status_is_approved_only_knowingly(device: Device, raw: Any) -> None:
    operation = device.new_operation(extraMembers={"status": raw})
    assert operation.status is mtoken.OperationStatus.UNKNOWN
    with pytest.raises(mtoken.StateError) as refused:
        device.client.operations.authorize(operation, device.auth)
    assert refused.value.reason == "unknownStatus" and refused.value.outcome is mtoken.Outcome.NOT_SENT
    device.client.operations.authorize(operation, device.auth, allow_unknown_status=True)


def test_an_unknown_signature_type(device: Device) -> None:
    allowed = {"type": "3FA", "variants": ["possession_knowledge", "possession_mood"]}
    operation = device.new_operation(extraMembers={"allowedSignatureType": allowed})
    assert (operation.signature_type, operation.signature_type_text) == (mtoken.SignatureType.UNKNOWN, "3FA")
    assert operation.variants == mtoken.Variant.POSSESSION_KNOWLEDGE
    assert operation.unknown_variants == ("possession_mood",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-05-04T03:02:01Z", datetime(2026, 5, 4, 3, 2, 1, tzinfo=timezone.utc)),
        ("2026-05-04T03:02:01+0000", datetime(2026, 5, 4, 3, 2, 1, tzinfo=timezone.utc)),
        ("2026-05-04T03:02:01.250+02:00", datetime(2026, 5, 4, 1, 2, 1, 250_000, tzinfo=timezone.utc)),
        (1_777_863_721_250, datetime(2026, 5, 4, 3, 2, 1, 250_000, tzinfo=timezone.utc)),
        ("1969-12-31T23:59:59Z", datetime(1969, 12, 31, 23, 59, 59, tzinfo=timezone.utc)),
    ],
)
def test_dates(device: Device, text: Any, expected: datetime) -> None:
    assert device.new_operation(extraMembers={"operationExpires": text}).expires == expected
