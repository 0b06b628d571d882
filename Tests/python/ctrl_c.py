"""Programs that a test interrupts."""

import signal

import pexpect


def listen_to_ctrl_c() -> None:
    """A shell's background processes and their children ignore Ctrl-C; these must not."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def ctrl_c_at_a_question(terminal: "pexpect.spawn[str]") -> None:
    """Until the program ends, as a person does: CPython notices a signal that comes between its last look and the read of a line
    only at the next one."""
    for _ in range(10):
        terminal.sendcontrol("c")
        if terminal.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=30) == 0:
            return
    raise AssertionError(f"Ctrl-C does not end it: {terminal.buffer!r}")
