"""The `mtoken` command, as a process: its answers, its questions at a terminal, its exit codes, its files."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any, Iterator, Set
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import urlopen

import mtoken
import pexpect
import pytest
import segno
from commands import PIN, Command, kept, taken
from cryptography import x509
from ctrl_c import ctrl_c_at_a_question, listen_to_ctrl_c
from devserver import FOLDER, OPERATIONS, SHOWCASE, DevServer
from fixtures import CHILD_PATH
from PIL import Image

sys.path.append(str(FOLDER / "tests"))
from provider import Provider

# Profiles


def test_the_first_steps(empty: Command) -> None:
    assert "mtoken profile add" in empty.run("status", code=2)
    empty.add()
    assert "mtoken activate" in empty.run("status", code=3)
    assert "Activated. Compare" in empty.run("activate", empty.code(), pin=PIN)
    assert "active" in empty.run("status")


def test_files_are_the_users_only(command: Command) -> None:
    config = command.home / ".config" / "mtoken" / "profiles.json"
    assert stat.S_IMODE(config.stat().st_mode) == 0o600
    state = command.home / ".local" / "share" / "mtoken" / "bank"
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in state.iterdir()} == {0o600}
    assert not [path for path in config.parent.iterdir() if path.name != "profiles.json"], "a temporary file is left"


def test_the_xdg_folders(empty: Command, tmp_path: Path) -> None:
    empty.environment |= {"XDG_CONFIG_HOME": str(tmp_path / "c"), "XDG_DATA_HOME": str(tmp_path / "d")}
    empty.add()
    empty.run("activate", empty.code(), pin=PIN)
    assert (tmp_path / "c" / "mtoken" / "profiles.json").exists() and (tmp_path / "d" / "mtoken" / "bank").is_dir()
    assert not (tmp_path / ".config").exists() and not (tmp_path / ".local").exists()


def test_steps_and_successes_name_their_bank(command: Command) -> None:
    """Of several banks: what the command says to type next is for the one that it was about."""
    place = ["--server", command.server.url, "--config", command.server.configuration, "--ca", command.server.ca_file]
    assert "Next: mtoken -p savings activate\n" in command.run("profile", "add", "savings", *place)
    assert "savings is not activated: mtoken -p savings activate" in command.run("list", "-p", "savings", code=3)
    code = command.code(commitPhase="ON_COMMIT")
    said = command.run("-p", "savings", "activate", code, "--no-wait", pin=PIN)
    assert "savings: Activated." in said and "mtoken -p savings activate --wait" in said
    refused = command.json("list", "-p", "savings", code=3)["error"]
    assert refused["next"] == "mtoken -p savings activate --wait"
    command.server.admin("POST", f"/activations/{command.json('status', '-p', 'savings')['activation_id']}/commit")
    assert "savings: the PIN is right" in command.run("pin", "check", "-p", "savings", pin=PIN)
    assert "savings: Wrong PIN. 4 attempts" in command.run("pin", "check", "-p", "savings", pin="1111", code=4)
    assert "savings: Payment of" in command.run("approve", command.operation(), "-p", "savings", "--yes", pin=PIN)
    assert "bank: the PIN is right" in command.run("pin", "check", pin=PIN)


def test_several_profiles(command: Command) -> None:
    command.add("other")
    assert command.json("profile", "list")["default"] == "bank"
    assert "is not activated" in command.run("status", "--profile", "other", code=3)
    command.run("profile", "use", "other")
    command.run("status", code=3)
    command.run("status", "-p", "bank")
    command.run("status", MTOKEN_PROFILE="bank")
    assert "still activated" in command.run("profile", "remove", "bank", code=2)
    command.run("profile", "remove", "other")
    command.run("status")
    assert "no profile nobody" in command.run("status", "-p", "nobody", code=2)


def test_export_and_import(command: Command, tmp_path: Path, server: DevServer, user: str) -> None:
    exported = command.run("export")
    command.run("export", str(tmp_path / "file.json"))
    assert (tmp_path / "file.json").read_text() == exported
    assert stat.S_IMODE((tmp_path / "file.json").stat().st_mode) == 0o600
    (tmp_path / "elsewhere").mkdir()
    other = Command(tmp_path / "elsewhere", server, user)
    assert other.json("import", str(tmp_path / "file.json")) == {"imported": ["bank"]}
    other.run("activate", other.code(), pin=PIN)
    assert "already" in other.run("import", "-", text=exported, code=2)
    other.run("import", "-", "--replace", text=exported)
    other.run("status")
    assert other.run("export", "--profile", "bank") == exported


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "has no profiles"),
        ('{"format": "mtoken-profiles/1"}', "must be a list"),
        ('{"format": "mtoken-profiles/1", "profiles": [{"name": "x"}]}', '"server" must be a text'),
        ('{"format": "mtoken-profiles/1", "profiles": [{"name": "../x", "server": "", "configuration": ""}]}', "1 to 64"),
        ('{"format": "mtoken-profiles/1", "profiles": [{"pin": "1"}]}', "unknown member pin"),
        ('{"format": "mtoken-profiles/1", "profiles": [{"name": "x", "server": "https://a", "configuration": "b"}]}', "configuration"),
    ],
)  # fmt: skip
def test_a_file_of_somebody_else(empty: Command, text: str, message: str) -> None:
    assert message in empty.run("import", "-", text=text, code=2)
    assert not (empty.home / ".config").exists()


# Activation


def test_activation_at_a_terminal(empty: Command) -> None:
    empty.add()
    terminal = empty.terminal("activate", "--name", "My desk")
    terminal.expect("Activation code: ")
    terminal.sendline(empty.code())
    terminal.expect("New PIN: ")
    terminal.sendline("135799")
    terminal.expect("Repeat for confirmation: ")
    terminal.sendline("135798")
    terminal.expect("do not match")
    terminal.expect("New PIN: ")
    terminal.sendline("135799")
    terminal.expect("Repeat for confirmation: ")
    terminal.sendline("135799")
    terminal.expect(r"Compare with what the bank shows: \S*?(\d{8})")
    fingerprint = terminal.match.group(1)
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0
    assert "135799" not in str(terminal.before), "the PIN is not shown"
    status = empty.json("status")
    assert status["fingerprint"] == fingerprint and status["remaining_attempts"] == 5
    view = empty.server.activation(status["activation_id"])
    assert (view["name"], view["state"], view["fingerprint"]) == ("My desk", "ACTIVE", fingerprint)


def test_codes_that_are_none(empty: Command) -> None:
    empty.add()
    assert "mtoken: " in empty.run("activate", "AAAAA-AAAAA-AAAAA-AAAAB", pin=PIN, code=2)
    assert empty.json("activate", "hello", pin=PIN, code=2)["error"]["exit_code"] == 2
    unknown = empty.json("activate", "AAAAA-AAAAA-AAAAA-AAAAA", pin=PIN, code=7)
    assert unknown["error"]["outcome"] == "ANSWERED"
    assert "at least 4" in empty.run("activate", empty.code(), pin="123", code=2)
    empty.run("activate", empty.code(), pin=PIN)
    assert "already activated" in empty.run("activate", empty.code(), pin=PIN, code=2)


def test_activation_by_a_picture(empty: Command, tmp_path: Path) -> None:
    empty.add()
    created = empty.server.new_activation(empty.user, commitPhase="ON_KEY_EXCHANGE")
    segno.make(created["activationQr"]).save(tmp_path / "code.png", scale=4)
    (tmp_path / "text.png").write_text("no picture")
    Image.new("RGB", (64, 64), "white").save(tmp_path / "empty.png")
    assert "must be PNG" in empty.run("activate", "--qr", str(tmp_path / "text.png"), pin=PIN, code=2)
    assert "no QR code in" in empty.run("activate", "--qr", str(tmp_path / "empty.png"), pin=PIN, code=1)
    assert "use one of" in empty.run("activate", "X", "--screen", pin=PIN, code=2)
    empty.run("activate", "--qr", str(tmp_path / "code.png"), pin=PIN)
    assert empty.json("status")["activation_id"] == created["activationId"]


@pytest.mark.parametrize("paste", [False, True], ids=["loopback", "paste"])
def test_activation_by_logging_in(empty: Command, paste: bool) -> None:
    """The user logs in with a browser, whose part is played by plain requests."""
    empty.add()
    provider = Provider()
    members = {
        "clientId": "client 1", "clientSecret": "secret", "issuerUri": provider.issuer, "pkceEnabled": True,
        "authorizeUri": f"{provider.issuer}/authorize",
        "redirectUri": "http://127.0.0.1/callback",
    }  # fmt: skip
    empty.server.admin("PUT", "/applications/demo/oidc/login", members)
    try:
        shown = empty.json("oidc", "show", "login")
        assert shown["client_id"] == "client 1" and shown["pkce_enabled"]
        assert f"{provider.issuer}/authorize" in empty.run("oidc", "show", "login")
        assert "--oidc" in empty.run("activate", "--paste", pin=PIN, code=2)
        terminal = empty.terminal("activate", "--oidc", "login", "--paste" if paste else "--no-browser")
        terminal.expect("New PIN: ")
        terminal.sendline(PIN)
        terminal.expect("Repeat for confirmation: ")
        terminal.sendline(PIN)
        terminal.expect(r"(https?://\S+)\s")
        query = dict(parse_qsl(urlsplit(terminal.match.group(1)).query))
        provider.overrides = {"nonce": query["nonce"]}
        provider.challenge = query["code_challenge"]
        answer = urlencode({"code": empty.user, "state": query["state"]})
        if paste:
            terminal.expect("Final address in the browser: ")
            terminal.sendline(f"{query['redirect_uri']}?{answer}")
        else:
            with urlopen(f"{query['redirect_uri']}?{answer}", timeout=30) as page:
                assert page.status == 200
        terminal.expect("Compare with what the bank shows")
        terminal.expect(pexpect.EOF)
        terminal.close()
        assert terminal.exitstatus == 0
        view = empty.server.activation(empty.json("status")["activation_id"])
        assert view["userId"] == f"sub-{empty.user}"
    finally:
        empty.server.admin("DELETE", "/applications/demo/oidc/login")
        provider.close()


def test_recovery(empty: Command) -> None:
    empty.add()
    empty.server.admin("PATCH", "/config", {"recoveryWithActivation": True})
    answer = empty.json("activate", empty.code(), pin=PIN)
    shown = empty.json("recovery", pin=PIN)
    assert shown == {"code": answer["recovery_code"], "puk": answer["recovery_puk"]}
    assert shown["code"] in empty.run("recovery", pin=PIN)
    empty.add("other")
    empty.run("profile", "use", "other")
    empty.talk(
        ["activate", "--recovery"],
        ("Recovery code: ", shown["code"]),
        ("PUK: ", shown["puk"]),
        ("New PIN: ", PIN),
        ("Repeat for confirmation: ", PIN),
        "Recovery code: ",
    )
    old = empty.server.activation(answer["activation_id"])
    assert old["state"] == "REMOVED", "the activation was replaced"


def test_the_user(command: Command) -> None:
    """Each claim by its name, the bank's own too, and in lines that a terminal can show."""
    claims = {
        "name": "Alice\x1b[1m Black",
        "email_verified": False,
        "address": {"country": "CZ", "locality": "Brno"},
        "branch": {"city": "Brno", "open": True},
        "cards": ["gold", 7],
    }
    command.server.admin("PUT", f"/users/{command.user}", {"claims": claims})
    shown = command.run("user")
    assert "Alice" in shown and "\x1b" not in shown and "claims" not in shown
    rows = dict(line.strip().split(None, 1) for line in shown.splitlines() if line.strip())
    assert rows["branch"] == "city: Brno, open: yes" and rows["cards"] == "gold, 7"
    assert rows["email"].split() == ["verified", "no"] and "country: CZ" in rows["address"]
    answer = command.json("user")
    assert (answer["name"], answer["claims"]) == (claims["name"], claims)


