# SPDX-License-Identifier: Apache-2.0
"""The results of calls, as frozen dataclasses.

Texts are as the server sent them; None means that the server omitted them. Members whose names end in `_text` hold the
raw value of a decoded member. Times are UTC and know it; amounts are exact decimals.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Dict, Iterator, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, overload

from ._arguments import checked
from ._model import Model
from .data import OperationData
from .enums import (
    ActivationState,
    AlertType,
    AttributeType,
    AuthenticatorType,
    CellKind,
    ClientState,
    Contradiction,
    ElementType,
    InboxType,
    MobileAuthErrorCode,
    OperationStatus,
    Polling,
    PostScreenType,
    Protection,
    Protocol,
    PushKind,
    PushResult,
    Scope,
    ScreenType,
    SignatureType,
    Suite,
    TraceStage,
    Variant,
)
from .errors import MTokenError


def parse_json(text: str) -> Any:
    """JSON with exact numbers: a number with a point or exponent becomes a Decimal."""
    return json.loads(text, parse_float=Decimal)


class Header(NamedTuple):
    """An HTTP header: `headers = dict([client.sign(…)])`. Its repr hides the value: it proves who sends a request."""

    name: str
    value: str

    def __repr__(self) -> str:
        return f"Header(name={self.name!r})"


@dataclass(frozen=True)
class ActivationCode(Model):
    """A parsed activation code."""

    code: str
    """ "XXXXX-XXXXX-XXXXX-XXXXX" """
    signature: Optional[str]
    """Base64 of the server's signature in the QR form; None: typed form."""


@dataclass(frozen=True)
class Activation(Model):
    """The result of `Client.activate`."""

    activation_id: str
    fingerprint: str
    """Eight digits: compare with those the bank shows."""
    recovery_code: Optional[str] = field(repr=False)
    recovery_puk: Optional[str] = field(repr=False)
    custom_attributes: Optional[Mapping[str, Any]]
    user_info: Optional[UserInfo]
    """None: the bank gave no claims with the activation."""
    protocol: Protocol
    suite: Optional[Suite]
    """None: protocol 3."""


@checked
@dataclass(frozen=True)
class Recovery(Model):
    """A recovery code and its PUK."""

    code: str = field(repr=False)
    puk: str = field(repr=False)


@dataclass(frozen=True)
class UserAddress(Model):
    """A postal address; lines end with LF."""

    formatted: Optional[str]
    street_address: Optional[str]
    locality: Optional[str]
    region: Optional[str]
    postal_code: Optional[str]
    country: Optional[str]


@dataclass(frozen=True)
class UserInfo(Model):
    """Claims about the user, named as in OpenID Connect."""

    sub: Optional[str]
    name: Optional[str]
    given_name: Optional[str]
    family_name: Optional[str]
    middle_name: Optional[str]
    nickname: Optional[str]
    preferred_username: Optional[str]
    profile: Optional[str]
    picture: Optional[str]
    website: Optional[str]
    email: Optional[str]
    email_verified: Optional[bool]
    """None: the bank does not say."""
    gender: Optional[str]
    birthdate: Optional[date]
    zoneinfo: Optional[str]
    locale: Optional[str]
    phone_number: Optional[str]
    phone_number_verified: Optional[bool]
    address: Optional[UserAddress]
    updated_at: Optional[datetime]
    claims: Mapping[str, Any]
    """All of them, with the bank's own."""


@dataclass(frozen=True)
class ActivationStatus(Model):
    """The state of an activation at the server."""

    state: ActivationState
    failed_attempts: int
    max_failed_attempts: int
    remaining_attempts: int
    """0 unless the activation is active."""
    custom_object: Optional[Mapping[str, Any]]
    upgrade_available: bool = False
    """The activation can be upgraded to protocol 4.0."""
    suite_withdrawn: bool = False
    """The server no longer offers the suite of this activation, which continues to work. Protocol 4.0 only."""
    biometry_enabled: bool = False
    """The server accepts the biometry factor. Protocol 4.0 only."""
    block_expires: Optional[datetime] = None
    """When a temporary block ends; None: there is none, or it does not end by itself."""


@dataclass(frozen=True)
class ConfigEntry(Model):
    """An entry of the configuration that the bank keeps for its application."""

    key: str
    value: Any
    scope: Scope
    """Whom it is for."""


