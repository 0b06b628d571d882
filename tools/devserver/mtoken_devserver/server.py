# SPDX-License-Identifier: Apache-2.0
"""The server: its records, its rules and the services that use them."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Any, Dict, Iterator, Optional

from . import __version__, crypto, sdkconfig
from .activations import Lifecycle
from .audit import Audit
from .authentication import Authenticator
from .call import ErrorFactory
from .changes import Changes
from .clock import Clock
from .errors import activation_invalid
from .faults import Connections, Faults
from .model import (
    Activation,
    Application,
    ApplicationVersion,
    InboxMessage,
    Operation,
    PushRegistration,
    RecoveryCode,
    Template,
    TemporaryKey,
    Token,
    User,
)
from .operations import Operations
from .phone import Phone
from .protocol4 import suites
from .protocol4.authentication import Authenticator4
from .push import PushRecorder
from .replay import UniqueValues
from .requestlog import RequestLog
from .settings import Settings
from .storage import Store
from .templates_builtin import builtin_templates


class Server:
    """Everything that one process keeps. `database` is an SQLite file; without one all is in memory.

    `defaults` are the settings that it starts with, and that an administrator gets back.
    """

    version = __version__

    def __init__(self, database: Optional[str] = None, defaults: Optional[Settings] = None):
        self.defaults = defaults or Settings()
        self.settings = self.defaults.model_copy()
        self.clock = Clock()
        self.url = ""
        self.ca_file: Optional[str] = None
        self.changes = Changes()
        self.phone = Phone(self)
        self.audit = Audit()
        self.requests = RequestLog()
        self.faults = Faults()
        self.connections = Connections()
        self.unique_values = UniqueValues()
        self._lock = threading.RLock()
        self._store = store = Store(database)
        self.applications = store.table(Application)
        self.application_versions = store.table(
            ApplicationVersion, "key", application=lambda version: version.application_id
        )
        self.users = store.table(User)
        self.activations = store.table(
            Activation, code=lambda activation: activation.code, user=lambda activation: activation.user_id
        )
        self.tokens = store.table(Token, activation=lambda token: token.activation_id)
        self.temporary_keys = store.table(TemporaryKey)
        self.temporary_keys_purged = 0
        self.templates = store.table(Template, "name")
        self.operations = store.table(Operation, user=lambda operation: operation.user_id)
        self.push_registrations = store.table(PushRegistration, "activation_id")
        self.inbox_messages = store.table(InboxMessage, user=lambda message: message.user_id)
        self.recovery_codes = store.table(
            RecoveryCode, "code", activation=lambda code: code.activation_id, user=lambda code: code.user_id
        )
        self.lifecycle = Lifecycle(self)
        self.authenticator = Authenticator(self)
        self.authenticator4 = Authenticator4(self)
        self.operation_service = Operations(self)
        self.pushes = PushRecorder(self)
        for template in builtin_templates():
            if self.templates.get(template.name) is None:
                self.templates.save(template)
        store.commit()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Runs alone, and makes what it changed durable, also where it ends in a refusal."""
        with self._lock:
            try:
                yield
            finally:
                self._store.commit()

    def close(self) -> None:
        self.phone.close()
        self.pushes.close()
        with self._lock:
            self._store.close()

    def create_application(
        self, application_id: str, suite: Optional[str] = None, all_master_keys: bool = False
    ) -> Application:
        """A new application with master keys and one version `default`; with a suite it speaks 4.0 too."""
        application = Application(
            application_id, crypto.export_private_key(crypto.generate_key()), self.clock.now(), suite=suite
        )
        application.all_master_keys = all_master_keys
        self.applications.save(application)
        self.configure_suite(application, suite)
        self.create_version(application, "default")
        return application

    def configure_suite(self, application: Application, suite: Optional[str]) -> None:
        """The suite that the configuration string names; the master keys of all suites are made with the first one."""
        application.suite = suite
        if suite is not None and not application.master_keys4:
            for one in suites.SUITES.values():
                keys = one.generate_signing_keys()
                application.master_keys4.setdefault(suites.CLASSICAL, keys[suites.CLASSICAL])
                if one.dsa is not None:
                    application.master_keys4[one.dsa.jws_name] = keys[suites.POST_QUANTUM]
        self.applications.save(application)

    def create_version(self, application: Application, name: str) -> ApplicationVersion:
        key, secret = (crypto.b64(crypto.random_bytes(16)) for _ in range(2))
        return self.application_versions.save(ApplicationVersion(key, secret, application.id, name))

    def sdk_configuration(self, version: ApplicationVersion) -> str:
        application = self.applications[version.application_id]
        keys = {sdkconfig.P256: application.master_public}
        if application.suite is not None:
            every = application.all_master_keys
            for suite in suites.SUITES.values() if every else (suites.SUITES[application.suite],):
                public = application.master_signer(suite).public
                keys[sdkconfig.P384] = public[suites.CLASSICAL]
                if suite.dsa is not None:
                    key_id = sdkconfig.MLDSA87 if suite.dsa is suites.MLDSA87 else sdkconfig.MLDSA65
                    keys[key_id] = public[suites.POST_QUANTUM]
        return sdkconfig.encode(version.key, version.secret, keys)

    def offers_upgrade(self, activation: Activation) -> bool:
        """Whether a 3.x activation may become one of 4.0 (powerauth4.md §15)."""
        application = self.applications[activation.application_id]
        configured = application.suite in application.usable_suites
        return self.settings.protocol4 and self.settings.offerUpgrade and configured and not activation.is_v4

    def application_of_key(self, application_key: str, error: ErrorFactory) -> Application:
        version = self.application_versions.get(application_key)
        application = self.applications.get(version.application_id) if version else None
        if application is None:
            raise error("application is unknown")
        return application

    def knows_version(self, application_key: str, application_id: str) -> bool:
        """Whether the key is that of a version of this application that is not withdrawn."""
        version = self.application_versions.get(application_key)
        return version is not None and version.supported and version.application_id == application_id

    def claims_of(self, user_id: str) -> Optional[Dict[str, Any]]:
        user = self.users.get(user_id)
        return user.claims if user else None

    def custom_user(self, identity: Dict[str, str]) -> Optional[str]:
        """The user of custom credentials: `username`, with `password` where the user has one. None is ever invented."""
        user_id = identity.get("username") or identity.get("userId")
        user = self.users.get(user_id)
        if user is not None and user.password is not None:
            if not crypto.equal(user.password.encode(), identity.get("password", "").encode()):
                raise activation_invalid("password of the custom credentials is wrong")
        return user_id
