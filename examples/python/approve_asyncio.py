#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An approval in asyncio's loop: waiting blocks nothing else and uses no thread.

    approve_asyncio.py URL CA-FILE SDK-CONFIGURATION STORE PIN

The device was activated before, with the name "demo" in its store (examples/c/approve.c does that).
"""

from __future__ import annotations

import asyncio
import sys

import mtoken
from mtoken import aio

ticks = 0


async def tick() -> None:
    """Other work of the program."""
    global ticks
    while True:
        await asyncio.sleep(0.02)
        ticks += 1


async def approve(url: str, authority: str, configuration: str, path: str, pin: str) -> None:
    store = mtoken.Store.directory(path)
    async with (
        aio.Runtime() as runtime,
        aio.Client(
            runtime, "demo", configuration=configuration, base_url=url, ca_file=authority, store=store
        ) as client,
    ):
        operations = await client.operations.list()
        if not operations:
            print("nothing waits for approval")
            return
        print(f"{operations[0].title}: {operations[0].message}\nyou sign:\n{operations[0].summary}")
        await client.operations.authorize(operations[0], mtoken.Auth.pin(pin))
        print(f"approved, after {ticks} ticks")


async def main() -> None:
    other = asyncio.create_task(tick())
    try:
        await approve(*sys.argv[1:])
    except mtoken.MTokenError as error:
        sys.exit(f"{error.code.name} ({error.reason}): {error}")
    finally:
        other.cancel()


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(f"usage: {sys.argv[0]} URL CA-FILE SDK-CONFIGURATION STORE PIN")
    asyncio.run(main())
