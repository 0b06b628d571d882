// SPDX-License-Identifier: Apache-2.0
use crate::{Auth, Client, ClientOptions, Result, Runtime, Store};

impl Client {
    /// A client with a runtime of its own (`Client::runtime`) and its state in a folder, which is created if missing. The runtime ends
    /// with what was made with it.
    ///
    /// # Errors
    /// Those of `Store::directory`, `Runtime::new` and `Client::new`: `ARGUMENT`, `CONFIGURATION`, `STORAGE`, `BUSY` (another process
    /// has the folder's client open) and the like.
    pub fn open(folder: &str, options: &ClientOptions<'_>) -> Result<Self> {
        let store = Store::directory(folder)?;
        Client::new(&Runtime::new(None)?, &ClientOptions { store: Some(&store), ..*options })
    }

    /// The runtime that the client was made with: for its events, and for who drives it.
    ///
    /// # Panics
    /// Never: every client is made with a runtime.
    #[must_use]
    pub fn runtime(&self) -> Runtime {
        Runtime(self.shared().expect("every client is made with a runtime"))
    }
}

impl<'a> ClientOptions<'a> {
    /// The options that every client needs.
    #[must_use]
    pub fn new(id: &'a str, base_url: &'a str, configuration: &'a str) -> Self {
        Self {
            id: Some(id),
            base_url: Some(base_url),
            configuration: Some(configuration),
            ..Default::default()
        }
    }
}

impl<'a> Auth<'a> {
    /// Possession and knowledge: a PIN or password.
    #[must_use]
    pub fn pin(pin: &'a [u8]) -> Self {
        Self { pin: Some(pin), ..Default::default() }
    }
}
