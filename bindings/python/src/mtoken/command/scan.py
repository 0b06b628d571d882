"""QR codes in pictures and on the screen, by the packages of the extra `mtoken[scan]`."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, List

from .output import Exit, Stop


def read_picture(path: Path) -> str:
    """The text of the one QR code in a picture."""
    image = _module("PIL.Image")
    try:
        with image.open(path) as picture:
            return _read(picture.convert("RGB"), str(path))
    except image.UnidentifiedImageError:
        raise Stop(f"{path} is no picture", Exit.USAGE) from None


def read_screen() -> str:
    """The text of the one QR code that the screen shows."""
    try:
        picture = _module("PIL.ImageGrab").grab()
    except OSError as problem:
        raise Stop(f"the screen cannot be read: {problem}") from None
    return _read(picture, "the screen")


def _read(picture: Any, where: str) -> str:
    reader = _module("zxingcpp")
    found: List[Any] = reader.read_barcodes(picture, formats=reader.BarcodeFormat.QRCode)
    if not found:
        raise Stop(f"there is no QR code in {where}")
    if len(found) > 1:
        raise Stop(f"there are {len(found)} QR codes in {where}: show only one")
    text: str = found[0].text
    return text.strip()


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Stop("reading QR codes needs packages: pip install 'mtoken[scan]'", Exit.USAGE) from None