def test_changing_the_pin(command: Command) -> None:
    assert "is right" in command.run("pin", "check", pin=PIN)
    assert "Wrong PIN. 4 attempts left." in command.run("pin", "check", pin="1111", code=4)
    command.talk(
        ["pin", "change"],
        ("PIN: ", PIN),
        ("New PIN: ", "86420"),
        ("Repeat for confirmation: ", "86420"),
        "is changed",
    )
    command.run("pin", "check", pin="86420")
    command.run("pin", "check", pin=PIN, code=4)


def test_removal(command: Command) -> None:
    activation = command.json("status")["activation_id"]
    assert "--yes" in command.run("remove", pin=PIN, code=2)
    assert "Wrong PIN. 4 attempts left." in command.run("remove", "--yes", pin="1111", code=4)
    command.run("remove", "--yes", pin=PIN)
    assert command.server.activation(activation)["state"] == "REMOVED"
    command.run("status", code=3)
    command.run("activate", command.code(), pin=PIN)
    command.run("remove", "--yes", "--local")
    command.run("status", code=3)


# Operations


def test_list_and_show(command: Command) -> None:
    assert "No operation is waiting" in command.run("list")
    ids = [command.operation(), command.operation(template="showcase", parameters=SHOWCASE)]
    listed = command.run("list")
    for id in ids:
        assert id[:8] in listed
    shown = command.run("show", ids[1][:8]).replace("\N{NO-BREAK SPACE}", " ")
    for text in (
        "Everything at once", "€1,250.50", "CZK31,262.50", "the rate may still change", "CZ5508000000001234567899",
        "Rent for May", "Town Hall", "City of Brno", "https://example.com/large.png", "WARNING: Unusual",
        "You have never paid to this account", ids[1], "A1*A1250.50EUR", "Before the approval", "Watch out!",
        "After the approval", "Thank you for your order",
    ):  # fmt: skip
        assert text in shown, text
    document = command.json("show", ids[1])
    assert "1250.50" in [attribute["amount"]["amount"] for attribute in document["attributes"] if "amount" in attribute]
    assert document["original"]["id"] == ids[1] and document["status"] == "PENDING"
    assert {item["id"] for item in command.json("list")["operations"]} == set(ids)


