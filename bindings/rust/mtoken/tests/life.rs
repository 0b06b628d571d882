//! Errors, lives and threads of the safe crate, against a server that only tells the time.

use std::collections::HashMap;
use std::future::Future;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::pin::Pin;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use mtoken::*;

const PAYLOAD: &str = "5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6\nPayment\nPlease confirm this payment\n\
    A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello world\nBCFX\nAD8bOO0Df73kNaIGb3Vmpg==\n\
    0MEYCIQDby1Uq+MaxiAAGzKmE/McHzNOUrvAP2qqGBvSgcdtyjgIhAMo1sgqNa1pPZTFBhhKvCKFLGDuHuTTYexdmHFjUUIJW";

/// A server that tells the time, or never answers.
fn clock(answers: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let (mut stream, mut buffer) = (stream, [0u8; 4096]);
                while matches!(stream.read(&mut buffer), Ok(count) if count > 0) {
                    if answers {
                        let body = "{\"status\":\"OK\",\"responseObject\":{\"serverTime\":1700000000000}}";
                        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length";
                        drop(stream.write_all(format!("{head}: {}\r\n\r\n{body}", body.len()).as_bytes()));
                    }
                }
            });
        }
    });
    url
}

/// The configuration of an application that no server knows.
fn configuration() -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (_, public) = key_pair_new().unwrap();
    let mut bytes = vec![1];
    for _ in 0..2 {
        bytes.extend([16]);
        bytes.extend([0; 16]);
    }
    bytes.extend([1, 1, u8::try_from(public.len()).unwrap()]);
    bytes.extend(public);
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

fn client(runtime: &Runtime, url: &str) -> Client {
    let store = Store::memory().unwrap();
    let configuration = configuration();
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
fn errors_tell() {
    let error = qr_operation_parse("nonsense", None).err().unwrap();
    assert_eq!(
        (error.kind(), error.code, error.byte_offset, error.line),
        (ErrorKind::Parse, ErrorCode::PARSE, 8, 1)
    );
    assert!(error.to_string().starts_with("MTOKEN_ERROR_PARSE (tooFewLines), line 1, byte 8: "));
    assert_eq!(ErrorCode(4711).to_string(), "MTOKEN_ERROR_4711");
    assert_eq!(ErrorKind::from(ErrorCode(4711)), ErrorKind::Unknown);
    assert_eq!(format!("{:?}", FieldType::AMOUNT), "FieldType::AMOUNT");
    assert_eq!(qr_operation_parse("a\0b", None).err().unwrap().kind(), ErrorKind::Argument);
    let runtime = Runtime::new(None).unwrap();
    assert_eq!(Client::new(&runtime, &ClientOptions::default()).unwrap_err().kind(), ErrorKind::Argument);
}

/// Other odd arguments of each call: Tests/conformance/odd.py. Rust's types take no NaN, infinity, negative limit, text that is no UTF-8 or
/// object that was freed; what is left is a limit longer than a wait can be.
#[test]
fn a_limit_may_have_any_length() {
    let runtime = Runtime::new(None).unwrap();
    let client = client(&runtime, &clock(true));
    for limit in [Duration::MAX, Duration::from_millis(i64::MAX as u64), Duration::from_secs(u64::MAX)] {
        client.synchronize_time().unwrap().wait_for(limit).unwrap();
    }
    let silent = self::client(&runtime, &clock(false));
    let error = silent.synchronize_time().unwrap().wait_for(Duration::ZERO).unwrap_err();
    assert_eq!((error.code, error.outcome()), (ErrorCode::TIMEOUT, Outcome::UNKNOWN));
}

#[test]
fn open_takes_nothing_that_is_wrong() {
    let folder = std::env::temp_dir().join(format!("mtoken-open-{}", std::process::id()));
    let there = folder.to_str().unwrap();
    let (url, configuration) = ("https://127.0.0.1:1", configuration());
    let good = ClientOptions::new("alice", url, &configuration);
    let wrong = [
        (there, ClientOptions::default(), ErrorKind::Argument, "needs id, configuration and base_url"),
        (there, ClientOptions { id: Some(""), ..good }, ErrorKind::Argument, "id must be 1 to 64"),
        (there, ClientOptions { configuration: Some("?"), ..good }, ErrorKind::Configuration, "SDK"),
        (there, ClientOptions { base_url: Some("?"), ..good }, ErrorKind::Configuration, "URL"),
        (there, ClientOptions { ca_file: Some("/nowhere"), ..good }, ErrorKind::Configuration, "CA file"),
        ("", good, ErrorKind::Argument, "path is empty"),
        ("a\0b", good, ErrorKind::Argument, "contains a NUL"),
        ("/proc/nowhere/\u{17e}lu\u{165}", good, ErrorKind::Storage, "could not be created"),
    ];
    // Nothing that failed holds the folder: it opens again, each time.
    for (path, options, kind, said) in &wrong {
        drop(Client::open(there, &good).unwrap());
        std::fs::write(folder.join("kept"), "a file of the program's").unwrap();
        let error = Client::open(path, options).err().unwrap();
        assert_eq!(error.kind(), *kind, "{error}");
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(std::fs::read_to_string(folder.join("kept")).unwrap(), "a file of the program's");
    }
    let open = Client::open(there, &good).unwrap();
    assert_eq!(Client::open(there, &good).err().unwrap().kind(), ErrorKind::Busy);
    drop(open);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_is_shared_may_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Client>();
    shared::<Runtime>();
    shared::<Task<Owned<OperationList>>>();
    shared::<Owned<QrOperation>>();
    shared::<Error>();
    shared::<NextEvent>();
    shared::<&Operation>();
    shared::<OperationField>();
    shared::<UserInfo>();
}

/// As a program writes it: what waits is approved one after the other, on whatever thread.
#[test]
fn operations_are_held_while_others_run() {
    fn spawned<F: Future + Send + 'static>(future: F) -> F {
        future
    }
    let runtime = Runtime::new(None).unwrap();
    let client = client(&runtime, "http://127.0.0.1:1");
    let mut approval = Box::pin(spawned(async move {
        let list = client.operations_list()?.await?;
        for operation in list.operations() {
            client.operations_authorize(operation, &Auth::pin(b"2468"), None)?.await?;
            println!("approved {}", operation.id());
        }
        Ok::<(), Error>(())
    }));
    assert_eq!(run(&runtime, approval.as_mut()).unwrap_err().kind(), ErrorKind::NotActivated);
}

