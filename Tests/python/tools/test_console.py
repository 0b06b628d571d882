"""The dev server's console with the library behind its phone: in a browser, by mouse and keyboard, in light, dark and on a small
screen, and judged by axe-core.

python Tests/python/tools/test_console.py      takes the pictures of docs/guides/console.md anew
"""

from __future__ import annotations

import html
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import browser
import pytest
from devserver import FOLDER, OPERATIONS, PAYMENT, ROOT, SHOWCASE

AUTHORIZE = f"{OPERATIONS}/authorize"
LOOKS = [("light", 1200), ("dark", 390)]
if os.environ.get("MTOKEN_FULL") == "1":
    LOOKS += [("dark", 1200), ("light", 390)]
PAGES = "bank operations activations messages requests audit lab applications templates api".split()


class Bank:
    """A server whose process has the library, so that it has a phone."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        command = [sys.executable, "-m", "mtoken_devserver", "--json", "--exit-with-parent", "--http-port", "0"]
        path = f"{ROOT}/bindings/python/src:{ROOT}/tools/command:{os.environ.get('PYTHONPATH', '')}"
        with Path(self._folder.name, "log").open("wb") as log:
            self._process = subprocess.Popen(
                [*command, "--state-dir", self._folder.name],
                cwd=FOLDER,
                env={**os.environ, "PYTHONPATH": path},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        assert self._process.stdout is not None
        self.url: str = json.loads(self._process.stdout.readline())["httpUrl"]

    def send(self, method: str, path: str, body: Any = None) -> str:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=300) as answer:
            return str(answer.read().decode())

    def admin(self, method: str, path: str, body: Any = None) -> Any:
        return json.loads(self.send(method, f"/admin{path}", body))

    def touch(self, action: str, **form: str) -> str:
        """What the phone shows after a touch, without its tags, once the bank has answered."""
        page = self.send("POST", f"/console/phone/{action}", form)
        while "data-waits" in page:
            page = self.send("GET", "/console/phone")
        return words(page)

    def look(self) -> str:
        """What the phone shows when nobody touches it."""
        return words(self.send("GET", "/console/phone"))

    def activated(self, pin: str = "2468") -> Dict[str, Any]:
        self.touch("remove")
        record: Dict[str, Any] = self.admin("POST", "/activations", {"userId": "alice"})
        assert "Activated" in self.touch("activate", code=record["activationCode"], pin=pin)
        return record

    def ready(self) -> str:
        """The phone of an activation that the bank has committed, and the id of a payment that waits."""
        record = self.activated()
        self.admin("POST", f"/activations/{record['activationId']}/commit")
        payment = {"userId": "alice", "template": "authorize_payment", "parameters": PAYMENT}
        id: str = self.admin("POST", "/operations", payment)["operationId"]
        self.touch("home")
        return id

    def stop(self) -> None:
        self._process.communicate(timeout=300)
        self._folder.cleanup()


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)).strip()


@pytest.fixture(scope="module")
def bank() -> Iterator[Bank]:
    running = Bank()
    yield running
    running.stop()


def test_phone(bank: Bank) -> None:
    """A visitor's way: activate, wait for the bank, approve, reject, off line, near a screen."""
    bank.touch("remove")
    record = bank.admin("POST", "/activations", {"userId": "alice"})
    assert record["activationCode"] in bank.send("GET", "/console/phone")
    shown = bank.touch("activate", code=record["activationCode"], pin="2468")
    path = f"/activations/{record['activationId']}"
    assert bank.admin("GET", path)["fingerprint"] in shown
    assert "The bank has to commit" in bank.touch("home")
    bank.admin("POST", f"{path}/commit")
    assert "nothing to approve" in bank.touch("home")
    payment = {"userId": "alice", "template": "authorize_payment", "parameters": PAYMENT}
    first, second = (bank.admin("POST", "/operations", payment)["operationId"] for _ in range(2))
    assert "2 to approve" in bank.touch("home")
    opened = bank.touch("open", id=first)
    assert "Rent for May" in opened and "You sign" in opened and "Amount: 1250.50 EUR" in opened
    wrong = bank.touch("approve", id=first, pin="1111")
    assert "Wrong PIN. 4 attempts left." in wrong and "Amount: 1250.50 EUR" in wrong, "asked again in place"
    assert "Payment of 1250.50 EUR was confirmed" in bank.touch("approve", id=first, pin="2468")
    bank.touch("home")
    assert "Payment was rejected Something in it is wrong" in bank.touch("reject", id=second, reason="INCORRECT_DATA")
    assert bank.admin("GET", f"/operations/{first}")["status"] == "APPROVED"
    rejected = bank.admin("GET", f"/operations/{second}")
    assert (rejected["status"], rejected["rejectReason"]) == ("REJECTED", "INCORRECT_DATA")
    login = bank.admin("POST", "/operations", {"userId": "alice", "template": "login_qr"})["operationId"]
    offline = bank.admin("POST", f"/operations/{login}/offline", {"activationId": record["activationId"]})
    scanned = bank.touch("scan", text=offline["offlineData"])
    assert "You sign" in scanned and "Login" in scanned and "Signed by the bank, for this phone" in scanned
    assert "A2" not in scanned
    code = re.search(r"\d{4} \d{4} \d{4} \d{4}", bank.touch("answer", pin="2468"))
    assert code is not None
    check = {"activationId": record["activationId"], "operationId": login, "code": code[0], "approve": False}
    assert bank.admin("POST", "/offline/verify", check)["valid"]
    near = bank.admin("GET", f"/operations/{login}/totp")["deeplink"]
    bank.touch("home")
    asked = bank.touch("open", id=login)
    assert "scan the code from the screen" in asked and "Approve" not in asked
    assert "You are near the screen" in bank.touch("scan", text=near)
    assert "Approved" in bank.touch("approve", id=login, pin="2468")
    assert "That did not work" in bank.touch("scan", text="nothing")
    bank.admin("POST", f"{path}/block")
    assert "BLOCKED" in bank.touch("home")


