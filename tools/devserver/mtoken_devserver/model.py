# SPDX-License-Identifier: Apache-2.0
"""The records that the server keeps. Times are milliseconds since the Unix epoch, UTC."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Dict, List, Optional, Union

from . import crypto, keytree
from .protocol4 import keytree as keytree4
from .protocol4 import primitives as primitives4
from .protocol4 import suites

# Activation states (powerauth.md §12.2) and their numbers in the status blob.
CREATED = "CREATED"
PENDING_COMMIT = "PENDING_COMMIT"
ACTIVE = "ACTIVE"
BLOCKED = "BLOCKED"
REMOVED = "REMOVED"
STATUS_NUMBERS = {CREATED: 1, PENDING_COMMIT: 2, ACTIVE: 3, BLOCKED: 4, REMOVED: 5}

# Operation states (operations.md §5). REMOVED of the activation and these do not mix.
PENDING = "PENDING"
APPROVED = "APPROVED"
REJECTED = "REJECTED"
CANCELED = "CANCELED"
EXPIRED = "EXPIRED"
FAILED = "FAILED"

NO_OTP = "NONE"
ON_KEY_EXCHANGE = "ON_KEY_EXCHANGE"
ON_COMMIT = "ON_COMMIT"

MAX_FAILED_ATTEMPTS_4 = 64
"""The limits of an activation of 4.0."""


# Characters that the released server's columns hold (powerauth.md §7.3).
TEXT_LIMITS = {"activationName": 255, "platform": 255, "deviceInfo": 255, "extras": 4000}


@dataclass
class Application:
    """A bank's mobile application with its master key pair."""

    id: str
    master_private: bytes
    created: int
    oidc_providers: Dict[str, Dict[str, Any]] = field(default_factory=dict)
    suite: Optional[str] = None
    all_master_keys: bool = False
    master_keys4: Dict[str, bytes] = field(default_factory=dict)
    withdrawn_suites: List[str] = field(default_factory=list)
    private_key_without_biometry: bool = False
    config: Dict[str, Any] = field(default_factory=dict)
    custom_rules: List[Dict[str, Any]] = field(default_factory=list)

    def custom_rule(self, kind: str, identity: Dict[str, str], custom: Any) -> Dict[str, Any]:
        """The action of the bank's integration on an activation: that of the first rule that fits, or none."""
        sent = custom if isinstance(custom, dict) else {}
        for rule in self.custom_rules:
            wanted = rule.get("sent") or {}
            if (
                rule["type"] == kind
                and rule["identity"].items() <= identity.items()
                and all(name in sent and sent[name] == value for name, value in wanted.items())
            ):
                return rule
        return {}

    @cached_property
    def master_key(self) -> crypto.PrivateKey:
        return crypto.import_private_key(self.master_private)

    @property
    def master_public(self) -> bytes:
        return crypto.export_public_key(self.master_key.public_key())

    @property
    def usable_suites(self) -> List[str]:
        """The suites of protocol 4.0 that new activations may have; without a configured one there is none."""
        return [name for name in suites.SUITES if self.suite is not None and name not in self.withdrawn_suites]

    def master_signer(self, suite: suites.Suite) -> suites.Signer:
        """The master keys of a suite (powerauth4.md §6); an ML-DSA key is kept under the name of its algorithm."""
        keys = self.master_keys4
        return suite.signer(
            {
                suites.CLASSICAL: keys[suites.CLASSICAL],
                **({suites.POST_QUANTUM: keys[suite.dsa.jws_name]} if suite.dsa else {}),
            }
        )


@dataclass
class ApplicationVersion:
    """Key and secret of one released version; an unsupported one is refused everywhere."""

    key: str
    secret: str
    application_id: str
    name: str
    supported: bool = True


@dataclass
class Protocol4:
    """The state of an activation in protocol 4.0, or after its upgrade is confirmed."""

    suite_name: str
    secret: bytes
    device_keys: Dict[str, bytes]
    server_keys: Dict[str, bytes]
    ctr_data: bytes
    knowledge: bytes
    biometry: Optional[bytes] = None
    knowledge_next: Optional[bytes] = None
    biometry_next: Optional[bytes] = None
    biometry_enabled: bool = False
    confirm_pending: bool = False
    upgrade_pending: bool = False
    counter: int = 0
    temporary_blocks: int = 0
    blocked_until: Optional[int] = None
    config: Dict[str, Any] = field(default_factory=dict)

    @property
    def suite(self) -> suites.Suite:
        return suites.SUITES[self.suite_name]

    @cached_property
    def keys(self) -> keytree4.KeyTree:
        return keytree4.KeyTree(self.secret)

    @cached_property
    def signer(self) -> suites.Signer:
        return self.suite.signer(self.server_keys)

    def next_counter(self, ctr_data: bytes, steps: int = 1) -> bytes:
        for _ in range(steps):
            ctr_data = primitives4.sha3(ctr_data)
        return ctr_data


