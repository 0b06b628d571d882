"""Operations: list, detail, claim, history, approval, rejection, forms, proximity, offline."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from client import Device, ServerError, dec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

BASE = "/api/auth/token/app/operation"
PAYMENT = {"amount": "1234.50", "currency": "CZK", "iban": "CZ2730300000001165254011", "note": "Rent"}
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000")


class Bank:
    """Short calls of one device and its operations."""

    def __init__(self, device: Device, admin: Any, user: Any) -> None:
        self.device, self.admin, self.user = device, admin, user
        self.token = device.create_token()

    def create(self, **members: Any) -> Any:
        body = {"userId": self.user, "template": "authorize_payment", "parameters": PAYMENT, **members}
        return self.admin.post("/operations", {key: value for key, value in body.items() if value is not None})

    def get(self, operation: Any) -> Any:
        return self.admin.get(f"/operations/{operation['operationId']}")

    def list(self, headers: Any = None) -> Any:
        return self.device.call_token(f"{BASE}/list", self.token, {}, headers)

    def ids(self) -> Any:
        return [operation["id"] for operation in self.list()["responseObject"]]

    def detail(self, operation_id: Any, claim: Any = False) -> Any:
        path = f"{BASE}/detail/claim" if claim else f"{BASE}/detail"
        return self.device.call_token(path, self.token, {"requestObject": {"id": operation_id}})

    def history(self) -> Any:
        return self.device.call_signed(f"{BASE}/history", "/operation/history", "possession_knowledge", {})

    def approve(
        self,
        operation: Any,
        factors: Any = "possession_knowledge",
        *,
        data: Any = None,
        wrong_pin: Any = False,
        **members: Any,
    ) -> Any:
        body = {"requestObject": {"id": operation["operationId"], "data": data or operation["data"], **members}}
        return self.device.call_signed(f"{BASE}/authorize", "/operation/authorize", factors, body, wrong_pin=wrong_pin)

    def reject(self, operation: Any, reason: Any = "UNEXPECTED_OPERATION", **members: Any) -> Any:
        body = {"requestObject": {"id": operation["operationId"], "reason": reason, **members}}
        return self.device.call_signed(f"{BASE}/cancel", "/operation/cancel", "possession", body)


@pytest.fixture
def bank(device: Any, admin: Any, user: Any) -> Any:
    return Bank(device, admin, user)


def refused(status: Any, code: Any, call: Any, *arguments: Any, **options: Any) -> None:
    with pytest.raises(ServerError) as error:
        call(*arguments, **options)
    assert (error.value.status, error.value.code) == (status, code)


def test_encrypted_detail(bank: Any, new_device: Any, admin: Any) -> None:
    """As upstream, list answers a cryptogram in plain and detail fails on it; by option both directions
    are encrypted.
    """
    device, operation = bank.device, bank.create()

    def call(path: Any, token: Any) -> Any:
        envelope = device.encrypt(
            json.dumps({"requestObject": {"id": operation["operationId"]}}).encode(), "/pa/generic/activation", True
        )
        headers = {**device.token_header(token), **device.encryption_header(True)}
        return envelope.open_json(device.send(f"{BASE}/{path}", envelope.body, headers))

    envelope = device.encrypt(b"{}", "/pa/generic/activation", True)
    headers = device.encryption_header(True)
    (listed,) = device.call_token(f"{BASE}/list", bank.token, envelope.body, headers)["responseObject"]
    assert listed["id"] == operation["operationId"]
    for path in ("detail", "detail/claim"):
        refused(500, "ERROR_GENERIC", device.call_token, f"{BASE}/{path}", bank.token, envelope.body, headers)
    admin.patch("/config", {"encryptedOperations": True})
    for path in ("detail", "detail/claim"):
        assert call(path, bank.token)["responseObject"] == bank.detail(operation["operationId"])["responseObject"]
    assert call("list", bank.token)["responseObject"][0]["id"] == operation["operationId"]
    refused(400, "ERR_ENCRYPTION", call, "detail", new_device().create_token())


def test_list_and_form(bank: Any) -> None:
    created = bank.create()
    answer = bank.list()
    assert DATE.fullmatch(answer["currentTimestamp"])
    (operation,) = answer["responseObject"]
    assert operation["id"] == created["operationId"]
    assert operation["name"] == "authorize_payment"
    assert operation["data"] == "A1*A1234.50CZK*ICZ2730300000001165254011*NRent"
    assert operation["status"] == "PENDING"
    assert DATE.fullmatch(operation["operationCreated"]) and DATE.fullmatch(operation["operationExpires"])
    assert operation["allowedSignatureType"] == {
        "type": "2FA",
        "variants": ["possession_knowledge", "possession_biometry"],
    }
    assert "ui" not in operation and "statusReason" not in operation
    form = operation["formData"]
    assert form["message"] == "Please confirm the payment of 1234.50 CZK."
    assert form["resultTexts"]["success"] == "Payment of 1234.50 CZK was confirmed"
    assert form["attributes"] == [
        {
            "type": "AMOUNT",
            "id": "operation.amount",
            "label": "Amount",
            "amount": 1234.5,
            "currency": "CZK",
            "amountFormatted": "1,234.50",
            "currencyFormatted": "CZK",
            "valueFormatted": "CZK1,234.50",
        },
        {"type": "KEY_VALUE", "id": "operation.account", "label": "To account", "value": PAYMENT["iban"]},
        {"type": "NOTE", "id": "operation.note", "label": "Note", "note": "Rent"},
    ]


def test_language(bank: Any) -> None:
    bank.create()
    (operation,) = bank.list({"Accept-Language": "de;q=0.5, cs-CZ"})["responseObject"]
    assert operation["formData"]["title"] == "Potvrzení platby"
    assert operation["formData"]["attributes"][0]["amountFormatted"] == "1\u00a0234,50"
    (operation,) = bank.list({"Accept-Language": "xx"})["responseObject"]
    assert operation["formData"]["title"] == "Payment confirmation"


def test_all_attributes_and_screens(bank: Any) -> None:
    parameters = {
        **PAYMENT,
        "level": "2",
        "dynamic": "true",
        "targetAmount": "49",
        "targetCurrency": "EUR",
        "partyName": "Shop",
        "thumbnailUrl": "https://example.com/t.png",
        "alertType": "WARNING",
        "alertMessage": "Careful",
    }
    bank.create(template="showcase", parameters=parameters)
    (operation,) = bank.list()["responseObject"]
    by_type = {attribute["type"]: attribute for attribute in operation["formData"]["attributes"]}
    assert set(by_type) == {
        "HEADING",
        "AMOUNT",
        "KEY_VALUE",
        "NOTE",
        "AMOUNT_CONVERSION",
        "PARTY_INFO",
        "IMAGE",
        "ALERT",
    }
    assert by_type["HEADING"]["level"] == 2
    conversion = by_type["AMOUNT_CONVERSION"]
    assert conversion["dynamic"] is True and conversion["targetAmount"] == 49
    assert conversion["sourceValueFormatted"] == "CZK1,234.50" and conversion["targetValueFormatted"] == "€49.00"
    assert by_type["PARTY_INFO"]["partyInfo"] == {"name": "Shop"}
    assert by_type["IMAGE"] == {
        "type": "IMAGE",
        "id": "image",
        "label": "Document",
        "thumbnailUrl": "https://example.com/t.png",
    }
    assert by_type["ALERT"]["alertType"] == "WARNING" and "title" not in by_type["ALERT"]
    ui = operation["ui"]
    assert ui["preApprovalScreen"]["items"][0] == "You pay 1234.50 CZK"
    assert ui["postApprovalScreen"]["payload"]["countdown"] == 5


def test_missing_parameters_leave_attributes_out(bank: Any) -> None:
    bank.create(parameters={"amount": "1", "note": "n"})
    (operation,) = bank.list()["responseObject"]
    assert [attribute["type"] for attribute in operation["formData"]["attributes"]] == ["NOTE"]


@pytest.mark.parametrize(
    "parameters,data",
    [
        ({"amount": "1", "currency": "EUR"}, "A1*A1EUR*I${iban}*N${note}"),
        ({"note": "2*3\\4\n5"}, "A1*A${amount}${currency}*I${iban}*N2\\*3\\\\4\\n5"),
        ({}, "A1*A${amount}${currency}*I${iban}*N${note}"),
    ],
)
def test_data_of_a_template(bank: Any, parameters: Any, data: Any) -> None:
    """A parameter that nobody gave stays in the data, in title and in message; texts are escaped."""
    assert bank.create(parameters=parameters)["data"] == data
    (operation,) = bank.list()["responseObject"]
    assert operation["data"] == data
    amount, currency = (parameters.get(name, f"${{{name}}}") for name in ("amount", "currency"))
    assert operation["formData"]["message"] == f"Please confirm the payment of {amount} {currency}."


def test_texts_are_escaped_in_title_and_message(bank: Any, admin: Any) -> None:
    """As inside of JSON, although they are none: the backslash reaches the user. Attributes are as they were given."""
    bank.create(parameters={**PAYMENT, "amount": 'ř "1"\n', "note": '"a"\n'})
    (operation,) = bank.list()["responseObject"]
    assert operation["formData"]["message"] == 'Please confirm the payment of ř \\"1\\"\\n CZK.'
    assert operation["formData"]["attributes"][-1]["note"] == '"a"\n'


@pytest.mark.parametrize(
    "language,amount,currency,shown",
    [
        ("en", "10000.50", "CZK", ("10,000.50", "CZK", "CZK10,000.50")),
        ("cs", "10000.50", "CZK", ("10\u00a0000,50", "Kč", "10\u00a0000,50\u00a0Kč")),
        ("en", "1.26", "EUR", ("1.26", "€", "€1.26")),
        ("xx", "1.26", "EUR", ("1.26", "€", "€1.26")),
        ("en", "1.2", "BTC", ("1.20", "BTC", "1.20 BTC")),
        ("en", "1200", "JPY", ("1,200", "¥", "¥1,200")),
        ("en", "a lot", "EUR", ("a lot", "€", "a lot EUR")),
    ],
)
def test_amounts(bank: Any, language: Any, amount: Any, currency: Any, shown: Any) -> None:
    """The number keeps the digits that it was given with; the texts follow the language."""
    bank.create(parameters={**PAYMENT, "amount": amount, "currency": currency})
    response = bank.device.raw(
        f"{BASE}/list", {}, {**bank.device.token_header(bank.token), "Accept-Language": language}
    )
    attribute = response.json()["responseObject"][0]["formData"]["attributes"][0]
    assert tuple(attribute[f"{name}Formatted"] for name in ("amount", "currency", "value")) == shown
    assert attribute["currency"] == currency
    if amount == "a lot":
        assert "amount" not in attribute
    else:
        assert f'"amount":{amount},' in response.text


def test_an_amount_with_more_digits_than_a_float_has(bank: Any) -> None:
    amount = "12345678901234567890.123456789"
    bank.create(parameters={**PAYMENT, "amount": amount})
    assert f'"amount":{amount},' in bank.device.raw(f"{BASE}/list", {}, bank.device.token_header(bank.token)).text


def test_roles_of_attributes(bank: Any, admin: Any) -> None:
    name = f"roles-{uuid.uuid4()}"
    kinds = [
        {"id": "alert", "type": "ALERT", "text": "A", "params": {"type": "kind", "title": "t", "message": "m"}},
        {"id": "wrong role", "type": "ALERT", "text": "A", "params": {"alertType": "kind"}},
        {"id": "unknown", "type": "FUTURE", "text": "F", "params": {"value": "m"}},
        {"id": "unknown without value", "type": "FUTURE", "text": "F", "params": {"text": "m"}},
        {"id": "missing", "type": "NOTE", "text": "N", "params": {"note": "nobody"}},
        {"id": "party", "type": "PARTY_INFO", "text": "P", "params": {}},
        {"id": "heading", "type": "HEADING", "text": "H"},
    ]
    form = {"title": "T", "message": "M", "attributes": kinds}
    types = ["possession", "possession_knowledge"]
    body = {"operationType": "roles", "dataTemplate": "A0", "allowedSignatureTypes": types, "forms": {"en": form}}
    admin.put(f"/templates/{name}", body)
    bank.create(template=name, parameters={"kind": "FUTURE", "m": "text"})
    bank.create(template=name, parameters={"kind": "WARNING", "m": "text"})
    warning, future = [row["formData"]["attributes"] for row in bank.list()["responseObject"]]
    assert [attribute["id"] for attribute in warning] == ["alert", "wrong role", "unknown", "party", "heading"]
    assert warning[0]["alertType"] == "WARNING" and warning[0]["message"] == "text" and "title" not in warning[0]
    assert future[0]["alertType"] == "INFO" and warning[1]["alertType"] == "INFO"
    assert warning[2] == {"type": "KEY_VALUE", "id": "unknown", "label": "F", "value": "text"}
    assert warning[4]["level"] == 0
    (shown, _) = bank.list()["responseObject"]
    assert shown["allowedSignatureType"] == {"type": "1FA", "variants": []}, "possession in the list decides"


def test_ui_of_risk_flags(bank: Any) -> None:
    bank.create(riskFlags="XCF")
    (operation,) = bank.list()["responseObject"]
    assert operation["ui"] == {
        "flipButtons": True,
        "blockApprovalOnCall": True,
        "preApprovalScreen": {"type": "WARNING", "approvalType": "SLIDER"},
    }


def test_raw_operation_and_extra_members(bank: Any) -> None:
    form = {"title": "T", "message": "M", "attributes": [{"type": "NEW", "id": "n", "label": "L", "x": 1}]}
    bank.create(
        template=None,
        name="special",
        data="A0*Tx",
        formData=form,
        ui={"flipButtons": None},
        statusReason="REASON",
        extraMembers={"playSound": True},
        allowedSignatureTypes=["possession"],
    )
    (operation,) = bank.list()["responseObject"]
    assert operation["formData"] == form and operation["ui"] == {} and operation["playSound"] is True
    assert operation["statusReason"] == "REASON"
    assert operation["allowedSignatureType"] == {"type": "1FA", "variants": []}


def test_list_limit_and_order(bank: Any, admin: Any) -> None:
    admin.patch("/config", {"listLimit": 3})
    created = [bank.create()["operationId"] for _ in range(5)]
    assert bank.ids() == created[:1:-1]


def test_list_shows_only_what_concerns_the_device(bank: Any, new_device: Any, admin: Any, user: Any) -> None:
    mine = bank.create(activationId=bank.device.activation_id)
    bank.create(userId="somebody else")
    bank.create(userId=None)
    other = Bank(new_device(), admin, user)
    for_other = bank.create(activationId=other.device.activation_id)
    assert bank.ids() == [mine["operationId"]]
    assert other.ids() == [for_other["operationId"]]
    bank.detail(for_other["operationId"])
    bank.detail(for_other["operationId"], claim=True)
    refused(401, "OPERATION_FAILED", bank.approve, for_other)


def test_operations_without_template_are_left_out(bank: Any, admin: Any) -> None:
    name = f"gone-{uuid.uuid4()}"
    admin.put(
        f"/templates/{name}",
        {"operationType": "x", "dataTemplate": "A0", "allowedSignatureTypes": ["possession"]},
    )
    bank.create(template=name)
    assert len(bank.ids()) == 1
    admin.delete(f"/templates/{name}")
    assert bank.ids() == []


@pytest.mark.parametrize("factors", ["possession_knowledge", "possession_biometry"])
def test_approval(bank: Any, factors: Any) -> None:
    operation = bank.create()
    header = {"User-Agent": "phone/1"}
    body = {"requestObject": {"id": operation["operationId"], "data": operation["data"]}}
    answer = authorize_raw(bank, factors, body, headers=header)
    assert answer == {"status": "OK"}
    seen = bank.get(operation)
    assert seen["status"] == "APPROVED"
    assert seen["approvedBy"] == {
        "activationId": bank.device.activation_id,
        "applicationId": "demo",
        "signatureType": factors,
        "ip": "127.0.0.1",
        "userAgent": "phone/1",
    }
    assert bank.ids() == []
    refused(400, "OPERATION_ALREADY_FINISHED", bank.approve, operation)
    refused(400, "OPERATION_ALREADY_FINISHED", bank.reject, operation)
    refused(400, "OPERATION_ALREADY_FINISHED", bank.detail, operation["operationId"])


@pytest.mark.parametrize(
    "version,approval,rejection", [("1.9.0", 0, 0), ("1.10.0", 1, 0), ("2.0.0", 1, 1), ("2.1.3", 1, 1), ("none", 0, 0)]
)
def test_mobile_token_data(bank: Any, admin: Any, version: Any, approval: Any, rejection: Any) -> None:
    """Older servers take it and store nothing."""
    admin.patch("/config", {"serverVersion": version})
    data = {"ip": "1.2.3.4", "n": [1, None]}
    approved, rejected = bank.create(), bank.create()
    bank.approve(approved, mobileTokenData=data)
    bank.reject(rejected, mobileTokenData=data)
    assert bank.get(approved)["mobileTokenData"] == (data if approval else None)
    assert bank.get(rejected)["mobileTokenData"] == (data if rejection else None)


def test_rejection(bank: Any) -> None:
    operation = bank.create()
    bank.reject(operation, "MY_REASON")
    seen = bank.get(operation)
    assert (seen["status"], seen["rejectReason"], seen["statusReason"]) == ("REJECTED", "MY_REASON", None)
    for reason in ("", None, "r" * 300):
        bank.reject(bank.create(), reason)
    operation = bank.create()
    cancel_raw(bank, "possession", {"requestObject": {"id": operation["operationId"]}})
    assert bank.get(operation)["status"] == "REJECTED" and bank.get(operation)["rejectReason"] is None


def test_rejection_in_strict_mode(bank: Any, admin: Any) -> None:
    admin.patch("/config", {"strict": True})
    refused(400, "INVALID_REQUEST", bank.reject, bank.create(), "")


def test_states_of_finished_operations(bank: Any, admin: Any) -> None:
    for verb, code in (
        ("cancel", "OPERATION_ALREADY_CANCELED"),
        ("expire", "OPERATION_EXPIRED"),
        ("fail", "OPERATION_ALREADY_FAILED"),
    ):
        operation = bank.create()
        admin.post(f"/operations/{operation['operationId']}/{verb}")
        for call in (bank.approve, bank.reject):
            refused(400, code, call, operation)
        refused(400, code, bank.detail, operation["operationId"])
        refused(400, code, bank.detail, operation["operationId"], claim=True)
    unknown = {"operationId": str(uuid.uuid4()), "data": "A0"}
    refused(400, "INVALID_OPERATION", bank.approve, unknown)
    refused(400, "INVALID_OPERATION", bank.reject, unknown)


def test_expiry(bank: Any, admin: Any) -> None:
    operation = bank.create(expirationSeconds=10)
    admin.put("/clock", {"offsetMs": 11_000})
    bank.device.clock_offset = 11_000
    assert bank.ids() == []
    refused(400, "OPERATION_EXPIRED", bank.approve, operation)
    assert bank.get(operation)["status"] == "EXPIRED"


def test_wrong_data_counts(bank: Any, admin: Any) -> None:
    operation = bank.create(maxFailures=2)
    refused(401, "OPERATION_FAILED", bank.approve, operation, data="A1*A1CZK")
    assert bank.get(operation)["failures"] == 1
    refused(400, "OPERATION_ALREADY_FAILED", bank.approve, operation, data="A1*A1CZK")
    assert bank.get(operation)["status"] == "FAILED"
    assert admin.activation(bank.device)["failedAttempts"] == 0


def test_wrong_pin_at_an_approval(bank: Any, admin: Any) -> None:
    """With five allowed failures the fifth wrong PIN is a 400, and the activation is blocked."""
    operation = bank.create()
    for _ in range(4):
        refused(401, "POWERAUTH_AUTH_FAIL", bank.approve, operation, wrong_pin=True)
    refused(400, "OPERATION_ALREADY_FAILED", bank.approve, operation, wrong_pin=True)
    assert bank.get(operation)["status"] == "FAILED"
    assert admin.activation(bank.device)["state"] == "BLOCKED"
    refused(400, "INVALID_OPERATION", bank.approve, operation)


class Counts:
    """What a call changed: the server's counter, the failed attempts of the activation, the operation's
    own failures.
    """

    def __init__(self, bank: Any, operation: Any) -> None:
        self._bank, self._operation = bank, operation
        self._before = self._now()

    def _now(self) -> Any:
        activation, operation = self._bank.admin.activation(self._bank.device), self._bank.get(self._operation)
        return activation["counter"], activation["failedAttempts"], operation["failures"]

    def since(self) -> Any:
        before, self._before = self._before, self._now()
        return tuple(now - then for now, then in zip(self._before, before))


def authorize_raw(bank: Any, factors: Any, body: Any, **options: Any) -> Any:
    return bank.device.call_signed(f"{BASE}/authorize", "/operation/authorize", factors, body, **options)


def cancel_raw(bank: Any, factors: Any, body: Any) -> Any:
    return bank.device.call_signed(f"{BASE}/cancel", "/operation/cancel", factors, body)


def test_factors_that_are_not_allowed(bank: Any) -> None:
    """Verified first, then compared with the template: it costs a step and one of the operation's failures."""
    operation = bank.create(allowedSignatureTypes=["possession_knowledge"])
    counts = Counts(bank, operation)
    refused(401, "OPERATION_FAILED", bank.approve, operation, "possession_biometry")
    assert counts.since() == (1, 0, 1)
    refused(401, "OPERATION_FAILED", bank.approve, operation, "possession")
    assert counts.since() == (1, 0, 1)
    bank.approve(operation)
    assert counts.since() == (1, 0, 0)


