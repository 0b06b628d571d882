# SPDX-License-Identifier: Apache-2.0
"""What is inside the portable library: licences (THIRD-PARTY.txt) and a CycloneDX list (libmtoken.cdx.json) beside it.

    packaging/link/portable/bill.py --version VERSION --sources build/portable/source --toolchain /opt/swift/usr \\
        --output build/portable

The licence texts are taken from the sources that were linked, the versions from their pins, so that neither can be
older than the library. Times come from SOURCE_DATE_EPOCH: the same sources give the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import time
import uuid
from pathlib import Path
from typing import Any, Dict, List, NamedTuple

from sources import Package, pins


class Part(NamedTuple):
    """Something that was linked in."""

    title: str
    home: str
    supplier: str
    cpe: str
    """Vendor and product, as lists of vulnerabilities name them."""
    license: str
    text: str
    """The file with the licence, within the source."""


PARTS = {
    "openssl": Part(
        "OpenSSL", "https://openssl-library.org", "The OpenSSL Project", "openssl:openssl", "Apache-2.0", "LICENSE.txt"
    ),
    "curl": Part("libcurl", "https://curl.se", "Daniel Stenberg and contributors", "haxx:curl", "curl", "COPYING"),
    "jansson": Part(
        "Jansson", "https://github.com/akheron/jansson", "Petri Lehtinen", "jansson_project:jansson", "MIT", "LICENSE"
    ),
}
SWIFT = Part(
    "Swift standard library (Embedded)", "https://swift.org", "Apple Inc. and the Swift project authors", "",
    "Apache-2.0 WITH Swift-exception", "share/swift/LICENSE.txt",
)  # fmt: skip


def upstream(version: str) -> str:
    """The version without Debian's revision."""
    return version.rsplit("-", 1)[0]


def swift_version(toolchain: Path) -> str:
    answer = subprocess.run([toolchain / "bin" / "swiftc", "--version"], check=True, capture_output=True, text=True)
    found = re.search(r"Swift version (\S+)", answer.stdout)
    return found[1] if found else "unknown"


def component(name: str, package: Package, sources: Path) -> Dict[str, Any]:
    part = PARTS[name]
    version = upstream(package.version)
    archive = next(file for file in package.files if ".orig.tar" in file)
    patches = series(sources / name / "debian" / "patches")
    return {
        "type": "library",
        "bom-ref": name,
        "supplier": {"name": part.supplier},
        "name": name,
        "version": version,
        "description": f"{part.title}, built from Debian's source package {name} {package.version}",
        "licenses": [{"license": {"id": part.license}}],
        "hashes": [{"alg": "SHA-256", "content": package.files[archive]}],
        "cpe": f"cpe:2.3:a:{part.cpe}:{version}:*:*:*:*:*:*:*",
        "purl": f"pkg:deb/debian/{name}@{package.version.replace('+', '%2B').replace('~', '%7E')}?arch=source",
        "externalReferences": [{"type": "website", "url": part.home}],
        "pedigree": {"notes": f"With Debian's patches: {', '.join(patches) or 'none'}."},
    }


def series(patches: Path) -> List[str]:
    file = patches / "series"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]


def bill(version: str, swift: str, sources: Path, library: Path) -> Dict[str, Any]:
    whole = {
        "type": "library",
        "bom-ref": "libmtoken",
        "name": "libmtoken",
        "version": version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(library.read_bytes()).hexdigest()}],
    }
    components = [component(name, package, sources) for name, package in pins().items()]
    components.append(
        {
            "type": "library",
            "bom-ref": "swift",
            "supplier": {"name": SWIFT.supplier},
            "name": "swift-embedded-standard-library",
            "version": swift,
            "licenses": [{"expression": SWIFT.license}],
            "externalReferences": [{"type": "website", "url": SWIFT.home}],
        }
    )
    names = [str(part["bom-ref"]) for part in components]
    serial = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps([whole, components], sort_keys=True))
    day = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", "0"))))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"timestamp": day, "component": whole},
        "components": components,
        "dependencies": [
            {"ref": "libmtoken", "dependsOn": names},
            *({"ref": name, "dependsOn": ["openssl"] if name == "curl" else []} for name in names),
        ],
    }


def licenses(version: str, swift: str, sources: Path, toolchain: Path) -> str:
    lines = [
        f"libmtoken {version} is under the Apache License 2.0. The portable library contains these parts, linked in.",
        "libmtoken.cdx.json lists them for programs.",
    ]
    parts = [(PARTS[name], f"{package.version} (Debian)", sources / name) for name, package in pins().items()]
    for part, exact, folder in [*parts, (SWIFT, swift, toolchain)]:
        text = (folder / part.text).read_text(encoding="utf-8").strip("\n")
        lines += ["", "=" * 79, f"{part.title} {exact}", part.home, f"License: {part.license}", "=" * 79, "", text]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True)
    parser.add_argument("--sources", type=Path, required=True, help="the unpacked sources, by their names")
    parser.add_argument("--toolchain", type=Path, required=True, help="of Swift")
    parser.add_argument("--output", type=Path, required=True, help="the folder of the library")
    options = parser.parse_args()
    swift = swift_version(options.toolchain)
    library = options.output / f"libmtoken.so.{options.version}"
    parts = json.dumps(bill(options.version, swift, options.sources, library), indent=2) + "\n"
    (options.output / "libmtoken.cdx.json").write_text(parts, encoding="utf-8")
    text = licenses(options.version, swift, options.sources, options.toolchain)
    (options.output / "THIRD-PARTY.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
