# SPDX-License-Identifier: Apache-2.0
"""The life cycle of activations (rest.md §5)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from . import codes, crypto, errors, model, push, recovery
from .call import optional_text
from .model import Activation, Application
from .protocol4 import exchange, suites

if TYPE_CHECKING:
    from .call import Call
    from .server import Server


class Lifecycle:
    """Every change of an activation's state goes through here."""

    def __init__(self, server: Server):
        self._server = server

    def get(self, activation_id: Optional[str]) -> Optional[Activation]:
        """The activation after the lazy expiry check."""
        activation = self._server.activations.get(activation_id)
        if activation is not None:
            self._expire(activation)
        return activation

    def _expire(self, activation: Activation) -> None:
        until = activation.v4.blocked_until if activation.v4 is not None else None
        if activation.state == model.BLOCKED and until is not None and until <= self._server.clock.now():
            self._end_temporary_block(activation)
        if activation.state in (model.CREATED, model.PENDING_COMMIT) and activation.expires <= self._server.clock.now():
            self.remove(activation, "EXPIRED")

    def _move(self, activation: Activation, state: str, reason: Optional[str] = None) -> None:
        """Into a state; the device learns of it by a push if it is registered."""
        activation.state = state
        now = self._server.clock.now()
        activation.history.append({"time": now, "state": state, "reason": reason})
        self._server.activations.save(activation)
        self._server.audit.add("activation", now, accepted=True, reason=reason, activationId=activation.id, state=state)
        push.status_changed(self._server, activation)

    def new(self, application: Application, user_id: str, *, flags: Optional[List[str]] = None) -> Activation:
        """A record without code, as direct, custom and recovery activations begin."""
        now = self._server.clock.now()
        return Activation(
            id=str(uuid.uuid4()),
            application_id=application.id,
            user_id=user_id,
            state=model.CREATED,
            created=now,
            expires=now + self._server.settings.activationValidityMs,
            max_failed_attempts=self._server.settings.maxFailedAttempts,
            flags=flags or [],
        )

    def init(
        self,
        application: Application,
        user_id: str,
        *,
        otp: Optional[str],
        otp_validation: str,
        commit_phase: str,
        validity_ms: Optional[int],
        max_failed_attempts: Optional[int],
        flags: List[str],
    ) -> Activation:
        """A CREATED record with an activation code, unique among the open ones of the application."""
        activation = self.new(application, user_id, flags=flags)
        activation.otp = otp
        activation.otp_validation = otp_validation
        activation.commit_phase = commit_phase
        if validity_ms is not None:
            activation.expires = activation.created + validity_ms
        if max_failed_attempts is not None:
            activation.max_failed_attempts = max_failed_attempts
        code = codes.generate_code()
        while self._open_with_code(application.id, code):
            code = codes.generate_code()
        activation.code = code
        if application.suite is None:
            activation.code_signature = crypto.ecdsa_sign(application.master_key, code.encode())
        self._move(activation, model.CREATED)
        return activation

    def _open_with_code(self, application_id: str, code: str) -> List[Activation]:
        found = self._server.activations.find("code", code)
        for activation in found:
            self._expire(activation)
        return [
            activation
            for activation in found
            if activation.application_id == application_id and activation.state in (model.CREATED, model.PENDING_COMMIT)
        ]

    def by_code(self, application_id: str, code: str) -> Activation:
        """The CREATED record of an activation code."""
        if not codes.is_code(code):
            raise errors.activation_invalid("activation code is malformed")
        for activation in self._open_with_code(application_id, code):
            if activation.state == model.CREATED:
                return activation
        raise errors.activation_invalid("activation code is unknown, used or expired")

    def otp_phase(self, activation: Activation) -> Optional[str]:
        """When the OTP is checked: as the mode says; without a mode, in the phase that commits (rest.md §5)."""
        if activation.otp_validation != model.NO_OTP:
            return activation.otp_validation
        return activation.commit_phase if activation.otp is not None else None

    def check_otp(self, activation: Activation, otp: Optional[str], phase: str) -> None:
        """Compares the OTP where this phase demands one; the last wrong one removes the activation.

        The server refuses one that is missing or comes in the wrong phase; this does not count as an attempt.
        """
        wanted = self.otp_phase(activation)
        if wanted != phase:
            if otp is not None and wanted is not None:
                raise errors.activation_invalid(f"activation OTP was given in phase {phase} instead of {wanted}")
            if otp is not None:
                self._note_unexpected_otp(activation, phase)
            return
        if not otp:
            raise errors.activation_invalid("activation OTP is missing")
        if crypto.equal(otp.encode(), (activation.otp or "").encode()):
            activation.failed_attempts = 0
            return
        activation.failed_attempts += 1
        self._server.activations.save(activation)
        if activation.failed_attempts >= activation.max_failed_attempts:
            self.remove(activation, "MAX_FAILED_ATTEMPTS")
        raise errors.activation_invalid("activation OTP is wrong")

    def _note_unexpected_otp(self, activation: Activation, phase: str) -> None:
        what = "activates without a commit" if self._server.settings.unexpectedOtpActivates else "is ignored"
        self._server.audit.add(
            "activation",
            self._server.clock.now(),
            accepted=True,
            reason=f"OTP was not expected in phase {phase} and {what}",
            activationId=activation.id,
        )

    def set_otp(self, activation: Activation, otp: str) -> None:
        """The bank sets an OTP later: the commit then demands it."""
        if activation.state != model.PENDING_COMMIT:
            raise errors.wrong_state(f"activation is {activation.state}")
        if activation.otp_validation == model.ON_KEY_EXCHANGE:
            raise errors.wrong_state("activation's OTP was for the key exchange")
        if not otp:
            raise errors.bad_input("OTP is empty")
        activation.otp, activation.otp_validation = otp, model.ON_COMMIT

    def exchange_keys(
        self, activation: Activation, application_key: str, version: str, layer2: Dict[str, Any]
    ) -> Dict[str, Any]:
        """Takes the device's key, makes the server's, and gives the layer-2 answer (powerauth.md §7.3, §7.4)."""
        try:
            device_public = crypto.export_public_key(
                crypto.import_public_key(crypto.unb64(layer2.get("devicePublicKey")))
            )
        except crypto.CryptoError as problem:
            raise errors.activation_invalid(f"device public key: {problem}") from problem
        otp = self._take_description(activation, layer2)
        server_key = crypto.generate_key()
        activation.device_public = device_public
        activation.server_private = crypto.export_private_key(server_key)
        activation.ctr_data = crypto.random_bytes(16)
        self._finish_exchange(activation, application_key, version, otp)
        return {
            "activationId": activation.id,
            "serverPublicKey": crypto.b64(crypto.export_public_key(server_key.public_key())),
            "ctrData": crypto.b64(activation.ctr_data),
        }

    def exchange_keys4(
        self, activation: Activation, application_key: str, suite: suites.Suite, call: Call, layer2: Dict[str, Any]
    ) -> Dict[str, Any]:
        """The same in 4.0 (powerauth4.md §10). An invalid device key removes the activation."""
        error = errors.activation_invalid
        otp = self._take_description(activation, layer2)
        try:
            fresh, answer = exchange.agree(call, suite, layer2)
        except crypto.CryptoError as problem:
            self.remove(activation, "INVALID_DEVICE_KEY")
            raise error(f"key exchange: {problem}") from problem
        fresh.confirm_pending = True
        activation.v4 = fresh
        activation.max_failed_attempts = min(activation.max_failed_attempts, model.MAX_FAILED_ATTEMPTS_4)
        self._finish_exchange(activation, application_key, "4.0", otp)
        return {"activationId": activation.id, **answer}

    def _take_description(self, activation: Activation, layer2: Dict[str, Any]) -> Optional[str]:
        """The device's description of itself. Checks and returns the OTP in it."""
        error = errors.activation_invalid
        texts = {}
        for name in ("activationName", "activationOtp", "extras", "platform", "deviceInfo", "externalId"):
            value = optional_text(layer2, name, error)
            if value is not None and len(value) > model.TEXT_LIMITS.get(name, len(value)):
                raise error(f"{name} is too long")
            texts[name] = value
        self.check_otp(activation, texts["activationOtp"], model.ON_KEY_EXCHANGE)
        activation.name = texts["activationName"]
        activation.extras = texts["extras"]
        activation.platform = (texts["platform"] or "unknown").lower()
        activation.device_info = texts["deviceInfo"]
        activation.external_id = texts["externalId"]
        return texts["activationOtp"]

    def _finish_exchange(self, activation: Activation, application_key: str, version: str, otp: Optional[str]) -> None:
        activation.application_key = application_key
        activation.version = version
        self._move(activation, model.PENDING_COMMIT)
        unexpected = otp is not None and self.otp_phase(activation) is None
        if model.ON_KEY_EXCHANGE in (activation.otp_validation, activation.commit_phase) or (
            unexpected and self._server.settings.unexpectedOtpActivates
        ):
            self.activate(activation)

    def activate(self, activation: Activation) -> None:
        self._move(activation, model.ACTIVE)
        recovery.activate_codes_of(self._server, activation)

    def commit(self, activation: Activation, otp: Optional[str]) -> None:
        """PENDING_COMMIT → ACTIVE, with the OTP that the back end supplies."""
        if activation.state != model.PENDING_COMMIT:
            raise errors.wrong_state(f"activation is {activation.state}")
        self.check_otp(activation, otp, model.ON_COMMIT)
        self.activate(activation)

    def block(self, activation: Activation, reason: str) -> None:
        """ACTIVE → BLOCKED; idempotent. A temporary block becomes one that stays."""
        if activation.v4 is not None:
            activation.v4.blocked_until = None
        if activation.state == model.BLOCKED:
            return
        if activation.state != model.ACTIVE and not (activation.is_v4 and activation.state == model.PENDING_COMMIT):
            raise errors.wrong_state(f"activation is {activation.state}")
        activation.block_reason = reason
        self._move(activation, model.BLOCKED, reason)

    def block_for_attempts(self, activation: Activation, reason: str) -> None:
        """Blocks; in 4.0, if the server is set so, for a time that doubles (powerauth4.md §11)."""
        base = self._server.settings.temporaryBlockMs
        if base and activation.v4 is not None and activation.is_v4:
            self.block_for(activation, reason, base * 2**activation.v4.temporary_blocks)
            return
        self.block(activation, reason)

    def block_for(self, activation: Activation, reason: str, milliseconds: int) -> None:
        """A temporary block of an activation of 4.0."""
        if activation.v4 is None or not activation.is_v4:
            raise errors.wrong_state("only an activation of 4.0 is blocked for a time")
        self.block(activation, reason)
        activation.failed_attempts = activation.max_failed_attempts
        activation.v4.temporary_blocks += 1
        activation.v4.blocked_until = self._server.clock.now() + milliseconds
        self._server.activations.save(activation)

    def _end_temporary_block(self, activation: Activation) -> None:
        """One attempt is left, and the count of blocks stays: the next wrong code blocks for twice as long."""
        activation.failed_attempts = max(0, activation.failed_attempts - 1)
        self._leave_block(activation)

    def _leave_block(self, activation: Activation) -> None:
        """To ACTIVE, or to PENDING_COMMIT before the commit (powerauth4.md §23)."""
        activation.block_reason = None
        if activation.v4 is not None:
            activation.v4.blocked_until = None
        uncommitted = activation.is_v4 and not activation.was_active
        self._move(activation, model.PENDING_COMMIT if uncommitted else model.ACTIVE)

    def unblock(self, activation: Activation) -> None:
        """BLOCKED → ACTIVE with all attempts; idempotent."""
        if activation.state == model.ACTIVE:
            return
        if activation.state != model.BLOCKED:
            raise errors.wrong_state(f"activation is {activation.state}")
        activation.failed_attempts = 0
        if activation.v4 is not None:
            activation.v4.temporary_blocks = 0
        self._leave_block(activation)

    def remove(
        self, activation: Activation, reason: Optional[str] = None, *, revoke_recovery_codes: bool = False
    ) -> None:
        """Any state → REMOVED; its tokens are of no more use and go too, and so do codes that were never active."""
        if activation.state == model.REMOVED:
            return
        for token in self._server.tokens.find("activation", activation.id):
            self._server.tokens.delete(token)
        if revoke_recovery_codes or activation.state in (model.CREATED, model.PENDING_COMMIT):
            recovery.revoke_codes_of(self._server, activation)
        self._move(activation, model.REMOVED, reason)