def test_approval_without_authentication(bank: Any) -> None:
    """No header, a token, a foreign header, three factors: nothing is verified, and the operation's failures grow."""
    operation = bank.create()
    body = {"requestObject": {"id": operation["operationId"], "data": operation["data"]}}
    counts = Counts(bank, operation)
    device, path = bank.device, f"{BASE}/authorize"
    for headers in ({}, device.token_header(bank.token), {"X-PowerAuth-Authorization": "Basic abc"}):
        refused(401, "POWERAUTH_AUTH_FAIL", device.send, path, body, headers)
        assert counts.since() == (0, 0, 1)
    refused(401, "POWERAUTH_AUTH_FAIL", authorize_raw, bank, "possession_knowledge_biometry", body)
    assert counts.since() == (0, 0, 1)
    refused(400, "OPERATION_ALREADY_FAILED", device.send, path, body)
    assert bank.get(operation)["status"] == "FAILED"


def test_malformed_approvals(bank: Any) -> None:
    operation = bank.create()
    counts = Counts(bank, operation)
    named = {"id": operation["operationId"], "data": operation["data"]}
    for members in (None, {"data": "A1"}, {"id": None, "data": "A1"}):
        refused(401, "POWERAUTH_AUTH_FAIL", authorize_raw, bank, "possession_knowledge", {"requestObject": members})
        assert counts.since() == (1, 0, 0)
    for body in (
        {"requestObject": {"id": operation["operationId"]}},
        b'{"requestObject":{"id":',
        b"",
        {"requestObject": {**named, "proximityCheck": {"otp": "1", "type": "FUTURE"}}},
        {"requestObject": {**named, "proximityCheck": {"otp": "1", "timestampSent": "yesterday"}}},
    ):
        refused(500, "ERROR_GENERIC", authorize_raw, bank, "possession_knowledge", body)
        assert counts.since() == (1, 0, 0)
    assert bank.get(operation)["status"] == "PENDING"


