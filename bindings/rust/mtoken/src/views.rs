// Made by bindings/generate from mtoken.h. Do not edit.

use crate::life::*;
use crate::values::*;
use crate::Error;
use mtoken_sys as sys;

/// What an error tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorDetails {
    /// `ErrorCode`.
    pub code: ErrorCode,
    /// `Outcome`.
    pub outcome: Outcome,
    /// Stable machine-readable reason, e.g. "operations_alreadyFinished", "network_timeOut", "missingActivation". A
    /// request that was signed and refused has one of three causes: `ErrorCode::AUTHENTICATION`: the server counted a
    /// failed attempt, so the PIN or biometry key is wrong; `ErrorCode::SERVER` with reason "notTheFactor": it counted
    /// none, and another PIN does not help; `ErrorCode::SERVER` with reason "acceptedThenRefused": it accepted the
    /// signature, so the PIN is right, and refused what was requested.
    pub reason: String,
    /// One English sentence for developers: what happened, to which object, and what to do. Contains no secrets.
    pub message: String,
    /// 0 if no HTTP response arrived.
    pub http_status: i32,
    /// Attempts left before the activation is blocked; -1 if unknown (fetch the status).
    pub remaining_attempts: i32,
    /// Code of the server's error object, e.g. "POWERAUTH_AUTH_FAIL"; `None` if there is none. Server texts are reduced
    /// to one line without control characters and bidirectional marks. Longer texts are truncated, with an ellipsis, to
    /// 128 (code), 512 (message) and 2,048 (URI) characters.
    pub server_code: Option<String>,
    /// Message of that object; `None` if there is none.
    pub server_message: Option<String>,
    /// URI with more information about the error, from the server; `None` if there is none.
    pub server_uri: Option<String>,
    /// `ServerCode` of `server_code`.
    pub server_code_number: ServerCode,
    /// True: the same call may succeed later, and repeating it is safe.
    pub is_retriable: bool,
    /// `NetworkFault`; `NetworkFault::NONE`: not the cause.
    pub network_fault: NetworkFault,
    /// `TlsFault`; `TlsFault::NONE`: not the cause.
    pub tls_fault: TlsFault,
    /// Parse errors: offset in the input; -1: none.
    pub byte_offset: i64,
    /// Parse errors in an offline text: line, from 1; 0: none.
    pub line: i32,
    /// After an activation with a wrong PUK: index of the expected PUK in the printed list; 0: unknown.
    pub recovery_puk_index: i32,
    /// What lies behind this error, for developers: libcurl's text, or the message of another error. Contains no
    /// secrets. `None` if there is none.
    pub cause: Option<String>,
    /// The reason that the mobile SDKs use. It differs from `reason` for "notTheFactor", "acceptedThenRefused" and
    /// "secretsDiffer", if `Client::operations_detail` or `Client::operations_claim` finds the operation expired, if
    /// end-to-end encryption fails ("network_e2eeError"), and if a token cannot be fetched or used
    /// ("network_tokenError").
    pub upstream_reason: String,
    /// How long the server asks the client to wait (Retry-After), at most one hour; -1 if it does not say.
    pub retry_after_ms: i64,
    /// X-Correlation-ID of the request, for the bank's support; `None` if there was none.
    pub correlation_id: Option<String>,
    /// The bank's information about a refused approval or denial: "customInfo" of the responseObject, any JSON value;
    /// `None` if there is none.
    pub custom_info: Option<String>,
}
impl ErrorDetails {
    pub(crate) unsafe fn read(error: &sys::mtoken_error) -> Self {
        Self {
            code: ErrorCode(error.code),
            outcome: Outcome(error.outcome),
            reason: text(error.reason).to_owned(),
            message: text(error.message).to_owned(),
            http_status: error.http_status,
            remaining_attempts: error.remaining_attempts,
            server_code: optional(error.server_code).map(String::from),
            server_message: optional(error.server_message).map(String::from),
            server_uri: optional(error.server_uri).map(String::from),
            server_code_number: ServerCode(error.server_code_number),
            is_retriable: error.is_retriable != 0,
            network_fault: NetworkFault(error.network_fault),
            tls_fault: TlsFault(error.tls_fault),
            byte_offset: error.byte_offset,
            line: error.line,
            recovery_puk_index: error.recovery_puk_index,
            cause: optional(error.cause).map(String::from),
            upstream_reason: text(error.upstream_reason).to_owned(),
            retry_after_ms: error.retry_after_ms,
            correlation_id: optional(error.correlation_id).map(String::from),
            custom_info: optional(error.custom_info).map(String::from),
        }
    }
}

/// One field. Members that do not apply to its kind are `None` or 0.
#[repr(transparent)]
pub struct OperationField(pub(crate) sys::mtoken_operation_field);
unsafe impl Send for OperationField {}
unsafe impl Sync for OperationField {}
unsafe impl View for OperationField {
    type Raw = sys::mtoken_operation_field;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl OperationField {
    /// `FieldType`.
    #[must_use]
    pub fn kind(&self) -> FieldType { FieldType(self.0.kind) }
    /// The character that identifies the kind, as a Unicode scalar value; 0: empty field.
    #[must_use]
    pub fn letter(&self) -> u32 { self.0.letter }
    /// The whole field as it is in the data.
    #[must_use]
    pub fn raw(&self) -> &str { unsafe { text(self.0.raw) } }
    /// Its offset in the data, in bytes.
    #[must_use]
    pub fn offset(&self) -> usize { self.0.offset }
    /// `FieldType::ANY_ACCOUNT`, `FieldType::REFERENCE`, `FieldType::NOTE`, `FieldType::TEXT`, `FieldType::OTHER`: the
    /// value without escapes.
    #[must_use]
    pub fn text(&self) -> Option<&str> { unsafe { optional(self.0.text) } }
    /// `FieldType::AMOUNT`: the number as written, e.g. "100.00".
    #[must_use]
    pub fn amount(&self) -> Option<&str> { unsafe { optional(self.0.amount) } }
    /// `FieldType::AMOUNT`: the same number without redundant zeros, e.g. "100"; exact, no floating point.
    #[must_use]
    pub fn value(&self) -> Option<&str> { unsafe { optional(self.0.value) } }
    /// `FieldType::AMOUNT`: three capital letters.
    #[must_use]
    pub fn currency(&self) -> Option<&str> { unsafe { optional(self.0.currency) } }
    /// `FieldType::ACCOUNT`.
    #[must_use]
    pub fn iban(&self) -> Option<&str> { unsafe { optional(self.0.iban) } }
    /// `FieldType::ACCOUNT`; `None` if there is none.
    #[must_use]
    pub fn bic(&self) -> Option<&str> { unsafe { optional(self.0.bic) } }
    /// `FieldType::ACCOUNT`: true: the IBAN has a valid form and check digits. For information only.
    #[must_use]
    pub fn is_iban_valid(&self) -> bool { self.0.is_iban_valid != 0 }
    /// `FieldType::DATE`: a calendar date, without a time zone.
    #[must_use]
    pub fn year(&self) -> i32 { self.0.year }
    /// `FieldType::DATE`: 1 to 12.
    #[must_use]
    pub fn month(&self) -> i32 { self.0.month }
    /// `FieldType::DATE`: 1 to 31.
    #[must_use]
    pub fn day(&self) -> i32 { self.0.day }
}
impl std::fmt::Debug for OperationField {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("OperationField").field("kind", &self.kind()).field("letter", &self.letter()).field("raw", &self.raw()).field("offset", &self.offset()).field("text", &self.text()).field("amount", &self.amount()).field("value", &self.value()).field("currency", &self.currency()).field("iban", &self.iban()).field("bic", &self.bic()).field("is_iban_valid", &self.is_iban_valid()).field("year", &self.year()).field("month", &self.month()).field("day", &self.day()).finish()
    }
}

/// Parsed operation data. Read-only.
#[repr(transparent)]
pub struct OperationFields(pub(crate) sys::mtoken_operation_fields);
unsafe impl Send for OperationFields {}
unsafe impl Sync for OperationFields {}
unsafe impl View for OperationFields {
    type Raw = sys::mtoken_operation_fields;
    unsafe fn free(object: *mut Self) { sys::mtoken_operation_fields_free(object as *mut sys::mtoken_operation_fields); }
}
impl OperationFields {
    /// The operation data as passed in.
    #[must_use]
    pub fn text(&self) -> &str { unsafe { text_n(self.0.text, self.0.text_length) } }
    /// The letter, 'A' to 'Z'.
    #[must_use]
    pub fn version(&self) -> i32 { self.0.version }
    /// True: this library knows the version; an unknown one is parsed in the same way.
    #[must_use]
    pub fn is_version_known(&self) -> bool { self.0.is_version_known != 0 }
    /// `OperationTemplate` or another number up to 99.
    #[must_use]
    pub fn template_id(&self) -> OperationTemplate { OperationTemplate(self.0.template_id) }
    #[must_use]
    pub fn fields(&self) -> &[&OperationField] { unsafe { slice(self.0.fields as *const &OperationField, self.0.field_count) } }
}
impl std::fmt::Debug for OperationFields {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("OperationFields").field("text", &self.text()).field("version", &self.version()).field("is_version_known", &self.is_version_known()).field("template_id", &self.template_id()).field("fields", &self.fields()).finish()
    }
}

/// An amount with its currency. Show the formatted texts; never compute with `value`.
#[repr(transparent)]
pub struct Amount(pub(crate) sys::mtoken_amount);
unsafe impl Send for Amount {}
unsafe impl Sync for Amount {}
unsafe impl View for Amount {
    type Raw = sys::mtoken_amount;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Amount {
    /// "amount": exact, with the digits as sent, e.g. "10000.50"; `None` if it is not a number.
    #[must_use]
    pub fn amount(&self) -> Option<&str> { unsafe { optional(self.0.amount) } }
    /// "currency".
    #[must_use]
    pub fn currency(&self) -> Option<&str> { unsafe { optional(self.0.currency) } }
    /// "amountFormatted", or else the text of amount.
    #[must_use]
    pub fn amount_formatted(&self) -> &str { unsafe { text(self.0.amount_formatted) } }
    /// "currencyFormatted", or else currency.
    #[must_use]
    pub fn currency_formatted(&self) -> &str { unsafe { text(self.0.currency_formatted) } }
    /// "valueFormatted": amount and currency as the bank writes them; `None` if not sent.
    #[must_use]
    pub fn value_formatted(&self) -> Option<&str> { unsafe { optional(self.0.value_formatted) } }
    /// "amount" as a binary number, for sorting and charts only; 0 without an amount.
    #[must_use]
    pub fn value(&self) -> f64 { self.0.value }
}
impl std::fmt::Debug for Amount {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Amount").field("amount", &self.amount()).field("currency", &self.currency()).field("amount_formatted", &self.amount_formatted()).field("currency_formatted", &self.currency_formatted()).field("value_formatted", &self.value_formatted()).field("value", &self.value()).finish()
    }
}

/// A party to the operation, such as a merchant. PARTY_INFO: "partyInfo".
#[repr(transparent)]
pub struct Party(pub(crate) sys::mtoken_party);
unsafe impl Send for Party {}
unsafe impl Sync for Party {}
unsafe impl View for Party {
    type Raw = sys::mtoken_party;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Party {
    /// "logoUrl".
    #[must_use]
    pub fn logo_url(&self) -> Option<&str> { unsafe { optional(self.0.logo_url) } }
    /// "name".
    #[must_use]
    pub fn name(&self) -> Option<&str> { unsafe { optional(self.0.name) } }
    /// "description".
    #[must_use]
    pub fn description(&self) -> Option<&str> { unsafe { optional(self.0.description) } }
    /// "websiteUrl".
    #[must_use]
    pub fn website_url(&self) -> Option<&str> { unsafe { optional(self.0.website_url) } }
}
impl std::fmt::Debug for Party {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Party").field("logo_url", &self.logo_url()).field("name", &self.name()).field("description", &self.description()).field("website_url", &self.website_url()).finish()
    }
}

/// One row of an operation's form.
#[repr(transparent)]
pub struct Attribute(pub(crate) sys::mtoken_attribute);
unsafe impl Send for Attribute {}
unsafe impl Sync for Attribute {}
unsafe impl View for Attribute {
    type Raw = sys::mtoken_attribute;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Attribute {
    /// `AttributeType` from "type".
    #[must_use]
    pub fn kind(&self) -> AttributeType { AttributeType(self.0.kind) }
    /// "type".
    #[must_use]
    pub fn kind_text(&self) -> &str { unsafe { text(self.0.kind_text) } }
    /// "id".
    #[must_use]
    pub fn id(&self) -> &str { unsafe { text(self.0.id) } }
    /// "label".
    #[must_use]
    pub fn label(&self) -> &str { unsafe { text(self.0.label) } }
    /// `AttributeType::AMOUNT`; `AttributeType::AMOUNT_CONVERSION`: "sourceAmount", "sourceCurrency", ...; otherwise
    /// `None`.
    #[must_use]
    pub fn amount(&self) -> Option<&Amount> { unsafe { (self.0.amount as *const Amount).as_ref() } }
    /// `AttributeType::AMOUNT_CONVERSION`: "targetAmount", "targetCurrency", ...; otherwise `None`.
    #[must_use]
    pub fn target(&self) -> Option<&Amount> { unsafe { (self.0.target as *const Amount).as_ref() } }
    /// `AttributeType::AMOUNT_CONVERSION` "dynamic": `Answer::YES`: the rate may still change; other kinds:
    /// `Answer::UNSET`.
    #[must_use]
    pub fn is_dynamic(&self) -> Answer { Answer(self.0.is_dynamic) }
    /// `AttributeType::KEY_VALUE` "value", `AttributeType::NOTE` "note"; otherwise `None`.
    #[must_use]
    pub fn value(&self) -> Option<&str> { unsafe { optional(self.0.value) } }
    /// `AttributeType::HEADING` "level"; 0 if not sent.
    #[must_use]
    pub fn heading_level(&self) -> i32 { self.0.heading_level }
    /// `AttributeType::PARTY_INFO` "partyInfo"; otherwise `None`.
    #[must_use]
    pub fn party(&self) -> Option<&Party> { unsafe { (self.0.party as *const Party).as_ref() } }
    /// `AttributeType::IMAGE` "thumbnailUrl"; otherwise `None`.
    #[must_use]
    pub fn thumbnail_url(&self) -> Option<&str> { unsafe { optional(self.0.thumbnail_url) } }
    /// `AttributeType::IMAGE` "originalUrl"; `None` if not sent.
    #[must_use]
    pub fn original_url(&self) -> Option<&str> { unsafe { optional(self.0.original_url) } }
    /// `AttributeType::ALERT`: `AlertType` from "alertType".
    #[must_use]
    pub fn alert_kind(&self) -> AlertType { AlertType(self.0.alert_kind) }
    /// `AttributeType::ALERT` "alertType"; otherwise `None`.
    #[must_use]
    pub fn alert_kind_text(&self) -> Option<&str> { unsafe { optional(self.0.alert_kind_text) } }
    /// `AttributeType::ALERT` "title"; `None` if not sent.
    #[must_use]
    pub fn alert_title(&self) -> Option<&str> { unsafe { optional(self.0.alert_title) } }
    /// `AttributeType::ALERT` "message"; `None` if not sent.
    #[must_use]
    pub fn alert_message(&self) -> Option<&str> { unsafe { optional(self.0.alert_message) } }
    /// `AttributeType::UNKNOWN`: the whole attribute as the server sent it; otherwise `None`.
    #[must_use]
    pub fn json(&self) -> Option<&str> { unsafe { optional(self.0.json) } }
}
impl std::fmt::Debug for Attribute {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Attribute").field("kind", &self.kind()).field("kind_text", &self.kind_text()).field("id", &self.id()).field("label", &self.label()).field("amount", &self.amount()).field("target", &self.target()).field("is_dynamic", &self.is_dynamic()).field("value", &self.value()).field("heading_level", &self.heading_level()).field("party", &self.party()).field("thumbnail_url", &self.thumbnail_url()).field("original_url", &self.original_url()).field("alert_kind", &self.alert_kind()).field("alert_kind_text", &self.alert_kind_text()).field("alert_title", &self.alert_title()).field("alert_message", &self.alert_message()).field("json", &self.json()).finish()
    }
}

