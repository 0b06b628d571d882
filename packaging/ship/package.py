# SPDX-License-Identifier: Apache-2.0
"""Packs installed trees (`make install DESTDIR=…`): a binary archive, and Debian packages libmtoken1 and libmtoken-dev.

    packaging/ship/package.py --tree build/package/debian --libdir usr/lib/x86_64-linux-gnu \
        --movable build/package/archive/libmtoken --version VERSION --output build

Times come from SOURCE_DATE_EPOCH and names are sorted, so the same tree gives the same bytes.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Dict, List

EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
FACTS: Dict[str, str] = json.loads((Path(__file__).resolve().parents[2] / "bindings" / "facts.json").read_text("utf-8"))
MAINTAINER = f"{FACTS['authors']} <libmtoken@example.org>"
SUMMARY = "mobile token as a C library"
TEXT = """ Activates a device against a PowerAuth server, lists, approves, rejects and
 claims operations, and signs requests with possession, PIN and biometry
 factors."""


ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
BUILD = Path(__file__).resolve().parents[2] / "build"


@functools.cache
def debian_version(version: str) -> str:
    """`X.Y.Z-1` at the tag `vX.Y.Z` or without a repository; otherwise with the time and the commit.

    So a build that is newer is an upgrade: one before the release is older than that, one after it is newer. A tree
    with changes has the time of the build.
    """

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
        ).stdout.strip()

    commit = git("rev-parse", "--short=8", "HEAD")
    changed = git("status", "--porcelain", "--untracked-files=no")
    tag = git("rev-parse", "--verify", "--quiet", f"v{version}^{{commit}}")
    if not commit or (not changed and tag == git("rev-parse", "HEAD")):
        return f"{version}-1"
    seconds = time.time() if changed else int(git("log", "-1", "--format=%ct"))
    moment = time.strftime("%Y%m%d%H%M%S", time.gmtime(seconds))
    return f"{version}{'+' if tag else '~'}git{moment}.{commit}{'.changed' if changed else ''}-1"


PLUGINS = {
    "tpm2": "keys in a TPM 2.0",
    "secret-service": "keys in the desktop's keyring",
    "pkcs11": "keys on smart cards and HSMs",
    "fido2": "keys under FIDO2 security keys",
}
"""The plugins, each a package of its own."""

README = f"""# libmtoken

A {SUMMARY}. This folder can lie anywhere: `pkg-config` and CMake find the library by their own place.

Start with [the guides](share/doc/mtoken/docs/README.md) and [the examples](share/doc/mtoken/examples).
"""


def archive(tree: Path, name: str, output: Path) -> Path:
    """The tree as NAME.tar.gz: include/, lib/, share/ and README.md."""
    path = output / f"{name}.tar.gz"
    (tree / "README.md").write_text(README, encoding="utf-8")
    members: Dict[str, Path] = {str(file.relative_to(tree)): file for file in tree.rglob("*") if not file.is_dir()}
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=EPOCH) as packed:
        with tarfile.open(mode="w", fileobj=packed, format=tarfile.PAX_FORMAT) as tar:
            for member in sorted(members):
                info = tar.gettarinfo(str(members[member]), f"{name}/{member}")
                info.uid = info.gid = 0
                info.uname = info.gname = "root"
                info.mtime = EPOCH
                info.mode = 0o755 if info.mode & 0o100 else 0o644
                if info.isfile():
                    with open(members[member], "rb") as content:
                        tar.addfile(info, content)
                else:
                    tar.addfile(info)
    return path


def write(path: Path, text: str, *, pack: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data, 9, mtime=0) if pack else data)


def depends(*libraries: Path) -> str:
    """The packages of the libraries that libraries need, as Debian finds them: of another processor by this one."""
    libraries = tuple(path if is_native(path) else BUILD / "lib" / path.name for path in libraries)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "debian" / "control", "Source: libmtoken\n\nPackage: libmtoken1\nArchitecture: any\n")
        command = ["dpkg-shlibdeps", "-O", *(str(library.resolve()) for library in libraries)]
        answer = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    return answer.strip().removeprefix("shlibs:Depends=")


def is_native(library: Path) -> bool:
    """Whether it is for the processor of this Python."""
    return library.read_bytes()[18:20] == Path(sys.executable).read_bytes()[18:20]


def package(
    tree: Path,
    name: str,
    version: str,
    fields: Dict[str, str],
    extra: Dict[str, str],
    output: Path,
    *,
    copyright: str = "",
    accepted: str = "",
) -> Path:
    """A Debian package of the files in `tree`; `copyright` is that of further files, `accepted` further overrides."""
    debian = debian_version(version)
    (folder,) = (tree / "usr" / "lib").glob("*-linux-gnu")
    architecture = ARCHITECTURES[folder.name.partition("-")[0]]
    for former in output.glob(f"{name}_*.deb"):
        former.unlink()
    documents = tree / "usr" / "share" / "doc" / name
    write(documents / "copyright", COPYRIGHT + copyright)
    overrides = f"# Nothing is uploaded to Debian.\n{name}: initial-upload-closes-no-bugs *\n{accepted}"
    if name.startswith("libmtoken1-"):
        overrides += f"# A plugin of libmtoken1, named after it.\n{name}: package-name-doesnt-match-sonames *\n"
    write(tree / "usr" / "share" / "lintian" / "overrides" / name, overrides)
    day = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(EPOCH))
    entry = f"libmtoken ({debian}) stable; urgency=medium\n\n  * Release {version}.\n\n -- {MAINTAINER}  {day}\n"
    write(documents / "changelog.Debian.gz", entry, pack=True)
    files = sorted(path for path in tree.rglob("*") if not path.is_dir())
    control: Dict[str, str] = {
        "Package": name,
        "Source": "libmtoken",
        "Version": debian,
        "Architecture": architecture,
        "Maintainer": MAINTAINER,
        "Homepage": FACTS["homepage"],
        "Installed-Size": str(sum(max(1, -(-path.lstat().st_size // 1024)) for path in files)),
        "Priority": "optional",
        "Multi-Arch": "same",
        "Description": f"{SUMMARY}{special(name)}\n{TEXT}",
        **fields,
    }
    sums = "".join(
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n"
        for path in files
        if not path.is_symlink()
    )
    write(tree / "DEBIAN" / "control", "".join(f"{field}: {value}\n" for field, value in control.items()))
    write(tree / "DEBIAN" / "md5sums", sums)
    for file, text in extra.items():
        write(tree / "DEBIAN" / file, text)
    for path in [tree, *tree.rglob("*")]:
        if path.is_symlink():
            continue
        runs = path.is_dir() or path.parent == tree / "usr" / "bin" or path.name in ("postinst", "prerm")
        path.chmod(0o755 if runs else 0o644)
    target = output / f"{name}_{debian}_{control['Architecture']}.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(tree), str(target)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return target


def special(name: str) -> str:
    """What a package has that the library's own has not."""
    if name.endswith("-dev"):
        return " (development files)"
    plugin = name.removeprefix("libmtoken1-")
    return f" ({PLUGINS[plugin]})" if plugin in PLUGINS else ""


COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: libmtoken

Files: *
Copyright: 2026 The libmtoken developers
License: Apache-2.0
 On Debian systems the text of this license is in /usr/share/common-licenses/Apache-2.0.
"""


def copy(tree: Path, target: Path, patterns: List[str]) -> None:
    for pattern in patterns:
        found = list(tree.glob(pattern))
        if not found:
            sys.exit(f"package: nothing installed matches {pattern}")
        for file in found:
            if file.is_dir():
                continue
            place = target / file.relative_to(tree)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, place, follow_symlinks=False)


def debian(tree: Path, libdir: str, version: str, output: Path) -> List[Path]:
    with tempfile.TemporaryDirectory() as folder:
        runtime, development = Path(folder) / "runtime", Path(folder) / "development"
        copy(tree, runtime, [f"{libdir}/libmtoken.so.*"])
        copy(
            tree,
            development,
            [
                "usr/include/**/*",
                f"{libdir}/libmtoken.so",
                f"{libdir}/pkgconfig/*",
                f"{libdir}/cmake/**/*",
                "usr/share/mtoken/*",
                "usr/share/man/man3/*",
                "usr/share/doc/mtoken/**/*",
            ],
        )
        for page in list((development / "usr/share/man/man3").iterdir()):
            page.with_name(page.name + ".gz").write_bytes(gzip.compress(page.read_bytes(), 9, mtime=0))
            page.unlink()
        library = next(path for path in (runtime / libdir).iterdir() if not path.is_symlink())
        needed = depends(library)
        first = package(
            runtime,
            "libmtoken1",
            version,
            {"Section": "libs", "Depends": needed},
            {"shlibs": f"libmtoken 1 libmtoken1 (>= {version}~)\n", "triggers": "activate-noawait ldconfig\n"},
            output,
        )
        second = package(
            development,
            "libmtoken-dev",
            version,
            {"Section": "libdevel", "Depends": f"libmtoken1 (= {debian_version(version)})"},
            {},
            output,
        )
        built = [name for name in PLUGINS if list((tree / libdir).glob(f"libmtoken-{name}.so.*"))]
        others = [plugin(tree, libdir, version, name, Path(folder), output) for name in built]
    return [first, second, *others]


def plugin(tree: Path, libdir: str, version: str, name: str, folder: Path, output: Path) -> Path:
    """The package of a plugin, which the library loads from its own directory."""
    target = folder / name
    copy(tree, target, [f"{libdir}/libmtoken-{name}.so.*"])
    library = next((target / libdir).iterdir())
    # What tpm2-tss loads to reach the TPM is not a library that the plugin is linked with.
    loaded = ", libtss2-tcti-device0" if name == "tpm2" else ""
    fields = {"Section": "libs", "Depends": f"libmtoken1 (= {debian_version(version)}), {depends(library)}{loaded}"}
    shlibs = f"libmtoken-{name} 1 libmtoken1-{name} (>= {version}~)\n"
    extra = {"shlibs": shlibs, "triggers": "activate-noawait ldconfig\n"}
    return package(target, f"libmtoken1-{name}", version, fields, extra, output)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, required=True, help="what was installed, with prefix /usr")
    parser.add_argument("--libdir", required=True, help="folder of the library within the tree")
    parser.add_argument(
        "--movable", type=Path, required=True, help="the same with a prefix of its own, for the archive"
    )
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    os.umask(0o022)
    machine = Path(options.libdir).name.partition("-")[0]
    made = [archive(options.movable, f"libmtoken-{options.version}-linux-{machine}", options.output)]
    made += debian(options.tree, options.libdir, options.version, options.output)
    print("\n".join(f"packed {path}" for path in made))
    return 0


if __name__ == "__main__":
    sys.exit(main())