def test_text_of_the_server_does_not_steer_the_terminal(command: Command) -> None:
    evil = "\x1b[2Jpay \u202e001 \u2066[bold]x[/bold]\x07"
    attribute = {"type": "NOTE", "id": "note", "label": evil, "note": evil}
    form = {"title": f"Title {evil}", "message": evil, "attributes": [attribute]}
    id = command.operation(extraMembers={"formData": form})
    for arguments in (("list",), ("show", id)):
        printed = command.run(*arguments)
        assert not set(printed) & set("\x1b\x07\u202e\u2066")
    assert "[bold]x[/bold]" in command.run("show", id), "markup is shown as it is"


def test_text_of_the_server_looks_like_no_row(command: Command) -> None:
    """Line ends and blanks in a message make no rows of their own, wide or narrow; nor do those in a title or a label."""
    evil = "Pay\n\nAmount  1.00 CZK\n" + " " * 150 + "Amount  1.00 CZK"
    attribute = {"type": "KEY_VALUE", "id": "note", "label": evil, "value": "x"}
    ids = [
        command.operation(extraMembers={"formData": {"title": "Pay", "message": evil, "attributes": []}}),
        command.operation(extraMembers={"formData": {"title": evil, "message": "", "attributes": [attribute]}}),
    ]
    for id, widths in zip(ids, (("100", "48", "30"), ("100",))):
        for columns in widths:
            lines = command.run("show", id, COLUMNS=columns).splitlines()
            assert not [line for line in lines if re.match(r"[│ ]{0,3}Amount\b", line)], lines


def test_approve_at_a_terminal(command: Command) -> None:
    id = command.operation()
    terminal = command.terminal("approve")
    terminal.expect("YOU SIGN")
    terminal.expect("Amount: 1250.50 EUR")
    terminal.expect("Account: CZ5508000000001234567899")
    terminal.expect(r"Approve Payment confirmation\? \[y/N\]: ")
    terminal.sendline("y")
    terminal.expect("PIN: ")
    assert command.status(id) == "PENDING"
    terminal.sendline(PIN)
    terminal.expect("confirmed|approved")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0 and command.status(id) == "APPROVED"


def test_saying_no_at_a_terminal(command: Command) -> None:
    id = command.operation()
    command.talk(["approve", id], (r"\[y/N\]: ", "n"), "nothing was done", code=9)
    assert command.status(id) == "PENDING"
    terminal = command.terminal("approve", id)
    terminal.expect(r"\[y/N\]: ")
    ctrl_c_at_a_question(terminal)
    terminal.close()
    assert terminal.exitstatus in (9, 130) and command.status(id) == "PENDING"


def test_screens_before_the_approval(command: Command) -> None:
    id = command.operation(template="showcase", parameters=SHOWCASE)
    command.talk(["approve", id], "Watch out!", (r"\[y/N\]: ", "n"), code=9)
    assert command.status(id) == "PENDING"
    assert "Thank you for your order" in command.run("approve", id, "--yes", pin=PIN)
    assert command.status(id) == "APPROVED"


def test_approve_without_a_terminal(command: Command) -> None:
    id = command.operation()
    assert "check the details" in command.run("approve", id, pin=PIN, code=2)
    assert "needs the operation" in command.run("approve", "--yes", pin=PIN, code=2)
    assert "--pin-fd" in command.run("approve", id, "--yes", code=2)
    assert command.status(id) == "PENDING"
    assert command.json("approve", id, "--yes", pin=PIN) == {"id": id, "result": "APPROVED"}
    assert command.status(id) == "APPROVED"
    error = command.json("approve", id, "--yes", pin=PIN, code=7)["error"]
    assert error["outcome"] == "ANSWERED" and error["server_code"]