#[test]
fn results_say_what_they_are() {
    let operation = qr_operation_parse(PAYLOAD, None);
    let shown = format!("{operation:?}");
    let id = operation.unwrap().id().to_string();
    assert!(shown.starts_with("Ok(QrOperation { verification: Verified::NOT_CHECKED, "), "{shown}");
    assert!(shown.contains(&format!("id: {id:?}, ")) && shown.contains("FieldType::AMOUNT"), "{shown}");
    assert!(shown.ends_with(", .. })") && !shown.contains("payload: "), "{shown}");
}

/// Runs a future on this thread: the runtime's turns wake it.
fn run<F: Future + Unpin>(runtime: &Runtime, mut future: F) -> F::Output {
    let woken = Arc::new(Count::default());
    let waker: Waker = woken.clone().into();
    let mut seen = 0;
    loop {
        if let Poll::Ready(output) = Pin::new(&mut future).poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        while woken.0.load(Ordering::SeqCst) == seen {
            match runtime.next_event(Some(Duration::from_millis(20))) {
                Err(error) if error.kind() == ErrorKind::Timeout => {}
                other => panic!("{other:?}", other = other.is_ok()),
            }
        }
        seen = woken.0.load(Ordering::SeqCst);
    }
}

/// Blocks this thread until the future is ready; only its waker goes on with it.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Send(Mutex<mpsc::Sender<()>>);
    impl Wake for Send {
        fn wake(self: Arc<Self>) {
            let _ = self.0.lock().unwrap().send(());
        }
    }
    let (sender, receiver) = mpsc::channel();
    let waker: Waker = Arc::new(Send(Mutex::new(sender))).into();
    let mut future = Box::pin(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        receiver.recv_timeout(Duration::from_secs(60)).expect("nobody wakes the future");
    }
}

