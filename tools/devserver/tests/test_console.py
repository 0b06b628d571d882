"""The console's pages without a browser: what they say, what they find, and what they keep to themselves."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from client import ServerError

PAGES = "bank operations activations messages requests audit lab applications templates api".split()


def text(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_front_page(http: Any, sdk_config: Any) -> None:
    page = http.get("/")
    assert page.status_code == 200 and f"--config {sdk_config}" in text(page.text)
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert http.get("/", headers={"Host": "evil.example"}).status_code == 403


@pytest.mark.parametrize("name", PAGES)
def test_every_page(http: Any, device: Any, name: Any) -> None:
    page = http.get(f"/console/{name}")
    assert page.status_code == 200 and 'aria-current="page"' in page.text
    assert not re.search(r"<[^>]+\s(style|on\w+)=", page.text), "the policy forbids these"
    for call in re.findall(r"<(?:form|button)[^>]*data-api=[^>]*>", page.text):
        assert "data-told=" in call, "what is done is told"
    live = re.search(r'data-live="([^"]+)"', page.text)
    if live:
        part = http.get(live[1])
        assert part.status_code == 200 and "<html" not in part.text


def test_search_and_pages(http: Any, admin: Any, user: Any) -> None:
    for number in range(25):
        admin.post("/operations", {"userId": user, "template": "login", "externalId": f"number-{number}"})
    page = text(http.get("/console/operations", params={"q": user}).text)
    assert "25 found" in page and "1 of 2" in page and "Older" in page and "Newer" not in page
    second = http.get("/console/operations", params={"q": user, "page": "2"}).text
    assert second.count("<tr data-key=") == 5 and f"q={user}" in second
    assert http.get("/console/operations", params={"q": user, "page": "99"}).text.count("<tr data-key=") == 5
    assert "1 found" in http.get("/console/operations", params={"q": f"{user} number-7"}).text
    assert "0 found" in http.get("/console/operations", params={"q": user, "state": "EXPIRED"}).text
    assert "&lt;b&gt;" in http.get("/console/operations", params={"q": "<b>"}).text


def test_records(http: Any, admin: Any, device: Any, user: Any, device4: Any) -> None:
    record = admin.post("/activations", {"userId": user})
    page = http.get(f"/console/activations/{record['activationId']}").text
    assert f"mtoken activate -p demo {record['activationCode']}" in text(page) and "/console/qr.svg" in page
    body = {"userId": user, "template": "login_qr", "parameters": {}}
    operation = admin.post("/operations", body)
    page = http.get(f"/console/operations/{operation['operationId']}").text
    assert "mtoken pac -p demo --opened" in text(page) and device.activation_id in page
    note = {"template": "authorize_payment", "parameters": {"note": "<b>bold</b>"}}
    operation = admin.post("/operations", {"userId": user, **note})
    page = http.get(f"/console/operations/{operation['operationId']}").text
    assert "&lt;b&gt;bold" in page and "<b>bold" not in page
    page = text(http.get(f"/console/activations/{device4.activation_id}").text)
    assert "PowerAuth 4.0 EC_P384" in page and "ECDSA P-384" in page and "Block for a minute" in page


@pytest.mark.parametrize("path", ["nothing", "activations/0", "operations/0", "requests/0", "../nothing"])
def test_an_unknown_page_is_a_page(http: Any, path: Any) -> None:
    page = http.get(f"/console/{path}", headers={"Accept": "text/html,*/*"})
    assert page.status_code == 404 and "There is no such page" in page.text and 'href="/console/bank"' in page.text


def test_the_form_has_the_parameters_of_each_template(http: Any, admin: Any) -> None:
    """With values to send as they are, for a bank's own template too."""
    attributes = [{"id": "a", "type": "AMOUNT", "text": "Sum", "params": {"amount": "sum", "currency": "unit"}}]
    form = {"title": "Pay ${sum} to ${theShop}", "message": "", "attributes": attributes}
    own = {"operationType": "own", "dataTemplate": "A1*A${sum}${unit}", "allowedSignatureTypes": ["possession"]}
    admin.put("/templates/own", {**own, "forms": {"en": form}})
    page = http.get("/console/bank").text
    admin.delete("/templates/own")
    (shop,) = re.findall(r'<fieldset data-template="own">.*?</fieldset>', page, re.DOTALL)
    assert re.findall(r'name="parameters.(\w+)" value="([^"]*)"', shop) == [
        ("sum", "100.00"),
        ("unit", "EUR"),
        ("theShop", "Sample"),
    ]
    assert "The shop" in shop and page.count("<fieldset") == len(admin.get("/templates")["templates"]) + 1