def test_wrong_pin_at_finished_and_unknown_operations(bank: Any, admin: Any) -> None:
    operation = bank.create()
    bank.reject(operation)
    counts = Counts(bank, operation)
    refused(400, "INVALID_OPERATION", bank.approve, operation, wrong_pin=True)
    assert counts.since() == (0, 1, 0)
    unknown = {"operationId": "nope", "data": "A1"}
    refused(400, "INVALID_OPERATION", bank.approve, unknown, wrong_pin=True)
    assert counts.since() == (0, 1, 0)
    refused(400, "INVALID_OPERATION", bank.approve, unknown)
    assert counts.since() == (3, -2, 0)  # the two refused ones were skipped


def test_approval_by_an_activation_that_is_not_active(bank: Any, admin: Any) -> None:
    operation = bank.create()
    admin.post(f"/activations/{bank.device.activation_id}/block")
    counts = Counts(bank, operation)
    refused(401, "POWERAUTH_AUTH_FAIL", bank.approve, operation)
    assert counts.since() == (0, 0, 1)


def test_rejection_takes_possession_only(bank: Any) -> None:
    operation = bank.create()
    counts = Counts(bank, operation)
    body = {"requestObject": {"id": operation["operationId"], "reason": "UNKNOWN"}}
    for factors in ("possession_knowledge", "possession_biometry"):
        refused(401, "POWERAUTH_AUTH_FAIL", cancel_raw, bank, factors, body)
        assert counts.since() == (0, 0, 0)
    refused(401, "POWERAUTH_AUTH_FAIL", bank.device.send, f"{BASE}/cancel", body)
    assert counts.since() == (0, 0, 0)
    assert bank.get(operation)["status"] == "PENDING"


