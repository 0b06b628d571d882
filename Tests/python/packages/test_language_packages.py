"""The programs of the bindings' READMEs, from installed packages, in empty folders."""

from __future__ import annotations

import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import zipfile
from pathlib import Path
from typing import Dict, List
from xml.etree import ElementTree

import mtoken
import pytest
from conftest import ROOT
from devserver import DevServer
from installed import Installed, tool

VERSION = mtoken.version()
PORTABLE = ROOT / "build" / "portable" / "libmtoken.so.1"


def program(language: str, fence: str) -> str:
    """The first program of a README: at most 15 lines."""
    text = (ROOT / "bindings" / language / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"## A program\n.*?```{fence}\n(.*?)```", text, re.DOTALL)
    assert found is not None
    assert sum(bool(line.strip()) for line in found[1].splitlines()) <= 15, f"the program of {language} is too long"
    return found[1]


def tracked(folder: str) -> List[str]:
    """What a checkout has of a folder."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return listed.stdout.split()


def approves(server: DevServer, user: str, printed: str, operation: str) -> None:
    assert re.search(r"fingerprint \d{8}\n", printed) and f"approved {operation}\n" in printed, printed
    assert server.operation(operation)["status"] == "APPROVED"


def arguments(server: DevServer, user: str) -> List[str]:
    code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationQr"]
    return [server.url, server.ca_file, server.configuration, code]


GO_MODULE = "libmtoken.example/bindings/go"


class Names(http.server.BaseHTTPRequestHandler):
    """Says of every name that its module is in a repository of Git, as the host of a module's path does."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        root = GO_MODULE.partition("/")[0]
        self.wfile.write(f'<meta name="go-import" content="{root} git http://{root}/repository">'.encode())

    def log_message(self, *arguments: object) -> None:
        pass


def tagged(folder: Path) -> None:
    """A repository with what stands here, tagged as the README says, and beside it what is made from the header."""
    folders = ("include", "bindings/go", "bindings/rust")
    made = [
        line[1:] for line in (ROOT / "bindings" / ".gitignore").read_text().splitlines() if line.startswith("/rust")
    ]
    texts = ["CHANGELOG.md", "LICENSE", "SECURITY.md", "bindings/.gitignore", *(f"bindings/{name}" for name in made)]
    for path in [*texts, *(path for one in folders for path in tracked(one))]:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / path, follow_symlinks=False)
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"], ["tag", f"bindings/go/v{VERSION}"]):
        subprocess.run([*git, *command], cwd=folder, check=True)


def go_environment(folder: Path) -> Dict[str, str]:
    return {
        "GOPROXY": "off",
        "GOSUMDB": "off",
        "GOFLAGS": "-mod=mod -modcacherw",
        "GOMODCACHE": str(folder / "modules"),
        "GOCACHE": str(ROOT / "build" / "go" / "cache"),
    }


