"""Mutual TLS: certificates from files and tokens, and what the server says to a wrong one."""

from __future__ import annotations

import os
import shutil
import ssl
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any, Dict, Iterator, List

import mtoken
import pytest
from conftest import ClientFactory, DeviceFactory
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from devserver import DevServer
from gateway import Authority, Gateway, pem
from pages import blocks

SOFTHSM = "/usr/lib/softhsm/libsofthsm2.so"
ENGINE = Path("/usr/lib/x86_64-linux-gnu/engines-3/pkcs11.so")
PIN = "123456"


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def gateway(server: DevServer, authority: Authority) -> Iterator[Gateway]:
    with Gateway(authority, server.http_url) as gateway:
        yield gateway


@pytest.fixture
def options(gateway: Gateway, authority: Authority) -> Dict[str, Any]:
    return {"base_url": gateway.url, "ca_file": gateway.ca}


def test_a_life_with_a_certificate(
    make_device: DeviceFactory, gateway: Gateway, authority: Authority, options: Dict[str, Any]
) -> None:
    certificate, key = authority.write("jana")
    device = make_device(client_certificate=certificate, client_key=key, **options)
    operation = device.new_operation()
    device.client.operations.authorize(operation, device.auth)
    assert device.server.operation(operation.id)["status"] == "APPROVED"
    assert set(gateway.came) == {"jana"} and gateway.refused == 0


def together(authority: Authority, name: str) -> Path:
    certificate, key = authority.write(name)
    file = authority.folder / f"{name}.pem"
    file.write_bytes(key.read_bytes() + certificate.read_bytes())
    return file


def chained(authority: Authority, name: str) -> Path:
    """Issued by an authority that the gateway does not have: the client must send its certificate too."""
    file = together(Authority(authority.folder, "between", authority), name)
    with file.open("ab") as end:
        end.write((authority.folder / "between.pem").read_bytes())
    return file


@pytest.mark.parametrize("form", ["files", "one file", "chain", "password", "PKCS #12", "PKCS #12 and password"])
def test_forms(
    make_client: ClientFactory, gateway: Gateway, authority: Authority, options: Dict[str, Any], form: str
) -> None:
    given: Dict[str, Any]
    if form in ("files", "password"):
        password = b"pass" if form == "password" else None
        certificate, key = authority.write("jana", password)
        given = {"client_certificate": certificate, "client_key": key, "client_key_password": password}
    elif form == "one file":
        given = {"client_certificate": together(authority, "jana")}
    elif form == "chain":
        given = {"client_certificate": chained(authority, "jana")}
    else:
        password = None if form == "PKCS #12" else "žluťoučký".encode()
        given = {"client_certificate": authority.write_pkcs12("jana", password), "client_key_password": password}
    make_client(**options, **given).synchronize_time()
    assert gateway.came == ["jana"]


@pytest.mark.parametrize("kind", ["none", "other authority", "expired", "not yet"])
def test_what_the_server_refuses(
    server: DevServer,
    make_client: ClientFactory,
    gateway: Gateway,
    authority: Authority,
    options: Dict[str, Any],
    tmp_path: Path,
    kind: str,
) -> None:
    """In TLS 1.3 the alert comes after the client has sent the request, which the server does not read."""
    given: Dict[str, Any] = {}
    if kind != "none":
        if kind == "other authority":
            (tmp_path / "other").mkdir()
        issuer = Authority(tmp_path / "other", "other") if kind == "other authority" else authority
        when = {"expired": {"age": timedelta(hours=3)}, "not yet": {"age": timedelta(hours=-1)}}.get(kind, {})
        given = dict(zip(("client_certificate", "client_key"), issuer.write("jana", **when)))
    client = make_client(**options, **given)
    before = server.mark()
    with pytest.raises(mtoken.TLSError) as failure:
        client.synchronize_time()
    error = failure.value
    assert (error.reason, error.tls) == ("network_sslError", mtoken.TLSFault.CLIENT_CERTIFICATE)
    assert (error.outcome, error.network) == (mtoken.Outcome.NOT_SENT, mtoken.NetworkFault.NONE)
    assert not error.retriable and error.cause
    assert server.requests(after=before) == [] and gateway.came == []


def test_tls_1_2(server: DevServer, make_client: ClientFactory, authority: Authority) -> None:
    """There the alert ends the handshake, before anything is sent; the missing certificate has none of its own."""
    with Gateway(authority, server.http_url, latest=ssl.TLSVersion.TLSv1_2) as gateway:
        options = {"base_url": gateway.url, "ca_file": gateway.ca}
        (authority.folder / "other").mkdir()
        certificate, key = Authority(authority.folder / "other", "other").write("jana")
        with pytest.raises(mtoken.TLSError) as failure:
            make_client("other", client_certificate=certificate, client_key=key, **options).synchronize_time()
        assert failure.value.tls is mtoken.TLSFault.CLIENT_CERTIFICATE
        certificate, key = authority.write("late", age=timedelta(hours=3))
        with pytest.raises(mtoken.TLSError) as failure:
            make_client("late", client_certificate=certificate, client_key=key, **options).synchronize_time()
        assert failure.value.tls is mtoken.TLSFault.CLIENT_CERTIFICATE
        assert failure.value.outcome is mtoken.Outcome.NOT_SENT
        with pytest.raises(mtoken.TLSError) as failure:
            make_client("none", **options).synchronize_time()
        assert failure.value.tls is mtoken.TLSFault.HANDSHAKE
        assert failure.value.outcome is mtoken.Outcome.NOT_SENT
        certificate, key = authority.write("jana")
        make_client("jana", client_certificate=certificate, client_key=key, **options).synchronize_time()
        assert gateway.came == ["jana"]