class Config(Tuple[ConfigEntry, ...]):
    """The entries of the configuration that the bank keeps for its application, without those that are unreadable."""

    skipped: int
    """Entries that were unreadable and dropped."""
    issues: Tuple[str, ...]
    """Which and why, e.g. "entry 3: key: missing"; at most 100."""


@dataclass(frozen=True)
class ClientInfo(Model):
    """A snapshot of a client on this device."""

    id: str
    state: ClientState
    protocol: Protocol
    activation_id: Optional[str]
    fingerprint: Optional[str]
    """Eight digits to compare with the server's."""
    has_biometry: bool
    has_recovery_data: bool
    time_synchronized: bool
    time_adjustment: timedelta
    """Server time minus device time."""
    time: datetime
    """The server's current time; the device's time while not synchronised."""
    authenticators: Tuple[str, ...]
    """The named authenticators that have a copy of the biometry factor."""
    uses_external_key: bool
    """PIN and biometry require the external encryption key."""
    has_external_key: bool
    """It is set on this client."""
    user_info: Optional[Mapping[str, Any]]
    """The claims that this client received last."""
    activation_state: Optional[ActivationState]
    """From the last status that this client fetched; None: none yet."""
    remaining_attempts: Optional[int]
    unacknowledged_signatures: int
    """Signatures, including offline codes, that the server has not acknowledged; 255: beyond the server's window."""
    counter_window: Optional[int]
    """The server's look-ahead window; None: unknown until a status is fetched."""
    time_precision: Optional[timedelta] = None
    """Maximum error of `time`: half of the round trip that determined it; None: not synchronised."""
    protection: Protection = Protection.NONE
    """Where the device secret is kept."""
    suite: Optional[Suite] = None
    """Of protocol 4.0; None: none."""
    awaits_confirmation: bool = False
    """The activation is not known to be confirmed: `wait_active` needs the PIN if another process persisted it."""
    awaits_upgrade_confirmation: bool = False
    """The upgrade is not known to be confirmed."""
    awaits_new_pin: bool = False
    """A change of the PIN was interrupted: call `factors.validate_pin` with the new PIN."""
    awaits_new_biometry: bool = False
    """The server is not known to have accepted a new biometry key: use it, or add the factor again."""
    times_behind: int = 0
    """How often this client, since it was opened, found the server's counter ahead of its own: another copy of its
    state has signed, or an older state was restored."""


@dataclass(frozen=True)
class ActivationDetail(Model):
    """How the bank names an activation."""

    activation_id: str
    activation_name: Optional[str]
    """The name under which the bank shows this device."""


@dataclass(frozen=True)
class Amount(Model):
    """An amount with its currency. Show the formatted texts."""

    amount: Optional[Decimal]
    """None: the server's amount is not a number."""
    currency: Optional[str]
    amount_formatted: str
    currency_formatted: str
    value_formatted: Optional[str]
    """Amount and currency as the bank writes them."""


@dataclass(frozen=True)
class Party(Model):
    """The other side of an operation, e.g. a merchant."""

    logo_url: Optional[str]
    name: Optional[str]
    description: Optional[str]
    website_url: Optional[str]


@dataclass(frozen=True)
class Attribute(Model):
    """One row of an operation's form. A row of a kind that this version does not know is of exactly this class."""

    type: AttributeType
    type_text: Optional[str]
    id: Optional[str]
    label: Optional[str]
    json: Optional[str] = field(repr=False)
    """The whole attribute as the server sent it, if this version does not know its type; else None."""


@dataclass(frozen=True)
class AmountAttribute(Attribute):
    """An amount of money."""

    amount: Amount


@dataclass(frozen=True)
class AmountConversionAttribute(Attribute):
    """An amount, and what it becomes in another currency."""

    source: Amount
    target: Amount
    dynamic: bool
    """The rate may still change."""


@dataclass(frozen=True)
class KeyValueAttribute(Attribute):
    """A short text."""

    value: str


@dataclass(frozen=True)
class NoteAttribute(Attribute):
    """A longer text."""

    note: str


@dataclass(frozen=True)
class HeadingAttribute(Attribute):
    """The label is the text."""

    level: int


@dataclass(frozen=True)
class PartyInfoAttribute(Attribute):
    """The other side of the operation."""

    party: Party


@dataclass(frozen=True)
class ImageAttribute(Attribute):
    """An image, by its address."""

    thumbnail_url: str
    original_url: Optional[str]