/// One element of a pre-approval screen.
#[repr(transparent)]
pub struct ScreenElement(pub(crate) sys::mtoken_screen_element);
unsafe impl Send for ScreenElement {}
unsafe impl Sync for ScreenElement {}
unsafe impl View for ScreenElement {
    type Raw = sys::mtoken_screen_element;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl ScreenElement {
    /// `ElementType` from "type".
    #[must_use]
    pub fn kind(&self) -> ElementType { ElementType(self.0.kind) }
    /// "type".
    #[must_use]
    pub fn kind_text(&self) -> &str { unsafe { text(self.0.kind_text) } }
    /// "id".
    #[must_use]
    pub fn id(&self) -> Option<&str> { unsafe { optional(self.0.id) } }
    /// "text".
    #[must_use]
    pub fn text(&self) -> Option<&str> { unsafe { optional(self.0.text) } }
    /// `ElementType::LIST_ITEM` "icon".
    #[must_use]
    pub fn icon(&self) -> Option<&str> { unsafe { optional(self.0.icon) } }
    /// "style": INFO, WARNING, DANGER.
    #[must_use]
    pub fn style(&self) -> Option<&str> { unsafe { optional(self.0.style) } }
    /// `ElementType::BUTTON` "action": LINK, MAIL, PHONE.
    #[must_use]
    pub fn action(&self) -> Option<&str> { unsafe { optional(self.0.action) } }
    /// `ElementType::BUTTON` "actionSettings", e.g. REJECT.
    #[must_use]
    pub fn action_settings(&self) -> Option<&str> { unsafe { optional(self.0.action_settings) } }
    /// `ElementType::BUTTON` "href".
    #[must_use]
    pub fn href(&self) -> Option<&str> { unsafe { optional(self.0.href) } }
}
impl std::fmt::Debug for ScreenElement {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ScreenElement").field("kind", &self.kind()).field("kind_text", &self.kind_text()).field("id", &self.id()).field("text", &self.text()).field("icon", &self.icon()).field("style", &self.style()).field("action", &self.action()).field("action_settings", &self.action_settings()).field("href", &self.href()).finish()
    }
}

/// The controls of a pre-approval screen, from "controls".
#[repr(transparent)]
pub struct ScreenControls(pub(crate) sys::mtoken_screen_controls);
unsafe impl Send for ScreenControls {}
unsafe impl Sync for ScreenControls {}
unsafe impl View for ScreenControls {
    type Raw = sys::mtoken_screen_controls;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl ScreenControls {
    /// "flip": `Answer::YES`: swap the approve and decline controls; `Answer::UNSET`: not sent.
    #[must_use]
    pub fn flip(&self) -> Answer { Answer(self.0.flip) }
    /// "axis": HORIZONTAL, VERTICAL.
    #[must_use]
    pub fn axis(&self) -> Option<&str> { unsafe { optional(self.0.axis) } }
    /// "decline"."type": BACK, REJECT; `None` without a decline control.
    #[must_use]
    pub fn decline_kind(&self) -> Option<&str> { unsafe { optional(self.0.decline_kind) } }
    /// "decline"."text".
    #[must_use]
    pub fn decline_text(&self) -> Option<&str> { unsafe { optional(self.0.decline_text) } }
    /// "approve"."type": SLIDER, BUTTON; `None` without an approve control.
    #[must_use]
    pub fn approve_kind(&self) -> Option<&str> { unsafe { optional(self.0.approve_kind) } }
    /// "approve"."text".
    #[must_use]
    pub fn approve_text(&self) -> Option<&str> { unsafe { optional(self.0.approve_text) } }
    /// "approve"."counter": seconds until the control becomes active; `Answer::UNSET`: none.
    #[must_use]
    pub fn approve_counter_s(&self) -> i32 { self.0.approve_counter_s }
}
impl std::fmt::Debug for ScreenControls {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ScreenControls").field("flip", &self.flip()).field("axis", &self.axis()).field("decline_kind", &self.decline_kind()).field("decline_text", &self.decline_text()).field("approve_kind", &self.approve_kind()).field("approve_text", &self.approve_text()).field("approve_counter_s", &self.approve_counter_s()).finish()
    }
}

/// A screen to show before the operation, from "ui"."preApprovalScreens".
#[repr(transparent)]
pub struct PreApprovalScreen(pub(crate) sys::mtoken_pre_approval_screen);
unsafe impl Send for PreApprovalScreen {}
unsafe impl Sync for PreApprovalScreen {}
unsafe impl View for PreApprovalScreen {
    type Raw = sys::mtoken_pre_approval_screen;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl PreApprovalScreen {
    /// `ScreenType` from "type".
    #[must_use]
    pub fn kind(&self) -> ScreenType { ScreenType(self.0.kind) }
    /// "type".
    #[must_use]
    pub fn kind_text(&self) -> Option<&str> { unsafe { optional(self.0.kind_text) } }
    /// "id".
    #[must_use]
    pub fn id(&self) -> Option<&str> { unsafe { optional(self.0.id) } }
    /// "heading".
    #[must_use]
    pub fn heading(&self) -> &str { unsafe { text(self.0.heading) } }
    /// "message".
    #[must_use]
    pub fn message(&self) -> &str { unsafe { text(self.0.message) } }
    /// "backButton": `Answer::UNSET`, `Answer::NO`, `Answer::YES`.
    #[must_use]
    pub fn back_button(&self) -> Answer { Answer(self.0.back_button) }
    /// "image".
    #[must_use]
    pub fn image(&self) -> Option<&str> { unsafe { optional(self.0.image) } }
    /// True: an "elements" list was sent, possibly empty.
    #[must_use]
    pub fn has_elements(&self) -> bool { self.0.has_elements != 0 }
    /// "elements", without those that are unreadable.
    #[must_use]
    pub fn elements(&self) -> &[&ScreenElement] { unsafe { slice(self.0.elements as *const &ScreenElement, self.0.element_count) } }
    /// "controls"; `None` if not sent.
    #[must_use]
    pub fn controls(&self) -> Option<&ScreenControls> { unsafe { (self.0.controls as *const ScreenControls).as_ref() } }
}
impl std::fmt::Debug for PreApprovalScreen {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PreApprovalScreen").field("kind", &self.kind()).field("kind_text", &self.kind_text()).field("id", &self.id()).field("heading", &self.heading()).field("message", &self.message()).field("back_button", &self.back_button()).field("image", &self.image()).field("has_elements", &self.has_elements()).field("elements", &self.elements()).field("controls", &self.controls()).finish()
    }
}

/// The older, single "preApprovalScreen", as sent. Unless the server also sent "preApprovalScreens",
/// `pre_approval_screens` holds it in converted form.
#[repr(transparent)]
pub struct LegacyScreen(pub(crate) sys::mtoken_legacy_screen);
unsafe impl Send for LegacyScreen {}
unsafe impl Sync for LegacyScreen {}
unsafe impl View for LegacyScreen {
    type Raw = sys::mtoken_legacy_screen;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl LegacyScreen {
    /// `ScreenType` from "type".
    #[must_use]
    pub fn kind(&self) -> ScreenType { ScreenType(self.0.kind) }
    /// "type"; `None` if not sent.
    #[must_use]
    pub fn kind_text(&self) -> Option<&str> { unsafe { optional(self.0.kind_text) } }
    /// "heading".
    #[must_use]
    pub fn heading(&self) -> &str { unsafe { text(self.0.heading) } }
    /// "message".
    #[must_use]
    pub fn message(&self) -> &str { unsafe { text(self.0.message) } }
    /// True: an "items" list was sent.
    #[must_use]
    pub fn has_items(&self) -> bool { self.0.has_items != 0 }
    /// "items": those that are texts.
    #[must_use]
    pub fn items(&self) -> Vec<&str> { unsafe { texts(self.0.items, self.0.item_count) } }
    /// "approvalType": SLIDER, ...; `None` if not sent.
    #[must_use]
    pub fn approval_kind_text(&self) -> Option<&str> { unsafe { optional(self.0.approval_kind_text) } }
}
impl std::fmt::Debug for LegacyScreen {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("LegacyScreen").field("kind", &self.kind()).field("kind_text", &self.kind_text()).field("heading", &self.heading()).field("message", &self.message()).field("has_items", &self.has_items()).field("items", &self.items()).field("approval_kind_text", &self.approval_kind_text()).finish()
    }
}

/// A screen to show after the approval, from "postApprovalScreen".
#[repr(transparent)]
pub struct PostApprovalScreen(pub(crate) sys::mtoken_post_approval_screen);
unsafe impl Send for PostApprovalScreen {}
unsafe impl Sync for PostApprovalScreen {}
unsafe impl View for PostApprovalScreen {
    type Raw = sys::mtoken_post_approval_screen;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl PostApprovalScreen {
    /// `PostScreenType` from "type".
    #[must_use]
    pub fn kind(&self) -> PostScreenType { PostScreenType(self.0.kind) }
    /// "type".
    #[must_use]
    pub fn kind_text(&self) -> Option<&str> { unsafe { optional(self.0.kind_text) } }
    /// "heading".
    #[must_use]
    pub fn heading(&self) -> &str { unsafe { text(self.0.heading) } }
    /// "message".
    #[must_use]
    pub fn message(&self) -> &str { unsafe { text(self.0.message) } }
    /// `PostScreenType::REVIEW` "payload"."attributes", without those that are unreadable.
    #[must_use]
    pub fn attributes(&self) -> &[&Attribute] { unsafe { slice(self.0.attributes as *const &Attribute, self.0.attribute_count) } }
    /// `PostScreenType::MERCHANT_REDIRECT` "payload"."redirectText".
    #[must_use]
    pub fn redirect_text(&self) -> Option<&str> { unsafe { optional(self.0.redirect_text) } }
    /// `PostScreenType::MERCHANT_REDIRECT` "payload"."redirectUrl".
    #[must_use]
    pub fn redirect_url(&self) -> Option<&str> { unsafe { optional(self.0.redirect_url) } }
    /// `PostScreenType::MERCHANT_REDIRECT` "payload"."countdown", seconds; 0 if not sent.
    #[must_use]
    pub fn countdown_s(&self) -> i32 { self.0.countdown_s }
    /// `PostScreenType::GENERIC`, `PostScreenType::UNKNOWN`: "payload" as JSON, `None` if not sent; otherwise `None`.
    #[must_use]
    pub fn payload(&self) -> Option<&str> { unsafe { optional(self.0.payload) } }
}
impl std::fmt::Debug for PostApprovalScreen {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PostApprovalScreen").field("kind", &self.kind()).field("kind_text", &self.kind_text()).field("heading", &self.heading()).field("message", &self.message()).field("attributes", &self.attributes()).field("redirect_text", &self.redirect_text()).field("redirect_url", &self.redirect_url()).field("countdown_s", &self.countdown_s()).field("payload", &self.payload()).finish()
    }
}

/// A cell of a detail's layout: one attribute and how to show it.
#[repr(transparent)]
pub struct TemplateCell(pub(crate) sys::mtoken_template_cell);
unsafe impl Send for TemplateCell {}
unsafe impl Sync for TemplateCell {}
unsafe impl View for TemplateCell {
    type Raw = sys::mtoken_template_cell;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl TemplateCell {
    /// "name": id of an attribute.
    #[must_use]
    pub fn name(&self) -> &str { unsafe { text(self.0.name) } }
    /// "style".
    #[must_use]
    pub fn style(&self) -> Option<&str> { unsafe { optional(self.0.style) } }
    /// "visibleTitle": `Answer::UNSET`, `Answer::NO`, `Answer::YES`.
    #[must_use]
    pub fn visible_title(&self) -> Answer { Answer(self.0.visible_title) }
    /// "canCopy".
    #[must_use]
    pub fn can_copy(&self) -> Answer { Answer(self.0.can_copy) }
    /// "collapsable": NO, COLLAPSED, YES; UNKNOWN for any other text.
    #[must_use]
    pub fn collapsable(&self) -> Option<&str> { unsafe { optional(self.0.collapsable) } }
    /// "centered".
    #[must_use]
    pub fn is_centered(&self) -> Answer { Answer(self.0.is_centered) }
}
impl std::fmt::Debug for TemplateCell {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("TemplateCell").field("name", &self.name()).field("style", &self.style()).field("visible_title", &self.visible_title()).field("can_copy", &self.can_copy()).field("collapsable", &self.collapsable()).field("is_centered", &self.is_centered()).finish()
    }
}

/// A section of a detail's layout.
#[repr(transparent)]
pub struct TemplateSection(pub(crate) sys::mtoken_template_section);
unsafe impl Send for TemplateSection {}
unsafe impl Sync for TemplateSection {}
unsafe impl View for TemplateSection {
    type Raw = sys::mtoken_template_section;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl TemplateSection {
    /// "style".
    #[must_use]
    pub fn style(&self) -> Option<&str> { unsafe { optional(self.0.style) } }
    /// "title": id of an attribute.
    #[must_use]
    pub fn title(&self) -> Option<&str> { unsafe { optional(self.0.title) } }
    /// True: a "cells" list was sent.
    #[must_use]
    pub fn has_cells(&self) -> bool { self.0.has_cells != 0 }
    /// "cells": those with a name.
    #[must_use]
    pub fn cells(&self) -> &[&TemplateCell] { unsafe { slice(self.0.cells as *const &TemplateCell, self.0.cell_count) } }
}
impl std::fmt::Debug for TemplateSection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("TemplateSection").field("style", &self.style()).field("title", &self.title()).field("has_cells", &self.has_cells()).field("cells", &self.cells()).finish()
    }
}

