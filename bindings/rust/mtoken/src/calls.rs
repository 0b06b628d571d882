// Made by bindings/generate from mtoken.h. Do not edit.

use crate::life::*;
use crate::options::*;
use crate::values::*;
use crate::views::*;
use crate::{Owned, Result, Runtime, Task, Watch};
use mtoken_sys as sys;

impl Runtime {
    /// Creates a runtime and starts its thread, which blocks all signals except those raised by faults. The first
    /// client with a host's store or a sealer starts a second one, which waits for these, and there are more as soon as
    /// several of them keep it waiting. The library starts no other thread, but libcurl may briefly start one to
    /// resolve a host name.
    ///
    /// - `options`: `None`: defaults.
    ///
    /// Returns: The new runtime.
    ///
    /// # Errors
    ///
    /// `ErrorCode::ARGUMENT`, `ErrorCode::INTERNAL` (no thread or descriptor available).
    pub fn new(options: Option<&RuntimeOptions>) -> Result<Self> {
        suitable()?;
        let mut hold = Hold::new();
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_runtime = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_runtime_new(pointer(raw_options.as_ref()), &mut out_runtime, &mut error) };
        check(status, error)?;
        Ok(unsafe { Runtime::made(out_runtime) })
    }
    /// Returns the current counters. It is cheap, however many clients there are.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::STATE` (belongs to a parent process), `ErrorCode::ARGUMENT`.
    pub fn get_info(&self) -> Result<Owned<RuntimeInfo>> {
        let mut out_info = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_runtime_get_info(self.as_ptr(), &mut out_info, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_info as *mut RuntimeInfo) })
    }
    /// Prepares a request and waits for the response on the loopback interface (RFC 8252, 7.3), for desktop programs
    /// that no other URL can reach. Listens only on the address of the redirect URI, which must be
    /// `http://127.0.0.1[:port]/path` or `http://[::1][:port]/path.` Without a port it listens on any free one and sets
    /// it in the redirect URI of the request. When the bank's server redeems the code, it sends the provider the
    /// redirect URI of its own configuration. Unless the provider ignores the port, use the one in that configuration.
    ///
    /// Exactly one response is accepted: the first that passes steps 1 to 4 of `OidcRequest::oidc_process`. The browser
    /// shows a short page, the port is closed and the task completes. Everything else (other paths, forged responses,
    /// fragments, other hosts) is refused, and the wait continues until the lifetime is over. At most 16 connections
    /// are open at once; a new one replaces the oldest idle one, or else the oldest whose request is incomplete. Cancel
    /// the task to stop waiting early. The request may be freed while the task runs.
    ///
    /// Returns: The event of the task has no client. Open its URL in the browser.
    ///
    /// # Errors
    ///
    /// - At once: As `OidcRequest::new`, `ErrorCode::HANDLE`, `ErrorCode::STATE` (the runtime was freed),
    ///   `ErrorCode::BUSY` (the port is in use or not available, reason "portUnavailable").
    /// - Of the task: `ErrorCode::SERVER` ("authorizationError"), `ErrorCode::PROTOCOL` ("missingCode"),
    ///   `ErrorCode::TIMEOUT` ("requestExpired"), `ErrorCode::CANCELLED`.
    pub fn oidc_listen(&self, options: &OidcOptions<'_>) -> Result<(OidcRequest, Task<Owned<OidcAttributes>>)> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_request = std::ptr::null_mut();
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_listen(self.as_ptr(), pointer(raw_options.as_ref()), &mut out_request, &mut out_task, &mut error) };
        check(status, error)?;
        Ok((unsafe { OidcRequest::made(out_request, self.shared()) }, unsafe { Task::made(out_task, self.shared()) }))
    }
    /// Parses the payload of a push message as `push_parse` does, and finds the client of the runtime that it is for,
    /// by the activation that it names. For hosts with several accounts. For `PushKind::STATUS_CHANGE` that client then
    /// fetches its status in the background: what `Client::get_info` says of it changes, and polling waits or goes on.
    ///
    /// Calls POST /pa/v3/activation/status, for `PushKind::STATUS_CHANGE`.
    ///
    /// Returns: The message, with its client; `None` if the push is of no kind in `PushKind`, which is not an error.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::PARSE` (not a JSON object or array; with the byte
    /// offset), `ErrorCode::STATE` (belongs to a parent process).
    pub fn route_push(&self, payload: &str) -> Result<Option<Owned<PushMessage>>> {
        let given_payload = raw_text(Some(payload));
        let mut out_message = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_runtime_route_push(self.as_ptr(), given_payload.data, given_payload.length, &mut out_message, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::maybe(out_message as *mut PushMessage) })
    }
    /// Hands in the response to a request, complete, whatever its status.
    ///
    /// - `id`: of `HttpRequest`.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (the request still waits), `ErrorCode::NOT_FOUND` (it does not wait:
    /// it was answered, cancelled with its call or client, or its deadline has passed), `ErrorCode::STATE` (belongs to
    /// a parent process).
    pub fn request_respond(&self, id: i64, response: &HttpResponse<'_>) -> Result<()> {
        let mut hold = Hold::new();
        let raw_response = Some(response).map(|given| given.raw(&mut hold));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_request_respond(self.as_ptr(), id, pointer(raw_response.as_ref()), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Tells that there is no response to a request, and why: exactly one of the two faults.
    ///
    /// - `id`: of `HttpRequest`.
    /// - `outcome`: `Outcome::NOT_SENT` only if the server cannot have got any of it: a signature is then used again.
    ///   Otherwise `Outcome::UNKNOWN`.
    /// - `network_fault`: `NetworkFault`, or `NetworkFault::NONE`.
    /// - `tls_fault`: `TlsFault`, or `TlsFault::NONE`.
    ///
    /// # Errors
    ///
    /// As `Runtime::request_respond`.
    pub fn request_fail(&self, id: i64, outcome: Outcome, network_fault: NetworkFault, tls_fault: TlsFault) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_request_fail(self.as_ptr(), id, outcome.0, network_fault.0, tls_fault.0, &mut error) };
        check(status, error)?;
        Ok(())
    }
}

