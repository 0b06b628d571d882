"""Options of a client and of single calls, traces, logs, and what errors tell."""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Dict, Iterator, List, Optional

import mtoken
import pytest
from conftest import ROOT, ClientFactory, Device, DeviceFactory
from devices4 import device4, has_post_quantum
from devserver import DevServer
from mtoken import EventKind, NetworkFault, ServerCode, TLSFault, TraceStage

OPERATIONS = "/api/auth/token/app/operation"


@pytest.fixture
def runtime() -> Iterator[mtoken.Runtime]:
    with mtoken.Runtime(events=mtoken.Events.ALL, log_level=mtoken.LogLevel.DEBUG) as runtime:
        yield runtime


def headers_of(server: DevServer, before: int, path: str = "") -> Dict[str, str]:
    found: Dict[str, str] = next(
        request["headers"] for request in server.requests(path, before) if request["path"].endswith("/operation/list")
    )
    return found


def traces(runtime: mtoken.Runtime) -> List[mtoken.Trace]:
    return [event.trace for event in runtime.events(0) if event.trace is not None]


# Options


def test_headers_of_a_client_and_of_a_call(server: DevServer, make_device: DeviceFactory) -> None:
    device = make_device(headers={"X-Tenant": "a", "Accept": "application/json;v=2"}, application="app/2.1")
    before = server.mark()
    view = device.client.with_options(headers={"x-tenant": "b", "X-Correlation-ID": "c-1"}, language="cs")
    view.operations.list()
    sent = headers_of(server, before)
    assert (sent["x-tenant"], sent["x-correlation-id"], sent["accept-language"]) == ("b", "c-1", "cs")
    assert sent["accept"] == "application/json;v=2" and sent["content-type"].startswith("application/json")
    assert sent["user-agent"].startswith(f"libmtoken/{mtoken.version()} app/2.1 (Linux/")
    before = server.mark()
    device.client.operations.list()
    sent = headers_of(server, before)
    assert sent["x-tenant"] == "a" and "x-correlation-id" not in sent and sent["accept-language"] == "en"
    before = server.mark()
    device.client.set_language("de")
    device.client.with_options(user_agent="Kiosk/7").operations.list()
    sent = headers_of(server, before)
    assert (sent["accept-language"], sent["user-agent"]) == ("de", "Kiosk/7")


def correlation_ids(server: DevServer, after: int) -> List[Optional[str]]:
    return [request["headers"].get("x-correlation-id") for request in server.requests(after=after)]


def test_an_error_tells_the_name_of_its_request(server: DevServer, make_device: DeviceFactory) -> None:
    device = make_device(correlation=True)
    device.client.operations.list()
    server.fault(f"{OPERATIONS}/list", "status", nth=1, status=503)
    server.fault(f"{OPERATIONS}/detail", "close_after_read", nth=1)
    for call in (device.client.operations.list, lambda: device.client.operations.detail("x")):
        mark = server.mark()
        with pytest.raises(mtoken.MTokenError) as error:
            call()
        (sent,) = correlation_ids(server, mark)
        assert sent is not None and error.value.correlation_id == sent
        assert error.value.details["correlation_id"] == sent
    mark = server.mark()
    with pytest.raises(mtoken.ServerError) as error:
        device.client.operations.authorize_data("unknown", "A1", device.auth)
    assert error.value.correlation_id == correlation_ids(server, mark)[-1]
    with pytest.raises(mtoken.ArgumentError) as error:  # nothing was sent
        device.client.operations.detail("")
    assert error.value.correlation_id is None


def test_an_error_tells_the_name_of_the_request_that_failed(server: DevServer, make_device: DeviceFactory) -> None:
    """Also when that is one that the call needed first."""
    device = make_device(correlation=True)
    fault = server.fault("/pa/v3/token/create", "status", nth=1, status=503)
    mark = server.mark()
    with pytest.raises(mtoken.MTokenError) as error:
        device.client.operations.list()
    assert server.times_applied(fault) == 1
    (request,) = server.requests("/pa/v3/token/create", after=mark)
    assert error.value.correlation_id == request["headers"]["x-correlation-id"]


