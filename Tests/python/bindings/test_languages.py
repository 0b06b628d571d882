"""Programs in other languages read the installed header, or what is made of it, by their own tools: the examples, as users build them."""

from __future__ import annotations

import base64
import functools
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List

import mtoken
import pytest
from activations import Activations
from conftest import CHILD_PATH, ROOT, DeviceFactory, valgrind
from devserver import OPERATIONS, DevServer
from installed import Installed, tool
from test_qr import configuration_of

EXAMPLES = ROOT / "examples"
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]


# Building, as the first comment of each program says


def c(installed: Installed, folder: Path, source: str, *packages: str, standard: str = "c99") -> List[str]:
    flags = installed.flags("--cflags", "--libs", "mtoken", *packages)
    program = folder / "program"
    installed.run(tool("cc"), f"-std={standard}", *STRICT, EXAMPLES / source, *flags, "-o", program)
    return [str(program)]


def cpp(installed: Installed, folder: Path, source: str, *packages: str, standard: str = "c++17") -> List[str]:
    flags = installed.flags("--cflags", "--libs", "mtoken", *packages)
    command = [tool("c++"), f"-std={standard}", *STRICT, "-fPIC", EXAMPLES / source, *flags, "-o", folder / "program"]
    installed.run(*command, seconds=300)
    return [str(folder / "program")]


def swift(installed: Installed, folder: Path, source: str) -> List[str]:
    flags = installed.flags("--cflags", "--libs", "mtoken")
    sources = [EXAMPLES / source, EXAMPLES / "swift" / "Token.swift"]
    command = [tool("swiftc"), "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", *sources, *flags]
    # The module is made in the folder, so that its cache does not know an older header.
    installed.run(*command, "-module-cache-path", folder / "cache", "-o", folder / "program")
    return [str(folder / "program")]


def swift_package(installed: Installed) -> List[str]:
    """The package that names this repository, which is compiled anew when its sources change."""
    package, scratch = EXAMPLES / "swift", ROOT / "build" / "example-swift"
    installed.run(tool("swift"), "build", "--quiet", "--package-path", package, "--scratch-path", scratch, seconds=800)
    return [str(scratch / "debug" / "approve")]


def script(interpreter: str, source: str) -> List[str]:
    return [tool(interpreter), str(EXAMPLES / source)]


READERS: Dict[str, Callable[[Installed, Path], List[str]]] = {
    "C99": lambda installed, folder: c(installed, folder, "c/qr.c"),
    "C++17": lambda installed, folder: cpp(installed, folder, "cpp/qr.cpp"),
    "Swift": lambda installed, folder: swift(installed, folder, "swift/qr.swift"),
    "PHP": lambda installed, folder: script("php", "php/qr.php"),
    "LuaJIT": lambda installed, folder: script("luajit", "lua/qr.lua"),
    "Ruby": lambda installed, folder: script("ruby", "ruby/qr.rb"),
}


# Reading a QR code

Read = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module", params=READERS)
def read(request: pytest.FixtureRequest, installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Read:
    """The reader of one language: takes a payload and perhaps an SDK configuration."""
    command = READERS[request.param](installed, tmp_path_factory.mktemp("reader"))

    def run(payload: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*command, *arguments],
            input=payload.encode(),
            env=installed.environment,
            capture_output=True,
            timeout=300,
            check=False,
        )
        # Not by text=True, which changes line ends: a text may have any.
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


def vectors(name: str) -> Dict[str, Any]:
    file: Dict[str, Any] = json.loads((ROOT / "Tests" / "vectors" / f"{name}.json").read_text(encoding="utf-8"))
    return file


def line(field: Dict[str, Any]) -> str:
    """How the programs show a field."""
    kind = field["type"]
    if kind == "empty":
        return ""
    if kind == "amount":
        return f"amount: {field['value']} {field['currency']}\n"
    if kind == "account":
        return f"account: {field['iban']}{', ' + field['bic'] if field['bic'] else ''}\n"
    if kind == "date":
        return f"date: {field['year']:04}-{field['month']:02}-{field['day']:02}\n"
    return f"text: {field['text']}\n"