def test_malformed_rejections(bank: Any) -> None:
    operation = bank.create()
    counts = Counts(bank, operation)
    for status, code, body in (
        (400, "INVALID_REQUEST", {"requestObject": {"reason": "UNKNOWN"}}),
        (401, "POWERAUTH_AUTH_FAIL", {}),
        (500, "ERROR_GENERIC", b"{"),
    ):
        refused(status, code, cancel_raw, bank, "possession", body)
        assert counts.since() == (1, 0, 0)


def test_malformed_details(bank: Any) -> None:
    call, device = (f"{BASE}/detail", f"{BASE}/detail/claim"), bank.device
    for path in call:
        for body in ({}, b"{"):
            refused(500, "ERROR_GENERIC", device.call_token, path, bank.token, body)
        for body in ({"requestObject": {}}, {"requestObject": {"id": ""}}):
            refused(400, "INVALID_REQUEST", device.call_token, path, bank.token, body)
    refused(401, "POWERAUTH_AUTH_FAIL", device.send, f"{BASE}/list", {})
    refused(401, "POWERAUTH_AUTH_FAIL", device.send, f"{BASE}/history", {})


def test_foreign_operation(bank: Any, new_device: Any, admin: Any) -> None:
    stranger = Bank(new_device(user_id="stranger"), admin, "stranger")
    operation = bank.create()
    refused(400, "INVALID_REQUEST", stranger.detail, operation["operationId"])
    refused(401, "OPERATION_FAILED", stranger.approve, operation)
    refused(401, "OPERATION_FAILED", stranger.reject, operation)


