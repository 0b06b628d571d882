"""Options of a client and of single calls, traces, logs, and what errors tell."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator, List, Optional

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devserver import DevServer
from mtoken import EventKind, NetworkFault, Outcome, ServerCode, TLSFault, TraceStage

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


UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def correlation_ids(server: DevServer, after: int) -> List[Optional[str]]:
    return [request["headers"].get("x-correlation-id") for request in server.requests(after=after)]


def test_each_request_has_a_name_of_its_own(server: DevServer, make_device: DeviceFactory) -> None:
    mark = server.mark()
    device = make_device(correlation=True)
    device.client.operations.list()
    device.client.status()
    ids = correlation_ids(server, mark)
    assert len(ids) >= 5 and len(set(ids)) == len(ids)
    assert all(id and UUID.fullmatch(id) for id in ids)


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


def test_without_the_option_requests_have_no_name(server: DevServer, device: Device) -> None:
    mark = server.mark()
    device.client.operations.list()
    assert set(correlation_ids(server, mark)) == {None}
    server.fault(OPERATIONS, "status", status=503)
    with pytest.raises(mtoken.MTokenError) as error:
        device.client.operations.list()
    assert error.value.correlation_id is None


@pytest.mark.parametrize(
    "name",
    [
        "X-PowerAuth-Authorization",
        "x-powerauth-token",
        "X-POWERAUTH-ENCRYPTION",
        "Content-Type",
        "content-length",
        "Host",
        "Connection",
        "Transfer-Encoding",
        "Cookie",
        "",
        "a b",
        "a:b",
        "a\r\nb",
        "\u00e9",
        "x" * 129,
    ],
)
def test_headers_that_are_refused(device: Device, make_client: ClientFactory, name: str) -> None:
    with pytest.raises(mtoken.ArgumentError):
        device.client.with_options(headers={name: "x"})
    with pytest.raises(mtoken.ArgumentError):
        make_client("other", headers={name: "x"})


@pytest.mark.parametrize("value", ["a\r\nX-PowerAuth-Token: b", "\u00e9", "\x7f", "x" * 4097])
def test_values_that_are_refused(device: Device, value: str) -> None:
    for options in ({"headers": {"X-A": value}}, {"language": value}, {"user_agent": value}):
        with pytest.raises(mtoken.ArgumentError):
            device.client.with_options(**options)  # type: ignore[arg-type]


def test_a_time_limit_of_one_call(server: DevServer, device: Device) -> None:
    device.client.operations.list()
    server.fault(f"{OPERATIONS}/list", "hang")
    with pytest.raises(mtoken.TimeoutExpiredError) as caught:
        device.client.with_options(timeout=0.2).operations.list()
    assert caught.value.reason == "network_timeOut" and caught.value.network is NetworkFault.TIMEOUT


def test_every_call_takes_the_second_handle(server: DevServer, device: Device) -> None:
    view = device.client.with_options(language="cs")
    operation = device.new_operation()
    view.operations.authorize(operation, device.auth)
    assert view.info().id == device.client.id and view.state is mtoken.ClientState.ACTIVE
    assert "possession_universal" in view.tokens and not view.operations.is_loading
    view.operations.start_polling(delay_start=True)
    assert device.client.operations.polling is mtoken.Polling.ON
    view.close()
    assert device.client.operations.polling is mtoken.Polling.ON
    second = device.client.with_options(language="cs")
    device.client.close()
    with pytest.raises(mtoken.HandleError):
        second.operations.list()


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


@pytest.mark.parametrize(
    ("level", "seen"), [(mtoken.LogLevel.OFF, set()), (mtoken.LogLevel.WARNING, {2}), (mtoken.LogLevel.INFO, {2, 3})]
)
def test_log_levels(server: DevServer, make_device: DeviceFactory, level: mtoken.LogLevel, seen: set[int]) -> None:
    with mtoken.Runtime(events=mtoken.Events.LOG, log_level=level) as runtime:
        device = make_device(runtime=runtime)
        server.fault(f"{OPERATIONS}/list", "status", status=503)
        with pytest.raises(mtoken.MTokenError):
            device.client.operations.list()
        assert {int(event.log_level or 0) for event in runtime.events(0)} == seen
        device.client.close()


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


def test_an_expired_operation(server: DevServer, device: Device) -> None:
    operation = device.new_operation()
    server.fault(
        f"{OPERATIONS}/",
        "status",
        status=400,
        code="OPERATION_EXPIRED",
        message="expired",
    )
    reasons = {}
    calls = {
        "authorize": lambda: device.client.operations.authorize(operation, device.auth),
        "reject": lambda: device.client.operations.reject(operation.id),
        "detail": lambda: device.client.operations.detail(operation.id),
        "claim": lambda: device.client.operations.claim(operation.id),
    }
    for name, call in calls.items():
        with pytest.raises(mtoken.ServerError) as caught:
            call()
        assert caught.value.is_operation_over and caught.value.server_code_number is ServerCode.OPERATION_EXPIRED
        reasons[name] = (caught.value.reason, caught.value.upstream_reason)
    assert reasons == {
        "authorize": ("operations_authExpired",) * 2,
        "reject": ("operations_rejectExpired",) * 2,
        "detail": ("operations_expired", "operations_rejectExpired"),
        "claim": ("operations_expired", "operations_rejectExpired"),
    }


def test_classes_of_network_failures(make_client: ClientFactory, server: DevServer) -> None:
    def failure(name: str, **options: object) -> mtoken.MTokenError:
        with pytest.raises(mtoken.MTokenError) as caught:
            make_client(name, **options).synchronize_time()
        return caught.value

    refused = failure("a", base_url="https://localhost:1/")
    assert refused.network is NetworkFault.CONNECTION_REFUSED and refused.reason == "network_generic"
    assert refused.cause and refused.outcome is Outcome.NOT_SENT and not refused.is_untrusted
    nowhere = failure("b", base_url="https://nowhere.invalid/")
    assert nowhere.network is NetworkFault.HOST_NOT_FOUND
    untrusted = failure("c", ca_file=None, tls=mtoken.TLS.SYSTEM)
    assert untrusted.is_untrusted and untrusted.tls in (TLSFault.UNTRUSTED, TLSFault.SELF_SIGNED)
    assert untrusted.network is NetworkFault.NONE and untrusted.reason == "network_sslError"
    pins = [mtoken.TLSPin("A" * 43 + "=")]
    pinned = failure("d", pins=pins)
    assert pinned.tls is TLSFault.PIN_MISMATCH and pinned.is_untrusted


def test_a_server_code_that_nobody_knows(server: DevServer, device: Device) -> None:
    server.fault(f"{OPERATIONS}/list", "status", status=409, code="SOMETHING_NEW", message="because")
    with pytest.raises(mtoken.ServerError) as caught:
        device.client.operations.list()
    error = caught.value
    assert (error.server_code, error.server_message, error.http_status) == ("SOMETHING_NEW", "because", 409)
    assert error.server_code_number is ServerCode.UNKNOWN and not error.is_operation_over and not error.is_refusal


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
    from mtoken import _c
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