def test_reads(read: Read) -> None:
    """All that the vectors say of ids, titles, messages and fields."""
    cases = [case for case in vectors("qr-operations")["cases"] if "fields" in case["expect"]]
    assert {field["type"] for case in cases for field in case["expect"]["fields"]} >= {
        "amount",
        "account",
        "date",
        "text",
        "empty",
    }
    for case in cases:
        identifier, title, message = case["input"].split("\n")[:3]
        title, message = case["expect"].get("title", title), case["expect"].get("message", message)
        fields = "".join(map(line, case["expect"]["fields"]))
        expected = f"id: {identifier}\ntitle: {title}\nmessage: {message}\n{fields}signature: not checked\n"
        done = read(case["input"])
        assert (done.returncode, done.stdout, done.stderr) == (0, expected, ""), case["id"]


def test_verifies(read: Read) -> None:
    """An option struct with a text: the configuration that the signature is verified with."""
    signed = vectors("qr-signed")
    configuration = configuration_of(base64.b64decode(signed["masterPublicKey"]))
    cases = {case["id"]: case["input"] for case in signed["cases"]}
    done = read(cases["master"], configuration)
    assert done.returncode == 0 and done.stdout.endswith("signature: valid\n"), done.stderr
    assert "title: Platba č. 1\n" in done.stdout
    done = read(cases["master-title-changed"], configuration)
    assert done.returncode == 1 and done.stdout == ""
    assert "MTOKEN_ERROR_SIGNATURE (signatureVerificationFailed)" in done.stderr


def test_shows_errors(read: Read) -> None:
    """What is wrong, and where; in one line, and nothing else."""
    cases = [case for case in vectors("qr-operations")["cases"] if not case["expect"]["ok"]]
    for case in cases[::4] + [{"input": "x" * 5_000, "expect": {"error": "tooLong"}}]:
        with pytest.raises(mtoken.ParseError) as failure:
            mtoken.parse_qr(case["input"])
        error = failure.value
        assert error.reason == case["expect"]["error"]
        done = read(case["input"])
        expected = f"MTOKEN_ERROR_PARSE ({error.reason}), line {error.line}, byte {error.byte_offset}: "
        assert (done.returncode, done.stdout) == (1, "") and done.stderr.startswith(expected), done.stderr
        assert done.stderr.count("\n") == 1


# A library before the library, which tells what was freed.
COUNTING = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mtoken.h>
#include <stdio.h>

static int made, freed;

mtoken_status mtoken_qr_operation_parse(const char *payload, size_t length, const mtoken_qr_options *options,
                                        mtoken_qr_operation **out, mtoken_error **error)
{
    __typeof__(&mtoken_qr_operation_parse) parse;
    *(void **)&parse = dlsym(RTLD_NEXT, "mtoken_qr_operation_parse");
    mtoken_status status = parse(payload, length, options, out, error);
    made += status == MTOKEN_OK;
    return status;
}

void mtoken_qr_operation_free(mtoken_qr_operation *operation)
{
    __typeof__(&mtoken_qr_operation_free) release;
    *(void **)&release = dlsym(RTLD_NEXT, "mtoken_qr_operation_free");
    release(operation);
    freed++;
}

