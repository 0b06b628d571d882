// Made by bindings/generate from mtoken.h. Do not edit.

use crate::life::*;
use crate::values::*;
use crate::Error;
use mtoken_sys as sys;

/// What an error tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorDetails {
    /// MTOKEN_ERROR_...
    pub code: ErrorCode,
    /// MTOKEN_OUTCOME_...
    pub outcome: Outcome,
    /// Stable machine-readable reason, e.g. "operations_alreadyFinished", "network_timeOut", "missingActivation"
    pub reason: String,
    /// One English sentence for developers: what happened, to which object, and what to do
    pub message: String,
    /// 0 if no HTTP response arrived
    pub http_status: i32,
    /// Attempts left before the activation is blocked
    pub remaining_attempts: i32,
    /// Code of the server's error object, e.g. "POWERAUTH_AUTH_FAIL"
    pub server_code: Option<String>,
    /// message of that object
    pub server_message: Option<String>,
    /// URI with more information about the error, from the server
    pub server_uri: Option<String>,
    /// MTOKEN_SERVER_CODE_... of server_code
    pub server_code_number: ServerCode,
    /// 1: the same call may succeed later, and repeating it is safe
    pub is_retriable: bool,
    /// MTOKEN_NETWORK_...
    pub network_fault: NetworkFault,
    /// MTOKEN_TLS_FAULT_...
    pub tls_fault: TlsFault,
    /// parse errors: offset in the input
    pub byte_offset: i64,
    /// parse errors in an offline text: line, from 1
    pub line: i32,
    /// After an activation with a wrong PUK: index of the expected PUK in the printed list
    pub recovery_puk_index: i32,
    /// What lies behind this error, for developers: libcurl's text, or the message of another error
    pub cause: Option<String>,
    /// The reason that the mobile SDKs use
    pub upstream_reason: String,
    /// How long the server asks the client to wait (Retry-After), at most one hour
    pub retry_after_ms: i64,
    /// X-Correlation-ID of the request, for the bank's support
    pub correlation_id: Option<String>,
    /// The bank's information about a refused approval or denial: "customInfo" of the responseObject, any JSON value
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