def test_claim(bank: Any, new_device: Any, admin: Any) -> None:
    operation = bank.create(userId=None)
    stranger = Bank(new_device(user_id="stranger"), admin, "stranger")
    assert stranger.detail(operation["operationId"])["responseObject"]["id"] == operation["operationId"]
    answer = bank.detail(operation["operationId"], claim=True)
    assert DATE.fullmatch(answer["currentTimestamp"])
    assert bank.get(operation)["userId"] == bank.user
    assert bank.ids() == [operation["operationId"]]
    bank.detail(operation["operationId"], claim=True)
    refused(400, "INVALID_OPERATION", stranger.detail, operation["operationId"], claim=True)
    bank.approve(operation)


def test_history(bank: Any) -> None:
    first, second = bank.create(), bank.create()
    bank.reject(first)
    answer = bank.history()
    assert [(row["id"], row["status"]) for row in answer["responseObject"]] == [
        (second["operationId"], "PENDING"),
        (first["operationId"], "REJECTED"),
    ]
    call = (bank.device.call_signed, f"{BASE}/history", "/operation/history")
    assert call[0](*call[1:], "possession_biometry", {}) == answer
    before = bank.admin.activation(bank.device)["counter"]
    for factors in ("possession", "possession_knowledge_biometry"):
        refused(401, "POWERAUTH_AUTH_FAIL", *call, factors, {})
    assert bank.admin.activation(bank.device)["counter"] == before


