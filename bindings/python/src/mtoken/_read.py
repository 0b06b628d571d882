# SPDX-License-Identifier: Apache-2.0
"""From the structs of the library to the models. Every function copies; only an operation keeps its origin alive."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Callable, Optional, Tuple, TypeVar

from . import abi as _c
from . import enums, models
from ._call import from_milliseconds, optional, read_error, required, sized
from .data import read_data

T = TypeVar("T")


def _tristate(value: int) -> Optional[bool]:
    return None if value == _c.MTOKEN_UNSET else value == _c.MTOKEN_YES


def _span(milliseconds: int) -> timedelta:
    """A time span; what no timedelta can hold becomes the longest."""
    try:
        return timedelta(milliseconds=milliseconds)
    except OverflowError:
        return timedelta.max if milliseconds > 0 else timedelta.min


def _json(value: Optional[bytes]) -> Any:
    return None if value is None else models.parse_json(required(value))


def _each(count: int, pointers: Any, read: Callable[[Any], T]) -> Tuple[T, ...]:
    return tuple(read(pointers[index].contents) for index in range(count))


def _texts(count: int, texts: Any) -> Tuple[str, ...]:
    return tuple(required(texts[index]) for index in range(count))


def activation_code(c: Any) -> models.ActivationCode:
    return models.ActivationCode(code=required(c.code), signature=optional(c.signature))


def activation(c: Any, user: Any) -> models.Activation:
    return models.Activation(
        activation_id=required(c.activation_id),
        fingerprint=required(c.fingerprint),
        recovery_code=optional(c.recovery_code),
        recovery_puk=optional(c.recovery_puk),
        custom_attributes=_json(c.custom_attributes),
        user_info=user_info(user.contents) if user else None,
        protocol=enums.Protocol(c.protocol_version),
        suite=enums.Suite(c.suite) if c.suite else None,
    )


def activation_status(c: Any) -> models.ActivationStatus:
    return models.ActivationStatus(
        state=enums.ActivationState(c.state),
        failed_attempts=c.failed_attempts,
        max_failed_attempts=c.max_failed_attempts,
        remaining_attempts=c.remaining_attempts,
        custom_object=_json(c.custom_object),
        upgrade_available=c.upgrade_available == 1,
        suite_withdrawn=c.suite_withdrawn == 1,
        biometry_enabled=c.biometry_enabled == 1,
        block_expires=from_milliseconds(c.block_expires) if c.block_is_temporary == 1 else None,
    )


def config(c: Any) -> models.Config:
    def entry(e: Any) -> models.ConfigEntry:
        return models.ConfigEntry(key=required(e.key), value=_json(e.value), scope=enums.Scope(e.scope))

    result = models.Config(_each(c.count, c.entries, entry))
    result.skipped, result.issues = c.skipped_count, _texts(c.issue_count, c.issues)
    return result


def client_info(c: Any) -> models.ClientInfo:
    known = c.status_known == 1
    return models.ClientInfo(
        id=required(c.id),
        state=enums.ClientState(c.state),
        protocol=enums.Protocol(c.protocol_version),
        activation_id=optional(c.activation_id),
        fingerprint=optional(c.fingerprint),
        has_biometry=c.has_biometry == 1,
        has_recovery_data=c.has_recovery_data == 1,
        time_synchronized=c.time_synchronized == 1,
        time_adjustment=_span(c.time_adjustment_ms),
        time=from_milliseconds(c.time),
        authenticators=_texts(c.authenticator_count, c.authenticators),
        uses_external_key=c.uses_external_key == 1,
        has_external_key=c.has_external_key == 1,
        user_info=_json(c.user_info),
        activation_state=enums.ActivationState(c.activation_state) if known else None,
        remaining_attempts=c.remaining_attempts if known else None,
        unacknowledged_signatures=c.unacknowledged_signatures,
        counter_window=c.counter_window or None,
        time_precision=_span(c.time_precision_ms) if c.time_precision_ms >= 0 else None,
        protection=enums.Protection(c.protection),
        suite=enums.Suite(c.suite) if c.suite else None,
        awaits_confirmation=c.awaits_confirmation == 1,
        awaits_upgrade_confirmation=c.awaits_upgrade_confirmation == 1,
        awaits_new_pin=c.awaits_new_pin == 1,
        awaits_new_biometry=c.awaits_new_biometry == 1,
        times_behind=c.times_behind,
    )


def activation_detail(c: Any) -> models.ActivationDetail:
    return models.ActivationDetail(
        activation_id=required(c.activation_id), activation_name=optional(c.activation_name) or None
    )


def recovery(c: Any) -> models.Recovery:
    return models.Recovery(code=required(c.code), puk=required(c.puk))


def user_info(c: Any) -> models.UserInfo:
    texts = {
        name: optional(getattr(c, name))
        for name in (
            *("sub", "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile"),
            *("picture", "website", "email", "gender", "zoneinfo", "locale", "phone_number"),
        )
    }
    claims = models.parse_json(sized(c.json, c.json_length))

    def said(name: str) -> Optional[bool]:
        claim = claims.get(name)
        return claim if isinstance(claim, bool) else None

    return models.UserInfo(
        **texts,
        email_verified=said("email_verified"),
        phone_number_verified=said("phone_number_verified"),
        birthdate=_date(optional(c.birthdate)),
        address=_user_address(c.address.contents) if c.address else None,
        updated_at=from_milliseconds(c.updated_at) if c.has_updated_at else None,
        claims=claims,
    )


def _user_address(c: Any) -> models.UserAddress:
    return models.UserAddress(**{name: optional(getattr(c, name)) for name, _ in c._fields_})


def _date(text: Optional[str]) -> Optional[date]:
    """A date; None also for one that no calendar has."""
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        return None


def header(c: Any) -> models.Header:
    return models.Header(required(c.name), sized(c.value, c.value_length))


# Operations


def _amount(c: Any) -> models.Amount:
    amount = optional(c.amount)
    return models.Amount(
        amount=None if amount is None else Decimal(amount),
        currency=optional(c.currency),
        amount_formatted=required(c.amount_formatted),
        currency_formatted=required(c.currency_formatted),
        value_formatted=optional(c.value_formatted),
    )


def _party(c: Any) -> models.Party:
    return models.Party(
        logo_url=optional(c.logo_url),
        name=optional(c.name),
        description=optional(c.description),
        website_url=optional(c.website_url),
    )


def attribute(c: Any) -> models.Attribute:
    kind = enums.AttributeType(c.kind)
    common = (kind, optional(c.kind_text), optional(c.id), optional(c.label), optional(c.json))
    if kind is enums.AttributeType.AMOUNT:
        return models.AmountAttribute(*common, amount=_amount(c.amount.contents))
    if kind is enums.AttributeType.AMOUNT_CONVERSION:
        return models.AmountConversionAttribute(
            *common,
            source=_amount(c.amount.contents),
            target=_amount(c.target.contents),
            dynamic=c.is_dynamic == _c.MTOKEN_YES,
        )
    if kind is enums.AttributeType.KEY_VALUE:
        return models.KeyValueAttribute(*common, value=required(c.value))
    if kind is enums.AttributeType.NOTE:
        return models.NoteAttribute(*common, note=required(c.value))
    if kind is enums.AttributeType.HEADING:
        return models.HeadingAttribute(*common, level=c.heading_level)
    if kind is enums.AttributeType.PARTY_INFO:
        return models.PartyInfoAttribute(*common, party=_party(c.party.contents))
    if kind is enums.AttributeType.IMAGE:
        return models.ImageAttribute(
            *common, thumbnail_url=required(c.thumbnail_url), original_url=optional(c.original_url)
        )
    if kind is enums.AttributeType.ALERT:
        return models.AlertAttribute(
            *common,
            alert_type=enums.AlertType(c.alert_kind),
            alert_type_text=optional(c.alert_kind_text),
            title=optional(c.alert_title),
            message=optional(c.alert_message),
        )
    return models.Attribute(*common)


def _element(c: Any) -> models.ScreenElement:
    return models.ScreenElement(
        type=enums.ElementType(c.kind),
        type_text=optional(c.kind_text),
        id=optional(c.id),
        text=optional(c.text),
        icon=optional(c.icon),
        style=optional(c.style),
        action=optional(c.action),
        action_settings=optional(c.action_settings),
        href=optional(c.href),
    )


def _controls(c: Any) -> models.ScreenControls:
    return models.ScreenControls(
        flip=_tristate(c.flip),
        axis=optional(c.axis),
        decline_type=optional(c.decline_kind),
        decline_text=optional(c.decline_text),
        approve_type=optional(c.approve_kind),
        approve_text=optional(c.approve_text),
        approve_counter=None if c.approve_counter_s == _c.MTOKEN_UNSET else c.approve_counter_s,
    )


def _pre_approval_screen(c: Any) -> models.PreApprovalScreen:
    return models.PreApprovalScreen(
        type=enums.ScreenType(c.kind),
        type_text=optional(c.kind_text),
        id=optional(c.id),
        heading=required(c.heading),
        message=required(c.message),
        back_button=_tristate(c.back_button),
        image=optional(c.image),
        elements=_each(c.element_count, c.elements, _element) if c.has_elements == 1 else None,
        controls=_controls(c.controls.contents) if c.controls else None,
    )


def _legacy_screen(c: Any) -> models.LegacyScreen:
    return models.LegacyScreen(
        type=enums.ScreenType(c.kind),
        type_text=optional(c.kind_text),
        heading=required(c.heading),
        message=required(c.message),
        items=_texts(c.item_count, c.items) if c.has_items == 1 else None,
        approval_type_text=optional(c.approval_kind_text),
    )


def _post_approval_screen(c: Any) -> models.PostApprovalScreen:
    return models.PostApprovalScreen(
        type=enums.PostScreenType(c.kind),
        type_text=optional(c.kind_text),
        heading=optional(c.heading),
        message=optional(c.message),
        attributes=_each(c.attribute_count, c.attributes, attribute),
        redirect_text=optional(c.redirect_text),
        redirect_url=optional(c.redirect_url),
        countdown=c.countdown_s,
        payload=optional(c.payload),
    )


def _cell(c: Any) -> models.TemplateCell:
    return models.TemplateCell(
        name=optional(c.name),
        style=optional(c.style),
        visible_title=_tristate(c.visible_title),
        can_copy=_tristate(c.can_copy),
        collapsable=optional(c.collapsable),
        centered=_tristate(c.is_centered),
    )


def _section(c: Any) -> models.TemplateSection:
    return models.TemplateSection(
        style=optional(c.style),
        title=optional(c.title),
        cells=_each(c.cell_count, c.cells, _cell) if c.has_cells == 1 else None,
    )


def _templates(c: Any) -> models.Templates:
    list_template = detail_template = None
    if c.has_list == 1:
        list_template = models.ListTemplate(
            style=optional(c.list_style),
            header=optional(c.list_header),
            title=optional(c.list_title),
            message=optional(c.list_message),
            image=optional(c.list_image),
        )
    if c.has_detail == 1:
        detail_template = models.DetailTemplate(
            style=optional(c.detail_style),
            show_title_and_message=_tristate(c.show_title_and_message),
            sections=_each(c.section_count, c.sections, _section) if c.has_sections == 1 else None,
        )
    return models.Templates(list=list_template, detail=detail_template)


def _ui(c: Any) -> models.OperationUI:
    screens = None
    if c.has_pre_approval_screens == 1:
        screens = _each(c.pre_approval_screen_count, c.pre_approval_screens, _pre_approval_screen)
    return models.OperationUI(
        flip_buttons=_tristate(c.flip_buttons),
        block_approval_on_call=_tristate(c.block_approval_on_call),
        pre_approval_screens=screens,
        legacy_pre_approval_screen=(
            _legacy_screen(c.legacy_pre_approval_screen.contents) if c.legacy_pre_approval_screen else None
        ),
        post_approval_screen=_post_approval_screen(c.post_approval_screen.contents) if c.post_approval_screen else None,
        templates=_templates(c.templates.contents) if c.templates else None,
    )


class NativeOperation:
    """A pointer to the library's operation, and the task in whose memory it lives."""

    def __init__(self, pointer: Any, owner: object):
        self.pointer = pointer
        self._owner = owner


