# SPDX-License-Identifier: Apache-2.0
"""Builds the package for Java in build/java: classes and glue, and with --library the jars that README.md describes.

python3 bindings/java/package.py [player] [tests]
            the classes and the glue, and these programs
python3 bindings/java/package.py --library FILE [--crossed BUILT ...] [--folder build/java/dist] [--docs]
            the jar, that of the platform with FILE, those of other systems (build/aarch64-linux-gnu), the POM; --docs:
            the jars of sources and documentation too
python3 bindings/java/package.py --glue build/aarch64-linux-gnu/java/libmtoken-jni.so
            with CC, the glue alone, for another system: its folder is then one of --crossed
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Tuple, Union

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings"))

from generate import java  # noqa: E402
from generate.facts import filled  # noqa: E402
from generate.reader import read  # noqa: E402

HERE = ROOT / "bindings" / "java"
BUILD = ROOT / "build" / "java"
GLUE = BUILD / "native" / "libmtoken-jni.so"
ANNOTATIONS = "org.jetbrains.annotations"
JACKSON = Path("/usr/share/java/jackson-annotations.jar")
JUNIT = "/usr/share/java/junit-platform-console-standalone.jar"
DATABIND = "/usr/share/java/jackson-databind.jar:/usr/share/java/jackson-core.jar"
NATIVE_IMAGE = "META-INF/native-image/example.libmtoken"
Content = Union[Path, str]


def run(*command: object) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command[0]}:\n{done.stdout}{done.stderr}")


def jdk() -> Path:
    """The folder of the compiler that is used."""
    compiler = shutil.which(os.environ.get("JAVAC", "javac"))
    if compiler is None:
        sys.exit("no javac: make deps-bindings ONLY=java")
    return Path(compiler).resolve().parents[1]


def strict() -> List[str]:
    """To the compiler that all is tested with a warning is an error; a newer one warns of more."""
    release = jdk() / "release"
    return ["-Werror"] if not release.exists() or 'JAVA_VERSION="17' in release.read_text() else []


def runtime() -> int:
    jars = [Path("/usr/share/java") / f"{ANNOTATIONS}-java8.jar", JACKSON]
    if shutil.which("javac") is None or not all(path.exists() for path in jars):
        return 1
    return subprocess.run(["javac", "--version"], check=False).returncode


def write(files: Mapping[str, str]) -> None:
    """What is generated; what no longer is, is removed."""
    folder = BUILD / "generated"
    for name, text in files.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for path in folder.rglob("*.*"):
        if str(path.relative_to(folder)) not in files:
            path.unlink()


def glue(made: Path) -> None:
    home = jdk()
    made.parent.mkdir(parents=True, exist_ok=True)
    flags = (
        "-std=c11 -O2 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Wshadow -Werror -Wl,-s -Wl,-z,now -Wl,-z,relro"
    )
    folders = [
        ROOT / "include",
        HERE / "native",
        BUILD / "generated" / "native",
        home / "include",
        home / "include/linux",
    ]
    sources = [HERE / "native" / "glue.c", BUILD / "generated" / "native" / "calls.c"]
    run(
        *shlex.split(os.environ.get("CC", "cc")),
        *flags.split(),
        *(f"-I{folder}" for folder in folders),
        *sources,
        "-o",
        made,
        "-ldl",
    )


def annotation_module() -> List[object]:
    """Debian has JetBrains' annotations and their module in two files."""
    jar = Path("/usr/share/java") / ANNOTATIONS
    for needed, package in (
        (Path(f"{jar}-java8.jar"), "libjetbrains-annotations-java"),
        (JACKSON, "libjackson2-annotations-java"),
    ):
        if not needed.exists():
            sys.exit(f"no {needed}: apt-get install {package}")
    path = f"{jar}-module-info.jar:{JACKSON}"
    return ["--module-path", path, "--patch-module", f"{ANNOTATIONS}={jar}-java8.jar"]


def compiled(folder: str, sources: List[Path], *options: object, after: Optional[Path] = None) -> Path:
    """The classes of some sources, without a warning. Those that are newer than these and `after` stay."""
    made = BUILD / folder
    ready = BUILD / f"{folder}.ready"
    needed = [*sources, Path(__file__), *([after.with_suffix(".ready")] if after else [])]
    if ready.exists() and ready.stat().st_mtime > max(path.stat().st_mtime for path in needed):
        return made
    shutil.rmtree(made, ignore_errors=True)
    general = [
        "-J-XX:TieredStopAtLevel=1",
        "--release",
        "17",
        "-Xlint:all,-requires-automatic",
        *strict(),
        "-encoding",
        "UTF-8",
    ]
    run(jdk() / "bin" / "javac", *general, *options, "-d", made, *sources)
    ready.touch()
    return made


def jar(path: Path, files: Mapping[str, Content]) -> None:
    """The same files give the same jar."""
    manifest = "Manifest-Version: 1.0\r\nCreated-By: libmtoken\r\n\r\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in [("META-INF/MANIFEST.MF", manifest), *sorted(files.items())]:
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content if isinstance(content, str) else content.read_bytes())


def tree(folder: Path, pattern: str = "*") -> Dict[str, Content]:
    return {str(path.relative_to(folder)): path for path in folder.rglob(pattern) if path.is_file()}


def project_texts() -> Dict[str, Content]:
    """What every jar says of the project."""
    return {f"META-INF/{name}": ROOT / name for name in ("CHANGELOG.md", "LICENSE", "SECURITY.md")}


def at_run_time() -> str:
    """For native-image: what loads the library does so when the program runs."""
    return "Args = --initialize-at-run-time=mtoken.Native,mtoken.Loader,mtoken.Life\n"


