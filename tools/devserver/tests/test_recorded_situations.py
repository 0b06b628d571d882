"""The situations of the recorded raw exchanges, which have no keys in them: the same answer, to the letter where it
refuses.
"""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
import recorded
from client import Device, enc, mac, url_enc

BASE = "/api/auth/token/app/operation"
PIN = "possession_knowledge"
PARAMETERS = {
    "amount": "10000.50",
    "currency": "CZK",
    "account": "CZ2730300000001165254011",
    "note": 'Nájem "září"\nřádek 2',
    "thumbnail": "https://bank.example/t.png",
    "original": "https://bank.example/o.png",
}
ATTRIBUTES = [
    {"id": "operation.heading", "type": "HEADING", "text": "Heading", "params": {}},
    {
        "id": "operation.amount",
        "type": "AMOUNT",
        "text": "Amount",
        "params": {"amount": "amount", "currency": "currency"},
    },
    {"id": "operation.account", "type": "KEY_VALUE", "text": "To Account", "params": {"value": "account"}},
    {"id": "operation.note", "type": "NOTE", "text": "Note", "params": {"note": "note"}},
    {
        "id": "operation.image",
        "type": "IMAGE",
        "text": "Image",
        "params": {"thumbnailUrl": "thumbnail", "originalUrl": "original"},
    },
]
RESULTS = {"success": "Paid ${amount} ${currency}", "failure": "Not paid", "reject": "Rejected"}
FORMS = {
    "en": {
        "title": "Approve Payment",
        "message": "Please confirm the payment of ${amount} ${currency}",
        "attributes": ATTRIBUTES,
        "resultTexts": RESULTS,
    },
    "cs": {
        "title": "Schválení platby",
        "message": "Potvrďte platbu ${amount} ${currency}",
        "attributes": ATTRIBUTES,
    },
}


