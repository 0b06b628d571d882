"""What each endpoint answers to a request that lacks something or does not open: one table for all protocols."""

from __future__ import annotations

import json
import uuid
from typing import Any, Dict, List, Optional, Tuple

import pytest
from client import dec, enc
from client4 import Exchange
from test_protocol4 import PIN
from test_upgrade import Upgrade

COLUMNS = ("no header", "other scope", "forgotten key", "wrong MAC", "replay", "old time")
TABLE = """
3.x | activation/create  | ACTIVATION | ACTIVATION         | ACTIVATION   | ACTIVATION   | ACTIVATION*  | 200
3.x | user/info          | ENCRYPTION | ENCRYPTION         | ENCRYPTION   | ENCRYPTION   | ENCRYPTION   | 200
3.x | /api/config/oidc   | ENCRYPTION | ENCRYPTION         | ENCRYPTION   | ENCRYPTION   | ENCRYPTION   | 200
3.x | activation/detail  | empty      | empty              | empty        | empty        | empty        | 200
3.x | activation/rename  | 401        | ACTIVATION         | ACTIVATION   | ACTIVATION   | ACTIVATION   | 200
3.x | token/create       | 401        | 401 +1             | 401 +1       | 401 +1       | 401 +1       | 200
3.x | vault/unlock       | 401        | SECURE_VAULT       | SECURE_VAULT | SECURE_VAULT | SECURE_VAULT | 200
3.x | recovery/confirm   | 401        | 401 +1             | 401 +1       | 401 +1       | 401 +1       | 200
3.x | signature/validate | 401        | –                  | –            | –            | 401 !        | –
3.x | token/remove       | 401        | –                  | –            | –            | 401          | –
3.x | activation/remove  | 500        | –                  | –            | –            | 401          | –
4.0 | activation/create  | ACTIVATION
4.0 | activation/status  | ACTIVATION
4.0 | user/info          | ENCRYPTION
4.0 | config/application | ENCRYPTION
4.0 | config/activation  | ENCRYPTION
4.0 | activation/detail  | empty
4.0 | activation/rename  | 401        | ENCRYPTION
4.0 | token/create       | 401        | 401 +1
4.0 | vault/unlock       | 401        | SECURE_VAULT
4.0 | password/change    | 401        | PASSWORD_CHANGE +1
4.0 | biometry/add       | 401        | BIOMETRY +1
4.0 | upgrade/start      | UPGRADE +1
4.0 | auth/validate      | 401        | –                  | –            | –            | 401 !        | –
4.0 | activation/confirm | 401        | –                  | –            | –            | 401 !        | –
4.0 | biometry/remove    | 401        | –                  | –            | –            | 401          | –
4.0 | token/remove       | 401        | –                  | –            | –            | 401          | –
4.0 | activation/remove  | 500        | –                  | –            | –            | 401          | –
"""
"""`X` is 400 `ERR_X`, `empty` a 200 without a body; `+1`: the counter has moved, `!`: an attempt was counted. The last
cell of a line is that of all columns that follow.
"""

NONE, ACCEPTED = "–", "200"
OLDER: Dict[str, Dict[str, str]] = {
    "3.0": {"forgotten key": NONE, "replay": ACCEPTED, "old time": NONE},
    "3.1": {"forgotten key": NONE, "replay": ACCEPTED, "old time": NONE},
    "3.2": {"forgotten key": NONE},
    "3.3": {},
}
"""Where a version of 3.x differs for want of keys, nonces or times; not in cells with a `*`, nor of plain bodies."""

PLAIN = {"signature/validate", "auth/validate", "token/remove", "activation/remove", "activation/confirm"}
PLAIN |= {"biometry/remove"}
APPLICATION = {"activation/create", "/api/config/oidc", "config/application", "upgrade/start"}
BY_HEADER = {"user/info", "activation/status", "config/activation"} | APPLICATION - {"upgrade/start"}
FACTORS = {"token/create": "possession", "token/remove": "possession", "biometry/remove": "possession"}


def rows() -> List[Tuple[str, str, Dict[str, str]]]:
    found = []
    for line in TABLE.strip().splitlines():
        protocol, endpoint, *cells = (cell.strip() for cell in line.split("|"))
        cells += cells[-1:] * (len(COLUMNS) - len(cells))
        for version in OLDER if protocol == "3.x" else (protocol,):
            older = OLDER.get(version, {}) if endpoint not in PLAIN else {}
            row = {
                column: cell if cell.endswith("*") else older.get(column, cell) for column, cell in zip(COLUMNS, cells)
            }
            found.append((version, endpoint, row))
    return found


