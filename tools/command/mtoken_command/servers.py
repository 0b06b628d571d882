# SPDX-License-Identifier: Apache-2.0
"""The servers that the command accepts: https anywhere, plain http only on this machine."""

from __future__ import annotations

import re
from ipaddress import IPv4Network, IPv6Address, ip_address
from urllib.parse import urlsplit

from .profiles import Profile, ProfileError

_LOOPBACK = IPv4Network("127.0.0.0/8")


def check(profile: Profile) -> None:
    """Raises a ProfileError for a plain http server, unless it is this machine."""
    for url in _urls(profile):
        if not _is_https(url) and not is_plain_loopback(url):
            raise ProfileError(
                f"the server must be https ({url}): plain http is for this machine only,"
                " http://localhost, http://127.0.0.1 or http://[::1]"
            )


def has_plain_http(profile: Profile) -> bool:
    """Whether a checked profile has a plain http server on this machine."""
    return any(not _is_https(url) for url in _urls(profile))


def is_plain_loopback(url: str) -> bool:
    """Whether a URL is plain http of a host that is this machine's loopback interface.

    Programs differ in how they read odd URLs, so nothing odd is one: the host and the port alone, as they are usually
    written, must be all that stands between http:// and the path.
    """
    if not re.fullmatch(r"[^\\?#\s]+", url, re.ASCII) or not url.isascii() or not url.isprintable():
        return False
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    shown = f"[{host}]" if ":" in host else host
    usual = shown if port is None else f"{shown}:{port}"
    return parts.scheme == "http" and parts.netloc.lower() == usual and _is_loopback(host)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address == IPv6Address("::1") if isinstance(address, IPv6Address) else address in _LOOPBACK


def _is_https(url: str) -> bool:
    return url[:8].lower() == "https://"


def _urls(profile: Profile) -> list[str]:
    return [profile.server] if profile.operations_server is None else [profile.server, profile.operations_server]