class Bank:
    """One device, its bank, and the calls that the situations are made of."""

    def __init__(self, http: Any, admin: Any, new_device: Any, user: Any) -> None:
        self.http, self.admin, self.user, self.new_device = http, admin, user, new_device
        self.device = new_device()
        self.token = self.device.create_token()
        template = {
            "operationType": "authorize_payment",
            "dataTemplate": "A1*A${amount}${currency}*I${account}*N${note}",
            "allowedSignatureTypes": [PIN, "possession_biometry"],
            "forms": FORMS,
        }
        admin.put("/templates/recorded", template)

    def operation(self, **members: Any) -> Any:
        body = {"userId": self.user, "template": "recorded", "parameters": PARAMETERS, **members}
        return self.admin.post("/operations", body)

    def signed(self, path: Any, uri_id: Any, factors: Any, body: Any, wrong_pin: Any = False) -> Any:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        keys = {"knowledge": b"w" * 16} if wrong_pin else None
        return self.device.raw(path, content, self.device.signature_header(factors, uri_id, content, keys=keys))

    def authorize(
        self, operation: Any, factors: Any = PIN, wrong_pin: Any = False, body: Any = None, **members: Any
    ) -> Any:
        named = {"id": operation["operationId"], "data": operation["data"], **members}
        named = {name: value for name, value in named.items() if value is not None}
        body = body if body is not None else {"requestObject": named}
        return self.signed(f"{BASE}/authorize", "/operation/authorize", factors, body, wrong_pin)

    def cancel(self, operation: Any, factors: Any = "possession", **members: Any) -> Any:
        body = {"requestObject": {"id": operation["operationId"], **members}}
        return self.signed(f"{BASE}/cancel", "/operation/cancel", factors, body)

    def by_token(self, path: Any, body: Any = None, headers: Any = None) -> Any:
        all_headers = {**self.device.token_header(self.token), **(headers or {})}
        return self.device.raw(path, {} if body is None else body, all_headers)

    def finished(self, verb: Any) -> Any:
        operation = self.operation()
        self.admin.post(f"/operations/{operation['operationId']}/{verb}")
        return operation

    def approved(self) -> Any:
        operation = self.operation()
        self.authorize(operation)
        return operation

    def message(self) -> Any:
        return self.admin.post(
            "/inbox", {"userId": self.user, "subject": "Subject one", "summary": "summary text", "body": "body text"}
        )

    def encrypted(self, path: Any, plain: Any = b"{}", activation_scope: Any = True) -> Any:
        info = "/pa/generic/activation" if activation_scope else "/pa/generic/application"
        envelope = self.device.encrypt(plain, info, activation_scope)
        return self.device.raw(path, envelope.body, self.device.encryption_header(activation_scope))

    def encrypted_signed(self, name: Any, factors: Any, payload: Any, wrong_pin: Any = False) -> Any:
        envelope = self.device.encrypt(json.dumps(payload).encode(), f"/pa/{name}", True)
        return self.signed(f"/pa/v3/{name}", f"/pa/{name}", factors, envelope.body, wrong_pin)

    def forget_keys(self) -> None:
        self.device.fetch_temporary_key(True)
        self.admin.delete("/temporary-keys")

    def state(self, verb: Any) -> Any:
        self.admin.post(f"/activations/{self.device.activation_id}/{verb}")
        return self

    def key_store(self, *, wrong: Any = False) -> Any:
        device = self.device
        claims = {"applicationKey": device.sdk.key, "activationId": device.activation_id, "challenge": enc(b"c" * 18)}
        text = f'{url_enc(b"""{"alg":"HS256","typ":"JWT"}""")}.{url_enc(json.dumps(claims).encode())}'
        key = b"w" * 16 if wrong else device.key_store_key(True)
        token = f"{text}.{url_enc(mac(key, text.encode()))}"
        return device.raw("/pa/v3/keystore/create", {"requestObject": {"jwt": token}})

    def status_of(self, activation_id: Any) -> Any:
        body = {"requestObject": {"activationId": activation_id, "challenge": enc(b"c" * 16)}}
        return self.device.raw("/pa/v3/activation/status", body)

    def validate(self, **options: Any) -> Any:
        return self.signed("/pa/v3/signature/validate", "/pa/signature/validate", PIN, {}, **options)

    # Situations of more than one line

    def used_code(self) -> Any:
        record = self.admin.post("/activations", {"userId": self.user})
        Device(self.http, self.sdk_config).activate("CODE", {"code": record["activationCode"]})
        return self.activate_raw(record["activationCode"])

    def activate_raw(self, code: Any) -> Any:
        device = Device(self.http, self.sdk_config)
        inner = device.encrypt(b'{"devicePublicKey":"AAAA"}', "/pa/activation", False)
        request = {"type": "CODE", "identityAttributes": {"code": code}, "activationData": inner.body}
        outer = device.encrypt(json.dumps(request).encode(), "/pa/generic/application", False)
        return device.raw("/pa/v3/activation/create", outer.body, device.encryption_header(False))

    def removed_from_created(self) -> Any:
        record = self.admin.post("/activations", {"userId": self.user})
        self.admin.post(f"/activations/{record['activationId']}/remove")
        return self.status_of(record["activationId"])

    def failed_operation(self) -> Any:
        operation = self.operation()
        self.admin.post(f"/operations/{operation['operationId']}/fail")
        return self.authorize(operation)

    def only_pin_allowed(self) -> Any:
        operation = self.operation(allowedSignatureTypes=[PIN], parameters={})
        assert operation["data"] == "A1*A${amount}${currency}*I${account}*N${note}"
        return self.authorize(operation, "possession_biometry")

    def proximity_of_unknown_type(self) -> Any:
        operation = self.operation(proximityCheck=True)
        totp = self.admin.get(f"/operations/{operation['operationId']}/totp")["totp"]
        return self.authorize(operation, proximityCheck={"otp": totp, "type": "FUTURE"})

    def same_header_again(self) -> Any:
        header = self.device.signature_header(PIN, "/pa/signature/validate", b"{}")
        self.device.raw("/pa/v3/signature/validate", b"{}", header)
        return self.device.raw("/pa/v3/signature/validate", b"{}", header)

    def foreign(self) -> Any:
        return self.operation(userId=f"other-{uuid.uuid4()}")

    def history_of_three_states(self) -> Any:
        self.failed_operation()
        self.operation()
        return self.history()

    def history(self, **options: Any) -> Any:
        return self.signed(f"{BASE}/history", "/operation/history", PIN, {}, **options)

    def list_encrypted(self) -> Any:
        self.operation()
        envelope = self.device.encrypt(b"{}", "/pa/generic/activation", True)
        return self.by_token(f"{BASE}/list", envelope.body, self.device.encryption_header(True))

    def wrong_digest(self) -> Any:
        headers = self.device.token_header({**self.token, "tokenSecret": enc(b"w" * 16)})
        return self.device.raw(f"{BASE}/list", {}, headers)

    def register(self, **members: Any) -> Any:
        body = {"requestObject": {"platform": "ios", **members}}
        return self.by_token("/api/push/device/register/token", body)

    def read(self, path: Any, message_id: Any) -> Any:
        return self.by_token(f"/api/inbox/{path}", {"requestObject": {"id": message_id}})

    def read_again(self) -> Any:
        message = self.message()
        self.read("message/read", message["id"])
        return self.read("message/read", message["id"])

    def list_with(self, **headers: Any) -> Any:
        self.operation()
        self.operation()
        return self.by_token(f"{BASE}/list", {}, headers)

    def one_payment(self) -> Any:
        self.operation()
        return self.by_token(f"{BASE}/list")

    def unread_count(self) -> Any:
        self.message()
        return self.by_token("/api/inbox/count")

    def forgotten(self, call: Any) -> Any:
        self.forget_keys()
        return call()


