// SPDX-License-Identifier: Apache-2.0
//! The player of the conformance documents (Tests/conformance/README.md), on the crate as programs use it. dispatch.rs, with C's
//! names for what the crate has, is generated into build/.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::rc::Rc;
use std::time::Duration;

mod base64;
mod dispatch;
mod json;

use base64::base64;
use dispatch::{any, Thing};
use json::{Map, Value};
use mtoken::{Error, ErrorCode, Event, Owned, View};

const LACKS: [&str; 7] = [
    "bad-text",
    "freed-handles",
    "freed-tasks",
    "null-handles",
    "other-handles",
    "raw-members",
    "struct-size",
];

extern "C" {
    fn fork() -> i32;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(status: i32) -> !;
}

/// What keeps a struct of the library alive.
#[derive(Clone)]
pub struct Keep(Option<Rc<dyn Any>>);

impl Keep {
    pub fn none() -> Keep {
        Keep(None)
    }
}

impl Value {
    pub fn view<T>(kind: &'static str, view: &T, keep: Keep) -> Value {
        Value::View(kind, view as *const T as usize, keep)
    }

    pub fn owned<T: View + 'static>(kind: &'static str, owned: Owned<T>) -> Value {
        let at = &*owned as *const T as usize;
        Value::View(kind, at, Keep(Some(Rc::new(RefCell::new(owned)))))
    }

    pub fn map(&self) -> Result<&Map, String> {
        if let Value::Map(map) = self {
            Ok(map)
        } else {
            Err(format!("{self:?} is no object"))
        }
    }

    pub fn list(&self) -> Result<&[Value], String> {
        if let Value::List(list) = self {
            Ok(list)
        } else {
            Err(format!("{self:?} is no list"))
        }
    }

    pub fn view_at(&self) -> Result<usize, String> {
        if let Value::View(_, at, _) = self {
            Ok(*at)
        } else {
            Err(format!("{self:?} is no struct"))
        }
    }
}

/// Holds what options borrow; a document's texts are few.
#[derive(Default)]
pub struct Room;

impl Room {
    pub fn new() -> Room {
        Room
    }

    pub fn keep<T>(&mut self, items: Vec<T>) -> &'static [T] {
        Box::leak(items.into_boxed_slice())
    }

    pub fn text(&mut self, value: &Value) -> Result<&'static str, String> {
        let text = String::from_utf8(content(value)?).map_err(|_| "a text that is no UTF-8")?;
        Ok(Box::leak(text.into_boxed_str()))
    }

    pub fn bytes(&mut self, value: &Value) -> Result<&'static [u8], String> {
        Ok(self.keep(content(value)?))
    }
}

// Arguments of calls

pub fn present<'a>(given: &'a Map, name: &str) -> Option<&'a Value> {
    given.iter().find(|(key, value)| key == name && !matches!(value, Value::Null)).map(|(_, value)| value)
}

pub fn known(given: &Map, names: &[&str]) -> Result<(), String> {
    match given.iter().find(|(key, _)| !names.contains(&key.as_str())) {
        Some((key, _)) => Err(format!("there is no {key}")),
        None => Ok(()),
    }
}

pub fn given_text(given: &Map, name: &str) -> Result<Option<String>, String> {
    let found = given_bytes(given, name)?;
    found.map(|bytes| String::from_utf8(bytes).map_err(|_| "no UTF-8".to_owned())).transpose()
}

pub fn given_bytes(given: &Map, name: &str) -> Result<Option<Vec<u8>>, String> {
    present(given, name).map(content).transpose()
}

pub fn given_map<'a>(given: &'a Map, name: &str) -> Result<Option<&'a Map>, String> {
    present(given, name).map(Value::map).transpose()
}

pub fn given_list<'a>(given: &'a Map, name: &str) -> &'a [Value] {
    present(given, name).and_then(|value| value.list().ok()).unwrap_or(&[])
}

pub fn given_view(given: &Map, name: &str) -> Result<usize, String> {
    present(given, name).ok_or(format!("{name} is missing"))?.view_at()
}

pub fn given_number(given: &Map, name: &str) -> Result<i64, String> {
    present(given, name).map_or(Ok(0), number)
}

pub fn number(value: &Value) -> Result<i64, String> {
    match value {
        Value::Null => Ok(0),
        Value::Number(number) => Ok(*number),
        Value::Bool(flag) => Ok(*flag as i64),
        Value::Text(names) => names.split('|').try_fold(0, |total, name| {
            Ok(total | dispatch::constant(name).ok_or(format!("there is no constant {name}"))?)
        }),
        _ => Err(format!("{value:?} is no number")),
    }
}

