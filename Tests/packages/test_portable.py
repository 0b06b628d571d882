"""The portable library: what it binds to, whom it trusts, what it reads, and that it approves where nothing else is.

make test-portable

What needs root, Node or Debian's archive is named when it cannot be run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, Iterator, List

import pytest
from debian import BUILD, ROOT, NotHere, System, approve, debian
from devserver import DevServer

LIBRARY = BUILD / "portable" / "libmtoken.so.1"
PINS = json.loads((ROOT / "packaging" / "link" / "portable" / "sources.json").read_text(encoding="utf-8"))["packages"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevServer]:
    server = DevServer(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


# What it binds to


def bindings(output: str) -> Dict[str, str]:
    """Each symbol that the library bound, and the file it was found in, from what LD_DEBUG=bindings wrote."""
    line = re.compile(rf"binding file {re.escape(str(LIBRARY))} \[\d+\] to (\S+) \[\d+\]: \w+ symbol `(\w+)'")
    found = {symbol: file for file, symbol in line.findall(output)}
    assert "malloc" in found, "nothing was read"
    return found


def foreign(found: Dict[str, str]) -> List[str]:
    """The symbols that were not found in the C library, in the dynamic linker or in the library itself."""
    own = (str(LIBRARY), "/libc.so.6", "/libm.so.6", "/ld-linux-x86-64.so.2", "/ld-linux-aarch64.so.1")
    copied = ("stdin", "stdout", "stderr")  # the C library's variables, which executables hold for it
    return [f"{symbol} of {file}" for symbol, file in found.items() if not file.endswith(own) and symbol not in copied]


def load(command: List[str], **environment: str) -> str:
    done = subprocess.run(
        command,
        env={**os.environ, "LD_DEBUG": "bindings", **environment},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stderr


HOST = """
#include <dlfcn.h>
#include <stdio.h>
int ran;
#define OWN(name) void *name(void) { ran++; return 0; }
OWN(EVP_MD_fetch) OWN(EVP_Q_digest) OWN(RAND_bytes) OWN(SHA1_Init) OWN(SHA1_Transform) OWN(OPENSSL_init_crypto) OWN(SSL_new)
OWN(curl_easy_init) OWN(curl_global_init) OWN(json_object) OWN(json_delete) OWN(OPENSSL_cleanse) OWN(CRYPTO_malloc)
int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
    if (!library) { puts(dlerror()); return 1; }
    void *digest = 0;
    int (*sha256)(const void *, size_t, void **, void *);
    *(void **)&sha256 = dlsym(library, "mtoken_sha256");
    if (!sha256 || sha256("abc", 3, &digest, 0) != 0) return 2;
    return ran ? 3 : 0;
}
"""


def test_a_host_with_the_same_names(tmp_path: Path) -> None:
    """An executable gives out functions of OpenSSL, libcurl and Jansson: the library uses its own."""
    source, program = tmp_path / "host.c", tmp_path / "host"
    source.write_text(HOST, encoding="utf-8")
    compiler = [os.environ.get("CC", "cc"), "-rdynamic", "-w", "-fno-builtin", str(source), "-o", str(program), "-ldl"]
    subprocess.run(compiler, check=True)
    assert foreign(bindings(load([str(program), str(LIBRARY)]))) == []


def test_node(tmp_path: Path) -> None:
    """In Node, which has an OpenSSL of its own and gives its symbols out. It is no add-on of Node's, which says so, loaded."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("not run: node is not installed")
    script = "try { process.dlopen({exports: {}}, process.argv[1]) } catch (e) { console.log(e.message) }"
    assert foreign(bindings(load([node, "-e", script, str(LIBRARY)]))) == []


# What is inside


