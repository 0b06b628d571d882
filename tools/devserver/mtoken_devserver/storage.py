# SPDX-License-Identifier: Apache-2.0
"""Rows in memory, written through to an SQLite file where one is given.

Every row is a dataclass with a text key. Reads never touch the database; a `commit` writes what changed since the last
one. The server is one process, so memory is the truth and the file is its durable copy.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import fields, is_dataclass
from typing import Any, Callable, Dict, Generic, Iterator, List, Optional, Type, TypeVar

from . import crypto

Row = TypeVar("Row")


def _encode(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"base64": crypto.b64(value)}
    if is_dataclass(value):
        return _members(value)
    raise TypeError(f"{type(value).__name__} cannot be stored")


def _members(row: Any) -> Dict[str, Any]:
    return {field.name: getattr(row, field.name) for field in fields(row)}


def _decode(value: Dict[str, Any]) -> Any:
    return crypto.unb64(value["base64"]) if value.keys() == {"base64"} else value


class Table(Generic[Row]):
    """All rows of one kind, with secondary indexes."""

    def __init__(self, kind: Type[Row], key: str, indexes: Dict[str, Callable[[Row], Optional[str]]]):
        self._kind = kind
        self._key = key
        self._rows: Dict[str, Row] = {}
        self._indexes = indexes
        self._index: Dict[str, Dict[str, Dict[str, None]]] = {name: {} for name in indexes}
        self._indexed: Dict[str, Dict[str, Optional[str]]] = {}
        self._changed: Dict[str, None] = {}

    def __iter__(self) -> Iterator[Row]:
        return iter(list(self._rows.values()))

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, key: str) -> Row:
        return self._rows[key]

    def get(self, key: Optional[str]) -> Optional[Row]:
        return None if key is None else self._rows.get(key)

    def find(self, index: str, value: str) -> List[Row]:
        """Rows with this value of the index, in the order of their creation."""
        return [self._rows[key] for key in self._index[index].get(value, ())]

    def save(self, row: Row) -> Row:
        """Adds the row or notes that it changed."""
        key = getattr(row, self._key)
        self._rows[key] = row
        self._changed[key] = None
        values = {name: value_of(row) for name, value_of in self._indexes.items()}
        if values != self._indexed.get(key):
            self._unindex(key)
            self._indexed[key] = values
            for name, value in values.items():
                if value is not None:
                    self._index[name].setdefault(value, {})[key] = None
        return row

    def delete(self, row: Row) -> None:
        key = getattr(row, self._key)
        if self._rows.pop(key, None) is not None:
            self._unindex(key)
            self._changed[key] = None

    def _unindex(self, key: str) -> None:
        for name, value in self._indexed.pop(key, {}).items():
            if value is not None:
                members = self._index[name][value]
                members.pop(key, None)
                if not members:
                    del self._index[name][value]

    def load(self, connection: sqlite3.Connection) -> None:
        names = {field.name for field in fields(self._kind)}  # type: ignore[arg-type]
        query = "SELECT body FROM record WHERE kind = ? ORDER BY rowid"
        for (body,) in connection.execute(query, (self._kind.__name__,)):
            stored = json.loads(body, object_hook=_decode)
            self.save(self._kind(**{name: value for name, value in stored.items() if name in names}))
        self._changed.clear()

    def write(self, connection: Optional[sqlite3.Connection]) -> None:
        """Writes the changed rows; without a connection it only forgets that they changed."""
        if connection is not None:
            for key in self._changed:
                self._write_one(connection, key)
        self._changed.clear()

    def _write_one(self, connection: sqlite3.Connection, key: str) -> None:
        name, row = self._kind.__name__, self._rows.get(key)
        if row is None:
            connection.execute("DELETE FROM record WHERE kind = ? AND id = ?", (name, key))
            return
        body = json.dumps(_members(row), default=_encode, ensure_ascii=False)
        connection.execute(
            "INSERT INTO record(kind, id, body) VALUES(?, ?, ?) "
            "ON CONFLICT(kind, id) DO UPDATE SET body = excluded.body",
            (name, key, body),
        )


class Store:
    """The tables of a server and their common file."""

    def __init__(self, path: Optional[str]):
        self._tables: List[Table[Any]] = []
        self._connection: Optional[sqlite3.Connection] = None
        if path is not None:
            self._connection = sqlite3.connect(path, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS record(kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, "
                "UNIQUE(kind, id))"
            )

    def table(self, kind: Type[Row], key: str = "id", **indexes: Callable[[Row], Optional[str]]) -> Table[Row]:
        """A table of dataclass `kind`, filled from the file; `indexes` name functions of a row."""
        table = Table(kind, key, indexes)
        if self._connection is not None:
            table.load(self._connection)
        self._tables.append(table)
        return table

    def commit(self) -> None:
        """Makes all changes since the last commit durable together."""
        for table in self._tables:
            table.write(self._connection)
        if self._connection is not None and self._connection.in_transaction:
            self._connection.commit()

    def close(self) -> None:
        self.commit()
        if self._connection is not None:
            self._connection.close()
            self._connection = None
