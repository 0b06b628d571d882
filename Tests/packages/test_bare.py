"""The commands of the pages, as they are printed, on machines that have nothing: Debian 12 and 13, as root and as a user.

make test-doors

What is built lies in the folder of the sources before, with its toolchain beside; that it is built from nothing is the matter
of every other machine. Needs root and Debian's archive; without them it says what was not run.
"""

from __future__ import annotations

import http.server
import os
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple

import pytest
from debian import BUILD, CHROOT, ROOT, NotHere, System, debian
from devserver import DevServer
from pages import blocks, language_rows, language_sections

CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
SWIFT = Path(shutil.which(os.environ.get("SWIFT", "swift")) or "/nowhere/usr/bin/swift").resolve().parents[2]
READER = "reader"
BUILT = ("embedded/*.so*", "lib", "generated", "man", "flags", "portable/*.so*", "portable/*.built", "portable/THIRD-PARTY.txt",
         "portable/*.json")  # fmt: skip
"""Of what is built, the libraries and what is made from the header. All packages are made there."""


ASKED: List[str] = []
"""What was asked of the stranger's index."""


class Stranger(http.server.BaseHTTPRequestHandler):
    """An index where somebody else has put version 9 of what is ours, for every tool, beside which all is typed."""

    def do_GET(self) -> None:
        ours = "mtoken" in self.path
        if ours:
            ASKED.append(self.path)
        self.send_response(200 if ours else 404)
        self.end_headers()
        self.wfile.write(b'<a href="libmtoken-9-py3-none-any.whl">libmtoken-9-py3-none-any.whl</a>' if ours else b"")

    def log_message(self, *arguments: object) -> None:
        pass


