"""The C interface as ctypes sees it: constants, structs and prototypes of mtoken.h under their C names, one for one.

Tests/contract.py compares this file with the header. Nothing here loads the library: see `_library`.
"""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any, Dict, List, Tuple, Type, TypeVar

Prototype = Tuple[Any, List[Any]]
S = TypeVar("S", bound=Structure)

# base.h
MTOKEN_VERSION = "1.0.0"
MTOKEN_ABI_VERSION = 1
MTOKEN_OK = 0
MTOKEN_NUL_TERMINATED = -1  # SIZE_MAX, as ctypes makes a size_t of it
MTOKEN_FOREVER = -1

# error.h
MTOKEN_ERROR_ARGUMENT = 1
MTOKEN_ERROR_HANDLE = 2
MTOKEN_ERROR_STATE = 3
MTOKEN_ERROR_NOT_ACTIVATED = 4
MTOKEN_ERROR_PENDING = 5
MTOKEN_ERROR_CANCELLED = 6
MTOKEN_ERROR_TIMEOUT = 7
MTOKEN_ERROR_NETWORK = 8
MTOKEN_ERROR_TLS = 9
MTOKEN_ERROR_PIN_MISMATCH = 10
MTOKEN_ERROR_HTTP = 11
MTOKEN_ERROR_SERVER = 12
MTOKEN_ERROR_AUTHENTICATION = 13
MTOKEN_ERROR_PROTOCOL = 14
MTOKEN_ERROR_DECRYPTION = 15
MTOKEN_ERROR_SIGNATURE = 16
MTOKEN_ERROR_STORAGE = 17
MTOKEN_ERROR_TAMPERED = 18
MTOKEN_ERROR_BUSY = 19
MTOKEN_ERROR_PARSE = 20
MTOKEN_ERROR_NOT_FOUND = 21
MTOKEN_ERROR_FACTOR = 22
MTOKEN_ERROR_UNSUPPORTED = 23
MTOKEN_ERROR_CONFIGURATION = 24
MTOKEN_ERROR_INTERNAL = 25
MTOKEN_ERROR_PENDING_COMMIT = 26
MTOKEN_ERROR_BLOCKED = 27
MTOKEN_ERROR_REMOVED = 28
MTOKEN_OUTCOME_NOT_SENT = 0
MTOKEN_OUTCOME_UNKNOWN = 1
MTOKEN_OUTCOME_ANSWERED = 2
MTOKEN_NETWORK_NONE = 0
MTOKEN_NETWORK_NOT_CONNECTED = 1
MTOKEN_NETWORK_HOST_NOT_FOUND = 2
MTOKEN_NETWORK_CONNECTION_REFUSED = 3
MTOKEN_NETWORK_CONNECTION_LOST = 4
MTOKEN_NETWORK_TIMEOUT = 5
MTOKEN_NETWORK_PROXY = 6
MTOKEN_NETWORK_NOT_HTTP = 7
MTOKEN_NETWORK_TOO_LARGE = 8
MTOKEN_TLS_FAULT_NONE = 0
MTOKEN_TLS_FAULT_HANDSHAKE = 1
MTOKEN_TLS_FAULT_UNTRUSTED = 2
MTOKEN_TLS_FAULT_SELF_SIGNED = 3
MTOKEN_TLS_FAULT_EXPIRED = 4
MTOKEN_TLS_FAULT_NOT_YET_VALID = 5
MTOKEN_TLS_FAULT_WRONG_HOST = 6
MTOKEN_TLS_FAULT_REVOKED = 7
MTOKEN_TLS_FAULT_WEAK = 8
MTOKEN_TLS_FAULT_OTHER = 9
MTOKEN_TLS_FAULT_PIN_MISMATCH = 10
MTOKEN_SERVER_CODE_UNKNOWN = 0
MTOKEN_SERVER_CODE_ERROR_GENERIC = 1
MTOKEN_SERVER_CODE_ERROR_NOT_FOUND = 2
MTOKEN_SERVER_CODE_POWERAUTH_AUTH_FAIL = 3
MTOKEN_SERVER_CODE_INVALID_REQUEST = 4
MTOKEN_SERVER_CODE_INVALID_ACTIVATION = 5
MTOKEN_SERVER_CODE_INVALID_APPLICATION = 6
MTOKEN_SERVER_CODE_INVALID_OPERATION = 7
MTOKEN_SERVER_CODE_ERR_ACTIVATION = 8
MTOKEN_SERVER_CODE_ERR_AUTHENTICATION = 9
MTOKEN_SERVER_CODE_ERR_SECURE_VAULT = 10
MTOKEN_SERVER_CODE_ERR_ENCRYPTION = 11
MTOKEN_SERVER_CODE_PUSH_REGISTRATION_FAILED = 12
MTOKEN_SERVER_CODE_OPERATION_ALREADY_FINISHED = 13
MTOKEN_SERVER_CODE_OPERATION_ALREADY_FAILED = 14
MTOKEN_SERVER_CODE_OPERATION_ALREADY_CANCELED = 15
MTOKEN_SERVER_CODE_OPERATION_EXPIRED = 16
MTOKEN_SERVER_CODE_OPERATION_FAILED = 17
MTOKEN_SERVER_CODE_OPERATION_REQUIRES_ACTIVATION_FLAG = 18
MTOKEN_SERVER_CODE_ERR_CONFIG = 19
MTOKEN_SERVER_CODE_INBOX_FAILED = 20
MTOKEN_SERVER_CODE_APPLICATION_CONFIGURATION_ERROR = 21
MTOKEN_SERVER_CODE_ACTIVATION_CODE_FAILED = 22
MTOKEN_SERVER_CODE_REMOTE_COMMUNICATION_ERROR = 23
MTOKEN_SERVER_CODE_ACTIVATION_NOT_ACTIVE = 24
MTOKEN_SERVER_CODE_ACTIVATION_NOT_CONFIGURED = 25
MTOKEN_SERVER_CODE_ONBOARDING_FAILED = 26
MTOKEN_SERVER_CODE_ONBOARDING_PROCESS_LIMIT_REACHED = 27
MTOKEN_SERVER_CODE_TOO_MANY_ONBOARDING_PROCESSES = 28
MTOKEN_SERVER_CODE_ONBOARDING_OTP_FAILED = 29
MTOKEN_SERVER_CODE_INVALID_DOCUMENT = 30
MTOKEN_SERVER_CODE_DOCUMENT_SUBMIT_FAILED = 31
MTOKEN_SERVER_CODE_IDENTITY_VERIFICATION_FAILED = 32
MTOKEN_SERVER_CODE_IDENTITY_VERIFICATION_LIMIT_REACHED = 33
MTOKEN_SERVER_CODE_DOCUMENT_VERIFICATION_FAILED = 34
MTOKEN_SERVER_CODE_PRESENCE_CHECK_FAILED = 35
MTOKEN_SERVER_CODE_PRESENCE_CHECK_NOT_ENABLED = 36
MTOKEN_SERVER_CODE_PRESENCE_CHECK_LIMIT_REACHED = 37
MTOKEN_SERVER_CODE_TOO_MANY_REQUESTS = 38

# runtime.h
MTOKEN_EVENT_MASK_NONE = 0
MTOKEN_EVENT_MASK_TASKS = 1
MTOKEN_EVENT_MASK_STATE = 2
MTOKEN_EVENT_MASK_LOG = 4
MTOKEN_EVENT_MASK_CHALLENGES = 64
MTOKEN_EVENT_MASK_OPERATIONS = 8
MTOKEN_EVENT_MASK_TRACE = 16
MTOKEN_EVENT_MASK_ALL = 2147483647
MTOKEN_LOG_OFF = 0
MTOKEN_LOG_ERROR = 1
MTOKEN_LOG_WARNING = 2
MTOKEN_LOG_INFO = 3
MTOKEN_LOG_DEBUG = 4

# task.h
MTOKEN_TASK_RUNNING = 0
MTOKEN_TASK_SUCCEEDED = 1
MTOKEN_TASK_FAILED = 2
MTOKEN_TASK_CANCELLED = 3

# event.h
MTOKEN_EVENT_TASK = 1
MTOKEN_EVENT_STATE_STORED = 2
MTOKEN_EVENT_LOG = 3
MTOKEN_EVENT_CHALLENGE = 16
MTOKEN_EVENT_OPERATIONS_CHANGED = 4
MTOKEN_EVENT_OPERATIONS_FAILED = 5
MTOKEN_EVENT_OPERATIONS_LOADING = 6
MTOKEN_EVENT_OPERATIONS_EXPIRED = 7
MTOKEN_EVENT_TRACE = 8
MTOKEN_EVENT_POLLING_WAITS = 9
MTOKEN_EVENT_POLLING_GOES_ON = 10

# client.h
MTOKEN_PROTOCOL_3_1 = 31
MTOKEN_PROTOCOL_3_2 = 32
MTOKEN_PROTOCOL_3_3 = 33
MTOKEN_TLS_SYSTEM = 0
MTOKEN_TLS_CA = 1
MTOKEN_TLS_UNSAFE = 2
MTOKEN_CLIENT_EMPTY = 0
MTOKEN_CLIENT_PENDING = 1
MTOKEN_CLIENT_ACTIVE = 2