def test_flags(bank: Any, admin: Any) -> None:
    operation = bank.create(activationFlag="PREMIUM")
    refused(400, "OPERATION_REQUIRES_ACTIVATION_FLAG", bank.approve, operation)
    admin.patch(f"/activations/{bank.device.activation_id}", {"flags": ["PREMIUM", "VERIFICATION_PENDING"]})
    refused(401, "POWERAUTH_AUTH_FAIL", bank.approve, operation)
    admin.patch(f"/activations/{bank.device.activation_id}", {"flags": ["PREMIUM"]})
    bank.approve(operation)


def test_disenrolled_device(bank: Any, admin: Any) -> None:
    operation = bank.create()
    admin.patch(f"/activations/{bank.device.activation_id}", {"mobileAuthEnabled": False})
    for call in (bank.list, bank.history):
        refused(400, "ACTIVATION_NOT_CONFIGURED", call)
    for call in (bank.approve, bank.reject):
        refused(400, "ACTIVATION_NOT_CONFIGURED", call, operation)
    assert bank.get(operation)["status"] == "PENDING"


def proximity(otp: Any, kind: Any = "QR_CODE") -> Any:
    times = {"timestampReceived": "2026-01-01T00:00:00.000Z", "timestampSent": "2026-01-01T00:00:01.000Z"}
    return {"otp": otp, "type": kind, **times}


