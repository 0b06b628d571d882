// Made by bindings/generate from mtoken.h. Do not edit.

use crate::life::*;
use crate::options::*;
use crate::values::*;
use crate::views::*;
use crate::{Owned, Result, Runtime, Task, Watch};
use mtoken_sys as sys;

impl Runtime {
    /// Creates a runtime and starts its thread, which blocks all signals except those raised by faults. (`mtoken_runtime_new`)
    pub fn new(options: Option<&RuntimeOptions>) -> Result<Self> {
        suitable()?;
        let mut hold = Hold::new();
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_runtime = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_runtime_new(pointer(&raw_options), &mut out_runtime, &mut error) };
        check(status, error)?;
        Ok(unsafe { Runtime::made(out_runtime) })
    }
    /// Returns the current counters. (`mtoken_runtime_get_info`)
    pub fn get_info(&self) -> Result<Owned<RuntimeInfo>> {
        let mut out_info = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_runtime_get_info(self.as_ptr(), &mut out_info, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_info as *mut RuntimeInfo) })
    }
    /// Prepares a request and waits for the response on the loopback interface (RFC 8252, 7.3), for desktop programs that no other URL can reach. (`mtoken_oidc_listen`)
    pub fn oidc_listen(&self, options: &OidcOptions<'_>) -> Result<(OidcRequest, Task<Owned<OidcAttributes>>)> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_request = std::ptr::null_mut();
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_listen(self.as_ptr(), pointer(&raw_options), &mut out_request, &mut out_task, &mut error) };
        check(status, error)?;
        Ok((unsafe { OidcRequest::made(out_request, self.shared()) }, unsafe { Task::made(out_task, self.shared()) }))
    }
    /// Parses the payload of a push message as mtoken_push_parse does, and finds the client of the runtime that it is for, by the activation that it names. (`mtoken_runtime_route_push`)
    pub fn route_push(&self, payload: &str) -> Result<Option<Owned<PushMessage>>> {
        let given_payload = raw_text(Some(payload));
        let mut out_message = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_runtime_route_push(self.as_ptr(), given_payload.data, given_payload.length, &mut out_message, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::maybe(out_message as *mut PushMessage) })
    }
    /// Hands in the response to a request, complete, whatever its status. (`mtoken_request_respond`)
    pub fn request_respond(&self, id: i64, response: &HttpResponse<'_>) -> Result<()> {
        let mut hold = Hold::new();
        let raw_response = Some(response).map(|given| given.raw(&mut hold));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_request_respond(self.as_ptr(), id, pointer(&raw_response), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Tells that there is no response to a request, and why: exactly one of the two faults. (`mtoken_request_fail`)
    pub fn request_fail(&self, id: i64, outcome: Outcome, network_fault: NetworkFault, tls_fault: TlsFault) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_request_fail(self.as_ptr(), id, outcome.0, network_fault.0, tls_fault.0, &mut error) };
        check(status, error)?;
        Ok(())
    }
}

