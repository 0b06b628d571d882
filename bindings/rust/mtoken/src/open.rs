use crate::{Auth, Client, ClientOptions, Result, Runtime, Store, Tls};

impl Client {
    /// A client with a runtime of its own and its state in a folder, which is created if missing. A `ca_file` is the only
    /// authority that it trusts.
    pub fn open(folder: &str, options: &ClientOptions<'_>) -> Result<Self> {
        let store = Store::directory(folder)?;
        let tls_trust = if options.ca_file.is_some() { Tls::CA } else { options.tls_trust };
        Client::new(&Runtime::new(None)?, &ClientOptions { store: Some(&store), tls_trust, ..*options })
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