__attribute__((destructor)) static void tell(void) { fprintf(stderr, "made %d, freed %d\\n", made, freed); }
"""


@pytest.mark.parametrize("language", ["PHP", "LuaJIT", "Ruby"])
def test_frees_when_it_ends(language: str, installed: Installed, tmp_path: Path) -> None:
    """What these languages would not free by themselves, or not in an order, is freed once when the script has ended."""
    (tmp_path / "counting.c").write_text(COUNTING)
    flags = installed.flags("--cflags", "--libs", "mtoken")
    library = tmp_path / "counting.so"
    installed.run(tool("cc"), "-shared", "-fPIC", tmp_path / "counting.c", "-Wl,--no-as-needed", *flags, "-o", library)
    done = subprocess.run(
        READERS[language](installed, tmp_path),
        input=vectors("qr-operations")["cases"][0]["input"].encode(),
        env={**installed.environment, "MTOKEN_LIBRARY": str(library)},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr.decode()) == (0, "made 1, freed 1\n")
    assert done.stdout.startswith(b"id: ")


# Approving

APPROVERS: Dict[str, Callable[[Installed, Path], List[str]]] = {
    "C99": lambda installed, folder: c(installed, folder, "c/approve.c"),
    "C++17": lambda installed, folder: cpp(installed, folder, "cpp/approve.cpp"),
    "Swift": lambda installed, folder: swift_package(installed),
}


@pytest.mark.timeout(900)  # a package of the sources compiles them all
@pytest.mark.parametrize("language", APPROVERS)
def test_approves(
    language: str, installed: Installed, server: DevServer, activations: Activations, user: str, tmp_path: Path
) -> None:
    """A device is activated, in one step and in two, and an operation approved; a second run says why it cannot."""
    program = APPROVERS[language](installed, tmp_path)
    operation = server.new_operation(userId=user)["operationId"]
    code = activations.new(user)["activationQr"]
    command = [*program, server.url, server.ca_file, server.configuration, code, "2468"]
    printed = installed.run(*command, folder=tmp_path)
    assert re.search(r"fingerprint \d{8}\n", printed) and f"approved {operation}\n" in printed
    assert server.operation(operation)["status"] == "APPROVED"
    again = subprocess.run(
        command, cwd=tmp_path, env=installed.environment, capture_output=True, text=True, timeout=300, check=False
    )
    state = "state (" if language == "Swift" else "MTOKEN_ERROR_STATE"
    assert again.returncode == 1 and state in again.stderr and again.stderr.count("\n") == 1, again.stderr


@pytest.mark.timeout(900)
def test_swift_package_has_the_c_interface(installed: Installed) -> None:
    """The package's product `mtoken`, with the Swift runtime beside it, is the library of mtoken.h."""
    installed.run(tool("swift"), "build", "--quiet", "--product", "mtoken", folder=ROOT, seconds=800)
    load = (
        "import ctypes, sys; version = ctypes.CDLL(sys.argv[1]).mtoken_version;"
        "version.restype = ctypes.c_char_p; print(version().decode())"
    )
    library = ROOT / ".build" / "debug" / "libmtoken.so"
    assert installed.run(sys.executable, "-c", load, library) == f"{mtoken.version()}\n"


# Loops

LOOPS: Dict[str, Callable[[Installed, Path], List[str]]] = {
    "epoll": lambda installed, folder: [*valgrind(), *c(installed, folder, "loops/epoll.c")],
    "GLib": lambda installed, folder: c(installed, folder, "loops/glib.c", "glib-2.0"),
    "libuv": lambda installed, folder: c(installed, folder, "loops/libuv.c", "libuv", standard="gnu99"),
    "Asio": lambda installed, folder: cpp(installed, folder, "loops/asio.cpp", standard="c++20"),
    "Qt": lambda installed, folder: cpp(installed, folder, "loops/qt.cpp", "Qt6Core"),
    "asyncio": lambda installed, folder: [sys.executable, str(EXAMPLES / "python" / "approve_asyncio.py")],
}


@pytest.mark.timeout(300)  # valgrind is slow on a busy machine
@pytest.mark.parametrize("loop", LOOPS)
def test_approves_within(
    loop: str, installed: Installed, server: DevServer, make_device: DeviceFactory, tmp_path: Path
) -> None:
    """The operation is approved, and the loop's own timer goes on while the bank takes its time."""
    program = LOOPS[loop](installed, tmp_path)
    store = mtoken.Store.directory(tmp_path / "state")
    device = make_device("demo", store=store)
    device.client.close()
    operation = server.new_operation(userId=device.user)["operationId"]
    slow = [server.fault(f"{OPERATIONS}/{call}", "latency", count=1, ms=400) for call in ("list", "authorize")]
    run = functools.partial(
        installed.run,
        *program,
        server.url,
        server.ca_file,
        server.configuration,
        tmp_path / "state",
        device.pin,
        more={"PYTHONPATH": CHILD_PATH, "MTOKEN_LIBRARY": os.environ["MTOKEN_LIBRARY"]},
        seconds=140,
    )
    ticks = re.search(r"approved, after (\d+) ticks\n$", run())
    assert ticks and int(ticks.group(1)) >= 5, "the loop stood still"
    assert [server.times_applied(fault) for fault in slow] == [1, 1]
    assert server.operation(operation)["status"] == "APPROVED"
    assert run() == "nothing waits for approval\n"
