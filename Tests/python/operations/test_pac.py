"""Proximity codes: reading them, finding their operation, approving with them; one-time passwords."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import mtoken
import pytest
from conftest import Device


def test_accepted_links() -> None:
    link = "MToken://Operation?oid=a"
    for allowed in (["mtoken"], ["other", "MTOKEN://operation"], ["mtoken://OPERATION"]):
        assert mtoken.parse_pac_deeplink(link, allowed=allowed).operation_id == "a"
    for allowed in ([], ["other"], ["mtoken://oper"], ["mtoken://operation.evil"], ["mtoken:"], ["mtoke"]):
        with pytest.raises(mtoken.ParseError) as failure:
            mtoken.parse_pac_deeplink(link, allowed=allowed)
        assert failure.value.reason == "notAllowed"
    with pytest.raises(mtoken.ParseError):
        mtoken.parse_pac_deeplink("https://bank.example@evil.example/?oid=a", allowed=["https://bank.example"])
    with pytest.raises(mtoken.ArgumentError):
        mtoken.parse_pac_deeplink(link, allowed=[""])


# Making codes


@pytest.mark.parametrize("form", list(mtoken.PACForm))
@pytest.mark.parametrize("totp", [None, "0123", "1234567890"])
@pytest.mark.parametrize("id", ["5b753d0d-d59a-49b7-bec4-eae258566dbb", "E/+DRFVm==", "50%25&a=b#c", "žluť?", 'q"\\'])
def test_made_codes_are_read_back(form: mtoken.PACForm, totp: Any, id: str) -> None:
    link = None if form is mtoken.PACForm.JWT else "mtoken://operation"
    code = mtoken.build_pac(id, totp, form=form, link=link)
    pac = mtoken.parse_pac_qr(code)
    assert (pac.operation_id, pac.totp, pac.form) == (id, totp, form)


@pytest.mark.parametrize(
    ("id", "totp", "link"),
    [
        ("", None, "m://o"),
        ("a b", None, "m://o"),
        ("a", None, "m://o?oid=b"),
        ("x" * 256, None, "m://o"),
        ("a", "", "m://o"),
    ],
)
def test_codes_that_are_not_made(id: str, totp: Any, link: str) -> None:
    with pytest.raises(mtoken.ArgumentError):
        mtoken.build_pac(id, totp, form=mtoken.PACForm.DEEPLINK, link=link)


@pytest.mark.parametrize("totp", ["123", "12345678901", "٤٤٤٤"])
def test_passwords_that_are_none(totp: str) -> None:
    with pytest.raises(mtoken.ParseError):
        mtoken.parse_pac_qr(f"m://o?oid=a&totp={totp}")
    with pytest.raises(mtoken.ArgumentError):
        mtoken.build_pac("a", totp, form=mtoken.PACForm.DEEPLINK, link="m://o")


def test_the_time_of_a_one_time_password() -> None:
    assert mtoken.totp(b"seed", datetime.fromtimestamp(59, timezone.utc)) == mtoken.totp(b"seed", 59_000)


# At the server


@pytest.mark.parametrize("form", ["deeplink", "jwt"])
def test_approval_with_a_code(device: Device, form: str) -> None:
    device.new_operation()
    operation = device.new_operation(template="login_qr", parameters={})
    codes = device.server.admin("GET", f"/operations/{operation.id}/totp")
    pac = mtoken.parse_pac_qr(codes[form])
    listed = device.client.operations.list()
    found = pac.find(listed)
    assert found is not None and found.id == operation.id and pac.totp == codes["totp"]
    other = next(item for item in listed if item.id != operation.id)
    assert not pac.matches(other)
    with pytest.raises(ValueError, match="another operation"):
        pac.proximity(other)
    device.client.operations.authorize(found, device.auth, proximity=pac.proximity(found))
    result = device.server.operation(operation.id)
    assert result["status"] == "APPROVED"
    assert (result["proximityResult"]["result"], result["proximityResult"]["type"]) == ("OK", "QR_CODE")


def test_an_anonymous_code_proves_nothing(device: Device) -> None:
    operation = device.new_operation()
    pac = mtoken.parse_pac_deeplink(f"mtoken://operation?oid={operation.id}")
    assert pac.matches(operation) and pac.proximity(operation) is None


def test_a_code_claims_its_operation(device: Device) -> None:
    created = device.server.new_operation(template="login")["operationId"]
    pac = mtoken.parse_pac_qr(mtoken.build_pac(created))
    device.client.operations.authorize(device.client.operations.claim(pac.operation_id), device.auth)
    assert device.server.operation(created)["status"] == "APPROVED"
