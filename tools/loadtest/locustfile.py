# SPDX-License-Identifier: Apache-2.0
"""Locust users that are mobile tokens: each activates a device once, then looks for operations and approves them.

    locust -f locustfile.py --headless --users 2000 --spawn-rate 40 --run-time 5m

The bank is named by the environment: MTOKEN_SERVER, MTOKEN_CONFIG (the SDK configuration), MTOKEN_CA (PEM file, if the
system does not trust the server) and MTOKEN_ADMIN (the dev server's admin API: where codes and operations come from).
At a bank's own system replace the class Bank by calls of the bank's back end. MTOKEN_POLL_SECONDS is the time between
two looks of a device (30), MTOKEN_APPROVE_EVERY after how many looks the bank asks it for an approval (10). With
MTOKEN_METRICS=host:port there are figures for Prometheus. Every other device is activated in two steps, the second of
which is the bank's.
"""

from __future__ import annotations

import itertools
import os
import socket
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

import gevent
import locust.runners
from locust import User, constant_pacing, events, task

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))

import mtoken
from bank import Bank
from devices import Devices
from locust.runners import MasterRunner, WorkerRunner
from metrics import serve
from results import WAITS

PIN = "2468"
WAIT_SECONDS = 0.1
PAYMENT = {"amount": "1250.50", "currency": "EUR", "iban": "CZ5508000000001234567899", "note": "Rent for May"}

server, configuration, admin = (os.environ[f"MTOKEN_{name}"] for name in ("SERVER", "CONFIG", "ADMIN"))
ca = os.environ.get("MTOKEN_CA")
poll_seconds = float(os.environ.get("MTOKEN_POLL_SECONDS", "30"))
approve_every = int(os.environ.get("MTOKEN_APPROVE_EVERY", "10"))
bank = Bank(admin, ca)
devices = Devices()
# Locust drops a worker that is silent for three seconds, which it is while others have its processor.
locust.runners.HEARTBEAT_LIVENESS = 60
numbers = itertools.count(1)


@events.init.add_listener  # type: ignore[untyped-decorator]
def _figures(environment: Any, **others: Any) -> None:
    """The master has the figures of all workers."""
    place = os.environ.get("MTOKEN_METRICS")
    if place and not isinstance(environment.runner, WorkerRunner):
        host, _, port = place.rpartition(":")
        environment.mtoken_metrics = serve(environment.runner, host, int(port))


@events.test_start.add_listener  # type: ignore[untyped-decorator]
def _own_waits(environment: Any, **others: Any) -> None:
    """Measures how much later than wanted this process runs a greenlet: such a wait is in each latency."""
    if not isinstance(environment.runner, MasterRunner):
        gevent.spawn(_wait_again)


def _wait_again() -> None:
    while True:
        started = time.perf_counter()
        gevent.sleep(WAIT_SECONDS)
        late = max(0.0, time.perf_counter() - started - WAIT_SECONDS) * 1000
        events.request.fire(  # type: ignore[no-untyped-call]
            request_type="client", name=WAITS, response_time=late, response_length=0, exception=None, context={}
        )


@contextmanager
def measured(name: str) -> Iterator[None]:
    """Reports how long a step took, and whether it failed, to Locust."""
    started = time.perf_counter()
    failure = None
    try:
        yield
    except mtoken.MTokenError as error:
        failure = error
    milliseconds = (time.perf_counter() - started) * 1000
    events.request.fire(  # type: ignore[no-untyped-call]
        request_type="device", name=name, response_time=milliseconds, response_length=0, exception=failure, context={}
    )
    if failure is not None:
        raise failure


class Device(User):
    """A device of a user of its own."""

    wait_time = constant_pacing(poll_seconds)

    def on_start(self) -> None:
        """Activates. A device that fails to activate is stopped: Locust counts the failure."""
        number = next(numbers)
        self.name = f"load-{os.getpid()}-{number}-{socket.gethostname()}"
        self.looks = number % approve_every  # spreads the load
        two_steps = number % 2 == 0
        activation = {"userId": self.name, "commitPhase": "ON_COMMIT" if two_steps else "ON_KEY_EXCHANGE"}
        code = bank.call("POST", "/activations", activation)["activationCode"]
        self.client = mtoken.Client(
            devices.runtime, self.name, configuration=configuration, base_url=server, ca_file=ca, store=devices.store,
            timeout=60,
        )  # fmt: skip
        self.auth = mtoken.Auth.pin(PIN)
        with measured("activate"):
            activated = devices.result(self.client.start_activate(code, name="load test"))
            self.client.persist(PIN)
        if two_steps:
            gevent.spawn_later(1, bank.commit, activated.activation_id, activated.fingerprint)
        with measured("confirm"):
            devices.result(self.client.start_wait_active(limit=60))

    @task
    def look(self) -> None:
        """Lists operations; approves one if there is any."""
        self.looks += 1
        if self.looks % approve_every == 0:
            bank.call(
                "POST", "/operations", {"userId": self.name, "template": "authorize_payment", "parameters": PAYMENT}
            )
        with measured("list"):
            operations = devices.result(self.client.operations.start_list())
        for operation in operations:
            with measured("approve"):
                devices.result(self.client.operations.start_authorize(operation, self.auth))

    def on_stop(self) -> None:
        """Frees the device."""
        self.client.close()