def resources(names: List[str]) -> str:
    """For native-image: the files that a jar carries."""
    return json.dumps({"resources": {"includes": [{"pattern": f"\\Q{name}\\E"} for name in names]}}, indent=1) + "\n"


def carrier(system: str, version: str, classes: Path) -> Tuple[str, Path]:
    """The package of a system's files, and the folder of its classes: the sources are those of one system."""
    machine, *_, libc = system.split("-")
    inner = f"{machine}.musl" if libc == "musl" else machine
    name, folder = f"platform-{system}", BUILD / f"platform-{system}-src"
    texts = {
        path.relative_to(HERE / "platform"): path.read_text(encoding="utf-8")
        for path in (HERE / "platform").rglob("*.java")
    }
    sources = []
    for path, text in texts.items():
        made = folder / str(path).replace("x86_64", inner.replace(".", "/"))
        text = text.replace("linux-x86_64", f"linux-{inner.replace('.', '-')}").replace(
            "linux.x86_64", f"linux.{inner}"
        )
        made.parent.mkdir(parents=True, exist_ok=True)
        if not made.exists() or made.read_text(encoding="utf-8") != text:
            made.write_text(text, encoding="utf-8")
        sources.append(made)
    return f"mtoken.linux.{inner}", compiled(name, sorted(sources), "-p", classes, "--module-version", version)


def pack_carrier(system: str, version: str, classes: Path, made: Path, library: Path, folder: Path) -> None:
    package, carried = carrier(system, version, classes)
    place = package.replace(".", "/")
    classifier = package.removeprefix("mtoken.").replace(".", "-")
    files: Dict[str, Content] = {
        f"{place}/libmtoken-jni-{version}.so": made,
        f"{place}/libmtoken-{version}.so": library,
    }
    described = {f"{NATIVE_IMAGE}/mtoken-{classifier}/resource-config.json": resources(list(files))}
    service = {"META-INF/services/mtoken.Carrier": f"{package}.Carried\n"}
    beside = [library.with_name(name) for name in ("THIRD-PARTY.txt", "libmtoken.cdx.json")]
    further: Dict[str, Content] = {f"META-INF/{path.name}": path for path in beside if path.exists()}
    jar(
        folder / f"mtoken-{version}-{classifier}.jar",
        {**project_texts(), **tree(carried), **files, **described, **service, **further},
    )


def pack(version: str, classes: Path, library: Path, crossed: List[Path], folder: Path) -> None:
    properties = {f"{NATIVE_IMAGE}/mtoken/native-image.properties": at_run_time()}
    jar(folder / f"mtoken-{version}.jar", {**project_texts(), **properties, **tree(classes)})
    pack_carrier(f"{platform.machine()}-linux-gnu", version, classes, GLUE, library, folder)
    for system in crossed:
        other = (system / "portable" / "libmtoken.so.1").resolve()
        pack_carrier(system.name, version, classes, system / "java" / GLUE.name, other, folder)
    pom = filled((HERE / "pom.xml").read_text(encoding="utf-8")).replace("@VERSION@", version)
    (folder / f"mtoken-{version}.pom").write_text(pom, encoding="utf-8")


def documented(version: str, sources: List[Path], folder: Path) -> None:
    texts = project_texts()
    jar(
        folder / f"mtoken-{version}-sources.jar",
        {**texts, **tree(HERE / "src", "*.java"), **tree(BUILD / "generated" / "src", "*.java")},
    )
    made = BUILD / "javadoc"
    shutil.rmtree(made, ignore_errors=True)
    options = ["-quiet", "-notimestamp", *strict(), "-Xdoclint:all", "-encoding", "UTF-8", "--release", "17"]
    run(jdk() / "bin" / "javadoc", "-J-XX:TieredStopAtLevel=1", *options, *annotation_module(), "-d", made, *sources)
    jar(folder / f"mtoken-{version}-javadoc.jar", {**texts, **tree(made)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", help="folders here: player, tests")
    parser.add_argument("--library", type=Path, help="the library that the jar of the platform carries")
    parser.add_argument("--crossed", type=Path, nargs="*", default=[], help="what was built for other systems")
    parser.add_argument("--glue", type=Path, help="compile the glue alone, to this file")
    parser.add_argument("--folder", type=Path, default=BUILD / "dist", help="of the jars")
    parser.add_argument("--docs", action="store_true", help="the jars of sources and documentation too")
    parser.add_argument(
        "--runtime", action="store_true", help="only print the version of Java, if all that is needed is here"
    )
    options = parser.parse_args()
    if options.runtime:
        sys.exit(runtime())
    header = read(ROOT / "include")
    write(java.files(header))
    glue(options.glue or GLUE)
    if options.glue:
        return
    sources = sorted([*(HERE / "src").rglob("*.java"), *(BUILD / "generated" / "src").rglob("*.java")])
    classes = compiled(
        "classes", sources, "-Xdoclint:all/protected", *annotation_module(), "--module-version", header.version
    )
    for name in options.programs:
        programs = sorted((HERE / name).glob("*.java"))
        path = str(classes)
        if name == "tests":
            if not Path(JUNIT).exists():
                sys.exit("no JUnit: make deps-bindings ONLY=java")
            programs.append(HERE / "player" / "Collected.java")
            path += f":{JUNIT}:{DATABIND}:{JACKSON}"
        compiled(name, programs, "-cp", path, after=classes)
    if options.library:
        pack(header.version, classes, options.library.resolve(), options.crossed, options.folder)
    if options.docs:
        documented(header.version, sources, options.folder)


if __name__ == "__main__":
    main()