# activation.h
MTOKEN_ACTIVATION_CREATED = 1
MTOKEN_ACTIVATION_PENDING_COMMIT = 2
MTOKEN_ACTIVATION_ACTIVE = 3
MTOKEN_ACTIVATION_BLOCKED = 4
MTOKEN_ACTIVATION_REMOVED = 5
MTOKEN_ACTIVATION_DEADLOCK = 128

# signing.h
MTOKEN_FACTOR_POSSESSION = 1
MTOKEN_FACTOR_KNOWLEDGE = 2
MTOKEN_FACTOR_BIOMETRY = 4
MTOKEN_KEY_MASTER = 0
MTOKEN_KEY_PERSONALIZED = 1

# vault.h
MTOKEN_SIGNATURE_FORM_DER = 0
MTOKEN_SIGNATURE_FORM_RAW = 1

# request.h
MTOKEN_SCOPE_APPLICATION = 1
MTOKEN_SCOPE_ACTIVATION = 2
MTOKEN_ENCRYPT_THEN_SIGN = 0
MTOKEN_SIGN_THEN_ENCRYPT = 1
# data.h
MTOKEN_FIELD_EMPTY = 0
MTOKEN_FIELD_AMOUNT = 1
MTOKEN_FIELD_ACCOUNT = 2
MTOKEN_FIELD_ANY_ACCOUNT = 3
MTOKEN_FIELD_DATE = 4
MTOKEN_FIELD_REFERENCE = 5
MTOKEN_FIELD_NOTE = 6
MTOKEN_FIELD_TEXT = 7
MTOKEN_FIELD_OTHER = 8
MTOKEN_TEMPLATE_GENERIC = 0
MTOKEN_TEMPLATE_PAYMENT = 1
MTOKEN_TEMPLATE_LOGIN = 2

# qr.h
MTOKEN_KEY_PERSONALIZED_MAC = 2
MTOKEN_VERIFIED_NOT_CHECKED = 0
MTOKEN_VERIFIED_VALID = 1
MTOKEN_VERIFIED_INVALID = 2
MTOKEN_VERIFIED_UNSUPPORTED = 3

# operation.h
MTOKEN_UNSET = -1
MTOKEN_NO = 0
MTOKEN_YES = 1
MTOKEN_OPERATION_UNKNOWN = 0
MTOKEN_OPERATION_PENDING = 1
MTOKEN_OPERATION_APPROVED = 2
MTOKEN_OPERATION_REJECTED = 3
MTOKEN_OPERATION_CANCELED = 4
MTOKEN_OPERATION_EXPIRED = 5
MTOKEN_OPERATION_FAILED = 6
MTOKEN_SIGNATURE_TYPE_UNKNOWN = 0
MTOKEN_SIGNATURE_TYPE_1FA = 1
MTOKEN_SIGNATURE_TYPE_2FA = 2
MTOKEN_SIGNATURE_TYPE_ECDSA = 3
MTOKEN_VARIANT_POSSESSION = 1
MTOKEN_VARIANT_POSSESSION_KNOWLEDGE = 2
MTOKEN_VARIANT_POSSESSION_BIOMETRY = 4
MTOKEN_ATTRIBUTE_UNKNOWN = 0
MTOKEN_ATTRIBUTE_AMOUNT = 1
MTOKEN_ATTRIBUTE_AMOUNT_CONVERSION = 2
MTOKEN_ATTRIBUTE_KEY_VALUE = 3
MTOKEN_ATTRIBUTE_NOTE = 4
MTOKEN_ATTRIBUTE_HEADING = 5
MTOKEN_ATTRIBUTE_PARTY_INFO = 6
MTOKEN_ATTRIBUTE_IMAGE = 7
MTOKEN_ATTRIBUTE_ALERT = 8
MTOKEN_ALERT_INFO = 0
MTOKEN_ALERT_SUCCESS = 1
MTOKEN_ALERT_WARNING = 2
MTOKEN_ALERT_ERROR = 3
MTOKEN_SCREEN_UNKNOWN = 0
MTOKEN_SCREEN_WARNING = 1
MTOKEN_SCREEN_INFO = 2
MTOKEN_SCREEN_QR_SCAN = 3
MTOKEN_ELEMENT_UNKNOWN = 0
MTOKEN_ELEMENT_LIST_ITEM = 1
MTOKEN_ELEMENT_ALERT = 2
MTOKEN_ELEMENT_BUTTON = 3
MTOKEN_POST_SCREEN_UNKNOWN = 0
MTOKEN_POST_SCREEN_REVIEW = 1
MTOKEN_POST_SCREEN_MERCHANT_REDIRECT = 2
MTOKEN_POST_SCREEN_GENERIC = 3

# operations.h
MTOKEN_PROXIMITY_QR_CODE = 1
MTOKEN_PROXIMITY_DEEPLINK = 2
MTOKEN_PAC_DEEPLINK = 1
MTOKEN_PAC_DEEPLINK_JWT = 2
MTOKEN_PAC_JWT = 3
MTOKEN_TOTP_SHA256 = 0
MTOKEN_TOTP_SHA512 = 1
MTOKEN_REJECT_UNKNOWN = "UNKNOWN"
MTOKEN_REJECT_INCORRECT_DATA = "INCORRECT_DATA"
MTOKEN_REJECT_UNEXPECTED_OPERATION = "UNEXPECTED_OPERATION"
MTOKEN_REJECT_PREAPPROVAL = "PREAPPROVAL"

# push.h
MTOKEN_PUSH_PLATFORM_APNS = 1
MTOKEN_PUSH_PLATFORM_FCM = 2
MTOKEN_PUSH_PLATFORM_HMS = 3
MTOKEN_PUSH_ENVIRONMENT_DEFAULT = 0
MTOKEN_PUSH_ENVIRONMENT_DEVELOPMENT = 1
MTOKEN_PUSH_ENVIRONMENT_PRODUCTION = 2
MTOKEN_PUSH_KIND_OPERATION_CREATED = 1
MTOKEN_PUSH_KIND_OPERATION_FINISHED = 2
MTOKEN_PUSH_KIND_INBOX_MESSAGE = 3
MTOKEN_PUSH_RESULT_UNKNOWN = 0
MTOKEN_PUSH_RESULT_SUCCESS = 1
MTOKEN_PUSH_RESULT_FAIL = 2
MTOKEN_PUSH_RESULT_TIMEOUT = 3
MTOKEN_PUSH_RESULT_CANCELED = 4
MTOKEN_PUSH_RESULT_METHOD_NOT_AVAILABLE = 5

# inbox.h
MTOKEN_INBOX_UNKNOWN = 0
MTOKEN_INBOX_TEXT = 1
MTOKEN_INBOX_HTML = 2

# mobile_auth.h
MTOKEN_MOBILE_AUTH_OK = 0
MTOKEN_MOBILE_AUTH_DEVICE_DEREGISTERED = 1
MTOKEN_MOBILE_AUTH_USER_DEREGISTERED = 2
MTOKEN_MOBILE_AUTH_ACTION_CANCELLED = 3
MTOKEN_MOBILE_AUTH_NETWORK_CONNECTIVITY = 4
MTOKEN_MOBILE_AUTH_SERVER_NOT_REACHABLE = 5
MTOKEN_MOBILE_AUTH_NOT_FOUND = 6
MTOKEN_MOBILE_AUTH_NOT_HANDLEABLE = 7
MTOKEN_MOBILE_AUTH_USER_DISENROLLED = 8
MTOKEN_MOBILE_AUTH_NOT_ENROLLED = 9
MTOKEN_MOBILE_AUTH_ALREADY_IN_PROGRESS = 10
MTOKEN_MOBILE_AUTH_CONFIGURATION_INVALID = 11
MTOKEN_MOBILE_AUTH_EXPIRED = 12
MTOKEN_MOBILE_AUTH_OTHER = 13
MTOKEN_MOBILE_AUTH_PROXIMITY_REQUIRED = 14
MTOKEN_AUTHENTICATOR_NONE = 0
MTOKEN_AUTHENTICATOR_PIN = 1
MTOKEN_AUTHENTICATOR_BIOMETRIC = 2
MTOKEN_AUTHENTICATOR_CUSTOM = 3
MTOKEN_CHALLENGE_CONFIRMATION = 1
MTOKEN_CHALLENGE_PIN = 2
MTOKEN_CHALLENGE_BIOMETRIC = 3
MTOKEN_CHALLENGE_CUSTOM = 4
MTOKEN_CHALLENGE_PROXIMITY = 5

# registry.h
MTOKEN_FETCH_NONE = 0
MTOKEN_FETCH_SUCCEEDED = 1
MTOKEN_FETCH_FAILED = 2
MTOKEN_POLLING_OFF = 0
MTOKEN_POLLING_ON = 1
MTOKEN_POLLING_PAUSED = 2
MTOKEN_POLLING_WAITING = 3
MTOKEN_ATTACHED_PROXIMITY = 1
MTOKEN_ATTACHED_MOBILE_TOKEN_DATA = 2
MTOKEN_CONTRADICTION_AMOUNT = 1
MTOKEN_CONTRADICTION_CURRENCY = 2
MTOKEN_CONTRADICTION_ACCOUNT = 4
MTOKEN_CONTRADICTION_AMOUNT_HIDDEN = 8
MTOKEN_CONTRADICTION_ACCOUNT_HIDDEN = 16
MTOKEN_CONTRADICTION_AMOUNT_TEXT = 32
MTOKEN_CONTRADICTION_UNSIGNED_AMOUNT = 64
MTOKEN_CONTRADICTION_LOST_ROW = 128
MTOKEN_CONTRADICTION_UNREADABLE = 256

