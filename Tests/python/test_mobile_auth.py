"""Mobile authentication with push, end to end: each challenge, each way to end, each error with its fault."""

from __future__ import annotations

import ctypes
import json
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Iterator, List, Optional

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devserver import OPERATIONS, DevServer
from four import four
from mtoken import (
    AuthenticatorType,
    Challenge,
    ChallengeKind,
    EventKind,
    MobileAuthErrorCode,
    Proximity,
    ProximityType,
    PushService,
)

AUTHORIZE, CANCEL = f"{OPERATIONS}/authorize", f"{OPERATIONS}/cancel"
DETAIL, LIST, STATUS = f"{OPERATIONS}/detail", f"{OPERATIONS}/list", "/pa/v3/activation/status"
WAIT = 30.0
ONE_FACTOR, KNOWLEDGE, BIOMETRY = "possession", "possession_knowledge", "possession_biometry"


@pytest.fixture
def runtime() -> Iterator[mtoken.Runtime]:
    with mtoken.Runtime(events=mtoken.Events.CHALLENGES | mtoken.Events.TASKS) as runtime:
        yield runtime


@pytest.fixture
def phone(biometric_device: Device) -> Device:
    """A device with PIN and biometry whose pushes go somewhere."""
    biometric_device.client.push.register(PushService.APNS, "AB")
    return biometric_device


def ask(device: Device, *allowed: str, **members: Any) -> str:
    """A portal asks the user; the id of the transaction."""
    factors = list(allowed) or [KNOWLEDGE, BIOMETRY]
    created = device.server.new_operation(userId=device.user, allowedSignatureTypes=factors, **members)
    return str(created["operationId"])


def pushes(device: Device) -> List[str]:
    """The payloads that the phone got, oldest first."""
    sent = device.server.admin("GET", "/pushes")["pushes"]
    return [json.dumps(push["payload"]) for push in sent if push["activationId"] == device.activation_id]


def next_challenge(device: Device, task: Optional[mtoken.Task[Any]] = None) -> Challenge:
    """The next thing that the user is asked."""
    runtime = device.client._connection.runtime
    for event in runtime.events(WAIT):
        if event.kind is EventKind.CHALLENGE:
            assert event.client is device.client and event.challenge is not None
            return event.challenge
        assert task is None or event.task is not task, task and task.error()
    raise AssertionError("no challenge came")


def challenged(device: Device, id: str, **options: Any) -> Any:
    """A handling that has come to its first challenge."""
    task = device.client.mobile_auth.handle(id, **options)
    return task, next_challenge(device, task)


def ended(device: Device, task: mtoken.Task[mtoken.MobileAuthOutcome]) -> mtoken.MobileAuthOutcome:
    assert task.wait(WAIT)
    outcome = device.client.mobile_auth.outcome(task)
    assert outcome is not None
    return outcome


def failed(
    device: Device, task: mtoken.Task[mtoken.MobileAuthOutcome], error: MobileAuthErrorCode
) -> mtoken.MTokenError:
    """The task has failed in this way, and says so everywhere."""
    outcome = ended(device, task)
    raised = task.error()
    assert raised is not None
    assert (outcome.error, raised.reason) == (error, error.name.lower()), raised
    return raised


def status_of(device: Device, id: str) -> str:
    return str(device.server.operation(id)["status"])


# Requests


def test_pending_mobile_auth_request_from_a_push(phone: Device) -> None:
    id = ask(phone)
    (payload,) = pushes(phone)
    request = phone.client.mobile_auth.from_push(payload)
    assert request is not None
    assert (request.transaction_id, request.profile, request.time_to_live) == (id, "device", None)
    assert request.date is None  # when it was sent, the push does not say
    assert (request.type, request.user_info, request.operation) == ("authorize_payment", payload, None)
    assert request.message is not None


SENT = datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    "envelope",
    [
        {"google.sent_time": 1767323045678, "google.ttl": 300},
        {"google.sent_time": "1767323045678", "google.ttl": "300"},
        {"sentTime": 1767323045678, "ttl": 300},
    ],
)
@pytest.mark.parametrize("whole", [False, True])
def test_a_push_that_says_when_it_was_sent(phone: Device, envelope: Dict[str, Any], whole: bool) -> None:
    data = {"messageType": "mtoken.operationInit", "operationId": "1", "operationName": "x"}
    payload = {**envelope, "data": data} if whole else {**envelope, **data}
    request = phone.client.mobile_auth.from_push(json.dumps(payload))
    assert request is not None
    assert (request.date, request.time_to_live) == (SENT, timedelta(minutes=5))


@pytest.mark.parametrize("odd", [-1, 0, 1.5, "x", None, True, 10**30, "9" * 30, [], 253402300800000])
def test_a_push_that_says_it_oddly(phone: Device, odd: Any) -> None:
    data = {"messageType": "mtoken.operationInit", "operationId": "1", "operationName": "x"}
    request = phone.client.mobile_auth.from_push(json.dumps({**data, "sentTime": odd}))
    assert request is not None and request.date is None


def test_app_tells_pushes_apart(phone: Device, make_device: DeviceFactory) -> None:
    """Nothing for pushes of others, of other activations, and of other kinds: which is no error."""
    ask(phone)
    (payload,) = pushes(phone)
    other = make_device("other")
    for foreign in ("{}", '{"aps":{"alert":"Hello"}}', '{"messageType":"mtoken.inboxMessage.new","inboxId":"1"}'):
        assert phone.client.mobile_auth.from_push(foreign) is None
    assert other.client.mobile_auth.from_push(payload) is None
    without = {key: value for key, value in json.loads(payload).items() if key != "activationId"}
    assert other.client.mobile_auth.from_push(json.dumps(without)) is not None
    with pytest.raises(mtoken.ParseError):
        phone.client.mobile_auth.from_push("{")


def test_pending_requests_from_the_server_newest_first(phone: Device) -> None:
    assert phone.client.mobile_auth.pending() == ()
    ids = []
    for offset in range(3):
        phone.server.admin("PUT", "/clock", {"offsetMs": offset * 2000})
        ids.append(ask(phone))
    found = phone.client.mobile_auth.pending()
    assert [request.transaction_id for request in found] == list(reversed(ids))
    newest = found[0]
    assert newest.profile == "device"
    assert newest.operation is not None and newest.operation.id == newest.transaction_id
    assert newest.time_to_live is not None and timedelta(0) < newest.time_to_live <= timedelta(minutes=6)
    assert newest.message == newest.operation.message
    assert newest.user_info is None
    with pytest.raises(mtoken.BusyError):  # nothing of this is a handling, but one is
        phone.client.mobile_auth.handle(ids[0])
        phone.client.mobile_auth.handle(ids[1])


def test_mobile_auth_request_is_whole_and_of_the_server(phone: Device) -> None:
    note = "x" * 400
    id = ask(phone, parameters={"amount": "1", "currency": "EUR", "iban": "CZ5508000000001234567899", "note": note})
    (payload,) = pushes(phone)
    task = phone.client.mobile_auth.handle_push(payload)
    challenge = next_challenge(phone, task)
    request = challenge.request
    assert (request.transaction_id, request.profile, request.user_info) == (id, "device", payload)
    assert request.type == "authorize_payment"
    assert request.operation is not None
    assert note in request.operation.json
    assert request.message == request.operation.message
    challenge.cancel()


