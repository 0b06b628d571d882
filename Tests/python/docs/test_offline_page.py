"""Every block of the page on offline operations runs as it is printed."""

from __future__ import annotations

import io
import re
import subprocess
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, List

import mtoken
import pytest
from conftest import ROOT, Device
from test_building import CONFIGURATION, SECRET
from test_qr import check_code, make

PAGE = (ROOT / "docs" / "guides" / "offline.md").read_text(encoding="utf-8")


def blocks(language: str) -> List[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_block_is_known() -> None:
    assert [len(blocks("c")), len(blocks("python")), PAGE.count("```")] == [1, 3, 8]
    assert "docs/guides/offline.md" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_c_block(device: Device, tmp_path: Path) -> None:
    source, program = tmp_path / "offline.c", tmp_path / "offline"
    source.write_text(blocks("c")[0], encoding="utf-8")
    library = Path(mtoken._library.lib._name).resolve()  # type: ignore[attr-defined]
    (tmp_path / "libmtoken.so.1").symlink_to(library)
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", str(source), "-I", str(ROOT / "include")]
    subprocess.run([*command, str(library), f"-Wl,-rpath,{tmp_path}", "-o", str(program)], check=True)
    data = mtoken.build_operation_data(1, [mtoken.amount_field("100.50", "CZK"), mtoken.text_field("a*b")])
    payload = mtoken.build_qr(id="op-1", title="Payment", data=data, private_key=SECRET, key=mtoken.Key.MASTER)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False, timeout=300)

    child = run(CONFIGURATION, payload, mtoken.build_pac("op-2", "12345678"))
    assert child.stdout == "op-1: Payment\namount 100.50 CZK\nT a*b\noperation op-2, near\n", child.stderr
    child = run(CONFIGURATION, payload.replace("100.50", "900.50"), "x")
    assert child.returncode == 1 and "signature" in child.stdout
    child = run(CONFIGURATION, payload.replace("A1*", "a1*"), "x")
    assert child.returncode == 1 and "(line 4)" in child.stdout


def test_from_a_picture_to_the_code(device: Device, capsys: Any) -> None:
    segno = pytest.importorskip("segno")
    pytest.importorskip("zxingcpp")
    made = make(device)
    picture = io.BytesIO()
    segno.make(made["offlineData"], micro=False, mode="byte", encoding="utf-8", eci=False).save(
        picture, kind="png", scale=5
    )
    names: Dict[str, Any] = {"mtoken": mtoken, "client": device.client, "picture": picture.getvalue()}
    exec(blocks("python")[0], names)
    assert check_code(device, made["operationId"], names["code"])["valid"]
    assert f"type in: {mtoken.group_code(names['code'])}" in capsys.readouterr().out


def test_a_proximity_code(device: Device) -> None:
    created = device.server.new_operation(userId=device.user, template="login_qr", parameters={})["operationId"]
    codes = device.server.admin("GET", f"/operations/{created}/totp")
    names: Dict[str, Any] = {"mtoken": mtoken, "client": device.client}
    scanned = mtoken.build_pac(created, codes["totp"], form=mtoken.PACForm.DEEPLINK, link="mtoken://operation")
    exec(blocks("python")[1], {**names, "scanned": scanned})
    assert device.server.operation(created)["status"] == "APPROVED"


def test_the_other_side(capsys: Any) -> None:
    pytest.importorskip("segno")
    from mtoken import scan

    names: Dict[str, Any] = {"mtoken": mtoken, "scan": scan, "seed": b"seed", "private_key": SECRET}
    exec(blocks("python")[2], {**names, "now": datetime.now(timezone.utc)})
    assert mtoken.parse_pac_qr(capsys.readouterr().out.splitlines()[-1]).operation_id.startswith("5ff1b1ed")