/// One field.
#[repr(transparent)]
pub struct OperationField(pub(crate) sys::mtoken_operation_field);
unsafe impl Send for OperationField {}
unsafe impl Sync for OperationField {}
unsafe impl View for OperationField {
    type Raw = sys::mtoken_operation_field;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl OperationField {
    /// MTOKEN_FIELD_...
    pub fn kind(&self) -> FieldType { FieldType(self.0.kind) }
    /// The character that identifies the kind, as a Unicode scalar value
    pub fn letter(&self) -> u32 { self.0.letter }
    /// the whole field as it is in the data
    pub fn raw(&self) -> &str { unsafe { text(self.0.raw) } }
    /// its offset in the data, in bytes
    pub fn offset(&self) -> usize { self.0.offset }
    /// ANY_ACCOUNT, REFERENCE, NOTE, TEXT, OTHER: the value without escapes
    pub fn text(&self) -> Option<&str> { unsafe { optional(self.0.text) } }
    /// AMOUNT: the number as written, e.g. "100.00"
    pub fn amount(&self) -> Option<&str> { unsafe { optional(self.0.amount) } }
    /// AMOUNT: the same number without redundant zeros, e.g. "100"
    pub fn value(&self) -> Option<&str> { unsafe { optional(self.0.value) } }
    /// AMOUNT: three capital letters
    pub fn currency(&self) -> Option<&str> { unsafe { optional(self.0.currency) } }
    /// ACCOUNT
    pub fn iban(&self) -> Option<&str> { unsafe { optional(self.0.iban) } }
    /// ACCOUNT
    pub fn bic(&self) -> Option<&str> { unsafe { optional(self.0.bic) } }
    /// ACCOUNT: 1: the IBAN has a valid form and check digits
    pub fn is_iban_valid(&self) -> bool { self.0.is_iban_valid != 0 }
    /// DATE: a calendar date, without a time zone
    pub fn year(&self) -> i32 { self.0.year }
    /// DATE: 1 to 12
    pub fn month(&self) -> i32 { self.0.month }
    /// DATE: 1 to 31
    pub fn day(&self) -> i32 { self.0.day }
}

/// Parsed operation data.
#[repr(transparent)]
pub struct OperationFields(pub(crate) sys::mtoken_operation_fields);
unsafe impl Send for OperationFields {}
unsafe impl Sync for OperationFields {}
unsafe impl View for OperationFields {
    type Raw = sys::mtoken_operation_fields;
    unsafe fn free(object: *mut Self) { sys::mtoken_operation_fields_free(object as *mut sys::mtoken_operation_fields); }
}
impl OperationFields {
    /// the operation data as passed in
    pub fn text(&self) -> &str { unsafe { text_n(self.0.text, self.0.text_length) } }
    /// the letter, 'A' to 'Z'
    pub fn version(&self) -> i32 { self.0.version }
    /// 1: this library knows the version
    pub fn is_version_known(&self) -> bool { self.0.is_version_known != 0 }
    /// MTOKEN_TEMPLATE_... or another number up to 99
    pub fn template_id(&self) -> OperationTemplate { OperationTemplate(self.0.template_id) }
    pub fn fields(&self) -> &[&OperationField] { unsafe { slice(self.0.fields as *const &OperationField, self.0.field_count) } }
}

/// An amount with its currency.
#[repr(transparent)]
pub struct Amount(pub(crate) sys::mtoken_amount);
unsafe impl Send for Amount {}
unsafe impl Sync for Amount {}
unsafe impl View for Amount {
    type Raw = sys::mtoken_amount;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Amount {
    /// "amount": exact, with the digits as sent, e.g. "10000.50"
    pub fn amount(&self) -> Option<&str> { unsafe { optional(self.0.amount) } }
    /// "currency"
    pub fn currency(&self) -> Option<&str> { unsafe { optional(self.0.currency) } }
    /// "amountFormatted", or else the text of amount
    pub fn amount_formatted(&self) -> &str { unsafe { text(self.0.amount_formatted) } }
    /// "currencyFormatted", or else currency
    pub fn currency_formatted(&self) -> &str { unsafe { text(self.0.currency_formatted) } }
    /// "valueFormatted": amount and currency as the bank writes them
    pub fn value_formatted(&self) -> Option<&str> { unsafe { optional(self.0.value_formatted) } }
    /// "amount" as a binary number, for sorting and charts only
    pub fn value(&self) -> f64 { self.0.value }
}

/// A party to the operation, such as a merchant.
#[repr(transparent)]
pub struct Party(pub(crate) sys::mtoken_party);
unsafe impl Send for Party {}
unsafe impl Sync for Party {}
unsafe impl View for Party {
    type Raw = sys::mtoken_party;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Party {
    /// "logoUrl"
    pub fn logo_url(&self) -> Option<&str> { unsafe { optional(self.0.logo_url) } }
    /// "name"
    pub fn name(&self) -> Option<&str> { unsafe { optional(self.0.name) } }
    /// "description"
    pub fn description(&self) -> Option<&str> { unsafe { optional(self.0.description) } }
    /// "websiteUrl"
    pub fn website_url(&self) -> Option<&str> { unsafe { optional(self.0.website_url) } }
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
    /// MTOKEN_ATTRIBUTE_... from "type"
    pub fn kind(&self) -> AttributeType { AttributeType(self.0.kind) }
    /// "type"
    pub fn kind_text(&self) -> &str { unsafe { text(self.0.kind_text) } }
    /// "id"
    pub fn id(&self) -> &str { unsafe { text(self.0.id) } }
    /// "label"
    pub fn label(&self) -> &str { unsafe { text(self.0.label) } }
    /// AMOUNT
    pub fn amount(&self) -> Option<&Amount> { unsafe { (self.0.amount as *const Amount).as_ref() } }
    /// AMOUNT_CONVERSION: "targetAmount", "targetCurrency", ...
    pub fn target(&self) -> Option<&Amount> { unsafe { (self.0.target as *const Amount).as_ref() } }
    /// AMOUNT_CONVERSION "dynamic": MTOKEN_YES: the rate may still change
    pub fn is_dynamic(&self) -> Answer { Answer(self.0.is_dynamic) }
    /// KEY_VALUE "value", NOTE "note"
    pub fn value(&self) -> Option<&str> { unsafe { optional(self.0.value) } }
    /// HEADING "level"
    pub fn heading_level(&self) -> i32 { self.0.heading_level }
    /// PARTY_INFO "partyInfo"
    pub fn party(&self) -> Option<&Party> { unsafe { (self.0.party as *const Party).as_ref() } }
    /// IMAGE "thumbnailUrl"
    pub fn thumbnail_url(&self) -> Option<&str> { unsafe { optional(self.0.thumbnail_url) } }
    /// IMAGE "originalUrl"
    pub fn original_url(&self) -> Option<&str> { unsafe { optional(self.0.original_url) } }
    /// ALERT: MTOKEN_ALERT_... from "alertType"
    pub fn alert_kind(&self) -> AlertType { AlertType(self.0.alert_kind) }
    /// ALERT "alertType"
    pub fn alert_kind_text(&self) -> Option<&str> { unsafe { optional(self.0.alert_kind_text) } }
    /// ALERT "title"
    pub fn alert_title(&self) -> Option<&str> { unsafe { optional(self.0.alert_title) } }
    /// ALERT "message"
    pub fn alert_message(&self) -> Option<&str> { unsafe { optional(self.0.alert_message) } }
    /// UNKNOWN: the whole attribute as the server sent it
    pub fn json(&self) -> Option<&str> { unsafe { optional(self.0.json) } }
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
    /// MTOKEN_ELEMENT_... from "type"
    pub fn kind(&self) -> ElementType { ElementType(self.0.kind) }
    /// "type"
    pub fn kind_text(&self) -> &str { unsafe { text(self.0.kind_text) } }
    /// "id"
    pub fn id(&self) -> Option<&str> { unsafe { optional(self.0.id) } }
    /// "text"
    pub fn text(&self) -> Option<&str> { unsafe { optional(self.0.text) } }
    /// LIST_ITEM "icon"
    pub fn icon(&self) -> Option<&str> { unsafe { optional(self.0.icon) } }
    /// "style": INFO, WARNING, DANGER
    pub fn style(&self) -> Option<&str> { unsafe { optional(self.0.style) } }
    /// BUTTON "action": LINK, MAIL, PHONE
    pub fn action(&self) -> Option<&str> { unsafe { optional(self.0.action) } }
    /// BUTTON "actionSettings", e.g. REJECT
    pub fn action_settings(&self) -> Option<&str> { unsafe { optional(self.0.action_settings) } }
    /// BUTTON "href"
    pub fn href(&self) -> Option<&str> { unsafe { optional(self.0.href) } }
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
    /// "flip": MTOKEN_YES: swap the approve and decline controls
    pub fn flip(&self) -> Answer { Answer(self.0.flip) }
    /// "axis": HORIZONTAL, VERTICAL
    pub fn axis(&self) -> Option<&str> { unsafe { optional(self.0.axis) } }
    /// "decline"."type": BACK, REJECT
    pub fn decline_kind(&self) -> Option<&str> { unsafe { optional(self.0.decline_kind) } }
    /// "decline"."text"
    pub fn decline_text(&self) -> Option<&str> { unsafe { optional(self.0.decline_text) } }
    /// "approve"."type": SLIDER, BUTTON
    pub fn approve_kind(&self) -> Option<&str> { unsafe { optional(self.0.approve_kind) } }
    /// "approve"."text"
    pub fn approve_text(&self) -> Option<&str> { unsafe { optional(self.0.approve_text) } }
    /// "approve"."counter": seconds until the control becomes active
    pub fn approve_counter_s(&self) -> i32 { self.0.approve_counter_s }
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
    /// MTOKEN_SCREEN_... from "type"
    pub fn kind(&self) -> ScreenType { ScreenType(self.0.kind) }
    /// "type"
    pub fn kind_text(&self) -> Option<&str> { unsafe { optional(self.0.kind_text) } }
    /// "id"
    pub fn id(&self) -> Option<&str> { unsafe { optional(self.0.id) } }
    /// "heading"
    pub fn heading(&self) -> &str { unsafe { text(self.0.heading) } }
    /// "message"
    pub fn message(&self) -> &str { unsafe { text(self.0.message) } }
    /// "backButton": MTOKEN_UNSET, _NO, _YES
    pub fn back_button(&self) -> Answer { Answer(self.0.back_button) }
    /// "image"
    pub fn image(&self) -> Option<&str> { unsafe { optional(self.0.image) } }
    /// 1: an "elements" list was sent, possibly empty
    pub fn has_elements(&self) -> bool { self.0.has_elements != 0 }
    /// "elements", without those that are unreadable
    pub fn elements(&self) -> &[&ScreenElement] { unsafe { slice(self.0.elements as *const &ScreenElement, self.0.element_count) } }
    /// "controls"
    pub fn controls(&self) -> Option<&ScreenControls> { unsafe { (self.0.controls as *const ScreenControls).as_ref() } }
}

/// The older, single "preApprovalScreen", as sent.
#[repr(transparent)]
pub struct LegacyScreen(pub(crate) sys::mtoken_legacy_screen);
unsafe impl Send for LegacyScreen {}
unsafe impl Sync for LegacyScreen {}
unsafe impl View for LegacyScreen {
    type Raw = sys::mtoken_legacy_screen;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl LegacyScreen {
    /// MTOKEN_SCREEN_... from "type"
    pub fn kind(&self) -> ScreenType { ScreenType(self.0.kind) }
    /// "type"
    pub fn kind_text(&self) -> Option<&str> { unsafe { optional(self.0.kind_text) } }
    /// "heading"
    pub fn heading(&self) -> &str { unsafe { text(self.0.heading) } }
    /// "message"
    pub fn message(&self) -> &str { unsafe { text(self.0.message) } }
    /// 1: an "items" list was sent
    pub fn has_items(&self) -> bool { self.0.has_items != 0 }
    /// "items": those that are texts
    pub fn items(&self) -> Vec<&str> { unsafe { texts(self.0.items, self.0.item_count) } }
    /// "approvalType": SLIDER, ...
    pub fn approval_kind_text(&self) -> Option<&str> { unsafe { optional(self.0.approval_kind_text) } }
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
    /// MTOKEN_POST_SCREEN_... from "type"
    pub fn kind(&self) -> PostScreenType { PostScreenType(self.0.kind) }
    /// "type"
    pub fn kind_text(&self) -> Option<&str> { unsafe { optional(self.0.kind_text) } }
    /// "heading"
    pub fn heading(&self) -> &str { unsafe { text(self.0.heading) } }
    /// "message"
    pub fn message(&self) -> &str { unsafe { text(self.0.message) } }
    /// REVIEW "payload"."attributes", without those that are unreadable
    pub fn attributes(&self) -> &[&Attribute] { unsafe { slice(self.0.attributes as *const &Attribute, self.0.attribute_count) } }
    /// MERCHANT_REDIRECT "payload"."redirectText"
    pub fn redirect_text(&self) -> Option<&str> { unsafe { optional(self.0.redirect_text) } }
    /// MERCHANT_REDIRECT "payload"."redirectUrl"
    pub fn redirect_url(&self) -> Option<&str> { unsafe { optional(self.0.redirect_url) } }
    /// MERCHANT_REDIRECT "payload"."countdown", seconds
    pub fn countdown_s(&self) -> i32 { self.0.countdown_s }
    /// GENERIC, UNKNOWN: "payload" as JSON, NULL if not sent
    pub fn payload(&self) -> Option<&str> { unsafe { optional(self.0.payload) } }
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
    /// "name": id of an attribute
    pub fn name(&self) -> &str { unsafe { text(self.0.name) } }
    /// "style"
    pub fn style(&self) -> Option<&str> { unsafe { optional(self.0.style) } }
    /// "visibleTitle": MTOKEN_UNSET, _NO, _YES
    pub fn visible_title(&self) -> Answer { Answer(self.0.visible_title) }
    /// "canCopy"
    pub fn can_copy(&self) -> Answer { Answer(self.0.can_copy) }
    /// "collapsable": NO, COLLAPSED, YES
    pub fn collapsable(&self) -> Option<&str> { unsafe { optional(self.0.collapsable) } }
    /// "centered"
    pub fn is_centered(&self) -> Answer { Answer(self.0.is_centered) }
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
    /// "style"
    pub fn style(&self) -> Option<&str> { unsafe { optional(self.0.style) } }
    /// "title": id of an attribute
    pub fn title(&self) -> Option<&str> { unsafe { optional(self.0.title) } }
    /// 1: a "cells" list was sent
    pub fn has_cells(&self) -> bool { self.0.has_cells != 0 }
    /// "cells": those with a name
    pub fn cells(&self) -> &[&TemplateCell] { unsafe { slice(self.0.cells as *const &TemplateCell, self.0.cell_count) } }
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
    /// 1: "list" was sent
    pub fn has_list(&self) -> bool { self.0.has_list != 0 }
    /// "list"."style"
    pub fn list_style(&self) -> Option<&str> { unsafe { optional(self.0.list_style) } }
    /// "list"."header"
    pub fn list_header(&self) -> Option<&str> { unsafe { optional(self.0.list_header) } }
    /// "list"."title"
    pub fn list_title(&self) -> Option<&str> { unsafe { optional(self.0.list_title) } }
    /// "list"."message"
    pub fn list_message(&self) -> Option<&str> { unsafe { optional(self.0.list_message) } }
    /// "list"."image": id of an IMAGE attribute
    pub fn list_image(&self) -> Option<&str> { unsafe { optional(self.0.list_image) } }
    /// 1: "detail" was sent
    pub fn has_detail(&self) -> bool { self.0.has_detail != 0 }
    /// "detail"."style"
    pub fn detail_style(&self) -> Option<&str> { unsafe { optional(self.0.detail_style) } }
    /// "detail"."showTitleAndMessage": MTOKEN_UNSET, _NO, _YES
    pub fn show_title_and_message(&self) -> Answer { Answer(self.0.show_title_and_message) }
    /// 1: "detail"."sections" was sent
    pub fn has_sections(&self) -> bool { self.0.has_sections != 0 }
    /// "detail"."sections"
    pub fn sections(&self) -> &[&TemplateSection] { unsafe { slice(self.0.sections as *const &TemplateSection, self.0.section_count) } }
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
    /// "flipButtons": MTOKEN_YES: swap the approve and reject buttons
    pub fn flip_buttons(&self) -> Answer { Answer(self.0.flip_buttons) }
    /// "blockApprovalOnCall": MTOKEN_YES: during a phone call, explain instead of approving
    pub fn block_approval_on_call(&self) -> Answer { Answer(self.0.block_approval_on_call) }
    /// 1: a list of screens was sent, possibly empty
    pub fn has_pre_approval_screens(&self) -> bool { self.0.has_pre_approval_screens != 0 }
    /// "preApprovalScreens", or else the converted "preApprovalScreen"
    pub fn pre_approval_screens(&self) -> &[&PreApprovalScreen] { unsafe { slice(self.0.pre_approval_screens as *const &PreApprovalScreen, self.0.pre_approval_screen_count) } }
    /// "preApprovalScreen"
    pub fn legacy_pre_approval_screen(&self) -> Option<&LegacyScreen> { unsafe { (self.0.legacy_pre_approval_screen as *const LegacyScreen).as_ref() } }
    /// "postApprovalScreen"
    pub fn post_approval_screen(&self) -> Option<&PostApprovalScreen> { unsafe { (self.0.post_approval_screen as *const PostApprovalScreen).as_ref() } }
    /// "templates"
    pub fn templates(&self) -> Option<&Templates> { unsafe { (self.0.templates as *const Templates).as_ref() } }
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
    /// "id": opaque
    pub fn id(&self) -> &str { unsafe { text(self.0.id) } }
    /// "name": the bank's type of the operation, e.g. "login"
    pub fn name(&self) -> &str { unsafe { text(self.0.name) } }
    /// "data": what is approved, sent back unchanged
    pub fn operation_data(&self) -> &str { unsafe { text(self.0.operation_data) } }
    /// MTOKEN_OPERATION_... from "status"
    pub fn status(&self) -> OperationStatus { OperationStatus(self.0.status) }
    /// "status" as sent
    pub fn status_text(&self) -> Option<&str> { unsafe { optional(self.0.status_text) } }
    /// "statusReason"
    pub fn status_reason(&self) -> Option<&str> { unsafe { optional(self.0.status_reason) } }
    /// "operationCreated": ms since the epoch
    pub fn created(&self) -> i64 { self.0.created }
    /// "operationExpires": ms since the epoch
    pub fn expires(&self) -> i64 { self.0.expires }
    /// MTOKEN_SIGNATURE_TYPE_... from "allowedSignatureType"."type"
    pub fn signature_type(&self) -> SignatureType { SignatureType(self.0.signature_type) }
    /// "allowedSignatureType"."type"
    pub fn signature_type_text(&self) -> &str { unsafe { text(self.0.signature_type_text) } }
    /// MTOKEN_VARIANT_... from "allowedSignatureType"."variants", combined with |
    pub fn variants(&self) -> Variant { Variant(self.0.variants) }
    /// those of "variants" that this version does not know
    pub fn unknown_variants(&self) -> Vec<&str> { unsafe { texts(self.0.unknown_variants, self.0.unknown_variant_count) } }
    /// 1: 2FA with possession_biometry among the variants
    pub fn allows_biometry(&self) -> bool { self.0.allows_biometry != 0 }
    /// "formData"."title"
    pub fn title(&self) -> &str { unsafe { text(self.0.title) } }
    /// "formData"."message"
    pub fn message(&self) -> &str { unsafe { text(self.0.message) } }
    /// "formData"."attributes", without those that are unreadable
    pub fn attributes(&self) -> &[&Attribute] { unsafe { slice(self.0.attributes as *const &Attribute, self.0.attribute_count) } }
    /// "formData"."resultTexts"."success": show it after an approval
    pub fn result_success(&self) -> Option<&str> { unsafe { optional(self.0.result_success) } }
    /// "formData"."resultTexts"."failure"
    pub fn result_failure(&self) -> Option<&str> { unsafe { optional(self.0.result_failure) } }
    /// "formData"."resultTexts"."reject"
    pub fn result_reject(&self) -> Option<&str> { unsafe { optional(self.0.result_reject) } }
    /// "ui"
    pub fn ui(&self) -> Option<&OperationUi> { unsafe { (self.0.ui as *const OperationUi).as_ref() } }
    /// The whole operation as the server sent it, including members that a bank added
    pub fn json(&self) -> &str { unsafe { text_n(self.0.json, self.0.json_length) } }
    /// `operation_data` parsed into fields: what is signed
    pub fn signed_fields(&self) -> Option<&OperationFields> { unsafe { (self.0.signed_fields as *const OperationFields).as_ref() } }
    /// MTOKEN_CONTRADICTION_..., combined with |: show a warning, or refuse approval (mtoken_authorize_options.strict)
    pub fn contradictions(&self) -> Contradiction { Contradiction(self.0.contradictions) }
    /// Parts of this operation that were unreadable and dropped, e.g. "attribute 1: value: missing", and texts with an unresolved ${name}: "data", "formData.title" or "formData.message" followed by ": unresolved"
    pub fn issues(&self) -> Vec<&str> { unsafe { texts(self.0.issues, self.0.issue_count) } }
    /// What is signed, in lines, made from operation_data alone: show it above the question for the PIN
    pub fn summary(&self) -> &str { unsafe { text(self.0.summary) } }
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
    /// "responseObject", without those that are unreadable, in the server's order
    pub fn operations(&self) -> &[&Operation] { unsafe { slice(self.0.operations as *const &Operation, self.0.count) } }
    /// operations that were unreadable and dropped
    pub fn skipped_count(&self) -> usize { self.0.skipped_count }
    /// 1: the server sent its time
    pub fn has_server_time(&self) -> bool { self.0.has_server_time != 0 }
    /// "currentTimestamp": ms since the epoch
    pub fn server_time(&self) -> i64 { self.0.server_time }
    /// e.g. "operation 3: attribute 1: value: missing"
    pub fn issues(&self) -> Vec<&str> { unsafe { texts(self.0.issues, self.0.issue_count) } }
    /// issues beyond those listed
    pub fn further_issue_count(&self) -> usize { self.0.further_issue_count }
    /// 1: the response has exactly 100 operations, the most that servers send
    pub fn may_be_cut(&self) -> bool { self.0.may_be_cut != 0 }
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
    pub fn name(&self) -> &str { unsafe { text(self.0.name) } }
    pub fn value(&self) -> &str { unsafe { text_n(self.0.value, self.0.value_length) } }
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
    /// in the server's order
    pub fn operations(&self) -> &[&Operation] { unsafe { slice(self.0.operations as *const &Operation, self.0.count) } }
    /// 1: a fetch is in progress
    pub fn is_loading(&self) -> bool { self.0.is_loading != 0 }
    /// MTOKEN_FETCH_...
    pub fn last_fetch(&self) -> FetchState { FetchState(self.0.last_fetch) }
    /// Device time when the last fetch ended, ms since the epoch
    pub fn last_fetch_time(&self) -> i64 { self.0.last_fetch_time }
    /// Why the last fetch failed
    pub fn last_error(&self) -> Option<Error> { unsafe { self.0.last_error.as_ref().map(|error| Error::read(error)) } }
    /// operations of the last fetch that were unreadable and dropped
    pub fn skipped_count(&self) -> usize { self.0.skipped_count }
    /// 1: the last fetch included the server's time
    pub fn has_server_time(&self) -> bool { self.0.has_server_time != 0 }
    /// "currentTimestamp": ms since the epoch
    pub fn server_time(&self) -> i64 { self.0.server_time }
    /// MTOKEN_POLLING_...
    pub fn polling(&self) -> Polling { Polling(self.0.polling) }
    /// doubled with has_push
    pub fn polling_interval_ms(&self) -> i64 { self.0.polling_interval_ms }
    /// 1: see mtoken_operation_list.may_be_cut
    pub fn may_be_cut(&self) -> bool { self.0.may_be_cut != 0 }
}

/// The content of an MTOKEN_EVENT_OPERATIONS_CHANGED event.
#[repr(transparent)]
pub struct OperationsChange(pub(crate) sys::mtoken_operations_change);
unsafe impl Send for OperationsChange {}
unsafe impl Sync for OperationsChange {}
unsafe impl View for OperationsChange {
    type Raw = sys::mtoken_operations_change;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl OperationsChange {
    /// All operations tracked now, in the server's order
    pub fn operations(&self) -> &[&Operation] { unsafe { slice(self.0.operations as *const &Operation, self.0.count) } }
    /// tracked now, but not before
    pub fn added(&self) -> &[&Operation] { unsafe { slice(self.0.added as *const &Operation, self.0.added_count) } }
    /// tracked before, but not now
    pub fn removed(&self) -> &[&Operation] { unsafe { slice(self.0.removed as *const &Operation, self.0.removed_count) } }
    /// Tracked before and now, with changed contents
    pub fn updated(&self) -> &[&Operation] { unsafe { slice(self.0.updated as *const &Operation, self.0.updated_count) } }
}

/// One stage of a request.
#[repr(transparent)]
pub struct Trace(pub(crate) sys::mtoken_trace);
unsafe impl Send for Trace {}
unsafe impl Sync for Trace {}
unsafe impl View for Trace {
    type Raw = sys::mtoken_trace;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Trace {
    /// MTOKEN_TRACE_...
    pub fn stage(&self) -> TraceStage { TraceStage(self.0.stage) }
    /// Number of the request in this runtime, from 1: connects the stages of one request
    pub fn request_number(&self) -> i64 { self.0.request_number }
    /// kind of call, e.g. "operation list"
    pub fn call(&self) -> &str { unsafe { text(self.0.call) } }
    /// never NULL
    pub fn url(&self) -> &str { unsafe { text(self.0.url) } }
    /// of the request, joined by ", "
    pub fn header_names(&self) -> &str { unsafe { text(self.0.header_names) } }
    /// bytes of the request's body
    pub fn request_size(&self) -> usize { self.0.request_size }
    /// ANSWER
    pub fn http_status(&self) -> i32 { self.0.http_status }
    /// ANSWER: bytes of the body
    pub fn answer_size(&self) -> usize { self.0.answer_size }
    /// ANSWER: when the transfer began, in milliseconds after REQUEST
    pub fn started_ms(&self) -> i64 { self.0.started_ms }
    /// ANSWER: likewise, when it was complete
    pub fn finished_ms(&self) -> i64 { self.0.finished_ms }
    /// ANSWER: 1: an open connection was reused
    pub fn reused_connection(&self) -> bool { self.0.reused_connection != 0 }
    /// X-Correlation-ID or X-Request-ID of the request, or else of the response
    pub fn correlation_id(&self) -> Option<&str> { unsafe { optional(self.0.correlation_id) } }
    /// RateLimit-Limit of the response, also under its older names
    pub fn rate_limit(&self) -> Option<&str> { unsafe { optional(self.0.rate_limit) } }
    /// RateLimit-Remaining, likewise
    pub fn rate_remaining(&self) -> Option<&str> { unsafe { optional(self.0.rate_remaining) } }
    /// RateLimit-Reset, likewise
    pub fn rate_reset(&self) -> Option<&str> { unsafe { optional(self.0.rate_reset) } }
    /// Retry-After, likewise
    pub fn retry_after(&self) -> Option<&str> { unsafe { optional(self.0.retry_after) } }
    /// FAILURE
    pub fn error(&self) -> Option<Error> { unsafe { self.0.error.as_ref().map(|error| Error::read(error)) } }
}

/// Something that expires.
#[repr(transparent)]
pub struct Watched(pub(crate) sys::mtoken_watched);
unsafe impl Send for Watched {}
unsafe impl Sync for Watched {}
unsafe impl View for Watched {
    type Raw = sys::mtoken_watched;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl Watched {
    /// UTF-8, NUL-terminated
    pub fn id(&self) -> Option<&str> { unsafe { optional(self.0.id) } }
    /// UTF-8, NUL-terminated
    pub fn operation_data(&self) -> Option<&str> { unsafe { optional(self.0.operation_data) } }
    /// milliseconds since the epoch
    pub fn expires(&self) -> i64 { self.0.expires }
}

/// What a watcher watches, or reports.
#[repr(transparent)]
pub struct WatchedList(pub(crate) sys::mtoken_watched_list);
unsafe impl Send for WatchedList {}
unsafe impl Sync for WatchedList {}
unsafe impl View for WatchedList {
    type Raw = sys::mtoken_watched_list;
    unsafe fn free(object: *mut Self) { sys::mtoken_watched_list_free(object as *mut sys::mtoken_watched_list); }
}
impl WatchedList {
    pub fn items(&self) -> &[&Watched] { unsafe { slice(self.0.items as *const &Watched, self.0.count) } }
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
    pub fn name(&self) -> &str { unsafe { text(self.0.name) } }
    pub fn value(&self) -> &str { unsafe { text(self.0.value) } }
}

/// A request for the host to send (transport.h).
#[repr(transparent)]
pub struct HttpRequest(pub(crate) sys::mtoken_http_request);
unsafe impl Send for HttpRequest {}
unsafe impl Sync for HttpRequest {}
unsafe impl View for HttpRequest {
    type Raw = sys::mtoken_http_request;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl HttpRequest {
    /// of this request in this runtime, from 1
    pub fn id(&self) -> i64 { self.0.id }
    /// "POST" or "GET"
    pub fn method(&self) -> &str { unsafe { text(self.0.method) } }
    /// https, or http if the client allows it
    pub fn url(&self) -> &str { unsafe { text(self.0.url) } }
    /// Beside these send what the body needs: Host, Content-Length
    pub fn headers(&self) -> &[&HttpHeader] { unsafe { slice(self.0.headers as *const &HttpHeader, self.0.header_count) } }
    /// NULL if there is none
    pub fn body(&self) -> &[u8] { unsafe { slice(self.0.body, self.0.body_length) } }
    /// The device's time until which an answer is of use, milliseconds since the epoch
    pub fn deadline(&self) -> i64 { self.0.deadline }
    /// a response with a larger body fails
    pub fn max_answer_size(&self) -> usize { self.0.max_answer_size }
    /// 1: it must not reach the server twice, also not by a stack that repeats requests on lost connections: a signed one then fails, and may block the activation
    pub fn at_most_once(&self) -> bool { self.0.at_most_once != 0 }
}

/// An event.
#[repr(transparent)]
pub struct Event(pub(crate) sys::mtoken_event);
unsafe impl Send for Event {}
unsafe impl Sync for Event {}
unsafe impl View for Event {
    type Raw = sys::mtoken_event;
    unsafe fn free(object: *mut Self) { sys::mtoken_event_free(object as *mut sys::mtoken_event); }
}
impl Event {
    /// MTOKEN_EVENT_...
    pub fn kind(&self) -> EventKind { EventKind(self.0.kind) }
    /// LOG: MTOKEN_LOG_...
    pub fn log_level(&self) -> LogLevel { LogLevel(self.0.log_level) }
    /// when it was queued: milliseconds since the epoch
    pub fn time(&self) -> i64 { self.0.time }
    /// TASK: the tag from mtoken_task_notify
    pub fn tag(&self) -> u64 { self.0.tag }
    /// LOG: the line
    pub fn message(&self) -> Option<&str> { unsafe { optional(self.0.message) } }
    /// OPERATIONS_FAILED, POLLING_WAITS
    pub fn error(&self) -> Option<Error> { unsafe { self.0.error.as_ref().map(|error| Error::read(error)) } }
    /// TRACE
    pub fn trace(&self) -> Option<&Trace> { unsafe { (self.0.trace as *const Trace).as_ref() } }
    /// OPERATIONS_CHANGED
    pub fn change(&self) -> Option<&OperationsChange> { unsafe { (self.0.change as *const OperationsChange).as_ref() } }
    /// OPERATIONS_EXPIRED: the expired operations
    pub fn expired(&self) -> Option<&WatchedList> { unsafe { (self.0.expired as *const WatchedList).as_ref() } }
    /// Log lines and traces dropped since the previous event
    pub fn dropped(&self) -> i64 { self.0.dropped }
    /// OPERATIONS_LOADING: 1: a fetch has begun
    pub fn is_loading(&self) -> bool { self.0.is_loading != 0 }
    /// REQUEST, REQUEST_ENDED
    pub fn request(&self) -> Option<&HttpRequest> { unsafe { (self.0.request as *const HttpRequest).as_ref() } }
    /// COUNTER_BEHIND: how far the server was ahead, at least
    pub fn steps(&self) -> i32 { self.0.steps }
    /// STATE_STORED: MTOKEN_PROTOCOL_... and MTOKEN_SUITE_... of the activation
    pub fn protocol_version(&self) -> Protocol { Protocol(self.0.protocol_version) }
    pub fn suite(&self) -> Suite { Suite(self.0.suite) }
}

/// Counters of a runtime, for health checks.
#[repr(transparent)]
pub struct RuntimeInfo(pub(crate) sys::mtoken_runtime_info);
unsafe impl Send for RuntimeInfo {}
unsafe impl Sync for RuntimeInfo {}
unsafe impl View for RuntimeInfo {
    type Raw = sys::mtoken_runtime_info;
    unsafe fn free(object: *mut Self) { sys::mtoken_runtime_info_free(object as *mut sys::mtoken_runtime_info); }
}
impl RuntimeInfo {
    /// HTTP requests in progress
    pub fn requests_under_way(&self) -> usize { self.0.requests_under_way }
    /// HTTP requests queued because of max_transfers
    pub fn requests_waiting(&self) -> usize { self.0.requests_waiting }
    /// events not yet read
    pub fn events_waiting(&self) -> usize { self.0.events_waiting }
    /// started by the host and not yet completed
    pub fn tasks_running(&self) -> usize { self.0.tasks_running }
    /// open clients
    pub fn clients(&self) -> usize { self.0.clients }
    /// clients that poll their operations, including paused ones
    pub fn pollers(&self) -> usize { self.0.pollers }
    /// since the runtime was created: see mtoken_event.dropped
    pub fn dropped_log_events(&self) -> i64 { self.0.dropped_log_events }
    /// likewise, traces
    pub fn dropped_trace_events(&self) -> i64 { self.0.dropped_trace_events }
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
    /// in bytewise order
    pub fn ids(&self) -> Vec<&str> { unsafe { texts(self.0.ids, self.0.count) } }
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
    /// the body to send, Content-Type application/json
    pub fn body(&self) -> &[u8] { unsafe { slice(self.0.body, self.0.body_length) } }
    /// X-PowerAuth-Encryption or, for a signed request, X-PowerAuth-Authorization
    pub fn header_name(&self) -> &str { unsafe { text(self.0.header_name) } }
    pub fn header_value(&self) -> &str { unsafe { text(self.0.header_value) } }
}

/// A postal address.
#[repr(transparent)]
pub struct UserAddress(pub(crate) sys::mtoken_user_address);
unsafe impl Send for UserAddress {}
unsafe impl Sync for UserAddress {}
unsafe impl View for UserAddress {
    type Raw = sys::mtoken_user_address;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl UserAddress {
    pub fn formatted(&self) -> Option<&str> { unsafe { optional(self.0.formatted) } }
    pub fn street_address(&self) -> Option<&str> { unsafe { optional(self.0.street_address) } }
    pub fn locality(&self) -> Option<&str> { unsafe { optional(self.0.locality) } }
    pub fn region(&self) -> Option<&str> { unsafe { optional(self.0.region) } }
    pub fn postal_code(&self) -> Option<&str> { unsafe { optional(self.0.postal_code) } }
    pub fn country(&self) -> Option<&str> { unsafe { optional(self.0.country) } }
}

/// Claims from the server's JSON object.
#[repr(transparent)]
pub struct UserInfo(pub(crate) sys::mtoken_user_info);
unsafe impl Send for UserInfo {}
unsafe impl Sync for UserInfo {}
unsafe impl View for UserInfo {
    type Raw = sys::mtoken_user_info;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl UserInfo {
    /// the user's identifier
    pub fn sub(&self) -> Option<&str> { unsafe { optional(self.0.sub) } }
    pub fn name(&self) -> Option<&str> { unsafe { optional(self.0.name) } }
    pub fn given_name(&self) -> Option<&str> { unsafe { optional(self.0.given_name) } }
    pub fn family_name(&self) -> Option<&str> { unsafe { optional(self.0.family_name) } }
    pub fn middle_name(&self) -> Option<&str> { unsafe { optional(self.0.middle_name) } }
    pub fn nickname(&self) -> Option<&str> { unsafe { optional(self.0.nickname) } }
    pub fn preferred_username(&self) -> Option<&str> { unsafe { optional(self.0.preferred_username) } }
    pub fn profile(&self) -> Option<&str> { unsafe { optional(self.0.profile) } }
    pub fn picture(&self) -> Option<&str> { unsafe { optional(self.0.picture) } }
    pub fn website(&self) -> Option<&str> { unsafe { optional(self.0.website) } }
    pub fn email(&self) -> Option<&str> { unsafe { optional(self.0.email) } }
    /// 1: yes
    pub fn is_email_verified(&self) -> bool { self.0.is_email_verified != 0 }
    pub fn gender(&self) -> Option<&str> { unsafe { optional(self.0.gender) } }
    /// "YYYY-MM-DD"
    pub fn birthdate(&self) -> Option<&str> { unsafe { optional(self.0.birthdate) } }
    pub fn zoneinfo(&self) -> Option<&str> { unsafe { optional(self.0.zoneinfo) } }
    pub fn locale(&self) -> Option<&str> { unsafe { optional(self.0.locale) } }
    pub fn phone_number(&self) -> Option<&str> { unsafe { optional(self.0.phone_number) } }
    /// 1: yes
    pub fn is_phone_number_verified(&self) -> bool { self.0.is_phone_number_verified != 0 }
    pub fn address(&self) -> Option<&UserAddress> { unsafe { (self.0.address as *const UserAddress).as_ref() } }
    /// 1: updated_at is known
    pub fn has_updated_at(&self) -> bool { self.0.has_updated_at != 0 }
    /// milliseconds since the epoch, converted from the claim's seconds
    pub fn updated_at(&self) -> i64 { self.0.updated_at }
    /// the whole object, including the bank's own claims
    pub fn json(&self) -> &str { unsafe { text_n(self.0.json, self.0.json_length) } }
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
    /// "XXXXX-XXXXX-XXXXX-XXXXX"
    pub fn code(&self) -> &str { unsafe { text(self.0.code) } }
    /// Base64 of the server's signature in the QR form
    pub fn signature(&self) -> Option<&str> { unsafe { optional(self.0.signature) } }
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
    pub fn activation_id(&self) -> &str { unsafe { text(self.0.activation_id) } }
    /// 8 digits: compare with those the bank shows
    pub fn fingerprint(&self) -> &str { unsafe { text(self.0.fingerprint) } }
    /// NULL if there is none
    pub fn recovery_code(&self) -> Option<&str> { unsafe { optional(self.0.recovery_code) } }
    /// 10 digits
    pub fn recovery_puk(&self) -> Option<&str> { unsafe { optional(self.0.recovery_puk) } }
    /// JSON object
    pub fn custom_attributes(&self) -> Option<&str> { unsafe { optional(self.0.custom_attributes) } }
    /// JSON object of OpenID claims
    pub fn user_info(&self) -> Option<&str> { unsafe { optional(self.0.user_info) } }
    /// MTOKEN_PROTOCOL_... that the server agreed to
    pub fn protocol_version(&self) -> Protocol { Protocol(self.0.protocol_version) }
    /// MTOKEN_SUITE_... of protocol 4.0
    pub fn suite(&self) -> Suite { Suite(self.0.suite) }
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
    /// MTOKEN_ACTIVATION_...
    pub fn state(&self) -> ActivationState { ActivationState(self.0.state) }
    pub fn failed_attempts(&self) -> i32 { self.0.failed_attempts }
    pub fn max_failed_attempts(&self) -> i32 { self.0.max_failed_attempts }
    /// 0 unless the activation is active
    pub fn remaining_attempts(&self) -> i32 { self.0.remaining_attempts }
    /// JSON object from the bank
    pub fn custom_object(&self) -> Option<&str> { unsafe { optional(self.0.custom_object) } }
    /// 1: mtoken_client_upgrade can replace this activation by one of protocol 4.0
    pub fn upgrade_available(&self) -> bool { self.0.upgrade_available != 0 }
    /// 1: the server no longer offers the suite of this activation, which continues to work: activate again with another suite
    pub fn suite_withdrawn(&self) -> bool { self.0.suite_withdrawn != 0 }
    /// 1: the server accepts the biometry factor
    pub fn biometry_enabled(&self) -> bool { self.0.biometry_enabled != 0 }
    /// 1: the block is temporary and ends at block_expires
    pub fn block_is_temporary(&self) -> bool { self.0.block_is_temporary != 0 }
    /// Milliseconds since the epoch
    pub fn block_expires(&self) -> i64 { self.0.block_expires }
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
    pub fn activation_id(&self) -> &str { unsafe { text(self.0.activation_id) } }
    /// The name under which the bank shows this device
    pub fn activation_name(&self) -> Option<&str> { unsafe { optional(self.0.activation_name) } }
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
    pub fn key(&self) -> &str { unsafe { text(self.0.key) } }
    /// JSON: an object, text in quotes, a number, true, false or null
    pub fn value(&self) -> &str { unsafe { text(self.0.value) } }
    /// MTOKEN_SCOPE_...: whom it is for
    pub fn scope(&self) -> Scope { Scope(self.0.scope) }
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
    /// without those that are unreadable
    pub fn entries(&self) -> &[&ConfigEntry] { unsafe { slice(self.0.entries as *const &ConfigEntry, self.0.count) } }
    /// the JSON array as the server sent it
    pub fn json(&self) -> &str { unsafe { text(self.0.json) } }
    /// entries that were unreadable and dropped
    pub fn skipped_count(&self) -> usize { self.0.skipped_count }
    /// e.g. "entry 3: key: missing"
    pub fn issues(&self) -> Vec<&str> { unsafe { texts(self.0.issues, self.0.issue_count) } }
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
    /// MTOKEN_CLIENT_...
    pub fn state(&self) -> ClientState { ClientState(self.0.state) }
    /// MTOKEN_PROTOCOL_...
    pub fn protocol_version(&self) -> Protocol { Protocol(self.0.protocol_version) }
    /// from the options
    pub fn id(&self) -> &str { unsafe { text(self.0.id) } }
    /// NULL without an activation
    pub fn activation_id(&self) -> Option<&str> { unsafe { optional(self.0.activation_id) } }
    /// 8 digits to compare with those the bank shows
    pub fn fingerprint(&self) -> Option<&str> { unsafe { optional(self.0.fingerprint) } }
    /// 1: the unnamed authenticator has the biometry factor
    pub fn has_biometry(&self) -> bool { self.0.has_biometry != 0 }
    /// 1: the activation came with a recovery code
    pub fn has_recovery_data(&self) -> bool { self.0.has_recovery_data != 0 }
    /// 1: the server's time is known
    pub fn time_synchronized(&self) -> bool { self.0.time_synchronized != 0 }
    /// server time minus device time, in milliseconds
    pub fn time_adjustment_ms(&self) -> i64 { self.0.time_adjustment_ms }
    /// the server's current time
    pub fn time(&self) -> i64 { self.0.time }
    /// 1: the next two members are from the last status that this client fetched
    pub fn status_known(&self) -> bool { self.0.status_known != 0 }
    /// MTOKEN_ACTIVATION_...
    pub fn activation_state(&self) -> ActivationState { ActivationState(self.0.activation_state) }
    pub fn remaining_attempts(&self) -> i32 { self.0.remaining_attempts }
    /// NULL if there is none
    pub fn authenticators(&self) -> Vec<&str> { unsafe { texts(self.0.authenticators, self.0.authenticator_count) } }
    /// 1: PIN and biometry require the external encryption key (factors.h)
    pub fn uses_external_key(&self) -> bool { self.0.uses_external_key != 0 }
    /// 1: it is set on this client
    pub fn has_external_key(&self) -> bool { self.0.has_external_key != 0 }
    /// JSON object: the claims about the user that this client received last
    pub fn user_info(&self) -> Option<&str> { unsafe { optional(self.0.user_info) } }
    /// Signatures, including offline codes, that the server has not acknowledged: the device's counter is at most this many steps ahead of the server's
    pub fn unacknowledged_signatures(&self) -> i32 { self.0.unacknowledged_signatures }
    /// The server's look-ahead window, 1 to 64
    pub fn counter_window(&self) -> i32 { self.0.counter_window }
    /// Maximum error of `time` in milliseconds: half of the round trip that fetched it
    pub fn time_precision_ms(&self) -> i64 { self.0.time_precision_ms }
    /// MTOKEN_PROTECTION_...: who keeps the device secret
    pub fn protection(&self) -> Protection { Protection(self.0.protection) }
    /// MTOKEN_SUITE_... of protocol 4.0
    pub fn suite(&self) -> Suite { Suite(self.0.suite) }
    /// 1: the server is not known to have the confirmation of the activation
    pub fn awaits_confirmation(&self) -> bool { self.0.awaits_confirmation != 0 }
    /// 1: the server is not known to have the confirmation of an upgrade
    pub fn awaits_upgrade_confirmation(&self) -> bool { self.0.awaits_upgrade_confirmation != 0 }
    /// 1: a change of the PIN was interrupted: call mtoken_client_validate_pin with the new PIN
    pub fn awaits_new_pin(&self) -> bool { self.0.awaits_new_pin != 0 }
    /// How often this client, since it was opened, found the server's counter ahead of its own: MTOKEN_EVENT_COUNTER_BEHIND says what that means
    pub fn times_behind(&self) -> i32 { self.0.times_behind }
    /// 1: the server is not known to have accepted a new biometry key (reason "newBiometryMayApply"): use it, or add the factor again
    pub fn awaits_new_biometry(&self) -> bool { self.0.awaits_new_biometry != 0 }
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
    /// "XXXXX-XXXXX-XXXXX-XXXXX"
    pub fn code(&self) -> &str { unsafe { text(self.0.code) } }
    /// 10 digits
    pub fn puk(&self) -> &str { unsafe { text(self.0.puk) } }
}

/// An offline operation.
#[repr(transparent)]
pub struct QrOperation(pub(crate) sys::mtoken_qr_operation);
unsafe impl Send for QrOperation {}
unsafe impl Sync for QrOperation {}
unsafe impl View for QrOperation {
    type Raw = sys::mtoken_qr_operation;
    unsafe fn free(object: *mut Self) { sys::mtoken_qr_operation_free(object as *mut sys::mtoken_qr_operation); }
}
impl QrOperation {
    /// MTOKEN_VERIFIED_...
    pub fn verification(&self) -> Verified { Verified(self.0.verification) }
    /// MTOKEN_KEY_...: the key that signed
    pub fn server_key(&self) -> Key { Key(self.0.server_key) }
    /// as passed in, or repaired
    pub fn payload(&self) -> &str { unsafe { text_n(self.0.payload, self.0.payload_length) } }
    /// the signature covers the first signed_length bytes of the payload
    pub fn signed_length(&self) -> usize { self.0.signed_length }
    /// not empty
    pub fn id(&self) -> &str { unsafe { text(self.0.id) } }
    /// without escapes
    pub fn title(&self) -> &str { unsafe { text(self.0.title) } }
    /// without escapes
    pub fn message(&self) -> &str { unsafe { text(self.0.message) } }
    /// with escapes
    pub fn raw_title(&self) -> &str { unsafe { text(self.0.raw_title) } }
    /// with escapes
    pub fn raw_message(&self) -> &str { unsafe { text(self.0.raw_message) } }
    /// what is approved
    pub fn signed_fields(&self) -> &OperationFields { unsafe { &*(self.0.signed_fields as *const OperationFields) } }
    /// the line of flags as in the payload
    pub fn flags(&self) -> &str { unsafe { text(self.0.flags) } }
    /// B: biometry may be used instead of the PIN
    pub fn allows_biometry(&self) -> bool { self.0.allows_biometry != 0 }
    /// X: swap the approve and reject buttons
    pub fn flip_buttons(&self) -> bool { self.0.flip_buttons != 0 }
    /// F: show a fraud warning
    pub fn warns_of_fraud(&self) -> bool { self.0.warns_of_fraud != 0 }
    /// C: do not let the user approve during a phone call
    pub fn block_approval_on_call(&self) -> bool { self.0.block_approval_on_call != 0 }
    /// letters that this library does not know
    pub fn unknown_flags(&self) -> &str { unsafe { text(self.0.unknown_flags) } }
    /// One-time password of a proximity check
    pub fn totp(&self) -> Option<&str> { unsafe { optional(self.0.totp) } }
    /// 1: the payload has lines that this library does not know
    pub fn is_newer_format(&self) -> bool { self.0.is_newer_format != 0 }
    /// those lines, with escapes
    pub fn extras(&self) -> Vec<&str> { unsafe { texts(self.0.extras, self.0.extra_count) } }
    /// Base64
    pub fn nonce(&self) -> &str { unsafe { text(self.0.nonce) } }
    /// 16
    pub fn nonce_bytes(&self) -> &[u8] { unsafe { slice(self.0.nonce_bytes, 16) } }
    /// Base64
    pub fn signature(&self) -> &str { unsafe { text(self.0.signature) } }
    pub fn signature_bytes(&self) -> &[u8] { unsafe { slice(self.0.signature_bytes, self.0.signature_bytes_length) } }
    /// What is approved, in lines: show it above the question for the PIN
    pub fn summary(&self) -> &str { unsafe { text(self.0.summary) } }
    /// MTOKEN_CONTRADICTION_..., combined with |: title or message state something other than what is approved
    pub fn contradictions(&self) -> Contradiction { Contradiction(self.0.contradictions) }
}

/// A parsed code.
#[repr(transparent)]
pub struct Pac(pub(crate) sys::mtoken_pac);
unsafe impl Send for Pac {}
unsafe impl Sync for Pac {}
unsafe impl View for Pac {
    type Raw = sys::mtoken_pac;
    unsafe fn free(object: *mut Self) { sys::mtoken_pac_free(object as *mut sys::mtoken_pac); }
}
impl Pac {
    /// 1 to 255 printable characters
    pub fn operation_id(&self) -> &str { unsafe { text(self.0.operation_id) } }
    /// One-time password, 4 to 10 digits
    pub fn totp(&self) -> Option<&str> { unsafe { optional(self.0.totp) } }
    /// MTOKEN_PROXIMITY_..., as passed to mtoken_pac_parse
    pub fn source(&self) -> ProximityType { ProximityType(self.0.source) }
    /// MTOKEN_PAC_...
    pub fn form(&self) -> PacForm { PacForm(self.0.form) }
    /// JWT: 1: its header is a JSON object
    pub fn is_header_valid(&self) -> bool { self.0.is_header_valid != 0 }
    /// JWT: 1: it has a signature, which is never verified
    pub fn has_signature(&self) -> bool { self.0.has_signature != 0 }
    /// JWT: algorithm from its header
    pub fn algorithm(&self) -> Option<&str> { unsafe { optional(self.0.algorithm) } }
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
    /// id of the provider at the bank's server
    pub fn provider_id(&self) -> &str { unsafe { text(self.0.provider_id) } }
    /// the OAuth client id
    pub fn client_id(&self) -> &str { unsafe { text(self.0.client_id) } }
    /// separated by spaces
    pub fn scopes(&self) -> &str { unsafe { text(self.0.scopes) } }
    /// the provider's authorization endpoint
    pub fn authorize_uri(&self) -> &str { unsafe { text(self.0.authorize_uri) } }
    /// where the provider sends its response
    pub fn redirect_uri(&self) -> &str { unsafe { text(self.0.redirect_uri) } }
    /// 1: the server requires PKCE
    pub fn requires_pkce(&self) -> bool { self.0.requires_pkce != 0 }
    /// 1: the response must name its issuer (RFC 9207)
    pub fn requires_issuer(&self) -> bool { self.0.requires_issuer != 0 }
    /// the provider's issuer
    pub fn issuer(&self) -> Option<&str> { unsafe { optional(self.0.issuer) } }
}

/// The content of a login request.
#[repr(transparent)]
pub struct OidcAuthorization(pub(crate) sys::mtoken_oidc_authorization);
unsafe impl Send for OidcAuthorization {}
unsafe impl Sync for OidcAuthorization {}
unsafe impl View for OidcAuthorization {
    type Raw = sys::mtoken_oidc_authorization;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl OidcAuthorization {
    /// open this in the system's browser
    pub fn authorize_url(&self) -> &str { unsafe { text(self.0.authorize_url) } }
    pub fn provider_id(&self) -> &str { unsafe { text(self.0.provider_id) } }
    pub fn redirect_uri(&self) -> &str { unsafe { text(self.0.redirect_uri) } }
    /// 43 characters of base64url
    pub fn nonce(&self) -> &str { unsafe { text(self.0.nonce) } }
    /// 43 characters of base64url
    pub fn state(&self) -> &str { unsafe { text(self.0.state) } }
    /// NULL without PKCE
    pub fn code_verifier(&self) -> Option<&str> { unsafe { optional(self.0.code_verifier) } }
    /// 1: the scopes lack "openid", so the provider may not issue an ID token: warn the developer
    pub fn lacks_openid(&self) -> bool { self.0.lacks_openid != 0 }
}

/// The part of the provider's response that the activation needs: copy the texts to the oidc_ members of mtoken_activation_options and call mtoken_client_activate (activation.h).
#[repr(transparent)]
pub struct OidcAttributes(pub(crate) sys::mtoken_oidc_attributes);
unsafe impl Send for OidcAttributes {}
unsafe impl Sync for OidcAttributes {}
unsafe impl View for OidcAttributes {
    type Raw = sys::mtoken_oidc_attributes;
    unsafe fn free(object: *mut Self) { let _ = object; }
}
impl OidcAttributes {
    pub fn provider_id(&self) -> &str { unsafe { text(self.0.provider_id) } }
    /// the authorization code, valid for one activation
    pub fn code(&self) -> &str { unsafe { text(self.0.code) } }
    pub fn nonce(&self) -> &str { unsafe { text(self.0.nonce) } }
    /// NULL without PKCE
    pub fn code_verifier(&self) -> Option<&str> { unsafe { optional(self.0.code_verifier) } }
}

/// A push message.
#[repr(transparent)]
pub struct PushMessage(pub(crate) sys::mtoken_push_message);
unsafe impl Send for PushMessage {}
unsafe impl Sync for PushMessage {}
unsafe impl View for PushMessage {
    type Raw = sys::mtoken_push_message;
    unsafe fn free(object: *mut Self) { sys::mtoken_push_message_free(object as *mut sys::mtoken_push_message); }
}
impl PushMessage {
    /// MTOKEN_PUSH_KIND_...
    pub fn kind(&self) -> PushKind { PushKind(self.0.kind) }
    /// NULL unless it is about an operation
    pub fn operation_id(&self) -> Option<&str> { unsafe { optional(self.0.operation_id) } }
    /// Type of the operation
    pub fn operation_name(&self) -> Option<&str> { unsafe { optional(self.0.operation_name) } }
    /// MTOKEN_PUSH_RESULT_... of a finished operation, otherwise 0
    pub fn result(&self) -> PushResult { PushResult(self.0.result) }
    /// The result as sent
    pub fn result_text(&self) -> Option<&str> { unsafe { optional(self.0.result_text) } }
    /// Id of the message in the inbox
    pub fn inbox_id(&self) -> Option<&str> { unsafe { optional(self.0.inbox_id) } }
    /// displayed text
    pub fn title(&self) -> Option<&str> { unsafe { optional(self.0.title) } }
    /// Displayed text
    pub fn body(&self) -> Option<&str> { unsafe { optional(self.0.body) } }
    /// The activation that the message is for
    pub fn activation_id(&self) -> Option<&str> { unsafe { optional(self.0.activation_id) } }
    /// MTOKEN_YES: nothing is shown to the user
    pub fn is_silent(&self) -> Answer { Answer(self.0.is_silent) }
    /// the payload without surrounding white space
    pub fn json(&self) -> &str { unsafe { text_n(self.0.json, self.0.json_length) } }
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
    /// id
    pub fn id(&self) -> &str { unsafe { text(self.0.id) } }
    /// subject
    pub fn subject(&self) -> &str { unsafe { text(self.0.subject) } }
    /// summary: for lists
    pub fn summary(&self) -> &str { unsafe { text(self.0.summary) } }
    /// body
    pub fn body(&self) -> Option<&str> { unsafe { optional(self.0.body) } }
    /// type: MTOKEN_INBOX_...
    pub fn format(&self) -> InboxType { InboxType(self.0.format) }
    /// type as sent
    pub fn format_text(&self) -> Option<&str> { unsafe { optional(self.0.format_text) } }
    /// read
    pub fn is_read(&self) -> bool { self.0.is_read != 0 }
    /// timestampCreated, milliseconds since the epoch
    pub fn created(&self) -> i64 { self.0.created }
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
    /// NULL if there are none
    pub fn messages(&self) -> &[&InboxMessage] { unsafe { slice(self.0.messages as *const &InboxMessage, self.0.count) } }
    /// messages that were unreadable and dropped
    pub fn skipped_count(&self) -> usize { self.0.skipped_count }
    /// 1: mtoken_inbox_list_all has reached a limit: there may be more messages
    pub fn may_have_more(&self) -> bool { self.0.may_have_more != 0 }
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
    /// the operation's id
    pub fn transaction_id(&self) -> &str { unsafe { text(self.0.transaction_id) } }
    /// the client's id (mtoken_client_options.id)
    pub fn profile(&self) -> &str { unsafe { text(self.0.profile) } }
    /// When it was sent, milliseconds since the epoch
    pub fn date(&self) -> i64 { self.0.date }
    /// how long it is valid from then on
    pub fn time_to_live_s(&self) -> i64 { self.0.time_to_live_s }
    /// The operation's name, which distinguishes login from payment
    pub fn operation_name(&self) -> Option<&str> { unsafe { optional(self.0.operation_name) } }
    /// From the server: complete
    pub fn message(&self) -> Option<&str> { unsafe { optional(self.0.message) } }
    /// The whole payload of the push
    pub fn user_info(&self) -> Option<&str> { unsafe { optional_n(self.0.user_info, self.0.user_info_length) } }
    /// The complete operation from the server
    pub fn operation(&self) -> Option<&Operation> { unsafe { (self.0.operation as *const Operation).as_ref() } }
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
    /// NULL if there are none
    pub fn requests(&self) -> &[&MobileAuthRequest] { unsafe { slice(self.0.requests as *const &MobileAuthRequest, self.0.count) } }
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
    /// as much as is known of it
    pub fn request(&self) -> &MobileAuthRequest { unsafe { &*(self.0.request as *const MobileAuthRequest) } }
    /// MTOKEN_MOBILE_AUTH_...
    pub fn error(&self) -> MobileAuthErrorCode { MobileAuthErrorCode(self.0.error) }
    /// 1: it was rejected at the server, by a denial or a cancelled custom challenge
    pub fn is_denied(&self) -> bool { self.0.is_denied != 0 }
    /// MTOKEN_AUTHENTICATOR_...: the one used, or the last one asked for
    pub fn authenticator_kind(&self) -> AuthenticatorType { AuthenticatorType(self.0.authenticator_kind) }
    /// CUSTOM: its name
    pub fn authenticator_name(&self) -> Option<&str> { unsafe { optional(self.0.authenticator_name) } }
    /// Information from a custom authenticator that fell back to the PIN
    pub fn custom_info(&self) -> Option<&str> { unsafe { optional(self.0.custom_info) } }
    /// The server's information about the last answer, accepted or not: "customInfo" of its responseObject, any JSON value, e.g. {"status":1,"data":"..."}
    pub fn server_info(&self) -> Option<&str> { unsafe { optional(self.0.server_info) } }
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
    /// MTOKEN_AUTHENTICATOR_..., never NONE
    pub fn kind(&self) -> AuthenticatorType { AuthenticatorType(self.0.kind) }
    /// 1: it can answer a challenge
    pub fn is_registered(&self) -> bool { self.0.is_registered != 0 }
    /// 1: a request that allows all authenticators asks for it first
    pub fn is_preferred(&self) -> bool { self.0.is_preferred != 0 }
    /// CUSTOM: its name
    pub fn name(&self) -> Option<&str> { unsafe { optional(self.0.name) } }
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
    pub fn authenticators(&self) -> &[&Authenticator] { unsafe { slice(self.0.authenticators as *const &Authenticator, self.0.count) } }
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
    /// MTOKEN_CHALLENGE_...
    pub fn kind(&self) -> ChallengeKind { ChallengeKind(self.0.kind) }
    /// counts the challenges of one handling, from 1
    pub fn attempt(&self) -> i32 { self.0.attempt }
    /// with its operation: show this, not the push
    pub fn request(&self) -> &MobileAuthRequest { unsafe { &*(self.0.request as *const MobileAuthRequest) } }
    /// Why the user is asked again
    pub fn previous_error(&self) -> Option<Error> { unsafe { self.0.previous_error.as_ref().map(|error| Error::read(error)) } }
    /// before the activation is blocked
    pub fn remaining_attempts(&self) -> i32 { self.0.remaining_attempts }
    /// text to show with the biometric sensor
    pub fn prompt(&self) -> &str { unsafe { text(self.0.prompt) } }
    /// of a custom challenge, otherwise NULL
    pub fn authenticator_name(&self) -> Option<&str> { unsafe { optional(self.0.authenticator_name) } }
    /// PIN challenge: information from the custom authenticator
    pub fn custom_info(&self) -> Option<&str> { unsafe { optional(self.0.custom_info) } }
    /// The server's information about the previous answer: see mtoken_mobile_auth_outcome
    pub fn server_info(&self) -> Option<&str> { unsafe { optional(self.0.server_info) } }
    /// What is signed: mtoken_operation.summary of the operation
    pub fn summary(&self) -> Option<&str> { unsafe { optional(self.0.summary) } }
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
    /// MTOKEN_CELL_...
    pub fn kind(&self) -> CellKind { CellKind(self.0.kind) }
    /// The title, the message, the heading, or the value as one text
    pub fn text(&self) -> Option<&str> { unsafe { optional(self.0.text) } }
    /// NULL for TITLE and MESSAGE
    pub fn attribute(&self) -> Option<&Attribute> { unsafe { (self.0.attribute as *const Attribute).as_ref() } }
    /// The template's entry for this cell
    pub fn layout(&self) -> Option<&TemplateCell> { unsafe { (self.0.layout as *const TemplateCell).as_ref() } }
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
    /// A name that bank and app have agreed on
    pub fn style(&self) -> Option<&str> { unsafe { optional(self.0.style) } }
    /// The label of the attribute that the template names as title
    pub fn title(&self) -> Option<&str> { unsafe { optional(self.0.title) } }
    pub fn cells(&self) -> &[&VisualCell] { unsafe { slice(self.0.cells as *const &VisualCell, self.0.cell_count) } }
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
    /// The operation as a row of a list, with placeholders resolved
    pub fn list_header(&self) -> Option<&str> { unsafe { optional(self.0.list_header) } }
    pub fn list_title(&self) -> Option<&str> { unsafe { optional(self.0.list_title) } }
    pub fn list_message(&self) -> Option<&str> { unsafe { optional(self.0.list_message) } }
    /// thumbnail
    pub fn list_image_url(&self) -> Option<&str> { unsafe { optional(self.0.list_image_url) } }
    pub fn list_style(&self) -> Option<&str> { unsafe { optional(self.0.list_style) } }
    /// style of the operation shown alone
    pub fn detail_style(&self) -> Option<&str> { unsafe { optional(self.0.detail_style) } }
    pub fn sections(&self) -> &[&VisualSection] { unsafe { slice(self.0.sections as *const &VisualSection, self.0.section_count) } }
}

/// A value that mtoken_json_find has found.
#[repr(transparent)]
pub struct JsonValue(pub(crate) sys::mtoken_json_value);
unsafe impl Send for JsonValue {}
unsafe impl Sync for JsonValue {}
unsafe impl View for JsonValue {
    type Raw = sys::mtoken_json_value;
    unsafe fn free(object: *mut Self) { sys::mtoken_json_value_free(object as *mut sys::mtoken_json_value); }
}
impl JsonValue {
    /// MTOKEN_JSON_...
    pub fn kind(&self) -> JsonKind { JsonKind(self.0.kind) }
    /// the value as written
    pub fn json(&self) -> &str { unsafe { text_n(self.0.json, self.0.json_length) } }
    /// TEXT, decoded
    pub fn text(&self) -> Option<&str> { unsafe { optional(self.0.text) } }
    /// INTEGER within 64 bits, otherwise 0
    pub fn integer(&self) -> i64 { self.0.integer }
    /// INTEGER and REAL, rounded to the nearest double
    pub fn number(&self) -> f64 { self.0.number }
    /// 1: true
    pub fn is_true(&self) -> bool { self.0.is_true != 0 }
    /// elements or members of an ARRAY or OBJECT
    pub fn count(&self) -> usize { self.0.count }
}
