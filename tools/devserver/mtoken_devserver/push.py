# SPDX-License-Identifier: Apache-2.0
"""Push registration, and a recorder in the place of APNs, FCM and HMS (push-and-inbox.md §1, §2)."""

from __future__ import annotations

import json
import logging
import socket
import urllib.request
import uuid
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Deque, Dict, List, Optional

from fastapi import FastAPI

from . import errors, forms, model
from .call import Answer, Call, mount, ok, optional_text, text_member
from .model import Activation, InboxMessage, Operation, PushRegistration
from .signature import ANY_WITH_POSSESSION

if TYPE_CHECKING:
    from .server import Server

logger = logging.getLogger("mtoken_devserver")

_LEGACY = {"ios": "apns", "android": "fcm", "huawei": "hms"}
PLATFORMS = {"apns": "apns", "fcm": "fcm", "hms": "hms", **_LEGACY}
_ENVIRONMENTS = (None, "development", "production")
_TOKEN_LIMIT = 255
_VISIBLE_LENGTH = 155


def routes(app: FastAPI, server: Server) -> None:
    mount(app, server, "/api/push/device/register", register)
    mount(app, server, "/api/push/device/register/token", register)


def register(server: Server, call: Call) -> Answer:
    """Binds a push token to the calling activation; it wants the token, a signature is refused."""
    caller = server.authenticator.token(call, ANY_WITH_POSSESSION)
    error = errors.invalid_push_request
    request = call.request_object(error)
    platform = text_member(request, "platform", error)
    token = text_member(request, "token", error)
    environment = optional_text(request, "environment")
    known = PLATFORMS if server.settings.is_at_least(1, 10) else _LEGACY
    if platform not in known:
        raise errors.generic(f"server {server.settings.serverVersion} knows no platform {platform}")
    if not token.strip():
        raise error("token is blank")
    if server.settings.strict and environment not in _ENVIRONMENTS:
        raise error("environment is not acceptable")
    if len(token) > _TOKEN_LIMIT:
        raise errors.push_failed("token is too long")
    if call.faults.get("push-down") is not None:
        raise errors.push_failed("the push server is down")
    if not caller.activation.mobile_auth_enabled:
        raise errors.push_failed("mobile authentication is disabled for the activation")
    bind(server, caller.activation, platform, token, environment)
    return ok()


def bind(server: Server, activation: Activation, platform: str, token: str, environment: Optional[str]) -> None:
    """Pushes to the activation go to this token from now on."""
    server.push_registrations.save(
        PushRegistration(activation.id, PLATFORMS[platform], token, environment, server.clock.now())
    )


class PushRecorder:
    """The pushes that were sent, newest at the end; also delivered to the file, socket and webhook of the settings,
    if any.

    Deliveries are in the order of sending and best effort, like those of the real services.
    """

    def __init__(self, server: Server):
        self._server = server
        self._sent: Deque[Dict[str, Any]] = deque(maxlen=10_000)
        self._next = 1
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="push-delivery")

    def find(self, after: int = 0) -> List[Dict[str, Any]]:
        return [push for push in self._sent if push["seq"] > after]

    def send(
        self,
        activations: List[Activation],
        extras: Dict[str, str],
        visible: Optional[Dict[str, str]] = None,
        category: Optional[str] = None,
    ) -> None:
        """One push for each registered device of an active activation; without `visible` it is silent."""
        for activation in activations:
            if activation.state == model.ACTIVE:
                self.send_to(activation, extras, visible, category)

    def send_to(
        self,
        activation: Activation,
        extras: Dict[str, str],
        visible: Optional[Dict[str, str]] = None,
        category: Optional[str] = None,
    ) -> None:
        """A push to the device of an activation in any state, where one is registered."""
        registration = self._server.push_registrations.get(activation.id)
        if registration is None:
            return
        extras = {**extras, "activationId": activation.id}
        shape = _apns if registration.platform == "apns" else _fcm
        push = {
            "seq": self._next,
            "id": str(uuid.uuid4()),
            "time": self._server.clock.now(),
            "activationId": registration.activation_id,
            "platform": registration.platform,
            "environment": registration.environment,
            "token": registration.token,
            "silent": visible is None,
            "payload": shape(extras, visible, category),
        }
        self._next += 1
        self._sent.append(push)
        settings = self._server.settings
        for deliver, place, content in (
            (_datagram, settings.pushSocket, push["payload"]),
            (_append, settings.pushFile, push["payload"]),  # after the socket: what is in the file was sent there
            (_post, settings.pushWebhook, push),
        ):
            if place:
                self._executor.submit(deliver, place, json.dumps(content))

    def close(self) -> None:
        self._executor.shutdown(wait=False)


