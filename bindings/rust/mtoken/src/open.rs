use crate::{Auth, Client, ClientOptions, Result, Runtime, Store};

impl Client {
    /// A client with a runtime of its own and its state in a folder, which is created if missing.
    pub fn open(folder: &str, options: &ClientOptions<'_>) -> Result<Self> {
        let store = Store::directory(folder)?;
        Client::new(&Runtime::new(None)?, &ClientOptions { store: Some(&store), ..*options })
    }
}

impl<'a> ClientOptions<'a> {
    /// What every client needs.
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
    pub fn pin(pin: &'a [u8]) -> Self {
        Self { pin: Some(pin), ..Default::default() }
    }
}