def test_an_approval_that_takes_its_time(bank: Bank) -> None:
    """It is seen to be on its way, a second touch sends nothing, and the result stays until somebody has read it."""
    id = bank.ready()
    before = len(bank.admin("GET", f"/requests?path={AUTHORIZE}")["requests"])
    bank.admin("POST", "/faults", {"match": AUTHORIZE, "kind": "latency", "parameters": {"ms": 6000, "after": True}})
    try:
        sent = words(bank.send("POST", "/console/phone/approve", {"id": id, "pin": "2468"}))
        assert re.search(r"Approve Payment .* On its way since \d\d:\d\d:\d\d, \d s", sent), sent
        for touch in ("approve", "reject", "home"):
            form = {"id": id, "pin": "2468", "reason": "UNKNOWN"}
            assert "On its way since" in words(bank.send("POST", f"/console/phone/{touch}", form))
        assert "Approved" in bank.touch("approve", id=id, pin="2468")
    finally:
        bank.admin("DELETE", "/faults")
    assert "Approved" in bank.look() and "Approved" in bank.look(), "until somebody has read it"
    assert "Approved" in bank.touch("approve", id=id, pin="2468")
    assert re.search(r"Done here .*\d\d:\d\d:\d\d Approve Payment [^:]*: done", bank.touch("home"))
    assert "nothing to approve" in bank.look()
    assert len(bank.admin("GET", f"/requests?path={AUTHORIZE}")["requests"]) == before + 1
    assert bank.admin("GET", f"/operations/{id}")["status"] == "APPROVED"


@pytest.mark.parametrize("acts", [True, False])
def test_an_approval_whose_answer_is_lost(bank: Bank, acts: bool) -> None:
    id = bank.ready()
    fault = {"match": AUTHORIZE, "kind": "close_after_read", "parameters": {"process": acts}}
    bank.admin("POST", "/faults", fault)
    try:
        assert "The bank may have acted" in bank.touch("approve", id=id, pin="2468")
    finally:
        bank.admin("DELETE", "/faults")
    assert "No answer" in bank.look()
    assert "Approve Payment confirmation: No answer" in bank.touch("home")
    assert bank.admin("GET", f"/operations/{id}")["status"] == ("APPROVED" if acts else "PENDING")