def test_a_name_of_the_hosts_own(server: DevServer, make_device: DeviceFactory) -> None:
    device = make_device(correlation=True)
    device.client.operations.list()
    server.fault(OPERATIONS, "status", status=503)
    for view, id in (
        (device.client.with_options(correlation_id="order-00017"), "order-00017"),
        (device.client.with_options(correlation_id="order-00017", headers={"x-correlation-id": "b"}), "b"),
        (device.client.with_options(headers={"X-CORRELATION-ID": "c"}), "c"),
    ):
        mark = server.mark()
        with pytest.raises(mtoken.MTokenError) as error:
            view.operations.list()
        assert correlation_ids(server, mark) == [id]
        assert error.value.correlation_id == id
    for wrong in ("", "1234567", "x" * 1025, "with space", "pät-hausen", "a_b_c_d_e", "line\nbreak"):
        with pytest.raises(mtoken.ArgumentError):
            device.client.with_options(correlation_id=wrong)
    for right in ("12345678", "A" * 1024):
        device.client.with_options(correlation_id=right)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, "x") for name in ("x-powerauth-token", "Content-Type", "Host", "Cookie", "", "a b", "é", "x" * 129)),
        *(("X-A", value) for value in ("a\r\nX-PowerAuth-Token: b", "é", "\x7f", "x" * 4097)),
    ],
)
def test_headers_that_are_refused(device: Device, make_client: ClientFactory, name: str, value: str) -> None:
    with pytest.raises(mtoken.ArgumentError):
        device.client.with_options(headers={name: value})
    with pytest.raises(mtoken.ArgumentError):
        make_client("other", headers={name: value})


def test_every_call_takes_the_second_handle(server: DevServer, device: Device) -> None:
    view = device.client.with_options(language="cs")
    assert view.info().id == device.client.id and view.state is mtoken.ClientState.ACTIVE
    device.client.tokens.create("own")
    assert "own" in view.tokens and not view.operations.is_loading
    view.operations.start_polling(delay_start=True)
    assert device.client.operations.polling is mtoken.Polling.ON
    view.close()
    assert device.client.operations.polling is mtoken.Polling.ON
    second = device.client.with_options(language="cs")
    device.client.close()
    with pytest.raises(mtoken.HandleError):
        second.operations.list()


PREREQUISITES = ("/status", "/keystore/create", "/token/create")
"""How the requests end that a call may need first."""
Start = Callable[[mtoken.Client], "mtoken.Task[Any]"]


