"""What a well-formed call needs that the description cannot tell. A name that begins with "$" is asked of the world in misuse.c.

Each key is "function.parameter" or "struct.member", or such a thing's bare name.
"""

from __future__ import annotations

from typing import Dict, Set, Union

TEXTS: Dict[str, str] = {
    "mtoken_auth.pin": "2468",
    "pin": "2468",
    "old_pin": "2468",
    "new_pin": "1357",
    "mtoken_constant_value.name": "ERROR_TIMEOUT",
    "mtoken_store_directory_new.path": "$directory",
    "mtoken_sealer_open.name": "systemd",
    "mtoken_client_options.id": "other",
    "mtoken_client_options.configuration": "$configuration",
    "mtoken_client_options.base_url": "https://bank.example/api",
    "mtoken_sign_options.method": "POST",
    "uri_id": "/x",
    "mtoken_activation_code_parse.text": "$code",
    "mtoken_activation_options.code": "$code",
    "mtoken_recovery_confirm.code": "VVVVV-VVVVV-VVVVV-VTFVA",
    "mtoken_identity_attribute.name": "x",
    "mtoken_identity_attribute.value": "x",
    "mtoken_header_text.name": "X-Name",
    "mtoken_header_text.value": "x",
    "mtoken_operation_fields_parse.text": "A1*A100CZK",
    "mtoken_operation_fields_summary.text": "A1*A100CZK",
    "mtoken_client_set_language.language": "cs",
    "mtoken_client_add_biometry.authenticator": "card",
    "mtoken_client_remove_biometry.authenticator": "card",
    "mtoken_encrypt_options.uri_id": "/x",
    "mtoken_text.data": "mtoken",
    "mtoken_ecdsa_verify_options.public_key": "$public_key",
    "claims": "{}",
    "mtoken_token_options.name": "x",
    "mtoken_qr_operation_parse.payload": "$qr",
    "mtoken_qr_code_group.code": "12345678-12345678",
    "mtoken_qr_build_options.id": "x",
    "mtoken_qr_build_options.title": "x",
    "mtoken_qr_build_options.message": "x",
    "mtoken_qr_build_options.operation_data": "A1",
    "mtoken_qr_build_options.private_key": "$private_key",
    "mtoken_operation_options.id": "1",
    "mtoken_operation_options.operation_data": "A1",
    "mtoken_pac_parse.code": "$pac",
    "mtoken_pac_build_options.operation_id": "1",
    "mtoken_pac_build_options.totp": "12345678",
    "mtoken_oidc_options.provider_id": "bank",
    "mtoken_oidc_options.client_id": "client",
    "mtoken_oidc_options.scopes": "openid",
    "mtoken_oidc_options.authorize_uri": "https://idp.example/authorize",
    "mtoken_oidc_options.redirect_uri": "http://127.0.0.1/back",
    "mtoken_oidc_options.issuer": "https://idp.example",
    "mtoken_oidc_parameter.name": "x",
    "mtoken_oidc_parameter.value": "x",
    "mtoken_oidc_url_options.nonce": "x",
    "mtoken_oidc_url_options.state": "x",
    "mtoken_oidc_process.callback": "$callback",
    "mtoken_oidc_challenge.verifier": "0123456789012345678901234567890123456789012",
    "mtoken_push_options.token": "x",
    "mtoken_push_parse.payload": "$push",
    "mtoken_mobile_auth_from_push.payload": "$push",
    "mtoken_mobile_auth_handle_push.payload": "$push",
    "mtoken_watched.id": "1",
    "mtoken_watched.operation_data": "A1",
    "mtoken_mobile_token_data_new.initial": "{}",
    "json": '{"x":1}',
    "path": "x",
    "mtoken_field_input.text": "x",
    "private_key": "$private_key",
    "public_key": "$public_key",
    "mtoken_tls_pin.sha256": "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "otp": "12345678",
    "mtoken_csr_field.name": "CN",
    "mtoken_csr_field.value": "x",
}
"""Texts and bytes. Of parameters the default is "x", of bytes sixteen bytes; members of option structs are not given."""

NUMBERS: Dict[str, Union[int, str]] = {
    "mtoken_operation_fields_build.version": ord("A"),
    "mtoken_operation_fields_build.template_id": 1,
    "mtoken_field_input.kind": "MTOKEN_FIELD_NOTE",
    "mtoken_encrypt_options.scope": "MTOKEN_SCOPE_ACTIVATION",
    "mtoken_client_hmac.scope": "MTOKEN_SCOPE_APPLICATION",
    "mtoken_client_fetch_config.scope": "MTOKEN_SCOPE_APPLICATION",
    "mtoken_vault_fetch_key_of.key": "MTOKEN_VAULT_KEY_TWO_FACTORS",
    "mtoken_vault_fetch_key_of.size": 32,
    "mtoken_push_options.platform": "MTOKEN_PUSH_PLATFORM_FCM",
    "mtoken_totp.time": 1700000000000,
    "page_size": 10,
    "limit": 10,
    "mtoken_random_bytes.length": 16,
    "byte_count": 48,
    "mtoken_pac_build_options.form": "MTOKEN_PAC_JWT",
    "mtoken_polling_options.interval_ms": 6000,
    "source": "MTOKEN_PROXIMITY_QR_CODE",
    "mtoken_http_response.status": 200,
    "mtoken_request_fail.outcome": "MTOKEN_OUTCOME_UNKNOWN",
    "mtoken_request_fail.network_fault": "MTOKEN_NETWORK_CONNECTION_LOST",
}
"""The default is 0."""

LEFT_OUT: Set[str] = {
    "mtoken_activation_options.identity", "mtoken_wait_options.auth", "mtoken_client_options.sealer", "mtoken_csr_options.extensions",
}  # fmt: skip
"""Arrays and options that go with nothing else; all other ones are given."""

OTHER_NUMBERS: Set[str] = {"mtoken_operation_fields_build.template_id"}
"""Enumerations that other numbers may be given for too."""

KINDS: Set[str] = {
    "mtoken_runtime", "mtoken_client", "mtoken_store", "mtoken_task", "mtoken_challenge", "mtoken_store_reply", "mtoken_store_names",
    "mtoken_sealer",
    "mtoken_oidc_request", "mtoken_watcher", "mtoken_mobile_token_data", "mtoken_recorder",
}  # fmt: skip
"""Handles that the world has. A new kind is made in misuse.c: `make_handle`."""

STRUCTS: Set[str] = {
    "mtoken_operation",
    "mtoken_operation_list",
    "mtoken_qr_operation",
    "mtoken_pac",
    "mtoken_error",
    "mtoken_event",
}
"""Structs of the library's that the world has: `made_struct`."""

SAMPLES: Set[str] = {"mtoken_host_store", "mtoken_host_sealer"}
"""Structs with functions of the host, which the world has: `sample`."""

NULL_HANDLES: Set[str] = {"mtoken_client_reseal.sealer"}
"""Parameters that may be NULL, besides what a function frees."""