def test_no_sensitive_data_in_the_push_details_encrypted(phone: Device) -> None:
    """The request is fetched by its id alone, inside end-to-end encryption where the server takes that. The answer is signed once, and
    as every server takes it (mobile-auth.md §1)."""
    phone.server.admin("PATCH", "/config", {"encryptedOperations": True})
    id = ask(phone)
    (payload,) = pushes(phone)
    lie = json.loads(payload)
    lie["operationName"], lie["aps"]["alert"]["body"] = "login", "Harmless"
    mark = phone.server.mark()
    task = phone.client.mobile_auth.handle_push(json.dumps(lie))
    challenge = next_challenge(phone, task)
    assert challenge.request.type == "authorize_payment"
    assert challenge.request.message != "Harmless"
    (request,) = phone.server.requests(DETAIL, after=mark)
    assert "x-powerauth-encryption" in {name.lower() for name in request["headers"]}
    assert "encryptedData" in json.loads(request["body"])
    challenge.pin(phone.pin)
    ended(phone, task)
    (request,) = phone.server.requests(AUTHORIZE, after=mark)
    assert "x-powerauth-encryption" not in {name.lower() for name in request["headers"]}
    assert json.loads(request["body"])["requestObject"]["id"] == id and status_of(phone, id) == "APPROVED"


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, "INVALID_REQUEST"), (400, "ERR_ENCRYPTION"), (500, "ERROR_GENERIC"), (404, "ERROR_NOT_FOUND"), (415, "X")],
)
def test_a_server_without_encryption_is_asked_again(phone: Device, status: int, code: str) -> None:
    """A refusal that the plain call does not share is remembered; one of a forgotten key is none. What may be about the key is asked
    once more with another one."""
    phone.server.admin("PATCH", "/config", {"encryptedOperations": True})
    phone.client.operations.list()
    fault = phone.server.fault(DETAIL, "status", count=1, status=status, code=code)
    task, challenge = challenged(phone, ask(phone))
    assert phone.server.times_applied(fault) == 1
    challenge.cancel()
    ended(phone, task)
    mark = phone.server.mark()
    task, challenge = challenged(phone, ask(phone))
    (request,) = phone.server.requests(DETAIL, after=mark)
    remembered = code != "ERR_ENCRYPTION"
    assert ("encryptedData" in json.loads(request["body"])) != remembered
    challenge.cancel()


def test_a_refusal_of_both_is_not_remembered(phone: Device) -> None:
    phone.server.fault(DETAIL, "status", status=500, code="ERROR_GENERIC")
    error = failed(phone, phone.client.mobile_auth.handle(ask(phone)), MobileAuthErrorCode.SERVER_NOT_REACHABLE)
    assert error.server_code == "ERROR_GENERIC"
    phone.server.admin("DELETE", "/faults")
    mark = phone.server.mark()
    _task, challenge = challenged(phone, ask(phone))
    assert "encryptedData" in json.loads(phone.server.requests(DETAIL, after=mark)[0]["body"])
    challenge.cancel()


# Proximity


def scanned(device: Device, id: str) -> Proximity:
    return Proximity(device.server.admin("GET", f"/operations/{id}/totp")["totp"], ProximityType.QR_CODE)


def shown(device: Device) -> str:
    """An operation that wants a proximity check."""
    created = device.server.new_operation(userId=device.user, template="login_qr", parameters={})
    return str(created["operationId"])


def test_nobody_is_asked_for_a_pin_without_the_password(phone: Device) -> None:
    id = shown(phone)
    mark = phone.server.mark()
    error = failed(phone, phone.client.mobile_auth.handle(id), MobileAuthErrorCode.PROXIMITY_REQUIRED)
    assert isinstance(error, mtoken.ArgumentError) and error.outcome is mtoken.Outcome.NOT_SENT
    assert phone.server.requests(AUTHORIZE, after=mark) == []
    assert phone.server.operation(id)["failures"] == 0


def test_no_approval_without_the_password(phone: Device) -> None:
    """As in a handling: at the server it would cost one of the operation's failures."""
    id = shown(phone)
    operations = phone.client.operations
    operation = next(known for known in operations.list() if known.id == id)
    mark = phone.server.mark()
    with pytest.raises(mtoken.ArgumentError) as error:
        operations.authorize(operation, phone.auth)
    assert (error.value.reason, error.value.outcome) == ("proximity_required", mtoken.Outcome.NOT_SENT)
    assert phone.server.requests(after=mark) == []
    operations.attach(id, proximity=scanned(phone, id))
    operations.authorize(operation, phone.auth)
    assert phone.server.operation(id)["failures"] == 0


def test_the_password_of_a_proximity_check_is_handed_over(phone: Device) -> None:
    id = shown(phone)
    task, challenge = challenged(phone, id, proximity=scanned(phone, id), mobile_token_data={"riskScore": 7})
    assert challenge.kind is ChallengeKind.PIN
    challenge.pin(phone.pin)
    assert ended(phone, task).error is MobileAuthErrorCode.OK
    operation = phone.server.operation(id)
    assert operation["proximityResult"]["result"] == "OK"
    assert json.loads(phone.server.requests(AUTHORIZE)[-1]["body"])["requestObject"]["mobileTokenData"] == {
        "riskScore": 7
    }


def test_the_password_of_a_proximity_check_is_asked_for(phone: Device) -> None:
    id = shown(phone)
    task, challenge = challenged(phone, id, handles_proximity=True)
    assert (challenge.kind, challenge.attempt) == (ChallengeKind.PROXIMITY, 1)
    with pytest.raises(mtoken.ArgumentError):
        challenge.proximity(Proximity("", ProximityType.QR_CODE))
    with pytest.raises(mtoken.ArgumentError):
        challenge.pin(phone.pin)
    challenge.proximity(scanned(phone, id))
    challenge = next_challenge(phone, task)
    assert (challenge.kind, challenge.attempt) == (ChallengeKind.PIN, 2)
    with pytest.raises(mtoken.ArgumentError):
        challenge.proximity(scanned(phone, id))
    challenge.pin(phone.pin)
    assert ended(phone, task).error is MobileAuthErrorCode.OK
    assert phone.server.operation(id)["proximityResult"]["result"] == "OK"


def test_a_wrong_password_of_a_proximity_check(phone: Device) -> None:
    id = shown(phone)
    wrong = Proximity("00000000", ProximityType.QR_CODE)
    task, challenge = challenged(phone, id, proximity=wrong)
    challenge.pin(phone.pin)
    failed(phone, task, MobileAuthErrorCode.NOT_HANDLEABLE)
    assert (status_of(phone, id), phone.server.operation(id)["failures"]) == ("PENDING", 1)


def test_a_request_that_wants_a_proximity_check_can_be_denied(phone: Device) -> None:
    id = shown(phone)
    task, challenge = challenged(phone, id, handles_proximity=True)
    challenge.deny()
    assert ended(phone, task).denied
    assert status_of(phone, id) == "REJECTED"


def test_a_request_by_one_time_code(phone: Device) -> None:
    """The code names the request and has the password: it is claimed, fetched and handled in one call."""
    created = phone.server.admin("POST", "/operations", {"template": "login_qr", "parameters": {}})
    id, totp = created["operationId"], phone.server.admin("GET", f"/operations/{created['operationId']}/totp")["totp"]
    mark = phone.server.mark()
    task = phone.client.mobile_auth.handle_code(f"app://op?oid={id}&totp={totp}", ProximityType.DEEPLINK)
    challenge = next_challenge(phone, task)
    assert challenge.request.transaction_id == id
    challenge.pin(phone.pin)
    assert ended(phone, task).error is MobileAuthErrorCode.OK
    assert phone.server.operation(id)["proximityResult"]["result"] == "OK"
    paths = [request["path"].rsplit("/", 1)[1] for request in phone.server.requests(OPERATIONS, after=mark)]
    assert (paths[0], paths[-1], set(paths[1:-1])) == ("claim", "authorize", {"detail"})
    failed(phone, phone.client.mobile_auth.handle_code("app://op?oid=x&totp=12345678"), MobileAuthErrorCode.NOT_FOUND)


