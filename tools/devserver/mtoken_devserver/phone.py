# SPDX-License-Identifier: Apache-2.0
"""A phone beside the bank: libmtoken in this process, with buttons in the place of a host's program.

It speaks to this server over the network like every other device, and it knows nothing that they do not know. Needs the
Python package `mtoken` with its library; without them a screen says so.
"""

from __future__ import annotations

import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional

from . import codes, errors, model
from .changes import AGENT

if TYPE_CHECKING:
    from .server import Server

View = Dict[str, Any]
Form = Dict[str, str]

_WAIT_SECONDS = 15
_PATIENCE_SECONDS = 1
"""How long a touch waits for its result before the screen says that it is on its way."""

_SENDING = {"activate": "Activate", "approve": "Approve", "reject": "Reject"}
"""The actions that may change something at the bank, in words."""


def _cells(operation: Any) -> List[View]:
    """Every row of an operation, in the bank's layout."""
    import mtoken

    cells: List[View] = []
    for section in mtoken.lay_out(operation).sections:
        if section.title:
            cells.append({"kind": "heading", "text": section.title})
        cells += [_cell(cell) for cell in section.cells if cell.kind is not mtoken.CellKind.TITLE]
    return cells


def _cell(cell: Any) -> View:
    if cell.attribute is None:
        return {"kind": "message", "text": cell.text}
    return _row(cell.attribute, cell.text)


def _row(attribute: Any, text: Optional[str]) -> View:
    """A row of the bank's by its kind, with its value as one text."""
    import mtoken

    shown: View = {"kind": "value", "label": attribute.label, "text": text}
    if isinstance(attribute, mtoken.HeadingAttribute):
        return {"kind": "heading", "text": attribute.label}
    if isinstance(attribute, mtoken.AlertAttribute):
        words = {"label": attribute.title or attribute.label, "text": attribute.message}
        return {"kind": "alert", "alert": attribute.alert_type.name, **words}
    if isinstance(attribute, mtoken.PartyInfoAttribute):
        party = attribute.party
        return {**shown, "text": party.name, "more": party.description, "link": party.website_url}
    if isinstance(attribute, mtoken.ImageAttribute):
        return {**shown, "text": None, "link": attribute.original_url or attribute.thumbnail_url}
    if isinstance(attribute, mtoken.AmountConversionAttribute) and attribute.dynamic:
        return {**shown, "more": "The rate may still change."}
    return shown if text else {**shown, "text": attribute.json}


def _text(attribute: Any) -> Optional[str]:
    """The value of a row that the layout leaves out."""
    import mtoken
    from mtoken_command.meaning import money

    if isinstance(attribute, mtoken.AmountAttribute):
        return money(attribute.amount)
    if isinstance(attribute, mtoken.AmountConversionAttribute):
        return f"{money(attribute.source)} → {money(attribute.target)}"
    return str(getattr(attribute, "value", "") or getattr(attribute, "note", "")) or None


class _Sent(NamedTuple):
    """A request that the bank has not answered yet."""

    what: str
    since: float


