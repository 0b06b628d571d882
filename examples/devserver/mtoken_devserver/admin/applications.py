"""Admin API: applications, their versions and OIDC providers, users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional

from fastapi import APIRouter
from pydantic import Field

from .. import errors, oidc
from ..model import User
from ..views import application_view, version_view
from . import common

if TYPE_CHECKING:
    from ..server import Server


class NewApplication(common.Body):
    applicationId: str = Field(min_length=1)


class NewVersion(common.Body):
    name: str = Field(min_length=1)


class VersionChange(common.Body):
    supported: bool


class UserData(common.Body):
    claims: Dict[str, Any] = Field(default_factory=dict)
    password: Optional[str] = None


def router(server: Server) -> APIRouter:
    api = APIRouter()
    atomic = common.transactional(server)

    @api.post("/applications", status_code=201)
    @atomic
    async def create_application(body: NewApplication) -> Dict[str, Any]:
        if server.applications.get(body.applicationId) is not None:
            raise errors.wrong_state("application exists already")
        return application_view(server, server.create_application(body.applicationId))

    @api.get("/applications")
    @atomic
    async def list_applications() -> Dict[str, Any]:
        return {"applications": [application_view(server, application) for application in server.applications]}

    @api.get("/applications/{application_id}")
    @atomic
    async def get_application(application_id: str) -> Dict[str, Any]:
        return application_view(server, common.application(server, application_id))

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
    @atomic
    async def put_oidc_provider(application_id: str, provider_id: str, body: Dict[str, Any]) -> Dict[str, Any]:
        application = common.application(server, application_id)
        oidc.check_provider(body)
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
