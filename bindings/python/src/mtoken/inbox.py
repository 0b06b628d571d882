# SPDX-License-Identifier: Apache-2.0
"""The inbox: messages from the bank to the user."""

from __future__ import annotations

from typing import Optional

from . import _read
from ._arguments import checked
from ._call import text
from ._connection import Connection, nothing
from ._handle import Handle
from ._library import lib
from .models import InboxList, InboxMessage
from .task import Task


def _read_count(task: Handle) -> int:
    return int(lib.mtoken_task_inbox_count(task.pointer))


def _read_list(task: Handle) -> InboxList:
    return _read.inbox_list(lib.mtoken_task_inbox_list(task.pointer).contents)


def _read_message(task: Handle) -> InboxMessage:
    return _read.inbox_message(lib.mtoken_task_inbox_message(task.pointer).contents)


@checked
class Inbox:
    """Messages from the bank to the user."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def start_count(self) -> Task[int]:
        """See `count`."""
        return self._connection.start(lib.mtoken_inbox_count, _read_count)

    def count(self, *, timeout: Optional[float] = None) -> int:
        """Counts the unread messages."""
        return self.start_count().result_or_cancel(timeout)

    def start_page(self, page: int = 0, page_size: int = 100, *, only_unread: bool = False) -> Task[InboxList]:
        """See `page`."""
        return self._connection.start(lib.mtoken_inbox_list_page, _read_list, page, page_size, int(only_unread))

    def page(
        self, page: int = 0, page_size: int = 100, *, only_unread: bool = False, timeout: Optional[float] = None
    ) -> InboxList:
        """Fetches one page (counted from 0) without bodies. One with fewer messages than `page_size` is the last."""
        return self.start_page(page, page_size, only_unread=only_unread).result_or_cancel(timeout)

    def start_all(self, page_size: int = 100, limit: int = 1000, *, only_unread: bool = False) -> Task[InboxList]:
        """See `all`."""
        return self._connection.start(lib.mtoken_inbox_list_all, _read_list, page_size, limit, int(only_unread))

    def all(
        self, page_size: int = 100, limit: int = 1000, *, only_unread: bool = False, timeout: Optional[float] = None
    ) -> InboxList:
        """Fetches page by page, at most `limit` messages, each once.

        limit 0: as many as possible: 10,000, or fewer if messages are large. `InboxList.more` says that the limit was
        reached.
        """
        return self.start_all(page_size, limit, only_unread=only_unread).result_or_cancel(timeout)

    def start_detail(self, id: str) -> Task[InboxMessage]:
        """See `detail`."""
        return self._connection.start(lib.mtoken_inbox_detail, _read_message, *text(id))

    def detail(self, id: str, *, timeout: Optional[float] = None) -> InboxMessage:
        """Fetches a message with its body. Does not mark it as read."""
        return self.start_detail(id).result_or_cancel(timeout)

    def start_read(self, id: str) -> Task[None]:
        """See `read`."""
        return self._connection.start(lib.mtoken_inbox_mark_read, nothing, *text(id))

    def read(self, id: str, *, timeout: Optional[float] = None) -> None:
        """Marks a message as read."""
        self.start_read(id).result_or_cancel(timeout)

    def start_read_all(self) -> Task[None]:
        """See `read_all`."""
        return self._connection.start(lib.mtoken_inbox_mark_all_read, nothing)

    def read_all(self, *, timeout: Optional[float] = None) -> None:
        """Marks all messages as read."""
        self.start_read_all().result_or_cancel(timeout)
