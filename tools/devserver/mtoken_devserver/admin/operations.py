# SPDX-License-Identifier: Apache-2.0
"""Admin API: operations, their templates, and offline payloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional

from fastapi import APIRouter
from pydantic import Field

from .. import crypto, errors, model, offline, offline_check, operations
from ..model import Operation, Template
from ..signature import POSSESSION_BIOMETRY
from ..views import operation_view, template_view
from . import common

if TYPE_CHECKING:
    from ..server import Server

SignatureType = Literal[
    "possession",
    "possession_knowledge",
    "possession_biometry",
    "possession_knowledge_biometry",
    "knowledge",
    "biometry",
]
Status = Literal["PENDING", "APPROVED", "REJECTED", "CANCELED", "EXPIRED", "FAILED"]


class TemplateData(common.Body):
    operationType: str = Field(min_length=1)
    dataTemplate: str = Field(pattern="^[A-Z][0-9]{1,2}([*]|$)")
    allowedSignatureTypes: List[SignatureType] = Field(min_length=1)
    maxFailures: Optional[int] = Field(default=None, ge=1)
    expirationSeconds: Optional[int] = Field(default=None, ge=1)
    riskFlags: str = ""
    proximityCheck: bool = False
    forms: Dict[str, Dict[str, Any]] = Field(
        default_factory=dict, description="language → title, message, attributes, resultTexts, ui"
    )


class NewOperation(common.Body):
    applicationId: Optional[str] = None
    userId: Optional[str] = Field(default=None, description="absent: without a user until a device claims it")
    activationId: Optional[str] = Field(default=None, description="only this device may see it")
    activationFlag: Optional[str] = None
    template: Optional[str] = None
    parameters: Dict[str, str] = Field(default_factory=dict)
    name: Optional[str] = Field(default=None, description="with data: a raw operation without template")
    data: Optional[str] = None
    formData: Optional[Dict[str, Any]] = None
    ui: Optional[Dict[str, Any]] = None
    allowedSignatureTypes: Optional[List[SignatureType]] = None
    expirationSeconds: Optional[int] = Field(default=None, ge=1)
    maxFailures: Optional[int] = Field(default=None, ge=1)
    proximityCheck: Optional[bool] = None
    riskFlags: Optional[str] = None
    statusReason: Optional[str] = None
    externalId: Optional[str] = None
    extraMembers: Dict[str, Any] = Field(default_factory=dict, description="further members of the operation's JSON")


class OperationChange(common.Body):
    status: Optional[Status] = None
    statusReason: Optional[str] = None
    expires: Optional[int] = None
    userId: Optional[str] = None
    data: Optional[str] = None


class Finish(common.Body):
    reason: Optional[str] = None
    pushResult: Optional[str] = Field(
        default=None, description="mtokenOperationResult, e.g. operation.methodNotAvailable"
    )


class OfflineRequest(common.Body):
    activationId: Optional[str] = Field(
        default=None, description="personalised for this activation; absent: master key"
    )
    curve: Optional[Literal["P-256", "P-384"]] = Field(
        default=None, description="of the master key; absent: P-384 where the application has a suite"
    )


class RawOffline(common.Body):
    """A payload for no stored operation."""

    operationId: str
    title: str = ""
    message: str = ""
    data: Optional[str] = None
    dataVersion: Optional[str] = None
    dataTemplate: Optional[int] = None
    dataFields: List[Optional[Dict[str, Any]]] = Field(default_factory=list)
    flags: str = ""
    totp: Optional[str] = None
    nonce: Optional[str] = Field(default=None, description="Base64 of 16 bytes; absent: random")
    activationId: Optional[str] = None
    applicationId: Optional[str] = None
    curve: Optional[Literal["P-256", "P-384"]] = None


class OfflineCode(common.Body):
    activationId: str
    code: str
    operationId: str
    data: Optional[str] = Field(default=None, description="with nonce: for a payload of no stored operation")
    nonce: Optional[str] = None
    biometryAllowed: Optional[bool] = None
    totps: List[str] = Field(default_factory=list)
    uriId: Optional[str] = None
    approve: bool = Field(default=True, description="a valid code approves the stored operation")


def router(server: Server) -> APIRouter:
    api = APIRouter()
    _templates(api, server)
    _operations(api, server)
    _offline(api, server)
    return api


def _templates(api: APIRouter, server: Server) -> None:
    atomic = common.transactional(server)

    @api.get("/templates")
    @atomic
    async def list_templates() -> Dict[str, Any]:
        return {"templates": [template_view(template) for template in server.templates]}

    @api.put("/templates/{name}")
    @atomic
    async def put_template(name: str, body: TemplateData) -> Dict[str, Any]:
        return template_view(
            server.templates.save(
                Template(
                    name=name,
                    operation_type=body.operationType,
                    data_template=body.dataTemplate,
                    allowed_signature_types=list(body.allowedSignatureTypes),
                    max_failures=body.maxFailures,
                    expiration_seconds=body.expirationSeconds,
                    risk_flags=body.riskFlags,
                    proximity_check=body.proximityCheck,
                    forms=body.forms,
                )
            )
        )

    @api.delete("/templates/{name}")
    @atomic
    async def delete_template(name: str) -> Dict[str, Any]:
        """Operations of a deleted template stay, but are left out of lists."""
        template = server.templates.get(name)
        if template is None:
            raise errors.not_found(f"template {name} does not exist")
        server.templates.delete(template)
        return {"deleted": name}


def _create(server: Server, body: NewOperation) -> Operation:
    template = None
    if body.template is not None:
        template = server.templates.get(body.template)
        if template is None:
            raise errors.not_found(f"template {body.template} does not exist")
    elif body.name is None or body.data is None:
        raise errors.bad_input("an operation needs a template, or a name and data")
    data = body.data
    if data is None and template is not None:
        try:
            data = offline.fill_data(template.data_template, body.parameters)
        except offline.OfflineDataError as error:
            raise errors.bad_input(str(error)) from error
    form_data = body.formData
    if form_data is None and template is None:
        form_data = {"title": body.name, "message": "", "attributes": []}
    operation = operations.new_operation(
        server,
        common.application(server, body.applicationId).id,
        template,
        name=body.name or (template.operation_type if template else ""),
        data=data,
        user_id=body.userId,
        activation_id=body.activationId,
        activation_flag=body.activationFlag,
        parameters=body.parameters,
        form_data=form_data,
        ui=body.ui,
        allowed_signature_types=body.allowedSignatureTypes,
        expiration_seconds=body.expirationSeconds,
        max_failures=body.maxFailures,
        proximity_check=body.proximityCheck,
        risk_flags=body.riskFlags,
        status_reason=body.statusReason,
        external_id=body.externalId,
        extra_members=body.extraMembers,
    )
    return server.operation_service.create(operation)


def _operations(api: APIRouter, server: Server) -> None:
    atomic = common.transactional(server)

    @api.post("/operations", status_code=201)
    @atomic
    async def create_operation(body: NewOperation) -> Dict[str, Any]:
        return operation_view(_create(server, body))

    @api.get("/operations")
    @atomic
    async def list_operations(userId: Optional[str] = None, status: Optional[str] = None) -> Dict[str, Any]:
        rows = server.operations.find("user", userId) if userId is not None else server.operations
        found = [server.operation_service.get(row.id) or row for row in rows]
        return {"operations": [operation_view(row) for row in found if status in (None, row.status)]}

    @api.get("/operations/{operation_id}")
    @atomic
    async def get_operation(operation_id: str) -> Dict[str, Any]:
        return operation_view(common.operation(server, operation_id))

    @api.patch("/operations/{operation_id}")
    @atomic
    async def change_operation(operation_id: str, body: OperationChange) -> Dict[str, Any]:
        """Sets members as they are given, without any rule and without a push."""
        operation = common.operation(server, operation_id)
        names = {"status": "status", "statusReason": "status_reason", "userId": "user_id"}
        for name in body.model_fields_set:
            setattr(operation, names.get(name, name), getattr(body, name))
        server.operation_service.note(operation, "changed", members=sorted(body.model_fields_set))
        return operation_view(operation)

    for verb, status in (("cancel", model.CANCELED), ("expire", model.EXPIRED), ("fail", model.FAILED)):
        _finish(api, server, verb, status)

    @api.get("/operations/{operation_id}/totp")
    @atomic
    async def get_totp(operation_id: str) -> Dict[str, Any]:
        """The proximity code of now and of the steps before, and the two forms of a PAC code."""
        operation = common.operation(server, operation_id)
        totp = server.operation_service.totp(operation)
        claims = {"oid": operation.id, **({"potp": totp} if totp else {})}
        query = "&".join(f"{name}={value}" for name, value in claims.items())
        return {
            "totp": totp,
            "previous": server.operation_service.totp(operation, 1),
            "older": server.operation_service.totp(operation, server.settings.totpPreviousSteps + 1),
            "deeplink": f"mtoken://operation?{query}",
            "jwt": operations.pac_token(claims),
        }


def _finish(api: APIRouter, server: Server, verb: str, status: str) -> None:
    @api.post(f"/operations/{{operation_id}}/{verb}")
    @common.transactional(server)
    async def finish(operation_id: str, body: Optional[Finish] = None) -> Dict[str, Any]:
        operation = common.operation(server, operation_id)
        if operation.status != model.PENDING:
            raise errors.wrong_state(f"operation is {operation.status}")
        body = body or Finish()
        server.operation_service.finish(operation, status, body.reason, body.pushResult)
        return operation_view(operation)


def _offline(api: APIRouter, server: Server) -> None:
    atomic = common.transactional(server)

    @api.post("/operations/{operation_id}/offline")
    @atomic
    async def operation_offline(operation_id: str, body: Optional[OfflineRequest] = None) -> Dict[str, Any]:
        """The QR payload of a stored operation (offline-qr.md §6)."""
        operation = common.operation(server, operation_id)
        body, activation = body or OfflineRequest(), None
        if body.activationId is not None:
            activation = common.activation_with_keys(server, body.activationId)
        text = operations.offline_payload(server, operation, activation, body.curve)
        return {"offlineData": text, "nonce": operation.offline_nonce}

    @api.post("/offline")
    @atomic
    async def raw_offline(body: RawOffline) -> Dict[str, Any]:
        """The QR payload of given texts, with the data given or built from fields."""
        nonce = body.nonce if body.nonce is not None else crypto.b64(crypto.random_bytes(16))
        common.from_base64(nonce, 16)
        try:
            data = body.data or offline.build_data(body.dataVersion, body.dataTemplate, body.dataFields)
            text = offline.payload(body.operationId, body.title, body.message, data, body.flags, body.totp, nonce)
        except offline.OfflineDataError as error:
            raise errors.bad_input(str(error)) from error
        if body.activationId is not None:
            signed = offline.personalise(text, common.activation_with_keys(server, body.activationId))
        else:
            signed = offline.sign_by_master(text, common.application(server, body.applicationId), body.curve)
        return {"offlineData": signed, "nonce": nonce, "data": data}

    @api.post("/offline/verify")
    @atomic
    async def verify_offline(body: OfflineCode) -> Dict[str, Any]:
        """Checks the code that a user typed back; counts like an online signature."""
        activation = common.activation_with_keys(server, body.activationId)
        operation = server.operation_service.get(body.operationId)
        data, nonce, totps, biometry = body.data, body.nonce, body.totps, body.biometryAllowed
        if operation is not None:
            data = data or operation.data
            nonce = nonce or operation.offline_nonce
            totps = totps or server.operation_service.accepted_totps(operation)
            if biometry is None:
                biometry = POSSESSION_BIOMETRY in operation.allowed_signature_types
        if data is None or nonce is None:
            raise errors.bad_input("data and nonce of the payload are unknown")
        result = offline_check.verify(
            server,
            activation,
            operation_id=body.operationId,
            data=data,
            nonce=nonce,
            code=body.code,
            biometry_allowed=bool(biometry),
            totps=totps,
            uri_id=body.uriId or server.settings.offlineUriId,
        )
        if operation is not None and operation.status == model.PENDING:
            if not result["valid"]:
                server.operation_service.count_failure(operation, "offline code is wrong")
            elif body.approve:
                operations.approve(server, operation, activation, result["signatureType"])
            result["operationStatus"] = operation.status
        return result