/// Nobody calls `turn`, and what a helper made inside is closed with what it gave: counted in a process of its own.
#[test]
fn what_nobody_drives_is_awaited() {
    if let Ok(url) = std::env::var("MTOKEN_TEST_UNDRIVEN") {
        let folder = std::env::temp_dir().join(format!("mtoken-undriven-{}", std::process::id()));
        let before = threads();
        for _ in 0..3 {
            let configuration = configuration();
            let options =
                ClientOptions { allow_http: true, ..ClientOptions::new("alice", &url, &configuration) };
            let client = Client::open(folder.to_str().unwrap(), &options).unwrap();
            let calls: Vec<_> = (0..20).map(|_| client.synchronize_time().unwrap()).collect();
            for call in calls {
                block_on(call).unwrap();
            }
            assert_eq!(client.runtime().get_info().unwrap().clients(), 1);
            drop(client);
            while threads() > before {
                std::thread::yield_now(); // its own thread ends with it
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
        return;
    }
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args(["--exact", "what_nobody_drives_is_awaited"]).env("MTOKEN_TEST_UNDRIVEN", clock(true));
    assert!(program.status().unwrap().success());
}

/// Beside a thread that waits for an event, and after it.
#[test]
fn what_nobody_drives_any_more_is_awaited() {
    for round in 0..50 {
        let options = RuntimeOptions { events: Events::TASKS, ..Default::default() };
        let runtime = Runtime::new(Some(&options)).unwrap();
        let client = client(&runtime, &clock(true));
        std::thread::scope(|scope| {
            let wait = scope.spawn(|| runtime.next_event(None));
            if round % 2 == 0 {
                runtime.turn().unwrap();
            }
            let task = client.synchronize_time().unwrap();
            let runtime = &runtime;
            let end = scope.spawn(move || {
                while !wait.is_finished() {
                    runtime.interrupt().unwrap();
                    std::thread::yield_now();
                }
                runtime.undriven().unwrap();
            });
            block_on(task).unwrap();
            end.join().unwrap();
        });
        let task = client.synchronize_time().unwrap();
        let event = block_on(runtime.next()).unwrap();
        assert!(event.kind() == EventKind::TASK);
        block_on(task).unwrap();
    }
}

#[test]
fn tasks_are_futures() {
    let runtime = Runtime::new(None).unwrap();
    let client = client(&runtime, &clock(true));
    for _ in 0..100 {
        run(&runtime, client.synchronize_time().unwrap()).unwrap();
    }
    assert!(client.get_info().unwrap().time_synchronized());
    let silent = self::client(&runtime, &clock(false));
    let task = silent.synchronize_time().unwrap();
    let error = task.wait_for(Duration::from_millis(20)).unwrap_err();
    assert_eq!((error.kind(), error.reason.as_str()), (ErrorKind::Timeout, "waitTimeout"));
    task.cancel().unwrap();
    assert_eq!(run(&runtime, task).unwrap_err().kind(), ErrorKind::Cancelled);
    drop(silent.synchronize_time().unwrap());
    while runtime.get_info().unwrap().tasks_running() > 0 {
        std::thread::yield_now(); // dropping has cancelled it
    }
}

#[test]
fn events_arrive() {
    let options = RuntimeOptions { events: Events::TASKS, ..Default::default() };
    let runtime = Runtime::new(Some(&options)).unwrap();
    let client = client(&runtime, &clock(true));
    let task = client.synchronize_time().unwrap();
    task.notify(7).unwrap();
    assert_eq!(task.notify(1 << 63).unwrap_err().kind(), ErrorKind::Argument);
    loop {
        let mut event = runtime.next_event(Some(Duration::MAX)).unwrap();
        assert!(event.kind() == EventKind::TASK && event.is_from(&client) && event.is_of(&task));
        assert!(event.take_challenge().is_none());
        if event.tag() == 7 {
            break; // the event without a tag has come before if the task was already over
        }
    }
}

/// Whoever reads an event, a thread that waits for one gets it: with turns all the time, and beside another thread that waits.
#[test]
fn events_arrive_beside_turns() {
    const ROUNDS: usize = 100;
    const TAGS: usize = 50;
    let runtime = Runtime::new(None).unwrap();
    let client = client(&runtime, &clock(true));
    let count = AtomicUsize::new(0);
    let wait = || {
        for _ in 0..ROUNDS * TAGS / 2 {
            let event = runtime.next_event(Some(Duration::from_secs(20))).unwrap();
            assert_eq!(event.kind(), EventKind::TASK);
            count.fetch_add(1, Ordering::SeqCst);
        }
    };
    std::thread::scope(|scope| {
        let waiting = [scope.spawn(wait), scope.spawn(wait)];
        for round in 1..=ROUNDS {
            let task = client.synchronize_time().unwrap();
            (0..TAGS).for_each(|tag| task.notify(tag as u64).unwrap());
            while count.load(Ordering::SeqCst) < round * TAGS && waiting.iter().any(|one| !one.is_finished())
            {
                runtime.turn().unwrap();
            }
        }
    });
    assert_eq!(count.load(Ordering::SeqCst), ROUNDS * TAGS);
    let error = runtime.next_event(Some(Duration::from_millis(1))).unwrap_err();
    assert_eq!((error.kind(), error.reason.as_str()), (ErrorKind::Timeout, "waitTimeout"));
}

#[test]
fn waits_are_interrupted() {
    let runtime = Runtime::new(None).unwrap();
    std::thread::scope(|scope| {
        let wait = || runtime.next_event(None).unwrap_err();
        let waiting = [scope.spawn(wait), scope.spawn(wait)];
        while waiting.iter().any(|thread| !thread.is_finished()) {
            runtime.interrupt().unwrap();
            std::thread::yield_now();
        }
        for thread in waiting {
            let error = thread.join().unwrap();
            assert_eq!((error.kind(), error.reason.as_str()), (ErrorKind::Cancelled, "interrupted"));
        }
    });
}

/// A waker that counts.
#[derive(Default)]
struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn events_are_futures() {
    let options = RuntimeOptions { events: Events::TASKS, ..Default::default() };
    let runtime = Runtime::new(Some(&options)).unwrap();
    let client = client(&runtime, &clock(true));
    for _ in 0..20 {
        let woken = Arc::new(Count::default());
        let waker: Waker = woken.clone().into();
        let mut context = Context::from_waker(&waker);
        let (mut dropped, mut next) = (runtime.next(), runtime.next());
        assert!(Pin::new(&mut dropped).poll(&mut context).is_pending());
        assert!(Pin::new(&mut next).poll(&mut context).is_pending());
        drop(dropped);
        let task = client.synchronize_time().unwrap();
        while woken.0.load(Ordering::SeqCst) == 0 {
            runtime.turn().unwrap();
        }
        match Pin::new(&mut next).poll(&mut context) {
            Poll::Ready(Ok(event)) => assert!(event.is_of(&task)),
            _ => panic!("it was woken for nothing"),
        }
        assert_eq!(woken.0.load(Ordering::SeqCst), 1, "what was dropped is not woken");
    }
}

/// 20 threads, 200 calls each, one client; what is dropped meanwhile is dropped in any order.
#[test]
fn threads_share_a_client() {
    let runtime = Runtime::new(None).unwrap();
    let client = Arc::new(client(&runtime, &clock(true)));
    let threads: Vec<_> = (0..20)
        .map(|number| {
            let client = client.clone();
            std::thread::spawn(move || {
                let own =
                    client.with_options(&CallOptions { timeout_ms: 20_000, ..Default::default() }).unwrap();
                for index in 0..200 {
                    let task = own.synchronize_time().unwrap();
                    if (index + number) % 5 == 0 {
                        drop(task);
                    } else {
                        task.wait().unwrap();
                    }
                }
            })
        })
        .collect();
    drop(runtime);
    drop(client);
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn results_outlive_what_made_them() {
    let runtime = Runtime::new(None).unwrap();
    let client = client(&runtime, &clock(true));
    let info = client.get_info().unwrap();
    let task = client.synchronize_time().unwrap();
    drop(client);
    drop(runtime);
    assert_eq!(info.id(), "alice");
    drop(task.wait());
}

fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[test]
fn nothing_is_left() {
    let runtime = Runtime::new(None).unwrap();
    let calls = || {
        for index in 0..10_000 {
            let operation = qr_operation_parse(PAYLOAD, None).unwrap();
            assert_eq!(operation.title(), "Payment");
            assert_eq!(operation.signed_fields().fields()[0].value(), Some("100"));
            assert!(qr_operation_parse("nonsense", None).is_err());
            if index % 100 == 0 {
                client(&runtime, "http://127.0.0.1:1");
            }
        }
    };
    calls();
    let grown = (0..3).map(|_| {
        let before = resident();
        calls();
        resident().saturating_sub(before)
    });
    let least = grown.min().unwrap();
    assert!(least < 1 << 20, "each 10,000 calls have left {least} bytes or more");
    assert_eq!(runtime.get_info().unwrap().clients(), 0);
}

#[derive(Default)]
struct Memory(Mutex<HashMap<String, Vec<u8>>>);

impl HostStore for Memory {
    fn load(&self, name: &str) -> std::result::Result<Vec<u8>, ErrorCode> {
        self.0.lock().unwrap().get(name).cloned().ok_or(ErrorCode::NOT_FOUND)
    }
    fn save(&self, name: &str, item: &[u8]) -> std::result::Result<(), ErrorCode> {
        self.0.lock().unwrap().insert(name.into(), item.into());
        Ok(())
    }
    fn remove(&self, name: &str) -> std::result::Result<(), ErrorCode> {
        self.0.lock().unwrap().remove(name);
        Ok(())
    }
    fn list(&self) -> std::result::Result<Vec<String>, ErrorCode> {
        let names: Vec<String> = self.0.lock().unwrap().keys().cloned().collect();
        if names.is_empty() {
            std::panic::panic_any(Restless);
        }
        Ok(names)
    }
}

/// A store that uses the client that waits for it and awaits a call of it, and keeps why that was refused.
#[derive(Default, Clone)]
struct Recursive(Arc<Mutex<Used>>);

#[derive(Default)]
struct Used {
    client: Option<Arc<Client>>,
    task: Option<Task<()>>,
    refused: Vec<Error>,
}

impl HostStore for Recursive {
    fn load(&self, _: &str) -> std::result::Result<Vec<u8>, ErrorCode> {
        Err(ErrorCode::NOT_FOUND)
    }
    fn save(&self, _: &str, _: &[u8]) -> std::result::Result<(), ErrorCode> {
        Ok(())
    }
    fn remove(&self, _: &str) -> std::result::Result<(), ErrorCode> {
        let mut used = self.0.lock().unwrap();
        if let (Some(client), Some(task)) = (used.client.take(), used.task.take()) {
            let found = [client.remove_local(), task.wait(), block_on(task)];
            used.refused.extend(found.into_iter().map(Result::unwrap_err));
        }
        Ok(())
    }
    fn list(&self) -> std::result::Result<Vec<String>, ErrorCode> {
        Ok(Vec::new())
    }
}

#[test]
fn stores_of_the_host_leave_their_client_alone() {
    let host = Recursive::default();
    let (runtime, store) = (Runtime::new(None).unwrap(), Store::host(host.clone()).unwrap());
    let (url, configuration) = (clock(false), configuration());
    let options = ClientOptions {
        id: Some("alice"),
        configuration: Some(&configuration),
        base_url: Some(&url),
        allow_http: true,
        store: Some(&store),
        ..Default::default()
    };
    let client = Arc::new(Client::new(&runtime, &options).unwrap());
    let task = client.synchronize_time().unwrap();
    *host.0.lock().unwrap() = Used { client: Some(client.clone()), task: Some(task), refused: Vec::new() };
    client.remove_local().unwrap();
    let refused = &host.0.lock().unwrap().refused;
    assert_eq!(refused.len(), 3);
    for error in refused {
        assert_eq!((error.kind(), error.reason.as_str()), (ErrorKind::State, "insideHostFunction"));
    }
}

/// What a defect of the host panics with, and panics again when it is dropped.
struct Restless;

impl Drop for Restless {
    fn drop(&mut self) {
        panic!("again");
    }
}

#[test]
fn stores_of_the_host() {
    let memory = Memory::default();
    memory.save("alice.state", &[1]).unwrap();
    let store = Store::host(memory).unwrap();
    assert_eq!(store.clients().unwrap().ids(), ["alice"]);
    store.remove("alice").unwrap();
    assert_eq!(store.clients().err().unwrap().kind(), ErrorKind::Storage); // it panicked
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// A thousand calls under way hold no thread. Counted in a process of its own: the server and other tests have threads, too.
#[test]
fn calls_hold_no_threads() {
    const CALLS: usize = 1000;
    if let Ok(url) = std::env::var("MTOKEN_TEST_THREADS") {
        let runtime = Runtime::new(None).unwrap();
        let client = client(&runtime, &url);
        let own = client.with_options(&CallOptions { timeout_ms: 60_000, ..Default::default() }).unwrap();
        let before = threads();
        let tasks: Vec<_> = (0..CALLS).map(|_| own.synchronize_time().unwrap()).collect();
        assert_eq!(runtime.get_info().unwrap().tasks_running(), CALLS);
        assert_eq!(threads(), before);
        drop(tasks);
        return;
    }
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args(["--exact", "calls_hold_no_threads"]).env("MTOKEN_TEST_THREADS", clock(false));
    assert!(program.status().unwrap().success());
}

#[test]
fn the_process_ends_with_calls_under_way() {
    if let Ok(url) = std::env::var("MTOKEN_TEST_EXIT") {
        let runtime = Runtime::new(None).unwrap();
        let client = client(&runtime, &url);
        let own = client.with_options(&CallOptions { timeout_ms: 20_000, ..Default::default() }).unwrap();
        let _tasks: Vec<_> = (0..20).map(|_| own.synchronize_time().unwrap()).collect();
        std::process::exit(0);
    }
    let url = clock(false);
    for _ in 0..5 {
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(["--exact", "the_process_ends_with_calls_under_way"]).env("MTOKEN_TEST_EXIT", &url);
        assert!(program.status().unwrap().success());
    }
}

#[test]
fn secrets_are_wiped() {
    let mut secret = *b"1234";
    wipe(&mut secret);
    assert_eq!(secret, [0; 4]);
}
