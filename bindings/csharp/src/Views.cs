// Made by bindings/generate from mtoken.h. Do not edit.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Mtoken
{
    public sealed unsafe partial class MTokenException
    {
        /// <summary>MTOKEN_ERROR_...</summary>
        public ErrorCode Code { get; private set; }

        /// <summary>MTOKEN_OUTCOME_...</summary>
        public Outcome Outcome { get; private set; }

        /// <summary>Stable machine-readable reason, e.g. "operations_alreadyFinished", "network_timeOut", "missingActivation"</summary>
        public string Reason { get; private set; }

        /// <summary>0 if no HTTP response arrived</summary>
        public int HttpStatus { get; private set; }

        /// <summary>Attempts left before the activation is blocked</summary>
        public int RemainingAttempts { get; private set; }

        /// <summary>Code of the server's error object, e.g. "POWERAUTH_AUTH_FAIL"</summary>
        public string ServerCode { get; private set; }

        /// <summary>message of that object</summary>
        public string ServerMessage { get; private set; }

        /// <summary>URI with more information about the error, from the server</summary>
        public string ServerUri { get; private set; }

        /// <summary>MTOKEN_SERVER_CODE_... of server_code</summary>
        public ServerCode ServerCodeNumber { get; private set; }

        /// <summary>1: the same call may succeed later, and repeating it is safe</summary>
        public bool IsRetriable { get; private set; }

        /// <summary>MTOKEN_NETWORK_...</summary>
        public NetworkFault NetworkFault { get; private set; }

        /// <summary>MTOKEN_TLS_FAULT_...</summary>
        public TlsFault TlsFault { get; private set; }

        /// <summary>parse errors: offset in the input</summary>
        public long ByteOffset { get; private set; }

        /// <summary>parse errors in an offline text: line, from 1</summary>
        public int Line { get; private set; }

        /// <summary>After an activation with a wrong PUK: index of the expected PUK in the printed list</summary>
        public int RecoveryPukIndex { get; private set; }

        /// <summary>What lies behind this error, for developers: libcurl's text, or the message of another error</summary>
        public string Cause { get; private set; }

        /// <summary>The reason that the mobile SDKs use</summary>
        public string UpstreamReason { get; private set; }

        /// <summary>How long the server asks the client to wait (Retry-After), at most one hour</summary>
        public long RetryAfterMs { get; private set; }

        /// <summary>X-Correlation-ID of the request, for the bank's support</summary>
        public string CorrelationId { get; private set; }

        private void Copy(Raw.mtoken_error* p)
        {
            Code = (ErrorCode)p->code;
            Outcome = (Outcome)p->outcome;
            Reason = Life.Copy(p->reason);
            HttpStatus = p->http_status;
            RemainingAttempts = p->remaining_attempts;
            ServerCode = Life.Copy(p->server_code);
            ServerMessage = Life.Copy(p->server_message);
            ServerUri = Life.Copy(p->server_uri);
            ServerCodeNumber = (ServerCode)p->server_code_number;
            IsRetriable = p->is_retriable != 0;
            NetworkFault = (NetworkFault)p->network_fault;
            TlsFault = (TlsFault)p->tls_fault;
            ByteOffset = p->byte_offset;
            Line = p->line;
            RecoveryPukIndex = p->recovery_puk_index;
            Cause = Life.Copy(p->cause);
            UpstreamReason = Life.Copy(p->upstream_reason);
            RetryAfterMs = p->retry_after_ms;
            CorrelationId = Life.Copy(p->correlation_id);
        }
    }

    /// <summary>One field.</summary>
    public sealed unsafe partial class OperationField
    {
        internal readonly Raw.mtoken_operation_field* p;
        internal readonly Life life;

        private OperationField(Raw.mtoken_operation_field* p, Life life) { this.p = p; this.life = life; }

        internal static OperationField Of(Raw.mtoken_operation_field* p, Life life) { return p == null ? null : new OperationField(p, life); }

        /// <summary>MTOKEN_FIELD_...</summary>
        public FieldType Kind { get { return life.Kept((FieldType)p->kind); } }

        /// <summary>The character that identifies the kind, as a Unicode scalar value</summary>
        public uint Letter { get { return life.Kept(p->letter); } }

        /// <summary>the whole field as it is in the data</summary>
        public string Raw { get { return life.Text(p->raw); } }

        /// <summary>its offset in the data, in bytes</summary>
        public ulong Offset { get { return life.Kept(p->offset); } }

        /// <summary>ANY_ACCOUNT, REFERENCE, NOTE, TEXT, OTHER: the value without escapes</summary>
        public string Text { get { return life.Text(p->text); } }

        /// <summary>AMOUNT: the number as written, e.g. "100.00"</summary>
        public string Amount { get { return life.Text(p->amount); } }

        /// <summary>AMOUNT: the same number without redundant zeros, e.g. "100"</summary>
        public string Value { get { return life.Text(p->value); } }

        /// <summary>AMOUNT: three capital letters</summary>
        public string Currency { get { return life.Text(p->currency); } }

        /// <summary>ACCOUNT</summary>
        public string Iban { get { return life.Text(p->iban); } }

        /// <summary>ACCOUNT</summary>
        public string Bic { get { return life.Text(p->bic); } }

        /// <summary>ACCOUNT: 1: the IBAN has a valid form and check digits</summary>
        public bool IsIbanValid { get { return life.Kept(p->is_iban_valid != 0); } }

        /// <summary>DATE: a calendar date, without a time zone</summary>
        public int Year { get { return life.Kept(p->year); } }

        /// <summary>DATE: 1 to 12</summary>
        public int Month { get { return life.Kept(p->month); } }

        /// <summary>DATE: 1 to 31</summary>
        public int Day { get { return life.Kept(p->day); } }
    }

    /// <summary>Parsed operation data.</summary>
    public sealed unsafe partial class OperationFields
    {
        internal readonly Raw.mtoken_operation_fields* p;
        internal readonly Life life;

        private OperationFields(Raw.mtoken_operation_fields* p, Life life) { this.p = p; this.life = life; }

        internal static OperationFields Of(Raw.mtoken_operation_fields* p, Life life) { return p == null ? null : new OperationFields(p, life); }

        internal static OperationFields Own(Raw.mtoken_operation_fields* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_operation_fields_free((Raw.mtoken_operation_fields*)at), null));
        }

        /// <summary>the operation data as passed in</summary>
        public string Text { get { return life.Text(p->text, p->text_length); } }

        /// <summary>the letter, 'A' to 'Z'</summary>
        public int Version { get { return life.Kept(p->version); } }

        /// <summary>1: this library knows the version</summary>
        public bool IsVersionKnown { get { return life.Kept(p->is_version_known != 0); } }

        /// <summary>MTOKEN_TEMPLATE_... or another number up to 99</summary>
        public OperationTemplate TemplateId { get { return life.Kept((OperationTemplate)p->template_id); } }

        public OperationField[] Fields { get { return life.Array(p->field_count, index => OperationField.Of(p->fields[index], life)); } }
    }

    /// <summary>An amount with its currency.</summary>
    public sealed unsafe partial class Amount
    {
        internal readonly Raw.mtoken_amount* p;
        internal readonly Life life;

        private Amount(Raw.mtoken_amount* p, Life life) { this.p = p; this.life = life; }

        internal static Amount Of(Raw.mtoken_amount* p, Life life) { return p == null ? null : new Amount(p, life); }

        /// <summary>"amount": exact, with the digits as sent, e.g. "10000.50"</summary>
        public string AmountValue { get { return life.Text(p->amount); } }

        /// <summary>"currency"</summary>
        public string Currency { get { return life.Text(p->currency); } }

        /// <summary>"amountFormatted", or else the text of amount</summary>
        public string AmountFormatted { get { return life.Text(p->amount_formatted); } }

        /// <summary>"currencyFormatted", or else currency</summary>
        public string CurrencyFormatted { get { return life.Text(p->currency_formatted); } }

        /// <summary>"valueFormatted": amount and currency as the bank writes them</summary>
        public string ValueFormatted { get { return life.Text(p->value_formatted); } }

        /// <summary>"amount" as a binary number, for sorting and charts only</summary>
        public double Value { get { return life.Kept(p->value); } }
    }

    /// <summary>A party to the operation, such as a merchant.</summary>
    public sealed unsafe partial class Party
    {
        internal readonly Raw.mtoken_party* p;
        internal readonly Life life;

        private Party(Raw.mtoken_party* p, Life life) { this.p = p; this.life = life; }

        internal static Party Of(Raw.mtoken_party* p, Life life) { return p == null ? null : new Party(p, life); }

        /// <summary>"logoUrl"</summary>
        public string LogoUrl { get { return life.Text(p->logo_url); } }

        /// <summary>"name"</summary>
        public string Name { get { return life.Text(p->name); } }

        /// <summary>"description"</summary>
        public string Description { get { return life.Text(p->description); } }

        /// <summary>"websiteUrl"</summary>
        public string WebsiteUrl { get { return life.Text(p->website_url); } }
    }

    /// <summary>One row of an operation's form.</summary>
    public sealed unsafe partial class Attribute
    {
        internal readonly Raw.mtoken_attribute* p;
        internal readonly Life life;

        private Attribute(Raw.mtoken_attribute* p, Life life) { this.p = p; this.life = life; }

        internal static Attribute Of(Raw.mtoken_attribute* p, Life life) { return p == null ? null : new Attribute(p, life); }

        /// <summary>MTOKEN_ATTRIBUTE_... from "type"</summary>
        public AttributeType Kind { get { return life.Kept((AttributeType)p->kind); } }

        /// <summary>"type"</summary>
        public string KindText { get { return life.Text(p->kind_text); } }

        /// <summary>"id"</summary>
        public string Id { get { return life.Text(p->id); } }

        /// <summary>"label"</summary>
        public string Label { get { return life.Text(p->label); } }

        /// <summary>AMOUNT</summary>
        public Amount Amount { get { return Amount.Of(p->amount, life); } }

        /// <summary>AMOUNT_CONVERSION: "targetAmount", "targetCurrency", ...</summary>
        public Amount Target { get { return Amount.Of(p->target, life); } }

        /// <summary>AMOUNT_CONVERSION "dynamic": MTOKEN_YES: the rate may still change</summary>
        public Answer IsDynamic { get { return life.Kept((Answer)p->is_dynamic); } }

        /// <summary>KEY_VALUE "value", NOTE "note"</summary>
        public string Value { get { return life.Text(p->value); } }

        /// <summary>HEADING "level"</summary>
        public int HeadingLevel { get { return life.Kept(p->heading_level); } }

        /// <summary>PARTY_INFO "partyInfo"</summary>
        public Party Party { get { return Party.Of(p->party, life); } }

        /// <summary>IMAGE "thumbnailUrl"</summary>
        public string ThumbnailUrl { get { return life.Text(p->thumbnail_url); } }

        /// <summary>IMAGE "originalUrl"</summary>
        public string OriginalUrl { get { return life.Text(p->original_url); } }

        /// <summary>ALERT: MTOKEN_ALERT_... from "alertType"</summary>
        public AlertType AlertKind { get { return life.Kept((AlertType)p->alert_kind); } }

        /// <summary>ALERT "alertType"</summary>
        public string AlertKindText { get { return life.Text(p->alert_kind_text); } }

        /// <summary>ALERT "title"</summary>
        public string AlertTitle { get { return life.Text(p->alert_title); } }

        /// <summary>ALERT "message"</summary>
        public string AlertMessage { get { return life.Text(p->alert_message); } }

        /// <summary>UNKNOWN: the whole attribute as the server sent it</summary>
        public string Json { get { return life.Text(p->json); } }
    }

    /// <summary>One element of a pre-approval screen.</summary>
    public sealed unsafe partial class ScreenElement
    {
        internal readonly Raw.mtoken_screen_element* p;
        internal readonly Life life;

        private ScreenElement(Raw.mtoken_screen_element* p, Life life) { this.p = p; this.life = life; }

        internal static ScreenElement Of(Raw.mtoken_screen_element* p, Life life) { return p == null ? null : new ScreenElement(p, life); }

        /// <summary>MTOKEN_ELEMENT_... from "type"</summary>
        public ElementType Kind { get { return life.Kept((ElementType)p->kind); } }

        /// <summary>"type"</summary>
        public string KindText { get { return life.Text(p->kind_text); } }

        /// <summary>"id"</summary>
        public string Id { get { return life.Text(p->id); } }

        /// <summary>"text"</summary>
        public string Text { get { return life.Text(p->text); } }

        /// <summary>LIST_ITEM "icon"</summary>
        public string Icon { get { return life.Text(p->icon); } }

        /// <summary>"style": INFO, WARNING, DANGER</summary>
        public string Style { get { return life.Text(p->style); } }

        /// <summary>BUTTON "action": LINK, MAIL, PHONE</summary>
        public string Action { get { return life.Text(p->action); } }

        /// <summary>BUTTON "actionSettings", e.g. REJECT</summary>
        public string ActionSettings { get { return life.Text(p->action_settings); } }

        /// <summary>BUTTON "href"</summary>
        public string Href { get { return life.Text(p->href); } }
    }

    /// <summary>The controls of a pre-approval screen, from "controls".</summary>
    public sealed unsafe partial class ScreenControls
    {
        internal readonly Raw.mtoken_screen_controls* p;
        internal readonly Life life;

        private ScreenControls(Raw.mtoken_screen_controls* p, Life life) { this.p = p; this.life = life; }

        internal static ScreenControls Of(Raw.mtoken_screen_controls* p, Life life) { return p == null ? null : new ScreenControls(p, life); }

        /// <summary>"flip": MTOKEN_YES: swap the approve and decline controls</summary>
        public Answer Flip { get { return life.Kept((Answer)p->flip); } }

        /// <summary>"axis": HORIZONTAL, VERTICAL</summary>
        public string Axis { get { return life.Text(p->axis); } }

        /// <summary>"decline"."type": BACK, REJECT</summary>
        public string DeclineKind { get { return life.Text(p->decline_kind); } }

        /// <summary>"decline"."text"</summary>
        public string DeclineText { get { return life.Text(p->decline_text); } }

        /// <summary>"approve"."type": SLIDER, BUTTON</summary>
        public string ApproveKind { get { return life.Text(p->approve_kind); } }

        /// <summary>"approve"."text"</summary>
        public string ApproveText { get { return life.Text(p->approve_text); } }

        /// <summary>"approve"."counter": seconds until the control becomes active</summary>
        public int ApproveCounterS { get { return life.Kept(p->approve_counter_s); } }
    }

    /// <summary>A screen to show before the operation, from "ui"."preApprovalScreens".</summary>
    public sealed unsafe partial class PreApprovalScreen
    {
        internal readonly Raw.mtoken_pre_approval_screen* p;
        internal readonly Life life;

        private PreApprovalScreen(Raw.mtoken_pre_approval_screen* p, Life life) { this.p = p; this.life = life; }

        internal static PreApprovalScreen Of(Raw.mtoken_pre_approval_screen* p, Life life) { return p == null ? null : new PreApprovalScreen(p, life); }

        /// <summary>MTOKEN_SCREEN_... from "type"</summary>
        public ScreenType Kind { get { return life.Kept((ScreenType)p->kind); } }

        /// <summary>"type"</summary>
        public string KindText { get { return life.Text(p->kind_text); } }

        /// <summary>"id"</summary>
        public string Id { get { return life.Text(p->id); } }

        /// <summary>"heading"</summary>
        public string Heading { get { return life.Text(p->heading); } }

        /// <summary>"message"</summary>
        public string Message { get { return life.Text(p->message); } }

        /// <summary>"backButton": MTOKEN_UNSET, _NO, _YES</summary>
        public Answer BackButton { get { return life.Kept((Answer)p->back_button); } }

        /// <summary>"image"</summary>
        public string Image { get { return life.Text(p->image); } }

        /// <summary>1: an "elements" list was sent, possibly empty</summary>
        public bool HasElements { get { return life.Kept(p->has_elements != 0); } }

        /// <summary>"elements", without those that are unreadable</summary>
        public ScreenElement[] Elements { get { return life.Array(p->element_count, index => ScreenElement.Of(p->elements[index], life)); } }

        /// <summary>"controls"</summary>
        public ScreenControls Controls { get { return ScreenControls.Of(p->controls, life); } }
    }

    /// <summary>The older, single "preApprovalScreen", as sent.</summary>
    public sealed unsafe partial class LegacyScreen
    {
        internal readonly Raw.mtoken_legacy_screen* p;
        internal readonly Life life;

        private LegacyScreen(Raw.mtoken_legacy_screen* p, Life life) { this.p = p; this.life = life; }

        internal static LegacyScreen Of(Raw.mtoken_legacy_screen* p, Life life) { return p == null ? null : new LegacyScreen(p, life); }

        /// <summary>MTOKEN_SCREEN_... from "type"</summary>
        public ScreenType Kind { get { return life.Kept((ScreenType)p->kind); } }

        /// <summary>"type"</summary>
        public string KindText { get { return life.Text(p->kind_text); } }

        /// <summary>"heading"</summary>
        public string Heading { get { return life.Text(p->heading); } }

        /// <summary>"message"</summary>
        public string Message { get { return life.Text(p->message); } }

        /// <summary>1: an "items" list was sent</summary>
        public bool HasItems { get { return life.Kept(p->has_items != 0); } }

        /// <summary>"items": those that are texts</summary>
        public string[] Items { get { return life.Texts(p->items, p->item_count); } }

        /// <summary>"approvalType": SLIDER, ...</summary>
        public string ApprovalKindText { get { return life.Text(p->approval_kind_text); } }
    }

    /// <summary>A screen to show after the approval, from "postApprovalScreen".</summary>
    public sealed unsafe partial class PostApprovalScreen
    {
        internal readonly Raw.mtoken_post_approval_screen* p;
        internal readonly Life life;

        private PostApprovalScreen(Raw.mtoken_post_approval_screen* p, Life life) { this.p = p; this.life = life; }

        internal static PostApprovalScreen Of(Raw.mtoken_post_approval_screen* p, Life life) { return p == null ? null : new PostApprovalScreen(p, life); }

        /// <summary>MTOKEN_POST_SCREEN_... from "type"</summary>
        public PostScreenType Kind { get { return life.Kept((PostScreenType)p->kind); } }

        /// <summary>"type"</summary>
        public string KindText { get { return life.Text(p->kind_text); } }

        /// <summary>"heading"</summary>
        public string Heading { get { return life.Text(p->heading); } }

        /// <summary>"message"</summary>
        public string Message { get { return life.Text(p->message); } }

        /// <summary>REVIEW "payload"."attributes", without those that are unreadable</summary>
        public Attribute[] Attributes { get { return life.Array(p->attribute_count, index => Attribute.Of(p->attributes[index], life)); } }

        /// <summary>MERCHANT_REDIRECT "payload"."redirectText"</summary>
        public string RedirectText { get { return life.Text(p->redirect_text); } }

        /// <summary>MERCHANT_REDIRECT "payload"."redirectUrl"</summary>
        public string RedirectUrl { get { return life.Text(p->redirect_url); } }

        /// <summary>MERCHANT_REDIRECT "payload"."countdown", seconds</summary>
        public int CountdownS { get { return life.Kept(p->countdown_s); } }

        /// <summary>GENERIC, UNKNOWN: "payload" as JSON, NULL if not sent</summary>
        public string Payload { get { return life.Text(p->payload); } }
    }

    /// <summary>A cell of a detail's layout: one attribute and how to show it.</summary>
    public sealed unsafe partial class TemplateCell
    {
        internal readonly Raw.mtoken_template_cell* p;
        internal readonly Life life;

        private TemplateCell(Raw.mtoken_template_cell* p, Life life) { this.p = p; this.life = life; }

        internal static TemplateCell Of(Raw.mtoken_template_cell* p, Life life) { return p == null ? null : new TemplateCell(p, life); }

        /// <summary>"name": id of an attribute</summary>
        public string Name { get { return life.Text(p->name); } }

        /// <summary>"style"</summary>
        public string Style { get { return life.Text(p->style); } }

        /// <summary>"visibleTitle": MTOKEN_UNSET, _NO, _YES</summary>
        public Answer VisibleTitle { get { return life.Kept((Answer)p->visible_title); } }

        /// <summary>"canCopy"</summary>
        public Answer CanCopy { get { return life.Kept((Answer)p->can_copy); } }

        /// <summary>"collapsable": NO, COLLAPSED, YES</summary>
        public string Collapsable { get { return life.Text(p->collapsable); } }

        /// <summary>"centered"</summary>
        public Answer IsCentered { get { return life.Kept((Answer)p->is_centered); } }
    }

    /// <summary>A section of a detail's layout.</summary>
    public sealed unsafe partial class TemplateSection
    {
        internal readonly Raw.mtoken_template_section* p;
        internal readonly Life life;

        private TemplateSection(Raw.mtoken_template_section* p, Life life) { this.p = p; this.life = life; }

        internal static TemplateSection Of(Raw.mtoken_template_section* p, Life life) { return p == null ? null : new TemplateSection(p, life); }

        /// <summary>"style"</summary>
        public string Style { get { return life.Text(p->style); } }

        /// <summary>"title": id of an attribute</summary>
        public string Title { get { return life.Text(p->title); } }

        /// <summary>1: a "cells" list was sent</summary>
        public bool HasCells { get { return life.Kept(p->has_cells != 0); } }

        /// <summary>"cells": those with a name</summary>
        public TemplateCell[] Cells { get { return life.Array(p->cell_count, index => TemplateCell.Of(p->cells[index], life)); } }
    }

    /// <summary>The layout that the bank wants for the operation, from "ui"."templates".</summary>
    public sealed unsafe partial class Templates
    {
        internal readonly Raw.mtoken_templates* p;
        internal readonly Life life;

        private Templates(Raw.mtoken_templates* p, Life life) { this.p = p; this.life = life; }

        internal static Templates Of(Raw.mtoken_templates* p, Life life) { return p == null ? null : new Templates(p, life); }

        /// <summary>1: "list" was sent</summary>
        public bool HasList { get { return life.Kept(p->has_list != 0); } }

        /// <summary>"list"."style"</summary>
        public string ListStyle { get { return life.Text(p->list_style); } }

        /// <summary>"list"."header"</summary>
        public string ListHeader { get { return life.Text(p->list_header); } }

        /// <summary>"list"."title"</summary>
        public string ListTitle { get { return life.Text(p->list_title); } }

        /// <summary>"list"."message"</summary>
        public string ListMessage { get { return life.Text(p->list_message); } }

        /// <summary>"list"."image": id of an IMAGE attribute</summary>
        public string ListImage { get { return life.Text(p->list_image); } }

        /// <summary>1: "detail" was sent</summary>
        public bool HasDetail { get { return life.Kept(p->has_detail != 0); } }

        /// <summary>"detail"."style"</summary>
        public string DetailStyle { get { return life.Text(p->detail_style); } }

        /// <summary>"detail"."showTitleAndMessage": MTOKEN_UNSET, _NO, _YES</summary>
        public Answer ShowTitleAndMessage { get { return life.Kept((Answer)p->show_title_and_message); } }

        /// <summary>1: "detail"."sections" was sent</summary>
        public bool HasSections { get { return life.Kept(p->has_sections != 0); } }

        /// <summary>"detail"."sections"</summary>
        public TemplateSection[] Sections { get { return life.Array(p->section_count, index => TemplateSection.Of(p->sections[index], life)); } }
    }

    /// <summary>Hints for the user interface, from "ui".</summary>
    public sealed unsafe partial class OperationUi
    {
        internal readonly Raw.mtoken_operation_ui* p;
        internal readonly Life life;

        private OperationUi(Raw.mtoken_operation_ui* p, Life life) { this.p = p; this.life = life; }

        internal static OperationUi Of(Raw.mtoken_operation_ui* p, Life life) { return p == null ? null : new OperationUi(p, life); }

        /// <summary>"flipButtons": MTOKEN_YES: swap the approve and reject buttons</summary>
        public Answer FlipButtons { get { return life.Kept((Answer)p->flip_buttons); } }

        /// <summary>"blockApprovalOnCall": MTOKEN_YES: during a phone call, explain instead of approving</summary>
        public Answer BlockApprovalOnCall { get { return life.Kept((Answer)p->block_approval_on_call); } }

        /// <summary>1: a list of screens was sent, possibly empty</summary>
        public bool HasPreApprovalScreens { get { return life.Kept(p->has_pre_approval_screens != 0); } }

        /// <summary>"preApprovalScreens", or else the converted "preApprovalScreen"</summary>
        public PreApprovalScreen[] PreApprovalScreens { get { return life.Array(p->pre_approval_screen_count, index => PreApprovalScreen.Of(p->pre_approval_screens[index], life)); } }

        /// <summary>"preApprovalScreen"</summary>
        public LegacyScreen LegacyPreApprovalScreen { get { return LegacyScreen.Of(p->legacy_pre_approval_screen, life); } }

        /// <summary>"postApprovalScreen"</summary>
        public PostApprovalScreen PostApprovalScreen { get { return PostApprovalScreen.Of(p->post_approval_screen, life); } }

        /// <summary>"templates"</summary>
        public Templates Templates { get { return Templates.Of(p->templates, life); } }
    }

    /// <summary>An operation: what the bank asks the user to approve.</summary>
    public sealed unsafe partial class Operation
    {
        internal readonly Raw.mtoken_operation* p;
        internal readonly Life life;

        private Operation(Raw.mtoken_operation* p, Life life) { this.p = p; this.life = life; }

        internal static Operation Of(Raw.mtoken_operation* p, Life life) { return p == null ? null : new Operation(p, life); }

        /// <summary>"id": opaque</summary>
        public string Id { get { return life.Text(p->id); } }

        /// <summary>"name": the bank's type of the operation, e.g. "login"</summary>
        public string Name { get { return life.Text(p->name); } }

        /// <summary>"data": what is approved, sent back unchanged</summary>
        public string OperationData { get { return life.Text(p->operation_data); } }

        /// <summary>MTOKEN_OPERATION_... from "status"</summary>
        public OperationStatus Status { get { return life.Kept((OperationStatus)p->status); } }

        /// <summary>"status" as sent</summary>
        public string StatusText { get { return life.Text(p->status_text); } }

        /// <summary>"statusReason"</summary>
        public string StatusReason { get { return life.Text(p->status_reason); } }

        /// <summary>"operationCreated": ms since the epoch</summary>
        public long Created { get { return life.Kept(p->created); } }

        /// <summary>"operationExpires": ms since the epoch</summary>
        public long Expires { get { return life.Kept(p->expires); } }

        /// <summary>MTOKEN_SIGNATURE_TYPE_... from "allowedSignatureType"."type"</summary>
        public SignatureType SignatureType { get { return life.Kept((SignatureType)p->signature_type); } }

        /// <summary>"allowedSignatureType"."type"</summary>
        public string SignatureTypeText { get { return life.Text(p->signature_type_text); } }

        /// <summary>MTOKEN_VARIANT_... from "allowedSignatureType"."variants", combined with |</summary>
        public Variant Variants { get { return life.Kept((Variant)p->variants); } }

        /// <summary>those of "variants" that this version does not know</summary>
        public string[] UnknownVariants { get { return life.Texts(p->unknown_variants, p->unknown_variant_count); } }

        /// <summary>1: 2FA with possession_biometry among the variants</summary>
        public bool AllowsBiometry { get { return life.Kept(p->allows_biometry != 0); } }

        /// <summary>"formData"."title"</summary>
        public string Title { get { return life.Text(p->title); } }

        /// <summary>"formData"."message"</summary>
        public string Message { get { return life.Text(p->message); } }

        /// <summary>"formData"."attributes", without those that are unreadable</summary>
        public Attribute[] Attributes { get { return life.Array(p->attribute_count, index => Attribute.Of(p->attributes[index], life)); } }

        /// <summary>"formData"."resultTexts"."success": show it after an approval</summary>
        public string ResultSuccess { get { return life.Text(p->result_success); } }

        /// <summary>"formData"."resultTexts"."failure"</summary>
        public string ResultFailure { get { return life.Text(p->result_failure); } }

        /// <summary>"formData"."resultTexts"."reject"</summary>
        public string ResultReject { get { return life.Text(p->result_reject); } }

        /// <summary>"ui"</summary>
        public OperationUi Ui { get { return OperationUi.Of(p->ui, life); } }

        /// <summary>The whole operation as the server sent it, including members that a bank added</summary>
        public string Json { get { return life.Text(p->json, p->json_length); } }

        /// <summary>`operation_data` parsed into fields: what is signed</summary>
        public OperationFields SignedFields { get { return OperationFields.Of(p->signed_fields, life); } }

        /// <summary>MTOKEN_CONTRADICTION_..., combined with |: show a warning, or refuse approval (mtoken_authorize_options.strict)</summary>
        public Contradiction Contradictions { get { return life.Kept((Contradiction)p->contradictions); } }

        /// <summary>Parts of this operation that were unreadable and dropped, e.g. "attribute 1: value: missing", and texts with an unresolved ${name}: "data", "formData.title" or "formData.message" followed by ": unresolved"</summary>
        public string[] Issues { get { return life.Texts(p->issues, p->issue_count); } }
    }

    /// <summary>A list of operations from the server.</summary>
    public sealed unsafe partial class OperationList
    {
        internal readonly Raw.mtoken_operation_list* p;
        internal readonly Life life;

        private OperationList(Raw.mtoken_operation_list* p, Life life) { this.p = p; this.life = life; }

        internal static OperationList Of(Raw.mtoken_operation_list* p, Life life) { return p == null ? null : new OperationList(p, life); }

        /// <summary>"responseObject", without those that are unreadable, in the server's order</summary>
        public Operation[] Operations { get { return life.Array(p->count, index => Operation.Of(p->operations[index], life)); } }

        /// <summary>operations that were unreadable and dropped</summary>
        public ulong SkippedCount { get { return life.Kept(p->skipped_count); } }

        /// <summary>1: the server sent its time</summary>
        public bool HasServerTime { get { return life.Kept(p->has_server_time != 0); } }

        /// <summary>"currentTimestamp": ms since the epoch</summary>
        public long ServerTime { get { return life.Kept(p->server_time); } }

        /// <summary>e.g. "operation 3: attribute 1: value: missing"</summary>
        public string[] Issues { get { return life.Texts(p->issues, p->issue_count); } }

        /// <summary>issues beyond those listed</summary>
        public ulong FurtherIssueCount { get { return life.Kept(p->further_issue_count); } }

        /// <summary>1: the response has exactly 100 operations, the most that servers send</summary>
        public bool MayBeCut { get { return life.Kept(p->may_be_cut != 0); } }
    }

    /// <summary>An HTTP header that the library created.</summary>
    public sealed unsafe class Header
    {
        public string Name { get; private set; }

        public string Value { get; private set; }

        internal static Header Of(Raw.mtoken_header* p, Life life)
        {
            var made = p == null ? null : new Header { Name = Life.Copy(p->name), Value = Life.Copy(p->value, p->value_length) };
            GC.KeepAlive(life);
            return made;
        }

        internal static Header Own(Raw.mtoken_header* p)
        {
            var made = Of(p, null);
            Raw.mtoken_header_free(p);
            return made;
        }
    }

    /// <summary>The operations that a client tracks, and how current they are.</summary>
    public sealed unsafe partial class OperationsInfo
    {
        internal readonly Raw.mtoken_operations_info* p;
        internal readonly Life life;

        private OperationsInfo(Raw.mtoken_operations_info* p, Life life) { this.p = p; this.life = life; }

        internal static OperationsInfo Of(Raw.mtoken_operations_info* p, Life life) { return p == null ? null : new OperationsInfo(p, life); }

        internal static OperationsInfo Own(Raw.mtoken_operations_info* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_operations_info_free((Raw.mtoken_operations_info*)at), null));
        }

        /// <summary>in the server's order</summary>
        public Operation[] Operations { get { return life.Array(p->count, index => Operation.Of(p->operations[index], life)); } }

        /// <summary>1: a fetch is in progress</summary>
        public bool IsLoading { get { return life.Kept(p->is_loading != 0); } }

        /// <summary>MTOKEN_FETCH_...</summary>
        public FetchState LastFetch { get { return life.Kept((FetchState)p->last_fetch); } }

        /// <summary>Device time when the last fetch ended, ms since the epoch</summary>
        public long LastFetchTime { get { return life.Kept(p->last_fetch_time); } }

        /// <summary>Why the last fetch failed</summary>
        public MTokenException LastError { get { return MTokenException.Read(p->last_error, life); } }

        /// <summary>operations of the last fetch that were unreadable and dropped</summary>
        public ulong SkippedCount { get { return life.Kept(p->skipped_count); } }

        /// <summary>1: the last fetch included the server's time</summary>
        public bool HasServerTime { get { return life.Kept(p->has_server_time != 0); } }

        /// <summary>"currentTimestamp": ms since the epoch</summary>
        public long ServerTime { get { return life.Kept(p->server_time); } }

        /// <summary>MTOKEN_POLLING_...</summary>
        public Polling Polling { get { return life.Kept((Polling)p->polling); } }

        /// <summary>doubled with has_push</summary>
        public long PollingIntervalMs { get { return life.Kept(p->polling_interval_ms); } }

        /// <summary>1: see mtoken_operation_list.may_be_cut</summary>
        public bool MayBeCut { get { return life.Kept(p->may_be_cut != 0); } }
    }

    /// <summary>The content of an MTOKEN_EVENT_OPERATIONS_CHANGED event.</summary>
    public sealed unsafe partial class OperationsChange
    {
        internal readonly Raw.mtoken_operations_change* p;
        internal readonly Life life;

        private OperationsChange(Raw.mtoken_operations_change* p, Life life) { this.p = p; this.life = life; }

        internal static OperationsChange Of(Raw.mtoken_operations_change* p, Life life) { return p == null ? null : new OperationsChange(p, life); }

        /// <summary>All operations tracked now, in the server's order</summary>
        public Operation[] Operations { get { return life.Array(p->count, index => Operation.Of(p->operations[index], life)); } }

        /// <summary>tracked now, but not before</summary>
        public Operation[] Added { get { return life.Array(p->added_count, index => Operation.Of(p->added[index], life)); } }

        /// <summary>tracked before, but not now</summary>
        public Operation[] Removed { get { return life.Array(p->removed_count, index => Operation.Of(p->removed[index], life)); } }

        /// <summary>Tracked before and now, with changed contents</summary>
        public Operation[] Updated { get { return life.Array(p->updated_count, index => Operation.Of(p->updated[index], life)); } }
    }

    /// <summary>One stage of a request.</summary>
    public sealed unsafe partial class Trace
    {
        internal readonly Raw.mtoken_trace* p;
        internal readonly Life life;

        private Trace(Raw.mtoken_trace* p, Life life) { this.p = p; this.life = life; }

        internal static Trace Of(Raw.mtoken_trace* p, Life life) { return p == null ? null : new Trace(p, life); }

        /// <summary>MTOKEN_TRACE_...</summary>
        public TraceStage Stage { get { return life.Kept((TraceStage)p->stage); } }

        /// <summary>Number of the request in this runtime, from 1: connects the stages of one request</summary>
        public long RequestNumber { get { return life.Kept(p->request_number); } }

        /// <summary>kind of call, e.g. "operation list"</summary>
        public string Call { get { return life.Text(p->call); } }

        /// <summary>never NULL</summary>
        public string Url { get { return life.Text(p->url); } }

        /// <summary>of the request, joined by ", "</summary>
        public string HeaderNames { get { return life.Text(p->header_names); } }

        /// <summary>bytes of the request's body</summary>
        public ulong RequestSize { get { return life.Kept(p->request_size); } }

        /// <summary>ANSWER</summary>
        public int HttpStatus { get { return life.Kept(p->http_status); } }

        /// <summary>ANSWER: bytes of the body</summary>
        public ulong AnswerSize { get { return life.Kept(p->answer_size); } }

        /// <summary>ANSWER: when the transfer began, in milliseconds after REQUEST</summary>
        public long StartedMs { get { return life.Kept(p->started_ms); } }

        /// <summary>ANSWER: likewise, when it was complete</summary>
        public long FinishedMs { get { return life.Kept(p->finished_ms); } }

        /// <summary>ANSWER: 1: an open connection was reused</summary>
        public bool ReusedConnection { get { return life.Kept(p->reused_connection != 0); } }

        /// <summary>X-Correlation-ID or X-Request-ID of the request, or else of the response</summary>
        public string CorrelationId { get { return life.Text(p->correlation_id); } }

        /// <summary>RateLimit-Limit of the response, also under its older names</summary>
        public string RateLimit { get { return life.Text(p->rate_limit); } }

        /// <summary>RateLimit-Remaining, likewise</summary>
        public string RateRemaining { get { return life.Text(p->rate_remaining); } }

        /// <summary>RateLimit-Reset, likewise</summary>
        public string RateReset { get { return life.Text(p->rate_reset); } }

        /// <summary>Retry-After, likewise</summary>
        public string RetryAfter { get { return life.Text(p->retry_after); } }

        /// <summary>FAILURE</summary>
        public MTokenException Error { get { return MTokenException.Read(p->error, life); } }
    }

    /// <summary>Something that expires.</summary>
    public sealed unsafe partial class Watched
    {
        internal readonly Raw.mtoken_watched* p;
        internal readonly Life life;

        private Watched(Raw.mtoken_watched* p, Life life) { this.p = p; this.life = life; }

        internal static Watched Of(Raw.mtoken_watched* p, Life life) { return p == null ? null : new Watched(p, life); }

        /// <summary>UTF-8, NUL-terminated</summary>
        public string Id { get { return life.Text(p->id); } }

        /// <summary>UTF-8, NUL-terminated</summary>
        public string OperationData { get { return life.Text(p->operation_data); } }

        /// <summary>milliseconds since the epoch</summary>
        public long Expires { get { return life.Kept(p->expires); } }
    }

    /// <summary>What a watcher watches, or reports.</summary>
    public sealed unsafe partial class WatchedList
    {
        internal readonly Raw.mtoken_watched_list* p;
        internal readonly Life life;

        private WatchedList(Raw.mtoken_watched_list* p, Life life) { this.p = p; this.life = life; }

        internal static WatchedList Of(Raw.mtoken_watched_list* p, Life life) { return p == null ? null : new WatchedList(p, life); }

        internal static WatchedList Own(Raw.mtoken_watched_list* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_watched_list_free((Raw.mtoken_watched_list*)at), null));
        }

        public Watched[] Items { get { return life.Array(p->count, index => Watched.Of(p->items[index], life)); } }
    }

    /// <summary>A header field of a request.</summary>
    public sealed unsafe partial class HttpHeader
    {
        internal readonly Raw.mtoken_http_header* p;
        internal readonly Life life;

        private HttpHeader(Raw.mtoken_http_header* p, Life life) { this.p = p; this.life = life; }

        internal static HttpHeader Of(Raw.mtoken_http_header* p, Life life) { return p == null ? null : new HttpHeader(p, life); }

        public string Name { get { return life.Text(p->name); } }

        public string Value { get { return life.Text(p->value); } }
    }

    /// <summary>A request for the host to send (transport.h).</summary>
    public sealed unsafe partial class HttpRequest
    {
        internal readonly Raw.mtoken_http_request* p;
        internal readonly Life life;

        private HttpRequest(Raw.mtoken_http_request* p, Life life) { this.p = p; this.life = life; }

        internal static HttpRequest Of(Raw.mtoken_http_request* p, Life life) { return p == null ? null : new HttpRequest(p, life); }

        /// <summary>of this request in this runtime, from 1</summary>
        public long Id { get { return life.Kept(p->id); } }

        /// <summary>"POST" or "GET"</summary>
        public string Method { get { return life.Text(p->method); } }

        /// <summary>https, or http if the client allows it</summary>
        public string Url { get { return life.Text(p->url); } }

        /// <summary>Beside these send what the body needs: Host, Content-Length</summary>
        public HttpHeader[] Headers { get { return life.Array(p->header_count, index => HttpHeader.Of(p->headers[index], life)); } }

        /// <summary>NULL if there is none</summary>
        public byte[] Body { get { return life.Bytes(p->body, p->body_length); } }

        /// <summary>The device's time until which an answer is of use, milliseconds since the epoch</summary>
        public long Deadline { get { return life.Kept(p->deadline); } }

        /// <summary>a response with a larger body fails</summary>
        public ulong MaxAnswerSize { get { return life.Kept(p->max_answer_size); } }

        /// <summary>1: it must not reach the server twice, also not by a stack that repeats requests on lost connections: a signed one then fails, and may block the activation</summary>
        public bool AtMostOnce { get { return life.Kept(p->at_most_once != 0); } }
    }

    /// <summary>An event.</summary>
    public sealed unsafe partial class Event
    {
        internal readonly Raw.mtoken_event* p;
        internal readonly Life life;

        private Event(Raw.mtoken_event* p, Life life) { this.p = p; this.life = life; }

        internal static Event Of(Raw.mtoken_event* p, Life life) { return p == null ? null : new Event(p, life); }

        internal static Event Own(Raw.mtoken_event* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_event_free((Raw.mtoken_event*)at), null));
        }

        /// <summary>MTOKEN_EVENT_...</summary>
        public EventKind Kind { get { return life.Kept((EventKind)p->kind); } }

        /// <summary>LOG: MTOKEN_LOG_...</summary>
        public LogLevel LogLevel { get { return life.Kept((LogLevel)p->log_level); } }

        /// <summary>when it was queued: milliseconds since the epoch</summary>
        public long Time { get { return life.Kept(p->time); } }

        /// <summary>TASK: the tag from mtoken_task_notify</summary>
        public ulong Tag { get { return life.Kept(p->tag); } }

        /// <summary>LOG: the line</summary>
        public string Message { get { return life.Text(p->message); } }

        /// <summary>OPERATIONS_FAILED, POLLING_WAITS</summary>
        public MTokenException Error { get { return MTokenException.Read(p->error, life); } }

        /// <summary>TRACE</summary>
        public Trace Trace { get { return Trace.Of(p->trace, life); } }

        /// <summary>OPERATIONS_CHANGED</summary>
        public OperationsChange Change { get { return OperationsChange.Of(p->change, life); } }

        /// <summary>OPERATIONS_EXPIRED: the expired operations</summary>
        public WatchedList Expired { get { return WatchedList.Of(p->expired, life); } }

        /// <summary>Log lines and traces dropped since the previous event</summary>
        public long Dropped { get { return life.Kept(p->dropped); } }

        /// <summary>OPERATIONS_LOADING: 1: a fetch has begun</summary>
        public bool IsLoading { get { return life.Kept(p->is_loading != 0); } }

        /// <summary>REQUEST, REQUEST_ENDED</summary>
        public HttpRequest Request { get { return HttpRequest.Of(p->request, life); } }
    }

    /// <summary>Counters of a runtime, for health checks.</summary>
    public sealed unsafe partial class RuntimeInfo
    {
        internal readonly Raw.mtoken_runtime_info* p;
        internal readonly Life life;

        private RuntimeInfo(Raw.mtoken_runtime_info* p, Life life) { this.p = p; this.life = life; }

        internal static RuntimeInfo Of(Raw.mtoken_runtime_info* p, Life life) { return p == null ? null : new RuntimeInfo(p, life); }

        internal static RuntimeInfo Own(Raw.mtoken_runtime_info* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_runtime_info_free((Raw.mtoken_runtime_info*)at), null));
        }

        /// <summary>HTTP requests in progress</summary>
        public ulong RequestsUnderWay { get { return life.Kept(p->requests_under_way); } }

        /// <summary>HTTP requests queued because of max_transfers</summary>
        public ulong RequestsWaiting { get { return life.Kept(p->requests_waiting); } }

        /// <summary>events not yet read</summary>
        public ulong EventsWaiting { get { return life.Kept(p->events_waiting); } }

        /// <summary>started by the host and not yet completed</summary>
        public ulong TasksRunning { get { return life.Kept(p->tasks_running); } }

        /// <summary>open clients</summary>
        public ulong Clients { get { return life.Kept(p->clients); } }

        /// <summary>clients that poll their operations, including paused ones</summary>
        public ulong Pollers { get { return life.Kept(p->pollers); } }

        /// <summary>since the runtime was created: see mtoken_event.dropped</summary>
        public long DroppedLogEvents { get { return life.Kept(p->dropped_log_events); } }

        /// <summary>likewise, traces</summary>
        public long DroppedTraceEvents { get { return life.Kept(p->dropped_trace_events); } }
    }

    /// <summary>The ids of the clients in a store.</summary>
    public sealed unsafe partial class StoreList
    {
        internal readonly Raw.mtoken_store_list* p;
        internal readonly Life life;

        private StoreList(Raw.mtoken_store_list* p, Life life) { this.p = p; this.life = life; }

        internal static StoreList Of(Raw.mtoken_store_list* p, Life life) { return p == null ? null : new StoreList(p, life); }

        internal static StoreList Own(Raw.mtoken_store_list* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_store_list_free((Raw.mtoken_store_list*)at), null));
        }

        /// <summary>in bytewise order</summary>
        public string[] Ids { get { return life.Texts(p->ids, p->count); } }
    }

    /// <summary>A request that is ready to be sent.</summary>
    public sealed unsafe partial class EncryptedRequest
    {
        internal readonly Raw.mtoken_encrypted_request* p;
        internal readonly Life life;

        private EncryptedRequest(Raw.mtoken_encrypted_request* p, Life life) { this.p = p; this.life = life; }

        internal static EncryptedRequest Of(Raw.mtoken_encrypted_request* p, Life life) { return p == null ? null : new EncryptedRequest(p, life); }

        /// <summary>the body to send, Content-Type application/json</summary>
        public byte[] Body { get { return life.Bytes(p->body, p->body_length); } }

        /// <summary>X-PowerAuth-Encryption or, for a signed request, X-PowerAuth-Authorization</summary>
        public string HeaderName { get { return life.Text(p->header_name); } }

        public string HeaderValue { get { return life.Text(p->header_value); } }
    }

    /// <summary>A postal address.</summary>
    public sealed unsafe partial class UserAddress
    {
        internal readonly Raw.mtoken_user_address* p;
        internal readonly Life life;

        private UserAddress(Raw.mtoken_user_address* p, Life life) { this.p = p; this.life = life; }

        internal static UserAddress Of(Raw.mtoken_user_address* p, Life life) { return p == null ? null : new UserAddress(p, life); }

        public string Formatted { get { return life.Text(p->formatted); } }

        public string StreetAddress { get { return life.Text(p->street_address); } }

        public string Locality { get { return life.Text(p->locality); } }

        public string Region { get { return life.Text(p->region); } }

        public string PostalCode { get { return life.Text(p->postal_code); } }

        public string Country { get { return life.Text(p->country); } }
    }

    /// <summary>Claims from the server's JSON object.</summary>
    public sealed unsafe partial class UserInfo
    {
        internal readonly Raw.mtoken_user_info* p;
        internal readonly Life life;

        private UserInfo(Raw.mtoken_user_info* p, Life life) { this.p = p; this.life = life; }

        internal static UserInfo Of(Raw.mtoken_user_info* p, Life life) { return p == null ? null : new UserInfo(p, life); }

        /// <summary>the user's identifier</summary>
        public string Sub { get { return life.Text(p->sub); } }

        public string Name { get { return life.Text(p->name); } }

        public string GivenName { get { return life.Text(p->given_name); } }

        public string FamilyName { get { return life.Text(p->family_name); } }

        public string MiddleName { get { return life.Text(p->middle_name); } }

        public string Nickname { get { return life.Text(p->nickname); } }

        public string PreferredUsername { get { return life.Text(p->preferred_username); } }

        public string Profile { get { return life.Text(p->profile); } }

        public string Picture { get { return life.Text(p->picture); } }

        public string Website { get { return life.Text(p->website); } }

        public string Email { get { return life.Text(p->email); } }

        /// <summary>1: yes</summary>
        public bool IsEmailVerified { get { return life.Kept(p->is_email_verified != 0); } }

        public string Gender { get { return life.Text(p->gender); } }

        /// <summary>"YYYY-MM-DD"</summary>
        public string Birthdate { get { return life.Text(p->birthdate); } }

        public string Zoneinfo { get { return life.Text(p->zoneinfo); } }

        public string Locale { get { return life.Text(p->locale); } }

        public string PhoneNumber { get { return life.Text(p->phone_number); } }

        /// <summary>1: yes</summary>
        public bool IsPhoneNumberVerified { get { return life.Kept(p->is_phone_number_verified != 0); } }

        public UserAddress Address { get { return UserAddress.Of(p->address, life); } }

        /// <summary>1: updated_at is known</summary>
        public bool HasUpdatedAt { get { return life.Kept(p->has_updated_at != 0); } }

        /// <summary>milliseconds since the epoch, converted from the claim's seconds</summary>
        public long UpdatedAt { get { return life.Kept(p->updated_at); } }

        /// <summary>the whole object, including the bank's own claims</summary>
        public string Json { get { return life.Text(p->json, p->json_length); } }
    }

    /// <summary>A parsed activation code.</summary>
    public sealed unsafe partial class ActivationCode
    {
        internal readonly Raw.mtoken_activation_code* p;
        internal readonly Life life;

        private ActivationCode(Raw.mtoken_activation_code* p, Life life) { this.p = p; this.life = life; }

        internal static ActivationCode Of(Raw.mtoken_activation_code* p, Life life) { return p == null ? null : new ActivationCode(p, life); }

        internal static ActivationCode Own(Raw.mtoken_activation_code* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_activation_code_free((Raw.mtoken_activation_code*)at), null));
        }

        /// <summary>"XXXXX-XXXXX-XXXXX-XXXXX"</summary>
        public string Code { get { return life.Text(p->code); } }

        /// <summary>Base64 of the server's signature in the QR form</summary>
        public string Signature { get { return life.Text(p->signature); } }
    }

    /// <summary>An activation in progress: what to show to the user, and the data that came with it.</summary>
    public sealed unsafe partial class Activation
    {
        internal readonly Raw.mtoken_activation* p;
        internal readonly Life life;

        private Activation(Raw.mtoken_activation* p, Life life) { this.p = p; this.life = life; }

        internal static Activation Of(Raw.mtoken_activation* p, Life life) { return p == null ? null : new Activation(p, life); }

        public string ActivationId { get { return life.Text(p->activation_id); } }

        /// <summary>8 digits: compare with those the bank shows</summary>
        public string Fingerprint { get { return life.Text(p->fingerprint); } }

        /// <summary>NULL if there is none</summary>
        public string RecoveryCode { get { return life.Text(p->recovery_code); } }

        /// <summary>10 digits</summary>
        public string RecoveryPuk { get { return life.Text(p->recovery_puk); } }

        /// <summary>JSON object</summary>
        public string CustomAttributes { get { return life.Text(p->custom_attributes); } }

        /// <summary>JSON object of OpenID claims</summary>
        public string UserInfo { get { return life.Text(p->user_info); } }
    }

    /// <summary>The server's view of an activation.</summary>
    public sealed unsafe partial class ActivationStatus
    {
        internal readonly Raw.mtoken_activation_status* p;
        internal readonly Life life;

        private ActivationStatus(Raw.mtoken_activation_status* p, Life life) { this.p = p; this.life = life; }

        internal static ActivationStatus Of(Raw.mtoken_activation_status* p, Life life) { return p == null ? null : new ActivationStatus(p, life); }

        /// <summary>MTOKEN_ACTIVATION_...</summary>
        public ActivationState State { get { return life.Kept((ActivationState)p->state); } }

        public int FailedAttempts { get { return life.Kept(p->failed_attempts); } }

        public int MaxFailedAttempts { get { return life.Kept(p->max_failed_attempts); } }

        /// <summary>0 unless the activation is active</summary>
        public int RemainingAttempts { get { return life.Kept(p->remaining_attempts); } }

        /// <summary>JSON object from the bank</summary>
        public string CustomObject { get { return life.Text(p->custom_object); } }

        /// <summary>1: mtoken_client_upgrade can replace this activation by one of protocol 4.0</summary>
        public bool UpgradeAvailable { get { return life.Kept(p->upgrade_available != 0); } }

        /// <summary>1: the server no longer offers the suite of this activation, which continues to work: activate again with another suite</summary>
        public bool SuiteWithdrawn { get { return life.Kept(p->suite_withdrawn != 0); } }

        /// <summary>1: the server accepts the biometry factor</summary>
        public bool BiometryEnabled { get { return life.Kept(p->biometry_enabled != 0); } }

        /// <summary>1: the block is temporary and ends at block_expires</summary>
        public bool BlockIsTemporary { get { return life.Kept(p->block_is_temporary != 0); } }

        /// <summary>Milliseconds since the epoch</summary>
        public long BlockExpires { get { return life.Kept(p->block_expires); } }
    }

    /// <summary>The name of the activation at the bank.</summary>
    public sealed unsafe partial class ActivationDetail
    {
        internal readonly Raw.mtoken_activation_detail* p;
        internal readonly Life life;

        private ActivationDetail(Raw.mtoken_activation_detail* p, Life life) { this.p = p; this.life = life; }

        internal static ActivationDetail Of(Raw.mtoken_activation_detail* p, Life life) { return p == null ? null : new ActivationDetail(p, life); }

        public string ActivationId { get { return life.Text(p->activation_id); } }

        /// <summary>The name under which the bank shows this device</summary>
        public string ActivationName { get { return life.Text(p->activation_name); } }
    }

    /// <summary>An entry of the configuration that the bank keeps for its application.</summary>
    public sealed unsafe partial class ConfigEntry
    {
        internal readonly Raw.mtoken_config_entry* p;
        internal readonly Life life;

        private ConfigEntry(Raw.mtoken_config_entry* p, Life life) { this.p = p; this.life = life; }

        internal static ConfigEntry Of(Raw.mtoken_config_entry* p, Life life) { return p == null ? null : new ConfigEntry(p, life); }

        public string Key { get { return life.Text(p->key); } }

        /// <summary>JSON: an object, text in quotes, a number, true, false or null</summary>
        public string Value { get { return life.Text(p->value); } }

        /// <summary>MTOKEN_SCOPE_...: whom it is for</summary>
        public Scope Scope { get { return life.Kept((Scope)p->scope); } }
    }

    /// <summary>The entries of a configuration.</summary>
    public sealed unsafe partial class Config
    {
        internal readonly Raw.mtoken_config* p;
        internal readonly Life life;

        private Config(Raw.mtoken_config* p, Life life) { this.p = p; this.life = life; }

        internal static Config Of(Raw.mtoken_config* p, Life life) { return p == null ? null : new Config(p, life); }

        public ConfigEntry[] Entries { get { return life.Array(p->count, index => ConfigEntry.Of(p->entries[index], life)); } }

        /// <summary>the JSON array as the server sent it</summary>
        public string Json { get { return life.Text(p->json); } }
    }

    /// <summary>A snapshot of a client.</summary>
    public sealed unsafe partial class ClientInfo
    {
        internal readonly Raw.mtoken_client_info* p;
        internal readonly Life life;

        private ClientInfo(Raw.mtoken_client_info* p, Life life) { this.p = p; this.life = life; }

        internal static ClientInfo Of(Raw.mtoken_client_info* p, Life life) { return p == null ? null : new ClientInfo(p, life); }

        internal static ClientInfo Own(Raw.mtoken_client_info* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_client_info_free((Raw.mtoken_client_info*)at), null));
        }

        /// <summary>MTOKEN_CLIENT_...</summary>
        public ClientState State { get { return life.Kept((ClientState)p->state); } }

        /// <summary>MTOKEN_PROTOCOL_...</summary>
        public Protocol ProtocolVersion { get { return life.Kept((Protocol)p->protocol_version); } }

        /// <summary>from the options</summary>
        public string Id { get { return life.Text(p->id); } }

        /// <summary>NULL without an activation</summary>
        public string ActivationId { get { return life.Text(p->activation_id); } }

        /// <summary>8 digits to compare with those the bank shows</summary>
        public string Fingerprint { get { return life.Text(p->fingerprint); } }

        /// <summary>1: the unnamed authenticator has the biometry factor</summary>
        public bool HasBiometry { get { return life.Kept(p->has_biometry != 0); } }

        /// <summary>1: the activation came with a recovery code</summary>
        public bool HasRecoveryData { get { return life.Kept(p->has_recovery_data != 0); } }

        /// <summary>1: the server's time is known</summary>
        public bool TimeSynchronized { get { return life.Kept(p->time_synchronized != 0); } }

        /// <summary>server time minus device time, in milliseconds</summary>
        public long TimeAdjustmentMs { get { return life.Kept(p->time_adjustment_ms); } }

        /// <summary>the server's current time</summary>
        public long Time { get { return life.Kept(p->time); } }

        /// <summary>1: the next two members are from the last status that this client fetched</summary>
        public bool StatusKnown { get { return life.Kept(p->status_known != 0); } }

        /// <summary>MTOKEN_ACTIVATION_...</summary>
        public ActivationState ActivationState { get { return life.Kept((ActivationState)p->activation_state); } }

        public int RemainingAttempts { get { return life.Kept(p->remaining_attempts); } }

        /// <summary>NULL if there is none</summary>
        public string[] Authenticators { get { return life.Texts(p->authenticators, p->authenticator_count); } }

        /// <summary>1: PIN and biometry require the external encryption key (factors.h)</summary>
        public bool UsesExternalKey { get { return life.Kept(p->uses_external_key != 0); } }

        /// <summary>1: it is set on this client</summary>
        public bool HasExternalKey { get { return life.Kept(p->has_external_key != 0); } }

        /// <summary>JSON object: the claims about the user that this client received last</summary>
        public string UserInfo { get { return life.Text(p->user_info); } }

        /// <summary>Signatures, including offline codes, that the server has not acknowledged: the device's counter is at most this many steps ahead of the server's</summary>
        public int UnacknowledgedSignatures { get { return life.Kept(p->unacknowledged_signatures); } }

        /// <summary>The server's look-ahead window, 1 to 64</summary>
        public int CounterWindow { get { return life.Kept(p->counter_window); } }

        /// <summary>Maximum error of `time` in milliseconds: half of the round trip that fetched it</summary>
        public long TimePrecisionMs { get { return life.Kept(p->time_precision_ms); } }

        /// <summary>MTOKEN_PROTECTION_...: who keeps the device secret</summary>
        public Protection Protection { get { return life.Kept((Protection)p->protection); } }

        /// <summary>MTOKEN_SUITE_... of protocol 4.0</summary>
        public Suite Suite { get { return life.Kept((Suite)p->suite); } }

        /// <summary>1: the server is not known to have the confirmation of the activation</summary>
        public bool AwaitsConfirmation { get { return life.Kept(p->awaits_confirmation != 0); } }

        /// <summary>1: the server is not known to have the confirmation of an upgrade</summary>
        public bool AwaitsUpgradeConfirmation { get { return life.Kept(p->awaits_upgrade_confirmation != 0); } }

        /// <summary>1: a change of the PIN was interrupted: call mtoken_client_validate_pin with the new PIN</summary>
        public bool AwaitsNewPin { get { return life.Kept(p->awaits_new_pin != 0); } }
    }

    /// <summary>A recovery code and its PUK.</summary>
    public sealed unsafe partial class Recovery
    {
        internal readonly Raw.mtoken_recovery* p;
        internal readonly Life life;

        private Recovery(Raw.mtoken_recovery* p, Life life) { this.p = p; this.life = life; }

        internal static Recovery Of(Raw.mtoken_recovery* p, Life life) { return p == null ? null : new Recovery(p, life); }

        /// <summary>"XXXXX-XXXXX-XXXXX-XXXXX"</summary>
        public string Code { get { return life.Text(p->code); } }

        /// <summary>10 digits</summary>
        public string Puk { get { return life.Text(p->puk); } }
    }

    /// <summary>An offline operation.</summary>
    public sealed unsafe partial class QrOperation
    {
        internal readonly Raw.mtoken_qr_operation* p;
        internal readonly Life life;

        private QrOperation(Raw.mtoken_qr_operation* p, Life life) { this.p = p; this.life = life; }

        internal static QrOperation Of(Raw.mtoken_qr_operation* p, Life life) { return p == null ? null : new QrOperation(p, life); }

        internal static QrOperation Own(Raw.mtoken_qr_operation* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_qr_operation_free((Raw.mtoken_qr_operation*)at), null));
        }

        /// <summary>MTOKEN_VERIFIED_...</summary>
        public Verified Verification { get { return life.Kept((Verified)p->verification); } }

        /// <summary>MTOKEN_KEY_...: the key that signed</summary>
        public Key ServerKey { get { return life.Kept((Key)p->server_key); } }

        /// <summary>as passed in</summary>
        public string Payload { get { return life.Text(p->payload, p->payload_length); } }

        /// <summary>the signature covers the first signed_length bytes of the payload</summary>
        public ulong SignedLength { get { return life.Kept(p->signed_length); } }

        /// <summary>not empty</summary>
        public string Id { get { return life.Text(p->id); } }

        /// <summary>without escapes</summary>
        public string Title { get { return life.Text(p->title); } }

        /// <summary>without escapes</summary>
        public string Message { get { return life.Text(p->message); } }

        /// <summary>with escapes</summary>
        public string RawTitle { get { return life.Text(p->raw_title); } }

        /// <summary>with escapes</summary>
        public string RawMessage { get { return life.Text(p->raw_message); } }

        /// <summary>what is approved</summary>
        public OperationFields SignedFields { get { return OperationFields.Of(p->signed_fields, life); } }

        /// <summary>the line of flags as in the payload</summary>
        public string Flags { get { return life.Text(p->flags); } }

        /// <summary>B: biometry may be used instead of the PIN</summary>
        public bool AllowsBiometry { get { return life.Kept(p->allows_biometry != 0); } }

        /// <summary>X: swap the approve and reject buttons</summary>
        public bool FlipButtons { get { return life.Kept(p->flip_buttons != 0); } }

        /// <summary>F: show a fraud warning</summary>
        public bool WarnsOfFraud { get { return life.Kept(p->warns_of_fraud != 0); } }

        /// <summary>C: do not let the user approve during a phone call</summary>
        public bool BlockApprovalOnCall { get { return life.Kept(p->block_approval_on_call != 0); } }

        /// <summary>letters that this library does not know</summary>
        public string UnknownFlags { get { return life.Text(p->unknown_flags); } }

        /// <summary>One-time password of a proximity check</summary>
        public string Totp { get { return life.Text(p->totp); } }

        /// <summary>1: the payload has lines that this library does not know</summary>
        public bool IsNewerFormat { get { return life.Kept(p->is_newer_format != 0); } }

        /// <summary>those lines, with escapes</summary>
        public string[] Extras { get { return life.Texts(p->extras, p->extra_count); } }

        /// <summary>Base64</summary>
        public string Nonce { get { return life.Text(p->nonce); } }

        /// <summary>16</summary>
        public byte[] NonceBytes { get { return life.Bytes(p->nonce_bytes, 16); } }

        /// <summary>Base64</summary>
        public string Signature { get { return life.Text(p->signature); } }

        public byte[] SignatureBytes { get { return life.Bytes(p->signature_bytes, p->signature_bytes_length); } }
    }

    /// <summary>A parsed code.</summary>
    public sealed unsafe partial class Pac
    {
        internal readonly Raw.mtoken_pac* p;
        internal readonly Life life;

        private Pac(Raw.mtoken_pac* p, Life life) { this.p = p; this.life = life; }

        internal static Pac Of(Raw.mtoken_pac* p, Life life) { return p == null ? null : new Pac(p, life); }

        internal static Pac Own(Raw.mtoken_pac* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_pac_free((Raw.mtoken_pac*)at), null));
        }

        /// <summary>1 to 255 printable characters</summary>
        public string OperationId { get { return life.Text(p->operation_id); } }

        /// <summary>one-time password, 4 to 10 digits</summary>
        public string Totp { get { return life.Text(p->totp); } }

        /// <summary>MTOKEN_PROXIMITY_..., as passed to mtoken_pac_parse</summary>
        public ProximityType Source { get { return life.Kept((ProximityType)p->source); } }

        /// <summary>MTOKEN_PAC_...</summary>
        public PacForm Form { get { return life.Kept((PacForm)p->form); } }

        /// <summary>JWT: 1: its header is a JSON object</summary>
        public bool IsHeaderValid { get { return life.Kept(p->is_header_valid != 0); } }

        /// <summary>JWT: 1: it has a signature, which is never verified</summary>
        public bool HasSignature { get { return life.Kept(p->has_signature != 0); } }

        /// <summary>JWT: algorithm from its header</summary>
        public string Algorithm { get { return life.Text(p->algorithm); } }
    }

    /// <summary>How to log in with a provider.</summary>
    public sealed unsafe partial class OidcConfig
    {
        internal readonly Raw.mtoken_oidc_config* p;
        internal readonly Life life;

        private OidcConfig(Raw.mtoken_oidc_config* p, Life life) { this.p = p; this.life = life; }

        internal static OidcConfig Of(Raw.mtoken_oidc_config* p, Life life) { return p == null ? null : new OidcConfig(p, life); }

        /// <summary>id of the provider at the bank's server</summary>
        public string ProviderId { get { return life.Text(p->provider_id); } }

        /// <summary>the OAuth client id</summary>
        public string ClientId { get { return life.Text(p->client_id); } }

        /// <summary>separated by spaces</summary>
        public string Scopes { get { return life.Text(p->scopes); } }

        /// <summary>the provider's authorization endpoint</summary>
        public string AuthorizeUri { get { return life.Text(p->authorize_uri); } }

        /// <summary>where the provider sends its response</summary>
        public string RedirectUri { get { return life.Text(p->redirect_uri); } }

        /// <summary>1: the server requires PKCE</summary>
        public bool RequiresPkce { get { return life.Kept(p->requires_pkce != 0); } }

        /// <summary>1: the response must name its issuer (RFC 9207)</summary>
        public bool RequiresIssuer { get { return life.Kept(p->requires_issuer != 0); } }

        /// <summary>the provider's issuer</summary>
        public string Issuer { get { return life.Text(p->issuer); } }
    }

    /// <summary>The content of a login request.</summary>
    public sealed unsafe partial class OidcAuthorization
    {
        internal readonly Raw.mtoken_oidc_authorization* p;
        internal readonly Life life;

        private OidcAuthorization(Raw.mtoken_oidc_authorization* p, Life life) { this.p = p; this.life = life; }

        internal static OidcAuthorization Of(Raw.mtoken_oidc_authorization* p, Life life) { return p == null ? null : new OidcAuthorization(p, life); }

        /// <summary>open this in the system's browser</summary>
        public string AuthorizeUrl { get { return life.Text(p->authorize_url); } }

        public string ProviderId { get { return life.Text(p->provider_id); } }

        public string RedirectUri { get { return life.Text(p->redirect_uri); } }

        /// <summary>43 characters of base64url</summary>
        public string Nonce { get { return life.Text(p->nonce); } }

        /// <summary>43 characters of base64url</summary>
        public string State { get { return life.Text(p->state); } }

        /// <summary>NULL without PKCE</summary>
        public string CodeVerifier { get { return life.Text(p->code_verifier); } }

        /// <summary>1: the scopes lack "openid", so the provider may not issue an ID token: warn the developer</summary>
        public bool LacksOpenid { get { return life.Kept(p->lacks_openid != 0); } }
    }

    /// <summary>The part of the provider's response that the activation needs: copy the texts to the oidc_ members of mtoken_activation_options and call mtoken_client_activate (activation.h).</summary>
    public sealed unsafe partial class OidcAttributes
    {
        internal readonly Raw.mtoken_oidc_attributes* p;
        internal readonly Life life;

        private OidcAttributes(Raw.mtoken_oidc_attributes* p, Life life) { this.p = p; this.life = life; }

        internal static OidcAttributes Of(Raw.mtoken_oidc_attributes* p, Life life) { return p == null ? null : new OidcAttributes(p, life); }

        public string ProviderId { get { return life.Text(p->provider_id); } }

        /// <summary>the authorization code, valid for one activation</summary>
        public string Code { get { return life.Text(p->code); } }

        public string Nonce { get { return life.Text(p->nonce); } }

        /// <summary>NULL without PKCE</summary>
        public string CodeVerifier { get { return life.Text(p->code_verifier); } }
    }

    /// <summary>A push message.</summary>
    public sealed unsafe partial class PushMessage
    {
        internal readonly Raw.mtoken_push_message* p;
        internal readonly Life life;

        private PushMessage(Raw.mtoken_push_message* p, Life life) { this.p = p; this.life = life; }

        internal static PushMessage Of(Raw.mtoken_push_message* p, Life life) { return p == null ? null : new PushMessage(p, life); }

        internal static PushMessage Own(Raw.mtoken_push_message* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_push_message_free((Raw.mtoken_push_message*)at), null));
        }

        /// <summary>MTOKEN_PUSH_KIND_...</summary>
        public PushKind Kind { get { return life.Kept((PushKind)p->kind); } }

        /// <summary>NULL for an inbox message</summary>
        public string OperationId { get { return life.Text(p->operation_id); } }

        /// <summary>Type of the operation</summary>
        public string OperationName { get { return life.Text(p->operation_name); } }

        /// <summary>MTOKEN_PUSH_RESULT_... of a finished operation, otherwise 0</summary>
        public PushResult Result { get { return life.Kept((PushResult)p->result); } }

        /// <summary>The result as sent</summary>
        public string ResultText { get { return life.Text(p->result_text); } }

        /// <summary>Id of the message in the inbox</summary>
        public string InboxId { get { return life.Text(p->inbox_id); } }

        /// <summary>Displayed text</summary>
        public string Title { get { return life.Text(p->title); } }

        /// <summary>at most 155 characters: push services truncate it</summary>
        public string Body { get { return life.Text(p->body); } }

        /// <summary>The activation that the message is for</summary>
        public string ActivationId { get { return life.Text(p->activation_id); } }

        /// <summary>MTOKEN_YES: nothing is shown to the user</summary>
        public Answer IsSilent { get { return life.Kept((Answer)p->is_silent); } }

        /// <summary>the payload without surrounding white space</summary>
        public string Json { get { return life.Text(p->json, p->json_length); } }
    }

    /// <summary>A message, from the JSON of /api/inbox/message/list and /detail.</summary>
    public sealed unsafe partial class InboxMessage
    {
        internal readonly Raw.mtoken_inbox_message* p;
        internal readonly Life life;

        private InboxMessage(Raw.mtoken_inbox_message* p, Life life) { this.p = p; this.life = life; }

        internal static InboxMessage Of(Raw.mtoken_inbox_message* p, Life life) { return p == null ? null : new InboxMessage(p, life); }

        /// <summary>id</summary>
        public string Id { get { return life.Text(p->id); } }

        /// <summary>subject</summary>
        public string Subject { get { return life.Text(p->subject); } }

        /// <summary>summary: for lists</summary>
        public string Summary { get { return life.Text(p->summary); } }

        /// <summary>body</summary>
        public string Body { get { return life.Text(p->body); } }

        /// <summary>type: MTOKEN_INBOX_...</summary>
        public InboxType Format { get { return life.Kept((InboxType)p->format); } }

        /// <summary>type as sent</summary>
        public string FormatText { get { return life.Text(p->format_text); } }

        /// <summary>read</summary>
        public bool IsRead { get { return life.Kept(p->is_read != 0); } }

        /// <summary>timestampCreated, milliseconds since the epoch</summary>
        public long Created { get { return life.Kept(p->created); } }
    }

    /// <summary>Messages, in the server's order.</summary>
    public sealed unsafe partial class InboxList
    {
        internal readonly Raw.mtoken_inbox_list* p;
        internal readonly Life life;

        private InboxList(Raw.mtoken_inbox_list* p, Life life) { this.p = p; this.life = life; }

        internal static InboxList Of(Raw.mtoken_inbox_list* p, Life life) { return p == null ? null : new InboxList(p, life); }

        /// <summary>NULL if there are none</summary>
        public InboxMessage[] Messages { get { return life.Array(p->count, index => InboxMessage.Of(p->messages[index], life)); } }

        /// <summary>messages that were unreadable and dropped</summary>
        public ulong SkippedCount { get { return life.Kept(p->skipped_count); } }

        /// <summary>1: mtoken_inbox_list_all has reached a limit: there may be more messages</summary>
        public bool MayHaveMore { get { return life.Kept(p->may_have_more != 0); } }
    }

    /// <summary>A request: what a push announces, or the whole of it as fetched from the server.</summary>
    public sealed unsafe partial class MobileAuthRequest
    {
        internal readonly Raw.mtoken_mobile_auth_request* p;
        internal readonly Life life;

        private MobileAuthRequest(Raw.mtoken_mobile_auth_request* p, Life life) { this.p = p; this.life = life; }

        internal static MobileAuthRequest Of(Raw.mtoken_mobile_auth_request* p, Life life) { return p == null ? null : new MobileAuthRequest(p, life); }

        internal static MobileAuthRequest Own(Raw.mtoken_mobile_auth_request* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_mobile_auth_request_free((Raw.mtoken_mobile_auth_request*)at), null));
        }

        /// <summary>the operation's id</summary>
        public string TransactionId { get { return life.Text(p->transaction_id); } }

        /// <summary>the client's id (mtoken_client_options.id)</summary>
        public string Profile { get { return life.Text(p->profile); } }

        /// <summary>When it was created or, until it is fetched, first seen here</summary>
        public long Date { get { return life.Kept(p->date); } }

        /// <summary>seconds left when it was fetched</summary>
        public long TimeToLiveS { get { return life.Kept(p->time_to_live_s); } }

        /// <summary>The operation's name, which distinguishes login from payment</summary>
        public string OperationName { get { return life.Text(p->operation_name); } }

        /// <summary>From the server: complete</summary>
        public string Message { get { return life.Text(p->message); } }

        /// <summary>The whole payload of the push</summary>
        public string UserInfo { get { return life.Text(p->user_info, p->user_info_length); } }

        /// <summary>The complete operation from the server</summary>
        public Operation Operation { get { return Operation.Of(p->operation, life); } }
    }

    /// <summary>Requests, newest first.</summary>
    public sealed unsafe partial class MobileAuthList
    {
        internal readonly Raw.mtoken_mobile_auth_list* p;
        internal readonly Life life;

        private MobileAuthList(Raw.mtoken_mobile_auth_list* p, Life life) { this.p = p; this.life = life; }

        internal static MobileAuthList Of(Raw.mtoken_mobile_auth_list* p, Life life) { return p == null ? null : new MobileAuthList(p, life); }

        /// <summary>NULL if there are none</summary>
        public MobileAuthRequest[] Requests { get { return life.Array(p->count, index => MobileAuthRequest.Of(p->requests[index], life)); } }
    }

    /// <summary>How the handling of a request ended.</summary>
    public sealed unsafe partial class MobileAuthOutcome
    {
        internal readonly Raw.mtoken_mobile_auth_outcome* p;
        internal readonly Life life;

        private MobileAuthOutcome(Raw.mtoken_mobile_auth_outcome* p, Life life) { this.p = p; this.life = life; }

        internal static MobileAuthOutcome Of(Raw.mtoken_mobile_auth_outcome* p, Life life) { return p == null ? null : new MobileAuthOutcome(p, life); }

        /// <summary>as much as is known of it</summary>
        public MobileAuthRequest Request { get { return MobileAuthRequest.Of(p->request, life); } }

        /// <summary>MTOKEN_MOBILE_AUTH_...</summary>
        public MobileAuthErrorCode Error { get { return life.Kept((MobileAuthErrorCode)p->error); } }

        /// <summary>1: it was rejected at the server, by a denial or a cancelled custom challenge</summary>
        public bool IsDenied { get { return life.Kept(p->is_denied != 0); } }

        /// <summary>MTOKEN_AUTHENTICATOR_...: the one used, or the last one asked for</summary>
        public Authenticator AuthenticatorKind { get { return life.Kept((Authenticator)p->authenticator_kind); } }

        /// <summary>CUSTOM: its name</summary>
        public string AuthenticatorName { get { return life.Text(p->authenticator_name); } }

        /// <summary>Information from a custom authenticator that fell back to the PIN</summary>
        public string CustomInfo { get { return life.Text(p->custom_info); } }

        /// <summary>The server's information about the last answer, accepted or not: "customInfo" of its responseObject, any JSON value, e.g. {"status":1,"data":"..."}</summary>
        public string ServerInfo { get { return life.Text(p->server_info); } }
    }

    /// <summary>What the user is asked.</summary>
    public sealed unsafe partial class ChallengeInfo
    {
        internal readonly Raw.mtoken_challenge_info* p;
        internal readonly Life life;

        private ChallengeInfo(Raw.mtoken_challenge_info* p, Life life) { this.p = p; this.life = life; }

        internal static ChallengeInfo Of(Raw.mtoken_challenge_info* p, Life life) { return p == null ? null : new ChallengeInfo(p, life); }

        /// <summary>MTOKEN_CHALLENGE_...</summary>
        public ChallengeKind Kind { get { return life.Kept((ChallengeKind)p->kind); } }

        /// <summary>counts the challenges of one handling, from 1</summary>
        public int Attempt { get { return life.Kept(p->attempt); } }

        /// <summary>with its operation: show this, not the push</summary>
        public MobileAuthRequest Request { get { return MobileAuthRequest.Of(p->request, life); } }

        /// <summary>Why the user is asked again</summary>
        public MTokenException PreviousError { get { return MTokenException.Read(p->previous_error, life); } }

        /// <summary>before the activation is blocked</summary>
        public int RemainingAttempts { get { return life.Kept(p->remaining_attempts); } }

        /// <summary>text to show with the biometric sensor</summary>
        public string Prompt { get { return life.Text(p->prompt); } }

        /// <summary>of a custom challenge, otherwise NULL</summary>
        public string AuthenticatorName { get { return life.Text(p->authenticator_name); } }

        /// <summary>PIN challenge: information from the custom authenticator</summary>
        public string CustomInfo { get { return life.Text(p->custom_info); } }

        /// <summary>The server's information about the previous answer: see mtoken_mobile_auth_outcome</summary>
        public string ServerInfo { get { return life.Text(p->server_info); } }
    }

    /// <summary>One cell of a laid-out operation.</summary>
    public sealed unsafe partial class VisualCell
    {
        internal readonly Raw.mtoken_visual_cell* p;
        internal readonly Life life;

        private VisualCell(Raw.mtoken_visual_cell* p, Life life) { this.p = p; this.life = life; }

        internal static VisualCell Of(Raw.mtoken_visual_cell* p, Life life) { return p == null ? null : new VisualCell(p, life); }

        /// <summary>MTOKEN_CELL_...</summary>
        public CellKind Kind { get { return life.Kept((CellKind)p->kind); } }

        /// <summary>The title, the message, the heading, or the value as one text</summary>
        public string Text { get { return life.Text(p->text); } }

        /// <summary>NULL for TITLE and MESSAGE</summary>
        public Attribute Attribute { get { return Attribute.Of(p->attribute, life); } }

        /// <summary>The template's entry for this cell</summary>
        public TemplateCell Layout { get { return TemplateCell.Of(p->layout, life); } }
    }

    /// <summary>Cells under a heading.</summary>
    public sealed unsafe partial class VisualSection
    {
        internal readonly Raw.mtoken_visual_section* p;
        internal readonly Life life;

        private VisualSection(Raw.mtoken_visual_section* p, Life life) { this.p = p; this.life = life; }

        internal static VisualSection Of(Raw.mtoken_visual_section* p, Life life) { return p == null ? null : new VisualSection(p, life); }

        /// <summary>A name that bank and app have agreed on</summary>
        public string Style { get { return life.Text(p->style); } }

        /// <summary>The label of the attribute that the template names as title</summary>
        public string Title { get { return life.Text(p->title); } }

        public VisualCell[] Cells { get { return life.Array(p->cell_count, index => VisualCell.Of(p->cells[index], life)); } }
    }

    /// <summary>An operation laid out by "ui"."templates", or in the default layout without them.</summary>
    public sealed unsafe partial class Visual
    {
        internal readonly Raw.mtoken_visual* p;
        internal readonly Life life;

        private Visual(Raw.mtoken_visual* p, Life life) { this.p = p; this.life = life; }

        internal static Visual Of(Raw.mtoken_visual* p, Life life) { return p == null ? null : new Visual(p, life); }

        internal static Visual Own(Raw.mtoken_visual* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_visual_free((Raw.mtoken_visual*)at), null));
        }

        /// <summary>The operation as a row of a list, with placeholders resolved</summary>
        public string ListHeader { get { return life.Text(p->list_header); } }

        public string ListTitle { get { return life.Text(p->list_title); } }

        public string ListMessage { get { return life.Text(p->list_message); } }

        /// <summary>thumbnail</summary>
        public string ListImageUrl { get { return life.Text(p->list_image_url); } }

        public string ListStyle { get { return life.Text(p->list_style); } }

        /// <summary>style of the operation shown alone</summary>
        public string DetailStyle { get { return life.Text(p->detail_style); } }

        public VisualSection[] Sections { get { return life.Array(p->section_count, index => VisualSection.Of(p->sections[index], life)); } }
    }

    /// <summary>A value that mtoken_json_find has found.</summary>
    public sealed unsafe partial class JsonValue
    {
        internal readonly Raw.mtoken_json_value* p;
        internal readonly Life life;

        private JsonValue(Raw.mtoken_json_value* p, Life life) { this.p = p; this.life = life; }

        internal static JsonValue Of(Raw.mtoken_json_value* p, Life life) { return p == null ? null : new JsonValue(p, life); }

        internal static JsonValue Own(Raw.mtoken_json_value* p)
        {
            return p == null ? null : Of(p, new Life((IntPtr)p, at => Raw.mtoken_json_value_free((Raw.mtoken_json_value*)at), null));
        }

        /// <summary>MTOKEN_JSON_...</summary>
        public JsonKind Kind { get { return life.Kept((JsonKind)p->kind); } }

        /// <summary>the value as written</summary>
        public string Json { get { return life.Text(p->json, p->json_length); } }

        /// <summary>TEXT, decoded</summary>
        public string Text { get { return life.Text(p->text); } }

        /// <summary>INTEGER within 64 bits, otherwise 0</summary>
        public long Integer { get { return life.Kept(p->integer); } }

        /// <summary>INTEGER and REAL, rounded to the nearest double</summary>
        public double Number { get { return life.Kept(p->number); } }

        /// <summary>1: true</summary>
        public bool IsTrue { get { return life.Kept(p->is_true != 0); } }

        /// <summary>elements or members of an ARRAY or OBJECT</summary>
        public ulong Count { get { return life.Kept(p->count); } }
    }
}
