"""The operations service."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import mtoken
import pytest
from conftest import Device, DeviceFactory
from devserver import OPERATIONS, DevServer


def test_a_list_of_a_hundred_may_be_cut(server: DevServer, device: Device) -> None:
    for number in range(100):
        server.new_operation(userId=device.user)
        if number == 0:
            assert not device.client.operations.list().may_be_cut
    listed = device.client.operations.list()
    assert len({operation.id for operation in listed}) == 100 and listed.may_be_cut


def test_an_operations_url_of_its_own(server: DevServer, make_device: DeviceFactory) -> None:
    device = make_device(base_url=server.http_url, operations_url=f"{server.url}/", allow_http=True)
    before = server.mark()
    assert list(device.client.operations.list()) == []
    assert len(server.requests(f"{OPERATIONS}/list", before)) == 1


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