pub fn content(value: &Value) -> Result<Vec<u8>, String> {
    match value {
        Value::Text(text) => Ok(text.clone().into_bytes()),
        Value::Bytes(bytes) => Ok(bytes.clone()),
        Value::Map(map) => match (present(map, "hex"), present(map, "base64")) {
            (Some(Value::Text(text)), _) => Ok(json::hex(text)),
            (_, Some(Value::Text(text))) => Ok(base64(text)),
            _ => Err("neither text nor bytes".into()),
        },
        _ => Err(format!("{value:?} is neither text nor bytes")),
    }
}

/// What a call came to.
pub struct Came {
    record: Map,
    pub result: Value,
    error: Option<Error>,
    has_status: bool,
}

impl Default for Came {
    fn default() -> Self {
        Came { record: Map::new(), result: Value::Null, error: None, has_status: false }
    }
}

impl Came {
    pub fn set(&mut self, name: &str, value: Value) {
        self.record.push((name.to_owned(), value));
    }

    pub fn ended(&mut self, error: Option<Error>) {
        self.has_status = true;
        self.error = error;
    }
}

// Steps

pub struct Player {
    variables: Map,
    things: Vec<Option<Rc<Thing>>>,
    checks: usize,
}

type Done = Result<(), String>;

impl Player {
    pub fn own(&mut self, thing: Thing) -> Value {
        self.things.push(Some(Rc::new(thing)));
        Value::Thing(self.things.len() - 1)
    }

    pub fn thing(&self, given: &Map, name: &str) -> Result<Rc<Thing>, String> {
        match present(given, name) {
            Some(Value::Thing(index)) => self.things[*index].clone().ok_or(format!("{name} was freed")),
            _ => Err(format!("{name} is no object")),
        }
    }