# token_data.h
MTOKEN_ACTION_CONTINUE = "CONTINUE"
MTOKEN_ACTION_BACK = "BACK"
MTOKEN_ACTION_CLOSE = "CLOSE"
MTOKEN_ACTION_REJECT = "REJECT"
MTOKEN_ACTION_SCAN = "SCAN"

# visual.h
MTOKEN_CELL_TITLE = 1
MTOKEN_CELL_MESSAGE = 2
MTOKEN_CELL_HEADING = 3
MTOKEN_CELL_IMAGE = 4
MTOKEN_CELL_VALUE = 5
MTOKEN_JSON_NULL = 0
MTOKEN_JSON_BOOLEAN = 1
MTOKEN_JSON_INTEGER = 2
MTOKEN_JSON_REAL = 3
MTOKEN_JSON_TEXT = 4
MTOKEN_JSON_ARRAY = 5
MTOKEN_JSON_OBJECT = 6

# trace.h
MTOKEN_TRACE_REQUEST = 1
MTOKEN_TRACE_ANSWER = 2
MTOKEN_TRACE_FAILURE = 3


mtoken_status = c_int32


class mtoken_runtime(Structure):
    """Opaque."""


class mtoken_client(Structure):
    """Opaque."""


class mtoken_store(Structure):
    """Opaque."""


class mtoken_task(Structure):
    """Opaque."""


class mtoken_event(Structure):
    """Opaque."""


class mtoken_watcher(Structure):
    """Opaque."""


class mtoken_mobile_token_data(Structure):
    """Opaque."""


class mtoken_recorder(Structure):
    """Opaque."""


class mtoken_challenge(Structure):
    """Opaque."""


class mtoken_store_reply(Structure):
    """Opaque."""


class mtoken_oidc_request(Structure):
    """Opaque."""


# The functions of a host's store.
load_function = CFUNCTYPE(mtoken_status, c_void_p, c_char_p, POINTER(mtoken_store_reply))
save_function = CFUNCTYPE(mtoken_status, c_void_p, c_char_p, POINTER(c_uint8), c_size_t)
remove_function = CFUNCTYPE(mtoken_status, c_void_p, c_char_p)
release_function = CFUNCTYPE(None, c_void_p)


class mtoken_text(Structure):
    _fields_ = [
        ("data", c_char_p),
        ("length", c_size_t),
    ]


class mtoken_bytes(Structure):
    _fields_ = [
        ("data", POINTER(c_uint8)),
        ("length", c_size_t),
    ]


class mtoken_text(Structure):
    _fields_ = [
        ("text", POINTER(c_char)),
        ("length", c_size_t),
    ]


class mtoken_bytes(Structure):
    _fields_ = [
        ("bytes", POINTER(c_uint8)),
        ("length", c_size_t),
    ]


class mtoken_error(Structure):
    _fields_ = [
        ("code", c_int32),
        ("outcome", c_int32),
        ("reason", c_char_p),
        ("message", c_char_p),
        ("http_status", c_int32),
        ("transport_code", c_int32),
        ("server_code", c_char_p),
        ("server_message", c_char_p),
        ("remaining_attempts", c_int32),
        ("retriable", c_int32),
        ("byte_offset", c_int64),
        ("not_connected", c_int32),
        ("not_trusted", c_int32),
        ("server_uri", c_char_p),
        ("recovery_puk_index", c_int32),
        ("network", c_int32),
        ("tls", c_int32),
        ("server_code_number", c_int32),
        ("cause", c_char_p),
        ("upstream_reason", c_char_p),
        ("line", c_int32),
        ("reserved", c_int32),
        ("retry_after_ms", c_int64),
        ("correlation_id", c_char_p),
    ]


class mtoken_runtime_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("events", c_int32),
        ("log_level", c_int32),
        ("max_transfers", c_int32),
        ("reserved", c_int32),
    ]


class mtoken_host_store(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("context", c_void_p),
        ("load", load_function),
        ("save", save_function),
        ("remove", remove_function),
        ("release", release_function),
    ]


class mtoken_tls_pin(Structure):
    _fields_ = [
        ("sha256", mtoken_text),
        ("expires", c_int64),
    ]


class mtoken_header_text(Structure):
    _fields_ = [("name", mtoken_text), ("value", mtoken_text)]


class mtoken_client_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("id", mtoken_text),
        ("configuration", mtoken_text),
        ("base_url", mtoken_text),
        ("operations_url", mtoken_text),
        ("store", POINTER(mtoken_store)),
        ("device_secret", mtoken_bytes),
        ("protocol", c_int32),
        ("tls", c_int32),
        ("ca_file", mtoken_text),
        ("pins", POINTER(mtoken_tls_pin)),
        ("pin_count", c_size_t),
        ("allow_http", c_int32),
        ("timeout_ms", c_int32),
        ("proxy", mtoken_text),
        ("language", mtoken_text),
        ("user_agent", mtoken_text),
        ("application", mtoken_text),
        ("label", mtoken_text),
        ("headers", POINTER(mtoken_header_text)),
        ("header_count", c_size_t),
        ("strict", c_int32),
        ("correlation", c_int32),
        ("tolerated", c_int32),
        ("reserved", c_int32),
        ("external_key", mtoken_bytes),
    ]


class mtoken_call_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("timeout_ms", c_int32),
        ("reserved", c_int32),
        ("language", mtoken_text),
        ("user_agent", mtoken_text),
        ("headers", POINTER(mtoken_header_text)),
        ("header_count", c_size_t),
        ("correlation_id", mtoken_text),
    ]


class mtoken_client_info(Structure):
    _fields_ = [
        ("state", c_int32),
        ("protocol", c_int32),
        ("id", c_char_p),
        ("activation_id", c_char_p),
        ("fingerprint", c_char_p),
        ("has_biometry", c_int32),
        ("has_recovery_data", c_int32),
        ("time_synchronized", c_int32),
        ("time_adjustment", c_int64),
        ("time", c_int64),
        ("status_known", c_int32),
        ("activation_state", c_int32),
        ("remaining_attempts", c_int32),
        ("authenticator_count", c_size_t),
        ("authenticators", POINTER(c_char_p)),
        ("uses_external_key", c_int32),
        ("has_external_key", c_int32),
        ("user_info", c_char_p),
        ("unacknowledged_signatures", c_int32),
        ("counter_window", c_int32),
        ("time_precision", c_int64),
    ]


class mtoken_auth(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("pin", mtoken_bytes),
        ("biometry_key", mtoken_bytes),
        ("factors", c_int32),
        ("reserved", c_int32),
        ("authenticator", mtoken_text),
    ]


class mtoken_header(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("value", POINTER(c_char)),
        ("value_length", c_size_t),
    ]


class mtoken_activation_code(Structure):
    _fields_ = [
        ("code", c_char_p),
        ("signature", c_char_p),
    ]


class mtoken_identity_attribute(Structure):
    _fields_ = [
        ("name", mtoken_text),
        ("value", mtoken_text),
    ]


class mtoken_activation_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("code", mtoken_text),
        ("otp", mtoken_text),
        ("name", mtoken_text),
        ("extras", mtoken_text),
        ("custom_attributes", mtoken_text),
        ("platform", mtoken_text),
        ("device_info", mtoken_text),
        ("recovery_code", mtoken_text),
        ("recovery_puk", mtoken_text),
        ("identity", POINTER(mtoken_identity_attribute)),
        ("identity_count", c_size_t),
        ("oidc_provider", mtoken_text),
        ("oidc_code", mtoken_text),
        ("oidc_nonce", mtoken_text),
        ("oidc_code_verifier", mtoken_text),
    ]


class mtoken_activation(Structure):
    _fields_ = [
        ("activation_id", c_char_p),
        ("fingerprint", c_char_p),
        ("recovery_code", c_char_p),
        ("recovery_puk", c_char_p),
        ("custom_attributes", c_char_p),
        ("user_info", c_char_p),
    ]


class mtoken_activation_detail(Structure):
    _fields_ = [
        ("activation_id", c_char_p),
        ("activation_name", c_char_p),
    ]


class mtoken_activation_status(Structure):
    _fields_ = [
        ("state", c_int32),
        ("failed_attempts", c_int32),
        ("max_failed_attempts", c_int32),
        ("remaining_attempts", c_int32),
        ("custom_object", c_char_p),
    ]


class mtoken_user_address(Structure):
    _fields_ = [
        ("formatted", c_char_p),
        ("street_address", c_char_p),
        ("locality", c_char_p),
        ("region", c_char_p),
        ("postal_code", c_char_p),
        ("country", c_char_p),
    ]


class mtoken_user_info(Structure):
    _fields_ = [
        ("sub", c_char_p),
        ("name", c_char_p),
        ("given_name", c_char_p),
        ("family_name", c_char_p),
        ("middle_name", c_char_p),
        ("nickname", c_char_p),
        ("preferred_username", c_char_p),
        ("profile", c_char_p),
        ("picture", c_char_p),
        ("website", c_char_p),
        ("email", c_char_p),
        ("email_verified", c_int32),
        ("gender", c_char_p),
        ("birthdate", c_char_p),
        ("zoneinfo", c_char_p),
        ("locale", c_char_p),
        ("phone_number", c_char_p),
        ("phone_number_verified", c_int32),
        ("address", POINTER(mtoken_user_address)),
        ("has_updated_at", c_int32),
        ("updated_at", c_int64),
        ("json", POINTER(c_char)),
        ("json_length", c_size_t),
    ]


