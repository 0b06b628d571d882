"""Starts `mtoken` without loading Python's packages each time, which is most of what a start costs.

A process that has them loaded waits for orders, and forks for each: the command is a process of its own, with the arguments,
the environment and the descriptors that it is given.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import uuid
from typing import Dict, List, Sequence, Tuple

PLACE = 500
"""Descriptors that come in go here first, where none is that the command is to have."""


@functools.lru_cache
def waiting(path: str) -> Tuple[str, subprocess.Popen[bytes]]:
    """A process that waits for orders, and its address: one for each search path of modules."""
    address = f"mtoken-{os.getpid()}-{uuid.uuid4()}"
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, __file__, address]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"ready\n"
    return address, process


def run(
    arguments: Sequence[str], environment: Dict[str, str], text: str, descriptors: List[int], timeout: float
) -> subprocess.CompletedProcess[str]:
    """What `subprocess.run` gives for `python -m mtoken_command` with these arguments; the descriptors keep their numbers."""
    reading, writing = os.pipe()
    with contextlib.ExitStack() as stack:
        outputs = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(2)]
        connection = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
        connection.settimeout(timeout)
        connection.connect("\0" + waiting(environment["PYTHONPATH"])[0])
        order = {"arguments": list(arguments), "environment": environment, "descriptors": [0, 1, 2, *descriptors]}
        handed = [reading, *(output.fileno() for output in outputs), *descriptors]
        socket.send_fds(connection, [json.dumps(order).encode()], handed)
        os.close(reading)
        with contextlib.suppress(BrokenPipeError), open(writing, "wb") as file:
            file.write(text.encode())
        process = int(connection.recv(100))
        try:
            code = int(connection.recv(100))
        except socket.timeout:
            os.kill(process, signal.SIGKILL)
            raise
        said = []
        for output in outputs:
            output.seek(0)
            said.append(output.read().decode())
    return subprocess.CompletedProcess(["mtoken", *arguments], code, *said)


def wait_for_orders(address: str) -> socket.socket:
    """Returns in a child of this process for each order; ends with the process that has started this one."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind("\0" + address)
        listener.listen(100)
        print("ready", flush=True)
        while True:
            readable, _, _ = select.select([listener.fileno(), 0], [], [])
            if 0 in readable:
                os._exit(0)
            connection, _ = listener.accept()
            if os.fork() == 0:
                return connection
            connection.close()


def become_the_command(connection: socket.socket) -> None:
    """Returns in the process that is the command; the one between tells how it has ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    message, descriptors, _, _ = socket.recv_fds(connection, 1 << 20, 20)
    order = json.loads(message)
    child = os.fork()
    if child:
        connection.send(str(child).encode())
        for descriptor in descriptors:
            os.close(descriptor)
        _, status = os.waitpid(child, 0)
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)
    connection.close()
    moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, PLACE) for descriptor in descriptors]
    for descriptor in descriptors:
        os.close(descriptor)
    for descriptor, number in zip(moved, order["descriptors"]):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.argv = ["mtoken", *order["arguments"]]


if __name__ == "__main__":
    # The command's own modules are loaded by each: what they find in the environment is theirs.
    from mtoken_command import register

    register()
    with contextlib.suppress(ImportError):  # newer versions load it with the first command
        import typer._adapters  # noqa: F401
    for name in [name for name in sys.modules if name.startswith("mtoken_command")]:
        del sys.modules[name]
    gc.freeze()
    become_the_command(wait_for_orders(sys.argv[1]))
    sys.path.pop(0)
    runpy.run_module("mtoken_command", run_name="__main__", alter_sys=True)
