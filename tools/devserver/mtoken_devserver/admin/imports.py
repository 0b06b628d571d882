# SPDX-License-Identifier: Apache-2.0
"""Admin API: records with keys of another server's making, so that recorded exchanges can be replayed here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional

from fastapi import APIRouter
from pydantic import Field

from .. import crypto, errors, model, recovery
from ..model import Activation, Application, ApplicationVersion, RecoveryCode, TemporaryKey, Token
from ..views import activation_view, application_view, recovery_view
from . import common

if TYPE_CHECKING:
    from ..server import Server


class ImportedVersion(common.Body):
    name: str = "default"
    appKey: str
    appSecret: str


class ImportedApplication(common.Body):
    applicationId: str = Field(min_length=1)
    masterPrivateKey: str = Field(description="Base64 of the number, like all private keys")
    versions: List[ImportedVersion] = Field(min_length=1)


class ImportedActivation(common.Body):
    """With a code and no keys it waits for its key exchange."""

    activationId: str
    userId: str = Field(min_length=1)
    applicationId: Optional[str] = None
    state: Literal["CREATED", "PENDING_COMMIT", "ACTIVE", "BLOCKED", "REMOVED"] = "ACTIVE"
    activationCode: Optional[str] = None
    serverPrivateKey: Optional[str] = None
    devicePublicKey: Optional[str] = None
    ctrData: Optional[str] = None
    counter: int = Field(default=0, ge=0)
    failedAttempts: int = Field(default=0, ge=0)
    version: Optional[str] = None


class ImportedTemporaryKey(common.Body):
    id: str
    privateKey: str
    applicationKey: str
    activationId: Optional[str] = None


class ImportedToken(common.Body):
    tokenId: str
    tokenSecret: str
    activationId: str
    signatureType: str = "possession"


class ImportedRecoveryCode(common.Body):
    recoveryCode: str
    puk: str
    userId: str
    applicationId: Optional[str] = None
    activationId: Optional[str] = None


def _private(text: str) -> crypto.PrivateKey:
    try:
        return crypto.import_private_key(common.from_base64(text))
    except crypto.CryptoError as error:
        raise errors.bad_input(str(error)) from error


def _public(text: str) -> bytes:
    try:
        return crypto.export_public_key(crypto.import_public_key(common.from_base64(text)))
    except crypto.CryptoError as error:
        raise errors.bad_input(str(error)) from error


def router(server: Server) -> APIRouter:
    api = APIRouter(prefix="/import")
    _parties(api, server)
    _secrets(api, server)
    return api


def _parties(api: APIRouter, server: Server) -> None:
    atomic = common.transactional(server)

    @api.put("/applications")
    @atomic
    async def put_application(body: ImportedApplication) -> Dict[str, Any]:
        """An application of the same id is replaced; the key of a version stays with the application that has it."""
        for version in body.versions:
            known = server.application_versions.get(version.appKey)
            if known is not None and known.application_id != body.applicationId:
                raise errors.wrong_state(f"the application key is that of {known.application_id}")
        key = crypto.export_private_key(_private(body.masterPrivateKey))
        application = server.applications.save(Application(body.applicationId, key, server.clock.now()))
        for version in body.versions:
            common.from_base64(version.appKey, 16)
            common.from_base64(version.appSecret, 16)
            server.application_versions.save(
                ApplicationVersion(version.appKey, version.appSecret, application.id, version.name)
            )
        return application_view(server, application)

    @api.put("/activations")
    @atomic
    async def put_activation(body: ImportedActivation) -> Dict[str, Any]:
        """An activation of the same id is replaced."""
        application = common.application(server, body.applicationId)
        keys = (body.serverPrivateKey, body.devicePublicKey, body.ctrData)
        if any(keys) and not all(keys):
            raise errors.bad_input("server key, device key and counter data belong together")
        now = server.clock.now()
        activation = Activation(
            id=body.activationId,
            application_id=application.id,
            user_id=body.userId,
            state=body.state,
            created=now,
            expires=now + server.settings.activationValidityMs,
            max_failed_attempts=server.settings.maxFailedAttempts,
            code=body.activationCode,
            failed_attempts=body.failedAttempts,
            counter=body.counter,
            version=body.version,
        )
        if body.serverPrivateKey and body.devicePublicKey and body.ctrData:
            activation.server_private = crypto.export_private_key(_private(body.serverPrivateKey))
            activation.device_public = _public(body.devicePublicKey)
            activation.ctr_data = common.from_base64(body.ctrData, 16)
            versions = server.application_versions.find("application", application.id)
            activation.application_key = versions[0].key
        elif body.state != model.CREATED:
            raise errors.bad_input("only a CREATED activation has no keys")
        return activation_view(server, server.activations.save(activation))


def _secrets(api: APIRouter, server: Server) -> None:
    atomic = common.transactional(server)

    @api.put("/temporary-keys")
    @atomic
    async def put_temporary_key(body: ImportedTemporaryKey) -> Dict[str, Any]:
        private = crypto.export_private_key(_private(body.privateKey))
        expires = server.clock.now() + server.settings.temporaryKeyValidityMs
        server.temporary_keys.save(TemporaryKey(body.id, private, body.applicationKey, body.activationId, expires))
        return {"id": body.id, "expires": expires}

    @api.put("/tokens")
    @atomic
    async def put_token(body: ImportedToken) -> Dict[str, Any]:
        secret = common.from_base64(body.tokenSecret, 16)
        server.tokens.save(Token(body.tokenId, secret, body.activationId, body.signatureType, server.clock.now()))
        return {"tokenId": body.tokenId}

    @api.put("/recovery-codes")
    @atomic
    async def put_recovery_code(body: ImportedRecoveryCode) -> Dict[str, Any]:
        """An ACTIVE code with one PUK."""
        record = RecoveryCode(
            code=body.recoveryCode,
            application_id=common.application(server, body.applicationId).id,
            user_id=body.userId,
            state=recovery.ACTIVE,
            max_failed_attempts=server.settings.recoveryMaxFailedAttempts,
            puks=[{"index": 1, "puk": body.puk, "state": "VALID"}],
            activation_id=body.activationId,
        )
        return recovery_view(server.recovery_codes.save(record))
