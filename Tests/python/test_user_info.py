"""The claims about the user."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any, Dict

import mtoken
import pytest
from conftest import PROTOCOLS_3, ClientFactory, Device
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


def test_what_is_not_verified(server: DevServer, device: Device) -> None:
    """Said to be not verified, or not said."""
    server.admin("PUT", f"/users/{device.user}", {"claims": {"email_verified": False}})
    info = device.client.user_info()
    assert info.email_verified is False and info.phone_number_verified is None


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


def test_parallel_calls_share_one_request(server: DevServer, device: Device) -> None:
    device.client.user_info()
    before = server.mark()
    server.fault("/pa/v3/user/info", "latency", ms=300)
    tasks = [device.client.start_user_info() for _ in range(10)]
    assert {task.result(30).sub for task in tasks} == {None}
    assert len(server.requests("/pa/v3/user/info", before)) == 1


def test_the_claims_are_forgotten_with_the_activation(server: DevServer, make_client: ClientFactory, user: str) -> None:
    server.admin("PUT", f"/users/{user}", {"claims": {"name": "Eve"}})
    client = make_client()
    task = client.start_activate(server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"])
    task.result(30)
    assert client.info().user_info == {"name": "Eve"}
    client.persist("1234")
    assert client.user_info().name == "Eve"
    client.remove_local()
    assert client.info().user_info is None


def test_a_temporary_key_that_the_server_forgot(server: DevServer, device: Device) -> None:
    device.client.user_info()
    server.admin("DELETE", "/temporary-keys")
    before = server.mark()
    device.client.user_info()
    answers = [request["status"] for request in server.requests("/pa/v3/user/info", before)]
    assert answers == [400, 200], "with another key, once"


@pytest.mark.parametrize("protocol", PROTOCOLS_3)
def test_every_protocol_version(make_client: ClientFactory, server: DevServer, protocol: mtoken.Protocol) -> None:
    user = f"user-info-{int(protocol)}"
    server.admin("PUT", f"/users/{user}", {"claims": {"name": "Eve"}})
    client = make_client(protocol=protocol)
    client.activate(server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"])
    client.persist("1234")
    assert client.user_info().name == "Eve"
