# SPDX-License-Identifier: Apache-2.0
"""Requests that the program sends itself, for clients with Transport.HOST."""

from __future__ import annotations

from ctypes import POINTER, byref, cast, string_at
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Iterable, Tuple

from . import abi as _c
from ._arguments import checked
from ._call import call, from_milliseconds, required, set_bytes, set_text
from ._handle import Handle
from ._library import lib
from .enums import NetworkFault, Outcome, TLSFault


@checked
@dataclass(frozen=True)
class HTTPRequest:
    """A request that waits for its answer: `respond` or `fail`, once, from any thread.

    Verify the server's certificate, send it at most once, to this URL, with these headers and no cookies, and follow no
    redirect. Do not log headers and content. NotFoundError from `respond` and `fail`: no answer is of use any more,
    since the call or client has ended or `deadline` has passed.
    """

    id: int
    """Of this request in its runtime; never used again."""
    method: str
    url: str
    headers: Tuple[Tuple[str, str], ...] = field(repr=False)
    content: bytes = field(repr=False)
    deadline: datetime
    """Until when an answer is of use."""
    max_answer_size: int
    """A response with more content fails."""
    at_most_once: bool
    """It must not reach the server twice, also not by a stack that repeats requests on lost connections: a signed one
    then fails, and may block the activation."""
    _runtime: Handle = field(repr=False, compare=False)

    def respond(self, status: int, headers: Iterable[Tuple[str, str]] = (), content: bytes = b"") -> None:
        """Hands in the response, whatever its status.

        content  without content coding, as HTTP libraries give it
        """
        options = _c.new_options(_c.mtoken_http_response)
        options.status = status
        given = list(headers)
        fields = (_c.mtoken_header_text * len(given))()
        for target, (name, value) in zip(fields, given):
            set_text(target.name, name)
            set_text(target.value, value)
        options.headers = cast(fields, POINTER(_c.mtoken_header_text))
        options.header_count = len(given)
        set_bytes(options.body, bytearray(content))
        call(lib.mtoken_request_respond, self._runtime.pointer, self.id, byref(options))

    def fail(
        self,
        outcome: Outcome,
        network_fault: NetworkFault = NetworkFault.NONE,
        tls_fault: TLSFault = TLSFault.NONE,
    ) -> None:
        """Tells that there is no response, and why: exactly one of the faults.

        outcome  Outcome.NOT_SENT only if the server cannot have got any of it; otherwise Outcome.UNKNOWN
        """
        faults = (int(outcome), int(network_fault), int(tls_fault))
        call(lib.mtoken_request_fail, self._runtime.pointer, self.id, *faults)


def read_request(c: Any, runtime: Handle) -> HTTPRequest:
    fields = [c.headers[index].contents for index in range(c.header_count)]
    return HTTPRequest(
        id=c.id,
        method=required(c.method),
        url=required(c.url),
        headers=tuple((required(item.name), required(item.value)) for item in fields),
        content=string_at(c.body, c.body_length) if c.body else b"",
        deadline=from_milliseconds(c.deadline),
        max_answer_size=c.max_answer_size,
        at_most_once=c.at_most_once == 1,
        _runtime=runtime,
    )