    /// An object that an option names, as long as this call lasts.
    pub fn lend(&self, value: &Value) -> Result<&'static Thing, String> {
        match value {
            Value::Thing(index) => {
                let thing = self.things[*index].as_deref().ok_or("the object was freed")?;
                Ok(unsafe { &*(thing as *const Thing) })
            }
            _ => Err(format!("{value:?} is no object")),
        }
    }

    /// What a result lives in.
    pub fn keeper(&self, given: &Map, name: &str) -> Keep {
        match present(given, name) {
            Some(Value::Thing(index)) => Keep(self.things[*index].clone().map(|thing| thing as Rc<dyn Any>)),
            Some(Value::View(_, _, keep)) => keep.clone(),
            _ => Keep::none(),
        }
    }

    fn follow(&self, start: &Map, path: &str) -> Result<Value, String> {
        let missing = || format!("{path} does not exist");
        let mut value: Option<Value> = None;
        for part in path.replace('[', ".[").split('.').filter(|part| !part.is_empty()) {
            let next = match (&value, part.strip_prefix('[')) {
                (Some(Value::List(list)), Some(index)) => {
                    let index: usize = index.trim_end_matches(']').parse().map_err(|_| missing())?;
                    list.get(index).cloned()
                }
                (None, None) => find(start, part),
                (Some(Value::Map(map)), None) => find(map, part),
                (Some(Value::View(kind, at, keep)), None) => dispatch::member(kind, *at, keep, part),
                (Some(Value::Error(error)), None) => dispatch::error_member(error, part),
                _ => None,
            };
            value = Some(next.ok_or_else(missing)?);
        }
        value.ok_or_else(missing)
    }

    fn value(&self, item: &Value) -> Result<Value, String> {
        Ok(match item {
            Value::Map(map) => {
                let parts = map.iter().map(|(key, part)| Ok((key.clone(), self.value(part)?)));
                Value::Map(parts.collect::<Result<_, String>>()?)
            }
            Value::List(list) => {
                Value::List(list.iter().map(|part| self.value(part)).collect::<Result<_, String>>()?)
            }
            Value::Text(text) => self.text(text)?,
            other => other.clone(),
        })
    }

    fn text(&self, text: &str) -> Result<Value, String> {
        let mut made = String::new();
        let mut rest = text;
        while let Some(begin) = rest.find("${") {
            let end = rest[begin..].find('}').ok_or("an open reference")? + begin;
            let found = self.follow(&self.variables, &rest[begin + 2..end])?;
            if begin == 0 && end + 1 == text.len() && rest.len() == text.len() {
                return Ok(found);
            }
            made.push_str(&rest[..begin]);
            match found {
                Value::Text(text) => made.push_str(&text),
                Value::Number(number) => made.push_str(&number.to_string()),
                other => return Err(format!("{other:?} in a text")),
            }
            rest = &rest[end + 1..];
        }
        made.push_str(rest);
        Ok(Value::Text(made))
    }

    fn check(&mut self, holds: bool, message: impl FnOnce() -> String) -> Done {
        self.checks += 1;
        if holds {
            Ok(())
        } else {
            Err(message())
        }
    }

    fn status(&mut self, step: &Map, error: Option<&Error>) -> Done {
        let wanted = match present(step, "fails") {
            Some(Value::Text(name)) => name.as_str(),
            _ => "MTOKEN_OK",
        };
        let code = error.map_or(0, |error| error.code.0 as i64);
        self.check(Some(code) == dispatch::constant(wanted), || format!("{error:?} instead of {wanted}"))
    }

    fn after(&mut self, step: &Map, record: Map) -> Done {
        if let Some(expected) = present(step, "expect") {
            for (path, expected) in expected.map()? {
                let (found, wanted) = (self.follow(&record, path)?, self.value(expected)?);
                self.check(holds(&found, &wanted), || format!("{path} is {found:?}, not {wanted:?}"))?;
            }
        }
        if let Some(kept) = present(step, "keep") {
            for (name, path) in kept.map()? {
                let path = match path.clone() {
                    Value::Text(path) => path,
                    _ => return Err("a path is a text".into()),
                };
                let found = self.follow(&record, &path)?;
                self.variables.retain(|(key, _)| key != name);
                self.variables.push((name.clone(), found));
            }
        }
        Ok(())
    }

    fn play(&mut self, step: &Map) -> Done {
        for (key, value) in step {
            match (key.as_str(), value) {
                ("call", Value::Text(name)) => return self.call(step, name),
                ("wait", task) => return self.wait(step, task),
                ("event", runtime) => return self.event(step, runtime),
                ("read", read) => {
                    let value = self.value(read)?;
                    return self.after(step, vec![("value".into(), value)]);
                }
                ("http", Value::Text(method)) => return self.http(step, method),
                ("fork", steps) => return self.fork(steps.list()?),
                _ => {}
            }
        }
        Err("a step of no kind".into())
    }

    fn call(&mut self, step: &Map, name: &str) -> Done {
        let given = match find(step, "with") {
            Some(given) => self.value(&given)?.map()?.clone(),
            None => Map::new(),
        };
        let mut outcome = match self.special(name, &given)? {
            Some(outcome) => outcome,
            None => dispatch::call(self, name, &given)?,
        };
        outcome.record.push(("result".into(), outcome.result));
        outcome.record.push(("error".into(), outcome.error.clone().map_or(Value::Null, Value::Error)));
        if outcome.has_status {
            self.status(step, outcome.error.as_ref())?;
        }
        self.after(step, outcome.record)
    }

    /// Functions that the crate has in another form.
    fn special(&mut self, name: &str, given: &Map) -> Result<Option<Came>, String> {
        let mut outcome = Came::default();
        if name.ends_with("_free") {
            if let Some((_, Value::Thing(index))) = given.first() {
                self.things[*index] = None;
            }
            return Ok(Some(outcome));
        }
        match name {
            "mtoken_task_join" | "mtoken_task_wait" | "mtoken_task_cancel" => {
                let thing = self.thing(given, "task")?;
                let task = match &*thing {
                    Thing::Task(task) => task,
                    _ => return Err("no task".into()),
                };
                let limit = Duration::from_millis(given_number(given, "timeout_ms")? as u64);
                let ended = if name == "mtoken_task_cancel" {
                    any!(task, task => task.cancel())
                } else {
                    any!(task, task => task.wait_for(limit).map(drop))
                };
                let is_over = name == "mtoken_task_wait" && any!(task, task => task.state().0) > 0;
                outcome.ended(if is_over { None } else { ended.err() });
            }
            "mtoken_task_get_state" => {
                let thing = self.thing(given, "task")?;
                let task = match &*thing {
                    Thing::Task(task) => task,
                    _ => return Err("no task".into()),
                };
                outcome.result = Value::Number(any!(task, task => task.state().0) as i64);
            }
            "mtoken_error_is_operation_over" => {
                let error = match present(given, "error") {
                    Some(Value::Error(error)) => error,
                    _ => return Err("no error".into()),
                };
                outcome.result = Value::from(error.is_operation_over());
            }
            "mtoken_event_take_challenge" => {
                let keep = match present(given, "received") {
                    Some(Value::View(_, _, Keep(Some(keep)))) => keep,
                    _ => return Err("no event".into()),
                };
                let event = keep.downcast_ref::<RefCell<Owned<Event>>>().ok_or("no event")?;
                let challenge = event.borrow_mut().take_challenge();
                outcome.result = match challenge {
                    Some(challenge) => self.own(Thing::Challenge(challenge)),
                    None => Value::Null,
                };
            }
            _ => return Ok(None),
        }
        Ok(Some(outcome))
    }

    fn wait(&mut self, step: &Map, task: &Value) -> Done {
        let given = vec![("task".to_owned(), self.value(task)?)];
        let thing = self.thing(&given, "task")?;
        let task = match &*thing {
            Thing::Task(task) => task,
            _ => return Err("no task".into()),
        };
        let error = any!(task, task => task.wait_for(Duration::from_secs(60)).map(drop)).err();
        self.status(step, error.as_ref())?;
        let result = match present(step, "get") {
            Some(Value::Text(getter)) => dispatch::call(self, getter, &given)?.result,
            _ => Value::Null,
        };
        self.after(
            step,
            vec![("result".into(), result), ("error".into(), error.map_or(Value::Null, Value::Error))],
        )
    }

    fn event(&mut self, step: &Map, runtime: &Value) -> Done {
        let given = vec![("runtime".to_owned(), self.value(runtime)?)];
        let thing = self.thing(&given, "runtime")?;
        let kind = number(&find(step, "kind").ok_or("no kind")?)?;
        loop {
            let event = thing.runtime()?.next_event(Some(Duration::from_secs(60)));
            let event = event.map_err(|error| format!("no event: {error}"))?;
            if event.kind().0 as i64 == kind {
                return self.after(step, vec![("event".into(), Value::owned("mtoken_event", event))]);
            }
        }
    }

    fn fork(&mut self, steps: &[Value]) -> Done {
        let child = unsafe { fork() };
        if child == 0 {
            let ended = steps.iter().try_for_each(|step| self.play(step.map()?));
            if let Err(problem) = &ended {
                eprintln!("in the child: {problem}");
            }
            unsafe { _exit(ended.is_err().into()) }
        }
        let mut status = -1;
        let waited = unsafe { waitpid(child, &mut status, 0) };
        self.check(waited == child && status == 0, || format!("the child ended with {status}"))
    }

    fn http(&mut self, step: &Map, method: &str) -> Done {
        let part = |name: &str| find(step, name).map(|part| self.value(&part)).transpose();
        let url = match part("url")? {
            Some(Value::Text(url)) => url,
            _ => return Err("no url".into()),
        };
        let body = match (part("body")?, part("text")?) {
            (Some(body), _) => json::written(&body),
            (None, Some(Value::Text(text))) => text,
            _ => String::new(),
        };
        let mut head = String::new();
        let mut headers = vec![("Content-Type".to_owned(), Value::Text("application/json".into()))];
        if let Some(Value::Map(more)) = part("headers")? {
            headers.retain(|(name, _)| !more.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
            headers.extend(more);
        }
        for (name, value) in headers {
            if let Value::Text(value) = value {
                [&name, ": ", &value, "\r\n"].iter().for_each(|part| head.push_str(part));
            }
        }
        let address = url.strip_prefix("http://").ok_or("only plain HTTP")?;
        let (host, path) = address.split_at(address.find('/').unwrap_or(address.len()));
        let mut stream = TcpStream::connect(host).map_err(|error| error.to_string())?;
        let request = format!(
            "{method} {path} HTTP/1.0\r\nHost: {host}\r\n{head}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        let mut answer = Vec::new();
        stream
            .write_all(request.as_bytes())
            .and_then(|()| stream.read_to_end(&mut answer))
            .map_err(|e| e.to_string())?;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, text) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
        let text = if head.to_lowercase().contains("transfer-encoding: chunked") {
            joined(text)?
        } else {
            text.to_owned()
        };
        let status: i64 = head.split(' ').nth(1).and_then(|code| code.parse().ok()).ok_or("no status")?;
        let is_good = match part("status")? {
            Some(wanted) => number(&wanted)? == status,
            None => (200..300).contains(&status),
        };
        self.check(is_good, || format!("{method} {url}: HTTP status {status}: {text}"))?;
        let found = if text.is_empty() { Value::Null } else { json::read(&text)? };
        self.after(step, vec![("status".into(), Value::Number(status)), ("body".into(), found)])
    }
}