/// The layout that the bank wants for the operation, from "ui"."templates".
#[repr(transparent)]
pub struct Templates(pub(crate) sys::mtoken_templates);
unsafe impl Send for Templates {}
unsafe impl Sync for Templates {}
unsafe impl View for Templates {
    type Raw = sys::mtoken_templates;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Templates {
    /// True: "list" was sent.
    #[must_use]
    pub fn has_list(&self) -> bool { self.0.has_list != 0 }
    /// "list"."style".
    #[must_use]
    pub fn list_style(&self) -> Option<&str> { unsafe { optional(self.0.list_style) } }
    /// "list"."header". This text and the next two may contain placeholders: ${attribute id}.
    #[must_use]
    pub fn list_header(&self) -> Option<&str> { unsafe { optional(self.0.list_header) } }
    /// "list"."title".
    #[must_use]
    pub fn list_title(&self) -> Option<&str> { unsafe { optional(self.0.list_title) } }
    /// "list"."message".
    #[must_use]
    pub fn list_message(&self) -> Option<&str> { unsafe { optional(self.0.list_message) } }
    /// "list"."image": id of an IMAGE attribute.
    #[must_use]
    pub fn list_image(&self) -> Option<&str> { unsafe { optional(self.0.list_image) } }
    /// True: "detail" was sent.
    #[must_use]
    pub fn has_detail(&self) -> bool { self.0.has_detail != 0 }
    /// "detail"."style".
    #[must_use]
    pub fn detail_style(&self) -> Option<&str> { unsafe { optional(self.0.detail_style) } }
    /// "detail"."showTitleAndMessage": `Answer::UNSET`, `Answer::NO`, `Answer::YES`.
    #[must_use]
    pub fn show_title_and_message(&self) -> Answer { Answer(self.0.show_title_and_message) }
    /// True: "detail"."sections" was sent.
    #[must_use]
    pub fn has_sections(&self) -> bool { self.0.has_sections != 0 }
    /// "detail"."sections".
    #[must_use]
    pub fn sections(&self) -> &[&TemplateSection] { unsafe { slice(self.0.sections as *const &TemplateSection, self.0.section_count) } }
}
impl std::fmt::Debug for Templates {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Templates").field("has_list", &self.has_list()).field("list_style", &self.list_style()).field("list_header", &self.list_header()).field("list_title", &self.list_title()).field("list_message", &self.list_message()).field("list_image", &self.list_image()).field("has_detail", &self.has_detail()).field("detail_style", &self.detail_style()).field("show_title_and_message", &self.show_title_and_message()).field("has_sections", &self.has_sections()).field("sections", &self.sections()).finish()
    }
}

/// Hints for the user interface, from "ui".
#[repr(transparent)]
pub struct OperationUi(pub(crate) sys::mtoken_operation_ui);
unsafe impl Send for OperationUi {}
unsafe impl Sync for OperationUi {}
unsafe impl View for OperationUi {
    type Raw = sys::mtoken_operation_ui;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl OperationUi {
    /// "flipButtons": `Answer::YES`: swap the approve and reject buttons; `Answer::UNSET`: not sent.
    #[must_use]
    pub fn flip_buttons(&self) -> Answer { Answer(self.0.flip_buttons) }
    /// "blockApprovalOnCall": `Answer::YES`: during a phone call, explain instead of approving.
    #[must_use]
    pub fn block_approval_on_call(&self) -> Answer { Answer(self.0.block_approval_on_call) }
    /// True: a list of screens was sent, possibly empty.
    #[must_use]
    pub fn has_pre_approval_screens(&self) -> bool { self.0.has_pre_approval_screens != 0 }
    /// "preApprovalScreens", or else the converted "preApprovalScreen".
    #[must_use]
    pub fn pre_approval_screens(&self) -> &[&PreApprovalScreen] { unsafe { slice(self.0.pre_approval_screens as *const &PreApprovalScreen, self.0.pre_approval_screen_count) } }
    /// "preApprovalScreen"; `None` if not sent.
    #[must_use]
    pub fn legacy_pre_approval_screen(&self) -> Option<&LegacyScreen> { unsafe { (self.0.legacy_pre_approval_screen as *const LegacyScreen).as_ref() } }
    /// "postApprovalScreen"; `None` if not sent.
    #[must_use]
    pub fn post_approval_screen(&self) -> Option<&PostApprovalScreen> { unsafe { (self.0.post_approval_screen as *const PostApprovalScreen).as_ref() } }
    /// "templates"; `None` if not sent.
    #[must_use]
    pub fn templates(&self) -> Option<&Templates> { unsafe { (self.0.templates as *const Templates).as_ref() } }
}
impl std::fmt::Debug for OperationUi {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("OperationUi").field("flip_buttons", &self.flip_buttons()).field("block_approval_on_call", &self.block_approval_on_call()).field("has_pre_approval_screens", &self.has_pre_approval_screens()).field("pre_approval_screens", &self.pre_approval_screens()).field("legacy_pre_approval_screen", &self.legacy_pre_approval_screen()).field("post_approval_screen", &self.post_approval_screen()).field("templates", &self.templates()).finish()
    }
}

/// An operation: what the bank asks the user to approve.
#[repr(transparent)]
pub struct Operation(pub(crate) sys::mtoken_operation);
unsafe impl Send for Operation {}
unsafe impl Sync for Operation {}
unsafe impl View for Operation {
    type Raw = sys::mtoken_operation;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Operation {
    /// "id": opaque.
    #[must_use]
    pub fn id(&self) -> &str { unsafe { text(self.0.id) } }
    /// "name": the bank's type of the operation, e.g. "login".
    #[must_use]
    pub fn name(&self) -> &str { unsafe { text(self.0.name) } }
    /// "data": what is approved, sent back unchanged.
    #[must_use]
    pub fn operation_data(&self) -> &str { unsafe { text(self.0.operation_data) } }
    /// `OperationStatus` from "status"; `OperationStatus::PENDING` if not sent.
    #[must_use]
    pub fn status(&self) -> OperationStatus { OperationStatus(self.0.status) }
    /// "status" as sent; `None` if not sent.
    #[must_use]
    pub fn status_text(&self) -> Option<&str> { unsafe { optional(self.0.status_text) } }
    /// "statusReason".
    #[must_use]
    pub fn status_reason(&self) -> Option<&str> { unsafe { optional(self.0.status_reason) } }
    /// "operationCreated": ms since the epoch.
    #[must_use]
    pub fn created(&self) -> i64 { self.0.created }
    /// "operationExpires": ms since the epoch.
    #[must_use]
    pub fn expires(&self) -> i64 { self.0.expires }
    /// `SignatureType` from "allowedSignatureType"."type".
    #[must_use]
    pub fn signature_type(&self) -> SignatureType { SignatureType(self.0.signature_type) }
    /// "allowedSignatureType"."type".
    #[must_use]
    pub fn signature_type_text(&self) -> &str { unsafe { text(self.0.signature_type_text) } }
    /// `Variant` from "allowedSignatureType"."variants", combined with |.
    #[must_use]
    pub fn variants(&self) -> Variant { Variant(self.0.variants) }
    /// Those of "variants" that this version does not know.
    #[must_use]
    pub fn unknown_variants(&self) -> Vec<&str> { unsafe { texts(self.0.unknown_variants, self.0.unknown_variant_count) } }
    /// True: 2FA with possession_biometry among the variants.
    #[must_use]
    pub fn allows_biometry(&self) -> bool { self.0.allows_biometry != 0 }
    /// "formData"."title".
    #[must_use]
    pub fn title(&self) -> &str { unsafe { text(self.0.title) } }
    /// "formData"."message".
    #[must_use]
    pub fn message(&self) -> &str { unsafe { text(self.0.message) } }
    /// "formData"."attributes", without those that are unreadable.
    #[must_use]
    pub fn attributes(&self) -> &[&Attribute] { unsafe { slice(self.0.attributes as *const &Attribute, self.0.attribute_count) } }
    /// "formData"."resultTexts"."success": show it after an approval; `None`: use your own text.
    #[must_use]
    pub fn result_success(&self) -> Option<&str> { unsafe { optional(self.0.result_success) } }
    /// "formData"."resultTexts"."failure".
    #[must_use]
    pub fn result_failure(&self) -> Option<&str> { unsafe { optional(self.0.result_failure) } }
    /// "formData"."resultTexts"."reject".
    #[must_use]
    pub fn result_reject(&self) -> Option<&str> { unsafe { optional(self.0.result_reject) } }
    /// "ui"; `None` if not sent.
    #[must_use]
    pub fn ui(&self) -> Option<&OperationUi> { unsafe { (self.0.ui as *const OperationUi).as_ref() } }
    /// The whole operation as the server sent it, including members that a bank added.
    #[must_use]
    pub fn json(&self) -> &str { unsafe { text_n(self.0.json, self.0.json_length) } }
    /// `operation_data` parsed into fields: what is signed; `None` if it has another form.
    #[must_use]
    pub fn signed_fields(&self) -> Option<&OperationFields> { unsafe { (self.0.signed_fields as *const OperationFields).as_ref() } }
    /// `Contradiction`, combined with |: show a warning, or refuse approval (`AuthorizeOptions::strict`).
    #[must_use]
    pub fn contradictions(&self) -> Contradiction { Contradiction(self.0.contradictions) }
    /// Parts of this operation that were unreadable and dropped, e.g. "attribute 1: value: missing", and texts with an
    /// unresolved ${name}: "data", "formData.title" or "formData.message" followed by ": unresolved". They contain no
    /// text from the response. Set for operations from any source.
    #[must_use]
    pub fn issues(&self) -> Vec<&str> { unsafe { texts(self.0.issues, self.0.issue_count) } }
    /// What is signed, in lines, made from `operation_data` alone: show it above the question for the PIN. See
    /// `operation_fields_summary`.
    #[must_use]
    pub fn summary(&self) -> &str { unsafe { text(self.0.summary) } }
}
impl std::fmt::Debug for Operation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Operation").field("id", &self.id()).field("name", &self.name()).field("operation_data", &self.operation_data()).field("status", &self.status()).field("status_text", &self.status_text()).field("status_reason", &self.status_reason()).field("created", &self.created()).field("expires", &self.expires()).field("signature_type", &self.signature_type()).field("signature_type_text", &self.signature_type_text()).field("variants", &self.variants()).field("unknown_variants", &self.unknown_variants()).field("allows_biometry", &self.allows_biometry()).field("title", &self.title()).field("message", &self.message()).field("attributes", &self.attributes()).field("result_success", &self.result_success()).field("result_failure", &self.result_failure()).field("result_reject", &self.result_reject()).field("ui", &self.ui()).field("json", &self.json()).field("signed_fields", &self.signed_fields()).field("contradictions", &self.contradictions()).field("issues", &self.issues()).field("summary", &self.summary()).finish()
    }
}

/// A list of operations from the server.
#[repr(transparent)]
pub struct OperationList(pub(crate) sys::mtoken_operation_list);
unsafe impl Send for OperationList {}
unsafe impl Sync for OperationList {}
unsafe impl View for OperationList {
    type Raw = sys::mtoken_operation_list;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl OperationList {
    /// "responseObject", without those that are unreadable, in the server's order.
    #[must_use]
    pub fn operations(&self) -> &[&Operation] { unsafe { slice(self.0.operations as *const &Operation, self.0.count) } }
    /// Operations that were unreadable and dropped.
    #[must_use]
    pub fn skipped_count(&self) -> usize { self.0.skipped_count }
    /// True: the server sent its time.
    #[must_use]
    pub fn has_server_time(&self) -> bool { self.0.has_server_time != 0 }
    /// "currentTimestamp": ms since the epoch.
    #[must_use]
    pub fn server_time(&self) -> i64 { self.0.server_time }
    /// e.g. "operation 3: attribute 1: value: missing"; no text from the response.
    #[must_use]
    pub fn issues(&self) -> Vec<&str> { unsafe { texts(self.0.issues, self.0.issue_count) } }
    /// Issues beyond those listed.
    #[must_use]
    pub fn further_issue_count(&self) -> usize { self.0.further_issue_count }
    /// True: the response has exactly 100 operations, the most that servers send. Servers do not say whether there are
    /// more.
    #[must_use]
    pub fn may_be_cut(&self) -> bool { self.0.may_be_cut != 0 }
}
impl std::fmt::Debug for OperationList {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("OperationList").field("operations", &self.operations()).field("skipped_count", &self.skipped_count()).field("has_server_time", &self.has_server_time()).field("server_time", &self.server_time()).field("issues", &self.issues()).field("further_issue_count", &self.further_issue_count()).field("may_be_cut", &self.may_be_cut()).finish()
    }
}

/// An HTTP header that the library created.
#[repr(transparent)]
pub struct Header(pub(crate) sys::mtoken_header);
unsafe impl Send for Header {}
unsafe impl Sync for Header {}
unsafe impl View for Header {
    type Raw = sys::mtoken_header;
    unsafe fn free(object: *mut Self) { sys::mtoken_header_free(object as *mut sys::mtoken_header); }
}
impl Header {
    #[must_use]
    pub fn name(&self) -> &str { unsafe { text(self.0.name) } }
    #[must_use]
    pub fn value(&self) -> &str { unsafe { text_n(self.0.value, self.0.value_length) } }
}
impl std::fmt::Debug for Header {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Header").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// The operations that a client tracks, and how current they are.
#[repr(transparent)]
pub struct OperationsInfo(pub(crate) sys::mtoken_operations_info);
unsafe impl Send for OperationsInfo {}
unsafe impl Sync for OperationsInfo {}
unsafe impl View for OperationsInfo {
    type Raw = sys::mtoken_operations_info;
    unsafe fn free(object: *mut Self) { sys::mtoken_operations_info_free(object as *mut sys::mtoken_operations_info); }
}
impl OperationsInfo {
    /// In the server's order.
    #[must_use]
    pub fn operations(&self) -> &[&Operation] { unsafe { slice(self.0.operations as *const &Operation, self.0.count) } }
    /// True: a fetch is in progress.
    #[must_use]
    pub fn is_loading(&self) -> bool { self.0.is_loading != 0 }
    /// `FetchState`.
    #[must_use]
    pub fn last_fetch(&self) -> FetchState { FetchState(self.0.last_fetch) }
    /// Device time when the last fetch ended, ms since the epoch; 0 with `FetchState::NONE`.
    #[must_use]
    pub fn last_fetch_time(&self) -> i64 { self.0.last_fetch_time }
    /// Why the last fetch failed; `None` if it did not.
    #[must_use]
    pub fn last_error(&self) -> Option<Error> { unsafe { self.0.last_error.as_ref().map(|error| Error::read(error)) } }
    /// Operations of the last fetch that were unreadable and dropped.
    #[must_use]
    pub fn skipped_count(&self) -> usize { self.0.skipped_count }
    /// True: the last fetch included the server's time.
    #[must_use]
    pub fn has_server_time(&self) -> bool { self.0.has_server_time != 0 }
    /// "currentTimestamp": ms since the epoch.
    #[must_use]
    pub fn server_time(&self) -> i64 { self.0.server_time }
    /// `Polling`.
    #[must_use]
    pub fn polling(&self) -> Polling { Polling(self.0.polling) }
    /// Doubled with `has_push`; 0 with `Polling::OFF`.
    #[must_use]
    pub fn polling_interval_ms(&self) -> i64 { self.0.polling_interval_ms }
    /// True: see `OperationList::may_be_cut`.
    #[must_use]
    pub fn may_be_cut(&self) -> bool { self.0.may_be_cut != 0 }
}
impl std::fmt::Debug for OperationsInfo {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("OperationsInfo").field("operations", &self.operations()).field("is_loading", &self.is_loading()).field("last_fetch", &self.last_fetch()).field("last_fetch_time", &self.last_fetch_time()).field("last_error", &self.last_error()).field("skipped_count", &self.skipped_count()).field("has_server_time", &self.has_server_time()).field("server_time", &self.server_time()).field("polling", &self.polling()).field("polling_interval_ms", &self.polling_interval_ms()).field("may_be_cut", &self.may_be_cut()).finish()
    }
}