def test_proximity_check(bank: Any, admin: Any) -> None:
    operation = bank.create(template="login_qr", parameters={})
    (shown,) = bank.list()["responseObject"]
    assert shown["ui"]["preApprovalScreen"]["type"] == "QR_SCAN"
    path = f"/operations/{operation['operationId']}/totp"
    refused(401, "OPERATION_FAILED", bank.approve, operation)
    assert bank.get(operation)["proximityResult"]["result"] == "MISSING"
    refused(401, "OPERATION_FAILED", bank.approve, operation, proximityCheck=proximity("abc"))
    assert bank.get(operation)["proximityResult"]["result"] == "WRONG"
    codes = admin.get(path)
    assert len(codes["totp"]) == 8 and codes["deeplink"].endswith(
        f"oid={operation['operationId']}&potp={codes['totp']}"
    )
    refused(401, "OPERATION_FAILED", bank.approve, operation, proximityCheck=proximity(codes["older"]))
    bank.approve(operation, proximityCheck=proximity(codes["totp"], "DEEPLINK"))
    result = bank.get(operation)["proximityResult"]
    assert (result["result"], result["type"], result["otp"]) == ("OK", "DEEPLINK", codes["totp"])


def test_proximity_code_of_the_step_before(bank: Any, admin: Any) -> None:
    operation = bank.create(proximityCheck=True)
    codes = admin.get(f"/operations/{operation['operationId']}/totp")
    admin.put("/clock", {"offsetMs": 30_000})
    bank.approve(operation, proximityCheck=proximity(codes["totp"]))


def test_screen_without_proximity_seed_loses_its_scan(bank: Any) -> None:
    bank.create(template="login_qr", parameters={}, proximityCheck=False)
    (shown,) = bank.list()["responseObject"]
    assert "preApprovalScreen" not in shown["ui"]


