# SPDX-License-Identifier: Apache-2.0
r"""Writes the NuGet package from what is built: assemblies for each framework, their documentation, libraries to carry.

python3 package.py --version VERSION --assembly net48=Mtoken.dll … --library libmtoken.so.1 \
        [--crossed build/aarch64-linux-gnu …] --output build/csharp

The form is NuGet's: a zip with a .nuspec and the two parts that Open Packaging asks for. What describes the package
comes from Mtoken.csproj, which the .NET SDK reads. Two runs give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
import zipfile
from pathlib import Path
from typing import Dict, Iterable, Tuple
from xml.etree import ElementTree
from xml.sax.saxutils import escape

HERE = Path(__file__).resolve().parent
FACTS: Dict[str, str] = json.loads((HERE.parent / "facts.json").read_text("utf-8"))
RUNTIMES = {
    "x86_64-linux-gnu": "linux-x64",
    "aarch64-linux-gnu": "linux-arm64",
    "x86_64-linux-musl": "linux-musl-x64",
    "aarch64-linux-musl": "linux-musl-arm64",
}
"""As NuGet names the systems."""
NUSPEC = "http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd"
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="{}">
  <metadata>
{}
  </metadata>
</package>
"""
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
{}
</Types>
"""
RELATIONS = """<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/{}.nuspec" Id="manifest" />
</Relationships>
"""


def facts() -> Dict[str, str]:
    """The properties of the project."""
    project = ElementTree.parse(HERE / "Mtoken.csproj").getroot()
    return {item.tag: item.text or "" for group in project.findall("PropertyGroup") for item in group}


def nuspec(found: Dict[str, str], version: str, frameworks: Iterable[str]) -> str:
    elements = [
        ("id", found["PackageId"]),
        ("version", version),
        ("authors", FACTS["authors"]),
        ("description", FACTS["description"]),
        ("projectUrl", FACTS["homepage"]),
        ("readme", found["PackageReadmeFile"]),
        ("tags", found["PackageTags"]),
    ]
    lines = [f"    <{name}>{escape(text)}</{name}>" for name, text in elements]
    lines.append(f'    <license type="expression">{FACTS["license"]}</license>')
    lines.append(f'    <repository type="git" url="{FACTS["repository"]}" />')
    groups = [f'      <group targetFramework="{framework}" />' for framework in frameworks]
    lines += ["    <dependencies>", *groups, "    </dependencies>"]
    return MANIFEST.format(NUSPEC, "\n".join(lines))


def write(
    target: Path, found: Dict[str, str], version: str, assemblies: Dict[str, Path], libraries: Dict[str, Path]
) -> None:
    files: Dict[str, bytes] = {
        "_rels/.rels": RELATIONS.format(found["PackageId"]).encode(),
        f"{found['PackageId']}.nuspec": nuspec(found, version, assemblies).encode(),
        "README.md": (HERE / "README.md").read_bytes(),
        **{name: (HERE.parents[1] / name).read_bytes() for name in ("CHANGELOG.md", "LICENSE", "SECURITY.md")},
    }
    for framework, assembly in assemblies.items():
        for path in (assembly, assembly.with_suffix(".xml")):
            files[f"lib/{framework}/{path.name}"] = path.read_bytes()
    for system, library in libraries.items():
        files[f"runtimes/{RUNTIMES[system]}/native/libmtoken.so.1"] = library.resolve().read_bytes()
        files["THIRD-PARTY.txt"] = (library.parent / "THIRD-PARTY.txt").read_bytes()
    kinds = {name.rpartition("/")[2].rpartition(".")[2] for name in files if "." in name} - {"rels"}
    defaults = [f'  <Default Extension="{kind}" ContentType="application/octet-stream" />' for kind in sorted(kinds)]
    defaults.append(
        '  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml" />'
    )
    defaults += ['  <Override PartName="/LICENSE" ContentType="application/octet-stream" />']
    files["[Content_Types].xml"] = TYPES.format("\n".join(defaults)).encode()
    day: Tuple[int, ...] = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")))[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            info = zipfile.ZipInfo(name, day)  # type: ignore[arg-type]
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, content)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True)
    parser.add_argument("--assembly", action="append", required=True, metavar="FRAMEWORK=FILE")
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--crossed", type=Path, nargs="*", default=[], help="what was built for other systems")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    found = facts()
    target = options.output / f"{found['PackageId']}.{options.version}.nupkg"
    assemblies = {framework: Path(path) for framework, _, path in (given.partition("=") for given in options.assembly)}
    libraries = {f"{platform.machine()}-linux-gnu": options.library}
    libraries |= {folder.name: folder / "portable/libmtoken.so.1" for folder in options.crossed}
    write(target, found, options.version, assemblies, libraries)
    print(f"{target} ({target.stat().st_size} bytes)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