class mtoken_recovery(Structure):
    _fields_ = [
        ("code", c_char_p),
        ("puk", c_char_p),
    ]


class mtoken_encrypt_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("scope", c_int32),
        ("order", c_int32),
        ("auth", POINTER(mtoken_auth)),
        ("uri_id", mtoken_text),
    ]


class mtoken_encrypted_request(Structure):
    _fields_ = [
        ("body", POINTER(c_uint8)),
        ("body_length", c_size_t),
        ("header_name", c_char_p),
        ("header_value", c_char_p),
    ]


class mtoken_operation_field(Structure):
    _fields_ = [
        ("type", c_int32),
        ("letter", c_uint32),
        ("raw", c_char_p),
        ("offset", c_size_t),
        ("text", c_char_p),
        ("amount", c_char_p),
        ("value", c_char_p),
        ("currency", c_char_p),
        ("iban", c_char_p),
        ("bic", c_char_p),
        ("iban_valid", c_int32),
        ("year", c_int32),
        ("month", c_int32),
        ("day", c_int32),
    ]


class mtoken_operation_fields(Structure):
    _fields_ = [
        ("text", c_char_p),
        ("text_length", c_size_t),
        ("version", c_int32),
        ("known_version", c_int32),
        ("template_id", c_int32),
        ("field_count", c_size_t),
        ("fields", POINTER(POINTER(mtoken_operation_field))),
    ]


class mtoken_field_input(Structure):
    _fields_ = [
        ("type", c_int32),
        ("year", c_int32),
        ("month", c_int32),
        ("day", c_int32),
        ("text", mtoken_text),
        ("amount", mtoken_text),
        ("currency", mtoken_text),
        ("iban", mtoken_text),
        ("bic", mtoken_text),
    ]


class mtoken_qr_operation(Structure):
    _fields_ = [
        ("verified", c_int32),
        ("key", c_int32),
        ("payload", c_char_p),
        ("payload_length", c_size_t),
        ("signed_length", c_size_t),
        ("id", c_char_p),
        ("title", c_char_p),
        ("message", c_char_p),
        ("raw_title", c_char_p),
        ("raw_message", c_char_p),
        ("data", POINTER(mtoken_operation_fields)),
        ("flags", c_char_p),
        ("biometry_allowed", c_int32),
        ("flip_buttons", c_int32),
        ("fraud_warning", c_int32),
        ("block_when_on_call", c_int32),
        ("unknown_flags", c_char_p),
        ("totp", c_char_p),
        ("newer_format", c_int32),
        ("extra_count", c_size_t),
        ("extras", POINTER(c_char_p)),
        ("nonce", c_char_p),
        ("nonce_bytes", POINTER(c_uint8)),
        ("signature", c_char_p),
        ("signature_bytes", POINTER(c_uint8)),
        ("signature_length", c_size_t),
    ]


class mtoken_qr_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("client", POINTER(mtoken_client)),
        ("configuration", mtoken_text),
        ("keep_unverified", c_int32),
        ("reserved", c_int32),
    ]


class mtoken_qr_authorize_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("uri_id", mtoken_text),
        ("component_length", c_int32),
        ("allow_unverified", c_int32),
    ]


class mtoken_qr_build_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("id", mtoken_text),
        ("title", mtoken_text),
        ("message", mtoken_text),
        ("data", mtoken_text),
        ("flags", mtoken_text),
        ("totp", mtoken_text),
        ("nonce", mtoken_bytes),
        ("private_key", mtoken_bytes),
        ("key", c_int32),
        ("reserved", c_int32),
    ]


class mtoken_pac(Structure):
    _fields_ = [
        ("operation_id", c_char_p),
        ("totp", c_char_p),
        ("source", c_int32),
        ("form", c_int32),
        ("header_valid", c_int32),
        ("has_signature", c_int32),
        ("algorithm", c_char_p),
    ]


class mtoken_pac_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("allowed", POINTER(mtoken_text)),
        ("allowed_count", c_size_t),
    ]


class mtoken_pac_build_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("operation_id", mtoken_text),
        ("totp", mtoken_text),
        ("link", mtoken_text),
        ("form", c_int32),
        ("reserved", c_int32),
    ]


class mtoken_amount(Structure):
    _fields_ = [
        ("amount", c_char_p),
        ("currency", c_char_p),
        ("amount_formatted", c_char_p),
        ("currency_formatted", c_char_p),
        ("value_formatted", c_char_p),
        ("value", c_double),
    ]


class mtoken_party(Structure):
    _fields_ = [
        ("logo_url", c_char_p),
        ("name", c_char_p),
        ("description", c_char_p),
        ("website_url", c_char_p),
    ]


class mtoken_attribute(Structure):
    _fields_ = [
        ("type", c_int32),
        ("type_text", c_char_p),
        ("id", c_char_p),
        ("label", c_char_p),
        ("amount", POINTER(mtoken_amount)),
        ("target", POINTER(mtoken_amount)),
        ("dynamic", c_int32),
        ("value", c_char_p),
        ("heading_level", c_int32),
        ("party", POINTER(mtoken_party)),
        ("thumbnail_url", c_char_p),
        ("original_url", c_char_p),
        ("alert_type", c_int32),
        ("alert_type_text", c_char_p),
        ("alert_title", c_char_p),
        ("alert_message", c_char_p),
        ("json", c_char_p),
    ]


class mtoken_screen_element(Structure):
    _fields_ = [
        ("type", c_int32),
        ("type_text", c_char_p),
        ("id", c_char_p),
        ("text", c_char_p),
        ("icon", c_char_p),
        ("style", c_char_p),
        ("action", c_char_p),
        ("action_settings", c_char_p),
        ("href", c_char_p),
    ]


class mtoken_screen_controls(Structure):
    _fields_ = [
        ("flip", c_int32),
        ("axis", c_char_p),
        ("decline_type", c_char_p),
        ("decline_text", c_char_p),
        ("approve_type", c_char_p),
        ("approve_text", c_char_p),
        ("approve_counter", c_int32),
    ]


class mtoken_pre_approval_screen(Structure):
    _fields_ = [
        ("type", c_int32),
        ("type_text", c_char_p),
        ("id", c_char_p),
        ("heading", c_char_p),
        ("message", c_char_p),
        ("back_button", c_int32),
        ("image", c_char_p),
        ("has_elements", c_int32),
        ("element_count", c_size_t),
        ("elements", POINTER(POINTER(mtoken_screen_element))),
        ("controls", POINTER(mtoken_screen_controls)),
    ]


class mtoken_legacy_screen(Structure):
    _fields_ = [
        ("type", c_int32),
        ("type_text", c_char_p),
        ("heading", c_char_p),
        ("message", c_char_p),
        ("has_items", c_int32),
        ("item_count", c_size_t),
        ("items", POINTER(c_char_p)),
        ("approval_type_text", c_char_p),
    ]


class mtoken_post_approval_screen(Structure):
    _fields_ = [
        ("type", c_int32),
        ("type_text", c_char_p),
        ("heading", c_char_p),
        ("message", c_char_p),
        ("attribute_count", c_size_t),
        ("attributes", POINTER(POINTER(mtoken_attribute))),
        ("redirect_text", c_char_p),
        ("redirect_url", c_char_p),
        ("countdown", c_int32),
        ("payload", c_char_p),
    ]


class mtoken_template_cell(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("style", c_char_p),
        ("visible_title", c_int32),
        ("can_copy", c_int32),
        ("collapsable", c_char_p),
        ("centered", c_int32),
    ]


class mtoken_template_section(Structure):
    _fields_ = [
        ("style", c_char_p),
        ("title", c_char_p),
        ("has_cells", c_int32),
        ("cell_count", c_size_t),
        ("cells", POINTER(POINTER(mtoken_template_cell))),
    ]


class mtoken_templates(Structure):
    _fields_ = [
        ("has_list", c_int32),
        ("list_style", c_char_p),
        ("list_header", c_char_p),
        ("list_title", c_char_p),
        ("list_message", c_char_p),
        ("list_image", c_char_p),
        ("has_detail", c_int32),
        ("detail_style", c_char_p),
        ("show_title_and_message", c_int32),
        ("has_sections", c_int32),
        ("section_count", c_size_t),
        ("sections", POINTER(POINTER(mtoken_template_section))),
    ]


class mtoken_operation_ui(Structure):
    _fields_ = [
        ("flip_buttons", c_int32),
        ("block_approval_on_call", c_int32),
        ("has_pre_approval_screens", c_int32),
        ("pre_approval_screen_count", c_size_t),
        ("pre_approval_screens", POINTER(POINTER(mtoken_pre_approval_screen))),
        ("legacy_pre_approval_screen", POINTER(mtoken_legacy_screen)),
        ("post_approval_screen", POINTER(mtoken_post_approval_screen)),
        ("templates", POINTER(mtoken_templates)),
    ]


