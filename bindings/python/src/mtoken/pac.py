# SPDX-License-Identifier: Apache-2.0
"""Proximity anti-fraud codes (PAC): a code near the user selects an operation and may prove that the device is
present."""

from __future__ import annotations

from ctypes import POINTER, byref, cast
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Iterable, Optional, Sequence, Union

from . import abi as _c
from ._arguments import checked
from ._call import Bytes, create, data, optional, required, set_text, take_text, text, to_milliseconds
from ._library import lib
from ._model import Model
from .enums import PACForm, ProximityType, TOTPAlgorithm
from .models import Operation
from .proximity import Proximity


@checked
@dataclass(frozen=True)
class PAC(Model):
    """A parsed code. It is not authenticated: use it only to look up the operation at the server."""

    operation_id: str
    totp: Optional[str] = field(repr=False)
    """One-time password, 4 to 10 digits; None: the code only selects the operation."""
    source: ProximityType
    """Whether it was scanned or opened."""
    form: PACForm
    header_valid: bool
    """The header of the JWT is a JSON object. For information only, like the next two members."""
    has_signature: bool
    """The JWT carries a signature, which is not verified."""
    algorithm: Optional[str]
    received: datetime = field(compare=False, default_factory=lambda: datetime.now(timezone.utc))
    """The device's time when the code was read."""

    def matches(self, operation: Operation) -> bool:
        """Whether the code selects this operation."""
        return self.operation_id == operation.id

    def find(self, operations: Iterable[Operation]) -> Optional[Operation]:
        """The operation that the code selects."""
        return next((operation for operation in operations if self.matches(operation)), None)

    def proximity(self, operation: Operation) -> Optional[Proximity]:
        """The proof for the approval: `authorize(operation, auth, proximity=pac.proximity(operation))`.

        None: the code proves nothing. ValueError: the code belongs to another operation.
        """
        if not self.matches(operation):
            raise ValueError("the code belongs to another operation")
        return None if self.totp is None else Proximity(self.totp, self.source, self.received)


@checked
def parse_pac_qr(code: str, *, allowed: Optional[Sequence[str]] = None) -> PAC:
    """Parses a scanned code: a link or a JSON Web Token.

    allowed  allowed links: "scheme" or "scheme://host"; None: all
    """
    return _parse(code, ProximityType.QR_CODE, allowed)


@checked
def parse_pac_deeplink(url: str, *, allowed: Optional[Sequence[str]] = None) -> PAC:
    """Parses a link that the operating system opened. `allowed` as in `parse_pac_qr`."""
    return _parse(url, ProximityType.DEEPLINK, allowed)


def _parse(code: str, source: ProximityType, allowed: Optional[Sequence[str]]) -> PAC:
    options = _c.new_options(_c.mtoken_pac_options)
    texts = (_c.mtoken_text * len(allowed or ()))()
    for native, item in zip(texts, allowed or ()):
        set_text(native, item)
    if allowed is not None:
        options.allowed, options.allowed_count = cast(texts, POINTER(_c.mtoken_text)), len(texts)
    pac = create(lib.mtoken_pac_parse, _c.mtoken_pac, *text(code), int(source), byref(options))
    try:
        return _read(pac.contents)
    finally:
        lib.mtoken_pac_free(pac)


def _read(c: Any) -> PAC:
    return PAC(
        operation_id=required(c.operation_id),
        totp=optional(c.totp),
        source=ProximityType(c.source),
        form=PACForm(c.form),
        header_valid=c.is_header_valid == 1,
        has_signature=c.has_signature == 1,
        algorithm=optional(c.algorithm),
    )


# For servers and tests


@checked
def build_pac(
    operation_id: str, totp: Optional[str] = None, *, form: PACForm = PACForm.JWT, link: Optional[str] = None
) -> str:
    """Builds a code in the form that every reader accepts.

    link  for the deeplink forms: the part before the query, e.g. "mtoken://operation"
    """
    options = _c.new_options(_c.mtoken_pac_build_options)
    set_text(options.operation_id, operation_id)
    set_text(options.totp, totp)
    set_text(options.link, link)
    options.form = int(form)
    return take_text(create(lib.mtoken_pac_build, _c.mtoken_text, byref(options)))


@checked
def totp(
    seed: Bytes,
    time: Union[datetime, int],
    *,
    step: int = 30,
    digits: int = 8,
    algorithm: TOTPAlgorithm = TOTPAlgorithm.SHA256,
) -> str:
    """The one-time password of a proximity check as the server computes it (RFC 6238).

    time  a timezone-aware datetime, or milliseconds since the epoch
    step  seconds
    """
    milliseconds = time if isinstance(time, int) else to_milliseconds(time)
    arguments = (*data(seed), milliseconds, step, digits, int(algorithm))
    return take_text(create(lib.mtoken_totp, _c.mtoken_text, *arguments))