def operation(pointer: Any, owner: object) -> models.Operation:
    c = pointer.contents
    found = models.Operation(
        id=required(c.id),
        name=required(c.name),
        data=required(c.operation_data),
        status=enums.OperationStatus(c.status),
        status_text=optional(c.status_text),
        status_reason=optional(c.status_reason),
        created=from_milliseconds(c.created),
        expires=from_milliseconds(c.expires),
        signature_type=enums.SignatureType(c.signature_type),
        signature_type_text=optional(c.signature_type_text),
        variants=enums.Variant(c.variants),
        unknown_variants=_texts(c.unknown_variant_count, c.unknown_variants),
        biometry_allowed=c.allows_biometry == 1,
        title=optional(c.title),
        message=required(c.message),
        attributes=_each(c.attribute_count, c.attributes, attribute),
        result_texts=models.ResultTexts(
            success=optional(c.result_success), failure=optional(c.result_failure), reject=optional(c.result_reject)
        ),
        ui=_ui(c.ui.contents) if c.ui else None,
        json=sized(c.json, c.json_length),
        signed_data=read_data(c.signed_fields.contents) if c.signed_fields else None,
        contradictions=enums.Contradiction(c.contradictions),
        issues=_texts(c.issue_count, c.issues),
        summary=required(c.summary),
    )
    return found._of(NativeOperation(pointer, owner))


