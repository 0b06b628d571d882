"""Each row of the feature table of operations, in its order and by its name, and the tests that show it. A test that is renamed
or removed fails here."""

from __future__ import annotations

import re
from typing import Dict, Tuple

import pytest
from conftest import ROOT
from raw import HEADER

# "file::test"; without a test's name the whole file. Of a page, what it must say.
C = "Tests/c"
SWIFT = "Tests/MobileTokenTests"
PYTHON = "Tests/python"
CALL_OPTIONS = f"{PYTHON}/test_call_options.py"
MODELS = f"{PYTHON}/test_models.py"
OPERATIONS = f"{PYTHON}/test_operations.py"
REGISTRY = f"{PYTHON}/test_registry.py"
TOKEN_DATA = f"{PYTHON}/test_token_data.py"
LOOP = f"{C}/operations.c::whole_loop"
POLLING = f"{C}/operations.c::polling_keeps_its_times"
REGISTRY_VECTORS = f"{SWIFT}/RegistryVectorTests.swift::registryAndPolling"
UI_VECTORS = f"{SWIFT}/OperationModelVectorTests.swift::userInterface"
EACH_MEMBER = f"{C}/models.c::each_member_in_each_way"
PAGE = "docs/guides/operations.md"

TABLE: Dict[str, Dict[str, Tuple[str, ...]]] = {
    "Service creation": {
        "without activation every call fails": (f"{REGISTRY}::test_without_activation",),
        "on top of PowerAuthSDK and WPNConfig": (f"{C}/life.c::activation_tells_everything",),
        "on top of WPNNetworkingService": (f"{C}/surface.c::answers_go_to_their_requests",),
        "one entry class": (f"{C}/life.c::operations_are_decided",),
        "baseUrl": (f"{OPERATIONS}::test_an_operations_url_of_its_own", f"{PYTHON}/test_tls.py::test_impossible_urls"),
        "sslValidation default, noValidation, pinning": (
            f"{PYTHON}/test_tls.py::test_the_systems_trust_store_does_not_know_the_ca",
            f"{PYTHON}/test_tls.py::test_unsafe_accepts_everything",
            f"{PYTHON}/test_tls.py::test_a_pin_does_not_replace_the_certificate_check",
            f"{C}/network.c::pins_are_checked",
        ),
        "serviceName": (f"{CALL_OPTIONS}::test_log_lines_bear_the_label",),
        "request timeout and per-call timeout": (
            f"{C}/clock.c::requests_run_out_of_time",
            f"{C}/clock.c::own_limit_is_kept",
            f"{CALL_OPTIONS}::test_a_time_limit_of_one_call",
        ),
        "concurrency strategy": (
            f"{SWIFT}/EngineTests.swift::signedCallsGoOneAfterAnother",
            f"{C}/life.c::signed_calls_go_one_by_one",
        ),
        "pauseWhenOnBackground": (POLLING, f"{REGISTRY}::test_polling"),
        "customUserOperationType": (
            f"{OPERATIONS}::test_members_that_a_bank_added",
            f"{TOKEN_DATA}::test_finding_values",
        ),
        "acceptLanguage": (f"{OPERATIONS}::test_language", f"{CALL_OPTIONS}::test_headers_of_a_client_and_of_a_call"),
        "user agent choice": (f"{OPERATIONS}::test_headers_of_a_request",),
        "custom headers": (
            f"{CALL_OPTIONS}::test_headers_of_a_client_and_of_a_call",
            f"{CALL_OPTIONS}::test_headers_that_are_refused",
            f"{CALL_OPTIONS}::test_every_call_takes_the_second_handle",
        ),
        "response observer": (
            f"{C}/operations.c::traces_tell_each_request",
            f"{CALL_OPTIONS}::test_traces_tell_no_secrets",
            f"{CALL_OPTIONS}::test_traces_of_limits_and_failures",
        ),
    },
    "Pending operations": {
        "getOperations": (f"{REGISTRY}::test_a_fetch_is_told_and_kept", f"{C}/models.c::lists_of_any_length"),
        "any thread": (f"{C}/threads.c::all_share_a_client",),
        "refreshOperations": (
            f"{SWIFT}/RegistryVectorTests.swift::aRefreshIsSkippedWhileLoadingAndSurvivesItsCallers",
            f"{C}/operations.c::ticks_do_not_pile_up",
        ),
        "isLoadingOperations": (f"{C}/operations.c::ticks_do_not_pile_up",),
        "lastFetchResult": (f"{REGISTRY}::test_a_failed_fetch_is_told", f"{C}/operations.c::ticks_do_not_pile_up"),
        "currentServerDate": (f"{REGISTRY}::test_a_fetch_is_told_and_kept",),
        "time synchronization service": (f"{C}/clock.c::server_time_is_learned",),
        "coalescing of concurrent fetches": (
            f"{SWIFT}/EngineTests.swift::aListFetchesWhatItNeedsOnceAndInOrder",
            f"{C}/cancel.c::sharers_cancel_for_themselves",
        ),
        "registry: added, removed; order": (REGISTRY_VECTORS, f"{C}/models.c::lists_of_any_length"),
    },
    "Polling": {
        "startPollingOperations(interval, delayStart)": (REGISTRY_VECTORS, POLLING),
        "default interval 7 s": (
            LOOP,
            f"{SWIFT}/RegistryVectorTests.swift::oneRequestPerIntervalHoweverLong",
        ),
        "minimum 5 s enforced": (POLLING,),
        "delayStart": (POLLING,),
        "stopPollingOperations, isPollingOperations": (LOOP, POLLING),
        "start while polling is ignored": (POLLING, f"{REGISTRY}::test_polling"),
        "doubling recommended with push": (
            f"{SWIFT}/RegistryVectorTests.swift::pushDoublesTheInterval",
            f"{PAGE}::`has_push` doubles the interval",
        ),
        "ticks never pile up, jitter, back-off": (
            f"{SWIFT}/RegistryVectorTests.swift::ticksDoNotPileUpBehindASlowServer",
            f"{SWIFT}/RegistryVectorTests.swift::backingOffWhileTheServerFails",
            f"{SWIFT}/RegistryVectorTests.swift::jitterSpreadsWithinItsBounds",
            f"{C}/operations.c::ticks_do_not_pile_up",
        ),
    },
    "Delegate": {
        "operationsFailed(error)": (
            f"{REGISTRY}::test_a_failed_fetch_is_told",
            f"{C}/operations.c::ticks_do_not_pile_up",
        ),
        "operationsChanged(operations, removed, added)": (
            LOOP,
            f"{REGISTRY}::test_operations_of_events_and_snapshots_can_be_approved",
        ),
        "operationsLoading(loading)": (f"{REGISTRY}::test_a_fetch_is_told_and_kept", f"{C}/cancel.c::events_are_right"),
        "called for all fetches": (
            f"{REGISTRY}::test_a_fetch_is_told_and_kept",
            f"{REGISTRY}::test_events_of_many_devices_come_once_and_in_order",
        ),
    },
    "Approve": {
        "with password": (f"{OPERATIONS}::test_approve_with_the_pin", LOOP),
        "with biometry": (f"{OPERATIONS}::test_approve_with_biometry",),
        "possession only (1FA)": (f"{OPERATIONS}::test_approve_with_possession",),
        "an operation from another channel": (
            f"{OPERATIONS}::test_approve_by_id_and_data",
            f"{SWIFT}/RequestVectorTests.swift::requests",
        ),
        "mobileTokenData in approve": (LOOP, f"{TOKEN_DATA}::test_data_goes_with_approval_and_rejection"),
        "MobileTokenData builder, record": (
            f"{SWIFT}/TokenDataVectorTests.swift::mobileTokenData",
            f"{C}/operations.c::token_data_are_built",
        ),
        "refuse a factor that the operation does not allow": (
            f"{OPERATIONS}::test_factors_that_the_operation_does_not_allow",
            f"{C}/operations.c::unknown_things_may_be_approved_only_knowingly",
        ),
        "removed from the list on success": (
            LOOP,
            f"{REGISTRY}::test_operations_of_events_and_snapshots_can_be_approved",
        ),
    },
    "Reject": {
        "reject(operation, reason), possession only": (f"{OPERATIONS}::test_reject",),
        "reasons unknown, incorrectData, unexpectedOperation": (f"{OPERATIONS}::test_reject",),
        "custom reason": (f"{OPERATIONS}::test_reject", f"{OPERATIONS}::test_reject_without_a_reason"),
        "reason PREAPPROVAL": (LOOP, f"{TOKEN_DATA}::test_data_goes_with_approval_and_rejection"),
        "reject with mobileTokenData": (LOOP, f"{TOKEN_DATA}::test_data_goes_with_approval_and_rejection"),
    },
    "Detail, claim, history, cancel": {
        "getDetail(operationId)": (f"{OPERATIONS}::test_detail",),
        "claim(operationId)": (f"{OPERATIONS}::test_claim", f"{REGISTRY}::test_a_claimed_operation_is_added"),
        "getHistory(authentication)": (f"{OPERATIONS}::test_history",),
        "WMTOperationHistoryEntry": (f"{OPERATIONS}::test_history",),
        "history may be unavailable on the server": (f"{OPERATIONS}::test_a_server_without_history",),
        "cancelling": (
            f"{C}/cancel.c::calls_are_cancelled_at_each_moment",
            f"{C}/cancel.c::calls_are_cancelled_in_the_row",
            f"{C}/cancel.c::sharers_cancel_for_themselves",
            f"{SWIFT}/EngineTests.swift::cancellingACallAtEachOfItsStages",
        ),
    },
    "Operation object": {
        "id, name, data": (f"{OPERATIONS}::test_the_data_of_a_payment", EACH_MEMBER),
        "operationCreated, operationExpires": (
            f"{OPERATIONS}::test_dates",
            f"{SWIFT}/OperationModelInstantTests.swift::",
        ),
        "formData: title, message, attributes": (f"{MODELS}::test_every_kind_of_the_showcase", EACH_MEMBER),
        "resultTexts success, failure, reject": (f"{MODELS}::test_result_texts",),
        "allowedSignatureType": (
            f"{SWIFT}/OperationModelMemberTests.swift::allows",
            f"{OPERATIONS}::test_an_unknown_signature_type",
        ),
        "status": (
            f"{OPERATIONS}::test_status_of_an_operation",
            f"{OPERATIONS}::test_an_unknown_status_is_approved_only_knowingly",
            f"{C}/operations.c::unknown_things_may_be_approved_only_knowingly",
        ),
        "statusReason": (f"{SWIFT}/OperationModelMemberTests.swift::statusReason",),
        "ui": (f"{MODELS}::test_ui_of_the_showcase", UI_VECTORS),
        "proximityCheck": (f"{SWIFT}/RegistryVectorTests.swift::whatIsAttachedGoesWithTheApproval",),
    },
    "Attributes": {
        "AMOUNT": (f"{MODELS}::test_amounts_are_exact", f"{SWIFT}/OperationModelAmountTests.swift::fallbacks"),
        "KEY_VALUE": (
            f"{MODELS}::test_every_kind_of_the_showcase",
            f"{SWIFT}/OperationModelMemberTests.swift::attributes",
        ),
        "NOTE": (f"{MODELS}::test_every_kind_of_the_showcase", f"{SWIFT}/OperationModelMemberTests.swift::attributes"),
        "HEADING": (f"{MODELS}::test_a_heading_without_a_level",),
        "PARTY_INFO": (f"{MODELS}::test_a_party_may_be_incomplete",),
        "AMOUNT_CONVERSION": (
            f"{MODELS}::test_a_conversion_with_formatted_texts",
            f"{SWIFT}/OperationModelMemberTests.swift::partyAndConversion",
        ),
        "IMAGE": (f"{MODELS}::test_an_image_whose_original_is_no_text",),
        "ALERT": (f"{MODELS}::test_alerts",),
        "UNKNOWN with label": (
            f"{MODELS}::test_an_attribute_of_a_later_server",
            f"{C}/operations.c::unknown_things_may_be_approved_only_knowingly",
        ),
        "one broken attribute": (f"{MODELS}::test_a_broken_attribute_is_left_out", EACH_MEMBER),
    },
    "UI data": {
        "flipButtons": (f"{MODELS}::test_ui_of_the_showcase", f"{MODELS}::test_ui_members_of_wrong_types_are_absent"),
        "blockApprovalOnCall": (f"{MODELS}::test_ui_of_the_showcase", f"{MODELS}::test_ui_of_risk_flags"),
        "preApprovalScreen": (f"{SWIFT}/OperationModelUITests.swift::legacy", UI_VECTORS),
        "preApprovalScreens": (
            f"{MODELS}::test_pre_approval_screens",
            f"{SWIFT}/OperationModelUITests.swift::precedence",
            UI_VECTORS,
        ),
        "pre-approval screens recorder": (f"{C}/operations.c::visits_are_recorded", f"{TOKEN_DATA}::test_the_recorder"),
        "postApprovalScreen REVIEW": (
            f"{MODELS}::test_post_approval_screens",
            f"{SWIFT}/OperationModelUITests.swift::payloads",
        ),
        "postApprovalScreen REDIRECT (MERCHANT_REDIRECT)": (
            f"{MODELS}::test_post_approval_screens",
            f"{SWIFT}/OperationModelUITests.swift::postApproval",
        ),
        "postApprovalScreen GENERIC": (f"{SWIFT}/OperationModelUITests.swift::payloads",),
        "templates list/detail, visual parser": (
            f"{MODELS}::test_templates",
            f"{SWIFT}/OperationVisualTests.swift::sectionsTakeTheirAttributesInOrderAndNoneIsLost",
            f"{TOKEN_DATA}::test_layout_and_added_members",
        ),
    },
    "What is signed (beyond)": {
        "decoded beside the form": (f"{PYTHON}/test_contradictions.py::test_what_is_signed_is_taken_apart",),
        "contradictions": (
            f"{SWIFT}/OperationContradictionTests.swift::eachLieHasItsContradiction",
            f"{SWIFT}/OperationContradictionTests.swift::whatIsHonestHasNone",
            f"{SWIFT}/OperationContradictionTests.swift::operationsOfTheVectorsAreHonest",
            f"{PYTHON}/test_contradictions.py::test_each_lie_is_refused_with_its_bit",
            f"{PYTHON}/test_contradictions.py::test_the_templates_of_the_dev_server_are_honest",
        ),
        "strict mode": (
            f"{C}/operations.c::contradictions_are_refused",
            f"{PYTHON}/test_contradictions.py::test_strict_refuses_a_contradiction",
            f"{PYTHON}/test_contradictions.py::test_a_strict_client_refuses_every_contradiction",
        ),
    },
    "Bad input (beyond)": {
        "vectors operations-list": (f"{SWIFT}/OperationModelVectorTests.swift::operations",),
        "each member wrong": (EACH_MEMBER, f"{SWIFT}/OperationModelMemberTests.swift::anyValue"),
        "one broken operation hides no other": (
            EACH_MEMBER,
            f"{C}/models.c::only_operations_are_forgiven",
            f"{C}/operations.c::broken_operations_are_reported",
        ),
        "lists of 0, 1, 100, 10,000": (
            f"{C}/models.c::lists_of_any_length",
            f"{SWIFT}/RegistryVectorTests.swift::listsOfAnySize",
        ),
    },
    "Proximity check": {
        "WMTProximityCheck totp, type, timestampReceived": (
            f"{SWIFT}/TokenDataVectorTests.swift::proximityChecks",
            f"{OPERATIONS}::test_proximity_check_goes_wrong",
        ),
        "types qrCode, deeplink": (f"{OPERATIONS}::test_proximity_check",),
        "SDK adds timestampSent": (f"{SWIFT}/TokenDataVectorTests.swift::proximityChecks",),
        "default protocol extension (none)": (f"{SWIFT}/RequestVectorTests.swift::requests",),
        "QR flow, deeplink flow": (
            f"{REGISTRY}::test_attached_data_goes_with_the_approval",
            f"{PAGE}::A code was scanned or a link opened",
        ),
        "synchronized time at approval": (
            f"{C}/clock.c::proximity_check_tells_server_time",
            f"{OPERATIONS}::test_proximity_check_from_the_future",
        ),
    },
    "Errors": {
        "reason, nested, HTTP, server error": (
            f"{SWIFT}/ErrorVectorTests.swift::errors",
            f"{C}/operations.c::errors_have_their_reasons",
            f"{C}/answers.c::every_call_meets_every_fault",
            f"{C}/tasks.c::failure_is_told_in_full",
        ),
        "known server codes": (f"{CALL_OPTIONS}::test_names_of_server_codes",),
        "networkIsNotReachable, networkConnectionIsNotTrusted": (
            f"{CALL_OPTIONS}::test_predicates_follow_from_the_members",
            f"{CALL_OPTIONS}::test_classes_of_network_failures",
            f"{C}/network.c::only_trusted_servers_are_spoken_to",
        ),
        "expired operations": (f"{CALL_OPTIONS}::test_an_expired_operation",),
    },
    "Expiration watcher": {
        "add, remove, removeAll, list, delegate, clock provider": (
            f"{SWIFT}/ExpirationVectorTests.swift::expirationWatcher",
            f"{C}/operations.c::watcher_reports_in_time",
            f"{C}/operations.c::watcher_goes_by_the_right_clock",
            f"{REGISTRY}::test_the_watcher_reports_what_expired",
            LOOP,
        ),
    },
    "Logging": {
        "levels, listener, follow level": (
            f"{C}/operations.c::logs_follow_their_level",
            f"{CALL_OPTIONS}::test_log_levels",
            f"{C}/events.c::only_wanted_kinds_come",
        ),
    },
}