def test_the_lists_name_what_is_inside() -> None:
    """The list for programs and the licences name each part with its pinned version, and the library has that OpenSSL in it."""
    listed = json.loads((LIBRARY.parent / "libmtoken.cdx.json").read_text(encoding="utf-8"))
    parts = {part["name"]: part for part in listed["components"]}
    licenses = (LIBRARY.parent / "THIRD-PARTY.txt").read_text(encoding="utf-8")
    content = LIBRARY.read_bytes()
    assert (listed["bomFormat"], listed["specVersion"]) == ("CycloneDX", "1.6")
    for name, pin in PINS.items():
        version = pin["version"].rsplit("-", 1)[0]
        assert parts[name]["version"] == version and parts[name]["hashes"][0]["content"] in pin["files"].values()
        assert f":{version}:" in parts[name]["cpe"] and pin["version"] in licenses
        mark = {"openssl": f"OpenSSL {version} ", "curl": f"\0{version}\0", "jansson": ""}[name]
        assert mark.encode() in content
    assert {"swift-embedded-standard-library", *PINS} == set(parts)
    assert all(
        word in licenses
        for word in ("Apache License", "Daniel Stenberg", "Petri Lehtinen", "Runtime Library Exception")
    )
    assert {edge["ref"] for edge in listed["dependencies"]} == {
        "libmtoken",
        *(part["bom-ref"] for part in parts.values()),
    }
    assert str(ROOT).encode() not in content, "it tells where it was built"


FETCH = """
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <stdio.h>
#define HAS(kind, name) if (!EVP_##kind##_fetch(0, name, 0)) { puts(#kind " " name); missing++; }
extern void SHA1_Transform(void *, const void *);
int main(void)
{
    int missing = SHA1_Transform == 0;
    HAS(KEM, "ML-KEM-768") HAS(KEM, "ML-KEM-1024") HAS(SIGNATURE, "ML-DSA-65") HAS(SIGNATURE, "ML-DSA-87")
    HAS(KEYMGMT, "ML-KEM-768") HAS(KEYMGMT, "ML-DSA-65") HAS(KEYMGMT, "EC") HAS(KEYEXCH, "ECDH") HAS(SIGNATURE, "ECDSA")
    HAS(MAC, "KMAC-128") HAS(MAC, "KMAC-256") HAS(MAC, "HMAC") HAS(MD, "SHA3-256") HAS(MD, "SHA3-384") HAS(MD, "SHAKE-256")
    HAS(MD, "SHA1") HAS(MD, "SHA2-256") HAS(MD, "SHA2-384") HAS(KDF, "HKDF") HAS(KDF, "X963KDF") HAS(KDF, "PBKDF2")
    HAS(CIPHER, "AES-128-CBC") HAS(CIPHER, "AES-256-CTR") HAS(CIPHER, "AES-256-GCM") HAS(CIPHER, "ChaCha20-Poly1305")
    EVP_PKEY *key = EVP_PKEY_Q_keygen(0, 0, "EC", "P-384");
    return missing || !key;
}
"""


def test_the_algorithms_of_both_protocols(tmp_path: Path) -> None:
    """The OpenSSL that is linked in has what the protocols fetch by name, the post-quantum ones too, and blocks of SHA-1."""
    source, program = tmp_path / "fetch.c", tmp_path / "fetch"
    source.write_text(FETCH, encoding="utf-8")
    parts = LIBRARY.parent
    command = [os.environ.get("CC", "cc"), "-w", str(source), f"-I{parts / 'stage/usr/include'}", "-o", str(program)]
    subprocess.run([*command, str(parts / "lib/libcrypto.a"), "-lpthread"], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_pins_are_whole() -> None:
    for name, pin in PINS.items():
        endings = {re.sub(r"^.*?\.(orig|debian|dsc)", r"\1", file) for file in pin["files"]}
        assert endings == {"orig.tar.gz", "debian.tar.xz", "dsc"}, name
        assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in pin["files"].values())


def test_a_changed_source_is_refused(tmp_path: Path) -> None:
    """A file that is not the pinned one is not unpacked, wherever it came from."""
    packaging = tmp_path / "packaging" / "link" / "portable"
    shutil.copytree(ROOT / "packaging" / "link" / "portable", packaging)
    archive = tmp_path / "archive" / PINS["jansson"]["folder"]
    archive.mkdir(parents=True)
    for file in PINS["jansson"]["files"]:
        shutil.copy(BUILD / "portable" / "download" / file, archive)
    command = [sys.executable, str(packaging / "sources.py"), "unpack", "jansson", str(tmp_path / "jansson")]
    environment = {**os.environ, "MTOKEN_ARCHIVE": f"file://{tmp_path / 'archive'}"}
    (damaged,) = archive.glob("*.orig.tar.gz")
    content = damaged.read_bytes()
    damaged.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0 and damaged.name in done.stderr and "portable-pin" in done.stderr
    assert not (tmp_path / "jansson").exists()
    damaged.write_bytes(content)
    subprocess.run(command, env=environment, check=True)
    assert (tmp_path / "jansson" / "LICENSE").exists()