object! {
    /// One activation, and its services.
    Client, mtoken_client, mtoken_client_free
}
impl Client {
    /// Signs a request that the host is about to send and returns its X-PowerAuth-Authorization header. The library
    /// stores the advanced counter durably before the call returns. A wrong PIN gives a wrong signature, which only the
    /// server can detect. Send the signed requests of one client in the order in which you signed them, each at most
    /// once. (PowerAuth protocol, online signatures.)
    ///
    /// Each signature advances the device's counter by one. The server's counter follows only when the server accepts a
    /// signature. The library learns of that from the next status, from its own next call, or from
    /// `Client::signature_accepted`. When more than half of the server's look-ahead window is used, the library fetches
    /// the status in the background (POST /pa/v3/activation/status, unsigned).
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    /// `ErrorCode::FACTOR` (not set up; knowledge with biometry but without possession), `ErrorCode::STORAGE` (no
    /// header is returned and the counter value is not used), `ErrorCode::BLOCKED`, `ErrorCode::REMOVED` (as of the
    /// last status), `ErrorCode::STATE` (reason "counterAtRisk": one more signature could exceed the server's window;
    /// fetch the status first; reason "counterDeadlock"; or the external key is not set).
    pub fn sign(&self, options: &SignOptions<'_>, auth: &Auth<'_>) -> Result<Owned<Header>> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_header = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_sign(self.as_ptr(), pointer(raw_options.as_ref()), pointer(raw_auth.as_ref()), &mut out_header, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_header as *mut Header) })
    }
    /// Tells the library that the server has accepted the last signature from `Client::sign`, and that its counter has
    /// thus caught up. No network.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`.
    pub fn signature_accepted(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_signature_accepted(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Takes a turn to sign. The task succeeds when no signed call of this client is in progress; the library then
    /// starts none until `Task::give_turn`. A host that sends signed requests itself takes a turn, signs, sends, reads
    /// the response and ends the turn. Its requests and the library's then reach the server in the order of their
    /// counters.
    ///
    /// Returns: Success means that the turn has begun.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`.
    /// - Of the task: `ErrorCode::CANCELLED`, `ErrorCode::NOT_ACTIVATED` (removed in the meantime).
    pub fn take_turn(&self) -> Result<Task<Task<()>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_take_turn(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Computes an offline signature: decimal components, one per factor, joined by "-". The library advances and
    /// stores the counter as for an online signature. `Client::qr_authorize` says how many codes may be unacknowledged.
    /// (PowerAuth protocol, offline signatures.)
    ///
    /// # Errors
    ///
    /// As `Client::sign`, with reason "counterWindow" in place of "counterAtRisk".
    pub fn sign_offline(&self, options: &SignOfflineOptions<'_>, auth: &Auth<'_>) -> Result<String> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_code = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_sign_offline(self.as_ptr(), pointer(raw_options.as_ref()), pointer(raw_auth.as_ref()), &mut out_code, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_text(out_code) })
    }
    /// Verifies a signature of the server: ECDSA P-256 with SHA-256 or P-384 with SHA-384, as the keys of the
    /// configuration or the activation are. With keys of both curves in the configuration, the signature may be by
    /// either. A code of `Key::PERSONALIZED_MAC` has 32 bytes.
    ///
    /// Returns: True: the signature is valid; false: it is not.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (empty signature, unknown key or form), `ErrorCode::NOT_ACTIVATED`
    /// and `ErrorCode::PENDING` (`Key::PERSONALIZED` and PERSONALIZED_MAC), `ErrorCode::UNSUPPORTED` (PERSONALIZED_MAC,
    /// and the activation is one of protocol 3).
    pub fn verify(&self, options: &VerifyOptions<'_>) -> Result<bool> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_is_valid = Default::default();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_verify(self.as_ptr(), pointer(raw_options.as_ref()), &mut out_is_valid, &mut error) };
        check(status, error)?;
        Ok(out_is_valid != 0)
    }
    /// Fetches the pending operations. An operation that is unreadable, or that is not valid JSON (for example because
    /// of a duplicate name or an unpaired surrogate), is dropped, counted and logged. The others are returned.
    ///
    /// Calls POST /api/auth/token/app/operation/list (token "possession_universal").
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED` (reason "missingActivation"),
    ///   `ErrorCode::PENDING`, `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`, `ErrorCode::SERVER`, `ErrorCode::AUTHENTICATION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`.
    pub fn operations_list(&self) -> Result<Task<Owned<OperationList>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_list(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches past operations in all states. Some servers do not support it (`ErrorCode::HTTP` or `ErrorCode::SERVER`
    /// with status 404).
    ///
    /// Calls POST /api/auth/token/app/operation/history (signed, two factors).
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED` (reason "missingActivation"),
    ///   `ErrorCode::PENDING`, `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`, `ErrorCode::SERVER`, `ErrorCode::AUTHENTICATION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`.
    pub fn operations_history(&self, auth: &Auth<'_>) -> Result<Task<Owned<OperationList>>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_history(self.as_ptr(), pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches one pending operation. If the operation is no longer pending, the task fails, and its reason names the
    /// state, e.g. "operations_alreadyFinished".
    ///
    /// Calls POST /api/auth/token/app/operation/detail (token).
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED` (reason "missingActivation"),
    ///   `ErrorCode::PENDING`, `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`, `ErrorCode::SERVER`, `ErrorCode::AUTHENTICATION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`.
    pub fn operations_detail(&self, id: &str) -> Result<Task<Owned<Operation>>> {
        let given_id = raw_text(Some(id));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_detail(self.as_ptr(), given_id.data, given_id.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Assigns an operation that belongs to no user yet (e.g. a login on a shared screen) to this user, and fetches it.
    ///
    /// Calls POST /api/auth/token/app/operation/detail/claim (token).
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED` (reason "missingActivation"),
    ///   `ErrorCode::PENDING`, `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`, `ErrorCode::SERVER`, `ErrorCode::AUTHENTICATION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`.
    pub fn operations_claim(&self, id: &str) -> Result<Task<Owned<Operation>>> {
        let given_id = raw_text(Some(id));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_claim(self.as_ptr(), given_id.data, given_id.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Approves an operation: signs its id and data exactly as they are in `operation`. An operation from a result of
    /// this library whose id or `operation_data` no longer matches its json is refused.
    ///
    /// Calls POST /api/auth/token/app/operation/authorize (signed with uriId "/operation/authorize"), sent at most
    /// once.
    ///
    /// - `operation`: from a result of this library.
    /// - `auth`: factors, usually a PIN.
    /// - `options`: `None`: the defaults.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::ARGUMENT` (the operation was changed), `ErrorCode::PARSE` (`mobile_token_data` is not a
    ///   JSON object), `ErrorCode::FACTOR`, `ErrorCode::STATE` (reason "unknownStatus", "contradiction" or
    ///   "otherOperation": see the options), `ErrorCode::HANDLE`, `ErrorCode::NOT_ACTIVATED` (reason
    ///   "missingActivation"), `ErrorCode::PENDING`.
    /// - Of the task: `ErrorCode::AUTHENTICATION` (the PIN or biometry key is wrong: `remaining_attempts` are left),
    ///   `ErrorCode::ARGUMENT` (reason "proximityTime": `proximity_received` is in the future), `ErrorCode::SERVER`
    ///   (reason "notTheFactor", "acceptedThenRefused" or "operations_authExpired", ...), `ErrorCode::NETWORK`,
    ///   `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`. With outcome `Outcome::UNKNOWN` the operation may have been
    ///   approved: fetch the list or the detail before you repeat the call.
    pub fn operations_authorize(&self, operation: &Operation, auth: &Auth<'_>, options: Option<&AuthorizeOptions<'_>>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_authorize(self.as_ptr(), &operation.0, pointer(raw_auth.as_ref()), pointer(raw_options.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Approves an operation that was received on another channel. `allow_other_factors` and strict must be false:
    /// there is no form to compare the factors and the data with. If the client is strict and tracks an operation of
    /// this id that contradicts itself or has other data, the call fails with `ErrorCode::STATE`, reason
    /// "contradiction".
    ///
    /// # Errors
    ///
    /// As `Client::operations_authorize`.
    pub fn operations_authorize_data(&self, operation: &OperationOptions<'_>, auth: &Auth<'_>, options: Option<&AuthorizeOptions<'_>>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let raw_operation = Some(operation).map(|given| given.raw(&mut hold));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_authorize_data(self.as_ptr(), pointer(raw_operation.as_ref()), pointer(raw_auth.as_ref()), pointer(raw_options.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Rejects an operation. Signed with possession only: no PIN is needed.
    ///
    /// Calls POST /api/auth/token/app/operation/cancel (signed with uriId "/operation/cancel"), sent at most once.
    ///
    /// - `options`: `None`: the defaults.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::ARGUMENT` (empty id or reason), `ErrorCode::PARSE` (`mobile_token_data` is not a JSON
    ///   object), `ErrorCode::HANDLE`, `ErrorCode::NOT_ACTIVATED` (reason "missingActivation"), `ErrorCode::PENDING`,
    ///   `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`, `ErrorCode::SERVER`, `ErrorCode::AUTHENTICATION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`.
    pub fn operations_reject(&self, id: &str, options: Option<&RejectOptions<'_>>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let given_id = raw_text(Some(id));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_reject(self.as_ptr(), given_id.data, given_id.length, pointer(raw_options.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches the list as `Client::operations_list` does, but without a task: events and `Client::operations_get_info`
    /// report the result. Does nothing while a fetch is in progress.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`, `ErrorCode::STATE` (the runtime was
    /// freed).
    pub fn operations_refresh(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_refresh(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns `Answer::YES` while a fetch of the list is in progress, from the moment it is requested, otherwise
    /// `Answer::NO`; `Answer::UNSET` for an invalid handle.
    #[must_use]
    pub fn operations_is_loading(&self) -> Answer {
        Answer(unsafe { sys::mtoken_operations_is_loading(self.as_ptr()) })
    }
    /// Returns a snapshot of the tracked operations. No network; works in every client state.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn operations_get_info(&self) -> Result<Owned<OperationsInfo>> {
        let mut out_known = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_get_info(self.as_ptr(), &mut out_known, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_known as *mut OperationsInfo) })
    }
    /// Attaches a proximity check and mobile token data to a tracked operation. Both are sent with its approval, and
    /// the data also with its rejection, unless the options of those calls set them. They are kept when the list is
    /// fetched again, and dropped when the operation is no longer tracked. For an id from a QR code or deeplink
    /// (`Pac`): attach; if that fails with `ErrorCode::NOT_FOUND`, fetch the list and try again; if it still fails with
    /// `ErrorCode::NOT_FOUND`, claim the operation, then attach.
    ///
    /// - `options`: the proximity check and the mobile token data replace what was attached before;
    ///   `allow_other_factors`, strict, `allow_unknown_status`, tolerated and `expected_id` must be absent. `None`:
    ///   removes what is attached.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::PARSE` (the data is not a JSON object),
    /// `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`, `ErrorCode::NOT_FOUND`.
    pub fn operations_attach(&self, id: &str, options: Option<&AuthorizeOptions<'_>>) -> Result<()> {
        let mut hold = Hold::new();
        let given_id = raw_text(Some(id));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_attach(self.as_ptr(), given_id.data, given_id.length, pointer(raw_options.as_ref()), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns the `Attached` flags of a tracked operation; 0 if nothing is attached, the operation is not tracked, or
    /// an argument is invalid.
    #[must_use]
    pub fn operations_get_attached(&self, id: &str) -> Attached {
        let given_id = raw_text(Some(id));
        Attached(unsafe { sys::mtoken_operations_get_attached(self.as_ptr(), given_id.data, given_id.length) })
    }
    /// Starts polling: fetches the list periodically, with one timer on the runtime's thread. A poll sends nothing
    /// while a fetch is in progress, so that fetches never accumulate, and nothing without an activation. If the server
    /// asks for a longer pause (Retry-After), the next poll waits for it. Does nothing if polling has already started,
    /// even if it is paused. Freeing the client stops polling.
    ///
    /// - `options`: `None`: the defaults.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`, `ErrorCode::STATE`
    /// (the runtime was freed).
    pub fn operations_start_polling(&self, options: Option<&PollingOptions>) -> Result<()> {
        let mut hold = Hold::new();
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_start_polling(self.as_ptr(), pointer(raw_options.as_ref()), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Stops polling, even if it is paused. A fetch in progress continues.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`.
    pub fn operations_stop_polling(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_stop_polling(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Pauses polling, e.g. while the program is in the background. Does nothing if polling is off.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`.
    pub fn operations_pause_polling(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_pause_polling(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Fetches at once and resumes polling. Does nothing unless polling is paused.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`.
    pub fn operations_resume_polling(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_resume_polling(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns the `Polling` state, or -1 for an invalid handle.
    #[must_use]
    pub fn operations_get_polling(&self) -> Polling {
        Polling(unsafe { sys::mtoken_operations_get_polling(self.as_ptr()) })
    }
    /// Seals the device secret of a client another way, or, with `None`, keeps it in the store in the clear. From then
    /// on create the client with that sealer.
    ///
    /// One item of the store decides, and it is replaced atomically: if the process is killed, the client opens with
    /// either the old or the new sealer. A `device_secret` of the host is taken over. The secret itself stays the same:
    /// older copies of the store still open with the old sealer.
    ///
    /// - `sealer`: `None`: none.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::SEALED` (nothing has changed), `ErrorCode::STORAGE` (either sealer may be
    /// right), `ErrorCode::STATE` after a fork.
    pub fn reseal(&self, sealer: &Sealer) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_reseal(self.as_ptr(), sealer.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Encrypts the body of a POST request, and signs it if auth is set. The library stores the advanced counter before
    /// the task succeeds. To authenticate with a token instead, leave auth `None` and send the header from
    /// `Client::token_get_header` in addition to that of the encrypted request.
    ///
    /// Calls POST /pa/v3/keystore/create (protocol 3.3) or /pa/v3/status, if the server's key or time is not known.
    ///
    /// Returns: `Task::decrypt` decrypts the response.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::SIGNATURE`, `ErrorCode::PROTOCOL`, `ErrorCode::STATE` (the external key is not set),
    ///   `ErrorCode::STORAGE` (nothing is returned and the counter value is not used), `ErrorCode::NETWORK`,
    ///   `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn encrypt(&self, body: &[u8], options: &EncryptOptions<'_>) -> Result<Task<Task<()>>> {
        let mut hold = Hold::new();
        let given_body = raw_bytes(Some(body));
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_encrypt(self.as_ptr(), given_body.data, given_body.length, pointer(raw_options.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Computes an authentication code of data with the key that the device shares with the server's key store:
    /// HMAC-SHA-256, 32 bytes. The key is the application's secret (`Scope::APPLICATION`) or derived from it and the
    /// activation (`Scope::ACTIVATION`). The counter does not change. No network.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED` and `ErrorCode::PENDING` (in the scope of
    /// the activation).
    pub fn hmac(&self, scope: Scope, bytes: &[u8]) -> Result<Vec<u8>> {
        let given_bytes = raw_bytes(Some(bytes));
        let mut out_mac = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_hmac(self.as_ptr(), scope.0, given_bytes.data, given_bytes.length, &mut out_mac, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_bytes(out_mac) })
    }
    /// Fetches the claims about the user. Concurrent calls share one request. `ClientInfo` holds the claims received
    /// last.
    ///
    /// Calls POST /pa/v3/user/info (encrypted).
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`.
    /// - Of the task: `ErrorCode::SERVER`, `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, `ErrorCode::NETWORK`,
    ///   `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn fetch_user_info(&self) -> Result<Task<Owned<UserInfo>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_fetch_user_info(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Starts an activation. The client must be `ClientState::EMPTY`. It becomes `ClientState::PENDING` on success; on
    /// failure or cancellation it is empty again. The pending activation exists in memory only: store it with
    /// `Client::persist`.
    ///
    /// Protocol 4.0 has no recovery codes, and does not verify the signature of an activation code.
    ///
    /// Calls POST /pa/v4/status (if the protocol is not decided yet), POST /pa/v3/keystore/create (protocol 3.3), POST
    /// /pa/v3/activation/create; with protocol 4.0 the same below /pa/v4.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::ARGUMENT` (not exactly one way to activate, an empty value, or a text longer than servers
    ///   accept: the message names the member, its length and the limit), `ErrorCode::HANDLE`, `ErrorCode::STATE`,
    ///   `ErrorCode::PENDING`, `ErrorCode::PARSE` (a code or the PUK), `ErrorCode::SIGNATURE` (of the code).
    /// - Of the task: `ErrorCode::SERVER` with `server_code` "ERR_ACTIVATION" (unknown, used or expired code, wrong OTP
    ///   or attributes) or "INVALID_RECOVERY_CODE" (wrong PUK: `recovery_puk_index` is the index of the expected one),
    ///   `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, `ErrorCode::SIGNATURE`, `ErrorCode::UNSUPPORTED` (the server
    ///   does not offer the suite; the suite needs a later OpenSSL; a recovery code with protocol 4.0),
    ///   `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn activate(&self, options: &ActivationOptions<'_>) -> Result<Task<Owned<Activation>>> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_activate(self.as_ptr(), pointer(raw_options.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Completes a pending activation: encrypts the key of each factor under that factor and stores the state durably.
    /// The client is then `ClientState::ACTIVE`. Takes a few milliseconds to derive a key from the PIN. The function
    /// itself uses no network; with protocol 4.0 the library confirms the activation in the background afterwards: see
    /// `Client::wait_active`.
    ///
    /// - `auth`: pin: at least 4 bytes, required. It is taken as typed: letters with accents composed in another way
    ///   (NFC, NFD) are another PIN, so compose as the program will each time; `biometry_key`: optional, sets up the
    ///   biometry factor, 16 bytes (protocol 4.0: or 32); authenticator: optional name of the authenticator that keeps
    ///   this key.
    ///
    /// # Errors
    ///
    /// `ErrorCode::ARGUMENT` (reason "weakPin": see `refused_pins` of `ClientOptions`), `ErrorCode::HANDLE`,
    /// `ErrorCode::STATE` (nothing pending), `ErrorCode::STORAGE` (the activation stays pending: call again).
    pub fn persist(&self, auth: &Auth<'_>) -> Result<()> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_persist(self.as_ptr(), pointer(raw_auth.as_ref()), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Takes over an activation from the PowerAuth mobile SDK, version 1, which keeps it as a binary state in the
    /// keychain or the preferences of its application. The client must be `ClientState::EMPTY`. It is
    /// `ClientState::ACTIVE` afterwards, and its state is stored durably. The server is not told and notices nothing.
    /// No network. On any failure the client stays empty, and the state can be imported later.
    ///
    /// From then on only this client may use the activation. Client and SDK would advance the same counter: if the SDK
    /// goes on signing, the server soon accepts neither. Delete the SDK's state when the import has succeeded.
    ///
    /// The import needs no other secret of that installation. The PIN stays the same. Pass the biometry key with each
    /// signature (`Auth::biometry_key`), and the external encryption key, if the activation uses one, as
    /// `ClientOptions::external_key` or with `Client::set_external_key`. The state contains no tokens; the library
    /// creates new ones when it needs them.
    ///
    /// Nothing on the device can tell a wrong possession key from the right one. Fetch the status next: with a wrong
    /// key `Client::fetch_status` fails with `ErrorCode::PROTOCOL`, and no attempt is lost. Then call
    /// `Client::remove_local` and import the state again with the right key. The status also tells how far the SDK was
    /// ahead of the server: until you fetch it, `Client::sign` and offline codes fail with `ErrorCode::STATE`.
    ///
    /// - `state`: the bytes that the SDK serialized, not Base64. Formats 4, 5 and 6 (the bytes "P4" to "P6" at offset
    ///   3) hold an activation of protocol 3.
    /// - `possession_key`: 16 bytes: the SDK's device-related key, which is the first half of the SHA-256 of the device
    ///   identifier that the SDK used.
    ///
    /// # Errors
    ///
    /// `ErrorCode::ARGUMENT`, `ErrorCode::HANDLE`, `ErrorCode::STATE` (there is an activation; or an external key is
    /// set, and the imported activation uses none), `ErrorCode::PENDING`, `ErrorCode::PARSE` with reason
    /// "invalidUpstreamState" (damaged or cut short), `ErrorCode::NOT_ACTIVATED` (the state holds no activation),
    /// `ErrorCode::UNSUPPORTED` with reason "unsupportedProtocol" (an activation of protocol 2, or one that waits for
    /// its upgrade) or "unsupportedState" (format of a later SDK), `ErrorCode::STORAGE`.
    pub fn import_upstream(&self, state: &[u8], possession_key: &[u8]) -> Result<()> {
        let given_state = raw_bytes(Some(state));
        let given_possession_key = raw_bytes(Some(possession_key));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_import_upstream(self.as_ptr(), given_state.data, given_state.length, given_possession_key.data, given_possession_key.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Discards a pending activation or cancels one that is being created. The client is then `ClientState::EMPTY`.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::STATE` (no activation is in progress).
    pub fn cancel_activation(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_cancel_activation(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Fetches the state of the activation and resynchronises the counter with the server. If signed calls fail because
    /// the activation was last known to be blocked, removed or out of step, they work again as soon as this call finds
    /// it active.
    ///
    /// If the device is ahead by more than half of the server's look-ahead window, the library sends a signature, so
    /// that the server catches up. This invalidates offline codes that were created earlier and not yet typed in.
    ///
    /// With protocol 4.0 it also finishes what a lost response left unfinished: it confirms the activation (if this
    /// process knows the PIN: see `Client::wait_active`) or its upgrade, and removes at the server a biometry factor
    /// that this device does not have. If the removal or the signature for the counter fails, the call succeeds
    /// nevertheless: the state was fetched.
    ///
    /// Calls POST /pa/v3/activation/status, and POST /pa/v3/signature/validate if the server has to catch up; with
    /// protocol 4.0 POST /pa/v4/activation/status, and if needed /pa/v4/auth/validate, /pa/v4/activation/confirm,
    /// /pa/v4/upgrade/confirm or /pa/v4/biometry/remove.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`.
    /// - Of the task: `ErrorCode::PROTOCOL`, `ErrorCode::DECRYPTION`, `ErrorCode::STORAGE`, `ErrorCode::NETWORK`,
    ///   `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn fetch_status(&self) -> Result<Task<Owned<ActivationStatus>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_fetch_status(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Waits until the activation is active. Many banks activate in two steps: after `Client::persist` the activation
    /// is `ActivationState::PENDING_COMMIT` until the bank confirms it, and signed calls fail with
    /// `ErrorCode::PENDING_COMMIT`. Fetches the status at once and then at growing intervals (1 to 15 seconds, longer
    /// if the server asks for it). Temporary failures of the network or the server do not end the wait.
    ///
    /// Protocol 4.0 wants the device to confirm each activation with the PIN, before or after the bank does, or it lets
    /// the activation lapse. After `Client::persist` the library does so by itself; it keeps what it needs in memory
    /// until the server has the confirmation, or has counted the PIN as wrong. If the process ends before, calls that
    /// sign fail with `ErrorCode::STATE` (reason confirm) until this function is given the PIN. A wrong PIN costs an
    /// attempt; it never replaces the one that `Client::persist` was given.
    ///
    /// Calls POST /pa/v3/activation/status (and what `Client::fetch_status` calls).
    ///
    /// - `options`: `None`: the defaults.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`.
    /// - Of the task: `ErrorCode::BLOCKED`, `ErrorCode::REMOVED`, `ErrorCode::STATE` (counterDeadlock; confirm: the PIN
    ///   is needed), `ErrorCode::AUTHENTICATION` (it is wrong), `ErrorCode::TIMEOUT` (retriable: wait again),
    ///   `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`
    ///   (if not temporary), `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`.
    pub fn wait_active(&self, options: Option<&WaitOptions<'_>>) -> Result<Task<Owned<ActivationStatus>>> {
        let mut hold = Hold::new();
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_wait_active(self.as_ptr(), pointer(raw_options.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches the name under which the bank shows this device.
    ///
    /// Calls POST /pa/v3/activation/detail (token, encrypted); before it POST /pa/v3/token/create (signed), if needed.
    ///
    /// - `auth`: the PIN or the biometry factor, to create the token "activation_detail" if it is not stored yet.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::FACTOR` (possession alone, or three factors).
    /// - Of the task: `ErrorCode::AUTHENTICATION`, `ErrorCode::SERVER`, `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`
    ///   (also for an empty response), `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`,
    ///   `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn fetch_detail(&self, auth: &Auth<'_>) -> Result<Task<Owned<ActivationDetail>>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_fetch_detail(self.as_ptr(), pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Changes the name under which the bank shows this device. Some servers fail to do so with `ErrorCode::SERVER`
    /// "ERR_ACTIVATION".
    ///
    /// Calls POST /pa/v3/activation/rename (signed, encrypted).
    ///
    /// - `name`: 1 to 255 characters, not only white space.
    /// - `order`: what the signature covers: servers expect `Order::SIGN_THEN_ENCRYPT`; some clients and servers of
    ///   protocol 4.0 use `Order::ENCRYPT_THEN_SIGN`. The other order is not tried automatically, since it would cost
    ///   an attempt.
    /// - `auth`: two factors.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION`, `ErrorCode::SERVER`, `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`.
    pub fn rename(&self, name: &str, order: Order, auth: &Auth<'_>) -> Result<Task<Owned<ActivationDetail>>> {
        let mut hold = Hold::new();
        let given_name = raw_text(Some(name));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_rename(self.as_ptr(), given_name.data, given_name.length, order.0, pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Upgrades an activation of protocol 3 to protocol 4.0, if the server offers it
    /// (`ActivationStatus::upgrade_available`) and the configuration has keys of protocol 4.0. The suite is that of
    /// `ClientOptions`. The activation id, the tokens and the PIN stay; the fingerprint and the keys of the vault
    /// change, and recovery codes end. The upgrade cannot be undone, and earlier versions of this library cannot read
    /// the state afterwards.
    ///
    /// If the process ends or a response is lost, the activation is either still of protocol 3 (call again) or of
    /// protocol 4.0, which the library then confirms by itself with the next status.
    ///
    /// Calls POST /pa/v4/status, POST /pa/v4/keystore/create, POST /pa/v4/upgrade/start (signed, encrypted), POST
    /// /pa/v4/activation/status, POST /pa/v4/upgrade/confirm (signed).
    ///
    /// - `auth`: the PIN. `biometry_key` and authenticator: the biometry factor of that authenticator stays, with the
    ///   same key; without them it is removed. Copies of other authenticators are removed.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (no PIN), `ErrorCode::NOT_ACTIVATED`,
    ///   `ErrorCode::PENDING`, `ErrorCode::STATE` (the activation is of protocol 4.0), `ErrorCode::CONFIGURATION` (it
    ///   has no keys of the suite), `ErrorCode::UNSUPPORTED` (the suite needs a later OpenSSL).
    /// - Of the task: `ErrorCode::UNSUPPORTED` (the server does not offer the suite), `ErrorCode::AUTHENTICATION`
    ///   (wrong PIN), `ErrorCode::SERVER`, `ErrorCode::SIGNATURE`, `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`.
    pub fn upgrade(&self, auth: &Auth<'_>) -> Result<Task<Owned<ActivationStatus>>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_upgrade(self.as_ptr(), pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches the configuration that the bank keeps for its application, encrypted. Protocol 4.0 only, servers from
    /// 2.2 on.
    ///
    /// Calls POST /pa/v4/config/application or /pa/v4/config/activation (encrypted).
    ///
    /// - `scope`: `Scope::APPLICATION`: needs no activation. `Scope::ACTIVATION`: the entries of both scopes.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::UNSUPPORTED` (an activation of protocol 3).
    /// - Of the task: `ErrorCode::UNSUPPORTED` (the server knows protocol 3 only), `ErrorCode::SERVER` with
    ///   `server_code` "ERR_CONFIG", `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, `ErrorCode::NETWORK`,
    ///   `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn fetch_config(&self, scope: Scope) -> Result<Task<Owned<Config>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_fetch_config(self.as_ptr(), scope.0, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Removes the activation at the server and then, only if the server confirms, on this device.
    ///
    /// Calls POST /pa/v3/activation/remove (signed).
    ///
    /// - `auth`: two factors, as the server requires.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION`, `ErrorCode::SERVER`, `ErrorCode::STORAGE`, `ErrorCode::NETWORK`,
    ///   `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn remove(&self, auth: &Auth<'_>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_remove(self.as_ptr(), pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Removes the activation on this device only, without informing the server, and cancels the running tasks of the
    /// client. Works in every client state.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::STORAGE`.
    pub fn remove_local(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_remove_local(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Asks the server whether a PIN is correct. A wrong PIN costs the user an attempt.
    ///
    /// Calls POST /pa/v3/signature/validate (signed, possession and knowledge).
    ///
    /// - `pin`: UTF-8 bytes, at least 4.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`.
    /// - Of the task: `ErrorCode::AUTHENTICATION` (the PIN is wrong), `ErrorCode::BLOCKED`, `ErrorCode::STATE` (the
    ///   external key is not set), `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`,
    ///   `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn validate_pin(&self, pin: &[u8]) -> Result<Task<()>> {
        let given_pin = raw_bytes(Some(pin));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_validate_pin(self.as_ptr(), given_pin.data, given_pin.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Changes the PIN. The server validates the old PIN; then the library encrypts the knowledge factor under the new
    /// one and stores it. On failure the old PIN remains valid, with one exception: if the store saves the state but
    /// reports a failure, the new PIN applies once the client is opened again.
    ///
    /// With protocol 4.0 the server and the device agree on a new knowledge factor, and the library proves the new PIN
    /// at once. If the first request fails, the old PIN remains valid, as it does if the server has counted the new one
    /// as wrong. If the second request gets no response, the status, whose counter tells whether the server has
    /// accepted the new PIN, makes the call succeed. Otherwise it fails with reason "newPINMayApply". Whatever the
    /// reason of a failure: as long as `ClientInfo::awaits_new_pin` is true, after a restart too, the new PIN applies
    /// (that of the last change whose outcome is not `Outcome::NOT_SENT`), and other calls with the PIN fail with
    /// `ErrorCode::STATE` (reason confirmPIN) until `Client::validate_pin` has been called with the new one.
    ///
    /// If a response is lost, the library fetches the status: `remaining_attempts` of the error then says whether an
    /// attempt was counted. That holds for each call that changes a factor.
    ///
    /// Calls POST /pa/v3/signature/validate (signed, possession and knowledge); with protocol 4.0 POST
    /// /pa/v4/password/change (signed, encrypted) and POST /pa/v4/auth/validate.
    ///
    /// # Errors
    ///
    /// As `Client::validate_pin`, and `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, `ErrorCode::ARGUMENT` with reason
    /// "weakPin": see `refused_pins` of `ClientOptions`.
    pub fn change_pin(&self, old_pin: &[u8], new_pin: &[u8]) -> Result<Task<()>> {
        let given_old_pin = raw_bytes(Some(old_pin));
        let given_new_pin = raw_bytes(Some(new_pin));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_change_pin(self.as_ptr(), given_old_pin.data, given_old_pin.length, given_new_pin.data, given_new_pin.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Changes the PIN on this device without asking the server. UNSAFE: the library cannot check the old PIN, and a
    /// wrong one destroys the knowledge factor permanently. Call it only with an old PIN that `Client::validate_pin`
    /// has just found correct. No network. Protocol 4.0 does not allow it.
    ///
    /// # Errors
    ///
    /// `ErrorCode::UNSUPPORTED` (an activation of protocol 4.0), `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`,
    /// `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`, `ErrorCode::STATE` (the external key is not set, or the PIN
    /// was changed at the same time), `ErrorCode::STORAGE` (the old PIN remains).
    pub fn change_pin_unsafe(&self, old_pin: &[u8], new_pin: &[u8]) -> Result<()> {
        let given_old_pin = raw_bytes(Some(old_pin));
        let given_new_pin = raw_bytes(Some(new_pin));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_change_pin_unsafe(self.as_ptr(), given_old_pin.data, given_old_pin.length, given_new_pin.data, given_new_pin.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Adds the biometry factor, or changes its key. The library never accesses biometric data: the host keeps a random
    /// key under its biometric protection and passes it for each signature (`Auth`).
    ///
    /// A named authenticator, e.g. a smart card, has its own key, which protects its own copy of the factor. A
    /// signature uses the copy of the authenticator that `Auth` names. To the server all copies are the same factor.
    ///
    /// With protocol 4.0 the server and the device agree on a new biometry factor, and the library proves it at once:
    /// the old factor remains if the server counts that as wrong. Copies of other authenticators end with the old one.
    /// To give an authenticator a copy of the factor that another one has, pass in auth the `biometry_key` (and name)
    /// of that one.
    ///
    /// Calls POST /pa/v3/vault/unlock (signed, encrypted, reason ADD_BIOMETRY); with protocol 4.0 POST
    /// /pa/v4/biometry/add (signed, encrypted) and POST /pa/v4/auth/validate.
    ///
    /// - `key`: 16 bytes (protocol 4.0: or 32), not all zero.
    /// - `authenticator`: 1 to 64 bytes; `None`: the unnamed authenticator. At most 8 named ones.
    /// - `auth`: the factors that the server requires for its vault: by default possession and knowledge. Protocol 4.0:
    ///   possession and knowledge, or possession and biometry to copy the factor.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION`, `ErrorCode::SERVER` with `server_code` "ERR_SECURE_VAULT",
    ///   `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, any code with reason "newBiometryMayApply" (protocol 4.0: the
    ///   response to the factor's first code is lost; the factor is set up here, and a status does not show that the
    ///   server took it), `ErrorCode::STATE` (the external key is not set), `ErrorCode::STORAGE`, `ErrorCode::NETWORK`,
    ///   `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn add_biometry(&self, key: &[u8], authenticator: Option<&str>, auth: &Auth<'_>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let given_key = raw_bytes(Some(key));
        let given_authenticator = raw_text(authenticator);
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_add_biometry(self.as_ptr(), given_key.data, given_key.length, given_authenticator.data, given_authenticator.length, pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Removes the biometry factor of an authenticator from this device. With protocol 3 the library does not inform
    /// the server, and the task needs no network. With protocol 4.0 it informs the server when the last authenticator
    /// is removed; if that fails, the factor is removed on this device nevertheless, and the next
    /// `Client::fetch_status` informs the server.
    ///
    /// Calls with protocol 4.0 POST /pa/v4/biometry/remove (signed, possession).
    ///
    /// - `authenticator`: 1 to 64 bytes; `None`: the unnamed authenticator.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::NOT_FOUND`, `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::STORAGE` (the factor remains), `ErrorCode::NOT_FOUND` (removed in the meantime),
    ///   `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn remove_biometry(&self, authenticator: Option<&str>) -> Result<Task<()>> {
        let given_authenticator = raw_text(authenticator);
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_remove_biometry(self.as_ptr(), given_authenticator.data, given_authenticator.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// The external encryption key (external key): 16 bytes from the host, under which the keys of the knowledge and
    /// biometry factors are encrypted a second time. The library never stores it. If an activation uses one, the host
    /// must set it on each client, with `ClientOptions::external_key` or `Client::set_external_key`. Without it, calls
    /// with PIN or biometry fail with `ErrorCode::STATE`; calls with possession alone succeed. `ClientInfo` says
    /// whether the activation uses a key and whether it is set.
    ///
    /// - Set: Sets the key of this client: before an activation that is to use it, or for one that already does.
    ///   Setting the same key again is allowed. Errors: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (not 16 bytes, all
    ///   zero, or another key is set), `ErrorCode::STATE` (the activation uses none).
    /// - Add: Encrypts the factors of an activation that uses no external key under this key, and sets it. Errors:
    ///   `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::STATE` (no activation, or it uses one, or a change of
    ///   the factors is under way), `ErrorCode::STORAGE` (nothing has changed).
    /// - Remove: Removes this encryption from the factors and discards the key. Errors: `ErrorCode::HANDLE`,
    ///   `ErrorCode::STATE` (no activation, none used, or not set, or a change of the factors is under way),
    ///   `ErrorCode::STORAGE`.
    ///
    /// # Errors
    ///
    /// As said above.
    pub fn set_external_key(&self, key: &[u8]) -> Result<()> {
        let given_key = raw_bytes(Some(key));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_set_external_key(self.as_ptr(), given_key.data, given_key.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// The external encryption key (external key): 16 bytes from the host, under which the keys of the knowledge and
    /// biometry factors are encrypted a second time. The library never stores it. If an activation uses one, the host
    /// must set it on each client, with `ClientOptions::external_key` or `Client::set_external_key`. Without it, calls
    /// with PIN or biometry fail with `ErrorCode::STATE`; calls with possession alone succeed. `ClientInfo` says
    /// whether the activation uses a key and whether it is set.
    ///
    /// - Set: Sets the key of this client: before an activation that is to use it, or for one that already does.
    ///   Setting the same key again is allowed. Errors: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (not 16 bytes, all
    ///   zero, or another key is set), `ErrorCode::STATE` (the activation uses none).
    /// - Add: Encrypts the factors of an activation that uses no external key under this key, and sets it. Errors:
    ///   `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::STATE` (no activation, or it uses one, or a change of
    ///   the factors is under way), `ErrorCode::STORAGE` (nothing has changed).
    /// - Remove: Removes this encryption from the factors and discards the key. Errors: `ErrorCode::HANDLE`,
    ///   `ErrorCode::STATE` (no activation, none used, or not set, or a change of the factors is under way),
    ///   `ErrorCode::STORAGE`.
    ///
    /// # Errors
    ///
    /// As said above.
    pub fn add_external_key(&self, key: &[u8]) -> Result<()> {
        let given_key = raw_bytes(Some(key));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_add_external_key(self.as_ptr(), given_key.data, given_key.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// The external encryption key (external key): 16 bytes from the host, under which the keys of the knowledge and
    /// biometry factors are encrypted a second time. The library never stores it. If an activation uses one, the host
    /// must set it on each client, with `ClientOptions::external_key` or `Client::set_external_key`. Without it, calls
    /// with PIN or biometry fail with `ErrorCode::STATE`; calls with possession alone succeed. `ClientInfo` says
    /// whether the activation uses a key and whether it is set.
    ///
    /// - Set: Sets the key of this client: before an activation that is to use it, or for one that already does.
    ///   Setting the same key again is allowed. Errors: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (not 16 bytes, all
    ///   zero, or another key is set), `ErrorCode::STATE` (the activation uses none).
    /// - Add: Encrypts the factors of an activation that uses no external key under this key, and sets it. Errors:
    ///   `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::STATE` (no activation, or it uses one, or a change of
    ///   the factors is under way), `ErrorCode::STORAGE` (nothing has changed).
    /// - Remove: Removes this encryption from the factors and discards the key. Errors: `ErrorCode::HANDLE`,
    ///   `ErrorCode::STATE` (no activation, none used, or not set, or a change of the factors is under way),
    ///   `ErrorCode::STORAGE`.
    ///
    /// # Errors
    ///
    /// As said above.
    pub fn remove_external_key(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_remove_external_key(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Creates a client and loads its state from the store. No network.
    ///
    /// `id`, `store`, and `device_secret` or `sealer` (and `external_key`, if the activation uses one) must stay the
    /// same as long as the activation lives; `Client::reseal` changes the sealer. All other options may change each
    /// time; none is stored:
    ///
    /// - `base_url`, `operations_url`, proxy: the same server at another address. Another server does not know the
    ///   activation.
    /// - `client_certificate` and the two beside it: each client with a certificate, or with credentials for a proxy,
    ///   has connections of its own. Other servers do not see the certificate. A PKCS #11 URI needs OpenSSL's engine
    ///   "pkcs11" (on Debian libengine-pkcs11-openssl); its attribute module-path names the module, which is p11-kit's
    ///   without it.
    /// - `tls_trust`, `ca_file`, pins, `allow_http`: trust for the new address. If no pin matches, every call fails
    ///   before anything is sent. Configure the new pins in addition to the old ones before the server changes its key.
    /// - Configuration: another version of the same application, with another key and secret but the same master public
    ///   key. The configuration of another application is not detected here: the server refuses the calls, and may
    ///   count signed ones as failed attempts.
    /// - `timeout_ms`, language, headers and the rest: any value.
    ///
    /// # Errors
    ///
    /// `ErrorCode::ARGUMENT`, `ErrorCode::HANDLE`, `ErrorCode::CONFIGURATION` (configuration string, URL, proxy,
    /// `ca_file` or client certificate cannot be read, or the key is not the certificate's), `ErrorCode::STORAGE`,
    /// `ErrorCode::BUSY` (the id is in use), `ErrorCode::TAMPERED` (the stored state is damaged, was modified, or
    /// belongs to another id or device secret, or its device secret is missing; nothing is overwritten),
    /// `ErrorCode::UNSUPPORTED` (state of a later version; or, with reason "engineNotFound", a PKCS #11 URI where there
    /// is no such engine), `ErrorCode::SEALED` (the sealer cannot unseal the device secret; or, with reason
    /// "sealerMissing", the one that `cause` names sealed it, or with "notSealed", none did).
    pub fn new(runtime: &Runtime, options: &ClientOptions<'_>) -> Result<Self> {
        suitable()?;
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_client = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_new(runtime.as_ptr(), pointer(raw_options.as_ref()), &mut out_client, &mut error) };
        check(status, error)?;
        Ok(unsafe { Client::made(out_client, runtime.shared()) })
    }
    /// Creates a second handle of the same client with options for individual calls. Every function accepts it in place
    /// of the client's own handle. Network calls started with it, each of their steps, refreshes and polling use these
    /// options and share no request with other calls. The requests that a call needs first (time, keys, tokens) use the
    /// client's options. Events report the client's own handle.
    ///
    /// Returns: When the client is freed, this handle becomes invalid (`ErrorCode::HANDLE`).
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn with_options(&self, options: &CallOptions<'_>) -> Result<Client> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_client = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_with_options(self.as_ptr(), pointer(raw_options.as_ref()), &mut out_client, &mut error) };
        check(status, error)?;
        Ok(unsafe { Client::made(out_client, self.shared()) })
    }
    /// Sets Accept-Language (RFC 9110) for later calls of the client, e.g. "cs". It is not stored.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (not printable ASCII, or longer than 1024 characters).
    pub fn set_language(&self, language: &str) -> Result<()> {
        let given_language = raw_text(Some(language));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_set_language(self.as_ptr(), given_language.data, given_language.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns a snapshot of a client. No network.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn get_info(&self) -> Result<Owned<ClientInfo>> {
        let mut out_info = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_get_info(self.as_ptr(), &mut out_info, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_info as *mut ClientInfo) })
    }
    /// Fetches the server's time. Other calls fetch it themselves when they need it.
    ///
    /// Calls POST /pa/v3/status (protocol 4.0: /pa/v4/status).
    ///
    /// Returns: `Client::get_info` returns the time.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::STATE`.
    /// - Of the task: `ErrorCode::PROTOCOL`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`,
    ///   `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn synchronize_time(&self) -> Result<Task<()>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_synchronize_time(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Discards the server's time. The next call that needs it fetches it again. The library discards it by itself when
    /// it detects that the device's clock was changed: it compares that clock with the system's boot clock and with the
    /// Date header of each response.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`.
    pub fn reset_time(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_reset_time(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Fetches a 16-byte key for the host's own data. The same index gives the same key as long as the activation lives
    /// and is not upgraded to protocol 4.0. Only the server can release it. Reason FETCH_ENCRYPTION_KEY. With protocol
    /// 4.0 it is the `VaultKey::TWO_FACTORS` of 16 bytes.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION` (the PIN or biometry key is wrong: an attempt was counted),
    ///   `ErrorCode::SERVER` with `server_code` "ERR_SECURE_VAULT" (the server does not allow these factors), with
    ///   reason "notTheFactor" (no attempt was counted) or "acceptedThenRefused" (the factors are right),
    ///   `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, `ErrorCode::STATE` (the external key is not set),
    ///   `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`.
    pub fn vault_fetch_key(&self, index: u64, auth: &Auth<'_>) -> Result<Task<Vec<u8>>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_vault_fetch_key(self.as_ptr(), index, pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches a key of the given kind and size for the host's own data. The same kind, index and size give the same
    /// key as long as the activation lives. Protocol 4.0 only. Reason FETCH_ENCRYPTION_KEY.
    ///
    /// - `key`: `VaultKey`.
    /// - `size`: 16 to 64 bytes.
    ///
    /// # Errors
    ///
    /// - `ErrorCode::UNSUPPORTED` (an activation of protocol 3).
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION` (the PIN or biometry key is wrong: an attempt was counted),
    ///   `ErrorCode::SERVER` with `server_code` "ERR_SECURE_VAULT" (the server does not allow these factors), with
    ///   reason "notTheFactor" (no attempt was counted) or "acceptedThenRefused" (the factors are right),
    ///   `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, `ErrorCode::STATE` (the external key is not set),
    ///   `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`.
    pub fn vault_fetch_key_of(&self, key: VaultKey, index: u64, size: usize, auth: &Auth<'_>) -> Result<Task<Vec<u8>>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_vault_fetch_key_of(self.as_ptr(), key.0, index, size, pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Signs data with the device's private key: ECDSA P-256 with SHA-256; with protocol 4.0 ECDSA P-384 with SHA-384.
    /// Reason SIGN_WITH_DEVICE_PRIVATE_KEY.
    ///
    /// - `form`: `DeviceSignature::DER` or `DeviceSignature::RAW`.
    ///
    /// Returns: The signature.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION` (the PIN or biometry key is wrong: an attempt was counted),
    ///   `ErrorCode::SERVER` with `server_code` "ERR_SECURE_VAULT" (the server does not allow these factors), with
    ///   reason "notTheFactor" (no attempt was counted) or "acceptedThenRefused" (the factors are right),
    ///   `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, `ErrorCode::STATE` (the external key is not set),
    ///   `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`.
    pub fn vault_sign(&self, bytes: &[u8], form: DeviceSignature, auth: &Auth<'_>) -> Result<Task<Vec<u8>>> {
        let mut hold = Hold::new();
        let given_bytes = raw_bytes(Some(bytes));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_vault_sign(self.as_ptr(), given_bytes.data, given_bytes.length, form.0, pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Signs data with the device's ML-DSA private key (FIPS 204, empty context), which an activation of a hybrid suite
    /// of protocol 4.0 has. Reason SIGN_WITH_DEVICE_PRIVATE_KEY.
    ///
    /// Returns: The signature, 3309 or 4627 bytes.
    ///
    /// # Errors
    ///
    /// - `ErrorCode::UNSUPPORTED` (the activation has no such key).
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION` (the PIN or biometry key is wrong: an attempt was counted),
    ///   `ErrorCode::SERVER` with `server_code` "ERR_SECURE_VAULT" (the server does not allow these factors), with
    ///   reason "notTheFactor" (no attempt was counted) or "acceptedThenRefused" (the factors are right),
    ///   `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, `ErrorCode::STATE` (the external key is not set),
    ///   `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`.
    pub fn vault_sign_ml_dsa(&self, bytes: &[u8], auth: &Auth<'_>) -> Result<Task<Vec<u8>>> {
        let mut hold = Hold::new();
        let given_bytes = raw_bytes(Some(bytes));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_vault_sign_ml_dsa(self.as_ptr(), given_bytes.data, given_bytes.length, pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Signs a JSON Web Token (ES256) with the device's private key. With protocol 4.0 it is a JWS in the general JSON
    /// form (RFC 7515, section 7.2.1) with one signature for each algorithm of the suite: ES384, and ML-DSA-65 or
    /// ML-DSA-87. Reason SIGN_WITH_DEVICE_PRIVATE_KEY.
    ///
    /// - `claims`: a JSON object, which becomes the payload byte for byte.
    ///
    /// Returns: The token or the JSON object, ASCII.
    ///
    /// # Errors
    ///
    /// - `ErrorCode::ARGUMENT` also for claims that are not a JSON object.
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`, `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION` (the PIN or biometry key is wrong: an attempt was counted),
    ///   `ErrorCode::SERVER` with `server_code` "ERR_SECURE_VAULT" (the server does not allow these factors), with
    ///   reason "notTheFactor" (no attempt was counted) or "acceptedThenRefused" (the factors are right),
    ///   `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, `ErrorCode::STATE` (the external key is not set),
    ///   `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`.
    pub fn vault_sign_jwt(&self, claims: &str, auth: &Auth<'_>) -> Result<Task<Vec<u8>>> {
        let mut hold = Hold::new();
        let given_claims = raw_text(Some(claims));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_vault_sign_jwt(self.as_ptr(), given_claims.data, given_claims.length, pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Returns the device's public key as SubjectPublicKeyInfo in DER: P-256, with protocol 4.0 P-384. No network.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    /// `ErrorCode::NOT_FOUND` (imported from a state that lacks it).
    pub fn public_key(&self) -> Result<Vec<u8>> {
        let mut out_bytes = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_public_key(self.as_ptr(), &mut out_bytes, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_bytes(out_bytes) })
    }
    /// Makes a request for a certificate (PKCS #10, RFC 2986) for the device's key and signs it with that key: ECDSA
    /// P-256 with SHA-256; with protocol 4.0 ECDSA P-384 with SHA-384. Reason SIGN_WITH_DEVICE_PRIVATE_KEY.
    ///
    /// - `options`: `None`: the defaults.
    ///
    /// Returns: The request in DER.
    ///
    /// # Errors
    ///
    /// - `ErrorCode::ARGUMENT` also for a field that cannot be encoded, and `ErrorCode::NOT_FOUND` (imported from a
    ///   state that lacks the public key).
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`, `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION` (the PIN or biometry key is wrong: an attempt was counted),
    ///   `ErrorCode::SERVER` with `server_code` "ERR_SECURE_VAULT" (the server does not allow these factors), with
    ///   reason "notTheFactor" (no attempt was counted) or "acceptedThenRefused" (the factors are right),
    ///   `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, `ErrorCode::STATE` (the external key is not set),
    ///   `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`.
    pub fn sign_csr(&self, options: Option<&CsrOptions<'_>>, auth: &Auth<'_>) -> Result<Task<Vec<u8>>> {
        let mut hold = Hold::new();
        let raw_options = options.map(|given| given.raw(&mut hold));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_sign_csr(self.as_ptr(), pointer(raw_options.as_ref()), pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Decrypts the recovery code and PUK that came with the activation. Reason RECOVERY_CODE.
    ///
    /// # Errors
    ///
    /// - `ErrorCode::NOT_FOUND` (the activation came without them).
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION` (the PIN or biometry key is wrong: an attempt was counted),
    ///   `ErrorCode::SERVER` with `server_code` "ERR_SECURE_VAULT" (the server does not allow these factors), with
    ///   reason "notTheFactor" (no attempt was counted) or "acceptedThenRefused" (the factors are right),
    ///   `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`, `ErrorCode::STATE` (the external key is not set),
    ///   `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`.
    pub fn recovery_fetch(&self, auth: &Auth<'_>) -> Result<Task<Owned<Recovery>>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recovery_fetch(self.as_ptr(), pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Confirms that the user has received a recovery code on paper. This enables the code.
    ///
    /// Calls POST /pa/v3/recovery/confirm (signed, encrypted).
    ///
    /// - `code`: with or without "R:"
    /// - `auth`: possession and knowledge.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::PARSE` (the code),
    ///   `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`, `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION`, `ErrorCode::SERVER` with reason "acceptedThenRefused" (the code is
    ///   unknown, used or another user's) or "notTheFactor", `ErrorCode::DECRYPTION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`.
    pub fn recovery_confirm(&self, code: &str, auth: &Auth<'_>) -> Result<Task<i64>> {
        let mut hold = Hold::new();
        let given_code = raw_text(Some(code));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recovery_confirm(self.as_ptr(), given_code.data, given_code.length, pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Ensures that a token of this name is stored. Asks the server only if there is none. Concurrent calls for one
    /// name share one request.
    ///
    /// Calls POST /pa/v3/token/create (signed, encrypted).
    ///
    /// - `name`: 1 to 64 bytes, chosen by the host; the library itself uses "possession_universal" and
    ///   "activation_detail".
    /// - `auth`: factors of the token; if a token of this name exists with other factors, the call fails with
    ///   `ErrorCode::ARGUMENT`.
    ///
    /// Returns: `Client::token_get_header` can now be called.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION`, `ErrorCode::DECRYPTION`, `ErrorCode::STORAGE`, `ErrorCode::NETWORK`,
    ///   `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn token_create(&self, name: &str, auth: &Auth<'_>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let given_name = raw_text(Some(name));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_token_create(self.as_ptr(), given_name.data, given_name.length, pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Computes the X-PowerAuth-Token header of a stored token, with a fresh nonce and the server's time. Call it for
    /// each request: use a header only once. If the server refuses a header, call `Client::token_fetch_header`. No
    /// network.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    /// `ErrorCode::NOT_FOUND` (no such token), `ErrorCode::STATE` (the server's time is not known yet:
    /// `Client::synchronize_time`).
    pub fn token_get_header(&self, name: &str) -> Result<Owned<Header>> {
        let given_name = raw_text(Some(name));
        let mut out_header = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_token_get_header(self.as_ptr(), given_name.data, given_name.length, &mut out_header, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_header as *mut Header) })
    }
    /// Computes a header as `Client::token_get_header` does, but first obtains what is missing: creates the token if
    /// none of this name is stored, and fetches the server's time if it is not known. It also replaces a token that the
    /// server no longer knows: pass the header that the server refused; the library discards its token, creates a new
    /// one and computes a header of that. Concurrent calls for one name, including those with the same refused header,
    /// create one new token.
    ///
    /// If the server refuses the header of a new token, the token is not the cause: fetch the status of the activation.
    ///
    /// Calls POST /pa/v3/token/create (signed, encrypted) and /pa/v3/status, if needed.
    ///
    /// - `auth`: factors of the token, as for `Client::token_create`.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (also if `refused_header` is not a token header, or the
    ///   stored token has other factors), `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`, `ErrorCode::FACTOR`.
    /// - Of the task: `ErrorCode::AUTHENTICATION`, `ErrorCode::DECRYPTION`, `ErrorCode::STORAGE`, `ErrorCode::NETWORK`,
    ///   `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn token_fetch_header(&self, options: &TokenOptions<'_>, auth: &Auth<'_>) -> Result<Task<Owned<Header>>> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_token_fetch_header(self.as_ptr(), pointer(raw_options.as_ref()), pointer(raw_auth.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Returns true if a token of this name is stored, otherwise false, also for an invalid argument.
    #[must_use]
    pub fn token_is_stored(&self, name: &str) -> bool {
        let given_name = raw_text(Some(name));
        (unsafe { sys::mtoken_token_is_stored(self.as_ptr(), given_name.data, given_name.length) }) != 0
    }
    /// Removes a token at the server and then on this device.
    ///
    /// Calls POST /pa/v3/token/remove (signed with possession).
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::NOT_FOUND`.
    /// - Of the task: `ErrorCode::AUTHENTICATION`, `ErrorCode::STORAGE`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`,
    ///   `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn token_remove(&self, name: &str) -> Result<Task<()>> {
        let given_name = raw_text(Some(name));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_token_remove(self.as_ptr(), given_name.data, given_name.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Removes a token on this device only; with name `None`, all tokens.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    /// `ErrorCode::NOT_FOUND`, `ErrorCode::STORAGE`.
    pub fn token_forget(&self, name: Option<&str>) -> Result<()> {
        let given_name = raw_text(name);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_token_forget(self.as_ptr(), given_name.data, given_name.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Approves an offline operation: computes the code that the user types into the bank's page, e.g.
    /// "12345678-12345678". No network. The advanced counter is stored durably before the call returns. A wrong PIN
    /// results in a wrong code, which only the server can detect: tell the user.
    ///
    /// Each code advances the device's counter by one. The server's counter follows only when the server checks a code,
    /// and the server accepts only codes within a window ahead of its counter: 20 steps unless configured otherwise.
    /// Without a connection, the library therefore creates at most one code fewer than the window has steps. Then the
    /// call fails with `ErrorCode::STATE`, reason "counterWindow", and a message that asks the user to connect. While
    /// no status has reported the size of the window, the limit is four codes. `Client::get_info` returns both numbers.
    /// If a status call finds the device more than half of the window ahead, the library makes the server catch up.
    /// Codes that were shown but not yet typed in then no longer work.
    ///
    /// - `operation`: from `qr_operation_parse`. Its payload is parsed and verified again, with this client's keys:
    ///   exactly what the payload says is signed.
    /// - `auth`: possession with the PIN, or with biometry if the operation allows it.
    /// - `options`: `None`: the defaults.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`, unless
    /// `allow_unverified`: `ErrorCode::SIGNATURE` "operationNotVerified" (`verification` is NOT_CHECKED) or
    /// "signatureVerificationFailed" (it is INVALID, or the signature is not by this client's keys),
    /// `ErrorCode::UNSUPPORTED` "signatureNotVerifiable" (PERSONALIZED_MAC, but the activation is of protocol 3;
    /// PERSONALIZED, but it is of 4.0), `ErrorCode::FACTOR` (not two factors; biometry without the flag; a factor that
    /// is not set up), `ErrorCode::STORAGE` (no code is returned and the counter value is not used), `ErrorCode::STATE`
    /// "counterWindow", `ErrorCode::BLOCKED`, `ErrorCode::REMOVED`, `ErrorCode::STATE` "counterDeadlock" (as of the
    /// last status), of a strict client `ErrorCode::STATE` "contradiction": title or message contradict what is
    /// approved, except by what the client tolerates.
    pub fn qr_authorize(&self, operation: &QrOperation, auth: &Auth<'_>, options: Option<&QrAuthorizeOptions<'_>>) -> Result<String> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_code = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_qr_authorize(self.as_ptr(), &operation.0, pointer(raw_auth.as_ref()), pointer(raw_options.as_ref()), &mut out_code, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_text(out_code) })
    }
    /// Fetches the login configuration of a provider of the bank. Works without an activation; encrypted end to end.
    ///
    /// Calls POST /pa/v3/keystore/create (protocol 3.3), POST /api/config/oidc (encrypted in application scope).
    ///
    /// - `provider_id`: id of the provider at the bank's server.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (also for an empty id), `ErrorCode::STATE`.
    /// - Of the task: `ErrorCode::SERVER` with `server_code` "APPLICATION_CONFIGURATION_ERROR" (unknown provider),
    ///   `ErrorCode::PROTOCOL`, `ErrorCode::DECRYPTION`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`,
    ///   `ErrorCode::PIN_MISMATCH`, `ErrorCode::HTTP`.
    pub fn oidc_fetch_config(&self, provider_id: &str) -> Result<Task<Owned<OidcConfig>>> {
        let given_provider_id = raw_text(Some(provider_id));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_fetch_config(self.as_ptr(), given_provider_id.data, given_provider_id.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Creates a configuration from the provider's published document (OpenID Connect Discovery), which supplies the
    /// authorization endpoint and says whether responses name the issuer. Everything else comes from the options. PKCE
    /// is never dropped silently: a provider whose document lists PKCE methods without S256 is refused unless
    /// `omits_pkce` is set. If the document lists none, PKCE is used.
    ///
    /// Calls GET {issuer}/.well-known/openid-configuration, with the client's trust settings and proxy, but without its
    /// pins and without the headers that the host added to the client or the call.
    ///
    /// - `options`: issuer is required: https, without query and fragment (http on a loopback address with
    ///   `allow_http`).
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::STATE`.
    /// - Of the task: `ErrorCode::PROTOCOL` ("issuerMismatch": the document names another issuer; or the document is
    ///   incomplete), `ErrorCode::UNSUPPORTED` ("unsupportedProvider": no authorization code flow, or no PKCE),
    ///   `ErrorCode::HTTP`, `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`.
    pub fn oidc_discover(&self, options: &OidcOptions<'_>) -> Result<Task<Owned<OidcConfig>>> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_discover(self.as_ptr(), pointer(raw_options.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Stores a login request as one opaque text, so that another process can finish the login: the program that the
    /// browser starts for the scheme of the redirect or callback URI. The text is encrypted and authenticated with the
    /// client's device secret, which this call saves to the client's store if it is not there yet. The store keeps
    /// which login is pending: storing another one ends it. The request itself remains usable.
    ///
    /// Returns: base64url.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::STORAGE`, `ErrorCode::STATE` (the client was freed),
    /// `ErrorCode::INTERNAL`.
    pub fn oidc_request_store(&self, request: &OidcRequest) -> Result<String> {
        let mut out_text = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_request_store(self.as_ptr(), request.as_ptr(), &mut out_text, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_text(out_text) })
    }
    /// Restores a stored login request, in a process that has opened the same client. `OidcRequest::oidc_process` makes
    /// all its checks; the lifetime goes on by the wall clock. Of all processes, one gets the response: for the others
    /// it is "alreadyProcessed".
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::TAMPERED` (the text is damaged, was changed, or belongs
    /// to another client or device secret), `ErrorCode::STATE` (the client was freed), `ErrorCode::UNSUPPORTED` (of a
    /// later version), `ErrorCode::INTERNAL`.
    pub fn oidc_request_restore(&self, text: &str) -> Result<OidcRequest> {
        let given_text = raw_text(Some(text));
        let mut out_request = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_request_restore(self.as_ptr(), given_text.data, given_text.length, &mut out_request, &mut error) };
        check(status, error)?;
        Ok(unsafe { OidcRequest::made(out_request, self.shared()) })
    }
    /// Registers this device for push messages. Call it at each start, after activation, and whenever the service
    /// issues a new token. Only one registration per client can run at a time.
    ///
    /// Servers before 1.10 name the services "ios", "android" and "huawei", later ones "apns", "fcm" and "hms". The
    /// version that the server reports decides. If it reports none, the library tries the new name and, after a 500,
    /// the old one once.
    ///
    /// Calls POST /pa/v3/status, unless `is_legacy_server` is true; POST /api/push/device/register/token (token
    /// "possession_universal").
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (empty token, unknown service), `ErrorCode::NOT_ACTIVATED`
    ///   and `ErrorCode::PENDING` (reason "not_enrolled"), `ErrorCode::BUSY` (reason "push_alreadyRegistering"),
    ///   `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`, `ErrorCode::SERVER`, `ErrorCode::AUTHENTICATION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`, `ErrorCode::SERVER` with "PUSH_REGISTRATION_FAILED" or
    ///   "INVALID_REQUEST". A 500 is not retriable here: it means that the server does not know the service by this
    ///   name.
    pub fn push_register(&self, options: &PushOptions<'_>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_push_register(self.as_ptr(), pointer(raw_options.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Returns true if the server has accepted a registration of this activation, also before a restart. Otherwise,
    /// while another token or service is being registered, and for an invalid handle, returns false. The store keeps
    /// digests; the first call reads them. No network.
    #[must_use]
    pub fn push_is_registered(&self) -> bool {
        (unsafe { sys::mtoken_push_is_registered(self.as_ptr()) }) != 0
    }
    /// Counts the unread messages.
    ///
    /// Calls POST /api/inbox/count.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`, `ErrorCode::SERVER`, `ErrorCode::AUTHENTICATION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`, `ErrorCode::SERVER` with "INBOX_FAILED".
    pub fn inbox_count(&self) -> Result<Task<i64>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_inbox_count(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches one page of messages without their bodies. A page with fewer messages than `page_size` (including
    /// dropped ones) is the last.
    ///
    /// Calls POST /api/inbox/message/list.
    ///
    /// - `page`: counted from 0.
    /// - `page_size`: messages per page, 1 to 1000.
    /// - `only_unread`: true: only unread messages.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`, `ErrorCode::SERVER`, `ErrorCode::AUTHENTICATION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`, `ErrorCode::SERVER` with "INBOX_FAILED".
    pub fn inbox_list_page(&self, page: i32, page_size: i32, only_unread: bool) -> Result<Task<Owned<InboxList>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_inbox_list_page(self.as_ptr(), page, page_size, only_unread as i32, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches page after page until one is not full or brings nothing new, or a limit is reached. A message that is on
    /// two pages is returned once. If one page fails, the task fails. Cancelling the task stops it.
    ///
    /// Calls POST /api/inbox/message/list for each page.
    ///
    /// - `page_size`: messages per page, 1 to 1000; 0: 100.
    /// - `limit`: maximum number of messages; 0, or more than 10,000: 10,000. The call also stops before the responses
    ///   exceed 8 MiB or 100,000 JSON values in total. `may_have_more` says whether a limit was reached. The default of
    ///   the Mobile Token SDKs is 1000.
    /// - `only_unread`: true: only unread messages.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`, `ErrorCode::SERVER`, `ErrorCode::AUTHENTICATION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`, `ErrorCode::SERVER` with "INBOX_FAILED".
    pub fn inbox_list_all(&self, page_size: i32, limit: i32, only_unread: bool) -> Result<Task<Owned<InboxList>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_inbox_list_all(self.as_ptr(), page_size, limit, only_unread as i32, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches a message with its body. Does not mark it as read.
    ///
    /// Calls POST /api/inbox/message/detail.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`, `ErrorCode::SERVER`, `ErrorCode::AUTHENTICATION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`, `ErrorCode::SERVER` with "INBOX_FAILED".
    pub fn inbox_detail(&self, id: &str) -> Result<Task<Owned<InboxMessage>>> {
        let given_id = raw_text(Some(id));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_inbox_detail(self.as_ptr(), given_id.data, given_id.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Marks a message as read. Has no effect if it already is. For an unknown id, or that of another user's message,
    /// the task fails with `ErrorCode::SERVER` and `server_code` "INBOX_FAILED".
    ///
    /// Calls POST /api/inbox/message/read.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`, `ErrorCode::SERVER`, `ErrorCode::AUTHENTICATION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`, `ErrorCode::SERVER` with "INBOX_FAILED".
    pub fn inbox_mark_read(&self, id: &str) -> Result<Task<()>> {
        let given_id = raw_text(Some(id));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_inbox_mark_read(self.as_ptr(), given_id.data, given_id.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Marks all messages as read.
    ///
    /// Calls POST /api/inbox/message/read-all.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    ///   `ErrorCode::STATE` (the runtime was freed).
    /// - Of the task: `ErrorCode::NETWORK`, `ErrorCode::TIMEOUT`, `ErrorCode::TLS`, `ErrorCode::PIN_MISMATCH`,
    ///   `ErrorCode::HTTP`, `ErrorCode::SERVER`, `ErrorCode::AUTHENTICATION`, `ErrorCode::PROTOCOL`,
    ///   `ErrorCode::STORAGE`, `ErrorCode::CANCELLED`, `ErrorCode::SERVER` with "INBOX_FAILED".
    pub fn inbox_mark_all_read(&self) -> Result<Task<()>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_inbox_mark_all_read(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Extracts the request from the payload of a push. Needs no network. Only the identifier and the displayed texts
    /// are taken from the payload; anyone can send a push.
    ///
    /// Returns: `None` if the push is not for this client, which is not an error.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::PARSE` (not JSON).
    pub fn mobile_auth_from_push(&self, payload: &str) -> Result<Option<Owned<MobileAuthRequest>>> {
        let given_payload = raw_text(Some(payload));
        let mut out_request = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_from_push(self.as_ptr(), given_payload.data, given_payload.length, &mut out_request, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::maybe(out_request as *mut MobileAuthRequest) })
    }
    /// Fetches the requests that wait for the user, newest first. The list is empty if there are none.
    ///
    /// Calls POST /api/auth/token/app/operation/list (token).
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED` and `ErrorCode::PENDING`
    ///   (reason "not_enrolled"), `ErrorCode::STATE`.
    /// - Of the task: Reasons as above.
    pub fn mobile_auth_pending(&self) -> Result<Task<Owned<MobileAuthList>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_pending(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Handles a request: fetches it, asks the user with events of kind `EventKind::CHALLENGE`, and sends the answer to
    /// the server. A client handles one request at a time. The operation's signature type determines the first
    /// challenge. 1FA: confirmation. 2FA: the custom authenticator of the options, or else the biometric sensor, if the
    /// operation allows biometry and biometry is set up; otherwise the PIN.
    ///
    /// An operation requires a proximity check if one of its pre-approval screens says so (`ScreenType::QR_SCAN`). The
    /// password comes from the options, from `Client::operations_attach`, or from a challenge that precedes all others.
    /// The server checks the password after the signature. If the password is wrong or late, the handling ends with
    /// "not_handleable", and the server increases the operation's failure count by one.
    ///
    /// Calls POST .../operation/detail (token), .../operation/authorize or .../operation/cancel (signed); after a
    /// refusal /pa/v3/activation/status. The detail is first requested with end-to-end encryption. If the server
    /// refuses that, and does not refuse the plain call in the same way (upstream servers return 500), this client uses
    /// the plain call from then on.
    ///
    /// - `options`: `None`: the defaults. Options that are set override `Client::operations_attach`.
    ///
    /// Returns: `Task::mobile_auth`, also after a failure. Cancelling the task ends the handling in any state; it does
    /// not reject the request.
    ///
    /// # Errors
    ///
    /// - At once: `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::PARSE` (`mobile_token_data`),
    ///   `ErrorCode::NOT_ACTIVATED` and `ErrorCode::PENDING` ("not_enrolled"), `ErrorCode::BUSY`
    ///   ("already_in_progress"), `ErrorCode::NOT_FOUND` (the authenticator is not registered), `ErrorCode::STATE` (the
    ///   runtime was freed, or created without `Events::CHALLENGES`).
    /// - Of the task: Reasons as above.
    pub fn mobile_auth_handle(&self, transaction_id: &str, options: Option<&MobileAuthOptions<'_>>) -> Result<Task<Owned<MobileAuthOutcome>>> {
        let mut hold = Hold::new();
        let given_transaction_id = raw_text(Some(transaction_id));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_handle(self.as_ptr(), given_transaction_id.data, given_transaction_id.length, pointer(raw_options.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Handles the request in the payload of a push. If the payload is malformed or not a request for this client, the
    /// call fails with `ErrorCode::UNSUPPORTED` and reason "not_handleable".
    ///
    /// Returns: `Task::mobile_auth`, also after a failure.
    ///
    /// # Errors
    ///
    /// As `Client::mobile_auth_handle`.
    pub fn mobile_auth_handle_push(&self, payload: &str, options: Option<&MobileAuthOptions<'_>>) -> Result<Task<Owned<MobileAuthOutcome>>> {
        let mut hold = Hold::new();
        let given_payload = raw_text(Some(payload));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_handle_push(self.as_ptr(), given_payload.data, given_payload.length, pointer(raw_options.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Handles the request that a one-time code names: a PAC code with an operation id and a password. Claims the
    /// request, which may be nobody's yet, fetches it, and handles it with the password as its proximity check.
    ///
    /// Calls POST .../operation/detail/claim (token), then as `Client::mobile_auth_handle`.
    ///
    /// - `code`: a text scanned or opened, as `pac_parse` accepts it.
    /// - `source`: `ProximityType`: where it came from.
    /// - `options`: as `Client::mobile_auth_handle`, without `proximity_otp`.
    ///
    /// Returns: `Task::mobile_auth`, also after a failure.
    ///
    /// # Errors
    ///
    /// At once: `ErrorCode::PARSE` (no PAC code), `ErrorCode::ARGUMENT` (it has no password, or the options have one).
    pub fn mobile_auth_handle_code(&self, code: &str, source: ProximityType, options: Option<&MobileAuthOptions<'_>>) -> Result<Task<Owned<MobileAuthOutcome>>> {
        let mut hold = Hold::new();
        let given_code = raw_text(Some(code));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_handle_code(self.as_ptr(), given_code.data, given_code.length, source.0, pointer(raw_options.as_ref()), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Registers a custom authenticator (a smart card, another sensor), or replaces the one of that name. It stands for
    /// the biometry factor and protects a copy of that factor's key. The registration is not stored: repeat it at each
    /// start. It ends with the activation. An authenticator with its own copy of the factor (a named one of
    /// `Client::add_biometry`) needs no registration.
    ///
    /// - `name`: 1 to 64 bytes.
    /// - `key`: the biometry factor's key, 16 bytes (32 in protocol 4.0), which the library keeps in memory; empty: the
    ///   authenticator keeps it, and the host passes it in with each answer.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_ACTIVATED`, `ErrorCode::PENDING`,
    /// `ErrorCode::FACTOR` (the biometry factor is not set up).
    pub fn mobile_auth_register_authenticator(&self, name: &str, key: Option<&[u8]>) -> Result<()> {
        let given_name = raw_text(Some(name));
        let given_key = raw_bytes(key);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_register_authenticator(self.as_ptr(), given_name.data, given_name.length, given_key.data, given_key.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Removes the registration of an authenticator and wipes its key.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_FOUND`.
    pub fn mobile_auth_unregister_authenticator(&self, name: &str) -> Result<()> {
        let given_name = raw_text(Some(name));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_unregister_authenticator(self.as_ptr(), given_name.data, given_name.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Lists the authenticators of a client, registered or not. Custom ones are listed while they are registered. No
    /// network.
    ///
    /// - `options`: decide which one is preferred: `handles_biometry` and authenticator; `None`: the defaults.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::NOT_FOUND` (the authenticator of the options is not
    /// registered).
    pub fn mobile_auth_get_authenticators(&self, options: Option<&MobileAuthOptions<'_>>) -> Result<Owned<AuthenticatorList>> {
        let mut hold = Hold::new();
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_list = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_get_authenticators(self.as_ptr(), pointer(raw_options.as_ref()), &mut out_list, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_list as *mut AuthenticatorList) })
    }
}

object! {
    /// Where clients keep their states.
    Store, mtoken_store, mtoken_store_free
}
impl Store {
    /// Opens a store in a directory, which is created with mode 0700 if missing. Each item is one file with mode 0600.
    /// Saves are durable when they return. The first save of a client's state after opening creates its file anew:
    /// temporary file, fsync, rename, fsync of the directory. Each further save overwrites the older one of two slots
    /// in that file: one write, one fdatasync. A save that changes the lock of a factor (PIN, biometry, external key)
    /// has two of each, and at no moment holds the file both the former lock and the new one. A power failure during a
    /// save leaves the state of the save before, and no signature of the interrupted save was sent. When the directory
    /// is created, its parent is flushed too if it can be read.
    ///
    /// Locks in files named ".lock-" and a number keep a second process, and a second client in this process, from
    /// using the same activation (`ErrorCode::BUSY`). If the lock file of a client is removed, replaced or overwritten,
    /// or another directory takes the place of this one, the client's next save or removal fails (`ErrorCode::STORAGE`,
    /// reason "storageLockLost") and its signature is not sent. Free the client and open it again: it then reads what
    /// another process may have stored in the meantime.
    ///
    /// Copy or restore a client's files only while no process has the client open, or use `Store::copy`: a copy made
    /// during a save may hold an older state or be refused as damaged.
    ///
    /// - `path`: directory; its parent must exist; a relative path is resolved now.
    ///
    /// # Errors
    ///
    /// `ErrorCode::ARGUMENT`, `ErrorCode::STORAGE` (cannot be created, not a directory, not owned by this user, or
    /// accessible to others).
    pub fn directory(path: &str) -> Result<Self> {
        suitable()?;
        let given_path = raw_text(Some(path));
        let mut out_store = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_store_directory_new(given_path.data, given_path.length, &mut out_store, &mut error) };
        check(status, error)?;
        Ok(unsafe { Store::made(out_store, None) })
    }
    /// Opens a store in memory, for tests and load tests. Its content is lost when it is freed.
    ///
    /// # Errors
    ///
    /// `ErrorCode::ARGUMENT`.
    pub fn memory() -> Result<Self> {
        suitable()?;
        let mut out_store = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_store_memory_new(&mut out_store, &mut error) };
        check(status, error)?;
        Ok(unsafe { Store::made(out_store, None) })
    }
    /// Lists the clients that have stored something, whether or not they can be opened. Other items are ignored.
    /// Clients that are added or removed during the call may or may not be listed. The call opens no client and reads
    /// no item.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::UNSUPPORTED` (a host store without a list function:
    /// reason "storageUnsupported"), `ErrorCode::STORAGE`, `ErrorCode::STATE` after a fork.
    pub fn clients(&self) -> Result<Owned<StoreList>> {
        let mut out_list = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_store_clients(self.as_ptr(), &mut out_list, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_list as *mut StoreList) })
    }
    /// Removes all items of a client that cannot be opened (`ErrorCode::TAMPERED`, or its device secret or
    /// configuration is lost) or is no longer wanted. The server is not informed, and the activation cannot be used
    /// again. The removal is durable when the call returns.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::BUSY` (the client is open: with a directory store in any
    /// process, with other stores only through this handle), `ErrorCode::NOT_FOUND`, `ErrorCode::STORAGE`,
    /// `ErrorCode::STATE` after a fork.
    pub fn remove(&self, id: &str) -> Result<()> {
        let given_id = raw_text(Some(id));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_store_remove(self.as_ptr(), given_id.data, given_id.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Copies all items of a client to another store or another id without interpreting them: for analysis, for
    /// safekeeping before a removal, or to move to another kind of store. ONLY ONE OF THE TWO COPIES MAY EVER BE USED
    /// AGAIN: both hold the same counter, and the server soon blocks an activation if two devices sign with the same
    /// counter values. Remove one before you open the other. A copy from before a change of the PIN beside the state
    /// from after it tells both PINs to whoever can read them and the device secret: remove copies, or keep them
    /// elsewhere.
    ///
    /// The state is bound to the client's id. A copy under another id serves only for safekeeping: it fails to open
    /// (`ErrorCode::TAMPERED`) until it is copied back under its own id. A device secret that the host supplies
    /// (`ClientOptions::device_secret`) is neither in the store nor in the copy.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::BUSY` (as `Store::remove`, for either of the two),
    /// `ErrorCode::NOT_FOUND`, `ErrorCode::STATE` (reason "alreadyThere": the target already has a client of that id,
    /// which is left unchanged; or after a fork), `ErrorCode::STORAGE` (the library has removed what it had copied,
    /// unless that failed too).
    pub fn copy(&self, id: &str, target: &Store, target_id: &str) -> Result<()> {
        let given_id = raw_text(Some(id));
        let given_target_id = raw_text(Some(target_id));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_store_copy(self.as_ptr(), given_id.data, given_id.length, target.as_ptr(), given_target_id.data, given_target_id.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
}

object! {
    /// Keeps the device secret that states are encrypted under.
    Sealer, mtoken_sealer, mtoken_sealer_free
}
impl Sealer {
    /// Seals bytes of the host's own, e.g. the key of the biometry factor (`Auth::biometry_key`), so that a touch of a
    /// security key stands for a fingerprint. Clients do not need this call.
    ///
    /// - `label`: at most 255 bytes; the same for `Sealer::unseal`.
    /// - `bytes`: 1 to 64 bytes.
    ///
    /// Returns: The sealed form, for `Sealer::unseal`.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::SEALED`.
    pub fn seal(&self, label: &str, bytes: &[u8]) -> Result<Vec<u8>> {
        let given_label = raw_text(Some(label));
        let given_bytes = raw_bytes(Some(bytes));
        let mut out_bytes = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_sealer_seal(self.as_ptr(), given_label.data, given_label.length, given_bytes.data, given_bytes.length, &mut out_bytes, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_bytes(out_bytes) })
    }
    /// Unseals what `Sealer::seal` sealed.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::SEALED`.
    pub fn unseal(&self, label: &str, form: &[u8]) -> Result<Vec<u8>> {
        let given_label = raw_text(Some(label));
        let given_form = raw_bytes(Some(form));
        let mut out_bytes = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_sealer_unseal(self.as_ptr(), given_label.data, given_label.length, given_form.data, given_form.length, &mut out_bytes, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_bytes(out_bytes) })
    }
}

impl<T> Task<T> {
    /// Ends the turn of a task. Freeing the task, removing the activation or freeing the client also ends it.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::STATE` (the task has no turn, or its turn has ended).
    pub fn give_turn(&self) -> Result<()> {
        let status = unsafe { sys::mtoken_task_give_turn(self.as_ptr()) };
        check(status, std::ptr::null_mut())?;
        Ok(())
    }
    /// Returns the result of `Client::operations_list` or `Client::operations_history`, or `None` for other or
    /// unfinished tasks.
    #[must_use]
    pub fn operations(&self) -> Option<&OperationList> {
        unsafe { (sys::mtoken_task_operations(self.as_ptr()) as *const OperationList).as_ref() }
    }
    /// Returns the result of `Client::operations_detail` or `Client::operations_claim`, or `None` for other or
    /// unfinished tasks.
    #[must_use]
    pub fn operation(&self) -> Option<&Operation> {
        unsafe { (sys::mtoken_task_operation(self.as_ptr()) as *const Operation).as_ref() }
    }
    /// Returns the result of `Client::encrypt`, or `None` for other or unfinished tasks. Send it only once.
    #[must_use]
    pub fn encrypted_request(&self) -> Option<&EncryptedRequest> {
        unsafe { (sys::mtoken_task_encrypted_request(self.as_ptr()) as *const EncryptedRequest).as_ref() }
    }
    /// Decrypts the response to the request of an `Client::encrypt` task. Works once per task. Error responses are not
    /// encrypted: read them as they are. Pass a response with status 400 to this call all the same: the server may have
    /// forgotten its temporary key, and the `ErrorCode::DECRYPTION` error makes the next request fetch a new one;
    /// without it, requests use the lost key until it expires. No network.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::STATE` (the task has no request, or its response was
    /// already decrypted), `ErrorCode::PARSE` (not JSON), `ErrorCode::DECRYPTION` (the library discards the server's
    /// temporary key), `ErrorCode::CANCELLED` (the client was freed or the activation removed).
    pub fn decrypt(&self, answer: &[u8]) -> Result<Vec<u8>> {
        let given_answer = raw_bytes(Some(answer));
        let mut out_bytes = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_task_decrypt(self.as_ptr(), given_answer.data, given_answer.length, &mut out_bytes, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_bytes(out_bytes) })
    }
    /// Returns the claims that `Client::fetch_user_info` or `Client::activate` received. Returns `None` for other or
    /// unfinished tasks, and if the activation came without claims.
    #[must_use]
    pub fn user_info(&self) -> Option<&UserInfo> {
        unsafe { (sys::mtoken_task_user_info(self.as_ptr()) as *const UserInfo).as_ref() }
    }
    /// Returns the result of `Client::activate`, or `None` for other or unfinished tasks.
    #[must_use]
    pub fn activation(&self) -> Option<&Activation> {
        unsafe { (sys::mtoken_task_activation(self.as_ptr()) as *const Activation).as_ref() }
    }
    /// Returns the result of `Client::fetch_status` or `Client::wait_active`, or `None` for other or unfinished tasks.
    #[must_use]
    pub fn activation_status(&self) -> Option<&ActivationStatus> {
        unsafe { (sys::mtoken_task_activation_status(self.as_ptr()) as *const ActivationStatus).as_ref() }
    }
    /// Returns the result of `Client::fetch_detail`, or `None` for other or unfinished tasks.
    #[must_use]
    pub fn activation_detail(&self) -> Option<&ActivationDetail> {
        unsafe { (sys::mtoken_task_activation_detail(self.as_ptr()) as *const ActivationDetail).as_ref() }
    }
    /// Returns the result of `Client::fetch_config`, or `None` for other or unfinished tasks.
    #[must_use]
    pub fn config(&self) -> Option<&Config> {
        unsafe { (sys::mtoken_task_config(self.as_ptr()) as *const Config).as_ref() }
    }
    /// Returns the bytes that a task produced, or `None` for other or unfinished tasks.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        unsafe { sys::mtoken_task_bytes(self.as_ptr()).as_ref().map(|bytes| slice(bytes.data, bytes.length)) }
    }
    /// Returns the result of `Client::recovery_fetch`, or `None` for other or unfinished tasks.
    #[must_use]
    pub fn recovery(&self) -> Option<&Recovery> {
        unsafe { (sys::mtoken_task_recovery(self.as_ptr()) as *const Recovery).as_ref() }
    }
    /// Returns the result of `Client::recovery_confirm`: `Answer::YES` if the code had already been confirmed,
    /// `Answer::NO` if not, `Answer::UNSET` for other or unfinished tasks.
    #[must_use]
    pub fn already_confirmed(&self) -> Answer {
        Answer(unsafe { sys::mtoken_task_already_confirmed(self.as_ptr()) })
    }
    /// Returns the result of `Client::token_fetch_header`, or `None` for other or unfinished tasks.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        unsafe { (sys::mtoken_task_header(self.as_ptr()) as *const Header).as_ref() }
    }
    /// Returns the result of `Client::oidc_fetch_config` or `Client::oidc_discover`, or `None` for other or unfinished
    /// tasks.
    #[must_use]
    pub fn oidc_config(&self) -> Option<&OidcConfig> {
        unsafe { (sys::mtoken_task_oidc_config(self.as_ptr()) as *const OidcConfig).as_ref() }
    }
    /// Returns the result of `Runtime::oidc_listen`, or `None` for other or unfinished tasks.
    #[must_use]
    pub fn oidc_attributes(&self) -> Option<&OidcAttributes> {
        unsafe { (sys::mtoken_task_oidc_attributes(self.as_ptr()) as *const OidcAttributes).as_ref() }
    }
    /// Returns the result of `Client::inbox_count`, or -1 for other or unfinished tasks.
    #[must_use]
    pub fn inbox_count(&self) -> i64 {
        unsafe { sys::mtoken_task_inbox_count(self.as_ptr()) }
    }
    /// Returns the result of `Client::inbox_list_page` or `Client::inbox_list_all`, or `None` for other or unfinished
    /// tasks.
    #[must_use]
    pub fn inbox_list(&self) -> Option<&InboxList> {
        unsafe { (sys::mtoken_task_inbox_list(self.as_ptr()) as *const InboxList).as_ref() }
    }
    /// Returns the result of `Client::inbox_detail`, or `None` for other or unfinished tasks.
    #[must_use]
    pub fn inbox_message(&self) -> Option<&InboxMessage> {
        unsafe { (sys::mtoken_task_inbox_message(self.as_ptr()) as *const InboxMessage).as_ref() }
    }
    /// Returns the result of `Client::mobile_auth_pending`, or `None` for other or unfinished tasks.
    #[must_use]
    pub fn mobile_auth_list(&self) -> Option<&MobileAuthList> {
        unsafe { (sys::mtoken_task_mobile_auth_list(self.as_ptr()) as *const MobileAuthList).as_ref() }
    }
    /// Returns how the handling ended, whether it succeeded or not, or `None` for other or unfinished tasks.
    #[must_use]
    pub fn mobile_auth(&self) -> Option<&MobileAuthOutcome> {
        unsafe { (sys::mtoken_task_mobile_auth(self.as_ptr()) as *const MobileAuthOutcome).as_ref() }
    }
}

object! {
    /// What a user has to answer: see `Client::mobile_auth_handle`.
    Challenge, mtoken_challenge, mtoken_challenge_free
}
impl Challenge {
    /// Returns what the user is asked, or `None` for an invalid handle.
    #[must_use]
    pub fn get_info(&self) -> Option<&ChallengeInfo> {
        unsafe { (sys::mtoken_challenge_get_info(self.as_ptr()) as *const ChallengeInfo).as_ref() }
    }
    /// Approves the request with this device alone.
    ///
    /// Calls POST .../operation/authorize.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (an answer for another kind of challenge; malformed PIN or key),
    /// `ErrorCode::FACTOR`, `ErrorCode::STORAGE` and others that leave the challenge open, `ErrorCode::STATE` (it was
    /// already answered, its handling was cancelled, or its request has expired).
    pub fn confirm(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_confirm(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Rejects the request at the server. Valid for every kind of challenge. The handling then succeeds, as denied.
    ///
    /// Calls POST .../operation/cancel.
    ///
    /// - `reason`: "UNKNOWN", "INCORRECT_DATA", "UNEXPECTED_OPERATION", "PREAPPROVAL" or any other text; `None`:
    ///   "UNKNOWN".
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (an answer for another kind of challenge; malformed PIN or key),
    /// `ErrorCode::FACTOR`, `ErrorCode::STORAGE` and others that leave the challenge open, `ErrorCode::STATE` (it was
    /// already answered, its handling was cancelled, or its request has expired).
    pub fn deny(&self, reason: Option<&str>) -> Result<()> {
        let given_reason = raw_text(reason);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_deny(self.as_ptr(), given_reason.data, given_reason.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Approves the request with the PIN. A wrong PIN results in another challenge, with the error and the remaining
    /// attempts.
    ///
    /// Calls POST .../operation/authorize.
    ///
    /// - `pin`: UTF-8 bytes, at least 4; copied, and wiped after use.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (an answer for another kind of challenge; malformed PIN or key),
    /// `ErrorCode::FACTOR`, `ErrorCode::STORAGE` and others that leave the challenge open, `ErrorCode::STATE` (it was
    /// already answered, its handling was cancelled, or its request has expired).
    pub fn pin(&self, pin: &[u8]) -> Result<()> {
        let given_pin = raw_bytes(Some(pin));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_pin(self.as_ptr(), given_pin.data, given_pin.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Approves the request with the key that the biometric sensor releases: 16 bytes, or 32 in protocol 4.0. If the
    /// server refuses it, another challenge follows: for the PIN if the operation allows it, otherwise of the same
    /// kind.
    ///
    /// Calls POST .../operation/authorize.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (an answer for another kind of challenge; malformed PIN or key),
    /// `ErrorCode::FACTOR`, `ErrorCode::STORAGE` and others that leave the challenge open, `ErrorCode::STATE` (it was
    /// already answered, its handling was cancelled, or its request has expired).
    pub fn biometric(&self, key: &[u8]) -> Result<()> {
        let given_key = raw_bytes(Some(key));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_biometric(self.as_ptr(), given_key.data, given_key.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Approves the request with a custom authenticator.
    ///
    /// - `key`: the 16 or 32 bytes that it keeps: the key of its own copy of the biometry factor, or that of the
    ///   unnamed one; empty: the key that it was registered with.
    /// - `info`: any text from the authenticator for the server; `None`: none. It is sent, and signed, as
    ///   {"name":"\<authenticator\>","data":"\<info\>"} in the member "customAuthenticator" of the mobile token data,
    ///   whose other members are kept. (Servers before 1.10 ignore it.) The server's reply is in `server_info` of the
    ///   outcome or of the next challenge.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (an answer for another kind of challenge; malformed PIN or key),
    /// `ErrorCode::FACTOR`, `ErrorCode::STORAGE` and others that leave the challenge open, `ErrorCode::STATE` (it was
    /// already answered, its handling was cancelled, or its request has expired).
    pub fn custom(&self, key: Option<&[u8]>, info: Option<&str>) -> Result<()> {
        let given_key = raw_bytes(key);
        let given_info = raw_text(info);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_custom(self.as_ptr(), given_key.data, given_key.length, given_info.data, given_info.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Answers with the proximity check password that the other screen shows. The request's own challenge comes next.
    ///
    /// - `otp`: not empty.
    /// - `source`: `ProximityType`.
    /// - `received`: device time when the password was received, milliseconds since the epoch; 0: now.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (an answer for another kind of challenge; malformed PIN or key),
    /// `ErrorCode::FACTOR`, `ErrorCode::STORAGE` and others that leave the challenge open, `ErrorCode::STATE` (it was
    /// already answered, its handling was cancelled, or its request has expired).
    pub fn proximity(&self, otp: &str, source: ProximityType, received: i64) -> Result<()> {
        let given_otp = raw_text(Some(otp));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_proximity(self.as_ptr(), given_otp.data, given_otp.length, source.0, received, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Asks for the PIN instead: a PIN challenge follows. Fails with `ErrorCode::FACTOR` if the request does not allow
    /// the PIN.
    ///
    /// - `custom_info`: information from a custom authenticator for the PIN challenge and the outcome; `None`: none.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (an answer for another kind of challenge; malformed PIN or key),
    /// `ErrorCode::FACTOR`, `ErrorCode::STORAGE` and others that leave the challenge open, `ErrorCode::STATE` (it was
    /// already answered, its handling was cancelled, or its request has expired).
    pub fn use_pin(&self, custom_info: Option<&str>) -> Result<()> {
        let given_custom_info = raw_text(custom_info);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_use_pin(self.as_ptr(), given_custom_info.data, given_custom_info.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Ends the handling with "action_cancelled". The request stays pending at the server, except after a custom
    /// challenge: then the library also rejects it (POST .../operation/cancel with reason "UNKNOWN").
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT` (an answer for another kind of challenge; malformed PIN or key),
    /// `ErrorCode::FACTOR`, `ErrorCode::STORAGE` and others that leave the challenge open, `ErrorCode::STATE` (it was
    /// already answered, its handling was cancelled, or its request has expired).
    pub fn cancel(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_cancel(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
}

object! {
    /// Reports when operations expire.
    Watcher, mtoken_watcher, mtoken_watcher_free
}
impl Watcher {
    /// Creates a watcher. It checks when the first of its items expires. Checks are at least five seconds apart, and at
    /// most a minute, so that the watcher notices clock changes; the first check comes five seconds or more after the
    /// first item was added. A check removes all expired items and reports them in one `EventKind::OPERATIONS_EXPIRED`;
    /// the rest stay watched. No network.
    ///
    /// - `client`: supplies the time: the server's if the client knows it (`Client::synchronize_time`), otherwise the
    ///   device's.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn new(client: &Client) -> Result<Self> {
        suitable()?;
        let mut out_watcher = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_watcher_new(client.as_ptr(), &mut out_watcher, &mut error) };
        check(status, error)?;
        Ok(unsafe { Watcher::made(out_watcher, client.shared()) })
    }
    /// Adds items. Items that are already watched (same id, data and expiry) are ignored. Items that have already
    /// expired are reported too, with a logged warning.
    ///
    /// - `items`: copied; at most 1,048,576.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn add(&self, items: &[Watch<'_>]) -> Result<()> {
        let mut hold = Hold::new();
        let (array, count) = hold.array(items);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_watcher_add(self.as_ptr(), array, count, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Removes the items with the same id, data and expiry; others are ignored.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn remove(&self, items: &[Watch<'_>]) -> Result<()> {
        let mut hold = Hold::new();
        let (array, count) = hold.array(items);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_watcher_remove(self.as_ptr(), array, count, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Removes all items.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`.
    pub fn remove_all(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_watcher_remove_all(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns the items that are watched now.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn list(&self) -> Result<Owned<WatchedList>> {
        let mut out_list = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_watcher_list(self.as_ptr(), &mut out_list, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_list as *mut WatchedList) })
    }
    /// Replaces the watcher's clock.
    ///
    /// - `own_clock`: true: the device's clock plus offset_ms; false: the client's, which is the default.
    /// - `offset_ms`: milliseconds, may be negative; ignored if own_clock is 0.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn set_clock(&self, own_clock: bool, offset_ms: i64) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_watcher_set_clock(self.as_ptr(), own_clock as i32, offset_ms, &mut error) };
        check(status, error)?;
        Ok(())
    }
}

object! {
    /// A login in progress. Freeing it wipes the secrets it holds.
    OidcRequest, mtoken_oidc_request, mtoken_oidc_request_free
}
impl OidcRequest {
    /// Creates a login request: nonce and state (32 random bytes each), a PKCE code verifier unless PKCE is omitted,
    /// and the URL to open.
    ///
    /// # Errors
    ///
    /// `ErrorCode::ARGUMENT` (a text is missing, the redirect URI is unusable, or an added parameter has an empty,
    /// reserved or repeated name), `ErrorCode::CONFIGURATION` with reason "insecureAuthorizeUri" (http) or
    /// "invalidAuthorizeUri" (not a URL, a fragment, or a query with a parameter that this function sets).
    pub fn new(options: &OidcOptions<'_>) -> Result<Self> {
        suitable()?;
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_request = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_prepare(pointer(raw_options.as_ref()), &mut out_request, &mut error) };
        check(status, error)?;
        Ok(unsafe { OidcRequest::made(out_request, None) })
    }
    /// Returns the content of a request, or `None` for an invalid handle.
    #[must_use]
    pub fn get_authorization(&self) -> Option<&OidcAuthorization> {
        unsafe { (sys::mtoken_oidc_request_get_authorization(self.as_ptr()) as *const OidcAuthorization).as_ref() }
    }
    /// Checks the URL to which the provider redirected the browser and extracts the authorization code. A response with
    /// the right state and issuer ends the request, whether it reports success or an error. Any other response leaves
    /// the request unchanged, so that a forged one cannot end it. The checks, in this order:
    ///
    /// - 1.: the URL is valid (`ErrorCode::PARSE`, "invalidCallback") and leads to the redirect URI or, if there is
    ///   one, the callback URI (`ErrorCode::PROTOCOL`, "redirectMismatch").
    /// - 2.: the response is in the query: correctly encoded, no fragment but an empty one or "#_=_", no control
    ///   characters (`ErrorCode::PARSE`, "invalidCallback"); code, state, error and iss occur once at most
    ///   (`ErrorCode::PROTOCOL`, "duplicateParameter").
    /// - 3.: the state is that of the request (`ErrorCode::PROTOCOL`, "stateMismatch"), compared in constant time.
    /// - 4.: the issuer is the expected one (`ErrorCode::PROTOCOL`, "issuerMismatch").
    /// - 5.: the response is not an error (`ErrorCode::SERVER`, "authorizationError"): `server_code` is the provider's
    ///   code, e.g. "access_denied" if the user declined, `server_message` its description, `server_uri` its page with
    ///   more information.
    /// - 6.: there is a code (`ErrorCode::PROTOCOL`, "missingCode"; also, regardless of state, for a response in the
    ///   fragment).
    /// - 7.: it is the first response (`ErrorCode::STATE`, "alreadyProcessed") and arrives in time
    ///   (`ErrorCode::TIMEOUT`, "requestExpired").
    ///
    /// The `byte_offset` of parse errors says where.
    ///
    /// # Errors
    ///
    /// Also `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn oidc_process(&self, callback: &str) -> Result<&OidcAttributes> {
        let given_callback = raw_text(Some(callback));
        let mut out_attributes = std::ptr::null();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_process(self.as_ptr(), given_callback.data, given_callback.length, &mut out_attributes, &mut error) };
        check(status, error)?;
        Ok(unsafe { &*(out_attributes as *const OidcAttributes) })
    }
}

object! {
    /// Builds the JSON object.
    MobileTokenData, mtoken_mobile_token_data, mtoken_mobile_token_data_free
}
impl MobileTokenData {
    /// Creates a builder.
    ///
    /// - `initial`: JSON object to start from; `None`: an empty one.
    ///
    /// # Errors
    ///
    /// `ErrorCode::ARGUMENT`, `ErrorCode::PARSE` (initial is not a JSON object: `byte_offset`).
    pub fn new(initial: Option<&str>) -> Result<Self> {
        suitable()?;
        let given_initial = raw_text(initial);
        let mut out_builder = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_token_data_new(given_initial.data, given_initial.length, &mut out_builder, &mut error) };
        check(status, error)?;
        Ok(unsafe { MobileTokenData::made(out_builder, None) })
    }
    /// Sets a member to one JSON value, or replaces its value.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::PARSE`.
    pub fn put(&self, key: &str, json: &str) -> Result<()> {
        let given_key = raw_text(Some(key));
        let given_json = raw_text(Some(json));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_token_data_put(self.as_ptr(), given_key.data, given_key.length, given_json.data, given_json.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Sets a member to a text, or replaces its value.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn put_text(&self, key: &str, text: &str) -> Result<()> {
        let given_key = raw_text(Some(key));
        let given_text = raw_text(Some(text));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_token_data_put_text(self.as_ptr(), given_key.data, given_key.length, given_text.data, given_text.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Sets "preApprovalScreens" to the visits that the recorder holds when the object is built.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`.
    pub fn put_recorder(&self, recorder: &Recorder) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_token_data_put_recorder(self.as_ptr(), recorder.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Removes a member. Returns true if it existed, even as null, and false if it did not or an argument is invalid.
    #[must_use]
    pub fn remove(&self, key: &str) -> bool {
        let given_key = raw_text(Some(key));
        (unsafe { sys::mtoken_mobile_token_data_remove(self.as_ptr(), given_key.data, given_key.length) }) != 0
    }
    /// Removes all members.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`.
    pub fn clear(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_token_data_clear(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns the object as it is now, for `mobile_token_data` in options. Later changes to the builder do not affect
    /// it.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn build(&self) -> Result<String> {
        let mut out_json = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_token_data_build(self.as_ptr(), &mut out_json, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_text(out_json) })
    }
}

object! {
    /// Records the user's visits to pre-approval screens.
    Recorder, mtoken_recorder, mtoken_recorder_free
}
impl Recorder {
    /// Creates a recorder.
    ///
    /// - `client`: supplies the times; `Recorder::build` converts them to the server's time if the client knows it by
    ///   then.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn new(client: &Client) -> Result<Self> {
        suitable()?;
        let mut out_recorder = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recorder_new(client.as_ptr(), &mut out_recorder, &mut error) };
        check(status, error)?;
        Ok(unsafe { Recorder::made(out_recorder, client.shared()) })
    }
    /// Records that the user sees a screen. Ignored if the id is empty or that screen is already open. Another open
    /// screen is left behind, not closed.
    ///
    /// - `screen`: its id (`PreApprovalScreen::id`).
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn begin(&self, screen: &str) -> Result<()> {
        let given_screen = raw_text(Some(screen));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recorder_begin(self.as_ptr(), given_screen.data, given_screen.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Records that the user leaves a screen: the open one, or otherwise the last one of this id that was left behind.
    /// Ignored if there is none.
    ///
    /// - `action`: "CONTINUE", "BACK", "CLOSE", "REJECT", "SCAN" or any other text.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn end(&self, screen: &str, action: &str) -> Result<()> {
        let given_screen = raw_text(Some(screen));
        let given_action = raw_text(Some(action));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recorder_end(self.as_ptr(), given_screen.data, given_screen.length, given_action.data, given_action.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Discards all visits.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`.
    pub fn reset(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recorder_reset(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns the visits as a JSON list of {"screen", "timestampOpened", "timestampClosed", "action"}, with times such
    /// as "2026-01-31T12:00:00.000Z". An open visit counts as closed now, without an action; one left behind has
    /// neither "timestampClosed" nor "action". Recording continues.
    ///
    /// # Errors
    ///
    /// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`.
    pub fn build(&self) -> Result<String> {
        let mut out_json = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recorder_build(self.as_ptr(), &mut out_json, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_text(out_json) })
    }
}

/// The version of the loaded library, as "MAJOR.MINOR.PATCH".
#[must_use]
pub fn version() -> &'static str {
    unsafe { text(sys::mtoken_version()) }
}
/// The versions of the loaded library and of those that it uses, for reports and logs, e.g. "libmtoken/1.0.0
/// OpenSSL/3.0.15 libcurl/7.88.1 Jansson/2.14". Empty if there was no memory for it.
#[must_use]
pub fn versions() -> &'static str {
    unsafe { text(sys::mtoken_versions()) }
}
/// The version of the loaded library, in the form of 10000. A program works with every library of the same 1 whose
/// number is equal to or greater than that of the header it was built with.
#[must_use]
pub fn version_number() -> u32 {
    unsafe { sys::mtoken_version_number() }
}
/// The ABI version of the loaded library. If it differs from 1, the header belongs to another major version.
#[must_use]
pub fn abi_version() -> i32 {
    unsafe { sys::mtoken_abi_version() }
}
/// Looks up a constant of this interface by its name, e.g. "ERROR_TIMEOUT", for languages that cannot read C headers.
/// NUL_TERMINATED has the value -1 here.
///
/// # Errors
///
/// `ErrorCode::NOT_FOUND` (unknown name), `ErrorCode::ARGUMENT`.
pub fn constant_value(name: &str) -> Result<i64> {
    suitable()?;
    let given_name = raw_text(Some(name));
    let mut out_value = Default::default();
    let status = unsafe { sys::mtoken_constant_value(given_name.data, given_name.length, &mut out_value) };
    check(status, std::ptr::null_mut())?;
    Ok(out_value)
}
/// Returns the text of an `ServerCode`, e.g. "POWERAUTH_AUTH_FAIL", or `None` for 0 and unknown numbers.
#[must_use]
pub fn server_code_name(code: ServerCode) -> Option<&'static str> {
    unsafe { optional(sys::mtoken_server_code_name(code.0)) }
}
/// Returns the name of a code, e.g. "MTOKEN_ERROR_TIMEOUT" ("MTOKEN_OK" for 0), or `None` for an unknown code.
#[must_use]
pub fn error_name(code: ErrorCode) -> Option<&'static str> {
    unsafe { optional(sys::mtoken_error_name(code.0)) }
}
/// Returns one sentence that describes a code, or `None` for an unknown code.
#[must_use]
pub fn error_description(code: ErrorCode) -> Option<&'static str> {
    unsafe { optional(sys::mtoken_error_description(code.0)) }
}
/// Parses operation data. Pure. The field order of the template is not enforced.
///
/// - `text`: at most 65,536 bytes.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, also with reason "invalidUtf8" or "controlCharacter" (a NUL), `ErrorCode::PARSE` with reason
/// "tooLong", "controlCharacter", "invalidVersion", "invalidTemplateId", "invalidField" or "tooManyFields".
/// `byte_offset` says where, for an invalid field it is the offset of the field's first byte.
pub fn operation_fields_parse(text: &str) -> Result<Owned<OperationFields>> {
    suitable()?;
    let given_text = raw_text(Some(text));
    let mut out_fields = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_operation_fields_parse(given_text.data, given_text.length, &mut out_fields, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::made(out_fields as *mut OperationFields) })
}
/// Returns what a signature of operation data covers, as text to show. Pure. Show it above the question for the PIN: it
/// is made from the data alone, so nothing else that the bank sends can change it.
///
/// The lines, separated by "\n": "Payment", "Login" or "Operation" for the template, then one line for each field that
/// is not empty, in the order of the data: Amount: 10000.50 CZK Account: CZ2730300000001165254011, BIC GIBACZPX
/// Account: "238400856/0300"             (ANY_ACCOUNT) Date: 2018-04-25 Reference: "/VS123"   Note: "..." Text: "..."
/// Other: "Xvalue" (the letter first) Data of an unknown form are one line: Cannot be read: "the data". In quotation
/// marks, \ precedes quotation marks and backslashes; characters that end a line, that nobody sees or that change the
/// order of others, and spaces other than " ", are written as \u{202E}. No line can imitate another.
///
/// - `text`: operation data, of any form and length.
///
/// Returns: Never empty.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, also with reason "invalidUtf8".
pub fn operation_fields_summary(text: &str) -> Result<String> {
    suitable()?;
    let given_text = raw_text(Some(text));
    let mut out_summary = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_operation_fields_summary(given_text.data, given_text.length, &mut out_summary, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_summary) })
}
/// Builds operation data as a server does, for servers and tests. Pure. Whitespace is collapsed to single spaces; line
/// breaks and field separators are escaped. Trailing empty fields are omitted.
///
/// - `version`: 'A' to 'Z'; normally 'A'.
/// - `template_id`: `OperationTemplate` or another number up to 99. The field order of the template is not enforced.
/// - `fields`: at most 64; the last one that is not empty must be among the first 5.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT` (the reason says which rule is violated).
pub fn operation_fields_build(version: i32, template_id: OperationTemplate, fields: &[FieldInput<'_>]) -> Result<String> {
    suitable()?;
    let mut hold = Hold::new();
    let (array, count) = hold.array(fields);
    let mut out_text = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_operation_fields_build(version, template_id.0, array, count, &mut out_text, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_text) })
}
/// Converts a URL query to its canonical form ("b=2&a=1" becomes "a=1&b=2"), which is signed for a GET request. Pure.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, `ErrorCode::PARSE`.
pub fn canonical_query(query: &str) -> Result<String> {
    suitable()?;
    let given_query = raw_text(Some(query));
    let mut out_canonical = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_canonical_query(given_query.data, given_query.length, &mut out_canonical, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_canonical) })
}
/// Opens a sealer that comes with the library. All but "systemd" are plugins: shared libraries named
/// "libmtoken-\<name\>.so.1", packages of their own, which are loaded only from the directory in which this library
/// lies.
///
/// - "systemd": A credential of the service (LoadCredentialEncrypted=): a file of 16 to 4,096 bytes in
///   $CREDENTIALS_DIRECTORY. device: its name; default "mtoken".
/// - "tpm2": A TPM 2.0. device: a TCTI as tpm2-tss writes it; default "device:/dev/tpmrm0". password: at most 32 bytes,
///   optional. pcrs: registers of the SHA-256 bank, e.g. "7", that must not change.
/// - "secret-service": The keyring of the desktop session.
/// - "pkcs11": A smart card or HSM. `module_path`: its PKCS#11 module, required. device: label of the token; default:
///   the only one. password: the user's PIN.
/// - "fido2": A FIDO2 security key with hmac-secret, mainly to keep a biometry key: see `Sealer::seal`. device: its
///   path; default: the first one. password: its PIN.
///
/// Arguments:
///
/// - `options`: `None`: the defaults.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT` (the name is malformed, or an option is wrong), `ErrorCode::SEALED` (the hardware or service
/// cannot be used), `ErrorCode::UNSUPPORTED` with reason "sealerNotFound" (no such plugin, or not one of this version).
pub fn sealer_open(name: &str, options: Option<&SealerOptions<'_>>) -> Result<Sealer> {
    suitable()?;
    let mut hold = Hold::new();
    let given_name = raw_text(Some(name));
    let raw_options = options.map(|given| given.raw(&mut hold));
    let mut out_sealer = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_sealer_open(given_name.data, given_name.length, pointer(raw_options.as_ref()), &mut out_sealer, &mut error) };
    check(status, error)?;
    Ok(unsafe { Sealer::made(out_sealer, None) })
}
/// Parses "CODE" or "CODE#SIGNATURE" (QR code, deeplink). Checks form and checksum; `Client::activate` verifies the
/// signature. Pure.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, `ErrorCode::PARSE` (`byte_offset` says where).
pub fn activation_code_parse(text: &str) -> Result<Owned<ActivationCode>> {
    suitable()?;
    let given_text = raw_text(Some(text));
    let mut out_code = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_activation_code_parse(given_text.data, given_text.length, &mut out_code, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::made(out_code as *mut ActivationCode) })
}
/// Corrects a typing error in a code. Returns the character to use instead of `character` (a Unicode code point): upper
/// case, O for 0, I for 1. Returns 0 for a character that cannot be in a code.
#[must_use]
pub fn activation_code_correct(character: u32) -> u32 {
    unsafe { sys::mtoken_activation_code_correct(character) }
}
/// Returns true if a text is a recovery code ("XXXXX-XXXXX-XXXXX-XXXXX", optionally with the prefix "R:" of the QR
/// form) or a PUK (ten digits), otherwise false. Pure.
#[must_use]
pub fn recovery_code_is_valid(text: &str) -> bool {
    let given_text = raw_text(Some(text));
    (unsafe { sys::mtoken_recovery_code_is_valid(given_text.data, given_text.length) }) != 0
}
/// Returns true if a text is a recovery code ("XXXXX-XXXXX-XXXXX-XXXXX", optionally with the prefix "R:" of the QR
/// form) or a PUK (ten digits), otherwise false. Pure.
#[must_use]
pub fn recovery_puk_is_valid(text: &str) -> bool {
    let given_text = raw_text(Some(text));
    (unsafe { sys::mtoken_recovery_puk_is_valid(given_text.data, given_text.length) }) != 0
}
/// Tells what makes a PIN easy to guess, for the form in which the user chooses it. The options `min_pin_length` and
/// `refused_pins` of a client refuse such PINs. Pure.
///
/// Returns: `PinWeakness`, combined with |; 0: nothing was found.
#[must_use]
pub fn pin_inspect(pin: &[u8]) -> PinWeakness {
    let given_pin = raw_bytes(Some(pin));
    PinWeakness(unsafe { sys::mtoken_pin_inspect(given_pin.data, given_pin.length) })
}
/// Parses the payload of an offline QR code, and verifies it if `options` specify a client or a configuration. If the
/// signature does not agree, but agrees without what scanners do to a text (a byte order mark or "\000026" before it,
/// UTF-8 read as Latin-1, decomposed letters), the operation is the one that was signed.
///
/// - `payload`: at most 4,096 bytes, exactly as scanned: do not trim or change it.
/// - `options`: `None`, or neither client nor configuration: the signature is not verified.
///
/// # Errors
///
/// `ErrorCode::HANDLE`, `ErrorCode::ARGUMENT`, `ErrorCode::CONFIGURATION`, `ErrorCode::ARGUMENT` with reason
/// "invalidUtf8" or "controlCharacter" (a NUL), `ErrorCode::PARSE` with reason "tooLong" (also: more than 64 lines),
/// "controlCharacter", "tooFewLines", "noOperationId", "invalidSignature", "invalidNonce", "invalidVersion",
/// "invalidTemplateId", "invalidField" or "tooManyFields", line and `byte_offset` say where. Unless `keep_unverified`:
/// `ErrorCode::SIGNATURE` "signatureVerificationFailed" (forged or modified) or "scannerChangedText" (see above; no
/// repair is signed), `ErrorCode::UNSUPPORTED` "signatureNotVerifiable" (PERSONALIZED_MAC with an activation of
/// protocol 3, PERSONALIZED with one of 4.0), `ErrorCode::NOT_ACTIVATED` (personalised key or MAC, but no activation to
/// verify with).
pub fn qr_operation_parse(payload: &str, options: Option<&QrOptions<'_>>) -> Result<Owned<QrOperation>> {
    suitable()?;
    let mut hold = Hold::new();
    let given_payload = raw_text(Some(payload));
    let raw_options = options.map(|given| given.raw(&mut hold));
    let mut out_operation = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_qr_operation_parse(given_payload.data, given_payload.length, pointer(raw_options.as_ref()), &mut out_operation, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::made(out_operation as *mut QrOperation) })
}
/// Groups the digits of an offline code for display: "12345678-12345678" becomes "1234 5678 1234 5678". Pure. The
/// server expects the ungrouped code.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT` (not two components of 4 to 8 digits each).
pub fn qr_code_group(code: &str) -> Result<String> {
    suitable()?;
    let given_code = raw_text(Some(code));
    let mut out_grouped = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_qr_code_group(given_code.data, given_code.length, &mut out_grouped, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_grouped) })
}
/// Builds and signs the payload of an offline QR code as a server does, for servers and tests. Parsing it returns the
/// original content. Encode it unchanged, in byte mode, and keep the nonce to check the code. Pure.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT` (the reason says which rule is violated), `ErrorCode::INTERNAL`.
pub fn qr_operation_build(options: &QrBuildOptions<'_>) -> Result<String> {
    suitable()?;
    let mut hold = Hold::new();
    let raw_options = Some(options).map(|given| given.raw(&mut hold));
    let mut out_payload = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_qr_operation_build(pointer(raw_options.as_ref()), &mut out_payload, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_payload) })
}
/// Parses a code. Pure.
///
/// - `code`: as scanned or opened: at most 2,048 bytes, not trimmed.
/// - `source`: `ProximityType::QR_CODE`: scanned; a link or a JWT. `ProximityType::DEEPLINK`: opened by the operating
///   system; a link.
/// - `options`: `None`: the defaults.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, also with reason "invalidUtf8" or "invalidFormat" (a NUL), `ErrorCode::PARSE` with reason
/// "empty", "tooLong", "invalidFormat", "invalidEncoding" (percent-encoding), "invalidJwt", "missingOperationId",
/// "invalidOperationId", "invalidTotp", "ambiguous" (a value occurs twice) or "notAllowed". `byte_offset` says where,
/// for a JWT it is the first byte. Errors never contain any part of the code.
pub fn pac_parse(code: &str, source: ProximityType, options: Option<&PacOptions<'_>>) -> Result<Owned<Pac>> {
    suitable()?;
    let mut hold = Hold::new();
    let given_code = raw_text(Some(code));
    let raw_options = options.map(|given| given.raw(&mut hold));
    let mut out_pac = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_pac_parse(given_code.data, given_code.length, source.0, pointer(raw_options.as_ref()), &mut out_pac, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::made(out_pac as *mut Pac) })
}
/// Returns true if a code selects an operation, that is if their ids are equal. Otherwise, or if either is `None`,
/// returns false. To approve the operation with the code, copy the code's totp and source to `proximity_otp` and
/// `proximity_source` of `AuthorizeOptions`, and set `proximity_received` to the device time when the code was
/// received.
#[must_use]
pub fn pac_matches(pac: &Pac, operation: &Operation) -> bool {
    (unsafe { sys::mtoken_pac_matches(&pac.0, &operation.0) }) != 0
}
/// Returns the operation of a list that a code selects, or `None` if there is none.
#[must_use]
pub fn pac_find<'a>(pac: &Pac, list: &'a OperationList) -> Option<&'a Operation> {
    unsafe { (sys::mtoken_pac_find(&pac.0, &list.0) as *const Operation).as_ref() }
}
/// Builds a code in the form that every reader accepts: percent-encoded, key "potp", Base64URL without padding, no
/// signature. Pure.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`.
pub fn pac_build(options: &PacBuildOptions<'_>) -> Result<String> {
    suitable()?;
    let mut hold = Hold::new();
    let raw_options = Some(options).map(|given| given.raw(&mut hold));
    let mut out_code = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_pac_build(pointer(raw_options.as_ref()), &mut out_code, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_code) })
}
/// Computes the one-time password of a proximity check as the server does (RFC 6238), for servers and tests. Pure.
///
/// - `seed`: not empty.
/// - `time`: milliseconds since the epoch, not negative.
/// - `step_s`: seconds; 0: 30.
/// - `digits`: 6 to 9; 0: 8.
/// - `hash`: `TotpAlgorithm`.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`.
pub fn totp(seed: &[u8], time: i64, step_s: i32, digits: i32, hash: TotpAlgorithm) -> Result<String> {
    suitable()?;
    let given_seed = raw_bytes(Some(seed));
    let mut out_totp = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_totp(given_seed.data, given_seed.length, time, step_s, digits, hash.0, &mut out_totp, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_totp) })
}
/// Parses the payload of a push message: JSON in the format of APNs, the data map of FCM or HMS, or a complete FCM or
/// HMS message ("data" and "notification"). Pure: needs neither client nor network.
///
/// Returns: The message; `None` if the push is of no kind in `PushKind`, which is not an error.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, `ErrorCode::PARSE` (not a JSON object or array; with the byte offset).
pub fn push_parse(payload: &str) -> Result<Option<Owned<PushMessage>>> {
    suitable()?;
    let given_payload = raw_text(Some(payload));
    let mut out_message = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_push_parse(given_payload.data, given_payload.length, &mut out_message, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::maybe(out_message as *mut PushMessage) })
}
/// Returns the reason text of an `MobileAuthErrorCode`, e.g. "not_found", "ok" for 0, or `None` for unknown numbers.
#[must_use]
pub fn mobile_auth_error_name(error: MobileAuthErrorCode) -> Option<&'static str> {
    unsafe { optional(sys::mtoken_mobile_auth_error_name(error.0)) }
}
/// Lays out an operation: resolves ${attribute id} in the texts for lists, and arranges the attributes in sections. If
/// an attribute is missing or has no text, or the result is longer than 65,536 bytes, `list_title` is the operation's
/// title, `list_message` its message, and `list_header` `None`. The first section holds title and message, unless the
/// template says otherwise; then come the template's sections, then the remaining attributes. No attribute is dropped:
/// one that is more than a heading has a cell even if its label is the title of a section. Pure.
///
/// - `operation`: from a result of this library; the function reads its json only.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, `ErrorCode::PARSE`.
pub fn visual_new(operation: &Operation) -> Result<Owned<Visual>> {
    suitable()?;
    let mut out_visual = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_visual_new(&operation.0, &mut out_visual, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::made(out_visual as *mut Visual) })
}
/// Finds a value within JSON, e.g. a member that a bank added to the json of an `Operation` or `Attribute`, or to the
/// payload of a screen. Pure.
///
/// - `path`: JSON pointer (RFC 6901), e.g. "/playSound" or "/formData/attributes/0/id"; empty: the whole document.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, `ErrorCode::PARSE` (`byte_offset`), `ErrorCode::NOT_FOUND`.
pub fn json_find(json: &str, path: &str) -> Result<Owned<JsonValue>> {
    suitable()?;
    let given_json = raw_text(Some(json));
    let given_path = raw_text(Some(path));
    let mut out_value = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_json_find(given_json.data, given_json.length, given_path.data, given_path.length, &mut out_value, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::made(out_value as *mut JsonValue) })
}
/// Generates random bytes that are fit for keys, with OpenSSL's private generator.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT` (not 1 to 1,048,576 bytes), `ErrorCode::INTERNAL`.
pub fn random_bytes(length: usize) -> Result<Vec<u8>> {
    suitable()?;
    let mut out_bytes = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_random_bytes(length, &mut out_bytes, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_bytes(out_bytes) })
}
/// Computes SHA-256, 32 bytes.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, `ErrorCode::INTERNAL`.
pub fn sha256(bytes: &[u8]) -> Result<Vec<u8>> {
    suitable()?;
    let given_bytes = raw_bytes(Some(bytes));
    let mut out_hash = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_sha256(given_bytes.data, given_bytes.length, &mut out_hash, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_bytes(out_hash) })
}
/// Computes HMAC-SHA-256, 32 bytes.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, `ErrorCode::INTERNAL`.
pub fn hmac_sha256(key: Option<&[u8]>, bytes: &[u8]) -> Result<Vec<u8>> {
    suitable()?;
    let given_key = raw_bytes(key);
    let given_bytes = raw_bytes(Some(bytes));
    let mut out_mac = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_hmac_sha256(given_key.data, given_key.length, given_bytes.data, given_bytes.length, &mut out_mac, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_bytes(out_mac) })
}
/// Generates a key pair: a private key of 32 bytes and a public key of 65 bytes.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, `ErrorCode::INTERNAL`.
pub fn key_pair_new() -> Result<(Vec<u8>, Vec<u8>)> {
    suitable()?;
    let mut out_private_key = std::ptr::null_mut();
    let mut out_public_key = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_key_pair_new(&mut out_private_key, &mut out_public_key, &mut error) };
    check(status, error)?;
    Ok((unsafe { take_bytes(out_private_key) }, unsafe { take_bytes(out_public_key) }))
}
/// Signs with ECDSA and SHA-256.
///
/// - `form`: `DeviceSignature`.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT` (also for an invalid private key), `ErrorCode::INTERNAL`.
pub fn ecdsa_sign(private_key: &[u8], bytes: &[u8], form: DeviceSignature) -> Result<Vec<u8>> {
    suitable()?;
    let given_private_key = raw_bytes(Some(private_key));
    let given_bytes = raw_bytes(Some(bytes));
    let mut out_signature = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_ecdsa_sign(given_private_key.data, given_private_key.length, given_bytes.data, given_bytes.length, form.0, &mut out_signature, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_bytes(out_signature) })
}
/// Verifies a signature.
///
/// Returns: True: the signature is valid; false: it is not.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT` (also for an invalid public key or an empty signature), `ErrorCode::INTERNAL`.
pub fn ecdsa_verify(options: &EcdsaVerifyOptions<'_>) -> Result<bool> {
    suitable()?;
    let mut hold = Hold::new();
    let raw_options = Some(options).map(|given| given.raw(&mut hold));
    let mut out_is_valid = Default::default();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_ecdsa_verify(pointer(raw_options.as_ref()), &mut out_is_valid, &mut error) };
    check(status, error)?;
    Ok(out_is_valid != 0)
}
/// Computes the shared secret of two key pairs with ECDH: the X coordinate, 32 bytes.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT` (also for an invalid key), `ErrorCode::INTERNAL`.
pub fn ecdh(private_key: &[u8], public_key: &[u8]) -> Result<Vec<u8>> {
    suitable()?;
    let given_private_key = raw_bytes(Some(private_key));
    let given_public_key = raw_bytes(Some(public_key));
    let mut out_secret = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_ecdh(given_private_key.data, given_private_key.length, given_public_key.data, given_public_key.length, &mut out_secret, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_bytes(out_secret) })
}
/// Generates a PKCE code verifier and its S256 challenge (RFC 7636), as `OidcRequest::new` does.
///
/// - `byte_count`: random bytes in the verifier: 32 to 96, which give 43 to 128 characters.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, `ErrorCode::INTERNAL`.
pub fn oidc_pkce(byte_count: usize) -> Result<(String, String)> {
    suitable()?;
    let mut out_verifier = std::ptr::null_mut();
    let mut out_challenge = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_oidc_pkce(byte_count, &mut out_verifier, &mut out_challenge, &mut error) };
    check(status, error)?;
    Ok((unsafe { take_text(out_verifier) }, unsafe { take_text(out_challenge) }))
}
/// Computes the S256 challenge of a code verifier (43 to 128 unreserved characters).
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, `ErrorCode::INTERNAL`.
pub fn oidc_challenge(verifier: &str) -> Result<String> {
    suitable()?;
    let given_verifier = raw_text(Some(verifier));
    let mut out_challenge = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_oidc_challenge(given_verifier.data, given_verifier.length, &mut out_challenge, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_challenge) })
}
/// Generates `byte_count` random bytes (1 to 1024) and returns them as base64url without padding.
///
/// # Errors
///
/// `ErrorCode::ARGUMENT`, `ErrorCode::INTERNAL`.
pub fn oidc_random(byte_count: usize) -> Result<String> {
    suitable()?;
    let mut out_text = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_oidc_random(byte_count, &mut out_text, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_text) })
}
/// Builds the URL of an authorization request. Percent-encodes every byte of its values except A-Z a-z 0-9 - . _ ~.
///
/// # Errors
///
/// As `OidcRequest::new`.
pub fn oidc_authorization_url(options: &OidcUrlOptions<'_>) -> Result<String> {
    suitable()?;
    let mut hold = Hold::new();
    let raw_options = Some(options).map(|given| given.raw(&mut hold));
    let mut out_url = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_oidc_authorization_url(pointer(raw_options.as_ref()), &mut out_url, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_url) })
}

outcome!(OperationList, mtoken_task_operations);
outcome!(Operation, mtoken_task_operation);
outcome!(EncryptedRequest, mtoken_task_encrypted_request);
outcome!(UserInfo, mtoken_task_user_info);
outcome!(Activation, mtoken_task_activation);
outcome!(ActivationStatus, mtoken_task_activation_status);
outcome!(ActivationDetail, mtoken_task_activation_detail);
outcome!(Config, mtoken_task_config);
outcome!(Recovery, mtoken_task_recovery);
outcome!(Header, mtoken_task_header);
outcome!(OidcConfig, mtoken_task_oidc_config);
outcome!(OidcAttributes, mtoken_task_oidc_attributes);
outcome!(InboxList, mtoken_task_inbox_list);
outcome!(InboxMessage, mtoken_task_inbox_message);
outcome!(MobileAuthList, mtoken_task_mobile_auth_list);
outcome!(MobileAuthOutcome, mtoken_task_mobile_auth);
