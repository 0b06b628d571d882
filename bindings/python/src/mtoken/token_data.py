# SPDX-License-Identifier: Apache-2.0
"""Mobile token data: what a program sends to the bank's fraud detection with an approval or rejection."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional

from . import abi as _c
from ._arguments import checked
from ._call import call, create, take_text, text
from ._handle import Handle
from ._library import lib
from .client import Client


@checked
class Recorder:
    """Records the user's visits to pre-approval screens, in the client's time."""

    def __init__(self, client: Client):
        self._handle = Handle(
            create(lib.mtoken_recorder_new, _c.mtoken_recorder, client.pointer), lib.mtoken_recorder_free
        )

    @property
    def pointer(self) -> Any:
        """The C handle."""
        return self._handle.pointer

    def begin(self, screen: str) -> None:
        """Records that the user sees a screen, by its id. Another open screen is left behind, not closed."""
        call(lib.mtoken_recorder_begin, self.pointer, *text(screen))

    def end(self, screen: str, action: str) -> None:
        """Records that the user leaves a screen, with a ScreenAction or any other text. Ignored if it was not open."""
        call(lib.mtoken_recorder_end, self.pointer, *text(screen), *text(action))

    def reset(self) -> None:
        """Discards all visits."""
        call(lib.mtoken_recorder_reset, self.pointer)

    def build(self) -> str:
        """The visits so far as a JSON list. An open one counts as closed now; recording continues."""
        return _built(lib.mtoken_recorder_build, self.pointer)


@checked
class TokenData:
    """Builds the JSON object: `authorize(…, mobile_token_data=data.build())`."""

    def __init__(self, initial: Optional[Mapping[str, Any]] = None):
        given = None if initial is None else json.dumps(dict(initial))
        self._handle = Handle(
            create(lib.mtoken_mobile_token_data_new, _c.mtoken_mobile_token_data, *text(given)),
            lib.mtoken_mobile_token_data_free,
        )

    def put(self, key: str, value: Any) -> None:
        """Sets a member to any JSON value. Replaces the member if the key exists."""
        call(lib.mtoken_mobile_token_data_put, self._handle.pointer, *text(key), *text(json.dumps(value)))

    def put_recorder(self, recorder: Recorder) -> None:
        """Adds what the recorder holds when the data is built."""
        call(lib.mtoken_mobile_token_data_put_recorder, self._handle.pointer, recorder.pointer)

    def remove(self, key: str) -> bool:
        """Removes a member. Returns whether it existed, even as None."""
        return int(lib.mtoken_mobile_token_data_remove(self._handle.pointer, *text(key))) == 1

    def clear(self) -> None:
        """Removes all members."""
        call(lib.mtoken_mobile_token_data_clear, self._handle.pointer)

    def build(self) -> str:
        """The JSON text of the object as it is now."""
        return _built(lib.mtoken_mobile_token_data_build, self._handle.pointer)


def _built(function: Any, pointer: Any) -> str:
    return take_text(create(function, _c.mtoken_text, pointer))