@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("app://op?oid=x", {}),  # only selects
        ("hello", {}),
        ("app://op?oid=x&totp=12345678", {"proximity": Proximity("12345678", ProximityType.QR_CODE)}),
    ],
)
def test_what_is_no_one_time_code(phone: Device, code: str, options: Any) -> None:
    with pytest.raises((mtoken.ArgumentError, mtoken.ParseError)):
        phone.client.mobile_auth.handle_code(code, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"mobile_token_data": "[]"},
        {"mobile_token_data": "{"},
        {"proximity": Proximity("", ProximityType.QR_CODE)},
    ],
    ids=["list", "unended", "proximity"],
)
def test_options_that_are_malformed(phone: Device, options: Any) -> None:
    with pytest.raises((mtoken.ArgumentError, mtoken.ParseError)):
        phone.client.mobile_auth.handle("1", **options)
    with pytest.raises((mtoken.ArgumentError, mtoken.ParseError)):
        ask(phone)
        phone.client.mobile_auth.handle_push(pushes(phone)[0], **options)


# Challenges


def test_requests_by_confirmation(phone: Device) -> None:
    id = ask(phone, ONE_FACTOR)
    task, challenge = challenged(phone, id)
    assert (challenge.kind, challenge.attempt, challenge.previous_error) == (ChallengeKind.CONFIRMATION, 1, None)
    challenge.confirm()
    outcome = ended(phone, task)
    assert (outcome.error, outcome.denied, outcome.authenticator) == (
        MobileAuthErrorCode.OK,
        False,
        AuthenticatorType.NONE,
    )
    assert (outcome.request.transaction_id, outcome.custom_info) == (id, None)
    assert task.result() == outcome
    assert phone.server.operation(id)["approvedBy"]["signatureType"] == ONE_FACTOR


@pytest.mark.parametrize("allowed", [[ONE_FACTOR], [KNOWLEDGE], [KNOWLEDGE, BIOMETRY]])
def test_confirmation_challenge_accept_or_deny(phone: Device, allowed: Any) -> None:
    """Denial is an answer: it rejects the request at the server, whatever was asked."""
    id = ask(phone, *allowed)
    task, challenge = challenged(phone, id, handles_biometry=len(allowed) == 2)
    challenge.deny("INCORRECT_DATA")
    outcome = ended(phone, task)
    assert (outcome.error, outcome.denied) == (MobileAuthErrorCode.OK, True)
    assert (status_of(phone, id), phone.server.operation(id)["rejectReason"]) == ("REJECTED", "INCORRECT_DATA")


def test_requests_by_pin(phone: Device) -> None:
    id = ask(phone)
    task, challenge = challenged(phone, id)
    assert (challenge.kind, challenge.remaining_attempts) == (ChallengeKind.PIN, None)
    challenge.pin(phone.pin)
    assert ended(phone, task).authenticator is AuthenticatorType.PIN
    assert phone.server.operation(id)["approvedBy"]["signatureType"] == KNOWLEDGE


def test_pin_challenge_retry_with_feedback(phone: Device) -> None:
    id = ask(phone)
    task, challenge = challenged(phone, id)
    for attempt, left in ((1, 4), (2, 3)):
        assert challenge.attempt == attempt
        challenge.pin("9999")
        challenge = next_challenge(phone, task)
        assert (challenge.kind, challenge.attempt, challenge.remaining_attempts) == (
            ChallengeKind.PIN,
            attempt + 1,
            left,
        )
        assert challenge.previous_error is not None
        assert challenge.previous_error.server_code == "POWERAUTH_AUTH_FAIL"
        assert challenge.previous_error.remaining_attempts == left
    challenge.pin(phone.pin)
    assert ended(phone, task).error is MobileAuthErrorCode.OK
    assert status_of(phone, id) == "APPROVED"


def test_pin_challenge_cancel(phone: Device) -> None:
    """The request stays pending, and can be handled again."""
    id = ask(phone)
    mark = phone.server.mark()
    task, challenge = challenged(phone, id)
    challenge.cancel()
    failed(phone, task, MobileAuthErrorCode.ACTION_CANCELLED)
    assert task.state is mtoken.TaskState.CANCELLED
    assert phone.server.requests(CANCEL, after=mark) == []
    task, challenge = challenged(phone, id)
    challenge.pin(phone.pin)
    assert ended(phone, task).error is MobileAuthErrorCode.OK


def test_biometric_challenge_respond_with_prompt(phone: Device) -> None:
    id = ask(phone)
    task, challenge = challenged(phone, id, handles_biometry=True, prompt="Touch the sensor")
    assert (challenge.kind, challenge.prompt) == (ChallengeKind.BIOMETRIC, "Touch the sensor")
    challenge.biometric(phone.biometry_key)
    assert ended(phone, task).authenticator is AuthenticatorType.BIOMETRIC
    assert phone.server.operation(id)["approvedBy"]["signatureType"] == BIOMETRY


def test_the_prompt_is_the_message_by_default(phone: Device) -> None:
    task, challenge = challenged(phone, ask(phone), handles_biometry=True)
    assert challenge.prompt == challenge.request.message
    challenge.cancel()
    failed(phone, task, MobileAuthErrorCode.ACTION_CANCELLED)


def test_biometric_challenge_pin_fallback_and_cancel(phone: Device) -> None:
    id = ask(phone)
    task, challenge = challenged(phone, id, handles_biometry=True)
    challenge.use_pin()
    challenge = next_challenge(phone, task)
    assert (challenge.kind, challenge.attempt, challenge.previous_error) == (ChallengeKind.PIN, 2, None)
    challenge.cancel()
    failed(phone, task, MobileAuthErrorCode.ACTION_CANCELLED)
    task, challenge = challenged(phone, id, handles_biometry=True)
    mark = phone.server.mark()
    challenge.cancel()
    failed(phone, task, MobileAuthErrorCode.ACTION_CANCELLED)
    assert phone.server.requests(CANCEL, after=mark) == []
    assert status_of(phone, id) == "PENDING"


def test_biometric_handler_is_optional(phone: Device) -> None:
    """A host that does not ask the sensor gets the PIN challenge by itself."""
    task, challenge = challenged(phone, ask(phone), handles_biometry=False)
    assert challenge.kind is ChallengeKind.PIN
    challenge.cancel()
    ended(phone, task)


def test_biometric_authenticator_must_be_registered_first(make_device: DeviceFactory) -> None:
    device = make_device()
    task, challenge = challenged(device, ask(device), handles_biometry=True)
    assert challenge.kind is ChallengeKind.PIN
    challenge.cancel()
    ended(device, task)
    failed(
        device,
        device.client.mobile_auth.handle(ask(device, BIOMETRY), handles_biometry=True),
        MobileAuthErrorCode.NOT_HANDLEABLE,
    )
    with pytest.raises(mtoken.FactorError):
        device.client.mobile_auth.register_authenticator("card")


