"""A screen without a monitor: Debian's Xvfb, whose pixels are in a file that a test writes."""

from __future__ import annotations

import mmap
import os
import shutil
import struct
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Optional, Type

import pytest

WIDTH, HEIGHT = 1024, 768


class Screen:
    """An X display; `name` is the value for DISPLAY."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("Xvfb")
        if program is None:
            pytest.skip("Xvfb is not installed: make deps-full")
        ready, told = os.pipe()
        with open(ready, "rb") as number:
            try:
                self._process = subprocess.Popen(
                    # Without -noreset the server clears the screen when its last client leaves.
                    [program, "-displayfd", str(told), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", str(folder)]
                    + ["-noreset", "-nolisten", "tcp"],
                    pass_fds=[told],
                    stderr=subprocess.DEVNULL,
                )
            finally:
                os.close(told)
            self.name = ":" + number.readline().decode().strip()
        self._pixels = folder / "Xvfb_screen0"

    def show(self, picture: Any) -> None:
        """Puts a picture of Pillow in the middle of a grey screen."""
        from PIL import Image

        screen = Image.new("RGBX", (WIDTH, HEIGHT), (90, 90, 90))
        screen.paste(picture.convert("RGBX"), ((WIDTH - picture.width) // 2, (HEIGHT - picture.height) // 2))
        with open(self._pixels, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
            # A picture in X's own format (XWDFile.h): a header, the colours of 12 bytes each, the pixels.
            header = struct.unpack_from(">25I", memory)
            start = header[0] + header[19] * 12
            memory[start : start + WIDTH * HEIGHT * 4] = screen.tobytes()

    def __enter__(self) -> Screen:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self._process.terminate()
        self._process.wait()
