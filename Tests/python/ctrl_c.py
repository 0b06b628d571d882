"""Programs that a test interrupts."""

import signal


def listen_to_ctrl_c() -> None:
    """A shell lets its background processes, and what they start, ignore Ctrl-C: these here must not."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