@dataclass
class Activation:
    """One device of one user."""

    id: str
    application_id: str
    user_id: str
    state: str
    created: int
    expires: int
    max_failed_attempts: int
    code: Optional[str] = None
    code_signature: Optional[bytes] = None
    otp: Optional[str] = None
    otp_validation: str = NO_OTP
    commit_phase: str = ON_COMMIT
    failed_attempts: int = 0
    block_reason: Optional[str] = None
    application_key: Optional[str] = None
    version: Optional[str] = None
    name: Optional[str] = None
    extras: Optional[str] = None
    platform: Optional[str] = None
    device_info: Optional[str] = None
    external_id: Optional[str] = None
    device_public: Optional[bytes] = None
    server_private: Optional[bytes] = None
    ctr_data: bytes = b""
    counter: int = 0
    last_used: int = 0
    flags: List[str] = field(default_factory=list)
    custom_object: Dict[str, Any] = field(default_factory=dict)
    mobile_auth_enabled: bool = True
    history: List[Dict[str, Any]] = field(default_factory=list)
    v4: Optional[Protocol4] = None

    def __post_init__(self) -> None:
        if isinstance(self.v4, dict):
            self.v4 = Protocol4(**self.v4)

    @property
    def has_keys(self) -> bool:
        return self.server_private is not None or self.v4 is not None

    @property
    def has_keys3(self) -> bool:
        return self.server_private is not None

    @property
    def is_v4(self) -> bool:
        """Whether it speaks 4.0; an upgrade that is not confirmed has not begun."""
        return self.v4 is not None and not self.v4.upgrade_pending

    @property
    def hash_counter(self) -> Union[Activation, Protocol4]:
        """The part with the counter of the current protocol: `ctr_data`, `counter` and `next_counter`."""
        return self.v4 if self.v4 is not None and self.is_v4 else self

    def next_counter(self, ctr_data: bytes, steps: int = 1) -> bytes:
        return keytree.next_counter(ctr_data, steps)

    @property
    def was_active(self) -> bool:
        return any(entry["state"] == ACTIVE for entry in self.history)

    @cached_property
    def server_key(self) -> crypto.PrivateKey:
        return crypto.import_private_key(self.server_private or b"")

    @cached_property
    def device_public_key(self) -> crypto.PublicKey:
        return crypto.import_public_key(self.device_public or b"")

    @cached_property
    def keys(self) -> keytree.KeyTree:
        return keytree.KeyTree.agree(self.server_key, self.device_public_key)

    @property
    def fingerprint(self) -> Optional[str]:
        if self.v4 is not None and self.is_v4:
            return keytree4.fingerprint(self.v4.suite_name, self.v4.device_keys, self.id, self.v4.signer.public)
        if not self.has_keys3:
            return None
        return keytree.fingerprint(self.device_public_key, self.id, self.server_key.public_key())

    @property
    def remaining_attempts(self) -> int:
        return max(0, self.max_failed_attempts - self.failed_attempts) if self.state == ACTIVE else 0


@dataclass
class User:
    """A user's OpenID claims, and a password for custom activations."""

    id: str
    claims: Dict[str, Any] = field(default_factory=dict)
    password: Optional[str] = None


@dataclass
class Token:
    """A MAC token and the factors that created it."""

    id: str
    secret: bytes
    activation_id: str
    signature_type: str
    created: int


@dataclass
class TemporaryKey:
    """A short-lived key of end-to-end encryption, bound to its application key and activation.

    In 3.x the recipient's `private` key, in 4.0 a `secret` that a suite agreed on.
    """

    id: str
    private: bytes
    application_key: str
    activation_id: Optional[str]
    expires: int
    suite: Optional[str] = None
    secret: bytes = b""

    @cached_property
    def key(self) -> crypto.PrivateKey:
        return crypto.import_private_key(self.private)


@dataclass
class Template:
    """The form of a kind of operation, and how the user may approve it (operations.md §15)."""

    name: str
    operation_type: str
    data_template: str
    allowed_signature_types: List[str]
    max_failures: Optional[int] = None
    expiration_seconds: Optional[int] = None
    risk_flags: str = ""
    proximity_check: bool = False
    forms: Dict[str, Dict[str, Any]] = field(default_factory=dict)


@dataclass
class Operation:
    """One thing that a user is asked to approve."""

    id: str
    application_id: str
    name: str
    data: str
    status: str
    created: int
    expires: int
    allowed_signature_types: List[str]
    max_failures: int
    user_id: Optional[str] = None
    activation_id: Optional[str] = None
    activation_flag: Optional[str] = None
    template: Optional[str] = None
    parameters: Dict[str, str] = field(default_factory=dict)
    form_data: Optional[Dict[str, Any]] = None
    ui: Optional[Dict[str, Any]] = None
    risk_flags: str = ""
    proximity_seed: Optional[bytes] = None
    failures: int = 0
    status_reason: Optional[str] = None
    external_id: Optional[str] = None
    extra_members: Dict[str, Any] = field(default_factory=dict)
    reject_reason: Optional[str] = None
    mobile_token_data: Optional[Any] = None
    proximity_result: Optional[Dict[str, Any]] = None
    approved_by: Optional[Dict[str, Any]] = None
    offline_nonce: Optional[str] = None
    finished: Optional[int] = None
    events: List[Dict[str, Any]] = field(default_factory=list)


@dataclass
class PushRegistration:
    """Push token of one activation."""

    activation_id: str
    platform: str
    token: str
    environment: Optional[str]
    created: int


@dataclass
class InboxMessage:
    """A message in a user's inbox."""

    id: str
    user_id: str
    application_id: str
    type: str
    subject: str
    summary: str
    body: str
    created: int
    read: bool = False


@dataclass
class RecoveryCode:
    """A recovery code, bound to an activation or printed on a postcard.

    `puks` are `{"index", "puk", "state"}` in order; the state is VALID, USED or INVALID.
    """

    code: str
    application_id: str
    user_id: str
    state: str
    max_failed_attempts: int
    puks: List[Dict[str, Any]]
    activation_id: Optional[str] = None
    failed_attempts: int = 0