@dataclass(frozen=True)
class AlertAttribute(Attribute):
    """A highlighted message."""

    alert_type: AlertType
    alert_type_text: Optional[str]
    title: Optional[str]
    message: Optional[str]


@dataclass(frozen=True)
class ScreenElement(Model):
    """Something on a pre-approval screen."""

    type: ElementType
    type_text: Optional[str]
    id: Optional[str]
    text: Optional[str]
    icon: Optional[str]
    style: Optional[str]
    action: Optional[str]
    action_settings: Optional[str]
    href: Optional[str]


@dataclass(frozen=True)
class ScreenControls(Model):
    """The approve and decline controls of a pre-approval screen."""

    flip: Optional[bool]
    """Swap the approve and reject buttons."""
    axis: Optional[str]
    decline_type: Optional[str]
    decline_text: Optional[str]
    approve_type: Optional[str]
    approve_text: Optional[str]
    approve_counter: Optional[int]
    """Seconds until the control becomes active."""


@dataclass(frozen=True)
class PreApprovalScreen(Model):
    """A screen to show before the operation can be approved."""

    type: ScreenType
    type_text: Optional[str]
    id: Optional[str]
    heading: str
    message: str
    back_button: Optional[bool]
    image: Optional[str]
    elements: Optional[Tuple[ScreenElement, ...]]
    """None: the server gave no list."""
    controls: Optional[ScreenControls]


@dataclass(frozen=True)
class LegacyScreen(Model):
    """The older, single pre-approval screen as sent. `pre_approval_screens` contains it in converted form."""

    type: ScreenType
    type_text: Optional[str]
    heading: str
    message: str
    items: Optional[Tuple[str, ...]]
    approval_type_text: Optional[str]


@dataclass(frozen=True)
class PostApprovalScreen(Model):
    """A screen to show after the approval."""

    type: PostScreenType
    type_text: Optional[str]
    heading: Optional[str]
    message: Optional[str]
    attributes: Tuple[Attribute, ...]
    redirect_text: Optional[str]
    redirect_url: Optional[str]
    countdown: int
    """Seconds before the redirection."""
    payload: Optional[str]
    """The payload as JSON."""


@dataclass(frozen=True)
class TemplateCell(Model):
    """One cell of a template; `name` is the id of an attribute."""

    name: Optional[str]
    style: Optional[str]
    visible_title: Optional[bool]
    can_copy: Optional[bool]
    collapsable: Optional[str]
    centered: Optional[bool]


@dataclass(frozen=True)
class TemplateSection(Model):
    """A section of the detail, with its own title."""

    style: Optional[str]
    title: Optional[str]
    """Id of an attribute."""
    cells: Optional[Tuple[TemplateCell, ...]]


@dataclass(frozen=True)
class ListTemplate(Model):
    """How a row of a list of operations is laid out; texts are formats with ${attribute id}."""

    style: Optional[str]
    header: Optional[str]
    title: Optional[str]
    message: Optional[str]
    image: Optional[str]
    """Id of an IMAGE attribute."""


@dataclass(frozen=True)
class DetailTemplate(Model):
    """How the detail of an operation is laid out."""

    style: Optional[str]
    show_title_and_message: Optional[bool]
    sections: Optional[Tuple[TemplateSection, ...]]


@dataclass(frozen=True)
class Templates(Model):
    """The bank's layout of an operation, in a list and in its detail."""

    list: Optional[ListTemplate]
    detail: Optional[DetailTemplate]


@dataclass(frozen=True)
class OperationUI(Model):
    """The bank's hints for presenting the operation."""

    flip_buttons: Optional[bool]
    block_approval_on_call: Optional[bool]
    pre_approval_screens: Optional[Tuple[PreApprovalScreen, ...]]
    legacy_pre_approval_screen: Optional[LegacyScreen]
    post_approval_screen: Optional[PostApprovalScreen]
    templates: Optional[Templates]


@dataclass(frozen=True)
class ResultTexts(Model):
    """Texts to show at the end; None: use your own."""

    success: Optional[str]
    failure: Optional[str]
    reject: Optional[str]