def test_which_one(command: Command) -> None:
    ids = [command.operation() for _ in range(2)]
    text = command.run("approve", code=2)
    assert all(f"{id[:8]}  Payment confirmation · Amount: 1250.50 EUR · Account: CZ55" in text for id in ids)
    assert {command.status(id) for id in ids} == {"PENDING"}
    command.run("approve", ids[0][:3], "--yes", pin=PIN, code=7)
    # A beginning is not enough where nobody looks: whoever makes operations chooses what begins with it.
    assert ids[0] in command.run("approve", ids[0][:8], "--yes", pin=PIN, code=2)
    assert ids[0] in command.run("reject", ids[0][:8], "--yes", code=2)
    command.run("approve", ids[0], "--yes", pin=PIN)
    assert [command.status(id) for id in ids] == ["APPROVED", "PENDING"]


@pytest.mark.parametrize("words", ["approve", "reject", "mobile-auth answer"])
def test_a_choice_of_several(command: Command, words: str) -> None:
    """By what they are about, not by bare ids: what is chosen is shown, and the rest waits."""
    command.operation(template="login")
    id = command.operation()
    terminal = command.terminal(*words.split())
    terminal.expect(
        r"(\d)  " + id[:8] + "  Payment confirmation · Amount: 1250.50 EUR · Account: CZ5508000000001234567899"
    )
    number = terminal.match.group(1)
    terminal.expect("Which one: ")
    terminal.sendline("7")
    terminal.expect("A number from 1 to 2")
    terminal.sendline(number)
    terminal.expect(r"(Approve|Reject) Payment confirmation\? \[y/N\]: ")
    terminal.sendline("y")
    if words != "reject":
        terminal.expect("PIN: ")
        terminal.sendline(PIN)
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0 and command.status(id) == ("REJECTED" if words == "reject" else "APPROVED")


def test_a_wrong_pin(command: Command) -> None:
    id = command.operation()
    error = command.json("approve", id, "--yes", pin="1111", code=4)["error"]
    assert error["code"] == "AUTHENTICATION" and error["remaining_attempts"] == 4
    for _ in range(4):
        text = command.run("history", pin="1111", code=4)
    assert "blocked" in text
    assert command.status(id) == "PENDING" and command.json("status")["state"] == "BLOCKED"


@pytest.mark.parametrize(
    "kind, told",
    [("flag", r"accepted\s+the\s+signature\s+and\s+then\s+refused"), ("front end", r"counted\s+no\s+failed\s+attempt")],
)
def test_a_right_pin_is_not_asked_for_again(command: Command, kind: str, told: str) -> None:
    """The bank refuses approvals while it verifies the user, or before it looks: the command says so, and ends."""
    id, activation = command.operation(), command.json("status")["activation_id"]
    if kind == "flag":
        command.server.admin("PATCH", f"/activations/{activation}", {"flags": ["VERIFICATION_PENDING"]})
    else:
        path = "/api/auth/token/app/operation/authorize"
        command.server.fault(path, "status", status=401, code="POWERAUTH_AUTH_FAIL")
    command.talk(["approve", id], (r"\[y/N\]: ", "y"), ("PIN: ", PIN), told, code=7)
    assert command.server.activation(activation)["failedAttempts"] == 0


def test_one_factor(command: Command) -> None:
    id = command.operation(template="login_1fa")
    command.run("approve", id, "--yes")
    assert command.status(id) == "APPROVED"


def test_a_proximity_check(command: Command) -> None:
    id = command.operation(template="login_qr")
    assert "--proximity" in command.run("approve", id, "--yes", pin=PIN, code=2)
    totp = command.server.admin("GET", f"/operations/{id}/totp")["totp"]
    command.run("approve", id, "--yes", "--proximity", totp, pin=PIN)
    assert command.status(id) == "APPROVED"


def test_reject(command: Command) -> None:
    ids = [command.operation() for _ in range(2)]
    assert command.json("reject", ids[0], "--yes", "--reason", "INCORRECT_DATA") == {"id": ids[0], "result": "REJECTED"}
    assert command.server.operation(ids[0])["rejectReason"] == "INCORRECT_DATA"
    command.talk(["reject"], (r"Reject Payment confirmation\? \[y/N\]: ", "y"))
    assert command.status(ids[1]) == "REJECTED"


def test_claim_and_history(command: Command) -> None:
    id = command.server.new_operation(template="login")["operationId"]
    assert id in command.run("claim", id)
    assert command.server.operation(id)["userId"] == command.user
    command.run("reject", id, "--yes")
    assert "rejected" in command.run("history", pin=PIN)
    assert [item["status"] for item in command.json("history", pin=PIN)["operations"]] == ["REJECTED"]
    command.run("history", pin="1111", code=4)
    waiting = command.operation()
    for options, ids in (
        (("--status", "rejected"), [id]),
        (("--since", "1h", "--status", "PENDING"), [waiting]),
        (("--since", "2099-01-01"), []),
        (("--limit", "1"), [waiting]),
    ):
        found = command.json("history", *options, pin=PIN)["operations"]
        assert [item["id"] for item in found] == ids, options
    for options in (("--status", "lost"), ("--since", "yesterday")):
        assert f"not {options[1]}" in command.run("history", *options, pin=PIN, code=2)
    # What is decided is shown by the history, for which the PIN is needed.
    assert "mtoken history" in command.run("show", id, code=7)
    assert command.json("show", id[:8], pin=PIN)["status"] == "REJECTED"
    assert re.search(r"Status +rejected", command.run("show", id, pin=PIN))
    command.run("show", "11111111", pin=PIN, code=7)