def test_a_wrong_biometric_key_falls_back_to_the_pin(phone: Device) -> None:
    id = ask(phone)
    task, challenge = challenged(phone, id, handles_biometry=True)
    for malformed in (b"", bytes(15), bytes(16)):
        with pytest.raises(mtoken.ArgumentError):
            challenge.biometric(malformed)
    challenge.biometric(b"x" * 16)
    challenge = next_challenge(phone, task)
    assert (challenge.kind, challenge.remaining_attempts) == (ChallengeKind.PIN, 4)
    challenge.pin(phone.pin)
    assert ended(phone, task).authenticator is AuthenticatorType.PIN


def test_a_wrong_biometric_key_where_no_pin_is_allowed(phone: Device) -> None:
    id = ask(phone, BIOMETRY)
    task, challenge = challenged(phone, id, handles_biometry=True)
    with pytest.raises(mtoken.FactorError):
        challenge.use_pin()
    challenge.biometric(b"x" * 16)
    challenge = next_challenge(phone, task)
    assert (challenge.kind, challenge.remaining_attempts) == (ChallengeKind.BIOMETRIC, 4)
    challenge.biometric(phone.biometry_key)
    assert ended(phone, task).error is MobileAuthErrorCode.OK


@pytest.mark.parametrize("kept", [True, False])
def test_custom_challenge_respond_with_data(phone: Device, kept: bool) -> None:
    """The authenticator keeps the key itself and brings it, or handed it over with its name."""
    phone.client.mobile_auth.register_authenticator("card", phone.biometry_key if kept else b"")
    id = ask(phone)
    task, challenge = challenged(phone, id, authenticator="card")
    assert (challenge.kind, challenge.authenticator_name) == (ChallengeKind.CUSTOM, "card")
    if not kept:
        with pytest.raises(mtoken.ArgumentError):
            challenge.custom()
    challenge.custom(b"" if kept else phone.biometry_key)
    outcome = ended(phone, task)
    assert (outcome.authenticator, outcome.authenticator_name) == (AuthenticatorType.CUSTOM, "card")
    assert phone.server.operation(id)["approvedBy"]["signatureType"] == BIOMETRY


def test_a_custom_authenticator_with_a_copy_of_its_own(phone: Device) -> None:
    """A named authenticator of the biometry factor needs no other registration; its key is not the sensor's."""
    key = bytes(range(100, 116))
    phone.client.factors.add_biometry(key, phone.auth, authenticator="card")
    id = ask(phone)
    task, challenge = challenged(phone, id, authenticator="card", handles_biometry=True)
    assert (challenge.kind, challenge.authenticator_name) == (ChallengeKind.CUSTOM, "card")
    with pytest.raises(mtoken.ArgumentError):
        challenge.custom()  # it was registered without a key
    challenge.custom(key)
    assert ended(phone, task).authenticator is AuthenticatorType.CUSTOM
    assert phone.server.operation(id)["approvedBy"]["signatureType"] == BIOMETRY
    phone.client.factors.remove_biometry()
    task, challenge = challenged(phone, ask(phone), authenticator="card")
    phone.client.mobile_auth.register_authenticator("card", key)
    challenge.custom()
    assert ended(phone, task).error is MobileAuthErrorCode.OK


def test_a_key_of_32_bytes(server: DevServer, make_device: DeviceFactory) -> None:
    """Of protocol 4.0; it answers what a key of 16 bytes answers."""
    phone = four(make_device, server)
    phone.client.wait_active(timeout=60)
    key = bytes(range(32))
    phone.client.factors.add_biometry(key, phone.auth)
    task, challenge = challenged(phone, asked(phone), handles_biometry=True)
    challenge.biometric(key)
    assert ended(phone, task).error is MobileAuthErrorCode.OK
    task, challenge = challenged(phone, asked(phone), handles_biometry=True)
    with pytest.raises(mtoken.ArgumentError):
        challenge.biometric(key[:31])
    challenge.cancel()
    for kept in (b"", key):
        phone.client.mobile_auth.register_authenticator("card", kept)
        task, challenge = challenged(phone, asked(phone), authenticator="card")
        challenge.custom(b"" if kept else key)
        assert ended(phone, task).error is MobileAuthErrorCode.OK


def asked(phone: Device) -> str:
    return str(phone.created_operation()["operationId"])


def test_a_key_of_32_bytes_where_there_is_none(phone: Device) -> None:
    with pytest.raises(mtoken.ArgumentError):
        phone.client.mobile_auth.register_authenticator("card", bytes(range(32)))


def authenticators(device: Device, **options: Any) -> List[Any]:
    found = device.client.mobile_auth.authenticators(**options)
    return [(known.kind.name, known.name, known.registered, known.preferred) for known in found]


def test_authenticators_are_listed(phone: Device, make_device: DeviceFactory, make_client: ClientFactory) -> None:
    """Registered or not, and the one that a request asks for first if it allows all."""
    sensor = {"handles_biometry": True}
    assert authenticators(make_device("plain"), **sensor) == [
        ("PIN", None, True, True),
        ("BIOMETRIC", None, False, False),
    ]
    phone.client.mobile_auth.register_authenticator("card")
    phone.client.factors.add_biometry(bytes(range(1, 17)), phone.auth, authenticator="ring")
    both = [("CUSTOM", "ring", True, False), ("CUSTOM", "card", True, False)]
    assert authenticators(phone) == [("PIN", None, True, True), ("BIOMETRIC", None, True, False), *both]
    assert authenticators(phone, **sensor) == [("PIN", None, True, False), ("BIOMETRIC", None, True, True), *both]
    phone.client.mobile_auth.register_authenticator("ring")
    preferred = authenticators(phone, authenticator="card", **sensor)
    assert preferred == [("PIN", None, True, False), ("BIOMETRIC", None, True, False), both[0], (*both[1][:3], True)]
    with pytest.raises(mtoken.NotFoundError):
        authenticators(phone, authenticator="nobody")
    empty = phone.client.mobile_auth.__class__(make_client("empty")._connection)
    assert [(known.kind.name, known.registered, known.preferred) for known in empty.authenticators()] == [
        ("PIN", False, False),
        ("BIOMETRIC", False, False),
    ]


def test_a_custom_authenticator_tells_the_server_something(phone: Device) -> None:
    phone.client.mobile_auth.register_authenticator("card", phone.biometry_key)
    task, challenge = challenged(phone, ask(phone), authenticator="card", mobile_token_data={"riskScore": 7})
    info = {"status": 1, "data": "Ž"}
    phone.server.fault(AUTHORIZE, "patch", set={"responseObject.customInfo": info})
    challenge.custom(data='counter 5, "ok"')
    outcome = ended(phone, task)
    assert outcome.error is MobileAuthErrorCode.OK
    sent = json.loads(phone.server.requests(AUTHORIZE)[-1]["body"])["requestObject"]["mobileTokenData"]
    assert sent == {"riskScore": 7, "customAuthenticator": {"name": "card", "data": 'counter 5, "ok"'}}
    assert outcome.server_info is not None and json.loads(outcome.server_info) == info
    assert outcome.custom_info is None