def test_a_refused_signature_is_used_again(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, gateway: Gateway, authority: Authority
) -> None:
    """The counter of a signed request that the gateway did not read is not lost."""
    device = make_device()
    operation = device.new_operation()
    device.client.close()
    late = authority.write("late", age=timedelta(hours=3))
    client = make_client(
        "device",
        store=device.store,
        operations_url=gateway.url,
        base_url=server.url,
        ca_file=bundle(server, gateway),
        client_certificate=late[0],
        client_key=late[1],
    )
    client.status()
    before = client.info().unacknowledged_signatures
    with pytest.raises(mtoken.TLSError) as failure:
        client.operations.authorize(operation, device.auth)
    assert failure.value.outcome is mtoken.Outcome.NOT_SENT
    assert client.info().unacknowledged_signatures == before


def bundle(server: DevServer, gateway: Gateway) -> Path:
    file = gateway.ca.with_name("bundle.pem")
    file.write_bytes(Path(server.ca_file).read_bytes() + gateway.ca.read_bytes())
    return file


def test_each_client_has_its_own_connections(
    make_client: ClientFactory, gateway: Gateway, authority: Authority, options: Dict[str, Any]
) -> None:
    """On one runtime, at the same address, one after the other and again: nobody comes under another's name."""
    names = ["jana", "karel", "lenka"]
    clients: List[mtoken.Client] = []
    for name in names:
        certificate, key = authority.write(name)
        clients.append(make_client(name, client_certificate=certificate, client_key=key, **options))
    for client in clients * 3:
        client.synchronize_time()
    assert gateway.came == names
    with pytest.raises(mtoken.TLSError):
        make_client("nobody", **options).synchronize_time()


def test_what_cannot_be_read(
    make_client: ClientFactory, authority: Authority, options: Dict[str, Any], tmp_path: Path
) -> None:
    certificate, key = authority.write("jana", b"pass")
    other = authority.write("karel")[1]
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    store = authority.write_pkcs12("lenka", b"pass")
    for given in (
        {"client_certificate": tmp_path / "missing"},
        {"client_certificate": empty},
        {"client_certificate": tmp_path},
        {"client_certificate": certificate},
        {"client_certificate": certificate, "client_key": key},
        {"client_certificate": certificate, "client_key": key, "client_key_password": b"wrong"},
        {"client_certificate": certificate, "client_key": key, "client_key_password": b""},
        {"client_certificate": certificate, "client_key": other},
        {"client_certificate": store},
        {"client_certificate": store, "client_key_password": b"wrong"},
    ):
        with pytest.raises(mtoken.ConfigurationError) as failure:
            make_client(**options, **given)
        assert failure.value.reason == "invalidConfiguration"
    for given in (
        {"client_key": key},
        {"client_key_password": b"pass"},
        {"client_certificate": certificate, "client_key": key, "client_key_password": bytes(256)},
        {"client_certificate": "a\0b"},
    ):
        with pytest.raises(mtoken.ArgumentError):
            make_client(**options, **given)


def test_files_that_take_for_ever(
    make_client: ClientFactory, authority: Authority, options: Dict[str, Any], tmp_path: Path
) -> None:
    """A pipe is not waited for. Files that are right, but ask for one iteration too many, are refused."""
    iterations = "5000001"
    certificate, key = authority.write("jana")
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    long = tmp_path / "long.pem"
    long.write_bytes(b"#" * (1 << 20) + certificate.read_bytes() + key.read_bytes())
    hard = tmp_path / "hard.pem"
    command = ["openssl", "pkcs8", "-topk8", "-in", key, "-iter", iterations, "-passout", "pass:pass"]
    hard.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
    command = ["openssl", "pkcs12", "-export", "-in", certificate, "-inkey", key, "-passout", "pass:pass"]
    command += ["-iter", iterations, "-nomaciter", "-certpbe", "NONE"]  # the key alone takes its time
    store = tmp_path / "store.p12"
    store.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
    for given in (
        {"client_certificate": fifo},
        {"client_certificate": certificate, "client_key": fifo},
        {"client_certificate": long},
        {"ca_file": fifo},
        {"ca_file": long},
        {"client_certificate": certificate, "client_key": hard, "client_key_password": b"pass"},
        {"client_certificate": store, "client_key_password": b"pass"},
    ):
        with pytest.raises(mtoken.ConfigurationError) as failure:
            make_client(**{**options, **given})
        assert failure.value.reason == "invalidConfiguration"