def test_watch_in_lines(command: Command) -> None:
    first = command.operation()
    process = subprocess.Popen(
        [sys.executable, "-m", "mtoken_command", "watch", "--json", "--interval", "5"],
        env=command.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listen_to_ctrl_c,
    )  # fmt: skip
    assert process.stdout is not None
    line = json.loads(process.stdout.readline())
    assert [operation["id"] for operation in line["added"]] == [first] and line["removed"] == []
    second = command.operation()
    assert [operation["id"] for operation in json.loads(process.stdout.readline())["added"]] == [second]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 130 and "Traceback" not in errors


def test_watch_at_a_terminal(command: Command) -> None:
    id = command.operation()
    terminal = command.terminal("watch", "--interval", "5")
    terminal.expect(id[:8])
    terminal.expect("Ctrl-C ends")
    terminal.sendcontrol("c")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130


# Signatures, messages


def test_sign(command: Command) -> None:
    printed = command.run("sign", "POST", "/pa/signature/validate", pin=PIN, text="{}")
    name, value = printed.strip().split(": ", 1)
    assert command.server.send("POST", "/pa/v3/signature/validate", b"{}", {name: value}).status == 200
    header = command.json("sign", "get", "/test/signed", "--one-factor", text="b=2&a=1")
    assert 'pa_signature_type="possession"' in header["value"]


def test_csr(command: Command) -> None:
    usage = ["--extension", "keyUsage=critical,digitalSignature"]
    printed = command.run("csr", "C=CZ", "CN=Jana", *usage, pin=PIN)
    request = x509.load_pem_x509_csr(printed.encode())
    assert request.is_signature_valid and request.subject.rfc4514_string() == "CN=Jana,C=CZ"
    assert request.extensions.get_extension_for_class(x509.KeyUsage).critical
    assert x509.load_pem_x509_csr(command.json("csr", pin=PIN)["csr"].encode()).is_signature_valid
    assert "NAME=VALUE" in command.run("csr", "Jana", pin=PIN, code=2)
    assert "cannot be encoded" in command.run("csr", "CN=" + "x" * 65, pin=PIN, code=2)


def test_inbox(command: Command) -> None:
    assert "No messages" in command.run("inbox", "list")
    message = {"userId": command.user, "subject": "Welcome", "summary": "Short", "body": "The whole \x1b[31mtext"}
    command.server.admin("POST", "/inbox", message)
    (listed,) = command.json("inbox", "list")["messages"]
    assert "Welcome" in command.run("inbox", "list", "--unread")
    assert "The whole" in command.run("inbox", "show", listed["id"], "--keep-unread")
    assert not command.json("inbox", "list")["messages"][0]["read"]
    assert "\x1b" not in command.run("inbox", "show", listed["id"])
    assert command.json("inbox", "list")["messages"][0]["read"]
    command.run("inbox", "read-all")
    assert "No messages" in command.run("inbox", "list", "--unread")


def test_push(command: Command) -> None:
    command.run("push", "register", "fcm", "a-token")
    view = command.server.activation(command.json("status")["activation_id"])
    assert view["push"]["token"] == "a-token"
    assert "one of: apns" in command.run("push", "register", "pigeon", "x", code=2)
    command.operation()
    payload = command.server.admin("GET", "/pushes")["pushes"][-1]["payload"]
    assert command.json("push", "parse", text=json.dumps(payload))["kind"] == "OPERATION_CREATED"
    assert "not a message of this system" in command.run("push", "parse", text="{}", code=1)
    command.run("push", "parse", text="{", code=2)


# Codes near the user


def test_an_offline_operation(command: Command, tmp_path: Path) -> None:
    id = command.operation()
    activation = command.json("status")["activation_id"]
    offline = command.server.admin("POST", f"/operations/{id}/offline", {"activationId": activation})
    segno.make(offline["offlineData"]).save(tmp_path / "code.png", scale=3)
    mark = command.server.mark()
    shown = command.run("qr", str(tmp_path / "code.png"), "--show")
    assert id in shown and "1250.5" in shown and "the bank, for this device" in shown
    command.talk(
        ["qr", str(tmp_path / "code.png")],
        (r"Approve .*\? \[y/N\]: ", "y"),
        ("PIN: ", PIN),
        "Type this code at the bank:",
    )
    answer = command.json("qr", "--text", "-", "--yes", pin=PIN, text=offline["offlineData"])
    assert command.server.requests(after=mark) == [], "no network is used"
    check = {"activationId": activation, "operationId": id, "code": answer["code"]}
    assert command.server.admin("POST", "/offline/verify", check)["valid"]
    assert command.status(id) == "APPROVED"


def test_a_changed_offline_operation(command: Command) -> None:
    id = command.operation()
    data = command.server.admin("POST", f"/operations/{id}/offline", {})["offlineData"]
    text = command.run("qr", "--text", data.replace("1250.5", "9250.5"), "--yes", pin=PIN, code=7)
    assert text.startswith("mtoken: ")
    assert "use one of" in command.run("qr", code=2)


def test_a_proximity_code(command: Command, tmp_path: Path) -> None:
    id = command.operation(template="login_qr")
    code = command.server.admin("GET", f"/operations/{id}/totp")["deeplink"]
    segno.make(code).save(tmp_path / "code.png", scale=4)
    command.run("pac", str(tmp_path / "code.png"), "--yes", pin=PIN)
    assert command.status(id) == "APPROVED"
    other = command.server.new_operation(template="login_qr")["operationId"]
    link = command.server.admin("GET", f"/operations/{other}/totp")["deeplink"]
    assert command.json("pac", "--text", link, "--opened", "--yes", pin=PIN) == {"id": other, "result": "APPROVED"}
    assert command.server.operation(other)["userId"] == command.user
    command.run("pac", "--text", "hello", "--yes", pin=PIN, code=2)


# The network, exit codes


def test_no_network(command: Command) -> None:
    config = command.home / ".config" / "mtoken" / "profiles.json"
    document = json.loads(config.read_text())
    document["profiles"][0]["server"] = "https://127.0.0.1:9"
    config.write_text(json.dumps(document))
    error = command.json("list", code=5)["error"]
    assert error["outcome"] == "NOT_SENT" and error["code"] == "NETWORK"
    said = command.run("list", code=5)
    assert said.startswith("mtoken: ") and "https://127.0.0.1:9, the address of bank" in said
    assert "--ca" not in said


