"""The claims about the user."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any, Dict

import pytest
from conftest import Device
from devserver import DevServer

CLAIMS: Dict[str, Any] = {
    "sub": "4711",
    "name": "Jana Nováková",
    "given_name": "Jana",
    "family_name": "Nováková",
    "middle_name": "Marie",
    "nickname": "Jája",
    "preferred_username": "jana",
    "profile": "https://example.com/jana",
    "picture": "https://example.com/jana.png",
    "website": "https://example.com",
    "email": "jana@example.com",
    "email_verified": True,
    "gender": "female",
    "birthdate": "1984-02-29",
    "zoneinfo": "Europe/Prague",
    "locale": "cs-CZ",
    "phone_number": "+420 123 456 789",
    "phone_number_verified": True,
    "address": {
        "formatted": "Hlavní 1\r\n602 00 Brno\nCzechia",
        "street_address": "Hlavní 1",
        "locality": "Brno",
        "region": "Jihomoravský kraj",
        "postal_code": "602 00",
        "country": "Czechia",
    },
    "updated_at": 1_700_000_000,
    "customer_class": {"gold": True, "limit": 12},
}
TEXTS = [name for name, value in CLAIMS.items() if isinstance(value, str) and name != "birthdate"]


def test_all_claims(server: DevServer, device: Device) -> None:
    server.admin("PUT", f"/users/{device.user}", {"claims": CLAIMS})
    assert device.client.info().user_info is None
    info = device.client.user_info()
    for name in TEXTS:
        assert getattr(info, name) == CLAIMS[name], name
    assert info.email_verified and info.phone_number_verified
    assert info.birthdate == date(1984, 2, 29)
    assert info.updated_at == datetime.fromtimestamp(1_700_000_000, timezone.utc)
    assert info.address is not None
    assert info.address.formatted == "Hlavní 1\n602 00 Brno\nCzechia"
    assert info.address.postal_code == "602 00" and info.address.country == "Czechia"
    assert info.claims == CLAIMS
    assert device.client.info().user_info == CLAIMS


def test_no_claims(device: Device) -> None:
    """An empty map is an answer too."""
    info = device.client.user_info()
    assert info.claims == {} and info.name is None and info.address is None
    assert info.email_verified is None and info.birthdate is None and info.updated_at is None


@pytest.mark.parametrize(
    "claims",
    [
        {name: None for name in CLAIMS},
        {name: [] for name in CLAIMS},
        {"birthdate": "29. 2. 1984", "email_verified": "true", "updated_at": "yesterday", "address": "Brno", "name": 7},
        {"birthdate": "1984-2-29", "updated_at": 1e300, "address": {"formatted": 7}},
        {"birthdate": "0000-00-00", "updated_at": 2**62},
    ],
    ids=["null", "arrays", "other types", "other forms", "impossible values"],
)
def test_odd_claims(server: DevServer, device: Device, claims: Dict[str, Any]) -> None:
    """null is the same as absent, and a claim of another type too; the whole object shows it nevertheless."""
    server.admin("PUT", f"/users/{device.user}", {"claims": claims})
    info = device.client.user_info()
    assert info.name is None and info.email_verified is None and info.birthdate is None and info.updated_at is None
    assert info.address is None or info.address.formatted is None
    assert set(info.claims) == set(claims)