UNKNOWN = {"operationId": "nope", "data": "x"}
NO_OBJECT = {"requestObject": {"id": "nope"}}


def named(operation: Any) -> Any:
    return {"requestObject": {"id": operation["operationId"]}}


SITUATIONS = {
    "activation-create-code-used": lambda bank: bank.used_code(),
    "activation-remove-no-header": lambda bank: bank.device.raw("/pa/v3/activation/remove", {}),
    "activation-status-removed-from-created": lambda bank: bank.removed_from_created(),
    "activation-status-unknown-id": lambda bank: bank.status_of("00000000-0000-4000-8000-000000000000"),
    "authorize-approved": lambda bank: bank.authorize(bank.approved()),
    "authorize-biometry-where-only-pin-is-allowed": lambda bank: bank.only_pin_allowed(),
    "authorize-cancelled": lambda bank: bank.authorize(bank.finished("cancel")),
    "authorize-data-missing": lambda bank: bank.authorize(bank.operation(), data=None),
    "authorize-failed": lambda bank: bank.failed_operation(),
    "authorize-flag-missing": lambda bank: bank.authorize(bank.operation(activationFlag="X")),
    "authorize-malformed-json": lambda bank: bank.authorize(bank.operation(), body=b'{"requestObject":{"id":'),
    "authorize-mobiletokendata": lambda bank: bank.authorize(bank.operation(), mobileTokenData={"a": 1}),
    "authorize-ok": lambda bank: bank.authorize(bank.operation()),
    "authorize-proximity-missing": lambda bank: bank.authorize(bank.operation(proximityCheck=True)),
    "authorize-proximity-ok-type-unknown": lambda bank: bank.proximity_of_unknown_type(),
    "authorize-rejected": lambda bank: bank.authorize(rejected(bank)),
    "authorize-unknown-operation": lambda bank: bank.authorize(UNKNOWN),
    "authorize-wrong-pin": lambda bank: bank.authorize(bank.operation(), wrong_pin=True),
    "cancel-approved": lambda bank: bank.cancel(bank.approved(), reason="UNKNOWN"),
    "cancel-ok": lambda bank: bank.cancel(bank.operation(), reason="UNKNOWN"),
    "cancel-reason-missing": lambda bank: bank.cancel(bank.operation()),
    "cancel-with-pin": lambda bank: bank.cancel(bank.operation(), PIN, reason="UNKNOWN"),
    "claim-approved": lambda bank: bank.by_token(f"{BASE}/detail/claim", named(bank.approved())),
    "claim-ok": lambda bank: bank.by_token(f"{BASE}/detail/claim", named(bank.operation(userId=None))),
    "detail-foreign": lambda bank: bank.by_token(f"{BASE}/detail", named(bank.foreign())),
    "detail-no-requestobject": lambda bank: bank.by_token(f"{BASE}/detail", {}),
    "detail-ok": lambda bank: bank.by_token(f"{BASE}/detail", named(bank.operation())),
    "detail-unknown": lambda bank: bank.by_token(f"{BASE}/detail", NO_OBJECT),
    "history-ok": lambda bank: bank.history_of_three_states(),
    "history-wrong-pin": lambda bank: bank.history(wrong_pin=True),
    "inbox-count-ok": lambda bank: bank.unread_count(),
    "inbox-detail-ok": lambda bank: bank.read("message/detail", bank.message()["id"]),
    "inbox-detail-unknown": lambda bank: bank.read("message/detail", "nope"),
    "inbox-read-again": lambda bank: bank.read_again(),
    "keystore-activation-scope-activation-blocked": lambda bank: bank.state("block").key_store(),
    "keystore-activation-scope-activation-removed": lambda bank: bank.state("remove").key_store(),
    "keystore-wrong-hmac": lambda bank: bank.key_store(wrong=True),
    "list-accept-language-cs": lambda bank: bank.list_with(**{"Accept-Language": "cs"}),
    "list-encrypted-body-and-token": lambda bank: bank.list_encrypted(),
    "list-no-header": lambda bank: bank.device.raw(f"{BASE}/list", {}),
    "list-ok-one-payment": lambda bank: bank.one_payment(),
    "list-token-digest-wrong": lambda bank: bank.wrong_digest(),
    "list-token-of-a-blocked-activation": lambda bank: bank.state("block").by_token(f"{BASE}/list"),
    "list-token-of-a-removed-activation": lambda bank: bank.state("remove").by_token(f"{BASE}/list"),
    "oidc-config-unknown-provider": lambda bank: bank.encrypted("/api/config/oidc", b'{"providerId":"nope"}', False),
    "push-register-token-ios": lambda bank: bank.register(token="ab" * 28),
    "push-register-token-token-missing": lambda bank: bank.register(),
    "recovery-confirm-unknown-code": lambda bank: bank.encrypted_signed("recovery/confirm", PIN, {"recoveryCode": "x"}),
    "signature-validate-blocked": lambda bank: bank.state("block").validate(),
    "signature-validate-same-header-again": lambda bank: bank.same_header_again(),
    "signature-validate-wrong-pin": lambda bank: bank.validate(wrong_pin=True),
    "status-get": lambda bank: bank.device.raw("/pa/v3/status", b"", method="GET"),
    "status-ok": lambda bank: bank.device.raw("/pa/v3/status", {}),
    "token-create-temporary-key-forgotten": lambda bank: bank.forgotten(
        lambda: bank.encrypted_signed("token/create", "possession", {})
    ),
    "user-info-temporary-key-forgotten": lambda bank: bank.forgotten(lambda: bank.encrypted("/pa/v3/user/info")),
    "user-info-unknown-member-in-the-plaintext": lambda bank: bank.encrypted("/pa/v3/user/info", b'{"more":1}'),
    "vault-unlock-biometry": lambda bank: bank.encrypted_signed("vault/unlock", "possession_biometry", {}),
    "vault-unlock-wrong-pin": lambda bank: bank.encrypted_signed("vault/unlock", PIN, {}, wrong_pin=True),
}