def calls_of(device: Device) -> Dict[str, Start]:
    """Each function that asks the server for something, by its name in C."""
    auth, pin, operation = device.auth, device.pin, device.new_operation()

    def asked() -> Dict[str, str]:
        id = device.created_operation()["operationId"]
        return {"messageType": "mtoken.operationInit", "operationName": "login", "operationId": id}

    return {
        "mtoken_mobile_auth_pending": lambda view: view.mobile_auth.start_pending(),
        "mtoken_mobile_auth_handle": lambda view: view.mobile_auth.handle(asked()["operationId"]),
        "mtoken_mobile_auth_handle_push": lambda view: view.mobile_auth.handle_push(json.dumps(asked())),
        "mtoken_mobile_auth_handle_code": lambda view: view.mobile_auth.handle_code(
            f"app://op?oid={asked()['operationId']}&totp=12345678"
        ),
        "mtoken_operations_list": lambda view: view.operations.start_list(),
        "mtoken_operations_history": lambda view: view.operations.start_history(auth),
        "mtoken_operations_detail": lambda view: view.operations.start_detail("x"),
        "mtoken_operations_claim": lambda view: view.operations.start_claim("x"),
        "mtoken_operations_authorize": lambda view: view.operations.start_authorize(operation, auth),
        "mtoken_operations_authorize_data": lambda view: view.operations.start_authorize_data("x", "A1", auth),
        "mtoken_operations_reject": lambda view: view.operations.start_reject("x"),
        "mtoken_client_fetch_user_info": lambda view: view.start_user_info(),
        "mtoken_client_fetch_status": lambda view: view.start_status(),
        "mtoken_client_wait_active": lambda view: view.start_wait_active(),
        "mtoken_client_fetch_detail": lambda view: view.start_detail(auth),
        "mtoken_client_rename": lambda view: view.start_rename("name", auth),
        "mtoken_client_validate_pin": lambda view: view.factors.start_validate_pin(pin),
        "mtoken_client_change_pin": lambda view: view.factors.start_change_pin(pin, pin),
        "mtoken_client_add_biometry": lambda view: view.factors.start_add_biometry(device.biometry_key, auth),
        "mtoken_client_synchronize_time": lambda view: view.start_synchronize_time(),
        "mtoken_vault_fetch_key": lambda view: view.vault.start_encryption_key(1, auth),
        "mtoken_vault_sign": lambda view: view.vault.start_sign(b"x", auth),
        "mtoken_vault_sign_jwt": lambda view: view.vault.start_sign_jwt({}, auth),
        "mtoken_client_sign_csr": lambda view: view.vault.start_sign_csr(auth, subject=[("CN", "x")]),
        "mtoken_recovery_fetch": lambda view: view.vault.start_recovery(auth),
        "mtoken_recovery_confirm": lambda view: view.vault.start_confirm_recovery("VVVVV-VVVVV-VVVVV-VTFVA", auth),
        "mtoken_token_create": lambda view: view.tokens.start_create("one"),
        "mtoken_token_remove": lambda view: view.tokens.start_remove("one"),
        "mtoken_oidc_fetch_config": lambda view: view.oidc.start_config("bank"),
        "mtoken_push_register": lambda view: view.push.start_register(mtoken.PushService.FCM, "token"),
        "mtoken_inbox_count": lambda view: view.inbox.start_count(),
        "mtoken_inbox_list_page": lambda view: view.inbox.start_page(),
        "mtoken_inbox_list_all": lambda view: view.inbox.start_all(),
        "mtoken_inbox_detail": lambda view: view.inbox.start_detail("x"),
        "mtoken_inbox_mark_read": lambda view: view.inbox.start_read("x"),
        "mtoken_inbox_mark_all_read": lambda view: view.inbox.start_read_all(),
        "mtoken_client_remove": lambda view: view.start_remove(auth),
    }


def calls_of_protocol_4(device: Device) -> Dict[str, Start]:
    auth = device.auth
    return {
        "mtoken_client_remove_biometry": lambda view: view.factors.start_remove_biometry(),
        "mtoken_client_fetch_config": lambda view: view.start_config(),
        "mtoken_vault_fetch_key_of": lambda view: view.vault.start_key(mtoken.VaultKey.KNOWLEDGE, 1, auth),
        "mtoken_vault_sign_ml_dsa": lambda view: view.vault.start_sign_ml_dsa(b"x", auth),
    }


SEND_NOTHING = {
    "mtoken_client_take_turn",  # waits
    "mtoken_client_encrypt",  # the host sends it; the key is the client's
    "mtoken_token_fetch_header",  # so it is with the token
    "mtoken_oidc_discover",  # asks another server: see test_discovery_keeps_the_hosts_headers_from_the_provider
    "mtoken_oidc_listen",  # of a runtime
}
"""Calls that ask the client's server for nothing on their own account."""


class Looked:
    """Looks at the requests that leave."""

    def __init__(self, server: DevServer):
        self.server = server
        self.seen: set[str] = set()

    def at(self, name: str, client: mtoken.Client, start: Start) -> None:
        self.seen.add(name)
        number = len(self.seen)
        options = {"language": f"x-{number}", "user_agent": f"A/{number}", "headers": {"X-Call": str(number)}}
        view = client.with_options(correlation_id=f"call-{number:05}", **options)  # type: ignore[arg-type]
        mark = self.server.mark()
        task = start(view)
        for event in client.runtime.events(60):
            if event.challenge is not None:
                event.challenge.deny()
            if event.task is task:
                break
        self.check(name, number, mark)

    def check(self, name: str, number: int, mark: int) -> None:
        wanted = (f"x-{number}", f"A/{number}", str(number), f"call-{number:05}")
        names = ("accept-language", "user-agent", "x-call", "x-correlation-id")
        requests = self.server.requests(after=mark)
        others = [request for request in requests if tuple(map(request["headers"].get, names)) != wanted]
        assert len(others) < len(requests), (name, requests)
        assert all(request["path"].endswith(PREREQUISITES) for request in others), (name, others)