/// The content of an `EventKind::OPERATIONS_CHANGED` event.
#[repr(transparent)]
pub struct OperationsChange(pub(crate) sys::mtoken_operations_change);
unsafe impl Send for OperationsChange {}
unsafe impl Sync for OperationsChange {}
unsafe impl View for OperationsChange {
    type Raw = sys::mtoken_operations_change;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl OperationsChange {
    /// All operations tracked now, in the server's order.
    #[must_use]
    pub fn operations(&self) -> &[&Operation] { unsafe { slice(self.0.operations as *const &Operation, self.0.count) } }
    /// Tracked now, but not before.
    #[must_use]
    pub fn added(&self) -> &[&Operation] { unsafe { slice(self.0.added as *const &Operation, self.0.added_count) } }
    /// Tracked before, but not now; as they were.
    #[must_use]
    pub fn removed(&self) -> &[&Operation] { unsafe { slice(self.0.removed as *const &Operation, self.0.removed_count) } }
    /// Tracked before and now, with changed contents; as they are now.
    #[must_use]
    pub fn updated(&self) -> &[&Operation] { unsafe { slice(self.0.updated as *const &Operation, self.0.updated_count) } }
}
impl std::fmt::Debug for OperationsChange {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("OperationsChange").field("operations", &self.operations()).field("added", &self.added()).field("removed", &self.removed()).field("updated", &self.updated()).finish()
    }
}

/// One stage of a request. Contains no bodies, and of the headers only the values below.
#[repr(transparent)]
pub struct Trace(pub(crate) sys::mtoken_trace);
unsafe impl Send for Trace {}
unsafe impl Sync for Trace {}
unsafe impl View for Trace {
    type Raw = sys::mtoken_trace;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Trace {
    /// `TraceStage`.
    #[must_use]
    pub fn stage(&self) -> TraceStage { TraceStage(self.0.stage) }
    /// Number of the request in this runtime, from 1: connects the stages of one request.
    #[must_use]
    pub fn request_number(&self) -> i64 { self.0.request_number }
    /// Kind of call, e.g. "operation list".
    #[must_use]
    pub fn call(&self) -> &str { unsafe { text(self.0.call) } }
    #[must_use]
    pub fn url(&self) -> &str { unsafe { text(self.0.url) } }
    /// Of the request, joined by ", ".
    #[must_use]
    pub fn header_names(&self) -> &str { unsafe { text(self.0.header_names) } }
    /// Bytes of the request's body.
    #[must_use]
    pub fn request_size(&self) -> usize { self.0.request_size }
    /// `TraceStage::ANSWER`; otherwise 0.
    #[must_use]
    pub fn http_status(&self) -> i32 { self.0.http_status }
    /// `TraceStage::ANSWER`: bytes of the body; otherwise 0.
    #[must_use]
    pub fn answer_size(&self) -> usize { self.0.answer_size }
    /// `TraceStage::ANSWER`: when the transfer began, in milliseconds after `TraceStage::REQUEST`; otherwise 0.
    #[must_use]
    pub fn started_ms(&self) -> i64 { self.0.started_ms }
    /// `TraceStage::ANSWER`: likewise, when it was complete.
    #[must_use]
    pub fn finished_ms(&self) -> i64 { self.0.finished_ms }
    /// `TraceStage::ANSWER`: true: an open connection was reused.
    #[must_use]
    pub fn reused_connection(&self) -> bool { self.0.reused_connection != 0 }
    /// X-Correlation-ID or X-Request-ID of the request, or else of the response; `None` if none.
    #[must_use]
    pub fn correlation_id(&self) -> Option<&str> { unsafe { optional(self.0.correlation_id) } }
    /// RateLimit-Limit of the response, also under its older names; `None` if none.
    #[must_use]
    pub fn rate_limit(&self) -> Option<&str> { unsafe { optional(self.0.rate_limit) } }
    /// RateLimit-Remaining, likewise.
    #[must_use]
    pub fn rate_remaining(&self) -> Option<&str> { unsafe { optional(self.0.rate_remaining) } }
    /// RateLimit-Reset, likewise.
    #[must_use]
    pub fn rate_reset(&self) -> Option<&str> { unsafe { optional(self.0.rate_reset) } }
    /// Retry-After, likewise.
    #[must_use]
    pub fn retry_after(&self) -> Option<&str> { unsafe { optional(self.0.retry_after) } }
    /// `TraceStage::FAILURE`; otherwise `None`.
    #[must_use]
    pub fn error(&self) -> Option<Error> { unsafe { self.0.error.as_ref().map(|error| Error::read(error)) } }
}
impl std::fmt::Debug for Trace {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Trace").field("stage", &self.stage()).field("request_number", &self.request_number()).field("call", &self.call()).field("url", &self.url()).field("header_names", &self.header_names()).field("request_size", &self.request_size()).field("http_status", &self.http_status()).field("answer_size", &self.answer_size()).field("started_ms", &self.started_ms()).field("finished_ms", &self.finished_ms()).field("reused_connection", &self.reused_connection()).field("correlation_id", &self.correlation_id()).field("rate_limit", &self.rate_limit()).field("rate_remaining", &self.rate_remaining()).field("rate_reset", &self.rate_reset()).field("retry_after", &self.retry_after()).field("error", &self.error()).finish()
    }
}

/// Something that expires. Copy the members of the same names from an `Operation`, or set your own.
#[repr(transparent)]
pub struct Watched(pub(crate) sys::mtoken_watched);
unsafe impl Send for Watched {}
unsafe impl Sync for Watched {}
unsafe impl View for Watched {
    type Raw = sys::mtoken_watched;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Watched {
    /// UTF-8, NUL-terminated.
    #[must_use]
    pub fn id(&self) -> Option<&str> { unsafe { optional(self.0.id) } }
    /// UTF-8, NUL-terminated.
    #[must_use]
    pub fn operation_data(&self) -> Option<&str> { unsafe { optional(self.0.operation_data) } }
    /// Milliseconds since the epoch.
    #[must_use]
    pub fn expires(&self) -> i64 { self.0.expires }
}
impl std::fmt::Debug for Watched {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Watched").field("id", &self.id()).field("operation_data", &self.operation_data()).field("expires", &self.expires()).finish()
    }
}

/// What a watcher watches, or reports. Read-only.
#[repr(transparent)]
pub struct WatchedList(pub(crate) sys::mtoken_watched_list);
unsafe impl Send for WatchedList {}
unsafe impl Sync for WatchedList {}
unsafe impl View for WatchedList {
    type Raw = sys::mtoken_watched_list;
    unsafe fn free(object: *mut Self) { sys::mtoken_watched_list_free(object as *mut sys::mtoken_watched_list); }
}
impl WatchedList {
    #[must_use]
    pub fn items(&self) -> &[&Watched] { unsafe { slice(self.0.items as *const &Watched, self.0.count) } }
}
impl std::fmt::Debug for WatchedList {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("WatchedList").field("items", &self.items()).finish()
    }
}

/// A header field of a request.
#[repr(transparent)]
pub struct HttpHeader(pub(crate) sys::mtoken_http_header);
unsafe impl Send for HttpHeader {}
unsafe impl Sync for HttpHeader {}
unsafe impl View for HttpHeader {
    type Raw = sys::mtoken_http_header;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl HttpHeader {
    #[must_use]
    pub fn name(&self) -> &str { unsafe { text(self.0.name) } }
    #[must_use]
    pub fn value(&self) -> &str { unsafe { text(self.0.value) } }
}
impl std::fmt::Debug for HttpHeader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("HttpHeader").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// A request for the host to send. It holds what the bank must get and nobody else: do not log headers and body.
#[repr(transparent)]
pub struct HttpRequest(pub(crate) sys::mtoken_http_request);
unsafe impl Send for HttpRequest {}
unsafe impl Sync for HttpRequest {}
unsafe impl View for HttpRequest {
    type Raw = sys::mtoken_http_request;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl HttpRequest {
    /// Of this request in this runtime, from 1; never used again.
    #[must_use]
    pub fn id(&self) -> i64 { self.0.id }
    /// "POST" or "GET".
    #[must_use]
    pub fn method(&self) -> &str { unsafe { text(self.0.method) } }
    /// Https, or http if the client allows it.
    #[must_use]
    pub fn url(&self) -> &str { unsafe { text(self.0.url) } }
    /// Beside these send what the body needs: Host, Content-Length. an empty slice if there are none.
    #[must_use]
    pub fn headers(&self) -> &[&HttpHeader] { unsafe { slice(self.0.headers as *const &HttpHeader, self.0.header_count) } }
    /// `None` if there is none.
    #[must_use]
    pub fn body(&self) -> &[u8] { unsafe { slice(self.0.body, self.0.body_length) } }
    /// The device's time until which an answer is of use, milliseconds since the epoch.
    #[must_use]
    pub fn deadline(&self) -> i64 { self.0.deadline }
    /// A response with a larger body fails.
    #[must_use]
    pub fn max_answer_size(&self) -> usize { self.0.max_answer_size }
    /// True: it must not reach the server twice, also not by a stack that repeats requests on lost connections: a
    /// signed one then fails, and may block the activation.
    #[must_use]
    pub fn at_most_once(&self) -> bool { self.0.at_most_once != 0 }
}
impl std::fmt::Debug for HttpRequest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("HttpRequest").field("id", &self.id()).field("method", &self.method()).field("url", &self.url()).field("deadline", &self.deadline()).field("max_answer_size", &self.max_answer_size()).field("at_most_once", &self.at_most_once()).finish_non_exhaustive()
    }
}

/// An event. Read-only. Everything it points to lives as long as the event and outlives the runtime. The handles in it
/// are not new references: the objects may have been freed since. Compare them, or use them and expect
/// `ErrorCode::HANDLE`.
#[repr(transparent)]
pub struct Event(pub(crate) sys::mtoken_event);
unsafe impl Send for Event {}
unsafe impl Sync for Event {}
unsafe impl View for Event {
    type Raw = sys::mtoken_event;
    unsafe fn free(object: *mut Self) { sys::mtoken_event_free(object as *mut sys::mtoken_event); }
}
impl Event {
    /// `EventKind`.
    #[must_use]
    pub fn kind(&self) -> EventKind { EventKind(self.0.kind) }
    /// `EventKind::LOG`: `LogLevel`; otherwise 0.
    #[must_use]
    pub fn log_level(&self) -> LogLevel { LogLevel(self.0.log_level) }
    /// When it was queued: milliseconds since the epoch.
    #[must_use]
    pub fn time(&self) -> i64 { self.0.time }
    #[must_use]
    pub fn tag(&self) -> u64 { self.0.tag }
    /// `EventKind::LOG`: the line; otherwise `None`.
    #[must_use]
    pub fn message(&self) -> Option<&str> { unsafe { optional(self.0.message) } }
    /// `EventKind::OPERATIONS_FAILED`, `EventKind::POLLING_WAITS`; otherwise `None`.
    #[must_use]
    pub fn error(&self) -> Option<Error> { unsafe { self.0.error.as_ref().map(|error| Error::read(error)) } }
    /// `EventKind::TRACE`; otherwise `None`.
    #[must_use]
    pub fn trace(&self) -> Option<&Trace> { unsafe { (self.0.trace as *const Trace).as_ref() } }
    /// `EventKind::OPERATIONS_CHANGED`; otherwise `None`.
    #[must_use]
    pub fn change(&self) -> Option<&OperationsChange> { unsafe { (self.0.change as *const OperationsChange).as_ref() } }
    /// `EventKind::OPERATIONS_EXPIRED`: the expired operations; otherwise `None`.
    #[must_use]
    pub fn expired(&self) -> Option<&WatchedList> { unsafe { (self.0.expired as *const WatchedList).as_ref() } }
    /// Log lines and traces dropped since the previous event. The library drops them while 10,000 events are queued; it
    /// never drops events of other kinds.
    #[must_use]
    pub fn dropped(&self) -> i64 { self.0.dropped }
    /// `EventKind::OPERATIONS_LOADING`: true: a fetch has begun; false: it has ended. Otherwise false.
    #[must_use]
    pub fn is_loading(&self) -> bool { self.0.is_loading != 0 }
    /// `EventKind::REQUEST`, `EventKind::REQUEST_ENDED`; otherwise `None`.
    #[must_use]
    pub fn request(&self) -> Option<&HttpRequest> { unsafe { (self.0.request as *const HttpRequest).as_ref() } }
    /// `EventKind::COUNTER_BEHIND`: how far the server was ahead, at least; otherwise 0.
    #[must_use]
    pub fn steps(&self) -> i32 { self.0.steps }
    /// `EventKind::STATE_STORED`: `Protocol` and `Suite` of the activation; otherwise 0.
    #[must_use]
    pub fn protocol_version(&self) -> Protocol { Protocol(self.0.protocol_version) }
    #[must_use]
    pub fn suite(&self) -> Suite { Suite(self.0.suite) }
}
impl std::fmt::Debug for Event {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Event").field("kind", &self.kind()).field("log_level", &self.log_level()).field("time", &self.time()).field("tag", &self.tag()).field("message", &self.message()).field("error", &self.error()).field("trace", &self.trace()).field("change", &self.change()).field("expired", &self.expired()).field("dropped", &self.dropped()).field("is_loading", &self.is_loading()).field("request", &self.request()).field("steps", &self.steps()).field("protocol_version", &self.protocol_version()).field("suite", &self.suite()).finish_non_exhaustive()
    }
}