class mtoken_operation(Structure):
    _fields_ = [
        ("id", c_char_p),
        ("name", c_char_p),
        ("data", c_char_p),
        ("status", c_int32),
        ("status_text", c_char_p),
        ("status_reason", c_char_p),
        ("created", c_int64),
        ("expires", c_int64),
        ("signature_type", c_int32),
        ("signature_type_text", c_char_p),
        ("variants", c_int32),
        ("unknown_variant_count", c_size_t),
        ("unknown_variants", POINTER(c_char_p)),
        ("biometry_allowed", c_int32),
        ("title", c_char_p),
        ("message", c_char_p),
        ("attribute_count", c_size_t),
        ("attributes", POINTER(POINTER(mtoken_attribute))),
        ("result_success", c_char_p),
        ("result_failure", c_char_p),
        ("result_reject", c_char_p),
        ("ui", POINTER(mtoken_operation_ui)),
        ("json", POINTER(c_char)),
        ("json_length", c_size_t),
        ("signed_data", POINTER(mtoken_operation_fields)),
        ("contradictions", c_int32),
        ("issue_count", c_size_t),
        ("issues", POINTER(c_char_p)),
    ]


class mtoken_operation_list(Structure):
    _fields_ = [
        ("count", c_size_t),
        ("operations", POINTER(POINTER(mtoken_operation))),
        ("skipped", c_size_t),
        ("has_server_time", c_int32),
        ("server_time", c_int64),
        ("issue_count", c_size_t),
        ("issues", POINTER(c_char_p)),
        ("further_issues", c_size_t),
        ("may_be_cut", c_int32),
    ]


class mtoken_authorize_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("check_factors", c_int32),
        ("mobile_token_data", mtoken_text),
        ("proximity_otp", mtoken_text),
        ("proximity_type", c_int32),
        ("proximity_received", c_int64),
        ("strict", c_int32),
        ("allow_unknown_status", c_int32),
        ("tolerated", c_int32),
        ("reserved", c_int32),
    ]


class mtoken_oidc_config(Structure):
    _fields_ = [
        ("provider_id", c_char_p),
        ("client_id", c_char_p),
        ("scopes", c_char_p),
        ("authorize_uri", c_char_p),
        ("redirect_uri", c_char_p),
        ("pkce_enabled", c_int32),
        ("issuer_required", c_int32),
        ("issuer", c_char_p),
    ]


class mtoken_oidc_parameter(Structure):
    _fields_ = [
        ("name", mtoken_text),
        ("value", mtoken_text),
    ]


class mtoken_oidc_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("config", POINTER(mtoken_oidc_config)),
        ("provider_id", mtoken_text),
        ("client_id", mtoken_text),
        ("scopes", mtoken_text),
        ("authorize_uri", mtoken_text),
        ("redirect_uri", mtoken_text),
        ("issuer", mtoken_text),
        ("issuer_required", c_int32),
        ("no_pkce", c_int32),
        ("pkce_bytes", c_int32),
        ("allow_http", c_int32),
        ("parameters", POINTER(mtoken_oidc_parameter)),
        ("parameter_count", c_size_t),
        ("lifetime_ms", c_int64),
    ]


class mtoken_oidc_authorization(Structure):
    _fields_ = [
        ("authorize_url", c_char_p),
        ("provider_id", c_char_p),
        ("redirect_uri", c_char_p),
        ("nonce", c_char_p),
        ("state", c_char_p),
        ("code_verifier", c_char_p),
        ("lacks_openid", c_int32),
    ]


class mtoken_oidc_attributes(Structure):
    _fields_ = [
        ("provider_id", c_char_p),
        ("code", c_char_p),
        ("nonce", c_char_p),
        ("code_verifier", c_char_p),
    ]
class mtoken_push_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("service", c_int32),
        ("environment", c_int32),
        ("token", mtoken_text),
        ("token_bytes", mtoken_bytes),
        ("legacy_server", c_int32),
        ("reserved", c_int32),
    ]


class mtoken_push_message(Structure):
    _fields_ = [
        ("kind", c_int32),
        ("operation_id", c_char_p),
        ("operation_name", c_char_p),
        ("result", c_int32),
        ("result_text", c_char_p),
        ("inbox_id", c_char_p),
        ("title", c_char_p),
        ("body", c_char_p),
        ("activation_id", c_char_p),
        ("silent", c_int32),
        ("json", POINTER(c_char)),
        ("json_length", c_size_t),
    ]


class mtoken_inbox_message(Structure):
    _fields_ = [
        ("id", c_char_p),
        ("subject", c_char_p),
        ("summary", c_char_p),
        ("body", c_char_p),
        ("type", c_int32),
        ("type_text", c_char_p),
        ("read", c_int32),
        ("created", c_int64),
    ]


class mtoken_inbox_list(Structure):
    _fields_ = [
        ("count", c_size_t),
        ("messages", POINTER(POINTER(mtoken_inbox_message))),
        ("skipped", c_size_t),
        ("more", c_int32),
    ]


class mtoken_operations_info(Structure):
    _fields_ = [
        ("count", c_size_t),
        ("operations", POINTER(POINTER(mtoken_operation))),
        ("loading", c_int32),
        ("last_fetch", c_int32),
        ("last_fetch_time", c_int64),
        ("last_error", POINTER(mtoken_error)),
        ("skipped", c_size_t),
        ("has_server_time", c_int32),
        ("server_time", c_int64),
        ("polling", c_int32),
        ("polling_interval", c_int64),
        ("may_be_cut", c_int32),
    ]


class mtoken_wait_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("timeout_ms", c_int64),
        ("auth", POINTER(mtoken_auth)),
    ]


class mtoken_polling_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("interval_ms", c_int64),
        ("delay_start", c_int32),
        ("has_push", c_int32),
        ("back_off", c_int32),
        ("jitter_percent", c_int32),
    ]


class mtoken_operations_change(Structure):
    _fields_ = [
        ("count", c_size_t),
        ("operations", POINTER(POINTER(mtoken_operation))),
        ("added_count", c_size_t),
        ("added", POINTER(POINTER(mtoken_operation))),
        ("removed_count", c_size_t),
        ("removed", POINTER(POINTER(mtoken_operation))),
        ("updated_count", c_size_t),
        ("updated", POINTER(POINTER(mtoken_operation))),
    ]


class mtoken_watched(Structure):
    _fields_ = [("id", c_char_p), ("data", c_char_p), ("expires", c_int64)]


class mtoken_watched_list(Structure):
    _fields_ = [("count", c_size_t), ("items", POINTER(POINTER(mtoken_watched)))]


class mtoken_visual_cell(Structure):
    _fields_ = [
        ("kind", c_int32),
        ("text", c_char_p),
        ("attribute", POINTER(mtoken_attribute)),
        ("layout", POINTER(mtoken_template_cell)),
    ]


class mtoken_visual_section(Structure):
    _fields_ = [
        ("style", c_char_p),
        ("title", c_char_p),
        ("cell_count", c_size_t),
        ("cells", POINTER(POINTER(mtoken_visual_cell))),
    ]


class mtoken_visual(Structure):
    _fields_ = [
        ("list_header", c_char_p),
        ("list_title", c_char_p),
        ("list_message", c_char_p),
        ("list_image_url", c_char_p),
        ("list_style", c_char_p),
        ("detail_style", c_char_p),
        ("section_count", c_size_t),
        ("sections", POINTER(POINTER(mtoken_visual_section))),
    ]


class mtoken_json_value(Structure):
    _fields_ = [
        ("kind", c_int32),
        ("json", c_char_p),
        ("json_length", c_size_t),
        ("text", c_char_p),
        ("integer", c_int64),
        ("number", c_double),
        ("boolean", c_int32),
        ("count", c_size_t),
    ]


class mtoken_trace(Structure):
    _fields_ = [
        ("stage", c_int32),
        ("request", c_int64),
        ("call", c_char_p),
        ("url", c_char_p),
        ("header_names", c_char_p),
        ("request_size", c_size_t),
        ("http_status", c_int32),
        ("answer_size", c_size_t),
        ("started_ms", c_int64),
        ("finished_ms", c_int64),
        ("reused_connection", c_int32),
        ("correlation_id", c_char_p),
        ("rate_limit", c_char_p),
        ("rate_remaining", c_char_p),
        ("rate_reset", c_char_p),
        ("retry_after", c_char_p),
        ("error", POINTER(mtoken_error)),
    ]


class mtoken_mobile_auth_request(Structure):
    _fields_ = [
        ("transaction_id", c_char_p),
        ("profile", c_char_p),
        ("date", c_int64),
        ("time_to_live", c_int64),
        ("type", c_char_p),
        ("message", c_char_p),
        ("user_info", POINTER(c_char)),
        ("user_info_length", c_size_t),
        ("operation", POINTER(mtoken_operation)),
    ]


class mtoken_mobile_auth_list(Structure):
    _fields_ = [("count", c_size_t), ("requests", POINTER(POINTER(mtoken_mobile_auth_request)))]


class mtoken_mobile_auth_options(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("handles_biometry", c_int32),
        ("handles_proximity", c_int32),
        ("authenticator", mtoken_text),
        ("prompt", mtoken_text),
        ("mobile_token_data", mtoken_text),
        ("proximity_otp", mtoken_text),
        ("proximity_received", c_int64),
        ("proximity_type", c_int32),
        ("reserved", c_int32),
    ]


class mtoken_mobile_auth_outcome(Structure):
    _fields_ = [
        ("request", POINTER(mtoken_mobile_auth_request)),
        ("error", c_int32),
        ("denied", c_int32),
        ("authenticator", c_int32),
        ("authenticator_name", c_char_p),
        ("custom_info", c_char_p),
        ("server_info", c_char_p),
    ]