def operation_list(c: Any, owner: object) -> models.OperationList:
    return models.OperationList(
        operations=_operations(c.count, c.operations, owner),
        skipped=c.skipped_count,
        server_time=from_milliseconds(c.server_time) if c.has_server_time == 1 else None,
        issues=_texts(c.issue_count, c.issues),
        further_issues=c.further_issue_count,
        may_be_cut=c.may_be_cut == 1,
    )


# Mobile authentication


def mobile_auth_request(c: Any, owner: object) -> models.MobileAuthRequest:
    return models.MobileAuthRequest(
        transaction_id=required(c.transaction_id),
        profile=required(c.profile),
        date=None if c.date < 0 else from_milliseconds(c.date),
        time_to_live=None if c.time_to_live_s < 0 else _span(c.time_to_live_s * 1000),
        type=optional(c.operation_name),
        message=optional(c.message),
        user_info=sized(c.user_info, c.user_info_length) if c.user_info else None,
        operation=operation(c.operation, owner) if c.operation else None,
    )


def mobile_auth_list(c: Any, owner: object) -> Tuple[models.MobileAuthRequest, ...]:
    return tuple(mobile_auth_request(c.requests[index].contents, owner) for index in range(c.count))


def mobile_auth_outcome(c: Any, owner: object) -> models.MobileAuthOutcome:
    return models.MobileAuthOutcome(
        request=mobile_auth_request(c.request.contents, owner),
        error=enums.MobileAuthErrorCode(c.error),
        denied=c.is_denied == 1,
        authenticator=enums.AuthenticatorType(c.authenticator_kind),
        authenticator_name=optional(c.authenticator_name),
        custom_info=optional(c.custom_info),
        server_info=optional(c.server_info),
    )


