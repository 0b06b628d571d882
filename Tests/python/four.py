"""Devices of protocol 4.0: an application for each suite, and what the suites need of OpenSSL."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from typing import Any, Dict, Tuple

import mtoken
import pytest
from conftest import Device, DeviceFactory
from devserver import DevServer

SUITES = {"EC_P384": mtoken.Suite.EC_P384, "L3": mtoken.Suite.EC_P384_ML_L3, "L5": mtoken.Suite.EC_P384_ML_L5}
NAMES = {"EC_P384": "EC_P384", "L3": "EC_P384_ML_L3", "L5": "EC_P384_ML_L5"}


def application(server: DevServer, suite: str) -> Tuple[str, str]:
    """The identifier and configuration of an application of this suite, which is made if it is new."""
    name = f"four-{suite}"
    known = server.admin("GET", "/applications")["applications"]
    for found in known:
        if found["applicationId"] == name:
            return name, str(found["sdkConfig"])
    made = server.admin("POST", "/applications", {"applicationId": name, "suite": NAMES[suite]})
    return name, str(made["sdkConfig"])


@cache
def has_post_quantum() -> bool:
    """Whether the OpenSSL that this process runs with has ML-KEM and ML-DSA."""
    script = "import ctypes; c = ctypes.CDLL('libcrypto.so.3'); c.OpenSSL_version_num.restype = ctypes.c_ulong; print(c.OpenSSL_version_num())"
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    return int(found.stdout) >= 0x30500000


def need(suite: str) -> None:
    """Skips a test of a hybrid suite where OpenSSL cannot have it."""
    if suite != "EC_P384" and not has_post_quantum():
        pytest.skip("not run: this OpenSSL is older than 3.5 and has no ML-KEM and ML-DSA")


def four(make_device: DeviceFactory, server: DevServer, suite: str = "EC_P384", **options: Any) -> Device:
    """An activated device of protocol 4.0."""
    need(suite)
    name, configuration = application(server, suite)
    activation = {"applicationId": name, **options.pop("activation", {})}
    return make_device(configuration=configuration, activation=activation, **options)


def keys(server: DevServer, device: Device) -> Dict[str, Any]:
    """All keys of the activation, as the server has them."""
    return server.admin("GET", f"/activations/{device.activation_id}/keys")


def can_sign(device: Device, auth: mtoken.Auth) -> bool:
    """Whether the server accepts this device's next code."""
    header = device.client.sign("POST", "/pa/auth/validate", b"{}", auth)
    accepted = device.server.send("POST", "/pa/v4/auth/validate", b"{}", dict([header])).status == 200
    if accepted:
        device.client.signature_accepted()
    return accepted
