# SPDX-License-Identifier: Apache-2.0
"""`python -m mtoken_devserver`: starts the server and tells where it is."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Callable, Coroutine, Dict, List, Optional, Tuple

from .app import create_app
from .errors import explained
from .listen import Listeners, Port, is_loopback
from .protocol4.suites import SUITES
from .server import Server
from .settings import Settings
from .tls import WRONG_KINDS, Certificates
from .views import application_view


def _arguments(arguments: Optional[List[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m mtoken_devserver",
        description="PowerAuth server and Mobile Token API for development on one machine.",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
    parser.add_argument("--port", type=int, default=0, help="HTTPS port; 0: any free port (default)")
    parser.add_argument(
        "--http-port",
        type=int,
        metavar="PORT",
        help="additional plain HTTP port; 0: any free port, the default where --host is of this machine alone",
    )
    parser.add_argument("--plain", action="store_true", help="serve --port without TLS")
    parser.add_argument("--tls-only", action="store_true", help="no plain HTTP port")
    parser.add_argument(
        "--bad-tls-port",
        type=int,
        metavar="PORT",
        help=f"first of more ports with wrong certificates ({', '.join(WRONG_KINDS)}); 0: any free ports",
    )
    parser.add_argument("--db", metavar="FILE", help="SQLite database file (default: in memory)")
    parser.add_argument("--state-dir", metavar="DIR", help="folder for CA and certificates (default: a temporary one)")
    parser.add_argument(
        "--ready-file", metavar="FILE", help="JSON file with the addresses, written when the server listens"
    )
    parser.add_argument(
        "--app-name", default="demo", help="application to create if it does not exist (default %(default)s)"
    )
    parser.add_argument("--suite", choices=list(SUITES), help="protocol 4.0 for that application, in this suite")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="additional host name for the admin API and console, besides localhost, --host and any address",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="settings",
        help="default of a setting, for example serverVersion=2.0.0",
    )
    parser.add_argument("--json", action="store_true", help="print the addresses as one line of JSON")
    parser.add_argument("--exit-with-parent", action="store_true", help="exit when standard input is closed")
    parser.add_argument(
        "--log-level",
        choices=["debug", "info", "warning", "error"],
        help="default: warning, which logs why each request was refused; with --json: error",
    )
    options = parser.parse_args(arguments)
    try:
        options.settings = Settings.model_validate(dict(_setting(text) for text in options.settings))
    except ValueError as error:
        parser.error(explained(error))
    if options.tls_only and (options.plain or options.http_port is not None):
        parser.error("--tls-only excludes --plain and --http-port")
    if options.http_port is None and not (options.plain or options.tls_only) and is_loopback(options.host):
        options.http_port = 0
    # A program asks for JSON, and may leave standard error unread until its pipe is full.
    options.log_level = options.log_level or ("error" if options.json else "warning")
    return options


def _setting(text: str) -> Tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator:
        raise ValueError(f"{text} must be NAME=VALUE")
    return name, value


def _write_atomically(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


def _human(facts: Dict[str, Any]) -> str:
    lines = [
        ("Server", facts["httpUrl"] or facts["url"]),
        ("Server, HTTPS", facts["url"] if facts["httpUrl"] and facts["caFile"] else None),
        ("Console", facts["consoleUrl"]),
        ("Admin API", facts["adminUrl"]),
        ("CA file", facts["caFile"]),
        ("Application", facts["application"]["applicationId"]),
        ("SDK configuration", facts["application"]["sdkConfig"]),
    ]
    lines += [(f"Wrong TLS, {kind}", url) for kind, url in facts["badTls"].items()]
    return "\n".join(f"{name + ':':<22}{value}" for name, value in lines if value)


def _end(exit_with_parent: bool) -> asyncio.Event:
    """Set by SIGTERM or SIGINT, or when standard input ends. Needed before the server announces itself."""
    loop = asyncio.get_running_loop()
    end = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end.set)
    if exit_with_parent:

        def watch() -> None:
            while sys.stdin.buffer.read(4096):
                pass
            loop.call_soon_threadsafe(end.set)

        threading.Thread(target=watch, name="stdin", daemon=True).start()
    return end


async def _run(options: argparse.Namespace, state_dir: Path) -> None:
    server = Server(options.db, options.settings)
    application = server.applications.get(options.app_name)
    if application is None:
        with server.transaction():
            application = server.create_application(options.app_name, options.suite)
    certificates = Certificates(state_dir, options.host)
    ports = [Port.bind(options.host, options.port, None if options.plain else certificates.server_files)]
    http_port = None
    if options.http_port is not None:
        http_port = Port.bind(options.host, options.http_port, None)
        ports.append(http_port)
    wrong: Dict[str, Port] = {}
    if options.bad_tls_port is not None:
        for offset, (kind, files) in enumerate(certificates.wrong().items()):
            number = options.bad_tls_port + offset if options.bad_tls_port else 0
            wrong[kind] = Port.bind(options.host, number, files)
        ports += wrong.values()
    server.ca_file = None if options.plain else str(certificates.ca_file.resolve())
    listeners = Listeners(create_app(server, [options.host, *options.allow_host]), server.connections, ports)
    await listeners.start()
    url = server.url = ports[0].url(options.host)
    http_url = http_port.url(options.host) if http_port else url if options.plain else None
    facts = {
        "url": url,
        "httpUrl": http_url,
        "adminUrl": f"{http_url or url}/admin",
        "consoleUrl": f"{http_url or url}/console",
        "caFile": server.ca_file,
        "serverSpkiSha256": certificates.server.spki_sha256,
        "badTls": {kind: port.url(options.host) for kind, port in wrong.items()},
        "application": application_view(server, application),
        "pid": os.getpid(),
    }
    end = _end(options.exit_with_parent)
    text = json.dumps(facts)
    if options.ready_file:
        _write_atomically(Path(options.ready_file), text + "\n")
    print(text if options.json else _human(facts), flush=True)
    try:
        await end.wait()
    finally:
        await listeners.stop()
        server.close()


def _event_loop_runner() -> Callable[[Coroutine[Any, Any, None]], None]:
    """The faster event loop where it is installed."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run
    return uvloop.run


def main(arguments: Optional[List[str]] = None) -> None:
    options = _arguments(arguments)
    logging.basicConfig(
        level=options.log_level.upper(), stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s"
    )
    with tempfile.TemporaryDirectory(prefix="mtoken-devserver-") as temporary:
        try:
            _event_loop_runner()(_run(options, Path(options.state_dir or temporary)))
        except OSError as error:
            sys.exit(f"mtoken_devserver: {error}")


if __name__ == "__main__":
    main()