def authenticator_list(c: Any) -> Tuple[models.KnownAuthenticator, ...]:
    return tuple(_authenticator(c.authenticators[index].contents) for index in range(c.count))


def _authenticator(c: Any) -> models.KnownAuthenticator:
    return models.KnownAuthenticator(
        kind=enums.AuthenticatorType(c.kind),
        name=optional(c.name),
        registered=c.is_registered == 1,
        preferred=c.is_preferred == 1,
    )


# Push and inbox


def push_message(c: Any) -> models.PushMessage:
    finished = c.kind == _c.MTOKEN_PUSH_KIND_OPERATION_FINISHED
    return models.PushMessage(
        kind=enums.PushKind(c.kind),
        operation_id=optional(c.operation_id),
        operation_name=optional(c.operation_name),
        result=enums.PushResult(c.result) if finished else None,
        result_text=optional(c.result_text),
        inbox_id=optional(c.inbox_id),
        title=optional(c.title),
        body=optional(c.body),
        activation_id=optional(c.activation_id),
        silent=_tristate(c.is_silent),
        json=sized(c.json, c.json_length),
    )


def inbox_message(c: Any) -> models.InboxMessage:
    return models.InboxMessage(
        id=required(c.id),
        subject=required(c.subject),
        summary=required(c.summary),
        body=optional(c.body),
        type=enums.InboxType(c.format),
        type_text=optional(c.format_text),
        read=c.is_read == 1,
        created=from_milliseconds(c.created),
    )