def test_options_of_a_call_reach_each_of_its_requests(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory
) -> None:
    runtime = mtoken.Runtime(events=mtoken.Events.TASKS | mtoken.Events.CHALLENGES)
    looked = Looked(server)
    server.admin("PATCH", "/config", {"recoveryWithActivation": True})
    device = make_device(runtime=runtime)
    device.client.operations.list()
    for name, start in calls_of(device).items():
        looked.at(name, device.client, start)
    code = server.new_activation("options")["activationCode"]
    looked.at("mtoken_client_activate", make_client("new", runtime=runtime), lambda view: view.start_activate(code))
    hybrid = has_post_quantum()
    modern = device4(make_device, server, "L3" if hybrid else "EC_P384", id="four", biometry=True, runtime=runtime)
    modern.client.wait_active(timeout=60)
    calls = calls_of_protocol_4(modern)
    if not hybrid:
        looked.seen.add("mtoken_vault_sign_ml_dsa")
        del calls["mtoken_vault_sign_ml_dsa"]
    for name, start in calls.items():
        looked.at(name, modern.client, start)
    old = device4(make_device, server, id="old", protocol=mtoken.Protocol.V3_3, runtime=runtime)
    looked.at("mtoken_client_upgrade", old.client, lambda view: view.start_upgrade(old.auth))
    contract = (ROOT / "Tests" / "contract.golden.txt").read_text(encoding="utf-8")
    assert looked.seen | SEND_NOTHING == set(re.findall(r"(mtoken_\w+)\(.*out_task", contract))
    runtime.close()


def test_options_of_a_call_reach_a_refresh_and_polling(server: DevServer, make_device: DeviceFactory) -> None:
    with mtoken.Runtime(events=mtoken.Events.OPERATIONS) as runtime:
        client = make_device(runtime=runtime).client
        client.operations.list()
        for number, start in enumerate(("refresh", "start_polling")):
            list(runtime.events(0))
            mark = server.mark()
            getattr(client.with_options(language=f"x-{number}").operations, start)()
            assert any(event.kind is EventKind.OPERATIONS_CHANGED for event in runtime.events(30))
            assert headers_of(server, mark)["accept-language"] == f"x-{number}"
        client.operations.stop_polling()
        client.close()


def test_calls_with_options_share_no_request(server: DevServer, device: Device) -> None:
    device.client.operations.list()
    before = server.mark()
    own = [device.client.with_options(language=language) for language in ("cs", "de")]
    tasks = [client.operations.start_list() for client in (device.client, *own)]
    for task in tasks:
        task.result()
    languages = {request["headers"]["accept-language"] for request in server.requests(f"{OPERATIONS}/list", before)}
    assert languages == {"en", "cs", "de"}


# Traces and logs


def test_traces_tell_no_secrets(runtime: mtoken.Runtime, server: DevServer, device: Device) -> None:
    operation = device.new_operation()
    traces(runtime)
    client = device.client.with_options(headers={"X-Correlation-ID": "c-9", "X-Secret": "hidden-value"})
    client.operations.authorize(operation, device.auth)
    request, answer = traces(runtime)
    assert (request.stage, answer.stage) == (TraceStage.REQUEST, TraceStage.ANSWER)
    assert request.request == answer.request and request.call == answer.call == "approval"
    assert request.url == f"{server.url}/api/auth/token/app/operation/authorize"
    assert {"X-PowerAuth-Authorization", "X-Secret", "Content-Type"} <= set(request.header_names)
    assert request.request_size > 0 and answer.answer_size > 0 and answer.http_status == 200
    assert answer.finished >= answer.started and answer.correlation_id == "c-9" and answer.error is None
    for trace in (request, answer):
        told = repr(trace)
        assert "hidden-value" not in told and device.pin not in told and operation.data not in told
        assert "pa_signature" not in told and operation.id not in told


