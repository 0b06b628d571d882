# SPDX-License-Identifier: Apache-2.0
"""Records as the admin API and the console show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional

from . import crypto
from .model import (
    Activation,
    Application,
    ApplicationVersion,
    InboxMessage,
    Operation,
    Protocol4,
    RecoveryCode,
    Template,
)
from .protocol4 import suites

if TYPE_CHECKING:
    from .server import Server

View = Dict[str, Any]


def _b64(data: Optional[bytes]) -> Optional[str]:
    return crypto.b64(data) if data else None


def _members(record: Any, *names: str) -> View:
    """The named members of a record, in the spelling of JSON."""
    return {_camel(name): getattr(record, name) for name in names}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)


def version_view(server: Server, version: ApplicationVersion) -> View:
    return {
        "name": version.name,
        "appKey": version.key,
        "appSecret": version.secret,
        "sdkConfig": server.sdk_configuration(version),
        "supported": version.supported,
    }


def application_view(server: Server, application: Application) -> View:
    """The application; key, secret and configuration at the top are those of its first version."""
    versions = [
        version_view(server, version) for version in server.application_versions.find("application", application.id)
    ]
    return {
        "applicationId": application.id,
        "created": application.created,
        "masterPublicKey": crypto.b64(application.master_public),
        "masterPublicKeys": _master_keys4(application),
        "suite": application.suite,
        "suites": application.usable_suites,
        "allMasterKeys": application.all_master_keys,
        "withdrawnSuites": application.withdrawn_suites,
        "privateKeyWithoutBiometry": application.private_key_without_biometry,
        "config": application.config,
        "appKey": versions[0]["appKey"],
        "appSecret": versions[0]["appSecret"],
        "sdkConfig": versions[0]["sdkConfig"],
        "versions": versions,
        "oidcProviders": application.oidc_providers,
        "customRules": application.custom_rules,
    }


def _master_keys4(application: Application) -> View:
    """The master keys of the suite, by the names of their algorithms in a JWS."""
    if application.suite is None:
        return {}
    suite = suites.SUITES[application.suite]
    return dict(zip(suite.jws_names, map(crypto.b64, application.master_signer(suite).public.values())))


def protocol4_view(state: Optional[Protocol4]) -> Optional[View]:
    """The members of an activation in 4.0, without its secrets."""
    if state is None:
        return None
    return {
        "suite": state.suite_name,
        "confirmPending": state.confirm_pending,
        "upgradePending": state.upgrade_pending,
        "biometryEnabled": state.biometry_enabled,
        "knowledgeWaits": state.knowledge_next is not None,
        "biometryWaits": state.biometry_next is not None,
        "temporaryBlocks": state.temporary_blocks,
        "blockedUntil": state.blocked_until,
        "counter": state.counter,
        "ctrData": crypto.b64(state.ctr_data),
        "devicePublicKeys": suites.public_texts(state.device_keys),
        "serverPublicKeys": suites.public_texts(state.signer.public),
        "config": state.config,
    }


_ACTIVATION_MEMBERS = (
    "application_id user_id state block_reason created expires otp_validation commit_phase failed_attempts "
    "max_failed_attempts remaining_attempts fingerprint application_key name extras platform device_info "
    "external_id last_used flags custom_object mobile_auth_enabled history"
).split()


def activation_view(server: Server, activation: Activation) -> View:
    """Everything about an activation but its private and symmetric keys."""
    signature = _b64(activation.code_signature)
    registration = server.push_registrations.get(activation.id)
    server_public = None
    if activation.has_keys3:
        server_public = crypto.export_public_key(activation.server_key.public_key())
    return {
        "activationId": activation.id,
        **_members(activation, *_ACTIVATION_MEMBERS),
        "activationCode": activation.code,
        "activationCodeSignature": signature,
        "activationQr": f"{activation.code}#{signature}" if signature else None,
        "counter": activation.hash_counter.counter,
        "ctrData": _b64(activation.hash_counter.ctr_data),
        "devicePublicKey": _b64(activation.device_public),
        "serverPublicKey": _b64(server_public),
        "protocolVersion": activation.version,
        "suite": activation.v4.suite_name if activation.v4 else None,
        "protocol4": protocol4_view(activation.v4),
        "tokens": [
            {"tokenId": token.id, "signatureType": token.signature_type, "created": token.created}
            for token in server.tokens.find("activation", activation.id)
        ],
        "push": _members(registration, "platform", "token", "environment", "created") if registration else None,
    }


def template_view(template: Template) -> View:
    return _members(
        template,
        "name",
        "operation_type",
        "data_template",
        "allowed_signature_types",
        "max_failures",
        "expiration_seconds",
        "risk_flags",
        "proximity_check",
        "forms",
    )


_OPERATION_MEMBERS = (
    "application_id name data status status_reason created expires finished user_id activation_id activation_flag "
    "external_id template parameters allowed_signature_types failures max_failures risk_flags proximity_result "
    "mobile_token_data reject_reason approved_by offline_nonce events"
).split()


def operation_view(operation: Operation) -> View:
    return {
        "operationId": operation.id,
        **_members(operation, *_OPERATION_MEMBERS),
        "proximityCheck": operation.proximity_seed is not None,
    }


def message_view(message: InboxMessage) -> View:
    return _members(message, "id", "user_id", "application_id", "type", "subject", "summary", "body", "read", "created")


def recovery_view(record: RecoveryCode) -> View:
    members = ("application_id", "user_id", "activation_id", "state", "failed_attempts", "max_failed_attempts", "puks")
    return {"recoveryCode": record.code, **_members(record, *members)}