# What it reads


CHILD = """
import sys, mtoken
url, configuration = sys.argv[1:]
with mtoken.Runtime() as runtime, mtoken.Store.memory() as store:
    with mtoken.Client(runtime, "alice", configuration=configuration, base_url=url, store=store) as client:
        try:
            client.synchronize_time()
            print("trusted")
        except mtoken.TLSError as error:
            print(error.outcome.name, error.tls.name, error, error.cause)
"""

# /etc is a copy without any trusted certificate; then what the layout says is put into it.
LAYOUT = """
set -e
mount --make-rprivate /
mount --bind "$ETC" /etc
shift
exec "$@"
"""


def ask(server: DevServer, folder: Path, layout: Dict[str, str], **environment: str) -> str:
    """What a call to the dev server says where the system's certificates lie as `layout` has them: path to content."""
    etc = folder / "etc"
    etc.mkdir()
    for name in ("hosts", "nsswitch.conf", "passwd", "group", "ld.so.cache", "resolv.conf", "localtime"):
        if Path("/etc", name).exists():
            shutil.copy(Path("/etc", name), etc)
    for path, content in layout.items():
        place = etc / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8")
    namespace = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--user", "--map-root-user"]
    if subprocess.run([*namespace, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("not run: no file systems of one's own without root here")
    child = [sys.executable, "-c", CHILD, server.url, server.configuration]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("SSL_CERT", "OPENSSL_"))}
    done = subprocess.run(
        [*namespace, "sh", "-c", LAYOUT, "sh", "--", *child],
        env={
            **clean,
            "ETC": str(etc),
            "MTOKEN_LIBRARY": str(LIBRARY),
            "PYTHONPATH": str(ROOT / "bindings/python/src"),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "place",
    [
        pytest.param("ssl/certs/ca-certificates.crt", id="debian"),
        pytest.param("pki/tls/certs/ca-bundle.crt", id="fedora"),
        pytest.param("pki/ca-trust/extracted/pem/tls-ca-bundle.pem", id="fedora-new"),
        pytest.param("ssl/ca-bundle.pem", id="suse"),
        pytest.param("ssl/cert.pem", id="alpine"),
    ],
)
def test_the_systems_certificates(server: DevServer, tmp_path: Path, place: str) -> None:
    authority = Path(server.ca_file).read_text(encoding="utf-8")
    assert ask(server, tmp_path, {place: authority}) == "trusted"


def other_authority(folder: Path) -> str:
    """A certificate that the server's does not come from."""
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-subj",
        "/CN=other",
    ]
    subprocess.run([*command, "-keyout", folder / "key", "-out", folder / "other"], check=True, capture_output=True)
    return (folder / "other").read_text(encoding="utf-8")


def test_a_stranger_is_refused(server: DevServer, tmp_path: Path) -> None:
    """Certificates were found, and the server's authority is not among them."""
    layout = {"ssl/certs/ca-certificates.crt": other_authority(tmp_path)}
    assert ask(server, tmp_path, layout).startswith("NOT_SENT UNTRUSTED The server's certificate is not trusted.")


def test_variables_come_first(server: DevServer, tmp_path: Path) -> None:
    layout = {"ssl/certs/ca-certificates.crt": other_authority(tmp_path)}
    assert ask(server, tmp_path, layout, SSL_CERT_FILE=server.ca_file) == "trusted"