class Machine(NamedTuple):
    """A new system with a user and the sources, which are the user's."""

    system: System
    suite: str
    elsewhere: str

    @property
    def sources(self) -> str:
        """In a path with a space, on one of the two."""
        return f"/home/{READER}/libmtoken" + (" here" if self.suite == "trixie" else "")

    def types(self, text: str, folder: str, *, root: bool = False, seconds: int = 900, **more: str) -> str:
        """What a shell prints that is given these lines one after the other; each must end well."""
        place = f"{self.system.root}{folder}"
        os.makedirs(place, exist_ok=True)
        if not root:
            shutil.chown(place, 1000, 1000)
        # Mounts that end with the shell: processes see /proc, and the toolchain.
        mounts = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount --bind "$1" "$0$1" && shift && exec "$@"'
        user = [] if root else ["--userspec", "1000:1000"]
        command = ["unshare", "--mount", "sh", "-c", mounts, str(self.system.root), str(SWIFT), CHROOT, *user]
        path = f"/usr/local/bin:/usr/bin:/bin:{SWIFT}/usr/bin"
        given = {
            "PATH": f"/usr/local/sbin:/usr/sbin:/sbin:{path}" if root else path,
            "HOME": "/root" if root else f"/home/{READER}",
            "LANG": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive",
            "PIP_EXTRA_INDEX_URL": f"{self.elsewhere}/pip",
            "npm_config_registry": f"{self.elsewhere}/npm/",
            "GOPROXY": f"{self.elsewhere}/go",
            **{name: value for name, value in os.environ.items() if name.startswith("PIP_INDEX")},
            **({"PIP_CERT": "/srv/ca.pem"} if CERTIFICATES.exists() else {}),
            **more,
        }
        done = subprocess.run(
            [*command, str(self.system.root), "bash", "-ec", f'cd "{folder}"\n{text}'],
            env=given, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, check=False,
        )  # fmt: skip
        if root:  # where root builds in a user's folder, what is built is not the user's to build again
            self.system.run("chown", "-R", f"{READER}:{READER}", self.sources)
        assert done.returncode == 0, f"{text}\n{done.stdout[-2000:]}{done.stderr[-3000:]}"
        return done.stdout

    def bring(self, file: str, text: str) -> None:
        path = Path(f"{self.system.root}{file}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def copy_sources(target: Path) -> None:
    """What git has of this folder, and what is built, with their times."""
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(target)], check=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    built = b"".join(f"{path.relative_to(ROOT)}\0".encode() for name in BUILT for path in BUILD.glob(name))
    placed = (ROOT / "bindings/.gitignore").read_text(encoding="utf-8").splitlines()
    built += b"".join(f"bindings{name}\0".encode() for name in placed if name.startswith("/"))
    pack = ["tar", "--create", "--null", "--ignore-failed-read", "--files-from=-"]
    with subprocess.Popen(pack, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as packed:
        assert packed.stdin and packed.stdout
        unpack = subprocess.Popen(["tar", "--extract"], cwd=target, stdin=packed.stdout)
        packed.stdin.write(listed + built)
        packed.stdin.close()
        assert unpack.wait(timeout=600) == 0
    subprocess.run(["git", "-C", str(target), "reset", "--quiet"], check=True)  # so that Git lists the files
    # The folders are new: what was built is newer than these, in the order in which it was built.
    files = [path for path in (target / "build").rglob("*") if not path.is_symlink()]
    now = time.time()
    for number, path in enumerate(sorted(files, key=lambda path: path.stat().st_mtime)):
        os.utime(path, (now + number / 1000,) * 2)


INDEXES = {
    "/.cargo/config.toml": """[source.crates-io]
replace-with = "other"
[source.other]
registry = "{index}/mtoken/cargo"
""",
    "/root/.config/NuGet/NuGet.Config": """<configuration><packageSources>
<add key="other" value="{index}/mtoken/nuget" />
</packageSources></configuration>
""",
}
"""What is no matter of the environment."""


@pytest.fixture(scope="module")
def index() -> Iterator[str]:
    with http.server.HTTPServer(("127.0.0.1", 0), Stranger) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def machine(request: pytest.FixtureRequest, index: str) -> Iterator[Machine]:
    if not (BUILD / "embedded").exists() or not SWIFT.exists():
        pytest.skip("not run: doors on bare machines (make build first)")
    try:
        with debian(request.param, variant="minbase") as system:
            machine = Machine(system, request.param, index)
            for file, text in INDEXES.items():
                machine.bring(file, text.format(index=index))
            (system.root / str(SWIFT)[1:]).mkdir(parents=True)
            if CERTIFICATES.exists():
                shutil.copy(CERTIFICATES, system.root / "srv" / "ca.pem")
            system.run("useradd", "--create-home", "--uid", "1000", READER)
            copy_sources(Path(f"{system.root}{machine.sources}"))
            system.run("chown", "-R", f"{READER}:{READER}", machine.sources)
            system.install("make")
            yield machine
    except NotHere as reason:
        pytest.skip(f"not run: doors on a bare {request.param} ({reason})")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevServer]:
    server = DevServer(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


def shell(page: str) -> List[str]:
    return [block.text for block in blocks(page) if block.language == "sh"]


@pytest.fixture(autouse=True)
def no_index_was_asked() -> Iterator[None]:
    """For anything that is ours."""
    yield
    assert not ASKED


def test_what_is_missing_is_named(machine: Machine) -> None:
    """By one line each, and nothing is fetched: packages, the toolchain, a folder of somebody else."""
    assert not (machine.system.root / "usr" / "bin" / "cc").exists()
    line = machine.types("make deps 2>&1 || true", machine.sources)
    assert re.search(r"^  sudo apt-get update && sudo apt-get install --yes libssl-dev .*$", line, re.MULTILINE)
    said = machine.types("make demo SWIFT=swift-of-nowhere 2>&1 || true", machine.sources, root=True)
    assert "no swift-of-nowhere on the path" in said and "installing" not in said
    said = machine.types("touch include/mtoken.h && make build 2>&1 || true", machine.sources, root=True)
    assert "these packages are missing: gcc libssl-dev" in said
    # As it was.
    shutil.copystat(ROOT / "include" / "mtoken.h", f"{machine.system.root}{machine.sources}/include/mtoken.h")


def test_installing_from_source(machine: Machine) -> None:
    """The lines of docs/install.md by root, after a refusal to the user."""
    check, lines = shell("docs/install.md")
    assert "SHA256SUMS" in check
    *before, uninstall = lines.splitlines()
    assert uninstall == "make uninstall"
    said = machine.types("\n".join(before), machine.sources, root=True)
    assert "installed" in said and "LD_LIBRARY_PATH" not in said, "the loader looks there"
    program = "#include <mtoken.h>\nint main(void) { return mtoken_version() == 0; }\n"
    machine.bring("/root/there/there.c", program)
    machine.types("cc there.c $(pkg-config --cflags --libs mtoken) -o there && ./there", "/root/there", root=True)
    refused = machine.types("make install 2>&1 || true", machine.sources)
    assert refused.count("\n") <= 3 and "Type: sudo make install" in refused, refused
    machine.types(uninstall, machine.sources, root=True)
    assert not [path for path in (machine.system.root / "usr" / "local").rglob("*mtoken*")]


@pytest.mark.parametrize("name", language_sections())
@pytest.mark.timeout(2400)
def test_five_lines(machine: Machine, name: str) -> None:
    """A user types the page's section; root the README's row in the place of its first lines."""
    section = language_sections()[name]
    before, install = shell("docs/languages.md")[:2]
    needed = " ".join(re.findall("`([^`]+)`", section.needs))
    machine.types(f"apt-get install --yes --no-install-recommends {needed} dpkg-dev", "/root", root=True)
    library = install if "[the library](#before)" in section.needs else ""
    print(f"{machine.suite}: {name}")
    for root in (False, True):
        folder = f"{'/root' if root else f'/home/{READER}'}/{re.sub('[^A-Za-z]', '', name)}"
        names = before.replace("SOURCES=$HOME/libmtoken", f"SOURCES='{machine.sources}'")
        first = language_rows()[name] if root else f"{library}\n{section.install}"
        machine.types(f"{names}\n{first}", folder, root=root, seconds=1800)
        machine.bring(f"{folder}/{section.file}", section.program)
        exports = "\n".join(line for line in library.splitlines() if line.startswith("export")) if not root else ""
        assert machine.types(f"{names}\n{exports}\n{section.run}", folder, root=root) == "5ff1b1ed: Payment\n"
    assert not ASKED
    if name in BY_NAME:
        machine.types(f"{BY_NAME[name]} || true", folder, root=True)
        assert ASKED, "the index answers to whoever asks"
        ASKED.clear()


# What no page has.
BY_NAME = {
    "Python 3.9": "venv/bin/pip install --retries 0 --upgrade libmtoken", "Node.js 18": "npm install --fetch-retries 0 libmtoken@9",
    "Go 1.19": "go get libmtoken.example/bindings/go@latest", "Rust 1.63": "cargo init --name other other && cd other && cargo add mtoken",
}  # fmt: skip


PROGRAMS = {
    "bindings/cpp/README.md": "program.cpp", "bindings/go/README.md": "main.go", "bindings/rust/README.md": "src/main.rs",
    "bindings/java/README.md": "Program.java", "bindings/csharp/README.md": "Program.cs", "bindings/node/README.md": "approve.js",
}  # fmt: skip


@pytest.mark.parametrize("page", PROGRAMS)
@pytest.mark.timeout(2400)
def test_the_program_of_a_binding(machine: Machine, server: DevServer, page: str) -> None:
    """By a user: the page's lines until the program, the program, and the line that starts it."""
    listed = blocks(page)
    (position,) = [
        index for index, block in enumerate(listed) if block.language in ("cpp", "go", "rust", "java", "csharp", "js")
    ][:1]
    lines = [block.text for block in listed[:position] if block.language == "sh" and "netcoreapp" not in block.text]
    folder = f"/home/{READER}/{page.split('/')[1]}-program"
    user = f"{page}-{machine.suite}"
    operation = server.admin("POST", "/operations", {"template": "login", "userId": user})["operationId"]
    code = server.admin("POST", "/activations", {"userId": user, "commitPhase": "ON_KEY_EXCHANGE"})["activationCode"]
    shutil.copy(server.ca_file, machine.system.root / "srv" / "bank.pem")
    given: Dict[str, str] = {
        "SOURCES": machine.sources, "URL": server.url, "CA": "/srv/bank.pem", "CONFIGURATION": server.configuration, "CODE": code,
    }  # fmt: skip
    library = shell("docs/languages.md")[1]
    machine.types("\n".join([library, *lines]), folder, seconds=1800, **given)
    machine.bring(f"{folder}/{PROGRAMS[page]}", listed[position].text)
    exports = "\n".join(line for line in library.splitlines() if line.startswith("export"))
    run = next(block.text for block in listed[position:] if block.language == "sh")
    assert "approved" in machine.types(f"{exports}\n{run}", folder, **given)
    assert server.admin("GET", f"/operations/{operation}")["status"] == "APPROVED"


def test_getting_started(machine: Machine) -> None:
    """By a user, in one terminal: the bank runs beside the lines after it, which begin when it has said where it is."""
    folder = f"/home/{READER}/token"
    (build, start, *second), programs = shell("docs/getting-started.md"), blocks("docs/getting-started.md")
    for language, name in {"c": "approve.c", "python": "approve.py"}.items():
        (program,) = (block.text for block in programs if block.language == language)
        machine.bring(f"{folder}/{name}", program)
    machine.system.run("chown", "-R", f"{READER}:{READER}", folder)
    bank = f"coproc BANK {{\n{start}}}\ntrap 'kill -- -$BANK_PID' EXIT\nread -r said <&\"${{BANK[0]}}\"\n"
    said = machine.types(f"set -m\n{build}\n{bank}{''.join(second)}", machine.sources)
    assert said.count("fingerprint ") == 2 and said.count("approved ") == 2 and said.count(" APPROVED\n") == 2, said


def test_the_front_pages_programs(machine: Machine, server: DevServer) -> None:
    """In the page's order: the demo by root, which installs what is needed; the C program by a user, up to the line that it prints."""
    demo, test = (line.partition("#")[0].strip() for line in shell("README.md")[2].splitlines())
    assert "Both programs and the server agree." in machine.types(demo, machine.sources, root=True)
    install, *lines = shell("README.md")[3].strip().splitlines()
    (program,) = (block.text for block in blocks("README.md") if block.language == "c")
    machine.bring(f"/home/{READER}/c/ready.c", program)
    machine.types(install, machine.sources)
    said = machine.types("\n".join(lines), f"/home/{READER}/c", CONFIGURATION=server.configuration)
    assert said == "ready: mtoken_client_activate comes next\n"
    if os.environ.get("MTOKEN_DOORS_TEST"):
        assert "all tests passed" in machine.types(test, machine.sources, root=True, seconds=7200)
    else:
        print(f"not run on {machine.suite}: {test} (MTOKEN_DOORS_TEST=1)")


RELEASED = re.findall(r"^\| (.+?) \| `(.+)` \|$", (ROOT / "docs/install.md").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def release(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What `make dist` makes on Debian 12, on this machine. A user types it, and root the lines that it prints for root."""
    made, signed = tmp_path_factory.getbasetemp() / "release", "make dist KEY=releaser 2>&1 || true"
    if machine.suite == "bookworm":
        machine.system.install("gpg", "gpg-agent")
        assert machine.types(signed, machine.sources).startswith("make dist: gpg has no secret key releaser\n")
        machine.types("gpg --batch --passphrase '' --quick-generate-key releaser", machine.sources)
        said = machine.types(signed, machine.sources, seconds=3600)
        while line := re.search("^  sudo apt-get update.*$", said, re.MULTILINE):
            machine.types(line[0].replace("sudo ", ""), "/root", root=True)
            said = machine.types(signed, machine.sources, seconds=3600)
        assert re.search(r"^build/release: \d+ files$", said, re.MULTILINE), said[-3000:]
        shutil.copytree(f"{machine.system.root}{machine.sources}/build/release", made)
    if not made.exists():
        pytest.skip(f"not run: a release on {machine.suite} (it is made on Debian 12)")
    shutil.copytree(made, machine.system.root / "srv" / "release")
    machine.types(shell("docs/install.md")[0], "/srv/release")
    if machine.suite == "bookworm":
        (verify,) = re.findall("`(gpg --verify [^`]+)`", (ROOT / "docs/install.md").read_text(encoding="utf-8"))
        machine.types(verify, "/srv/release")
        machine.types(f"cp SHA256SUMS* /tmp && cd /tmp && echo >> SHA256SUMS && ! {verify}", "/srv/release")
    return "/srv/release"


@pytest.mark.parametrize("row, command", RELEASED)
@pytest.mark.timeout(5400)
def test_a_release(machine: Machine, release: str, row: str, command: str) -> None:
    """One command each by root, in an empty folder or that of the release; then the five lines of a language that it is for."""
    folder, given = f"/root/{re.sub('[^A-Za-z]', '', row)}", {"RELEASE": release}
    if "apt install" in command:
        if "mtoken-tools" in command and machine.suite != "bookworm":
            return  # for the Python of Debian 12
        command = f"(cd {release} && {command.replace('sudo apt install', 'apt-get install --yes')})"
    if row == "NuGet":
        if machine.suite != "bookworm":
            pytest.skip(f"not run: {command} on {machine.suite} (Debian has NuGet no more)")
        machine.system.install("nuget")
        machine.types(f"{command}\nls Libmtoken.*/lib/net48/Mtoken.dll", folder, root=True, **given)
        assert not ASKED
        machine.types("nuget install Libmtoken || true", f"{folder}-by-name", root=True)
        assert ASKED, "the index answers to whoever asks"
        ASKED.clear()
        return
    section = {name.split()[0]: it for name, it in language_sections().items()}.get(re.split("[, ]", row)[0])
    if section is None:
        there = "mtoken --version" if "mtoken-tools" in command else "ls */lib/libmtoken.so.1"
        machine.types(f"{command}\n{there}", folder, root=True, **given)
        return
    first = "\n".join(line for line in section.install.splitlines() if "SOURCES" not in line)
    machine.types(f"{first}\n{command}", folder, root=True, **given)
    machine.bring(f"{folder}/{section.file}", section.program)
    said = machine.types(f"{shell('docs/languages.md')[0]}\n{section.run.replace('dist/*', '*')}", folder, root=True)
    assert said == "5ff1b1ed: Payment\n"