class Caller:
    """One device that calls one endpoint, rightly or with the fault of a column."""

    def __init__(self, device: Any, admin: Any, user: str, endpoint: str, upgrade: Optional[Upgrade]) -> None:
        self.device, self.admin, self.user, self.endpoint, self.upgrade = device, admin, user, endpoint, upgrade
        self.signer = upgrade.old if upgrade else device
        folder = "v4" if device.version == "4.0" else "v3"
        self.path = endpoint if endpoint.startswith("/") else f"/pa/{folder}/{endpoint}"
        self.token = device.create_token(PIN) if endpoint == "activation/detail" else None
        self.scope = endpoint not in APPLICATION
        device.temporary.clear()

    def plaintext(self) -> bytes:
        return json.dumps(getattr(self, self.endpoint.strip("/").replace("/", "_"), dict)()).encode()

    def activation_create(self) -> Any:
        device = self.device
        application = device.suite if device.version == "4.0" else None
        record = self.admin.post("/activations", {"userId": self.user, "applicationId": application})
        if application:
            layer = {"sharedSecretRequest": Exchange(device.suite).request, "devicePublicKeys": device.device_keys()}
        else:
            layer = {"devicePublicKey": enc(device.encoded(device.device_key.public_key()))}
        inner = device.encrypt(json.dumps(layer).encode(), "/pa/activation", False)
        identity = {"code": record["activationCode"]}
        return {"type": "CODE", "identityAttributes": identity, "activationData": inner.body}

    def api_config_oidc(self) -> Any:
        provider = {
            "clientId": "c",
            "clientSecret": "s",
            "issuerUri": "https://x.test",
            "redirectUri": "https://y.test",
        }
        self.admin.put("/applications/demo/oidc/table", provider)
        return {"providerId": "table"}

    def activation_rename(self) -> Any:
        return {"activationName": "desk"}

    def recovery_confirm(self) -> Any:
        return {"recoveryCode": self.admin.post("/recovery-codes", {"userId": self.user})["recoveryCode"]}

    def vault_unlock(self) -> Any:
        return {"keyIdentifier": "KDK_APP_VAULT_2FA"} if self.device.version == "4.0" else {}

    def password_change(self) -> Any:
        return Exchange(self.device.suite).request

    biometry_add = password_change

    def upgrade_start(self) -> Any:
        return {
            "sharedSecretRequest": Exchange(self.device.suite).request,
            "devicePublicKeys": self.device.device_keys(),
        }

    def send(self, column: str) -> Any:
        """The last answer, and whether counter and attempts have moved with it."""
        device, endpoint = self.device, self.endpoint
        if endpoint in PLAIN:
            plain = content = b'{"requestObject":{"tokenId":"x"}}'
        else:
            plain = self.plaintext()
            content = self.envelope(plain, column)
        if column == "forgotten key":
            self.admin.delete("/temporary-keys")
        headers = self.headers(plain, content, column)
        if column == "replay":
            assert device.raw(self.path, content, headers).status_code == 200
            headers = headers if endpoint in PLAIN else self.headers(plain, content, column)
        before = self.counted()
        answer = device.raw(self.path, content, headers)
        return answer, tuple(now - then for now, then in zip(self.counted(), before))

    def envelope(self, plain: bytes, column: str) -> bytes:
        device, scope = self.device, self.scope ^ (column == "other scope" and self.upgrade is None)
        info = f"/pa/{self.endpoint}"
        if self.endpoint in BY_HEADER or self.endpoint in ("activation/detail", "activation/rename"):
            info = f"/pa/generic/{'activation' if scope else 'application'}"
        device.clock_offset = -3_600_000 if column == "old time" else 0
        body = device.encrypt(plain, info, scope).body
        device.clock_offset = 0
        if column == "wrong MAC":
            name = "mac" if "mac" in body else "encryptedData"
            sealed = bytearray(dec(body[name]))
            sealed[12] ^= 1
            body[name] = enc(bytes(sealed))
        return json.dumps(body).encode()

    def headers(self, plain: bytes, content: bytes, column: str) -> Dict[str, str]:
        device, endpoint = self.device, self.endpoint
        encryption = {} if column == "no header" else device.encryption_header(self.scope ^ (column == "other scope"))
        if endpoint in BY_HEADER:
            return encryption
        if self.token is not None:
            return {**device.token_header(self.token), **encryption}
        signed = plain if endpoint == "activation/rename" else content
        authorization = self.signer.signature_header(FACTORS.get(endpoint, PIN), f"/pa/{endpoint}", signed)
        if endpoint == "upgrade/start":
            return {**authorization, **encryption}
        return {} if column == "no header" else authorization

    def counted(self) -> Tuple[int, int]:
        seen = self.admin.activation(self.signer)
        return seen["counter"], seen["failedAttempts"]


@pytest.mark.parametrize("version,endpoint,row", rows(), ids=lambda value: value if isinstance(value, str) else "")
def test_refused_requests(
    new_device: Any, new_device4: Any, http: Any, admin: Any, user: Any, version: Any, endpoint: Any, row: Any
) -> None:
    admin.patch("/config", {"serverVersion": "1.10.0", "activationValidityMs": 10**9})
    upgrade = Upgrade(http, admin, str(uuid.uuid4())) if endpoint == "upgrade/start" else None
    found = {}
    for column, cell in row.items():
        if cell == NONE:
            found[column] = NONE
            continue
        if upgrade is not None:
            device = upgrade.new
        elif version == "4.0":
            device = new_device4(confirm=endpoint != "activation/confirm")
        else:
            device = new_device(version)
        caller = Caller(device, admin, user, endpoint, upgrade)
        if column != "replay" and endpoint not in ("activation/remove", "activation/confirm"):
            answer, moved = caller.send("nothing")
            assert answer.status_code == 200 and answer.content and moved[1] == 0, answer.text
        answer, (steps, attempts) = caller.send(column)
        if answer.status_code == 400:
            found[column] = answer.json()["responseObject"]["code"].removeprefix("ERR_")
        else:
            found[column] = str(answer.status_code) if answer.content else "empty"
        if answer.status_code != 200:
            found[column] += (" +1" if steps else "") + (" !" if attempts else "")
    assert found == {column: cell.rstrip("*") for column, cell in row.items()}