def test_the_page(
    server: DevServer, runtime: mtoken.Runtime, gateway: Gateway, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What docs/guides/gateway.md shows."""
    authority.write("alice")
    monkeypatch.chdir(authority.folder)
    (block,) = blocks("docs/guides/gateway.md")
    names: Dict[str, Any] = {"mtoken": mtoken, "runtime": runtime, "store": mtoken.Store.memory()}
    where = f"base_url={gateway.url!r}, ca_file={str(gateway.ca)!r}"
    text = block.text.replace("configuration=…", f"configuration={server.configuration!r}")
    exec(text.replace("base_url=…", where), names)
    names["client"].synchronize_time()
    names["client"].close()
    assert gateway.came == ["alice"]


# PKCS #11


@pytest.fixture
def token(tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> str:
    """A token of SoftHSM2 with a certificate and key of "jana"; gives their URI."""
    for needed in (Path(SOFTHSM), ENGINE):
        if not needed.exists():
            pytest.skip(f"not here: {needed}")
    for tool in ("softhsm2-util", "pkcs11-tool"):
        if shutil.which(tool) is None:
            pytest.skip(f"not here: {tool}")
    (tmp_path / "tokens").mkdir()
    config = tmp_path / "softhsm2.conf"
    config.write_text(f"directories.tokendir = {tmp_path / 'tokens'}\nlog.level = ERROR\n", encoding="ascii")
    monkeypatch.setenv("SOFTHSM2_CONF", str(config))
    certificate, key = authority.issue("jana")
    files = {"cert": tmp_path / "card.crt", "privkey": tmp_path / "card.key"}
    der = (serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    files["cert"].write_bytes(certificate.public_bytes(serialization.Encoding.DER))
    files["privkey"].write_bytes(key.private_bytes(*der))
    commands = [["softhsm2-util", "--init-token", "--free", "--label", "card", "--pin", PIN, "--so-pin", "654321"]]
    commands += [
        ["pkcs11-tool", "--module", SOFTHSM, "--token-label", "card", "--login", "--pin", PIN]
        + ["--write-object", str(file), "--type", kind, "--id", "01", "--label", "jana"]
        for kind, file in files.items()
    ]
    for command in commands:
        subprocess.run(command, check=True, capture_output=True)
    return f"pkcs11:token=card;object=jana?module-path={SOFTHSM}"


SCRIPT = """
import sys, mtoken
_, url, ca, configuration, certificate, key, pin = sys.argv
with mtoken.Runtime() as runtime:
    options = dict(configuration=configuration, base_url=url, ca_file=ca, store=mtoken.Store.memory())
    if key: options["client_key"] = key
    if pin: options["client_key_password"] = pin.encode()
    try:
        client = mtoken.Client(runtime, "client", client_certificate=certificate, **options)
        client.synchronize_time()
    except mtoken.MTokenError as error:
        print(type(error).__name__, error.reason)
    else:
        print("done")
        client.close()
"""


def run(server: DevServer, gateway: Gateway, authority: Authority, certificate: str, key: str, pin: str) -> str:
    """In a process of its own: a module is loaded once, with the tokens that it then finds."""
    command = [
        sys.executable,
        "-c",
        SCRIPT,
        gateway.url,
        str(gateway.ca),
        server.configuration,
        certificate,
        key,
        pin,
    ]
    environment = {**os.environ, "PYTHONPATH": str(Path(mtoken.__file__).parents[1])}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_token(server: DevServer, gateway: Gateway, authority: Authority, token: str) -> None:
    assert run(server, gateway, authority, token, "", PIN) == "done"
    assert gateway.came == ["jana"]
    # The PIN in the URI, and the certificate in a file.
    file = authority.folder / "jana.pem"
    file.write_bytes(pem(x509.load_der_x509_certificate((authority.folder / "card.crt").read_bytes())))
    assert run(server, gateway, authority, str(file), f"{token}&pin-value={PIN}", "") == "done"
    assert gateway.came == ["jana", "jana"]


def test_what_a_token_refuses(server: DevServer, gateway: Gateway, authority: Authority, token: str) -> None:
    unreadable = "ConfigurationError invalidConfiguration"
    assert run(server, gateway, authority, token, "", "000000") == unreadable
    assert run(server, gateway, authority, token, "", "") == unreadable
    assert run(server, gateway, authority, token.replace("object=jana", "object=karel"), "", PIN) == unreadable
    assert run(server, gateway, authority, token.replace("token=card", "token=other"), "", PIN) == unreadable
    assert (
        run(server, gateway, authority, "pkcs11:token=card;object=jana?module-path=/nowhere.so", "", PIN) == unreadable
    )
    assert gateway.came == []
    assert run(server, gateway, authority, token, "", PIN) == "done"
