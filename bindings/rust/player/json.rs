// SPDX-License-Identifier: Apache-2.0
//! Values of the documents, and JSON.

use std::fmt::Write;

use crate::Keep;
use mtoken::Error;

pub type Map = Vec<(String, Value)>;

#[derive(Clone)]
pub enum Value {
    Null,
    Bool(bool),
    Number(i64),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Map(Map),
    Thing(usize),
    View(&'static str, usize, Keep),
    Error(Error),
}

impl std::fmt::Debug for Value {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Null => formatter.write_str("null"),
            Value::Bool(flag) => flag.fmt(formatter),
            Value::Number(number) => number.fmt(formatter),
            Value::Float(number) => number.fmt(formatter),
            Value::Text(text) => text.fmt(formatter),
            Value::Bytes(bytes) => bytes.fmt(formatter),
            Value::List(list) => list.fmt(formatter),
            Value::Map(map) => map.fmt(formatter),
            Value::Thing(index) => write!(formatter, "object {index}"),
            Value::View(kind, ..) => formatter.write_str(kind),
            Value::Error(error) => error.fmt(formatter),
        }
    }
}

macro_rules! from {
    ($kind:ty, $value:ident => $made:expr) => {
        impl From<$kind> for Value {
            fn from($value: $kind) -> Value {
                $made
            }
        }
    };
}

from!(i64, value => Value::Number(value));
from!(i32, value => Value::Number(value.into()));
from!(u32, value => Value::Number(value.into()));
from!(u64, value => Value::Number(value as i64));
from!(usize, value => Value::Number(value as i64));
from!(f64, value => Value::Float(value));
from!(bool, value => Value::Number(value.into()));
from!(String, value => Value::Text(value));
from!(&str, value => Value::Text(value.to_owned()));
from!(Vec<u8>, value => Value::Bytes(value));
from!(&[u8], value => Value::Bytes(value.to_owned()));
from!(Error, value => Value::Error(value));

pub fn read(text: &str) -> Result<Value, String> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let value = reader.value()?;
    reader.space();
    if reader.at == text.len() {
        Ok(value)
    } else {
        Err("something follows the JSON".into())
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn space(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn next(&mut self) -> Result<u8, String> {
        let byte = *self.text.get(self.at).ok_or("the JSON ends early")?;
        self.at += 1;
        Ok(byte)
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, String> {
        if self.text[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(format!("no JSON at {}", self.at))
        }
    }

    /// Reads items up to the closing bracket.
    fn items(
        &mut self,
        end: u8,
        mut item: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        self.at += 1;
        self.space();
        if self.text.get(self.at) == Some(&end) {
            self.at += 1;
            return Ok(());
        }
        loop {
            item(self)?;
            self.space();
            match self.next()? {
                b',' => self.space(),
                byte if byte == end => return Ok(()),
                _ => return Err(format!("no JSON at {}", self.at)),
            }
        }
    }

    fn value(&mut self) -> Result<Value, String> {
        self.space();
        match self.text.get(self.at).ok_or("the JSON ends early")? {
            b'{' => {
                let mut map = Map::new();
                self.items(b'}', |reader| {
                    let name = reader.string()?;
                    reader.space();
                    if reader.next()? != b':' {
                        return Err("a colon is missing".into());
                    }
                    map.push((name, reader.value()?));
                    Ok(())
                })?;
                Ok(Value::Map(map))
            }
            b'[' => {
                let mut list = Vec::new();
                self.items(b']', |reader| {
                    list.push(reader.value()?);
                    Ok(())
                })?;
                Ok(Value::List(list))
            }
            b'"' => self.string().map(Value::Text),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => {
                let begin = self.at;
                while matches!(self.text.get(self.at), Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')) {
                    self.at += 1;
                }
                let text = std::str::from_utf8(&self.text[begin..self.at]).map_err(|e| e.to_string())?;
                if let Ok(number) = text.parse() {
                    return Ok(Value::Number(number));
                }
                text.parse().map(Value::Float).map_err(|_| format!("no JSON at {begin}"))
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        if self.next()? != b'"' {
            return Err("a text is missing".into());
        }
        let mut bytes = Vec::new();
        loop {
            match self.next()? {
                b'"' => return String::from_utf8(bytes).map_err(|error| error.to_string()),
                b'\\' => {
                    let character = match self.next()? {
                        b'n' => '\n',
                        b't' => '\t',
                        b'r' => '\r',
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        b'u' => self.escaped()?,
                        other => other.into(),
                    };
                    bytes.extend(character.to_string().bytes());
                }
                byte => bytes.push(byte),
            }
        }
    }

    fn unit(&mut self) -> Result<u32, String> {
        let digits = self.text.get(self.at..self.at + 4).ok_or("the JSON ends early")?;
        self.at += 4;
        let digits = std::str::from_utf8(digits).map_err(|error| error.to_string())?;
        u32::from_str_radix(digits, 16).map_err(|error| error.to_string())
    }

    fn escaped(&mut self) -> Result<char, String> {
        let first = self.unit()?;
        let code = if (0xd800..0xdc00).contains(&first) {
            self.at += 2;
            0x10000 + ((first - 0xd800) << 10) + (self.unit()? - 0xdc00)
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| "half a character".into())
    }
}

pub fn written(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::List(list) => format!("[{}]", list.iter().map(written).collect::<Vec<_>>().join(",")),
        Value::Map(map) => {
            let members: Vec<_> =
                map.iter().map(|(key, part)| format!("{}:{}", quoted(key), written(part))).collect();
            format!("{{{}}}", members.join(","))
        }
        other => format!("{other:?}"),
    }
}

fn quoted(text: &str) -> String {
    let mut made = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => made.extend(['\\', character]),
            control if control < ' ' => write!(made, "\\u{:04x}", control as u32).unwrap(),
            other => made.push(other),
        }
    }
    made + "\""
}

pub fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .filter_map(|index| u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok())
        .collect()
}
