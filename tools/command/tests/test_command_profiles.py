"""Profiles of the `mtoken` command: to which servers they may lead, how they go, and what goes with them."""

from __future__ import annotations

import enum
import json
import shutil
from pathlib import Path
from typing import Any, Callable, Dict, List

import mtoken
import pytest
import typer
from commands import PIN, Command, kept, taken
from mtoken_command import output, servers, states

THIS_MACHINE = [
    "http://127.0.0.1", "http://127.0.0.1/", "http://127.0.0.1:8080/server", "http://127.9.8.7:1", "http://localhost",
    "http://localhost:8080/server", "HTTP://LocalHost/", "http://[::1]", "http://[::1]:8080/a/b", "http://[0:0:0:0:0:0:0:1]/",
]  # fmt: skip
OTHERS = [
    # Names and addresses that begin like this machine's.
    "http://127.0.0.1.evil.example", "http://127.0.0.1.evil.example:80/", "http://localhost.evil", "http://localhost.evil.example/x",
    "http://localhost-evil.example", "http://localhostevil.example", "http://127.0.0.1evil.example", "http://127.0.0.1.",
    "http://localhost.", "http://127.0.0.10.evil", "http://[::1].evil.example/", "http://[::1]evil.example/", "http://[::1]:80.evil/",
    # Users and passwords that look like a host.
    "http://127.0.0.1@evil.example/", "http://localhost@evil.example", "http://localhost:80@evil.example/", "http://[::1]@evil.example/",
    "http://127.0.0.1:80:90@evil.example", "http://evil.example@127.0.0.1/", "http://@127.0.0.1/", "http://127.0.0.1%40evil.example/",
    # What some programs take for the end of the host, or for nothing.
    "http://127.0.0.1\\@evil.example/", "http://evil.example\\@127.0.0.1/", "http://127.0.0.1\\.evil.example", "http://127.0.0.1#@evil.example/",
    "http://127.0.0.1?@evil.example/", "http://127.0.0.1;@evil.example/", "http://127.0.0.1%2eevil.example", "http://127.0.0.1%00.evil.example",
    "http://127.0.0.1\t.evil.example", "http://127.0.0.1\n.evil.example", "http://127.0.0.1\u3002evil.example", "http://127.0.0.1 .evil.example",
    "http://127.0.0.1\u2028/", " http://127.0.0.1/", "http://127.0.0.1/ ", "http://127.0.0.1\x00/",
    # Other ways to write addresses.
    "http://127.1", "http://2130706433", "http://0x7f000001", "http://0177.0.0.1", "http://127.0.0.01", "http://\uff11\uff12\uff17.0.0.1",
    "http://\u24dbocalhost", "http://[::ffff:127.0.0.1]", "http://[::1%25lo]", "http://[127.0.0.1]", "http://::1/", "http://[::1",
    # Other hosts.
    "http://evil.example/127.0.0.1", "http://10.0.0.1", "http://0.0.0.0", "http://[::]", "http://128.0.0.1", "http://126.255.255.255",
    "http://[::2]", "http://169.254.169.254/",
    # Ports that are none, and other schemes.
    "http://127.0.0.1:", "http://127.0.0.1:99999", "http://127.0.0.1:080", "http://127.0.0.1:80:90", "http://127.0.0.1:x", "http://127.0.0.1:-1",
    "http:127.0.0.1", "http:/127.0.0.1", "http:///127.0.0.1", "ftp://127.0.0.1", "127.0.0.1", "//127.0.0.1", "http://", "http", "",
]  # fmt: skip


@pytest.mark.parametrize("url", THIS_MACHINE)
def test_this_machine(url: str) -> None:
    assert servers.is_plain_loopback(url)


@pytest.mark.parametrize("url", [*OTHERS, *(f"https{url[4:]}" for url in THIS_MACHINE)])
def test_not_this_machine(url: str) -> None:
    assert not servers.is_plain_loopback(url)


def config_of(command: Command) -> Path:
    return command.home / ".config" / "mtoken" / "profiles.json"


def change(command: Command, number: int = 0, **members: Any) -> None:
    """Changes a profile in the command's own file; None takes a member out."""
    document = json.loads(config_of(command).read_text())
    profile = {**document["profiles"][number], **members}
    document["profiles"][number] = {name: value for name, value in profile.items() if value is not None}
    config_of(command).write_text(json.dumps(document))


def document(command: Command, **members: Any) -> str:
    profile = {"name": "bank", "server": command.server.url, "configuration": command.server.configuration, **members}
    return json.dumps({"format": "mtoken-profiles/1", "profiles": [profile]})


SOME = [
    "http://127.0.0.1.evil.example", "http://localhost.evil", "http://127.0.0.1@evil.example/", "http://[::1].evil.example/",
    "http://127.0.0.1\\@evil.example/", "http://bank.example",
]  # fmt: skip


