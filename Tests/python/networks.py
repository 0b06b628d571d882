"""Networks in trouble, for lives in a virtual world."""

from __future__ import annotations

from typing import Dict

from virtual import CONNECTION_LOST, CONNECTION_REFUSED, NOT_CONNECTED, TIMEOUT, Answer, Network, Request, World

PAGE = b"<html><body><h1>Bad Gateway</h1></body></html>"


def refused(world: World, request: Request) -> Answer:
    return Answer(failure=CONNECTION_REFUSED)


def unconnected(world: World, request: Request) -> Answer:
    return Answer(failure=NOT_CONNECTED)


def request_lost(world: World, request: Request) -> Answer:
    return Answer(failure=TIMEOUT, sent=True)


def answer_lost(world: World, request: Request) -> Answer:
    world.forward(request)
    return Answer(failure=CONNECTION_LOST, sent=True)


def gateway(status: int, body: bytes, *, after: bool) -> Network:
    def network(world: World, request: Request) -> Answer:
        if after:
            world.forward(request)
        return Answer(status, body, "Content-Type: text/html\n" if body else "")

    return network


NETWORKS: Dict[str, Network] = {
    "refused": refused,
    "offline": unconnected,
    "request lost": request_lost,
    "answer lost": answer_lost,
    "502 before": gateway(502, PAGE, after=False),
    "504 after": gateway(504, PAGE, after=True),
    "503 empty": gateway(503, b"", after=False),
    "500 after": gateway(500, b"", after=True),
    "429": gateway(429, PAGE, after=False),
    "gateway 401": gateway(401, PAGE, after=False),
}