def test_traces_of_limits_and_failures(runtime: mtoken.Runtime, server: DevServer, device: Device) -> None:
    device.client.operations.list()
    traces(runtime)
    limits = {"RateLimit-Limit": "10", "X-RateLimit-Remaining": "3", "Retry-After": "7", "X-Request-ID": "r-1"}
    server.fault(f"{OPERATIONS}/list", "status", status=429, headers=limits, count=1)
    with pytest.raises(mtoken.MTokenError):
        device.client.operations.list()
    _, answer = traces(runtime)
    assert answer.http_status == 429 and answer.correlation_id == "r-1" and answer.rate_reset is None
    assert (answer.rate_limit, answer.rate_remaining, answer.retry_after) == ("10", "3", "7")
    server.fault(f"{OPERATIONS}/list", "close_before_read", count=1)
    with pytest.raises(mtoken.MTokenError):
        device.client.operations.list()
    last = traces(runtime)[-1]
    assert last.stage is TraceStage.FAILURE and last.error is not None and last.http_status is None


def test_log_lines_bear_the_label(runtime: mtoken.Runtime, make_device: DeviceFactory) -> None:
    device = make_device(label="till 5")
    list(runtime.events(0))
    device.client.operations.list()
    lines = [event.message for event in runtime.events(0) if event.kind is EventKind.LOG]
    assert lines and all(line is not None and line.startswith("till 5: ") for line in lines)


# Errors


def test_what_an_error_tells(server: DevServer, device: Device) -> None:
    operation = device.new_operation()
    with pytest.raises(mtoken.AuthenticationError) as refused:
        device.client.operations.authorize(operation, device.wrong_auth)
    error = refused.value
    assert error.is_refusal and not error.is_operation_over and not error.may_have_happened
    assert error.server_code_number is ServerCode.POWERAUTH_AUTH_FAIL and error.upstream_reason == error.reason
    device.client.operations.reject(operation.id)
    with pytest.raises(mtoken.ServerError) as over:
        device.client.operations.detail(operation.id)
    assert over.value.is_operation_over and not over.value.is_refusal
    assert over.value.server_code_number is ServerCode.OPERATION_ALREADY_FINISHED


def test_names_of_server_codes() -> None:
    from mtoken._library import lib

    for code in ServerCode:
        if code is ServerCode.UNKNOWN or code.name.startswith("UNRECOGNIZED"):
            continue
        assert lib.mtoken_server_code_name(code) == code.name.encode()
    assert lib.mtoken_server_code_name(0) is None and lib.mtoken_server_code_name(len(ServerCode) + 100) is None
    assert lib.mtoken_server_code_name(-1) is None


def test_operations_that_are_over() -> None:
    """What Python says of a server code, the library says of it too."""
    from mtoken import abi as _c
    from mtoken._library import lib

    assert lib.mtoken_error_is_operation_over(None) == 0
    over = []
    for code in (*ServerCode, ServerCode(len(ServerCode) + 100)):
        error = _c.mtoken_error(server_code_number=code)
        assert (
            lib.mtoken_error_is_operation_over(error)
            == mtoken.MTokenError("x", server_code_number=code).is_operation_over
        )
        over += [code] if lib.mtoken_error_is_operation_over(error) else []
    assert ServerCode.OPERATION_EXPIRED in over and ServerCode.OPERATION_FAILED not in over


def test_predicates_follow_from_the_members() -> None:
    names = ("not_connected", "is_unreachable", "not_trusted", "is_untrusted", "is_refusal", "may_have_happened")

    def true(**members: Any) -> List[str]:
        error = mtoken.MTokenError("x", **members)
        return [name for name in names if getattr(error, name)]

    assert true() == []
    for fault in NetworkFault:
        assert true(network=fault) == (["not_connected", "is_unreachable"] if fault.name == "NOT_CONNECTED" else [])
    for problem in TLSFault:
        untrusted = ["not_trusted", "is_untrusted"] if problem.name != "HANDSHAKE" else ["is_untrusted"]
        assert true(tls=problem) == (untrusted if problem.value else [])
    for code in mtoken.ErrorCode:
        assert true(code=code) == (["is_refusal"] if code.name == "AUTHENTICATION" else [])
    for outcome in mtoken.Outcome:
        assert true(outcome=outcome) == (["may_have_happened"] if outcome.name == "UNKNOWN" else [])
