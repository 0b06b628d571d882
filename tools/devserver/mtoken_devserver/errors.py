# SPDX-License-Identifier: Apache-2.0
"""Refusals and the envelopes they answer with (rest.md §4, errors.md §3).

`reason` is for the server's log and audit only. The client sees a generic answer on purpose.
"""

from __future__ import annotations

from typing import Any, Callable, Dict


class ApiError(Exception):
    """A refusal with its HTTP status, code and message, and with the true reason for the log."""

    def __init__(self, status: int, code: str, message: str, reason: str, **extra: Any):
        super().__init__(f"{code}: {reason}")
        self.status = status
        self.code = code
        self.message = message
        self.reason = reason
        self.extra = extra

    def envelope(self) -> Dict[str, Any]:
        return {"status": "ERROR", "responseObject": {"code": self.code, "message": self.message, **self.extra}}


def signature_invalid(reason: str) -> ApiError:
    """401 of the standard API: whatever is wrong with a signature or a token, the client sees this one message."""
    return ApiError(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", reason)


def _unauthenticated(message: str) -> Callable[[str], ApiError]:
    """401 of protocol 4.0, which tells a little more than 3.x (powerauth4.md §12)."""
    return lambda reason: ApiError(401, "ERR_AUTHENTICATION", message, reason)


code_invalid = _unauthenticated("POWER_AUTH_CODE_INVALID")
code_error = _unauthenticated("POWER_AUTH_CODE_ERROR")
code_type_invalid = _unauthenticated("POWER_AUTH_CODE_TYPE_INVALID")
token_invalid = _unauthenticated("POWER_AUTH_TOKEN_INVALID")
token_error = _unauthenticated("POWER_AUTH_TOKEN_ERROR")
header_invalid = _unauthenticated("POWER_AUTH_REQUEST_INVALID")
header_missing = _unauthenticated("POWER_AUTH_HTTP_HEADER_MISSING")


def generic(reason: str) -> ApiError:
    """500 of the released front end, for mistakes of clients that it has no better answer for."""
    return ApiError(500, "ERROR_GENERIC", "Unknown error occurred while processing request.", reason)


def unsupported_media_type(reason: str) -> ApiError:
    return ApiError(415, "ERROR_GENERIC", "Unknown error occurred while processing request.", reason)


def no_such_path(reason: str) -> ApiError:
    return ApiError(404, "ERROR_NOT_FOUND", "Resource not found.", reason)


def activation_invalid(reason: str) -> ApiError:
    return ApiError(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", reason)


def recovery_puk_invalid(reason: str, puk_index: int) -> ApiError:
    """A wrong PUK while another one is still valid (rest.md §6.9)."""
    return ApiError(
        400, "INVALID_RECOVERY_CODE", "POWER_AUTH_RECOVERY_INVALID", reason, currentRecoveryPukIndex=puk_index
    )


def vault_invalid(reason: str) -> ApiError:
    return ApiError(400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID", reason)


def encryption_failed(reason: str) -> ApiError:
    return ApiError(400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED", reason)


def upgrade_failed(reason: str) -> ApiError:
    return ApiError(400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", reason)


def temporary_key_failed(reason: str) -> ApiError:
    return ApiError(400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE", reason)


def password_change_failed(reason: str) -> ApiError:
    return ApiError(400, "ERR_PASSWORD_CHANGE", "POWER_AUTH_PASSWORD_CHANGE_FAILURE", reason)


def biometry_failed(reason: str) -> ApiError:
    return ApiError(400, "ERR_BIOMETRY", "POWER_AUTH_BIOMETRY_FAILURE", reason)


def user_info_failed(reason: str) -> ApiError:
    return ApiError(400, "ERR_USER_INFO", "POWER_AUTH_USER_INFO_ERROR", reason)


def status_failed(reason: str) -> ApiError:
    return ApiError(400, "ERR_STATUS", "POWER_AUTH_STATUS_ERROR", reason)


def config_failed(reason: str) -> ApiError:
    return ApiError(400, "ERR_CONFIG", "POWER_AUTH_CONFIG_ERROR", reason)


def validation_failed(reason: str) -> ApiError:
    """400 of protocol 4.0 for a member that is missing or blank; the message is free text."""
    return ApiError(400, "ERR_VALIDATION", reason, reason)


def authentication_failed(reason: str) -> ApiError:
    """401 of the Mobile Token API: wrong PIN, bad token, blocked activation."""
    return ApiError(401, "POWERAUTH_AUTH_FAIL", "Authentication failed", reason)


def request_validation(reason: str) -> ApiError:
    """The fault that the server behind the front end found in a member."""
    return ApiError(400, "INVALID_REQUEST", f"Request validation error: {reason}", reason)


def invalid_request(reason: str) -> ApiError:
    return ApiError(400, "INVALID_REQUEST", "Invalid request", reason)


def activation_not_configured(reason: str) -> ApiError:
    """The device lost its right to mobile authentication (method not available)."""
    return ApiError(400, "ACTIVATION_NOT_CONFIGURED", "Mobile token is not configured for the activation", reason)


def invalid_operation(reason: str) -> ApiError:
    return ApiError(400, "INVALID_OPERATION", "Operation not found or is in an unexpected state.", reason)


def nothing_to_reject(reason: str) -> ApiError:
    """As `invalid_operation`, in the words of a rejection."""
    return ApiError(400, "INVALID_OPERATION", "Operation not found or is in an unexpected state", reason)


def no_such_operation(reason: str) -> ApiError:
    """As `invalid_operation`, in the words of detail and claim."""
    return ApiError(400, "INVALID_OPERATION", "No operation was found with the provided identifier.", reason)


def approval_failed(reason: str) -> ApiError:
    return ApiError(401, "OPERATION_FAILED", "PowerAuth server operation approval fails", reason)


def rejection_failed(reason: str) -> ApiError:
    return ApiError(401, "OPERATION_FAILED", "PowerAuth server operation rejection fails", reason)


def operation_flag_required(flag: str) -> ApiError:
    message = f"Operation requires activation flag: {flag}, which is not present on activation."
    return ApiError(400, "OPERATION_REQUIRES_ACTIVATION_FLAG", message, message)


_STATE_ERRORS = {
    "APPROVED": ("OPERATION_ALREADY_FINISHED", "Operation was already completed"),
    "REJECTED": ("OPERATION_ALREADY_FINISHED", "Operation was already completed"),
    "FAILED": ("OPERATION_ALREADY_FAILED", "Operation already failed"),
    "CANCELED": ("OPERATION_ALREADY_CANCELED", "Operation was already canceled"),
    "EXPIRED": ("OPERATION_EXPIRED", "Operation already expired"),
}


def operation_state(status: str) -> ApiError:
    """The error that a finished operation answers with (operations.md §8)."""
    code, message = _STATE_ERRORS[status]
    return ApiError(400, code, message, f"operation is {status}")


def remote_communication_failed(reason: str) -> ApiError:
    """409 of an approval while the back end is down: the one call that tells an outage."""
    return ApiError(409, "REMOTE_COMMUNICATION_ERROR", "Communication with remote system failed.", reason)


def invalid_push_request(reason: str) -> ApiError:
    return ApiError(400, "INVALID_REQUEST", "Invalid request object.", reason)


def push_failed(reason: str) -> ApiError:
    return ApiError(400, "PUSH_REGISTRATION_FAILED", "Push registration failed in Mobile Token API component.", reason)


def inbox_failed(reason: str) -> ApiError:
    return ApiError(400, "INBOX_FAILED", "Unable to process inbox request.", reason)


def configuration_error(reason: str) -> ApiError:
    return ApiError(400, "APPLICATION_CONFIGURATION_ERROR", "Unable to fetch application configuration.", reason)


def not_found(reason: str) -> ApiError:
    """404 of the admin API."""
    return ApiError(404, "ERROR_NOT_FOUND", reason, reason)


def wrong_state(reason: str) -> ApiError:
    """409 of the admin API: the record is in a state that forbids the call."""
    return ApiError(409, "WRONG_STATE", reason, reason)


def bad_input(reason: str) -> ApiError:
    """400 of the admin API."""
    return ApiError(400, "BAD_INPUT", reason, reason)


def sentence(text: str) -> str:
    """A reason as a person reads it."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def explained(error: Exception) -> str:
    """A validator's findings as sentences: what is wrong with which member."""
    find: Any = getattr(error, "errors", None)
    return " ".join(map(_sentence, find())) if callable(find) else str(error)


def _sentence(finding: Dict[str, Any]) -> str:
    *places, last = [str(place) for place in finding["loc"]] or ["body"]
    names = ".".join([place for place in places if place not in ("body", "query", "path")] + [last])
    if finding["type"] == "extra_forbidden":
        return f"{names} does not exist here."
    if finding["type"] == "missing":
        return f"{names} is missing."
    if finding["type"] == "json_invalid":
        return "The body is not JSON."
    words = finding["msg"].removeprefix("Value error, ")
    return f"{names}: {words[:1].lower()}{words[1:]}."
