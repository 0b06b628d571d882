"""Runs work in a child of fork(), and checks that the child cannot use its parent's objects."""

from __future__ import annotations

import os
import pickle
import signal
import time
from typing import Any, Callable, Tuple

import mtoken


def in_child(work: Callable[[], Any], *, alarm: int = 60) -> Any:
    """The result of the work in a child; its exception is raised here. An alarm ends a child that hangs."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(alarm)
        try:
            result = (True, work())
        except BaseException as failure:
            result = (False, f"{type(failure).__name__}: {failure}")
        with os.fdopen(into, "wb") as pipe:
            pickle.dump(result, pipe)
        os._exit(0)
    os.close(into)
    with os.fdopen(out, "rb") as pipe:
        content = pipe.read()
    assert os.waitpid(child, 0)[1] == 0, "the child hung or crashed"
    good, result = pickle.loads(content)
    assert good, result
    return result


def refusal(call: Callable[[], Any]) -> Tuple[str, str]:
    """The error of a refused call, and whether it came at once."""
    begun = time.monotonic()
    try:
        call()
    except mtoken.MTokenError as error:
        assert time.monotonic() - begun < 2, "it was not told at once"
        return type(error).__name__, error.reason
    return "nothing", ""


FORKED = ("StateError", "forked")