@pytest.mark.parametrize("earlier", [0, 1])
@pytest.mark.parametrize(
    "kind, error_code, told",
    [
        ("flag", MobileAuthErrorCode.NOT_HANDLEABLE, "accepted the signature"),
        ("front end", MobileAuthErrorCode.CONFIGURATION_INVALID, "counted no failed attempt"),
    ],
)
def test_a_right_pin_is_not_asked_for_again(
    phone: Device, kind: str, error_code: MobileAuthErrorCode, told: str, earlier: int
) -> None:
    """The bank refuses approvals while it verifies the user, or before it looks at them: another PIN does not help."""
    task, challenge = challenged(phone, ask(phone))
    for _ in range(earlier):
        challenge.pin("9999")
        challenge = next_challenge(phone, task)
    if kind == "flag":
        phone.server.admin("PATCH", f"/activations/{phone.activation_id}", {"flags": ["VERIFICATION_PENDING"]})
    else:
        phone.server.fault(AUTHORIZE, "status", status=401, code="POWERAUTH_AUTH_FAIL")
    challenge.pin(phone.pin)
    error = failed(phone, task, error_code)
    assert told in str(error) and "is wrong" not in str(error)


def test_what_the_server_says_to_a_custom_authenticator_comes_back(phone: Device) -> None:
    """In the PIN challenge, and in the failure."""
    phone.client.mobile_auth.register_authenticator("card", b"x" * 16)
    task, challenge = challenged(phone, ask(phone), authenticator="card")
    refusal = {
        "status": "ERROR",
        "responseObject": {"code": "POWERAUTH_AUTH_FAIL", "message": "", "customInfo": "worn"},
    }
    phone.server.fault(AUTHORIZE, "status", nth=1, status=401, body=json.dumps(refusal), contentType="application/json")
    assert challenge.server_info is None
    challenge.custom(data="")
    challenge = next_challenge(phone, task)
    assert (challenge.kind, challenge.server_info, challenge.custom_info) == (ChallengeKind.PIN, '"worn"', None)
    refusal["responseObject"] = {"code": "INVALID_OPERATION", "message": "", "customInfo": {"status": 2}}
    phone.server.fault(AUTHORIZE, "status", nth=1, status=400, body=json.dumps(refusal), contentType="application/json")
    challenge.pin(phone.pin)
    error = failed(phone, task, MobileAuthErrorCode.NOT_FOUND)
    outcome = phone.client.mobile_auth.outcome(task)
    assert outcome is not None and outcome.server_info is not None
    assert json.loads(outcome.server_info) == {"status": 2}
    assert error.custom_info == outcome.server_info == error.details["custom_info"]


def test_custom_failure_hands_its_info_to_the_pin_challenge(phone: Device) -> None:
    phone.client.mobile_auth.register_authenticator("card", phone.biometry_key)
    task, challenge = challenged(phone, ask(phone), authenticator="card", handles_biometry=True)
    challenge.use_pin("The card cannot be read")
    challenge = next_challenge(phone, task)
    assert (challenge.kind, challenge.custom_info) == (ChallengeKind.PIN, "The card cannot be read")
    challenge.pin("9999")
    challenge = next_challenge(phone, task)
    assert challenge.custom_info == "The card cannot be read"
    challenge.pin(phone.pin)
    outcome = ended(phone, task)
    assert (outcome.authenticator, outcome.custom_info) == (AuthenticatorType.PIN, "The card cannot be read")


def test_custom_challenge_cancel_denies(phone: Device) -> None:
    phone.client.mobile_auth.register_authenticator("card", phone.biometry_key)
    id = ask(phone)
    task, challenge = challenged(phone, id, authenticator="card")
    challenge.cancel()
    failed(phone, task, MobileAuthErrorCode.ACTION_CANCELLED)
    outcome = phone.client.mobile_auth.outcome(task)
    assert outcome is not None and outcome.denied
    assert status_of(phone, id) == "REJECTED"


def test_custom_authenticators_have_names(phone: Device) -> None:
    auth = phone.client.mobile_auth
    with pytest.raises(mtoken.NotFoundError):
        auth.handle(ask(phone), authenticator="card")
    with pytest.raises(mtoken.NotFoundError):
        auth.unregister_authenticator("card")
    for name, key in (("", b""), ("x" * 65, b""), ("card", b"x" * 15), ("card", bytes(16))):
        with pytest.raises(mtoken.ArgumentError):
            auth.register_authenticator(name, key)
    auth.register_authenticator("card", b"x" * 16)
    auth.register_authenticator("card", phone.biometry_key)  # replaces it
    task, challenge = challenged(phone, ask(phone), authenticator="card")
    challenge.custom()
    assert ended(phone, task).error is MobileAuthErrorCode.OK
    auth.unregister_authenticator("card")
    with pytest.raises(mtoken.NotFoundError):
        auth.handle(ask(phone), authenticator="card")


def test_a_custom_authenticator_where_biometry_is_not_allowed(phone: Device) -> None:
    phone.client.mobile_auth.register_authenticator("card", phone.biometry_key)
    task, challenge = challenged(phone, ask(phone, KNOWLEDGE), authenticator="card")
    assert challenge.kind is ChallengeKind.PIN
    challenge.cancel()
    ended(phone, task)


# One answer


def test_a_challenge_takes_one_answer(phone: Device) -> None:
    task, challenge = challenged(phone, ask(phone))
    with pytest.raises(mtoken.ArgumentError):
        challenge.pin("12")  # too short: no answer
    with pytest.raises(mtoken.ArgumentError):
        challenge.pin("")
    for answer in (challenge.confirm, challenge.use_pin, lambda: challenge.biometric(bytes(16)), challenge.custom):
        with pytest.raises(mtoken.ArgumentError):  # of another kind
            answer()
    challenge.pin(phone.pin)
    for answer in (challenge.cancel, challenge.deny, lambda: challenge.pin(phone.pin)):
        with pytest.raises(mtoken.StateError):
            answer()
    assert ended(phone, task).error is MobileAuthErrorCode.OK
    challenge.close()
    with pytest.raises(mtoken.HandleError):
        challenge.cancel()


@pytest.mark.parametrize("custom", [False, True])
def test_a_challenge_freed_unanswered_ends_the_handling(phone: Device, custom: bool) -> None:
    """As cancelled, and without a word to the server."""
    phone.client.mobile_auth.register_authenticator("card", phone.biometry_key)
    id = ask(phone)
    mark = phone.server.mark()
    task, challenge = challenged(phone, id, authenticator="card" if custom else None)
    challenge.close()
    failed(phone, task, MobileAuthErrorCode.ACTION_CANCELLED)
    assert phone.server.requests(CANCEL, after=mark) == []
    assert status_of(phone, id) == "PENDING"


def test_a_challenge_that_stays_in_its_event(phone: Device) -> None:
    from mtoken import abi as _c
    from mtoken._library import lib

    task = phone.client.mobile_auth.handle(ask(phone))
    runtime = phone.client._connection.runtime
    while True:
        event = ctypes.POINTER(_c.mtoken_event)()
        assert lib.mtoken_runtime_next_event(runtime.pointer, int(WAIT * 1000), event, None) == _c.MTOKEN_OK
        kind = event.contents.kind
        lib.mtoken_event_free(event)
        if kind == _c.MTOKEN_EVENT_CHALLENGE:
            break
    failed(phone, task, MobileAuthErrorCode.ACTION_CANCELLED)


# Cancellation in each state


def test_cancelled_while_fetching(phone: Device) -> None:
    fault = phone.server.fault(DETAIL, "hang")
    task = phone.client.mobile_auth.handle(ask(phone))
    while phone.server.times_applied(fault) == 0:
        assert not task.wait(0.01)
    task.cancel()
    failed(phone, task, MobileAuthErrorCode.ACTION_CANCELLED)


