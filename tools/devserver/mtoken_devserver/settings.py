# SPDX-License-Identifier: Apache-2.0
"""Rules that an administrator may change at run time (rest.md §6.11)."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    """All times are milliseconds. The defaults are those of the released servers."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

    serverVersion: str = Field(
        default="1.9.0", description="what /pa/v3/status says, and what the server can do: 1.9, 1.10, 2.0 and more"
    )
    activationValidityMs: int = Field(default=300_000, gt=0)
    maxFailedAttempts: int = Field(default=5, ge=1, le=100, description="in 4.0 at most 64")
    removeWhenOutOfAttempts: bool = Field(default=False, description="the last wrong PIN removes instead of blocking")
    lookAhead: int = Field(default=20, ge=1, le=64)
    activationVersion: int = Field(default=3, ge=2, le=3, description="what the status says; 2: of very old clients")
    offlineComponentLength: int = Field(default=8, ge=4, le=8)
    strict: bool = Field(default=False, description="refuse what the released servers let pass; README lists it")
    requestWindowMs: int = Field(
        default=60_000,
        ge=0,
        description="allowed lead of the timestamp of an encrypted request; in strict mode its age too",
    )
    tokenBackwardMs: int = Field(default=7_200_000, ge=0, description="allowed age of a token timestamp")
    tokenForwardMs: int = Field(default=60_000, ge=0, description="allowed lead of a token timestamp in 3.2 and 3.3")
    tokenForwardOldMs: int = Field(default=1_800_000, ge=0, description="the same in 3.0 and 3.1")
    protocol4: bool = Field(default=True, description="/pa/v4 is there; without it 404, as on servers before 2.0")
    offerUpgrade: bool = Field(
        default=True, description="the status of 3.x activations offers 4.0 where their application has a suite"
    )
    window4Ms: int = Field(
        default=300_000, ge=0, description="in 4.0, age and lead of the timestamps of encrypted requests and tokens"
    )
    temporaryBlockMs: int = Field(
        default=0, ge=0, description="length of the first temporary block in 4.0, 300000 upstream; 0: blocks stay"
    )
    removeWithOneFactor: bool = Field(default=False, description="in 4.0 possession alone removes an activation")
    renameOrder: Literal["both", "plaintext", "encrypted"] = Field(
        default="both", description="in 4.0, what the code of a rename covers; released servers: plaintext"
    )
    temporaryKeyValidityMs: int = Field(default=300_000, ge=0)
    vaultUnlockByBiometry: bool = False
    recoveryMaxFailedAttempts: int = Field(default=5, ge=1)
    recoveryWithActivation: bool = Field(default=False, description="activations come with a recovery code and PUK")
    unexpectedOtpActivates: bool = Field(
        default=False, description="an OTP that was not requested makes an activation ACTIVE, as on released servers"
    )
    customActivation: bool = Field(default=True, description="there is an integration that knows CUSTOM activations")
    customAutoCommit: bool = Field(default=True, description="CUSTOM activations become ACTIVE without a commit")
    totpDigits: int = Field(default=8, ge=4, le=10)
    totpStepSeconds: int = Field(default=30, ge=1)
    totpPreviousSteps: int = Field(default=1, ge=0)
    operationMaxFailures: int = Field(default=5, ge=1)
    operationExpirationSeconds: int = Field(default=300, ge=1)
    queryDecodedOnce: bool = Field(
        default=False, description="signed GET queries verify with %2B and %25, which the released front end breaks"
    )
    testFactors: Literal["any", "1FA", "2FA", "2FA+", "3FA"] = Field(
        default="any",
        description="what signed calls of /api/test take; 1FA: possession, 2FA: PIN or biometry too, 2FA+: also both",
    )
    listLimit: int = Field(default=100, ge=1)
    encryptedOperations: bool = Field(
        default=False, description="list, detail and claim open a cryptogram and answer encrypted"
    )
    offlineUriId: str = "/operation/authorize/offline"
    pushFile: str = Field(default="", description="file that every payload is appended to, one in a line; empty: none")
    pushSocket: str = Field(default="", description="Unix datagram socket that gets every payload; empty: none")
    pushWebhook: str = Field(default="", description="URL that receives every outgoing push as JSON; empty: none")

    def is_at_least(self, *wanted: int) -> bool:
        """Whether the version that is played has reached this one; a text that is not a version has not."""
        numbers = re.match(r"(\d+)\.(\d+)", self.serverVersion)
        return numbers is not None and (int(numbers[1]), int(numbers[2])) >= wanted
