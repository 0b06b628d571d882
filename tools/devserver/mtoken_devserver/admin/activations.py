# SPDX-License-Identifier: Apache-2.0
"""Admin API: activations, tokens, recovery codes, signatures by and for the server's keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional

from fastapi import APIRouter
from pydantic import Field

from .. import crypto, errors, model, push, recovery
from ..errors import ApiError
from ..model import Protocol4
from ..protocol4 import keytree as keytree4
from ..protocol4 import primitives, suites
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
    maxFailedAttempts: Optional[int] = Field(default=None, ge=1, le=100, description="in 4.0 at most 64")
    flags: List[str] = Field(default_factory=list)


class Commit(common.Body):
    otp: Optional[str] = None


class Reason(common.Body):
    reason: Optional[str] = None


class Block(Reason):
    durationMs: Optional[int] = Field(
        default=None, ge=1, description="a temporary block, of activations of 4.0 only; absent: until it is unblocked"
    )


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
    config: Optional[Dict[str, Any]] = Field(default=None, description="of 4.0: what the device reads")
    confirmPending: Optional[bool] = Field(default=None, description="of 4.0: as after a backup was put back")
    upgradePending: Optional[bool] = Field(default=None, description="of 4.0: the same")


class PushBinding(common.Body):
    platform: Literal["ios", "android", "huawei", "apns", "fcm", "hms"]
    token: str = Field(min_length=1)
    environment: Optional[Literal["development", "production"]] = None


class CounterMove(common.Body):
    steps: int = Field(ge=1, le=1000)


class SignData(common.Body):
    data: str = Field(description="Base64")
    key: Literal["master", "personalised"] = "master"
    applicationId: Optional[str] = None
    activationId: Optional[str] = None
    format: Literal["DER", "JOSE"] = "DER"
    curve: Literal["P-256", "P-384"] = Field(
        default="P-256", description="of the master key, or of the server's key for an activation of 4.0"
    )


class DeviceSignature(common.Body):
    data: str = Field(description="Base64")
    signature: str = Field(description="Base64; of a JWS, its text")
    format: Literal["DER", "JOSE", "ML-DSA", "JWS"] = Field(
        default="DER", description="DER and JOSE are ECDSA; the last two of activations of 4.0 only"
    )


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
        if body.config is not None:
            common.protocol4(activation).config = body.config
        if body.confirmPending is not None:
            common.protocol4(activation).confirm_pending = body.confirmPending
        if body.upgradePending is not None:
            common.protocol4(activation).upgrade_pending = body.upgradePending
        for name in body.model_fields_set & _MEMBERS.keys():
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
    async def block_activation(activation_id: str, body: Optional[Block] = None) -> Dict[str, Any]:
        activation = common.activation(server, activation_id)
        body = body or Block()
        reason = body.reason or "NOT_SPECIFIED"
        if body.durationMs is not None:
            server.lifecycle.block_for(activation, reason, body.durationMs)
        else:
            server.lifecycle.block(activation, reason)
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

    @api.put("/activations/{activation_id}/push")
    @atomic
    async def bind_push(activation_id: str, body: PushBinding) -> Dict[str, Any]:
        """Registers the device as the bank's own systems can, in any state."""
        activation = common.activation(server, activation_id)
        push.bind(server, activation, body.platform, body.token, body.environment)
        return activation_view(server, activation)

    @api.post("/activations/{activation_id}/counter")
    @atomic
    async def move_counter(activation_id: str, body: CounterMove) -> Dict[str, Any]:
        """Moves the server's counter ahead; a hash-based counter has no way back."""
        activation = common.activation_with_keys(server, activation_id)
        holder = activation.hash_counter
        holder.ctr_data = holder.next_counter(holder.ctr_data, body.steps)
        holder.counter += body.steps
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
        """ECDSA by the master key of an application or the server key of an activation (powerauth.md §15); for an
        activation of 4.0 the MAC of offline payloads (powerauth4.md §17), unless its P-384 key is asked for.
        """
        data = common.from_base64(body.data)
        if body.key == "master":
            application = common.application(server, body.applicationId)
            if body.curve == "P-384":
                der = common.sign_p384(application, data)
                return {"signature": crypto.b64(primitives.der_to_raw(der) if body.format == "JOSE" else der)}
            key = application.master_key
        else:
            activation = common.activation_with_keys(server, body.activationId)
            if activation.v4 is not None and activation.is_v4:
                if body.curve == "P-384":
                    return {"signature": crypto.b64(primitives.ecdsa_sign(activation.v4.signer.ecdsa, data))}
                return {"signature": crypto.b64(keytree4.sign_offline(activation.v4.keys, data))}
            key = activation.server_key
        signature = crypto.ecdsa_sign(key, data)
        return {"signature": crypto.b64(crypto.der_to_jose(signature) if body.format == "JOSE" else signature)}

    @api.get("/activations/{activation_id}/keys")
    @atomic
    async def get_keys(activation_id: str) -> Dict[str, Any]:
        """Everything secret that follows from the key agreement, for tests that search a device's memory for it."""
        activation = common.activation_with_keys(server, activation_id)
        if activation.v4 is not None and activation.is_v4:
            return _keys4(activation.v4)
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
        """Checks a signature of the device's keys (powerauth.md §13, powerauth4.md §16)."""
        activation = common.activation_with_keys(server, activation_id)
        signature = common.from_base64(body.signature)
        if activation.v4 is not None and activation.is_v4:
            return {"valid": _verifies4(activation.v4, common.from_base64(body.data), signature, body.format)}
        try:
            der = crypto.jose_to_der(signature) if body.format == "JOSE" else signature
        except crypto.CryptoError:
            return {"valid": False}
        return {"valid": crypto.ecdsa_verify(activation.device_public_key, common.from_base64(body.data), der)}


def _keys4(state: Protocol4) -> Dict[str, Any]:
    """By the names of powerauth4.md §5; the factor keys as the server has them now."""
    keys = {
        **state.keys.all(),
        "knowledge": state.knowledge,
        "knowledgeNext": state.knowledge_next,
        "biometry": state.biometry,
        "biometryNext": state.biometry_next,
    }
    return {name: crypto.b64(key) if key is not None else None for name, key in keys.items()}


def _verifies4(state: Protocol4, data: bytes, signature: bytes, form: str) -> bool:
    suite, keys = state.suite, state.device_keys
    try:
        if form == "JWS":
            return crypto.equal(suites.verify_jws(suite, keys, signature.decode("ascii", "replace")), data)
        if form == "ML-DSA":
            return suite.dsa is not None and suite.verify(suite.dsa.jws_name, keys, data, signature)
        if form == "DER":
            signature = primitives.der_to_raw(signature)
        return suite.verify(suites.ES384, keys, data, signature)
    except ValueError:
        return False


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