class mtoken_challenge_info(Structure):
    _fields_ = [
        ("kind", c_int32),
        ("attempt", c_int32),
        ("request", POINTER(mtoken_mobile_auth_request)),
        ("previous_error", POINTER(mtoken_error)),
        ("remaining_attempts", c_int32),
        ("prompt", c_char_p),
        ("authenticator_name", c_char_p),
        ("custom_info", c_char_p),
        ("server_info", c_char_p),
    ]


runtime_handle = POINTER(mtoken_runtime)
client_handle = POINTER(mtoken_client)
store_handle = POINTER(mtoken_store)
task_handle = POINTER(mtoken_task)
event_handle = POINTER(mtoken_event)
challenge_handle = POINTER(mtoken_challenge)
oidc_request_handle = POINTER(mtoken_oidc_request)
oidc_options_in = POINTER(mtoken_oidc_options)
string_out = POINTER(POINTER(mtoken_text))
watcher_handle = POINTER(mtoken_watcher)
token_data_handle = POINTER(mtoken_mobile_token_data)
recorder_handle = POINTER(mtoken_recorder)
bytes_in = POINTER(c_uint8)
auth_in = POINTER(mtoken_auth)
task_out = POINTER(task_handle)
error_out = POINTER(POINTER(mtoken_error))