def parse_payload(text: Any) -> Any:
    lines = text.split("\n")
    signature = lines[-1][1:]
    return lines, text[: len(text) - len(signature)].encode(), dec(signature)


@pytest.mark.parametrize("with_totp", [False, True])
def test_offline_approval(bank: Any, admin: Any, with_totp: Any) -> None:
    operation = bank.create(proximityCheck=with_totp)
    made = admin.post(f"/operations/{operation['operationId']}/offline", {"activationId": bank.device.activation_id})
    lines, signed, signature = parse_payload(made["offlineData"])
    assert len(lines) == (8 if with_totp else 7)
    assert lines[0] == operation["operationId"] and lines[3] == operation["data"] and lines[4] == "B"
    assert lines[-2] == made["nonce"] and lines[-1][0] == "1"
    bank.device.server_key.verify(signature, signed, ec.ECDSA(hashes.SHA256()))
    body = "&".join([lines[0], lines[3]] + ([lines[5]] if with_totp else []))
    request = {"activationId": bank.device.activation_id, "operationId": operation["operationId"]}
    wrong = admin.post("/offline/verify", {**request, "code": "00000000-00000000"})
    assert (wrong["valid"], wrong["remainingAttempts"], wrong["operationStatus"]) == (False, 4, "PENDING")
    code = bank.device.offline_code(body, made["nonce"], "possession_biometry")
    answer = admin.post("/offline/verify", {**request, "code": code})
    assert answer["valid"] and answer["signatureType"] == "possession_biometry"
    assert answer["operationStatus"] == "APPROVED" and answer["remainingAttempts"] == 5
    assert not admin.post("/offline/verify", {**request, "code": code})["valid"]


def test_offline_biometry_only_where_allowed(bank: Any, admin: Any) -> None:
    operation = bank.create(allowedSignatureTypes=["possession_knowledge"])
    made = admin.post(f"/operations/{operation['operationId']}/offline")
    lines, signed, signature = parse_payload(made["offlineData"])
    assert lines[4] == "" and lines[-1][0] == "0"
    bank.device.sdk.master.verify(signature, signed, ec.ECDSA(hashes.SHA256()))
    body = f"{lines[0]}&{lines[3]}"
    request = {"activationId": bank.device.activation_id, "operationId": operation["operationId"]}
    code = bank.device.offline_code(body, made["nonce"], "possession_biometry")
    assert not admin.post("/offline/verify", {**request, "code": code})["valid"]
    code = bank.device.offline_code(body, made["nonce"])
    assert admin.post("/offline/verify", {**request, "code": code})["valid"]


@pytest.mark.parametrize("digits", [4, 6, 8])
def test_offline_payload_of_given_texts(bank: Any, admin: Any, digits: Any) -> None:
    admin.patch("/config", {"offlineComponentLength": digits})
    made = admin.post(
        "/offline",
        {
            "operationId": "op-1",
            "title": "Pay",
            "message": "Two\nlines",
            "dataVersion": "A",
            "dataTemplate": 1,
            "dataFields": [{"t": "A", "amount": "10.5", "currency": "EUR"}, None, {"t": "T", "v": "a*b"}],
            "flags": "BX",
            "totp": "12345678",
        },
    )
    assert made["data"] == "A1*A10.5EUR**Ta\\*b"
    lines, _, _ = parse_payload(made["offlineData"])
    assert lines[2] == "Two\\nlines" and lines[5] == "12345678"
    code = bank.device.offline_code(f"op-1&{made['data']}&12345678", made["nonce"], digits=digits)
    request = {
        "activationId": bank.device.activation_id,
        "operationId": "op-1",
        "data": made["data"],
        "nonce": made["nonce"],
        "totps": ["00000000", "12345678"],
        "code": " ".join(re.findall("[0-9]{1,4}", code.replace("-", ""))),  # as devices show it
    }
    assert admin.post("/offline/verify", request)["valid"]


def test_signed_data(bank: Any, admin: Any) -> None:
    answer = admin.post("/sign", {"data": "aGVsbG8="})
    bank.device.sdk.master.verify(dec(answer["signature"]), b"hello", ec.ECDSA(hashes.SHA256()))
    answer = admin.post("/sign", {"data": "aGVsbG8=", "key": "personalised", "activationId": bank.device.activation_id})
    bank.device.server_key.verify(dec(answer["signature"]), b"hello", ec.ECDSA(hashes.SHA256()))
    assert len(dec(admin.post("/sign", {"data": "aGVsbG8=", "format": "JOSE"})["signature"])) == 64
