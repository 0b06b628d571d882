// Made by bindings/generate from mtoken.h. Do not edit.

use core::ffi::c_void;
use std::os::raw::c_char;

pub const MTOKEN_VERSION_MAJOR: i32 = 1;
pub const MTOKEN_VERSION_MINOR: i32 = 0;
pub const MTOKEN_VERSION_PATCH: i32 = 0;
pub const MTOKEN_VERSION: &str = "1.0.0";
pub const MTOKEN_VERSION_NUMBER: i32 = 10000;
pub const MTOKEN_ABI_VERSION: i32 = 1;
pub type mtoken_status = i32;
pub const MTOKEN_OK: mtoken_status = 0;
pub const MTOKEN_ERROR_ARGUMENT: mtoken_status = 1;
pub const MTOKEN_ERROR_HANDLE: mtoken_status = 2;
pub const MTOKEN_ERROR_STATE: mtoken_status = 3;
pub const MTOKEN_ERROR_NOT_ACTIVATED: mtoken_status = 4;
pub const MTOKEN_ERROR_PENDING: mtoken_status = 5;
pub const MTOKEN_ERROR_CANCELLED: mtoken_status = 6;
pub const MTOKEN_ERROR_TIMEOUT: mtoken_status = 7;
pub const MTOKEN_ERROR_NETWORK: mtoken_status = 8;
pub const MTOKEN_ERROR_TLS: mtoken_status = 9;
pub const MTOKEN_ERROR_PIN_MISMATCH: mtoken_status = 10;
pub const MTOKEN_ERROR_HTTP: mtoken_status = 11;
pub const MTOKEN_ERROR_SERVER: mtoken_status = 12;
pub const MTOKEN_ERROR_AUTHENTICATION: mtoken_status = 13;
pub const MTOKEN_ERROR_PROTOCOL: mtoken_status = 14;
pub const MTOKEN_ERROR_DECRYPTION: mtoken_status = 15;
pub const MTOKEN_ERROR_SIGNATURE: mtoken_status = 16;
pub const MTOKEN_ERROR_STORAGE: mtoken_status = 17;
pub const MTOKEN_ERROR_TAMPERED: mtoken_status = 18;
pub const MTOKEN_ERROR_BUSY: mtoken_status = 19;
pub const MTOKEN_ERROR_PARSE: mtoken_status = 20;
pub const MTOKEN_ERROR_NOT_FOUND: mtoken_status = 21;
pub const MTOKEN_ERROR_FACTOR: mtoken_status = 22;
pub const MTOKEN_ERROR_UNSUPPORTED: mtoken_status = 23;
pub const MTOKEN_ERROR_CONFIGURATION: mtoken_status = 24;
pub const MTOKEN_ERROR_INTERNAL: mtoken_status = 25;
pub const MTOKEN_ERROR_PENDING_COMMIT: mtoken_status = 26;
pub const MTOKEN_ERROR_BLOCKED: mtoken_status = 27;
pub const MTOKEN_ERROR_REMOVED: mtoken_status = 28;
pub const MTOKEN_ERROR_SEALED: mtoken_status = 29;
pub type mtoken_answer = i32;
pub const MTOKEN_UNSET: mtoken_answer = -1;
pub const MTOKEN_NO: mtoken_answer = 0;
pub const MTOKEN_YES: mtoken_answer = 1;
pub const MTOKEN_FOREVER: i32 = -1;
#[repr(C)]
pub struct mtoken_runtime {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct mtoken_client {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct mtoken_store {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct mtoken_sealer {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct mtoken_task {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct mtoken_challenge {
    _opaque: [u8; 0],
}
pub type mtoken_protocol_version = i32;
pub const MTOKEN_PROTOCOL_3_1: mtoken_protocol_version = 31;
pub const MTOKEN_PROTOCOL_3_2: mtoken_protocol_version = 32;
pub const MTOKEN_PROTOCOL_3_3: mtoken_protocol_version = 33;
pub const MTOKEN_PROTOCOL_4_0: mtoken_protocol_version = 40;
pub type mtoken_suite = i32;
pub const MTOKEN_SUITE_DEFAULT: mtoken_suite = 0;
pub const MTOKEN_SUITE_EC_P384: mtoken_suite = 1;
pub const MTOKEN_SUITE_EC_P384_ML_L3: mtoken_suite = 2;
pub const MTOKEN_SUITE_EC_P384_ML_L5: mtoken_suite = 3;
pub const MTOKEN_SUITE_EC_P256: mtoken_suite = 4;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_text {
    pub data: *const c_char,
    pub length: usize,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_bytes {
    pub data: *const u8,
    pub length: usize,
}
pub type mtoken_outcome = i32;
pub const MTOKEN_OUTCOME_NOT_SENT: mtoken_outcome = 0;
pub const MTOKEN_OUTCOME_UNKNOWN: mtoken_outcome = 1;
pub const MTOKEN_OUTCOME_ANSWERED: mtoken_outcome = 2;
pub type mtoken_network_fault = i32;
pub const MTOKEN_NETWORK_NONE: mtoken_network_fault = 0;
pub const MTOKEN_NETWORK_NOT_CONNECTED: mtoken_network_fault = 1;
pub const MTOKEN_NETWORK_HOST_NOT_FOUND: mtoken_network_fault = 2;
pub const MTOKEN_NETWORK_CONNECTION_REFUSED: mtoken_network_fault = 3;
pub const MTOKEN_NETWORK_CONNECTION_LOST: mtoken_network_fault = 4;
pub const MTOKEN_NETWORK_TIMEOUT: mtoken_network_fault = 5;
pub const MTOKEN_NETWORK_PROXY: mtoken_network_fault = 6;
pub const MTOKEN_NETWORK_NOT_HTTP: mtoken_network_fault = 7;
pub const MTOKEN_NETWORK_TOO_LARGE: mtoken_network_fault = 8;
pub type mtoken_tls_fault = i32;
pub const MTOKEN_TLS_FAULT_NONE: mtoken_tls_fault = 0;
pub const MTOKEN_TLS_FAULT_HANDSHAKE: mtoken_tls_fault = 1;
pub const MTOKEN_TLS_FAULT_UNTRUSTED: mtoken_tls_fault = 2;
pub const MTOKEN_TLS_FAULT_SELF_SIGNED: mtoken_tls_fault = 3;
pub const MTOKEN_TLS_FAULT_EXPIRED: mtoken_tls_fault = 4;
pub const MTOKEN_TLS_FAULT_NOT_YET_VALID: mtoken_tls_fault = 5;
pub const MTOKEN_TLS_FAULT_WRONG_HOST: mtoken_tls_fault = 6;
pub const MTOKEN_TLS_FAULT_REVOKED: mtoken_tls_fault = 7;
pub const MTOKEN_TLS_FAULT_WEAK: mtoken_tls_fault = 8;
pub const MTOKEN_TLS_FAULT_OTHER: mtoken_tls_fault = 9;
pub const MTOKEN_TLS_FAULT_PIN_MISMATCH: mtoken_tls_fault = 10;
pub const MTOKEN_TLS_FAULT_CLIENT_CERTIFICATE: mtoken_tls_fault = 11;
pub type mtoken_server_code = i32;
pub const MTOKEN_SERVER_CODE_UNKNOWN: mtoken_server_code = 0;
pub const MTOKEN_SERVER_CODE_ERROR_GENERIC: mtoken_server_code = 1;
pub const MTOKEN_SERVER_CODE_ERROR_NOT_FOUND: mtoken_server_code = 2;
pub const MTOKEN_SERVER_CODE_POWERAUTH_AUTH_FAIL: mtoken_server_code = 3;
pub const MTOKEN_SERVER_CODE_INVALID_REQUEST: mtoken_server_code = 4;
pub const MTOKEN_SERVER_CODE_INVALID_ACTIVATION: mtoken_server_code = 5;
pub const MTOKEN_SERVER_CODE_INVALID_APPLICATION: mtoken_server_code = 6;
pub const MTOKEN_SERVER_CODE_INVALID_OPERATION: mtoken_server_code = 7;
pub const MTOKEN_SERVER_CODE_ERR_ACTIVATION: mtoken_server_code = 8;
pub const MTOKEN_SERVER_CODE_ERR_AUTHENTICATION: mtoken_server_code = 9;
pub const MTOKEN_SERVER_CODE_ERR_SECURE_VAULT: mtoken_server_code = 10;
pub const MTOKEN_SERVER_CODE_ERR_ENCRYPTION: mtoken_server_code = 11;
pub const MTOKEN_SERVER_CODE_PUSH_REGISTRATION_FAILED: mtoken_server_code = 12;
pub const MTOKEN_SERVER_CODE_OPERATION_ALREADY_FINISHED: mtoken_server_code = 13;
pub const MTOKEN_SERVER_CODE_OPERATION_ALREADY_FAILED: mtoken_server_code = 14;
pub const MTOKEN_SERVER_CODE_OPERATION_ALREADY_CANCELED: mtoken_server_code = 15;
pub const MTOKEN_SERVER_CODE_OPERATION_EXPIRED: mtoken_server_code = 16;
pub const MTOKEN_SERVER_CODE_OPERATION_FAILED: mtoken_server_code = 17;
pub const MTOKEN_SERVER_CODE_OPERATION_REQUIRES_ACTIVATION_FLAG: mtoken_server_code = 18;
pub const MTOKEN_SERVER_CODE_ERR_CONFIG: mtoken_server_code = 19;
pub const MTOKEN_SERVER_CODE_INBOX_FAILED: mtoken_server_code = 20;
pub const MTOKEN_SERVER_CODE_APPLICATION_CONFIGURATION_ERROR: mtoken_server_code = 21;
pub const MTOKEN_SERVER_CODE_ACTIVATION_CODE_FAILED: mtoken_server_code = 22;
pub const MTOKEN_SERVER_CODE_REMOTE_COMMUNICATION_ERROR: mtoken_server_code = 23;
pub const MTOKEN_SERVER_CODE_ACTIVATION_NOT_ACTIVE: mtoken_server_code = 24;
pub const MTOKEN_SERVER_CODE_ACTIVATION_NOT_CONFIGURED: mtoken_server_code = 25;
pub const MTOKEN_SERVER_CODE_ONBOARDING_FAILED: mtoken_server_code = 26;
pub const MTOKEN_SERVER_CODE_ONBOARDING_PROCESS_LIMIT_REACHED: mtoken_server_code = 27;
pub const MTOKEN_SERVER_CODE_TOO_MANY_ONBOARDING_PROCESSES: mtoken_server_code = 28;
pub const MTOKEN_SERVER_CODE_ONBOARDING_OTP_FAILED: mtoken_server_code = 29;
pub const MTOKEN_SERVER_CODE_INVALID_DOCUMENT: mtoken_server_code = 30;
pub const MTOKEN_SERVER_CODE_DOCUMENT_SUBMIT_FAILED: mtoken_server_code = 31;
pub const MTOKEN_SERVER_CODE_IDENTITY_VERIFICATION_FAILED: mtoken_server_code = 32;
pub const MTOKEN_SERVER_CODE_IDENTITY_VERIFICATION_LIMIT_REACHED: mtoken_server_code = 33;
pub const MTOKEN_SERVER_CODE_DOCUMENT_VERIFICATION_FAILED: mtoken_server_code = 34;
pub const MTOKEN_SERVER_CODE_PRESENCE_CHECK_FAILED: mtoken_server_code = 35;
pub const MTOKEN_SERVER_CODE_PRESENCE_CHECK_NOT_ENABLED: mtoken_server_code = 36;
pub const MTOKEN_SERVER_CODE_PRESENCE_CHECK_LIMIT_REACHED: mtoken_server_code = 37;
pub const MTOKEN_SERVER_CODE_TOO_MANY_REQUESTS: mtoken_server_code = 38;
pub const MTOKEN_SERVER_CODE_ERR_TEMPORARY_KEY: mtoken_server_code = 39;
pub const MTOKEN_SERVER_CODE_ERR_UPGRADE: mtoken_server_code = 40;
pub const MTOKEN_SERVER_CODE_ERR_PASSWORD_CHANGE: mtoken_server_code = 41;
pub const MTOKEN_SERVER_CODE_ERR_BIOMETRY: mtoken_server_code = 42;
pub const MTOKEN_SERVER_CODE_ERR_USER_INFO: mtoken_server_code = 43;
pub const MTOKEN_SERVER_CODE_ERR_STATUS: mtoken_server_code = 44;
pub const MTOKEN_SERVER_CODE_ERR_VALIDATION: mtoken_server_code = 45;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_error {
    pub code: mtoken_status,
    pub outcome: mtoken_outcome,
    pub reason: *const c_char,
    pub message: *const c_char,
    pub http_status: i32,
    pub remaining_attempts: i32,
    pub server_code: *const c_char,
    pub server_message: *const c_char,
    pub server_uri: *const c_char,
    pub server_code_number: mtoken_server_code,
    pub is_retriable: mtoken_bool,
    pub network_fault: mtoken_network_fault,
    pub tls_fault: mtoken_tls_fault,
    pub byte_offset: i64,
    pub line: i32,
    pub recovery_puk_index: i32,
    pub cause: *const c_char,
    pub upstream_reason: *const c_char,
    pub retry_after_ms: i64,
    pub correlation_id: *const c_char,
    pub custom_info: *const c_char,
}
pub type mtoken_field_kind = i32;
pub const MTOKEN_FIELD_EMPTY: mtoken_field_kind = 0;
pub const MTOKEN_FIELD_AMOUNT: mtoken_field_kind = 1;
pub const MTOKEN_FIELD_ACCOUNT: mtoken_field_kind = 2;
pub const MTOKEN_FIELD_ANY_ACCOUNT: mtoken_field_kind = 3;
pub const MTOKEN_FIELD_DATE: mtoken_field_kind = 4;
pub const MTOKEN_FIELD_REFERENCE: mtoken_field_kind = 5;
pub const MTOKEN_FIELD_NOTE: mtoken_field_kind = 6;
pub const MTOKEN_FIELD_TEXT: mtoken_field_kind = 7;
pub const MTOKEN_FIELD_OTHER: mtoken_field_kind = 8;
pub type mtoken_operation_template = i32;
pub const MTOKEN_TEMPLATE_GENERIC: mtoken_operation_template = 0;
pub const MTOKEN_TEMPLATE_PAYMENT: mtoken_operation_template = 1;
pub const MTOKEN_TEMPLATE_LOGIN: mtoken_operation_template = 2;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_operation_field {
    pub kind: mtoken_field_kind,
    pub letter: u32,
    pub raw: *const c_char,
    pub offset: usize,
    pub text: *const c_char,
    pub amount: *const c_char,
    pub value: *const c_char,
    pub currency: *const c_char,
    pub iban: *const c_char,
    pub bic: *const c_char,
    pub is_iban_valid: mtoken_bool,
    pub year: i32,
    pub month: i32,
    pub day: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_operation_fields {
    pub text: *const c_char,
    pub text_length: usize,
    pub version: i32,
    pub is_version_known: mtoken_bool,
    pub template_id: mtoken_operation_template,
    pub field_count: usize,
    pub fields: *const *const mtoken_operation_field,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_field_input {
    pub kind: mtoken_field_kind,
    pub year: i32,
    pub month: i32,
    pub day: i32,
    pub text: mtoken_text,
    pub amount: mtoken_text,
    pub currency: mtoken_text,
    pub iban: mtoken_text,
    pub bic: mtoken_text,
}
pub type mtoken_operation_status = i32;
pub const MTOKEN_OPERATION_UNKNOWN: mtoken_operation_status = 0;
pub const MTOKEN_OPERATION_PENDING: mtoken_operation_status = 1;
pub const MTOKEN_OPERATION_APPROVED: mtoken_operation_status = 2;
pub const MTOKEN_OPERATION_REJECTED: mtoken_operation_status = 3;
pub const MTOKEN_OPERATION_CANCELED: mtoken_operation_status = 4;
pub const MTOKEN_OPERATION_EXPIRED: mtoken_operation_status = 5;
pub const MTOKEN_OPERATION_FAILED: mtoken_operation_status = 6;
pub type mtoken_signature_type = i32;
pub const MTOKEN_SIGNATURE_TYPE_UNKNOWN: mtoken_signature_type = 0;
pub const MTOKEN_SIGNATURE_TYPE_1FA: mtoken_signature_type = 1;
pub const MTOKEN_SIGNATURE_TYPE_2FA: mtoken_signature_type = 2;
pub const MTOKEN_SIGNATURE_TYPE_ECDSA: mtoken_signature_type = 3;
pub type mtoken_signature_variants = i32;
pub const MTOKEN_VARIANT_POSSESSION: mtoken_signature_variants = 1;
pub const MTOKEN_VARIANT_POSSESSION_KNOWLEDGE: mtoken_signature_variants = 2;
pub const MTOKEN_VARIANT_POSSESSION_BIOMETRY: mtoken_signature_variants = 4;
pub type mtoken_attribute_kind = i32;
pub const MTOKEN_ATTRIBUTE_UNKNOWN: mtoken_attribute_kind = 0;
pub const MTOKEN_ATTRIBUTE_AMOUNT: mtoken_attribute_kind = 1;
pub const MTOKEN_ATTRIBUTE_AMOUNT_CONVERSION: mtoken_attribute_kind = 2;
pub const MTOKEN_ATTRIBUTE_KEY_VALUE: mtoken_attribute_kind = 3;
pub const MTOKEN_ATTRIBUTE_NOTE: mtoken_attribute_kind = 4;
pub const MTOKEN_ATTRIBUTE_HEADING: mtoken_attribute_kind = 5;
pub const MTOKEN_ATTRIBUTE_PARTY_INFO: mtoken_attribute_kind = 6;
pub const MTOKEN_ATTRIBUTE_IMAGE: mtoken_attribute_kind = 7;
pub const MTOKEN_ATTRIBUTE_ALERT: mtoken_attribute_kind = 8;
pub type mtoken_alert_kind = i32;
pub const MTOKEN_ALERT_INFO: mtoken_alert_kind = 0;
pub const MTOKEN_ALERT_SUCCESS: mtoken_alert_kind = 1;
pub const MTOKEN_ALERT_WARNING: mtoken_alert_kind = 2;
pub const MTOKEN_ALERT_ERROR: mtoken_alert_kind = 3;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_amount {
    pub amount: *const c_char,
    pub currency: *const c_char,
    pub amount_formatted: *const c_char,
    pub currency_formatted: *const c_char,
    pub value_formatted: *const c_char,
    pub value: f64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_party {
    pub logo_url: *const c_char,
    pub name: *const c_char,
    pub description: *const c_char,
    pub website_url: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_attribute {
    pub kind: mtoken_attribute_kind,
    pub kind_text: *const c_char,
    pub id: *const c_char,
    pub label: *const c_char,
    pub amount: *const mtoken_amount,
    pub target: *const mtoken_amount,
    pub is_dynamic: mtoken_answer,
    pub value: *const c_char,
    pub heading_level: i32,
    pub party: *const mtoken_party,
    pub thumbnail_url: *const c_char,
    pub original_url: *const c_char,
    pub alert_kind: mtoken_alert_kind,
    pub alert_kind_text: *const c_char,
    pub alert_title: *const c_char,
    pub alert_message: *const c_char,
    pub json: *const c_char,
}
pub type mtoken_screen_kind = i32;
pub const MTOKEN_SCREEN_UNKNOWN: mtoken_screen_kind = 0;
pub const MTOKEN_SCREEN_WARNING: mtoken_screen_kind = 1;
pub const MTOKEN_SCREEN_INFO: mtoken_screen_kind = 2;
pub const MTOKEN_SCREEN_QR_SCAN: mtoken_screen_kind = 3;
pub type mtoken_element_kind = i32;
pub const MTOKEN_ELEMENT_UNKNOWN: mtoken_element_kind = 0;
pub const MTOKEN_ELEMENT_LIST_ITEM: mtoken_element_kind = 1;
pub const MTOKEN_ELEMENT_ALERT: mtoken_element_kind = 2;
pub const MTOKEN_ELEMENT_BUTTON: mtoken_element_kind = 3;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_screen_element {
    pub kind: mtoken_element_kind,
    pub kind_text: *const c_char,
    pub id: *const c_char,
    pub text: *const c_char,
    pub icon: *const c_char,
    pub style: *const c_char,
    pub action: *const c_char,
    pub action_settings: *const c_char,
    pub href: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_screen_controls {
    pub flip: mtoken_answer,
    pub axis: *const c_char,
    pub decline_kind: *const c_char,
    pub decline_text: *const c_char,
    pub approve_kind: *const c_char,
    pub approve_text: *const c_char,
    pub approve_counter_s: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_pre_approval_screen {
    pub kind: mtoken_screen_kind,
    pub kind_text: *const c_char,
    pub id: *const c_char,
    pub heading: *const c_char,
    pub message: *const c_char,
    pub back_button: mtoken_answer,
    pub image: *const c_char,
    pub has_elements: mtoken_bool,
    pub element_count: usize,
    pub elements: *const *const mtoken_screen_element,
    pub controls: *const mtoken_screen_controls,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_legacy_screen {
    pub kind: mtoken_screen_kind,
    pub kind_text: *const c_char,
    pub heading: *const c_char,
    pub message: *const c_char,
    pub has_items: mtoken_bool,
    pub item_count: usize,
    pub items: *const *const c_char,
    pub approval_kind_text: *const c_char,
}
pub type mtoken_post_screen_kind = i32;
pub const MTOKEN_POST_SCREEN_UNKNOWN: mtoken_post_screen_kind = 0;
pub const MTOKEN_POST_SCREEN_REVIEW: mtoken_post_screen_kind = 1;
pub const MTOKEN_POST_SCREEN_MERCHANT_REDIRECT: mtoken_post_screen_kind = 2;
pub const MTOKEN_POST_SCREEN_GENERIC: mtoken_post_screen_kind = 3;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_post_approval_screen {
    pub kind: mtoken_post_screen_kind,
    pub kind_text: *const c_char,
    pub heading: *const c_char,
    pub message: *const c_char,
    pub attribute_count: usize,
    pub attributes: *const *const mtoken_attribute,
    pub redirect_text: *const c_char,
    pub redirect_url: *const c_char,
    pub countdown_s: i32,
    pub payload: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_template_cell {
    pub name: *const c_char,
    pub style: *const c_char,
    pub visible_title: mtoken_answer,
    pub can_copy: mtoken_answer,
    pub collapsable: *const c_char,
    pub is_centered: mtoken_answer,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_template_section {
    pub style: *const c_char,
    pub title: *const c_char,
    pub has_cells: mtoken_bool,
    pub cell_count: usize,
    pub cells: *const *const mtoken_template_cell,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_templates {
    pub has_list: mtoken_bool,
    pub list_style: *const c_char,
    pub list_header: *const c_char,
    pub list_title: *const c_char,
    pub list_message: *const c_char,
    pub list_image: *const c_char,
    pub has_detail: mtoken_bool,
    pub detail_style: *const c_char,
    pub show_title_and_message: mtoken_answer,
    pub has_sections: mtoken_bool,
    pub section_count: usize,
    pub sections: *const *const mtoken_template_section,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_operation_ui {
    pub flip_buttons: mtoken_answer,
    pub block_approval_on_call: mtoken_answer,
    pub has_pre_approval_screens: mtoken_bool,
    pub pre_approval_screen_count: usize,
    pub pre_approval_screens: *const *const mtoken_pre_approval_screen,
    pub legacy_pre_approval_screen: *const mtoken_legacy_screen,
    pub post_approval_screen: *const mtoken_post_approval_screen,
    pub templates: *const mtoken_templates,
}
pub type mtoken_contradictions = i32;
pub const MTOKEN_CONTRADICTION_AMOUNT: mtoken_contradictions = 1;
pub const MTOKEN_CONTRADICTION_CURRENCY: mtoken_contradictions = 2;
pub const MTOKEN_CONTRADICTION_ACCOUNT: mtoken_contradictions = 4;
pub const MTOKEN_CONTRADICTION_AMOUNT_HIDDEN: mtoken_contradictions = 8;
pub const MTOKEN_CONTRADICTION_ACCOUNT_HIDDEN: mtoken_contradictions = 16;
pub const MTOKEN_CONTRADICTION_AMOUNT_TEXT: mtoken_contradictions = 32;
pub const MTOKEN_CONTRADICTION_UNSIGNED_AMOUNT: mtoken_contradictions = 64;
pub const MTOKEN_CONTRADICTION_LOST_ROW: mtoken_contradictions = 128;
pub const MTOKEN_CONTRADICTION_UNREADABLE: mtoken_contradictions = 256;
pub const MTOKEN_CONTRADICTION_TOO_LONG: mtoken_contradictions = 512;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_operation {
    pub id: *const c_char,
    pub name: *const c_char,
    pub operation_data: *const c_char,
    pub status: mtoken_operation_status,
    pub status_text: *const c_char,
    pub status_reason: *const c_char,
    pub created: i64,
    pub expires: i64,
    pub signature_type: mtoken_signature_type,
    pub signature_type_text: *const c_char,
    pub variants: mtoken_signature_variants,
    pub unknown_variant_count: usize,
    pub unknown_variants: *const *const c_char,
    pub allows_biometry: mtoken_bool,
    pub title: *const c_char,
    pub message: *const c_char,
    pub attribute_count: usize,
    pub attributes: *const *const mtoken_attribute,
    pub result_success: *const c_char,
    pub result_failure: *const c_char,
    pub result_reject: *const c_char,
    pub ui: *const mtoken_operation_ui,
    pub json: *const c_char,
    pub json_length: usize,
    pub signed_fields: *const mtoken_operation_fields,
    pub contradictions: mtoken_contradictions,
    pub issue_count: usize,
    pub issues: *const *const c_char,
    pub summary: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_operation_list {
    pub count: usize,
    pub operations: *const *const mtoken_operation,
    pub skipped_count: usize,
    pub has_server_time: mtoken_bool,
    pub server_time: i64,
    pub issue_count: usize,
    pub issues: *const *const c_char,
    pub further_issue_count: usize,
    pub may_be_cut: mtoken_bool,
}
pub type mtoken_factors = i32;
pub const MTOKEN_FACTOR_POSSESSION: mtoken_factors = 1;
pub const MTOKEN_FACTOR_KNOWLEDGE: mtoken_factors = 2;
pub const MTOKEN_FACTOR_BIOMETRY: mtoken_factors = 4;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_auth {
    pub struct_size: usize,
    pub pin: mtoken_bytes,
    pub biometry_key: mtoken_bytes,
    pub factors: mtoken_factors,
    pub reserved: i32,
    pub authenticator: mtoken_text,
}
impl Default for mtoken_auth {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_header {
    pub name: *const c_char,
    pub value: *const c_char,
    pub value_length: usize,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_sign_options {
    pub struct_size: usize,
    pub method: mtoken_text,
    pub uri_id: mtoken_text,
    pub body: mtoken_bytes,
}
impl Default for mtoken_sign_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_sign_offline_options {
    pub struct_size: usize,
    pub uri_id: mtoken_text,
    pub body: mtoken_bytes,
    pub nonce: mtoken_bytes,
    pub component_length: i32,
    pub reserved: i32,
}
impl Default for mtoken_sign_offline_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
pub type mtoken_server_key = i32;
pub const MTOKEN_KEY_MASTER: mtoken_server_key = 0;
pub const MTOKEN_KEY_PERSONALIZED: mtoken_server_key = 1;
pub const MTOKEN_KEY_PERSONALIZED_MAC: mtoken_server_key = 2;
pub type mtoken_signature_form = i32;
pub const MTOKEN_SIGNATURE_FORM_DER: mtoken_signature_form = 0;
pub const MTOKEN_SIGNATURE_FORM_RAW: mtoken_signature_form = 1;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_verify_options {
    pub struct_size: usize,
    pub server_key: mtoken_server_key,
    pub form: mtoken_signature_form,
    pub signed_bytes: mtoken_bytes,
    pub signature: mtoken_bytes,
}
impl Default for mtoken_verify_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
pub type mtoken_proximity_source = i32;
pub const MTOKEN_PROXIMITY_QR_CODE: mtoken_proximity_source = 1;
pub const MTOKEN_PROXIMITY_DEEPLINK: mtoken_proximity_source = 2;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_authorize_options {
    pub struct_size: usize,
    pub allow_other_factors: mtoken_bool,
    pub strict: mtoken_bool,
    pub allow_unknown_status: mtoken_bool,
    pub tolerated: mtoken_contradictions,
    pub mobile_token_data: mtoken_text,
    pub proximity_otp: mtoken_text,
    pub proximity_received: i64,
    pub proximity_source: mtoken_proximity_source,
    pub reserved: i32,
    pub expected_id: mtoken_text,
}
impl Default for mtoken_authorize_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_operation_options {
    pub struct_size: usize,
    pub id: mtoken_text,
    pub operation_data: mtoken_text,
}
impl Default for mtoken_operation_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
pub const MTOKEN_REJECT_UNKNOWN: &str = "UNKNOWN";
pub const MTOKEN_REJECT_INCORRECT_DATA: &str = "INCORRECT_DATA";
pub const MTOKEN_REJECT_UNEXPECTED_OPERATION: &str = "UNEXPECTED_OPERATION";
pub const MTOKEN_REJECT_PREAPPROVAL: &str = "PREAPPROVAL";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_reject_options {
    pub struct_size: usize,
    pub reason: mtoken_text,
    pub mobile_token_data: mtoken_text,
}
impl Default for mtoken_reject_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
pub type mtoken_fetch_state = i32;
pub const MTOKEN_FETCH_NONE: mtoken_fetch_state = 0;
pub const MTOKEN_FETCH_SUCCEEDED: mtoken_fetch_state = 1;
pub const MTOKEN_FETCH_FAILED: mtoken_fetch_state = 2;
pub type mtoken_polling_state = i32;
pub const MTOKEN_POLLING_OFF: mtoken_polling_state = 0;
pub const MTOKEN_POLLING_ON: mtoken_polling_state = 1;
pub const MTOKEN_POLLING_PAUSED: mtoken_polling_state = 2;
pub const MTOKEN_POLLING_WAITING: mtoken_polling_state = 3;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_operations_info {
    pub count: usize,
    pub operations: *const *const mtoken_operation,
    pub is_loading: mtoken_bool,
    pub last_fetch: mtoken_fetch_state,
    pub last_fetch_time: i64,
    pub last_error: *const mtoken_error,
    pub skipped_count: usize,
    pub has_server_time: mtoken_bool,
    pub server_time: i64,
    pub polling: mtoken_polling_state,
    pub polling_interval_ms: i64,
    pub may_be_cut: mtoken_bool,
}
pub type mtoken_attachments = i32;
pub const MTOKEN_ATTACHED_PROXIMITY: mtoken_attachments = 1;
pub const MTOKEN_ATTACHED_MOBILE_TOKEN_DATA: mtoken_attachments = 2;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_polling_options {
    pub struct_size: usize,
    pub interval_ms: i64,
    pub delay_start: mtoken_bool,
    pub has_push: mtoken_bool,
    pub back_off: mtoken_bool,
    pub jitter_percent: i32,
    pub is_adaptive: mtoken_bool,
    pub reserved: i32,
}
impl Default for mtoken_polling_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_operations_change {
    pub count: usize,
    pub operations: *const *const mtoken_operation,
    pub added_count: usize,
    pub added: *const *const mtoken_operation,
    pub removed_count: usize,
    pub removed: *const *const mtoken_operation,
    pub updated_count: usize,
    pub updated: *const *const mtoken_operation,
}
pub type mtoken_trace_stage = i32;
pub const MTOKEN_TRACE_REQUEST: mtoken_trace_stage = 1;
pub const MTOKEN_TRACE_ANSWER: mtoken_trace_stage = 2;
pub const MTOKEN_TRACE_FAILURE: mtoken_trace_stage = 3;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_trace {
    pub stage: mtoken_trace_stage,
    pub request_number: i64,
    pub call: *const c_char,
    pub url: *const c_char,
    pub header_names: *const c_char,
    pub request_size: usize,
    pub http_status: i32,
    pub answer_size: usize,
    pub started_ms: i64,
    pub finished_ms: i64,
    pub reused_connection: mtoken_bool,
    pub correlation_id: *const c_char,
    pub rate_limit: *const c_char,
    pub rate_remaining: *const c_char,
    pub rate_reset: *const c_char,
    pub retry_after: *const c_char,
    pub error: *const mtoken_error,
}
#[repr(C)]
pub struct mtoken_watcher {
    _opaque: [u8; 0],
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_watched {
    pub id: *const c_char,
    pub operation_data: *const c_char,
    pub expires: i64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_watched_list {
    pub count: usize,
    pub items: *const *const mtoken_watched,
}
pub type mtoken_event_kind = i32;
pub const MTOKEN_EVENT_TASK: mtoken_event_kind = 1;
pub const MTOKEN_EVENT_STATE_STORED: mtoken_event_kind = 2;
pub const MTOKEN_EVENT_LOG: mtoken_event_kind = 3;
pub const MTOKEN_EVENT_OPERATIONS_CHANGED: mtoken_event_kind = 4;
pub const MTOKEN_EVENT_OPERATIONS_FAILED: mtoken_event_kind = 5;
pub const MTOKEN_EVENT_OPERATIONS_LOADING: mtoken_event_kind = 6;
pub const MTOKEN_EVENT_OPERATIONS_EXPIRED: mtoken_event_kind = 7;
pub const MTOKEN_EVENT_TRACE: mtoken_event_kind = 8;
pub const MTOKEN_EVENT_CHALLENGE: mtoken_event_kind = 9;
pub const MTOKEN_EVENT_POLLING_WAITS: mtoken_event_kind = 10;
pub const MTOKEN_EVENT_POLLING_GOES_ON: mtoken_event_kind = 11;
pub const MTOKEN_EVENT_REQUEST: mtoken_event_kind = 12;
pub const MTOKEN_EVENT_REQUEST_ENDED: mtoken_event_kind = 13;
pub const MTOKEN_EVENT_COUNTER_BEHIND: mtoken_event_kind = 14;
pub type mtoken_event_mask = i32;
pub const MTOKEN_EVENT_MASK_NONE: mtoken_event_mask = 0;
pub const MTOKEN_EVENT_MASK_TASKS: mtoken_event_mask = 1;
pub const MTOKEN_EVENT_MASK_STATE: mtoken_event_mask = 2;
pub const MTOKEN_EVENT_MASK_LOG: mtoken_event_mask = 4;
pub const MTOKEN_EVENT_MASK_OPERATIONS: mtoken_event_mask = 8;
pub const MTOKEN_EVENT_MASK_TRACE: mtoken_event_mask = 16;
pub const MTOKEN_EVENT_MASK_CHALLENGES: mtoken_event_mask = 32;
pub const MTOKEN_EVENT_MASK_COUNTER: mtoken_event_mask = 64;
pub const MTOKEN_EVENT_MASK_ALL: mtoken_event_mask = 2147483647;
pub type mtoken_log_level = i32;
pub const MTOKEN_LOG_OFF: mtoken_log_level = 0;
pub const MTOKEN_LOG_ERROR: mtoken_log_level = 1;
pub const MTOKEN_LOG_WARNING: mtoken_log_level = 2;
pub const MTOKEN_LOG_INFO: mtoken_log_level = 3;
pub const MTOKEN_LOG_DEBUG: mtoken_log_level = 4;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_http_header {
    pub name: *const c_char,
    pub value: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_http_request {
    pub id: i64,
    pub method: *const c_char,
    pub url: *const c_char,
    pub header_count: usize,
    pub headers: *const *const mtoken_http_header,
    pub body: *const u8,
    pub body_length: usize,
    pub deadline: i64,
    pub max_answer_size: usize,
    pub at_most_once: mtoken_bool,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_event {
    pub kind: mtoken_event_kind,
    pub log_level: mtoken_log_level,
    pub time: i64,
    pub client: *mut mtoken_client,
    pub task: *mut mtoken_task,
    pub tag: u64,
    pub message: *const c_char,
    pub error: *const mtoken_error,
    pub trace: *const mtoken_trace,
    pub change: *const mtoken_operations_change,
    pub expired: *const mtoken_watched_list,
    pub watcher: *mut mtoken_watcher,
    pub challenge: *mut mtoken_challenge,
    pub dropped: i64,
    pub is_loading: mtoken_bool,
    pub request: *const mtoken_http_request,
    pub steps: i32,
    pub protocol_version: mtoken_protocol_version,
    pub suite: mtoken_suite,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_runtime_options {
    pub struct_size: usize,
    pub events: mtoken_event_mask,
    pub log_level: mtoken_log_level,
    pub max_transfers: i32,
    pub reserved: i32,
}
impl Default for mtoken_runtime_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_runtime_info {
    pub requests_under_way: usize,
    pub requests_waiting: usize,
    pub events_waiting: usize,
    pub tasks_running: usize,
    pub clients: usize,
    pub pollers: usize,
    pub dropped_log_events: i64,
    pub dropped_trace_events: i64,
}
pub type mtoken_task_state = i32;
pub const MTOKEN_TASK_RUNNING: mtoken_task_state = 0;
pub const MTOKEN_TASK_SUCCEEDED: mtoken_task_state = 1;
pub const MTOKEN_TASK_FAILED: mtoken_task_state = 2;
pub const MTOKEN_TASK_CANCELLED: mtoken_task_state = 3;
#[repr(C)]
pub struct mtoken_store_reply {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct mtoken_store_names {
    _opaque: [u8; 0],
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_host_store {
    pub struct_size: usize,
    pub context: *mut c_void,
    pub load: Option<unsafe extern "C" fn(*mut c_void, *const c_char, *mut mtoken_store_reply) -> mtoken_status>,
    pub save: Option<unsafe extern "C" fn(*mut c_void, *const c_char, *const u8, usize) -> mtoken_status>,
    pub remove: Option<unsafe extern "C" fn(*mut c_void, *const c_char) -> mtoken_status>,
    pub release: Option<unsafe extern "C" fn(*mut c_void)>,
    pub list: Option<unsafe extern "C" fn(*mut c_void, *mut mtoken_store_names) -> mtoken_status>,
    pub explain: Option<unsafe extern "C" fn(*mut c_void) -> *const c_char>,
}
impl Default for mtoken_host_store {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_store_list {
    pub count: usize,
    pub ids: *const *const c_char,
}
pub type mtoken_protection = i32;
pub const MTOKEN_PROTECTION_NONE: mtoken_protection = 0;
pub const MTOKEN_PROTECTION_FILE: mtoken_protection = 1;
pub const MTOKEN_PROTECTION_SESSION: mtoken_protection = 2;
pub const MTOKEN_PROTECTION_HARDWARE: mtoken_protection = 3;
pub const MTOKEN_PROTECTION_HOST: mtoken_protection = 4;
pub type mtoken_seal_fault = i32;
pub const MTOKEN_SEAL_FAULT_NONE: mtoken_seal_fault = 0;
pub const MTOKEN_SEAL_FAULT_UNAVAILABLE: mtoken_seal_fault = 1;
pub const MTOKEN_SEAL_FAULT_DENIED: mtoken_seal_fault = 2;
pub const MTOKEN_SEAL_FAULT_LOCKED: mtoken_seal_fault = 3;
pub const MTOKEN_SEAL_FAULT_FOREIGN: mtoken_seal_fault = 4;
pub const MTOKEN_SEAL_FAULT_CLEARED: mtoken_seal_fault = 5;
pub const MTOKEN_SEAL_FAULT_CHANGED: mtoken_seal_fault = 6;
pub const MTOKEN_SEAL_FAULT_DAMAGED: mtoken_seal_fault = 7;
pub const MTOKEN_SEAL_FAULT_FAILED: mtoken_seal_fault = 8;
pub const MTOKEN_SEAL_FAULT_OPTIONS: mtoken_seal_fault = 9;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_host_sealer {
    pub struct_size: usize,
    pub context: *mut c_void,
    pub seal: Option<unsafe extern "C" fn(*mut c_void, *const c_char, *const u8, usize, *mut u8, *mut usize) -> mtoken_seal_fault>,
    pub unseal: Option<unsafe extern "C" fn(*mut c_void, *const c_char, *const u8, usize, *mut u8, *mut usize) -> mtoken_seal_fault>,
    pub forget: Option<unsafe extern "C" fn(*mut c_void, *const c_char, *const u8, usize)>,
    pub release: Option<unsafe extern "C" fn(*mut c_void)>,
    pub explain: Option<unsafe extern "C" fn(*mut c_void) -> *const c_char>,
}
impl Default for mtoken_host_sealer {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_sealer_options {
    pub struct_size: usize,
    pub device: mtoken_text,
    pub module_path: mtoken_text,
    pub password: mtoken_bytes,
    pub pcrs: mtoken_text,
}
impl Default for mtoken_sealer_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
pub type mtoken_scope = i32;
pub const MTOKEN_SCOPE_APPLICATION: mtoken_scope = 1;
pub const MTOKEN_SCOPE_ACTIVATION: mtoken_scope = 2;
pub type mtoken_encryption_order = i32;
pub const MTOKEN_ENCRYPT_THEN_SIGN: mtoken_encryption_order = 0;
pub const MTOKEN_SIGN_THEN_ENCRYPT: mtoken_encryption_order = 1;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_encrypt_options {
    pub struct_size: usize,
    pub scope: mtoken_scope,
    pub order: mtoken_encryption_order,
    pub auth: *const mtoken_auth,
    pub uri_id: mtoken_text,
}
impl Default for mtoken_encrypt_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_encrypted_request {
    pub body: *const u8,
    pub body_length: usize,
    pub header_name: *const c_char,
    pub header_value: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_user_address {
    pub formatted: *const c_char,
    pub street_address: *const c_char,
    pub locality: *const c_char,
    pub region: *const c_char,
    pub postal_code: *const c_char,
    pub country: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_user_info {
    pub sub: *const c_char,
    pub name: *const c_char,
    pub given_name: *const c_char,
    pub family_name: *const c_char,
    pub middle_name: *const c_char,
    pub nickname: *const c_char,
    pub preferred_username: *const c_char,
    pub profile: *const c_char,
    pub picture: *const c_char,
    pub website: *const c_char,
    pub email: *const c_char,
    pub is_email_verified: mtoken_bool,
    pub gender: *const c_char,
    pub birthdate: *const c_char,
    pub zoneinfo: *const c_char,
    pub locale: *const c_char,
    pub phone_number: *const c_char,
    pub is_phone_number_verified: mtoken_bool,
    pub address: *const mtoken_user_address,
    pub has_updated_at: mtoken_bool,
    pub updated_at: i64,
    pub json: *const c_char,
    pub json_length: usize,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_activation_code {
    pub code: *const c_char,
    pub signature: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_identity_attribute {
    pub name: mtoken_text,
    pub value: mtoken_text,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_activation_options {
    pub struct_size: usize,
    pub code: mtoken_text,
    pub otp: mtoken_text,
    pub name: mtoken_text,
    pub extras: mtoken_text,
    pub custom_attributes: mtoken_text,
    pub platform: mtoken_text,
    pub device_info: mtoken_text,
    pub recovery_code: mtoken_text,
    pub recovery_puk: mtoken_text,
    pub identity: *const mtoken_identity_attribute,
    pub identity_count: usize,
    pub oidc_provider: mtoken_text,
    pub oidc_code: mtoken_text,
    pub oidc_nonce: mtoken_text,
    pub oidc_code_verifier: mtoken_text,
}
impl Default for mtoken_activation_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_activation {
    pub activation_id: *const c_char,
    pub fingerprint: *const c_char,
    pub recovery_code: *const c_char,
    pub recovery_puk: *const c_char,
    pub custom_attributes: *const c_char,
    pub user_info: *const c_char,
    pub protocol_version: mtoken_protocol_version,
    pub suite: mtoken_suite,
}
pub type mtoken_activation_state = i32;
pub const MTOKEN_ACTIVATION_CREATED: mtoken_activation_state = 1;
pub const MTOKEN_ACTIVATION_PENDING_COMMIT: mtoken_activation_state = 2;
pub const MTOKEN_ACTIVATION_ACTIVE: mtoken_activation_state = 3;
pub const MTOKEN_ACTIVATION_BLOCKED: mtoken_activation_state = 4;
pub const MTOKEN_ACTIVATION_REMOVED: mtoken_activation_state = 5;
pub const MTOKEN_ACTIVATION_DEADLOCK: mtoken_activation_state = 128;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_activation_status {
    pub state: mtoken_activation_state,
    pub failed_attempts: i32,
    pub max_failed_attempts: i32,
    pub remaining_attempts: i32,
    pub custom_object: *const c_char,
    pub upgrade_available: mtoken_bool,
    pub suite_withdrawn: mtoken_bool,
    pub biometry_enabled: mtoken_bool,
    pub block_is_temporary: mtoken_bool,
    pub block_expires: i64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_wait_options {
    pub struct_size: usize,
    pub timeout_ms: i64,
    pub auth: *const mtoken_auth,
}
impl Default for mtoken_wait_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_activation_detail {
    pub activation_id: *const c_char,
    pub activation_name: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_config_entry {
    pub key: *const c_char,
    pub value: *const c_char,
    pub scope: mtoken_scope,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_config {
    pub count: usize,
    pub entries: *const *const mtoken_config_entry,
    pub json: *const c_char,
    pub skipped_count: usize,
    pub issue_count: usize,
    pub issues: *const *const c_char,
}
pub type mtoken_pin_weaknesses = i32;
pub const MTOKEN_PIN_SHORT: mtoken_pin_weaknesses = 1;
pub const MTOKEN_PIN_REPEATED: mtoken_pin_weaknesses = 2;
pub const MTOKEN_PIN_SEQUENTIAL: mtoken_pin_weaknesses = 4;
pub const MTOKEN_PIN_COMMON: mtoken_pin_weaknesses = 8;
pub const MTOKEN_PIN_DATE: mtoken_pin_weaknesses = 16;
pub type mtoken_tls_trust = i32;
pub const MTOKEN_TLS_SYSTEM: mtoken_tls_trust = 0;
pub const MTOKEN_TLS_CA: mtoken_tls_trust = 1;
pub const MTOKEN_TLS_UNSAFE: mtoken_tls_trust = 2;
pub type mtoken_transport = i32;
pub const MTOKEN_TRANSPORT_LIBRARY: mtoken_transport = 0;
pub const MTOKEN_TRANSPORT_HOST: mtoken_transport = 1;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_tls_pin {
    pub sha256: mtoken_text,
    pub expires: i64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_header_text {
    pub name: mtoken_text,
    pub value: mtoken_text,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_client_options {
    pub struct_size: usize,
    pub id: mtoken_text,
    pub configuration: mtoken_text,
    pub base_url: mtoken_text,
    pub operations_url: mtoken_text,
    pub store: *mut mtoken_store,
    pub device_secret: mtoken_bytes,
    pub protocol_version: mtoken_protocol_version,
    pub tls_trust: mtoken_tls_trust,
    pub ca_file: mtoken_text,
    pub pins: *const mtoken_tls_pin,
    pub pin_count: usize,
    pub allow_http: mtoken_bool,
    pub timeout_ms: i32,
    pub proxy: mtoken_text,
    pub language: mtoken_text,
    pub user_agent: mtoken_text,
    pub application: mtoken_text,
    pub label: mtoken_text,
    pub headers: *const mtoken_header_text,
    pub header_count: usize,
    pub strict: mtoken_bool,
    pub adds_correlation_id: mtoken_bool,
    pub tolerated: mtoken_contradictions,
    pub suite: mtoken_suite,
    pub external_key: mtoken_bytes,
    pub min_pin_length: i32,
    pub refused_pins: mtoken_pin_weaknesses,
    pub sealer: *mut mtoken_sealer,
    pub client_certificate: mtoken_text,
    pub client_key: mtoken_text,
    pub client_key_password: mtoken_bytes,
    pub transport: mtoken_transport,
    pub least_suite: mtoken_suite,
}
impl Default for mtoken_client_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_call_options {
    pub struct_size: usize,
    pub timeout_ms: i32,
    pub reserved: i32,
    pub language: mtoken_text,
    pub user_agent: mtoken_text,
    pub headers: *const mtoken_header_text,
    pub header_count: usize,
    pub correlation_id: mtoken_text,
}
impl Default for mtoken_call_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
pub type mtoken_client_state = i32;
pub const MTOKEN_CLIENT_EMPTY: mtoken_client_state = 0;
pub const MTOKEN_CLIENT_PENDING: mtoken_client_state = 1;
pub const MTOKEN_CLIENT_ACTIVE: mtoken_client_state = 2;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_client_info {
    pub state: mtoken_client_state,
    pub protocol_version: mtoken_protocol_version,
    pub id: *const c_char,
    pub activation_id: *const c_char,
    pub fingerprint: *const c_char,
    pub has_biometry: mtoken_bool,
    pub has_recovery_data: mtoken_bool,
    pub time_synchronized: mtoken_bool,
    pub time_adjustment_ms: i64,
    pub time: i64,
    pub status_known: mtoken_bool,
    pub activation_state: mtoken_activation_state,
    pub remaining_attempts: i32,
    pub authenticator_count: usize,
    pub authenticators: *const *const c_char,
    pub uses_external_key: mtoken_bool,
    pub has_external_key: mtoken_bool,
    pub user_info: *const c_char,
    pub unacknowledged_signatures: i32,
    pub counter_window: i32,
    pub time_precision_ms: i64,
    pub protection: mtoken_protection,
    pub suite: mtoken_suite,
    pub awaits_confirmation: mtoken_bool,
    pub awaits_upgrade_confirmation: mtoken_bool,
    pub awaits_new_pin: mtoken_bool,
    pub times_behind: i32,
    pub awaits_new_biometry: mtoken_bool,
}
pub type mtoken_vault_key = i32;
pub const MTOKEN_VAULT_KEY_TWO_FACTORS: mtoken_vault_key = 1;
pub const MTOKEN_VAULT_KEY_KNOWLEDGE: mtoken_vault_key = 2;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_csr_field {
    pub name: mtoken_text,
    pub value: mtoken_text,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_csr_options {
    pub struct_size: usize,
    pub subject: *const mtoken_csr_field,
    pub subject_count: usize,
    pub extensions: *const mtoken_csr_field,
    pub extension_count: usize,
}
impl Default for mtoken_csr_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_recovery {
    pub code: *const c_char,
    pub puk: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_token_options {
    pub struct_size: usize,
    pub name: mtoken_text,
    pub refused_header: mtoken_text,
}
impl Default for mtoken_token_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
pub type mtoken_verification = i32;
pub const MTOKEN_VERIFIED_NOT_CHECKED: mtoken_verification = 0;
pub const MTOKEN_VERIFIED_VALID: mtoken_verification = 1;
pub const MTOKEN_VERIFIED_INVALID: mtoken_verification = 2;
pub const MTOKEN_VERIFIED_UNSUPPORTED: mtoken_verification = 3;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_qr_operation {
    pub verification: mtoken_verification,
    pub server_key: mtoken_server_key,
    pub payload: *const c_char,
    pub payload_length: usize,
    pub signed_length: usize,
    pub id: *const c_char,
    pub title: *const c_char,
    pub message: *const c_char,
    pub raw_title: *const c_char,
    pub raw_message: *const c_char,
    pub signed_fields: *const mtoken_operation_fields,
    pub flags: *const c_char,
    pub allows_biometry: mtoken_bool,
    pub flip_buttons: mtoken_bool,
    pub warns_of_fraud: mtoken_bool,
    pub block_approval_on_call: mtoken_bool,
    pub unknown_flags: *const c_char,
    pub totp: *const c_char,
    pub is_newer_format: mtoken_bool,
    pub extra_count: usize,
    pub extras: *const *const c_char,
    pub nonce: *const c_char,
    pub nonce_bytes: *const u8,
    pub signature: *const c_char,
    pub signature_bytes: *const u8,
    pub signature_bytes_length: usize,
    pub summary: *const c_char,
    pub contradictions: mtoken_contradictions,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_qr_options {
    pub struct_size: usize,
    pub client: *mut mtoken_client,
    pub configuration: mtoken_text,
    pub keep_unverified: mtoken_bool,
    pub reserved: i32,
}
impl Default for mtoken_qr_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_qr_authorize_options {
    pub struct_size: usize,
    pub uri_id: mtoken_text,
    pub component_length: i32,
    pub allow_unverified: mtoken_bool,
}
impl Default for mtoken_qr_authorize_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_qr_build_options {
    pub struct_size: usize,
    pub id: mtoken_text,
    pub title: mtoken_text,
    pub message: mtoken_text,
    pub operation_data: mtoken_text,
    pub flags: mtoken_text,
    pub totp: mtoken_text,
    pub nonce: mtoken_bytes,
    pub private_key: mtoken_bytes,
    pub server_key: mtoken_server_key,
    pub reserved: i32,
}
impl Default for mtoken_qr_build_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
pub type mtoken_pac_form = i32;
pub const MTOKEN_PAC_DEEPLINK: mtoken_pac_form = 1;
pub const MTOKEN_PAC_DEEPLINK_JWT: mtoken_pac_form = 2;
pub const MTOKEN_PAC_JWT: mtoken_pac_form = 3;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_pac {
    pub operation_id: *const c_char,
    pub totp: *const c_char,
    pub source: mtoken_proximity_source,
    pub form: mtoken_pac_form,
    pub is_header_valid: mtoken_bool,
    pub has_signature: mtoken_bool,
    pub algorithm: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_pac_options {
    pub struct_size: usize,
    pub allowed: *const mtoken_text,
    pub allowed_count: usize,
}
impl Default for mtoken_pac_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_pac_build_options {
    pub struct_size: usize,
    pub operation_id: mtoken_text,
    pub totp: mtoken_text,
    pub link: mtoken_text,
    pub form: mtoken_pac_form,
    pub reserved: i32,
}
impl Default for mtoken_pac_build_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
pub type mtoken_totp_hash = i32;
pub const MTOKEN_TOTP_SHA256: mtoken_totp_hash = 0;
pub const MTOKEN_TOTP_SHA512: mtoken_totp_hash = 1;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_oidc_config {
    pub provider_id: *const c_char,
    pub client_id: *const c_char,
    pub scopes: *const c_char,
    pub authorize_uri: *const c_char,
    pub redirect_uri: *const c_char,
    pub requires_pkce: mtoken_bool,
    pub requires_issuer: mtoken_bool,
    pub issuer: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_oidc_parameter {
    pub name: mtoken_text,
    pub value: mtoken_text,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_oidc_options {
    pub struct_size: usize,
    pub config: *const mtoken_oidc_config,
    pub provider_id: mtoken_text,
    pub client_id: mtoken_text,
    pub scopes: mtoken_text,
    pub authorize_uri: mtoken_text,
    pub redirect_uri: mtoken_text,
    pub issuer: mtoken_text,
    pub requires_issuer: mtoken_bool,
    pub omits_pkce: mtoken_bool,
    pub pkce_bytes: i32,
    pub allow_http: mtoken_bool,
    pub parameters: *const mtoken_oidc_parameter,
    pub parameter_count: usize,
    pub lifetime_ms: i64,
    pub callback_uri: mtoken_text,
}
impl Default for mtoken_oidc_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
pub struct mtoken_oidc_request {
    _opaque: [u8; 0],
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_oidc_authorization {
    pub authorize_url: *const c_char,
    pub provider_id: *const c_char,
    pub redirect_uri: *const c_char,
    pub nonce: *const c_char,
    pub state: *const c_char,
    pub code_verifier: *const c_char,
    pub lacks_openid: mtoken_bool,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_oidc_attributes {
    pub provider_id: *const c_char,
    pub code: *const c_char,
    pub nonce: *const c_char,
    pub code_verifier: *const c_char,
}
pub type mtoken_push_platform = i32;
pub const MTOKEN_PUSH_PLATFORM_APNS: mtoken_push_platform = 1;
pub const MTOKEN_PUSH_PLATFORM_FCM: mtoken_push_platform = 2;
pub const MTOKEN_PUSH_PLATFORM_HMS: mtoken_push_platform = 3;
pub type mtoken_push_environment = i32;
pub const MTOKEN_PUSH_ENVIRONMENT_DEFAULT: mtoken_push_environment = 0;
pub const MTOKEN_PUSH_ENVIRONMENT_DEVELOPMENT: mtoken_push_environment = 1;
pub const MTOKEN_PUSH_ENVIRONMENT_PRODUCTION: mtoken_push_environment = 2;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_push_options {
    pub struct_size: usize,
    pub platform: mtoken_push_platform,
    pub environment: mtoken_push_environment,
    pub token: mtoken_text,
    pub token_bytes: mtoken_bytes,
    pub is_legacy_server: mtoken_bool,
    pub reserved: i32,
}
impl Default for mtoken_push_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
pub type mtoken_push_kind = i32;
pub const MTOKEN_PUSH_KIND_OPERATION_CREATED: mtoken_push_kind = 1;
pub const MTOKEN_PUSH_KIND_OPERATION_FINISHED: mtoken_push_kind = 2;
pub const MTOKEN_PUSH_KIND_INBOX_MESSAGE: mtoken_push_kind = 3;
pub const MTOKEN_PUSH_KIND_STATUS_CHANGE: mtoken_push_kind = 4;
pub type mtoken_push_result = i32;
pub const MTOKEN_PUSH_RESULT_UNKNOWN: mtoken_push_result = 0;
pub const MTOKEN_PUSH_RESULT_SUCCESS: mtoken_push_result = 1;
pub const MTOKEN_PUSH_RESULT_FAIL: mtoken_push_result = 2;
pub const MTOKEN_PUSH_RESULT_TIMEOUT: mtoken_push_result = 3;
pub const MTOKEN_PUSH_RESULT_CANCELED: mtoken_push_result = 4;
pub const MTOKEN_PUSH_RESULT_METHOD_NOT_AVAILABLE: mtoken_push_result = 5;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_push_message {
    pub kind: mtoken_push_kind,
    pub operation_id: *const c_char,
    pub operation_name: *const c_char,
    pub result: mtoken_push_result,
    pub result_text: *const c_char,
    pub inbox_id: *const c_char,
    pub title: *const c_char,
    pub body: *const c_char,
    pub activation_id: *const c_char,
    pub is_silent: mtoken_answer,
    pub json: *const c_char,
    pub json_length: usize,
    pub client: *mut mtoken_client,
}
pub type mtoken_inbox_format = i32;
pub const MTOKEN_INBOX_UNKNOWN: mtoken_inbox_format = 0;
pub const MTOKEN_INBOX_TEXT: mtoken_inbox_format = 1;
pub const MTOKEN_INBOX_HTML: mtoken_inbox_format = 2;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_inbox_message {
    pub id: *const c_char,
    pub subject: *const c_char,
    pub summary: *const c_char,
    pub body: *const c_char,
    pub format: mtoken_inbox_format,
    pub format_text: *const c_char,
    pub is_read: mtoken_bool,
    pub created: i64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_inbox_list {
    pub count: usize,
    pub messages: *const *const mtoken_inbox_message,
    pub skipped_count: usize,
    pub may_have_more: mtoken_bool,
}
pub type mtoken_mobile_auth_error = i32;
pub const MTOKEN_MOBILE_AUTH_OK: mtoken_mobile_auth_error = 0;
pub const MTOKEN_MOBILE_AUTH_DEVICE_DEREGISTERED: mtoken_mobile_auth_error = 1;
pub const MTOKEN_MOBILE_AUTH_USER_DEREGISTERED: mtoken_mobile_auth_error = 2;
pub const MTOKEN_MOBILE_AUTH_ACTION_CANCELLED: mtoken_mobile_auth_error = 3;
pub const MTOKEN_MOBILE_AUTH_NETWORK_CONNECTIVITY: mtoken_mobile_auth_error = 4;
pub const MTOKEN_MOBILE_AUTH_SERVER_NOT_REACHABLE: mtoken_mobile_auth_error = 5;
pub const MTOKEN_MOBILE_AUTH_NOT_FOUND: mtoken_mobile_auth_error = 6;
pub const MTOKEN_MOBILE_AUTH_NOT_HANDLEABLE: mtoken_mobile_auth_error = 7;
pub const MTOKEN_MOBILE_AUTH_USER_DISENROLLED: mtoken_mobile_auth_error = 8;
pub const MTOKEN_MOBILE_AUTH_NOT_ENROLLED: mtoken_mobile_auth_error = 9;
pub const MTOKEN_MOBILE_AUTH_ALREADY_IN_PROGRESS: mtoken_mobile_auth_error = 10;
pub const MTOKEN_MOBILE_AUTH_CONFIGURATION_INVALID: mtoken_mobile_auth_error = 11;
pub const MTOKEN_MOBILE_AUTH_EXPIRED: mtoken_mobile_auth_error = 12;
pub const MTOKEN_MOBILE_AUTH_OTHER: mtoken_mobile_auth_error = 13;
pub const MTOKEN_MOBILE_AUTH_PROXIMITY_REQUIRED: mtoken_mobile_auth_error = 14;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_mobile_auth_request {
    pub transaction_id: *const c_char,
    pub profile: *const c_char,
    pub date: i64,
    pub time_to_live_s: i64,
    pub operation_name: *const c_char,
    pub message: *const c_char,
    pub user_info: *const c_char,
    pub user_info_length: usize,
    pub operation: *const mtoken_operation,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_mobile_auth_list {
    pub count: usize,
    pub requests: *const *const mtoken_mobile_auth_request,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_mobile_auth_options {
    pub struct_size: usize,
    pub handles_biometry: mtoken_bool,
    pub handles_proximity: mtoken_bool,
    pub authenticator: mtoken_text,
    pub prompt: mtoken_text,
    pub mobile_token_data: mtoken_text,
    pub proximity_otp: mtoken_text,
    pub proximity_received: i64,
    pub proximity_source: mtoken_proximity_source,
    pub reserved: i32,
}
impl Default for mtoken_mobile_auth_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
pub type mtoken_authenticator_kind = i32;
pub const MTOKEN_AUTHENTICATOR_NONE: mtoken_authenticator_kind = 0;
pub const MTOKEN_AUTHENTICATOR_PIN: mtoken_authenticator_kind = 1;
pub const MTOKEN_AUTHENTICATOR_BIOMETRIC: mtoken_authenticator_kind = 2;
pub const MTOKEN_AUTHENTICATOR_CUSTOM: mtoken_authenticator_kind = 3;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_mobile_auth_outcome {
    pub request: *const mtoken_mobile_auth_request,
    pub error: mtoken_mobile_auth_error,
    pub is_denied: mtoken_bool,
    pub authenticator_kind: mtoken_authenticator_kind,
    pub authenticator_name: *const c_char,
    pub custom_info: *const c_char,
    pub server_info: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_authenticator {
    pub kind: mtoken_authenticator_kind,
    pub is_registered: mtoken_bool,
    pub is_preferred: mtoken_bool,
    pub name: *const c_char,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_authenticator_list {
    pub count: usize,
    pub authenticators: *const *const mtoken_authenticator,
}
pub type mtoken_challenge_kind = i32;
pub const MTOKEN_CHALLENGE_CONFIRMATION: mtoken_challenge_kind = 1;
pub const MTOKEN_CHALLENGE_PIN: mtoken_challenge_kind = 2;
pub const MTOKEN_CHALLENGE_BIOMETRIC: mtoken_challenge_kind = 3;
pub const MTOKEN_CHALLENGE_CUSTOM: mtoken_challenge_kind = 4;
pub const MTOKEN_CHALLENGE_PROXIMITY: mtoken_challenge_kind = 5;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_challenge_info {
    pub kind: mtoken_challenge_kind,
    pub attempt: i32,
    pub request: *const mtoken_mobile_auth_request,
    pub previous_error: *const mtoken_error,
    pub remaining_attempts: i32,
    pub prompt: *const c_char,
    pub authenticator_name: *const c_char,
    pub custom_info: *const c_char,
    pub server_info: *const c_char,
    pub summary: *const c_char,
}
#[repr(C)]
pub struct mtoken_mobile_token_data {
    _opaque: [u8; 0],
}
#[repr(C)]
pub struct mtoken_recorder {
    _opaque: [u8; 0],
}
pub const MTOKEN_ACTION_CONTINUE: &str = "CONTINUE";
pub const MTOKEN_ACTION_BACK: &str = "BACK";
pub const MTOKEN_ACTION_CLOSE: &str = "CLOSE";
pub const MTOKEN_ACTION_REJECT: &str = "REJECT";
pub const MTOKEN_ACTION_SCAN: &str = "SCAN";
pub type mtoken_cell_kind = i32;
pub const MTOKEN_CELL_TITLE: mtoken_cell_kind = 1;
pub const MTOKEN_CELL_MESSAGE: mtoken_cell_kind = 2;
pub const MTOKEN_CELL_HEADING: mtoken_cell_kind = 3;
pub const MTOKEN_CELL_IMAGE: mtoken_cell_kind = 4;
pub const MTOKEN_CELL_VALUE: mtoken_cell_kind = 5;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_visual_cell {
    pub kind: mtoken_cell_kind,
    pub text: *const c_char,
    pub attribute: *const mtoken_attribute,
    pub layout: *const mtoken_template_cell,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_visual_section {
    pub style: *const c_char,
    pub title: *const c_char,
    pub cell_count: usize,
    pub cells: *const *const mtoken_visual_cell,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_visual {
    pub list_header: *const c_char,
    pub list_title: *const c_char,
    pub list_message: *const c_char,
    pub list_image_url: *const c_char,
    pub list_style: *const c_char,
    pub detail_style: *const c_char,
    pub section_count: usize,
    pub sections: *const *const mtoken_visual_section,
}
pub type mtoken_json_kind = i32;
pub const MTOKEN_JSON_NULL: mtoken_json_kind = 0;
pub const MTOKEN_JSON_BOOLEAN: mtoken_json_kind = 1;
pub const MTOKEN_JSON_INTEGER: mtoken_json_kind = 2;
pub const MTOKEN_JSON_REAL: mtoken_json_kind = 3;
pub const MTOKEN_JSON_TEXT: mtoken_json_kind = 4;
pub const MTOKEN_JSON_ARRAY: mtoken_json_kind = 5;
pub const MTOKEN_JSON_OBJECT: mtoken_json_kind = 6;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_json_value {
    pub kind: mtoken_json_kind,
    pub json: *const c_char,
    pub json_length: usize,
    pub text: *const c_char,
    pub integer: i64,
    pub number: f64,
    pub is_true: mtoken_bool,
    pub count: usize,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_http_response {
    pub struct_size: usize,
    pub status: i32,
    pub reserved: i32,
    pub headers: *const mtoken_header_text,
    pub header_count: usize,
    pub body: mtoken_bytes,
}
impl Default for mtoken_http_response {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_ecdsa_verify_options {
    pub struct_size: usize,
    pub public_key: mtoken_bytes,
    pub signed_bytes: mtoken_bytes,
    pub signature: mtoken_bytes,
    pub form: mtoken_signature_form,
    pub reserved: i32,
}
impl Default for mtoken_ecdsa_verify_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mtoken_oidc_url_options {
    pub struct_size: usize,
    pub request: *const mtoken_oidc_options,
    pub nonce: mtoken_text,
    pub state: mtoken_text,
    pub challenge: mtoken_text,
}
impl Default for mtoken_oidc_url_options {
    fn default() -> Self {
        let mut made: Self = unsafe { core::mem::zeroed() };
        made.struct_size = core::mem::size_of::<Self>();
        made
    }
}
pub type mtoken_bool = i32;

extern "C" {
    pub fn mtoken_text_free(text: *mut mtoken_text);
    pub fn mtoken_bytes_free(bytes: *mut mtoken_bytes);
    pub fn mtoken_version() -> *const c_char;
    pub fn mtoken_versions() -> *const c_char;
    pub fn mtoken_version_number() -> u32;
    pub fn mtoken_abi_version() -> i32;
    pub fn mtoken_constant_value(name: *const c_char, name_length: usize, out_value: *mut i64) -> mtoken_status;
    pub fn mtoken_constant_at(index: usize, out_value: *mut i64) -> *const c_char;
    pub fn mtoken_error_free(error: *mut mtoken_error);
    pub fn mtoken_error_is_operation_over(error: *const mtoken_error) -> mtoken_bool;
    pub fn mtoken_server_code_name(code: mtoken_server_code) -> *const c_char;
    pub fn mtoken_error_name(code: mtoken_status) -> *const c_char;
    pub fn mtoken_error_description(code: mtoken_status) -> *const c_char;
    pub fn mtoken_operation_fields_parse(text: *const c_char, text_length: usize, out_fields: *mut *mut mtoken_operation_fields, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operation_fields_summary(text: *const c_char, text_length: usize, out_summary: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operation_fields_build(version: i32, template_id: mtoken_operation_template, fields: *const mtoken_field_input, field_count: usize, out_text: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operation_fields_free(fields: *mut mtoken_operation_fields);
    pub fn mtoken_header_free(header: *mut mtoken_header);
    pub fn mtoken_client_sign(client: *mut mtoken_client, options: *const mtoken_sign_options, auth: *const mtoken_auth, out_header: *mut *mut mtoken_header, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_signature_accepted(client: *mut mtoken_client, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_take_turn(client: *mut mtoken_client, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_give_turn(task: *mut mtoken_task) -> mtoken_status;
    pub fn mtoken_canonical_query(query: *const c_char, query_length: usize, out_canonical: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_sign_offline(client: *mut mtoken_client, options: *const mtoken_sign_offline_options, auth: *const mtoken_auth, out_code: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_verify(client: *const mtoken_client, options: *const mtoken_verify_options, out_is_valid: *mut mtoken_bool, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_list(client: *mut mtoken_client, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_history(client: *mut mtoken_client, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_operations(task: *const mtoken_task) -> *const mtoken_operation_list;
    pub fn mtoken_operations_detail(client: *mut mtoken_client, id: *const c_char, id_length: usize, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_claim(client: *mut mtoken_client, id: *const c_char, id_length: usize, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_operation(task: *const mtoken_task) -> *const mtoken_operation;
    pub fn mtoken_operations_authorize(client: *mut mtoken_client, operation: *const mtoken_operation, auth: *const mtoken_auth, options: *const mtoken_authorize_options, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_authorize_data(client: *mut mtoken_client, operation: *const mtoken_operation_options, auth: *const mtoken_auth, options: *const mtoken_authorize_options, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_reject(client: *mut mtoken_client, id: *const c_char, id_length: usize, options: *const mtoken_reject_options, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_refresh(client: *mut mtoken_client, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_is_loading(client: *const mtoken_client) -> mtoken_answer;
    pub fn mtoken_operations_get_info(client: *const mtoken_client, out_known: *mut *mut mtoken_operations_info, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_info_free(known: *mut mtoken_operations_info);
    pub fn mtoken_operations_attach(client: *mut mtoken_client, id: *const c_char, id_length: usize, options: *const mtoken_authorize_options, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_get_attached(client: *const mtoken_client, id: *const c_char, id_length: usize) -> mtoken_attachments;
    pub fn mtoken_operations_start_polling(client: *mut mtoken_client, options: *const mtoken_polling_options, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_stop_polling(client: *mut mtoken_client, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_pause_polling(client: *mut mtoken_client, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_resume_polling(client: *mut mtoken_client, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_operations_get_polling(client: *const mtoken_client) -> mtoken_polling_state;
    pub fn mtoken_watcher_new(client: *mut mtoken_client, out_watcher: *mut *mut mtoken_watcher, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_watcher_free(watcher: *mut mtoken_watcher);
    pub fn mtoken_watcher_add(watcher: *mut mtoken_watcher, items: *const mtoken_watched, count: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_watcher_remove(watcher: *mut mtoken_watcher, items: *const mtoken_watched, count: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_watcher_remove_all(watcher: *mut mtoken_watcher, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_watcher_list(watcher: *const mtoken_watcher, out_list: *mut *mut mtoken_watched_list, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_watched_list_free(list: *mut mtoken_watched_list);
    pub fn mtoken_watcher_set_clock(watcher: *mut mtoken_watcher, own_clock: mtoken_bool, offset_ms: i64, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_event_take_challenge(received: *mut mtoken_event) -> *mut mtoken_challenge;
    pub fn mtoken_event_free(received: *mut mtoken_event);
    pub fn mtoken_runtime_new(options: *const mtoken_runtime_options, out_runtime: *mut *mut mtoken_runtime, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_runtime_free(runtime: *mut mtoken_runtime);
    pub fn mtoken_runtime_next_event(runtime: *mut mtoken_runtime, timeout_ms: i64, out_event: *mut *mut mtoken_event, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_runtime_interrupt(runtime: *mut mtoken_runtime, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_runtime_get_info(runtime: *const mtoken_runtime, out_info: *mut *mut mtoken_runtime_info, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_runtime_info_free(info: *mut mtoken_runtime_info);
    pub fn mtoken_runtime_fd(runtime: *const mtoken_runtime) -> i32;
    pub fn mtoken_task_wait(task: *const mtoken_task, timeout_ms: i64) -> mtoken_status;
    pub fn mtoken_task_join(task: *const mtoken_task, timeout_ms: i64, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_notify(task: *mut mtoken_task, tag: u64, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_get_state(task: *const mtoken_task) -> mtoken_task_state;
    pub fn mtoken_task_result(task: *const mtoken_task) -> mtoken_status;
    pub fn mtoken_task_error(task: *const mtoken_task) -> *const mtoken_error;
    pub fn mtoken_task_cancel(task: *mut mtoken_task) -> mtoken_status;
    pub fn mtoken_task_set_user_data(task: *mut mtoken_task, user_data: *mut c_void) -> mtoken_status;
    pub fn mtoken_task_user_data(task: *const mtoken_task) -> *mut c_void;
    pub fn mtoken_task_free(task: *mut mtoken_task);
    pub fn mtoken_store_directory_new(path: *const c_char, path_length: usize, out_store: *mut *mut mtoken_store, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_store_memory_new(out_store: *mut *mut mtoken_store, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_store_host_new(host: *const mtoken_host_store, out_store: *mut *mut mtoken_store, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_store_reply_set(reply: *mut mtoken_store_reply, bytes: *const u8, length: usize) -> mtoken_status;
    pub fn mtoken_store_names_add(names: *mut mtoken_store_names, name: *const c_char, name_length: usize) -> mtoken_status;
    pub fn mtoken_store_clients(store: *mut mtoken_store, out_list: *mut *mut mtoken_store_list, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_store_list_free(list: *mut mtoken_store_list);
    pub fn mtoken_store_remove(store: *mut mtoken_store, id: *const c_char, id_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_store_copy(store: *mut mtoken_store, id: *const c_char, id_length: usize, target: *mut mtoken_store, target_id: *const c_char, target_id_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_store_free(store: *mut mtoken_store);
    pub fn mtoken_sealer_host_new(host: *const mtoken_host_sealer, out_sealer: *mut *mut mtoken_sealer, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_sealer_open(name: *const c_char, name_length: usize, options: *const mtoken_sealer_options, out_sealer: *mut *mut mtoken_sealer, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_sealer_seal(sealer: *mut mtoken_sealer, label: *const c_char, label_length: usize, bytes: *const u8, bytes_length: usize, out_bytes: *mut *mut mtoken_bytes, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_sealer_unseal(sealer: *mut mtoken_sealer, label: *const c_char, label_length: usize, form: *const u8, form_length: usize, out_bytes: *mut *mut mtoken_bytes, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_sealer_free(sealer: *mut mtoken_sealer);
    pub fn mtoken_client_reseal(client: *mut mtoken_client, sealer: *mut mtoken_sealer, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_encrypt(client: *mut mtoken_client, body: *const u8, body_length: usize, options: *const mtoken_encrypt_options, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_encrypted_request(task: *const mtoken_task) -> *const mtoken_encrypted_request;
    pub fn mtoken_task_decrypt(task: *const mtoken_task, answer: *const u8, answer_length: usize, out_bytes: *mut *mut mtoken_bytes, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_hmac(client: *mut mtoken_client, scope: mtoken_scope, bytes: *const u8, bytes_length: usize, out_mac: *mut *mut mtoken_bytes, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_fetch_user_info(client: *mut mtoken_client, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_user_info(task: *const mtoken_task) -> *const mtoken_user_info;
    pub fn mtoken_activation_code_parse(text: *const c_char, text_length: usize, out_code: *mut *mut mtoken_activation_code, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_activation_code_free(code: *mut mtoken_activation_code);
    pub fn mtoken_activation_code_correct(character: u32) -> u32;
    pub fn mtoken_recovery_code_is_valid(text: *const c_char, text_length: usize) -> mtoken_bool;
    pub fn mtoken_recovery_puk_is_valid(text: *const c_char, text_length: usize) -> mtoken_bool;
    pub fn mtoken_client_activate(client: *mut mtoken_client, options: *const mtoken_activation_options, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_activation(task: *const mtoken_task) -> *const mtoken_activation;
    pub fn mtoken_client_persist(client: *mut mtoken_client, auth: *const mtoken_auth, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_import_upstream(client: *mut mtoken_client, state: *const u8, state_length: usize, possession_key: *const u8, possession_key_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_cancel_activation(client: *mut mtoken_client, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_fetch_status(client: *mut mtoken_client, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_wait_active(client: *mut mtoken_client, options: *const mtoken_wait_options, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_activation_status(task: *const mtoken_task) -> *const mtoken_activation_status;
    pub fn mtoken_client_fetch_detail(client: *mut mtoken_client, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_activation_detail(task: *const mtoken_task) -> *const mtoken_activation_detail;
    pub fn mtoken_client_rename(client: *mut mtoken_client, name: *const c_char, name_length: usize, order: mtoken_encryption_order, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_upgrade(client: *mut mtoken_client, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_fetch_config(client: *mut mtoken_client, scope: mtoken_scope, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_config(task: *const mtoken_task) -> *const mtoken_config;
    pub fn mtoken_client_remove(client: *mut mtoken_client, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_remove_local(client: *mut mtoken_client, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_pin_inspect(pin: *const u8, pin_length: usize) -> mtoken_pin_weaknesses;
    pub fn mtoken_client_validate_pin(client: *mut mtoken_client, pin: *const u8, pin_length: usize, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_change_pin(client: *mut mtoken_client, old_pin: *const u8, old_pin_length: usize, new_pin: *const u8, new_pin_length: usize, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_change_pin_unsafe(client: *mut mtoken_client, old_pin: *const u8, old_pin_length: usize, new_pin: *const u8, new_pin_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_add_biometry(client: *mut mtoken_client, key: *const u8, key_length: usize, authenticator: *const c_char, authenticator_length: usize, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_remove_biometry(client: *mut mtoken_client, authenticator: *const c_char, authenticator_length: usize, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_set_external_key(client: *mut mtoken_client, key: *const u8, key_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_add_external_key(client: *mut mtoken_client, key: *const u8, key_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_remove_external_key(client: *mut mtoken_client, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_new(runtime: *mut mtoken_runtime, options: *const mtoken_client_options, out_client: *mut *mut mtoken_client, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_with_options(client: *mut mtoken_client, options: *const mtoken_call_options, out_client: *mut *mut mtoken_client, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_set_language(client: *mut mtoken_client, language: *const c_char, language_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_free(client: *mut mtoken_client);
    pub fn mtoken_client_get_info(client: *const mtoken_client, out_info: *mut *mut mtoken_client_info, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_info_free(info: *mut mtoken_client_info);
    pub fn mtoken_client_synchronize_time(client: *mut mtoken_client, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_reset_time(client: *mut mtoken_client, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_bytes(task: *const mtoken_task) -> *const mtoken_bytes;
    pub fn mtoken_vault_fetch_key(client: *mut mtoken_client, index: u64, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_vault_fetch_key_of(client: *mut mtoken_client, key: mtoken_vault_key, index: u64, size: usize, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_vault_sign(client: *mut mtoken_client, bytes: *const u8, bytes_length: usize, form: mtoken_signature_form, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_vault_sign_ml_dsa(client: *mut mtoken_client, bytes: *const u8, bytes_length: usize, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_vault_sign_jwt(client: *mut mtoken_client, claims: *const c_char, claims_length: usize, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_public_key(client: *const mtoken_client, out_bytes: *mut *mut mtoken_bytes, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_client_sign_csr(client: *mut mtoken_client, options: *const mtoken_csr_options, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_recovery_fetch(client: *mut mtoken_client, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_recovery(task: *const mtoken_task) -> *const mtoken_recovery;
    pub fn mtoken_recovery_confirm(client: *mut mtoken_client, code: *const c_char, code_length: usize, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_already_confirmed(task: *const mtoken_task) -> mtoken_answer;
    pub fn mtoken_token_create(client: *mut mtoken_client, name: *const c_char, name_length: usize, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_token_get_header(client: *mut mtoken_client, name: *const c_char, name_length: usize, out_header: *mut *mut mtoken_header, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_token_fetch_header(client: *mut mtoken_client, options: *const mtoken_token_options, auth: *const mtoken_auth, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_header(task: *const mtoken_task) -> *const mtoken_header;
    pub fn mtoken_token_is_stored(client: *const mtoken_client, name: *const c_char, name_length: usize) -> mtoken_bool;
    pub fn mtoken_token_remove(client: *mut mtoken_client, name: *const c_char, name_length: usize, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_token_forget(client: *mut mtoken_client, name: *const c_char, name_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_qr_operation_parse(payload: *const c_char, payload_length: usize, options: *const mtoken_qr_options, out_operation: *mut *mut mtoken_qr_operation, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_qr_operation_free(operation: *mut mtoken_qr_operation);
    pub fn mtoken_qr_authorize(client: *mut mtoken_client, operation: *const mtoken_qr_operation, auth: *const mtoken_auth, options: *const mtoken_qr_authorize_options, out_code: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_qr_code_group(code: *const c_char, code_length: usize, out_grouped: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_qr_operation_build(options: *const mtoken_qr_build_options, out_payload: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_pac_parse(code: *const c_char, code_length: usize, source: mtoken_proximity_source, options: *const mtoken_pac_options, out_pac: *mut *mut mtoken_pac, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_pac_free(pac: *mut mtoken_pac);
    pub fn mtoken_pac_matches(pac: *const mtoken_pac, operation: *const mtoken_operation) -> mtoken_bool;
    pub fn mtoken_pac_find(pac: *const mtoken_pac, list: *const mtoken_operation_list) -> *const mtoken_operation;
    pub fn mtoken_pac_build(options: *const mtoken_pac_build_options, out_code: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_totp(seed: *const u8, seed_length: usize, time: i64, step_s: i32, digits: i32, hash: mtoken_totp_hash, out_totp: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_oidc_fetch_config(client: *mut mtoken_client, provider_id: *const c_char, provider_id_length: usize, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_oidc_config(task: *const mtoken_task) -> *const mtoken_oidc_config;
    pub fn mtoken_oidc_discover(client: *mut mtoken_client, options: *const mtoken_oidc_options, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_oidc_prepare(options: *const mtoken_oidc_options, out_request: *mut *mut mtoken_oidc_request, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_oidc_request_get_authorization(request: *const mtoken_oidc_request) -> *const mtoken_oidc_authorization;
    pub fn mtoken_oidc_process(request: *mut mtoken_oidc_request, callback: *const c_char, callback_length: usize, out_attributes: *mut *const mtoken_oidc_attributes, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_oidc_request_store(client: *mut mtoken_client, request: *mut mtoken_oidc_request, out_text: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_oidc_request_restore(client: *mut mtoken_client, text: *const c_char, text_length: usize, out_request: *mut *mut mtoken_oidc_request, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_oidc_listen(runtime: *mut mtoken_runtime, options: *const mtoken_oidc_options, out_request: *mut *mut mtoken_oidc_request, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_oidc_attributes(task: *const mtoken_task) -> *const mtoken_oidc_attributes;
    pub fn mtoken_oidc_request_free(request: *mut mtoken_oidc_request);
    pub fn mtoken_push_register(client: *mut mtoken_client, options: *const mtoken_push_options, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_push_is_registered(client: *const mtoken_client) -> mtoken_bool;
    pub fn mtoken_push_parse(payload: *const c_char, payload_length: usize, out_message: *mut *mut mtoken_push_message, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_runtime_route_push(runtime: *const mtoken_runtime, payload: *const c_char, payload_length: usize, out_message: *mut *mut mtoken_push_message, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_push_message_free(message: *mut mtoken_push_message);
    pub fn mtoken_inbox_count(client: *mut mtoken_client, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_inbox_count(task: *const mtoken_task) -> i64;
    pub fn mtoken_inbox_list_page(client: *mut mtoken_client, page: i32, page_size: i32, only_unread: mtoken_bool, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_inbox_list_all(client: *mut mtoken_client, page_size: i32, limit: i32, only_unread: mtoken_bool, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_inbox_list(task: *const mtoken_task) -> *const mtoken_inbox_list;
    pub fn mtoken_inbox_detail(client: *mut mtoken_client, id: *const c_char, id_length: usize, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_inbox_message(task: *const mtoken_task) -> *const mtoken_inbox_message;
    pub fn mtoken_inbox_mark_read(client: *mut mtoken_client, id: *const c_char, id_length: usize, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_inbox_mark_all_read(client: *mut mtoken_client, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_mobile_auth_error_name(error: mtoken_mobile_auth_error) -> *const c_char;
    pub fn mtoken_mobile_auth_from_push(client: *mut mtoken_client, payload: *const c_char, payload_length: usize, out_request: *mut *mut mtoken_mobile_auth_request, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_mobile_auth_request_free(request: *mut mtoken_mobile_auth_request);
    pub fn mtoken_mobile_auth_pending(client: *mut mtoken_client, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_mobile_auth_list(task: *const mtoken_task) -> *const mtoken_mobile_auth_list;
    pub fn mtoken_mobile_auth_handle(client: *mut mtoken_client, transaction_id: *const c_char, transaction_id_length: usize, options: *const mtoken_mobile_auth_options, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_mobile_auth_handle_push(client: *mut mtoken_client, payload: *const c_char, payload_length: usize, options: *const mtoken_mobile_auth_options, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_mobile_auth_handle_code(client: *mut mtoken_client, code: *const c_char, code_length: usize, source: mtoken_proximity_source, options: *const mtoken_mobile_auth_options, out_task: *mut *mut mtoken_task, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_task_mobile_auth(task: *const mtoken_task) -> *const mtoken_mobile_auth_outcome;
    pub fn mtoken_mobile_auth_register_authenticator(client: *mut mtoken_client, name: *const c_char, name_length: usize, key: *const u8, key_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_mobile_auth_unregister_authenticator(client: *mut mtoken_client, name: *const c_char, name_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_mobile_auth_get_authenticators(client: *mut mtoken_client, options: *const mtoken_mobile_auth_options, out_list: *mut *mut mtoken_authenticator_list, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_authenticator_list_free(list: *mut mtoken_authenticator_list);
    pub fn mtoken_challenge_get_info(challenge: *const mtoken_challenge) -> *const mtoken_challenge_info;
    pub fn mtoken_challenge_client(challenge: *const mtoken_challenge) -> *mut mtoken_client;
    pub fn mtoken_challenge_task(challenge: *const mtoken_challenge) -> *mut mtoken_task;
    pub fn mtoken_challenge_confirm(challenge: *mut mtoken_challenge, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_challenge_deny(challenge: *mut mtoken_challenge, reason: *const c_char, reason_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_challenge_pin(challenge: *mut mtoken_challenge, pin: *const u8, pin_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_challenge_biometric(challenge: *mut mtoken_challenge, key: *const u8, key_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_challenge_custom(challenge: *mut mtoken_challenge, key: *const u8, key_length: usize, info: *const c_char, info_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_challenge_proximity(challenge: *mut mtoken_challenge, otp: *const c_char, otp_length: usize, source: mtoken_proximity_source, received: i64, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_challenge_use_pin(challenge: *mut mtoken_challenge, custom_info: *const c_char, custom_info_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_challenge_cancel(challenge: *mut mtoken_challenge, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_challenge_free(challenge: *mut mtoken_challenge);
    pub fn mtoken_mobile_token_data_new(initial: *const c_char, initial_length: usize, out_builder: *mut *mut mtoken_mobile_token_data, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_mobile_token_data_free(builder: *mut mtoken_mobile_token_data);
    pub fn mtoken_mobile_token_data_put(builder: *mut mtoken_mobile_token_data, key: *const c_char, key_length: usize, json: *const c_char, json_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_mobile_token_data_put_text(builder: *mut mtoken_mobile_token_data, key: *const c_char, key_length: usize, text: *const c_char, text_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_mobile_token_data_put_recorder(builder: *mut mtoken_mobile_token_data, recorder: *mut mtoken_recorder, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_mobile_token_data_remove(builder: *mut mtoken_mobile_token_data, key: *const c_char, key_length: usize) -> mtoken_bool;
    pub fn mtoken_mobile_token_data_clear(builder: *mut mtoken_mobile_token_data, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_mobile_token_data_build(builder: *const mtoken_mobile_token_data, out_json: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_recorder_new(client: *mut mtoken_client, out_recorder: *mut *mut mtoken_recorder, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_recorder_free(recorder: *mut mtoken_recorder);
    pub fn mtoken_recorder_begin(recorder: *mut mtoken_recorder, screen: *const c_char, screen_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_recorder_end(recorder: *mut mtoken_recorder, screen: *const c_char, screen_length: usize, action: *const c_char, action_length: usize, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_recorder_reset(recorder: *mut mtoken_recorder, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_recorder_build(recorder: *const mtoken_recorder, out_json: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_visual_new(operation: *const mtoken_operation, out_visual: *mut *mut mtoken_visual, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_visual_free(visual: *mut mtoken_visual);
    pub fn mtoken_json_find(json: *const c_char, json_length: usize, path: *const c_char, path_length: usize, out_value: *mut *mut mtoken_json_value, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_json_value_free(value: *mut mtoken_json_value);
    pub fn mtoken_request_respond(runtime: *mut mtoken_runtime, id: i64, response: *const mtoken_http_response, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_request_fail(runtime: *mut mtoken_runtime, id: i64, outcome: mtoken_outcome, network_fault: mtoken_network_fault, tls_fault: mtoken_tls_fault, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_random_bytes(length: usize, out_bytes: *mut *mut mtoken_bytes, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_sha256(bytes: *const u8, bytes_length: usize, out_hash: *mut *mut mtoken_bytes, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_hmac_sha256(key: *const u8, key_length: usize, bytes: *const u8, bytes_length: usize, out_mac: *mut *mut mtoken_bytes, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_key_pair_new(out_private_key: *mut *mut mtoken_bytes, out_public_key: *mut *mut mtoken_bytes, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_ecdsa_sign(private_key: *const u8, private_key_length: usize, bytes: *const u8, bytes_length: usize, form: mtoken_signature_form, out_signature: *mut *mut mtoken_bytes, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_ecdsa_verify(options: *const mtoken_ecdsa_verify_options, out_is_valid: *mut mtoken_bool, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_ecdh(private_key: *const u8, private_key_length: usize, public_key: *const u8, public_key_length: usize, out_secret: *mut *mut mtoken_bytes, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_oidc_pkce(byte_count: usize, out_verifier: *mut *mut mtoken_text, out_challenge: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_oidc_challenge(verifier: *const c_char, verifier_length: usize, out_challenge: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_oidc_random(byte_count: usize, out_text: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
    pub fn mtoken_oidc_authorization_url(options: *const mtoken_oidc_url_options, out_url: *mut *mut mtoken_text, out_error: *mut *mut mtoken_error) -> mtoken_status;
}