/// Counters of a runtime, for health checks. Each is correct by itself, but not all are read at the same instant.
#[repr(transparent)]
pub struct RuntimeInfo(pub(crate) sys::mtoken_runtime_info);
unsafe impl Send for RuntimeInfo {}
unsafe impl Sync for RuntimeInfo {}
unsafe impl View for RuntimeInfo {
    type Raw = sys::mtoken_runtime_info;
    unsafe fn free(object: *mut Self) { sys::mtoken_runtime_info_free(object as *mut sys::mtoken_runtime_info); }
}
impl RuntimeInfo {
    /// HTTP requests in progress.
    #[must_use]
    pub fn requests_under_way(&self) -> usize { self.0.requests_under_way }
    /// HTTP requests queued because of `max_transfers`.
    #[must_use]
    pub fn requests_waiting(&self) -> usize { self.0.requests_waiting }
    /// Events not yet read.
    #[must_use]
    pub fn events_waiting(&self) -> usize { self.0.events_waiting }
    /// Started by the host and not yet completed.
    #[must_use]
    pub fn tasks_running(&self) -> usize { self.0.tasks_running }
    /// Open clients.
    #[must_use]
    pub fn clients(&self) -> usize { self.0.clients }
    /// Clients that poll their operations, including paused ones.
    #[must_use]
    pub fn pollers(&self) -> usize { self.0.pollers }
    /// Since the runtime was created: see `Event::dropped`.
    #[must_use]
    pub fn dropped_log_events(&self) -> i64 { self.0.dropped_log_events }
    /// Likewise, traces.
    #[must_use]
    pub fn dropped_trace_events(&self) -> i64 { self.0.dropped_trace_events }
}
impl std::fmt::Debug for RuntimeInfo {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("RuntimeInfo").field("requests_under_way", &self.requests_under_way()).field("requests_waiting", &self.requests_waiting()).field("events_waiting", &self.events_waiting()).field("tasks_running", &self.tasks_running()).field("clients", &self.clients()).field("pollers", &self.pollers()).field("dropped_log_events", &self.dropped_log_events()).field("dropped_trace_events", &self.dropped_trace_events()).finish()
    }
}

/// The ids of the clients in a store.
#[repr(transparent)]
pub struct StoreList(pub(crate) sys::mtoken_store_list);
unsafe impl Send for StoreList {}
unsafe impl Sync for StoreList {}
unsafe impl View for StoreList {
    type Raw = sys::mtoken_store_list;
    unsafe fn free(object: *mut Self) { sys::mtoken_store_list_free(object as *mut sys::mtoken_store_list); }
}
impl StoreList {
    /// In bytewise order.
    #[must_use]
    pub fn ids(&self) -> Vec<&str> { unsafe { texts(self.0.ids, self.0.count) } }
}
impl std::fmt::Debug for StoreList {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("StoreList").field("ids", &self.ids()).finish()
    }
}

/// A request that is ready to be sent.
#[repr(transparent)]
pub struct EncryptedRequest(pub(crate) sys::mtoken_encrypted_request);
unsafe impl Send for EncryptedRequest {}
unsafe impl Sync for EncryptedRequest {}
unsafe impl View for EncryptedRequest {
    type Raw = sys::mtoken_encrypted_request;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl EncryptedRequest {
    /// The body to send, Content-Type application/json.
    #[must_use]
    pub fn body(&self) -> &[u8] { unsafe { slice(self.0.body, self.0.body_length) } }
    /// X-PowerAuth-Encryption or, for a signed request, X-PowerAuth-Authorization.
    #[must_use]
    pub fn header_name(&self) -> &str { unsafe { text(self.0.header_name) } }
    #[must_use]
    pub fn header_value(&self) -> &str { unsafe { text(self.0.header_value) } }
}
impl std::fmt::Debug for EncryptedRequest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("EncryptedRequest").field("header_name", &self.header_name()).finish_non_exhaustive()
    }
}

/// A postal address. Unknown members are `None`. LF separates the lines of a member.
#[repr(transparent)]
pub struct UserAddress(pub(crate) sys::mtoken_user_address);
unsafe impl Send for UserAddress {}
unsafe impl Sync for UserAddress {}
unsafe impl View for UserAddress {
    type Raw = sys::mtoken_user_address;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl UserAddress {
    #[must_use]
    pub fn formatted(&self) -> Option<&str> { unsafe { optional(self.0.formatted) } }
    #[must_use]
    pub fn street_address(&self) -> Option<&str> { unsafe { optional(self.0.street_address) } }
    #[must_use]
    pub fn locality(&self) -> Option<&str> { unsafe { optional(self.0.locality) } }
    #[must_use]
    pub fn region(&self) -> Option<&str> { unsafe { optional(self.0.region) } }
    #[must_use]
    pub fn postal_code(&self) -> Option<&str> { unsafe { optional(self.0.postal_code) } }
    #[must_use]
    pub fn country(&self) -> Option<&str> { unsafe { optional(self.0.country) } }
}
impl std::fmt::Debug for UserAddress {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("UserAddress").field("formatted", &self.formatted()).field("street_address", &self.street_address()).field("locality", &self.locality()).field("region", &self.region()).field("postal_code", &self.postal_code()).field("country", &self.country()).finish()
    }
}

/// Claims from the server's JSON object. A claim that is missing, null or of another type is `None` or 0.
#[repr(transparent)]
pub struct UserInfo(pub(crate) sys::mtoken_user_info);
unsafe impl Send for UserInfo {}
unsafe impl Sync for UserInfo {}
unsafe impl View for UserInfo {
    type Raw = sys::mtoken_user_info;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl UserInfo {
    /// The user's identifier.
    #[must_use]
    pub fn sub(&self) -> Option<&str> { unsafe { optional(self.0.sub) } }
    #[must_use]
    pub fn name(&self) -> Option<&str> { unsafe { optional(self.0.name) } }
    #[must_use]
    pub fn given_name(&self) -> Option<&str> { unsafe { optional(self.0.given_name) } }
    #[must_use]
    pub fn family_name(&self) -> Option<&str> { unsafe { optional(self.0.family_name) } }
    #[must_use]
    pub fn middle_name(&self) -> Option<&str> { unsafe { optional(self.0.middle_name) } }
    #[must_use]
    pub fn nickname(&self) -> Option<&str> { unsafe { optional(self.0.nickname) } }
    #[must_use]
    pub fn preferred_username(&self) -> Option<&str> { unsafe { optional(self.0.preferred_username) } }
    #[must_use]
    pub fn profile(&self) -> Option<&str> { unsafe { optional(self.0.profile) } }
    #[must_use]
    pub fn picture(&self) -> Option<&str> { unsafe { optional(self.0.picture) } }
    #[must_use]
    pub fn website(&self) -> Option<&str> { unsafe { optional(self.0.website) } }
    #[must_use]
    pub fn email(&self) -> Option<&str> { unsafe { optional(self.0.email) } }
    /// True: yes; false: no, or the bank does not say.
    #[must_use]
    pub fn is_email_verified(&self) -> bool { self.0.is_email_verified != 0 }
    #[must_use]
    pub fn gender(&self) -> Option<&str> { unsafe { optional(self.0.gender) } }
    /// "YYYY-MM-DD"; `None` for any other form.
    #[must_use]
    pub fn birthdate(&self) -> Option<&str> { unsafe { optional(self.0.birthdate) } }
    #[must_use]
    pub fn zoneinfo(&self) -> Option<&str> { unsafe { optional(self.0.zoneinfo) } }
    #[must_use]
    pub fn locale(&self) -> Option<&str> { unsafe { optional(self.0.locale) } }
    #[must_use]
    pub fn phone_number(&self) -> Option<&str> { unsafe { optional(self.0.phone_number) } }
    /// True: yes; false: no, or the bank does not say.
    #[must_use]
    pub fn is_phone_number_verified(&self) -> bool { self.0.is_phone_number_verified != 0 }
    #[must_use]
    pub fn address(&self) -> Option<&UserAddress> { unsafe { (self.0.address as *const UserAddress).as_ref() } }
    /// True: `updated_at` is known.
    #[must_use]
    pub fn has_updated_at(&self) -> bool { self.0.has_updated_at != 0 }
    /// Milliseconds since the epoch, converted from the claim's seconds.
    #[must_use]
    pub fn updated_at(&self) -> i64 { self.0.updated_at }
    /// The whole object, including the bank's own claims.
    #[must_use]
    pub fn json(&self) -> &str { unsafe { text_n(self.0.json, self.0.json_length) } }
}
impl std::fmt::Debug for UserInfo {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("UserInfo").field("sub", &self.sub()).field("name", &self.name()).field("given_name", &self.given_name()).field("family_name", &self.family_name()).field("middle_name", &self.middle_name()).field("nickname", &self.nickname()).field("preferred_username", &self.preferred_username()).field("profile", &self.profile()).field("picture", &self.picture()).field("website", &self.website()).field("email", &self.email()).field("is_email_verified", &self.is_email_verified()).field("gender", &self.gender()).field("birthdate", &self.birthdate()).field("zoneinfo", &self.zoneinfo()).field("locale", &self.locale()).field("phone_number", &self.phone_number()).field("is_phone_number_verified", &self.is_phone_number_verified()).field("address", &self.address()).field("has_updated_at", &self.has_updated_at()).field("updated_at", &self.updated_at()).field("json", &self.json()).finish()
    }
}

/// A parsed activation code.
#[repr(transparent)]
pub struct ActivationCode(pub(crate) sys::mtoken_activation_code);
unsafe impl Send for ActivationCode {}
unsafe impl Sync for ActivationCode {}
unsafe impl View for ActivationCode {
    type Raw = sys::mtoken_activation_code;
    unsafe fn free(object: *mut Self) { sys::mtoken_activation_code_free(object as *mut sys::mtoken_activation_code); }
}
impl ActivationCode {
    /// "XXXXX-XXXXX-XXXXX-XXXXX".
    #[must_use]
    pub fn code(&self) -> &str { unsafe { text(self.0.code) } }
    /// Base64 of the server's signature in the QR form; `None` for a typed code.
    #[must_use]
    pub fn signature(&self) -> Option<&str> { unsafe { optional(self.0.signature) } }
}
impl std::fmt::Debug for ActivationCode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ActivationCode").field("code", &self.code()).field("signature", &self.signature()).finish()
    }
}

/// An activation in progress: what to show to the user, and the data that came with it.
#[repr(transparent)]
pub struct Activation(pub(crate) sys::mtoken_activation);
unsafe impl Send for Activation {}
unsafe impl Sync for Activation {}
unsafe impl View for Activation {
    type Raw = sys::mtoken_activation;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Activation {
    #[must_use]
    pub fn activation_id(&self) -> &str { unsafe { text(self.0.activation_id) } }
    /// 8 digits: compare with those the bank shows.
    #[must_use]
    pub fn fingerprint(&self) -> &str { unsafe { text(self.0.fingerprint) } }
    /// `None` if there is none.
    #[must_use]
    pub fn recovery_code(&self) -> Option<&str> { unsafe { optional(self.0.recovery_code) } }
    /// 10 digits; `None` if there is none.
    #[must_use]
    pub fn recovery_puk(&self) -> Option<&str> { unsafe { optional(self.0.recovery_puk) } }
    /// JSON object; `None` if there is none.
    #[must_use]
    pub fn custom_attributes(&self) -> Option<&str> { unsafe { optional(self.0.custom_attributes) } }
    /// JSON object of OpenID claims; `None` if there is none.
    #[must_use]
    pub fn user_info(&self) -> Option<&str> { unsafe { optional(self.0.user_info) } }
    /// `Protocol` that the server agreed to.
    #[must_use]
    pub fn protocol_version(&self) -> Protocol { Protocol(self.0.protocol_version) }
    /// `Suite` of protocol 4.0; 0: protocol 3.
    #[must_use]
    pub fn suite(&self) -> Suite { Suite(self.0.suite) }
}
impl std::fmt::Debug for Activation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Activation").field("activation_id", &self.activation_id()).field("fingerprint", &self.fingerprint()).field("custom_attributes", &self.custom_attributes()).field("user_info", &self.user_info()).field("protocol_version", &self.protocol_version()).field("suite", &self.suite()).finish_non_exhaustive()
    }
}

/// The server's view of an activation.
#[repr(transparent)]
pub struct ActivationStatus(pub(crate) sys::mtoken_activation_status);
unsafe impl Send for ActivationStatus {}
unsafe impl Sync for ActivationStatus {}
unsafe impl View for ActivationStatus {
    type Raw = sys::mtoken_activation_status;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl ActivationStatus {
    /// `ActivationState`.
    #[must_use]
    pub fn state(&self) -> ActivationState { ActivationState(self.0.state) }
    #[must_use]
    pub fn failed_attempts(&self) -> i32 { self.0.failed_attempts }
    #[must_use]
    pub fn max_failed_attempts(&self) -> i32 { self.0.max_failed_attempts }
    /// 0 unless the activation is active.
    #[must_use]
    pub fn remaining_attempts(&self) -> i32 { self.0.remaining_attempts }
    /// JSON object from the bank; `None` if there is none.
    #[must_use]
    pub fn custom_object(&self) -> Option<&str> { unsafe { optional(self.0.custom_object) } }
    /// True: `Client::upgrade` can replace this activation by one of protocol 4.0.
    #[must_use]
    pub fn upgrade_available(&self) -> bool { self.0.upgrade_available != 0 }
    /// True: the server no longer offers the suite of this activation, which continues to work: activate again with
    /// another suite. Protocol 4.0 only.
    #[must_use]
    pub fn suite_withdrawn(&self) -> bool { self.0.suite_withdrawn != 0 }
    /// True: the server accepts the biometry factor. Protocol 4.0 only.
    #[must_use]
    pub fn biometry_enabled(&self) -> bool { self.0.biometry_enabled != 0 }
    /// True: the block is temporary and ends at `block_expires`. Protocol 4.0 only.
    #[must_use]
    pub fn block_is_temporary(&self) -> bool { self.0.block_is_temporary != 0 }
    /// Milliseconds since the epoch; 0 unless `block_is_temporary`.
    #[must_use]
    pub fn block_expires(&self) -> i64 { self.0.block_expires }
}
impl std::fmt::Debug for ActivationStatus {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ActivationStatus").field("state", &self.state()).field("failed_attempts", &self.failed_attempts()).field("max_failed_attempts", &self.max_failed_attempts()).field("remaining_attempts", &self.remaining_attempts()).field("custom_object", &self.custom_object()).field("upgrade_available", &self.upgrade_available()).field("suite_withdrawn", &self.suite_withdrawn()).field("biometry_enabled", &self.biometry_enabled()).field("block_is_temporary", &self.block_is_temporary()).field("block_expires", &self.block_expires()).finish()
    }
}

