"""Each row of the feature table of operations and the tests that show it. A test that is renamed or removed fails here."""

from __future__ import annotations

import re
from typing import Dict

import pytest
from conftest import ROOT

SWIFT = "Tests/MobileTokenTests"
PYTHON = "Tests/python"

TABLE: Dict[str, Dict[str, str]] = {
    "Service creation": {
        "without activation every call fails": f"{PYTHON}/test_registry.py::test_without_activation",
        "client with all services": f"{PYTHON}/test_binding.py::",
        "host-driven transport": "Tests/c/surface.c::",
        "baseUrl": f"{PYTHON}/test_operations.py::test_an_operations_url_of_its_own",
        "sslValidation": f"{PYTHON}/test_tls.py::",
        "serviceName": f"{PYTHON}/test_call_options.py::test_log_lines_bear_the_label",
        "request timeout and per-call timeout": f"{PYTHON}/test_call_options.py::test_a_time_limit_of_one_call",
        "concurrency strategy": f"{SWIFT}/EngineTests.swift::signedCallsGoOneAfterAnother",
        "pause and resume": f"{PYTHON}/test_registry.py::test_polling",
        "members that a bank added": f"{PYTHON}/test_operations.py::test_members_that_a_bank_added",
        "lookup by path": f"{PYTHON}/test_token_data.py::test_finding_values",
        "acceptLanguage": f"{PYTHON}/test_call_options.py::test_headers_of_a_client_and_of_a_call",
        "user agent": f"{PYTHON}/test_operations.py::test_headers_of_a_request",
        "custom headers": f"{PYTHON}/test_call_options.py::test_headers_that_are_refused",
        "response observer": f"{PYTHON}/test_call_options.py::test_traces_tell_no_secrets",
    },
    "Pending operations": {
        "getOperations": f"{PYTHON}/test_registry.py::test_a_fetch_is_told_and_kept",
        "any thread": "Tests/c/threads.c::",
        "refreshOperations": f"{SWIFT}/RegistryVectorTests.swift::aRefreshIsSkippedWhileLoadingAndSurvivesItsCallers",
        "isLoadingOperations": f"{SWIFT}/RegistryVectorTests.swift::aRefreshIsSkippedWhileLoadingAndSurvivesItsCallers",
        "lastFetchResult": f"{PYTHON}/test_registry.py::test_a_failed_fetch_is_told",
        "currentServerDate": f"{PYTHON}/test_registry.py::test_a_fetch_is_told_and_kept",
        "time synchronization": "Tests/c/clock.c::server_time_is_learned",
        "coalescing": f"{SWIFT}/EngineTests.swift::aListFetchesWhatItNeedsOnceAndInOrder",
        "registry": f"{SWIFT}/RegistryVectorTests.swift::registryAndPolling",
    },
    "Polling": {
        "startPolling, default, minimum, delayStart, stop": f"{SWIFT}/RegistryVectorTests.swift::registryAndPolling",
        "one request per interval": f"{SWIFT}/RegistryVectorTests.swift::oneRequestPerIntervalHoweverLong",
        "ticks never pile up": f"{SWIFT}/RegistryVectorTests.swift::ticksDoNotPileUpBehindASlowServer",
        "doubling with push": f"{SWIFT}/RegistryVectorTests.swift::pushDoublesTheInterval",
        "back-off": f"{SWIFT}/RegistryVectorTests.swift::backingOffWhileTheServerFails",
        "jitter": f"{SWIFT}/RegistryVectorTests.swift::jitterSpreadsWithinItsBounds",
    },
    "Delegate": {
        "operationsFailed": f"{PYTHON}/test_registry.py::test_a_failed_fetch_is_told",
        "operationsChanged": f"{PYTHON}/test_registry.py::test_operations_of_events_and_snapshots_can_be_approved",
        "operationsLoading": f"{PYTHON}/test_registry.py::test_a_fetch_is_told_and_kept",
        "called for all fetches": f"{PYTHON}/test_registry.py::test_a_fetch_is_told_and_kept",
    },
    "Approve": {
        "password": f"{PYTHON}/test_operations.py::",
        "biometry and possession only": f"{PYTHON}/test_signing.py::",
        "operation from another channel": f"{SWIFT}/RequestVectorTests.swift::requests",
        "mobileTokenData": f"{PYTHON}/test_token_data.py::test_data_goes_with_approval_and_rejection",
        "builder, record": f"{SWIFT}/TokenDataVectorTests.swift::mobileTokenData",
        "factor that the operation does not allow": f"{SWIFT}/RequestVectorTests.swift::requests",
        "removed on success": f"{PYTHON}/test_registry.py::test_operations_of_events_and_snapshots_can_be_approved",
    },
    "Reject": {
        "possession only, reasons": f"{PYTHON}/test_operations.py::",
        "PREAPPROVAL, with mobileTokenData": f"{PYTHON}/test_token_data.py::test_data_goes_with_approval_and_rejection",
    },
    "Detail, claim, history, cancel": {
        "getDetail": f"{PYTHON}/test_operations.py::test_detail",
        "claim": f"{PYTHON}/test_registry.py::test_a_claimed_operation_is_added",
        "history": f"{PYTHON}/test_operations.py::",
        "cancelling": f"{SWIFT}/EngineTests.swift::cancellingACallAtEachOfItsStages",
    },
    "Operation object, attributes, UI data": {
        "vectors operations-list and ui-data": f"{SWIFT}/OperationModelVectorTests.swift::",
        "amounts": f"{SWIFT}/OperationModelAmountTests.swift::",
        "each member wrong": f"{SWIFT}/OperationModelMemberTests.swift::",
        "templates, visual parser": f"{SWIFT}/OperationVisualTests.swift::sectionsTakeTheirAttributesInOrderAndNoneIsLost",
        "pre-approval screens recorder": f"{PYTHON}/test_token_data.py::test_the_recorder",
        "lists of 0, 1, 100, 10,000": f"{SWIFT}/RegistryVectorTests.swift::listsOfAnySize",
    },
    "What is signed": {
        "decoded beside the form": f"{PYTHON}/test_contradictions.py::test_what_is_signed_is_taken_apart",
        "contradictions": f"{SWIFT}/OperationContradictionTests.swift::contradiction",
        "strict mode": f"{PYTHON}/test_contradictions.py::test_strict_refuses_a_contradiction",
    },
    "Proximity check": {
        "time rules, types, wire form": f"{SWIFT}/TokenDataVectorTests.swift::proximityChecks",
        "attached to an operation": f"{SWIFT}/RegistryVectorTests.swift::whatIsAttachedGoesWithTheApproval",
        "match by id": f"{PYTHON}/test_registry.py::test_attached_data_goes_with_the_approval",
    },
    "Errors": {
        "reasons, HTTP status, server error": f"{SWIFT}/ErrorVectorTests.swift::errors",
        "known server codes": f"{PYTHON}/test_call_options.py::test_names_of_server_codes",
        "networkIsNotReachable, networkConnectionIsNotTrusted": f"{PYTHON}/test_call_options.py::test_predicates_of_null",
        "network and TLS classes": f"{PYTHON}/test_call_options.py::test_classes_of_network_failures",
        "expired operations": f"{PYTHON}/test_call_options.py::test_an_expired_operation",
    },
    "Expiration watcher": {
        "add, remove, removeAll, list, clock": f"{SWIFT}/ExpirationVectorTests.swift::expirationWatcher",
        "clock provider": f"{SWIFT}/ExpirationVectorTests.swift::theClockIsReplaceable",
        "handle and event": f"{PYTHON}/test_registry.py::test_the_watcher_reports_what_expired",
    },
    "Logging": {
        "levels": f"{PYTHON}/test_call_options.py::test_log_levels",
        "redaction": f"{PYTHON}/test_call_options.py::test_traces_tell_no_secrets",
    },
}
"""Section, row, and "file::test"; without a test's name the whole file."""

ROWS = [pytest.param(place, id=f"{section}: {row}") for section, rows in TABLE.items() for row, place in rows.items()]


@pytest.mark.parametrize("place", ROWS)
def test_row_is_shown(place: str) -> None:
    file, name = place.split("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert re.search(rf"\b{name}\(" if name else r"\btest|@Test|static void", text), f"{place} is gone"