@dataclass(frozen=True)
class Operation(Model):
    """An operation that the user is asked to approve."""

    id: str
    name: str
    """Type of the operation at the bank, e.g. "login"."""
    data: str
    """The content to approve, sent back unchanged."""
    status: OperationStatus
    status_text: Optional[str]
    status_reason: Optional[str]
    created: datetime
    expires: datetime
    signature_type: SignatureType
    signature_type_text: Optional[str]
    variants: Variant
    unknown_variants: Tuple[str, ...]
    biometry_allowed: bool
    title: Optional[str]
    message: str
    attributes: Tuple[Attribute, ...]
    result_texts: ResultTexts
    ui: Optional[OperationUI]
    json: str = field(repr=False)
    """The whole operation as the server sent it, including members that a bank added."""
    signed_data: Optional[OperationData] = None
    """`data` parsed into fields: what is signed; None: it has another form."""
    contradictions: Contradiction = Contradiction.NONE
    """Contradictions between what is displayed and what is signed."""
    issues: Tuple[str, ...] = ()
    """Parts that are unreadable and were dropped, e.g. "attribute 1: value: missing", and texts with an unresolved
    `${name}`, e.g. "formData.title: unresolved"."""
    summary: str = ""
    """The signed content in lines, from `data` alone: show it above the question for the PIN."""

    def document(self) -> Dict[str, Any]:
        """The decoded `json`."""
        document: Dict[str, Any] = parse_json(self.json)
        return document

    def __reduce__(self) -> Tuple[Any, ...]:
        members = {item.name: getattr(self, item.name) for item in fields(self)}
        return _rebuild, (members,)

    @property
    def native(self) -> Any:
        """The library's own object, which `Operations.authorize` signs; None: the library did not give this one."""
        return self.__dict__.get("_native")

    def _of(self, native: Any) -> Operation:
        """The same, which keeps the library's object."""
        object.__setattr__(self, "_native", native)
        return self


def _rebuild(members: Dict[str, Any]) -> Operation:
    return Operation(**members)


@dataclass(frozen=True)
class OperationList(Model, Sequence[Operation]):
    """Operations in the server's order."""

    operations: Tuple[Operation, ...]
    skipped: int
    """Operations that were unreadable and dropped."""
    server_time: Optional[datetime]
    issues: Tuple[str, ...]
    """Parts that were unreadable and dropped, e.g. "operation 3: attribute 1: value: missing", and texts that the
    server did not complete: the first 20 of each operation, 100 in total."""
    further_issues: int = 0
    """Issues beyond those listed."""
    may_be_cut: bool = False
    """The server sent 100, the most that it ever sends: there may be more."""

    def __len__(self) -> int:
        return len(self.operations)

    def __iter__(self) -> Iterator[Operation]:
        return iter(self.operations)

    @overload
    def __getitem__(self, index: int) -> Operation: ...

    @overload
    def __getitem__(self, index: slice) -> Tuple[Operation, ...]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Operation, Tuple[Operation, ...]]:
        return self.operations[index]


# Mobile authentication


@dataclass(frozen=True)
class MobileAuthRequest(Model):
    """A request of a portal, as a push announces it or as the server holds it."""

    transaction_id: str
    profile: str
    """The id of the client."""
    date: Optional[datetime]
    """When it was sent; None: the push does not say."""
    time_to_live: Optional[timedelta]
    """How long it is valid from then on; None: the push does not say."""
    type: Optional[str]
    """The operation's name, which distinguishes login from payment."""
    message: Optional[str]
    """From the server: complete; from a push: what it displays."""
    user_info: Optional[str] = field(repr=False)
    """The payload of the push."""
    operation: Optional[Operation]
    """None: known from a push only."""


@dataclass(frozen=True)
class MobileAuthOutcome(Model):
    """How the handling of a request ended."""

    request: MobileAuthRequest
    error: MobileAuthErrorCode
    denied: bool
    """The request was rejected at the server."""
    authenticator: AuthenticatorType
    """Used, or asked for last."""
    authenticator_name: Optional[str]
    custom_info: Optional[str]
    """Information from a custom authenticator that fell back to the PIN."""
    server_info: Optional[str] = None
    """The server's information about the last answer, accepted or not: JSON ("customInfo" of its response)."""


@dataclass(frozen=True)
class KnownAuthenticator(Model):
    """An authenticator of a client."""

    kind: AuthenticatorType
    name: Optional[str]
    """Of a custom one."""
    registered: bool
    """It can answer a challenge."""
    preferred: bool
    """A request that allows all authenticators asks for it first."""


# Push and inbox


