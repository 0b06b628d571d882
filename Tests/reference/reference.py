"""The same client with the habits of upstream's reference client, wherever they differ from libmtoken's
(released-servers.md §9).

What a server demands beyond the protocol shows here: upstream's client could once not do a single step in 3.3 against a
server that wanted a `typ` in a header.
"""

from __future__ import annotations

import time
from typing import Any, Dict, Optional, Tuple

from client import Device, Envelope


class Reference(Device):
    """65-byte keys, a temporary key for each request, the version last in headers, and nothing sent that
    is optional.
    """

    def __init__(self, http: Any, sdk_config: str, version: str = "3.3") -> None:
        super().__init__(http, sdk_config, version)
        self.compressed_keys = False

    def key_store_token(self, claims: Dict[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
        now = int(time.time())
        return {"alg": "HS256"}, {**claims, "iat": now, "exp": now + 300}

    def encrypt(self, plain: bytes, info: str, activation_scope: bool, **options: Any) -> Envelope:
        # Both layers of an activation go with one key, which the inner one fetches.
        if info != "/pa/generic/application" or activation_scope:
            self.temporary.pop(activation_scope, None)
        return super().encrypt(plain, info, activation_scope, **options)

    def encryption_header(self, activation_scope: bool) -> Dict[str, str]:
        parts = [f'application_key="{self.sdk.key}"']
        if activation_scope:
            parts.insert(0, f'activation_id="{self.activation_id}"')
        return {"X-PowerAuth-Encryption": f'PowerAuth {", ".join(parts)}, version="{self.version}"'}

    def activate(
        self,
        kind: str,
        identity: Dict[str, Any],
        *,
        layer2: Optional[Dict[str, Any]] = None,
        custom: Optional[Dict[str, Any]] = None,
    ) -> Dict[str, Any]:
        device = {"platform": "unknown", "deviceInfo": "backend-tests", "activationOtp": None, "extras": None}
        return super().activate(kind, identity, layer2={**device, **(layer2 or {})}, custom=custom or {})

    def remove(self) -> Any:
        """No body at all."""
        header = self.signature_header("possession_knowledge", "/pa/activation/remove", b"")
        return self.send("/pa/v3/activation/remove", b"", header)

    def unlock(self) -> Any:
        """No reason."""
        names = ("/pa/v3/vault/unlock", "/pa/vault/unlock", "/pa/vault/unlock")
        return self.call_encrypted_signed(*names, "possession_knowledge", {})
