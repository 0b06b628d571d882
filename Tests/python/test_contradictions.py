"""What is signed, beside what the user reads."""

from __future__ import annotations

import pytest
from conftest import Device

import mtoken
from mtoken import Contradiction


def test_what_is_signed_is_taken_apart(device: Device) -> None:
    operation = device.new_operation()
    assert operation.signed_data is not None and operation.signed_data.text == operation.data
    assert operation.contradictions is Contradiction.NONE
    device.client.operations.authorize(operation, device.auth, strict=True)


def test_strict_refuses_a_contradiction(device: Device) -> None:
    shown = {"type": "AMOUNT", "id": "amount", "label": "Amount", "amount": 1, "currency": "EUR"}
    form = {"title": "Payment", "message": "One euro", "attributes": [shown]}
    operation = device.new_operation(name="authorize_payment", data="A1*A999999EUR", formData=form)
    assert operation.contradictions & Contradiction.AMOUNT
    with pytest.raises(mtoken.StateError) as refused:
        device.client.operations.authorize(operation, device.auth, strict=True)
    assert refused.value.reason == "contradiction" and refused.value.outcome is mtoken.Outcome.NOT_SENT
    device.client.operations.authorize(operation, device.auth)  # the program's own decision