def test_a_bank_that_is_not_trusted(command: Command) -> None:
    place = ["--server", command.server.url, "--config", command.server.configuration]
    command.run("profile", "add", "bank", *place)
    said = command.run("list", code=5)
    assert f"{command.server.url}, the address of bank" in said and "with --ca FILE" in said


def test_an_unknown_outcome(command: Command) -> None:
    id = command.operation()
    command.run("list")
    command.server.fault(f"{OPERATIONS}/authorize", "close_after_read", process=True)
    text = command.run("approve", id, "--yes", pin=PIN, code=6)
    assert "The server may have acted" in text and command.status(id) == "APPROVED"


def test_a_second_process(command: Command) -> None:
    """While one watches, others list and approve; what has the account for long is told of."""
    process = subprocess.Popen(
        [sys.executable, "-m", "mtoken_command", "watch", "--json", "--for", "60"],
        env=command.environment, stdout=subprocess.PIPE, text=True, preexec_fn=listen_to_ctrl_c,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    id = command.operation()
    command.run("approve", id, "--yes", pin=PIN)
    assert command.status(id) == "APPROVED"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)
    with taken(command):
        error = command.json("list", code=8)["error"]
        assert error["code"] == "BUSY" and "close what uses it" in error["next"]
    command.run("list")


# The keyring


def test_the_pin_in_the_keyring(keyring_command: Command) -> None:
    command = keyring_command
    command.add()
    command.run("activate", command.code(), pin=PIN)
    command.run("pin", "remember", pin="1111", code=4)
    command.run("pin", "remember", pin=PIN)
    first, second = command.operation(), command.operation()
    command.run("approve", first, "--yes")
    assert command.status(first) == "APPROVED"
    assert "remember_pin" not in command.run("export")
    command.run("pin", "forget")
    assert "--pin-fd" in command.run("approve", second, "--yes", code=2)
    assert PIN not in (command.home / ".config" / "mtoken" / "profiles.json").read_text()


def test_a_wrong_pin_in_the_keyring(keyring_command: Command) -> None:
    """It costs one attempt, not one with each command."""
    command = keyring_command
    command.add()
    command.run("activate", command.code(), pin=PIN)
    command.run("pin", "remember", pin=PIN)
    Path(command.environment["MTOKEN_TEST_KEYRING"]).write_text('{"mtoken bank/pin": "1111"}')
    id = command.operation()
    said = command.run("approve", id, "--yes", code=4)
    assert "4 attempts left" in said and "mtoken pin remember" in said and kept(command) == {}
    assert "--pin-fd" in command.run("approve", id, "--yes", code=2)
    assert command.json("status")["remaining_attempts"] == 4


def test_the_state_in_the_keyring(keyring_command: Command) -> None:
    command = keyring_command
    command.add("bank", "--store", "keyring")
    command.run("activate", command.code(), pin=PIN)
    id = command.operation()
    command.run("approve", id, "--yes", pin=PIN)
    assert command.status(id) == "APPROVED"
    assert not (command.home / ".local" / "share" / "mtoken" / "bank").exists()


def test_what_is_in_the_keyring_goes_with_the_activation(keyring_command: Command) -> None:
    command = keyring_command
    command.add()
    command.run("activate", command.code(), pin=PIN)
    command.run("pin", "remember", pin=PIN)
    command.run("biometry", "add")
    assert set(kept(command)) == {"mtoken bank/pin", "mtoken bank/biometry"}
    command.add()
    command.run("pin", "check", pin=PIN)
    command.run("remove", "--yes")
    assert kept(command) == {}
    command.run("activate", command.code(), pin="1357")
    assert "--pin-fd" in command.run("history", code=2), "the PIN of the activation before is not tried"


def test_a_keyring_that_does_not_work(keyring_command: Command) -> None:
    command = keyring_command
    command.add()
    command.run("activate", command.code(), pin=PIN)
    none = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    assert "the keyring does not work" in command.run("pin", "remember", pin=PIN, code=8, **none)
    forgetful = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    assert "does not save" in command.run("biometry", "add", pin=PIN, code=8, **forgetful)
    assert not command.json("status")["has_biometry"]
    command.run("pin", "remember", pin=PIN)
    terminal_pin, new = os.pipe()
    os.write(new, b"97531\n")
    os.close(new)
    arguments = [
        sys.executable,
        "-m",
        "mtoken_command",
        "pin",
        "change",
        "--pin-fd",
        "0",
        "--new-pin-fd",
        str(terminal_pin),
    ]
    child = subprocess.run(
        arguments, env={**command.environment, **none}, input=f"{PIN}\n", capture_output=True, text=True, timeout=300,
        pass_fds=[terminal_pin], check=False,
    )  # fmt: skip
    os.close(terminal_pin)
    assert child.returncode == 8 and "the PIN is changed, but the keyring" in child.stderr
    command.run("pin", "check", pin="97531")
    assert "--pin-fd" in command.run("history", code=2), "the old PIN in the keyring is not tried"


# Biometry


@pytest.fixture
def biometric(keyring_command: Command) -> Command:
    """Activated, with biometry."""
    keyring_command.add()
    keyring_command.run("activate", keyring_command.code(), pin=PIN)
    assert "biometry is set up" in keyring_command.run("biometry", "add", pin=PIN)
    return keyring_command


def approved_by(command: Command, operation: str) -> Any:
    return command.server.operation(operation)["approvedBy"]["signatureType"]


