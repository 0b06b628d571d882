"""Refusals and the envelopes they answer with (REST §4, errors §3).

`reason` is for the server's log and audit only. What the client sees is generic on purpose.
"""

from __future__ import annotations

from typing import Any, Dict


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


class AuthenticationError(ApiError):
    """401 of the standard API."""

    def __init__(self, message: str, reason: str):
        super().__init__(401, "ERR_AUTHENTICATION", message, reason)


def signature_invalid(reason: str) -> ApiError:
    return AuthenticationError("POWER_AUTH_SIGNATURE_INVALID", reason)


def signature_type_invalid(reason: str) -> ApiError:
    return AuthenticationError("POWER_AUTH_SIGNATURE_TYPE_INVALID", reason)


def header_missing(reason: str) -> ApiError:
    return AuthenticationError("POWER_AUTH_HTTP_HEADER_MISSING", reason)


def token_invalid(reason: str) -> ApiError:
    return AuthenticationError("POWER_AUTH_TOKEN_INVALID", reason)


def token_error(reason: str) -> ApiError:
    return AuthenticationError("POWER_AUTH_TOKEN_ERROR", reason)


def request_invalid(reason: str) -> ApiError:
    return AuthenticationError("POWER_AUTH_REQUEST_INVALID", reason)


def activation_invalid(reason: str) -> ApiError:
    return ApiError(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", reason)


def recovery_invalid(reason: str) -> ApiError:
    return ApiError(400, "ERR_RECOVERY", "POWER_AUTH_RECOVERY_INVALID", reason)


def recovery_puk_invalid(reason: str, puk_index: int) -> ApiError:
    """A wrong PUK while another one is still valid (REST §6.9)."""
    return ApiError(
        400, "INVALID_RECOVERY_CODE", "POWER_AUTH_RECOVERY_INVALID", reason, currentRecoveryPukIndex=puk_index
    )


def vault_invalid(reason: str) -> ApiError:
    return ApiError(400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID", reason)


def encryption_failed(reason: str) -> ApiError:
    return ApiError(400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED", reason)


def upgrade_failed(reason: str) -> ApiError:
    return ApiError(400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", reason)


def user_info_failed(reason: str) -> ApiError:
    return ApiError(400, "ERR_USER_INFO", "Unable to fetch user information", reason)


def temporary_key_failed(reason: str) -> ApiError:
    return ApiError(400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE", reason)


def authentication_failed(reason: str) -> ApiError:
    """401 of the Mobile Token API: wrong PIN, bad token, blocked activation."""
    return ApiError(401, "POWERAUTH_AUTH_FAIL", "Authentication failed", reason)


def invalid_request(reason: str) -> ApiError:
    return ApiError(400, "INVALID_REQUEST", "Invalid request", reason)


def activation_not_configured(reason: str) -> ApiError:
    """The device lost its right to mobile authentication (method not available)."""
    return ApiError(400, "ACTIVATION_NOT_CONFIGURED", "Mobile token is not configured for the activation", reason)


def invalid_operation(reason: str) -> ApiError:
    return ApiError(400, "INVALID_OPERATION", "Operation is unknown or in an unexpected state", reason)


def operation_failed(reason: str) -> ApiError:
    return ApiError(401, "OPERATION_FAILED", "Operation was not carried out", reason)


def operation_flag_required(reason: str) -> ApiError:
    return ApiError(400, "OPERATION_REQUIRES_ACTIVATION_FLAG", "Operation requires an activation flag", reason)


_STATE_ERRORS = {
    "APPROVED": ("OPERATION_ALREADY_FINISHED", "Operation was already completed"),
    "REJECTED": ("OPERATION_ALREADY_FINISHED", "Operation was already completed"),
    "FAILED": ("OPERATION_ALREADY_FAILED", "Operation already failed"),
    "CANCELED": ("OPERATION_ALREADY_CANCELED", "Operation was already canceled"),
    "EXPIRED": ("OPERATION_EXPIRED", "Operation has expired"),
}


def operation_state(status: str) -> ApiError:
    """The error that a finished operation answers with (operations §8)."""
    code, message = _STATE_ERRORS[status]
    return ApiError(400, code, message, f"operation is {status}")


def push_failed(reason: str) -> ApiError:
    return ApiError(400, "PUSH_REGISTRATION_FAILED", "Push registration failed", reason)


def inbox_failed(reason: str) -> ApiError:
    return ApiError(400, "INBOX_FAILED", "Inbox call failed", reason)


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
