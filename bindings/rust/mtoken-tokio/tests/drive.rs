//! A thousand calls that share no request are awaited at once, without a thread each.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use mtoken::{
    key_pair_new, CallOptions, Client, ClientOptions, EventKind, Events, Runtime, RuntimeOptions, Store,
};

/// A server that tells the time: once at once, and then not before somebody has connected and sent "go".
fn clock() -> String {
    let told = Arc::new(AtomicBool::new(false));
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let (told, gate) = (told.clone(), gate.clone());
            std::thread::spawn(move || {
                let mut buffer = [0u8; 4096];
                while matches!(stream.read(&mut buffer), Ok(count) if count > 0) {
                    if buffer.starts_with(b"go") {
                        *gate.0.lock().unwrap() = true;
                        gate.1.notify_all();
                        return;
                    }
                    if told.swap(true, Ordering::SeqCst) {
                        drop(gate.1.wait_while(gate.0.lock().unwrap(), |open| !*open).unwrap());
                    }
                    let body = "{\"status\":\"OK\",\"responseObject\":{\"serverTime\":1700000000000}}";
                    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length";
                    let _ = stream.write_all(format!("{head}: {}\r\n\r\n{body}", body.len()).as_bytes());
                }
            });
        }
    });
    url
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// In a process of its own: the server has threads, too.
#[test]
fn awaits() {
    if let Ok(url) = std::env::var("MTOKEN_TEST_URL") {
        let tokio = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        return tokio.block_on(awaited(&url));
    }
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args(["--exact", "awaits"]).env("MTOKEN_TEST_URL", clock());
    assert!(program.status().unwrap().success());
}

async fn awaited(url: &str) {
    const CALLS: usize = 1000;
    let runtime =
        Runtime::new(Some(&RuntimeOptions { events: Events::TASKS, ..Default::default() })).unwrap();
    let driver = mtoken_tokio::drive(&runtime).unwrap();
    let client = client(&runtime, url);
    let own = client.with_options(&CallOptions { timeout_ms: 60_000, ..Default::default() }).unwrap();
    let task = own.synchronize_time().unwrap();
    let event = runtime.next().await.unwrap();
    assert!(event.kind() == EventKind::TASK && event.is_of(&task));
    let before = threads();
    let calls: Vec<_> = (0..CALLS).map(|_| tokio::spawn(own.synchronize_time().unwrap())).collect();
    assert_eq!(runtime.get_info().unwrap().tasks_running(), CALLS);
    let mut most = threads();
    let mut gate = TcpStream::connect(url.trim_start_matches("http://")).unwrap();
    gate.write_all(b"go").unwrap();
    for call in calls {
        call.await.unwrap().unwrap();
        most = most.max(threads());
    }
    assert_eq!(most, before);
    driver.abort();
}

/// Before, while, and after somebody drives.
#[test]
fn awaits_whoever_drives() {
    let url = clock();
    TcpStream::connect(url.trim_start_matches("http://")).unwrap().write_all(b"go").unwrap();
    let runtime = Runtime::new(None).unwrap();
    let client = client(&runtime, &url);
    for drives in [true, false, true] {
        let tokio = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        tokio.block_on(async {
            let driver = drives.then(|| mtoken_tokio::drive(&runtime).unwrap());
            client.synchronize_time().unwrap().await.unwrap();
            drop(driver);
        });
    }
}

fn client(runtime: &Runtime, url: &str) -> Client {
    let store = Store::memory().unwrap();
    let (_, public) = key_pair_new().unwrap();
    let mut bytes = vec![1, 16];
    bytes.extend([0; 16]);
    bytes.push(16);
    bytes.extend([0; 16]);
    bytes.extend([1, 1, u8::try_from(public.len()).unwrap()]);
    bytes.extend(public);
    let configuration = base64(&bytes);
    let options = ClientOptions {
        id: Some("alice"),
        configuration: Some(&configuration),
        base_url: Some(url),
        store: Some(&store),
        allow_http: true,
        ..Default::default()
    };
    Client::new(runtime, &options).unwrap()
}

#[test]
#[should_panic(expected = "there is no reactor running")]
fn it_needs_tokio() {
    let _ = mtoken_tokio::drive(&Runtime::new(None).unwrap());
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for index in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * index) & 63) as usize];
            text.push(if index > chunk.len() { '=' } else { letter as char });
        }
    }
    text
}
