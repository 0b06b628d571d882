// Made by bindings/generate from mtoken.h. Do not edit.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Mtoken
{
    /// <summary>What needs no object.</summary>
    public static class Api
    {

        /// <summary>The version of the loaded library, as "MAJOR.MINOR.PATCH". (mtoken_version)</summary>
        public static unsafe string Version()
        {
            using (var arena = new Arena())
            {
                var result = Life.Copy(Raw.mtoken_version());
                return result;
            }
        }

        /// <summary>The version of the loaded library, in the form of MTOKEN_VERSION_NUMBER. (mtoken_version_number)</summary>
        public static unsafe uint VersionNumber()
        {
            using (var arena = new Arena())
            {
                var result = Raw.mtoken_version_number();
                return result;
            }
        }

        /// <summary>The ABI version of the loaded library. (mtoken_abi_version)</summary>
        public static unsafe int AbiVersion()
        {
            using (var arena = new Arena())
            {
                var result = Raw.mtoken_abi_version();
                return result;
            }
        }

        /// <summary>Looks up a constant of this interface by its name without the MTOKEN_ prefix, e.g. "ERROR_TIMEOUT", for languages that cannot read C headers. (mtoken_constant_value)</summary>
        public static unsafe long ConstantValue(string name)
        {
            using (var arena = new Arena())
            {
                ulong name_length;
                var name_data = arena.Text(name, out name_length);
                long out_value = 0;
                var status = Raw.mtoken_constant_value(name_data, name_length, &out_value);
                MTokenException.Check(status, null);
                return out_value;
            }
        }

        /// <summary>Returns the text of an MTOKEN_SERVER_CODE_..., e.g. "POWERAUTH_AUTH_FAIL", or NULL for 0 and unknown numbers. (mtoken_server_code_name)</summary>
        public static unsafe string ServerCodeName(ServerCode code)
        {
            using (var arena = new Arena())
            {
                var result = Life.Copy(Raw.mtoken_server_code_name((int)code));
                return result;
            }
        }

        /// <summary>Returns the name of a code, e.g. "MTOKEN_ERROR_TIMEOUT" ("MTOKEN_OK" for 0), or NULL for an unknown code. (mtoken_error_name)</summary>
        public static unsafe string ErrorName(ErrorCode code)
        {
            using (var arena = new Arena())
            {
                var result = Life.Copy(Raw.mtoken_error_name((int)code));
                return result;
            }
        }

        /// <summary>Returns one sentence that describes a code, or NULL for an unknown code. (mtoken_error_description)</summary>
        public static unsafe string ErrorDescription(ErrorCode code)
        {
            using (var arena = new Arena())
            {
                var result = Life.Copy(Raw.mtoken_error_description((int)code));
                return result;
            }
        }

        /// <summary>Parses operation data. (mtoken_operation_fields_parse)</summary>
        public static unsafe OperationFields OperationFieldsParse(string text)
        {
            using (var arena = new Arena())
            {
                ulong text_length;
                var text_data = arena.Text(text, out text_length);
                Raw.mtoken_operation_fields* out_fields = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operation_fields_parse(text_data, text_length, &out_fields, &error);
                MTokenException.Check(status, error);
                return Mtoken.OperationFields.Own(out_fields);
            }
        }

        /// <summary>Builds operation data as a server does, for servers and tests. (mtoken_operation_fields_build)</summary>
        public static unsafe string OperationFieldsBuild(int version, OperationTemplate templateId, IReadOnlyList<FieldInput> fields)
        {
            using (var arena = new Arena())
            {
                ulong count;
                var array = (Raw.mtoken_field_input*)arena.Array(fields, out count);
                Raw.mtoken_text* out_text = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operation_fields_build(version, (int)templateId, array, count, &out_text, &error);
                MTokenException.Check(status, error);
                return Life.Take(out_text);
            }
        }

        /// <summary>Converts a URL query to its canonical form ("b=2&amp;a=1" becomes "a=1&amp;b=2"), which is signed for a GET request. (mtoken_canonical_query)</summary>
        public static unsafe string CanonicalQuery(string query)
        {
            using (var arena = new Arena())
            {
                ulong query_length;
                var query_data = arena.Text(query, out query_length);
                Raw.mtoken_text* out_canonical = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_canonical_query(query_data, query_length, &out_canonical, &error);
                MTokenException.Check(status, error);
                return Life.Take(out_canonical);
            }
        }

        /// <summary>Opens a sealer that comes with the library. (mtoken_sealer_open)</summary>
        public static unsafe Sealer SealerOpen(string name, SealerOptions options = null)
        {
            using (var arena = new Arena())
            {
                ulong name_length;
                var name_data = arena.Text(name, out name_length);
                IntPtr out_sealer = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_sealer_open(name_data, name_length, (Raw.mtoken_sealer_options*)arena.Option(options), &out_sealer, &error);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Sealer(out_sealer, null);
            }
        }

        /// <summary>Parses "CODE" or "CODE#SIGNATURE" (QR code, deeplink). (mtoken_activation_code_parse)</summary>
        public static unsafe ActivationCode ActivationCodeParse(string text)
        {
            using (var arena = new Arena())
            {
                ulong text_length;
                var text_data = arena.Text(text, out text_length);
                Raw.mtoken_activation_code* out_code = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_activation_code_parse(text_data, text_length, &out_code, &error);
                MTokenException.Check(status, error);
                return Mtoken.ActivationCode.Own(out_code);
            }
        }

        /// <summary>Corrects a typing error in a code. (mtoken_activation_code_correct)</summary>
        public static unsafe uint ActivationCodeCorrect(uint character)
        {
            using (var arena = new Arena())
            {
                var result = Raw.mtoken_activation_code_correct(character);
                return result;
            }
        }

        /// <summary>Returns 1 if a text is a recovery code ("XXXXX-XXXXX-XXXXX-XXXXX", optionally with the prefix "R:" of the QR form) or a PUK (ten digits), otherwise 0. (mtoken_recovery_code_is_valid)</summary>
        public static unsafe bool RecoveryCodeIsValid(string text)
        {
            using (var arena = new Arena())
            {
                ulong text_length;
                var text_data = arena.Text(text, out text_length);
                var result = Raw.mtoken_recovery_code_is_valid(text_data, text_length) != 0;
                return result;
            }
        }

        /// <summary>Returns 1 if a text is a recovery code ("XXXXX-XXXXX-XXXXX-XXXXX", optionally with the prefix "R:" of the QR form) or a PUK (ten digits), otherwise 0. (mtoken_recovery_puk_is_valid)</summary>
        public static unsafe bool RecoveryPukIsValid(string text)
        {
            using (var arena = new Arena())
            {
                ulong text_length;
                var text_data = arena.Text(text, out text_length);
                var result = Raw.mtoken_recovery_puk_is_valid(text_data, text_length) != 0;
                return result;
            }
        }

        /// <summary>Tells what makes a PIN easy to guess, for the form in which the user chooses it. (mtoken_pin_inspect)</summary>
        public static unsafe PinWeakness PinInspect(byte[] pin)
        {
            using (var arena = new Arena())
            {
                ulong pin_length;
                var pin_data = arena.Bytes(pin, out pin_length);
                var result = (PinWeakness)Raw.mtoken_pin_inspect(pin_data, pin_length);
                return result;
            }
        }

        /// <summary>Parses the payload of an offline QR code, and verifies it if `options` specify a client or a configuration. (mtoken_qr_operation_parse)</summary>
        public static unsafe QrOperation QrOperationParse(string payload, QrOptions options = null)
        {
            using (var arena = new Arena())
            {
                ulong payload_length;
                var payload_data = arena.Text(payload, out payload_length);
                Raw.mtoken_qr_operation* out_operation = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_qr_operation_parse(payload_data, payload_length, (Raw.mtoken_qr_options*)arena.Option(options), &out_operation, &error);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return Mtoken.QrOperation.Own(out_operation);
            }
        }

        /// <summary>Groups the digits of an offline code for display: "12345678-12345678" becomes "1234 5678 1234 5678". (mtoken_qr_code_group)</summary>
        public static unsafe string QrCodeGroup(string code)
        {
            using (var arena = new Arena())
            {
                ulong code_length;
                var code_data = arena.Text(code, out code_length);
                Raw.mtoken_text* out_grouped = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_qr_code_group(code_data, code_length, &out_grouped, &error);
                MTokenException.Check(status, error);
                return Life.Take(out_grouped);
            }
        }

        /// <summary>Builds and signs the payload of an offline QR code as a server does, for servers and tests. (mtoken_qr_operation_build)</summary>
        public static unsafe string QrOperationBuild(QrBuildOptions options)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_text* out_payload = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_qr_operation_build((Raw.mtoken_qr_build_options*)arena.Option(options), &out_payload, &error);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return Life.Take(out_payload);
            }
        }

        /// <summary>Parses a code. (mtoken_pac_parse)</summary>
        public static unsafe Pac PacParse(string code, ProximityType source, PacOptions options = null)
        {
            using (var arena = new Arena())
            {
                ulong code_length;
                var code_data = arena.Text(code, out code_length);
                Raw.mtoken_pac* out_pac = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_pac_parse(code_data, code_length, (int)source, (Raw.mtoken_pac_options*)arena.Option(options), &out_pac, &error);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return Mtoken.Pac.Own(out_pac);
            }
        }

        /// <summary>Returns 1 if a code selects an operation, that is if their ids are equal. (mtoken_pac_matches)</summary>
        public static unsafe bool PacMatches(Pac pac, Operation operation)
        {
            using (var arena = new Arena())
            {
                var result = Raw.mtoken_pac_matches(pac == null ? null : pac.p, operation == null ? null : operation.p) != 0;
                GC.KeepAlive(pac);
                GC.KeepAlive(operation);
                return result;
            }
        }

        /// <summary>Returns the operation of a list that a code selects, or NULL if there is none. (mtoken_pac_find)</summary>
        public static unsafe Operation PacFind(Pac pac, OperationList list)
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.Operation.Of(Raw.mtoken_pac_find(pac == null ? null : pac.p, list == null ? null : list.p), (list == null ? null : list.life));
                GC.KeepAlive(pac);
                GC.KeepAlive(list);
                return result;
            }
        }

        /// <summary>Builds a code in the form that every reader accepts: percent-encoded, key "potp", Base64URL without padding, no signature. (mtoken_pac_build)</summary>
        public static unsafe string PacBuild(PacBuildOptions options)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_text* out_code = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_pac_build((Raw.mtoken_pac_build_options*)arena.Option(options), &out_code, &error);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return Life.Take(out_code);
            }
        }

        /// <summary>Computes the one-time password of a proximity check as the server does (RFC 6238), for servers and tests. (mtoken_totp)</summary>
        public static unsafe string Totp(byte[] seed, long time, int stepS, int digits, TotpAlgorithm hash)
        {
            using (var arena = new Arena())
            {
                ulong seed_length;
                var seed_data = arena.Bytes(seed, out seed_length);
                Raw.mtoken_text* out_totp = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_totp(seed_data, seed_length, time, stepS, digits, (int)hash, &out_totp, &error);
                MTokenException.Check(status, error);
                return Life.Take(out_totp);
            }
        }

        /// <summary>Parses the payload of a push message: JSON in the format of APNs, the data map of FCM or HMS, or a complete FCM or HMS message ("data" and "notification"). (mtoken_push_parse)</summary>
        public static unsafe PushMessage PushParse(string payload)
        {
            using (var arena = new Arena())
            {
                ulong payload_length;
                var payload_data = arena.Text(payload, out payload_length);
                Raw.mtoken_push_message* out_message = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_push_parse(payload_data, payload_length, &out_message, &error);
                MTokenException.Check(status, error);
                return Mtoken.PushMessage.Own(out_message);
            }
        }

        /// <summary>Returns the reason text of an MTOKEN_MOBILE_AUTH_..., e.g. "not_found", "ok" for 0, or NULL for unknown numbers. (mtoken_mobile_auth_error_name)</summary>
        public static unsafe string MobileAuthErrorName(MobileAuthErrorCode error)
        {
            using (var arena = new Arena())
            {
                var result = Life.Copy(Raw.mtoken_mobile_auth_error_name((int)error));
                return result;
            }
        }

        /// <summary>Lays out an operation: resolves ${attribute id} in the texts for lists, and arranges the attributes in sections. (mtoken_visual_new)</summary>
        public static unsafe Visual VisualNew(Operation operation)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_visual* out_visual = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_visual_new(operation == null ? null : operation.p, &out_visual, &error);
                GC.KeepAlive(operation);
                MTokenException.Check(status, error);
                return Mtoken.Visual.Own(out_visual);
            }
        }

        /// <summary>Finds a value within JSON, e.g. a member that a bank added to the json of an mtoken_operation or mtoken_attribute, or to the payload of a screen. (mtoken_json_find)</summary>
        public static unsafe JsonValue JsonFind(string json, string path)
        {
            using (var arena = new Arena())
            {
                ulong json_length;
                var json_data = arena.Text(json, out json_length);
                ulong path_length;
                var path_data = arena.Text(path, out path_length);
                Raw.mtoken_json_value* out_value = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_json_find(json_data, json_length, path_data, path_length, &out_value, &error);
                MTokenException.Check(status, error);
                return Mtoken.JsonValue.Own(out_value);
            }
        }

        /// <summary>Generates random bytes that are fit for keys, with OpenSSL's private generator. (mtoken_random_bytes)</summary>
        public static unsafe byte[] RandomBytes(ulong length)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_bytes* out_bytes = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_random_bytes(length, &out_bytes, &error);
                MTokenException.Check(status, error);
                return Life.Take(out_bytes);
            }
        }

        /// <summary>Computes SHA-256, 32 bytes. (mtoken_sha256)</summary>
        public static unsafe byte[] Sha256(byte[] bytes)
        {
            using (var arena = new Arena())
            {
                ulong bytes_length;
                var bytes_data = arena.Bytes(bytes, out bytes_length);
                Raw.mtoken_bytes* out_hash = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_sha256(bytes_data, bytes_length, &out_hash, &error);
                MTokenException.Check(status, error);
                return Life.Take(out_hash);
            }
        }

        /// <summary>Computes HMAC-SHA-256, 32 bytes. (mtoken_hmac_sha256)</summary>
        public static unsafe byte[] HmacSha256(byte[] key, byte[] bytes)
        {
            using (var arena = new Arena())
            {
                ulong key_length;
                var key_data = arena.Bytes(key, out key_length);
                ulong bytes_length;
                var bytes_data = arena.Bytes(bytes, out bytes_length);
                Raw.mtoken_bytes* out_mac = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_hmac_sha256(key_data, key_length, bytes_data, bytes_length, &out_mac, &error);
                MTokenException.Check(status, error);
                return Life.Take(out_mac);
            }
        }

        /// <summary>Generates a key pair: a private key of 32 bytes and a public key of 65 bytes. (mtoken_key_pair_new)</summary>
        public static unsafe Tuple<byte[], byte[]> KeyPairNew()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_bytes* out_private_key = null;
                Raw.mtoken_bytes* out_public_key = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_key_pair_new(&out_private_key, &out_public_key, &error);
                MTokenException.Check(status, error);
                return Tuple.Create(Life.Take(out_private_key), Life.Take(out_public_key));
            }
        }

        /// <summary>Signs with ECDSA and SHA-256. (mtoken_ecdsa_sign)</summary>
        public static unsafe byte[] EcdsaSign(byte[] privateKey, byte[] bytes, DeviceSignature form)
        {
            using (var arena = new Arena())
            {
                ulong private_key_length;
                var private_key_data = arena.Bytes(privateKey, out private_key_length);
                ulong bytes_length;
                var bytes_data = arena.Bytes(bytes, out bytes_length);
                Raw.mtoken_bytes* out_signature = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_ecdsa_sign(private_key_data, private_key_length, bytes_data, bytes_length, (int)form, &out_signature, &error);
                MTokenException.Check(status, error);
                return Life.Take(out_signature);
            }
        }

        /// <summary>Verifies a signature. (mtoken_ecdsa_verify)</summary>
        public static unsafe bool EcdsaVerify(EcdsaVerifyOptions options)
        {
            using (var arena = new Arena())
            {
                int out_is_valid = 0;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_ecdsa_verify((Raw.mtoken_ecdsa_verify_options*)arena.Option(options), &out_is_valid, &error);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return out_is_valid != 0;
            }
        }

        /// <summary>Computes the shared secret of two key pairs with ECDH: the X coordinate, 32 bytes. (mtoken_ecdh)</summary>
        public static unsafe byte[] Ecdh(byte[] privateKey, byte[] publicKey)
        {
            using (var arena = new Arena())
            {
                ulong private_key_length;
                var private_key_data = arena.Bytes(privateKey, out private_key_length);
                ulong public_key_length;
                var public_key_data = arena.Bytes(publicKey, out public_key_length);
                Raw.mtoken_bytes* out_secret = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_ecdh(private_key_data, private_key_length, public_key_data, public_key_length, &out_secret, &error);
                MTokenException.Check(status, error);
                return Life.Take(out_secret);
            }
        }

        /// <summary>Generates a PKCE code verifier and its S256 challenge (RFC 7636), as mtoken_oidc_prepare does. (mtoken_oidc_pkce)</summary>
        public static unsafe Tuple<string, string> OidcPkce(ulong byteCount)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_text* out_verifier = null;
                Raw.mtoken_text* out_challenge = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_oidc_pkce(byteCount, &out_verifier, &out_challenge, &error);
                MTokenException.Check(status, error);
                return Tuple.Create(Life.Take(out_verifier), Life.Take(out_challenge));
            }
        }

        /// <summary>Computes the S256 challenge of a code verifier (43 to 128 unreserved characters). (mtoken_oidc_challenge)</summary>
        public static unsafe string OidcChallenge(string verifier)
        {
            using (var arena = new Arena())
            {
                ulong verifier_length;
                var verifier_data = arena.Text(verifier, out verifier_length);
                Raw.mtoken_text* out_challenge = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_oidc_challenge(verifier_data, verifier_length, &out_challenge, &error);
                MTokenException.Check(status, error);
                return Life.Take(out_challenge);
            }
        }

        /// <summary>Generates byte_count random bytes (1 to 1024) and returns them as base64url without padding. (mtoken_oidc_random)</summary>
        public static unsafe string OidcRandom(ulong byteCount)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_text* out_text = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_oidc_random(byteCount, &out_text, &error);
                MTokenException.Check(status, error);
                return Life.Take(out_text);
            }
        }

        /// <summary>Builds the URL of an authorization request. (mtoken_oidc_authorization_url)</summary>
        public static unsafe string OidcAuthorizationUrl(OidcUrlOptions options)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_text* out_url = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_oidc_authorization_url((Raw.mtoken_oidc_url_options*)arena.Option(options), &out_url, &error);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return Life.Take(out_url);
            }
        }
    }

    /// <summary>Opaque handles.</summary>
    public sealed partial class Runtime : MTokenObject
    {

        /// <summary>Creates a runtime and starts its thread, which blocks all signals except those raised by faults. (mtoken_runtime_new)</summary>
        public static unsafe Runtime Create(RuntimeOptions options = null)
        {
            using (var arena = new Arena())
            {
                IntPtr out_runtime = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_runtime_new((Raw.mtoken_runtime_options*)arena.Option(options), &out_runtime, &error);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Runtime(out_runtime);
            }
        }

        /// <summary>Returns the current counters. (mtoken_runtime_get_info)</summary>
        public unsafe RuntimeInfo GetInfo()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_runtime_info* out_info = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_runtime_get_info(Life.HandleOf(this), &out_info, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Mtoken.RuntimeInfo.Own(out_info);
            }
        }

        /// <summary>Prepares a request and waits for the response on the loopback interface (RFC 8252, 7.3), for desktop programs that no other URL can reach. (mtoken_oidc_listen)</summary>
        public unsafe Tuple<OidcRequest, Pending> OidcListenStart(OidcOptions options)
        {
            using (var arena = new Arena())
            {
                IntPtr out_request = IntPtr.Zero;
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_oidc_listen(Life.HandleOf(this), (Raw.mtoken_oidc_options*)arena.Option(options), &out_request, &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return Tuple.Create(new OidcRequest(out_request, this), new Pending(out_task, this));
            }
        }

        /// <summary>Parses the payload of a push message as mtoken_push_parse does, and finds the client of the runtime that it is for, by the activation that it names. (mtoken_runtime_route_push)</summary>
        public unsafe PushMessage RoutePush(string payload)
        {
            using (var arena = new Arena())
            {
                ulong payload_length;
                var payload_data = arena.Text(payload, out payload_length);
                Raw.mtoken_push_message* out_message = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_runtime_route_push(Life.HandleOf(this), payload_data, payload_length, &out_message, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Mtoken.PushMessage.Own(out_message);
            }
        }

        /// <summary>Hands in the response to a request, complete, whatever its status. (mtoken_request_respond)</summary>
        public unsafe void RequestRespond(long id, HttpResponse response)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_request_respond(Life.HandleOf(this), id, (Raw.mtoken_http_response*)arena.Option(response), &error);
                GC.KeepAlive(this);
                GC.KeepAlive(response);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Tells that there is no response to a request, and why: exactly one of the two faults. (mtoken_request_fail)</summary>
        public unsafe void RequestFail(long id, Outcome outcome, NetworkFault networkFault, TlsFault tlsFault)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_request_fail(Life.HandleOf(this), id, (int)outcome, (int)networkFault, (int)tlsFault, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }
    }

    /// <summary>Opaque handles.</summary>
    public sealed partial class Client : MTokenObject
    {
        internal Client(IntPtr handle, MTokenObject keeps) : base(handle, Raw.mtoken_client_free, keeps) { }

        /// <summary>Signs a request that the host is about to send and returns its X-PowerAuth-Authorization header. (mtoken_client_sign)</summary>
        public unsafe Header Sign(SignOptions options, Auth auth)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_header* out_header = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_sign(Life.HandleOf(this), (Raw.mtoken_sign_options*)arena.Option(options), (Raw.mtoken_auth*)arena.Option(auth), &out_header, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return Mtoken.Header.Own(out_header);
            }
        }

        /// <summary>Tells the library that the server has accepted the last signature from mtoken_client_sign, and that its counter has thus caught up. (mtoken_client_signature_accepted)</summary>
        public unsafe void SignatureAccepted()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_signature_accepted(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Takes a turn to sign. (mtoken_client_take_turn)</summary>
        public unsafe Pending TakeTurnStart()
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_take_turn(Life.HandleOf(this), &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Takes a turn to sign. (mtoken_client_take_turn)</summary>
        public async Task<Pending> TakeTurnAsync(CancellationToken token = default(CancellationToken))
        {
            var task = TakeTurnStart();
            await task.Finish(token).ConfigureAwait(false);
            return task;
        }

        /// <summary>Computes an offline signature: decimal components, one per factor, joined by "-". (mtoken_client_sign_offline)</summary>
        public unsafe string SignOffline(SignOfflineOptions options, Auth auth)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_text* out_code = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_sign_offline(Life.HandleOf(this), (Raw.mtoken_sign_offline_options*)arena.Option(options), (Raw.mtoken_auth*)arena.Option(auth), &out_code, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return Life.Take(out_code);
            }
        }

        /// <summary>Verifies a signature of the server: ECDSA P-256 with SHA-256 or P-384 with SHA-384, as the keys of the configuration or the activation are. (mtoken_client_verify)</summary>
        public unsafe bool Verify(VerifyOptions options)
        {
            using (var arena = new Arena())
            {
                int out_is_valid = 0;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_verify(Life.HandleOf(this), (Raw.mtoken_verify_options*)arena.Option(options), &out_is_valid, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return out_is_valid != 0;
            }
        }

        /// <summary>Fetches the pending operations. (mtoken_operations_list)</summary>
        public unsafe Pending OperationsListStart()
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_list(Life.HandleOf(this), &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches the pending operations. (mtoken_operations_list)</summary>
        public async Task<OperationList> OperationsListAsync(CancellationToken token = default(CancellationToken))
        {
            var task = OperationsListStart();
            await task.Finish(token).ConfigureAwait(false);
            return task.Operations();
        }

        /// <summary>Fetches past operations in all states. (mtoken_operations_history)</summary>
        public unsafe Pending OperationsHistoryStart(Auth auth)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_history(Life.HandleOf(this), (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches past operations in all states. (mtoken_operations_history)</summary>
        public async Task<OperationList> OperationsHistoryAsync(Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = OperationsHistoryStart(auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.Operations();
        }

        /// <summary>Fetches one pending operation. (mtoken_operations_detail)</summary>
        public unsafe Pending OperationsDetailStart(string id)
        {
            using (var arena = new Arena())
            {
                ulong id_length;
                var id_data = arena.Text(id, out id_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_detail(Life.HandleOf(this), id_data, id_length, &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches one pending operation. (mtoken_operations_detail)</summary>
        public async Task<Operation> OperationsDetailAsync(string id, CancellationToken token = default(CancellationToken))
        {
            var task = OperationsDetailStart(id);
            await task.Finish(token).ConfigureAwait(false);
            return task.Operation();
        }

        /// <summary>Assigns an operation that belongs to no user yet (e.g. a login on a shared screen) to this user, and fetches it. (mtoken_operations_claim)</summary>
        public unsafe Pending OperationsClaimStart(string id)
        {
            using (var arena = new Arena())
            {
                ulong id_length;
                var id_data = arena.Text(id, out id_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_claim(Life.HandleOf(this), id_data, id_length, &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Assigns an operation that belongs to no user yet (e.g. a login on a shared screen) to this user, and fetches it. (mtoken_operations_claim)</summary>
        public async Task<Operation> OperationsClaimAsync(string id, CancellationToken token = default(CancellationToken))
        {
            var task = OperationsClaimStart(id);
            await task.Finish(token).ConfigureAwait(false);
            return task.Operation();
        }

        /// <summary>Approves an operation: signs its id and data exactly as they are in `operation`. (mtoken_operations_authorize)</summary>
        public unsafe Pending OperationsAuthorizeStart(Operation operation, Auth auth, AuthorizeOptions options = null)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_authorize(Life.HandleOf(this), operation == null ? null : operation.p, (Raw.mtoken_auth*)arena.Option(auth), (Raw.mtoken_authorize_options*)arena.Option(options), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(operation);
                GC.KeepAlive(auth);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Approves an operation: signs its id and data exactly as they are in `operation`. (mtoken_operations_authorize)</summary>
        public async Task OperationsAuthorizeAsync(Operation operation, Auth auth, AuthorizeOptions options = null, CancellationToken token = default(CancellationToken))
        {
            var task = OperationsAuthorizeStart(operation, auth, options);
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Approves an operation that was received on another channel. check_factors and strict must be 0: there is no form to compare the data with. (mtoken_operations_authorize_data)</summary>
        public unsafe Pending OperationsAuthorizeDataStart(OperationOptions operation, Auth auth, AuthorizeOptions options = null)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_authorize_data(Life.HandleOf(this), (Raw.mtoken_operation_options*)arena.Option(operation), (Raw.mtoken_auth*)arena.Option(auth), (Raw.mtoken_authorize_options*)arena.Option(options), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(operation);
                GC.KeepAlive(auth);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Approves an operation that was received on another channel. check_factors and strict must be 0: there is no form to compare the data with. (mtoken_operations_authorize_data)</summary>
        public async Task OperationsAuthorizeDataAsync(OperationOptions operation, Auth auth, AuthorizeOptions options = null, CancellationToken token = default(CancellationToken))
        {
            var task = OperationsAuthorizeDataStart(operation, auth, options);
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Rejects an operation. (mtoken_operations_reject)</summary>
        public unsafe Pending OperationsRejectStart(string id, RejectOptions options = null)
        {
            using (var arena = new Arena())
            {
                ulong id_length;
                var id_data = arena.Text(id, out id_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_reject(Life.HandleOf(this), id_data, id_length, (Raw.mtoken_reject_options*)arena.Option(options), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Rejects an operation. (mtoken_operations_reject)</summary>
        public async Task OperationsRejectAsync(string id, RejectOptions options = null, CancellationToken token = default(CancellationToken))
        {
            var task = OperationsRejectStart(id, options);
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Fetches the list as mtoken_operations_list does, but without a task: events and mtoken_operations_get_info report the result. (mtoken_operations_refresh)</summary>
        public unsafe void OperationsRefresh()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_refresh(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Returns 1 while a fetch of the list is in progress, from the moment it is requested, otherwise 0; -1 for an invalid handle. (mtoken_operations_is_loading)</summary>
        public unsafe Answer OperationsIsLoading()
        {
            using (var arena = new Arena())
            {
                var result = (Answer)Raw.mtoken_operations_is_loading(Life.HandleOf(this));
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns a snapshot of the tracked operations. (mtoken_operations_get_info)</summary>
        public unsafe OperationsInfo OperationsGetInfo()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_operations_info* out_known = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_get_info(Life.HandleOf(this), &out_known, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Mtoken.OperationsInfo.Own(out_known);
            }
        }

        /// <summary>Attaches a proximity check and mobile token data to a tracked operation. (mtoken_operations_attach)</summary>
        public unsafe void OperationsAttach(string id, AuthorizeOptions options = null)
        {
            using (var arena = new Arena())
            {
                ulong id_length;
                var id_data = arena.Text(id, out id_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_attach(Life.HandleOf(this), id_data, id_length, (Raw.mtoken_authorize_options*)arena.Option(options), &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Returns the MTOKEN_ATTACHED_... flags of a tracked operation; 0 if nothing is attached, the operation is not tracked, or an argument is invalid. (mtoken_operations_get_attached)</summary>
        public unsafe Attached OperationsGetAttached(string id)
        {
            using (var arena = new Arena())
            {
                ulong id_length;
                var id_data = arena.Text(id, out id_length);
                var result = (Attached)Raw.mtoken_operations_get_attached(Life.HandleOf(this), id_data, id_length);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Starts polling: fetches the list periodically, with one timer on the runtime's thread. (mtoken_operations_start_polling)</summary>
        public unsafe void OperationsStartPolling(PollingOptions options = null)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_start_polling(Life.HandleOf(this), (Raw.mtoken_polling_options*)arena.Option(options), &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Stops polling, even if it is paused. (mtoken_operations_stop_polling)</summary>
        public unsafe void OperationsStopPolling()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_stop_polling(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Pauses polling, e.g. while the program is in the background. (mtoken_operations_pause_polling)</summary>
        public unsafe void OperationsPausePolling()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_pause_polling(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Fetches at once and resumes polling. (mtoken_operations_resume_polling)</summary>
        public unsafe void OperationsResumePolling()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_operations_resume_polling(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Returns the MTOKEN_POLLING_... state, or -1 for an invalid handle. (mtoken_operations_get_polling)</summary>
        public unsafe Polling OperationsGetPolling()
        {
            using (var arena = new Arena())
            {
                var result = (Polling)Raw.mtoken_operations_get_polling(Life.HandleOf(this));
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Seals the device secret of a client another way, or, with NULL, keeps it in the store in the clear. (mtoken_client_reseal)</summary>
        public unsafe void Reseal(Sealer sealer)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_reseal(Life.HandleOf(this), Life.HandleOf(sealer), &error);
                GC.KeepAlive(this);
                GC.KeepAlive(sealer);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Encrypts the body of a POST request, and signs it if auth is set. (mtoken_client_encrypt)</summary>
        public unsafe Pending EncryptStart(byte[] body, EncryptOptions options)
        {
            using (var arena = new Arena())
            {
                ulong body_length;
                var body_data = arena.Bytes(body, out body_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_encrypt(Life.HandleOf(this), body_data, body_length, (Raw.mtoken_encrypt_options*)arena.Option(options), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Encrypts the body of a POST request, and signs it if auth is set. (mtoken_client_encrypt)</summary>
        public async Task<Pending> EncryptAsync(byte[] body, EncryptOptions options, CancellationToken token = default(CancellationToken))
        {
            var task = EncryptStart(body, options);
            await task.Finish(token).ConfigureAwait(false);
            return task;
        }

        /// <summary>Computes an authentication code of data with the key that the device shares with the server's key store: HMAC-SHA-256, 32 bytes. (mtoken_client_hmac)</summary>
        public unsafe byte[] Hmac(Scope scope, byte[] bytes)
        {
            using (var arena = new Arena())
            {
                ulong bytes_length;
                var bytes_data = arena.Bytes(bytes, out bytes_length);
                Raw.mtoken_bytes* out_mac = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_hmac(Life.HandleOf(this), (int)scope, bytes_data, bytes_length, &out_mac, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Life.Take(out_mac);
            }
        }

        /// <summary>Fetches the claims about the user. (mtoken_client_fetch_user_info)</summary>
        public unsafe Pending FetchUserInfoStart()
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_fetch_user_info(Life.HandleOf(this), &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches the claims about the user. (mtoken_client_fetch_user_info)</summary>
        public async Task<UserInfo> FetchUserInfoAsync(CancellationToken token = default(CancellationToken))
        {
            var task = FetchUserInfoStart();
            await task.Finish(token).ConfigureAwait(false);
            return task.UserInfo();
        }

        /// <summary>Starts an activation. (mtoken_client_activate)</summary>
        public unsafe Pending ActivateStart(ActivationOptions options)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_activate(Life.HandleOf(this), (Raw.mtoken_activation_options*)arena.Option(options), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Starts an activation. (mtoken_client_activate)</summary>
        public async Task<Activation> ActivateAsync(ActivationOptions options, CancellationToken token = default(CancellationToken))
        {
            var task = ActivateStart(options);
            await task.Finish(token).ConfigureAwait(false);
            return task.Activation();
        }

        /// <summary>Completes a pending activation: encrypts the key of each factor under that factor and stores the state durably. (mtoken_client_persist)</summary>
        public unsafe void Persist(Auth auth)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_persist(Life.HandleOf(this), (Raw.mtoken_auth*)arena.Option(auth), &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Takes over an activation from the PowerAuth mobile SDK, version 1, which keeps it as a binary state in the keychain or the preferences of its application. (mtoken_client_import_upstream)</summary>
        public unsafe void ImportUpstream(byte[] state, byte[] possessionKey)
        {
            using (var arena = new Arena())
            {
                ulong state_length;
                var state_data = arena.Bytes(state, out state_length);
                ulong possession_key_length;
                var possession_key_data = arena.Bytes(possessionKey, out possession_key_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_import_upstream(Life.HandleOf(this), state_data, state_length, possession_key_data, possession_key_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Discards a pending activation or cancels one that is being created. (mtoken_client_cancel_activation)</summary>
        public unsafe void CancelActivation()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_cancel_activation(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Fetches the state of the activation and resynchronises the counter with the server. (mtoken_client_fetch_status)</summary>
        public unsafe Pending FetchStatusStart()
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_fetch_status(Life.HandleOf(this), &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches the state of the activation and resynchronises the counter with the server. (mtoken_client_fetch_status)</summary>
        public async Task<ActivationStatus> FetchStatusAsync(CancellationToken token = default(CancellationToken))
        {
            var task = FetchStatusStart();
            await task.Finish(token).ConfigureAwait(false);
            return task.ActivationStatus();
        }

        /// <summary>Waits until the activation is active. (mtoken_client_wait_active)</summary>
        public unsafe Pending WaitActiveStart(WaitOptions options = null)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_wait_active(Life.HandleOf(this), (Raw.mtoken_wait_options*)arena.Option(options), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Waits until the activation is active. (mtoken_client_wait_active)</summary>
        public async Task<ActivationStatus> WaitActiveAsync(WaitOptions options = null, CancellationToken token = default(CancellationToken))
        {
            var task = WaitActiveStart(options);
            await task.Finish(token).ConfigureAwait(false);
            return task.ActivationStatus();
        }

        /// <summary>Fetches the name under which the bank shows this device. (mtoken_client_fetch_detail)</summary>
        public unsafe Pending FetchDetailStart(Auth auth)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_fetch_detail(Life.HandleOf(this), (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches the name under which the bank shows this device. (mtoken_client_fetch_detail)</summary>
        public async Task<ActivationDetail> FetchDetailAsync(Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = FetchDetailStart(auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.ActivationDetail();
        }

        /// <summary>Changes the name under which the bank shows this device. (mtoken_client_rename)</summary>
        public unsafe Pending RenameStart(string name, Order order, Auth auth)
        {
            using (var arena = new Arena())
            {
                ulong name_length;
                var name_data = arena.Text(name, out name_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_rename(Life.HandleOf(this), name_data, name_length, (int)order, (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Changes the name under which the bank shows this device. (mtoken_client_rename)</summary>
        public async Task<ActivationDetail> RenameAsync(string name, Order order, Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = RenameStart(name, order, auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.ActivationDetail();
        }

        /// <summary>Upgrades an activation of protocol 3 to protocol 4.0, if the server offers it (mtoken_activation_status.upgrade_available) and the configuration has keys of protocol 4.0. (mtoken_client_upgrade)</summary>
        public unsafe Pending UpgradeStart(Auth auth)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_upgrade(Life.HandleOf(this), (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Upgrades an activation of protocol 3 to protocol 4.0, if the server offers it (mtoken_activation_status.upgrade_available) and the configuration has keys of protocol 4.0. (mtoken_client_upgrade)</summary>
        public async Task<ActivationStatus> UpgradeAsync(Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = UpgradeStart(auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.ActivationStatus();
        }

        /// <summary>Fetches the configuration that the bank keeps for its application, encrypted. (mtoken_client_fetch_config)</summary>
        public unsafe Pending FetchConfigStart(Scope scope)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_fetch_config(Life.HandleOf(this), (int)scope, &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches the configuration that the bank keeps for its application, encrypted. (mtoken_client_fetch_config)</summary>
        public async Task<Config> FetchConfigAsync(Scope scope, CancellationToken token = default(CancellationToken))
        {
            var task = FetchConfigStart(scope);
            await task.Finish(token).ConfigureAwait(false);
            return task.Config();
        }

        /// <summary>Removes the activation at the server and then, only if the server confirms, on this device. (mtoken_client_remove)</summary>
        public unsafe Pending RemoveStart(Auth auth)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_remove(Life.HandleOf(this), (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Removes the activation at the server and then, only if the server confirms, on this device. (mtoken_client_remove)</summary>
        public async Task RemoveAsync(Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = RemoveStart(auth);
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Removes the activation on this device only, without informing the server, and cancels the running tasks of the client. (mtoken_client_remove_local)</summary>
        public unsafe void RemoveLocal()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_remove_local(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Asks the server whether a PIN is correct. (mtoken_client_validate_pin)</summary>
        public unsafe Pending ValidatePinStart(byte[] pin)
        {
            using (var arena = new Arena())
            {
                ulong pin_length;
                var pin_data = arena.Bytes(pin, out pin_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_validate_pin(Life.HandleOf(this), pin_data, pin_length, &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Asks the server whether a PIN is correct. (mtoken_client_validate_pin)</summary>
        public async Task ValidatePinAsync(byte[] pin, CancellationToken token = default(CancellationToken))
        {
            var task = ValidatePinStart(pin);
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Changes the PIN. (mtoken_client_change_pin)</summary>
        public unsafe Pending ChangePinStart(byte[] oldPin, byte[] newPin)
        {
            using (var arena = new Arena())
            {
                ulong old_pin_length;
                var old_pin_data = arena.Bytes(oldPin, out old_pin_length);
                ulong new_pin_length;
                var new_pin_data = arena.Bytes(newPin, out new_pin_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_change_pin(Life.HandleOf(this), old_pin_data, old_pin_length, new_pin_data, new_pin_length, &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Changes the PIN. (mtoken_client_change_pin)</summary>
        public async Task ChangePinAsync(byte[] oldPin, byte[] newPin, CancellationToken token = default(CancellationToken))
        {
            var task = ChangePinStart(oldPin, newPin);
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Changes the PIN on this device without asking the server. (mtoken_client_change_pin_unsafe)</summary>
        public unsafe void ChangePinUnsafe(byte[] oldPin, byte[] newPin)
        {
            using (var arena = new Arena())
            {
                ulong old_pin_length;
                var old_pin_data = arena.Bytes(oldPin, out old_pin_length);
                ulong new_pin_length;
                var new_pin_data = arena.Bytes(newPin, out new_pin_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_change_pin_unsafe(Life.HandleOf(this), old_pin_data, old_pin_length, new_pin_data, new_pin_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Adds the biometry factor, or changes its key. (mtoken_client_add_biometry)</summary>
        public unsafe Pending AddBiometryStart(byte[] key, string authenticator, Auth auth)
        {
            using (var arena = new Arena())
            {
                ulong key_length;
                var key_data = arena.Bytes(key, out key_length);
                ulong authenticator_length;
                var authenticator_data = arena.Text(authenticator, out authenticator_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_add_biometry(Life.HandleOf(this), key_data, key_length, authenticator_data, authenticator_length, (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Adds the biometry factor, or changes its key. (mtoken_client_add_biometry)</summary>
        public async Task AddBiometryAsync(byte[] key, string authenticator, Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = AddBiometryStart(key, authenticator, auth);
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Removes the biometry factor of an authenticator from this device. (mtoken_client_remove_biometry)</summary>
        public unsafe Pending RemoveBiometryStart(string authenticator = null)
        {
            using (var arena = new Arena())
            {
                ulong authenticator_length;
                var authenticator_data = arena.Text(authenticator, out authenticator_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_remove_biometry(Life.HandleOf(this), authenticator_data, authenticator_length, &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Removes the biometry factor of an authenticator from this device. (mtoken_client_remove_biometry)</summary>
        public async Task RemoveBiometryAsync(string authenticator = null, CancellationToken token = default(CancellationToken))
        {
            var task = RemoveBiometryStart(authenticator);
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>The external encryption key (external key): 16 bytes from the host, under which the keys of the knowledge and biometry factors are encrypted a second time. (mtoken_client_set_external_key)</summary>
        public unsafe void SetExternalKey(byte[] key)
        {
            using (var arena = new Arena())
            {
                ulong key_length;
                var key_data = arena.Bytes(key, out key_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_set_external_key(Life.HandleOf(this), key_data, key_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>The external encryption key (external key): 16 bytes from the host, under which the keys of the knowledge and biometry factors are encrypted a second time. (mtoken_client_add_external_key)</summary>
        public unsafe void AddExternalKey(byte[] key)
        {
            using (var arena = new Arena())
            {
                ulong key_length;
                var key_data = arena.Bytes(key, out key_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_add_external_key(Life.HandleOf(this), key_data, key_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>The external encryption key (external key): 16 bytes from the host, under which the keys of the knowledge and biometry factors are encrypted a second time. (mtoken_client_remove_external_key)</summary>
        public unsafe void RemoveExternalKey()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_remove_external_key(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Creates a client and loads its state from the store. (mtoken_client_new)</summary>
        public static unsafe Client Create(Runtime runtime, ClientOptions options)
        {
            using (var arena = new Arena())
            {
                IntPtr out_client = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_new(Life.HandleOf(runtime), (Raw.mtoken_client_options*)arena.Option(options), &out_client, &error);
                GC.KeepAlive(runtime);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Client(out_client, runtime);
            }
        }

        /// <summary>Creates a second handle of the same client with options for individual calls. (mtoken_client_with_options)</summary>
        public unsafe Client WithOptions(CallOptions options)
        {
            using (var arena = new Arena())
            {
                IntPtr out_client = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_with_options(Life.HandleOf(this), (Raw.mtoken_call_options*)arena.Option(options), &out_client, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Client(out_client, this);
            }
        }

        /// <summary>Sets Accept-Language (RFC 9110) for later calls of the client, e.g. "cs". (mtoken_client_set_language)</summary>
        public unsafe void SetLanguage(string language)
        {
            using (var arena = new Arena())
            {
                ulong language_length;
                var language_data = arena.Text(language, out language_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_set_language(Life.HandleOf(this), language_data, language_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Returns a snapshot of a client. (mtoken_client_get_info)</summary>
        public unsafe ClientInfo GetInfo()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_client_info* out_info = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_get_info(Life.HandleOf(this), &out_info, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Mtoken.ClientInfo.Own(out_info);
            }
        }

        /// <summary>Fetches the server's time. (mtoken_client_synchronize_time)</summary>
        public unsafe Pending SynchronizeTimeStart()
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_synchronize_time(Life.HandleOf(this), &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches the server's time. (mtoken_client_synchronize_time)</summary>
        public async Task SynchronizeTimeAsync(CancellationToken token = default(CancellationToken))
        {
            var task = SynchronizeTimeStart();
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Discards the server's time. (mtoken_client_reset_time)</summary>
        public unsafe void ResetTime()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_reset_time(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Fetches a 16-byte key for the host's own data. (mtoken_vault_fetch_key)</summary>
        public unsafe Pending VaultFetchKeyStart(ulong index, Auth auth)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_vault_fetch_key(Life.HandleOf(this), index, (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches a 16-byte key for the host's own data. (mtoken_vault_fetch_key)</summary>
        public async Task<byte[]> VaultFetchKeyAsync(ulong index, Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = VaultFetchKeyStart(index, auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.Bytes();
        }

        /// <summary>Fetches a key of the given kind and size for the host's own data. (mtoken_vault_fetch_key_of)</summary>
        public unsafe Pending VaultFetchKeyOfStart(VaultKey key, ulong index, ulong size, Auth auth)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_vault_fetch_key_of(Life.HandleOf(this), (int)key, index, size, (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches a key of the given kind and size for the host's own data. (mtoken_vault_fetch_key_of)</summary>
        public async Task<byte[]> VaultFetchKeyOfAsync(VaultKey key, ulong index, ulong size, Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = VaultFetchKeyOfStart(key, index, size, auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.Bytes();
        }

        /// <summary>Signs data with the device's private key: ECDSA P-256 with SHA-256; with protocol 4.0 ECDSA P-384 with SHA-384. (mtoken_vault_sign)</summary>
        public unsafe Pending VaultSignStart(byte[] bytes, DeviceSignature form, Auth auth)
        {
            using (var arena = new Arena())
            {
                ulong bytes_length;
                var bytes_data = arena.Bytes(bytes, out bytes_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_vault_sign(Life.HandleOf(this), bytes_data, bytes_length, (int)form, (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Signs data with the device's private key: ECDSA P-256 with SHA-256; with protocol 4.0 ECDSA P-384 with SHA-384. (mtoken_vault_sign)</summary>
        public async Task<byte[]> VaultSignAsync(byte[] bytes, DeviceSignature form, Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = VaultSignStart(bytes, form, auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.Bytes();
        }

        /// <summary>Signs data with the device's ML-DSA private key (FIPS 204, empty context), which an activation of a hybrid suite of protocol 4.0 has. (mtoken_vault_sign_ml_dsa)</summary>
        public unsafe Pending VaultSignMlDsaStart(byte[] bytes, Auth auth)
        {
            using (var arena = new Arena())
            {
                ulong bytes_length;
                var bytes_data = arena.Bytes(bytes, out bytes_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_vault_sign_ml_dsa(Life.HandleOf(this), bytes_data, bytes_length, (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Signs data with the device's ML-DSA private key (FIPS 204, empty context), which an activation of a hybrid suite of protocol 4.0 has. (mtoken_vault_sign_ml_dsa)</summary>
        public async Task<byte[]> VaultSignMlDsaAsync(byte[] bytes, Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = VaultSignMlDsaStart(bytes, auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.Bytes();
        }

        /// <summary>Signs a JSON Web Token (ES256) with the device's private key. (mtoken_vault_sign_jwt)</summary>
        public unsafe Pending VaultSignJwtStart(string claims, Auth auth)
        {
            using (var arena = new Arena())
            {
                ulong claims_length;
                var claims_data = arena.Text(claims, out claims_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_vault_sign_jwt(Life.HandleOf(this), claims_data, claims_length, (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Signs a JSON Web Token (ES256) with the device's private key. (mtoken_vault_sign_jwt)</summary>
        public async Task<byte[]> VaultSignJwtAsync(string claims, Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = VaultSignJwtStart(claims, auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.Bytes();
        }

        /// <summary>Returns the device's public key as SubjectPublicKeyInfo in DER: P-256, with protocol 4.0 P-384. (mtoken_client_public_key)</summary>
        public unsafe byte[] PublicKey()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_bytes* out_bytes = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_public_key(Life.HandleOf(this), &out_bytes, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Life.Take(out_bytes);
            }
        }

        /// <summary>Makes a request for a certificate (PKCS #10, RFC 2986) for the device's key and signs it with that key: ECDSA P-256 with SHA-256; with protocol 4.0 ECDSA P-384 with SHA-384. (mtoken_client_sign_csr)</summary>
        public unsafe Pending SignCsrStart(CsrOptions options, Auth auth)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_client_sign_csr(Life.HandleOf(this), (Raw.mtoken_csr_options*)arena.Option(options), (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Makes a request for a certificate (PKCS #10, RFC 2986) for the device's key and signs it with that key: ECDSA P-256 with SHA-256; with protocol 4.0 ECDSA P-384 with SHA-384. (mtoken_client_sign_csr)</summary>
        public async Task<byte[]> SignCsrAsync(CsrOptions options, Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = SignCsrStart(options, auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.Bytes();
        }

        /// <summary>Decrypts the recovery code and PUK that came with the activation. (mtoken_recovery_fetch)</summary>
        public unsafe Pending RecoveryFetchStart(Auth auth)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_recovery_fetch(Life.HandleOf(this), (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Decrypts the recovery code and PUK that came with the activation. (mtoken_recovery_fetch)</summary>
        public async Task<Recovery> RecoveryFetchAsync(Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = RecoveryFetchStart(auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.Recovery();
        }

        /// <summary>Confirms that the user has received a recovery code on paper. (mtoken_recovery_confirm)</summary>
        public unsafe Pending RecoveryConfirmStart(string code, Auth auth)
        {
            using (var arena = new Arena())
            {
                ulong code_length;
                var code_data = arena.Text(code, out code_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_recovery_confirm(Life.HandleOf(this), code_data, code_length, (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Confirms that the user has received a recovery code on paper. (mtoken_recovery_confirm)</summary>
        public async Task<Answer> RecoveryConfirmAsync(string code, Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = RecoveryConfirmStart(code, auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.AlreadyConfirmed();
        }

        /// <summary>Ensures that a token of this name is stored. (mtoken_token_create)</summary>
        public unsafe Pending TokenCreateStart(string name, Auth auth)
        {
            using (var arena = new Arena())
            {
                ulong name_length;
                var name_data = arena.Text(name, out name_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_token_create(Life.HandleOf(this), name_data, name_length, (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Ensures that a token of this name is stored. (mtoken_token_create)</summary>
        public async Task TokenCreateAsync(string name, Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = TokenCreateStart(name, auth);
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Computes the X-PowerAuth-Token header of a stored token, with a fresh nonce and the server's time. (mtoken_token_get_header)</summary>
        public unsafe Header TokenGetHeader(string name)
        {
            using (var arena = new Arena())
            {
                ulong name_length;
                var name_data = arena.Text(name, out name_length);
                Raw.mtoken_header* out_header = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_token_get_header(Life.HandleOf(this), name_data, name_length, &out_header, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Mtoken.Header.Own(out_header);
            }
        }

        /// <summary>Computes a header as mtoken_token_get_header does, but first obtains what is missing: creates the token if none of this name is stored, and fetches the server's time if it is not known. (mtoken_token_fetch_header)</summary>
        public unsafe Pending TokenFetchHeaderStart(TokenOptions options, Auth auth)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_token_fetch_header(Life.HandleOf(this), (Raw.mtoken_token_options*)arena.Option(options), (Raw.mtoken_auth*)arena.Option(auth), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                GC.KeepAlive(auth);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Computes a header as mtoken_token_get_header does, but first obtains what is missing: creates the token if none of this name is stored, and fetches the server's time if it is not known. (mtoken_token_fetch_header)</summary>
        public async Task<Header> TokenFetchHeaderAsync(TokenOptions options, Auth auth, CancellationToken token = default(CancellationToken))
        {
            var task = TokenFetchHeaderStart(options, auth);
            await task.Finish(token).ConfigureAwait(false);
            return task.Header();
        }

        /// <summary>Returns 1 if a token of this name is stored, otherwise 0, also for an invalid argument. (mtoken_token_is_stored)</summary>
        public unsafe bool TokenIsStored(string name)
        {
            using (var arena = new Arena())
            {
                ulong name_length;
                var name_data = arena.Text(name, out name_length);
                var result = Raw.mtoken_token_is_stored(Life.HandleOf(this), name_data, name_length) != 0;
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Removes a token at the server and then on this device. (mtoken_token_remove)</summary>
        public unsafe Pending TokenRemoveStart(string name)
        {
            using (var arena = new Arena())
            {
                ulong name_length;
                var name_data = arena.Text(name, out name_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_token_remove(Life.HandleOf(this), name_data, name_length, &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Removes a token at the server and then on this device. (mtoken_token_remove)</summary>
        public async Task TokenRemoveAsync(string name, CancellationToken token = default(CancellationToken))
        {
            var task = TokenRemoveStart(name);
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Removes a token on this device only; with name NULL, all tokens. (mtoken_token_forget)</summary>
        public unsafe void TokenForget(string name = null)
        {
            using (var arena = new Arena())
            {
                ulong name_length;
                var name_data = arena.Text(name, out name_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_token_forget(Life.HandleOf(this), name_data, name_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Approves an offline operation: computes the code that the user types into the bank's page, e.g. "12345678-12345678". (mtoken_qr_authorize)</summary>
        public unsafe string QrAuthorize(QrOperation operation, Auth auth, QrAuthorizeOptions options = null)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_text* out_code = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_qr_authorize(Life.HandleOf(this), operation == null ? null : operation.p, (Raw.mtoken_auth*)arena.Option(auth), (Raw.mtoken_qr_authorize_options*)arena.Option(options), &out_code, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(operation);
                GC.KeepAlive(auth);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return Life.Take(out_code);
            }
        }

        /// <summary>Fetches the login configuration of a provider of the bank. (mtoken_oidc_fetch_config)</summary>
        public unsafe Pending OidcFetchConfigStart(string providerId)
        {
            using (var arena = new Arena())
            {
                ulong provider_id_length;
                var provider_id_data = arena.Text(providerId, out provider_id_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_oidc_fetch_config(Life.HandleOf(this), provider_id_data, provider_id_length, &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches the login configuration of a provider of the bank. (mtoken_oidc_fetch_config)</summary>
        public async Task<OidcConfig> OidcFetchConfigAsync(string providerId, CancellationToken token = default(CancellationToken))
        {
            var task = OidcFetchConfigStart(providerId);
            await task.Finish(token).ConfigureAwait(false);
            return task.OidcConfig();
        }

        /// <summary>Creates a configuration from the provider's published document (OpenID Connect Discovery), which supplies the authorization endpoint and says whether responses name the issuer. (mtoken_oidc_discover)</summary>
        public unsafe Pending OidcDiscoverStart(OidcOptions options)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_oidc_discover(Life.HandleOf(this), (Raw.mtoken_oidc_options*)arena.Option(options), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Creates a configuration from the provider's published document (OpenID Connect Discovery), which supplies the authorization endpoint and says whether responses name the issuer. (mtoken_oidc_discover)</summary>
        public async Task<OidcConfig> OidcDiscoverAsync(OidcOptions options, CancellationToken token = default(CancellationToken))
        {
            var task = OidcDiscoverStart(options);
            await task.Finish(token).ConfigureAwait(false);
            return task.OidcConfig();
        }

        /// <summary>Registers this device for push messages. (mtoken_push_register)</summary>
        public unsafe Pending PushRegisterStart(PushOptions options)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_push_register(Life.HandleOf(this), (Raw.mtoken_push_options*)arena.Option(options), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Registers this device for push messages. (mtoken_push_register)</summary>
        public async Task PushRegisterAsync(PushOptions options, CancellationToken token = default(CancellationToken))
        {
            var task = PushRegisterStart(options);
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Returns 1 if the server has accepted a registration since the client was created. (mtoken_push_is_registered)</summary>
        public unsafe bool PushIsRegistered()
        {
            using (var arena = new Arena())
            {
                var result = Raw.mtoken_push_is_registered(Life.HandleOf(this)) != 0;
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Counts the unread messages. (mtoken_inbox_count)</summary>
        public unsafe Pending InboxCountStart()
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_inbox_count(Life.HandleOf(this), &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Counts the unread messages. (mtoken_inbox_count)</summary>
        public async Task<long> InboxCountAsync(CancellationToken token = default(CancellationToken))
        {
            var task = InboxCountStart();
            await task.Finish(token).ConfigureAwait(false);
            return task.InboxCount();
        }

        /// <summary>Fetches one page of messages without their bodies. (mtoken_inbox_list_page)</summary>
        public unsafe Pending InboxListPageStart(int page, int pageSize, bool onlyUnread)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_inbox_list_page(Life.HandleOf(this), page, pageSize, onlyUnread ? 1 : 0, &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches one page of messages without their bodies. (mtoken_inbox_list_page)</summary>
        public async Task<InboxList> InboxListPageAsync(int page, int pageSize, bool onlyUnread, CancellationToken token = default(CancellationToken))
        {
            var task = InboxListPageStart(page, pageSize, onlyUnread);
            await task.Finish(token).ConfigureAwait(false);
            return task.InboxList();
        }

        /// <summary>Fetches page after page until one is not full or brings nothing new, or a limit is reached. (mtoken_inbox_list_all)</summary>
        public unsafe Pending InboxListAllStart(int pageSize, int limit, bool onlyUnread)
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_inbox_list_all(Life.HandleOf(this), pageSize, limit, onlyUnread ? 1 : 0, &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches page after page until one is not full or brings nothing new, or a limit is reached. (mtoken_inbox_list_all)</summary>
        public async Task<InboxList> InboxListAllAsync(int pageSize, int limit, bool onlyUnread, CancellationToken token = default(CancellationToken))
        {
            var task = InboxListAllStart(pageSize, limit, onlyUnread);
            await task.Finish(token).ConfigureAwait(false);
            return task.InboxList();
        }

        /// <summary>Fetches a message with its body. (mtoken_inbox_detail)</summary>
        public unsafe Pending InboxDetailStart(string id)
        {
            using (var arena = new Arena())
            {
                ulong id_length;
                var id_data = arena.Text(id, out id_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_inbox_detail(Life.HandleOf(this), id_data, id_length, &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches a message with its body. (mtoken_inbox_detail)</summary>
        public async Task<InboxMessage> InboxDetailAsync(string id, CancellationToken token = default(CancellationToken))
        {
            var task = InboxDetailStart(id);
            await task.Finish(token).ConfigureAwait(false);
            return task.InboxMessage();
        }

        /// <summary>Marks a message as read. (mtoken_inbox_mark_read)</summary>
        public unsafe Pending InboxMarkReadStart(string id)
        {
            using (var arena = new Arena())
            {
                ulong id_length;
                var id_data = arena.Text(id, out id_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_inbox_mark_read(Life.HandleOf(this), id_data, id_length, &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Marks a message as read. (mtoken_inbox_mark_read)</summary>
        public async Task InboxMarkReadAsync(string id, CancellationToken token = default(CancellationToken))
        {
            var task = InboxMarkReadStart(id);
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Marks all messages as read. (mtoken_inbox_mark_all_read)</summary>
        public unsafe Pending InboxMarkAllReadStart()
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_inbox_mark_all_read(Life.HandleOf(this), &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Marks all messages as read. (mtoken_inbox_mark_all_read)</summary>
        public async Task InboxMarkAllReadAsync(CancellationToken token = default(CancellationToken))
        {
            var task = InboxMarkAllReadStart();
            await task.Finish(token).ConfigureAwait(false);
        }

        /// <summary>Extracts the request from the payload of a push. (mtoken_mobile_auth_from_push)</summary>
        public unsafe MobileAuthRequest MobileAuthFromPush(string payload)
        {
            using (var arena = new Arena())
            {
                ulong payload_length;
                var payload_data = arena.Text(payload, out payload_length);
                Raw.mtoken_mobile_auth_request* out_request = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_mobile_auth_from_push(Life.HandleOf(this), payload_data, payload_length, &out_request, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Mtoken.MobileAuthRequest.Own(out_request);
            }
        }

        /// <summary>Fetches the requests that wait for the user, newest first. (mtoken_mobile_auth_pending)</summary>
        public unsafe Pending MobileAuthPendingStart()
        {
            using (var arena = new Arena())
            {
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_mobile_auth_pending(Life.HandleOf(this), &out_task, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Fetches the requests that wait for the user, newest first. (mtoken_mobile_auth_pending)</summary>
        public async Task<MobileAuthList> MobileAuthPendingAsync(CancellationToken token = default(CancellationToken))
        {
            var task = MobileAuthPendingStart();
            await task.Finish(token).ConfigureAwait(false);
            return task.MobileAuthList();
        }

        /// <summary>Handles a request: fetches it, asks the user with events of kind MTOKEN_EVENT_CHALLENGE, and sends the answer to the server. (mtoken_mobile_auth_handle)</summary>
        public unsafe Pending MobileAuthHandleStart(string transactionId, MobileAuthOptions options = null)
        {
            using (var arena = new Arena())
            {
                ulong transaction_id_length;
                var transaction_id_data = arena.Text(transactionId, out transaction_id_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_mobile_auth_handle(Life.HandleOf(this), transaction_id_data, transaction_id_length, (Raw.mtoken_mobile_auth_options*)arena.Option(options), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Handles a request: fetches it, asks the user with events of kind MTOKEN_EVENT_CHALLENGE, and sends the answer to the server. (mtoken_mobile_auth_handle)</summary>
        public async Task<MobileAuthOutcome> MobileAuthHandleAsync(string transactionId, MobileAuthOptions options = null, CancellationToken token = default(CancellationToken))
        {
            var task = MobileAuthHandleStart(transactionId, options);
            await task.Finish(token).ConfigureAwait(false);
            return task.MobileAuth();
        }

        /// <summary>Handles the request in the payload of a push. (mtoken_mobile_auth_handle_push)</summary>
        public unsafe Pending MobileAuthHandlePushStart(string payload, MobileAuthOptions options = null)
        {
            using (var arena = new Arena())
            {
                ulong payload_length;
                var payload_data = arena.Text(payload, out payload_length);
                IntPtr out_task = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_mobile_auth_handle_push(Life.HandleOf(this), payload_data, payload_length, (Raw.mtoken_mobile_auth_options*)arena.Option(options), &out_task, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new Pending(out_task, this);
            }
        }

        /// <summary>Handles the request in the payload of a push. (mtoken_mobile_auth_handle_push)</summary>
        public async Task<MobileAuthOutcome> MobileAuthHandlePushAsync(string payload, MobileAuthOptions options = null, CancellationToken token = default(CancellationToken))
        {
            var task = MobileAuthHandlePushStart(payload, options);
            await task.Finish(token).ConfigureAwait(false);
            return task.MobileAuth();
        }

        /// <summary>Registers a custom authenticator (a smart card, another sensor), or replaces the one of that name. (mtoken_mobile_auth_register_authenticator)</summary>
        public unsafe void MobileAuthRegisterAuthenticator(string name, byte[] key)
        {
            using (var arena = new Arena())
            {
                ulong name_length;
                var name_data = arena.Text(name, out name_length);
                ulong key_length;
                var key_data = arena.Bytes(key, out key_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_mobile_auth_register_authenticator(Life.HandleOf(this), name_data, name_length, key_data, key_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Removes the registration of an authenticator and wipes its key. (mtoken_mobile_auth_unregister_authenticator)</summary>
        public unsafe void MobileAuthUnregisterAuthenticator(string name)
        {
            using (var arena = new Arena())
            {
                ulong name_length;
                var name_data = arena.Text(name, out name_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_mobile_auth_unregister_authenticator(Life.HandleOf(this), name_data, name_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }
    }

    /// <summary>Opaque handles.</summary>
    public sealed partial class Store : MTokenObject
    {
        internal Store(IntPtr handle, MTokenObject keeps) : base(handle, Raw.mtoken_store_free, keeps) { }

        /// <summary>Opens a store in a directory, which is created with mode 0700 if missing. (mtoken_store_directory_new)</summary>
        public static unsafe Store Directory(string path)
        {
            using (var arena = new Arena())
            {
                ulong path_length;
                var path_data = arena.Text(path, out path_length);
                IntPtr out_store = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_store_directory_new(path_data, path_length, &out_store, &error);
                MTokenException.Check(status, error);
                return new Store(out_store, null);
            }
        }

        /// <summary>Opens a store in memory, for tests and load tests. (mtoken_store_memory_new)</summary>
        public static unsafe Store Memory()
        {
            using (var arena = new Arena())
            {
                IntPtr out_store = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_store_memory_new(&out_store, &error);
                MTokenException.Check(status, error);
                return new Store(out_store, null);
            }
        }

        /// <summary>Lists the clients that have stored something, whether or not they can be opened. (mtoken_store_clients)</summary>
        public unsafe StoreList Clients()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_store_list* out_list = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_store_clients(Life.HandleOf(this), &out_list, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Mtoken.StoreList.Own(out_list);
            }
        }

        /// <summary>Removes all items of a client that cannot be opened (TAMPERED, or its device secret or configuration is lost) or is no longer wanted. (mtoken_store_remove)</summary>
        public unsafe void Remove(string id)
        {
            using (var arena = new Arena())
            {
                ulong id_length;
                var id_data = arena.Text(id, out id_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_store_remove(Life.HandleOf(this), id_data, id_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Copies all items of a client to another store or another id without interpreting them: for analysis, for safekeeping before a removal, or to move to another kind of store. (mtoken_store_copy)</summary>
        public unsafe void Copy(string id, Store target, string targetId)
        {
            using (var arena = new Arena())
            {
                ulong id_length;
                var id_data = arena.Text(id, out id_length);
                ulong target_id_length;
                var target_id_data = arena.Text(targetId, out target_id_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_store_copy(Life.HandleOf(this), id_data, id_length, Life.HandleOf(target), target_id_data, target_id_length, &error);
                GC.KeepAlive(this);
                GC.KeepAlive(target);
                MTokenException.Check(status, error);
            }
        }
    }

    /// <summary>Opaque handles.</summary>
    public sealed partial class Sealer : MTokenObject
    {
        internal Sealer(IntPtr handle, MTokenObject keeps) : base(handle, Raw.mtoken_sealer_free, keeps) { }

        /// <summary>Seals bytes of the host's own, e.g. the key of the biometry factor (mtoken_auth.biometry_key), so that a touch of a security key stands for a fingerprint. (mtoken_sealer_seal)</summary>
        public unsafe byte[] Seal(string label, byte[] bytes)
        {
            using (var arena = new Arena())
            {
                ulong label_length;
                var label_data = arena.Text(label, out label_length);
                ulong bytes_length;
                var bytes_data = arena.Bytes(bytes, out bytes_length);
                Raw.mtoken_bytes* out_bytes = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_sealer_seal(Life.HandleOf(this), label_data, label_length, bytes_data, bytes_length, &out_bytes, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Life.Take(out_bytes);
            }
        }

        /// <summary>Unseals what mtoken_sealer_seal sealed. (mtoken_sealer_unseal)</summary>
        public unsafe byte[] Unseal(string label, byte[] form)
        {
            using (var arena = new Arena())
            {
                ulong label_length;
                var label_data = arena.Text(label, out label_length);
                ulong form_length;
                var form_data = arena.Bytes(form, out form_length);
                Raw.mtoken_bytes* out_bytes = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_sealer_unseal(Life.HandleOf(this), label_data, label_length, form_data, form_length, &out_bytes, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Life.Take(out_bytes);
            }
        }
    }

    /// <summary>Opaque handles.</summary>
    public sealed partial class Pending : MTokenObject
    {
        internal Pending(IntPtr handle, MTokenObject keeps) : base(handle, Raw.mtoken_task_free, keeps) { }

        /// <summary>Ends the turn of a task. (mtoken_task_give_turn)</summary>
        public unsafe void GiveTurn()
        {
            using (var arena = new Arena())
            {
                var status = Raw.mtoken_task_give_turn(Life.HandleOf(this));
                GC.KeepAlive(this);
                MTokenException.Check(status, null);
            }
        }

        /// <summary>Returns the result of mtoken_operations_list or mtoken_operations_history, or NULL for other or unfinished tasks. (mtoken_task_operations)</summary>
        public unsafe OperationList Operations()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.OperationList.Of(Raw.mtoken_task_operations(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_operations_detail or mtoken_operations_claim, or NULL for other or unfinished tasks. (mtoken_task_operation)</summary>
        public unsafe Operation Operation()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.Operation.Of(Raw.mtoken_task_operation(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_client_encrypt, or NULL for other or unfinished tasks. (mtoken_task_encrypted_request)</summary>
        public unsafe EncryptedRequest EncryptedRequest()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.EncryptedRequest.Of(Raw.mtoken_task_encrypted_request(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Decrypts the response to the request of an mtoken_client_encrypt task. (mtoken_task_decrypt)</summary>
        public unsafe byte[] Decrypt(byte[] answer)
        {
            using (var arena = new Arena())
            {
                ulong answer_length;
                var answer_data = arena.Bytes(answer, out answer_length);
                Raw.mtoken_bytes* out_bytes = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_task_decrypt(Life.HandleOf(this), answer_data, answer_length, &out_bytes, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Life.Take(out_bytes);
            }
        }

        /// <summary>Returns the claims that mtoken_client_fetch_user_info or mtoken_client_activate received. (mtoken_task_user_info)</summary>
        public unsafe UserInfo UserInfo()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.UserInfo.Of(Raw.mtoken_task_user_info(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_client_activate, or NULL for other or unfinished tasks. (mtoken_task_activation)</summary>
        public unsafe Activation Activation()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.Activation.Of(Raw.mtoken_task_activation(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_client_fetch_status or mtoken_client_wait_active, or NULL for other or unfinished tasks. (mtoken_task_activation_status)</summary>
        public unsafe ActivationStatus ActivationStatus()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.ActivationStatus.Of(Raw.mtoken_task_activation_status(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_client_fetch_detail, or NULL for other or unfinished tasks. (mtoken_task_activation_detail)</summary>
        public unsafe ActivationDetail ActivationDetail()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.ActivationDetail.Of(Raw.mtoken_task_activation_detail(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_client_fetch_config, or NULL for other or unfinished tasks. (mtoken_task_config)</summary>
        public unsafe Config Config()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.Config.Of(Raw.mtoken_task_config(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the bytes that a task produced, or NULL for other or unfinished tasks. (mtoken_task_bytes)</summary>
        public unsafe byte[] Bytes()
        {
            using (var arena = new Arena())
            {
                var result = Life.Copy(Raw.mtoken_task_bytes(Life.HandleOf(this)));
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_recovery_fetch, or NULL for other or unfinished tasks. (mtoken_task_recovery)</summary>
        public unsafe Recovery Recovery()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.Recovery.Of(Raw.mtoken_task_recovery(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_recovery_confirm: 1 if the code had already been confirmed, 0 if not, -1 for other or unfinished tasks. (mtoken_task_already_confirmed)</summary>
        public unsafe Answer AlreadyConfirmed()
        {
            using (var arena = new Arena())
            {
                var result = (Answer)Raw.mtoken_task_already_confirmed(Life.HandleOf(this));
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_token_fetch_header, or NULL for other or unfinished tasks. (mtoken_task_header)</summary>
        public unsafe Header Header()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.Header.Of(Raw.mtoken_task_header(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_oidc_fetch_config or mtoken_oidc_discover, or NULL for other or unfinished tasks. (mtoken_task_oidc_config)</summary>
        public unsafe OidcConfig OidcConfig()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.OidcConfig.Of(Raw.mtoken_task_oidc_config(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_oidc_listen, or NULL for other or unfinished tasks. (mtoken_task_oidc_attributes)</summary>
        public unsafe OidcAttributes OidcAttributes()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.OidcAttributes.Of(Raw.mtoken_task_oidc_attributes(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_inbox_count, or -1 for other or unfinished tasks. (mtoken_task_inbox_count)</summary>
        public unsafe long InboxCount()
        {
            using (var arena = new Arena())
            {
                var result = Raw.mtoken_task_inbox_count(Life.HandleOf(this));
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_inbox_list_page or mtoken_inbox_list_all, or NULL for other or unfinished tasks. (mtoken_task_inbox_list)</summary>
        public unsafe InboxList InboxList()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.InboxList.Of(Raw.mtoken_task_inbox_list(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_inbox_detail, or NULL for other or unfinished tasks. (mtoken_task_inbox_message)</summary>
        public unsafe InboxMessage InboxMessage()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.InboxMessage.Of(Raw.mtoken_task_inbox_message(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns the result of mtoken_mobile_auth_pending, or NULL for other or unfinished tasks. (mtoken_task_mobile_auth_list)</summary>
        public unsafe MobileAuthList MobileAuthList()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.MobileAuthList.Of(Raw.mtoken_task_mobile_auth_list(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Returns how the handling ended, whether it succeeded or not, or NULL for other or unfinished tasks. (mtoken_task_mobile_auth)</summary>
        public unsafe MobileAuthOutcome MobileAuth()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.MobileAuthOutcome.Of(Raw.mtoken_task_mobile_auth(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }
    }

    /// <summary>Opaque handles.</summary>
    public sealed partial class Challenge : MTokenObject
    {
        internal Challenge(IntPtr handle, MTokenObject keeps) : base(handle, Raw.mtoken_challenge_free, keeps) { }

        /// <summary>Returns what the user is asked, or NULL for an invalid handle. (mtoken_challenge_get_info)</summary>
        public unsafe ChallengeInfo GetInfo()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.ChallengeInfo.Of(Raw.mtoken_challenge_get_info(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Approves the request with this device alone. (mtoken_challenge_confirm)</summary>
        public unsafe void Confirm()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_challenge_confirm(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Rejects the request at the server. (mtoken_challenge_deny)</summary>
        public unsafe void Deny(string reason = null)
        {
            using (var arena = new Arena())
            {
                ulong reason_length;
                var reason_data = arena.Text(reason, out reason_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_challenge_deny(Life.HandleOf(this), reason_data, reason_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Approves the request with the PIN. (mtoken_challenge_pin)</summary>
        public unsafe void Pin(byte[] pin)
        {
            using (var arena = new Arena())
            {
                ulong pin_length;
                var pin_data = arena.Bytes(pin, out pin_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_challenge_pin(Life.HandleOf(this), pin_data, pin_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Approves the request with the 16 bytes that the biometric sensor releases. (mtoken_challenge_biometric)</summary>
        public unsafe void Biometric(byte[] key)
        {
            using (var arena = new Arena())
            {
                ulong key_length;
                var key_data = arena.Bytes(key, out key_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_challenge_biometric(Life.HandleOf(this), key_data, key_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Approves the request with a custom authenticator. (mtoken_challenge_custom)</summary>
        public unsafe void Custom(byte[] key, string info = null)
        {
            using (var arena = new Arena())
            {
                ulong key_length;
                var key_data = arena.Bytes(key, out key_length);
                ulong info_length;
                var info_data = arena.Text(info, out info_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_challenge_custom(Life.HandleOf(this), key_data, key_length, info_data, info_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Answers with the proximity check password that the other screen shows. (mtoken_challenge_proximity)</summary>
        public unsafe void Proximity(string otp, ProximityType source, long received)
        {
            using (var arena = new Arena())
            {
                ulong otp_length;
                var otp_data = arena.Text(otp, out otp_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_challenge_proximity(Life.HandleOf(this), otp_data, otp_length, (int)source, received, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Asks for the PIN instead: a PIN challenge follows. (mtoken_challenge_use_pin)</summary>
        public unsafe void UsePin(string customInfo = null)
        {
            using (var arena = new Arena())
            {
                ulong custom_info_length;
                var custom_info_data = arena.Text(customInfo, out custom_info_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_challenge_use_pin(Life.HandleOf(this), custom_info_data, custom_info_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Ends the handling with "action_cancelled". (mtoken_challenge_cancel)</summary>
        public unsafe void Cancel()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_challenge_cancel(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }
    }

    /// <summary>Reports when operations expire.</summary>
    public sealed partial class Watcher : MTokenObject
    {
        internal Watcher(IntPtr handle, MTokenObject keeps) : base(handle, Raw.mtoken_watcher_free, keeps) { }

        /// <summary>Creates a watcher. (mtoken_watcher_new)</summary>
        public static unsafe Watcher Create(Client client)
        {
            using (var arena = new Arena())
            {
                IntPtr out_watcher = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_watcher_new(Life.HandleOf(client), &out_watcher, &error);
                GC.KeepAlive(client);
                MTokenException.Check(status, error);
                return new Watcher(out_watcher, client);
            }
        }

        /// <summary>Adds items. (mtoken_watcher_add)</summary>
        public unsafe void Add(IReadOnlyList<Watch> items)
        {
            using (var arena = new Arena())
            {
                ulong count;
                var array = (Raw.mtoken_watched*)arena.Array(items, out count);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_watcher_add(Life.HandleOf(this), array, count, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Removes the items with the same id, data and expiry; others are ignored. (mtoken_watcher_remove)</summary>
        public unsafe void Remove(IReadOnlyList<Watch> items)
        {
            using (var arena = new Arena())
            {
                ulong count;
                var array = (Raw.mtoken_watched*)arena.Array(items, out count);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_watcher_remove(Life.HandleOf(this), array, count, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Removes all items. (mtoken_watcher_remove_all)</summary>
        public unsafe void RemoveAll()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_watcher_remove_all(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Returns the items that are watched now. (mtoken_watcher_list)</summary>
        public unsafe WatchedList List()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_watched_list* out_list = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_watcher_list(Life.HandleOf(this), &out_list, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Mtoken.WatchedList.Own(out_list);
            }
        }

        /// <summary>Replaces the watcher's clock. (mtoken_watcher_set_clock)</summary>
        public unsafe void SetClock(bool ownClock, long offsetMs)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_watcher_set_clock(Life.HandleOf(this), ownClock ? 1 : 0, offsetMs, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }
    }

    /// <summary>A login in progress.</summary>
    public sealed partial class OidcRequest : MTokenObject
    {
        internal OidcRequest(IntPtr handle, MTokenObject keeps) : base(handle, Raw.mtoken_oidc_request_free, keeps) { }

        /// <summary>Creates a login request: nonce and state (32 random bytes each), a PKCE code verifier unless PKCE is omitted, and the URL to open. (mtoken_oidc_prepare)</summary>
        public static unsafe OidcRequest Create(OidcOptions options)
        {
            using (var arena = new Arena())
            {
                IntPtr out_request = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_oidc_prepare((Raw.mtoken_oidc_options*)arena.Option(options), &out_request, &error);
                GC.KeepAlive(options);
                MTokenException.Check(status, error);
                return new OidcRequest(out_request, null);
            }
        }

        /// <summary>Returns the content of a request, or NULL for an invalid handle. (mtoken_oidc_request_get_authorization)</summary>
        public unsafe OidcAuthorization GetAuthorization()
        {
            using (var arena = new Arena())
            {
                var result = Mtoken.OidcAuthorization.Of(Raw.mtoken_oidc_request_get_authorization(Life.HandleOf(this)), this.life);
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Checks the URL to which the provider redirected the browser and extracts the authorization code. (mtoken_oidc_process)</summary>
        public unsafe OidcAttributes OidcProcess(string callback)
        {
            using (var arena = new Arena())
            {
                ulong callback_length;
                var callback_data = arena.Text(callback, out callback_length);
                Raw.mtoken_oidc_attributes* out_attributes = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_oidc_process(Life.HandleOf(this), callback_data, callback_length, &out_attributes, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Mtoken.OidcAttributes.Of(out_attributes, this.life);
            }
        }
    }

    /// <summary>Builds the JSON object.</summary>
    public sealed partial class MobileTokenData : MTokenObject
    {
        internal MobileTokenData(IntPtr handle, MTokenObject keeps) : base(handle, Raw.mtoken_mobile_token_data_free, keeps) { }

        /// <summary>Creates a builder. (mtoken_mobile_token_data_new)</summary>
        public static unsafe MobileTokenData Create(string initial = null)
        {
            using (var arena = new Arena())
            {
                ulong initial_length;
                var initial_data = arena.Text(initial, out initial_length);
                IntPtr out_builder = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_mobile_token_data_new(initial_data, initial_length, &out_builder, &error);
                MTokenException.Check(status, error);
                return new MobileTokenData(out_builder, null);
            }
        }

        /// <summary>Sets a member to one JSON value, or replaces its value. (mtoken_mobile_token_data_put)</summary>
        public unsafe void Put(string key, string json)
        {
            using (var arena = new Arena())
            {
                ulong key_length;
                var key_data = arena.Text(key, out key_length);
                ulong json_length;
                var json_data = arena.Text(json, out json_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_mobile_token_data_put(Life.HandleOf(this), key_data, key_length, json_data, json_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Sets a member to a text, or replaces its value. (mtoken_mobile_token_data_put_text)</summary>
        public unsafe void PutText(string key, string text)
        {
            using (var arena = new Arena())
            {
                ulong key_length;
                var key_data = arena.Text(key, out key_length);
                ulong text_length;
                var text_data = arena.Text(text, out text_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_mobile_token_data_put_text(Life.HandleOf(this), key_data, key_length, text_data, text_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Sets "preApprovalScreens" to the visits that the recorder holds when the object is built. (mtoken_mobile_token_data_put_recorder)</summary>
        public unsafe void PutRecorder(Recorder recorder)
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_mobile_token_data_put_recorder(Life.HandleOf(this), Life.HandleOf(recorder), &error);
                GC.KeepAlive(this);
                GC.KeepAlive(recorder);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Removes a member. (mtoken_mobile_token_data_remove)</summary>
        public unsafe bool Remove(string key)
        {
            using (var arena = new Arena())
            {
                ulong key_length;
                var key_data = arena.Text(key, out key_length);
                var result = Raw.mtoken_mobile_token_data_remove(Life.HandleOf(this), key_data, key_length) != 0;
                GC.KeepAlive(this);
                return result;
            }
        }

        /// <summary>Removes all members. (mtoken_mobile_token_data_clear)</summary>
        public unsafe void Clear()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_mobile_token_data_clear(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Returns the object as it is now, for the mobile_token_data options of operations.h, registry.h and mobile_auth.h. (mtoken_mobile_token_data_build)</summary>
        public unsafe string Build()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_text* out_json = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_mobile_token_data_build(Life.HandleOf(this), &out_json, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Life.Take(out_json);
            }
        }
    }

    /// <summary>Records the user's visits to pre-approval screens.</summary>
    public sealed partial class Recorder : MTokenObject
    {
        internal Recorder(IntPtr handle, MTokenObject keeps) : base(handle, Raw.mtoken_recorder_free, keeps) { }

        /// <summary>Creates a recorder. (mtoken_recorder_new)</summary>
        public static unsafe Recorder Create(Client client)
        {
            using (var arena = new Arena())
            {
                IntPtr out_recorder = IntPtr.Zero;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_recorder_new(Life.HandleOf(client), &out_recorder, &error);
                GC.KeepAlive(client);
                MTokenException.Check(status, error);
                return new Recorder(out_recorder, client);
            }
        }

        /// <summary>Records that the user sees a screen. (mtoken_recorder_begin)</summary>
        public unsafe void Begin(string screen)
        {
            using (var arena = new Arena())
            {
                ulong screen_length;
                var screen_data = arena.Text(screen, out screen_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_recorder_begin(Life.HandleOf(this), screen_data, screen_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Records that the user leaves a screen: the open one, or otherwise the last one of this id that was left behind. (mtoken_recorder_end)</summary>
        public unsafe void End(string screen, string action)
        {
            using (var arena = new Arena())
            {
                ulong screen_length;
                var screen_data = arena.Text(screen, out screen_length);
                ulong action_length;
                var action_data = arena.Text(action, out action_length);
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_recorder_end(Life.HandleOf(this), screen_data, screen_length, action_data, action_length, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Discards all visits. (mtoken_recorder_reset)</summary>
        public unsafe void Reset()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_recorder_reset(Life.HandleOf(this), &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
            }
        }

        /// <summary>Returns the visits as a JSON list of {"screen", "timestampOpened", "timestampClosed", "action"}, with times such as "2026-01-31T12:00:00.000Z". (mtoken_recorder_build)</summary>
        public unsafe string Build()
        {
            using (var arena = new Arena())
            {
                Raw.mtoken_text* out_json = null;
                Raw.mtoken_error* error = null;
                var status = Raw.mtoken_recorder_build(Life.HandleOf(this), &out_json, &error);
                GC.KeepAlive(this);
                MTokenException.Check(status, error);
                return Life.Take(out_json);
            }
        }
    }
}