def test_timeline_by_user_and_device(http: Any, new_device: Any, new_device4: Any, user: Any) -> None:
    first, second, newer = new_device(), new_device(), new_device4()
    token = newer.create_token()
    newer.call_token("/api/auth/token/app/operation/list", token)
    first.validate()
    shown = http.get("/console/requests", params={"user": user, "device": first.activation_id}).text
    assert "/pa/v3/signature/validate" in shown and "/pa/v3/activation/create" in shown and f"{user} · " in shown
    assert (
        "/pa/v3/signature/validate" not in http.get("/console/requests", params={"device": second.activation_id}).text
    )
    shown = http.get("/console/requests", params={"device": newer.activation_id}).text
    assert "/pa/v4/activation/create" in shown and "/operation/list" in shown, "by a token"
    assert "0 found" in http.get("/console/requests", params={"user": "somebody"}).text


def test_timeline_opens_every_layer(http: Any, admin: Any, device4: Any, device: Any) -> None:
    token = device4.create_token()
    device4.call_token("/api/auth/token/app/operation/list", token)
    device.validate()
    with pytest.raises(ServerError):
        device.validate(wrong_pin=True)

    def page(path: str) -> str:
        seq = admin.get("/requests", path=path)["requests"][-1]["seq"]
        return text(http.get(f"/console/requests/{seq}").text)

    created = page("/pa/v4/activation/create")
    assert (
        "devicePublicKeys" in created and "Layer opened (inner layer)" in created and "in the suite EC_P384" in created
    )
    assert token["tokenSecret"] in page("/pa/v4/token/create").replace("&#43;", "+")
    assert "moves no counter" in page("/api/auth/token/app/operation/list")
    assert "sharedSecretResponse" in page("/pa/v4/keystore/create")
    assert "was refused" in page("/pa/v3/signature/validate")
    assert "code" in http.get("/console/requests", params={"q": "/pa/v4/token"}).text
    assert "trace" not in json.dumps(admin.get("/requests")["requests"][-1])


def test_api_page_names_every_call(http: Any) -> None:
    page = http.get("/console/api").text
    for path in http.get("/admin/openapi.json").json()["paths"]:
        assert path in page
    assert "commitPhase" in page and "ON_KEY_EXCHANGE" in page


def test_assets(http: Any, admin: Any, user: Any) -> None:
    record = admin.post("/activations", {"userId": user})
    image = http.get("/console/qr.svg", params={"text": record["activationQr"]})
    assert image.headers["content-type"].startswith("image/svg+xml") and image.text.startswith("<svg")
    for name in ("console.css", "console.js", "icon.svg"):
        assert http.get(f"/console/{name}").status_code == 200
    assert http.get("/console/base.html").status_code == 404
    assert http.get("/console").text == http.get("/console/bank").text


def test_a_phone_without_the_library_says_so(http: Any) -> None:
    page = http.get("/console/phone")
    assert page.status_code == 200 and ("No phone here" in page.text or "New phone" in page.text)
    assert http.post("/console/phone/fly", json={}).status_code == 404
    assert http.post("/console/phone/scan", content=b"{").status_code == 422