@pytest.mark.parametrize("url", SOME)
@pytest.mark.parametrize("member", ["server", "operations_server"])
def test_the_same_rule_everywhere(empty: Command, url: str, member: str) -> None:
    """A profile that leads to another host in plain http is not added, not imported, and not used."""
    given = {"server": empty.server.url, member: url}
    options = [item for name, value in given.items() for item in (f"--{name.replace('_', '-')}", value)]
    assert "plain http" in empty.run("profile", "add", "bank", *options, "--config", empty.server.configuration, code=2)
    assert "plain http" in empty.run("import", "-", text=document(empty, **{member: url}), code=2)
    assert not config_of(empty).exists()
    empty.add()
    change(empty, **{member: url})
    for use in (["status"], ["activate", "AAAAA-BBBBB-CCCCC-DDDDD"], ["list"], ["oidc", "show", "x"]):
        assert "plain http" in empty.run(*use, code=2)
    assert url in json.dumps(empty.json("profile", "list")).replace("\\\\", "\\")
    empty.run("profile", "remove", "bank")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/server", "http://localhost:1", "http://[::1]:1/"])
def test_plain_http_within_this_machine(empty: Command, url: str) -> None:
    empty.run("profile", "add", "bank", "--server", url, "--config", empty.server.configuration)
    assert "mtoken activate" in empty.run("status", code=3)
    empty.run("import", "-", "--replace", text=document(empty, server=url, operations_server=url))
    assert empty.json("activate", "AAAAA-AAAAA-AAAAA-AAAAA", pin=PIN, code=5)["error"]["reason"] == "network_generic"


def test_nothing_of_a_file_is_imported_if_one_is_wrong(empty: Command) -> None:
    first = json.loads(document(empty))
    first["profiles"].append({**first["profiles"][0], "name": "other", "server": "http://bank.example"})
    empty.run("import", "-", text=json.dumps(first), code=2)
    assert not config_of(empty).exists()


# A profile can always be removed


def state_folder(command: Command) -> Path:
    return command.home / ".local" / "share" / "mtoken" / "bank"