PROTOTYPES: Dict[str, Prototype] = {
    "mtoken_text_free": (None, [POINTER(mtoken_text)]),
    "mtoken_bytes_free": (None, [POINTER(mtoken_bytes)]),
    "mtoken_version": (c_char_p, []),
    "mtoken_abi_version": (c_int32, []),
    "mtoken_constant_value": (mtoken_status, [c_char_p, c_size_t, POINTER(c_int64)]),
    "mtoken_constant_at": (c_char_p, [c_size_t, POINTER(c_int64)]),
    "mtoken_error_free": (None, [POINTER(mtoken_error)]),
    "mtoken_error_name": (c_char_p, [c_int32]),
    "mtoken_error_description": (c_char_p, [c_int32]),
    "mtoken_runtime_new": (mtoken_status, [POINTER(mtoken_runtime_options), POINTER(runtime_handle), error_out]),
    "mtoken_runtime_free": (None, [runtime_handle]),
    "mtoken_runtime_next_event": (mtoken_status, [runtime_handle, c_int64, POINTER(event_handle), error_out]),
    "mtoken_runtime_fd": (c_int32, [runtime_handle]),
    "mtoken_task_wait": (mtoken_status, [task_handle, c_int64]),
    "mtoken_task_get_state": (c_int32, [task_handle]),
    "mtoken_task_result": (mtoken_status, [task_handle]),
    "mtoken_task_error": (POINTER(mtoken_error), [task_handle]),
    "mtoken_task_cancel": (mtoken_status, [task_handle]),
    "mtoken_task_set_user_data": (mtoken_status, [task_handle, c_void_p]),
    "mtoken_task_user_data": (c_void_p, [task_handle]),
    "mtoken_task_free": (None, [task_handle]),
    "mtoken_event_kind": (c_int32, [event_handle]),
    "mtoken_event_client": (client_handle, [event_handle]),
    "mtoken_event_task": (task_handle, [event_handle]),
    "mtoken_event_log_level": (c_int32, [event_handle]),
    "mtoken_event_message": (c_char_p, [event_handle]),
    "mtoken_event_time": (c_int64, [event_handle]),
    "mtoken_event_free": (None, [event_handle]),
    "mtoken_store_directory_new": (mtoken_status, [c_char_p, c_size_t, POINTER(store_handle), error_out]),
    "mtoken_store_memory_new": (mtoken_status, [POINTER(store_handle), error_out]),
    "mtoken_store_host_new": (mtoken_status, [POINTER(mtoken_host_store), POINTER(store_handle), error_out]),
    "mtoken_store_reply_set": (None, [POINTER(mtoken_store_reply), bytes_in, c_size_t]),
    "mtoken_store_free": (None, [store_handle]),
    "mtoken_client_new": (
        mtoken_status,
        [runtime_handle, POINTER(mtoken_client_options), POINTER(client_handle), error_out],
    ),
    "mtoken_client_free": (None, [client_handle]),
    "mtoken_client_get_info": (mtoken_status, [client_handle, POINTER(POINTER(mtoken_client_info)), error_out]),
    "mtoken_client_info_free": (None, [POINTER(mtoken_client_info)]),
    "mtoken_client_synchronize_time": (mtoken_status, [client_handle, task_out, error_out]),
    "mtoken_client_reset_time": (mtoken_status, [client_handle, error_out]),
    "mtoken_header_free": (None, [POINTER(mtoken_header)]),
    "mtoken_client_sign": (
        mtoken_status,
        [
            client_handle,
            c_char_p,
            c_size_t,
            c_char_p,
            c_size_t,
            bytes_in,
            c_size_t,
            auth_in,
            POINTER(POINTER(mtoken_header)),
            error_out,
        ],
    ),
    "mtoken_client_take_turn": (mtoken_status, [client_handle, task_out, error_out]),
    "mtoken_task_give_turn": (mtoken_status, [task_handle]),
    "mtoken_canonical_query": (mtoken_status, [c_char_p, c_size_t, POINTER(POINTER(mtoken_text)), error_out]),
    "mtoken_client_sign_offline": (
        mtoken_status,
        [
            client_handle,
            c_char_p,
            c_size_t,
            bytes_in,
            c_size_t,
            bytes_in,
            c_size_t,
            auth_in,
            c_int32,
            POINTER(POINTER(mtoken_text)),
            error_out,
        ],
    ),
    "mtoken_client_verify": (
        mtoken_status,
        [client_handle, c_int32, bytes_in, c_size_t, bytes_in, c_size_t, POINTER(c_int32), error_out],
    ),
    "mtoken_client_verify_form": (
        mtoken_status,
        [client_handle, c_int32, c_int32, bytes_in, c_size_t, bytes_in, c_size_t, POINTER(c_int32), error_out],
    ),
    "mtoken_random_bytes": (mtoken_status, [c_size_t, POINTER(POINTER(mtoken_bytes)), error_out]),
    "mtoken_sha256": (mtoken_status, [bytes_in, c_size_t, POINTER(POINTER(mtoken_bytes)), error_out]),
    "mtoken_hmac_sha256": (
        mtoken_status,
        [bytes_in, c_size_t, bytes_in, c_size_t, POINTER(POINTER(mtoken_bytes)), error_out],
    ),
    "mtoken_key_pair_new": (
        mtoken_status,
        [POINTER(POINTER(mtoken_bytes)), POINTER(POINTER(mtoken_bytes)), error_out],
    ),
    "mtoken_ecdsa_sign": (
        mtoken_status,
        [bytes_in, c_size_t, bytes_in, c_size_t, c_int32, POINTER(POINTER(mtoken_bytes)), error_out],
    ),
    "mtoken_ecdsa_verify": (
        mtoken_status,
        [bytes_in, c_size_t, bytes_in, c_size_t, bytes_in, c_size_t, c_int32, POINTER(c_int32), error_out],
    ),
    "mtoken_ecdh": (
        mtoken_status,
        [bytes_in, c_size_t, bytes_in, c_size_t, POINTER(POINTER(mtoken_bytes)), error_out],
    ),
    "mtoken_activation_code_parse": (
        mtoken_status,
        [c_char_p, c_size_t, POINTER(POINTER(mtoken_activation_code)), error_out],
    ),
    "mtoken_activation_code_free": (None, [POINTER(mtoken_activation_code)]),
    "mtoken_activation_code_correct": (c_uint32, [c_uint32]),
    "mtoken_recovery_code_is_valid": (c_int32, [c_char_p, c_size_t]),
    "mtoken_recovery_puk_is_valid": (c_int32, [c_char_p, c_size_t]),
    "mtoken_client_activate": (mtoken_status, [client_handle, POINTER(mtoken_activation_options), task_out, error_out]),
    "mtoken_task_activation": (POINTER(mtoken_activation), [task_handle]),
    "mtoken_client_persist": (mtoken_status, [client_handle, auth_in, error_out]),
    "mtoken_client_cancel_activation": (mtoken_status, [client_handle, error_out]),
    "mtoken_client_fetch_status": (mtoken_status, [client_handle, task_out, error_out]),
    "mtoken_client_wait_active": (mtoken_status, [client_handle, POINTER(mtoken_wait_options), task_out, error_out]),
    "mtoken_client_signature_accepted": (mtoken_status, [client_handle, error_out]),
    "mtoken_task_activation_status": (POINTER(mtoken_activation_status), [task_handle]),
    "mtoken_client_fetch_detail": (mtoken_status, [client_handle, auth_in, task_out, error_out]),
    "mtoken_task_activation_detail": (POINTER(mtoken_activation_detail), [task_handle]),
    "mtoken_client_remove": (mtoken_status, [client_handle, auth_in, task_out, error_out]),
    "mtoken_client_remove_local": (mtoken_status, [client_handle, error_out]),
    "mtoken_client_fetch_user_info": (mtoken_status, [client_handle, task_out, error_out]),
    "mtoken_task_user_info": (POINTER(mtoken_user_info), [task_handle]),
    "mtoken_client_validate_pin": (mtoken_status, [client_handle, bytes_in, c_size_t, task_out, error_out]),
    "mtoken_client_change_pin": (
        mtoken_status,
        [client_handle, bytes_in, c_size_t, bytes_in, c_size_t, task_out, error_out],
    ),
    "mtoken_client_change_pin_unsafe": (
        mtoken_status,
        [client_handle, bytes_in, c_size_t, bytes_in, c_size_t, error_out],
    ),
    "mtoken_client_add_biometry": (
        mtoken_status,
        [client_handle, bytes_in, c_size_t, c_char_p, c_size_t, auth_in, task_out, error_out],
    ),
    "mtoken_client_remove_biometry": (mtoken_status, [client_handle, c_char_p, c_size_t, error_out]),
    "mtoken_client_set_external_key": (mtoken_status, [client_handle, bytes_in, c_size_t, error_out]),
    "mtoken_client_add_external_key": (mtoken_status, [client_handle, bytes_in, c_size_t, error_out]),
    "mtoken_client_remove_external_key": (mtoken_status, [client_handle, error_out]),
    "mtoken_task_bytes": (POINTER(mtoken_bytes), [task_handle]),
    "mtoken_vault_fetch_key": (mtoken_status, [client_handle, c_uint64, auth_in, task_out, error_out]),
    "mtoken_vault_sign": (
        mtoken_status,
        [client_handle, bytes_in, c_size_t, c_int32, auth_in, task_out, error_out],
    ),
    "mtoken_vault_sign_jwt": (mtoken_status, [client_handle, c_char_p, c_size_t, auth_in, task_out, error_out]),
    "mtoken_recovery_fetch": (mtoken_status, [client_handle, auth_in, task_out, error_out]),
    "mtoken_task_recovery": (POINTER(mtoken_recovery), [task_handle]),
    "mtoken_recovery_confirm": (mtoken_status, [client_handle, c_char_p, c_size_t, auth_in, task_out, error_out]),
    "mtoken_task_already_confirmed": (c_int32, [task_handle]),
    "mtoken_client_encrypt": (
        mtoken_status,
        [client_handle, bytes_in, c_size_t, POINTER(mtoken_encrypt_options), task_out, error_out],
    ),
    "mtoken_task_encrypted_request": (POINTER(mtoken_encrypted_request), [task_handle]),
    "mtoken_task_decrypt": (
        mtoken_status,
        [task_handle, bytes_in, c_size_t, POINTER(POINTER(mtoken_bytes)), error_out],
    ),
    "mtoken_client_hmac": (
        mtoken_status,
        [client_handle, c_int32, bytes_in, c_size_t, POINTER(POINTER(mtoken_bytes)), error_out],
    ),
    "mtoken_token_create": (mtoken_status, [client_handle, c_char_p, c_size_t, auth_in, task_out, error_out]),
    "mtoken_token_get_header": (
        mtoken_status,
        [client_handle, c_char_p, c_size_t, POINTER(POINTER(mtoken_header)), error_out],
    ),
    "mtoken_token_fetch_header": (
        mtoken_status,
        [client_handle, c_char_p, c_size_t, auth_in, c_char_p, c_size_t, task_out, error_out],
    ),
    "mtoken_task_header": (POINTER(mtoken_header), [task_handle]),
    "mtoken_token_is_stored": (c_int32, [client_handle, c_char_p, c_size_t]),
    "mtoken_token_remove": (mtoken_status, [client_handle, c_char_p, c_size_t, task_out, error_out]),
    "mtoken_token_forget": (mtoken_status, [client_handle, c_char_p, c_size_t, error_out]),
    "mtoken_operation_fields_parse": (
        mtoken_status,
        [c_char_p, c_size_t, POINTER(POINTER(mtoken_operation_fields)), error_out],
    ),
    "mtoken_operation_fields_free": (None, [POINTER(mtoken_operation_fields)]),
    "mtoken_qr_operation_parse": (
        mtoken_status,
        [c_char_p, c_size_t, POINTER(mtoken_qr_options), POINTER(POINTER(mtoken_qr_operation)), error_out],
    ),
    "mtoken_qr_operation_free": (None, [POINTER(mtoken_qr_operation)]),
    "mtoken_qr_authorize": (
        mtoken_status,
        [
            client_handle,
            POINTER(mtoken_qr_operation),
            auth_in,
            POINTER(mtoken_qr_authorize_options),
            POINTER(POINTER(mtoken_text)),
            error_out,
        ],
    ),
    "mtoken_qr_code_group": (mtoken_status, [c_char_p, c_size_t, POINTER(POINTER(mtoken_text)), error_out]),
    "mtoken_operation_fields_build": (
        mtoken_status,
        [c_int32, c_int32, POINTER(mtoken_field_input), c_size_t, POINTER(POINTER(mtoken_text)), error_out],
    ),
    "mtoken_qr_operation_build": (
        mtoken_status,
        [POINTER(mtoken_qr_build_options), POINTER(POINTER(mtoken_text)), error_out],
    ),
    "mtoken_pac_parse": (
        mtoken_status,
        [c_char_p, c_size_t, c_int32, POINTER(mtoken_pac_options), POINTER(POINTER(mtoken_pac)), error_out],
    ),
    "mtoken_pac_free": (None, [POINTER(mtoken_pac)]),
    "mtoken_pac_matches": (c_int32, [POINTER(mtoken_pac), POINTER(mtoken_operation)]),
    "mtoken_pac_find": (POINTER(mtoken_operation), [POINTER(mtoken_pac), POINTER(mtoken_operation_list)]),
    "mtoken_pac_build": (
        mtoken_status,
        [POINTER(mtoken_pac_build_options), POINTER(POINTER(mtoken_text)), error_out],
    ),
    "mtoken_totp": (
        mtoken_status,
        [bytes_in, c_size_t, c_int64, c_int32, c_int32, c_int32, POINTER(POINTER(mtoken_text)), error_out],
    ),
    "mtoken_operations_list": (mtoken_status, [client_handle, task_out, error_out]),
    "mtoken_operations_history": (mtoken_status, [client_handle, auth_in, task_out, error_out]),
    "mtoken_task_operations": (POINTER(mtoken_operation_list), [task_handle]),
    "mtoken_operations_detail": (mtoken_status, [client_handle, c_char_p, c_size_t, task_out, error_out]),
    "mtoken_operations_claim": (mtoken_status, [client_handle, c_char_p, c_size_t, task_out, error_out]),
    "mtoken_task_operation": (POINTER(mtoken_operation), [task_handle]),
    "mtoken_operations_authorize": (
        mtoken_status,
        [client_handle, POINTER(mtoken_operation), auth_in, POINTER(mtoken_authorize_options), task_out, error_out],
    ),
    "mtoken_operations_authorize_data": (
        mtoken_status,
        [
            client_handle,
            c_char_p,
            c_size_t,
            c_char_p,
            c_size_t,
            auth_in,
            POINTER(mtoken_authorize_options),
            task_out,
            error_out,
        ],
    ),
    "mtoken_operations_reject": (
        mtoken_status,
        [client_handle, c_char_p, c_size_t, c_char_p, c_size_t, c_char_p, c_size_t, task_out, error_out],
    ),
    "mtoken_oidc_prepare": (mtoken_status, [oidc_options_in, POINTER(oidc_request_handle), error_out]),
    "mtoken_oidc_request_get_authorization": (POINTER(mtoken_oidc_authorization), [oidc_request_handle]),
    "mtoken_oidc_process": (
        mtoken_status,
        [oidc_request_handle, c_char_p, c_size_t, POINTER(POINTER(mtoken_oidc_attributes)), error_out],
    ),
    "mtoken_oidc_request_free": (None, [oidc_request_handle]),
    "mtoken_oidc_fetch_config": (mtoken_status, [client_handle, c_char_p, c_size_t, task_out, error_out]),
    "mtoken_oidc_discover": (mtoken_status, [client_handle, oidc_options_in, task_out, error_out]),
    "mtoken_task_oidc_config": (POINTER(mtoken_oidc_config), [task_handle]),
    "mtoken_oidc_listen": (
        mtoken_status,
        [runtime_handle, oidc_options_in, POINTER(oidc_request_handle), task_out, error_out],
    ),
    "mtoken_task_oidc_attributes": (POINTER(mtoken_oidc_attributes), [task_handle]),
    "mtoken_oidc_pkce": (mtoken_status, [c_size_t, string_out, string_out, error_out]),
    "mtoken_oidc_challenge": (mtoken_status, [c_char_p, c_size_t, string_out, error_out]),
    "mtoken_oidc_random": (mtoken_status, [c_size_t, string_out, error_out]),
    "mtoken_oidc_authorization_url": (
        mtoken_status,
        [oidc_options_in, c_char_p, c_size_t, c_char_p, c_size_t, c_char_p, c_size_t, string_out, error_out],
    ),
    "mtoken_push_register": (mtoken_status, [client_handle, POINTER(mtoken_push_options), task_out, error_out]),
    "mtoken_push_is_registered": (c_int32, [client_handle]),
    "mtoken_push_parse": (mtoken_status, [c_char_p, c_size_t, POINTER(POINTER(mtoken_push_message)), error_out]),
    "mtoken_push_message_free": (None, [POINTER(mtoken_push_message)]),
    "mtoken_inbox_count": (mtoken_status, [client_handle, task_out, error_out]),
    "mtoken_task_inbox_count": (c_int64, [task_handle]),
    "mtoken_inbox_list_page": (mtoken_status, [client_handle, c_int32, c_int32, c_int32, task_out, error_out]),
    "mtoken_inbox_list_all": (mtoken_status, [client_handle, c_int32, c_int32, c_int32, task_out, error_out]),
    "mtoken_task_inbox_list": (POINTER(mtoken_inbox_list), [task_handle]),
    "mtoken_inbox_detail": (mtoken_status, [client_handle, c_char_p, c_size_t, task_out, error_out]),
    "mtoken_task_inbox_message": (POINTER(mtoken_inbox_message), [task_handle]),
    "mtoken_inbox_mark_read": (mtoken_status, [client_handle, c_char_p, c_size_t, task_out, error_out]),
    "mtoken_inbox_mark_all_read": (mtoken_status, [client_handle, task_out, error_out]),
    "mtoken_mobile_auth_error_name": (c_char_p, [c_int32]),
    "mtoken_mobile_auth_from_push": (
        mtoken_status,
        [client_handle, c_char_p, c_size_t, POINTER(POINTER(mtoken_mobile_auth_request)), error_out],
    ),
    "mtoken_mobile_auth_request_free": (None, [POINTER(mtoken_mobile_auth_request)]),
    "mtoken_mobile_auth_pending": (mtoken_status, [client_handle, task_out, error_out]),
    "mtoken_task_mobile_auth_list": (POINTER(mtoken_mobile_auth_list), [task_handle]),
    "mtoken_mobile_auth_handle": (
        mtoken_status,
        [client_handle, c_char_p, c_size_t, POINTER(mtoken_mobile_auth_options), task_out, error_out],
    ),
    "mtoken_mobile_auth_handle_push": (
        mtoken_status,
        [client_handle, c_char_p, c_size_t, POINTER(mtoken_mobile_auth_options), task_out, error_out],
    ),
    "mtoken_task_mobile_auth": (POINTER(mtoken_mobile_auth_outcome), [task_handle]),
    "mtoken_mobile_auth_register_authenticator": (
        mtoken_status,
        [client_handle, c_char_p, c_size_t, bytes_in, c_size_t, error_out],
    ),
    "mtoken_mobile_auth_unregister_authenticator": (mtoken_status, [client_handle, c_char_p, c_size_t, error_out]),
    "mtoken_event_challenge": (challenge_handle, [event_handle]),
    "mtoken_challenge_get_info": (POINTER(mtoken_challenge_info), [challenge_handle]),
    "mtoken_challenge_client": (client_handle, [challenge_handle]),
    "mtoken_challenge_task": (task_handle, [challenge_handle]),
    "mtoken_challenge_confirm": (mtoken_status, [challenge_handle, error_out]),
    "mtoken_challenge_deny": (mtoken_status, [challenge_handle, c_char_p, c_size_t, error_out]),
    "mtoken_challenge_pin": (mtoken_status, [challenge_handle, bytes_in, c_size_t, error_out]),
    "mtoken_challenge_biometric": (mtoken_status, [challenge_handle, bytes_in, c_size_t, error_out]),
    "mtoken_challenge_custom": (
        mtoken_status,
        [challenge_handle, bytes_in, c_size_t, c_char_p, c_size_t, error_out],
    ),
    "mtoken_challenge_proximity": (
        mtoken_status,
        [challenge_handle, c_char_p, c_size_t, c_int32, c_int64, error_out],
    ),
    "mtoken_challenge_use_pin": (mtoken_status, [challenge_handle, c_char_p, c_size_t, error_out]),
    "mtoken_challenge_cancel": (mtoken_status, [challenge_handle, error_out]),
    "mtoken_challenge_free": (None, [challenge_handle]),
    "mtoken_operations_refresh": (mtoken_status, [client_handle, error_out]),
    "mtoken_operations_is_loading": (c_int32, [client_handle]),
    "mtoken_operations_get_info": (mtoken_status, [client_handle, POINTER(POINTER(mtoken_operations_info)), error_out]),
    "mtoken_operations_info_free": (None, [POINTER(mtoken_operations_info)]),
    "mtoken_operations_attach": (
        mtoken_status,
        [client_handle, c_char_p, c_size_t, POINTER(mtoken_authorize_options), error_out],
    ),
    "mtoken_operations_get_attached": (c_int32, [client_handle, c_char_p, c_size_t]),
    "mtoken_operations_start_polling": (mtoken_status, [client_handle, POINTER(mtoken_polling_options), error_out]),
    "mtoken_operations_stop_polling": (mtoken_status, [client_handle, error_out]),
    "mtoken_operations_pause_polling": (mtoken_status, [client_handle, error_out]),
    "mtoken_operations_resume_polling": (mtoken_status, [client_handle, error_out]),
    "mtoken_operations_get_polling": (c_int32, [client_handle]),
    "mtoken_event_operations": (POINTER(mtoken_operations_change), [event_handle]),
    "mtoken_event_error": (POINTER(mtoken_error), [event_handle]),
    "mtoken_event_loading": (c_int32, [event_handle]),
    "mtoken_watcher_new": (mtoken_status, [client_handle, POINTER(watcher_handle), error_out]),
    "mtoken_watcher_free": (None, [watcher_handle]),
    "mtoken_watcher_add": (mtoken_status, [watcher_handle, POINTER(mtoken_watched), c_size_t, error_out]),
    "mtoken_watcher_remove": (mtoken_status, [watcher_handle, POINTER(mtoken_watched), c_size_t, error_out]),
    "mtoken_watcher_remove_all": (mtoken_status, [watcher_handle, error_out]),
    "mtoken_watcher_list": (mtoken_status, [watcher_handle, POINTER(POINTER(mtoken_watched_list)), error_out]),
    "mtoken_watched_list_free": (None, [POINTER(mtoken_watched_list)]),
    "mtoken_watcher_set_clock": (mtoken_status, [watcher_handle, c_int32, c_int64, error_out]),
    "mtoken_event_watcher": (watcher_handle, [event_handle]),
    "mtoken_event_expired": (POINTER(mtoken_watched_list), [event_handle]),
    "mtoken_error_is_unreachable": (c_int32, [POINTER(mtoken_error)]),
    "mtoken_error_is_untrusted": (c_int32, [POINTER(mtoken_error)]),
    "mtoken_error_is_refusal": (c_int32, [POINTER(mtoken_error)]),
    "mtoken_error_is_operation_over": (c_int32, [POINTER(mtoken_error)]),
    "mtoken_error_may_have_happened": (c_int32, [POINTER(mtoken_error)]),
    "mtoken_server_code_name": (c_char_p, [c_int32]),
    "mtoken_client_with_options": (
        mtoken_status,
        [client_handle, POINTER(mtoken_call_options), POINTER(client_handle), error_out],
    ),
    "mtoken_client_set_language": (mtoken_status, [client_handle, c_char_p, c_size_t, error_out]),
    "mtoken_event_trace": (POINTER(mtoken_trace), [event_handle]),
    "mtoken_mobile_token_data_new": (mtoken_status, [c_char_p, c_size_t, POINTER(token_data_handle), error_out]),
    "mtoken_mobile_token_data_free": (None, [token_data_handle]),
    "mtoken_mobile_token_data_put": (mtoken_status, [token_data_handle, c_char_p, c_size_t, c_char_p, c_size_t, error_out]),
    "mtoken_mobile_token_data_put_text": (
        mtoken_status,
        [token_data_handle, c_char_p, c_size_t, c_char_p, c_size_t, error_out],
    ),
    "mtoken_mobile_token_data_put_recorder": (mtoken_status, [token_data_handle, recorder_handle, error_out]),
    "mtoken_mobile_token_data_remove": (c_int32, [token_data_handle, c_char_p, c_size_t]),
    "mtoken_mobile_token_data_clear": (mtoken_status, [token_data_handle, error_out]),
    "mtoken_mobile_token_data_build": (mtoken_status, [token_data_handle, POINTER(POINTER(mtoken_text)), error_out]),
    "mtoken_recorder_new": (mtoken_status, [client_handle, POINTER(recorder_handle), error_out]),
    "mtoken_recorder_free": (None, [recorder_handle]),
    "mtoken_recorder_begin": (mtoken_status, [recorder_handle, c_char_p, c_size_t, error_out]),
    "mtoken_recorder_end": (mtoken_status, [recorder_handle, c_char_p, c_size_t, c_char_p, c_size_t, error_out]),
    "mtoken_recorder_reset": (mtoken_status, [recorder_handle, error_out]),
    "mtoken_recorder_build": (mtoken_status, [recorder_handle, POINTER(POINTER(mtoken_text)), error_out]),
    "mtoken_visual_new": (mtoken_status, [POINTER(mtoken_operation), POINTER(POINTER(mtoken_visual)), error_out]),
    "mtoken_visual_free": (None, [POINTER(mtoken_visual)]),
    "mtoken_json_find": (
        mtoken_status,
        [c_char_p, c_size_t, c_char_p, c_size_t, POINTER(POINTER(mtoken_json_value)), error_out],
    ),
    "mtoken_json_value_free": (None, [POINTER(mtoken_json_value)]),
}


def new_options(kind: Type[S]) -> S:
    """An option struct as its _INIT macro makes it: all zero but for struct_size."""
    options = kind()
    options.struct_size = ctypes.sizeof(kind)
    return options


def declare(library: ctypes.CDLL) -> None:
    """Sets the prototype of every function. AttributeError: the library lacks one."""
    for name, (result, parameters) in PROTOTYPES.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = parameters
