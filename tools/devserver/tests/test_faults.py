"""Every kind of misbehaviour, seen from a client."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from client import Device, ServerError, now_ms

STATUS = "/pa/v3/status"


@pytest.fixture
def bare(http: Any, sdk_config: Any) -> Any:
    return Device(http, sdk_config)


def test_status_and_nth(bare: Any, admin: Any) -> None:
    rule = admin.post(
        "/faults", {"match": STATUS, "kind": "status", "nth": 2, "parameters": {"status": 503, "code": "X"}}
    )
    bare.send(STATUS, {})
    with pytest.raises(ServerError) as error:
        bare.send(STATUS, {})
    assert (error.value.status, error.value.code) == (503, "X")
    bare.send(STATUS, {})
    (seen,) = admin.get("/faults")["faults"]
    assert (seen["id"], seen["matched"], seen["applied"]) == (rule["id"], 3, 1)
    assert admin.delete(f"/faults/{rule['id']}") == {"cleared": 1}


def test_unlimited_and_method(bare: Any, admin: Any, http: Any) -> None:
    admin.post("/faults", {"match": "/pa", "kind": "html", "method": "POST"})
    for _ in range(3):
        response = bare.raw(STATUS, {})
        assert response.status_code == 502 and response.headers["content-type"].startswith("text/html")
    assert admin.delete("/faults") == {"cleared": 1}
    bare.send(STATUS, {})


@pytest.mark.parametrize(
    "rule,reason",
    [
        ({"kind": "nonsense"}, "fault kind nonsense does not exist"),
        ({"match": "/nowhere", "kind": "html"}, "no path of the devices' API begins with /nowhere"),
        ({"match": "pa/v3/status", "kind": "html"}, "no path of the devices' API begins with pa/v3/status"),
        ({"match": "/admin", "kind": "html"}, "no path of the devices' API begins with /admin"),
        ({"match": "/pa/v3", "kind": "wrong_ecdsa"}, "shows at /pa/v4/keystore/create only"),
        ({"match": "/pa/v4/vault", "kind": "swapped_ciphertexts"}, "the fault swapped_ciphertexts shows at"),
        ({"match": "/pa/", "kind": "push-down"}, "shows at /api/inbox, /api/push only"),
        ({"kind": "html", "nth": 0}, "nth: input should be greater than or equal to 1."),
        ({"kind": "html", "when": 0}, "when does not exist here."),
        ({}, "kind is missing."),
    ],
)
def test_faults_that_could_never_fire(http: Any, rule: Any, reason: Any) -> None:
    """Refused, in a sentence."""
    response = http.post("/admin/faults", json={"match": STATUS, **rule})
    assert response.status_code in (400, 422)
    assert reason in response.json()["responseObject"]["message"], response.text
    assert http.get("/admin/faults").json() == {"faults": []}


@pytest.mark.parametrize(
    "kind,match", [("push-down", "/"), ("push-down", "/api/inbox/count"), ("wrong_mldsa", "/pa/v4")]
)
def test_faults_of_some_endpoints(admin: Any, kind: Any, match: Any) -> None:
    assert admin.fault(match, kind)["kind"] == kind


def test_redirect_and_raw_answer(bare: Any, admin: Any) -> None:
    admin.fault(STATUS, "status", status=302, body="", headers={"Location": "https://example.com/"})
    response = bare.raw(STATUS, {})
    assert response.status_code == 302 and response.headers["location"] == "https://example.com/"


def test_empty_garbage_and_huge(bare: Any, admin: Any) -> None:
    admin.fault(STATUS, "empty")
    assert bare.raw(STATUS, {}).content == b""
    admin.fault(STATUS, "garbage_json")
    with pytest.raises(ValueError):
        bare.raw(STATUS, {}).json()
    for chunked in (False, True):
        admin.fault(STATUS, "huge_body", bytes=300_000, chunked=chunked)
        assert len(bare.raw(STATUS, {}).content) == 300_000


@pytest.mark.parametrize("after", [False, True])
def test_latency(bare: Any, admin: Any, after: Any) -> None:
    """The delay lies before the work or after it: the server's time in the answer tells which. Clocks are
    coarse, so 10 ms less.
    """
    admin.fault(STATUS, "latency", ms=200, after=after)
    sent = now_ms()
    answered = bare.send(STATUS, {})["responseObject"]["serverTime"]
    assert (now_ms() - answered if after else answered - sent) >= 190


def test_truncated_answer(bare: Any, admin: Any) -> None:
    admin.fault(STATUS, "truncate", bytes=10)
    with pytest.raises(httpx.RemoteProtocolError):
        bare.send(STATUS, {})
    bare.send(STATUS, {})


def test_slow_drip(bare: Any, admin: Any) -> None:
    admin.fault(STATUS, "slow_drip", bytes=50, intervalMs=10)
    assert bare.send(STATUS, {})["status"] == "OK"


@pytest.mark.parametrize("kind", ["close_before_read", "close_after_read"])
@pytest.mark.parametrize("reset", [False, True])
def test_closed_connections(bare: Any, admin: Any, kind: Any, reset: Any) -> None:
    admin.fault(STATUS, kind, reset=reset)
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        bare.send(STATUS, {})
    bare.send(STATUS, {})


@pytest.mark.parametrize("process", [True, False])
def test_lost_answer(device: Any, admin: Any, process: Any) -> None:
    admin.fault("/pa/v3/signature/validate", "close_after_read", process=process)
    with pytest.raises(httpx.RemoteProtocolError):
        device.validate()
    assert admin.activation(device)["counter"] == (1 if process else 0)
    device.validate()


def test_hang(bare: Any, admin: Any) -> None:
    admin.fault(STATUS, "hang")
    with pytest.raises(httpx.ReadTimeout):
        bare.http.post(STATUS, json={}, timeout=0.2)
    record = admin.get("/requests", path=STATUS)["requests"][-1]
    assert record["status"] is None


def test_patched_answers(device: Any, admin: Any, http: Any, sdk_config: Any, user: Any) -> None:
    admin.fault(STATUS, "patch", set={"responseObject.serverTime": "soon"}, remove=["status"])
    answer = device.send(STATUS, {})
    assert "status" not in answer and answer["responseObject"]["serverTime"] == "soon"
    admin.fault("/pa/v3/token/create", "patch", layer="outer", set={"tokenSecret": "AA=="})
    assert device.create_token()["tokenSecret"] == "AA=="
    admin.fault("/pa/v3/keystore", "patch", layer="jwt", set={"challenge": "x"})
    with pytest.raises(AssertionError):
        device.fetch_temporary_key(True)
    record = admin.post("/activations", {"userId": user})
    admin.fault("/pa/v3/activation/create", "patch", layer="inner", set={"ctrData": "AAAA"})
    with pytest.raises(AssertionError):
        Device(http, sdk_config).activate("CODE", {"code": record["activationCode"]})


def test_admin_is_never_touched(admin: Any, http: Any) -> None:
    admin.post("/faults", {"match": "/", "kind": "html"})
    assert http.get("/admin/faults").status_code == 200
    assert http.get("/console").status_code == 200


def test_request_log(device: Any, admin: Any) -> None:
    last = admin.get("/requests")["requests"][-1]["seq"]
    device.send(STATUS, {"x": 1}, {"X-Custom": "yes", "Accept-Language": "cs"})
    device.send(STATUS, {})
    first, second = admin.get("/requests", after=last, path=STATUS)["requests"]
    assert first["headers"]["x-custom"] == "yes" and first["headers"]["accept-language"] == "cs"
    assert first["body"] == '{"x": 1}' and first["status"] == 200
    assert first["client"] == second["client"]
