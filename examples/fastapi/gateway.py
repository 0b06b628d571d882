# SPDX-License-Identifier: Apache-2.0
"""A service by which the programs of a house approve with the house's own token, over HTTP.

    uvicorn gateway:app        with MTOKEN_SERVER, MTOKEN_CA, MTOKEN_CONFIG and MTOKEN_STATE

The device was activated before, with the name "alice" in its store. One event loop serves requests and
token: no thread waits. Put it behind what tells who may ask: it has no users of its own.
"""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from typing import Any, AsyncIterator, Dict, List

import mtoken
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse
from mtoken import aio
from pydantic import BaseModel


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """The token lives as long as the service; its folder is locked, so there is one such process."""
    store = mtoken.Store.directory(os.environ["MTOKEN_STATE"])
    async with (
        aio.Runtime() as runtime,
        aio.Client(
            runtime,
            "alice",
            configuration=os.environ["MTOKEN_CONFIG"],
            base_url=os.environ["MTOKEN_SERVER"],
            ca_file=os.environ.get("MTOKEN_CA"),
            store=store,
        ) as client,
    ):
        app.state.client = client
        yield


app = FastAPI(title="Approvals", lifespan=lifespan)


class Approval(BaseModel):
    """`data` is what the caller has read: what is approved is what was shown to it."""

    pin: str
    data: str


@app.exception_handler(mtoken.MTokenError)
async def failed(request: Request, error: mtoken.MTokenError) -> JSONResponse:
    """The whole error. 504: the bank may have acted, so nobody may just try again."""
    if error.may_have_happened:
        status = 504
    elif isinstance(error, mtoken.AuthenticationError):
        status = 403
    elif isinstance(error, mtoken.ServerError):
        status = 409
    else:
        status = 503 if error.retriable else 502
    told = {"code": error.code.name, "reason": error.reason, "outcome": error.outcome.name, "message": error.message}
    return JSONResponse({**told, "remainingAttempts": error.remaining_attempts}, status)


@app.get("/operations")
async def operations() -> List[Dict[str, Any]]:
    return [
        {"id": one.id, "title": one.title, "message": one.message, "data": one.data, "signed": one.summary}
        for one in await app.state.client.operations.list()
    ]


@app.post("/operations/{id}/approve", status_code=204)
async def approve(id: str, approval: Approval) -> None:
    operation = await app.state.client.operations.detail(id)
    if operation.data != approval.data:
        raise HTTPException(409, "the operation is not the one that was read")
    await app.state.client.operations.authorize(operation, mtoken.Auth.pin(approval.pin), strict=True)


@app.post("/operations/{id}/reject", status_code=204)
async def reject(id: str) -> None:
    await app.state.client.operations.reject(id, mtoken.RejectReason.UNEXPECTED_OPERATION)