def test_a_phone_of_protocol_4(bank: Bank) -> None:
    """The same phone at a bank whose application has keys of 4.0: it confirms the activation by itself."""
    bank.touch("remove")
    bank.admin("POST", "/applications", {"applicationId": "newer", "suite": "EC_P384"})
    record = bank.admin("POST", "/activations", {"userId": "alice", "applicationId": "newer"})
    bank.touch("activate", code=record["activationCode"], pin="2468")
    path = f"/activations/{record['activationId']}"
    assert "The bank has to commit" in bank.touch("home")
    bank.admin("POST", f"{path}/commit")
    assert "nothing to approve" in bank.touch("home")
    seen = bank.admin("GET", path)
    assert seen["suite"] == "EC_P384" and seen["protocol4"]["confirmPending"] is False
    payment = {"userId": "alice", "applicationId": "newer", "template": "authorize_payment", "parameters": PAYMENT}
    id = bank.admin("POST", "/operations", payment)["operationId"]
    assert "1 to approve" in bank.touch("home")
    assert "Approved" in bank.touch("approve", id=id, pin="2468")
    offline = bank.admin("POST", f"/operations/{id}/offline", {"activationId": record["activationId"]})
    assert "Payment" in bank.touch("scan", text=offline["offlineData"])
    assert re.search(r"( \d{4}){4}", bank.touch("answer", pin="2468"))


def test_all_that_a_bank_can_ask_for(bank: Bank) -> None:
    """Screens before and after, rows of each kind, one factor, and what is shown but not signed."""
    bank.ready()

    def ask(**members: Any) -> str:
        id: str = bank.admin("POST", "/operations", {"userId": "alice", **members})["operationId"]
        bank.touch("home")
        return id

    id = ask(template="showcase", parameters=SHOWCASE)
    before = bank.touch("open", id=id)
    assert "Watch out! You may become a victim of an attack. You pay 1250.50 EUR" in before and "PIN" not in before
    page = bank.send("POST", "/console/phone/next", {})
    shown = words(page)
    rows = ("Transfer", "€1,250.50", "Rent for May", "€1,250.50 → CZK", "The rate may still change.", "Town Hall")
    for row in (*rows, "City of Brno", "https://example.com/large.png", "Warning: Unusual", "never paid to this"):
        assert row in shown, row
    assert 'class="decide flip"' in page and "Asks for this device and the PIN" in shown
    after = bank.touch("approve", id=id, pin="2468")
    assert "Thank you for your order" in after and "Go to the application" in after
    id = ask(template="login_1fa")
    shown = bank.touch("open", id=id)
    assert "Asks for this device Expires" in shown and "PIN" not in shown
    assert "Login is approved." in bank.touch("approve", id=id)
    other = {"title": "Payment", "message": "You pay 1 EUR", "attributes": []}
    id = ask(name="payment", data="A1*A100EUR*IDE89370400440532013000", formData=other)
    assert "Does not show what it signs" in bank.look()
    shown = bank.touch("open", id=id)
    assert "Not what is signed" in shown and "approves only what it shows" in shown and "Digits" not in shown
    assert "Rejected" in bank.touch("reject", id=id, reason="UNEXPECTED_OPERATION")
    finished = bank.admin("POST", f"/operations/{ask(template='login')}/cancel")["operationId"]
    assert "The bank has cancelled the operation." in bank.touch("approve", id=finished, pin="2468")