@dataclass(frozen=True)
class PushMessage(Model):
    """The content of a push message. Anyone can send one: treat it only as a hint to ask the server."""

    kind: PushKind
    operation_id: Optional[str]
    operation_name: Optional[str]
    """The operation's type."""
    result: Optional[PushResult]
    """How an operation has ended."""
    result_text: Optional[str]
    inbox_id: Optional[str]
    title: Optional[str]
    """Displayed text; None unless the payload has both title and body."""
    body: Optional[str]
    activation_id: Optional[str]
    """The activation that the message is for; None: not sent."""
    silent: Optional[bool]
    """Whether nothing is shown to the user; None: the payload does not say."""
    json: str = field(repr=False)
    """The whole payload."""


@dataclass(frozen=True)
class InboxMessage(Model):
    """A message from the bank to the user."""

    id: str
    subject: str
    summary: str
    body: Optional[str]
    """Only in the result of `Inbox.detail`."""
    type: InboxType
    type_text: Optional[str]
    read: bool
    created: datetime


@dataclass(frozen=True)
class InboxList(Model, Sequence[InboxMessage]):
    """Messages, in the order of the server."""

    messages: Tuple[InboxMessage, ...]
    skipped: int
    """Messages that were unreadable and dropped."""
    more: bool = False
    """`Inbox.all` has reached a limit: there may be more messages."""

    def __len__(self) -> int:
        return len(self.messages)

    @overload
    def __getitem__(self, index: int) -> InboxMessage: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[InboxMessage]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[InboxMessage, Sequence[InboxMessage]]:
        return self.messages[index]

    def __iter__(self) -> Iterator[InboxMessage]:
        return iter(self.messages)


@dataclass(frozen=True)
class OperationsChange(Model):
    """Changes to the operations that a client tracks."""

    operations: Tuple[Operation, ...]
    """All operations tracked now, in the server's order."""
    added: Tuple[Operation, ...]
    removed: Tuple[Operation, ...]
    """As they were."""
    updated: Tuple[Operation, ...]
    """Tracked before and now, with changed contents; as they are now."""


@dataclass(frozen=True)
class KnownOperations(Model):
    """The operations that a client tracks."""

    operations: Tuple[Operation, ...]
    """In the server's order."""
    loading: bool
    """A fetch is in progress."""
    last_fetch: Optional[datetime]
    """Device time when the last fetch ended; None: there was none."""
    last_error: Optional[MTokenError]
    """Why the last fetch failed; None: it did not."""
    skipped: int
    """Operations of the last fetch that were unreadable."""
    server_time: Optional[datetime]
    polling: Polling
    polling_interval: Optional[timedelta]
    may_be_cut: bool = False
    """The last fetch returned 100, the most that a server sends: there may be more."""


@checked
@dataclass(frozen=True)
class Watched(Model):
    """Something that expires."""

    id: str
    data: str
    expires: datetime


@dataclass(frozen=True)
class VisualCell(Model):
    """One cell of a laid-out operation."""

    kind: CellKind
    text: Optional[str]
    """The title, message, heading, or value as one text; None: the attribute has none."""
    attribute: Optional[Attribute]
    """None: title or message."""
    layout: Optional[TemplateCell]
    """The template's entry for this cell."""


@dataclass(frozen=True)
class VisualSection(Model):
    """A section of a laid-out detail."""

    style: Optional[str]
    title: Optional[str]
    cells: Tuple[VisualCell, ...]


@dataclass(frozen=True)
class Visual(Model):
    """An operation in the bank's layout, or in the default one."""

    list_header: Optional[str]
    list_title: Optional[str]
    list_message: Optional[str]
    list_image_url: Optional[str]
    list_style: Optional[str]
    detail_style: Optional[str]
    sections: Tuple[VisualSection, ...]


@dataclass(frozen=True)
class Trace(Model):
    """A request or its response, without bodies and secrets."""

    stage: TraceStage
    request: int
    """Connects the stages of one request."""
    call: str
    url: str
    header_names: Tuple[str, ...]
    request_size: int
    http_status: Optional[int]
    answer_size: int
    started: timedelta
    """When the transfer began, after the request was handed over."""
    finished: timedelta
    reused_connection: bool
    correlation_id: Optional[str]
    rate_limit: Optional[str]
    rate_remaining: Optional[str]
    rate_reset: Optional[str]
    retry_after: Optional[str]
    error: Optional[MTokenError]