def test_biometry(biometric: Command, tmp_path: Path) -> None:
    command = biometric
    assert command.json("status")["has_biometry"]
    assert len(b64decode(kept(command)["mtoken bank/biometry"])) == 16
    id = command.operation(allowedSignatureTypes=["possession_knowledge", "possession_biometry"])
    command.run("approve", id, "--yes", "--biometry")
    assert approved_by(command, id) == "possession_biometry"
    assert command.json("history", "--biometry")["operations"][0]["status"] == "APPROVED"
    header = command.json("sign", "POST", "/pa/signature/validate", "--biometry", text="{}")
    assert 'pa_signature_type="possession_biometry"' in header["value"]
    only_pin = command.operation(allowedSignatureTypes=["possession_knowledge"])
    assert "does not allow biometry" in command.run("approve", only_pin, "--yes", "--biometry", code=4)
    assert "use either" in command.run("history", "--biometry", pin=PIN, code=2)
    assert "already set up" in command.run("biometry", "add", pin=PIN, code=2)
    assert "biometry" not in command.run("export")


def test_biometry_by_a_sealer(command: Command, tmp_path: Path) -> None:
    """The key is sealed in the profile, by a service's credential in place of a security key."""
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mtoken").write_bytes(name.encode() * 8)
    here, there = ({"CREDENTIALS_DIRECTORY": str(tmp_path / name)} for name in ("here", "there"))
    assert "nothing for --device" in command.run("biometry", "add", "--device", "x", pin=PIN, code=2)
    command.run("biometry", "add", "--sealer", "systemd", pin=PIN, **here)
    id = command.operation(allowedSignatureTypes=["possession_knowledge", "possession_biometry"])
    assert command.process("approve", id, "--yes", "--biometry", **there).returncode != 0
    assert command.status(id) == "PENDING"
    command.run("approve", id, "--yes", "--biometry", **here)
    assert approved_by(command, id) == "possession_biometry"
    assert "biometry" not in command.run("export")
    command.run("biometry", "remove")
    assert not command.json("status")["has_biometry"]


def test_biometry_for_an_offline_operation(biometric: Command) -> None:
    command = biometric
    activation = command.json("status")["activation_id"]
    codes = []
    for flags in ("B", ""):
        id = command.operation()
        data = {"operationId": id, "activationId": activation, "title": "Payment", "message": "Pay", "flags": flags}
        codes.append(command.server.admin("POST", "/offline", {**data, "data": "A1*A100CZK"}))
    answer = command.json("qr", "--text", codes[0]["offlineData"], "--yes", "--biometry")
    check = {
        "activationId": activation, "operationId": answer["id"], "code": answer["code"], "biometryAllowed": True,
        "data": codes[0]["data"], "nonce": codes[0]["nonce"],
    }  # fmt: skip
    checked = command.server.admin("POST", "/offline/verify", check)
    assert checked["valid"] and checked["signatureType"] == "possession_biometry"
    command.run("qr", "--text", codes[1]["offlineData"], "--yes", "--biometry", code=4)


def test_the_end_of_biometry(biometric: Command) -> None:
    command = biometric
    id = command.operation(allowedSignatureTypes=["possession_biometry"])
    assert "biometry is removed" in command.run("biometry", "remove")
    assert kept(command) == {} and not command.json("status")["has_biometry"]
    assert "mtoken biometry add" in command.run("approve", id, "--yes", "--biometry", code=4)
    command.run("biometry", "remove")
    command.run("biometry", "add", pin="1111", code=4)
    assert kept(command) == {}, "after a wrong PIN no key is kept"
    command.run("biometry", "add", pin=PIN)
    Path(command.environment["MTOKEN_TEST_KEYRING"]).write_text('{"mtoken bank/biometry": "no Base64!"}')
    assert "is damaged" in command.run("approve", id, "--yes", "--biometry", code=8)
    assert command.status(id) == "PENDING"


# Mobile authentication


def push_of(command: Command, id: str) -> str:
    sent = command.server.admin("GET", "/pushes")["pushes"]
    (payload,) = (push["payload"] for push in sent if id in json.dumps(push["payload"]))
    return json.dumps(payload)


def test_mobile_auth_list(command: Command) -> None:
    assert "No request" in command.run("mobile-auth", "list")
    assert "no request" in command.run("mobile-auth", "answer", code=1)
    ids = {command.operation() for _ in range(2)}
    listed = command.run("mobile-auth", "list")
    assert all(id[:8] in listed for id in ids) and "authorize_payment" in listed
    assert {request["transaction_id"] for request in command.json("mobile-auth", "list")} == ids
    assert "choose one of" in command.run("mobile-auth", "answer", code=2)


def test_mobile_auth_answers(command: Command) -> None:
    first, second, third = (command.operation() for _ in range(3))
    assert command.json("mobile-auth", "answer", first, "--yes", pin=PIN) == {"id": first, "result": "APPROVED"}
    assert approved_by(command, first) == "possession_knowledge"
    answer = command.json("mobile-auth", "answer", second[:8], "--deny", "--reason", "UNEXPECTED_OPERATION")
    assert answer == {"id": second, "result": "REJECTED"}
    assert command.server.operation(second)["rejectReason"] == "UNEXPECTED_OPERATION"
    one_factor = command.operation(template="login_1fa")
    command.run("mobile-auth", "answer", one_factor, "--yes")
    assert command.status(one_factor) == "APPROVED"
    error = command.json("mobile-auth", "answer", third, "--yes", pin="1111", code=4)["error"]
    assert error["remaining_attempts"] == 4 and command.status(third) == "PENDING"
    gone = command.json("mobile-auth", "answer", first, "--yes", pin=PIN, code=7)["error"]
    assert gone["reason"] == "not_found"
    for arguments in (("--yes",), (third, "--yes", "--deny"), (third, "--push", "-")):
        command.run("mobile-auth", "answer", *arguments, pin=PIN, code=2)
    assert "check the details" in command.run("mobile-auth", "answer", third, pin=PIN, code=2)