object! {
    /// Opaque handles.
    Client, mtoken_client, mtoken_client_free
}
impl Client {
    /// Signs a request that the host is about to send and returns its X-PowerAuth-Authorization header. (`mtoken_client_sign`)
    pub fn sign(&self, options: &SignOptions<'_>, auth: &Auth<'_>) -> Result<Owned<Header>> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_header = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_sign(self.as_ptr(), pointer(&raw_options), pointer(&raw_auth), &mut out_header, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_header as *mut Header) })
    }
    /// Tells the library that the server has accepted the last signature from mtoken_client_sign, and that its counter has thus caught up. (`mtoken_client_signature_accepted`)
    pub fn signature_accepted(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_signature_accepted(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Takes a turn to sign. (`mtoken_client_take_turn`)
    pub fn take_turn(&self) -> Result<Task<Task<()>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_take_turn(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Computes an offline signature: decimal components, one per factor, joined by "-". (`mtoken_client_sign_offline`)
    pub fn sign_offline(&self, options: &SignOfflineOptions<'_>, auth: &Auth<'_>) -> Result<String> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_code = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_sign_offline(self.as_ptr(), pointer(&raw_options), pointer(&raw_auth), &mut out_code, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_text(out_code) })
    }
    /// Verifies a signature of the server: ECDSA P-256 with SHA-256 or P-384 with SHA-384, as the keys of the configuration or the activation are. (`mtoken_client_verify`)
    pub fn verify(&self, options: &VerifyOptions<'_>) -> Result<bool> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_is_valid = Default::default();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_verify(self.as_ptr(), pointer(&raw_options), &mut out_is_valid, &mut error) };
        check(status, error)?;
        Ok(out_is_valid != 0)
    }
    /// Fetches the pending operations. (`mtoken_operations_list`)
    pub fn operations_list(&self) -> Result<Task<Owned<OperationList>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_list(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches past operations in all states. (`mtoken_operations_history`)
    pub fn operations_history(&self, auth: &Auth<'_>) -> Result<Task<Owned<OperationList>>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_history(self.as_ptr(), pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches one pending operation. (`mtoken_operations_detail`)
    pub fn operations_detail(&self, id: &str) -> Result<Task<Owned<Operation>>> {
        let given_id = raw_text(Some(id));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_detail(self.as_ptr(), given_id.data, given_id.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Assigns an operation that belongs to no user yet (e.g. a login on a shared screen) to this user, and fetches it. (`mtoken_operations_claim`)
    pub fn operations_claim(&self, id: &str) -> Result<Task<Owned<Operation>>> {
        let given_id = raw_text(Some(id));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_claim(self.as_ptr(), given_id.data, given_id.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Approves an operation: signs its id and data exactly as they are in `operation`. (`mtoken_operations_authorize`)
    pub fn operations_authorize(&self, operation: &Operation, auth: &Auth<'_>, options: Option<&AuthorizeOptions<'_>>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_authorize(self.as_ptr(), &operation.0, pointer(&raw_auth), pointer(&raw_options), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Approves an operation that was received on another channel. allow_other_factors and strict must be 0: there is no form to compare the factors and the data with. (`mtoken_operations_authorize_data`)
    pub fn operations_authorize_data(&self, operation: &OperationOptions<'_>, auth: &Auth<'_>, options: Option<&AuthorizeOptions<'_>>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let raw_operation = Some(operation).map(|given| given.raw(&mut hold));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_authorize_data(self.as_ptr(), pointer(&raw_operation), pointer(&raw_auth), pointer(&raw_options), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Rejects an operation. (`mtoken_operations_reject`)
    pub fn operations_reject(&self, id: &str, options: Option<&RejectOptions<'_>>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let given_id = raw_text(Some(id));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_reject(self.as_ptr(), given_id.data, given_id.length, pointer(&raw_options), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches the list as mtoken_operations_list does, but without a task: events and mtoken_operations_get_info report the result. (`mtoken_operations_refresh`)
    pub fn operations_refresh(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_refresh(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns 1 while a fetch of the list is in progress, from the moment it is requested, otherwise 0; -1 for an invalid handle. (`mtoken_operations_is_loading`)
    pub fn operations_is_loading(&self) -> Answer {
        Answer(unsafe { sys::mtoken_operations_is_loading(self.as_ptr()) })
    }
    /// Returns a snapshot of the tracked operations. (`mtoken_operations_get_info`)
    pub fn operations_get_info(&self) -> Result<Owned<OperationsInfo>> {
        let mut out_known = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_get_info(self.as_ptr(), &mut out_known, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_known as *mut OperationsInfo) })
    }
    /// Attaches a proximity check and mobile token data to a tracked operation. (`mtoken_operations_attach`)
    pub fn operations_attach(&self, id: &str, options: Option<&AuthorizeOptions<'_>>) -> Result<()> {
        let mut hold = Hold::new();
        let given_id = raw_text(Some(id));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_attach(self.as_ptr(), given_id.data, given_id.length, pointer(&raw_options), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns the MTOKEN_ATTACHED_... flags of a tracked operation; 0 if nothing is attached, the operation is not tracked, or an argument is invalid. (`mtoken_operations_get_attached`)
    pub fn operations_get_attached(&self, id: &str) -> Attached {
        let given_id = raw_text(Some(id));
        Attached(unsafe { sys::mtoken_operations_get_attached(self.as_ptr(), given_id.data, given_id.length) })
    }
    /// Starts polling: fetches the list periodically, with one timer on the runtime's thread. (`mtoken_operations_start_polling`)
    pub fn operations_start_polling(&self, options: Option<&PollingOptions>) -> Result<()> {
        let mut hold = Hold::new();
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_start_polling(self.as_ptr(), pointer(&raw_options), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Stops polling, even if it is paused. (`mtoken_operations_stop_polling`)
    pub fn operations_stop_polling(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_stop_polling(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Pauses polling, e.g. while the program is in the background. (`mtoken_operations_pause_polling`)
    pub fn operations_pause_polling(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_pause_polling(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Fetches at once and resumes polling. (`mtoken_operations_resume_polling`)
    pub fn operations_resume_polling(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_operations_resume_polling(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns the MTOKEN_POLLING_... state, or -1 for an invalid handle. (`mtoken_operations_get_polling`)
    pub fn operations_get_polling(&self) -> Polling {
        Polling(unsafe { sys::mtoken_operations_get_polling(self.as_ptr()) })
    }
    /// Seals the device secret of a client another way, or, with NULL, keeps it in the store in the clear. (`mtoken_client_reseal`)
    pub fn reseal(&self, sealer: &Sealer) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_reseal(self.as_ptr(), sealer.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Encrypts the body of a POST request, and signs it if auth is set. (`mtoken_client_encrypt`)
    pub fn encrypt(&self, body: &[u8], options: &EncryptOptions<'_>) -> Result<Task<Task<()>>> {
        let mut hold = Hold::new();
        let given_body = raw_bytes(Some(body));
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_encrypt(self.as_ptr(), given_body.data, given_body.length, pointer(&raw_options), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Computes an authentication code of data with the key that the device shares with the server's key store: HMAC-SHA-256, 32 bytes. (`mtoken_client_hmac`)
    pub fn hmac(&self, scope: Scope, bytes: &[u8]) -> Result<Vec<u8>> {
        let given_bytes = raw_bytes(Some(bytes));
        let mut out_mac = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_hmac(self.as_ptr(), scope.0, given_bytes.data, given_bytes.length, &mut out_mac, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_bytes(out_mac) })
    }
    /// Fetches the claims about the user. (`mtoken_client_fetch_user_info`)
    pub fn fetch_user_info(&self) -> Result<Task<Owned<UserInfo>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_fetch_user_info(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Starts an activation. (`mtoken_client_activate`)
    pub fn activate(&self, options: &ActivationOptions<'_>) -> Result<Task<Owned<Activation>>> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_activate(self.as_ptr(), pointer(&raw_options), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Completes a pending activation: encrypts the key of each factor under that factor and stores the state durably. (`mtoken_client_persist`)
    pub fn persist(&self, auth: &Auth<'_>) -> Result<()> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_persist(self.as_ptr(), pointer(&raw_auth), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Takes over an activation from the PowerAuth mobile SDK, version 1, which keeps it as a binary state in the keychain or the preferences of its application. (`mtoken_client_import_upstream`)
    pub fn import_upstream(&self, state: &[u8], possession_key: &[u8]) -> Result<()> {
        let given_state = raw_bytes(Some(state));
        let given_possession_key = raw_bytes(Some(possession_key));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_import_upstream(self.as_ptr(), given_state.data, given_state.length, given_possession_key.data, given_possession_key.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Discards a pending activation or cancels one that is being created. (`mtoken_client_cancel_activation`)
    pub fn cancel_activation(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_cancel_activation(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Fetches the state of the activation and resynchronises the counter with the server. (`mtoken_client_fetch_status`)
    pub fn fetch_status(&self) -> Result<Task<Owned<ActivationStatus>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_fetch_status(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Waits until the activation is active. (`mtoken_client_wait_active`)
    pub fn wait_active(&self, options: Option<&WaitOptions<'_>>) -> Result<Task<Owned<ActivationStatus>>> {
        let mut hold = Hold::new();
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_wait_active(self.as_ptr(), pointer(&raw_options), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches the name under which the bank shows this device. (`mtoken_client_fetch_detail`)
    pub fn fetch_detail(&self, auth: &Auth<'_>) -> Result<Task<Owned<ActivationDetail>>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_fetch_detail(self.as_ptr(), pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Changes the name under which the bank shows this device. (`mtoken_client_rename`)
    pub fn rename(&self, name: &str, order: Order, auth: &Auth<'_>) -> Result<Task<Owned<ActivationDetail>>> {
        let mut hold = Hold::new();
        let given_name = raw_text(Some(name));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_rename(self.as_ptr(), given_name.data, given_name.length, order.0, pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Upgrades an activation of protocol 3 to protocol 4.0, if the server offers it (mtoken_activation_status.upgrade_available) and the configuration has keys of protocol 4.0. (`mtoken_client_upgrade`)
    pub fn upgrade(&self, auth: &Auth<'_>) -> Result<Task<Owned<ActivationStatus>>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_upgrade(self.as_ptr(), pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches the configuration that the bank keeps for its application, encrypted. (`mtoken_client_fetch_config`)
    pub fn fetch_config(&self, scope: Scope) -> Result<Task<Owned<Config>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_fetch_config(self.as_ptr(), scope.0, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Removes the activation at the server and then, only if the server confirms, on this device. (`mtoken_client_remove`)
    pub fn remove(&self, auth: &Auth<'_>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_remove(self.as_ptr(), pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Removes the activation on this device only, without informing the server, and cancels the running tasks of the client. (`mtoken_client_remove_local`)
    pub fn remove_local(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_remove_local(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Asks the server whether a PIN is correct. (`mtoken_client_validate_pin`)
    pub fn validate_pin(&self, pin: &[u8]) -> Result<Task<()>> {
        let given_pin = raw_bytes(Some(pin));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_validate_pin(self.as_ptr(), given_pin.data, given_pin.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Changes the PIN. (`mtoken_client_change_pin`)
    pub fn change_pin(&self, old_pin: &[u8], new_pin: &[u8]) -> Result<Task<()>> {
        let given_old_pin = raw_bytes(Some(old_pin));
        let given_new_pin = raw_bytes(Some(new_pin));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_change_pin(self.as_ptr(), given_old_pin.data, given_old_pin.length, given_new_pin.data, given_new_pin.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Changes the PIN on this device without asking the server. (`mtoken_client_change_pin_unsafe`)
    pub fn change_pin_unsafe(&self, old_pin: &[u8], new_pin: &[u8]) -> Result<()> {
        let given_old_pin = raw_bytes(Some(old_pin));
        let given_new_pin = raw_bytes(Some(new_pin));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_change_pin_unsafe(self.as_ptr(), given_old_pin.data, given_old_pin.length, given_new_pin.data, given_new_pin.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Adds the biometry factor, or changes its key. (`mtoken_client_add_biometry`)
    pub fn add_biometry(&self, key: &[u8], authenticator: Option<&str>, auth: &Auth<'_>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let given_key = raw_bytes(Some(key));
        let given_authenticator = raw_text(authenticator);
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_add_biometry(self.as_ptr(), given_key.data, given_key.length, given_authenticator.data, given_authenticator.length, pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Removes the biometry factor of an authenticator from this device. (`mtoken_client_remove_biometry`)
    pub fn remove_biometry(&self, authenticator: Option<&str>) -> Result<Task<()>> {
        let given_authenticator = raw_text(authenticator);
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_remove_biometry(self.as_ptr(), given_authenticator.data, given_authenticator.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// The external encryption key (external key): 16 bytes from the host, under which the keys of the knowledge and biometry factors are encrypted a second time. (`mtoken_client_set_external_key`)
    pub fn set_external_key(&self, key: &[u8]) -> Result<()> {
        let given_key = raw_bytes(Some(key));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_set_external_key(self.as_ptr(), given_key.data, given_key.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// The external encryption key (external key): 16 bytes from the host, under which the keys of the knowledge and biometry factors are encrypted a second time. (`mtoken_client_add_external_key`)
    pub fn add_external_key(&self, key: &[u8]) -> Result<()> {
        let given_key = raw_bytes(Some(key));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_add_external_key(self.as_ptr(), given_key.data, given_key.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// The external encryption key (external key): 16 bytes from the host, under which the keys of the knowledge and biometry factors are encrypted a second time. (`mtoken_client_remove_external_key`)
    pub fn remove_external_key(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_remove_external_key(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Creates a client and loads its state from the store. (`mtoken_client_new`)
    pub fn new(runtime: &Runtime, options: &ClientOptions<'_>) -> Result<Self> {
        suitable()?;
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_client = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_new(runtime.as_ptr(), pointer(&raw_options), &mut out_client, &mut error) };
        check(status, error)?;
        Ok(unsafe { Client::made(out_client, runtime.shared()) })
    }
    /// Creates a second handle of the same client with options for individual calls. (`mtoken_client_with_options`)
    pub fn with_options(&self, options: &CallOptions<'_>) -> Result<Client> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_client = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_with_options(self.as_ptr(), pointer(&raw_options), &mut out_client, &mut error) };
        check(status, error)?;
        Ok(unsafe { Client::made(out_client, self.shared()) })
    }
    /// Sets Accept-Language (RFC 9110) for later calls of the client, e.g. "cs". (`mtoken_client_set_language`)
    pub fn set_language(&self, language: &str) -> Result<()> {
        let given_language = raw_text(Some(language));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_set_language(self.as_ptr(), given_language.data, given_language.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns a snapshot of a client. (`mtoken_client_get_info`)
    pub fn get_info(&self) -> Result<Owned<ClientInfo>> {
        let mut out_info = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_get_info(self.as_ptr(), &mut out_info, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_info as *mut ClientInfo) })
    }
    /// Fetches the server's time. (`mtoken_client_synchronize_time`)
    pub fn synchronize_time(&self) -> Result<Task<()>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_synchronize_time(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Discards the server's time. (`mtoken_client_reset_time`)
    pub fn reset_time(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_reset_time(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Fetches a 16-byte key for the host's own data. (`mtoken_vault_fetch_key`)
    pub fn vault_fetch_key(&self, index: u64, auth: &Auth<'_>) -> Result<Task<Vec<u8>>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_vault_fetch_key(self.as_ptr(), index, pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches a key of the given kind and size for the host's own data. (`mtoken_vault_fetch_key_of`)
    pub fn vault_fetch_key_of(&self, key: VaultKey, index: u64, size: usize, auth: &Auth<'_>) -> Result<Task<Vec<u8>>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_vault_fetch_key_of(self.as_ptr(), key.0, index, size, pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Signs data with the device's private key: ECDSA P-256 with SHA-256; with protocol 4.0 ECDSA P-384 with SHA-384. (`mtoken_vault_sign`)
    pub fn vault_sign(&self, bytes: &[u8], form: DeviceSignature, auth: &Auth<'_>) -> Result<Task<Vec<u8>>> {
        let mut hold = Hold::new();
        let given_bytes = raw_bytes(Some(bytes));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_vault_sign(self.as_ptr(), given_bytes.data, given_bytes.length, form.0, pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Signs data with the device's ML-DSA private key (FIPS 204, empty context), which an activation of a hybrid suite of protocol 4.0 has. (`mtoken_vault_sign_ml_dsa`)
    pub fn vault_sign_ml_dsa(&self, bytes: &[u8], auth: &Auth<'_>) -> Result<Task<Vec<u8>>> {
        let mut hold = Hold::new();
        let given_bytes = raw_bytes(Some(bytes));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_vault_sign_ml_dsa(self.as_ptr(), given_bytes.data, given_bytes.length, pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Signs a JSON Web Token (ES256) with the device's private key. (`mtoken_vault_sign_jwt`)
    pub fn vault_sign_jwt(&self, claims: &str, auth: &Auth<'_>) -> Result<Task<Vec<u8>>> {
        let mut hold = Hold::new();
        let given_claims = raw_text(Some(claims));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_vault_sign_jwt(self.as_ptr(), given_claims.data, given_claims.length, pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Returns the device's public key as SubjectPublicKeyInfo in DER: P-256, with protocol 4.0 P-384. (`mtoken_client_public_key`)
    pub fn public_key(&self) -> Result<Vec<u8>> {
        let mut out_bytes = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_public_key(self.as_ptr(), &mut out_bytes, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_bytes(out_bytes) })
    }
    /// Makes a request for a certificate (PKCS #10, RFC 2986) for the device's key and signs it with that key: ECDSA P-256 with SHA-256; with protocol 4.0 ECDSA P-384 with SHA-384. (`mtoken_client_sign_csr`)
    pub fn sign_csr(&self, options: Option<&CsrOptions<'_>>, auth: &Auth<'_>) -> Result<Task<Vec<u8>>> {
        let mut hold = Hold::new();
        let raw_options = options.map(|given| given.raw(&mut hold));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_client_sign_csr(self.as_ptr(), pointer(&raw_options), pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Decrypts the recovery code and PUK that came with the activation. (`mtoken_recovery_fetch`)
    pub fn recovery_fetch(&self, auth: &Auth<'_>) -> Result<Task<Owned<Recovery>>> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recovery_fetch(self.as_ptr(), pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Confirms that the user has received a recovery code on paper. (`mtoken_recovery_confirm`)
    pub fn recovery_confirm(&self, code: &str, auth: &Auth<'_>) -> Result<Task<i64>> {
        let mut hold = Hold::new();
        let given_code = raw_text(Some(code));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recovery_confirm(self.as_ptr(), given_code.data, given_code.length, pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Ensures that a token of this name is stored. (`mtoken_token_create`)
    pub fn token_create(&self, name: &str, auth: &Auth<'_>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let given_name = raw_text(Some(name));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_token_create(self.as_ptr(), given_name.data, given_name.length, pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Computes the X-PowerAuth-Token header of a stored token, with a fresh nonce and the server's time. (`mtoken_token_get_header`)
    pub fn token_get_header(&self, name: &str) -> Result<Owned<Header>> {
        let given_name = raw_text(Some(name));
        let mut out_header = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_token_get_header(self.as_ptr(), given_name.data, given_name.length, &mut out_header, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_header as *mut Header) })
    }
    /// Computes a header as mtoken_token_get_header does, but first obtains what is missing: creates the token if none of this name is stored, and fetches the server's time if it is not known. (`mtoken_token_fetch_header`)
    pub fn token_fetch_header(&self, options: &TokenOptions<'_>, auth: &Auth<'_>) -> Result<Task<Owned<Header>>> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_token_fetch_header(self.as_ptr(), pointer(&raw_options), pointer(&raw_auth), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Returns 1 if a token of this name is stored, otherwise 0, also for an invalid argument. (`mtoken_token_is_stored`)
    pub fn token_is_stored(&self, name: &str) -> bool {
        let given_name = raw_text(Some(name));
        (unsafe { sys::mtoken_token_is_stored(self.as_ptr(), given_name.data, given_name.length) }) != 0
    }
    /// Removes a token at the server and then on this device. (`mtoken_token_remove`)
    pub fn token_remove(&self, name: &str) -> Result<Task<()>> {
        let given_name = raw_text(Some(name));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_token_remove(self.as_ptr(), given_name.data, given_name.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Removes a token on this device only; with name NULL, all tokens. (`mtoken_token_forget`)
    pub fn token_forget(&self, name: Option<&str>) -> Result<()> {
        let given_name = raw_text(name);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_token_forget(self.as_ptr(), given_name.data, given_name.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Approves an offline operation: computes the code that the user types into the bank's page, e.g. "12345678-12345678". (`mtoken_qr_authorize`)
    pub fn qr_authorize(&self, operation: &QrOperation, auth: &Auth<'_>, options: Option<&QrAuthorizeOptions<'_>>) -> Result<String> {
        let mut hold = Hold::new();
        let raw_auth = Some(auth).map(|given| given.raw(&mut hold));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_code = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_qr_authorize(self.as_ptr(), &operation.0, pointer(&raw_auth), pointer(&raw_options), &mut out_code, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_text(out_code) })
    }
    /// Fetches the login configuration of a provider of the bank. (`mtoken_oidc_fetch_config`)
    pub fn oidc_fetch_config(&self, provider_id: &str) -> Result<Task<Owned<OidcConfig>>> {
        let given_provider_id = raw_text(Some(provider_id));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_fetch_config(self.as_ptr(), given_provider_id.data, given_provider_id.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Creates a configuration from the provider's published document (OpenID Connect Discovery), which supplies the authorization endpoint and says whether responses name the issuer. (`mtoken_oidc_discover`)
    pub fn oidc_discover(&self, options: &OidcOptions<'_>) -> Result<Task<Owned<OidcConfig>>> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_discover(self.as_ptr(), pointer(&raw_options), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Stores a login request as one opaque text, so that another process can finish the login: the program that the browser starts for the scheme of the redirect or callback URI. (`mtoken_oidc_request_store`)
    pub fn oidc_request_store(&self, request: &OidcRequest) -> Result<String> {
        let mut out_text = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_request_store(self.as_ptr(), request.as_ptr(), &mut out_text, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_text(out_text) })
    }
    /// Restores a stored login request, in a process that has opened the same client. mtoken_oidc_process makes all its checks; the lifetime goes on by the wall clock. (`mtoken_oidc_request_restore`)
    pub fn oidc_request_restore(&self, text: &str) -> Result<OidcRequest> {
        let given_text = raw_text(Some(text));
        let mut out_request = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_request_restore(self.as_ptr(), given_text.data, given_text.length, &mut out_request, &mut error) };
        check(status, error)?;
        Ok(unsafe { OidcRequest::made(out_request, self.shared()) })
    }
    /// Registers this device for push messages. (`mtoken_push_register`)
    pub fn push_register(&self, options: &PushOptions<'_>) -> Result<Task<()>> {
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_push_register(self.as_ptr(), pointer(&raw_options), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Returns 1 if the server has accepted a registration of this activation, also before a restart. (`mtoken_push_is_registered`)
    pub fn push_is_registered(&self) -> bool {
        (unsafe { sys::mtoken_push_is_registered(self.as_ptr()) }) != 0
    }
    /// Counts the unread messages. (`mtoken_inbox_count`)
    pub fn inbox_count(&self) -> Result<Task<i64>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_inbox_count(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches one page of messages without their bodies. (`mtoken_inbox_list_page`)
    pub fn inbox_list_page(&self, page: i32, page_size: i32, only_unread: bool) -> Result<Task<Owned<InboxList>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_inbox_list_page(self.as_ptr(), page, page_size, only_unread as i32, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches page after page until one is not full or brings nothing new, or a limit is reached. (`mtoken_inbox_list_all`)
    pub fn inbox_list_all(&self, page_size: i32, limit: i32, only_unread: bool) -> Result<Task<Owned<InboxList>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_inbox_list_all(self.as_ptr(), page_size, limit, only_unread as i32, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Fetches a message with its body. (`mtoken_inbox_detail`)
    pub fn inbox_detail(&self, id: &str) -> Result<Task<Owned<InboxMessage>>> {
        let given_id = raw_text(Some(id));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_inbox_detail(self.as_ptr(), given_id.data, given_id.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Marks a message as read. (`mtoken_inbox_mark_read`)
    pub fn inbox_mark_read(&self, id: &str) -> Result<Task<()>> {
        let given_id = raw_text(Some(id));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_inbox_mark_read(self.as_ptr(), given_id.data, given_id.length, &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Marks all messages as read. (`mtoken_inbox_mark_all_read`)
    pub fn inbox_mark_all_read(&self) -> Result<Task<()>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_inbox_mark_all_read(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Extracts the request from the payload of a push. (`mtoken_mobile_auth_from_push`)
    pub fn mobile_auth_from_push(&self, payload: &str) -> Result<Option<Owned<MobileAuthRequest>>> {
        let given_payload = raw_text(Some(payload));
        let mut out_request = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_from_push(self.as_ptr(), given_payload.data, given_payload.length, &mut out_request, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::maybe(out_request as *mut MobileAuthRequest) })
    }
    /// Fetches the requests that wait for the user, newest first. (`mtoken_mobile_auth_pending`)
    pub fn mobile_auth_pending(&self) -> Result<Task<Owned<MobileAuthList>>> {
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_pending(self.as_ptr(), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Handles a request: fetches it, asks the user with events of kind MTOKEN_EVENT_CHALLENGE, and sends the answer to the server. (`mtoken_mobile_auth_handle`)
    pub fn mobile_auth_handle(&self, transaction_id: &str, options: Option<&MobileAuthOptions<'_>>) -> Result<Task<Owned<MobileAuthOutcome>>> {
        let mut hold = Hold::new();
        let given_transaction_id = raw_text(Some(transaction_id));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_handle(self.as_ptr(), given_transaction_id.data, given_transaction_id.length, pointer(&raw_options), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Handles the request in the payload of a push. (`mtoken_mobile_auth_handle_push`)
    pub fn mobile_auth_handle_push(&self, payload: &str, options: Option<&MobileAuthOptions<'_>>) -> Result<Task<Owned<MobileAuthOutcome>>> {
        let mut hold = Hold::new();
        let given_payload = raw_text(Some(payload));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_handle_push(self.as_ptr(), given_payload.data, given_payload.length, pointer(&raw_options), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Handles the request that a one-time code names: a PAC code (pac.h) with an operation id and a password. (`mtoken_mobile_auth_handle_code`)
    pub fn mobile_auth_handle_code(&self, code: &str, source: ProximityType, options: Option<&MobileAuthOptions<'_>>) -> Result<Task<Owned<MobileAuthOutcome>>> {
        let mut hold = Hold::new();
        let given_code = raw_text(Some(code));
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_task = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_handle_code(self.as_ptr(), given_code.data, given_code.length, source.0, pointer(&raw_options), &mut out_task, &mut error) };
        check(status, error)?;
        Ok(unsafe { Task::made(out_task, self.shared()) })
    }
    /// Registers a custom authenticator (a smart card, another sensor), or replaces the one of that name. (`mtoken_mobile_auth_register_authenticator`)
    pub fn mobile_auth_register_authenticator(&self, name: &str, key: Option<&[u8]>) -> Result<()> {
        let given_name = raw_text(Some(name));
        let given_key = raw_bytes(key);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_register_authenticator(self.as_ptr(), given_name.data, given_name.length, given_key.data, given_key.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Removes the registration of an authenticator and wipes its key. (`mtoken_mobile_auth_unregister_authenticator`)
    pub fn mobile_auth_unregister_authenticator(&self, name: &str) -> Result<()> {
        let given_name = raw_text(Some(name));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_unregister_authenticator(self.as_ptr(), given_name.data, given_name.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Lists the authenticators of a client, registered or not. (`mtoken_mobile_auth_get_authenticators`)
    pub fn mobile_auth_get_authenticators(&self, options: Option<&MobileAuthOptions<'_>>) -> Result<Owned<AuthenticatorList>> {
        let mut hold = Hold::new();
        let raw_options = options.map(|given| given.raw(&mut hold));
        let mut out_list = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_auth_get_authenticators(self.as_ptr(), pointer(&raw_options), &mut out_list, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_list as *mut AuthenticatorList) })
    }
}

object! {
    /// Opaque handles.
    Store, mtoken_store, mtoken_store_free
}
impl Store {
    /// Opens a store in a directory, which is created with mode 0700 if missing. (`mtoken_store_directory_new`)
    pub fn directory(path: &str) -> Result<Self> {
        suitable()?;
        let given_path = raw_text(Some(path));
        let mut out_store = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_store_directory_new(given_path.data, given_path.length, &mut out_store, &mut error) };
        check(status, error)?;
        Ok(unsafe { Store::made(out_store, None) })
    }
    /// Opens a store in memory, for tests and load tests. (`mtoken_store_memory_new`)
    pub fn memory() -> Result<Self> {
        suitable()?;
        let mut out_store = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_store_memory_new(&mut out_store, &mut error) };
        check(status, error)?;
        Ok(unsafe { Store::made(out_store, None) })
    }
    /// Lists the clients that have stored something, whether or not they can be opened. (`mtoken_store_clients`)
    pub fn clients(&self) -> Result<Owned<StoreList>> {
        let mut out_list = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_store_clients(self.as_ptr(), &mut out_list, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_list as *mut StoreList) })
    }
    /// Removes all items of a client that cannot be opened (TAMPERED, or its device secret or configuration is lost) or is no longer wanted. (`mtoken_store_remove`)
    pub fn remove(&self, id: &str) -> Result<()> {
        let given_id = raw_text(Some(id));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_store_remove(self.as_ptr(), given_id.data, given_id.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Copies all items of a client to another store or another id without interpreting them: for analysis, for safekeeping before a removal, or to move to another kind of store. (`mtoken_store_copy`)
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
    /// Opaque handles.
    Sealer, mtoken_sealer, mtoken_sealer_free
}
impl Sealer {
    /// Seals bytes of the host's own, e.g. the key of the biometry factor (mtoken_auth.biometry_key), so that a touch of a security key stands for a fingerprint. (`mtoken_sealer_seal`)
    pub fn seal(&self, label: &str, bytes: &[u8]) -> Result<Vec<u8>> {
        let given_label = raw_text(Some(label));
        let given_bytes = raw_bytes(Some(bytes));
        let mut out_bytes = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_sealer_seal(self.as_ptr(), given_label.data, given_label.length, given_bytes.data, given_bytes.length, &mut out_bytes, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_bytes(out_bytes) })
    }
    /// Unseals what mtoken_sealer_seal sealed. (`mtoken_sealer_unseal`)
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
    /// Ends the turn of a task. (`mtoken_task_give_turn`)
    pub fn give_turn(&self) -> Result<()> {
        let status = unsafe { sys::mtoken_task_give_turn(self.as_ptr()) };
        check(status, std::ptr::null_mut())?;
        Ok(())
    }
    /// Returns the result of mtoken_operations_list or mtoken_operations_history, or NULL for other or unfinished tasks. (`mtoken_task_operations`)
    pub fn operations(&self) -> Option<&OperationList> {
        unsafe { (sys::mtoken_task_operations(self.as_ptr()) as *const OperationList).as_ref() }
    }
    /// Returns the result of mtoken_operations_detail or mtoken_operations_claim, or NULL for other or unfinished tasks. (`mtoken_task_operation`)
    pub fn operation(&self) -> Option<&Operation> {
        unsafe { (sys::mtoken_task_operation(self.as_ptr()) as *const Operation).as_ref() }
    }
    /// Returns the result of mtoken_client_encrypt, or NULL for other or unfinished tasks. (`mtoken_task_encrypted_request`)
    pub fn encrypted_request(&self) -> Option<&EncryptedRequest> {
        unsafe { (sys::mtoken_task_encrypted_request(self.as_ptr()) as *const EncryptedRequest).as_ref() }
    }
    /// Decrypts the response to the request of an mtoken_client_encrypt task. (`mtoken_task_decrypt`)
    pub fn decrypt(&self, answer: &[u8]) -> Result<Vec<u8>> {
        let given_answer = raw_bytes(Some(answer));
        let mut out_bytes = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_task_decrypt(self.as_ptr(), given_answer.data, given_answer.length, &mut out_bytes, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_bytes(out_bytes) })
    }
    /// Returns the claims that mtoken_client_fetch_user_info or mtoken_client_activate received. (`mtoken_task_user_info`)
    pub fn user_info(&self) -> Option<&UserInfo> {
        unsafe { (sys::mtoken_task_user_info(self.as_ptr()) as *const UserInfo).as_ref() }
    }
    /// Returns the result of mtoken_client_activate, or NULL for other or unfinished tasks. (`mtoken_task_activation`)
    pub fn activation(&self) -> Option<&Activation> {
        unsafe { (sys::mtoken_task_activation(self.as_ptr()) as *const Activation).as_ref() }
    }
    /// Returns the result of mtoken_client_fetch_status or mtoken_client_wait_active, or NULL for other or unfinished tasks. (`mtoken_task_activation_status`)
    pub fn activation_status(&self) -> Option<&ActivationStatus> {
        unsafe { (sys::mtoken_task_activation_status(self.as_ptr()) as *const ActivationStatus).as_ref() }
    }
    /// Returns the result of mtoken_client_fetch_detail, or NULL for other or unfinished tasks. (`mtoken_task_activation_detail`)
    pub fn activation_detail(&self) -> Option<&ActivationDetail> {
        unsafe { (sys::mtoken_task_activation_detail(self.as_ptr()) as *const ActivationDetail).as_ref() }
    }
    /// Returns the result of mtoken_client_fetch_config, or NULL for other or unfinished tasks. (`mtoken_task_config`)
    pub fn config(&self) -> Option<&Config> {
        unsafe { (sys::mtoken_task_config(self.as_ptr()) as *const Config).as_ref() }
    }
    /// Returns the bytes that a task produced, or NULL for other or unfinished tasks. (`mtoken_task_bytes`)
    pub fn bytes(&self) -> Option<&[u8]> {
        unsafe { sys::mtoken_task_bytes(self.as_ptr()).as_ref().map(|bytes| slice(bytes.data, bytes.length)) }
    }
    /// Returns the result of mtoken_recovery_fetch, or NULL for other or unfinished tasks. (`mtoken_task_recovery`)
    pub fn recovery(&self) -> Option<&Recovery> {
        unsafe { (sys::mtoken_task_recovery(self.as_ptr()) as *const Recovery).as_ref() }
    }
    /// Returns the result of mtoken_recovery_confirm: 1 if the code had already been confirmed, 0 if not, -1 for other or unfinished tasks. (`mtoken_task_already_confirmed`)
    pub fn already_confirmed(&self) -> Answer {
        Answer(unsafe { sys::mtoken_task_already_confirmed(self.as_ptr()) })
    }
    /// Returns the result of mtoken_token_fetch_header, or NULL for other or unfinished tasks. (`mtoken_task_header`)
    pub fn header(&self) -> Option<&Header> {
        unsafe { (sys::mtoken_task_header(self.as_ptr()) as *const Header).as_ref() }
    }
    /// Returns the result of mtoken_oidc_fetch_config or mtoken_oidc_discover, or NULL for other or unfinished tasks. (`mtoken_task_oidc_config`)
    pub fn oidc_config(&self) -> Option<&OidcConfig> {
        unsafe { (sys::mtoken_task_oidc_config(self.as_ptr()) as *const OidcConfig).as_ref() }
    }
    /// Returns the result of mtoken_oidc_listen, or NULL for other or unfinished tasks. (`mtoken_task_oidc_attributes`)
    pub fn oidc_attributes(&self) -> Option<&OidcAttributes> {
        unsafe { (sys::mtoken_task_oidc_attributes(self.as_ptr()) as *const OidcAttributes).as_ref() }
    }
    /// Returns the result of mtoken_inbox_count, or -1 for other or unfinished tasks. (`mtoken_task_inbox_count`)
    pub fn inbox_count(&self) -> i64 {
        unsafe { sys::mtoken_task_inbox_count(self.as_ptr()) }
    }
    /// Returns the result of mtoken_inbox_list_page or mtoken_inbox_list_all, or NULL for other or unfinished tasks. (`mtoken_task_inbox_list`)
    pub fn inbox_list(&self) -> Option<&InboxList> {
        unsafe { (sys::mtoken_task_inbox_list(self.as_ptr()) as *const InboxList).as_ref() }
    }
    /// Returns the result of mtoken_inbox_detail, or NULL for other or unfinished tasks. (`mtoken_task_inbox_message`)
    pub fn inbox_message(&self) -> Option<&InboxMessage> {
        unsafe { (sys::mtoken_task_inbox_message(self.as_ptr()) as *const InboxMessage).as_ref() }
    }
    /// Returns the result of mtoken_mobile_auth_pending, or NULL for other or unfinished tasks. (`mtoken_task_mobile_auth_list`)
    pub fn mobile_auth_list(&self) -> Option<&MobileAuthList> {
        unsafe { (sys::mtoken_task_mobile_auth_list(self.as_ptr()) as *const MobileAuthList).as_ref() }
    }
    /// Returns how the handling ended, whether it succeeded or not, or NULL for other or unfinished tasks. (`mtoken_task_mobile_auth`)
    pub fn mobile_auth(&self) -> Option<&MobileAuthOutcome> {
        unsafe { (sys::mtoken_task_mobile_auth(self.as_ptr()) as *const MobileAuthOutcome).as_ref() }
    }
}

object! {
    /// Opaque handles.
    Challenge, mtoken_challenge, mtoken_challenge_free
}
impl Challenge {
    /// Returns what the user is asked, or NULL for an invalid handle. (`mtoken_challenge_get_info`)
    pub fn get_info(&self) -> Option<&ChallengeInfo> {
        unsafe { (sys::mtoken_challenge_get_info(self.as_ptr()) as *const ChallengeInfo).as_ref() }
    }
    /// Approves the request with this device alone. (`mtoken_challenge_confirm`)
    pub fn confirm(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_confirm(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Rejects the request at the server. (`mtoken_challenge_deny`)
    pub fn deny(&self, reason: Option<&str>) -> Result<()> {
        let given_reason = raw_text(reason);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_deny(self.as_ptr(), given_reason.data, given_reason.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Approves the request with the PIN. (`mtoken_challenge_pin`)
    pub fn pin(&self, pin: &[u8]) -> Result<()> {
        let given_pin = raw_bytes(Some(pin));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_pin(self.as_ptr(), given_pin.data, given_pin.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Approves the request with the key that the biometric sensor releases: 16 bytes, or 32 in protocol 4.0. (`mtoken_challenge_biometric`)
    pub fn biometric(&self, key: &[u8]) -> Result<()> {
        let given_key = raw_bytes(Some(key));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_biometric(self.as_ptr(), given_key.data, given_key.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Approves the request with a custom authenticator. (`mtoken_challenge_custom`)
    pub fn custom(&self, key: Option<&[u8]>, info: Option<&str>) -> Result<()> {
        let given_key = raw_bytes(key);
        let given_info = raw_text(info);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_custom(self.as_ptr(), given_key.data, given_key.length, given_info.data, given_info.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Answers with the proximity check password that the other screen shows. (`mtoken_challenge_proximity`)
    pub fn proximity(&self, otp: &str, source: ProximityType, received: i64) -> Result<()> {
        let given_otp = raw_text(Some(otp));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_proximity(self.as_ptr(), given_otp.data, given_otp.length, source.0, received, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Asks for the PIN instead: a PIN challenge follows. (`mtoken_challenge_use_pin`)
    pub fn use_pin(&self, custom_info: Option<&str>) -> Result<()> {
        let given_custom_info = raw_text(custom_info);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_challenge_use_pin(self.as_ptr(), given_custom_info.data, given_custom_info.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Ends the handling with "action_cancelled". (`mtoken_challenge_cancel`)
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
    /// Creates a watcher. (`mtoken_watcher_new`)
    pub fn new(client: &Client) -> Result<Self> {
        suitable()?;
        let mut out_watcher = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_watcher_new(client.as_ptr(), &mut out_watcher, &mut error) };
        check(status, error)?;
        Ok(unsafe { Watcher::made(out_watcher, client.shared()) })
    }
    /// Adds items. (`mtoken_watcher_add`)
    pub fn add(&self, items: &[Watch<'_>]) -> Result<()> {
        let mut hold = Hold::new();
        let (array, count) = hold.array(items);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_watcher_add(self.as_ptr(), array, count, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Removes the items with the same id, data and expiry; others are ignored. (`mtoken_watcher_remove`)
    pub fn remove(&self, items: &[Watch<'_>]) -> Result<()> {
        let mut hold = Hold::new();
        let (array, count) = hold.array(items);
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_watcher_remove(self.as_ptr(), array, count, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Removes all items. (`mtoken_watcher_remove_all`)
    pub fn remove_all(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_watcher_remove_all(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns the items that are watched now. (`mtoken_watcher_list`)
    pub fn list(&self) -> Result<Owned<WatchedList>> {
        let mut out_list = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_watcher_list(self.as_ptr(), &mut out_list, &mut error) };
        check(status, error)?;
        Ok(unsafe { Owned::made(out_list as *mut WatchedList) })
    }
    /// Replaces the watcher's clock. (`mtoken_watcher_set_clock`)
    pub fn set_clock(&self, own_clock: bool, offset_ms: i64) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_watcher_set_clock(self.as_ptr(), own_clock as i32, offset_ms, &mut error) };
        check(status, error)?;
        Ok(())
    }
}

object! {
    /// A login in progress.
    OidcRequest, mtoken_oidc_request, mtoken_oidc_request_free
}
impl OidcRequest {
    /// Creates a login request: nonce and state (32 random bytes each), a PKCE code verifier unless PKCE is omitted, and the URL to open. (`mtoken_oidc_prepare`)
    pub fn new(options: &OidcOptions<'_>) -> Result<Self> {
        suitable()?;
        let mut hold = Hold::new();
        let raw_options = Some(options).map(|given| given.raw(&mut hold));
        let mut out_request = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_oidc_prepare(pointer(&raw_options), &mut out_request, &mut error) };
        check(status, error)?;
        Ok(unsafe { OidcRequest::made(out_request, None) })
    }
    /// Returns the content of a request, or NULL for an invalid handle. (`mtoken_oidc_request_get_authorization`)
    pub fn get_authorization(&self) -> Option<&OidcAuthorization> {
        unsafe { (sys::mtoken_oidc_request_get_authorization(self.as_ptr()) as *const OidcAuthorization).as_ref() }
    }
    /// Checks the URL to which the provider redirected the browser and extracts the authorization code. (`mtoken_oidc_process`)
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
    /// Creates a builder. (`mtoken_mobile_token_data_new`)
    pub fn new(initial: Option<&str>) -> Result<Self> {
        suitable()?;
        let given_initial = raw_text(initial);
        let mut out_builder = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_token_data_new(given_initial.data, given_initial.length, &mut out_builder, &mut error) };
        check(status, error)?;
        Ok(unsafe { MobileTokenData::made(out_builder, None) })
    }
    /// Sets a member to one JSON value, or replaces its value. (`mtoken_mobile_token_data_put`)
    pub fn put(&self, key: &str, json: &str) -> Result<()> {
        let given_key = raw_text(Some(key));
        let given_json = raw_text(Some(json));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_token_data_put(self.as_ptr(), given_key.data, given_key.length, given_json.data, given_json.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Sets a member to a text, or replaces its value. (`mtoken_mobile_token_data_put_text`)
    pub fn put_text(&self, key: &str, text: &str) -> Result<()> {
        let given_key = raw_text(Some(key));
        let given_text = raw_text(Some(text));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_token_data_put_text(self.as_ptr(), given_key.data, given_key.length, given_text.data, given_text.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Sets "preApprovalScreens" to the visits that the recorder holds when the object is built. (`mtoken_mobile_token_data_put_recorder`)
    pub fn put_recorder(&self, recorder: &Recorder) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_token_data_put_recorder(self.as_ptr(), recorder.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Removes a member. (`mtoken_mobile_token_data_remove`)
    pub fn remove(&self, key: &str) -> bool {
        let given_key = raw_text(Some(key));
        (unsafe { sys::mtoken_mobile_token_data_remove(self.as_ptr(), given_key.data, given_key.length) }) != 0
    }
    /// Removes all members. (`mtoken_mobile_token_data_clear`)
    pub fn clear(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_mobile_token_data_clear(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns the object as it is now, for the mobile_token_data options of operations.h, registry.h and mobile_auth.h. (`mtoken_mobile_token_data_build`)
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
    /// Creates a recorder. (`mtoken_recorder_new`)
    pub fn new(client: &Client) -> Result<Self> {
        suitable()?;
        let mut out_recorder = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recorder_new(client.as_ptr(), &mut out_recorder, &mut error) };
        check(status, error)?;
        Ok(unsafe { Recorder::made(out_recorder, client.shared()) })
    }
    /// Records that the user sees a screen. (`mtoken_recorder_begin`)
    pub fn begin(&self, screen: &str) -> Result<()> {
        let given_screen = raw_text(Some(screen));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recorder_begin(self.as_ptr(), given_screen.data, given_screen.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Records that the user leaves a screen: the open one, or otherwise the last one of this id that was left behind. (`mtoken_recorder_end`)
    pub fn end(&self, screen: &str, action: &str) -> Result<()> {
        let given_screen = raw_text(Some(screen));
        let given_action = raw_text(Some(action));
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recorder_end(self.as_ptr(), given_screen.data, given_screen.length, given_action.data, given_action.length, &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Discards all visits. (`mtoken_recorder_reset`)
    pub fn reset(&self) -> Result<()> {
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recorder_reset(self.as_ptr(), &mut error) };
        check(status, error)?;
        Ok(())
    }
    /// Returns the visits as a JSON list of {"screen", "timestampOpened", "timestampClosed", "action"}, with times such as "2026-01-31T12:00:00.000Z". (`mtoken_recorder_build`)
    pub fn build(&self) -> Result<String> {
        let mut out_json = std::ptr::null_mut();
        let mut error = std::ptr::null_mut();
        let status = unsafe { sys::mtoken_recorder_build(self.as_ptr(), &mut out_json, &mut error) };
        check(status, error)?;
        Ok(unsafe { take_text(out_json) })
    }
}

/// The version of the loaded library, as "MAJOR.MINOR.PATCH". (`mtoken_version`)
pub fn version() -> &'static str {
    unsafe { text(sys::mtoken_version()) }
}
/// The version of the loaded library, in the form of MTOKEN_VERSION_NUMBER. (`mtoken_version_number`)
pub fn version_number() -> u32 {
    unsafe { sys::mtoken_version_number() }
}
/// The ABI version of the loaded library. (`mtoken_abi_version`)
pub fn abi_version() -> i32 {
    unsafe { sys::mtoken_abi_version() }
}
/// Looks up a constant of this interface by its name without the MTOKEN_ prefix, e.g. "ERROR_TIMEOUT", for languages that cannot read C headers. (`mtoken_constant_value`)
pub fn constant_value(name: &str) -> Result<i64> {
    suitable()?;
    let given_name = raw_text(Some(name));
    let mut out_value = Default::default();
    let status = unsafe { sys::mtoken_constant_value(given_name.data, given_name.length, &mut out_value) };
    check(status, std::ptr::null_mut())?;
    Ok(out_value)
}
/// Returns the text of an MTOKEN_SERVER_CODE_..., e.g. "POWERAUTH_AUTH_FAIL", or NULL for 0 and unknown numbers. (`mtoken_server_code_name`)
pub fn server_code_name(code: ServerCode) -> Option<&'static str> {
    unsafe { optional(sys::mtoken_server_code_name(code.0)) }
}
/// Returns the name of a code, e.g. "MTOKEN_ERROR_TIMEOUT" ("MTOKEN_OK" for 0), or NULL for an unknown code. (`mtoken_error_name`)
pub fn error_name(code: ErrorCode) -> Option<&'static str> {
    unsafe { optional(sys::mtoken_error_name(code.0)) }
}
/// Returns one sentence that describes a code, or NULL for an unknown code. (`mtoken_error_description`)
pub fn error_description(code: ErrorCode) -> Option<&'static str> {
    unsafe { optional(sys::mtoken_error_description(code.0)) }
}
/// Parses operation data. (`mtoken_operation_fields_parse`)
pub fn operation_fields_parse(text: &str) -> Result<Owned<OperationFields>> {
    suitable()?;
    let given_text = raw_text(Some(text));
    let mut out_fields = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_operation_fields_parse(given_text.data, given_text.length, &mut out_fields, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::made(out_fields as *mut OperationFields) })
}
/// Returns what a signature of operation data covers, as text to show. (`mtoken_operation_fields_summary`)
pub fn operation_fields_summary(text: &str) -> Result<String> {
    suitable()?;
    let given_text = raw_text(Some(text));
    let mut out_summary = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_operation_fields_summary(given_text.data, given_text.length, &mut out_summary, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_summary) })
}
/// Builds operation data as a server does, for servers and tests. (`mtoken_operation_fields_build`)
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
/// Converts a URL query to its canonical form ("b=2&a=1" becomes "a=1&b=2"), which is signed for a GET request. (`mtoken_canonical_query`)
pub fn canonical_query(query: &str) -> Result<String> {
    suitable()?;
    let given_query = raw_text(Some(query));
    let mut out_canonical = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_canonical_query(given_query.data, given_query.length, &mut out_canonical, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_canonical) })
}
/// Opens a sealer that comes with the library. (`mtoken_sealer_open`)
pub fn sealer_open(name: &str, options: Option<&SealerOptions<'_>>) -> Result<Sealer> {
    suitable()?;
    let mut hold = Hold::new();
    let given_name = raw_text(Some(name));
    let raw_options = options.map(|given| given.raw(&mut hold));
    let mut out_sealer = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_sealer_open(given_name.data, given_name.length, pointer(&raw_options), &mut out_sealer, &mut error) };
    check(status, error)?;
    Ok(unsafe { Sealer::made(out_sealer, None) })
}
/// Parses "CODE" or "CODE#SIGNATURE" (QR code, deeplink). (`mtoken_activation_code_parse`)
pub fn activation_code_parse(text: &str) -> Result<Owned<ActivationCode>> {
    suitable()?;
    let given_text = raw_text(Some(text));
    let mut out_code = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_activation_code_parse(given_text.data, given_text.length, &mut out_code, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::made(out_code as *mut ActivationCode) })
}
/// Corrects a typing error in a code. (`mtoken_activation_code_correct`)
pub fn activation_code_correct(character: u32) -> u32 {
    unsafe { sys::mtoken_activation_code_correct(character) }
}
/// Returns 1 if a text is a recovery code ("XXXXX-XXXXX-XXXXX-XXXXX", optionally with the prefix "R:" of the QR form) or a PUK (ten digits), otherwise 0. (`mtoken_recovery_code_is_valid`)
pub fn recovery_code_is_valid(text: &str) -> bool {
    let given_text = raw_text(Some(text));
    (unsafe { sys::mtoken_recovery_code_is_valid(given_text.data, given_text.length) }) != 0
}
/// Returns 1 if a text is a recovery code ("XXXXX-XXXXX-XXXXX-XXXXX", optionally with the prefix "R:" of the QR form) or a PUK (ten digits), otherwise 0. (`mtoken_recovery_puk_is_valid`)
pub fn recovery_puk_is_valid(text: &str) -> bool {
    let given_text = raw_text(Some(text));
    (unsafe { sys::mtoken_recovery_puk_is_valid(given_text.data, given_text.length) }) != 0
}
/// Tells what makes a PIN easy to guess, for the form in which the user chooses it. (`mtoken_pin_inspect`)
pub fn pin_inspect(pin: &[u8]) -> PinWeakness {
    let given_pin = raw_bytes(Some(pin));
    PinWeakness(unsafe { sys::mtoken_pin_inspect(given_pin.data, given_pin.length) })
}
/// Parses the payload of an offline QR code, and verifies it if `options` specify a client or a configuration. (`mtoken_qr_operation_parse`)
pub fn qr_operation_parse(payload: &str, options: Option<&QrOptions<'_>>) -> Result<Owned<QrOperation>> {
    suitable()?;
    let mut hold = Hold::new();
    let given_payload = raw_text(Some(payload));
    let raw_options = options.map(|given| given.raw(&mut hold));
    let mut out_operation = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_qr_operation_parse(given_payload.data, given_payload.length, pointer(&raw_options), &mut out_operation, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::made(out_operation as *mut QrOperation) })
}
/// Groups the digits of an offline code for display: "12345678-12345678" becomes "1234 5678 1234 5678". (`mtoken_qr_code_group`)
pub fn qr_code_group(code: &str) -> Result<String> {
    suitable()?;
    let given_code = raw_text(Some(code));
    let mut out_grouped = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_qr_code_group(given_code.data, given_code.length, &mut out_grouped, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_grouped) })
}
/// Builds and signs the payload of an offline QR code as a server does, for servers and tests. (`mtoken_qr_operation_build`)
pub fn qr_operation_build(options: &QrBuildOptions<'_>) -> Result<String> {
    suitable()?;
    let mut hold = Hold::new();
    let raw_options = Some(options).map(|given| given.raw(&mut hold));
    let mut out_payload = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_qr_operation_build(pointer(&raw_options), &mut out_payload, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_payload) })
}
/// Parses a code. (`mtoken_pac_parse`)
pub fn pac_parse(code: &str, source: ProximityType, options: Option<&PacOptions<'_>>) -> Result<Owned<Pac>> {
    suitable()?;
    let mut hold = Hold::new();
    let given_code = raw_text(Some(code));
    let raw_options = options.map(|given| given.raw(&mut hold));
    let mut out_pac = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_pac_parse(given_code.data, given_code.length, source.0, pointer(&raw_options), &mut out_pac, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::made(out_pac as *mut Pac) })
}
/// Returns 1 if a code selects an operation, that is if their ids are equal. (`mtoken_pac_matches`)
pub fn pac_matches(pac: &Pac, operation: &Operation) -> bool {
    (unsafe { sys::mtoken_pac_matches(&pac.0, &operation.0) }) != 0
}
/// Returns the operation of a list that a code selects, or NULL if there is none. (`mtoken_pac_find`)
pub fn pac_find<'a>(pac: &Pac, list: &'a OperationList) -> Option<&'a Operation> {
    unsafe { (sys::mtoken_pac_find(&pac.0, &list.0) as *const Operation).as_ref() }
}
/// Builds a code in the form that every reader accepts: percent-encoded, key "potp", Base64URL without padding, no signature. (`mtoken_pac_build`)
pub fn pac_build(options: &PacBuildOptions<'_>) -> Result<String> {
    suitable()?;
    let mut hold = Hold::new();
    let raw_options = Some(options).map(|given| given.raw(&mut hold));
    let mut out_code = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_pac_build(pointer(&raw_options), &mut out_code, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_code) })
}
/// Computes the one-time password of a proximity check as the server does (RFC 6238), for servers and tests. (`mtoken_totp`)
pub fn totp(seed: &[u8], time: i64, step_s: i32, digits: i32, hash: TotpAlgorithm) -> Result<String> {
    suitable()?;
    let given_seed = raw_bytes(Some(seed));
    let mut out_totp = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_totp(given_seed.data, given_seed.length, time, step_s, digits, hash.0, &mut out_totp, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_totp) })
}
/// Parses the payload of a push message: JSON in the format of APNs, the data map of FCM or HMS, or a complete FCM or HMS message ("data" and "notification"). (`mtoken_push_parse`)
pub fn push_parse(payload: &str) -> Result<Option<Owned<PushMessage>>> {
    suitable()?;
    let given_payload = raw_text(Some(payload));
    let mut out_message = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_push_parse(given_payload.data, given_payload.length, &mut out_message, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::maybe(out_message as *mut PushMessage) })
}
/// Returns the reason text of an MTOKEN_MOBILE_AUTH_..., e.g. "not_found", "ok" for 0, or NULL for unknown numbers. (`mtoken_mobile_auth_error_name`)
pub fn mobile_auth_error_name(error: MobileAuthErrorCode) -> Option<&'static str> {
    unsafe { optional(sys::mtoken_mobile_auth_error_name(error.0)) }
}
/// Lays out an operation: resolves ${attribute id} in the texts for lists, and arranges the attributes in sections. (`mtoken_visual_new`)
pub fn visual_new(operation: &Operation) -> Result<Owned<Visual>> {
    suitable()?;
    let mut out_visual = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_visual_new(&operation.0, &mut out_visual, &mut error) };
    check(status, error)?;
    Ok(unsafe { Owned::made(out_visual as *mut Visual) })
}
/// Finds a value within JSON, e.g. a member that a bank added to the json of an mtoken_operation or mtoken_attribute, or to the payload of a screen. (`mtoken_json_find`)
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
/// Generates random bytes that are fit for keys, with OpenSSL's private generator. (`mtoken_random_bytes`)
pub fn random_bytes(length: usize) -> Result<Vec<u8>> {
    suitable()?;
    let mut out_bytes = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_random_bytes(length, &mut out_bytes, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_bytes(out_bytes) })
}
/// Computes SHA-256, 32 bytes. (`mtoken_sha256`)
pub fn sha256(bytes: &[u8]) -> Result<Vec<u8>> {
    suitable()?;
    let given_bytes = raw_bytes(Some(bytes));
    let mut out_hash = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_sha256(given_bytes.data, given_bytes.length, &mut out_hash, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_bytes(out_hash) })
}
/// Computes HMAC-SHA-256, 32 bytes. (`mtoken_hmac_sha256`)
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
/// Generates a key pair: a private key of 32 bytes and a public key of 65 bytes. (`mtoken_key_pair_new`)
pub fn key_pair_new() -> Result<(Vec<u8>, Vec<u8>)> {
    suitable()?;
    let mut out_private_key = std::ptr::null_mut();
    let mut out_public_key = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_key_pair_new(&mut out_private_key, &mut out_public_key, &mut error) };
    check(status, error)?;
    Ok((unsafe { take_bytes(out_private_key) }, unsafe { take_bytes(out_public_key) }))
}
/// Signs with ECDSA and SHA-256. (`mtoken_ecdsa_sign`)
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
/// Verifies a signature. (`mtoken_ecdsa_verify`)
pub fn ecdsa_verify(options: &EcdsaVerifyOptions<'_>) -> Result<bool> {
    suitable()?;
    let mut hold = Hold::new();
    let raw_options = Some(options).map(|given| given.raw(&mut hold));
    let mut out_is_valid = Default::default();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_ecdsa_verify(pointer(&raw_options), &mut out_is_valid, &mut error) };
    check(status, error)?;
    Ok(out_is_valid != 0)
}
/// Computes the shared secret of two key pairs with ECDH: the X coordinate, 32 bytes. (`mtoken_ecdh`)
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
/// Generates a PKCE code verifier and its S256 challenge (RFC 7636), as mtoken_oidc_prepare does. (`mtoken_oidc_pkce`)
pub fn oidc_pkce(byte_count: usize) -> Result<(String, String)> {
    suitable()?;
    let mut out_verifier = std::ptr::null_mut();
    let mut out_challenge = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_oidc_pkce(byte_count, &mut out_verifier, &mut out_challenge, &mut error) };
    check(status, error)?;
    Ok((unsafe { take_text(out_verifier) }, unsafe { take_text(out_challenge) }))
}
/// Computes the S256 challenge of a code verifier (43 to 128 unreserved characters). (`mtoken_oidc_challenge`)
pub fn oidc_challenge(verifier: &str) -> Result<String> {
    suitable()?;
    let given_verifier = raw_text(Some(verifier));
    let mut out_challenge = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_oidc_challenge(given_verifier.data, given_verifier.length, &mut out_challenge, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_challenge) })
}
/// Generates byte_count random bytes (1 to 1024) and returns them as base64url without padding. (`mtoken_oidc_random`)
pub fn oidc_random(byte_count: usize) -> Result<String> {
    suitable()?;
    let mut out_text = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_oidc_random(byte_count, &mut out_text, &mut error) };
    check(status, error)?;
    Ok(unsafe { take_text(out_text) })
}
/// Builds the URL of an authorization request. (`mtoken_oidc_authorization_url`)
pub fn oidc_authorization_url(options: &OidcUrlOptions<'_>) -> Result<String> {
    suitable()?;
    let mut hold = Hold::new();
    let raw_options = Some(options).map(|given| given.raw(&mut hold));
    let mut out_url = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    let status = unsafe { sys::mtoken_oidc_authorization_url(pointer(&raw_options), &mut out_url, &mut error) };
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
