# SPDX-License-Identifier: Apache-2.0
"""Shared secret exchanges as the server answers them, with the faults that spoil the answer (powerauth4.md §4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Tuple

from .. import crypto, model
from . import keytree, suites

if TYPE_CHECKING:
    from ..call import Call


def encapsulate(call: Call, suite: suites.Suite, request: Any) -> Tuple[bytes, Dict[str, Any]]:
    """SECRET and `sharedSecretResponse`; a fault changes the latter and leaves the former."""
    secret, response = suite.encapsulate(request)
    faults, keys = call.faults, list(response["encapsulatedKeys"])
    if faults.get("swapped_ciphertexts") is not None:
        keys.reverse()
    altered = faults.get("altered_ciphertext")
    if altered is not None:
        index = int(altered.get("index", len(keys) - 1))
        keys[index] = _flipped(keys[index], -1)
    if faults.get("missing_ciphertext") is not None:
        keys.pop()
    if faults.get("extra_ciphertext") is not None:
        keys.append(keys[-1])
    if faults.get("downgraded_suite") is not None:
        keys = keys[:1]
    if faults.get("altered_salt") is not None:
        response["salt"] = _flipped(response["salt"], 0)
    response["encapsulatedKeys"] = keys
    return secret, response


def _flipped(text: str, position: int) -> str:
    data = bytearray(crypto.unb64(text))
    data[position] ^= 1
    return crypto.b64(bytes(data))


def agree(call: Call, suite: suites.Suite, request: Dict[str, Any]) -> Tuple[model.Protocol4, Dict[str, Any]]:
    """New keys of both sides and a new counter, and the answer of an activation or an upgrade (powerauth4.md §10,
    §15).
    """
    device_keys = suite.import_public_keys(request.get("devicePublicKeys"))
    secret, response = encapsulate(call, suite, request.get("sharedSecretRequest"))
    tree = keytree.KeyTree(secret)
    fresh = model.Protocol4(
        suite_name=suite.name,
        secret=secret,
        device_keys=device_keys,
        server_keys=suite.generate_signing_keys(),
        ctr_data=crypto.random_bytes(32),
        knowledge=tree.initial_knowledge,
        biometry=tree.initial_biometry,
    )
    public = suites.public_texts(fresh.signer.public)
    if call.faults.get("downgraded_suite") is not None:
        public.pop(suites.POST_QUANTUM, None)
    return fresh, {
        "sharedSecretResponse": response,
        "serverPublicKeys": public,
        "ctrData": crypto.b64(fresh.ctr_data),
    }
