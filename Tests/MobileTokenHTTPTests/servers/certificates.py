"""Makes the certificates for the transport's tests in a directory, with the openssl command.

For each NAME there are NAME.pem and NAME.key; NAME.pin has the Base64 SHA-256 of the public key.
"""

import base64
import hashlib
import pathlib
import subprocess
import sys
from typing import Any

CONFIG = """
[ca]
default_ca = default
[default]
database = {directory}/{name}.index
new_certs_dir = {directory}/{name}.new
rand_serial = yes
default_md = sha256
policy = any
[any]
commonName = supplied
[request]
distinguished_name = empty
[empty]
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
[server]
basicConstraints = CA:false
extendedKeyUsage = serverAuth
subjectAltName = {names}
"""

LOCAL = "DNS:localhost, DNS:bank.test, IP:127.0.0.1, IP:::1"
VALID = ("20200101000000Z", "20491231235959Z")


def openssl(*arguments: Any) -> Any:
    return subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True).stdout


def make(directory: Any, name: Any, issuer: Any, names: Any = LOCAL, dates: Any = VALID) -> None:
    config = directory / f"{name}.cnf"
    config.write_text(CONFIG.format(directory=directory, name=name, names=names))
    (directory / f"{name}.index").write_text("")
    (directory / f"{name}.new").mkdir()
    key, request, certificate = (directory / f"{name}.{kind}" for kind in ("key", "csr", "pem"))
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key)
    openssl(
        "req",
        "-new",
        "-key",
        key,
        "-subj",
        f"/CN=mtoken test {name}",
        "-config",
        config,
        "-section",
        "request",
        "-out",
        request,
    )
    signer = (
        ["-selfsign", "-keyfile", key]
        if issuer is None
        else ["-keyfile", directory / f"{issuer}.key", "-cert", directory / f"{issuer}.pem"]
    )
    openssl(
        "ca",
        "-batch",
        "-notext",
        "-config",
        config,
        "-in",
        request,
        "-out",
        certificate,
        "-startdate",
        dates[0],
        "-enddate",
        dates[1],
        "-extensions",
        "root" if name.endswith("ca") else "server",
        *signer,
    )
    public = openssl("pkey", "-in", key, "-pubout", "-outform", "DER")
    (directory / f"{name}.pin").write_text(base64.b64encode(hashlib.sha256(public).digest()).decode())


def main(directory: Any) -> None:
    make(directory, "ca", None)
    make(directory, "otherca", None)
    make(directory, "good", "ca")
    make(directory, "untrusted", "otherca")
    make(directory, "expired", "ca", dates=("20200101000000Z", "20200201000000Z"))
    make(directory, "notyet", "ca", dates=("20480101000000Z", "20491231235959Z"))
    make(directory, "wronghost", "ca", names="DNS:other.example")
    make(directory, "selfsigned", None)
    print("ready", flush=True)


main(pathlib.Path(sys.argv[1]))
