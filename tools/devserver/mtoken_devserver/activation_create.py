# SPDX-License-Identifier: Apache-2.0
"""`POST /pa/v3/activation/create` and `/pa/v4/activation/create`: two layers of encryption around the key exchange
(powerauth.md §7, powerauth4.md §10).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional

from . import ecies, errors, model, oidc, recovery
from .authentication import Opened
from .call import Answer, Call, only_members, optional_text, text_member
from .model import Activation, Application
from .signature import EncryptionHeader

if TYPE_CHECKING:
    from .server import Server

_error = errors.activation_invalid
_LAYER_1 = ("type", "identityAttributes", "customAttributes", "activationData")


async def create(server: Server, call: Call) -> Answer:
    """Opens both layers, finds or makes the record of the `type`, and exchanges the keys."""
    with server.transaction():
        header = server.authenticator.encryption_header(call, _error)
        outer = server.authenticator.open_by_header(call, ecies.APPLICATION_GENERIC, _error)
        request = outer.object(_error)
        only_members(request, _LAYER_1, _error)
        attributes = request.get("identityAttributes")
        if not isinstance(attributes, dict) or not attributes:
            raise _error("identityAttributes are missing")
        texts = {name: optional_text(attributes, name, _error) for name in attributes}
        identity = {name: text for name, text in texts.items() if text is not None}
        kind = text_member(request, "type", _error, None)
        provider = None
        if kind == "DIRECT" and identity.get("method") == "oidc":
            provider = oidc.provider_of(server, header.application_key, identity.get("providerId"), _error)
    user_id = await oidc.redeem(provider, identity, server.clock) if provider is not None else None
    with server.transaction():
        return _exchange(server, call, header, outer, request, kind, identity, user_id)


def _exchange(
    server: Server,
    call: Call,
    header: EncryptionHeader,
    outer: Opened,
    request: Dict[str, Any],
    kind: str,
    identity: Dict[str, str],
    oidc_user: Optional[str],
) -> Answer:
    inner = server.authenticator.open(call, ecies.ACTIVATION_LAYER_2, header, request.get("activationData"), _error)
    device = inner.object(_error)
    application = server.application_of_key(header.application_key, _error)
    if inner.suite is not None and (kind == "RECOVERY" or inner.suite.name not in application.usable_suites):
        raise _error(f"no activation of type {kind} in {inner.suite.name}")
    rule = application.custom_rule(kind, identity, request.get("customAttributes"))
    activation, finish = _record(server, application, kind, identity, oidc_user, rule)
    layer2: Dict[str, Any]
    if inner.suite is not None:
        layer2 = server.lifecycle.exchange_keys4(activation, header.application_key, inner.suite, call, device)
    else:
        layer2 = server.lifecycle.exchange_keys(activation, header.application_key, header.version, device)
    if finish and activation.state == model.PENDING_COMMIT:
        server.lifecycle.activate(activation)
    if inner.suite is None:
        layer2["activationRecovery"] = None
        if kind == "RECOVERY" or server.settings.recoveryWithActivation:
            layer2["activationRecovery"] = recovery.issue_with_activation(server, activation)
    custom = rule.get("customAttributes")
    if custom is None:
        custom = request.get("customAttributes")
    answer: Dict[str, Any] = {
        "activationData": inner.answer(layer2),
        "customAttributes": custom if isinstance(custom, dict) else {},
        "userInfo": server.claims_of(activation.user_id) or None,
    }
    return outer.answer(answer)


def _record(
    server: Server,
    application: Application,
    kind: str,
    identity: Dict[str, str],
    oidc_user: Optional[str],
    rule: Dict[str, Any],
) -> tuple[Activation, bool]:
    """The record that the keys go into, and whether it becomes ACTIVE without a commit (powerauth.md §7.5)."""
    if kind == "CODE":
        return server.lifecycle.by_code(application.id, text_member(identity, "code", _error)), False
    if kind == "RECOVERY":
        return _scripted(recovery.redeem(server, application, identity), rule, True)
    if kind == "DIRECT" and oidc_user is not None:
        return _scripted(server.lifecycle.new(application, oidc_user), rule, True)
    if kind in ("CUSTOM", "DIRECT"):
        found = server.custom_user(identity) if server.settings.customActivation else None
        named = identity.get(rule.get("userAttribute") or "", rule.get("userId"))
        user_id = named if rule else found
        if not user_id or len(user_id) > 255:
            raise _error("no integration finds a user by these credentials")
        return _scripted(server.lifecycle.new(application, user_id), rule, server.settings.customAutoCommit)
    raise _error(f"activation type {kind} does not exist")


def _scripted(activation: Activation, rule: Dict[str, Any], commits: bool) -> tuple[Activation, bool]:
    """The activation that the bank's integration makes of a record, and whether it commits it."""
    activation.flags = list(rule.get("flags") or activation.flags)
    if rule.get("validityMs") is not None:
        activation.expires = activation.created + rule["validityMs"]
    activation.max_failed_attempts = rule.get("maxFailedAttempts") or activation.max_failed_attempts
    scripted = rule.get("autoCommit")
    return activation, commits if scripted is None else scripted
