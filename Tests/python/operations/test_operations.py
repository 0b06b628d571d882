"""The operations service."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any

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


def test_a_list_of_a_hundred_may_be_cut(server: DevServer, device: Device) -> None:
    for number in range(100):
        server.new_operation(userId=device.user)
        if number == 0:
            assert not device.client.operations.list().may_be_cut
    listed = device.client.operations.list()
    assert len({operation.id for operation in listed}) == 100 and listed.may_be_cut


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
    assert operation.result_texts == mtoken.ResultTexts(
        "Payment of 1250.50 EUR was confirmed", "Payment of 1250.50 EUR failed", "Payment was rejected"
    )
    assert operation.document()["id"] == operation.id


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


def test_claim(server: DevServer, device: Device) -> None:
    created = server.new_operation(template="login")
    assert list(device.client.operations.list()) == []
    operation = device.client.operations.claim(created["operationId"])
    assert operation.id == created["operationId"]
    assert server.operation(operation.id)["userId"] == device.user
    assert [item.id for item in device.client.operations.list()] == [operation.id]
    device.client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"


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


# Approve


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


def test_mobile_token_data(server: DevServer, device: Device) -> None:
    operation, other = device.new_operation(), device.new_operation()
    data = {"preApprovalScreens": [{"screen": "scam", "action": "CONTINUE"}], "score": 3, "name": "Žižkov"}
    device.client.operations.authorize(operation, device.auth, mobile_token_data=data)
    assert server.operation(operation.id)["mobileTokenData"] == data
    device.client.operations.reject(other.id, mobile_token_data=json.dumps(data))
    assert server.operation(other.id)["mobileTokenData"] == data


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


# Broken and unusual operations


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
