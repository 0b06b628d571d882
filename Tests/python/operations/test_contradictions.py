"""What is signed, beside what the user reads. The tables of lies and of honest operations are those of Tests/shown."""

from __future__ import annotations

from typing import Any, Callable, Dict

import mtoken
import pytest
from conftest import Device, DeviceFactory
from devserver import PAYMENT, SHOWCASE
from mtoken import Contradiction


@pytest.mark.parametrize("language", ["en", "cs", "de"])
def test_the_templates_of_the_dev_server_are_honest(make_device: DeviceFactory, language: str) -> None:
    device = make_device(strict=True, language=language)
    for name, parameters in {"login": {}, "login_1fa": {}, "authorize_payment": PAYMENT, "showcase": SHOWCASE}.items():
        for amount in ("0.01", "1", "1250.5", "1000", "1234567.89", "1000000"):
            given = {**parameters, "amount": amount} if parameters else {}
            operation = device.new_operation(template=name, parameters=given)
            assert operation.contradictions is Contradiction.NONE, (name, amount, operation.contradictions)
            assert operation.issues == ()
            auth = mtoken.Auth.possession() if name == "login_1fa" else device.auth
            device.client.operations.authorize(operation, auth)


CONTRADICTING = {
    "name": "authorize_payment",
    "data": "A1*A999999EUR",
    "formData": {
        "title": "Payment",
        "message": "One euro",
        "attributes": [{"type": "AMOUNT", "id": "amount", "label": "Amount", "amount": 1, "currency": "EUR"}],
    },
}
FEE = {
    "name": "authorize_payment",
    "data": "A1*A100EUR",
    "formData": {
        "title": "Payment",
        "message": "",
        "attributes": [
            {"type": "AMOUNT", "id": "amount", "label": "Amount", "amount": 100, "currency": "EUR"},
            {"type": "AMOUNT", "id": "fee", "label": "Fee", "amount": 1, "currency": "EUR"},
        ],
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
        "other data": lambda: operations.authorize_data(plain.id, "A1*A1EUR", device.auth),
    }
    operations.list()  # what a client knows is what it can compare with
    for call in calls.values():
        with pytest.raises(mtoken.StateError) as refused:
            call()
        assert refused.value.reason == "contradiction" and refused.value.outcome is mtoken.Outcome.NOT_SENT
    operations.authorize(plain, device.auth)
    operations.reject(contradicting.id, mtoken.RejectReason.INCORRECT_DATA)


def test_what_is_tolerated_passes_and_nothing_else(device: Device, make_device: DeviceFactory) -> None:
    fee, lie = device.new_operation(**FEE), device.new_operation(**CONTRADICTING)
    assert fee.contradictions is Contradiction.UNSIGNED_AMOUNT
    operations = device.client.operations
    for operation, tolerated in ((fee, Contradiction.AMOUNT), (lie, Contradiction.UNSIGNED_AMOUNT)):
        with pytest.raises(mtoken.StateError):
            operations.authorize(operation, device.auth, strict=True, tolerated=tolerated)
    operations.authorize(
        fee, device.auth, strict=True, tolerated=Contradiction.UNSIGNED_AMOUNT | Contradiction.LOST_ROW
    )
    other = make_device(strict=True, tolerated=Contradiction.UNSIGNED_AMOUNT)
    fee, lie = other.new_operation(**FEE), other.new_operation(**CONTRADICTING)
    with pytest.raises(mtoken.StateError):
        other.client.operations.authorize(lie, other.auth)
    other.client.operations.authorize(fee, other.auth)
    with pytest.raises(mtoken.ArgumentError):
        operations.authorize(lie, device.auth, tolerated=Contradiction(1 << 20))


SUMMARY = 'Payment\nAmount: 999999 EUR\nNote: "a\\u{000A}b"'


def test_the_summary_says_what_is_signed_everywhere(make_device: DeviceFactory) -> None:
    with mtoken.Runtime(events=mtoken.Events.ALL) as runtime:
        device = make_device(runtime=runtime)
        lie = device.new_operation(**{**CONTRADICTING, "data": r"A1*A999999EUR*Na\nb"})
        assert lie.summary == device.client.operations.list()[0].summary == SUMMARY
        assert mtoken.summarize_operation_data(lie.data) == SUMMARY
        assert mtoken.summarize_operation_data("Pay 1 EUR") == 'Cannot be read: "Pay 1 EUR"'
        task = device.client.mobile_auth.handle(lie.id)
        while True:
            event = runtime.next_event(30)
            assert event is not None
            if event.challenge is not None:
                assert event.challenge.summary == SUMMARY
                event.challenge.cancel()
                break
        with pytest.raises(mtoken.MTokenError):
            task.result(30)
        device.client.close()


def test_a_strict_client_refuses_an_offline_operation_that_lies(make_device: DeviceFactory) -> None:
    device = make_device(strict=True)

    def scanned(message: str) -> mtoken.QROperation:
        operation = device.new_operation(**{**CONTRADICTING, "formData": {"title": "Payment", "message": message}})
        body = {"activationId": device.activation_id}
        made = device.server.admin("POST", f"/operations/{operation.id}/offline", body)
        return device.client.parse_qr(made["offlineData"])

    for message in ("", "Pay 999999.00 EUR now", "Confirm in the application"):
        honest = scanned(message)
        assert honest.contradictions is Contradiction.NONE and honest.summary == "Payment\nAmount: 999999 EUR"
        assert device.client.authorize_qr(honest, device.auth)
    for message, bit in (
        ("Pay 1 EUR", Contradiction.AMOUNT),
        ("Pay €\u200b1.00", Contradiction.AMOUNT),
        ("Pay 999999 EUR, or only 1 EUR", Contradiction.UNSIGNED_AMOUNT),
        ("Pay 999999 CZK", Contradiction.CURRENCY),
    ):
        lie = scanned(message)
        assert lie.contradictions is bit, message
        with pytest.raises(mtoken.StateError) as refused:
            device.client.authorize_qr(lie, device.auth)
        assert refused.value.reason == "contradiction" and refused.value.outcome is mtoken.Outcome.NOT_SENT


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


BROKEN = {
    "name": "authorize_payment",
    "data": "A1*A1EUR*N${note}",
    "formData": {
        "title": "Payment of ${amount}",
        "message": "m",
        "attributes": [
            {"type": "AMOUNT", "id": "amount", "label": "Amount", "amount": 1, "currency": "EUR"},
            {"type": "NOTE", "id": "note", "label": "Note"},
        ],
    },
}
ISSUES = ("attribute 1: note: missing", "data: unresolved", "formData.title: unresolved")


def test_an_operation_has_its_issues_wherever_it_comes_from(make_device: DeviceFactory) -> None:
    with mtoken.Runtime(events=mtoken.Events.ALL) as runtime:
        device = make_device(runtime=runtime)
        operations = device.client.operations
        id = device.server.new_operation(userId=device.user, **BROKEN)["operationId"]
        free = device.server.new_operation(**BROKEN)["operationId"]

        def changed() -> mtoken.Operation:
            while True:
                event = runtime.next_event(30)
                assert event is not None
                if event.change is not None:
                    return event.change.operations[0]

        def challenged() -> mtoken.Operation:
            task = device.client.mobile_auth.handle(id)
            while True:
                event = runtime.next_event(30)
                assert event is not None
                if event.challenge is not None:
                    found = event.challenge.request.operation
                    event.challenge.cancel()
                    with pytest.raises(mtoken.MTokenError):
                        task.result(30)
                    assert found is not None
                    return found

        ways: Dict[str, Callable[[], Any]] = {
            "list": lambda: operations.list()[0],
            "changed": changed,
            "known": lambda: operations.known().operations[0],
            "detail": lambda: operations.detail(id),
            "claim": lambda: operations.claim(free),
            "pending": lambda: device.client.mobile_auth.pending()[0].operation,
            "mobile auth": challenged,
        }
        for name, way in ways.items():
            operation = way()
            assert operation.issues == ISSUES, name
            assert operation.contradictions is Contradiction.LOST_ROW, name
        assert operations.list().issues == tuple(
            f"operation {index}: {issue}" for index in range(2) for issue in ISSUES
        )
        device.client.close()