def test_mobile_auth_by_push(command: Command, tmp_path: Path) -> None:
    command.run("push", "register", "fcm", "a-token")
    id, other = command.operation(), command.operation()
    lie = push_of(command, id).replace("Payment", "Harmless")
    shown = command.run("mobile-auth", "answer", "--push", "-", "--yes", pin=PIN, text=lie)
    assert command.status(id) == "APPROVED" and "Harmless" not in shown
    (tmp_path / "push.json").write_text(push_of(command, other))
    command.run("mobile-auth", "answer", "--push", str(tmp_path / "push.json"), "--deny")
    assert command.status(other) == "REJECTED"
    assert "not a request for this activation" in command.run(
        "mobile-auth", "answer", "--push", "-", "--yes", text="{}", code=1
    )
    command.run("mobile-auth", "answer", "--push", "-", "--yes", text="{", code=2)


def test_mobile_auth_at_a_terminal(command: Command) -> None:
    """A wrong PIN is asked for again; no to the approval asks whether to deny."""
    id = command.operation()
    command.talk(
        ["mobile-auth", "answer"],
        "CZ5508000000001234567899",
        (r"Approve Payment confirmation\? \[y/N\]: ", "y"),
        ("PIN: ", "1111"),
        "Wrong PIN. 4 attempts left.",
        ("PIN: ", PIN),
        "confirmed|approved",
    )
    assert command.status(id) == "APPROVED"
    id = command.operation()
    for answer, exit_code, status in (("n", 9, "PENDING"), ("y", 0, "REJECTED")):
        command.talk(
            ["mobile-auth", "answer", id],
            (r"Approve .*\[y/N\]: ", "n"),
            (r"Deny it\? .*\[y/N\]: ", answer),
            code=exit_code,
        )
        assert command.status(id) == status


def test_mobile_auth_with_biometry(biometric: Command) -> None:
    command = biometric
    factors = ["possession_knowledge", "possession_biometry"]
    id = command.operation(allowedSignatureTypes=factors)
    command.run("mobile-auth", "answer", id, "--yes", "--biometry")
    assert approved_by(command, id) == "possession_biometry"
    command.run("pin", "remember", pin=PIN)
    only_pin = command.operation(allowedSignatureTypes=factors[:1])
    command.run("mobile-auth", "answer", only_pin, "--yes", "--biometry")
    assert approved_by(command, only_pin) == "possession_knowledge"


def test_mobile_auth_with_a_proximity_check(command: Command) -> None:
    id = command.operation(template="login_qr")
    assert "--proximity" in command.run("mobile-auth", "answer", id, "--yes", pin=PIN, code=2)
    totp = command.server.admin("GET", f"/operations/{id}/totp")["totp"]
    command.run("mobile-auth", "answer", id, "--yes", "--proximity", totp, pin=PIN)
    assert command.status(id) == "APPROVED"


# Use


def test_no_pin_among_the_arguments(empty: Command) -> None:
    """No command has an option that takes a PIN itself: others see a process's arguments."""
    from mtoken_command import register
    from mtoken_command.app import app
    from typer.main import get_command

    register()

    def names(command: Any) -> Iterator[str]:
        for parameter in command.params:
            yield from parameter.opts
        for child in getattr(command, "commands", {}).values():
            yield from names(child)

    assert {name for name in names(get_command(app)) if "pin" in name} == {"--pin-fd", "--new-pin-fd", "--tls-pin"}


def test_json_everywhere() -> None:
    """Only `export` has no such option, for what it writes is JSON, and `completion`, which writes a script."""
    from mtoken_command import register
    from mtoken_command.app import app
    from typer.main import get_command

    register()

    def without(command: Any, name: str) -> Iterator[str]:
        children = getattr(command, "commands", {})
        for child in children:
            yield from without(children[child], f"{name} {child}")
        if not children and not any("--json" in parameter.opts for parameter in command.params):
            yield name

    assert list(without(get_command(app), "mtoken")) == ["mtoken export", "mtoken completion"]


def test_a_descriptor_without_a_pin(command: Command) -> None:
    assert "no PIN" in command.run("history", pin="", code=2)
    child = command.process("history", "--pin-fd", "77")
    assert child.returncode == 2 and "descriptor 77" in child.stderr


def test_help_and_completion(empty: Command) -> None:
    whole = empty.run("--help").splitlines()
    assert len(whole) <= 45 and max(map(len, whole)) <= 85 and any("  4 refused: PIN, factor" in line for line in whole)
    for words in (["approve"], ["pin"], ["activate"], ["profile", "add"]):
        assert "<bool>" not in empty.run(*words, "--help")
    for arguments in (["activate"], ["approve"], ["profile", "add"], ["watch"]):
        assert "Usage: mtoken" in empty.run(*arguments, "--help")
    assert empty.run("--version") == f"mtoken {mtoken.version()}\n"
    completed = empty.run(_MTOKEN_COMPLETE="complete_bash", COMP_WORDS="mtoken app", COMP_CWORD="1")
    assert completed.split() == ["approve"]
    script = empty.run("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert "complete -o default -F _mtoken_completion mtoken" in script


@pytest.mark.parametrize(
    "words, absent",
    [
        ("--help", {"typer", "rich", "mtoken.abi"}),
        ("-p bank list --help", {"mtoken_command.demo", "mtoken.oidc", "urllib.request"}),
    ],
)
def test_what_is_not_needed_is_not_loaded(empty: Command, words: str, absent: Set[str]) -> None:
    """The command is there at once."""
    program = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    program += f"sys.argv = ['mtoken', *{words.split()}]; from mtoken_command import main; main()"
    child = subprocess.run(
        [sys.executable, "-c", program], env=empty.environment, capture_output=True, text=True, check=False, timeout=120
    )
    loaded = set(child.stderr.split())
    assert child.returncode == 0 and "mtoken_command" in loaded and not absent & loaded


def test_without_its_packages(empty: Command, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "typer.py").write_text("raise ModuleNotFoundError('no', name='typer')")
    path = os.pathsep.join([str(tmp_path / "none"), CHILD_PATH])
    command = [sys.executable, "-m", "mtoken_command", "status"]
    environment = {**empty.environment, "PYTHONPATH": path}
    child = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert child.returncode == 2 and "pip install typer rich" in child.stderr
