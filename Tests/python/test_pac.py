"""Proximity codes: reading them, finding their operation, approving with them; one-time passwords."""

from __future__ import annotations

import base64
import json
from datetime import datetime, timezone
from typing import Any, Dict

import mtoken
import pac_grammar
import pytest
from conftest import Device
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_qr import CASES, cases


def compare(code: str) -> None:
    for only_links, read in ((False, mtoken.parse_pac_qr), (True, mtoken.parse_pac_deeplink)):
        try:
            expected: Any = pac_grammar.read(code, only_links=only_links)
        except pac_grammar.Refused as refusal:
            with pytest.raises((mtoken.ParseError, mtoken.ArgumentError)) as failure:
                read(code)
            assert failure.value.reason == refusal.args[0]
        else:
            found = vars(read(code))
            assert {**{name: found[name] for name in expected}, "form": found["form"].name} == expected


def encode(value: Any, *, url: bool, padded: bool, spaced: bool) -> str:
    raw = (
        value
        if isinstance(value, str)
        else json.dumps(value, separators=None if spaced else (",", ":"), ensure_ascii=spaced)
    )
    encoded = (base64.urlsafe_b64encode if url else base64.b64encode)(raw.encode("utf-8", "replace")).decode()
    return encoded if padded else encoded.rstrip("=")


TEXT = st.text(st.sampled_from('aZ09+/=%2F.-_~ \t\u00e9\u010d\u2003\U0001f4b6\\"\0'), max_size=8)
ID = st.one_of(st.just("5b753d0d-d59a-49b7-bec4-eae258566dbb"), TEXT, st.just("x" * 256), st.just("é" * 255))
CODE = st.one_of(st.just("12345678"), st.sampled_from(["1234", "123", "12345678901", "٤٤٤٤", "12a4", ""]))
MEMBER = st.one_of(
    CODE, st.none(), st.integers(), st.just([[[[[[[[]]]]]]]]), st.just([[[[[[]]]]]]), st.just({"a": 1}), st.just(True)
)
CLAIMS = st.one_of(
    st.dictionaries(
        st.sampled_from(["oid", "totp", "potp", "x", "alg"]), st.one_of(ID, ID, CODE, CODE, MEMBER), max_size=5
    ),
    st.fixed_dictionaries({"oid": ID, "potp": CODE}),
    st.fixed_dictionaries({"oid": ID}, optional={"totp": MEMBER, "potp": MEMBER, "a": TEXT, "é": TEXT}),
    st.sampled_from(
        [
            '{"oid":"a","oid":"b"}',
            '{"oid":"a"}x',
            '{"oid":"a",}',
            '{"oid":"\\u0061"}',
            '{"oid":"a"',
            "[]",
            "{}",
            '{"oid":NaN}',
            ' {"oid" : "a"} ',
            '{"oid":"a","x":{"y":1,"y":2}}',
            '{"oid":"\\ud800"}',
            '{"oid":"\\u0000"}',
        ]
    ),
)
PART = st.builds(
    lambda claims, url, padded, spaced: encode(claims, url=url, padded=padded, spaced=spaced),
    CLAIMS,
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
TOKEN = st.one_of(
    st.builds(
        lambda header, payload, rest: f"{header}.{payload}{rest}",
        st.one_of(PART, TEXT),
        PART,
        st.sampled_from(["", ".", ".c2ln", "=", ".a.b"]),
    ),
    TEXT,
)
QUOTED = st.one_of(
    ID,
    CODE,
    TOKEN,
    st.builds(lambda text: "".join(f"%{byte:02X}" for byte in text.encode()), st.one_of(ID, TOKEN)),
    st.sampled_from(["50%2525", "50%zz", "%", "%ff", "%c3%a9", "a%20b", "%00"]),
)
PARAMETER = st.builds(
    lambda name, equals, value: name + equals + value,
    st.sampled_from(["oid", "totp", "potp", "code", "lang", "", "%6fid", "OID"]),
    st.sampled_from(["=", "=", "=", "", "=="]),
    QUOTED,
)
LINK = st.builds(
    lambda scheme, path, query, fragment: scheme + path + "&".join(query) + fragment,
    st.sampled_from(["scheme:", "MTOKEN:", "https:", "1a:", "a+b-c.d:", "", ":", " s:"]),
    st.sampled_from(["//operation?", "//operation?", "//code=", "operation?", "//h/p?", "//operation", "?", "//a?b?"]),
    st.lists(PARAMETER, max_size=4),
    st.sampled_from(["", "", "#", "#x", "#?oid=a"]),
)


@pytest.mark.timeout(0)
@given(st.one_of(LINK, LINK, TOKEN, st.text(max_size=20)))
@settings(max_examples=CASES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_two_readers_agree(code: str) -> None:
    if any(0xD800 <= ord(character) < 0xE000 for character in code):
        return
    compare(code)


@pytest.mark.parametrize("case", cases("pac"))
def test_two_readers_agree_on_the_vectors(case: Dict[str, Any]) -> None:
    compare(case["input"])


def test_what_a_token_says_about_itself() -> None:
    header = base64.urlsafe_b64encode(b'{"alg":"HS256"}').decode().rstrip("=")
    payload = base64.urlsafe_b64encode(b'{"oid":"a"}').decode().rstrip("=")
    pac = mtoken.parse_pac_qr(f"{header}.{payload}.c2ln")
    assert (pac.header_valid, pac.algorithm, pac.has_signature) == (True, "HS256", True)
    pac = mtoken.parse_pac_qr(f"!.{payload}.")
    assert (pac.header_valid, pac.algorithm, pac.has_signature) == (False, None, False)


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
    compare(code)


@pytest.mark.parametrize(
    ("id", "totp", "link"),
    [
        ("", None, "m://o"),
        ("a b", None, "m://o"),
        ("a", "123", "m://o"),
        ("a", None, ""),
        ("a", None, "m://o?oid=b"),
        ("a", None, "m://o#"),
        ("x" * 256, None, "m://o"),
        ("a", "", "m://o"),
    ],
)
def test_codes_that_are_not_made(id: str, totp: Any, link: str) -> None:
    with pytest.raises(mtoken.ArgumentError):
        mtoken.build_pac(id, totp, form=mtoken.PACForm.DEEPLINK, link=link)


def test_the_time_of_a_one_time_password() -> None:
    assert mtoken.totp(b"seed", datetime.fromtimestamp(59, timezone.utc)) == mtoken.totp(b"seed", 59_000)


def test_impossible_one_time_passwords() -> None:
    for seed, time, options in [
        (b"", 0, {}),
        (b"x", -1, {}),
        (b"x", 0, {"step": -1}),
        (b"x", 0, {"digits": 5}),
        (b"x", 0, {"digits": 10}),
        (b"x", 0, {"algorithm": mtoken.TOTPAlgorithm(2)}),
    ]:
        with pytest.raises(mtoken.ArgumentError):
            mtoken.totp(seed, time, **options)  # type: ignore[arg-type]


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


def test_nothing_secret_shows() -> None:
    assert "73743194" not in repr(mtoken.parse_pac_qr("scheme://operation?oid=a&potp=73743194"))
