"""From the server's payload to a photo of it, and from the photo to the server's yes."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Callable

import mtoken
import pytest
from conftest import Device
from mtoken import scan
from screen import Screen
from test_qr import check_code, make

segno = pytest.importorskip("segno")
Image = pytest.importorskip("PIL.Image")
pytest.importorskip("zxingcpp")


def render(text: str) -> Any:
    """A QR code in byte mode as a picture."""
    picture = io.BytesIO()
    segno.make(text, micro=False, mode="byte", encoding="utf-8", eci=False, error="m").save(
        picture, kind="png", scale=6
    )
    return Image.open(picture).convert("L")


def blurred(image: Any) -> Any:
    from PIL import ImageFilter

    return image.filter(ImageFilter.GaussianBlur(1.6))


def photo(image: Any) -> Any:
    """Askew, out of focus, in bad light."""
    from PIL import ImageEnhance, ImageFilter

    askew = image.rotate(17, resample=Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    return ImageEnhance.Contrast(askew.filter(ImageFilter.GaussianBlur(1.2))).enhance(0.5)


@pytest.mark.parametrize("see", [lambda image: image, blurred, photo], ids=["plain", "blurred", "photo"])
@pytest.mark.parametrize("proximity", [True, False])
def test_a_photo_is_approved(device: Device, see: Callable[[Any], Any], proximity: bool) -> None:
    made = make(device, proximity=proximity)
    text = scan.scan_one(see(render(made["offlineData"])))
    assert text == made["offlineData"], "every byte counts"
    code = device.client.authorize_qr(device.client.parse_qr(text), device.auth)
    assert check_code(device, made["operationId"], code)["valid"]
    assert device.server.operation(made["operationId"])["status"] == "APPROVED"


def test_texts_outside_of_ascii(tmp_path: Any) -> None:
    text = "Příliš žluťoučký 💶\nkůň"
    path = tmp_path / "code.png"
    render(text).save(path)
    assert scan.scan(path) == [text]
    assert scan.scan_one(path.read_bytes()) == text


def test_pictures_without_one_code() -> None:
    empty = Image.new("L", (200, 200), 255)
    with pytest.raises(LookupError):
        scan.scan_one(empty)
    both = Image.new("L", (1200, 600), 255)
    both.paste(render("one"), (20, 20))
    both.paste(render("two"), (620, 20))
    assert sorted(scan.scan(both)) == ["one", "two"]
    with pytest.raises(LookupError):
        scan.scan_one(both)


def test_a_code_in_the_terminal() -> None:
    shown = scan.terminal(mtoken.build_pac("5b753d0d-d59a-49b7-bec4-eae258566dbb", "12345678"))
    lines = shown.splitlines()
    assert len(lines) > 10 and ("\u2580" in shown or "\u2584" in shown)


def test_the_screen(device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make(device)
    with Screen(tmp_path) as screen:
        monkeypatch.setenv("DISPLAY", screen.name)
        assert scan.scan_screen() == []
        screen.show(render(made["offlineData"]))
        (text,) = scan.scan_screen()
    assert text == made["offlineData"]
    code = device.client.authorize_qr(device.client.parse_qr(text), device.auth)
    assert check_code(device, made["operationId"], code)["valid"]
    with pytest.raises(OSError):
        scan.scan_screen()


def test_a_picture_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that would fill the memory when it is unpacked is refused as a file that is no picture is."""
    path = tmp_path / "large.png"
    render("x").save(path)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    with pytest.raises(OSError):
        scan.scan(path)
    (tmp_path / "none.png").write_bytes(b"GIF")
    with pytest.raises(OSError):
        scan.scan(tmp_path / "none.png")


def saved(kind: str) -> bytes:
    picture = io.BytesIO()
    render("x").convert("RGB").save(picture, kind)
    return picture.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_the_usual_formats(kind: str, tmp_path: Path) -> None:
    assert scan.scan(saved(kind)) == ["x"]
    path = tmp_path / "named.otherwise"
    path.write_bytes(saved(kind))
    assert scan.scan(path) == scan.scan(str(path)) == ["x"]


@pytest.mark.parametrize("kind", ["TIFF", "PPM", "EPS", "ICO", "TGA", "PCX", "SGI", "DDS", "MSP", "JPEG2000", "PDF"])
def test_other_formats(kind: str, tmp_path: Path) -> None:
    """Pillow reads more, with readers that few look at; EPS starts Ghostscript."""
    picture = io.BytesIO()
    image = render("x")
    image.convert("1" if kind == "MSP" else "RGB").save(picture, kind)
    path = tmp_path / "picture.png"
    path.write_bytes(picture.getvalue())
    for source in (path, picture.getvalue()):
        with pytest.raises(OSError, match="PNG, JPEG, WebP, GIF or BMP"):
            scan.scan(source)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_damaged_pictures(kind: str) -> None:
    """They are read or refused as files are: nothing else comes out of the readers."""
    whole = saved(kind)
    refused = 0
    step = max(1, len(whole) // 97)
    for place in range(0, len(whole), step):
        for damaged in (
            whole[:place],
            whole[:place] + b"\xff" + whole[place + 1 :],
            whole[:place] + whole[place + 3 :],
        ):
            try:
                scan.scan(damaged)
            except OSError:
                refused += 1
    assert refused > 3


@pytest.mark.parametrize("wrong", [5, None, 1.5, ["picture.png"], object()])
def test_what_is_no_picture(wrong: Any) -> None:
    for call in (scan.scan, scan.scan_one):
        with pytest.raises(TypeError, match="picture must be"):
            call(wrong)
