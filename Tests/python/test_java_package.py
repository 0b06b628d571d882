"""The jars as a user has them: installed into a local repository by Maven, and used by another project, without a network."""

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
from typing import Dict, List
from xml.etree import ElementTree

import pytest
from conftest import ROOT
from devserver import DevServer
from installed import Installed, tool
from test_language_packages import VERSION, approves, arguments, program

DEBIAN = Path("/usr/share/maven-repo")
ANNOTATIONS = Path("/usr/share/java/org.jetbrains.annotations-java8.jar")
GROUP = "example.libmtoken"
SETTINGS = """<settings><localRepository>{local}</localRepository><offline>true</offline></settings>"""
PROJECT = """<project><modelVersion>4.0.0</modelVersion><groupId>a.bank</groupId><artifactId>program</artifactId><version>1</version>
<properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
</properties><dependencies>{dependencies}</dependencies></project>"""


@pytest.fixture(scope="module")
def jars(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    tool("javac")
    if not ANNOTATIONS.exists():
        pytest.skip("the annotations are not installed: make deps-bindings ONLY=java")
    folder = tmp_path_factory.mktemp("jars")
    command = [
        sys.executable,
        "-B",
        "bindings/java/package.py",
        "--library",
        str(installed.library),
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


def java(*words: object, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [tool("java"), *map(str, words)], cwd=folder, env=clean(), capture_output=True, text=True, check=False
    )


@pytest.mark.timeout(300)
def test_java(jars: Path, installed: Installed, server: DevServer, user: str, tmp_path: Path) -> None:
    """The README's program, by Maven."""
    maven = tool("mvn")
    needed = [
        DEBIAN / "org/apache/maven/plugins" / f"maven-{name}-plugin" for name in ("install", "compiler", "resources")
    ]
    if not all(place.exists() for place in needed):
        pytest.skip("Maven's plugins are not installed: make deps-bindings ONLY=java")
    local = tmp_path / "repository"
    shutil.copytree(DEBIAN, local, symlinks=False)
    settings = tmp_path / "settings.xml"
    settings.write_text(SETTINGS.format(local=local))
    run = [maven, "--quiet", "--offline", "--batch-mode", "--settings", str(settings)]
    pom = jars / f"mtoken-{VERSION}.pom"
    for classifier in ("", "linux-x86_64"):
        more = [f"-Dclassifier={classifier}"] if classifier else []
        file = jars / f"mtoken-{VERSION}{'-' if classifier else ''}{classifier}.jar"
        named = [f"-DgroupId={GROUP}", "-DartifactId=mtoken", f"-Dversion={VERSION}", "-Dpackaging=jar"]
        given = [f"-DpomFile={pom}"] if not classifier else named
        installed.run(*run, "install:install-file", f"-Dfile={file}", *given, *more, folder=tmp_path, seconds=200)
    folder = tmp_path / "program"
    source = folder / "src" / "main" / "java" / "Program.java"
    source.parent.mkdir(parents=True)
    source.write_text(program("java", "java"))
    (folder / "pom.xml").write_text(PROJECT.format(dependencies=program_of_install()))
    installed.run(*run, "compile", folder=folder, seconds=200)
    place = local / GROUP.replace(".", "/") / "mtoken" / VERSION
    operation = server.new_operation(userId=user)["operationId"]
    classes = os.pathsep.join([str(folder / "target" / "classes"), path(place)])
    ended = java("-cp", classes, "Program", *arguments(server, user), folder=folder)
    assert (ended.returncode, ended.stderr) == (0, "")
    approves(server, user, ended.stdout, operation)


def program_of_install() -> str:
    text = (ROOT / "bindings" / "java" / "README.md").read_text(encoding="utf-8")
    found = re.search(r"## Install\n.*?```xml\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


LINES = (
    "public class Lines { public static void main(String[] given) { System.out.println(mtoken.MToken.version()); } }"
)


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """A program of a named module."""
    (tmp_path / "module" / "lines").mkdir(parents=True)
    (tmp_path / "module" / "module-info.java").write_text("module lines { requires mtoken; }")
    (tmp_path / "module" / "lines" / "Lines.java").write_text("package lines;\n" + LINES)
    return tmp_path


def test_modules(jars: Path, lines: Path) -> None:
    """The jar of the platform is found as a service: nobody names its module."""
    sources = sorted((lines / "module").rglob("*.java"))
    command = [tool("javac"), "-Xlint:all", "-Werror", "-p", path(jars), "-d", lines / "classes", *sources]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    ended = java("-p", f"{path(jars)}{os.pathsep}{lines / 'classes'}", "-m", "lines/lines.Lines", folder=lines)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"{VERSION}\n", "")


def compiled(jars: Path, folder: Path) -> str:
    (folder / "Lines.java").write_text(LINES)
    subprocess.run([tool("javac"), "-cp", path(jars), "-d", folder, folder / "Lines.java"], check=True)
    return os.pathsep.join([str(folder), path(jars)])


def test_unpacking_leaves_nothing(jars: Path, tmp_path: Path) -> None:
    found = tmp_path / "unpacked"
    found.mkdir()
    ended = java(f"-Djava.io.tmpdir={found}", "-cp", compiled(jars, tmp_path), "Lines", folder=tmp_path)
    assert (ended.returncode, ended.stdout) == (0, f"{VERSION}\n"), ended.stderr
    assert not list(found.glob("mtoken-*"))


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


def test_jars_are_as_registries_want_them(jars: Path) -> None:
    pom = ElementTree.parse(jars / f"mtoken-{VERSION}.pom").getroot()
    space = {"m": "http://maven.apache.org/POM/4.0.0"}
    wanted = ["groupId", "artifactId", "version", "name", "description", "url", "licenses/m:license/m:name"]
    wanted += ["licenses/m:license/m:url", "developers/m:developer/m:name", "scm/m:connection", "scm/m:url"]
    for name in wanted:
        assert (pom.findtext(f"m:{name}", namespaces=space) or "").strip(), name
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
        assert "META-INF/LICENSE" in names[end] and "module-info.class" in names[end]
    for end, wanted_name in (("sources", "mtoken/Client.java"), ("javadoc", "mtoken/mtoken/Client.html")):
        with zipfile.ZipFile(jars / f"mtoken-{VERSION}-{end}.jar") as archive:
            assert {"META-INF/LICENSE", wanted_name} <= set(archive.namelist())
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
