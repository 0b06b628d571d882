# SPDX-License-Identifier: Apache-2.0
"""The bank's layout of an operation, and members that a bank added. Pure."""

from __future__ import annotations

from ctypes import POINTER, byref, c_char, c_char_p, cast
from typing import Any, Union

from . import _read
from . import abi as _c
from ._arguments import checked
from ._call import create, sized, text
from ._library import lib
from .models import Attribute, Operation, Visual, parse_json


@checked
def lay_out(operation: Operation) -> Visual:
    """Lays out an operation by its templates: placeholders resolved, attributes sorted into sections, none dropped."""
    source, length = text(operation.json)
    native = _c.mtoken_operation()
    native.json, native.json_length = cast(c_char_p(source), POINTER(c_char)), length
    visual = create(lib.mtoken_visual_new, _c.mtoken_visual, byref(native))
    try:
        return _read.visual(visual.contents)
    finally:
        lib.mtoken_visual_free(visual)


@checked
def find(json: Union[str, Operation, Attribute], path: str) -> Any:
    """The value at a JSON pointer, e.g. "/playSound". Raises NotFoundError. Numbers with a point are Decimals."""
    source = json if isinstance(json, str) else json.json
    if source is None:
        raise ValueError("the attribute has no JSON: read it from its operation")
    found = create(lib.mtoken_json_find, _c.mtoken_json_value, *text(source), *text(path))
    try:
        return parse_json(sized(found.contents.json, found.contents.json_length))
    finally:
        lib.mtoken_json_value_free(found)