/// The name of the activation at the bank.
#[repr(transparent)]
pub struct ActivationDetail(pub(crate) sys::mtoken_activation_detail);
unsafe impl Send for ActivationDetail {}
unsafe impl Sync for ActivationDetail {}
unsafe impl View for ActivationDetail {
    type Raw = sys::mtoken_activation_detail;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl ActivationDetail {
    #[must_use]
    pub fn activation_id(&self) -> &str { unsafe { text(self.0.activation_id) } }
    /// The name under which the bank shows this device; "" or `None` if it has none.
    #[must_use]
    pub fn activation_name(&self) -> Option<&str> { unsafe { optional(self.0.activation_name) } }
}
impl std::fmt::Debug for ActivationDetail {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ActivationDetail").field("activation_id", &self.activation_id()).field("activation_name", &self.activation_name()).finish()
    }
}

/// An entry of the configuration that the bank keeps for its application.
#[repr(transparent)]
pub struct ConfigEntry(pub(crate) sys::mtoken_config_entry);
unsafe impl Send for ConfigEntry {}
unsafe impl Sync for ConfigEntry {}
unsafe impl View for ConfigEntry {
    type Raw = sys::mtoken_config_entry;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl ConfigEntry {
    #[must_use]
    pub fn key(&self) -> &str { unsafe { text(self.0.key) } }
    /// JSON: an object, text in quotes, a number, true, false or null.
    #[must_use]
    pub fn value(&self) -> &str { unsafe { text(self.0.value) } }
    /// `Scope`: whom it is for; 0: another scope.
    #[must_use]
    pub fn scope(&self) -> Scope { Scope(self.0.scope) }
}
impl std::fmt::Debug for ConfigEntry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ConfigEntry").field("key", &self.key()).field("value", &self.value()).field("scope", &self.scope()).finish()
    }
}

/// The entries of a configuration.
#[repr(transparent)]
pub struct Config(pub(crate) sys::mtoken_config);
unsafe impl Send for Config {}
unsafe impl Sync for Config {}
unsafe impl View for Config {
    type Raw = sys::mtoken_config;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Config {
    /// Without those that are unreadable.
    #[must_use]
    pub fn entries(&self) -> &[&ConfigEntry] { unsafe { slice(self.0.entries as *const &ConfigEntry, self.0.count) } }
    /// The JSON array as the server sent it.
    #[must_use]
    pub fn json(&self) -> &str { unsafe { text(self.0.json) } }
    /// Entries that were unreadable and dropped.
    #[must_use]
    pub fn skipped_count(&self) -> usize { self.0.skipped_count }
    /// e.g. "entry 3: key: missing"; no text from the response.
    #[must_use]
    pub fn issues(&self) -> Vec<&str> { unsafe { texts(self.0.issues, self.0.issue_count) } }
}
impl std::fmt::Debug for Config {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Config").field("entries", &self.entries()).field("json", &self.json()).field("skipped_count", &self.skipped_count()).field("issues", &self.issues()).finish()
    }
}

/// A snapshot of a client.
#[repr(transparent)]
pub struct ClientInfo(pub(crate) sys::mtoken_client_info);
unsafe impl Send for ClientInfo {}
unsafe impl Sync for ClientInfo {}
unsafe impl View for ClientInfo {
    type Raw = sys::mtoken_client_info;
    unsafe fn free(object: *mut Self) { sys::mtoken_client_info_free(object as *mut sys::mtoken_client_info); }
}
impl ClientInfo {
    /// `ClientState`.
    #[must_use]
    pub fn state(&self) -> ClientState { ClientState(self.0.state) }
    /// `Protocol`.
    #[must_use]
    pub fn protocol_version(&self) -> Protocol { Protocol(self.0.protocol_version) }
    /// From the options.
    #[must_use]
    pub fn id(&self) -> &str { unsafe { text(self.0.id) } }
    /// `None` without an activation.
    #[must_use]
    pub fn activation_id(&self) -> Option<&str> { unsafe { optional(self.0.activation_id) } }
    /// 8 digits to compare with those the bank shows; `None` without an activation.
    #[must_use]
    pub fn fingerprint(&self) -> Option<&str> { unsafe { optional(self.0.fingerprint) } }
    /// True: the unnamed authenticator has the biometry factor.
    #[must_use]
    pub fn has_biometry(&self) -> bool { self.0.has_biometry != 0 }
    /// True: the activation came with a recovery code.
    #[must_use]
    pub fn has_recovery_data(&self) -> bool { self.0.has_recovery_data != 0 }
    /// True: the server's time is known.
    #[must_use]
    pub fn time_synchronized(&self) -> bool { self.0.time_synchronized != 0 }
    /// Server time minus device time, in milliseconds.
    #[must_use]
    pub fn time_adjustment_ms(&self) -> i64 { self.0.time_adjustment_ms }
    /// The server's current time; the device's time while not synchronised.
    #[must_use]
    pub fn time(&self) -> i64 { self.0.time }
    /// True: the next two members are from the last status that this client fetched; false: they are 0.
    #[must_use]
    pub fn status_known(&self) -> bool { self.0.status_known != 0 }
    /// `ActivationState`.
    #[must_use]
    pub fn activation_state(&self) -> ActivationState { ActivationState(self.0.activation_state) }
    #[must_use]
    pub fn remaining_attempts(&self) -> i32 { self.0.remaining_attempts }
    /// An empty slice if there is none.
    #[must_use]
    pub fn authenticators(&self) -> Vec<&str> { unsafe { texts(self.0.authenticators, self.0.authenticator_count) } }
    /// True: PIN and biometry require the external encryption key.
    #[must_use]
    pub fn uses_external_key(&self) -> bool { self.0.uses_external_key != 0 }
    /// True: it is set on this client.
    #[must_use]
    pub fn has_external_key(&self) -> bool { self.0.has_external_key != 0 }
    /// JSON object: the claims about the user that this client received last; `None` if none.
    #[must_use]
    pub fn user_info(&self) -> Option<&str> { unsafe { optional(self.0.user_info) } }
    /// Signatures, including offline codes, that the server has not acknowledged: the device's counter is at most this
    /// many steps ahead of the server's. 255: beyond the server's window (`ActivationState::DEADLOCK`).
    #[must_use]
    pub fn unacknowledged_signatures(&self) -> i32 { self.0.unacknowledged_signatures }
    /// The server's look-ahead window, 1 to 64; 0: unknown until a status is fetched.
    #[must_use]
    pub fn counter_window(&self) -> i32 { self.0.counter_window }
    /// Maximum error of `time` in milliseconds: half of the round trip that fetched it; -1: not synchronised.
    #[must_use]
    pub fn time_precision_ms(&self) -> i64 { self.0.time_precision_ms }
    /// `Protection`: who keeps the device secret.
    #[must_use]
    pub fn protection(&self) -> Protection { Protection(self.0.protection) }
    /// `Suite` of protocol 4.0; 0: none.
    #[must_use]
    pub fn suite(&self) -> Suite { Suite(self.0.suite) }
    /// True: the server is not known to have the confirmation of the activation. If this process did not create it,
    /// call `Client::wait_active` with the PIN.
    #[must_use]
    pub fn awaits_confirmation(&self) -> bool { self.0.awaits_confirmation != 0 }
    /// True: the server is not known to have the confirmation of an upgrade.
    #[must_use]
    pub fn awaits_upgrade_confirmation(&self) -> bool { self.0.awaits_upgrade_confirmation != 0 }
    /// True: a change of the PIN was interrupted: call `Client::validate_pin` with the new PIN.
    #[must_use]
    pub fn awaits_new_pin(&self) -> bool { self.0.awaits_new_pin != 0 }
    /// How often this client, since it was opened, found the server's counter ahead of its own:
    /// `EventKind::COUNTER_BEHIND` says what that means.
    #[must_use]
    pub fn times_behind(&self) -> i32 { self.0.times_behind }
    /// True: the server is not known to have accepted a new biometry key (reason "newBiometryMayApply"), that of the
    /// last change whose outcome is not NOT_SENT: use it, or add the factor again. The next accepted code with it
    /// clears this.
    #[must_use]
    pub fn awaits_new_biometry(&self) -> bool { self.0.awaits_new_biometry != 0 }
}
impl std::fmt::Debug for ClientInfo {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ClientInfo").field("state", &self.state()).field("protocol_version", &self.protocol_version()).field("id", &self.id()).field("activation_id", &self.activation_id()).field("fingerprint", &self.fingerprint()).field("has_biometry", &self.has_biometry()).field("has_recovery_data", &self.has_recovery_data()).field("time_synchronized", &self.time_synchronized()).field("time_adjustment_ms", &self.time_adjustment_ms()).field("time", &self.time()).field("status_known", &self.status_known()).field("activation_state", &self.activation_state()).field("remaining_attempts", &self.remaining_attempts()).field("authenticators", &self.authenticators()).field("uses_external_key", &self.uses_external_key()).field("has_external_key", &self.has_external_key()).field("user_info", &self.user_info()).field("unacknowledged_signatures", &self.unacknowledged_signatures()).field("counter_window", &self.counter_window()).field("time_precision_ms", &self.time_precision_ms()).field("protection", &self.protection()).field("suite", &self.suite()).field("awaits_confirmation", &self.awaits_confirmation()).field("awaits_upgrade_confirmation", &self.awaits_upgrade_confirmation()).field("awaits_new_pin", &self.awaits_new_pin()).field("times_behind", &self.times_behind()).field("awaits_new_biometry", &self.awaits_new_biometry()).finish()
    }
}

/// A recovery code and its PUK.
#[repr(transparent)]
pub struct Recovery(pub(crate) sys::mtoken_recovery);
unsafe impl Send for Recovery {}
unsafe impl Sync for Recovery {}
unsafe impl View for Recovery {
    type Raw = sys::mtoken_recovery;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Recovery {
    /// "XXXXX-XXXXX-XXXXX-XXXXX".
    #[must_use]
    pub fn code(&self) -> &str { unsafe { text(self.0.code) } }
    /// 10 digits.
    #[must_use]
    pub fn puk(&self) -> &str { unsafe { text(self.0.puk) } }
}
impl std::fmt::Debug for Recovery {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Recovery").finish_non_exhaustive()
    }
}

/// An offline operation. Read-only.
#[repr(transparent)]
pub struct QrOperation(pub(crate) sys::mtoken_qr_operation);
unsafe impl Send for QrOperation {}
unsafe impl Sync for QrOperation {}
unsafe impl View for QrOperation {
    type Raw = sys::mtoken_qr_operation;
    unsafe fn free(object: *mut Self) { sys::mtoken_qr_operation_free(object as *mut sys::mtoken_qr_operation); }
}
impl QrOperation {
    /// `Verified`; trust the content only if it is `Verified::VALID`.
    #[must_use]
    pub fn verification(&self) -> Verified { Verified(self.0.verification) }
    /// `Key`: the key that signed.
    #[must_use]
    pub fn server_key(&self) -> Key { Key(self.0.server_key) }
    /// As passed in, or repaired.
    #[must_use]
    pub fn payload(&self) -> &str { unsafe { text_n(self.0.payload, self.0.payload_length) } }
    /// The signature covers the first `signed_length` bytes of the payload.
    #[must_use]
    pub fn signed_length(&self) -> usize { self.0.signed_length }
    /// Not empty.
    #[must_use]
    pub fn id(&self) -> &str { unsafe { text(self.0.id) } }
    /// Without escapes; may be empty.
    #[must_use]
    pub fn title(&self) -> &str { unsafe { text(self.0.title) } }
    /// Without escapes; may be empty.
    #[must_use]
    pub fn message(&self) -> &str { unsafe { text(self.0.message) } }
    /// With escapes.
    #[must_use]
    pub fn raw_title(&self) -> &str { unsafe { text(self.0.raw_title) } }
    /// With escapes.
    #[must_use]
    pub fn raw_message(&self) -> &str { unsafe { text(self.0.raw_message) } }
    /// What is approved.
    #[must_use]
    pub fn signed_fields(&self) -> &OperationFields { unsafe { &*(self.0.signed_fields as *const OperationFields) } }
    /// The line of flags as in the payload.
    #[must_use]
    pub fn flags(&self) -> &str { unsafe { text(self.0.flags) } }
    /// B: biometry may be used instead of the PIN.
    #[must_use]
    pub fn allows_biometry(&self) -> bool { self.0.allows_biometry != 0 }
    /// X: swap the approve and reject buttons.
    #[must_use]
    pub fn flip_buttons(&self) -> bool { self.0.flip_buttons != 0 }
    /// F: show a fraud warning.
    #[must_use]
    pub fn warns_of_fraud(&self) -> bool { self.0.warns_of_fraud != 0 }
    /// C: do not let the user approve during a phone call.
    #[must_use]
    pub fn block_approval_on_call(&self) -> bool { self.0.block_approval_on_call != 0 }
    /// Letters that this library does not know; may be empty.
    #[must_use]
    pub fn unknown_flags(&self) -> &str { unsafe { text(self.0.unknown_flags) } }
    /// One-time password of a proximity check; `None` if there is none.
    #[must_use]
    pub fn totp(&self) -> Option<&str> { unsafe { optional(self.0.totp) } }
    /// True: the payload has lines that this library does not know.
    #[must_use]
    pub fn is_newer_format(&self) -> bool { self.0.is_newer_format != 0 }
    /// Those lines, with escapes.
    #[must_use]
    pub fn extras(&self) -> Vec<&str> { unsafe { texts(self.0.extras, self.0.extra_count) } }
    /// Base64.
    #[must_use]
    pub fn nonce(&self) -> &str { unsafe { text(self.0.nonce) } }
    /// 16.
    #[must_use]
    pub fn nonce_bytes(&self) -> &[u8] { unsafe { slice(self.0.nonce_bytes, 16) } }
    /// Base64.
    #[must_use]
    pub fn signature(&self) -> &str { unsafe { text(self.0.signature) } }
    #[must_use]
    pub fn signature_bytes(&self) -> &[u8] { unsafe { slice(self.0.signature_bytes, self.0.signature_bytes_length) } }
    /// What is approved, in lines: show it above the question for the PIN. See `operation_fields_summary`.
    #[must_use]
    pub fn summary(&self) -> &str { unsafe { text(self.0.summary) } }
    /// `Contradiction`, combined with |: title or message state something other than what is approved. They need not
    /// state all of it: no HIDDEN flag is set. A strict client refuses the approval (`ClientOptions::strict`).
    #[must_use]
    pub fn contradictions(&self) -> Contradiction { Contradiction(self.0.contradictions) }
}
impl std::fmt::Debug for QrOperation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("QrOperation").field("verification", &self.verification()).field("server_key", &self.server_key()).field("signed_length", &self.signed_length()).field("id", &self.id()).field("title", &self.title()).field("message", &self.message()).field("raw_title", &self.raw_title()).field("raw_message", &self.raw_message()).field("signed_fields", &self.signed_fields()).field("flags", &self.flags()).field("allows_biometry", &self.allows_biometry()).field("flip_buttons", &self.flip_buttons()).field("warns_of_fraud", &self.warns_of_fraud()).field("block_approval_on_call", &self.block_approval_on_call()).field("unknown_flags", &self.unknown_flags()).field("is_newer_format", &self.is_newer_format()).field("extras", &self.extras()).field("nonce", &self.nonce()).field("nonce_bytes", &self.nonce_bytes()).field("signature", &self.signature()).field("signature_bytes", &self.signature_bytes()).field("summary", &self.summary()).field("contradictions", &self.contradictions()).finish_non_exhaustive()
    }
}