def test_the_timeline_leaves_out_what_the_phone_looks_up(bank: Bank) -> None:
    """Users and devices are named. A look is no change: a page that waits for one does not ask again and again."""
    bank.ready()
    bank.touch("home")
    shown = words(bank.send("GET", "/console/requests?user=alice"))
    assert "alice · Phone beside the bank" in shown and "operation/list" not in shown
    assert "operation/list" in bank.send("GET", "/console/requests?user=alice&looks=yes")
    assert "0 found" in bank.send("GET", "/console/requests?user=bob")
    seen = bank.send("GET", "/console/changes")
    bank.look()
    bank.send("GET", "/console/bank")
    assert bank.send("GET", "/console/changes") == seen
    with ThreadPoolExecutor(1) as page:
        waits = page.submit(bank.send, "GET", f"/console/changes?seen={seen}")
        bank.admin("POST", "/operations", {"userId": "alice", "template": "login"})
        assert waits.result(timeout=300) != seen


def lines(bank: Bank, address: str) -> List[str]:
    """The commands that a page has ready."""
    return [html.unescape(found) for found in re.findall(r"<pre[^>]*>(mtoken [^<]*)</pre>", bank.send("GET", address))]


class Terminal:
    """A home of its own, where the command runs whatever the pages have ready."""

    def __init__(self, folder: Path):
        program = folder / "mtoken"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mtoken_command "$@"\n')
        program.chmod(0o755)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MTOKEN_PROFILE"))}
        path = f"{ROOT}/bindings/python/src:{ROOT}/tools/command:{os.environ.get('PYTHONPATH', '')}"
        self._environment = {**clean, "HOME": str(folder), "PATH": f"{folder}:{clean['PATH']}", "PYTHONPATH": path}

    def run(self, line: str, more: str = "") -> str:
        command = ["bash", "-c", f"{line} {more}"]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        return done.stdout

    def activate(self, bank: Bank, user: str, more: str = "") -> str:
        """By the commands of the front page and of the activation's page."""
        if not (Path(self._environment["HOME"]) / ".config").exists():
            self.run(next(line for line in lines(bank, "/") if " profile add" in line))
        record = bank.admin("POST", "/activations", {"userId": user, "commitPhase": "ON_KEY_EXCHANGE"})
        (activate,) = lines(bank, f"/console/activations/{record['activationId']}")
        self.run(activate, f"{more} --pin-fd 3 3<<<2468")
        return str(record["activationId"])


def test_ready_commands(bank: Bank, tmp_path: Path) -> None:
    """A visitor copies what the pages say into a terminal; only PIN and consent are given by the test."""
    terminal = Terminal(tmp_path)
    terminal.activate(bank, "dora")
    for template in ("authorize_payment", "login_qr"):
        body = {"userId": "dora", "template": template, "parameters": PAYMENT}
        operation = bank.admin("POST", "/operations", body)["operationId"]
        terminal.run(lines(bank, f"/console/operations/{operation}")[-1], "--yes --pin-fd 3 3<<<2468")
        assert bank.admin("GET", f"/operations/{operation}")["status"] == "APPROVED"


# In a browser


def missing() -> Optional[str]:
    if importlib.util.find_spec("axe_core_python") is None:
        return "axe-core-python is not installed"
    return browser.missing()


needs_browser = pytest.mark.skipif(missing() is not None, reason=str(missing()))


