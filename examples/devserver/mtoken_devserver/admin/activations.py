"""Admin API: activations, tokens, recovery codes, signatures by and for the server's keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional

from fastapi import APIRouter
from pydantic import Field

from .. import crypto, errors, keytree, model, recovery
from ..errors import ApiError
from ..views import activation_view, recovery_view
from . import common

if TYPE_CHECKING:
    from ..server import Server


class NewActivation(common.Body):
    userId: str = Field(min_length=1)
    applicationId: Optional[str] = None
    otp: Optional[str] = None
    otpValidation: Literal["NONE", "ON_KEY_EXCHANGE", "ON_COMMIT"] = "NONE"
    commitPhase: Optional[Literal["ON_COMMIT", "ON_KEY_EXCHANGE"]] = Field(
        default=None, description="ON_COMMIT where absent; not together with otpValidation"
    )
    validityMs: Optional[int] = Field(default=None, description="the code expires after so many milliseconds")
    maxFailedAttempts: Optional[int] = Field(default=None, ge=1, le=64)
    flags: List[str] = Field(default_factory=list)


class Commit(common.Body):
    otp: Optional[str] = None


class Reason(common.Body):
    reason: Optional[str] = None


class Removal(Reason):
    revokeRecoveryCodes: bool = False


class ActivationChange(common.Body):
    name: Optional[str] = None
    otp: Optional[str] = None
    flags: Optional[List[str]] = None
    customObject: Optional[Dict[str, Any]] = None
    mobileAuthEnabled: Optional[bool] = None
    failedAttempts: Optional[int] = Field(default=None, ge=0, le=255)
    maxFailedAttempts: Optional[int] = Field(default=None, ge=1, le=64)
    expires: Optional[int] = None


class CounterMove(common.Body):
    steps: int = Field(ge=1, le=1000)


class SignData(common.Body):
    data: str = Field(description="Base64")
    key: Literal["master", "personalised"] = "master"
    applicationId: Optional[str] = None
    activationId: Optional[str] = None
    format: Literal["DER", "JOSE"] = "DER"


class DeviceSignature(common.Body):
    data: str = Field(description="Base64")
    signature: str = Field(description="Base64")
    format: Literal["DER", "JOSE"] = "DER"


class NewRecoveryCode(common.Body):
    userId: str = Field(min_length=1)
    applicationId: Optional[str] = None
    pukCount: int = Field(default=1, ge=1, le=100)


_MEMBERS = {
    "name": "name",
    "flags": "flags",
    "customObject": "custom_object",
    "mobileAuthEnabled": "mobile_auth_enabled",
    "failedAttempts": "failed_attempts",
    "maxFailedAttempts": "max_failed_attempts",
    "expires": "expires",
}


def router(server: Server) -> APIRouter:
    api = APIRouter()
    _life_cycle(api, server)
    _tools(api, server)
    _recovery_codes(api, server)
    return api


def _life_cycle(api: APIRouter, server: Server) -> None:
    atomic = common.transactional(server)

    @api.post("/activations", status_code=201)
    @atomic
    async def init_activation(body: NewActivation) -> Dict[str, Any]:
        if body.otpValidation != model.NO_OTP and not body.otp:
            raise errors.bad_input("otpValidation needs an otp")
        if body.otpValidation != model.NO_OTP and body.commitPhase is not None:
            raise errors.bad_input("otpValidation and commitPhase exclude each other")
        activation = server.lifecycle.init(
            common.application(server, body.applicationId),
            body.userId,
            otp=body.otp,
            otp_validation=body.otpValidation,
            commit_phase=body.commitPhase or model.ON_COMMIT,
            validity_ms=body.validityMs,
            max_failed_attempts=body.maxFailedAttempts,
            flags=body.flags,
        )
        return activation_view(server, activation)

    @api.get("/activations")
    @atomic
    async def list_activations(
        userId: Optional[str] = None, applicationId: Optional[str] = None, state: Optional[str] = None
    ) -> Dict[str, Any]:
        rows = server.activations.find("user", userId) if userId is not None else server.activations
        found = [server.lifecycle.get(row.id) or row for row in rows]
        return {
            "activations": [
                activation_view(server, activation)
                for activation in found
                if applicationId in (None, activation.application_id) and state in (None, activation.state)
            ]
        }

    @api.get("/activations/{activation_id}")
    @atomic
    async def get_activation(activation_id: str) -> Dict[str, Any]:
        return activation_view(server, common.activation(server, activation_id))

    @api.patch("/activations/{activation_id}")
    @atomic
    async def change_activation(activation_id: str, body: ActivationChange) -> Dict[str, Any]:
        activation = common.activation(server, activation_id)
        if body.otp is not None:
            server.lifecycle.set_otp(activation, body.otp)
        for name in body.model_fields_set - {"otp"}:
            setattr(activation, _MEMBERS[name], getattr(body, name))
        return activation_view(server, server.activations.save(activation))

    @api.post("/activations/{activation_id}/commit")
    @atomic
    async def commit_activation(activation_id: str, body: Optional[Commit] = None) -> Dict[str, Any]:
        activation = common.activation(server, activation_id)
        try:
            server.lifecycle.commit(activation, body.otp if body else None)
        except ApiError as error:
            raise errors.wrong_state(error.reason) from error
        return activation_view(server, activation)

    @api.post("/activations/{activation_id}/block")
    @atomic
    async def block_activation(activation_id: str, body: Optional[Reason] = None) -> Dict[str, Any]:
        activation = common.activation(server, activation_id)
        server.lifecycle.block(activation, (body and body.reason) or "NOT_SPECIFIED")
        return activation_view(server, activation)

    @api.post("/activations/{activation_id}/unblock")
    @atomic
    async def unblock_activation(activation_id: str) -> Dict[str, Any]:
        activation = common.activation(server, activation_id)
        server.lifecycle.unblock(activation)
        return activation_view(server, activation)

    @api.post("/activations/{activation_id}/remove")
    @atomic
    async def remove_activation(activation_id: str, body: Optional[Removal] = None) -> Dict[str, Any]:
        activation = common.activation(server, activation_id)
        body = body or Removal()
        server.lifecycle.remove(activation, body.reason, revoke_recovery_codes=body.revokeRecoveryCodes)
        return activation_view(server, activation)

    @api.post("/activations/{activation_id}/counter")
    @atomic
    async def move_counter(activation_id: str, body: CounterMove) -> Dict[str, Any]:
        """Moves the server's counter ahead; a hash-based counter has no way back."""
        activation = common.activation_with_keys(server, activation_id)
        activation.ctr_data = keytree.next_counter(activation.ctr_data, body.steps)
        activation.counter += body.steps
        return activation_view(server, server.activations.save(activation))