/// The text of a body that comes in chunks.
fn joined(mut rest: &str) -> Result<String, String> {
    let mut text = String::new();
    loop {
        let (size, body) = rest.split_once("\r\n").ok_or("half a chunk")?;
        let size = usize::from_str_radix(size, 16).map_err(|error| error.to_string())?;
        if size == 0 {
            return Ok(text);
        }
        text.push_str(body.get(..size).ok_or("half a chunk")?);
        rest = body.get(size + 2..).ok_or("half a chunk")?;
    }
}

fn find(map: &Map, name: &str) -> Option<Value> {
    map.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
}

fn holds(found: &Value, wanted: &Value) -> bool {
    if let Value::Map(asked) = wanted {
        if let [(kind, value)] = asked.as_slice() {
            let at = |text: &Value| match text {
                Value::Text(text) => text.clone(),
                _ => String::new(),
            };
            let (text, is_text) = (at(found), matches!(found, Value::Text(_)));
            return match kind.as_str() {
                "not" => !holds(found, value),
                "at_least" => {
                    matches!((found, number(value)), (Value::Number(count), Ok(least)) if *count >= least)
                }
                "at_most" => {
                    matches!((found, number(value)), (Value::Number(count), Ok(most)) if *count <= most)
                }
                "begins" => is_text && text.starts_with(&at(value)),
                "contains" => is_text && text.contains(&at(value)),
                "length" => matches!(content(found), Ok(all) if Ok(all.len() as i64) == number(value)),
                "one_of" => matches!(value.list(), Ok(all) if all.iter().any(|item| holds(found, item))),
                "hex" | "base64" => {
                    matches!(found, Value::Bytes(bytes) if Ok(bytes.clone()) == content(wanted))
                }
                _ => false,
            };
        }
    }
    match (found, wanted) {
        (Value::Number(count), Value::Text(_) | Value::Bool(_)) => number(wanted) == Ok(*count),
        (Value::Bool(flag), Value::Bool(wanted)) => flag == wanted,
        (Value::Null, Value::Null) => true,
        (Value::Number(count), Value::Number(wanted)) => count == wanted,
        (Value::Float(number), Value::Float(wanted)) => number == wanted,
        (Value::Float(number), Value::Number(wanted)) => *number == *wanted as f64,
        (Value::Text(text), Value::Text(wanted)) => text == wanted,
        (Value::Thing(index), Value::Thing(wanted)) => index == wanted,
        _ => false,
    }
}

