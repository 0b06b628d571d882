"""Devices of protocol 4.0: an application for each suite, and what the suites need of OpenSSL."""

from __future__ import annotations

from typing import Any, Dict

import mtoken
import pytest
from conftest import Device, DeviceFactory
from devserver import DevServer
from suites import NAMES, application, has_post_quantum

__all__ = ["NAMES", "SUITES", "application", "device4", "has_post_quantum", "keys", "need"]

SUITES = {"EC_P384": mtoken.Suite.EC_P384, "L3": mtoken.Suite.EC_P384_ML_L3, "L5": mtoken.Suite.EC_P384_ML_L5}


def need(suite: str) -> None:
    """Skips a test of a hybrid suite where OpenSSL cannot have it."""
    if suite != "EC_P384" and not has_post_quantum():
        pytest.skip("not run: this OpenSSL is older than 3.5 and has no ML-KEM and ML-DSA")


def device4(make_device: DeviceFactory, server: DevServer, suite: str = "EC_P384", **options: Any) -> Device:
    """An activated device of protocol 4.0."""
    need(suite)
    name, configuration = application(server, suite)
    activation = {"applicationId": name, **options.pop("activation", {})}
    return make_device(configuration=configuration, activation=activation, **options)


def keys(server: DevServer, device: Device) -> Dict[str, Any]:
    """All keys of the activation, as the server has them."""
    return server.admin("GET", f"/activations/{device.activation_id}/keys")
