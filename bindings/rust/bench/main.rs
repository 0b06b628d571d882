//! What the work of Tests/bench/bindings/README.md costs in Rust.

mod base64;

use base64::base64;
use mtoken::*;

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

/// The processor time of the process, in nanoseconds.
fn clock() -> i64 {
    let mut now = Timespec { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(2, &mut now) };
    now.seconds * 1_000_000_000 + now.nanoseconds
}

/// The compiler takes it for used. (`std::hint::black_box` needs Rust 1.66.)
fn black_box<T>(value: T) -> T {
    let used = unsafe { std::ptr::read_volatile(&value) };
    std::mem::forget(value);
    used
}

fn figure(name: &str, ns: f64) {
    println!("{{\"name\": \"{name}\", \"ns\": {ns:.1}}}");
}

fn measure(name: &str, mut operation: impl FnMut()) {
    let (mut count, mut best, mut batches) = (1, f64::MAX, 0);
    while batches < 30 {
        let start = clock();
        (0..count).for_each(|_| operation());
        let taken = clock() - start;
        if batches == 0 && taken < 10_000_000 {
            count *= 2;
            continue;
        }
        batches += 1;
        best = best.min(taken as f64 / count as f64);
    }
    figure(name, best);
}

fn given(name: &str) -> String {
    std::env::var(format!("MTOKEN_BENCH_{name}")).unwrap_or_default()
}

/// All members as the language has them: texts as owned texts.
fn read_all(operation: &QrOperation) {
    macro_rules! texts { ($of:expr; $($name:ident)*) => { $(black_box($of.$name().to_owned());)* } }
    macro_rules! optional { ($of:expr; $($name:ident)*) => { $(black_box($of.$name().map(str::to_owned));)* } }
    macro_rules! values { ($of:expr; $($name:ident)*) => { $(black_box($of.$name());)* } }
    texts!(operation; payload id title message raw_title raw_message flags nonce nonce_bytes signature signature_bytes unknown_flags);
    optional!(operation; totp);
    values!(operation; verification server_key signed_length allows_biometry flip_buttons warns_of_fraud);
    values!(operation; block_approval_on_call is_newer_format extras);
    let signed = operation.signed_fields();
    texts!(signed; text);
    values!(signed; version is_version_known template_id);
    for field in signed.fields() {
        texts!(field; raw);
        optional!(field; text amount value currency iban bic);
        values!(field; kind letter offset is_iban_valid year month day);
    }
}

fn lists(client: &Client) -> Result<()> {
    let count: usize = given("LISTS").parse().unwrap_or(1000);
    let apart = client.with_options(&CallOptions { timeout_ms: 30_000, ..Default::default() })?;
    let mut best = f64::MAX;
    for _ in 0..3 {
        let start = clock();
        let tasks = (0..count).map(|_| apart.operations_list()).collect::<Result<Vec<_>>>()?;
        for task in &tasks {
            assert_eq!(task.wait()?.operations().len(), 0);
        }
        drop(tasks);
        best = best.min((clock() - start) as f64 / count as f64);
    }
    figure("lists", best);
    Ok(())
}

fn main() -> Result<()> {
    let (runtime, store) = (Runtime::new(None)?, Store::memory()?);
    let (url, ca, configuration, code) = (given("URL"), given("CA"), given("CONFIGURATION"), given("CODE"));
    let options = ClientOptions {
        id: Some("bench"),
        store: Some(&store),
        base_url: Some(&url),
        ca_file: Some(&ca),
        configuration: Some(&configuration),
        ..Default::default()
    };
    let client = Client::new(&runtime, &options)?;
    client.activate(&ActivationOptions { code: Some(&code), ..Default::default() })?.wait()?;
    client.persist(&Auth { pin: Some(b"1234"), ..Default::default() })?;
    client.fetch_status()?.wait()?;
    lists(&client)?;
    let payload = given("PAYLOAD");
    measure("call", || {
        black_box(abi_version());
    });
    measure("qr_text", || {
        black_box(qr_operation_parse(&payload, None).unwrap().title().to_owned());
    });
    measure("qr_struct", || read_all(&qr_operation_parse(&payload, None).unwrap()));
    let (signed, signature) = (given("SIGNED"), base64(&given("SIGNATURE")));
    let options = VerifyOptions {
        server_key: Key::MASTER,
        signed_bytes: Some(signed.as_bytes()),
        signature: Some(&signature),
        ..Default::default()
    };
    measure("verify", || assert!(client.verify(&options).unwrap()));
    let body = [b'a'; 300];
    let options = SignOptions { method: Some("POST"), uri_id: Some("/test/signed"), body: Some(&body) };
    let auth = Auth { factors: Factor::POSSESSION, ..Default::default() };
    measure("sign", || {
        black_box(client.sign(&options, &auth).unwrap().value().to_owned());
        client.signature_accepted().unwrap();
    });
    Ok(())
}