fn case(document: &str, described: &Map) -> Result<usize, String> {
    let text = |name: &str| match find(described, name) {
        Some(Value::Text(text)) => text,
        _ => String::new(),
    };
    let unique: String =
        mtoken::random_bytes(16).map_err(|e| e.to_string())?.iter().map(|b| format!("{b:02x}")).collect();
    let folder = std::env::temp_dir().join(format!("mtoken-{unique}"));
    std::fs::create_dir(&folder).map_err(|error| error.to_string())?;
    let mut variables = find(described, "variables").map_or(Ok(Map::new()), |all| all.map().cloned())?;
    variables.push(("unique".into(), Value::Text(unique)));
    variables.push(("folder".into(), Value::Text(folder.display().to_string())));
    let mut player = Player { variables, things: Vec::new(), checks: 0 };
    let steps = find(described, "steps").ok_or("no steps")?;
    for (index, step) in steps.list()?.iter().enumerate() {
        if let Err(problem) = player.play(step.map()?) {
            return Err(format!("{document}, {}, step {}: {problem}", text("name"), index + 1));
        }
    }
    player.variables.clear();
    while player.things.pop().is_some() {}
    let _ = std::fs::remove_dir_all(folder);
    Ok(player.checks)
}

fn run() -> Result<(), String> {
    let (mut steps, mut checks, mut left) = (0, 0, BTreeSet::new());
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        let document = json::read(&text)?;
        let document = document.map()?;
        let name = format!("{:?}", find(document, "name"));
        for described in find(document, "cases").ok_or("no cases")?.list()? {
            let described = described.map()?;
            let needs = find(described, "needs").unwrap_or(Value::List(Vec::new()));
            let mut is_lacking = false;
            for need in needs.list()? {
                if let Value::Text(need) = need {
                    if LACKS.contains(&need.as_str()) {
                        left.insert(need.clone());
                        is_lacking = true;
                    }
                }
            }
            if !is_lacking {
                checks += case(&name, described)?;
                steps +=
                    find(described, "steps").map_or(0, |steps| steps.list().map_or(0, |steps| steps.len()));
            }
        }
    }
    for need in left {
        println!("not applicable: {need}");
    }
    println!("steps {steps}, checks {checks}");
    Ok(())
}

fn main() {
    let _ = ErrorCode::STATE;
    if let Err(problem) = run() {
        eprintln!("{problem}");
        std::process::exit(1);
    }
}