/// A parsed code. It is not authenticated: use it only to look up the operation at the server, and never log it.
/// Read-only.
#[repr(transparent)]
pub struct Pac(pub(crate) sys::mtoken_pac);
unsafe impl Send for Pac {}
unsafe impl Sync for Pac {}
unsafe impl View for Pac {
    type Raw = sys::mtoken_pac;
    unsafe fn free(object: *mut Self) { sys::mtoken_pac_free(object as *mut sys::mtoken_pac); }
}
impl Pac {
    /// 1 to 255 printable characters.
    #[must_use]
    pub fn operation_id(&self) -> &str { unsafe { text(self.0.operation_id) } }
    /// One-time password, 4 to 10 digits; `None` if the code only selects the operation. Any other text is refused: a
    /// wrong password costs one of the operation's five failures, and servers make no others. A bank that does passes
    /// its text as `proximity_otp` (`AuthorizeOptions`).
    #[must_use]
    pub fn totp(&self) -> Option<&str> { unsafe { optional(self.0.totp) } }
    /// `ProximityType`, as passed to `pac_parse`.
    #[must_use]
    pub fn source(&self) -> ProximityType { ProximityType(self.0.source) }
    /// `PacForm`.
    #[must_use]
    pub fn form(&self) -> PacForm { PacForm(self.0.form) }
    /// `PacForm::JWT`: true: its header is a JSON object. For information only.
    #[must_use]
    pub fn is_header_valid(&self) -> bool { self.0.is_header_valid != 0 }
    /// `PacForm::JWT`: true: it has a signature, which is never verified.
    #[must_use]
    pub fn has_signature(&self) -> bool { self.0.has_signature != 0 }
    /// `PacForm::JWT`: algorithm from its header; `None` if there is none.
    #[must_use]
    pub fn algorithm(&self) -> Option<&str> { unsafe { optional(self.0.algorithm) } }
}
impl std::fmt::Debug for Pac {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Pac").field("operation_id", &self.operation_id()).field("source", &self.source()).field("form", &self.form()).field("is_header_valid", &self.is_header_valid()).field("has_signature", &self.has_signature()).field("algorithm", &self.algorithm()).finish_non_exhaustive()
    }
}

/// How to log in with a provider.
#[repr(transparent)]
pub struct OidcConfig(pub(crate) sys::mtoken_oidc_config);
unsafe impl Send for OidcConfig {}
unsafe impl Sync for OidcConfig {}
unsafe impl View for OidcConfig {
    type Raw = sys::mtoken_oidc_config;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl OidcConfig {
    /// Id of the provider at the bank's server.
    #[must_use]
    pub fn provider_id(&self) -> &str { unsafe { text(self.0.provider_id) } }
    /// The OAuth client id.
    #[must_use]
    pub fn client_id(&self) -> &str { unsafe { text(self.0.client_id) } }
    /// Separated by spaces.
    #[must_use]
    pub fn scopes(&self) -> &str { unsafe { text(self.0.scopes) } }
    /// The provider's authorization endpoint.
    #[must_use]
    pub fn authorize_uri(&self) -> &str { unsafe { text(self.0.authorize_uri) } }
    /// Where the provider sends its response.
    #[must_use]
    pub fn redirect_uri(&self) -> &str { unsafe { text(self.0.redirect_uri) } }
    /// True: the server requires PKCE.
    #[must_use]
    pub fn requires_pkce(&self) -> bool { self.0.requires_pkce != 0 }
    /// True: the response must name its issuer (RFC 9207).
    #[must_use]
    pub fn requires_issuer(&self) -> bool { self.0.requires_issuer != 0 }
    /// The provider's issuer; `None` if unknown.
    #[must_use]
    pub fn issuer(&self) -> Option<&str> { unsafe { optional(self.0.issuer) } }
}
impl std::fmt::Debug for OidcConfig {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("OidcConfig").field("provider_id", &self.provider_id()).field("client_id", &self.client_id()).field("scopes", &self.scopes()).field("authorize_uri", &self.authorize_uri()).field("redirect_uri", &self.redirect_uri()).field("requires_pkce", &self.requires_pkce()).field("requires_issuer", &self.requires_issuer()).field("issuer", &self.issuer()).finish()
    }
}

/// The content of a login request. All members except `provider_id`, `redirect_uri` and `lacks_openid` are secret.
#[repr(transparent)]
pub struct OidcAuthorization(pub(crate) sys::mtoken_oidc_authorization);
unsafe impl Send for OidcAuthorization {}
unsafe impl Sync for OidcAuthorization {}
unsafe impl View for OidcAuthorization {
    type Raw = sys::mtoken_oidc_authorization;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl OidcAuthorization {
    /// Open this in the system's browser.
    #[must_use]
    pub fn authorize_url(&self) -> &str { unsafe { text(self.0.authorize_url) } }
    #[must_use]
    pub fn provider_id(&self) -> &str { unsafe { text(self.0.provider_id) } }
    #[must_use]
    pub fn redirect_uri(&self) -> &str { unsafe { text(self.0.redirect_uri) } }
    /// 43 characters of base64url.
    #[must_use]
    pub fn nonce(&self) -> &str { unsafe { text(self.0.nonce) } }
    /// 43 characters of base64url.
    #[must_use]
    pub fn state(&self) -> &str { unsafe { text(self.0.state) } }
    /// `None` without PKCE.
    #[must_use]
    pub fn code_verifier(&self) -> Option<&str> { unsafe { optional(self.0.code_verifier) } }
    /// True: the scopes lack "openid", so the provider may not issue an ID token: warn the developer.
    #[must_use]
    pub fn lacks_openid(&self) -> bool { self.0.lacks_openid != 0 }
}
impl std::fmt::Debug for OidcAuthorization {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("OidcAuthorization").field("provider_id", &self.provider_id()).field("redirect_uri", &self.redirect_uri()).field("lacks_openid", &self.lacks_openid()).finish_non_exhaustive()
    }
}

/// The part of the provider's response that the activation needs: copy the texts to the oidc_ members of
/// `ActivationOptions` and call `Client::activate`.
#[repr(transparent)]
pub struct OidcAttributes(pub(crate) sys::mtoken_oidc_attributes);
unsafe impl Send for OidcAttributes {}
unsafe impl Sync for OidcAttributes {}
unsafe impl View for OidcAttributes {
    type Raw = sys::mtoken_oidc_attributes;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl OidcAttributes {
    #[must_use]
    pub fn provider_id(&self) -> &str { unsafe { text(self.0.provider_id) } }
    /// The authorization code, valid for one activation.
    #[must_use]
    pub fn code(&self) -> &str { unsafe { text(self.0.code) } }
    #[must_use]
    pub fn nonce(&self) -> &str { unsafe { text(self.0.nonce) } }
    /// `None` without PKCE.
    #[must_use]
    pub fn code_verifier(&self) -> Option<&str> { unsafe { optional(self.0.code_verifier) } }
}
impl std::fmt::Debug for OidcAttributes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("OidcAttributes").field("provider_id", &self.provider_id()).finish_non_exhaustive()
    }
}

/// A push message. Anyone can send a push message: treat it only as a hint to ask the server.
#[repr(transparent)]
pub struct PushMessage(pub(crate) sys::mtoken_push_message);
unsafe impl Send for PushMessage {}
unsafe impl Sync for PushMessage {}
unsafe impl View for PushMessage {
    type Raw = sys::mtoken_push_message;
    unsafe fn free(object: *mut Self) { sys::mtoken_push_message_free(object as *mut sys::mtoken_push_message); }
}
impl PushMessage {
    /// `PushKind`.
    #[must_use]
    pub fn kind(&self) -> PushKind { PushKind(self.0.kind) }
    /// `None` unless it is about an operation.
    #[must_use]
    pub fn operation_id(&self) -> Option<&str> { unsafe { optional(self.0.operation_id) } }
    /// Type of the operation; `None` unless it is about one.
    #[must_use]
    pub fn operation_name(&self) -> Option<&str> { unsafe { optional(self.0.operation_name) } }
    /// `PushResult` of a finished operation, otherwise 0.
    #[must_use]
    pub fn result(&self) -> PushResult { PushResult(self.0.result) }
    /// The result as sent; `None` unless an operation has finished.
    #[must_use]
    pub fn result_text(&self) -> Option<&str> { unsafe { optional(self.0.result_text) } }
    /// Id of the message in the inbox; `None` unless it is about one.
    #[must_use]
    pub fn inbox_id(&self) -> Option<&str> { unsafe { optional(self.0.inbox_id) } }
    /// Displayed text; `None` if the payload has none.
    #[must_use]
    pub fn title(&self) -> Option<&str> { unsafe { optional(self.0.title) } }
    /// Displayed text; `None` if the payload has none. Push services may truncate it.
    #[must_use]
    pub fn body(&self) -> Option<&str> { unsafe { optional(self.0.body) } }
    /// The activation that the message is for; `None` if not sent.
    #[must_use]
    pub fn activation_id(&self) -> Option<&str> { unsafe { optional(self.0.activation_id) } }
    /// `Answer::YES`: nothing is shown to the user; `Answer::UNSET`: the payload does not say.
    #[must_use]
    pub fn is_silent(&self) -> Answer { Answer(self.0.is_silent) }
    /// The payload without surrounding white space.
    #[must_use]
    pub fn json(&self) -> &str { unsafe { text_n(self.0.json, self.0.json_length) } }
}
impl std::fmt::Debug for PushMessage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PushMessage").field("kind", &self.kind()).field("operation_id", &self.operation_id()).field("operation_name", &self.operation_name()).field("result", &self.result()).field("result_text", &self.result_text()).field("inbox_id", &self.inbox_id()).field("title", &self.title()).field("body", &self.body()).field("activation_id", &self.activation_id()).field("is_silent", &self.is_silent()).field("json", &self.json()).finish_non_exhaustive()
    }
}

/// A message, from the JSON of /api/inbox/message/list and /detail.
#[repr(transparent)]
pub struct InboxMessage(pub(crate) sys::mtoken_inbox_message);
unsafe impl Send for InboxMessage {}
unsafe impl Sync for InboxMessage {}
unsafe impl View for InboxMessage {
    type Raw = sys::mtoken_inbox_message;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl InboxMessage {
    /// Id.
    #[must_use]
    pub fn id(&self) -> &str { unsafe { text(self.0.id) } }
    /// Subject.
    #[must_use]
    pub fn subject(&self) -> &str { unsafe { text(self.0.subject) } }
    /// Summary: for lists; "" if not sent.
    #[must_use]
    pub fn summary(&self) -> &str { unsafe { text(self.0.summary) } }
    /// Body; `None` except in the result of `Client::inbox_detail`.
    #[must_use]
    pub fn body(&self) -> Option<&str> { unsafe { optional(self.0.body) } }
    /// Type: `InboxType`.
    #[must_use]
    pub fn format(&self) -> InboxType { InboxType(self.0.format) }
    /// Type as sent; `None` if not sent.
    #[must_use]
    pub fn format_text(&self) -> Option<&str> { unsafe { optional(self.0.format_text) } }
    /// Read.
    #[must_use]
    pub fn is_read(&self) -> bool { self.0.is_read != 0 }
    /// timestampCreated, milliseconds since the epoch.
    #[must_use]
    pub fn created(&self) -> i64 { self.0.created }
}
impl std::fmt::Debug for InboxMessage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("InboxMessage").field("id", &self.id()).field("subject", &self.subject()).field("summary", &self.summary()).field("body", &self.body()).field("format", &self.format()).field("format_text", &self.format_text()).field("is_read", &self.is_read()).field("created", &self.created()).finish()
    }
}

/// Messages, in the server's order.
#[repr(transparent)]
pub struct InboxList(pub(crate) sys::mtoken_inbox_list);
unsafe impl Send for InboxList {}
unsafe impl Sync for InboxList {}
unsafe impl View for InboxList {
    type Raw = sys::mtoken_inbox_list;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl InboxList {
    /// An empty slice if there are none.
    #[must_use]
    pub fn messages(&self) -> &[&InboxMessage] { unsafe { slice(self.0.messages as *const &InboxMessage, self.0.count) } }
    /// Messages that were unreadable and dropped.
    #[must_use]
    pub fn skipped_count(&self) -> usize { self.0.skipped_count }
    /// True: `Client::inbox_list_all` has reached a limit: there may be more messages.
    #[must_use]
    pub fn may_have_more(&self) -> bool { self.0.may_have_more != 0 }
}
impl std::fmt::Debug for InboxList {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("InboxList").field("messages", &self.messages()).field("skipped_count", &self.skipped_count()).field("may_have_more", &self.may_have_more()).finish()
    }
}

/// A request: what a push announces, or the whole of it as fetched from the server.
#[repr(transparent)]
pub struct MobileAuthRequest(pub(crate) sys::mtoken_mobile_auth_request);
unsafe impl Send for MobileAuthRequest {}
unsafe impl Sync for MobileAuthRequest {}
unsafe impl View for MobileAuthRequest {
    type Raw = sys::mtoken_mobile_auth_request;
    unsafe fn free(object: *mut Self) { sys::mtoken_mobile_auth_request_free(object as *mut sys::mtoken_mobile_auth_request); }
}
impl MobileAuthRequest {
    /// The operation's id.
    #[must_use]
    pub fn transaction_id(&self) -> &str { unsafe { text(self.0.transaction_id) } }
    /// The client's id (`ClientOptions::id`).
    #[must_use]
    pub fn profile(&self) -> &str { unsafe { text(self.0.profile) } }
    /// When it was sent, milliseconds since the epoch; -1 if the push does not say.
    #[must_use]
    pub fn date(&self) -> i64 { self.0.date }
    /// How long it is valid from then on; -1 if the push does not say.
    #[must_use]
    pub fn time_to_live_s(&self) -> i64 { self.0.time_to_live_s }
    /// The operation's name, which distinguishes login from payment; `None` if not known yet.
    #[must_use]
    pub fn operation_name(&self) -> Option<&str> { unsafe { optional(self.0.operation_name) } }
    /// From the server: complete; from a push: what it displays. `None` if unknown.
    #[must_use]
    pub fn message(&self) -> Option<&str> { unsafe { optional(self.0.message) } }
    /// The whole payload of the push; `None` if there was none.
    #[must_use]
    pub fn user_info(&self) -> Option<&str> { unsafe { optional_n(self.0.user_info, self.0.user_info_length) } }
    /// The complete operation from the server; `None` until it is fetched.
    #[must_use]
    pub fn operation(&self) -> Option<&Operation> { unsafe { (self.0.operation as *const Operation).as_ref() } }
}
impl std::fmt::Debug for MobileAuthRequest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("MobileAuthRequest").field("transaction_id", &self.transaction_id()).field("profile", &self.profile()).field("date", &self.date()).field("time_to_live_s", &self.time_to_live_s()).field("operation_name", &self.operation_name()).field("message", &self.message()).field("user_info", &self.user_info()).field("operation", &self.operation()).finish()
    }
}