def test_cancelled_before_the_fetch(phone: Device) -> None:
    task = phone.client.mobile_auth.handle(ask(phone))
    task.cancel()
    failed(phone, task, MobileAuthErrorCode.ACTION_CANCELLED)


def test_cancelled_while_challenged(phone: Device) -> None:
    id = ask(phone)
    task, challenge = challenged(phone, id)
    task.cancel()
    failed(phone, task, MobileAuthErrorCode.ACTION_CANCELLED)
    with pytest.raises(mtoken.StateError):
        challenge.pin(phone.pin)
    assert status_of(phone, id) == "PENDING"


def test_cancelled_while_answering(phone: Device) -> None:
    """The outcome tells that the server may have carried it out."""
    id = ask(phone)
    task, challenge = challenged(phone, id)
    fault = phone.server.fault(AUTHORIZE, "hang", process=True)
    challenge.pin(phone.pin)
    while phone.server.times_applied(fault) == 0:
        assert not task.wait(0.01)
    task.cancel()
    error = failed(phone, task, MobileAuthErrorCode.ACTION_CANCELLED)
    assert error.outcome is mtoken.Outcome.UNKNOWN


def test_cancelled_while_the_status_is_asked_for(phone: Device) -> None:
    task, challenge = challenged(phone, ask(phone))
    fault = phone.server.fault(STATUS, "hang")
    challenge.pin("9999")
    while phone.server.times_applied(fault) == 0:
        assert not task.wait(0.01)
    task.cancel()
    failed(phone, task, MobileAuthErrorCode.ACTION_CANCELLED)


def test_cancelling_what_has_completed(phone: Device) -> None:
    task, challenge = challenged(phone, ask(phone, ONE_FACTOR))
    challenge.confirm()
    assert ended(phone, task).error is MobileAuthErrorCode.OK
    task.cancel()
    assert task.error() is None


@pytest.mark.parametrize("state", ["fetching", "challenged"])
@pytest.mark.parametrize("end", ["client", "runtime", "activation"])
def test_no_handling_outlives_its_client(server: DevServer, make_device: DeviceFactory, state: str, end: str) -> None:
    runtime = mtoken.Runtime(events=mtoken.Events.CHALLENGES)
    device = make_device(runtime=runtime)
    if state == "fetching":
        server.fault(DETAIL, "hang")
    task = device.client.mobile_auth.handle(ask(device))
    challenge = next_challenge(device) if state == "challenged" else None
    if end == "client":
        device.client.close()
    elif end == "runtime":
        runtime.close()
    else:
        device.client.remove_local()
    assert task.wait(WAIT)
    assert isinstance(task.error(), mtoken.CancelledError)
    if challenge:
        with pytest.raises(mtoken.StateError):
            challenge.pin(device.pin)
    runtime.close()


# Completion


def test_both_completions_are_events_and_may_be_ignored(phone: Device) -> None:
    task, challenge = challenged(phone, ask(phone, ONE_FACTOR))
    challenge.confirm()
    runtime = phone.client._connection.runtime
    assert any(event.task is task for event in runtime.events(WAIT) if event.kind is EventKind.TASK)
    task, challenge = challenged(phone, ask(phone, ONE_FACTOR))
    challenge.cancel()
    assert any(event.task is task for event in runtime.events(WAIT) if event.kind is EventKind.TASK)
    task, challenge = challenged(phone, ask(phone, ONE_FACTOR))
    challenge.confirm()
    assert task.wait(WAIT)  # nobody reads the events


def test_the_steps_of_a_handling_are_no_events(phone: Device) -> None:
    runtime = phone.client._connection.runtime
    for _ in runtime.events(0):
        pass
    task, challenge = challenged(phone, ask(phone, ONE_FACTOR))
    challenge.confirm()
    assert task.wait(WAIT)
    assert [event.task for event in runtime.events(0.2)] == [task]


# Errors


@pytest.mark.parametrize("when", ["pending", "fetching", "answering"])
def test_device_deregistered(phone: Device, when: str) -> None:
    """Local data is removed."""
    id = ask(phone)
    task: Any
    if when == "answering":
        task, challenge = challenged(phone, id)
    phone.server.admin("POST", f"/activations/{phone.activation_id}/remove")
    if when == "pending":
        task = phone.client.mobile_auth.start_pending()
        assert task.wait(WAIT)
        assert task.error().reason == "device_deregistered"
    else:
        if when == "answering":
            challenge.pin(phone.pin)
        else:
            task = phone.client.mobile_auth.handle(id)
        failed(phone, task, MobileAuthErrorCode.DEVICE_DEREGISTERED)
    assert phone.client.state is mtoken.ClientState.EMPTY
    with pytest.raises(mtoken.NotActivatedError) as error:
        phone.client.mobile_auth.handle(id)
    assert error.value.reason == "not_enrolled"


@pytest.mark.parametrize("removes", [False, True])
@pytest.mark.parametrize("failures", [5, 100])
def test_user_deregistered(phone: Device, removes: bool, failures: int) -> None:
    """Too many wrong PINs: the state is marked as blocked or removed, as the server says. (With the operation's own limit
    of five the last refusal is another one than with a higher limit.)"""
    phone.server.admin("PATCH", "/config", {"removeWhenOutOfAttempts": removes})
    task, challenge = challenged(phone, ask(phone, maxFailures=failures))
    for left in (4, 3, 2, 1):
        challenge.pin("9999")
        challenge = next_challenge(phone, task)
        assert challenge.remaining_attempts == left
    challenge.pin("9999")
    error = failed(phone, task, MobileAuthErrorCode.USER_DEREGISTERED)
    assert isinstance(error, mtoken.RemovedError if removes else mtoken.BlockedError) and error.remaining_attempts == 0
    if removes:
        assert phone.client.state is mtoken.ClientState.EMPTY
    else:
        assert phone.client.info().activation_state is mtoken.ActivationState.BLOCKED


def test_user_deregistered_before_the_fetch(phone: Device) -> None:
    phone.server.admin("POST", f"/activations/{phone.activation_id}/block")
    failed(phone, phone.client.mobile_auth.handle(ask(phone)), MobileAuthErrorCode.USER_DEREGISTERED)
    assert phone.client.state is mtoken.ClientState.ACTIVE


def test_the_operations_own_attempts_are_used_up(phone: Device) -> None:
    task, challenge = challenged(phone, ask(phone, maxFailures=1))
    challenge.pin("9999")
    error = failed(phone, task, MobileAuthErrorCode.NOT_FOUND)
    assert (error.server_code, error.remaining_attempts) == ("OPERATION_ALREADY_FAILED", 4)


def test_the_status_cannot_be_had_after_a_refusal(phone: Device) -> None:
    """Nothing is known of the PIN then: nobody is asked for another one, and the request can be handled again."""
    id = ask(phone)
    task, challenge = challenged(phone, id)
    phone.server.fault(STATUS, "status", status=503)
    challenge.pin(phone.pin + "0")
    error = failed(phone, task, MobileAuthErrorCode.SERVER_NOT_REACHABLE)
    assert isinstance(error, mtoken.ServerError) and error.remaining_attempts is None and error.retriable
    phone.server.admin("DELETE", "/faults")
    task, challenge = challenged(phone, id)
    challenge.pin(phone.pin)
    assert ended(phone, task).error is MobileAuthErrorCode.OK


