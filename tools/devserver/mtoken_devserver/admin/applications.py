# SPDX-License-Identifier: Apache-2.0
"""Admin API: applications, their versions and OIDC providers, users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional

from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from .. import errors, oidc
from ..model import User
from ..views import application_view, version_view
from . import common

if TYPE_CHECKING:
    from ..server import Server


SuiteName = Literal["EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5"]

_ALL_KEYS = "the configuration string has the keys of all suites, not of the configured one alone"


class NewApplication(common.Body):
    applicationId: str = Field(min_length=1)
    suite: Optional[SuiteName] = Field(default=None, description="of protocol 4.0; absent: 3.x only")
    allMasterKeys: bool = Field(default=False, description=_ALL_KEYS)


class CustomRule(common.Body):
    type: Literal["CODE", "CUSTOM", "DIRECT", "RECOVERY"] = "CUSTOM"
    identity: Dict[str, str] = Field(default_factory=dict, description="attributes that must be given like this")
    sent: Dict[str, Any] = Field(default_factory=dict, description="customAttributes that must be given like this")
    userAttribute: Optional[str] = Field(default=None, description="the attribute of the identity that names the user")
    userId: Optional[str] = Field(default=None, description="neither this nor the above: CUSTOM and DIRECT are refused")
    customAttributes: Optional[Dict[str, Any]] = Field(default=None, description="the answer's; absent: as sent")
    autoCommit: Optional[bool] = Field(default=None, description="ACTIVE at once; absent: as the setting says")
    flags: List[str] = Field(default_factory=list)
    maxFailedAttempts: Optional[int] = Field(default=None, ge=1, le=100, description="in 4.0 at most 64")
    validityMs: Optional[int] = Field(default=None, ge=1)


class ApplicationChange(common.Body):
    suite: Optional[SuiteName] = None
    withdrawnSuites: Optional[List[SuiteName]] = None
    allMasterKeys: Optional[bool] = Field(default=None, description=_ALL_KEYS)
    privateKeyWithoutBiometry: Optional[bool] = Field(
        default=None, description="biometry does not unlock KEK_DEVICE_PRIVATE"
    )
    config: Optional[Dict[str, Any]] = Field(default=None, description="what devices read as their configuration")
    customRules: Optional[List[CustomRule]] = Field(
        default=None, description="what the bank's integration does with activations; the first rule that fits counts"
    )


class NewVersion(common.Body):
    name: str = Field(min_length=1)


class VersionChange(common.Body):
    supported: bool


class UserData(common.Body):
    claims: Dict[str, Any] = Field(default_factory=dict)
    password: Optional[str] = None


_MEMBERS = {
    "withdrawnSuites": "withdrawn_suites",
    "allMasterKeys": "all_master_keys",
    "privateKeyWithoutBiometry": "private_key_without_biometry",
    "config": "config",
    "customRules": "custom_rules",
}
_MEMBER_DEFAULTS: Dict[str, Any] = {
    "withdrawnSuites": [],
    "allMasterKeys": False,
    "privateKeyWithoutBiometry": False,
    "config": {},
    "customRules": [],
}


def router(server: Server) -> APIRouter:
    api = APIRouter()
    atomic = common.transactional(server)

    @api.post("/applications", status_code=201)
    @atomic
    async def create_application(body: NewApplication) -> Dict[str, Any]:
        if server.applications.get(body.applicationId) is not None:
            raise errors.wrong_state("application exists already")
        return application_view(server, server.create_application(body.applicationId, body.suite, body.allMasterKeys))

    @api.get("/applications")
    @atomic
    async def list_applications() -> Dict[str, Any]:
        return {"applications": [application_view(server, application) for application in server.applications]}

    @api.get("/applications/{application_id}")
    @atomic
    async def get_application(application_id: str) -> Dict[str, Any]:
        return application_view(server, common.application(server, application_id))

    @api.patch("/applications/{application_id}")
    @atomic
    async def change_application(application_id: str, body: ApplicationChange) -> Dict[str, Any]:
        """A first suite makes the keys of protocol 4.0; without one the application is of 3.x again."""
        application = common.application(server, application_id)
        values = body.model_dump()
        for name in body.model_fields_set - {"suite"}:
            setattr(application, _MEMBERS[name], values[name] or _MEMBER_DEFAULTS[name])
        if "suite" in body.model_fields_set:
            server.configure_suite(application, body.suite)
        return application_view(server, server.applications.save(application))

    @api.post("/applications/{application_id}/versions", status_code=201)
    @atomic
    async def create_version(application_id: str, body: NewVersion) -> Dict[str, Any]:
        application = common.application(server, application_id)
        return version_view(server, server.create_version(application, body.name))

    @api.patch("/applications/{application_id}/versions/{name}")
    @atomic
    async def change_version(application_id: str, name: str, body: VersionChange) -> Dict[str, Any]:
        for version in server.application_versions.find("application", application_id):
            if version.name == name:
                version.supported = body.supported
                return version_view(server, server.application_versions.save(version))
        raise errors.not_found(f"version {name} of application {application_id} does not exist")

    @api.put("/applications/{application_id}/oidc/{provider_id}")
    async def put_oidc_provider(application_id: str, provider_id: str, body: Dict[str, Any]) -> Dict[str, Any]:
        """With `discover` the issuer's discovery document gives the addresses."""
        oidc.check_provider(body)
        if body.pop("discover", False):
            body = await run_in_threadpool(oidc.discovered, body)
        with server.transaction():
            application = common.application(server, application_id)
            application.oidc_providers[provider_id] = body
            return application_view(server, server.applications.save(application))

    @api.delete("/applications/{application_id}/oidc/{provider_id}")
    @atomic
    async def delete_oidc_provider(application_id: str, provider_id: str) -> Dict[str, Any]:
        application = common.application(server, application_id)
        application.oidc_providers.pop(provider_id, None)
        return application_view(server, server.applications.save(application))

    @api.put("/users/{user_id}")
    @atomic
    async def put_user(user_id: str, body: UserData) -> Dict[str, Any]:
        server.users.save(User(user_id, body.claims, body.password))
        return {"userId": user_id, **body.model_dump()}

    @api.get("/users/{user_id}")
    @atomic
    async def get_user(user_id: str) -> Dict[str, Any]:
        user = server.users.get(user_id)
        if user is None:
            raise errors.not_found(f"user {user_id} does not exist")
        return {"userId": user.id, "claims": user.claims, "password": user.password}

    return api