/// Requests, newest first.
#[repr(transparent)]
pub struct MobileAuthList(pub(crate) sys::mtoken_mobile_auth_list);
unsafe impl Send for MobileAuthList {}
unsafe impl Sync for MobileAuthList {}
unsafe impl View for MobileAuthList {
    type Raw = sys::mtoken_mobile_auth_list;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl MobileAuthList {
    /// An empty slice if there are none.
    #[must_use]
    pub fn requests(&self) -> &[&MobileAuthRequest] { unsafe { slice(self.0.requests as *const &MobileAuthRequest, self.0.count) } }
}
impl std::fmt::Debug for MobileAuthList {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("MobileAuthList").field("requests", &self.requests()).finish()
    }
}

/// How the handling of a request ended.
#[repr(transparent)]
pub struct MobileAuthOutcome(pub(crate) sys::mtoken_mobile_auth_outcome);
unsafe impl Send for MobileAuthOutcome {}
unsafe impl Sync for MobileAuthOutcome {}
unsafe impl View for MobileAuthOutcome {
    type Raw = sys::mtoken_mobile_auth_outcome;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl MobileAuthOutcome {
    /// As much as is known of it.
    #[must_use]
    pub fn request(&self) -> &MobileAuthRequest { unsafe { &*(self.0.request as *const MobileAuthRequest) } }
    /// `MobileAuthErrorCode`; 0: the request was approved or denied.
    #[must_use]
    pub fn error(&self) -> MobileAuthErrorCode { MobileAuthErrorCode(self.0.error) }
    /// True: it was rejected at the server, by a denial or a cancelled custom challenge.
    #[must_use]
    pub fn is_denied(&self) -> bool { self.0.is_denied != 0 }
    /// `AuthenticatorType`: the one used, or the last one asked for.
    #[must_use]
    pub fn authenticator_kind(&self) -> AuthenticatorType { AuthenticatorType(self.0.authenticator_kind) }
    /// `AuthenticatorType::CUSTOM`: its name; otherwise `None`.
    #[must_use]
    pub fn authenticator_name(&self) -> Option<&str> { unsafe { optional(self.0.authenticator_name) } }
    /// Information from a custom authenticator that fell back to the PIN; `None` if there is none.
    #[must_use]
    pub fn custom_info(&self) -> Option<&str> { unsafe { optional(self.0.custom_info) } }
    /// The server's information about the last answer, accepted or not: "customInfo" of its responseObject, any JSON
    /// value, e.g. {"status":1,"data":"..."}; `None` if there is none.
    #[must_use]
    pub fn server_info(&self) -> Option<&str> { unsafe { optional(self.0.server_info) } }
}
impl std::fmt::Debug for MobileAuthOutcome {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("MobileAuthOutcome").field("request", &self.request()).field("error", &self.error()).field("is_denied", &self.is_denied()).field("authenticator_kind", &self.authenticator_kind()).field("authenticator_name", &self.authenticator_name()).field("custom_info", &self.custom_info()).field("server_info", &self.server_info()).finish()
    }
}

/// An authenticator of a client.
#[repr(transparent)]
pub struct Authenticator(pub(crate) sys::mtoken_authenticator);
unsafe impl Send for Authenticator {}
unsafe impl Sync for Authenticator {}
unsafe impl View for Authenticator {
    type Raw = sys::mtoken_authenticator;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Authenticator {
    /// `AuthenticatorType`, never `AuthenticatorType::NONE`.
    #[must_use]
    pub fn kind(&self) -> AuthenticatorType { AuthenticatorType(self.0.kind) }
    /// True: it can answer a challenge.
    #[must_use]
    pub fn is_registered(&self) -> bool { self.0.is_registered != 0 }
    /// True: a request that allows all authenticators asks for it first.
    #[must_use]
    pub fn is_preferred(&self) -> bool { self.0.is_preferred != 0 }
    /// `AuthenticatorType::CUSTOM`: its name; otherwise `None`.
    #[must_use]
    pub fn name(&self) -> Option<&str> { unsafe { optional(self.0.name) } }
}
impl std::fmt::Debug for Authenticator {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Authenticator").field("kind", &self.kind()).field("is_registered", &self.is_registered()).field("is_preferred", &self.is_preferred()).field("name", &self.name()).finish()
    }
}

/// The authenticators of a client: PIN, biometric sensor, then custom ones.
#[repr(transparent)]
pub struct AuthenticatorList(pub(crate) sys::mtoken_authenticator_list);
unsafe impl Send for AuthenticatorList {}
unsafe impl Sync for AuthenticatorList {}
unsafe impl View for AuthenticatorList {
    type Raw = sys::mtoken_authenticator_list;
    unsafe fn free(object: *mut Self) { sys::mtoken_authenticator_list_free(object as *mut sys::mtoken_authenticator_list); }
}
impl AuthenticatorList {
    #[must_use]
    pub fn authenticators(&self) -> &[&Authenticator] { unsafe { slice(self.0.authenticators as *const &Authenticator, self.0.count) } }
}
impl std::fmt::Debug for AuthenticatorList {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("AuthenticatorList").field("authenticators", &self.authenticators()).finish()
    }
}

/// What the user is asked.
#[repr(transparent)]
pub struct ChallengeInfo(pub(crate) sys::mtoken_challenge_info);
unsafe impl Send for ChallengeInfo {}
unsafe impl Sync for ChallengeInfo {}
unsafe impl View for ChallengeInfo {
    type Raw = sys::mtoken_challenge_info;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl ChallengeInfo {
    /// `ChallengeKind`.
    #[must_use]
    pub fn kind(&self) -> ChallengeKind { ChallengeKind(self.0.kind) }
    /// Counts the challenges of one handling, from 1.
    #[must_use]
    pub fn attempt(&self) -> i32 { self.0.attempt }
    /// With its operation: show this, not the push.
    #[must_use]
    pub fn request(&self) -> &MobileAuthRequest { unsafe { &*(self.0.request as *const MobileAuthRequest) } }
    /// Why the user is asked again; `None` for the first challenge or a fallback.
    #[must_use]
    pub fn previous_error(&self) -> Option<Error> { unsafe { self.0.previous_error.as_ref().map(|error| Error::read(error)) } }
    /// Before the activation is blocked; -1 if unknown.
    #[must_use]
    pub fn remaining_attempts(&self) -> i32 { self.0.remaining_attempts }
    /// Text to show with the biometric sensor.
    #[must_use]
    pub fn prompt(&self) -> &str { unsafe { text(self.0.prompt) } }
    /// Of a custom challenge, otherwise `None`.
    #[must_use]
    pub fn authenticator_name(&self) -> Option<&str> { unsafe { optional(self.0.authenticator_name) } }
    /// PIN challenge: information from the custom authenticator; `None` if there is none.
    #[must_use]
    pub fn custom_info(&self) -> Option<&str> { unsafe { optional(self.0.custom_info) } }
    /// The server's information about the previous answer: see `MobileAuthOutcome`.
    #[must_use]
    pub fn server_info(&self) -> Option<&str> { unsafe { optional(self.0.server_info) } }
    /// What is signed: `Operation::summary` of the operation. Show it above the question; `None` if there is no
    /// operation.
    #[must_use]
    pub fn summary(&self) -> Option<&str> { unsafe { optional(self.0.summary) } }
}
impl std::fmt::Debug for ChallengeInfo {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ChallengeInfo").field("kind", &self.kind()).field("attempt", &self.attempt()).field("request", &self.request()).field("previous_error", &self.previous_error()).field("remaining_attempts", &self.remaining_attempts()).field("prompt", &self.prompt()).field("authenticator_name", &self.authenticator_name()).field("custom_info", &self.custom_info()).field("server_info", &self.server_info()).field("summary", &self.summary()).finish()
    }
}

/// One cell of a laid-out operation.
#[repr(transparent)]
pub struct VisualCell(pub(crate) sys::mtoken_visual_cell);
unsafe impl Send for VisualCell {}
unsafe impl Sync for VisualCell {}
unsafe impl View for VisualCell {
    type Raw = sys::mtoken_visual_cell;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl VisualCell {
    /// `CellKind`.
    #[must_use]
    pub fn kind(&self) -> CellKind { CellKind(self.0.kind) }
    /// The title, the message, the heading, or the value as one text; `None` if the attribute has none
    /// (`CellKind::IMAGE`, PARTY_INFO, ALERT, UNKNOWN): see attribute.
    #[must_use]
    pub fn text(&self) -> Option<&str> { unsafe { optional(self.0.text) } }
    /// `None` for `CellKind::TITLE` and `CellKind::MESSAGE`.
    #[must_use]
    pub fn attribute(&self) -> Option<&Attribute> { unsafe { (self.0.attribute as *const Attribute).as_ref() } }
    /// The template's entry for this cell; `None` if no template names it.
    #[must_use]
    pub fn layout(&self) -> Option<&TemplateCell> { unsafe { (self.0.layout as *const TemplateCell).as_ref() } }
}
impl std::fmt::Debug for VisualCell {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("VisualCell").field("kind", &self.kind()).field("text", &self.text()).field("attribute", &self.attribute()).field("layout", &self.layout()).finish()
    }
}

/// Cells under a heading.
#[repr(transparent)]
pub struct VisualSection(pub(crate) sys::mtoken_visual_section);
unsafe impl Send for VisualSection {}
unsafe impl Sync for VisualSection {}
unsafe impl View for VisualSection {
    type Raw = sys::mtoken_visual_section;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl VisualSection {
    /// A name that bank and app have agreed on; `None` if there is none.
    #[must_use]
    pub fn style(&self) -> Option<&str> { unsafe { optional(self.0.style) } }
    /// The label of the attribute that the template names as title; `None` if there is none.
    #[must_use]
    pub fn title(&self) -> Option<&str> { unsafe { optional(self.0.title) } }
    #[must_use]
    pub fn cells(&self) -> &[&VisualCell] { unsafe { slice(self.0.cells as *const &VisualCell, self.0.cell_count) } }
}
impl std::fmt::Debug for VisualSection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("VisualSection").field("style", &self.style()).field("title", &self.title()).field("cells", &self.cells()).finish()
    }
}

/// An operation laid out by "ui"."templates", or in the default layout without them.
#[repr(transparent)]
pub struct Visual(pub(crate) sys::mtoken_visual);
unsafe impl Send for Visual {}
unsafe impl Sync for Visual {}
unsafe impl View for Visual {
    type Raw = sys::mtoken_visual;
    unsafe fn free(object: *mut Self) { sys::mtoken_visual_free(object as *mut sys::mtoken_visual); }
}
impl Visual {
    /// The operation as a row of a list, with placeholders resolved; each `None` if there is none.
    #[must_use]
    pub fn list_header(&self) -> Option<&str> { unsafe { optional(self.0.list_header) } }
    #[must_use]
    pub fn list_title(&self) -> Option<&str> { unsafe { optional(self.0.list_title) } }
    #[must_use]
    pub fn list_message(&self) -> Option<&str> { unsafe { optional(self.0.list_message) } }
    /// Thumbnail.
    #[must_use]
    pub fn list_image_url(&self) -> Option<&str> { unsafe { optional(self.0.list_image_url) } }
    #[must_use]
    pub fn list_style(&self) -> Option<&str> { unsafe { optional(self.0.list_style) } }
    /// Style of the operation shown alone.
    #[must_use]
    pub fn detail_style(&self) -> Option<&str> { unsafe { optional(self.0.detail_style) } }
    #[must_use]
    pub fn sections(&self) -> &[&VisualSection] { unsafe { slice(self.0.sections as *const &VisualSection, self.0.section_count) } }
}
impl std::fmt::Debug for Visual {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Visual").field("list_header", &self.list_header()).field("list_title", &self.list_title()).field("list_message", &self.list_message()).field("list_image_url", &self.list_image_url()).field("list_style", &self.list_style()).field("detail_style", &self.detail_style()).field("sections", &self.sections()).finish()
    }
}

/// A value that `json_find` has found.
#[repr(transparent)]
pub struct JsonValue(pub(crate) sys::mtoken_json_value);
unsafe impl Send for JsonValue {}
unsafe impl Sync for JsonValue {}
unsafe impl View for JsonValue {
    type Raw = sys::mtoken_json_value;
    unsafe fn free(object: *mut Self) { sys::mtoken_json_value_free(object as *mut sys::mtoken_json_value); }
}
impl JsonValue {
    /// `JsonKind`.
    #[must_use]
    pub fn kind(&self) -> JsonKind { JsonKind(self.0.kind) }
    /// The value as written.
    #[must_use]
    pub fn json(&self) -> &str { unsafe { text_n(self.0.json, self.0.json_length) } }
    /// `JsonKind::TEXT`, decoded; `None` for other kinds, and for a text that contains a NUL.
    #[must_use]
    pub fn text(&self) -> Option<&str> { unsafe { optional(self.0.text) } }
    /// `JsonKind::INTEGER` within 64 bits, otherwise 0.
    #[must_use]
    pub fn integer(&self) -> i64 { self.0.integer }
    /// `JsonKind::INTEGER` and `JsonKind::REAL`, rounded to the nearest double; otherwise 0.
    #[must_use]
    pub fn number(&self) -> f64 { self.0.number }
    /// True: true; false: false, or not a `JsonKind::BOOLEAN`.
    #[must_use]
    pub fn is_true(&self) -> bool { self.0.is_true != 0 }
    /// Elements or members of an `JsonKind::ARRAY` or `JsonKind::OBJECT`.
    #[must_use]
    pub fn count(&self) -> usize { self.0.count }
}
impl std::fmt::Debug for JsonValue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("JsonValue").field("kind", &self.kind()).field("json", &self.json()).field("text", &self.text()).field("integer", &self.integer()).field("number", &self.number()).field("is_true", &self.is_true()).field("count", &self.count()).finish()
    }
}
