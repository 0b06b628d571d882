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

if TYPE_CHECKING:
    from .server import Server

View = Dict[str, Any]
Form = Dict[str, str]

_WAIT_SECONDS = 15
_PATIENCE_SECONDS = 1
"""How long a touch waits for its result before the screen says that it is on its way."""
_REASONS = {
    "UNEXPECTED_OPERATION": "I did not expect it",
    "INCORRECT_DATA": "Something in it is wrong",
    "UNKNOWN": "Another reason",
}


_SENDING = {"activate": "Activate", "approve": "Approve", "reject": "Reject"}
"""What may change something at the bank, in words."""


def _value(attribute: View) -> str:
    """One line for an attribute of a form, in the bank's own words where it sent them."""
    if "amountFormatted" in attribute:
        return f"{attribute['amountFormatted']} {attribute.get('currencyFormatted', '')}".strip()
    found = next(
        (attribute[name] for name in ("valueFormatted", "value", "note", "name", "message") if name in attribute), ""
    )
    return str(found)


class _Sent(NamedTuple):
    """What was asked of the bank, which has not answered yet."""

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
        self._user = ""
        self._gate = threading.Lock()
        self._sent: Optional[_Sent] = None
        self._told: Optional[View] = None
        """The last result, until somebody has read it."""
        self._decided: Dict[str, View] = {}
        """What was done with an operation, by its id."""
        self._done: List[str] = []

    def close(self) -> None:
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        for opened in (self._client, self._runtime):
            if opened is not None:
                opened.close()
        if self._folder is not None:
            self._folder.cleanup()
        self._client = self._runtime = self._folder = self._offline = self._proximity = None
        self._operations = []

    def show(self) -> View:
        """The screen that the phone is on when nobody touches it."""
        return self._sending() or self._told or self._guarded(self._home)

    def act(self, action: str, form: Form) -> View:
        """What a touch does: `activate`, `open`, `approve`, `reject`, `scan`, `answer`, `remove`."""
        actions: Dict[str, Callable[[Form], View]] = {
            "home": lambda form: self._home(),
            "activate": self._activate,
            "open": self._open,
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
        """Does what may change something at the bank: once, whoever touches again while it is on its way, or later."""
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
            if id and not told.get("bad"):
                self._decided[id] = told
            since = time.strftime("%H:%M:%S", time.localtime(sent.since))
            self._done.append(f"{since} {sent.what}: {told['title'] if told.get('bad') else 'done'}")
            self._told, self._sent = told, None

    def _sending(self) -> Optional[View]:
        sent = self._sent
        if sent is None:
            return None
        since = time.strftime("%H:%M:%S", time.localtime(sent.since))
        return {"screen": "sending", "title": sent.what, "since": since, "seconds": int(time.time() - sent.since)}

    def _guarded(self, work: Callable[[], View]) -> View:
        try:
            import mtoken
        except (ImportError, OSError) as problem:
            return {"screen": "missing", "text": str(problem)}
        with self._lock:
            try:
                return work()
            except (mtoken.MTokenError, ValueError, TimeoutError) as problem:
                if isinstance(problem, mtoken.MTokenError) and problem.may_have_happened:
                    text = f"{problem} The bank may have acted: look at its operations before you repeat it."
                    return {"screen": "message", "bad": True, "title": "No answer", "text": text}
                return {"screen": "message", "bad": True, "title": "That did not work", "text": str(problem)}

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
        return {"id": operation.id, "title": operation.title or operation.name, "message": operation.message}

    def _waiting_code(self) -> Optional[View]:
        """The newest activation code that the bank shows and nobody has used."""
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

    def _open(self, form: Form) -> View:
        for operation in self._operations:
            if operation.id == form.get("id"):
                return self._detail(operation)
        raise ValueError("This operation is not in the list any more.")

    def _detail(self, operation: Any) -> View:
        attributes = operation.document().get("formData", {}).get("attributes", [])
        return {
            "screen": "operation",
            **self._summary(operation),
            "attributes": [{"label": row.get("label", ""), "value": _value(row)} for row in attributes],
            "signed": operation.summary,
            "near": self._proximity is not None and self._proximity.matches(operation),
            "reasons": _REASONS,
        }

    def _approve(self, form: Form) -> View:
        import mtoken

        operation = next((row for row in self._operations if row.id == form.get("id")), None)
        if operation is None:
            raise ValueError("This operation is not in the list any more.")
        near = self._proximity if self._proximity is not None and self._proximity.matches(operation) else None
        with mtoken.Auth.pin(form.get("pin", "")) as auth:
            proof = near.proximity(operation) if near is not None else None
            self._client.operations.authorize(operation, auth, proximity=proof, timeout=_WAIT_SECONDS)
        return {"screen": "message", "title": "Approved", "text": operation.title or operation.name}

    def _reject(self, form: Form) -> View:
        reason = form.get("reason", "")
        if reason not in _REASONS:
            raise ValueError("This is no reason.")
        self._client.operations.reject(form.get("id", ""), reason, timeout=_WAIT_SECONDS)
        return {"screen": "message", "title": "Rejected", "text": _REASONS[reason]}

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
            self._proximity = code
            self._operations = [operation, *(row for row in listed if row.id != operation.id)]
            return self._detail(operation)
        self._offline = self._client.parse_qr(text)
        return {
            "screen": "offline",
            "title": self._offline.title,
            "message": self._offline.message,
            "signed": self._offline.summary,
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
            "text": "The phone sent nothing: the code is its answer.",
            "code": code,
        }

    def _remove(self, form: Form) -> View:
        self._forget()
        return self._home()
