"""Where the system keeps the certificates that it trusts.

The libcurl of a wheel was built on one distribution and looks where that one keeps them; the wheel runs on many. A
library of the system's own knows its place, and is left alone.
"""

from __future__ import annotations

import os
from typing import Optional

PLACES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Ubuntu, Arch, Gentoo, Nix
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora, Red Hat
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  # Fedora, Red Hat, Amazon
    "/etc/ssl/ca-bundle.pem",  # SUSE
    "/etc/ssl/cert.pem",  # Alpine, OpenWrt
)


def bundle() -> Optional[str]:
    """The system's file of trusted certificates; None: there is none at a known place.

    SSL_CERT_FILE comes first, as everywhere with OpenSSL, then the usual places, then what Python itself uses.
    """
    chosen = os.environ.get("SSL_CERT_FILE")
    if chosen:
        return chosen
    for path in PLACES:
        if os.path.isfile(path):
            return path
    import ssl  # brings an OpenSSL of its own into the process

    path = ssl.get_default_verify_paths().cafile or ""
    return path if os.path.isfile(path) else None
