# SPDX-License-Identifier: Apache-2.0
"""Operation templates that every fresh server has."""

from __future__ import annotations

from typing import Any, Dict, List

from .model import Template
from .signature import POSSESSION, POSSESSION_BIOMETRY, POSSESSION_KNOWLEDGE

_TWO_FACTORS = [POSSESSION_KNOWLEDGE, POSSESSION_BIOMETRY]

_RESULT_TEXTS = {
    "success": "Payment of ${amount} ${currency} was confirmed",
    "failure": "Payment of ${amount} ${currency} failed",
    "reject": "Payment was rejected",
}

_PAYMENT_ATTRIBUTES = [
    {
        "id": "operation.amount",
        "type": "AMOUNT",
        "text": "Amount",
        "params": {"amount": "amount", "currency": "currency"},
    },
    {"id": "operation.account", "type": "KEY_VALUE", "text": "To account", "params": {"value": "iban"}},
    {"id": "operation.note", "type": "NOTE", "text": "Note", "params": {"note": "note"}},
]


def _payment_form(title: str, message: str) -> Dict[str, Any]:
    return {"title": title, "message": message, "attributes": _PAYMENT_ATTRIBUTES, "resultTexts": _RESULT_TEXTS}


_SHOWCASE_ATTRIBUTES = [
    {"id": "heading", "type": "HEADING", "text": "Transfer", "params": {"level": "level"}},
    *_PAYMENT_ATTRIBUTES,
    {
        "id": "conversion",
        "type": "AMOUNT_CONVERSION",
        "text": "Conversion",
        "params": {
            "dynamic": "dynamic",
            "sourceAmount": "amount",
            "sourceCurrency": "currency",
            "targetAmount": "targetAmount",
            "targetCurrency": "targetCurrency",
        },
    },
    {
        "id": "party",
        "type": "PARTY_INFO",
        "text": "Recipient",
        "params": {"name": "partyName", "logoUrl": "logoUrl", "description": "about", "websiteUrl": "websiteUrl"},
    },
    {
        "id": "image",
        "type": "IMAGE",
        "text": "Document",
        "params": {"thumbnailUrl": "thumbnailUrl", "originalUrl": "originalUrl"},
    },
    {
        "id": "alert",
        "type": "ALERT",
        "text": "Important",
        "params": {"type": "alertType", "title": "alertTitle", "message": "alertMessage"},
    },
]

_SHOWCASE_UI = {
    "flipButtons": True,
    "blockApprovalOnCall": False,
    "preApprovalScreen": {
        "type": "WARNING",
        "heading": "Watch out!",
        "message": "You may become a victim of an attack.",
        "items": ["You pay ${amount} ${currency}", "You know the recipient"],
        "approvalType": "SLIDER",
    },
    "postApprovalScreen": {
        "type": "MERCHANT_REDIRECT",
        "heading": "Thank you for your order",
        "message": "You will be redirected to the merchant application.",
        "payload": {
            "redirectText": "Go to the application",
            "redirectUrl": "https://www.example.com/order",
            "countdown": 5,
        },
    },
}

_QR_SCAN_UI = {
    "preApprovalScreen": {
        "type": "QR_SCAN",
        "heading": "Scan the QR code",
        "message": "To verify that you are close by, scan the code from the screen",
    }
}


def builtin_templates() -> List[Template]:
    return [
        Template(
            name="login",
            operation_type="login",
            data_template="A2",
            allowed_signature_types=_TWO_FACTORS,
            forms={
                "en": {"title": "Login", "message": "Are you logging in to the internet banking?"},
                "cs": {"title": "Přihlášení", "message": "Přihlašujete se do internetového bankovnictví?"},
            },
        ),
        Template(
            name="login_1fa",
            operation_type="login",
            data_template="A2",
            allowed_signature_types=[POSSESSION],
            forms={"en": {"title": "Login", "message": "Do you confirm the login?"}},
        ),
        Template(
            name="login_qr",
            operation_type="login",
            data_template="A2",
            allowed_signature_types=_TWO_FACTORS,
            proximity_check=True,
            forms={"en": {"title": "Login", "message": "Scan the code and confirm.", "ui": _QR_SCAN_UI}},
        ),
        Template(
            name="authorize_payment",
            operation_type="authorize_payment",
            data_template="A1*A${amount}${currency}*I${iban}*N${note}",
            allowed_signature_types=_TWO_FACTORS,
            risk_flags="",
            forms={
                "en": _payment_form("Payment confirmation", "Please confirm the payment of ${amount} ${currency}."),
                "cs": _payment_form("Potvrzení platby", "Potvrďte prosím platbu ${amount} ${currency}."),
            },
        ),
        Template(
            name="showcase",
            operation_type="showcase",
            data_template="A1*A${amount}${currency}*I${iban}",
            allowed_signature_types=_TWO_FACTORS,
            forms={
                "en": {
                    **_payment_form("Everything at once", "All attribute types, for ${partyName}."),
                    "attributes": _SHOWCASE_ATTRIBUTES,
                    "ui": _SHOWCASE_UI,
                }
            },
        ),
    ]