def _apns(extras: Dict[str, str], visible: Optional[Dict[str, str]], category: Optional[str]) -> Dict[str, Any]:
    if visible is None:
        return {"aps": {"content-available": 1}, **extras}
    aps: Dict[str, Any] = {"alert": visible, "sound": "default"}
    if category is not None:
        aps["category"] = category
    return {"aps": aps, **extras}


def _fcm(extras: Dict[str, str], visible: Optional[Dict[str, str]], category: Optional[str]) -> Dict[str, Any]:
    if visible is None:
        return {"data": extras}
    notification = {**visible, "sound": "default"}
    if category is not None:
        notification["tag"] = category
    return {"data": extras, "notification": notification}


def _append(path: str, payload: str) -> None:
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(payload + "\n")
    except OSError as error:
        logger.warning("push file failed: %s", error)


def _datagram(path: str, payload: str) -> None:
    """As an app gets it from its push service: one payload at a time, and none if it does not run."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.settimeout(5)
        try:
            sender.sendto(payload.encode(), path)
        except OSError as error:
            logger.warning("push socket failed: %s", error)


def _post(url: str, push: str) -> None:
    request = urllib.request.Request(url, push.encode(), {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request, timeout=5).close()
    except OSError as error:
        logger.warning("push webhook failed: %s", error)


def _devices_of(server: Server, operation: Operation) -> List[Activation]:
    if operation.user_id is None:
        return []
    return [
        activation
        for activation in server.activations.find("user", operation.user_id)
        if activation.application_id == operation.application_id
        and operation.activation_id in (None, activation.id)
        and activation.mobile_auth_enabled
    ]


def operation_created(server: Server, operation: Operation) -> None:
    """A visible push with the identifier and a cut text; nothing sensitive is in it but that text."""
    form = forms.form_of(server.templates.get(operation.template), ["en"])
    data = forms.form_data(operation, form, "en")
    extras = {
        "messageType": "mtoken.operationInit",
        "operationId": operation.id,
        "operationName": operation.name,
    }
    visible = {"title": data["title"], "body": data["message"][:_VISIBLE_LENGTH]}
    server.pushes.send(_devices_of(server, operation), extras, visible, category=operation.name)


def operation_finished(server: Server, operation: Operation, result: str) -> None:
    extras = {
        "messageType": "mtoken.operationFinished",
        "operationId": operation.id,
        "operationName": operation.name,
        "mtokenOperationResult": result,
    }
    server.pushes.send(_devices_of(server, operation), extras)


def inbox_message_created(server: Server, message: InboxMessage) -> None:
    devices = [
        activation
        for activation in server.activations.find("user", message.user_id)
        if activation.application_id == message.application_id
    ]
    extras = {"messageType": "mtoken.inboxMessage.new", "inboxId": message.id}
    visible = {"title": message.subject, "body": message.summary[:_VISIBLE_LENGTH]}
    server.pushes.send(devices, extras, visible)


def status_changed(server: Server, activation: Activation) -> None:
    """The device fetches the status; the push does not tell it, as anyone could send one."""
    server.pushes.send_to(activation, {"messageType": "mtoken.statusChange"})