def tampered(command: Command) -> None:
    for path in state_folder(command).iterdir():
        content = bytearray(path.read_bytes())
        content[len(content) // 3 :] = bytes(byte ^ 0x5A for byte in content[len(content) // 3 :])
        path.write_bytes(content)


def test_a_tampered_state(command: Command) -> None:
    tampered(command)
    assert command.json("status", code=8)["error"]["code"] == "TAMPERED"
    command.run("remove", "--local", "--yes", code=8)
    command.run("profile", "remove", "bank")
    assert command.json("profile", "list")["profiles"] == [] and not state_folder(command).exists()
    assert not (state_folder(command).parent / "bank.ca.pem").exists()
    command.add()
    command.run("activate", command.code(), pin=PIN)


@pytest.mark.parametrize(
    "members",
    [
        {"configuration": None}, {"configuration": "none"}, {"configuration": ""}, {"configuration": 5}, {"server": None},
        {"server": "http://bank.example"}, {"server": "nowhere"}, {"pins": ["none"]}, {"pins": 5}, {"protocol": "9"},
        {"store": "moon"}, {"something": "new"},
    ],
    ids=str,
)  # fmt: skip
def test_a_profile_that_cannot_be_used(command: Command, members: Dict[str, Any]) -> None:
    """It can go, keeps no other from being used, and its activation is found again by a whole one of the same name."""
    command.add("other")
    change(command, **members)
    command.run("status", "-p", "other", code=3)
    child = command.process("status", "-p", "bank")
    assert child.returncode != 0 and "Traceback" not in child.stderr
    assert "bank" in command.run("profile", "list") and '"bank"' in json.dumps(command.json("profile", "list"))
    command.run("profile", "use", "other")
    printed = command.run("profile", "remove", "bank")
    assert (
        "bank is removed" in printed
        and "not removed" in printed
        and str(state_folder(command)) in printed.replace("\n", "")
    )
    assert [item["name"] for item in command.json("profile", "list")["profiles"]] == ["other"]
    command.add()
    assert command.json("status", "-p", "bank")["state"] == "ACTIVE"


def test_a_damaged_profile_is_replaced(command: Command) -> None:
    change(command, configuration=None)
    assert "mtoken profile remove bank" in command.run("status", code=2)
    exported = command.run("export")
    assert json.loads(exported)["profiles"] == []
    command.add()
    command.run("status")
    assert len(command.json("profile", "list")["profiles"]) == 1


@pytest.mark.parametrize(
    "item", [5, "bank", None, [], {}, {"name": 5}, {"name": ""}, {"name": "../x"}, {"name": "bank"}], ids=str
)
def test_what_is_no_profile(command: Command, item: Any) -> None:
    document = json.loads(config_of(command).read_text())
    document["profiles"].append(item)
    config_of(command).write_text(json.dumps(document))
    command.run("status")
    assert "#2" in command.run("profile", "list")
    command.run("profile", "remove", "#2")
    assert json.loads(config_of(command).read_text())["profiles"] == document["profiles"][:1]
    command.run("status")


def test_a_server_that_is_gone(command: Command) -> None:
    change(command, server="https://127.0.0.1:1")
    assert "--local" in command.run("profile", "remove", "bank", code=2), "what is activated does not go by accident"
    command.run("remove", "--yes", pin=PIN, code=5)
    command.run("remove", "--local", "--yes")
    assert "not removed" not in command.run("profile", "remove", "bank")
    assert not state_folder(command).exists()


def test_by_force(command: Command) -> None:
    assert command.json("profile", "remove", "bank", "--force") == {"removed": "bank"}
    assert not state_folder(command).exists()
    command.add()
    command.run("status", code=3)


def test_an_activation_in_use(command: Command) -> None:
    with taken(command):
        assert command.json("profile", "remove", "bank", code=8)["error"]["code"] == "BUSY"
        command.run("profile", "remove", "bank", "--force")
    command.add()
    command.run("status", code=3)


def test_a_state_that_cannot_be_read(command: Command) -> None:
    shutil.rmtree(state_folder(command))
    state_folder(command).write_text("a file")
    command.run("status", code=8)
    printed = command.run("profile", "remove", "bank")
    assert "not removed" in printed and state_folder(command).exists()


@pytest.mark.parametrize("backend", ["LockedKeyring", "BrokenKeyring"])
def test_a_pin_in_a_locked_keyring(keyring_command: Command, backend: str) -> None:
    command = keyring_command
    locked = {"PYTHON_KEYRING_BACKEND": f"filekeyring.{backend}"}
    command.add()
    command.run("activate", command.code(), pin=PIN)
    command.run("pin", "remember", pin=PIN)
    assert "the activation is removed, but the keyring" in command.run("remove", "--local", "--yes", code=8, **locked)
    printed = command.run("profile", "remove", "bank", **locked)
    assert "bank is removed" in printed and "not removed: the item pin of mtoken bank" in printed
    assert command.json("profile", "list")["profiles"] == []


@pytest.mark.parametrize(
    "backend", ["filekeyring.LockedKeyring", "filekeyring.BrokenKeyring", "keyring.backends.fail.Keyring"]
)
def test_a_state_in_a_locked_keyring(keyring_command: Command, backend: str) -> None:
    command = keyring_command
    locked = {"PYTHON_KEYRING_BACKEND": backend}
    command.add("bank", "--store", "keyring")
    command.run("activate", command.code(), pin=PIN)
    assert command.run("status", code=8, **locked)
    assert "not removed: its activation, if there is one, in the keyring" in command.run(
        "profile", "remove", "bank", **locked
    )
    assert command.json("profile", "list")["profiles"] == []
    command.add("bank", "--store", "keyring")
    command.run("status")
    assert "not removed: its state in the keyring" in command.run("profile", "remove", "bank", "--force", **locked)


def test_a_tampered_state_in_the_keyring(keyring_command: Command) -> None:
    command = keyring_command
    command.add("bank", "--store", "keyring")
    command.run("activate", command.code(), pin=PIN)
    path = Path(command.environment["MTOKEN_TEST_KEYRING"])
    items = kept(command)
    items["mtoken bank/bank.state"] = items["mtoken bank/bank.state"][::-1].lstrip("=") + "=" * items[
        "mtoken bank/bank.state"
    ].count("=")
    path.write_text(json.dumps(items))
    command.run("status", code=8)
    command.run("profile", "remove", "bank")
    assert command.json("profile", "list")["profiles"] == []


# The remembered PIN


def remembering(command: Command) -> Command:
    command.add()
    command.run("activate", command.code(), pin=PIN)
    command.run("pin", "remember", pin=PIN)
    command.run("biometry", "add")
    assert set(kept(command)) == {"mtoken bank/pin", "mtoken bank/biometry"}
    return command


@pytest.mark.parametrize(
    "members", [{}, {"server": "https://evil.example"}, {"operations_server": "https://evil.example"}], ids=str
)
def test_an_import_forgets_the_pin(keyring_command: Command, members: Dict[str, Any]) -> None:
    """Who brings another profile of the same name does not get the PIN to work with it."""
    command = remembering(keyring_command)
    arriving = json.loads(command.run("export"))
    arriving["profiles"][0].update({**members, "remember_pin": True})
    assert command.json("import", "-", "--replace", text=json.dumps(arriving)) == {
        "imported": ["bank"],
        "pin_forgotten": ["bank"],
    }
    assert set(kept(command)) == {"mtoken bank/biometry"}
    assert "--pin-fd" in command.run("history", code=2), "it is asked for again"
    assert "pin_forgotten" not in command.json("import", "-", "--replace", text=json.dumps(arriving))
    command.run("remove", "--local", "--yes")
    assert kept(command) == {}


def test_an_import_that_cannot_forget_the_pin(keyring_command: Command) -> None:
    command = remembering(keyring_command)
    before = config_of(command).read_text()
    arriving = document(command, server="https://evil.example")
    command.run("import", "-", "--replace", text=arriving, code=8, PYTHON_KEYRING_BACKEND="filekeyring.LockedKeyring")
    assert config_of(command).read_text() == before


def test_a_damaged_profile_forgets_its_pin_too(keyring_command: Command) -> None:
    command = remembering(keyring_command)
    change(command, configuration=None)
    command.run("import", "-", "--replace", text=document(command))
    assert set(kept(command)) == {"mtoken bank/biometry"}


def test_another_server_does_not_get_the_pin(keyring_command: Command) -> None:
    command = remembering(keyring_command)
    command.add()
    assert "mtoken bank/pin" in kept(command), "the same server"
    command.add("bank", "--language", "cs")
    assert "mtoken bank/pin" in kept(command)
    command.run("profile", "add", "bank", "--server", "https://other.example", "--config", command.server.configuration)
    assert set(kept(command)) == {"mtoken bank/biometry"}


# What a terminal is shown


EVIL = "\x1b[2J\x07\x7f\x9b31m\u202e001\u2066x\u2069\u200e\u061c\u2028\U000e0041 pay \u0159 \U0001f4b6"
STEERING = set("\x1b\x07\x7f\x9b\u202e\u2066\u2069\u200e\u061c\u2028\U000e0041")


@pytest.fixture
def evil_operation(command: Command) -> str:
    attribute = {"type": "NOTE", "id": "note", "label": EVIL, "note": EVIL}
    return command.operation(extraMembers={"formData": {"title": EVIL, "message": EVIL, "attributes": [attribute]}})


def test_json_at_a_terminal(command: Command, evil_operation: str) -> None:
    for arguments in (["show", evil_operation, "--json"], ["list", "--json"]):
        terminal = command.terminal(*arguments)
        printed = terminal.read()
        terminal.close()
        printed = printed[printed.index("{") :]  # before it there is the wheel that turns while one waits
        assert terminal.exitstatus == 0 and not set(printed) & STEERING
        found = json.loads(printed)
        operation = found if "title" in found else found["operations"][0]
        assert operation["title"] == EVIL, "an escape means the same"
        assert "\u0159 \U0001f4b6" in printed, "what is readable stays readable"


def test_json_of_errors_and_of_watching(command: Command, evil_operation: str) -> None:
    terminal = command.terminal("watch", "--json", "--for", "1")
    printed = terminal.read()
    terminal.close()
    assert "added" in printed and not set(printed) & STEERING
    assert not set(command.run("show", f"{evil_operation}{EVIL}", "--json", code=7)) & STEERING
    assert not set(command.run("list", "--json", "--profile", f"x{EVIL}", code=2)) & STEERING


# What to do next


def test_a_blocked_activation(command: Command) -> None:
    id = command.json("status")["activation_id"]
    command.server.admin("POST", f"/activations/{id}/block")
    printed = command.run("status")
    assert "blocked" in printed and "to unblock" in printed
    command.server.admin("POST", f"/activations/{id}/unblock")
    assert "Next" not in command.run("status")


def test_every_state_has_a_next_step() -> None:
    for state in mtoken.ActivationState:
        assert (states.next_step(state) is None) is (state is mtoken.ActivationState.ACTIVE)
    assert states.next_step(mtoken.ActivationState(4711)) is None


class Code(enum.IntEnum):
    """Codes that say the state of the activation."""

    BLOCKED = 101
    REMOVED = 102
    PENDING_COMMIT = 103


@pytest.mark.parametrize("code", Code)
@pytest.mark.parametrize("as_json", [True, False])
def test_errors_that_say_the_state(code: Code, as_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    def failing(as_json: bool) -> None:
        error = mtoken.MTokenError("The activation is not active.")
        error.code = code  # type: ignore[assignment]
        raise error

    run: Callable[..., None] = output.reporting(failing)
    with pytest.raises(typer.Exit) as ended:
        run(as_json=as_json)
    assert ended.value.exit_code == (4 if code is Code.BLOCKED else 3)
    said: List[str] = list(capsys.readouterr())
    step = states.next_step(mtoken.ActivationState[code.name])
    if as_json:
        assert json.loads(said[0])["error"]["next"] == step
    else:
        assert f"Next: {step}" in " ".join(said[1].split())
