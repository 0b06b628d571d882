"""What is signed, beside what the user reads."""

from __future__ import annotations

import pytest
from conftest import Device, DeviceFactory

import mtoken
from mtoken import Contradiction


def test_what_is_signed_is_taken_apart(device: Device) -> None:
    operation = device.new_operation()
    assert operation.signed_data is not None and operation.signed_data.text == operation.data
    assert operation.contradictions is Contradiction.NONE
    device.client.operations.authorize(operation, device.auth, strict=True)


CONTRADICTING = {
    "name": "authorize_payment",
    "data": "A1*A999999EUR",
    "formData": {
        "title": "Payment",
        "message": "One euro",
        "attributes": [{"type": "AMOUNT", "id": "amount", "label": "Amount", "amount": 1, "currency": "EUR"}],
    },
}


def test_strict_refuses_a_contradiction(device: Device) -> None:
    operation = device.new_operation(**CONTRADICTING)
    assert operation.contradictions & Contradiction.AMOUNT
    with pytest.raises(mtoken.StateError) as refused:
        device.client.operations.authorize(operation, device.auth, strict=True)
    assert refused.value.reason == "contradiction" and refused.value.outcome is mtoken.Outcome.NOT_SENT
    device.client.operations.authorize(operation, device.auth)  # the program's own decision


def test_a_strict_client_refuses_every_contradiction(make_device: DeviceFactory) -> None:
    device = make_device(strict=True)
    operations = device.client.operations
    plain, contradicting = device.new_operation(), device.new_operation(**CONTRADICTING)
    calls = {
        "object": lambda: operations.authorize(contradicting, device.auth),
        "id and data": lambda: operations.authorize_data(contradicting.id, contradicting.data, device.auth),
    }
    for call in calls.values():
        with pytest.raises(mtoken.StateError) as refused:
            call()
        assert refused.value.reason == "contradiction" and refused.value.outcome is mtoken.Outcome.NOT_SENT
    operations.authorize(plain, device.auth)
    operations.reject(contradicting.id, mtoken.RejectReason.INCORRECT_DATA)


def test_a_strict_client_asks_nobody_to_confirm_a_contradiction(make_device: DeviceFactory) -> None:
    with mtoken.Runtime(events=mtoken.Events.ALL) as runtime:
        device = make_device(runtime=runtime, strict=True)
        operation = device.new_operation(**CONTRADICTING)
        task = device.client.mobile_auth.handle(operation.id)
        with pytest.raises(mtoken.MTokenError) as refused:
            task.result(30)
        assert refused.value.reason == "not_handleable"
        assert device.client.operations.detail(operation.id).status is mtoken.OperationStatus.PENDING
        device.client.close()
