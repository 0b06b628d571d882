// Made by bindings/generate from mtoken.h. Do not edit.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Mtoken
{
    internal static unsafe class Raw
    {
        internal const string Library = "libmtoken.so.1";
        private const MethodImplOptions Apart = MethodImplOptions.NoInlining;
        internal const int MTOKEN_ABI_VERSION = 1;
        internal const int MTOKEN_VERSION_NUMBER = 10000;

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_text
        {
            public byte* data;
            public ulong length;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_bytes
        {
            public byte* data;
            public ulong length;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_error
        {
            public int code;
            public int outcome;
            public byte* reason;
            public byte* message;
            public int http_status;
            public int remaining_attempts;
            public byte* server_code;
            public byte* server_message;
            public byte* server_uri;
            public int server_code_number;
            public int is_retriable;
            public int network_fault;
            public int tls_fault;
            public long byte_offset;
            public int line;
            public int recovery_puk_index;
            public byte* cause;
            public byte* upstream_reason;
            public long retry_after_ms;
            public byte* correlation_id;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_operation_field
        {
            public int kind;
            public uint letter;
            public byte* raw;
            public ulong offset;
            public byte* text;
            public byte* amount;
            public byte* value;
            public byte* currency;
            public byte* iban;
            public byte* bic;
            public int is_iban_valid;
            public int year;
            public int month;
            public int day;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_operation_fields
        {
            public byte* text;
            public ulong text_length;
            public int version;
            public int is_version_known;
            public int template_id;
            public ulong field_count;
            public mtoken_operation_field** fields;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_field_input
        {
            public int kind;
            public int year;
            public int month;
            public int day;
            public mtoken_text text;
            public mtoken_text amount;
            public mtoken_text currency;
            public mtoken_text iban;
            public mtoken_text bic;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_amount
        {
            public byte* amount;
            public byte* currency;
            public byte* amount_formatted;
            public byte* currency_formatted;
            public byte* value_formatted;
            public double value;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_party
        {
            public byte* logo_url;
            public byte* name;
            public byte* description;
            public byte* website_url;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_attribute
        {
            public int kind;
            public byte* kind_text;
            public byte* id;
            public byte* label;
            public mtoken_amount* amount;
            public mtoken_amount* target;
            public int is_dynamic;
            public byte* value;
            public int heading_level;
            public mtoken_party* party;
            public byte* thumbnail_url;
            public byte* original_url;
            public int alert_kind;
            public byte* alert_kind_text;
            public byte* alert_title;
            public byte* alert_message;
            public byte* json;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_screen_element
        {
            public int kind;
            public byte* kind_text;
            public byte* id;
            public byte* text;
            public byte* icon;
            public byte* style;
            public byte* action;
            public byte* action_settings;
            public byte* href;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_screen_controls
        {
            public int flip;
            public byte* axis;
            public byte* decline_kind;
            public byte* decline_text;
            public byte* approve_kind;
            public byte* approve_text;
            public int approve_counter_s;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_pre_approval_screen
        {
            public int kind;
            public byte* kind_text;
            public byte* id;
            public byte* heading;
            public byte* message;
            public int back_button;
            public byte* image;
            public int has_elements;
            public ulong element_count;
            public mtoken_screen_element** elements;
            public mtoken_screen_controls* controls;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_legacy_screen
        {
            public int kind;
            public byte* kind_text;
            public byte* heading;
            public byte* message;
            public int has_items;
            public ulong item_count;
            public byte** items;
            public byte* approval_kind_text;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_post_approval_screen
        {
            public int kind;
            public byte* kind_text;
            public byte* heading;
            public byte* message;
            public ulong attribute_count;
            public mtoken_attribute** attributes;
            public byte* redirect_text;
            public byte* redirect_url;
            public int countdown_s;
            public byte* payload;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_template_cell
        {
            public byte* name;
            public byte* style;
            public int visible_title;
            public int can_copy;
            public byte* collapsable;
            public int is_centered;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_template_section
        {
            public byte* style;
            public byte* title;
            public int has_cells;
            public ulong cell_count;
            public mtoken_template_cell** cells;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_templates
        {
            public int has_list;
            public byte* list_style;
            public byte* list_header;
            public byte* list_title;
            public byte* list_message;
            public byte* list_image;
            public int has_detail;
            public byte* detail_style;
            public int show_title_and_message;
            public int has_sections;
            public ulong section_count;
            public mtoken_template_section** sections;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_operation_ui
        {
            public int flip_buttons;
            public int block_approval_on_call;
            public int has_pre_approval_screens;
            public ulong pre_approval_screen_count;
            public mtoken_pre_approval_screen** pre_approval_screens;
            public mtoken_legacy_screen* legacy_pre_approval_screen;
            public mtoken_post_approval_screen* post_approval_screen;
            public mtoken_templates* templates;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_operation
        {
            public byte* id;
            public byte* name;
            public byte* operation_data;
            public int status;
            public byte* status_text;
            public byte* status_reason;
            public long created;
            public long expires;
            public int signature_type;
            public byte* signature_type_text;
            public int variants;
            public ulong unknown_variant_count;
            public byte** unknown_variants;
            public int allows_biometry;
            public byte* title;
            public byte* message;
            public ulong attribute_count;
            public mtoken_attribute** attributes;
            public byte* result_success;
            public byte* result_failure;
            public byte* result_reject;
            public mtoken_operation_ui* ui;
            public byte* json;
            public ulong json_length;
            public mtoken_operation_fields* signed_fields;
            public int contradictions;
            public ulong issue_count;
            public byte** issues;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_operation_list
        {
            public ulong count;
            public mtoken_operation** operations;
            public ulong skipped_count;
            public int has_server_time;
            public long server_time;
            public ulong issue_count;
            public byte** issues;
            public ulong further_issue_count;
            public int may_be_cut;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_auth
        {
            public ulong struct_size;
            public mtoken_bytes pin;
            public mtoken_bytes biometry_key;
            public int factors;
            public int reserved;
            public mtoken_text authenticator;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_header
        {
            public byte* name;
            public byte* value;
            public ulong value_length;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_sign_options
        {
            public ulong struct_size;
            public mtoken_text method;
            public mtoken_text uri_id;
            public mtoken_bytes body;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_sign_offline_options
        {
            public ulong struct_size;
            public mtoken_text uri_id;
            public mtoken_bytes body;
            public mtoken_bytes nonce;
            public int component_length;
            public int reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_verify_options
        {
            public ulong struct_size;
            public int server_key;
            public int form;
            public mtoken_bytes signed_bytes;
            public mtoken_bytes signature;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_authorize_options
        {
            public ulong struct_size;
            public int check_factors;
            public int strict;
            public int allow_unknown_status;
            public int tolerated;
            public mtoken_text mobile_token_data;
            public mtoken_text proximity_otp;
            public long proximity_received;
            public int proximity_source;
            public int reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_operation_options
        {
            public ulong struct_size;
            public mtoken_text id;
            public mtoken_text operation_data;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_reject_options
        {
            public ulong struct_size;
            public mtoken_text reason;
            public mtoken_text mobile_token_data;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_operations_info
        {
            public ulong count;
            public mtoken_operation** operations;
            public int is_loading;
            public int last_fetch;
            public long last_fetch_time;
            public mtoken_error* last_error;
            public ulong skipped_count;
            public int has_server_time;
            public long server_time;
            public int polling;
            public long polling_interval_ms;
            public int may_be_cut;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_polling_options
        {
            public ulong struct_size;
            public long interval_ms;
            public int delay_start;
            public int has_push;
            public int back_off;
            public int jitter_percent;
            public int is_adaptive;
            public int reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_operations_change
        {
            public ulong count;
            public mtoken_operation** operations;
            public ulong added_count;
            public mtoken_operation** added;
            public ulong removed_count;
            public mtoken_operation** removed;
            public ulong updated_count;
            public mtoken_operation** updated;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_trace
        {
            public int stage;
            public long request_number;
            public byte* call;
            public byte* url;
            public byte* header_names;
            public ulong request_size;
            public int http_status;
            public ulong answer_size;
            public long started_ms;
            public long finished_ms;
            public int reused_connection;
            public byte* correlation_id;
            public byte* rate_limit;
            public byte* rate_remaining;
            public byte* rate_reset;
            public byte* retry_after;
            public mtoken_error* error;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_watched
        {
            public byte* id;
            public byte* operation_data;
            public long expires;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_watched_list
        {
            public ulong count;
            public mtoken_watched** items;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_http_header
        {
            public byte* name;
            public byte* value;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_http_request
        {
            public long id;
            public byte* method;
            public byte* url;
            public ulong header_count;
            public mtoken_http_header** headers;
            public byte* body;
            public ulong body_length;
            public long deadline;
            public ulong max_answer_size;
            public int at_most_once;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_event
        {
            public int kind;
            public int log_level;
            public long time;
            public IntPtr client;
            public IntPtr task;
            public ulong tag;
            public byte* message;
            public mtoken_error* error;
            public mtoken_trace* trace;
            public mtoken_operations_change* change;
            public mtoken_watched_list* expired;
            public IntPtr watcher;
            public IntPtr challenge;
            public long dropped;
            public int is_loading;
            public mtoken_http_request* request;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_runtime_options
        {
            public ulong struct_size;
            public int events;
            public int log_level;
            public int max_transfers;
            public int reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_runtime_info
        {
            public ulong requests_under_way;
            public ulong requests_waiting;
            public ulong events_waiting;
            public ulong tasks_running;
            public ulong clients;
            public ulong pollers;
            public long dropped_log_events;
            public long dropped_trace_events;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_host_store
        {
            public ulong struct_size;
            public void* context;
            public IntPtr load;
            public IntPtr save;
            public IntPtr remove;
            public IntPtr release;
            public IntPtr list;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_store_list
        {
            public ulong count;
            public byte** ids;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_host_sealer
        {
            public ulong struct_size;
            public void* context;
            public IntPtr seal;
            public IntPtr unseal;
            public IntPtr forget;
            public IntPtr release;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_sealer_options
        {
            public ulong struct_size;
            public mtoken_text device;
            public mtoken_text module_path;
            public mtoken_bytes password;
            public mtoken_text pcrs;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_encrypt_options
        {
            public ulong struct_size;
            public int scope;
            public int order;
            public mtoken_auth* auth;
            public mtoken_text uri_id;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_encrypted_request
        {
            public byte* body;
            public ulong body_length;
            public byte* header_name;
            public byte* header_value;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_user_address
        {
            public byte* formatted;
            public byte* street_address;
            public byte* locality;
            public byte* region;
            public byte* postal_code;
            public byte* country;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_user_info
        {
            public byte* sub;
            public byte* name;
            public byte* given_name;
            public byte* family_name;
            public byte* middle_name;
            public byte* nickname;
            public byte* preferred_username;
            public byte* profile;
            public byte* picture;
            public byte* website;
            public byte* email;
            public int is_email_verified;
            public byte* gender;
            public byte* birthdate;
            public byte* zoneinfo;
            public byte* locale;
            public byte* phone_number;
            public int is_phone_number_verified;
            public mtoken_user_address* address;
            public int has_updated_at;
            public long updated_at;
            public byte* json;
            public ulong json_length;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_activation_code
        {
            public byte* code;
            public byte* signature;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_identity_attribute
        {
            public mtoken_text name;
            public mtoken_text value;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_activation_options
        {
            public ulong struct_size;
            public mtoken_text code;
            public mtoken_text otp;
            public mtoken_text name;
            public mtoken_text extras;
            public mtoken_text custom_attributes;
            public mtoken_text platform;
            public mtoken_text device_info;
            public mtoken_text recovery_code;
            public mtoken_text recovery_puk;
            public mtoken_identity_attribute* identity;
            public ulong identity_count;
            public mtoken_text oidc_provider;
            public mtoken_text oidc_code;
            public mtoken_text oidc_nonce;
            public mtoken_text oidc_code_verifier;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_activation
        {
            public byte* activation_id;
            public byte* fingerprint;
            public byte* recovery_code;
            public byte* recovery_puk;
            public byte* custom_attributes;
            public byte* user_info;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_activation_status
        {
            public int state;
            public int failed_attempts;
            public int max_failed_attempts;
            public int remaining_attempts;
            public byte* custom_object;
            public int upgrade_available;
            public int suite_withdrawn;
            public int biometry_enabled;
            public int block_is_temporary;
            public long block_expires;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_wait_options
        {
            public ulong struct_size;
            public long timeout_ms;
            public mtoken_auth* auth;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_activation_detail
        {
            public byte* activation_id;
            public byte* activation_name;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_config_entry
        {
            public byte* key;
            public byte* value;
            public int scope;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_config
        {
            public ulong count;
            public mtoken_config_entry** entries;
            public byte* json;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_tls_pin
        {
            public mtoken_text sha256;
            public long expires;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_header_text
        {
            public mtoken_text name;
            public mtoken_text value;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_client_options
        {
            public ulong struct_size;
            public mtoken_text id;
            public mtoken_text configuration;
            public mtoken_text base_url;
            public mtoken_text operations_url;
            public IntPtr store;
            public mtoken_bytes device_secret;
            public int protocol_version;
            public int tls_trust;
            public mtoken_text ca_file;
            public mtoken_tls_pin* pins;
            public ulong pin_count;
            public int allow_http;
            public int timeout_ms;
            public mtoken_text proxy;
            public mtoken_text language;
            public mtoken_text user_agent;
            public mtoken_text application;
            public mtoken_text label;
            public mtoken_header_text* headers;
            public ulong header_count;
            public int strict;
            public int adds_correlation_id;
            public int tolerated;
            public int suite;
            public mtoken_bytes external_key;
            public int min_pin_length;
            public int refused_pins;
            public IntPtr sealer;
            public mtoken_text client_certificate;
            public mtoken_text client_key;
            public mtoken_bytes client_key_password;
            public int transport;
            public int reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_call_options
        {
            public ulong struct_size;
            public int timeout_ms;
            public int reserved;
            public mtoken_text language;
            public mtoken_text user_agent;
            public mtoken_header_text* headers;
            public ulong header_count;
            public mtoken_text correlation_id;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_client_info
        {
            public int state;
            public int protocol_version;
            public byte* id;
            public byte* activation_id;
            public byte* fingerprint;
            public int has_biometry;
            public int has_recovery_data;
            public int time_synchronized;
            public long time_adjustment_ms;
            public long time;
            public int status_known;
            public int activation_state;
            public int remaining_attempts;
            public ulong authenticator_count;
            public byte** authenticators;
            public int uses_external_key;
            public int has_external_key;
            public byte* user_info;
            public int unacknowledged_signatures;
            public int counter_window;
            public long time_precision_ms;
            public int protection;
            public int suite;
            public int awaits_confirmation;
            public int awaits_upgrade_confirmation;
            public int awaits_new_pin;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_csr_field
        {
            public mtoken_text name;
            public mtoken_text value;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_csr_options
        {
            public ulong struct_size;
            public mtoken_csr_field* subject;
            public ulong subject_count;
            public mtoken_csr_field* extensions;
            public ulong extension_count;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_recovery
        {
            public byte* code;
            public byte* puk;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_token_options
        {
            public ulong struct_size;
            public mtoken_text name;
            public mtoken_text refused_header;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_qr_operation
        {
            public int verification;
            public int server_key;
            public byte* payload;
            public ulong payload_length;
            public ulong signed_length;
            public byte* id;
            public byte* title;
            public byte* message;
            public byte* raw_title;
            public byte* raw_message;
            public mtoken_operation_fields* signed_fields;
            public byte* flags;
            public int allows_biometry;
            public int flip_buttons;
            public int warns_of_fraud;
            public int block_approval_on_call;
            public byte* unknown_flags;
            public byte* totp;
            public int is_newer_format;
            public ulong extra_count;
            public byte** extras;
            public byte* nonce;
            public byte* nonce_bytes;
            public byte* signature;
            public byte* signature_bytes;
            public ulong signature_bytes_length;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_qr_options
        {
            public ulong struct_size;
            public IntPtr client;
            public mtoken_text configuration;
            public int keep_unverified;
            public int reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_qr_authorize_options
        {
            public ulong struct_size;
            public mtoken_text uri_id;
            public int component_length;
            public int allow_unverified;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_qr_build_options
        {
            public ulong struct_size;
            public mtoken_text id;
            public mtoken_text title;
            public mtoken_text message;
            public mtoken_text operation_data;
            public mtoken_text flags;
            public mtoken_text totp;
            public mtoken_bytes nonce;
            public mtoken_bytes private_key;
            public int server_key;
            public int reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_pac
        {
            public byte* operation_id;
            public byte* totp;
            public int source;
            public int form;
            public int is_header_valid;
            public int has_signature;
            public byte* algorithm;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_pac_options
        {
            public ulong struct_size;
            public mtoken_text* allowed;
            public ulong allowed_count;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_pac_build_options
        {
            public ulong struct_size;
            public mtoken_text operation_id;
            public mtoken_text totp;
            public mtoken_text link;
            public int form;
            public int reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_oidc_config
        {
            public byte* provider_id;
            public byte* client_id;
            public byte* scopes;
            public byte* authorize_uri;
            public byte* redirect_uri;
            public int requires_pkce;
            public int requires_issuer;
            public byte* issuer;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_oidc_parameter
        {
            public mtoken_text name;
            public mtoken_text value;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_oidc_options
        {
            public ulong struct_size;
            public mtoken_oidc_config* config;
            public mtoken_text provider_id;
            public mtoken_text client_id;
            public mtoken_text scopes;
            public mtoken_text authorize_uri;
            public mtoken_text redirect_uri;
            public mtoken_text issuer;
            public int requires_issuer;
            public int omits_pkce;
            public int pkce_bytes;
            public int allow_http;
            public mtoken_oidc_parameter* parameters;
            public ulong parameter_count;
            public long lifetime_ms;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_oidc_authorization
        {
            public byte* authorize_url;
            public byte* provider_id;
            public byte* redirect_uri;
            public byte* nonce;
            public byte* state;
            public byte* code_verifier;
            public int lacks_openid;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_oidc_attributes
        {
            public byte* provider_id;
            public byte* code;
            public byte* nonce;
            public byte* code_verifier;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_push_options
        {
            public ulong struct_size;
            public int platform;
            public int environment;
            public mtoken_text token;
            public mtoken_bytes token_bytes;
            public int is_legacy_server;
            public int reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_push_message
        {
            public int kind;
            public byte* operation_id;
            public byte* operation_name;
            public int result;
            public byte* result_text;
            public byte* inbox_id;
            public byte* title;
            public byte* body;
            public byte* activation_id;
            public int is_silent;
            public byte* json;
            public ulong json_length;
            public IntPtr client;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_inbox_message
        {
            public byte* id;
            public byte* subject;
            public byte* summary;
            public byte* body;
            public int format;
            public byte* format_text;
            public int is_read;
            public long created;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_inbox_list
        {
            public ulong count;
            public mtoken_inbox_message** messages;
            public ulong skipped_count;
            public int may_have_more;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_mobile_auth_request
        {
            public byte* transaction_id;
            public byte* profile;
            public long date;
            public long time_to_live_s;
            public byte* operation_name;
            public byte* message;
            public byte* user_info;
            public ulong user_info_length;
            public mtoken_operation* operation;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_mobile_auth_list
        {
            public ulong count;
            public mtoken_mobile_auth_request** requests;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_mobile_auth_options
        {
            public ulong struct_size;
            public int handles_biometry;
            public int handles_proximity;
            public mtoken_text authenticator;
            public mtoken_text prompt;
            public mtoken_text mobile_token_data;
            public mtoken_text proximity_otp;
            public long proximity_received;
            public int proximity_source;
            public int reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_mobile_auth_outcome
        {
            public mtoken_mobile_auth_request* request;
            public int error;
            public int is_denied;
            public int authenticator_kind;
            public byte* authenticator_name;
            public byte* custom_info;
            public byte* server_info;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_challenge_info
        {
            public int kind;
            public int attempt;
            public mtoken_mobile_auth_request* request;
            public mtoken_error* previous_error;
            public int remaining_attempts;
            public byte* prompt;
            public byte* authenticator_name;
            public byte* custom_info;
            public byte* server_info;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_visual_cell
        {
            public int kind;
            public byte* text;
            public mtoken_attribute* attribute;
            public mtoken_template_cell* layout;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_visual_section
        {
            public byte* style;
            public byte* title;
            public ulong cell_count;
            public mtoken_visual_cell** cells;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_visual
        {
            public byte* list_header;
            public byte* list_title;
            public byte* list_message;
            public byte* list_image_url;
            public byte* list_style;
            public byte* detail_style;
            public ulong section_count;
            public mtoken_visual_section** sections;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_json_value
        {
            public int kind;
            public byte* json;
            public ulong json_length;
            public byte* text;
            public long integer;
            public double number;
            public int is_true;
            public ulong count;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_http_response
        {
            public ulong struct_size;
            public int status;
            public int reserved;
            public mtoken_header_text* headers;
            public ulong header_count;
            public mtoken_bytes body;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_ecdsa_verify_options
        {
            public ulong struct_size;
            public mtoken_bytes public_key;
            public mtoken_bytes signed_bytes;
            public mtoken_bytes signature;
            public int form;
            public int reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct mtoken_oidc_url_options
        {
            public ulong struct_size;
            public mtoken_oidc_options* request;
            public mtoken_text nonce;
            public mtoken_text state;
            public mtoken_text challenge;
        }

        [MethodImpl(Apart)] internal static void mtoken_text_free(mtoken_text* text) { C.mtoken_text_free(text); }
        [MethodImpl(Apart)] internal static void mtoken_bytes_free(mtoken_bytes* bytes) { C.mtoken_bytes_free(bytes); }
        [MethodImpl(Apart)] internal static byte* mtoken_version() { return C.mtoken_version(); }
        [MethodImpl(Apart)] internal static uint mtoken_version_number() { return C.mtoken_version_number(); }
        [MethodImpl(Apart)] internal static int mtoken_abi_version() { return C.mtoken_abi_version(); }
        [MethodImpl(Apart)] internal static int mtoken_constant_value(byte* name, ulong name_length, long* out_value) { return C.mtoken_constant_value(name, name_length, out_value); }
        [MethodImpl(Apart)] internal static byte* mtoken_constant_at(ulong index, long* out_value) { return C.mtoken_constant_at(index, out_value); }
        [MethodImpl(Apart)] internal static void mtoken_error_free(mtoken_error* error) { C.mtoken_error_free(error); }
        [MethodImpl(Apart)] internal static int mtoken_error_is_operation_over(mtoken_error* error) { return C.mtoken_error_is_operation_over(error); }
        [MethodImpl(Apart)] internal static byte* mtoken_server_code_name(int code) { return C.mtoken_server_code_name(code); }
        [MethodImpl(Apart)] internal static byte* mtoken_error_name(int code) { return C.mtoken_error_name(code); }
        [MethodImpl(Apart)] internal static byte* mtoken_error_description(int code) { return C.mtoken_error_description(code); }
        [MethodImpl(Apart)] internal static int mtoken_operation_fields_parse(byte* text, ulong text_length, mtoken_operation_fields** out_fields, mtoken_error** out_error) { return C.mtoken_operation_fields_parse(text, text_length, out_fields, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operation_fields_build(int version, int template_id, mtoken_field_input* fields, ulong field_count, mtoken_text** out_text, mtoken_error** out_error) { return C.mtoken_operation_fields_build(version, template_id, fields, field_count, out_text, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_operation_fields_free(mtoken_operation_fields* fields) { C.mtoken_operation_fields_free(fields); }
        [MethodImpl(Apart)] internal static void mtoken_header_free(mtoken_header* header) { C.mtoken_header_free(header); }
        [MethodImpl(Apart)] internal static int mtoken_client_sign(IntPtr client, mtoken_sign_options* options, mtoken_auth* auth, mtoken_header** out_header, mtoken_error** out_error) { return C.mtoken_client_sign(client, options, auth, out_header, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_signature_accepted(IntPtr client, mtoken_error** out_error) { return C.mtoken_client_signature_accepted(client, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_take_turn(IntPtr client, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_take_turn(client, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_task_give_turn(IntPtr task) { return C.mtoken_task_give_turn(task); }
        [MethodImpl(Apart)] internal static int mtoken_canonical_query(byte* query, ulong query_length, mtoken_text** out_canonical, mtoken_error** out_error) { return C.mtoken_canonical_query(query, query_length, out_canonical, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_sign_offline(IntPtr client, mtoken_sign_offline_options* options, mtoken_auth* auth, mtoken_text** out_code, mtoken_error** out_error) { return C.mtoken_client_sign_offline(client, options, auth, out_code, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_verify(IntPtr client, mtoken_verify_options* options, int* out_is_valid, mtoken_error** out_error) { return C.mtoken_client_verify(client, options, out_is_valid, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operations_list(IntPtr client, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_operations_list(client, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operations_history(IntPtr client, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_operations_history(client, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_operation_list* mtoken_task_operations(IntPtr task) { return C.mtoken_task_operations(task); }
        [MethodImpl(Apart)] internal static int mtoken_operations_detail(IntPtr client, byte* id, ulong id_length, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_operations_detail(client, id, id_length, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operations_claim(IntPtr client, byte* id, ulong id_length, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_operations_claim(client, id, id_length, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_operation* mtoken_task_operation(IntPtr task) { return C.mtoken_task_operation(task); }
        [MethodImpl(Apart)] internal static int mtoken_operations_authorize(IntPtr client, mtoken_operation* operation, mtoken_auth* auth, mtoken_authorize_options* options, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_operations_authorize(client, operation, auth, options, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operations_authorize_data(IntPtr client, mtoken_operation_options* operation, mtoken_auth* auth, mtoken_authorize_options* options, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_operations_authorize_data(client, operation, auth, options, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operations_reject(IntPtr client, byte* id, ulong id_length, mtoken_reject_options* options, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_operations_reject(client, id, id_length, options, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operations_refresh(IntPtr client, mtoken_error** out_error) { return C.mtoken_operations_refresh(client, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operations_is_loading(IntPtr client) { return C.mtoken_operations_is_loading(client); }
        [MethodImpl(Apart)] internal static int mtoken_operations_get_info(IntPtr client, mtoken_operations_info** out_known, mtoken_error** out_error) { return C.mtoken_operations_get_info(client, out_known, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_operations_info_free(mtoken_operations_info* known) { C.mtoken_operations_info_free(known); }
        [MethodImpl(Apart)] internal static int mtoken_operations_attach(IntPtr client, byte* id, ulong id_length, mtoken_authorize_options* options, mtoken_error** out_error) { return C.mtoken_operations_attach(client, id, id_length, options, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operations_get_attached(IntPtr client, byte* id, ulong id_length) { return C.mtoken_operations_get_attached(client, id, id_length); }
        [MethodImpl(Apart)] internal static int mtoken_operations_start_polling(IntPtr client, mtoken_polling_options* options, mtoken_error** out_error) { return C.mtoken_operations_start_polling(client, options, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operations_stop_polling(IntPtr client, mtoken_error** out_error) { return C.mtoken_operations_stop_polling(client, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operations_pause_polling(IntPtr client, mtoken_error** out_error) { return C.mtoken_operations_pause_polling(client, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operations_resume_polling(IntPtr client, mtoken_error** out_error) { return C.mtoken_operations_resume_polling(client, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_operations_get_polling(IntPtr client) { return C.mtoken_operations_get_polling(client); }
        [MethodImpl(Apart)] internal static int mtoken_watcher_new(IntPtr client, IntPtr* out_watcher, mtoken_error** out_error) { return C.mtoken_watcher_new(client, out_watcher, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_watcher_free(IntPtr watcher) { C.mtoken_watcher_free(watcher); }
        [MethodImpl(Apart)] internal static int mtoken_watcher_add(IntPtr watcher, mtoken_watched* items, ulong count, mtoken_error** out_error) { return C.mtoken_watcher_add(watcher, items, count, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_watcher_remove(IntPtr watcher, mtoken_watched* items, ulong count, mtoken_error** out_error) { return C.mtoken_watcher_remove(watcher, items, count, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_watcher_remove_all(IntPtr watcher, mtoken_error** out_error) { return C.mtoken_watcher_remove_all(watcher, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_watcher_list(IntPtr watcher, mtoken_watched_list** out_list, mtoken_error** out_error) { return C.mtoken_watcher_list(watcher, out_list, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_watched_list_free(mtoken_watched_list* list) { C.mtoken_watched_list_free(list); }
        [MethodImpl(Apart)] internal static int mtoken_watcher_set_clock(IntPtr watcher, int own_clock, long offset_ms, mtoken_error** out_error) { return C.mtoken_watcher_set_clock(watcher, own_clock, offset_ms, out_error); }
        [MethodImpl(Apart)] internal static IntPtr mtoken_event_take_challenge(mtoken_event* received) { return C.mtoken_event_take_challenge(received); }
        [MethodImpl(Apart)] internal static void mtoken_event_free(mtoken_event* received) { C.mtoken_event_free(received); }
        [MethodImpl(Apart)] internal static int mtoken_runtime_new(mtoken_runtime_options* options, IntPtr* out_runtime, mtoken_error** out_error) { return C.mtoken_runtime_new(options, out_runtime, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_runtime_free(IntPtr runtime) { C.mtoken_runtime_free(runtime); }
        [MethodImpl(Apart)] internal static int mtoken_runtime_next_event(IntPtr runtime, long timeout_ms, mtoken_event** out_event, mtoken_error** out_error) { return C.mtoken_runtime_next_event(runtime, timeout_ms, out_event, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_runtime_interrupt(IntPtr runtime, mtoken_error** out_error) { return C.mtoken_runtime_interrupt(runtime, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_runtime_get_info(IntPtr runtime, mtoken_runtime_info** out_info, mtoken_error** out_error) { return C.mtoken_runtime_get_info(runtime, out_info, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_runtime_info_free(mtoken_runtime_info* info) { C.mtoken_runtime_info_free(info); }
        [MethodImpl(Apart)] internal static int mtoken_runtime_fd(IntPtr runtime) { return C.mtoken_runtime_fd(runtime); }
        [MethodImpl(Apart)] internal static int mtoken_task_wait(IntPtr task, long timeout_ms) { return C.mtoken_task_wait(task, timeout_ms); }
        [MethodImpl(Apart)] internal static int mtoken_task_join(IntPtr task, long timeout_ms, mtoken_error** out_error) { return C.mtoken_task_join(task, timeout_ms, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_task_notify(IntPtr task, ulong tag, mtoken_error** out_error) { return C.mtoken_task_notify(task, tag, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_task_get_state(IntPtr task) { return C.mtoken_task_get_state(task); }
        [MethodImpl(Apart)] internal static int mtoken_task_result(IntPtr task) { return C.mtoken_task_result(task); }
        [MethodImpl(Apart)] internal static mtoken_error* mtoken_task_error(IntPtr task) { return C.mtoken_task_error(task); }
        [MethodImpl(Apart)] internal static int mtoken_task_cancel(IntPtr task) { return C.mtoken_task_cancel(task); }
        [MethodImpl(Apart)] internal static int mtoken_task_set_user_data(IntPtr task, void* user_data) { return C.mtoken_task_set_user_data(task, user_data); }
        [MethodImpl(Apart)] internal static void* mtoken_task_user_data(IntPtr task) { return C.mtoken_task_user_data(task); }
        [MethodImpl(Apart)] internal static void mtoken_task_free(IntPtr task) { C.mtoken_task_free(task); }
        [MethodImpl(Apart)] internal static int mtoken_store_directory_new(byte* path, ulong path_length, IntPtr* out_store, mtoken_error** out_error) { return C.mtoken_store_directory_new(path, path_length, out_store, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_store_memory_new(IntPtr* out_store, mtoken_error** out_error) { return C.mtoken_store_memory_new(out_store, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_store_host_new(mtoken_host_store* host, IntPtr* out_store, mtoken_error** out_error) { return C.mtoken_store_host_new(host, out_store, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_store_reply_set(IntPtr reply, byte* bytes, ulong length) { return C.mtoken_store_reply_set(reply, bytes, length); }
        [MethodImpl(Apart)] internal static int mtoken_store_names_add(IntPtr names, byte* name, ulong name_length) { return C.mtoken_store_names_add(names, name, name_length); }
        [MethodImpl(Apart)] internal static int mtoken_store_clients(IntPtr store, mtoken_store_list** out_list, mtoken_error** out_error) { return C.mtoken_store_clients(store, out_list, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_store_list_free(mtoken_store_list* list) { C.mtoken_store_list_free(list); }
        [MethodImpl(Apart)] internal static int mtoken_store_remove(IntPtr store, byte* id, ulong id_length, mtoken_error** out_error) { return C.mtoken_store_remove(store, id, id_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_store_copy(IntPtr store, byte* id, ulong id_length, IntPtr target, byte* target_id, ulong target_id_length, mtoken_error** out_error) { return C.mtoken_store_copy(store, id, id_length, target, target_id, target_id_length, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_store_free(IntPtr store) { C.mtoken_store_free(store); }
        [MethodImpl(Apart)] internal static int mtoken_sealer_host_new(mtoken_host_sealer* host, IntPtr* out_sealer, mtoken_error** out_error) { return C.mtoken_sealer_host_new(host, out_sealer, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_sealer_open(byte* name, ulong name_length, mtoken_sealer_options* options, IntPtr* out_sealer, mtoken_error** out_error) { return C.mtoken_sealer_open(name, name_length, options, out_sealer, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_sealer_seal(IntPtr sealer, byte* label, ulong label_length, byte* bytes, ulong bytes_length, mtoken_bytes** out_bytes, mtoken_error** out_error) { return C.mtoken_sealer_seal(sealer, label, label_length, bytes, bytes_length, out_bytes, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_sealer_unseal(IntPtr sealer, byte* label, ulong label_length, byte* form, ulong form_length, mtoken_bytes** out_bytes, mtoken_error** out_error) { return C.mtoken_sealer_unseal(sealer, label, label_length, form, form_length, out_bytes, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_sealer_free(IntPtr sealer) { C.mtoken_sealer_free(sealer); }
        [MethodImpl(Apart)] internal static int mtoken_client_reseal(IntPtr client, IntPtr sealer, mtoken_error** out_error) { return C.mtoken_client_reseal(client, sealer, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_encrypt(IntPtr client, byte* body, ulong body_length, mtoken_encrypt_options* options, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_encrypt(client, body, body_length, options, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_encrypted_request* mtoken_task_encrypted_request(IntPtr task) { return C.mtoken_task_encrypted_request(task); }
        [MethodImpl(Apart)] internal static int mtoken_task_decrypt(IntPtr task, byte* answer, ulong answer_length, mtoken_bytes** out_bytes, mtoken_error** out_error) { return C.mtoken_task_decrypt(task, answer, answer_length, out_bytes, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_hmac(IntPtr client, int scope, byte* bytes, ulong bytes_length, mtoken_bytes** out_mac, mtoken_error** out_error) { return C.mtoken_client_hmac(client, scope, bytes, bytes_length, out_mac, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_fetch_user_info(IntPtr client, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_fetch_user_info(client, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_user_info* mtoken_task_user_info(IntPtr task) { return C.mtoken_task_user_info(task); }
        [MethodImpl(Apart)] internal static int mtoken_activation_code_parse(byte* text, ulong text_length, mtoken_activation_code** out_code, mtoken_error** out_error) { return C.mtoken_activation_code_parse(text, text_length, out_code, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_activation_code_free(mtoken_activation_code* code) { C.mtoken_activation_code_free(code); }
        [MethodImpl(Apart)] internal static uint mtoken_activation_code_correct(uint character) { return C.mtoken_activation_code_correct(character); }
        [MethodImpl(Apart)] internal static int mtoken_recovery_code_is_valid(byte* text, ulong text_length) { return C.mtoken_recovery_code_is_valid(text, text_length); }
        [MethodImpl(Apart)] internal static int mtoken_recovery_puk_is_valid(byte* text, ulong text_length) { return C.mtoken_recovery_puk_is_valid(text, text_length); }
        [MethodImpl(Apart)] internal static int mtoken_client_activate(IntPtr client, mtoken_activation_options* options, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_activate(client, options, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_activation* mtoken_task_activation(IntPtr task) { return C.mtoken_task_activation(task); }
        [MethodImpl(Apart)] internal static int mtoken_client_persist(IntPtr client, mtoken_auth* auth, mtoken_error** out_error) { return C.mtoken_client_persist(client, auth, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_import_upstream(IntPtr client, byte* state, ulong state_length, byte* possession_key, ulong possession_key_length, mtoken_error** out_error) { return C.mtoken_client_import_upstream(client, state, state_length, possession_key, possession_key_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_cancel_activation(IntPtr client, mtoken_error** out_error) { return C.mtoken_client_cancel_activation(client, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_fetch_status(IntPtr client, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_fetch_status(client, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_wait_active(IntPtr client, mtoken_wait_options* options, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_wait_active(client, options, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_activation_status* mtoken_task_activation_status(IntPtr task) { return C.mtoken_task_activation_status(task); }
        [MethodImpl(Apart)] internal static int mtoken_client_fetch_detail(IntPtr client, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_fetch_detail(client, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_activation_detail* mtoken_task_activation_detail(IntPtr task) { return C.mtoken_task_activation_detail(task); }
        [MethodImpl(Apart)] internal static int mtoken_client_rename(IntPtr client, byte* name, ulong name_length, int order, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_rename(client, name, name_length, order, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_upgrade(IntPtr client, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_upgrade(client, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_fetch_config(IntPtr client, int scope, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_fetch_config(client, scope, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_config* mtoken_task_config(IntPtr task) { return C.mtoken_task_config(task); }
        [MethodImpl(Apart)] internal static int mtoken_client_remove(IntPtr client, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_remove(client, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_remove_local(IntPtr client, mtoken_error** out_error) { return C.mtoken_client_remove_local(client, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_pin_inspect(byte* pin, ulong pin_length) { return C.mtoken_pin_inspect(pin, pin_length); }
        [MethodImpl(Apart)] internal static int mtoken_client_validate_pin(IntPtr client, byte* pin, ulong pin_length, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_validate_pin(client, pin, pin_length, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_change_pin(IntPtr client, byte* old_pin, ulong old_pin_length, byte* new_pin, ulong new_pin_length, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_change_pin(client, old_pin, old_pin_length, new_pin, new_pin_length, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_change_pin_unsafe(IntPtr client, byte* old_pin, ulong old_pin_length, byte* new_pin, ulong new_pin_length, mtoken_error** out_error) { return C.mtoken_client_change_pin_unsafe(client, old_pin, old_pin_length, new_pin, new_pin_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_add_biometry(IntPtr client, byte* key, ulong key_length, byte* authenticator, ulong authenticator_length, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_add_biometry(client, key, key_length, authenticator, authenticator_length, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_remove_biometry(IntPtr client, byte* authenticator, ulong authenticator_length, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_remove_biometry(client, authenticator, authenticator_length, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_set_external_key(IntPtr client, byte* key, ulong key_length, mtoken_error** out_error) { return C.mtoken_client_set_external_key(client, key, key_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_add_external_key(IntPtr client, byte* key, ulong key_length, mtoken_error** out_error) { return C.mtoken_client_add_external_key(client, key, key_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_remove_external_key(IntPtr client, mtoken_error** out_error) { return C.mtoken_client_remove_external_key(client, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_new(IntPtr runtime, mtoken_client_options* options, IntPtr* out_client, mtoken_error** out_error) { return C.mtoken_client_new(runtime, options, out_client, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_with_options(IntPtr client, mtoken_call_options* options, IntPtr* out_client, mtoken_error** out_error) { return C.mtoken_client_with_options(client, options, out_client, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_set_language(IntPtr client, byte* language, ulong language_length, mtoken_error** out_error) { return C.mtoken_client_set_language(client, language, language_length, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_client_free(IntPtr client) { C.mtoken_client_free(client); }
        [MethodImpl(Apart)] internal static int mtoken_client_get_info(IntPtr client, mtoken_client_info** out_info, mtoken_error** out_error) { return C.mtoken_client_get_info(client, out_info, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_client_info_free(mtoken_client_info* info) { C.mtoken_client_info_free(info); }
        [MethodImpl(Apart)] internal static int mtoken_client_synchronize_time(IntPtr client, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_synchronize_time(client, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_reset_time(IntPtr client, mtoken_error** out_error) { return C.mtoken_client_reset_time(client, out_error); }
        [MethodImpl(Apart)] internal static mtoken_bytes* mtoken_task_bytes(IntPtr task) { return C.mtoken_task_bytes(task); }
        [MethodImpl(Apart)] internal static int mtoken_vault_fetch_key(IntPtr client, ulong index, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_vault_fetch_key(client, index, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_vault_fetch_key_of(IntPtr client, int key, ulong index, ulong size, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_vault_fetch_key_of(client, key, index, size, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_vault_sign(IntPtr client, byte* bytes, ulong bytes_length, int form, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_vault_sign(client, bytes, bytes_length, form, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_vault_sign_ml_dsa(IntPtr client, byte* bytes, ulong bytes_length, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_vault_sign_ml_dsa(client, bytes, bytes_length, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_vault_sign_jwt(IntPtr client, byte* claims, ulong claims_length, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_vault_sign_jwt(client, claims, claims_length, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_public_key(IntPtr client, mtoken_bytes** out_bytes, mtoken_error** out_error) { return C.mtoken_client_public_key(client, out_bytes, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_client_sign_csr(IntPtr client, mtoken_csr_options* options, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_client_sign_csr(client, options, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_recovery_fetch(IntPtr client, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_recovery_fetch(client, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_recovery* mtoken_task_recovery(IntPtr task) { return C.mtoken_task_recovery(task); }
        [MethodImpl(Apart)] internal static int mtoken_recovery_confirm(IntPtr client, byte* code, ulong code_length, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_recovery_confirm(client, code, code_length, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_task_already_confirmed(IntPtr task) { return C.mtoken_task_already_confirmed(task); }
        [MethodImpl(Apart)] internal static int mtoken_token_create(IntPtr client, byte* name, ulong name_length, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_token_create(client, name, name_length, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_token_get_header(IntPtr client, byte* name, ulong name_length, mtoken_header** out_header, mtoken_error** out_error) { return C.mtoken_token_get_header(client, name, name_length, out_header, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_token_fetch_header(IntPtr client, mtoken_token_options* options, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_token_fetch_header(client, options, auth, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_header* mtoken_task_header(IntPtr task) { return C.mtoken_task_header(task); }
        [MethodImpl(Apart)] internal static int mtoken_token_is_stored(IntPtr client, byte* name, ulong name_length) { return C.mtoken_token_is_stored(client, name, name_length); }
        [MethodImpl(Apart)] internal static int mtoken_token_remove(IntPtr client, byte* name, ulong name_length, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_token_remove(client, name, name_length, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_token_forget(IntPtr client, byte* name, ulong name_length, mtoken_error** out_error) { return C.mtoken_token_forget(client, name, name_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_qr_operation_parse(byte* payload, ulong payload_length, mtoken_qr_options* options, mtoken_qr_operation** out_operation, mtoken_error** out_error) { return C.mtoken_qr_operation_parse(payload, payload_length, options, out_operation, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_qr_operation_free(mtoken_qr_operation* operation) { C.mtoken_qr_operation_free(operation); }
        [MethodImpl(Apart)] internal static int mtoken_qr_authorize(IntPtr client, mtoken_qr_operation* operation, mtoken_auth* auth, mtoken_qr_authorize_options* options, mtoken_text** out_code, mtoken_error** out_error) { return C.mtoken_qr_authorize(client, operation, auth, options, out_code, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_qr_code_group(byte* code, ulong code_length, mtoken_text** out_grouped, mtoken_error** out_error) { return C.mtoken_qr_code_group(code, code_length, out_grouped, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_qr_operation_build(mtoken_qr_build_options* options, mtoken_text** out_payload, mtoken_error** out_error) { return C.mtoken_qr_operation_build(options, out_payload, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_pac_parse(byte* code, ulong code_length, int source, mtoken_pac_options* options, mtoken_pac** out_pac, mtoken_error** out_error) { return C.mtoken_pac_parse(code, code_length, source, options, out_pac, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_pac_free(mtoken_pac* pac) { C.mtoken_pac_free(pac); }
        [MethodImpl(Apart)] internal static int mtoken_pac_matches(mtoken_pac* pac, mtoken_operation* operation) { return C.mtoken_pac_matches(pac, operation); }
        [MethodImpl(Apart)] internal static mtoken_operation* mtoken_pac_find(mtoken_pac* pac, mtoken_operation_list* list) { return C.mtoken_pac_find(pac, list); }
        [MethodImpl(Apart)] internal static int mtoken_pac_build(mtoken_pac_build_options* options, mtoken_text** out_code, mtoken_error** out_error) { return C.mtoken_pac_build(options, out_code, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_totp(byte* seed, ulong seed_length, long time, int step_s, int digits, int hash, mtoken_text** out_totp, mtoken_error** out_error) { return C.mtoken_totp(seed, seed_length, time, step_s, digits, hash, out_totp, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_oidc_fetch_config(IntPtr client, byte* provider_id, ulong provider_id_length, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_oidc_fetch_config(client, provider_id, provider_id_length, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_oidc_config* mtoken_task_oidc_config(IntPtr task) { return C.mtoken_task_oidc_config(task); }
        [MethodImpl(Apart)] internal static int mtoken_oidc_discover(IntPtr client, mtoken_oidc_options* options, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_oidc_discover(client, options, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_oidc_prepare(mtoken_oidc_options* options, IntPtr* out_request, mtoken_error** out_error) { return C.mtoken_oidc_prepare(options, out_request, out_error); }
        [MethodImpl(Apart)] internal static mtoken_oidc_authorization* mtoken_oidc_request_get_authorization(IntPtr request) { return C.mtoken_oidc_request_get_authorization(request); }
        [MethodImpl(Apart)] internal static int mtoken_oidc_process(IntPtr request, byte* callback, ulong callback_length, mtoken_oidc_attributes** out_attributes, mtoken_error** out_error) { return C.mtoken_oidc_process(request, callback, callback_length, out_attributes, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_oidc_listen(IntPtr runtime, mtoken_oidc_options* options, IntPtr* out_request, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_oidc_listen(runtime, options, out_request, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_oidc_attributes* mtoken_task_oidc_attributes(IntPtr task) { return C.mtoken_task_oidc_attributes(task); }
        [MethodImpl(Apart)] internal static void mtoken_oidc_request_free(IntPtr request) { C.mtoken_oidc_request_free(request); }
        [MethodImpl(Apart)] internal static int mtoken_push_register(IntPtr client, mtoken_push_options* options, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_push_register(client, options, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_push_is_registered(IntPtr client) { return C.mtoken_push_is_registered(client); }
        [MethodImpl(Apart)] internal static int mtoken_push_parse(byte* payload, ulong payload_length, mtoken_push_message** out_message, mtoken_error** out_error) { return C.mtoken_push_parse(payload, payload_length, out_message, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_runtime_route_push(IntPtr runtime, byte* payload, ulong payload_length, mtoken_push_message** out_message, mtoken_error** out_error) { return C.mtoken_runtime_route_push(runtime, payload, payload_length, out_message, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_push_message_free(mtoken_push_message* message) { C.mtoken_push_message_free(message); }
        [MethodImpl(Apart)] internal static int mtoken_inbox_count(IntPtr client, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_inbox_count(client, out_task, out_error); }
        [MethodImpl(Apart)] internal static long mtoken_task_inbox_count(IntPtr task) { return C.mtoken_task_inbox_count(task); }
        [MethodImpl(Apart)] internal static int mtoken_inbox_list_page(IntPtr client, int page, int page_size, int only_unread, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_inbox_list_page(client, page, page_size, only_unread, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_inbox_list_all(IntPtr client, int page_size, int limit, int only_unread, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_inbox_list_all(client, page_size, limit, only_unread, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_inbox_list* mtoken_task_inbox_list(IntPtr task) { return C.mtoken_task_inbox_list(task); }
        [MethodImpl(Apart)] internal static int mtoken_inbox_detail(IntPtr client, byte* id, ulong id_length, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_inbox_detail(client, id, id_length, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_inbox_message* mtoken_task_inbox_message(IntPtr task) { return C.mtoken_task_inbox_message(task); }
        [MethodImpl(Apart)] internal static int mtoken_inbox_mark_read(IntPtr client, byte* id, ulong id_length, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_inbox_mark_read(client, id, id_length, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_inbox_mark_all_read(IntPtr client, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_inbox_mark_all_read(client, out_task, out_error); }
        [MethodImpl(Apart)] internal static byte* mtoken_mobile_auth_error_name(int error) { return C.mtoken_mobile_auth_error_name(error); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_auth_from_push(IntPtr client, byte* payload, ulong payload_length, mtoken_mobile_auth_request** out_request, mtoken_error** out_error) { return C.mtoken_mobile_auth_from_push(client, payload, payload_length, out_request, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_mobile_auth_request_free(mtoken_mobile_auth_request* request) { C.mtoken_mobile_auth_request_free(request); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_auth_pending(IntPtr client, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_mobile_auth_pending(client, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_mobile_auth_list* mtoken_task_mobile_auth_list(IntPtr task) { return C.mtoken_task_mobile_auth_list(task); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_auth_handle(IntPtr client, byte* transaction_id, ulong transaction_id_length, mtoken_mobile_auth_options* options, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_mobile_auth_handle(client, transaction_id, transaction_id_length, options, out_task, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_auth_handle_push(IntPtr client, byte* payload, ulong payload_length, mtoken_mobile_auth_options* options, IntPtr* out_task, mtoken_error** out_error) { return C.mtoken_mobile_auth_handle_push(client, payload, payload_length, options, out_task, out_error); }
        [MethodImpl(Apart)] internal static mtoken_mobile_auth_outcome* mtoken_task_mobile_auth(IntPtr task) { return C.mtoken_task_mobile_auth(task); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_auth_register_authenticator(IntPtr client, byte* name, ulong name_length, byte* key, ulong key_length, mtoken_error** out_error) { return C.mtoken_mobile_auth_register_authenticator(client, name, name_length, key, key_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_auth_unregister_authenticator(IntPtr client, byte* name, ulong name_length, mtoken_error** out_error) { return C.mtoken_mobile_auth_unregister_authenticator(client, name, name_length, out_error); }
        [MethodImpl(Apart)] internal static mtoken_challenge_info* mtoken_challenge_get_info(IntPtr challenge) { return C.mtoken_challenge_get_info(challenge); }
        [MethodImpl(Apart)] internal static IntPtr mtoken_challenge_client(IntPtr challenge) { return C.mtoken_challenge_client(challenge); }
        [MethodImpl(Apart)] internal static IntPtr mtoken_challenge_task(IntPtr challenge) { return C.mtoken_challenge_task(challenge); }
        [MethodImpl(Apart)] internal static int mtoken_challenge_confirm(IntPtr challenge, mtoken_error** out_error) { return C.mtoken_challenge_confirm(challenge, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_challenge_deny(IntPtr challenge, byte* reason, ulong reason_length, mtoken_error** out_error) { return C.mtoken_challenge_deny(challenge, reason, reason_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_challenge_pin(IntPtr challenge, byte* pin, ulong pin_length, mtoken_error** out_error) { return C.mtoken_challenge_pin(challenge, pin, pin_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_challenge_biometric(IntPtr challenge, byte* key, ulong key_length, mtoken_error** out_error) { return C.mtoken_challenge_biometric(challenge, key, key_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_challenge_custom(IntPtr challenge, byte* key, ulong key_length, byte* info, ulong info_length, mtoken_error** out_error) { return C.mtoken_challenge_custom(challenge, key, key_length, info, info_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_challenge_proximity(IntPtr challenge, byte* otp, ulong otp_length, int source, long received, mtoken_error** out_error) { return C.mtoken_challenge_proximity(challenge, otp, otp_length, source, received, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_challenge_use_pin(IntPtr challenge, byte* custom_info, ulong custom_info_length, mtoken_error** out_error) { return C.mtoken_challenge_use_pin(challenge, custom_info, custom_info_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_challenge_cancel(IntPtr challenge, mtoken_error** out_error) { return C.mtoken_challenge_cancel(challenge, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_challenge_free(IntPtr challenge) { C.mtoken_challenge_free(challenge); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_token_data_new(byte* initial, ulong initial_length, IntPtr* out_builder, mtoken_error** out_error) { return C.mtoken_mobile_token_data_new(initial, initial_length, out_builder, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_mobile_token_data_free(IntPtr builder) { C.mtoken_mobile_token_data_free(builder); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_token_data_put(IntPtr builder, byte* key, ulong key_length, byte* json, ulong json_length, mtoken_error** out_error) { return C.mtoken_mobile_token_data_put(builder, key, key_length, json, json_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_token_data_put_text(IntPtr builder, byte* key, ulong key_length, byte* text, ulong text_length, mtoken_error** out_error) { return C.mtoken_mobile_token_data_put_text(builder, key, key_length, text, text_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_token_data_put_recorder(IntPtr builder, IntPtr recorder, mtoken_error** out_error) { return C.mtoken_mobile_token_data_put_recorder(builder, recorder, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_token_data_remove(IntPtr builder, byte* key, ulong key_length) { return C.mtoken_mobile_token_data_remove(builder, key, key_length); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_token_data_clear(IntPtr builder, mtoken_error** out_error) { return C.mtoken_mobile_token_data_clear(builder, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_mobile_token_data_build(IntPtr builder, mtoken_text** out_json, mtoken_error** out_error) { return C.mtoken_mobile_token_data_build(builder, out_json, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_recorder_new(IntPtr client, IntPtr* out_recorder, mtoken_error** out_error) { return C.mtoken_recorder_new(client, out_recorder, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_recorder_free(IntPtr recorder) { C.mtoken_recorder_free(recorder); }
        [MethodImpl(Apart)] internal static int mtoken_recorder_begin(IntPtr recorder, byte* screen, ulong screen_length, mtoken_error** out_error) { return C.mtoken_recorder_begin(recorder, screen, screen_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_recorder_end(IntPtr recorder, byte* screen, ulong screen_length, byte* action, ulong action_length, mtoken_error** out_error) { return C.mtoken_recorder_end(recorder, screen, screen_length, action, action_length, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_recorder_reset(IntPtr recorder, mtoken_error** out_error) { return C.mtoken_recorder_reset(recorder, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_recorder_build(IntPtr recorder, mtoken_text** out_json, mtoken_error** out_error) { return C.mtoken_recorder_build(recorder, out_json, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_visual_new(mtoken_operation* operation, mtoken_visual** out_visual, mtoken_error** out_error) { return C.mtoken_visual_new(operation, out_visual, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_visual_free(mtoken_visual* visual) { C.mtoken_visual_free(visual); }
        [MethodImpl(Apart)] internal static int mtoken_json_find(byte* json, ulong json_length, byte* path, ulong path_length, mtoken_json_value** out_value, mtoken_error** out_error) { return C.mtoken_json_find(json, json_length, path, path_length, out_value, out_error); }
        [MethodImpl(Apart)] internal static void mtoken_json_value_free(mtoken_json_value* value) { C.mtoken_json_value_free(value); }
        [MethodImpl(Apart)] internal static int mtoken_request_respond(IntPtr runtime, long id, mtoken_http_response* response, mtoken_error** out_error) { return C.mtoken_request_respond(runtime, id, response, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_request_fail(IntPtr runtime, long id, int outcome, int network_fault, int tls_fault, mtoken_error** out_error) { return C.mtoken_request_fail(runtime, id, outcome, network_fault, tls_fault, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_random_bytes(ulong length, mtoken_bytes** out_bytes, mtoken_error** out_error) { return C.mtoken_random_bytes(length, out_bytes, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_sha256(byte* bytes, ulong bytes_length, mtoken_bytes** out_hash, mtoken_error** out_error) { return C.mtoken_sha256(bytes, bytes_length, out_hash, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_hmac_sha256(byte* key, ulong key_length, byte* bytes, ulong bytes_length, mtoken_bytes** out_mac, mtoken_error** out_error) { return C.mtoken_hmac_sha256(key, key_length, bytes, bytes_length, out_mac, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_key_pair_new(mtoken_bytes** out_private_key, mtoken_bytes** out_public_key, mtoken_error** out_error) { return C.mtoken_key_pair_new(out_private_key, out_public_key, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_ecdsa_sign(byte* private_key, ulong private_key_length, byte* bytes, ulong bytes_length, int form, mtoken_bytes** out_signature, mtoken_error** out_error) { return C.mtoken_ecdsa_sign(private_key, private_key_length, bytes, bytes_length, form, out_signature, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_ecdsa_verify(mtoken_ecdsa_verify_options* options, int* out_is_valid, mtoken_error** out_error) { return C.mtoken_ecdsa_verify(options, out_is_valid, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_ecdh(byte* private_key, ulong private_key_length, byte* public_key, ulong public_key_length, mtoken_bytes** out_secret, mtoken_error** out_error) { return C.mtoken_ecdh(private_key, private_key_length, public_key, public_key_length, out_secret, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_oidc_pkce(ulong byte_count, mtoken_text** out_verifier, mtoken_text** out_challenge, mtoken_error** out_error) { return C.mtoken_oidc_pkce(byte_count, out_verifier, out_challenge, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_oidc_challenge(byte* verifier, ulong verifier_length, mtoken_text** out_challenge, mtoken_error** out_error) { return C.mtoken_oidc_challenge(verifier, verifier_length, out_challenge, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_oidc_random(ulong byte_count, mtoken_text** out_text, mtoken_error** out_error) { return C.mtoken_oidc_random(byte_count, out_text, out_error); }
        [MethodImpl(Apart)] internal static int mtoken_oidc_authorization_url(mtoken_oidc_url_options* options, mtoken_text** out_url, mtoken_error** out_error) { return C.mtoken_oidc_authorization_url(options, out_url, out_error); }

        private static class C
        {
            [DllImport(Library)] internal static extern void mtoken_text_free(mtoken_text* text);
            [DllImport(Library)] internal static extern void mtoken_bytes_free(mtoken_bytes* bytes);
            [DllImport(Library)] internal static extern byte* mtoken_version();
            [DllImport(Library)] internal static extern uint mtoken_version_number();
            [DllImport(Library)] internal static extern int mtoken_abi_version();
            [DllImport(Library)] internal static extern int mtoken_constant_value(byte* name, ulong name_length, long* out_value);
            [DllImport(Library)] internal static extern byte* mtoken_constant_at(ulong index, long* out_value);
            [DllImport(Library)] internal static extern void mtoken_error_free(mtoken_error* error);
            [DllImport(Library)] internal static extern int mtoken_error_is_operation_over(mtoken_error* error);
            [DllImport(Library)] internal static extern byte* mtoken_server_code_name(int code);
            [DllImport(Library)] internal static extern byte* mtoken_error_name(int code);
            [DllImport(Library)] internal static extern byte* mtoken_error_description(int code);
            [DllImport(Library)] internal static extern int mtoken_operation_fields_parse(byte* text, ulong text_length, mtoken_operation_fields** out_fields, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operation_fields_build(int version, int template_id, mtoken_field_input* fields, ulong field_count, mtoken_text** out_text, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_operation_fields_free(mtoken_operation_fields* fields);
            [DllImport(Library)] internal static extern void mtoken_header_free(mtoken_header* header);
            [DllImport(Library)] internal static extern int mtoken_client_sign(IntPtr client, mtoken_sign_options* options, mtoken_auth* auth, mtoken_header** out_header, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_signature_accepted(IntPtr client, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_take_turn(IntPtr client, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_task_give_turn(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_canonical_query(byte* query, ulong query_length, mtoken_text** out_canonical, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_sign_offline(IntPtr client, mtoken_sign_offline_options* options, mtoken_auth* auth, mtoken_text** out_code, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_verify(IntPtr client, mtoken_verify_options* options, int* out_is_valid, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operations_list(IntPtr client, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operations_history(IntPtr client, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_operation_list* mtoken_task_operations(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_operations_detail(IntPtr client, byte* id, ulong id_length, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operations_claim(IntPtr client, byte* id, ulong id_length, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_operation* mtoken_task_operation(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_operations_authorize(IntPtr client, mtoken_operation* operation, mtoken_auth* auth, mtoken_authorize_options* options, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operations_authorize_data(IntPtr client, mtoken_operation_options* operation, mtoken_auth* auth, mtoken_authorize_options* options, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operations_reject(IntPtr client, byte* id, ulong id_length, mtoken_reject_options* options, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operations_refresh(IntPtr client, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operations_is_loading(IntPtr client);
            [DllImport(Library)] internal static extern int mtoken_operations_get_info(IntPtr client, mtoken_operations_info** out_known, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_operations_info_free(mtoken_operations_info* known);
            [DllImport(Library)] internal static extern int mtoken_operations_attach(IntPtr client, byte* id, ulong id_length, mtoken_authorize_options* options, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operations_get_attached(IntPtr client, byte* id, ulong id_length);
            [DllImport(Library)] internal static extern int mtoken_operations_start_polling(IntPtr client, mtoken_polling_options* options, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operations_stop_polling(IntPtr client, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operations_pause_polling(IntPtr client, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operations_resume_polling(IntPtr client, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_operations_get_polling(IntPtr client);
            [DllImport(Library)] internal static extern int mtoken_watcher_new(IntPtr client, IntPtr* out_watcher, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_watcher_free(IntPtr watcher);
            [DllImport(Library)] internal static extern int mtoken_watcher_add(IntPtr watcher, mtoken_watched* items, ulong count, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_watcher_remove(IntPtr watcher, mtoken_watched* items, ulong count, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_watcher_remove_all(IntPtr watcher, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_watcher_list(IntPtr watcher, mtoken_watched_list** out_list, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_watched_list_free(mtoken_watched_list* list);
            [DllImport(Library)] internal static extern int mtoken_watcher_set_clock(IntPtr watcher, int own_clock, long offset_ms, mtoken_error** out_error);
            [DllImport(Library)] internal static extern IntPtr mtoken_event_take_challenge(mtoken_event* received);
            [DllImport(Library)] internal static extern void mtoken_event_free(mtoken_event* received);
            [DllImport(Library)] internal static extern int mtoken_runtime_new(mtoken_runtime_options* options, IntPtr* out_runtime, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_runtime_free(IntPtr runtime);
            [DllImport(Library)] internal static extern int mtoken_runtime_next_event(IntPtr runtime, long timeout_ms, mtoken_event** out_event, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_runtime_interrupt(IntPtr runtime, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_runtime_get_info(IntPtr runtime, mtoken_runtime_info** out_info, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_runtime_info_free(mtoken_runtime_info* info);
            [DllImport(Library)] internal static extern int mtoken_runtime_fd(IntPtr runtime);
            [DllImport(Library)] internal static extern int mtoken_task_wait(IntPtr task, long timeout_ms);
            [DllImport(Library)] internal static extern int mtoken_task_join(IntPtr task, long timeout_ms, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_task_notify(IntPtr task, ulong tag, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_task_get_state(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_task_result(IntPtr task);
            [DllImport(Library)] internal static extern mtoken_error* mtoken_task_error(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_task_cancel(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_task_set_user_data(IntPtr task, void* user_data);
            [DllImport(Library)] internal static extern void* mtoken_task_user_data(IntPtr task);
            [DllImport(Library)] internal static extern void mtoken_task_free(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_store_directory_new(byte* path, ulong path_length, IntPtr* out_store, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_store_memory_new(IntPtr* out_store, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_store_host_new(mtoken_host_store* host, IntPtr* out_store, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_store_reply_set(IntPtr reply, byte* bytes, ulong length);
            [DllImport(Library)] internal static extern int mtoken_store_names_add(IntPtr names, byte* name, ulong name_length);
            [DllImport(Library)] internal static extern int mtoken_store_clients(IntPtr store, mtoken_store_list** out_list, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_store_list_free(mtoken_store_list* list);
            [DllImport(Library)] internal static extern int mtoken_store_remove(IntPtr store, byte* id, ulong id_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_store_copy(IntPtr store, byte* id, ulong id_length, IntPtr target, byte* target_id, ulong target_id_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_store_free(IntPtr store);
            [DllImport(Library)] internal static extern int mtoken_sealer_host_new(mtoken_host_sealer* host, IntPtr* out_sealer, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_sealer_open(byte* name, ulong name_length, mtoken_sealer_options* options, IntPtr* out_sealer, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_sealer_seal(IntPtr sealer, byte* label, ulong label_length, byte* bytes, ulong bytes_length, mtoken_bytes** out_bytes, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_sealer_unseal(IntPtr sealer, byte* label, ulong label_length, byte* form, ulong form_length, mtoken_bytes** out_bytes, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_sealer_free(IntPtr sealer);
            [DllImport(Library)] internal static extern int mtoken_client_reseal(IntPtr client, IntPtr sealer, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_encrypt(IntPtr client, byte* body, ulong body_length, mtoken_encrypt_options* options, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_encrypted_request* mtoken_task_encrypted_request(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_task_decrypt(IntPtr task, byte* answer, ulong answer_length, mtoken_bytes** out_bytes, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_hmac(IntPtr client, int scope, byte* bytes, ulong bytes_length, mtoken_bytes** out_mac, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_fetch_user_info(IntPtr client, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_user_info* mtoken_task_user_info(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_activation_code_parse(byte* text, ulong text_length, mtoken_activation_code** out_code, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_activation_code_free(mtoken_activation_code* code);
            [DllImport(Library)] internal static extern uint mtoken_activation_code_correct(uint character);
            [DllImport(Library)] internal static extern int mtoken_recovery_code_is_valid(byte* text, ulong text_length);
            [DllImport(Library)] internal static extern int mtoken_recovery_puk_is_valid(byte* text, ulong text_length);
            [DllImport(Library)] internal static extern int mtoken_client_activate(IntPtr client, mtoken_activation_options* options, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_activation* mtoken_task_activation(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_client_persist(IntPtr client, mtoken_auth* auth, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_import_upstream(IntPtr client, byte* state, ulong state_length, byte* possession_key, ulong possession_key_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_cancel_activation(IntPtr client, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_fetch_status(IntPtr client, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_wait_active(IntPtr client, mtoken_wait_options* options, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_activation_status* mtoken_task_activation_status(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_client_fetch_detail(IntPtr client, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_activation_detail* mtoken_task_activation_detail(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_client_rename(IntPtr client, byte* name, ulong name_length, int order, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_upgrade(IntPtr client, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_fetch_config(IntPtr client, int scope, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_config* mtoken_task_config(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_client_remove(IntPtr client, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_remove_local(IntPtr client, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_pin_inspect(byte* pin, ulong pin_length);
            [DllImport(Library)] internal static extern int mtoken_client_validate_pin(IntPtr client, byte* pin, ulong pin_length, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_change_pin(IntPtr client, byte* old_pin, ulong old_pin_length, byte* new_pin, ulong new_pin_length, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_change_pin_unsafe(IntPtr client, byte* old_pin, ulong old_pin_length, byte* new_pin, ulong new_pin_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_add_biometry(IntPtr client, byte* key, ulong key_length, byte* authenticator, ulong authenticator_length, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_remove_biometry(IntPtr client, byte* authenticator, ulong authenticator_length, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_set_external_key(IntPtr client, byte* key, ulong key_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_add_external_key(IntPtr client, byte* key, ulong key_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_remove_external_key(IntPtr client, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_new(IntPtr runtime, mtoken_client_options* options, IntPtr* out_client, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_with_options(IntPtr client, mtoken_call_options* options, IntPtr* out_client, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_set_language(IntPtr client, byte* language, ulong language_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_client_free(IntPtr client);
            [DllImport(Library)] internal static extern int mtoken_client_get_info(IntPtr client, mtoken_client_info** out_info, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_client_info_free(mtoken_client_info* info);
            [DllImport(Library)] internal static extern int mtoken_client_synchronize_time(IntPtr client, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_reset_time(IntPtr client, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_bytes* mtoken_task_bytes(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_vault_fetch_key(IntPtr client, ulong index, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_vault_fetch_key_of(IntPtr client, int key, ulong index, ulong size, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_vault_sign(IntPtr client, byte* bytes, ulong bytes_length, int form, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_vault_sign_ml_dsa(IntPtr client, byte* bytes, ulong bytes_length, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_vault_sign_jwt(IntPtr client, byte* claims, ulong claims_length, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_public_key(IntPtr client, mtoken_bytes** out_bytes, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_client_sign_csr(IntPtr client, mtoken_csr_options* options, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_recovery_fetch(IntPtr client, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_recovery* mtoken_task_recovery(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_recovery_confirm(IntPtr client, byte* code, ulong code_length, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_task_already_confirmed(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_token_create(IntPtr client, byte* name, ulong name_length, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_token_get_header(IntPtr client, byte* name, ulong name_length, mtoken_header** out_header, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_token_fetch_header(IntPtr client, mtoken_token_options* options, mtoken_auth* auth, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_header* mtoken_task_header(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_token_is_stored(IntPtr client, byte* name, ulong name_length);
            [DllImport(Library)] internal static extern int mtoken_token_remove(IntPtr client, byte* name, ulong name_length, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_token_forget(IntPtr client, byte* name, ulong name_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_qr_operation_parse(byte* payload, ulong payload_length, mtoken_qr_options* options, mtoken_qr_operation** out_operation, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_qr_operation_free(mtoken_qr_operation* operation);
            [DllImport(Library)] internal static extern int mtoken_qr_authorize(IntPtr client, mtoken_qr_operation* operation, mtoken_auth* auth, mtoken_qr_authorize_options* options, mtoken_text** out_code, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_qr_code_group(byte* code, ulong code_length, mtoken_text** out_grouped, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_qr_operation_build(mtoken_qr_build_options* options, mtoken_text** out_payload, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_pac_parse(byte* code, ulong code_length, int source, mtoken_pac_options* options, mtoken_pac** out_pac, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_pac_free(mtoken_pac* pac);
            [DllImport(Library)] internal static extern int mtoken_pac_matches(mtoken_pac* pac, mtoken_operation* operation);
            [DllImport(Library)] internal static extern mtoken_operation* mtoken_pac_find(mtoken_pac* pac, mtoken_operation_list* list);
            [DllImport(Library)] internal static extern int mtoken_pac_build(mtoken_pac_build_options* options, mtoken_text** out_code, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_totp(byte* seed, ulong seed_length, long time, int step_s, int digits, int hash, mtoken_text** out_totp, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_oidc_fetch_config(IntPtr client, byte* provider_id, ulong provider_id_length, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_oidc_config* mtoken_task_oidc_config(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_oidc_discover(IntPtr client, mtoken_oidc_options* options, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_oidc_prepare(mtoken_oidc_options* options, IntPtr* out_request, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_oidc_authorization* mtoken_oidc_request_get_authorization(IntPtr request);
            [DllImport(Library)] internal static extern int mtoken_oidc_process(IntPtr request, byte* callback, ulong callback_length, mtoken_oidc_attributes** out_attributes, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_oidc_listen(IntPtr runtime, mtoken_oidc_options* options, IntPtr* out_request, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_oidc_attributes* mtoken_task_oidc_attributes(IntPtr task);
            [DllImport(Library)] internal static extern void mtoken_oidc_request_free(IntPtr request);
            [DllImport(Library)] internal static extern int mtoken_push_register(IntPtr client, mtoken_push_options* options, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_push_is_registered(IntPtr client);
            [DllImport(Library)] internal static extern int mtoken_push_parse(byte* payload, ulong payload_length, mtoken_push_message** out_message, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_runtime_route_push(IntPtr runtime, byte* payload, ulong payload_length, mtoken_push_message** out_message, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_push_message_free(mtoken_push_message* message);
            [DllImport(Library)] internal static extern int mtoken_inbox_count(IntPtr client, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern long mtoken_task_inbox_count(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_inbox_list_page(IntPtr client, int page, int page_size, int only_unread, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_inbox_list_all(IntPtr client, int page_size, int limit, int only_unread, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_inbox_list* mtoken_task_inbox_list(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_inbox_detail(IntPtr client, byte* id, ulong id_length, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_inbox_message* mtoken_task_inbox_message(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_inbox_mark_read(IntPtr client, byte* id, ulong id_length, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_inbox_mark_all_read(IntPtr client, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern byte* mtoken_mobile_auth_error_name(int error);
            [DllImport(Library)] internal static extern int mtoken_mobile_auth_from_push(IntPtr client, byte* payload, ulong payload_length, mtoken_mobile_auth_request** out_request, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_mobile_auth_request_free(mtoken_mobile_auth_request* request);
            [DllImport(Library)] internal static extern int mtoken_mobile_auth_pending(IntPtr client, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_mobile_auth_list* mtoken_task_mobile_auth_list(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_mobile_auth_handle(IntPtr client, byte* transaction_id, ulong transaction_id_length, mtoken_mobile_auth_options* options, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_mobile_auth_handle_push(IntPtr client, byte* payload, ulong payload_length, mtoken_mobile_auth_options* options, IntPtr* out_task, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_mobile_auth_outcome* mtoken_task_mobile_auth(IntPtr task);
            [DllImport(Library)] internal static extern int mtoken_mobile_auth_register_authenticator(IntPtr client, byte* name, ulong name_length, byte* key, ulong key_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_mobile_auth_unregister_authenticator(IntPtr client, byte* name, ulong name_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern mtoken_challenge_info* mtoken_challenge_get_info(IntPtr challenge);
            [DllImport(Library)] internal static extern IntPtr mtoken_challenge_client(IntPtr challenge);
            [DllImport(Library)] internal static extern IntPtr mtoken_challenge_task(IntPtr challenge);
            [DllImport(Library)] internal static extern int mtoken_challenge_confirm(IntPtr challenge, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_challenge_deny(IntPtr challenge, byte* reason, ulong reason_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_challenge_pin(IntPtr challenge, byte* pin, ulong pin_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_challenge_biometric(IntPtr challenge, byte* key, ulong key_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_challenge_custom(IntPtr challenge, byte* key, ulong key_length, byte* info, ulong info_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_challenge_proximity(IntPtr challenge, byte* otp, ulong otp_length, int source, long received, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_challenge_use_pin(IntPtr challenge, byte* custom_info, ulong custom_info_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_challenge_cancel(IntPtr challenge, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_challenge_free(IntPtr challenge);
            [DllImport(Library)] internal static extern int mtoken_mobile_token_data_new(byte* initial, ulong initial_length, IntPtr* out_builder, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_mobile_token_data_free(IntPtr builder);
            [DllImport(Library)] internal static extern int mtoken_mobile_token_data_put(IntPtr builder, byte* key, ulong key_length, byte* json, ulong json_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_mobile_token_data_put_text(IntPtr builder, byte* key, ulong key_length, byte* text, ulong text_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_mobile_token_data_put_recorder(IntPtr builder, IntPtr recorder, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_mobile_token_data_remove(IntPtr builder, byte* key, ulong key_length);
            [DllImport(Library)] internal static extern int mtoken_mobile_token_data_clear(IntPtr builder, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_mobile_token_data_build(IntPtr builder, mtoken_text** out_json, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_recorder_new(IntPtr client, IntPtr* out_recorder, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_recorder_free(IntPtr recorder);
            [DllImport(Library)] internal static extern int mtoken_recorder_begin(IntPtr recorder, byte* screen, ulong screen_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_recorder_end(IntPtr recorder, byte* screen, ulong screen_length, byte* action, ulong action_length, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_recorder_reset(IntPtr recorder, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_recorder_build(IntPtr recorder, mtoken_text** out_json, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_visual_new(mtoken_operation* operation, mtoken_visual** out_visual, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_visual_free(mtoken_visual* visual);
            [DllImport(Library)] internal static extern int mtoken_json_find(byte* json, ulong json_length, byte* path, ulong path_length, mtoken_json_value** out_value, mtoken_error** out_error);
            [DllImport(Library)] internal static extern void mtoken_json_value_free(mtoken_json_value* value);
            [DllImport(Library)] internal static extern int mtoken_request_respond(IntPtr runtime, long id, mtoken_http_response* response, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_request_fail(IntPtr runtime, long id, int outcome, int network_fault, int tls_fault, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_random_bytes(ulong length, mtoken_bytes** out_bytes, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_sha256(byte* bytes, ulong bytes_length, mtoken_bytes** out_hash, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_hmac_sha256(byte* key, ulong key_length, byte* bytes, ulong bytes_length, mtoken_bytes** out_mac, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_key_pair_new(mtoken_bytes** out_private_key, mtoken_bytes** out_public_key, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_ecdsa_sign(byte* private_key, ulong private_key_length, byte* bytes, ulong bytes_length, int form, mtoken_bytes** out_signature, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_ecdsa_verify(mtoken_ecdsa_verify_options* options, int* out_is_valid, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_ecdh(byte* private_key, ulong private_key_length, byte* public_key, ulong public_key_length, mtoken_bytes** out_secret, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_oidc_pkce(ulong byte_count, mtoken_text** out_verifier, mtoken_text** out_challenge, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_oidc_challenge(byte* verifier, ulong verifier_length, mtoken_text** out_challenge, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_oidc_random(ulong byte_count, mtoken_text** out_text, mtoken_error** out_error);
            [DllImport(Library)] internal static extern int mtoken_oidc_authorization_url(mtoken_oidc_url_options* options, mtoken_text** out_url, mtoken_error** out_error);
        }
    }
}