@pytest.mark.parametrize("newest", [False, True])
@pytest.mark.parametrize("when", ["pending", "fetching"])
def test_a_server_whose_back_end_is_down(phone: Device, make_device: DeviceFactory, when: str, newest: bool) -> None:
    """The temporary key cannot be had either, which says nothing of the application's key."""
    id = ask(phone)
    if newest:
        phone = four(make_device, phone.server)
        id = ask(phone, applicationId="four-EC_P384")
        phone.server.admin("DELETE", "/temporary-keys", activationId=phone.activation_id)
    phone.server.admin("DELETE", f"/activations/{phone.activation_id}/tokens")
    phone.server.fault("/", "backend-down")
    client = phone.client
    if when == "pending":
        with pytest.raises(mtoken.ServerError) as error:
            client.mobile_auth.pending()
        assert (error.value.reason, error.value.retriable) == ("server_not_reachable", True)
    else:
        failed(phone, client.mobile_auth.handle(id), MobileAuthErrorCode.SERVER_NOT_REACHABLE)


@pytest.mark.parametrize("when", ["pending", "fetching"])
def test_an_activation_that_the_bank_has_yet_to_confirm_stays(make_device: DeviceFactory, when: str) -> None:
    phone = make_device(commit=False)
    id = ask(phone)
    if when == "pending":
        with pytest.raises(mtoken.PendingCommitError) as error:
            phone.client.mobile_auth.pending()
        assert error.value.reason == "not_enrolled"
    else:
        raised = failed(phone, phone.client.mobile_auth.handle(id), MobileAuthErrorCode.NOT_ENROLLED)
        assert isinstance(raised, mtoken.PendingCommitError)
    assert phone.client.state is mtoken.ClientState.ACTIVE
    phone.server.admin("POST", f"/activations/{phone.activation_id}/commit")
    phone.client.wait_active(timeout=WAIT)
    task, challenge = challenged(phone, id)
    challenge.pin(phone.pin)
    assert ended(phone, task).error is MobileAuthErrorCode.OK


@pytest.mark.parametrize("when", ["pending", "fetching", "answering"])
def test_an_activation_out_of_step_stays(phone: Device, when: str) -> None:
    """The bank can get it back, by a wider look-ahead window."""
    id = ask(phone)
    if when == "answering":
        task, challenge = challenged(phone, id)
    phone.server.admin("POST", f"/activations/{phone.activation_id}/counter", {"steps": 30})
    if when == "answering":
        challenge.pin(phone.pin)
        assert ended(phone, task).error is MobileAuthErrorCode.OTHER
        assert task.error().reason == "counterDeadlock"
    else:
        phone.server.admin("DELETE", f"/activations/{phone.activation_id}/tokens")
        if when == "pending":
            task = phone.client.mobile_auth.start_pending()
            assert task.wait(WAIT)
        else:
            task = phone.client.mobile_auth.handle(id)
            assert ended(phone, task).error is MobileAuthErrorCode.OTHER
        assert task.error().reason == "counterDeadlock"
    assert phone.client.state is mtoken.ClientState.ACTIVE
    phone.server.admin("PATCH", "/config", {"lookAhead": 64})
    assert phone.client.status().state is mtoken.ActivationState.ACTIVE
    task, challenge = challenged(phone, id)
    challenge.pin(phone.pin)
    assert ended(phone, task).error is MobileAuthErrorCode.OK


def test_network_connectivity_failure(
    server: DevServer, make_client: ClientFactory, make_device: DeviceFactory
) -> None:
    """The server's name cannot be resolved."""
    device = make_device()
    id = ask(device)
    store = device.store
    device.client.close()
    offline = make_client("device", store=store, base_url="https://no-such-host.invalid")
    moved = Device(offline, server, device.user, device.activation_id, store)
    error = failed(moved, offline.mobile_auth.handle(id), MobileAuthErrorCode.NETWORK_CONNECTIVITY)
    assert error.outcome is mtoken.Outcome.NOT_SENT
    with pytest.raises(mtoken.NetworkError) as raised:
        offline.mobile_auth.pending()
    assert raised.value.reason == "network_connectivity"
    offline.close()
    online = Device(make_client("device", store=store), server, device.user, device.activation_id, store)
    task, challenge = challenged(online, id)
    challenge.pin(device.pin)
    assert ended(online, task).error is MobileAuthErrorCode.OK


@pytest.mark.parametrize("kind", ["close_after_read", "status", "html", "hang"])
@pytest.mark.parametrize("when", ["fetching", "answering"])
def test_server_not_reachable(make_device: DeviceFactory, kind: str, when: str) -> None:
    """The request stays pending and can be handled again."""
    device = make_device(timeout=2)
    id = ask(device)
    parameters: Any = {} if kind == "html" else {"status": 503, "body": ""} if kind == "status" else {"process": False}
    task: Any
    if when == "answering":
        task, challenge = challenged(device, id)
        device.server.fault(AUTHORIZE, kind, **parameters)
        challenge.pin(device.pin)
    else:
        device.client.operations.list()
        device.server.fault(DETAIL, kind, **parameters)
        task = device.client.mobile_auth.handle(id)
    error = failed(device, task, MobileAuthErrorCode.SERVER_NOT_REACHABLE)
    if when == "answering" and kind in ("close_after_read", "hang"):
        assert error.outcome is mtoken.Outcome.UNKNOWN
    device.server.admin("DELETE", "/faults")
    task, challenge = challenged(device, id)
    challenge.pin(device.pin)
    assert ended(device, task).error is MobileAuthErrorCode.OK


@pytest.mark.parametrize("how", ["unknown", "finished", "expired", "cancelled", "foreign"])
def test_mobile_auth_request_not_found(phone: Device, make_device: DeviceFactory, how: str) -> None:
    id = "no-such-transaction" if how == "unknown" else ask(make_device("other") if how == "foreign" else phone)
    if how == "finished":
        task, challenge = challenged(phone, id)
        challenge.pin(phone.pin)
        ended(phone, task)
    elif how == "expired":
        phone.server.admin("POST", f"/operations/{id}/expire")
    elif how == "cancelled":
        phone.server.admin("POST", f"/operations/{id}/cancel")
    failed(phone, phone.client.mobile_auth.handle(id), MobileAuthErrorCode.NOT_FOUND)


@pytest.mark.parametrize(("how", "error"), [("cancel", "NOT_FOUND"), ("fail", "NOT_FOUND"), ("expire", "EXPIRED")])
def test_the_request_ends_at_the_server_while_challenged(phone: Device, how: str, error: str) -> None:
    id = ask(phone)
    task, challenge = challenged(phone, id)
    phone.server.admin("POST", f"/operations/{id}/{how}")
    challenge.pin(phone.pin)
    failed(phone, task, MobileAuthErrorCode[error])


def test_a_request_that_expires_while_challenged(phone: Device) -> None:
    task, challenge = challenged(phone, ask(phone, expirationSeconds=2))
    failed(phone, task, MobileAuthErrorCode.EXPIRED)
    with pytest.raises(mtoken.StateError):
        challenge.pin(phone.pin)


@pytest.mark.parametrize("payload", ["", "{", "[]", "{}", '{"messageType":"mtoken.operationInit","operationId":1}'])
def test_a_malformed_payload_is_not_handleable(phone: Device, payload: str) -> None:
    with pytest.raises(mtoken.UnsupportedError) as error:
        phone.client.mobile_auth.handle_push(payload)
    assert error.value.reason == "not_handleable"