def test_a_folder_of_certificates(server: DevServer, tmp_path: Path) -> None:
    folder = tmp_path / "hashed"
    folder.mkdir()
    shutil.copy(server.ca_file, folder / "authority.pem")
    subprocess.run(["openssl", "rehash", folder], check=True)
    assert ask(server, tmp_path, {}, SSL_CERT_DIR=str(folder)) == "trusted"


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_a_variable_that_leads_nowhere(server: DevServer, tmp_path: Path, variable: str) -> None:
    """The system's own certificates do not take its place in silence."""
    layout = {"ssl/certs/ca-certificates.crt": Path(server.ca_file).read_text(encoding="utf-8")}
    said = ask(server, tmp_path, layout, **{variable: "/nowhere/at-all"})
    assert said.startswith("NOT_SENT UNTRUSTED No trusted certificates were found.") and variable in said


def test_no_certificates_at_all(server: DevServer, tmp_path: Path) -> None:
    said = ask(server, tmp_path, {})
    assert said.startswith(
        "NOT_SENT UNTRUSTED No trusted certificates were found. Install ca-certificates, set SSL_CERT_FILE"
    )


UNUSABLE = "openssl_conf = start\n[start]\nalg_section = algorithms\n[algorithms]\ndefault_properties = fips=yes\n"
DIGEST = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
digest, error = ctypes.c_void_p(), ctypes.c_void_p()
library.mtoken_error_name.restype = ctypes.c_char_p
status = library.mtoken_sha256(b"abc", ctypes.c_size_t(3), ctypes.byref(digest), ctypes.byref(error))
print(library.mtoken_error_name(status).decode())
"""


def digest(library: Path, configuration: str, folder: Path) -> str:
    """The name of the status of a digest, where the host configures its OpenSSL by a file."""
    file = folder / "openssl.cnf"
    file.write_text(configuration, encoding="utf-8")
    environment = {**os.environ, "OPENSSL_CONF": str(file)}
    command = [sys.executable, "-c", DIGEST, str(library)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def test_the_hosts_configuration_of_openssl(tmp_path: Path) -> None:
    """A configuration that allows nothing but FIPS, and has no such provider: the installed library obeys, this one does not."""
    assert digest(BUILD / "lib" / "libmtoken.so.1", "", tmp_path) == "MTOKEN_OK"
    assert digest(BUILD / "lib" / "libmtoken.so.1", UNUSABLE, tmp_path) != "MTOKEN_OK"
    assert digest(LIBRARY, UNUSABLE, tmp_path) == "MTOKEN_OK"


# Where nothing else is


@pytest.fixture(scope="module")
def trixie() -> Iterator[System]:
    """Debian 13, with no library of ours and none of OpenSSL's users."""
    try:
        with debian("trixie") as system:
            yield system
    except NotHere as reason:
        pytest.skip(f"not run: {reason}")


def program(name: str, *libraries: str) -> Path:
    """The example in C, linked with the portable library and more."""
    made = BUILD / "portable" / name
    command = [os.environ.get("CC", "cc"), "-std=c99", str(ROOT / "examples/c/approve.c"), f"-I{ROOT / 'include'}"]
    command += [f"-L{LIBRARY.parent}", "-l:libmtoken.so.1", "-Wl,--no-as-needed", *libraries, "-Wl,-rpath,/srv"]
    subprocess.run([*command, "-o", str(made)], check=True)
    return made


def test_debian_13(trixie: System, server: DevServer) -> None:
    assert not [*(trixie.root / "usr" / "lib").rglob("libcurl*"), *(trixie.root / "usr" / "lib").rglob("libjansson*")]
    trixie.bring(LIBRARY)
    alone = trixie.bring(program("approve-alone"))
    assert "not found" not in trixie.run("ldd", alone)
    approve(trixie, server, alone, "portable-user")


def test_debian_13_beside_its_own_libraries(trixie: System, server: DevServer) -> None:
    """The program itself loads the distribution's libcurl, OpenSSL and Jansson; the library has its own in the same process."""
    trixie.install("libcurl4t64", "libjansson4")
    trixie.bring(LIBRARY)
    beside = trixie.bring(program("approve-beside", "-lcurl", "-lssl", "-lcrypto", "-ljansson"))
    needed = trixie.run("ldd", beside)
    assert "not found" not in needed and all(
        name in needed for name in ("libcurl.so.4", "libssl.so.3", "libjansson.so.4")
    )
    approve(trixie, server, beside, "neighbour")