class Visitor(browser.Browser):
    """Somebody who looks at the pages, with axe-core at hand."""

    def run(self, script: str, *arguments: Any) -> Any:
        return self._send("POST", f"{self._session}/execute/sync", {"script": script, "args": list(arguments)})

    def appear(self, scheme: str, width: int, height: int = 900) -> None:
        """Light or dark, and how large the screen is."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.command("Emulation.setEmulatedMedia", {"features": features})
        self.command("Emulation.setDeviceMetricsOverride", metrics)

    def command(self, name: str, parameters: Dict[str, Any]) -> None:
        """One of Chromium's own."""
        self._send("POST", f"{self._session}/goog/cdp/execute", {"cmd": name, "params": parameters})

    def screenshot(self) -> str:
        """What the window shows, as PNG in Base64."""
        return str(self._send("GET", f"{self._session}/screenshot"))

    def findings(self) -> List[str]:
        """What axe-core says against the page, and whether it is wider than the screen."""
        import axe_core_python

        self.run(Path(axe_core_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8"))
        script = (
            "const done = arguments[0]; axe.run(document).then((result) => done(result.violations.map("
            "(finding) => finding.id + ': ' + finding.nodes.map((node) => node.html.slice(0, 120)).join(' '))));"
        )
        found = self._send("POST", f"{self._session}/execute/async", {"script": script, "args": []})
        if self.run("return document.documentElement.scrollWidth > window.innerWidth"):
            found.append("wider than the screen")
        return [str(finding) for finding in found]

    def until(self, script: str) -> None:
        """Waits in the page until the expression is true."""
        waiting = (
            "const done = arguments[0]; const look = () => (("
            + script
            + ") ? done(true) : setTimeout(look, 20)); look();"
        )
        self._send("POST", f"{self._session}/execute/async", {"script": waiting, "args": []})


def played(bank: Bank) -> None:
    """A day at the bank, so that each page has something to show."""
    record = bank.activated()
    bank.admin("POST", f"/activations/{record['activationId']}/commit")
    bank.touch("home")
    for template in ("authorize_payment", "showcase", "login_qr"):
        parameters = SHOWCASE if template == "showcase" else PAYMENT
        bank.admin("POST", "/operations", {"userId": "alice", "template": template, "parameters": parameters})
    bank.admin("POST", "/activations", {"userId": "bob"})
    message = {"userId": "alice", "subject": "October", "summary": "Your statement is ready", "body": "See there."}
    bank.admin("POST", "/inbox", message)
    bank.admin("POST", "/faults", {"match": "/api/test/signed", "kind": "html"})


@pytest.fixture(scope="module")
def visitor(bank: Bank) -> Iterator[Visitor]:
    played(bank)
    with Visitor() as running:
        yield running


def addresses(bank: Bank) -> List[str]:
    """Every page, and one of each kind of record."""
    operations = bank.admin("GET", "/operations")["operations"]
    records = [f"/console/operations/{row['operationId']}" for row in operations[-3:]]
    records += [
        f"/console/activations/{row['activationId']}" for row in bank.admin("GET", "/activations")["activations"]
    ]
    requests = bank.admin("GET", "/requests?path=/pa/v3/activation/create")["requests"]
    return ["/", *(f"/console/{name}" for name in PAGES), *records, f"/console/requests/{requests[-1]['seq']}"]


@needs_browser
@pytest.mark.parametrize("scheme,width", LOOKS)
def test_axe_finds_nothing(bank: Bank, visitor: Visitor, scheme: str, width: int) -> None:
    visitor.appear(scheme, width)
    found = {}
    for address in addresses(bank):
        visitor.open(bank.url + address)
        if address == "/console/bank":
            visitor.until("document.querySelector('#phone h3')")
        found[address] = visitor.findings()
    assert not {address: findings for address, findings in found.items() if findings}
    assert len(found) > 15


@needs_browser
def test_an_approval_by_mouse(bank: Bank, visitor: Visitor) -> None:
    """The list beside the phone follows without a reload."""
    visitor.appear("light", 1200)
    visitor.open(f"{bank.url}/console/bank")
    visitor.click("#phone form[data-phone=open]:nth-of-type(3) .tile")
    visitor.until("document.querySelector('form[data-phone=approve]')")
    for digit in "2468":
        visitor.click(f"form[data-phone=approve] button[data-digit='{digit}']")
    latency = {"match": AUTHORIZE, "kind": "latency", "parameters": {"ms": 6000, "after": True}}
    fault = bank.admin("POST", "/faults", latency)["id"]
    visitor.click("form[data-phone=approve] button.primary")
    visitor.until("document.querySelector('#phone [data-waits] p')?.textContent.startsWith('On its way since')")
    visitor.until("document.querySelector('#phone h3')?.textContent === 'Approved'")
    bank.admin("DELETE", f"/faults/{fault}")
    visitor.until("document.querySelector('[data-live] .state.approved')")


@needs_browser
@pytest.mark.parametrize("scheme,width", LOOKS)
def test_an_operation_from_the_form_to_the_phone(bank: Bank, visitor: Visitor, scheme: str, width: int) -> None:
    """On one page: the form of a template, what is told, the bank's screens, a wrong PIN, the result."""
    visitor.appear(scheme, width)
    bank.ready()
    visitor.open(f"{bank.url}/console/bank")
    visitor.until("document.querySelector('#phone .tile')")
    if width < 500:
        top = "document.querySelector('%s').getBoundingClientRect().top"
        assert visitor.run(f"return {top % '#phone'} < {top % 'form.card'}"), "the phone comes first"
        assert visitor.run("return document.querySelector('header').offsetHeight < 64"), "the menu is one line"
    choose = "const s = document.querySelector('select[name=template]'); s.value = 'showcase';"
    visitor.run(choose + "s.dispatchEvent(new Event('change', { bubbles: true }));")
    visitor.click("form[data-api='POST /admin/operations'] button.primary")
    visitor.until(
        "document.querySelector('#notice.shown span')?.textContent === 'The operation showcase for alice is created.'"
    )
    visitor.until("document.querySelector('#phone .tile strong')?.textContent === 'Everything at once'")
    visitor.click("#phone .tile")
    visitor.until("document.querySelector('#phone [data-screen=before]')")
    found = visitor.findings()
    visitor.click("#phone form[data-phone=next] button")
    visitor.until("document.querySelector('#phone [data-screen=operation]')")
    for pin in ("1111", "2468"):
        visitor.type("#phone input[name=pin]", pin)
        found += visitor.findings()
        visitor.click("form[data-phone=approve] button.primary")
        visitor.until("!document.querySelector('#phone[aria-busy]') && !document.querySelector('#phone [data-waits]')")
        if pin == "1111":
            assert visitor.run("return document.querySelector('#wrong').textContent") == "Wrong PIN. 4 attempts left."
    visitor.until("document.querySelector('#phone h3')?.textContent === 'Approved'")
    assert found + visitor.findings() == []
    visitor.until("!document.querySelector('#notice.shown')")  # it goes away by itself


@needs_browser
def test_live_pages_keep_focus_and_ask_before_they_remove(bank: Bank, visitor: Visitor) -> None:
    visitor.appear("light", 1200)
    record = bank.admin("POST", "/activations", {"userId": "carol"})
    visitor.open(f"{bank.url}/console/activations?q=carol")
    button = f"button[data-api='POST /admin/activations/{record['activationId']}/remove']"
    visitor.run(f'document.querySelector("{button}").focus(); window.kept = document.activeElement')
    bank.admin("POST", "/activations", {"userId": "carol"})
    visitor.until("document.querySelectorAll('[data-live] tbody tr').length === 2")
    assert visitor.run("return document.activeElement === window.kept")
    visitor.click(button)
    visitor.click("#question button[value=no]")
    path = f"/activations/{record['activationId']}"
    assert bank.admin("GET", path)["state"] == "CREATED"
    visitor.click(button)
    visitor.click("#question button[value=yes]")
    visitor.until("document.querySelector('[data-live] .state.removed')")
    assert bank.admin("GET", path)["state"] == "REMOVED"


# Pictures of the screens, for docs/guides/console.md

PAGE = ROOT / "docs" / "guides" / "console.md"
PICTURES = PAGE.parent / "console"


def screens(bank: Bank) -> Dict[str, str]:
    """Each screen by the name of its picture: the pages, and one of each kind of record."""
    logins = [row for row in bank.admin("GET", "/operations?userId=alice")["operations"] if row["data"] == "A2"]
    activation = bank.admin("GET", "/activations?userId=alice")["activations"][0]["activationId"]
    request = bank.admin("GET", "/requests?path=/pa/v3/activation/create")["requests"][-1]["seq"]
    records = {
        "operation": f"operations/{logins[-1]['operationId']}",
        "activation": f"activations/{activation}",
        "layers": f"requests/{request}",
    }
    return {
        "front": "/",
        "phone": "/console/bank",
        "narrow": "/console/bank",
        **{name: f"/console/{name}" for name in PAGES},
        **{name: f"/console/{place}" for name, place in records.items()},
    }


def show_operation(visitor: Visitor) -> None:
    """On the phone, behind the bank's warning: the operation with rows of every kind."""
    visitor.click("#phone form[data-phone=open]:nth-of-type(2) .tile")
    visitor.click("#phone form[data-phone=next] button")
    visitor.until("document.querySelector('#phone [data-screen=operation]')")


def take(bank: Bank, visitor: Visitor, folder: Path) -> None:
    """Every screen in light, as wide as a page shows it."""
    import base64
    import io

    from PIL import Image

    payment = bank.admin(
        "POST", "/operations", {"userId": "alice", "template": "authorize_payment", "parameters": PAYMENT}
    )
    bank.touch("home")
    for pin in ("1111", "2468"):
        bank.touch("approve", id=payment["operationId"], pin=pin)
    bank.touch("home")
    bank.admin("DELETE", "/faults")
    gateway = {"kind": "html", "parameters": {"status": 504, "process": True}, "count": 1}
    bank.admin("POST", "/faults", {"match": "/api/auth/token/app/operation/authorize", **gateway})
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal(Path(home))
        terminal.activate(bank, "alice", '--name "My desk"')
        terminal.run("mtoken push register fcm 'the token of the push service'")
    message = {"userId": "alice", "subject": "Your card", "summary": "It is on its way", "body": "It comes on Friday."}
    bank.admin("POST", "/inbox", message)
    visitor.command("Emulation.setScrollbarsHidden", {"hidden": True})
    for name, address in screens(bank).items():
        look = ("dark", 390) if name == "narrow" else ("light", 1200)
        visitor.appear(*look, 400)
        visitor.open(bank.url + address)
        if address == "/console/bank":
            visitor.until("document.querySelector('#phone h3')")
        if name == "phone":
            show_operation(visitor)
        if name == "applications":
            visitor.click("details summary")  # the identity providers
        whole, shown = (int(pixels) for pixels in visitor.run(HEIGHTS))
        shown = min(shown, 900) if name == "narrow" else shown
        visitor.appear(*look, shown)
        picture = Image.open(io.BytesIO(base64.b64decode(visitor.screenshot()))).convert("RGB")
        if shown < whole:  # what goes on below fades away
            shade = Image.linear_gradient("L").resize((picture.width, 90))
            picture.paste(Image.new("RGB", shade.size, picture.getpixel((2, shown - 1))), (0, shown - 90), shade)
        # The colours that there is most of stay as they are.
        counted = sorted(picture.getcolors(picture.width * picture.height), reverse=True)[:256]
        palette = Image.new("P", (1, 1))
        palette.putpalette([part for _, colour in counted for part in colour])
        picture.quantize(palette=palette, dither=Image.Dither.NONE).save(folder / f"{name}.png", optimize=True)


HEIGHTS = """
const whole = document.documentElement.scrollHeight;
const ends = [...document.querySelectorAll('.card, article, main li, tr')].map(part => part.getBoundingClientRect().bottom);
return [whole, whole <= 1400 ? whole : Math.max(...ends.filter(end => end <= 1400))];
"""
"""How high the page is, and how much of it a picture has: it ends where a part does."""


def test_each_screen_has_its_picture(bank: Bank) -> None:
    bank.activated()
    shown = set(re.findall(r"!\[[^\]]+\]\(console/(\w+)\.png\)", PAGE.read_text(encoding="utf-8")))
    assert shown == {path.stem for path in PICTURES.iterdir()}
    bank.admin("POST", "/operations", {"userId": "alice", "template": "login"})
    assert shown == set(screens(bank))
    for path in PICTURES.iterdir():
        assert path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size < 100_000, path.name


if __name__ == "__main__":
    running = Bank()
    try:
        played(running)
        with Visitor() as somebody:
            take(running, somebody, Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES)
    finally:
        running.stop()