@pytest.mark.parametrize(
    "signature", [{"type": "ECDSA"}, {"type": "3FA"}, {"type": "2FA", "variants": ["possession_iris"]}]
)
def test_not_handleable(phone: Device, signature: Any) -> None:
    id = ask(phone, extraMembers={"allowedSignatureType": signature})
    failed(phone, phone.client.mobile_auth.handle(id, handles_biometry=True), MobileAuthErrorCode.NOT_HANDLEABLE)


def test_biometry_alone_without_a_sensor_is_not_handleable(phone: Device) -> None:
    failed(phone, phone.client.mobile_auth.handle(ask(phone, BIOMETRY)), MobileAuthErrorCode.NOT_HANDLEABLE)


def test_an_operation_that_wants_a_proximity_check(phone: Device) -> None:
    task, challenge = challenged(phone, ask(phone, proximityCheck=True))
    challenge.pin(phone.pin)
    assert failed(phone, task, MobileAuthErrorCode.NOT_HANDLEABLE).server_code == "OPERATION_FAILED"


@pytest.mark.parametrize("when", ["pending", "fetching", "answering"])
def test_user_disenrolled(phone: Device, when: str) -> None:
    id = ask(phone)
    task: Any
    if when == "answering":
        task, challenge = challenged(phone, id)
    phone.server.admin("PATCH", f"/activations/{phone.activation_id}", {"mobileAuthEnabled": False})
    if when == "pending":
        with pytest.raises(mtoken.ServerError) as error:
            phone.client.mobile_auth.pending()
        assert error.value.reason == "user_disenrolled"
        return
    if when == "answering":
        challenge.pin(phone.pin)
    else:
        task = phone.client.mobile_auth.handle(id)
    failed(phone, task, MobileAuthErrorCode.USER_DISENROLLED)
    assert phone.client.state is mtoken.ClientState.ACTIVE


def test_prerequisite_mobile_authentication_enrolment(make_client: ClientFactory) -> None:
    client = make_client()
    for call in (
        client.mobile_auth.pending,
        lambda: client.mobile_auth.handle("x"),
        lambda: client.mobile_auth.handle_push("{}"),
    ):
        with pytest.raises(mtoken.NotActivatedError) as error:
            call()
        assert error.value.reason == "not_enrolled"
    with pytest.raises(mtoken.NotActivatedError):
        client.push.register(PushService.FCM, "a")
    with pytest.raises(mtoken.NotActivatedError):
        client.mobile_auth.register_authenticator("card")
    assert (
        client.mobile_auth.from_push('{"messageType":"mtoken.operationInit","operationId":"1","operationName":"x"}')
        is None
    )


def test_already_in_progress(phone: Device, make_device: DeviceFactory) -> None:
    id = ask(phone)
    task, challenge = challenged(phone, id)
    for other in (id, ask(phone)):
        with pytest.raises(mtoken.BusyError) as error:
            phone.client.mobile_auth.handle(other)
        assert error.value.reason == "already_in_progress"
    second = make_device("second")  # of the same user: clients do not wait for each other
    other_task, other_challenge = challenged(second, ask(second))
    other_challenge.cancel()
    ended(second, other_task)
    challenge.pin(phone.pin)
    assert ended(phone, task).error is MobileAuthErrorCode.OK


@pytest.mark.parametrize("newest", [False, True])
def test_configuration_invalid(phone: Device, make_device: DeviceFactory, newest: bool) -> None:
    """The application's key is refused where a token has to be made; one that is there goes on working."""
    id = ask(phone)
    if newest:
        phone = four(make_device, phone.server)
        phone.client.status()  # the activation's own is then not under way any more, with a key of before
        id = ask(phone, applicationId="four-EC_P384")
    application = phone.server.admin("GET", f"/activations/{phone.activation_id}")["applicationId"]
    (version,) = phone.server.admin("GET", f"/applications/{application}")["versions"]
    path = f"/applications/{application}/versions/{version['name']}"
    phone.server.admin("DELETE", "/temporary-keys", activationId=phone.activation_id)
    phone.server.admin("DELETE", f"/activations/{phone.activation_id}/tokens")
    phone.server.admin("PATCH", path, {"supported": False})
    try:
        failed(phone, phone.client.mobile_auth.handle(id), MobileAuthErrorCode.CONFIGURATION_INVALID)
    finally:
        phone.server.admin("PATCH", path, {"supported": True})


def test_the_device_itself_is_refused(phone: Device) -> None:
    """A confirmation that the server refuses leaves nothing that the user could do better."""
    task, challenge = challenged(phone, ask(phone, ONE_FACTOR))
    phone.server.fault(AUTHORIZE, "status", status=401, code="POWERAUTH_AUTH_FAIL")
    challenge.confirm()
    failed(phone, task, MobileAuthErrorCode.CONFIGURATION_INVALID)


def test_a_runtime_without_challenges(make_device: DeviceFactory) -> None:
    with mtoken.Runtime(events=mtoken.Events.TASKS) as runtime:
        device = make_device(runtime=runtime)
        with pytest.raises(mtoken.StateError):
            device.client.mobile_auth.handle(ask(device))


def test_names_of_errors() -> None:
    from mtoken._library import lib

    for error in MobileAuthErrorCode:
        assert lib.mtoken_mobile_auth_error_name(error) == error.name.lower().encode()
    assert lib.mtoken_mobile_auth_error_name(99) is None


# Outages


@pytest.mark.parametrize("process", [False, True], ids=["not-processed", "processed"])
@pytest.mark.parametrize("status", [502, 504, 500])
def test_an_answer_without_the_banks_words(phone: Device, status: int, process: bool) -> None:
    """The bank may have acted: nothing says that it has not, and repeating is not advised."""
    id = ask(phone, KNOWLEDGE)
    task, challenge = challenged(phone, id)
    phone.server.fault(AUTHORIZE, "html", status=status, process=process)
    challenge.pin(phone.pin)
    error = failed(phone, task, MobileAuthErrorCode.SERVER_NOT_REACHABLE)
    assert error.outcome is mtoken.Outcome.UNKNOWN and error.may_have_happened and not error.retriable
    assert status_of(phone, id) == ("APPROVED" if process else "PENDING")


def test_a_back_end_that_is_down(phone: Device) -> None:
    """Nobody says that the PIN was wrong, and the request can be handled again."""
    id = ask(phone, KNOWLEDGE)
    task, challenge = challenged(phone, id)
    fault = phone.server.fault("/", "backend-down")
    challenge.pin(phone.pin)
    error = failed(phone, task, MobileAuthErrorCode.SERVER_NOT_REACHABLE)
    assert error.retriable and error.remaining_attempts is None and "PIN is wrong" not in str(error)
    phone.server.admin("DELETE", f"/faults/{fault}")
    task, challenge = challenged(phone, id)
    challenge.pin(phone.pin)
    assert ended(phone, task).error is MobileAuthErrorCode.OK
    assert status_of(phone, id) == "APPROVED"


def test_a_blocked_activation_is_not_forgotten(phone: Device) -> None:
    id = ask(phone, KNOWLEDGE)
    task, challenge = challenged(phone, id)
    phone.server.admin("POST", f"/activations/{phone.activation_id}/block")
    challenge.pin(phone.pin)
    failed(phone, task, MobileAuthErrorCode.USER_DEREGISTERED)
    assert phone.client.state is mtoken.ClientState.ACTIVE
    phone.server.admin("POST", f"/activations/{phone.activation_id}/unblock")
    assert phone.client.status().state is mtoken.ActivationState.ACTIVE
    task, challenge = challenged(phone, id)
    challenge.pin(phone.pin)
    assert ended(phone, task).error is MobileAuthErrorCode.OK