class Phone:
    """One device. Its methods block until the server has answered: call them on a thread of their own."""

    def __init__(self, server: Server):
        self._server = server
        self._lock = threading.Lock()
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        self._runtime: Any = None
        self._client: Any = None
        self._offline: Any = None
        self._operations: List[Any] = []
        self._proximity: Any = None
        self._opened: Any = None
        self._step = 0
        """How many of the opened operation's screens the user has read."""
        self._user = ""
        self._gate = threading.Lock()
        self._sent: Optional[_Sent] = None
        self._told: Optional[View] = None
        """The last result, until somebody has read it."""
        self._decided: Dict[str, View] = {}
        """The user's decision on an operation, by its id."""
        self._done: List[str] = []

    @property
    def user(self) -> str:
        """Whose phone it is; empty: not activated yet."""
        return self._user if self._client is not None else ""

    def close(self) -> None:
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        for opened in (self._client, self._runtime):
            if opened is not None:
                opened.close()
        if self._folder is not None:
            self._folder.cleanup()
        self._client = self._runtime = self._folder = self._offline = self._proximity = self._opened = None
        self._operations = []

    def show(self) -> View:
        """The screen of the phone until someone touches it."""
        return self._sending() or self._told or self._guarded(self._home)

    def act(self, action: str, form: Form) -> View:
        """Performs a touch."""
        actions: Dict[str, Callable[[Form], View]] = {
            "home": lambda form: self._home(),
            "activate": self._activate,
            "open": self._open,
            "next": self._next,
            "approve": self._approve,
            "reject": self._reject,
            "scan": self._scan,
            "answer": self._answer,
            "remove": self._remove,
        }
        if action not in actions:
            raise errors.not_found(f"the phone can not {action}")
        if action in _SENDING:
            return self._send(action, form, actions[action])
        sending = self._sending()
        if sending is None:
            self._told = None
        return sending or self._guarded(lambda: actions[action](form))

    def _send(self, action: str, form: Form, work: Callable[[Form], View]) -> View:
        """Performs an action that may change something at the bank: once, also if someone touches it again."""
        id = form.get("id", "")
        title = next((row.title or row.name for row in self._operations if row.id == id), "")
        with self._gate:
            if self._sent is not None or id in self._decided:
                return self._sending() or self._decided[id]
            self._sent = _Sent(f"{_SENDING[action]} {title}".strip(), time.time())
            thread = threading.Thread(target=self._carry, args=(id, self._sent, lambda: work(form)), daemon=True)
        thread.start()
        thread.join(_PATIENCE_SECONDS)
        return self._sending() or self._told or self._guarded(self._home)

    def _carry(self, id: str, sent: _Sent, work: Callable[[], View]) -> None:
        told = self._guarded(work)
        with self._gate:
            if id and told.get("decided"):
                self._decided[id] = told
            since = time.strftime("%H:%M:%S", time.localtime(sent.since))
            said = told.get("wrong") or (told["title"] if told.get("bad") else "done")
            self._done.append(f"{since} {sent.what}: {said}")
            self._told, self._sent = told, None
        self._server.changes.mark()

    def _sending(self) -> Optional[View]:
        sent = self._sent
        if sent is None:
            return None
        since = time.strftime("%H:%M:%S", time.localtime(sent.since))
        return {"screen": "sending", "title": sent.what, "since": since, "seconds": int(time.time() - sent.since)}

    def _guarded(self, work: Callable[[], View]) -> View:
        try:
            from mtoken import MTokenError  # which loads the library
        except (ImportError, OSError) as problem:
            return {"screen": "missing", "text": str(problem)}
        with self._lock:
            try:
                return work()
            except (MTokenError, ValueError, TimeoutError) as problem:
                return self._failed(problem)

    @staticmethod
    def _failed(problem: Exception) -> View:
        import mtoken
        from mtoken_command import states

        said = states.explanation(problem)
        text = errors.sentence(said.what if said else str(problem))
        if isinstance(problem, mtoken.MTokenError) and problem.may_have_happened:
            text = f"{text} The bank may have acted: look at its operations before you repeat it."
            return {"screen": "message", "bad": True, "title": "No answer", "text": text}
        return {"screen": "message", "bad": True, "title": "That did not work", "text": text}

    # Screens --------------------------------------------------------------------------------------------------------

    def _home(self) -> View:
        import mtoken

        if self._client is None or self._client.state is not mtoken.ClientState.ACTIVE:
            return {"screen": "start", "code": self._waiting_code()}
        status = self._client.status(timeout=_WAIT_SECONDS)
        if status.state is not mtoken.ActivationState.ACTIVE:
            state = status.state.name
            fingerprint = self._client.info().fingerprint
            return {"screen": "waiting", "state": state, "user": self._user, "fingerprint": fingerprint}
        self._operations = list(self._client.operations.list(timeout=_WAIT_SECONDS))
        return {
            "screen": "home",
            "user": self._user,
            "operations": [self._summary(row) for row in self._operations],
            "done": self._done[::-1],
        }

    @staticmethod
    def _summary(operation: Any) -> View:
        import mtoken

        shown = mtoken.lay_out(operation)
        return {
            "id": operation.id,
            "title": shown.list_title or operation.title or operation.name,
            "message": shown.list_message or operation.message,
            "bad": bool(operation.contradictions),
        }

    def _waiting_code(self) -> Optional[View]:
        """The newest unused activation code that the bank shows."""
        with self._server.transaction():
            for activation in reversed(list(self._server.activations)):
                current = self._server.lifecycle.get(activation.id)
                if current is not None and current.state == model.CREATED and current.code is not None:
                    return {"code": current.code, "user": current.user_id}
        return None

    def _activate(self, form: Form) -> View:
        import mtoken

        code = form.get("code", "").strip()
        if not codes.is_code(code.partition("#")[0]):
            raise ValueError("This is no activation code.")
        application, user = self._issuer(code.partition("#")[0])
        self._forget()
        self._folder = tempfile.TemporaryDirectory(prefix="mtoken-phone-")
        self._runtime = mtoken.Runtime()
        self._client = mtoken.Client(
            self._runtime,
            "phone",
            configuration=application,
            base_url=self._server.url,
            store=mtoken.Store.directory(self._folder.name),
            ca_file=self._server.ca_file,
            allow_http=self._server.ca_file is None,
            application=AGENT,
        )
        try:
            activation = self._client.activate(code, name="Phone beside the bank", timeout=_WAIT_SECONDS)
            self._client.persist(form.get("pin", ""))
        except Exception:
            self._forget()
            raise
        self._user = user
        return {
            "screen": "message",
            "title": "Activated",
            "text": "Compare this number with the one at the bank. When the bank has committed, the phone is ready.",
            "code": activation.fingerprint,
        }

    def _issuer(self, code: str) -> tuple[str, str]:
        """Configuration string and user of a code: what is printed beside it in a bank's letter."""
        with self._server.transaction():
            for activation in self._server.activations.find("code", code):
                version = self._server.application_versions.find("application", activation.application_id)[0]
                return self._server.sdk_configuration(version), activation.user_id
        raise ValueError("The bank does not know this code.")

    def _known(self, form: Form) -> Any:
        operation = next((row for row in self._operations if row.id == form.get("id")), None)
        if operation is None:
            raise ValueError("This operation is not in the list any more.")
        return operation

    def _open(self, form: Form) -> View:
        self._opened, self._step = self._known(form), 0
        return self._stand()

    def _next(self, form: Form) -> View:
        """The user has read a screen of the bank."""
        self._step += 1
        return self._stand()

    @property
    def _near(self) -> Any:
        """The scanned proof that the opened operation's screen is near; None: there is none."""
        code = self._proximity
        return code.proximity(self._opened) if code is not None and code.matches(self._opened) else None

    def _stand(self, wrong: str = "") -> View:
        """The user's place in the opened operation: a screen of the bank, or the decision."""
        import mtoken

        operation = self._opened
        if operation is None:
            return self._home()
        screens = (operation.ui.pre_approval_screens if operation.ui else None) or ()
        while self._step < len(screens):
            screen = screens[self._step]
            if screen.type is not mtoken.ScreenType.QR_SCAN or self._near is None:
                return self._before(operation, screen)
            self._step += 1
        return self._decision(operation, wrong)

    def _before(self, operation: Any, screen: Any) -> View:
        controls = screen.controls
        return {
            "screen": "before",
            "id": operation.id,
            "kind": screen.type.name,
            "title": screen.heading,
            "message": screen.message,
            "elements": [
                {
                    "kind": element.type.name,
                    "text": element.text or element.id or element.type_text,
                    "link": element.href,
                }
                for element in screen.elements or ()
            ],
            "next": (controls.approve_text if controls else None) or "Continue",
            "seconds": (controls.approve_counter if controls else None) or 0,
        }

    def _decision(self, operation: Any, wrong: str) -> View:
        from mtoken_command import meaning

        ui = operation.ui
        return {
            "screen": "operation",
            **self._summary(operation),
            "title": operation.title or operation.name,
            "cells": _cells(operation),
            "signed": operation.summary,
            "contradictions": meaning.contradictions(operation.contradictions),
            "factors": meaning.factors(operation),
            "wants_pin": meaning.wants_pin(operation),
            "expires": operation.expires.astimezone().strftime("%H:%M:%S %Z"),
            "near": self._near is not None,
            "flip": bool(ui and ui.flip_buttons),
            "no_call": bool(ui and ui.block_approval_on_call),
            "reasons": meaning.REASONS,
            "wrong": wrong,
        }

    def _approve(self, form: Form) -> View:
        import mtoken
        from mtoken_command import meaning, states

        operation = self._opened = self._known(form)
        pin = form.get("pin", "")
        near = self._near
        try:
            with mtoken.Auth.pin(pin) if meaning.wants_pin(operation) else mtoken.Auth.possession() as auth:
                self._client.operations.authorize(operation, auth, strict=True, proximity=near, timeout=_WAIT_SECONDS)
        except mtoken.AuthenticationError as error:
            if not error.remaining_attempts:
                raise
            return self._stand(str(states.explained(error)))
        self._opened, texts = None, operation.result_texts
        after = operation.ui.post_approval_screen if operation.ui else None
        name = operation.title or operation.name
        told = {
            "screen": "message",
            "decided": True,
            "title": "Approved",
            "text": texts.success or f"{name} is approved.",
        }
        if after is not None:
            told["after"] = {
                "title": after.heading,
                "message": after.message,
                "cells": [_row(attribute, _text(attribute)) for attribute in after.attributes],
                "link": after.redirect_url,
                "link_text": after.redirect_text or after.redirect_url,
            }
        return told

    def _reject(self, form: Form) -> View:
        from mtoken_command import meaning

        words = {str(value): text for value, text in meaning.REASONS}
        operation, reason = self._known(form), form.get("reason", "")
        if reason not in words:
            raise ValueError("This is no reason.")
        self._client.operations.reject(operation.id, reason, timeout=_WAIT_SECONDS)
        self._opened = None
        text = operation.result_texts.reject or f"{operation.title or operation.name} is rejected."
        return {"screen": "message", "decided": True, "title": "Rejected", "text": text, "note": words[reason]}

    def _scan(self, form: Form) -> View:
        """A proximity code selects an operation; an offline payload is one."""
        import mtoken

        text = form.get("text", "").replace("\r\n", "\n")
        if self._client is None:
            raise ValueError("Activate the phone first.")
        if "\n" not in text:
            code = mtoken.parse_pac_qr(text.strip())
            listed = list(self._client.operations.list(timeout=_WAIT_SECONDS))
            operation = code.find(listed) or self._client.operations.claim(code.operation_id, timeout=_WAIT_SECONDS)
            if self._opened is None or self._opened.id != operation.id:
                self._step = 0
            self._proximity, self._opened = code, operation
            self._operations = [operation, *(row for row in listed if row.id != operation.id)]
            return self._stand()
        self._offline = self._client.parse_qr(text)
        return self._offline_decision()

    def _offline_decision(self) -> View:
        import mtoken
        from mtoken_command import meaning

        operation = self._offline
        own = operation.key is mtoken.Key.PERSONALIZED
        return {
            "screen": "offline",
            "title": operation.title,
            "message": operation.message,
            "signed": operation.summary,
            "contradictions": meaning.contradictions(operation.contradictions),
            "facts": [
                ("Signed by", "the bank, for this phone" if own else "the bank"),
                ("Asks for", "this device and the PIN"),
            ],
            "fraud": operation.fraud_warning,
            "no_call": operation.block_when_on_call,
            "newer": operation.newer_format,
        }

    def _answer(self, form: Form) -> View:
        import mtoken

        if self._offline is None:
            raise ValueError("Scan a code first.")
        with mtoken.Auth.pin(form.get("pin", "")) as auth:
            code = self._client.authorize_qr(self._offline, auth)
        return {
            "screen": "message",
            "title": "Type this at the bank",
            "text": "The phone sent nothing: the code is its answer. If the bank refuses it, the PIN was wrong.",
            "code": mtoken.group_code(code),
        }

    def _remove(self, form: Form) -> View:
        self._forget()
        return self._home()
