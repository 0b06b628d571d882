"""mtoken.hpp: its tests beside a server, and the program of its README from an installed package in an empty folder."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import uuid
from pathlib import Path
from typing import Dict, List

import pytest
from activations import Activations
from conftest import ROOT, valgrind
from devserver import DevServer
from installed import Installed, tool

README = ROOT / "bindings" / "cpp" / "README.md"
STRICT = ["-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror"]
PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(host CXX)
find_package(mtoken 1.0 REQUIRED)
add_executable(program program.cpp)
target_link_libraries(program PRIVATE mtoken::cpp)
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tests, built in the tree."""
    return build(tmp_path_factory.mktemp("cpp") / "tests")


def build(built: Path, *more: str, source: Path = ROOT / "bindings/cpp/tests/test.cpp") -> Path:
    includes = [f"-I{ROOT / name}" for name in ("bindings/cpp", "build/generated/cpp", "include")]
    library = Path(os.environ["MTOKEN_LIBRARY"])
    # By its file: the link libmtoken.so may lead to another product.
    command = [
        tool("c++"),
        *STRICT,
        "-g",
        "-O1",
        *more,
        *includes,
        source,
        library,
        "-lpthread",
    ]
    subprocess.run([*map(str, command), f"-Wl,-rpath,{library.parent}", "-o", str(built)], check=True)
    return built


@pytest.fixture
def environment(server: DevServer) -> Dict[str, str]:
    user = uuid.uuid4().hex
    payload = server.admin("POST", f"/operations/{server.new_operation(userId=user)['operationId']}/offline", {})
    return {
        **os.environ,
        "MTOKEN_TEST_URL": server.url,
        "MTOKEN_TEST_CA": server.ca_file,
        "MTOKEN_TEST_CONFIGURATION": server.configuration,
        "MTOKEN_TEST_CODE": server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationQr"],
        "MTOKEN_TEST_PAYLOAD": payload["offlineData"],
    }


TESTS = re.findall(r'\{"(\w+)", \w+\}', (ROOT / "bindings/cpp/tests/test.cpp").read_text(encoding="utf-8"))


def run(command: List[str], environment: Dict[str, str]) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", TESTS)
def test_mtoken_hpp(program: Path, environment: Dict[str, str], name: str) -> None:
    assert re.fullmatch(r"checks [1-9]\d*\n", run([str(program), name], environment))


@pytest.mark.parametrize("name", ["values", "bad_input", "life", "orders", "options", "hosts", "memory"])
def test_nothing_is_lost(program: Path, environment: Dict[str, str], name: str) -> None:
    # Its own operator new would take the place of the tests'.
    options = [*valgrind(), "--soname-synonyms=somalloc=nouserintercepts"] if valgrind() else []
    run([*options, str(program), name], environment)


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(
        tmp_path_factory.mktemp("cpp") / "checked", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"
    )


@pytest.mark.parametrize("name", ["values", "bad_input", "contents", "results", "options", "hosts"])
def test_natural_use_under_the_address_sanitizer(checked: Path, environment: Dict[str, str], name: str) -> None:
    environment["ASAN_OPTIONS"] = "detect_leaks=0"  # that is valgrind's part
    run([str(checked), name], environment)


WITHOUT_EXCEPTIONS = """
#include <cstdio>
#include <mtoken.hpp>
int main(int argc, char **argv)
{
    auto read = mtoken::qr_operation_parse(std::nothrow, argv[argc - 1]);
    std::puts(read ? read->id().data() : read.error().what());
    if (!read) mtoken::qr_operation_parse(argv[argc - 1]);
}
"""


def test_without_exceptions(tmp_path: Path, environment: Dict[str, str]) -> None:
    """std::nothrow tells errors; a call that would throw one ends the program."""
    (tmp_path / "plain.cpp").write_text(WITHOUT_EXCEPTIONS, encoding="utf-8")
    program = build(tmp_path / "plain", "-fno-exceptions", "-fno-rtti", source=tmp_path / "plain.cpp")
    payload = environment["MTOKEN_TEST_PAYLOAD"]
    assert run([str(program), payload], environment) == payload.split("\n", 1)[0] + "\n"
    done = subprocess.run([str(program), "nonsense"], capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == -signal.SIGABRT and "terminate called" in done.stderr


def test_tests_are_there() -> None:
    assert len(TESTS) == 15


def blocks() -> List[str]:
    return re.findall(r"^```cpp\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_other_blocks_of_the_readme(tmp_path: Path) -> None:
    """How an error is taken without exceptions, and a store of the program's own."""
    source = tmp_path / "block.cpp"
    body = f"void show(const mtoken::Client &client)\n{{\n{blocks()[1]}}}\n{blocks()[2]}"
    source.write_text(f"#include <iostream>\n#include <map>\n#include <mtoken.hpp>\n{body}", encoding="utf-8")
    includes = [f"-I{ROOT / name}" for name in ("bindings/cpp", "build/generated/cpp", "include")]
    subprocess.run([tool("c++"), "-std=c++17", "-fsyntax-only", *includes, str(source)], check=True)
    assert len(blocks()) == 3


def test_the_reference_is_made_without_a_warning() -> None:
    done = subprocess.run(
        [tool("doxygen"), "bindings/cpp/Doxyfile"], cwd=ROOT, capture_output=True, text=True, timeout=110, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.mark.parametrize("door", ["pkg-config", "CMake"])
def test_the_program_of_the_readme(installed: Installed, server: DevServer, tmp_path: Path, door: str) -> None:
    """In an empty folder, from what is installed; the bank confirms in a second step."""
    (tmp_path / "program.cpp").write_text(blocks()[0], encoding="utf-8")
    if door == "CMake":
        (tmp_path / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
        installed.run(
            tool("cmake"), "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={installed.prefix}", folder=tmp_path
        )
        installed.run(tool("cmake"), "--build", "build", folder=tmp_path)
        built = tmp_path / "build" / "program"
    else:
        built = tmp_path / "program"
        flags = installed.flags("--cflags", "--libs", "mtoken")
        installed.run(tool("c++"), *STRICT, "program.cpp", *flags, "-o", built, folder=tmp_path)
    user = uuid.uuid4().hex
    created = server.new_operation(userId=user)
    with Activations(server, "two steps") as activations:
        code = activations.new(user)["activationQr"]
        printed = installed.run(built, server.url, server.ca_file, server.configuration, code, folder=tmp_path)
    assert printed.startswith("approved: ")
    assert server.operation(created["operationId"])["status"] == "APPROVED"
    assert sum(bool(line.strip()) for line in blocks()[0].splitlines()) <= 15