def rejected(bank: Any) -> Any:
    operation = bank.operation()
    bank.cancel(operation, reason="UNKNOWN")
    return operation


# Members of each call's own, and times.
_OWN = re.compile(
    r'"(id|operationCreated|operationExpires|currentTimestamp|timestampCreated|serverTime|jwt|nonce|activationId'
    r'|encryptedStatusBlob)":("[^"]*"|\d+)'
)


def common(text: Any) -> Any:
    """What two answers to the same situation must share, as text: also order and form of numbers."""
    return _OWN.sub(r'"\1":"…"', text)


def recordings(prefix: Any = "x-") -> Any:
    return recorded.names(prefix)


def test_every_recorded_situation_is_played() -> None:
    recorded.skip_without_recordings()
    assert {name[2:] for name in recordings()} == set(SITUATIONS)


@pytest.fixture
def bank(http: Any, admin: Any, new_device: Any, user: Any, sdk_config: Any) -> Any:
    made = Bank(http, admin, new_device, user)
    made.sdk_config = sdk_config
    return made


@pytest.mark.parametrize("name", [name[2:] for name in recordings()])
def test_same_situation_same_answer(bank: Any, name: Any) -> None:
    exchange = recorded.load(f"x-{name}")["exchange"]
    response = SITUATIONS[name](bank)
    recorded.check_answer(response, exchange)
    if name == "history-ok":  # the recorded user had more operations: newest first, each as elsewhere
        given, record = (common(text).split('},{"id"')[0] for text in (response.text, exchange["answer"]))
        assert given == record
    else:
        assert common(response.text) == common(exchange["answer"])


COUNTS = re.compile(r"server counter \+(\d+), activation failures \+(\d+), operation failures \+(\d+), operation (\w+)")


@pytest.mark.parametrize(
    "name", [name[2:] for name in recordings() if COUNTS.search(recorded.load(name)["description"])]
)
def test_same_counts(bank: Any, name: Any) -> None:
    """The descriptions of the records tell what each situation, its preparation included, changed."""
    steps, attempts, failures, state = COUNTS.search(recorded.load(f"x-{name}")["description"]).groups()
    before = bank.admin.activation(bank.device)
    SITUATIONS[name](bank)
    after = bank.admin.activation(bank.device)
    assert after["counter"] - before["counter"] == int(steps)
    assert after["failedAttempts"] - before["failedAttempts"] == int(attempts)
    operations = bank.admin.get("/operations", userId=bank.user)["operations"]
    if name != "authorize-failed":  # the record's was failed by five wrong approvals, ours by the bank
        assert operations[0]["failures"] == int(failures)
    assert operations[0]["status"] == state