NOT_IN_THE_REPLY = {
    *("json", "json_length", "signed_fields", "contradictions", "allows_biometry"),
    *("issues", "may_be_cut"),
}
"""Members that the library adds; besides, counts of lists and whether something was given."""


def test_the_header_tells_the_source_of_each_member() -> None:
    silent, members = [], 0
    for struct in HEADER.structs.values():
        for member in struct.members if struct.header == "mtoken/operation.h" else ():
            members += 1
            own = member.name in NOT_IN_THE_REPLY or re.search(r"^has_|count$", member.name)
            if not own and not re.search(r'"\w+"', " ".join(member.doc)):
                silent.append(f"{struct.name}.{member.name}")
    assert members > 110 and silent == []


ROWS = [pytest.param(places, id=f"{section}: {row}") for section, rows in TABLE.items() for row, places in rows.items()]


@pytest.mark.parametrize("places", ROWS)
def test_row_is_shown(places: Tuple[str, ...]) -> None:
    assert places
    for place in places:
        file, name = place.split("::")
        text = (ROOT / file).read_text(encoding="utf-8")
        if file.endswith(".md"):
            assert name in text, f"{file} no longer says so"
        else:
            test = rf"(def|func|static (void|bool)) {name}\(" if name else r"@Test"
            assert re.search(test, text), f"{place} is gone"
