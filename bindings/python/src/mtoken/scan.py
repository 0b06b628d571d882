# SPDX-License-Identifier: Apache-2.0
"""Reads QR codes from pictures and shows them in a terminal, with the packages zxing-cpp, pillow and segno."""

from __future__ import annotations

import io
import os
from typing import Any, List, Optional, Union

from ._arguments import checked

Picture = Union[str, "os.PathLike[str]", bytes, Any]
"""A file, the bytes of one, or an image of Pillow."""

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
"""What is read. Pillow knows dozens of formats, some by starting other programs: none of these is for a file of
somebody."""


def _need(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{name} is missing: pip install zxing-cpp pillow segno") from error


def _grey(picture: Picture) -> Any:
    """A picture in shades of grey, all of it read. OSError: it cannot be."""
    image_module = _need("PIL.Image")
    if isinstance(picture, image_module.Image):
        return _converted(picture)
    if not isinstance(picture, (str, bytes, os.PathLike)):
        raise TypeError(f"picture must be a path, bytes, a file or a Pillow image, not {type(picture).__name__}")
    try:
        with io.BytesIO(picture) if isinstance(picture, bytes) else open(picture, "rb") as file:
            return _converted(image_module.open(file, formats=FORMATS))
    except image_module.DecompressionBombError as error:
        raise OSError(f"the picture is too large: {error}") from None
    except image_module.UnidentifiedImageError:
        raise OSError("the picture must be PNG, JPEG, WebP, GIF or BMP") from None


def _converted(image: Any) -> Any:
    try:
        return image.convert("L")
    except OSError:
        raise
    except Exception as error:  # a reader of damaged pictures raises whatever it stumbles over
        raise OSError(f"the picture is damaged: {error}") from None


@checked
def scan(picture: Picture) -> List[str]:
    """The texts of all QR codes in a picture, unordered. A code that is not UTF-8 is ignored. OSError: not a picture in
    PNG, JPEG, WebP, GIF or BMP, or one with more pixels than Pillow allows.
    """
    reader = _need("zxingcpp")
    image = _grey(picture)
    texts = []
    for code in reader.read_barcodes(image, formats=reader.BarcodeFormat.QRCode):
        try:
            # The bytes themselves: what is signed may not pass through a guess of the character set.
            texts.append(bytes(code.bytes).decode("utf-8"))
        except UnicodeDecodeError:
            continue
    return texts


@checked
def scan_one(picture: Picture) -> str:
    """The text of the only QR code in a picture. LookupError: there is none, or more than one."""
    texts = scan(picture)
    if len(texts) != 1:
        raise LookupError(f"the picture has {len(texts)} QR codes")
    return texts[0]


def scan_screen() -> List[str]:
    """The texts of all QR codes on the screen. OSError: there is no readable screen."""
    _need("PIL.Image")
    from PIL import ImageGrab

    return scan(ImageGrab.grab())


@checked
def terminal(text: str, *, border: Optional[int] = None) -> str:
    """A text as a QR code for the terminal: byte mode, UTF-8."""
    output = io.StringIO()
    code = _need("segno").make(text, micro=False, mode="byte", encoding="utf-8", eci=False)
    code.terminal(output, compact=True, border=border)
    return output.getvalue()
