"""Mobile authentication with push, end to end: each challenge, each way to end, each error with its fault."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Iterator, List, Optional

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devices4 import device4
from devserver import OPERATIONS
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
KNOWLEDGE, BIOMETRY = "possession_knowledge", "possession_biometry"


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


# Proximity


def scanned(device: Device, id: str) -> Proximity:
    return Proximity(device.server.admin("GET", f"/operations/{id}/totp")["totp"], ProximityType.QR_CODE)


def shown(device: Device) -> str:
    """An operation that wants a proximity check."""
    created = device.server.new_operation(userId=device.user, template="login_qr", parameters={})
    return str(created["operationId"])


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


# Challenges


def test_biometric_challenge_respond_with_prompt(phone: Device) -> None:
    id = ask(phone)
    task, challenge = challenged(phone, id, handles_biometry=True, prompt="Touch the sensor")
    assert (challenge.kind, challenge.prompt) == (ChallengeKind.BIOMETRIC, "Touch the sensor")
    challenge.biometric(phone.biometry_key)
    assert ended(phone, task).authenticator is AuthenticatorType.BIOMETRIC
    assert phone.server.operation(id)["approvedBy"]["signatureType"] == BIOMETRY


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


FAULTS: Dict[str, Dict[str, Any]] = {
    "back end down": {"match": "/", "kind": "backend-down"},
    "gateway": {"kind": "html", "status": 502},
    "cut off": {"kind": "close_after_read", "process": False},
    "refused device": {"kind": "status", "status": 401, "code": "POWERAUTH_AUTH_FAIL"},
}
ENDS = ["cancel", "fail", "expire"]


@pytest.mark.parametrize("answering", [False, True], ids=["fetching", "answering"])
@pytest.mark.parametrize(
    ("how", "error"),
    [
        *((how, "NOT_FOUND") for how in ("unknown", "foreign", "finished", *ENDS)),
        *((how, "SERVER_NOT_REACHABLE") for how in ("back end down", "gateway", "cut off")),
        ("refused device", "CONFIGURATION_INVALID"),
        ("blocked", "USER_DEREGISTERED"),
        ("proximity", "NOT_HANDLEABLE"),
        ("type", "NOT_HANDLEABLE"),
        ("biometry alone", "NOT_HANDLEABLE"),
    ],
)
def test_each_error_has_its_cause(
    phone: Device, make_device: DeviceFactory, how: str, error: str, answering: bool
) -> None:
    """While the request is fetched, or when the user has answered. The request of a fault can be handled again."""
    if answering and how in ("unknown", "foreign", "type", "biometry alone"):
        pytest.skip("nobody is asked")
    server, members = phone.server, {}
    if how == "type":
        members = {"extraMembers": {"allowedSignatureType": {"type": "3FA"}}}
    elif how == "proximity":
        members = {"proximityCheck": True}
    allowed = [BIOMETRY] if how == "biometry alone" else [KNOWLEDGE]
    id = (
        "unknown" if how == "unknown" else ask(make_device("other") if how == "foreign" else phone, *allowed, **members)
    )
    task: Any = None
    if answering or how == "proximity":
        task, challenge = challenged(phone, id)
    if how in ENDS:
        server.admin("POST", f"/operations/{id}/{how}")
    elif how == "finished":
        server.admin("PATCH", f"/operations/{id}", {"status": "APPROVED"})
    elif how == "blocked":
        server.admin("POST", f"/activations/{phone.activation_id}/block")
    elif how in FAULTS:
        server.fault(**{"match": AUTHORIZE if answering else DETAIL, **FAULTS[how]})
    if task is None:
        task = phone.client.mobile_auth.handle(id)
    else:
        challenge.pin(phone.pin)
    if answering and how == "expire":
        error = "EXPIRED"
    failed(phone, task, MobileAuthErrorCode[error])
    assert phone.client.state is mtoken.ClientState.ACTIVE
    server.admin("DELETE", "/faults")
    if how in FAULTS:
        task, challenge = challenged(phone, id)
        challenge.pin(phone.pin)
        assert ended(phone, task).error is MobileAuthErrorCode.OK


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
        phone = device4(make_device, phone.server)
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