def inbox_list(c: Any) -> models.InboxList:
    return models.InboxList(
        messages=_each(c.count, c.messages, inbox_message), skipped=c.skipped_count, more=c.may_have_more == 1
    )


def _operations(count: int, pointers: Any, owner: object) -> Tuple[models.Operation, ...]:
    return tuple(operation(pointers[index], owner) for index in range(count))


def operations_change(c: Any, owner: object) -> models.OperationsChange:
    return models.OperationsChange(
        operations=_operations(c.count, c.operations, owner),
        added=_operations(c.added_count, c.added, owner),
        removed=_operations(c.removed_count, c.removed, owner),
        updated=_operations(c.updated_count, c.updated, owner),
    )


def known_operations(c: Any, owner: object) -> models.KnownOperations:
    return models.KnownOperations(
        operations=_operations(c.count, c.operations, owner),
        loading=c.is_loading == 1,
        last_fetch=None if c.last_fetch == _c.MTOKEN_FETCH_NONE else from_milliseconds(c.last_fetch_time),
        last_error=read_error(c.last_error.contents) if c.last_error else None,
        skipped=c.skipped_count,
        server_time=from_milliseconds(c.server_time) if c.has_server_time == 1 else None,
        polling=enums.Polling(c.polling),
        polling_interval=_span(c.polling_interval_ms) if c.polling_interval_ms else None,
        may_be_cut=c.may_be_cut == 1,
    )


def watched(c: Any) -> models.Watched:
    return models.Watched(id=required(c.id), data=required(c.operation_data), expires=from_milliseconds(c.expires))


def watched_list(c: Any) -> Tuple[models.Watched, ...]:
    return _each(c.count, c.items, watched)


def _visual_cell(c: Any) -> models.VisualCell:
    return models.VisualCell(
        kind=enums.CellKind(c.kind),
        text=optional(c.text),
        attribute=attribute(c.attribute.contents) if c.attribute else None,
        layout=_cell(c.layout.contents) if c.layout else None,
    )


def _visual_section(c: Any) -> models.VisualSection:
    return models.VisualSection(
        style=optional(c.style), title=optional(c.title), cells=_each(c.cell_count, c.cells, _visual_cell)
    )


def visual(c: Any) -> models.Visual:
    return models.Visual(
        list_header=optional(c.list_header),
        list_title=optional(c.list_title),
        list_message=optional(c.list_message),
        list_image_url=optional(c.list_image_url),
        list_style=optional(c.list_style),
        detail_style=optional(c.detail_style),
        sections=_each(c.section_count, c.sections, _visual_section),
    )


def trace(c: Any) -> models.Trace:
    return models.Trace(
        stage=enums.TraceStage(c.stage),
        request=c.request_number,
        call=required(c.call),
        url=required(c.url),
        header_names=tuple(required(c.header_names).split(", ")),
        request_size=c.request_size,
        http_status=c.http_status or None,
        answer_size=c.answer_size,
        started=_span(c.started_ms),
        finished=_span(c.finished_ms),
        reused_connection=c.reused_connection == 1,
        correlation_id=optional(c.correlation_id),
        rate_limit=optional(c.rate_limit),
        rate_remaining=optional(c.rate_remaining),
        rate_reset=optional(c.rate_reset),
        retry_after=optional(c.retry_after),
        error=read_error(c.error.contents) if c.error else None,
    )