def _tools(api: APIRouter, server: Server) -> None:
    atomic = common.transactional(server)

    @api.delete("/tokens/{token_id}")
    @atomic
    async def forget_token(token_id: str) -> Dict[str, Any]:
        token = server.tokens.get(token_id)
        if token is None:
            raise errors.not_found(f"token {token_id} does not exist")
        server.tokens.delete(token)
        return {"forgotten": 1}

    @api.delete("/activations/{activation_id}/tokens")
    @atomic
    async def forget_tokens(activation_id: str) -> Dict[str, Any]:
        tokens = server.tokens.find("activation", activation_id)
        for token in tokens:
            server.tokens.delete(token)
        return {"forgotten": len(tokens)}

    @api.post("/sign")
    @atomic
    async def sign(body: SignData) -> Dict[str, Any]:
        """ECDSA by the master key of an application or the server key of an activation (powerauth.md §15)."""
        if body.key == "master":
            key = common.application(server, body.applicationId).master_key
        else:
            key = common.activation_with_keys(server, body.activationId).server_key
        signature = crypto.ecdsa_sign(key, common.from_base64(body.data))
        return {"signature": crypto.b64(crypto.der_to_jose(signature) if body.format == "JOSE" else signature)}

    @api.get("/activations/{activation_id}/keys")
    @atomic
    async def get_keys(activation_id: str) -> Dict[str, Any]:
        """Everything secret that follows from the key agreement, for tests that search a device's memory for it."""
        activation = common.activation_with_keys(server, activation_id)
        keys = activation.keys
        shared = crypto.ecdh(activation.server_key, activation.device_public_key)
        return {
            "sharedSecret": crypto.b64(shared),
            "masterSecret": crypto.b64(keys.master),
            "possession": crypto.b64(keys.possession),
            "knowledge": crypto.b64(keys.knowledge),
            "biometry": crypto.b64(keys.biometry),
            "transport": crypto.b64(keys.transport),
            "vault": crypto.b64(keys.vault),
            "applicationVault42": crypto.b64(crypto.kdf(keys.vault, 42)),
        }

    @api.post("/activations/{activation_id}/verify-device-signature")
    @atomic
    async def verify_device_signature(activation_id: str, body: DeviceSignature) -> Dict[str, Any]:
        """Checks an ECDSA signature of the device key (powerauth.md §13)."""
        activation = common.activation_with_keys(server, activation_id)
        signature = common.from_base64(body.signature)
        try:
            der = crypto.jose_to_der(signature) if body.format == "JOSE" else signature
        except crypto.CryptoError:
            return {"valid": False}
        return {"valid": crypto.ecdsa_verify(activation.device_public_key, common.from_base64(body.data), der)}


def _recovery_codes(api: APIRouter, server: Server) -> None:
    atomic = common.transactional(server)

    @api.post("/recovery-codes", status_code=201)
    @atomic
    async def create_recovery_code(body: NewRecoveryCode) -> Dict[str, Any]:
        """A postcard code; it becomes ACTIVE when the device confirms it."""
        application = common.application(server, body.applicationId)
        return recovery_view(recovery.issue_postcard(server, application, body.userId, body.pukCount))

    @api.get("/recovery-codes")
    @atomic
    async def list_recovery_codes(userId: Optional[str] = None) -> Dict[str, Any]:
        rows = server.recovery_codes.find("user", userId) if userId is not None else server.recovery_codes
        return {"recoveryCodes": [recovery_view(record) for record in rows]}

    @api.post("/recovery-codes/{code}/revoke")
    @atomic
    async def revoke_recovery_code(code: str) -> Dict[str, Any]:
        record = server.recovery_codes.get(code)
        if record is None:
            raise errors.not_found("recovery code does not exist")
        recovery.revoke(server, record)
        return recovery_view(record)
