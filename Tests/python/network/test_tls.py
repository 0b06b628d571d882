"""TLS, pins, addresses."""

from __future__ import annotations

import base64
import json
import os
import re
import ssl
import subprocess
import sys
from pathlib import Path

import mtoken
import pytest
from conftest import CHILD_PATH, ClientFactory
from devserver import DevServer
from gateway import Authority

WRONG_PIN = base64.b64encode(bytes(32)).decode()


@pytest.mark.parametrize("kind", ["otherCa", "expired", "wrongName", "selfSigned"])
def test_a_wrong_certificate(server: DevServer, make_client: ClientFactory, kind: str) -> None:
    client = make_client(base_url=server.bad_tls[kind])
    before = server.mark()
    with pytest.raises(mtoken.TLSError) as failure:
        client.synchronize_time()
    error = failure.value
    assert (error.code, error.reason) == (mtoken.ErrorCode.TLS, "network_sslError")
    assert (error.outcome, error.not_trusted) == (mtoken.Outcome.NOT_SENT, True)
    assert error.http_status is None and error.cause
    assert server.requests(after=before) == []


@pytest.mark.parametrize("kind", ["otherCa", "expired", "wrongName", "selfSigned"])
def test_unsafe_accepts_everything(server: DevServer, make_client: ClientFactory, kind: str) -> None:
    client = make_client(base_url=server.bad_tls[kind], ca_file=None, tls=mtoken.TLS.UNSAFE)
    client.synchronize_time()
    assert client.info().time_synchronized


# Pins


def test_a_wrong_pin(server: DevServer, make_client: ClientFactory) -> None:
    client = make_client(pins=[mtoken.TLSPin(WRONG_PIN)])
    before = server.mark()
    with pytest.raises(mtoken.PinMismatchError) as failure:
        client.synchronize_time()
    assert failure.value.code is mtoken.ErrorCode.PIN_MISMATCH
    assert (failure.value.outcome, failure.value.not_trusted) == (mtoken.Outcome.NOT_SENT, True)
    assert server.requests(after=before) == []


# Addresses


def test_plain_http_must_be_allowed(server: DevServer, make_client: ClientFactory) -> None:
    with pytest.raises(mtoken.ConfigurationError):
        make_client(base_url=server.http_url)
    with pytest.raises(mtoken.ConfigurationError):
        make_client(operations_url=server.http_url)
    client = make_client(base_url=server.http_url, allow_http=True)
    client.synchronize_time()


def test_an_unusable_ca_file(server: DevServer, make_client: ClientFactory, tmp_path: Path) -> None:
    path = tmp_path / "ca.pem"
    text = Path(server.ca_file).read_text()
    contents = [b"", b"no certificate", ssl.PEM_cert_to_DER_cert(text), text.replace("CERTIFICATE", "KEY").encode()]
    for content in [None, *contents]:
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(mtoken.ConfigurationError, match=re.escape(str(path))):
            make_client(ca_file=str(path))
    with pytest.raises(mtoken.ConfigurationError, match=re.escape(str(tmp_path))):
        make_client(ca_file=str(tmp_path))


def test_a_ca_file_counts_as_it_is_now(server: DevServer, make_client: ClientFactory, tmp_path: Path) -> None:
    path, good = tmp_path / "ca.pem", Path(server.ca_file).read_bytes()
    other = Authority(tmp_path).file.read_bytes()
    path.write_bytes(other)
    client = make_client(ca_file=str(path))
    for content in (good, other, good + other, other):
        path.write_bytes(content)
        if content.startswith(good):
            client.synchronize_time()
        else:
            # Not even over the connection that is still open.
            with pytest.raises(mtoken.TLSError) as failure:
                client.synchronize_time()
            assert failure.value.not_trusted and failure.value.outcome is mtoken.Outcome.NOT_SENT


SYSTEM_BUNDLE = """
import pathlib, sys, mtoken
url, configuration, ca, other, bundle = sys.argv[1:]
good, bad, path = pathlib.Path(ca).read_bytes(), pathlib.Path(other).read_bytes(), pathlib.Path(bundle)
options = dict(base_url=url, configuration=configuration, store=mtoken.Store.memory())
with mtoken.Runtime() as runtime, mtoken.Client(runtime, "client", **options) as client:
    for content in (good, bad, good + bad, bad):
        path.write_bytes(content)
        try:
            client.synchronize_time()
            print("trusted")
        except mtoken.TLSError as error:
            print(error.not_trusted)
"""


def test_the_systems_bundle_counts_as_it_is_now(server: DevServer, tmp_path: Path) -> None:
    """In a name space of its own, where a file of the test stands in the place of the bundle."""
    places = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
    bundle = next((place for place in places if Path(place).is_file()), None)
    mine = tmp_path / "bundle.pem"
    mine.write_bytes(b"")
    inside = ["unshare", "-rm", "sh", "-c", f'mount --bind {mine} {bundle} && exec "$@"', "sh"]
    if bundle is None or subprocess.run([*inside, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no bundle, or no name spaces for this user")
    facts = [server.url, server.configuration, server.ca_file, str(Authority(tmp_path).file), bundle]
    done = subprocess.run(
        [*inside, sys.executable, "-c", SYSTEM_BUNDLE, *facts],
        env={**os.environ, "PYTHONPATH": CHILD_PATH},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stdout.split(), done.stderr) == (["trusted", "True", "trusted", "True"], "")


def test_a_relative_ca_file_is_that_of_the_beginning(
    server: DevServer, make_client: ClientFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ca.pem").write_bytes(Path(server.ca_file).read_bytes())
    monkeypatch.chdir(tmp_path)
    client = make_client(ca_file="ca.pem")
    monkeypatch.chdir("/")
    client.synchronize_time()


def test_no_keys_are_written(server: DevServer, tmp_path: Path) -> None:
    """$SSLKEYLOGFILE is for debugging a program of one's own: with it, whoever recorded the traffic could read it."""
    path = tmp_path / "keys"
    script = """
import json, mtoken, sys
facts = json.loads(sys.argv[1])
with mtoken.Runtime() as runtime:
    for options in ({"ca_file": facts["ca"]}, {"tls": mtoken.TLS.UNSAFE}):
        client = mtoken.Client(
            runtime, "a", configuration=facts["configuration"], base_url=facts["url"], store=mtoken.Store.memory(), **options
        )
        client.synchronize_time()
        client.close()
print("done")
"""
    facts = {"configuration": server.configuration, "url": server.url, "ca": server.ca_file}
    environment = {**os.environ, "PYTHONPATH": CHILD_PATH, "SSLKEYLOGFILE": str(path)}
    done = subprocess.run(
        [sys.executable, "-c", script, json.dumps(facts)], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.stdout == "done\n", done.stderr
    assert not path.exists() or path.read_bytes() == b""
