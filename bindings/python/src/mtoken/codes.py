# SPDX-License-Identifier: Apache-2.0
"""Pure functions that need no client."""

from __future__ import annotations

from typing import Dict, Optional

from . import _read
from . import abi as _c
from ._arguments import checked
from ._call import create, required, take_text, text
from ._library import lib
from .models import ActivationCode


@checked
def parse_activation_code(code: str) -> ActivationCode:
    """Parses "CODE" or "CODE#SIGNATURE" (QR code, deeplink). Checks form and checksum, not the signature."""
    parsed = create(lib.mtoken_activation_code_parse, _c.mtoken_activation_code, *text(code))
    try:
        return _read.activation_code(parsed.contents)
    finally:
        lib.mtoken_activation_code_free(parsed)


@checked
def correct_activation_code_character(character: str) -> Optional[str]:
    """Corrects typing errors in a code: upper case, O for 0, I for 1; None: not a character of any code."""
    corrected = int(lib.mtoken_activation_code_correct(ord(character)))
    return chr(corrected) if corrected else None


@checked
def is_recovery_code(code: str) -> bool:
    """Whether a text is a recovery code, optionally with the prefix "R:" of the QR form."""
    return int(lib.mtoken_recovery_code_is_valid(*text(code))) == 1


@checked
def is_recovery_puk(puk: str) -> bool:
    """Whether a text is the PUK of a recovery code: ten digits."""
    return int(lib.mtoken_recovery_puk_is_valid(*text(puk))) == 1


@checked
def canonical_query(query: str) -> bytes:
    """The canonical form of a URL query, which a GET request signs ("b=2&a=1" becomes "a=1&b=2")."""
    return take_text(create(lib.mtoken_canonical_query, _c.mtoken_text, *text(query))).encode("utf-8")


def version() -> str:
    """The version of the loaded library."""
    return required(lib.mtoken_version())


def versions() -> Dict[str, str]:
    """The versions of the loaded library, and of OpenSSL, libcurl and Jansson, by these names."""
    return dict(part.split("/", 1) for part in required(lib.mtoken_versions()).split(" "))