@pytest.fixture(scope="module")
def go_proxy(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file proxy with the module, made by Go of the tag."""
    folder = tmp_path_factory.mktemp("go")
    tagged(folder / "repository")
    with http.server.HTTPServer(("127.0.0.1", 0), Names) as names:
        threading.Thread(target=names.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{names.server_port}"
        more = {
            **go_environment(folder),
            "GOPROXY": "direct",
            "GOINSECURE": "*",
            "HTTP_PROXY": address,
            "HTTPS_PROXY": address,
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"url.{(folder / 'repository').as_uri()}.insteadOf",
            "GIT_CONFIG_VALUE_0": f"http://{GO_MODULE.partition('/')[0]}/repository",
        }
        installed.run(tool("go"), "mod", "download", f"{GO_MODULE}@v{VERSION}", folder=folder, more=more)
        names.shutdown()
    return folder / "modules" / "cache" / "download"


def contents(module: Path) -> Dict[str, bytes]:
    with zipfile.ZipFile(module) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_modules_of_a_release(go_proxy: Path, installed: Installed, tmp_path: Path) -> None:
    """The zip has what Go makes of the tag, a crate what cargo lists, and both the project's texts."""
    repository = go_proxy.parents[2] / "repository"
    write = [sys.executable, ROOT / "packaging" / "ship" / "modules.py", "--version", VERSION, "--output", tmp_path]
    installed.run(*write, folder=repository)
    root = f"{GO_MODULE}@v{VERSION}"
    texts = {f"{root}/{name}": (ROOT / name).read_bytes() for name in ("CHANGELOG.md", "SECURITY.md")}
    of_the_tag = contents(go_proxy / GO_MODULE / "@v" / f"v{VERSION}.zip")
    assert contents(tmp_path / f"libmtoken-go-{VERSION}.zip") == {**of_the_tag, **texts}
    assert f"{root}/LICENSE" in of_the_tag
    made = {"Cargo.lock", "Cargo.toml.orig", ".cargo_vcs_info.json"}
    for crate in ("mtoken-sys", "mtoken", "mtoken-tokio"):
        folder = repository / "bindings" / "rust" / crate
        listed = installed.run(tool("cargo"), "package", "--list", "--offline", folder=folder).split()
        with tarfile.open(tmp_path / f"{crate}-{VERSION}.crate") as archive:
            names = {name.partition("/")[2] for name in archive.getnames()}
            text = archive.extractfile(f"{crate}-{VERSION}/LICENSE")
            assert text is not None and text.read() == (ROOT / "LICENSE").read_bytes()
        assert names == set(listed) - made | {"README.md"} and {"CHANGELOG.md", "LICENSE", "SECURITY.md"} <= names


def test_go_module(go_proxy: Path, installed: Installed, tmp_path: Path) -> None:
    """What the tag gives: it builds and is vetted as it is, has a licence, and nothing that needs this repository."""
    with zipfile.ZipFile(go_proxy / GO_MODULE / "@v" / f"v{VERSION}.zip") as archive:
        archive.extractall(tmp_path)
    module = tmp_path / f"{GO_MODULE}@v{VERSION}"
    assert (module / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert {path.parent for path in module.rglob("*.go")} == {module}
    for command in ("build", "vet"):
        installed.run(tool("go"), command, "./...", folder=module, more=go_environment(tmp_path), seconds=200)


def refused(installed: Installed, folder: Path, **more: str) -> str:
    """What the compiler says to the package."""
    environment = {**installed.environment, **go_environment(folder), **more}
    command = [tool("go"), "build", "."]
    done = subprocess.run(
        command, cwd=ROOT / "bindings/go", env=environment, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode != 0
    return done.stderr


@pytest.mark.parametrize("elsewhere", [{"CGO_ENABLED": "0"}, {"GOOS": "darwin"}, {"GOARCH": "386"}], ids=str)
def test_go_says_what_it_needs(elsewhere: Dict[str, str], installed: Installed, tmp_path: Path) -> None:
    said = refused(installed, tmp_path, **elsewhere)
    assert "mtoken_needs_cgo_on_64_bit_linux" in said and said.count("\n") == 2, said
    # All is declared there too, for editors.
    here, there = declared(installed, tmp_path), declared(installed, tmp_path, **elsewhere)
    assert here == there and len(here) > 1000


def declared(installed: Installed, folder: Path, **more: str) -> List[str]:
    """The functions and types of the package, without the names of receivers."""
    command = [tool("go"), "doc", "-all", "."]
    told = installed.run(*command, folder=ROOT / "bindings/go", more={**go_environment(folder), **more})
    lines = [line for line in told.splitlines() if line.startswith(("func ", "type "))]
    return sorted(re.sub(r"^func \((?:\w+ )?\*?(\w+)\)", r"func (\1)", line) for line in lines)


def test_go_is_for_64_bits(installed: Installed, tmp_path: Path) -> None:
    """Also with a compiler for the other processor."""
    more = {**go_environment(tmp_path), "GOARCH": "386", "CGO_ENABLED": "1"}
    listed = installed.run(
        tool("go"), "list", "-f", "{{.GoFiles}} {{.CgoFiles}}", folder=ROOT / "bindings/go", more=more
    )
    assert "elsewhere.go" in listed


def test_go_refuses_an_older_header(installed: Installed, tmp_path: Path) -> None:
    shutil.copytree(installed.prefix / "include", tmp_path / "include")
    base = tmp_path / "include" / "mtoken" / "base.h"
    former, count = re.subn(r"(#define MTOKEN_VERSION_NUMBER) .*", r"\1 9999", base.read_text())
    assert count == 1
    base.write_text(former)
    (tmp_path / "mtoken.pc").write_text("Name: mtoken\nDescription: older\nVersion: 0.99.99\nLibs: -lmtoken\n")
    # What pkg-config says is not among what Go's cache looks at.
    more = {"PKG_CONFIG_PATH": str(tmp_path), "CGO_CFLAGS": f"-I{tmp_path}/include"}
    said = refused(installed, tmp_path, **more)
    assert f"this package needs mtoken.h of libmtoken {VERSION} or newer (libmtoken-dev)" in said


@pytest.mark.timeout(300)
def test_go(go_proxy: Path, installed: Installed, server: DevServer, user: str, tmp_path: Path) -> None:
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "main.go").write_text(program("go", "go"))
    more = {**go_environment(tmp_path), "GOPROXY": go_proxy.as_uri()}
    installed.run(tool("go"), "mod", "init", "program", folder=folder, more=more)
    installed.run(tool("go"), "get", f"libmtoken.example/bindings/go@v{VERSION}", folder=folder, more=more, seconds=200)
    installed.run(tool("go"), "build", "-o", "program", ".", folder=folder, more=more, seconds=200)
    operation = server.new_operation(userId=user)["operationId"]
    approves(server, user, installed.run("./program", *arguments(server, user), folder=folder), operation)


class Bundled:
    """A program with the library inside, by the lines of a README, where nothing else of it is."""

    def __init__(self, language: str, repository: Path, folder: Path, **more: str) -> None:
        if not PORTABLE.exists():
            pytest.skip("not run: the portable library is not built: make portable")
        (folder / "release").mkdir()
        write = [
            sys.executable,
            ROOT / "packaging" / "ship" / "modules.py",
            "--version",
            VERSION,
            "--output",
            folder / "release",
        ]
        subprocess.run([*write, "--library", PORTABLE], cwd=repository, check=True)
        self.folder = folder
        self.env = {name: text for name, text in os.environ.items() if not name.startswith(("MTOKEN_", "LD_", "PKG_"))}
        self.env |= {"RELEASE": str(folder / "release"), "PKG_CONFIG": "false", **more}
        readme = (ROOT / "bindings" / language / "README.md").read_text(encoding="utf-8")
        block = readme.partition("## With the library inside\n")[2].split("```")[1].removeprefix("sh\n")
        self.makes, self.builds = block.split("\n\n")

    def run(self, *command: object) -> str:
        given = list(map(str, command))
        done = subprocess.run(given, cwd=self.folder, env=self.env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def approves(self, server: DevServer, user: str, *command: object) -> None:
        operation = server.new_operation(userId=user)["operationId"]
        approves(server, user, self.run(*command, *arguments(server, user)), operation)


@pytest.mark.timeout(300)
def test_go_bundled(go_proxy: Path, server: DevServer, user: str, tmp_path: Path) -> None:
    """The module of a release carries the library."""
    bundled = Bundled("go", go_proxy.parents[2] / "repository", tmp_path, **go_environment(tmp_path))
    bundled.run(tool("sh"), "-ec", bundled.makes)
    (tmp_path / "main.go").write_text(program("go", "go"))
    bundled.run(tool("sh"), "-ec", bundled.builds)
    assert (tmp_path / "mtoken" / "bundled" / "THIRD-PARTY.txt").exists()
    shutil.rmtree(tmp_path / "mtoken")
    bundled.approves(server, user, "./program")


@pytest.mark.timeout(400)
def test_rust(installed: Installed, server: DevServer, user: str, tmp_path: Path) -> None:
    """By the README's lines, in an empty folder and without a network."""
    more = {"SOURCES": str(ROOT), "CARGO_NET_OFFLINE": "true"}
    installed.run(tool("sh"), "-ec", program_of_install("rust", "sh"), folder=tmp_path, more=more)
    (tmp_path / "src" / "main.rs").write_text(program("rust", "rust"))
    command = [tool("cargo"), "build", "--quiet", "--target-dir", "target"]
    installed.run(*command, folder=tmp_path, more=more, seconds=200)
    operation = server.new_operation(userId=user)["operationId"]
    printed = installed.run("target/debug/program", *arguments(server, user), folder=tmp_path)
    approves(server, user, printed, operation)


@pytest.mark.timeout(400)
def test_rust_bundled(go_proxy: Path, server: DevServer, user: str, tmp_path: Path) -> None:
    """The crates of a release carry the library."""
    bundled = Bundled("rust", go_proxy.parents[2] / "repository", tmp_path, CARGO_NET_OFFLINE="true")
    bundled.run(tool("sh"), "-ec", bundled.makes)
    (tmp_path / "src" / "main.rs").write_text(program("rust", "rust"))
    bundled.approves(server, user, tool("cargo"), "run", "--quiet", "--")
    assert list(tmp_path.rglob("bundled/THIRD-PARTY.txt")), "it says what is inside"
    shutil.rmtree(tmp_path / "token")
    bundled.run(tool("sh"), "-ec", bundled.builds)
    shutil.rmtree(tmp_path / "target" / "release" / "build")
    bundled.approves(server, user, "target/release/program")


def program_of_install(language: str, fence: str, index: int = 0) -> str:
    """A block of a README's "Install"."""
    text = (ROOT / "bindings" / language / "README.md").read_text(encoding="utf-8")
    part = text[text.index("## Install\n") : text.index("## A program\n")]
    return str(re.findall(rf"```{fence}\n(.*?)```", part, re.DOTALL)[index])


def csharp_sources() -> List[str]:
    """Those that Mtoken.csproj names: by hand, and generated by the build."""
    folder = ROOT / "bindings" / "csharp"
    project = ElementTree.parse(folder / "Mtoken.csproj").getroot()
    named = [sorted(folder.glob(str(item.get("Include")))) for item in project.iter("Compile")]
    assert all(named), "make build has not been run"
    return [str(path) for found in named for path in found]


CORE = ROOT / "build" / "dotnet" / "dotnetcore2" / "bin"
"""The runtime of .NET Core."""


@pytest.fixture(scope="module")
def nuget(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The NuGet package of what stands here, with the portable library."""
    folder = tmp_path_factory.mktemp("nuget")
    portable = ROOT / "build" / "portable" / "libmtoken.so.1"
    if not portable.exists():
        pytest.skip("not run: the portable library is not built: make portable")
    if shutil.which("mcs") is None or not (CORE / "dotnet").exists():
        pytest.skip("not run: Mono's compiler or .NET Core is not here: make deps-bindings")
    assemblies = {"net48": "build/csharp/Mtoken.dll", "netcoreapp3.1": "build/csharp/core/Mtoken.dll"}
    # A make that runs these tests tells its options to those below it.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    subprocess.run(["make", "-s", *assemblies.values()], cwd=ROOT, env=environment, check=True)
    options = ["--version", VERSION, "--library", str(portable), "--output", str(folder)]
    options += [f"--assembly={framework}={ROOT / path}" for framework, path in assemblies.items()]
    subprocess.run([sys.executable, str(ROOT / "bindings" / "csharp" / "package.py"), *options], check=True)
    return folder / f"Libmtoken.{VERSION}.nupkg"


def test_the_form_of_the_nuget_package(nuget: Path) -> None:
    """What NuGet reads: the parts of Open Packaging, the manifest, and each file where it is looked for."""
    with zipfile.ZipFile(nuget) as archive:
        names = set(archive.namelist())
        types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
        relations = ElementTree.fromstring(archive.read("_rels/.rels"))
        manifest = ElementTree.fromstring(archive.read("Libmtoken.nuspec"))
    known = {f".{item.get('Extension')}" for item in types} | {str(item.get("PartName")) for item in types}
    assert all(f"/{name}".endswith(tuple(known)) for name in names - {"[Content_Types].xml"})
    assert [item.get("Target") for item in relations] == ["/Libmtoken.nuspec"]
    space = "{http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd}"
    metadata = manifest.find(f"{space}metadata")
    assert metadata is not None
    found = {item.tag.removeprefix(space): item.text for item in metadata}
    assert (found["id"], found["version"], found["license"]) == ("Libmtoken", VERSION, "Apache-2.0")
    assert found["authors"] and found["description"] and found["readme"] in names
    groups = metadata.findall(f"{space}dependencies/{space}group")
    frameworks = [str(group.get("targetFramework")) for group in groups]
    assert frameworks == ["net48", "netcoreapp3.1"]
    assert {f"lib/{name}/Mtoken.{kind}" for name in frameworks for kind in ("dll", "xml")} <= names
    assert {
        "runtimes/linux-x64/native/libmtoken.so.1",
        "THIRD-PARTY.txt",
        "LICENSE",
        "CHANGELOG.md",
        "SECURITY.md",
    } <= names


def test_the_form_of_the_project() -> None:
    """What the .NET SDK reads: it has all sources, and files that are there."""
    folder = ROOT / "bindings" / "csharp"
    project = ElementTree.parse(folder / "Mtoken.csproj").getroot()
    assert project.tag == "Project" and project.get("Sdk") == "Microsoft.NET.Sdk"
    facts = {item.tag: item.text for group in project.findall("PropertyGroup") for item in group}
    assert facts["TargetFrameworks"] == "netstandard2.1;net8.0" and facts["AssemblyName"] == "Mtoken"
    assert (facts["LangVersion"], facts["AllowUnsafeBlocks"]) == ("7.3", "true")
    (imported,) = (folder / str(item.get("Project")) for item in project.iter("Import"))
    said = {item.tag: item.text for item in ElementTree.parse(imported).getroot().iter()}
    known = json.loads((ROOT / "bindings" / "facts.json").read_text(encoding="utf-8"))
    assert (said["Authors"], said["Description"]) == (known["authors"], known["description"])
    assert (said["PackageLicenseExpression"], said["Version"]) == (known["license"], VERSION)
    assert (said["PackageProjectUrl"], said["RepositoryUrl"]) == (known["homepage"], known["repository"])
    assert not facts.keys() & said.keys(), "one place says it"
    names = [Path(source).name for source in csharp_sources()]
    assert {"Life.cs", "Raw.cs", "Calls.cs"} <= set(names) and len(names) == len(set(names))
    assert facts["EnableDefaultCompileItems"] == "false"
    assert not list(project.iter("PackageReference")), "it needs nothing"
    packed = [(path, item) for item in project.iter("None") for path in str(item.get("Include")).split(";")]
    for path, item in packed:
        assert (folder / path).exists() or item.get("Condition") == f"Exists('{path}')"
    texts = {"README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", "THIRD-PARTY.txt"}
    assert texts <= {Path(path).name for path, _ in packed}


def csharp_program(runtime: str, folder: Path, text: str, installed: Installed) -> List[str]:
    """Compiled against the assembly in the folder; what runs it."""
    (folder / "Program.cs").write_text(text)
    compiler = [tool("mcs"), "-langversion:7", "-out:Program.exe", "-r:Mtoken.dll"]
    if runtime == "Mono":
        installed.run(*compiler, "Program.cs", folder=folder)
        return [tool("mono"), "Program.exe"]
    found = sorted(CORE.glob("shared/Microsoft.NETCore.App/*/System*.dll"))
    references = [f"-r:{path}" for path in found if not path.name.endswith((".WindowsRuntime.dll", ".Windows.dll"))]
    installed.run(*compiler, "-nostdlib", "-noconfig", "-nowarn:1701,1702", *references, "Program.cs", folder=folder)
    shutil.copy(ROOT / "bindings" / "csharp" / "core" / "runtimeconfig.json", folder / "Program.runtimeconfig.json")
    return [str(CORE / "dotnet"), "Program.exe"]


CSHARP = """
using System;
using Mtoken;

static class Program {
    static void Main(string[] given) {
        var runtime = Runtime.Create(new RuntimeOptions { Events = Events.%s });
        var client = Client.Create(runtime, new ClientOptions { Id = "alice", BaseUrl = given[0], CaFile = given[1],
            Configuration = given[2], Store = Store.%s });
%s    }
}
"""

# C# 7 cannot write `await foreach`: this is what it becomes.
EVENTS = CSHARP % (
    "Tasks",
    "Memory()",
    """\
        var events = runtime.EventsAsync().GetAsyncEnumerator();
        var task = client.SynchronizeTimeStart();
        Console.WriteLine(events.MoveNextAsync().AsTask().Result + " " + events.Current.Kind + " " + events.Current.IsOf(task));
""",
)


@pytest.mark.parametrize("runtime", ["Mono", ".NET Core"])
def test_csharp_from_the_nuget_package(
    nuget: Path, installed: Installed, server: DevServer, user: str, tmp_path: Path, runtime: str
) -> None:
    """Unpacked by the lines of its README, in an empty folder; the library beside is the one to carry."""
    shutil.copy(nuget, tmp_path)
    line = program_of_install("csharp", "sh", 1 + ["Mono", ".NET Core"].index(runtime))
    installed.run(tool("sh"), "-c", line, folder=tmp_path)
    more = {"LD_LIBRARY_PATH": "", "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
    given = arguments(server, user)
    command = csharp_program(runtime, tmp_path, EVENTS, installed)
    assert installed.run(*command, *given, folder=tmp_path, more=more) == "True Task True\n"
    command = csharp_program(runtime, tmp_path, program("csharp", "csharp"), installed)
    operation = server.new_operation(userId=user)["operationId"]
    approves(server, user, installed.run(*command, *given, folder=tmp_path, more=more), operation)


# What was asked stays readable; that nobody has answered ends the handling at once all the same.
UNANSWERED = CSHARP % (
    "Challenges",
    'Directory("token")',
    """\
        var task = client.MobileAuthHandleStart(given[4]);
        ChallengeInfo asked;
        using (var challenge = runtime.NextEventAsync().Result.TakeChallenge()) asked = challenge.GetInfo();
        try { task.Wait(20000); }
        catch (MTokenException error) { Console.WriteLine(error.Reason + " " + asked.Kind + " " + asked.Request.TransactionId); }
""",
)


def test_csharp(installed: Installed, server: DevServer, user: str, tmp_path: Path) -> None:
    """The assembly and the library beside it, in an empty folder."""
    compiler = [tool("mcs"), "-langversion:7", "-unsafe", "-nowarn:0649"]
    installed.run(*compiler, "-target:library", "-out:Mtoken.dll", *csharp_sources(), folder=tmp_path)
    shutil.copy(installed.library, tmp_path / "libmtoken.so.1")
    more = {"LD_LIBRARY_PATH": ""}
    command = csharp_program("Mono", tmp_path, program("csharp", "csharp"), installed)
    operation = server.new_operation(userId=user)["operationId"]
    approves(server, user, installed.run(*command, *arguments(server, user), folder=tmp_path, more=more), operation)
    command = csharp_program("Mono", tmp_path, UNANSWERED, installed)
    waiting = server.new_operation(userId=user)["operationId"]
    printed = installed.run(*command, *arguments(server, user), waiting, folder=tmp_path, more=more)
    assert printed == f"action_cancelled Pin {waiting}\n"
    assert server.operation(waiting)["status"] == "PENDING"
